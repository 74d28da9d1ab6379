r"""Where the two proven ends of delta cross a target, as a parameter varies.

Several rounds have a delta between a lower and an upper end that need not meet (``privacy.rounds``). Both belong to
quantities that are monotone in x, so the threshold lies between an x whose lower end is above the target and one whose
upper end is at or below it: each end of the bracket has its own proof.

Evaluations are dear: secants of log delta, aimed half a width beyond where they cross so that both sides come in.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from dpcalc.errors import NoSolution, Undecided
from dpcalc.numbers.enclosure import Enclosure, decimal
from dpcalc.numbers.search import logarithm, logit

__all__ = ["Edges", "edges"]

_STRIDE = 0.05  # of log x, the first away from a start
_MOST = 80  # values of one end
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

    Raises:
        NoSolution: delta is at most the target at ``failing`` too, or above it at ``holding``.
        Undecided: its ends leave that open.
    """
    search = _Search(delta, target, rtol, whole)
    _, good = search.crossing(lambda found: found.upper, failing, holding, start)
    at_good = search.at(good)
    if at_good.lower > target:
        raise NoSolution(f"delta is above {_shown(target)} even at {_shown(holding)}, the last value searched")
    if at_good.upper > target:
        raise Undecided(f"delta at {_shown(holding)} is not proven to be at most {_shown(target)}", at_good)
    bad, _ = search.crossing(lambda found: found.lower, failing, good, logarithm(good))
    at_bad = search.at(bad)
    if at_bad.upper <= target:
        raise NoSolution(f"delta is at most {_shown(target)} even at {_shown(failing)}, the last value searched")
    if at_bad.lower <= target:
        raise Undecided(f"delta at {_shown(failing)} is not proven to be above {_shown(target)}", at_bad)
    return Edges(failing=bad, holding=good, at_failing=at_bad, at_holding=at_good)


def _shown(x: Fraction) -> str:
    return decimal(x, x, 12)


class _Search:
    """Values of delta, each asked for once."""

    def __init__(self, delta: Callable[[Fraction], Enclosure], target: Fraction, rtol: Fraction, whole: bool) -> None:
        self._delta, self._target, self._whole = delta, target, whole
        self._rtol, self._known = float(rtol), dict[Fraction, Enclosure]()

    def at(self, x: Fraction) -> Enclosure:
        """Both ends at x."""
        if x not in self._known:
            self._known[x] = self._delta(x)
        return self._known[x]

    def crossing(self, end: _End, failing: Fraction, holding: Fraction, start: float) -> tuple[Fraction, Fraction]:
        """Neighbours with the end above the target at the first and at or below it at the second, if the ends given
        are so.
        """
        ends, way, stride = (failing, holding), 1 if holding > failing else -1, _STRIDE
        x = self._near(start, failing, holding)
        for step in range(_MOST):
            if x is None:
                return failing, holding
            fails = end(self.at(x)) > self._target
            failing, holding = (x, holding) if fails else (failing, x)
            if (failing != ends[0] and holding != ends[1]) or stride > abs(logarithm(holding) - logarithm(failing)):
                place = self._crossed(end, failing, holding, halve=step % 4 == 3)
                x = self._near(place + way * (1 if fails else -1) * _BEYOND * self._rtol, failing, holding)
            else:  # one side is still far away
                x = self._near(logarithm(x) + way * (stride if fails else -stride), failing, holding)
                stride *= 2
        raise Undecided(f"no crossing was found between {_shown(failing)} and {_shown(holding)}")

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
