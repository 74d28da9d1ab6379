"""What Coq's checker computes of one dataset in all rounds (notebooks/formal/below.v), in Python.

Every function has the name and the steps that it has there. Nothing rests on this copy: where it errs, Coq refuses.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

from dpcalc import check
from dpcalc.certificates.whole_numbers import UNUSED, CountLaw, Grid, Precision, Setting, own

#: Of an outcome: the first loss that a share of it goes to, counted from the least one, and the shares.
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
    """The P masses at least and the Q masses at most, in units of about 1 / (U D^k)."""
    zero, one = own(asked)
    error = sum(one) * x.error
    return check.convolved(zero, x.masses), [error + y for y in check.convolved(one, x.masses)]


def highest(w: Minorant, points: int) -> int:
    """The ratio one step above the last of so many points of the grid, rounded up."""
    beyond = points - w.deepest
    if not w.coarse:
        return 0
    return -(-(w.one << w.scale * beyond) // int(w.coarse**beyond))


def ratios(w: Minorant, points: int) -> list[int]:
    """The ratios of all of them, rounded up."""
    found = list(accumulate(range(points), lambda x, _: w.up_a_step(x), initial=highest(w, points)))
    return found[:0:-1]


def rows_down(w: Minorant, counts: int) -> list[int]:
    """So much delta so many rounds need at least, in units: at lambda = g^(level + before), and below."""
    powers = list(accumulate(range(w.after), lambda x, _: w.up_a_step(x), initial=w.one))[1:]
    row = [0] * (w.level + w.before + 1) + [max(w.one - x, 0) for x in powers]
    if not any(w.made):
        return [0] * len(row)
    for _ in range(counts):
        padded = [0] * w.deepest + row + [row[-1]] * len(w.made)
        sums = check.convolved(w.made[::-1], padded)[len(w.made) - 1 :]
        row = [x >> w.fine for x in sums[: len(row)]]
    return row
