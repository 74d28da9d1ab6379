"""The errors of dpcalc: one small tree; each error has its data as attributes."""

from __future__ import annotations

import re
import reprlib
import sys
from collections.abc import Callable
from typing import Any

_NAME, _VALUE = 200, 60  # characters of an argument and of its value that are shown, so that the message is one line
_EITHER = re.compile(r"(?<=^lam), (?=epsilon$)")  # the comma of two names of which one is needed
_LISTS = (list, tuple, dict, set, frozenset)  # what may be far longer than what is shown of it
_DIGITS = re.compile(r"\d[\d,]{49,}")  # numbers too long to read; 10^36 with its commas is shorter


class DpcalcError(Exception):
    """Base of every error dpcalc raises on purpose; its message is one line, long numbers shortened."""

    def __str__(self) -> str:
        return _line(super().__str__())


class DomainError(DpcalcError, ValueError):
    """An argument is not allowed, or missing; then its value is ``...``.

    Attributes:
        argument, value: its name, and what was given.
        allowed: what to give, a noun; or "leave it out: " with the reason.

    >>> print(DomainError("q", "0.5", "a probability with 0 < q < 1/2"))
    q = '0.5' is not allowed: give a probability with 0 < q < 1/2
    """

    def __init__(self, argument: str, value: object, allowed: str) -> None:
        super().__init__(argument, value, allowed)
        self.argument = argument
        self.value = value
        self.allowed = allowed

    def __str__(self) -> str:
        name = _cut(self.argument, _NAME)
        if self.value is ...:
            return _line(f"{_EITHER.sub(' or ', name)} is missing: give {self.allowed}")
        given = _text(self.value, lambda value: _shortened(_Short(_VALUE).repr(value)), _VALUE)
        advice = self.allowed if self.allowed.startswith("leave it out") else f"give {self.allowed}"
        return _line(f"{name} = {given} is not allowed: {advice}")


class NoSolution(DpcalcError):
    """No parameter in the searched range meets the target; the message says which end was proven to fail."""


class Undecided(DpcalcError):
    """A comparison was not decided, or a width not reached, at the highest precision tried.

    Attributes:
        enclosure: the last, narrowest enclosure found, or None.
    """

    def __init__(self, message: str, enclosure: object = None) -> None:
        super().__init__(message)
        self.enclosure = enclosure


class TooLarge(DpcalcError):
    """The answer would not fit, or would take too long; refused as soon as that is known.

    Attributes:
        what: what does not fit.
        size, limit: how much it needs and how much is allowed, in ``unit``.
        instead: what to try, a noun or a gerund.

    >>> print(TooLarge("the pmf of 10^6 reports", size=4, limit=2, unit="GB", instead="dpcalc.delta"))
    the pmf of 10^6 reports needs 4 GB, the limit is 2 GB; try dpcalc.delta
    """

    def __init__(self, what: str, size: int, limit: int, unit: str, instead: str) -> None:
        super().__init__(what, size, limit, unit, instead)
        self.what = what
        self.size = size
        self.limit = limit
        self.unit = unit
        self.instead = instead

    def __str__(self) -> str:
        return _line(
            f"{self.what} needs {_counted(self.size)} {self.unit}, the limit is {self.limit:,} {self.unit}; "
            f"try {self.instead}"
        )


def must_fit(what: str, size: int, limit: int, unit: str, *, instead: str) -> None:
    """Refuse a size above the limit."""
    if size > limit:
        raise TooLarge(what, size, limit, unit, instead)


def _counted(size: int) -> str:
    return f"{size:,}" if size < 10**60 else f"at least 2^{size.bit_length() - 1:,}"


class _Short(reprlib.Repr):
    """Writes the first values of a list only, and the ends of a long text: those that ``most`` characters can show."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.maxlevel, self.maxstring = 2, most
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = self.maxfrozenset = self.maxdeque = most // 3

    def repr_int(self, x: object, level: int) -> str:
        """As Python writes it; an error is raised."""
        return repr(x)

    def repr_instance(self, x: object, level: int) -> str:
        """The same, and of a long text both ends."""
        text, end = repr(x), self.maxstring // 2 - 2
        return text if len(text) <= self.maxstring else f"{text[:end]}...{text[-end:]}"


def _text(value: object, write: Callable[[Any], str], most: int) -> str:
    """The value on one line and cut; its type where Python refuses to print a very long integer."""
    try:
        return " ".join(_cut(write(value), most).split())
    except ValueError:
        return f"{type(value).__name__} of more than {sys.get_int_max_str_digits():,} digits"


def escaped(text: str) -> str:
    r"""The text, with characters escaped that would steer a terminal, break the line or not be seen.

    >>> print(escaped("red: \x1b[31m"))
    red: \x1b[31m
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def one_line(value: object, most: int = 300) -> str:
    r"""What a file or a caller said, as text: cut after so many characters, on one line, escaped.

    >>> print(one_line("coins: kept\n\n2. dice: \x1b[31m"))
    coins: kept 2. dice: \x1b[31m
    """
    return escaped(_text(value, _Short(most).repr if isinstance(value, _LISTS) else str, most))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}..."


def _line(message: str) -> str:
    return _shortened(escaped(message))


def _shortened(text: str) -> str:
    """The text with the middle of long numbers left out.

    >>> _shortened(f"at most {10**60}")
    'at most 10000000000000000000...000000000000 (61 digits)'
    """
    return _DIGITS.sub(
        lambda found: f"{found[0][:20]}...{found[0][-12:]} ({len(found[0].replace(',', '')):,} digits)", text
    )
