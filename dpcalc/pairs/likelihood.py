r"""Identical records of L bits: the ratio of an outcome, from how many reports have l bits set.

D holds n copies of x = 1...1; in D' one of them is changed to the opposite vector x' = 0...0. (For other x, and x' at
Hamming distance L, flip the bits where x is 0; for x' at distance d < L the bits that agree tell nothing: take the
other d as records of d bits.) A report with l bits set has the likelihood ratio

    w = P[R(x') = y] / P[R(x) = y] = rho^{L - 2l},    rho = p/q,

so the histogram (s_0, ..., s_L) of the N = k n pooled reports by number of set bits carries all the information, and

    R = P[A(D') = s] / P[A(D) = s] = e_k(w_1, ..., w_N) / C(N, k),    e_k = [z^k] prod_l (1 + rho^{L-2l} z)^{s_l},

the mean of the products of k of the likelihood ratios. By Maclaurin's inequality R <= (mean of w)^k.

Source: K16, (6.7)-(6.10) for k = 1, (5.9) for L = 1, (8.8) for one outcome.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from math import comb
from operator import mul

from flint import arb, fmpz_poly

from dpcalc.errors import Undecided
from dpcalc.numbers.ball import ball, decide
from dpcalc.numbers.limit import Limit

_DECIDED = 256  # bits up to which a ratio is compared by balls


def likelihoods(q: Fraction, bits: int) -> tuple[list[int], int]:
    """The likelihood ratios rho^{L-2l} for l = 0, ..., L as integers over one denominator.

    With q = u/D and v = D - u they are v^{2(L-l)} u^{2l} / (u v)^L.

    >>> likelihoods(Fraction(1, 4), 1)
    ([9, 1], 3)
    """
    u, v = q.numerator, q.denominator - q.numerator
    return [v ** (2 * (bits - ones)) * u ** (2 * ones) for ones in range(bits + 1)], (u * v) ** bits


def likelihood_mean(q: Fraction, k: int, histogram: Sequence[int]) -> Fraction:
    """R = e_k / C(N, k), exactly, in O(L k^2) or less.

    >>> likelihood_mean(Fraction(1, 4), 1, (1, 0, 1)) == Fraction(9 + Fraction(1, 9)) / 2
    True
    """
    weights, denominator = likelihoods(q, len(histogram) - 1)
    factors = [powers(weight, count, k) for weight, count in zip(weights, histogram, strict=True)]
    first = _truncated_product(factors[:-1], k)
    last = factors[-1]
    top = sum(first[k - i] * last[i] for i in range(max(0, k + 1 - len(first)), min(k + 1, len(last))))
    return Fraction(top, comb(sum(histogram), k) * denominator**k)


def powers(weight: int, count: int, k: int) -> list[int]:
    """The coefficients of (1 + weight z)^count up to z^k.

    >>> powers(3, 2, 5), powers(3, 2, 1)
    ([1, 6, 9], [1, 6])
    """
    row, ways, power = [1], 1, 1
    for i in range(min(count, k)):
        ways, power = ways * (count - i) // (i + 1), power * weight
        row.append(ways * power)
    return row


def _truncated_product(factors: Sequence[list[int]], k: int) -> list[int]:
    if len(factors) == 1:
        return factors[0]
    product = reduce(lambda a, b: a.mul_low(b, k + 1), map(fmpz_poly, factors))
    return list(map(int, product.coeffs()))


def maclaurin(q: Fraction, k: int, histogram: Sequence[int]) -> Fraction:
    """(mean of w)^k, at least R.

    >>> maclaurin(Fraction(1, 4), 2, (1, 1))
    Fraction(25, 9)
    """
    weights, denominator = likelihoods(q, len(histogram) - 1)
    mean = Fraction(sum(map(mul, weights, histogram)), denominator * sum(histogram))
    bound: Fraction = mean**k
    return bound


def ratio_within(total: int, k: int, s: int, q: Fraction, limit: Limit, *, reciprocal: bool) -> bool | None:
    """Whether R_s, or 1/R_s, is at most lambda, by balls; None where they do not tell, as where the two are equal."""

    def spare() -> arb:
        at_s = ratio_at(total, k, arb(s), ball(q))
        return limit.ball() * at_s - 1 if reciprocal else limit.ball() - at_s

    try:
        return decide(spare, cap=_DECIDED)
    except Undecided:
        return None


def ratio_at(total: int, k: int, s: arb, q: arb) -> arb:
    """R_s for balls s and q: rho^k sum_j C(k, j) (m^(j) / N^(j)) (1 - r)^j r^{k-j}, m = N - s, r = 1/rho^2.

    Of k reports drawn, i zeros have the likelihood ratio rho and the others 1/rho: R = E rho^{2i - k}, which is
    rho^k E r^{k-i}, and r^{k-i} = sum_j C(i, j) (1 - r)^j r^{k-j} with E C(i, j) = C(k, j) m^(j) / N^(j). All terms are
    positive. At a real s a negative factor m - i of m^(j) is taken as 0 (proof notes, L8).
    """
    odds, chances = 1 / q - 1, [arb(1)]
    rest = odds**-2
    for j in range(k):
        chances.append(chances[-1] * ((k - j) * (total - s - j).max(arb(0))) / ((j + 1) * (total - j)))
    found, power = arb(0), arb(1)
    for chance in reversed(chances):
        found, power = found * (1 - rest) + chance * power, power * rest
    return found * odds**k
