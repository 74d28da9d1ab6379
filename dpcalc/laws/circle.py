r"""Coefficients of generating functions, summed on a circle: masses and tails of any law, with every error bounded.

G is the generating function of a sum of independent parts (``parts``), and K = sum_w w K_w a short signed sum of such
functions. Let d_i = [z^i] G K, h_t = sum_{i <= t} d_i, and z_j be M points at equal distances on the circle
|z| = r, within the annulus where both converge. Then

    (1/M) sum_j G(z_j) K(z_j) z_j^-t             = d_t + sum_{l != 0} d_{t + l M} r^{l M},
    (1/M) sum_j G(z_j) K(z_j) z_j^-t / (1 - z_j) = e_t + sum_{l != 0} e_{t + l M} r^{l M},

where e_i = h_i for r < 1, and e_i = h_i - K(1), less the upper tail, for r > 1. Three things are bounded.

*Aliases* (3.2). Let the coefficients of |K| be no smaller than the moduli of those of K. For every R in the annulus on
the same side of 1 as r, 1 included, |d_i|, |e_i| <= G(R) |K|(R) R^-i (Chernoff): geometric series in l, for l > 0 with
some R > r, for l < 0 with some R < r. If R is on the other side of 1, so are the e_i but for +-K(1), whose series is
subtracted: then far fewer points are needed, unless the tail is faint. Beyond the support nothing else is left.

*Points left out* (3.5). |G(r e^{iu})| <= G(r) e^{-V (1 - cos u)} with V the sum of the parts' fadings; K adds the least
of those of its terms. So the points from u_J on contribute at most a geometric series.

The tilt r is the one under which the sum has the mean t, kept about one standard deviation away from 1, so that little
cancels; the number of points that matter does not grow with the number of reports. All choices are made in floating
point, which may only steer: the bounds hold for any circle that is proven to lie in the annulus, and no other is
answered. Full proofs: proof notes, 3.

Source: K16's generating function G_m; the saddle point of its coefficients.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from typing import TypeAlias

from flint import acb, acb_poly, arb, ctx, fmpq

from dpcalc.errors import Undecided
from dpcalc.laws.parts import Coins, Part, added
from dpcalc.laws.tilt import Moments, Tilt
from dpcalc.numbers.ball import MAX_EXPONENT, working_precision

_WIDE = 700.0  # how far log R may lie from log r: further out a whole range of t is no longer covered
_TRIES = 4  # radii for the aliases on one side: the points that each needs are next to the least from the second on
_CLOSE = 1.1  # a radius that needs so many times more points than it was chosen for is as good as the best
_TURN = 10  # bits lost to each full turn of z^-t over the points: boxes grow as they turn
_BELOW = 8  # bits by which truncation errors are to be below those of roundings
_SPARED = 8  # of all nats this share may be lost to keep away from a pole
_BESIDE = 1e-3  # of a standard deviation: the least |log R/r|
_MOST = 1 << 16  # points that are summed
FAINT_NATS = 1.01 * MAX_EXPONENT * math.log(2)  #: e^-FAINT_NATS is below every number that is held
FAR_OUT = 100 * FAINT_NATS  #: with such an exponent floats may steer no circle: a bound is enough
_DROP = 32.0  # nats by which the integrand's peak of the farthest place that is read from a circle is below the sum's

#: (1 - a + a z)^c as the pair (a, c).
Factor: TypeAlias = tuple[Fraction, int]


@dataclass(frozen=True, slots=True)
class Term:
    """weight() times the generating function of a law; the weight is evaluated at the working precision."""

    weight: Callable[[], arb]
    law: Part


@dataclass(frozen=True, slots=True)
class Coefficients:
    """Enclosures of h_t = ... + d_{t-1} + d_t, of d_t and of d_{t+1}."""

    cumulative: arb
    here: arb
    after: arb

    def __add__(self, other: Coefficients) -> Coefficients:
        return Coefficients(self.cumulative + other.cumulative, self.here + other.here, self.after + other.after)


UNIT_KERNEL = (Term(lambda: arb(1), Coins(0, Fraction(1))),)  #: K = 1


def invert(law: Part, kernel: Sequence[Term], t: int) -> Coefficients:
    """h_t, d_t and d_{t+1} at the current precision, G and K given; truncation errors are of the order of the rounding
    errors.
    """
    signed = Signed(kernel)
    return read(law, signed, Contour.around(law, signed, t, truncation(law)), t)


def read(law: Part, signed: Signed, circle: Contour, t: int) -> Coefficients:
    """h_t, d_t and d_{t+1} from this circle."""
    (cumulative,), (here, after) = sums(law, signed, circle, [t], [t, t + 1])
    return Coefficients(cumulative, here, after)


def sums(
    law: Part, signed: Signed, circle: Contour, tails: Sequence[int], masses: Sequence[int]
) -> tuple[list[arb], list[arb]]:
    """h_t for each t of ``tails`` and d_t for each of ``masses``, at the current precision."""
    if not circle.proper(law, signed):
        return [arb.nan()] * len(tails), [arb.nan()] * len(masses)
    turns = math.ceil((max((*tails, *masses)) - min((*tails, *masses))) / 2 * circle.kept / circle.points)
    with working_precision(ctx.prec + _TURN * (1 + turns)):
        points = values(law, circle.r, circle.points, circle.kept, ctx.prec)
        weighed = [(z, value * signed.at(z)) for z, value in points]
        cumulative = _summed(circle, [value / (1 - z) for z, value in weighed], tails)
        single = _summed(circle, [value for _, value in weighed], masses)
    errors = _Errors(law, signed, circle)
    return (
        [errors.of_tail(x, t) for x, t in zip(cumulative, tails, strict=True)],
        [errors.of_mass(x, t) for x, t in zip(single, masses, strict=True)],
    )


@lru_cache(maxsize=8)
def values(law: Part, r: arb, points: int, kept: int, bits: int) -> list[tuple[acb, acb]]:
    """z_0, z_1, ... and G at each, at this precision; kept, as neighbouring places share them."""
    with working_precision(bits):
        at, radius = law.transform(), arb(r)
        return [(z, at(z)) for z in (radius * (acb(2 * j) / points).exp_pi_i() for j in range(kept))]


def _summed(circle: Contour, values: Sequence[acb], places: Sequence[int]) -> list[arb]:
    """(1/M) sum_j C_j z_j^-t for each t, given the C_j of the points that are not below the real axis.

    The others are complex conjugates. For a fixed s of the places the sum is a polynomial in e^(-2 pi i (t - s) / M).
    """
    if not places:
        return []
    s, count = places[len(places) // 2], circle.points
    turned = [value * acb(fmpq(-2 * j * s % (2 * count), count)).exp_pi_i() for j, value in enumerate(values)]
    series = acb_poly([turned[0], *(2 * one for one in turned[1:])])  # z_j and its conjugate
    turns = [acb(fmpq(2 * (s - t), count)).exp_pi_i() for t in places]
    return [series(turn).real / (count * arb(circle.r) ** t) for turn, t in zip(turns, places, strict=True)]


class _Errors:
    """What is left out, for every place."""

    def __init__(self, law: Part, signed: Signed, circle: Contour) -> None:
        at, self._r, self._points = law.transform(), arb(circle.r), circle.points
        self._low, self._high = added([law.low, signed.low]), added([law.high, signed.high])

        def size(radius: arb) -> arb:
            return at(acb(radius)).real * signed.bound(radius)

        left, right = arb(circle.left), arb(circle.right)
        self._missing = left_out(circle.points, circle.kept, law.fading(self._r) + signed.fading(self._r)) * size(
            self._r
        )
        self._sides = [
            (1, right, geometric(self._r / right, self._points) * size(right)),
            (-1, left, geometric(left / self._r, self._points) * size(left)),
        ]
        outward = 1 if self._r < 1 else -1  # on this side the e_i are K(1), or -K(1), and a rest
        turns = self._r ** (outward * self._points)
        self._whole = signed.at(acb(1)).real
        self._constant = outward * self._whole * turns / (1 - turns)
        self._outward, self._across = outward, bool(right >= 1 and self._r < 1) or bool(left <= 1 and self._r > 1)

    def of_mass(self, total: arb, t: int) -> arb:
        """d_t from its sum."""
        if self._known(t, 0) is not None:
            return arb(0)
        return widened(total, self._missing / self._r**t + self._aliases(t, 0))

    def of_tail(self, total: arb, t: int) -> arb:
        """h_t from the sum of e_t."""
        known = self._known(t, 1)
        if known is not None:
            return self._whole * known
        if self._across or self._ends(self._outward, t, 1):
            total -= self._constant
        total += self._whole if self._r > 1 else 0
        return widened(total, self._missing / abs(1 - self._r) / self._r**t + self._aliases(t, 1))

    def _known(self, t: int, sooner: int) -> int | None:
        """0 below the support, 1 above it or from its last value on."""
        if self._low is not None and t < self._low:
            return 0
        return 1 if self._high is not None and t > self._high - sooner else None

    def _aliases(self, t: int, sooner: int) -> arb:
        return sum((x / radius**t for way, radius, x in self._sides if not self._ends(way, t, sooner)), arb(0))

    def _ends(self, way: int, t: int, sooner: int) -> bool:
        """Whether nothing else is beyond t +- M: of tails, which are what they are beyond from the last value on."""
        if way > 0:
            return self._high is not None and t + self._points > self._high - sooner
        return self._low is not None and t - self._points < self._low


def at_most(law: Part, others: Sequence[Part], places: Sequence[int]) -> list[list[arb]]:
    """P[S <= place] for the sum of the law and each of the others, at every place.

    Places near each other share a circle. Tails are as accurate as the current precision less ``guard_bits``, also
    where they are small; above the mean it is what lacks to 1 that is small.

    Args:
        law: what all sums have in common.
        others: independent of it; one answer for each.
        places: in rising order.

    >>> coins = Coins(3, Fraction(1, 2))
    >>> [[x.str(4) for x in at] for at in at_most(coins, [Coins(1, Fraction(1, 2))], [0, 1, 3])]
    [['[0.06250 +/- 1e-9]'], ['[0.3125 +/- 1e-9]'], ['[0.9375 +/- 1e-9]']]
    """
    if not places:
        return []
    tilt, t = Tilt.sum([law.tilt, others[0].tilt]), (places[0] + places[-1]) // 2
    theta, *ends = (tilt.toward(inside(tilt, place)) for place in (t, places[0], places[-1]))
    peaks = zip((places[0], places[-1]), ends, strict=True)
    drop = max(tilt.exponent(theta, place) - tilt.exponent(end, place) for place, end in peaks)
    near = len(places) == 1 or drop <= _DROP
    if near and tilt.exponent(theta, t) < -FAR_OUT:
        if theta <= 0:
            return [[arb(0).union(chernoff((law, one), s, upper=False)) for one in others] for s in places]
        return [[1 - arb(0).union(chernoff((law, one), s + 1, upper=True)) for one in others] for s in places]
    if near:
        try:
            with working_precision(ctx.prec + math.ceil(drop / math.log(2))):  # the faintest tail loses so much
                terms, side = [Term(lambda: arb(1), one) for one in others], -1 if t <= tilt.mean(0.0) else 1
                circle = Contour.around(law, Signed(terms), t, truncation(law), side=side, span=places[-1] - t)
                found = [sums(law, Signed([term]), circle, places, [])[0] for term in terms]
            return [list(row) for row in zip(*found, strict=True)]
        except Undecided:
            if len(places) == 1:
                raise
    half = bisect_right(places, t)
    return at_most(law, others, places[:half]) + at_most(law, others, places[half:])


def chernoff(parts: Sequence[Part], s: int, *, upper: bool) -> arb:
    """A bound G(R) R^{-s} of P[S >= s] (``upper``, R >= 1) or of P[S <= s] (R <= 1), at most 1; near the best R."""
    low, high = added(part.low for part in parts), added(part.high for part in parts)
    if (upper and high is not None and s > high) or (not upper and low is not None and s < low):
        return arb(0)
    at = radius(Tilt.sum([part.tilt for part in parts]).toward(s))
    if (at >= 1) != upper or not all(part.converges(at) for part in parts):
        return arb(1)
    return (math.prod((part.transform()(acb(at)).real for part in parts), start=arb(1)) / at**s).min(arb(1))


def truncation(law: Part) -> float:
    """Nats below the integrand's peak at which truncation errors are of the order of the rounding errors."""
    return math.log(2) * (max(8, ctx.prec - law.guard_bits) + _BELOW)


