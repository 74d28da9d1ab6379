"""Root search in floating point: it finds where to look and proves nothing."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

__all__ = ["logarithm", "steer"]

_STEPS = 200


def logarithm(x: Fraction) -> float:
    """Log of x >= 0 as a float, for x of any size; -inf for 0."""
    return math.log(x.numerator) - math.log(x.denominator) if x > 0 else -math.inf


def steer(
    function: Callable[[float], float], low: float, high: float, *, start: float | None = None, tolerance: float = 1e-11
) -> float:
    """A point of [low, high] where a decreasing function crosses 0, about; an end if it does not cross.

    Strides that grow from ``start`` (or from the middle) bracket the crossing; then two secant steps to each bisection.
    The function may be -inf.
    """
    x, stride = (low + high) / 2 if start is None else min(max(start, low), high), 0.05
    value = function(x)
    above = value > 0
    while (value > 0) == above:
        if x == (high if above else low):
            return x
        last, at_last = x, value
        x, stride = min(max(x + (stride if above else -stride), low), high), 2 * stride
        value = function(x)
    if above:
        low, at_low, high, at_high = last, at_last, x, value
    else:
        low, at_low, high, at_high = x, value, last, at_last
    for step in range(_STEPS):
        secant = math.isfinite(at_high) and step % 3 < 2
        x = low + (high - low) * at_low / (at_low - at_high) if secant else (low + high) / 2
        value = function(x)
        if abs(value) < tolerance or high - low <= tolerance * max(1.0, abs(x)):
            return x
        if value > 0:
            low, at_low = x, value
        else:
            high, at_high = x, value
    return (low + high) / 2
