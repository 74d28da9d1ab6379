r"""A count of single bits as one round of many: upper bounds of delta, and the outcomes of one dataset.

Every number m of ones among the others is looked at in one direction, 0 over 1 (proof notes, C13).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from dpcalc.losses.outcomes import Revealed, revealed
from dpcalc.numbers.elementary import log
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import logarithm
from dpcalc.rounds.bounded_round import BoundedRound
from dpcalc.rounds.profile_bounds import of_each, over_datasets, single
from dpcalc.worst.datasets import Datasets

_RANGES = 6
_SPARE = 128  # bits of the faintest outcome of all


@dataclass(frozen=True, slots=True)
class BitsRound(BoundedRound[int]):
    """One count.

    Attributes:
        datasets: all of its datasets.
        ones: the number of ones of the one dataset that is looked at, in both directions for upper bounds. None: all.
        within: the least and the largest number of ones that are bounded, in one direction; None: all.
    """

    datasets: Datasets
    ones: int | None = None
    within: tuple[int, int] | None = None

    @property
    def spread(self) -> float:
        """The standard deviation of the loss, about; it steers."""
        return self.datasets.spread

    @property
    def unit(self) -> Fraction:
        """The loss of one report."""
        return log(self.datasets.odds).lower

    @property
    def largest_loss(self) -> float:
        """The local epsilon."""
        return self.datasets.largest_loss

    def candidates(self, loss: float) -> Iterator[int]:
        """The dataset given; else that of zeros. Any gives a lower end, and this one the largest as a rule."""
        yield self.ones or 0

    def seen(self, at: int, *, centre: float, fineness: int, bits: int) -> Revealed:
        """The outcomes of one dataset."""
        pair = self.datasets.pair(at)
        enough = bits if self.ones is not None else min(bits, self._faintest(at))
        return revealed(pair, enough, centre=centre, fineness=fineness)

    def bounds(self, asked: Sequence[tuple[Fraction, Fraction]], *, centre: float, sharpness: float) -> list[Fraction]:
        """Upper bounds of delta over all datasets, a range of them, or both directions of one."""
        if self.within is not None:
            return self._over(*self.within, asked)
        if self.ones is None:
            return over_datasets(self.datasets, asked, centre=centre)
        return [single(self.datasets, self.ones, epsilon, Fraction(sharpness)) for epsilon, _ in asked]

    def mirrored(self, asked: Sequence[tuple[Fraction, Fraction]]) -> list[Fraction] | None:
        """The same of the datasets with as many zeros as the range has ones."""
        if self.within is None:
            return None
        low, high = (self.datasets.others - m for m in self.within)
        return self._over(high, low, asked)

    @property
    def ranges(self) -> Sequence[BitsRound]:
        """Ranges of the number of ones, each twice as wide as the one before: the worst dataset has few, mostly."""
        return (
            ()
            if self.ones is not None
            else [replace(self, within=ends) for ends in _parts(_starts(self.datasets), self.datasets.others + 1)]
        )

    def _over(self, first: int, last: int, asked: Sequence[tuple[Fraction, Fraction]]) -> list[Fraction]:
        """Upper bounds over this range; those of all ranges and their mirror images are made together."""
        starts, end = _starts(self.datasets), self.datasets.others + 1
        parts = tuple(_parts(sorted({*starts, *(end - m for m in starts[1:])}), end))
        inside = [i for i, (low, high) in enumerate(parts) if first <= low and high <= last]
        return [max(each[i] for i in inside) for each in of_each(self.datasets, parts, tuple(asked))]

    def quick(self, epsilon: Fraction) -> Fraction:
        """Chernoff's bound."""
        return self.datasets.quick(Limit.exp(epsilon))

    def halvings(self, loss: float) -> float:
        """-log2 of Chernoff's bound."""
        return -logarithm(self.quick(Fraction(loss))) / math.log(2)

    def _faintest(self, ones: int) -> int:
        """-log2 of the faintest outcome, which is all zeros, and some more: no outcome needs more bits."""
        x = self.datasets
        one, zero = (-x.k * logarithm(a) / math.log(2) for a in x.own)
        return math.ceil(min(one * ones + zero * (x.others - ones), 1e9)) + _SPARE


def _starts(datasets: Datasets) -> list[int]:
    """The first m of every range."""
    others = datasets.others
    if others < _RANGES:
        return list(range(others + 1))
    return [0, *sorted({others // 2**i + 1 for i in range(1, _RANGES)})]


def _parts(starts: Sequence[int], end: int) -> list[tuple[int, int]]:
    """Ranges from each start to just before the next."""
    return [(m, n - 1) for m, n in pairwise([*starts, end])]
