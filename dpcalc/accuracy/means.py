r"""The estimate of a sum, or a mean, of numbers that were rounded at random to bits.

With numbers x_i in [0, 1] of the sum T each of the k n reports is 1 with probability q + (p - q) x_i, so that
T_hat = (S - q k n) / (k (p - q)) has the mean T as with bits. The rounding adds its own variance,

    Var T_hat = n p q / (k (p - q)^2) + sum x_i (1 - x_i) <= n p q / (k (p - q)^2) + n x (1 - x),    x = T / n,

which is at most n/4 more than with bits. The methods of ``one_count`` hold with these (proof notes, T9 to T11):

    chebyshev   z^2 = 1 / beta, with n/4 more
    hoeffding   T_hat errs by t or more with probability at most 2 exp(-t^2 / (2 n v)),
                v = 1 / (4 (p - q)^2) or, if less, 1 / (4 k (p - q)^2) + 1/4
    normal      z = Phi^{-1}(1 - beta / 2), with n/4 more: no guarantee
    exact       for k = 1: the T that a binomial count of the same mean does not refute

Among reports with the same mean none spreads its count more than binomial ones: for s <= E S - 1, P[S <= s] is at most
theirs (Hoeffding 1956). So the T with s <= n w - 1 and P[Bin(n, w) <= s] <= beta/2, w = q + (p - q) T / n, are refuted,
and likewise from above: coverage >= 1 - beta.

Source: Hoeffding, "On the distribution of the number of successes in independent trials" (1956), Theorem 5.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from dpcalc.accuracy.counted import Counted
from dpcalc.accuracy.fleet_intervals import total_interval
from dpcalc.accuracy.one_count import Estimated, Interval, Method, level_of
from dpcalc.mechanisms.response import RoundedNumbers
from dpcalc.numbers.rational import Number


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MeanEstimate(Estimated):
    """An estimate of the sum and of the mean of numbers.

    Attributes:
        mechanism: how the reports were made.
        s: the pooled count, 0 <= s <= k n.
    """

    mechanism: RoundedNumbers
    s: int
    note: str | None = field(default=None, compare=False)

    @property
    def share(self) -> Fraction:
        """The mean as a share of the range; it may lie outside [0, 1]."""
        return Counted.of(self.mechanism).estimate([self.s]) / self.mechanism.n

    @property
    def mean(self) -> Fraction:
        """The estimated mean; it may lie outside the range."""
        return self.mechanism.low + self.share * self._width

    @property
    def value(self) -> Fraction:
        """``mean``, as of every estimate."""
        return self.mean

    @property
    def sum(self) -> Fraction:
        """The estimated sum."""
        return self.mechanism.n * self.mean

    @property
    def variance(self) -> Fraction:
        """The variance of the mean, the rounding included, is at most this, whatever the numbers are."""
        return Counted.of(self.mechanism).variance() * (self._width / self.mechanism.n) ** 2

    @property
    def _width(self) -> Fraction:
        return self.mechanism.high - self.mechanism.low

    def interval(self, confidence: Number, *, method: Method = "exact") -> Interval:
        """An interval for the mean, within the range.

        Args:
            confidence: 0 < confidence < 1.
            method: see the module; "exact" only with k = 1.

        Raises:
            DomainError: an argument out of range, or an unknown method.

        >>> from dpcalc import estimate
        >>> found = estimate(RoundedNumbers(n=1000, q="1/10", high=120), 500)
        >>> print(found.mean, found.interval("0.95", method="chebyshev"))
        60 [49.393398282201787..., 70.606601717798212...]
        """
        total = total_interval(Counted.of(self.mechanism), [self.s], level=level_of(confidence), method=method)
        return Interval(
            *(self.mechanism.low + end * (self._width / self.mechanism.n) for end in (total.lower, total.upper))
        )
