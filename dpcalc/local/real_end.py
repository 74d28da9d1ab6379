r"""The notes' bound at the real end of the window, for all records 1: R itself, no outcome.

Of the N = k n pooled reports let m = N - s be 0. With rho = p/q, 0 < q < 1/2 and x^(j) = x (x - 1) ... (x - j + 1),

    R_m(q) = rho^{-k} sum_j C(k, j) m^(j) / N^(j) (rho^2 - 1)^j,                                              (1)

which is (5.9), the mean of rho^{2i - k} over the number i of zeros among k of the reports, as E C(i, j) = C(k, j)
m^(j) / N^(j). At a real m each factor m - i of m^(j) is taken as max(0, m - i): every term then grows with m, and is
unchanged at whole m (proof notes, L8). So R at q N + z sqrt(p q N) is at least R at every whole outcome of the window,
and R at q N - z sqrt(p q N) at most: the bound covers all of them. Clipped to [0, N], R or 1/R is (p/q)^k.

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

Source: K16, (4.33)-(4.45), (5.9), (5.14)-(5.17).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from flint import arb, arb_poly, arb_series, ctx

from dpcalc.numbers.ball import ball, enclosure_of, union, working_precision
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.privacy.ratio import ratio_at

_T = TypeVar("_T", arb, arb_series)

_ORDER = 16  # of Taylor's formula in gamma; 2 where k gamma
_SHORT = 0.01  # varies less than this
_NEAR, _FAR = 6, 12  # over ranges (2) alone serves up to k gamma = 6, both up to 12, and (1) alone beyond
_STRIDE = 8  # terms between two looks at whether the sum may stop


@dataclass(frozen=True, slots=True, kw_only=True)
class RealEnd:
    """R at the real end of the window with the most zeros and, for two sides, 1/R at the other; and a limit.

    Attributes:
        total: N.
        k: reports per record.
        sigmas: z.
        sides: 1 or 2.
        limit: lambda > 1.
        bits: precision of the balls.
    """

    total: int
    k: int
    sigmas: Fraction
    sides: int
    limit: Limit
    bits: int

    def holds(self, low: Fraction, high: Fraction) -> bool:
        """Whether all are proven to be at most lambda for all q in [low, high]."""
        with working_precision(self.bits):
            limit = self.limit.ball()
            return all(bool(x <= limit) for side in self._ends for x in self._over(low, high, side))

    def fails(self, low: Fraction, high: Fraction) -> bool:
        """Whether one is proven to be larger than lambda for all q in [low, high]."""
        with working_precision(self.bits):
            limit = self.limit.ball()
            return any(all(bool(x > limit) for x in self._over(low, high, side)) for side in self._ends)

    def value(self, q: Fraction) -> Enclosure:
        """The larger one, at q."""
        with working_precision(self.bits):
            found = [enclosure_of(self._over(q, q, side)[0]) for side in self._ends]
        return Enclosure(max(end.lower for end in found), max(end.upper for end in found))

    def fails_inside(self, low: Fraction, high: Fraction) -> bool:
        """Whether 1/R > lambda at the outcome of the window with the fewest zeros, for all q in [low, high].

        If the window is at least 1 wide, that outcome has at most one zero more than the real end, which may not be
        clipped: 1/R is at least what it is there.
        """
        z2, total = self.sigmas**2, self.total
        if 4 * z2 * low * (1 - low) * total < 1 or low * total < z2 * (1 - low):
            return False
        with working_precision(self.bits):
            return bool(self.limit.ball() * self._ratio(low, high, -1, inward=1) < 1)

    @property
    def _ends(self) -> tuple[int, ...]:
        """1 for the end with the most zeros, -1 for that with the fewest."""
        return (1, -1)[: self.sides]

    def _over(self, low: Fraction, high: Fraction, side: int) -> list[arb]:
        """R or 1/R where the end is clipped, and where it is not."""
        z2, found = self.sigmas**2, list[arb]()
        turn = (self.total if side > 0 else z2) / (self.total + z2)  # from here on, or up to here, it is
        clipped = (max(low, turn), high) if side > 0 else (low, min(high, turn))
        within = (low, min(high, turn)) if side > 0 else (max(low, turn), high)
        if clipped[0] <= clipped[1]:
            found.append((1 / union(*clipped) - 1) ** self.k)
        if within[0] <= within[1]:
            ratio = self._ratio(*within, side)
            found.append(ratio if side > 0 else 1 / ratio)
        return found

    def _ratio(self, low: Fraction, high: Fraction, side: int, inward: int = 0) -> arb:
        """R at the end, or 1 further in; m is at ``low`` the least and at ``high`` the most (7.6)."""
        total, k, z = self.total, self.k, ball(self.sigmas)
        zeros = [ball(q) * total + side * (z * _deviation(total, q) - inward) for q in (low, high)]

        def clipped() -> arb:
            return ratio_at(total, k, total - zeros[0].union(zeros[1]), union(low, high))

        if not zeros[0] >= k - 1:
            return clipped()

        def by_gamma(gamma: arb_series) -> arb_series:
            further = (gamma * gamma + arb(4) / total).sqrt() if inward else 0 * gamma  # 1/(p q N) = gamma^2 + 4/N
            return _near_mean(total, k, gamma, side * (z - further))

        most, least = ((1 - 2 * ball(q)) / _deviation(total, q) for q in (low, high))
        found = []
        if k * most <= _FAR:
            found.append(by_taylor(by_gamma, least, most, 2 if k * (most - least) < _SHORT else _ORDER))
        if k * most > _NEAR:
            found.append(clipped())
        return min(found, key=lambda x: float(x.rad()) if x.is_finite() else math.inf)  # all are right


def _deviation(total: int, q: Fraction) -> arb:
    """sqrt(p q N)."""
    return ball(q * (1 - q) * total).sqrt()


def by_taylor(function: Callable[[arb_series], arb_series], low: arb, high: arb, order: int) -> arb:
    """A function over [low, high], by Taylor's formula at the middle; where it is monotone, from its ends."""
    x = low.union(high)
    middle = arb(x.mid())
    local, rest = function(arb_series([middle, 1], prec=order)), function(arb_series([x, 1], prec=order + 1))
    polynomial = arb_poly([*(local[i] for i in range(order)), rest[order]])
    rise = polynomial.derivative()(x - middle)
    if rise >= 0 or rise <= 0:
        return polynomial(low - middle).union(polynomial(high - middle))
    return polynomial(x - middle)


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
