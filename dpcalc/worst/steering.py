r"""delta of the dataset of zeros or of ones in floating point, or of one next to it that may show more: they tell a
search where to look, and prove nothing.

X, the sum of the N reports of the others that hold the more frequent bit, is Bin(N, c), c = b or a. With r_j and s_j
the pmfs of all other reports, the changed record's and those of the rarer bit, under P_0 and P_1,

    A_t = P_0(S <= t) = sum_j r_j P[X <= t - j],    B_t = P_1(S <= t) = sum_j s_j P[X <= t - j],

delta is A_t - lambda B_t at the t where the two laws differ by lambda. The pmf of X is Loader's saddle-point form, its
tail a short sum or a continued fraction times the pmf: both keep their digits for every N. With single certified deltas
in its place ``least_q`` takes half as long again, ``least_n`` a fifth longer.

Source: C. Loader, "Fast and Accurate Computation of Binomial Probabilities" (2000); Gauss's continued fraction.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from dpcalc.laws.tilt import gaussian
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import logarithm
from dpcalc.worst.datasets import Datasets
from dpcalc.worst.ranges import Ripple

_MOST_REPEATS = 200  # k up to which sums of k terms are quick
_MOST_EPSILON = 600.0  # lambda is a float
_LEAST_Q, _LEAST_GAP = 1e-200, 2e-9  # of b and 1 - a, and of a - b: far from where digits end

_SMALL = [math.lgamma(n + 1) - (n + 0.5) * math.log(n) + n - math.log(2 * math.pi) / 2 for n in range(1, 16)]
_TINY = 1e-300
_MOVES = 50
_STEPS, _NEAR = 60, 0.03  # of Newton's method; the square of its last step is nothing beside a width
_ROOM = 0.9  # of the way to the local epsilon that a step goes at most
_FLOAT = 1e-10  # so near to the local epsilon it ends
_LIGHT = 1e-40  # a chance that is left out
_NEARLY_ALL = 0.999  # of the mean: a count so far below it is next to 0
_WIDE = 10_000  # the variance of the reports of ones, up to which their law is listed
_STEEP, _LAST = 0.7, 1e-17  # the ratio of chances below which they are summed, up to one that is no digit
_MOST_TERMS = 5_000  # of the continued fraction; next to the mean of a wide pool it would take more

#: The chance of a 1, and of a 0.
_Chances: TypeAlias = tuple[float, float]


def serves(datasets: Datasets, epsilon: float) -> bool:
    """Whether ``log_odds`` is quick and keeps its digits."""
    b, _, c, gap = _chances(datasets)
    return epsilon < _MOST_EPSILON and datasets.k <= _MOST_REPEATS and min(b, c) > _LEAST_Q and gap > _LEAST_GAP


def _chances(datasets: Datasets) -> tuple[float, float, float, float]:
    """b, a, 1 - a and a - b, each with all its digits."""
    (b, b_unit), (a, a_unit) = (x.as_integer_ratio() for x in datasets.own)
    return b / b_unit, a / a_unit, (a_unit - a) / a_unit, (a * b_unit - b * a_unit) / (a_unit * b_unit)


def log_odds(datasets: Datasets, limit: Limit, ones: int = 0) -> float:
    """The log of delta / (1 - delta) of the dataset with so many ones, the event likelier with the changed record 0;
    about.
    """
    delta = _stretch(datasets, limit.steer(), ones).delta(limit.steer())
    return math.log(delta) - math.log1p(-delta) if 0 < delta < 1 else -math.inf if delta <= 0 else math.inf


def about(datasets: Datasets, target: Fraction) -> float:
    """The epsilon at which the same delta is the target, by a normal law of the count and its skewness."""
    epsilon, count = gaussian(datasets.spread, logarithm(target)), datasets.k * datasets.others
    b, a, c, gap = _chances(datasets)
    x, rest = (b, 1 - b) if b * (1 - b) <= a * c else (a, c)  # the chance of the others at the worse end
    far = epsilon / datasets.spread  # standard deviations from the mean to where the laws differ by it
    variance = count * x * rest
    below = far * math.sqrt(variance) - (far * far - 1) * (rest - x) / 6
    if not 0 < below < _NEARLY_ALL * count * x:
        return epsilon
    less = below / count / (x * (rest + below / count))  # 1 - y, for the tilt y under which the mean is so far below
    return datasets.k * math.log1p(gap * less / (c + a * (1 - less)))


def crossing(datasets: Datasets, target: Fraction, ones: int, epsilon: float, rtol: float) -> tuple[float, float]:
    """Where the same delta is the target, far nearer than a width, from an epsilon near by, and by which share delta
    falls there for a share of it; zeros where that is not found.

    By Newton's method for the square root of -log delta, which is nearly straight, to the stretch on which it crosses.
    """
    near, goal, local = _NEAR * math.sqrt(rtol), math.sqrt(-logarithm(target)), datasets.largest_loss
    level, (_, (rare, rest), few) = target.numerator / target.denominator, _kinds(datasets, ones)
    wide = few * rare * rest > _WIDE  # a law of so many reports takes long to list
    if wide or level < sys.float_info.min:  # too faint for doubles
        return 0.0, 0.0
    for _ in range(_STEPS):
        if not serves(datasets, epsilon):
            break
        stretch = _stretch(datasets, epsilon, ones)
        delta = stretch.delta(epsilon)
        if not (0 < delta < 1 and stretch.falls > 0):
            break
        rise = (stretch.start - level) / stretch.falls
        if rise <= 0 and stretch.least <= 1:  # it is no larger at epsilon = 0
            break
        if rise > 0 and stretch.least <= 1 + rise <= stretch.most:
            epsilon = math.log1p(rise)
            return epsilon, stretch.steep(epsilon, level)
        root = math.sqrt(-math.log(delta))
        step, room = 2 * root * (goal - root) * epsilon / stretch.steep(epsilon, delta), _ROOM * (local - epsilon)
        epsilon += min(max(step, -epsilon / 2), room)
        if abs(step) < near * min(epsilon, room) or room < _FLOAT * epsilon:
            return epsilon, stretch.steep(epsilon, delta)
    return 0.0, 0.0


@dataclass(frozen=True, slots=True)
class _Stretch:
    """delta as long as the two laws differ by lambda at the same t: ``start`` - (lambda - 1) ``falls``.

    Attributes:
        start, falls: A_t - B_t and B_t.
        least, most: the lambda from which on it is so, and up to which.
    """

    start: float
    falls: float
    least: float
    most: float

    def delta(self, epsilon: float) -> float:
        """delta at an epsilon."""
        return self.start - math.expm1(epsilon) * self.falls

    def steep(self, epsilon: float, delta: float) -> float:
        """By which share delta falls for a share of epsilon."""
        return math.exp(epsilon) * self.falls * epsilon / delta


_NOTHING = _Stretch(0.0, 0.0, 0.0, 0.0)


def _stretch(datasets: Datasets, epsilon: float, ones: int) -> _Stretch:
    """The stretch of delta at an epsilon; 0 from about the local epsilon on."""
    k, (x, rest), rare, few = datasets.k, *_kinds(datasets, ones)
    total = k * datasets.others - few
    if epsilon >= datasets.largest_loss:
        return _NOTHING
    one, zero = _tilted(datasets, epsilon)
    first, own = _own(datasets, rare, few)
    odds, most = rest / x, total + len(own[0]) - 1
    t = math.floor(k * ((datasets.others - ones) * zero + ones * one + (one + zero) / 2)) - first
    t = min(max(0, t), most)
    at_most, pmf = _lower_tail(total, x, rest, min(t, total))
    here, lam, after = _sums(total, odds, own, t, at_most, pmf), math.exp(epsilon), (0.0, 0.0, 0.0, 0.0)
    for _ in range(_MOVES):
        if here[2] < lam * here[3] and t:
            if t <= total:
                at_most, pmf = max(at_most - pmf, 0.0), pmf * t * odds / (total - t + 1)
            t -= 1
            here = _sums(total, odds, own, t, at_most, pmf)
            continue
        above = (at_most, pmf)
        if t < total:
            grown = pmf * (total - t) / ((t + 1) * odds)
            above = (at_most + grown, grown)
        after = _sums(total, odds, own, t + 1, *above)
        if after[2] <= lam * after[3]:
            break
        t, here, (at_most, pmf) = t + 1, after, above
    until = here[2] / here[3] if here[3] else math.inf
    return _Stretch(here[0] - here[1], here[1], after[2] / (after[3] or 1.0), until)


def _kinds(datasets: Datasets, ones: int) -> tuple[_Chances, _Chances, int]:
    """The chances of a report of the bit that most of the others hold, and of the other bit, and how many those are."""
    b, a, c, _ = _chances(datasets)
    zeros = datasets.others - ones
    if ones <= zeros:
        return (b, 1 - b), (a, c), datasets.k * ones
    return (a, c), (b, 1 - b), datasets.k * zeros


def _tilted(datasets: Datasets, epsilon: float) -> tuple[float, float]:
    """The tilted chances of a 1, of reports of a 1 and of a 0, where B(y)^k = lambda A(y)^k."""
    b, a, c, gap = _chances(datasets)
    rise = math.expm1(epsilon / datasets.k)
    y = 1.0 if rise <= _TINY * gap else max(gap / rise - c, 0.0) / (gap / rise + a)
    return a * y / (c + a * y), b * y / (1 - b + b * y)


def _own(datasets: Datasets, rare: _Chances, count: int) -> tuple[int, tuple[list[float], list[float]]]:
    """The laws of the changed record's reports with ``count`` rarer ones, under P_0 and P_1; the first place."""
    (b, a, c, _), (p, q), k = _chances(datasets), rare, datasets.k
    zero, changed = ([math.comb(k, j) * x**j * y ** (k - j) for j in range(k + 1)] for x, y in ((b, 1 - b), (a, c)))
    if not count:
        return 0, (zero, changed)
    top = min(int((count + 1) * p), count)
    pmf, first, last = [_pmf(count, p, q, top)], top, top
    while first and (fallen := pmf[0] * first * q / ((count - first + 1) * p)) > _LIGHT:
        pmf.insert(0, fallen)
        first -= 1
    while last < count and (fallen := pmf[-1] * (count - last) * p / ((last + 1) * q)) > _LIGHT:
        pmf.append(fallen)
        last += 1
    mixed = [0.0] * (len(pmf) + k), [0.0] * (len(pmf) + k)
    for i, x in enumerate(pmf):
        for j in range(k + 1):
            mixed[0][i + j] += x * zero[j]
            mixed[1][i + j] += x * changed[j]
    return first, mixed


