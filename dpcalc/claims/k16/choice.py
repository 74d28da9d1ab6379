"""K16, sections 4.1 and 4.2: the estimate, and the collection that maximizes the ratio of an outcome.

a_i^m is the probability of i ones among the reports of n single bits, m of which are 1: the coefficient of x^i in
G_m(x) = (q + p x)^m (p + q x)^(n - m). b_i are the coefficients of Q(x) = G_m(x) / ((q + p x)(p + q x)), 0 < m < n, and
in Lemma 1 those of the polynomial before the last factor r + x. Coefficients that a polynomial does not have are 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import prod
from typing import Any, NamedTuple, TypeAlias

from sympy import Expr, Poly, Symbol, expand, solve, sqrt, symbols

from dpcalc import symbolic
from dpcalc.accuracy.estimator import estimate, variance
from dpcalc.claims.checking import all_of, exhausted, identity, repaired, unpacked
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.k16.forms import moments, observed
from dpcalc.counts.generating import coefficients, log_concavity
from dpcalc.mechanisms.pooled import log_concavity_in_ones, pmf
from dpcalc.mechanisms.response import KRandomization
from dpcalc.privacy.ratio import ratio
from dpcalc.symbolic import k, m, n, p, q, s, x, z

__all__ = ["ledger"]

ledger = Ledger("K16")

#: A mechanism, the number m of ones and an outcome i.
_Case: TypeAlias = tuple[KRandomization, int, int]
#: The r_j of Lemma 1.
_Roots: TypeAlias = tuple[int, ...]

_QS = (Fraction(1, 10), Fraction(1, 4), Fraction(2, 5))
_GRID = "n = 2, ..., 5, every m and i, q = 1/10, 1/4, 2/5"
_INSIDE = "0 < i < n, for every 0 < m < n; = at i = 0 and i = n"
_VALUES = (0, 1, 2, 3, 7)
_ROOTS = "up to 4 factors with r_j in {0, 1, 2, 3, 7}"
_PLACES = f"{_ROOTS}, 0 <= i <= n + 1"
_POOLS = "n = 1, 2, 3, every T, q = 1/10, 1/4, 2/5"

#: The coefficients of Q that reach x^i: b_i, b_{i-1}, b_{i-2}, and b_{i+1}, which does not.
_ABOVE, _B, _B1, _B2 = symbols("b_{i+1} b_i b_{i-1} b_{i-2}")
_R = Symbol("r")
_POINT: dict[Symbol, Any] = {n: 4, m: 2, q: "1/4", x: 2}
_QUARTIC: dict[Symbol, Any] = {_ABOVE: 4, _B: 6, _B1: 4, _B2: 1}  # of (1 + x)^4
_IN_Q: dict[Symbol, Any] = {q: "1/4", **_QUARTIC}
_IN_R: dict[Symbol, Any] = {_R: 1, **_QUARTIC}


# --- section 4.1: the estimate ------------------------------------------------------------------------------------


@ledger.claim(
    "s4.1-S",
    where="section 4.1, before (4.1)",
    says="The number of ones observed, S, is the random variable p T + q (N - T).",
    script="""
        from fractions import Fraction as F
        q, p, n, T = F(1, 4), F(3, 4), 1, 1
        law = {1: p, 0: q}  # one record that holds 1, reported once
        said = p * T + q * (n - T)
        assert sum(s * chance for s, chance in law.items()) == said and said not in law
    """,
)
def _expectation_and_not_the_count() -> Finding:
    """A report is 1 with probability p if the bit is 1, and q if it is 0: the right-hand side is E S.

    S itself is random, with variance p q n > 0, so it is no constant. From G_m: E S = G_m'(1).
    """
    mean, spread = _moments()
    shown = ("S = p T + q (n - T)", "E S = p T + q (n - T)")
    expected = identity(p * m + q * (n - m), mean, at=_POINT, shown=shown, failing=Ruling.REFUTED)
    if expected.ruling is not Ruling.PROVEN or spread.subs(q, 1 / (2 + z)).factor().is_positive is not True:
        return expected
    return Finding(
        ruling=Ruling.CORRECTED, said=expected.said, exact=expected.exact,
        witness=f"n = T = 1, q = 1/4: S is 0 or 1, the right-hand side {mean.subs({n: 1, m: 1, q: Fraction(1, 4)})}",
    )  # fmt: skip


@ledger.claim(
    "4.1",
    where="(4.1), section 4.1",
    says="The number of ones T is estimated by (S - q N)/(p - q).",
)
def _estimate() -> Finding:
    """The only affine function a + b S of the count whose expectation is T for every T.

    With E S = p T + q (n - T) the conditions are b (p - q) = 1 and a + b q n = 0.
    """
    a, b = symbols("a b")
    conditions = Poly(expand(a + b * _moments()[0] - m), m).coeffs()
    [solution] = solve(conditions, [a, b], dict=True)
    unbiased, at = solution[a] + solution[b] * s, {n: 4, q: "1/4", s: 2}
    shown = ("(S - q n)/(p - q)", "(S - q n)/(p - q)")
    return all_of(
        identity((s - q * n) / (p - q), unbiased, at=at, shown=shown),
        identity(symbolic.estimate().subs(k, 1), unbiased, at=at, shown=shown),
    )


@ledger.claim("4.2", where="(4.2), section 4.1", says="The estimate's expectation is T.")
def _unbiased() -> Finding:
    """(E S - q n)/(p - q) = (p T + q n - q T - q n)/(p - q) = T."""
    expected = symbolic.estimate().subs({k: 1, s: _moments()[0]})
    return all_of(
        exhausted(
            _pools(),
            lambda case: sum(chance * estimate(case[0], i).value for i, chance in _counted(*case)) == case[1],
            over=_POOLS,
        ),
        identity(m, expected, at=_POINT, shown=("E T_hat = T", "T")),
    )


@ledger.claim("4.3", where="(4.3), section 4.1", says="The estimate's variance is q p N/(p - q)^2.")
def _variance() -> Finding:
    """Each of the n reports has the variance p q whatever its bit is, and T_hat is S divided by
    p - q, and shifted.

    From G_m: Var S = G_m''(1) + G_m'(1) - G_m'(1)^2 = p q n.
    """
    shown = ("q p n/(p - q)^2", "p q n/(p - q)^2, for every T")
    return all_of(
        exhausted(
            _pools(),
            lambda case: (
                sum(chance * (estimate(case[0], i).value - case[1]) ** 2 for i, chance in _counted(*case))
                == variance(case[0])
            ),
            over=_POOLS,
        ),
        identity(symbolic.variance().subs(k, 1), _spread(), at=_POINT, shown=shown),
        identity(q * p * n / (p - q) ** 2, _spread(), at=_POINT, shown=shown),
    )


@ledger.claim("4.4", where="(4.4), section 4.1", says="The estimate's standard deviation is the root of (4.3).")
def _deviation() -> Finding:
    """The non-negative root of the variance; squares are compared."""
    said, shown = sqrt(q * p * n / (p - q) ** 2), ("sqrt(q p n/(p - q)^2)", "sqrt(p q n)/(p - q)")
    return all_of(
        identity(symbolic.sigma().subs(k, 1) ** 2, _spread(), at=_POINT, shown=shown),
        identity(said**2, _spread(), at=_POINT, shown=shown),
    )


# --- section 4.2: the theorem -------------------------------------------------------------------------------------


@ledger.claim(
    "s4.2-wlog",
    where="section 4.2.1, first paragraph",
    says="Without loss of generality the changed record is a 1 that becomes 0, which leaves one 1 fewer.",
)
def _mirror() -> Finding:
    """Exchange 0 and 1 everywhere: x^n G_m(1/x) = G_(n-m)(x), so that i ones become n - i.

    The ratio of a change from 0 to 1 with m ones among the other records, at i ones, is that of a
    change from 1 to 0 with n - 1 - m ones, at n - i ones. All records 1 turn into all records 0 with
    it: for a change from 0 to 1 these are the collection of Theorem 4.1. If either change may happen,
    the larger ratio at i > n/2 is theirs.
    """

    def holds(case: _Case) -> bool:
        pool, ones, i = case
        others = ones - 1
        return 1 / ratio(pool, i, ones=others) == ratio(pool, pool.n - i, ones=pool.n - 1 - others)

    return exhausted(
        _cases(up_to=0), holds, over=_GRID, shown=("a 1 becomes 0", "or exchange 0 and 1, i and n - i"), proven=True,
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

    def holds(case: _Case) -> bool:
        pool, ones, i = case
        changed, original = (_enumerated(pool, ones - less)[i] for less in (1, 0))
        return changed / original == ratio(pool, i, ones=ones - 1)

    return exhausted(
        _cases(up_to=0), holds, over=_GRID,
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
        ((pool, i) for pool in _mechanisms() for i in range(pool.n + 1)), holds,
        over=_GRID, shown=("largest when m = n", "largest when m = n; alone so for 0 < i < n"), proven=True,
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
        return bool(expand(_generating(m).subs({n: size, m: ones}) - true) == 0)

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
        return all(pmf(pool, ones=ones - less)[i] == _enumerated(pool, ones)[i] for pool, ones, i in _cases(up_to=0))

    if holds(less=1):
        return Finding(ruling=Ruling.PROVEN, said="m ones in D_m", exact="m ones in D_m")
    return Finding(
        ruling=Ruling.CORRECTED if holds(less=0) else Ruling.REFUTED, said="m ones in D_m", exact="m ones in D",
        witness="n = 1, D = {1}, D_m = {0}, m = 0: a_0^0 = p, but P(s = 0 | D) = q",
    )  # fmt: skip


_GROWS = "a_i^m / a_i^(m+1) > a_i^(m-1) / a_i^m"
_EQUALITY = """
    from fractions import Fraction as F
    laws = [[(1 - q) ** 2, q * (1 - q), q * q] for q in (F(1, 10), F(1, 4), F(2, 5))]  # n = 2, 0 to 2 ones: P(s = 0)
    laws += [a[::-1] for a in laws]  # and P(s = 2)
    assert all(a[1] / a[2] == a[0] / a[1] and a[1] ** 2 == a[0] * a[2] for a in laws)
