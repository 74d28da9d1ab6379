"""Whether what a certificate says is so: every dataset summed up by its definition, e^epsilon by mpmath."""

from fractions import Fraction
from functools import cache
from itertools import count, product, takewhile, zip_longest
from math import comb, prod

import mpmath

from tests.oracles.asymmetric import law
from tests.oracles.rounds import adaptive, divergence, shifts
from tests.oracles.scan import deltas

MANY = 24  # people at least, among whom the worst number is looked for
DIGITS = 60  # of e^epsilon: what is nearer to an end than that is not drawn


def limits(question, **value):
    """lambda from below and from above."""
    given = {**question, **value}
    if "lam" in given:
        return Fraction(given["lam"]), Fraction(given["lam"])
    with mpmath.workdps(DIGITS + 20):
        epsilon = Fraction(given["epsilon"])
        x = mpmath.exp(mpmath.mpf(epsilon.numerator) / epsilon.denominator)
        middle = Fraction(int(x * 10**DIGITS), 10**DIGITS)
    return max(Fraction(1), middle - Fraction(1, 10**DIGITS)), middle + Fraction(1, 10**DIGITS)


def delta(question, lam, **value):
    """The largest delta of the datasets that are asked about."""
    given = {**question, **value}
    if "rounds" in given:
        return adaptive(releases(given["rounds"], **value), lam)
    if "noise" in given and "share" not in given:
        pairs = shifts(masses(given["noise"]), int(given["sensitivity"]))
        return max((divergence([pair], lam) for pair in pairs), default=Fraction(0))
    if pairs := listed(given):
        return max(divergence([pair], lam) for pair in pairs)
    n, q, k = int(given["n"]), Fraction(given["q"]), int(given["k"])
    found = deltas(n, q, k, lam)
    if "ones" not in given:
        return max(found)
    return max(found[int(given["ones"])], found[n - 1 - int(given["ones"])])


def listed(given):
    """All pairs (P, Q) of what is released of few people, or of noise with a share."""
    if "share" in given:
        return sometimes(masses(given["noise"]), given["share"])
    if "threshold" in given:
        return waited(int(given["threshold"]), Fraction(given["sampled"]))
    if "inputs" in given:
        kinds = range(len(given["inputs"][0]))
        reports = given.get("reports", [[int(i == j) for j in kinds] for i in kinds])
        return list(changed(given["inputs"], reports, int(given["people"])))
    if "categories" in given and "groups" in given:
        return list(categorized(given["groups"][0], int(given["categories"])))
    return replaced(given["groups"], given.get("dummies", [])) if "groups" in given else []


def waited(threshold, p):
    """Over many numbers of people who hold a value: what is seen is nothing, or how many reports there are."""

    def seen(n):
        law = [comb(n, s) * p**s * (1 - p) ** (n - s) for s in range(n + 1)]
        return [sum(law[:threshold]), *law[threshold:]]

    pairs = [list(zip_longest(seen(n), seen(n + 1), fillvalue=Fraction(0))) for n in range(MANY)]
    return [pair if way else [(b, a) for a, b in pair] for pair in pairs for way in (0, 1)]


def replaced(groups, dummies):
    """The outcomes (P, Q) of a fleet whose one record is replaced: for all ones of every group, report by report."""
    nobody = [one["chance"] for one in dummies for _ in range(int(one["count"]))]

    def seen(ones):
        chances = [
            group["a"] if i < m else group["b"]
            for group, m in zip(groups, ones, strict=True)
            for i in range(int(group["n"]))
            for _ in range(int(group["k"]))
        ]
        return law([*nobody, *chances])

    laws = {ones: seen(ones) for ones in product(*(range(int(group["n"]) + 1) for group in groups))}
    pairs = [(x, y) for x in laws for y in laws if sum(abs(a - b) for a, b in zip(x, y, strict=True)) == 1]
    return [[(weight, laws[y][s]) for s, weight in laws[x].items()] for x, y in pairs]


def sometimes(law, share):
    """Noise, and noise to which 1 is added with a probability; in both orders."""
    here = [*law, Fraction(0)]
    there = [(1 - share) * a + share * b for a, b in zip(here, [Fraction(0), *law], strict=True)]
    return [list(zip(here, there, strict=True)), list(zip(there, here, strict=True))]


