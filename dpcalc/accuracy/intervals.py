r"""Confidence intervals for the number of ones, their coverage, and the n at which they are narrow enough.

They are from one count (``methods`` has them), or from the counts of several rounds, a histogram or a fleet.

Source: Clopper and Pearson 1934, for binomial counts; LOC, "Upper Bound"; EC, "Accuracy of this estimator".
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any

from dpcalc.accuracy.counted import Counted
from dpcalc.accuracy.estimator import Counts, histogram, of_each
from dpcalc.accuracy.methods import Method, level_of, method_of, off, window
from dpcalc.mechanisms.fleet import Fleet
from dpcalc.mechanisms.response import KRandomization, RoundedNumbers, expect_bits
from dpcalc.mechanisms.unary import AsymmetricBits, UnaryEncoding
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.lists import flag
from dpcalc.numbers.rational import Number, between, integer


def confidence_interval(
    mechanism: KRandomization | UnaryEncoding | Fleet | AsymmetricBits, s: Counts | Sequence[Counts], *,
    confidence: Number, method: Method = "exact", simultaneous: bool = False,
) -> Any:  # fmt: skip
    """The interval for the number of ones that goes with the pooled count ``s``.

    Its ends lie in 0..n; those of "exact" are integers. Where every number of ones is rejected at this confidence, the
    nearest is given, which only raises the coverage. Several rounds have several counts, and the
    interval is for the mean of their numbers of ones. For a histogram it is one interval for each category's number of
    records. For a fleet it is for the number of ones in all groups, from a count for each or from the pooled one: see
    ``methods``.

    Args:
        mechanism: how the reports were made.
        s: the pooled count, or one for each of several rounds; for a histogram a list with one such entry a category;
            for a fleet the pooled count, or one for each group.
        confidence: of each interval.
        method: see ``methods``.
        simultaneous: all intervals of a histogram hold together with the confidence.

    Returns:
        An ``Interval``; for a histogram a tuple of one for each category.

    Raises:
        DomainError: s outside 0..k n, or not as many as there are categories, confidence outside (0, 1), an unknown
            method, or records of several bits.

    >>> print(confidence_interval(KRandomization(n=18, q="1/4"), 9, confidence="0.95"))
    [1, 17]
    >>> print(confidence_interval(KRandomization(n=18, q="1/4"), [9, 10, 8], confidence="0.95"))
    [14/3, 40/3]
    >>> from dpcalc import Fleet, Group
    >>> fleet = Fleet([Group(n=40_000, q="0.01"), Group(n=10_000, q="0.05", k=2)])
    >>> print(confidence_interval(fleet, [12_000, 6_000], confidence="0.95"))
    [14561, 14667]
    >>> print(confidence_interval(fleet, 18_000, confidence="0.95"))  # whoever holds the ones
    [9183, 17012]
    >>> confidence_interval(KRandomization(n=18, q="1/4"), 9, confidence=1)
    Traceback (most recent call last):
    ...
    dpcalc.errors.DomainError: confidence = 1 is not allowed: give a probability with 0 < confidence < 1
    """
    together, estimates = flag(simultaneous, "simultaneous"), of_each(mechanism, s, unbiased=False)
    level = level_of(confidence) / (len(estimates) if together else 1)
    each = tuple(one.interval(1 - level, method=method) for one in estimates)
    return each if histogram(mechanism) else each[0]


def coverage(mechanism: KRandomization, *, ones: Number, confidence: Number, method: Method = "exact") -> Enclosure:
    """The probability that the interval contains the true number of ones; exact for up to 400 reports.

    Raises:
        DomainError: ones outside 0..n, confidence outside (0, 1), an unknown method, or records of several bits.

    >>> coverage(KRandomization(n=2, q="1/4"), ones=0, confidence="3/4", method="normal").value
    Fraction(15, 16)
    """
    expect_bits(mechanism, "coverage")
    holders = integer(ones, "ones", minimum=0, maximum=mechanism.n)
    level = level_of(confidence)
    asked = Counted.of(mechanism)
    low, high = window(asked, holders, level, method_of(method))
    if low > high:
        return Enclosure.of(0)
    pool = asked.pool(holders)
    return 1 - pool.at_most(low - 1) - pool.at_least(high + 1)


def required_n(
    *, error: Number, confidence: Number, q: Number, k: Number = 1, method: Method = "hoeffding",
    numbers: bool = False,
) -> int:  # fmt: skip
    r"""The least n at which the half-width of the interval for the fraction T/n is at most ``error``.

    n = ceil(z^2 p q / (k (p - q)^2 error^2)). With "chebyshev" and "hoeffding" it is a proven promise: for this n and
    every larger one, whatever the data, the estimated fraction errs by at most ``error`` with at least the confidence
    asked. With "normal" it is only the width of the interval. "exact" is refused: its width depends on the outcome, and
    neither its greatest width nor the true chance of an error of at most ``error`` is monotone in n, as S is whole.
    With ``numbers`` it is the error of the mean of numbers, as a share of their range, their rounding included.

    Raises:
        DomainError: error <= 0, confidence outside (0, 1), q outside (0, 1/2), k < 1, the method "exact" or unknown.
        Undecided: n has about 40 digits or more; or with "hoeffding" or "normal" it is too near a whole number.

    Source: EC, "Accuracy of this estimator", with the variance p q of a report in place of 1; LOC, "Upper Bound".

    >>> required_n(error="0.05", confidence="0.95", q="1/4"), required_n(error="0.05", confidence="0.95", q="1/4", k=2)
    (2952, 1476)
    """
    width = method_of(method, without="exact")
    mechanism = (RoundedNumbers if flag(numbers, "numbers") else KRandomization)(n=1, q=q, k=k)
    reach = between(error, "error", 0, 1, "an error of the fraction")
    return ceil(off(Counted.of(mechanism), level_of(confidence), width) / reach**2)
