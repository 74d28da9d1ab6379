"""``dpcalc closeness``: epsilon-closeness, or (n, epsilon)-closeness, of an anonymized table."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from dpcalc.cli.command import Answer, Command, Status

__all__ = ["COMMAND"]


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("table", help="a CSV file with a header line")
    parser.add_argument("--quasi", nargs="+", required=True, metavar="COLUMN", help="the quasi-identifying columns")
    parser.add_argument("--sensitive", required=True, metavar="COLUMN", help="the sensitive column")
    parser.add_argument("--epsilon", required=True, help="the largest distance allowed")
    parser.add_argument(
        "--distance", default="variational", help="variational (default), l1, l2, kullback-leibler, earth-mover"
    )
    parser.add_argument("--order", nargs="+", metavar="VALUE", help="the sensitive values in order, for earth-mover")
    parser.add_argument(
        "--n", help='(n, epsilon)-closeness: look for a subset of at least n rows, or for the "largest"'
    )


def _run(options: Namespace) -> Answer:
    from dpcalc.notes.anonymized.closeness import closeness, n_closeness

    asked = {
        "quasi": options.quasi, "sensitive": options.sensitive, "epsilon": options.epsilon,
        "distance": options.distance, "order": options.order,
    }  # fmt: skip
    found = closeness(options.table, **asked) if options.n is None else n_closeness(options.table, n=options.n, **asked)
    return Answer(found.table(), found.to_dict(), Status.OK if found.holds else Status.NO)


COMMAND = Command(
    "closeness",
    "epsilon-closeness of an anonymized table; exit status 1 if it fails",
    _arguments,
    _run,
    "closeness people.csv --quasi zip --sensitive illness --epsilon 1/4",
)
