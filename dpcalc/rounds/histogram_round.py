r"""A histogram of asymmetric reports as one round of many.

Two counts change: of the category that the record leaves, and of the one that it enters. They are independent, so each
is a round of its own, in its direction. For the upper end, each is bounded over all its compositions; which of these
occur together is not looked at. The product of the two families holds the mirror image of each pair, with exchanged
categories. For the lower end there is a dataset with the largest delta at the losses that matter.

Source: proof notes, A3, C4 and C6.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcalc.families.two_counts import TwoCounts
from dpcalc.mechanisms.asymmetric import AsymmetricBits
from dpcalc.mechanisms.fleet import Fleet
from dpcalc.rounds.bounded_round import compared_at
from dpcalc.rounds.fleet_round import FleetRound
from dpcalc.worst.compositions import Change, Composition
from dpcalc.worst.datasets import HistogramDataset

_COARSE = Fraction(1, 100)
_LEFT: Change = (1, 0)
_ENTERED: Change = (0, 1)


@dataclass(frozen=True, slots=True)
class HistogramRound:
    """One release of a histogram.

    Attributes:
        histogram: one-hot records, one of them replaced.
    """

    histogram: AsymmetricBits

    @property
    def spread(self) -> float:
        """The standard deviation of the loss, about; it steers."""
        return TwoCounts(self.histogram).spread

    @property
    def beyond(self) -> Fraction:
        """None: every loss is finite."""
        return Fraction(0)

    def worst(self, centre: float) -> HistogramDataset:
        """The dataset with the largest delta at about this loss."""
        pairs = TwoCounts(self.histogram)
        limit = compared_at(centre, pairs.spread, float(pairs.highest))
        return pairs.delta(limit, rtol=_COARSE).dataset

    def counts(self, at: HistogramDataset) -> tuple[FleetRound, FleetRound]:
        """The two counts that change, with this dataset for the lower end."""
        return self._count(_LEFT, at.left), self._count(_ENTERED, at.entered)

    def chosen(self, chosen: Mapping[Any, Composition]) -> HistogramDataset:
        """The dataset, given the compositions of both counts."""
        fleet = Fleet([self.histogram.group])
        at = {one.change: at for one, at in chosen.items() if isinstance(one, FleetRound) and one.fleet == fleet}
        return HistogramDataset(at[_LEFT].ones, at[_ENTERED].ones)

    def _count(self, change: Change, ones: tuple[int, ...]) -> FleetRound:
        return FleetRound(Fleet([self.histogram.group]), change, Composition(0, ones, *change))
