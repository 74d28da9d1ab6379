r"""delta of two counts or a few in doubles with counted errors: products of pairs whose outcomes are listed.

A pair lists the masses P_i and Q_i of its outcomes, in any order. Of two pairs,

    delta = sum_i sum_j [P_i P'_j - lambda Q_i Q'_j]_+ = sum_i P_i A(i) - lambda Q_i B(i),

where A(i) and B(i) are the sums of P'_j and of Q'_j over the j with Q'_j / P'_j <= P_i / (lambda Q_i). With the second
pair in rising order of Q'/P' they are running sums, found by bisection.

*What is listed.* The true masses p, q of an outcome satisfy, with ``error`` = g and ``missing`` = w,

    (1 - g) P <= p <= (1 + g) P + e,    (1 - g) Q <= q <= (1 + g) Q + f,    sum e <= w,    sum f <= w,

where outcomes left out count as P = Q = 0. With (1 - g) and (1 + g) for the product over all pairs, w for the sum, and
s_1, s_2 for the sums of P_i A(i) and of Q_i B(i) as computed, delta is at least s_1 (1 - g) - lambda (s_2 (1 + g) + w)
and at most s_1 (1 + 4 g) - lambda s_2 (1 - g) + w, if the quotients, which err by less than g / 2, are compared with
3 g to spare (C16).

*Binomials.* From about the mode on, terms x_{i+1} = x_i (c - i) / (i + 1) a / (1 - a), divided by their sum. Those
below e^-``reach`` of the mode's are left out. Underflow loses less than ``UNDERFLOW`` of mass: p may be below P by so
much, and q below Q. The lower end's lambda w covers that; the upper end adds lambda times ``UNDERFLOW``.

Source: proof notes, C16.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

import numpy as np

from dpcalc.laws.fixed_point import tail_reach
from dpcalc.losses.listed_product import SPARE, UNDERFLOW, Outcomes, ends
from dpcalc.numbers.doubles import Reals
from dpcalc.numbers.rounding import UNIT


@dataclass(frozen=True, slots=True)
class Masses:
    """Masses of neighbouring values of a count, about: see the module for what they err by."""

    terms: Reals
    error: float
    missing: float

    def times(self, other: Masses) -> Masses:
        """Of the independent sum."""
        short = min(len(self.terms), len(other.terms))
        return Masses(
            np.convolve(self.terms, other.terms),
            1.01 * (self.error + other.error + (short + 1) * UNIT),
            1.01 * (self.missing + other.missing) + UNDERFLOW,
        )


def in_order(p: Reals, q: Reals, error: float, missing: float) -> Outcomes[Reals]:
    """Outcomes given in any order; those of P = 0 add nothing to delta."""
    p, q = p[p > 0], q[p > 0]
    quotients = q / p
    if (quotients[1:] < quotients[:-1]).any():
        order = np.argsort(quotients, kind="stable")
        p, q, quotients = p[order], q[order], quotients[order]
    above, below = (np.concatenate(([0.0], np.cumsum(x))) for x in (p, q))
    return Outcomes(p, q, quotients, above, below, error, missing)


def outcomes(own: tuple[Fraction, Fraction], k: int, ones: int, zeros: int, *, reach: float) -> Outcomes[Reals]:
    """The count of so many other records and of the changed one, which holds 0 under P and 1 under Q.

    Args:
        own: the chance that a report is 1 if the bit is 0, and if it is 1.
        k: reports of each record.
        ones: other records that hold 1.
        zeros: other records that hold 0.
        reach: outcomes less likely than e^-reach times the mode are left out, about.
    """
    kinds = zip(own, (zeros, ones), strict=True)
    others = reduce(Masses.times, (binomial(k * c, a, reach) for a, c in kinds if c), _NOTHING)
    p, q = (others.times(binomial(k, a, math.inf)) for a in own)
    return in_order(p.terms, q.terms, max(p.error, q.error), max(p.missing, q.missing))


def divergence(pairs: Sequence[Outcomes[Reals]], lam: tuple[float, float]) -> tuple[float, float]:
    """Lower and upper end of delta of a product, for every lambda between two doubles.

    >>> one = outcomes((Fraction(1, 4), Fraction(3, 4)), 1, 0, 5, reach=40.0)
    >>> low, high = divergence([one, one], (1.5, 1.5))
    >>> low <= 5517801 / 33554432 <= high <= low * (1 + 1e-11)
    True
    """
    *first, last = sorted(pairs, key=lambda pair: len(pair.p))
    p = q = np.array([1.0])
    for pair in first:
        p, q = np.outer(p, pair.p).ravel(), np.outer(q, pair.q).ravel()
    error = 1.01 * sum(pair.error for pair in pairs) + (len(p) + len(last.p) + 8 * len(pairs)) * UNIT
    missing = 1.01 * sum(pair.missing for pair in pairs) + UNDERFLOW
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):  # where p and q both are 0 any place will do
        places = np.searchsorted(last.quotients, p / (q * lam[0]) * (1 + SPARE * error), side="right")
    s_1, s_2 = (float((x * sums[places]).sum()) for x, sums in ((p, last.above), (q, last.below)))  # no threads
    return ends(s_1, s_2, lam, error, missing)


def binomial(count: int, a: Fraction, reach: float) -> Masses:
    """The law of ``count`` reports that are 1 with probability a; with an infinite reach, of all values."""
    mode = (count + 1) * a.numerator // a.denominator
    widest = count if reach == math.inf else math.ceil(tail_reach(count * float(a) * float(1 - a), reach)) + 2
    least = 0.0 if reach == math.inf else math.exp(-reach)
    odds = a.numerator / (a.denominator - a.numerator)
    above, beyond = _falling(count - mode, mode, odds, widest, least)
    below, before = _falling(mode, count - mode, 1 / odds, widest, least)
    terms = np.concatenate((below[::-1], [1.0], above))
    total = float(terms.sum())
    error = (6 * len(terms) + 8) * UNIT + 1.01 * (beyond + before) / total
    return Masses(terms / total, error, 1.01 * (beyond + before) / total + UNDERFLOW)


def _falling(left: int, passed: int, odds: float, side: int, least: float) -> tuple[Reals, float]:
    """Terms on one side of a term 1, ``left`` values being left there; and a bound of those left out."""
    i = np.arange(min(left, side), dtype=np.float64)
    quotients = (left - i) / (passed + 1 + i) * odds
    terms = np.multiply.accumulate(quotients)
    kept = int(np.count_nonzero(terms >= least)) if least else len(terms)
    if kept == left:
        return terms, 0.0
    r = (left - kept) / (passed + 1 + kept) * odds * (1 + 8 * UNIT)
    last = float(terms[kept - 1]) if kept else 1.0
    return terms[:kept], 1.01 * last * r / (1 - r) if r < 1 else math.inf


_NOTHING = Masses(np.array([1.0]), 0.0, 0.0)
