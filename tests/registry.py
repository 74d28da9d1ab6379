"""What the generic tests of contracts look at: one line registers a noise, a mechanism or a question.

A noise or a mechanism stands beside its definition, which shares no code with dpcalc. The tests are in
``tests/laws/test_noises.py``, ``tests/families/test_contract.py`` and ``tests/test_contract_of_questions.py``; they
fail where a public noise, mechanism or question has no line here.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import prod

import mpmath

import dpcalc as dp
from dpcalc.mechanisms.noisy_count import GaussianMechanism
from tests.oracles import noise, summed, thresholds
from tests.oracles import wide_noise as wide
from tests.oracles.summed import beside, coins, datasets, mixed, outcomes
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

#: Every sum of two of the small noises; a rounded one is refused in a sum.
PAIRS = tuple(combinations_with_replacement([name for name in NOISES if not name.startswith("rounded")], 2))

#: Noise with drawn parameters, x and y, and its masses.
ANY_NOISE = {
    "Gaussian": lambda x, y: (dp.DiscreteGaussian(x), wide.gaussian(mpf(x**2), 70)),
    "Laplace": lambda x, y: (dp.DiscreteLaplace(1 + x / 2), wide.laplace(mpf(1 + x / 2), 110)),
    "Skellam": lambda x, y: (dp.Skellam(x, y), plus(wide.poisson(mpf(x), 60), minus(wide.poisson(mpf(y), 60)))),
    "failures": lambda x, y: (
        dp.NegativeBinomial(1 + x, 1 + y, epsilon=1),
        plus(wide.failures(mpf(1 + x), mpmath.mpf(1), 130), minus(wide.failures(mpf(1 + y), mpmath.mpf(1), 130))),
    ),
    "shares": lambda x, y: (
        dp.NegativeBinomial(x / 5, x / 5, epsilon=1),
        plus(*(f(wide.failures(mpf(x / 5), mpmath.mpf(1), 130)) for f in (dict, minus))),
    ),
    "rounded Laplace": lambda x, y: (dp.RoundedLaplace(x), wide.rounded_laplace(mpf(x), 500)),
    "rounded Gaussian": lambda x, y: (dp.RoundedGaussian(x), wide.rounded_gaussian(mpf(x), 75)),
}  # fmt: skip


def mpf(x):
    return mpmath.mpf(x.numerator) / x.denominator


@cache
def masses(name):
    """In 50 digits."""
    with mpmath.workdps(DIGITS):
        return {x: mpf(m) if isinstance(m, Fraction) else +m
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


def reports(a, b, k=1):
    """What a record with a 1 sends, and one with a 0: k reports that are 1 with these probabilities."""
    return {1: coins(a, k), 0: coins(b, k)}


def bits(n, q, k=1):
    """A mechanism and its pairs of neighbouring datasets, as each of those that follow."""
    q = Fraction(q)
    return dp.KRandomization(n=n, q=q, k=k), lambda: datasets([(n, reports(1 - q, q, k))])


def rounded_numbers(n, q):
    return dp.RoundedNumbers(n=n, q=q, high=9), bits(n, q)[1]


def asymmetric(n, a, b, k=1):
    a, b = Fraction(a), Fraction(b)
    return dp.AsymmetricBits(n=n, chances=(a, b), k=k), lambda: datasets([(n, reports(a, b, k))])


def vectors(n, categories, a, b, k, neighbours="replace", sizes=(1,)):
    """The datasets of records with so many ones, whose bits are reported one by one."""
    empty = (0,) * categories
    values = [x for x in product((0, 1), repeat=categories) if sum(x) in sizes]
    changes = [(x, empty) for x in values if x != empty] if neighbours == "delete" else None
    sent = {x: beside(*(coins(a if bit else b, k) for bit in x)) for x in (*values, *([empty] if changes else []))}
    return lambda: datasets([(n, sent)], changes)


def histogram(n, categories, q, k=1, neighbours="replace", ones=1, at_most=None):
    held, q = {"ones": ones} if at_most is None else {"at_most": at_most}, Fraction(q)
    sizes = (ones,) if at_most is None else range(at_most + 1)
    made = dp.UnaryEncoding(n=n, categories=categories, q=q, k=k, neighbours=neighbours, **held)
    return made, vectors(n, categories, 1 - q, q, k, neighbours, sizes)


def asymmetric_histogram(n, categories, a, b, k=1, neighbours="replace"):
    a, b = Fraction(a), Fraction(b)
    made = dp.AsymmetricBits(n=n, chances=(a, b), k=k, categories=categories, neighbours=neighbours)
    return made, vectors(n, categories, a, b, k, neighbours)


def fleet(groups, dummies=(), neighbours="replace"):
    """Of groups (n, a, b, k), and dummies (count, chance)."""
    groups = [(n, Fraction(a), Fraction(b), k) for n, a, b, k in groups]
    made = dp.Fleet(
        [dp.Group(n=n, chances=(a, b), k=k) for n, a, b, k in groups],
        dummies=[dp.Dummies(*one) for one in dummies], neighbours=neighbours,
    )  # fmt: skip
    start = {(0,): Fraction(1)}
    for count, chance in dummies:
        start = summed.plus(start, coins(Fraction(chance), count))
    absent = {None: {(0,): Fraction(1)}} if neighbours == "add-remove" else {}
    changes = [(x, None) for x in (0, 1)] if absent else None
    return made, lambda: datasets([(n, reports(a, b, k) | absent) for n, a, b, k in groups], changes, start)


def sampled_bits(n, a, b, share, k=1, counted=False):
    """What is seen of a record: its ones, and where reports are counted whether it was sampled."""
    a, b, share = Fraction(a), Fraction(b), Fraction(share)
    clients = dp.KRandomization(n=n, q=b, k=k) if a + b == 1 else dp.AsymmetricBits(n=n, chances=(a, b), k=k)
    here = {(1,): Fraction(1)} if counted else {(): Fraction(1)}
    gone = {(0, 0): Fraction(1)} if counted else {(0,): Fraction(1)}
    sent = {x: mixed(share, beside(law, here), gone) for x, law in reports(a, b, k).items()}
    return dp.Sampled(clients, share, "ones and reports" if counted else "ones"), lambda: datasets([(n, sent)])


def shuffle(randomizer, n):
    sent = {x: {tuple(int(y == z) for z in range(len(row))): mass for y, mass in enumerate(row)}
            for x, row in enumerate(randomizer.matrix)}  # fmt: skip
    return dp.Shuffle(randomizer, n=n), lambda: datasets([(n, sent)])


def noisy(made, f, sensitivity=1):
    """Every change of the count by at most so much."""
    laws = {c: {(x + c,): mass for x, mass in f.items()} for c in range(-sensitivity, sensitivity + 1)}
    return dp.NoisyCount(made, sensitivity), lambda: {c: outcomes(laws[0], laws[c]) for c in laws if c}


def sampled_noise(made, f, share):
    sent = {0: {(0,): Fraction(1)}, 1: coins(Fraction(share))}
    start = {(x,): mass for x, mass in f.items()}
    return dp.Sampled(dp.NoisyCount(made), share), lambda: datasets([(1, sent)], start=start)


def thresholded(threshold, share=1, made=None, f=None, neighbours="add-remove", most=9):
    """By what is seen beside up to ``most`` others: of one value, or of the one that is left and the one entered."""

    def listed():
        laws = [thresholds.law(n, Fraction(share), f or {0: Fraction(1)}, threshold) for n in range(most + 2)]
        if neighbours == "replace":
            both = thresholds.both
            return {
                ((a, b), True): outcomes(both(laws[a + 1], laws[b]), both(laws[a], laws[b + 1]))
                for a, b in product(range(most + 1), repeat=2)
            }
        directions = {True: lambda n: (laws[n + 1], laws[n]), False: lambda n: (laws[n], laws[n + 1])}
        return {((n,), way): outcomes(*laws_of(n)) for way, laws_of in directions.items() for n in range(most + 1)}

    return dp.Thresholded(threshold, sampled=share, noise=made, neighbours=neighbours), listed


#: Small mechanisms, and the outcomes of all pairs of neighbouring datasets.
MECHANISMS = {
    "bits": bits(4, "1/4"),
    "one bit": bits(1, "1/4"),
    "bits, k reports": bits(3, "1/5", 2),
    "asymmetric bits": asymmetric(4, "3/4", "1/8"),
    "an asymmetric histogram": asymmetric_histogram(2, 3, "1/2", "1/5"),
    "a histogram": histogram(3, 3, "1/4"),
    "a histogram, a record deleted": histogram(2, 3, "1/4", neighbours="delete"),
    "a histogram, at most two": histogram(2, 3, "1/4", at_most=2),
    "rounded numbers": rounded_numbers(3, "1/4"),
    "a fleet": fleet([(2, "3/4", "1/4", 1), (2, "2/3", "1/3", 2)]),
    "a fleet with dummies": fleet([(3, "3/4", "1/8", 1)], [(2, "1/3")]),
    "a fleet, a record added": fleet([(1, "3/4", "1/4", 1), (1, "2/3", "1/3", 1)], neighbours="add-remove"),
    "sampled bits": sampled_bits(4, "3/4", "1/4", "1/2"),
    "sampled bits, counted": sampled_bits(4, "3/4", "1/4", "1/2", counted=True),
    "a shuffle": shuffle(dp.k_ary_response(3, lam=3), 3),
    "noise": noisy(dp.Binomial(6, "1/3"), noise.binomial(6, THIRD), 2),
    "noise with a gap": noisy(dp.FiniteNoise(["1/4", 0, "3/4"]), noise.listed(["1/4", 0, "3/4"])),
    "sampled noise": sampled_noise(dp.Geometric("1/2", 2), noise.geometric(HALF, 2), "1/2"),
    "a threshold": thresholded(3, "1/2", most=15),
    "a threshold with noise": thresholded(4, 1, dp.Geometric("1/2", 2), noise.geometric(HALF, 2)),
    "a threshold, noise and samples": thresholded(2, "3/4", dp.Binomial(2, "1/3"), noise.binomial(2, THIRD)),
    "a threshold, records replaced": thresholded(2, "3/4", neighbours="replace", most=8),
}


@cache
def neighbours(name):
    """The pairs of a mechanism, equal ones once."""
    return list(set(MECHANISMS[name][1]().values()))


def chances(draw, parts=20):
    """b < a."""
    return [Fraction(x, parts) for x in sorted(draw.sample(range(1, parts), 2))][::-1]


def flip(draw):
    return Fraction(draw.randint(1, 9), 20)


def sizes(draw, *most):
    """Whole numbers up to so much, whose product is at most as large as the last number."""
    while True:
        found = [draw.randint(1, one) for one in most[:-1]]
        if prod(found) <= most[-1]:
            return found


def any_bits(draw):
    n, k = sizes(draw, *draw.choice([(7, 3, 12), (40, 3, 60)]))
    return bits(n, draw.choice([flip(draw), Fraction(1, 100), Fraction(499, 1000)]), k)


def any_asymmetric(draw):
    n, k = sizes(draw, *draw.choice([(7, 3, 12), (30, 3, 40)]))
    return asymmetric(n, *chances(draw), k)


def any_histogram(draw):
    """Of records with as many ones, or with at most so many; one of which may be deleted."""
    n, k, d = sizes(draw, 4, 2, 3, 8)
    neighbours, d = draw.choice(["replace", "delete"]), d + 1
    held = draw.choice([{"ones": draw.randint(1, d - (neighbours == "replace"))}, {"at_most": draw.randint(1, d)}])
    return histogram(n, d, flip(draw), k, neighbours, **held)


def any_asymmetric_histogram(draw):
    n, k, d = sizes(draw, 3, 2, 2, 6)
    return asymmetric_histogram(n, d + 1, *chances(draw), k, draw.choice(["replace", "delete"]))


def any_fleet(draw):
    """Of groups like each other too."""
    kinds = [(*draw.choice([chances(draw, 12), (1 - (q := flip(draw)), q)]), draw.randint(1, 2)) for _ in range(2)]
    groups = [(draw.randint(1, 2), *draw.choice(kinds)) for _ in range(draw.randint(1, 3))]
    dummies = [(draw.randint(1, 2), Fraction(draw.randint(1, 9), 10)) for _ in range(draw.choice([0, 0, 1, 2]))]
    return fleet(groups, dummies, draw.choice(["replace", "add-remove"]))


def any_sampled(draw):
    n, k = sizes(draw, 5, 3, 9)
    a, b = draw.choice([chances(draw, 10), (Fraction(4, 5), Fraction(1, 5))])
    return sampled_bits(n, a, b, Fraction(draw.randint(1, 9), 10), k, draw.random() < 0.5)


def any_shuffle(draw):
    """Of any matrix; one of a bit is answered for every dataset."""
    rows = []
    for _ in range(draw.randint(2, 3)):
        weights = [draw.randint(0, 4), draw.randint(1, 4), draw.randint(0, 4)]
        rows.append([Fraction(x, sum(weights)) for x in weights])
    return shuffle(dp.FiniteMechanism(rows), draw.randint(1, 4))


def any_short_noise(draw):
    """And its masses."""
    p = Fraction(draw.randint(1, 9), 10)
    kind = draw.randint(0, 2)
    if kind == 0:
        return dp.Binomial(trials := draw.randint(1, 8), p), noise.binomial(trials, p)
    if kind == 1:
        return dp.Geometric(p, bound := draw.randint(0, 5)), noise.geometric(p, bound)
    weights = [1 + draw.randint(0, 4), *(draw.randint(0, 5) for _ in range(draw.randint(0, 5)))]
    masses = [Fraction(x, sum(weights)) for x in weights]
    return dp.FiniteNoise(masses), noise.listed(masses)


def any_threshold(draw):
    share, made, neighbours = draw.choice([1, Fraction(draw.randint(4, 10), 10)]), None, "add-remove"
    f = {0: Fraction(1)}
    if draw.random() < 0.6:
        made, f = any_short_noise(draw)
    if draw.random() < 0.3:
        neighbours = "replace"
    least = draw.randint(1, 2 if neighbours == "replace" else 4)
    most = int((2 if neighbours == "replace" else 4) * least / share) + 5
    return thresholded(least, share, made, f, neighbours, most)


#: Small mechanisms of every kind with drawn parameters.
DRAWN = {
    "bits": any_bits,
    "asymmetric bits": any_asymmetric,
    "histograms": any_histogram,
    "asymmetric histograms": any_asymmetric_histogram,
    "fleets": any_fleet,
    "sampled bits": any_sampled,
    "shuffles": any_shuffle,
    "noise": lambda draw: noisy(*any_short_noise(draw), draw.randint(1, 4)),
    "sampled noise": lambda draw: sampled_noise(*any_short_noise(draw), Fraction(draw.randint(1, 9), 10)),
    "thresholds": any_threshold,
}


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
