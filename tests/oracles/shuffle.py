"""Shuffled randomizers by listing every report of everybody. Shares no code with dpcalc."""

from fractions import Fraction
from itertools import product
from math import comb

from tests.oracles.histograms import law


def excess(here, there, lam):
    return sum(max(Fraction(0), here[s] - lam * there[s]) for s in here)


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


def variation_ratio(k, n, odds, lam):
    """What Wang et al. (2304.05007) state as an upper bound for k-ary randomized response, evaluated.

    C ~ Bin(n - 1, 2r), A ~ Bin(C, 1/2), D1 ~ Bern(p alpha), D2 ~ Bern(alpha/(1 - p alpha)) if D1 = 0, else 0;
    P = (A + D1, C - A + D2), Q = (A + D2, C - A + D1); p = q = odds, alpha = r = 1/(odds + k - 1).
    """
    alpha = Fraction(1, odds + k - 1)
    first = odds * alpha
    own = {(1, 0): first, (0, 1): alpha, (0, 0): 1 - first - alpha}
    p, q = {}, {}
    for c in range(n):
        for a in range(c + 1):
            weight = comb(n - 1, c) * (2 * alpha) ** c * (1 - 2 * alpha) ** (n - 1 - c) * Fraction(comb(c, a), 2**c)
            for (d1, d2), chance in own.items():
                for found, outcome in ((p, (a + d1, c - a + d2)), (q, (a + d2, c - a + d1))):
                    found[outcome] = found.get(outcome, Fraction(0)) + weight * chance
    return sum(max(Fraction(0), p[s] - lam * q.get(s, Fraction(0))) for s in p)
