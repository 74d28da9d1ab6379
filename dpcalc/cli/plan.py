"""``dpcalc plan``: the noise each bound asks for, its cost and what it guarantees."""

from __future__ import annotations

import shlex
from argparse import Namespace
from pathlib import Path

import dpcalc
from dpcalc import files
from dpcalc.cli.command import Command, Printed, Status, given, less, limit, progress, several, unused, warned
from dpcalc.questions import HELD, HISTOGRAM, LIMIT, ROUNDS, USERS, Argument, K

_ARGUMENTS = (
    *USERS, *LIMIT,
    Argument("delta", "the target; without it only the notes' older bounds are compared"),
    K._replace(
        help="reports by each user, a row for each number (default 1 2 5 10 20 50)", nargs="+",
        default=["1", "2", "5", "10", "20", "50"],
    ),
    Argument("sigmas", "of the notes' bounds: half the window, in standard deviations (default 3)"),
    Argument("budget", "the best k has at most this many reports k n"),
    Argument("max_local_epsilon", "the best k has at most this local epsilon"),
    Argument(
        "bounds", nargs="+", help="the columns: private, classical, closed, real, lattice, two-sided, every, or all "
        "(with --delta the first two)",
        values=("private", "classical", "closed", "real", "lattice", "two-sided", "every", "all"),
    ),
    *HISTOGRAM, HELD, ROUNDS,
    Argument("bits", "bits of each record, counted as vectors (default 1)"),
    Argument("numbers", "records are numbers from 0 to 1, rounded at random; sigma is that of their sum", flag=True),
    Argument("plot", "draw sigma, q and the local epsilon against k", metavar="FILE.png"),
    Argument("report", "write a page for a review: question, answer, proofs", metavar="FILE.html",
             endings=(".html", ".htm")),
)  # fmt: skip
_COLLECTED = ("sigmas", "rounds", "categories", "ones", "neighbours", "bits", "numbers")


def _run(options: Namespace) -> Printed:
    from dpcalc.choose.page import page
    from dpcalc.privacy.cautions import ONE_ROUND

    bounds = options.bounds or (["all"] if options.delta is None else ["private", "classical"])
    if not {*bounds} - {"private", "classical"}:
        unused(options, "without one of the notes' bounds", "sigmas")
    found = dpcalc.plan(
        n=options.n, **limit(options), delta=options.delta, ks=several(options.k, "k"), budget=options.budget,
        max_local_epsilon=options.max_local_epsilon, **given(**{name: vars(options)[name] for name in _COLLECTED}),
        bounds="all" if bounds == ["all"] else bounds, progress=progress(options),
    )  # fmt: skip

    fits = options.delta is None or found.best is not None

    def report(path: Path) -> None:
        files.write(path, page(found, lost=less(options), command=_typed(options)).encode(), "report")

    answer = Printed(found.table(), found.to_dict(), Status.OK if fits else Status.NO_SOLUTION,
                     {"report": report, "plot": found.plot})  # fmt: skip
    return warned(answer, None if options.rounds is None or found.rounds > 1 else ONE_ROUND)


def _typed(options: Namespace) -> str:
    """The command line that makes this plan again; options at their default are left out."""
    asked, words = {**vars(options), "n": str(vars(options).get("users", options.n))}, ["dpcalc", "plan"]
    for argument in _ARGUMENTS:
        value = asked[argument.name]
        if not argument.file and value not in (None, argument.default):
            values = [] if argument.flag else [value] if isinstance(value, str) else value
            words += [f"--{argument.name.replace('_', '-')}", *values]
    return shlex.join(words)


COMMAND = Command(
    "plan",
    "what to choose: the least q for each k, what it costs and what it guarantees",
    _ARGUMENTS,
    _run,
    "plan --n 50000 --epsilon 1 --delta 1e-8 --k 1 2 5",
)
