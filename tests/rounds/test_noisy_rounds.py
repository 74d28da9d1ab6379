"""Rounds with noisy counts among them: against products in fractions, the exact Gaussian-like limits, and laws."""

import math
from collections import Counter
from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest
from flint import arb

import dpcalc as dp
from dpcalc.losses.dominance import sharp
from dpcalc.pairs.shift import Shifted
from tests.oracles import noise
from tests.oracles.rounds import adaptive_among, best_of_two, divergence, pairs, shifts


def outcomes(pmf, c):
    """(P, Q) of every outcome that P shows."""
    return [(mass, pmf.get(s - c, Fraction(0))) for s, mass in pmf.items()]


@pytest.mark.parametrize(("sigma", "times", "epsilon", "log"), [("0.1", 2, 330, -249.3069), ("0.1", 3, 520, -298.9014)])
def test_faint_gaussian_counts_are_as_sharp_on_their_lattice(sigma, times, epsilon, log):
    """One outcome has nearly all mass: at its loss none of it may be taken for the next outcome's."""
    found = dp.delta(dp.Rounds([(dp.NoisyCount(dp.DiscreteGaussian(sigma)), times)]), epsilon=epsilon)
    assert float(mpmath.log(mpmath.mpf(found.lower.numerator) / found.lower.denominator)) == pytest.approx(
        log, abs=1e-4
    )
    assert found.lower <= found.upper <= found.lower * Fraction(101, 100)


def test_two_releases_whose_usual_loss_exceeds_the_limit():
    """A loss of 35 in nearly every release is none that is rare: lists of rare losses took minutes here."""
    found = dp.delta(dp.Rounds([(dp.NoisyCount(dp.DiscreteGaussian("0.119")), 2)]), epsilon=1)
    assert 1 - Fraction(1, 10**14) < found.lower <= found.upper < 1


def test_one_loss_of_nearly_all_outcomes_has_an_epsilon():
    """Its deviation is 0 in doubles, with which a normal law steers."""
    found = dp.epsilon(dp.Rounds([(dp.NoisyCount(dp.DiscreteGaussian("0.05")), 2)]), delta="1e-30")
    assert 399 < found.lower <= found.upper <= Fraction(400001, 1000)


@pytest.mark.soak
@pytest.mark.parametrize(("sigma", "epsilon", "within"), [("54.71", "3.17", "1.1"), ("1000", "0.3", "3")])
def test_two_gaussian_counts_far_beyond_what_they_show(sigma, epsilon, within):
    """Sums of hundreds of deviations away, in seconds; a continuous one of the same sigma has delta near it."""
    found = dp.delta(dp.Rounds([(dp.NoisyCount(dp.DiscreteGaussian(sigma)), 2)]), epsilon=epsilon)
    assert 0 < found.lower <= found.upper < found.lower * Fraction(within)
    with mpmath.workdps(30):
        mu, wide = mpmath.sqrt(2) / mpmath.mpf(sigma), mpmath.mpf(within)
        a, b = mpmath.mpf(epsilon) / mu - mu / 2, mpmath.mpf(epsilon) / mu + mu / 2
        like = mpmath.ncdf(-a) - mpmath.exp(mpmath.mpf(epsilon)) * mpmath.ncdf(-b)
        assert 1 / wide < mpmath.mpf(found.upper.numerator) / found.upper.denominator / like < wide


@pytest.mark.parametrize("sigma", ["0.119", pytest.param("0.15", marks=pytest.mark.soak), "0.5", "1"])
@pytest.mark.parametrize("sensitivity", [1, 2])
def test_gaussian_counts_of_few_losses_lie_on_their_lattice(sigma, sensitivity):
    """All losses are multiples of 1/(2 sigma^2); twice the same change is the worst here, at and between multiples."""
    with mpmath.workdps(50):
        twice, c = 2 * mpmath.mpf(sigma) ** 2, sensitivity
        reach = math.ceil(20 * float(sigma)) + 8
        masses = {x: mpmath.exp(-(x**2) / twice) for x in range(-reach, reach + 1)}
        total = sum(masses.values())
        at = [(mass / total, masses.get(x - c, mpmath.mpf(0)) / total) for x, mass in masses.items()]
        for steps in (1.5, 2.5, 3, 4.25):
            epsilon = Fraction(round(steps * 2 * c * c / float(twice) * 1000), 1000)
            lam = mpmath.exp(mpmath.mpf(epsilon.numerator) / epsilon.denominator)
            true = sum(max(a * b - lam * x * y, 0) for a, x in at for b, y in at)
            found = dp.delta(dp.Rounds([(dp.NoisyCount(dp.DiscreteGaussian(sigma), sensitivity), 2)]), epsilon=epsilon)
            assert float(found.lower) <= float(true) * (1 + 1e-9)
            assert float(true) * (1 - 1e-9) <= float(found.upper)
            assert found.upper <= found.lower * Fraction(101, 100)


