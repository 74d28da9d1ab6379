"""delta of many pools where there are no arrays, on one circle for each limit.

Thresholds, circles and bounds are those of ``in_arrays``; the calculator's page evaluates the pools.

Source: proof notes, 9.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from itertools import chain
from operator import mul

from dpcalc.worst.circle import Circle, CommonTilt
from dpcalc.worst.on_circle import MOVES, Shared

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
    pools = [(saddles[0].k * one, saddles[0].k * zero) for one, zero in zip(ones, zeros, strict=True)]
    found = [list(zip(*_settle(saddle, pools, rtol), strict=True)) for saddle in saddles]
    return [list(lower) for lower, _ in found], [list(upper) for _, upper in found]


def _settle(saddle: CommonTilt, pools: Sequence[tuple[int, int]], rtol: float) -> list[tuple[float, float]]:
    """Of one limit; t moves where its place is proven wrong."""
    spreads = [a * saddle.spread_mu + b * saddle.spread_nu for a, b in pools]
    record = 0.5 * saddle.k * (saddle.likely + saddle.unlikely)
    places = [
        min(int(a * saddle.likely + b * saddle.unlikely + record), a + b + saddle.k - 1) for a, b in pools
    ]  # fmt: skip
    farthest = {max(range(len(pools)), key=lambda i: pools[i][side]) for side in (0, 1)}
    extremes = [(float(pools[i][0]), float(pools[i][1]), float(places[i])) for i in farthest]
    circle = Circle.serving(saddle, extremes, (min(spreads), max(spreads)), rtol, _MAX_CELLS // len(pools))
    shared = Shared.of(saddle, circle, max(map(max, pools)), max(places) + 2 * MOVES, min(spreads))
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
