r"""Pairs on a lattice of losses, above and below a pair (P, Q) or all pairs of a family.

The profile of (P, Q) is h(lambda) = sum [P - lambda Q]_+ for every lambda > 0: convex, falling, h(0) = 1. If in every
round the profile of one pair is nowhere below that of another, so it is after all rounds, also where later data depend
on earlier releases (C4). Masses need not sum to 1 (C5). With lambda_j = e^{j h}:

*Chords* (C6). Let V_j be at or above the profiles of all pairs of a family at lambda_j. Then the polygon through (0, 1)
and the points (lambda_j, V_j), flat from the last of them on, is nowhere below a profile; where it is convex, it is the
profile of a pair: the jump of its slope at lambda_j is the Q mass of the loss j h, lambda_j times it the P mass, and
the last V_j the P mass of an infinite loss. The points at which it is not proven to be convex are left out. A family
that holds every pair with its P and Q exchanged has the bounds 1 - 1/lambda + V(lambda)/lambda at 1/lambda: only j >= 0
is asked for.

*Splitting* (C7) an outcome (A, B), lambda_j B <= A < lambda_{j+1} B, into masses at both ends of the same sums A and B
is the same for one pair whose outcomes are known.

*The minorant* (C24) is the largest convex function below the lower ends of a profile and below where the lines through
its neighbouring points meet: the profile of a pair below. Leaving out a corner would raise it, so it is rational.

*Merging* (C8). Blocks of neighbouring outcomes, in order of their losses, are cut where their ratio is e^{j h}; only
the last may exceed it. A block (A, B) with A >= lambda_j B counts as (A, A / lambda_j).

Source: V. Doroshenko, B. Ghazi, P. Kamath, R. Kumar, P. Manurangsi, Connect the dots: tighter discrete approximations
of privacy loss distributions (2022), for the chords; Y. Zhu, J. Dong, Y.-X. Wang, Optimal accounting of differential
privacy via characteristic function (2022), for adaptive composition; proof notes, C4 to C8 and C24.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TypeVar

from flint import arb, ctx, fmpq

from dpcalc.numbers.ball import ball
from dpcalc.pairs.two_laws import Outcome

NEXT = 1e-9  #: a loss this near to a lattice point, in steps, counts as there
_CLOSE = 1e-12  # losses are not told apart more sharply where they steer
_LITTLE = 2.0**-20  # an outcome lighter than this share of a block is not merged into it, unless it completes it
_SHARP = 30  # bits to which a mass must be known to be put on the lattice

#: x, and what is known of a profile there: l and u.
Known = tuple[fmpq, fmpq, fmpq]
_Point = tuple[fmpq, fmpq]
_Number = TypeVar("_Number", arb, fmpq)


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


def chords(
    step: Fraction, bounds: Sequence[tuple[int, Fraction]], mirrored: Sequence[tuple[int, Fraction]] | None = None
) -> LatticePair:
    """The pair above a family.

    Args:
        step: h.
        bounds: (j, V_j), for some j >= 0 in rising order.
        mirrored: likewise of the pairs with P and Q exchanged; default: the family is its own mirror image.

    >>> from dpcalc.numbers.ball import working_precision
    >>> with working_precision(64):
    ...     above = chords(Fraction(1), [(0, Fraction(1, 2)), (1, Fraction(1, 10))])
    >>> above.first, [round(float(mass), 4) for mass in above.masses], above.beyond.str(5)
    (-1, [0.2328, 0.0344, 0.6328], '[0.10000 +/- 3e-10]')
    """
    h = ball(step)
    places = [*((-j, bound) for j, bound in reversed(bounds if mirrored is None else mirrored) if j), *bounds]
    losses, points = [0], [(arb(0), arb(1))]
    for j, bound in places:
        place, value = (h * j).exp(), ball(bound)
        losses.append(j)
        points.append((place, value if j >= 0 else 1 - place * (1 - value)))
    jumps = _jumps(points)
    masses = {losses[i]: points[i][0] * jump for i, jump in jumps}
    return _losses(masses, points[jumps[-1][0] if jumps else 0][1])


def _jumps(points: Sequence[tuple[_Number, _Number]]) -> list[tuple[int, _Number]]:
    """Places of the corners of a polygon through the first of these points, and the jumps of its slope there: convex,
    and flat from the last corner on. A point at which it is not proven to be convex is no corner.
    """

    def slope(i: int, j: int) -> _Number:
        (x, y), (u, v) = points[i], points[j]
        return (v - y) / (u - x)

    kept = [0]
    for i in range(1, len(points)):
        while len(kept) > 1 and not slope(*kept[-2:]) < slope(kept[-1], i):
            kept.pop()
        kept.append(i)
    while len(kept) > 1 and not slope(*kept[-2:]) < 0:
        kept.pop()
    slopes = [slope(i, j) for i, j in pairwise(kept)]
    rises = [after - before for before, after in pairwise(slopes)] + [-one for one in slopes[-1:]]
    return list(zip(kept[1:], rises, strict=True))


def minorant(known: Sequence[Known], infinite: fmpq) -> list[_Point]:
    """The outcomes of a pair below one of which only some values of its profile are known, as masses under P and Q, in
    rising order of their losses.

    Args:
        known: in rising order, 0 < x.
        infinite: a lower bound of f, everywhere.

    >>> zero = fmpq(0)  # of an outcome (1/2, 1/2) and one (1/2, 1/6)
    >>> places = (fmpq(x, 4) for x in (1, 2, 6, 8, 10, 16, 20))
    >>> exact = [(x, *[max(1 - x, zero) / 2 + max(3 - x, zero) / 6] * 2) for x in places]
    >>> [(str(a), str(b)) for a, b in minorant(exact, zero)]
    [('1/2', '1/2'), ('1/2', '1/6')]
    """
    corners = list(_corners(known, infinite))
    return [(corners[i][0] * jump, jump) for i, jump in _jumps(corners)]


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


def split(step: Fraction, outcomes: Iterable[Outcome], beyond: arb) -> LatticePair:
    """The pair above one whose outcomes are known.

    Args:
        step: h.
        outcomes: balls of the masses, in any order.
        beyond: P mass of further outcomes, of which nothing else need be known.
    """
    masses, h = dict[int, arb](), ball(step)
    for a, b in outcomes:
        if not sharp((a, b)):
            beyond += a.upper()
            continue
        nearest = math.floor(_place(a, b, h))
        for j in (nearest, nearest - 1, nearest + 1):  # a float may lie on the wrong side of a lattice point
            low, high = (h * j).exp(), (h * (j + 1)).exp()
            over, under = a - low * b, high * b - a
            if under > 0 and not over < 0:  # up + down = a and up / high + down / low = b
                break
        else:
            beyond += a.upper()
            continue
        masses[j + 1] = masses.get(j + 1, arb(0)) + over.nonnegative_part() * high / (high - low)
        masses[j] = masses.get(j, arb(0)) + under * low / (high - low)
    return _losses(masses, beyond)


def merged(step: Fraction, outcomes: Iterable[Outcome], theta: float = 0.0) -> LatticePair:
    """A pair below one whose outcomes are known.

    Args:
        step: h.
        outcomes: balls of the masses, in rising order of their losses.
        theta: a loss x matters as e^{theta x}; it steers.
    """
    masses: dict[int, arb] = {}
    for j, a in _blocks(ball(step), list(filter(sharp, outcomes)), theta):
        masses[j] = masses.get(j, arb(0)) + a
    return _losses(masses, arb(0))


def sharp(outcome: Outcome) -> bool:
    """Whether the outcome is known well enough to be put on the lattice."""
    return all(part.rel_accuracy_bits() >= _SHARP for part in outcome)


def lifted(x: float, y: float, t: float, theta: float) -> float:
    """The share that is lost where an outcome of loss x is merged with one of loss y up to t; x <= t < y."""
    more = math.expm1(min(t - x, 600.0)) / max(-math.expm1(t - y), _CLOSE)
    return max(1 + _grown(theta * (y - x)) * (more - (1 + more) * math.exp(-theta * (y - t))), 0.0)


def lowered(x: float, t: float, theta: float) -> float:
    """The share that is lost where a loss x counts as t <= x."""
    return -math.expm1(theta * (t - x))


def _grown(x: float) -> float:
    return math.exp(min(x, 700.0))


def _blocks(h: arb, outcomes: Sequence[Outcome], theta: float) -> Iterator[tuple[int, arb]]:
    """(j, A) of blocks (A, B) with A >= lambda_j B, by as little as the precision allows."""
    spare = arb(2) ** (8 - ctx.prec // 2)
    a = b = ratio = nearly = arb(0)
    j = 0
    for outcome in outcomes:
        more_a, more_b = outcome[0].lower(), outcome[1].upper()
        if b > 0 and more_b < b * _LITTLE and not a + more_a >= ratio * (b + more_b):
            yield _alone(h, a, b)
            a = b = arb(0)
        while more_a > 0 and more_b > 0:
            if not b > 0:
                j = math.ceil(_place(more_a, more_b, h) - NEXT)
                ratio = (h * j).exp()
                nearly = ratio * (1 - h * NEXT)
                if more_a >= ratio * more_b:  # next to the lattice point already
                    yield j, more_a
                    break
            elif more_a >= nearly * more_b and _rather_lowered(h, j, (a, b), (more_a, more_b), theta):
                yield _alone(h, a, b)
                a = b = arb(0)
                continue
            elif a + more_a >= ratio * (b + more_b):
                share = ((ratio * b - a) / (more_a - ratio * more_b) * (1 + spare) + spare).mid()
                share = share if 0 < share < 1 else arb(1)
                a, b = a + share * more_a, b + share * more_b
                if a >= ratio * b:
                    yield j, a
                a = b = arb(0)
                more_a, more_b = (1 - share) * more_a, (1 - share) * more_b
                continue
            a, b = a + more_a, b + more_b
            break
    if b > 0:
        yield _alone(h, a, b)


def _rather_lowered(h: arb, j: int, block: Outcome, after: Outcome, theta: float) -> bool:
    """Whether lowering a block to the point below loses less than merging it with the next outcome, beyond j."""
    x, y = (_place(*one, h) for one in (block, after))
    if x > j - NEXT:  # next to it
        return False
    step = float(h)
    return y < j + NEXT or lowered(x * step, (j - 1) * step, theta) < lifted(x * step, y * step, j * step, theta)


def _alone(h: arb, a: arb, b: arb) -> tuple[int, arb]:
    """A block with nothing left to merge: it counts at the lattice point below."""
    j = math.floor(_place(a, b, h) + NEXT)
    while not a >= b * (h * j).exp():
        j -= 1
    return j, a


def _place(a: arb, b: arb, h: arb) -> float:
    """log(a/b) / h; it steers."""
    return float((a.mid() / b.mid()).log() / h)


def _losses(masses: dict[int, arb], beyond: arb) -> LatticePair:
    """Masses of losses j, none of them below 0."""
    first = min(masses, default=0)
    listed = [masses.get(j, arb(0)).nonnegative_part() for j in range(first, max(masses, default=0) + 1)]
    return LatticePair(first, tuple(listed), beyond)