def worst_ones(datasets: Datasets, epsilon: float) -> int:
    """The m of the largest delta, about: that of ``worse_end``; for k = 1 few ones may show more than zeros."""
    end = worse_end(datasets, epsilon)
    if end or datasets.k != 1 or not serves(datasets, epsilon) or not 0 < epsilon < datasets.largest_loss:
        return end
    return Ripple(*_tilted(datasets, epsilon), datasets.others).highest()


def worse_end(datasets: Datasets, epsilon: float) -> int:
    """0 or all ones: where delta is larger, about. A report more adds minus the divergence of its coin, tilted from
    untilted, to log delta.
    """
    if len(datasets.ways) == 1 or epsilon > _MOST_EPSILON:  # of symmetric bits it is zeros
        return 0
    (one, zero), (b, a, c, _) = _tilted(datasets, epsilon), _chances(datasets)
    if not 0 < zero < one < 1:
        return 0
    of_one, of_zero = _deviance(one, a) + _deviance(1 - one, c), _deviance(zero, b) + _deviance(1 - zero, 1 - b)
    return datasets.others if of_one < of_zero else 0


def _sums(
    total: int, odds: float, own: tuple[list[float], list[float]], t: int, at_most: float, pmf: float
) -> tuple[float, float, float, float]:
    """A_t and B_t, P_0(S = t) and P_1(S = t), from P[X <= i] and P[X = i] for i = min(t, N)."""
    a = b = likely = unlikely = 0.0
    for i, zero, one in zip(range(t, -1, -1), *own, strict=False):
        a += zero * at_most
        b += one * at_most
        if i <= total:
            likely += zero * pmf
            unlikely += one * pmf
            at_most, pmf = max(at_most - pmf, 0.0), pmf * i * odds / (total - i + 1)
    return a, b, likely, unlikely


