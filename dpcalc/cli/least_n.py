"""``dpcalc least-n``: the fewest users for (epsilon, delta)-differential privacy."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from dpcalc.cli.command import (
    Answer,
    Command,
    add_collection,
    add_delta,
    add_k,
    add_limit,
    add_q,
    add_rtol,
    collection,
    given,
    limit,
)  # fmt: skip

__all__ = ["COMMAND"]


def _arguments(parser: ArgumentParser) -> None:
    add_q(parser)
    add_limit(parser)
    add_delta(parser)
    add_rtol(parser)
    add_k(parser)
    add_collection(parser)


def _run(options: Namespace) -> Answer:
    from dpcalc.choose.least import least_n
    from dpcalc.report import bracket, bracket_lines

    found = least_n(
        q=options.q, **limit(options), delta=options.delta, k=options.k, **collection(options),
        **given(rtol=options.rtol),
    )  # fmt: skip
    return Answer("\n".join(bracket_lines("n", found)), bracket("n", found))


COMMAND = Command(
    "least-n",
    "the fewest users for (epsilon, delta)-differential privacy",
    _arguments,
    _run,
    "least-n --q 0.1 --epsilon 0.5 --delta 1e-6",
)
