r"""Every dataset of a fleet: the pairs of all compositions, and bounds over boxes of them.

The changed user is of some group; of the N_g other users of group g, m_g hold 1. Each such pair of laws is a ``Pair``:
the pool of all others and the dummies, and the k reports of the changed user. Exchanging the meaning of both bits turns
P_1 over P_0 at m into P_0 over P_1 at N - m, so that one direction is enough. The chances of dummies and of asymmetric
groups change by the exchange: with them both are looked at.

Where n is hidden the changed user is there or not (``Pair.added``): of k reports of either bit, and in both
directions, all four are looked at.

In a box l_g <= m_g <= h_g (proof notes, 2.3, 4 and 11.1) delta is at most

* Chernoff's bound (``pairs.threshold``), which is quick and mostly a few times too large;
* the envelope of ``worst.envelope`` over all of it: at the tilt that the changed user determines the records of all
  groups move the exponents likewise, but for little (wide boxes of large groups);
* that of the pool with l_g ones and N_g - h_g zeros of every group: reports that differ within the box are dropped, and
  to add them again is post-processing (narrow boxes).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import product

from dpcalc.laws.circle import Factor
from dpcalc.laws.pool import Pool
from dpcalc.laws.threshold import place
from dpcalc.laws.tilt import Tilt
from dpcalc.mechanisms.fleet import Dummies, Fleet
from dpcalc.mechanisms.response import Group
from dpcalc.numbers.ball import bits_for
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import GIVEN
from dpcalc.pairs.family import Attained
from dpcalc.pairs.pair import Pair
from dpcalc.pairs.threshold import chernoff, log_bound
from dpcalc.worst.envelope import SEVERAL_VARIANCE, Range, aligned, envelope, total

_MOST_EXACT = 3_000  # pairs of which each is summed exactly
_EXACT_BITS = 1 << 28  # size of all their pmfs
_MOST_SLICES, _WIDER = 24, 4  # of a box; how many times as wide as the one before one is
_THIN, _THINNEST = Fraction(1, 1 << 6), Fraction(1, 1 << 14)  # shares of a box: the first slice, and the thinnest
_LARGE = 16.0  # nats by which delta differs in a box that is rather cut across its sides
_FAR = 8.0  # nats by which it differs in a slice that no polynomial serves
_LOST = 8 * math.log(2)  # two laws x standard deviations apart lose x^2/8 nats to cancellation on one circle
_GUARD = 40  # bits, as for the envelope of one group


#: The changed user's bit, or None for nobody: under which the event is likelier, and in the other dataset.
Change = tuple[int | None, int | None]

_REPLACED: tuple[Change, ...] = ((0, 1), (1, 0))
_ADDED: tuple[Change, ...] = ((None, 0), (None, 1), (0, None), (1, None))


@dataclass(frozen=True, slots=True)
class Composition:
    """A pair of neighbouring datasets of a fleet and a direction.

    Attributes:
        group: the place of the changed user's group.
        ones: for each group, how many of its users hold 1 among those that are the same in both.
        value: the changed user's bit (0 or 1) in the dataset under which the event is likelier; None if absent there.
        other: the bit in the other dataset; None if absent there.
    """

    group: int
    ones: tuple[int, ...]
    value: int | None
    other: int | None


def dealt(fleet: Fleet, at: Composition) -> Composition:
    """A composition of the merged fleet in this one's groups: the changed user and the ones are of the first ones."""
    kinds = list(dict.fromkeys(group.randomizer for group in fleet.groups))
    places = [kinds.index(group.randomizer) for group in fleet.groups]
    changed, left, ones = places.index(at.group), list(at.ones), []
    for g, (group, kind) in enumerate(zip(fleet.groups, places, strict=True)):
        ones.append(min(left[kind], group.n - (g == changed)))
        left[kind] -= ones[-1]
    return replace(at, group=changed, ones=tuple(ones))


