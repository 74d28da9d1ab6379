"""The question that a certificate answers: how the document says it, and what it is at a value of the unknown.

A mechanism is described by its parameters, and refused if the checker would take too long.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from inspect import signature
from math import comb, prod
from typing import Any

from dpcalc import check
from dpcalc.choose.collected import collected, is_bit
from dpcalc.errors import DomainError
from dpcalc.laws.parts import Coins, Finite, Gaussian, NegativeBinomialPart, PoissonPart, SumOfParts
from dpcalc.laws.shares import SharesLaw
from dpcalc.laws.symmetric import LaplaceLaw, RoundedGaussianLaw, RoundedLaplaceLaw, Truncated
from dpcalc.local.solvers import local_q
from dpcalc.mechanisms.fleet import Fleet
from dpcalc.mechanisms.mechanism import Mechanism
from dpcalc.mechanisms.noisy_count import NoisyCount, Thresholded
from dpcalc.mechanisms.response import Group, KRandomization
from dpcalc.mechanisms.sampled import Sampled
from dpcalc.mechanisms.shuffle import Shuffle
from dpcalc.mechanisms.stochastic import merged
from dpcalc.mechanisms.unary import AsymmetricBits, UnaryEncoding
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.rational import integer, rational
from dpcalc.numbers.search import last_where
from dpcalc.questions import CERTIFICATE, QUESTIONS, Question

_LONGEST = 20_000  # outcomes of a noise
_LOOKED_FOR = 8  # the search may do so many times the work that the checker does at most
#: Steps of the checker, which sums up every dataset: masses of all laws of a fleet; of two counts; terms of few people.
_FLEET, _TWO_COUNTS, _PEOPLE = 700_000, 7_000_000, 30_000_000
ALLOWED = (
    "single bits and histograms flipped with one q, noisy counts, rounds of them, thresholds, small fleets, "
    "few people: for others there is no certificate"
)


def asked(question: Callable[..., Any], arguments: tuple[Any, ...], options: dict[str, Any]) -> Asked:
    """The question that a function of the library answers, with its arguments.

    Raises:
        DomainError: there is no certificate for it, or the function does not take these arguments.
    """
    rows = [row for row in QUESTIONS if CERTIFICATE in row.arguments]
    row = next((row for row in rows if row.call is question), None)
    if row is None and question is not local_q:
        allowed = ", ".join([*(row.function for row in rows), local_q.__name__])
        raise DomainError("question", getattr(question, "__name__", question), f"one of {allowed}")
    what = question.__name__
    try:
        given = signature(question).bind(*arguments, **options).arguments
    except TypeError as error:
        raise DomainError("options", options, f"the arguments of {what} ({error})") from error
    document = {"what": what, **(_read(row, given) if row else _local(given))}
    _, unknown, _ = check.QUESTIONS[what]
    kinds = given["mechanism"].simplest.kinds if "mechanism" in given else ()
    return Asked(what, document, unknown, tuple((_either_way(kind), times) for kind, times in kinds))


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in the certificate's words, and what it is about.

    Attributes:
        what: its name.
        document: as it is written.
        unknown: the parameter that is solved for.
        kinds: pairs of a mechanism and how many times it is run; empty where no mechanism is given.
        exam: the precision with which a proof is looked for, and the work that this may take.
    """

    what: str
    document: dict[str, Any]
    unknown: str = ""
    kinds: tuple[tuple[Mechanism, int], ...] = ()
    exam: check.Exam = field(default_factory=lambda: check.Exam(most=_LOOKED_FOR * check.WORK))

    @property
    def target(self) -> Fraction:
        """The promised delta."""
        return self.at(None).number("delta")

    def at(self, x: Fraction | None) -> check.Entries:
        """The question at a value of the unknown; None where nothing is solved for."""
        document = check.Entries(self.exam, self.document)
        return document if x is None else check.at(document, self.unknown, x)

    def limit(self, x: Fraction | None) -> Limit:
        """Its lambda or epsilon at that value."""
        asked = self.at(x)
        return Limit.of(**{name: asked.number(name) for name in ("lam", "epsilon") if name in asked})


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
    named = next((x for x in given.values() if isinstance(x, Mechanism)), None)
    asked = named or collected(n=given.get("n", 1), q=given.get("q", "1/4"), **words)
    known = [{name: x for name, x in one_round(one).items() if name != unknown} for one, _ in asked.kinds]
    if is_bit(asked):
        return known[0]
    if unknown == "k":
        name = "rounds" if "rounds" in given else "categories" if "categories" in given else "n"
        raise DomainError(name, given[name], "leave it out: k is certified for single bits in one round")
    return {"rounds": [one | _times(times) for one, (_, times) in zip(known, asked.kinds, strict=True)]}


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
        case KRandomization() as bits:
            return {**one_round(bits), **({} if ones is None else {"ones": integer(ones, "ones", minimum=0)})}
        case NoisyCount() | Fleet() as one if ones is None:
            return one_round(one)
        case Thresholded(threshold=threshold, sampled=sampled) as counted if ones is None:
            if counted.noise is not None or counted.neighbours != "add-remove" or sampled == 1:
                allowed = "a threshold with sampled < 1, without noise, of records added or removed"
                raise DomainError("mechanism", counted, allowed)
            return {"threshold": threshold, "sampled": check.written(sampled)}
        case AsymmetricBits(group=group) as bits if ones is None:
            if group.n**2 * (group.n * group.k + 1) ** 2 > _TWO_COUNTS:
                raise DomainError("mechanism", bits, "a histogram of asymmetric bits of up to 50 people or so")
            return {"groups": [_group(group)], "categories": bits.categories}
        case Sampled(clients=NoisyCount() as count, share=share) if ones is None:
            return {**one_round(count), "share": check.written(share)}
        case Sampled() as clients if ones is None:
            return _sampled(clients)
        case Shuffle() as shuffle if ones is None:
            return _shuffled(shuffle)
        case mechanism if ones is None:
            return {"rounds": [one_round(kind) | _times(times) for kind, times in mechanism.kinds]}
    raise DomainError("ones", ones, "leave it out: only single bits in one round have a certificate with it")


