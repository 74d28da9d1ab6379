"""The question that a certificate answers: how the document says it, and what it is at a value of the unknown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from inspect import signature
from typing import Any

from dpcalc import check
from dpcalc.certificates.described import ALLOWED, described, one_round
from dpcalc.choose.deployment import Deployment
from dpcalc.errors import DomainError
from dpcalc.local.bound import local_q
from dpcalc.mechanisms.mechanism import Mechanism
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.rational import integer, rational
from dpcalc.questions import CERTIFICATE, QUESTIONS, Question

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


def limit_given(given: dict[str, Any]) -> dict[str, str]:
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
    return {**about, **target, **(limit_given(given) if "lam" in row.own else {})}


def _local(given: dict[str, Any]) -> dict[str, Any]:
    """What it says of the notes' local bound: the closed form, for all records 1."""
    if given.get("dataset", "all-ones") != "all-ones":
        raise DomainError("dataset", given["dataset"], '"all-ones": for every dataset there is no certificate')
    if given.get("method") not in (None, "closed"):
        raise DomainError("method", given["method"], '"closed": for the others there is no certificate')
    sizes = {name: integer(given.get(name, 1), name, minimum=1) for name in ("n", "k", "bits", "sides")}
    return {**sizes, "sigmas": check.written(rational(given.get("sigmas", 3), "sigmas")), **limit_given(given)}


def _deployment(given: dict[str, Any], unknown: str) -> dict[str, Any]:
    """What is run, without the parameter that is solved for."""
    if integer(given.get("bits", 1), "bits", minimum=1) > 1:
        raise DomainError("bits", given["bits"], ALLOWED)
    if given.get("dataset", "every") != "every":
        raise DomainError("dataset", given["dataset"], '"every": for identical records there is no certificate')
    names = ("k", "rounds", "categories", "ones", "neighbours", "at_most")
    asked = Deployment.of(**{name: given[name] for name in names if name in given})
    once = asked.once(given.get("n", 1), given.get("q", "1/4"))
    kind = {name: x for name, x in one_round(once).items() if name != unknown}
    if asked.single_bit:
        return kind
    if unknown == "k":
        name = "rounds" if asked.rounds > 1 else "categories"
        raise DomainError(name, given[name], "leave it out: k is certified for single bits in one round")
    return {"rounds": [kind | ({"times": asked.rounds} if asked.rounds > 1 else {})]}
