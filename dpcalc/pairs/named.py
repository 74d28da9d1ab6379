"""What rounds ask of a family: bounds of delta over its pairs, and its datasets by name with the pair of each."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from dpcalc.errors import Undecided
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import Promise
from dpcalc.pairs.family import Family, Found
from dpcalc.pairs.outcomes import Revealed
from dpcalc.pairs.two_laws import TwoLaws

if TYPE_CHECKING:  # few questions need it
    from dpcalc.pairs.listed import ListedPair

_PARTS = 40  # limits are multiples of the spread's 40th part, so that one question after another finds them cached
_LEAST = 1e-9  # the least spread: doubles separate its parts from one another
_DIGITS = -4  # bounds are known to 10^-4, and to narrower powers of ten where that is asked for
_BITS = 64  # bits of limits
FARTHEST = Fraction(10**5)  #: larger losses count as infinite
_ROUGH = Fraction(1, 1000)  # relative width of a bound that is made quickly

#: An epsilon >= 0, and the relative width of the bound there that is aimed at.
Asked: TypeAlias = tuple[Fraction, Fraction]


class SomePairs(ABC):
    """Some pairs of a family."""

    __slots__ = ()

    @abstractmethod
    def uppers(self, asked: Sequence[Asked]) -> list[Fraction]:
        """Upper bounds of delta of all these pairs, one for each epsilon; epsilons rise."""

    @property
    def mirror(self) -> SomePairs | None:
        """These pairs with P and Q exchanged; None: these are among them already."""
        return None


class OneByOne(SomePairs):
    """Pairs that are bounded at one limit after another; bounds are kept."""

    __slots__ = ()

    @abstractmethod
    def upper(self, limit: Limit, *, rtol: Fraction) -> Fraction:
        """An upper bound of delta of all these pairs at a rational limit, to a relative width that is aimed at."""

    def uppers(self, asked: Sequence[Asked]) -> list[Fraction]:
        """Where one is not known, that of the limit before: delta falls."""
        found, last = list[Fraction](), Fraction(1)
        for epsilon, rtol in asked:
            last = min(last, _upper(self, _sooner(epsilon), min(math.floor(math.log10(rtol)), _DIGITS)))
            found.append(last)
        return found


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

    def revealed(self, at: Any, *, centre: float, fineness: int, bits: int) -> Revealed | None:
        """The outcomes of a dataset; None where its ``pair`` tells.

        Args:
            at: the dataset.
            centre: the loss that matters most.
            fineness: groups to a standard deviation, if there are too many outcomes.
            bits: outcomes with masses below 2^-bits are not needed.
        """
        return None

    def pair(self, at: Any, *, rtol: Fraction) -> TwoLaws:
        """The pair of a dataset whose outcomes are not revealed; what it takes of numbers that are no short rationals
        is known to this width.
        """
        raise NotImplementedError

    def every(self, most: int) -> Iterable[tuple[Any, ListedPair]]:
        """All pairs by name, or those that stand for all; none where they have more than so many outcomes, about."""
        return ()

    def candidates(self, limit: Limit, *, rtol: Fraction, several: bool) -> Iterator[Any]:
        """Datasets of which one may be the worst; in one direction only if there are ``several`` kinds of rounds."""
        yield self.named(self.delta(limit, rtol=rtol))

    def upper(self, limit: Limit, *, rtol: Fraction) -> Fraction:
        """An upper bound of the largest delta."""
        found: Promise = self.delta(limit, rtol=rtol)
        return found.upper

    def quick(self, limit: Limit) -> Fraction:
        """A rough bound of the largest delta."""
        try:
            return self.upper(limit, rtol=_ROUGH)
        except Undecided:
            return Fraction(1)


@lru_cache(maxsize=1 << 14)
def _upper(pairs: OneByOne, limit: Limit, digits: int) -> Fraction:
    """A bound to a relative width 10^digits; 1 where it is not settled, as next to the largest loss of noise."""
    try:
        return pairs.upper(limit, rtol=Fraction(10) ** digits)
    except Undecided:
        return Fraction(1)


def _sooner(epsilon: Fraction) -> Limit:
    """A short rational lambda at or a little below e^epsilon, where delta is no less."""
    whole = 1 << _BITS + max(0, -math.floor(math.log2(epsilon or 1)))
    return Limit(Fraction(math.floor(Limit.exp(min(epsilon, FARTHEST)).ends.lower * whole), whole))
