r"""What one round releases: a few independent counts that change, and which datasets they may have together.

A count alone has any m from 0 to n - 1 ones among the others. The counts of a histogram that change may each have any m
too, but for those shapes in which the others' records tie them together (``mechanisms.unary``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, pairwise

from dpcalc.losses.boxes import Boxes, Count, affordable
from dpcalc.mechanisms.response import KRandomization
from dpcalc.mechanisms.unary import ABSENT, UnaryEncoding
from dpcalc.worst.datasets import Dataset, Datasets, HistogramDataset

_MOST_COUNTS, _LARGEST_K = 3, 1000  # in boxes


@dataclass(frozen=True, slots=True)
class Release:
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
        """Whether the counts may have so many together; ``absent`` as in ``UnaryEncoding.placements``."""
        return self.tied is None or self.tied.reached(ones, absent)

    def choices(self, absent: bool) -> Iterator[tuple[int, ...]]:
        """The ones of all counts, rising."""
        rising = combinations_with_replacement(range(self.datasets.others + 1), self.counts)
        return (ones for ones in rising if self.reached(ones, absent))


def changed(mechanism: KRandomization | UnaryEncoding) -> Release:
    """What changes when a mechanism is run once."""
    datasets = Datasets(mechanism.q, mechanism.k, mechanism.n - 1)
    if isinstance(mechanism, KRandomization):
        return Release(datasets)
    return Release(datasets, mechanism.changed, None if mechanism.untied else mechanism)


def releases(mechanism: KRandomization | UnaryEncoding, times: int) -> tuple[Release, int]:
    """The same, run so many times with datasets fixed in advance: counts that are not tied are rounds of their own."""
    one = changed(mechanism)
    return (one, times) if one.tied else (Release(one.datasets), times * one.counts)


def boxes(kinds: Sequence[tuple[Release, int]]) -> Boxes | None:
    """Of the datasets of a few counts, fixed in advance; None where they are not served."""
    if sum(release.counts * times for release, times in kinds) > _MOST_COUNTS:
        return None
    if any(one.counts > (2 if one.tied else 1) or one.datasets.k > affordable(_LARGEST_K) for one, _ in kinds):
        return None
    sides = []
    for x, counts, times in ((one.datasets, one.counts, times) for one, times in kinds):
        sides += [(Count((x.q, 1 - x.q), x.k, x.others),) * counts] * times
    found = Boxes(sides, [one == after for one, after in pairwise(sides)])  # equal counts may change places
    return found if found.served else None


def directions(rounds: Iterable[Release]) -> Sequence[bool]:
    """Whether deleted records are absent in the likelier dataset of all rounds: both, where that makes a difference."""
    return ABSENT if any(one.tied and one.tied.neighbours == "delete" for one in rounds) else ABSENT[:1]


def named(mechanism: KRandomization | UnaryEncoding, ones: Sequence[int], absent: bool) -> Dataset | HistogramDataset:
    """The dataset whose counts have so many ones, which they may; ``absent`` as in ``UnaryEncoding.placements``."""
    if isinstance(mechanism, KRandomization):
        return Dataset(ones[0], 0)
    return HistogramDataset(*next(mechanism.placements(ones, absent)))
