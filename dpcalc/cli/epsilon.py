"""``dpcalc epsilon``: the least epsilon for a delta, over every dataset or for one composition."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from dpcalc.cli.command import (
    ONES,
    Answer,
    Command,
    add_certificate,
    add_collection,
    add_k,
    add_q,
    add_users,
    certifier,
    collected,
    given,
)  # fmt: skip

__all__ = ["COMMAND"]


def _arguments(parser: ArgumentParser) -> None:
    add_users(parser)
    add_q(parser)
    add_k(parser)
    parser.add_argument("--delta", required=True, help="the target, 0 <= delta < 1")
    add_collection(parser, ones=False)
    parser.add_argument("--ones", help=ONES)
    add_certificate(parser)
    parser.add_argument("--rtol", help="relative width (default 1e-6; for histograms and rounds an aim of 1e-3)")


def _run(options: Namespace) -> Answer:
    from dpcalc.choose.epsilon import epsilon
    from dpcalc.mechanisms.response import KRandomization
    from dpcalc.report import at_most, both_ends, promise, promise_lines

    asked = collected(options)
    ones = options.ones if options.categories is None else None
    proof = certifier(options, epsilon, asked, delta=options.delta, ones=ones)
    found = epsilon(asked, delta=options.delta, ones=ones, **given(rtol=options.rtol))
    lines = promise_lines("epsilon", found, at_most if isinstance(asked, KRandomization) else both_ends)
    return Answer("\n".join(lines), promise("epsilon", found), files=proof(found))


COMMAND = Command(
    "epsilon",
    "the least epsilon for a delta, over every dataset",
    _arguments,
    _run,
    "epsilon --n 1e5 --q 0.0067 --delta 1e-9 --categories 16 --rounds 30",
)
