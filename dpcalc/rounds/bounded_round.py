"""What a mechanism must offer to be a round: bounds of its delta over all datasets, and what one of them shows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Generic, TypeVar

from dpcalc.losses.outcomes import Revealed
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit

_COARSE = Fraction(1, 10)

#: A pair of neighbouring datasets and a direction, as the mechanism names it.
_At = TypeVar("_At")


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
        """A loss of which many others are multiples, from below; None if there is none."""

    @property
    @abstractmethod
    def largest_loss(self) -> float:
        """The largest finite loss; it steers."""

    @property
    def beyond(self) -> Fraction:
        """At or below delta for every epsilon."""
        return Fraction(0)

    @abstractmethod
    def alone(self, limit: Limit) -> tuple[Enclosure, _At]:
        """delta of one release, and what attains its lower end."""

    @abstractmethod
    def candidates(self, loss: float) -> Iterator[_At]:
        """Pairs of which one may be the worst where losses are about so large."""

    def rivals(self, loss: float, most: float) -> Sequence[BoundedRound[_At]]:
        """The same with one of them each, where the choice is not left to a tilt of the losses.

        Args:
            loss: about what it is in each round.
            most: in all rounds together, and in one of them if the others show next to nothing.
        """
        return (self,)

    @abstractmethod
    def seen(self, at: _At, *, centre: float, fineness: int, bits: int) -> Revealed:
        """What one pair shows.

        Args:
            at: the pair.
            centre: the loss that matters most.
            fineness: so many groups to a standard deviation, where outcomes are too many.
            bits: outcomes whose masses are below 2^-bits are not needed.
        """

    @abstractmethod
    def bounds(self, asked: Sequence[tuple[Fraction, Fraction]], *, centre: float, sharpness: float) -> list[Fraction]:
        """At or above delta of every pair of the family.

        Args:
            asked: epsilons >= 0, in rising order, and about how sharp, as a relative width.
            centre: the loss that matters most.
            sharpness: the width there.
        """

    def quick(self, epsilon: Fraction) -> Fraction:
        """The same at one epsilon, however sharp."""
        return self.bounds([(epsilon, _COARSE)], centre=float(epsilon), sharpness=float(_COARSE))[0]

    def mirrored(self, asked: Sequence[tuple[Fraction, Fraction]]) -> list[Fraction] | None:
        """The same with P and Q exchanged; None where the family is its own mirror image."""
        return None

    @property
    def ranges(self) -> Sequence[BoundedRound[_At]]:
        """Families that hold all of its pairs together; none where they are not told apart."""
        return ()

    def halvings(self, loss: float) -> float:
        """About how many times delta is halved at a limit; it steers."""
        return (loss / self.spread) ** 2 / 2
