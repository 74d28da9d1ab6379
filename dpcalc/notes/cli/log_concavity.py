"""``dpcalc log-concavity``: whether probabilities are log-concave, in the outcome or in the number of ones."""

from __future__ import annotations

from argparse import Namespace

from dpcalc.cli.command import Command, Printed, Status, mechanism
from dpcalc.errors import DomainError
from dpcalc.questions import Argument, K, N, Q

_ARGUMENTS = (
    N, Q, K,
    Argument(
        "ones", "how many of the n records are 1: look along the outcomes; without it along the number of ones"
    ),
    Argument(
        "newton", "along the outcomes: Newton's inequalities, which are stronger", flag=True, default=False
    ),
    Argument("strict", "ask for > in place of >=", flag=True, default=False),
)  # fmt: skip


def _run(options: Namespace) -> Printed:
    from dpcalc.mechanisms.pooled_count import generating_function, log_concavity_in_ones

    asked = mechanism(options)
    if options.ones is None:
        if options.newton:
            raise DomainError("newton", True, "no --newton without --ones")
        found = log_concavity_in_ones(asked, strict=options.strict)
    else:
        coefficients = generating_function(asked, ones=options.ones)
        found = coefficients.log_concavity(ultra=options.newton, strict=options.strict)
    if found.witness is None:
        return Printed("it holds", {"holds": True})
    places = found.witness if isinstance(found.witness, tuple) else (found.witness,)
    content = dict(zip(("s", "ones"), places, strict=False))
    text = ", ".join(f"{name} = {place:,}" for name, place in content.items())
    return Printed(f"it fails, first at {text}", {"holds": False, "fails_first_at": content}, Status.NO)


COMMAND = Command(
    "log-concavity",
    "whether probabilities are log-concave in the outcome, or in the number of ones; exit status 1 if not",
    _ARGUMENTS,
    _run,
    "log-concavity --n 1000 --q 0.009 --ones 500 --newton",
)
