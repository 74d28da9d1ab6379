r"""Where the two laws of a count change places, and how small delta must be, without a sum or an integral.

The others' generating function is G(z) = prod (1 - a + a z)^c; the changed record adds (p + q z)^k under P_0 and
(q + p z)^k under P_1, or (1 - x + x z)^k with any two x, the smaller one under P_0. Tilt everything by a y with
0 < y <= 1 at which

    (p + q y)^k <= lambda (q + p y)^k:                                                                        (1)

a report that is 1 with probability a is one with a_y = a y / (1 - a + a y), and alpha = p_y > beta = q_y. Then
d_t = P_0(t) - lambda P_1(t) <= 0 for every t >= tau + 1, where

    tau = sum c a_y + (k - 1) alpha.

For with A = 1 - beta + beta z and B = 1 - alpha + alpha z, up to a positive factor d_t y^t is at most

    [z^t] G_y (A^k - B^k) = (alpha - beta) sum_{i < k} (g_t - g_{t-1}),    g the law of G_y A^i B^{k-1-i},

and no pmf of independent reports rises beyond its mean (proof notes, 1). So delta = max_t h_t is attained at some
t < tau + 1. There it is at most P_0(S <= t) and, as (1 - z)/(1 - y z) has but one positive coefficient, at most
k (alpha - beta) times as much:

    delta <= min(1, k (alpha - beta)) G(y) (p + q y)^k y^{-(tau + 1)},

Chernoff's bound. Its logarithm is linear in the counts c: over a range of them it is largest at an end.

Source: J. N. Darroch, "On the distribution of the number of successes in independent trials" (1964), for the mode.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from flint import arb

from dpcalc.counts.inversion import Factor, radius
from dpcalc.numbers.ball import ball, enclosure_of, working_precision
from dpcalc.numbers.limit import Limit

__all__ = ["halvings", "place"]

_BITS = 128
_BESIDE = 1 - 1e-10  # the saddle point in floats may lie on either side of the root of (1)


def halvings(
    others: Sequence[Factor], own: tuple[Fraction, Fraction], k: int, limit: Limit, theta: float,
    *, ranges: Sequence[tuple[Sequence[Factor], Sequence[Factor]]] = (),
) -> int:  # fmt: skip
    """An e >= 0 with delta <= 2^-e.

    Args:
        others: the reports of the others, in kinds.
        own: the probability that one of the changed record's reports is 1, under P_0 and under P_1.
        k: its reports.
        limit: lambda.
        theta: log of the y at which the two sides of (1) are equal, about: it steers.
        ranges: further reports of others, each with its two ends: e serves for all that lie between.

    >>> halvings([(Fraction(1, 4), 10**6)], (Fraction(1, 4), Fraction(3, 4)), 1, Limit.of(lam=2), -1.6094)
    176802
    """
    with working_precision(_BITS):
        y = radius(_BESIDE * theta)
        unlikely, likely = (_Tilted(a, y) for a in own)

        def grown(kinds: Sequence[Factor]) -> arb:
            tilted = ((count, _Tilted(a, y)) for a, count in kinds)
            return sum((count * (one.log - one.chance * y.log()) for count, one in tilted), arb(0))

        if not (0 < y <= 1 and limit.log_ball() + k * (likely.log - unlikely.log) >= 0):
            return 0
        total = k * unlikely.log - ((k - 1) * likely.chance + 1) * y.log()
        total += (k * (likely.chance - unlikely.chance)).min(arb(1)).log()
        total += grown(others) + sum((grown(low).max(grown(high)) for low, high in ranges), arb(0))
        found = -total / arb(2).log()
        return math.floor(enclosure_of(found).lower) if found > 0 else 0


def place(others: Sequence[tuple[Fraction, float]], own: tuple[Fraction, Fraction], k: int, theta: float) -> float:
    """The real t at which d_t is 0, half above the one at which h_t is largest; for steering.

    The changed record adds k reports that are 1 with probability ``own``, under P_0 and under P_1.

    To the first order in 1/V it is that of ``counts.saddle``, by the mean and the skewness of the tilted others. As P_0
    and P_1 lie k (alpha - beta) apart, the skewness moves it once more, by the square of that distance.
    """
    variance = skewed = 0.0
    with working_precision(_BITS):  # 10^15 reports leave no digit of a float behind the point
        y = arb(theta).exp()
        low, high = (_Tilted(a, y).chance for a in own)
        exact = 0.5 + (k - 1) * (low + high) / 2
        for a, count in others:
            one = _Tilted(a, y)
            exact += count * one.chance
            spread = float(count * one.chance * one.other)
            variance += spread
            skewed += spread * float(one.other - one.chance)
        mean, distance = float(exact), k * float(high - low)
    if not variance:
        return mean
    apart = min(distance / variance, 1.0)  # beyond it there is nothing to expand in
    return mean - skewed / (2 * variance) + skewed * apart**2 / 24


class _Tilted:
    """A report: the log of 1 - a + a y, its chances of being 1 and 0 under the tilt; however near a is to 0 or 1."""

    def __init__(self, a: Fraction, y: arb) -> None:
        zero, one = ball(1 - a), ball(a) * y
        whole = zero + one
        self.log, self.chance, self.other = whole.log(), one / whole, zero / whole
