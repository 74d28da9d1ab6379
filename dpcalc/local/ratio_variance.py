r"""The variance of the ratio R of identical records (``privacy.ratio``) under D.

Every likelihood ratio w has mean 1 and E w^2 = (1/(pq) - 3)^L, so that E R = 1 and E R^2 = E (E w^2)^J with J the
overlap of two samples of k reports. E C(J, j) = C(k, j)^2 / C(N, j), so that with x = E w^2 - 1

    Var R = sum_{j >= 1} C(k, j)^2 / C(N, j) x^j,

a polynomial without negative coefficients; term j + 1 is x (k - j)^2 / ((j + 1)(N - j)) times term j.

Source: K16, section 6.1.2 for k = 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from dpcalc.local.every_bounds import Bound
from dpcalc.numbers.ball import ball

_INFINITE = arb("inf")


def second_moment(q: Fraction, bits: int) -> Fraction:
    """E w^2 = (1/(pq) - 3)^L under D.

    >>> second_moment(Fraction(1, 4), 2)
    Fraction(49, 9)
    """
    moment: Fraction = (1 / (q * (1 - q)) - 3) ** bits
    return moment


def variance(n: int, k: int, moment: Fraction) -> Fraction:
    """Var R for E w^2 = ``moment``, exactly.

    >>> variance(10, 1, Fraction(49, 9)) == Fraction(40, 9) / 10
    True
    """
    tail = Fraction(1)
    for j in range(k - 1, 0, -1):
        tail = 1 + tail * (moment - 1) * Fraction((k - j) ** 2, (j + 1) * (n * k - j))
    return (moment - 1) * k / n * tail


def variance_ball(n: int, k: int, x: arb) -> arb:
    """Var R for E w^2 = 1 + x."""
    tail = arb(1)
    for j in range(k - 1, 0, -1):
        tail = 1 + tail * x * (k - j) ** 2 / ((j + 1) * (n * k - j))
    return x * k / n * tail


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceBound(Bound):
    """1 + z sqrt(Var R) or, for two sides, 1/(1 - z sqrt(Var R)): E w^2 and all else falls as q grows.

    Attributes:
        length: L.
    """

    length: int

    def over(self, low: Fraction, high: Fraction) -> arb:
        """Its value at ``low``."""
        x = (self.length * ball(1 / (low * (1 - low)) - 4).log1p()).expm1()
        reach = ball(self.sigmas) * variance_ball(self.total // self.k, self.k, x).sqrt()
        if self.sides == 1:
            return 1 + reach
        return _INFINITE if reach >= 1 else 1 / (1 - reach)
