from fractions import Fraction
from itertools import pairwise, product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcalc.laws.excess import excess_bound, mean_excess
from dpcalc.numbers.enclosure import Enclosure

FINE = Fraction(1, 1000)


def excess(atoms, n):
    """E[(X_1 + ... + X_n)_+], one report after the other."""
    law = {Fraction(0): Fraction(1)}
    for _ in range(n):
        grown = {}
        for (total, weight), (value, chance) in product(law.items(), atoms):
            grown[total + value] = grown.get(total + value, 0) + weight * chance
        law = grown
    return sum((max(Fraction(0), total) * weight for total, weight in law.items()), Fraction(0))


@settings(max_examples=25)
@given(
    st.lists(st.tuples(st.integers(-8, 8), st.integers(1, 9)), min_size=1, max_size=4),
    st.one_of(st.just(1), st.integers(1, 8)),
    st.sampled_from(["1/50", "1/300"]),
)
def test_the_mean_excess_is_the_sum_over_all_outcomes(drawn, n, rtol):
    total = sum(weight for _, weight in drawn)
    atoms = [(Fraction(value, 3), Fraction(weight, total)) for value, weight in drawn]
    expected = excess(atoms, n)
    assert excess_bound(atoms, n) >= expected
    found = mean_excess(atoms, n, rtol=Fraction(rtol))
    assert found.lower <= expected <= found.upper
    assert found.relative_width() <= Fraction(rtol)


def test_a_narrower_excess_lies_in_a_wider_one():
    atoms = [(Fraction(3), Fraction(1, 5)), (Fraction(1, 7), Fraction(1, 5)), (Fraction(-2), Fraction(3, 5))]
    found = [mean_excess(atoms, 500, rtol=Fraction(1, 10**digits)) for digits in (2, 3, 4)]
    for wide, narrow in pairwise(found):
        assert wide.lower <= narrow.upper
        assert narrow.lower <= wide.upper
    assert found[-1].relative_width() <= Fraction(1, 10**4)


@pytest.mark.parametrize("share", [Fraction(1, 10**7), Fraction(1, 10**4000)])
@pytest.mark.soak
def test_rare_and_large_values_are_reached_from_the_other_side(share):
    large = 100 / share
    rare = [(large, share), (Fraction(-1), 1 - share)]
    found = mean_excess(rare, 300, rtol=FINE)
    # 300 draws are all -1 or hold at least one large value; only the former leave the sum negative
    expected = 300 * (large * share - (1 - share)) + 300 * (1 - share) ** 300
    assert found.lower <= expected <= found.upper
    assert found.relative_width() <= FINE


def test_a_sum_without_a_sign_change_is_exact():
    half = Fraction(1, 2)
    assert mean_excess([(Fraction(-1), half), (Fraction(0), half)], 9, rtol=FINE).value == 0
    assert mean_excess([(Fraction(1), half), (Fraction(0), half)], 9, rtol=FINE).value == Fraction(9, 2)
    assert excess_bound([(Fraction(-1), half), (Fraction(0), half)], 9) == 0


def test_a_value_known_between_two_ends_gives_both_answers():
    width = Fraction(1, 10**9)
    ends = [[(Fraction(2) - x, Fraction(1, 3)), (Fraction(-1) - x, Fraction(2, 3))] for x in (0, width)]
    wide = [(Enclosure(low, high), chance) for (high, chance), (low, _) in zip(*ends, strict=True)]
    found = mean_excess(wide, 60, rtol=Fraction(1, 10**4))
    for atoms in ends:
        assert found.lower <= excess(atoms, 60) <= found.upper
    assert found.relative_width() < Fraction(1, 10**3)


@pytest.mark.parametrize(("n", "rtol"), [(600, "1e-9")])
def test_a_width_beyond_reach_is_as_narrow_as_the_points_allow(n, rtol):
    """A fair walk, which is often at 0: S = 2i - n with i ~ Bin(n, 1/2)."""
    found = mean_excess([(Fraction(1), Fraction(1, 2)), (Fraction(-1), Fraction(1, 2))], n, rtol=Fraction(rtol))
    expected = Fraction(sum((2 * i - n) * comb(n, i) for i in range(n // 2, n + 1)), 2**n)
    assert found.lower <= expected <= found.upper
    assert Fraction(rtol) < found.relative_width() < Fraction(1, 1000)


def test_what_is_too_small_to_be_held_lies_between_0_and_its_bound():
    atoms = [(Fraction(2), Fraction(1, 3)), (Fraction(-9), Fraction(2, 3))]
    found = mean_excess(atoms, 10**9, rtol=FINE)
    assert found.lower == 0 < found.upper == excess_bound(atoms, 10**9) < Fraction(1, 10**300_000)
