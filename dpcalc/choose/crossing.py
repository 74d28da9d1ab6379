r"""Where delta crosses a target, as a parameter varies: the one search of every question that solves for something.

delta, over all datasets, is monotone in the parameter; which theorem says so stands beside each question. Its value may
be known between two ends only, which need not meet. So the threshold lies between an x at which the lower end is above
the target, for one dataset, and one at which the upper end is at or below it, for all: each end has its own proof.

Single datasets, some of them in floating point, steer to the place (``steered``); only the two ends are certified
(``crossing``). A secant of the log-odds of delta aims half a width beyond where they cross, so that both sides come in.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from operator import attrgetter
from typing import Any

from dpcalc.errors import NoSolution, TooLarge, Undecided
from dpcalc.laws.saddle import gaussian
from dpcalc.numbers.ball import bits_for, dyadic
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.decimal import decimal
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import ONE, Promise, Words
from dpcalc.numbers.rational import Number, less, reduced
from dpcalc.numbers.search import logarithm, logit, steer
from dpcalc.pairs.family import Family, Width

#: The family and the limit at a value of the parameter.
Problem = Callable[[Fraction], tuple[Family[Any], Limit]]

NEIGHBOURS = Fraction(1, 10**16)  #: a relative width at which whole numbers are neighbours
_UNKNOWN = Promise(Fraction(0), Fraction(1))
_ONE: Words = {"attained_by": ONE, "proven_for": ONE}
_MOVES = 4  # times another dataset is found to be worse
_SECANTS, _ALIKE = 4, 0.1  # to where it crosses, and the share of a width that is near enough
_FINER = 0.05  # the same of two values on both sides, where delta falls like a step
_OPEN = 2  # values that are not settled, each of which takes seconds, end the search
_STRIDE = 0.05  # of log x, the first away from a start
_MOST = 80  # values of one end
_FAR = 20.0  # widths apart, from which two values tell a slope
_STRAIGHT = 8  # values up to which a known slope is trusted
_UNITS = 2  # to a width, above which neighbours need not be found
_BEYOND = 0.45  # of a width, past where a secant crosses
_CLOSE = 0.6  # of a width, from where a secant crosses, at most
_APART = 0.01  # of log x: the two values that tell a slope
_GAP = 1.5  # of the width of delta that was asked for: so far apart its two ends are as a rule
_NEXT = 0.01  # so near to the target, in log-odds, the search for a start ends at the latest
_FLOAT = 1e-9
_BITS = 10  # of a value searched, beyond those of the width
_FARTHEST = 700.0  # where a line that hardly falls may lead; e to it is a float
_SPREAD = 1e-3  # how near to the limit normal laws are brought


@dataclass(frozen=True, slots=True)
class Sought:
    """Where the parameter is sought.

    Attributes:
        failing: the end of the search that is expected to fail, on either side.
        holding: the end that is expected to hold.
        rtol: relative width to which each end's crossing is found; whole parameters to at least one unit.
        whole: whether the parameter is a whole number.
        name: of the parameter.
    """

    failing: Fraction
    holding: Fraction
    rtol: Fraction
    whole: bool = False
    name: str = ""

    def at(self, x: Fraction) -> str:
        """The parameter there, in an error."""
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


@dataclass(frozen=True, slots=True)
class Guess:
    """Where log x crosses, about, and the slope of the log-odds of delta over log x there, if it is known."""

    log: float
    slope: float | None = None

    def beyond(self, sought: Sought) -> Fraction | None:
        """A short number half a width from there, on the side that holds; None where that is the end of the search."""
        (low, high), rtol = sought.ends, float(sought.rtol)
        if sought.whole:
            near = math.exp(self.log)
            x = Fraction(round(near) + sought.way * max(1, math.floor(_BEYOND * rtol * near)))
        else:
            x = _short(self.log + sought.way * _BEYOND * rtol, rtol)
        return x if low < x < high else None

    def through(self, known: Sequence[tuple[Fraction, Fraction]], target: Fraction) -> Guess:
        """Where another dataset's delta crosses, known at one x or at two: its slope is about the same."""
        points = [(logarithm(x), logit(delta)) for x, delta in known]
        (a, first), (b, last) = points[0], points[-1]
        assert self.slope is not None
        own = (last - first) / (b - a) if abs(b - a) > _FLOAT else 0.0
        slope = own if own * self.slope > 0 else self.slope
        place = b + (logit(target) - last) / slope
        return Guess(min(max(place, -_FARTHEST), _FARTHEST), slope)


