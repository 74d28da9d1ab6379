"""What an audited table may speak of: a row for each kind of mechanism, with the columns that it takes.

A column is an argument of the mechanism, under its name. Two more stand for an argument that is not rational:
``bit_epsilon`` for q, the least one with ln((1 - q)/q) <= bit_epsilon, rounded up, and ``scale`` for the ratio
e^(-1/scale). ``report_epsilon`` is the logarithm of the odds of a k-ary response. ``weights`` are
probabilities of neighbouring whole numbers, in proportion. Of real Gaussian noise ``mu`` is sensitivity/sigma, and
``rho`` mu^2/2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from dpcalc.choose.least import least_n, least_q
from dpcalc.choose.least_noise import (
    least_bound,
    least_mean,
    least_mu,
    least_scale,
    least_sigma,
    least_trials,
)
from dpcalc.choose.least_threshold import least_threshold
from dpcalc.errors import DomainError
from dpcalc.mechanisms.asymmetric import AsymmetricBits
from dpcalc.mechanisms.gaussian import GaussianMechanism
from dpcalc.mechanisms.mechanism import Mechanism
from dpcalc.mechanisms.noise import (
    Binomial,
    DiscreteGaussian,
    DiscreteLaplace,
    FiniteNoise,
    Geometric,
    Noise,
    Poisson,
    RoundedGaussian,
    RoundedLaplace,
    Skellam,
)
from dpcalc.mechanisms.noisy_count import NoisyCount
from dpcalc.mechanisms.randomizers import k_ary_response
from dpcalc.mechanisms.response import KRandomization, RandomizedResponse
from dpcalc.mechanisms.shuffle import Shuffle
from dpcalc.mechanisms.thresholded import Thresholded
from dpcalc.mechanisms.unary import UnaryEncoding
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.lists import as_list
from dpcalc.numbers.rational import integer, positive, rational

#: What a row says: of each of its columns the value.
_Cells = Mapping[str, Any]

_GAUSSIAN = ("sigma", "mu", "rho")
_NORM = "what is released differs by at most the sensitivity between neighbours, in Euclidean norm"
_NOISE = "the counts of neighbours differ by at most the sensitivity"


class Solver(NamedTuple):
    """A parameter with its least value for a promise.

    Attributes:
        name: of the parameter.
        least: the solver.
        others: the columns that it takes, besides epsilon and delta.
    """

    name: str
    least: Callable[..., Bracket]
    others: tuple[str, ...]


class Kind(NamedTuple):
    """One kind of mechanism.

    Attributes:
        make: the mechanism, from its columns; run once.
        needed: its columns, or choices of one of several.
        more: those that it may have.
        neighbours: the relations that there are, the default first, each with what differs.
        reports: whether users send reports of their own, n of them; else somebody who sees all adds noise.
        repeated: whether it may be run in rounds.
        solvers: of its parameters.
    """

    make: Callable[[_Cells], Mechanism]
    needed: tuple[tuple[str, ...], ...]
    more: tuple[str, ...]
    neighbours: Mapping[str, str]
    reports: bool = True
    repeated: bool = True
    solvers: tuple[Solver, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """All that it takes."""
        return (*(name for choice in self.needed for name in choice), *self.more)


def _q(cells: _Cells) -> Fraction:
    if "bit_epsilon" in cells:
        return RandomizedResponse.from_epsilon(positive(cells["bit_epsilon"], "bit_epsilon")).q
    return RandomizedResponse(cells["q"]).q


def _some(cells: _Cells, *names: str) -> dict[str, Any]:
    return {name: cells[name] for name in names if name in cells}


def _bits(cells: _Cells) -> Mechanism:
    return KRandomization(n=cells["n"], q=_q(cells), **_some(cells, "k"))


def _histogram(cells: _Cells) -> Mechanism:
    return UnaryEncoding(q=_q(cells), **_some(cells, "n", "categories", "k", "ones", "neighbours"))


def _asymmetric(cells: _Cells) -> Mechanism:
    chances = (cells["a"], cells["b"])
    return AsymmetricBits(n=cells["n"], chances=chances, **_some(cells, "k", "categories", "neighbours"))


def _shuffled(cells: _Cells) -> Mechanism:
    return Shuffle(k_ary_response(cells["categories"], epsilon=cells["report_epsilon"]), n=cells["n"])


def _thresholded(cells: _Cells) -> Mechanism:
    return Thresholded(cells["threshold"], **_some(cells, "sampled", "neighbours"))


def _geometric(cells: _Cells) -> Noise:
    if "scale" in cells:
        return Geometric.from_epsilon(1 / positive(cells["scale"], "scale"), cells["bound"])
    return Geometric(cells["ratio"], cells["bound"])


def _listed(cells: _Cells) -> Noise:
    """Of weights of neighbouring whole numbers: a list, or text with spaces between them."""
    given, allowed = cells["weights"], "numbers >= 0, not all 0, with spaces between them, as probabilities are"
    listed = as_list(given.split() if isinstance(given, str) else given, "weights", allowed)
    weights = [rational(weight, "weights", allowed) for weight in listed]
    if not weights or min(weights) < 0 or not sum(weights):
        raise DomainError("weights", given, allowed)
    return FiniteNoise([weight / sum(weights) for weight in weights])


def _noise(make: Callable[[_Cells], Noise], *needed: tuple[str, ...], solver: Solver | None = None) -> Kind:
    """Noise on a count, ``copies`` of it added up."""

    def count(cells: _Cells) -> Mechanism:
        copies = integer(cells.get("copies", 1), "copies", minimum=1, maximum=10_000)
        return NoisyCount(sum([make(cells)] * (copies - 1), make(cells)), cells["sensitivity"])

    return Kind(
        count, (*needed, ("sensitivity",)), ("copies",),
        {"add-remove": _NOISE, "replace": _NOISE, "delete": _NOISE}, reports=False,
        solvers=() if solver is None else (solver,),
    )  # fmt: skip


_FLIPS = (
    Solver("q", least_q, ("n", "k", "rounds", "categories", "ones", "neighbours")),
    Solver("n", least_n, ("q", "k", "rounds", "categories", "ones", "neighbours")),
)
_REPLACE = {"replace": "one record's value is replaced"}
_EITHER = {**_REPLACE, "delete": "one record becomes all zeros"}
_THRESHOLD = {"add-remove": "one record is added or removed", **_REPLACE}

#: By their names.
KINDS = {
    "bits": Kind(_bits, (("n",), ("q", "bit_epsilon")), ("k",), _REPLACE, solvers=_FLIPS),
    "histogram": Kind(
        _histogram, (("n",), ("categories",), ("q", "bit_epsilon")), ("k", "ones"), _EITHER, solvers=_FLIPS
    ),
    "asymmetric bits": Kind(_asymmetric, (("n",), ("a",), ("b",)), ("k", "categories"), _EITHER),
    "k-ary response": Kind(
        _shuffled, (("n",), ("categories",), ("report_epsilon",)), (), _REPLACE
    ),
    "binomial": _noise(
        lambda cells: Binomial(cells["trials"], cells["probability"]), ("trials",), ("probability",),
        solver=Solver("trials", least_trials, ("probability", "sensitivity")),
    ),
    "poisson": _noise(
        lambda cells: Poisson(cells["mean"]), ("mean",), solver=Solver("mean", least_mean, ("sensitivity",))
    ),
    "geometric": _noise(
        _geometric, ("bound",), ("ratio", "scale"), solver=Solver("bound", least_bound, ("ratio", "sensitivity"))
    ),
    "discrete gaussian": _noise(
        lambda cells: DiscreteGaussian(cells["sigma"]), ("sigma",),
        solver=Solver("sigma", least_sigma, ("sensitivity",)),
    ),
    "discrete laplace": _noise(
        lambda cells: DiscreteLaplace(1 / positive(cells["scale"], "scale")), ("scale",),
        solver=Solver("scale", least_scale, ("sensitivity",)),
    ),
    "skellam": _noise(
        lambda cells: Skellam(cells["mu"], cells["mu"]), ("mu",), solver=Solver("mu", least_mu, ("sensitivity",))
    ),
    "rounded laplace": _noise(lambda cells: RoundedLaplace(cells["scale"]), ("scale",))._replace(more=()),
    "rounded gaussian": _noise(lambda cells: RoundedGaussian(cells["sigma"]), ("sigma",))._replace(more=()),
    "listed noise": _noise(_listed, ("weights",)),
    "gaussian": Kind(
        lambda cells: GaussianMechanism.of(**_some(cells, *_GAUSSIAN, "sensitivity")), (_GAUSSIAN,), ("sensitivity",),
        dict.fromkeys(("add-remove", "replace", "delete"), _NORM), reports=False, repeated=False,
    ),
    "threshold": Kind(
        _thresholded, (("threshold",),), ("sampled",), _THRESHOLD, reports=False,
        solvers=(Solver("threshold", least_threshold, ("sampled", "neighbours")),),
    ),
}  # fmt: skip
