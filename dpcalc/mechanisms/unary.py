r"""One-hot histograms: records that hold exactly c of d categories, every bit flipped, one count a category.

A record is a vector of d bits with ``ones`` = c of them set (c = 1 is one-hot). Every bit is reported k times, each
time flipped with probability q, and the reports are pooled category by category. Given the data the counts are
independent, and each is the count of a ``KRandomization``. Counts of categories that do not change say nothing. A count
that changes is described by a number m. If the changed record holds 0 in the likelier dataset, m of the other n - 1
records hold the category. If it holds 1 there, both bits exchange their meaning: m of the others do *not* hold it.

*replace*  the record takes another value: it leaves r categories and enters r others, r <= min(c, d - c). The others
           have c n' ones in all, n' = n - 1. So with A the sum of m over the categories left, B over those entered,

               -(c - r) n' <= A - B <= (d - c - r) n'.

           Every such choice is reached by some records. For d != 2c and the largest r every choice of the 2r numbers
           is, once they are put on the two sides in a good order. For d = 2c their two halves must have equal sums.
*delete*   the record becomes all zeros, as any of the others may be: c counts change in the same direction. If the
           record is absent in the likelier dataset, every choice with B >= (2c - d) max m is reached. If it is absent
           in the other one, the same holds of the numbers n' - m. For c = 1 this is every choice. A deleted record is
           deleted in all rounds.

Source: Exposure Notifications Private Analytics; draft-wang-ppm-differential-privacy; RAPPOR, its permanent response
with f = 2q. For what is reached: proof notes, C18 to C21, T6.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any

from dpcalc.errors import DomainError
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
from dpcalc.mechanisms.response import FLIP, POOLED, RECORDS, REPEATS, Flipped, KRandomization, must_pool
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
    UnaryEncoding(n=100000, categories=16, q='67/10000')
    """

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
