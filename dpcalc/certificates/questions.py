"""The question that a certificate answers: how the document says it, and what it is at a value of the unknown.

A mechanism is described by its parameters, and refused if the checker would take too long.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from inspect import signature
from math import comb, prod
from typing import Any

from dpcalc import check
from dpcalc.choose.collected import collected, is_bit
from dpcalc.errors import DomainError
from dpcalc.local.solvers import local_q
from dpcalc.mechanisms import noise
from dpcalc.mechanisms.asymmetric import AsymmetricBits
from dpcalc.mechanisms.fleet import Fleet, Group
from dpcalc.mechanisms.mechanism import Mechanism
from dpcalc.mechanisms.noisy_count import NoisyCount
from dpcalc.mechanisms.response import KRandomization
from dpcalc.mechanisms.sampled import Sampled
from dpcalc.mechanisms.shuffle import Shuffle
from dpcalc.mechanisms.stochastic import merged
from dpcalc.mechanisms.thresholded import Thresholded
from dpcalc.mechanisms.unary import UnaryEncoding
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.rational import integer, rational
from dpcalc.numbers.search import last_where
from dpcalc.questions import CERTIFICATE, QUESTIONS, Question

_LONGEST = 20_000  # outcomes of a noise
#: Steps of the checker, which sums up every dataset: masses of all laws of a fleet; of two counts; terms of few people.
_FLEET, _TWO_COUNTS, _PEOPLE = 700_000, 7_000_000, 30_000_000
_ADDED, _TAKEN_AWAY = dict[str, int](), {"minus": 1}  # the two sides of a difference of noises
ALLOWED = (
    "single bits and histograms flipped with one q, noisy counts, rounds of them, thresholds, small fleets, "
    "few people: for others there is no certificate"
)

#: From the arguments of a question to what its document says.
Reading = Callable[[dict[str, Any]], dict[str, Any]]


def asked(question: Callable[..., Any], arguments: tuple[Any, ...], options: dict[str, Any]) -> Asked:
    """The question that a function of the library answers, with its arguments.

    Raises:
        DomainError: there is no certificate for it, or the function does not take these arguments.
    """
    rows = [row for row in QUESTIONS if CERTIFICATE in row.arguments]
    questions: dict[Callable[..., Any], Reading] = {row.call: partial(_read, row) for row in rows}
    questions[local_q] = _local
    if not any(question is known for known in questions):
        allowed = ", ".join(known.__name__ for known in questions)
        raise DomainError("question", getattr(question, "__name__", question), f"one of {allowed}")
    try:
        given = signature(question).bind(*arguments, **options).arguments
    except TypeError as error:
        raise DomainError("options", options, f"the arguments of {question.__name__} ({error})") from error
    what = question.__name__
    _, unknown, _ = check.QUESTIONS[what]
    document = {"what": what, **questions[question](given)}
    return Asked(what, document, unknown, given["mechanism"].simplest.kinds if "mechanism" in given else ())


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in the certificate's words, and what it is about.

    Attributes:
        what: its name.
        document: as it is written.
        unknown: the parameter that is solved for.
        kinds: pairs of a mechanism and how many times it is run; empty where no mechanism is given.
    """

    what: str
    document: dict[str, Any]
    unknown: str = ""
    kinds: tuple[tuple[Mechanism, int], ...] = ()

    @property
    def target(self) -> Fraction:
        """The promised delta."""
        return check.Entries(self.document).number("delta")

    @property
    def composed(self) -> bool:
        """Whether it is about rounds, or a histogram."""
        return "rounds" in self.document

    @property
    def summable(self) -> bool:
        """Whether the checker sums up delta by itself."""
        return bool(check.summable(check.Entries(self.document)))

    def at(self, x: Fraction | None) -> check.Entries:
        """The question at a value of the unknown; None where nothing is solved for."""
        document = check.Entries(self.document)
        return document if x is None else check.at(document, self.unknown, x)

    def limit(self, x: Fraction | None) -> Limit:
        """Its lambda or epsilon at that value."""
        asked = self.at(x)
        return Limit.of(**{name: asked.number(name) for name in ("lam", "epsilon") if name in asked})

    def law(self, x: Fraction | None) -> check.Law:
        """Single bits at that value, as the checker reads them."""
        return check.law_of(self.at(x))


def _limit_given(given: dict[str, Any]) -> dict[str, str]:
    """lambda or epsilon, as it is written."""
    limit = Limit.of(lam=given.get("lam"), epsilon=given.get("epsilon"))
    return {name: check.written(x) for name, x in limit.argument.items()}


def _read(row: Question, given: dict[str, Any]) -> dict[str, Any]:
    """What the document says of a question's arguments: the mechanism, and delta, lambda or epsilon."""
    if row.answer == "rounds":
        about: dict[str, Any] = {"rounds": [one_round(given["mechanism"])]}
    elif row.mechanism:
        about = described(given["mechanism"], given.get("ones"))
    else:
        about = _deployment(given, row.answer)
    target = {"delta": check.written(rational(given["delta"], "delta"))} if "delta" in row.own else {}
    return {**about, **target, **(_limit_given(given) if "lam" in row.own else {})}


