"""Closeness by its definition: dense fractions, mpmath for logarithms, and every subset tried."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import mpmath


def shares(counts):
    total = sum(counts)
    return [Fraction(count) / total for count in counts]


def total_variation(p, q):
    return sum(abs(a - b) for a, b in zip(shares(p), shares(q), strict=True)) / 2


def squared_l2(p, q):
    return sum((a - b) ** 2 for a, b in zip(shares(p), shares(q), strict=True))


def ordered_emd(p, q):
    """The cheapest transport between equally spaced values, moving mass greedily from the left."""
    p, q, work, i, j = shares(p), shares(q), Fraction(0), 0, 0
    while i < len(p) and j < len(q):
        moved = min(p[i], q[j])
        work += moved * abs(i - j)
        p[i] -= moved
        q[j] -= moved
        if p[i] == 0:
            i += 1
        else:
            j += 1
    return work / (len(p) - 1) if len(p) > 1 else Fraction(0)


def kl(p, q):
    """The divergence as a 60-digit mpf; infinite where it is."""
    with mpmath.workdps(60):
        total = mpmath.mpf(0)
        for a, b in zip(shares(p), shares(q), strict=True):
            if a and not b:
                return mpmath.inf
            if a:
                ratio = a / b
                log = mpmath.log(mpmath.mpf(ratio.numerator) / ratio.denominator)
                total += mpmath.mpf(a.numerator) / a.denominator * log
        return total


def close(p, q, epsilon, distance):
    """D(p, q) <= epsilon."""
    if distance == "variational":
        return total_variation(p, q) <= epsilon
    if distance == "l1":
        return 2 * total_variation(p, q) <= epsilon
    if distance == "earth-mover":
        return ordered_emd(p, q) <= epsilon
    if distance == "l2":
        return squared_l2(p, q) <= epsilon**2
    if shares(p) == shares(q):
        return True
    with mpmath.workdps(60):
        gap = kl(p, q) - mpmath.mpf(epsilon.numerator) / epsilon.denominator
        if abs(gap) < mpmath.mpf(10) ** -50:
            raise ArithmeticError("too near to call at 60 digits")
        return gap < 0


def subset_exists(classes, n, epsilon, distance):
    """Whether some subset of n rows or more is close to every class: all count vectors are tried."""
    totals = [sum(column) for column in zip(*classes, strict=True)]
    return any(
        sum(counts) >= n and all(close(p, counts, epsilon, distance) for p in classes)
        for counts in product(*(range(total + 1) for total in totals))
    )


def t_closeness(rows, quasi, sensitive, numerical):
    """The t of Li et al., row by row: the farthest class from the table, ordered or equal distance."""
    values = sorted({row[sensitive] for row in rows})
    whole = Counter(row[sensitive] for row in rows)
    farthest = Fraction(0)
    for key in {tuple(row[column] for column in quasi) for row in rows}:
        members = [row for row in rows if tuple(row[column] for column in quasi) == key]
        part = Counter(row[sensitive] for row in members)
        p, q = [part[value] for value in values], [whole[value] for value in values]
        farthest = max(farthest, ordered_emd(p, q) if numerical else total_variation(p, q))
    return farthest
