"""Where delta of one dataset crosses a target, as a parameter varies: in floating point, which proves nothing.

It tells the certified search (``choose.crossing``) where to begin.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from dpcalc.errors import TooLarge, Undecided
from dpcalc.laws.tilt import gaussian
from dpcalc.numbers.ball import bits_for, dyadic
from dpcalc.numbers.decimal import decimal
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.rational import reduced
from dpcalc.numbers.search import logarithm, logit, steer
from dpcalc.pairs.family import Family

#: The family and the limit at a value of the parameter.
Problem = Callable[[Fraction], tuple[Family[Any], Limit]]

#: Of a width: how far beyond a crossing the next value is, so that after two values the crossing lies between them.
BEYOND = 0.45
_SLOPE_STEP = 0.01  # of log x, between the two values that give the slope
_SPREAD = 1e-3  # tolerance, in log epsilon, of the start that normal laws give
_FINER = 0.05  # of rtol: where delta falls like a step, values this close on both sides end the search
_NEXT = 0.01  # the coarsest tolerance of the search, in log-odds,
_FLOAT = 1e-9  # and the finest: doubles do not tell nearer values apart
_BITS = 10  # of a value tried, beyond those of rtol
_FARTHEST = 700.0  # the largest |log x| that a nearly flat line may lead to; e^700 is a double


@dataclass(frozen=True, slots=True)
class Sought:
    """Where the parameter is sought.

    Attributes:
        failing: the end of the search that is expected to fail; it may be the smaller or the larger one.
        holding: the end that is expected to hold.
        rtol: relative width to which each end's crossing is found; whole parameters to at least one unit.
        whole: whether the parameter is a whole number.
        name: of the parameter, for errors.
    """

    failing: Fraction
    holding: Fraction
    rtol: Fraction
    whole: bool = False
    name: str = ""

    def at(self, x: Fraction) -> str:
        """The parameter with its value, for an error."""
        text = f"{int(x):,}" if x.denominator == 1 else shown(x)
        return f"{self.name} = {text}" if self.name else text

    @property
    def way(self) -> int:
        """1 where larger values hold, else -1."""
        return 1 if self.holding > self.failing else -1

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """The smaller one first."""
        return min(self.failing, self.holding), max(self.failing, self.holding)

    def width(self, log: float) -> float:
        """How far apart the two sides should be, in log x: ``rtol``, or one unit where that is wider."""
        rtol = float(self.rtol)
        return max(rtol, math.exp(-log)) if self.whole else rtol


@dataclass(frozen=True, slots=True)
class Guess:
    """An estimate of log x at the crossing, and of the slope there: of the log-odds of delta over log x, if known."""

    log: float
    slope: float | None = None

    def beyond(self, sought: Sought) -> Fraction | None:
        """A short number half a width from there, on the side that holds; None where that is the end of the search."""
        (low, high), rtol = sought.ends, float(sought.rtol)
        if sought.whole:
            near = math.exp(self.log)
            x = Fraction(round(near) + sought.way * max(1, math.floor(BEYOND * rtol * near)))
        else:
            x = short(self.log + sought.way * BEYOND * rtol, rtol)
        return x if low < x < high else None

    def through(self, known: Sequence[tuple[Fraction, Fraction]], target: Fraction) -> Guess:
        """Where another dataset's delta crosses, given it at one x or at two: its slope is about the same."""
        points = [(logarithm(x), logit(delta)) for x, delta in known]
        (a, first), (b, last) = points[0], points[-1]
        assert self.slope is not None
        own = (last - first) / (b - a) if abs(b - a) > _FLOAT else 0.0
        slope = own if own * self.slope > 0 else self.slope
        log = b + (logit(target) - last) / slope
        return Guess(min(max(log, -_FARTHEST), _FARTHEST), slope)


def shown(x: Fraction) -> str:
    """A value in an error."""
    return decimal(x, x, 12)


def short(log: float, width: float) -> Fraction:
    """A number near e^log, with two digits more than the width asks for."""
    value = math.exp(log)
    unit = 10 ** max(0, 2 - math.floor(math.log10(width * value)))
    return Fraction(round(value * unit), unit)


def steered(problem: Problem, target: Fraction, sought: Sought, *, start: float | None = None) -> Guess:
    """Where delta of the family's likely worst dataset crosses the target.

    ``start`` is an estimate of log x; default: where normal laws of the same standard deviation cross.
    """
    (low, high), sign = sought.ends, sought.way
    ends = logarithm(low), logarithm(high)
    bits = None if sought.whole else bits_for(sought.rtol) + _BITS
    log_target, goal = logarithm(target), _straightened(logit(target))

    def parameter(u: float) -> Fraction:
        x = _rounded(math.exp(u), bits)
        return min(max(x, low), high)

    def normal_gap(u: float) -> float:
        family, limit = problem(parameter(u))
        epsilon = gaussian(family.spread, log_target)
        return sign * (math.log(max(epsilon, 1e-300)) - math.log(max(limit.steer(), 1e-300)))

    @cache  # rounded to few bits, the same values come again; whole numbers are hashed far faster than fractions
    def held(numerator: int, denominator: int) -> float:
        family, limit = problem(reduced(numerator, denominator))
        try:
            return family.log_odds(limit, target)
        except (TooLarge, Undecided):
            return -math.inf

    def log_odds(u: float) -> float:
        return held(*parameter(u).as_integer_ratio())

    def gap(u: float) -> float:
        return sign * (_straightened(log_odds(u)) - goal)

    if start is None:
        start = steer(normal_gap, *ends, tolerance=_SPREAD, straight=True)
    if not math.isfinite(gap(start)):
        return Guess(start)
    family, _ = problem(parameter(start))
    tolerance = min(_NEXT, max(_FLOAT, float(family.fineness(sought.rtol, target))))
    near = float(sought.rtol) * _FINER
    log = steer(gap, *ends, start=start, tolerance=tolerance, straight=family.settles, near=near)
    if abs(gap(log)) > 1:  # it does not cross
        return Guess(start)
    step = max(_SLOPE_STEP, 2 * math.exp(-log)) if sought.whole else _SLOPE_STEP
    slope = (log_odds(log + step) - log_odds(log)) / step
    return Guess(log, slope if math.isfinite(slope) and slope * sign < 0 else None)


def _straightened(log_odds: float) -> float:
    """Nearly linear in the logs of q, n and epsilon where delta falls like the tail of a normal law."""
    return -math.log(-log_odds) if log_odds < -1 else 1 + log_odds


def _rounded(x: float, bits: int | None) -> Fraction:
    """A number > 0 rounded to so many bits; None: to a whole number."""
    if bits is None:
        return Fraction(round(x))
    head, exponent = math.frexp(x)
    return dyadic(round(math.ldexp(head, bits)), exponent - bits)
