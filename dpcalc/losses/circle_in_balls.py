r"""The points of a lattice's circle in balls: those that matter, and a bound of all others.

With C, q, z_j = r e^{i u_j} and S_t as in ``lattice``: |q(z)| <= q(r) on the circle. Write phi(u) = G(r e^{iu}) / G(r),
the characteristic function of a lattice variable X with the masses c_j r^j / G(r), of variance s^2 and fourth central
moment m. Then

    |phi(u)|^2 = E cos(u D) <= 1 - u^2 s^2 + u^4 (2 m + 6 s^4) / 24,    D the difference of two copies of X,       (1)
    ||phi(u)| - |phi(v)|| <= E|X - E X| |u - v| <= s |u - v|,                                                      (2)

(1) by cos x <= 1 - x^2/2 + x^4/24, (2) because |phi| does not change when X is centred. Where M is small every point is
evaluated, by one discrete Fourier transform. Where it is large, (1) bounds the points near the middle, the transform of
fewer points and (2) all other arcs between these; points on arcs where this is not small, as those about the further
full-size peaks of a sparse lattice, are evaluated too.

The points kept are chosen in floating point, which may only steer.

Source: proof notes, C12.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain

from flint import acb, acb_mat, arb, arb_poly, ctx, fmpq

from dpcalc.losses.lattice_pair import LatticePair
from dpcalc.numbers.ball import working_precision

_LARGEST = 1 << 16  # points of a transform that tells which points matter: some 0.4 s
_BLOCK = 32  # terms of a polynomial that are summed before they are turned
_MOST = 4000  # points evaluated one by one, at most
_FEW = 300  # the same where a transform of all of them would do as well
_DEAR = 40  # so many terms of points one by one take as long as a point of a transform
_TABLE = 8  # points of the circle to each that is kept, up to which a table of all roots of unity pays


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


class CircleInBalls:
    """The sums S_t.

    Args:
        circle: whose points.
        kept: j and C(z_j), twice that for a point and its conjugate.
        rest: at least the sum of |C| over all other points.
    """

    def __init__(self, circle: LatticeCircle, kept: Sequence[tuple[int, acb]], rest: arb) -> None:
        self._circle, self._places = circle, [j for j, _ in kept]
        self._values = acb_mat(
            1, len(kept), [value * circle.kernel(circle.r * _turn(j, circle.points)) for j, value in kept]
        )
        self._missing = (rest * circle.kernel(acb(circle.r)).real).upper()

    @classmethod
    def every(cls, circle: LatticeCircle, small: float) -> CircleInBalls:
        """All points by a transform; those with less than a small share of C(r) are only bounded."""
        points, rounds = circle.points, circle.rounds
        spectra = [_spectrum(x.tilted(circle.r), points)[: points // 2 + 1] for x, _ in rounds]
        shift, limit = circle.r**circle.first, circle.whole * small
        kept, rest = [], arb(0)
        for j, sums in enumerate(zip(*spectra, strict=True)):
            size = shift * _product(abs(at) ** times for at, (_, times) in zip(sums, rounds, strict=True))
            if size < limit:
                rest += size * _count(j, points)
            else:
                kept.append((j, _weighed(circle, shift, j, sums)))
        return cls(circle, kept, rest)

    @classmethod
    def some(cls, circle: LatticeCircle, density: int, goal: float) -> CircleInBalls | None:
        """The points in the middle and on arcs with peaks; (1) and (2) bound all others. None if they are too many.

        Args:
            circle: whose points.
            density: points to a standard deviation of one round that a first transform looks at.
            goal: what is left out is about e^-goal of C(r).
        """
        points, half = circle.points, circle.points // 2 + 1
        tilted = [x.tilted(circle.r) for x, _ in circle.rounds]
        moments = [_moments(masses) for masses in tilted]
        widest = max(float(variance) for variance, _ in moments)
        if not widest < math.inf:  # the precision does not hold the variance
            return None
        arcs = _transform(max(density * math.sqrt(max(widest, 0.0)), min(points / density, _MOST)))
        if points <= arcs:
            return None
        kinds = zip(tilted, moments, circle.rounds, strict=True)
        bounds = [_Fading(masses, known, times, arcs) for masses, known, (_, times) in kinds]
        reach = math.sqrt(4 * goal / (sum(bound.steer for bound in bounds) + 1e-9))
        if not math.isfinite(reach):
            return None
        start = min(half, math.ceil(reach * points / (2 * math.pi)))
        places, rest = [range(start)], arb(0)
        turning = min(half, math.floor(min(bound.turning for bound in bounds) * points / (2 * math.pi)))
        while start < turning:
            stop = min(turning, start + 1 + start // 8)
            here = arb(fmpq(2 * start, points)) * arb.pi()
            rest += 2 * (stop - start) * _product(bound.near(here) for bound in bounds)
            start = stop
        while start < half:
            arc = (2 * start * arcs + points) // (2 * points)  # the transform's nearest point
            stop = min(half, max(start + 1, (2 * arc + 1) * points // (2 * arcs)))
            size = 2 * (stop - start) * _product(bound.far(arc) for bound in bounds)
            if size * arcs < math.exp(-goal):
                rest += size
            else:
                places.append(range(start, stop))
            start = stop
        if sum(map(len, places)) > (_FEW if points <= _LARGEST else _MOST):
            return None
        every = list(chain(*places))
        seen, shift = _seen_from(tilted, every, points), circle.r**circle.first
        kept = [(j, _weighed(circle, shift, j, sums)) for j, *sums in zip(every, *seen, strict=True)]
        return cls(circle, kept, rest * circle.whole)

    def sum(self, t: int) -> arb:
        """S_t, a ball."""
        points = self._circle.points
        if points < _TABLE * len(self._places):
            table = _turns(points, ctx.prec)
            turns = [table[-j * t % points] for j in self._places]
        else:
            turns = [_turn(-j * t, points) for j in self._places]
        found = (self._values * acb_mat(len(turns), 1, turns))[0, 0].real
        return (found + arb(0, 1) * self._missing) / self._circle.r**t / points


class _Fading:
    """Bounds (1) and (2) of |phi|^T around the circle.

    Args:
        masses: c_j r^j.
        moments: s^2 and m.
        times: T.
        arcs: points of the transform.
    """

    def __init__(self, masses: list[arb], moments: tuple[arb, arb], times: int, arcs: int) -> None:
        self._times, total = times, sum(masses, arb(0))
        self._variance, fourth = moments
        self._fourth = (2 * fourth + 6 * self._variance**2) / 24
        self._reach = self._variance.sqrt() * arb.pi() / arcs
        self._sizes = [abs(value) / total for value in _spectrum(masses, arcs)]
        self.steer = times * float(self._variance)
        #: up to where (1) falls
        self.turning = math.sqrt(float(self._variance / (2 * self._fourth))) if self._fourth > 0 else 0.0

    def near(self, u: arb) -> arb:
        """A bound at and beyond u, as far as ``turning``: |phi|^2 <= 1 - y <= e^-y."""
        return (-self._times * (u**2 * self._variance - u**4 * self._fourth) / 2).exp()

    def far(self, arc: int) -> arb:
        """A bound within half a step of the transform's point."""
        return (self._sizes[arc] + self._reach) ** self._times


