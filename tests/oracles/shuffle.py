"""Shuffled randomizers by listing every report of everybody. Shares no code with dpcalc."""

from fractions import Fraction
from itertools import product
from math import comb

from tests.oracles.histograms import law
from tests.oracles.hockey_stick import excess


def deltas(matrix, n, lam, pairs=None):
    """{(others, a, b): delta} for every dataset: the others' inputs, and the change, likelier under a."""
    inputs = range(len(matrix))
    changes = pairs or [(a, b) for a in inputs for b in inputs if a != b]
    found = {}
    for others in product(inputs, repeat=n - 1):
        laws = [law([matrix[x]] + [matrix[y] for y in others]) for x in inputs]
        for a, b in changes:
            found[others, a, b] = excess(laws[a], laws[b], lam)
    return found


def revealed(matrix, n, lam, a, b):
    """delta where everybody learns which others told their blanket part, and what the rest of them said.

    m others of the blanket's law, m ~ Bin(n - 1, gamma), hide the changed report.
    """
    least = [min(column) for column in zip(*matrix, strict=True)]
    gamma, total = sum(least), Fraction(0)
    for m in range(n):
        crowd = [[x / gamma for x in least]] * m if gamma else []
        chance = comb(n - 1, m) * gamma**m * (1 - gamma) ** (n - 1 - m)
        if chance:
            total += chance * excess(law([matrix[a], *crowd]), law([matrix[b], *crowd]), lam)
    return total
