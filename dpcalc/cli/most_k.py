"""``dpcalc most-k``: the most repeats for (epsilon, delta)-differential privacy."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from dpcalc.cli.command import (
    Answer,
    Command,
    add_certificate,
    add_delta,
    add_limit,
    add_q,
    add_users,
    certifier,
    limit,
)

__all__ = ["COMMAND"]


def _arguments(parser: ArgumentParser) -> None:
    add_users(parser)
    add_q(parser)
    add_limit(parser)
    add_delta(parser)
    add_certificate(parser)


def _run(options: Namespace) -> Answer:
    from dpcalc.choose.least import most_k
    from dpcalc.report import bracket, bracket_lines

    asked = {"n": options.n, "q": options.q, **limit(options), "delta": options.delta}
    proof = certifier(options, most_k, **asked)
    found = most_k(**asked)
    return Answer("\n".join([*bracket_lines("k", found)]), bracket("k", found), files=proof(found))


COMMAND = Command(
    "most-k",
    "the most reports by each user for (epsilon, delta)-differential privacy",
    _arguments,
    _run,
    "most-k --n 1000 --q 1/4 --lam 2 --delta 1e-6",
)
