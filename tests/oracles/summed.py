"""Mechanisms that add up what each record sends, independently: all pairs of neighbouring datasets, in fractions."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise, product
from math import lcm, prod
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
    groups = [(n, *in_whole_numbers(sent)) for n, sent in groups]
    nothing, whole = in_whole_numbers({None: start or {(0,) * len(some_outcome(groups)): Fraction(1)}})
    whole *= prod(unit**n for n, _, unit in groups)

    @cache
    def pool(*held):
        """Of these records, each a group and a value."""
        return plus(pool(*held[1:]), groups[held[0][0]][1][held[0][1]]) if held else nothing[None]

    found = {}
    for changed, (_, sent, _) in enumerate(groups):
        ways = changes or list(combinations(sent, 2))
        others = [
            combinations_with_replacement([x for x in law if x is not None], n - (i == changed))
            for i, (n, law, _) in enumerate(groups)
        ]
        for dataset in product(*others):
            held = pool(*((g, x) for g, values in enumerate(dataset) for x in values))
            laws = {x: plus(held, sent[x]) for x in {x for way in ways for x in way}}
            for way in ways:
                for a, b in (way, way[::-1]):
                    found[Neighbours(changed, dataset, a, b)] = outcomes(laws[a], laws[b], whole)
    return found


def in_whole_numbers(laws):
    """Laws over one denominator, and that."""
    unit = lcm(*(mass.denominator for law in laws.values() for mass in law.values()))
    return {x: {s: int(mass * unit) for s, mass in law.items()} for x, law in laws.items()}, unit


def some_outcome(groups):
    return next(iter(next(iter(groups[0][1].values()))))


def outcomes(one, other, whole=1):
    """Their masses (P, Q), given in units of 1/whole; outcomes of one ratio are one outcome."""
    together = {}
    for x in {**one, **other}:
        p, q = one.get(x, 0), other.get(x, 0)
        if p or q:
            ratio = Fraction(p) / q if q else None
            before = together.get(ratio, (0, 0))
            together[ratio] = before[0] + p, before[1] + q
    return tuple(sorted((Fraction(p) / whole, Fraction(q) / whole) for p, q in together.values()))


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
