"""What Coq's checker computes for one dataset in all rounds (notebooks/formal/below.v), in Python.

Functions have the names and the steps that they have there. No proof rests on this copy: if it errs, Coq refuses.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

from dpcalc import check
from dpcalc.certificates.whole_numbers import UNUSED, CountLaw, Grid, Precision, Setting, own

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
