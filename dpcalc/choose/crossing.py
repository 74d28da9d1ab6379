r"""Where delta crosses a target, as a parameter varies: two values of the parameter, each with its own proof.

delta, over all datasets, is monotone in the parameter; which theorem says so stands beside each question. Its value may
be known between two ends only, which need not meet. So the threshold lies between an x at which the lower end is above
the target, for one dataset, and one at which the upper end is at or below it, for all.

The search begins where normal laws cross. Secants between multiples of a short unit, as far apart as the ends may be,
lead along one dataset, if that is quick, to where its delta crosses, and from there along the upper end. How fast delta
falls there tells how narrow it must be known. Whatever leads, each side is proven where it stands.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count
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
from dpcalc.numbers.search import logarithm, logit, steer
from dpcalc.pairs.family import Family, Width

#: The family and the limit at a value of the parameter.
Problem = Callable[[Fraction], tuple[Family[Any], Limit]]
#: delta at a value of the parameter, to a relative width.
Known = Callable[[Fraction, Fraction], Promise]

NEIGHBOURS = Fraction(1, 10**16)  #: a relative width at which whole numbers are neighbours
_UNKNOWN = Promise(Fraction(0), Fraction(1))  # a delta of which nothing is known
_ONE: Words = {"attained_by": ONE, "proven_for": ONE}
_SPREAD = Fraction(1, 1000)  # tolerance, in log epsilon, of the start that normal laws give
_STRIDE = 0.2  # the first, in log x; the next four times as long, until the crossing is passed
_FALL = 2.0  # of the height of delta in log x, about, until two values tell it
_SHARE = 2  # delta is asked for so many times narrower than it changes from one end of the bracket to the other
_GAP = Fraction(3, 2)  # of the width that was asked for: how far apart its two ends are, where they do not meet
_COARSE = Fraction(1, 32)  # relative width of a delta that is far from the target
_FINER = tuple(Fraction(1, 10**digits) for digits in (12, 50, 300))  # where whole neighbours are to be told apart
#: Of how far apart both ends are, where they do not meet: the least width asked for, and to which each is found.
_NARROWER = Fraction(1, 32)
_INSIDE = Fraction(9, 10)  # of the width that is allowed: so far from the end that holds it is seen whether one fails
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
        coarser: the least ratio of delta's relative width to that of the parameter, see ``Family``.
    """

    failing: Fraction
    holding: Fraction
    rtol: Fraction
    whole: bool = False
    name: str = ""
    enough: bool = False
    coarser: int = 0

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

    def apart(self, one: Fraction, other: Fraction) -> bool:
        """Whether there is something to ask for between the two."""
        return abs(one - other) > (self.unit(other) if self.whole else self.rtol * max(one, other) * _NARROWER)

    def fineness(self, x: Fraction, target: Fraction, fall: float | None) -> Fraction:
        """The relative width of delta, next to the target at x, by which the parameter is known well enough.

        ``fall`` is that of the height of delta in log x.
        """
        step = max(float(self.rtol), float(self.whole) / float(x))
        logits = step * (fall or _FALL) * max(1.0, -logit(target)) / _SHARE
        narrow = min(max(Fraction(logits), Fraction(1, 10**15)), Fraction(1, 4)) * (1 - target)
        return max(narrow, min(self.rtol * self.coarser, Fraction(1, 4)))

    def near(self, log: float) -> Fraction:
        """A multiple of the unit next to e^log, or an end."""
        low, high = sorted((self.failing, self.holding))
        unit = self.unit(x := min(max(Fraction(math.exp(log)), low), high))
        return min(max(round(x / unit) * unit, low), high)

    def between(self, x: Fraction, low: Fraction, high: Fraction) -> Fraction:
        """The multiple of the unit next to x, of those between two values that are wide apart."""
        unit = self.unit(x := min(max(x, low), high))
        return min(max(round(x / unit), low // unit + 1), -(-high // unit) - 1) * unit


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
    log = _start(problem, target, sought) if start is None else start
    asked, _ = problem(sought.near(log))
    sought = replace(sought, coarser=asked.coarser)
    return crossing(*deltas(problem, target, sought), target, sought, start=log)


def crossing(every: Known, some: Known, target: Fraction, sought: Sought, *, start: float) -> Bracket:
    """Where delta(x) crosses the target between two values of x.

    Args:
        every: both ends of delta at x, to a relative width; what they enclose is monotone in x.
        some: delta of one dataset, if that is quicker: it tells where to look first, and may prove that x fails.
        target: 0 < target < 1.
        sought: the two values, and how near to one another the sides are to be.
        start: an estimate of log x at the crossing.

    Raises:
        NoSolution: delta is at most the target at ``failing`` too, or above it at ``holding``.
        Undecided: its ends leave that open.
    """
    seen, fails = dict[Fraction, Promise](), dict[Fraction, Promise]()

    def told(x: Fraction, found: Promise) -> Promise:
        seen[x] = found
        if found.lower > target:
            fails[x] = found
        return found

    def lower(x: Fraction, width: Fraction) -> Fraction:
        return told(x, some(x, width)).lower

    def upper(x: Fraction, wide: Fraction) -> Fraction:
        apart = max((1 - one.lower / one.upper for one in seen.values() if target < one.upper < 1), default=0)
        return told(x, every(x, max(width, wide, apart * _NARROWER))).upper  # a narrower width was not reached

    def nearest() -> Fraction:
        """Of the values that fail the nearest to the one that holds."""
        return max((x for x in (*fails, before) if (good - x) * sought.way > 0), key=lambda x: x * sought.way)

    before, first, fall = led(lower, target, sought, start)
    width, good = sought.fineness(first, target, fall), first
    one = seen.get(first)
    meets = one is not None and one.upper <= max(target, one.lower * (1 + 2 * width))
    if meets:  # both ends of one dataset do, so that those of the worst may
        upper(first, width)
    if one and not (meets and seen[first].upper <= target):
        gap = logit(seen[first].upper) - logit(target) if meets else float(_GAP * width / (1 - target))
        begin = logarithm(first) + sought.way * min(gap / max(1.0, -logit(target)) / fall, _STRIDE)
        left = replace(sought, failing=first, rtol=sought.rtol / 2) if meets else replace(sought, failing=before)
        _, good, _ = led(upper, target, left, begin, fall=fall, beside=None if meets else before)
        edge, away = good, max(sought.rtol * good * _INSIDE, Fraction(sought.whole))  # near enough, if that fails
        close = meets or (sought.whole and abs(good - nearest()) == 2)
        while close and sought.wide(bad := nearest(), good) and sought.apart(bad, edge):
            x = edge - sought.way * min(away, abs(edge - bad) / 2)
            x = sought.between(x, *sorted((bad, edge))) if sought.whole else x
            if told(x, every(x, width if meets else width * _NARROWER)).upper <= target:
                good = x
            edge, away = edge if x in fails else x, 2 * away  # where neither is told, what fails lies beyond
    at_good = seen[good] if good in seen and seen[good].upper <= target else told(good, every(good, width))
    if at_good.lower > target:
        raise NoSolution(f"delta is above {shown(target)} even at {sought.at(good)}, the last value searched")
    if at_good.upper > target:
        raise Undecided(f"delta at {sought.at(good)} is not proven to be at most {shown(target)}", at_good)
    if (bad := nearest()) not in fails:
        at_bad = told(bad, every(bad, width))
        if at_bad.upper <= target and sought.enough:
            return Bracket(lower=bad, upper=bad, at_lower=at_bad, at_upper=at_bad, whole=sought.whole, target=target)
        if at_bad.upper <= target:
            raise NoSolution(f"delta is at most {shown(target)} even at {sought.at(bad)}, the last value searched")
        if at_bad.lower <= target:
            raise Undecided(f"delta at {sought.at(bad)} is not proven to be above {shown(target)}", at_bad)
    sides = (bad, fails[bad]), (good, at_good)
    (low, at_low), (high, at_high) = sides if bad < good else sides[::-1]
    return Bracket(
        lower=low, upper=high, at_lower=at_low, at_upper=at_high, holds_above=bad < good,
        whole=sought.whole, rtol=sought.rtol, target=target,
    )  # fmt: skip


def led(
    delta: Callable[[Fraction, Fraction], Fraction], target: Fraction, sought: Sought, start: float, *,
    fall: float | None = None, beside: Fraction | None = None,
) -> tuple[Fraction, Fraction, float]:  # fmt: skip
    """Values next to each other, delta above the target at the first one only, and how fast its height falls there.

    By secants. As long as all values lie on one side, each step is at most four times as long as the one before; after
    that a bisection follows three that have not halved what is left. The ends of the search are not asked for.

    Args:
        delta: an end of it, to a relative width.
        target: 0 < target < 1.
        sought: the two values that enclose the crossing.
        start: an estimate of log x there.
        fall: of the height of delta, toward the value that holds and in log x, until two values tell it.
        beside: where the other end crosses: the second value alone is enough, where a secant crosses less than a unit
            before it, if that is not 1, or far nearer to it than this.
    """
    bad, good, way, level = sought.failing, sought.holding, sought.way, _height(target)
    guess, stride, crept, width = Fraction(math.exp(start)), _STRIDE, 0, math.inf
    last: tuple[Fraction, float] | None = None
    for step in count():
        one = sought.unit(guess)
        trusted = beside is not None and not (sought.whole and one == 1)
        x = sought.between(guess + way * one / 2 if trusted else guess, *sorted((bad, good)))
        found = delta(x, sought.fineness(x, target, fall))
        fails = found > target
        bad, good = (x, good) if fails else (bad, x)
        height = _height(found) - level
        unit = float(one / x)
        if last is not None:
            slope = way * (last[1] - height) / _log_ratio(last[0], x)
            fall = slope if 0 < slope < math.inf else None
        move = abs(height) / (fall or _FALL) if fall or last is None else math.inf
        if not sought.wide(bad, good) or (trusted and not fails and fall and move <= unit):
            break
        if beside is not None and abs(_log_ratio(bad, good)) < _NARROWER * abs(_log_ratio(beside, good)):
            break
        end, last = good if fails else bad, (x, height)
        if one_sided := end in (sought.failing, sought.holding):
            crept += (forced := move < unit * 2**crept)
            move = unit * 2 ** (crept - 1) if forced else min(move, stride)
            stride *= 4
        stalled = False
        if not one_sided and step % 3 == 0:
            stalled, width = (left := abs(_log_ratio(bad, good))) > width / 2, left
        if stalled or not move < abs(_log_ratio(x, end)):
            guess = sought.near(sum(logarithm(max(side, Fraction(sought.whole))) for side in (bad, good)) / 2)
        else:
            guess = x * Fraction(math.exp((way if fails else -way) * move / 2)) ** 2
    return bad, good, fall or _FALL


def deltas(problem: Problem, target: Fraction, sought: Sought) -> tuple[Known, Known]:
    """delta of all datasets, and of the one that the family takes for the worst where that is quick, else of all.

    Where the target lies between both ends, a narrower width is asked for: of whole neighbours, which have nothing
    between them, and where there is no quicker way. Where delta is undecided nothing is known: the error's enclosure
    may be of a step on the way.
    """
    undecided, seen = 0, dict[Fraction, Promise]()

    def widths(x: Fraction, width: Fraction, quick: bool, least: Fraction) -> Iterator[Fraction]:
        if not quick:
            yield max(width, _COARSE)
        yield width
        if not quick or (sought.whole and sought.unit(x) == 1):
            yield max((target - seen[x].lower) / target, _FINER[0])  # as far as the target is from one dataset
            yield from (rtol for rtol in _FINER if rtol >= least)

    def every(x: Fraction, width: Fraction) -> Promise:
        nonlocal undecided
        asked, limit = problem(x)
        for rtol in widths(x, width, asked.one_is_quick, Fraction(asked.delta_width.least)):
            if not (found := seen.get(x, _UNKNOWN)).lower <= target < found.upper:
                break
            try:
                seen[x] = found = asked.delta(limit, rtol=rtol, exact=rtol < width)
            except Undecided as error:
                undecided += 1
                if undecided == _UNDECIDED:
                    raise Undecided(f"delta is not settled at {_UNDECIDED} values that were tried: {error}") from error
                break
            if found.upper > found.lower * (1 + 2 * rtol):  # it gets no narrower
                break
        return seen.get(x, _UNKNOWN)

    def some(x: Fraction, width: Fraction) -> Promise:
        asked, limit = problem(x)
        if not asked.one_is_quick:
            return every(x, width)
        try:
            found = asked.one(limit, rtol=width)
        except Undecided:
            return _UNKNOWN
        return found if isinstance(found, Promise) else Promise.that(found, **_ONE)

    return every, some


def _start(problem: Problem, target: Fraction, sought: Sought) -> float:
    """Log x where normal laws of the same standard deviation cross."""
    low, high = (logarithm(max(end, Fraction(sought.whole))) for end in sorted((sought.failing, sought.holding)))

    def gap(log: float) -> float:
        asked, limit = problem(replace(sought, rtol=_SPREAD).near(log))
        epsilon = gaussian(asked.spread, logarithm(target))
        return sought.way * (math.log(max(epsilon, 1e-300)) - math.log(max(limit.steer(), 1e-300)))

    return steer(gap, low, high, tolerance=float(_SPREAD))


def _height(delta: Fraction) -> float:
    """Nearly linear in the logs of q, n and epsilon where delta falls like the tail of a normal law."""
    odds = logit(delta)
    return -math.log(-odds) if odds < -1 else 1 + odds


def _log_ratio(one: Fraction, other: Fraction) -> float:
    """log(other / one), of neighbours to all its digits."""
    change = other / one - 1 if one else Fraction(1)
    return math.log1p(change) if 2 * abs(change) < 1 else logarithm(other) - logarithm(one)
