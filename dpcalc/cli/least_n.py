"""``dpcalc least-n``: the fewest honest users for (epsilon, delta)-differential privacy, and how large a batch."""

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
    add_q,
    add_rtol,
    certifier,
    collection,
    given,
    limit,
)  # fmt: skip
from dpcalc.cli.honest import add_losses, batch

__all__ = ["COMMAND"]


def _arguments(parser: ArgumentParser) -> None:
    add_q(parser)
    add_limit(parser)
    add_delta(parser)
    add_rtol(parser)
    add_k(parser)
    add_collection(parser)
    add_losses(parser)
    add_certificate(parser)


def _run(options: Namespace) -> Answer:
    from dpcalc.choose.least import least_n
    from dpcalc.report import bracket, bracket_lines

    asked = given(q=options.q, **limit(options), delta=options.delta, k=options.k, **collection(options))
    proof = certifier(options, least_n, **asked)
    found = least_n(**asked, **given(rtol=options.rtol))
    lines, content = bracket_lines("n", found), bracket("n", found)
    if (users := batch(options, int(found.value))) is not None:
        content["batch"] = users
        lines.append(f"a batch of {users} users has so many honest ones")
    return Answer("\n".join([*lines]), content, files=proof(found))


COMMAND = Command(
    "least-n",
    "the fewest honest users for (epsilon, delta)-differential privacy",
    _arguments,
    _run,
    "least-n --q 0.1 --epsilon 0.5 --delta 1e-6",
)
