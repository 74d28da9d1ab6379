r"""delta of two counts or a few in doubles with counted errors: products of pairs whose outcomes are listed.

A pair lists the masses P_i and Q_i of its outcomes in rising order of Q/P. Of two pairs,

    delta = sum_i sum_j [P_i P'_j - lambda Q_i Q'_j]_+ = sum_i P_i A(i) - lambda Q_i B(i),

where A(i) and B(i) are the sums of P'_j and of Q'_j over the j with Q'_j / P'_j <= P_i / (lambda Q_i): running sums,
found by bisection.

*What is listed.* The masses of one count are quotients of the integers X_i <= T x_i of ``fixed_point``, each rounded
once. With ``error`` = g, 2u for these, and ``missing`` = w, what is missing in T, the true masses p, q satisfy

    (1 - g) P <= p <= (1 + g) P + e,    (1 - g) Q <= q <= (1 + g) Q + f,    sum e <= w,    sum f <= w,

where outcomes left out count as P = Q = 0. Below, (1 - g) and (1 + g) stand for the product over all pairs, w for the
sum, and s_1, s_2 for the sums of P_i A(i) and of Q_i B(i) as computed.

*Lower end.* The truth is at least p(E) - lambda q(E) for whatever outcomes E are summed: s_1 (1 - g) - lambda (s_2
(1 + g) + w), as the masses e of one pair meet at most 1 of the other.

*Upper end.* delta rises with every p and falls with every q (proof notes, C5): it is at most that
of the masses P (1 + g), Q (1 - g), and w more. Of these the positive terms are those with P_i P'_j > lambda Q_i Q'_j
(1 - g) / (1 + g). E holds all of them if the quotients, which err by less than g / 2, are compared with 3 g to spare;
what else it holds is at least (1 + g) - (1 + 4 g) (1 - g) >= -2 g times P_i P'_j. So delta is at most s_1 (1 + 4 g) -
lambda s_2 (1 - g) + w.

Underflow loses less than ``UNDERFLOW`` of mass: p may be below P by so much, and q below Q. The lower end's lambda w
covers that; the upper end adds lambda times ``UNDERFLOW``.

Source: proof notes, 10.1 and C16.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from dpcalc.laws.fixed_point import both, tail_reach
from dpcalc.numbers.arrays import arrays
from dpcalc.numbers.rounding import UNIT

FARTHEST = 600.0  #: the largest reach
UNDERFLOW = 1e-290  #: the most mass that underflows lose

_SPARE = 3  # quotients are compared with so many times their error to spare
_GUARD = 16  # bits of the integers beyond those of the reach


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The outcomes of a pair in rising order of Q/P.

    Attributes:
        p, q: the masses.
        quotients: Q/P.
        above, below: the running sums of p and of q, from 0 on.
        error, missing: by how much the masses err, and what they lack.
    """

    p: list[float]
    q: list[float]
    quotients: list[float]
    above: list[float]
    below: list[float]
    error: float
    missing: float


def outcomes(own: tuple[Fraction, Fraction], k: int, ones: int, zeros: int, *, reach: float) -> Outcomes:
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


def divergence(pairs: Sequence[Outcomes], lam: tuple[float, float]) -> tuple[float, float]:
    """Lower and upper end of delta of a product, for every lambda between two doubles.

    >>> one = outcomes((Fraction(1, 4), Fraction(3, 4)), 1, 0, 5, reach=40.0)
    >>> low, high = divergence([one, one], (1.5, 1.5))
    >>> low <= 5517801 / 33554432 <= high <= low * (1 + 1e-11)
    True
    """
    *first, last = sorted(pairs, key=lambda pair: len(pair.p))
    listed = math.prod(len(pair.p) for pair in first)
    error = 1.01 * sum(pair.error for pair in pairs) + (listed + len(last.p) + 8 * len(pairs)) * UNIT
    missing = 1.01 * sum(pair.missing for pair in pairs) + UNDERFLOW
    s_1, s_2 = (_in_arrays if arrays() else _in_lists)(first, last, lam[0] / (1 + _SPARE * error))
    rounded = 8 * UNIT * (s_1 + lam[1] * s_2)
    lower = s_1 * (1 - error) - lam[1] * (s_2 * (1 + error) + missing) - rounded
    upper = s_1 * (1 + 4 * error) - lam[0] * s_2 * (1 - error) + missing + lam[1] * UNDERFLOW + rounded
    return max(lower, 0.0), min(upper, 1.0)


def _in_lists(first: Sequence[Outcomes], last: Outcomes, lam: float) -> tuple[float, float]:
    """s_1 and s_2."""
    p, q = [1.0], [1.0]
    for pair in first:
        p, q = ([x * y for x in xs for y in ys] for xs, ys in ((p, pair.p), (q, pair.q)))
    quotients = last.quotients
    places = [bisect_right(quotients, x / (y * lam)) if y * lam else len(quotients) for x, y in zip(p, q, strict=True)]
    s_1 = sum(x * last.above[place] for x, place in zip(p, places, strict=True))
    return s_1, sum(y * last.below[place] for y, place in zip(q, places, strict=True))


def _in_arrays(first: Sequence[Outcomes], last: Outcomes, lam: float) -> tuple[float, float]:
    """The same, faster."""
    import numpy as np

    p = q = np.array([1.0])
    for pair in first:
        p, q = np.outer(p, pair.p).ravel(), np.outer(q, pair.q).ravel()
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):  # where p and q both are 0 any place will do
        places = np.searchsorted(last.quotients, p / (q * lam), side="right")
    s_1, s_2 = (float((x * np.array(sums)[places]).sum()) for x, sums in ((p, last.above), (q, last.below)))
    return s_1, s_2
