"""What a mechanism must offer to be a round: upper bounds of delta over all datasets, and the outcomes of one."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Generic, TypeVar

from dpcalc.losses.outcomes import Revealed
from dpcalc.numbers.limit import Limit

_COARSE = Fraction(1, 10)
_LOW, _HIGH = 0.25, 0.9  # shares of the largest loss, for ``compared_at``

#: A pair of neighbouring datasets and a direction, as the mechanism names it.
_At = TypeVar("_At")


def compared_at(loss: float, spread: float, largest: float) -> Limit:
    """The limit at which datasets are compared if each round loses about ``loss``: where their deltas differ, and not
    next to the largest loss, where all are 0. Where rare outcomes lose much, ``spread`` is no usual loss.
    """
    return Limit.exp(Fraction(min(max(loss, min(spread, _LOW * largest)), _HIGH * largest)))


class BoundedRound(ABC, Generic[_At]):
    """One release: a family of pairs."""

    __slots__ = ()

    @property
    @abstractmethod
    def spread(self) -> float:
        """The standard deviation of the loss, about; it steers."""

    @property
    @abstractmethod
    def unit(self) -> Fraction | None:
        """A loss, rounded down, of which many others are multiples; None if there is none."""

    @property
    @abstractmethod
    def largest_loss(self) -> float:
        """The largest finite loss; it steers."""

    @property
    def last_loss(self) -> Fraction | None:
        """A loss above 0, rounded down, from which on delta falls no further; None if none is known. It steers."""
        return None

    @property
    def beyond(self) -> Fraction:
        """A lower bound of delta for every epsilon."""
        return Fraction(0)

    @abstractmethod
    def candidates(self, loss: float) -> Iterator[_At]:
        """Datasets, one of which may be the worst if each round loses about ``loss``."""

    def rivals(self, loss: float, most: float) -> Sequence[BoundedRound[_At]]:
        """Rounds with one dataset each, to be compared by delta; itself if the Rényi divergence may choose.

        Args:
            loss: about the loss of each round.
            most: the loss of all rounds together, or of one round if the others show next to nothing.
        """
        return (self,)

    @abstractmethod
    def seen(self, at: _At, *, centre: float, fineness: int, bits: int) -> Revealed:
        """The outcomes of one dataset.

        Args:
            at: the dataset.
            centre: the loss that matters most.
            fineness: groups to a standard deviation, if there are too many outcomes.
            bits: outcomes with masses below 2^-bits are not needed.
        """

    @abstractmethod
    def bounds(self, asked: Sequence[tuple[Fraction, Fraction]], *, centre: float, sharpness: float) -> list[Fraction]:
        """Upper bounds of delta over the family.

        Args:
            asked: pairs of an epsilon >= 0 and a relative width that is aimed at; epsilons rise.
            centre: the loss that matters most.
            sharpness: the relative width there.
        """

    def quick(self, epsilon: Fraction) -> Fraction:
        """A rough bound at one epsilon."""
        return self.bounds([(epsilon, _COARSE)], centre=float(epsilon), sharpness=float(_COARSE))[0]

    def mirrored(self, asked: Sequence[tuple[Fraction, Fraction]]) -> list[Fraction] | None:
        """The same with P and Q exchanged; None if the family is its own mirror image."""
        return None

    @property
    def ranges(self) -> Sequence[BoundedRound[_At]]:
        """Smaller families that hold all of its pairs together; empty if there are none."""
        return ()

    def halvings(self, loss: float) -> float:
        """-log2 of delta at a limit, about; it steers."""
        return (loss / self.spread) ** 2 / (2 * math.log(2))
