"""``dpcalc required-n``: the fewest users for an estimate as accurate as wanted."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from dpcalc.cli.command import Answer, Command, add_confidence, add_k, add_q, given

__all__ = ["COMMAND"]


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--error", required=True, help="the largest error allowed for the estimated fraction of ones, 0 < error < 1"
    )
    add_q(parser)
    add_k(parser)
    add_confidence(parser, "hoeffding (default) or chebyshev, a promise; normal, the width of the interval")


def _run(options: Namespace) -> Answer:
    from dpcalc.accuracy.intervals import required_n

    found = required_n(
        error=options.error, confidence=options.confidence, q=options.q, k=options.k, **given(method=options.method)
    )
    return Answer(f"n = {found}", {"n": found})


COMMAND = Command(
    "required-n",
    "the fewest users for an estimate as accurate as wanted",
    _arguments,
    _run,
    "required-n --error 0.01 --q 0.1 --confidence 0.95",
)
