"""What a family must offer for its rounds: datasets by name, and of each its pair of laws in both directions."""

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
        ahead: of P over Q.
        back: of Q over P.
        infinite: at or below the P mass where Q is 0.
    """

    ahead: _Divergence
    back: _Divergence
    infinite: Fraction = Fraction(0)


class SomePairs(ABC):
    """Some pairs of a family."""

    __slots__ = ()

    @abstractmethod
    def uppers(self, limits: Sequence[Limit], *, rtol: Fraction) -> list[Fraction]:
        """At or above delta of each of them, at each of many rational limits, in rising order."""

    @property
    @abstractmethod
    def mirror(self) -> SomePairs:
        """The same with P and Q exchanged."""


class NamedPairs(OfMechanism[Found]):
    """A family that holds with every pair the one with P and Q exchanged, and names its pairs."""

    __slots__ = ()

    @property
    def alike(self) -> bool:
        """Whether losses of every size are spread about alike; it steers."""
        return True

    @property
    def unit(self) -> Fraction | None:
        """A loss of which many others are multiples, from below; None if there is none."""
        return None

    @property
    def ranges(self) -> Sequence[SomePairs]:
        """Parts that hold all of its pairs together; none where they are not told apart."""
        return ()

    @abstractmethod
    def named(self, found: Promise) -> Any:
        """The dataset, with a direction, of a delta that was found."""

    @abstractmethod
    def directions(self, at: Any, *, rtol: Fraction) -> Directions:
        """The pair of a dataset."""

    def listed(self, at: Any) -> Sequence[tuple[Fraction, Fraction]] | None:
        """The P and Q masses of the outcomes that a dataset can show, in falling order of P/Q; None where many can."""
        return None

    def candidates(self, limit: Limit, *, rtol: Fraction, several: bool) -> Iterator[Any]:
        """Datasets of which one may be the worst; where there are ``several`` kinds of rounds, of one direction."""
        yield self.named(self.delta(limit, rtol=rtol))

    def uppers(self, limits: Sequence[Limit], *, rtol: Fraction) -> list[Fraction]:
        """At or above the largest delta at each of many limits, in rising order."""
        found: list[Fraction] = []
        for limit in limits:
            try:
                found.append(self.delta(limit, rtol=rtol).upper)
            except Undecided:  # as next to the largest loss of noise: delta falls with the limit
                found.append(found[-1] if found else Fraction(1))
        return found
