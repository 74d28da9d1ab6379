"""``dpcalc ratio``: the exact privacy ratio of a pooled count, or of two collections of bit vectors."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from dpcalc.cli.command import Answer, Command, add_k, add_limit, add_n, add_q, limit, mechanism, needed, unused

__all__ = ["COMMAND"]


def _arguments(parser: ArgumentParser) -> None:
    add_n(parser, required=False)
    add_q(parser)
    add_k(parser)
    parser.add_argument("--s", help="the pooled count, 0 to k n")
    parser.add_argument("--ones", help="how many of the other n - 1 records are 1 (default: all)")
    parser.add_argument("--records", metavar="110,111,...", help="instead of --n and --s: a collection of bit vectors")
    parser.add_argument("--change", metavar="PLACE:VECTOR", help="the record of --records that changes, such as 1:000")
    add_limit(parser)


def _run(options: Namespace) -> Answer:
    return _of_count(options) if options.records is None else _of_collections(options)


def _of_count(options: Namespace) -> Answer:
    needed(options, "n", "s")
    unused(options, "without --records", "change")
    from dpcalc.numbers.enclosure import Enclosure
    from dpcalc.privacy.ratio import exceedance, ratio, ratio_bound

    asked = mechanism(options)
    content: dict[str, Any] = {"ratio": Enclosure.of(ratio(asked, options.s, ones=options.ones))}
    lines = [f"ratio = {content['ratio']}"]
    if options.ones is None:
        content["bound"] = Enclosure.of(ratio_bound(asked, options.s))
        lines.append(f"bound (K16, 5.13) = {content['bound']}")
    if _limited(options):
        outside = exceedance(asked, **limit(options), ones=options.ones)
        for key, name, value in (
            ("ratio_exceeds", "P[ratio > lambda]", outside.ratio),
            ("ratio_exceeds_under_neighbour", "  after the change to 0", outside.ratio_neighbour),
            ("reciprocal_exceeds", "P[1/ratio > lambda]", outside.reciprocal),
            ("reciprocal_exceeds_under_neighbour", "  after the change to 0", outside.reciprocal_neighbour),
        ):
            content[key] = value
            lines.append(f"{name} = {value}")
    return Answer("\n".join(lines), content)


def _of_collections(options: Namespace) -> Answer:
    needed(options, "change")
    unused(options, "with --records", "n", "s", "ones")
    from dpcalc.mechanisms.records import replaced
    from dpcalc.privacy.collections.ratios import compare
    from dpcalc.report import promise, promise_lines

    records = options.records.split(",")
    place, _, value = options.change.partition(":")
    found = compare(records, replaced(records, place, value), q=options.q, k=options.k)
    text, content = found.table(), found.to_dict()
    if _limited(options):
        worst = found.delta(**limit(options))
        content |= promise("delta", worst)
        text = "\n".join([text, *promise_lines("delta", worst)])
    return Answer(text, content)


def _limited(options: Namespace) -> bool:
    return options.lam is not None or options.epsilon is not None


COMMAND = Command(
    "ratio",
    "the exact privacy ratio of a pooled count, or of two collections",
    _arguments,
    _run,
    "ratio --n 100 --q 3/10 --s 0",
)
