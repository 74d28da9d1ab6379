"""What a row of the table promises: a mechanism, epsilon, delta, neighbours, unit, and the defaults that were assumed.

Nothing is guessed: a default that is used is named, and what could be meant in two ways must be stated.

A column is an argument of the mechanism, under the same name. Further columns:

*bit_epsilon*     in place of q: the least q with ln((1 - q)/q) <= bit_epsilon, rounded up;
*scale*           in place of a ratio: the ratio is e^(-1/scale);
*report_epsilon*  of a k-ary response: the logarithm of its odds;
*weights*         of listed noise: numbers proportional to the probabilities of neighbouring whole numbers;
*mu*, *rho*       of real Gaussian noise: mu = sensitivity/sigma, rho = mu^2/2;
*counts*          of added noise: how many counts of one release a person changes. A record that is replaced leaves one
                  category of a histogram and enters another: two counts, one of which goes up and the other down.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from dpcalc.choose.collected import collected
from dpcalc.choose.least import least_n, least_q, least_threshold
from dpcalc.choose.least_noise import least_noise
from dpcalc.errors import DomainError, one_line
from dpcalc.mechanisms import noise
from dpcalc.mechanisms.mechanism import MOST_ROUNDS, Mechanism
from dpcalc.mechanisms.noisy_count import GaussianMechanism, NoisyCount, NoisyHistogram, Thresholded
from dpcalc.mechanisms.randomizers import k_ary_response
from dpcalc.mechanisms.response import RandomizedResponse
from dpcalc.mechanisms.rounds import Rounds
from dpcalc.mechanisms.shuffle import Shuffle
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.limit import Limit, allowed_delta
from dpcalc.numbers.lists import as_list, one_of
from dpcalc.numbers.rational import integer, positive, rational

#: A row of the table: values by column.
_Cells = Mapping[str, Any]

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
_ANY = ("add-remove", "replace", "delete")  # how neighbours may differ
_GAUSSIAN = ("sigma", "mu", "rho")
_NORM = "what is released differs by at most the sensitivity between neighbours, in Euclidean norm"
_NOISE = "the counts of neighbours differ by at most the sensitivity"
_SIGNS = (
    "1 or 2 where a record is replaced: one count goes up and the other down. "
    "This noise is not symmetric, and the signs of more changes are not known"
)


#: Of a parameter: what finds its least value that keeps a promise, all else the same, given a limit and delta.
_Solvers: TypeAlias = Mapping[str, Callable[["Promised"], Callable[..., Bracket]]]
_NONE: _Solvers = MappingProxyType({})


class Kind(NamedTuple):
    """One kind of mechanism.

    Attributes:
        make: makes the mechanism of one release from a row's columns.
        needed: columns that must be given: one of each tuple.
        more: columns that may be given.
        neighbours: the relations that it allows, the default first, and in words how neighbours differ.
        solvers: of its parameters.
    """

    make: Callable[[_Cells], Mechanism]
    needed: tuple[tuple[str, ...], ...]
    more: tuple[str, ...]
    neighbours: Mapping[str, str]
    solvers: _Solvers = _NONE

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that it takes."""
        return (*(name for choice in self.needed for name in choice), *self.more)

    @property
    def reports(self) -> bool:
        """Whether each of n users sends reports; else a curator who sees all data adds noise."""
        return "n" in self.columns


def _some(cells: _Cells, *names: str) -> dict[str, Any]:
    return {name: cells[name] for name in names if name in cells}


def _reported(cells: _Cells) -> Mechanism:
    described = _some(cells, "n", "q", "a", "b", "k", "categories", "ones", "neighbours")
    if "bit_epsilon" in cells:
        described["q"] = RandomizedResponse.from_epsilon(positive(cells["bit_epsilon"], "bit_epsilon")).q
    return collected(**described)


def _listed(weights: Any) -> noise.Noise:
    """Noise of given weights, which are a list, or text with spaces between them."""
    allowed = "numbers >= 0, not all 0, with spaces between them, as probabilities are"
    listed = as_list(weights.split() if isinstance(weights, str) else weights, "weights", allowed)
    numbers = [rational(weight, "weights", allowed) for weight in listed]
    whole = sum(numbers)
    if not numbers or min(numbers) < 0 or not whole:
        raise DomainError("weights", weights, allowed)
    return noise.FiniteNoise([weight / whole for weight in numbers])


