"""A question of a sweep, its answer, and the file: one line of JSON per answer, appended as it comes. An interrupted
sweep goes on from it.

A process that is killed may leave its last line half written; that line is cut off and its question asked again. The
file may answer only questions of this sweep, by this dpcalc; else it is refused, untouched. The sweep may ask more than
the file answers, so that a grid can be extended.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass
from fractions import Fraction
from inspect import getmro
from typing import Any

from dpcalc import files
from dpcalc.errors import DomainError, DpcalcError, escaped
from dpcalc.numbers.bracket import Bracket, Witness
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.promise import Promise
from dpcalc.questions import QUESTIONS
from dpcalc.version import __version__
from dpcalc.worst.datasets import Dataset, Delta

#: What an answer is made of.
_KINDS: dict[str, Any] = {kind.__name__: kind for kind in (Enclosure, Promise, Delta, Dataset, Bracket, Witness)}
_TYPES = {kind.__name__: kind for kind in (Fraction, bool, int, str, *_KINDS.values())}
_END = re.compile("-?0x[0-9a-f]+/0x[0-9a-f]+")


#: The questions that may be swept, by the names of their functions.
SWEPT = {row.function: row for row in QUESTIONS if row.swept}


@dataclass(frozen=True, slots=True)
class Call:
    """One question of a sweep.

    Attributes:
        function: a key of ``SWEPT``.
        arguments: pairs of a name and the text of its value, in the order in which they were given.
        given: the values as they were given.
    """

    function: str
    arguments: tuple[tuple[str, str], ...]
    given: tuple[Any, ...] = field(default=(), compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.function}({', '.join(f'{name}={escaped(text)}' for name, text in self.arguments)})"

    @property
    def key(self) -> tuple[str, frozenset[tuple[str, str]]]:
        """The same for equal questions, in whatever order their arguments are given."""
        return self.function, frozenset(self.arguments)

    def ask(self) -> Any:
        """The function's answer; raises what it raises."""
        row = SWEPT[self.function]
        return row.call(**row.read(dict(self.arguments)))


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


def written(given: Answer) -> dict[str, Any]:
    """The answer for JSON; ``shown`` is for human readers.

    Every end of an enclosure is an exact rational in base 16, "0x9/0x20": Python reads and writes these at any length.
    """
    asked = {"function": given.question.function, "arguments": dict(given.question.arguments)}
    if given.value is None:
        return {**asked, "error": given.error, "version": given.version}
    return {**asked, "shown": str(given.value), "answer": _plain(given.value), "version": given.version}


def read(content: Any) -> Answer:
    """The inverse of ``written``; what is no answer is a Key-, Type-, Value- or ``DpcalcError``."""
    if type(content["function"]) is not str:
        raise TypeError
    asked = Call(content["function"], tuple((name, str(text)) for name, text in content["arguments"].items()))
    if "error" in content:
        return Answer(question=asked, value=None, error=escaped(str(content["error"])), version=str(content["version"]))
    return Answer(question=asked, value=_made(content["answer"]), version=str(content["version"]))


def _kept(kind: Any) -> list[Any]:
    """The fields that are written: the question says which mechanism it is about."""
    return [one for one in fields(kind) if one.name != "mechanism"]


def _plain(x: Any) -> Any:
    """For JSON: a dataclass as an object of its kind and fields, a fraction in base 16, all else as it is."""
    if isinstance(x, Fraction):
        return f"{x.numerator:#x}/{x.denominator:#x}"
    if not is_dataclass(x):
        return x
    kind = next(kind for kind in getmro(type(x)) if kind.__name__ in _KINDS)
    return {"kind": kind.__name__, **{one.name: _plain(getattr(x, one.name)) for one in _kept(kind)}}


def _made(found: Any) -> Any:
    """The inverse of ``_plain``."""
    if isinstance(found, str):
        return Fraction(*(int(part, 16) for part in found.split("/"))) if _END.fullmatch(found) else escaped(found)
    if not isinstance(found, Mapping):
        return found
    kind = _KINDS[found["kind"]]
    values = {one.name: _made(found[one.name]) for one in _kept(kind)}
    if not all(isinstance(values[one.name], _TYPES.get(str(one.type), object)) for one in _kept(kind)):
        raise TypeError
    return kind(**values)


_START = b'{"function": "'  # every line begins so


class Journal:
    """The answers that a file holds, to questions with these keys, of this dpcalc; further ones are appended."""

    answers: dict[Any, Answer]  #: what the file held, by the question's key

    def __init__(self, path: str | os.PathLike[str], keys: Collection[Any]) -> None:
        self._path = files.check(path, "path")
        if self._path.exists() and not self._path.is_file():
            raise DomainError("path", str(path), "a regular file: it is read again")
        content = files.read(self._path, "path") if self._path.exists() else b""
        *whole, half = content.split(b"\n")
        with suppress(RecursionError, ValueError):
            json.loads(half)
            whole, half = [*whole, half + b"\n"], b""  # only the end of the line is missing
        if not half.startswith(_START[: len(half)]):
            raise self._refusal(len(whole) + 1, "is no answer of a sweep")
        self.answers = {one.question.key: one for one in self._read(whole, keys)}
        try:
            self._file = self._path.open("ab", buffering=0)
            if half:
                self._file.truncate(len(content) - len(half))
            elif whole and whole[-1].endswith(b"\n"):
                self._file.write(b"\n")
        except OSError as error:
            raise files.refusal(error, self._path, "path") from None

    def add(self, answer: Answer) -> None:
        """Append an answer; it is with the operating system when this returns. If that fails, earlier ones are kept."""
        line = json.dumps(written(answer)).encode("ascii") + b"\n"
        try:
            while line:  # the system may take a part of it
                line = line[self._file.write(line) :]
        except OSError as error:
            raise files.refusal(error, self._path, "path") from None

    def close(self) -> None:
        """No more is added."""
        self._file.close()

    def _read(self, lines: list[bytes], keys: Collection[Any]) -> list[Answer]:
        found = []
        for number, line in enumerate(lines, 1):
            try:
                one = read(json.loads(line))
            except (ArithmeticError, AttributeError, KeyError, RecursionError, TypeError, ValueError):
                raise self._refusal(number, "is no answer of a sweep") from None
            if one.question.key not in keys:
                raise self._refusal(number, f"answers another question, {' '.join(str(one.question).split())}")
            if one.version != __version__:
                raise self._refusal(number, f"was answered by dpcalc {one.version[:20]}, this is {__version__}")
            found.append(one)
        return found

    def _refusal(self, number: int, what: str) -> DomainError:
        return DomainError("path", str(self._path), f"a new file or one of this sweep: line {number} {what}")
