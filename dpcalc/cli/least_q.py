"""``dpcalc least-q``: the least q for (epsilon, delta)-differential privacy."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from dpcalc.cli.command import (
    Answer,
    Command,
    add_certificate,
    add_collection,
    add_delta,
    add_k,
    add_limit,
    add_rtol,
    add_users,
    certifier,
    collection,
    given,
    limit,
)  # fmt: skip

__all__ = ["COMMAND"]


def _arguments(parser: ArgumentParser) -> None:
    add_users(parser)
    add_limit(parser)
    add_delta(parser)
    add_rtol(parser)
    add_k(parser)
    add_collection(parser)
    parser.add_argument("--bits", help="bits per record, reported as vectors (default 1)")
    parser.add_argument("--dataset", help='of vectors: "every" dataset (default), or "identical" records')
    add_certificate(parser)


def _run(options: Namespace) -> Answer:
    from dpcalc.choose.least import least_q
    from dpcalc.report import bracket, bracket_lines

    asked = given(
        n=options.n, **limit(options), delta=options.delta, k=options.k, **collection(options),
        bits=options.bits, dataset=options.dataset,
    )  # fmt: skip
    proof = certifier(options, least_q, **asked)
    found = least_q(**asked, **given(rtol=options.rtol))
    return Answer("\n".join([*bracket_lines("q", found)]), bracket("q", found), files=proof(found))


COMMAND = Command(
    "least-q",
    "the least q for (epsilon, delta)-differential privacy",
    _arguments,
    _run,
    "least-q --n 50000 --epsilon 1 --delta 1e-8",
)
