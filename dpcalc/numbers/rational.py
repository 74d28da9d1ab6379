r"""What people type becomes an exact rational.

A number means what is written: ``"0.009"``, ``"9/1000"``, ``Decimal("0.009")`` and the float ``0.009`` are all
9/1000. A float stands for the shortest decimal that prints it, never for its binary value.

Integers: counts (n, k, s) may also be written ``"1e6"`` or ``1000.0``, as long as the value is whole.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any, TypeAlias

from dpcalc.errors import DomainError

__all__ = ["Number", "at_least", "between", "integer", "positive", "probability", "rational"]

#: What is accepted where a number is asked for (numpy and sympy scalars pass through ``Any``).
Number: TypeAlias = int | float | str | Fraction | Decimal | Any

_PLAIN = "a number such as 3, '1/3', '0.25' or Fraction(1, 3)"
_MAX_DIGITS = 4_000  # digits and decimal exponent of one typed number
_EXPONENT = re.compile(r"[eE]([+-]?\d+)$")


def rational(value: Number, name: str, allowed: str = _PLAIN) -> Fraction:
    """The exact rational that ``value`` is written as.

    Raises:
        DomainError: not a finite number, or longer than 4,000 digits.

    >>> rational(0.1, "q"), rational("9e-3", "q")
    (Fraction(1, 10), Fraction(9, 1000))
    """
    if isinstance(value, Fraction):
        return value
    if isinstance(value, bool | complex | bytes) or _is_duration(value):
        raise DomainError(name, value, allowed)
    if isinstance(value, Rational):  # int, sympy Rational, numpy integers
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, str | float | Decimal) or hasattr(value, "dtype"):
        return _parse(float.__repr__(value) if isinstance(value, float) else str(value), value, name, allowed)
    raise DomainError(name, value, allowed)


def _is_duration(value: object) -> bool:
    """Whether it is numpy's timedelta64, which counts as an integer but has a unit."""
    return getattr(getattr(value, "dtype", None), "kind", None) == "m"


def _parse(text: str, value: object, name: str, allowed: str) -> Fraction:
    text = text.strip()
    exponent = _EXPONENT.search(text.replace("_", ""))  # Fraction reads 1e1_000 as 1e1000
    if len(text) > _MAX_DIGITS or (exponent and (len(text) > 40 or abs(int(exponent[1])) > _MAX_DIGITS)):
        raise DomainError(name, value, f"{allowed}, of at most {_MAX_DIGITS:,} digits")
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise DomainError(name, value, allowed) from None


def integer(value: Number, name: str, *, minimum: int, maximum: int | None = None) -> int:
    """``value`` as an int with minimum <= value <= maximum.

    Raises:
        DomainError: not whole, or out of range.

    >>> integer("1e6", "n", minimum=1)
    1000000
    """
    bound = f"from {minimum} to {maximum}" if maximum is not None else f">= {minimum}"
    allowed = f"a whole number {bound}"
    number = rational(value, name, allowed)
    if number.denominator != 1 or number < minimum or (maximum is not None and number > maximum):
        raise DomainError(name, value, allowed)
    return int(number)


def between(value: Number, name: str, low: Number, high: Number, what: str = "a number") -> Fraction:
    """``value`` as a rational strictly between ``low`` and ``high``.

    >>> between("1/4", "q", 0, "1/2")
    Fraction(1, 4)
    """
    allowed = f"{what} with {low} < {name} < {high}"
    number = rational(value, name, allowed)
    if not Fraction(low) < number < Fraction(high):
        raise DomainError(name, value, allowed)
    return number


def at_least(value: Number, name: str, low: Number, what: str = "a number") -> Fraction:
    """``value`` as a rational not below ``low``.

    >>> at_least("1.5", "lam", 1)
    Fraction(3, 2)
    """
    allowed = f"{what} >= {low}"
    number = rational(value, name, allowed)
    if number < Fraction(low):
        raise DomainError(name, value, allowed)
    return number


def probability(value: Number, name: str) -> Fraction:
    """``value`` as a rational from 0 to 1, both included.

    >>> probability("0.25", "delta")
    Fraction(1, 4)
    """
    allowed = "a number from 0 to 1"
    number = rational(value, name, allowed)
    if not 0 <= number <= 1:
        raise DomainError(name, value, allowed)
    return number


def positive(value: Number, name: str, what: str = "a number", *, maximum: int | None = None) -> Fraction:
    """``value`` as a rational > 0, and at most ``maximum`` if that is given.

    >>> positive("1e-3", "error")
    Fraction(1, 1000)
    """
    allowed = f"{what} > 0" if maximum is None else f"{what} with 0 < {name} <= {maximum}"
    number = rational(value, name, allowed)
    if number <= 0 or (maximum is not None and number > maximum):
        raise DomainError(name, value, allowed)
    return number
