"""Tables of what a page of the reference documents, for who reads it without the book.

    python notebooks/tables.py

writes in ``reference`` above each directive that documents names a table of them, the first line of each docstring
beside the name. A test says when a table is stale.
"""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

import dpcalc
from dpcalc.cli import program

REFERENCE = Path(__file__).resolve().parent / "reference"
#: A directive, and the table above it, if there is one.
_DIRECTIVE = re.compile(
    r"\n(?:\| (?:Name|Command) \| What it [^\n]*\n(?:\|[^\n]*\|\n)*\n)?"
    r"```\{(public|commands|eval-rst)\}([^\n]*)\n(.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_AUTO = re.compile(r"^\.\. auto(?:class|function):: (\S+)\.(\w+)$", re.MULTILINE)
_MODULE = re.compile(r"^\.\. automodule:: (\S+)$", re.MULTILINE)


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


def written(page: str) -> str:
    """A page with its tables as they are now."""
    return _DIRECTIVE.sub(lambda found: f"\n{documented(*found.groups())}{found[0][found[0].index('```{') :]}", page)


def pages() -> list[Path]:
    """The pages of the reference whose names are described in tables."""
    return sorted(REFERENCE.glob("*.md"))


def main() -> None:
    """Write all tables anew."""
    for path in pages():
        path.write_text(written(path.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
