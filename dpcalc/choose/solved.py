"""Where the largest delta of a family crosses a target: the one search of every question that solves for something.

One dataset leads to the place (``choose.steered``). Where another one is worse there, that one leads on. Then both ends
are certified (``choose.crossing``).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from dpcalc.choose.crossing import UNKNOWN, Values, crossing
from dpcalc.choose.steered import Guess, Problem, Sought, shown, steered
from dpcalc.errors import Undecided
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import ONE, Promise, Words
from dpcalc.numbers.rational import Number
from dpcalc.pairs.family import Family, Width

NEIGHBOURS = Fraction(1, 10**16)  #: a relative width at which whole numbers are neighbours
_ONE: Words = {"attained_by": ONE, "proven_for": ONE}
_MOVES = 4  # times another dataset may take the lead
_SECANTS = 4  # from the old dataset's crossing to the new one's
_ALIKE = 0.1  # of a width: a secant that moves less has found it
_FARTHEST = 0.01  # of log x: beyond this secants give way to a search anew
_UNDECIDED = 2  # values at which delta was undecided, each of which takes seconds, end the search
_GAP = 1.5  # of the width of delta that was asked for: how far apart its two ends are as a rule


def tolerance(rtol: Number | None, default: str = "1e-3") -> Fraction:
    """The relative width of a bracket.

    Raises:
        DomainError: it is out of range.
    """
    return Width(default, "1e-9").of(rtol)


def solved(problem: Problem, target: Fraction, sought: Sought, *, start: float | None = None) -> Bracket:
    """Where the largest delta of a family crosses the target; errors as ``crossing``.

    ``start`` is an estimate of log x, if there is one.
    """
    lead = _LeadingDataset(problem, target, sought)
    place = steered(problem, target, sought, start=start)
    place = lead.followed(place)
    family, _ = problem(place.beyond(sought) or sought.failing)
    two = family.one_is_quick and not family.settles  # its lower end is another question than its upper one
    gap = _GAP * float(family.fineness(sought.rtol, target)) if two else 0.0
    some = Values(lead.one)
    return crossing(lead.every, some, target, sought, place=place, settled=family.settles, gap=gap)


def least_whole(
    problem: Problem, target: Fraction, *, least: int, most: int, rtol: Fraction, name: str = ""
) -> Bracket:
    """The least whole parameter at which the target holds; where ``least`` is enough, both ends are it.

    Raises as ``crossing``.
    """
    ends = []
    start = max(least, 1)  # the search takes its logarithm
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


class _LeadingDataset:
    """The dataset that leads, and delta of it and of all."""

    def __init__(self, problem: Problem, target: Fraction, sought: Sought) -> None:
        self._problem, self._target, self._sought = problem, target, sought
        self._leader: Promise | None = None  # a delta of the dataset that leads; None: the family's own choice
        self._undecided = 0
        self.every = Values(self._every)

    def one(self, x: Fraction) -> Promise:
        """delta of the dataset that leads, where that is quick; else of all."""
        family, limit = self._led(x)
        if not family.one_is_quick:
            return self.every.at(x)
        width = family.fineness(self._sought.rtol, self._target)
        found = self._decided(lambda: family.one(limit, rtol=width, near=self._target))
        return found if isinstance(found, Promise) else Promise.that(found, **_ONE)

    def followed(self, place: Guess) -> Guess:
        """The crossing of the dataset that leads in the end: as long as another one is worse there, it takes over."""
        for _ in range(_MOVES):
            beyond = place.beyond(self._sought)
            if beyond is None or (found := self.found_worse(place, beyond)) is None:
                break
            place = self._moved(place, beyond, found)
        return place

    def found_worse(self, place: Guess, x: Fraction) -> Promise | None:
        """The largest delta at x, if it is above the target: then its dataset leads.

        Without a slope the dataset that leads never crosses: then any other one does.
        """
        if not self._problem(x)[0].settles:
            return None
        found = self.every.at(x)
        if place.slope:
            if found.lower <= self._target:
                return None
            self._leader = found
            return found
        before, self._leader = self._led(x)[0], found
        return found if self._led(x)[0] != before else None

    def _every(self, x: Fraction) -> Promise:
        family, limit = self._problem(x)
        width = family.fineness(self._sought.rtol, self._target)
        found: Promise = self._decided(lambda: family.delta(limit, rtol=width, target=self._target))
        return found

    def _led(self, x: Fraction) -> tuple[Family[Any], Limit]:
        """The problem at x, with the dataset that leads."""
        family, limit = self._problem(x)
        return (family if self._leader is None else family.pinned(self._leader)), limit

    def _decided(self, delta: Callable[[], Any]) -> Any:
        """delta; where it is undecided nothing is known: the error's enclosure may be of a step on the way."""
        try:
            return delta()
        except Undecided as error:
            self._undecided += 1
            if self._undecided == _UNDECIDED:
                raise Undecided(f"delta is not settled at {_UNDECIDED} values that were tried: {error}") from error
            return UNKNOWN

    def _moved(self, place: Guess, x: Fraction, found: Promise) -> Guess:
        """Where the new leader crosses, given its delta at an x near by: by secants, or by a search anew."""
        here, known = place, [(x, found.lower)]
        for _ in range(_SECANTS if place.slope else 0):
            before, here = here.log, place.through(known, self._target)
            if abs(here.log - before) < _ALIKE * self._sought.rtol:
                return here
            near = here.beyond(self._sought)
            if near is None or near == known[-1][0] or abs(here.log - before) > _FARTHEST:
                break
            known = [known[-1], (near, self.one(near).lower)]
        return steered(self._led, self._target, self._sought, start=here.log)
