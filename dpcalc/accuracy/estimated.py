"""What every estimate has: a value and a standard deviation."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction

from dpcalc.accuracy.one_count import Interval, Method, around, level_of, within
from dpcalc.displayed import Displayed
from dpcalc.errors import DomainError
from dpcalc.numbers.elementary import sqrt
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.rational import Number, deviations


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


class OnesEstimated(Estimated):
    """An estimate of the number of ones among n records."""

    __slots__ = ()

    @property
    @abstractmethod
    def _n(self) -> int:
        """N."""

    @abstractmethod
    def _at(self, level: Fraction, method: Method) -> Interval:
        """The interval of a method, for level = 1 - confidence."""

    @property
    def fraction(self) -> Fraction:
        """T_hat / n, EC's p_hat; it may lie outside [0, 1]."""
        return self.value / self._n

    def interval(
        self, confidence: Number | None = None, *, sigmas: Number | None = None, method: Method = "exact"
    ) -> Interval:
        """An interval for T: that of a method at a confidence, or T_hat plus and minus ``sigmas`` standard deviations.

        The methods are those of ``one_count``: "exact", "chebyshev" and "hoeffding" contain T at least as often as the
        confidence says; "normal" does so only approximately, and ``sigmas`` promises nothing. The ends lie in 0..n.

        Raises:
            DomainError: none or both of confidence and sigmas, either out of range, or an unknown method.

        >>> from dpcalc import KRandomization, estimate
        >>> cheated = estimate(KRandomization.from_alpha(n=1800, alpha="1/2"), 900)
        >>> print(cheated.interval("0.95"), cheated.interval("0.95", method="chebyshev"))
        [827, 973] [735.68323274845016..., 1064.3167672515498...]
        """
        if (confidence is None) == (sigmas is None):
            raise DomainError("confidence, sigmas", (confidence, sigmas), "exactly one of them")
        if confidence is not None:
            return self._at(level_of(confidence), method)
        near = around(self.value, Enclosure.of(self.variance * deviations(sigmas) ** 2))
        return within(near, self._n)
