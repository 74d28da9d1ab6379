"""The least noise, or the fewest users, that would keep a promise: how much could be spared, or how much is missing."""

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
    """A parameter and its least value that keeps the promise, if all else stays the same.

    Attributes:
        name: of the parameter.
        least: the bracket of its least value.
        other: words for what does not stay the same; empty if all does.
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
    """The rooms of the parameters that have solvers, if a value that keeps the promise is found; none for delta = 0."""
    return tuple(_found(promised)) if promised.delta > 0 else ()


def _found(promised: Promised) -> Iterator[Room]:
    for solver in KINDS[promised.kind].solvers:
        if promised.local and solver.name == "n":
            continue
        if promised.rounds > 1 and "rounds" not in solver.others:
            continue
        if any(promised.cells.get(column, 1) not in (1, "1") for column in ("copies", "counts")):
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
    """Words for geometric noise of a given scale: the solver takes another ratio, e^(-epsilon/sensitivity)."""
    if solver.name != "bound" or "ratio" in promised.cells:
        return ""
    epsilon, cells = promised.limit.argument.get("epsilon"), promised.cells
    share = positive(cells["scale"], "scale") / integer(cells["sensitivity"], "sensitivity", minimum=1)
    return "" if epsilon is not None and share * epsilon == 1 else ", but for the ratio e^(-epsilon/sensitivity)"


def tight(promised: Promised, found: tuple[Room, ...]) -> bool:
    """Whether some parameter has its least value already: then less noise, or fewer users, would break the promise."""
    return any(not room.other and room.name in promised.cells and _has(promised, room) for room in found)


def _has(promised: Promised, room: Room) -> bool:
    """Whether the parameter has its least value; mechanisms are compared, as a number may be written in many ways."""
    cells = {**promised.cells, **({"n": 1} if promised.local else {}), room.name: room.least.value}
    return bool(KINDS[promised.kind].make(cells) == promised.once)
