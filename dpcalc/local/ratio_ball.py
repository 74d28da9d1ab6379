r"""The ratio R in ball arithmetic as q varies, every record 1: at an outcome, and at the end of the 3-sigma window.

Of the N = k n pooled reports let m = N - s be 0. With rho = p/q, 0 < q < 1/2 and x^(j) = x (x - 1) ... (x - j + 1),

    R_m(q) = rho^{-k} sum_j C(k, j) m^(j) / N^(j) (rho^2 - 1)^j,                                              (1)

which is (5.9), the mean of rho^{2i - k} over the number i of zeros among k of the reports, as E C(i, j) = C(k, j)
m^(j) / N^(j). As a function of t = log rho it has the slope

    dR/dt = 2 k (m/N) rho R' - k R,      R' the ratio of N - 1 reports, m - 1 of them 0, and k - 1.

Near the mean. If m = q N + zeta sqrt(p q N) and gamma = (p - q)/sqrt(p q N), then R = sum_j c_j, c_0 = 1,

    c_{j+1} = gamma N (k - j) / ((N - j)(j + 1)) ((zeta - j gamma) c_j - (k - j + 1) gamma c_{j-1}).           (2)

For a likelihood ratio is 1 + d, with d = b = (p - q)/q for a zero, d = -a = -(p - q)/p for a one; C(N, j) c_j / C(k, j)
is the coefficient of y^j in f = (1 + b y)^m (1 - a y)^s, and (1 + b y)(1 - a y) f' = (b m - a s - a b N y) f, where
b - a = a b = N gamma^2 and b m - a s = N gamma zeta.

At the end of the window zeta is z, so that R is a polynomial in gamma, about exp(z k gamma - (k gamma)^2 / 2): what
makes R large and what makes it small as q varies have cancelled, and a few ranges of q reach from 1/2 to the answer.
Where k gamma is large, digits cancel in (2) too, and (1) is taken.

The sum (2) stops early. For numbers, or power series with the norm |x| = sum_i |x_i| g^i, products are at most as long
as the product of the lengths; with N (k - j)/(N - j) <= k therefore |c_{j+1}| <= A_j max(|c_j|, |c_{j-1}|),
A_j = k |gamma| (|zeta| + (k + 1) |gamma|) / (j + 1). From A_j <= 1/2 on, all later terms together are at most
2 max(|c_j|, |c_{j-1}|).

Source: K16, (5.9), (5.14)-(5.17).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

from flint import arb, arb_poly, arb_series, ctx

from dpcalc.numbers.ball import ball, union
from dpcalc.pairs.likelihood import ratio_at

_T = TypeVar("_T", arb, arb_series)

_ORDER = 16  # of Taylor's formula in gamma; 2 where k gamma
_SHORT = 0.01  # varies less than this
_NEAR, _FAR = 6, 12  # over ranges (2) alone serves up to k gamma = 6, both up to 12, and (1) alone beyond
_STRIDE = 8  # terms between two looks at whether the sum may stop


def ratio(total: int, k: int, zeros: int, q: arb) -> arb:
    """R of ``total`` = N reports, so many of them 0."""
    deviation = _deviation(total, q)
    gamma, zeta = (1 - 2 * q) / deviation, (zeros - q * total) / deviation
    if 16 * _pace(k, gamma, zeta) <= k:  # (2) stops early
        return _near_mean(total, k, gamma, zeta)
    return ratio_at(total, k, arb(total - zeros), q)


def slope(total: int, k: int, zeros: int, q: arb) -> arb:
    """dR/dt, t = log(p/q)."""
    falling = k * ratio(total, k, zeros, q)
    if zeros == 0:
        return -falling
    return 2 * k * zeros * (1 / q - 1) * ratio(total - 1, k - 1, zeros - 1, q) / total - falling


def end_ratio(total: int, k: int, sigmas: Fraction, side: int, low: Fraction, high: Fraction, inward: int) -> arb:
    """R at the real end of the window, or ``inward`` = 1 further in, over low <= q <= high.

    The end with the most zeros has ``side`` 1, that with the fewest -1.
    """
    z = ball(sigmas)
    most, least = ((1 - 2 * q) / _deviation(total, q) for q in (ball(low), ball(high)))

    def by_gamma(gamma: arb_series) -> arb_series:
        further = (gamma * gamma + arb(4) / total).sqrt() if inward else 0 * gamma  # 1/(p q N) = gamma^2 + 4/N
        return _near_mean(total, k, gamma, side * (z - further))

    found = []
    if k * most <= _FAR:
        found.append(_over(by_gamma, least, most, 2 if k * (most - least) < _SHORT else _ORDER))
    if k * most > _NEAR:
        q = union(low, high)
        found.append(ratio_at(total, k, (1 - q) * total - side * (z * _deviation(total, q) - inward), q))
    return min(found, key=lambda x: float(x.rad()) if x.is_finite() else math.inf)  # all are right


def _over(function: Callable[[arb_series], arb_series], low: arb, high: arb, order: int) -> arb:
    """A function over [low, high], by Taylor's formula at the middle; where it is monotone, from its ends."""
    x = low.union(high)
    middle = arb(x.mid())
    local, rest = function(arb_series([middle, 1], prec=order)), function(arb_series([x, 1], prec=order + 1))
    polynomial = arb_poly([*(local[i] for i in range(order)), rest[order]])
    rise = polynomial.derivative()(x - middle)
    if rise >= 0 or rise <= 0:
        return polynomial(low - middle).union(polynomial(high - middle))
    return polynomial(x - middle)


def _deviation(total: int, q: arb) -> arb:
    """sqrt(p q N)."""
    return (q * (1 - q) * total).sqrt()


def _near_mean(total: int, k: int, gamma: _T, zeta: _T) -> _T:
    """The sum (2), of numbers or of power series."""
    pace, negligible = _pace(k, gamma, zeta), arb(2) ** -ctx.prec
    before, term = 0 * gamma, 1 + 0 * gamma
    found = term
    for j in range(k):
        weight = arb(total * (k - j)) / ((total - j) * (j + 1))
        before, term = term, weight * gamma * ((zeta - j * gamma) * term - (k - j + 1) * gamma * before)
        found += term
        if j % _STRIDE == 0 and 2 * pace <= j + 1:
            later = 2 * _norm(before, gamma).max(_norm(term, gamma))
            if later < negligible:
                return found + _within(later, gamma)
    return found


def _pace(k: int, gamma: _T, zeta: _T) -> arb:
    """(j + 1) A_j."""
    g = _norm(gamma, gamma)
    return k * g * (_norm(zeta, gamma) + (k + 1) * g)


def _norm(x: _T, gamma: _T) -> arb:
    """The sum of |x_i| g^i, with g a bound of the first term of gamma."""
    if isinstance(x, arb):
        return x.abs_upper()
    g = gamma[0].abs_upper()
    return sum((coefficient.abs_upper() * g**i for i, coefficient in enumerate(x.coeffs())), arb(0)).abs_upper()


def _within(norm: arb, gamma: _T) -> _T:
    """All x of at most this norm."""
    rest = arb(0, norm)
    if isinstance(gamma, arb):
        return rest
    g = gamma[0].abs_upper()
    return arb_series([rest / g**i for i in range(gamma.prec)], prec=gamma.prec)
