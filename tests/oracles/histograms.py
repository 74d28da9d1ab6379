"""The law of a histogram by listing where every report falls. Shares no code."""

from collections import defaultdict
from fractions import Fraction
from itertools import product


def law(reports):
    """P[s] of the histogram of reports with these chances of the classes."""
    found = defaultdict(Fraction)
    for places in product(range(len(reports[0])), repeat=len(reports)):
        weight = Fraction(1)
        for chances, place in zip(reports, places, strict=True):
            weight *= chances[place]
        found[tuple(places.count(place) for place in range(len(reports[0])))] += weight
    return dict(found)


def neighbours(total, changed, chances, others):
    """(P[s], P'[s]) of every histogram s: under P' the first ``changed`` of the reports have the other chances."""
    same, mixed = law([chances] * total), law([others] * changed + [chances] * (total - changed))
    return [(same[s], mixed[s]) for s in same]


def excesses(pairs, lam):
    return sum(max(0, b - lam * a) for a, b in pairs), sum(max(0, a - lam * b) for a, b in pairs)


def exceedances(pairs, lam):
    """P and P' of P' > lam P, and of P > lam P'."""
    above = [(a, b) for a, b in pairs if b > lam * a]
    below = [(a, b) for a, b in pairs if a > lam * b]
    return tuple(sum((pair[law] for pair in side), Fraction(0)) for side in (above, below) for law in (0, 1))