def test_groups_far_out_are_as_sharp_with_few_bits():
    """However faint: 10^-1,740 here, of which more bits than that would tell no more."""
    found = Shifted(dp.DiscreteGaussian(1000).law, 1).revealed(centre=0.1, fineness=8, bits=10**6).outcomes
    assert len(found) > 50
    assert all(map(sharp, found))
    losses = [float((a / b).log().mid()) for a, b in found]
    assert losses == sorted(losses)
    assert losses[0] < 0.095 < 0.105 < losses[-1]
    there = found[min(range(len(found)), key=lambda i: abs(losses[i] - 0.1))]
    assert all(part.rel_accuracy_bits() > 100 for part in there)
    assert there[0] < arb(10) ** -1_700


@pytest.mark.parametrize("lam", ["5/4", "3"])
def test_noise_beside_pooled_records(lam):
    pmf = noise.binomial(6, Fraction(1, 2))
    pooled = pairs(3, Fraction(1, 4), 1)
    changes = [outcomes(pmf, c) for c in (1, 2, -1, -2)]
    kinds = [dp.NoisyCount(dp.Binomial(6, "1/2"), 2), dp.KRandomization(n=3, q="1/4")]
    found = dp.delta(dp.Rounds(kinds), lam=lam)
    assert (
        found.lower
        == found.upper
        == adaptive_among([[(x,) for x in each] for each in (changes, pooled)], Fraction(lam))
    )
    found = dp.delta(dp.Rounds(kinds, adaptive=False), lam=lam)
    assert found.lower == max(divergence([x, one], Fraction(lam)) for x in changes for one in pooled)
    assert {type(dataset).__name__ for _, dataset, _ in found.datasets} == {"Shift", "Dataset"}


@pytest.mark.parametrize(
    ("one", "together"),
    [
        (dp.Binomial(10**6, "1/2"), dp.Binomial(16 * 10**6, "1/2")),
        (dp.Poisson(10**5), dp.Poisson(16 * 10**5)),
        pytest.param(dp.Binomial(10**12, "1/3"), dp.Binomial(16 * 10**12, "1/3"), marks=pytest.mark.soak),
    ],
)
@pytest.mark.soak
def test_the_sum_of_many_releases(one, together):
    """Adding up 16 releases is post-processing: no more than they all tell, and for large noise hardly less."""
    month, epsilon = dp.NoisyCount(one), Fraction(24, round(one.law.deviation))
    found = dp.delta(dp.Rounds([(month, 16)]), epsilon=epsilon, rtol="0.1")
    alone = dp.delta(dp.NoisyCount(together, 16), epsilon=epsilon)
    assert alone.lower <= found.upper
    assert 0 < found.lower <= found.upper <= found.lower * Fraction(11, 10)
    assert found.lower <= alone.upper * Fraction(11, 10)


def test_noise_at_a_multiple_of_its_epsilon():
    """Ties: all losses lie on a lattice, and so does the limit."""
    two = [(dp.NoisyCount(dp.Geometric.from_epsilon("1/2", bound=10)), 2)]
    for rtol in (None, "1e-4"):
        found = dp.delta(dp.Rounds(two), epsilon=1, rtol=rtol)
        assert float(found.upper) == pytest.approx(0.00331462449329801, rel=1e-13)
        assert found.lower > found.upper * (1 - Fraction(1, 10**4))
    pmf = noise.geometric(Fraction(1, 2), 7)
    best = max(divergence([outcomes(pmf, c), outcomes(pmf, d)], Fraction(4)) for c in (1, -1) for d in (1, -1))
    listed = dp.FiniteNoise([pmf[s] for s in sorted(pmf)])
    for one in (dp.Geometric("1/2", 7), listed):
        found = dp.delta(dp.Rounds([(dp.NoisyCount(one), 2)]), lam=4)
        assert found.lower <= best <= found.upper <= found.lower * Fraction(10**6 + 1, 10**6)


