r"""Certificates: an answer together with its proof, for a checker that shares no code with the library.

A certificate is a JSON document: a question, the two ends of its answer, and witnesses (``witness``).
``dpcalc/check.py``, which needs only the standard library, proves it or says which step fails. A certificate claims of

*delta*                      that it is at least ``lower`` for one dataset, and at most ``upper`` for all of them;
*epsilon, least q, least n*  that delta is above the target for one dataset at one end, and at most the target for all
                             datasets at the other end; then also beyond, as delta falls (proof notes, 2.2 and 2.3);
*most k*                     the same, at two neighbouring k;
*local q*                    that the closed bound fails at one end and holds at the other.

For rounds and histograms (``composition``) only the end that promises privacy is certified; for delta of rounds of
noise usually both are. Ends that cannot be shown are replaced by wider ones: then ``widened`` is true.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpcalc import check
from dpcalc.certificates.composition import Shown, composed
from dpcalc.certificates.questions import Asked, asked
from dpcalc.certificates.witness import Part, Witnesses
from dpcalc.displayed import Displayed
from dpcalc.errors import DomainError, DpcalcError, Undecided
from dpcalc.families.bits import Bits
from dpcalc.files import check as check_file
from dpcalc.files import write
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.decimal import rounded, telling_digits
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.pairs.family import Progress
from dpcalc.worst.datasets import Dataset

_BITS = (128, 192, 320, 640, 1280)  # precisions of the checker's disks, tried in this order
_FINE = Fraction(1, 10**9)  # relative width of delta where a dataset above the target is looked for
_WIDER = (Fraction(1, 10**15), Fraction(1, 10**12), Fraction(1, 10**9))  # shares by which an end may be moved outward
_FAINT = Fraction(1, 10**300)  # by how much a delta of 0 may be raised if the noise's weights are not whole
_SHOWN, _SHARE = 7, 2  # digits of an end at least, and of how far it is moved


@dataclass(frozen=True, slots=True)
class Certificate(Displayed):
    """An answer and its proof.

    Attributes:
        answer: the library's answer to the question.
        document: the certificate, to be written as JSON.
        lower: the lower end that is proven; None if the certificate has none.
        upper: the upper end.
    """

    answer: Enclosure | Bracket
    document: dict[str, Any] = field(repr=False)
    lower: Fraction | None = field(default=None, repr=False)
    upper: Fraction | None = field(default=None, repr=False)

    @property
    def widened(self) -> bool:
        """Whether an end is a little wider than the answer's."""
        return self.note is not None

    @property
    def ends(self) -> str:
        """Both in decimals, rounded outward."""
        ends = (("at least", self.lower, ROUND_FLOOR), ("at most", self.upper, ROUND_CEILING))
        return ", ".join(f"{words} {check.shown(x, way)}" for words, x, way in ends if x is not None)

    @property
    def note(self) -> str | None:
        """What the certificate proves, if that is less than the answer says."""
        return weaker(self.document["question"]["what"], self.answer, self.lower, self.upper)

    @property
    def text(self) -> str:
        """The document as it is written."""
        return json.dumps(self.document, indent=1) + "\n"

    def write(self, path: str | Path) -> None:
        """Write the document.

        Raises:
            DomainError: the file cannot be written.
        """
        write(check_file(path, "certificate"), self.text.encode(), "certificate")


def weaker(what: str, answer: Enclosure | Bracket, lower: Fraction | None, upper: Fraction | None) -> str | None:
    """What is proven of the question ``what`` by ends some of which lie beyond the answer's; None if none does.

    >>> weaker("delta", Enclosure(Fraction(1, 4), Fraction(1, 2)), None, Fraction(51, 100))
    "delta is at most 0.51, 2 % above the answer's 0.5; it is no proof of a smaller delta"
    """
    found = [
        _beyond(what, answer, proven, own, way)
        for proven, own, way in ((lower, answer.lower, -1), (upper, answer.upper, 1))
        if proven is not None and (proven - own) * way > 0
    ]
    return "; ".join(found) or None


def _beyond(what: str, answer: Enclosure | Bracket, proven: Fraction, own: Fraction, way: int) -> str:
    """One end that is proven, and how far from the answer's own it is."""
    count, side = telling_digits(min(proven, own), max(proven, own), _SHOWN), "above" if way > 0 else "below"
    end, told = (rounded(x, count, way) for x in (proven, own))
    apart = f", {rounded(abs(proven / own - 1) * 100, _SHARE, 1)} % {side}" if own else ","
    if not isinstance(answer, Bracket):
        last = f"; it is no proof of a smaller {what}" if way > 0 else ""
        return f"{what} is at {'most' if way > 0 else 'least'} {end}{apart} the answer's {told}{last}"
    name = what.rpartition("_")[2]
    if answer.holds_above == (way > 0):
        return f"{name} = {end} holds{apart} the answer's {told}; it is no proof at that"
    return f"{name} = {end} fails{apart} the answer's {told}"


