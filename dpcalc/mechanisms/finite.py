r"""Differential privacy, by definition, of a mechanism with finitely many datasets and outcomes.

A finite mechanism is a stochastic matrix, M[x][s] = P[M(x) = s] for datasets x = 0, ..., r - 1 and outcomes
s = 0, ..., c - 1. It is (eps, delta)-differentially private, lambda = e^eps >= 1, when

    P[M(x) in S] <= lambda P[M(y) in S] + delta     for every event S and all neighbours x, y, in both orders.

For given x, y and lambda the event S = {s : M[x][s] > lambda M[y][s]} violates this most. So the least delta is

    delta(lambda) = max over neighbours of sum_s max(0, M[x][s] - lambda M[y][s]),

It never rises with lambda, and is piecewise linear with rational pieces: at a rational lambda it is exact, and so is
its inverse. At a rational eps other than 0, lambda is irrational: two rationals enclose it, and their deltas enclose
delta.

Source: DW, "Differential Privacy"; KTEX, (eq:dpdef).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any

from dpcalc.errors import DomainError, NoSolution
from dpcalc.mechanisms.mechanism import Parameter, declared, parameter, unread
from dpcalc.mechanisms.stochastic import (
    Matrix,
    WeightedMap,
    chained,
    deterministic_parts,
    exchangeable,
    integers,
    stochastic,
)
from dpcalc.numbers.elementary import log
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.lists import as_list
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import Number, between, integer, probability
from dpcalc.pairs.listed import refined

#: Pairs (x, y), x < y, of positions in a list of datasets.
Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Event:
    """A set of outcomes, and how likely it is on a dataset and on a neighbour.

    Attributes:
        dataset, neighbour: rows of the matrix.
        outcomes: the event, columns of the matrix.
        probability, neighbour_probability: of the event on either.
    """

    dataset: int
    neighbour: int
    outcomes: tuple[int, ...]
    probability: Fraction
    neighbour_probability: Fraction

    def excess(self, lam: Fraction) -> Fraction:
        """P[M(x) in S] - lam P[M(y) in S]: delta must be at least this."""
        return self.probability - lam * self.neighbour_probability


@dataclass(frozen=True, slots=True, kw_only=True)
class Privacy:
    """Whether a mechanism is (eps, delta)-differentially private, and an event that shows when it is not.

    Attributes:
        holds: the verdict.
        witness: None, or an event with P[M(x) in S] > lambda P[M(y) in S] + delta.
    """

    holds: bool
    witness: Event | None = None

    def __bool__(self) -> bool:
        return self.holds


@declared(slots=False, refused="a row outside the probability simplex, or a pair that is not two different rows")
class FiniteMechanism:
    """A mechanism given by its stochastic matrix, and the datasets that count as neighbours.

    >>> coins = FiniteMechanism([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> print(coins.lam(), coins.epsilon(), coins.delta(lam=2))
    3 1.0986122886681096... 1/4
    >>> coins.is_private(lam=2, delta="0.2").witness.outcomes
    (0,)
    >>> FiniteMechanism([[0.5, 0.6]])
    Traceback (most recent call last):
    ...
    dpcalc.errors.DomainError: matrix[0] = [0.5, 0.6] is not allowed: give entries >= 0 that sum to exactly 1, not 11/10
    """

    matrix: Parameter[Matrix, Iterable[Iterable[Number]]] = parameter(
        stochastic, "one row per dataset, one column per outcome"
    )
    neighbours: Parameter[Pairs, Iterable[tuple[int, int]] | None] = parameter(
        unread, "pairs x < y of rows; each counts in both orders. All pairs, unless given", default=None
    )

    def _check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        return {"neighbours": _pairs(given["neighbours"], len(self.matrix))}

    def __hash__(self) -> int:
        return hash((len(self.matrix), self.matrix[0]))  # hashing all entries of a large matrix would take seconds

    # --- what it leaks ------------------------------------------------------------------------------------

    def delta(self, *, lam: Number | None = None, epsilon: Number | None = None, rtol: Number = "1e-20") -> Promise:
        """The least delta; give lam or epsilon. Exact for lam, else of relative width at most ``rtol``.

        Raises:
            DomainError: lam < 1, epsilon < 0, or not exactly one of the two.
            Undecided: delta is too small to tell from 0.
        """
        limit, width = Limit.of(lam=lam, epsilon=epsilon), between(rtol, "rtol", 0, 1)
        return Promise.that(refined(lambda end: self._worst(end).excess(end), limit, width))

    def lam(self, delta: Number = 0) -> Fraction:
        """The least lambda >= 1 that is private with this delta, exactly.

        Raises:
            NoSolution: outcomes with a probability above delta never occur on a neighbour.

        >>> FiniteMechanism([["1/2", "1/2", 0], [0, "1/2", "1/2"]]).lam(delta="1/2")
        Fraction(1, 1)
        """
        target = probability(delta, "delta")
        least, event = self._least(target)
        if least is None:
            raise NoSolution(
                f"delta = {Enclosure.of(target)} is too small for every lambda: outcomes {event.outcomes} have "
                f"probability {Enclosure.of(event.probability)} on dataset {event.dataset} and never occur on its "
                f"neighbour {event.neighbour}"
            )
        return least

    def epsilon(self, delta: Number = 0, *, rtol: Number = "1e-20") -> Promise:
        """The least epsilon, log lam(delta), of relative width at most ``rtol``; exact when it is 0.

        Raises:
            NoSolution: outcomes with a probability above delta never occur on a neighbour.
        """
        return Promise.that(log(self.lam(delta), rtol=between(rtol, "rtol", 0, 1)))

    def is_private(self, *, lam: Number | None = None, epsilon: Number | None = None, delta: Number = 0) -> Privacy:
        """Whether the mechanism is (epsilon, delta)-private, with a violating event when not; give lam or epsilon.

        Raises:
            DomainError: lam < 1, epsilon < 0, not exactly one of the two, or delta not a probability.
        """
        limit = Limit.of(lam=lam, epsilon=epsilon)
        least, event = self._least(probability(delta, "delta"))
        holds = least is not None and limit.allows(least)
        return Privacy(holds=holds, witness=None if holds else event)

    def ordered(self) -> Iterator[tuple[int, int]]:
        """The pairs of neighbours, each in both orders."""
        for x, y in self.neighbours:
            yield x, y
            yield y, x

    @cached_property
    def classes(self) -> tuple[int, ...]:
        """For every dataset the first with which it can be exchanged (``stochastic.exchangeable``)."""
        return exchangeable(self.matrix)

    @cached_property
    def different(self) -> tuple[tuple[int, int], ...]:
        """One pair of ``ordered`` for every two classes: all others are its images when inputs are exchanged."""
        found: dict[tuple[int, int], tuple[int, int]] = {}
        for x, y in self.ordered():
            found.setdefault((self.classes[x], self.classes[y]), (x, y))
        return tuple(found.values())

    def _least(self, target: Fraction) -> tuple[Fraction | None, Event]:
        """The least lambda that is private, None if there is none; and an event that violates all that are smaller.

        Newton's method: an event that violates delta needs at least the next lambda, so that this is never too large.
        Each event raises lambda at most once. Where none does, every event is satisfied.
        """
        least, event = Fraction(1), self._worst(Fraction(1))
        while (worst := self._worst(least)).excess(least) > target:
            event = worst
            if not event.neighbour_probability:
                return None, event
            least = (event.probability - target) / event.neighbour_probability
        return least, event

    def _worst(self, lam: Fraction) -> Event:
        """An event with the largest excess; the empty one if none has any."""
        rows = sorted({x for pair in self.different for x in pair}) or [0]
        weights, _ = integers(tuple(self.matrix[x] for x in rows))
        # In integers: v times a row minus u times its neighbour's, for lambda = u / v.
        here = {x: [lam.denominator * weight for weight in row] for x, row in zip(rows, weights, strict=True)}
        there = {x: [lam.numerator * weight for weight in row] for x, row in zip(rows, weights, strict=True)}
        worst, most = (rows[0], rows[0]), 0
        for x, y in self.different:
            excess = sum(a - b for a, b in zip(here[x], there[y], strict=True) if a > b)
            if excess > most:
                worst, most = (x, y), excess
        x, y = worst
        event = tuple(s for s in range(len(here[x])) if here[x][s] > there[y][s])
        both = (sum((self.matrix[row][s] for s in event), Fraction(0)) for row in worst)
        return Event(x, y, event, *both)

    # --- what is made of it -------------------------------------------------------------------------------

    def after(self, post: Iterable[Iterable[Number]]) -> FiniteMechanism:
        """The mechanism followed by ``post``, a stochastic matrix with one row per outcome; it leaks no more.

        Raises:
            DomainError: not a stochastic matrix, or not one row per outcome.

        Source: DW, "Post Processing does not affect the privacy".

        >>> coins = FiniteMechanism([["3/4", "1/4"], ["1/4", "3/4"]])
        >>> print(coins.after([["3/4", "1/4"], ["1/4", "3/4"]]).lam())
        5/3
        """
        return FiniteMechanism(chained(self.matrix, stochastic(post, "post")), self.neighbours)

    def group(self, size: Number) -> FiniteMechanism:
        """The same mechanism with group privacy: datasets at most ``size`` steps apart are neighbours.

        If the mechanism is (lambda, delta)-private, this one is
        (lambda^size, delta (1 + lambda + ... + lambda^(size-1)))-private. Its own delta is exact, and often smaller.

        Raises:
            DomainError: size < 1.
        """
        steps = integer(size, "size", minimum=1)
        adjacent = {x: {x} for x in range(len(self.matrix))}
        for x, y in self.ordered():
            adjacent[x].add(y)
        reached = {x: {x} for x in adjacent}
        for _ in range(min(steps, len(adjacent))):
            reached = {x: set().union(*(adjacent[z] for z in near)) for x, near in reached.items()}
        return FiniteMechanism(self.matrix, ((x, y) for x, near in reached.items() for y in near if x < y))

    def deterministic_parts(self) -> tuple[WeightedMap, ...]:
        """Deterministic maps from datasets to outcomes whose convex combination is exactly this mechanism."""
        return deterministic_parts(self.matrix)


def _pairs(neighbours: Iterable[tuple[int, int]] | None, rows: int) -> Pairs:
    if neighbours is None:
        return tuple(combinations(range(rows), 2))
    pairs, allowed = set(), "pairs of two different rows"
    for pair in as_list(neighbours, "neighbours", allowed):
        if not isinstance(pair, Sequence) or isinstance(pair, str) or len(pair) != 2 or pair[0] == pair[1]:
            raise DomainError("neighbours", pair, allowed)
        low, high = sorted(integer(row, "neighbours", minimum=0, maximum=rows - 1) for row in pair)
        pairs.add((low, high))
    return tuple(sorted(pairs))
