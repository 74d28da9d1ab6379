"""The family of a fleet: every composition of its groups, or one of them.

Groups with the same randomizer are searched as one, and the ones of the worst composition are dealt out to them. Users
with one randomizer and no dummies are single bits: each direction is a family of its own (``families.bits``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from dpcalc.errors import DomainError
from dpcalc.families.bits import Bits
from dpcalc.mechanisms.fleet import Fleet
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.lists import as_list, one_or_many
from dpcalc.numbers.promise import GIVEN
from dpcalc.numbers.rational import Number, integer
from dpcalc.pairs.family import Attained, OfMechanism, Progress, Width
from dpcalc.pairs.listed import ListedPair
from dpcalc.pairs.named import NamedPairs
from dpcalc.pairs.pair import Pair
from dpcalc.pairs.two_laws import Asked
from dpcalc.worst.compositions import Composition, Compositions, dealt
from dpcalc.worst.datasets import Delta
from dpcalc.worst.worst_composition import OverCompositions

_WIDER, _PAIRS = 4, 1000  # bounds for rounds: so many times as wide as asked for, of so many pairs that are looked at


@dataclass(frozen=True, slots=True)
class _OfFleet(OfMechanism[Attained], NamedPairs[Attained]):
    """What the families of all compositions and of one composition have in common."""

    mechanism: Fleet

    farthest = 1000

    @property
    def spread(self) -> float:
        """About the standard deviation of the privacy loss, for a user of the group that loses most."""
        groups, dummies = self.mechanism.groups, self.mechanism.dummies
        variance = sum(one.n * one.k * min(float(a * (1 - a)) for a in one.chances) for one in groups)
        variance += sum(one.count * float(one.probability * (1 - one.probability)) for one in dummies)
        steepest = max(float(one.own[1] - one.own[0]) * one.k for one in groups) / math.sqrt(max(variance, 1e-300))
        return min(steepest, float(self.highest))

    def given(self, ones: Iterable[Number]) -> FleetGiven:
        """The composition with so many ones in each group."""
        groups = self.mechanism.groups
        allowed = f"{len(groups)} whole numbers, one for each group"
        listed = one_or_many(ones) if len(groups) == 1 else as_list(ones, "ones", allowed)
        if len(listed) != len(groups):
            raise DomainError("ones", ones, allowed)
        counts = tuple(integer(m, "ones", minimum=0, maximum=one.n) for m, one in zip(listed, groups, strict=True))
        if all(m == one.n for m, one in zip(counts, groups, strict=True)):
            raise DomainError("ones", ones, "fewer ones than users in a group at least: one user changes")
        return FleetGiven(self.mechanism, counts)

    @property
    def alike(self) -> bool:
        """No: where rare reports lose much, one round may show it all."""
        return False

    @property
    def unit(self) -> Fraction:
        """The loss of one report of the group whose reports show most."""
        return max(one.local_epsilon.lower / one.k for one in self.mechanism.groups)

    def pair(self, at: Composition, *, rtol: Fraction) -> Pair:
        """That of the composition."""
        return Compositions.of(self.mechanism).pair_at(at)


@dataclass(frozen=True, slots=True)
class Fleets(_OfFleet):
    """Every composition."""

    delta_width = Width("1e-2", "1e-9")
    epsilon_width = Width("1e-2", "1e-6")
    one_is_quick = True

    @classmethod
    def of(cls, mechanism: Fleet) -> Fleets | OneKind:
        """Of a mechanism; where all users have one randomizer, as single bits."""
        merged = mechanism.merged
        if len(merged.groups) > 1 or merged.dummies or merged.hidden:
            return cls(mechanism)
        (group,) = merged.groups
        return OneKind(mechanism, Bits(group.own, group.k, group.n - 1))

    def delta(self, limit: Limit, *, rtol: Fraction, exact: bool = True, progress: Progress | None = None) -> Attained:
        """The largest delta; exact for a rational lambda where there are few compositions."""
        pairs = Compositions.of(self.mechanism.merged)
        found = pairs.exact(limit)
        if found is None:
            found = OverCompositions(pairs, limit, rtol, progress=progress).run().aimed(rtol)
        return replace(found, dataset=dealt(self.mechanism, found.dataset))

    def one(self, limit: Limit, *, rtol: Fraction) -> Enclosure:
        """All zeros, with the worst changed group."""
        pairs = Compositions.of(self.mechanism.merged)
        zeros = (0,) * len(pairs.groups)
        some = [Composition(group, zeros, *change) for group in range(len(zeros)) for change in pairs.changes]
        return max((pairs.pair_at(at).inverted(limit, rtol=rtol) for at in some), key=lambda one: one.lower)

    def every(self, most: int) -> Iterable[tuple[Composition, ListedPair]]:
        """Every composition."""
        return _every(self.mechanism, most)

    def candidates(self, limit: Limit, *, rtol: Fraction, several: bool) -> Iterator[Composition]:
        """The worst composition."""
        yield dealt(self.mechanism, _largest(self.mechanism.merged, limit, rtol)[1])

    def uppers(self, asked: Sequence[Asked]) -> list[Fraction]:
        """By a search each."""
        return [_largest(self.mechanism.merged, Limit.exp(epsilon), _WIDER * rtol)[0] for epsilon, rtol in asked]


@dataclass(frozen=True, slots=True)
class OneKind(_OfFleet):
    """Users with one randomizer, n public and no dummies: single bits, in both directions."""

    bits: Bits

    delta_width = Bits.delta_width
    epsilon_width = Bits.epsilon_width
    one_is_quick = True

    @property
    def ways(self) -> list[Bits]:
        """The family of each direction, 0 over 1 and 1 over 0; one, if the other is its mirror image."""
        return [way for way in (self.bits, self.bits.mirror) if way]

    def delta(self, limit: Limit, *, rtol: Fraction, exact: bool = True, progress: Progress | None = None) -> Attained:
        """The larger one of the directions; of one whose bound is less no more is asked."""
        found, others = dict[int, Delta](), self.bits.others
        for i, way in sorted(enumerate(self.ways), key=lambda one: -one[1].log_bound(0, others, limit)):
            if not found or way.quick(limit) > max(one.lower for one in found.values()):
                found[i] = way.delta(limit, rtol=rtol, exact=exact, progress=progress)
        return self._larger(found)

    def deltas(self, limits: Sequence[Limit], *, rtol: Fraction) -> list[Attained]:
        """delta at every limit; limits near each other are quicker together."""
        both = zip(*(way.deltas(limits, rtol=rtol) for way in self.ways), strict=True)
        return [self._larger(dict(enumerate(each))) for each in both]

    def _larger(self, each: Mapping[int, Delta]) -> Attained:
        """In the words of the fleet: the direction 1 over 0 at m is, both bits exchanged, 0 over 1 at N - m."""
        best = max(each, key=lambda i: each[i].lower)
        found, others = each[best], self.bits.others
        ones = others - found.dataset.ones if best else found.dataset.ones
        at = dealt(self.mechanism, Composition(0, (ones,), best, 1 - best))
        return Attained(found.lower, max(one.upper for one in each.values()), at, rtol=found.rtol)

    def one(self, limit: Limit, *, rtol: Fraction) -> Enclosure:
        """The larger one of each direction's dataset that may be the worst."""
        return max((way.one(limit, rtol=rtol) for way in self.ways), key=lambda one: one.lower)

    def every(self, most: int) -> Iterable[tuple[Composition, ListedPair]]:
        """As a fleet of one group."""
        return _every(self.mechanism, most)

    def uppers(self, asked: Sequence[Asked]) -> list[Fraction]:
        """The larger ones."""
        return list(map(max, *(way.uppers(asked) for way in (*self.ways, *self.ways[:1]))))


