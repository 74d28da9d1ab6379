r"""A linear inequality that every distribution close to P satisfies, and a given far one does not.

{Q : D(P, Q) <= epsilon} is convex for every distance here, so a hyperplane separates it from each Q' outside. Written
for weights x with Q = x / (x_1 + ... + x_m), the inequality is homogeneous: row . x <= 0.

Source: Boyd and Vandenberghe, "Convex Optimization", sections 2.5.1 and 3.1.3 (a convex function is above its tangent).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import isqrt, lcm

from dpcalc.notes.anonymized.distance import common_weights, kullback_leibler
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.search import last_where

_GRID = 1 << 20  # directions and tangent points may be moved a little: to integers of about this size
_STEPS = 64  # of the segment on which a tangent point is sought
_FINEST = 1 << 5000  # grid: shares down to about e^-3000 are told from 0


def separating_row(p: Sequence[int], far: Sequence[Fraction], epsilon: Fraction, *, distance: str) -> list[int]:
    r"""Integers ``row`` with row . x <= 0 for all weights x >= 0 with D(p, x) <= epsilon.

    It is always valid. It excludes ``far`` if D(p, far) > epsilon, without exception where D is made of absolute
    values; for ``l2`` and ``kullback-leibler``, if D exceeds epsilon by more than about 1e-5 of it. If ``far`` lacks a
    value that has the share s in p, D is infinite, and epsilon must be below about 3000 s.

    Here D(p, x) <= 1/2 says that x has at most three quarters of its weight on the first value, x_1 <= 3 x_2:

    >>> separating_row([1, 1], [Fraction(1), Fraction(0)], Fraction(1, 2), distance="l1")
    [1, -3]
    """
    p_weights, total = common_weights(p, "p")
    q_weights, q_total = common_weights(far, "far")
    shares = [Fraction(a, total) for a in p_weights]
    if distance == "kullback-leibler":
        return _tangent(shares, [Fraction(b, q_total) for b in q_weights], epsilon)
    differences = [b * total - a * q_total for a, b in zip(p_weights, q_weights, strict=True)]
    direction, radius = _direction(differences, distance)
    # direction . (Q - P) <= radius epsilon, times the sum of the weights x.
    level = sum(s * share for s, share in zip(direction, shares, strict=True)) + radius * epsilon
    row = [s - level for s in direction]
    scale = lcm(*(w.denominator for w in row))
    return [w.numerator * (scale // w.denominator) for w in row]


def _direction(differences: Sequence[int], distance: str) -> tuple[list[int], int]:
    """A vector s and a number r with s . (Q - P) <= r D(P, Q) for every Q; equal, or nearly, at the given Q."""
    if distance == "l2":  # Cauchy and Schwarz, the norm rounded up
        largest = max(map(abs, differences))
        direction = [d * _GRID // largest for d in differences]
        return direction, isqrt(sum(s * s for s in direction)) + 1
    if distance == "earth-mover":  # the sum of the cumulative differences, each with its sign
        signs = [_sign(d) for d in accumulate(differences)]
        return list(accumulate(reversed(signs)))[::-1], max(1, len(differences) - 1)
    return [_sign(d) for d in differences], 2 if distance == "variational" else 1


def _sign(x: int) -> int:
    return (x > 0) - (x < 0)


def _tangent(p: Sequence[Fraction], far: Sequence[Fraction], epsilon: Fraction) -> list[int]:
    r"""The tangent of Q -> D(P, Q) at a T between P and the far Q, at most epsilon where D is.

        D(P, Q) >= D(P, T) + 1 - sum_i p_i q_i / t_i.

    Every T gives a valid inequality. The strongest ones touch the boundary D = epsilon, so T is sought there.
    """
    grid = _GRID
    while grid < _FINEST and _divergence(p, _between(p, far, _STEPS, grid)) <= epsilon:
        grid *= grid  # where Q lacks a value of P, D grows only as the logarithm of its share in T falls
    inside = last_where(lambda step: _divergence(p, _between(p, far, step, grid)) <= epsilon, 1, _STEPS - 1)
    point = _between(p, far, inside + 1, grid)
    level, mass = _divergence(p, point) + 1 - epsilon, sum(point)
    row = [level - share * mass / t for share, t in zip(p, point, strict=True)]
    scale = _GRID**2 / Fraction(max(abs(w) for w, b in zip(row, far, strict=True) if b) or 1)
    return [int(w * scale // 1) for w in row]  # rounding down keeps row . x <= 0 valid, because x >= 0


def _between(p: Sequence[Fraction], far: Sequence[Fraction], step: int, grid: int) -> list[int]:
    """Positive integers, nearly proportional to the point ``step`` / 64 of the way from P to the far Q."""
    return [int((a * (_STEPS - step) + b * step) * grid) + 1 for a, b in zip(p, far, strict=True)]


def _divergence(p: Sequence[Fraction], point: Sequence[int]) -> Fraction:
    """D(P, T) from below; T is positive, so that it is finite."""
    divergence = kullback_leibler(p, point)
    return divergence.lower if isinstance(divergence, Enclosure) else Fraction(0)
