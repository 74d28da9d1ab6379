"""The index of equations: every claim that says how to compute it, and the section of a notebook that treats it.

A section treats a claim if it names it: by its ID, or, for K16, by the number of its equation, also within a range such
as "(5.14) to (5.20)"; for KTEX by its label. What stands before the first section of a notebook does not count.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from textwrap import indent
from typing import NamedTuple

from dpcalc.notes.claims.claim import Claim

FOLDER = Path(__file__).parent
#: The notebooks that derive what the documents state come first.
FIRST = ("03", "02", "01", "13", "14")
NUMBER = r"\(([4-8]\.\d+)\)"


class Section(NamedTuple):
    """A section of a notebook: where it is, what it is called, and what it names."""

    notebook: str
    title: str
    names: frozenset[str]

    @property
    def anchor(self) -> str:
        """The heading's, as the book makes it."""
        return re.sub(r"[^\w\- ]", "", self.title.strip().lower().replace(" ", "-"))


def named(text: str) -> frozenset[str]:
    """The IDs, labels and numbers that a text names; a range names all that lie in it."""
    found = set(re.findall(r"\b(?:K16|KTEX|DW|LOC|EC)-[\w.+-]*\w", text)) | set(re.findall(r"\((eq:\w+)\)", text))
    found |= set(re.findall(NUMBER, text))
    for first, last in re.findall(f"{NUMBER} to {NUMBER}", text):
        (section, start), (_, end) = first.split("."), last.split(".")
        found |= {f"{section}.{i}" for i in range(int(start), int(end) + 1)}
    return frozenset(found)


@cache
def sections() -> tuple[Section, ...]:
    """Every section of every notebook, in the order in which they are looked through."""
    found = []
    paths = {path.name[:2]: path for path in sorted(FOLDER.glob("*.ipynb"))}
    for path in (paths[number] for number in (*FIRST, *sorted(paths.keys() - set(FIRST)))):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        indents = {"markdown": "", "code": "    "}  # a comment is no heading
        text = "\n".join(indent("".join(cell["source"]), indents[cell["cell_type"]]) for cell in cells)
        for part in re.split(r"^(?=##+ )", text, flags=re.MULTILINE)[1:]:
            heading, _, rest = part.partition("\n")
            found.append(Section(path.stem, heading.lstrip("# "), named(f"{heading}\n{rest}")))
    return tuple(found)


def treated(claim: Claim) -> Section | None:
    """The first section that names the claim."""
    names = {claim.id}
    if numbered := re.match(r"\(([\w:.]+)\)", claim.where):
        names |= {numbered[1]} if claim.document in ("K16", "KTEX") else set()
    return next((section for section in sections() if names & section.names), None)
