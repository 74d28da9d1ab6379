r"""What people type becomes an exact rational.

A number means what is written: ``"0.009"``, ``"9/1000"``, ``Decimal("0.009")`` and the float ``0.009`` are all
9/1000. A float stands for the shortest decimal that prints it, never for its binary value.

A power of ten may be written ``"10^-6"``; numbers below 1, such as q, delta and a confidence, ``"5%"``. Counts (n, k,
s) may also be written ``"1,000"``, as they are printed, or ``"1e6"`` and ``1000.0``, as long as the value is whole; not
``"1.000"``, which is 1 to some and 1,000 to others.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from numbers import Rational
from typing import Any, Protocol, SupportsIndex, TypeAlias

from dpcalc.errors import DomainError


class _Written(Protocol):
    """A number that says which rational it is: a float, a ``Decimal``, numpy's floats, a solver's answer."""

    def as_integer_ratio(self) -> tuple[int, int]: ...


#: What is accepted where a number is asked for; numpy's integers are a ``SupportsIndex``.
Number: TypeAlias = str | SupportsIndex | Fraction | _Written

_PLAIN = "a number such as 3, '1/3', '0.25' or Fraction(1, 3)"
LARGEST = 10**15  #: reports, people, and sizes of noise, at most
_MAX_DIGITS = 4_000  # digits and decimal exponent of one typed number: what Python still prints, with room to spare
_LONGEST = 10**_MAX_DIGITS  # of a count: what is printed of it later fits too
_MOST_WITH_EXPONENT = 40  # characters; whoever types more digits has no use for an exponent
_THOUSANDS = re.compile(r"\s*[1-9]\d{0,2}(?:,\d{3})+\s*")
_DOTTED = re.compile(r"\s*[1-9]\d{0,2}(?:\.\d{3})+\s*")  # 50.000 is 50 to some and 50,000 to others
_POWER = re.compile(r"\s*10\^([+-]?\d+)\s*")
#: How numbers and counts are written, for whoever wrote 0,5 or 50k.
_SPELLED, _COUNTED = "0.01, 1/100 or 1e-2", "1000, 1,000 or 1e3"
#: For whoever gives a list or an array.
_MANY = 'dpcalc.sweep("delta", n=100, q=[0.1, 0.2], epsilon=1)'
_EXPONENT = re.compile(r"[eE]([+-]?\d+)$")


def _unchecked() -> Callable[[int, int], Fraction]:
    """The constructor of Python's that skips the common factor; its name depends on the version."""
    try:
        Fraction(1, 2, _normalize=False)  # type: ignore[call-overload]
    except TypeError:
        return getattr(Fraction, "_from_coprime_ints", Fraction)
    return partial(Fraction, _normalize=False)


#: The fraction of two coprime integers, the second one positive, at half the cost of ``Fraction(a, b)``.
reduced = _unchecked()


def rational(value: object, name: str, allowed: str = _PLAIN) -> Fraction:
    """The exact rational that ``value`` is written as.

    Raises:
        DomainError: not a finite number, or longer than 4,000 digits.

    >>> rational(0.1, "q"), rational("9e-3", "q")
    (Fraction(1, 10), Fraction(9, 1000))
    """
    number = _read(value)
    if number is None:
        raise _refusal(name, value, allowed)
    return number


def _refusal(name: str, value: object, allowed: str, spelled: str = _SPELLED) -> DomainError:
    """The error; it adds the limit of a number that is too long, and an example for one that is misspelt."""
    text = str(value) if isinstance(value, str | Decimal) else ""
    if _too_long(text) or (isinstance(value, int) and abs(value) > _LONGEST):
        allowed += f", of at most {_MAX_DIGITS:,} digits"
    elif text.strip()[:1].isdigit() and "such as" not in allowed:
        if _read(text) is None or (spelled == _COUNTED and _DOTTED.fullmatch(text)):  # a number, written in another way
            allowed += f", such as {spelled}"
    elif isinstance(value, list | tuple | range) or getattr(value, "ndim", False):
        allowed += f"; many at once: {_MANY}"
    return DomainError(name, value, allowed)


def _read(value: Any) -> Fraction | None:
    """The rational; None for what is none."""
    if type(value) is Fraction:
        number: Fraction = value
        return number
    if isinstance(value, bool | complex | bytes) or _is_time(value):
        return None
    if isinstance(value, Rational):  # sympy Rational, numpy integers, subclasses of Fraction
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, str | float | Decimal) or hasattr(value, "dtype"):
        return _written(float.__repr__(value) if isinstance(value, float) else str(value))
    if hasattr(value, "as_integer_ratio") and not isinstance(value, type):  # a solver's answer
        return Fraction(*value.as_integer_ratio())
    return None


