"""Where a noise lies on the integers: every noise and every pair of noises, against lists of masses in mpmath."""

import random
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement

import mpmath
import pytest

import dpcalc as dp
from dpcalc.laws.parts import Coins, TailedLaw
from dpcalc.numbers.ball import working_precision
from tests.oracles import noise as exact
from tests.oracles import thresholds as oracle
from tests.oracles import wide_noise as wide

REACH = 75
TINY = mpmath.mpf(10) ** -24  # beyond the windows there is less

#: What can stand in a sum, and its masses.
IN_SUMS = {
    "coins": (dp.Binomial(10, "1/2"), lambda: exact.binomial(10, Fraction(1, 2))),
    "uneven coins": (dp.Binomial(7, "1/3"), lambda: exact.binomial(7, Fraction(1, 3))),
    "Poisson": (dp.Poisson("5/2"), lambda: wide.poisson(mpmath.mpf(5) / 2, REACH)),
    "geometric": (dp.Geometric("1/2", 3), lambda: exact.geometric(Fraction(1, 2), 3)),
    "steep geometric": (dp.Geometric("1e-12", 30), lambda: exact.geometric(Fraction(1, 10**12), 30)),
    "geometric by epsilon": (dp.Geometric.from_epsilon(1, 4), lambda: wide.laplace(mpmath.mpf(1), 4)),
    "even list": (dp.FiniteNoise(["1/4", "1/2", "1/4"]), lambda: exact.listed(["1/4", "1/2", "1/4"])),
    "uneven list": (dp.FiniteNoise([0, "1/2", "3/8", "1/8"]), lambda: exact.listed([0, "1/2", "3/8", "1/8"])),
    "Gaussian": (dp.DiscreteGaussian(2), lambda: wide.gaussian(4, 30)),
    "Laplace": (dp.DiscreteLaplace(1), lambda: wide.laplace(mpmath.mpf(1), REACH)),
    "Skellam": (
        dp.Skellam(2, "1/2"),
        lambda: wide.plus(wide.poisson(mpmath.mpf(2), 40), wide.minus(wide.poisson(mpmath.mpf(1) / 2, 30))),
    ),
    "even Skellam": (
        dp.Skellam(1, 1),
        lambda: wide.plus(wide.poisson(mpmath.mpf(1), 35), wide.minus(wide.poisson(mpmath.mpf(1), 35))),
    ),
    "negative binomial": (
        dp.NegativeBinomial(2, 1, epsilon=1),
        lambda: wide.plus(wide.failures(2, mpmath.mpf(1), REACH), wide.minus(wide.failures(1, mpmath.mpf(1), 60))),
    ),
    "one-sided": (dp.NegativeBinomial(0, 2, epsilon=1), lambda: wide.minus(wide.failures(2, mpmath.mpf(1), REACH))),
}
#: What has a law, but no sums.
ALONE = {
    "shares": (
        dp.NegativeBinomial("1/3", "1/3", epsilon=1),
        lambda: wide.plus(
            wide.failures(mpmath.mpf(1) / 3, mpmath.mpf(1), REACH),
            wide.minus(wide.failures(mpmath.mpf(1) / 3, mpmath.mpf(1), REACH)),
        ),
    ),
    "gaps": (dp.FiniteNoise([0, "1/4", 0, "1/2", "1/4"]), lambda: exact.listed([0, "1/4", 0, "1/2", "1/4"])),
    "rounded Laplace": (dp.RoundedLaplace("3/2"), lambda: wide.rounded_laplace(mpmath.mpf(3) / 2, REACH + 15)),
    "rounded Gaussian": (dp.RoundedGaussian(2), lambda: wide.rounded_gaussian(mpmath.mpf(2), 30)),
}
EACH = [(name,) for name in (*IN_SUMS, *ALONE)]
SOON = ["coins", "Poisson", "geometric", "uneven list", "Gaussian", "Laplace", "one-sided"]  # one of each kind
PAIRS = [
    pytest.param(pair, marks=() if set(pair) <= set(SOON) else pytest.mark.soak)
    for pair in combinations_with_replacement(IN_SUMS, 2)
]


every_one = pytest.mark.parametrize("names", [*EACH, *PAIRS], ids=" and ".join)


@pytest.fixture(autouse=True)
def precise():
    with mpmath.workdps(40):
        yield


@cache
def masses(*names):
    with mpmath.workdps(40):
        each = [(IN_SUMS | ALONE)[name][1]() for name in names]
        return wide.plus(*({x: number(mass) for x, mass in pmf.items()} for pmf in each))


def number(x):
    return mpmath.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mpmath.mpf(x)


def made(*names):
    return sum((IN_SUMS | ALONE)[name][0] for name in names)


def agrees(found, truth):
    """An enclosure that is narrow, and holds the truth, which is known up to a little."""
    low, high = number(found.lower), number(found.upper)
    return low - TINY <= truth * (1 + mpmath.mpf(10) ** -20) and truth <= high + TINY and high - low <= high * 1e-9


@every_one
def test_a_law_and_its_mirror_lie_where_the_noise_does(names):
    law, pmf = made(*names).law, masses(*names)
    places = sorted(pmf)
    for one, sign in ((law, 1), (law.mirror, -1)):
        ends = sorted((sign * places[0], sign * places[-1]))
        assert one.low in (None, ends[0])
        assert one.high in (None, ends[1])
        if (table := one.table(1 << 20)) is not None:
            listed = {one.low + i: number(mass) for i, mass in enumerate(table)}
            assert all(abs(listed.get(sign * x, 0) - mass) < TINY for x, mass in pmf.items())
        if isinstance(one, TailedLaw):
            for t in random.Random(str(names)).sample(range(-12, 25), 4):
                truth = mpmath.fsum(mass for x, mass in pmf.items() if sign * x <= t)
                with working_precision(200):
                    found = number(one.at_most(t).str(60, radius=False))
                assert abs(found - truth) < TINY + truth * mpmath.mpf(10) ** -30
    reversed_ = {places[0] + places[-1] - x: mass for x, mass in pmf.items()}
    even = all(abs(mass - reversed_.get(x, 0)) < TINY for x, mass in pmf.items())
    assert law.symmetric is even


def test_moved_coins_of_one_chance_are_coins():
    both = Coins(3, Fraction(1, 3), -2).plus(Coins(4, Fraction(1, 3), 5))
    assert both == Coins(7, Fraction(1, 3), 3)


EPSILONS = ["0", "0.7", "2"]


@every_one
def test_thresholds_of_every_noise_and_pair(names):
    """One threshold and one epsilon each."""
    chosen = random.Random(str(names))
    check_thresholds(names, [chosen.randint(1, 30)], chosen.choice(EPSILONS))


@pytest.mark.soak
@pytest.mark.parametrize("epsilon", EPSILONS)
@every_one
def test_thresholds_of_every_noise_and_pair_from_1_to_30(names, epsilon):
    check_thresholds(names, range(1, 31), epsilon)


def check_thresholds(names, thresholds, epsilon):
    noise, truth = made(*names), oracle.hidden_by(masses(*names), max(thresholds), mpmath.exp(mpmath.mpf(epsilon)))
    for k in thresholds:
        assert agrees(dp.delta(dp.Thresholded(k, noise=noise), epsilon=epsilon), truth[k]), k


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
