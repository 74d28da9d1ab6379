"""``dpcalc blanket``: the privacy blanket's bound of delta, for records of any number of bits."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from dpcalc.cli.command import Answer, Command, add_k, add_limit, add_n, add_q, limit, mechanism

__all__ = ["COMMAND"]


def _arguments(parser: ArgumentParser) -> None:
    add_n(parser)
    add_q(parser)
    add_k(parser)
    parser.add_argument("--bits", default="1", help="bits per record (default 1)")
    add_limit(parser)


def _run(options: Namespace) -> Answer:
    from dpcalc.notes.vectors.blanket import blanket_bound
    from dpcalc.numbers.decimal import rounded
    from dpcalc.numbers.enclosure import Enclosure

    found = blanket_bound(mechanism(options, bits=options.bits), **limit(options))
    return Answer(f"delta is at most {rounded(found, 6, 1)}", {"delta_at_most": Enclosure.of(found)})


COMMAND = Command(
    "blanket",
    "the privacy blanket's bound of delta, for records of any number of bits",
    _arguments,
    _run,
    "blanket --n 1000 --q 1/4 --bits 2 --lam 2",
)
