r"""Every dataset of a fleet: the largest delta over all compositions, by branch and bound over boxes of them.

The changed user is of some group; of the N_g other users of group g, m_g hold 1. Each such pair of laws is a ``Pair``:
the pool of all others and the dummies, and the k reports of the changed user. Exchanging the meaning of both bits turns
P_1 over P_0 at m into P_0 over P_1 at N - m, so that without dummies one direction is enough; with dummies, whose
meaning is exchanged too, both are looked at.

Where n is hidden the changed user is there or not (``added``): of k reports of either bit, and in both directions, all
four are looked at.

In a box l_g <= m_g <= h_g, delta is at most that of the pool with l_g ones and N_g - h_g zeros of every group: reports
that differ within the box are dropped, and to add them again is post-processing (the lemma of ``datasets``, once for
each group; proof notes, 11). The box with the largest bound is cut in two, across the side whose reports vary most,
until no bound exceeds the level asked for, or so many pairs have been looked at. At every moment

    largest delta seen <= max delta <= max(largest upper end seen, largest bound of a box left).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import product

from dpcalc.counts.pool import Pool
from dpcalc.errors import TooLarge, Undecided
from dpcalc.mechanisms.fleet import Dummies, Group
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.privacy.added import Added
from dpcalc.privacy.pair import FAINT, Pair

__all__ = ["Composition", "Compositions", "FleetDelta"]

_MOST_EXACT = 3_000  # pairs of which each is summed exactly
_EXACT_BITS = 1 << 28  # size of all their pmfs
_MOST_PAIRS = 4_000  # looked at in branch and bound: some five seconds
_SPARE = 16  # times narrower than the answer is a single delta


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


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FleetDelta(Enclosure):
    """An enclosure of delta, and the datasets that attain its lower end."""

    dataset: Composition


@dataclass(frozen=True, slots=True)
class _Box:
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
    """

    groups: tuple[Group, ...]
    dummies: tuple[Dummies, ...]
    hidden: bool = False

    def others(self, group: int) -> tuple[int, ...]:
        """Users of each group beside the changed one."""
        return tuple(one.n - (g == group) for g, one in enumerate(self.groups))

    def pair(self, group: int, change: Change, ones: Sequence[int], zeros: Sequence[int]) -> Pair | Added:
        """The pair of so many others; the event is likelier under the first law of the change."""
        kinds = [(dummy.probability, dummy.count) for dummy in self.dummies]
        for one, m, rest in zip(self.groups, ones, zeros, strict=True):
            kinds += [(1 - one.q, one.k * m), (one.q, one.k * rest)]
        changed, (value, other) = self.groups[group], change
        if self.hidden:
            bit = other if value is None else value
            return Added(Pool.of(*kinds), 1 - changed.q if bit else changed.q, changed.k, value is not None)
        pair = Pair(Pool.of(*kinds), changed.q, changed.k)
        return pair.mirror if value else pair

    def of(self, at: Composition) -> Pair | Added:
        """The pair of a composition."""
        zeros = [n - m for n, m in zip(self.others(at.group), at.ones, strict=True)]
        return self.pair(at.group, (at.value, at.other), at.ones, zeros)

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes that have to be looked at."""
        if self.hidden:
            return _ADDED
        return _REPLACED if self.dummies else _REPLACED[:1]

    def single(self, ones: Sequence[int], limit: Limit, *, rtol: Fraction) -> FleetDelta:
        """delta of one composition, for a changed user of any group that leaves room for it.

        Raises:
            Undecided: rtol is beyond reach.
            TooLarge: every delta is below 2^-1,000,000, about 1e-301,030.
        """
        found, refused = [], None
        for group in range(len(self.groups)):
            if ones[group] > self.others(group)[group]:
                continue
            for change in _ADDED if self.hidden else _REPLACED:
                at = Composition(group, tuple(ones), *change)
                try:
                    found.append((self.of(at).divergence(limit, rtol=rtol), at))
                except TooLarge as error:  # it may be a smaller one
                    found, refused = [*found, (FAINT, at)], error
        best, at = max(found, key=lambda one: one[0].lower)
        if refused and not best.lower:
            raise refused
        return FleetDelta(best.lower, max(one.upper for one, _ in found), at)

    def exact(self, limit: Limit) -> FleetDelta | None:
        """The largest delta as a rational, by summing all; None where that is too dear or lambda is no rational."""
        if limit.lam is None:
            return None
        shapes = [self.others(group) for group in range(len(self.groups))]
        pairs = sum(math.prod(n + 1 for n in shape) for shape in shapes) * len(self.changes)
        bits = sum(group.n * group.k for group in self.groups) + sum(dummy.count for dummy in self.dummies)
        denominators = [group.q.denominator for group in self.groups] + [
            x.probability.denominator for x in self.dummies
        ]
        if pairs > _MOST_EXACT or pairs * bits**2 * max(denominators).bit_length() > _EXACT_BITS:
            return None
        value, at = max(((self.of(at).exact(limit.lam), at) for at in self._all()), key=lambda one: one[0])
        return FleetDelta(value, value, at)

    def _all(self) -> Iterator[Composition]:
        for group, change in product(range(len(self.groups)), self.changes):
            for ones in product(*(range(n + 1) for n in self.others(group))):
                yield Composition(group, ones, *change)

    def largest(self, limit: Limit, *, rtol: Fraction, target: Fraction | None = None) -> FleetDelta:
        """Proven ends of the largest delta, ``rtol`` apart or as near as so many pairs bring them.

        With a target, only until it is known on which side of it delta is.
        """
        return _Search(self, limit, rtol, target).found()


class _Search:
    """Branch and bound; see the module for its invariant."""

    def __init__(self, family: Compositions, limit: Limit, rtol: Fraction, target: Fraction | None) -> None:
        self._family, self._limit, self._rtol, self._target = family, limit, rtol, target
        self._seen: dict[Composition, Enclosure] = {}
        self._pairs = 0
        self._best, self._upper, self._at = Fraction(-1), Fraction(0), Composition(0, (), 0, 1)

    def found(self) -> FleetDelta:
        """The answer."""
        family, count = self._family, 0
        heap: list[tuple[Fraction, int, _Box]] = []
        for group, change in product(range(len(family.groups)), family.changes):
            others = family.others(group)
            self._climb(group, change)
            box = _Box(group, change, (0,) * len(others), others)
            heappush(heap, (-self._ceiling(box), count := count + 1, box))
        while heap and -heap[0][0] > self._enough and self._pairs < _MOST_PAIRS:
            _, _, box = heappop(heap)
            for part in self._halves(box):
                if part.low == part.high:
                    self._point(part.group, part.change, part.low)
                elif (ceiling := self._ceiling(part)) > self._best:
                    heappush(heap, (-ceiling, count := count + 1, part))
            if count % _SPARE == 0:
                self._point(box.group, box.change, [(a + b) // 2 for a, b in zip(box.low, box.high, strict=True)])
            if self._target is not None and self._best > self._target:
                break
        bound = max(self._upper, -heap[0][0]) if heap else self._upper
        return FleetDelta(self._best, max(bound, self._best), self._at)

    @property
    def _enough(self) -> Fraction:
        """What no box need be below."""
        if self._target is not None:
            return max(self._target, FAINT.upper)
        return max(self._best * (1 + self._rtol), FAINT.upper)

    def _climb(self, group: int, change: Change) -> None:
        """Uphill from the dataset of zeros and from that of ones, in steps that are halved."""
        others = self._family.others(group)
        for start in ((0,) * len(others), others):
            here, best = start, self._point(group, change, start)
            step = max(others)
            while step:
                near = [(self._point(group, change, ones), ones) for ones in _beside(here, step, others)]
                better = max(near, default=(best, here), key=lambda one: one[0])
                if better[0] > best:
                    best, here = better
                else:
                    step //= 2

    def _point(self, group: int, change: Change, ones: Sequence[int]) -> Fraction:
        """The lower end of one delta."""
        at = Composition(group, tuple(ones), *change)
        if at not in self._seen:
            found = self._seen[at] = self._value(self._family.of(at))
            self._upper = max(self._upper, found.upper)
            if found.lower > self._best:
                self._best, self._at = found.lower, at
        return self._seen[at].lower

    def _ceiling(self, box: _Box) -> Fraction:
        """At least every delta in the box."""
        if box.low == box.high:
            self._point(box.group, box.change, box.low)
            return self._seen[Composition(box.group, box.low, *box.change)].upper
        others = self._family.others(box.group)
        zeros = [n - h for n, h in zip(others, box.high, strict=True)]
        return self._value(self._family.pair(box.group, box.change, box.low, zeros)).upper

    def _value(self, pair: Pair | Added) -> Enclosure:
        self._pairs += 1
        try:
            return pair.inverted(self._limit, rtol=self._rtol / _SPARE)
        except TooLarge:  # too small to be held, and so no candidate
            return FAINT
        except Undecided:  # and so nothing is known of it
            return Enclosure(Fraction(0), Fraction(1))

    def _halves(self, box: _Box) -> Iterator[_Box]:
        """Cut where the reports that differ vary most."""
        widths = [
            (h - m) * group.k * group.q * (1 - group.q)
            for group, m, h in zip(self._family.groups, box.low, box.high, strict=True)
        ]
        g = max(range(len(widths)), key=widths.__getitem__)
        middle = (box.low[g] + box.high[g]) // 2
        if box.low == box.high:
            return
        yield _Box(box.group, box.change, box.low, (*box.high[:g], middle, *box.high[g + 1 :]))
        yield _Box(box.group, box.change, (*box.low[:g], middle + 1, *box.low[g + 1 :]), box.high)


def _beside(ones: Sequence[int], step: int, others: Sequence[int]) -> Iterator[tuple[int, ...]]:
    for g, m in enumerate(ones):
        for moved in (max(m - step, 0), min(m + step, others[g])):
            if moved != m:
                yield (*ones[:g], moved, *ones[g + 1 :])
