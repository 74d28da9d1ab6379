r"""delta(eps) over all datasets in one pass: every range of compositions is a pool of its own in one Fourier inversion.

Of N = ``others`` records beside the changed one, m hold 1; each is randomized k times. With h_t of
``on_circle`` for a = k m, b = k (N - m), delta_m = max_t h_t; wanted is its largest value over 0 <= m <= N.
``envelope`` bounds many m at once by balls; here doubles with counted errors do, so that a question takes about half a
millisecond.

*Ranges.* For m_0 <= m <= m_1, delta_m is at most delta of the pool with m_0 ones and N - m_1 zeros: dropping reports is
post-processing. log delta_m is nearly linear in m, so that ranges of geometric widths, counted from the worse end, will
do; those that do not are cut in four. Where counts vary much, ``envelope_in_doubles`` bounds all m in a few ranges, for
many limits at once. Of some parts of all m the largest delta of each is bounded in the same passes, as sharply as a few
of them allow.

Deltas below the range of doubles are found times a power of two (``CommonTilt.lifted``). What is too flat or too steep
to be served in a few milliseconds is refused: the answer is None. Ranges are chosen in floating point, which may only
steer.

Source: proof notes, 9; for the ranges 9.1, for parts C23.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from dpcalc.numbers.arrays import arrays
from dpcalc.numbers.rational import reduced
from dpcalc.worst import one_by_one
from dpcalc.worst.circle import APART, CommonTilt, Own, TooMany, root, tilted

_LARGE = Fraction(1 << 1000)  # more than any end that is lifted
#: Of limits that share a circle the largest is so many times the least, and there are so many at most; of pools times
#: limits so many are looked at together.
_GROWN, _LIMITS, _ROWS = 4, 256, 8192
#: Shares of its distance from the end that the width of a first range is at least, at least of parts, and at most. In
#: so many passes parts are cut.
_THINNEST, _ROUGH, _WIDEST, _PASSES = 1 / 128, 1 / 16, 1 / 4, 4
_TOGETHER = 256  # ranges, up to which a pass takes about as long as with few: what failed is cut in as many
_SMALL = 1e-4  # a share of the largest delta: bounds of parts below it need not be sharp
_FAINT = 1e-60  # the smallest root that is told
_VARIED = 5_000  # from this variance of a count on an envelope is sharp
_FEW, _VARIED_MUCH = 2, 200_000  # limits times parts, for which ranges are quicker up to this variance
_SHARES = (16, 4)  # of all compositions, where envelopes end


@dataclass(frozen=True, slots=True)
class Largest:
    """The largest delta over all compositions, or over those of a part.

    Attributes:
        lower, upper: lower <= max_m delta_m <= upper.
        ones: an m with delta_m >= lower.
    """

    lower: Fraction
    upper: Fraction
    ones: int


class Pools(Protocol):
    """How the deltas of many pools are enclosed."""

    MOST: int
    ENVELOPES: bool

    def deltas(
        self, saddles: Sequence[CommonTilt], ones: Sequence[int], zeros: Sequence[int], rtol: float
    ) -> tuple[list[list[float]], list[list[float]]]:
        """Lower and upper ends for so many ones and zeros, a row for each limit; the limits share a circle."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked at every limit.

    Attributes:
        others: N.
        parts: the first and the last m of each.
        rough: a bound of each part will do, as sharp as a few passes make it.
        pools: in arrays, or one by one.
    """

    others: int
    parts: Sequence[tuple[int, int]]
    rough: bool
    pools: Pools


def together(
    own: Own, k: int, others: int, lams: Sequence[tuple[Fraction, Fraction]], rtols: Sequence[float],
    parts: Sequence[tuple[int, int]], *, rough: bool = False, pools: Pools | None = None,
) -> list[list[Largest] | None]:  # fmt: skip
    """max_m delta_m over each part for many limits, each to a relative width; None where it is not served here.

    Limits near each other share a circle and ranges. One that does not, or one by one, may serve where this does not.

    Args:
        own: the chance that a report is 1 if the bit is 0, and if it is 1, which is larger.
        k: reports of each record.
        others: N.
        lams: two ends around each lambda >= 1, the closer the better (a relative 1e-20 costs nothing), in rising order.
        rtols: relative widths, from about 1e-12.
        parts: the first and the last m of each.
        rough: upper ends are what counts: about a relative width above the largest, unless that takes many passes.
        pools: by default those that are at hand.

    >>> lam = Fraction(11, 10), Fraction(11, 10)
    >>> ((found,),) = together((Fraction(1, 4), Fraction(3, 4)), 1, 999, [lam], [1e-9], [(0, 999)])
    >>> found.ones, f"{float(found.lower):.6e}"
    (1, '7.223376e-05')
    """
    found = list[list[Largest] | None]()
    for alike, saddles, least in circles(own, k, others, lams):
        at_hand = pools or _pools() if saddles and least else None  # numpy only where it serves: its import is slow
        if saddles is None or least is None or at_hand is None:
            found += [None] * len(lams[alike])
        else:
            asked = _Asked(others, parts, rough, at_hand)
            found += _shared(saddles, least, rtols[alike], asked)
    return found


def _alike(
    own: Own, reports: int, lams: Sequence[tuple[Fraction, Fraction]], roots: Sequence[float], start: int
) -> slice:
    """The limits from one on whose tilts lie within some standard deviations; it steers."""
    first = max(roots[start], _FAINT)
    chances = tilted(own, first)
    far = APART / math.sqrt(reports * max(x * (1 - x) for x in chances) + 1)
    stop = start + 1
    while stop < len(lams) and stop < start + _LIMITS and roots[stop] > first * math.exp(-far):
        if lams[stop][0] > _GROWN * lams[start][0]:
            break
        stop += 1
    return slice(start, stop)


def circles(
    own: Own, k: int, others: int, lams: Sequence[tuple[Fraction, Fraction]]
) -> Iterator[tuple[slice, list[CommonTilt] | None, CommonTilt | None]]:
    """Limits that share a circle: which they are, each on it, and the least of them; None where they are not served."""
    roots, start = [root(own, k, lam) if lam[1] < _LARGE else 0.0 for lam in lams], 0
    while start < len(lams):
        alike = _alike(own, k * (others + 1), lams, roots, start)
        places = sorted({start, (start + alike.stop) // 2})
        tilts = [CommonTilt.of(own, k, k * (others + 1), lams[i]) for i in places]
        least, middle, saddles = tilts[0], tilts[-1], None
        if middle is not None:
            middle = middle.lifted(((0, others), (others, 0)))
            saddles = [middle.under(lam, tilted(own, y)) for y, lam in zip(roots[alike], lams[alike], strict=True)]
        yield alike, saddles, least
        start = alike.stop


def _shared(
    saddles: Sequence[CommonTilt], least: CommonTilt, rtols: Sequence[float], asked: _Asked
) -> list[list[Largest] | None]:
    """The same for limits on one circle: by envelopes, and else with the ranges that the least of them takes."""
    found: list[list[Largest] | None] = [None] * len(saddles)
    few = len(saddles) * len(asked.parts) <= _FEW and least.logs[2] ** 2 > 4 * min(rtols)  # else h hardly depends on t
    if asked.pools.ENVELOPES and least.variance(asked.others) > (_VARIED_MUCH if few else _VARIED):
        found = _enveloped(saddles, rtols, asked)
    left, rtol = [i for i, one in enumerate(found) if one is None], min(rtols)
    with suppress(TooMany):
        if left:
            starts = [_first(least, part, rtol, asked) for part in asked.parts]
            first = [(i, *ends) for i, spans in enumerate(starts) for ends in spans]
            told = _halved([saddles[i] for i in left], [rtols[i] for i in left], asked, first)
            for i, one in zip(left, told, strict=True):
                found[i] = one
    return found


def _first(least: CommonTilt, part: tuple[int, int], rtol: float, asked: _Asked) -> list[tuple[int, int]]:
    """Ranges of a part to start with, the worse end first and alone.

    They are so wide that what a pool lacks costs a quarter of what delta has fallen since, or of the width.

    Raises:
        TooMany: delta is so flat that half as many as are looked at in all would be too few.
    """
    (first, last), (one, zero) = part, _rates(least)
    cost, whole, most = max(-4 * max(one, zero), 1e-100), last - first, asked.pools.MOST
    ratio = abs(one - zero) / cost
    if not asked.rough and cost * whole > most * rtol and math.log1p(ratio * whole) >= ratio * most / 2:
        raise TooMany
    ratio = min(max(ratio, _ROUGH if asked.rough else _THINNEST), _WIDEST)
    starts, i = [0], 1
    while i <= whole:
        starts.append(i)
        i += 1 + int(min(max(ratio * i, rtol / cost), whole))
    return _ranges(least, part, starts)


def _ranges(saddle: CommonTilt, part: tuple[int, int], starts: Sequence[int]) -> list[tuple[int, int]]:
    """Ranges of a part that begin so far from its worse end, up to the next."""
    (first, last), (one, zero) = part, _rates(saddle)
    ends = [start - 1 for start in [*starts[1:], last - first + 1]]
    if one > zero:
        return [(last - n, last - m) for m, n in zip(starts, ends, strict=True)]
    return [(first + m, first + n) for m, n in zip(starts, ends, strict=True)]


def _rates(saddle: CommonTilt) -> tuple[float, float]:
    """What one record more that holds 1 adds to log delta, and one that holds 0; about."""
    (one, zero, theta), k = saddle.logs, saddle.k
    return k * (one - theta * saddle.mu), k * (zero - theta * saddle.nu)


def _cut(low: int, high: int, parts: int) -> list[tuple[int, int]]:
    """A range in so many parts, and one composition out of its middle."""
    width, middle = (high - low) // parts + 1, (low + high) // 2
    return [*((m, min(m + width - 1, high)) for m in range(low, high + 1, width)), (middle, middle)]


def _enveloped(saddles: Sequence[CommonTilt], rtols: Sequence[float], asked: _Asked) -> list[list[Largest] | None]:
    """The same by an envelope of each part; by those of a few if it must be narrow, the narrowest next to the worse
    end: delta there is the lower end.
    """
    from dpcalc.worst.envelope_in_doubles import envelopes  # and numpy with it

    pieces, others = [[part] for part in asked.parts], asked.others
    if not asked.rough:
        pieces = [_ranges(saddles[0], part, _starts(part[1] - part[0])) for part in asked.parts]
    try:
        ends = iter(envelopes(saddles, others, [one for some in pieces for one in some], rtol=min(rtols) / 8))
    except TooMany:
        return [None] * len(saddles)
    each = [[next(ends) for _ in some] for some in pieces]
    found: list[list[Largest] | None] = []
    for i, (saddle, rtol) in enumerate(zip(saddles, rtols, strict=True)):
        told = list[Largest]()
        for some, at in zip(each, pieces, strict=True):
            low, high = some[0][0][i], max(upper[i] for _, upper in some)
            told.append(Largest(lowered(low, saddle), lowered(high, saddle), sum(at[0]) // 2))
        found.append(told if all(_settles(one, rtol, asked) for one in told) else None)
    return found


def _starts(whole: int) -> list[int]:
    """Of the ranges of a part, so far from its worse end, which is alone."""
    return sorted({min(start, whole) for start in (0, 1, *(whole // share + 1 for share in _SHARES))})


def _settles(found: Largest, rtol: float, asked: _Asked) -> bool:
    """Whether it is what was asked for."""
    if asked.rough:
        return found.upper < 1
    return found.lower > 0 and found.upper <= found.lower * (1 + Fraction(rtol))


def _halved(
    saddles: Sequence[CommonTilt], rtols: Sequence[float], asked: _Asked, first: list[tuple[int, int, int]]
) -> list[list[Largest] | None]:
    """Of as many limits at once as so many ranges allow, and of fewer where those are too many; None is not served."""
    if len(first) * len(saddles) <= _ROWS or len(saddles) == 1:
        with suppress(TooMany):
            return _search(saddles, rtols, asked, first)
        if len(saddles) == 1:
            return [None]
    halves = slice(len(saddles) // 2), slice(len(saddles) // 2, None)
    return [one for half in halves for one in _halved(saddles[half], rtols[half], asked, first)]


def _pools() -> Pools | None:
    """In arrays, or as the calculator's page evaluates them; None where there is neither."""
    if arrays():
        from dpcalc.worst import in_arrays  # and numpy with it

        return in_arrays
    return one_by_one if one_by_one.evaluate else None


