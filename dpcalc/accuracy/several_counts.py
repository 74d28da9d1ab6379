"""Several counts at once: of the same question asked in R rounds, and of the categories of a histogram.

*Rounds.* The sum S of R pooled counts is made of R k n reports, each 1 with probability q + (p - q) b for its record's
bit b in its round. So it is the pooled count of one round of R n records that hold T_1 + ... + T_R ones, whether or not
anybody's bit changes between rounds. The estimate of that sum divided by R estimates the mean of the T_r: its variance
is that of one round divided by R, and an interval for the R n records divided by R is one for the mean.

*Histograms.* Each category is the single-bit question whether a record holds it. With the error probability beta / d in
each of d categories, all intervals hold at once except with probability at most beta, however the counts depend on each
other (Bonferroni).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from dpcalc.errors import DomainError
from dpcalc.mechanisms.fleet import Group
from dpcalc.mechanisms.response import MOST_REPORTS
from dpcalc.numbers.lists import as_list, one_or_many
from dpcalc.numbers.rational import Number, integer

#: One pooled count, or one for each round.
Counts: TypeAlias = Number | Sequence[Number]


def of_rounds(group: Group, s: object) -> list[int]:
    """The count of each round.

    Raises:
        DomainError: no counts, one outside 0..k n, or more than 10^15 reports in all.
    """
    counts = [integer(count, "s", minimum=0, maximum=group.reports) for count in one_or_many(s)]
    if not counts or len(counts) * group.reports > MOST_REPORTS:
        raise DomainError("s", s, f"a count, or one for each round, of at most {MOST_REPORTS:,} reports in all")
    return counts


def of_categories(categories: int, group: Group, s: Sequence[Counts]) -> list[list[int]]:
    """The counts of each category in each round.

    Raises:
        DomainError: not one count, or one list of equally many rounds' counts, for every category; else as
            ``of_rounds``.
    """
    allowed = f"a list of {categories} counts, one for each category"
    found = [of_rounds(group, counts) for counts in as_list(s, "s", allowed)]
    if len(found) != categories or len({len(counts) for counts in found}) > 1:
        raise DomainError("s", s, allowed)
    return found