def certificate(
    question: Callable[..., Any],
    *arguments: Any,
    answer: Enclosure | Bracket | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Certificate:
    """The answer to a question with its certificate: ``certificate(dp.delta, mechanism, epsilon=1)``.

    Args:
        question: ``delta``, ``epsilon``, ``least_q``, ``least_n``, ``most_k``, ``most_rounds``, or ``local_q`` with its
            closed bound.
        arguments: the question's, about single bits, histograms, counts with noise, rounds of them, thresholds, small
            fleets, or shuffles of few people.
        answer: the question's answer, if it is known already.
        progress: called now and then with the share of the certificate that is found, and with 1 at the end.
        options: the question's other arguments.

    Raises:
        DomainError: there is no certificate for this question, as for large fleets or vectors.
        Undecided: no certificate of nearly this answer was found, or it would take too long to be checked.

    It also raises what the question raises.

    >>> from dpcalc import KRandomization, delta
    >>> proof = certificate(delta, KRandomization(n=3, q="1/4"), lam=2)
    >>> proof.answer.value, proof.document["dataset"]
    (Fraction(9, 64), {'m': 0, 'by': 'sum', 't': 0})
    """
    about = asked(question, arguments, options)
    found = question(*arguments, **options) if answer is None else answer
    if not isinstance(found, Enclosure | Bracket):
        raise DomainError("answer", answer, f"what {question.__name__} returned")
    try:
        ends, witness = _shown(about, found, progress)
    except check.Unproven as step:
        raise Undecided(f"no certificate was found: {step}", Enclosure(found.lower, found.upper)) from step
    shown = {name: check.written(end) for name, end in ends.items()}
    document = {"schema": check.SCHEMA, "question": about.document, "answer": shown, **witness}
    made = Certificate(found, document, **ends)
    accepted, said = check.examined(made.text.encode())
    if not accepted:
        raise Undecided(f"no certificate was found. {said}", Enclosure(found.lower, found.upper))
    if progress:
        progress(1.0)
    return made


def _shown(about: Asked, found: Any, progress: Progress | None) -> Shown:
    """The ends that can be shown, and their witnesses.

    Raises:
        check.Unproven, Undecided: no witnesses were found.
    """
    if "rounds" in about.document:
        return composed(about, found, progress)
    if about.what == "local_q":
        return {"lower": found.lower, "upper": found.upper}, Part(bits=640)
    most = about.what == "most_k"
    fails, holds = (found.upper, found.lower) if most else (found.lower, found.upper)
    one = every = Part(bits=_BITS[0])
    if fails > (about.what == "least_n"):
        fails, one = _moved(about, found, fails, -1)
    if holds < 1 or about.what != "delta":
        holds, every = _moved(about, found, holds, 1)
    lower, upper = (holds, fails) if most else (fails, holds)
    return {"lower": lower, "upper": upper}, {**one, **every, "bits": max(one["bits"], every["bits"])}


def _moved(about: Asked, found: Any, end: Fraction, way: int) -> tuple[Fraction, Part]:
    """An end of the answer found, or one a little further out, and its witness.

    The way is -1 for the end that one dataset shows, 1 for the one that holds for all of them.
    """
    if about.what == "delta":
        spare = (
            end * _WIDER[0] or _FAINT if check.summable(about.at(None)) or found.lower == found.upper else Fraction(0)
        )
        bound, part = _bounded(about, None, end + way * spare, way, getattr(found, "dataset", None))
        check.need(bound <= 2 * end + spare if way > 0 else bound >= 0, "delta is not bounded")
        return (max if way > 0 else min)(end, bound), part
    for share in (0, *_WIDER) if about.unknown in ("q", "epsilon") else (0,):
        x = end * (1 + way * share)
        bound, part = _bounded(about, x, about.target, way)
        if bound <= about.target if way > 0 else bound > about.target:
            return x, part
    raise check.Unproven(f"the target is not shown to {'hold' if way > 0 else 'fail'} at the end")


def _bounded(about: Asked, x: Fraction | None, goal: Fraction, way: int, dataset: Any = None) -> tuple[Fraction, Part]:
    """A bound of delta and its witness, at the least precision with which it reaches the goal; else the best one.

    Args:
        about: the question.
        x: the value of the unknown.
        goal: at least, or at most, that should be shown.
        way: -1 for a lower bound of one dataset, 1 for an upper bound of all of them.
        dataset: that dataset; default: the worst.
    """
    best, asked = (Fraction(way + 1), Part(bits=_BITS[0])), about.at(x)
    for bits in _BITS:
        about.exam.bits, part = bits, Part()
        if check.summable(asked):
            bound = check.bounded(asked, asked) if way > 0 else check.from_below(asked, asked)
        elif way > 0:
            bound, part["blocks"] = Witnesses(check.law_of(asked), goal).covered()
        elif not goal:  # below the local epsilon delta is above 0: no dataset need be named
            bound = Fraction(check.above(asked, asked, goal))
        else:
            dataset, law = dataset or _worst(about, x), check.law_of(asked)
            bound, part["dataset"] = Witnesses(law, goal).attained(_index(law, dataset))
        if (best[0] - bound) * way > 0 or bits == _BITS[0]:
            best = bound, Part(bits=bits, **part)
        if (goal - bound) * way >= 0 and (bound or way > 0):
            break
    return best


def _index(law: check.Law, dataset: Dataset) -> int:
    """The m of a dataset, among those that the checker looks at."""
    m = int(dataset.ones if dataset.value == 0 else law.n - 1 - dataset.ones)
    return m if any(low <= m <= high for low, high in law.ranges) else law.n - 1 - m


def _worst(about: Asked, x: Fraction | None) -> Dataset:
    """A dataset with nearly the largest delta, which should be shown above the target."""
    law, limit = check.law_of(about.at(x)), about.limit(x)
    bits, ones = Bits.symmetric(law.q, law.k, law.n - 1), about.document.get("ones")
    try:
        if ones is None:
            return bits.largest(limit, rtol=_FINE).dataset
        return bits.given(ones).delta(limit, rtol=_FINE).dataset
    except DpcalcError:  # it is too near the target to tell
        return Dataset(law.ranges[0][0], 0)