def _lower_tail(n: int, q: float, p: float, t: int) -> tuple[float, float]:
    """P[Bin(n, q) <= t] and P[Bin(n, q) = t], p = 1 - q with all its digits."""
    pmf = _pmf(n, q, p, t)
    if t == n:
        return 1.0, pmf
    if t < (n + 1) * q:
        return pmf * _tail(n, q, p, t), pmf
    return 1 - _pmf(n, p, q, n - t - 1) * _tail(n, p, q, n - t - 1), pmf


def _pmf(n: int, q: float, p: float, t: int) -> float:
    """P[Bin(n, q) = t], p = 1 - q with all its digits."""
    if t in (0, n):
        same, other = (p, q) if t == 0 else (q, p)
        return math.exp(n * (math.log(same) if same < 0.5 else math.log1p(-other)))
    exponent = _stirling(n) - _stirling(t) - _stirling(n - t) - _deviance(t, n * q) - _deviance(n - t, n * p)
    return math.exp(exponent) * math.sqrt(n / (2 * math.pi * t * (n - t)))


def _stirling(n: int) -> float:
    """The error of Stirling's formula for log n!."""
    return _SMALL[n - 1] if n < 16 else (1 / 12 - (1 / 360 - (1 / 1260 - 1 / 1680 / n**2) / n**2) / n**2) / n


