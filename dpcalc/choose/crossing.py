r"""Where the worst delta crosses a target, as a parameter grows that adds privacy.

delta, maximized over all datasets, falls in epsilon, in the flip probability q and in the number n of users: a bit
flipped with q' > q is one flipped with q and then once more, and the reports of one more user can be added by anybody,
so both are post-processing (proof notes, 2.2 and 2.3). So the least x with delta(x) <= target is bracketed by two
proofs: at the lower end one dataset whose delta is above the target, at the upper end all datasets at or below it.
Single datasets, evaluated in floating point, steer to the place; only the two ends are certified.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from dpcalc.counts.saddle import gaussian
from dpcalc.errors import DomainError, NoSolution, TooFaint, Undecided
from dpcalc.numbers.enclosure import Enclosure, decimal
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import ONE, Promise, Words
from dpcalc.numbers.rational import Number, between, rational
from dpcalc.numbers.search import logarithm, logit, steer
from dpcalc.privacy.datasets import NARROWEST, Datasets, Delta
from dpcalc.privacy.steering import log_odds, serves
from dpcalc.privacy.worst import decided

__all__ = ["Crossing", "Known", "Problem", "crossing", "target_delta", "tolerance"]

#: All datasets and the limit at a value of the parameter.
Problem = Callable[[Fraction], tuple[Datasets, Limit]]

_ONE: Words = {"attained_by": ONE, "proven_for": ONE}
_ROUNDS = 80
_STEERED_ROUNDS = 4  # from then on halves of what is between two proofs
_SECANTS = 6
_HALF = Fraction(1, 2)  # targets beyond it are told apart by 1 - delta
_MANY = 10**6  # ones, from which on a search names the worst dataset but roughly
_PART = 10  # of them, a step to others near by
_STEP = 1e-4  # of log x, for a slope
_NARROWER = 6  # times by a million, to settle a target next to the delta of the last value searched
_FINE = Fraction(1, 10**12)
_STEERED = Fraction(1, 10**9)  # the width to which floating point finds a crossing


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """The bracket of a crossing.

    Attributes:
        lower, upper: delta(lower) > target >= delta(upper).
        at_lower: delta at ``lower`` of one dataset, above the target.
        at_upper: the worst delta at ``upper``.
    """

    lower: Fraction
    upper: Fraction
    at_lower: Enclosure
    at_upper: Delta


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Where delta of one dataset crosses the target.

    Attributes:
        place: log x, about.
        fails: whether delta of this dataset is proven to be above the target at x.
    """

    place: float
    fails: Callable[[Fraction], bool]


def target_delta(delta: Number) -> Fraction:
    """A target for delta, strictly between 0 and 1."""
    return between(delta, "delta", 0, 1, "a probability")


def tolerance(rtol: Number) -> Fraction:
    """The relative width of a bracket."""
    allowed = "a relative width with 1e-9 <= rtol < 1"
    width = rational(rtol, "rtol", allowed)
    if not _STEERED <= width < 1:
        raise DomainError("rtol", rtol, allowed)
    return width


def crossing(
    problem: Problem,
    target: Fraction,
    *,
    low: Fraction,
    high: Fraction,
    rtol: Fraction,
    ones: int | None = None,
    whole: bool = False,
    known: Known | None = None,
) -> Crossing:
    """The least x with delta(x) <= target, to relative width ``rtol``, in (low, high].

    Args:
        problem: the datasets and the limit at x; delta must fall as x grows.
        target: delta, strictly between 0 and 1.
        low: a lower end of the search.
        high: an upper end of the search; the answer is refused where it does not lie above ``low``.
        rtol: relative width of the bracket; whole parameters are bracketed to at least one unit.
        ones: look at one composition only.
        whole: whether x is a whole number.
        known: where one dataset crosses the target, if that is known to about a hundredth of the bracket.

    Raises:
        NoSolution: delta is proven above the target at ``high``, or at most the target already at ``low``.
        Undecided: the worst dataset keeps changing from one x to the next, or delta at ``high`` is next to the target.
    """
    seen = _Seen(problem, target, rtol, ones, whole)
    if high <= low:
        seen.met(high)
        raise _already(target, low)
    search = _Steering(problem, target, low, high, whole=whole, rtol=rtol)
    suspect, nudge = ones or 0, 0
    place = search.first(suspect) if known is None else known.place
    for tried in range(_ROUNDS):
        x = math.exp(place)
        lower, upper = _ends(x, rtol, whole=whole, nudge=nudge)
        if not (low < lower and upper < high):
            lower, upper = max(min(lower, high), low), max(min(upper, high), low)
        end, way = upper, 1
        worst = seen.worst(upper)
        if worst.upper > target and upper == high:
            worst = seen.met(high)
        if worst.upper <= target:
            if known is not None and known.fails(lower):
                return Crossing(lower=lower, upper=upper, at_lower=Enclosure(target, Fraction(1)), at_upper=worst)
            at_lower = _single(problem, lower, suspect, search.fine, target)
            if at_lower.lower > target:
                return Crossing(lower=lower, upper=upper, at_lower=Promise.that(at_lower, **_ONE), at_upper=worst)
            end, way = lower, -1
            worst = seen.worst(lower)
            if lower == low and worst.upper <= target:
                raise _already(target, low)
        found = seen.bracket()
        if found is not None:
            return found
        middle = seen.middle if tried >= _STEERED_ROUNDS else None
        if middle is not None:  # delta is too flat to tell where
            nudge, place = 0, middle
        else:
            suspect, nudge, place = search.moved(problem, suspect, nudge, place, end, worst, way)
    raise Undecided(f"no bracket of relative width {float(rtol):.3g} was found near {x:.6g}")


