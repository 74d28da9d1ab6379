r"""Identical records of L bits: the ratio of an outcome, from how many reports have l bits set.

D holds n copies of x = 1...1; in D' one of them is changed to the opposite vector x' = 0...0. (For other x, and x' at
Hamming distance L, flip the bits where x is 0; for x' at distance d < L the bits that agree tell nothing: take the
other d as records of d bits.) A report with l bits set has the likelihood ratio

    w = P[R(x') = y] / P[R(x) = y] = rho^{L - 2l},    rho = p/q,

so the histogram (s_0, ..., s_L) of the N = k n pooled reports by number of set bits carries all the information, and

    R = P[A(D') = s] / P[A(D) = s] = e_k(w_1, ..., w_N) / C(N, k),    e_k = [z^k] prod_l (1 + rho^{L-2l} z)^{s_l},

the mean of the products of k of the likelihood ratios. By Maclaurin's inequality R <= (mean of w)^k. Under D, every w
has mean 1 and E w^2 = (1/(pq) - 3)^L, so that E R = 1 and, by the overlap j of two samples of k reports,

    Var R = sum_j C(k, j) C(N - k, k - j) / C(N, k) ((E w^2)^j - 1).

Source: K16, (6.7)-(6.10) for k = 1, (5.9) for L = 1, (8.8) for one outcome.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from math import comb
from operator import mul

from flint import fmpz_poly

from dpcalc.errors import DomainError, TooLarge
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.rational import integer

__all__ = [
    "bit_histogram",
    "check_terms",
    "likelihood_mean",
    "likelihoods",
    "maclaurin",
    "powers",
    "second_moment",
    "variance",
]

_MAX_TERMS = 5_000  # of e_k, times the bits: each is a rational of about 2 k L log2(1/q) bits


def bit_histogram(mechanism: KRandomization, s: object) -> tuple[int, ...]:
    """The histogram (s_0, ..., s_L) of the reports by number of set bits.

    Raises:
        DomainError: not L + 1 whole numbers >= 0 that sum to k n.

    >>> bit_histogram(KRandomization(n=3, q="0.2", bits=2), (1, 0, 2))
    (1, 0, 2)
    """
    allowed = f"{mechanism.bits + 1} counts (s_0, ..., s_{mechanism.bits}) that sum to {mechanism.reports:,}"
    if not isinstance(s, Sequence) or isinstance(s, str) or len(s) != mechanism.bits + 1:
        raise DomainError("s", s, allowed)
    counts = tuple(integer(count, "s", minimum=0) for count in s)
    if sum(counts) != mechanism.reports:
        raise DomainError("s", s, allowed)
    return counts


def check_terms(mechanism: KRandomization) -> None:
    """Refuse a ratio of too many terms.

    Raises:
        TooLarge: k L > 5,000.
    """
    size = mechanism.k * mechanism.bits
    if size > _MAX_TERMS:
        raise TooLarge(
            "the exact ratio of an outcome", size=size, limit=_MAX_TERMS, unit="terms (k bits)", instead="dpcalc.delta"
        )


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
    product = reduce(lambda a, b: fmpz_poly((a * b).coeffs()[: k + 1]), map(fmpz_poly, factors))
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
    total, a, b = n * k, moment.numerator, moment.denominator
    least = max(0, 2 * k - total)
    ways = comb(k, least) * comb(total - k, k - least)
    mean, power = 0, b ** (k - least)  # E (E w^2)^j times b^k C(N, k), highest power of a last
    terms = []
    for j in range(least, k + 1):
        terms.append(ways * power)
        ways = ways * (k - j) ** 2 // ((j + 1) * (total - 2 * k + j + 1))
        power //= b
    for term in reversed(terms):
        mean = mean * a + term
    return Fraction(mean * a**least, comb(total, k) * b**k) - 1
