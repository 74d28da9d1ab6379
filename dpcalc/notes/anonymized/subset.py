r"""The search for one subset of a table that every class is close to.

    m_v rows of the subset M have value v:  0 <= m_v <= total_v,  m_1 + m_2 + ... >= n,
    D(P_L, m / |M|) <= epsilon for every class L.

D sees a subset only through these counts, so the search is for whole counts in a convex cone, by branch and bound.
In a box of counts the real solutions of a few linear inequalities are asked for. Inequalities that cut off a point
far from some class are added, until none are left (the box holds no subset) or the point is close to all classes
(round it, or split the box there). Everything is exact: a box given up is proven to hold no subset.

Larger is not closer. Real counts can always be scaled down to n rows, but whole ones may exist only for a larger
subset (a third of n = 4 rows), and a subset of n rows may have no larger one beside it (a value has run out).

Source: EC, "n-epsilon-closeness"; Kelley, J. SIAM 8 (1960) 703-712 (cutting planes for convex programs).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpcalc.errors import must_fit
from dpcalc.notes.anonymized.distance import DISTANCES, within
from dpcalc.notes.anonymized.inequalities import Inequalities
from dpcalc.notes.anonymized.separation import separating_row
from dpcalc.numbers.enclosure import Enclosure

_MAX_BOXES = 20_000
_MAX_CUTS = 60  # in one box, before it is split
_AIMS = 8


def close_subset(
    classes: Sequence[Sequence[int]], totals: Sequence[int], *, n: int, epsilon: Fraction, distance: str
) -> tuple[int, ...] | None:
    """Counts of a subset of at least ``n`` rows within ``epsilon`` of every class, or None: proven, there is none.

    Args:
        classes: the counts of every class, value by value.
        totals: the counts of the table that the subset is taken from.
        n: the smallest size, at least 1.
        epsilon: the largest distance allowed.
        distance: a key of ``DISTANCES``.

    Raises:
        TooLarge: neither was found in 20,000 boxes or about a minute.

    A third of the rows must have the first value, which four or five rows cannot do:

    >>> close_subset([(1, 2)], (4, 4), n=4, epsilon=Fraction(0), distance="l1")
    (2, 4)
    >>> close_subset([(1, 2)], (1, 4), n=4, epsilon=Fraction(0), distance="l1") is None
    True
    """
    search = Search(tuple(classes), tuple(totals), n, epsilon, distance)
    if search.accepts(search.totals):
        return search.totals
    system = search.inequalities()
    if search.point(system, search.nothing, search.totals, epsilon) is None:
        return None
    return search.guess() or search.branches(system)


@dataclass(frozen=True, slots=True)
class Search:
    """One question about subsets; the parts of ``close_subset``, from the quickest to the one that settles all."""

    classes: tuple[Sequence[int], ...]
    totals: tuple[int, ...]
    n: int
    epsilon: Fraction
    distance: str

    @property
    def nothing(self) -> tuple[int, ...]:
        """The lower corner of the first box."""
        return (0,) * len(self.totals)

    def guess(self) -> tuple[int, ...] | None:
        """A point well inside the cone, rounded, if that gives a subset.

        Cutting for a smaller epsilon steers the point inside, where rounding does no harm.
        """
        for halvings in range(1, _AIMS + 1):
            aim = self.epsilon * (1 - Fraction(1, 2**halvings))
            point = self.point(self.inequalities(), self.nothing, self.totals, aim)
            if point and self.accepts(counts := self._rounded(point)):
                return counts
        return None

    def branches(self, system: Inequalities, *, most_boxes: int = _MAX_BOXES) -> tuple[int, ...] | None:
        """A subset, or None when every box has been proven to hold none; a cut is valid in all boxes.

        Raises:
            TooLarge: neither in so many boxes, or in the work that the system may do.
        """
        boxes, seen = [(self.nothing, self.totals)], 0
        while boxes:
            seen += 1
            must_fit(
                "the search for a subset", seen, most_boxes, "boxes",
                instead="another epsilon (this one is almost attained)",
            )  # fmt: skip
            low, high = boxes.pop()
            point = self.point(system, low, high, self.epsilon)
            if point is None:
                continue
            for counts in (self._rounded(point), tuple(int(x) for x in point)):
                if self.accepts(counts):
                    return counts
            boxes += _halves(low, high, point)
        return None

    def inequalities(self) -> Inequalities:
        """The size alone; the cuts come with the points."""
        return Inequalities(len(self.totals), least=self.n)

    def point(
        self, system: Inequalities, low: tuple[int, ...], high: tuple[int, ...], aim: Fraction
    ) -> list[Fraction] | None:
        """Real counts in the box, close to every class unless the cuts make no progress; None if proven: none are."""
        point = system.point(low, high)
        for _ in range(_MAX_CUTS):
            worst = self._farthest(point) if point else None
            if point is None or worst is None:
                return point
            row = separating_row(worst, point, aim, distance=self.distance)
            if sum(w * x for w, x in zip(row, point, strict=True)) <= 0:
                return point
            system.require(row)
            point = system.point(low, high)
        return point

    def _farthest(self, point: Sequence[Fraction]) -> Sequence[int] | None:
        """A class farthest from the point, up to the width of an enclosure; None if all are close."""
        far = [p for p in self.classes if not within(p, point, self.epsilon, distance=self.distance)]
        return max(far, key=lambda p: _size(DISTANCES[self.distance](p, point)), default=None)

    def accepts(self, counts: Sequence[int]) -> bool:
        """Whether these are the counts of a subset as asked for."""
        return sum(counts) >= self.n and all(
            within(p, counts, self.epsilon, distance=self.distance) for p in self.classes
        )

    def _rounded(self, point: Sequence[Fraction]) -> tuple[int, ...]:
        """The point scaled up until one value runs out (the finest proportions), to the nearest whole counts."""
        scale = min(total / x for total, x in zip(self.totals, point, strict=True) if x)
        return tuple(int(scale * x + Fraction(1, 2)) for x in point)


def _size(distance: Enclosure | float) -> Fraction | float:
    return distance.lower if isinstance(distance, Enclosure) else distance


def _halves(
    low: tuple[int, ...], high: tuple[int, ...], point: Sequence[Fraction]
) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The box split next to the point, across the value farthest from whole, else across the longest side.

    A single point cannot be split, and has been judged: it gives no boxes.
    """
    v = max(range(len(point)), key=lambda u: (abs(point[u] - round(point[u])), high[u] - low[u]))
    if low[v] == high[v]:
        return []
    end = min(int(point[v]), high[v] - 1)
    return [(low, (*high[:v], end, *high[v + 1 :])), ((*low[:v], end + 1, *low[v + 1 :]), high)]
