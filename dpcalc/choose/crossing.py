r"""Where delta crosses a target, as a parameter varies: two values of the parameter, each with its own proof.

delta, over all datasets, is monotone in the parameter; which theorem says so stands beside each question. Its value may
be known between two ends only, which need not meet. So the threshold lies between an x at which the lower end is above
the target, for one dataset, and one at which the upper end is at or below it, for all.

The search begins where normal laws cross. Secants lead along one dataset, if that is quick, to where its delta crosses,
and from there along the upper end. There the multiples of a short unit, as far apart as the ends may be, are compared
until one fails and the next one holds. Whatever leads, each side is proven where it stands.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

from dpcalc.errors import NoSolution, Undecided
from dpcalc.families.table import family
from dpcalc.laws.tilt import gaussian
from dpcalc.mechanisms.mechanism import Mechanism
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.decimal import decimal
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import ONE, Promise, Words
from dpcalc.numbers.rational import Number
from dpcalc.numbers.search import last_where, logarithm, logit, steer
from dpcalc.pairs.family import Family, Width

#: The family and the limit at a value of the parameter.
Problem = Callable[[Fraction], tuple[Family[Any], Limit]]
#: What is known of delta at a value of the parameter.
Known = Callable[[Fraction], Promise]

NEIGHBOURS = Fraction(1, 10**16)  #: a relative width at which whole numbers are neighbours
_UNKNOWN = Promise(Fraction(0), Fraction(1))  # a delta of which nothing is known
_ONE: Words = {"attained_by": ONE, "proven_for": ONE}
_SPREAD = Fraction(1, 1000)  # tolerance, in log epsilon, of the start that normal laws give
_GAP = 1.5  # of the width of delta that was asked for: how far apart its two ends are as a rule
_UNDECIDED = 2  # values at which delta was undecided, each of which takes seconds, end the search


@dataclass(frozen=True, slots=True)
class Sought:
    """Where the parameter is sought.

    Attributes:
        failing: the end of the search that is expected to fail; it may be the smaller or the larger one.
        holding: the end that is expected to hold.
        rtol: relative width to which each end's crossing is found; whole parameters to at least one unit.
        whole: whether the parameter is a whole number.
        name: of the parameter, for errors.
        enough: whether ``failing`` may hold: then it is the answer.
    """

    failing: Fraction
    holding: Fraction
    rtol: Fraction
    whole: bool = False
    name: str = ""
    enough: bool = False

    def at(self, x: Fraction) -> str:
        """The parameter with its value, for an error."""
        text = f"{int(x):,}" if x.denominator == 1 else shown(x)
        return f"{self.name} = {text}" if self.name else text

    @property
    def way(self) -> int:
        """1 where larger values hold, else -1."""
        return 1 if self.holding > self.failing else -1

    @property
    def logs(self) -> tuple[float, float]:
        """The logarithms of the smaller and the larger end; of whole numbers from 1 on."""
        low, high = (logarithm(max(end, Fraction(self.whole))) for end in sorted((self.failing, self.holding)))
        return low, high

    def unit(self, x: Fraction) -> Fraction:
        """A number of one digit, so that neighbouring multiples of it about x are near enough to one another."""
        most = x * self.rtol / (1 + self.rtol)
        if self.whole and most <= 1:
            return Fraction(1)
        power = Fraction(10) ** math.floor(logarithm(most) / math.log(10))
        return power * max(1, math.floor(most / power))

    def wide(self, one: Fraction, other: Fraction) -> bool:
        """Whether the two are farther apart than they may be."""
        return abs(one - other) > max(self.rtol * min(one, other), Fraction(self.whole))

    def within(self, x: Fraction) -> Fraction:
        """The value, or the end that it lies beyond."""
        return min(max(x, min(self.failing, self.holding)), max(self.failing, self.holding))

    def near(self, log: float) -> Fraction:
        """A multiple of the unit next to e^log, or an end."""
        unit = self.unit(x := self.within(Fraction(math.exp(log))))
        return self.within(round(x / unit) * unit)

    def before(self, log: float) -> Fraction:
        """A short value about half a unit before e^log, on the side that fails, or an end."""
        unit = self.unit(x := self.within(Fraction(math.exp(log))))
        digit = max(unit / 10, Fraction(1)) if self.whole else unit / 10
        return self.within(round((x - self.way * unit / 2) / digit) * digit)


def tolerance(rtol: Number | None, default: str = "1e-3") -> Fraction:
    """The relative width of a bracket.

    Raises:
        DomainError: it is out of range.
    """
    return Width(default, "1e-9").of(rtol)


def shown(x: Fraction) -> str:
    """A value in an error."""
    return decimal(x, x, 12)


def solved_for(
    made: Callable[[Fraction], Mechanism], limit: Limit, target: Fraction, sought: Sought, *, start: float | None = None
) -> Bracket:
    """Where the largest delta of a mechanism crosses a target, as its parameter varies; errors as ``solved``."""
    found = solved(lambda x: (family(made(x)), limit), target, sought, start=start)
    return replace(found, mechanism=made(found.value))


def solved(problem: Problem, target: Fraction, sought: Sought, *, start: float | None = None) -> Bracket:
    """Where the largest delta of a family crosses a target between 0 and 1.

    ``start`` is an estimate of log x, if there is one.

    Raises:
        NoSolution: delta is at most the target at ``sought.failing`` too, or above it at ``sought.holding``.
        Undecided: its ends leave that open.
    """
    every, some = deltas(problem, target, sought)
    log = _start(problem, target, sought) if start is None else start
    asked, _ = problem(sought.near(log))
    two = asked.one_is_quick and not asked.settles  # its lower end is another question than its upper one
    gap = _GAP * float(asked.fineness(sought.rtol, target)) if two else 0.0
    return crossing(every, some, target, sought, start=log, settled=asked.settles, gap=gap)


def crossing(
    every: Known, some: Known, target: Fraction, sought: Sought, *, start: float, settled: bool = False,
    gap: float = 0.0,
) -> Bracket:  # fmt: skip
    """Where delta(x) crosses the target between two values of x.

    Args:
        every: both ends of delta at x; what they enclose is monotone in x. It is asked for the same x again.
        some: delta of one dataset, if that is quicker: it tells where to look first, and may prove that x fails.
        target: 0 < target < 1.
        sought: the two values, and how near to one another the sides are to be.
        start: an estimate of log x at the crossing.
        settled: whether ``every`` only tells on which side of the target delta lies, its upper end no more than that.
        gap: an estimate of how far apart the two ends of delta are, where they do not meet.

    Raises:
        NoSolution: delta is at most the target at ``failing`` too, or above it at ``holding``.
        Undecided: its ends leave that open.
    """
    if sought.enough and (first := every(x := sought.failing)).upper <= target:
        return Bracket(lower=x, upper=x, at_lower=first, at_upper=first, whole=sought.whole, target=target)
    log = led(some, target, sought, start)
    ends = sought.failing, sought.holding
    bad, good = _neighbours(lambda x: some(x).lower > target, sought, ends, sought.before(log))
    at_bad, slope = some(bad), _slope(some, bad, good)
    if good != sought.holding and (gap or every(good).upper > target):
        log = logarithm(good)  # and from there to half a width beyond where the upper end may cross
        far = log - gap / max(1.0, -logit(target)) / slope + sought.way * float(sought.rtol) / 2 if slope else log
        start = log if sought.near(far) == sought.holding else far
        log = led(every, target, sought, start, upper=not settled, slope=slope)
        near = Fraction(math.exp(log))

        def fails(x: Fraction) -> bool:
            """Where the ends of delta lie apart, values that the secants pass over are not asked for."""
            return (not settled and sought.way * (near - x) > sought.unit(near) / 2) or every(x).upper > target

        at = sought.before(log) if settled else sought.near(log)
        nearer, good = _neighbours(fails, sought, (bad, sought.holding), at)
        if settled and every(nearer).lower > target:
            bad, at_bad = nearer, every(nearer)
    at_good = every(good)
    if at_good.lower > target:
        raise NoSolution(f"delta is above {shown(target)} even at {sought.at(good)}, the last value searched")
    if at_good.upper > target:
        raise Undecided(f"delta at {sought.at(good)} is not proven to be at most {shown(target)}", at_good)
    if at_bad.lower <= target:
        at_bad = every(bad)
    if at_bad.upper <= target:
        raise NoSolution(f"delta is at most {shown(target)} even at {sought.at(bad)}, the last value searched")
    if at_bad.lower <= target:
        raise Undecided(f"delta at {sought.at(bad)} is not proven to be above {shown(target)}", at_bad)
    sides = (bad, at_bad), (good, at_good)
    (low, at_low), (high, at_high) = sides if bad < good else sides[::-1]
    return Bracket(
        lower=low, upper=high, at_lower=at_low, at_upper=at_high, holds_above=bad < good,
        whole=sought.whole, rtol=sought.rtol, target=target,
    )  # fmt: skip


def led(
    delta: Known, target: Fraction, sought: Sought, start: float, *, upper: bool = False, slope: float | None = None
) -> float:
    """About log x where the lower or upper end of delta crosses the target; it is not asked for at the search's ends.

    ``start`` is an estimate of it, and ``slope`` is that of ``_height``, until two values tell it.
    """
    way, known = sought.way, {sought.holding: -math.inf}
    if not sought.enough:
        known[sought.failing] = math.inf

    points: dict[float, Fraction] = {}

    def snap(log: float) -> float:
        x = sought.near(way * log)
        points[snapped := way * logarithm(x)] = x
        return snapped

    def gap(log: float) -> float:
        x = points[log]
        if x not in known:
            known[x] = _height(delta(x).upper if upper else delta(x).lower)
        return known[x] - _height(target)

    low, high = sorted(way * log for log in sought.logs)
    return way * steer(gap, low, high, start=way * start, tolerance=0.0, snap=snap, slope=slope and way * slope)


def _neighbours(
    fails: Callable[[Fraction], bool], sought: Sought, ends: tuple[Fraction, Fraction], near: Fraction
) -> tuple[Fraction, Fraction]:
    """Of values a unit apart between two ends the last one that fails, and the next one; from ``near`` on."""
    unit, (low, high) = sought.way * sought.unit(near), sorted(ends)

    def at(j: int) -> Fraction:
        return min(max(near + j * unit, low), high)

    first, last = math.floor((ends[0] - near) / unit) + 1, math.ceil((ends[1] - near) / unit) - 1
    i = last_where(lambda j: fails(at(j)), first, last, near=min(max(0, first), last))
    found = at(i), at(i + 1)
    return _neighbours(fails, sought, found, min(found)) if sought.wide(*found) else found


def deltas(problem: Problem, target: Fraction, sought: Sought) -> tuple[Known, Known]:
    """delta of all datasets, and of the one that the family takes for the worst where that is quick, else of all.

    Where delta is undecided nothing is known: the error's enclosure may be of a step on the way.
    """
    undecided = 0

    def decided(delta: Callable[[], Any]) -> Any:
        nonlocal undecided
        try:
            return delta()
        except Undecided as error:
            undecided += 1
            if undecided == _UNDECIDED:
                raise Undecided(f"delta is not settled at {_UNDECIDED} values that were tried: {error}") from error
            return _UNKNOWN

    @cache
    def every(x: Fraction) -> Promise:
        asked, limit = problem(x)
        found: Promise = decided(lambda: asked.delta(limit, rtol=asked.fineness(sought.rtol, target), target=target))
        return found

    @cache
    def some(x: Fraction) -> Promise:
        asked, limit = problem(x)
        if not asked.one_is_quick:
            return every(x)
        found = decided(lambda: asked.one(limit, rtol=asked.fineness(sought.rtol, target), near=target))
        return found if isinstance(found, Promise) else Promise.that(found, **_ONE)

    return every, some


def _start(problem: Problem, target: Fraction, sought: Sought) -> float:
    """Log x where normal laws of the same standard deviation cross."""
    low, high = sought.logs

    def gap(log: float) -> float:
        asked, limit = problem(replace(sought, rtol=_SPREAD).near(log))
        epsilon = gaussian(asked.spread, logarithm(target))
        return sought.way * (math.log(max(epsilon, 1e-300)) - math.log(max(limit.steer(), 1e-300)))

    return steer(gap, low, high, tolerance=float(_SPREAD))


def _height(delta: Fraction) -> float:
    """Nearly linear in the logs of q, n and epsilon where delta falls like the tail of a normal law."""
    odds = logit(delta)
    return -math.log(-odds) if odds < -1 else 1 + odds


def _slope(delta: Known, one: Fraction, other: Fraction) -> float | None:
    """Of the height of the lower end, in log x; None if it is not known."""
    rise, run = _height(delta(one).lower) - _height(delta(other).lower), logarithm(one) - logarithm(other)
    return rise / run if run and rise and math.isfinite(rise) else None
