"""What a mechanism must offer to be a round of ``Rounds``: its privacy losses as a pair above and a pair below."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Generic, TypeVar

from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.rounds.lattice import Losses

__all__ = ["BoundedRound"]

#: A pair of neighbouring datasets and a direction, as the mechanism names it.
At = TypeVar("At")


class BoundedRound(ABC, Generic[At]):
    """One release. The family of its pairs holds with every pair its mirror image."""

    __slots__ = ()

    @property
    @abstractmethod
    def spread(self) -> float:
        """The standard deviation of the loss, about; it steers."""

    @property
    @abstractmethod
    def largest_loss(self) -> Fraction | None:
        """The largest finite loss, from below, where many outcomes have it."""

    @property
    @abstractmethod
    def beyond(self) -> Fraction:
        """At or below delta for every epsilon."""

    @abstractmethod
    def alone(self, limit: Limit) -> tuple[Enclosure, At]:
        """delta of one release, and what attains its lower end."""

    @abstractmethod
    def worst(self, centre: float) -> At:
        """What has the largest delta where losses are about ``centre``."""

    @abstractmethod
    def above(self, step: Fraction, centre: float, faint: float, fineness: int) -> Losses:
        """A pair above all of the family.

        Args:
            step: h, of the lattice of losses.
            centre: the loss that matters most.
            faint: so many standard deviations beyond it, outcomes are faint.
            fineness: points of the lattice to a standard deviation.
        """

    @abstractmethod
    def below(self, step: Fraction, centre: float, faint: float, fineness: int, at: At) -> Losses:
        """A pair below the one named."""
