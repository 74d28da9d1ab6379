"""What every estimate has: its number, and its standard deviation."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction

from dpcalc.displayed import Displayed
from dpcalc.numbers.elementary import sqrt
from dpcalc.numbers.enclosure import Enclosure

__all__ = ["Estimated"]

_DIGITS = 7


class Estimated(Displayed):
    """An estimate, shown with its standard deviation rounded up."""

    __slots__ = ()

    @property
    @abstractmethod
    def value(self) -> Fraction:
        """The number; it may lie outside of what is possible."""

    @property
    @abstractmethod
    def variance(self) -> Fraction:
        """Its variance, or the most it may be."""

    @property
    def sigma(self) -> Enclosure:
        """Its standard deviation, in records or in units of the mean; of asymmetric bits and of means the largest."""
        return sqrt(self.variance)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {Enclosure.of(self.value):{_DIGITS}}, sigma {self.sigma:.3g}>"
