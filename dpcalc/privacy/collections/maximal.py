r"""Maximal collections: which pairs of neighbours an outcome, or an event, gives away most.

KTEX asks for which collections x and x' that differ in one row pi(s) = P[A(x') = s] / P[A(x) = s] is largest. Here the
question is answered by going through all of them. For the n - 1 records y that both share and a further record c put

    N_c(s) = P[A(y + c) = s];     then pi(s) = N_{c'}(s) / N_c(s), at most max_c N_c(s) / min_c N_c(s).

The order of the records does not matter, and permuting or flipping bit positions permutes the vectors without changing
a probability. So one y from every class under these symmetries is enough: they are listed as sorted tuples of cells,
the least of their class, and a prefix of such a tuple is again the least of its class (a smaller image of the prefix
would give a smaller image of the whole), so that they, and the weights of their reports, grow one record at a time.

A pair is called homogeneous if the collection x holds n copies of one vector, K16's dataset. For L = 1 such a pair
attains the maximum at every outcome (Theorem 4.1). For L >= 2 it mostly does, but not always: at n = L = 3, q = 2/5
and the outcome {000, 011, 101}, changing 110 to 000 beside two records 111 gives the largest ratio, 113/68.

Source: KTEX, section 3 (open there); K16, Theorem 4.1 for L = 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations
from typing import TypeAlias

from dpcalc.counts.occupancy import Outcome, added, check_outcomes, decoded, outcome_count, vector_count
from dpcalc.errors import TooLarge
from dpcalc.mechanisms.records import Record, cells, masses
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.rational import Number, at_least
from dpcalc.privacy.collections.maxima import MaximalCollections, MaximalOutcome, Pair, WorstPair

__all__ = ["Progress", "maximal_collections"]

#: Called with the share of the collections gone through, from 0 to 1.
Progress: TypeAlias = Callable[[float], None]

_MAX_STEPS = 50_000_000  # classes of collections times outcomes times vectors, about
_INSTEAD = "dpcalc.vector_delta (identical records)"

#: Where every cell goes under a symmetry.
_Symmetry: TypeAlias = tuple[int, ...]

#: The cells of the record, of the changed record and of the others.
_Hit: TypeAlias = tuple[int, int, tuple[int, ...]]


def maximal_collections(
    *, n: Number, bits: Number, q: Number, k: Number = 1, lam: Number | None = None, progress: Progress | None = None
) -> MaximalCollections:
    """The pairs of neighbouring collections with the largest pi, outcome by outcome, and with the largest delta.

    Args:
        n: records.
        bits: L, bits per record.
        q: the flip probability, 0 < q < 1/2.
        k: reports per record.
        lam: the ratio limit lambda > 1 at which delta is maximized; none if it is not given.
        progress: called now and then with the share of the collections gone through.

    Raises:
        DomainError: an argument out of range.
        TooLarge: too many collections or outcomes to go through.

    Source: KTEX, section 3.

    >>> found = maximal_collections(n=2, bits=1, q="1/4", lam="3/2")
    >>> print(found.table())
    counts of 0 1  largest ratio  attained by
    1 1  5/3  0 -> 1 beside 0
    2 0  3  1 -> 0 beside 1 and 1 more
    homogeneous at 2 of 2 outcomes
    delta at lambda = 3/2: 9/32  0 -> 1 beside 1
    """
    mechanism = KRandomization(n=n, q=q, k=k, bits=bits)
    limit = None if lam is None else at_least(lam, "lam", 1, "a ratio limit")
    _check_size(mechanism)
    search = _Search(mechanism, limit)
    share = 0.0
    for others, weights in _classes(mechanism, search.symmetries):
        search.visit(others, weights)
        # the first cells say how far the listing, in lexicographic order, has come
        reached = sum(cell / 2 ** (mechanism.bits * (i + 1)) for i, cell in enumerate(others))
        if progress is not None and reached > share:
            share = reached
            progress(share)
    if progress is not None:
        progress(1.0)
    return search.answer()


def _check_size(mechanism: KRandomization) -> None:
    vectors = vector_count(mechanism.bits, instead=_INSTEAD)
    check_outcomes(mechanism.reports, vectors, instead=_INSTEAD)
    symmetries = vectors
    for i in range(mechanism.bits):
        symmetries *= i + 1
    classes = outcome_count(mechanism.n - 1, vectors) // symmetries + 1
    size = classes * outcome_count(mechanism.reports, vectors) * vectors**2 * mechanism.k
    if size > _MAX_STEPS:
        raise TooLarge(
            "the search for maximal collections", size=size, limit=_MAX_STEPS, unit="steps", instead=_INSTEAD
        )


def _symmetries(bits: int) -> list[_Symmetry]:
    """The 2^L L! permutations and flips of bit positions, as permutations of the cells."""
    return [_symmetry(order, flips) for order in permutations(range(bits)) for flips in cells(bits)]


def _symmetry(order: tuple[int, ...], flips: Record) -> _Symmetry:
    """Bits flipped and put in this order."""
    place = {vector: j for j, vector in enumerate(cells(len(order)))}
    return tuple(place[tuple(vector[i] ^ flips[i] for i in order)] for vector in place)


def _classes(
    mechanism: KRandomization, symmetries: list[_Symmetry]
) -> Iterator[tuple[tuple[int, ...], dict[int, int]]]:
    """One collection of n - 1 records (as sorted cells) from every class, with the weights of its outcomes."""
    base, size = mechanism.reports + 1, mechanism.n - 1
    reports = [masses(vector, mechanism.q) for vector in cells(mechanism.bits)]
    waiting: list[tuple[tuple[int, ...], dict[int, int]]] = [((), {0: 1})]
    while waiting:
        others, weights = waiting.pop()
        if len(others) == size:
            yield others, weights
            continue
        for cell in reversed(range(others[-1] if others else 0, len(reports))):
            grown = (*others, cell)
            if all(tuple(sorted(g[c] for c in grown)) >= grown for g in symmetries):
                more = weights
                for _ in range(mechanism.k):
                    more = added(more, reports[cell], base=base)
                waiting.append((grown, more))


class _Search:
    """The maxima over the collections visited so far."""

    def __init__(self, mechanism: KRandomization, lam: Fraction | None) -> None:
        self.symmetries = _symmetries(mechanism.bits)
        self._mechanism, self._lam = mechanism, lam
        self._vectors = cells(mechanism.bits)
        self._reports = [masses(vector, mechanism.q) for vector in self._vectors]
        self._outcomes: dict[int, Outcome] = {}
        self._orbits = _Orbits(mechanism.bits)
        self._best: dict[Outcome, tuple[int, int]] = {}  # ratios as they are, numerator and denominator
        self._pairs: dict[Outcome, list[tuple[Outcome, _Hit]]] = {}
        self._delta = -1
        self._worst: list[_Hit] = []

    def visit(self, others: tuple[int, ...], weights: dict[int, int]) -> None:
        """Look at every pair of records beside ``others``."""
        columns = [self._with(weights, cell) for cell in range(len(self._vectors))]
        for outcome in columns[0]:
            self._rank(outcome, [column[outcome] for column in columns], others)
        if self._lam is not None:
            self._weigh(columns, others, self._lam)

    def _with(self, weights: dict[int, int], cell: int) -> dict[int, int]:
        for _ in range(self._mechanism.k):
            weights = added(weights, self._reports[cell], base=self._mechanism.reports + 1)
        return weights

    def _rank(self, encoded: int, values: list[int], others: tuple[int, ...]) -> None:
        """Compare the largest ratio at one outcome with the best of the outcome's class."""
        if encoded not in self._outcomes:
            self._outcomes[encoded] = decoded(encoded, len(self._vectors), base=self._mechanism.reports + 1)
        outcome, high, low = self._outcomes[encoded], max(values), min(values)
        kind = self._orbits.first(outcome)
        best = self._best.get(kind, (0, 1))
        gain = high * best[1] - low * best[0]
        if gain < 0:
            return
        if gain > 0:
            self._best[kind], self._pairs[kind] = (high, low), []
        self._pairs[kind] += [
            (outcome, (c, changed, others))
            for c, value in enumerate(values) if value == low
            for changed, other in enumerate(values) if other == high
        ]  # fmt: skip

    def _weigh(self, columns: list[dict[int, int]], others: tuple[int, ...], lam: Fraction) -> None:
        """Compare delta of every pair of records, times the denominators, with the largest."""
        a, b = lam.numerator, lam.denominator
        for c, changed in self._unlike(others):
            here, there = columns[c], columns[changed]
            delta = sum(max(0, b * value - a * here[outcome]) for outcome, value in there.items())
            if delta > self._delta:
                self._delta, self._worst = delta, []
            if delta == self._delta:
                self._worst.append((c, changed, others))

    def _unlike(self, others: tuple[int, ...]) -> Iterator[tuple[int, int]]:
        """Two records that differ, one pair of them for all that symmetries which leave the others as they are join."""
        kept = [g for g in self.symmetries if tuple(sorted(g[c] for c in others)) == others]
        seen: set[tuple[int, int]] = set()
        for c, changed in permutations(range(len(self._vectors)), 2):
            if (c, changed) not in seen:
                seen.update((g[c], g[changed]) for g in kept)
                yield c, changed

    def answer(self) -> MaximalCollections:
        """The maxima, with the pairs in the coordinates of the outcome shown."""
        found = [
            MaximalOutcome(
                outcome=kind,
                ratio=Fraction(*self._best[kind]),
                pairs=self._shown(kind, self._pairs[kind]),
            )
            for kind in sorted(self._best)
        ]
        return MaximalCollections(mechanism=self._mechanism, outcomes=tuple(found), worst=self._worst_pair())

    def _shown(self, kind: Outcome, hits: list[tuple[Outcome, _Hit]]) -> tuple[Pair, ...]:
        """The pairs moved with their outcomes to ``kind``; those that symmetries of it join are one, the least."""
        kept = [g for g in self.symmetries if _moved(kind, g) == kind]
        found = set()
        for outcome, (record, changed, others) in hits:
            g = self._orbits.to_first(outcome)
            found.add((g[record], g[changed], tuple(sorted(g[other] for other in others))))
        return self._distinct(min(self._pair(g, *pair) for g in kept) for pair in found)

    def _worst_pair(self) -> WorstPair | None:
        if self._lam is None:
            return None
        m = self._mechanism
        scale = self._lam.denominator * m.q.denominator ** (m.bits * m.reports)
        pairs = self._distinct(min(self._pair(g, *pair) for g in self.symmetries) for pair in self._worst)
        return WorstPair(lam=self._lam, delta=Fraction(self._delta, scale), pairs=pairs)

    def _pair(self, g: _Symmetry, record: int, changed: int, others: tuple[int, ...]) -> Pair:
        moved = sorted(self._vectors[g[other]] for other in others)
        return Pair(self._vectors[g[record]], self._vectors[g[changed]], tuple(moved))

    @staticmethod
    def _distinct(pairs: Iterator[Pair]) -> tuple[Pair, ...]:
        return tuple(sorted(set(pairs)))


