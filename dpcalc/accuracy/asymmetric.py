r"""The estimate of the number T of ones from asymmetric reports, and its spread, which depends on T.

Each of the k n reports is 1 with probability a for a bit 1 and b for a bit 0, so

    T_hat = (S - b k n) / (k (a - b)),   E T_hat = T,   Var T_hat = (T a (1 - a) + (n - T) b (1 - b)) / (k (a - b)^2).

The variance is linear in T: it is largest where all bits are 1 or all are 0, whichever report varies more. An interval
has that largest variance, or what holds for every T:

    chebyshev   T_hat plus and minus z standard deviations, z^2 = 1 / beta, beta = 1 - confidence
    hoeffding   S errs by u or more with probability at most 2 exp(-2 u^2 / (k n)), T_hat by u / (k (a - b))
    normal      z = Phi^{-1}(1 - beta / 2): no guarantee
    exact       the T with P_T[S <= s] > beta/2 and P_T[S >= s] > beta/2: S rises stochastically with T (``one_count``)

Source: T. Wang, J. Blocki, N. Li, S. Jha, Locally differentially private protocols for frequency estimation (2017), for
the estimate and its variance at T = 0; proof notes, A6.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpcalc.accuracy.estimated import OnesEstimated
from dpcalc.accuracy.one_count import Interval, Method, around, last_likely, method_of, square, whole_interval, within
from dpcalc.errors import DomainError
from dpcalc.laws.pool import Pool
from dpcalc.mechanisms.asymmetric import AsymmetricBits
from dpcalc.numbers.lists import as_list
from dpcalc.numbers.rational import integer


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AsymmetricEstimate(OnesEstimated):
    """An estimate of the number of ones.

    Attributes:
        mechanism: how the reports were made.
        s: the pooled count, 0 <= s <= k n.
    """

    mechanism: AsymmetricBits
    s: int

    @property
    def value(self) -> Fraction:
        """T_hat; it may lie outside 0..n."""
        m = self.mechanism
        a, b = m.chances
        return (self.s - b * m.k * m.n) / (m.k * (a - b))

    @property
    def variance(self) -> Fraction:
        """The largest Var T_hat of any dataset."""
        return asymmetric_variance(self.mechanism)

    @property
    def _n(self) -> int:
        return self.mechanism.n

    def _at(self, level: Fraction, method: Method) -> Interval:
        m = self.mechanism
        a, b = m.chances
        if (name := method_of(method)) == "exact":
            upper = _greatest(m.n, m.k, (a, b), self.s, level)
            lower = m.n - _greatest(m.n, m.k, (1 - b, 1 - a), m.k * m.n - self.s, level)
            return whole_interval(lower, upper, m.n)
        ranges = Fraction(m.n) / (m.k * (a - b) ** 2)
        return within(around(self.value, square(self.variance, ranges, level, name)), m.n)


def asymmetric_variance(mechanism: AsymmetricBits, fraction: Fraction | None = None) -> Fraction:
    """The largest Var T_hat of any dataset; or, with each bit drawn, 1 with probability ``fraction``, Var T_hat."""
    (one, zero), per_record = (x * (1 - x) for x in mechanism.chances), mechanism.chances[0] - mechanism.chances[1]
    scale = mechanism.n / (mechanism.k * per_record**2)
    if fraction is None:
        return scale * max(one, zero)
    return scale * (fraction * one + (1 - fraction) * zero) + mechanism.n * fraction * (1 - fraction)


def asymmetric_estimates(mechanism: AsymmetricBits, s: object) -> tuple[AsymmetricEstimate, ...]:
    """One for a bit's count, or one for each category's.

    Raises:
        DomainError: s outside 0..k n, or not one count for every category.
    """
    most = mechanism.n * mechanism.k
    if mechanism.categories is None:
        return (AsymmetricEstimate(mechanism=mechanism, s=integer(s, "s", minimum=0, maximum=most)),)
    allowed = f"a list of {mechanism.categories} counts, one for each category"
    counts = [integer(count, "s", minimum=0, maximum=most) for count in as_list(s, "s", allowed)]
    if len(counts) != mechanism.categories:
        raise DomainError("s", s, allowed)
    return tuple(AsymmetricEstimate(mechanism=mechanism, s=count) for count in counts)


def _greatest(n: int, k: int, chances: tuple[Fraction, Fraction], s: int, level: Fraction) -> int:
    """The greatest T in 0..n with P_T[S <= s] > level / 2, which falls as T grows; -1 if none."""
    a, b = chances
    return last_likely(lambda ones: Pool.of((a, k * ones), (b, k * (n - ones))), -1, n, s, level)
