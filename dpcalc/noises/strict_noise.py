"""The law of one part whose likelihood ratio falls strictly: binomial, Poisson or discrete Gaussian noise.

The ratio f(s)/f(s - c) is lambda at one s at most. Floating point finds that place; the certified signs of
log ratio - epsilon next to it prove which s is the last one with a ratio above lambda. Tails are computed faster than
those of a sum. For many places near each other only the first tail is inverted, and the masses between are added: all
are >= 0, so that nothing cancels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import cast

from flint import arb

from dpcalc.noises.noise import TailedLaw
from dpcalc.noises.parts import Strict
from dpcalc.noises.sums import SumLaw
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import last_where

_FAR = 2.0**200  # farther out than any place
_DEAR = 400  # adding so many masses takes as long as an inversion


class StrictLaw(SumLaw):
    """The law of one ``Strict`` part."""

    __slots__ = ()

    @property
    def _part(self) -> Strict:
        return cast(Strict, self.parts[0])

    @property
    def mirror(self) -> StrictLaw:
        """The law of the mirrored part."""
        return StrictLaw((self._part.mirror,))

    @property
    def guard_bits(self) -> int:
        """Guard bits of the part."""
        return self._part.guard_bits

    def at_most(self, t: int) -> arb:
        """By the part's own way, or else as of a sum."""
        found = self._part.at_most(t)
        return super().at_most(t) if found is None else found

    def all_at_most(self, places: Sequence[int]) -> list[arb]:
        """The first as ``at_most``; the others by adding the masses between, where these are few."""
        if len(places) < 2 or places[-1] - places[0] > _DEAR * len(places):
            return TailedLaw.all_at_most(self, places)
        s, total, mass, found = places[0], self.at_most(places[0]), arb(0), list[arb]()
        for t in places:
            while s < t:
                s += 1
                if self.high is not None and s > self.high:
                    mass = arb(0)
                elif s == places[0] + 1 or (self.low is not None and s <= self.low):
                    mass = (self.at_most(s) - total).nonnegative_part()
                else:
                    mass *= self._part.log_ratio(s, 1).exp()
                total += mass
            found.append(total)
        return found

    def first_masses(self, count: int, bits: int) -> list[Fraction] | None:
        """See ``TailedLaw``."""
        return self._part.first_masses(count, bits)

    def faint(self, shift: int, limit: Limit) -> bool:
        """See ``TailedLaw``."""
        return self._part.faint(shift, limit)

    def excess(self, shift: int, limit: Limit) -> arb:
        """From two tails: faster here than the one inversion of ``SumLaw``."""
        return TailedLaw.excess(self, shift, limit)

    def last_above(self, shift: int, limit: Limit) -> tuple[int, arb]:
        """By certified signs next to where floating point has it; at one s the sign may stay open."""
        epsilon, part = limit.log_ball(), self._part

        def excess(s: int) -> arb:
            if self.low is not None and s < self.low + shift:
                return arb(1)
            return arb(-1) if self.high is not None and s > self.high else part.log_ratio(s, shift) - epsilon

        near = math.floor(min(max(part.near(shift, limit.steer()), -_FAR), _FAR))
        s = last_where(lambda s: bool(excess(s) > 0), -math.inf, math.inf, near=near)
        after = excess(s + 1)
        if after < 0:
            return s, arb(0)
        if excess(s + 2) < 0:  # at s + 1 the ratio is lambda, or too near to decide
            return s, (after.expm1() * self.at_most(s + 1)).nonnegative_part()
        return s, arb.nan()
