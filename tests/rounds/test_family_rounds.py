"""Rounds of shuffles, thresholds and sampled clients: against every dataset and strategy in fractions."""

import math
import random
from fractions import Fraction
from itertools import product

import mpmath
import pytest

import dpcalc as dp
from dpcalc.families.shuffled import IdenticalRecords
from dpcalc.families.table import family
from dpcalc.families.thresholds import Holders
from dpcalc.mechanisms.noisy_count import GaussianMechanism
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.listed import ListedPair
from dpcalc.privacy.attained import named
from tests.oracles import asymmetric, histograms, rounds, thresholds

MANY = 5  # others, beside which only noise hides a record here
HALF = Fraction(1, 2)
SEEN = ((HALF, HALF, 0), (0, HALF, HALF))
THREE = dp.k_ary_response(3, lam=3).matrix
MIXED = ((HALF, HALF, 0), (Fraction(1, 4), HALF, Fraction(1, 4)), (0, HALF, HALF))
UNALIKE = tuple(tuple(map(Fraction, row.split())) for row in ("3/8 1/2 1/8", "1/3 1/3 1/3", "3/11 4/11 4/11"))
NOISE = {0: Fraction(1, 8), 1: HALF, 2: Fraction(3, 8)}
LISTED = dp.FiniteNoise(list(NOISE.values()))
BITS = dp.KRandomization(n=3, q="1/5", k=2)


def outcomes(first, second):
    """Of two laws; those of equal ratio are one."""
    found = {}
    for s in {*first, *second}:
        a, b = first.get(s, Fraction(0)), second.get(s, Fraction(0))
        if not a + b:
            continue
        p, q = found.get(a / (a + b), (0, 0))
        found[a / (a + b)] = p + a, q + b
    return [found[ratio] for ratio in sorted(found)]


def shuffled(matrix, n):
    """All pairs of a shuffle, by what the others hold and the change."""
    found, rows = {}, range(len(matrix))
    for others in product(rows, repeat=n - 1):
        laws = [histograms.law([matrix[x], *(matrix[y] for y in others)]) for x in rows]
        found |= {(others, a, b): outcomes(laws[a], laws[b]) for a in rows for b in rows if a != b}
    return found


def hidden(chance, noise, least, most):
    """All pairs of a threshold with up to so many others, by their number and whether the record is there."""
    laws = [thresholds.law(n, Fraction(chance), noise, least) for n in range(most + 2)]
    ways = ((n, (laws[n + 1], laws[n])) for n in range(most + 1))
    return {((n,), there): outcomes(*(pair if there else pair[::-1])) for n, pair in ways for there in (True, False)}


def replaced(chance, least, most):
    """The same of two values."""
    laws = [thresholds.law(n, Fraction(chance), {0: Fraction(1)}, least) for n in range(most + 2)]
    pairs = product(range(most + 1), repeat=2)
    return {
        ((a, b), True): outcomes(thresholds.both(laws[a + 1], laws[b]), thresholds.both(laws[a], laws[b + 1]))
        for a, b in pairs
    }


def sampled(n, q, k, share, numbered):
    """All pairs of sampled clients, by the ones among the others and the changed bit where the event is likelier."""
    found = {}
    for ones in range(n):
        others = [1] * ones + [0] * (n - 1 - ones)
        laws = [
            asymmetric.sampled([*others, bit], 1 - Fraction(q), Fraction(q), k, Fraction(share), numbered)
            for bit in (0, 1)
        ]
        found |= {(ones, bit): outcomes(laws[bit], laws[1 - bit]) for bit in (0, 1)}
    return found


def name(at):
    """Of a dataset that was found, as above."""
    if hasattr(at, "likely"):
        return at.others, at.likely, at.unlikely
    if hasattr(at, "present"):
        return at.others or (MANY,), at.present
    return at.ones, at.value


def alike(matrix, n):
    """The pairs of a shuffle whose others all hold one input."""
    return {(others[0], a, b): pair for (others, a, b), pair in shuffled(matrix, n).items() if len(set(others)) == 1}