def test_many_outcomes_of_equal_losses_are_one():
    """Geometric noise at sensitivity 2 has three finite losses: -2, 0 and 2 times log 1/r. Its ends are rare."""
    r, bound, rounds = mpmath.mpf("0.781"), 76, 30
    law = [r ** abs(i) for i in range(-bound, bound + 1)]
    law = [mass / sum(law) for mass in law]
    seen = Counter()
    for s, mass in enumerate(law[2:], start=2):
        seen[round(float(mpmath.log(law[s - 2] / mass) / -mpmath.log(r)))] += law[s - 2]
    ends, total = law[0] + law[1], {0: mpmath.mpf(1)}
    for _ in range(rounds):
        total, before = Counter(), total
        for (x, p), (y, b) in product(before.items(), seen.items()):
            total[x + y] += p * b
    finite = sum(max(0, p * (1 - mpmath.exp("2.22") * r**x)) for x, p in total.items())
    found = dp.delta(dp.Rounds([(dp.NoisyCount(dp.Geometric("0.781", bound), 2), rounds)]), epsilon="2.22")
    truth = Fraction(str(1 - (1 - ends) ** rounds + finite))
    assert found.lower * Fraction(1 - 1e-9) <= truth <= found.upper * Fraction(1 + 1e-9)
    assert found.upper <= found.lower * Fraction(1001, 1000)


@pytest.mark.parametrize(("chance", "lam", "rounds"), [("0.448", "1.4564", 2), ("1/7", "5", 3)])
def test_noise_of_two_values_shows_one_finite_loss(chance, lam, rounds):
    a, lam = Fraction(chance), Fraction(lam)
    pmf = {0: 1 - a, 1: a}
    best = max(divergence([outcomes(pmf, c)] * rounds, lam) for c in (1, -1))
    found = dp.delta(dp.Rounds([(dp.NoisyCount(dp.Binomial(1, chance)), rounds)]), lam=lam)
    assert found.lower <= best <= found.upper <= found.lower * Fraction(101, 100)


@pytest.mark.parametrize("one", [dp.Geometric("0.483", 1), dp.Binomial(1, "0.147")])
def test_where_every_outcome_tells_there_is_no_epsilon(one):
    with pytest.raises(dp.NoSolution, match="no epsilon"):
        dp.epsilon(dp.Rounds([(dp.NoisyCount(one, 5), 3)]), delta="9.25e-5")


def test_geometric_noise_many_times():
    count = dp.NoisyCount(dp.Geometric.from_epsilon("1e-2", 10**4))
    deltas = [dp.delta(dp.Rounds([(count, times)]), epsilon="0.1", rtol="0.1") for times in (16, 32)]
    assert all(0 < found.lower <= found.upper <= found.lower * Fraction(1001, 1000) for found in deltas)
    assert deltas[1].lower > deltas[0].upper


def test_losses_that_differ_by_the_rounding_of_their_masses_only():
    """Laplace noise rounded to whole numbers, its masses doubles: their quotients are e, but for the last digits."""
    side = [Fraction(math.exp(-x)) for x in range(1, 8)]
    masses = [*side[::-1], Fraction(3, 2), *side]
    law = [mass / sum(masses) for mass in masses]
    first, second, lam = [*law, 0], [0, *law], Fraction("2.718281828459045")
    exact = sum(
        max(0, first[i] * first[j] - lam * second[i] * second[j]) for i in range(16) for j in range(16)
    )  # fmt: skip
    found = dp.delta(dp.Rounds([(dp.NoisyCount(dp.FiniteNoise(law)), 2)]), lam=lam)
    assert found.lower <= exact <= found.upper <= found.lower * Fraction("1.05")


@pytest.mark.parametrize("lam", [1, Fraction(11, 10), 2])
def test_an_outcome_that_tells_nothing_is_no_part_of_a_loss_below_it(lam):
    """Nearly half of each round's mass has the loss 0, which no step of a lattice moves off its point."""
    pmf, times = dict(enumerate(Fraction(x, 44) for x in (1, 1, 20, 20, 2))), 5
    one, other = (outcomes(pmf, c) for c in (1, -1))
    truth = max(divergence([one] * i + [other] * (times - i), lam) for i in range(times + 1))
    found = dp.delta(dp.Rounds([(dp.NoisyCount(dp.FiniteNoise(pmf.values())), times)]), lam=lam)
    assert truth * Fraction(90, 100) < found.lower <= truth <= found.upper < truth * Fraction(105, 100)


@pytest.mark.parametrize(
    ("noise", "change"),
    [
        (dp.Geometric.from_epsilon(1, 0), 1),
        (dp.Geometric.from_epsilon(1, 1), 3),
        (dp.Geometric.from_epsilon(1, 1) + dp.Binomial(4, "1/2"), 7),
        (dp.Binomial(10**7, "1/2"), 10**7 + 1),
    ],
)
@pytest.mark.parametrize("epsilon", [0, "1/2", 100])
def test_rounds_in_which_the_noise_cannot_hide_the_change(noise, change, epsilon):
    """Both laws show nothing in common: delta is 1, with no finite loss at all."""
    assert dp.delta(dp.Rounds([(dp.NoisyCount(noise, change), 2)]), epsilon=epsilon) == 1


