r"""delta of the dataset of zeros in floating point: it tells a search where to look, and proves nothing.

All others hold 0, so that X, the sum of their N reports, is Bin(N, q), and with r_j the pmf of k reports of 0

    A_t = P_0(S <= t) = sum_j r_j P[X <= t - j],    B_t = P_1(S <= t) = sum_j r_{k-j} P[X <= t - j],

delta is A_t - lambda B_t at the t where the two laws differ by lambda. The pmf of X is Loader's saddle-point form, its
tail a continued fraction times the pmf: both keep their digits for every N.

Source: C. Loader, "Fast and Accurate Computation of Binomial Probabilities" (2000); Gauss's continued fraction.
"""

from __future__ import annotations

import math
from fractions import Fraction

from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import logarithm
from dpcalc.privacy.datasets import Datasets
from dpcalc.privacy.pair import saddle

__all__ = ["log_odds", "serves"]

_MOST_REPEATS = 200  # k up to which sums of k terms are quick
_MOST_EPSILON = 600.0  # lambda is a float
_LEAST_Q, _MOST_Q = Fraction(1, 10**200), Fraction(1, 2) - Fraction(1, 10**9)  # far from where digits end

_SMALL = [math.lgamma(n + 1) - (n + 0.5) * math.log(n) + n - math.log(2 * math.pi) / 2 for n in range(1, 16)]
_MOVES = 50
_MOST_TERMS = 5_000  # of the continued fraction; next to the mean of a wide pool it would take more


def serves(datasets: Datasets, limit: Limit) -> bool:
    """Whether ``log_odds`` is quick and keeps its digits."""
    return (
        limit.steer() < _MOST_EPSILON
        and datasets.k <= _MOST_REPEATS
        and _LEAST_Q < datasets.q < Fraction(1, 2) - Fraction(1, 10**9)
    )


def log_odds(datasets: Datasets, limit: Limit) -> float:
    """The log of delta / (1 - delta) of the dataset of zeros, the event likelier with the changed record 0; about."""
    q, k, total = float(datasets.q), datasets.k, datasets.k * datasets.others
    epsilon = limit.steer()
    if epsilon >= k * (logarithm(1 - datasets.q) - logarithm(datasets.q)):
        return -math.inf
    y = math.exp(saddle(datasets.q, k, limit))
    likely, unlikely = (a * y / (1 - a + a * y) for a in (1 - q, q))
    own = [math.comb(k, j) * q**j * (1 - q) ** (k - j) for j in range(k + 1)]
    t = max(0, math.floor(total * unlikely + k * (likely + unlikely) / 2))
    cumulative, pmf = _sums(total, q, own, t)
    for _ in range(_MOVES):
        after = _sums(total, q, own, t + 1)
        if pmf[0] < math.exp(epsilon) * pmf[1] and t:
            t -= 1
            cumulative, pmf = _sums(total, q, own, t)
        elif after[1][0] > math.exp(epsilon) * after[1][1]:
            t, (cumulative, pmf) = t + 1, after
        else:
            break
    delta = (cumulative[0] - cumulative[1]) - math.expm1(epsilon) * cumulative[1]
    return math.log(delta) - math.log1p(-delta) if 0 < delta < 1 else -math.inf if delta <= 0 else math.inf


def _sums(total: int, q: float, own: list[float], t: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """(A_t, B_t) and their last terms (P_0(S = t), P_1(S = t))."""
    here = min(t, total)
    f = _pmf(total, q, 1 - q, here)
    if here == total:
        at_most = 1.0
    elif here < (total + 1) * q:
        at_most = f * _tail(total, q, 1 - q, here)
    else:
        zeros = total - here - 1
        at_most = 1 - _pmf(total, 1 - q, q, zeros) * _tail(total, 1 - q, q, zeros)
    odds, k = (1 - q) / q, len(own) - 1
    a = b = likely = unlikely = 0.0
    for j in range(k + 1):
        i = t - j
        if i < 0:
            break
        a += own[j] * at_most
        b += own[k - j] * at_most
        if i <= total:
            likely += own[j] * f
            unlikely += own[k - j] * f
            at_most, f = max(at_most - f, 0.0), f * i * odds / (total - i + 1)
    return (a, b), (likely, unlikely)


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
