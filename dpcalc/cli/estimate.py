"""``dpcalc estimate``: how many records hold 1, or each category, from the pooled counts, and an interval for it."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

import dpcalc
from dpcalc.cli.command import Command, Printed, given, several, unused, warned
from dpcalc.errors import DomainError
from dpcalc.numbers.decimal import plural, rounded
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.lists import one_or_many
from dpcalc.numbers.rational import integer
from dpcalc.questions import CONFIDENCE, HISTOGRAM, METHOD, ROUNDS, Argument, K, N, Q
from dpcalc.report import aligned, digits

_DIGITS = 16  # of an end of an interval: all of a whole number

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
    pool: dict[str, Any] = {"n": options.n, "q": options.q, "k": options.k}
    single = options.categories is None
    if single:
        unused(options, "without --categories", "simultaneous")
        asked: Any = dpcalc.KRandomization(**pool)
    else:
        asked = dpcalc.UnaryEncoding(**pool, categories=options.categories)
    rounds = _counts(options, 1 if single else asked.categories)
    columns = [list(column) for column in zip(*rounds, strict=True)]
    s, together = columns[0] if single else columns, given(method=options.method, simultaneous=options.simultaneous)
    found = one_or_many(dpcalc.estimate(asked, s))
    intervals = dpcalc.confidence_interval(asked, s, confidence=options.confidence, **together)
    each = list(zip(found, one_or_many(intervals), strict=True))
    sigma, days = f"sigma = {found[0].sigma:6}", f"{len(rounds):,} rounds"
    if single:
        low, high = _ends(intervals)
        of = "the estimate" if len(rounds) == 1 else f"the estimated mean of {days}"
        lines = [f"ones = {Enclosure.of(found[0].value):10} ({of}; with {sigma})",
                 f"{options.confidence} confidence: from {low} to {high}"]  # fmt: skip
    else:
        heading, of = ["category", "estimate", "from", "to"], "" if len(rounds) == 1 else f", means of {days}"
        rows = [[str(at), digits(Enclosure.of(one.value), 7), *_ends(ends)] for at, (one, ends) in enumerate(each, 1)]
        kept = "of all intervals together" if options.simultaneous else "of each interval"
        lines = [*aligned([heading, *rows], right=True),
                 f"records of each category{of}; {sigma}; {options.confidence} confidence {kept}"]  # fmt: skip
    content = [
        {
            "ones": one.value, "fraction": one.fraction, "sigma": one.sigma,
            "interval": {"lower": ends.lower, "upper": ends.upper},
        }
        for one, ends in each
    ]  # fmt: skip
    answer = Printed("\n".join(lines), content[0] if single else {"categories": content, "rounds": len(rounds)})
    return warned(answer, found[0].note)  # a histogram has one note


def _counts(options: Namespace, categories: int) -> list[list[str]]:
    """The counts of each round: as many as there are categories."""
    s = list(several(options.s, "s"))
    rounds = max(1, len(s) // categories)
    if options.rounds is not None:
        rounds = integer(options.rounds, "rounds", minimum=1)
    if len(s) != rounds * categories:
        allowed = f"{rounds * categories:,}: one for each of {plural(rounds, 'round')}"
        if categories > 1:
            allowed += f" and {categories:,} categories"
        raise DomainError("s", plural(len(s), "count"), allowed)
    return [s[at : at + categories] for at in range(0, len(s), categories)]


def _ends(interval: dpcalc.Interval) -> tuple[str, str]:
    """Both ends of the interval, rounded outward: a mean of counts may be a fraction."""
    return rounded(interval.lower.lower, _DIGITS, -1), rounded(interval.upper.upper, _DIGITS, 1)


COMMAND = Command(
    "estimate",
    "how many records hold 1, or each category, from the pooled counts, with intervals",
    _ARGUMENTS,
    _run,
    "estimate --n 1000 --q 0.1 --s 400 --confidence 0.95",
)