def _local(given: dict[str, Any]) -> dict[str, Any]:
    """What it says of the notes' local bound: the closed form, for all records 1."""
    if given.get("dataset", "all-ones") != "all-ones":
        raise DomainError("dataset", given["dataset"], '"all-ones": for every dataset there is no certificate')
    if given.get("method") not in (None, "closed"):
        raise DomainError("method", given["method"], '"closed": for the others there is no certificate')
    sizes = {name: integer(given.get(name, 1), name, minimum=1) for name in ("n", "k", "bits", "sides")}
    return {**sizes, "sigmas": check.written(rational(given.get("sigmas", 3), "sigmas")), **_limit_given(given)}


def _deployment(given: dict[str, Any], unknown: str) -> dict[str, Any]:
    """What is run, without the parameter that is solved for."""
    if integer(given.get("bits", 1), "bits", minimum=1) > 1:
        raise DomainError("bits", given["bits"], ALLOWED)
    if given.get("dataset", "every") != "every":
        raise DomainError("dataset", given["dataset"], '"every": for identical records there is no certificate')
    names = ("k", "rounds", "categories", "ones", "neighbours", "at_most")
    words = {name: given[name] for name in names if name in given}
    asked = collected(n=given.get("n", 1), q=given.get("q", "1/4"), **words)
    ((once, times),) = asked.kinds
    kind = {name: x for name, x in one_round(once).items() if name != unknown}
    if is_bit(asked):
        return kind
    if unknown == "k":
        name = "rounds" if times > 1 else "categories"
        raise DomainError(name, given[name], "leave it out: k is certified for single bits in one round")
    return {"rounds": [kind | ({"times": times} if times > 1 else {})]}


# --- mechanisms --------------------------------------------------------------------------------------------------


def described(named: Any, ones: Any = None) -> dict[str, Any]:
    """What a question says of a mechanism.

    Args:
        named: the mechanism, as the user gave it.
        ones: of the one dataset that is asked about; None: every dataset.

    Raises:
        DomainError: there is no certificate for such a mechanism, or summing up every dataset would take too long.
    """
    if not isinstance(named, Mechanism):
        raise DomainError("mechanism", named, ALLOWED)
    match named.simplest:
        case NoisyCount() as count:
            return _noisy_count(count)
        case Thresholded() as counted:
            return _threshold(counted)
        case KRandomization() as bits:
            return {**one_round(bits), **({} if ones is None else {"ones": integer(ones, "ones", minimum=0)})}
        case _ if ones is not None:
            raise DomainError("ones", ones, "leave it out: rounds and fleets are certified for all datasets")
        case Fleet() as fleet:  # asymmetric bits are one in simple words
            return _fleet(fleet, named)
        case AsymmetricBits() as bits:
            return _asymmetric_histogram(bits)
        case Sampled(clients=NoisyCount() as count, share=share):
            return {**_noisy_count(count), "share": check.written(share)}
        case Sampled() as clients:
            return _sampled(clients)
        case Shuffle() as shuffle:
            return _shuffled(shuffle)
        case mechanism:
            several = mechanism.kinds
    return {"rounds": [one_round(kind) | ({"times": times} if times > 1 else {}) for kind, times in several]}


def one_round(mechanism: Any) -> dict[str, Any]:
    """What a question says of one round.

    Raises:
        DomainError: there is no certificate for rounds of such a mechanism.
    """
    match mechanism:
        case NoisyCount():
            return _noisy_count(mechanism)
        case Fleet():
            return _fleet(mechanism, mechanism)
        case KRandomization(n=n, q=q, k=k, bits=1):
            return {"n": n, "q": check.written(q), "k": k}
        case UnaryEncoding(n=n, q=q, k=k, categories=categories, at_most=at_most):
            held = {"at_most": at_most} if at_most else {"ones": mechanism.ones} if mechanism.ones > 1 else {}
            shape = {"categories": categories, **held, "neighbours": mechanism.neighbours}
            return {"n": n, "q": check.written(q), "k": k, **shape}
    raise DomainError("mechanism", mechanism, ALLOWED)


def _threshold(mechanism: Thresholded) -> dict[str, Any]:
    if mechanism.noise is not None or mechanism.neighbours != "add-remove" or mechanism.sampled == 1:
        raise DomainError(
            "mechanism", mechanism, "a threshold with sampled < 1, without noise, of records added or removed"
        )
    return {"threshold": mechanism.threshold, "sampled": check.written(mechanism.sampled)}


# --- noise --------------------------------------------------------------------------------------------------------


def _noisy_count(count: NoisyCount) -> dict[str, Any]:
    """The noise, by its weights or by the parameters that give them, and the sensitivity."""
    parts = _parts(count.noise)
    return {"noise": parts[0] if len(parts) == 1 else {"sum": parts}, "sensitivity": count.sensitivity}


