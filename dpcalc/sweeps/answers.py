"""The answer to one question of a sweep, a proven value or an error; to JSON and back.

In JSON every end of an enclosure is an exact rational in base 16, "0x9/0x20": Python reads and writes these at any
length.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcalc.errors import DpcalcError, escaped
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.promise import Promise, Words
from dpcalc.sweeps.questions import Call
from dpcalc.version import __version__
from dpcalc.worst.datasets import Dataset, Delta


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One question and its answer.

    Attributes:
        question: what was asked.
        value: the enclosure or bracket that the function returned; None if it raised an error.
        error: the error's name and message, as in ``"NoSolution: ..."``; None if there is a value.
        version: of the dpcalc that answered.
    """

    question: Call
    value: Enclosure | Bracket | None
    error: str | None = None
    version: str = __version__

    def __str__(self) -> str:
        return f"{self.question} = {self.value}" if self.error is None else f"{self.question}: {self.error}"


def answer(question: Call) -> Answer:
    """The answer to a question; dpcalc's own errors are answers, any other exception is raised."""
    try:
        return Answer(question=question, value=question.ask())
    except DpcalcError as error:
        return Answer(question=question, value=None, error=f"{type(error).__name__}: {error}")


# --- JSON ---------------------------------------------------------------------------------------------------------


def written(given: Answer) -> dict[str, Any]:
    """The answer for JSON, exact; ``shown`` is for human readers."""
    asked = {"function": given.question.function, "arguments": dict(given.question.arguments)}
    if given.value is None:
        return {**asked, "error": given.error, "version": given.version}
    kind = _bracket if isinstance(given.value, Bracket) else _enclosure
    return {**asked, "shown": str(given.value), "answer": kind(given.value), "version": given.version}


def read(content: Any) -> Answer:
    """The inverse of ``written``.

    Raises:
        KeyError, TypeError, ValueError, DpcalcError: it is no answer.
    """
    if type(content["function"]) is not str:
        raise TypeError
    asked = Call(content["function"], tuple((name, str(text)) for name, text in content["arguments"].items()))
    if "error" in content:
        return Answer(question=asked, value=None, error=escaped(str(content["error"])), version=str(content["version"]))
    found = content["answer"]
    value = _bracket_of(found) if "at_lower" in found else _enclosure_of(found)
    return Answer(question=asked, value=value, version=str(content["version"]))


def _enclosure(x: Any) -> dict[str, Any]:
    which = {"ones": x.dataset.ones, "value": x.dataset.value} if isinstance(x, Delta) else {}
    words = {**x.words, "rtol": x.rtol and _end(x.rtol)} if isinstance(x, Promise) else {}
    return {"lower": _end(x.lower), "upper": _end(x.upper), **which, **words}


def _enclosure_of(found: Mapping[str, Any]) -> Enclosure:
    lower, upper = _end_of(found["lower"]), _end_of(found["upper"])
    if "proven_for" not in found:
        return Enclosure(lower, upper)
    attained_by, proven_for = (escaped(str(found[name])) for name in ("attained_by", "proven_for"))
    words: Words = {"attained_by": attained_by, "proven_for": proven_for}
    rtol = found["rtol"] and _end_of(found["rtol"])
    if "ones" in found:
        return Delta(lower, upper, Dataset(int(found["ones"]), int(found["value"])), **words, rtol=rtol)
    return Promise(lower, upper, **words, rtol=rtol)


def _bracket(x: Any) -> dict[str, Any]:
    return {
        "lower": _end(x.lower), "upper": _end(x.upper), "holds_above": x.holds_above, "whole": x.whole,
        "at_lower": _enclosure(x.at_lower), "at_upper": _enclosure(x.at_upper), "rtol": x.rtol and _end(x.rtol),
        "target": x.target and _end(x.target),
    }  # fmt: skip


def _bracket_of(found: Mapping[str, Any]) -> Bracket:
    if not type(found["holds_above"]) is type(found["whole"]) is bool:
        raise TypeError
    return Bracket(
        lower=_end_of(found["lower"]), upper=_end_of(found["upper"]), holds_above=found["holds_above"],
        whole=found["whole"],
        at_lower=_enclosure_of(found["at_lower"]), at_upper=_enclosure_of(found["at_upper"]),
        rtol=found["rtol"] and _end_of(found["rtol"]), target=found["target"] and _end_of(found["target"]),
    )  # fmt: skip


def _end(x: Fraction) -> str:
    return f"{x.numerator:#x}/{x.denominator:#x}"


def _end_of(text: str) -> Fraction:
    top, bottom = (int(part, 16) for part in text.split("/"))
    return Fraction(top, bottom)
