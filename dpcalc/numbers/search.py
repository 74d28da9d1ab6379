"""Searches: where a condition last holds; a largest value, over boxes; and roots in doubles, which prove nothing.

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

_STEPS = 200  # a bisection of a bracket of logarithms to its last bit takes 60
_STRIDE = 0.05  # the first, in units of a logarithm: a start is often that near
_NEAR = 1e-12  # points that are not worth telling apart


def last_where(holds: Callable[[int], bool], low: float, high: float, *, near: int | None = None) -> int:
    """The last whole number from ``low`` to ``high`` with a property that all smaller ones have; low - 1 if none has.

    By bisection, after doubled strides from ``near`` if it is given; else both ends must be finite.

    >>> last_where(lambda x: x * x <= 50, 0, 50), last_where(lambda x: x <= 50, -math.inf, math.inf, near=7)
    (7, 50)
    """
    good, bad, stride = low - 1, high + 1, 1
    while bad - good > 1:
        here = near if near is not None and good < near < bad else int((good + bad) // 2)
        good, bad = (here, bad) if holds(here) else (good, here)
        near, stride = (None if near is None else here + (stride if good == here else -stride)), 2 * stride
    return int(good)


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


def logarithm(x: Fraction) -> float:
    """Log of x >= 0 as a float, for x of any size; -inf for 0."""
    above, below = x.as_integer_ratio()
    return math.log(above) - math.log(below) if above > 0 else -math.inf


def logit(x: Fraction) -> float:
    """Log of x / (1 - x), which tells apart numbers next to 1 too; inf for 1 and beyond."""
    above, below = x.as_integer_ratio()
    if not 0 < above < below:
        return math.inf if above > 0 else -math.inf
    return math.log(above) - math.log(below - above)


def steer(
    function: Callable[[float], float],
    low: float,
    high: float,
    *,
    start: float | None = None,
    tolerance: float = 1e-11,
) -> float:
    """A point of [low, high] near which a decreasing function crosses 0; an end if it does not cross.

    Secant steps, each at most four times as long as the one before while all points lie on one side of the crossing.
    Once it is bracketed, a secant that leaves the bracket is replaced by a bisection, and so is every third one if
    three have not halved it.

    Args:
        function: decreasing; it may be -inf.
        low: the left end.
        high: the right end.
        start: the first point; default: the middle.
        tolerance: stop where the function is this near to 0; points that agree to 12 digits are not told apart.
    """
    x, stride = (low + high) / 2 if start is None else min(max(start, low), high), _STRIDE
    left = right = last = None  # the nearest points known to have the crossing to their right, to their left; the last
    width = math.inf
    for step in range(_STEPS):
        value = function(x)
        left, right = (x, right) if value > 0 else (left, x)
        if abs(value) < tolerance or x == (high if value > 0 else low):
            return x
        guess = _secant(*last, x, value) if last is not None else math.nan
        if left is None or right is None:
            farthest = min(x + stride, high) if value > 0 else max(x - stride, low)
            limited = not min(x, farthest) < guess < max(x, farthest)
            guess = farthest if limited else guess
            stride *= 4
        else:
            limited, stalled = False, step % 3 == 0 and right - left > width / 2
            guess = guess if left < guess < right and not stalled else (left + right) / 2
            width = right - left if step % 3 == 0 else width
        if not limited and (guess in (x, left, right) or abs(guess - x) <= _NEAR * max(1.0, abs(x))):
            return guess
        last, x = (x, value), guess
    return x


def increasing_root(function: Callable[[float], float], start: float = 0.0) -> float:
    """About where an increasing function of t > 0 with values of the order of 1 crosses 0; ``start`` is log t."""
    return math.exp(steer(lambda x: -function(math.exp(x)), -300.0, 300.0, start=start, tolerance=1e-4))


def _secant(x: float, at_x: float, y: float, at_y: float) -> float:
    """Where the line through two points crosses 0."""
    return y + at_y * (y - x) / (at_x - at_y) if math.isfinite(at_x - at_y) and at_x != at_y else math.nan
