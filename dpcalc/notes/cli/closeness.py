"""``dpcalc closeness``: epsilon-closeness, or (n, epsilon)-closeness, of an anonymized table."""

from __future__ import annotations

from argparse import Namespace

from dpcalc.cli.command import Command, Printed, Status, unused
from dpcalc.questions import Argument

_ARGUMENTS = (
    Argument("table", "a CSV file with a header line", place=True),
    Argument("quasi", "the quasi-identifying columns", needed=True, metavar="COLUMN", nargs="+"),
    Argument("sensitive", "the sensitive column", needed=True, metavar="COLUMN"),
    Argument("epsilon", "the largest distance allowed", needed=True),
    Argument(
        "distance",
        "variational (default), l1, l2, kullback-leibler, earth-mover",
        default="variational",
        values=("variational", "l1", "l2", "kullback-leibler", "earth-mover"),
    ),
    Argument("order", "the sensitive values in order, for earth-mover", metavar="VALUE", nargs="+"),
    Argument("n", '(n, epsilon)-closeness: look for a subset of at least n rows, or for the "largest"'),
)


def _run(options: Namespace) -> Printed:
    from dpcalc.notes.anonymized.closeness import closeness, n_closeness

    if options.distance != "earth-mover":
        unused(options, f"for the {options.distance} distance", "order")
    asked = {
        "quasi": options.quasi, "sensitive": options.sensitive, "epsilon": options.epsilon,
        "distance": options.distance, "order": options.order,
    }  # fmt: skip
    found = closeness(options.table, **asked) if options.n is None else n_closeness(options.table, n=options.n, **asked)
    return Printed(found.table(), found.to_dict(), Status.OK if found.holds else Status.NO)


COMMAND = Command(
    "closeness",
    "epsilon-closeness of an anonymized table; exit status 1 if it fails",
    _ARGUMENTS,
    _run,
    "closeness people.csv --quasi zip --sensitive illness --epsilon 1/4",
)
