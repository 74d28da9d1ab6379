r"""Randomized response over a set of k answers, one person's alone.

With the flip probability f the report is drawn evenly from all k answers (the true one included), else it is the truth:

    P[truth] = 1 - f + f/k,    P[each other answer] = f/k,    e^epsilon = 1 + k (1 - f)/f,    f = k/(k - 1 + e^epsilon).

For k = 2, f = 2 q. It is the k-ary symmetric channel, of the capacity (attained by even inputs, by symmetry)

    C = sum over answers y of P[y] log2(k P[y])    bits.

Source: Chrome's attribution reporting (WICG/attribution-reporting-api, ts/src/flexible-event/privacy.ts); Kairouz,
Bonawitz, Ramage, "Discrete Distribution Estimation under Local Privacy" (2016).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import partial
from math import comb
from typing import Any

from dpcalc.errors import DomainError
from dpcalc.mechanisms.parameter import Real, Whole, declared, parameter
from dpcalc.numbers.elementary import FINE, log
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.lists import as_list
from dpcalc.numbers.promise import REPORT, Promise
from dpcalc.numbers.rational import Number, integer, positive

_ANSWERS = partial(integer, minimum=2, maximum=10**15)
_MOST_REPORTS, _MOST_DATA = 100, 1_000  # of one source; counting takes a second


@declared()
class CategoryResponse:
    """One of k answers, reported through randomized response.

    Attributes:
        categories: k, from 2 to 10^15.
        flip: f, 0 < f <= 1.

    Raises:
        DomainError: an argument out of range.

    >>> CategoryResponse(3, "0.6").odds
    Fraction(3, 1)
    """

    categories: Whole = parameter(_ANSWERS)
    flip: Real = parameter(partial(positive, what="a probability", maximum=1))

    @classmethod
    def private(
        cls, categories: Number, *, lam: Number | None = None, epsilon: Number | None = None
    ) -> CategoryResponse:
        """With the least flip probability, rounded up by a relative 1e-40 at most, that is epsilon-locally private.

        >>> CategoryResponse.private(2, lam=3).flip
        Fraction(1, 2)
        """
        k, limit = _ANSWERS(categories, "categories"), Limit.of(lam=lam, epsilon=epsilon)
        return cls(k, k / (k - 1 + limit.ends.lower))

    @property
    def truth(self) -> Fraction:
        """The probability of the true answer."""
        return 1 - self.flip + self.lie

    @property
    def lie(self) -> Fraction:
        """The probability of each other answer."""
        return self.flip / self.categories

    @property
    def odds(self) -> Fraction:
        """The largest likelihood ratio that a report shows."""
        return self.truth / self.lie

    @property
    def epsilon(self) -> Promise:
        """The local privacy parameter, the logarithm of the odds."""
        return Promise.that(log(self.odds), **REPORT)

    @property
    def capacity(self) -> Enclosure:
        """The largest mutual information of answer and report, in bits.

        >>> print(CategoryResponse(2, "1/2").capacity)
        0.18872187554086713...
        """
        k, rtol = self.categories, FINE * (1 - self.flip) ** 2 if self.flip < 1 else FINE
        parts = (self.truth, k * self.truth), ((k - 1) * self.lie, k * self.lie)
        return sum((log(x, rtol) * weight for weight, x in parts), Enclosure.of(0)) / log(Fraction(2))


def event_states(reports: Number, data: Iterable[Any]) -> int:
    """How many different sets of reports an event-level source can send: the k of its randomized response.

    Args:
        reports: how many reports in all, from 0 to 100.
        data: for each value of the trigger data a pair (windows, buckets): in how many time windows its reports are
            sent, and how many of them there may be; up to 1,000 pairs.

    Raises:
        DomainError: an argument out of range.

    Source: Chrome's attribution reporting. j reports of one value fall into w windows in C(j + w - 1, j) ways.

    >>> event_states(3, [(3, 3)] * 8), event_states(1, [(1, 1)] * 2)  # Chrome's navigation and event sources
    (2925, 3)
    """
    total = integer(reports, "reports", minimum=0, maximum=_MOST_REPORTS)
    allowed = f"up to {_MOST_DATA:,} pairs (windows, buckets)"
    ways = [1] + [0] * total  # by how many reports were sent
    for pair in as_list(data, "data", allowed, _MOST_DATA):
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise DomainError("data", pair, allowed)
        windows = integer(pair[0], "windows", minimum=1, maximum=_MOST_REPORTS)
        buckets = min(integer(pair[1], "buckets", minimum=0), total)
        own = [comb(j + windows - 1, j) for j in range(buckets + 1)]
        ways = [sum(own[j] * ways[i - j] for j in range(min(i, buckets) + 1)) for i in range(total + 1)]
    return sum(ways)
