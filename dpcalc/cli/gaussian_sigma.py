"""``dpcalc gaussian-sigma``: the least sigma of the Gaussian mechanism, to compare with."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from dpcalc.cli.command import Answer, Command, add_delta, add_limit, given, limit

__all__ = ["COMMAND"]


def _arguments(parser: ArgumentParser) -> None:
    add_limit(parser)
    add_delta(parser)
    parser.add_argument("--rtol", help="relative width (default 1e-12)")


def _run(options: Namespace) -> Answer:
    from dpcalc.privacy.gaussian import gaussian_sigma
    from dpcalc.report import promise, promise_lines

    found = gaussian_sigma(**limit(options), delta=options.delta, **given(rtol=options.rtol))
    return Answer("\n".join(promise_lines("sigma", found)), promise("sigma", found))


COMMAND = Command(
    "gaussian-sigma",
    "the least sigma of the Gaussian mechanism of sensitivity 1",
    _arguments,
    _run,
    "gaussian-sigma --epsilon 1 --delta 1e-6",
)
