r"""Two laws of the reports of sampled clients, listed exactly.

A client reports with probability gamma, k reports that are 1 with probability x each: with u for a client that reports
and z for a one, it is 1 - gamma + gamma u (1 - x + x z)^k. The coefficients of a product of such polynomials are the
chances of t clients and s ones; with u = 1 those of s ones alone. With u = z^D, D above every s, both are coefficients
of one polynomial in z.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import lcm

from flint import fmpz_poly

from dpcalc.pairs.listed import ListedPair


@lru_cache(maxsize=128)
def sampled(
    own: tuple[Fraction, Fraction], k: int, share: Fraction, numbered: bool, others: int, ones: int
) -> ListedPair:
    """A client that holds 0, over one that holds 1, beside clients that do not change.

    Args:
        own: the chance that a report is 1 if the bit is 0, and if it is 1.
        k: the reports of a client that reports.
        share: gamma.
        numbered: whether the number of clients that report is seen.
        others: how many clients do not change.
        ones: how many of them hold 1.
    """
    each = lcm(*(x.denominator for x in own))
    whole, gap = share.denominator * each**k, (others + 1) * k + 1
    silent = fmpz_poly([int((1 - share) * whole)])
    reporting = fmpz_poly([0] * (gap if numbered else 0) + [share.numerator])  # gamma u
    zero, one = (silent + reporting * fmpz_poly([int((1 - x) * each), int(x * each)]) ** k for x in own)
    beside = zero ** (others - ones) * one**ones
    laws = (map(int, (beside * changed).coeffs()) for changed in (zero, one))
    return ListedPair.sorted(zip(*laws, strict=True), whole ** (others + 1))
