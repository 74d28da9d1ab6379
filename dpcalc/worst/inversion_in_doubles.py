r"""Threshold sums of many pools by one Fourier inversion, in doubles with counted errors.

A pool is ``a`` reports of records that hold 1 and ``b`` of records that hold 0, with the generating functions A(z) and
B(z) of ``circle``; with flips of probability q and p = 1 - q these are q + p z and p + q z. For lambda >= 1,

    h_t = [z^t] G(z) K(z) / (1 - z),   d_t = h_t - h_{t-1},
    G(z) = A(z)^a B(z)^b,    K(z) = B(z)^k - lambda A(z)^k.

The tilt at which the two terms of K are equal depends on A, B, k and lambda only, so that one circle |z| = r serves
every pool. On it A(z) = A(r) (1 + mu g) and B(z) = B(r) (1 + nu g), with mu = r A'/A(r), nu = r B'/B(r) and
g = e^{iu} - 1. Over M equally spaced points, F = G(r) B(r)^k r^{-t} in front,

    h_t = F (1/M) sum_j P_j C_j + errors,   P_j = (1 + mu g_j)^a (1 + nu g_j)^b e^{-i t u_j},
    C_j = ((1 + nu g_j)^k - kappa (1 + mu g_j)^k) / (1 - z_j),   kappa = lambda (A(r) / B(r))^k,

one matrix product for all pools; d_{t-1}, ..., d_{t+2} need other C_j only. The errors, relative to F:

*Truncation* as in ``laws.circle``. Aliases to the right, with any R >= 1: (1 - lambda) r^M / (1 - r^M), which is
subtracted, and at most G(R) |K|(R) R^{1-t} x / (1 - x), x = (r/R)^M; or, with any r < R < 1, at most that with R^{-2-t}
in all; to the left, with any s < r, at most G(s) |K|(s) s^{-2-t} x / (1 - x), x = (s/r)^M. Points left out: |P_j| is
at most e^{-V (1 - cos u_j)}, where V = a mu (1 - mu) + b nu (1 - nu).

*Rounding* of P (``doubles.powers``), of C, of the sum of their products and of F, the exponential of logs that FLINT
gave. Those of P and of C count with the bound of |P_j| above: they fade with it.

r, s, R, M and the number of points kept are chosen in floating point, which may only steer.

Source: the count of all errors: proof notes, 9.3 to 9.14.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce

import numpy as np
from numpy.typing import NDArray

from dpcalc.numbers import doubles
from dpcalc.numbers.doubles import Chords, Complexes, Integers, Powers, Reals, modulus, roots
from dpcalc.numbers.rounding import UNIT
from dpcalc.worst.circle import Circle, CommonTilt, Each
from dpcalc.worst.truncation import FAR, SPARE, exponent_errors, first_left_out, left_out, logs_of

_KEPT = 1 << 13  # numbers of a table that is kept
_MANY = 1000  # numbers t, from which on all pools of a row share the largest bound of aliases
_LAST = 8 * UNIT  # of what is summed, for the last sums
_WEIGHT = 24 * UNIT + _LAST  # relative error of a weight but for the kernel's, and of the last sums


@dataclass(frozen=True, slots=True)
class Sums:
    """h_t, d_{t-1}, d_t, d_{t+1}, d_{t+2} of all pools, relative to the factors F in front.

    Attributes:
        values, errors: one row for each of the five.
        upper, lower: F, infinite or 0 where it leaves the range of doubles, and
        exponent: the relative error of F.
    """

    values: Reals
    errors: Reals
    upper: Reals
    lower: Reals
    exponent: float


@dataclass(frozen=True, slots=True)
class Points:
    """What the points z_j = r e^{iu_j} that are kept have in common for every r.

    Attributes:
        chords: g_j.
        back: the conjugates of g_j.
        rises: 1 - cos u_j, and that of the first point left out; all fading is by these.
        left_out: the least growth of 1 - cos u from one point left out to the next, and its first value.
        index: j.
        turned: e^{-i t u_j} for 0 <= t < M, a row for each t; None where these are too many to be kept.
        shares: 1/M, or twice that for a pair of conjugate points.
        turns: the shares times (r/z)^e for e = -1, 0, 1, 2.
    """

    chords: Chords
    back: Complexes
    rises: Reals
    left_out: tuple[float, float]
    index: Integers
    turned: Complexes | None
    shares: Reals
    turns: Complexes

    @classmethod
    def of(cls, circle: Circle) -> Points:
        """Those of a circle; few circles serve all questions."""
        return _points(circle.points, circle.kept)

    def turn(self, t: Integers, points: int) -> Complexes:
        """e^{-i t u_j} for every t."""
        if self.turned is not None:
            return self.turned.take(t % points, axis=0)
        return roots(points).take(t[..., None] * self.index % points)


@lru_cache(maxsize=256)
def _points(points: int, kept: int) -> Points:
    outer = Chords.of(points, min(kept + 2, points // 2 + 1))
    chords, rises = outer.first(kept), -(outer.head[0] + outer.rest[0])
    shares = np.full(kept, 2.0 / points)
    shares[0] *= 0.5
    if 2 * (kept - 1) == points:
        shares[-1] *= 0.5
    turn = roots(points)[:kept]
    turns = shares * np.array((turn.conj(), np.ones(kept), turn, turn * turn))
    back, rest, index = chords.near.conj(), first_left_out(rises, points, kept), np.arange(kept)
    turned = roots(points).take(np.arange(points)[:, None] * index % points) if points * kept <= _KEPT else None
    found = Points(chords, back, rises[: kept + 1], rest, index, turned, shares, turns)
    for table in (back, found.rises, index, shares, turns, *([] if turned is None else [turned])):
        table.flags.writeable = False
    return found


def sums(saddle: CommonTilt, a: Integers, b: Integers, t: Integers, circle: Circle, spread: float) -> Sums:
    """One t, 0 <= t < a + b + k, for each pool; ``spread`` is at most V of each, to a relative 1e-12.

    t has a row for each limit, or one for all of them. What is found has a row for each, or one that stands for all.
    """
    points, nodes = circle.points, Points.of(circle)
    terms = np.empty((4, *t.shape))
    terms[0], terms[1], terms[2], terms[3] = a, b, t - a if saddle.mostly_ones else t, 1.0
    terms = terms.reshape(4, -1)
    most = np.abs(terms[:3]).max(axis=1).tolist()
    bits = int(max(most[0], most[1], saddle.k)).bit_length()
    bases = doubles.powers(saddle.mu, saddle.nu, nodes.chords, bits, within=circle.within)
    product = bases.power((a, b)) * nodes.turn(t, points)
    weights = Weights.of(saddle, bases, nodes)
    values = inner(product, weights.values)

    forms, constant_log, rest = logs_of(saddle, circle, less_ones=saddle.mostly_ones)
    sizes = exponent_errors(most, forms, constant_log)
    front, *radii = (np.array(forms) @ terms).reshape(-1, *t.shape)
    rights, lefts = radii[: len(circle.rights)], radii[len(circle.rights) :]
    fading = nodes.rises * (-spread * (1 - 1e-12))
    fading[circle.kept :] -= saddle.spread_record * (1 - 1e-12) * nodes.left_out[1]
    rows = [
        front, constant_log - front if np.count_nonzero(rest) else front[:0],
        _aliases(rights, (t <= a + b + (saddle.k + 1 - points)) | circle.covered), _aliases(lefts, t >= points - 2),
    ]  # fmt: skip
    logs = np.concatenate([*rows, fading], axis=None)
    found, at = doubles.exp(np.minimum(np.maximum(logs, -FAR), doubles.INFINITE)), 0
    for i, row in enumerate(rows):
        rows[i], at = found[at : at + row.size].reshape(row.shape), at + row.size
    (upper, constant, right, left), fade = rows, found[at:] * SPARE

    missing = left_out(float(fade[-1]), (spread + saddle.spread_record) * (1 - 1e-12) * nodes.left_out[0], circle)
    errors = (1 + saddle.kappa + saddle.kappa_error) * missing * weights.largest
    errors = ((rounding(bases, weights, fade[: circle.kept], 2 * bits) + errors) * SPARE).T.reshape(5, -1, 1)
    errors = errors + (right + left) * (1 + max(sizes))
    if constant.size:
        constant = constant * rest
        values[0] += constant
        errors = errors + np.zeros(t.shape)
        errors[0] += constant * (sizes[0] + saddle.excess_error + _LAST)
    return Sums(values, errors, upper, upper * (front >= -FAR), sizes[0])


def _aliases(logs: Sequence[Reals], wraps: NDArray[np.bool_]) -> Reals:
    """Of the pools whose counts wrap to that side: the least bound of all radii; of many pools the largest of these."""
    least = np.where(wraps, reduce(np.minimum, logs) if logs else doubles.INFINITE, -FAR)
    return least if least.size <= _MANY else least.max(axis=1, keepdims=True)


@dataclass(frozen=True, slots=True)
class Weights:
    """C_j / M, or twice that for a pair of conjugate points; one row for each of h_t, d_{t-1}, ..., d_{t+2}.

    For several limits on the circle, ``values`` and ``kernel`` have a row for each of them, and their errors.

    Attributes:
        values: the weights, a factor times K_j.
        factors, kernel: the moduli of the factors, or more, and of K_j.
        kernel_error: how far K_j may be off.
        largest: the largest |1/(1 - z)|, |z|, 1, 1/|z|, 1/|z|^2 on the circle.
    """

    values: Complexes
    factors: Reals
    kernel: Reals
    kernel_error: Each
    largest: Reals

    @classmethod
    def of(cls, saddle: CommonTilt, bases: Powers, nodes: Points) -> Weights:
        """From the squares of the bases."""
        r, shares = saddle.r, nodes.shares
        record = bases.alone(saddle.k)
        kernel = record[1] - saddle.kappa * record[0]
        largest = np.array((1 / (1 - r), r, 1.0, 1 / r, 1 / r / r))
        square = nodes.rises[: len(shares)] * (2 * r) + (1 - r) * (1 - r)  # |1 - z|^2
        quotient = shares / square
        factors = np.empty((5, len(shares)), complex)
        np.multiply(nodes.back * -r + (1 - r), quotient, out=factors[0])  # the conjugate of 1 - z
        np.multiply(nodes.turns, largest[1:, None], out=factors[1:])
        values = factors * kernel[..., None, :]
        largest *= SPARE
        sizes = largest[:, None] * shares
        np.multiply(quotient, np.sqrt(square), out=sizes[0])
        return cls(values, sizes, modulus(kernel), kernel_error(saddle, bases), largest)


def inner(product: Complexes, weights: Complexes) -> Reals:
    """The real part of sum_j P_j C_j for every row of weights, every limit and every pool."""
    found: Reals = weights.conj().view(np.float64) @ product.view(np.float64).swapaxes(-1, -2)
    return found.swapaxes(0, -2)


def _inner_error(kept: int) -> float:
    """Error of ``inner`` relative to sum_j |P_j| |C_j|: real sums of 2 kept products, in any order."""
    return (2 * kept + 2) * UNIT


def kernel_error(saddle: CommonTilt, bases: Powers) -> Each:
    """Bound of the error of (1 + nu g)^k - kappa (1 + mu g)^k."""
    wide = 1 + saddle.kappa
    return wide * (bases.count(saddle.k.bit_length()) + bases.absolute + 3 * UNIT) + saddle.kappa_error


def rounding(bases: Powers, weights: Weights, fade: Reals, factors: int) -> Reals:
    """Rounding errors of the sums: of P, of C, and of the sum of their products."""
    relative = bases.count(factors) + _inner_error(len(fade)) + _WEIGHT
    fading = fade * (weights.kernel * relative + weights.kernel_error) + bases.absolute * weights.kernel
    found: Reals = fading @ weights.factors.T
    return found
