"""The least noise, or the fewest users, that would keep a promise: what one has to spare, or what it lacks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dpcalc.audits.kinds import KINDS, Solver
from dpcalc.audits.promised import Promised
from dpcalc.errors import NoSolution, TooLarge, Undecided
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.rational import integer, positive
from dpcalc.report import bracket, bracket_lines


@dataclass(frozen=True, slots=True)
class Room:
    """A parameter, and the least value of it that keeps the promise, all else as it is.

    Attributes:
        name: of the parameter.
        least: its bracket.
        other: what is not as it is, or nothing.
    """

    name: str
    least: Bracket
    other: str = ""

    def __str__(self) -> str:
        value, *_ = bracket_lines(self.name, self.least)[0].partition(" (")
        return f"{value} would do, all else the same{self.other}"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return bracket(self.name, self.least)


def rooms(promised: Promised) -> tuple[Room, ...]:
    """Of each parameter that there is a solver for; none where no value keeps the promise, or none is found."""
    return tuple(_found(promised)) if promised.delta > 0 else ()


def _found(promised: Promised) -> Iterator[Room]:
    for solver in KINDS[promised.kind].solvers:
        if promised.local and solver.name == "n":
            continue
        if promised.rounds > 1 and "rounds" not in solver.others:
            continue
        if promised.cells.get("copies", 1) not in (1, "1"):
            continue
        try:
            yield Room(solver.name, solver.least(**_arguments(promised, solver)), _other(promised, solver))
        except (NoSolution, TooLarge, Undecided):
            continue


def _arguments(promised: Promised, solver: Solver) -> dict[str, Any]:
    known = {**promised.cells, "rounds": promised.rounds}
    if promised.local:
        known["n"] = 1
    if "q" in solver.others:
        known["q"] = promised.once.q
    return {
        **promised.limit.argument, "delta": promised.delta,
        **{name: known[name] for name in solver.others if name in known},
    }  # fmt: skip


def _other(promised: Promised, solver: Solver) -> str:
    """Geometric noise of a scale is compared with that of the ratio which alone can do for the promise."""
    if solver.name != "bound" or "ratio" in promised.cells:
        return ""
    epsilon, cells = promised.limit.argument.get("epsilon"), promised.cells
    share = positive(cells["scale"], "scale") / integer(cells["sensitivity"], "sensitivity", minimum=1)
    return "" if epsilon is not None and share * epsilon == 1 else ", but for the ratio e^(-epsilon/sensitivity)"


def tight(promised: Promised, found: tuple[Room, ...]) -> bool:
    """Whether a parameter has its least value already: then the promise could not be kept with less."""
    return any(not room.other and room.name in promised.cells and _has(promised, room) for room in found)


def _has(promised: Promised, room: Room) -> bool:
    """Whether the mechanism is that of the least value, however its own is written: 0.1, 10 % or 1,000."""
    cells = {**promised.cells, **({"n": 1} if promised.local else {}), room.name: room.least.value}
    return bool(KINDS[promised.kind].make(cells) == promised.once)
