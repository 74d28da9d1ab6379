r"""A fleet: groups of users with their own flip probabilities or chances, and dummy reports, all pooled into one count.

    S = sum over groups of the k reports of each of n users, flipped with q,  +  sum over dummies of Bin(count, a).

A group may also report 1 with one probability if the bit is 1 and with a lower one if it is 0 (``asymmetric``). The two
directions are then no longer mirror images of each other: both are computed (proof notes, A1).

Everywhere n is the number of *honest* users: those whose reports arrive and are flipped as they should be. Leaving out
all other users is the worst case:

*colluders*  tell the attacker what they sent. That is independent of the honest users' coins, so that he can subtract
             it: he learns exactly what the honest users' count shows. Users who never flip, and those whose coins are
             known, are colluders.
*drop-outs*  send nothing: the count is that of the other users. Where only a least number of reports is known, further
             reports are independent of the changed record; adding them is post-processing, so that delta is at most
             that of the least number. Who drops out must not depend on the record or on the coins.
*dummies*    If their number is random, delta is at most that of the least number, for the same reason.

delta is the largest over every dataset of all groups, for a changed user of each group. The answer names the group, the
dataset and the direction. delta never rises with more honest users in a group (they add independent reports), nor with
more dummies. It may rise with a further *group*, whose users can be changed too, and with a larger q in one
group where another has k > 1 (groups n = q = k = 1, 1/4, 1 and 1, 2/5, 2 at lambda = 1: 6/25; with 1/2 in place of 2/5
1/4), but not if every k = 1.

Where n is public, one user's record is replaced. Where n is hidden, a record is added or removed ("add-remove": the n
records of the fleet against n - 1 of them), and only the count is released, not the number of reports. A count larger
than the number of all other reports then shows that the record is there: delta stays above 0 for every epsilon.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from dpcalc.errors import DomainError, NoSolution
from dpcalc.mechanisms.mechanism import (
    CHANCE,
    Mechanism,
    Name,
    Parameter,
    Real,
    Whole,
    declared,
    instances,
    parameter,
    unread,
)
from dpcalc.mechanisms.response import KRandomization, RandomizedResponse
from dpcalc.numbers.elementary import log
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.lists import as_list, one_of
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import LARGEST, Number, integer, probability

_CHANCES = "(a, b) with 0 < b < a < 1, the chance of a report of 1 if the bit is 1 and if it is 0"

_CERTAIN = "with b = 0 or a = 1 delta of bits alone is 1 - (1 - a)^k or 1 - b^k for every epsilon, whatever n is"


def two_chances(chances: object, name: str = "chances") -> tuple[Fraction, Fraction]:
    """(a, b): the chance that a report is 1 if the bit is 1, and if it is 0.

    Raises:
        DomainError: they are not 0 < b < a < 1.
    """
    given = as_list(chances, name, _CHANCES)
    if len(given) != 2:
        raise DomainError(name, chances, _CHANCES)
    a, b = (probability(one, name) for one in given)
    if not 0 < b < a < 1:
        raise DomainError(name, chances, f"{_CHANCES}; {_CERTAIN}" if b < a else _CHANCES)
    return a, b


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Group:
    """Users with the same randomizer.

    Args:
        n: users, >= 1.
        q: the flip probability of every report, 0 < q < 1/2; or
        chances: (a, b), the chance that a report is 1 if the bit is 1, and if it is 0; 0 < b < a < 1.
        k: reports per user, >= 1.

    Attributes:
        chances: (a, b); (1 - q, q) where q was given.

    Raises:
        DomainError: an argument out of range; none or both of q and chances; more than 10^15 reports n k.

    >>> Group(n=1000, q="1/10"), Group(n=1000, chances=("1/2", "1/10"))
    (Group(n=1000, q='1/10'), Group(n=1000, chances=('1/2', '1/10')))
    """

    n: int
    chances: tuple[Fraction, Fraction]
    k: int

    def __init__(
        self, *, n: Number, q: Number | None = None, chances: Sequence[Number] | None = None, k: Number = 1
    ) -> None:
        if q is not None and chances is None:
            lie = RandomizedResponse(q).q
            object.__setattr__(self, "chances", (1 - lie, lie))
        elif q is None and chances is not None:
            object.__setattr__(self, "chances", two_chances(chances))
        else:
            raise DomainError("q, chances", (q, chances), "exactly one of them")
        alone = KRandomization(n=n, q="1/4", k=k)
        object.__setattr__(self, "n", alone.n)
        object.__setattr__(self, "k", alone.k)

    @property
    def randomizer(self) -> tuple[tuple[Fraction, Fraction], int]:
        """The chances and k."""
        return self.chances, self.k

    @property
    def symmetric(self) -> bool:
        """Whether it has one flip probability: a + b = 1."""
        return sum(self.chances) == 1

    @property
    def q(self) -> Fraction:
        """The flip probability.

        Raises:
            DomainError: reports of 1 and of 0 have different flip probabilities.
        """
        if not self.symmetric:
            raise DomainError("chances", self.chances, "a + b = 1: asymmetric reports have no one flip probability q")
        return self.chances[1]

    @property
    def reports(self) -> int:
        """The number k n of reports."""
        return self.k * self.n

    @property
    def own(self) -> tuple[Fraction, Fraction]:
        """The chances of a 1 for the bits 0 and 1."""
        a, b = self.chances
        return b, a

    @property
    def flipped(self) -> Group:
        """The same users, the meaning of both bits exchanged in what they hold and report."""
        a, b = self.chances
        return Group(n=self.n, chances=(1 - b, 1 - a), k=self.k)

    @property
    def losses(self) -> tuple[Enclosure, Enclosure]:
        """The privacy losses of a report of 1 for the bit 1, ln(a/b), and of 0 for the bit 0, ln((1-b)/(1-a))."""
        a, b = self.chances
        return log(a / b), log((1 - b) / (1 - a))

    @property
    def local_epsilon(self) -> Enclosure:
        """k times the larger loss."""
        ones, zeros = self.losses
        return (ones if sum(self.chances) <= 1 else zeros) * self.k

    def of(self, n: int) -> Group:
        """A group of n users with the same randomizer."""
        return Group(n=n, chances=self.chances, k=self.k)

    def __repr__(self) -> str:
        a, b = self.chances
        shown = f"q='{b}'" if self.symmetric else f"chances=('{a}', '{b}')"
        return f"Group(n={self.n}, {shown}{f', k={self.k}' if self.k > 1 else ''})"


@declared()
class Dummies:
    """Reports of nobody, each 1 with the same probability a."""

    count: Whole = parameter(
        partial(integer, minimum=1, maximum=LARGEST), "how many, up to 10^15; if that is random, the least"
    )
    probability: Real = parameter(CHANCE, "a, 0 < a < 1", default="1/2")


@declared(refused="an argument out of range; more than 10^15 reports in all")
class Fleet(Mechanism):
    """Groups of users, each with their own flip probability, and dummies: all reports pooled into one count.

    >>> from dpcalc import delta
    >>> fleet = Fleet([Group(n=3, q="1/4"), Group(n=2, q="1/5", k=2)])
    >>> found = delta(fleet, lam=2)
    >>> found.value, found.dataset
    (Fraction(729, 2500), Composition(group=1, ones=(0, 0), value=0, other=1))
    """

    family = "families.fleets:Fleets"

    groups: Parameter[tuple[Group, ...], Iterable[Group]] = parameter(
        instances(Group, "1 to 20 Groups, such as [Group(n=1000, q='0.1')]", least=1, most=20),
        "one ``Group`` or more, at most 20; kept of their honest users",
    )
    _: KW_ONLY
    dummies: Parameter[tuple[Dummies, ...], Iterable[Dummies]] = parameter(
        instances(Dummies, "at most 20 Dummies, such as [Dummies(1000, '1/2')]", most=20), "``Dummies``", default=()
    )
    honest: Parameter[None, Iterable[Number] | None] = parameter(
        unread,
        "for each group, how many of its users are honest, from 1 to n; by default all. Users who drop out, never flip "
        "or tell the attacker what they sent hide nobody, and are left out (``mechanisms.fleet`` says why)",
        default=None, kept=False,
    )  # fmt: skip
    neighbours: Name = parameter(
        partial(one_of, names=("replace", "add-remove")), '"replace" or, where n is hidden, "add-remove"',
        default="replace",
    )  # fmt: skip

    def _check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        groups = self.groups
        if given["honest"] is not None:
            allowed = f"{len(groups)} whole numbers, one for each group"
            left = as_list(given["honest"], "honest", allowed)
            if len(left) != len(groups):
                raise DomainError("honest", given["honest"], allowed)
            both = zip(groups, left, strict=True)
            groups = tuple(one.of(integer(n, "honest", minimum=1, maximum=one.n)) for one, n in both)
        if sum(one.reports for one in groups) + sum(one.count for one in self.dummies) > LARGEST:
            raise DomainError("groups", given["groups"], f"at most {LARGEST:,} reports in all")
        return {"groups": groups}

    def altered(self, *, n: Number) -> Fleet:  # type: ignore[override]
        """The fleet of n users, each group with its share of them, rounded up."""
        total, users = sum(group.n for group in self.groups), integer(n, "n", minimum=1)
        groups = [group.of(-(-users * group.n // total)) for group in self.groups]
        return Fleet(groups, dummies=self.dummies, neighbours=self.neighbours)

    @property
    def merged(self) -> Fleet:
        """The same users and dummies with every randomizer once, in the order of the first of each: the same law."""
        users, noise = dict[Any, int](), dict[Fraction, int]()
        for group in self.groups:
            users[group.randomizer] = users.get(group.randomizer, 0) + group.n
        for one in self.dummies:
            noise[one.probability] = noise.get(one.probability, 0) + one.count
        if len(users) == len(self.groups) and len(noise) == len(self.dummies):
            return self
        groups = [Group(n=n, chances=chances, k=k) for (chances, k), n in users.items()]
        return Fleet(groups, dummies=[Dummies(n, a) for a, n in noise.items()], neighbours=self.neighbours)

    @property
    def simplest(self) -> KRandomization | Fleet:
        """One group without dummies is a ``KRandomization``; the ``ones`` of one composition are then one number."""
        if len(self.groups) == 1 and self.groups[0].symmetric and not self.dummies and not self.hidden:
            return KRandomization(n=self.groups[0].n, q=self.groups[0].q, k=self.groups[0].k)
        return self

    @property
    def local_epsilon(self) -> Promise:
        """The largest local privacy parameter of a group, k ln(p/q) where it is symmetric.

        Raises:
            NoSolution: n is hidden, and there is none.
        """
        if self.hidden:
            raise NoSolution(
                "delta is above 0 for every epsilon: a count may exceed all that it can be without a record"
            )
        each = [group.local_epsilon for group in self.groups]
        return Promise(max(one.lower for one in each), max(one.upper for one in each))

    @property
    def hidden(self) -> bool:
        """Whether n is hidden: a user is added or removed."""
        return self.neighbours == "add-remove"
