"""What rounds ask of a family: bounds of delta over its pairs, and its datasets by name with the pair of each."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import Promise
from dpcalc.pairs.family import FINE, Attained, Family, Found, OfMechanism, Progress, Width
from dpcalc.pairs.two_laws import OneByOne, Revealed, SomePairs, TwoLaws

if TYPE_CHECKING:  # few questions need it
    from dpcalc.pairs.listed import ListedPair

_PARTS = 40  # limits are multiples of the spread's 40th part, so that one question after another finds them cached
_LEAST = 1e-9  # the least spread: doubles separate its parts from one another


class NamedPairs(OneByOne, Family[Found]):
    """A family with names for its pairs."""

    __slots__ = ()

    @property
    def alike(self) -> bool:
        """Whether losses vary about as much in every dataset; it steers."""
        return True

    @property
    def part(self) -> Fraction:
        """A part of the spread."""
        return Fraction(max(self.spread, _LEAST) / _PARTS)

    @property
    def unit(self) -> Fraction | None:
        """A loss of which many others are multiples, rounded down, or of which limits are; None if there is none."""
        return self.part if self.alike else None

    @property
    def last_loss(self) -> Fraction | None:
        """A loss above 0, rounded down, from which on delta falls no further; None if none is known. It steers."""
        return None

    @property
    def ranges(self) -> Sequence[SomePairs]:
        """Parts that together hold all pairs; none where the family is not divided."""
        return ()

    def named(self, found: Any) -> Any:
        """The dataset and direction that reach a delta that was found."""
        return found.dataset

    def counts(self, loss: float) -> Sequence[tuple[NamedPairs[Any], Any]]:
        """Independent counts that are released at once, each with a dataset that may be the worst if this is the loss;
        None: any.
        """
        return ((self, None),)

    def together(self, chosen: Sequence[Any]) -> Any:
        """The dataset, given that of each count."""
        return chosen[0]

    @abstractmethod
    def pair(self, at: Any, *, rtol: Fraction) -> TwoLaws:
        """The pair of a dataset; what it takes of numbers that are no short rationals is known to this width."""

    def revealed(self, at: Any, *, centre: float, fineness: int, bits: int) -> Revealed | None:
        """The outcomes of a dataset, see ``TwoLaws``, as far as they are needed for a lower end."""
        return self.pair(at, rtol=FINE).revealed(centre=centre, fineness=fineness, bits=bits)

    def every(self, most: int) -> Iterable[tuple[Any, ListedPair]]:
        """Pairs by name, of which one is nowhere below any pair of the family, for every lambda > 0 (proof notes, C13);
        none where they have more than so many outcomes, about.
        """
        return ()

    def candidates(self, limit: Limit, *, rtol: Fraction, several: bool) -> Iterator[Any]:
        """Datasets of which one may be the worst; in one direction only if there are ``several`` kinds of rounds."""
        yield self.named(self.delta(limit, rtol=rtol))

    def upper(self, limit: Limit, *, rtol: Fraction) -> Fraction:
        """An upper bound of the largest delta."""
        found: Promise = self.delta(limit, rtol=rtol)
        return found.upper


@dataclass(frozen=True, slots=True)
class FewPairs(OfMechanism[Attained], NamedPairs[Attained]):
    """A family of few pairs, each of which is asked."""

    epsilon_width = Width("1e-6", "1e-9")
    answer: ClassVar[type[Attained]] = Attained  #: of delta

    @property
    @abstractmethod
    def pairs(self) -> Sequence[tuple[Any, TwoLaws]]:
        """Every dataset that counts, in one direction, and its pair."""

    def delta(self, limit: Limit, *, rtol: Fraction, exact: bool = True, progress: Progress | None = None) -> Attained:
        """The largest delta; exact for a rational lambda where the outcomes are listed."""
        return self._largest(limit, rtol, progress).aimed(rtol)

    def _largest(self, limit: Limit, rtol: Fraction, progress: Progress | None) -> Attained:
        found: list[tuple[Enclosure, Any]] = []
        pairs = self.pairs
        for at, pair in pairs:
            if progress:
                progress(len(found) / len(pairs))
            found.append((pair.enclosed(limit, rtol=rtol), at))
        best, at = max(found, key=lambda one: one[0].lower)
        return self.answer(best.lower, max(one.upper for one, _ in found), at, **self.words)

    def candidates(self, limit: Limit, *, rtol: Fraction, several: bool) -> Iterator[Any]:
        """The worst dataset, of which nothing need be known where there is one."""
        pairs = self.pairs
        yield pairs[0][0] if len(pairs) == 1 else self.named(self.delta(limit, rtol=rtol))

    def pair(self, at: Any, *, rtol: Fraction) -> TwoLaws:
        """That of the dataset."""
        pairs: dict[Any, TwoLaws] = dict(self.pairs)
        return pairs[at]
