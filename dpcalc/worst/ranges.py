"""Ranges of compositions, each bounded by one pool: see ``one_pass``. Floating point chooses them, and only steers.

Source: proof notes, 9.1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice

from dpcalc.worst.circle import CommonTilt, TooMany

_FIRST = 64  # so many even ranges, where there would be too many others
_NO_RIPPLE, _BESIDE = 1 - 1e-9, 2.0**-53  # 1 - likely is not told more sharply
_SHARE = 0.75  # of a width that is to be reached
_WORTH = 0.75  # times as many ranges are worth the time that it takes to know the ripple
_SPARED = 0.15  # the share of rtol that is left for ranges along the ripple


class Ripple:
    """How log delta_m falls and ripples along m for k = 1, about, where few ones are the worst.

    Let x be the real number at which P_0(S = x) = lambda P_1(S = x), and y < 1 the ratio of neighbouring chances of X
    there. h_t is largest at the whole t below x and then, as chances fall geometrically, about in proportion to
    y^f (y + (1 - y) f), f = x - t. With every record that holds 1 instead of 0, log delta_m falls by ``loss`` and x
    moves by ``likely`` - ``unlikely``, the tilted probabilities of a 1; it is (N + 1) ``unlikely`` for m = 0. As the
    skewness changes, it moves by about ``off`` more: so uncertain is where the top lies. Every m is counted from a
    start.
    """

    def __init__(self, likely: float, unlikely: float, others: int, start: int = 0) -> None:
        self._step, self._unlikely, self._last = likely - unlikely, unlikely, others - start
        self._first = (others + 1) * unlikely + self._step * start
        self._off = likely * (1 - likely) * self._step / (others * unlikely * (1 - unlikely) + 1)
        self._loss, self._fall, self._y, self._top = 0.0, 0.0, 1.0, 0.0
        rest_one, rest_zero = (max(1 - x, _BESIDE) for x in (likely, unlikely))
        one, zero = likely / rest_one, unlikely / rest_zero
        if 0 < one * zero < _NO_RIPPLE:  # y^2; beyond it y is next to 1
            self._fall = fall = math.log(one * zero) / 2  # log y
            self._loss = math.log(one / zero) / 2 + math.log(rest_one / rest_zero) + fall * self._step
            self._y, rest = math.exp(fall), -math.expm1(fall)
            peak = -rest / fall  # y + (1 - y) f where that is largest
            self._top = fall * (peak - self._y) / rest + math.log(peak)

    def lost(self, m: int) -> float:
        """How far log delta_m is below the ripple's top at m = 0."""
        f = (self._first + self._step * m) % 1
        return self._loss * m + self._top - self._fall * f - math.log(self._y + (1 - self._y) * f)

    def starts(self, ratio: float, start: float, spare: float, cost: float, last: int) -> Iterator[int]:
        """The first m of ranges, from 1 to the last.

        From i on a range may be ratio i + start wide, or wider where delta_i is far below the top. Every record left
        out costs ``cost`` and moves x by ``unlikely``, and the ripple along its slope, as far as f is not yet 0.
        """
        place, step, loss, fall, y, rest = self._first, self._step, self._loss, self._fall, self._y, 1 - self._y
        i, spare, moved, log = 1, spare + self._top, self._unlikely, math.log
        off, top = self._off, loss / ((round(step) - step) or math.inf)  # the slope where the ripple is highest
        while i <= last:
            yield i
            f = (place + step * i) % 1
            here = y + rest * f
            slope = -fall - rest / here  # of the ripple
            spared, each = spare + loss * i - fall * f - log(here) - off * i * abs(slope - top), cost + moved * slope
            width, wider, whole = ratio * i + start, _SHARE * spared / each if each > 0 else math.inf, f / moved
            wider = wider if wider < whole else whole
            width = wider if wider > width else width
            i += 1 + int(width) if width > 0 else 1

    def highest(self) -> int:
        """The m of the largest delta: the first where the ripple is highest, or the start."""
        moved, rest, top = self._step - round(self._step), 1 - self._y, 0.0  # f from one m to the next
        if self._loss > 0 and moved and (steep := self._loss / moved - self._fall) > 0:
            f = (rest / steep - self._y) / rest  # it rises as much as is lost from one m to the next
            top = (f - self._first) / moved % (1 / abs(moved)) if 0 <= f <= 1 else 0.0
        m = int(min(top, self._last))
        best = min(range(max(m - 1, 0), min(m + 2, self._last) + 1), key=self.lost)
        return best if self.lost(best) < self.lost(0) else 0


