"""Which question does a certificate answer? Its words in the document, and the law at a value of what is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from inspect import signature
from typing import Any

from dpcalc import check
from dpcalc.certificates import fleets, reports
from dpcalc.certificates.noise import described
from dpcalc.certificates.witness import Witnesses
from dpcalc.choose.deployment import Deployment
from dpcalc.errors import DomainError
from dpcalc.mechanisms.asymmetric import AsymmetricBits
from dpcalc.mechanisms.fleet import Fleet
from dpcalc.mechanisms.mechanism import Mechanism
from dpcalc.mechanisms.noisy_count import NoisyCount
from dpcalc.mechanisms.response import KRandomization
from dpcalc.mechanisms.sampled import Sampled
from dpcalc.mechanisms.shuffle import Shuffle
from dpcalc.mechanisms.thresholded import Thresholded
from dpcalc.mechanisms.unary import UnaryEncoding
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.rational import integer, rational
from dpcalc.questions import CERTIFICATE, QUESTIONS, Question
from dpcalc.registered import registered

#: What a document says of the arguments of a question.
Reading = Callable[[dict[str, Any]], dict[str, Any]]

_CERTIFIED = (
    "single bits and histograms flipped with one q, noisy counts, rounds of them, thresholds, small fleets, "
    "few people: "
    "for others there is no certificate"
)


def asked(question: Callable[..., Any], arguments: tuple[Any, ...], options: dict[str, Any]) -> Asked:
    """The question of a function with its arguments.

    Raises:
        DomainError: there are no certificates for it; arguments that the function does not take.
    """
    rows = [row for row in QUESTIONS if CERTIFICATE in row.arguments]
    questions: dict[Callable[..., Any], Reading] = {row.call: partial(_read, row) for row in rows}
    questions |= registered("CERTIFIED")
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
        kinds: what is run, and how many times each; none where no mechanism is given.
    """

    what: str
    document: dict[str, Any]
    unknown: str = ""
    kinds: tuple[tuple[Mechanism, int], ...] = ()

    @property
    def target(self) -> Fraction:
        """The delta that is aimed at."""
        return check.Entries(self.document).number("delta")

    @property
    def composed(self) -> bool:
        """Whether it is about rounds, or a histogram."""
        return "rounds" in self.document

    def at(self, x: Fraction | None) -> check.Entries:
        """The question at a value of what it asks for; None where nothing is solved for."""
        document = check.Entries(self.document)
        return document if x is None else check.at(document, self.unknown, x)

    def limit(self, x: Fraction | None) -> Limit:
        """Its lambda or epsilon there."""
        asked = self.at(x)
        return Limit.of(**{name: asked.number(name) for name in ("lam", "epsilon") if name in asked})

    def law(self, x: Fraction | None) -> check.Law:
        """Single bits there, as the checker reads them."""
        return check.law_of(self.at(x))

    def witnesses(self, near: Fraction, x: Fraction | None) -> Witnesses:
        """Of single bits there."""
        return Witnesses(self.law(x), self.limit(x), near)


def limit_given(given: dict[str, Any]) -> dict[str, str]:
    """lambda or epsilon, as it is written."""
    limit = Limit.of(lam=given.get("lam"), epsilon=given.get("epsilon"))
    return {name: check.written(x) for name, x in limit.argument.items()}


def _read(row: Question, given: dict[str, Any]) -> dict[str, Any]:
    """What is asked about, and the target."""
    if row.answer == "rounds":
        about: dict[str, Any] = {"rounds": [_kind(given["mechanism"])]}
    else:
        about = _mechanism(given) if row.mechanism else _solver(given, row.answer)
    target = {"delta": check.written(rational(given["delta"], "delta"))} if "delta" in row.own else {}
    return {**about, **target, **(limit_given(given) if "lam" in row.own else {})}


def _mechanism(given: dict[str, Any]) -> dict[str, Any]:
    named, ones = given["mechanism"], given.get("ones")
    if not isinstance(named, Mechanism):
        raise DomainError("mechanism", named, _CERTIFIED)
    match named.simplest:
        case NoisyCount() as count:
            return described(count)
        case Thresholded() as hidden:
            return _hidden(hidden)
        case KRandomization() as bits:
            return {**_kind(bits), **({} if ones is None else {"ones": integer(ones, "ones", minimum=0)})}
        case _ if ones is not None:
            raise DomainError("ones", ones, "leave it out: rounds and fleets are certified for all datasets")
        case Fleet() as fleet:  # asymmetric bits are one in simple words
            return fleets.described(fleet, named)
        case AsymmetricBits() as bits:
            return fleets.histogram(bits)
        case Sampled(clients=NoisyCount() as count, share=share):
            return {**described(count), "share": check.written(share)}
        case Sampled() as clients:
            return reports.sampled(clients)
        case Shuffle() as shuffle:
            return reports.shuffled(shuffle)
        case mechanism:
            several = mechanism.kinds
    return {"rounds": [_kind(kind) | ({"times": times} if times > 1 else {}) for kind, times in several]}


def _hidden(mechanism: Thresholded) -> dict[str, Any]:
    """A threshold that sampled clients reach."""
    if mechanism.noise is not None or mechanism.neighbours != "add-remove" or mechanism.sampled == 1:
        raise DomainError(
            "mechanism", mechanism, "a threshold with sampled < 1, without noise, of records added or removed"
        )
    return {"threshold": mechanism.threshold, "sampled": check.written(mechanism.sampled)}


def _kind(mechanism: Any) -> dict[str, Any]:
    """One round."""
    match mechanism:
        case NoisyCount():
            return described(mechanism)
        case Fleet():
            return fleets.described(mechanism, mechanism)
        case KRandomization(n=n, q=q, k=k, bits=1):
            return {"n": n, "q": check.written(q), "k": k}
        case UnaryEncoding(n=n, q=q, k=k, categories=categories, at_most=at_most):
            held = {"at_most": at_most} if at_most else {"ones": mechanism.ones} if mechanism.ones > 1 else {}
            shape = {"categories": categories, **held, "neighbours": mechanism.neighbours}
            return {"n": n, "q": check.written(q), "k": k, **shape}
    raise DomainError("mechanism", mechanism, _CERTIFIED)


def _solver(given: dict[str, Any], unknown: str) -> dict[str, Any]:
    if integer(given.get("bits", 1), "bits", minimum=1) > 1:
        raise DomainError("bits", given["bits"], _CERTIFIED)
    if given.get("dataset", "every") != "every":
        raise DomainError("dataset", given["dataset"], '"every": for identical records there is no certificate')
    names = ("k", "rounds", "categories", "ones", "neighbours", "at_most")
    asked = Deployment.of(**{name: given[name] for name in names if name in given})
    once = asked.once(given.get("n", 1), given.get("q", "1/4"))
    kind = {name: x for name, x in _kind(once).items() if name != unknown}
    if not asked.single_bit and unknown == "k":
        name = "rounds" if asked.rounds > 1 else "categories"
        raise DomainError(name, given[name], "leave it out: k is certified for single bits in one round")
    if not asked.single_bit:
        kind = {"rounds": [kind | ({"times": asked.rounds} if asked.rounds > 1 else {})]}
    return kind
