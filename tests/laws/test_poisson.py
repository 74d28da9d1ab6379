"""Poisson tails: against FLINT's incomplete gamma function, mpmath's, and sums in fractions."""

from fractions import Fraction

import pytest
from flint import arb

from dpcalc.laws.parts import PoissonPart
from dpcalc.laws.sums import SumLaw
from dpcalc.numbers.ball import ball, working_precision

MEANS = [
    Fraction(1, 10**30),
    Fraction(1, 7),
    Fraction(1),
    Fraction(12),
    Fraction(1000),
    Fraction(10**6),
    Fraction(10**12),
]


def at_most(mean, t):
    return SumLaw((PoissonPart(mean),)).at_most(t)


def at_least(mean, t):
    return SumLaw((PoissonPart(mean, -1),)).at_most(-t)


def gamma_tail(mean, t):
    """P[X <= t] = Gamma(t + 1, mean) / t!."""
    return ball(mean).gamma_upper(arb(t + 1), 1)


@pytest.mark.parametrize("mean", MEANS)
@pytest.mark.parametrize("deviations", [-30, -4, -0.3, 0, 0.3, 4])
def test_the_incomplete_gamma_function(mean, deviations):
    t = max(0, int(mean + Fraction(deviations) * int(max(1, float(mean) ** 0.5))))
    with working_precision(200):
        found = at_most(mean, t)
        assert found.rel_accuracy_bits() > 200 - PoissonPart(mean).guard_bits - 30
        assert found.overlaps(gamma_tail(mean, t))
        above = at_least(mean, t + 1)
        assert (found + above).overlaps(arb(1))
        assert (found + above).rad() < 1e-20