"""


@ledger.claim(
    "s4.2-grows",
    where="section 4.2.1, before (4.5)",
    says="The ratio of an outcome i grows with m: a_i^m / a_i^(m+1) > a_i^(m-1) / a_i^m.",
    assuming="0 < m < n",
    script=_EQUALITY,
)
def _grows() -> Finding:
    """It grows for 0 < i < n and is constant in m at i = 0 and i = n; the proof is at T4.1.

    At the ends directly: a_0^m = q^m p^(n-m) and a_n^m = p^m q^(n-m), so the ratios are p/q and q/p
    for every m.
    """

    def gain(pool: KRandomization, ones: int, i: int) -> Fraction:
        return ratio(pool, i, ones=ones) - ratio(pool, i, ones=ones - 1)

    return _strict(gain, _GROWS)


@ledger.claim(
    "4.5",
    where="(4.5), section 4.2.1",
    says="Equivalently (a_i^m)^2 > a_i^(m-1) a_i^(m+1).",
    assuming="0 < m < n",
    script=_EQUALITY,
)
def _log_concave_in_ones() -> Finding:
    """The display before it, times a_i^m a_i^(m+1) > 0: so it fails where that fails, and holds
    with >= everywhere.
    """
    weak = all(log_concavity_in_ones(pool) for pool in _mechanisms())
    strict = any(log_concavity_in_ones(pool, strict=True) for pool in _mechanisms())

    def excess(pool: KRandomization, ones: int, i: int) -> int:
        fewer, same, more = (pmf(pool, ones=ones + step).weights[i] for step in (-1, 0, 1))
        return same**2 - fewer * more

    found = _strict(excess, "(a_i^m)^2 > a_i^(m-1) a_i^(m+1)")
    if found.ruling is Ruling.ONLY_FOR and (strict or not weak):
        raise ArithmeticError("log_concavity_in_ones disagrees with the probabilities it is about")
    return found


@ledger.claim(
    "4.6",
    where="(4.6), section 4.2.1",
    says="Equivalently (a_i^m)^2 - a_i^(m-1) a_i^(m+1) > 0.",
    assuming="0 < m < n",
    script=_EQUALITY,
)
def _difference_is_positive() -> Finding:
    """The difference is (p^2 - q^2)^2 (b_{i-1}^2 - b_i b_{i-2}), see s4.2-difference.

    At i = 0, b_{-1} = b_{-2} = 0, and at i = n, b_{n-1} = b_n = 0: the difference is 0 there. In
    between b_{i-1} > 0, and it is positive by L1.
    """

    def excess(pool: KRandomization, ones: int, i: int) -> Fraction:
        b = coefficients(pool.q, ones - 1, pool.n - ones - 1)
        return (pool.p**2 - pool.q**2) ** 2 * (b[i - 1] ** 2 - b[i] * b[i - 2])

    return _strict(excess, "(a_i^m)^2 - a_i^(m-1) a_i^(m+1) > 0")


# --- section 4.2: the generating functions of neighbouring m ------------------------------------------------------


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
    """By (4.11) Q is G_m without one factor of either kind: (q + p x)^(m-1) (p + q x)^(n-m-1),
    0 < m < n.
    """
    said, true = (p + q * x) ** (m - 1) * (p + q * x) ** (n - m - 1), _generating(m) / ((q + p * x) * (p + q * x))
    return identity(
        said, true, repair=_common(), at=_POINT,
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
    same, fewer, more = (printed(_B, _B1, _B2, p, q) for printed in (_with_same, _with_fewer, _with_more))
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
        expand(gap * (_B**2 - _ABOVE * _B1)), _difference(), repair=expand(gap * (_B1**2 - _B * _B2)), at=_IN_Q,
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
        ((lie, ones, zeros) for lie in _QS for ones in range(5) for zeros in range(5)),
        lambda case: bool(log_concavity(coefficients(*case))),
        over="Q with up to 4 factors of either kind, q = 1/10, 1/4, 2/5",
        shown=("b_i^2 - b_{i+1} b_{i-1} >= 0", ">= 0 for every i"), proven=True,
    )  # fmt: skip


# --- section 4.2: the lemma ---------------------------------------------------------------------------------------


@ledger.claim(
    "L1",
    where="Lemma 1, section 4.2.1",
    says="If all r_j >= 0, the coefficients of a_n prod (r_j + x) satisfy a_i^2 - a_{i+1} a_{i-1} >= 0.",
    assuming="a_n real, a_i = 0 for i < 0 and i > n",
)
def _lemma() -> Finding:
    """True; the printed induction needs two repairs, an index and an argument for zeros. Let a_n = 1
    (s4.2-scaling).

    Stronger claim, by induction on the degree n: if z of the r_j are 0, then (1) a_i > 0 exactly for
    z <= i <= n, and (2) a_i^2 - a_{i+1} a_{i-1} is > 0 for these i, and 0 for all others. (1) is
    clear from x^z prod (r_j + x), r_j > 0, whose coefficients are sums of products of positive
    numbers. For i outside z..n, a_i = 0 and one of its neighbours is 0 as well, so the difference in
    (2) is 0.

    n = 0: the constant 1 has a_0^2 - a_1 a_{-1} = 1 > 0; Q is constant when two records are all
    there are. (The printed induction starts at n = 2.)

    From b, of degree n, to a = b (r + x): if r = 0, a is b shifted by one. If r > 0, then (4.22) is,
    with b_{i-2} for the second b_{i-1} in its middle bracket,

        r^2 (b_i^2 - b_{i+1} b_{i-1}) + r (b_i b_{i-1} - b_{i+1} b_{i-2}) + (b_{i-1}^2 - b_i b_{i-2}).

    The outer terms are >= 0, the first > 0 for z <= i <= n, the last for z <= i - 1 <= n: for every
    z <= i <= n + 1 one of them is > 0. The middle one: if b_i b_{i-1} > 0, multiply b_i^2 >= b_{i+1}
    b_{i-1} by b_{i-1}^2 >= b_i b_{i-2} and divide by b_i b_{i-1}. If b_i = 0 or b_{i-1} = 0, then
    b_{i+1} = 0 or b_{i-2} = 0, because by (1) the positive coefficients have no gap. Without (1) this
    step fails: 1, 0, 0, 1 satisfies a_i^2 >= a_{i+1} a_{i-1} for all i, but 0 * 0 < 1 * 1.
    """

    def holds(roots: _Roots) -> bool:
        a = _elementary(roots)
        excess = [_at(a, i) ** 2 - _at(a, i + 1) * _at(a, i - 1) for i in range(-1, len(a) + 1)]
        exact = all((value > 0) == (_at(a, i - 1) > 0) and value >= 0 for i, value in enumerate(excess))
        return exact and bool(log_concavity(a))

    return exhausted(
        _roots(), holds, over=f"{_ROOTS}, every i",
        shown=("a_i^2 - a_{i+1} a_{i-1} >= 0", ">= 0, and > 0 exactly where a_i > 0"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "4.16", where="(4.16), section 4.2.1", says="For n = 2, (r_1 + x)(r_2 + x) = r_1 r_2 + (r_1 + r_2) x + x^2."
)
def _two_factors() -> Finding:
    """Multiplied out."""
    r1, r2 = symbols("r_1 r_2")
    return identity(
        r1 * r2 + (r1 + r2) * x + x**2, expand((r1 + x) * (r2 + x)), at={r1: 2, r2: 3, x: 5},
        shown=("r_1 r_2 + (r_1 + r_2) x + x^2", "(r_1 + x)(r_2 + x)"),
    )  # fmt: skip


@ledger.claim(
    "4.17",
    where="(4.17), section 4.2.1",
    says="a_1^2 - a_0 a_2 = (r_1 + r_2)^2 - r_1 r_2 = r_1^2 + r_2^2 + r_1 r_2 > 0, as r_1, r_2 > 0.",
    assuming="Lemma 1's r_1, r_2 >= 0",
    script="""
        from fractions import Fraction as F
        r1, r2 = F(0), F(0)  # Lemma 1 allows it: the polynomial x^2
        a = [r1 * r2, r1 + r2, F(1)]
        assert a[1] ** 2 - a[0] * a[2] == r1**2 + r2**2 + r1 * r2 == 0
    """,
)
def _base_case() -> Finding:
    """The identity is right. The sum of non-negative terms is > 0 unless r_1 = r_2 = 0, which the
    lemma allows: it asks for r_j >= 0 and not for r_j > 0. The lemma's >= holds there too.
    """
    r1, r2 = symbols("r_1 r_2")
    coefficient = Poly(expand((r1 + x) * (r2 + x)), x).coeff_monomial
    true = expand(coefficient(x) ** 2 - coefficient(1) * coefficient(x**2))
    shown, at = ("r_1^2 + r_2^2 + r_1 r_2 > 0", "> 0 unless r_1 = r_2 = 0"), {r1: 2, r2: 3}
    equal = all_of(
        identity(expand((r1 + r2) ** 2 - r1 * r2), true, at=at, shown=shown),
        identity(r1**2 + r2**2 + r1 * r2, true, at=at, shown=shown),
    )
    values = {pair: true.subs(dict(zip((r1, r2), pair, strict=True))) for pair in product(_VALUES, repeat=2)}
    failing = [pair for pair, value in values.items() if value <= 0]
    if equal.ruling is not Ruling.PROVEN or not failing:
        return equal
    return Finding(
        ruling=Ruling.ONLY_FOR if failing == [(0, 0)] else Ruling.REFUTED, said=equal.said, exact=equal.exact,
        over="r_1, r_2 >= 0, not both 0", witness=f"(r_1, r_2) = {failing[0]}: {values[failing[0]]}",
    )  # fmt: skip


@ledger.claim(
    "4.18",
    where="(4.18), section 4.2.1",
    says="The monic polynomial of degree n + 1 is that of degree n times r_(n+1) + x.",
)
def _one_more_factor() -> Finding:
    """The product of n + 1 factors, the last one set apart; n + 2 points determine a polynomial of
    degree n + 1.

    The coefficients are built from the roots: a_i is the sum of all products of n + 1 - i of them.
    """

    def holds(case: tuple[_Roots, int]) -> bool:
        roots, last = case
        a, b = _elementary((*roots, last)), _elementary(roots)
        return all(_value(a, at) == _value(b, at) * (last + at) for at in range(len(a)))

    return _induction(holds, "Q^(n+1)(x) = Q^n(x) (r + x)", "product over all factors")


@ledger.claim(
    "4.19",
    where="(4.19), section 4.2.1",
    says="Its coefficients are b_i r_(n+1) + b_{i-1}, those of Q^n being b_i.",
    assuming="b_{-1} = b_{n+1} = 0",
)
def _shifted_sum() -> Finding:
    """r Q^n contributes b_i r to x^i, x Q^n contributes b_{i-1}; i runs from 0 to n + 1."""

    def holds(case: tuple[_Roots, int]) -> bool:
        roots, last = case
        a, b = _elementary((*roots, last)), _elementary(roots)
        said = [_at(b, i) * last + _at(b, i - 1) for i in range(len(roots) + 2)]
        return all(_value(a, at) == _value(said, at) for at in range(len(a)))

    return _induction(holds, "sum of (b_i r + b_{i-1}) x^i", "sum of a_i x^i")


@ledger.claim(
    "4.20", where="(4.20), section 4.2.1", says="a_i = b_i r_(n+1) + b_{i-1}.", assuming="b_{-1} = b_{n+1} = 0"
)
def _recursion() -> Finding:
    """Coefficients of the equal polynomials of (4.19)."""

    def holds(case: tuple[_Roots, int]) -> bool:
        roots, last = case
        a, b = _elementary((*roots, last)), _elementary(roots)
        return all(_at(a, i) == _at(b, i) * last + _at(b, i - 1) for i in range(-1, len(a) + 1))

    return _induction(holds, "b_i r + b_{i-1}", "a_i")


@ledger.claim(
    "4.21",
    where="(4.21), section 4.2.1",
    says="a_i^2 - a_{i+1} a_{i-1} = (b_i r + b_{i-1})^2 - (b_{i+1} r + b_i)(b_{i-1} r + b_{i-2}).",
)
def _step_substituted() -> Finding:
    """(4.20) at i, i + 1 and i - 1.

    The true side is read off from (b_{i-2} + b_{i-1} x + b_i x^2 + b_{i+1} x^3)(r + x).
    """
    said = (_B * _R + _B1) ** 2 - (_ABOVE * _R + _B) * (_B1 * _R + _B2)
    return identity(
        expand(said), _step(), at=_IN_R,
        shown=("(b_i r + b_{i-1})^2 - (b_{i+1} r + b_i)(b_{i-1} r + b_{i-2})", "a_i^2 - a_{i+1} a_{i-1}"),
    )  # fmt: skip


@ledger.claim(
    "4.22",
    where="(4.22), section 4.2.1",
    says="That is r^2 (b_i^2 - b_{i+1} b_{i-1}) + r (b_i b_{i-1} - b_{i+1} b_{i-1}) + (b_{i-1}^2 - b_i b_{i-2}).",
    script="""
        from math import comb
        a, b, i = [comb(5, j) for j in range(6)], [comb(4, j) for j in range(5)], 2  # (1 + x)^5, (1 + x)^4, r = 1
        outer = b[i] ** 2 - b[i + 1] * b[i - 1] + b[i - 1] ** 2 - b[i] * b[i - 2]
        said, right = (outer + b[i] * b[i - 1] - b[i + 1] * b[j] for j in (i - 1, i - 2))
        assert a[i] ** 2 - a[i + 1] * a[i - 1] == right != said
    """,
)
def _step_expanded() -> Finding:
    """The cross terms are 2 r b_i b_{i-1} - r b_{i+1} b_{i-2} - r b_i b_{i-1}: the middle bracket is
    b_i b_{i-1} - b_{i+1} b_{i-2}, with an index one lower than printed.
    """
    outer = _R**2 * (_B**2 - _ABOVE * _B1) + (_B1**2 - _B * _B2)
    said, right = (expand(outer + _R * (_B * _B1 - _ABOVE * low)) for low in (_B1, _B2))
    return identity(
        said, _step(), repair=right, at=_IN_R,
        shown=("... + r (b_i b_{i-1} - b_{i+1} b_{i-1}) + ...", "... + r (b_i b_{i-1} - b_{i+1} b_{i-2}) + ..."),
    )  # fmt: skip


@ledger.claim("4.23", where="(4.23), section 4.2.1", says="b_i^2 - b_{i+1} b_{i-1} >= 0, by the induction hypothesis.")
def _hypothesis() -> Finding:
    """The lemma for degree n, at index i; at i = n + 1, where a_i still has to be looked at, both
    terms are 0.
    """
    return _inequality(lambda b, i: _at(b, i) ** 2 - _at(b, i + 1) * _at(b, i - 1), "b_i^2 - b_{i+1} b_{i-1} >= 0")


@ledger.claim("4.24", where="(4.24), section 4.2.1", says="b_{i-1}^2 - b_i b_{i-2} >= 0, by the induction hypothesis.")
def _hypothesis_below() -> Finding:
    """The lemma for degree n, at index i - 1; at i = 0 both terms are 0."""
    return _inequality(lambda b, i: _at(b, i - 1) ** 2 - _at(b, i) * _at(b, i - 2), "b_{i-1}^2 - b_i b_{i-2} >= 0")


@ledger.claim("4.25", where="(4.25), section 4.2.1", says="Nothing: the number stands beside an empty line.")
def _empty() -> Finding:
    """An empty line."""
    return Finding(ruling=Ruling.VACUOUS)


@ledger.claim(
    "4.26",
    where="(4.26), section 4.2.1",
    says="b_i b_{i-1} - b_{i+1} b_{i-1} >= 0.",
    script="""
        from math import comb
        b, i = [comb(4, j) for j in range(5)], 1  # (1 + x)^4: 1, 4, 6, 4, 1
        assert b[i] * b[i - 1] - b[i + 1] * b[i - 1] < 0
    """,
)
def _middle_bracket() -> Finding:
    """As printed it asks for b_i >= b_{i+1}, which fails wherever the coefficients rise.

    Needed and true is b_i b_{i-1} - b_{i+1} b_{i-2} >= 0, the middle bracket of (4.22) with its index
    repaired; the proof is at L1.
    """
    return repaired(
        _places(),
        unpacked(lambda b, i: _at(b, i) * _at(b, i - 1) - _at(b, i + 1) * _at(b, i - 1) >= 0),
        unpacked(lambda b, i: _at(b, i) * _at(b, i - 1) - _at(b, i + 1) * _at(b, i - 2) >= 0),
        over=_PLACES,
        shown=("b_i b_{i-1} - b_{i+1} b_{i-1} >= 0", "b_i b_{i-1} - b_{i+1} b_{i-2} >= 0"),
    )


@ledger.claim(
    "s4.2-all-positive",
    where="(4.26), section 4.2.1, its reason",
    says="All coefficients b_i of prod (r_j + x) are positive.",
    assuming="Lemma 1's r_j >= 0, 0 <= i <= n",
    script="""
        r1, r2 = 0, 1  # Lemma 1 allows it: the polynomial x (1 + x)
        b = [r1 * r2, r1 + r2, 1]
        assert not all(c > 0 for c in b) and all(c >= 0 for c in b)
    """,
)
def _positive_coefficients() -> Finding:
    """b_i is the sum of the products of n - i of the r_j. If z of these are 0, it is positive for
    z <= i <= n and 0 for i < z: all are positive exactly when all r_j > 0, as in G_m and Q, whose r_j
    are q/p and p/q.

    Zeros at the low end do no harm to the lemma, since they leave no gap between positive
    coefficients: see L1.
    """
    positive = {roots: min(_elementary(roots)) > 0 for roots in _roots()}
    failing = [roots for roots, all_positive in positive.items() if not all_positive]
    if not failing:
        return Finding(ruling=Ruling.PROVEN, said="b_i > 0", exact="b_i > 0")
    explained = all(all_positive == (0 not in roots) for roots, all_positive in positive.items())
    return Finding(
        ruling=Ruling.ONLY_FOR if explained else Ruling.REFUTED, said="b_i > 0 for 0 <= i <= n",
        exact="b_i > 0 for z <= i <= n, z of the r_j being 0", over="all r_j > 0",
        witness=f"r_j: {failing[0]}, coefficients {_elementary(failing[0])}",
    )  # fmt: skip


@ledger.claim(
    "4.27",
    where="(4.27), section 4.2.1",
    says="b_i^2 >= b_{i+1} b_{i-1} and b_{i-1}^2 > b_i b_{i-2}.",
    assuming="Lemma 1's r_j >= 0, 0 <= i <= n + 1",
    script="""
        r1, r2, i = 0, 0, 2  # Lemma 1 allows it: the polynomial x^2
        b = [r1 * r2, r1 + r2, 1]
        assert b[i - 1] ** 2 == b[i] * b[i - 2]
    """,
)
def _both_hypotheses() -> Finding:
    """The indices are right; the second sign is that of (4.24), >=. By L1 it is > exactly where
    b_{i-1} > 0.

    It is = at i = 0, and with z zeros among the r_j for all i <= z.
    """
    first = all(_at(b, i) ** 2 >= _at(b, i + 1) * _at(b, i - 1) for b, i in _places())
    gaps = {_Place(b, i): _at(b, i - 1) ** 2 - _at(b, i) * _at(b, i - 2) for b, i in _places()}
    failing = [place for place, gap in gaps.items() if gap <= 0]
    if first and not failing:
        return Finding(ruling=Ruling.PROVEN, said="b_{i-1}^2 > b_i b_{i-2}", exact="b_{i-1}^2 > b_i b_{i-2}")
    equal = [_Place(b, i) for b, i in gaps if _at(b, i - 1) == 0]
    explained = first and failing == equal and not any(gaps[place] for place in equal)
    inner = next((place for place in failing if place.i > 1), None)
    return Finding(
        ruling=Ruling.ONLY_FOR if explained else Ruling.REFUTED, said="b_{i-1}^2 > b_i b_{i-2}",
        exact="b_{i-1}^2 >= b_i b_{i-2}", over="> where b_{i-1} > 0, so for 1 <= i <= n + 1 if all r_j > 0",
        witness=f"{inner}: both sides are 0",
    )  # fmt: skip


@ledger.claim("4.28", where="(4.28), section 4.2.1", says="b_i^2 b_{i-1}^2 >= b_{i+1} b_{i-1} b_i b_{i-2}.")
def _multiplied() -> Finding:
    """The product of (4.23) and (4.24): all four terms are >= 0, so the inequalities may be
    multiplied. Nothing is wrong with its indices; cancelling b_i b_{i-1} gives the repaired (4.29).
    """
    return _inequality(
        lambda b, i: (_at(b, i) * _at(b, i - 1)) ** 2 - _at(b, i + 1) * _at(b, i - 1) * _at(b, i) * _at(b, i - 2),
        "b_i^2 b_{i-1}^2 >= b_{i+1} b_{i-1} b_i b_{i-2}",
    )


@ledger.claim(
    "4.29",
    where="(4.29), section 4.2.1",
    says="b_i b_{i-1} >= b_{i+1} b_{i-1}.",
    script="""
        from math import comb
        b, i = [comb(4, j) for j in range(5)], 1  # (1 + x)^4: 1, 4, 6, 4, 1
        assert not b[i] * b[i - 1] >= b[i + 1] * b[i - 1]
    """,
)
def _divided() -> Finding:
    """(4.28) divided by b_i b_{i-1} is b_i b_{i-1} >= b_{i+1} b_{i-2}: the last index is one lower
    than printed.

    Where b_i b_{i-1} = 0 it cannot be divided; there b_{i+1} b_{i-2} = 0, as the positive
    coefficients have no gap: see L1.
    """
    return repaired(
        _places(),
        unpacked(lambda b, i: _at(b, i) * _at(b, i - 1) >= _at(b, i + 1) * _at(b, i - 1)),
        unpacked(lambda b, i: _at(b, i) * _at(b, i - 1) >= _at(b, i + 1) * _at(b, i - 2)),
        over=_PLACES,
        shown=("b_i b_{i-1} >= b_{i+1} b_{i-1}", "b_i b_{i-1} >= b_{i+1} b_{i-2}"),
    )


@ledger.claim(
    "s4.2-scaling",
    where="section 4.2.1, after (4.29)",
    says="A constant factor in front of the polynomial does not change the inequality.",
)
def _scaled() -> Finding:
    """With c a_i for a_i the difference is multiplied by c^2 >= 0, whatever the sign of c."""
    c, above, here, below = symbols("c a_{i+1} a_i a_{i-1}", real=True)
    said = expand(c**2 * (here**2 - above * below))
    scaled = Poly(c * (below + here * x + above * x**2), x).all_coeffs()
    return identity(
        said, expand(scaled[1] ** 2 - scaled[0] * scaled[2]), at={c: -2, above: 3, here: 5, below: 7},
        shown=("c^2 (a_i^2 - a_{i+1} a_{i-1})", "(c a_i)^2 - (c a_{i+1})(c a_{i-1})"),
    )  # fmt: skip


# --- section 4.2: the end of the proof ----------------------------------------------------------------------------


@ledger.claim(
    "s4.2-factored",
    where="section 4.2.1, after Lemma 1",
    says="G_m(x) = p^m q^(n-m) (q/p + x)^m (p/q + x)^(n-m).",
)
def _factored() -> Finding:
    """q + p x = p (q/p + x) and p + q x = q (p/q + x), raised to the powers m and n - m."""
    said = p**m * q ** (n - m) * (q / p + x) ** m * (p / q + x) ** (n - m)
    at, some = {q: "1/4", x: 2}, {m: 2, n: 5}
    return all_of(
        identity(p * (q / p + x), _generating(m).subs({m: 1, n: 1}), at=at),
        identity(q * (p / q + x), _generating(m).subs({m: 0, n: 1}), at=at),
        identity(
            said.subs(some), _generating(m).subs(some), at=at,
            shown=("p^m q^(n-m) (q/p + x)^m (p/q + x)^(n-m)", "(q + p x)^m (p + q x)^(n-m)"),
        ),
    )  # fmt: skip


@ledger.claim(
    "s4.2-roots",
    where="section 4.2.1, after Lemma 1",
    says="The factors are of the form that Lemma 1 needs, r_j >= 0.",
    assuming="0 < q < 1/2",
)
def _roots_are_positive() -> Finding:
    """r_j is q/p or p/q, both positive; q > 0 is needed. The argument is about the common factor Q
    and not about G_m, as K16 writes here: the lemma for G_m would compare neighbouring i, and the
    theorem compares neighbouring m. Q has the same kinds of factors, two fewer.
    """
    positive = all(root.subs(q, 1 / (2 + z)).factor().is_positive for root in (q / p, p / q))
    return Finding(
        ruling=Ruling.PROVEN if positive else Ruling.REFUTED, said="q/p >= 0 and p/q >= 0", exact="q/p > 0 and p/q > 0"
    )  # fmt: skip


@ledger.claim(
    "s4.2-conclusion",
    where="section 4.2.1, end of the proof",
    says="By Lemma 1, a_i^m / a_i^(m+1) > a_i^(m-1) / a_i^m.",
    assuming="0 < m < n",
    script=_EQUALITY,
)
def _conclusion() -> Finding:
    """Lemma 1, applied to Q (not to G_m), gives >= for every i, and > exactly where b_{i-1} > 0: for
    0 < i < n.

    Checked with the coefficients of the factored form, p^m q^(n-m) times elementary symmetric sums of
    the r_j.
    """

    def gain(pool: KRandomization, ones: int, i: int) -> Fraction:
        fewer, same, more = (_factored_coefficients(pool, ones + step)[i] for step in (-1, 0, 1))
        return same / more - fewer / same

    return _strict(gain, _GROWS)


@ledger.claim(
    "s4.2-all-ones",
    where="section 4.2.1, last sentence",
    says="The ratio is largest for m = n.",
    assuming="m ones in D (see s4.2-coefficients)",
)
def _largest_at_n() -> Finding:
    """With >= for > the ratio a_i^(m-1)/a_i^m does not fall from m to m + 1, for m = 1, ..., n - 1;
    so it is largest at m = n, which is all the theorem says. Strictness is not needed.
    """
    return exhausted(
        _mechanisms(), lambda pool: bool(log_concavity_in_ones(pool)), over=_GRID,
        shown=("largest at m = n", "largest at m = n, with >= for >"), proven=True,
    )  # fmt: skip


# --- one side, by definition --------------------------------------------------------------------------------------


def _mechanisms() -> Iterator[KRandomization]:
    """n = 2, ..., 5 at every q."""
    return (KRandomization(n=size, q=lie) for size in range(2, 6) for lie in _QS)


def _cases(up_to: int) -> Iterator[_Case]:
    """Every (mechanism, m, i) with 0 < m <= n - up_to and 0 <= i <= n."""
    for pool in _mechanisms():
        yield from ((pool, ones, i) for ones in range(1, pool.n + 1 - up_to) for i in range(pool.n + 1))


def _enumerated(pool: KRandomization, ones: int) -> list[Fraction]:
    """P(s = i) for i = 0, ..., n with ``ones`` ones, by going through every pattern of lies."""
    return observed(ones, pool.n - ones, pool.q)


def _factored_coefficients(pool: KRandomization, ones: int) -> list[Fraction]:
    """The coefficients of p^m q^(n-m) (q/p + x)^m (p/q + x)^(n-m), m = ``ones``."""
    zeros = pool.n - ones
    roots = (pool.q / pool.p,) * ones + (pool.p / pool.q,) * zeros
    return [pool.p**ones * pool.q**zeros * c for c in _elementary(roots)]


def _pools() -> Iterator[tuple[KRandomization, int]]:
    """Every (mechanism, T) with n = 1, 2, 3."""
    return ((KRandomization(n=size, q=lie), ones) for size in (1, 2, 3) for lie in _QS for ones in range(size + 1))


def _counted(pool: KRandomization, ones: int) -> Iterator[tuple[int, Fraction]]:
    """Every count with its probability."""
    return enumerate(_enumerated(pool, ones))


def _moments() -> tuple[Expr, Expr]:
    """E S and Var S with m ones, k = 1."""
    mean, spread = (moment.subs(k, 1) for moment in moments(m))
    return mean, spread


def _spread() -> Expr:
    """Var T_hat = Var S times the square of the estimate's slope in S, the slope of (4.1) being 1/(p - q)."""
    return (_moments()[1] / (p - q) ** 2).factor()


