r"""delta(eps) over all datasets in one pass: every range of compositions is a pool of its own in one Fourier inversion.

Of N = ``others`` records beside the changed one, m hold 1; each is randomized k times. With h_t of
``inversion_in_doubles`` for a = k m, b = k (N - m), delta_m = max_t h_t; wanted is its largest value over 0 <= m <= N.
``envelope`` bounds many m at once by balls; here doubles with counted errors do, so that a question takes about half a
millisecond.

*Ranges.* For m_0 <= m <= m_1, delta_m is at most delta of the pool with m_0 ones and N - m_1 zeros: dropping reports is
post-processing. log delta_m is nearly linear in m, so that ranges of geometric widths, counted from the worse end, will
do; those that do not are cut in four.

*Thresholds.* P_1(S = i) / P_0(S = i) grows with i, so that d_i = h_i - h_{i-1} changes sign once, from + to -. Where
d_{t-1} > 0 > d_{t+2} is proven, delta is the largest of h_{t-1}, h_t, h_{t+1}. At the ends no proof is needed: for
t <= 1 nothing lies below t - 1 but h_{-1} = 0, and from the degree on h is 1 - lambda <= 0.

What is too flat, too steep or too faint to be served in a few milliseconds is refused: the answer is None. Ranges, t
and circles are chosen in floating point, which may only steer.

Source: MATH.md's facts 4, 6 and 8; all bounds are derived in the proof notes, section "One pass".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from dpcalc.counts.circle import Circle, CommonTilt, TooMany
from dpcalc.counts.inversion_in_doubles import sums
from dpcalc.counts.ranges import Found, ranges
from dpcalc.numbers.doubles import UNIT, Integers, Reals

__all__ = ["Found", "singles", "worst"]

_MAX_RANGES = 20_000
_MAX_FIRST = 6_000  # ranges in the first pass
_MOVES = 6  # passes in which t may move
_ALIKE = 64.0  # how many times as large as another the variance of a pool on the same circle may be


def worst(
    q: Fraction,
    k: int,
    others: int,
    lam: tuple[Fraction, Fraction],
    *,
    rtol: float,
    target: Fraction | None = None,
) -> Found | None:
    """max_m delta_m to relative width ``rtol``; None where it is not served.

    Args:
        q: 0 < q < 1/2.
        k: reports of each record.
        others: N.
        lam: two ends around lambda >= 1, the closer the better: a relative 1e-20 costs nothing.
        rtol: relative width, from about 1e-9.
        target: decide only whether the maximum is at or below it: then either upper <= target or lower > target.

    >>> found = worst(Fraction(1, 4), 1, 999, (Fraction(11, 10), Fraction(11, 10)), rtol=1e-9)
    >>> found.ones, f"{float(found.lower):.6e}"
    (1, '7.223376e-05')
    """
    saddle = CommonTilt.of(q, k, k * (others + 1), lam)
    try:
        with np.errstate(all="ignore"):  # what is no number settles nothing, see ``_evaluate``
            return None if saddle is None else _search(saddle, others, rtol, target)
    except TooMany:
        return None


def singles(
    q: Fraction, k: int, others: int, lam: tuple[Fraction, Fraction], ms: Sequence[int], *, rtol: float = 1e-9
) -> list[tuple[Fraction, Fraction]] | None:
    """Enclosures of delta_m for some m, of relative width about ``rtol`` or wider; None where none is served."""
    saddle = CommonTilt.of(q, k, k * (others + 1), lam)
    if saddle is None:
        return None
    ones = np.array(ms, dtype=np.int64)
    try:
        lower, upper = _deltas(saddle, ones, others - ones, rtol)
    except TooMany:
        return None
    return [(Fraction(low), Fraction(high)) for low, high in zip(lower.tolist(), upper.tolist(), strict=True)]


def _search(saddle: CommonTilt, others: int, rtol: float, target: Fraction | None) -> Found | None:
    """Bound all ranges; cut those that may exceed the best."""
    low, high = _ranges(saddle, others, rtol)
    goal = None if target is None else _at_most(target)
    best, ones, ceiling, seen = -1.0, 0, 0.0, 0
    while True:
        seen += len(low)
        if seen > _MAX_RANGES:
            return None
        lower, upper = _deltas(saddle, low, others - high, rtol)
        lower[low != high] = -1.0
        i = int(lower.argmax())
        if lower[i] > best:
            best, ones = float(lower[i]), int(low[i])
        if goal is not None and best > goal:
            return Found(Fraction(best), Fraction(1), ones)
        if goal is None and best <= 0:
            return None  # below the range of doubles
        failed = upper > (best * (1 + rtol) if goal is None else goal)
        if not failed.any():
            return Found(Fraction(max(best, 0.0)), Fraction(max(ceiling, best, float(upper.max()))), ones)
        if (failed & (low == high)).any():
            return None
        ceiling = max(ceiling, float(upper.max(initial=0.0, where=~failed)))
        low, high = _cut(low[failed], high[failed])


def _at_most(x: Fraction) -> float:
    """The largest double at or below x."""
    near = float(x)
    return near if near <= x else math.nextafter(near, -math.inf)


def _cut(low: Integers, high: Integers, parts: int = 4) -> tuple[Integers, Integers]:
    """Every range in so many parts, and one composition out of the middle of each range."""
    width = (high - low) // parts + 1
    starts = np.concatenate([low + i * width for i in range(parts)])
    ends = np.minimum(starts + np.tile(width, parts) - 1, np.tile(high, parts))
    some, middle = starts <= ends, (low + high) // 2
    return np.concatenate((starts[some], middle)), np.concatenate((ends[some], middle))


def _deltas(saddle: CommonTilt, ones: Integers, zeros: Integers, rtol: float) -> tuple[Reals, Reals]:
    """Enclosures of delta of the pools with so many ones and zeros; those not settled have the upper end 1.

    Pools of very different variance need circles of their own.
    """
    a, b = saddle.k * ones, saddle.k * zeros
    spread = saddle.spread(a, b)
    least, most = float(spread.min()), float(spread.max())
    if most + 1 <= _ALIKE * (least + 1):
        return _settle(saddle, a, b, (least, most), rtol)
    groups = np.floor(np.log((spread + 1) / (least + 1)) / math.log(_ALIKE))
    lower, upper = np.empty(len(a)), np.empty(len(a))
    for group in np.unique(groups):
        where = np.nonzero(groups == group)[0]
        alike = float(spread[where].min()), float(spread[where].max())
        lower[where], upper[where] = _settle(saddle, a[where], b[where], alike, rtol)
    return lower, upper


def _settle(
    saddle: CommonTilt, a: Integers, b: Integers, spreads: tuple[float, float], rtol: float
) -> tuple[Reals, Reals]:
    """The same on one circle, for variances between two; t moves where its place is proven wrong."""
    last = a + b + (saddle.k - 1)
    record = 0.5 * saddle.k * (saddle.likely + saddle.unlikely)
    t = (a * saddle.likely + b * saddle.unlikely + record).astype(np.int64)
    t = np.minimum(t, last)
    circle = Circle.around(saddle, a, b, t, spreads, rtol)
    lower, upper, move = _evaluate(saddle, a, b, t, circle)
    for _ in range(_MOVES):
        if move is None:
            break
        moved = np.nonzero(move)[0]
        if not moved.size:
            break
        t[moved] = np.minimum(np.maximum(t[moved] + 2 * move[moved], 0), last[moved])
        lower[moved], upper[moved], again = _evaluate(saddle, a[moved], b[moved], t[moved], circle)
        move[moved] = 0 if again is None else again
    return lower, upper


def _evaluate(
    saddle: CommonTilt, a: Integers, b: Integers, t: Integers, circle: Circle
) -> tuple[Reals, Reals, Integers | None]:
    """Lower and upper ends of delta, and in which direction t should move if any should."""
    found = sums(saddle, a, b, t, circle)
    high, low = (found.values + found.errors).T, (found.values - found.errors).T
    rise = np.maximum(np.maximum(high[3], -low[2]), 0.0)
    slack = (8 * UNIT) * (np.abs(high[0]) + rise + 2 * found.errors[:, 0])
    upper = np.maximum(high[0] + rise + slack, 0.0) * (found.upper * (1 + found.exponent))
    rise = np.maximum(np.maximum(low[3], -high[2]), 0.0)
    lower = np.maximum((low[0] + rise - slack) * (found.lower * (1 - found.exponent)), 0.0)

    start, end = t <= 1, t >= a + b + (saddle.k - 2)
    settled = ((low[1] > 0) | start) & ((high[4] < 0) | end)
    upper = np.where(settled & (upper < 1.0), upper, 1.0)  # not a number neither
    lower = np.where(lower < math.inf, lower, 0.0)
    if settled.all():
        return lower, upper, None
    return lower, upper, ((low[4] > 0) & ~end).astype(np.int64) - ((high[1] < 0) & ~start)


def _ranges(saddle: CommonTilt, others: int, rtol: float) -> tuple[Integers, Integers]:
    low, high = ranges(saddle, others, rtol, _MAX_FIRST)
    return np.array(low), np.array(high)