@dataclass(frozen=True, slots=True)
class Box:
    """The compositions with low <= ones <= high, of one changed user and direction."""

    group: int
    change: Change
    low: tuple[int, ...]
    high: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Compositions:
    """The pairs of a fleet.

    Attributes:
        groups: the honest users.
        dummies: reports of nobody.
        hidden: whether n is hidden: a user is added or removed.
        only: the one change that is looked at; None: all.
    """

    groups: tuple[Group, ...]
    dummies: tuple[Dummies, ...]
    hidden: bool = False
    only: Change | None = None

    @classmethod
    def of(cls, fleet: Fleet) -> Compositions:
        """All compositions of a fleet."""
        return cls(fleet.groups, fleet.dummies, fleet.hidden)

    def others(self, group: int) -> tuple[int, ...]:
        """Users of each group beside the changed one."""
        return tuple(one.n - (g == group) for g, one in enumerate(self.groups))

    def pair(self, group: int, change: Change, ones: Sequence[int], zeros: Sequence[int]) -> Pair:
        """The pair of so many others; the event is likelier under the first law of the change."""
        kinds = [(dummy.probability, dummy.count) for dummy in self.dummies]
        for one, m, rest in zip(self.groups, ones, zeros, strict=True):
            kinds += [(one.own[1], one.k * m), (one.own[0], one.k * rest)]
        changed, (value, other) = self.groups[group], change
        if not self.hidden:
            pair = Pair(Pool.of(*kinds), changed.own, changed.k)
            return pair.mirror if value else pair
        bit = other if value is None else value
        pair = Pair.added(Pool.of(*kinds), changed.own[bit or 0], changed.k)
        return pair if value is None else pair.mirror

    def pair_at(self, at: Composition) -> Pair:
        """The pair of a composition."""
        zeros = [n - m for n, m in zip(self.others(at.group), at.ones, strict=True)]
        return self.pair(at.group, (at.value, at.other), at.ones, zeros)

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes that have to be looked at."""
        if self.only:
            return (self.only,)
        if self.hidden:
            return _ADDED
        return _REPLACED[:1] if self._mirrored else _REPLACED

    @property
    def _mirrored(self) -> bool:
        """Whether each direction is the other one's mirror image."""
        return not self.hidden and not self.dummies and all(group.symmetric for group in self.groups)

    def boxes(self, limit: Limit | None = None) -> Iterator[Box]:
        """All compositions of each changed group and direction; at lambda = 1 half of symmetric reports' are enough.

        There both directions have the same delta, so that m and N - m have, with both bits exchanged.
        """
        for group, change in product(range(len(self.groups)), self.changes):
            first, *others = self.others(group)
            high = first // 2 if limit and limit.lam == 1 and self._mirrored else first
            yield Box(group, change, (0,) * len(self.groups), (high, *others))

    def corners(self, box: Box) -> tuple[tuple[int, ...], ...]:
        """Where delta is largest, as a rule: of symmetric reports where all hold the bit that is the likelier one."""
        if self._mirrored:
            return (box.high if box.change[0] else box.low,)
        return box.low, box.high

    def single(self, ones: Sequence[int], limit: Limit, *, rtol: Fraction) -> Attained:
        """delta of one composition, for a changed user of any group that leaves room for it.

        Raises:
            Undecided: rtol is beyond reach.
        """
        found = []
        for group in range(len(self.groups)):
            if ones[group] > self.others(group)[group]:
                continue
            for change in _ADDED if self.hidden else _REPLACED:
                at = Composition(group, tuple(ones), *change)
                found.append((self.pair_at(at).divergence(limit, rtol=rtol), at))
        best, at = max(found, key=lambda one: one[0].lower)
        upper = max(one.upper for one, _ in found)
        return Attained(best.lower, upper, at, **GIVEN, rtol=rtol)

    def exact(self, limit: Limit) -> Attained | None:
        """The largest delta as a rational, by summing all; None where that is too dear or lambda is no rational."""
        if limit.lam is None:
            return None
        pairs, bits = self.count(limit), self.reports
        chances = [a for group in self.groups for a in group.chances] + [x.probability for x in self.dummies]
        denominators = [a.denominator for a in chances]
        if pairs > _MOST_EXACT or pairs * bits**2 * max(denominators).bit_length() > _EXACT_BITS:
            return None
        value, at = max(((self.pair_at(at).exact(limit.lam), at) for at in self.every(limit)), key=lambda one: one[0])
        return Attained(value, value, at)

    @property
    def reports(self) -> int:
        """Of all users and of nobody."""
        return sum(group.n * group.k for group in self.groups) + sum(dummy.count for dummy in self.dummies)

    def count(self, limit: Limit | None = None) -> int:
        """How many compositions have to be looked at."""
        return sum(math.prod(n + 1 for n in box.high) for box in self.boxes(limit))

    def every(self, limit: Limit | None = None) -> Iterator[Composition]:
        """All of them."""
        for box in self.boxes(limit):
            for ones in product(*(range(n + 1) for n in box.high)):
                yield Composition(box.group, ones, *box.change)

    def envelope(
        self, box: Box, limit: Limit, *, rtol: Fraction, level: Fraction, slices: bool
    ) -> tuple[Fraction, int]:  # fmt: skip
        """At least every delta in the box, 1 where nothing is proven; and how many bounds were made for it.

        Slices are tried where they are asked for.
        """
        over = self.over(box, limit, rtol=rtol)
        if over is None:
            return Fraction(0), 0
        if (faint := over.chernoff()) <= level:
            return faint, 0
        middle = [(a + b) // 2 for a, b in zip(box.low, box.high, strict=True)]
        if self.pair_at(Composition(box.group, tuple(middle), *box.change)).apart(limit) ** 2 > _LOST * over.bits:
            return faint, 0
        found, made = in_slices(partial(over.envelope, level=level), level, most=over.slices if slices else 0)
        return min(faint, found), made

    def over(self, box: Box, limit: Limit, *, rtol: Fraction) -> OverBox | None:
        """All pairs in a box; None where delta is 0 in all. Bounds are rounded by less than ``rtol``."""
        others = self.others(box.group)
        laws = self.pair(box.group, box.change, (0,) * len(others), (0,) * len(others))
        if laws.kept_within(limit):
            return None
        dummies = [(dummy.probability, dummy.count) for dummy in self.dummies]
        sides = list(zip(self.groups, others, box.low, box.high, strict=True))
        if box.change[0] is not None if self.hidden else box.change[0]:  # the zeros of the same count
            dummies = [(1 - a, count) for a, count in dummies]
            sides = [(group.flipped, n, n - high, n - low) for group, n, low, high in sides]
        ranges = [Range(group.own, group.k, n, low, high) for group, n, low, high in sides if n]
        theta, bits = laws.tilt(limit), bits_for(rtol) + 2 * self.reports.bit_length() + laws.cancelled + _GUARD
        return OverBox(laws, dummies, aligned(ranges, theta), limit, theta, bits)


@dataclass(frozen=True, slots=True)
class OverBox:
    """The pairs in a box, and bounds of delta over all of them.

    Attributes:
        laws: of the changed user alone.
        dummies: the chance and the number of each kind.
        ranges: the other users of each group.
        limit: the ratio limit.
        theta: the tilt that the changed user determines.
        bits: working precision.
    """

    laws: Pair
    dummies: Sequence[Factor]
    ranges: Sequence[Range]
    limit: Limit
    theta: float
    bits: int

    def chernoff(self) -> Fraction:
        """At least every delta, quickly."""
        ends = [(one.reports(one.low), one.reports(one.high)) for one in self.ranges]
        return chernoff(log_bound(self.dummies, self.laws.own, self.laws.k, self.limit, ranges=ends))

    @property
    def slices(self) -> int:
        """How many slices may be tried; a large box is rather cut across its sides."""
        wide = len(self.ranges) > 1 and sum(one.variance for one in self.ranges) > SEVERAL_VARIANCE
        return _MOST_SLICES if wide and self._grows(Fraction(1)) <= _LARGE else 0

    def envelope(self, share: tuple[Fraction, Fraction], *, level: Fraction) -> Fraction | None:
        """One bound for those m in this share; None where nothing is proven."""
        if len(self.ranges) > 1 and self._grows(share[1] - share[0]) > _FAR:
            return None
        laws, middle = self.laws, (share[0] + share[1]) / 2
        others = Tilt.of([*self.dummies, *(kind for one in self.ranges for kind in one.kinds(one.at(middle)))])
        t = place(others, [laws.zero.tilt, laws.one.tilt], self.theta)
        return envelope(
            self.ranges, laws.kernel(self.limit), fixed=self.dummies, t=t, theta=self.theta, share=share,
            bits=self.bits, level=level,
        )  # fmt: skip

    def _grows(self, share: Fraction) -> float:
        """By how much the log of delta differs in such a share of it, about."""
        return abs(self.ranges[0].move(self.theta, 0.0)) * float(total(self.ranges) * share)


def in_slices(
    bound: Callable[[tuple[Fraction, Fraction]], Fraction | None], level: Fraction, *, most: int
) -> tuple[Fraction, int]:
    """A bound of all, and how many bounds were made: of the whole, or else of slices from its start on, each wider than
    the one before, and thinner where its bound is above the level; of the whole where a thin one's is too.

    Args:
        bound: of those m in a share; None where nothing is proven.
        level: as above.
        most: how many slices may be tried.
    """
    whole = bound((Fraction(0), Fraction(1))) or Fraction(1)
    start, width, largest, made = Fraction(0), _THIN, Fraction(0), 1
    while whole > level and width >= _THINNEST and made <= most:
        end = min(start + width, Fraction(1))
        found = bound((start, end)) or Fraction(1)
        made += 1
        if found > level:
            width /= _WIDER
            continue
        start, width, largest = end, width * _WIDER, max(largest, found)
        if end == 1:
            return largest, made
    return whole, made
