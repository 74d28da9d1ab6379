"""Tables of what the reference documents and of what the documents claim, for who reads a page without the book.

    python notebooks/tables.py

writes in ``reference`` above each directive that documents names a table of them, the first line of each docstring
beside the name; and in ``about/documents.md`` below the heading of each document a table of its claims. A test says
when a table is stale.
"""

from __future__ import annotations

import argparse
import inspect
import json
import re
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path
from textwrap import indent
from typing import NamedTuple

import dpcalc
from dpcalc.cli import program
from dpcalc.notes.claims.claim import Claim

BOOK = Path(__file__).resolve().parent
#: A directive, and the table above it, if there is one.
_DIRECTIVE = re.compile(
    r"\n(?:\| (?:Name|Command) \| What it [^\n]*\n(?:\|[^\n]*\|\n)*\n)?"
    r"```\{(public|commands|eval-rst)\}([^\n]*)\n(.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
#: The heading of a document, and the table below it, if there is one.
_CLAIMS = re.compile(r"^(## (K16|KTEX|DW|LOC|EC): [^\n]*\n)\n(?:\|[^\n]*\n)*", re.MULTILINE)
_AUTO = re.compile(r"^\.\. auto(?:class|function):: (\S+)\.(\w+)$", re.MULTILINE)
_MODULE = re.compile(r"^\.\. automodule:: (\S+)$", re.MULTILINE)
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
    paths = {path.name[:2]: path for path in sorted(BOOK.glob("*.ipynb"))}
    for path in (paths[number] for number in (*FIRST, *sorted(paths.keys() - set(FIRST)))):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        indents = {"markdown": "", "code": "    "}  # a comment is no heading
        text = "\n".join(indent("".join(cell["source"]), indents[cell["cell_type"]]) for cell in cells)
        for part in re.split(r"^(?=##+ )", text, flags=re.MULTILINE)[1:]:
            heading, _, rest = part.partition("\n")
            found.append(Section(path.stem, heading.lstrip("# "), named(f"{heading}\n{rest}")))
    return tuple(found)


def treated(claim: Claim) -> Section | None:
    """The first section that names the claim: its ID, or its equation's number, also within "(5.14) to (5.20)"."""
    names = {claim.id}
    if numbered := re.match(r"\(([\w:.]+)\)", claim.where):
        names |= {numbered[1]} if claim.document in ("K16", "KTEX") else set()
    return next((section for section in sections() if names & section.names), None)


def table(heads: tuple[str, str], rows: Iterable[tuple[str, str]]) -> str:
    """A table of Markdown with two columns; nothing if it has no rows."""
    lines = [f"| {name} | {said.replace('|', chr(92) + '|')} |" for name, said in rows]
    return "\n".join([f"| {heads[0]} | {heads[1]} |", "| :-- | :-- |", *lines, "", ""]) if lines else ""


def first_line(documented: object) -> str:
    """The first line of a docstring, in the marks of Markdown."""
    return (inspect.getdoc(documented) or "").partition("\n")[0].replace("``", "`")


def documented(directive: str, argument: str, body: str) -> str:
    """The table of what a directive documents."""
    if directive == "commands":
        parser = program._parser()
        (commands,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
        asked = {choice.dest: choice.help or "" for choice in commands._choices_actions}
        return table(("Command", "What it answers"), ((f"`dpcalc {name}`", said) for name, said in asked.items()))
    if directive == "public":
        homes = sorted(dpcalc._HOMES.items())
        names = [name for name, home in homes if f"{home}.".startswith(f"{argument.strip()}.")]
        return table(("Name", "What it is"), ((f"`dp.{name}`", first_line(getattr(dpcalc, name))) for name in names))
    pairs = _AUTO.findall(body)
    for module in _MODULE.findall(body):
        members = inspect.getmembers(import_module(module), inspect.isfunction)
        own = [(member.__code__.co_firstlineno, name) for name, member in members if member.__module__ == module]
        pairs += [(module, name) for _, name in sorted(own) if not name.startswith("_")]
    rows = ((f"`{name}`", first_line(getattr(import_module(home), name))) for home, name in pairs)
    return table(("Name", "What it is"), rows)


def plain(text: str) -> str:
    """Text in a cell: none of its signs is a mark of Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>|~$])", r"\\\1", text.replace("\n", " "))


def told(claim: Claim) -> str:
    """What a claim says; of an erratum also what is true; the section that treats it, what shows it, and a call."""
    lines = [plain(claim.statement)]
    if claim.ruling.erratum:
        parts = {"Document": claim.said, "Exact": claim.exact, "Only for": claim.over, "Witness": claim.witness}
        lines += [f"{part}: {plain(text)}" for part, text in parts.items() if text] + [plain(claim.reason)]
    if section := treated(claim):
        lines.append(f"[{section.notebook[:2]}: {section.title}](../{section.notebook}.ipynb#{section.anchor})")
    if claim.verified:
        lines.append(f"Shown by `{claim.verified.rpartition('/')[2]}`")
    if claim.call:
        lines.append(f"`{claim.call.replace('|', chr(92) + '|')}`")
    return "<br>".join(lines)


def claimed(document: str) -> str:
    """The table of a document's claims."""
    rows = [
        f"| `{claim.id}`<br>{plain(claim.where)} | {claim.ruling.value} ({claim.known.value}) | {told(claim)} |"
        for claim in dpcalc.claims.run(document=document)
    ]
    return "\n".join(
        [
            "| Claim | Verdict | What it says; where a notebook treats it; what shows it; how to compute it |",
            "| :-- | :-- | :-- |",
            *rows,
            "",
        ]
    )


def written(page: str) -> str:
    """A page with its tables as they are now."""
    page = _CLAIMS.sub(lambda found: f"{found[1]}\n{claimed(found[2])}", page)
    return _DIRECTIVE.sub(lambda found: f"\n{documented(*found.groups())}{found[0][found[0].index('```{') :]}", page)


def pages() -> list[Path]:
    """The pages with tables."""
    return [*sorted((BOOK / "reference").glob("*.md")), BOOK / "about" / "documents.md"]


def main() -> None:
    """Write all tables anew."""
    for path in pages():
        path.write_text(written(path.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
