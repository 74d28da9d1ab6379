"""Ranges of compositions, each bounded by one pool: see ``one_pass``. Floating point chooses them, and only steers.

Source: proof notes, 9.1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice

from dpcalc.worst.circle import CommonTilt, TooMany

_FIRST = 64  # so many even ranges, where there would be too many others
_SHARE = 0.75  # of a width that is to be reached


def ranges(
    saddle: CommonTilt, others: int, rtol: float, most: int, part: tuple[int, int] | None = None
) -> tuple[list[int], list[int]]:
    """First and last m of ranges of a part, or of all, whose pools should do, by the saddle point's rate of each kind
    of record.

    The worse end comes first. Where there would be more than ``most``, the ripple is left to the cuts, and where there
    still are more, there are some even ones to start with.

    Raises:
        TooMany: ranges.
    """
    first, last = part or (0, others)
    whole = last - first
    (at_one, at_zero, theta), (mu, nu) = saddle.logs, (saddle.mu, saddle.nu)
    one, zero = saddle.k * (at_one - theta * mu), saddle.k * (at_zero - theta * nu)  # of a record more, on log delta
    gain, loss = max(abs(one - zero), 1e-100), max(-max(one, zero), 1e-100)
    # i records from the end, a range may be ratio i + start wide; t is whole, so that log delta_m ripples
    count, ratio, start = _widths(gain, loss, rtol - min(1.0, theta * theta) / 8, whole)
    if count > most:
        count, ratio, start = _widths(gain, loss, rtol, whole)
    if count > most:
        if gain * whole < 1 and loss * whole > most * rtol:  # flat: nearly all of them would be cut so small
            raise TooMany
        return cut([first], [last], _FIRST)
    starts = [0, *islice(_starts(ratio, start, whole), most)]  # a single one first, to compare with
    if len(starts) > most:
        return cut([first], [last], _FIRST)
    ends = [start - 1 for start in [*starts[1:], whole + 1]]
    if one > zero:
        return [last - m for m in ends], [last - m for m in starts]
    return ([first + m for m in starts], [first + m for m in ends]) if first else (starts, ends)


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


def cut(low: Sequence[int], high: Sequence[int], parts: int = 4) -> tuple[list[int], list[int]]:
    """Every range in so many parts, and one composition out of the middle of each range."""
    first, last = [], []
    for start, end in zip(low, high, strict=True):
        width = (end - start) // parts + 1
        first += list(range(start, end + 1, width))
        last += [min(m + width - 1, end) for m in range(start, end + 1, width)]
    middle = [(start + end) // 2 for start, end in zip(low, high, strict=True)]
    return first + middle, last + middle
