"""Which outcomes a command is asked for, ``--s 3``, ``--s 3-9`` or ``--s all``, and how they are written to a file."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from dpcalc.errors import DomainError

__all__ = ["check_csv", "is_range", "outcomes", "write_csv"]

_RANGE = re.compile(r"\s*(\d+)\s*-\s*(\d+)\s*")


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
    if found is None or not int(found[1]) <= int(found[2]) <= last:
        raise DomainError("s", text, f"all, or a range such as 0-{last}: its first count, not larger, and its last one")
    return slice(int(found[1]), int(found[2]) + 1)


def check_csv(path: str | None) -> None:
    """Refuse a file that could not be written, before any work.

    Raises:
        DomainError: its folder does not exist.
    """
    if path is not None and not Path(path).parent.is_dir():
        raise DomainError("csv", path, "a file in a folder that exists")


def write_csv(path: str, heading: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """A heading and rows.

    Raises:
        DomainError: the file cannot be written.
    """
    try:
        with Path(path).open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(heading)
            writer.writerows(rows)
    except OSError as error:
        raise DomainError("csv", path, f"a file that can be written ({error.strerror})") from None
