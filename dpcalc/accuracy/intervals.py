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

Source: Clopper and Pearson 1934, for binomial counts; LOC, "Upper Bound"; EC, "Accuracy of this estimator".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Literal, TypeAlias, get_args, overload

from dpcalc.accuracy.several_counts import Counts, as_one_round, of_categories, total
from dpcalc.mechanisms.pooled_count import at_least, at_most, pmf
from dpcalc.mechanisms.response import KRandomization, expect
from dpcalc.mechanisms.unary import CategoryCounts
from dpcalc.numbers import normal
from dpcalc.numbers.elementary import log, sqrt
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.lists import flag, one_of
from dpcalc.numbers.rational import Number, between, integer

__all__ = ["Interval", "Method", "around", "confidence_interval", "coverage", "mean_interval", "required_n"]

Method: TypeAlias = Literal["exact", "chebyshev", "hoeffding", "normal"]

_FINER = tuple(Fraction(1, 10**digits) for digits in (12, 50, 200))


@dataclass(frozen=True, slots=True)
class Interval:
    """Two certified ends, both included."""

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


@overload
def confidence_interval(
    mechanism: KRandomization, s: Counts, *, confidence: Number, method: Method = ..., simultaneous: bool = ...
) -> Interval: ...
@overload
def confidence_interval(
    mechanism: CategoryCounts,
    s: Sequence[Counts],
    *,
    confidence: Number,
    method: Method = ...,
    simultaneous: bool = ...,
) -> tuple[Interval, ...]: ...
def confidence_interval(
    mechanism: KRandomization | CategoryCounts,
    s: Counts | Sequence[Counts],
    *,
    confidence: Number,
    method: Method = "exact",
    simultaneous: bool = False,
) -> Interval | tuple[Interval, ...]:
    """The interval for the number of ones that goes with the pooled count ``s``.

    The ends of "exact" are integers in 0..n; those of the other methods may lie outside 0..n. Several rounds have
    several counts, and the interval is for the mean of their numbers of ones. For a histogram it is one interval for
    each category's number of records.

    Args:
        mechanism: how the reports were made.
        s: the pooled count, or one for each of several rounds; for a histogram a list with one such entry a category.
        confidence: of each interval.
        method: see the module.
        simultaneous: all intervals of a histogram hold together with the confidence.

    Raises:
        DomainError: s outside 0..k n, or not as many as there are categories, confidence outside (0, 1), an unknown
            method, or records of several bits.

    >>> print(confidence_interval(KRandomization(n=18, q="1/4"), 9, confidence="0.95"))
    [1, 17]
    >>> print(confidence_interval(KRandomization(n=18, q="1/4"), [9, 10, 8], confidence="0.95"))
    [14/3, 40/3]
    >>> confidence_interval(KRandomization(n=18, q="1/4"), 9, confidence=1)
    Traceback (most recent call last):
    ...
    dpcalc.errors.DomainError: confidence = 1 is not allowed: give a probability with 0 < confidence < 1
    """
    together = flag(simultaneous, "simultaneous")
    if isinstance(mechanism, CategoryCounts):
        single, found = of_categories(mechanism, s)  # type: ignore[arg-type]
        level = _level(confidence) / (len(found) if together else 1)
        return tuple(mean_interval(single, *counts, level=level, method=method) for counts in found)
    expect(mechanism, KRandomization)
    mechanism.single_bit("confidence_interval")
    return mean_interval(mechanism, *total(mechanism, s), level=_level(confidence), method=method)


def mean_interval(
    mechanism: KRandomization, s: int, rounds: int, *, level: Fraction, method: Method = "exact"
) -> Interval:
    """The interval for the mean number of ones in so many rounds, whose counts sum to ``s``."""
    whole = as_one_round(mechanism, rounds)
    if _method(method) == "exact":
        lower, upper = _not_refuted(whole, s, level)
        return Interval(Enclosure.of(Fraction(lower, rounds)), Enclosure.of(Fraction(upper, rounds)))
    near = _around_estimate(whole, s, _z2(whole.q, level, method))
    return Interval(near.lower / rounds, near.upper / rounds)


def coverage(mechanism: KRandomization, *, ones: Number, confidence: Number, method: Method = "exact") -> Enclosure:
    """The probability that the interval contains the true number of ones; exact for up to 400 reports.

    Raises:
        DomainError: ones outside 0..n, confidence outside (0, 1), an unknown method, or records of several bits.

    >>> coverage(KRandomization(n=2, q="1/4"), ones=0, confidence="3/4", method="normal").value
    Fraction(15, 16)
    """
    expect(mechanism, KRandomization)
    mechanism.single_bit("coverage")
    holders = integer(ones, "ones", minimum=0, maximum=mechanism.n)
    level = _level(confidence)
    low, high = _window(mechanism, holders, level, _method(method))
    if low > high:
        return Enclosure.of(0)
    return 1 - at_most(mechanism, low - 1, ones=holders) - at_least(mechanism, high + 1, ones=holders)


