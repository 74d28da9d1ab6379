"""``dpcalc pmf``: the probabilities of the pooled count, coefficients of its generating function."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from dpcalc.cli.command import Answer, Command, add_k, add_n, add_q, mechanism
from dpcalc.cli.outcomes import check_csv, outcomes, tabled

__all__ = ["COMMAND"]

_DIGITS = 17


def _arguments(parser: ArgumentParser) -> None:
    add_n(parser)
    add_q(parser)
    add_k(parser)
    parser.add_argument("--ones", required=True, help="how many of the n records are 1")
    parser.add_argument("--s", default="all", help="pooled counts: a range such as 480-520, or all (default)")
    parser.add_argument("--csv", metavar="FILE", help="write all probabilities there")


def _run(options: Namespace) -> Answer:
    check_csv(options.csv)
    from dpcalc.counts.generating_function import listed
    from dpcalc.mechanisms.pooled_count import generating_function
    from dpcalc.numbers.enclosure import Enclosure
    from dpcalc.report import digits

    whole = generating_function(mechanism(options), ones=options.ones)
    found = whole.coefficients[outcomes(options.s, whole.degree)]
    content: dict[str, Any] = {"mean": Enclosure.of(whole.mean), "variance": Enclosure.of(whole.variance)}
    heading = f"mean {content['mean']}, variance {content['variance']}, {found.kind}"
    rows = ([s, digits(x, _DIGITS)] for s, x in found.rows()) if options.csv else ()
    if options.json:
        content |= {"exact": found.exact, "probabilities": [{"s": s, "probability": x} for s, x in found.rows()]}
    return Answer("\n".join([heading, *listed(found)]), content, files=tabled(options.csv, ["s", "probability"], rows))


COMMAND = Command(
    "pmf",
    "the probability of every pooled count, exact or enclosed",
    _arguments,
    _run,
    "pmf --n 1000 --q 0.009 --ones 1000 --s 982-1000",
)