def _already(target: Fraction, low: Fraction) -> NoSolution:
    return NoSolution(f"delta is at most {_shown(target)} already at {_shown(low)}, the least value searched")


class _Steering:
    """Where, in log x, delta of a dataset crosses the target; in floating point.

    Attributes:
        exact: whether the last place found is by values of the suspect itself, to about a hundredth of the bracket.
    """

    def __init__(
        self, problem: Problem, target: Fraction, low: Fraction, high: Fraction, *, whole: bool, rtol: Fraction
    ) -> None:
        self._problem, self._low, self._high, self._whole, self._target = problem, low, high, whole, target
        self._rtol, self._near, self.exact = rtol, float(rtol) / 100, False

    @cached_property
    def fine(self) -> Fraction:
        """The relative width of single values."""
        return max(NARROWEST, self._rtol / 100) * (1 - self._target)

    @cached_property
    def _ends(self) -> tuple[float, float]:
        return logarithm(self._low), logarithm(self._high)

    @cached_property
    def _goal(self) -> float:
        return _bent(logit(self._target))

    def first(self, suspect: int) -> float:
        """From the dataset of zeros, whose delta is quick in floating point; from its value for any other."""
        start = steer(self._gaussian, *self._ends, tolerance=0.01, straight=True)
        if self._quick(start):
            start = steer(self._zeros, *self._ends, start=start, tolerance=self._near, straight=True)
            if not suspect:
                return start
        return self.again(suspect, start, None)

    def moved(
        self, problem: Problem, suspect: int, nudge: int, place: float, x: Fraction, worst: Delta, way: int
    ) -> tuple[int, int, float]:
        """The next suspect, nudge and place, where an end x of the bracket has not done."""
        found = _as_zero(worst, problem, x)
        if self.exact and (found == suspect or worst.lower <= self._target):
            return suspect, 2 * nudge + way, place
        there = self.again(found, logarithm(x), worst if worst.lower > self._target else None)
        top = self._top(found, there)
        if top == found:
            return found, 0, there
        return (suspect, 2 * nudge + way, place) if top == suspect else (top, 0, self.again(top, there, None))

    def _top(self, suspect: int, place: float) -> int:
        """The dataset near by with the largest delta at a place, about: the top of a parabola, where that is higher."""
        if suspect < _MANY:
            return suspect
        step = suspect // _PART
        below, here, above = (self._gap(place, suspect + way * step) for way in (-1, 0, 1))
        bend = 2 * here - below - above
        shift = (above - below) / (2 * bend) if bend > 0 else 0.0
        top = suspect + round(step * max(-1.0, min(1.0, shift)))
        return top if self._gap(place, top) > here + 10 * self._near else suspect

    def again(self, suspect: int, place: float, at_place: Delta | None) -> float:
        """Secants from a place near by, the first with the slope of the dataset of zeros; a search where they fail.

        Args:
            suspect: the ones of the dataset.
            place: log x.
            at_place: delta of the dataset there, if known.
        """
        self.exact = True
        if not self._whole and self._quick(place):
            slope = (self._zeros(place + _STEP) - self._zeros(place - _STEP)) / (2 * _STEP)
            gap = self._gap(place, suspect) if at_place is None else _bent(logit(at_place.lower)) - self._goal
            for step in range(_SECANTS):
                if not (math.isfinite(gap) and slope < 0 and abs(gap / slope) < 1):
                    break
                last, at_last = place, gap
                place = min(max(place - gap / slope, self._ends[0]), self._ends[1])
                if step and abs(gap) < math.sqrt(self._near) / 10:  # the next gap would be about its square
                    return place
                gap = self._gap(place, suspect)
                slope = (gap - at_last) / (place - last) if place != last else 0.0
        return steer(lambda u: self._gap(u, suspect), *self._ends, start=place, tolerance=self._near)

    def _at(self, u: float) -> Fraction:
        if not self._ends[0] < u < self._ends[1]:
            return self._low if u <= self._ends[0] else self._high
        x = Fraction(math.exp(u))
        return min(max(Fraction(round(x)), self._low), self._high) if self._whole else x

    def _gaussian(self, u: float) -> float:
        """How far, in its logarithm, the epsilon of normal laws of the same spread lies above the limit."""
        datasets, limit = self._problem(self._at(u))
        q = min(max(float(datasets.q), 1e-300), 0.5 - 2**-53)
        mu = (1 - 2 * q) * math.sqrt(datasets.k / ((datasets.others + 1) * q * (1 - q)))
        return math.log(gaussian(mu, logarithm(self._target)) / max(limit.steer(), 1e-300))

    def _zeros(self, u: float) -> float:
        datasets, limit = self._problem(self._at(u))
        if self._target < _HALF and serves(datasets, limit):
            return _bent(log_odds(datasets, limit)) - self._goal
        return self._gap(u, 0)

    def _quick(self, u: float) -> bool:
        """Whether floats keep the digits that matter."""
        return self._target < _HALF and serves(*self._problem(self._at(u)))

    def _gap(self, u: float, suspect: int) -> float:
        try:
            found = _single(self._problem, self._at(u), suspect, self.fine, self._target)
        except TooFaint:  # too small to be held
            return -math.inf
        return _bent(logit(found.lower)) - self._goal


