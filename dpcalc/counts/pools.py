r"""Threshold sums of many pools by one Fourier inversion, in doubles with counted errors.

A pool is ``a`` reports that are 1 with probability p = 1 - q and ``b`` that are 1 with probability q. For lambda >= 1,

    h_t = [z^t] G(z) K(z) / (1 - z),   d_t = h_t - h_{t-1},
    G(z) = (q + p z)^a (p + q z)^b,    K(z) = (p + q z)^k - lambda (q + p z)^k.

The tilt at which the two terms of K are equal depends on q, k and lambda only, so that one circle |z| = r serves every
pool. On it q + p z = (q + p r) (1 + mu g) and p + q z = (p + q r) (1 + nu g), with mu = p r / (q + p r),
nu = q r / (p + q r) and g = e^{iu} - 1. Over M equally spaced points, F = G(r) (p + q r)^k r^{-t} in front,

    h_t = F (1/M) sum_j P_j C_j + errors,   P_j = (1 + mu g_j)^a (1 + nu g_j)^b e^{-i t u_j},
    C_j = ((1 + nu g_j)^k - kappa (1 + mu g_j)^k) / (1 - z_j),   kappa = lambda ((q + p r) / (p + q r))^k,

one matrix product for all pools; d_{t-1}, ..., d_{t+2} need other C_j only. The errors, relative to F:

*Truncation* as in ``inversion``. Aliases to the right, with any R >= 1: (1 - lambda) r^M / (1 - r^M), which is
subtracted, and at most G(R) |K|(R) R^{-t} x / (1 - x), x = (r/R)^M; to the left, with any s < r, at most
G(s) |K|(s) s^{-t} x / (1 - x), x = (s/r)^M. Points left out: |P_j| <= e^{-V (1 - cos u_j)}, where
V = a mu (1 - mu) + b nu (1 - nu).

*Rounding* of P (``doubles.powers``), of C, of the sum of their products and of F, the exponential of logs that FLINT
gave. Those of P and of C count with the bound of |P_j| above: they fade with it.

r, s, R, M and the number of points kept are chosen in floating point, which may only steer.

Source: MATH.md's fact 9; the count of all errors is in the proof notes, section "One pass".
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from flint import arb, ctx, fmpq

from dpcalc.numbers import doubles
from dpcalc.numbers.doubles import UNIT, Chords, Complexes, Integers, Powers, Reals, Split, modulus, roots, split

__all__ = ["Circle", "Saddle", "Sums", "TooMany", "sums"]

_PRECISION = 90
_FAR = 690.0  # logs beyond it leave the range of doubles
_FAINT = 1e-60  # the smallest radius
_MAX_POINTS = 1 << 14
_MAX_CELLS = 300_000  # pools times points kept: some 10 ms
_MAX_BITS = 40
_SUM = 6 * UNIT  # error of a sum of four terms times logs, relative to the sum of their sizes
_WEIGHT = 24 * UNIT  # relative error of a weight but for the kernel's
_SPARE = 1 + 1e-9  # for the roundings of a bound itself


class TooMany(Exception):
    """More points than are worth their time."""


@dataclass(frozen=True, slots=True)
class Saddle:
    """What q, k and lambda determine.

    Attributes:
        k: the power of each factor of K.
        likely, unlikely: the tilted probabilities of a 1 where the two terms of K are equal; they steer.
        r: the radius, at that tilt or about one standard deviation below 1.
        mu, nu: as above; spread_mu = mu (1 - mu), spread_nu likewise, to a relative 4u.
        logs: log(q + p r), log(p + q r), log r, each to a relative 1.001 u.
        kappa, kappa_error: and how far it may be off, the width of lambda included.
        excess, excess_error: lambda - 1, and how far it may be off, relative to it.
        flips, limit: q, p and lambda as balls.
    """

    k: int
    likely: float
    unlikely: float
    r: float
    mu: Split
    nu: Split
    spread_mu: float
    spread_nu: float
    logs: tuple[float, float, float]
    kappa: float
    kappa_error: float
    excess: float
    excess_error: float
    flips: tuple[arb, arb]
    limit: arb

    @classmethod
    def of(cls, q: Fraction, k: int, reports: int, lam: tuple[Fraction, Fraction]) -> Saddle | None:
        """For pools of up to so many reports; None at about the local epsilon, where delta is 0, and beyond it."""
        u, whole = q.numerator, q.denominator
        v = whole - u
        (low, low_unit), (high, high_unit) = (x.as_integer_ratio() for x in lam)
        if low < low_unit or high >= high_unit << 300 or u << 300 < whole or reports.bit_length() > _MAX_BITS:
            return None
        excess = (high - high_unit) / high_unit
        width = (high * low_unit - low * high_unit) / ((high - high_unit) * low_unit or 1)
        y = _root((v - u) / whole, u / whole, v / whole, math.expm1(math.log1p(excess) / k))
        if y < _FAINT:
            return None
        noise, stay = u / whole, v / whole
        likely, unlikely = stay * y / (noise + stay * y), noise * y / (stay + noise * y)
        variance = reports * max(likely * (1 - likely), unlikely * (1 - unlikely))
        r = min(y, math.exp(-1 / math.sqrt(variance + 2)))

        above, below = r.as_integer_ratio()
        one, one_off, zero, zero_off = v * above, u * below, u * above, v * below  # over D 2^s
        with ctx.workprec(_PRECISION):
            first = arb(fmpq(one + one_off, whole * below))
            second = arb(fmpq(zero + zero_off, whole * below))
            logs = float(first.log()), float(second.log()), float(arb(r).log())
            power = (first / second) ** k
            limit = arb(fmpq(low, low_unit)).union(arb(fmpq(high, high_unit)))
            kappa = float(limit * power)
            kappa_error = at_least(abs(limit * power - kappa))
            flips = arb(fmpq(u, whole)), arb(fmpq(v, whole))
        one_all, zero_all = one + one_off, zero + zero_off
        return cls(
            k, likely, unlikely, r, split(one, one_all), split(zero, zero_all),
            (one / one_all) * (one_off / one_all), (zero / zero_all) * (zero_off / zero_all),
            logs, kappa, kappa_error, excess, width + 4 * UNIT, flips, limit,
        )  # fmt: skip

    def spread(self, a: Integers, b: Integers) -> Reals:
        """V."""
        return a * self.spread_mu + b * self.spread_nu

    @property
    def spread_record(self) -> float:
        """What K adds to V at least."""
        return self.k * min(self.spread_mu, self.spread_nu)


def _root(difference: float, noise: float, stay: float, rise: float) -> float:
    """The root y of K, for a rise lambda^(1/k) - 1; at most 1, 0 where there is none."""
    if rise <= 0:
        return 1.0
    ratio = difference / rise
    return max(ratio - noise, 0.0) / (ratio + stay)


def at_least(x: arb) -> float:
    """A double at or above a ball."""
    return math.nextafter(float(x.upper()), math.inf)


@dataclass(frozen=True, slots=True)
class Circle:
    """The points and the radii.

    Attributes:
        points: M, a multiple of 8.
        kept: the points z_{-j}, z_j with j < kept are summed; at most M/2 + 1.
        lefts, rights: the s < r and the R >= 1 tried for the aliases, one or more of each.
        within: the relative error that powers may have without being corrected.
    """

    points: int
    kept: int
    lefts: tuple[float, ...]
    rights: tuple[float, ...]
    within: float = 0.0

    @classmethod
    def around(cls, saddle: Saddle, a: Integers, b: Integers, t: Integers, rtol: float) -> Circle:
        """Truncation errors of about ``rtol`` relative to the smallest h_t, guessed by a Gaussian.

        Raises:
            TooMany: points.
        """
        spread = saddle.spread(a, b) + saddle.spread_record
        least, most = float(spread.min()), float(spread.max())
        drop = 1 - saddle.r
        slope = saddle.k * abs(saddle.kappa * saddle.mu.head - saddle.nu.head) + 1e-300
        value = slope / (2.5 * math.sqrt(most + 0.1) * ((most + 0.3) * drop * drop + 1.5))
        lost = math.log(2 * (1 + saddle.kappa)) - math.log(drop) - math.log(min(value, 1.0))
        nats = max(4.0, lost - math.log(rtol)) + 2
        first = math.ceil(1.02 * math.sqrt(2 * nats * most) + nats / 8)
        if first > _MAX_POINTS:
            raise TooMany
        points = _grid(first)
        pools = [(float(a[i]), float(b[i]), float(t[i])) for i in {int(a.argmax()), int(b.argmax())}]
        pools.sort(key=lambda pool: -pool[0] * saddle.spread_mu - pool[1] * saddle.spread_nu)
        while True:
            sides = _sides(saddle, pools, points, -nats)
            if sides is not None:
                break
            points = _grid(points + max(1, points // 16))
            if points > _MAX_POINTS:
                raise TooMany
        kept = points // 2 + 1
        if 2 * least > nats:
            kept = min(kept, math.ceil(points * math.asin(math.sqrt(nats / (2 * least))) / math.pi) + 1)
        if kept * len(a) > _MAX_CELLS:
            raise TooMany
        r = saddle.r
        lefts = tuple(r * math.exp(side) for side in sides if side < 0) or (r / 2,)
        rights = tuple(max(r * math.exp(side), 1.0) for side in sides if side > 0) or (2.0,)
        return cls(points, kept, lefts, rights, math.exp(-nats) / 4)


def _grid(points: int) -> int:
    """The next c 2^i, c = 8, ..., 15, that is a multiple of 8: few tables of roots serve all questions."""
    step = max(8, 1 << max(0, (points - 1).bit_length() - 4))
    return -(-points // step) * step


_Pool: TypeAlias = tuple[float, float, float]  # a, b, t


def _sides(saddle: Saddle, pools: list[_Pool], points: int, goal: float) -> list[float] | None:
    """Log R/r and log s/r that keep the logs of all aliases below ``goal``, relative to the peak; None if none do."""
    sides: list[float] = []
    for pool in pools:
        a, b, t = pool
        places = [max(t - points, 0.5)] if t + 2 >= points else []
        if t - 1 + points <= a + b + saddle.k:
            places.append(min(t + points, a + b - 0.5))
        for place in places:
            up = place > t
            if not any((side > 0) == up and _wrapped(saddle, pool, points, side) <= goal for side in sides):
                side = _toward(saddle, pool, place)
                sides.append(max(side, -saddle.logs[2]) if up else min(side, -1e-3))
                if _wrapped(saddle, pool, points, sides[-1]) > goal:
                    return None
    return sides


def _toward(saddle: Saddle, pool: _Pool, place: float) -> float:
    """The side at which the tilted mean is about ``place``."""
    mu, nu, half, side = saddle.mu.head, saddle.nu.head, 0.5 * saddle.k, 0.0
    a, b = pool[0] + half, pool[1] + half
    for _ in range(12):
        grown = math.exp(side)
        one, zero = mu * grown / (1 - mu + mu * grown), nu * grown / (1 - nu + nu * grown)
        slope = a * one * (1 - one) + b * zero * (1 - zero)
        step = max(-1.0, min(1.0, (a * one + b * zero - place) / max(slope, 1e-300)))
        side -= step
        if abs(step) < 0.03 * abs(side) or abs(side) > 200:
            break
    return side


def _wrapped(saddle: Saddle, pool: _Pool, points: int, side: float) -> float:
    """Log of the bound of the aliases, relative to the peak."""
    a, b, t = pool
    rise, theta = math.expm1(side), saddle.logs[2] + side
    one, zero = math.log1p(saddle.mu.head * rise), math.log1p(saddle.nu.head * rise)
    exponent = a * one + b * zero - t * side + saddle.k * max(one, zero)
    return exponent - points * abs(side) + (theta if side > 0 else -2 * theta)


@dataclass(frozen=True, slots=True)
class Sums:
    """h_t, d_{t-1}, d_t, d_{t+1}, d_{t+2} of all pools, relative to the factors F in front.

    Attributes:
        values, errors: one column for each of the five.
        upper, lower: F, infinite or 0 where it leaves the range of doubles, and
        exponent: the relative error of F.
    """

    values: Reals
    errors: Reals
    upper: Reals
    lower: Reals
    exponent: float


def sums(saddle: Saddle, a: Integers, b: Integers, t: Integers, circle: Circle) -> Sums:
    """One t, 0 <= t < a + b + k, for each pool."""
    points, kept = circle.points, circle.kept
    bits = max(int(a.max()), int(b.max()), saddle.k).bit_length()
    outer = Chords.of(points, min(kept + 2, points // 2 + 1))
    chords = outer.first(kept)
    bases = doubles.powers(saddle.mu, saddle.nu, chords, bits, within=circle.within)
    weights = Weights.of(saddle, bases, circle, chords)

    product = bases.power((a, b))
    product *= roots(points).take((t % points)[:, None] * np.arange(kept) % points)
    values = inner(product, weights.values)

    forms = _forms(saddle, circle)
    terms = np.stack((a, b, -t, np.ones_like(t)), axis=-1).astype(float)
    exponents = terms @ forms.T
    sizes = exponent_errors(terms, forms, points * saddle.logs[2])
    exponent = float(sizes[0])
    spread = float(saddle.spread(a, b).min()) * (1 - 1e-12)
    step, least = first_left_out(outer, circle)
    record = saddle.spread_record * (1 - 1e-12)
    logs, cut = np.empty((4, len(a))), 1 + len(circle.rights)
    logs[0] = exponents[:, 0]
    exponents[:, 1:cut].min(axis=1, out=logs[1])
    exponents[:, cut:].min(axis=1, out=logs[2])
    np.subtract(points * saddle.logs[2], logs[0], out=logs[3])
    fading = spread * (outer.head[0, : kept + 1] + outer.rest[0, : kept + 1])
    fading[kept:] -= record * least
    grown = doubles.exp(np.minimum(np.maximum(np.concatenate((logs.ravel(), fading)), -_FAR), _FAR))
    front, right, left, constant = grown[: logs.size].reshape(4, -1)
    grown[: logs.size].reshape(4, -1)[logs > _FAR] = np.inf
    fade = grown[logs.size :] * _SPARE

    missing = left_out(float(fade[-1]), (spread + record) * step, circle)
    errors = (
        rounding(bases, weights, fade[:kept], 2 * bits)
        + missing * (1 + saddle.kappa + saddle.kappa_error) * weights.largest
    )
    with ctx.workprec(_PRECISION):
        constant = constant * (saddle.excess / float(1 - arb(saddle.r) ** points))
    values[:, 0] += constant
    aliases = np.where(t - 1 + points <= a + b + saddle.k, right, 0.0) + np.where(t + 2 >= points, left, 0.0)
    total = errors * _SPARE + (aliases * (1 + float(sizes[1:].max())))[:, None]
    total[:, 0] += constant * (exponent + saddle.excess_error)
    return Sums(values, total, front, np.where(logs[0] < -_FAR, 0.0, front), exponent)


@dataclass(frozen=True, slots=True)
class Weights:
    """C_j / M, or twice that for a pair of conjugate points; one row for each of h_t, d_{t-1}, ..., d_{t+2}.

    Attributes:
        values: the weights, a factor times K_j.
        factors, kernel: the moduli of both.
        kernel_error: how far K_j may be off.
        largest: the largest |1/(1 - z)|, |z|, 1, 1/|z|, 1/|z|^2 on the circle.
    """

    values: Complexes
    factors: Reals
    kernel: Reals
    kernel_error: float
    largest: Reals

    @classmethod
    def of(cls, saddle: Saddle, bases: Powers, circle: Circle, chords: Chords) -> Weights:
        """From the squares of the bases."""
        k, r, points, kept = saddle.k, saddle.r, circle.points, circle.kept
        record = bases.alone(k)
        kernel = record[1] - saddle.kappa * record[0]
        share = np.full(kept, 2.0 / points)
        share[0] *= 0.5
        if 2 * (kept - 1) == points:
            share[-1] *= 0.5
        g = chords.head + chords.rest
        real, imaginary = (1 - r) - r * g[0], r * g[1]  # of 1 - z, and of its conjugate
        square = real * real + imaginary * imaginary
        turn = roots(points)[:kept]
        factors = np.empty((5, kept), complex)
        factors.real[0], factors.imag[0] = real / square, imaginary / square
        factors[1] = turn.conj() * r
        factors[2] = 1.0
        factors[3] = turn * (1 / r)
        factors[4] = factors[3] * factors[3]
        factors *= share
        largest = np.array([1 / (1 - r), r, 1.0, 1 / r, 1 / r / r])
        size = largest[:, None] * share
        size[0] = share / np.sqrt(square)
        return cls(factors * kernel, size, modulus(kernel), kernel_error(saddle, bases), largest * _SPARE)


def inner(product: Complexes, weights: Complexes) -> Reals:
    """The real part of sum_j P_j C_j for every pool and every row of weights."""
    flat = np.stack((weights.real, -weights.imag), axis=-1).reshape(len(weights), -1)
    found: Reals = product.view(np.float64) @ flat.T
    return found


def inner_error(kept: int) -> float:
    """Error of ``inner`` relative to sum_j |P_j| |C_j|: real sums of 2 kept products, in any order."""
    return (2 * kept + 2) * UNIT


def kernel_error(saddle: Saddle, bases: Powers) -> float:
    """Bound of the error of (1 + nu g)^k - kappa (1 + mu g)^k."""
    wide = 1 + saddle.kappa
    return wide * (bases.count(saddle.k.bit_length()) + bases.absolute + 3 * UNIT) + saddle.kappa_error


def rounding(bases: Powers, weights: Weights, fade: Reals, factors: int) -> Reals:
    """Rounding errors of the sums: of P, of C, and of the sum of their products."""
    relative = bases.count(factors) + inner_error(len(fade)) + _WEIGHT
    fading = fade * (weights.kernel * relative + weights.kernel_error) + bases.absolute * weights.kernel
    found: Reals = weights.factors @ fading
    return found


def first_left_out(outer: Chords, circle: Circle) -> tuple[float, float]:
    """The least growth of 1 - cos u from one point left out to the next, and its first value; 0 if all are kept."""
    first, half = circle.kept, circle.points // 2
    if first > half:
        return 1.0, 0.0
    rise = -(outer.head[0, first:] + outer.rest[0, first:])
    here = float(rise[0])
    return (min(float(rise[1]) - here, (2 - here) / (half - first)) if first < half else 2.0), here


def left_out(fade: float, step: float, circle: Circle) -> float:
    """Bound of 1/M times the sum of |P_j| over the points left out: a geometric series of ratio e^-step."""
    if 2 * circle.kept > circle.points:
        return 0.0
    return 2 / circle.points * fade * (1 + 1 / step) if step > 0 else math.inf


def exponent_errors(terms: Reals, forms: Reals, shrunk: float) -> Reals:
    """Relative error of the exponential of each form, a sum of terms times logs, and of the constant alias."""
    found: Reals = _SUM * (np.abs(forms) @ np.abs(terms).max(axis=0) + (abs(shrunk) + 1)) + (doubles.EXP + 8 * UNIT)
    return found


def _forms(saddle: Saddle, circle: Circle) -> Reals:
    """Logs that a, b, -t and 1 are multiplied with: for F, and for the aliases on each radius, relative to F."""
    one, zero, theta = saddle.logs
    radii = [alias(saddle, radius, circle.points) for radius in (*circle.rights, *circle.lefts)]
    return np.array([(one, zero, theta, saddle.k * zero), *radii])


def alias(saddle: Saddle, radius: float, points: int) -> tuple[float, float, float, float]:
    """log(A(R)/A(r)), log(B(R)/B(r)) and log(R/r), A = q + p z, B = p + q z, and that of what else bounds aliases.

    That is |K|(R) / B(r)^k x / (1 - x), times R or R^-2 for the farthest of d_{t-1}, ..., d_{t+2}.
    """
    k, r = saddle.k, saddle.r
    with ctx.workprec(_PRECISION):
        q, p = saddle.flips
        at, over = arb(radius), arb(radius) / r
        one, zero, before = q + p * at, p + q * at, p + q * r
        x = (over if radius < r else 1 / over) ** points
        wide = (zero / before) ** k + saddle.limit * (one / before) ** k
        rest = wide * x / (1 - x) * (at if radius > r else 1 / (at * at))
        return float((one / (q + p * r)).log()), float((zero / before).log()), float(over.log()), at_least(rest.log())
