r"""Threshold sums of many pools by one Fourier inversion, with counted errors: its tables.

A pool is ``a`` reports of records that hold 1 and ``b`` of records that hold 0, with the generating functions A(z) and
B(z) of ``circle``; with flips of probability q and p = 1 - q these are q + p z and p + q z. For lambda >= 1,

    h_t = [z^t] G(z) K(z) / (1 - z),   d_t = h_t - h_{t-1},
    G(z) = A(z)^a B(z)^b,    K(z) = B(z)^k - lambda A(z)^k.

The tilt at which the two terms of K are equal depends on A, B, k and lambda only, so that one circle |z| = r serves
every pool. On it A(z) = A(r) (1 + mu g) and B(z) = B(r) (1 + nu g), with mu = r A'/A(r), nu = r B'/B(r) and
g = e^{iu} - 1. Over M equally spaced points, F = G(r) B(r)^k r^{-t} in front and kappa = lambda (A(r) / B(r))^k,

    h_t = F (1/M) sum_j P_j C_j + errors,   P_j = (1 + mu g_j)^a (1 + nu g_j)^b e^{-i t u_j},
    C_j = ((1 + nu g_j)^k - (1 + mu g_j)^k + (1 - kappa) (1 + mu g_j)^k) / (1 - z_j);

d_{t-1}, ..., d_{t+2} need other C_j only. Of lambda only the number 1 - kappa is needed. The errors, relative to F, are
those of truncation as in ``laws.circle``, with |P_j| <= e^{-V (1 - cos u_j)}, V = a mu (1 - mu) + b nu (1 - nu), and
counted roundings of P and C, which count with that bound of |P_j| and fade with it. The squares (1 + mu g_j)^(2^i) come
from balls and are rounded once. F is the exponential of logs that FLINT gave.

The tables are numbers only, for sums that use nothing but +, -, *, / of doubles. r, s, R, M and the number of points
kept are chosen in floating point, which may only steer.

Source: the count of all errors: proof notes, 3.2, 9.4 to 9.8 and 9.11 to 9.16.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import mul
from typing import TypeAlias

from flint import acb, arb, fmpq

from dpcalc.laws.circle import left_out
from dpcalc.numbers.ball import working_precision
from dpcalc.numbers.rounding import EXP, PRODUCT, UNIT
from dpcalc.worst.circle import PRECISION, Circle, CommonTilt, at_least, log_of

FAR = 690.0  #: logs beyond it leave the range of doubles
SPARE = 1 + 1e-9  #: for the roundings of a bound itself
LEAST = 2.0**-1000  #: ends of delta below it are not told: further down products are not rounded relatively
MOVES = 6  #: times that t may move
_PRECISION = 160  # bits of the balls: those of squares lose up to 40, one each
_ABSOLUTE = 2.0**-100  # of a square, of a product of all; and of a sum, which outweighs what underflows
_ROUNDED = 1.02 * UNIT  # error of a complex number rounded from a ball
_WEIGHT = 4 * UNIT  # of C_j, from its two parts and the number that one is multiplied with
LAST = 8 * UNIT  #: of what is summed, for the last sums
_SUM = 6 * UNIT  # error of a sum of four terms times logs, relative to the sum of their sizes

#: Logs that a, b, t and 1 are multiplied with.
Form: TypeAlias = tuple[float, float, float, float]
#: A row for each of h_t, d_{t-1}, ..., d_{t+2}, and in it a number for each point.
_Rows: TypeAlias = Sequence[Sequence[complex]]


@dataclass(frozen=True, slots=True)
class Shared:
    """What all pools and all limits on a circle have in common.

    Attributes:
        k, points, rights: reports of the record, M, how many of the radii are for the aliases to the right.
        squares: (1 + mu g_j)^(2^i), then (1 + nu g_j)^(2^i), of the points kept; for each i.
        roots: e^{-2 pi i j / M}, 0 <= j < M.
        first, second: C_j / M, or twice that for a pair of conjugate points, is first + (1 - kappa) second.
        errors: of each row, what 1, |1 - kappa|, the error of 1 - kappa, and 1 + kappa are multiplied with.
        forms: logs that a, b, t and 1 are multiplied with: of F, and of the aliases on each radius.
        constant, share: the log of the constant alias times F, and its factor but for lambda - 1.
        front_error, alias_error: relative errors of F, and of the aliases.
        covered: whether the aliases to the right count for every pool.
    """

    k: int
    points: int
    rights: int
    squares: Sequence[Sequence[complex]]
    roots: Sequence[complex]
    first: _Rows
    second: _Rows
    errors: Sequence[tuple[float, float, float, float]]
    forms: Sequence[Form]
    constant: float
    share: float
    front_error: float
    alias_error: float
    covered: bool

    @classmethod
    def of(
        cls, saddle: CommonTilt, circle: Circle, most: int, farthest: int, spread: float, *, less_ones: bool = False
    ) -> Shared:
        """For limits up to that of the saddle, and pools with a, b up to ``most`` and V from ``spread`` on.

        Args:
            saddle: as above.
            circle: that of all.
            most: as above.
            farthest: t goes up to it, or |t - a| with ``less_ones``; see ``logs_of``.
            spread: as above.
            less_ones: as above.
        """
        bits = max(most.bit_length(), 1)
        first, second, radii = _weights(saddle, circle)
        forms, constant, share = logs_of(saddle, circle, less_ones=less_ones)
        sizes = exponent_errors((most, most, farthest), forms, constant)
        return cls(
            saddle.k, circle.points, len(circle.rights), _squares(saddle, circle, bits), roots(circle.points), first,
            second, _errors(saddle, circle, (first, second, radii), 2 * bits, spread * (1 - 1e-12)), forms, constant,
            share, sizes[0], max(sizes), circle.covered,
        )  # fmt: skip


def _exp(x: float) -> float:
    """e^x; infinity, or e^-690, where that leaves the range of doubles."""
    if x > FAR:
        return math.inf
    with working_precision(_PRECISION):
        return float(arb(max(x, -FAR)).exp())


def _squares(saddle: CommonTilt, circle: Circle, bits: int) -> list[list[complex]]:
    r = arb(saddle.r)
    found: list[list[complex]] = [[] for _ in range(bits)]
    with working_precision(_PRECISION):
        one_all, zero_all = saddle.factors(r)
        pairs = [saddle.factors(r * acb(fmpq(2 * j, circle.points)).exp_pi_i()) for j in range(circle.kept)]
        for power in [one / one_all for one, _ in pairs] + [zero / zero_all for _, zero in pairs]:
            for row in found:
                row.append(complex(power))  # the midpoint, each part rounded
                power *= power
    return found


def _weights(saddle: CommonTilt, circle: Circle) -> tuple[_Rows, _Rows, list[list[float]]]:
    """The two parts of the weights, and for each part how far each row may be off in all, besides its rounding."""
    r, k = arb(saddle.r), saddle.k
    rows: list[list[list[complex]]] = [[[] for _ in range(5)] for _ in range(2)]
    totals = [[acb(0)] * 5 for _ in range(2)]  # with all their radii
    with working_precision(_PRECISION):
        one_all, zero_all = saddle.factors(r)
        for j in range(circle.kept):
            z = r * acb(fmpq(2 * j, circle.points)).exp_pi_i()
            share = fmpq(1 if 2 * j in (0, circle.points) else 2, circle.points)
            one, zero = saddle.factors(z)
            second = (one / one_all) ** k * share
            first, back = (zero / zero_all) ** k * share - second, z.conjugate() / (r * r)  # 1/z
            for row, total, part in zip(rows, totals, (first, second), strict=True):
                behind = part * back
                for e, value in enumerate((part / (1 - z), part * z, part, behind, behind * back)):
                    row[e].append(complex(value))
                    total[e] += value
    return rows[0], rows[1], [[at_least(x.real.rad() + x.imag.rad()) for x in each] for each in totals]


def _errors(
    saddle: CommonTilt, circle: Circle, weights: tuple[_Rows, _Rows, list[list[float]]], factors: int, spread: float,
    rounded: float = _ROUNDED,
) -> list[tuple[float, float, float, float]]:  # fmt: skip
    """Of rounding, each number of the tables to a relative ``rounded``, and of the points left out, by the least V."""
    kept, r, record = circle.kept, saddle.r, saddle.spread_record * (1 - 1e-12)
    fade = [_exp(-spread * rise) for rise in _rises(circle.points, kept)]
    with working_precision(_PRECISION):
        rest = at_least(left_out(circle.points, kept, arb(spread) + record))
    power = 1.001 * ((factors + 1) * (rounded + PRODUCT) + 2 * UNIT)
    relative = power + (2 * kept + 6) * UNIT + _WEIGHT + LAST + rounded  # of powers, of sums, of the weights

    def sums(row: Sequence[complex], radius: float) -> tuple[float, float]:
        """Of the moduli, and of the rounding of all that they are multiplied with."""
        sizes = [abs(x.real) + abs(x.imag) for x in row]
        faded = sum(map(mul, fade, sizes))
        return faded, faded * relative + radius + _ABSOLUTE * (1 + sum(sizes))

    found = []
    for first, second, radii, largest in zip(
        *weights[:2], zip(*weights[2], strict=True), (1 / (1 - r), r, 1.0, 1 / r, 1 / r / r), strict=True
    ):
        (_, own), (size, other) = sums(first, radii[0]), sums(second, radii[1])
        found.append((own, other, size, rest * largest))
    return found


@lru_cache(maxsize=64)
def roots(points: int) -> list[complex]:
    """e^{-2 pi i j / points} for 0 <= j < points, each part to a relative 1.01 u; ``points`` a multiple of 8."""
    with working_precision(_PRECISION):
        eighth = [complex(acb(fmpq(-2 * j, points)).exp_pi_i()) for j in range(points // 8 + 1)]
    quarter = eighth + [complex(-z.imag, -z.real) for z in eighth[-2::-1]]  # e^{-i(pi/2 - u)} = -i e^{iu}
    half = quarter + [complex(z.imag, -z.real) for z in quarter[1:]]
    return half + [-z for z in half[1:-1]]


@lru_cache(maxsize=256)
def _rises(points: int, count: int) -> list[float]:
    """1 - cos u_j, rounded."""
    with working_precision(_PRECISION):
        return [float(2 * arb.sin_pi_fmpq(fmpq(j, points)) ** 2) for j in range(count)]


# --- what is left out, and the size of what is in front --------------------------------------------------------------


def exponent_errors(most: Sequence[float], forms: list[Form], constant: float) -> list[float]:
    """Relative error of the exponential of each form, a sum of terms times logs, and of the constant alias.

    Args:
        most: the largest a, b, t, or |t - a|.
        forms: of ``logs_of``.
        constant: of ``logs_of``.
    """
    a, b, t = most
    sizes = [abs(one) * a + abs(zero) * b + abs(theta) * t + abs(rest) for one, zero, theta, rest in forms]
    return [_SUM * (size + (abs(constant) + 1)) + (EXP + 8 * UNIT) for size in sizes]


def logs_of(saddle: CommonTilt, circle: Circle, *, less_ones: bool = False) -> tuple[list[Form], float, float]:
    """Logs that a, b, t and 1 are multiplied with: for F, and for the aliases on each radius, relative to F.

    With ``less_ones`` t - a stands in place of t, so that less cancels where nearly all of the a reports are 1.

    And what the constant alias is made of: M log r, and 1 / (1 - r^M), or 0 where it is covered. F and r^M are lifted
    alike.
    """
    one, zero, theta = saddle.logs
    with working_precision(PRECISION):
        if less_ones:
            one = log_of(saddle.sums[0] / saddle.r)
        sides = (*circle.rights, *circle.lefts)
        radii = [alias(saddle, radius, circle.points, less_ones=less_ones) for radius in sides]
        rest = 0.0 if circle.covered else float(1 / (1 - arb(saddle.r) ** circle.points))
        lift = saddle.halvings * arb.const_log2()
        own = float(saddle.k * saddle.sums[1].log() + lift)
        constant = float(circle.points * arb(saddle.r).log() + lift)
    return [(one, zero, -theta, own), *radii], constant, rest


def alias(saddle: CommonTilt, radius: float, points: int, *, less_ones: bool = False) -> Form:
    """log(A(R)/A(r)), or log(A(R)r/A(r)R), log(B(R)/B(r)), log(r/R), and that of the rest of the aliases' bound.

    That is |K|(R) / B(r)^k x / (1 - x), times R, or R^-2 if R < 1, for the farthest of d_{t-1}, ..., d_{t+2}.
    """
    (one_all, zero_all), k, at = saddle.sums, saddle.k, arb(radius)
    over, (ones, zeros) = at / saddle.r, saddle.factors(at)
    one, zero = ones / one_all, zeros / zero_all
    wide = zero**k + saddle.limit * (ones / zero_all) ** k
    rest = wide / (over ** (points if radius > saddle.r else -points) - 1)
    beyond = at_least((rest * at if radius >= 1 else rest / (at * at)).log())
    return log_of(one / over if less_ones else one), log_of(zero), -log_of(over), beyond
