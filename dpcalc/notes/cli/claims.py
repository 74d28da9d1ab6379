"""``dpcalc claims``: what the five source documents claim, and whether it is true."""

from __future__ import annotations

from argparse import Namespace

from dpcalc.cli.command import Command, Printed
from dpcalc.questions import Argument

_ARGUMENTS = (
    Argument(
        "id", "an ID, equation, section, lemma or word, such as K16-4.45, (5.9), K16-5, window (default: all)",
        metavar="WORD", nargs="*", place=True,
    ),
    Argument("document", "only the claims of K16, KTEX, DW, LOC or EC"),
    Argument("refuted", "only the errata: refuted, corrected, true in part", flag=True, default=False),
)  # fmt: skip
#: As many claims found are still told in detail.
_FEW = 5


def _run(options: Namespace) -> Printed:
    from dpcalc.notes.claims import find, run
    from dpcalc.notes.claims.report import details, errata, table

    sought = [find(words, document=options.document) for words in options.id]
    found = list({claim.id: claim for some in sought for claim in some}.values()) or run(document=options.document)
    found = [claim for claim in found if claim.ruling.erratum or not options.refuted]
    view = errata if options.refuted else details if options.id and len(found) <= _FEW else table
    if view is table:
        found.sort(key=lambda claim: -claim.weight)
    return Printed(view(found), {"claims": [claim.to_dict() for claim in found]})


COMMAND = Command(
    "claims",
    "what the five source documents claim, and whether it is true",
    _ARGUMENTS,
    _run,
    "claims 5.12 LOC-L3",
)