def geometric(ratio: arb, points: int) -> arb:
    """x + x^2 + ... for x = ratio^points."""
    x = ratio**points
    return x / (1 - x) if x < 1 else arb.pos_inf()


def left_out(points: int, kept: int, spread: arb) -> arb:
    """Bound, relative to G(r) |K|(r) r^{-t}, of 1/M times the sum over the points left out."""
    if 2 * kept > points - points % 2:
        return arb(0)
    here, after = ((arb(2 * j) / points).cos_pi() for j in (kept, kept + 1))
    step = arb(2) if 2 * kept == points else (here - after).min((1 + here) / (arb(points) / 2 - kept))
    return arb(2) / points * (-spread * (1 - here)).exp() / (1 - (-spread * step).exp())


def widened(x: arb, error: arb) -> arb:
    """x with a further error."""
    return x + arb(0, error.upper())


class Signed:
    """K at the working precision.

    Attributes:
        low, high: the least and the largest power; None where there is none.
    """

    def __init__(self, kernel: Sequence[Term]) -> None:
        laws = [term.law for term in kernel]
        self._terms = [(term.weight(), term.law, term.law.transform()) for term in kernel]
        lows, highs = (
            [law.low for law in laws if law.low is not None],
            [law.high for law in laws if law.high is not None],
        )
        self.low = min(lows) if len(lows) == len(laws) else None
        self.high = max(highs) if len(highs) == len(laws) else None

    def at(self, z: acb) -> acb:
        """K(z)."""
        return sum((weight * at(z) for weight, _, at in self._terms), acb(0))

    def converges(self, r: arb) -> bool:
        """Whether all terms are proven to converge at r."""
        return all(law.converges(r) for _, law, _ in self._terms)

    def fading(self, r: arb) -> arb:
        """A V with |K(z)| <= bound(r) e^{-V (1 - cos u)} on the circle: the least of the terms."""
        return reduce(arb.min, (law.fading(r) for _, law, _ in self._terms))

    def bound(self, r: arb) -> arb:
        """|K|(r), at least the largest |K| on the circle of radius r."""
        return sum((abs(weight) * at(acb(r)).real for weight, _, at in self._terms), arb(0))

    @property
    def tilt(self) -> Tilt:
        """Of the law that lies in the middle of the terms, but that its growth is that of the largest; it steers."""
        each = [law.tilt for _, law, _ in self._terms]
        if len(each) == 1:
            return each[0]
        sizes = [float(abs(weight).log()) for weight, _, _ in self._terms]

        def at(theta: float) -> Moments:
            found = [tilt.at(theta) for tilt in each]
            growths = [size + one.growth for size, one in zip(sizes, found, strict=True)]
            mean, variance = (sum(column) / len(found) for column in list(zip(*found, strict=True))[1:])
            return Moments(max(growths), mean, variance)

        lows, highs = zip(*(tilt.support for tilt in each), strict=True)
        return Tilt(at, support=(sum(lows) / len(each), sum(highs) / len(each)))