def tolerance(rtol: Number | None, default: str = "1e-3") -> Fraction:
    """The relative width of a bracket.

    Raises:
        DomainError: it is out of range.
    """
    return Width(default, "1e-9").of(rtol)


def shown(x: Fraction) -> str:
    """A value in an error."""
    return decimal(x, x, 12)


def solved(problem: Problem, target: Fraction, sought: Sought, *, start: float | None = None) -> Bracket:
    """Where the largest delta of a family crosses the target.

    One dataset steers to the place; where another one is worse there, that one does. The arguments and what is raised
    are those of ``crossing``; ``start`` is log x, about, if it is known.
    """
    pinned, left = list[Promise](), _OPEN
    rtol = sought.rtol

    def asked(x: Fraction) -> tuple[Family[Any], Limit]:
        family, limit = problem(x)
        return (family.pinned(pinned[-1]) if pinned else family), limit

    def settled(delta: Callable[[], Any]) -> Any:
        """delta; where it is not settled nothing is known: the error's enclosure may be of a step on the way."""
        nonlocal left
        try:
            return delta()
        except Undecided as error:
            left -= 1
            if not left:
                raise Undecided(f"delta is not settled at {_OPEN} values that were tried: {error}") from error
            return _UNKNOWN

    def worst(x: Fraction) -> Promise:
        family, limit = problem(x)
        found: Promise = settled(lambda: family.delta(limit, rtol=family.fineness(rtol, target), target=target))
        return found

    every = Values(worst)

    def one(x: Fraction) -> Promise:
        family, limit = asked(x)
        if not family.one_is_quick:
            return every.at(x)
        found = settled(lambda: family.one(limit, rtol=family.fineness(rtol, target), near=target))
        return found if isinstance(found, Promise) else Promise.that(found, **_ONE)

    def line(*known: tuple[Fraction, Promise]) -> Guess:
        return place.through([(x, found.lower) for x, found in known], target)

    def moved(x: Fraction, found: Promise) -> Guess:
        """Where the dataset pinned last crosses, given its delta at an x near by: by secants."""
        here, known = place, [(x, found)]
        for _ in range(_SECANTS if place.slope else 0):
            before, here = here.log, line(*known)
            if abs(here.log - before) < _ALIKE * rtol:
                return here
            near = here.beyond(sought)
            if near is None or near == known[-1][0] or abs(here.log - before) > _APART:
                break
            known = [known[-1], (near, one(near))]
        return steered(asked, target, sought, start=here.log)

    def suspected(x: Fraction) -> Promise | None:
        """delta there of a dataset that may be worse than the one that steers, if it is above the target."""
        family, limit = problem(x)
        suspect = family.suspect(limit)
        if suspect is None or family.pinned(suspect) == asked(x)[0]:
            return None
        pinned.append(suspect)
        if (found := one(x)).lower > target:
            return found
        pinned.pop()
        return None

    place = steered(problem, target, sought, start=start)
    for _ in range(_MOVES):
        beyond = place.beyond(sought) if place.slope else None
        if beyond is None or (found := suspected(beyond)) is None:
            break
        place = moved(beyond, found)
    for _ in range(_MOVES):
        beyond = place.beyond(sought)
        if beyond is None or not problem(beyond)[0].settles:
            break
        found = every.at(beyond)
        if place.slope and found.lower <= target:  # no dataset is worse; without a slope this one never crosses
            break
        before = asked(beyond)[0]
        pinned.append(found)
        if not place.slope and asked(beyond)[0] == before:  # the same dataset leads to the same place
            break
        place = moved(beyond, found)
    family = problem(place.beyond(sought) or sought.failing)[0]
    two = family.one_is_quick and not family.settles  # its lower end is another question than its upper one
    gap = _GAP * float(family.fineness(rtol, target)) if two else 0.0
    return crossing(every, Values(one), target, sought, place=place, settled=family.settles, gap=gap)


