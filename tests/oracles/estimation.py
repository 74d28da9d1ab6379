"""Estimation from randomized response, by listing every outcome; shares no code with dpcalc."""

from fractions import Fraction
from itertools import product


def count_pmf(q, k, bits):
    """The pmf of the pooled count of the records ``bits``, as a list, by listing all strings of k n reports."""
    chances = [1 - q if bit else q for bit in bits for _ in range(k)]
    pmf = [Fraction(0)] * (len(chances) + 1)
    for reports in product((0, 1), repeat=len(chances)):
        chance = Fraction(1)
        for report, one in zip(reports, chances, strict=True):
            chance *= one if report else 1 - one
        pmf[sum(reports)] += chance
    return pmf


def convolved_pmf(q, k, n, ones):
    """The same pmf for larger n, one report after the other, in units of 1 / denominator^(k n)."""
    lie, whole = q.numerator, q.denominator
    weights = [1]
    for chance in [whole - lie] * (k * ones) + [lie] * (k * (n - ones)):
        weights = [a * (whole - chance) + b * chance for a, b in zip([*weights, 0], [0, *weights], strict=True)]
    return [Fraction(weight, whole ** (k * n)) for weight in weights]


def not_refuted(pmfs, s, level):
    """The T whose two tails at s both exceed level / 2; pmfs[T] is the pmf of the count for T ones."""
    return [ones for ones, pmf in enumerate(pmfs) if sum(pmf[: s + 1]) > level / 2 and sum(pmf[s:]) > level / 2]


def views(zero, mixed, n):
    """Every view of n reports, as (its probability when all bits are 0, its probability under A)."""
    for reports in product(range(len(zero)), repeat=n):
        of_zeros = of_mixed = Fraction(1)
        for report in reports:
            of_zeros *= zero[report]
            of_mixed *= mixed[report]
        yield of_zeros, of_mixed


def total_variation(first, second):
    """Half the sum of the absolute differences."""
    return sum(abs(a - b) for a, b in zip(first, second, strict=True)) / 2
