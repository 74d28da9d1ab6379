"""``dpcalc pmf``: the probabilities of the pooled count, coefficients of its generating function."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from dpcalc.cli.command import Command, Printed, mechanism
from dpcalc.cli.outcomes import outcomes, tabled
from dpcalc.questions import ONES, Argument, K, N, Q

_ARGUMENTS = (
    N, Q, K, ONES, Argument("s", "pooled counts: a range such as 480-520, or all (default)", default="all"),
    Argument("csv", "write all probabilities there", metavar="FILE"),
)  # fmt: skip


def _run(options: Namespace) -> Printed:
    from dpcalc.laws.generating_function import listed
    from dpcalc.mechanisms.pooled_count import generating_function
    from dpcalc.numbers.enclosure import Enclosure
    from dpcalc.report import digits

    whole = generating_function(mechanism(options), ones=options.ones)
    found = whole.coefficients[outcomes(options.s, whole.degree)]
    content: dict[str, Any] = {"mean": Enclosure.of(whole.mean), "variance": Enclosure.of(whole.variance)}
    heading = f"mean {content['mean']}, variance {content['variance']}, {found.kind}"
    if options.json:
        content |= {"exact": found.exact, "probabilities": [{"s": s, "probability": x} for s, x in found.rows()]}
    table = tabled(["s", "probability"], lambda: ([s, digits(x, 17)] for s, x in found.rows()))
    return Printed("\n".join([heading, *listed(found)]), content, files={"csv": table})


COMMAND = Command(
    "pmf",
    "the probability of every pooled count, exact or enclosed",
    _ARGUMENTS,
    _run,
    "pmf --n 1000 --q 0.009 --ones 1000 --s 982-1000",
)
