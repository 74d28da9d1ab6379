"""Rounds of shuffles, thresholds and sampled clients: against every dataset and strategy in fractions."""

from fractions import Fraction
from itertools import product
from math import lcm
from random import Random

import pytest

import dpcalc as dp
from dpcalc.rounds.minorant import minorant
from tests.oracles import asymmetric, histograms, rounds, thresholds

MANY = 5  # others, beside which only noise hides a record here
HALF = Fraction(1, 2)
SEEN = ((HALF, HALF, 0), (0, HALF, HALF))
THREE = dp.k_ary_response(3, lam=3).matrix
NOISE = {-1: Fraction(1, 4), 0: HALF, 1: Fraction(1, 4)}
LISTED = dp.FiniteNoise(["1/4", "1/2", "1/4"])
BITS = dp.KRandomization(n=3, q="1/5", k=2)


def outcomes(first, second):
    """Of two laws; those of equal ratio are one."""
    found = {}
    for s in {*first, *second}:
        a, b = first.get(s, Fraction(0)), second.get(s, Fraction(0))
        if not a + b:
            continue
        p, q = found.get(a / (a + b), (0, 0)) 
        found[a / (a + b)] = p + a, q + b
    return [found[ratio] for ratio in sorted(found)]


def shuffled(matrix, n):
    """All pairs of a shuffle, by what the others hold and the change."""
    found, rows = {}, range(len(matrix))
    for others in product(rows, repeat=n - 1):
        laws = [histograms.law([matrix[x], *(matrix[y] for y in others)]) for x in rows]
        found |= {(others, a, b): outcomes(laws[a], laws[b]) for a in rows for b in rows if a != b}
    return found


def hidden(chance, noise, least, most):
    """All pairs of a threshold with up to so many others, by their number and whether the record is there."""
    laws = [thresholds.law(n, Fraction(chance), noise, least) for n in range(most + 2)]
    ways = ((n, (laws[n + 1], laws[n])) for n in range(most + 1))
    return {((n,), there): outcomes(*(pair if there else pair[::-1])) for n, pair in ways for there in (True, False)}


def replaced(chance, least, most):
    """The same of two values."""
    laws = [thresholds.law(n, Fraction(chance), {0: Fraction(1)}, least) for n in range(most + 2)]
    pairs = product(range(most + 1), repeat=2)
    return {
        ((a, b), True): outcomes(thresholds.both(laws[a + 1], laws[b]), thresholds.both(laws[a], laws[b + 1]))
        for a, b in pairs
    }


def sampled(n, q, k, share, numbered):
    """All pairs of sampled clients, by the ones among the others and the changed bit where the event is likelier."""
    found = {}
    for ones in range(n):
        others = [1] * ones + [0] * (n - 1 - ones)
        laws = [
            asymmetric.sampled([*others, bit], 1 - Fraction(q), Fraction(q), k, Fraction(share), numbered)
            for bit in (0, 1)
        ]
        found |= {(ones, bit): outcomes(laws[bit], laws[1 - bit]) for bit in (0, 1)}
    return found


def name(at):
    """Of a dataset that was found, as above."""
    if hasattr(at, "likely"):
        return at.others, at.likely, at.unlikely
    if hasattr(at, "present"):
        return at.others or (MANY,), at.present
    return at.ones, at.value


def alike(matrix, n):
    """The pairs of a shuffle whose others all hold one input."""
    return {
        (others[0], a, b): pair for (others, a, b), pair in shuffled(matrix, n).items() if len(set(others)) == 1
    }


TINY = {
    "shuffle of two": (dp.Shuffle(dp.FiniteMechanism(THREE), n=2), shuffled(THREE, 2), alike(THREE, 2)),
    "shuffle of three": (dp.Shuffle(dp.FiniteMechanism(THREE), n=3), shuffled(THREE, 3), alike(THREE, 3)),
    "shuffle that tells": (dp.Shuffle(dp.FiniteMechanism(SEEN), n=2), shuffled(SEEN, 2), alike(SEEN, 2)),
    "threshold": (dp.Thresholded(2, sampled="1/2"), hidden("1/2", {0: 1}, 2, MANY)),
    "threshold and noise": (dp.Thresholded(3, noise=LISTED), hidden(1, {0: HALF / 2, 1: HALF, 2: HALF / 2}, 3, MANY)),
    "sampled and noise": (
        dp.Thresholded(2, sampled="1/2", noise=LISTED), hidden("1/2", {0: HALF / 2, 1: HALF, 2: HALF / 2}, 2, MANY)
    ),
    "replaced": (dp.Thresholded(2, sampled="3/4", neighbours="replace"), replaced("3/4", 2, 3)),
    "several reports": (dp.Sampled(BITS, "1/2"), sampled(3, "1/5", 2, "1/2", False)),
    "reports counted": (
        dp.Sampled(dp.KRandomization(n=3, q="1/5"), "1/2", "ones and reports"), sampled(3, "1/5", 1, "1/2", True)
    ),
}  # fmt: skip


def best_of_two(pairs, lam):
    """The largest delta of two rounds over all strategies: a second pair for every outcome of the first; in integers."""
    whole = lcm(*(Fraction(x).denominator for pair in pairs for one in pair for x in one))
    every = {tuple((int(a * whole), int(b * whole)) for a, b in pair) for pair in pairs}
    up, down = lam.numerator, lam.denominator

    def after(p, q):
        return max(sum(max(0, down * p * a - up * q * b) for a, b in pair) for pair in every)

    return Fraction(max(sum(after(p, q) for p, q in pair) for pair in every), down * whole**2)


@pytest.mark.parametrize("case", TINY)
def test_two_rounds_by_definition(case):
    """The upper end holds for strategies, the lower one for the datasets named."""
    (mechanism, pairs, *named), lam = TINY[case], Fraction(3, 2)
    found = dp.delta(dp.Rounds([(mechanism, 2)]), lam=lam)
    best = best_of_two(pairs.values(), lam)
    assert best <= found.upper <= best * Fraction(9, 8)
    ((_, at, times),) = found.datasets
    pair = (named or [pairs])[0][name(at)]
    reached = rounds.divergence([pair, pair], lam)
    assert times == 2
    assert reached * Fraction(49, 50) <= found.lower <= reached
    assert best * Fraction(4, 5) <= found.lower
    print(case, float(best), float(found.upper / best), float(reached), float(found.lower / reached), at)
