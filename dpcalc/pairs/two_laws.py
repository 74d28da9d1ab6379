"""What neighbouring datasets can show: two laws P and Q of what is released, in one direction; and some such pairs."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from dpcalc.errors import Undecided
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit

if TYPE_CHECKING:
    from dpcalc.pairs.outcomes import Revealed

_DIGITS = -4  # bounds are known to 10^-4, and to narrower powers of ten where that is asked for
_BITS = 64  # bits of limits
FARTHEST = Fraction(10**5)  #: larger losses count as infinite

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


class TwoLaws(OneByOne):
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

    def revealed(self, *, centre: float, fineness: int, bits: int) -> Revealed | None:
        """The outcomes; None where they are not listed.

        Args:
            centre: the loss that matters most.
            fineness: groups to a standard deviation, if there are too many outcomes.
            bits: outcomes with masses below 2^-bits are not needed.
        """
        return None

    @abstractmethod
    def enclosed(self, limit: Limit, *, rtol: Fraction) -> Enclosure:
        """delta of P over Q: exact where it is short, else to relative width ``rtol``.

        Raises:
            Undecided: rtol is beyond reach.
        """

    def upper(self, limit: Limit, *, rtol: Fraction) -> Fraction:
        """The upper end of delta."""
        return self.enclosed(limit, rtol=rtol).upper


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
