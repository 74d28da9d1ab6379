"""``dpcalc estimate``: how many records hold 1, from the pooled count, and an interval for it."""

from __future__ import annotations

from argparse import Namespace

from dpcalc.cli.command import Command, Printed, given, mechanism
from dpcalc.questions import CONFIDENCE, METHOD, Argument, K, N, Q

__all__ = ["COMMAND"]


_ARGUMENTS = (
    N, Q, K, Argument("s", "the pooled count, from 0 to k n", needed=True), CONFIDENCE,
    METHOD._replace(help="exact (default), chebyshev, hoeffding or normal; normal keeps it only roughly"),
)  # fmt: skip


def _run(options: Namespace) -> Printed:
    from dpcalc.accuracy.estimator import estimate
    from dpcalc.numbers.enclosure import Enclosure
    from dpcalc.report import least, most

    found = estimate(mechanism(options), options.s)
    interval = found.interval(options.confidence, **given(method=options.method))
    lines = [
        f"ones = {Enclosure.of(found.value):10} (the estimate; with sigma = {found.sigma:6})",
        f"{options.confidence} confidence: from {least(interval.lower)} to {most(interval.upper)}",
    ]
    content = {
        "ones": found.value, "fraction": found.fraction, "sigma": found.sigma,
        "interval": {"lower": interval.lower, "upper": interval.upper},
    }  # fmt: skip
    return Printed("\n".join(lines), content)


COMMAND = Command(
    "estimate",
    "how many records hold 1, from the pooled count, and an interval for it",
    _ARGUMENTS,
    _run,
    "estimate --n 1000 --q 0.1 --s 400 --confidence 0.95",
)