def _bent(log_odds: float) -> float:
    """Nearly linear in the logs of q, n and epsilon where delta falls like the tail of a normal law."""
    return -math.log(-log_odds) if log_odds < -1 else 1 + log_odds


def _shown(x: Fraction) -> str:
    return decimal(x, x, 12)


def _ends(x: float, rtol: Fraction, *, whole: bool = False, nudge: int = 0) -> tuple[Fraction, Fraction]:
    """The ends of a bracket of width ``rtol`` around x, as short decimals; ``nudge`` moves both by that many widths."""
    if whole:
        width = max(1, int(rtol * round(x)))
        upper = max(2, round(x) + width // 2 + nudge * width)
        return Fraction(upper - width), Fraction(upper)
    share = float(rtol)
    scale: int = 10 ** max(0, 3 - math.floor(math.log10(share * x)))
    low, high = (round(x * (1 + (nudge + shift) * share) * scale) for shift in (-0.25, 0.7))
    return Fraction(low, scale), Fraction(high, scale)


def _single(problem: Problem, x: Fraction, ones: int, rtol: Fraction, target: Fraction) -> Enclosure:
    """delta at x, about the target, of one dataset, the event likelier with the changed record 0."""
    datasets, limit = problem(x)
    return datasets.swift(min(ones, datasets.others), limit, rtol=rtol, near=target)


def _as_zero(worst: Delta, problem: Problem, x: Fraction) -> int:
    """The ones of the dataset, mirrored if need be so that the event is likelier with the changed record 0."""
    datasets, _ = problem(x)
    return worst.dataset.ones if worst.dataset.value == 0 else datasets.others - worst.dataset.ones


class _Seen:
    """Worst deltas, and the nearest x on each side of the crossing at which one is proven."""

    def __init__(self, problem: Problem, target: Fraction, rtol: Fraction, ones: int | None, whole: bool) -> None:
        self._problem, self._target, self._rtol, self._ones, self._whole = problem, target, rtol, ones, whole
        self._failing: tuple[Fraction, Delta] | None = None
        self._holding: tuple[Fraction, Delta] | None = None

    def worst(self, x: Fraction, narrower: int = 1) -> Delta:
        """The worst delta at x, as far as the target asks."""
        datasets, limit = self._problem(x)
        if self._ones is not None:
            found = datasets.one(self._ones, limit, rtol=_FINE * (1 - self._target))
        else:
            found = decided(datasets, limit, self._target, rtol=self._rtol * (1 - self._target) / (1000 * narrower))
        if found.lower > self._target and (self._failing is None or x > self._failing[0]):
            self._failing = x, found
        elif found.upper <= self._target and (self._holding is None or x < self._holding[0]):
            self._holding = x, found
        return found

    @property
    def middle(self) -> float | None:
        """Log x between the two."""
        if self._failing is None or self._holding is None:
            return None
        return (logarithm(self._failing[0]) + logarithm(self._holding[0])) / 2

    def bracket(self) -> Crossing | None:
        """Between the two, once they are near enough."""
        if self._failing is None or self._holding is None:
            return None
        (lower, at_lower), (upper, at_upper) = self._failing, self._holding
        if upper - lower > max(self._rtol * lower, Fraction(self._whole)):  # whole ones are at best neighbours
            return None
        return Crossing(lower=lower, upper=upper, at_lower=at_lower, at_upper=at_upper)

    def met(self, x: Fraction) -> Delta:
        """The worst delta at x, proven to be at most the target.

        Raises:
            NoSolution: it is proven to be above.
            Undecided: it is neither, in some steps to a narrower width.
        """
        for step in range(_NARROWER):
            found = self.worst(x, 10 ** (6 * step))
            if found.upper <= self._target:
                return found
            if found.lower > self._target:
                raise NoSolution(f"delta is above {_shown(self._target)} for every value up to {_shown(x)}")
        raise Undecided(f"delta at {_shown(x)} is too near {_shown(self._target)}", found)
