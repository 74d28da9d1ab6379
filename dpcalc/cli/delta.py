"""``dpcalc delta``: the least delta for an epsilon, over every dataset or for one composition."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from dpcalc.cli.command import Answer, Command, add_k, add_limit, add_n, add_q, limit, mechanism, progress

__all__ = ["COMMAND"]


def _arguments(parser: ArgumentParser) -> None:
    add_n(parser)
    add_q(parser)
    add_k(parser)
    add_limit(parser)
    parser.add_argument("--ones", help="one composition only: how many of the other n - 1 records are 1")
    parser.add_argument("--rtol", help="relative width (default 1e-4 over every dataset, 1e-12 for one)")


def _run(options: Namespace) -> Answer:
    from dpcalc.privacy.delta import delta

    with progress("datasets") as advance:
        found = delta(
            mechanism(options), **limit(options), ones=options.ones, rtol=options.rtol, progress=advance
        )  # fmt: skip
    which = (
        f"attained with {found.dataset.ones} ones among the other records, "
        f"the event being likelier when the changed record is {found.dataset.value}"
    )
    content = {"delta": found, "ones": found.dataset.ones, "value": found.dataset.value}
    return Answer(f"delta = {found}\n{which}", content)


COMMAND = Command("delta", "the least delta for an epsilon, over every dataset", _arguments, _run)
