"""Where a sum of noises lies on the integers: values that were wrong when its place was lost."""

from fractions import Fraction

import pytest

import dpcalc as dp
from dpcalc.laws.parts import Coins


def test_moved_coins_of_one_chance_are_coins():
    both = Coins(3, Fraction(1, 3), -2).plus(Coins(4, Fraction(1, 3), 5))
    assert both == Coins(7, Fraction(1, 3), 3)


#: Sums whose place was once lost.
LOST = [
    (7, dp.DiscreteLaplace(1) + dp.Geometric("1e-12", 30), 2, ".00181211304"),
    (4, dp.Geometric("1/2", 3) + dp.Geometric("1/2", 3), 2, ".1012"),
    (5, dp.Binomial(10, "1/2") + dp.DiscreteLaplace(1), 2, ".77558771"),
    (5, dp.Binomial(10, "1/2") + dp.DiscreteGaussian(2), 2, ".722447"),
    (5, dp.FiniteNoise(["1/4", "1/2", "1/4"]) + dp.DiscreteLaplace(1), 2, ".04628"),
    (1, dp.Geometric.from_epsilon(1, 2) + dp.DiscreteGaussian("5.5"), 0, ".535736"),
]


@pytest.mark.parametrize(("threshold", "noise", "epsilon", "value"), LOST)
def test_sums_whose_place_was_lost(threshold, noise, epsilon, value):
    found, last = dp.delta(dp.Thresholded(threshold, noise=noise), epsilon=epsilon), Fraction(1, 10 ** (len(value) - 1))
    assert abs(found.lower - Fraction(value)) <= last
    assert abs(found.upper - Fraction(value)) <= last


@pytest.mark.parametrize(
    ("noise", "delta", "least"),
    [
        (dp.DiscreteLaplace(1) + dp.Geometric("1e-12", 30), "1e-6", 15),
        (dp.Binomial(10, "1/2") + dp.DiscreteLaplace(1), "1e-2", 12),
        (dp.Binomial(10, "1/2") + dp.DiscreteGaussian(2), "1e-2", 13),
        (dp.FiniteNoise(["1/4", "1/2", "1/4"]) + dp.DiscreteLaplace(1), "1e-2", 7),
    ],
)
def test_least_thresholds_of_sums_whose_place_was_lost(noise, delta, least):
    assert dp.least_threshold(noise=noise, epsilon=2, delta=delta).value == least
