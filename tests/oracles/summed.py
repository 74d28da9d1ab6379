"""Mechanisms that add up what each record sends, independently: all pairs of neighbouring datasets, in fractions."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, pairwise, product
from typing import Any, NamedTuple

import numpy as np


def coins(p, k=1):
    """The number of ones among k reports that are 1 with probability p."""
    found = {(0,): Fraction(1)}
    for _ in range(k):
        found = plus(found, {(0,): 1 - p, (1,): p})
    return found


def beside(*laws):
    """Independent numbers side by side."""
    found = {(): Fraction(1)}
    for law in laws:
        found = {(*x, *y): mass * more for x, mass in found.items() for y, more in law.items()}
    return found


def mixed(share, one, other):
    """One law with this probability, else the other."""
    return {x: share * one.get(x, 0) + (1 - share) * other.get(x, 0) for x in {**one, **other}}


def plus(one, other):
    """The law of the sum of two independent vectors."""
    total = Counter()
    for x, mass in one.items():
        for y, more in other.items():
            total[tuple(a + b for a, b in zip(x, y, strict=True))] += mass * more
    return dict(total)


class Neighbours(NamedTuple):
    """Two neighbouring datasets: the changed record's group, what all others hold, group by group, and its values."""

    group: int
    others: tuple[tuple[Any, ...], ...]
    before: Any
    after: Any


def datasets(groups, changes=None, start=None):
    """The outcomes (P, Q) of every pair of neighbouring datasets, in both directions.

    Args:
        groups: for each group how many records it has, and the law of what a record sends, by its value. What is sent
            in place of a record that is taken away has the value None.
        changes: pairs of values that a record may have in two neighbours; default: any two.
        start: the law of what is added besides.
    """
    found = {}
    for changed, (_, sent) in enumerate(groups):
        ways = changes or list(combinations(sent, 2))
        others = [
            combinations_with_replacement([x for x in law if x is not None], n - (i == changed))
            for i, (n, law) in enumerate(groups)
        ]
        for dataset in product(*others):
            pool = start
            for (_, law), values in zip(groups, dataset, strict=True):
                for value in values:
                    pool = law[value] if pool is None else plus(pool, law[value])
            laws = {x: sent[x] if pool is None else plus(pool, sent[x]) for x in {x for way in ways for x in way}}
            for a, b in ways:
                found[Neighbours(changed, dataset, a, b)] = outcomes(laws[a], laws[b])
                found[Neighbours(changed, dataset, b, a)] = outcomes(laws[b], laws[a])
    return found


def outcomes(one, other):
    """Their masses (P, Q); outcomes of one ratio are one outcome."""
    together = {}
    for x in {**one, **other}:
        p, q = Fraction(one.get(x, 0)), Fraction(other.get(x, 0))
        if p or q:
            ratio = p / q if q else None
            before = together.get(ratio, (0, 0))
            together[ratio] = before[0] + p, before[1] + q
    return tuple(sorted(together.values()))


def delta(pairs, lam):
    """The largest sum of [P - lambda Q]_+."""
    return max(sum((p - lam * q for p, q in one if p > lam * q), Fraction(0)) for one in pairs)


def twice(pairs, lam):
    """delta of two rounds, the datasets of the second chosen by what the first one showed; in doubles."""
    found = []
    for one in pairs:
        first = np.array([(float(p), float(lam * q / p)) for p, q in one if p])
        second = np.zeros(len(first))
        for other in pairs:
            p, q = np.array(other, dtype=float).T
            second = np.maximum(second, np.maximum(0, p - first[:, 1:] * q).sum(axis=1))
        found.append(float(first[:, 0] @ second))
    return max(found)


def false_negative(pairs, alpha):
    """The least rate of false negatives for one of false positives: on the lower convex hull of all pairs' tests."""
    tests = set()
    for one in pairs:
        false, missed = Fraction(0), Fraction(1)
        tests.add((false, missed))
        for p, q in sorted(one, key=lambda seen: (not seen[1], seen[0] / seen[1] if seen[1] else 0), reverse=True):
            false, missed = false + q, missed - p
            tests.add((false, missed))
    hull = []
    for test in sorted(tests):
        while len(hull) > 1 and turn(*hull[-2:], test) <= 0:
            hull.pop()
        hull.append(test)
    return next(b + (d - b) * (alpha - a) / (c - a) for (a, b), (c, d) in pairwise(hull) if a <= alpha <= c and a < c)


def turn(one, other, last):
    """Whether three points turn to the left (above 0), or to the right."""
    (a, b), (c, d), (e, f) = one, other, last
    return (c - a) * (f - b) - (d - b) * (e - a)
