r"""The largest delta over all compositions of a fleet, by best-first search over boxes of them.

The search is ``search.best_first`` with the bounds of ``compositions``. A box is cut in two, across the side whose
reports vary most, and the composition in its middle is looked at. At every moment

    largest delta seen <= max delta <= max(largest upper end seen, largest bound of a box left).

Single bits are a fleet of one group. Proof notes, 5.1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from dpcalc.errors import Undecided
from dpcalc.numbers.ball import FAINT
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import best_first
from dpcalc.pairs.family import Attained, Progress
from dpcalc.pairs.pair import Pair
from dpcalc.worst.compositions import Box, Composition, Compositions

_MOST_PAIRS = 4_000  # looked at: some five seconds
_ENVELOPE = 4  # pairs take as long as one envelope
_FEW = 4  # compositions in a box, up to which each is looked at by itself
_SPARE = 16  # times narrower than the answer is a single delta


class OverCompositions:
    """The search; see the module for its invariant.

    Args:
        family: all compositions.
        limit: the ratio limit.
        rtol: how far apart the ends may be; they are as near as so many pairs bring them.
        fine: the relative width of a single delta.
        ties: look for the largest one itself, as long as at most so many may be the largest.
        pairs: how many may be looked at.
        progress: called with the share of those pairs that was looked at.

    Attributes:
        seen: what was looked at.
        finalists: of these, what may be the largest.
        open: whether a box is left that may hold more than is asked for, or nothing is known of one that was looked at.
    """

    def __init__(
        self, family: Compositions, limit: Limit, rtol: Fraction, *, fine: Fraction | None = None,
        ties: float = -1, pairs: int = _MOST_PAIRS, progress: Progress | None = None,
    ) -> None:  # fmt: skip
        self._family, self._limit, self._rtol, self._ties = family, limit, rtol, ties
        self._most, self._progress = pairs, progress
        self._fine = rtol / _SPARE if fine is None else fine
        self.seen: dict[Composition, Enclosure] = {}
        self.finalists: list[Composition] = []
        self.open, self.pairs, self._unknown = True, 0, 0
        self._best, self._upper, self._at = Fraction(-1), Fraction(0), Composition(0, (), 0, 1)

    def run(self) -> Attained:
        """Proven ends of the largest delta."""
        left = best_first(list(self._starts()), self._parts, enough=lambda: self._enough, more=self._more)
        bound = max((ceiling for ceiling, _ in left[:1]), default=Fraction(0))
        self.open = bound > self._enough or self._unknown > 0
        return Attained(self._best, max(self._upper, bound, self._best), self._at)

    def _more(self, _: Box) -> bool:
        if self._progress:
            self._progress(min(self.pairs / self._most, 1.0))
        return self.pairs < self._most

    def _starts(self) -> Iterator[tuple[Fraction, Box]]:
        """All compositions of each changed group and direction."""
        boxes = list(self._family.boxes(self._limit))
        for box in boxes:
            for ones in self._family.corners(box):
                self._point(box, ones)
        return ((self._ceiling(box), box) for box in boxes if box.low != box.high)

    def _parts(self, box: Box) -> Iterator[tuple[Fraction, Box]]:
        """The halves that may exceed the best; in small ones every composition is looked at instead."""
        self._point(box, [(a + b) // 2 for a, b in zip(box.low, box.high, strict=True)])
        for part in self._halves(box):
            ends = list(zip(part.low, part.high, strict=True))
            if math.prod(b - a + 1 for a, b in ends) <= _FEW:
                for ones in product(*(range(a, b + 1) for a, b in ends)):
                    self._point(part, ones)
            elif (ceiling := self._ceiling(part)) > self._best:
                yield ceiling, part

    @property
    def _enough(self) -> Fraction:
        """What no box need be below; nothing below ``FAINT`` can be told apart by balls."""
        if len(self.finalists) <= self._ties:
            return self._best
        return max(self._best * (1 + self._rtol), FAINT.upper)

    def _point(self, box: Box, ones: Sequence[int]) -> None:
        """Look at one delta."""
        at = Composition(box.group, tuple(ones), *box.change)
        if at in self.seen:
            return
        found = self.seen[at] = self._value(self._family.pair_at(at))
        self._unknown += found.upper - found.lower == 1
        self._upper = max(self._upper, found.upper)
        if found.lower > self._best:
            self._best, self._at = found.lower, at
            self.finalists = [other for other in self.finalists if self.seen[other].upper >= self._best]
        if found.upper >= self._best:
            self.finalists.append(at)

    def _ceiling(self, box: Box) -> Fraction:
        """At least every delta in the box."""
        bound = self._fewer(box)
        return bound if bound <= self._enough else min(bound, self._envelope(box))

    def _envelope(self, box: Box) -> Fraction:
        """One bound for all of the box."""
        bound, made = self._family.envelope(box, self._limit, rtol=self._fine, level=self._enough)
        self.pairs += _ENVELOPE * made
        return bound

    def _fewer(self, box: Box) -> Fraction:
        """delta without the reports that differ within the box."""
        zeros = [n - h for n, h in zip(self._family.others(box.group), box.high, strict=True)]
        return self._value(self._family.pair(box.group, box.change, box.low, zeros)).upper

    def _value(self, pair: Pair) -> Enclosure:
        self.pairs += 1
        try:
            return pair.enclosed(self._limit, rtol=self._fine)
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
