r"""The law of a sum of independent parts: tails and divergences by tilted Fourier inversion, with every error bounded.

Let G(z) = E z^X be the product of the parts' generating functions (``parts``). For a lower tail e_i = P[X <= i] take
r < 1, for an upper tail e_i = P[X >= i] take r > 1, with r in the annulus where G converges. Let z_j be M points at
equal distances on the circle |z| = r. Then

    lower:  (1/M) sum_j G(z_j) z_j^-t / (1 - z_j)        = e_t + sum_{l != 0} e_{t + l M} r^{l M},
    upper:  (1/M) sum_j G(z_j) z_j^-t z_j / (z_j - 1)    = the same.

With G(z) (1 - lambda z^c) in place of G the first identity gives h_t = F(t) - lambda F(t - c), and without the division
by 1 - z the differences d_t = h_t - h_{t-1}. For log-concave f delta is h_t at the last t with d_t > 0: the signs of d
next to t show which t that is. If one of these signs is open, delta exceeds h_t by |d| of that place at most.

*Aliases.* 0 <= e_i <= G(R) R^-i for every R in the annulus on the same side of 1 as r, 1 included (Markov), and
|h_i|, |d_i| <= (1 + lambda R^c) G(R) R^-i: geometric series in l. *Points left out.*
|G(r e^{iu})| <= G(r) e^{-V (1 - cos u)} with V the sum of the parts' fadings: ``inversion.left_out`` sums this bound.

r is chosen so that the law tilted by r^x has the mean t, but at least about one standard deviation away from r = 1. All
choices are made in floating point and only steer: the bounds hold for any circle that is proven to lie in the annulus.

Source: proof notes, N10.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import takewhile
from typing import NamedTuple

from flint import acb, acb_poly, arb, ctx, fmpq, fmpz_poly

from dpcalc.errors import Undecided
from dpcalc.laws.inversion import Contour, geometric, left_out, radius, summed, widened
from dpcalc.laws.pmf import Pmf
from dpcalc.laws.pool import Pool
from dpcalc.laws.tilt import Moments
from dpcalc.noises.noise import GeometricLaw, TailedLaw
from dpcalc.noises.parts import Coins, Finite, NegativeBinomialPart, Part, Truncated
from dpcalc.numbers.ball import LEAST_HELD, MAX_EXPONENT, working_precision
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import last_where, steer

_MOST = 1 << 16  # points that are summed
# candidates for the radii of the alias bounds: |log R/r| in units of 1/deviation, or as a share of what it may be
_WIDTHS = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 9.0, 13.0, 20.0)
_SHARES = (0.5, 0.8, 0.95, 0.99)
_FAINT = 1.01 * MAX_EXPONENT * math.log(2)  # nats: e^-_FAINT is below every number that is held
_FARTHEST = 1e6  # the largest tilt
_NEAREST = 0.9  # the search for the last ratio above lambda starts at most so far towards a pole of G
_PLACES = 4  # circles per standard deviation of t
_TURN = 10  # bits lost to each full turn of z^-t over the points: boxes grow as they turn
_INSIDE = 1 - 1e-12  # steering stays so far on the way to a pole
_NEXT_TO = 1e-3  # the tilted mean is met to so many standard deviations
_STEPS = 60  # of a bisection
_SHOWN = 1e-12  # masses below this share of the largest are not trusted in steering
_STEERING = 60  # bits of those masses
_NEXT = (-1, 0, 1, 2)  # the places next to t at which d is enclosed


class _Excess(NamedTuple):
    """h_t, and d_{t-1}, d_t, d_{t+1}, d_{t+2}."""

    height: arb
    steps: tuple[arb, ...]


@dataclass(frozen=True, slots=True)
class SumLaw(TailedLaw):
    """The sum of independent parts, each of them log-concave."""

    parts: tuple[Part, ...]

    @property
    def low(self) -> int | None:
        """The sum of the least values."""
        return _sum([part.low for part in self.parts])

    @property
    def high(self) -> int | None:
        """The sum of the largest values."""
        return _sum([part.high for part in self.parts])

    @property
    def mirror(self) -> SumLaw:
        """The sum of the mirrored parts."""
        return SumLaw(tuple(part.mirror for part in self.parts))

    @property
    def symmetric(self) -> bool:
        """Whether the mirrored parts are the same, or moved."""
        own, mirrored = (Counter(part.unmoved for part in parts) for parts in (self.parts, self.mirror.parts))
        return own == mirrored

    @property
    def decay(self) -> Limit | None:
        """The least rho of the negative binomials with sign -1: it governs the left tail."""
        rates = [part.rho for part in self.parts if isinstance(part, NegativeBinomialPart) and part.sign < 0]
        return reduce(lambda least, one: one if one.below_power(least, 1) else least, rates) if rates else None

    @property
    def deviation(self) -> float:
        """From the sum of the parts' variances."""
        return math.sqrt(self._moments(0.0).variance)

    @property
    def guard_bits(self) -> int:
        """Those of the worst part, and of the sum."""
        return max(part.guard_bits for part in self.parts) + len(self.parts).bit_length() + 8

    def table(self, bits: int) -> Pmf | None:
        """The product of the parts' pmfs, where all parts are short lists or coins."""
        weights, whole = fmpz_poly([1]), 1
        size = sum(math.inf if part.high is None or part.low is None else part.high - part.low for part in self.parts)
        if size**2 > bits:
            return None
        for part in self.parts:
            one: Pmf | None = None
            if isinstance(part, Coins):
                pool = Pool.of((part.chance, part.trials))
                one = pool.pmf() if pool.pmf_bits <= bits else None
            elif isinstance(part, Finite):
                one = part.pmf
            elif isinstance(part, Truncated):
                one = GeometricLaw(part.rho, part.bound).table(bits)
            if one is None:
                return None
            weights, whole = weights * fmpz_poly(list(one.weights)), whole * one.denominator
            if whole.bit_length() * size > bits:
                return None
        return Pmf(weights=tuple(map(int, weights.coeffs())), denominator=whole)

    def at_most(self, t: int) -> arb:
        """By Fourier inversion of the smaller tail."""
        return SumLaw.all_at_most(self, [t])[0]  # not that of ``StrictLaw``, which calls this one

    def all_at_most(self, places: Sequence[int]) -> list[arb]:
        """Tails on one side that share a circle are taken from one polynomial."""
        mean, shared = self._moments(0.0).mean, dict[tuple[int, Contour], list[int]]()
        found = dict[int, arb]()
        for t in places:
            if self.low is not None and t < self.low:
                found[t] = arb(0)
            elif self.high is not None and t >= self.high:
                found[t] = arb(1)
            else:
                side = -1 if t <= mean else 1
                shared.setdefault((side, _circle(self, t + (side > 0), side)), []).append(t)
        for (side, circle), some in shared.items():
            tails = self._tails([t + (side > 0) for t in some], side, circle)
            found |= {t: tail if side < 0 else 1 - tail for t, tail in zip(some, tails, strict=True)}
        return [found[t] for t in places]

    def last_above(self, shift: int, limit: Limit) -> tuple[int, arb]:
        """By the signs of the d next to t."""
        t, found = self._threshold(shift, limit)
        return t, _missed(found)

    def excess(self, shift: int, limit: Limit) -> arb:
        """h_t, and a bound of what is missing to delta."""
        _, found = self._threshold(shift, limit)
        return found.height.max(arb(0)) + _missed(found)

    def _threshold(self, shift: int, limit: Limit) -> tuple[int, _Excess]:
        """The t with the largest h_t, as far as the signs of d show it, and h and d there.

        The search starts where the tilted mean says (``_near``). If that is wrong, it goes on where the masses of a
        circle say (``_shown``), then in doubled strides, and ends with a bisection. Where delta is too small to be held
        the bound P[X <= t] is returned.
        """
        low = -math.inf if self.low is None else self.low + shift - 1  # up to here every loss is infinite
        high = math.inf if self.high is None else self.high
        start, faint = self._near(shift, limit)
        t = int(min(max(start, low), high))
        stride, known, first = 1, [low, high], True
        while True:
            found = self._around(t, shift, limit)
            _, here, after, _ = found.steps
            if not (here < 0 or after > 0) or known[0] >= known[1]:
                return t, found
            if here < 0 and faint and (likely := self.at_most(t)) < LEAST_HELD / 4:  # and delta is no larger
                return t, _Excess(likely, (arb(1), arb(1), arb(-1), arb(-1)))
            faint, known = False, [known[0], t - 1] if here < 0 else [t + 1, known[1]]
            if first and (shown := self._shown(t, shift, limit)) is not None:  # not a tail as of a normal law
                t, first = shown, False
            else:
                t, stride = t + (stride if after > 0 else -stride), 2 * stride
            if not known[0] <= t <= known[1]:
                t = int(known[0] if t < known[0] else known[1])
            if all(math.isfinite(end) for end in known) and stride > 4:
                t = int((known[0] + known[1]) // 2)

    def _shown(self, t: int, shift: int, limit: Limit) -> int | None:
        """About the last s with a ratio above lambda, by the masses that a circle shows; it steers.

        None where that takes too many points.
        """
        circle = _circle(self, t, -1)
        if (points := math.ceil(2 * circle.points * _STEERING / ctx.prec)) > _MOST:
            return None
        masses = _masses(self.parts, circle.r, points)
        count, least, most = len(masses), max(masses) * _SHOWN, limit.steer() + shift * float(arb(circle.r).log())
        places = range(t - count // 2, t - count // 2 + count)
        top = max(places, key=lambda s: masses[s % count])
        low, high = (
            sum(1 for _ in takewhile(lambda s: masses[s % count] > least, side))
            for side in (range(top, places[0], -1), range(top, places[-1]))
        )

        def above(s: int) -> bool:
            before, here = (masses[i % count] for i in (s - shift, s))
            return math.log(here / before) > most

        return last_where(above, top - low + 1 + shift, top + high - 1)

    def _near(self, shift: int, limit: Limit) -> tuple[int, bool]:
        """About the last t with a ratio above lambda, and whether P[X <= t] seems too small to be held."""
        theta = max(-limit.steer() / shift, _NEAREST * self._reach[0], -_FARTHEST)  # nearer the mean is far out
        faint = self._rate(theta) > _FAINT
        if faint:  # a bisection: the rate may grow too fast for secants
            near, far = 0.0, theta
            for _ in range(_STEPS):
                middle = (near + far) / 2
                near, far = (near, middle) if self._rate(middle) > _FAINT else (middle, far)
            theta = far
        return math.floor(self._moments(theta).mean + shift / 2), faint

    def _rate(self, theta: float) -> float:
        """About -log P[X <= t], t being the mean under this tilt."""
        growth, mean, _ = self._moments(theta)
        return theta * mean - growth

    @property
    def _reach(self) -> tuple[float, float]:
        ends = [part.reach for part in self.parts]
        return max(low for low, _ in ends), min(high for _, high in ends)

    def _moments(self, theta: float) -> Moments:
        growths, means, variances = zip(*(part.moments(theta) for part in self.parts), strict=True)
        return Moments(math.fsum(growths), math.fsum(means), math.fsum(variances))

    def _tails(self, places: Sequence[int], side: int, circle: Contour) -> list[arb]:
        """P[X <= t] for side -1, P[X >= t] for side 1; true for any circle, not finite for an improper one."""
        if not self._proper(circle, side):
            return [arb.nan()] * len(places)
        with working_precision(_turned(circle, places)):
            kernels = [value / (1 - z) if side < 0 else value * z / (z - 1) for z, value in self._values(circle)]
            totals = _sums(circle, kernels, places)
        r = arb(circle.r)
        whole = self._at(r) * (1 / (1 - r) if side < 0 else r / (r - 1)) * left_out(circle, self._fading(r))
        wrapped = [(x * self._at(at), at) for x, at in _wrapped(circle)]
        return [
            widened(total, whole / r**t) - arb(0).union(sum((x / at**t for x, at in wrapped), arb(0)).upper())
            for total, t in zip(totals, places, strict=True)
        ]

    def _around(self, t: int, shift: int, limit: Limit) -> _Excess:
        """h at t, and d at t and next to it."""
        circle, lam = _circle(self, t, -1), limit.ball()
        if not self._proper(circle, -1):
            return _Excess(arb.nan(), (arb.nan(),) * len(_NEXT))
        with working_precision(_turned(circle, _NEXT)):
            lifted = [(z, value * (1 - lam * z**shift)) for z, value in self._values(circle)]
            (height,), steps = (
                _sums(circle, kernels, [t + place for place in places])
                for kernels, places in (([x / (1 - z) for z, x in lifted], [0]), ([x for _, x in lifted], _NEXT))
            )
        r = arb(circle.r)
        error = left_out(circle, self._fading(r)) * self._at(r) / r**t * (1 + lam * r**shift)
        wrapped = [(x * self._at(at) / at**t * (1 + lam * at**shift), at) for x, at in _wrapped(circle)]

        def enclosed(total: arb, kernel: arb, place: int) -> arb:
            return widened(total, error * kernel + sum((size / at**place for size, at in wrapped), arb(0)))

        return _Excess(
            enclosed(height, 1 / (1 - r), 0),
            tuple(enclosed(step, 1 / r**place, place) for step, place in zip(steps, _NEXT, strict=True)),
        )

    def _values(self, circle: Contour) -> list[tuple[acb, acb]]:
        """The points z_j that are summed, and G at each."""
        return _points(self.parts, circle.r, circle.points, circle.kept, ctx.prec)

    def _at(self, r: arb) -> arb:
        """G(r)."""
        return math.prod((part.transform()(acb(r)).real for part in self.parts), start=arb(1))

    def _fading(self, r: arb) -> arb:
        """V: the sum of the parts' fadings."""
        return sum((part.fading(r) for part in self.parts), arb(0))

    def _proper(self, circle: Contour, side: int) -> bool:
        """Whether the bounds hold for the circle: its radii are ordered, on one side of 1, and G converges there."""
        left, r, right = arb(circle.left), arb(circle.r), arb(circle.right)
        ordered = 0 < left < r < right and (right <= 1 if side < 0 else left >= 1)
        return ordered and all(part.converges(at) for part in self.parts for at in (left, right))


def _sum(ends: list[int | None]) -> int | None:
    return None if None in ends else sum(filter(None, ends))


def _missed(found: _Excess) -> arb:
    """A bound of delta - h_t; not finite where the d farther away are not known to have the right signs."""
    before, here, after, next_ = found.steps
    missed = arb(0)
    if not here > 0:
        missed = missed.union((-here).upper().max(arb(0))) if before > 0 or here >= 0 else arb.nan()
    if not after < 0:
        missed = missed.union(after.upper().max(arb(0))) if next_ < 0 or after <= 0 else arb.nan()
    return missed


def _wrapped(circle: Contour) -> list[tuple[arb, arb]]:
    """For the aliases on each side the sum of their geometric series, and the radius that bounds them."""
    r, left, right = arb(circle.r), arb(circle.left), arb(circle.right)
    return [(geometric(r / right, circle.points), right), (geometric(left / r, circle.points), left)]


@lru_cache(maxsize=8)
def _points(parts: tuple[Part, ...], r: arb, count: int, kept: int, bits: int) -> list[tuple[acb, acb]]:
    """z_0, z_1, ... and G at each, at this precision; kept, as neighbouring places share them."""
    with working_precision(bits):
        transforms, found = [part.transform() for part in parts], []
        for j in range(kept):
            z, value = arb(r) * (acb(2 * j) / count).exp_pi_i(), acb(1)
            for transform in transforms:
                value *= transform(z)
            found.append((z, value))
    return found


def _turned(circle: Contour, places: Sequence[int]) -> int:
    """Working precision for ``_sums``: boxes grow with every turn of z^-t."""
    turns = math.ceil((max(places) - min(places)) * circle.kept / circle.points)
    return ctx.prec + _TURN * (1 + turns)


def _sums(circle: Contour, kernels: Sequence[acb], places: Sequence[int]) -> list[arb]:
    """(1/M) sum_j C_j z_j^-t for each t, given the C_j of the points that are not below the real axis.

    The others are complex conjugates. For a fixed s of the places the sum is a polynomial in e^(-2 pi i (t - s) / M).
    """
    s, count = places[len(places) // 2], circle.points
    turned = [kernel * acb(fmpq(-2 * j * s % (2 * count), count)).exp_pi_i() for j, kernel in enumerate(kernels)]
    series = acb_poly([turned[0], *(2 * one for one in turned[1:])])  # z_j and its conjugate
    turns = [acb(fmpq(2 * (s - t), count)).exp_pi_i() for t in places]
    return [series(turn).real / (count * arb(circle.r) ** t) for turn, t in zip(turns, places, strict=True)]


@lru_cache(maxsize=8)
def _masses(parts: tuple[Part, ...], r: arb, points: int) -> list[float]:
    """About r^t P[X = t] / G(r) for every t modulo the number of points, by a Fourier transform; it steers."""
    count = 1 << points.bit_length()  # a power of two: the transform is quick
    half = [value for _, value in _points(parts, r, count, count // 2 + 1, _STEERING)]
    whole = count * half[0].real
    return [float((mass.real / whole).mid()) for mass in acb.dft(half + [x.conjugate() for x in reversed(half[1:-1])])]


def _circle(law: SumLaw, t: int, side: int) -> Contour:
    """A circle whose truncation errors are about the rounding errors, shared by places within 1/_PLACES deviation."""
    middle, stride = law._moments(0.0).mean, max(1.0, law.deviation / _PLACES)
    near = round(middle + math.trunc((t - middle) / stride) * stride)
    return _chosen(law, near, side, max(8, ctx.prec - law.guard_bits))


@lru_cache(maxsize=1 << 10)
def _chosen(law: SumLaw, t: int, side: int, bits: int) -> Contour:
    nats = math.log(2) * bits
    low, high = law._reach
    theta = _toward(law, t)
    apart = 1 / math.sqrt(law._moments(theta).variance + 2)
    theta = min(theta, -min(apart, -low / 2)) if side < 0 else max(theta, min(apart, high / 2))
    growth, _, variance = law._moments(theta)

    def points(at: float) -> float:
        return (nats + law._moments(at).growth - growth - (at - theta) * t) / abs(at - theta)

    ends = (low, 0.0) if side < 0 else (0.0, high)
    deviation = math.sqrt(variance + 1)
    sides = []
    for end in ends:
        way = 1 if end > theta else -1
        tried = [theta + way * width / deviation for width in _WIDTHS]
        tried = [at for at in tried if (end - at) * way > 0]
        if math.isfinite(end):
            tried += [theta + share * (end - theta) for share in _SHARES] + ([end] if end == 0 else [])
        sides.append(min((points(at), at) for at in tried))
    (wrapped_left, left), (wrapped_right, right) = sides
    count = max(3, math.ceil(max(wrapped_left, wrapped_right)) + 2) | 1
    fading = float(law._fading(arb(math.exp(max(theta, -_FARTHEST)))).mid()) if abs(theta) < 700 else variance
    kept = summed(count, fading, nats)
    if kept > _MOST:
        raise Undecided(f"this tail of a sum of noises takes {kept:,} points of a circle, more than {_MOST:,}")
    return Contour(radius(theta), radius(left), radius(right), count, kept, 0)


def _toward(law: SumLaw, t: int) -> float:
    """About the tilt under which the sum has the mean t."""
    unit = law.deviation + 1
    low, high = (min(max(end * _INSIDE, -_FARTHEST), _FARTHEST) * unit for end in law._reach)
    return steer(lambda x: (t - law._moments(x / unit).mean) / unit, low, high, start=0.0, tolerance=_NEXT_TO) / unit