def changed(inputs, reports, people):
    """The outcomes (P, Q) of what so many people add up to, one of whom changes the input: person by person."""

    @cache
    def seen(held):
        found = {tuple(0 for _ in reports[0]): Fraction(1)}
        for row in held:
            more = {}
            for (total, x), (report, chance) in product(found.items(), zip(reports, inputs[row], strict=True)):
                place = tuple(a + b for a, b in zip(total, report, strict=True))
                more[place] = more.get(place, 0) + x * chance
            found = more
        return found

    for held in product(range(len(inputs)), repeat=people):
        for other in range(len(inputs)):
            here, there = seen(held), seen((other, *held[1:]))
            yield [(x, there.get(place, Fraction(0))) for place, x in here.items()]


def categorized(group, categories):
    """Those of a histogram of asymmetric bits: each person reports a bit of every category k times."""
    rows, k = [], int(group["k"])
    categories = min(categories, int(group["n"]) + 2)  # those that nobody holds before or after say nothing
    reports = list(product(range(k + 1), repeat=categories))
    for held in range(categories):
        chances = [group["a"] if i == held else group["b"] for i in range(categories)]
        rows.append([
            prod(comb(k, s) * p**s * (1 - p) ** (k - s) for s, p in zip(report, chances, strict=True))
            for report in reports
        ])  # fmt: skip
    return changed(rows, reports, int(group["n"]))


def masses(noise):
    """The probabilities of noise, in order."""
    if "sum" in noise:
        found = [Fraction(1)]
        for part in noise["sum"]:
            law, before = masses(part), found
            found = [Fraction(0)] * (len(before) + len(law) - 1)
            for (i, x), (j, y) in product(enumerate(before), enumerate(law)):
                found[i + j] += x * y
    elif "mean" in noise or "shape" in noise:
        found = one_sided(noise)[:: -1 if noise.get("minus") else 1]
    elif noise.get("rounded") or ("ratio" in noise and "bound" not in noise):
        last = range(1, int(noise["bound"]) + 1) if "bound" in noise else count(1)
        side = list(takewhile(bool, (cut(weight_of(noise, x)) for x in last)))
        found = [*reversed(side), cut(weight_of(noise, 0)), *side]
    elif "trials" in noise:
        trials, p = int(noise["trials"]), Fraction(noise["chance"])
        found = [comb(trials, s) * p**s * (1 - p) ** (trials - s) for s in range(trials + 1)]
    elif "scale" in noise or "square" in noise:
        found = irrational(noise)
    elif "bound" in noise:
        bound = int(noise["bound"])
        found = [Fraction(noise["ratio"]) ** abs(s) for s in range(-bound, bound + 1)]
    else:
        found = [Fraction(weight) for weight in noise["weights"]]
    return tuple(x / sum(found) for x in found)


def cut(x):
    """To 60 digits, down."""
    with mpmath.workdps(DIGITS + 20):
        return Fraction(int(x * 10**DIGITS), 10**DIGITS)


def one_sided(noise):
    """A Poisson or a negative binomial law, up to what 60 digits show."""
    with mpmath.workdps(DIGITS + 20):
        if "mean" in noise:
            mean = mpmath.mpf(noise["mean"].numerator) / noise["mean"].denominator
            terms = (mpmath.exp(x * mpmath.log(mean) - mpmath.loggamma(x + 1) - mean) for x in count())
        else:
            shape = mpmath.mpf(noise["shape"].numerator) / noise["shape"].denominator
            given = noise["ratio"] if "ratio" in noise else 1 / Fraction(noise["scale"])
            given = mpmath.mpf(given.numerator) / given.denominator
            a = given if "ratio" in noise else mpmath.exp(-given)
            terms = ((1 - a) ** shape * mpmath.rf(shape, x) / mpmath.factorial(x) * a**x for x in count())
        return [cut(x) for x in takewhile(lambda x: x * 10**DIGITS >= 1, terms)]


