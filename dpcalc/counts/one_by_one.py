r"""The one pass over all compositions without arrays: its pools one by one.

Ranges, circles and bounds are those of ``one_pass``, see there; ``on_circle`` evaluates the pools. As a rule a dozen
points of a circle matter, and a pool takes some 30 microseconds in Python.

Source: the proof notes, section "One pass".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from dpcalc.counts import on_circle
from dpcalc.counts.circle import Circle, CommonTilt, TooMany
from dpcalc.counts.on_circle import MOVES, Tables
from dpcalc.counts.ranges import Found, cut, ranges

__all__ = ["singles", "worst"]

_MAX_RANGES = 8_000
_MAX_FIRST = 3_000  # ranges in the first pass
_MAX_CELLS = 100_000  # pools times points kept
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
    """As ``one_pass.worst``.

    >>> found = worst(Fraction(1, 4), 1, 999, (Fraction(11, 10), Fraction(11, 10)), rtol=1e-9)
    >>> found.ones, f"{float(found.lower):.6e}"
    (1, '7.223376e-05')
    """
    saddle = CommonTilt.of(q, k, k * (others + 1), lam)
    try:
        return None if saddle is None else _search(saddle, others, rtol, target)
    except TooMany:
        return None


def singles(
    q: Fraction, k: int, others: int, lam: tuple[Fraction, Fraction], ms: Sequence[int], *, rtol: float = 1e-9
) -> list[tuple[Fraction, Fraction]] | None:
    """As ``one_pass.singles``."""
    saddle = CommonTilt.of(q, k, k * (others + 1), lam)
    if saddle is None:
        return None
    try:
        found = _deltas(saddle, [(m, others - m) for m in ms], rtol)
    except TooMany:
        return None
    return [(Fraction(low), Fraction(high)) for low, high in found]


def _search(saddle: CommonTilt, others: int, rtol: float, target: Fraction | None) -> Found | None:
    """Bound all ranges; cut those that may exceed the best."""
    low, high = ranges(saddle, others, rtol, _MAX_FIRST)
    best, ones, ceiling, seen = -1.0, 0, 0.0, 0
    while True:
        seen += len(low)
        if seen > _MAX_RANGES:
            return None
        found = _deltas(saddle, [(m, others - n) for m, n in zip(low, high, strict=True)], rtol)
        for m, n, (lower, _) in zip(low, high, found, strict=True):
            if m == n and lower > best:
                best, ones = lower, m
        if target is not None and best > target:
            return Found(Fraction(best), Fraction(1), ones)
        if target is None and best <= 0:
            return None  # below the range of doubles
        level = best * (1 + rtol) if target is None else target
        ceiling = max([ceiling, *(upper for _, upper in found if upper <= level)])
        failed = [i for i, (_, upper) in enumerate(found) if upper > level]
        if not failed:
            return Found(Fraction(max(best, 0.0)), Fraction(max(ceiling, best)), ones)
        if any(low[i] == high[i] for i in failed):
            return None
        low, high = cut([low[i] for i in failed], [high[i] for i in failed])


def _deltas(saddle: CommonTilt, pools: list[tuple[int, int]], rtol: float) -> list[tuple[float, float]]:
    """Enclosures of delta of the pools with so many ones and zeros; those not settled have the upper end 1.

    Pools of very different variance need circles of their own.
    """
    k, groups = saddle.k, dict[int, list[int]]()
    spreads = [k * (one * saddle.spread_mu + zero * saddle.spread_nu) for one, zero in pools]
    least = min(spreads)
    alike = max(spreads) + 1 <= _ALIKE * (least + 1)
    for i, spread in enumerate(spreads):
        group = 0 if alike else math.floor(math.log((spread + 1) / (least + 1)) / math.log(_ALIKE))
        groups.setdefault(group, []).append(i)
    found = [(0.0, 1.0)] * len(pools)
    for same in groups.values():
        members = [(k * pools[i][0], k * pools[i][1]) for i in same]
        ends = min(spreads[i] for i in same), max(spreads[i] for i in same)
        for i, both in zip(same, _settle(saddle, members, ends, rtol), strict=True):
            found[i] = both
    return found


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
    tables = Tables.of(saddle, circle, max(map(max, pools)), max(places) + 2 * MOVES, spreads[0])
    return on_circle.evaluate(tables, [(a, b, t) for (a, b), t in zip(pools, places, strict=True)])
