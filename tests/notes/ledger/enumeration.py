r"""Randomized collections by going through every flip: the road that shares no code with the library.

A report y of the record x has the probability prod_b (p if y_b = x_b else q), a synthetic collection the product over
its records, and an outcome, how often each vector occurs, the sum over the collections that have these counts. The
vectors are ordered like binary numbers, from 0...0 to 1...1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product, repeat
from math import prod
from typing import TypeAlias, TypeVar

FLIPS = (Fraction(1, 4), Fraction(2, 5))  # the flip probabilities at which formulas are tried
Vector: TypeAlias = tuple[int, ...]  # of bits
Counts: TypeAlias = tuple[int, ...]  # how often each vector occurs
_Outcome = TypeVar("_Outcome")


def vectors(bits: int) -> list[Vector]:
    """Every vector of ``bits`` bits.

    >>> vectors(2)
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """
    return list(product((0, 1), repeat=bits))


def chance(x: Vector, y: Vector, q: Fraction) -> Fraction:
    """P[R(x) = y], bit by bit.

    >>> chance((1, 1), (1, 0), Fraction(1, 4))
    Fraction(3, 16)
    """
    return prod((1 - q if a == b else q for a, b in zip(x, y, strict=True)), start=Fraction(1))


def counted(reports: Sequence[Vector], bits: int) -> Counts:
    """How often each vector of ``bits`` bits occurs among the reports.

    >>> counted([(1, 1), (0, 1), (1, 1)], 2)
    (0, 1, 0, 2)
    """
    return tuple(reports.count(y) for y in vectors(bits))


def added(weighed: Iterable[tuple[_Outcome, Fraction]]) -> dict[_Outcome, Fraction]:
    """The probability of every outcome, the weights of equal ones being added up."""
    found: dict[_Outcome, Fraction] = {}
    for outcome, weight in weighed:
        found[outcome] = found.get(outcome, Fraction(0)) + weight
    return found


@cache
def law(records: tuple[Vector, ...], q: Fraction, bits: int) -> dict[Counts, Fraction]:
    """The probability of every outcome: a sum over the 2^(L n) synthetic collections. No records have one outcome.

    >>> law(((1,), (0,)), Fraction(1, 4), 1)
    {(2, 0): Fraction(3, 16), (1, 1): Fraction(5, 8), (0, 2): Fraction(3, 16)}
    """
    collections = product(vectors(bits), repeat=len(records))
    chances = ((y, prod(map(chance, records, y, repeat(q)), start=Fraction(1))) for y in collections)
    return added((counted(y, bits), own) for y, own in chances)
