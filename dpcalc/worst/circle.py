r"""The circle on which one Fourier inversion serves many pools: its radius, its points, the radii for its aliases.

A record that holds 1 sends a report of 1 with probability a, one that holds 0 with probability b < a. Their generating
functions are A(z) = 1 - a + a z and B(z) = 1 - b + b z. The tilt at which the two terms of
K(z) = B(z)^k - lambda A(z)^k are equal depends on a, b, k and lambda only. At the root y of K every pool has its
largest h_t near its tilted mean t, and little cancels on |z| = r for r near y. ``CommonTilt`` holds what follows from
r, exactly or with a counted error. ``Circle`` is chosen in floating point, and only steers.

Source: proof notes, 9.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from flint import acb, arb, fmpq

from dpcalc.errors import Undecided
from dpcalc.laws.circle import beyond, enough, summed
from dpcalc.laws.tilt import Moments, Tilt
from dpcalc.numbers.ball import MAX_EXPONENT, union, working_precision
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.rounding import UNIT
from dpcalc.pairs.threshold import saddle

if TYPE_CHECKING:
    from dpcalc.numbers.doubles import Integers, Reals

PRECISION = 128  #: bits of the balls that doubles are taken from
APART = 5.0  #: standard deviations between the tilts of limits that share a circle, at most
_LOG = 2.0**-112  # radius of a log's ball, at most
_FAINT = 1e-60  # the smallest radius
_RAREST, _MOST = 300, 300  # bits of the least b and 1 - a, and of the largest lambda
_LEAST_RISE = 2.0**-900  # of lambda above 1: what is less need not be right to a relative u
_MAX_POINTS = 1 << 14
_MAX_CELLS, _MAX_KEPT = 300_000, 1 << 10  # pools times points kept, and these: some 10 ms, and 40
_MAX_BITS = 40
_NEVER = 2000 - MAX_EXPONENT * math.log(2)  # logs of F of what is too faint to be held
_ROOM = 64  # bits that F is lifted to below 1: a sum relative to F may be more than 1
_INWARDS, _OUTWARDS = 30.0, 200.0  # how far log s and log R may lie from log r: e^-30 is told from 0 beside 1


#: a, b, t.
Pool: TypeAlias = tuple[float, float, float]
#: A number; of several limits on one circle a column of them.
Each: TypeAlias = Any
#: b and a: the chance that a report is 1 if the bit is 0, and if it is 1.
Own: TypeAlias = tuple[Fraction, Fraction]
_Point = TypeVar("_Point", arb, acb)


class TooMany(Exception):
    """More points than are worth their time."""


@dataclass(frozen=True, slots=True)
class CommonTilt:
    """What a, b, k and lambda determine.

    Attributes:
        k: the power of each factor of K.
        likely, unlikely: the tilted probabilities of a 1 where the two terms of K are equal; they steer.
        r: the radius, at that tilt or about one standard deviation below 1.
        mu, nu: a r / A(r) and b r / B(r); spread_mu = mu (1 - mu), spread_nu likewise, to a relative 4u.
        logs: log A(r), log B(r), log r, each as ``log_of`` gives it.
        rise, off: 1 - kappa, and how far it may be off, the width of lambda included.
        excess, excess_error: lambda - 1, and how far it may be off, relative to it.
        chances, sums, limit: (1 - a, a) and (1 - b, b), A(r) and B(r), lambda as balls.
        halvings: every F is taken times 2 to this power, and so is every delta that comes out.

    Several limits may share a circle, see ``under``.
    """

    k: int
    likely: Each
    unlikely: Each
    r: float
    mu: float
    nu: float
    spread_mu: float
    spread_nu: float
    logs: tuple[float, float, float]
    rise: Each
    off: Each
    excess: Each
    excess_error: Each
    chances: tuple[tuple[arb, arb], tuple[arb, arb]]
    sums: tuple[arb, arb]
    limit: arb
    halvings: int = 0

    @classmethod
    def of(cls, own: Own, k: int, reports: int, lam: tuple[Fraction, Fraction]) -> CommonTilt | None:
        """For pools of up to so many reports; None at about the local epsilon, where delta is 0, and beyond it."""
        (b, b_unit), (a, a_unit), (low, low_unit), (high, high_unit) = (x.as_integer_ratio() for x in (*own, *lam))
        if low < low_unit or high >= high_unit << _MOST or reports.bit_length() > _MAX_BITS:
            return None
        if b << _RAREST < b_unit or a_unit - a << _RAREST < a_unit:
            return None
        y = root(own, k, lam)
        return None if y < _FAINT else cls.near(y, own, k, reports, lam)

    @classmethod
    def near(cls, y: float, own: Own, k: int, reports: int, lam: tuple[Fraction, Fraction]) -> CommonTilt | None:
        """The same with a radius next to y, which only steers; None where doubles have none."""
        likely, unlikely = tilted(own, y)
        variance = reports * max(likely * (1 - likely), unlikely * (1 - unlikely))
        r = min(y, math.exp(-1 / math.sqrt(variance + 2)))
        if not 0 < r < 1:
            return None

        above, below = r.as_integer_ratio()
        (b, b_unit), (a, a_unit) = (x.as_integer_ratio() for x in own)
        one, one_off, zero, zero_off = a * above, (a_unit - a) * below, b * above, (b_unit - b) * below
        one_all, zero_all = one + one_off, zero + zero_off  # over a_unit 2^s and b_unit 2^s
        with working_precision(PRECISION):
            first, second = arb(fmpq(one_all, a_unit * below)), arb(fmpq(zero_all, b_unit * below))
            logs = log_of(first), log_of(second), log_of(arb(r))
        with working_precision(2 * PRECISION):  # powers multiply what they are off
            likely_one, likely_zero = (
                (arb(fmpq(unit - x, unit)), arb(fmpq(x, unit))) for x, unit in ((a, a_unit), (b, b_unit))
            )
        rise, off, excess, excess_error, limit = _limited(k, (first, second), lam)
        return cls(
            k, likely, unlikely, r, one / one_all, zero / zero_all,
            (one / one_all) * (one_off / one_all), (zero / zero_all) * (zero_off / zero_all),
            logs, rise, off, excess, excess_error, (likely_one, likely_zero), (first, second), limit,
        )  # fmt: skip

    def under(self, lam: tuple[Fraction, Fraction], tilt: tuple[float, float]) -> CommonTilt:
        """The same circle for another limit, with its own ``likely`` and ``unlikely``."""
        *each, limit = _limited(self.k, self.sums, lam)
        return self.at((*tilt, *each), limit)

    def at(self, each: Iterable[Each], limit: arb) -> CommonTilt:
        """The same circle for what a limit determines, and the ball around it."""
        likely, unlikely, rise, off, excess, excess_error = each
        return CommonTilt(
            self.k, likely, unlikely, self.r, self.mu, self.nu, self.spread_mu, self.spread_nu, self.logs, rise,
            off, excess, excess_error, self.chances, self.sums, limit, self.halvings,
        )  # fmt: skip

    def factors(self, z: _Point) -> tuple[_Point, _Point]:
        """A(z) and B(z) at the precision in force."""
        (a_rest, a), (b_rest, b) = self.chances
        return a_rest + a * z, b_rest + b * z

    @property
    def each(self) -> tuple[Each, Each, Each, Each, Each, Each]:
        """What a limit determines, but for the ball around it."""
        return self.likely, self.unlikely, self.rise, self.off, self.excess, self.excess_error

    def lifted(self, pools: Iterable[tuple[int, int]]) -> CommonTilt:
        """With every F times the power of two that brings the largest of these pools' next to 1, if it is far below."""
        one, zero, theta = self.logs
        gain, loss = one - theta * self.likely, zero - theta * self.unlikely
        own = zero - theta * (self.likely + self.unlikely) / 2
        most = self.k * (max(ones * gain + zeros * loss for ones, zeros in pools) + own)
        return replace(self, halvings=max(math.floor(-most / math.log(2)) - _ROOM, 0)) if most > _NEVER else self

    def spread(self, a: Integers, b: Integers) -> Reals:
        """V."""
        return a * self.spread_mu + b * self.spread_nu

    def variance(self, others: int) -> float:
        """Of the reports of so many others, about: half of them hold 1."""
        return self.k * others * (self.spread_mu + self.spread_nu) / 2

    @property
    def mostly_ones(self) -> bool:
        """Whether records that hold 1 mostly send 1: t - a is then far smaller than t."""
        return self.mu > 0.5

    @property
    def wide(self) -> Each:
        """1 + kappa, or more."""
        return 2 - self.rise + self.off

    @property
    def spread_record(self) -> float:
        """What K adds to V at least."""
        return self.k * min(self.spread_mu, self.spread_nu)


