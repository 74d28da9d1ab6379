"""What every estimate has: a value and a standard deviation."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction

from dpcalc.displayed import Displayed
from dpcalc.numbers.elementary import sqrt
from dpcalc.numbers.enclosure import Enclosure


class Estimated(Displayed):
    """An estimate; it is shown with its standard deviation, rounded up.

    Attributes:
        note: why the counts can hardly be those of the mechanism, or None (``doubt``).
    """

    __slots__ = ()

    note: str | None

    @property
    @abstractmethod
    def value(self) -> Fraction:
        """The estimate; it may lie outside the possible range."""

    @property
    @abstractmethod
    def variance(self) -> Fraction:
        """Its variance, or an upper bound of it."""

    @property
    def sigma(self) -> Enclosure:
        """Its standard deviation, in records or in units of the mean; for asymmetric bits and means an upper bound."""
        return sqrt(self.variance)

    def __repr__(self) -> str:
        warning = "" if self.note is None else f"; warning: {self.note}"
        return f"<{type(self).__name__}: {Enclosure.of(self.value):7}, sigma {self.sigma:.3g}{warning}>"
