"""What Coq's checker of rounds computes, in Python: to know beforehand what it accepts.

A lattice bounds all datasets from above (notebooks/formal/lattice.v), a minorant bounds one from below (below.v).
Functions have the names and the steps that they have there. No proof rests on this copy: if it errs, Coq refuses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from dpcalc import check
from dpcalc.certificates.whole_numbers import UNUSED, CountLaw, Grid, Precision, Setting, own, up


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


#: How an outcome is shared: the first loss that gets a share, counted from the least loss, and the shares.
Share = tuple[int, list[int]]


@dataclass(frozen=True, slots=True)
class Minorant(Grid):
    """A pair whose losses are multiples of log g, made of parts of one dataset's outcomes.

    Attributes:
        named: ones among the other records.
        at: the precision of the count's law.
        cut: shares are in units of 2^-cut.
        shares: of every outcome, in order.
        made: the P masses of the losses -deepest, ....
        deepest: see there.
        level: lambda is at most g^level.
        before, after: rows of numbers begin so many steps above that, and end so many below 1.
    """

    named: int
    at: Precision
    cut: int
    shares: list[Share]
    made: list[int]
    deepest: int
    level: int
    before: int
    after: int


#: A lower end of 0 needs no witness.
NOTHING = Minorant(0, 0, 0, 0, UNUSED, 0, [], [], 0, 0, 0, 0)


def masses(asked: Setting, x: CountLaw) -> tuple[list[int], list[int]]:
    """Lower bounds of the P masses and upper bounds of the Q masses, in units of about 1 / (U D^k)."""
    zero, one = own(asked)
    error = sum(one) * x.error
    return check.convolved(zero, x.masses), [error + y for y in check.convolved(one, x.masses)]


def highest(w: Minorant, points: int) -> int:
    """The ratio one step above the last of ``points`` points of the grid, rounded up."""
    beyond = points - w.deepest
    if not w.coarse:
        return 0
    return -(-(w.one << w.scale * beyond) // int(w.coarse**beyond))


def ratios(w: Minorant, points: int) -> list[int]:
    """The ratios of the points of the grid, rounded up."""
    found = list(accumulate(range(points), lambda x, _: w.up_a_step(x), initial=highest(w, points)))
    return found[:0:-1]


def rows_down(w: Minorant, counts: int) -> list[int]:
    """Lower bounds of delta of so many rounds, in units: at lambda = g^(level + before), and at each step below."""
    powers = list(accumulate(range(w.after), lambda x, _: w.up_a_step(x), initial=w.one))[1:]
    row = [0] * (w.level + w.before + 1) + [max(w.one - x, 0) for x in powers]
    if not any(w.made):
        return [0] * len(row)
    for _ in range(counts):
        padded = [0] * w.deepest + row + [row[-1]] * len(w.made)
        sums = check.convolved(w.made[::-1], padded)[len(w.made) - 1 :]
        row = [x >> w.fine for x in sums[: len(row)]]
    return row
