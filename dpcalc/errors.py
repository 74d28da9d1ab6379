"""The errors of dpcalc: one small tree; each error has its data as attributes."""

from __future__ import annotations

import re
import sys

_VALUE = 60  # characters of a value that are shown, so that the message is one line
_EITHER = re.compile(r"(?<=^lam), (?=epsilon$)")  # the comma of two names of which one is needed
_DIGITS = re.compile(r"\d[\d,]{49,}")  # numbers too long to read; 10^36 with its commas is shorter
_STEERING = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")  # controls, ends of lines, directions


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
        if self.value is ...:
            return _line(f"{_EITHER.sub(' or ', self.argument)} is missing: give {self.allowed}")
        return _line(f"{self.argument} = {_shown(self.value)} is not allowed: {self._advice}")

    @property
    def _advice(self) -> str:
        return self.allowed if self.allowed.startswith("leave it out") else f"give {self.allowed}"


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
    """Refuse a size above the limit.

    Raises:
        TooLarge: it is above.
    """
    if size > limit:
        raise TooLarge(what, size, limit, unit, instead)


def _counted(size: int) -> str:
    return f"{size:,}" if size < 10**60 else f"at least 2^{size.bit_length() - 1:,}"


def _shown(value: object) -> str:
    """The value as Python writes it, on one line and cut; its type where Python cannot."""
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # Python refuses to print a very long integer
        return f"{type(value).__name__} of more than {sys.get_int_max_str_digits():,} digits"
    return text if len(text) <= _VALUE else f"{text[: _VALUE - 20]}...{text[-12:]} ({len(text)} characters)"


def escaped(text: str) -> str:
    r"""The text, with characters that would steer a terminal or break the line escaped.

    >>> print(escaped("red: \x1b[31m"))
    red: \x1b[31m
    """
    return _STEERING.sub(lambda found: repr(found[0])[1:-1], text)


def _line(message: str) -> str:
    """The message on one line, with the middle of long numbers left out.

    >>> _line(f"at most {10**60}")
    'at most 10000000000000000000...000000000000 (61 digits)'
    """
    return _DIGITS.sub(_ends, escaped(message))


def _ends(number: re.Match[str]) -> str:
    text = number[0]
    return f"{text[:20]}...{text[-12:]} ({len(text.replace(',', '')):,} digits)"
