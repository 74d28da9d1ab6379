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

T is one of 0..n, so every interval is cut to 0..n. If all of it lies outside, no T is plausible at this confidence, and
the nearest T, 0 or n, is returned: this too only adds coverage.

Of asymmetric reports, 1 with probability a for a bit 1 and b for a bit 0, put a for p and b for q; the variance is then
the largest of any T (proof notes, A6), and hoeffding's z^2 what the bound above says. All else is the same.

Source: Clopper and Pearson 1934, for binomial counts; LOC, "Upper Bound"; EC, "Accuracy of this estimator".
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Literal, TypeAlias, get_args

from dpcalc.accuracy.counted import Counted, weight
from dpcalc.displayed import Displayed
from dpcalc.laws.pool import Pool
from dpcalc.numbers import normal
from dpcalc.numbers.elementary import log, sqrt
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.lists import one_of
from dpcalc.numbers.rational import Number, between
from dpcalc.numbers.search import last_where

Method: TypeAlias = Literal["exact", "chebyshev", "hoeffding", "normal"]

RTOL = Fraction(1, 10**6)  #: relative width of tails and quantiles where they are not decided
_FINER = tuple(Fraction(1, 10**digits) for digits in (12, 50, 200))


@dataclass(frozen=True, slots=True)
class Interval(Displayed):
    """Two certified ends, both included.

    For the number T of ones among n records, 0 <= lower <= upper <= n. Where no T is plausible at the confidence, both
    are the nearest T.
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
    """The interval cut to 0..n; the nearest end if it lies outside."""
    return Interval(*(Enclosure(_clamped(end.lower, n), _clamped(end.upper, n)) for end in (found.lower, found.upper)))


def _clamped(x: Fraction, n: int) -> Fraction:
    return min(max(x, Fraction(0)), Fraction(n))


def method_of(method: object, *, without: str = "") -> str:
    """The method, if it is one of the four.

    Raises:
        DomainError: it is not.
    """
    return one_of(method, "method", (name for name in get_args(Method) if name != without))


def level_of(confidence: Number) -> Fraction:
    """The level 1 - confidence, for 0 < confidence < 1."""
    return 1 - between(confidence, "confidence", 0, 1, "a probability")


def square(variance: Fraction, ranges: Fraction, level: Fraction, method: str) -> Enclosure:
    """The squared half-width of an interval around a sum of independent terms, at a level.

    Args:
        variance: of the sum.
        ranges: the sum of its terms' squared ranges.
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


def off(asked: Counted, level: Fraction, method: str) -> Enclosure:
    """The squared half-width of an interval around the estimate, at a level."""
    return square(asked.variance(), asked.ranges, level, method)


# --- the exact interval -----------------------------------------------------------------------------------


def likely(pool: Pool, s: int, level: Fraction) -> bool:
    """Whether P[S <= s] > level / 2: from enclosures, or from the exact pmf where these do not decide."""
    for rtol in _FINER:
        chance = pool.at_most(s, rtol=rtol)
        if chance.lower > level / 2 or chance.upper <= level / 2:
            return chance > level / 2
    return pool.pmf().at_most(s) > level / 2


def window(asked: Counted, ones: int, level: Fraction, method: str) -> tuple[int, int]:
    """The outcomes s of one group whose interval contains ``ones``: they are consecutive, as both ends rise with s."""
    if method != "exact":
        near = around(asked.pool(ones).mean, weight(asked.groups[0]) ** 2 * off(asked, level, method))
        low = 0 if ones == 0 else max(0, ceil(near.lower))  # all that lies below has the interval [0, 0]
        return low, asked.size if ones == asked.n else min(asked.size, floor(near.upper))
    # T also belongs to the gap between what refutes T and what refutes its neighbour.
    low = min(_least(asked, ones, level), _most(asked, ones - 1, level) + 1)
    high = max(_most(asked, ones, level), _least(asked, ones + 1, level) - 1)
    return low, high


def _least(asked: Counted, ones: int, level: Fraction) -> int:
    """The least s with P_T[S <= s] > level / 2; k n + 1 for T = n + 1."""
    if ones > asked.n:
        return asked.size + 1
    pool = asked.pool(ones)
    return 1 + last_where(lambda s: not likely(pool, s, level), 0, pool.size - 1, near=round(pool.mean))


def _most(asked: Counted, ones: int, level: Fraction) -> int:
    """The greatest s with P_T[S >= s] > level / 2; -1 for T = -1."""
    return asked.size - _least(asked.flipped([0])[0], asked.n - ones, level)
