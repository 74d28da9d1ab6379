"""Sums, products, quotients and whole parts of enclosures."""

import math
import operator
from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import ceil, floor

import numpy as np
import pytest

from dpcalc.errors import DomainError, Undecided
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
    for found, want in ((operation(x, number), operation(x, exact)), (operation(number, x), operation(exact, x))):
        assert (found.lower, found.upper) == (want.lower, want.upper)


def test_whole_parts_are_given_only_where_they_are_certain():
    x = Enclosure(Fraction(5, 4), Fraction(7, 4))
    assert (floor(x), ceil(x), floor(-x), ceil(-x)) == (1, 2, -2, -1)
    assert floor(Enclosure.of(3)) == ceil(Enclosure.of(3)) == 3
    with pytest.raises(Undecided, match="floor"):
        floor(Enclosure(Fraction(3, 4), Fraction(1)))
    with pytest.raises(Undecided, match="ceil"):
        ceil(Enclosure(Fraction(1), Fraction(5, 4)))


@pytest.mark.parametrize("number", [0.1, "0.1", Decimal("0.1"), np.float64(0.1)])
def test_a_float_is_its_shortest_decimal_and_ends_stay_rational(number):
    tenth = Enclosure.of(number)
    assert (tenth.lower, type(tenth.lower)) == (Fraction(1, 10), Fraction)
    assert tenth <= number <= tenth
    summed = Enclosure(0, number) + number
    assert (summed.lower, summed.upper, type(summed.upper)) == (Fraction(1, 10), Fraction(1, 5), Fraction)


@pytest.mark.parametrize("nonsense", [math.nan, math.inf, "x", None, True])
def test_what_is_no_number_is_refused(nonsense):
    for use in (Enclosure.of, Enclosure.of(1).__add__, Enclosure.of(1).__lt__, lambda x: Enclosure(x, 2)):
        with pytest.raises(DomainError):
            use(nonsense)
