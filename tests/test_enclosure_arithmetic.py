"""Sums, products, quotients and whole parts of enclosures."""

import operator
from fractions import Fraction
from itertools import product
from math import ceil, floor

import pytest

from dpcalc.errors import Undecided
from dpcalc.numbers.enclosure import Enclosure

ENDS = [Fraction(x, 2) for x in (-3, -1, 0, 1, 4)]
ENCLOSURES = [Enclosure(a, b) for a in ENDS for b in ENDS if a <= b]
OPERATIONS = [operator.add, operator.sub, operator.mul, operator.truediv]


def _points(x):
    return (x.lower, (x.lower + x.upper) / 2, x.upper)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_result_is_contained_and_the_ends_are_attained(operation):
    for x, y in product(ENCLOSURES, repeat=2):
        if operation is operator.truediv and y.lower <= 0 <= y.upper:
            with pytest.raises(Undecided):
                operation(x, y)
            continue
        results = [operation(a, b) for a, b in product(_points(x), _points(y))]
        found = operation(x, y)
        assert (found.lower, found.upper) == (min(results), max(results))


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("number", [3, Fraction(-2, 5)])
def test_a_number_is_an_exact_enclosure_on_either_side(operation, number):
    x, exact = Enclosure(Fraction(1, 3), Fraction(7, 2)), Enclosure.of(number)
    for found, want in (
        (operation(x, number), operation(x, exact)),
        (operation(number, x), operation(exact, x)),
    ):
        assert (found.lower, found.upper) == (want.lower, want.upper)


def test_whole_parts_are_given_only_where_they_are_certain():
    x = Enclosure(Fraction(5, 4), Fraction(7, 4))
    assert (floor(x), ceil(x), floor(-x), ceil(-x)) == (1, 2, -2, -1)
    assert floor(Enclosure.of(3)) == ceil(Enclosure.of(3)) == 3
    with pytest.raises(Undecided, match="floor"):
        floor(Enclosure(Fraction(3, 4), Fraction(1)))
    with pytest.raises(Undecided, match="ceil"):
        ceil(Enclosure(Fraction(1), Fraction(5, 4)))
