"""K16, section 4.2: the generating functions of neighbouring m, and the coefficients of their common factor.

a_i^m is the coefficient of x^i in G_m(x) = (q + p x)^m (p + q x)^(n - m), b_i that in Q(x) = G_m(x) / ((q + p x)(p + q
x)), 0 < m < n.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sympy import Expr, Symbol, expand

from dpcalc.claims.checking import all_of, exhausted, identity
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.k16.forms import QS
from dpcalc.claims.k16.polynomials import ABOVE, B1, B2, GRID, POINT, QUARTIC, B, Case, every_case, generating, read_off
from dpcalc.counts.log_concavity import log_concavity
from dpcalc.counts.pmf import coefficients
from dpcalc.mechanisms.pooled_count import pmf
from dpcalc.symbolic import m, n, p, q, x, z

__all__ = ["ledger"]

ledger = Ledger("K16")

_IN_Q: dict[Symbol, Any] = {q: "1/4", **QUARTIC}


_FACTOR = """
    from fractions import Fraction as F
    from itertools import product
    from math import prod
    q, p, n, m, x = F(1, 4), F(3, 4), 4, 2, 2
    ones = {ones}
    laws = [(q, p)] * ones + [(p, q)] * (n - ones)  # of each record: P(report = 0), P(report = 1)
    true = sum(prod(law[bit] for law, bit in zip(laws, s)) * x ** sum(s) for s in product((0, 1), repeat=n))
    assert (p + q * x) ** ones * (p + q * x) ** (n - ones) != true == (q + p * x) ** ones * (p + q * x) ** (n - ones)
