r"""A real number between two exact rationals, and what may be concluded from that.

``Enclosure(lower, upper)`` is the proposition lower <= x <= upper about one real number x. Printing shows only
digits that every number in the enclosure shares (truncated, never rounded; ``...`` marks where they stop).
Comparison is three-way: it answers when the ends prove the answer and raises ``Undecided`` when they do not; so do
floor and ceil. Sums, products and quotients are those of intervals, their ends exact; a float is its shortest decimal.

Equality is that of values, so that copies are equal and what is equal hashes alike: enclosures with the same ends are
equal, and an exact one equals the numbers that Python calls equal to it. So a float is the double it is in ``==``:
``Enclosure.of(0.1) == 0.1`` is False, as ``Fraction("0.1") == 0.1`` is, though neither is below the other.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, fields
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any

from dpcalc.displayed import Displayed
from dpcalc.errors import DomainError, Undecided
from dpcalc.numbers.decimal import at_places, decimal, formatted, rounded, shared_digits, telling_digits
from dpcalc.numbers.rational import Number, integer, rational

SHOWN = 17  #: significant digits printed unless more are asked for: as many as name a double
MAX_SHOWN = 4_000  #: Python refuses to print much longer integers
_WRITTEN = 40  # digits written to a document: more than any answer has at its usual width
SHORT_BITS = 400  #: of numerator and denominator, 120 digits each: up to here a document or a repr says all of it
_SHORT_TEXT = 24  # characters up to which an exact number is printed as it is, about those of 17 digits
_EXACT_MPF = 128  # bits of the mpmath number for an exact one
_SPARE_MPF = 20  # bits beyond those that are certain, so that the midpoint stays inside


class Between(Displayed):
    """A number of which an enclosure is known, ``answer``: comparisons are three-way, arithmetic is of intervals."""

    __slots__ = ()

    @property
    @abstractmethod
    def answer(self) -> Enclosure:
        """The enclosure."""

    # --- arithmetic ---------------------------------------------------------------------------------------

    def __neg__(self) -> Enclosure:
        low, high = _ends(self)
        return Enclosure.trusted(-high, -low)

    def __add__(self, other: Between | Number) -> Enclosure:
        (low, high), (least, most) = _ends(self), _ends(other)
        return Enclosure.trusted(low + least, high + most)

    def __sub__(self, other: Between | Number) -> Enclosure:
        (low, high), (least, most) = _ends(self), _ends(other)
        return Enclosure.trusted(low - most, high - least)

    def __rsub__(self, other: Number) -> Enclosure:
        return -self + other

    def __mul__(self, other: Between | Number) -> Enclosure:
        (low, high), (least, most) = _ends(self), _ends(other)
        if low.numerator >= 0 and least.numerator >= 0:
            return Enclosure.trusted(low * least, high * most)
        products = [a * b for a in (low, high) for b in (least, most)]
        return Enclosure.trusted(min(products), max(products))

    __radd__, __rmul__ = __add__, __mul__

    def __truediv__(self, other: Between | Number) -> Enclosure:
        low, high = _ends(other)
        if low <= 0 <= high:
            raise Undecided(f"{self.answer} / {other}: the divisor may be 0", self.answer)
        return self * Enclosure.trusted(1 / high, 1 / low)

    def __rtruediv__(self, other: Number) -> Enclosure:
        return Enclosure.of(other) / self

    def __abs__(self) -> Enclosure:
        low, high = _ends(self)
        ends = sorted((abs(low), abs(high)))
        return Enclosure.trusted(ends[0] if low * high > 0 else Fraction(0), ends[1])

    def __floor__(self) -> int:
        return self._whole(math.floor)

    def __ceil__(self) -> int:
        return self._whole(math.ceil)

    def _whole(self, way: Callable[[Fraction], int]) -> int:
        low, high = map(way, _ends(self))
        if low != high:
            raise Undecided(f"the {way.__name__} of {self.answer} cannot be decided", self.answer)
        return low

    # --- three-way comparison -----------------------------------------------------------------------------

    def __lt__(self, other: Between | Number) -> bool:
        (low, high), (least, most) = _ends(self), _ends(other)
        return self._decided(high < least, low >= most, "<", other)

    def __le__(self, other: Between | Number) -> bool:
        (low, high), (least, most) = _ends(self), _ends(other)
        return self._decided(high <= least, low > most, "<=", other)

    def __gt__(self, other: Between | Number) -> bool:
        (low, high), (least, most) = _ends(self), _ends(other)
        return self._decided(low > most, high <= least, ">", other)

    def __ge__(self, other: Between | Number) -> bool:
        (low, high), (least, most) = _ends(self), _ends(other)
        return self._decided(low >= most, high < least, ">=", other)

    def _decided(self, yes: bool, no: bool, sign: str, other: object) -> bool:
        if yes or no:
            return yes
        shown = Enclosure.of(rational(other, "number")) if isinstance(other, Rational) else other  # long ones too
        raise Undecided(f"{self.answer} {sign} {shown} cannot be decided", self.answer)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Enclosure(Between):
    """A real number known to lie in [lower, upper], both exact rationals.

    Raises:
        DomainError: lower > upper, or an end that is no number.

    >>> x = Enclosure(Fraction(31415926, 10**7), Fraction(31415927, 10**7))
    >>> print(x), x < 4, x.digits
    3.141592...
    (None, True, 7)
    >>> x < Fraction(314159265, 10**8)
    Traceback (most recent call last):
    ...
    dpcalc.errors.Undecided: 3.141592... < 62831853/20000000 cannot be decided
    """

    lower: Fraction
    upper: Fraction

    def __post_init__(self) -> None:
        if type(self.lower) is not Fraction:
            object.__setattr__(self, "lower", rational(self.lower, "lower"))
        if type(self.upper) is not Fraction:
            object.__setattr__(self, "upper", rational(self.upper, "upper"))
        if self.upper < self.lower:
            raise DomainError("lower", self.lower, f"an end not above upper = {Enclosure.of(self.upper)}")

    @classmethod
    def of(cls, value: Number) -> Enclosure:
        """The enclosure of one number, exactly as it is written."""
        x = rational(value, "value")
        return Enclosure.trusted(x, x)

    @classmethod
    def trusted(cls, lower: Fraction, upper: Fraction) -> Enclosure:
        """The enclosure of two ends, without a check that they are Fractions and in order."""
        made = object.__new__(Enclosure)
        object.__setattr__(made, "lower", lower)
        object.__setattr__(made, "upper", upper)
        return made

    @property
    def answer(self) -> Enclosure:
        """Itself."""
        return self

    @property
    def exact(self) -> bool:
        """Whether the two ends agree, so that the number is known."""
        return self.lower == self.upper

    @property
    def value(self) -> Fraction:
        """The number itself.

        Raises:
            Undecided: only an enclosure is known.
        """
        if not self.exact:
            raise Undecided(f"the value is only known to be {self}; take .lower or .upper", self)
        return self.lower

    @property
    def digits(self) -> int | None:
        """How many significant decimal digits are certain (at most 4,000); None when the value is exact."""
        return None if self.exact else len(shared_digits(self.lower, self.upper, MAX_SHOWN)[0])

    def relative_width(self) -> Fraction:
        """(upper - lower) / min(abs(x)) over the enclosure.

        Raises:
            Undecided: the enclosure contains 0 without being exact.
        """
        if self.exact:
            return Fraction(0)
        smallest = min(abs(self.lower), abs(self.upper))
        if self.lower <= 0 <= self.upper:
            raise Undecided(f"{self} may be 0", self)
        return (self.upper - self.lower) / smallest

    def outward(self, digits: int) -> Enclosure:
        """The enclosure with ends rounded outward to ``digits`` significant digits; an exact number is not rounded.

        Raises:
            DomainError: digits outside 1..4,000.

        >>> Enclosure(Fraction(1, 3), Fraction(2, 3)).outward(2)
        Enclosure([0.33, 0.67])
        """
        count = integer(digits, "digits", minimum=1, maximum=MAX_SHOWN)
        if self.exact:
            return self
        return Enclosure(*(Fraction(rounded(end, count, way)) for end, way in ((self.lower, -1), (self.upper, 1))))

    def to_dict(self) -> dict[str, str]:
        """For JSON: the exact value if it is short, else the certain digits and both ends, rounded outward.

        >>> Enclosure.of(Fraction(7, 3)).to_dict()
        {'value': '7/3'}
        """
        if self._exact_within(SHORT_BITS):
            return {"value": str(self.lower)}
        ends = {"lower": rounded(self.lower, _WRITTEN, -1), "upper": rounded(self.upper, _WRITTEN, 1)}
        return {**ends, "digits": decimal(self.lower, self.upper, _WRITTEN)}

    # --- leaving exact arithmetic -------------------------------------------------------------------------

    def __round__(self, places: int | None = None) -> Any:
        """``upper`` rounded up, the safe side of a delta and an epsilon: to a whole number, or to decimal places.

        >>> round(Enclosure(Fraction(1, 3), Fraction(2, 3)), 2)
        Decimal('0.67')
        """
        return math.ceil(self.upper) if places is None else at_places(self.upper, places, 1)

    def __float__(self) -> float:
        """The double nearest the midpoint: of a ratio, a probability, an estimate; a ``Promise`` has its safe end."""
        return float((self.lower + self.upper) / 2)

    def mpf(self) -> Any:
        """The midpoint as an mpmath real, at a precision that holds every certain digit."""
        import mpmath

        middle, width, bits = (self.lower + self.upper) / 2, self.upper - self.lower, _EXACT_MPF
        if width:
            scale = max(abs(self.lower), abs(self.upper)) / width
            bits = max(53, scale.numerator.bit_length() - scale.denominator.bit_length() + _SPARE_MPF)
        return mpmath.make_mpf(mpmath.libmp.from_rational(*middle.as_integer_ratio(), bits, "n"))

    def _exact_within(self, bits: int) -> bool:
        """Whether the number is known, its numerator and denominator having at most ``bits`` bits each."""
        return self.exact and max(map(int.bit_length, self.lower.as_integer_ratio())) <= bits

    # --- printing -----------------------------------------------------------------------------------------

    def __str__(self) -> str:
        return format(self, "")

    def __repr__(self) -> str:
        """The certain digits, the upper end rounded up, and the fields of a subclass that are not at their default."""
        shown = str(self)
        if not self.exact and not shown.startswith("["):
            shown += f", at most {rounded(self.upper, min(telling_digits(self.lower, self.upper, 1), SHOWN), 1)}"
        given = [(one, getattr(self, one.name)) for one in fields(self)[2:] if one.repr]
        unusual = (f", {one.name}={x!r}" for one, x in given if not (isinstance(x, str) and x == one.default))
        return f"{type(self).__name__}({shown}{''.join(unusual)})"

    def _text(self) -> str:
        return repr(self)

    def __format__(self, spec: str) -> str:
        """``format(x, "30")``: up to 30 significant digits, all certain. Empty: up to 17, short rationals as such.

        ``".3g"``, ``".2e"``, ``".4f"``: the upper end, rounded up: what a privacy loss is at most.
        """
        if (known := formatted(self.upper, spec, 1)) is not None:
            return known
        if spec and not (spec.isdecimal() and len(spec) <= 4 and 1 <= int(spec) <= MAX_SHOWN):
            raise DomainError("format", spec, f"a number of significant digits from 1 to {MAX_SHOWN}, or .3g, .3e, .3f")
        if not spec and self._exact_within(4 * _SHORT_TEXT) and len(text := str(self.lower)) <= _SHORT_TEXT:
            return text
        return decimal(self.lower, self.upper, int(spec or SHOWN))

    # --- equality -----------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        """Whether it is the same enclosure or, for a number, exactly that number.

        A float is here its binary value, not its shortest decimal: equal objects must hash alike, and 0.1 hashes so.
        """
        low: Any
        high: Any
        if isinstance(other, Enclosure):
            low, high = other.lower, other.upper
            if self.lower == low and self.upper == high:
                return True
        elif isinstance(other, Rational):
            try:
                low = high = rational(other, "number")
            except DomainError:  # True, or a duration of numpy's: no number
                return NotImplemented
        elif isinstance(other, float | Decimal):
            if not (math.isfinite(other) if isinstance(other, float) else other.is_finite()):
                return False
            low = high = other
        else:
            return NotImplemented
        apart = self.upper < low or self.lower > high
        return self._decided(self.lower == self.upper == low == high, apart, "==", other)

    def __hash__(self) -> int:  # an exact one hashes like its number
        return hash(self.lower) if self.exact else hash((self.lower, self.upper))


def _ends(number: Between | Number) -> tuple[Fraction, Fraction]:
    if isinstance(number, Between):
        found = number.answer
        return found.lower, found.upper
    x = rational(number, "number")
    return x, x
