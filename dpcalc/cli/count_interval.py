"""``dpcalc count-interval``: the mean of the pooled count, plus and minus some standard deviations."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from dpcalc.cli.command import Answer, Command, add_k, add_n, add_q, given, mechanism

__all__ = ["COMMAND"]


def _arguments(parser: ArgumentParser) -> None:
    add_n(parser)
    add_q(parser)
    add_k(parser)
    parser.add_argument("--ones", required=True, help="how many of the n records are 1")
    parser.add_argument("--sigmas", help="standard deviations (default 3)")


def _run(options: Namespace) -> Answer:
    from dpcalc.accuracy.estimator import count_interval

    found = count_interval(mechanism(options), ones=options.ones, **given(sigmas=options.sigmas))
    return Answer(f"from {found.lower} to {found.upper}", {"lower": found.lower, "upper": found.upper})


COMMAND = Command(
    "count-interval",
    "the 3-sigma interval of the pooled count",
    _arguments,
    _run,
    "count-interval --n 1000 --q 0.009 --ones 999",
)
