"""What rounds ask of a family: its datasets by name, and the pair of laws of each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from dpcalc.errors import Undecided
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.family import Found, OfMechanism
from dpcalc.pairs.two_laws import TwoLaws


class SomePairs(ABC):
    """Some pairs of a family."""

    __slots__ = ()

    @abstractmethod
    def uppers(self, limits: Sequence[Limit], *, rtol: Fraction) -> list[Fraction]:
        """Upper bounds of delta of all these pairs, one for each limit; the limits are rational and rise."""

    @property
    @abstractmethod
    def mirror(self) -> SomePairs:
        """These pairs with P and Q exchanged."""


class NamedPairs(OfMechanism[Found]):
    """A family with names for its pairs; with every pair it has the one with P and Q exchanged."""

    __slots__ = ()

    @property
    def alike(self) -> bool:
        """Whether losses vary about as much in every dataset; it steers."""
        return True

    @property
    def unit(self) -> Fraction | None:
        """A loss of which many others are multiples, rounded down; None if there is none."""
        return None

    @property
    def ranges(self) -> Sequence[SomePairs]:
        """Parts that together hold all pairs; none where the family is not divided."""
        return ()

    def named(self, found: Any) -> Any:
        """The dataset and direction that reach a delta that was found."""
        return found.dataset

    @abstractmethod
    def pair(self, at: Any, *, rtol: Fraction) -> TwoLaws:
        """The pair of a dataset; what it takes of numbers that are no short rationals is known to this width."""

    def candidates(self, limit: Limit, *, rtol: Fraction, several: bool) -> Iterator[Any]:
        """Datasets of which one may be the worst; in one direction only if there are ``several`` kinds of rounds."""
        yield self.named(self.delta(limit, rtol=rtol))

    def uppers(self, limits: Sequence[Limit], *, rtol: Fraction) -> list[Fraction]:
        """Upper bounds of the largest delta, one for each limit; the limits rise."""
        found: list[Fraction] = []
        for limit in limits:
            try:
                found.append(self.delta(limit, rtol=rtol).upper)
            except Undecided:  # as next to the largest loss of noise; delta falls as the limit grows
                found.append(found[-1] if found else Fraction(1))
        return found
