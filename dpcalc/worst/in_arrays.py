r"""delta of many pools at once, in arrays: the sums of ``inversion_in_doubles`` at the right thresholds.

*Thresholds.* P_1(S = i) / P_0(S = i) grows with i, so that d_i = h_i - h_{i-1} changes sign once, from + to -. Where
d_{t-1} > 0 > d_{t+2} is proven, delta is the largest of h_{t-1}, h_t, h_{t+1}. At the ends no proof is needed: for
t <= 1 nothing lies below t - 1 but h_{-1} = 0, and from the degree on h is 1 - lambda <= 0.

t and circles are chosen in floating point, which may only steer.

Source: proof notes, 9.2 and 9.14.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence

import numpy as np
from flint import arb

from dpcalc.numbers.doubles import Integers, Reals
from dpcalc.worst.circle import Circle, CommonTilt
from dpcalc.worst.inversion_in_doubles import Sums, sums
from dpcalc.worst.truncation import LEAST

FIRST, MOST = 6_000, 20_000  #: ranges in the first pass, and in all
ENVELOPES = True  #: whether bounds of whole ranges are at hand
_LEAST_FADING = 1e-300  # that steers
_MOVES = 6  # passes in which t may move
_ALIKE = 64.0  # how many times as large as another the variance of a pool on the same circle may be


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
        lower, upper = _grouped(saddles, a, b, rtol)
    return lower.tolist(), upper.tolist()


def _together(saddles: Sequence[CommonTilt]) -> CommonTilt:
    """Several limits on one circle; bounds of aliases grow with lambda, so that those of the largest do for all."""
    if len(saddles) == 1:
        return saddles[0]
    limit, first = max((x.limit for x in saddles), key=arb.upper), saddles[0]
    likely, unlikely, *each = np.array([x.each for x in saddles]).T[:, :, None]
    if all(x.each[:2] == first.each[:2] for x in saddles):  # one t for all
        likely, unlikely = first.likely, first.unlikely
    return first.at((likely, unlikely, *each), limit)


def _grouped(saddles: Sequence[CommonTilt], a: Integers, b: Integers, rtol: float) -> tuple[Reals, Reals]:
    """The same; pools of very different variance need circles of their own."""
    spread = saddles[0].spread(a, b)
    least, most = float(spread.min()), float(spread.max())
    if most + 1 <= _ALIKE * (least + 1):
        return _settle(saddles, a, b, (least, most), rtol)
    groups = np.floor(np.log((spread + 1) / (least + 1)) / math.log(_ALIKE))
    lower, upper = np.zeros((len(saddles), len(a))), np.ones((len(saddles), len(a)))
    for group in np.unique(groups):
        where = np.nonzero(groups == group)[0]
        alike = float(spread[where].min()), float(spread[where].max())
        lower[:, where], upper[:, where] = _settle(saddles, a[where], b[where], alike, rtol)
    return lower, upper


def _settle(
    saddles: Sequence[CommonTilt], a: Integers, b: Integers, spreads: tuple[float, float], rtol: float
) -> tuple[Reals, Reals]:
    """The same on one circle, for variances between two; t moves where its place is proven wrong."""
    saddle, middle = _together(saddles), saddles[len(saddles) // 2]
    last = a + b + (saddle.k - 1)
    record = 0.5 * saddle.k * (saddle.likely + saddle.unlikely)
    t = np.atleast_2d(a * saddle.likely + b * saddle.unlikely + record).astype(np.int64)
    t = np.minimum(t, last)
    circle, least = Circle.around(middle, a, b, t, spreads, rtol * _fading(saddles, spreads[1])), spreads[0]
    lower, upper, move = _evaluate(saddle, a, b, t, circle, least)
    for _ in range(_MOVES):
        if move is None or not move.any():
            break
        limits, pools = (np.nonzero(move.any(axis=axis))[0] for axis in (1, 0))
        moved, t = np.ix_(limits, pools), np.broadcast_to(t, move.shape).copy()
        t[moved] = np.minimum(np.maximum(t[moved] + 2 * move[moved], 0), last[pools])
        some = _together([saddles[i] for i in limits.tolist()])
        lower[moved], upper[moved], again = _evaluate(some, a[pools], b[pools], t[moved], circle, least)
        move[:] = 0
        if again is not None:
            move[moved] = again
    return lower, upper


def _fading(saddles: Sequence[CommonTilt], spread: float) -> float:
    """How much smaller h_t is of a limit whose tilt is not the circle's, beside what it would be there; it steers."""
    if len(saddles) == 1:
        return 1.0
    centre = _tilt(float(saddles[0].mu))
    away = max(abs(_tilt(one.likely) - centre) for one in (saddles[0], saddles[-1]))
    return max(_LEAST_FADING, math.exp(-spread * away * away / 2))


def _tilt(chance: float) -> float:
    """Of a tilted probability, but for a constant; one that rounds to 0 or 1 is taken for the next number."""
    chance = min(max(chance, sys.float_info.min), 1 - sys.float_info.epsilon)
    return math.log(chance) - math.log1p(-chance)


def _evaluate(
    saddle: CommonTilt, a: Integers, b: Integers, t: Integers, circle: Circle, spread: float
) -> tuple[Reals, Reals, Integers | None]:
    """Lower and upper ends of delta, and in which direction t should move if any should; V is ``spread`` or more."""
    return _ends(sums(saddle, a, b, t, circle, spread), t, a + b + (saddle.k - 1))


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