@dataclass(frozen=True, slots=True)
class FleetGiven(_OfFleet):
    """One composition, for a changed user of any group that leaves room for it."""

    ones: tuple[int, ...]

    delta_width = Width("1e-12", "1e-1000")
    epsilon_width = Fleets.epsilon_width
    words = GIVEN

    def delta(self, limit: Limit, *, rtol: Fraction, exact: bool = True, progress: Progress | None = None) -> Attained:
        """The largest delta over the changed groups and directions."""
        return Compositions.of(self.mechanism).single(self.ones, limit, rtol=rtol)


@lru_cache(maxsize=1 << 14)
def _largest(fleet: Fleet, limit: Limit, rtol: Fraction) -> tuple[Fraction, Composition]:
    """An upper bound of delta over all compositions, and the composition with the largest delta found."""
    found = OverCompositions(Compositions.of(fleet), limit, rtol, pairs=_PAIRS).run()
    return found.upper, found.dataset


def _every(fleet: Fleet, most: int) -> Iterable[tuple[Composition, ListedPair]]:
    """Of groups with one randomizer together."""
    pairs = Compositions.of(fleet.merged)
    some = pairs.every() if pairs.count() * pairs.reports <= most else ()
    return ((dealt(fleet, at), pairs.pair_at(at).listed()) for at in some)
