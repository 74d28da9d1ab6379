r"""The family of single bits in one direction: beside a changed record, 0 under P_0, every number m of ones; or one m.

Pair m is the pool of the others' reports, of which m hold 1, and the changed record. Looking at every m in one
direction covers both for symmetric bits: P_1 over P_0 at m is, with the meaning of both bits exchanged, P_0 over P_1 at
n - 1 - m (proof notes, 1.5). Of asymmetric bits the ``mirror`` is the other direction. At lambda = 1 the two directions
are equal, and half of the m are enough.

Where one pass of doubles settles the largest delta (``at_once``), no more is needed; otherwise it is sought over ranges
of m, as of a fleet of one group (``worst_composition``; proof notes, 5.1). For rounds, limits near each other take one
pass together, and ranges of m are bounded at once (proof notes, C13 and C23).

delta over all datasets falls strictly from the total variation distance at epsilon = 0 to 0 at the local epsilon. All
records equal is not always the worst dataset: n = 7, q = 1/5, lambda = 3/2 has it at m = 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import groupby, pairwise
from typing import Any

from dpcalc.errors import Undecided
from dpcalc.laws.pool import Pool
from dpcalc.laws.tilt import Tilt
from dpcalc.mechanisms.response import Group, KRandomization
from dpcalc.numbers.arrays import arrays
from dpcalc.numbers.decimal import decimal
from dpcalc.numbers.elementary import log
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.lists import one_or_many
from dpcalc.numbers.promise import GIVEN, Promise
from dpcalc.numbers.rational import Number, integer
from dpcalc.numbers.search import last_where
from dpcalc.pairs.family import FINE, Progress, Width
from dpcalc.pairs.listed import ListedPair
from dpcalc.pairs.named import NamedPairs
from dpcalc.pairs.pair import Pair
from dpcalc.pairs.threshold import chernoff, log_bound, saddle
from dpcalc.pairs.two_laws import Asked, Revealed, SomePairs
from dpcalc.worst import one_pass
from dpcalc.worst.circle import Own
from dpcalc.worst.compositions import Compositions
from dpcalc.worst.datasets import Dataset, Delta
from dpcalc.worst.envelope import Range
from dpcalc.worst.worst_composition import OverCompositions

NARROWEST = Fraction(1, 10**9)  #: the least relative width that doubles mostly prove
_FINEST = Fraction(1, 10**12)  # the least that they are asked for: they prove it of few reports, and next to 1
STEEPEST = 200.0  #: the largest epsilon that they are asked for
_FINE = Fraction(1, 10**13)  # of the values among which the exact maximum is sought
_SHARPER = 10  # times narrower than asked, if a pass gives it: for little more a solver's value typed back mostly holds
_LOOSENED = (10, 100, 1000)  # times wider, what is tried where a width is beyond reach
_EXACT_REPORTS = 2_000  # k n up to which a rational lambda gives the rational maximum
_EXACT_BITS = 1 << 31  # size of the pmfs of all that may be the maximum, up to which they are compared exactly
_LONG = 300  # bits of a denominator from which on a pmf takes 8 times as long for its size
_WORK, _FEWEST = 4_000, 4  # pairs that are looked at for one round's bounds: some 5 s; they are shared by so many
_RANGES = 6
_FAR = 8.0  # nats by which delta is below the largest, between two whole t: a quick bound of it will do


@dataclass(frozen=True, slots=True)
class Bits(NamedPairs[Delta]):
    """Every dataset in one direction: the changed record 0 over 1, beside every number m of ones.

    Attributes:
        own: (b, a), the chance that a report is 1 if the bit is 0, and if it is 1; of symmetric bits (q, 1 - q).
        k: the reports per record.
        others: n - 1.
    """

    own: Own
    k: int
    others: int

    delta_width = Width("1e-4", "1e-100")
    epsilon_width = Width("1e-6", "1e-9")
    one_is_quick = True

    @classmethod
    def of(cls, mechanism: KRandomization) -> Bits:
        """Of a mechanism.

        Raises:
            DomainError: records of several bits.
        """
        mechanism.single_bit("delta")
        return cls.symmetric(mechanism.q, mechanism.k, mechanism.n - 1)

    @classmethod
    def symmetric(cls, q: Fraction, k: int, others: int) -> Bits:
        """Of bits that are flipped with probability q, so that one direction is the mirror image of the other."""
        return cls((q, 1 - q), k, others)

    @property
    def flipped(self) -> Bits:
        """Both bits exchanged: its pair at N - m is this one's at m in the other direction, 1 over 0."""
        b, a = self.own
        return replace(self, own=(1 - a, 1 - b))

    @property
    def mirror(self) -> Bits | None:
        """The other direction; None for symmetric bits."""
        return None if sum(self.own) == 1 else self.flipped

    @property
    def odds(self) -> Fraction:
        """The largest ratio that one report shows, that of a 0."""
        b, a = self.own
        return (1 - b) / (1 - a)

    @property
    def local_epsilon(self) -> Promise:
        """k log ((1 - b) / (1 - a)), of symmetric bits k log (p / q)."""
        return Promise.that(log(self.odds) * self.k)

    @property
    def unit(self) -> Fraction:
        """The loss of one report."""
        return log(self.odds).lower

    @property
    def spread(self) -> float:
        """The standard deviation of the loss, about: that of the Gaussian mechanism, or the largest loss."""
        variance = self.k * (self.others + 1) * min(float(x * (1 - x)) for x in self.own)
        gaussian = self.k * float(self.own[1] - self.own[0]) / math.sqrt(max(variance, 1e-300))
        return max(min(gaussian, float(self.highest)), 1e-300)

    @property
    def compositions(self) -> Compositions:
        """The same, as a fleet of one group in one direction."""
        b, a = self.own
        return Compositions((Group(n=self.others + 1, chances=(a, b), k=self.k),), (), only=(0, 1))

    def pair(self, at: int, *, rtol: Fraction = FINE) -> Pair:
        """That of so many ones."""
        return _pair(self.own, self.k, at, self.others - at)

    def named(self, found: Promise) -> int:
        """The number of ones."""
        assert isinstance(found, Delta)
        return found.dataset.ones

    def given(self, ones: Number | Iterable[Number]) -> BitsGiven:
        """The dataset with so many ones among the other records: a number, or a list of one number."""
        listed = one_or_many(ones)
        one = listed[0] if len(listed) == 1 else ones
        return BitsGiven(self, integer(one, "ones", minimum=0, maximum=self.others))

    def kept_within(self, limit: Limit) -> bool:
        """Whether no outcome of any dataset shows a ratio above lambda."""
        return self.pair(0).kept_within(limit)

    def delta(self, limit: Limit, *, rtol: Fraction, exact: bool = True, progress: Progress | None = None) -> Delta:
        """The largest delta; exact for a rational lambda where the pmfs are small."""
        search = self.largest_exact if exact and self._exact_is_affordable(limit) else self.largest
        return search(limit, rtol=rtol, progress=progress).aimed(rtol)

    def deltas(self, limits: Sequence[Limit], *, rtol: Fraction) -> list[Delta]:
        """delta at every limit; limits near each other are quicker together."""
        others = [i for i, limit in enumerate(limits) if not self._exact_is_affordable(limit)]
        places = sorted(others, key=lambda i: limits[i].steer())
        known = self._together([limits[i] for i in places], [rtol] * len(places))
        found = dict(zip(places, known, strict=True))
        return [
            one.aimed(rtol) if (one := found.get(i)) else self.delta(limit, rtol=rtol)
            for i, limit in enumerate(limits)
        ]  # fmt: skip

    def one(self, limit: Limit, *, rtol: Fraction) -> Enclosure:
        """delta of the worse one of the two ends; the likelier dataset has the changed record 0."""
        return self.pair(self._worse_end(limit)).enclosed(limit, rtol=rtol)

    # --- the largest delta --------------------------------------------------------------------------------------

    def at_once(self, limit: Limit, *, rtol: Fraction) -> Delta | None:
        """The largest delta: of the middle where ``middle_is_worst``, else in one pass of doubles; None where that does
        not serve.
        """
        middle = self.others // 2
        if self.middle_is_worst(limit):
            alone = self.pair(middle).enclosed(limit, rtol=rtol)
            return Delta(alone.lower, alone.upper, Dataset(middle, 0))
        (found,) = self._together([limit], [rtol])
        return found

    def _together(self, limits: Sequence[Limit], rtols: Sequence[Fraction]) -> list[Delta | None]:
        """The largest delta at each limit, in rising order, as far as passes of doubles over many limits serve.

        They look first at those m only that are likely to have it, and at all where the quick bound of the others is
        larger.
        """
        likely = [self.likely(limit) for limit in limits]
        low, high = min((m for m, _ in likely), default=0), max((m for _, m in likely), default=0)
        rest = [ends for ends in ((0, low - 1), (high + 1, self.others)) if ends[0] <= ends[1]]
        found = [one[0] if one else None for one in self.passed(limits, rtols, [(low, high)])]
        for i, (limit, rtol) in enumerate(zip(limits, rtols, strict=True)):
            if (one := found[i]) and any(self.quick(limit, *ends) > one.upper for ends in rest):
                (whole,) = self.passed([limit], [rtol], [(0, self.others)])
                found[i] = whole[0] if whole else None
        return [
            Delta(one.lower, one.upper, Dataset(one.ones, 0), rtol=rtol)
            if one and not self.middle_is_worst(limit) else None
            for limit, rtol, one in zip(limits, rtols, found, strict=True)
        ]  # fmt: skip

    def likely(self, limit: Limit) -> tuple[int, int]:
        """The m whose delta is not far below the largest, as the exponents of Chernoff's bound tell; it steers.

        They are linear in m, so that its logarithm falls from the worse end on.
        """
        theta, others = saddle(self.own, self.k, limit), self.others
        zero, one = (Tilt.of([(a, self.k)]) for a in self.own)
        zero_rate, one_rate = (x.exponent(theta, x.mean(theta)) for x in (zero, one))
        zero_spread, one_spread = (x.variance(theta) for x in (zero, one))

        def size(m: int) -> float:
            zeros = others - m
            return m * one_rate + zeros * zero_rate - math.log(m * one_spread + zeros * zero_spread + 1) / 2

        worse, other = sorted((0, others), key=size, reverse=True)
        least = size(worse) - _FAR + self.k * theta
        if size(other) >= least:
            return 0, others
        farthest = last_where(lambda i: size(abs(worse - i)) >= least, 0, others)
        return (0, farthest) if worse == 0 else (others - farthest, others)

    def passed(
        self, limits: Sequence[Limit], rtols: Sequence[Fraction], parts: Sequence[tuple[int, int]], *,
        rough: bool = False,
    ) -> list[list[one_pass.Largest] | None]:  # fmt: skip
        """What passes of doubles tell of each part, see ``one_pass.together``; None where they do not serve."""
        found: list[list[one_pass.Largest] | None] = [None] * len(limits)
        places = [
            i for i, limit in enumerate(limits)
            if rtols[i] >= _FINEST and limit.steer() <= STEEPEST and self.others > 0
        ]  # fmt: skip
        ends = [(limits[i].ends.lower, limits[i].ends.upper) for i in places]
        widths = [float(rtols[i]) for i in places]
        served = one_pass.together(self.own, self.k, self.others, ends, widths, parts, rough=rough)
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

    def _worse_end(self, limit: Limit) -> int:
        """0 or all ones: where delta is larger, about, as Chernoff's bound tells; of symmetric bits it is zeros."""
        if not self.mirror:
            return 0
        return max((0, self.others), key=lambda ones: self.log_bound(ones, ones, limit))

    def quick(self, limit: Limit, low: int = 0, high: int | None = None) -> Fraction:
        """At or above every delta_m for low <= m <= high: Chernoff's bound, mostly about twice as large or a few times.

        By default it is that of all m.
        """
        if self.kept_within(limit):
            return Fraction(0)
        return chernoff(self.log_bound(low, self.others if high is None else high, limit))

    def log_bound(self, low: int, high: int, limit: Limit) -> float:
        """At or above log delta_m for low <= m <= high, by Chernoff's bound; however faint it is."""
        one = Range(self.own, self.k, self.others, low, high)
        return log_bound([], self.own, self.k, limit, ranges=[(one.reports(low), one.reports(high))])

    def largest(self, limit: Limit, *, rtol: Fraction, progress: Progress | None = None) -> Delta:
        """The largest delta to relative width ``rtol``.

        Raises:
            Undecided: rtol is beyond reach; its enclosure is the narrowest found, of a looser width too.
        """
        for width in dict.fromkeys((min(rtol, max(rtol / _SHARPER, NARROWEST)), rtol)):
            if (found := self.at_once(limit, rtol=width)) is not None:
                if progress:
                    progress(1.0)
                return found
        try:
            return _searched(self.search(limit, rtol, progress=progress))
        except Undecided as error:
            for width in (rtol * looser for looser in _LOOSENED):
                if (found := self.at_once(limit, rtol=width)) is not None:
                    message = f"{error}, such as {decimal(width, width, 2)}"
                    raise Undecided(message, Enclosure(found.lower, found.upper)) from None
            raise

    def _exact_is_affordable(self, limit: Limit) -> bool:
        """Whether ``largest_exact`` is worth its time."""
        return limit.lam is not None and self.k * (self.others + 1) <= _EXACT_REPORTS

    def largest_exact(self, limit: Limit, *, rtol: Fraction, progress: Progress | None = None) -> Delta:
        """The largest delta as a rational, for a rational lambda; to width ``rtol`` where too many may be the largest.

        Raises:
            Undecided, TooLarge: as ``largest``.
        """
        size = self.pair(0).exact_bits
        most = _EXACT_BITS // (8 * size if self.own[0].denominator.bit_length() > _LONG else size)
        search = self.search(limit, rtol, fine=_FINE, ties=most, progress=progress)
        found = _searched(search)
        if len(search.finalists) > most:
            return found
        values = ((self.pair(at.ones[0]).exact(limit.given), -at.ones[0]) for at in search.finalists)
        value, fewest = max(values)
        return Delta(value, value, Dataset(-fewest, 0))

    def search(self, limit: Limit, rtol: Fraction, **more: Any) -> OverCompositions:
        """Over ranges of m."""
        return OverCompositions(self.compositions, limit, rtol, **more)

    # --- rounds -------------------------------------------------------------------------------------------------

    def revealed(self, at: int, *, centre: float, fineness: int, bits: int) -> Revealed | None:
        """The outcomes, for a lower end only: none need be fainter than that of the largest loss."""
        pair = self.pair(at)
        return pair.revealed(centre=centre, fineness=fineness, bits=min(bits, pair.largest_loss_bits))

    def every(self, most: int) -> Iterator[tuple[int, ListedPair]]:
        """Every number of ones."""
        n = self.others + 1
        return ((m, self.pair(m).listed()) for m in range(n if n * (n * self.k + 1) <= most else 0))

    def candidates(self, limit: Limit, *, rtol: Fraction, several: bool) -> Iterator[int]:
        """Zeros or ones: any gives a lower end, and one of these the largest as a rule."""
        yield self._worse_end(limit)

    def uppers(self, asked: Sequence[Asked]) -> list[Fraction]:
        """In passes over many limits where they serve, else by a short search each."""
        known = self._together(*_limits(asked)) if arrays() else [None] * len(asked)
        pairs = _WORK // max(known.count(None), _FEWEST)
        both = zip(asked, known, strict=True)
        return [one.upper if one else upper(self, Limit.exp(x), width, pairs) for (x, width), one in both]

    @property
    def ranges(self) -> list[Ones]:
        """Of the number of ones, each twice as wide as the one before: the worst dataset has few, mostly."""
        return [Ones(self, *ends) for ends in _parts(self.starts, self.others + 1)]

    @property
    def starts(self) -> list[int]:
        """The first m of every range."""
        if self.others < _RANGES:
            return list(range(self.others + 1))
        return [0, *sorted({self.others // 2**i + 1 for i in range(1, _RANGES)})]


@dataclass(frozen=True, slots=True)
class Ones(SomePairs):
    """The datasets of a range, in one direction.

    Attributes:
        bits: the datasets of all ranges.
        low, high: the least and the largest number of ones.
    """

    bits: Bits
    low: int
    high: int

    @property
    def mirror(self) -> Ones:
        """The datasets with as many zeros as these have ones."""
        others = self.bits.others
        return Ones(self.bits.flipped, others - self.high, others - self.low)

    def uppers(self, asked: Sequence[Asked]) -> list[Fraction]:
        """The bounds of all ranges and their mirror images are made together."""
        starts, end = self.bits.starts, self.bits.others + 1
        parts = tuple(_parts(sorted({*starts, *(end - m for m in starts[1:])}), end))
        inside = [i for i, (low, high) in enumerate(parts) if self.low <= low and high <= self.high]
        return [max(each[i] for i in inside) for each in of_each(self.bits, parts, tuple(asked))]


@dataclass(frozen=True, slots=True)
class BitsGiven(NamedPairs[Delta]):
    """One dataset of single bits, with ``ones`` among the others, in both directions."""

    bits: Bits
    ones: int

    delta_width = Width("1e-12", "1e-1000")
    epsilon_width = Bits.epsilon_width
    words = GIVEN

    @property
    def local_epsilon(self) -> Promise:
        """That of all datasets."""
        return self.bits.local_epsilon

    @property
    def unit(self) -> Fraction:
        """The loss of one report."""
        return self.bits.unit

    @property
    def spread(self) -> float:
        """That of all datasets."""
        return self.bits.spread

    def pair(self, at: int, *, rtol: Fraction = FINE) -> Pair:
        """That of so many ones."""
        return self.bits.pair(at)

    def delta(self, limit: Limit, *, rtol: Fraction, exact: bool = True, progress: Progress | None = None) -> Delta:
        """The larger one of the two directions.

        Raises:
            Undecided: rtol is beyond reach.
            TooLarge: delta is below 2^-1,000,000, about 1e-301,030.
        """
        return self._larger(self.pair(self.ones), limit, rtol, exact)

    def deltas(self, limits: Sequence[Limit], *, rtol: Fraction) -> list[Delta]:
        """delta at every limit; many limits of one dataset are quicker together."""
        pair = replace(self.pair(self.ones), questions=len(limits))
        return [self._larger(pair, limit, rtol) for limit in limits]

    def _larger(self, pair: Pair, limit: Limit, rtol: Fraction, exact: bool = True) -> Delta:
        one, value = pair.larger(limit, rtol=rtol, exact=exact)
        return Delta(one.lower, one.upper, Dataset(self.ones, value), **GIVEN, rtol=rtol)

    def every(self, most: int) -> Iterator[tuple[int, ListedPair]]:
        """The one dataset."""
        if (self.bits.others + 1) * self.bits.k < most:
            yield self.ones, self.pair(self.ones).listed()

    def candidates(self, limit: Limit, *, rtol: Fraction, several: bool) -> Iterator[int]:
        """The one dataset."""
        yield self.ones

    def uppers(self, asked: Sequence[Asked]) -> list[Fraction]:
        """One after the other, in integers where they are quicker."""
        return [self.delta(Limit.exp(epsilon), rtol=rtol).upper for epsilon, rtol in asked]


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


def _limits(asked: Sequence[Asked]) -> tuple[list[Limit], list[Fraction]]:
    """The limits, and the widths."""
    return [Limit.exp(epsilon) for epsilon, _ in asked], [width for _, width in asked]


def _parts(starts: Sequence[int], end: int) -> list[tuple[int, int]]:
    """Ranges from each start to just before the next."""
    return [(m, n - 1) for m, n in pairwise([*starts, end])]


@lru_cache(maxsize=16)
def _pair(own: Own, k: int, ones: int, zeros: int) -> Pair:
    """Kept with what it keeps."""
    b, a = own
    return Pair(Pool.of((a, k * ones), (b, k * zeros)), own, k)


@lru_cache(maxsize=1 << 6)
def of_each(bits: Bits, parts: tuple[tuple[int, int], ...], asked: tuple[Asked, ...]) -> list[list[Fraction]]:
    """Upper bounds of delta over m from the first to the last of a part, for each: a row for each limit, epsilons
    rising; 1 where nothing is proven.
    """
    limits, widths = _limits(asked)
    found = list[list[Fraction]]()
    for (first, last), group in groupby(range(len(limits)), lambda i: _likely(bits, parts, limits[i])):
        places = list(group)
        within = parts[first : last + 1]
        served = bits.passed([limits[i] for i in places], [widths[i] for i in places], within, rough=True)
        for i, each in zip(places, served, strict=True):
            kept = bits.kept_within(limits[i])
            row = [Fraction(not kept)] * len(within) if kept or not each else [one.upper for one in each]
            before = [bits.quick(limits[i], 0, parts[first][0] - 1)] * first if first else []
            after = parts[last + 1 :]
            found.append(before + row + ([bits.quick(limits[i], after[0][0])] * len(after) if after else []))
    return found


def _likely(bits: Bits, parts: Sequence[tuple[int, int]], limit: Limit) -> tuple[int, int]:
    """The first and the last part with a delta not far below the largest; of all others a quick bound is told."""
    low, high = bits.likely(limit)
    places = [i for i, (first, last) in enumerate(parts) if first <= high and last >= low]
    return places[0], places[-1]


@lru_cache(maxsize=1 << 14)
def upper(bits: Bits, limit: Limit, rtol: Fraction, pairs: int = _WORK) -> Fraction:
    """An upper bound of delta over all datasets, of so many pairs that are looked at where a pass does not serve."""
    if bits.kept_within(limit):
        return Fraction(0)
    if found := bits.at_once(limit, rtol=rtol):
        return found.upper
    return min(bits.search(limit, rtol, pairs=pairs).run().upper, bits.quick(limit))  # so few pairs may not be enough