def least_whole(
    problem: Problem, target: Fraction, *, least: int, most: int, rtol: Fraction, name: str = ""
) -> Bracket:
    """The least whole parameter at which the target holds; where ``least`` is enough, both ends are it.

    Raises as ``crossing``.
    """
    ends = []
    start = max(least, 1)  # its logarithm is looked at
    for x in range(least, start + 1):
        family, limit = problem(Fraction(x))
        found = family.delta(limit, rtol=family.fineness(rtol, target), target=target)
        ends.append((Fraction(x), found))
        if found.upper <= target:
            (lower, at_lower), (upper, at_upper) = ends[0], ends[-1]
            return Bracket(lower=lower, upper=upper, at_lower=at_lower, at_upper=at_upper, whole=True, target=target)
        if found.lower <= target:
            raise Undecided(f"delta at {x:,} is too near {shown(target)}", found)
    return solved(problem, target, Sought(Fraction(start), Fraction(most), rtol, True, name))


def steered(problem: Problem, target: Fraction, sought: Sought, *, start: float | None = None) -> Guess:
    """Where delta of one dataset crosses the target: in floating point, which proves nothing.

    ``start`` is log x, about, if it is known; default: where normal laws of the same spread cross.
    """
    (low, high), sign = sought.ends, sought.way
    bits = None if sought.whole else bits_for(sought.rtol) + _BITS
    ends, faint, goal = (logarithm(low), logarithm(high)), logarithm(target), _bent(logit(target))

    def parameter(u: float) -> Fraction:
        x = _rounded(math.exp(u), bits)
        return x if less(low, x) and less(x, high) else min(max(x, low), high)

    def apart(u: float) -> float:
        family, limit = problem(parameter(u))
        epsilon = gaussian(family.spread, faint)
        return sign * (math.log(max(epsilon, 1e-300)) - math.log(max(limit.steer(), 1e-300)))

    @cache  # a search among so few numbers comes back to them
    def held(numerator: int, denominator: int) -> float:
        family, limit = problem(reduced(numerator, denominator))
        try:
            return family.log_odds(limit, target)
        except (TooLarge, Undecided):
            return -math.inf

    def odds(u: float) -> float:
        return held(*parameter(u).as_integer_ratio())

    def gap(u: float) -> float:
        return sign * (_bent(odds(u)) - goal)

    if start is None:
        start = steer(apart, *ends, tolerance=_SPREAD, straight=True)
    if not math.isfinite(gap(start)):
        return Guess(start)
    family, _ = problem(parameter(start))
    near = _near_enough(family, sought.rtol, target)
    place = steer(gap, *ends, start=start, tolerance=near, straight=family.settles, near=float(sought.rtol) * _FINER)
    if abs(gap(place)) > 1:  # it does not cross
        return Guess(start)
    away = max(_APART, 2 * math.exp(-place)) if sought.whole else _APART
    slope = (odds(place + away) - odds(place)) / away
    return Guess(place, slope if math.isfinite(slope) and slope * sign < 0 else None)


def _near_enough(family: Family[Any], rtol: Fraction, target: Fraction) -> float:
    """How near to the target, in log-odds, a search for a start goes: no nearer than doubles and single values tell."""
    return min(_NEXT, max(_FLOAT, float(family.fineness(rtol, target))))


def _bent(log_odds: float) -> float:
    """Nearly linear in the logs of q, n and epsilon where delta falls like the tail of a normal law."""
    return -math.log(-log_odds) if log_odds < -1 else 1 + log_odds


