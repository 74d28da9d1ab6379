"""``dpcalc audit``: which promises of a table are kept, which are loose, which are broken."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import dpcalc
from dpcalc import files
from dpcalc.cli.command import Command, Printed, Status, progress
from dpcalc.errors import DomainError
from dpcalc.questions import Argument

_ARGUMENTS = (
    Argument("table", "a CSV, JSON, TOML or YAML file: a promise in each row", nargs="?", place=True),
    Argument("template", "print such a file, as CSV", flag=True),
    Argument("certificates", "write a proof of each verdict there, where the checker knows one", metavar="DIR"),
    Argument(
        "entry", "print an entry of the registry of deployments, as YAML, for each promise that is judged", flag=True
    ),
    Argument("html", "write a page for a review", metavar="FILE.html", endings=(".html", ".htm")),
)


def _run(options: Namespace) -> Printed:
    from dpcalc.audits.audit import EXAMPLE, entries, page

    if options.template:
        return Printed(EXAMPLE.rstrip(), {"template": EXAMPLE})
    if options.table is None:
        raise DomainError("table", ..., "a table of promises, such as --template prints")
    found = dpcalc.audit(options.table, progress=progress(options))

    def certify(folder: Path) -> str:
        written = found.certify(folder)
        proven = sum(isinstance(one, Path) for one in written.values())
        absent = (f"none for row {row}: {why}" for row, why in written.items() if isinstance(why, str))
        return "\n".join([f"{proven} of {len(written)} written", *absent])

    made = {"certificates": certify, "html": lambda path: files.write(path, page(found).encode(), "html")}
    text = entries(found) if options.entry else found.table()
    open_ones = Status.UNDECIDED if found.counts["cannot be judged"] else Status.OK
    return Printed(text, found.to_dict(), Status.NO if found.counts["broken"] else open_ones, made)


COMMAND = Command(
    "audit",
    "which promises of a table are kept, which are loose, which are broken",
    _ARGUMENTS,
    _run,
    "audit promises.csv --certificates proofs --html review.html",
)
