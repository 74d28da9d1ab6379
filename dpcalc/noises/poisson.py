r"""Tails of the Poisson distribution by tilted Fourier inversion, with every error bounded.

X has the generating function G(z) = e^{mu (z - 1)}. For a lower tail e_i = P[X <= i] take r < 1, for an upper tail
e_i = P[X >= i] take r > 1. Let z_j be M points at equal distances on the circle |z| = r; |1/(1 - z_j)| <= 1/|1 - r|.

    lower:  (1/M) sum_j G(z_j) z_j^{-t} / (1 - z_j)        = e_t + sum_{l != 0} e_{t + l M} r^{l M},
    upper:  (1/M) sum_j G(z_j) z_j^{-t} z_j / (z_j - 1)    = the same,

as 1/(1 - z) = 1 + z + ... inside the unit circle and z/(z - 1) = 1 + 1/z + ... outside.

*Aliases.* 0 <= e_i <= G(R) R^{-i} for every R on the same side of 1 as r, 1 included (Markov). So with S < r < R,
x = (r/R)^M and y = (S/r)^M the aliases sum to at least 0 and at most G(R) R^{-t} x/(1 - x) + G(S) S^{-t} y/(1 - y).

*Points left out.* |G(r e^{iu})| = G(r) e^{-mu r (1 - cos u)}: ``inversion.left_out`` sums this as a geometric series.

r is chosen so that the law tilted by r^x has the mean t, but at least about one standard deviation away from r = 1.
Choices are made in floating point and only steer.
"""

from __future__ import annotations

import math
from fractions import Fraction

from flint import acb, arb, ctx

from dpcalc.laws.inversion import Contour, geometric, left_out, radius, summed
from dpcalc.numbers.ball import MAX_EXPONENT, ball

_FAINT = 2 * MAX_EXPONENT  # a tail below 2^-_FAINT is enclosed by 0 and that
_WIDE = 700.0  # the largest |log S/r| and |log R/r|


def at_most(mean: Fraction, t: int) -> arb:
    """P[X <= t] to the current relative precision, also where it is small."""
    if t < 0:
        return arb(0)
    return _tail(mean, t, -1) if t <= mean else 1 - _tail(mean, t + 1, 1)


def at_least(mean: Fraction, t: int) -> arb:
    """P[X >= t] to the current relative precision, also where it is small."""
    if t <= 0:
        return arb(1)
    return _tail(mean, t, 1) if t >= mean else 1 - _tail(mean, t - 1, -1)


def guard_bits(mean: Fraction) -> int:
    """Guard bits: how many bits the exponential and the power lose."""
    return math.ceil(mean).bit_length() + 12


def _tail(mean: Fraction, t: int, side: int, circle: Contour | None = None) -> arb:
    """P[X <= t] for side -1, P[X >= t] for side 1; any circle will do, and a good one is chosen."""
    mu = ball(mean)

    def bound(at: arb) -> arb:
        return (mu * (at - 1)).exp() / at**t

    tilt = radius(math.log(max(t, 0.5)) - math.log(mean))
    if (side > 0) is (tilt > 1) and mu * (tilt - 1) - t * tilt.log() < -_FAINT:  # Markov's bound is enough
        return arb(0).union(arb(2) ** -_FAINT)
    circle = circle or _circle(float(mean), t, side, math.log(2) * max(8, ctx.prec - guard_bits(mean)))
    r = arb(circle.r)
    total = acb(0)
    for j in range(circle.kept):
        z = r * (acb(2 * j) / circle.points).exp_pi_i()
        value = (mu * (z - 1)).exp() / z**t * (2 if j else 1)  # z_j and its conjugate
        total += value / (1 - z) if side < 0 else value * z / (z - 1)
    kernel = 1 / (1 - r) if side < 0 else r / (r - 1)
    missing = left_out(circle, mu * r) * bound(r) * kernel
    left, right = arb(circle.left), arb(circle.right)
    aliases = geometric(r / right, circle.points) * bound(right) + geometric(left / r, circle.points) * bound(left)
    if not (left < r < right and (right <= 1 if side < 0 else left >= 1)):
        return arb.nan()
    return total.real / circle.points + arb(0, missing.upper()) - aliases.nonnegative_part().union(arb(0))


def _circle(mean: float, t: int, side: int, nats: float) -> Contour:
    """A circle with truncation errors of about e^-nats relative to the largest summand."""
    theta = math.log(max(t, 0.5)) - math.log(mean)
    apart = 1 / math.sqrt(mean * math.exp(min(theta, 0.0)) + 2)
    theta = min(theta, -apart) if side < 0 else max(theta, apart)
    spread = mean * math.exp(theta)

    def exponent(at: float) -> float:
        return mean * math.expm1(at) - at * t

    points = math.ceil(1.05 * math.sqrt(2 * nats * spread) + nats / 4) + 6
    while True:
        left = max(math.log(max(t - points, 1e-300) / mean) if t > points else -math.inf, theta - _WIDE)
        right = min(math.log((t + points) / mean), theta + _WIDE)
        left, right = (left, min(right, 0.0)) if side < 0 else (max(left, 0.0), right)
        left, right = min(left, theta - 1e-3 * apart), max(right, theta + 1e-3 * apart)
        wrapped = max(exponent(x) - points * abs(x - theta) for x in (left, right))
        if wrapped <= exponent(theta) - nats:
            break
        points = points * 5 // 4
    points |= 1
    return Contour(radius(theta), radius(left), radius(right), points, summed(points, spread, nats), 0)
