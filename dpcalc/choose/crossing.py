r"""Where delta crosses a target, as a parameter varies: two values of the parameter, each with its own proof.

delta, over all datasets, is monotone in the parameter; which theorem says so stands beside each question. Its value may
be known between two ends only, which need not meet. So the threshold lies between an x at which the lower end is above
the target, for one dataset, and one at which the upper end is at or below it, for all.

The search begins where normal laws cross. One dataset, if that is quick, leads to the place; then both ends are found
by secants. Whatever leads, each side is proven where it stands.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcalc.errors import NoSolution, Undecided
from dpcalc.laws.tilt import gaussian
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.decimal import decimal
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import ONE, Promise, Words
from dpcalc.numbers.rational import Number
from dpcalc.numbers.search import logarithm, logit, steer
from dpcalc.pairs.family import Family, Width

#: The family and the limit at a value of the parameter.
Problem = Callable[[Fraction], tuple[Family[Any], Limit]]

NEIGHBOURS = Fraction(1, 10**16)  #: a relative width at which whole numbers are neighbours
_UNKNOWN = Promise(Fraction(0), Fraction(1))  # a delta of which nothing is known
_ONE: Words = {"attained_by": ONE, "proven_for": ONE}
_BEYOND = 0.45  # of a width: how far beyond a crossing the next value is, so that it lies between the two
_MOST = 80  # values of one end
_STRIDE = 0.05  # of log x: the first step away from the start; the next ones are at most _WIDER times as long
_WIDER = 4
_SPREAD = 1e-3  # tolerance, in log epsilon, of the start that normal laws give
_HALVED = 6  # every so many values the sides are halved, whatever the secant says
_CLOSE = 0.8  # of a width: a side this near to where its line crosses is near enough,
_UNITS = 2  # unless a width is at most this many whole numbers: then neighbours are found
_PATIENCE = 12  # values that do not halve the distance of the sides: delta jumps there, and no line leads to it
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

    def width(self, log: float) -> float:
        """How far apart the two sides should be, in log x: ``rtol``, or one unit where that is wider."""
        rtol = float(self.rtol)
        return max(rtol, math.exp(-log)) if self.whole else rtol


def tolerance(rtol: Number | None, default: str = "1e-3") -> Fraction:
    """The relative width of a bracket.

    Raises:
        DomainError: it is out of range.
    """
    return Width(default, "1e-9").of(rtol)


def shown(x: Fraction) -> str:
    """A value in an error."""
    return decimal(x, x, 12)


def short(log: float, width: float) -> Fraction:
    """A number near e^log, with two digits more than the width asks for."""
    value = math.exp(log)
    unit = 10 ** max(0, 2 - math.floor(math.log10(width * value)))
    return Fraction(round(Fraction(value) * unit), unit)


class Values(dict[Fraction, Promise]):
    """Enclosures of delta by x, each asked for once."""

    def __init__(self, delta: Callable[[Fraction], Promise]) -> None:
        super().__init__()
        self._delta = delta

    def __missing__(self, x: Fraction) -> Promise:
        self[x] = self._delta(x)
        return self[x]


def solved(problem: Problem, target: Fraction, sought: Sought, *, start: float | None = None) -> Bracket:
    """Where the largest delta of a family crosses a target between 0 and 1.

    ``start`` is an estimate of log x, if there is one.

    Raises:
        NoSolution: delta is at most the target at ``sought.failing`` too, or above it at ``sought.holding``.
        Undecided: its ends leave that open.
    """
    every, some = deltas(problem, target, sought)
    log = _start(problem, target, sought) if start is None else start
    family, _ = problem(_between(sought, log, sought.failing, sought.holding) or sought.failing)
    two = family.one_is_quick and not family.settles  # its lower end is another question than its upper one
    gap = _GAP * float(family.fineness(sought.rtol, target)) if two else 0.0
    return crossing(every, some, target, sought, start=log, settled=family.settles, gap=gap)


def led(problem: Problem, target: Fraction, sought: Sought, start: float) -> float:
    """Log x where delta of one dataset, or of all where that is no quicker, crosses the target."""
    found = _End(deltas(problem, target, sought)[1], target, sought).crossing(sought.failing, sought.holding, start)
    return sum(map(logarithm, found)) / 2


def crossing(
    every: Values, some: Values, target: Fraction, sought: Sought, *, start: float, settled: bool = False,
    gap: float = 0.0,
) -> Bracket:  # fmt: skip
    """Where delta(x) crosses the target between two values of x.

    Args:
        every: both ends of delta at x; what they enclose is monotone in x.
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
    lower = _End(some, target, sought)
    bad, near = lower.crossing(sought.failing, sought.holding, start)
    slope, start = lower.slope(bad) if bad in some else None, _beside(sought, bad, near)
    if gap and slope and (away := lower.away(bad)) is not None:
        further = away + abs(gap / max(1.0, -logit(target)) / slope)  # to where the upper end crosses
        start = logarithm(bad) + sought.way * (further + _BEYOND * sought.width(logarithm(bad)))
    upper = _End(every, target, sought, upper=True, settled=settled, guide=slope)
    _, good = upper.crossing(bad, sought.holding, start)
    at_good = every[good]
    if at_good.lower > target:
        raise NoSolution(f"delta is above {shown(target)} even at {sought.at(good)}, the last value searched")
    if at_good.upper > target:
        raise Undecided(f"delta at {sought.at(good)} is not proven to be at most {shown(target)}", at_good)
    bad, at_bad = _nearest_failing(every, some, target, bad, good)
    nearer = not gap and _apart(sought, bad, good) and _meet(at_bad, at_good, upper.tells(at_good))
    if at_bad.lower <= target or nearer:  # another dataset fails nearer by
        found, _ = _End(every, target, sought).crossing(bad, good, _beside(sought, good, bad))
        if found != bad or at_bad.lower <= target:
            bad, at_bad = found, every[found]
        _, good = upper.crossing(bad, good, (logarithm(bad) + logarithm(good)) / 2)
        at_good = every[good]
    if at_bad.upper <= target:
        raise NoSolution(f"delta is at most {shown(target)} even at {sought.at(bad)}, the last value searched")
    if at_bad.lower <= target:
        raise Undecided(f"delta at {sought.at(bad)} is not proven to be above {shown(target)}", at_bad)
    ends = (bad, at_bad), (good, at_good)
    (low, at_low), (high, at_high) = ends if bad < good else ends[::-1]
    return Bracket(
        lower=low, upper=high, at_lower=at_low, at_upper=at_high, holds_above=bad < good,
        whole=sought.whole, rtol=sought.rtol, target=target,
    )  # fmt: skip


