"""What Coq's checker of rounds computes (notebooks/formal/lattice.v), in Python: to know beforehand what it accepts.

Functions have the names and the steps that they have there. No proof rests on this copy: if it errs, Coq refuses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from dpcalc import check
from dpcalc.certificates.whole_numbers import Grid, up


@dataclass(frozen=True, slots=True)
class Lattice(Grid):
    """A pair whose losses are multiples of log g, and the range of lambda where its rounds are computed.

    Attributes:
        of_loss: the P masses of the losses -L, ..., L.
        infinite: the P mass where Q is 0.
        reach: lambda lies between g^reach and the next power.
        ahead, behind: rows of numbers begin so many steps above that, and end so many below 1.
    """

    of_loss: list[int]
    infinite: int
    reach: int
    ahead: int
    behind: int

    def down_a_step(self, x: int) -> int:
        """x / g, rounded down."""
        return self.coarse * x >> self.scale


def mirrored(lattice: Lattice, bounds: Sequence[int]) -> list[int]:
    """The bounds at g^-L, ..., g^L, of those at g^0, ..., g^L."""
    x, found = lattice.one, list(bounds)
    for y in bounds[1:]:
        x = lattice.down_a_step(x)
        found.insert(0, lattice.one - (x * max(lattice.one - y, 0) >> lattice.fine))
    return found


def heights(lattice: Lattice) -> list[int]:
    """Lower bounds of the pair's privacy profile, at lambda = 0 and at every knot."""
    p, q, found = lattice.infinite, 0, list[int]()
    for x in reversed(lattice.of_loss):
        found.insert(0, max(p - q, 0))
        p, q = p + x, lattice.up_a_step(q + x)
    return [p, *found]


def of_rounds(lattice: Lattice, counts: int) -> tuple[int, int]:
    """Upper bounds of delta of so many rounds, in units: at lambda = g^reach, and at the next power."""
    most, ahead, behind = lattice.one, len(lattice.of_loss) // 2, lattice.behind
    powers = accumulate(range(behind), lambda x, _: lattice.down_a_step(x), initial=most)
    row = [0] * (lattice.reach + lattice.ahead + 2) + [most - x for x in powers][1:]
    for _ in range(counts):
        padded = [row[0]] * ahead + row + [most] * ahead
        sums = check.convolved(lattice.of_loss[::-1], padded)[2 * ahead :]
        row = [up(lattice.fine, x + lattice.infinite * most) for x in sums[: len(row)]]
        most = up(lattice.fine, (sum(lattice.of_loss) + lattice.infinite) * most)
    return row[lattice.ahead + 1], row[lattice.ahead]


def between_powers(lattice: Lattice, lam: Fraction, bounds: tuple[int, int]) -> Fraction:
    """The chord through these bounds, at lambda between the two powers of g."""
    a, b = (Fraction(1 << lattice.scale, lattice.coarse) ** i for i in (lattice.reach, lattice.reach + 1))
    return ((b - lam) * bounds[0] + (lam - a) * bounds[1]) / ((b - a) * lattice.one)
