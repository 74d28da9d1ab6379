r"""Confidence intervals for the number T of ones from the pooled count S, and how often they contain it.

T_hat = (S - q k n) / (k (p - q)) has mean T and variance p q n / (k (p - q)^2), and S has p q k n, for every T. With
level beta = 1 - confidence, the interval of a method is T_hat plus and minus z standard deviations,

    chebyshev   z^2 = 1 / beta                    P[T in it] >= confidence, for every T
    hoeffding   z^2 = ln(2 / beta) / (2 p q)      P[T in it] >= confidence, for every T
    normal      z   = Phi^{-1}(1 - beta / 2)      about the confidence, above or below it: no guarantee

or, "exact", the integers T in 0..n that S does not refute: those with P_T[S <= s] > beta/2 and P_T[S >= s] > beta/2.

Hoeffding: S is a sum of k n independent reports in [0, 1], so P[|S - E S| >= u] <= 2 exp(-2 u^2 / (k n)); S moves by
k (p - q) per record, so T_hat errs by t or more with probability at most 2 exp(-2 k (p - q)^2 t^2 / n). LOC writes
2 exp(-2 n t^2) for this: it is the bound of a mean of n unscaled bits, not of T_hat, and it lacks the factor
(p - q)^2 = (2 gamma)^2; it then solves for t with ln(1/beta) in place of ln(2/beta).

The exact interval's coverage: one more 1 turns k Bernoulli(q) reports into Bernoulli(p), so S rises stochastically with
T, the first tail falls and the second rises, and the T not refuted are L..U with U the greatest T with
P_T[S <= s] > beta/2 and L the least with P_T[S >= s] > beta/2. T is refuted from below only at outcomes s <= s_0 with
P_T[S <= s_0] <= beta/2, hence with probability at most beta/2, and likewise from above: coverage >= 1 - beta. At no T
do both tests refute (the tails sum to more than 1 > beta), so L <= U + 1. Where L = U + 1 every T is refuted, as the
noise is smaller than a record or s lies beyond what any T explains, and the interval is the one or two integers of
0..n around the gap, which only adds coverage.

T is one of 0..n, so every interval is cut to 0..n. If it lies beyond, no T is plausible at this confidence, and the
nearest end, 0 or n, is left: which only adds coverage, too.

Source: Clopper and Pearson 1934, for binomial counts; LOC, "Upper Bound"; EC, "Accuracy of this estimator".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Literal, TypeAlias, get_args

from dpcalc.accuracy.fleets import group_estimate, group_variance
from dpcalc.accuracy.several_counts import as_one_round
from dpcalc.displayed import Displayed
from dpcalc.laws.pool import Pool
from dpcalc.mechanisms.pooled_count import lower_tail, pooled
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers import normal
from dpcalc.numbers.ball import ball, working_precision
from dpcalc.numbers.elementary import log, sqrt
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.lists import one_of
from dpcalc.numbers.search import last_where

Method: TypeAlias = Literal["exact", "chebyshev", "hoeffding", "normal"]

_FINER = tuple(Fraction(1, 10**digits) for digits in (12, 50, 200))


@dataclass(frozen=True, slots=True)
class Interval(Displayed):
    """Two certified ends, both included.

    Of the number T of ones among n records, 0 <= lower <= upper <= n. Where a count is such that no T is plausible at
    the confidence, they are the nearest T.
    """

    lower: Enclosure
    upper: Enclosure

    def __contains__(self, x: Fraction | int) -> bool:
        return self.lower <= x and self.upper >= x

    def __str__(self) -> str:
        return f"[{self.lower}, {self.upper}]"


def around(middle: Fraction, square: Enclosure) -> Interval:
    """The numbers whose distance from ``middle`` has a square of at most ``square``."""
    reach = Enclosure(sqrt(square.lower).lower, sqrt(square.upper).upper)
    return Interval(middle - reach, middle + reach)


def within(found: Interval, n: int) -> Interval:
    """What it has of 0..n; the nearest end if it has nothing."""
    return Interval(*(Enclosure(_clamped(end.lower, n), _clamped(end.upper, n)) for end in (found.lower, found.upper)))


def _clamped(x: Fraction, n: int) -> Fraction:
    return min(max(x, Fraction(0)), Fraction(n))


def mean_interval(
    mechanism: KRandomization, s: int, rounds: int, *, level: Fraction, method: Method = "exact"
) -> Interval:
    """The interval for the mean number of ones in so many rounds, whose counts sum to ``s``."""
    whole = as_one_round(mechanism, rounds)
    if method_of(method) == "exact":
        upper = greatest(whole, s, level)
        lower = whole.n - greatest(whole, whole.reports - s, level)  # reading every report the other way round
        found = whole_interval(lower, upper, whole.n)
        return Interval(found.lower / rounds, found.upper / rounds)
    near = within(_around_estimate(whole, s, z_squared(whole.q, level, method)), whole.n)
    return Interval(near.lower / rounds, near.upper / rounds)


def method_of(method: object, *, without: str = "") -> str:
    """The method, which is to be one of the four.

    Raises:
        DomainError: it is not.
    """
    return one_of(method, "method", (name for name in get_args(Method) if name != without))


def square(variance: Fraction, ranges: Fraction, level: Fraction, method: str) -> Enclosure:
    """The square of what a sum of independent terms is off by, at a level.

    Args:
        variance: of the sum.
        ranges: the squared ranges of its terms, added up.
        level: beta.
        method: "chebyshev", "hoeffding" or "normal".
    """
    match method:
        case "chebyshev":
            return Enclosure.of(variance / level)
        case "hoeffding":
            return log(2 / level) * (ranges / 2)
    z = normal.quantile(1 - level / 2)  # "normal"
    return z * z * variance


def z_squared(q: Fraction, level: Fraction, method: str) -> Enclosure:
    """z^2, the squared number of standard deviations that a method takes on either side."""
    return square(Fraction(1), 1 / (q * (1 - q)), level, method)


def _around_estimate(mechanism: KRandomization, s: int, z2: Enclosure) -> Interval:
    return around(group_estimate(mechanism, s), group_variance(mechanism) * z2)


def _around_mean(mechanism: KRandomization, ones: int, z2: Enclosure) -> Interval:
    """The outcomes S whose interval with z^2 contains ``ones``."""
    mean = mechanism.k * (mechanism.p * ones + mechanism.q * (mechanism.n - ones))
    return around(mean, mechanism.p * mechanism.q * mechanism.reports * z2)


# --- the exact interval -----------------------------------------------------------------------------------


def whole_interval(lower: int, upper: int, n: int) -> Interval:
    """The T from L to U within 0..n; where every T is refuted, those around the gap."""
    low, high = sorted((lower, upper))
    return within(Interval(Enclosure.of(low), Enclosure.of(high)), n)


def greatest(mechanism: KRandomization, s: int, level: Fraction) -> int:
    """The greatest T in 0..n with P_T[S <= s] > level / 2, which falls as T grows; -1 if none."""
    near = _around_estimate(mechanism, s, _far(mechanism.q, level))
    return last_likely(lambda ones: pooled(mechanism, ones), *_whole(near, -1, mechanism.n), s, level)


def last_likely(reports: Callable[[int], Pool], low: int, high: int, s: int, level: Fraction) -> int:
    """The greatest T up to ``high`` with P_T[S <= s] > level / 2, which falls as T grows; ``low`` if none above it."""
    return last_where(lambda ones: likely(reports(ones), s, level), low + 1, high)


def _far(q: Fraction, level: Fraction) -> Enclosure:
    """A z^2 from which on each tail is at most level / 2 < 1/2: searches start there, however large n is."""
    return Enclosure.of(min(2 / level, z_squared(q, level, "hoeffding").upper))


def _whole(near: Interval, low: int, high: int) -> tuple[int, int]:
    """Whole numbers in low..high, the first below and the second above everything in the interval."""
    first, last = ceil(near.lower.lower) - 1, floor(near.upper.upper) + 1
    return min(high, max(low, first)), min(high, max(low, last))


def likely(pool: Pool, s: int, level: Fraction) -> bool:
    """Whether P[S <= s] > level / 2, from Chernoff's bounds or an enclosure where that settles it."""
    if _rare(pool, s, level / 2):
        return False
    if surely(pool, s, Fraction(1, 2)):
        return True
    for rtol in _FINER:
        chance = lower_tail(pool, s, rtol=rtol)
        if chance.lower > level / 2 or chance.upper <= level / 2:
            return chance > level / 2
    return pool.pmf().at_most(s) > level / 2


