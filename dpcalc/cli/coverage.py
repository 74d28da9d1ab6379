"""``dpcalc coverage``: how often an interval contains the true number of ones."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from dpcalc.cli.command import Answer, Command, add_confidence, add_k, add_n, add_q, given, mechanism

__all__ = ["COMMAND"]


def _arguments(parser: ArgumentParser) -> None:
    add_n(parser)
    add_q(parser)
    add_k(parser)
    parser.add_argument("--ones", required=True, help="how many of the n records are 1")
    add_confidence(parser, "exact (default), chebyshev, hoeffding or normal")


def _run(options: Namespace) -> Answer:
    from dpcalc.accuracy.intervals import coverage

    found = coverage(
        mechanism(options), ones=options.ones, confidence=options.confidence, **given(method=options.method)
    )
    return Answer(f"coverage = {found}", {"coverage": found})


COMMAND = Command(
    "coverage",
    "how often an interval contains the true number of ones",
    _arguments,
    _run,
    "coverage --n 100 --q 0.1 --ones 5 --confidence 0.95 --method normal",
)
