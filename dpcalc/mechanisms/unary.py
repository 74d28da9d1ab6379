r"""One-hot histograms, every bit flipped, one count a category; and bits and histograms of asymmetric reports.

*Flipped bits.* A record is a vector of d bits with ``ones`` = c of them set (c = 1 is one-hot). Every bit is reported k
times, each time flipped with probability q, and the reports are pooled category by category. Given the data the counts
are independent, and each is the count of a ``KRandomization``. Counts of categories that do not change say nothing. A
count that changes is described by a number m. If the changed record holds 0 in the likelier dataset, m of the other
n - 1 records hold the category. If it holds 1 there, both bits exchange their meaning: m of the others do *not* hold
it.

*replace*  the record takes another value: it leaves r categories and enters as many others. Which choices of m are
           reached by some records stands in the proof notes, C19 and C20.
*delete*   the record becomes all zeros, as any of the others may be: all its counts change in the same direction (C21).
           A deleted record is deleted in all rounds.

*Asymmetric reports.* A report is 1 with probability a if the bit is 1, and with probability b < a if it is 0.

Randomized response is a = 1 - b. Others are

    optimized unary encoding   a = 1/2, b = 1/(e^eps + 1)                       (Wang et al. 2017)
    RAPPOR, both steps         a = (1 - f/2) q + (f/2) p, b = (f/2) q + (1 - f/2) p    (its p and q, p < q)
    sampled clients            a = gamma (1 - q), b = gamma q, where only the count of ones is released, k = 1

A *bit* has one count. In a *histogram* of one-hot records a replaced record leaves one category and enters another:
these two counts change, and all others say nothing. So delta does not depend on the number of other categories. With m
and m' of the n - 1 others in the two categories,

    m + m' <= n - 1, with equality if there are but two categories.

A deleted record becomes all zeros, as any other record may be. It changes one count, so that delta is that of a bit.

Source: Exposure Notifications Private Analytics; draft-wang-ppm-differential-privacy; RAPPOR, its permanent response
with f = 2q; proof notes, T6. T. Wang, J. Blocki, N. Li, S. Jha, Locally differentially private protocols for frequency
estimation (2017); Erlingsson, Pihur, Korolova, RAPPOR (2014): proof notes, A1 to A5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any

from dpcalc.errors import DomainError
from dpcalc.mechanisms.fleet import Fleet
from dpcalc.mechanisms.mechanism import (
    MOST_ROUNDS,
    NEIGHBOURS,
    Mechanism,
    Name,
    Parameter,
    Real,
    Whole,
    declared,
    parameter,
)
from dpcalc.mechanisms.response import (
    CHANCES,
    FLIP,
    POOLED,
    RECORDS,
    REPEATS,
    Flipped,
    Group,
    KRandomization,
    RandomizedResponse,
    must_pool,
)
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import Number, integer

ABSENT = (True, False)  #: whether the likelier dataset is the one in which a deleted record is absent


@declared(kw_only=True, refused=f'{POOLED}; ``ones`` = ``categories`` with "replace"')
class UnaryEncoding(Flipped, Mechanism):
    """A histogram of one-hot records whose bits are flipped: one pooled count for each category.

    Two relations of neighbours: "replace", one record takes another value; "delete", it becomes all zeros, as others
    may be too. Replacing is a deletion of the old and of the new value, and so about sqrt(2) times as far: compare
    numbers of the same relation only.

    In ``Rounds`` all counts of one release are given at once: what an adaptive choice may depend on are the releases
    before it.

    >>> UnaryEncoding(n=100_000, categories=16, q="0.0067")
    UnaryEncoding(n=100000, categories=16, q='0.0067')
    """

    family = "rounds.joint:Joint"

    n: Whole = parameter(*RECORDS)
    categories: Whole = parameter(partial(integer, minimum=2), ">= 2")
    q: Real = parameter(*FLIP)
    k: Whole = parameter(*REPEATS, default=1)
    ones: Whole = parameter(partial(integer, minimum=1), "categories that each record holds; 1 is one-hot", default=1)
    at_most: Parameter[int | None, Number | None] = parameter(
        partial(integer, minimum=1),
        "in place of ``ones``: each record holds any number of categories up to this one",
        default=None,
    )
    neighbours: Name = parameter(*NEIGHBOURS, default="replace")

    def _check(self, given: Mapping[str, Any]) -> None:
        must_pool(self.n, self.k, given)
        name = "ones" if self.at_most is None else "at_most"
        held = integer(given[name], name, minimum=1, maximum=self.categories)
        if self.at_most is not None and self.ones not in (1, held):
            raise DomainError("ones", given["ones"], "leave it out: at_most says how many categories a record holds")
        object.__setattr__(self, "ones", held)
        if not self.changed:
            raise DomainError(name, given[name], "ones < categories where records are replaced: all of them are alike")
        if self.changed > MOST_ROUNDS:
            raise DomainError(name, given[name], f"at most {MOST_ROUNDS:,} counts that change at once")

    @property
    def exposed(self) -> int:
        """The reported bits in which two neighbouring records differ."""
        return self.k * self.changed

    @property
    def simplest(self) -> KRandomization | UnaryEncoding:
        """The only count that changes, if one-hot records are deleted; ``ones`` of the others hold its category."""
        return KRandomization(n=self.n, q=self.q, k=self.k) if self.changed == 1 else self

    @property
    def group(self) -> Group:
        """The users that report to one count."""
        return Group(n=self.n, q=self.q, k=self.k)

    @property
    def of_count(self) -> tuple[KRandomization, int]:
        """The single bits of one count, and how many counts change."""
        return KRandomization(n=self.n, q=self.q, k=self.k), self.changed

    @property
    def changed(self) -> int:
        """The largest number of counts that one record changes."""
        if self.neighbours == "delete":
            return self.ones
        return min(2 * self.ones, self.categories if self.at_most else 2 * (self.categories - self.ones))

    @property
    def untied(self) -> bool:
        """Whether every choice of m for the counts that change is reached by some records."""
        if self.at_most:
            return True
        if self.neighbours == "replace":
            return self.categories != 2 * self.ones
        return 2 * self.ones <= self.categories + 1

    def reached(self, ones: Sequence[int], absent: bool) -> bool:
        """Whether some records give the counts that change these ``ones``, in any order."""
        return any(True for _ in self.placements(ones, absent))

    def placements(self, ones: Sequence[int], absent: bool) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """For every way to place ``ones``: how many others hold each category left, and each category entered.

        Args:
            ones: m of every count that changes, as the module counts it, in any order.
            absent: whether a deleted record is absent in the likelier dataset; not used for a replaced one.
        """
        others, values = self.n - 1, sorted(ones, reverse=True)
        if self.neighbours == "delete":
            held = tuple(values) if absent else tuple(others - m for m in values)
            if self.at_most or sum(held) >= (2 * self.ones - self.categories) * max(held):
                yield ((), held) if absent else (held, ())
            return
        if self.at_most:  # the larger half left: others hold no more there than the smaller half adds
            half = (len(values) + 1) // 2
            yield tuple(others - m for m in values[:half]), tuple(values[half:])
            return
        half = len(values) // 2
        low, high = -(self.ones - half) * others, (self.categories - self.ones - half) * others
        for left, entered in _halves(values):
            if low <= sum(left) - sum(entered) <= high:
                yield tuple(others - m for m in left), tuple(entered)


def _halves(values: Sequence[int]) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """Two halves of falling values: first by turns, where the sums differ by less than the largest; then all others."""
    yield values[::2], values[1::2]
    yield values[1::2], values[::2]
    if values[0] > values[-1]:
        places = range(len(values))
        for some in combinations(places, len(values) // 2):
            yield [values[i] for i in some], [values[i] for i in places if i not in some]


@declared(kw_only=True, refused=POOLED)
class AsymmetricBits(Mechanism):
    """Reports that are 1 with one probability for a bit 1 and with another one for a bit 0, pooled.

    With b = 0 or a = 1 one report may give its bit away: delta is then 1 - (1 - a)^k or 1 - b^k for every epsilon.

    >>> from dpcalc import delta
    >>> delta(AsymmetricBits(n=12, chances=("1/2", "1/10")), lam="3/2").value
    Fraction(94143178827, 2000000000000)
    """

    family = "families.two_counts:TwoCounts"

    n: Whole = parameter(*RECORDS)
    chances: Parameter[tuple[Fraction, Fraction], Sequence[Number]] = parameter(*CHANCES)
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
        return Fleet([self.group]).simplest if self.changed == 1 else self.unary

    @property
    def unary(self) -> UnaryEncoding | AsymmetricBits:
        """The same with the same neighbours: flipped bits where a = 1 - b."""
        if self.categories is None or not self.group.symmetric:
            return self
        return UnaryEncoding(n=self.n, categories=self.categories, q=self.group.q, k=self.k, neighbours=self.neighbours)

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