def root(own: Own, k: int, lam: tuple[Fraction, Fraction]) -> float:
    """The root y of K, in floating point; at most 1, and next to 0 if there is none."""
    return math.exp(saddle(own, k, Limit(lam[1])))


def tilted(own: Own, y: float) -> tuple[float, float]:
    """The probabilities of a 1, of a report of a 1 and of a 0, under the tilt y; they steer."""
    (b, b_unit), (a, a_unit) = (x.as_integer_ratio() for x in own)
    one, zero = a / a_unit * y, b / b_unit * y
    return one / ((a_unit - a) / a_unit + one), zero / ((b_unit - b) / b_unit + zero)


def _limited(k: int, sums: tuple[arb, arb], lam: tuple[Fraction, Fraction]) -> tuple[float, float, float, float, arb]:
    """1 - kappa and how far it may be off, lambda - 1 and how far it may be off relative to it; lambda."""
    excess, width = _excess(lam)
    with working_precision(PRECISION):
        limit = union(*lam)
        ball = 1 - limit * (sums[0] / sums[1]) ** k
        rise = float(ball)
        return rise, at_least(abs(ball - rise)), excess, width + 4 * UNIT, limit


def _excess(lam: tuple[Fraction, Fraction]) -> tuple[float, float]:
    """Lambda - 1 at its upper end, and its width relative to it."""
    (low, low_unit), (high, high_unit) = (x.as_integer_ratio() for x in lam)
    excess = (high - high_unit) / high_unit
    if high > high_unit and excess < _LEAST_RISE:
        return _LEAST_RISE, 1.0
    return excess, (high * low_unit - low * high_unit) / ((high - high_unit) * low_unit or 1)


