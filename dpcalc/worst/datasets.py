r"""Every dataset of the records that do not change: the pairs of laws among which the worst is sought.

With m ones among the other n - 1 records, pair m is the pool of their reports and the changed record, 0 under P_0.
Looking at every m in one direction covers both: P_1 over P_0 at m is, with the meaning of both bits exchanged, P_0 over
P_1 at n - 1 - m (proof notes, 1.5). At lambda = 1 the two directions are equal, and half of the m are enough.

Where one pass of doubles settles the largest delta (``at_once``), no more is needed; otherwise it is sought over ranges
of m, as of a fleet of one group (``worst_composition``; proof notes, 5.1).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

from dpcalc.errors import Undecided
from dpcalc.laws.circle import Factor
from dpcalc.laws.pool import Pool
from dpcalc.mechanisms.fleet import Group
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.ball import bits_for
from dpcalc.numbers.decimal import decimal
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import GIVEN, Promise
from dpcalc.pairs.family import Progress
from dpcalc.pairs.pair import Pair
from dpcalc.pairs.threshold import chernoff, halvings, saddle
from dpcalc.worst import one_pass
from dpcalc.worst.circle import Own
from dpcalc.worst.compositions import Compositions
from dpcalc.worst.envelope import Range
from dpcalc.worst.worst_composition import OverCompositions

NARROWEST = Fraction(1, 10**9)  #: the least relative width that doubles are asked for
STEEPEST = 200.0  #: the largest epsilon that they are asked for
_CUTS = 3  # places tried beyond which no delta is above a level
_FINE = Fraction(1, 10**13)  # of the values among which the exact maximum is sought
_LOOSER = 1000  # times wider, what is tried first to settle a target
_LOOSENED = (10, 100, 1000)  # times wider, what is tried where a width is beyond reach
_EXACT_REPORTS = 2_000  # k n up to which a rational lambda gives the rational maximum
_EXACT_BITS = 1 << 31  # size of the pmfs of all that may be the maximum, up to which they are compared exactly
_LONG = 300  # bits of a denominator from which on a pmf takes 8 times as long for its size


@dataclass(frozen=True, slots=True)
class Dataset:
    """A pair of neighbouring datasets and a direction.

    Attributes:
        ones: records holding 1 among the n - 1 that are the same in both.
        value: the changed record's bit (0 or 1) in the dataset under which the event is likelier.
    """

    ones: int
    value: int


@dataclass(frozen=True, slots=True)
class HistogramDataset:
    """A pair of neighbouring datasets of a histogram and a direction.

    Attributes:
        left: of the records that are the same in both, how many hold each category that the changed record holds in
            the dataset under which the event is likelier, and not in the other.
        entered: how many hold each category that it holds in the other only.
    """

    left: tuple[int, ...]
    entered: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Delta(Promise):
    """An enclosure of delta, and the pair of datasets that attains its lower end."""

    dataset: Dataset


@dataclass(frozen=True, slots=True)
class Datasets:
    """The pairs of single bits in one direction: the changed record 0 over 1, beside every number m of ones.

    Attributes:
        own: (b, a), the chance that a report is 1 if the bit is 0, and if it is 1; of symmetric bits (q, 1 - q).
        k: the reports per record.
        others: n - 1.
    """

    own: Own
    k: int
    others: int

    @classmethod
    def of(cls, mechanism: KRandomization) -> Datasets:
        """All datasets of a mechanism."""
        return cls.symmetric(mechanism.q, mechanism.k, mechanism.n - 1)

    @classmethod
    def symmetric(cls, q: Fraction, k: int, others: int) -> Datasets:
        """Of bits that are flipped with probability q, so that one direction is the mirror image of the other."""
        return cls((q, 1 - q), k, others)

    @property
    def mirror(self) -> Datasets:
        """Both bits exchanged: its pair at N - m is this one's at m in the other direction, 1 over 0."""
        b, a = self.own
        return Datasets((1 - a, 1 - b), self.k, self.others)

    @property
    def ways(self) -> tuple[Datasets, ...]:
        """Both directions; one of them where the other is its mirror image."""
        return (self,) if sum(self.own) == 1 else (self, self.mirror)

    @property
    def odds(self) -> Fraction:
        """The largest ratio that one report shows, that of a 0."""
        b, a = self.own
        return (1 - b) / (1 - a)

    @property
    def largest_loss(self) -> float:
        """The local epsilon of this direction, for steering: no outcome of any dataset loses more."""
        above, below = self.odds.as_integer_ratio()
        more = above - below  # mostly more than the difference of two logs keeps
        return self.k * (math.log1p(more / below) if more < below else math.log(above) - math.log(below))

    @property
    def variance(self) -> float:
        """The variance of a count, the least of all m, about."""
        return self.k * (self.others + 1) * min(float(x * (1 - x)) for x in self.own)

    @property
    def spread(self) -> float:
        """The standard deviation of the loss, about: that of the Gaussian mechanism, or the largest loss."""
        gaussian = self.k * float(self.own[1] - self.own[0]) / math.sqrt(max(self.variance, 1e-300))
        return max(min(gaussian, self.largest_loss), 1e-300)

    @property
    def compositions(self) -> Compositions:
        """The same, as a fleet of one group in one direction."""
        b, a = self.own
        return Compositions((Group(n=self.others + 1, chances=(a, b), k=self.k),), (), only=(0, 1))

    def pair(self, ones: int) -> Pair:
        """The pair with so many ones among the others."""
        return _pair(self.own, self.k, ones, self.others - ones)

    def kept_within(self, limit: Limit) -> bool:
        """Whether no outcome of any dataset shows a ratio above lambda."""
        return self.pair(0).kept_within(limit)

    def one(self, ones: int, limit: Limit, *, rtol: Fraction, target: Fraction | None = None) -> Delta:
        """delta of one dataset, the larger of its two directions; with a target as ``Pair.larger``.

        Raises:
            Undecided: rtol is beyond reach.
            TooLarge: delta is below 2^-1,000,000, about 1e-301,030.
        """
        return self.profile(ones, [limit], rtol=rtol, target=target)[0]

    def profile(
        self, ones: int, limits: Sequence[Limit], *, rtol: Fraction, target: Fraction | None = None
    ) -> list[Delta]:
        """delta of one dataset at every limit; raises as ``one``."""
        pair = self.pair(ones) if len(limits) == 1 else replace(self.pair(ones), questions=len(limits))
        found = [pair.larger(limit, rtol=rtol, target=target) for limit in limits]
        return [Delta(one.lower, one.upper, Dataset(ones, value), **GIVEN, rtol=rtol) for one, value in found]

    def of_each(
        self, parts: Sequence[tuple[int, int]], limits: Sequence[Limit], rtols: Sequence[Fraction]
    ) -> list[list[Fraction] | None]:
        """At or above delta_m for m from the first to the last of a part, for each, at limits in rising order; None
        where doubles do not serve.
        """
        served = self._served(limits, rtols, parts=parts)
        return [
            [Fraction(0)] * len(parts) if self.kept_within(limit) else each if each is None else [x.upper for x in each]
            for limit, each in zip(limits, served, strict=True)
        ]

    def at_once(self, limit: Limit, *, rtol: Fraction, target: Fraction | None = None) -> Delta | None:
        """The largest delta, or as far as a target asks: of the middle where ``middle_is_worst``, else in one pass of
        doubles; None where that does not serve.
        """
        middle = self.others // 2
        if self.middle_is_worst(limit):
            alone = self.pair(middle).enclosed(limit, rtol=rtol)
            return Delta(alone.lower, alone.upper, Dataset(middle, 0))
        (found,) = self._served([limit], [rtol], target=target)
        return _every(found, None if target else rtol)

    def together(self, limits: Sequence[Limit], rtols: Sequence[Fraction]) -> list[Delta | None]:
        """The largest delta at each limit, in rising order, as far as passes of doubles over many limits serve."""
        served = zip(limits, rtols, self._served(limits, rtols), strict=True)
        return [None if self.middle_is_worst(limit) else _every(each, rtol) for limit, rtol, each in served]

    def _served(
        self, limits: Sequence[Limit], rtols: Sequence[Fraction], *, parts: Sequence[tuple[int, int]] | None = None,
        target: Fraction | None = None,
    ) -> list[list[one_pass.Largest] | None]:  # fmt: skip
        """What passes of doubles tell, over all m or over each part; None where they do not serve."""
        found: list[list[one_pass.Largest] | None] = [None] * len(limits)
        places = [
            i for i, limit in enumerate(limits)
            if rtols[i] >= NARROWEST and limit.steer() <= STEEPEST and self.others > 0
        ]  # fmt: skip
        ends = [(limits[i].ends.lower, limits[i].ends.upper) for i in places]
        widths = [float(rtols[i]) for i in places]
        served = one_pass.together(self.own, self.k, self.others, ends, widths, parts=parts, target=target)
        for i, one in zip(places, served, strict=True):
            found[i] = one
        return found

    def middle_is_worst(self, limit: Limit) -> bool:
        """Whether m = floor(N/2) is proven to be the worst of N others: a = 1 - b, lambda = 1, k = 1 and N q <= p.

        For k = 1, delta_m = (p - q) max_t P(X = t) at lambda = 1. Let U of the zeros and D of the m ones be flipped, so
        that X = m + U - D. As P(U = j + 1) <= N q/p P(U = j), and D alike, the largest is P(X = m), which is p^N times
        the sum of C(N - m, j) C(m, j) (q/p)^{2j}; and each of these products grows with m up to the middle.
        """
        b, a = self.own
        return limit.lam == 1 and self.k == 1 and self.others * b <= a == 1 - b

    def worse_end(self, limit: Limit) -> int:
        """0 or all ones: where delta is larger, about, as Chernoff's bound tells; of symmetric bits it is zeros."""
        if len(self.ways) == 1:
            return 0
        return min((0, self.others), key=lambda ones: self.halvings(ones, ones, limit))

    def quick(self, limit: Limit) -> Fraction:
        """At or above every delta: Chernoff's bound, mostly about twice as large or a few times."""
        if self.kept_within(limit):
            return Fraction(0)
        theta, ends = self._range(0, self.others, limit)
        return chernoff([], self.own, self.k, limit, theta, ranges=[ends])

    def halvings(self, low: int, high: int, limit: Limit) -> int:
        """An e >= 0 with delta_m <= 2^-e for low <= m <= high, by Chernoff's bound; however large it is."""
        theta, ends = self._range(low, high, limit)
        return halvings([], self.own, self.k, limit, theta, ranges=[ends])

    def _range(self, low: int, high: int, limit: Limit) -> tuple[float, tuple[list[Factor], list[Factor]]]:
        """What Chernoff's bound of a range takes: the tilt, and the reports at both ends."""
        one = Range(self.own, self.k, self.others, low, high)
        return saddle(self.own, self.k, limit), (one.reports(low), one.reports(high))

    def above(self, limit: Limit, level: Fraction) -> tuple[int, int]:
        """The first and the last m whose delta may be above a level, as far as Chernoff's bound tells."""
        last, goal = self.others, bits_for(level)
        ends = [self.halvings(m, m, limit) for m in (0, last)]
        least, most = sorted(ends)
        share = Fraction(goal - least, most - least) if least < goal < most else Fraction(1)
        for _ in range(_CUTS):  # the bound's logarithm is nearly linear in m
            width = math.ceil(share * last) + 1
            if width > last:
                break
            low, high = (width, last) if ends[0] == least else (0, last - width)
            if self.halvings(low, high, limit) >= goal:
                return (0, width - 1) if low else (high + 1, last)
            share *= 2
        return 0, last

    def largest(self, limit: Limit, *, rtol: Fraction, progress: Progress | None = None) -> Delta:
        """The largest delta to relative width ``rtol``.

        Raises:
            Undecided: rtol is beyond reach; its enclosure is the narrowest found, of a looser width too.
        """
        if (found := self.at_once(limit, rtol=rtol)) is not None:
            if progress:
                progress(1.0)
            return found
        try:
            return _searched(self._search(limit, rtol, progress=progress))
        except Undecided as error:
            for width in (rtol * looser for looser in _LOOSENED):
                if (found := self.at_once(limit, rtol=width)) is not None:
                    message = f"{error}, such as {decimal(width, width, 2)}"
                    raise Undecided(message, Enclosure(found.lower, found.upper)) from None
            raise

    def exact_is_affordable(self, limit: Limit) -> bool:
        """Whether ``largest_exact`` is worth its time."""
        return limit.lam is not None and self.k * (self.others + 1) <= _EXACT_REPORTS

    def largest_exact(self, limit: Limit, *, rtol: Fraction, progress: Progress | None = None) -> Delta:
        """The largest delta as a rational, for a rational lambda; to width ``rtol`` where too many may be the largest.

        Raises:
            Undecided, TooLarge: as ``largest``.
        """
        size = self.pair(0).exact_bits
        most = _EXACT_BITS // (8 * size if self.own[0].denominator.bit_length() > _LONG else size)
        search = self._search(limit, rtol, fine=_FINE, ties=most, progress=progress)
        found = _searched(search)
        if len(search.finalists) > most:
            return found
        values = ((self.pair(at.ones[0]).exact(limit.given), -at.ones[0]) for at in search.finalists)
        value, fewest = max(values)
        return Delta(value, value, Dataset(-fewest, 0))

    def settled(self, limit: Limit, target: Fraction, *, rtol: Fraction) -> Delta:
        """The largest delta as far as a target asks: ``upper`` is at most the target exactly if that is proven.

        If delta is above the target, so is that of the dataset named, which is not always the worst there is. ``rtol``
        is 16 times the relative width of the single values looked at.

        Raises:
            Undecided: it is not settled.
        """
        narrow = max(rtol, NARROWEST)
        for width in (_LOOSER * narrow, narrow):  # what is not next to the target needs no narrow width
            if (found := self.at_once(limit, rtol=width, target=target)) is not None:
                return found
        return _searched(self._search(limit, rtol, target=target))

    def decided(self, limit: Limit, target: Fraction, *, rtol: Fraction) -> Delta:
        """As ``settled``; where the target may be attained, the largest delta exactly, if that is affordable."""
        found = self.settled(limit, target, rtol=rtol)
        if found.lower <= target < found.upper and self.exact_is_affordable(limit):
            return self.largest_exact(limit, rtol=rtol)
        return found

    def _search(self, limit: Limit, rtol: Fraction, **more: Any) -> OverCompositions:
        """Over every m that Chernoff's bound does not rule out."""
        return OverCompositions(self.compositions, limit, rtol, above=partial(self.above, limit), **more)


def _searched(search: OverCompositions) -> Delta:
    """What a search finds.

    Raises:
        Undecided: a range is left that may hold more; its enclosure is what was proven.
    """
    found = search.run()
    if search.open:
        raise Undecided(
            f"the worst dataset is not settled after {search.pairs:,} pairs; ask for a larger rtol",
            Enclosure(found.lower, found.upper),
        )
    return Delta(found.lower, found.upper, Dataset(found.dataset.ones[0], 0))


def _every(found: list[one_pass.Largest] | None, rtol: Fraction | None) -> Delta | None:
    """The largest delta, as a promise."""
    if found is None:
        return None
    (one,) = found
    return Delta(one.lower, one.upper, Dataset(one.ones, 0), rtol=rtol)


@lru_cache(maxsize=16)
def _pair(own: Own, k: int, ones: int, zeros: int) -> Pair:
    """Kept with what it keeps."""
    b, a = own
    return Pair(Pool.of((a, k * ones), (b, k * zeros)), own, k)
