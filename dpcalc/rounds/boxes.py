r"""The best datasets fixed in advance for a few counts, by branch and bound over boxes of them.

Count t has m_t ones among N_t others. In a box l_t <= m_t <= h_t, delta is at most that of the product of the pairs
with l_t ones and N_t - h_t zeros: reports that differ within the box are dropped, which is post-processing (the lemma
of ``datasets``, once for each count). The box with the largest bound is cut in two across its widest side, until no
bound exceeds a level. Counts of equal n, q, k may change places: only boxes with rising m are kept. Two counts that
must have equal m, as those of one-hot records of two categories, share one side.

Everything is done in doubles with counted errors (``losses.product``). How long it takes is known beforehand: what is
not settled within so many outcomes is left to the lattice.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any

from dpcalc.losses.in_doubles import EVERY, FAINTEST, START, STEEPEST, TABLE, affordable, doubles, products
from dpcalc.losses.listed_product import FARTHEST, length
from dpcalc.numbers.limit import Limit
from dpcalc.rounds.release import Release
from dpcalc.worst.datasets import Datasets

_MOST_COUNTS = 3
_MOST = 400_000  # outcomes of a product
_QUICK = 400
_SHORT = 4_000  # outcomes of a pair, up to which convolutions take less than a millisecond
_LARGEST_K = 1000
_FARTHEST_ODDS = 2.0**900
_WORK = 60_000_000  # outcomes looked at in all: some 2 s
_SPARE = 30.0  # nats that what is left out lies below delta

#: For every side the least and the largest m.
_Box = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """Bounds of the largest delta.

    Attributes:
        lower, upper: of the largest delta; ``upper`` is 1 where nothing was proven.
        ones: for each side the m of datasets that attain ``lower``.
    """

    lower: float
    upper: float
    ones: tuple[int, ...]


class Boxes:
    """Datasets of a few counts.

    Args:
        sides: the pairs of a side, and how many counts share its m.
    """

    def __init__(self, sides: Sequence[tuple[Datasets, int]]) -> None:
        self._sides = tuple(sides)
        self._reach, self._work = START, 0
        self._tables: dict[tuple[Datasets, int, int], Any] = {}

    @classmethod
    def of(cls, kinds: Sequence[tuple[Release, int]]) -> Boxes | None:
        """Of what is released; None where it is not served."""
        if sum(release.counts * times for release, times in kinds) > _MOST_COUNTS:
            return None
        if any(release.counts > (2 if release.tied else 1) for release, _ in kinds):
            return None
        for x in (release.datasets for release, _ in kinds):
            if x.k > affordable(_LARGEST_K) or x.q * Fraction(_FARTHEST_ODDS) < 1:
                return None
        sides = [(release.datasets, release.counts) for release, times in kinds for _ in range(times)]
        return cls(sides) if cls(sides)._longest[1] <= affordable(_MOST) else None

    @property
    def _longest(self) -> tuple[float, float]:
        """How many outcomes a count has at most, and how many of a product are looked at one by one; about."""
        sizes = sorted(length(x.q, x.k * (x.others + 1), START) for x, times in self._sides for _ in range(times))
        return sizes[-1], math.prod(sizes[:-1])

    @property
    def cheap(self) -> bool:
        """Whether other datasets than those with all ones and all zeros are, which take no convolution."""
        each, together = self._longest
        return each <= _SHORT and together <= affordable(_MOST) / 2

    @property
    def quick(self) -> bool:
        """Whether all of them most likely take less than the lattice."""
        return self.cheap and self._longest[1] <= _QUICK

    def attained(self, limit: Limit) -> Found | None:
        """A good dataset; None where doubles do not serve."""
        if limit.steer() > STEEPEST:
            return None
        lam = doubles(limit)
        for _ in range(3):
            found = max((self._point(ones, lam) for ones in self._corners()), key=_lower)
            needed = _SPARE + limit.steer() - math.log(max(found.lower, FAINTEST))
            if needed <= self._reach:
                break
            self._reach = min(needed + 2, FARTHEST)
            self._tables.clear()
        return None if found.lower <= FAINTEST else found

    def bounded(self, limit: Limit, start: Found, *, level: float | None, rtol: float, work: int = _WORK) -> Found:
        """No dataset is above ``upper``: at most ``level``, or ``lower`` (1 + rtol), unless that takes more ``work``.

        Only where it is ``cheap``.
        """
        lam, best, self._work = doubles(limit), start, 0
        heap: list[tuple[float, _Box]] = [(-1.0, tuple((0, x.others) for x, _ in self._sides))]
        top, seen = best.upper, 0
        while heap and self._work < affordable(work):
            enough = best.lower * (1 + rtol) if level is None else level
            if -heap[0][0] <= enough:
                break
            _, box = heappop(heap)
            seen += 1
            if seen % EVERY == 0:
                best = max(best, self._point([(low + high) // 2 for low, high in box], lam), key=_lower)
            widest = max(range(len(box)), key=lambda i: box[i][1] - box[i][0])
            low, high = box[widest]
            if low == high:
                point = self._point([m for m, _ in box], lam)
                best, top = max(best, point, key=_lower), max(top, point.upper)
                continue
            middle = (low + high) // 2
            for part in ((low, middle), (middle + 1, high)):
                cut = (*box[:widest], part, *box[widest + 1 :])
                if self._rising(cut) and (ceiling := self._ceiling(cut, lam)) > best.lower:
                    heappush(heap, (-ceiling, cut))
        return Found(best.lower, max(top, best.upper, -heap[0][0] if heap else 0.0), best.ones)

    def _rising(self, box: _Box) -> bool:
        """Whether equal counts may have rising m in it."""
        return all(
            self._sides[i] != self._sides[i + 1] or box[i][0] <= box[i + 1][1] for i in range(len(box) - 1)
        )  # fmt: skip

    def _corners(self) -> Iterator[list[int]]:
        for i in range(len(self._sides) + 1):
            yield [0 if j < i else x.others for j, (x, _) in enumerate(self._sides)]

    def _point(self, ones: Sequence[int], lam: tuple[float, float]) -> Found:
        pairs = [(x, times, m, x.others - m) for (x, times), m in zip(self._sides, ones, strict=True)]
        return Found(*self._product(pairs, lam), tuple(ones))

    def _ceiling(self, box: _Box, lam: tuple[float, float]) -> float:
        sides = zip(self._sides, box, strict=True)
        return self._product([(x, times, low, x.others - high) for (x, times), (low, high) in sides], lam)[1]

    def _product(
        self, sides: Sequence[tuple[Datasets, int, int, int]], lam: tuple[float, float]
    ) -> tuple[float, float]:
        pairs = [self._table(x, ones, zeros) for x, times, ones, zeros in sides for _ in range(times)]
        sizes = sorted(len(pair.p) for pair in pairs)
        self._work += 200 + math.prod(sizes[:-1])
        found: tuple[float, float] = products().divergence(pairs, lam)
        return found

    def _table(self, datasets: Datasets, ones: int, zeros: int) -> Any:
        key = datasets, ones, zeros
        if key not in self._tables:
            self._tables[key] = products().outcomes(datasets.q, datasets.k, ones, zeros, reach=self._reach)
            self._work += TABLE
        return self._tables[key]


def _lower(found: Found) -> float:
    return found.lower
