r"""delta of many rounds above all datasets and strategies, range by range of the datasets.

V_t(lambda), the largest delta of the last t rounds, is max_m sum_i P_m(i) V_{t-1}(lambda Q_m(i) / P_m(i)), m one of the
datasets of the first of them. The datasets of one round are put in a few ranges. Of the pair above all of a range r, on
the lattice lambda_j = e^{jh}, p_i is the P mass of the loss i h, and w that of an infinite one. Then

    V_t(lambda_j) <= U_t(j),    U_0(j) = [1 - lambda_j]_+,    U_t(j) = max_r w + sum_i p_i U_{t-1}(j - i).

One pair above all datasets is wider: what is worst where losses are large is not so where they are small. Between two
points V_t is at most their chord, as it is convex.

*Infinite losses* stand apart: U_t falls to W_t = max_r (w + W_{t-1} sum_i p_i), W_0 = 0. So A_t = U_t - W_t >= 0 is

    A_t(j) = max_r sum_i p_i A_{t-1}(j - i) - v_r,    v_r = W_t - w - W_{t-1} sum_i p_i >= 0.

*The tilt.* With g = e^{theta h}, any mu > 0 for each kind of round, and G_t(j) = g^j / (mu ... mu), X_t = A_t G_t has
the same recursion with the masses p_i g^i / mu and with v_r G_t. If mu is the largest of all sum_i p_i g^i, X_t is at
most the largest X_0 everywhere. That bound stands in for X_t outside of a window, which moves with the tilted mean of
the losses and ends at the loss that matters: it is seen as rarely as a path leaves the window. Any theta > 0 will do.

*Rounding.* Masses are rounded up. Three transforms of 2^m points and a product err by less than ``_ROUNDINGS`` (m + 1)
u |x| |p|, Euclid's norm of x and the sum of the masses; what underflows by less than ``_LEAST``. Both are added.

Source: proof notes, C23.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from flint import arb

from dpcalc.losses.dominance import LatticePair
from dpcalc.losses.lattice import floor
from dpcalc.numbers.ball import ball
from dpcalc.numbers.doubles import Complexes, Reals
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.rounding import UNIT

_LEAST, _MOST = 1e-300, 1e150
_ROUNDINGS = 24  # of three of numpy's transforms and their product, for each doubling of the length
_FAINT = 1e-290  # doubles from here on have all their digits
_AWAY = 6  # standard deviations of all losses, tilted, on both sides of the window's middle
_PART = 20  # bits of the tilted mean behind the point


@dataclass(frozen=True)
class RangeByRange:
    """Rounds whose datasets are in ranges.

    Attributes:
        step: h.
        kinds: the pair above all datasets of each range, and how many rounds; in the order in which they are run.
        near: the j that matters most; it steers.
        theta: the tilt under which the losses of all rounds are about ``near`` steps, on average; any above 0 will do.

    Everything is done at the current precision.
    """

    step: Fraction
    kinds: Sequence[tuple[Sequence[LatticePair], int]]
    near: int
    theta: float

    def delta(self, limit: Limit) -> arb:
        """A number at or above delta of every choice of datasets, also where it depends on earlier counts."""
        j = floor(limit, self.step)
        low, high = self._above(j), self._above(j + 1)
        part = (limit.log_ball() - ball(j * self.step)).expm1() / ball(self.step).expm1()
        return low + part.max(arb(0)).min(arb(1)) * (high - low)

    @property
    def points(self) -> int:
        """Of a transform: the window and as much as a sum needs on both sides of it; what wraps around is not kept."""
        deviation = math.sqrt(sum(kind.variance * times for kind, times in self._kinds))
        least = math.ceil(2 * _AWAY * deviation) + sum(self._beside) + max(sum(kind.sides) for kind, _ in self._kinds)
        return 1 << least.bit_length()

    def _above(self, j: int) -> arb:
        """U_T."""
        first, values, most, infinite = self._values
        place = j - first
        value = values[place] if 0 <= place < len(values) else most
        return (value * self._scale * self._growth**-j + infinite).min(arb(1))

    @cached_property
    def _growth(self) -> arb:
        """g."""
        return (ball(self.step) * self.theta).exp()

    @cached_property
    def _kinds(self) -> list[tuple[_Tilted, int]]:
        """From the last round to the first."""
        each = {id(ranges): ranges for ranges, times in self.kinds if times}  # the same list may come again
        tilted = {place: _Tilted.of(ranges, self._growth) for place, ranges in each.items()}
        return [(tilted[id(ranges)], times) for ranges, times in reversed(self.kinds) if times]

    @cached_property
    def _scale(self) -> arb:
        """The product of all mu."""
        return math.prod((kind.mu**times for kind, times in self._kinds), start=arb(1))

    @property
    def _beside(self) -> tuple[int, int]:
        """How many points a sum needs on the left and on the right of the window."""
        left, right = zip(*(kind.sides for kind, _ in self._kinds), strict=True)
        return max(left), max(right)

    @cached_property
    def _values(self) -> tuple[int, list[float], float, float]:
        """The first j of the window, X_T from there on, a bound of X_T everywhere, and W_T."""
        points, (left, right) = self.points, self._beside
        kept = points - left - right
        window = slice(left, left + kept)
        middle = (self.near << _PART) - sum(kind.mean * times for kind, times in self._kinds)
        first = (middle >> _PART) - left - kept // 2  # of all points
        share = ball(Fraction(self.theta)) / (1 + ball(Fraction(self.theta)))
        most, infinite = _up(share**self.theta * (1 - share)), 0.0
        values = np.array([min(self._start(j), most) for j in range(first, first + points)])
        shown = any(kind.shown for kind, _ in self._kinds)
        tilt = np.array([_down(self._growth**j) for j in range(first + left, first + left + kept) if shown])  # G_t
        found = dict[int, Complexes]()
        for kind, times in self._kinds:
            if id(kind) not in found:
                found[id(kind)] = kind.spectra(points)
            spectra = found[id(kind)]
            error = _ROUNDINGS * (points.bit_length() + 1) * UNIT * math.sqrt(points) * kind.most
            on = [_down(self._growth ** ((kind.mean >> _PART) + more) / kind.mu * (1 - 4 * UNIT)) for more in (0, 1)]
            for _ in range(times):
                moved = (middle + kind.mean >> _PART) - (middle >> _PART) - (kind.mean >> _PART)  # 0 or 1 more
                middle += kind.mean
                sums = np.fft.irfft(np.fft.rfft(values) * spectra, points, axis=1)[:, left + moved :][:, :kept]
                if shown:
                    tilt = np.minimum(tilt * on[moved], _MOST)
                    tilt[tilt < _FAINT] = 0.0  # a smaller double may have been rounded up
                    less, infinite = kind.lacks(infinite)
                    sums -= less[:, None] * tilt
                best = np.maximum(sums.max(axis=0) + (error * most + _LEAST), 0.0)
                most = math.nextafter(most * kind.most, math.inf)
                values = np.full(points, most)
                np.minimum(best, most, out=values[window])
        return (middle >> _PART) - kept // 2, values[window].tolist(), most, infinite

    def _start(self, j: int) -> float:
        """X_0."""
        return _up(-(ball(self.step) * j).expm1() * self._growth**j) if j < 0 else 0.0


@dataclass(frozen=True)
class _Tilted:
    """The tilted masses of one kind of rounds.

    Attributes:
        mu: about the largest sum of the untilted p_i g^i.
        first: the least i.
        rows: the masses of the losses from there on, a row for each range; rounded up.
        most: at or above the sum of each row.
        mean: of the heaviest row, in 2^-_PART.
        variance: about the mean, the largest of all rows.
        masses: for each range w, and the sum of the untilted masses of finite losses; rounded up.
    """

    mu: arb
    first: int
    rows: Reals
    most: float
    mean: int
    variance: float
    masses: list[tuple[float, float]]

    @classmethod
    def of(cls, ranges: Sequence[LatticePair], growth: arb) -> _Tilted:
        """Of the pairs above the ranges."""
        tilted = [[(i, x * growth**i) for i, x in _listed(one)] for one in ranges]
        mu = max((sum((x for _, x in one), arb(0)).mid() for one in tilted), default=arb(0)) or arb(1)
        first = min((i for one in tilted for i, _ in one), default=0)
        rows = np.zeros((len(ranges), max((i for one in tilted for i, _ in one), default=0) - first + 1))
        for row, one in zip(rows, tilted, strict=True):
            for i, x in one:
                row[i - first] = _up(x / mu)
        sums = [math.fsum(row) for row in rows]
        heaviest = rows[sums.index(max(sums))]
        losses = np.arange(first, first + len(heaviest), dtype=np.float64)
        mean = float((losses * heaviest).sum())
        variance = float(((losses - mean) ** 2 * rows).sum(axis=1).max())
        masses = [(_up(one.beyond), _up(sum(one.masses, arb(0)))) for one in ranges]
        return cls(mu, first, rows, math.nextafter(max(sums), math.inf), math.floor(mean * 2**_PART), variance, masses)

    @property
    def shown(self) -> bool:
        """Whether a loss may be infinite."""
        return any(w for w, _ in self.masses)

    def lacks(self, infinite: float) -> tuple[Reals, float]:
        """v_r of each range, rounded down, and W_t, if W_{t-1} is given."""
        each = [(w + mass * infinite) * (1 + 4 * UNIT) for w, mass in self.masses]
        each = [
            math.nextafter(one, math.inf) if w or infinite else 0.0
            for one, (w, _) in zip(each, self.masses, strict=True)
        ]
        return np.array([(max(each) - one) * (1 - 4 * UNIT) for one in each]), max(each)

    @property
    def sides(self) -> tuple[int, int]:
        """How far losses go beyond the mean, upward and downward."""
        middle = self.mean >> _PART
        return max(self.first + self.rows.shape[1] - 1 - middle, 0), max(middle + 1 - self.first, 1)

    def spectra(self, points: int) -> Complexes:
        """Transforms of the rows, with the mean, rounded down, at the first point."""
        placed = np.zeros((len(self.rows), points))
        placed[:, (np.arange(self.rows.shape[1]) + self.first - (self.mean >> _PART)) % points] = self.rows
        return np.fft.rfft(placed, axis=1)


def _listed(one: LatticePair) -> list[tuple[int, arb]]:
    """Losses and upper bounds of their masses; 1 where a ball says nothing."""
    each = ((i, x.upper()) for i, x in enumerate(one.masses, one.first))
    return [(i, x if x.is_finite() else arb(1)) for i, x in each if not x <= 0]


def _up(x: arb) -> float:
    """A double at or above a number that is at most about 1; 1 where the ball says nothing."""
    top = x.upper()
    if not top.is_finite():
        return 1.0
    return math.nextafter(float(top), math.inf) if top > 0 else 0.0


def _down(x: arb) -> float:
    """A double at or below a number above 0."""
    low = x.lower()
    return math.nextafter(min(float(low), _MOST), 0.0) if low > 0 else 0.0
