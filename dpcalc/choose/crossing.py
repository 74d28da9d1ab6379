r"""Where delta crosses a target, as a parameter varies: two values of the parameter, each with its own proof.

delta, over all datasets, is monotone in the parameter; which theorem says so stands beside each question. Its value may
be known between two ends only, which need not meet. So the threshold lies between an x at which the lower end is above
the target, for one dataset, and one at which the upper end is at or below it, for all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from fractions import Fraction

from dpcalc.choose.steered import BEYOND, Guess, Sought, short, shown
from dpcalc.errors import NoSolution, Undecided
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.search import logarithm, logit

UNKNOWN = Promise(Fraction(0), Fraction(1))  #: a delta of which nothing is known

_MOST = 80  # values of one end
_STRIDE = 0.05  # of log x: the first step away from the start, doubled until the crossing is passed
_SLOPE_STEPS = 8  # values after which a known slope is no longer trusted
_FAR = 20.0  # widths: the slope is updated from two values at least this far apart
_CLOSE = 0.6  # of a width: a value this near to where the line of known slope crosses is near enough,
_UNITS = 2  # unless a width is at most this many whole numbers: then neighbours are found


class Values:
    """Enclosures of delta by x, each asked for once; found by whole numbers, which are hashed far faster."""

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
        place: an estimate of the crossing.
        settled: whether ``every`` only tells on which side of the target delta lies, its upper end no more than that.
        gap: an estimate of the relative distance between the upper end and the lower one.

    Raises:
        NoSolution: delta is at most the target at ``failing`` too, or above it at ``holding``.
        Undecided: its ends leave that open.
    """
    lower = _End(some, target, sought, place.slope)
    upper = _End(every, target, sought, place.slope, upper=True, settled=settled)
    bad, good = _near(lower, upper, place.log, gap)
    at_good = every.at(good)
    if at_good.lower > target:
        raise NoSolution(f"delta is above {shown(target)} even at {sought.at(good)}, the last value searched")
    if at_good.upper > target:
        raise Undecided(f"delta at {sought.at(good)} is not proven to be at most {shown(target)}", at_good)
    bad, at_bad = _nearest_failing(every, some, target, bad, good)
    nearer = not gap and _apart(sought, bad, good) and _meet(at_bad, at_good, upper.tells(at_good))
    if at_bad.lower <= target or nearer:  # the slope misled, or another dataset fails nearer by
        lower, upper = replace(lower, values=every, slope=None), replace(upper, slope=None)
        found, _ = lower.crossing(bad, good, _beside(sought, good, bad))
        if found != bad or at_bad.lower <= target:
            bad, at_bad = found, every.at(found)
        _, good = upper.crossing(bad, good, (logarithm(bad) + logarithm(good)) / 2)
        at_good = every.at(good)
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


def _near(lower: _End, upper: _End, log: float, gap: float) -> tuple[Fraction, Fraction]:
    """Where the lower end fails and the upper one holds, each next to its crossing, if delta crosses."""
    sought, slope = lower.sought, lower.slope
    if slope:  # the first value is to serve as the failing one
        log -= sought.way * BEYOND * sought.width(log)
    bad, near = lower.crossing(sought.failing, sought.holding, log)
    start = logarithm(near) if near != sought.holding else _beside(sought, bad, near)
    if gap and slope and lower.values.has(bad) and (at_lower := lower.line(bad, slope)) is not None:
        start = at_lower - gap / slope
    _, good = upper.crossing(bad, sought.holding, start)
    return bad, good