@dataclass(frozen=True, slots=True)
class Contour:
    """The circle and its points, chosen in floating point and proven afterwards.

    Attributes:
        r, left, right: the radius, and those of the bounds of aliases on either side.
        points: M, odd, so that all points but z_0 = r come in conjugate pairs.
        kept: the points z_{-j}, z_j with j < kept are summed.
    """

    r: arb
    left: arb
    right: arb
    points: int
    kept: int

    def proper(self, law: Part, signed: Signed) -> bool:
        """Whether the bounds hold on this circle, decided exactly."""
        r, left, right = arb(self.r), arb(self.left), arb(self.right)
        ordered = bool(0 < left < r < right) and bool(r < 1 or r > 1)
        counted = self.points % 2 == 1 and 0 < self.kept <= (self.points + 1) // 2
        return ordered and counted and all(one.converges(at) for one in (law, signed) for at in (left, right))

    @classmethod
    def around(cls, law: Part, signed: Signed, t: float, nats: float, *, side: int = -1, span: float = 0.0) -> Contour:
        """Truncation errors of about e^-nats relative to the integrand's peak at every place from t - span to t + span.

        Args:
            law: G.
            signed: K.
            t: the place.
            nats: as above.
            side: -1 for r < 1, 1 for r > 1.
            span: as above.
        """
        tilt = Tilt.sum([law.tilt, signed.tilt])
        nearest = tilt.toward(inside(tilt, t))
        own = min(nearest, 0.0) if side < 0 else max(nearest, 0.0)
        pole, peak = tilt.ends[side > 0], tilt.exponent(own, t)
        while 0 < side * (away := 2 * own - pole) < side * own and tilt.exponent(away, t) < peak + nats / _SPARED:
            own = away  # next to a pole a circle takes many points
        nats = max(nats, nats + tilt.exponent(own, t) - peak)  # beyond the support the peak is no bound
        apart = min(1 / math.sqrt(tilt.variance(own) + 2), abs(tilt.ends[side > 0]) / 2)
        theta = side * max(side * own, apart)
        points, radii = max(3, enough(tilt.variance(theta), nats)), [theta, theta]
        low, high = added([law.low, signed.low]), added([law.high, signed.high])
        for way, end in ((-1, low), (1, high)):
            place = t - way * span
            none = math.inf if end is None else way * (end - place) + 3  # from so many points on there are no aliases
            within = min(_BESIDE * apart, way * (tilt.ends[way > 0] - theta) / 2), _WIDE
            radii[way > 0], points = beyond(tilt, theta, place, way, points, none, nats, within)
        if low is not None and high is not None:
            points = min(points, high - low + 2)
        points, r = points | 1, radius(theta)
        kept = summed(points, float((law.fading(arb(r)) + signed.fading(arb(r))).mid()), nats)
        if kept > _MOST:
            raise Undecided(f"this tail of a count takes {kept:,} points of a circle, more than {_MOST:,}")
        return cls(r, radius(radii[0]), radius(radii[1]), points, kept)


