"""Best-first search over boxes: the one loop of every search for a largest value.

A box stands for many indices, such as the datasets with so many to so many ones, and has a ceiling: at least every
value in it. At every moment each index lies in a box that is left, or the caller has dealt with it. Proof notes, 5.1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count
from typing import TypeVar

from flint import arb

Box = TypeVar("Box")
Number = TypeVar("Number", Fraction, float, arb)


def best_first(
    starts: Iterable[tuple[Number, Box]],
    parts: Callable[[Box], Iterable[tuple[Number, Box]]],
    *,
    enough: Callable[[], Number],
    more: Callable[[Box], bool] = lambda _: True,
    most: float = math.inf,
) -> list[tuple[Number, Box]]:
    """Divide the box with the largest ceiling, until none is above what is enough; the boxes left, the largest first.

    Args:
        starts: boxes and their ceilings.
        parts: what a box is divided into. What is left out the caller has looked at, or need not look at.
        enough: a ceiling that need not be below; asked again before every division, as is ``more``.
        more: whether that box should be divided, if not the search ends.
        most: how many may be divided.

    >>> def halves(box):  # of x (4 - x) for whole x
    ...     low, high = box
    ...     middle = (low + high) // 2
    ...     return [(float(b * (4 - a)), (a, b)) for a, b in ((low, middle), (middle + 1, high))]
    >>> best_first([(16.0, (0, 4))], halves, enough=lambda: 4.0)[0][0]
    4.0
    """
    left: list[tuple[Number, int, Box]] = []
    order = count()  # of equal ceilings the older box comes first; boxes are not compared
    for ceiling, box in starts:
        heappush(left, (-ceiling, next(order), box))
    divided = 0
    while left and -left[0][0] > enough() and divided < most and more(left[0][2]):
        divided += 1
        for ceiling, part in parts(heappop(left)[2]):
            heappush(left, (-ceiling, next(order), part))
    return [(-below, box) for below, _, box in left]
