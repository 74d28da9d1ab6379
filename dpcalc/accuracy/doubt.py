r"""Counts that no dataset makes likely: a sign that they are not those of the mechanism.

One more 1 raises a count S stochastically. So over every dataset P[S <= s] is largest where all bits are 0, and
P[S >= s] where all are 1. Of numbers rounded at random each report's chance lies between the same two.

The counts of a histogram of n records that hold h of the d categories each sum to a count of k n h reports of ones and
k n (d - h) of zeros, whoever holds what. Where records may hold fewer, h = 0 is the smallest such sum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from dpcalc.accuracy.fleets import dummies_of, groups_of, reports_of
from dpcalc.accuracy.one_count import RTOL
from dpcalc.laws.pool import Pool
from dpcalc.mechanisms.asymmetric import AsymmetricBits
from dpcalc.mechanisms.fleet import Fleet, Group
from dpcalc.mechanisms.pooled_count import lower_tail, upper_tail
from dpcalc.mechanisms.unary import UnaryEncoding
from dpcalc.numbers.decimal import rounded

_RARE = Fraction(1, 10**9)
_DIGITS = 3  # of a probability
_CAUSES = "are n, q and k those of the reports, and do all clients flip"


class _Counts(NamedTuple):
    """Counts of one law, which lies between two whatever the dataset is.

    Attributes:
        lowest, highest: the reports where every bit is 0, and where every one is 1.
        seen: each count, and where it stands.
        what: what is counted.
    """

    lowest: Pool
    highest: Pool
    seen: Sequence[tuple[int, str]]
    what: str = "count"

    def tails(self) -> Iterator[tuple[Fraction, str]]:
        """How likely at most a count as small as the smallest is, and one as large as the largest, and these events."""
        (least, here), (most, there) = min(self.seen), max(self.seen)
        below = lower_tail(self.lowest, least, rtol=RTOL).upper
        above = upper_tail(self.highest, most, rtol=RTOL).upper
        yield below, f"a {self.what} of {least:,} or less{here}"
        yield above, f"a {self.what} of {most:,} or more{there}"


def of_group(group: Group, counts: Sequence[int]) -> str | None:
    """The doubt about the counts of one question in several rounds, or None."""
    return _doubt([_Counts(*_ends(group), _placed("round", counts))])


def of_fleet(fleet: Fleet, counts: Sequence[int]) -> str | None:
    """The doubt about the counts of the groups, or about the pooled one."""
    groups = groups_of(fleet)
    if len(counts) == len(groups) > 1:
        named = zip(groups, _placed("group", counts), strict=True)
        return _doubt([_Counts(*_ends(group), [count]) for group, count in named])
    lowest, highest = (sum(pools, dummies_of(fleet)) for pools in zip(*map(_ends, groups), strict=True))
    return _doubt([_Counts(lowest, highest, [(counts[0], "")])])


def of_table(mechanism: UnaryEncoding | AsymmetricBits, group: Group, table: Sequence[Sequence[int]]) -> str | None:
    """The doubt about a histogram's counts, ``table[category][round]``: about one of them, or about a round's sum."""
    told = _doubt(_listed(mechanism, group, table))
    return told and (told if len(table[0]) == 1 else told.replace(_CAUSES, f"are the rows the categories, {_CAUSES}"))


def _listed(mechanism: UnaryEncoding | AsymmetricBits, group: Group, table: Sequence[Sequence[int]]) -> list[_Counts]:
    several = len(table[0]) > 1
    each = [
        (s, f" (category {category}, round {time})" if several else f" (category {category})")
        for category, row in enumerate(table, 1)
        for time, s in enumerate(row, 1)
    ]
    sums = [sum(column) for column in zip(*table, strict=True)]
    held = mechanism.ones if isinstance(mechanism, UnaryEncoding) else 1
    fewer = mechanism.neighbours == "delete" or getattr(mechanism, "at_most", None)
    (one, zero), size = group.chances, group.reports
    fewest, most = (
        Pool.of((one, size * ones), (zero, size * (len(table) - ones))) for ones in (0 if fewer else held, held)
    )
    return [
        _Counts(*_ends(group), each),
        _Counts(fewest, most, _placed("round", sums), "sum of all categories' counts"),
    ]


def _ends(group: Group) -> tuple[Pool, Pool]:
    return reports_of(group, 0), reports_of(group, group.n)


def _placed(what: str, counts: Sequence[int]) -> list[tuple[int, str]]:
    """Each count with its place, if there are several."""
    return [(s, f" ({what} {place})" if len(counts) > 1 else "") for place, s in enumerate(counts, 1)]


def _doubt(kinds: Sequence[_Counts]) -> str | None:
    """The least likely event of all, if it is rare, and what it mostly comes of."""
    chance, event = min(tail for counts in kinds for tail in counts.tails())
    if chance >= _RARE:
        return None
    return f"{event} has a probability of at most {rounded(chance, _DIGITS, 1)} under every dataset: {_CAUSES}?"
