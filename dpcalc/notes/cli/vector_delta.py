"""``dpcalc vector-delta``: delta of identical records of several bits, and a bound for every dataset."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from dpcalc.cli.command import Answer, Command, add_k, add_limit, add_q, add_users, given, limit, mechanism

__all__ = ["COMMAND"]


def _arguments(parser: ArgumentParser) -> None:
    add_users(parser)
    add_q(parser)
    add_k(parser)
    parser.add_argument("--bits", required=True, help="bits per record")
    add_limit(parser)
    parser.add_argument("--rtol", help="relative width (default 1e-4)")


def _run(options: Namespace) -> Answer:
    from dpcalc.notes.vectors.identical_records import vector_delta

    found = vector_delta(mechanism(options, bits=options.bits), **limit(options), **given(rtol=options.rtol))
    return Answer(found.table(), found.to_dict())


COMMAND = Command(
    "vector-delta",
    "delta of identical records of several bits, and a bound",
    _arguments,
    _run,
    "vector-delta --n 100 --q 0.2 --bits 2 --lam 2",
)
