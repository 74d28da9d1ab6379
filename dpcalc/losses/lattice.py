r"""Privacy losses on a lattice, and what many rounds of them add up to.

A round's loss is j h with the mass c_j >= 0 under P, hence c_j e^{-jh} under Q; a mass w may be infinite. With
G(z) = sum_j c_j z^j for each kind of round, run T times, C(z) = prod G(z)^T has the masses C_i of the losses i h of all
rounds together, and at the ratio limit e^epsilon

    delta = W + d_0,    d_i = sum_{j > J} C_{i + j} (1 - e^{epsilon - j h}),    J = floor(epsilon / h),

where W is the mass of the losses that are infinite in some round. All d_i are >= 0, and d_i is delta at epsilon + i h
less W. For |z| = r > 1 the d_i are the Laurent coefficients of C(z) K(z), with the kernel

    K(z) = sum_{j > J} (1 - e^{epsilon - j h}) z^{-j} = z^{-J} [(e^h - f) z + (f - 1)] q(z),
    f = e^{epsilon - J h},    q(z) = 1 / ((z - 1) (z e^h - 1)).

Over M equally spaced points z_j of that circle, nothing cancels, as 1 <= f < e^h:

    (1/M) sum_j C(z_j) K(z_j) = (e^h - f) S_{J-1} + (f - 1) S_J = d_0 + sum_{l != 0} d_{lM} r^{lM},
    S_t = (1/M) sum_j C(z_j) q(z_j) z_j^{-t},

in balls (``circle_in_balls``).

*Aliases.* The masses are >= 0, so that 0 <= d_i <= sum_{j > J + i} C_j: theorem 3.2 of the proof notes for C and K = 1,
on radii R > r and 1 <= S < r.

That error is only small beside Chernoff's bound of the sum, which may lie hundreds of orders of magnitude above delta
where the losses of one round lie far apart. C is multiplied out there: all terms are >= 0, and nothing is truncated.

r, R, S and M are chosen in floating point, which may only steer. Masses are at or above the truth in an upper bound, at
or below it in a lower one: delta grows with every mass.

Source: proof notes, C9 and C10; A. Koskela, J. Jälkö, A. Honkela, Computing tight differential privacy guarantees using
FFT (2020), for the lattice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate

from flint import arb, arb_poly

from dpcalc.laws.circle import beyond, enough, inside
from dpcalc.laws.tilt import Moments, Tilt
from dpcalc.losses.circle_in_balls import LatticeCircle
from dpcalc.losses.dominance import LatticePair, infinite
from dpcalc.numbers.ball import ball, decide, working_precision
from dpcalc.numbers.limit import Limit

_ARCS = 64  # points of a transform to a standard deviation of one round, to tell which points matter
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
    """Rounds whose losses lie on one lattice.

    Args:
        step: h > 0.
        rounds: the losses of each kind of round, and how many times it is run.
        near: an epsilon at which delta is wanted; the circle is good near it, and right everywhere.
        nats: truncation errors are about e^-nats of what is summed.
        arcs: points to a standard deviation that a first transform looks at.

    Everything is done at the current precision.

    >>> from dpcalc.numbers.ball import working_precision
    >>> with working_precision(100):  # randomized response at q = 1/4, of the losses log 3 and -log 3
    ...     once = LatticePair(-1, (arb(1) / 4, arb(0), arb(3) / 4), arb(0))
    ...     print(OnLattice(Fraction(11, 10), [(once, 1)], near=0.1, nats=30).delta(Limit.of(lam=2)).str(8))
    [0.25069337 +/- 4.46e-9]
    """

    def __init__(
        self, step: Fraction, rounds: Sequence[tuple[LatticePair, int]], *, near: float, nats: float, arcs: int = _ARCS
    ) -> None:
        self._step, self._rounds = step, tuple((x, times) for x, times in rounds if times)
        self._nothing = any(not any(mass.upper() > 0 for mass in x.masses) for x, _ in self._rounds)
        if self._nothing:
            return
        self._growth, self._known = ball(step).exp(), dict[int, arb]()
        self._enclose(near / float(step), nats, arcs)

    def delta(self, limit: Limit) -> arb:
        """A ball that holds delta, for any limit."""
        finite = arb(0) if self._nothing else self._finite(limit)
        return (finite + self.beyond).nonnegative_part()

    @property
    def settled(self) -> bool:
        """Whether the circle has few enough points; if not, only Chernoff's bound is known."""
        return self._nothing or self._circle.settled

    @cached_property
    def beyond(self) -> arb:
        """W."""
        return infinite(self._rounds)

    def _enclose(self, t: float, nats: float, arcs: int) -> None:
        """Choose r, R, S and M, and evaluate C where it matters."""
        tilt = tilt_of(self._rounds)
        theta = toward(tilt, t)
        variance, radii = tilt.variance(theta), [theta, theta]
        goal = nats + math.log(variance + 2)
        points = max(2, enough(variance, goal))
        for way, farthest in ((1, _FARTHEST), (-1, theta)):
            within = _BESIDE * theta, farthest
            radii[way > 0], points = beyond(tilt, theta, t, way, points, math.inf, goal, within)
        self._inner, self._outer = (arb(x).exp() for x in radii)
        self._circle = LatticeCircle(
            self._rounds, self._growth, arb(theta).exp().mid(), _smooth(points), density=arcs, goal=goal
        )

    def _finite(self, limit: Limit) -> arb:
        """d_0."""
        t, circle = floor(limit, self._step), self._circle
        if not circle.settled:
            return arb(0).union((circle.whole / circle.r ** (t + 1)).upper())
        part = limit.ball() / self._growth**t
        total = (self._growth - part) * self._sum(t - 1) + (part - 1) * self._sum(t)
        return total - arb(0).union(self._aliases(t).upper())

    def _sum(self, t: int) -> arb:
        """S_t; limits of one lattice step have it in common."""
        if t not in self._known:
            self._known[t] = self._circle.sum(t)
        return self._known[t]

    def _aliases(self, t: int) -> arb:
        """Bound of all aliases, to the right and to the left."""
        total, r = arb(0), self._circle.r
        for radius, ratio in ((self._outer, r / self._outer), (self._inner, self._inner / r)):
            power = ratio**self._circle.points
            if not power < 1:
                return arb.pos_inf()
            total += self._circle.at(radius) / radius ** (t + 1) * power / (1 - power)
        return total


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
        whole = _product([arb_poly(list(x.masses)) ** times for x, times in self._rounds])
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


def _product(factors: Sequence[arb_poly]) -> arb_poly:
    """Of equally long halves: one by one a long product would meet every short factor."""
    if len(factors) < 2:
        return factors[0] if factors else arb_poly([1])
    middle = len(factors) // 2
    return _product(factors[:middle]) * _product(factors[middle:])
