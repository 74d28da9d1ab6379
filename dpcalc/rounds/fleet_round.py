r"""A fleet as one round of many.

For the upper end, delta is bounded over all compositions, changed groups and directions. This family holds the mirror
image of each pair, and the changed user may be of another group in every round. For the lower end there are the
outcomes of the composition with the largest delta at the losses that matter.

Source: proof notes, 11.6.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from dpcalc.families.fleets import Fleets
from dpcalc.losses.outcomes import Revealed, revealed
from dpcalc.mechanisms.fleet import Fleet
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import logarithm
from dpcalc.rounds.bounded_round import BoundedRound, compared_at
from dpcalc.rounds.profile_bounds import together
from dpcalc.worst.compositions import Change, Composition, Compositions
from dpcalc.worst.datasets import Datasets
from dpcalc.worst.worst_composition import largest

_COARSER = 4  # bounds may be so many times as wide as asked for: each takes a search
_COARSE = Fraction(1, 100)
_PAIRS = 1000  # pairs that a search may look at
_SPARE = 128  # bits beyond those of the faintest outcome


@dataclass(frozen=True, slots=True)
class FleetRound(BoundedRound[Composition]):
    """One release of a fleet's count, n public.

    Attributes:
        fleet: whose count is released.
        change: the one direction that is looked at; None: both, and then the family is its own mirror image.
        at: the composition of the lower end; None: the worst one.
    """

    fleet: Fleet
    change: Change | None = None
    at: Composition | None = None

    @property
    def spread(self) -> float:
        """The standard deviation of the loss, about, for a user of the group that loses most; it steers."""
        return Fleets(self.fleet).spread

    @property
    def unit(self) -> Fraction | None:
        """The loss of one report of the group whose reports show most."""
        return max((one.local_epsilon.lower / one.k for one in self.fleet.groups), default=None)

    @property
    def largest_loss(self) -> float:
        """The local epsilon."""
        return float(self.fleet.local_epsilon.upper)

    def candidates(self, loss: float) -> Iterator[Composition]:
        """The composition with the largest delta at about this loss."""
        yield self.at or self._worst(loss)

    def rivals(self, loss: float, most: float) -> Sequence[FleetRound]:
        """With the worst composition at each of the two: where rare reports lose much, one round may show it all."""
        if self.at is not None:
            return (self,)
        return [replace(self, at=at) for at in dict.fromkeys(map(self._worst, (loss, most)))]

    def seen(self, at: Composition, *, centre: float, fineness: int, bits: int) -> Revealed:
        """The outcomes of one composition."""
        return revealed(
            Compositions.of(self.fleet).pair_at(at), min(bits, self._faintest), centre=centre, fineness=fineness
        )

    def bounds(self, asked: Sequence[tuple[Fraction, Fraction]], *, centre: float, sharpness: float) -> list[Fraction]:
        """Upper bounds of delta over all compositions and changed groups."""
        return self._bounds(self._pairs, asked)

    def mirrored(self, asked: Sequence[tuple[Fraction, Fraction]]) -> list[Fraction] | None:
        """The same in the other direction."""
        return None if self.change is None else self._bounds(replace(self._pairs, only=self.change[::-1]), asked)

    def _worst(self, loss: float) -> Composition:
        """The composition with the largest delta at about this loss."""
        return _bound(self._pairs, compared_at(loss, self.spread, self.largest_loss), _COARSE)[1]

    @property
    def _faintest(self) -> int:
        """-log2 of the faintest outcome at most, and some more: no outcome needs more bits."""
        reports = [(min(a, 1 - a), one.k * one.n) for one in self.fleet.groups for a in one.chances]
        reports += [(min(one.probability, 1 - one.probability), one.count) for one in self.fleet.dummies]
        halvings = sum(-logarithm(chance) / math.log(2) * count for chance, count in reports if chance)
        return math.ceil(min(halvings, 1e9)) + _SPARE

    @property
    def _pairs(self) -> Compositions:
        return replace(Compositions.of(self.fleet), only=self.change)

    def _bounds(self, pairs: Compositions, asked: Sequence[tuple[Fraction, Fraction]]) -> list[Fraction]:
        """By passes over many limits, else by a search each."""
        found = _together(pairs, tuple(asked))
        return [found.get(epsilon) or _bound(pairs, Limit.exp(epsilon), _COARSER * rtol)[0] for epsilon, rtol in asked]


@lru_cache(maxsize=1 << 6)
def _together(pairs: Compositions, asked: tuple[tuple[Fraction, Fraction], ...]) -> dict[Fraction, Fraction]:
    """The upper bounds that passes of doubles over many limits give, by epsilon: of one group without dummies."""
    group, *others = pairs.groups
    if others or pairs.dummies or pairs.hidden:
        return {}
    datasets = Datasets(group.own, group.k, group.n - 1)
    ways = [together(datasets.mirror if value else datasets, asked) for value, _ in pairs.changes]
    return {x: max(way[x] for way in ways) for x in ways[0] if all(x in way for way in ways)}


@lru_cache(maxsize=1 << 14)
def _bound(pairs: Compositions, limit: Limit, rtol: Fraction) -> tuple[Fraction, Composition]:
    """An upper bound of delta over all compositions, and the composition with the largest delta found."""
    found = largest(pairs, limit, rtol=rtol, pairs=_PAIRS)
    return found.upper, found.dataset