TINY = {
    "shuffle of two": (dp.Shuffle(dp.FiniteMechanism(THREE), n=2), shuffled(THREE, 2), alike(THREE, 2)),
    "shuffle of three": (dp.Shuffle(dp.FiniteMechanism(THREE), n=3), shuffled(THREE, 3), alike(THREE, 3)),
    "shuffle that tells": (dp.Shuffle(dp.FiniteMechanism(SEEN), n=2), shuffled(SEEN, 2), alike(SEEN, 2)),
    "shuffle that tells some": (dp.Shuffle(dp.FiniteMechanism(MIXED), n=2), shuffled(MIXED, 2), alike(MIXED, 2)),
    "threshold": (dp.Thresholded(2, sampled="1/2"), hidden("1/2", {0: 1}, 2, MANY)),
    "threshold and noise": (dp.Thresholded(3, noise=LISTED), hidden(1, NOISE, 3, MANY)),
    "sampled and noise": (dp.Thresholded(2, sampled="1/2", noise=LISTED), hidden("1/2", NOISE, 2, MANY)),
    "replaced": (dp.Thresholded(2, sampled="3/4", neighbours="replace"), replaced("3/4", 2, 3)),
    "several reports": (dp.Sampled(BITS, "1/2"), sampled(3, "1/5", 2, "1/2", False)),
    "reports counted": (
        dp.Sampled(dp.KRandomization(n=3, q="1/5"), "1/2", "ones and reports"), sampled(3, "1/5", 1, "1/2", True)
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", TINY)
def test_two_rounds_by_definition(case):
    """The upper end holds for strategies, the lower one for the datasets named."""
    (mechanism, pairs, *named), lam = TINY[case], Fraction(3, 2)
    found = dp.delta(dp.Rounds([(mechanism, 2)]), lam=lam)
    best = rounds.best_of_two(pairs.values(), lam)
    assert best <= found.upper <= best * Fraction(9, 8)
    ((_, at, times),) = found.datasets
    pair = (named or [pairs])[0][name(at)]
    reached = rounds.divergence([pair, pair], lam)
    assert times == 2
    assert reached * Fraction(49, 50) <= found.lower <= reached
    assert best * Fraction(4, 5) <= found.lower


@pytest.mark.parametrize("case", TINY)
def test_each_direction_of_each_pair(case):
    """Its divergences, ahead and back, and what shows it."""
    mechanism, pairs, *named = TINY[case]
    known, asked = (named or [pairs])[0], family(mechanism)
    found = {
        at for epsilon in ("1/100", "1/2", 1, 20)
        for at in asked.candidates(Limit.exp(Fraction(epsilon)), rtol=Fraction(1, 10), several=False)
    }  # fmt: skip
    found |= {IdenticalRecords(*at) for each in named for at in each}
    assert found
    for at in found:
        pair, found = known[name(at)], asked.pair(at, rtol=Fraction(1, 10**6))
        hidden = getattr(mechanism, "noise", None) and at.others == (0,)  # a pair that hides a little more
        for lam in (Fraction(1), Fraction(7, 5), Fraction(9, 2), Fraction(10**6)):
            for laws, own in ((found, pair), (found.mirror, [(q, p) for p, q in pair])):
                exact, answer = rounds.profile(own, lam), laws.enclosed(Limit(lam), rtol=Fraction(1, 10**6))
                assert answer.lower <= exact <= answer.lower + exact * Fraction(1, 10**6)
                assert hidden or exact <= answer.upper <= answer.lower + exact * Fraction(1, 10**6)
        assert found.infinite <= sum(p for p, q in pair if not q)
        if isinstance(found, ListedPair):
            laws = ([Fraction(x, found.whole) for x in law] for law in (found.likely, found.unlikely))
            assert hidden or outcomes(*(dict(enumerate(masses)) for masses in laws)) == pair


def test_all_outcomes_are_listed_where_there_are_few():
    """Not those of a number of others that no dataset names, of noise without end, nor of two values."""
    bare, noisy = family(dp.Thresholded(3, sampled="1/2")), family(dp.Thresholded(3, noise=dp.DiscreteLaplace("1/2")))
    seen = revealed(bare, Holders((4,), True))
    assert [tuple(map(float, masses)) for masses in seen.outcomes] == [  # nothing seen, 3, 4; and 5 is the last
        pytest.approx(masses) for masses in ((16 / 32, 11 / 16), (10 / 32, 4 / 16), (5 / 32, 1 / 16))
    ]
    assert float(seen.infinite) == 1 / 32
    assert revealed(bare, Holders((4000,), True)) is None
    assert revealed(noisy, Holders(None, True)).missing is None
    assert revealed(family(dp.Thresholded(2, sampled="3/4", neighbours="replace")), Holders((1, 1), True)) is None


def revealed(asked, at):
    return asked.revealed(at, centre=0.5, fineness=8, bits=64)


def test_the_least_epsilon_of_two_rounds_by_definition():
    """At the upper end all strategies keep delta, at the lower one a single dataset breaks it."""
    target = Fraction(1, 100)
    pairs = hidden("1/5", {0: Fraction(1)}, 4, 20)
    found = dp.epsilon(dp.Rounds([(dp.Thresholded(4, sampled="1/5"), 2)]), delta=target)
    below, above = (Fraction(math.exp(end)) for end in (found.lower, found.upper))
    assert rounds.best_of_two(pairs.values(), Fraction(round(above * 10**6), 10**6)) <= target * (
        1 + Fraction(1, 10**4)
    )
    assert max(rounds.divergence([pair, pair], below) for pair in pairs.values()) > target * (1 - Fraction(1, 10**4))
    assert found.upper <= found.lower * Fraction(102, 100)


@pytest.mark.parametrize(
    ("least", "share", "times", "delta"),
    [(2, "1/10", 3, "0.04"), pytest.param(3, "1/10", 12, "0.02", marks=pytest.mark.soak)],
)
def test_the_dataset_is_the_one_that_is_worst_where_delta_crosses(least, share, times, delta):
    """Where the search begins another one is: its epsilon was 23 and 54 % below the upper end."""
    found = dp.epsilon(dp.Rounds([(dp.Thresholded(least, sampled=share), times)]), delta=delta)
    assert found.lower < found.upper <= found.lower * Fraction(106, 100)


@pytest.mark.soak
def test_a_year_of_rounds_of_a_threshold():
    """The lattice that the lower end takes is too fine to tell numbers of others apart: a coarser one does."""
    year = dp.Rounds([(dp.Thresholded(9, sampled="1/10"), 365)])
    found, epsilon = dp.delta(year, epsilon=3), dp.epsilon(year, delta="1e-6")
    assert found.lower < found.upper <= 3 * found.lower
    assert epsilon.lower < epsilon.upper <= epsilon.lower * Fraction(107, 100)


@pytest.mark.soak
def test_bounds_of_many_limits_are_those_of_each():
    """Where datasets are left out by their chords."""
    for released in ("ones", "ones and reports"):
        clients = family(dp.Sampled(dp.KRandomization(n=8, q="2/5", k=2), "1/3", released))
        limits = [Limit(1 + Fraction(i, 100)) for i in range(30, 60)]
        bounds = [clients.upper(limit, rtol=Fraction(1, 100)) for limit in limits]
        for limit, bound in zip(limits, bounds, strict=True):
            exact = clients.delta(limit, rtol=Fraction(1, 100)).value
            assert exact <= bound <= exact * (1 + Fraction(1, 10**30))


@pytest.mark.parametrize(("least", "share"), [(1, "1/2"), (3, "1/2"), (4, "1/5")])
@pytest.mark.soak
def test_numbers_of_others_in_a_range(least, share):
    """Each range's bound is delta of the worst number in it, to a hundred digits."""
    most = 48
    pairs, lams = hidden(share, {0: Fraction(1)}, least, most), [Fraction(11, 10), Fraction(8, 5), Fraction(4)]
    parts = family(dp.Thresholded(least, sampled=share)).ranges
    for part in parts:
        assert part.mirror in parts
        bounds = [part.upper(Limit(lam), rtol=Fraction(1, 100)) for lam in lams]
        numbers = range(part.first, min(most if part.last is None else part.last, most) + 1)
        for lam, bound in zip(lams, bounds, strict=True):
            worst = max(rounds.profile(pairs[(n,), part.present], lam) for n in numbers)
            assert worst <= bound <= worst + Fraction(1, 10**100)
    held = [range(part.first, (most if part.last is None else part.last) + 1) for part in parts]
    assert {n for each in held for n in each} >= set(range(least - 1, most))


@pytest.mark.soak
def test_rounds_of_several_kinds():
    lam, shares = Fraction(2), ("1/2", "3/4")
    hidden_each = [hidden(share, {0: Fraction(1)}, least, 4) for share, least in zip(shares, (2, 3), strict=True)]
    mechanisms = [dp.Thresholded(2, sampled="1/2"), dp.Thresholded(3, sampled="3/4")]
    found = dp.delta(dp.Rounds(mechanisms), lam=lam)
    ways = [
        [[one for (_, present), one in pairs.items() if present is there] for pairs in hidden_each]
        for there in (True, False)
    ]
    best = max(rounds.divergence(chosen, lam) for pairs in ways for chosen in product(*pairs))
    assert best * Fraction(9, 10) <= found.lower <= best <= found.upper <= best * Fraction(9, 8)
    assert len({at.present for _, at, _ in found.datasets}) == 1  # the record is there in all rounds, or in none


@pytest.mark.soak
def test_a_record_is_there_in_the_same_dataset_of_all_rounds():
    """One noise tells by its low end who is missing, another one by its high end who is there."""
    noises = [dp.FiniteNoise(masses) for masses in (["9/10", "1/10"], ["1/10", "9/10"])]
    found = dp.delta(dp.Rounds([dp.Thresholded(3, noise=noise) for noise in noises]), lam=2)
    assert Fraction(9, 10) <= found.lower <= 1 - Fraction(9, 10) * Fraction(1, 10)
    assert all(at.present for _, at, _ in found.datasets)


def test_a_shuffle_whose_worst_others_differ():
    """The upper end is above them."""
    lam, asked = Fraction(3, 2), family(dp.Shuffle(dp.FiniteMechanism(UNALIKE), n=3))
    every, equal = (
        max(rounds.profile(pair, lam) for pair in pairs.values()) for pairs in (shuffled(UNALIKE, 3), alike(UNALIKE, 3))
    )
    assert equal * Fraction(3, 2) < every <= asked.upper(Limit(lam), rtol=Fraction(1, 100))


def test_a_shuffle_beside_a_bit():
    lam, bits = Fraction(3, 2), dp.KRandomization(n=2, q="1/4")
    found = dp.delta(dp.Rounds([dp.Shuffle(dp.FiniteMechanism(THREE), n=2), bits]), lam=lam)
    ways = product(shuffled(THREE, 2).values(), rounds.pairs(2, Fraction(1, 4), 1))
    best = max(rounds.divergence(chosen, lam) for chosen in ways)
    assert best * Fraction(9, 10) <= found.lower <= best <= found.upper <= best * Fraction(9, 8)


def test_a_record_that_is_always_told():
    found = dp.delta(dp.Rounds([(dp.Thresholded(3), 2)]), epsilon=1)
    assert found.lower == found.upper == 1


def told(threshold, decay, times):
    """The chance that a value is told in one of the rounds which nobody else holds, with discrete Laplace noise."""
    above = mpmath.exp(-decay * (threshold - 1)) / (1 + mpmath.exp(-decay))
    return -mpmath.expm1(times * mpmath.log1p(-above))


def meets(found, truth, width):
    with mpmath.workdps(60):
        low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (found.lower, found.upper))
        return low <= truth * (1 + mpmath.mpf(10) ** -40) <= high * (1 + mpmath.mpf(10) ** -30) <= low * width


@pytest.mark.parametrize(
    ("threshold", "given", "times", "value"),
    [
        (13, {"epsilon": 1}, 3, "1.3475e-5"),
        (13, {"epsilon": 1}, 6, "2.6950e-5"),
        (13, {"epsilon": 1}, 10, "4.4917e-5"),
        (13, {"epsilon": 1}, 20, "8.9832e-5"),
        (20, {"lam": 3}, 3, "1.9359e-9"),
        (50, {"epsilon": 1}, 3, "1.1499e-21"),
    ],
)
def test_thresholds_at_the_sum_of_the_local_epsilons_of_their_noise(threshold, given, times, value):
    """No event but that a value is told, which nobody else holds, has a larger loss."""
    found = dp.delta(
        dp.Rounds([(dp.Thresholded(threshold, noise=dp.DiscreteLaplace(**given)), times)]),
        **{name: x**times if name == "lam" else x * times for name, x in given.items()},
    )
    with mpmath.workdps(60):
        truth = told(threshold, mpmath.mpf(1) if "epsilon" in given else mpmath.log(3), times)
        assert meets(found, truth, mpmath.mpf("1.0001"))
    assert abs(found.upper / Fraction(value) - 1) < Fraction(1, 10_000)


def test_noisy_counts_beside_thresholds_at_the_local_epsilons_of_all_noise():
    kinds = (dp.Thresholded(13, noise=dp.DiscreteLaplace(1)), 3), (dp.NoisyCount(dp.DiscreteLaplace(2)), 1)
    found = dp.delta(dp.Rounds(kinds), epsilon=5)
    with mpmath.workdps(60):
        assert meets(found, told(13, mpmath.mpf(1), 3), mpmath.mpf("1.0001"))


def test_epsilon_of_thresholds_and_how_many_there_are_agree_with_delta():
    mechanism = dp.Thresholded(13, noise=dp.DiscreteLaplace(1))
    rounds_ = dp.Rounds([(mechanism, 3)])
    assert dp.epsilon(rounds_, delta="1.4e-5").upper <= 3
    assert dp.delta(rounds_, epsilon=3).upper <= Fraction("1.4e-5")
    assert dp.most_rounds(mechanism, epsilon=10, delta="1e-4").lower == 10


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(200))
def test_random_thresholds_at_a_multiple_of_the_epsilon_of_their_noise(seed):
    chosen = random.Random(seed)
    threshold, times, more = chosen.randint(1, 45), chosen.choice([2, 3, 5, 10, 20, 30]), chosen.choice([0, 0, 1, 4])
    ratio, epsilon = Fraction(chosen.randint(11, 60), 10), Fraction(chosen.randint(1, 20), 10)
    noise, limit = chosen.choice(
        [
            (dp.DiscreteLaplace(epsilon), {"epsilon": epsilon * (times + more)}),
            (dp.DiscreteLaplace(lam=ratio), {"lam": ratio ** (times + more)}),
        ]
    )
    with mpmath.workdps(60):
        decay = mpmath.mpf(epsilon.numerator) / epsilon.denominator
        if "lam" in limit:
            decay = mpmath.log(mpmath.mpf(ratio.numerator) / ratio.denominator)
        found = dp.delta(dp.Rounds([(dp.Thresholded(threshold, noise=noise), times)]), **limit)
        assert meets(found, told(threshold, decay, times), 2)


