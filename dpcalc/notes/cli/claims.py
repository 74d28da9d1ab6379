"""``dpcalc claims``: what the five source documents claim, and whether it is true."""

from __future__ import annotations

from argparse import Namespace

from dpcalc.cli.command import Command, Printed
from dpcalc.cli.waiting import shown
from dpcalc.questions import Argument

_ARGUMENTS = (
    Argument("id", "claims to show in detail, such as K16-4.45 (default: all)", metavar="ID", nargs="*", place=True),
    Argument("document", "only the claims of K16, KTEX, DW, LOC or EC"),
    Argument("refuted", "only the errata: refuted, corrected, true in part", flag=True, default=False),
)


def _run(options: Namespace) -> Printed:
    from dpcalc.notes.claims import run
    from dpcalc.notes.claims.report import details, errata, table

    found = run(options.id, document=options.document, errata=options.refuted, progress=shown(options).advance)
    view = errata if options.refuted else details if options.id else table
    return Printed(view(found), {"claims": [verdict.to_dict() for verdict in found]})


COMMAND = Command(
    "claims",
    "what the five source documents claim, and whether it is true",
    _ARGUMENTS,
    _run,
    "claims K16-5.12 LOC-L3",
)