def _parts(added: noise.Noise) -> list[dict[str, Any]]:
    """The independent noises of which this one is the sum."""
    match added:
        case noise.Sum(terms=terms):
            return [part for term in terms for part in _parts(term)]
        case noise.Binomial(trials=trials, probability=chance) if trials <= _LONGEST // 2:
            return [{"chance": check.written(chance), "trials": trials}]
        case noise.Geometric(rho=rho, bound=bound) if bound <= _LONGEST // 2:
            return [{**_ratio(rho), "bound": bound}]
        case noise.DiscreteLaplace(rho=rho):
            return [_ratio(rho)]
        case noise.DiscreteGaussian(square=square):
            return [{"square": check.written(square)}]
        case noise.FiniteNoise(pmf=pmf) if len(pmf) <= _LONGEST:
            return [{"weights": [check.written(Fraction(weight)) for weight in pmf.weights]}]
        case noise.Poisson(mean=mean):
            return [{"mean": check.written(mean)}]
        case noise.Skellam(mu_1=first, mu_2=second):
            means = ((first, _ADDED), (second, _TAKEN_AWAY))
            return [{"mean": check.written(mean), **side} for mean, side in means if mean]
        case noise.NegativeBinomial(shape_1=first, shape_2=second, rho=rho):
            shapes = ((first, _ADDED), (second, _TAKEN_AWAY))
            return [{"shape": check.written(shape), **_ratio(rho), **side} for shape, side in shapes if shape]
        case noise.RoundedLaplace(scale=scale):
            return [{"scale": check.written(scale), "rounded": 1}]
        case noise.RoundedGaussian(sigma=sigma):
            return [{"square": check.written(sigma**2), "rounded": 1}]
    raise DomainError("noise", added, "noise of some 20,000 outcomes at most")


def _ratio(rho: Limit) -> dict[str, str]:
    """The ratio of neighbouring weights; its scale where the ratio is e^(-1/scale)."""
    return {"scale" if rho.logarithmic else "ratio": check.written(1 / rho.given)}


# --- fleets -------------------------------------------------------------------------------------------------------


def _fleet(fleet: Fleet, named: Any) -> dict[str, Any]:
    """Groups of people and dummies; ``named`` is what the user gave: asymmetric bits are a fleet, too."""
    reports = sum(group.n * group.k for group in fleet.groups) + sum(one.count for one in fleet.dummies)
    if fleet.hidden or prod(group.n + 1 for group in fleet.groups) * reports > _FLEET:
        raise DomainError("mechanism", named, "a fleet or asymmetric bits with n public and n k up to 800")
    dummies = [{"count": one.count, "chance": check.written(one.probability)} for one in fleet.dummies]
    return {"groups": [_group(group) for group in fleet.groups]} | ({"dummies": dummies} if dummies else {})


def _asymmetric_histogram(bits: AsymmetricBits) -> dict[str, Any]:
    """One group, and how many categories it has."""
    group = bits.group
    if group.n**2 * (group.n * group.k + 1) ** 2 > _TWO_COUNTS:
        raise DomainError("mechanism", bits, "a histogram of asymmetric bits of up to 50 people or so")
    return {"groups": [_group(group)], "categories": bits.categories}


def _group(group: Group) -> dict[str, Any]:
    a, b = group.chances
    return {"n": group.n, "a": check.written(a), "b": check.written(b), "k": group.k}


# --- few people ---------------------------------------------------------------------------------------------------


def _shuffled(shuffle: Shuffle) -> dict[str, Any]:
    """The law of a report for each input; any input may change to any other."""
    rows = merged(shuffle.randomizer.matrix)
    if len(shuffle.randomizer.neighbours) < comb(len(rows), 2):
        raise DomainError("mechanism", shuffle, "a shuffle of which any input may change to any other")
    return _few_people(shuffle.n, rows, lambda n: comb(n + len(rows[0]) - 1, n))


def _sampled(clients: Sampled) -> dict[str, Any]:
    """The law of a client's report for each bit, and what each report adds.

    It adds the ones among its k reports, and 1 to the number of clients, if that is released.
    """
    group, share = clients.group, clients.share
    rows = [[1 - share, *(share * mass for mass in _binomial(a, group.k))] for a in group.own]
    reports = [[0, 0], *([ones, 1] for ones in range(group.k + 1))]
    if not clients.numbered:
        reports = [[ones] for ones, _ in reports]
    found = _few_people(group.n, rows, lambda n: (n * group.k + 1) * (n + 1 if clients.numbered else 1))
    return {**found, "reports": reports}


def _binomial(a: Fraction, k: int) -> list[Fraction]:
    return [comb(k, ones) * a**ones * (1 - a) ** (k - ones) for ones in range(k + 1)]


def _few_people(n: int, rows: Sequence[Sequence[Fraction]], outcomes: Callable[[int], int]) -> dict[str, Any]:
    """The laws of a report and the number of people, if not too many; ``outcomes``: how many n people can show."""
    inputs = len(rows)

    def listed(n: int) -> bool:
        return comb(n + inputs - 2, inputs - 1) * outcomes(n) * inputs * (inputs + len(rows[0])) <= _PEOPLE

    if not listed(n):
        most = last_where(listed, 1, n)
        raise DomainError("n", n, f"at most {most:,} of such people: a certificate sums up every dataset")
    return {"inputs": [[check.written(chance) for chance in row] for row in rows], "people": n}
