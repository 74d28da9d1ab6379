"""Ranges of compositions, each bounded by one pool: see ``one_pass``. Floating point chooses them, and only steers.

Source: proof notes, 9.1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from dpcalc.worst.circle import CommonTilt, TooMany

_FIRST = 64  # so many even ranges, where there would be too many others
_MOST_ONES = 1_000  # a tenth of a millisecond
_NO_RIPPLE = 1 - 1e-9
_RIPPLE = 0.02  # of its period, looked at first


def highest(likely: float, unlikely: float, others: int) -> tuple[int, float]:
    """The m of the largest delta for k = 1, about, where few ones are the worst; and how far below the ripple's top.

    Let x be the real number at which P_0(S = x) = lambda P_1(S = x), and y < 1 the ratio of neighbouring chances of X
    there. h_t is largest at the whole t below x and then, as chances fall geometrically, about in proportion to
    y^f (y + (1 - y) f), f = x - t. With every record that holds 1 instead of 0, log delta_m falls by ``loss`` and x
    moves by ``likely`` - ``unlikely``, the tilted probabilities of a 1; it is (N + 1) ``unlikely`` for m = 0.
    """
    if not likely + unlikely < _NO_RIPPLE:  # y is next to 1: no ripple
        return 0, 0.0
    one, zero = likely / (1 - likely), unlikely / (1 - unlikely)
    fall = math.log(one * zero) / 2  # log y
    loss = math.log(one / zero) / 2 + math.log((1 - likely) / (1 - unlikely)) + fall * (likely - unlikely)
    y, rest = math.exp(fall), -math.expm1(fall)
    peak = -rest / fall  # y + (1 - y) f where that is largest
    most = fall * (peak - y) / rest + math.log(peak)
    if loss <= 0:
        return 0, 0.0
    first, step = (others + 1) * unlikely, likely - unlikely

    def lost(m: int) -> float:
        f = (first + step * m) % 1
        return loss * m + most - fall * f - math.log(y + rest * f)

    stride = max(1, int(_RIPPLE / max(abs(step - round(step)), _RIPPLE / _MOST_ONES)))  # f moves by little until there
    least, ones = lost(0), 0
    for m in range(stride, min(others, _MOST_ONES) + 1, stride):
        if loss * m >= least:
            break
        if (value := lost(m)) < least:
            least, ones = value, m
    near = range(max(0, ones - stride + 1), min(ones + stride, others + 1))
    return min((lost(m), m) for m in near)[::-1]


def ranges(saddle: CommonTilt, others: int, rtol: float, most: int, few: int) -> tuple[list[int], list[int]]:
    """First and last m of ranges whose pools should do, by the saddle point's rate of each kind of record.

    The worse end comes first. Where there would be more than ``few``, wider ones are looked for, whose bounds are less
    sharp; where more than ``most``, there are some even ones to start with.

    Raises:
        TooMany: ranges.
    """
    theta = saddle.logs[2]
    one = saddle.k * (saddle.logs[0] - theta * saddle.mu.head)  # what one record more does to log delta
    zero = saddle.k * (saddle.logs[1] - theta * saddle.nu.head)
    gain, loss = max(abs(one - zero), 1e-100), max(-max(one, zero), 1e-100)
    # i records from the end, a range may be ratio i + start wide; t is whole, so that log delta_m ripples
    ones, (count, ratio, start) = 0, _widths(gain, loss, rtol - min(1.0, theta * theta) / 8, others)
    if count > few and saddle.k == 1 and one < zero and theta < 0 < saddle.unlikely:
        ones, lost = highest(saddle.likely, saddle.unlikely, others)
        steep = loss + saddle.unlikely * math.expm1(-theta)  # a record left out moves x by little
        count, ratio, start = min(_widths(gain, loss, rtol - lost, others), _widths(gain, steep, rtol, others))
    if count > most:
        if gain * others < 1 and loss * others > most * rtol:  # flat: nearly all of them would be cut so small
            raise TooMany
        return cut([0], [others], _FIRST)
    starts, i = [0], 1  # a single one, to compare with
    while i < ones:
        starts.append(i)
        i = min(ones, i + max(1, int(ratio * i + start) + 1))
    if ones:
        starts.append(ones)
        i = ones + 1
    while i <= others:
        starts.append(i)
        step = int(ratio * i + start) + 1
        i += step if step > 1 else 1
    ends = [start - 1 for start in [*starts[1:], others + 1]]
    return ([others - m for m in ends], [others - m for m in starts]) if one > zero else (starts, ends)


def _widths(gain: float, loss: float, spare: float, others: int) -> tuple[float, float, float]:
    """How many ranges there are, and the ratio and the start of their widths; a record left out costs ``loss``."""
    ratio, start = max(min(0.75 * gain / loss, 1.0), 1e-300), 0.75 * spare / loss
    alone, shift, growth = math.ceil(min(max((1 - start) / ratio, 1.0), others + 1.0)), start / ratio, 0.0
    if alone <= others:
        growth = math.log((others + 2 + shift) / (alone + shift)) / math.log1p(ratio)
    return alone + growth, ratio, start


def cut(low: Sequence[int], high: Sequence[int], parts: int = 4) -> tuple[list[int], list[int]]:
    """Every range in so many parts, and one composition out of the middle of each range."""
    first, last = [], []
    for start, end in zip(low, high, strict=True):
        width = (end - start) // parts + 1
        first += list(range(start, end + 1, width))
        last += [min(m + width - 1, end) for m in range(start, end + 1, width)]
    middle = [(start + end) // 2 for start, end in zip(low, high, strict=True)]
    return first + middle, last + middle
