"""The outcomes of n equal records of several bits by listing all of them: (s_0, ..., s_L), s_l agree in l bits."""

from fractions import Fraction
from itertools import product
from math import comb, factorial, prod


def outcomes(n, bits):
    for head in product(range(n + 1), repeat=bits):
        if sum(head) <= n:
            yield (*head, n - sum(head))


def chances(q, bits):
    """Of a report to agree in 0, ..., L bits."""
    return [comb(bits, ones) * (1 - q) ** ones * q ** (bits - ones) for ones in range(bits + 1)]


def ratio(outcome, q):
    """P(s | one record changed to its opposite) / P(s | all equal), by the multinomial law."""
    bits, n = len(outcome) - 1, sum(outcome)
    same = chances(q, bits)
    other = same[::-1]

    def law(counts):
        return factorial(sum(counts)) * prod(p**s / factorial(s) for p, s in zip(same, counts, strict=True))

    changed = Fraction(0)
    for place, s in enumerate(outcome):
        if s:
            changed += other[place] * law([t - (i == place) for i, t in enumerate(outcome)])
    assert sum(outcome) == n
    return changed / law(outcome)


def in_box(outcome, q, z):
    n = sum(outcome)
    law = chances(q, len(outcome) - 1)
    return all((s - n * p) ** 2 <= z * z * n * p * (1 - p) for s, p in zip(outcome, law, strict=True))


def in_ball(outcome, q, z):
    """Of real outcomes, too."""
    n = sum(outcome)
    law = chances(q, len(outcome) - 1)
    return sum((s - n * p) ** 2 / (n * p) for s, p in zip(outcome, law, strict=True)) <= z * z


def extremes(n, bits, q, z):
    """The least and the largest ratio in the box; None if it is empty."""
    found = [ratio(s, q) for s in outcomes(n, bits) if in_box(s, q, z)]
    return (min(found), max(found)) if found else None
