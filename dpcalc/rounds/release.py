r"""The counts that change in one round, which are independent, and the datasets that they can have together.

A single count can have any number m of ones among the n - 1 others. So can each changing count of a histogram, unless
the others' records rule out some combinations (``mechanisms.unary``).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import combinations_with_replacement, pairwise

from dpcalc.losses.boxes import Boxes, Count, affordable
from dpcalc.mechanisms.response import KRandomization
from dpcalc.mechanisms.unary import ABSENT, UnaryEncoding
from dpcalc.pairs.listed import ListedPair
from dpcalc.rounds.few_rounds import Choices, log_choose
from dpcalc.worst.datasets import Dataset, Datasets, HistogramDataset

_MOST_COUNTS, _LARGEST_K = 3, 1000  # in boxes


@dataclass(frozen=True, slots=True)
class Release(Choices):
    """Counts released together.

    Attributes:
        datasets: the pairs of each count.
        counts: how many of them change.
        tied: set where some combinations of ones cannot occur; then only those that can are searched.
    """

    datasets: Datasets
    counts: int = 1
    tied: UnaryEncoding | None = None

    def reached(self, ones: Sequence[int], absent: bool) -> bool:
        """Whether the counts can have these ones together; ``absent`` as in ``UnaryEncoding.placements``."""
        return self.tied is None or self.tied.reached(ones, absent)

    def choices(self, absent: bool) -> Iterator[tuple[int, ...]]:
        """All combinations of ones, each in rising order."""
        rising = combinations_with_replacement(range(self.datasets.others + 1), self.counts)
        return (ones for ones in rising if self.reached(ones, absent))

    def pair(self, choice: Sequence[int]) -> ListedPair:
        """Of all counts."""
        return _listed(self.datasets, tuple(choice))

    @property
    def directions(self) -> Sequence[bool]:
        """Both, if which records others can have depends on it."""
        return ABSENT if self.tied and self.tied.neighbours == "delete" else ABSENT[:1]

    def log_combinations(self, times: int) -> float:
        """As if each count were a round."""
        return log_choose(self.datasets.others + self.counts * times, self.counts * times)

    def log_ratios(self, times: int) -> float:
        """With one record they lie on a lattice."""
        datasets, counts = self.datasets, self.counts * times
        each = datasets.k * (datasets.others + 1)
        return counts * math.log(each + 1) if datasets.others else 2 * math.log(each * counts + 1)


@lru_cache(maxsize=1 << 10)
def _listed(datasets: Datasets, ones: tuple[int, ...]) -> ListedPair:
    return reduce(ListedPair.beside, (datasets.pair(m).listed() for m in ones))


def changed(mechanism: KRandomization | UnaryEncoding) -> Release:
    """The counts that change when a mechanism is run once."""
    datasets = Datasets.symmetric(mechanism.q, mechanism.k, mechanism.n - 1)
    if isinstance(mechanism, KRandomization):
        return Release(datasets)
    return Release(datasets, mechanism.changed, None if mechanism.untied else mechanism)


def releases(mechanism: KRandomization | UnaryEncoding, times: int) -> tuple[Release, int]:
    """The same for several runs with datasets fixed in advance: counts that are not tied become rounds of their own."""
    one = changed(mechanism)
    return (one, times) if one.tied else (Release(one.datasets), times * one.counts)


def boxes(kinds: Sequence[tuple[Release, int]]) -> Boxes | None:
    """All datasets of a few counts, fixed in advance; None if there are too many counts or outcomes."""
    if sum(release.counts * times for release, times in kinds) > _MOST_COUNTS:
        return None
    if any(one.counts > (2 if one.tied else 1) or one.datasets.k > affordable(_LARGEST_K) for one, _ in kinds):
        return None
    sides = []
    for x, counts, times in ((one.datasets, one.counts, times) for one, times in kinds):
        sides += [(Count(x.own, x.k, x.others),) * counts] * times
    found = Boxes(sides, [one == after for one, after in pairwise(sides)])  # equal counts may change places
    return found if found.served else None


def named(mechanism: KRandomization | UnaryEncoding, ones: Sequence[int], absent: bool) -> Dataset | HistogramDataset:
    """A dataset whose counts have these ones, if they can; ``absent`` as in ``UnaryEncoding.placements``."""
    if isinstance(mechanism, KRandomization):
        return Dataset(ones[0], 0)
    return HistogramDataset(*next(mechanism.placements(ones, absent)))
