"""The outcomes that a command is asked for, ``--s 3``, ``--s 3-9`` or ``--s all``; and a table of them as CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
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


def tabled(heading: Sequence[str], rows: Callable[[], Iterable[Sequence[Any]]]) -> Callable[[Path], None]:
    """What writes a heading and rows to the file of --csv."""

    def write(path: Path) -> None:
        text = io.StringIO(newline="")
        csv.writer(text).writerows(chain([heading], rows()))
        files.write(path, text.getvalue().encode(), "csv")

    return write