class _Orbits:
    """The classes of outcomes under the symmetries, found from those that generate them."""

    def __init__(self, bits: int) -> None:
        flips = [tuple(int(i == j) for j in range(bits)) for i in range(bits)]
        swaps = [(*range(i), i + 1, i, *range(i + 2, bits)) for i in range(bits - 1)]
        straight, none = tuple(range(bits)), (0,) * bits
        self._generators = [_symmetry(straight, one) for one in flips] + [_symmetry(one, none) for one in swaps]
        self._identity = _symmetry(straight, none)
        self._first: dict[Outcome, Outcome] = {}
        self._from: dict[Outcome, _Symmetry] = {}  # moves the outcome at which a class was entered here

    def first(self, outcome: Outcome) -> Outcome:
        """The largest outcome of the class, which stands for it."""
        if outcome not in self._first:
            reached, self._from[outcome] = [outcome], self._identity
            for one in reached:
                for g in self._generators:
                    if (moved := _moved(one, g)) not in self._from:
                        self._from[moved] = tuple(g[cell] for cell in self._from[one])
                        reached.append(moved)
            self._first.update(dict.fromkeys(reached, max(reached)))
        return self._first[outcome]

    def to_first(self, outcome: Outcome) -> _Symmetry:
        """A symmetry that moves the outcome to the first of its class."""
        there, here = self._from[self.first(outcome)], self._from[outcome]
        back = sorted(range(len(here)), key=here.__getitem__)  # the inverse
        return tuple(there[cell] for cell in back)


def _moved(outcome: Outcome, g: _Symmetry) -> Outcome:
    moved = [0] * len(outcome)
    for cell, count in enumerate(outcome):
        moved[g[cell]] = count
    return tuple(moved)
