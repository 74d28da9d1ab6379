r"""delta(eps) over all datasets in one pass: every range of compositions is a pool of its own in one Fourier inversion.

Of N = ``others`` records beside the changed one, m hold 1; each is randomized k times. With h_t of
``on_circle`` for a = k m, b = k (N - m), delta_m = max_t h_t; wanted is its largest value over 0 <= m <= N.
``envelope`` bounds many m at once by balls; here doubles with counted errors do, so that a question takes about half a
millisecond.

*Ranges.* For m_0 <= m <= m_1, delta_m is at most delta of the pool with m_0 ones and N - m_1 zeros: dropping reports is
post-processing. log delta_m is nearly linear in m, so that ranges of geometric widths, counted from the worse end, will
do; those that do not are cut in four. Where counts vary much, ``envelope_in_doubles`` bounds all m in a few ranges, for
many limits at once.

Deltas below the range of doubles are found times a power of two (``CommonTilt.lifted``). What is too flat or too steep
to be served in a few milliseconds is refused: the answer is None. Ranges are chosen in floating point, which may only
steer.

Source: proof notes, 9; for the ranges 9.1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import compress, pairwise
from operator import eq
from typing import Protocol, TypeVar

from dpcalc.numbers.arrays import arrays
from dpcalc.numbers.rational import reduced
from dpcalc.worst.circle import CommonTilt, Own, TooMany, root, tilted
from dpcalc.worst.ranges import cut, ranges

_LARGE = Fraction(1 << 1000)  # more than any end that is lifted
#: Up to so many ranges, wider and less sharp ones are not looked for; so many where a target decides.
_MANY, _FEWER = 300, 40
#: Limits that share a circle: their tilts lie so many standard deviations apart, the largest is so many times the
#: least, and there are so many at most; of pools times limits so many are looked at together.
_APART, _GROWN, _LIMITS, _ROWS = 5.0, 4, 256, 8192
_FAINT = 1e-60  # the smallest root that is told
#: From this variance of a count on an envelope is sharp.
VARIED = 5_000
_FEW, _VARIED_MUCH = 2, 200_000  # limits, for which ranges are quicker up to this variance
_SHARES, _FLAT = (16, 4), 3_000_000  # of all compositions, where envelopes end; from this variance on one will do


@dataclass(frozen=True, slots=True)
class Largest:
    """The largest delta over all compositions.

    Attributes:
        lower, upper: lower <= max_m delta_m <= upper.
        ones: an m with delta_m >= lower.
    """

    lower: Fraction
    upper: Fraction
    ones: int


class Pools(Protocol):
    """How the deltas of many pools are enclosed."""

    FIRST: int
    MOST: int
    ENVELOPES: bool

    def deltas(
        self, saddles: Sequence[CommonTilt], ones: Sequence[int], zeros: Sequence[int], rtol: float
    ) -> tuple[list[list[float]], list[list[float]]]:
        """Lower and upper ends for so many ones and zeros, a row for each limit; the limits share a circle."""


def worst(
    own: Own,
    k: int,
    others: int,
    lam: tuple[Fraction, Fraction],
    *,
    rtol: float,
    target: Fraction | None = None,
    pools: Pools | None = None,
) -> Largest | None:
    """max_m delta_m to relative width ``rtol``; None where it is not served.

    Args:
        own: the chance that a report is 1 if the bit is 0, and if it is 1, which is larger.
        k: reports of each record.
        others: N.
        lam: two ends around lambda >= 1, the closer the better: a relative 1e-20 costs nothing.
        rtol: relative width, from about 1e-9.
        target: decide only whether the maximum is at or below it: then either upper <= target or lower > target.
        pools: in arrays, or one by one where there are none.

    >>> found = worst((Fraction(1, 4), Fraction(3, 4)), 1, 999, (Fraction(11, 10), Fraction(11, 10)), rtol=1e-9)
    >>> found.ones, f"{float(found.lower):.6e}"
    (1, '7.223376e-05')
    """
    saddle = CommonTilt.of(own, k, k * (others + 1), lam)
    if saddle is None:
        return None
    saddle = saddle.lifted(((0, others), (others, 0)))
    few = _MANY if target is None else _FEWER
    return _shared([saddle], saddle, others, [rtol], target, pools or _pools(), few)[0]


def together(
    own: Own, k: int, others: int, lams: Sequence[tuple[Fraction, Fraction]], rtols: Sequence[float]
) -> list[Largest | None]:
    """max_m delta_m for many limits, each to a relative width; None where it is not served here.

    Limits near each other share a circle and ranges. One that does not, or one by one, may serve where this does not.

    Args:
        own: as above.
        k: as above.
        others: N.
        lams: two ends around each lambda, in rising order.
        rtols: relative widths.
    """
    pools, found = _pools(), list[Largest | None]()
    for alike, saddles, least in circles(own, k, others, lams):
        if saddles is None or least is None:
            found += [None] * len(lams[alike])
        else:
            found += _shared(saddles, least, others, rtols[alike], None, pools, _MANY)
    return found


def _alike(
    own: Own, reports: int, lams: Sequence[tuple[Fraction, Fraction]], roots: Sequence[float], start: int
) -> slice:
    """The limits from one on whose tilts lie within some standard deviations; it steers."""
    first = max(roots[start], _FAINT)
    chances = tilted(own, first)
    far = _APART / math.sqrt(reports * max(x * (1 - x) for x in chances) + 1)
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
    roots, start = [root(own, k, lam) for lam in lams], 0
    while start < len(lams):
        alike = _alike(own, k * (others + 1), lams, roots, start)
        least, middle = (CommonTilt.of(own, k, k * (others + 1), lams[i]) for i in (start, (start + alike.stop) // 2))
        saddles = None
        if middle is not None:
            middle = middle.lifted(((0, others), (others, 0)))
            saddles = [middle.under(lam, tilted(own, y)) for y, lam in zip(roots[alike], lams[alike], strict=True)]
        yield alike, saddles, least
        start = alike.stop


def _shared(
    saddles: Sequence[CommonTilt], least: CommonTilt, others: int, rtols: Sequence[float], target: Fraction | None,
    pools: Pools, few: int,
) -> list[Largest | None]:  # fmt: skip
    """The same for limits on one circle: by envelopes, and else with the ranges that the least of them takes."""
    found: list[Largest | None] = [None] * len(saddles)
    if pools.ENVELOPES and least.variance(others) > (_VARIED_MUCH if len(saddles) <= _FEW else VARIED):
        found = _enveloped(saddles, others, rtols, target)
    left = [i for i, one in enumerate(found) if one is None]
    with suppress(TooMany):
        if left:
            first = ranges(least, others, min(rtols), pools.FIRST, few)
            search = partial(_search, others=others, target=target, pools=pools, first=first)
            told = halved(search, [saddles[i] for i in left], [rtols[i] for i in left], len(first[0]))
            for i, one in zip(left, told, strict=True):
                found[i] = one
    return found


def _enveloped(
    saddles: Sequence[CommonTilt], others: int, rtols: Sequence[float], target: Fraction | None
) -> list[Largest | None]:
    """The same by envelopes of few ranges, the narrowest next to the worse end; delta there is the lower end."""
    from dpcalc.worst.envelope_in_doubles import envelopes  # and numpy with it

    (one, zero, theta), (mu, nu) = saddles[0].logs, (saddles[0].mu, saddles[0].nu)
    shares = _SHARES if saddles[0].variance(others) < _FLAT else ()
    ends = [0, *(others // share for share in shares), others]
    parts, ones = [(0, 0), *((m + (m > 0), n) for m, n in pairwise(ends))], 0
    if one - theta * mu > zero - theta * nu:
        parts, ones = [(others - n, others - m) for m, n in parts], others
    found: list[Largest | None] = []
    try:
        (lowers, _), *above = envelopes(saddles, others, parts, rtol=min(rtols) / 8)
    except TooMany:
        return [None] * len(saddles)
    for saddle, rtol, low, *uppers in zip(saddles, rtols, lowers, *(upper for _, upper in above), strict=True):
        high, told = max(uppers), None
        if low and high < 1:
            told = Largest(lowered(low, saddle), lowered(high, saddle), ones)
            if high > low * (1 + rtol) if target is None else told.lower <= target < told.upper:
                told = None
        found.append(told)
    return found


#: What is told of each limit.
_Told = TypeVar("_Told")


def halved(
    found: Callable[[Sequence[CommonTilt], Sequence[float]], list[_Told | None]],
    saddles: Sequence[CommonTilt], rtols: Sequence[float], pools: int,
) -> list[_Told | None]:  # fmt: skip
    """Of as many limits at once as so many pools allow, and of fewer where those are too many; None is not served."""
    if pools * len(saddles) <= _ROWS or len(saddles) == 1:
        with suppress(TooMany):
            return found(saddles, rtols)
        if len(saddles) == 1:
            return [None]
    half = len(saddles) // 2
    return [
        *halved(found, saddles[:half], rtols[:half], pools), *halved(found, saddles[half:], rtols[half:], pools)
    ]  # fmt: skip


def _pools() -> Pools:
    """In arrays, or one by one where there are none."""
    if arrays():
        from dpcalc.worst import in_arrays  # and numpy with it

        return in_arrays
    from dpcalc.worst import one_by_one

    return one_by_one


def _search(
    saddles: Sequence[CommonTilt],
    rtols: Sequence[float],
    *,
    others: int,
    target: Fraction | None,
    pools: Pools,
    first: tuple[list[int], list[int]],
) -> list[Largest | None]:
    """Of each limit: bound all ranges, from the ``first`` on; cut those that may exceed the best."""
    limits = [_Limit(saddle, rtol, target) for saddle, rtol in zip(saddles, rtols, strict=True)]
    low, high = first
    still, seen = limits, 0
    while still:
        seen += len(low)
        if seen > pools.MOST:
            break
        zeros = [others - n for n in high]
        lower, upper = pools.deltas([one.saddle for one in still], low, zeros, min(one.rtol for one in still))
        alone = list(compress(range(len(low)), map(eq, low, high)))
        failed = set[int]()
        for one, below, above in zip(still, lower, upper, strict=True):
            failed.update(one.look(low, alone, below, above))
        still = [one for one in still if one.open]
        if still:
            places = sorted(failed)
            low, high = cut([low[i] for i in places], [high[i] for i in places])
    return [one.found for one in limits]


class _Limit:
    """What is known of the largest delta at one limit."""

    def __init__(self, saddle: CommonTilt, rtol: float, target: Fraction | None) -> None:
        self.saddle, self.rtol, self.open = saddle, rtol, True
        self.found: Largest | None = None
        if target and saddle.halvings:
            target = min(target * (1 << saddle.halvings), _LARGE)
        self._goal = None if target is None else _at_most(target)
        self._best, self._ones, self._ceiling = -1.0, 0, 0.0

    def look(
        self, low: Sequence[int], alone: Sequence[int], lower: Sequence[float], upper: Sequence[float]
    ) -> list[int]:
        """Take in the ends of ranges, of which some hold one m alone; those are told that must be cut."""
        if self.saddle.halvings:
            upper = [bound if bound < 1 else math.inf for bound in upper]  # 1 is no bound of what is lifted
        for i in alone:
            if lower[i] > self._best:
                self._best, self._ones = lower[i], low[i]
        if self._goal is not None and self._best > self._goal:
            return self._end(Largest(lowered(self._best, self.saddle), Fraction(1), self._ones))
        if self._goal is None and self._best <= 0:
            return self._end(None)  # too faint
        level = self._best * (1 + self.rtol) if self._goal is None else self._goal
        if max(upper) <= level:
            ends = max(self._best, 0.0), max(self._ceiling, self._best, *upper)
            return self._end(Largest(lowered(ends[0], self.saddle), lowered(ends[1], self.saddle), self._ones))
        self._ceiling = max([self._ceiling, *(bound for bound in upper if bound <= level)])
        failed = [i for i, bound in enumerate(upper) if bound > level]
        if not set(alone).isdisjoint(failed):
            return self._end(None)
        return failed

    def _end(self, found: Largest | None) -> list[int]:
        self.found, self.open = found, False
        return []


def lowered(x: float, saddle: CommonTilt) -> Fraction:
    """An end of delta, without the lift; from 1 on it is that of what is not settled."""
    if x >= 1:
        return Fraction(1)
    above, unit = x.as_integer_ratio()
    return reduced(above, unit << saddle.halvings if above else 1)  # above is odd then


def _at_most(x: Fraction) -> float:
    """The largest double at or below x."""
    near = x.numerator / x.denominator
    above, unit = near.as_integer_ratio()
    return near if above * x.denominator <= x.numerator * unit else math.nextafter(near, -math.inf)
