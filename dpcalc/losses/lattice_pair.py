"""The losses of one round on a lattice, and what rounds of them show at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from flint import arb


@dataclass(frozen=True, slots=True)
class LatticePair:
    """The masses under P of the losses of one round.

    Attributes:
        first: the loss of the first mass, in lattice steps.
        masses: of the losses first, first + 1, ...; each a ball of a number >= 0.
        beyond: the mass of an infinite loss.
    """

    first: int
    masses: tuple[arb, ...]
    beyond: arb

    def tilted(self, r: arb) -> list[arb]:
        """c_j r^(j - first)."""
        found, power = [], arb(1)
        for mass in self.masses:
            found.append(mass * power)
            power *= r
        return found


def infinite(rounds: Sequence[tuple[LatticePair, int]]) -> arb:
    """W = prod (G(1) + w)^T - prod G(1)^T."""
    whole, rise, totals = arb(1), arb(0), [sum(x.masses, arb(0)) for x, _ in rounds]
    if not all(total > 0 for total in totals):  # as where every loss is infinite
        every, finite = (
            math.prod(
                ((total + share * x.beyond) ** times for total, (x, times) in zip(totals, rounds, strict=True)),
                start=arb(1),
            )
            for share in (1, 0)
        )
        return every - finite
    for total, (x, times) in zip(totals, rounds, strict=True):
        whole *= total**times
        rise += times * (x.beyond / total).log1p()
    return whole * rise.expm1()
