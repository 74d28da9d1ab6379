"""``dpcalc local-q``: the least q under the notes' 3-sigma bound."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from dpcalc.cli.command import Answer, Command, add_certificate, add_k, add_limit, add_n, certifier, given, limit

if TYPE_CHECKING:
    from dpcalc.choose.bracket import Bracket

__all__ = ["COMMAND"]


def _arguments(parser: ArgumentParser) -> None:
    add_n(parser)
    add_limit(parser)
    add_k(parser)
    parser.add_argument("--bits", default="1", help="bits per record (default 1)")
    parser.add_argument("--sigmas", default="3", help="half the window, in standard deviations (default 3)")
    parser.add_argument(
        "--method", default="closed", help="closed, real or lattice, and variance for several bits (default closed)"
    )
    parser.add_argument("--sides", default="1", help="1: the ratio; 2: its reciprocal too (default 1)")
    add_certificate(parser)
    parser.add_argument("--rtol", help="relative width (default 1e-12; closed has 40 digits)")


def _run(options: Namespace) -> Answer:
    from dpcalc.choose.local import local_q
    from dpcalc.report import bracket, bracket_lines

    names = ("n", "k", "bits", "sigmas", "method", "sides")
    asked = {**limit(options), **{name: getattr(options, name) for name in names}}
    proof = certifier(options, local_q, **asked)
    found = local_q(**asked, **given(rtol=options.rtol))
    lines, content = bracket_lines("q", found), bracket("q", found)
    if found.first is not None:
        lines.append(_first(found.first))
        content["first"] = bracket("q", found.first)
    return Answer("\n".join([*lines]), content, files=proof(found))


def _first(first: Bracket) -> str:
    """Where a bound that is not monotone holds first."""
    from dpcalc.numbers.enclosure import Enclosure

    if first.lower > 0:
        return f"holds first at q = {first}"
    return f"holds first: for every q up to {Enclosure.of(first.upper):6}, where only s = kn is likely"


COMMAND = Command(
    "local-q",
    "the least q under the notes' 3-sigma bound",
    _arguments,
    _run,
    "local-q --n 1000 --lam 2 --method lattice",
)