def _rounded(x: float, bits: int | None) -> Fraction:
    """A number > 0 to so many bits, or as a whole number."""
    if bits is None:
        return Fraction(round(x))
    head, exponent = math.frexp(x)
    return dyadic(round(math.ldexp(head, bits)), exponent - bits)


def crossing(
    every: Values,
    some: Values,
    target: Fraction,
    sought: Sought,
    *,
    place: Guess,
    settled: bool = False,
    gap: float = 0.0,
) -> Bracket:
    """Where delta(x) crosses the target between two values of x.

    Args:
        every: both ends of delta at x; what they enclose is monotone in x.
        some: delta of one dataset, if that is quicker: it tells where to look first, and may prove that x fails.
        target: 0 < target < 1.
        sought: the two values, and how near to one another the sides are to be.
        place: where that is, about.
        gap: by what share the upper end lies above the lower one, about.
        settled: whether ``every`` only tells on which side of the target delta lies, its upper end no more than that.

    Raises:
        NoSolution: delta is at most the target at ``failing`` too, or above it at ``holding``.
        Undecided: its ends leave that open.
    """
    search, failing, holding = _Ends(target, sought, place.slope), sought.failing, sought.holding
    start, upper = place.log, _SETTLED if settled else _UPPER
    if place.slope:  # the first value is to serve as the failing one
        start -= sought.way * _BEYOND * search.width(start)
    bad, near = search.crossing(some, _LOWER, failing, holding, start, wanted=0)
    ahead = search.ahead(some, bad, gap)
    start = logarithm(near) if near != holding else search.beside(bad, holding)
    start = start if ahead is None else ahead
    _, good = search.crossing(every, upper, bad, holding, start, wanted=1)
    at_good = every.at(good)
    if at_good.lower > target:
        raise NoSolution(f"delta is above {shown(target)} even at {sought.at(holding)}, the last value searched")
    if at_good.upper > target:
        raise Undecided(f"delta at {sought.at(holding)} is not proven to be at most {shown(target)}", at_good)
    bad, at_bad = search.nearest_failing(every, some, bad, good)
    nearer = not gap and search.apart(bad, good) and _meet(at_bad, at_good, upper.tells(at_good))
    if at_bad.lower <= target or nearer:  # no straight line, or another dataset fails nearer by
        search = _Ends(target, sought, None)
        found, _ = search.crossing(every, _LOWER, bad, good, search.beside(good, bad), wanted=0)
        if found != bad or at_bad.lower <= target:
            bad, at_bad = found, every.at(found)
        _, good = search.crossing(every, upper, bad, good, search.middle(bad, good), wanted=1)
        at_good = every.at(good)
    if at_bad.upper <= target:
        raise NoSolution(f"delta is at most {shown(target)} even at {sought.at(failing)}, the last value searched")
    if at_bad.lower <= target:
        raise Undecided(f"delta at {sought.at(failing)} is not proven to be above {shown(target)}", at_bad)
    ends = (bad, at_bad), (good, at_good)
    (lower, at_lower), (highest, at_highest) = ends if bad < good else ends[::-1]
    return Bracket(
        lower=lower, upper=highest, at_lower=at_lower, at_upper=at_highest, holds_above=bad < good,
        whole=sought.whole, rtol=sought.rtol, target=target,
    )  # fmt: skip


def _meet(at_bad: Enclosure, at_good: Enclosure, upper: Fraction) -> bool:
    """Whether the two ends of delta are nearer to one another than its values at the two sides."""
    apart = logit(upper) - logit(at_good.lower) if at_good.lower < upper else 0.0
    return apart < logit(at_bad.lower) - logit(upper)


@dataclass(frozen=True, slots=True)
class _End:
    """One of the two ends of delta: the one that decides, and the one that tells how far it is from the target."""

    decides: Callable[[Enclosure], Fraction]
    tells: Callable[[Enclosure], Fraction]


