"""A person who takes part in some of many rounds: every choice of rounds and of datasets, by what was seen."""

from fractions import Fraction
from math import comb


def pair(n, q, ones):
    """The laws of the count of n bits, ``ones`` of the others 1, the changed bit 0 or 1."""

    def law(holders):
        return {
            s: sum(
                comb(holders, j) * (1 - q) ** j * q ** (holders - j)
                * comb(n - holders, s - j) * q ** (s - j) * (1 - q) ** (n - holders - s + j)
                for j in range(max(0, s - n + holders), min(holders, s) + 1)
            )
            for s in range(n + 1)
        }  # fmt: skip

    return law(ones), law(ones + 1)


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
