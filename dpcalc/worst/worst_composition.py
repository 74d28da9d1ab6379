r"""The largest delta over all compositions of a fleet, by branch and bound over boxes of them.

The search is ``numbers.best_first`` with the bounds of ``compositions``. A box is cut in two, across the side whose
reports vary most. At every moment

    largest delta seen <= max delta <= max(largest upper end seen, largest bound of a box left).

Good compositions are found by climbing from that of zeros or of ones; the bounds do not depend on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from dpcalc.errors import Undecided
from dpcalc.numbers.ball import FAINT
from dpcalc.numbers.best_first import best_first
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.family import Progress
from dpcalc.pairs.pair import Pair
from dpcalc.worst.compositions import Box, Change, Composition, Compositions, FleetDelta

_MOST_PAIRS = 4_000  # looked at in branch and bound: some five seconds
_ENVELOPE = 4  # pairs take as long as one envelope
_NARROW = 4  # a box of at most this share of every group is rather bounded by the pool without those that differ
_SPARE = 16  # times narrower than the answer is a single delta


def largest(
    family: Compositions,
    limit: Limit,
    *,
    rtol: Fraction,
    target: Fraction | None = None,
    pairs: int = _MOST_PAIRS,
    near: Composition | None = None,
    progress: Progress | None = None,
) -> FleetDelta:
    """Proven ends of the largest delta.

    Args:
        family: all compositions.
        limit: the ratio limit.
        rtol: how far apart the ends may be; they are as near as so many pairs bring them.
        target: look only until it is known on which side of it delta is.
        pairs: how many may be looked at.
        near: a composition that is about the worst, if one is known.
        progress: called with the share of those pairs that was looked at.
    """
    search = _OverCompositions(family, limit, rtol, target, pairs)
    return search.found(near, progress)


class _OverCompositions:
    """Branch and bound; see the module for its invariant."""

    def __init__(self, family: Compositions, limit: Limit, rtol: Fraction, target: Fraction | None, most: int) -> None:
        self._family, self._limit, self._rtol, self._target, self._most = family, limit, rtol, target, most
        self._seen: dict[Composition, Enclosure] = {}
        self._pairs = self._divided = 0
        self._best, self._upper, self._at = Fraction(-1), Fraction(0), Composition(0, (), 0, 1)

    def found(self, near: Composition | None, progress: Progress | None) -> FleetDelta:
        """The answer."""
        if near is not None:
            self._point(near.group, (near.value, near.other), near.ones)

        def more(_: Box) -> bool:
            if progress:
                progress(min(self._pairs / self._most, 1.0))
            return self._pairs < self._most and (self._target is None or self._best <= self._target)

        left = best_first(self._starts(climb=near is None), self._parts, enough=lambda: self._enough, more=more)
        return FleetDelta(self._best, max(self._upper, *(bound for bound, _ in left[:1]), self._best), self._at)

    def _starts(self, *, climb: bool) -> Iterator[tuple[Fraction, Box]]:
        for box in self._whole():
            if (ceiling := self._ceiling(box)) > self._enough and climb:
                self._climb(box)
            yield ceiling, box

    def _parts(self, box: Box) -> Iterator[tuple[Fraction, Box]]:
        """The halves that may exceed the best; now and then the composition in the middle is looked at."""
        self._divided += 1
        if self._divided % _SPARE == 0:
            self._point(box.group, box.change, [(a + b) // 2 for a, b in zip(box.low, box.high, strict=True)])
        for part in self._halves(box):
            if part.low == part.high:
                self._point(part.group, part.change, part.low)
            elif (ceiling := self._ceiling(part)) > self._best:
                yield ceiling, part

    @property
    def _enough(self) -> Fraction:
        """What no box need be below."""
        if self._target is not None:
            return max(self._target, FAINT.upper)
        return max(self._best * (1 + self._rtol), FAINT.upper)

    def _whole(self) -> list[Box]:
        """All compositions of each changed group and direction, those with the largest delta at a corner first."""
        found = []
        for group, change in product(range(len(self._family.groups)), self._family.changes):
            others = self._family.others(group)
            box = Box(group, change, (0,) * len(others), others)
            found.append((max(self._point(group, change, ones) for ones in (box.low, box.high)), box))
        return [box for _, box in sorted(found, key=lambda one: one[0], reverse=True)]

    def _climb(self, box: Box) -> None:
        """Uphill from the dataset of zeros or that of ones, whichever shows more, in steps that are halved."""
        starts = [(self._point(box.group, box.change, ones), ones) for ones in (box.low, box.high)]
        best, here = max(starts, key=lambda one: one[0])
        step = max(box.high)
        while step and self._pairs < self._most:
            beside = _beside(here, step, box.high)
            near = [(self._point(box.group, box.change, ones), ones) for ones in beside]
            better = max(near, default=(best, here), key=lambda one: one[0])
            if better[0] > best:
                best, here = better
            else:
                step //= 2

    def _point(self, group: int, change: Change, ones: Sequence[int]) -> Fraction:
        """The lower end of one delta."""
        at = Composition(group, tuple(ones), *change)
        if at not in self._seen:
            found = self._seen[at] = self._value(self._family.pair_at(at))
            self._upper = max(self._upper, found.upper)
            if found.lower > self._best:
                self._best, self._at = found.lower, at
        return self._seen[at].lower

    def _ceiling(self, box: Box) -> Fraction:
        """At least every delta in the box."""
        if box.low == box.high:
            self._point(box.group, box.change, box.low)
            return self._seen[Composition(box.group, box.low, *box.change)].upper
        others, bound = self._family.others(box.group), Fraction(1)
        narrow = all((h - m) * _NARROW <= n for m, h, n in zip(box.low, box.high, others, strict=True))
        for way in (self._fewer, self._envelope) if narrow else (self._envelope, self._fewer):  # the likelier one first
            bound = min(bound, way(box))
            if bound <= self._enough:
                break
        return bound

    def _envelope(self, box: Box) -> Fraction:
        """One bound for all of the box."""
        bound, made = self._family.envelope(box, self._limit, rtol=self._rtol, level=self._enough)
        self._pairs += _ENVELOPE * made
        return bound

    def _fewer(self, box: Box) -> Fraction:
        """delta without the reports that differ within the box."""
        zeros = [n - h for n, h in zip(self._family.others(box.group), box.high, strict=True)]
        return self._value(self._family.pair(box.group, box.change, box.low, zeros)).upper

    def _value(self, pair: Pair) -> Enclosure:
        self._pairs += 1
        try:
            return pair.inverted(self._limit, rtol=self._rtol / _SPARE)
        except Undecided:  # and so nothing is known of it
            return Enclosure(Fraction(0), Fraction(1))

    def _halves(self, box: Box) -> Iterator[Box]:
        """Cut where the reports that differ vary most."""
        widths = [
            (h - m) * group.k * sum(a * (1 - a) for a in group.chances)
            for group, m, h in zip(self._family.groups, box.low, box.high, strict=True)
        ]
        g = max(range(len(widths)), key=widths.__getitem__)
        middle = (box.low[g] + box.high[g]) // 2
        if box.low == box.high:
            return
        yield Box(box.group, box.change, box.low, (*box.high[:g], middle, *box.high[g + 1 :]))
        yield Box(box.group, box.change, (*box.low[:g], middle + 1, *box.low[g + 1 :]), box.high)


def _beside(ones: Sequence[int], step: int, others: Sequence[int]) -> Iterator[tuple[int, ...]]:
    for g, m in enumerate(ones):
        for moved in (max(m - step, 0), min(m + step, others[g])):
            if moved != m:
                yield (*ones[:g], moved, *ones[g + 1 :])
