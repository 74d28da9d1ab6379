"""``dpcalc claims``: what the five source documents claim, and whether it is true."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from dpcalc.cli.command import Answer, Command
from dpcalc.cli.waiting import shown

__all__ = ["COMMAND"]


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", nargs="*", metavar="ID", help="claims to show in detail, such as K16-4.45 (default: all)")
    parser.add_argument("--document", help="only the claims of K16, KTEX, DW, LOC or EC")
    parser.add_argument("--refuted", action="store_true", help="only the errata: refuted, corrected, true in part")


def _run(options: Namespace) -> Answer:
    from dpcalc.notes.claims import run
    from dpcalc.notes.claims.report import details, errata, table

    found = run(options.id, document=options.document, errata=options.refuted, progress=shown(options).advance)
    view = errata if options.refuted else details if options.id else table
    return Answer(view(found), {"claims": [verdict.to_dict() for verdict in found]})


COMMAND = Command(
    "claims",
    "what the five source documents claim, and whether it is true",
    _arguments,
    _run,
    "claims K16-5.12 LOC-L3",
)
