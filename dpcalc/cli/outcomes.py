"""Which outcomes a command is asked for, ``--s 3``, ``--s 3-9`` or ``--s all``, and how they are written to a file."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from dpcalc import files
from dpcalc.errors import DomainError
from dpcalc.numbers.rational import integer

_RANGE = re.compile(r"\s*([\d,]+)\s*-\s*([\d,]+)\s*")


def is_range(text: str) -> bool:
    """Whether several outcomes are meant."""
    return text == "all" or _RANGE.fullmatch(text) is not None


def outcomes(text: str, last: int) -> slice:
    """The outcomes of a range, its ends included, or all.

    Raises:
        DomainError: the range is reversed, or goes beyond the last outcome.
    """
    if text == "all":
        return slice(0, last + 1)
    found = _RANGE.fullmatch(text)
    ends = [integer(end, "s", minimum=0) for end in found.groups()] if found else []
    if not ends or not ends[0] <= ends[1] <= last:
        raise DomainError("s", text, f"all, or A-B with 0 <= A <= B <= {last:,}")
    return slice(ends[0], ends[1] + 1)


def check_csv(path: str | None) -> None:
    """Refuse a file that could not be written, before any work.

    Raises:
        DomainError: it cannot be written.
    """
    if path is not None:
        files.check(path, "csv")


def tabled(path: str | None, heading: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[Callable[[], str]]:
    """What writes a heading and rows, if a file is asked for: ``Answer.files``."""

    def write() -> str:
        text = io.StringIO(newline="")
        table = csv.writer(text)
        table.writerow(heading)
        table.writerows(rows)
        files.write(Path(str(path)), text.getvalue().encode(), "csv")
        return f"csv: {path}"

    return [] if path is None else [write]
