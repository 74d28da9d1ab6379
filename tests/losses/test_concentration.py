"""Azuma's bound: never below rounds of randomized response in fractions, and what is answered by it alone."""

from fractions import Fraction
from math import comb

import pytest

import dpcalc as dp
from dpcalc.losses.concentration import concentrated
from dpcalc.numbers.elementary import log
from dpcalc.numbers.limit import Limit


def randomized_response(odds, times, lam):
    """delta of so many, each with these odds of the truth: the worst that a local epsilon allows."""
    p = odds / (1 + odds)
    masses = ((comb(times, i) * p**i * (1 - p) ** (times - i), odds ** (2 * i - times)) for i in range(times + 1))
    return sum(max(Fraction(0), mass * (1 - lam / ratio)) for mass, ratio in masses)


@pytest.mark.parametrize("odds", [Fraction(101, 100), Fraction(3, 2), Fraction(4)])
@pytest.mark.parametrize("times", [1, 7, 60])
def test_it_is_never_below_the_worst(odds, times):
    local = log(odds).upper
    for lam in (Fraction(11, 10), Fraction(3), Fraction(100), odds**times):
        truth = randomized_response(odds, times, lam)
        bound = concentrated([(local, times)], Limit(lam))
        assert truth <= bound <= 1
        assert concentrated([(local, 1)] * times, Limit(lam)) == pytest.approx(bound)


def test_it_says_nothing_below_the_mean():
    assert concentrated([(Fraction(1), 10)], Limit.of(epsilon=4)) == 1  # 10 tanh(1/2) = 4.62...
    assert concentrated([(Fraction(1), 10)], Limit.of(epsilon=5)) < 1


@pytest.mark.soak
def test_losses_far_too_small_to_add_up():
    found = dp.delta(dp.Rounds([(dp.KRandomization(n=3, q="0.499999"), 10**6)]), lam="4.8")
    assert found.upper < Fraction(1, 10**1000)
    with pytest.raises(dp.NoSolution, match="even at 1000000"):
        dp.most_rounds(dp.KRandomization(n=3, q="0.499999"), lam="4.8", delta="0.73")
