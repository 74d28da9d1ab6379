"""Where the calculator's page answers a command of the book: its address, with the question filled in."""

from __future__ import annotations

import re
from urllib.parse import urlencode

__all__ = ["address"]

_COMMAND = re.compile(r"\$ dpcalc (least-q|epsilon|delta|least-n|most-rounds)((?: --[a-z]+ [^ |>]+)+)\n")
_FIELDS = ("n", "dropouts", "categories", "neighbours", "k", "rounds", "q", "epsilon", "delta")


def address(block: str) -> str | None:
    """Of the command that a block of the console begins with; None if the page's form has not all of its options."""
    found = _COMMAND.match(block)
    if not found:
        return None
    options = dict(re.findall(r"--([a-z]+) ([^ ]+)", found[2]))
    if not set(_FIELDS).issuperset(options):
        return None
    collected = {"collected": "categories" if "categories" in options else "bit"}
    return f"calculator/index.html#{urlencode({'goal': found[1], **collected, **options})}"
