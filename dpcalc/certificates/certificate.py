r"""Certificates: an answer together with what proves it, to be checked by a program that shares nothing with this one.

A certificate is a JSON document with a question, the two ends of its answer, and the witnesses of ``witness``;
``dpcalc/check.py``, which needs the standard library only, proves it or says which step fails. What it says is

*delta*                      at least ``lower`` for one dataset, at most ``upper`` for all of them;
*epsilon, least q, least n*  above the target at one end for one dataset, at most the target at the other end for all,
                             and so beyond it, as delta falls in each of them (proof notes, 2.2 and 2.3);
*most k*                     the same, of two neighbours;
*local q*                    the closed bound fails at one end and holds at the other.

Of rounds and histograms (``composition``) the end that promises something is shown alone. The ends are the answer's
own, or a little wider ones where those cannot be shown: then ``widened`` says so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from pathlib import Path
from threading import Lock
from typing import Any

from dpcalc import check
from dpcalc.certificates.composition import Shown, composed
from dpcalc.certificates.questions import Asked, asked
from dpcalc.certificates.witness import Covered, Part, Witnesses
from dpcalc.displayed import Displayed
from dpcalc.errors import DomainError, DpcalcError, Undecided
from dpcalc.files import check as check_file
from dpcalc.files import write
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.pairs.family import Progress
from dpcalc.worst.branch_and_bound import settled
from dpcalc.worst.datasets import Datasets

_BITS = (128, 192, 320, 640, 1280)  # of the checker's disks, one after the other
_APART = Fraction(1, 10**5)  # an answer narrower than this has its worst dataset in a block of its own
_FINE = Fraction(1, 10**9)
_WIDER = (Fraction(1, 10**15), Fraction(1, 10**12), Fraction(1, 10**9))  # by which an end is moved outward at most
_FAINT = Fraction(1, 10**300)  # the same of a delta that is 0, where weights are not whole
_LOOKED_FOR = 8  # times as much work as the checker does at most
_DISKS = Lock()  # the checker's precision and meter are one for all


@dataclass(frozen=True, slots=True)
class Certificate(Displayed):
    """An answer and its proof.

    Attributes:
        answer: what the question gave.
        document: the certificate, to be written as JSON.
    """

    answer: Enclosure | Bracket
    document: dict[str, Any] = field(repr=False)

    @property
    def lower(self) -> Fraction | None:
        """What is proven to be a lower end; None where nothing is said of it."""
        return self._end("lower")

    @property
    def upper(self) -> Fraction | None:
        """What is proven to be an upper end; None where nothing is said of it."""
        return self._end("upper")

    @property
    def widened(self) -> bool:
        """Whether these ends are a little wider than the answer's."""
        lower, upper = self.lower, self.upper
        return bool(lower is not None and lower < self.answer.lower) or bool(
            upper is not None and upper > self.answer.upper
        )

    def _end(self, name: str) -> Fraction | None:
        answer = check.Entries(self.document["answer"])
        return answer.number(name) if name in answer else None

    @property
    def ends(self) -> str:
        """Both in decimals, rounded outward."""
        ways = {"lower": ("at least", ROUND_FLOOR), "upper": ("at most", ROUND_CEILING)}
        ends = ((words, way, self._end(end)) for end, (words, way) in ways.items())
        return ", ".join(f"{words} {check.shown(x, way)}" for words, way, x in ends if x is not None)

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
        arguments: those of the question, about single bits, histograms, counts with noise, rounds of them, thresholds,
            small fleets, or shuffles of few people.
        answer: what the question gave, if it has been asked.
        progress: called now and then with the share of the certificate that is found, and with 1 at the end.
        options: the question's other arguments.

    Raises:
        DomainError: another question, or one about large fleets or vectors, say.
        Undecided: no certificate of nearly this answer was found, or it would take too long to be checked.

    And whatever the question raises.

    >>> from dpcalc.mechanisms.response import KRandomization
    >>> from dpcalc.privacy.delta import delta
    >>> proof = certificate(delta, KRandomization(n=3, q="1/4"), lam=2)
    >>> proof.answer.value, proof.document["dataset"]
    (Fraction(9, 64), {'m': 0, 'by': 'sum', 't': 0})
    """
    about = asked(question, arguments, options)
    found = question(*arguments, **options) if answer is None else answer
    if not isinstance(found, Enclosure | Bracket):
        raise DomainError("answer", answer, f"what {question.__name__} returned")
    with _DISKS:
        before, unlimited = check.Disk.bits, check.Meter.most
        check.Meter.spent, check.Meter.most = 0, _LOOKED_FOR * check.WORK
        try:
            ends, witness = _shown(about, found, progress)
        except check.Unproven as step:
            raise Undecided(f"no certificate was found: {step}", Enclosure(found.lower, found.upper)) from step
        finally:
            check.Disk.bits, check.Meter.most = before, unlimited
        answer_part = {name: check.written(end) for name, end in ends.items()}
        made = Certificate(
            found, {"schema": check.SCHEMA, "question": about.document, "answer": answer_part, **witness}
        )
        if check.Meter.spent > check.WORK and not check.examined(made.text.encode())[0]:
            raise Undecided("its certificate would take too long to be checked", Enclosure(found.lower, found.upper))
        if progress:
            progress(1.0)
        return made


def _shown(about: Asked, found: Any, progress: Progress | None) -> Shown:
    """The ends that can be shown, and their witnesses."""
    if about.composed:
        return composed(about, found, progress)
    if about.what == "local_q":
        return {"lower": found.lower, "upper": found.upper}, Part(bits=640)
    if check.summable(check.Entries(about.document)):
        return _summed(about, found)
    return _delta(about, found) if about.what == "delta" else _solved(about, found)


def _summed(about: Asked, found: Any) -> Shown:
    """What is summed up exactly: no witness, and as many bits of e^epsilon as the ends need."""
    for bits in _BITS:
        check.Disk.bits, part = bits, Part(bits=bits)
        if about.what == "delta":
            asked = about.at(None)
            lower, upper = check.from_below(asked, asked), check.bounded(asked, asked)
            ends = {"lower": min(found.lower, lower), "upper": max(found.upper, upper)}
            wider = found.upper * _WIDER[0] or _FAINT
            if ends["upper"] - ends["lower"] <= found.upper - found.lower + wider:
                return ends, part
            continue
        target = about.target
        fails = (x for x in _outward(about, found.lower, -1) if not x or check.above(about.at(x), about.at(x), target))
        holds = (x for x in _outward(about, found.upper, 1) if check.bounded(about.at(x), about.at(x)) <= target)
        lowest, highest = next(fails, None), next(holds, None)
        if lowest is not None and highest is not None:
            return {"lower": lowest, "upper": highest}, part
    raise Undecided("no certificate was found", Enclosure(found.lower, found.upper))


def _delta(about: Asked, found: Any) -> Shown:
    lower, upper, part = found.lower, found.upper, Part(bits=_BITS[0])
    starts, exact = tuple[int, ...](), lower == upper
    if lower > 0:
        law = about.law(None)
        m = _index(law, found.dataset)
        part["bits"], (best, part["dataset"]) = _lower(about, None, m, lower, strict=False, exact=exact)
        lower = min(lower, best)
        if "ones" not in about.document and upper - lower < lower * _APART:
            starts = (m, m + 1)
    if not upper:
        part["bits"], part["blocks"] = next(_silent(about, None), (0, []))
    elif upper < 1:
        bits, shown = _upper(about, None, upper, near=found.upper, starts=starts, exact=exact)
        upper, part["bits"], part["blocks"] = max(upper, shown.top), max(bits, part["bits"]), shown.blocks
    if lower < 0 or upper > 2 * found.upper or not part["bits"]:
        raise Undecided("no certificate was found", Enclosure(found.lower, found.upper))
    return {"lower": lower, "upper": upper}, part


def _index(law: check.Law, dataset: Any) -> int:
    """The m of a dataset, among those that are looked at."""
    m = int(dataset.ones if dataset.value == 0 else law.n - 1 - dataset.ones)
    return m if any(low <= m <= high for low, high in law.ranges) else law.n - 1 - m


def _lower(
    about: Asked, x: Fraction | None, m: int, goal: Fraction, *, strict: bool, exact: bool = False
) -> tuple[int, Any]:
    """delta_m from below, with as many bits as the goal takes."""
    best: tuple[int, Any] = (_BITS[0], (Fraction(-1), Part()))
    for bits, witnesses in _tries(about, goal, x, exact):
        best = max(best, (bits, witnesses.attained(m, goal)), key=lambda found: found[1][0])
        if best[1][0] > goal or (best[1][0] == goal and not strict):
            break
    return best


def _upper(
    about: Asked,
    x: Fraction | None,
    goal: Fraction,
    *,
    near: Fraction,
    starts: tuple[int, ...] = (),
    exact: bool = False,
) -> tuple[int, Covered]:
    """All delta_m from above, with as many bits as the goal takes."""
    best = _BITS[0], Covered(Fraction(2), [], 0)
    for bits, witnesses in _tries(about, near, x, exact):
        best = min(best, (bits, witnesses.covered(goal, starts=starts)), key=lambda found: found[1].top)
        if best[1].top <= goal:
            break
    return best


def _tries(about: Asked, near: Fraction, x: Fraction | None, exact: bool) -> Iterator[tuple[int, Witnesses]]:
    """Witnesses at more and more bits; long sums come last, and first where the answer is exact."""
    for bits, sums in [(_BITS[0], True)] * exact + [(bits, False) for bits in _BITS] + [(_BITS[0], True)] * (not exact):
        check.Disk.bits = bits
        yield bits, replace(about.witnesses(near, x), sums=sums)


def _solved(about: Asked, found: Any) -> Shown:
    lower, upper, part = found.lower, found.upper, Part(bits=_BITS[0])
    most = about.what == "most_k"
    fails, holds = (upper, lower) if most else (lower, upper)
    if fails > (about.what == "least_n"):
        fails, part["bits"], shown = next(_failing(about, fails), (Fraction(0), 0, None))
        if shown is None:
            raise Undecided("no certificate was found for the end that fails", Enclosure(lower, upper))
        part |= {"dataset": shown} if shown else {}
    holds, bits, part["blocks"] = next(_holding(about, holds), (Fraction(0), 0, None))
    if part["blocks"] is None:
        raise Undecided("no certificate was found for the end that holds", Enclosure(lower, upper))
    part["bits"] = max(bits, part["bits"])
    lower, upper = (holds, fails) if most else (fails, holds)
    return {"lower": lower, "upper": upper}, part


def _outward(about: Asked, x: Fraction, way: int) -> Iterator[Fraction]:
    """An end, and ends a little further out where they may be moved."""
    yield x
    if about.unknown in ("q", "epsilon"):
        for share in _WIDER:
            yield x * (1 + way * share)


def _failing(about: Asked, end: Fraction) -> Iterator[tuple[Fraction, int, Part]]:
    for x in _outward(about, end, -1):
        if not about.target:  # delta is above 0 below the local epsilon
            for law, bits in _sharper(about, x):
                if check.odds(law)[0] > law.most:
                    yield x, bits, Part()
            continue
        bits, (best, part) = _lower(about, x, _above(about, x), about.target, strict=True)
        if best > about.target:
            yield x, bits, part


def _holding(about: Asked, end: Fraction) -> Iterator[tuple[Fraction, int, list[Part]]]:
    for x in _outward(about, end, 1):
        if not about.target:
            yield from ((x, bits, blocks) for bits, blocks in _silent(about, x))
            continue
        bits, shown = _upper(about, x, about.target, near=about.target)
        if shown.top <= about.target:
            yield x, bits, shown.blocks


def _silent(about: Asked, x: Fraction | None) -> Iterator[tuple[int, list[Part]]]:
    """Blocks where no outcome shows a ratio above lambda: delta is 0."""
    for law, bits in _sharper(about, x):
        if check.odds(law)[1] <= law.least:
            yield bits, about.witnesses(Fraction(0), x).covered(Fraction(0)).blocks


def _sharper(about: Asked, x: Fraction | None) -> Iterator[tuple[check.Law, int]]:
    for bits in _BITS:
        check.Disk.bits = bits
        yield about.law(x), bits


def _above(about: Asked, x: Fraction) -> int:
    """The dataset with the largest delta, about: it is to be above the target."""
    law, limit = about.law(x), about.limit(x)
    datasets = Datasets(law.q, law.k, law.n - 1)
    try:
        if "ones" in about.document:
            return _index(law, datasets.one(about.document["ones"], limit, rtol=_FINE).dataset)
        return _index(law, settled(datasets, limit, about.target, rtol=_FINE).dataset)
    except DpcalcError:  # where it is too near the target to tell
        return law.ranges[0][0]
