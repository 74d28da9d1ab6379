r"""A pair below one of which only some values of its profile are known: the convex minorant.

The profile f of a pair is convex, f(0) = 1. Where l_i <= f(x_i) <= u_i is known at x_1 < ... < x_n, f is between x_i
and x_{i+1} nowhere below the line through (x_{i-1}, u_{i-1}) and (x_i, l_i), and nowhere below that through
(x_{i+1}, l_{i+1}) and (x_{i+2}, u_{i+2}). Before x_1 the first one is 1 - x, after x_n the second one the P mass of an
infinite loss. The polygon through the points (x_i, l_i) and where the two lines meet is at or below f, and so is the
largest convex function at or below that. It is the profile of a pair: the jump of its slope at x is the Q mass of the
loss log x, x times it the P mass.

All of it is rational. Leaving out a corner would raise it.

Source: proof notes, C24.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from flint import fmpq

#: x, and what is known of f(x): l and u.
Known = tuple[fmpq, fmpq, fmpq]
_Point = tuple[fmpq, fmpq]


def minorant(known: Sequence[Known], infinite: fmpq) -> list[_Point]:
    """The outcomes of the pair below, as masses under P and Q, in rising order of their losses.

    Args:
        known: in rising order, 0 < x.
        infinite: a lower bound of f, everywhere.

    >>> zero = fmpq(0)  # of an outcome (1/2, 1/2) and one (1/2, 1/6)
    >>> places = (fmpq(x, 4) for x in (1, 2, 6, 8, 10, 16, 20))
    >>> exact = [(x, *[max(1 - x, zero) / 2 + max(3 - x, zero) / 6] * 2) for x in places]
    >>> [(str(a), str(b)) for a, b in minorant(exact, zero)]
    [('1/2', '1/2'), ('1/2', '1/6')]
    """
    corners = _hull(_corners(known, infinite))
    slopes = [(y - v) / (x - u) for (u, v), (x, y) in pairwise(corners)]
    jumps = [after - slope for slope, after in pairwise([*slopes, fmpq(0)])]
    return [(x * jump, jump) for (x, _), jump in zip(corners[1:], jumps, strict=True) if jump]


@dataclass(frozen=True, slots=True)
class _Line:
    slope: fmpq
    point: _Point

    @classmethod
    def through(cls, one: _Point, other: _Point) -> _Line:
        """The line through two points; its slope is kept in [-1, 0], as that of f is."""
        slope = (other[1] - one[1]) / (other[0] - one[0])
        return cls(min(max(slope, fmpq(-1)), fmpq(0)), one)

    def at(self, x: fmpq) -> fmpq:
        return self.point[1] + self.slope * (x - self.point[0])

    def meets(self, other: _Line) -> _Point | None:
        """Where it meets a line of larger slope; None if the other slope is not larger."""
        if not self.slope < other.slope:
            return None
        x = (self.at(fmpq(0)) - other.at(fmpq(0))) / (other.slope - self.slope)
        return x, self.at(x)


def _corners(known: Sequence[Known], infinite: fmpq) -> Iterator[_Point]:
    """The corners of a polygon at or below f, not convex yet."""
    low = [(fmpq(0), fmpq(1)), *((x, max(least, 1 - x, infinite)) for x, least, _ in known)]
    high = [low[0], *((x, most) for x, _, most in known)]
    falling = [_Line(fmpq(-1), low[0]), *(_Line.through(b, a) for a, b in zip(high, low[1:], strict=False))]
    rising = [*(_Line.through(a, b) for a, b in zip(low[1:], high[2:], strict=False)), _Line(fmpq(0), low[-1])]
    for (here, there), left, right in zip(pairwise(low), falling[:-1], rising, strict=True):
        yield here
        meeting = left.meets(right)
        if meeting and here[0] < meeting[0] < there[0]:
            yield meeting
    yield low[-1]
    end = falling[-1].meets(_Line(fmpq(0), (low[-1][0], infinite)))
    if end and end[0] > low[-1][0]:
        yield end


def _hull(corners: Iterable[_Point]) -> list[_Point]:
    """The corners of the largest convex function at or below theirs."""
    kept: list[_Point] = []
    for x, y in corners:
        while len(kept) > 1 and (kept[-1][1] - kept[-2][1]) * (x - kept[-1][0]) >= (y - kept[-1][1]) * (
            kept[-1][0] - kept[-2][0]
        ):
            kept.pop()
        kept.append((x, y))
    return kept
