"""``dpcalc local-q``: the least q under the notes' 3-sigma bound, for all records 1 or every dataset."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from dpcalc.cli.command import Command, Printed, certifier, given, limit
from dpcalc.questions import CERTIFICATE, LIMIT, Argument, K, N

if TYPE_CHECKING:
    from dpcalc.numbers.bracket import Bracket

_WITNESS = ("ones", "outcome", "reciprocal", "ratio")


_ARGUMENTS = (
    N, *LIMIT, K, Argument("bits", "bits per record (default 1)", default="1"),
    Argument("sigmas", "half the window, in standard deviations (default 3)", default="3"),
    Argument(
        "method", "closed (default), real or lattice, and variance or box for several bits; lattice for every dataset",
        values=("closed", "real", "lattice", "variance", "box"),
    ),
    Argument("sides", "1: the ratio; 2: its reciprocal too (default 1)", default="1"),
    Argument(
        "dataset", default="all-ones", help="all-ones, as in the notes (default); every: each dataset in its own "
        "window (seconds up to n = 1000; minutes from n = 10,000 and k = 10 on)", values=("all-ones", "every"),
    ),
    CERTIFICATE, Argument("rtol", "relative width (default 1e-12; closed has 40 digits)"),
)  # fmt: skip


def _run(options: Namespace) -> Printed:
    from dpcalc.local.bound import local_q
    from dpcalc.report import bracket, bracket_lines

    names = ("n", "k", "bits", "sigmas", "sides", "dataset")
    asked = {**limit(options), **{name: getattr(options, name) for name in names}, **given(method=options.method)}
    proof = certifier(options, local_q, **asked)
    found = local_q(**asked, **given(rtol=options.rtol))
    lines, content = [*bracket_lines("q", found), *_about(found, options.bits != "1")], bracket("q", found)
    if found.witness is not None:
        content["witness"] = {name: getattr(found.witness, name) for name in _WITNESS}
    if found.first is not None:
        if found.first.upper < found.lower:  # else it is the same threshold, as far as it is known
            lines.append(_first(found.first))
        content["first"] = bracket("q", found.first)
    return Printed("\n".join([*lines]), content, files=proof(found))


def _about(found: Bracket, several_bits: bool) -> list[str]:
    """Which datasets the answer is about."""
    if found.witness is None:
        said = "with all records 1; other datasets may exceed the limit in their own windows"
        return [said if several_bits else f"{said} (--dataset every)"]
    return [f"every dataset, in its own window; fails: {found.witness}"]


def _first(first: Bracket) -> str:
    """Where a bound that is not monotone holds first."""
    from dpcalc.numbers.enclosure import Enclosure

    if first.lower > 0:
        return f"holds first at q = {first}"
    return f"holds first: for every q up to {Enclosure.of(first.upper):6}, where only s = kn is likely"


COMMAND = Command(
    "local-q",
    "the least q under the notes' 3-sigma bound: all records 1, or every dataset",
    _ARGUMENTS,
    _run,
    "local-q --n 1000 --lam 2 --method lattice",
)
