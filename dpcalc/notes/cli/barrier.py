"""``dpcalc barrier``: the sqrt(n) barrier, what no local protocol can tell apart."""

from __future__ import annotations

from argparse import Namespace

from dpcalc.cli.command import Command, Printed, given
from dpcalc.questions import Argument, Q

_ARGUMENTS = (
    Q,
    Argument("n", "numbers of people (default 1e2 to 1e10)", nargs="+"),
    Argument("exponents", "exponents e of n^e ones (default 1/3 1/2 2/3)", nargs="+"),
    Argument("scale", "the factor of n^e (default 1)", default="1"),
    Argument("plot", "draw the errors against n", metavar="FILE.png"),
)


def _run(options: Namespace) -> Printed:
    from dpcalc.notes.barrier.sqrt_barrier import sqrt_barrier

    found = sqrt_barrier(q=options.q, scale=options.scale, **given(ns=options.n, exponents=options.exponents))
    return Printed(found.table(), found.to_dict(), files={"plot": found.plot})


COMMAND = Command(
    "barrier",
    "the sqrt(n) barrier: what no local protocol can tell apart",
    _ARGUMENTS,
    _run,
    "barrier --q 1/4 --n 100 1e4",
)