def required_n(*, error: Number, confidence: Number, q: Number, k: Number = 1, method: Method = "hoeffding") -> int:
    r"""The least n at which the half-width of the interval for the fraction T/n is at most ``error``.

    n = ceil(z^2 p q / (k (p - q)^2 error^2)). With "chebyshev" and "hoeffding" it is a proven promise: for this n and
    every larger one, whatever the data, the estimated fraction errs by at most ``error`` with at least the confidence
    asked. With "normal" it is only the width of the interval. "exact" is refused: its width depends on the outcome, and
    neither its greatest width nor the true chance of an error of at most ``error`` is monotone in n, as S is whole.

    Raises:
        DomainError: error <= 0, confidence outside (0, 1), q outside (0, 1/2), k < 1, the method "exact" or unknown.
        Undecided: n has about 40 digits or more, or "hoeffding" or "normal" give a whole number to 40 digits.

    Source: EC, "Accuracy of this estimator", with the variance p q of a report in place of 1; LOC, "Upper Bound".

    >>> required_n(error="0.05", confidence="0.95", q="1/4"), required_n(error="0.05", confidence="0.95", q="1/4", k=2)
    (2952, 1476)
    """
    width = _method(method, without="exact")
    mechanism = KRandomization(n=1, q=q, k=k)
    reach = between(error, "error", 0, 1, "an error of the fraction")
    one: Fraction = mechanism.p * mechanism.q / (mechanism.k * (mechanism.p - mechanism.q) ** 2 * reach**2)
    return ceil(one * _z2(mechanism.q, _level(confidence), width))


def _level(confidence: Number) -> Fraction:
    return 1 - between(confidence, "confidence", 0, 1, "a probability")


def _method(method: object, *, without: str = "") -> str:
    return one_of(method, "method", (name for name in get_args(Method) if name != without))


def _z2(q: Fraction, level: Fraction, method: str) -> Enclosure:
    """z^2, the squared number of standard deviations that a method takes on either side."""
    match method:
        case "chebyshev":
            return Enclosure.of(1 / level)
        case "hoeffding":
            return log(2 / level) / (2 * q * (1 - q))
    z = normal.quantile(1 - level / 2)  # "normal"
    return z * z


def _around_estimate(mechanism: KRandomization, s: int, z2: Enclosure) -> Interval:
    per_record = mechanism.k * (mechanism.p - mechanism.q)
    spread: Fraction = mechanism.p * mechanism.q * mechanism.reports / per_record**2
    return around((s - mechanism.q * mechanism.reports) / per_record, spread * z2)


def _around_mean(mechanism: KRandomization, ones: int, z2: Enclosure) -> Interval:
    """The outcomes S whose interval with z^2 contains ``ones``."""
    mean = mechanism.k * (mechanism.p * ones + mechanism.q * (mechanism.n - ones))
    return around(mean, mechanism.p * mechanism.q * mechanism.reports * z2)


# --- the exact interval -----------------------------------------------------------------------------------


def _not_refuted(mechanism: KRandomization, s: int, level: Fraction) -> tuple[int, int]:
    """The ends of the exact interval; reading every report the other way round turns L into U."""
    upper = _greatest(mechanism, s, level)
    lower = mechanism.n - _greatest(mechanism, mechanism.reports - s, level)
    return max(0, min(lower, upper)), min(mechanism.n, max(lower, upper))


def _greatest(mechanism: KRandomization, s: int, level: Fraction) -> int:
    """The greatest T in 0..n with P_T[S <= s] > level / 2, which falls as T grows; -1 if none."""
    near = _around_estimate(mechanism, s, _far(mechanism.q, level))
    low, high = _whole(near, -1, mechanism.n)
    while low < high:
        middle = (low + high + 1) // 2
        if _likely(mechanism, middle, s, level):
            low = middle
        else:
            high = middle - 1
    return low


def _far(q: Fraction, level: Fraction) -> Enclosure:
    """A z^2 from which on each tail is at most level / 2 < 1/2: searches start there, however large n is."""
    return Enclosure.of(min(2 / level, _z2(q, level, "hoeffding").upper))


def _whole(near: Interval, low: int, high: int) -> tuple[int, int]:
    """Whole numbers in low..high, the first below and the second above everything in the interval."""
    first, last = ceil(near.lower.lower) - 1, floor(near.upper.upper) + 1
    return min(high, max(low, first)), min(high, max(low, last))


def _likely(mechanism: KRandomization, ones: int, s: int, level: Fraction) -> bool:
    """Whether P_T[S <= s] > level / 2, from an enclosure where that settles it."""
    for rtol in _FINER:
        chance = at_most(mechanism, s, ones=ones, rtol=rtol)
        if chance.lower > level / 2 or chance.upper <= level / 2:
            return chance > level / 2
    return pmf(mechanism, ones=ones).at_most(s) > level / 2


def _window(mechanism: KRandomization, ones: int, level: Fraction, method: str) -> tuple[int, int]:
    """The outcomes s whose interval contains ``ones``: they are consecutive, as both ends rise with s."""
    if method != "exact":
        near = _around_mean(mechanism, ones, _z2(mechanism.q, level, method))
        return max(0, ceil(near.lower)), min(mechanism.reports, floor(near.upper))
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
    while low < high:
        middle = (low + high) // 2
        if _likely(mechanism, ones, middle, level):
            high = middle
        else:
            low = middle + 1
    return low


def _most(mechanism: KRandomization, ones: int, level: Fraction) -> int:
    """The greatest s with P_T[S >= s] > level / 2; -1 for T = -1."""
    return mechanism.reports - _least(mechanism, mechanism.n - ones, level)
