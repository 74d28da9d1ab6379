"""``dpcalc estimate``: how many records hold 1, or each category, from the pooled counts, and an interval for it."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

import dpcalc
from dpcalc.cli.command import Command, Printed, doubted, given, mechanism, several, unused
from dpcalc.errors import DomainError
from dpcalc.numbers.decimal import rounded
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.rational import integer
from dpcalc.questions import CONFIDENCE, HISTOGRAM, METHOD, ROUNDS, Argument, K, N, Q
from dpcalc.report import aligned, digits, least, most

_DIGITS = 12  # of an end of an interval, if it is a fraction

_ARGUMENTS = (
    N, Q, K,
    Argument("s", "the pooled count, from 0 to k n; of several categories and rounds all counts, round after round",
             needed=True, nargs="+"),
    CONFIDENCE,
    METHOD._replace(help="exact (default), chebyshev, hoeffding or normal; normal keeps it only roughly"),
    HISTOGRAM[0], ROUNDS._replace(help="how many rounds the counts are of; the mean is estimated"),
    Argument("simultaneous", "the intervals of all categories hold together with the confidence", flag=True),
)  # fmt: skip


def _run(options: Namespace) -> Printed:
    if options.categories is None:
        unused(options, "without --categories", "simultaneous")
        return _count(options)
    return _histogram(options)


def _counts(options: Namespace, categories: int) -> list[list[str]]:
    """The counts of each round: as many as there are categories."""
    s = list(several(options.s, "s"))
    rounds = max(1, len(s) // categories)
    if options.rounds is not None:
        rounds = integer(options.rounds, "rounds", minimum=1)
    if len(s) != rounds * categories:
        allowed = f"{rounds * categories:,}: one for each of {_several(rounds, 'round')}"
        if categories > 1:
            allowed += f" and {categories:,} categories"
        raise DomainError("s", _several(len(s), "count"), allowed)
    return [s[at : at + categories] for at in range(0, len(s), categories)]


def _count(options: Namespace) -> Printed:
    counts = [count for (count,) in _counts(options, 1)]
    asked = mechanism(options)
    found = dpcalc.estimate(asked, counts if len(counts) > 1 else counts[0])
    interval = found.interval(options.confidence, **given(method=options.method))
    low, high = _ends(interval)
    of = "the estimate" if len(counts) == 1 else f"the estimated mean of {len(counts):,} rounds"
    lines = [
        f"ones = {Enclosure.of(found.value):10} ({of}; with sigma = {found.sigma:6})",
        f"{options.confidence} confidence: from {low} to {high}",
    ]
    return doubted(Printed("\n".join(lines), _content(found, interval)), found)


def _histogram(options: Namespace) -> Printed:
    asked = dpcalc.UnaryEncoding(n=options.n, q=options.q, k=options.k, categories=options.categories)
    rounds = _counts(options, asked.categories)
    columns = [list(column) for column in zip(*rounds, strict=True)]
    together = given(method=options.method, simultaneous=options.simultaneous)
    intervals = dpcalc.confidence_interval(asked, columns, confidence=options.confidence, **together)
    found = dpcalc.estimate(asked, columns)
    rows = [["category", "estimate", "from", "to"]] + [
        [str(place), digits(Enclosure.of(one.value), 7), *_ends(ends)]
        for place, (one, ends) in enumerate(zip(found, intervals, strict=True), 1)
    ]
    of = "" if len(rounds) == 1 else f", means of {len(rounds):,} rounds"
    kept = "of all intervals together" if options.simultaneous else "of each interval"
    lines = [
        *aligned(rows, right=True),
        f"records of each category{of}; sigma = {found[0].sigma:6}; {options.confidence} confidence {kept}",
    ]
    each = [_content(one, ends) for one, ends in zip(found, intervals, strict=True)]
    answer = Printed("\n".join(lines), {"categories": each, "rounds": len(rounds)})
    return doubted(answer, found[0])  # the table has one note


def _several(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _ends(interval: dpcalc.Interval) -> tuple[str, str]:
    """Both ends of the interval, fractions as decimals rounded outward: a mean of counts may be one."""
    low, high = least(interval.lower), most(interval.upper)
    if "/" in low:
        low = rounded(interval.lower.lower, _DIGITS, -1)
    if "/" in high:
        high = rounded(interval.upper.upper, _DIGITS, 1)
    return low, high


def _content(found: dpcalc.Estimate, interval: dpcalc.Interval) -> dict[str, Any]:
    return {
        "ones": found.value, "fraction": found.fraction, "sigma": found.sigma,
        "interval": {"lower": interval.lower, "upper": interval.upper},
    }  # fmt: skip


COMMAND = Command(
    "estimate",
    "how many records hold 1, or each category, from the pooled counts, with intervals",
    _ARGUMENTS,
    _run,
    "estimate --n 1000 --q 0.1 --s 400 --confidence 0.95",
)
