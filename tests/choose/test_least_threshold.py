"""The least threshold: published figures, and one that is enough."""

from fractions import Fraction

import dpcalc as dp


def test_nebula_needs_eleven():
    found = dp.least_threshold(sampled="0.105", epsilon=1, delta="1e-8")
    assert (found.lower, found.upper) == (10, 11)
    assert found.at_lower.lower > Fraction(1, 10**8) >= found.at_upper.upper


def test_one_is_enough():
    found = dp.least_threshold(sampled="1/10", lam=1, delta="1/2")
    assert found.lower == found.upper == 1
