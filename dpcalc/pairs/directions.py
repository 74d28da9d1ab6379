"""What rounds ask of a family: its datasets by name, and the pair of laws of each in both directions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from dpcalc.errors import Undecided
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import Promise
from dpcalc.pairs.family import Found, OfMechanism

#: delta at a rational lambda >= 1.
_Divergence: TypeAlias = Callable[[Fraction], Enclosure]


@dataclass(frozen=True, slots=True)
class Directions:
    """One pair of laws (P, Q), known by its divergences.

    Attributes:
        ahead: delta of P over Q.
        back: delta of Q over P.
        infinite: a lower bound of the P mass where Q is 0.
    """

    ahead: _Divergence
    back: _Divergence
    infinite: Fraction = Fraction(0)


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

    @abstractmethod
    def named(self, found: Promise) -> Any:
        """The dataset and direction that reach a delta that was found."""

    @abstractmethod
    def directions(self, at: Any, *, rtol: Fraction) -> Directions:
        """The pair of a dataset."""

    def listed(self, at: Any) -> Sequence[tuple[Fraction, Fraction]] | None:
        """The P and Q masses of the outcomes that a dataset can show, in falling order of P/Q; None where many can."""
        return None

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
