"""``dpcalc blanket``: the privacy blanket's bound of delta, for records of any number of bits."""

from __future__ import annotations

from argparse import Namespace

from dpcalc.cli.command import Command, Printed, limit, mechanism
from dpcalc.questions import LIMIT, Argument, K, N, Q

_ARGUMENTS = (N, Q, K, Argument("bits", "bits per record (default 1)", default="1"), *LIMIT)


def _run(options: Namespace) -> Printed:
    from dpcalc.notes.vectors.blanket import blanket_bound
    from dpcalc.numbers.decimal import rounded
    from dpcalc.numbers.enclosure import Enclosure

    found = blanket_bound(mechanism(options, bits=options.bits), **limit(options))
    return Printed(f"delta is at most {rounded(found, 6, 1)}", {"delta_at_most": Enclosure.of(found)})


COMMAND = Command(
    "blanket",
    "the privacy blanket's bound of delta, for records of any number of bits",
    _ARGUMENTS,
    _run,
    "blanket --n 1000 --q 1/4 --bits 2 --lam 2",
)
