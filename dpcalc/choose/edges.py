r"""Where the two proven ends of delta cross a target, as a parameter varies.

Several rounds have a delta between a lower and an upper end that need not meet (``privacy.rounds``). Both belong to
quantities that are monotone in x, so the threshold lies between an x whose lower end is above the target and one whose
upper end is at or below it: each end of the bracket has its own proof.

Evaluations are dear: secants of log delta, aimed half a width beyond where they cross so that both sides come in. Where
the slope is known beforehand, one value tells about where the crossing is, and one next to it, on the side that is
asked for, is enough.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from dpcalc.errors import NoSolution, Undecided
from dpcalc.numbers.enclosure import Enclosure, decimal
from dpcalc.numbers.search import logarithm, logit

__all__ = ["Edges", "edges", "shown"]

_STRIDE = 0.05  # of log x, the first away from a start
_MOST = 80  # values of one end
_FAR = 20.0  # widths apart, from which two values tell a slope
_STRAIGHT = 8  # values up to which a known slope is trusted
_UNITS = 2  # to a width, above which neighbours need not be found
_BEYOND = 0.45  # of a width, past where a secant crosses

#: One of the two ends of an enclosure.
_End = Callable[[Enclosure], Fraction]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edges:
    """delta is above the target at ``failing`` and at or below it at ``holding``, with the proof of each."""

    failing: Fraction
    holding: Fraction
    at_failing: Enclosure
    at_holding: Enclosure


def edges(
    delta: Callable[[Fraction], Enclosure],
    target: Fraction,
    *,
    failing: Fraction,
    holding: Fraction,
    start: float,
    rtol: Fraction,
    whole: bool = False,
    slope: float | None = None,
) -> Edges:
    """Where delta(x) crosses the target between two values of x, the smaller of which may be either.

    Args:
        delta: both ends of delta at x; what they enclose is monotone in x.
        target: 0 < target < 1.
        failing: an end of the search, expected to be so.
        holding: the other one.
        start: where log x crosses, about.
        rtol: relative width to which each end's crossing is found; whole parameters to at least one unit.
        whole: whether x is a whole number.
        slope: of the log-odds of delta over log x where it crosses, about, if it is known.

    Raises:
        NoSolution: delta is at most the target at ``failing`` too, or above it at ``holding``.
        Undecided: its ends leave that open.
    """
    search = _Search(delta, target, rtol, whole, slope)
    if slope:  # the first value is to serve as the failing one
        start -= (_BEYOND if holding > failing else -_BEYOND) * search.width(start)
    _, good = search.crossing(lambda found: found.upper, failing, holding, start, wanted=1)
    at_good = search.at(good)
    if at_good.lower > target:
        raise NoSolution(f"delta is above {shown(target)} even at {shown(holding)}, the last value searched")
    if at_good.upper > target:
        raise Undecided(f"delta at {shown(holding)} is not proven to be at most {shown(target)}", at_good)
    bad, _ = search.crossing(lambda found: found.lower, failing, good, logarithm(good), wanted=0)
    at_bad = search.at(bad)
    if at_bad.upper <= target:
        raise NoSolution(f"delta is at most {shown(target)} even at {shown(failing)}, the last value searched")
    if at_bad.lower <= target:
        raise Undecided(f"delta at {shown(failing)} is not proven to be above {shown(target)}", at_bad)
    return Edges(failing=bad, holding=good, at_failing=at_bad, at_holding=at_good)


def shown(x: Fraction) -> str:
    """A value in an error."""
    return decimal(x, x, 12)


class _Search:
    """Values of delta, each asked for once."""

    def __init__(
        self, delta: Callable[[Fraction], Enclosure], target: Fraction, rtol: Fraction, whole: bool, slope: float | None
    ) -> None:
        self._delta, self._target, self._whole, self._slope = delta, target, whole, slope
        self._rtol, self._known = float(rtol), dict[Fraction, Enclosure]()

    def at(self, x: Fraction) -> Enclosure:
        """Both ends at x."""
        if x not in self._known:
            self._known[x] = self._delta(x)
        return self._known[x]

    def crossing(
        self, end: _End, failing: Fraction, holding: Fraction, start: float, *, wanted: int
    ) -> tuple[Fraction, Fraction]:
        """Neighbours with the end above the target at the first and at or below it at the second, if the ends given
        are so. With a known slope, where a unit is less than a width, only the one wanted, next to the crossing.
        """
        ends, way, stride = (failing, holding), 1 if holding > failing else -1, _STRIDE
        for known in self._known if self._slope else ():
            failing, holding = self._narrowed(end, known, failing, holding)
        x: Fraction | None = self._nearest(end) or self._near(start, failing, holding)
        slope, before = self._slope, x
        for step in range(_MOST):
            if x is None:
                return failing, holding
            fails = end(self.at(x)) > self._target
            failing, holding = self._narrowed(end, x, failing, holding)
            slope, before = self._steeper(end, before, x, slope), x
            place = self._straight(end, x, slope) if step < _STRAIGHT else None
            if place is not None and self._next_to((failing, holding)[wanted], ends[wanted], place):
                return failing, holding
            beyond = way * (1 if fails else -1) * _BEYOND
            if (failing != ends[0] and holding != ends[1]) or stride > abs(logarithm(holding) - logarithm(failing)):
                place = self._crossed(end, failing, holding, halve=step % 4 == 3) + beyond * self._rtol
            elif place is not None:
                place += beyond * self.width(place)
            else:  # one side is still far away
                place = logarithm(x) + way * (stride if fails else -stride)
                stride *= 2
            x = self._near(place, failing, holding)
        raise Undecided(f"no crossing was found between {shown(failing)} and {shown(holding)}")

    def _nearest(self, end: _End) -> Fraction | None:
        """The x known that is nearest to the crossing, where a slope tells how far that is."""
        known = self._known if self._slope else ()
        return min(known, key=lambda x: abs(self._gap(end(self.at(x)))), default=None)

    def _narrowed(self, end: _End, x: Fraction, failing: Fraction, holding: Fraction) -> tuple[Fraction, Fraction]:
        """With x for one of the two, if it lies between them."""
        if not min(failing, holding) < x < max(failing, holding):
            return failing, holding
        return (x, holding) if end(self.at(x)) > self._target else (failing, x)

    def _straight(self, end: _End, x: Fraction, slope: float | None) -> float | None:
        """Where the straight line of a known slope crosses."""
        gap = self._gap(end(self.at(x)))
        return logarithm(x) - gap / slope if slope and math.isfinite(gap) else None

    def _steeper(self, end: _End, x: Fraction | None, y: Fraction, slope: float | None) -> float | None:
        """The slope between two values that are not next to each other, if a slope is known, and it has its sign."""
        if slope and x is not None and abs(away := logarithm(y) - logarithm(x)) > _FAR * self._rtol:
            found = (self._gap(end(self.at(y))) - self._gap(end(self.at(x)))) / away
            return found if math.isfinite(found) and found * slope > 0 else slope
        return slope

    def _next_to(self, x: Fraction, end: Fraction, place: float) -> bool:
        """Whether x is known, and near enough to where it crosses, where there are numbers enough to a width."""
        return x != end and abs(logarithm(x) - place) <= self._rtol and (not self._whole or self._rtol * x > _UNITS)

    def width(self, place: float) -> float:
        """How far apart the sides should be there, of log x."""
        return max(self._rtol, math.exp(-place)) if self._whole else self._rtol

    def _crossed(self, end: _End, failing: Fraction, holding: Fraction, *, halve: bool) -> float:
        """Where a secant crosses, or the middle."""
        a, b = logarithm(failing), logarithm(holding)
        at_a, at_b = (self._gap(end(self.at(x))) for x in (failing, holding))
        if halve or not math.isfinite(at_a - at_b) or at_a <= at_b:
            return (a + b) / 2
        return a + (b - a) * at_a / (at_a - at_b)

    def _gap(self, delta: Fraction) -> float:
        """How far the log-odds of delta lie above those of the target."""
        return logit(delta) - logit(self._target)

    def _near(self, place: float, failing: Fraction, holding: Fraction) -> Fraction | None:
        """A short number near e^place between the two; None where they are near enough."""
        low, high = sorted((failing, holding))
        if self._whole:
            if high - low <= max(1, self._rtol * float(low)):
                return None
            return min(max(Fraction(round(math.exp(place))), low + 1), high - 1)
        a, b = logarithm(low), logarithm(high)
        if b - a <= self._rtol:
            return None
        margin = min(self._rtol, b - a) / 4
        value = math.exp(min(max(place, a + margin), b - margin))
        digits = 2 - math.floor(math.log10(self._rtol * value))
        return Fraction(f"{value:.{digits}f}")
