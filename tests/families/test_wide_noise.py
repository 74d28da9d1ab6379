"""Noise on all integers, and sums: against definitions in mpmath, published values, and laws that must hold."""

from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest
from flint import arb

import dpcalc as dp
from dpcalc.laws import circle
from dpcalc.laws.circle import UNIT_KERNEL, Contour, Signed
from dpcalc.laws.parts import Coins, Gaussian, NegativeBinomialPart, PoissonPart
from dpcalc.laws.shares import SharesLaw
from dpcalc.laws.sums import SumLaw
from dpcalc.laws.symmetric import LaplaceLaw
from dpcalc.laws.threshold import OnCircles
from dpcalc.numbers.ball import working_precision
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.shift import Shifted
from tests.oracles import noise as finite
from tests.oracles import wide_noise as oracle

FINE = Fraction(1, 10**12)
UNIT = Signed(UNIT_KERNEL)
LAPLACE = dp.DiscreteLaplace("1/2")


def exact(x):
    return mpmath.mpf(x.numerator) / x.denominator


@pytest.mark.parametrize(
    ("noise", "epsilon", "digits"),
    [
        (dp.DiscreteGaussian(5), "1/2", "0.00049776303128830736"),
        (dp.Skellam(10, 10), "1", "1.71469461406516e-8"),
        (LAPLACE + LAPLACE, "1/4", "0.027101979758294398"),
    ],
)
def test_values_from_elsewhere(noise, epsilon, digits):
    found = dp.delta(dp.NoisyCount(noise), epsilon=epsilon)
    assert found.relative_width() <= FINE
    with mpmath.workdps(40):
        truth = mpmath.mpf(digits)
        assert abs(exact(found.lower) - truth) < truth * mpmath.mpf(10) ** -12


# --- exact answers, and ends ---------------------------------------------------------------------------------------


def test_sums_of_lists_are_exact():
    noise = dp.Geometric("1/2", 4) + dp.Binomial(5, "1/3") + dp.FiniteNoise(["1/4", "1/2", "1/4"])
    one, two = finite.geometric(Fraction(1, 2), 4), finite.binomial(5, Fraction(1, 3))
    three = finite.listed(["1/4", "1/2", "1/4"])
    masses = {}
    for x, a in one.items():
        for y, b in two.items():
            for z, c in three.items():
                masses[x + y + z] = masses.get(x + y + z, 0) + a * b * c
    for lam in (Fraction(1), Fraction(3, 2), Fraction(9)):
        assert dp.delta(dp.NoisyCount(noise, 2), lam=lam).value == finite.delta(masses, 2, lam)


def test_parts_of_one_kind_are_one():
    share = dp.NegativeBinomial("1/10", "1/10", epsilon=1)
    assert sum([share] * 10).law == dp.DiscreteLaplace(1).law == LaplaceLaw(Limit.of(epsilon=1))
    assert sum([share] * 7).law == SharesLaw(Fraction(7, 10), Limit.of(epsilon=1))
    assert (dp.Binomial(3, "1/4") + dp.Binomial(4, "1/4")).law == dp.Binomial(7, "1/4").law
    assert Coins(3, Fraction(1, 3), -2).plus(Coins(4, Fraction(1, 3), 5)) == Coins(7, Fraction(1, 3), 3)
    assert (dp.Poisson(1) + dp.Poisson(2)).law == dp.Poisson(3).law
    assert (dp.Poisson(1) + dp.Skellam(0, 2)).law == dp.Skellam(1, 2).law


@pytest.mark.parametrize("sensitivity", [1, 3])
def test_the_largest_loss(sensitivity):
    """At it delta is 0, and a little below it is not."""
    share = dp.NegativeBinomial("7/10", "7/10", epsilon=1)
    skewed = dp.NegativeBinomial(2, 3, epsilon=1) + dp.DiscreteGaussian(1)
    for noise in (LAPLACE, LAPLACE + dp.DiscreteLaplace(2), share, skewed):
        count = dp.NoisyCount(noise, sensitivity)
        most = dp.epsilon(count, delta=0)
        assert dp.delta(count, epsilon=most.upper).value == 0
        assert dp.delta(count, epsilon=most.lower * Fraction(9, 10)).lower > 0
    assert dp.epsilon(dp.NoisyCount(LAPLACE, sensitivity), delta=0).value == Fraction(sensitivity, 2)
    for noise in (dp.DiscreteGaussian(3), dp.Skellam(2, 3)):
        with pytest.raises(dp.NoSolution, match="the loss has no bound"):
            dp.epsilon(dp.NoisyCount(noise, sensitivity), delta=0)
    with pytest.raises(dp.NoSolution, match="gives the change away"):
        dp.epsilon(dp.NoisyCount(dp.NegativeBinomial(2, 0, epsilon=1)), delta=0)


