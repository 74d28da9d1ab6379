"""Several counts at once: of the same question asked in R rounds, and of the categories of a histogram.

*Rounds.* The sum S of R pooled counts is made of R k n reports, each 1 with probability q + (p - q) b for its record's
bit b in its round. So it is the pooled count of one round of R n records that hold T_1 + ... + T_R ones, whether or not
anybody's bit changes between rounds, and the mean of the T_r is estimated by what estimates that sum, divided by R: the
variance is that of one round over R, and an interval that holds for R n records holds for the mean.

*Histograms.* Each category is the single-bit question whether a record holds it. With the error probability beta / d in
each of d categories all intervals hold together except with probability at most beta, however the counts depend on each
other (Bonferroni).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from dpcalc.errors import DomainError
from dpcalc.mechanisms.response import MOST_REPORTS, KRandomization
from dpcalc.mechanisms.unary import UnaryEncoding
from dpcalc.numbers.lists import as_list, one_or_many
from dpcalc.numbers.rational import Number, integer

#: One pooled count, or one for each round.
Counts: TypeAlias = Number | Sequence[Number]


def total(mechanism: KRandomization, s: object) -> tuple[int, int]:
    """(the sum of the counts, in how many rounds).

    Raises:
        DomainError: no counts, one outside 0..k n, or more than 10^15 reports in all.
    """
    counts = [integer(count, "s", minimum=0, maximum=mechanism.reports) for count in one_or_many(s)]
    if not counts or len(counts) * mechanism.reports > MOST_REPORTS:
        raise DomainError("s", s, f"a count, or one for each round, of at most {MOST_REPORTS:,} reports in all")
    return sum(counts), len(counts)


def as_one_round(mechanism: KRandomization, rounds: int) -> KRandomization:
    """The mechanism whose count is the sum of the counts of so many rounds."""
    return mechanism if rounds == 1 else KRandomization(n=rounds * mechanism.n, q=mechanism.q, k=mechanism.k)


def of_categories(mechanism: UnaryEncoding, s: Sequence[Counts]) -> tuple[KRandomization, list[tuple[int, int]]]:
    """The mechanism behind each category's count, and the ``total`` of each category.

    Raises:
        DomainError: not one count, or one list of equally many rounds' counts, for every category; else as ``total``.
    """
    single = KRandomization(n=mechanism.n, q=mechanism.q, k=mechanism.k)
    allowed = f"a list of {mechanism.categories} counts, one for each category"
    found = [total(single, counts) for counts in as_list(s, "s", allowed)]
    if len(found) != mechanism.categories or len({rounds for _, rounds in found}) > 1:
        raise DomainError("s", s, allowed)
    return single, found
