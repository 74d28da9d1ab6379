"""``dpcalc pmf``, ``dpcalc ratio`` and ``dpcalc log-concavity``: what is asked of outcomes, one, a range or all."""

from __future__ import annotations

import csv
import io
import re
from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import dpcalc
from dpcalc import files
from dpcalc.cli.command import Command, Printed, Status, given, limit, limited, mechanism, needed, progress, unused
from dpcalc.errors import DomainError
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.lists import one_of
from dpcalc.numbers.rational import integer
from dpcalc.questions import LIMIT, ONES, Argument, K, N, Q
from dpcalc.registered import registered
from dpcalc.report import digits

_RANGE = re.compile(r"\s*([\d,]+)\s*-\s*([\d,]+)\s*")


def outcomes(text: str, last: int) -> slice:
    """The outcomes of a range up to the last one, its ends included, or all."""
    if text == "all":
        return slice(0, last + 1)
    found = _RANGE.fullmatch(text)
    ends = [integer(end, "s", minimum=0) for end in found.groups()] if found else []
    if not ends or not ends[0] <= ends[1] <= last:
        raise DomainError("s", text, f"all, or A-B with 0 <= A <= B <= {last:,}")
    return slice(ends[0], ends[1] + 1)


def tabled(heading: Sequence[str], rows: Callable[[], Iterable[Sequence[Any]]]) -> Callable[[Path], None]:
    """What writes a heading and rows to the file of --csv."""

    def write(path: Path) -> None:
        text = io.StringIO(newline="")
        csv.writer(text).writerows(chain([heading], rows()))
        files.write(path, text.getvalue().encode(), "csv")

    return write


_OF_PMF = (
    N, Q, K, ONES, Argument("s", "pooled counts: a range such as 480-520, or all (default)", default="all"),
    Argument("csv", "write all probabilities there", metavar="FILE"),
)  # fmt: skip


def _pmf(options: Namespace) -> Printed:
    from dpcalc.laws.generating_function import listed

    whole = dpcalc.generating_function(mechanism(options), ones=options.ones)
    found = whole.coefficients[outcomes(options.s, whole.degree)]
    content: dict[str, Any] = {"mean": Enclosure.of(whole.mean), "variance": Enclosure.of(whole.variance)}
    heading = f"mean {content['mean']}, variance {content['variance']}, {found.kind}"
    if options.json:
        content |= {"exact": found.exact, "probabilities": [{"s": s, "probability": x} for s, x in found.rows()]}
    table = tabled(["s", "probability"], lambda: ([s, digits(x, 17)] for s, x in found.rows()))
    return Printed("\n".join([heading, *listed(found)]), content, files={"csv": table})


PMF = Command(
    "pmf",
    "the probability of every pooled count, exact or enclosed",
    _OF_PMF,
    _pmf,
    "pmf --n 1000 --q 0.009 --ones 1000 --s 982-1000",
)


_OF_RATIO = (
    N._replace(needed=False), Q, K,
    Argument("s", "the outcome: a pooled count from 0 to k n, a range such as 480-520, or all"),
    Argument("bits", "with one outcome: bits of each record; --s is then how many have 0, 1, ... set: 1,0,1"),
    Argument("ones", "how many of the other n - 1 records are 1 (default: all)"),
    Argument("records", "instead of --n and --s: a collection of bit vectors", metavar="110,111,..."),
    Argument("change", "the record of --records that changes, such as 1:000", metavar="PLACE:VECTOR"),
    *LIMIT,
    Argument("sigmas", "with several outcomes: half the window that is summed up (default 3)"),
    Argument("csv", "with several outcomes: write their ratios and probabilities there", metavar="FILE"),
    Argument("plot", "with several outcomes: draw them to a .png, .pdf or .svg file", metavar="FILE"),
)  # fmt: skip


def _ratio(options: Namespace) -> Printed:
    if options.records is not None:
        needed(options, "change")
        unused(options, "with --records", "n", "s", "ones", "bits", "sigmas", "csv", "plot")
        collections: Printed = registered("compared")(options)
        return collections
    needed(options, "n", "s")
    unused(options, "without --records", "change")
    if options.s == "all" or _RANGE.fullmatch(options.s):
        return _of_counts(options)
    unused(options, "without a range of --s", "sigmas", "csv", "plot")
    if options.bits is not None:
        unused(options, "with --bits", "ones", "lam", "epsilon")
    return _of_outcome(options)


