"""``dpcalc most-rounds``: how often everybody may report within a budget (epsilon, delta)."""

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
    add_users,
    certifier,
    collection,
    given,
    limit,
)  # fmt: skip

__all__ = ["COMMAND"]


def _arguments(parser: ArgumentParser) -> None:
    add_users(parser)
    add_q(parser)
    add_limit(parser)
    add_delta(parser)
    add_rtol(parser)
    add_k(parser)
    add_collection(parser, rounds=False)
    add_certificate(parser)


def _run(options: Namespace) -> Answer:
    from dpcalc.choose.deployment import Deployment
    from dpcalc.choose.least import most_rounds
    from dpcalc.report import bracket, bracket_lines

    once = Deployment.of(k=options.k, **collection(options)).once(options.n, options.q)
    asked = {**limit(options), "delta": options.delta}
    proof = certifier(options, most_rounds, once, **asked)
    found = most_rounds(once, **asked, **given(rtol=options.rtol))
    return Answer("\n".join([*bracket_lines("rounds", found)]), bracket("rounds", found), files=proof(found))


COMMAND = Command(
    "most-rounds",
    "the most rounds within a budget (epsilon, delta)",
    _arguments,
    _run,
    "most-rounds --n 1e4 --q 0.1 --epsilon 1 --delta 1e-6",
)
