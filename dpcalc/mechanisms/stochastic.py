r"""Row-stochastic matrices of rationals: a random outcome s for every input x.

The probability simplex over c outcomes is {v in R^c : v_s >= 0, sum_s v_s = 1}; a matrix is stochastic when every row
lies in it. A deterministic map f is the stochastic matrix with a 1 at (x, f(x)).

Source: DW, "Probability Simplex" and "Randomized Algorithm".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from heapq import heapify, heappop, heapreplace
from math import gcd, lcm
from typing import Any

from dpcalc.errors import DomainError
from dpcalc.numbers.lists import as_list
from dpcalc.numbers.rational import Number, rational

#: One tuple per input, one rational per outcome.
Matrix = tuple[tuple[Fraction, ...], ...]


def in_simplex(vector: Iterable[Number]) -> bool:
    """Whether the entries, which are numbers, are non-negative and sum to exactly 1.

    >>> in_simplex(["1/3", "1/3", "1/3"]), in_simplex([0.3, 0.3, 0.3]), in_simplex([2, -1])
    (True, False, False)
    """
    (weights,), scale = integers((tuple(rational(entry, "entry") for entry in vector),))
    return sum(weights) == scale and min(weights) >= 0


def stochastic(matrix: Iterable[Iterable[Number]], name: str = "matrix") -> Matrix:
    """The matrix with its entries as rationals.

    Raises:
        DomainError: not a rectangle of numbers, or a row outside the probability simplex.

    >>> stochastic([[0.1, 0.9], ["1/3", "2/3"]])
    ((Fraction(1, 10), Fraction(9, 10)), (Fraction(1, 3), Fraction(2, 3)))
    >>> stochastic([[1, 0], [0.3, 0.6]])
    Traceback (most recent call last):
    ...
    dpcalc.errors.DomainError: matrix[1] = [0.3, 0.6] is not allowed: give entries >= 0 that sum to exactly 1, not 9/10
    """
    given = [_listed(row, f"{name}[{x}]") for x, row in enumerate(_listed(matrix, name))]
    if not given:
        raise DomainError(name, given, "one or more rows")
    rows = []
    for x, entries in enumerate(given):
        if len(entries) != len(given[0]):
            raise DomainError(f"{name}[{x}]", entries, f"{len(given[0])} entries, as many as in row 0")
        row = tuple(rational(entry, f"{name}[{x}][{s}]") for s, entry in enumerate(entries))
        if not in_simplex(row):
            raise DomainError(f"{name}[{x}]", entries, f"entries >= 0 that sum to exactly 1, not {sum(row)}")
        rows.append(row)
    return tuple(rows)


def _listed(values: Any, name: str) -> list[Any]:
    return as_list(values, name, "a sequence of rows, each a sequence of probabilities")


def integers(matrix: Matrix) -> tuple[list[list[int]], int]:
    """The entries as integers over one common denominator, and that denominator.

    >>> integers(((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 3), Fraction(2, 3))))
    ([[3, 3], [2, 4]], 6)
    """
    entries = {id(entry): entry for row in matrix for entry in row}  # few, however many places hold them
    scale = lcm(*(entry.denominator for entry in entries.values()))
    whole = {place: entry.numerator * (scale // entry.denominator) for place, entry in entries.items()}
    return [[whole[id(entry)] for entry in row] for row in matrix], scale


def chained(first: Matrix, then: Matrix) -> Matrix:
    r"""The matrix product, P[t | x] = sum_s first[x][s] then[s][t]: ``then`` has a row for each outcome of ``first``.

    >>> half = Fraction(1, 2)
    >>> chained(((0, 1), (1, 0)), ((half, half), (Fraction(1), Fraction(0))))
    ((Fraction(1, 1), Fraction(0, 1)), (Fraction(1, 2), Fraction(1, 2)))
    """
    if len(then) != len(first[0]):
        raise DomainError("number of rows", len(then), f"{len(first[0])}, one for each outcome before")
    columns = tuple(zip(*then, strict=True))
    return tuple(
        tuple(sum((a * b for a, b in zip(row, column, strict=True) if a), Fraction(0)) for column in columns)
        for row in first
    )


def merged(matrix: Matrix) -> Matrix:
    """The matrix with outcomes that tell alike, whose columns are in proportion, made one; none that never occurs.

    >>> half, quarter = Fraction(1, 2), Fraction(1, 4)
    >>> merged(((half, quarter, quarter, Fraction(0)), (quarter, half, quarter, Fraction(0))))
    ((Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)))
    """
    rows, scale = integers(matrix)
    alike: Counter[tuple[int, ...]] = Counter()
    for column in zip(*rows, strict=True):
        if shared := gcd(*column):
            alike[tuple(entry // shared for entry in column)] += shared
    columns = [[entry * shared for entry in shape] for shape, shared in alike.items()]
    written = {entry: Fraction(entry, scale) for entry in set().union(*columns)}
    return tuple(zip(*([written[entry] for entry in column] for column in columns), strict=True))


def exchangeable(matrix: Matrix) -> tuple[int, ...]:
    """For every input the first with which it can be exchanged: the columns are then the same ones in some order.

    Inputs with the same first form a class. What is said of several inputs, whatever its outcomes are called, stays
    true when the inputs of a class are permuted.

    >>> half, quarter = Fraction(1, 2), Fraction(1, 4)
    >>> exchangeable(((half, quarter, quarter), (quarter, half, quarter), (Fraction(0), Fraction(0), Fraction(1))))
    (0, 0, 2)
    """
    columns = Counter(zip(*integers(matrix)[0], strict=True))
    firsts: list[int] = []
    found = []
    for x in range(len(matrix)):
        first = next((y for y in firsts if _exchanges(columns, x, y)), x)
        firsts += [x] if first == x else []
        found.append(first)
    return tuple(found)


def _exchanges(columns: Counter[tuple[int, ...]], x: int, y: int) -> bool:
    """Whether as many columns have u at x and v at y as have v at x and u at y, the rest being the same."""
    for column, times in columns.items():
        if column[x] != column[y]:
            other = list(column)
            other[x], other[y] = column[y], column[x]
            if columns[tuple(other)] != times:
                return False
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedMap:
    """A deterministic map and its weight in a convex combination.

    Attributes:
        weight: a positive rational.
        outcomes: the outcome of each input.
    """

    weight: Fraction
    outcomes: tuple[int, ...]


def deterministic_parts(matrix: Matrix) -> tuple[WeightedMap, ...]:
    r"""Deterministic maps whose convex combination is exactly ``matrix``, r rows and c columns.

    There are at most r (c - 1) + 1 of them. In every row the largest entry left is chosen, and the smallest of the
    chosen is subtracted from all: the rows keep equal sums, at least one entry vanishes, and in the last step r do.

    Source: DW, "Post Processing does not affect the privacy".

    >>> quarter = Fraction(1, 4)
    >>> for part in deterministic_parts(((3 * quarter, quarter), (quarter, 3 * quarter))):
    ...     print(part.weight, part.outcomes)
    3/4 (0, 1)
    1/4 (1, 0)
    """
    weights, scale = integers(matrix)
    left = [[(-weight, s) for s, weight in enumerate(row) if weight] for row in weights]
    for heap in left:
        heapify(heap)  # the largest entry on top, as the smallest negative
    parts = []
    while left[0]:
        weight = min(-heap[0][0] for heap in left)
        parts.append(WeightedMap(weight=Fraction(weight, scale), outcomes=tuple(heap[0][1] for heap in left)))
        for heap in left:
            entry, s = heap[0]
            if entry + weight:
                heapreplace(heap, (entry + weight, s))
            else:
                heappop(heap)
    return tuple(parts)
