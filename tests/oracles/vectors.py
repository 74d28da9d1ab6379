"""Bit-vector queries by listing every flip of every report; shares no code."""

from collections import defaultdict
from fractions import Fraction
from itertools import product


def vectors(bits):
    return list(product((0, 1), repeat=bits))


def chance(x, y, q):
    result = Fraction(1)
    for a, b in zip(x, y, strict=True):
        result *= q if a != b else 1 - q
    return result


def pmf(records, q, k=1):
    """P[A(x) = s], summed over every pattern of flips; the cells in the order of ``vectors``."""
    bits = len(records[0])
    flat = [bit for record in records for _ in range(k) for bit in record]
    found = defaultdict(Fraction)
    for flips in product((0, 1), repeat=len(flat)):
        reported = [bit ^ flip for bit, flip in zip(flat, flips, strict=True)]
        reports = [tuple(reported[i : i + bits]) for i in range(0, len(flat), bits)]
        outcome = tuple(reports.count(vector) for vector in vectors(bits))
        found[outcome] += q ** sum(flips) * (1 - q) ** (len(flips) - sum(flips))
    return dict(found)


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
    total = Fraction(0)
    for reports in product(vectors(len(vector)), repeat=len(records)):
        if vector in reports:
            weight = Fraction(1)
            for record, report in zip(records, reports, strict=True):
                weight *= chance(record, report, q)
            total += weight
    return total


def ratios(n, bits, k, q):
    """The ratio of every outcome, by listing all flips of n records 1...1 and of the same with one 0...0."""
    ones, zeros = (1,) * bits, (0,) * bits
    here, there = (pmf([first] + [ones] * (n - 1), q, k) for first in (ones, zeros))
    return {outcome: (there[outcome] / here[outcome], here[outcome]) for outcome in here}