def _generating(ones: Expr) -> Expr:
    """G of ``ones`` ones, k = 1."""
    return symbolic.generating_function().subs({k: 1, m: ones})


def _common() -> Expr:
    """Q(x), repaired."""
    return (q + p * x) ** (m - 1) * (p + q * x) ** (n - m - 1)


def _elementary(roots: Sequence[Any]) -> list[Any]:
    """The coefficients of prod (r_j + x): a_i is the sum of all products of n - i of the r_j."""
    return [sum(prod(chosen) for chosen in combinations(roots, len(roots) - i)) for i in range(len(roots) + 1)]


def _at(a: Sequence[Any], i: int) -> Any:
    """a_i, 0 where there is none."""
    return a[i] if 0 <= i < len(a) else 0


def _value(a: Sequence[int], at: int) -> int:
    """The polynomial with the coefficients a, at this point."""
    return sum(c * at**i for i, c in enumerate(a))


def _roots() -> Iterator[_Roots]:
    """Every multiset of up to four r_j."""
    for size in range(1, 5):
        yield from combinations_with_replacement(_VALUES, size)


class _Place(NamedTuple):
    """The coefficients b of a polynomial of degree n, and an index i."""

    b: tuple[int, ...]
    i: int

    def __str__(self) -> str:
        return f"b = {self.b}, i = {self.i}"