"""


@ledger.claim(
    "4.7",
    where="(4.7), section 4.2.1",
    says="G_(m+1) = (p + q x)^(m+1) (p + q x)^(n-m-1).",
    script=_FACTOR.format(ones="m + 1"),
)
def _first_factor_of_more() -> Finding:
    """The first factor belongs to the ones, (q + p x)^(m+1), as in the display of G_m.

    As printed, the three do not depend on m at all: they are (p + q x)^n.
    """
    return _first_factor(1, "(m+1)", "(n-m-1)")


@ledger.claim(
    "4.8",
    where="(4.8), section 4.2.1",
    says="G_m = (p + q x)^m (p + q x)^(n-m).",
    script=_FACTOR.format(ones="m"),
)
def _first_factor_of_same() -> Finding:
    """The first factor is (q + p x)^m, as in the display of G_m before it."""
    return _first_factor(0, "m", "(n-m)")


@ledger.claim(
    "4.9",
    where="(4.9), section 4.2.1",
    says="G_(m-1) = (p + q x)^(m-1) (p + q x)^(n-m+1).",
    script=_FACTOR.format(ones="m - 1"),
)
def _first_factor_of_fewer() -> Finding:
    """The first factor is (q + p x)^(m-1), as in the display of G_m."""
    return _first_factor(-1, "(m-1)", "(n-m+1)")


@ledger.claim(
    "s4.2-Q",
    where="section 4.2.1, definition of Q(x)",
    says="Q(x) = (p + q x)^(m-1) (p + q x)^(n-m-1), of degree n - 2, is a common factor of the three.",
    script="""
        from fractions import Fraction as F
        q, p, n, m, x = F(1, 4), F(3, 4), 4, 2, 2
        G = (q + p * x) ** m * (p + q * x) ** (n - m)
        said, right = (p + q * x) ** (n - 2), (q + p * x) ** (m - 1) * (p + q * x) ** (n - m - 1)
        assert said * (q + p * x) * (p + q * x) != G == right * (q + p * x) * (p + q * x)  # (4.11)
    """,
)
def _common_factor() -> Finding:
    """The first factor has p and q exchanged: it has to be (q + p x)^(m-1).

    By (4.11) Q is G_m without one factor of either kind: (q + p x)^(m-1) (p + q x)^(n-m-1),
    0 < m < n.
    """
    said, true = (p + q * x) ** (m - 1) * (p + q * x) ** (n - m - 1), generating(m) / ((q + p * x) * (p + q * x))
    return identity(
        said, true, repair=_common(), at=POINT,
        shown=("(p + q x)^(m-1) (p + q x)^(n-m-1)", "(q + p x)^(m-1) (p + q x)^(n-m-1)"),
    )  # fmt: skip


@ledger.claim(
    "4.10",
    where="(4.10), section 4.2.1",
    says="G_(m+1) = Q (q + p x)^2, with coefficients b_i q^2 + 2 q p b_{i-1} + b_{i-2} p^2.",
    assuming="Q repaired as at s4.2-Q; b_j = 0 for j < 0 and j > n - 2",
)
def _product_for_more() -> Finding:
    """The exponents add up to m + 1 and n - m - 1. Only b_{i-2}, b_{i-1} and b_i reach x^i, through
    the coefficients p^2, 2 p q and q^2 of (q + p x)^2; they are read off from (b_{i-2} + b_{i-1}
    x + b_i x^2)(q + p x)^2 at x^2.
    """
    return _product(1, (q + p * x) ** 2, _with_more, "G_(m+1) = Q (q + p x)^2")


@ledger.claim(
    "4.11",
    where="(4.11), section 4.2.1",
    says="G_m = Q (q + p x)(p + q x), with coefficients b_i q p + (q^2 + p^2) b_{i-1} + b_{i-2} q p.",
    assuming="Q repaired as at s4.2-Q; b_j = 0 for j < 0 and j > n - 2",
)
def _product_for_same() -> Finding:
    """As (4.10), with (q + p x)(p + q x) = p q + (p^2 + q^2) x + p q x^2."""
    return _product(0, (q + p * x) * (p + q * x), _with_same, "G_m = Q (q + p x)(p + q x)")


@ledger.claim(
    "4.12",
    where="(4.12), section 4.2.1",
    says="G_(m-1) = Q (p + q x)^2, with coefficients b_i p^2 + 2 q p b_{i-1} + b_{i-2} q^2.",
    assuming="Q repaired as at s4.2-Q; b_j = 0 for j < 0 and j > n - 2",
)
def _product_for_fewer() -> Finding:
    """As (4.10), with (p + q x)^2 = p^2 + 2 p q x + q^2 x^2; the exponents add up to m - 1 and
    n - m + 1.
    """
    return _product(-1, (p + q * x) ** 2, _with_fewer, "G_(m-1) = Q (p + q x)^2")


@ledger.claim(
    "4.13",
    where="(4.13), section 4.2.1",
    says="a_i^(m+1) = b_i q^2 + 2 q p b_{i-1} + b_{i-2} p^2.",
    assuming="Q repaired as at s4.2-Q, 0 < m < n",
)
def _coefficient_for_more() -> Finding:
    """Coefficients of equal polynomials are equal: (4.10). Checked against the law of the pooled
    count.
    """
    return _coefficient(1, _with_more, "b_i q^2 + 2 q p b_{i-1} + b_{i-2} p^2")


@ledger.claim(
    "4.14",
    where="(4.14), section 4.2.1",
    says="a_i^m = b_i q p + (q^2 + p^2) b_{i-1} + b_{i-2} q p.",
    assuming="Q repaired as at s4.2-Q, 0 < m < n",
)
def _coefficient_for_same() -> Finding:
    """Coefficients of equal polynomials are equal: (4.11). Checked against the law of the pooled
    count.
    """
    return _coefficient(0, _with_same, "b_i q p + (q^2 + p^2) b_{i-1} + b_{i-2} q p")


@ledger.claim(
    "4.15",
    where="(4.15), section 4.2.1",
    says="a_i^(m-1) = b_i p^2 + 2 q p b_{i-1} + b_{i-2} q^2.",
    assuming="Q repaired as at s4.2-Q, 0 < m < n",
)
def _coefficient_for_fewer() -> Finding:
    """Coefficients of equal polynomials are equal: (4.12). Checked against the law of the pooled
    count.
    """
    return _coefficient(-1, _with_fewer, "b_i p^2 + 2 q p b_{i-1} + b_{i-2} q^2")


@ledger.claim(
    "s4.2-substituted",
    where="section 4.2.1, after (4.15), first display",
    says="(a_i^m)^2 - a_i^(m-1) a_i^(m+1), written with (4.13) to (4.15).",
)
def _substituted() -> Finding:
    """The product of the two outer coefficients in the other order; the coefficients are read off
    from Q times the quadratic factors, as at (4.10).
    """
    same, fewer, more = (printed(B, B1, B2, p, q) for printed in (_with_same, _with_fewer, _with_more))
    return identity(
        expand(same**2 - more * fewer), _difference(), at=_IN_Q,
        shown=("(4.14)^2 - (4.13) (4.15)", "(a_i^m)^2 - a_i^(m-1) a_i^(m+1)"),
    )  # fmt: skip


@ledger.claim(
    "s4.2-difference",
    where="section 4.2.1, after (4.15), second display",
    says="(a_i^m)^2 - a_i^(m-1) a_i^(m+1) = (p^2 - q^2)^2 (b_i^2 - b_{i+1} b_{i-1}).",
    script="""
        from fractions import Fraction as F
        q, p = F(1, 4), F(3, 4)
        b = {-2: 0, -1: 0, 0: 1, 1: 0}  # n = 2, m = 1: Q(x) = 1
        a = [p * p, q * p, q * q]  # P(s = 0) with 0, 1 and 2 ones: i = 0
        said, right = ((p**2 - q**2) ** 2 * (b[j] ** 2 - b[j + 1] * b[j - 1]) for j in (0, -1))
        assert a[1] ** 2 - a[0] * a[2] == right != said
    """,
)
def _difference_of_squares() -> Finding:
    """The indices are one too high: it is (p^2 - q^2)^2 (b_{i-1}^2 - b_i b_{i-2}).

    The coefficients of (a_i^m)^2 - a_i^(m-1) a_i^(m+1), multiplied out:

        b_i^2 and b_{i-2}^2                    (p q)^2 - p^2 q^2 = 0
        b_i b_{i-1} and b_{i-1} b_{i-2}        2 p q (p^2 + q^2) - 2 p q (p^2 + q^2) = 0
        b_{i-1}^2                              (p^2 + q^2)^2 - 4 p^2 q^2 = (p^2 - q^2)^2
        b_i b_{i-2}                            2 p^2 q^2 - p^4 - q^4 = -(p^2 - q^2)^2

    As p + q = 1, p^2 - q^2 is p - q.
    """
    gap = (p**2 - q**2) ** 2
    return identity(
        expand(gap * (B**2 - ABOVE * B1)), _difference(), repair=expand(gap * (B1**2 - B * B2)), at=_IN_Q,
        shown=("(p^2 - q^2)^2 (b_i^2 - b_{i+1} b_{i-1})", "(p^2 - q^2)^2 (b_{i-1}^2 - b_i b_{i-2})"),
    )  # fmt: skip


@ledger.claim(
    "s4.2-first-factor",
    where="section 4.2.1, before Lemma 1",
    says="The first factor, (p^2 - q^2)^2, is always positive.",
    assuming="0 < q < 1/2",
)
def _gap_is_positive() -> Finding:
    """(p^2 - q^2)^2 = (p - q)^2 (p + q)^2 = (1 - 2q)^2. With q = 1/(2 + t), t > 0, it is
    (t/(2 + t))^2 > 0.
    """
    positive = ((p**2 - q**2) ** 2).subs(q, 1 / (2 + z)).factor().is_positive
    return Finding(ruling=Ruling.PROVEN if positive else Ruling.REFUTED, said="(p^2 - q^2)^2 > 0", exact="(1 - 2 q)^2")


@ledger.claim(
    "s4.2-second-factor",
    where="section 4.2.1, before Lemma 1",
    says="The second factor, b_i^2 - b_{i+1} b_{i-1}, is at least 0.",
    assuming="Q repaired as at s4.2-Q",
)
def _common_factor_is_log_concave() -> Finding:
    """Q(x) = (q + p x)^(m-1) (p + q x)^(n-m-1) is of the form of Lemma 1. It is so for every index,
    hence for the right one, i - 1, as well.
    """
    return exhausted(
        ((lie, ones, zeros) for lie in QS for ones in range(5) for zeros in range(5)),
        lambda case: bool(log_concavity(coefficients(*case))),
        over="Q with up to 4 factors of either kind, q = 1/10, 1/4, 2/5",
        shown=("b_i^2 - b_{i+1} b_{i-1} >= 0", ">= 0 for every i"), proven=True,
    )  # fmt: skip


# --- helpers ------------------------------------------------------------------------------------------------------


def _common() -> Expr:
    """Q(x), repaired."""
    return (q + p * x) ** (m - 1) * (p + q * x) ** (n - m - 1)


def _with_more(b: Any, b1: Any, b2: Any, p: Any, q: Any) -> Any:
    """The coefficient in (4.10) and (4.13); b, b1, b2 are b_i, b_{i-1}, b_{i-2}."""
    return b * q**2 + 2 * q * p * b1 + b2 * p**2


def _with_same(b: Any, b1: Any, b2: Any, p: Any, q: Any) -> Any:
    """The coefficient in (4.11) and (4.14)."""
    return b * q * p + (q**2 + p**2) * b1 + b2 * q * p


def _with_fewer(b: Any, b1: Any, b2: Any, p: Any, q: Any) -> Any:
    """The coefficient in (4.12) and (4.15)."""
    return b * p**2 + 2 * q * p * b1 + b2 * q**2


def _difference() -> Expr:
    """(a_i^m)^2 - a_i^(m-1) a_i^(m+1) in the coefficients of Q, read off."""
    one, zero = q + p * x, p + q * x
    return expand(read_off(one * zero) ** 2 - read_off(zero**2) * read_off(one**2))


def _first_factor(step: int, ones: str, zeros: str) -> Finding:
    """G of m + step ones against the printed product, whose first factor is p + q x."""
    said, right = (first ** (m + step) * (p + q * x) ** (n - m - step) for first in (p + q * x, q + p * x))
    shown = (f"(p + q x)^{ones} (p + q x)^{zeros}", f"(q + p x)^{ones} (p + q x)^{zeros}")
    return identity(said, generating(m + step), repair=right, at=POINT, shown=shown)


def _product(step: int, factor: Expr, printed: Callable[..., Any], said: str) -> Finding:
    """G of m + step ones as Q times the factor, and its coefficient of x^i."""
    shown = (said, "the same, coefficient by coefficient")
    return all_of(
        identity(_common() * factor, generating(m + step), at=POINT, shown=shown),
        identity(expand(printed(B, B1, B2, p, q)), expand(read_off(factor)), at=_IN_Q, shown=shown),
    )


def _coefficient(step: int, printed: Callable[..., Any], said: str) -> Finding:
    """The printed coefficient against the law of the count with m + step ones."""

    def holds(case: Case) -> bool:
        pool, ones, i = case
        b = coefficients(pool.q, ones - 1, pool.n - ones - 1)
        return bool(pmf(pool, ones=ones + step)[i] == printed(b[i], b[i - 1], b[i - 2], pool.p, pool.q))

    return exhausted(
        every_case(up_to=1), holds, over=GRID, shown=(said, "the law of the count"),
        failing=Ruling.CORRECTED, proven=True,
    )  # fmt: skip
