"""Integer noise by its definition: dictionaries from integers to fractions, every shift and both signs."""

from fractions import Fraction
from math import comb


def binomial(trials, p):
    return {x: comb(trials, x) * p**x * (1 - p) ** (trials - x) for x in range(trials + 1)}


def geometric(ratio, bound):
    weights = {x: ratio ** abs(x) for x in range(-bound, bound + 1)}
    return {x: weight / sum(weights.values()) for x, weight in weights.items()}


def listed(masses):
    return {x: Fraction(mass) for x, mass in enumerate(masses) if Fraction(mass)}


def divergence(pmf, c, lam):
    """sum_s [f(s) - lambda f(s - c)]_+."""
    return sum(max(Fraction(0), mass - lam * pmf.get(s - c, Fraction(0))) for s, mass in pmf.items())


def delta(pmf, sensitivity, lam):
    """The largest over every change of the count by at most the sensitivity."""
    changes = [c for c in range(-sensitivity, sensitivity + 1) if c]
    return max(divergence(pmf, c, lam) for c in changes)


def beyond(pmf, sensitivity):
    """The largest probability of outcomes that the other count never shows."""
    changes = [c for c in range(-sensitivity, sensitivity + 1) if c]
    return max(sum(mass for s, mass in pmf.items() if s - c not in pmf) for c in changes)


def sampled(bits, pmf, share):
    """The law of a noisy count to which each of these bits is added with this probability, record by record."""
    for bit in bits:
        after = {}
        for s, mass in pmf.items():
            after[s] = after.get(s, 0) + (1 - share) * mass
            after[s + bit] = after.get(s + bit, 0) + share * mass
        pmf = after
    return pmf
