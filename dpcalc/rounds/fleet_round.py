r"""A fleet as one round of many: its pair on the lattice of losses, from above and from below.

*Above* stand the chords of upper bounds of its delta over all compositions, changed groups and directions: a family
that holds with every pair its mirror image, so that the changed user may be of another group in every round. *Below*
stands the composition whose delta is the largest where the losses lie that matter, its outcomes merged.

Source: proof notes, 11.6.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from dpcalc.families.fleets import Fleets
from dpcalc.mechanisms.fleet import Fleet
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.pair import Pair
from dpcalc.rounds.bounded_round import BoundedRound
from dpcalc.rounds.dominance import chords, merged
from dpcalc.rounds.lattice import Losses
from dpcalc.rounds.outcomes import gap, grouped, listed, outcome_bits
from dpcalc.worst.compositions import Change, Composition, Compositions
from dpcalc.worst.worst_composition import largest

__all__ = ["FleetRound"]

_NEAR = 20  # up to this quarter of a squared distance, bounds are as sharp as chords; farther out chords lose more
#: Each bound is a search. So at most _FINEST points of the lattice to a standard deviation get one, or a fifth of those
#: asked for where that is more.
_FINEST, _COARSER = 14, 5
_COARSE = Fraction(1, 100)
_PAIRS = 1000  # looked at for one bound


@dataclass(frozen=True, slots=True)
class FleetRound(BoundedRound[Composition]):
    """One release of a fleet's count, n public.

    Attributes:
        fleet: whose count is released.
        change: the one direction that counts; None: both, and then the family is its own mirror image.
    """

    fleet: Fleet
    change: Change | None = None

    @property
    def spread(self) -> float:
        """The standard deviation of the loss, about, for a user of the group that loses most; it steers."""
        return Fleets(self.fleet).spread

    @property
    def largest_loss(self) -> Fraction:
        """That of the group whose reports show most."""
        return max((one.local_epsilon.lower for one in self.fleet.groups), default=Fraction(0))

    @property
    def beyond(self) -> Fraction:
        """None: every loss is finite."""
        return Fraction(0)

    def alone(self, limit: Limit) -> tuple[Enclosure, Composition]:
        """delta of one release."""
        found = Fleets(self.fleet).delta(limit, rtol=_COARSE)
        return found, found.dataset

    def worst(self, centre: float) -> Composition:
        """The composition whose delta is the largest where losses are about ``centre``."""
        return _bound(self._pairs, Fraction(max(centre, self.spread)), _COARSE)[1]

    def above(self, step: Fraction, centre: float, faint: float, fineness: int) -> Losses:
        """A pair above all compositions."""
        ahead = self._bounds(self._pairs, step, centre, faint, fineness)
        if self.change is None:
            return chords(step, ahead)
        back = replace(self._pairs, only=self.change[::-1])
        return chords(step, ahead, self._bounds(back, step, centre, faint, fineness))

    @property
    def _pairs(self) -> Compositions:
        return replace(Compositions.of(self.fleet), only=self.change)

    def _bounds(
        self, pairs: Compositions, step: Fraction, centre: float, faint: float, fineness: int
    ) -> list[tuple[int, Fraction]]:
        """(j, V_j) for some j >= 0."""
        fine, at, bounds = min(fineness, max(_FINEST, fineness // _COARSER)), None, []
        for j in sorted(set(self._places(float(step), centre, faint, fine))):
            away = j * float(step) / self.spread  # chords lose more, as the square of it
            rtol = Fraction(max(_NEAR, round(away**2 / 4)), _NEAR * fine**2)
            bound, at = _bound(pairs, j * step, rtol, at)
            bounds.append((j, bound))
        return bounds

    def below(self, step: Fraction, centre: float, faint: float, fineness: int, at: Composition) -> Losses:
        """A pair below that of one composition."""
        pair, deviations = Compositions.of(self.fleet).pair_at(at), centre / self.spread
        assert isinstance(pair, Pair)
        known = listed(pair, outcome_bits(deviations, faint))
        return merged(step, known[0] if known else grouped(pair, deviations, fineness))

    def _places(self, step: float, centre: float, faint: float, fineness: int) -> Iterator[int]:
        """The j >= 0 at which delta is bounded, from 0 to where it is 0 or faint."""
        farthest = min(float(self.fleet.local_epsilon.upper), faint * self.spread + centre)
        last, stride = math.ceil(farthest / step) + 1, max(1, round(self.spread / (fineness * step)))
        start = min(max(0, round(centre / step)), last)
        yield from (0, start, last)
        for sign in (-1, 1):
            away = gap(stride, 0, 0)
            while 0 < start + sign * away < last:
                yield start + sign * away
                away += gap(stride, away, away * step / self.spread)


@lru_cache(maxsize=1 << 14)
def _bound(
    pairs: Compositions, epsilon: Fraction, rtol: Fraction, near: Composition | None = None
) -> tuple[Fraction, Composition]:
    """An upper bound of delta over all compositions, and the one that comes nearest to it."""
    found = largest(pairs, Limit.exp(epsilon), rtol=rtol, pairs=_PAIRS, near=near)
    return found.upper, found.dataset
