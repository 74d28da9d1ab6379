r"""A long sequence of numbers, one for each outcome: exact where that fits, else enclosed, and computed on demand.

Integers over a common denominator are computed a block at a time. Only the numbers that are read become fractions in
lowest terms.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import repeat
from typing import Any, TypeVar, overload

from flint import arb, fmpz

from dpcalc.errors import DomainError, must_fit
from dpcalc.numbers.ball import FAINT, LEAST_HELD, MAX_EXPONENT, enclosure_of, working_precision
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.rational import reduced

BITS = 160  #: of balls: a block of them keeps the 17 digits of a double and as many more
_BLOCK = 4_096  # terms that are worked out together
_LONG = 2_000  # bits from which on FLINT finds a greatest common divisor faster than Python
_LEAST_WRITTEN = Enclosure(Fraction(0), Fraction(1, 10**3000))
_WRITTEN_BITS = _LEAST_WRITTEN.upper.denominator.bit_length() + 1
_LEAST_BALL = arb(2) ** -_WRITTEN_BITS
_MOST_FLOATS = 2 * 10**7
_MOST_LISTED = 10**8  # beyond, a list of them would not fit into memory
_MOST_ROWS = 10**6 + 1  # those of a million reports

_Self = TypeVar("_Self", bound="Terms")


class NoSuchOutcome(DomainError, IndexError):
    """A place beyond the end of a sequence."""


class Numbers(ABC):
    """Numbers x_0, ..., x_size."""

    @property
    @abstractmethod
    def size(self) -> int:
        """The last place."""

    @property
    @abstractmethod
    def needs(self) -> tuple[int, int, str]:
        """The size of the exact numbers, the largest size allowed, and the unit of both."""

    @property
    def exact(self) -> bool:
        """Whether the exact numbers fit; else they are enclosed."""
        size, limit, _ = self.needs
        return size <= limit

    @abstractmethod
    def integers(self, low: int, high: int) -> tuple[Sequence[int], Sequence[int] | int]:
        """Numerators, and denominators or their common one, of x_low, ..., x_{high-1}."""

    @abstractmethod
    def balls(self, low: int, high: int) -> list[arb]:
        """x_low, ..., x_{high-1} at the current precision."""

    def fraction(self, numerator: int, denominator: int) -> Fraction:
        """In lowest terms."""
        return lowest(numerator, denominator)

    def read(self, places: range, rational: Callable[[int, int], Any], real: Callable[[arb], Any]) -> Iterator[Any]:
        """``rational`` of every numerator and denominator, or ``real`` of every ball, for the places in order."""
        while places:
            number = places[0] // _BLOCK
            low, high = number * _BLOCK, (number + 1) * _BLOCK
            last = min(places.stop, high) if places.step > 0 else max(places.stop, low - 1)
            here = range(places[0], last, places.step)
            places, held = places[len(here) :], _block(self, number)
            if self.exact:
                numerators, denominators = held
                below = repeat(denominators) if isinstance(denominators, int) else [denominators[s - low] for s in here]
                yield from map(rational, [numerators[s - low] for s in here], below)
            else:
                yield from map(real, [held[s - low] for s in here])


@lru_cache(maxsize=4)
def _block(law: Numbers, number: int) -> Any:
    """Numerators and denominators, or balls."""
    low, high = number * _BLOCK, min((number + 1) * _BLOCK, law.size + 1)
    if law.exact:
        return law.integers(low, high)
    with working_precision(BITS):
        return law.balls(low, high)


@dataclass(frozen=True, repr=False)
class Terms(Sequence[Fraction | Enclosure]):
    """The numbers x_s of some outcomes s, in order: rationals where ``exact``, else enclosures.

    Places count from 0, as in every sequence, and from the end if negative; a slice is a sequence of the same kind,
    which computes nothing.

    Attributes:
        law: the numbers.
        outcomes: the range of s.
    """

    law: Numbers
    outcomes: range

    @property
    def exact(self) -> bool:
        """Whether the numbers are rationals; else they would not fit into memory, and are enclosed."""
        return self.law.exact

    @property
    def kind(self) -> str:
        """Whether they are exact; if not, how large exact ones would be."""
        size, limit, unit = self.law.needs
        return "exact" if size <= limit else f"enclosed, as exact ones need {size:,} {unit}"

    def __len__(self) -> int:
        return len(self.outcomes)

    @overload
    def __getitem__(self, place: int) -> Fraction | Enclosure: ...
    @overload
    def __getitem__(self: _Self, place: slice) -> _Self: ...
    def __getitem__(self: _Self, place: int | slice) -> Fraction | Enclosure | _Self:
        try:
            found = self.outcomes[place]
        except IndexError:
            raise NoSuchOutcome("place", place, f"a whole number from 0 to {len(self) - 1:,}") from None
        if isinstance(found, range):
            return replace(self, outcomes=found)
        return next(self._values(range(found, found + 1)))

    def __iter__(self) -> Iterator[Fraction | Enclosure]:
        must_fit("a list of all outcomes", len(self.outcomes), _MOST_LISTED, "outcomes", instead="a slice of them")
        return self._values(self.outcomes)

    def _values(self, outcomes: range) -> Iterator[Fraction | Enclosure]:
        return self.law.read(outcomes, self.law.fraction, _enclosed)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The outcomes and their numbers as enclosures, to be written one by one.

        A number below 1e-3000 is only said to be below that: its digits would take long to write.

        Raises:
            TooLarge: more than a million outcomes.
        """
        must_fit("a list of all outcomes", len(self), _MOST_ROWS, "outcomes", instead="a range of them")
        return zip(self.outcomes, self.law.read(self.outcomes, self._written, _written), strict=True)

    def _written(self, numerator: int, denominator: int) -> Enclosure:
        if denominator.bit_length() - numerator.bit_length() > _WRITTEN_BITS:
            return _LEAST_WRITTEN
        return Enclosure.of(self.law.fraction(numerator, denominator))

    def floats(self) -> Any:
        """A numpy array of doubles: correctly rounded where ``exact``, else less than one unit of the last place off.

        Raises:
            TooLarge: more than 20 million outcomes.
        """
        must_fit("an array of doubles", len(self), _MOST_FLOATS, "outcomes", instead="a slice of them")
        import numpy as np

        return np.fromiter(self.law.read(self.outcomes, _quotient, float), dtype=float, count=len(self))