def _moments(masses: Sequence[arb]) -> tuple[arb, arb]:
    """Variance and fourth central moment of a place among the masses."""
    total = sum(masses, arb(0))
    mean = sum((j * mass for j, mass in enumerate(masses)), arb(0)) / total
    second = fourth = arb(0)
    for j, mass in enumerate(masses):
        square = (j - mean) ** 2
        second += mass * square
        fourth += mass * square**2
    return second / total, fourth / total


def _weighed(circle: LatticeCircle, shift: arb, j: int, sums: Sequence[acb]) -> acb:
    """C(z_j), twice if its conjugate counts too.

    Args:
        circle: whose point.
        shift: r^i for the least loss i of all rounds, from which on masses are tilted.
        j: the place of the point.
        sums: G(z_j) / z_j^first of each kind of round.
    """
    value = acb(shift * _count(j, circle.points))
    for at, (x, times) in zip(sums, circle.rounds, strict=True):
        value *= (at * _turn(j * x.first, circle.points)) ** times
    return value


def _count(j: int, points: int) -> int:
    """A point and its conjugate, if that is another one."""
    return 1 if 2 * j in (0, points) else 2


def _transform(points: float) -> int:
    """So many points or more, a power of two."""
    return min(_LARGEST, 1 << max(4, math.ceil(math.log2(max(points, 1)))))


def _turn(j: int, points: int) -> acb:
    """e^{2 pi i j / points}."""
    return acb(fmpq(2 * j, points)).exp_pi_i()


@lru_cache(maxsize=8)
def _turns(points: int, bits: int) -> list[acb]:
    """Those of every j, at a precision."""
    with working_precision(bits):
        return [acb(fmpq(2 * j, points)).exp_pi_i() for j in range(points)]


def _seen_from(kinds: Sequence[list[arb]], places: list[int], points: int) -> list[list[acb]]:
    """sum_i masses_i e^{2 pi i i j / points} for each place j, of each kind: by a transform of all points where that is
    quicker.
    """
    turns = [[_turn(i * j, points) for i in range(_BLOCK)] for j in places]
    found = []
    for masses in kinds:
        if len(masses) * len(places) > _DEAR * points:
            spectrum = _spectrum(masses, points)
            found.append([spectrum[j] for j in places])
        else:
            found.append([_turned(masses, j, points, own) for j, own in zip(places, turns, strict=True)])
    return found


def _turned(masses: list[arb], j: int, points: int, turns: list[acb]) -> acb:
    """The same of one; Horner's rule would let the errors grow with every turn of a box."""
    total = acb(0)
    for start in range(0, len(masses), _BLOCK):
        pairs = zip(turns, masses[start : start + _BLOCK], strict=False)
        if block := [turn * mass for turn, mass in pairs if not mass.is_zero()]:
            total += sum(block, acb(0)) * _turn(start * j, points)
    return total


def _spectrum(masses: list[arb], points: int) -> list[acb]:
    """sum_j masses_j e^{i j u} at u = 2 pi k / points, k = 0, ..., points - 1."""
    folded = [arb(0)] * points
    for j, mass in enumerate(masses):
        folded[-j % points] += mass  # the transform turns the other way
    return acb.dft(folded)


def _product(sizes: Iterable[arb]) -> arb:
    return math.prod(sizes, start=arb(1))
