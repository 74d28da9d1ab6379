r"""Sums over the histograms that matter, in doubles with every rounding and every tail counted.

P and P' are those of ``histograms``: N reports, of which k are changed under P'. With w_mu(s) = e^{-mu} mu^s / s!,

    P(s)  = prod_l w_{N m_l}(s_l) / w_N(N),
    P'(s) = [z^k] prod_l sum_i w_{(N-k) m_l}(s_l - i) w_{k m'_l}(i) z^i / (w_{N-k}(N-k) w_k(k)).

All classes but the two widest are spread out first; the last two add a matrix product for each number of reports left
to them.

*Rounding.* Only sums, differences, products and comparisons of IEEE doubles are used, on tables rounded from balls to
3u, u = 2^-53. All terms are non-negative, so that P and P' are right to a relative e = z u, where z counts tables,
products and sums of k + 1 terms, in whatever order a library adds: less than c (k + 12) + 4. For x and y computed from
P' and P, and doubles kappa <= (1 - 4e) lambda and kappa' >= (1 + 4e) lambda, as e <= 2^-20,

    (1 - 2e) (x - kappa' y)_+ <= (P' - lambda P)_+ <= (1 + 2e) (x - kappa y)_+,

and P and P' may change places. Likewise x > kappa' y proves P' > lambda P, which proves x > kappa y. A sum of M terms
adds M u.

*Underflow* loses at most 2^-1022 in an operation. Sums over i are at most 1, so that no loss grows but by the final
division: at most 8 (c + 1) (k + 1)^2 losses in each P and P', times 100 N > 1/(w_{N-k}(N-k) w_k(k)). With N <= 2^50,
k <= 2^10, c <= 2^7 all 2^26 histograms together lose less than 2^-900.

*Windows.* Histograms with an s_l far from its mean are left out. Under either law they have at most the chance of the
tails of all s_l; by Chernoff the one from t on is at most y^{-t} (1 - m + m y)^{N-k} (1 - m' + m' y)^k, for any y >= 1
upwards and any 0 < y <= 1 downwards. Windows and y are chosen in floating point: any will do.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from flint import arb

from dpcalc.notes.vectors.histograms import Exceedances, Excesses, Neighbours
from dpcalc.numbers.ball import ball, enclosure_of, working_precision
from dpcalc.numbers.doubles import AT_ONCE, Integers, Reals
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.search import last_where
from dpcalc.pairs.crowd import outcome_count

MAX_EPSILON = 620  #: lambda is to stay below 2^900
MAX_NATS = 600  #: what is rarer than e^-600 is lost beside what is too small for a double

#: The least and the largest count of a class.
Window: TypeAlias = tuple[int, int]

_UNIT = Fraction(1, 1 << 53)
_NEAR_ZERO = Fraction(1, 10**300)  # a double, as is its reciprocal
_FAINT = Fraction(1, 1 << 900)
_BITS = 100  # of the tables' balls
_MAX_SIZE = 1 << 26  # histograms
_MAX_WORK = 2_000_000_000  # operations: a few seconds
_MAX_SPREAD = 1 << 24  # coefficients of the classes spread out first: 128 MB
_MAX_TABLES = 1 << 20  # counts of all classes: a ball each
_MAX_TOTAL, _MAX_CHANGED, _MAX_CLASSES = 1 << 50, 1 << 10, 1 << 7


class Windowed:
    """The histograms within windows beyond which either law has about e^-nats, on either side of a class.

    Attributes:
        windows: one for each class; they may be replaced by any other.
    """

    def __init__(self, laws: Neighbours, nats: float) -> None:
        self._laws = laws
        self.windows: list[Window] = []
        n = laws.total
        for chance, other in zip(laws.chances, laws.others, strict=True):
            means = n * chance, n * chance + laws.changed * (other - chance)
            pairs = [(float(mean), float(n - mean)) for mean in means]
            low = n - max(_reach(rest, mean, n, nats) for mean, rest in pairs)
            self.windows.append((low, max(_reach(mean, rest, n, nats) for mean, rest in pairs)))

    @property
    def fits(self) -> bool:
        """Whether they can be gone through in a few seconds: all classes but the widest are chosen freely."""
        terms, total = self._laws.changed + 1, self._laws.total
        *spread, middle, last = sorted(high - low + 1 for low, high in self.windows)
        outer = min(math.prod(spread), outcome_count(total, len(spread) + 1))
        size = min(outer * middle, self._laws.size)
        work = size * (terms + 20) + (outer + min(outer, sum(spread) + 1) * middle) * terms**2 + last * terms
        needs = (size, work, outer * terms, sum(spread) + middle + last, total, self._laws.changed, len(self.windows))
        most = (_MAX_SIZE, _MAX_WORK, _MAX_SPREAD, _MAX_TABLES, _MAX_TOTAL, _MAX_CHANGED, _MAX_CLASSES)
        return all(need <= limit for need, limit in zip(needs, most, strict=True))

    def excesses(self, lam: Enclosure) -> Excesses:
        """As ``Neighbours.excesses``, for 1 <= lambda < 2^900."""
        below, above = self._factors(lam)
        lower, upper, count = [0.0, 0.0], [0.0, 0.0], 1
        for x, y in self._blocks():
            for way, (a, b) in enumerate(((x, y), (y, x))):
                lower[way] += float(np.maximum(a - above * b, 0.0).sum())
                upper[way] += float(np.maximum(a - below * b, 0.0).sum())
            count += x.size
        same, changed = self.missing()
        forward, backward = (
            self._between(low, high, count, lam, missing)
            for low, high, missing in zip(lower, upper, (changed, same), strict=True)
        )
        return forward, backward

    def exceedances(self, lam: Enclosure) -> Exceedances:
        """As ``Neighbours.exceedances``, for 1 <= lambda < 2^900."""
        below, above = self._factors(lam)
        lower, upper, count = [0.0] * 4, [0.0] * 4, 1
        for x, y in self._blocks():
            for way, (a, b) in enumerate(((x, y), (y, x))):
                certain, possible = a > above * b, a > below * b
                for law, values in enumerate((y, x)):
                    lower[2 * way + law] += float(values[certain].sum())
                    upper[2 * way + law] += float(values[possible].sum())
            count += x.size
        first, second, third, fourth = (
            self._between(low, high, count, lam, missing)
            for low, high, missing in zip(lower, upper, 2 * self.missing(), strict=True)
        )
        return first, second, third, fourth

    def missing(self) -> tuple[Fraction, Fraction]:
        """Bounds of what lies outside the windows, under P and under P'."""
        laws, found = self._laws, [arb(0), arb(0)]
        with working_precision(_BITS):
            for chance, other, (low, high) in zip(laws.chances, laws.others, self.windows, strict=True):
                for place, changed in enumerate((0, laws.changed)):
                    kinds = [(chance, laws.total - changed), (other, changed)]
                    found[place] += _tail(kinds, low - 1, upper=False) if low > 0 else 0
                    found[place] += _tail(kinds, high + 1, upper=True) if high < laws.total else 0
            same, mixed = (min(enclosure_of(one).upper, Fraction(1)) for one in found)
            return same, mixed

    @property
    def _error(self) -> Fraction:
        """The relative error e of a P or P'."""
        return (len(self.windows) * (self._laws.changed + 12) + 4) * _UNIT

    def _factors(self, lam: Enclosure) -> tuple[float, float]:
        """Doubles below (1 - 4e) lambda and above (1 + 4e) lambda."""
        below = math.nextafter(float(lam.lower * (1 - 4 * self._error)), 0.0)
        return below, math.nextafter(float(lam.upper * (1 + 4 * self._error)), math.inf)

    def _between(self, low: float, high: float, count: int, lam: Enclosure, missing: Fraction) -> Enclosure:
        """Both ends of a sum of so many terms."""
        error, faint = 2 * self._error + 2 * count * _UNIT, (1 + lam.upper) * _FAINT
        lower = Fraction(low) * (1 - error) - faint
        return Enclosure(max(lower, Fraction(0)), Fraction(high) * (1 + error) + faint + missing)

    def _blocks(self) -> Iterator[tuple[Reals, Reals]]:
        """P' and P of all histograms within the windows, block by block."""
        n, k = self._laws.total, self._laws.changed
        order = sorted(range(len(self.windows)), key=lambda place: self.windows[place][1] - self.windows[place][0])
        with working_precision(_BITS):
            classes = [_Class.of(self._laws, place, *self.windows[place]) for place in order]
            scales = [float(1 / _weight(n, n)), float(1 / (_weight(n - k, n - k) * _weight(k, k)))]
        left, same, mixed = np.array([n]), np.array(scales[:1]), np.zeros((1, k + 1))
        mixed[0, 0] = scales[1]
        for place, one in enumerate(classes[:-2], 1):
            least, most = sum(other.low for other in classes[place:]), sum(other.high for other in classes[place:])
            left, same, mixed = one.spread(left, same, mixed, least, most)
        middle, last = classes[-2:]
        for reports in np.unique(left):
            own, joint = middle.sharing(last, int(reports))
            rows = np.flatnonzero(left == reports)
            for some in np.array_split(rows, -(-len(rows) * joint.size // AT_ONCE) or 1):
                yield mixed[some, ::-1] @ joint.T, same[some, None] * own


@dataclass(frozen=True, slots=True)
class _Class:
    """One class with the counts low, ..., high: w under P, and under P' the coefficients of 1, ..., z^k."""

    low: int
    high: int
    same: Reals
    mixed: Reals

    @classmethod
    def of(cls, laws: Neighbours, place: int, low: int, high: int) -> _Class:
        n, k, width = laws.total, laws.changed, high - low + 1
        kept = _weights((n - k) * laws.chances[place], low - k, high)
        moved = _weights(k * laws.others[place], 0, k)
        mixed = np.stack([kept[k - i : k - i + width] * moved[i] for i in range(k + 1)], axis=1)
        return cls(low, high, _weights(n * laws.chances[place], low, high), mixed)

    def spread(self, left: Integers, same: Reals, mixed: Reals, least: int, most: int) -> tuple[Integers, Reals, Reals]:
        """What is left to the other classes, from ``least`` to ``most``, beside every count of this one."""
        after = left[:, None] - np.arange(self.low, self.high + 1)
        rows, counts = np.nonzero((after >= least) & (after <= most))
        return after[rows, counts], same[rows] * self.same[counts], _times(mixed[rows], self.mixed[counts])

    def sharing(self, last: _Class, reports: int) -> tuple[Reals, Reals]:
        """All ways in which this class and the last one share so many reports."""
        low = max(self.low, reports - last.high)
        high = max(min(self.high, reports - last.low), low - 1)  # there may be none
        here = slice(low - self.low, high - self.low + 1)
        there = slice(reports - high - last.low, reports - low - last.low + 1)
        return self.same[here] * last.same[there][::-1], _times(self.mixed[here], last.mixed[there][::-1])


def _times(a: Reals, b: Reals) -> Reals:
    """The products of polynomials up to z^k, row by row."""
    found = np.zeros_like(a)
    terms = a.shape[1]
    for i in range(terms):
        found[:, i:] += a[:, i : i + 1] * b[:, : terms - i]
    return found


def _weight(s: int, mean: Fraction | int) -> arb:
    """e^-mean mean^s / s!."""
    if mean == 0:
        return arb(s == 0)
    x = ball(mean)
    return (s * x.log() - x - arb(s + 1).lgamma()).exp()


def _weights(mean: Fraction, low: int, high: int) -> Reals:
    """The same for s = low, ..., high as doubles; 0 for s < 0."""
    found, x, start = np.zeros(high - low + 1), ball(mean), max(low, 0)
    weight = _weight(start, mean)
    for s in range(start, high + 1):
        found[s - low] = float(weight)
        weight = weight * x / (s + 1)
    return found


def _reach(mean: float, rest: float, total: int, nats: float) -> int:
    """The count above the mean beyond which ``total`` reports have about e^-nats; mean + rest = total."""

    def exponent(count: int) -> float:
        away = count - mean
        lost = (total - count) * math.log1p(-away / rest) if count < total and away < rest else 0.0
        return count * math.log(count / mean) + lost if mean > 0 else math.inf

    low = min(math.floor(mean) + 1, total)
    return 1 + last_where(lambda count: exponent(count) < nats, low, total - 1)


def _tail(kinds: Sequence[tuple[Fraction, int]], t: int, *, upper: bool) -> arb:
    """A bound of P[S >= t], or of P[S <= t], for reports of such chances."""
    total = sum(count for _, count in kinds)
    mean = sum((chance * count for chance, count in kinds), Fraction(0))
    away = [t * (total - mean), mean * (total - t)]
    y = 1e300 if upper else 1e-300  # any y on this side of 1 makes a bound
    if 0 < t < total:
        y = float(min(max(away[0] / away[1], _NEAR_ZERO), 1 / _NEAR_ZERO))
    if not (1 <= y < math.inf if upper else 0 < y <= 1):
        return arb(1)
    found = arb(y) ** -t
    for chance, count in kinds:
        found *= (1 + ball(chance) * (arb(y) - 1)) ** count
    return found
