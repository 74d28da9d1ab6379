"""What an estimate shows of itself: its number, and its standard deviation."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

from dpcalc.displayed import Displayed
from dpcalc.numbers.enclosure import Enclosure

__all__ = ["Estimated"]

_DIGITS = 7


class _Estimate(Protocol):
    @property
    def value(self) -> Fraction: ...
    @property
    def sigma(self) -> Enclosure: ...


class Estimated(Displayed):
    """An estimate with a ``value`` and its standard deviation ``sigma``, which is rounded up."""

    __slots__ = ()

    def __repr__(self: _Estimate) -> str:
        return f"<{type(self).__name__}: {Enclosure.of(self.value):{_DIGITS}}, sigma {self.sigma:.3g}>"