def least_whole(
    problem: Problem, target: Fraction, *, least: int, most: int, rtol: Fraction, name: str = "",
    start: float | None = None,
) -> Bracket:  # fmt: skip
    """The least whole parameter at which the target holds; where ``least`` is enough, both ends are it.

    Raises as ``crossing``.
    """
    ends = []
    first = max(least, 1)  # the search takes its logarithm
    for x in range(least, first + 1):
        family, limit = problem(Fraction(x))
        found = family.delta(limit, rtol=family.fineness(rtol, target), target=target)
        ends.append((Fraction(x), found))
        if found.upper <= target:
            (lower, at_lower), (upper, at_upper) = ends[0], ends[-1]
            return Bracket(lower=lower, upper=upper, at_lower=at_lower, at_upper=at_upper, whole=True, target=target)
        if found.lower <= target:
            raise Undecided(f"delta at {x:,} is too near {shown(target)}", found)
    return solved(problem, target, Sought(Fraction(first), Fraction(most), rtol, True, name), start=start)


def _nearest_failing(
    every: Values, some: Values, target: Fraction, failing: Fraction, holding: Fraction
) -> tuple[Fraction, Promise]:
    """Of all x seen that fail, the one nearest to ``holding``: a lower end need not be monotone itself."""
    between = [(failing, some.get(failing, _UNKNOWN))]
    for x, found in (*every.items(), *some.items()):
        if found.lower > target and (failing < x < holding or holding < x < failing):
            between.append((x, found))
    return min(between, key=lambda one: abs(one[0] - holding))


def _apart(sought: Sought, failing: Fraction, holding: Fraction) -> bool:
    """Whether the two are farther apart than a width, and than neighbours."""
    width = abs(holding - failing)
    return width > float(sought.rtol) * min(failing, holding) and not (sought.whole and width <= 1)


def _beside(sought: Sought, one: Fraction, other: Fraction) -> float:
    """Log x about a width beside one value, on the way to the other."""
    log = logarithm(one)
    return log + (2 * _BEYOND if other > one else -2 * _BEYOND) * sought.width(log)


def _meet(at_bad: Enclosure, at_good: Enclosure, upper: Fraction) -> bool:
    """Whether the two ends of delta are nearer to one another than its values at the two sides."""
    apart = logit(upper) - logit(at_good.lower) if at_good.lower < upper else 0.0
    return apart < logit(at_bad.lower) - logit(upper)


