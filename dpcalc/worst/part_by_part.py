r"""delta at many limits above the compositions of each part, in arrays.

Ranges as in ``one_pass``, every part with its own: one is cut as long as its bound is far above the largest delta of
its part. Where counts vary much, an envelope of each part.

Source: proof notes, 9.1, 9.17 and C23.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

import numpy as np

from dpcalc.numbers.doubles import Integers
from dpcalc.worst import in_arrays
from dpcalc.worst.circle import CommonTilt, Own, TooMany
from dpcalc.worst.envelope_in_doubles import envelopes
from dpcalc.worst.one_pass import VARIED, circles, halved, lowered
from dpcalc.worst.ranges import Ripple, cut, ranges

_PASSES = 4  # in which ranges are cut
_MOST, _FEW = 400, 100  # ranges of a part to start with; wider ones are looked for beyond
_MANY, _LOOKED = 10, 8  # ranges of a part, from which on tops of the ripple are looked at; of so many limits, about
_SMALL = 1e-4  # a share of the largest delta: bounds below it need not be sharp


def of_each(
    own: Own, k: int, others: int, lams: Sequence[tuple[Fraction, Fraction]], parts: Sequence[tuple[int, int]],
    rtols: Sequence[float],
) -> list[list[Fraction] | None]:  # fmt: skip
    """At or above delta_m for every m from the first to the last of a part, for each, at many limits; None where that
    is not served.

    About a relative width above the largest, unless that takes many passes. Arguments as of ``one_pass.together``.
    """
    told = list[list[Fraction] | None]()
    for alike, saddles, least in circles(own, k, others, lams):
        if saddles is None or least is None:
            told += [None] * len(lams[alike])
            continue
        if saddles[0].variance(others) > VARIED and (found := _enveloped(others, parts, saddles, min(rtols[alike]))):
            told += found
            continue
        first = np.array([
            (i, *ends) for i, part in enumerate(parts) for ends in _first(least, others, part, min(rtols[alike]))
        ]).T  # fmt: skip
        told += halved(partial(_bounds, others, parts, first), saddles, rtols[alike], first.shape[1])
    return told


def _enveloped(
    others: int, parts: Sequence[tuple[int, int]], saddles: Sequence[CommonTilt], rtol: float
) -> list[list[Fraction] | None] | None:
    """The same by an envelope of each part, where all of them prove something."""
    try:
        uppers = [upper for _, upper in envelopes(saddles, others, parts, rtol=rtol / 8)]
    except TooMany:
        return None
    if max(map(max, uppers)) >= 1:
        return None
    return [[lowered(x, saddle) for x in row] for row, saddle in zip(zip(*uppers, strict=True), saddles, strict=True)]


def _bounds(
    others: int, parts: Sequence[tuple[int, int]], first: Integers, saddles: Sequence[CommonTilt],
    rtols: Sequence[float],
) -> list[list[Fraction] | None]:  # fmt: skip
    """Of each part at each limit: what is above it in the last pass is cut no more."""
    best, found = np.zeros((2, len(saddles), len(parts)))
    part, low, high = first
    if saddles[0].k == 1 and len(part) > _MANY * len(parts):
        part, low, high = np.hstack((first, _tops(others, parts, saddles[:: len(saddles) // _LOOKED + 1])))
    for left in range(_PASSES, -1, -1):
        if len(part) > in_arrays.MOST:
            raise TooMany
        ends = in_arrays.deltas(saddles, low.tolist(), (others - high).tolist(), min(rtols))
        lower, upper = (np.array(each) for each in ends)
        if saddles[0].halvings:
            upper[upper >= 1] = np.inf  # 1 is no bound of what is lifted
        alone = low == high
        for i in range(len(parts)):
            best[:, i] = np.maximum(best[:, i], lower[:, alone & (part == i)].max(axis=1, initial=0.0))
        most = best.max(axis=1, keepdims=True)
        if not most.all():
            raise TooMany  # too faint
        levels = np.maximum(best * (1 + np.array(rtols)[:, None]), most * _SMALL)
        failed = (upper > levels[:, part]) & ~alone & (left > 0)
        for i in range(len(parts)):
            held = np.where(failed, 0.0, upper)[:, part == i]
            found[:, i] = np.maximum(found[:, i], held.max(axis=1, initial=0.0))
        again = failed.any(axis=0)
        if not again.any():
            break
        part, low, high = _cut(part[again], low[again], high[again])
    return [[lowered(x, saddle) for x in row] for saddle, row in zip(saddles, found.tolist(), strict=True)]


def _tops(others: int, parts: Sequence[tuple[int, int]], saddles: Sequence[CommonTilt]) -> Integers:
    """An m of each part that may have the largest delta there, for each limit."""
    starts = [start for start, _ in parts]
    shapes = [Ripple(saddle.likely, saddle.unlikely, others) for saddle in saddles]
    tops = {(i, round(top)) for shape in shapes for i, top in enumerate(shape.tops(starts))}
    return np.array([(i, m, m) for i, m in tops if parts[i][0] < m <= parts[i][1]], dtype=np.int64).reshape(-1, 3).T


def _first(saddle: CommonTilt, others: int, part: tuple[int, int], rtol: float) -> list[tuple[int, int]]:
    """Ranges of a part to start with."""
    try:
        return list(zip(*ranges(saddle, others, rtol, _MOST, _FEW, part), strict=True))
    except TooMany:
        return list(zip(*cut([part[0]], [part[1]]), strict=True))


def _cut(part: Integers, low: Integers, high: Integers) -> tuple[Integers, Integers, Integers]:
    """Every range in four, and one composition out of its middle."""
    width = (high - low) // 4 + 1
    starts = low + width * np.arange(4)[:, None]
    ends = np.minimum(starts + width - 1, high)
    middle = (low + high) // 2
    starts, ends = np.vstack((starts, middle)), np.vstack((ends, middle))
    kept = starts <= high
    return np.broadcast_to(part, starts.shape)[kept], starts[kept], ends[kept]