def _deviance(x: float, y: float) -> float:
    """x log(x/y) + y - x, with all its digits where x is near y."""
    if abs(x - y) >= 0.1 * (x + y):
        return x * math.log(x / y) + y - x
    v = (x - y) / (x + y)
    total, term, j = (x - y) * v, 2 * x * v, 1
    while True:
        term *= v * v
        more = total + term / (2 * j + 1)
        if more == total:
            return total
        total, j = more, j + 1


def _tail(n: int, q: float, p: float, t: int) -> float:
    """P[X <= t] / P[X = t] for t below the mean of Bin(n, q)."""
    odds, c, spread = p / q, n - t + 1, math.sqrt(n * q * p) + 0.5
    if t * odds < _STEEP * c:  # the chances themselves fall so fast that few are left
        total = term = 1.0
        for i in range(t, 0, -1):
            term *= i * odds / (n - i + 1)
            total += term
            if term < _LAST * total:
                break
        return total
    z = max((n * q - t) / spread, 0.02)
    terms, value = min(t, int(1 / (1 / (8 + 360 / z**2) + 1 / (3 * spread + 6))) + 3), 1.0
    if terms > _MOST_TERMS:
        return _edgeworth(n, q, p, t) / _pmf(n, q, p, t)
    for m in range(terms, 0, -1):
        value = 1 + m * (c + t + m - 1) * odds / ((c + 2 * m - 2) * (c + 2 * m - 1) * value)
        if c + 2 * m > 3:
            value = 1 - (t - m + 1) * (c + m - 2) * odds / ((c + 2 * m - 3) * (c + 2 * m - 2) * value)
    return 1 / value


def _edgeworth(n: int, q: float, p: float, t: int) -> float:
    """P[X <= t] next to the mean, to about the third power of 1 / the standard deviation.

    By Fourier's inversion of a whole-numbered sum it is the expansion at t + 1/2 of cumulants that u / (2 sin(u/2))
    changes: by -1/12 and 1/120.
    """
    spread = n * q * p
    deviation = math.sqrt(spread - 1 / 12)
    x, skewness = (t + 0.5 - n * q) / deviation, spread * (p - q) / deviation**3
    excess = (spread * (1 - 6 * q * p) + 1 / 120) / deviation**4
    second = excess * (x**3 - 3 * x) / 24 + skewness**2 * (x**5 - 10 * x**3 + 15 * x) / 72
    density = math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
    return math.erfc(-x / math.sqrt(2)) / 2 - density * (skewness * (x * x - 1) / 6 + second)
