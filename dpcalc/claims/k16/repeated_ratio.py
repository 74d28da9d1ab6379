"""K16, section 5.3: the ratio of an outcome of k randomizations, and its bound."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction as F
from itertools import product
from math import comb, factorial, prod

from sympy import Expr, Poly, Rational, binomial, sympify

from dpcalc import symbolic
from dpcalc.claims.checking import all_of, exhausted, named, restricted, unpacked
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.k16.forms import (
    QS,
    choose,
    for_repeats,
    observed,
    p,
    triples,
)
from dpcalc.mechanisms.response import KRandomization
from dpcalc.privacy.ratio import ratio, ratio_bound
from dpcalc.symbolic import k, n, q, s

__all__ = ["ledger"]

ledger = Ledger("K16")


@ledger.claim("5.6", where="(5.6), section 5.3", says="With all records 1, P(S = s) = C(kn, s) p^s q^(kn-s).")
def _binomial() -> Finding:
    """kn independent reports, each 1 with probability p. The check adds up all patterns of lies."""
    return exhausted(
        _outcomes(),
        lambda case: observed(case[0], 0, case[2], case[1])[case[3]] == _law_of_ones(*case),
        over=_ENUMERATED, shown=("C(kn, s) p^s q^(kn-s)", "P(s | D), enumerated"), proven=True,
    )  # fmt: skip


_ENUMERATED = "n, k = 1..6 with kn <= 6, q in {1/10, 1/4, 2/5}, every s"


def _law_of_ones(n: int, k: int, q: F, s: int) -> F:
    return comb(k * n, s) * (1 - q) ** s * q ** (k * n - s)


@ledger.claim(
    "5.7",
    where="(5.7), section 5.3",
    says="With one record changed to 0, P(S = s) = "
    "sum over i of C(k(n-1), s-i) p^(s-i) q^(k(n-1)-s+i) C(k, i) p^(k-i) q^i.",
)
def _convolution() -> Finding:
    """Of the s ones i come from the changed record, all of them lies, and s - i from the k(n - 1)
    reports of the others.

    The check adds up all patterns of lies.
    """
    return exhausted(
        _outcomes(),
        lambda case: _law_changed(*case) == sum(_others(*case, i) * _own(*case, i) for i in _part(*case)),
        over=_ENUMERATED, shown=("sum over i of others times own", "P(s | D_m), enumerated"), proven=True,
    )  # fmt: skip


def _law_changed(n: int, k: int, q: F, s: int) -> F:
    return observed(n - 1, 1, q, k)[s]


def _part(n: int, k: int, q: F, s: int) -> Iterator[int]:
    """The i whose binomial coefficients are not 0."""
    return (i for i in range(k + 1) if 0 <= s - i <= k * (n - 1))


def _others(n: int, k: int, q: F, s: int, i: int) -> F:
    return comb(k * (n - 1), s - i) * (1 - q) ** (s - i) * q ** (k * (n - 1) - s + i)


def _own(n: int, k: int, q: F, s: int, i: int) -> F:
    return comb(k, i) * (1 - q) ** (k - i) * q**i


@ledger.claim(
    "5.8",
    where="(5.8), section 5.3",
    says="(5.7) = sum over i of C(k(n-1), s-i) C(k, i) p^(s+k-2i) q^(kn-s-(k-2i)).",
)
def _collected() -> Finding:
    """p^(s-i) p^(k-i) = p^(s+k-2i) and q^(k(n-1)-s+i) q^i = q^(kn-s-(k-2i))."""
    return exhausted(
        _outcomes(),
        lambda case: _law_changed(*case) == sum(_joint(*case, i) for i in _part(*case)),
        over=_ENUMERATED, shown=("p^(s+k-2i) q^(kn-s-(k-2i))", "P(s | D_m), enumerated"), proven=True,
    )  # fmt: skip


def _joint(n: int, k: int, q: F, s: int, i: int) -> F:
    ways = comb(k * (n - 1), s - i) * comb(k, i)
    return ways * (1 - q) ** (s + k - 2 * i) * q ** (k * n - s - (k - 2 * i))


@ledger.claim(
    "5.9",
    where="(5.9), section 5.3",
    says="R_s = sum over i of C(k(n-1), s-i) C(k, i)/C(kn, s) (p/q)^(k-2i).",
)
def _ratio() -> Finding:
    """(5.8) over (5.6): the powers leave p^(k-2i)/q^(k-2i).

    The check divides enumerated probabilities, and compares the closed form in falling factorials
    and the exact ratio.
    """
    closed = {
        (records, repeats, lie): Poly(symbolic.ratio(repeats).subs({n: records, q: Rational(lie)}), s)
        for records, repeats, lie in {case[:3] for case in _outcomes()}
    }
    return exhausted(
        _outcomes(),
        lambda case: (
            _law_changed(*case) / observed(case[0], 0, case[2], case[1])[case[3]]
            == _ratio_said(*case)
            == ratio(KRandomization(n=case[0], k=case[1], q=case[2]), case[3])
            == closed[case[:3]].eval(case[3])
        ),
        over=_ENUMERATED,
        shown=("sum of C(k(n-1), s-i) C(k, i)/C(kn, s) (p/q)^(k-2i)", "P(s | D_m)/P(s | D), enumerated"),
        proven=True,
    )


def _ratio_said(n: int, k: int, q: F, s: int) -> F:
    odds = (1 - q) / q
    return sum((choose(k * (n - 1), s - i) * comb(k, i) * odds ** (k - 2 * i) for i in range(k + 1)), F(0)) / comb(
        k * n, s
    )


@ledger.claim(
    "5.10",
    where="(5.10), section 5.3",
    says="C(k(n-1), s-i)/C(kn, s) = (kn-k)!/(kn)! s!/(s-i)! (kn-s)!/(kn-s-(k-i))! "
    "= prod_{j<i} (s-j) prod_{j<k-i} (kn-s-j) / prod_{j<k} (kn-j).",
)
def _quotient() -> Finding:
    """C(kn-k, s-i) = (kn-k)!/((s-i)! (kn-s-(k-i))!), times s! (kn-s)!/(kn)!; each quotient of
    factorials is a falling product. Where s < i or kn - s < k - i the left side and the products
    are 0 and the factorials have no meaning. The capital S of the products printed is s.
    """
    return exhausted(
        _terms(),
        lambda case: _left(*case) == _falling(*case) == _factorials(*case),
        over="n, k = 1..4, every s and i", shown=("three members are equal", "they are"), proven=True,
    )  # fmt: skip


def _left(n: int, k: int, s: int, i: int) -> F:
    return F(choose(k * (n - 1), s - i), comb(k * n, s))


def _falling(n: int, k: int, s: int, i: int) -> F:
    return F(
        prod(s - j for j in range(i)) * prod(k * n - s - j for j in range(k - i)), prod(k * n - j for j in range(k))
    )


def _factorials(n: int, k: int, s: int, i: int) -> F:
    if s < i or k * n - s < k - i:
        return F(0)
    return (
        F(factorial(k * n - k), factorial(k * n))
        * F(factorial(s), factorial(s - i))
        * F(factorial(k * n - s), factorial(k * n - s - (k - i)))
    )


def _terms() -> Iterator[tuple[int, int, int, int]]:
    """(n, k, s, i)."""
    return ((n, k, s, i) for n, k in product(range(1, 5), repeat=2) for s in range(k * n + 1) for i in range(k + 1))


@ledger.claim(
    "5.11",
    where="(5.11), section 5.3",
    says="For positive A, B, e with A < B, (A - e)/(B - e) < A/B.",
    script="""
        from fractions import Fraction as F
        A, B, e = 1, 2, 3
        assert F(A - e, B - e) == 2 > F(A, B)
    """,
)
def _shrinking() -> Finding:
    """For e > B it is the other way round.

    A/B - (A - e)/(B - e) = e (B - A)/(B (B - e)), which is positive exactly for e < B
    (undefined at e = B).

    It is used with e = j < k <= kn = B, where it holds.
    """
    halves = [F(j, 2) for j in range(1, 9)]
    return restricted(
        ((a, b, e) for a, b, e in product(halves, repeat=3) if a < b and e != b),
        said=unpacked(lambda a, b, e: (a - e) / (b - e) < a / b),
        where=unpacked(lambda a, b, e: e < b),
        over="e < B",
        sharp=True,
        shown=("all positive e", "e < B; > for e > B"),
        show=named("A, B, e"),
    )


@ledger.claim(
    "5.12",
    where="(5.12), section 5.3",
    says="prod_{j<i} (s-j) prod_{j<k-i} (kn-s-j) / prod_{j<k} (kn-j) < s^i (kn-s)^(k-i)/(kn)^k.",
    script="""
        from fractions import Fraction as F
        n, k, s, i = 1, 2, 1, 1
        assert F(s * (k * n - s), k * n * (k * n - 1)) == F(1, 2)
        assert F(1, 2) > F(s**i * (k * n - s) ** (k - i), (k * n) ** k) == F(1, 4)
    """,
)
def _termwise() -> Finding:
    """For 0 < i < k the left side can be larger, as the factors do not pair up with the same j.

    (5.11) puts (s-j)/(kn-j) below s/(kn), but only for a numerator and a denominator with the
    same j.

    For 0 < i < k both products of the numerator start at j = 0 and the denominator runs on to
    j = k - 1: for k = 2 and i = 1

        s (kn-s)/(kn (kn-1)) > s (kn-s)/(kn)^2.

    For i = 0 and i = k it holds, with "=" for k = 1 and at s = 0, kn. What it is used for, (5.13),
    is true: Maclaurin's inequality bounds the sum, not its terms. The check reads "<" as "<=".
    """
    larger = [case for case in _terms() if _falling(*case) > _power_term(*case)]
    predicted = all((n, 2, s, 1) in larger for n in range(1, 5) for s in range(1, 2 * n))
    if not larger or not predicted or any(i in (0, k) for _, k, _, i in larger):
        return Finding(ruling=Ruling.HOLDS, said="every term is bounded", over="n, k = 1..4", witness=str(larger))
    n, k, s, i = first = larger[0]
    return Finding(
        ruling=Ruling.REFUTED,
        said="every term is bounded",
        exact=f"not for 0 < i < k: {len(larger)} terms with n, k <= 4 are larger",
        witness=f"n = {n}, k = {k}, s = {s}, i = {i}: {_falling(*first)} > {_power_term(*first)}",
    )


def _power_term(n: int, k: int, s: int, i: int) -> F:
    return F(s**i * (k * n - s) ** (k - i), (k * n) ** k)


@ledger.claim(
    "5.13",
    where="(5.13), section 5.3",
    says="R_s < sum over i of (s/(kn))^i (1 - s/(kn))^(k-i) C(k, i) (p/q)^(k-2i).",
    script="""
        from fractions import Fraction as F
        from math import comb
        ways = lambda n, k, s, i: F(comb(k * n - k, s - i) if s >= i else 0, comb(k * n, s)) * comb(k, i)  # (5.9)
        mixed = lambda n, k, s, i: F(s, k * n) ** i * (1 - F(s, k * n)) ** (k - i) * comb(k, i)
        total = lambda term, n, k, s: sum(term(n, k, s, i) * F(3) ** (k - 2 * i) for i in range(k + 1))  # p/q = 3
        assert all(total(ways, *at) == total(mixed, *at) for at in [(3, 1, 1), (3, 1, 2), (2, 2, 0), (2, 2, 4)])
    """,
)
def _maclaurin() -> Finding:
    """It is an equality for k = 1, s = 0 and s = kn.

    True with <=, by Maclaurin's inequality and not by (5.12).

    Let N = kn and w_1, ..., w_N be the odds of the reports: q/p for each of the s ones, p/q for
    each 0. In (5.9) C(N-k, s-i) C(k, i)/C(N, s) = C(s, i) C(N-s, k-i)/C(N, k): both are the chance
    that k of the N reports, drawn without replacement, hold i ones. So R_s is the mean of the
    products of k of the w over all k-subsets, and the bound is a power by the binomial theorem:

        R_s = e_k(w)/C(N, k),    bound = (s/N q/p + (1 - s/N) p/q)^k = (mean of w)^k.

    e_k(w)/C(N, k) <= (mean w)^k: among all w >= 0 with the same sum some w maximizes e_k, and
    e_k > 0 there. Were w_1 != w_2, put their mean in both places: in e_k = w_1 w_2 X + (w_1 + w_2)
    Y + Z, with X = e_(k-2), Y, Z of the others, only the product w_1 w_2 changes, and it grows;
    X > 0 for k >= 2, as k weights are positive. So e_k would grow. At the maximum all w are equal,
    where e_k = C(N, k) (mean w)^k.

    Equality holds exactly for k = 1 and where all w are equal, s = 0 and s = kn.
    """
    closed = for_repeats(_bound_said, symbolic.ratio_bound(), "sum of C(k, i) (s/(kn))^i ...")
    strict = restricted(
        ((n, k, q, s) for n, k, q in triples(5, 4) for s in range(k * n + 1)),
        said=unpacked(_below_bound),
        where=unpacked(lambda n, k, q, s: k >= 2 and 0 < s < k * n),
        over="k >= 2 and 0 < s < kn; <= always",
        shown=("R_s < (mean of w)^k", "<=; = for k = 1, s = 0, s = kn"),
        sharp=True,
        show=named("n, k, q, s"),
    )
    return all_of(closed, strict)


def _bound_said(repeats: int) -> Expr:
    share = s / (k * n)
    return sympify(
        sum(
            share**i
            * (1 - share) ** (repeats - i)
            * binomial(repeats, i)
            * p ** (repeats - 2 * i)
            / q ** (repeats - 2 * i)
            for i in range(repeats + 1)
        )
    )


def _below_bound(n: int, k: int, q: F, s: int) -> bool:
    mechanism = KRandomization(n=n, k=k, q=q)
    exact, bound = ratio(mechanism, s), ratio_bound(mechanism, s)
    if exact > bound:
        raise ArithmeticError(f"Maclaurin's inequality fails at {mechanism}, s = {s}")
    return exact < bound


# --- helpers ------------------------------------------------------------------------------------------------------


def _outcomes() -> Iterator[tuple[int, int, F, int]]:
    """(n, k, q, s) with few enough reports to enumerate."""
    sizes = ((n, k) for n, k in product(range(1, 7), repeat=2) if n * k <= 6)
    return ((n, k, q, s) for n, k in sizes for q in QS for s in range(k * n + 1))
