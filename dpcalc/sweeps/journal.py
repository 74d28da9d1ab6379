"""The file of a sweep: one line of JSON per answer, appended as it comes. An interrupted sweep goes on from it.

A process that is killed may leave its last line half written; that line is cut off and its question asked again. The
file may answer only questions of this sweep, by this dpcalc; else it is refused, untouched. The sweep may ask more than
the file answers, so that a grid can be extended.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection
from contextlib import suppress
from typing import Any

from dpcalc import files
from dpcalc.errors import DomainError
from dpcalc.sweeps.answers import Answer, read, written
from dpcalc.version import __version__

_START = b'{"function": "'  # every line begins so


class Journal:
    """The answers that a file holds; further ones are appended.

    Args:
        path: the file; it is created if there is none.
        keys: the keys of the questions that are asked.

    Attributes:
        answers: what the file held, by the question's key.

    Raises:
        DomainError: the file cannot be read or written, or is not of this sweep and this dpcalc.
    """

    answers: dict[Any, Answer]

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
        """Append an answer; it is with the operating system when this returns.

        Raises:
            Unwritten: it cannot be written, for example to a full disk; earlier answers are kept.
        """
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
