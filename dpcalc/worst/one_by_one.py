"""delta of many pools where there are no arrays, on circles shared by those of about the same variance.

Thresholds, circles and bounds are those of ``in_arrays``; the calculator's page evaluates the pools.

Source: proof notes, 9.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from itertools import chain
from operator import mul

from dpcalc.worst.circle import Circle, CommonTilt
from dpcalc.worst.on_circle import ALIKE, MOVES, Shared

MOST = 8_000  #: ranges in all passes
ENVELOPES = False  #: whether bounds of whole ranges are at hand
_MAX_CELLS = 100_000  # pools times points kept


#: Lower and upper end of delta of each pool at its a, b and the first t to look at, the upper end 1 where it is not
#: settled, from such tables: in JavaScript, where the calculator's page has put it here.
evaluate: Callable[[list[array[float]], Sequence[tuple[int, int, int]]], list[tuple[float, float]]] | None = None


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
    for i, spread in enumerate(spreads):
        groups.setdefault(math.floor(math.log((spread + 1) / (least + 1)) / math.log(ALIKE)), []).append(i)
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
    assert evaluate
    return evaluate(flat(saddle, shared), [(a, b, t) for (a, b), t in zip(pools, places, strict=True)])


def flat(saddle: CommonTilt, shared: Shared) -> list[array[float]]:
    """The tables at the limit of the saddle as doubles, real and imaginary parts in turn.

    Squares, roots, weights (C_j / M, or twice that for a pair of conjugate points; a row for each of h_t, d_{t-1}, ...,
    d_{t+2}), errors of each row, forms; and the numbers that stand alone.
    """
    rise, parts = saddle.rise, (1.0, abs(saddle.rise), saddle.off, saddle.wide)
    weights = [
        [x + rise * y for x, y in zip(*rows, strict=True)] for rows in zip(shared.first, shared.second, strict=True)
    ]  # fmt: skip
    complexes = [
        array("d", [x for row in rows for z in row for x in (z.real, z.imag)])
        for rows in (shared.squares, [shared.roots], weights)
    ]
    errors = [sum(map(mul, parts, each)) for each in shared.errors]
    rest, rest_error = saddle.excess * shared.share, shared.front_error + saddle.excess_error
    alone = [
        shared.k, shared.points, shared.rights, shared.constant, rest, rest_error, shared.front_error,
        shared.alias_error, shared.covered,
    ]  # fmt: skip
    return [*complexes, array("d", errors), array("d", chain.from_iterable(shared.forms)), array("d", alone)]
