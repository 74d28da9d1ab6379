r"""Fleets: what the pooled count of groups with their own n, q and k gives away of a user of any group.

delta is the largest over every dataset of all groups, for a changed user of each; the answer names the group, the
dataset and the direction. It never rises with more honest users in a group (theirs are further independent reports),
nor with more dummies. It may rise with a further *group*, whose users can be changed too, and with a larger q in one
group where another has k > 1 (groups n = q = k = 1, 1/4, 1 and 1, 2/5, 2 at lambda = 1: 6/25; with 1/2 in place of 2/5
1/4), but not if every k = 1.

Where n is public, one user's record is replaced. Where it is hidden, a record is added or removed ("add-remove": n
records against n - 1 of them, the larger dataset having all of the fleet), and only the count is released, not the
number of reports. More ones than all the others can report then show that the record is there: delta stays above 0 for
every epsilon.

Source: the hockey-stick divergence; ``compositions`` for the search.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from dpcalc.errors import DomainError, NoSolution, TooFaint
from dpcalc.mechanisms.fleet import Dummies, Group
from dpcalc.mechanisms.response import MOST_REPORTS, KRandomization
from dpcalc.numbers.enclosure import Enclosure, decimal
from dpcalc.numbers.limit import MAX_EPSILON, Limit
from dpcalc.numbers.lists import as_list, one_of
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import Number, between, integer
from dpcalc.numbers.search import beside, logit, steer
from dpcalc.privacy.accounted import Accounted, Progress
from dpcalc.privacy.compositions import Composition, Compositions, FleetDelta
from dpcalc.privacy.pair import FAINT
from dpcalc.privacy.worst_composition import largest

__all__ = ["Fleet"]

_RTOL_ONE = Fraction(1, 10**12)
_RTOL_ALL = Fraction(1, 100)
_RTOL_EPSILON = Fraction(1, 100)
_LEAST = 1e-18  # epsilons below are not searched
_FINE = Fraction(1, 10**9)
_MOVES = 4  # times the worst dataset is sought anew at the epsilon found
_MOST_GROUPS = 20
_STEEPEST = 1000  # the largest epsilon that is searched where none suffices for every delta


@dataclass(frozen=True, slots=True, init=False)
class Fleet(Accounted[FleetDelta]):
    """Groups of users, each with their own lie probability, and dummies: all reports pooled into one count.

    Args:
        groups: one ``Group`` or more, at most 20.
        dummies: ``Dummies``.
        honest: for each group, how many of its users are honest, from 1 to n; by default all. Only they count: whoever
            drops out, never flips or tells the attacker what was sent hides nobody (``mechanisms.fleet`` on why this is
            the worst case).
        neighbours: "replace" or, where n is hidden, "add-remove".

    Attributes:
        groups: the groups, of their honest users.
        dummies, neighbours: as above.

    Raises:
        DomainError: an argument out of range; more than 10^15 reports in all.

    >>> from dpcalc import delta
    >>> fleet = Fleet([Group(n=3, q="1/4"), Group(n=2, q="1/5", k=2)])
    >>> found = delta(fleet, lam=2)
    >>> found.value, found.dataset
    (Fraction(729, 2500), Composition(group=1, ones=(0, 0), value=0, other=1))
    """

    groups: tuple[Group, ...]
    dummies: tuple[Dummies, ...]
    neighbours: str

    def __init__(
        self,
        groups: Iterable[Group],
        *,
        dummies: Iterable[Dummies] = (),
        honest: Iterable[Number] | None = None,
        neighbours: str = "replace",
    ) -> None:
        given = as_list(groups, "groups", "Groups, such as [Group(n=1000, q='0.1')]")
        if not 1 <= len(given) <= _MOST_GROUPS or not all(isinstance(one, Group) for one in given):
            raise DomainError("groups", groups, f"1 to {_MOST_GROUPS} Groups, such as [Group(n=1000, q='0.1')]")
        noise = as_list(dummies, "dummies", "Dummies, such as [Dummies(1000, '1/2')]")
        if len(noise) > _MOST_GROUPS or not all(isinstance(one, Dummies) for one in noise):
            raise DomainError("dummies", dummies, f"at most {_MOST_GROUPS} Dummies, such as [Dummies(1000, '1/2')]")
        if honest is not None:
            left = as_list(honest, "honest", f"{len(given)} whole numbers, one for each group")
            if len(left) != len(given):
                raise DomainError("honest", honest, f"{len(given)} whole numbers, one for each group")
            given = [
                Group(n=integer(n, "honest", minimum=1, maximum=one.n), q=one.q, k=one.k)
                for one, n in zip(given, left, strict=True)
            ]
        object.__setattr__(self, "groups", tuple(given))
        object.__setattr__(self, "dummies", tuple(noise))
        object.__setattr__(self, "neighbours", one_of(neighbours, "neighbours", ("replace", "add-remove")))
        if sum(one.n * one.k for one in given) + sum(one.count for one in noise) > MOST_REPORTS:
            raise DomainError("groups", groups, f"at most {MOST_REPORTS:,} reports in all")

    @property
    def simplest(self) -> KRandomization | Fleet:
        """One group without dummies is a ``KRandomization``; the ``ones`` of one composition are then one number."""
        if len(self.groups) == 1 and not self.dummies and not self._hidden:
            return KRandomization(n=self.groups[0].n, q=self.groups[0].q, k=self.groups[0].k)
        return self

    @property
    def local_epsilon(self) -> Promise:
        """The largest local privacy parameter k ln(p/q) of a group.

        Raises:
            NoSolution: n is hidden, and there is none.
        """
        if self._hidden:
            raise NoSolution(
                "delta is above 0 for every epsilon: a count may exceed all that it can be without a record"
            )
        each = [KRandomization(n=1, q=group.q, k=group.k).local_epsilon for group in self.groups]
        return Promise(max(one.lower for one in each), max(one.upper for one in each))

    def delta(
        self, limit: Limit, *, ones: Number | None = None, rtol: Number | None = None, progress: Progress | None = None
    ) -> FleetDelta:
        """See ``dpcalc.delta``.

        Args:
            limit: the ratio limit.
            ones: for each group, how many users hold 1 among those that do not change: of one composition, for a
                changed user of any group that leaves room for it.
            rtol: relative width, above 1e-1000 for one composition (default 1e-12) and 1e-9 for all (default 1e-2); for
                all it is aimed at, and the ends are proven anyway.
            progress: called with the share of the pairs that may be looked at for all.
        """
        least = "1e-9" if ones is None else "1e-1000"
        width = None if rtol is None else between(rtol, "rtol", least, 1, "a relative width")
        if ones is not None:
            return self.compositions.single(self._checked(ones), limit, rtol=width or _RTOL_ONE)
        exact, width = self.compositions.exact(limit), width or _RTOL_ALL
        return exact or largest(self.compositions, limit, rtol=width, progress=progress).aimed(width)

    def epsilon(self, target: Fraction, *, ones: Number | None = None, rtol: Number | None = None) -> Promise:
        """See ``dpcalc.epsilon``; for 0 < target < 1. At ``upper`` at the latest, every delta is at most the target.

        The relative width (above 1e-6; default 1e-2) is aimed at.

        Raises:
            DomainError: an argument out of range.
            NoSolution: n is hidden, and delta is not proven to fall to the target.
        """
        width = _RTOL_EPSILON if rtol is None else between(rtol, "rtol", "1e-6", 1, "a relative width")
        fixed = None if ones is None else self._checked(ones)
        top = self._delta(Limit(Fraction(1)), fixed, target)
        if top.upper <= target:
            return Promise(Fraction(0), Fraction(0), **top.words)
        at, near = top.dataset, min(1.0, float(self._highest.upper))
        for _ in range(_MOVES):
            near = self._crossing(at, target, near)
            found = self._delta(Limit.exp(Fraction(near)), fixed, target)
            if found.dataset == at:
                break
            at = found.dataset
        below = beside(near, float(width) / 4, -1, Fraction(_LEAST))
        low = next((x for x in below if self._one(at, Limit.exp(x)).lower > target), Fraction(0))
        for high in beside(near, float(width) / 2, 1, self._highest.lower):
            if self._delta(Limit.exp(high), fixed, target).upper <= target:
                return Promise(low, high, **top.words, rtol=width)
        if self._hidden and self._delta(Limit.exp(Fraction(_STEEPEST)), fixed, target).upper > target:
            raise NoSolution(
                f"delta is not proven to be at most {decimal(target, target, 12)} for epsilon = {_STEEPEST:,}"
            )
        return Promise(low, self._highest.upper, **top.words, rtol=width)

    @property
    def compositions(self) -> Compositions:
        """Every dataset."""
        return Compositions(self.groups, self.dummies, self._hidden)

    @property
    def _hidden(self) -> bool:
        return self.neighbours == "add-remove"

    @property
    def _highest(self) -> Enclosure:
        """The largest epsilon that is searched."""
        return Enclosure.of(_STEEPEST) if self._hidden else self.local_epsilon

    def _delta(self, limit: Limit, ones: tuple[int, ...] | None, target: Fraction) -> FleetDelta:
        if ones is not None:
            return self.compositions.single(ones, limit, rtol=_FINE)
        return largest(self.compositions, limit, rtol=_RTOL_ALL, target=target)

    def _one(self, at: Composition, limit: Limit) -> Enclosure:
        try:
            return self.compositions.of(at).inverted(limit, rtol=_FINE)
        except TooFaint:
            return FAINT

    def _crossing(self, at: Composition, target: Fraction, start: float) -> float:
        """Where delta of one composition is the target, about."""
        goal = logit(target)

        def gap(u: float) -> float:
            found = self._one(at, Limit.exp(Fraction(math.exp(u)))).lower
            return min(logit(found) - goal, 1e9)

        highest = math.log(min(float(self._highest.upper), MAX_EPSILON))
        return math.exp(steer(gap, math.log(_LEAST), highest, start=math.log(start), tolerance=1e-7))

    def _checked(self, ones: Number) -> tuple[int, ...]:
        allowed = f"{len(self.groups)} whole numbers, one for each group"
        given = as_list(ones, "ones", allowed)
        if len(given) != len(self.groups):
            raise DomainError("ones", ones, allowed)
        counts = tuple(integer(m, "ones", minimum=0, maximum=one.n) for m, one in zip(given, self.groups, strict=True))
        if all(m == one.n for m, one in zip(counts, self.groups, strict=True)):
            raise DomainError("ones", ones, "fewer ones than users in a group at least: one user changes")
        return counts
