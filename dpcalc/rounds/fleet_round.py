r"""A fleet as one round of many: its pair on the lattice of losses, from above and from below.

*Above* stand the chords of upper bounds of its delta over all compositions, changed groups and directions: a family
that holds with every pair its mirror image, so that the changed user may be of another group in every round. *Below*
stands the composition whose delta is the largest where the losses lie that matter, its outcomes merged.

Source: proof notes, 11.6.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from flint import arb

from dpcalc.families.fleets import Fleets
from dpcalc.losses.outcomes import Revealed, grouped, listed
from dpcalc.mechanisms.fleet import Fleet
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.pair import Pair
from dpcalc.rounds.bounded_round import BoundedRound
from dpcalc.worst.compositions import Change, Composition, Compositions
from dpcalc.worst.worst_composition import largest

_COARSER = 4  # times as wide each bound may be: it is a search
_COARSE = Fraction(1, 100)
_PAIRS = 1000  # looked at for one bound


@dataclass(frozen=True, slots=True)
class FleetRound(BoundedRound[Composition]):
    """One release of a fleet's count, n public.

    Attributes:
        fleet: whose count is released.
        change: the one direction that counts; None: both, and then the family is its own mirror image.
        at: the composition below; None: the worst one.
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
        """That of one report of the group whose reports show most."""
        return max((one.local_epsilon.lower / one.k for one in self.fleet.groups), default=None)

    @property
    def largest_loss(self) -> float:
        """The local epsilon."""
        return float(self.fleet.local_epsilon.upper)

    def alone(self, limit: Limit) -> tuple[Enclosure, Composition]:
        """delta of one release."""
        found = Fleets(self.fleet).delta(limit, rtol=_COARSE)
        return found, found.dataset

    def candidates(self, loss: float) -> Iterator[Composition]:
        """The composition whose delta is the largest where losses are about so large."""
        yield self.at or _bound(self._pairs, Fraction(max(loss, self.spread)), _COARSE)[1]

    def seen(self, at: Composition, *, centre: float, fineness: int, bits: int) -> Revealed:
        """The outcomes of one composition."""
        pair = Compositions.of(self.fleet).pair_at(at)
        assert isinstance(pair, Pair)
        known = listed(pair, bits)
        if known:
            return Revealed(known[0], arb(0), known[1])
        return Revealed(grouped(pair, centre, fineness), arb(0), None)

    def bounds(self, asked: Sequence[tuple[Fraction, Fraction]], *, centre: float, sharpness: float) -> list[Fraction]:
        """Over all compositions, and changed groups."""
        return self._bounds(self._pairs, asked)

    def mirrored(self, asked: Sequence[tuple[Fraction, Fraction]]) -> list[Fraction] | None:
        """In the other direction."""
        return None if self.change is None else self._bounds(replace(self._pairs, only=self.change[::-1]), asked)

    @property
    def _pairs(self) -> Compositions:
        return replace(Compositions.of(self.fleet), only=self.change)

    def _bounds(self, pairs: Compositions, asked: Sequence[tuple[Fraction, Fraction]]) -> list[Fraction]:
        found, at = [], None
        for epsilon, rtol in asked:
            bound, at = _bound(pairs, epsilon, _COARSER * rtol, at)
            found.append(bound)
        return found


@lru_cache(maxsize=1 << 14)
def _bound(
    pairs: Compositions, epsilon: Fraction, rtol: Fraction, near: Composition | None = None
) -> tuple[Fraction, Composition]:
    """An upper bound of delta over all compositions, and the one that comes nearest to it."""
    found = largest(pairs, Limit.exp(epsilon), rtol=rtol, pairs=_PAIRS, near=near)
    return found.upper, found.dataset
