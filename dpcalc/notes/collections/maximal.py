r"""Maximal collections: which pairs of neighbours an outcome, or an event, gives away most.

KTEX asks for which collections x and x' that differ in one row pi(s) = P[A(x') = s] / P[A(x) = s] is largest. Here the
question is answered by going through all of them. For the n - 1 records y that both share and a further record c put

    N_c(s) = P[A(y + c) = s];     then pi(s) = N_{c'}(s) / N_c(s), at most max_c N_c(s) / min_c N_c(s).

The order of the records does not matter, and permuting or flipping bit positions permutes the vectors without changing
a probability. So one y from every class under these symmetries is enough: they are listed as sorted tuples of cells,
the least of their class, and a prefix of such a tuple is again the least of its class (a smaller image of the prefix
would give a smaller image of the whole), so that they, and the weights of their reports, grow one record at a time.

A pair is called homogeneous if the collection x holds n copies of one vector, K16's dataset. For L = 1 such a pair
attains the maximum at every outcome (K16, Theorem 4.1). For L >= 2 it mostly does, but not always: at n = L = 3,
q = 2/5 and the outcome {000, 011, 101}, changing 110 to 000 beside two records 111 gives the largest ratio, 113/68.

Source: KTEX, section 3 (open there); K16, Theorem 4.1 for L = 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from math import factorial
from typing import TypeAlias

from dpcalc.errors import must_fit
from dpcalc.mechanisms.response import KRandomization
from dpcalc.notes.collections.maxima import MaximalCollections, MaximalOutcome, Pair, WorstPair
from dpcalc.notes.collections.occupancy import Outcome, added, check_outcomes, decoded, vector_count
from dpcalc.notes.collections.records import cells, masses
from dpcalc.numbers.rational import Number, at_least
from dpcalc.pairs.crowd import outcome_count
from dpcalc.pairs.family import Progress

_MAX_STEPS = 30_000_000  # products of weights, comparisons and moves, by their times: some five seconds
_LONG = 2000  # bits of weights from which on they take longer
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
    _check_size(mechanism, compared=limit is not None)
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


def _check_size(mechanism: KRandomization, *, compared: bool) -> None:
    vectors = vector_count(mechanism.bits, instead=_INSTEAD)
    check_outcomes(mechanism.reports, vectors, instead=_INSTEAD)
    symmetries = vectors * factorial(mechanism.bits)

    def classes(records: int) -> int:
        few: int = (mechanism.bits + 1) ** min(max(records - 1, 0), 2)  # few records have more symmetries than most
        return outcome_count(records, vectors) // symmetries + few

    def grown(records: int) -> int:
        """Products for the last of so many records: all outcomes, and those before one, two, ... more reports."""
        reports = records * mechanism.k
        return sum(outcome_count(reports - i, vectors) for i in range(1, mechanism.k + 1)) * vectors

    last, outcomes = classes(mechanism.n - 1), outcome_count(mechanism.reports, vectors)
    listed = 5 * sum(classes(records) * grown(records) for records in range(1, mechanism.n)) // 4
    visited = last * vectors * (grown(mechanism.n) + 4 * outcomes * (2 if compared else 1))
    moved = 20 * outcomes * (2 * mechanism.bits - 1) + symmetries * vectors // 2
    longer = max(1, mechanism.reports * mechanism.bits * mechanism.q.denominator.bit_length() // _LONG)
    size = (listed + visited) * longer + moved
    must_fit("the search for maximal collections", size, _MAX_STEPS, "steps", instead=_INSTEAD)


def _symmetries(bits: int) -> list[_Symmetry]:
    """The 2^L L! permutations and flips of bit positions, as permutations of the cells."""
    return [
        _symmetry(order, flips) for order in map(_reordered, permutations(range(bits))) for flips in range(1 << bits)
    ]


def _reordered(order: Sequence[int]) -> _Symmetry:
    """Where the cells go if bit ``order[i]`` of every vector becomes bit i."""
    vectors = cells(len(order))
    place = {vector: j for j, vector in enumerate(vectors)}
    return tuple(place[tuple(vector[i] for i in order)] for vector in vectors)


def _symmetry(order: _Symmetry, flips: int) -> _Symmetry:
    """Bits flipped, then reordered: the cells are numbered by their bits."""
    return tuple(order[cell ^ flips] for cell in range(len(order)))


def _classes(
    mechanism: KRandomization, symmetries: list[_Symmetry]
) -> Iterator[tuple[tuple[int, ...], dict[int, int]]]:
    """One collection of n - 1 records (as sorted cells) from every class, with the weights of its outcomes."""
    most, size = mechanism.reports, mechanism.n - 1
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
                    more = added(more, reports[cell], most=most)
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
            weights = added(weights, self._reports[cell], most=self._mechanism.reports)
        return weights

    def _rank(self, encoded: int, values: list[int], others: tuple[int, ...]) -> None:
        """Compare the largest ratio at one outcome with the best of the outcome's class."""
        if encoded not in self._outcomes:
            self._outcomes[encoded] = decoded(encoded, len(self._vectors), most=self._mechanism.reports)
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
        held = [cell for cell, count in enumerate(kind) if count]
        kept = [g for g in self.symmetries if all(kind[g[cell]] == kind[cell] for cell in held)]
        return self._distinct({_image(self._orbits.to_first(outcome), hit) for outcome, hit in hits}, kept)

    def _worst_pair(self) -> WorstPair | None:
        if self._lam is None:
            return None
        m = self._mechanism
        scale = self._lam.denominator * m.q.denominator ** (m.bits * m.reports)
        pairs = self._distinct(set(self._worst), self.symmetries)
        return WorstPair(lam=self._lam, delta=Fraction(self._delta, scale), pairs=pairs)

    def _distinct(self, hits: set[_Hit], symmetries: list[_Symmetry]) -> tuple[Pair, ...]:
        """One pair, the least, for all that the symmetries join; cells are numbered as their vectors are ordered."""
        found = []
        while hits:
            joined = {_image(g, next(iter(hits))) for g in symmetries}
            found.append(min(joined))
            hits = hits - joined
        vectors = self._vectors
        return tuple(
            Pair(vectors[c], vectors[other], tuple(vectors[x] for x in rest)) for c, other, rest in sorted(found)
        )


def _image(g: _Symmetry, hit: _Hit) -> _Hit:
    record, changed, others = hit
    return g[record], g[changed], tuple(sorted(g[other] for other in others))


class _Orbits:
    """The classes of outcomes under the symmetries, found from those that generate them."""

    def __init__(self, bits: int) -> None:
        straight = _reordered(range(bits))
        swaps = [_reordered((*range(i), i + 1, i, *range(i + 2, bits))) for i in range(bits - 1)]
        self._generators = [*swaps, *(_symmetry(straight, 1 << i) for i in range(bits))]
        self._identity = straight
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