@pytest.mark.parametrize("noise", [dp.DiscreteGaussian(10**6), dp.Skellam(10**12, 10**12), dp.DiscreteLaplace("1e-9")])
def test_large_noise(noise):
    law = noise.law
    shift, epsilon = round(law.deviation / 10), Fraction(1, 10)
    found = dp.delta(dp.NoisyCount(noise, shift), epsilon=epsilon)
    assert found.relative_width() <= FINE
    more = dp.delta(dp.NoisyCount(noise, shift + 1), epsilon=epsilon)
    assert found.lower < more.upper < found.upper * Fraction(1001, 1000)


# --- what is proven of circles and lists ---------------------------------------------------------------------------


def test_tails_that_share_a_circle_are_told_together(calls_of):
    """As one by one, in few polynomials."""
    law = SumLaw(
        (
            NegativeBinomialPart(Fraction(5, 2), Limit.of(epsilon="1/50")),
            NegativeBinomialPart(Fraction(1), Limit.of(lam=2), -1),
        )
    )
    places, made = list(range(-20, 300, 5)), calls_of(circle, "sums")
    with working_precision(120):
        tails = law.all_at_most(places)
        assert len(made) < len(places) / 5
        for t, found in zip(places, tails, strict=True):
            assert found.rel_accuracy_bits() > 60
            if t % 100 == 0:
                assert found.overlaps(law.at_most(t))


def test_a_ratio_next_to_a_pole_takes_few_circles(calls_of):
    """Where tilted means lie far from it: one for each standard deviation that is passed."""
    tried = calls_of(OnCircles, "_circle")
    found = dp.delta(dp.NoisyCount(dp.DiscreteLaplace("1/20") + dp.DiscreteLaplace("1/3")), epsilon="0.0499")
    assert 0 < found.lower < Fraction(1, 1000)
    assert len(tried) <= 8


@pytest.mark.parametrize("part", [
    Gaussian(Fraction(1, 3)), Gaussian(Fraction(7)), Coins(7, Fraction(1, 3)), PoissonPart(Fraction(3), -1),
    NegativeBinomialPart(Fraction(5, 2), Limit.of(lam=3)),
])  # fmt: skip
def test_generating_functions_fade(part):
    """|G(r e^{iu})| <= G(r) e^{-V (1 - cos u)} at many angles."""
    from flint import acb

    with working_precision(100):
        transform = part.transform()
        for r in ("0.5", "1", "1.7"):
            r = arb(r)
            for j in range(41):
                u = arb.pi() * j / 40
                size = abs(transform(acb(r) * acb(0, u).exp()))
                assert not size > transform(acb(r)).real * (-part.fading(r) * (1 - u.cos())).exp()


@pytest.mark.parametrize(
    ("noise", "sensitivity", "epsilon"),
    [
        (dp.DiscreteGaussian(10**12), 1, 1), (dp.DiscreteGaussian(10**12), 50, 30), (dp.Poisson(10**12), 1, 30),
        (dp.DiscreteGaussian(5), 1, 237), (dp.DiscreteGaussian(5), 1, 10**6), (dp.Skellam(10, 10), 1, 10**4),
        (dp.Skellam("1e5", "1e5"), 1, 690), (dp.Skellam("1e5", "1e5"), 1, 10**5),
        (dp.Binomial(10**9, "1/2"), 1, 1), (dp.Poisson(10**9), 1, 1),
    ],
)  # fmt: skip
def test_tails_too_faint_to_be_held_are_bounded(noise, sensitivity, epsilon):
    """The least number held is about e^-693147. Of large noise floats steer no circle: Chernoff's bound is enough."""
    found = dp.delta(dp.NoisyCount(noise, sensitivity), epsilon=epsilon)
    assert found.lower == 0
    assert 0 < found.upper < Fraction(1, 10**300_000)


def test_the_faintest_gaussian_tail_that_is_held():
    """s = 1/2 - 25 epsilon, and delta about e^(-s^2 / 50): from 236 on it is not."""
    assert dp.delta(dp.NoisyCount(dp.DiscreteGaussian(5)), epsilon=235).lower > 0


@pytest.mark.parametrize("noise", [dp.Skellam(2, 2), dp.Binomial(9, "1/3") + dp.Poisson(2)])
def test_changes_far_beyond_the_noise_take_few_bits(noise, calls_of):
    """Both laws have a circle of their own, on the side where they are small; one circle took thousands of bits."""
    tried = calls_of(OnCircles, "at")
    found = dp.delta(dp.NoisyCount(noise, 400), epsilon=30)
    assert found.lower > Fraction(99, 100)
    assert len(tried) <= 8


