r"""Bounds by a formula: products and closed forms, which need no dataset and no outcome, and the variance of the ratio.

*Products.* With gamma = (p - q)/sqrt(p q N), N = k n, which is 1/(k sigma), every R in the window of its dataset is at
most

    prod_{0 <= j < k} 1/(1 - z gamma + j gamma^2)       any z                        one side
    prod_{1 <= j <= k} 1/(1 - z gamma + j gamma^2)      z - k gamma >= sqrt 2

and every R and 1/R at most

    prod_{0 <= j < k} 1/(1 - z gamma - j gamma^2)       z >= sqrt 2                  two sides
    prod_{1 <= j <= k} 1/(1 - z gamma - j gamma^2)      any z

where all factors are positive (proof notes, L4); and always (p/q)^k. ``bound_from`` is
sharper for datasets with many ones (L6): it falls with the number of ones.

*Closed forms.* Of L bits gamma is sqrt((E w^2 - 1)/(k n)) with E w^2 = (1/(pq) - 3)^L. With h = 1 - lambda^{-1/k} the
limit is kept while gamma is at most

    all records 1    (lambda^{1/k} - 1)/z                R <= (1 + z gamma)^k                               one side
                     h/z                                 1/R <= 1/(1 - z gamma)                   two sides, k = 1
    every dataset    h/z                                 R <= (1 - z gamma)^-k                              one side
                     2 h/(z + sqrt(z^2 + 4 c h))         max(R, 1/R) <= (1 - z gamma - c gamma^2)^-k       two sides

where c = k - 1 if z >= sqrt 2, else k: each factor of a product is weakened (proof notes, L5).
E w^2 = 1 + x where pq/(p - q)^2 = v = 1/((1 + x)^{1/L} - 1), at q = (1 - 1/sqrt(1 + 4 v))/2.

*The variance.* Every likelihood ratio w of identical records (``privacy.ratio``) has mean 1 under D, so that E R = 1
and E R^2 = E (E w^2)^J with J the overlap of two samples of k reports. E C(J, j) = C(k, j)^2 / C(N, j), so that with
x = E w^2 - 1

    Var R = sum_{j >= 1} C(k, j)^2 / C(N, j) x^j,

a polynomial without negative coefficients; term j + 1 is x (k - j)^2 / ((j + 1)(N - j)) times term j.

Source: K16, (4.33)-(4.45), (5.14)-(5.24); section 6.1.2 for k = 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import TypeVar

from flint import arb

from dpcalc.local.bounds import HALF, Bound, gamma
from dpcalc.local.pooled_ratio import root
from dpcalc.local.windows import Windows
from dpcalc.numbers import elementary
from dpcalc.numbers.ball import ball, bits_for
from dpcalc.numbers.elementary import FINE, sqrt
from dpcalc.numbers.enclosure import MAX_SHOWN, Enclosure
from dpcalc.numbers.search import last_where

_INFINITE = arb("inf")

_Number = TypeVar("_Number", Fraction, arb)


def spread(q: Fraction, bits: int) -> arb:
    """E w^2 - 1."""
    return (bits * ball(1 / (q * (1 - q)) - 4).log1p()).expm1()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedBound(Bound):
    """The closed form; for all records 1 unless ``every`` dataset is asked for. ``rtol`` only sets the balls' bits."""

    every: bool = False

    def over(self, low: Fraction, high: Fraction) -> arb:
        """It at ``low``: it falls as q grows."""
        gamma = (spread(low, self.length) / self.total).sqrt()
        if self._rises:
            return (1 + ball(self.sigmas) * gamma) ** self.k
        factor = 1 - gamma * (ball(self.sigmas) + self._square * gamma)
        return factor**-self.k if factor > 0 else _INFINITE

    @property
    def width(self) -> Fraction:
        """Where the bound is the inverse of 1 - z gamma, that is as small as lambda^{-1/k}, and to stay positive."""
        return FINE if self._rises else FINE / self.limit.root(self.k).upper

    def gamma(self) -> Enclosure:
        """The gamma up to which the limit is kept."""
        one = self.limit.root(self.k, self.width / self.k**2)
        h, z = one - 1 if self._rises else (one - 1) / one, self.sigmas
        whole = 4 * self._square * h + z**2
        ends = sqrt(whole.lower, self.width).lower, sqrt(whole.upper, self.width).upper
        return 2 * h / (Enclosure(*ends) + z)

    def ends(self) -> tuple[Fraction, Fraction]:
        """Around the q of that gamma."""
        gamma, width = self.gamma(), self.width
        least, most = (_q_at(self.total * end**2, self.length, width) for end in (gamma.upper, gamma.lower))
        q = Enclosure(least.lower, most.upper).outward(min(bits_for(width) // 2, MAX_SHOWN))
        return q.lower, q.upper

    @property
    def _rises(self) -> bool:
        return self.sides == 1 and not self.every

    @property
    def _square(self) -> int:
        """c."""
        if self.sides == 1 or not self.every:
            return 0
        return self.k - 1 if self.sigmas**2 >= 2 else self.k


def _q_at(spread: Fraction, bits: int, rtol: Fraction) -> Enclosure:
    """The q at which E w^2 = 1 + spread."""
    one = elementary.root(1 + spread, bits, rtol=rtol * min(Fraction(1), spread) / (2 * bits))
    ends = []
    for v in (1 / (one.upper - 1), 1 / (one.lower - 1)):
        s = sqrt(1 + 4 * v, rtol=rtol * min(Fraction(1), v))
        ends += [(1 - 1 / s.lower) / 2, (1 - 1 / s.upper) / 2]
    return Enclosure(ends[0], ends[-1])


def variance(n: int, k: int, x: _Number) -> _Number:
    """Var R for E w^2 = 1 + x.

    >>> variance(10, 1, Fraction(40, 9)) == Fraction(40, 9) / 10
    True
    """
    tail = 1 + 0 * x
    for j in range(k - 1, 0, -1):
        tail = 1 + tail * x * (k - j) ** 2 / ((j + 1) * (n * k - j))
    return x * k / n * tail


class VarianceBound(Bound):
    """1 + z sqrt(Var R) or, for two sides, 1/(1 - z sqrt(Var R)): E w^2 and all else falls as q grows."""

    __slots__ = ()

    def over(self, low: Fraction, high: Fraction) -> arb:
        """Its value at ``low``."""
        reach = ball(self.sigmas) * variance(self.total // self.k, self.k, spread(low, self.length)).sqrt()
        if self.sides == 1:
            return 1 + reach
        return _INFINITE if reach >= 1 else 1 / (1 - reach)

    @property
    def width(self) -> Fraction:
        """For two sides 1 - z sqrt(Var R), as small as 1/lambda, is to stay positive at the lower end."""
        if self.sides == 1:
            return self.rtol / 2
        reports = (self.k * self.length) ** 2 * max(Fraction(1), self.sigmas)
        return min(self.rtol / 2, 1 / (16 * self.limit.ends.upper * reports))

    @property
    def top(self) -> Fraction:
        """The least power of two at which the limit is kept, and so from there on."""

        def kept(halvings: int) -> bool:
            q = Fraction(1, 1 << halvings)
            return q == HALF or self.holds(q, q)

        return Fraction(1, 1 << last_where(kept, 1, math.inf, near=1))


class ProductBound(Bound):
    """The smallest of the products that are proven, and (p/q)^k."""

    __slots__ = ()

    def over(self, low: Fraction, high: Fraction) -> arb:
        """It, for all q in [low, high]."""
        return 1 / reduce(arb.max, self._inverses(low, high))

    def _inverses(self, low: Fraction, high: Fraction) -> list[arb]:
        """The products of the factors that bound 1/R for all q in [low, high]."""
        k, z = self.k, ball(self.sigmas)
        most, least = (gamma(self.total, q) for q in (low, high))
        classical = ball(low / (1 - low)) ** k
        if self.sides == 2:
            first = 0 if self.sigmas**2 >= 2 else 1
            return [classical, _product(1 - most * (z + j * most) for j in range(first, first + k))]
        firsts = (0, 1) if z - k * most >= arb(2).sqrt() else (0,)
        return [classical, *(self._one_side(range(i, i + k), least, most) for i in firsts)]

    def _one_side(self, js: range, least: arb, most: arb) -> arb:
        """The product of 1 - z gamma + j gamma^2 over [least, most]: it falls while the mean factor does, and
        the first factor, the least, is above 0 on all of it where it is at ``most``.
        """
        square = most if (js[0] + js[-1]) * most <= ball(self.sigmas) else least
        return _product(1 - ball(self.sigmas) * most + j * square**2 for j in js)


def _product(factors: Iterable[arb]) -> arb:
    """Of factors that are all positive, else 0."""
    found = arb(1)
    for factor in factors:
        if not factor > 0:
            return arb(0)
        found *= factor
    return found


def bound_from(windows: Windows, first: int, low: Fraction, high: Fraction) -> arb:
    """What R is not above in the windows of all datasets with ``first`` ones or more, for all q in [low, high].

    With i = k c - j for j < k, the window gives X_i <= r and X_{i-1} <= r' (L4). Then u_i is at most the least of: the
    root u of i (u - 1) + (N - i)(1 - 1/u) = r; 1/(1 - r'/N), where r' >= sqrt 2 gamma N; and the root of
    (i - 1)(u - 1) + (N - i + 1)(1 - 1/u) = r' + (i - 1) C, or the larger u with (u - 1)^2/u = C if that is more, with
    C = (1 + U^2) gamma^2 for any bound U of u_i.
    """
    total, k, z = windows.total, windows.k, ball(windows.sigmas)
    most, least = (gamma(total, q) for q in (low, high))
    found = arb(1)
    for j in range(k):
        i, shift = k * first - j, k * windows.neighbour - j
        here, before = (total * most * z + total * x * (most if x > 0 else least) ** 2 for x in (shift, shift - 1))
        bound = root(i, total - i, here).max(arb(1))
        if z + (shift - 1) * (most if shift < 1 else least) >= arb(2).sqrt() and before < total:
            bound = bound.min(1 / (1 - before / total))
        spread = (1 + bound**2) * most**2
        turn = 1 + (spread + (spread * (spread + 4)).sqrt()) / 2
        found *= bound.min(turn.max(root(i - 1, total - i + 1, before + (i - 1) * spread)))
    return found
