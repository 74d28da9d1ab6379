"""``dpcalc delta``: the least delta for an epsilon, over every dataset or for one composition."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from dpcalc.cli.command import (
    ONES,
    Answer,
    Command,
    add_certificate,
    add_collection,
    add_k,
    add_limit,
    add_q,
    add_users,
    certifier,
    collected,
    limit,
)  # fmt: skip
from dpcalc.cli.waiting import shown

__all__ = ["COMMAND"]


def _arguments(parser: ArgumentParser) -> None:
    add_users(parser)
    add_q(parser)
    add_k(parser)
    add_limit(parser)
    add_collection(parser, ones=False)
    parser.add_argument("--ones", help=ONES)
    add_certificate(parser)
    parser.add_argument(
        "--rtol",
        help="relative width (default 1e-4 over every dataset, 1e-12 for one; histograms and rounds: an aim of 1e-2)",
    )


def _run(options: Namespace) -> Answer:
    from dpcalc.privacy.delta import delta
    from dpcalc.privacy.rounds import RoundsDelta
    from dpcalc.report import both_ends, promise, promise_lines

    ones = options.ones if options.categories is None else None
    asked = collected(options)
    proof = certifier(options, delta, asked, **limit(options), ones=ones)
    found = delta(asked, **limit(options), ones=ones, rtol=options.rtol, progress=shown(options).advance)
    if isinstance(found, RoundsDelta):
        attained = [f"in {_rounds(times)} {_words(dataset)}" for _, dataset, times in found.datasets]
        lines = [*promise_lines("delta", found, both_ends), *attained]
        return Answer("\n".join(lines), {**promise("delta", found), "datasets": found.named()}, files=proof(found))
    content = {**promise("delta", found), "ones": found.dataset.ones, "value": found.dataset.value}
    return Answer("\n".join([*promise_lines("delta", found), _words(found.dataset)]), content, files=proof(found))


def _rounds(times: int) -> str:
    return "1 round" if times == 1 else f"{times:,} rounds"


def _words(at: Any) -> str:
    """The dataset that attains the lower end, and the event."""
    from dpcalc.privacy.release import HistogramDataset

    if not isinstance(at, HistogramDataset):
        return (
            f"attained with {at.ones} ones among the other records; "
            f"worst direction: the changed record goes from {at.value} to {1 - at.value}"
        )
    held = [
        f"{' and '.join(f'{one:,}' for one in counts)} in the {'category' if len(counts) == 1 else 'categories'} "
        f"that the changed record {moved}"
        for counts, moved in ((at.left, "leaves"), (at.entered, "enters"))
        if counts
    ]
    return f"attained with, of the other records, {', '.join(held)}"


COMMAND = Command(
    "delta",
    "the least delta for an epsilon, over every dataset",
    _arguments,
    _run,
    "delta --n 1e6 --q 0.1 --epsilon 0.0125",
)
