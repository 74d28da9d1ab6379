"""Continuous noise to the nearest whole number: against its definition in mpmath, and what rounding must keep."""

from fractions import Fraction

import mpmath
import pytest
from flint import arb

import dpcalc as dp
from dpcalc.laws.symmetric import RoundedGaussianLaw, RoundedLaplaceLaw
from dpcalc.numbers.ball import working_precision
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.shift import Shifted
from tests.oracles import wide_noise as oracle

FINE = Fraction(1, 10**12)


def exact(x):
    return mpmath.mpf(x.numerator) / x.denominator


def of(kind, size):
    """The noise and its masses: less than 1e-45 is left out."""
    size = Fraction(size)
    if kind == "laplace":
        return dp.RoundedLaplace(size), oracle.rounded_laplace(exact(size), int(110 * size) + 10)
    return dp.RoundedGaussian(size), oracle.rounded_gaussian(exact(size), int(15 * size) + 10)


def assert_holds(found, truth):
    """Equal to 40 digits, where so much is there to be seen."""
    assert found.upper == 0 or found.relative_width() <= FINE
    slack = abs(truth) * mpmath.mpf(10) ** -35 + mpmath.mpf(10) ** -42
    assert exact(found.lower) - slack <= truth <= exact(found.upper) + slack


@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_at_a_ratio_of_two_masses(kind):
    """Where lambda is the ratio of the outcome about which the densities cross, a little more, or a little less."""
    with mpmath.workdps(60):
        noise, masses = of(kind, "7/3")
        for s in (0, 1):
            ratio = masses[s] / masses[s - 4]
            for change in (-25, -9, 0, 9, 25):
                lam = ratio * (1 + change * mpmath.mpf(10) ** -20)
                lam = Fraction(mpmath.nstr(lam, 40))
                found = dp.delta(dp.NoisyCount(noise, 4), lam=lam)
                assert_holds(found, oracle.delta(masses, 4, exact(lam)))


@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_what_one_open_outcome_may_add_is_told(kind):
    """Of 60 bits, too few to see on which side of lambda the ratio at 0 is."""
    with mpmath.workdps(60):
        noise, masses = of(kind, "7/3")
        for side in (-1, 1):
            lam = masses[0] / masses[-4] * (1 - side * mpmath.mpf(10) ** -19)
            lam = Fraction(mpmath.nstr(lam, 40))
            with working_precision(60):
                last, missed = noise.law.last_above(4, Limit(lam))
            assert last in (-1, 0)
            assert missed.lower() > -1e-20
            gained = (masses[0] - exact(lam) * masses[-4]) * (1 if last < 0 else -1)
            assert missed.contains(arb(mpmath.nstr(max(gained, 0), 30)))
            with working_precision(200):
                last, missed = noise.law.last_above(4, Limit(lam))
            assert (last, missed) == (-1 if side < 0 else 0, arb(0))


def test_a_wrong_crossing_only_takes_longer(monkeypatch):
    truth = dp.delta(dp.NoisyCount(dp.RoundedGaussian(3)), epsilon="1/10")
    for wrong in (-500.0, -5.0, 6.0, 70.0):
        monkeypatch.setattr(RoundedGaussianLaw, "crossing", lambda *_, wrong=wrong: wrong)
        found = dp.delta(dp.NoisyCount(dp.RoundedGaussian(3)), epsilon="1/10")
        assert found.lower <= truth.upper
        assert truth.lower <= found.upper


def test_the_largest_loss_of_laplace_noise_is_attained():
    for scale, shift in (("1/10", 1), ("7/3", 2), (20, 5)):
        count, most = dp.NoisyCount(dp.RoundedLaplace(scale), shift), shift / Fraction(scale)
        assert dp.epsilon(count, delta=0).value == most
        assert dp.delta(count, epsilon=most).value == 0 == dp.delta(count, epsilon=2 * most).value
        assert 0 < dp.delta(count, epsilon=most * (1 - Fraction(1, 10**30))).relative_width() <= FINE
    with pytest.raises(dp.NoSolution, match="the loss has no bound"):
        dp.epsilon(dp.NoisyCount(dp.RoundedGaussian(3)), delta=0)


@pytest.mark.parametrize(("make", "least"), [(dp.RoundedGaussian, "0.05"), (dp.RoundedLaplace, "0.001")])
def test_large_and_faint(make, least):
    """From the least size to the largest, and where delta is too small to be held."""
    assert 1 - Fraction(1, 10**20) < dp.delta(dp.NoisyCount(make(least)), epsilon=1).lower < 1
    size = 10**15
    found = [dp.delta(dp.NoisyCount(make(size), shift), epsilon="1e-16") for shift in (10**14, 10**14 + 1)]
    assert found[0].relative_width() <= FINE
    assert found[0].lower < found[1].upper < found[0].upper * Fraction(1001, 1000)
    if make is dp.RoundedGaussian:
        for sigma, epsilon in ((size, 10**6), (5, 10**4)):
            assert dp.delta(dp.NoisyCount(make(sigma)), epsilon=epsilon).upper < Fraction(1, 10**300_000)


@pytest.mark.parametrize(
    ("noise", "sensitivity", "rounds", "epsilon"),
    [
        (dp.RoundedLaplace(1000), 1, 30, "1/100"),
        (dp.RoundedLaplace("1/3"), 2, 3, "4"),
        (dp.RoundedGaussian(10), 3, 30, "2"),
    ],
)
def test_many_rounds_have_narrow_ends(noise, sensitivity, rounds, epsilon):
    """One outcome of rounded Laplace noise has a loss of its own."""
    found = dp.delta(dp.Rounds([(dp.NoisyCount(noise, sensitivity), rounds)]), epsilon=epsilon, rtol="1e-3")
    assert 0 < found.lower <= found.upper <= found.lower * Fraction(1002, 1000)


def test_rational_rho_has_no_rational_tails() -> None:
    """Geometric noise has; that of a rounded law is irrational, though it is made of the same two numbers."""
    found = Shifted(RoundedLaplaceLaw(Limit(Fraction(2))), 1).enclosed(Limit(Fraction(3, 2)), rtol=Fraction(1, 10**12))
    best = mpmath.mpf(2) ** -0.5 / 2 - mpmath.mpf(1.5) * mpmath.mpf(2) ** -1.5 / 2  # {X < 0}
    beside = 1 - mpmath.mpf(2) ** -0.5 / 2 - mpmath.mpf(1.5) * mpmath.mpf(2) ** -0.5 / 2  # {X <= 0}
    assert float(max(best, beside)) == pytest.approx(float(found.lower), rel=1e-11)
