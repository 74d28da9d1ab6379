"""Every dataset's own window by brute force, in integers and rationals.

With q = a/d the probability of s ones beside D is a polynomial in q. Whether a limit is kept for *all* q of a range is
proven by Bernstein's coefficients: a polynomial is between the least and the largest of them, and halving the range
brings them together.
"""

import itertools
from fractions import Fraction
from functools import cache
from math import comb, lcm

from tests.oracles.scan import times


@cache
def law(lies, truths):
    """The polynomials in q of P(so many ones), from so many reports of 0 and of 1."""
    laws = [[1]]
    for lie in [1] * lies + [0] * truths:
        one, zero = ([0, 1], [1, -1]) if lie else ([1, -1], [0, 1])
        fewer, same = [[0], *[times(x, one) for x in laws]], [*[times(x, zero) for x in laws], [0]]
        both = zip(fewer, same, strict=True)
        laws = [[x + y for x, y in itertools.zip_longest(a, b, fillvalue=0)] for a, b in both]
    return laws


def value(polynomial, q):
    found = Fraction(0)
    for c in reversed(polynomial):
        found = found * q + c
    return found


def pairs(n, k, sides, only=None):
    """(m, s, 1/R?, numerator, denominator) of every dataset with m ones, its neighbour and every outcome."""
    for m in only or range(1, n + 1):
        here, there = law(k * (n - m), k * m), law(k * (n - m + 1), k * (m - 1))
        for s in range(k * n + 1):
            yield m, s, False, there[s], here[s]
            if sides == 2:
                yield m, s, True, here[s], there[s]


def within(n, k, z, m, s, q):
    mean = k * (m * (1 - q) + (n - m) * q)
    return (s - mean) ** 2 <= z * z * k * n * q * (1 - q)


def bernstein(polynomial, low, high):
    """Its coefficients on [low, high], times a positive number: whole numbers."""
    width, shifted = high - low, [Fraction(c) for c in polynomial]
    for i in range(len(shifted)):  # Taylor's at low
        for j in range(len(shifted) - 2, i - 1, -1):
            shifted[j] += low * shifted[j + 1]
    size = len(shifted) - 1
    scaled = [c * width**j / comb(size, j) for j, c in enumerate(shifted)]
    found = [sum(comb(i, j) * scaled[j] for j in range(i + 1)) for i in range(size + 1)]
    common = lcm(*(c.denominator for c in found))
    return [int(c * common) for c in found]


def halved(coefficients):
    """Those on the two halves of the range, by de Casteljau, times a positive number."""
    size, row, left, right = len(coefficients) - 1, coefficients, [], []
    for r in range(size + 1):
        left.append(row[0] << (size - r))
        right.append(row[-1] << (size - r))
        row = [x + y for x, y in itertools.pairwise(row)]
    return left, right[::-1]


def kept(n, k, z, lam, sides, low, depth=60, *, only=None):
    """Whether every ratio of every window is proven to be at most lambda for all low <= q <= 1/2."""

    def proven(window, spare, depth):
        if min(window) > 0:
            return True  # outside all along
        if min(spare) >= 0:
            return True
        return depth > 0 and all(proven(*part, depth - 1) for part in zip(halved(window), halved(spare), strict=True))

    for m, s, _, over, under in pairs(n, k, sides, only):
        off = [s - k * m, -k * (n - 2 * m)]  # s - mean
        window = [x + z * z * k * n * y for x, y in zip(times(off, off), (0, -1, 1), strict=True)]
        spare = [lam * y - x for x, y in zip(over, under, strict=True)]
        if not proven(*(bernstein(x, low, Fraction(1, 2)) for x in (window, spare)), depth):
            return False
    return True


def weights(n, k, q):
    """For every number of ones, the probabilities of every outcome times one and the same number: whole numbers."""
    lie, size = q.numerator, n * k
    truth = q.denominator - lie
    found = []
    for ones in range(n + 1):
        of_ones = [comb(k * ones, i) * truth**i * lie ** (k * ones - i) for i in range(k * ones + 1)]
        zeros = size - k * ones
        of_zeros = [comb(zeros, i) * lie**i * truth ** (zeros - i) for i in range(zeros + 1)]
        found.append(times(of_ones, of_zeros))
    return found


def largest(n, k, z, sides, q, *, only=None):
    """The largest ratio at an outcome of a window at q, of every dataset or of those with so many ones."""
    law_of, above, below = weights(n, k, q), 0, 1  # the largest so far is above/below: common divisors take long
    for m in range(1, n + 1) if only is None else only:
        for s in range(k * n + 1):
            if within(n, k, z, m, s, q):
                there, here = law_of[m - 1][s], law_of[m][s]
                for x, y in ((there, here), (here, there))[:sides]:
                    if x * below > above * y:
                        above, below = x, y
    return Fraction(above, below)
