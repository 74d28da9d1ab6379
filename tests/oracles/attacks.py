"""Every test between two lists of probabilities, and the convex hull of what tests reach: no order is assumed."""

from fractions import Fraction
from itertools import product


def rates(likely, unlikely):
    """(false-positive rate, false-negative rate) of the alarm on every set of outcomes."""
    for alarm in product((0, 1), repeat=len(likely)):
        yield (
            sum((r for r, on in zip(unlikely, alarm, strict=True) if on), Fraction(0)),
            sum((p for p, on in zip(likely, alarm, strict=True) if not on), Fraction(0)),
        )


def least_misses(pairs, alpha):
    """The lower boundary at alpha of the convex hull of the rates of all tests on all pairs.

    Every two points on both sides of alpha are joined.
    """
    points = {point for likely, unlikely in pairs for point in rates(likely, unlikely)}
    best = {}
    for x, y in points:
        best[x] = min(y, best.get(x, y))
    low = [(x, y) for x, y in best.items() if x <= alpha]
    high = [(x, y) for x, y in best.items() if x >= alpha]
    return min((y1 if x1 == x2 else y1 + (y2 - y1) * (alpha - x1) / (x2 - x1)) for x1, y1 in low for x2, y2 in high)


def directions(pairs):
    """Both orders of every pair."""
    return [both for p, r in pairs for both in ((p, r), (r, p))]
