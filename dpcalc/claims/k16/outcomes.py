r"""Outcomes of K16's vectors: the reports of n records, one of which may have been changed to 0 = 0...0.

With the reports y_1, ..., y_n and the vectors v_1 = 0...0, ..., v_{2^L} = 1...1, an outcome S is the counts s_1, s_2,
... of the vectors among the reports. P(S|D) and P(S|D_m) come from ``claims.flips``; what the document makes of them is

    w(v) = p(v|0)/p(v|1) = (p/q)^{L - 2l},  l bits of v being set,    R = P(S|D_m)/P(S|D).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial, prod

from dpcalc.claims.enumeration import FLIPS, Counts, Vector, chance, counted, law, vectors
from dpcalc.privacy.collections.ratios import label

__all__ = [
    "EVERY_OUTCOME",
    "EVERY_VECTOR",
    "SIZES",
    "SIZES_SHOWN",
    "Outcome",
    "listed",
    "of_ones",
    "one_zero",
    "orders",
    "pairs",
]

#: The sizes (n, L) whose outcomes are all tried.
SIZES = ((1, 1), (2, 1), (4, 1), (1, 2), (2, 2), (3, 2), (2, 3))

#: The same in words, and with every flip probability.
SIZES_SHOWN = "seven sizes up to (n, L) = (4, 1), (3, 2) and (2, 3)"
EVERY_OUTCOME = f"{SIZES_SHOWN}, q = 1/4 and 2/5, every outcome"

#: The range of a statement about single vectors, in words.
EVERY_VECTOR = "L <= 6, every vector, q = 1/4 and 2/5"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The reports of a collection.

    Attributes:
        q: the flip probability.
        records: D, the record that changes being the first.
        reports: S as a list.
    """

    q: Fraction
    records: tuple[Vector, ...]
    reports: tuple[Vector, ...]

    def __str__(self) -> str:
        records, reports = (" ".join(map(label, side)) for side in (self.records, self.reports))
        return f"q = {self.q}, records {records}, reports {reports}"

    # --- the collections ------------------------------------------------------------------------------------

    @property
    def n(self) -> int:
        """The number of records."""
        return len(self.records)

    @property
    def bits(self) -> int:
        """L."""
        return len(self.records[0])

    @property
    def zero(self) -> Vector:
        """The zero vector 0...0."""
        return (0,) * self.bits

    @property
    def one(self) -> Vector:
        """The document's unit vector 1...1."""
        return (1,) * self.bits

    @property
    def changed(self) -> tuple[Vector, ...]:
        """D_m."""
        return (self.zero, *self.records[1:])

    # --- the reports ----------------------------------------------------------------------------------------

    @property
    def counts(self) -> Counts:
        """The counts s_i of the vectors v_i."""
        return counted(self.reports, self.bits)

    @property
    def set_bits(self) -> tuple[int, ...]:
        """How many bits are set in each report."""
        return tuple(map(sum, self.reports))

    @property
    def different(self) -> bool:
        """Whether no two reports are equal."""
        return max(self.counts) == 1

    def less(self, i: int) -> Counts:
        """The counts with one v_i less."""
        return tuple(s - (j == i) for j, s in enumerate(self.counts))

    # --- probabilities --------------------------------------------------------------------------------------

    @property
    def odds(self) -> Fraction:
        """The odds p/q."""
        return (1 - self.q) / self.q

    @property
    def before(self) -> Fraction:
        """P(S|D)."""
        return law(self.records, self.q, self.bits)[self.counts]

    @property
    def after(self) -> Fraction:
        """P(S|D_m)."""
        return law(self.changed, self.q, self.bits)[self.counts]

    @property
    def ratio(self) -> Fraction:
        """R."""
        return self.after / self.before

    def given(self, v: Vector, y: Vector) -> Fraction:
        """p(v|y)."""
        return chance(y, v, self.q)

    def likelihood(self, v: Vector) -> Fraction:
        """w(v), by its definition."""
        return self.given(v, self.zero) / self.given(v, self.one)

    def power(self, ones: int) -> Fraction:
        """(p/q)^{L - 2 ones}."""
        power: Fraction = self.odds ** (self.bits - 2 * ones)
        return power

    def without(self, i: int) -> Fraction:
        """P(..., s_i - 1, ...|D'), D' being the records that do not change; 0 for a count of -1."""
        return law(self.records[1:], self.q, self.bits).get(self.less(i), Fraction(0))

    def powers(self, counts: Counts) -> Fraction:
        """prod_i p(v_i|1)^{s_i} for the given counts."""
        own = (self.given(v, self.one) ** s for s, v in zip(counts, vectors(self.bits), strict=True))
        return prod(own, start=Fraction(1))

    def product(self, *, leaving: int | None = None) -> Fraction:
        """prod_j p^{s_j} q^{L - s_j}, s_j bits being set in the j-th report; without the one at ``leaving``."""
        kept = [ones for j, ones in enumerate(self.set_bits) if j != leaving]
        return prod(((1 - self.q) ** ones * self.q ** (self.bits - ones) for ones in kept), start=Fraction(1))


def orders(counts: Counts, trials: int | None = None) -> Fraction:
    """N!/(s_1! s_2! ...), N being the sum of the counts unless ``trials`` is given."""
    top = sum(counts) if trials is None else trials
    return Fraction(factorial(top), prod(map(factorial, counts)))


def of_ones(sizes: Sequence[tuple[int, int]] = SIZES, flips: Sequence[Fraction] = FLIPS) -> Iterator[Outcome]:
    """Every outcome of n records 1, for every size (n, L)."""
    for q, (n, bits) in product(flips, sizes):
        for reports in combinations_with_replacement(vectors(bits), n):
            yield Outcome(q, ((1,) * bits,) * n, reports)


def pairs(*, every: bool = False) -> Iterator[Outcome]:
    """Two reports of two records z and x, every x: z = 1, or with ``every`` any z other than 0."""
    for q, bits in product(FLIPS, (1, 2)):
        changing = vectors(bits)[1:] if every else [(1,) * bits]
        for z, x, first, second in product(changing, *[vectors(bits)] * 3):
            yield Outcome(q, (z, x), (first, second))


def listed(*, every: bool = False) -> Iterator[Outcome]:
    """The reports of x and n - 1 records 1: x = 1, or with ``every`` any x other than 0, 1 first."""
    for q, n, bits in product(FLIPS, (1, 2, 3), (1, 2)):
        changing = reversed(vectors(bits)[1:]) if every else [(1,) * bits]
        for x, reports in product(changing, combinations_with_replacement(vectors(bits), n)):
            yield Outcome(q, (x, *((1,) * bits,) * (n - 1)), reports)


def one_zero(*, zeros: bool) -> Iterator[Outcome]:
    """One report 0 and n - 1 reports s of n records 1, for every s; s = 0 only with ``zeros``."""
    for q, n, bits in product(FLIPS, (2, 3, 4), (1, 2, 3)):
        for s in vectors(bits)[0 if zeros else 1 :]:
            if n * bits <= 9:
                yield Outcome(q, ((1,) * bits,) * n, ((0,) * bits, *(s,) * (n - 1)))
