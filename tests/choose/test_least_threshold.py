"""The least threshold: by brute force, published figures, and what no threshold reaches."""

from fractions import Fraction

import pytest

import dpcalc as dp
from tests.oracles import thresholds as oracle

NONE = {0: Fraction(1)}
COIN = {0: Fraction(1, 4), 1: Fraction(1, 2), 2: Fraction(1, 4)}


@pytest.mark.parametrize(("chance", "lam", "delta"), [("1/2", 2, "1/50"), ("1/4", "3/2", "1/20"), ("3/4", 5, "1/10")])
def test_by_brute_force(chance, lam, delta):
    lam, delta = Fraction(lam), Fraction(delta)
    least = next(k for k in range(1, 12) if oracle.added(Fraction(chance), NONE, k, lam, 5 * k + 12) <= delta)
    found = dp.least_threshold(sampled=chance, lam=lam, delta=delta)
    assert (found.lower, found.value) == (least - 1, least)


def test_noise_and_replaced_records_by_brute_force():
    least = next(k for k in range(1, 9) if oracle.added(Fraction(1), COIN, k, Fraction(3), 6) <= Fraction(1, 3))
    assert dp.least_threshold(noise=dp.Binomial(2, "1/2"), lam=3, delta="1/3").value == least
    replaced = dp.least_threshold(sampled="1/2", lam=3, delta="1/10", neighbours="replace").value
    at = [oracle.replaced(Fraction(1, 2), NONE, int(replaced) - one, Fraction(3), 9) for one in (1, 0)]
    assert at[1] <= Fraction(1, 10) < at[0]


def test_nebula_needs_eleven():
    found = dp.least_threshold(sampled="0.105", epsilon=1, delta="1e-8")
    assert (found.lower, found.upper) == (10, 11)
    assert found.at_lower.lower > Fraction(1, 10**8) >= found.at_upper.upper


def test_one_is_enough():
    found = dp.least_threshold(sampled="1/10", lam=1, delta="1/2")
    assert found.lower == found.upper == 1
