"""Ranges of datasets that cover all of them, with the bounds that Coq's checker will compute (``check`` of check.v)."""

from __future__ import annotations

import math
from fractions import Fraction

from dpcalc.certificates import whole_numbers
from dpcalc.certificates.whole_numbers import EXACTLY, Block, Precision, Setting
from dpcalc.errors import Undecided
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import last_where
from dpcalc.worst.datasets import Datasets

_FEW = 400  # up to so many reports everything is exact
_SPARE = 50  # bits of precision, besides those of delta
_NARROW = Fraction(1, 10**12)  # relative width of the bounds that choose the blocks
_STEPS = 10**9  # all laws together may have so many masses


def covered(asked: Setting, goal: Fraction, ends: Enclosure, times: int = 1) -> tuple[Precision, Fraction, list[Block]]:
    """The precision, the bound that is proven for all datasets, and the blocks.

    Args:
        asked: n, k, q and lambda.
        goal: the bound of delta that each block should reach.
        ends: the ends of the answer, for the error.
        times: how many such bounds are needed together.

    Raises:
        Undecided: there are too many reports.
    """
    n, k = asked.n, asked.k
    at = EXACTLY
    if k * n > _FEW:
        room = _SPARE + 16 + 2 * (k * n).bit_length() + max(0, -_exponent(goal))
        at = Precision(room, 1 << 16)
        width = 2 * math.sqrt(2 * 0.7 * room * float(asked.q * (1 - asked.q)) * n * k) + 2 * room
        if 2 * width * n * k * times > _STEPS:
            raise Undecided("too many reports for sums in whole numbers", ends)
    blocks = _blocks(asked, goal)
    a, b = asked.q.numerator, asked.q.denominator - asked.q.numerator
    ones = whole_numbers.sweep(at, b, a, [k * low for low, _ in blocks])
    zeros = whole_numbers.sweep(at, a, b, [k * (n - 1 - high) for _, high in reversed(blocks)])
    laws = zip(ones, reversed(list(zeros)), strict=True)
    return at, max(whole_numbers.bounded(asked, whole_numbers.together(x, y)) for x, y in laws), blocks


def _exponent(x: Fraction) -> int:
    return x.numerator.bit_length() - x.denominator.bit_length()


def _blocks(asked: Setting, goal: Fraction) -> list[Block]:
    """Ranges that cover 0, ..., n - 1, each as long as its bound stays within the goal; shorter ones bound better."""
    limit, found, low = Limit.of(lam=asked.lam), list[Block](), 0

    def within(high: int) -> bool:
        pool = Datasets.symmetric(asked.q, asked.k, low + asked.n - 1 - high).pair(low)
        return pool.divergence(limit, rtol=_NARROW).upper <= goal

    while low < asked.n:
        found.append((low, last_where(within, low + 1, asked.n - 1, near=low + 1)))
        low = found[-1][1] + 1
    return found