def _of_counts(options: Namespace) -> Printed:
    unused(options, "with a range of --s", "bits")
    whole = dpcalc.ratios(mechanism(options), ones=options.ones)
    found = whole[outcomes(options.s, len(whole) - 1)]
    window = found.window(**given(sigmas=options.sigmas))
    content: dict[str, Any] = {"window": _outcomes(window)}
    lines = [found.table(), f"within {options.sigmas or 3} sigma: {_said(window)}"]
    if limited(options):
        for key, name, part in (
            ("ratio_exceeds", "ratio > lambda", found.above(**limit(options))),
            ("reciprocal_exceeds", "1/ratio > lambda", found.below(**limit(options))),
        ):
            content[key] = _outcomes(part)
            lines.append(f"{name}: {_said(part)}")
    to_write = {
        "csv": tabled(
            ["s", "ratio", "probability"], lambda: ([s, digits(x, 17), digits(y, 17)] for s, x, y in found.rows())
        ),
        "plot": lambda path: found.plot(path, **limit(options), **given(sigmas=options.sigmas)),
    }
    return Printed("\n".join(lines), {**found.to_dict(), **content} if options.json else content, files=to_write)


def _outcomes(part: dpcalc.Ratios) -> dict[str, Any]:
    ends = [part.outcomes[0], part.outcomes[-1]] if part.outcomes else []
    return {"s": ends, "probability": part.probability, "probability_under_neighbour": part.probability_neighbour}


def _said(part: dpcalc.Ratios) -> str:
    from dpcalc.laws.terms import chance

    if not part.outcomes:
        return "no outcome"
    ends = " to ".join(f"{s:,}" for s in dict.fromkeys([part.outcomes[0], part.outcomes[-1]]))
    return f"s = {ends}, probability {chance(part.probability)}"


def _of_outcome(options: Namespace) -> Printed:
    from dpcalc.laws.terms import chance

    asked = mechanism(options, **given(bits=options.bits))
    s = options.s if asked.bits == 1 else options.s.split(",")
    content: dict[str, Any] = {"ratio": Enclosure.of(dpcalc.ratio(asked, s, ones=options.ones))}
    lines = [f"ratio = {content['ratio']}"]
    if options.ones is None:
        content["bound"] = Enclosure.of(dpcalc.ratio_bound(asked, s))
        lines.append(f"bound (K16, 5.13) = {content['bound']}")
    if limited(options):
        outside = dpcalc.exceedance(asked, **limit(options), ones=options.ones).to_dict()
        content, after = content | outside, "  after the change to 0"
        names = ("P[ratio > lambda]", after, "P[1/ratio > lambda]", after)
        chances = zip(names, map(chance, outside.values()), strict=True)
        lines += [f"{name} = {said}".replace("= below", "below") for name, said in chances]
    return Printed("\n".join(lines), content)


RATIO = Command(
    "ratio",
    "the exact privacy ratio of one outcome, of all, or of two collections",
    _OF_RATIO,
    _ratio,
    "ratio --n 100 --q 3/10 --s all --lam 2",
)


_NAMES, _AXES = ("s", "ones"), {"outcomes": "s", "ones": "ones"}
_OF_LOG_CONCAVITY = (
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
    Argument("plot", "draw the margin to a .png, .pdf or .svg file", metavar="FILE"),
)  # fmt: skip


def _log_concavity(options: Namespace) -> Printed:
    asked, advance = mechanism(options), progress(options)
    if one_of(options.along, "along", _AXES) == "ones":
        unused(options, "with --along ones", "ones", "newton")
        compute = bool(options.compute)
        found = dpcalc.log_concavity_in_ones(asked, strict=options.strict, compute=compute, progress=advance)
    else:
        unused(options, "without --along ones", "compute")
        coefficients = dpcalc.generating_function(asked, ones=options.ones)
        found = coefficients.log_concavity(ultra=bool(options.newton), strict=options.strict, progress=advance)
    content: dict[str, Any] = {"holds": found.holds, "proof": found.proof}
    verdict = "it holds"
    if found.witness is not None:
        content["fails_first_at"] = _place(found.witness)
        verdict = f"it fails, first at {_placed(found.witness)}"
    lines = [f"{verdict}: {found.proof}"]
    if found.tightest is not None and found.margin is not None:
        margin = str(found.margin) if found.margin.exact else f"about {found.margin:.6g}"
        content |= {"tightest_at": _place(found.tightest), "margin": found.margin}
        lines.append(f"tightest at {_placed(found.tightest)}: the margin there is {margin}")
    status = Status.OK if found.holds else Status.NO
    return Printed("\n".join(lines), content, status, {"plot": partial(found.plot, index=_AXES[options.along])})


def _place(found: int | tuple[int, int]) -> dict[str, int]:
    return dict(zip(_NAMES, found if isinstance(found, tuple) else (found,), strict=False))


def _placed(found: int | tuple[int, int]) -> str:
    return ", ".join(f"{name} = {place:,}" for name, place in _place(found).items())


LOG_CONCAVITY = Command(
    "log-concavity",
    "whether probabilities are log-concave in the outcome, or in the number of ones; exit status 1 if not",
    _OF_LOG_CONCAVITY,
    _log_concavity,
    "log-concavity --n 1000 --q 0.009 --ones 500 --newton",
)
