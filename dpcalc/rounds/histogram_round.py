r"""A histogram of asymmetric reports as one round of many: its pair on the lattice of losses, above and below.

Its two counts that change are independent. *Above* stands the product of a pair above all m of the one, in its
direction, and one above all e of the other: which m and e occur together is not looked at. The product of the two
families holds with every pair its mirror image, which leaves the categories in exchanged roles. *Below* stands the
product for a dataset whose delta is the largest where the losses lie that matter.

Source: proof notes, A3, C4 and C6.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb_poly

from dpcalc.mechanisms.asymmetric import AsymmetricBits
from dpcalc.mechanisms.fleet import Fleet
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.rounds.bounded_round import BoundedRound
from dpcalc.rounds.fleet_round import FleetRound
from dpcalc.rounds.lattice import Losses, infinite
from dpcalc.rounds.release import HistogramDataset
from dpcalc.rounds.two_counts import TwoCounts
from dpcalc.worst.compositions import Change, Composition

__all__ = ["HistogramRound"]

_FINE, _COARSE = Fraction(1, 1000), Fraction(1, 100)
_LEFT: Change = (1, 0)
_ENTERED: Change = (0, 1)


@dataclass(frozen=True, slots=True)
class HistogramRound(BoundedRound[HistogramDataset]):
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
    def largest_loss(self) -> Fraction:
        """That of one of the counts."""
        return self.histogram.group.local_epsilon.lower

    @property
    def beyond(self) -> Fraction:
        """None: every loss is finite."""
        return Fraction(0)

    def alone(self, limit: Limit) -> tuple[Enclosure, HistogramDataset]:
        """delta of one release."""
        found = TwoCounts(self.histogram).delta(limit, rtol=_FINE)
        return found, found.dataset

    def worst(self, centre: float) -> HistogramDataset:
        """The dataset whose delta is the largest where losses are about ``centre``."""
        limit = Limit.exp(Fraction(max(centre, self.spread)))
        return TwoCounts(self.histogram).delta(limit, rtol=_COARSE).dataset

    def above(self, step: Fraction, centre: float, faint: float, fineness: int) -> Losses:
        """A pair above all datasets."""
        each = [self._count(change).above(step, centre / 2, faint, fineness) for change in (_LEFT, _ENTERED)]
        return _product(each[0], each[1])

    def below(self, step: Fraction, centre: float, faint: float, fineness: int, at: HistogramDataset) -> Losses:
        """A pair below that of one dataset."""
        places = ((_LEFT, at.left), (_ENTERED, at.entered))
        each = [
            self._count(change).below(step, centre / 2, faint, fineness, Composition(0, ones, *change))
            for change, ones in places
        ]
        return _product(each[0], each[1])

    def _count(self, change: Change) -> FleetRound:
        return FleetRound(Fleet([self.histogram.group]), change)


def _product(first: Losses, second: Losses) -> Losses:
    """The losses of two independent counts."""
    masses = (arb_poly(list(first.masses)) * arb_poly(list(second.masses))).coeffs()
    whole = tuple(mass.nonnegative_part() for mass in masses)
    return Losses(first.first + second.first, whole, infinite([(first, 1), (second, 1)]))
