"""Privacy by listing every event, and the distribution of a mechanism by listing every run. Shares no code."""

from fractions import Fraction
from itertools import chain, combinations


def events(count):
    """Every set of outcomes 0, ..., count - 1, from the empty one to all.

    >>> events(2)
    [(), (0,), (1,), (0, 1)]
    """
    return list(chain.from_iterable(combinations(range(count), size) for size in range(count + 1)))


def probabilities(matrix, x, y):
    """(P[M(x) in S], P[M(y) in S]) for every event S."""
    for event in events(len(matrix[0])):
        yield sum((matrix[x][s] for s in event), Fraction(0)), sum((matrix[y][s] for s in event), Fraction(0))


def both_orders(pairs):
    return [(x, y) for x, y in pairs] + [(y, x) for x, y in pairs]


def delta(matrix, pairs, lam):
    """The largest P[M(x) in S] - lam P[M(y) in S]."""
    return max((a - lam * b for x, y in both_orders(pairs) for a, b in probabilities(matrix, x, y)), default=0)


def least_lam(matrix, pairs, target):
    """The least lam >= 1 with P[M(x) in S] <= lam P[M(y) in S] + target for every event; None if there is none."""
    least = Fraction(1)
    for x, y in both_orders(pairs):
        for a, b in probabilities(matrix, x, y):
            if a > target and not b:
                return None
            if b:
                least = max(least, (a - target) / b)
    return least


def within(pairs, count, steps):
    """The pairs x < y that a walk of at most ``steps`` neighbours joins, by listing every walk."""
    walks = {(x,) for x in range(count)}
    for _ in range(steps):
        walks |= {(*walk, y) for walk in walks for x, y in both_orders(pairs) if walk[-1] == x}
    return sorted({(walk[0], walk[-1]) for walk in walks if walk[0] < walk[-1]})
