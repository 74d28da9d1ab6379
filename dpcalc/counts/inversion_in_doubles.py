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

import numpy as np
from flint import arb

from dpcalc.counts.circle import PRECISION, Circle, CommonTilt, at_least
from dpcalc.numbers import doubles
from dpcalc.numbers.ball import working_precision
from dpcalc.numbers.doubles import UNIT, Chords, Complexes, Integers, Powers, Reals, modulus, roots

__all__ = ["Sums", "sums"]

_FAR = 690.0  # logs beyond it leave the range of doubles
_SUM = 6 * UNIT  # error of a sum of four terms times logs, relative to the sum of their sizes
_WEIGHT = 24 * UNIT  # relative error of a weight but for the kernel's
_SPARE = 1 + 1e-9  # for the roundings of a bound itself


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


def sums(saddle: CommonTilt, a: Integers, b: Integers, t: Integers, circle: Circle) -> Sums:
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
    with working_precision(PRECISION):
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
    def of(cls, saddle: CommonTilt, bases: Powers, circle: Circle, chords: Chords) -> Weights:
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


def kernel_error(saddle: CommonTilt, bases: Powers) -> float:
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


def _forms(saddle: CommonTilt, circle: Circle) -> Reals:
    """Logs that a, b, -t and 1 are multiplied with: for F, and for the aliases on each radius, relative to F."""
    one, zero, theta = saddle.logs
    radii = [alias(saddle, radius, circle.points) for radius in (*circle.rights, *circle.lefts)]
    return np.array([(one, zero, theta, saddle.k * zero), *radii])


def alias(saddle: CommonTilt, radius: float, points: int) -> tuple[float, float, float, float]:
    """log(A(R)/A(r)), log(B(R)/B(r)) and log(R/r), A = q + p z, B = p + q z, and that of what else bounds aliases.

    That is |K|(R) / B(r)^k x / (1 - x), times R or R^-2 for the farthest of d_{t-1}, ..., d_{t+2}.
    """
    k, r = saddle.k, saddle.r
    with working_precision(PRECISION):
        q, p = saddle.flips
        at, over = arb(radius), arb(radius) / r
        one, zero, before = q + p * at, p + q * at, p + q * r
        x = (over if radius < r else 1 / over) ** points
        wide = (zero / before) ** k + saddle.limit * (one / before) ** k
        rest = wide * x / (1 - x) * (at if radius > r else 1 / (at * at))
        return float((one / (q + p * r)).log()), float((zero / before).log()), float(over.log()), at_least(rest.log())
