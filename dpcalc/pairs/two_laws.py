"""What two neighbouring datasets can show: two laws P and Q of what is released, in one direction."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction

from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit


class TwoLaws(ABC):
    """P and Q, known by their divergences."""

    __slots__ = ()

    @property
    @abstractmethod
    def mirror(self) -> TwoLaws:
        """Q over P."""

    @property
    def infinite(self) -> Fraction:
        """A lower bound of the P mass where Q is 0."""
        return Fraction(0)

    @property
    def masses(self) -> Sequence[tuple[Fraction, Fraction]] | None:
        """The P and Q masses of all outcomes, in falling order of P/Q; None where they are not listed."""
        return None

    @abstractmethod
    def enclosed(self, limit: Limit, *, rtol: Fraction) -> Enclosure:
        """delta of P over Q: exact where it is short, else to relative width ``rtol``.

        Raises:
            Undecided: rtol is beyond reach.
        """
