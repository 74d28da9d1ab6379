r"""Two laws of the reports of sampled clients, listed exactly.

A client reports with probability gamma, k reports that are 1 with probability x each: with u for a client that reports
and z for a one, it is 1 - gamma + gamma u (1 - x + x z)^k. The coefficients of a product of such polynomials are the
chances of t clients and s ones; with u = 1 those of s ones alone. With u = z^D, D above every s, both are coefficients
of one polynomial in z.

delta is the sum of all positive parts, in any order. Where k = 1 and the number t of clients is seen, the ratio P_1/P_0
grows with s for every t (proof notes, A8): the positive parts of each t are those up to some s, or from some s on, and
it is found by bisection.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm

from flint import fmpz_poly

from dpcalc.numbers.enclosure import Enclosure


@dataclass(frozen=True, slots=True)
class SampledPair:
    """P_0 and P_1: the clients that do not change, and one that holds 0 or 1.

    Attributes:
        own: the chance that a report is 1 if the bit is 0, and if it is 1.
        k: the reports of a client that reports.
        share: gamma.
        ones, zeros: how many of the others hold each.
        numbered: whether the number of clients that report is seen.
    """

    own: tuple[Fraction, Fraction]
    k: int
    share: Fraction
    ones: int
    zeros: int
    numbered: bool

    def excesses(self, lam: Enclosure) -> tuple[Enclosure, Enclosure]:
        """delta of P_0 over P_1 and of P_1 over P_0, exact for a single lambda."""
        low = self._at(lam.lower)
        high = low if lam.exact else self._at(lam.upper)
        return Enclosure(high[0], low[0]), Enclosure(high[1], low[1])

    def _at(self, lam: Fraction) -> tuple[Fraction, Fraction]:
        zero, one, whole = _laws(self)
        a, b = lam.numerator, lam.denominator
        if self.numbered and self.k == 1:
            ahead = back = 0
            for t in range(self.gap):  # clients report: the weights of s = 0, ..., t; for t = 0 both laws are equal
                p, q = (law[t * self.gap : t * self.gap + t + 1] for law in (zero, one))
                ahead += _falling(p, q, a, b)
                back += _falling(q[::-1], p[::-1], a, b) if t else 0
        else:
            ahead = sum(max(0, b * p - a * q) for p, q in zip(zero, one, strict=True))
            back = sum(max(0, b * q - a * p) for p, q in zip(zero, one, strict=True))
        return Fraction(ahead, b * whole), Fraction(back, b * whole)

    @property
    def gap(self) -> int:
        """D: more than all s there are."""
        return (self.ones + self.zeros + 1) * self.k + 1


@lru_cache(maxsize=128)
def _laws(pair: SampledPair) -> tuple[list[int], list[int], int]:
    """Integer weights of all outcomes under both laws, and their common denominator."""
    each = lcm(*(x.denominator for x in pair.own))
    whole = pair.share.denominator * each**pair.k
    silent = fmpz_poly([int((1 - pair.share) * whole)])
    reporting = fmpz_poly([0] * (pair.gap if pair.numbered else 0) + [pair.share.numerator])  # gamma u
    zero, one = (silent + reporting * fmpz_poly([int((1 - x) * each), int(x * each)]) ** pair.k for x in pair.own)
    others = one**pair.ones * zero**pair.zeros
    laws = [[int(x) for x in (others * own).coeffs()] for own in (zero, one)]
    return laws[0], laws[1], whole ** (pair.ones + pair.zeros + 1)


def _falling(likely: list[int], unlikely: list[int], a: int, b: int) -> int:
    """The sum of the positive b p - a q, where p/q falls."""
    count = bisect_left(range(len(likely)), True, key=lambda s: b * likely[s] <= a * unlikely[s])
    return b * sum(likely[:count]) - a * sum(unlikely[:count])
