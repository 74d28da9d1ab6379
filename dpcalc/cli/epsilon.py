"""``dpcalc epsilon``: the least epsilon for a delta, over every dataset or for one composition."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from dpcalc.cli.command import Answer, Command, add_k, add_n, add_q, given, mechanism

__all__ = ["COMMAND"]


def _arguments(parser: ArgumentParser) -> None:
    add_n(parser)
    add_q(parser)
    add_k(parser)
    parser.add_argument("--delta", required=True, help="0 <= delta < 1")
    parser.add_argument("--ones", help="one composition only: how many of the other n - 1 records are 1")
    parser.add_argument("--rtol", help="relative width (default 1e-6)")


def _run(options: Namespace) -> Answer:
    from dpcalc.choose.epsilon import epsilon

    found = epsilon(mechanism(options), delta=options.delta, ones=options.ones, **given(rtol=options.rtol))
    return Answer(f"epsilon = {found}", {"epsilon": found})


COMMAND = Command("epsilon", "the least epsilon for a delta, over every dataset", _arguments, _run)
