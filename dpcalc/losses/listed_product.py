r"""delta of two counts or a few without arrays: the products of ``product``, see there, in lists of doubles.

The masses of one count are quotients of the integers X_i <= T x_i of ``fixed_point``, each rounded once: with what is
missing in T they hold the law as ``product`` asks, g = 2u.

Source: proof notes, 10.1 and C16.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Generic, TypeVar

from dpcalc.laws.fixed_point import both, tail_reach
from dpcalc.numbers.rounding import UNIT

FARTHEST = 600.0  #: the largest reach
UNDERFLOW = 1e-290  #: the most mass that underflows lose
SPARE = 3  #: quotients are compared with so many times their error to spare
Column = TypeVar("Column")

_GUARD = 16  # bits of the integers beyond those of the reach


@dataclass(frozen=True, slots=True)
class Outcomes(Generic[Column]):
    """The outcomes of a pair in rising order of Q/P, in lists or arrays of doubles.

    Attributes:
        p, q: the masses.
        quotients: Q/P.
        above, below: the running sums of p and of q, from 0 on.
        error, missing: by how much the masses err, and what they lack; see ``product``.
    """

    p: Column
    q: Column
    quotients: Column
    above: Column
    below: Column
    error: float
    missing: float


def outcomes(own: tuple[Fraction, Fraction], k: int, ones: int, zeros: int, *, reach: float) -> Outcomes[list[float]]:
    """The count of so many other records and of the changed one, which holds 0 under P and 1 under Q.

    Args:
        own: the chance that a report is 1 if the bit is 0, and if it is 1.
        k: reports of each record.
        ones: other records that hold 1.
        zeros: other records that hold 0.
        reach: outcomes less likely than e^-reach times the mode are left out, about.
    """
    bits = math.ceil(reach / math.log(2)) + (k * (ones + zeros)).bit_length() + _GUARD
    p_terms, q_terms, total = both(((own[1], k * ones), (own[0], k * zeros)), own, k, bits)
    masses = ((p / total, q / total) for p, q in zip(p_terms, q_terms, strict=True))
    found = sorted((q / p, p, q) for p, q in masses if p > 0)
    quotients, p_list, q_list = (list(column) for column in zip(*found, strict=True))
    lost = max(total - sum(terms) for terms in (p_terms, q_terms))
    above, below = (list(accumulate(terms, initial=0.0)) for terms in (p_list, q_list))
    return Outcomes(p_list, q_list, quotients, above, below, 2 * UNIT, lost / total * (1 + 4 * UNIT) + UNDERFLOW)


def length(q: Fraction, reports: int, reach: float) -> float:
    """About how many outcomes are listed."""
    return min(float(reports), 2 * tail_reach(reports * float(q) * float(1 - q), reach) + 4) + 1


def divergence(pairs: Sequence[Outcomes[list[float]]], lam: tuple[float, float]) -> tuple[float, float]:
    """Lower and upper end of delta of a product, for every lambda between two doubles.

    >>> one = outcomes((Fraction(1, 4), Fraction(3, 4)), 1, 0, 5, reach=40.0)
    >>> low, high = divergence([one, one], (1.5, 1.5))
    >>> low <= 5517801 / 33554432 <= high <= low * (1 + 1e-11)
    True
    """
    *first, last = sorted(pairs, key=lambda pair: len(pair.p))
    p, q = [1.0], [1.0]
    for pair in first:
        p, q = ([x * y for x in xs for y in ys] for xs, ys in ((p, pair.p), (q, pair.q)))
    error = 1.01 * sum(pair.error for pair in pairs) + (len(p) + len(last.p) + 8 * len(pairs)) * UNIT
    missing = 1.01 * sum(pair.missing for pair in pairs) + UNDERFLOW
    wide, quotients = (1 + SPARE * error) / lam[0], last.quotients
    places = [bisect_right(quotients, x / y * wide) if y else len(quotients) for x, y in zip(p, q, strict=True)]
    s_1 = sum(x * last.above[place] for x, place in zip(p, places, strict=True))
    s_2 = sum(y * last.below[place] for y, place in zip(q, places, strict=True))
    return ends(s_1, s_2, lam, error, missing)


def ends(s_1: float, s_2: float, lam: tuple[float, float], error: float, missing: float) -> tuple[float, float]:
    """Lower and upper end of delta from the sums of ``product``."""
    rounded = 8 * UNIT * (s_1 + lam[1] * s_2)
    lower = s_1 * (1 - error) - lam[1] * (s_2 * (1 + error) + missing) - rounded
    upper = s_1 * (1 + 4 * error) - lam[0] * s_2 * (1 - error) + missing + lam[1] * UNDERFLOW + rounded
    return max(lower, 0.0), min(upper, 1.0)