def ranges(
    saddle: CommonTilt, others: int, rtol: float, most: int, few: int, part: tuple[int, int]
) -> list[tuple[int, int]]:
    """First and last m of ranges of a part whose pools should do, by the saddle point's rate of each kind of record.

    The worse end comes first. Where there would be more than ``few``, wider ones are looked for, whose bounds are less
    sharp; where more than ``most``, there are some even ones to start with.

    Raises:
        TooMany: ranges.
    """
    first, last = part
    whole = last - first
    (at_one, at_zero, theta), (mu, nu) = saddle.logs, (saddle.mu, saddle.nu)
    one, zero = saddle.k * (at_one - theta * mu), saddle.k * (at_zero - theta * nu)  # of a record more, on log delta
    gain, loss = max(abs(one - zero), 1e-100), max(-max(one, zero), 1e-100)
    # i records from the end, a range may be ratio i + start wide; t is whole, so that log delta_m ripples
    count, ratio, start = _widths(gain, loss, rtol - min(1.0, theta * theta) / 8, whole)
    ones, along = 0, None
    if count > few and saddle.k == 1 and one < zero and theta < 0 < saddle.unlikely:
        shape = Ripple(saddle.likely, saddle.unlikely, others, first)
        at, spare = min(shape.highest(), whole), _SPARED * rtol
        least = shape.lost(at)
        fewer, *widths = _widths(gain, loss, spare - least, whole)
        fewer = min(fewer, _widths(gain, loss, spare, whole)[0])
        if fewer < _WORTH * count:
            ones, count, (ratio, start) = at, fewer, widths
            along = shape.starts(ratio, start, spare - least, loss, whole)
    if count > most:
        if gain * whole < 1 and loss * whole > most * rtol:  # flat: nearly all of them would be cut so small
            raise TooMany
        return cut(first, last, _FIRST)
    starts = [0, *islice(along or _starts(ratio, start, whole), most)]  # a single one first, to compare with
    if len(starts) > most:
        return cut(first, last, _FIRST)
    if ones:
        starts = sorted({*starts, ones, min(ones + 1, whole)})
    ends = [start - 1 for start in [*starts[1:], whole + 1]]
    if one > zero:
        return [(last - n, last - m) for m, n in zip(starts, ends, strict=True)]
    return [(first + m, first + n) for m, n in zip(starts, ends, strict=True)]


def _starts(ratio: float, start: float, last: int) -> Iterator[int]:
    """The first m of ranges, from 1 to the last, each ratio i + start wide from i on."""
    i = 1
    while i <= last:
        yield i
        i += 1 + int(width) if (width := ratio * i + start) > 0 else 1


def _widths(gain: float, loss: float, spare: float, others: int) -> tuple[float, float, float]:
    """How many ranges there are, and the ratio and the start of their widths; a record left out costs ``loss``."""
    ratio, start = max(min(_SHARE * gain / loss, 1.0), 1e-300), _SHARE * spare / loss
    alone, shift, growth = math.ceil(min(max((1 - start) / ratio, 1.0), others + 1.0)), start / ratio, 0.0
    if alone <= others:
        growth = math.log((others + 2 + shift) / (alone + shift)) / math.log1p(ratio)
    return alone + growth, ratio, start


def cut(low: int, high: int, parts: int = 4) -> list[tuple[int, int]]:
    """A range in so many parts, and one composition out of its middle."""
    width, middle = (high - low) // parts + 1, (low + high) // 2
    return [*((m, min(m + width - 1, high)) for m in range(low, high + 1, width)), (middle, middle)]
