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
group where another has k > 1, but not if every k = 1.

Where n is public, one user's record is replaced. Where n is hidden, a record is added or removed ("add-remove": the n
records of the fleet against n - 1 of them), and only the count is released, not the number of reports. A count larger
than the number of all other reports then shows that the record is there: delta stays above 0 for every epsilon.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY
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
from dpcalc.mechanisms.response import Group, KRandomization
from dpcalc.numbers.lists import as_list, one_of
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import LARGEST, Number, integer


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