_LOWER = _End(attrgetter("lower"), attrgetter("lower"))
_UPPER = _End(attrgetter("upper"), attrgetter("upper"))
_SETTLED = _End(attrgetter("upper"), attrgetter("lower"))  # the upper end may be anything up to the target


class Values:
    """Values of delta, each asked for once; found by whole numbers, whose hashes cost nothing."""

    def __init__(self, delta: Callable[[Fraction], Promise]) -> None:
        self._delta, self._found = delta, dict[tuple[int, int], tuple[Fraction, Promise]]()

    def at(self, x: Fraction) -> Promise:
        """Both ends at x."""
        key = x.as_integer_ratio()
        if key not in self._found:
            self._found[key] = x, self._delta(x)
        return self._found[key][1]

    def has(self, x: Fraction) -> bool:
        """Whether x was asked for."""
        return x.as_integer_ratio() in self._found

    @property
    def known(self) -> Collection[tuple[Fraction, Promise]]:
        """Every x, with both ends there."""
        return self._found.values()


class _Ends:
    """Where an end of delta crosses the target."""

    def __init__(self, target: Fraction, sought: Sought, slope: float | None) -> None:
        self._target, self._whole, self._slope, self._rtol = target, sought.whole, slope, float(sought.rtol)

    def crossing(
        self, values: Values, end: _End, failing: Fraction, holding: Fraction, start: float, *, wanted: int
    ) -> tuple[Fraction, Fraction]:
        """Neighbours with the end above the target at the first and at or below it at the second, if the ends given
        are so. With a known slope, where a unit is less than a width, only the one wanted, next to the crossing.
        """
        ends, way, stride = (failing, holding), 1 if holding > failing else -1, _STRIDE
        for known, _ in values.known:
            failing, holding = self._narrowed(values, end, known, failing, holding)
        x: Fraction | None = self._nearest(values, end) or self._near(start, failing, holding)
        slope, before = self._slope, x
        for step in range(_MOST):
            if x is None:
                return failing, holding
            fails = end.decides(values.at(x)) > self._target
            failing, holding = self._narrowed(values, end, x, failing, holding)
            slope, before = self._steeper(values, end, before, x, slope), x
            place = self._straight(values, end, x, slope) if step < _STRAIGHT else None
            if place is not None and self._next_to((failing, holding)[wanted], ends[wanted], place):
                return failing, holding
            beyond = way * (1 if fails else -1) * _BEYOND
            if place is not None and not step:
                place += way * (1 if wanted else -1) * _BEYOND * self.width(place)
            elif (failing != ends[0] and holding != ends[1]) or stride > abs(logarithm(holding) - logarithm(failing)):
                place = self._crossed(values, end, failing, holding, halve=step % 4 == 3) + beyond * self._rtol
            elif place is not None:
                place += beyond * self.width(place)
            else:  # one side is still far away
                place = logarithm(x) + way * (stride if fails else -stride)
                stride *= 2
            x = self._near(place, failing, holding)
        raise Undecided(f"no crossing was found between {shown(failing)} and {shown(holding)}")

    def apart(self, failing: Fraction, holding: Fraction) -> bool:
        """Whether the two are farther apart than a width, and than neighbours."""
        width = abs(holding - failing)
        return width > self._rtol * min(failing, holding) and not (self._whole and width <= 1)

    def nearest_failing(
        self, every: Values, some: Values, failing: Fraction, holding: Fraction
    ) -> tuple[Fraction, Enclosure]:
        """Of all x seen that fail, the one nearest to where it holds: a lower end need not be monotone itself."""
        between = [(failing, some.at(failing) if some.has(failing) else _UNKNOWN)]
        for x, found in (*every.known, *some.known):
            if found.lower > self._target and (failing < x < holding or holding < x < failing):
                between.append((x, found))
        return min(between, key=lambda one: abs(one[0] - holding))

    def ahead(self, values: Values, x: Fraction, gap: float) -> float | None:
        """Log x where the upper end crosses, as the lower one at x tells; None where slope or gap are not known."""
        place = self._straight(values, _LOWER, x, self._slope) if gap and values.has(x) else None
        return place - gap / self._slope if place is not None and self._slope else None

    def middle(self, failing: Fraction, holding: Fraction) -> float:
        """Log x between the two."""
        return (logarithm(failing) + logarithm(holding)) / 2

    def beside(self, one: Fraction, other: Fraction) -> float:
        """Log x about a width beside one end, on the way to the other."""
        place = logarithm(one)
        return place + (2 * _BEYOND if other > one else -2 * _BEYOND) * self.width(place)

    def width(self, place: float) -> float:
        """How far apart the sides should be there, of log x."""
        return max(self._rtol, math.exp(-place)) if self._whole else self._rtol

    def _nearest(self, values: Values, end: _End) -> Fraction | None:
        """The x known that is nearest to the crossing, where a slope tells how far that is."""
        known = values.known if self._slope else ()
        return min(known, key=lambda one: abs(self._gap(one[1], end)), default=(None, None))[0]

    def _narrowed(
        self, values: Values, end: _End, x: Fraction, failing: Fraction, holding: Fraction
    ) -> tuple[Fraction, Fraction]:
        """With x for one of the two, if it lies between them."""
        if not (failing < x < holding or holding < x < failing):
            return failing, holding
        return (x, holding) if end.decides(values.at(x)) > self._target else (failing, x)

    def _straight(self, values: Values, end: _End, x: Fraction, slope: float | None) -> float | None:
        """Where the straight line of a known slope crosses."""
        gap = self._gap(values.at(x), end)
        return logarithm(x) - gap / slope if slope and math.isfinite(gap) else None

    def _steeper(self, values: Values, end: _End, x: Fraction | None, y: Fraction, slope: float | None) -> float | None:
        """The slope between two values that are not next to each other, if a slope is known, and it has its sign."""
        if slope and x is not None and abs(away := logarithm(y) - logarithm(x)) > _FAR * self._rtol:
            found = (self._gap(values.at(y), end) - self._gap(values.at(x), end)) / away
            return found if math.isfinite(found) and found * slope > 0 else slope
        return slope

    def _next_to(self, x: Fraction, end: Fraction, place: float) -> bool:
        """Whether x is known, and near enough to where it crosses, where there are numbers enough to a width."""
        close = x != end and abs(logarithm(x) - place) <= _CLOSE * self._rtol
        return close and (not self._whole or self._rtol * x > _UNITS)

    def _crossed(self, values: Values, end: _End, failing: Fraction, holding: Fraction, *, halve: bool) -> float:
        """Where a secant crosses, or the middle."""
        a, b = logarithm(failing), logarithm(holding)
        at_a, at_b = (self._gap(values.at(x), end) for x in (failing, holding))
        if halve or not math.isfinite(at_a - at_b) or at_a <= at_b:
            return (a + b) / 2
        return a + (b - a) * at_a / (at_a - at_b)

    def _gap(self, found: Enclosure, end: _End) -> float:
        """How far the log-odds of delta lie above those of the target."""
        return logit(end.tells(found)) - logit(self._target)

    def _near(self, place: float, failing: Fraction, holding: Fraction) -> Fraction | None:
        """A short number near e^place between the two; None where they are near enough."""
        low, high = sorted((failing, holding))
        a, b = logarithm(low), logarithm(high)
        if self._whole:
            if high - low <= max(1, self._rtol * float(low)):
                return None
            return min(max(Fraction(round(math.exp(min(max(place, a), b)))), low + 1), high - 1)
        if b - a <= self._rtol:
            return None
        margin = min(self._rtol, b - a) / 4
        return _short(min(max(place, a + margin), b - margin), self._rtol)


def _short(place: float, width: float) -> Fraction:
    """A number near e^place, of two digits more than the width asks for."""
    value = math.exp(place)
    unit = 10 ** max(0, 2 - math.floor(math.log10(width * value)))
    return Fraction(round(value * unit), unit)