def _places() -> Iterator[_Place]:
    """Every 0 <= i <= n + 1, for every multiset of r_j: where the induction's step needs its inequalities."""
    return (_Place(tuple(b), i) for b in map(_elementary, _roots()) for i in range(len(b) + 1))


# --- the other side, as printed -----------------------------------------------------------------------------------


def _with_more(b: Any, b1: Any, b2: Any, p: Any, q: Any) -> Any:
    """The coefficient in (4.10) and (4.13); b, b1, b2 are b_i, b_{i-1}, b_{i-2}."""
    return b * q**2 + 2 * q * p * b1 + b2 * p**2


def _with_same(b: Any, b1: Any, b2: Any, p: Any, q: Any) -> Any:
    """The coefficient in (4.11) and (4.14)."""
    return b * q * p + (q**2 + p**2) * b1 + b2 * q * p


def _with_fewer(b: Any, b1: Any, b2: Any, p: Any, q: Any) -> Any:
    """The coefficient in (4.12) and (4.15)."""
    return b * p**2 + 2 * q * p * b1 + b2 * q**2


def _read_off(factor: Expr, power: int = 2) -> Expr:
    """The coefficient of x^i in Q(x) ``factor``, for a factor of degree 2; of x^(i - 2 + power) in general."""
    part = _B2 + _B1 * x + _B * x**2 + _ABOVE * x**3
    return Poly(expand(part * factor), x).coeff_monomial(x**power)


