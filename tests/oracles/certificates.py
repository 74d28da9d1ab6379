"""Whether what a certificate says is so: every dataset summed up by its definition, e^epsilon by mpmath."""

from fractions import Fraction

import mpmath

from tests.oracles.scan import deltas

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
    n, q, k = int(given["n"]), Fraction(given["q"]), int(given["k"])
    found = deltas(n, q, k, lam)
    if "ones" not in given:
        return max(found)
    return max(found[int(given["ones"])], found[n - 1 - int(given["ones"])])


def holds(question, lower, upper):
    """Whether the answer to the question lies between two rationals."""
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
