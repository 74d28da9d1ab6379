r"""Upper bounds of delta of one round over all datasets, at many limits.

Limits near each other take one pass of doubles together, others a search each (``worst``); if all of them would take
too long, Chernoff's bound. Composed rounds draw chords through these bounds, and choose how sharp each must be.
Ranges of the number of ones are bounded in one direction, all of them at once (proof notes, C13 and C23).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import groupby, pairwise
from operator import itemgetter

from dpcalc.errors import Undecided
from dpcalc.numbers.arrays import arrays
from dpcalc.numbers.ball import FAINT
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.named import Asked, SomePairs
from dpcalc.worst.datasets import Datasets

_WORK = 1500  # ranges of datasets that a search looks at in some 5 s
_TRIED = 8  # knots before the work of all of them is estimated
_RANGES = 6
_BESIDE = 16  # limits that are asked together which parts matter
_SMALL = Fraction(1, 10**4)  # a share of the largest delta: bounds below it need not be sharp


def over_datasets(datasets: Datasets, asked: Sequence[Asked]) -> list[Fraction]:
    """Upper bounds of delta over all datasets, one for each limit, epsilons rising; Chernoff's bound if all would take
    too long. The sharpest are made first.
    """
    found, spent = _together(datasets, asked), 0
    places = sorted((one for one in asked if one[0] not in found), key=itemgetter(1))
    for tried, (epsilon, width) in enumerate(places):
        if spent * len(places) > _WORK * max(tried, _TRIED):
            found |= {x: datasets.quick(Limit.exp(x)) for x, _ in places[tried:]}
            break
        found[epsilon], _, ranges = bound(datasets, epsilon, width)
        spent += ranges
    return [found[x] for x, _ in asked]


@dataclass(frozen=True, slots=True)
class Ones(SomePairs):
    """The datasets of a range, in one direction.

    Attributes:
        datasets: those of all ranges.
        low, high: the least and the largest number of ones.
    """

    datasets: Datasets
    low: int
    high: int

    @property
    def mirror(self) -> Ones:
        """The datasets with as many zeros as these have ones."""
        others = self.datasets.others
        return Ones(self.datasets.mirror, others - self.high, others - self.low)

    def uppers(self, asked: Sequence[Asked]) -> list[Fraction]:
        """The bounds of all ranges and their mirror images are made together."""
        starts, end = _starts(self.datasets), self.datasets.others + 1
        parts = tuple(_parts(sorted({*starts, *(end - m for m in starts[1:])}), end))
        inside = [i for i, (low, high) in enumerate(parts) if self.low <= low and high <= self.high]
        return [max(each[i] for i in inside) for each in of_each(self.datasets, parts, tuple(asked))]


def ranges(datasets: Datasets) -> list[Ones]:
    """Ranges of the number of ones, each twice as wide as the one before: the worst dataset has few, mostly."""
    return [Ones(datasets, *ends) for ends in _parts(_starts(datasets), datasets.others + 1)]


def _starts(datasets: Datasets) -> list[int]:
    """The first m of every range."""
    others = datasets.others
    if others < _RANGES:
        return list(range(others + 1))
    return [0, *sorted({others // 2**i + 1 for i in range(1, _RANGES)})]


def _parts(starts: Sequence[int], end: int) -> list[tuple[int, int]]:
    """Ranges from each start to just before the next."""
    return [(m, n - 1) for m, n in pairwise([*starts, end])]


@lru_cache(maxsize=1 << 6)
def of_each(datasets: Datasets, parts: tuple[tuple[int, int], ...], asked: tuple[Asked, ...]) -> list[list[Fraction]]:
    """Upper bounds of delta over each part: a row for each limit, an entry for each part; 1 if nothing is proven.

    A share of delta of the zeros is a level: of parts that Chernoff's bound proves to be below it no more is told.

    Args:
        datasets: all datasets of the round.
        parts: the first and the last number of ones of each part.
        asked: as above.
    """
    limits, found = [Limit.exp(epsilon) for epsilon, _ in asked], list[list[Fraction]]()
    zeros = datasets.of_each([(0, 0)], limits, [width for _, width in asked])
    levels = list(zip(limits, [row[0] * _SMALL if row else Fraction(0) for row in zeros], strict=True))
    above = [one for i in range(0, len(limits), _BESIDE) for one in _above_levels(datasets, levels[i : i + _BESIDE])]

    def inside(i: int) -> list[int]:
        """The parts with an m whose delta may be above the level."""
        _, first, last = above[i]
        return [j for j, (low, high) in enumerate(parts) if low <= last and first <= high]

    for within, group in groupby(range(len(asked)), inside):
        places = list(group)
        first, last = min(above[i][1] for i in places), max(above[i][2] for i in places)
        looked = [(max(low, first), min(high, last)) for low, high in (parts[j] for j in within)]
        served = datasets.of_each(looked, [limits[i] for i in places], [asked[i][1] for i in places])
        for i, each in zip(places, served, strict=True):
            row = [above[i][0]] * len(parts)
            for j, value in zip(within, each or [Fraction(1)] * len(within), strict=True):
                row[j] = max(row[j], value)
            found.append(row)
    return found


def _above_levels(datasets: Datasets, levels: Sequence[tuple[Limit, Fraction]]) -> list[tuple[Fraction, int, int]]:
    """For limits beside each other: of each, or nothing of any where nothing is told at the first and the last."""
    nothing = Fraction(0), 0, datasets.others
    if all(_above(datasets, *one)[1:] == nothing[1:] for one in (levels[0], levels[-1])):
        return [nothing] * len(levels)
    return [_above(datasets, *one) for one in levels]


def _above(datasets: Datasets, limit: Limit, level: Fraction) -> tuple[Fraction, int, int]:
    """A level far below the largest delta, and the first and the last m whose delta may be above it."""
    if level <= FAINT.upper:
        return Fraction(0), 0, datasets.others
    return level, *datasets.above(limit, level)


def _together(datasets: Datasets, asked: Sequence[Asked]) -> dict[Fraction, Fraction]:
    """The bounds that passes over many limits give, by epsilon."""
    if not arrays():
        return {}
    limits = [Limit.exp(epsilon) for epsilon, _ in asked]
    served = datasets.together(limits, [width for _, width in asked])
    return {epsilon: one.upper for (epsilon, _), one in zip(asked, served, strict=True) if one is not None}


@lru_cache(maxsize=1 << 14)
def bound(datasets: Datasets, epsilon: Fraction, rtol: Fraction) -> tuple[Fraction, int, int]:
    """An upper bound of delta over all datasets, the ones of a dataset near it, and how many ranges were looked at."""
    limit = Limit.exp(epsilon)
    if datasets.kept_within(limit):
        return Fraction(0), 0, 0
    shares: list[float] = []
    try:
        found = datasets.largest(limit, rtol=rtol, progress=shares.append)
    except Undecided:
        return datasets.quick(limit), 0, _WORK
    return found.upper, found.dataset.ones, len(shares)