def _released(count: NoisyCount, cells: _Cells) -> Mechanism:
    """All counts of one release that a person changes: two in opposite directions, or all in the same one.

    The upper end of rounds holds for any signs, and their lower end is that of equal ones. So they serve unless a
    record is replaced, and for symmetric noise, where signs do not matter.
    """
    counts = integer(cells.get("counts", 1), "counts", minimum=1, maximum=MOST_ROUNDS)
    if counts == 1:
        return count
    if cells["neighbours"] != "replace" or all(change > 0 for _, change in count.shifts()):
        return Rounds([(count, counts)])
    if counts != 2:
        raise DomainError("counts", cells["counts"], _SIGNS)
    return NoisyHistogram(count)


def _noise(
    make: Callable[..., noise.Noise], *needed: tuple[str, ...], solvers: _Solvers = MappingProxyType({})
) -> Kind:
    """The kind of a count with noise, ``copies`` of which are added up; one column of each ``needed`` must be given."""

    def count(cells: _Cells) -> Mechanism:
        copies = integer(cells.get("copies", 1), "copies", minimum=1, maximum=10_000)
        one = make(**_some(cells, *(name for choice in needed for name in choice)))
        return _released(NoisyCount(noise.several(one, copies), cells["sensitivity"]), cells)

    return Kind(
        count, (*needed, ("sensitivity",)), ("copies", "counts"), dict.fromkeys(_ANY, _NOISE), solvers=solvers
    )  # fmt: skip


_FULL = {"gaussian": "discrete gaussian", "laplace": "discrete laplace"}  # names that a table writes in full


def _named(kind: type[noise.Noise]) -> Kind:
    """Of a count with such noise."""
    size, *_ = kind.words
    needed = ((size,), kind.stated) if kind.stated else ((size,),)
    if kind.least is None:
        return _noise(kind.made, *needed)

    def least(promised: Promised) -> Callable[..., Bracket]:
        return partial(least_noise, kind.name, **_some(promised.cells, *kind.stated, "sensitivity"))

    return _noise(kind.made, *needed, solvers={size: least})


_FLIPS: _Solvers = {
    "q": lambda promised: partial(least_q, promised.mechanism),
    "n": lambda promised: partial(least_n, promised.mechanism),
}
_REPLACE = {"replace": "one record's value is replaced"}
_EITHER = {**_REPLACE, "delete": "one record becomes all zeros"}
_THRESHOLD = {"add-remove": "one record is added or removed", **_REPLACE}

#: The kinds of mechanisms by their names in a table.
KINDS = {
    "bits": Kind(_reported, (("n",), ("q", "bit_epsilon")), ("k",), _REPLACE, solvers=_FLIPS),
    "histogram": Kind(
        _reported, (("n",), ("categories",), ("q", "bit_epsilon")), ("k", "ones"), _EITHER, solvers=_FLIPS
    ),
    "asymmetric bits": Kind(_reported, (("n",), ("a",), ("b",)), ("k", "categories"), _EITHER),
    "k-ary response": Kind(
        lambda cells: Shuffle(k_ary_response(cells["categories"], epsilon=cells["report_epsilon"]), n=cells["n"]),
        (("n",), ("categories",), ("report_epsilon",)), (), _REPLACE,
    ),
    **{
        _FULL.get(name, name.replace("-", " ")): _named(kind)
        for name, kind in noise.NOISES.items() if kind is not noise.FiniteNoise
    },
    "listed noise": _noise(_listed, ("weights",)),
    "gaussian": Kind(
        lambda cells: GaussianMechanism.of(**_some(cells, *_GAUSSIAN, "sensitivity")), (_GAUSSIAN,), ("sensitivity",),
        dict.fromkeys(_ANY, _NORM),
    ),
    "threshold": Kind(
        lambda cells: Thresholded(**_some(cells, "threshold", "sampled", "neighbours")), (("threshold",),),
        ("sampled",), _THRESHOLD,
        {"threshold": lambda promised: partial(least_threshold, **_some(promised.cells, "sampled", "neighbours"))},
    ),
}  # fmt: skip


# --- promises --------------------------------------------------------------------------------------------------------


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
        """From the columns of a row that are not empty; refuses those that say too little, or contradict each other."""
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