@dataclass(frozen=True, slots=True)
class _End:
    """One end of delta as a function of x, and the search for where it crosses the target.

    Attributes:
        values: delta at x.
        target: what is crossed.
        sought: the range, and the width.
        upper: whether it is the upper end, which proves that x holds; the lower one proves that x fails.
        settled: whether the upper end may be anything up to the target, and the lower one tells how far that is.
        guide: a slope, until two values tell it.
    """

    values: Values
    target: Fraction
    sought: Sought
    upper: bool = False
    settled: bool = False
    guide: float | None = None

    def crossing(self, failing: Fraction, holding: Fraction, start: float) -> tuple[Fraction, Fraction]:
        """The end is above the target at the first and at or below it at the second, if it is at the given two. They
        are a width apart, or the one that this end proves is so near to the crossing by its line. A value aims half a
        width beyond the crossing, so that both sides come near.
        """
        sought, first, stride, log = self.sought, (failing, holding), _STRIDE, start
        width, slow = math.inf, 0
        for known in self.values:
            failing, holding = self._narrowed(known, failing, holding)
        for step in range(_MOST):
            x = _between(sought, log, failing, holding)
            if x is None:
                return failing, holding
            failing, holding = self._narrowed(x, failing, holding)
            log, toward, away = logarithm(x), sought.way if self._fails(x) else -sought.way, self.away(x)
            if away is not None and self._fails(x) != self.upper and self._close(x, away):
                return failing, holding
            enclosed = failing != first[0] and holding != first[1]
            left = abs(logarithm(failing) - logarithm(holding)) if enclosed else math.inf
            slow += enclosed and left > width / 2
            width = left
            if enclosed and (step % _HALVED == 0 or slow > _PATIENCE or away is None):
                log = (logarithm(failing) + logarithm(holding)) / 2
            elif enclosed and away is not None:
                log += toward * (away + _BEYOND * sought.width(log))
            else:  # one side is still far away; delta next to the end of the range may take long
                near = stride if away is None or step > _HALVED else away + _BEYOND * sought.width(log)
                half = abs(logarithm(holding if self._fails(x) else failing) - log) / 2
                log += toward * min(near, stride, half)
                stride *= _WIDER
        raise Undecided(f"no crossing was found between {shown(failing)} and {shown(holding)}")

    def tells(self, found: Enclosure) -> Fraction:
        """The end that tells how far delta is from the target."""
        return found.upper if self.upper and not self.settled else found.lower

    def _gap(self, x: Fraction) -> float:
        """How far delta lies above the target, as a nearly linear function of log x."""
        return _straightened(logit(self.tells(self.values[x]))) - _straightened(logit(self.target))

    def _fails(self, x: Fraction) -> bool:
        found = self.values[x]
        return (found.upper if self.upper else found.lower) > self.target

    def _narrowed(self, x: Fraction, failing: Fraction, holding: Fraction) -> tuple[Fraction, Fraction]:
        """With x in place of one of the two, if it lies between them."""
        if not (failing < x < holding or holding < x < failing):
            return failing, holding
        return (x, holding) if self._fails(x) else (failing, x)

    def _close(self, x: Fraction, away: float) -> bool:
        """Whether x is near enough to the crossing, with enough whole numbers to a width."""
        rtol = float(self.sought.rtol)
        return away <= _CLOSE * rtol and (not self.sought.whole or rtol * x > _UNITS)

    def slope(self, x: Fraction) -> float | None:
        """Of the line through the values at x and at the nearest other one, if it falls as it should."""
        log = logarithm(x)
        # The logarithms of neighbouring large whole numbers may be the same double.
        known = [known for known in self.values if logarithm(known) != log]
        if not known:
            return self.guide
        other = min(known, key=lambda other: abs(logarithm(other) - log))
        found = (self._gap(other) - self._gap(x)) / (logarithm(other) - log)
        return found if math.isfinite(found) and found * self.sought.way < 0 else None

    def away(self, x: Fraction) -> float | None:
        """How far the crossing is from x, in log x, by that line."""
        gap, slope = self._gap(x), self.slope(x)
        return abs(gap / slope) if slope and math.isfinite(gap) else None


def _between(sought: Sought, log: float, failing: Fraction, holding: Fraction) -> Fraction | None:
    """A short number near e^log between the two; None where they are near enough."""
    rtol = float(sought.rtol)
    low, high = sorted((failing, holding))
    a, b = logarithm(low), logarithm(high)
    if sought.whole:
        if high - low <= max(1, rtol * float(low)):
            return None
        return min(max(Fraction(round(math.exp(min(max(log, a), b)))), low + 1), high - 1)
    if b - a <= rtol:
        return None
    margin = min(rtol, b - a) / 4
    return short(min(max(log, a + margin), b - margin), rtol)


def deltas(problem: Problem, target: Fraction, sought: Sought) -> tuple[Values, Values]:
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

    def of_every(x: Fraction) -> Promise:
        family, limit = problem(x)
        found: Promise = decided(lambda: family.delta(limit, rtol=family.fineness(sought.rtol, target), target=target))
        return found

    def of_one(x: Fraction) -> Promise:
        family, limit = problem(x)
        if not family.one_is_quick:
            return every[x]
        found = decided(lambda: family.one(limit, rtol=family.fineness(sought.rtol, target), near=target))
        return found if isinstance(found, Promise) else Promise.that(found, **_ONE)

    every = Values(of_every)
    return every, Values(of_one)


def _start(problem: Problem, target: Fraction, sought: Sought) -> float:
    """Log x where normal laws of the same standard deviation cross."""
    low, high = sorted((sought.failing, sought.holding))
    log_target = logarithm(target)

    def gap(log: float) -> float:
        x = Fraction(round(math.exp(log))) if sought.whole else short(log, _SPREAD)
        family, limit = problem(min(max(x, low), high))
        epsilon = gaussian(family.spread, log_target)
        return sought.way * (math.log(max(epsilon, 1e-300)) - math.log(max(limit.steer(), 1e-300)))

    return steer(gap, logarithm(low), logarithm(high), tolerance=_SPREAD)


def _straightened(log_odds: float) -> float:
    """Nearly linear in the logs of q, n and epsilon where delta falls like the tail of a normal law."""
    return -math.log(-log_odds) if log_odds < -1 else 1 + log_odds
