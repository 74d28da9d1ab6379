r"""The one pass over all compositions without arrays: its pools one by one, in Python's doubles with counted errors.

Pools, ranges, circles and bounds are those of ``one_pass``; see there. What differs is how the numbers are come by:

*Powers.* The squares (1 + mu g_j)^(2^i) come from balls of absolute radius below ``_ABSOLUTE`` (|1 + mu g_j| <= 1, so
that squaring at most doubles it) and are rounded once. A product of f of them and of a root of unity errs by at most
f (u + ``PRODUCT``), as no square needs a correction.

*Weights* C_j come from balls that hold them for every lambda between its ends, and are rounded once; their radii count.

*Exponentials* come from balls.

Only a dozen points of a circle matter as a rule: a pool takes some 50 microseconds.

Source: the proof notes, section "One pass"; Lemmas 8 to 11 are not needed here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from operator import mul

from flint import acb, arb, fmpq

from dpcalc.counts.circle import Circle, CommonTilt, TooMany, at_least
from dpcalc.counts.ranges import Found, cut, ranges
from dpcalc.counts.truncation import FAR, SPARE, exponent_errors, first_left_out, left_out, logs_of
from dpcalc.numbers.ball import working_precision
from dpcalc.numbers.rounding import PRODUCT, UNIT

__all__ = ["singles", "worst"]

_MAX_RANGES = 4_000
_MAX_FIRST = 1_500  # ranges in the first pass
_MAX_CELLS = 40_000  # pools times points kept
_MOVES = 6  # passes in which t may move
_ALIKE = 64.0  # how many times as large as another the variance of a pool on the same circle may be
_DIGIT = 4  # binary digits of an exponent to one table of powers
_PRECISION = 160  # bits of the balls: those of squares lose up to 40, one each
_ABSOLUTE = 2.0**-100  # of a square, and of a product of all
_ROUNDED = 1.02 * UNIT  # error of a complex number rounded from a ball
_EXP = 2 * UNIT  # error of an exponential rounded from a ball


def worst(
    q: Fraction,
    k: int,
    others: int,
    lam: tuple[Fraction, Fraction],
    *,
    rtol: float,
    target: Fraction | None = None,
) -> Found | None:
    """As ``one_pass.worst``.

    >>> found = worst(Fraction(1, 4), 1, 999, (Fraction(11, 10), Fraction(11, 10)), rtol=1e-9)
    >>> found.ones, f"{float(found.lower):.6e}"
    (1, '7.223376e-05')
    """
    saddle = CommonTilt.of(q, k, k * (others + 1), lam)
    try:
        return None if saddle is None else _search(saddle, others, rtol, target)
    except TooMany:
        return None


def singles(
    q: Fraction, k: int, others: int, lam: tuple[Fraction, Fraction], ms: Sequence[int], *, rtol: float = 1e-9
) -> list[tuple[Fraction, Fraction]] | None:
    """As ``one_pass.singles``."""
    saddle = CommonTilt.of(q, k, k * (others + 1), lam)
    if saddle is None:
        return None
    try:
        found = _deltas(saddle, [(m, others - m) for m in ms], rtol)
    except TooMany:
        return None
    return [(Fraction(low), Fraction(high)) for low, high in found]


def _search(saddle: CommonTilt, others: int, rtol: float, target: Fraction | None) -> Found | None:
    """Bound all ranges; cut those that may exceed the best."""
    low, high = ranges(saddle, others, rtol, _MAX_FIRST)
    best, ones, ceiling, seen = -1.0, 0, 0.0, 0
    while True:
        seen += len(low)
        if seen > _MAX_RANGES:
            return None
        found = _deltas(saddle, [(m, others - n) for m, n in zip(low, high, strict=True)], rtol)
        for m, n, (lower, _) in zip(low, high, found, strict=True):
            if m == n and lower > best:
                best, ones = lower, m
        if target is not None and best > target:
            return Found(Fraction(best), Fraction(1), ones)
        if target is None and best <= 0:
            return None  # below the range of doubles
        level = best * (1 + rtol) if target is None else target
        ceiling = max([ceiling, *(upper for _, upper in found if upper <= level)])
        failed = [i for i, (_, upper) in enumerate(found) if upper > level]
        if not failed:
            return Found(Fraction(max(best, 0.0)), Fraction(max(ceiling, best)), ones)
        if any(low[i] == high[i] for i in failed):
            return None
        low, high = cut([low[i] for i in failed], [high[i] for i in failed])


def _deltas(saddle: CommonTilt, pools: list[tuple[int, int]], rtol: float) -> list[tuple[float, float]]:
    """Enclosures of delta of the pools with so many ones and zeros; those not settled have the upper end 1.

    Pools of very different variance need circles of their own.
    """
    k, groups = saddle.k, dict[int, list[int]]()
    spreads = [k * (one * saddle.spread_mu + zero * saddle.spread_nu) for one, zero in pools]
    least = min(spreads)
    alike = max(spreads) + 1 <= _ALIKE * (least + 1)
    for i, spread in enumerate(spreads):
        group = 0 if alike else math.floor(math.log((spread + 1) / (least + 1)) / math.log(_ALIKE))
        groups.setdefault(group, []).append(i)
    found = [(0.0, 1.0)] * len(pools)
    for same in groups.values():
        members = [(k * pools[i][0], k * pools[i][1]) for i in same]
        ends = min(spreads[i] for i in same), max(spreads[i] for i in same)
        for i, both in zip(same, _settle(saddle, members, ends, rtol), strict=True):
            found[i] = both
    return found


def _settle(
    saddle: CommonTilt, pools: list[tuple[int, int]], spreads: tuple[float, float], rtol: float
) -> list[tuple[float, float]]:
    """The same on one circle, for variances between two; t moves where its place is proven wrong."""
    record = 0.5 * saddle.k * (saddle.likely + saddle.unlikely)
    places = [
        min(int(a * saddle.likely + b * saddle.unlikely + record), a + b + saddle.k - 1) for a, b in pools
    ]  # fmt: skip
    farthest = {max(range(len(pools)), key=lambda i: pools[i][side]) for side in (0, 1)}
    extremes = [(float(pools[i][0]), float(pools[i][1]), float(places[i])) for i in farthest]
    circle = Circle.serving(saddle, extremes, spreads, rtol, _MAX_CELLS // len(pools))
    on = _OnCircle(saddle, circle, max(map(max, pools)), max(places) + 2 * _MOVES, spreads[0])
    found = []
    for (a, b), start in zip(pools, places, strict=True):
        t, last = start, a + b + saddle.k - 1
        for _ in range(_MOVES + 1):
            lower, upper, move = on.delta(a, b, t)
            t = min(max(t + 2 * move, 0), last)
            if not move:
                break
        found.append((lower, upper))
    return found


@dataclass(frozen=True)
class _OnCircle:
    """What all pools on a circle have in common.

    Attributes:
        saddle, circle: of the pools.
        most: the largest a or b.
        farthest: the largest t.
        spread: the least V.
    """

    saddle: CommonTilt
    circle: Circle
    most: int
    farthest: int
    spread: float

    def delta(self, a: int, b: int, t: int) -> tuple[float, float, int]:
        """Lower and upper end of delta, and in which direction t should move if it should."""
        values, errors, (least, most), off = self.sums(a, b, t)
        high = [value + error for value, error in zip(values, errors, strict=True)]
        low = [value - error for value, error in zip(values, errors, strict=True)]
        rise = max(high[3], -low[2], 0.0)
        slack = 8 * UNIT * (abs(high[0]) + rise + 2 * errors[0])
        upper = max(high[0] + rise + slack, 0.0) * (most * (1 + off))
        rise = max(low[3], -high[2], 0.0)
        lower = max((low[0] + rise - slack) * (least * (1 - off)), 0.0)
        start, end = t <= 1, t >= a + b + self.saddle.k - 2
        settled = (low[1] > 0 or start) and (high[4] < 0 or end)
        move = 0 if settled else (low[4] > 0 and not end) - (high[1] < 0 and not start)
        upper = upper if settled and upper < 1.0 else 1.0  # not a number neither
        return (lower if lower < math.inf else 0.0), upper, move

    def sums(self, a: int, b: int, t: int) -> tuple[list[float], list[float], tuple[float, float], float]:
        """h_t, d_{t-1}, ..., d_{t+2} relative to F and their errors; two ends of F and its relative error."""
        terms = self._turned(t)
        for g, exponent in enumerate((a, b)):
            for place, digit in _digits(exponent):
                terms = list(map(mul, terms, self._table(g, place, digit)))
        values = [sum(map(mul, terms, row)).real for row in self._weights[0]]
        forms, constant_log, rest = self._forms
        logs = [one * a + zero * b + theta * t + own for one, zero, theta, own in forms]
        front, sizes = _exp(logs[0]), self._sizes
        total = [error * SPARE for error in self._errors]
        circle, k, cut_at = self.circle, self.saddle.k, 1 + len(self.circle.rights)
        for wraps, bounds in (
            (t <= a + b + k + 1 - circle.points, logs[1:cut_at]),
            (t >= circle.points - 2, logs[cut_at:]),
        ):
            if wraps:
                bound = min((_exp(log) for log in bounds), default=math.inf) * (1 + max(sizes))
                total = [error + bound for error in total]
        constant = _exp(constant_log - logs[0]) * rest
        values[0] += constant
        total[0] += constant * (sizes[0] + self.saddle.excess_error)
        return values, total, (0.0 if logs[0] < -FAR else front, front), sizes[0]

    @cached_property
    def _squares(self) -> list[tuple[list[complex], list[complex]]]:
        """(1 + mu g_j)^(2^i) and (1 + nu g_j)^(2^i) at the points kept, for all i that exponents need."""
        (q, p), r, bits = self.saddle.flips, arb(self.saddle.r), self.most.bit_length()
        found: list[tuple[list[complex], list[complex]]] = [([], []) for _ in range(bits)]
        with working_precision(_PRECISION):
            for j in range(self.circle.kept):
                z = r * acb(fmpq(2 * j, self.circle.points)).exp_pi_i()
                for g, power in enumerate(((q + p * z) / (q + p * r), (p + q * z) / (p + q * r))):
                    for i in range(bits):
                        found[i][g].append(_double(power))
                        power = power * power
        return found

    @cached_property
    def _tables(self) -> dict[tuple[int, int, int], list[complex]]:
        return {}

    def _table(self, g: int, place: int, digit: int) -> list[complex]:
        """Powers with the exponent digit 2^(4 place) of either base."""
        key = g, place, digit
        if key not in self._tables:
            highest = digit.bit_length() - 1
            own, left = self._squares[_DIGIT * place + highest][g], digit - (1 << highest)
            self._tables[key] = list(map(mul, own, self._table(g, place, left))) if left else own
        return self._tables[key]

    def _turned(self, t: int) -> list[complex]:
        """e^{-i t u_j}."""
        turns, points = _roots(self.circle.points), self.circle.points
        return [turns[t * j % points] for j in range(self.circle.kept)]

    @cached_property
    def _weights(self) -> tuple[list[list[complex]], list[list[float]]]:
        """C_j / M, or twice that for a pair of conjugate points; one row for each sum; and how far they may be off."""
        saddle, points = self.saddle, self.circle.points
        (q, p), r, k = saddle.flips, arb(saddle.r), saddle.k
        rows: list[list[complex]] = [[] for _ in range(5)]
        off: list[list[float]] = [[] for _ in range(5)]
        with working_precision(_PRECISION):
            one_all, zero_all = q + p * r, p + q * r
            kappa = saddle.limit * (one_all / zero_all) ** k
            for j in range(self.circle.kept):
                z = r * acb(fmpq(2 * j, points)).exp_pi_i()
                share = fmpq(1 if 2 * j in (0, points) else 2, points)
                kernel = (((p + q * z) / zero_all) ** k - kappa * ((q + p * z) / one_all) ** k) * share
                back = z.conjugate() / (r * r)  # 1/z
                for e, value in enumerate((kernel / (1 - z), kernel * z, kernel, kernel * back, kernel * back * back)):
                    rows[e].append(_double(value))
                    off[e].append(at_least(value.real.rad() + value.imag.rad()))
        return rows, off

    @cached_property
    def _errors(self) -> list[float]:
        """Of rounding, and of the points left out; the same for all pools, by the least V."""
        saddle, circle, kept = self.saddle, self.circle, self.circle.kept
        rises = _rises(circle.points, min(kept + 2, circle.points // 2 + 1))
        spread, record = self.spread * (1 - 1e-12), saddle.spread_record * (1 - 1e-12)
        step, least = first_left_out(rises, circle.points, kept)
        fade = [_exp(-spread * rise) for rise in rises[:kept]]
        last = _exp(-spread * rises[min(kept, len(rises) - 1)] - record * least) * SPARE
        rest = left_out(last, (spread + record) * step, circle) * (1 + saddle.kappa + saddle.kappa_error)
        factors = 2 * self.most.bit_length() + 1
        relative = 1.001 * (factors * (_ROUNDED + PRODUCT) + 2 * UNIT) + (2 * kept + 6) * UNIT + _ROUNDED
        r, found = saddle.r, []
        for row, off, largest in zip(*self._weights, (1 / (1 - r), r, 1.0, 1 / r, 1 / r / r), strict=True):
            sizes = [abs(weight.real) + abs(weight.imag) for weight in row]
            rounding = sum(far * (size * relative + width) for far, size, width in zip(fade, sizes, off, strict=True))
            found.append(rounding + _ABSOLUTE * sum(sizes) + rest * largest)
        return found

    @cached_property
    def _forms(self) -> tuple[list[tuple[float, float, float, float]], float, float]:
        return logs_of(self.saddle, self.circle)

    @cached_property
    def _sizes(self) -> list[float]:
        """Relative errors of the exponentials."""
        forms, constant, _ = self._forms
        return exponent_errors((self.most, self.most, self.farthest), forms, constant, _EXP)


def _digits(exponent: int) -> list[tuple[int, int]]:
    """Its digits that are not 0, and their places."""
    places = range(-(-exponent.bit_length() // _DIGIT))
    return [(i, digit) for i in places if (digit := exponent >> _DIGIT * i & (1 << _DIGIT) - 1)]


def _exp(x: float) -> float:
    """e^x to a relative ``_EXP``; infinity, or e^-690, where that leaves the range of doubles."""
    return math.inf if x > FAR else float(arb(max(x, -FAR)).exp())


def _double(z: acb) -> complex:
    """A ball's midpoint, each part rounded."""
    return complex(float(z.real.mid()), float(z.imag.mid()))


@lru_cache(maxsize=64)
def _roots(points: int) -> list[complex]:
    """e^{-2 pi i j / points} for 0 <= j < points, each part rounded."""
    with working_precision(_PRECISION):
        half = [_double(acb(fmpq(-2 * j, points)).exp_pi_i()) for j in range(points // 2 + 1)]
    return half + [root.conjugate() for root in half[points - points // 2 - 1 : 0 : -1]]


@lru_cache(maxsize=256)
def _rises(points: int, count: int) -> list[float]:
    """1 - cos u_j, rounded."""
    with working_precision(_PRECISION):
        return [float(2 * arb.sin_pi_fmpq(fmpq(j, points)) ** 2) for j in range(count)]