def _is_time(value: object) -> bool:
    """Whether it is numpy's timedelta64 or datetime64: integers, but with a unit."""
    return getattr(getattr(value, "dtype", None), "kind", None) in ("m", "M")


def _written(text: str) -> Fraction | None:
    """The number that a text means."""
    if not text.isascii():  # other digits may be taken for letters, and are not seen as such
        return None
    if power := _POWER.fullmatch(text):
        text = f"1e{power[1]}"
    try:
        return None if _too_long(text) else Fraction(text)
    except (ArithmeticError, ValueError):  # no number; 1/0
        return None


def _too_long(text: str) -> bool:
    text = text.strip()
    exponent = _EXPONENT.search(text.replace("_", ""))  # Fraction reads 1e1_000 as 1e1000
    return len(text) > _MAX_DIGITS or bool(
        exponent and (len(text) > _MOST_WITH_EXPONENT or abs(int(exponent[1])) > _MAX_DIGITS)
    )


def integer(value: object, name: str, *, minimum: int, maximum: int | None = None) -> int:
    """``value`` as an int with minimum <= value <= maximum; without a maximum, up to 10^4,000.

    Raises:
        DomainError: not whole, or out of range.

    >>> integer("1e6", "n", minimum=1)
    1000000
    """
    number = value if type(value) is int else _whole(value)
    if number is None or not minimum <= number <= (_LONGEST if maximum is None else maximum):
        bound = f"from {minimum:,} to {maximum:,}" if maximum is not None else f">= {minimum}"
        raise _refusal(name, value, f"a whole number {bound}", _COUNTED)
    return number


def _share(value: Any) -> Fraction | None:
    """As ``_read``; 5% is 1/20."""
    if isinstance(value, str) and value.rstrip().endswith("%"):
        number = _read(value.rstrip()[:-1])
        return number and number / 100
    return _read(value)


def _whole(value: Any) -> int | None:
    if isinstance(value, str):
        if _DOTTED.fullmatch(value):
            return None
        if _THOUSANDS.fullmatch(value):
            value = value.replace(",", "")
    number = _read(value)
    return number.numerator if number is not None and number.denominator == 1 else None


def ranged(
    value: object, name: str, what: str, low: int | str | Fraction, high: int | str | Fraction | None, ends: str
) -> Fraction:
    """``value`` as a rational in a range; at most 1, it may be a share such as 5%.

    Args:
        value: what was given.
        name: of the argument.
        what: what it is, for the error.
        low: the end below.
        high: the end above, if there is one.
        ends: "[" or "(" and "]" or ")": whether each end belongs to the range.

    Raises:
        DomainError: it is no number, or outside.

    >>> ranged("10%", "q", "a probability", 0, "1/2", "()")
    Fraction(1, 10)
    """
    least, most = Fraction(low), None if high is None else Fraction(high)
    number = _read(value) if most is None or most > 1 else _share(value)
    inside = number is not None and (least < number or (ends[0] == "[" and least == number))
    if number is not None and inside and (most is None or number < most or (ends[1] == "]" and number == most)):
        return number
    above, below = ("=" if end in "[]" else "" for end in ends)
    if most is None:
        raise _refusal(name, value, f"{what} >{above} {low}")
    meant = number is not None and number.denominator == 1 and 1 < number < 100 * most <= 100
    hint = f", such as {number}%" if meant else ""  # for callers who wrote 95 and meant 95%
    raise _refusal(name, value, f"{what} with {low} <{above} {name} <{below} {high}{hint}")


def between(
    value: object, name: str, low: int | str | Fraction, high: int | str | Fraction, what: str = "a number"
) -> Fraction:
    """``value`` as a rational strictly between ``low`` and ``high``."""
    return ranged(value, name, what, low, high, "()")


def within(
    value: object, name: str, low: int | str | Fraction, high: int | str | Fraction, what: str = "a number"
) -> Fraction:
    """``value`` as a rational from ``low`` to ``high``, both included."""
    return ranged(value, name, what, low, high, "[]")


def at_least(value: object, name: str, low: int | str | Fraction, what: str = "a number") -> Fraction:
    """``value`` as a rational not below ``low``."""
    return ranged(value, name, what, low, None, "[)")


def probability(value: object, name: str) -> Fraction:
    """``value`` as a rational from 0 to 1, both included."""
    return ranged(value, name, "a number", 0, 1, "[]")


def deviations(sigmas: object) -> Fraction:
    """A number of standard deviations, > 0."""
    return positive(sigmas, "sigmas", "a number of standard deviations")


def positive(value: object, name: str, what: str = "a number", *, maximum: int | None = None) -> Fraction:
    """``value`` as a rational > 0, and at most ``maximum`` if that is given."""
    return ranged(value, name, what, 0, maximum, "(]")