def at_least(x: arb) -> float:
    """A double at or above a ball."""
    return math.nextafter(float(x.upper()), math.inf)


def log_of(x: arb) -> float:
    """Log x to a relative u and an absolute 2^-112, which near x = 1 is the larger.

    Raises:
        Undecided: it is not known so well.
    """
    found = x.log()
    if not found.rad() < _LOG:
        raise Undecided("a logarithm is not known to 2^-112")
    return float(found)


@dataclass(frozen=True, slots=True)
class Circle:
    """The points and the radii.

    Attributes:
        points: M, a multiple of 8.
        kept: the points z_{-j}, z_j with j < kept are summed; at most M/2 + 1.
        lefts, rights: the s < r and the R tried for the aliases; none where none come from that side. All R are from 1
            on, or all are between r and 1: their bounds then cover the constant alias too.
    """

    points: int
    kept: int
    lefts: tuple[float, ...]
    rights: tuple[float, ...]

    @property
    def covered(self) -> bool:
        """Whether the bounds on the radii R are those of all aliases to the right, whatever the pool."""
        return any(radius < 1 for radius in self.rights)

    @classmethod
    def around(
        cls, saddle: CommonTilt, a: Integers, b: Integers, t: Integers, spreads: tuple[float, float], rtol: float,
        most_points: int = _MAX_POINTS,
    ) -> Circle:  # fmt: skip
        """As ``serving``, for arrays of pools; t has a row for each limit, in rising order, or one for all."""
        extremes = {int(a.argmax()), int(b.argmax())}
        pools = {(a.item(i), b.item(i), row.item(i)) for i in extremes for row in (t[0], t[-1])}
        return cls.serving(saddle, sorted(pools), spreads, rtol, _MAX_CELLS // t.size, most_points)

    @classmethod
    def serving(
        cls, saddle: CommonTilt, pools: list[Pool], spreads: tuple[float, float], rtol: float, most_kept: int,
        most_points: int = _MAX_POINTS,
    ) -> Circle:  # fmt: skip
        """Truncation errors of about ``rtol`` relative to the smallest h_t, guessed by a Gaussian; V between two.

        Args:
            saddle: of the question.
            pools: those with most ones and with most zeros.
            spreads: the least and the largest V.
            rtol: as above.
            most_kept: points kept, at most.
            most_points: M, at most.

        Raises:
            TooMany: points.
        """
        least, most = (spread + saddle.spread_record for spread in spreads)
        drop = 1 - saddle.r
        slope = saddle.k * abs((1 - saddle.rise) * saddle.mu - saddle.nu) + 1e-300
        value = slope / (2.5 * math.sqrt(most + 0.1) * ((most + 0.3) * drop * drop + 1.5))
        lost = math.log(2 * saddle.wide) - math.log(drop) - math.log(min(value, 1.0))
        nats = max(4.0, lost - math.log(rtol)) + 2
        first = enough(most, nats)
        if first > most_points:
            raise TooMany
        points, sides = _sides(saddle, pools, _grid(first), nats)
        if points > most_points:
            raise TooMany
        kept = summed(points, least, nats)
        if kept > min(most_kept, _MAX_KEPT):
            raise TooMany
        r = saddle.r
        lefts = tuple(s for side in sides if side < 0 and 0 < (s := r * math.exp(side)) < r)
        rights = tuple(max(r * math.exp(side), 0.0 if saddle.halvings else 1.0) for side in sides if side > 0)
        if any(right <= r for right in rights):
            raise TooMany
        return cls(points, kept, lefts, rights)


def _grid(points: int) -> int:
    """The next c 2^i, c = 8, ..., 15, that is a multiple of 8: few tables of roots serve all questions."""
    step = max(8, 1 << max(0, (points - 1).bit_length() - 4))
    return -(-points // step) * step


def _sides(saddle: CommonTilt, pools: list[Pool], points: int, nats: float) -> tuple[int, list[float]]:
    """M, from ``points`` on, and log R/r and log s/r: every alias is below e^-nats of the peak."""
    sides, outer = list[float](), -saddle.logs[2]  # of the radius 1
    spans = {-1: (1e-8, _INWARDS), 1: (1e-3 * outer, 0.999 * outer) if saddle.halvings else (outer, _OUTWARDS)}
    for pool in pools:
        a, b, t = pool
        for way, none in ((-1, math.ceil(t) + 3), (1, math.ceil(a + b - t) + saddle.k + 2)):
            if points >= none:
                continue
            least, most = spans[way]
            for within in ((least, least), (least, most)):  # the nearest that will do serves the most other pools
                side, needed = beyond(_tilt(saddle, pool), 0.0, t, way, points, none, nats, within)
                if needed <= points:
                    break
            points = _grid(needed)
            if points < none and side not in sides:
                sides.append(side)
    return points, sides


def _tilt(saddle: CommonTilt, pool: Pool) -> Tilt:
    """Of a pool and K, from r on; its growth is that of the bound of the aliases."""
    (a, b, _), mu, nu, k = pool, saddle.mu, saddle.nu, saddle.k

    def at(side: float) -> Moments:
        rise, theta = math.expm1(side), saddle.logs[2] + side
        one, zero = math.log1p(mu * rise), math.log1p(nu * rise)
        growth = a * one + b * zero + k * max(one, zero) + (max(theta, -2 * theta) if side else 0.0)
        likely, unlikely = mu * (1 + rise) / (1 + mu * rise), nu * (1 + rise) / (1 + nu * rise)
        ones, zeros = a + k / 2, b + k / 2
        spread = ones * likely * (1 - likely) + zeros * unlikely * (1 - unlikely)
        return Moments(growth, ones * likely + zeros * unlikely, spread)

    return Tilt(at, ends=(-_INWARDS, _OUTWARDS), support=(0.0, a + b + k))
