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
from itertools import pairwise
from operator import itemgetter

from dpcalc.errors import Undecided
from dpcalc.numbers.arrays import arrays
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.two_laws import Asked, SomePairs
from dpcalc.worst.datasets import Datasets

_WORK = 1500  # ranges of datasets that a search looks at in some 5 s
_TRIED = 8  # knots before the work of all of them is estimated
_RANGES = 6


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
        found[epsilon], ranges = bound(datasets, epsilon, width)
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

    Args:
        datasets: all datasets of the round.
        parts: the first and the last number of ones of each part.
        asked: as above.
    """
    served = datasets.of_each(parts, [Limit.exp(epsilon) for epsilon, _ in asked], [width for _, width in asked])
    return [each or [Fraction(1)] * len(parts) for each in served]


def _together(datasets: Datasets, asked: Sequence[Asked]) -> dict[Fraction, Fraction]:
    """The bounds that passes over many limits give, by epsilon."""
    if not arrays():
        return {}
    limits = [Limit.exp(epsilon) for epsilon, _ in asked]
    served = datasets.together(limits, [width for _, width in asked])
    return {epsilon: one.upper for (epsilon, _), one in zip(asked, served, strict=True) if one is not None}


@lru_cache(maxsize=1 << 14)
def bound(datasets: Datasets, epsilon: Fraction, rtol: Fraction) -> tuple[Fraction, int]:
    """An upper bound of delta over all datasets, and how many ranges were looked at."""
    limit = Limit.exp(epsilon)
    if datasets.kept_within(limit):
        return Fraction(0), 0
    shares: list[float] = []
    try:
        found = datasets.largest(limit, rtol=rtol, progress=shares.append)
    except Undecided:
        return datasets.quick(limit), _WORK
    return found.upper, len(shares)
