from fractions import Fraction
from itertools import combinations, product

import pytest

from dpcalc.mechanisms.randomizers import (
    CategoryResponse,
    hadamard_response,
    k_ary_response,
    linked_unary_encoding,
    rappor,
    subset_selection,
)
from dpcalc.numbers.elementary import exp

MADE = [
    k_ary_response(2, lam=3), k_ary_response(7, lam=3), subset_selection(5, 2, lam=3), subset_selection(4, 3, lam=3),
    hadamard_response(2, lam=3), hadamard_response(7, lam=3), hadamard_response(8, lam=3),
]  # fmt: skip


@pytest.mark.parametrize("randomizer", MADE)
def test_the_odds_are_the_local_privacy(randomizer):
    """And the two probabilities of a row are in that proportion for every pair of inputs."""
    assert randomizer.lam() == 3
    for x, y in combinations(randomizer.matrix, 2):
        assert {a / b for a, b in zip(x, y, strict=True)} >= {3, Fraction(1, 3)}


def test_k_ary_response_is_that_of_a_category():
    one = CategoryResponse.private(5, lam=4)
    assert k_ary_response(5, lam=4).matrix[2] == (one.lie, one.lie, one.truth, one.lie, one.lie)


@pytest.mark.parametrize(("p", "q"), [(Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 2), Fraction(1, 5)), (1, 0)])
def test_linked_bits_are_independent(p, q):
    made = linked_unary_encoding(3, p=p, q=q)
    for x, row in enumerate(made.matrix):
        for report, chance in zip(product((0, 1), repeat=3), row, strict=True):
            expected = Fraction(1)
            for place, bit in enumerate(report):
                set_ = p if place == x else q
                expected *= set_ if bit else 1 - set_
            assert chance == expected


def test_unary_encoding_has_the_local_privacy_of_two_bits():
    assert linked_unary_encoding(4, q="1/4").lam() == 9
    assert linked_unary_encoding(4, q="1/5", p="1/2").lam() == 4  # optimized: p (1 - q)/(q (1 - p))


def test_each_subset_holds_the_truth_or_not():
    made = subset_selection(5, 3, lam=3)
    for x, row in enumerate(made.matrix):
        with_truth = [chance for chosen, chance in zip(combinations(range(5), 3), row, strict=True) if x in chosen]
        assert with_truth == [Fraction(3, 3 * 6 + 4)] * 6


@pytest.mark.parametrize("categories", [2, 3, 4, 7, 8])
def test_hadamard_rows_are_half_likely_and_meet_in_a_quarter(categories):
    made = hadamard_response(categories, lam=3)
    sets = [{y for y, chance in enumerate(row) if chance == max(row)} for row in made.matrix]
    size = len(made.matrix[0])
    assert size > categories >= size / 2
    assert all(len(one) == size / 2 for one in sets)
    assert all(len(one & other) == size / 4 for one, other in combinations(sets, 2))


def test_rappor_is_two_steps():
    """Permanent, then instantaneous: the product of two channels on every bit, by listing the permanent bits."""
    f, p, q = Fraction(1, 3), Fraction(2, 5), Fraction(4, 5)
    made = rappor(2, f=f, p=p, q=q)
    for x, row in enumerate(made.matrix):
        for report, chance in zip(product((0, 1), repeat=2), row, strict=True):
            expected = Fraction(0)
            for permanent in product((0, 1), repeat=2):
                weight = Fraction(1)
                for place in (0, 1):
                    truth = int(place == x)
                    weight *= (1 - f) * (permanent[place] == truth) + f / 2
                    set_ = q if permanent[place] else p
                    weight *= set_ if report[place] else 1 - set_
                expected += weight
            assert chance == expected


def test_a_given_epsilon_is_kept():
    for made in (k_ary_response(3, epsilon=1), subset_selection(4, 2, epsilon=1), hadamard_response(3, epsilon=1)):
        e = exp(Fraction(1), rtol=Fraction(1, 10**80))
        assert e * (1 - Fraction(1, 10**39)) < made.lam() < e
