r"""The family of a histogram of asymmetric reports whose records are replaced: two counts, every dataset of both.

The record leaves a category that m of the N = n - 1 others hold, and enters one that e of them hold. Under P its bits
there are 1 and 0, under Q 0 and 1; the two counts are independent, and the others say nothing. The other direction is
the same with the two categories' names exchanged, so that all pairs (m, e) in one direction are all there is:

    m + e <= N, with equality if there are but two categories.

*Upper bounds.* In a box m_0 <= m <= m_1, e_0 <= e <= e_1 delta is at most that of the two counts without the reports
of those who differ within the box: m_0 ones and N - m_1 zeros, e_0 ones and N - e_1 zeros (proof notes, A3). The box
with the largest bound is cut in two across its wider side, until no bound exceeds a level, or so many outcomes were
looked at. Boxes that hold no dataset are left out. Everything is in doubles with counted errors (``losses.product``),
or in fractions where there is little to sum.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from heapq import heappop, heappush
from typing import Any

from dpcalc.errors import Undecided
from dpcalc.laws.pool import Pool
from dpcalc.losses.in_doubles import FAINTEST, START, STEEPEST, TABLE, affordable, doubles, products
from dpcalc.losses.listed_product import FARTHEST, length
from dpcalc.mechanisms.asymmetric import AsymmetricBits
from dpcalc.numbers.arrays import arrays
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import Promise
from dpcalc.pairs.family import OfMechanism, Progress, Width
from dpcalc.worst.datasets import HistogramDataset

_MOST_EXACT = 300_000  # terms that are summed in fractions
_SPARE = 12.0  # nats that what is left out lies below delta, beside those of the width
_RAREST = Fraction(1, 1 << 900)  # a chance, or what it is short of 1
_WORK = 50_000_000  # outcomes looked at in all: some seconds
_DEAR, _FASTER = 300_000_000, 500  # products of a convolution, and how many of them take as long as an outcome
_KEPT = 4_000  # counts

#: m and e.
_Counts = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class HistogramDelta(Promise):
    """An enclosure of delta, and the pair of datasets that attains its lower end."""

    dataset: HistogramDataset


@dataclass(frozen=True, slots=True)
class _Region:
    """All m and e between two ends, as far as they are datasets."""

    low: _Counts
    high: _Counts


@dataclass(frozen=True, slots=True)
class TwoCounts(OfMechanism[HistogramDelta]):
    """Every dataset; ``worst`` is one that may have the largest delta."""

    mechanism: AsymmetricBits
    worst: _Counts | None = None

    delta_width = Width("1e-3", "1e-9")
    epsilon_width = Width("1e-3", "1e-6")
    settles = True
    one_is_quick = True

    def delta(
        self, limit: Limit, *, rtol: Fraction, target: Fraction | None = None, progress: Progress | None = None
    ) -> HistogramDelta:
        """The largest delta; exact for a rational lambda where there is little to sum.

        Raises:
            Undecided: it is too faint for doubles.
        """
        if _within(self.mechanism, limit):
            return HistogramDelta(Fraction(0), Fraction(0), _named(next(_all(self.mechanism))))
        if limit.lam is not None and _terms(self.mechanism) <= _MOST_EXACT:
            best, at = max((_exact(self.mechanism, at, limit.lam), at) for at in _all(self.mechanism))
            return HistogramDelta(best, best, _named(at))
        return _OverTwoCounts(self.mechanism, limit, rtol, target).found(self.worst, progress).aimed(rtol)

    @property
    def spread(self) -> float:
        """The standard deviation of the loss, about: that of a Gaussian mechanism that changes two counts."""
        group = self.mechanism.group
        variance = group.n * group.k * min(float(a * (1 - a)) for a in group.chances)
        gap = float(group.own[1] - group.own[0]) * group.k
        return min(gap * math.sqrt(2 / max(variance, 1e-300)), float(self.highest))

    def pinned(self, found: Promise) -> TwoCounts:
        """With the dataset of a delta that was found, as far as another n has room for it."""
        if not isinstance(found, HistogramDelta):
            return self
        (m,), (e,) = found.dataset.left, found.dataset.entered
        return replace(self, worst=_nearest(self.mechanism, m, e))

    def one(self, limit: Limit, *, rtol: Fraction, near: Fraction) -> Enclosure:
        """The dataset found to be the worst, or the better one of two corners."""
        if _within(self.mechanism, limit):
            return Enclosure.of(0)
        corners = [self.worst] if self.worst else list(_corners(self.mechanism))
        low, high = _OverTwoCounts(self.mechanism, limit, rtol, None).best_of(corners)
        return Enclosure(Fraction(low), Fraction(high))

    def fineness(self, rtol: Fraction, target: Fraction) -> Fraction:
        """Each value is a search over boxes, and delta moves more than a parameter."""
        return min(rtol * 5, Fraction(1, 10))


class _OverTwoCounts:
    """Branch and bound; see the module."""

    def __init__(self, mechanism: AsymmetricBits, limit: Limit, rtol: Fraction, target: Fraction | None) -> None:
        self._mechanism, self._others = mechanism, mechanism.n - 1
        self._tied = mechanism.categories == 2
        self._lam, self._epsilon, self._rtol = doubles(limit), limit.steer(), float(rtol)
        self._target = None if target is None else math.nextafter(float(target), 0.0)
        self._reach, self._work = START, 0.0
        self._best, self._at, self._upper = 0.0, (0, 0), 0.0

    def found(self, near: _Counts | None, progress: Progress | None) -> HistogramDelta:
        """The answer."""
        self._start([near] if near else list(_corners(self._mechanism)))
        heap: list[tuple[float, int, _Region]] = []
        count = 0
        whole = _Region((0, 0), (self._others, self._others))
        heappush(heap, (-1.0, count, whole))
        most = affordable(_WORK)
        while heap and -heap[0][0] > self._enough and self._work < most:
            if progress:
                progress(self._work / most)
            _, _, box = heappop(heap)
            for part in self._halves(box):
                if part.low == part.high:
                    self._point(part.low)
                elif (ceiling := self._ceiling(part)) > self._best:
                    heappush(heap, (-ceiling, count := count + 1, part))
            if self._target is not None and self._best > self._target:
                return HistogramDelta(Fraction(self._best), Fraction(1), _named(self._at))
        bound = max(self._upper, -heap[0][0]) if heap else self._upper
        return HistogramDelta(Fraction(self._best), Fraction(max(bound, self._best)), _named(self._at))

    def best_of(self, places: list[_Counts]) -> tuple[float, float]:
        """The ends of the largest delta of some datasets."""
        self._start(places)
        return self._best, self._upper

    def _start(self, places: list[_Counts]) -> None:
        """With outcomes listed so far out that what is left out is faint beside delta."""
        if self._epsilon > STEEPEST or min(self._mechanism.chances[1], 1 - self._mechanism.chances[0]) < _RAREST:
            raise Undecided("lambda or a chance is too extreme for doubles", Enclosure(Fraction(0), Fraction(1)))
        for _ in range(3):
            self._best = self._upper = 0.0
            for at in places:
                self._point(at)
            needed = _SPARE - math.log(self._rtol) + self._epsilon - math.log(max(self._best, FAINTEST))
            if needed <= self._reach:
                return
            self._reach = min(needed + 2, FARTHEST)
        if self._best <= FAINTEST:
            raise Undecided("delta is too faint for doubles", Enclosure(Fraction(0), Fraction(1)))

    @property
    def _enough(self) -> float:
        return self._best * (1 + self._rtol) if self._target is None else self._target

    def _halves(self, box: _Region) -> Iterator[_Region]:
        """Cut across the wider side; what is no dataset is cut off."""
        side = max(range(2), key=lambda i: box.high[i] - box.low[i])
        middle = (box.low[side] + box.high[side]) // 2
        for low, high in ((box.low[side], middle), (middle + 1, box.high[side])):
            lows, highs = list(box.low), list(box.high)
            lows[side], highs[side] = low, high
            for i in range(2):
                highs[i] = min(highs[i], self._others - lows[1 - i])
            if self._tied:
                for i in range(2):
                    lows[i] = max(lows[i], self._others - highs[1 - i])
            if all(first <= last for first, last in zip(lows, highs, strict=True)):
                yield _Region((lows[0], lows[1]), (highs[0], highs[1]))

    def _point(self, at: _Counts) -> None:
        low, high = self._product(_Region(at, at))
        self._upper = max(self._upper, high)
        if low > self._best:
            self._best, self._at = low, at

    def _ceiling(self, box: _Region) -> float:
        return self._product(box)[1]

    def _product(self, box: _Region) -> tuple[float, float]:
        """The ends of delta without the reports that differ within the box; of a dear dataset, an upper end alone."""
        (m, e), (last_m, last_e) = box.low, box.high
        zero, one = self._mechanism.group.own
        left, first = self._count((1 - one, 1 - zero), self._others - last_m, m)
        entered, second = self._count((zero, one), e, self._others - last_e)
        self._work += 200 + min(len(left.p), len(entered.p))
        low, high = products().divergence([left, entered], self._lam)
        return (low if first and second else 0.0), high

    def _count(self, own: tuple[Fraction, Fraction], ones: int, zeros: int) -> tuple[Any, bool]:
        """A count, and whether it has all these reports: where it is dear, fewer of the bit that hides less."""
        k, counts = self._mechanism.k, [zeros, ones]
        sizes = [length(a, k * count, self._reach) for a, count in zip(own, counts, strict=True)]
        most = affordable(_DEAR)
        whole = math.prod(sizes) <= most
        if not whole:
            fewer = sizes.index(min(sizes))
            counts[fewer] = int(counts[fewer] * (most / math.prod(sizes)) ** 2)
        self._work += TABLE + min(math.prod(sizes), most) / _FASTER
        return _listed(own, k, counts[1], counts[0], self._reach, arrays()), whole


@lru_cache(maxsize=_KEPT)
def _listed(own: tuple[Fraction, Fraction], k: int, ones: int, zeros: int, reach: float, arrays: bool) -> Any:
    return products().of_chances(own, k, ones, zeros, reach=reach)


def _within(mechanism: AsymmetricBits, limit: Limit) -> bool:
    """Whether no outcome shows a ratio above lambda: the largest is that of no 1 and of all 1, where others cancel."""
    a, b = mechanism.chances
    return limit.allows_power(a * (1 - b) / (b * (1 - a)), mechanism.k)


def _terms(mechanism: AsymmetricBits) -> int:
    """Of all datasets."""
    datasets = mechanism.n if mechanism.categories == 2 else mechanism.n * (mechanism.n + 1) // 2
    return datasets * (mechanism.n * mechanism.k + 1) ** 2


def _all(mechanism: AsymmetricBits) -> Iterator[_Counts]:
    others = mechanism.n - 1
    for m in range(others + 1):
        for e in range(others - m if mechanism.categories == 2 else 0, others - m + 1):
            yield m, e


def _corners(mechanism: AsymmetricBits) -> Iterator[_Counts]:
    others = mechanism.n - 1
    yield from ((0, others), (others, 0))
    if mechanism.categories != 2:
        yield 0, 0


def _nearest(mechanism: AsymmetricBits, m: int, e: int) -> _Counts:
    """A dataset near it."""
    others = mechanism.n - 1
    m = min(max(m, 0), others)
    return m, others - m if mechanism.categories == 2 else min(max(e, 0), others - m)


def _exact(mechanism: AsymmetricBits, at: _Counts, lam: Fraction) -> Fraction:
    """delta of one dataset, summed over every outcome of both counts."""
    left, entered = (_laws(mechanism, m) for m in at)
    whole = left[2] * entered[2]
    a, b = lam.numerator, lam.denominator
    positive = sum(
        max(0, b * one * zero - a * lost * won)
        for lost, one in zip(left[0], left[1], strict=True)
        for zero, won in zip(entered[0], entered[1], strict=True)
    )
    return Fraction(positive, whole * b)


@lru_cache(maxsize=256)
def _laws(mechanism: AsymmetricBits, m: int) -> tuple[list[int], list[int], int]:
    """Of a count with m ones beside a changed 0 and a changed 1: weights over one denominator."""
    b, a = mechanism.group.own
    others = Pool.of((a, mechanism.k * m), (b, mechanism.k * (mechanism.n - 1 - m)))
    zero, one = ((others + Pool.of((x, mechanism.k))).pmf() for x in (b, a))
    whole = math.lcm(zero.denominator, one.denominator)
    low, high = ([w * (whole // x.denominator) for w in x.weights] for x in (zero, one))
    return low, high, whole


def _named(at: _Counts) -> HistogramDataset:
    return HistogramDataset((at[0],), (at[1],))