def enough(spread: float, nats: float) -> int:
    """Points with which the aliases of a normal law are about e^-nats of the peak."""
    return math.ceil(1.02 * math.sqrt(2 * nats * spread) + nats / 8)


def beyond(
    tilt: Tilt, theta: float, place: float, way: int, points: int, none: float, nats: float,
    within: tuple[float, float],
) -> tuple[float, int]:  # fmt: skip
    """The tilt of the radius for the aliases on one side, and the points with which they are e^-nats of the peak.

    First the tilt under which the mean is as many points away as there are, then as many as that one needs, until they
    are hardly fewer.

    Args:
        tilt: of G K.
        theta: that of the circle.
        place: t.
        way: 1 for the larger radius, -1 for the smaller one.
        points: at least.
        none: from so many points on there are no aliases.
        nats: as above.
        within: the least and the largest distance from theta.
    """
    growth, _, spread = tilt.at(theta)
    size, at = points, theta + way * min(math.sqrt(2 * nats / (spread + 1)), 1.0)
    for tried in range(_TRIES):
        at = tilt.toward(inside(tilt, place + way * size), at)
        at = theta + way * min(max(way * (at - theta), within[0]), within[1])
        needed = math.ceil((nats + tilt.at(at).growth - growth - (at - theta) * place) / abs(at - theta))
        close, size = tried and needed * _CLOSE >= size, needed
        if size <= points or close or points >= none:
            break
    return at, max(points, int(min(size, none)))


def inside(tilt: Tilt, t: float) -> float:
    """The nearest place that is the mean under some tilt; the middle of a support that is not longer than 1."""
    low, high = tilt.support
    return min(max(t, low + 0.5), high - 0.5) if high - low > 1 else (low + high) / 2


def summed(points: int, spread: float, nats: float) -> int:
    """How many points to sum of one half: those left out, e^{-spread (1 - cos u)}, are about e^-nats."""
    sine = math.sqrt(nats / (2 * spread)) if spread > nats / 2 else 1.0
    kept, half = math.ceil(points * math.asin(sine) / math.pi) + 1, points // 2
    return kept if kept < half else half + 1  # 1 - cos has no step where one pair alone is left out


def radius(theta: float) -> arb:
    """e^theta, about: a short dyadic number, beyond the range of floats too."""
    with working_precision(53):
        return arb(theta).exp().mid()
