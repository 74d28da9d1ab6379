"""Estimation from randomized response, by listing every outcome; shares no code with dpcalc."""

from fractions import Fraction
from itertools import product


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
