r"""Upper bounds of delta over all datasets at many limits at once, where the counts spread little.

For m_0 <= m <= m_1 ones among the N others, delta_m is at most delta of the pair with m_0 ones and N - m_1 zeros, at
every limit (the lemma of ``datasets``). The outcomes of such a pair are listed once (``tilted_tail``) and serve all
limits. Chernoff's bound cuts off those m that are no worse than an end. Ranges are halved where their bound exceeds the
largest delta seen by more than the width asked for, and there only; when so many outcomes have been listed, what is
left counts as it is. At every moment each m lies in a range whose bound counts, or is cut off.

Source: proof notes, C23.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappop, heappush
from itertools import pairwise
from typing import TypeAlias

from flint import arb

from dpcalc.numbers.ball import LEAST_HELD, enclosure_of, working_precision
from dpcalc.numbers.limit import Limit
from dpcalc.rounds.listed_product import side
from dpcalc.rounds.tilted_tail import Tail, Tilt
from dpcalc.worst.circle import CommonTilt, TooMany
from dpcalc.worst.datasets import Datasets
from dpcalc.worst.ranges import ranges

__all__ = ["bounds", "outcomes"]

_LEAST = 1e-200  # weight of one outcome of the changed record, far within the range of doubles
_MANY = 10_000  # records, from which on it pays to look which compositions are cut off
_MOST_FIRST = 500  # ranges to start with
_MOST_LISTED = 20_000  # outcomes of one pair: a tenth of a second
_OVERHEAD = 200  # what a pair costs besides, in these
_PRECISION = 128  # bits, of which logs of many reports lose some
_REACH = 40.0  # nats


@dataclass
class _Asked:
    """One limit.

    Attributes:
        limit: lambda.
        lam: doubles around it.
        width: how far above the largest delta seen a bound may be, as a logarithm.
        best: the log of the largest delta seen, about; it steers.
        bound: of all ranges so far; None if it is not served.
        low, high: which m are left: no other is above the bound.
    """

    limit: Limit
    lam: tuple[float, float]
    width: float
    best: float = -math.inf
    bound: arb | None = field(default_factory=arb)
    low: int = 0
    high: int = 0


#: A limit at which a range is above what is asked for, and t and v of its bound.
_Waiting: TypeAlias = tuple[_Asked, int, float]


def outcomes(datasets: Datasets) -> float:
    """How many outcomes of a pair are listed, about."""
    reports, q = datasets.k * (datasets.others + 1), float(datasets.q)
    return min(float(reports), _spread(reports * q * (1 - q))) + 1


def _spread(variance: float) -> float:
    """How many outcomes lie where they matter, about."""
    return 4 * side(variance, _REACH)


def bounds(
    datasets: Datasets, asked: Sequence[tuple[Fraction, Fraction]], centre: Fraction, *, most: int, left: bool
) -> list[Fraction | None]:
    """At or above delta over all datasets, for each (epsilon, relative width); None where it is not served.

    Args:
        datasets: of one round.
        asked: epsilons > 0 below the local epsilon, and about how sharp.
        centre: the epsilon about which most of them lie.
        most: how many outcomes are listed in all: a million in some 2 s.
        left: whether bounds that are not sharp by then are to be left out.
    """
    tilt = Tilt.near(datasets.q, datasets.k, datasets.pair(0).laws.tilt(Limit.exp(centre)))
    if min(map(min, tilt.own)) < _LEAST:
        return [None] * len(asked)
    limits = [(Limit.exp(x), math.log1p(width)) for x, width in asked]
    search = _Search(datasets, tilt, [_Asked(limit, _doubles(limit), width) for limit, width in limits])
    with working_precision(_PRECISION):
        search.run(_first(datasets, Limit.exp(centre), asked), most, left)
        return [None if limit.bound is None else _end(limit.bound) for limit in search.limits]


class _Search:
    """Ranges of m, halved where one of the limits asks for it."""

    def __init__(self, datasets: Datasets, tilt: Tilt, limits: list[_Asked]) -> None:
        self._datasets, self._tilt, self._others, self.limits, self._listed = datasets, tilt, datasets.others, limits, 0
        self._above: list[tuple[float, int, int, list[_Waiting]]] = []

    def run(self, first: Sequence[tuple[int, int]], most: int, left: bool) -> None:
        """The range that is farthest above what is asked for is halved, as long as there are outcomes left."""
        for limit in self.limits:
            limit.high = self._others
        for m in (0, self._others):
            self._look(m, self.limits)
        for limit in self.limits if self._others > _MANY else ():
            if limit.bound is not None and limit.bound > 0:
                limit.low, limit.high = self._datasets.above(limit.limit, _end(limit.bound))
        for low, high in first:
            self._bound(low, high, self.limits)
        while self._above and self._listed < most:
            *_, low, high, waiting = heappop(self._above)
            middle, limits = (low + high) // 2, [limit for limit, _, _ in waiting]
            self._look(middle, limits)  # so that the best is known
            limits = self._still(low, high, waiting)
            if limits:
                self._bound(low, middle, limits)
                self._bound(middle + 1, high, limits)
        for *_, low, high, waiting in self._above:
            for limit, t, value in waiting:
                if left:
                    limit.bound = None
                self._count(limit, low, high, t, value)

    def _still(self, low: int, high: int, waiting: Sequence[_Waiting]) -> list[_Asked]:
        """Those limits at which the bound of a range is still too high; for the others it counts."""
        found = []
        for limit, t, value in waiting:
            if self._size(low, high, t, value) > limit.best + limit.width:
                found.append(limit)
            else:
                self._count(limit, low, high, t, value)
        return found

    def _size(self, low: int, high: int, t: int, value: float) -> float:
        """The logarithm of a bound, about."""
        return self._tilt.log_front(low, self._others - high, t) + math.log(value) if value else -math.inf

    def _look(self, m: int, limits: Sequence[_Asked]) -> None:
        """So large delta is at m, where that is seen."""
        for limit, above in self._tail(m, m, limits):
            if above is not None:
                limit.best = max(limit.best, self._size(m, m, *above))
                self._count(limit, m, m, *above)

    def _bound(self, low: int, high: int, limits: Sequence[_Asked]) -> None:
        """The bound of a range counts at the limits where it is low enough; for the others it waits to be halved."""
        failed, most = [], 0.0
        for limit, above in self._tail(low, high, limits):
            if above is None:
                limit.bound = None
            elif low < high and (over := self._size(low, high, *above) - limit.best) > limit.width:
                failed.append((limit, *above))
                most = max(most, over / limit.width)
            else:
                self._count(limit, low, high, *above)
        if failed:
            heappush(self._above, (-most, low, high, failed))

    def _tail(self, low: int, high: int, limits: Sequence[_Asked]) -> list[tuple[_Asked, tuple[int, float] | None]]:
        """t and v of the bound of a range, at the limits at which it is not cut off; None where nothing is proven."""
        ones, zeros = low, self._others - high
        left = [limit for limit in limits if limit.bound is not None and low <= limit.high and limit.low <= high]
        if not left or _spread(self._tilt.variance(ones, zeros)) > _MOST_LISTED:  # ones may spread far more than zeros
            return [(limit, None) for limit in left]
        tail = Tail(self._tilt, ones, zeros)
        self._listed += len(tail) + _OVERHEAD
        return [(limit, tail.upper(limit.lam)) for limit in left]

    def _count(self, limit: _Asked, low: int, high: int, t: int, value: float) -> None:
        if limit.bound is not None:
            limit.bound = limit.bound.max(self._tilt.front(low, self._others - high, t) * value)


def _first(datasets: Datasets, limit: Limit, asked: Sequence[tuple[Fraction, Fraction]]) -> list[tuple[int, int]]:
    """The ranges to start with: those that most likely do at one limit, or ever wider ones."""
    ends, others = limit.ends, datasets.others
    saddle = CommonTilt.of(datasets.q, datasets.k, datasets.k * (others + 1), (ends.lower, ends.upper))
    with suppress(TooMany):
        if saddle is not None:
            return list(zip(*ranges(saddle, others, float(min(width for _, width in asked)), _MOST_FIRST), strict=True))
    starts = [0, *(1 << i for i in range(others.bit_length()))]
    return [(low, high - 1) for low, high in pairwise([*starts, others + 1])]


def _doubles(limit: Limit) -> tuple[float, float]:
    """Around lambda."""
    ends = limit.ends
    return math.nextafter(float(ends.lower), 0.0), math.nextafter(float(ends.upper), math.inf)


def _end(bound: arb) -> Fraction:
    """A rational at or above it, and not too small to be held."""
    return min(enclosure_of(bound.max(LEAST_HELD)).upper, Fraction(1))