def _times(times: int) -> dict[str, int]:
    """How many such rounds there are, if several."""
    return {"times": times} if times > 1 else {}


def _either_way(mechanism: Mechanism) -> Mechanism:
    """Of a deleted histogram of asymmetric bits its one count, which may change in either direction: it shows more."""
    if isinstance(mechanism, AsymmetricBits) and mechanism.changed == 1:
        return Fleet([mechanism.group])
    return mechanism


def one_round(mechanism: Any) -> dict[str, Any]:
    """What a question says of one round.

    Raises:
        DomainError: there is no certificate for rounds of such a mechanism.
    """
    mechanism = _either_way(mechanism)
    match mechanism:
        case NoisyCount(sensitivity=sensitivity):
            parts = _parts(mechanism.noise.law)
            return {"noise": parts[0] if len(parts) == 1 else {"sum": parts}, "sensitivity": sensitivity}
        case Fleet(groups=groups, dummies=dummies):
            reports = sum(group.n * group.k for group in groups) + sum(one.count for one in dummies)
            if mechanism.hidden or prod(group.n + 1 for group in groups) * reports > _FLEET:
                allowed = "a fleet or asymmetric bits with n public and n k up to 800"
                raise DomainError("mechanism", mechanism, allowed)
            nobody = [{"count": one.count, "chance": check.written(one.probability)} for one in dummies]
            return {"groups": [_group(group) for group in groups]} | ({"dummies": nobody} if dummies else {})
        case KRandomization(n=n, q=q, k=k, bits=1):
            return {"n": n, "q": check.written(q), "k": k}
        case UnaryEncoding(n=n, q=q, k=k, categories=categories, at_most=at_most):
            held = {"at_most": at_most} if at_most else {"ones": mechanism.ones} if mechanism.ones > 1 else {}
            shape = {"categories": categories, **held, "neighbours": mechanism.neighbours}
            return {"n": n, "q": check.written(q), "k": k, **shape}
    raise DomainError("mechanism", mechanism, ALLOWED)


def _parts(law: Any) -> list[dict[str, Any]]:
    """The independent parts of a law, wherever they lie on the integers."""
    match law:
        case SumOfParts(parts=parts):
            return [stated for part in parts for stated in _parts(part)]
        case SharesLaw(shape=shape, rho=rho):
            return [{"shape": check.written(shape), **_ratio(rho), **side} for side in ({}, {"minus": 1})]
        case NegativeBinomialPart(shape=shape, rho=rho, sign=sign):
            return [{"shape": check.written(shape), **_ratio(rho)} | ({"minus": 1} if sign < 0 else {})]
        case PoissonPart(mean=mean, sign=sign):
            return [{"mean": check.written(mean)} | ({"minus": 1} if sign < 0 else {})]
        case Coins(trials=trials, chance=chance) if trials <= _LONGEST // 2:
            return [{"chance": check.written(chance), "trials": trials}]
        case Finite(pmf=pmf) if len(pmf) <= _LONGEST:
            return [{"weights": [check.written(Fraction(weight)) for weight in pmf.weights]}]
        case Truncated(rho=rho, bound=bound) if bound <= _LONGEST // 2:
            return [{**_ratio(rho), "bound": bound}]
        case RoundedLaplaceLaw(rho=rho):
            return [{**_ratio(rho), "rounded": 1}]
        case RoundedGaussianLaw(sigma=sigma):
            return [{"square": check.written(sigma**2), "rounded": 1}]
        case Gaussian(square=square):
            return [{"square": check.written(square)}]
        case LaplaceLaw(rho=rho) if not isinstance(law, Truncated):
            return [_ratio(rho)]
    raise DomainError("noise", law, "noise of some 20,000 outcomes at most")


def _ratio(rho: Limit) -> dict[str, str]:
    """The ratio of neighbouring weights; its scale where the ratio is e^(-1/scale)."""
    return {"scale" if rho.logarithmic else "ratio": check.written(1 / rho.given)}


def _group(group: Group) -> dict[str, Any]:
    a, b = group.chances
    return {"n": group.n, "a": check.written(a), "b": check.written(b), "k": group.k}


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
    n, k, share, numbered = clients.group.n, clients.group.k, clients.share, clients.numbered
    chances = [[comb(k, ones) * a**ones * (1 - a) ** (k - ones) for ones in range(k + 1)] for a in clients.group.own]
    rows = [[1 - share, *(share * x for x in row)] for row in chances]
    reports = [[0, 0], *([ones, 1] for ones in range(k + 1))]
    found = _few_people(n, rows, lambda n: (n * k + 1) * (n * numbered + 1))
    return {**found, "reports": reports if numbered else [report[:1] for report in reports]}


def _few_people(n: int, rows: Sequence[Sequence[Fraction]], outcomes: Callable[[int], int]) -> dict[str, Any]:
    """The laws of a report and the number of people, if not too many; ``outcomes``: how many n people can show."""
    inputs = len(rows)

    def listed(n: int) -> bool:
        return comb(n + inputs - 2, inputs - 1) * outcomes(n) * inputs * (inputs + len(rows[0])) <= _PEOPLE

    if not listed(n):
        most = last_where(listed, 1, n)
        raise DomainError("n", n, f"at most {most:,} of such people: a certificate sums up every dataset")
    return {"inputs": [[check.written(chance) for chance in row] for row in rows], "people": n}
