r"""The estimate of the number T of ones from the pooled count, and its spread.

Each of the k n reports is 1 with probability q + (p - q) b for its record's bit b, so

    T_hat = (S - q k n) / (k (p - q)),   E T_hat = T,   Var T_hat = p q n / (k (p - q)^2),

the variance being the same for every T. K16 (5.3) omits the k in its middle expression.

Source: K16, (4.1)-(4.4), (5.1)-(5.4); the intervals for S are (4.48)-(4.55).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpcalc.errors import DomainError
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.elementary import sqrt
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.rational import Number, integer, rational

__all__ = ["Estimate", "Interval", "count_interval", "estimate", "variance"]

_SIGMAS = "a positive number of standard deviations"


@dataclass(frozen=True, slots=True)
class Interval:
    """Two certified ends."""

    lower: Enclosure
    upper: Enclosure

    def __str__(self) -> str:
        return f"[{self.lower}, {self.upper}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """An estimate of the number of ones.

    Attributes:
        value: T_hat; it may lie outside 0..n.
        variance: Var T_hat, the same for every true T.
    """

    value: Fraction
    variance: Fraction

    @property
    def sigma(self) -> Enclosure:
        """The standard deviation of the estimate, in records."""
        return sqrt(self.variance)

    def interval(self, *, sigmas: Number = 3) -> Interval:
        """The estimate plus and minus ``sigmas`` standard deviations.

        Raises:
            DomainError: sigmas <= 0.
        """
        return _around(self.value, self.variance, _positive(sigmas))


def variance(mechanism: KRandomization) -> Fraction:
    """Var T_hat = p q n / (k (p - q)^2), in records squared, exactly.

    Source: K16, (4.3), (5.3) corrected.

    >>> variance(KRandomization(n=1000, q="1/3"))
    Fraction(2000, 1)
    """
    spread: Fraction = mechanism.p * mechanism.q * mechanism.n
    return spread / (mechanism.k * (mechanism.p - mechanism.q) ** 2)


def estimate(mechanism: KRandomization, s: Number) -> Estimate:
    """The unbiased estimate of the number of ones from the pooled count ``s``.

    Raises:
        DomainError: s outside 0..k n, or records of several bits.

    Source: K16, (4.1), (5.1).

    >>> print(estimate(KRandomization(n=1000, q="1/4"), 375).value)
    250
    """
    mechanism.single_bit("estimate")
    count = integer(s, "s", minimum=0, maximum=mechanism.reports)
    value = (count - mechanism.q * mechanism.reports) / (mechanism.k * (mechanism.p - mechanism.q))
    return Estimate(value=value, variance=variance(mechanism))


def count_interval(mechanism: KRandomization, *, ones: Number, sigmas: Number = 3) -> Interval:
    """The mean of the pooled count S, with ``ones`` of the n records 1, plus and minus ``sigmas`` standard deviations.

    Raises:
        DomainError: ones outside 0..n; sigmas <= 0; records of several bits.

    Source: K16, (4.48)-(4.55); ones = n for S and n - 1 for S_m.

    >>> print(count_interval(KRandomization(n=1000, q="0.009"), ones=1000))
    [982.04059153738373..., 999.95940846261626...]
    """
    mechanism.single_bit("count_interval")
    holders = integer(ones, "ones", minimum=0, maximum=mechanism.n)
    mean = mechanism.k * (mechanism.p * holders + mechanism.q * (mechanism.n - holders))
    return _around(mean, mechanism.p * mechanism.q * mechanism.reports, _positive(sigmas))


def _positive(sigmas: Number) -> Fraction:
    number = rational(sigmas, "sigmas", _SIGMAS)
    if number <= 0:
        raise DomainError("sigmas", sigmas, _SIGMAS)
    return number


def _around(middle: Fraction, spread: Fraction, sigmas: Fraction) -> Interval:
    reach = sqrt(spread * sigmas**2)
    return Interval(
        Enclosure(middle - reach.upper, middle - reach.lower), Enclosure(middle + reach.lower, middle + reach.upper)
    )
