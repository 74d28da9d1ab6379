r"""The points of a lattice's circle in balls: those that matter, and a bound of all others.

With C, q, z_j = r e^{i u_j} and S_t as in ``lattice``: |q(z)| <= q(r) on the circle. Write phi(u) = G(r e^{iu}) / G(r),
the characteristic function of a lattice variable X with the masses c_j r^j / G(r), of variance s^2 and fourth central
moment m. Then

    |phi(u)|^2 = E cos(u D) <= 1 - u^2 s^2 + u^4 (2 m + 6 s^4) / 24,    D the difference of two copies of X,       (1)
    ||phi(u)| - |phi(v)|| <= E|X - E X| |u - v| <= s |u - v|,                                                      (2)

(1) by cos x <= 1 - x^2/2 + x^4/24, (2) because |phi| does not change when X is centred. (1) bounds the points near the
middle but for the nearest, a discrete Fourier transform of fewer points and (2) all other arcs between these. Evaluated
are the nearest and those on arcs where this is not small, as about the further full-size peaks of a sparse lattice; and
all of them where they are not more than those of that transform.

The points kept are chosen in floating point, which may only steer.

Source: proof notes, C12.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import chain

from flint import acb, acb_mat, arb, arb_poly, fmpq

from dpcalc.losses.dominance import LatticePair

_EVERY = 1 << 18  # points of a circle, up to which all may be evaluated: some 4 s
_MOST = 4000  # points evaluated, at most, where there are more
_LARGEST = 1 << 16  # points of a transform that tells which points matter: some 0.4 s
_BLOCK = 32  # terms of a polynomial that are summed before they are turned


class LatticeCircle:
    """The points z_j = r e^{2 pi i j / M}, and the sums over them, with C and q of ``lattice``.

    Args:
        rounds: the losses of each kind of round, and how many times it is run.
        growth: e^h.
        r: the radius, above 1.
        points: M.
        density: points to a standard deviation of one round that a first transform looks at.
        goal: what is left out is about e^-goal of C(r).

    Attributes:
        r, points: as above.
        whole: C(r).
        settled: whether few enough points matter; if not, there are no sums.
    """

    def __init__(
        self, rounds: Sequence[tuple[LatticePair, int]], growth: arb, r: arb, points: int, *, density: int, goal: float
    ) -> None:
        self.r, self.points, self._rounds, self._growth = r, points, rounds, growth
        self._polynomials = [(arb_poly(list(x.masses)), x.first, times) for x, times in rounds]
        self.whole = self.at(r)
        tilted = [x.tilted(r) for x, _ in rounds]
        ranges, rest = self._matter(tilted, density, goal)
        self.settled = points <= _EVERY or sum(places.stop - places.start for places in ranges) <= _MOST
        if self.settled:
            self._evaluate(tilted, list(chain(*ranges)), rest * self.whole, self.whole * math.exp(-goal) / points)

    def at(self, x: arb) -> arb:
        """C(x) for x > 0."""
        return _product((g(x) * x**first) ** times for g, first, times in self._polynomials)

    def kernel(self, z: acb) -> acb:
        """q(z)."""
        return 1 / ((z - 1) * (z * self._growth - 1))

    def sum(self, t: int) -> arb:
        """S_t, a ball."""
        root = math.isqrt(self._places[-1]) + 1
        parts = [divmod(j, root) for j in self._places]
        far, near = (
            {i: _turn(-i * step * t, self.points) for i in set(column)}
            for step, column in zip((root, 1), zip(*parts, strict=True), strict=True)
        )
        turns = [far[a] * near[b] for a, b in parts]
        found = (self._values * acb_mat(len(turns), 1, turns))[0, 0].real
        return (found + arb(0, 1) * self._missing) / self.r**t / self.points

    def _matter(self, tilted: Sequence[list[arb]], density: int, goal: float) -> tuple[list[range], arb]:
        """The places of the points that matter, and a bound of the sum of |C| over all others, relative to C(r)."""
        points, half = self.points, self.points // 2 + 1
        moments = [_moments(masses) for masses in tilted]
        widest = max(float(variance) for variance, _ in moments)
        if not widest < math.inf:  # the precision does not hold the variance
            return [range(half)], arb(0)
        arcs = _transform(max(density * math.sqrt(max(widest, 0.0)), min(points / density, _MOST)))
        if points <= arcs:
            return [range(half)], arb(0)
        kinds = zip(tilted, moments, self._rounds, strict=True)
        bounds = [_Fading(masses, known, times, arcs) for masses, known, (_, times) in kinds]
        reach = math.sqrt(4 * goal / (sum(bound.steer for bound in bounds) + 1e-9))
        if not math.isfinite(reach):
            return [range(half)], arb(0)
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
        return places, rest

    def _evaluate(self, tilted: Sequence[list[arb]], places: Sequence[int], rest: arb, small: arb) -> None:
        """C at these places, twice where the conjugate of a point counts too; what is small is only bounded."""
        self._places, values, points = list[int](), [], self.points
        shift = self.r ** sum(x.first * times for x, times in self._rounds)
        for j, *sums in zip(places, *(_seen(masses, places, points) for masses in tilted), strict=True):
            value = acb(shift * (1 if 2 * j in (0, points) else 2))
            for one, (x, times) in zip(sums, self._rounds, strict=True):
                value *= (one * _turn(j * x.first, points)) ** times
            if j and abs(value) < small:
                rest += abs(value)
            else:
                self._places.append(j)
                values.append(value * self.kernel(self.r * _turn(j, points)))
        self._values = acb_mat(1, len(values), values)
        self._missing = (rest * self.kernel(acb(self.r)).real).upper()


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


def _transform(points: float) -> int:
    """So many points or more, a power of two."""
    return min(_LARGEST, 1 << max(4, math.ceil(math.log2(max(points, 1)))))


def _turn(j: int, points: int) -> acb:
    """e^{2 pi i j / points}."""
    return acb(fmpq(2 * j, points)).exp_pi_i()


def _seen(masses: list[arb], places: Sequence[int], points: int) -> list[acb]:
    """sum_i masses_i e^{2 pi i i j / points} for each place j: by a transform of all points where that is quicker: a
    turn takes as long as one of them.

    One by one it is a product of matrices, of short blocks of terms: Horner's rule would let the errors grow with every
    turn of a box.
    """
    starts = range(0, len(masses), _BLOCK)
    if (_BLOCK + len(starts)) * len(places) > points:
        spectrum = _spectrum(masses, points)
        return [spectrum[j] for j in places]
    blocks = acb_mat(len(starts), _BLOCK, [*masses, *[arb(0)] * (len(starts) * _BLOCK - len(masses))])
    near = acb_mat([[_turn(i * j, points) for i in range(_BLOCK)] for j in places])
    rows = (near * blocks.transpose()).tolist()
    return [
        sum((x * _turn(start * j, points) for x, start in zip(row, starts, strict=True)), acb(0))
        for row, j in zip(rows, places, strict=True)
    ]


def _spectrum(masses: list[arb], points: int) -> list[acb]:
    """sum_j masses_j e^{i j u} at u = 2 pi k / points, k = 0, ..., points - 1."""
    folded = [arb(0)] * points
    for j, mass in enumerate(masses):
        folded[-j % points] += mass  # the transform turns the other way
    return acb.dft(folded)


def _product(sizes: Iterable[arb]) -> arb:
    return math.prod(sizes, start=arb(1))