def _difference() -> Expr:
    """(a_i^m)^2 - a_i^(m-1) a_i^(m+1) in the coefficients of Q, read off."""
    one, zero = q + p * x, p + q * x
    return expand(_read_off(one * zero) ** 2 - _read_off(zero**2) * _read_off(one**2))


def _step() -> Expr:
    """a_i^2 - a_{i+1} a_{i-1} in the coefficients before the factor r + x, read off."""
    below, here, above = (_read_off(_R + x, power) for power in (1, 2, 3))
    return expand(here**2 - above * below)


# --- rulings ------------------------------------------------------------------------------------------------------


def _strict(excess: Callable[[KRandomization, int, int], Fraction | int], said: str) -> Finding:
    """Proven if the excess is positive throughout; true in part if it is 0 at i = 0 and i = n and
    nowhere else.
    """
    values = {case: excess(*case) for case in _cases(up_to=1)}
    failing = [case for case, value in values.items() if value <= 0]
    if not failing:
        return Finding(ruling=Ruling.PROVEN, said=said, exact=said)
    ends = [(pool, ones, i) for pool, ones, i in values if i in (0, pool.n)]
    explained = failing == ends and not any(values[case] for case in ends)
    pool, ones, i = failing[0]
    return Finding(
        ruling=Ruling.ONLY_FOR if explained else Ruling.REFUTED, said=said, exact=said.replace(">", ">="), over=_INSIDE,
        witness=f"n = {pool.n}, m = {ones}, i = {i}, q = {pool.q}: the difference is {values[failing[0]]}",
    )  # fmt: skip


