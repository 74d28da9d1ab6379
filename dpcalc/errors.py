"""What dpcalc raises: one small tree, each error carrying its data as attributes."""

from __future__ import annotations

__all__ = ["DomainError", "DpcalcError", "NoSolution", "TooLarge", "Undecided"]


class DpcalcError(Exception):
    """Base of every error dpcalc raises on purpose."""


class DomainError(DpcalcError, ValueError):
    """An argument is outside what is allowed.

    >>> print(DomainError("q", "0.5", "a probability with 0 < q < 1/2"))
    q = '0.5' is not allowed: give a probability with 0 < q < 1/2
    """

    def __init__(self, argument: str, value: object, allowed: str) -> None:
        super().__init__(argument, value, allowed)
        self.argument = argument
        self.value = value
        self.allowed = allowed

    def __str__(self) -> str:
        return f"{self.argument} = {_shorten(repr(self.value))} is not allowed: give {self.allowed}"


class NoSolution(DpcalcError):
    """No parameter in the searched range meets the target; the message says which end was proven to fail."""


class Undecided(DpcalcError):
    """A comparison or a width was not reached at the highest precision tried.

    Attributes:
        enclosure: the last, narrowest enclosure found, or None.
    """

    def __init__(self, message: str, enclosure: object = None) -> None:
        super().__init__(message)
        self.enclosure = enclosure


class TooLarge(DpcalcError):
    """The answer would not fit; refused before any work.

    >>> print(TooLarge("the pmf of 10^6 reports", size=4, limit=2, unit="GB", instead="dpcalc.delta"))
    the pmf of 10^6 reports needs 4 GB, the limit is 2 GB; dpcalc.delta scales
    """

    def __init__(self, what: str, *, size: int, limit: int, unit: str, instead: str) -> None:
        super().__init__(what, size, limit, unit, instead)
        self.what = what
        self.size = size
        self.limit = limit
        self.unit = unit
        self.instead = instead

    def __str__(self) -> str:
        return (
            f"{self.what} needs {self.size:,} {self.unit}, the limit is {self.limit:,} {self.unit}; "
            f"{self.instead} scales"
        )


def _shorten(text: str, limit: int = 60) -> str:
    return text if len(text) <= limit else f"{text[: limit - 20]}...{text[-12:]} ({len(text)} characters)"