def test_a_circle_outside_of_the_annulus_proves_nothing():
    law = SumLaw(
        (NegativeBinomialPart(Fraction(2), Limit.of(lam=2)), NegativeBinomialPart(Fraction(3), Limit.of(lam=2), -1))
    )
    good = Contour.around(law, UNIT, -4, 40.0)
    with working_precision(100):
        for left, fine in ((good.left, True), (arb("0.4"), False)):
            (tail,), (mass,) = circle.sums(law, UNIT, replace(good, left=left), [-4], [-4])
            assert tail.is_finite() is mass.is_finite() is fine


def test_a_pole_next_to_1_is_refused_in_words():
    count = dp.NoisyCount(dp.NegativeBinomial(2, 3, epsilon="0.0001"))
    with pytest.raises(dp.Undecided, match="points of a circle"):
        dp.delta(count, epsilon="0.00005")


@pytest.mark.parametrize("shape", ["7/10", "2"])
def test_equal_ratios_are_settled(shape):
    """Of shape 2 masses are rational: lambda is the ratio of two of them."""
    rho = Limit.of(lam=2)
    law = SharesLaw(Fraction(shape), rho)
    masses = {x: (1 + Fraction(3, 5) * abs(x)) / 2 ** abs(x) for x in range(-400, 401)}
    lam = masses[-3] / masses[-4] if shape == "2" else Fraction(2)
    found = Shifted(law, 1).enclosed(Limit(lam), rtol=FINE)
    assert 0 < found.relative_width() <= FINE
    if shape == "2":
        whole = sum(masses.values())
        truth = sum(max(0, masses[s] - lam * masses[s - 1]) for s in range(-399, 400)) / whole
        assert abs(found.lower / truth - 1) < Fraction(1, 10**11)


@pytest.mark.parametrize("more", ["1e-2", "1e-17"])
def test_next_to_the_epsilon_of_shares_their_far_outcomes_matter_little(more):
    """The ratio falls below the limit 1e17 outcomes away: all of them cannot be listed."""
    epsilon = 1 + Fraction(more)
    found = Shifted(SharesLaw(Fraction(7, 10), Limit.of(epsilon=1)), 1).enclosed(Limit.of(epsilon=epsilon), rtol=FINE)
    with mpmath.workdps(60):
        one = oracle.failures(exact(Fraction(7, 10)), mpmath.mpf(1), 150)
        truth = oracle.delta(oracle.plus(one, oracle.minus(one)), 1, mpmath.exp(exact(epsilon)))
        assert exact(found.lower) <= truth * (1 + mpmath.mpf(10) ** -40)
        assert truth <= exact(found.upper) * (1 + mpmath.mpf(10) ** -40)
    assert found.relative_width() <= FINE


# --- solvers, rounds, others' objects ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("solve", "make"),
    [
        (dp.least_mu, lambda mu: dp.Skellam(mu, mu)),
        (dp.least_scale, lambda scale: dp.DiscreteLaplace(1 / scale)),
        (dp.least_sigma, dp.DiscreteGaussian),
    ],
)
@pytest.mark.parametrize("sensitivity", [1, 3])
def test_least_noise(solve, make, sensitivity):
    target = Fraction(1, 10**6)
    found = solve(epsilon="1/2", delta=target, sensitivity=sensitivity)
    assert dp.delta(dp.NoisyCount(make(found.upper), sensitivity), epsilon="1/2").upper <= target
    assert dp.delta(dp.NoisyCount(make(found.lower), sensitivity), epsilon="1/2").lower > target
    assert found.enclosure.relative_width() <= Fraction(1, 10**5)


@pytest.mark.parametrize("shape", ["1/10", "1/2", "9/10"])
@pytest.mark.parametrize("shift", [1, 3])
def test_what_zero_alone_shows_is_less_than_delta(shape, shift):
    law, limit = SharesLaw(Fraction(shape), Limit.exp(Fraction(1, 20))), Limit(Fraction(11, 10))
    shown = Fraction(float(law.mass(0) - limit.ball() * law.mass(shift)))
    assert law.shown_by_zero(shift, limit, shown - abs(shown) / 1000)
    assert not law.shown_by_zero(shift, limit, shown + abs(shown) / 1000)


def test_noise_is_added_to_noise_only():
    with pytest.raises(TypeError):
        LAPLACE + 1
    with pytest.raises(TypeError):
        1 + LAPLACE


def test_a_sum_next_to_its_own_epsilon_takes_few_points(calls_of):
    """Of two discrete Laplace noises: the place that shows the loss is near the middle, the tilted mean is not."""
    made = calls_of(circle, "values")
    found = dp.epsilon(dp.NoisyCount(dp.DiscreteLaplace("2.3") + dp.DiscreteLaplace(2), 1), delta="1e-12")
    assert found.upper < 2
    assert max(kept for _, _, _, kept, _ in made) < 1_000
