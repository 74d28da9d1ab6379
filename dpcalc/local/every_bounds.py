r"""Bounds of the ratios in the windows of all datasets at once, without dataset and outcome.

With gamma = (p - q)/sqrt(p q N), N = k n, which is 1/(k sigma), every R in the window of its dataset is at most

    prod_{0 <= j < k} 1/(1 - z gamma + j gamma^2)       any z                        one side
    prod_{1 <= j <= k} 1/(1 - z gamma + j gamma^2)      z - k gamma >= sqrt 2

and every R and 1/R at most

    prod_{0 <= j < k} 1/(1 - z gamma - j gamma^2)       z >= sqrt 2                  two sides
    prod_{1 <= j <= k} 1/(1 - z gamma - j gamma^2)      any z

where all factors are positive (proof notes, L4); and always (p/q)^k. Weakening each factor gives the closed forms
(``local.closed``).

``bound_from`` is sharper for datasets with many ones (L6): it falls with the number of ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import reduce

from flint import arb

from dpcalc.local.bounds import Bound, gamma
from dpcalc.local.pooled_ratio import root
from dpcalc.local.windows import Windows
from dpcalc.numbers.ball import ball


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
