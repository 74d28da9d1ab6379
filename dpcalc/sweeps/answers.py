"""The answer to one question of a sweep, a proven value or an error; to JSON and back.

In JSON every end of an enclosure is an exact rational in base 16, "0x9/0x20": Python reads and writes these at any
length.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from inspect import getmro
from typing import Any

from dpcalc.errors import DpcalcError, escaped
from dpcalc.numbers.bracket import Bracket, Witness
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.promise import Promise
from dpcalc.sweeps.questions import Call
from dpcalc.version import __version__
from dpcalc.worst.datasets import Dataset, Delta

#: What an answer is made of.
_KINDS: dict[str, Any] = {kind.__name__: kind for kind in (Enclosure, Promise, Delta, Dataset, Bracket, Witness)}
_TYPES = {kind.__name__: kind for kind in (Fraction, bool, int, str, *_KINDS.values())}
_END = re.compile("-?0x[0-9a-f]+/0x[0-9a-f]+")


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
    return {**asked, "shown": str(given.value), "answer": _plain(given.value), "version": given.version}


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
    return Answer(question=asked, value=_made(content["answer"]), version=str(content["version"]))


def _plain(x: Any) -> Any:
    """For JSON: a dataclass as an object of its kind and fields, a fraction in base 16, all else as it is."""
    if isinstance(x, Fraction):
        return f"{x.numerator:#x}/{x.denominator:#x}"
    if not is_dataclass(x):
        return x
    kind = next(kind for kind in getmro(type(x)) if kind.__name__ in _KINDS)
    return {"kind": kind.__name__, **{one.name: _plain(getattr(x, one.name)) for one in fields(kind)}}


def _made(found: Any) -> Any:
    """The inverse of ``_plain``."""
    if isinstance(found, str):
        return Fraction(*(int(part, 16) for part in found.split("/"))) if _END.fullmatch(found) else escaped(found)
    if not isinstance(found, Mapping):
        return found
    kind = _KINDS[found["kind"]]
    values = {one.name: _made(found[one.name]) for one in fields(kind)}
    if not all(isinstance(values[one.name], _TYPES.get(str(one.type), object)) for one in fields(kind)):
        raise TypeError
    return kind(**values)
