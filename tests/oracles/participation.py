"""A person who takes part in some of many rounds: every choice of rounds and of datasets, by what was seen."""

from fractions import Fraction
from functools import cache

from tests.oracles.asymmetric import count


@cache
def pair(n, q, ones):
    """The laws of the count of n bits, ``ones`` of the others 1, the changed bit 0 or 1."""
    return [count((1,) * m + (0,) * (n - m), 1 - q, q, 1) for m in (ones, ones + 1)]


def strategy(n, q, rounds, most, lam):
    """The largest delta of so many rounds, of which ``most`` may be taken part in."""
    best = max(Fraction(0), 1 - lam)
    if not rounds:
        return best
    best = max(best, strategy(n, q, rounds - 1, most, lam))  # skipped: both datasets look alike
    if most:
        for ones in range(n):
            for one, other in (pair(n, q, ones), pair(n, q, ones)[::-1]):
                reached = sum(p * strategy(n, q, rounds - 1, most - 1, lam * other[s] / p) for s, p in one.items())
                best = max(best, reached)
    return best
