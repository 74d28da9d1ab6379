r"""Privacy losses on a lattice, and what many rounds of them add up to.

A round's loss is j h with the mass c_j >= 0 under P, hence c_j e^{-jh} under Q; a mass w may be infinite. With
G(z) = sum_j c_j z^j for each kind of round, run T times, C(z) = prod G(z)^T has the masses C_i of the losses i h of all
rounds together, and at the ratio limit e^epsilon

    delta = W + d_0,    d_i = sum_{j > J} C_{i + j} (1 - e^{epsilon - j h}),    J = floor(epsilon / h),

where W is the mass of the losses that are infinite in some round. All d_i are >= 0, and d_i is delta at epsilon + i h
less W. For |z| = r > 1 the d_i are the Laurent coefficients of C(z) K(z), with the kernel

    K(z) = sum_{j > J} (1 - e^{epsilon - j h}) z^{-j} = z^{-J} [1 / (z - 1) - e^{epsilon - J h} / (z e^h - 1)].

Over M equally spaced points z_j = r e^{i u_j} of that circle,

    (1/M) sum_j C(z_j) K(z_j) = d_0 + sum_{l != 0} d_{lM} r^{lM}.

*Aliases.* The masses are >= 0, so that d_i <= sum_{j > J + i} C_j <= C(R) R^{-(J + i + 1)} for every R >= 1. With R > r
those of l >= 1 add at most C(R) R^{-(J+1)} x / (1 - x), x = (r/R)^M; with 1 <= S < r those of l <= -1 at most
C(S) S^{-(J+1)} y / (1 - y), y = (S/r)^M. None of them is negative.

*Points left out.* |K(z)| <= K(r) on the circle. Write phi(u) = G(r e^{iu}) / G(r), the characteristic function of a
lattice variable X with the masses c_j r^j / G(r), of variance s^2 and fourth central moment m. Then

    |phi(u)|^2 = E cos(u D) <= 1 - u^2 s^2 + u^4 (2 m + 6 s^4) / 24,    D the difference of two copies of X,       (1)
    ||phi(u)| - |phi(v)|| <= E|X - E X| |u - v| <= s |u - v|,                                                      (2)

(1) by cos x <= 1 - x^2/2 + x^4/24, (2) because |phi| does not change when X is centred. Where M is small every point is
evaluated, by one discrete Fourier transform. Where it is large, (1) bounds the points near the middle, the transform of
fewer points and (2) all other arcs between these; points on arcs where this is not small, as those about the further
full-size peaks of a sparse lattice, are evaluated too.

r, R, S, M and the points kept are chosen in floating point, which may only steer. Masses are at or above the truth in
an upper bound, at or below it in a lower one: delta grows with every mass.

Source: proof notes, C9 to C12; A. Koskela, J. Jälkö, A. Honkela, Computing tight differential privacy guarantees using
FFT (2020), for the lattice.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import chain

from flint import acb, acb_mat, arb, arb_poly, ctx, fmpq

from dpcalc.numbers.ball import ball, decide, working_precision
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import increasing_root

_LARGEST = 1 << 16  # points of a transform that tells which points matter: some 0.4 s
_EVERY = 1 << 18  # points of a circle, up to which all of them may be evaluated: some 4 s
_ARCS = 64  # points of a transform to a standard deviation of one round, for (2) to be sharp
_BLOCK = 32  # terms of a polynomial that are summed before they are turned
_MOST = 4000  # points evaluated one by one, at most
_FEW = 300  # the same where a transform of all of them would do as well
_DEAR = 40  # so many terms of points one by one take as long as a point of a transform
_TABLE = 8  # points of the circle to each that is kept, up to which a table of all roots of unity pays
_STEERING = 80  # bits: a variance loses those of the squared mean
_FARTHEST = 600.0  # logs of radii kept within floats
_WIDTHS = (0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0)  # candidates for log(R/r), in standard deviations


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


class _Steering:
    """log C(e^theta) and its derivatives, in floating point, from the upper ends of the masses."""

    def __init__(self, rounds: Sequence[tuple[LatticePair, int]]) -> None:
        self._kinds = []
        for x, times in rounds:
            g = arb_poly([mass.upper() for mass in x.masses])
            self._kinds.append((g, g.derivative(), g.derivative().derivative(), x.first, times))
        self._last = sum((x.first + len(x.masses) - 1) * times for x, times in rounds)

    def moments(self, theta: float) -> tuple[float, float, float]:
        """log C, mean and variance of the tilted sum."""
        value = mean = variance = 0.0
        with working_precision(_STEERING):
            x = arb(theta).exp()
            for g, first, second, start, times in self._kinds:
                whole = g(x)
                m, pairs = x * first(x) / whole, x**2 * second(x) / whole  # E j and E j (j - 1), j from 0 on
                value += times * (float(whole.log().mid()) + start * theta)
                mean += times * (float(m.mid()) + start)
                variance += times * max(0.0, float((pairs + m - m**2).mid()))
        return value, mean, variance

    def toward(self, t: float) -> float:
        """The theta with the tilted mean t, kept above 0 by about one standard deviation."""
        variance = self.moments(0.0)[2]
        deviation, t = math.sqrt(variance + 1e-9), min(t, self._last - 1e-3)
        theta = min(increasing_root(lambda x: (self.moments(x)[1] - t) / deviation, -math.log(deviation)), _FARTHEST)
        variance = max(variance, self.moments(theta)[2])  # the tilted sum may vary far more
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
        self._step, self._rounds = step, [(x, times) for x, times in rounds if times]
        self._polynomials = [(arb_poly(list(x.masses)), x.first, times) for x, times in self._rounds]
        self._nothing = any(not any(mass.upper() > 0 for mass in x.masses) for x, _ in self._rounds)
        if self._nothing:
            return
        self._growth, self._known = ball(step).exp(), dict[int, tuple[arb, arb]]()
        steering = _Steering(self._rounds)
        self._theta = steering.toward(near / float(step))
        self._r = arb(math.exp(self._theta))
        self._circle(steering, near / float(step), nats, arcs)

    def delta(self, limit: Limit) -> arb:
        """A ball that holds delta, for any limit."""
        finite = arb(0) if self._nothing else self._finite(limit)
        return (finite + self.beyond).nonnegative_part()

    @property
    def settled(self) -> bool:
        """Whether the circle has few enough points; if not, only Chernoff's bound is known."""
        return self._nothing or self._rest.is_finite()

    @cached_property
    def beyond(self) -> arb:
        """W."""
        return infinite(self._rounds)

    def _at(self, x: arb) -> arb:
        """C(x) for x > 0."""
        return _product((polynomial(x) * x**first) ** times for polynomial, first, times in self._polynomials)

    def _circle(self, steering: _Steering, t: float, nats: float, density: int) -> None:
        """Choose M, R and S; evaluate C where it matters, and bound the sum of the rest."""
        value, _, variance = steering.moments(self._theta)
        deviation, goal = math.sqrt(variance + 1), nats + math.log(variance + 2)
        left: list[tuple[float, float]] = []
        right: list[tuple[float, float]] = []
        for width in _WIDTHS:
            for side, theta in ((right, self._theta + width / deviation), (left, self._theta - width / deviation)):
                theta = max(theta, 0.0)
                away = theta - self._theta
                side.append(((goal + steering.moments(theta)[0] - value - away * t) / abs(away), theta))
        (most, above), (least, below) = min(right), min(left)
        self._outer, self._inner = arb(math.exp(above)), arb(math.exp(below)) if below > 0 else arb(1)
        self._points, self._whole = _smooth(max(2, math.ceil(most), math.ceil(least))), self._at(self._r)
        widest = math.sqrt(max(_Steering([(x, 1)]).moments(self._theta)[2] for x, _ in self._rounds))
        arcs = _transform(max(density * widest, min(self._points / density, _MOST)))
        self._kept: list[tuple[int, acb]] = []  # j and C(z_j); twice that for a point and its conjugate
        if self._points > arcs and self._some(self._points, arcs, goal):
            return
        if self._points <= _EVERY:
            self._all(self._points, math.exp(-nats) / (self._points + 1))
        else:
            self._rest = arb.pos_inf()

    def _all(self, points: int, small: float) -> None:
        """Every point, by a transform; those that are small are only bounded."""
        spectra = [_spectrum(_tilted(x, self._r), points) for x, _ in self._rounds]
        shift = self._shift
        self._rest, limit = arb(0), self._whole * small
        for j, sums in enumerate(zip(*(spectrum[: points // 2 + 1] for spectrum in spectra), strict=True)):
            size = shift * _product(abs(at) ** times for at, (_, times) in zip(sums, self._rounds, strict=True))
            if size < limit:
                self._rest += size * (1 if 2 * j in (0, points) else 2)  # a point and its conjugate
            else:
                self._kept.append((j, self._weighed(j, points, sums)))

    def _some(self, points: int, arcs: int, goal: float) -> bool:
        """The points in the middle and on arcs with peaks; (1) and (2) bound all others. False if they are too many."""
        bounds, half = [_Fading(x, self._r, times, arcs) for x, times in self._rounds], points // 2 + 1
        reach = math.sqrt(4 * goal / (sum(bound.steer for bound in bounds) + 1e-9))
        if not math.isfinite(reach):  # the precision does not hold the variance
            return False
        start = min(half, math.ceil(reach * points / (2 * math.pi)))
        kept, self._rest = [range(start)], arb(0)
        turning = min(half, math.floor(min(bound.turning for bound in bounds) * points / (2 * math.pi)))
        while start < turning:
            stop = min(turning, start + 1 + start // 8)
            here = arb(fmpq(2 * start, points)) * arb.pi()
            self._rest += 2 * (stop - start) * _product(bound.near(here) for bound in bounds)
            start = stop
        while start < half:
            arc = (2 * start * arcs + points) // (2 * points)  # the transform's nearest point
            stop = min(half, max(start + 1, (2 * arc + 1) * points // (2 * arcs)))
            size = 2 * (stop - start) * _product(bound.far(arc) for bound in bounds)
            if size * arcs < math.exp(-goal):
                self._rest += size
            else:
                kept.append(range(start, stop))
            start = stop
        self._rest *= self._whole
        if sum(map(len, kept)) > (_FEW if points <= _LARGEST else _MOST):
            return False
        places = list(chain(*kept))
        seen = _seen_from([_tilted(x, self._r) for x, _ in self._rounds], places, points)
        for j, *values in zip(places, *seen, strict=True):
            self._kept.append((j, self._weighed(j, points, values)))
        return True

    @cached_property
    def _shift(self) -> arb:
        """r^i for the least loss i of all rounds, from which on masses are tilted."""
        return self._r ** sum(x.first * times for x, times in self._rounds)

    def _weighed(self, j: int, points: int, sums: Sequence[acb]) -> acb:
        """C(z_j), twice if its conjugate counts too; ``sums`` has G(z_j) / z_j^first of each kind of round."""
        value = acb(self._shift * (1 if 2 * j in (0, points) else 2))
        for at, (x, times) in zip(sums, self._rounds, strict=True):
            value *= (at * _turn(j * x.first, points)) ** times
        return value

    def _finite(self, limit: Limit) -> arb:
        """d_0."""
        t = floor(limit, self._step)
        if not self.settled:
            return arb(0).union((self._whole / self._r ** (t + 1)).upper())
        part = limit.ball() / self._growth**t
        sums, at_r = self._sums(t), [x.real / self._r**t for x in self._kernel(acb(self._r))]
        total = sums[0] - part * sums[1]
        missing = (self._rest * (at_r[0] - part * at_r[1])).upper()
        return (total + arb(0, 1) * missing) / self._points - arb(0).union(self._aliases(t).upper())

    def _kernel(self, z: acb) -> tuple[acb, acb]:
        """The two parts of z^J K(z); the second is weighed by e^{epsilon - J h}."""
        return 1 / (z - 1), 1 / (z * self._growth - 1)

    @cached_property
    def _weights(self) -> acb_mat:
        """The values kept times each part of z^J K(z), a row for each part."""
        kernels = [self._kernel(self._r * _turn(j, self._points)) for j, _ in self._kept]
        pairs = list(zip(self._kept, kernels, strict=True))
        return acb_mat(2, len(pairs), [value * parts[i] for i in (0, 1) for (_, value), parts in pairs])

    def _sums(self, t: int) -> tuple[arb, arb]:
        """Of the points kept, with each part of K for J = t; limits of one lattice step have them in common."""
        if t not in self._known:
            if self._points < _TABLE * len(self._kept):
                table = _turns(self._points, ctx.prec)
                turns = [table[-j * t % self._points] for j, _ in self._kept]
            else:
                turns = [_turn(-j * t, self._points) for j, _ in self._kept]
            found, size = self._weights * acb_mat(len(turns), 1, turns), self._r**t
            self._known[t] = found[0, 0].real / size, found[1, 0].real / size
        return self._known[t]

    def _aliases(self, t: int) -> arb:
        """Bound of all aliases, to the right and to the left."""
        total = arb(0)
        for radius, ratio in ((self._outer, self._r / self._outer), (self._inner, self._inner / self._r)):
            power = ratio**self._points
            if not power < 1:
                return arb.pos_inf()
            total += self._at(radius) / radius ** (t + 1) * power / (1 - power)
        return total


def infinite(rounds: Sequence[tuple[LatticePair, int]]) -> arb:
    """W = prod (G(1) + w)^T - prod G(1)^T."""
    whole, rise, totals = arb(1), arb(0), [sum(x.masses, arb(0)) for x, _ in rounds]
    if not all(total > 0 for total in totals):  # as where every loss is infinite
        every, finite = (
            _product((total + share * x.beyond) ** times for total, (x, times) in zip(totals, rounds, strict=True))
            for share in (1, 0)
        )
        return every - finite
    for total, (x, times) in zip(totals, rounds, strict=True):
        whole *= total**times
        rise += times * (x.beyond / total).log1p()
    return whole * rise.expm1()


def floor(limit: Limit, step: Fraction) -> int:
    """The largest j with e^{j h} <= lambda."""
    if limit.logarithmic or limit.lam == 1:
        return math.floor((limit.given if limit.logarithmic else 0) / step)
    j = max(0, round(limit.steer() / float(step)))
    return j if decide(lambda: limit.ball().log() - ball(j * step)) else j - 1  # e^{jh} is no rational but 1


class _Fading:
    """Bounds (1) and (2) of |phi|^T around the circle."""

    def __init__(self, x: LatticePair, r: arb, times: int, arcs: int) -> None:
        masses, self._times = _tilted(x, r), times
        total = sum(masses, arb(0))
        mean = sum((j * mass for j, mass in enumerate(masses)), arb(0)) / total
        second = fourth = arb(0)
        for j, mass in enumerate(masses):
            square = (j - mean) ** 2
            second += mass * square
            fourth += mass * square**2
        self._variance = second / total
        self._fourth = (2 * fourth / total + 6 * self._variance**2) / 24
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


def _transform(points: float) -> int:
    """So many points or more, a power of two."""
    return min(_LARGEST, 1 << max(4, math.ceil(math.log2(max(points, 1)))))


def _smooth(points: int) -> int:
    """So many points or some more, of which a transform is quick: 8, 10, 12 or 16 times a power of two."""
    part = 1 << max(0, points.bit_length() - 4)
    return part * next(size for size in (8, 10, 12, 16) if points <= size * part)


def _tilted(x: LatticePair, r: arb) -> list[arb]:
    """c_j r^(j - first)."""
    tilted, power = [], arb(1)
    for mass in x.masses:
        tilted.append(mass * power)
        power *= r
    return tilted


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
