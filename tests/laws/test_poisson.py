"""Poisson tails: against FLINT's incomplete gamma function, mpmath's, and sums in fractions."""

from fractions import Fraction

import pytest
from flint import arb

from dpcalc.laws.parts import Coins, PoissonPart
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


@pytest.mark.parametrize(
    ("part", "places"),
    [
        (PoissonPart(Fraction(12)), [-3, 0, 1, 7, 30, 31]),
        (PoissonPart(Fraction(12), -1), [-40, -12, -11, -1, 0, 5]),
        (PoissonPart(Fraction(6750)), list(range(6200, 7300, 9))),
        (PoissonPart(Fraction(6750)), [10, 6750, 10**6]),
        (Coins(9, Fraction(1, 5)), [-1, 0, 4, 8, 9, 10]),
        (Coins(10**7, Fraction(1, 3)), list(range(3332000, 3335000, 50))),
    ],
)
def test_tails_at_near_places_are_those_one_by_one(part, places):
    law = SumLaw((part,))
    with working_precision(200):
        for t, found in zip(places, law.all_at_most(places), strict=True):
            alone = law.at_most(t)
            assert found.overlaps(alone)
            assert (found - alone).rad() < alone.mid() * arb(2) ** -100 or found.is_zero()
    assert law.all_at_most([]) == []


@pytest.mark.parametrize("mean", [Fraction(1, 3), Fraction(5), Fraction(1000)])
@pytest.mark.parametrize("deviations", [1, 6, 40])
def test_upper_tails_keep_their_digits(mean, deviations):
    t = int(mean + deviations * max(1, float(mean) ** 0.5)) + 1
    with working_precision(200):
        found = at_least(mean, t)
        assert found.rel_accuracy_bits() > 200 - PoissonPart(mean).guard_bits - 30
    with working_precision(4000):
        assert found.overlaps(1 - gamma_tail(mean, t - 1))


def test_the_ends():
    assert at_most(Fraction(3), -1) == 0
    assert at_least(Fraction(3), 0) == 1
