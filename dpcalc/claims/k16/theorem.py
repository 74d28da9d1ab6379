"""K16, section 4.2: the theorem, that the collection of ones maximizes the ratio of every outcome.

a_i^m is the probability of i ones among the reports of n single bits, m of which are 1; R_i = a_i^(m-1)/a_i^m.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

from sympy import expand

from dpcalc.claims.checking import exhausted, restricted
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.k16.polynomials import (
    EQUALITY,
    GRID,
    GROWS,
    Case,
    enumerated,
    every_case,
    generating,
    mechanisms,
    strictly,
)
from dpcalc.counts.pmf import coefficients
from dpcalc.mechanisms.pooled_count import log_concavity_in_ones, pmf
from dpcalc.mechanisms.response import KRandomization
from dpcalc.privacy.ratio import ratio
from dpcalc.symbolic import m, n, p, q, x

__all__ = ["ledger"]

ledger = Ledger("K16")


@ledger.claim(
    "s4.2-wlog",
    where="section 4.2.1, first paragraph",
    says="Without loss of generality the changed record is a 1 that becomes 0, which leaves one 1 fewer.",
    assuming="either change may happen, and the largest ratio over the collections of n records is asked for",
    script="""
        from fractions import Fraction as F
        p, q = F(3, 4), F(1, 4)  # n = 1: the records 0 and 1, P[report 1] = q and p
        from_one_to_zero, from_zero_to_one = q / p, p / q  # the ratio P(s = 1 | D_m)/P(s = 1 | D) of either change
        assert from_zero_to_one > from_one_to_zero
    """,
)
def _mirror() -> Finding:
    """At an outcome i > n/2 the larger ratio is that of a change from 0 to 1, with all records 0.

    Exchange 0 and 1 everywhere: x^n G_m(1/x) = G_(n-m)(x), so that i ones become n - i. The ratio of
    a change from 0 to 1 with m ones among the other records, at i ones, is that of a change from 1
    to 0 with n - 1 - m ones, at n - i ones. So the largest ratio over all i is the same for both
    changes, p/q, and nothing is lost by looking at one of them, as Theorem 4.1 does.

    For a single i something is: by T4.1 the largest ratio of a change from 1 to 0 is r(i) = (n-i)/n
    p/q + i/n q/p, and that of a change from 0 to 1 is r(n - i). As r falls, r(i) is the larger of the
    two exactly for i <= n/2.
    """

    def falling(pool: KRandomization, i: int) -> Fraction:
        return max(ratio(pool, i, ones=others) for others in range(pool.n))

    def rising(pool: KRandomization, i: int) -> Fraction:
        return max(1 / ratio(pool, i, ones=others) for others in range(pool.n))

    for pool in mechanisms():
        outcomes = range(pool.n + 1)
        mirrored = all(rising(pool, i) == falling(pool, pool.n - i) for i in outcomes)
        if not mirrored or max(falling(pool, i) for i in outcomes) != pool.p / pool.q:
            raise ArithmeticError(f"exchanging 0 and 1 does not exchange the changes for {pool}")
    return restricted(
        ((pool, i) for pool in mechanisms() for i in range(pool.n + 1)),
        lambda case: falling(*case) >= rising(*case), lambda case: 2 * case[1] <= case[0].n, sharp=True,
        over="the largest ratio over all i, and that of every i <= n/2",
        shown=("a 1 becomes 0", "for i > n/2 all records 0, a 0 becomes 1"),
        show=lambda case: f"n = {case[0].n}, q = {case[0].q}, i = {case[1]}: {falling(*case)} if a 1 becomes 0, "
        f"{rising(*case)} if a 0 becomes 1",
    )  # fmt: skip


@ledger.claim(
    "s4.2-ratio",
    where="section 4.2.1, definition of R_i",
    says="R_i = P(s = i | D_m) / P(s = i | D), with one 1 fewer in D_m than in D.",
)
def _ratio() -> Finding:
    """With m ones in D it is a_i^(m-1) / a_i^m: both are sums of positive products, so R_i is defined
    for 0 <= i <= n.

    Checked against the sum over all reports.
    """

    def holds(case: Case) -> bool:
        pool, ones, i = case
        changed, original = (enumerated(pool, ones - less)[i] for less in (1, 0))
        return changed / original == ratio(pool, i, ones=ones - 1)

    return exhausted(
        every_case(up_to=0), holds, over=GRID,
        shown=("P(s = i | D_m) / P(s = i | D)", "a_i^(m-1) / a_i^m, m ones in D"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "T4.1",
    where="Theorem 4.1, section 4.2.1",
    says="At every outcome i, R_i is largest when all n records of D are 1.",
    assuming="a record changes from 1 to 0; 0 < q < 1/2",
)
def _all_ones_are_worst() -> Finding:
    """With m ones in D, R_i = a_i^(m-1)/a_i^m. It does not fall as m grows if (a_i^m)^2 >= a_i^(m-1)
    a_i^(m+1).

    By (4.13) to (4.15) the difference of the two sides is (p^2 - q^2)^2 (b_{i-1}^2 - b_i b_{i-2}), b
    the coefficients of Q(x) = (q + p x)^(m-1) (p + q x)^(n-m-1). Q has the form of Lemma 1, with
    r_j = q/p or p/q > 0, so this is >= 0, and > 0 exactly where b_{i-1} > 0, that is for
    1 <= i <= n - 1.

    So for 0 < i < n the collection of ones is the only one with the largest ratio, and at i = 0 and
    i = n every D has the same: R_0 = p/q and R_n = q/p. Those two are where the printed ">" is "=",
    for every 0 < m < n.
    """

    def holds(case: tuple[KRandomization, int]) -> bool:
        mechanism, i = case
        ratios = [ratio(mechanism, i, ones=ones) for ones in range(mechanism.n)]
        largest = [ones for ones, value in enumerate(ratios) if value == max(ratios)]
        return largest == (list(range(mechanism.n)) if i in (0, mechanism.n) else [mechanism.n - 1])

    return exhausted(
        ((pool, i) for pool in mechanisms() for i in range(pool.n + 1)), holds,
        over=GRID, shown=("largest when m = n", "largest when m = n; alone so for 0 < i < n"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s4.2-G_m",
    where="section 4.2.1, the generating function",
    says="With m ones among the n records the count has the generating function (q + p x)^m (p + q x)^(n-m).",
)
def _generating_function() -> Finding:
    """The reports are independent, so the generating functions multiply: q + p x for a 1, p + q x for
    a 0.

    Checked as a polynomial in q and x: x^(number of ones) times its probability, added up over all
    reports.
    """

    def holds(case: tuple[int, int]) -> bool:
        size, ones = case
        true = sum(
            x ** sum(reports) * prod(p if bit == (j < ones) else q for j, bit in enumerate(reports))
            for reports in product((0, 1), repeat=size)
        )
        return bool(expand(generating(m).subs({n: size, m: ones}) - true) == 0)

    return exhausted(
        ((size, ones) for size in (1, 2, 3) for ones in range(size + 1)), holds,
        over="n = 1, 2, 3 and every m, as polynomials in q and x",
        shown=("(q + p x)^m (p + q x)^(n-m)", "sum over all reports"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s4.2-coefficients",
    where="section 4.2.1, before and after the generating function",
    says="With m ones in D_m the coefficients a_i^m of its generating function are the probabilities P(s = i | D).",
    script="""
        from fractions import Fraction as F
        q, p = F(1, 4), F(3, 4)
        a = {0: (p, q), 1: (q, p)}  # one record: the law of its report, with m = 0 or m = 1 ones
        m = 0  # D_m = {0}, that is D = {1}
        assert a[m] != a[m + 1] and sum(a[m]) == sum(a[m + 1]) == 1
    """,
)
def _ones_of_which_collection() -> Finding:
    """D and D_m are exchanged once: with m ones in D_m, D has m + 1, and P(s = i | D) = a_i^(m+1).

    With m ones in D all is right: a_i^m = P(s = i | D), R_i = a_i^(m-1)/a_i^m, and m = n is possible,
    as the end of the proof needs; D_m, with at least one 0, cannot have n ones.
    """

    def holds(less: int) -> bool:
        """Whether a_i^m is P(s = i | D) when D holds m + ``less`` ones."""
        return all(pmf(pool, ones=ones - less)[i] == enumerated(pool, ones)[i] for pool, ones, i in every_case(up_to=0))

    if holds(less=1):
        return Finding(ruling=Ruling.PROVEN, said="m ones in D_m", exact="m ones in D_m")
    return Finding(
        ruling=Ruling.CORRECTED if holds(less=0) else Ruling.REFUTED, said="m ones in D_m", exact="m ones in D",
        witness="n = 1, D = {1}, D_m = {0}, m = 0: a_0^0 = p, but P(s = 0 | D) = q",
    )  # fmt: skip


@ledger.claim(
    "s4.2-grows",
    where="section 4.2.1, before (4.5)",
    says="The ratio of an outcome i grows with m: a_i^m / a_i^(m+1) > a_i^(m-1) / a_i^m.",
    assuming="0 < m < n",
    script=EQUALITY,
)
def _grows() -> Finding:
    """At i = 0 and i = n the ratio is the same for every m.

    It grows for 0 < i < n and is constant in m at i = 0 and i = n; the proof is at T4.1.

    At the ends directly: a_0^m = q^m p^(n-m) and a_n^m = p^m q^(n-m), so the ratios are p/q and q/p
    for every m.
    """

    def gain(pool: KRandomization, ones: int, i: int) -> Fraction:
        return ratio(pool, i, ones=ones) - ratio(pool, i, ones=ones - 1)

    return strictly(gain, GROWS)


@ledger.claim(
    "4.5",
    where="(4.5), section 4.2.1",
    says="Equivalently (a_i^m)^2 > a_i^(m-1) a_i^(m+1).",
    assuming="0 < m < n",
    script=EQUALITY,
)
def _log_concave_in_ones() -> Finding:
    """At i = 0 and i = n both sides are equal.

    The display before it, times a_i^m a_i^(m+1) > 0: so it fails where that fails, and holds
    with >= everywhere.
    """
    weak = all(log_concavity_in_ones(pool) for pool in mechanisms())
    strict = any(log_concavity_in_ones(pool, strict=True) for pool in mechanisms())

    def excess(pool: KRandomization, ones: int, i: int) -> int:
        fewer, same, more = (pmf(pool, ones=ones + step).weights[i] for step in (-1, 0, 1))
        return same**2 - fewer * more

    found = strictly(excess, "(a_i^m)^2 > a_i^(m-1) a_i^(m+1)")
    if found.ruling is Ruling.ONLY_FOR and (strict or not weak):
        raise ArithmeticError("log_concavity_in_ones disagrees with the probabilities it is about")
    return found


@ledger.claim(
    "4.6",
    where="(4.6), section 4.2.1",
    says="Equivalently (a_i^m)^2 - a_i^(m-1) a_i^(m+1) > 0.",
    assuming="0 < m < n",
    script=EQUALITY,
)
def _difference_is_positive() -> Finding:
    """At i = 0 and i = n the difference is 0.

    The difference is (p^2 - q^2)^2 (b_{i-1}^2 - b_i b_{i-2}), see s4.2-difference.

    At i = 0, b_{-1} = b_{-2} = 0, and at i = n, b_{n-1} = b_n = 0: the difference is 0 there. In
    between b_{i-1} > 0, and it is positive by L1.
    """

    def excess(pool: KRandomization, ones: int, i: int) -> Fraction:
        b = coefficients(pool.q, ones - 1, pool.n - ones - 1)
        return (pool.p**2 - pool.q**2) ** 2 * (b[i - 1] ** 2 - b[i] * b[i - 2])

    return strictly(excess, "(a_i^m)^2 - a_i^(m-1) a_i^(m+1) > 0")
