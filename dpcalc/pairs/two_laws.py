"""What neighbouring datasets can show: two laws P and Q of what is released, in one direction; and some such pairs.

Outcomes are masses under both laws: each outcome by itself where they are few, or neighbours together.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from flint import arb

from dpcalc.errors import Undecided
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit

_DIGITS = -4  # bounds are known to 10^-4, and to narrower powers of ten where that is asked for
_BITS = 64  # bits of limits
FARTHEST = Fraction(10**5)  #: larger losses count as infinite
_REACH = 6.0  # standard deviations of one tilted round, beyond which its outcomes count as one
WIDENING = 8  #: the spacing grows as e^{d^2 / 8}, d standard deviations away: its square weighs as the density there,
WIDEST = 0.2  #: up to this share of how far away it is
ACCURATE = 192  #: bits of each outcome's masses

#: An epsilon >= 0, and the relative width of the bound there that is aimed at.
Asked: TypeAlias = tuple[Fraction, Fraction]
#: The masses of one outcome, or of several together, under P and under Q.
Outcome = tuple[arb, arb]


@dataclass(frozen=True, slots=True)
class Revealed:
    """The outcomes of one pair.

    Attributes:
        outcomes: those of finite losses, in rising order of their losses; each by itself, or neighbours together.
        infinite: the P mass of an infinite loss.
        missing: the P mass of finite losses that are not listed; None where neighbours stand together.
    """

    outcomes: list[Outcome]
    infinite: arb
    missing: arb | None


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


def around(middle: int, stride: int, deviation: float) -> Iterator[int]:
    """Places about the one that matters most, ``stride`` apart there, and farther and farther apart away from it."""
    yield middle
    away = stride
    while away < _REACH * deviation:
        yield from (middle - away, middle + away)
        wider = stride * math.exp(min((away / deviation) ** 2 / WIDENING, 40.0))
        away += max(stride, min(math.floor(wider), int(WIDEST * away)))
