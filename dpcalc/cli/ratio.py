"""``dpcalc ratio``: the privacy ratio of a pooled count, of many at once, or of two collections of bit vectors."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from dpcalc.cli.command import Command, Printed, given, limit, limited, mechanism, needed, unused
from dpcalc.cli.outcomes import is_range, outcomes, tabled
from dpcalc.questions import LIMIT, PICTURES, Argument, K, N, Q
from dpcalc.registered import registered

if TYPE_CHECKING:
    from dpcalc.privacy.ratios import Ratios


_ARGUMENTS = (
    N._replace(needed=False), Q, K,
    Argument("s", "the outcome: a pooled count from 0 to k n, a range such as 480-520, or all"),
    Argument("bits", "with one outcome: bits of each record; --s is then how many have 0, 1, ... set: 1,0,1"),
    Argument("ones", "how many of the other n - 1 records are 1 (default: all)"),
    Argument("records", "instead of --n and --s: a collection of bit vectors", metavar="110,111,..."),
    Argument("change", "the record of --records that changes, such as 1:000", metavar="PLACE:VECTOR"),
    *LIMIT,
    Argument("sigmas", "with several outcomes: half the window that is summed up (default 3)"),
    Argument("csv", "with several outcomes: write their ratios and probabilities there", metavar="FILE"),
    Argument("plot", "with several outcomes: draw them to a .png, .pdf or .svg file", metavar="FILE", endings=PICTURES),
)  # fmt: skip


def _run(options: Namespace) -> Printed:
    if options.records is not None:
        needed(options, "change")
        unused(options, "with --records", "n", "s", "ones", "bits", "sigmas", "csv", "plot")
        collections: Printed = registered("compared")(options)
        return collections
    needed(options, "n", "s")
    unused(options, "without --records", "change")
    if is_range(options.s):
        return _of_counts(options)
    unused(options, "without a range of --s", "sigmas", "csv", "plot")
    if options.bits is not None:
        unused(options, "with --bits", "ones", "lam", "epsilon")
    return _of_outcome(options)


def _of_counts(options: Namespace) -> Printed:
    unused(options, "with a range of --s", "bits")
    from dpcalc.privacy.ratios import ratios
    from dpcalc.report import digits

    whole = ratios(mechanism(options), ones=options.ones)
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


def _outcomes(part: Ratios) -> dict[str, Any]:
    ends = [part.outcomes[0], part.outcomes[-1]] if part.outcomes else []
    return {"s": ends, "probability": part.probability, "probability_under_neighbour": part.probability_neighbour}


def _said(part: Ratios) -> str:
    from dpcalc.laws.terms import chance

    if not part.outcomes:
        return "no outcome"
    ends = " to ".join(f"{s:,}" for s in dict.fromkeys([part.outcomes[0], part.outcomes[-1]]))
    return f"s = {ends}, probability {chance(part.probability)}"


def _of_outcome(options: Namespace) -> Printed:
    from dpcalc.laws.terms import chance
    from dpcalc.numbers.enclosure import Enclosure
    from dpcalc.privacy.ratio import exceedance, ratio, ratio_bound

    asked = mechanism(options, **given(bits=options.bits))
    s = options.s if asked.bits == 1 else options.s.split(",")
    content: dict[str, Any] = {"ratio": Enclosure.of(ratio(asked, s, ones=options.ones))}
    lines = [f"ratio = {content['ratio']}"]
    if options.ones is None:
        content["bound"] = Enclosure.of(ratio_bound(asked, s))
        lines.append(f"bound (K16, 5.13) = {content['bound']}")
    if limited(options):
        outside, after = exceedance(asked, **limit(options), ones=options.ones).to_dict(), "  after the change to 0"
        content |= outside
        names = ("P[ratio > lambda]", after, "P[1/ratio > lambda]", after)
        chances = zip(names, map(chance, outside.values()), strict=True)
        lines += [f"{name} = {said}".replace("= below", "below") for name, said in chances]
    return Printed("\n".join(lines), content)


COMMAND = Command(
    "ratio",
    "the exact privacy ratio of one outcome, of all, or of two collections",
    _ARGUMENTS,
    _run,
    "ratio --n 100 --q 3/10 --s all --lam 2",
)
