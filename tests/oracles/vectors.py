r"""Bit vectors and their pooled reports by going through every flip; shares no code with dpcalc.

A report y of the record x has the probability prod_b (p if y_b = x_b else q), a collection of reports the product over
its records, and an outcome, how often each vector occurs, the sum over the collections that have these counts. The
vectors are ordered like binary numbers, from 0...0 to 1...1.
"""

from fractions import Fraction
from functools import cache
from itertools import product, repeat
from math import prod
from typing import TypeAlias

Vector: TypeAlias = tuple[int, ...]  # of bits
Counts: TypeAlias = tuple[int, ...]  # how often each vector occurs


def vectors(bits):
    """Every vector of so many bits.

    >>> vectors(2)
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """
    return list(product((0, 1), repeat=bits))


def chance(x, y, q):
    """P[R(x) = y], bit by bit.

    >>> chance((1, 1), (1, 0), Fraction(1, 4))
    Fraction(3, 16)
    """
    return prod((1 - q if a == b else q for a, b in zip(x, y, strict=True)), start=Fraction(1))


def counted(reports, bits):
    """How often each vector of so many bits occurs among the reports.

    >>> counted([(1, 1), (0, 1), (1, 1)], 2)
    (0, 1, 0, 2)
    """
    return tuple(reports.count(y) for y in vectors(bits))


def added(weighed):
    """The probability of every outcome, the weights of equal ones being added up."""
    found = {}
    for outcome, weight in weighed:
        found[outcome] = found.get(outcome, Fraction(0)) + weight
    return found


@cache
def law(records, q, bits):
    """The probability of every outcome, report by report. No records have one outcome.

    >>> law(((1,), (0,)), Fraction(1, 4), 1)
    {(2, 0): Fraction(3, 16), (1, 1): Fraction(5, 8), (0, 2): Fraction(3, 16)}
    """
    found = {(0,) * 2**bits: Fraction(1)}
    for x in records:
        found = added(
            ((*s[:i], s[i] + 1, *s[i + 1 :]), weight * chance(x, y, q))
            for s, weight in found.items() for i, y in enumerate(vectors(bits))
        )  # fmt: skip
    return found


def pmf(records, q, k=1):
    """P[A(x) = s] of k reports of each record."""
    return law(tuple(record for record in records for _ in range(k)), q, len(records[0]))


def delta(records, neighbour, q, lam, k=1):
    """The larger of both directions."""
    here, there = pmf(records, q, k), pmf(neighbour, q, k)
    return max(sum(max(Fraction(0), a[s] - lam * b[s]) for s in a) for a, b in ((here, there), (there, here)))


def by_bit_count(outcome, bits):
    found = [0] * (bits + 1)
    for vector, count in zip(vectors(bits), outcome, strict=True):
        found[sum(vector)] += count
    return tuple(found)


def present(vector, records, q):
    """P[vector in R(T)], summed over every choice of reports."""
    reports = product(vectors(len(vector)), repeat=len(records))
    return sum((prod(map(chance, records, y, repeat(q))) for y in reports if vector in y), Fraction(0))


def ratios(n, bits, k, q):
    """The ratio of every outcome, by listing all flips of n records 1...1 and of the same with one 0...0."""
    ones, zeros = (1,) * bits, (0,) * bits
    here, there = (pmf([first] + [ones] * (n - 1), q, k) for first in (ones, zeros))
    return {outcome: (there[outcome] / here[outcome], here[outcome]) for outcome in here}
