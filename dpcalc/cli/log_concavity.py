"""``dpcalc log-concavity``: whether probabilities are log-concave, in the outcome or in the number of ones."""

from __future__ import annotations

from argparse import Namespace
from functools import partial
from typing import Any

from dpcalc.cli.command import Command, Printed, Status, mechanism, unused
from dpcalc.cli.waiting import shown
from dpcalc.questions import PICTURES, Argument, K, N, Q

_NAMES, _AXES = ("s", "ones"), {"outcomes": "s", "ones": "ones"}
_ARGUMENTS = (
    N, Q, K,
    Argument("ones", "along the outcomes: how many of the n records are 1 (default: all)"),
    Argument(
        "along", "look along the outcomes s (default), or along the number of ones", default="outcomes",
        values=tuple(_AXES),
    ),
    Argument("newton", "along the outcomes: Newton's inequalities, which are stronger", flag=True),
    Argument(
        "compute", "along the number of ones: compare all probabilities where they are few enough; without it the"
        " verdict is a theorem's", flag=True,
    ),
    Argument("strict", "ask for > in place of >=", flag=True, default=False),
    Argument("plot", "draw the margin to a .png, .pdf or .svg file", metavar="FILE", endings=PICTURES),
)  # fmt: skip


def _run(options: Namespace) -> Printed:
    from dpcalc.mechanisms.pooled_count import generating_function, log_concavity_in_ones
    from dpcalc.numbers.lists import one_of

    asked, advance = mechanism(options), shown(options).advance
    if one_of(options.along, "along", _AXES) == "ones":
        unused(options, "with --along ones", "ones", "newton")
        found = log_concavity_in_ones(asked, strict=options.strict, compute=bool(options.compute), progress=advance)
    else:
        unused(options, "without --along ones", "compute")
        coefficients = generating_function(asked, ones=options.ones)
        found = coefficients.log_concavity(ultra=bool(options.newton), strict=options.strict, progress=advance)
    content: dict[str, Any] = {"holds": found.holds, "proof": found.proof}
    verdict = "it holds"
    if found.witness is not None:
        content["fails_first_at"] = _place(found.witness)
        verdict = f"it fails, first at {_said(found.witness)}"
    lines = [f"{verdict}: {found.proof}"]
    if found.tightest is not None and found.margin is not None:
        margin = str(found.margin) if found.margin.exact else f"about {found.margin:.6g}"
        content |= {"tightest_at": _place(found.tightest), "margin": found.margin}
        lines.append(f"tightest at {_said(found.tightest)}: the margin there is {margin}")
    status = Status.OK if found.holds else Status.NO
    return Printed("\n".join(lines), content, status, {"plot": partial(found.plot, index=_AXES[options.along])})


def _place(found: int | tuple[int, int]) -> dict[str, int]:
    return dict(zip(_NAMES, found if isinstance(found, tuple) else (found,), strict=False))


def _said(found: int | tuple[int, int]) -> str:
    return ", ".join(f"{name} = {place:,}" for name, place in _place(found).items())


COMMAND = Command(
    "log-concavity",
    "whether probabilities are log-concave in the outcome, or in the number of ones; exit status 1 if not",
    _ARGUMENTS,
    _run,
    "log-concavity --n 1000 --q 0.009 --ones 500 --newton",
)
