r"""Asymmetric reports: a report is 1 with probability a if the bit is 1, and with probability b < a if it is 0.

Randomized response is a = 1 - b. Others are

    optimized unary encoding   a = 1/2, b = 1/(e^eps + 1)                       (Wang et al. 2017)
    RAPPOR, both steps         a = (1 - f/2) q + (f/2) p, b = (f/2) q + (1 - f/2) p    (its p and q, p < q)
    sampled clients            a = gamma (1 - q), b = gamma q, where only the count of ones is released, k = 1

A *bit* has one count. In a *histogram* of one-hot records a replaced record leaves one category and enters another:
these two counts change, and all others say nothing. So delta does not depend on the number of other categories. With m
and m' of the n - 1 others in the two categories,

    m + m' <= n - 1, with equality if there are but two categories.

A deleted record becomes all zeros, as any other record may be. It changes one count, so that delta is that of a bit.

Source: T. Wang, J. Blocki, N. Li, S. Jha, Locally differentially private protocols for frequency estimation (2017);
Erlingsson, Pihur, Korolova, RAPPOR (2014). Proof notes, A1 to A5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from dpcalc.errors import DomainError
from dpcalc.mechanisms.fleet import Fleet, Group, two_chances
from dpcalc.mechanisms.mechanism import NEIGHBOURS, Mechanism, Name, Parameter, Whole, declared, parameter
from dpcalc.mechanisms.response import POOLED, RECORDS, REPEATS, RandomizedResponse, must_pool
from dpcalc.mechanisms.unary import UnaryEncoding
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import Number, integer


@declared(kw_only=True, refused=POOLED)
class AsymmetricBits(Mechanism):
    """Reports that are 1 with one probability for a bit 1 and with another one for a bit 0, pooled.

    With b = 0 or a = 1 one report may give its bit away: delta is then 1 - (1 - a)^k or 1 - b^k for every epsilon.

    >>> from dpcalc import delta
    >>> delta(AsymmetricBits(n=12, chances=("1/2", "1/10")), lam="3/2").value
    Fraction(94143178827, 2000000000000)
    """

    n: Whole = parameter(*RECORDS)
    chances: Parameter[tuple[Fraction, Fraction], Sequence[Number]] = parameter(
        two_chances, "(a, b), the chance that a report is 1 if the bit is 1, and if it is 0; 0 < b < a < 1"
    )
    k: Whole = parameter(*REPEATS, default=1)
    categories: Parameter[int | None, Number | None] = parameter(
        partial(integer, minimum=2), "of a one-hot histogram, >= 2; by default a record is one bit",
        default=None,
    )  # fmt: skip
    neighbours: Name = parameter(*NEIGHBOURS, default="replace")

    def _check(self, given: Mapping[str, Any]) -> None:
        must_pool(self.n, self.k, given)
        if self.categories is None and self.neighbours != "replace":
            raise DomainError("neighbours", self.neighbours, '"replace" for single bits')

    @classmethod
    def optimized(cls, *, n: Number, epsilon: Number, **more: Any) -> AsymmetricBits:
        """Optimized unary encoding: a = 1/2 and the least b, rounded up, at which a one-hot record is epsilon-DP.

        With k = 1, and one report of each category: ln(a (1-b) / (b (1-a))) <= epsilon. ``more`` are other parameters.
        """
        return cls(n=n, chances=(Fraction(1, 2), RandomizedResponse.from_epsilon(epsilon).q), **more)

    @property
    def group(self) -> Group:
        """The users that report to one count."""
        return Group(n=self.n, chances=self.chances, k=self.k)

    @property
    def simplest(self) -> Mechanism:
        """The count of one bit, where only one count changes; randomized response where a = 1 - b."""
        if self.changed == 1:
            return Fleet([self.group]).simplest
        if self.group.symmetric:
            return UnaryEncoding(n=self.n, categories=self.categories or 2, q=self.group.q, k=self.k)
        return self

    @property
    def changed(self) -> int:
        """The largest number of counts that one record changes."""
        return 2 if self.categories is not None and self.neighbours == "replace" else 1

    @property
    def local_epsilon(self) -> Promise:
        """k times the larger one of ln(a/b) and ln((1-b)/(1-a)), or times their sum where two counts change."""
        if self.changed == 1:
            return self.simplest.local_epsilon
        ones, zeros = self.group.losses
        return Promise.that((ones + zeros) * self.k)
