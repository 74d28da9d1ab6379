"""``dpcalc barrier``: the sqrt(n) barrier, what no local protocol can tell apart."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from dpcalc.cli.command import Answer, Command, add_q, check_plot, given, plotted

__all__ = ["COMMAND"]


def _arguments(parser: ArgumentParser) -> None:
    add_q(parser)
    parser.add_argument("--n", nargs="+", help="numbers of people (default 1e2 to 1e10)")
    parser.add_argument("--exponents", nargs="+", help="exponents e of n^e ones (default 1/3 1/2 2/3)")
    parser.add_argument("--scale", default="1", help="the factor of n^e (default 1)")
    parser.add_argument("--plot", metavar="FILE.png", help="draw the errors against n")


def _run(options: Namespace) -> Answer:
    from dpcalc.notes.barrier.sqrt_barrier import sqrt_barrier

    check_plot(options)
    found = sqrt_barrier(q=options.q, scale=options.scale, **given(ns=options.n, exponents=options.exponents))
    return Answer(found.table(), found.to_dict(), files=plotted(options, found.plot))


COMMAND = Command(
    "barrier",
    "the sqrt(n) barrier: what no local protocol can tell apart",
    _arguments,
    _run,
    "barrier --q 1/4 --n 100 1e4",
)
