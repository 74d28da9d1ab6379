"""Which question does a certificate answer? Its words in the document, and the law at a value of what is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from inspect import signature
from typing import Any

from dpcalc import check
from dpcalc.certificates.witness import Witnesses
from dpcalc.choose.epsilon import epsilon
from dpcalc.choose.least import least_n, least_q, most_k
from dpcalc.choose.local import local_q
from dpcalc.errors import DomainError
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.rational import integer, rational
from dpcalc.numbers.search import logarithm
from dpcalc.privacy.accounted import Accounted
from dpcalc.privacy.delta import delta

__all__ = ["Asked", "asked"]

_NOTHING = -1e12  # the logarithm of 0
_SINGLE = "single-bit records in one round: for others there is no certificate"


def asked(question: Callable[..., Any], arguments: tuple[Any, ...], options: dict[str, Any]) -> Asked:
    """The question of a function with its arguments.

    Raises:
        DomainError: there are no certificates for it; arguments that the function does not take.
    """
    if not any(question is known for known in _QUESTIONS):
        allowed = ", ".join(known.__name__ for known in _QUESTIONS)
        raise DomainError("question", getattr(question, "__name__", question), f"one of {allowed}")
    try:
        given = signature(question).bind(*arguments, **options).arguments
    except TypeError as error:
        raise DomainError("options", options, f"the arguments of {question.__name__} ({error})") from error
    what, unknown, read = _QUESTIONS[question]
    return Asked(what, {"what": what, **read(given)}, unknown)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in the certificate's words, and what it is about.

    Attributes:
        what: its name.
        document: as it is written.
        unknown: the parameter that is solved for.
    """

    what: str
    document: dict[str, Any]
    unknown: str = ""

    @property
    def target(self) -> Fraction:
        """The delta that is aimed at."""
        return check.Entries(self.document).number("delta")

    def at(self, **value: Fraction) -> tuple[check.Law, Limit]:
        """The law and the limit at a value of what is asked for."""
        document = check.Entries(self.document)
        given = {name: document.number(name) for name in ("lam", "epsilon") if name in document}
        limit = Limit.of(**{**given, **{name: x for name, x in value.items() if name == "epsilon"}})
        return check.law_of(document, **value), limit

    def witnesses(self, near: Fraction, **value: Fraction) -> Witnesses:
        """Of the question at such a value."""
        law, limit = self.at(**value)
        return Witnesses(law, limit, logarithm(near) if near else _NOTHING)


def _limit(given: dict[str, Any]) -> dict[str, str]:
    limit = Limit.of(lam=given.get("lam"), epsilon=given.get("epsilon"))
    return {name: check.written(x) for name, x in limit.argument.items()}


def _mechanism(given: dict[str, Any]) -> dict[str, Any]:
    mechanism = given["mechanism"]
    if isinstance(mechanism, Accounted):
        mechanism = mechanism.simplest
    if not isinstance(mechanism, KRandomization) or mechanism.bits > 1:
        raise DomainError("mechanism", mechanism, _SINGLE)
    ones = {} if given.get("ones") is None else {"ones": integer(given["ones"], "ones", minimum=0)}
    return {"n": mechanism.n, "q": check.written(mechanism.q), "k": mechanism.k, **ones}


def _solver(given: dict[str, Any], *names: str) -> dict[str, Any]:
    if integer(given.get("rounds", 1), "rounds", minimum=1) > 1 or given.get("categories") is not None:
        name = "rounds" if given.get("categories") is None else "categories"
        raise DomainError(name, given[name], _SINGLE)
    numbers: dict[str, Any] = {
        name: check.written(rational(given[name], name)) for name in ("q", "delta") if name in given
    }
    return {**{name: integer(given.get(name, 1), name, minimum=1) for name in names}, **numbers, **_limit(given)}


def _closed(given: dict[str, Any]) -> dict[str, Any]:
    if given.get("method", "closed") != "closed":
        raise DomainError("method", given["method"], '"closed": for the others there is no certificate')
    sizes = {name: integer(given.get(name, 1), name, minimum=1) for name in ("n", "k", "bits", "sides")}
    return {**sizes, "sigmas": check.written(rational(given.get("sigmas", 3), "sigmas")), **_limit(given)}


def _spent(given: dict[str, Any]) -> dict[str, Any]:
    return {**_mechanism(given), "delta": check.written(rational(given["delta"], "delta"))}


#: Their names, what they solve for, and how their arguments are read.
_QUESTIONS: dict[Callable[..., Any], tuple[str, str, Callable[[dict[str, Any]], dict[str, Any]]]] = {
    delta: ("delta", "", lambda given: {**_mechanism(given), **_limit(given)}),
    epsilon: ("epsilon", "epsilon", _spent),
    least_q: ("least_q", "q", lambda given: _solver(given, "n", "k")),
    least_n: ("least_n", "n", lambda given: _solver(given, "k")),
    most_k: ("most_k", "k", lambda given: _solver(given, "n")),
    local_q: ("local_q", "q", _closed),
}
