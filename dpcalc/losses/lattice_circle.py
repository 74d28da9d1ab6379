"""Equally spaced points of a circle, and the generating function of all rounds' losses there."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from flint import acb, arb, arb_poly

from dpcalc.losses.lattice_pair import LatticePair


@dataclass(frozen=True)
class LatticeCircle:
    """The points z_j = r e^{2 pi i j / M}, with C and q of ``lattice``.

    Attributes:
        rounds: the losses of each kind of round, and how many times it is run.
        growth: e^h.
        r: the radius, above 1.
        points: M.
    """

    rounds: tuple[tuple[LatticePair, int], ...]
    growth: arb
    r: arb
    points: int

    def at(self, x: arb) -> arb:
        """C(x) for x > 0."""
        return math.prod(((g(x) * x**first) ** times for g, first, times in self._polynomials), start=arb(1))

    @cached_property
    def whole(self) -> arb:
        """C(r)."""
        return self.at(self.r)

    @property
    def first(self) -> int:
        """The least loss of all rounds, in lattice steps."""
        return sum(x.first * times for x, times in self.rounds)

    def kernel(self, z: acb) -> acb:
        """q(z)."""
        return 1 / ((z - 1) * (z * self.growth - 1))

    @cached_property
    def _polynomials(self) -> list[tuple[arb_poly, int, int]]:
        return [(arb_poly(list(x.masses)), x.first, times) for x, times in self.rounds]
