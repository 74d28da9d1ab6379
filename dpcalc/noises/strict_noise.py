"""Integer noise of one part whose likelihood ratios fall strictly: binomial and Poisson.

They are equal to lambda at one s at most, so that certified signs next to the place where floating point has it tell
the last s at which they are above. A part has faster tails than a sum.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import cast

from flint import arb

from dpcalc.noises.noise import TailedLaw
from dpcalc.noises.parts import Strict
from dpcalc.noises.sums import SumLaw
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import last_where

__all__ = ["StrictLaw"]

_FAR = 2.0**200  # further than any place


class StrictLaw(SumLaw):
    """The law of one ``Strict`` part."""

    __slots__ = ()

    @property
    def _part(self) -> Strict:
        return cast(Strict, self.parts[0])

    @property
    def mirror(self) -> StrictLaw:
        """Of the mirrored part."""
        return StrictLaw((self._part.mirror,))

    @property
    def lost(self) -> int:
        """Those of the part."""
        return self._part.lost

    def at_most(self, t: int) -> arb:
        """That of the part."""
        return self._part.at_most(t)

    def first(self, count: int, bits: int) -> list[Fraction] | None:
        """See ``TailedLaw``."""
        return self._part.first(count, bits)

    def faint(self, shift: int, limit: Limit) -> bool:
        """See ``TailedLaw``."""
        return self._part.faint(shift, limit)

    def excess(self, shift: int, limit: Limit) -> arb:
        """From the two tails."""
        return TailedLaw.excess(self, shift, limit)

    def last(self, shift: int, limit: Limit) -> tuple[int, arb]:
        """By certified signs next to the place where floating point has it; one equality is allowed for."""
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
        if excess(s + 2) < 0:  # at s + 1 the ratio is lambda, or too near to tell
            return s, (after.expm1() * self.at_most(s + 1)).nonnegative_part()
        return s, arb.nan()