@pytest.mark.parametrize(
    ("noise", "epsilon"),
    [
        (dp.Skellam("1e6", "1e6"), 8),
        (dp.DiscreteGaussian("1e6"), 1),
        pytest.param(dp.DiscreteGaussian("1e15"), 1, marks=pytest.mark.soak),
        pytest.param(dp.RoundedGaussian("1e15"), 700, marks=pytest.mark.soak),
    ],
)
def test_rounds_that_show_nothing_that_is_held(noise, epsilon):
    found = dp.delta(dp.Rounds([(dp.NoisyCount(noise), 2)]), epsilon=epsilon)
    assert found.lower == 0 < found.upper < Fraction(1, 10**300_000)


@pytest.mark.parametrize(
    ("noise", "sensitivity"),
    [
        (dp.Binomial(100, "1/2"), 10**12),
        (dp.DiscreteLaplace(1), 10**4),
        (dp.RoundedLaplace(10), 10**4),
        pytest.param(dp.DiscreteLaplace(1), 10**6, marks=pytest.mark.soak),
        pytest.param(dp.RoundedLaplace(10), 10**6, marks=pytest.mark.soak),
    ],
)
def test_rounds_of_noise_that_hides_nothing(noise, sensitivity):
    found = dp.delta(dp.Rounds([(dp.NoisyCount(noise, sensitivity), 2)]), epsilon=1)
    assert Fraction(999_999, 10**6) < found.lower <= found.upper == 1


def test_shares_that_are_too_many_are_undecided():
    shares = dp.NoisyCount(dp.NegativeBinomial(3, 3, epsilon=500), 10**6)
    with pytest.raises(dp.Undecided, match="are not told apart"):
        dp.delta(dp.Rounds([(shares, 2)]), epsilon=1)


def test_at_the_largest_loss_of_all_rounds_delta_is_0():
    several = dp.Rounds([(dp.NoisyCount(dp.DiscreteLaplace("1/2")), 11)])
    assert dp.delta(several, epsilon="11/2").value == 0 < dp.delta(several, epsilon="5.4").lower


def continuous_laplace(share, times, epsilon):
    """delta of releases with continuous Laplace noise and a change of this share of its mean, in floats on a grid.

    Half of the losses are the share; those below have the density e^{(loss - share) / 2} / 4 down to -share.
    """
    step, half = share / 4096, 4096
    losses = step * np.arange(-half, half + 1)
    ends = np.clip(np.append(losses - step / 2, share), -share, share)
    masses = np.diff(np.exp((ends - share) / 2)) / 2
    masses[[0, -1]] += np.exp(-share) / 2, 1 / 2
    points = 1 << (2 * half * times).bit_length()
    placed = np.zeros(points)
    placed[np.arange(-half, half + 1) % points] = masses
    together, sums = np.fft.irfft(np.fft.rfft(placed) ** times, points), step * points * np.fft.fftfreq(points)
    return float((together * -np.expm1(np.minimum(epsilon - sums, 0.0))).sum())


@pytest.mark.parametrize(("bound", "sensitivity", "times", "epsilon"), [(256, 256, 16, 12), (393216, 65536, 30, 4)])
def test_a_large_sensitivity_has_a_delta_as_sharp(bound, sensitivity, times, epsilon):
    """Neighbouring outcomes lose nearly the same: the grid of losses counts, not the outcomes."""
    noise = dp.NoisyCount(dp.RoundedLaplace(bound), sensitivity=sensitivity)
    found = dp.delta(dp.Rounds([(noise, times)]), epsilon=epsilon)
    assert found.upper <= found.lower * Fraction(1002, 1000)
    assert float(found.upper) == pytest.approx(continuous_laplace(sensitivity / bound, times, epsilon), rel=3e-4)


@pytest.mark.parametrize("lam", ["1", "5/4", "3"])
@pytest.mark.parametrize(
    ("masses", "made"),
    [
        ("1/8 3/8 2/8 2/8", None),
        ("1/4 0 1/2 1/4", None),
        ("8/27 12/27 6/27 1/27", dp.Binomial(3, "1/3")),
        ("1/10 2/10 4/10 2/10 1/10", dp.Geometric("1/2", 2)),
    ],
)
def test_the_changes_listed_are_enough_for_strategies(masses, made, lam):
    """Smaller changes, and the other direction of symmetric noise, show no more at any limit, also below 1."""
    f = [Fraction(x) for x in masses.split()]
    found = dp.delta(dp.Rounds([(dp.NoisyCount(made or dp.FiniteNoise(f), 2), 2)]), lam=lam)
    assert found.lower == found.upper == best_of_two(shifts(f, 2), Fraction(lam))
