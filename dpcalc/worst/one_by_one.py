"""delta of many pools where there are no arrays, on circles shared by those of about the same variance.

Thresholds, circles and bounds are those of ``in_arrays``; the calculator's page evaluates the pools.

Source: proof notes, 9.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from dpcalc.worst import on_circle
from dpcalc.worst.circle import Circle, CommonTilt
from dpcalc.worst.on_circle import MOVES, Shared, Tables

FIRST, MOST = 3_000, 8_000  #: ranges in the first pass, and in all
ENVELOPES = False  #: whether bounds of whole ranges are at hand
_MAX_CELLS = 100_000  # pools times points kept
_ALIKE = 64.0  # how many times as large as another the variance of a pool on the same circle may be


def deltas(
    saddles: Sequence[CommonTilt], ones: Sequence[int], zeros: Sequence[int], rtol: float
) -> tuple[list[list[float]], list[list[float]]]:
    """As ``in_arrays.deltas``, one limit after the other."""
    found = [_deltas(saddle, ones, zeros, rtol) for saddle in saddles]
    return [lower for lower, _ in found], [upper for _, upper in found]


def _deltas(
    saddle: CommonTilt, ones: Sequence[int], zeros: Sequence[int], rtol: float
) -> tuple[list[float], list[float]]:
    """Of one limit; pools of very different variance need circles of their own."""
    k, groups, pools = saddle.k, dict[int, list[int]](), list(zip(ones, zeros, strict=True))
    spreads = [k * (one * saddle.spread_mu + zero * saddle.spread_nu) for one, zero in pools]
    least = min(spreads)
    alike = max(spreads) + 1 <= _ALIKE * (least + 1)
    for i, spread in enumerate(spreads):
        group = 0 if alike else math.floor(math.log((spread + 1) / (least + 1)) / math.log(_ALIKE))
        groups.setdefault(group, []).append(i)
    lower, upper = [0.0] * len(pools), [1.0] * len(pools)
    for same in groups.values():
        members = [(k * pools[i][0], k * pools[i][1]) for i in same]
        ends = min(spreads[i] for i in same), max(spreads[i] for i in same)
        for i, both in zip(same, _settle(saddle, members, ends, rtol), strict=True):
            lower[i], upper[i] = both
    return lower, upper


def _settle(
    saddle: CommonTilt, pools: list[tuple[int, int]], spreads: tuple[float, float], rtol: float
) -> list[tuple[float, float]]:
    """The same on one circle, for variances between two; t moves where its place is proven wrong."""
    record = 0.5 * saddle.k * (saddle.likely + saddle.unlikely)
    places = [
        min(int(a * saddle.likely + b * saddle.unlikely + record), a + b + saddle.k - 1) for a, b in pools
    ]  # fmt: skip
    farthest = {max(range(len(pools)), key=lambda i: pools[i][side]) for side in (0, 1)}
    extremes = [(float(pools[i][0]), float(pools[i][1]), float(places[i])) for i in farthest]
    circle = Circle.serving(saddle, extremes, spreads, rtol, _MAX_CELLS // len(pools))
    shared = Shared.of(saddle, circle, max(map(max, pools)), max(places) + 2 * MOVES, spreads[0])
    assert on_circle.evaluate
    return on_circle.evaluate(Tables.of(saddle, shared), [(a, b, t) for (a, b), t in zip(pools, places, strict=True)])