def _search(
    saddles: Sequence[CommonTilt], rtols: Sequence[float], asked: _Asked, first: list[tuple[int, int, int]]
) -> list[list[Largest] | None]:
    """Of each limit: bound all ranges, each of a part, from the ``first`` on; cut those that may exceed the best."""
    limits = [_Limit(saddle, rtol, asked) for saddle, rtol in zip(saddles, rtols, strict=True)]
    still, spans, seen = limits, first, 0
    while still:
        seen += len(spans)
        if seen > asked.pools.MOST:
            raise TooMany
        ones, zeros = [low for _, low, _ in spans], [asked.others - high for _, _, high in spans]
        lower, upper = asked.pools.deltas([one.saddle for one in still], ones, zeros, min(one.rtol for one in still))
        alone = [i for i, (_, low, high) in enumerate(spans) if low == high]
        failed = set[int]()
        for one, below, above in zip(still, lower, upper, strict=True):
            failed.update(one.look(spans, alone, below, above))
        still = [one for one in still if one.open]
        parts = max(4, _TOGETHER // max(len(failed), 1))
        spans = [(spans[i][0], *ends) for i in sorted(failed) for ends in _cut(*spans[i][1:], parts)]
    return [one.found for one in limits]


class _Limit:
    """What is known of the largest delta of each part at one limit."""

    def __init__(self, saddle: CommonTilt, rtol: float, asked: _Asked) -> None:
        self.saddle, self.rtol, self.open, self._rough = saddle, rtol, True, asked.rough
        self.found: list[Largest] | None = None
        self._best, self._ceiling = ([0.0] * len(asked.parts) for _ in range(2))
        self._ones, self._left = [low for low, _ in asked.parts], _PASSES

    def look(
        self, spans: Sequence[tuple[int, int, int]], alone: Sequence[int], lower: Sequence[float],
        upper: Sequence[float],
    ) -> list[int]:  # fmt: skip
        """Take in the ends of ranges, of which some hold one m alone; those are told that must be cut."""
        if self.saddle.halvings:
            upper = [bound if bound < 1 else math.inf for bound in upper]  # 1 is no bound of what is lifted
        for i in alone:
            part, m, _ = spans[i]
            if lower[i] > self._best[part]:
                self._best[part], self._ones[part] = lower[i], m
        most = max(self._best)
        if most <= 0:
            return self._end(None)  # too faint
        levels = [max(best * (1 + self.rtol), most * _SMALL) for best in self._best]
        failed, ceiling, last = list[int](), self._ceiling, not self._left
        for i, ((part, low, high), bound) in enumerate(zip(spans, upper, strict=True)):
            if bound <= levels[part] or (self._rough and (last or low == high)):
                if bound > ceiling[part]:
                    ceiling[part] = bound
            elif low == high:
                return self._end(None)
            else:
                failed.append(i)
        self._left -= 1
        return failed or self._end([
            Largest(lowered(best, self.saddle), lowered(max(best, ceiling), self.saddle), ones)
            for best, ceiling, ones in zip(self._best, self._ceiling, self._ones, strict=True)
        ])  # fmt: skip

    def _end(self, found: list[Largest] | None) -> list[int]:
        self.found, self.open = found, False
        return []


def lowered(x: float, saddle: CommonTilt) -> Fraction:
    """An end of delta, without the lift; from 1 on it is that of what is not settled."""
    if x >= 1:
        return Fraction(1)
    above, unit = x.as_integer_ratio()
    return reduced(above, unit << saddle.halvings if above else 1)  # above is odd then
