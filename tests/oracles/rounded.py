"""Numbers rounded to bits and reported with lies: every rounding and every report, in fractions."""

from fractions import Fraction
from itertools import product


def law(numbers, q, k):
    """The law of the pooled count."""
    found = {}
    for bits in product((0, 1), repeat=len(numbers)):
        chance = Fraction(1)
        for bit, x in zip(bits, numbers, strict=True):
            chance *= x if bit else 1 - x
        if not chance:
            continue
        for lies in product((0, 1), repeat=k * len(numbers)):
            told = [bit ^ lie for bit, lie in zip([b for b in bits for _ in range(k)], lies, strict=True)]
            likely = chance * q ** sum(lies) * (1 - q) ** (len(lies) - sum(lies))
            found[sum(told)] = found.get(sum(told), Fraction(0)) + likely
    return found


def delta(grid, n, q, k, lam):
    """The largest over all numbers of a grid, of all people and of the one that changes."""
    worst = Fraction(0)
    for others in product(grid, repeat=n - 1):
        laws = [law((*others, x), q, k) for x in grid]
        for first in laws:
            for second in laws:
                worst = max(worst, sum(max(Fraction(0), p - lam * second[s]) for s, p in first.items()))
    return worst
