r"""delta of many pools at once, in arrays: the sums of ``on_circle`` at the right thresholds, a matrix product for all.

*Thresholds.* P_1(S = i) / P_0(S = i) grows with i, so that d_i = h_i - h_{i-1} changes sign once, from + to -. Where
d_{t-1} > 0 > d_{t+2} is proven, delta is the largest of h_{t-1}, h_t, h_{t+1}. At the ends no proof is needed: for
t <= 1 nothing lies below t - 1 but h_{-1} = 0, and from the degree on h is 1 - lambda <= 0.

t and circles are chosen in floating point, which may only steer.

Source: proof notes, 9.2 and 9.14.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from flint import arb
from numpy.typing import NDArray

from dpcalc.numbers import doubles
from dpcalc.numbers.doubles import Complexes, Integers, Reals
from dpcalc.worst.circle import APART, Circle, CommonTilt
from dpcalc.worst.on_circle import FAR, LAST, LEAST, MOVES, SPARE, Shared

MOST = 20_000  #: ranges in all passes
ENVELOPES = True  #: whether bounds of whole ranges are at hand
_FINE = 1e-9  # a circle for it takes hardly more points than one for less
_FADED = math.exp(-APART * APART / 2)  # how much smaller h_t is of a limit whose tilt is so far from the circle's


def deltas(
    saddles: Sequence[CommonTilt], ones: Sequence[int], zeros: Sequence[int], rtol: float
) -> tuple[list[list[float]], list[list[float]]]:
    """Lower and upper ends of delta of the pools with so many ones and zeros; of those not settled the upper one is 1.

    Args:
        saddles: of one limit, or of several in rising order that share a circle; each has a row of ends.
        ones: of each pool.
        zeros: of each pool.
        rtol: relative width, about.

    Raises:
        TooMany: points.
    """
    a, b = (saddles[0].k * np.array(count, dtype=np.int64) for count in (ones, zeros))
    with np.errstate(all="ignore"):  # what is no number settles nothing, see ``_evaluate``
        lower, upper = _settle(saddles, a, b, rtol)
    return lower.tolist(), upper.tolist()


def _settle(saddles: Sequence[CommonTilt], a: Integers, b: Integers, rtol: float) -> tuple[Reals, Reals]:
    """The same; t moves where its place is proven wrong."""
    spread = saddles[0].spread(a, b)
    spreads = float(spread.min()), float(spread.max())
    middle, last = saddles[len(saddles) // 2], a + b + (saddles[0].k - 1)
    likely, unlikely = np.array([(x.likely, x.unlikely) for x in saddles]).T[:, :, None]
    t = (a * likely + b * unlikely + 0.5 * middle.k * (likely + unlikely)).astype(np.int64)
    t = np.minimum(t, last)
    circle = Circle.around(middle, a, b, t, spreads, min(rtol, _FINE) if len(saddles) == 1 else rtol * _FADED)
    most, largest = int(max(a.max(), b.max())), max(saddles, key=lambda x: arb.upper(x.limit))
    farthest = int(abs(t - a if middle.mostly_ones else t).max()) + 2 * MOVES
    shared = Shared.of(largest, circle, most, farthest, spreads[0], less_ones=middle.mostly_ones)
    lower, upper, move = _evaluate(shared, saddles, a, b, t)
    for _ in range(MOVES):
        if move is None or not move.any():
            break
        limits, pools = (np.nonzero(move.any(axis=axis))[0] for axis in (1, 0))
        moved = np.ix_(limits, pools)
        t[moved] = np.minimum(np.maximum(t[moved] + 2 * move[moved], 0), last[pools])
        some = [saddles[i] for i in limits.tolist()]
        lower[moved], upper[moved], again = _evaluate(shared, some, a[pools], b[pools], t[moved])
        move[:] = 0
        if again is not None:
            move[moved] = again
    return lower, upper


@dataclass(frozen=True, slots=True)
class Sums:
    """h_t, d_{t-1}, d_t, d_{t+1}, d_{t+2} of all pools at all limits, relative to the factors F in front.

    Attributes:
        values, errors: one array for each of the five: a row for each limit.
        upper, lower: F, infinite or 0 where it leaves the range of doubles, and
        exponent: the relative error of F.
    """

    values: Reals
    errors: Reals
    upper: Reals
    lower: Reals
    exponent: float


def sums(shared: Shared, saddles: Sequence[CommonTilt], a: Integers, b: Integers, t: Integers) -> Sums:
    """One t, 0 <= t < a + b + k, for each pool at each limit: t has a row for each of those."""
    points, kept = shared.points, len(shared.first[0])
    _, _, rise, off, excess, excess_error = np.array([x.each for x in saddles]).T[:, :, None]
    turns = np.array(shared.roots).take(t[..., None] * np.arange(kept) % points)
    product = _powers(np.array(shared.squares), (a, b)) * turns
    weights = np.array(shared.first) + rise[..., None] * np.array(shared.second)
    values: Reals = (weights.conj().view(np.float64) @ product.view(np.float64).swapaxes(-1, -2)).swapaxes(0, 1)
    parts = np.concatenate((np.ones_like(rise), abs(rise), off, 2 - rise + off), axis=1)
    errors = (parts @ np.array(shared.errors).T).T[..., None] * SPARE

    terms = np.stack(np.broadcast_arrays(a, b, t - a if saddles[0].mostly_ones else t, 1.0))
    front, *radii = np.tensordot(np.array(shared.forms), terms, axes=1)
    right = _aliases(radii[: shared.rights], (t <= a + b + (shared.k + 1 - points)) | shared.covered)
    left = _aliases(radii[shared.rights :], t >= points - 2)
    logs = np.clip(np.array((front, shared.constant - front, right, left)), -FAR, doubles.INFINITE)
    upper, constant, right, left = doubles.exp(logs.ravel()).reshape(logs.shape)
    errors = errors + (right + left) * (1 + shared.alias_error)
    if shared.share:
        constant = constant * (excess * shared.share)
        values[0] += constant
        errors[0] += constant * (shared.front_error + excess_error + LAST)
    return Sums(values, errors, upper, upper * (front >= -FAR), shared.front_error)


def _aliases(logs: Sequence[Reals], wraps: NDArray[np.bool_]) -> Reals:
    """Of the pools whose counts wrap to that side: the least bound of all radii."""
    return np.where(wraps, np.min(logs, axis=0) if logs else doubles.INFINITE, -FAR)


def _powers(squares: Complexes, exponents: tuple[Integers, Integers]) -> Complexes:
    """The power of the first half of the bases times that of the second, one row for each pair of exponents.

    Args:
        squares: the powers 2^i of both halves, a row for each i.
        exponents: no more factors are multiplied than they have binary digits.
    """
    product = np.ones((len(exponents[0]), squares.shape[1] // 2), complex)
    for i, row in enumerate(squares):
        for half, exponent in zip(np.split(row, 2), exponents, strict=True):
            product[exponent >> i & 1 == 1] *= half
    return product


def _evaluate(
    shared: Shared, saddles: Sequence[CommonTilt], a: Integers, b: Integers, t: Integers
) -> tuple[Reals, Reals, Integers | None]:
    """Lower and upper ends of delta, and in which direction t should move if any should."""
    return _ends(sums(shared, saddles, a, b, t), t, a + b + (shared.k - 1))


def _ends(found: Sums, t: Integers, last: Integers) -> tuple[Reals, Reals, Integers | None]:
    """The same from the sums at t, of ``last`` at most."""
    values, errors = found.values, found.errors
    high, low = values + errors, values - errors
    upper = (high[0] + np.maximum(np.maximum(high[3], -low[2]), 0.0)) * (found.upper * (1 + found.exponent))
    upper = np.fmin(np.maximum(upper, LEAST), 1.0)  # 1 of what is no number too
    lower = (low[0] + np.maximum(np.maximum(low[3], -high[2]), 0.0)) * (found.lower * (1 - found.exponent))
    lower = np.where((lower >= LEAST) & (lower < 1.0), lower, 0.0)
    rises, falls = low[1] > 0, high[4] < 0
    if (rises & falls).all():
        return lower, upper, None
    start, end = t <= 1, t >= last - 1
    settled = (rises | start) & (falls | end)
    if settled.all():
        return lower, upper, None
    upper[~settled] = 1.0
    return lower, upper, ((low[4] > 0) & ~end).astype(np.int64) - ((high[1] < 0) & ~start)
