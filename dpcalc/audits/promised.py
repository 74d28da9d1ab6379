"""What a row of the table promises: mechanism, epsilon, delta, neighbours, unit, and the defaults that were assumed.

Nothing is guessed: a default that is used is named, and what could be meant in two ways must be stated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcalc.audits.kinds import KINDS, Kind
from dpcalc.errors import DomainError, one_line
from dpcalc.mechanisms.mechanism import MOST_ROUNDS, Mechanism
from dpcalc.mechanisms.noisy_count import NoisyCount, NoisyHistogram
from dpcalc.mechanisms.rounds import Rounds
from dpcalc.numbers.limit import Limit, allowed_delta
from dpcalc.numbers.lists import one_of
from dpcalc.numbers.rational import integer, rational

ABOUT = ("name", "source", "note")  #: columns of words
_PROMISE = ("epsilon", "delta", "neighbours", "unit", "model", "variant", "rounds")
_UNITS = ("user", "user-round", "report")
_MODELS = ("central", "shuffle", "local")
_DAYS = (
    "rounds are days, on each of which a person may change the count up or down; the counts of a histogram are counts"
)
_DELTA = "the promised delta, 0 for pure differential privacy"
_UNIT = (
    "user (all reports of all rounds), user-round (all reports of one round) or report: "
    "a user sends several, and the promise may be for one or for all of them"
)


@dataclass(frozen=True, slots=True)
class Promised:
    """A promise that can be judged.

    Attributes:
        kind: of mechanism.
        cells: the columns that describe the mechanism, as they were given.
        mechanism: what is run; for a local promise, on one user's data.
        limit, delta: what is promised.
        relation: how neighbouring datasets differ: "replace", "add-remove" or "delete".
        unit: what differs between them: all of a user's data, those of one round, or one report.
        assumed: the defaults that were used.
        local: whether the promise is about what one user sends.
        rounds: how many releases the promise covers, one after the other, as on so many days.
    """

    kind: str
    cells: Mapping[str, Any]
    mechanism: Mechanism
    limit: Limit
    delta: Fraction
    relation: str
    unit: str
    assumed: tuple[str, ...]
    local: bool
    rounds: int

    @classmethod
    def of(cls, cells: Mapping[str, Any]) -> Promised:
        """From the columns of a row that are not empty.

        Raises:
            DomainError: a column that is unknown, missing or out of range, or two that contradict each other.
        """
        _consistent(cells)
        if "mechanism" not in cells:
            raise DomainError("mechanism", ..., f"one of {', '.join(KINDS)}, with its parameters")
        name = one_of(cells["mechanism"], "mechanism", KINDS)
        kind = KINDS[name]
        _known(name, kind, cells)
        for column, what in (("epsilon", "the promised epsilon"), ("delta", _DELTA)):
            if column not in cells:
                raise DomainError(column, ..., what)
        limit, target = Limit.of(epsilon=cells["epsilon"]), allowed_delta(cells["delta"])
        local, assumed = _model(kind, cells)
        relation = one_of(cells.get("neighbours", next(iter(kind.neighbours))), "neighbours", kind.neighbours)
        if "neighbours" not in cells:
            assumed.append(f"neighbours: {relation}, which is the default")
        unit, rounds, said = _unit(cells)
        if rounds > 1 and "counts" in kind.columns:
            said.append(_DAYS)
        described = {column: value for column, value in cells.items() if column in kind.columns}
        described["neighbours"] = relation
        once = kind.make({**described, "n": 1} if local else described)
        made = once if rounds == 1 else Rounds([(once, rounds)])
        return cls(name, described, made, limit, target, relation, unit, (*assumed, *said), local, rounds)

    @property
    def neighbours(self) -> str:
        """How neighbouring datasets differ, in words."""
        if self.counts == 1:
            return KINDS[self.kind].neighbours[self.relation]
        signs = ": one goes up and the other down" if isinstance(self.once, NoisyHistogram) else ""
        return f"{self.counts:,} counts of neighbours differ, each by at most the sensitivity{signs}"

    @property
    def counts(self) -> int:
        """How many counts of one release a person changes, as the row has it; 1 if it does not say."""
        return integer(self.cells.get("counts", 1), "counts", minimum=1)

    @property
    def each(self) -> str:
        """What one round of the mechanism is: a round, or one of the counts that a person changes."""
        return "count" if self.counts > 1 and isinstance(self.once, NoisyCount) else "round"

    @property
    def once(self) -> Any:
        """The mechanism of one release."""
        return self.mechanism.kinds[0][0]

    @property
    def words(self) -> str:
        """The mechanism on one line."""
        listed = [f"{column} = {one_line(value)}" for column, value in self.cells.items() if column != "neighbours"]
        if self.rounds > 1:
            listed.append(f"rounds = {self.rounds:,}")
        return f"{self.kind}: {', '.join(listed)}"


def _known(name: str, kind: Kind, cells: Mapping[str, Any]) -> None:
    """Refuse columns that this kind does not take, that are missing, or that say the same thing twice."""
    allowed = (*ABOUT, "mechanism", *kind.columns, *_PROMISE)
    for column, value in cells.items():
        if column not in allowed and column.lower() in allowed:
            raise DomainError(column, value, f"it as {column.lower()}, in small letters")
        if column not in allowed:
            raise DomainError(column, value, f"leave it out: {name} takes {', '.join((*kind.columns, 'rounds'))}")
    for choice in kind.needed:
        given = [column for column in choice if column in cells]
        if not given:
            every = ", ".join(" or ".join(one) for one in kind.needed)
            raise DomainError(" or ".join(choice), ..., f"its value: {name} needs {every}")
        if len(given) > 1:
            raise DomainError(given[1], cells[given[1]], f"leave it out: {given[0]} is given")


def _consistent(cells: Mapping[str, Any]) -> None:
    """Refuse a promise of pure differential privacy with a delta above 0."""
    if "variant" in cells and one_of(cells["variant"], "variant", ("pure", "approximate")) == "pure":
        allowed = "0, or variant = approximate: pure differential privacy has no delta"
        if rational(cells.get("delta", 0), "delta", allowed):
            raise DomainError("delta", cells["delta"], allowed)


def _model(kind: Kind, cells: Mapping[str, Any]) -> tuple[bool, list[str]]:
    """Whether the promise is local, about one user's reports; and what is assumed."""
    model = one_of(cells.get("model", _MODELS[0]), "model", _MODELS)
    if model != "central" and not kind.reports:
        raise DomainError("model", model, "central: the noise is added to a count, and not to what a user sends")
    return model == "local", [] if "model" in cells else ["model: central, which is the default: only sums are seen"]


def _unit(cells: Mapping[str, Any]) -> tuple[str, int, list[str]]:
    """The unit of privacy, the number of releases that the promise covers, and what is assumed."""
    rounds = integer(cells.get("rounds", 1), "rounds", minimum=1, maximum=MOST_ROUNDS)
    reports = integer(cells.get("k", 1), "k", minimum=1)
    several = rounds > 1 or reports > 1
    if "unit" not in cells:
        if several:
            raise DomainError("unit", ..., _UNIT)
        return _UNITS[0], rounds, ["unit: user, which is the default: each user is counted once"]
    unit = one_of(cells["unit"], "unit", _UNITS)
    if unit == "report" and several:
        allowed = "user or user-round: neighbours that differ in one of several reports are not judged here"
        raise DomainError("unit", unit, allowed)
    return unit, 1 if unit == "user-round" else rounds, []