def test_rounds_of_gaussian_mechanisms_are_one():
    one, other = (GaussianMechanism.of(sigma=x, sensitivity=1) for x in (2, 3))
    found = dp.delta(dp.Rounds([(one, 3), (other, 2)]), epsilon=1)
    assert found.lower == dp.delta(GaussianMechanism(1 / (Fraction(3, 4) + Fraction(2, 9))), epsilon=1).lower


def test_a_gaussian_mechanism_beside_the_bit_of_one_record():
    """Of each report of the bit what is left for the other one, at its own limit."""
    one, q, lam = GaussianMechanism.of(sigma=2, sensitivity=1), Fraction(1, 5), Fraction(2)

    def alone(x):
        return dp.delta(one, lam=x).lower if x >= 1 else 1 - x + x * dp.delta(one, lam=1 / x).lower

    truth = (1 - q) * alone(lam * q / (1 - q)) + q * alone(lam * (1 - q) / q)
    found = dp.delta(dp.Rounds([one, dp.KRandomization(n=1, q=q)]), lam=lam)
    assert truth * Fraction(99, 100) <= found.lower <= truth * Fraction(10**9 + 1, 10**9)
    assert truth * Fraction(10**9 - 1, 10**9) <= found.upper <= truth * Fraction(101, 100)
    assert named(found)["datasets"][0] == {"rounds": 1, "by": 1}


