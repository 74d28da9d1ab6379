r"""Counts that no dataset makes likely: a sign that they are not those of the mechanism.

One more 1 raises a count S stochastically. So over every dataset P[S <= s] is largest where all bits are 0, and
P[S >= s] where all are 1. Of numbers rounded at random each report's chance lies between the same two.

The counts of a histogram of n records that hold h of the d categories each sum to a count of k n h reports of ones and
k n (d - h) of zeros, whoever holds what. Where records may hold fewer, h = 0 is the smallest such sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from dpcalc.accuracy.counted import Counted
from dpcalc.accuracy.methods import RTOL
from dpcalc.laws.pool import Pool
from dpcalc.mechanisms.unary import AsymmetricBits, UnaryEncoding
from dpcalc.numbers.decimal import rounded

_RARE = Fraction(1, 10**9)
_DIGITS = 3  # of a probability
_CAUSES = "are n, q and k those of the reports, and do all clients flip"

#: Each count, and where it stands.
_Seen = Sequence[tuple[int, str]]
#: How likely an event is at most, whatever the dataset, and its words.
_Tail = tuple[Fraction, str]


def of_rounds(asked: Counted, counts: Sequence[int]) -> str | None:
    """The doubt about the counts of one question in several rounds, or None."""
    return _doubt(_tails(asked, _placed("round", counts)))


def of_fleet(asked: Counted, counts: Sequence[int]) -> str | None:
    """The doubt about the counts of the groups, or about the pooled one."""
    if len(counts) == 1:
        return _doubt(_tails(asked, [(counts[0], "")]))
    named = zip(asked.groups, _placed("group", counts), strict=True)
    return _doubt([tail for group, count in named for tail in _tails(Counted((group,)), [count])])


def of_table(mechanism: UnaryEncoding | AsymmetricBits, asked: Counted, table: Sequence[Sequence[int]]) -> str | None:
    """The doubt about a histogram's counts, ``table[category][round]``: about one of them, or about a round's sum."""
    several = len(table[0]) > 1
    each = [
        (s, f" (category {category}, round {time})" if several else f" (category {category})")
        for category, row in enumerate(table, 1)
        for time, s in enumerate(row, 1)
    ]
    sums = _placed("round", [sum(column) for column in zip(*table, strict=True)])
    held = mechanism.ones if isinstance(mechanism, UnaryEncoding) else 1
    fewer = mechanism.neighbours == "delete" or getattr(mechanism, "at_most", None)
    all_bits = Counted((asked.groups[0].of(asked.n * len(table)),))
    fewest, most = (all_bits.pool(asked.n * ones) for ones in (0 if fewer else held, held))
    told = _doubt([*_tails(asked, each), *_between(fewest, most, sums, "sum of all categories' counts")])
    return told and told.replace(_CAUSES, f"are the rows the categories, {_CAUSES}") if several else told


def _tails(asked: Counted, seen: _Seen) -> list[_Tail]:
    """The least likely tails of counts that are each of all these users: between those of no ones and of all."""
    return _between(asked.pool(0), asked.pool(asked.n), seen, "count")


def _between(lowest: Pool, highest: Pool, seen: _Seen, what: str) -> list[_Tail]:
    """How likely at most a count as small as the smallest is, and one as large as the largest."""
    (least, here), (most, there) = min(seen), max(seen)
    below = lowest.at_most(least, rtol=RTOL).upper
    above = highest.at_least(most, rtol=RTOL).upper
    return [(below, f"a {what} of {least:,} or less{here}"), (above, f"a {what} of {most:,} or more{there}")]


def _placed(what: str, counts: Sequence[int]) -> _Seen:
    """Each count with its place, if there are several."""
    return [(s, f" ({what} {place})" if len(counts) > 1 else "") for place, s in enumerate(counts, 1)]


def _doubt(tails: Sequence[_Tail]) -> str | None:
    """The least likely event, if it is rare, and what it mostly comes of."""
    chance, event = min(tails)
    if chance >= _RARE:
        return None
    return f"{event} has a probability of at most {rounded(chance, _DIGITS, 1)} under every dataset: {_CAUSES}?"