def _rare(pool: Pool, s: int, chance: Fraction) -> bool:
    """Whether Chernoff's bound proves P[S <= s] <= chance, however small it is."""
    with working_precision(64):
        return bool(pool.chernoff(s, upper=False) <= ball(chance))


def surely(pool: Pool, s: int, chance: Fraction) -> bool:
    """Whether Chernoff's bound proves P[S > s] <= chance."""
    return _rare(pool.flipped, pool.size - s - 1, chance)


def window(mechanism: KRandomization, ones: int, level: Fraction, method: str) -> tuple[int, int]:
    """The outcomes s whose interval contains ``ones``: they are consecutive, as both ends rise with s."""
    if method != "exact":
        near = _around_mean(mechanism, ones, z_squared(mechanism.q, level, method))
        low = 0 if ones == 0 else max(0, ceil(near.lower))  # all that lies below has the interval [0, 0]
        return low, mechanism.reports if ones == mechanism.n else min(mechanism.reports, floor(near.upper))
    # T also belongs to the gap between what refutes T and what refutes its neighbour.
    low = min(_least(mechanism, ones, level), _most(mechanism, ones - 1, level) + 1)
    high = max(_most(mechanism, ones, level), _least(mechanism, ones + 1, level) - 1)
    return low, high


def _least(mechanism: KRandomization, ones: int, level: Fraction) -> int:
    """The least s with P_T[S <= s] > level / 2; k n + 1 for T = n + 1."""
    if ones > mechanism.n:
        return mechanism.reports + 1
    near = _around_mean(mechanism, ones, _far(mechanism.q, level))
    low, high = _whole(near, 0, mechanism.reports)
    return 1 + last_where(lambda s: not likely(pooled(mechanism, ones), s, level), low, high - 1)


def _most(mechanism: KRandomization, ones: int, level: Fraction) -> int:
    """The greatest s with P_T[S >= s] > level / 2; -1 for T = -1."""
    return mechanism.reports - _least(mechanism, mechanism.n - ones, level)