@pytest.mark.parametrize(
    ("noise", "epsilon"),
    [
        (dp.RoundedGaussian("0.108"), "0.5"),
        (dp.RoundedGaussian("0.108"), "1.97"),
        (dp.DiscreteGaussian("0.12"), "1.97"),
        pytest.param(dp.DiscreteGaussian("0.12"), "0.5", marks=pytest.mark.soak),
    ],
)
def test_noise_that_hardly_ever_hides_a_change(noise, epsilon):
    """One outcome has nearly all mass, far from that of the largest losses."""
    once = dp.delta(dp.NoisyCount(noise), epsilon=epsilon).lower
    assert dp.delta(dp.Rounds([(dp.Thresholded(2, noise=noise), 30)]), epsilon=epsilon).lower > once > 0.9999


def test_what_meets_an_infinite_loss_of_another_kind_of_round_counts():
    """Beside one holder two counts of two of them show one with 1 - (3/4)^2, whatever the histogram shows."""
    histogram = dp.AsymmetricBits(n=200, chances=("1/2", "1/100"), categories=5, neighbours="delete")
    found = dp.delta(dp.Rounds([(histogram, 4), (dp.Thresholded(2, sampled="1/2"), 2)]), epsilon=5)
    assert Fraction(7, 16) * (1 - Fraction(1, 10**9)) <= found.lower <= Fraction(7, 16) <= found.upper
