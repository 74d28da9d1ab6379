"""``dpcalc plan``: the noise each bound asks for, its cost and what it guarantees."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from dpcalc.cli.command import (
    Answer,
    Command,
    add_collection,
    add_limit,
    add_n,
    check_plot,
    collection,
    given,
    limit,
    progress,
)

__all__ = ["COMMAND"]


def _arguments(parser: ArgumentParser) -> None:
    add_n(parser)
    add_limit(parser)
    parser.add_argument("--delta", help="also the least q for (epsilon, delta)-differential privacy")
    parser.add_argument(
        "--k", nargs="+", default=["1", "2", "5", "10", "20", "50"], help="reports per record, one row each"
    )
    parser.add_argument("--sigmas", default="3", help="half the notes' window, in standard deviations (default 3)")
    parser.add_argument("--budget", help="largest number of reports k n for the best k")
    add_collection(parser)
    parser.add_argument("--bits", help="bits per record, reported as vectors (default 1)")
    parser.add_argument("--plot", metavar="FILE.png", help="draw sigma and q against k")


def _run(options: Namespace) -> Answer:
    from dpcalc.choose.plan import plan

    check_plot(options)
    with progress("plan") as advance:
        found = plan(
            n=options.n, **limit(options), delta=options.delta, ks=options.k, sigmas=options.sigmas,
            budget=options.budget, **collection(options), **given(bits=options.bits), progress=advance,
        )  # fmt: skip
    if options.plot is not None:
        found.plot(options.plot)
    return Answer(found.table(), found.to_dict())


COMMAND = Command("plan", "the noise each bound asks for, its cost and what it guarantees", _arguments, _run)
