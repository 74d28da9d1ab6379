"""Ranges of compositions, each bounded by one pool: see ``one_pass``. Floating point chooses them, and only steers.

Source: proof notes, 9.1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from dpcalc.worst.circle import CommonTilt, TooMany

_FIRST = 64  # so many even ranges, where there would be too many others


def ranges(saddle: CommonTilt, others: int, rtol: float, most: int) -> tuple[list[int], list[int]]:
    """First and last m of ranges whose pools should do, by the saddle point's rate of each kind of record.

    The worse end comes first. Where there would be more than ``most``, there are some even ones to start with.

    Raises:
        TooMany: ranges.
    """
    theta = saddle.logs[2]
    one = saddle.k * (saddle.logs[0] - theta * saddle.mu.head)  # what one record more does to log delta
    zero = saddle.k * (saddle.logs[1] - theta * saddle.nu.head)
    gain, loss = max(abs(one - zero), 1e-100), max(-max(one, zero), 1e-100)
    # i records from the end, a range may be ratio i + start wide; t is whole, so that log delta_m ripples
    count, ratio, start = _widths(gain, loss, rtol - min(1.0, theta * theta) / 8, others)
    if count > most:
        if gain * others < 1 and loss * others > most * rtol:  # flat: nearly all of them would be cut so small
            raise TooMany
        return cut([0], [others], _FIRST)
    starts, i = [0], 1  # a single one, to compare with
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
