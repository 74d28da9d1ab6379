r"""Privacy losses on a lattice, and what many rounds of them add up to.

A round's loss is j h with the mass c_j >= 0 under P, hence c_j e^{-jh} under Q; a mass w may be infinite. With
G(z) = sum_j c_j z^j for each kind of round, run T times, C(z) = prod G(z)^T has the masses C_i of the losses i h of all
rounds together, and at the ratio limit e^epsilon

    delta = W + d_0,    d_i = sum_{j > J} C_{i + j} (1 - e^{epsilon - j h}),    J = floor(epsilon / h),           (C9)

where W is the mass of the losses that are infinite in some round. On M equally spaced points of a circle |z| = r > 1

    (e^h - f) S_{J-1} + (f - 1) S_J = d_0 + sum_{l != 0} d_{lM} r^{lM},    f = e^{epsilon - J h},                  (C10)
    S_t = (1/M) sum_j C(z_j) q(z_j) z_j^{-t},    q(z) = 1 / ((z - 1) (z e^h - 1)),

in balls. Nothing cancels, as 1 <= f < e^h.

*Aliases.* The masses are >= 0, so that 0 <= d_i <= sum_{j > J + i} C_j: theorem 3.2 of the proof notes for C and K = 1,
on radii R > r and 1 <= S < r.

*Points left out.* |q(z)| <= q(r) on the circle, and ||phi(u)| - |phi(v)|| <= s |u - v| for phi(u) = G(r e^{iu}) / G(r)
and the standard deviation s of the losses with the masses c_j r^j / G(r) (C12). With a transform of N points this
bounds all arcs of half width pi / N. Evaluated are the points on arcs where it is not small: next to 1, and about the
further full-size peaks of a sparse lattice; and all of them where they are not more than those of that transform.

These errors are only small beside Chernoff's bound of the sum, which may lie hundreds of orders of magnitude above
delta where the losses of one round lie far apart. C is multiplied out there: all terms are >= 0, nothing is truncated.

r, R, S, M and the points kept are chosen in floating point, which may only steer. Masses are at or above the truth in
an upper bound, at or below it in a lower one: delta grows with every mass.

Source: proof notes, 3.2, C9, C10 and C12; A. Koskela, J. Jälkö, A. Honkela, Computing tight differential privacy
guarantees using FFT (2020), for the lattice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, chain

from flint import acb, acb_mat, arb, arb_poly, ctx, fmpq

from dpcalc.laws.circle import beyond, enough, geometric, inside
from dpcalc.laws.tilt import Moments, Tilt
from dpcalc.losses.dominance import LatticePair, infinite
from dpcalc.numbers.ball import ball, decide, working_precision
from dpcalc.numbers.limit import Limit

_DENSITY = 64  # points of a transform to a standard deviation of one round, to tell which points matter
_LARGEST = 1 << 16  # points of that transform: some 0.4 s
_EVERY = 1 << 18  # points of a circle, up to which all may be evaluated: some 4 s
_MOST = 4000  # points evaluated, at most, where there are more
_TERMS = 80  # terms of a polynomial that are summed while a transform finds one point
_TURNS = 32  # bits, beside the root of the number of terms, that a box loses as a polynomial is summed
_STEERING = 80  # bits: a variance loses those of the squared mean
_FARTHEST = 600.0  # logs of radii kept within floats
_BESIDE = 1e-3  # of log r: the least |log R/r|


def tilt_of(rounds: Sequence[tuple[LatticePair, int]]) -> Tilt:
    """Of C, from the upper ends of the masses; it steers."""
    kinds = []
    for x, times in rounds:
        g = arb_poly([mass.upper() for mass in x.masses])
        kinds.append((g, g.derivative(), g.derivative().derivative(), x.first, times))

    def at(theta: float) -> Moments:
        growth = mean = variance = 0.0
        with working_precision(_STEERING):
            x = arb(theta).exp()
            for g, first, second, start, times in kinds:
                whole = g(x)
                m, pairs = x * first(x) / whole, x**2 * second(x) / whole  # E j and E j (j - 1), j from 0 on
                growth += times * (float(whole.log().mid()) + start * theta)
                mean += times * (float(m.mid()) + start)
                variance += times * max(0.0, float((pairs + m - m**2).mid()))
        return Moments(growth, mean, variance)

    first = sum(x.first * times for x, times in rounds)
    last = sum((x.first + len(x.masses) - 1) * times for x, times in rounds)
    return Tilt(at, ends=(-_FARTHEST, _FARTHEST), support=(first, last))


def toward(tilt: Tilt, t: float) -> float:
    """About the theta with the tilted mean t, kept above 0 by about one standard deviation."""
    theta = tilt.toward(inside(tilt, t))
    variance = max(tilt.variance(0.0), tilt.variance(theta))  # the tilted sum may vary far more
    return max(theta, min(1.0, 1 / math.sqrt(variance + 1e-9)))


class OnLattice:
    """Rounds whose losses lie on one lattice, by C on a circle.

    Args:
        step: h > 0.
        rounds: the losses of each kind of round, and how many times it is run.
        near: an epsilon at which delta is wanted; the circle is good near it, and right everywhere.
        nats: truncation errors are about e^-nats of what is summed.
        density: points to a standard deviation of one round that a first transform looks at.

    Attributes:
        settled: whether few enough points matter; if not, only Chernoff's bound is known.

    Everything is done at the current precision.

    >>> from dpcalc.numbers.ball import working_precision
    >>> with working_precision(100):  # randomized response at q = 1/4, of the losses log 3 and -log 3
    ...     once = LatticePair(-1, (arb(1) / 4, arb(0), arb(3) / 4), arb(0))
    ...     print(OnLattice(Fraction(11, 10), [(once, 1)], near=0.1, nats=30).delta(Limit.of(lam=2)).str(8))
    [0.25069337 +/- 4.46e-9]
    """

    def __init__(
        self,
        step: Fraction,
        rounds: Sequence[tuple[LatticePair, int]],
        *,
        near: float,
        nats: float,
        density: int = _DENSITY,
    ) -> None:
        self._step, self._rounds, self.settled = step, tuple((x, times) for x, times in rounds if times), True
        self._nothing = any(not any(mass.upper() > 0 for mass in x.masses) for x, _ in self._rounds)
        if self._nothing:
            return
        self._growth, self._known = ball(step).exp(), dict[int, arb]()
        self._polynomials = [(arb_poly(list(x.masses)), x.first, times) for x, times in self._rounds]
        goal = self._choose(near / float(step), nats)
        self._whole = self._at(self._r)
        ranges, rest = self._matter(density, goal)
        self.settled = self._points <= _EVERY or sum(map(len, ranges)) <= _MOST
        if self.settled:
            self._evaluate(list(chain(*ranges)), rest * self._whole, self._whole * math.exp(-goal) / self._points)

    def delta(self, limit: Limit) -> arb:
        """A ball that holds delta, for any limit."""
        finite = arb(0) if self._nothing else self._finite(limit)
        return (finite + self.beyond).nonnegative_part()

    @cached_property
    def beyond(self) -> arb:
        """W."""
        return infinite(self._rounds)

    def _choose(self, t: float, nats: float) -> float:
        """r, R, S and M; the nats by which what is left out should be below what is summed."""
        tilt = tilt_of(self._rounds)
        theta = toward(tilt, t)
        variance, radii = tilt.variance(theta), [theta, theta]
        goal = nats + math.log(variance + 2)
        points = max(2, enough(variance, goal))
        for way, farthest in ((1, _FARTHEST), (-1, theta)):
            within = _BESIDE * theta, farthest
            radii[way > 0], points = beyond(tilt, theta, t, way, points, math.inf, goal, within)
        self._inner, self._outer = (arb(x).exp() for x in radii)
        self._r, self._points = arb(theta).exp().mid(), _smooth(points)
        return goal

    def _matter(self, density: int, goal: float) -> tuple[list[range], arb]:
        """The places of the points that matter, and a bound of the sum of |C| over all others, relative to C(r)."""
        points, half, rest = self._points, self._points // 2 + 1, arb(0)
        tilted = [x.tilted(self._r) for x, _ in self._rounds]
        deviations = [_deviation(masses) for masses in tilted]
        widest = max(map(float, deviations))
        if not widest < math.inf or points <= (arcs := _arcs(density, widest, points)):
            return [range(half)], rest  # the precision does not hold the variance, or all points are soon evaluated
        faded = [arb(1)] * (arcs // 2 + 1)
        for masses, deviation, (_, times) in zip(tilted, deviations, self._rounds, strict=True):
            total, reach = sum(masses, arb(0)), deviation * arb.pi() / arcs
            sizes = ((abs(value) / total + reach) ** times for value in _spectrum(masses, arcs))
            faded = [fade * size for fade, size in zip(faded, sizes, strict=False)]
        kept, start, little = list[range](), 0, math.exp(-goal) / arcs
        for arc, fade in enumerate(faded):  # the points next to each of the transform
            stop = min(half, (2 * arc + 1) * points // (2 * arcs) + 1)
            share = 2 * (stop - start) * fade
            if share < little:
                rest += share
            else:
                kept.append(range(start, stop))
            start = stop
        return kept, rest

    def _evaluate(self, places: Sequence[int], rest: arb, small: arb) -> None:
        """C q at these places, twice where the conjugate of a point counts too; what is small is only bounded."""
        points, terms = self._points, max(len(x.masses) for x, _ in self._rounds)
        spectra, values = [], dict[int, acb]()
        if many := len(places) * terms > _TERMS * points:
            spectra = [_spectrum(x.tilted(self._r), points) for x, _ in self._rounds]
        with working_precision(ctx.prec + math.isqrt(terms) + _TURNS):
            for j in places:
                z = self._r * _turn(j, points)
                value = acb(1 if 2 * j in (0, points) else 2)
                for i, (g, first, times) in enumerate(self._polynomials):
                    value *= ((spectra[i][j] if many else g(z)) * z**first) ** times
                if j and abs(value) < small:
                    rest += abs(value)
                else:
                    values[j] = value * self._kernel(z)
        self._places, self._values = list(values), acb_mat(1, len(values), list(values.values()))
        self._missing = (rest * self._kernel(acb(self._r)).real).upper()

    def _kernel(self, z: acb) -> acb:
        """q(z)."""
        return 1 / ((z - 1) * (z * self._growth - 1))

    def _finite(self, limit: Limit) -> arb:
        """d_0."""
        t = floor(limit, self._step)
        if not self.settled:
            return arb(0).union((self._whole / self._r ** (t + 1)).upper())
        part = limit.ball() / self._growth**t
        total = (self._growth - part) * self._sum(t - 1) + (part - 1) * self._sum(t)
        return total - arb(0).union(self._aliases(t).upper())

    def _sum(self, t: int) -> arb:
        """S_t; limits of one lattice step have it in common."""
        if t not in self._known:
            turns = acb_mat(len(self._places), 1, [_turn(-j * t, self._points) for j in self._places])
            found = (self._values * turns)[0, 0].real + arb(0, 1) * self._missing
            self._known[t] = found / self._r**t / self._points
        return self._known[t]

    def _aliases(self, t: int) -> arb:
        """Bound of all aliases, to the right and to the left."""
        sides = ((self._outer, self._r / self._outer), (self._inner, self._inner / self._r))
        return sum((self._at(x) / x ** (t + 1) * geometric(ratio, self._points) for x, ratio in sides), arb(0))

    def _at(self, x: arb) -> arb:
        """C(x) for x > 0."""
        return math.prod(((g(x) * x**first) ** times for g, first, times in self._polynomials), start=arb(1))


def _deviation(masses: Sequence[arb]) -> arb:
    """The standard deviation s of a place among the masses."""
    total = sum(masses, arb(0))
    mean = sum((j * mass for j, mass in enumerate(masses)), arb(0)) / total
    return (sum(((j - mean) ** 2 * mass for j, mass in enumerate(masses)), arb(0)) / total).sqrt()


def _arcs(density: int, deviation: float, points: int) -> int:
    """Points of the transform that tells which points matter, a power of two."""
    size = max(density * deviation, min(points / density, _MOST), 16)
    return min(_LARGEST, 1 << math.ceil(math.log2(size)))


def _turn(j: int, points: int) -> acb:
    """e^{2 pi i j / points}."""
    return acb(fmpq(2 * j, points)).exp_pi_i()


def _spectrum(masses: Sequence[arb], points: int) -> list[acb]:
    """sum_j masses_j e^{i j u} at u = 2 pi k / points, k = 0, ..., points - 1."""
    folded = [arb(0)] * points
    for j, mass in enumerate(masses):
        folded[-j % points] += mass  # the transform turns the other way
    return acb.dft(folded)


class Convolution:
    """The same on a short lattice: C by multiplication, which loses hardly any digits, however faint the masses are.

    Args:
        step: h > 0.
        rounds: the losses of each kind of round, and how many times it is run.

    Everything is done at the current precision.

    >>> from dpcalc.numbers.ball import working_precision
    >>> with working_precision(100):  # randomized response at q = 1/4, of the losses log 3 and -log 3
    ...     once = LatticePair(-1, (arb(1) / 4, arb(0), arb(3) / 4), arb(0))
    ...     print(Convolution(Fraction(11, 10), [(once, 1)]).delta(Limit.of(lam=2)).str(8))
    [0.25069337 +/- 4.46e-9]
    """

    def __init__(self, step: Fraction, rounds: Sequence[tuple[LatticePair, int]]) -> None:
        self._step, self._rounds = step, rounds
        self._first = sum(x.first * times for x, times in rounds)

    def delta(self, limit: Limit) -> arb:
        """A ball that holds delta, for any limit."""
        above = max(floor(limit, self._step) + 1 - self._first, 0)
        masses, others = self._sums
        if above >= len(masses):
            return self.beyond
        return (masses[above] - limit.ball() * others[above]).nonnegative_part() + self.beyond

    @cached_property
    def beyond(self) -> arb:
        """W."""
        return infinite(self._rounds)

    @cached_property
    def _sums(self) -> tuple[list[arb], list[arb]]:
        """Of the P and of the Q masses from each loss on."""
        whole = math.prod((arb_poly(list(x.masses)) ** times for x, times in self._rounds), start=arb_poly([1]))
        falling, likely = ball(-self._step).exp(), whole.coeffs() or [arb(0)]
        powers = accumulate(likely[1:], lambda power, _: power * falling, initial=ball(-self._first * self._step).exp())
        unlikely = [mass * power for mass, power in zip(likely, powers, strict=True)]
        first, second = (list(accumulate(reversed(masses)))[::-1] for masses in (likely, unlikely))
        return first, second


def floor(limit: Limit, step: Fraction) -> int:
    """The largest j with e^{j h} <= lambda."""
    if limit.logarithmic or limit.lam == 1:
        return math.floor((limit.given if limit.logarithmic else 0) / step)
    j = max(0, round(limit.steer() / float(step)))
    return j if decide(lambda: limit.ball().log() - ball(j * step)) else j - 1  # e^{jh} is no rational but 1


def _smooth(points: int) -> int:
    """So many points or some more, of which a transform is quick: 8, 10, 12 or 16 times a power of two."""
    part = 1 << max(0, points.bit_length() - 4)
    return part * next(size for size in (8, 10, 12, 16) if points <= size * part)
