r"""A fleet: groups of users with their own lie probabilities, and dummy reports, all pooled into one count.

    S = sum over groups of the k reports of each of n users, flipped with q,  +  sum over dummies of Bin(count, a).

Everywhere n is the number of *honest* users: those whose reports arrive and are flipped as they should be. To leave
out all the others is the worst case:

*colluders*  tell the attacker what they sent, whatever that is. It is independent of the coins of the honest ones, so
             that he may subtract it, and what he learns is what the honest count tells, no more and no less. Users who
             never flip, and those whose coins are known, are colluders.
*drop-outs*  send nothing: the count is that of those who are left. Where only so many reports are known to arrive,
             further ones are independent of the changed record; to add them is post-processing, so that delta is at
             most that of the fewest. Who drops out must not depend on the record or on the coins.
*dummies*    whose number is random are as private as the fewest there can be, or more, for the same reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpcalc.mechanisms.response import MOST_REPORTS, KRandomization
from dpcalc.numbers.rational import Number, between, integer

__all__ = ["Dummies", "Group"]


@dataclass(frozen=True, slots=True, init=False)
class Group:
    """Users that randomize alike.

    Attributes:
        n: users, >= 1.
        q: the lie probability of every report, 0 < q < 1/2.
        k: reports per user, >= 1.

    Raises:
        DomainError: an argument out of range; more than 10^15 reports n k.
    """

    n: int
    q: Fraction
    k: int

    def __init__(self, *, n: Number, q: Number, k: Number = 1) -> None:
        alone = KRandomization(n=n, q=q, k=k)
        object.__setattr__(self, "n", alone.n)
        object.__setattr__(self, "q", alone.q)
        object.__setattr__(self, "k", alone.k)


@dataclass(frozen=True, slots=True, init=False)
class Dummies:
    """Reports of nobody, each 1 with the same probability a.

    Attributes:
        count: how many, >= 1; of a random number the fewest.
        probability: a, 0 < a < 1.

    Raises:
        DomainError: an argument out of range; more than 10^15.
    """

    count: int
    probability: Fraction

    def __init__(self, count: Number, probability: Number = "1/2") -> None:
        object.__setattr__(self, "count", integer(count, "count", minimum=1, maximum=MOST_REPORTS))
        object.__setattr__(self, "probability", between(probability, "probability", 0, 1, "a probability"))
