"""The kinds of mechanisms that an audited table may name, and the columns that each takes.

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
from functools import partial
from typing import Any, NamedTuple

from dpcalc.choose.collected import collected
from dpcalc.choose.least import least_n, least_q, least_threshold
from dpcalc.choose.least_noise import least_noise
from dpcalc.errors import DomainError
from dpcalc.mechanisms import noise
from dpcalc.mechanisms.gaussian import GaussianMechanism
from dpcalc.mechanisms.mechanism import MOST_ROUNDS, Mechanism
from dpcalc.mechanisms.noisy_count import NoisyCount, NoisyHistogram
from dpcalc.mechanisms.randomizers import k_ary_response
from dpcalc.mechanisms.response import RandomizedResponse
from dpcalc.mechanisms.rounds import Rounds
from dpcalc.mechanisms.shuffle import Shuffle
from dpcalc.mechanisms.thresholded import Thresholded
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.lists import as_list
from dpcalc.numbers.rational import integer, positive, rational

#: A row of the table: values by column.
_Cells = Mapping[str, Any]

_ANY = ("add-remove", "replace", "delete")  # how neighbours may differ
_GAUSSIAN = ("sigma", "mu", "rho")
_NORM = "what is released differs by at most the sensitivity between neighbours, in Euclidean norm"
_NOISE = "the counts of neighbours differ by at most the sensitivity"
_SIGNS = (
    "1 or 2 where a record is replaced: one count goes up and the other down. "
    "This noise is not symmetric, and the signs of more changes are not known"
)


#: A parameter, what finds its least value that keeps a promise, and the columns which that takes besides.
_Solver = tuple[str, Callable[..., Bracket], tuple[str, ...]]


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
    solvers: tuple[_Solver, ...] = ()

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


def _noise(make: Callable[..., noise.Noise], *needed: tuple[str, ...], solvers: tuple[_Solver, ...] = ()) -> Kind:
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
    solver = size, partial(least_noise, kind.name), (*kind.stated, "sensitivity")
    needed = ((size,), kind.stated) if kind.stated else ((size,),)
    return _noise(kind.made, *needed, solvers=() if kind.least is None else (solver,))


_FLIPS = (
    ("q", least_q, ("n", "k", "rounds", "categories", "ones", "neighbours")),
    ("n", least_n, ("q", "k", "rounds", "categories", "ones", "neighbours")),
)
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
        solvers=(("threshold", least_threshold, ("sampled", "neighbours")),),
    ),
}  # fmt: skip