def weight_of(noise, x):
    """Of rounded noise, a difference of distribution functions; of a geometric law without a bound, a power."""
    if "ratio" in noise:
        return Fraction(noise["ratio"]) ** x
    with mpmath.workdps(DIGITS + 20):
        given = Fraction(noise["scale"] if "scale" in noise else noise["square"])
        size = mpmath.mpf(given.numerator) / given.denominator
        half = mpmath.mpf(1) / 2
        if "scale" in noise:
            above = [mpmath.exp(-z / size) / 2 if z > 0 else 1 - mpmath.exp(z / size) / 2 for z in (x - half, x + half)]
        else:
            above = [mpmath.erfc(z / mpmath.sqrt(2 * size)) / 2 for z in (x - half, x + half)]
        return above[0] - above[1]


def irrational(noise):
    """e^(-|x|/scale) or e^(-x^2/(2 square)) to 60 digits, on all numbers where that is not 0, or up to the bound."""

    def weight(x):
        size = Fraction(noise["scale"]) if "scale" in noise else 2 * Fraction(noise["square"])
        power = Fraction(x if "scale" in noise else x * x) / size
        return Fraction(int(mpmath.exp(-mpmath.mpf(power.numerator) / power.denominator) * 10**DIGITS), 10**DIGITS)

    with mpmath.workdps(DIGITS + 20):
        side = list(
            takewhile(bool, map(weight, count(1) if "bound" not in noise else range(1, int(noise["bound"]) + 1)))
        )
    return [*reversed(side), Fraction(1), *side]


def releases(rounds, **value):
    """What is released together, one after the other: the counts (n, q, k) of single bits that one record changes."""
    found = []
    for kind in rounds:
        given = {**kind, **value}
        if "noise" in given and "share" not in given:
            found += [[(masses(given["noise"]), int(given["sensitivity"]))]] * int(given.get("times", 1))
            continue
        if pairs := listed(given):
            found += [[(pairs,)]] * int(given.get("times", 1))
            continue
        ones, categories = int(given.get("ones", 1)), int(given.get("categories", 0))
        number = 1 if not categories else ones if given["neighbours"] == "delete" else 2 * min(ones, categories - ones)
        if "at_most" in given:
            most = int(given["at_most"])
            number = most if given["neighbours"] == "delete" else min(2 * most, categories)
        one = int(given["n"]), Fraction(given["q"]), int(given["k"])
        found += [[one] * number] * int(given.get("times", 1))
    return found


def holds(question, lower, upper):
    """Whether the answer to the question lies between two rationals; None: nothing is said of that end."""
    if lower is None or upper is None:
        return promised(question, upper if lower is None else lower)
    what = question["what"]
    if what == "delta":
        low, high = limits(question)
        return delta(question, high) >= lower and delta(question, low) <= upper
    if what == "local_q":
        return local(question, lower) > 0 >= local(question, upper)
    name = {"epsilon": "epsilon", "least_q": "q", "least_n": "n", "most_k": "k"}[what]
    target, fails, works = Fraction(question["delta"]), *((upper, lower) if what == "most_k" else (lower, upper))
    least = 1 if what == "least_n" else 0
    high = limits(question, **{name: fails})[1] if fails > least else None
    low = limits(question, **{name: works})[0]
    return (fails <= least or delta(question, high, **{name: fails}) > target) and (
        delta(question, low, **{name: works}) <= target
    )


def promised(question, end):
    """Whether a promise about rounds is kept: delta at most this, or the target kept at this parameter."""
    what = question["what"]
    if what == "delta":
        return delta(question, limits(question)[0]) <= end
    name = {"epsilon": "epsilon", "least_q": "q", "least_n": "n", "most_rounds": "times"}[what]
    return delta(question, limits(question, **{name: end})[0], **{name: end}) <= Fraction(question["delta"])


def local(question, q):
    """The local bound less lambda."""
    with mpmath.workdps(80):
        n, k, bits = (int(question[name]) for name in ("n", "k", "bits"))
        spread = mpmath.mpf(q.numerator) / q.denominator
        variance = ((1 / (spread * (1 - spread)) - 3) ** bits - 1) / (k * n)
        z = Fraction(question["sigmas"])
        reach = mpmath.mpf(z.numerator) / z.denominator * mpmath.sqrt(variance)
        bound = (1 + reach) ** k if question["sides"] == 1 else 1 / (1 - reach)
        low, _ = limits(question)
        return bound - mpmath.mpf(low.numerator) / low.denominator