def _nearest_failing(
    every: Values, some: Values, target: Fraction, failing: Fraction, holding: Fraction
) -> tuple[Fraction, Promise]:
    """Of all x seen that fail, the one nearest to ``holding``: a lower end need not be monotone itself."""
    between = [(failing, some.at(failing) if some.has(failing) else UNKNOWN)]
    for x, found in (*every.known, *some.known):
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
    return log + (2 * BEYOND if other > one else -2 * BEYOND) * sought.width(log)


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
        slope: of the log-odds of delta over log x, if it is known.
        upper: whether it is the upper end, which proves that x holds; the lower one proves that x fails.
        settled: whether the upper end may be anything up to the target, and the lower one tells how far that is.
    """

    values: Values
    target: Fraction
    sought: Sought
    slope: float | None
    upper: bool = False
    settled: bool = False

    def crossing(self, failing: Fraction, holding: Fraction, start: float) -> tuple[Fraction, Fraction]:
        """Neighbours: the end is above the target at the first and at or below it at the second, if it is at the given
        two. With a known slope, where a width is several units, only the one that this end proves is next to the
        crossing. A value aims half a width beyond the crossing, so that both sides come near.
        """
        sought, first, stride = self.sought, (failing, holding), _STRIDE
        for known, _ in self.values.known:
            failing, holding = self._narrowed(known, failing, holding)
        x = self._nearest() or _between(sought, start, failing, holding)
        slope, before = self.slope, x
        for step in range(_MOST):
            if x is None:
                return failing, holding
            failing, holding = self._narrowed(x, failing, holding)
            slope, before = self._updated(slope, before, x), x
            line = self.line(x, slope) if slope and step < _SLOPE_STEPS else None
            if line is not None and self._next_to((failing, holding)[self.upper], first[self.upper], line):
                return failing, holding
            toward = sought.way if self._fails(x) else -sought.way
            if line is not None and not step:
                log = line + sought.way * (1 if self.upper else -1) * BEYOND * sought.width(line)
            elif (failing != first[0] and holding != first[1]) or stride > abs(logarithm(holding) - logarithm(failing)):
                log = self._secant(failing, holding, halve=step % 4 == 3) + toward * BEYOND * float(sought.rtol)
            elif line is not None:
                log = line + toward * BEYOND * sought.width(line)
            else:  # one side is still far away
                log = logarithm(x) + toward * stride
                stride *= 2
            x = _between(sought, log, failing, holding)
        raise Undecided(f"no crossing was found between {shown(failing)} and {shown(holding)}")

    def tells(self, found: Enclosure) -> Fraction:
        """The end that tells how far delta is from the target."""
        return found.upper if self.upper and not self.settled else found.lower

    def line(self, x: Fraction, slope: float) -> float | None:
        """Log x where the line of this slope through the value at x crosses."""
        gap = self._gap(x)
        return logarithm(x) - gap / slope if math.isfinite(gap) else None

    def _gap(self, x: Fraction) -> float:
        """How far the log-odds of delta lie above those of the target."""
        return logit(self.tells(self.values.at(x))) - logit(self.target)

    def _fails(self, x: Fraction) -> bool:
        found = self.values.at(x)
        return (found.upper if self.upper else found.lower) > self.target

    def _nearest(self) -> Fraction | None:
        """The x known that is nearest to the crossing, where a slope tells how far that is."""
        known = [x for x, _ in self.values.known] if self.slope else []
        return min(known, key=lambda x: abs(self._gap(x)), default=None)

    def _narrowed(self, x: Fraction, failing: Fraction, holding: Fraction) -> tuple[Fraction, Fraction]:
        """With x in place of one of the two, if it lies between them."""
        if not (failing < x < holding or holding < x < failing):
            return failing, holding
        return (x, holding) if self._fails(x) else (failing, x)

    def _updated(self, slope: float | None, x: Fraction | None, y: Fraction) -> float | None:
        """The slope between two values that are far apart, if one is known, and it has the same sign."""
        if slope and x is not None and abs(away := logarithm(y) - logarithm(x)) > _FAR * float(self.sought.rtol):
            found = (self._gap(y) - self._gap(x)) / away
            return found if math.isfinite(found) and found * slope > 0 else slope
        return slope

    def _next_to(self, x: Fraction, first: Fraction, line: float) -> bool:
        """Whether x is known, and near enough to where the line crosses, with enough numbers to a width."""
        rtol = float(self.sought.rtol)
        close = x != first and abs(logarithm(x) - line) <= _CLOSE * rtol
        return close and (not self.sought.whole or rtol * x > _UNITS)

    def _secant(self, failing: Fraction, holding: Fraction, *, halve: bool) -> float:
        """Log x where the secant crosses, or the middle."""
        a, b = logarithm(failing), logarithm(holding)
        at_a, at_b = self._gap(failing), self._gap(holding)
        if halve or not math.isfinite(at_a - at_b) or at_a <= at_b:
            return (a + b) / 2
        return a + (b - a) * at_a / (at_a - at_b)


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
