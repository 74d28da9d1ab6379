"""``dpcalc maximal``: the pairs of collections of bit vectors with the largest ratio and delta."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from dpcalc.cli.command import Answer, Command, add_k, add_n, add_q
from dpcalc.cli.waiting import shown

__all__ = ["COMMAND"]


def _arguments(parser: ArgumentParser) -> None:
    add_n(parser)
    add_q(parser)
    add_k(parser)
    parser.add_argument("--bits", required=True, help="bits per record")
    parser.add_argument("--lam", help="also the largest delta at this ratio limit")


def _run(options: Namespace) -> Answer:
    from dpcalc.notes.collections.maximal import maximal_collections

    found = maximal_collections(
        n=options.n, bits=options.bits, q=options.q, k=options.k, lam=options.lam, progress=shown(options).advance
    )
    return Answer(found.table(), found.to_dict())


COMMAND = Command(
    "maximal",
    "the pairs of collections with the largest ratio and delta",
    _arguments,
    _run,
    "maximal --n 4 --bits 2 --q 0.2 --lam 3/2",
)