def _first_factor(step: int, ones: str, zeros: str) -> Finding:
    """G of m + step ones against the printed product, whose first factor is p + q x."""
    said, right = (first ** (m + step) * (p + q * x) ** (n - m - step) for first in (p + q * x, q + p * x))
    shown = (f"(p + q x)^{ones} (p + q x)^{zeros}", f"(q + p x)^{ones} (p + q x)^{zeros}")
    return identity(said, _generating(m + step), repair=right, at=_POINT, shown=shown)


def _product(step: int, factor: Expr, printed: Callable[..., Any], said: str) -> Finding:
    """G of m + step ones as Q times the factor, and its coefficient of x^i."""
    shown = (said, "the same, coefficient by coefficient")
    return all_of(
        identity(_common() * factor, _generating(m + step), at=_POINT, shown=shown),
        identity(expand(printed(_B, _B1, _B2, p, q)), expand(_read_off(factor)), at=_IN_Q, shown=shown),
    )


def _coefficient(step: int, printed: Callable[..., Any], said: str) -> Finding:
    """The printed coefficient against the law of the count with m + step ones."""

    def holds(case: _Case) -> bool:
        pool, ones, i = case
        b = coefficients(pool.q, ones - 1, pool.n - ones - 1)
        return bool(pmf(pool, ones=ones + step)[i] == printed(b[i], b[i - 1], b[i - 2], pool.p, pool.q))

    return exhausted(
        _cases(up_to=1), holds, over=_GRID, shown=(said, "the law of the count"),
        failing=Ruling.CORRECTED, proven=True,
    )  # fmt: skip


def _induction(holds: Callable[[tuple[_Roots, int]], bool], said: str, exact: str) -> Finding:
    """One more factor r + x, for every polynomial of degree up to 4 and every r."""
    return exhausted(
        product(_roots(), _VALUES), holds, over=f"{_ROOTS}, and as many r", shown=(said, exact), proven=True
    )


def _inequality(excess: Callable[[Sequence[int], int], int], said: str) -> Finding:
    """An inequality between the coefficients b, at every index of the induction's step."""
    return exhausted(
        _places(), lambda place: excess(*place) >= 0,
        over=_PLACES, shown=(said, ">= 0 by Lemma 1 for degree n"), proven=True,
    )  # fmt: skip
