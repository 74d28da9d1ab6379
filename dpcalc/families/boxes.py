r"""The largest delta of a few counts over all their datasets, by branch and bound over boxes of them.

Count t has m_t ones among N_t others. In a box l_t <= m_t <= h_t, delta is at most that of the product of the pairs
with l_t ones and N_t - h_t zeros: it lacks the reports that differ within the box, and adding them is post-processing,
once for each count. A box is cut in two across its widest side (``search.best_first``). Counts that must have equal m
share one side. Some sides must rise: m is at most that of the next one. What has no such dataset is cut off.

Everything is done in doubles with counted errors (``losses.product``). The work is limited beforehand: if it runs out,
the largest bound left is returned.

Source: proof notes, C15 and A3.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from types import ModuleType
from typing import Any

from dpcalc.families.bits import Bits
from dpcalc.losses import listed_product
from dpcalc.losses.listed_product import FARTHEST, length
from dpcalc.numbers.arrays import arrays
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import best_first

FAINTEST = 1e-240  #: the least delta that doubles hold

_STEEPEST = 300.0  # the largest epsilon that doubles serve
_START = 100.0  # nats below the mode down to which outcomes are listed at first
_TABLE = 5_000  # outcomes of a product take as long as listing a pair
_WITHOUT_ARRAYS = 20  # times as long an outcome takes in lists
_MOST = 400_000  # outcomes of a product
_QUICK = 640
_SHORT = 4_000  # outcomes of a pair, up to which convolutions take less than a millisecond
_DEAR, _FASTER = 300_000_000, 500  # products of a convolution, and how many of them take as long as an outcome
_WORK = 60_000_000  # outcomes looked at in all: some 2 s
_SPARE = 30.0  # nats that what is left out lies below delta
_RAREST = Fraction(1, 1 << 900)  # a chance, or what it is short of 1
_KEPT = 4_000  # pairs

#: For every side the least and the largest m.
_Box = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """Bounds of the largest delta.

    Attributes:
        lower, upper: of the largest delta; ``upper`` is 1 where nothing was proven.
        ones: for each count, side by side, the m of datasets that attain ``lower``.
    """

    lower: float
    upper: float
    ones: tuple[int, ...]


class Boxes:
    """Datasets of a few counts.

    Args:
        sides: the counts that share one m, each in one direction.
        rising: of each side but the last, whether its m is at most that of the next.
    """

    def __init__(self, sides: Sequence[tuple[Bits, ...]], rising: Sequence[bool]) -> None:
        self._sides, self._rising = tuple(sides), tuple(rising)
        self._reach, self._work = _START, 0.0
        self._made: set[Any] = set()

    @property
    def _longest(self) -> tuple[float, float]:
        """How many outcomes a count has at most, and how many of a product are looked at one by one; about."""
        sizes = sorted(length(x.own[0], x.k * (x.others + 1), _START) for side in self._sides for x in side)
        return sizes[-1], math.prod(sizes[:-1])

    @property
    def served(self) -> bool:
        """Whether the products are short enough to be listed."""
        return self._longest[1] <= affordable(_MOST)

    @property
    def cheap(self) -> bool:
        """Whether datasets of ones and zeros, whose laws take a convolution, are short enough too."""
        each, together = self._longest
        return each <= _SHORT and together <= affordable(_MOST) / 2

    @property
    def quick(self) -> bool:
        """Whether all datasets most likely take less time than the lattice."""
        return self.cheap and self._longest[1] <= _QUICK

    def attained(self, limit: Limit) -> Found | None:
        """A good dataset; None where lambda or a chance is too extreme for doubles."""
        rarest = min(min(x.own[0], 1 - x.own[1]) for side in self._sides for x in side)
        if limit.steer() > _STEEPEST or rarest < _RAREST:
            return None
        lam = doubles(limit)
        for _ in range(3):  # list outcomes farther out until those left out are faint beside delta
            found = max((self._point(at, lam) for at in self._corners()), key=_lower)
            needed = _SPARE + limit.steer() - math.log(max(found.lower, FAINTEST))
            if needed <= self._reach:
                break
            self._reach = min(needed + 2, FARTHEST)
        return found

    def bounded(
        self,
        limit: Limit,
        start: Found,
        *,
        level: float | None,
        rtol: float,
        work: int = _WORK,
        progress: Callable[[float], None] | None = None,
    ) -> Found:
        """Bounds with ``upper`` at most ``level``, or at most ``lower`` (1 + rtol), unless that takes more ``work``.

        The search stops at a dataset above the level; then nothing is proven of the others.
        """
        lam, best, top, most = doubles(limit), start, start.upper, affordable(work)
        self._work = 0.0

        def above() -> bool:
            return level is not None and best.lower > level

        def more(_: _Box) -> bool:
            if progress:
                progress(min(self._work / most, 1.0) if most else 1.0)
            return self._work < most and not above()

        def parts(box: _Box) -> Iterator[tuple[float, _Box]]:
            nonlocal best, top
            for part in self._halves(box):
                if all(low == high for low, high in part):
                    point = self._point([m for m, _ in part], lam)
                    best, top = max(best, point, key=_lower), max(top, point.upper)
                elif (ceiling := self._product(part, lam)[1]) > best.lower:
                    yield ceiling, part

        whole = tuple((0, side[0].others) for side in self._sides)
        left = best_first(
            [(1.0, whole)], parts, enough=lambda: best.lower * (1 + rtol) if level is None else level, more=more
        )
        bound = 1.0 if above() else max(top, best.upper, *(ceiling for ceiling, _ in left[:1]))
        return Found(best.lower, bound, best.ones)

    def _halves(self, box: _Box) -> Iterator[_Box]:
        """The two halves across the widest side, without what is no dataset."""
        widest = max(range(len(box)), key=lambda i: box[i][1] - box[i][0])
        middle = sum(box[widest]) // 2
        for part in ((box[widest][0], middle), (middle + 1, box[widest][1])):
            lows, highs = map(list, zip(*box[:widest], part, *box[widest + 1 :], strict=True))
            for i, rising in enumerate(self._rising):
                lows[i + 1] = max(lows[i : i + 2]) if rising else lows[i + 1]
            for i, rising in reversed([*enumerate(self._rising)]):
                highs[i] = min(highs[i : i + 2]) if rising else highs[i]
            if all(low <= high for low, high in zip(lows, highs, strict=True)):
                yield tuple(zip(lows, highs, strict=True))

    def _corners(self) -> Iterator[list[int]]:
        for i in range(len(self._sides) + 1):
            yield [0 if j < i else side[0].others for j, side in enumerate(self._sides)]

    def _point(self, ones: Sequence[int], lam: tuple[float, float]) -> Found:
        each = tuple(m for m, side in zip(ones, self._sides, strict=True) for _ in side)
        return Found(*self._product(tuple((m, m) for m in ones), lam), each)

    def _product(self, box: _Box, lam: tuple[float, float]) -> tuple[float, float]:
        """The ends of delta without the reports that differ within the box; the lower end is 0 if more were dropped."""
        sides = zip(self._sides, box, strict=True)
        pairs = [self._pair(x, low, x.others - high) for side, (low, high) in sides for x in side]
        self._work += 200 + math.prod(sorted(len(pair.p) for pair, _ in pairs)[:-1])
        low, high = products().divergence([pair for pair, _ in pairs], lam)
        return (low if all(whole for _, whole in pairs) else 0.0), high

    def _pair(self, x: Bits, ones: int, zeros: int) -> tuple[Any, bool]:
        """A pair, and whether it has all these reports: an expensive one drops some of the bit that hides less."""
        counts = [zeros, ones]
        sizes = [length(a, x.k * count, self._reach) for a, count in zip(x.own, counts, strict=True)]
        dear, most = math.prod(sizes), affordable(_DEAR)
        if dear > most:
            fewer = sizes.index(min(sizes))
            counts[fewer] = int(counts[fewer] * (most / dear) ** 2)
        key = x.own, x.k, counts[1], counts[0], self._reach
        if key not in self._made:
            self._made.add(key)
            self._work += _TABLE + min(dear, most) / _FASTER
        return _listed(*key, arrays()), dear <= most


def products() -> ModuleType:
    """Products of pairs in arrays, or in lists where numpy is missing."""
    if arrays():
        from dpcalc.losses import product  # and numpy with it

        return product
    return listed_product


def affordable(most: int) -> int:
    """The most work that is allowed: less where numpy is missing."""
    return most if arrays() else most // _WITHOUT_ARRAYS


def doubles(limit: Limit) -> tuple[float, float]:
    """Doubles below and above lambda."""
    ends = limit.ends
    return math.nextafter(float(ends.lower), 0.0), math.nextafter(float(ends.upper), math.inf)


def _lower(found: Found) -> float:
    return found.lower


@lru_cache(maxsize=_KEPT)
def _listed(own: tuple[Fraction, Fraction], k: int, ones: int, zeros: int, reach: float, arrays: bool) -> Any:
    return products().outcomes(own, k, ones, zeros, reach=reach)
