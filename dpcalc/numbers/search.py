"""Where a condition last holds; and root search in floating point, which finds where to look and proves nothing."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

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
