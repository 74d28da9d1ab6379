r"""The variance of the ratio R of identical records (``privacy.ratio``) under D.

Every likelihood ratio w has mean 1 and E w^2 = (1/(pq) - 3)^L, so that E R = 1 and E R^2 = E (E w^2)^J with J the
overlap of two samples of k reports. E C(J, j) = C(k, j)^2 / C(N, j), so that with x = E w^2 - 1

    Var R = sum_{j >= 1} C(k, j)^2 / C(N, j) x^j,

a polynomial without negative coefficients; term j + 1 is x (k - j)^2 / ((j + 1)(N - j)) times term j.

Source: K16, section 6.1.2 for k = 1.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dpcalc.numbers.ball import ball, refine
from dpcalc.numbers.enclosure import Enclosure


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


def variance_enclosure(n: int, k: int, excess: Fraction, rtol: Fraction) -> Enclosure:
    """Var R for E w^2 = 1 + ``excess``, to relative width ``rtol``.

    >>> print(variance_enclosure(10, 1, Fraction(40, 9), Fraction(1, 10**20)))
    0.44444444444444444...
    """

    def evaluate() -> arb:
        x, tail = ball(excess), arb(1)
        for j in range(k - 1, 0, -1):
            tail = 1 + tail * x * (k - j) ** 2 / ((j + 1) * (n * k - j))
        return x * k / n * tail

    return refine(evaluate, rtol=rtol)
