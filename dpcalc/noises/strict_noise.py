"""The law of one part whose likelihood ratio falls strictly: binomial, Poisson or discrete Gaussian noise.

The ratio f(s)/f(s - c) is lambda at one s at most. Floating point finds that place; the certified signs of
log ratio - epsilon next to it prove which s is the last one with a ratio above lambda.
"""

from __future__ import annotations

import math
from typing import cast

from flint import arb

from dpcalc.laws.circle import FAR_OUT
from dpcalc.laws.parts import Strict
from dpcalc.noises.sums import SumLaw
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import last_where

_FAR = 2.0**200  # farther out than any place


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

    def faint(self, shift: int, limit: Limit) -> bool:
        """See ``TailedLaw``."""
        return self._part.faint(shift, limit)

    def excess(self, shift: int, limit: Limit) -> arb:
        """h at the t that the signs show."""
        t, missed = self.last_above(shift, limit)
        if missed.is_finite() and self.tilt.exponent(self.tilt.toward(t + 0.5), t) < -FAR_OUT:
            return self.at_most(t + 1)  # and delta is no larger
        return self._around(t, shift, limit).height.max(arb(0)) + missed

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
