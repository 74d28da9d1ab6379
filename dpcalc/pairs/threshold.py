r"""Where the two laws of a count change places, and how small delta must be, without a sum or an integral.

The others' generating function is G(z) = prod (1 - a + a z)^c; the changed record adds (p + q z)^k under P_0 and
(q + p z)^k under P_1, or (1 - x + x z)^k with any two x, the smaller one under P_0. Tilt everything by a y with
0 < y <= 1 at which

    (p + q y)^k <= lambda (q + p y)^k:                                                                        (1)

a report that is 1 with probability a is one with a_y = a y / (1 - a + a y), and alpha = p_y > beta = q_y. With

    tau = sum c a_y + (k - 1) alpha,    V = sum c a_y (1 - a_y),    D_i = e^{-V} I_i(V), the Bessel functions,

P_0(t) <= lambda P_1(t) for every t >= tau + 1 (1.7), and where the two sides of (1) are equal (1.8)

    delta <= min(1, k (alpha - beta) min(D_0, 2 (D_0 - D_1) (1 + y)/(1 - y)^2)) G(y) (p + q y)^k y^{-(tau + 1)}.

Where V is large, and y next to 1 beside it, that is about twice delta itself. But for the D_i, which fall in V, its
logarithm is linear in the counts c: over a range of them it is at most that of an end with the V of an end.

Source: proof notes, 1.7 and 1.8; J. N. Darroch, "On the distribution of the number of successes in independent trials"
(1964), for the mode.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from flint import arb

from dpcalc.laws.circle import Factor, radius
from dpcalc.numbers.ball import LEAST_HELD, ball, enclosure_of, working_precision
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import logarithm

_BITS = 128
_BESIDE = 1 - 1e-10  # the saddle point in floats may lie on either side of the root of (1)


def log_bound(
    others: Sequence[Factor], own: tuple[Fraction, Fraction], k: int, limit: Limit,
    *, ranges: Sequence[tuple[Sequence[Factor], Sequence[Factor]]] = (), theta: float | None = None,
) -> float:  # fmt: skip
    """A double at or above log delta, at most 0.

    Args:
        others: the reports of the others, in kinds.
        own: the probability that one of the changed record's reports is 1, under P_0 and under P_1.
        k: its reports.
        limit: lambda.
        ranges: further reports of others, each with its two ends: it serves for all that lie between.
        theta: log of the y at which the two sides of (1) are equal, about: it steers; default: ``saddle``.

    >>> round(log_bound([(Fraction(1, 4), 10**6)], (Fraction(1, 4), Fraction(3, 4)), 1, Limit.of(lam=2)))
    -122570
    """
    theta = saddle(own, k, limit) if theta is None else theta
    with working_precision(_BITS):
        y = radius(_BESIDE * theta)
        unlikely, likely = (_Report(a, y) for a in own)
        if not (0 < y <= 1 and limit.log_ball() + k * (likely.log - unlikely.log) >= 0):
            return 0.0

        def grown(kinds: Sequence[Factor]) -> tuple[arb, arb]:
            """The logarithm of G(y) y^{-tau}, and V."""
            tilted = [(count, _Report(a, y)) for a, count in kinds]
            size = sum((count * (one.log - one.chance * y.log()) for count, one in tilted), arb(0))
            return size, sum((count * one.chance * one.other for count, one in tilted), arb(0))

        size, variance = grown(others)
        for low, high in (map(grown, ends) for ends in ranges):
            size, variance = size + low[0].max(high[0]), variance + low[1].min(high[1])
        apart = k * (likely.chance - unlikely.chance)
        size += k * unlikely.log - ((k - 1) * likely.chance + 1) * y.log()
        size += (apart * _peak(variance, y)).min(arb(1)).log()
        return min(math.nextafter(float(size.upper()), math.inf), 0.0) if size.is_finite() else 0.0


def chernoff(log: float) -> Fraction:
    """An upper bound of delta, at least 2^-999,999, given one of its logarithm."""
    with working_precision(_BITS):
        return enclosure_of(arb(log).exp().max(LEAST_HELD)).upper


def _peak(variance: arb, y: arb) -> arb:
    """min(D_0, 2 (D_0 - D_1) (1 + y)/(1 - y)^2)."""
    first, second = (variance.bessel_i(i, scaled=True) for i in (0, 1))
    return first.min(2 * (first - second) * (1 + y) / (1 - y) ** 2) if y < 1 else first


def saddle(own: tuple[Fraction, Fraction], k: int, limit: Limit) -> float:
    """The tilt under which the two laws differ by lambda, whatever the others are; for steering only.

    It is the log of the root y < 1 of the kernel (1 - x_0 + x_0 y)^k = lambda (1 - x_1 + x_1 y)^k, with all its digits
    near y = 0 and near y = 1.
    """
    gap = math.exp(min(logarithm(own[1] - own[0]) - _log_excess(limit, k), 700.0))  # (x_1 - x_0) / (lambda^{1/k} - 1)
    below, above = gap - float(1 - own[1]), gap + float(own[1])
    if gap > 1:
        return math.log1p(-1 / above)
    return math.log(below / above) if below > 0 else -700.0


def _log_excess(limit: Limit, k: int) -> float:
    """Log of lambda^{1/k} - 1, for lambda of any size: where it is too near 1 for a float, e^x - 1 is x."""
    epsilon = limit.steer() / k
    if epsilon > 1e-300:
        return math.log(math.expm1(min(epsilon, 700.0)))
    return logarithm(limit.excess) - math.log(k)


class _Report:
    """A tilted report: log(1 - a + a y), its chances of being 1 and 0; accurate also for a next to 0 or 1."""

    def __init__(self, a: Fraction, y: arb) -> None:
        zero, one = ball(1 - a), ball(a) * y
        whole = zero + one
        self.log, self.chance, self.other = whole.log(), one / whole, zero / whole