def _enclosed(x: arb) -> Enclosure:
    """The ends of a ball around a number > 0; 0 and the least upper end if it is too small to be stored."""
    return FAINT if x < LEAST_HELD else enclosure_of(x)


def _written(x: arb) -> Enclosure:
    return _LEAST_WRITTEN if x < _LEAST_BALL else enclosure_of(x)


def chance(x: Enclosure, spec: str = "") -> str:
    """The certain digits of a probability; the bound below which it lies if it is too small to be written.

    >>> chance(FAINT), chance(Enclosure.of("1/3"), "4")
    ('below 2^-999,999', '0.3333...')
    """
    bounds = {FAINT: f"2^-{MAX_EXPONENT - 1:,}", _LEAST_WRITTEN: "1e-3000"}
    return f"below {bounds[x]}" if x in bounds else format(x, spec)


def _quotient(numerator: int, denominator: int) -> float:
    """The nearest double; Python's division of integers is correctly rounded, but refuses what rounds to infinity."""
    try:
        return numerator / denominator
    except OverflowError:
        return math.inf


def lowest(numerator: int, denominator: int) -> Fraction:
    """The fraction in lowest terms, of integers > 0; long ones by FLINT.

    >>> lowest(6, 4)
    Fraction(3, 2)
    """
    if denominator.bit_length() < _LONG:
        return Fraction(numerator, denominator)
    above, below = fmpz(numerator), fmpz(denominator)
    common = above.gcd(below)
    return reduced(int(above // common), int(below // common))
