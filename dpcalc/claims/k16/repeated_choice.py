"""K16, section 5.2: the collection that maximizes the ratio, k randomizations of every record."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import pairwise, product
from math import prod

from sympy import Expr, Poly, Rational

from dpcalc import symbolic
from dpcalc.claims.checking import exhausted, named, repaired, restricted, unpacked
from dpcalc.claims.claim import Finding, Ledger
from dpcalc.claims.k16.forms import (
    QS,
    observed,
    triples,
)
from dpcalc.counts.pmf import coefficients
from dpcalc.mechanisms.pooled_count import log_concavity_in_ones, pmf
from dpcalc.mechanisms.response import KRandomization
from dpcalc.privacy.ratio import ratio
from dpcalc.symbolic import k, m, n, q, x

__all__ = ["ledger"]

ledger = Ledger("K16")


@ledger.claim(
    "s5.2-all-ones",
    where="section 5.2, first sentence",
    says="The collection of ones maximizes the ratio at every observed count.",
    assuming="one record changes from 1 to 0; other collections may have the same ratio",
)
def _all_ones() -> Finding:
    """Repaired; the argument printed does not prove it (s5.2-products).

    Let A_M(s) be the probability of s ones when M of kn single reports have mean p and kn - M have
    mean q. Changing a record moves k of them, so with m ones before the change

        R_s(m) = A_{k(m-1)}(s)/A_{km}(s) = product over M = k(m-1)+1, ..., km of A_{M-1}(s)/A_M(s).

    By Theorem 4.1 for kn single-bit records every factor A_{M-1}(s)/A_M(s) grows, or stays, with M.
    For m + 1 each M is larger by k, so no factor is smaller: R_s(m) <= R_s(m + 1). The check
    verifies the product, the factors and R_s.
    """
    return exhausted(
        ((n, k, q, s) for n, k, q in triples(4, 3) for s in range(k * n + 1)),
        lambda case: _steps_grow(*case) and _rises_in_ones(*case),
        over="n = 1..4, k = 1..3, q in {1/10, 1/4, 2/5}, every s",
        shown=("R_s largest for m = n", "R_s grows with m"),
        proven=True,
    )


def _steps_grow(n: int, k: int, q: F, s: int) -> bool:
    """The one-report ratios grow in M, and k of them multiply to the ratio of a record."""
    laws = [coefficients(q, likely, k * n - likely)[s] for likely in range(k * n + 1)]
    steps = [before / after for before, after in pairwise(laws)]
    mechanism = KRandomization(n=n, q=q, k=k)
    whole = all(prod(steps[k * m : k * (m + 1)]) == ratio(mechanism, s, ones=m) for m in range(n))
    return whole and all(a <= b for a, b in pairwise(steps))


def _rises_in_ones(n: int, k: int, q: F, s: int) -> bool:
    ratios = [ratio(KRandomization(n=n, q=q, k=k), s, ones=others) for others in range(n)]
    return ratios == sorted(ratios)


@ledger.claim(
    "s5.2-Gm",
    where="section 5.2, first display",
    says="G_m = (q + px)^(km) (p + qx)^(k(n-m)) = [(q + px)^m (p + qx)^(n-m)]^k, with kn + 1 coefficients b_j.",
)
def _generating() -> Finding:
    """A report of a 1 has the generating function q + px, of a 0 p + qx; independent reports
    multiply, km and k(n - m) of them. The inner product has degree n, its power kn. The check
    multiplies out and enumerates all patterns of lies.
    """
    return exhausted(
        _small_collections(),
        lambda case: (
            _coefficients(symbolic.generating_function(), *case)
            == _coefficients(((q + (1 - q) * x) ** m * (1 - q + q * x) ** (n - m)) ** k, *case)
            == observed(case[2], case[0] - case[2], QS[1], case[1])
        ),
        over="n = 1..3, k = 1..2, every m, q = 1/4",
        shown=("(q + px)^(km) (p + qx)^(k(n-m)) = [..]^k", "P(s), enumerated"),
        proven=True,
    )


@ledger.claim(
    "s5.2-Gm-1",
    where="section 5.2, second display",
    says="G_(m-1) = [sum over i = 0, ..., kn of a_i^(m-1) x^i]^k = sum over j = 0, ..., kn of b_j^(m-1) x^j.",
    script="""
        n, k, p, q = 1, 2, 3, 1  # m = 1: the collection changed has no ones; weights of p = 3/4, q = 1/4
        inner = [p, q]  # p + qx
        outer = [p * p, 2 * p * q, q * q]  # its square
        assert len(inner) - 1 == n != k * n == len(outer) - 1
    """,
)
def _generating_changed() -> Finding:
    """The inner sum is the expansion of (q + px)^(m-1) (p + qx)^(n-m+1), of degree n: i runs to n,
    as in the display before it, not to kn (harmless if a_i = 0 is understood for i > n).
    """
    return repaired(
        [case for case in _small_collections() if case[2] > 0 and case[1] > 1],
        said=unpacked(lambda n, k, m: k * n),
        repair=unpacked(lambda n, k, m: n),
        true=unpacked(lambda n, k, m: (len(_coefficients(symbolic.generating_function(), n, k, m - 1)) - 1) // k),
        over="n = 1..3, k = 2, every m",
        shown=("i = 0, ..., kn in the inner sum", "i = 0, ..., n"),
        show=named("n, k, m"),
    )


def _coefficients(form: Expr, records: int, repeats: int, ones: int) -> list[F]:
    """Of the powers of x, lowest first, at q = 1/4."""
    inserted = form.subs({q: Rational(1, 4), n: records, k: repeats, m: ones})
    return [F(int(c.p), int(c.q)) for c in reversed(Poly(inserted, x).all_coeffs())]


def _small_collections() -> list[tuple[int, int, int]]:
    """(n, k, m)."""
    return [(n, k, m) for n, k in product(range(1, 4), range(1, 3)) for m in range(n + 1)]


@ledger.claim(
    "s5.2-products",
    where="section 5.2, before (5.5)",
    says="The coefficients b_j are products of the a_i, with the same indices i for m and m - 1.",
    script="""
        from fractions import Fraction as F
        a = (F(1, 4), F(3, 4))  # n = m = 1, q = 1/4: a_0, a_1
        b_1 = sum(a[i] * a[1 - i] for i in (0, 1))  # k = 2
        assert b_1 == F(3, 8) and b_1 not in [u * v for u in a for v in a]
    """,
)
def _products() -> Finding:
    """Each b_j is a sum of such products and not one of them.

    The k-th power of a sum: b_j is the *sum* over all i_1 + ... + i_k = j of the products
    a_(i_1) ... a_(i_k).

    Ratios of sums do not inherit an inequality from the ratios of their terms in this way. The
    conclusion is true all the same (s5.2-all-ones).
    """
    return exhausted(
        ((n, k, j) for n, k in ((1, 2), (2, 2), (2, 3)) for j in range(k * n + 1)),
        unpacked(_is_product),
        over="(n, k) = (1, 2), (2, 2) and (2, 3), every j, q = 1/4",
        shown=("b_j = product of a_i", "b_j = sum of products of a_i"),
        show=named("n, k, j"),
    )


def _is_product(n: int, k: int, j: int) -> bool:
    """Whether b_j is a product of k of the a_i, whichever they are."""
    single = list(pmf(KRandomization(n=n, q=QS[1]), ones=n))
    return pmf(KRandomization(n=n, q=QS[1], k=k), ones=n)[j] in {prod(chosen) for chosen in product(single, repeat=k)}


@ledger.claim(
    "5.5",
    where="(5.5), section 5.2",
    says="b_j^m/b_j^(m+1) > b_j^(m-1)/b_j^m.",
    assuming="0 < m < n; the two ratios of products printed in between are the subject of s5.2-products",
    script="""
        from fractions import Fraction as F
        p, q = F(3, 4), F(1, 4)  # n = 2, k = 2, m = 1; j = 0: all four reports are 0
        b = [p**4, p**2 * q**2, q**4]  # for m - 1, m, m + 1 ones
        assert not b[1] / b[2] > b[0] / b[1]
    """,
)
def _strictly() -> Finding:
    """At j = 0 and j = kn both sides are equal.

    With >= it is s5.2-all-ones. At j = 0 and j = kn both sides are (p/q)^k or (q/p)^k: equal.

    Strict between: with the steps of s5.2-all-ones, A_M^2 - A_{M-1} A_{M+1} = (p^2 - q^2)^2
    (c_{j-1}^2 - c_j c_{j-2}), c the coefficients of a product of kn - 2 factors. For 0 < j < kn,
    c_{j-1} > 0, and the roots being real Newton's inequalities make the bracket positive (at the
    ends c_{-1} = c_{kn-1} = 0). The check compares exact coefficients.
    """
    return restricted(
        ((n, k, q, m, j) for n, k, q in triples(4, 3) for m in range(1, n) for j in range(k * n + 1)),
        said=unpacked(_strict_at),
        where=unpacked(lambda n, k, q, m, j: 0 < j < k * n),
        over="0 < j < kn; equal at j = 0 and j = kn",
        sharp=True,
        shown=("b_j^m/b_j^(m+1) > b_j^(m-1)/b_j^m", "> for 0 < j < kn, = at both ends"),
        show=unpacked(_both_sides),
    )


def _both_sides(n: int, k: int, q: F, m: int, j: int) -> str:
    fewer, same, more = (pmf(KRandomization(n=n, q=q, k=k), ones=ones)[j] for ones in (m - 1, m, m + 1))
    sides = {same / more, fewer / same}
    ending = f"both sides are {sides.pop()}" if len(sides) == 1 else " and ".join(map(str, sides))
    return f"{named('n, k, q, m, j')((n, k, q, m, j))}: {ending}"


def _strict_at(n: int, k: int, q: F, m: int, j: int) -> bool:
    mechanism = KRandomization(n=n, q=q, k=k)
    if not log_concavity_in_ones(mechanism):
        raise ArithmeticError(f"not even >= at {mechanism}")
    fewer, same, more = (pmf(mechanism, ones=ones).weights[j] for ones in (m - 1, m, m + 1))
    return same * same > fewer * more
