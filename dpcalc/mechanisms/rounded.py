"""Numbers instead of bits: each is rounded at random to an end of its range, and that bit is reported.

A number x in [0, 1] becomes 1 with probability x, once; the k reports of that bit are flipped and pooled. Under both of
two neighbouring datasets the law of the count is linear in every number, and delta is convex in the two laws: so the
worst numbers are 0 and 1, and what is promised for bits is promised for numbers, exactly (proof notes, T8).

Source: Prio and its sums of numbers; Ding, Kulkarni, Yekhanin, "Collecting Telemetry Data Privately" (2017), for
rounding to one bit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpcalc.errors import DomainError
from dpcalc.mechanisms.mechanism import Mechanism
from dpcalc.mechanisms.parameter import Real, Whole, declared, parameter
from dpcalc.mechanisms.response import COUNT, FLIP, KRandomization, must_pool
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import rational


@declared(kw_only=True)
class RoundedNumbers(Mechanism):
    """n numbers in a known range, each rounded at random to one of its ends and reported k times with lies.

    Args:
        n: numbers, >= 1; for privacy those of honest users only.
        q: the flip probability of every report, 0 < q < 1/2.
        k: reports of each rounded number, >= 1.
        low: the least number there may be.
        high: the largest.

    Raises:
        DomainError: an argument out of range; low >= high; more than 10^15 reports n k.

    >>> from dpcalc import delta
    >>> ages = RoundedNumbers(n=1000, q="1/10", high=120)
    >>> delta(ages, epsilon=1) == delta(KRandomization(n=1000, q="1/10"), epsilon=1)
    True
    """

    n: Whole = parameter(COUNT)
    q: Real = parameter(FLIP)
    k: Whole = parameter(COUNT, default=1)
    low: Real = parameter(rational, default=0)
    high: Real = parameter(rational, default=1)

    def _check(self, given: Mapping[str, Any]) -> None:
        must_pool(self.n, self.k, given)
        if self.low >= self.high:
            raise DomainError("high", given["high"], "a number > low")

    @property
    def simplest(self) -> KRandomization:
        """Of the bits: whose privacy is that of the numbers."""
        return KRandomization(n=self.n, q=self.q, k=self.k)

    @property
    def local_epsilon(self) -> Promise:
        """That of the bits."""
        return self.simplest.local_epsilon
