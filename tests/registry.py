"""What the generic tests of contracts look at: one line registers a noise, a mechanism or a question.

A noise or a mechanism stands beside its definition, which shares no code with dpcalc. The tests are in
``tests/laws/test_noises.py``, ``tests/families/test_contract.py`` and ``tests/test_contract_of_questions.py``; they
fail where a public noise, mechanism or question has no line here.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, pairwise

import mpmath

import dpcalc as dp
from dpcalc.mechanisms.noisy_count import GaussianMechanism
from tests.oracles import noise, summed, thresholds
from tests.oracles import wide_noise as wide
from tests.oracles.summed import beside, coins, mixed, pairs
from tests.oracles.wide_noise import minus, plus

HALF, THIRD, QUARTER = Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)
DIGITS = 50

# --- noise ----------------------------------------------------------------------------------------------------------

#: Noise, and its masses by its definition: all of them, or those on a window that leaves out less than 1e-40.
NOISES = {
    "a coin": (dp.Binomial(1, "1/3"), lambda: noise.binomial(1, THIRD)),
    "fair coins": (dp.Binomial(10, "1/2"), lambda: noise.binomial(10, HALF)),
    "coins": (dp.Binomial(12, "1/5"), lambda: noise.binomial(12, Fraction(1, 5))),
    "Poisson": (dp.Poisson("5/2"), lambda: wide.poisson(mpmath.mpf(5) / 2, 70)),
    "geometric": (dp.Geometric("1/2", 3), lambda: noise.geometric(HALF, 3)),
    "geometric, steep": (dp.Geometric("1/1000", 6), lambda: noise.geometric(Fraction(1, 1000), 6)),
    "geometric, e": (dp.Geometric.from_epsilon(1, 5), lambda: wide.laplace(mpmath.mpf(1), 5)),
    "no noise": (dp.Geometric("1/2", 0), lambda: {0: Fraction(1)}),
    "a symmetric list": (dp.FiniteNoise(["1/4", "1/2", "1/4"]), lambda: noise.listed(["1/4", "1/2", "1/4"])),
    "a list": (dp.FiniteNoise(["1/2", "1/3", "1/6"]), lambda: noise.listed(["1/2", "1/3", "1/6"])),
    "a list with a gap": (dp.FiniteNoise(["1/4", 0, "3/4"]), lambda: noise.listed(["1/4", 0, "3/4"])),
    "Gaussian": (dp.DiscreteGaussian("3/2"), lambda: wide.gaussian(mpmath.mpf(9) / 4, 40)),
    "Gaussian, narrow": (dp.DiscreteGaussian("1/3"), lambda: wide.gaussian(mpmath.mpf(1) / 9, 12)),
    "Laplace": (dp.DiscreteLaplace(lam=3), lambda: wide.laplace(mpmath.log(3), 100)),
    "Laplace, e": (dp.DiscreteLaplace(1), lambda: wide.laplace(mpmath.mpf(1), 110)),
    "Skellam": (
        dp.Skellam(3, 1), lambda: plus(wide.poisson(mpmath.mpf(3), 70), minus(wide.poisson(mpmath.mpf(1), 50)))
    ),
    "minus Poisson": (dp.Skellam(0, 2), lambda: minus(wide.poisson(mpmath.mpf(2), 60))),
    "failures": (dp.NegativeBinomial(3, 0, epsilon=1), lambda: wide.failures(mpmath.mpf(3), 1, 120)),
    "less failures": (
        dp.NegativeBinomial("3/2", 2, lam=3),
        lambda: plus(
            wide.failures(mpmath.mpf(3) / 2, mpmath.log(3), 110),
            minus(wide.failures(mpmath.mpf(2), mpmath.log(3), 110)),
        ),
    ),
    "shares": (
        dp.NegativeBinomial("7/10", "7/10", epsilon=1),
        lambda: plus(*(f(wide.failures(mpmath.mpf(7) / 10, 1, 110)) for f in (dict, minus))),
    ),
    "many shares": (
        dp.NegativeBinomial("5/2", "5/2", epsilon=1),
        lambda: plus(*(f(wide.failures(mpmath.mpf(5) / 2, 1, 120)) for f in (dict, minus))),
    ),
    "rounded Laplace": (dp.RoundedLaplace("3/2"), lambda: wide.rounded_laplace(mpmath.mpf(3) / 2, 170)),
    "rounded Gaussian": (dp.RoundedGaussian("3/2"), lambda: wide.rounded_gaussian(mpmath.mpf(3) / 2, 30)),
}  # fmt: skip

#: Noise with large parameters: its law is held against itself.
LARGE = (
    dp.Binomial(10**9, "1/2"), dp.Binomial(10**7, "1/10"), dp.Poisson(10**7), dp.Poisson("1e-30"),
    dp.Geometric("1/2", 10**9), dp.Geometric("999/1000", 10**4), dp.Geometric.from_epsilon("1e-6", 10**7),
    dp.FiniteNoise([Fraction(1, 1000)] * 1000), dp.DiscreteGaussian(10**6), dp.DiscreteLaplace("1e-6"),
    dp.DiscreteLaplace(lam="1001/1000"), dp.Skellam(10**8, 10**8), dp.Skellam(0, 10**6), dp.Skellam(10**4, 1),
    dp.NegativeBinomial(20, 5, epsilon="1/10"), dp.NegativeBinomial("1/2", "1/2", epsilon="1/10"),
    dp.RoundedLaplace(10**6), dp.RoundedGaussian(10**5), dp.Geometric("9/10", 100) + dp.Poisson(50),
    dp.Binomial(10**4, "1/3") + dp.DiscreteLaplace("1/10"), dp.DiscreteGaussian(100) + dp.DiscreteGaussian(30),
)  # fmt: skip

#: Every sum of two of the small noises.
PAIRS = tuple(combinations_with_replacement(NOISES, 2))


@cache
def masses(name):
    """In 50 digits."""
    with mpmath.workdps(DIGITS):
        return {x: mpmath.mpf(m.numerator) / m.denominator if isinstance(m, Fraction) else +m
                for x, m in NOISES[name][1]().items() if m}  # fmt: skip


@cache
def floats(name, other=None):
    """In doubles: of a noise, or of the sum of two; those below 1e-300 are left out."""
    found = {x: float(mass) for x, mass in masses(name).items() if mass > 1e-300}
    return found if other is None else {x: m for x, m in added(found, floats(other)).items() if m > 1e-300}


def added(one, other):
    """The masses of a sum of two noises, in doubles."""
    total = {}
    for x, mass in one.items():
        for y, more in other.items():
            total[x + y] = total.get(x + y, 0.0) + mass * more
    return total


# --- mechanisms -----------------------------------------------------------------------------------------------------


def bits(a, b, k=1):
    """What a record with a 1 sends, and one with a 0: k reports that are 1 with these probabilities."""
    return {1: coins(a, k), 0: coins(b, k)}


def vectors(values, a, b, k=1):
    """The same for every bit of a vector."""
    return {value: beside(*(coins(a if bit else b, k) for bit in value)) for value in values}


def held_or_not(sent):
    """Every change between a value and its absence, all zeros."""
    return [(value, None) for value in sent if value is not None]


def shifted(f, most):
    """The pairs of a count with that noise and one that is larger or smaller by at most so much."""
    laws = {c: {(x + c,): mass for x, mass in f.items()} for c in range(-most, most + 1)}
    return [summed.outcomes(laws[0], laws[c]) for c in laws if c]


def held_by(threshold, share, most, f=None):
    """The pairs of a thresholded count, beside up to ``most`` others."""
    laws = [thresholds.law(n, share, f or {0: Fraction(1)}, threshold) for n in range(most + 1)]
    return [summed.outcomes(*two) for pair in pairwise(laws) for two in (pair, pair[::-1])]


def held_by_two(threshold, share, most):
    """The same where a record is replaced: one value loses a holder, another one gains it."""
    laws = [thresholds.law(n, share, {0: Fraction(1)}, threshold) for n in range(most + 1)]
    return [
        summed.outcomes(thresholds.both(laws[a + 1], laws[b]), thresholds.both(laws[a], laws[b + 1]))
        for a in range(most) for b in range(most)
    ]  # fmt: skip


THREE_QUARTERS, EIGHTH, FIFTH = Fraction(3, 4), Fraction(1, 8), Fraction(1, 5)
ONE_OF_THREE = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
UP_TO_TWO = [(0, 0, 0), *ONE_OF_THREE, (1, 1, 0), (1, 0, 1), (0, 1, 1)]
HISTOGRAM = vectors(ONE_OF_THREE, THREE_QUARTERS, QUARTER)
SAMPLED = {x: mixed(HALF, law, {(0,): Fraction(1)}) for x, law in bits(THREE_QUARTERS, QUARTER).items()}
COUNTED = {x: mixed(HALF, beside(law, {(1,): Fraction(1)}), {(0, 0): Fraction(1)})
           for x, law in bits(THREE_QUARTERS, QUARTER).items()}  # fmt: skip
THIRDS = {
    x: {tuple(int(y == z) for z in range(3)): Fraction(3 if x == y else 1, 5) for y in range(3)} for x in range(3)
}

#: Small mechanisms, and all pairs of laws that their neighbouring datasets have.
MECHANISMS = {
    "bits": (dp.KRandomization(n=4, q="1/4"), lambda: pairs([(4, bits(THREE_QUARTERS, QUARTER))])),
    "one bit": (dp.KRandomization(n=1, q="1/4"), lambda: pairs([(1, bits(THREE_QUARTERS, QUARTER))])),
    "bits, k reports": (dp.KRandomization(n=3, q="1/5", k=2), lambda: pairs([(3, bits(1 - FIFTH, FIFTH, 2))])),
    "asymmetric bits": (
        dp.AsymmetricBits(n=4, chances=("3/4", "1/8")), lambda: pairs([(4, bits(THREE_QUARTERS, EIGHTH))])
    ),
    "an asymmetric histogram": (
        dp.AsymmetricBits(n=2, chances=("1/2", "1/5"), categories=3),
        lambda: pairs([(2, vectors(ONE_OF_THREE, HALF, FIFTH))]),
    ),
    "a histogram": (dp.UnaryEncoding(n=3, categories=3, q="1/4"), lambda: pairs([(3, HISTOGRAM)])),
    "a histogram, a record deleted": (
        dp.UnaryEncoding(n=2, categories=3, q="1/4", neighbours="delete"),
        lambda: pairs([(2, deleted := {**HISTOGRAM, None: beside(*[coins(QUARTER)] * 3)})], held_or_not(deleted)),
    ),
    "a histogram, at most two": (
        dp.UnaryEncoding(n=2, categories=3, q="1/4", at_most=2),
        lambda: pairs([(2, vectors(UP_TO_TWO, THREE_QUARTERS, QUARTER))]),
    ),
    "rounded numbers": (
        dp.RoundedNumbers(n=3, q="1/4", high=9), lambda: pairs([(3, bits(THREE_QUARTERS, QUARTER))])
    ),
    "a fleet": (
        dp.Fleet([dp.Group(n=2, q="1/4"), dp.Group(n=2, q="1/3", k=2)]),
        lambda: pairs([(2, bits(THREE_QUARTERS, QUARTER)), (2, bits(1 - THIRD, THIRD, 2))]),
    ),
    "a fleet with dummies": (
        dp.Fleet([dp.Group(n=3, chances=("3/4", "1/8"))], dummies=[dp.Dummies(2, "1/3")]),
        lambda: pairs([(3, bits(THREE_QUARTERS, EIGHTH))], start=coins(THIRD, 2)),
    ),
    "sampled bits": (dp.Sampled(dp.KRandomization(n=4, q="1/4"), "1/2"), lambda: pairs([(4, SAMPLED)])),
    "sampled bits, counted": (
        dp.Sampled(dp.KRandomization(n=4, q="1/4"), "1/2", "ones and reports"), lambda: pairs([(4, COUNTED)])
    ),
    "a shuffle": (dp.Shuffle(dp.k_ary_response(3, lam=3), n=3), lambda: pairs([(3, THIRDS)])),
    "noise": (dp.NoisyCount(dp.Binomial(6, "1/3"), 2), lambda: shifted(noise.binomial(6, THIRD), 2)),
    "noise with a gap": (
        dp.NoisyCount(dp.FiniteNoise(["1/4", 0, "3/4"])), lambda: shifted(noise.listed(["1/4", 0, "3/4"]), 1)
    ),
    "sampled noise": (
        dp.Sampled(dp.NoisyCount(dp.Geometric("1/2", 2)), "1/2"),
        lambda: pairs([(1, {0: {(0,): Fraction(1)}, 1: coins(HALF)})],
                      start={(x,): mass for x, mass in noise.geometric(HALF, 2).items()}),
    ),
    "a threshold": (dp.Thresholded(3, sampled="1/2"), lambda: held_by(3, HALF, 16)),
    "a threshold with noise": (
        dp.Thresholded(4, noise=dp.Geometric("1/2", 2)), lambda: held_by(4, Fraction(1), 9, noise.geometric(HALF, 2))
    ),
    "a threshold, noise and samples": (
        dp.Thresholded(2, sampled="3/4", noise=dp.Binomial(2, "1/3")),
        lambda: held_by(2, THREE_QUARTERS, 9, noise.binomial(2, THIRD)),
    ),
    "a threshold, records replaced": (
        dp.Thresholded(2, sampled="3/4", neighbours="replace"), lambda: held_by_two(2, THREE_QUARTERS, 9)
    ),
}  # fmt: skip


@cache
def neighbours(name):
    """The pairs of a mechanism."""
    return MECHANISMS[name][1]()


# --- questions ------------------------------------------------------------------------------------------------------

#: An argument of a question of ``dpcalc.questions``, by its name: one value that is allowed.
VALUES = {
    "n": 500, "q": "1/4", "epsilon": "1/2", "delta": "1/20", "ones": 1, "confidence": "0.95", "error": "1/10",
    "rtol": "1/10",
}  # fmt: skip

#: Questions about a mechanism that are no command.
QUESTIONS = {
    "blanket_bound": lambda m: dp.blanket_bound(m, epsilon="1/2"),
    "confidence_interval": lambda m: dp.confidence_interval(m, 1, confidence="0.95"),
    "estimate": lambda m: dp.estimate(m, 1),
    "exceedance": lambda m: dp.exceedance(m, epsilon="1/2"),
    "generating_function": lambda m: dp.generating_function(m, ones=1),
    "identical_exceedance": lambda m: dp.identical_exceedance(m, epsilon="1/2"),
    "log_concavity_in_ones": dp.log_concavity_in_ones,
    "pmf": lambda m: dp.pmf(m, ones=1),
    "privacy_loss": lambda m: dp.privacy_loss(m, interval="1/5"),
    "profile": lambda m: dp.profile(m, ["1/2", 1], rtol="1/10"),
    "ratio": lambda m: dp.ratio(m, 1),
    "ratio_bound": lambda m: dp.ratio_bound(m, 1),
    "ratios": dp.ratios,
    "tradeoff": lambda m: dp.tradeoff(m, rtol="1/10").advantage,
    "variance": dp.variance,
    "vector_delta": lambda m: dp.vector_delta(m, epsilon="1/2"),
}

# --- audits ---------------------------------------------------------------------------------------------------------

#: A row of each kind of an audited table, and the mechanism that it means.
AUDITED = {
    "bits": ({"n": 4, "q": "1/4"}, dp.KRandomization(n=4, q="1/4")),
    "histogram": ({"n": 3, "categories": 3, "q": "1/4"}, dp.UnaryEncoding(n=3, categories=3, q="1/4")),
    "asymmetric bits": ({"n": 4, "a": "3/4", "b": "1/8"}, dp.AsymmetricBits(n=4, chances=("3/4", "1/8"))),
    "k-ary response": (
        {"n": 30, "categories": 3, "report_epsilon": 1}, dp.Shuffle(dp.k_ary_response(3, epsilon=1), n=30)
    ),
    "binomial": (
        {"trials": 12, "probability": "1/5", "sensitivity": 2}, dp.NoisyCount(dp.Binomial(12, "1/5"), 2)
    ),
    "poisson": ({"mean": 9, "sensitivity": 1, "copies": 2}, dp.NoisyCount(dp.Poisson(18))),
    "geometric": ({"ratio": "1/2", "bound": 3, "sensitivity": 1}, dp.NoisyCount(dp.Geometric("1/2", 3))),
    "discrete gaussian": ({"sigma": "3/2", "sensitivity": 2}, dp.NoisyCount(dp.DiscreteGaussian("3/2"), 2)),
    "discrete laplace": ({"scale": 3, "sensitivity": 2}, dp.NoisyCount(dp.DiscreteLaplace("1/3"), 2)),
    "skellam": ({"mu": 3, "sensitivity": 1}, dp.NoisyCount(dp.Skellam(3, 3))),
    "rounded laplace": ({"scale": 3, "sensitivity": 2}, dp.NoisyCount(dp.RoundedLaplace(3), 2)),
    "rounded gaussian": ({"sigma": 3, "sensitivity": 2}, dp.NoisyCount(dp.RoundedGaussian(3), 2)),
    "listed noise": ({"weights": "1 2 1", "sensitivity": 1}, dp.NoisyCount(dp.FiniteNoise(["1/4", "1/2", "1/4"]))),
    "gaussian": ({"sigma": 2, "sensitivity": 1}, GaussianMechanism.of(sigma=2, sensitivity=1)),
    "threshold": ({"threshold": 3, "sampled": "1/2"}, dp.Thresholded(3, sampled="1/2")),
}  # fmt: skip
