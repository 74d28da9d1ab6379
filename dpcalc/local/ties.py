r"""A ratio that is the limit exactly where its outcome enters or leaves a window: settled by polynomials.

With t = q/p the chance of s ones, of N reports i of which are 1 with probability p, is p^N times the sum over j of
C(i, j) C(N - i, s - j) t^{i+s-2j}. So R <= lambda is F(t) >= 0, and s lies in the window where W(t) <= 0, with rational
polynomials F and W, W of degree 2. If both have a factor G, F = G F_1 and W = G W_1, and F_1 W_1 < 0 on a range, then
F W = G^2 F_1 W_1 <= 0 there: F >= 0 where W < 0, and where W = 0, G = 0 and F = 0. If W is a square, the window only
touches s, at one t, and there F is 0 if G has a root at all (proof notes, L10).
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from flint import arb_poly, fmpq, fmpq_poly

from dpcalc.local.windows import Windows
from dpcalc.numbers.ball import bits_for, union, working_precision

_MOST = 4_000  # reports: the polynomials have as many coefficients, of as many bits
_BITS = 128


def tied(windows: Windows, ones: int, outcome: int, lam: Fraction, low: Fraction, high: Fraction) -> bool:
    """Whether R <= lambda is proven for all q in [low, high] at which the outcome lies in the window of a dataset."""
    total, k = windows.total, windows.k
    if total > _MOST:
        return False
    spare = _poly(lam) * _law(total, k * ones, outcome) - _law(total, k * (ones - 1), outcome)
    held = k * (ones - windows.neighbour)
    apart = fmpq_poly([outcome - held, outcome - (total - held)])
    window = apart * apart - _poly(windows.sigmas**2 * total) * fmpq_poly([0, 1])
    common = window.gcd(spare % window)
    if common.degree() < 1:
        return False
    if window.gcd(window.derivative()).degree() == 1:  # a square
        return True
    with working_precision(_BITS + total + bits_for((high - low) / high)):
        t = union(low / (1 - low), high / (1 - high))
        return bool(arb_poly(spare // common)(t) * arb_poly(window // common)(t) < 0)


def _law(total: int, likely: int, outcome: int) -> fmpq_poly:
    """The chance of so many ones over p^N, as a polynomial in t."""
    found = [0] * (total + 1)
    for j in range(max(0, outcome - total + likely), min(likely, outcome) + 1):
        found[likely + outcome - 2 * j] += comb(likely, j) * comb(total - likely, outcome - j)
    return fmpq_poly(found)


def _poly(x: Fraction) -> fmpq_poly:
    return fmpq_poly([fmpq(x.numerator, x.denominator)])
