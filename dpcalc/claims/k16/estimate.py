"""K16, section 4.1: the estimate of the number of ones."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sympy import Expr, Poly, expand, solve, sqrt, symbols

from dpcalc import symbolic
from dpcalc.accuracy.estimator import estimate, variance
from dpcalc.claims.checking import all_of, exhausted, identity
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.k16.forms import QS, moments
from dpcalc.claims.k16.polynomials import POINT, enumerated
from dpcalc.mechanisms.response import KRandomization
from dpcalc.symbolic import k, m, n, p, q, s, z

__all__ = ["ledger"]

ledger = Ledger("K16")

_POOLS = "n = 1, 2, 3, every T, q = 1/10, 1/4, 2/5"


@ledger.claim(
    "s4.1-S",
    where="section 4.1, before (4.1)",
    says="The number of ones observed, S, is the random variable p T + q (n - T).",
    script="""
        from fractions import Fraction as F
        q, p, n, T = F(1, 4), F(3, 4), 1, 1
        law = {1: p, 0: q}  # one record that holds 1, reported once
        said = p * T + q * (n - T)
        assert sum(s * chance for s, chance in law.items()) == said and said not in law
    """,
)
def _expectation_and_not_the_count() -> Finding:
    """S is random, and the right-hand side is its expectation.

    A report is 1 with probability p if the bit is 1, and q if it is 0: the right-hand side is E S.

    S itself is random, with variance p q n > 0, so it is no constant. From G_m: E S = G_m'(1).
    """
    mean, spread = _moments()
    shown = ("S = p T + q (n - T)", "E S = p T + q (n - T)")
    expected = identity(p * m + q * (n - m), mean, at=POINT, shown=shown, failing=Ruling.REFUTED)
    if expected.ruling is not Ruling.PROVEN or spread.subs(q, 1 / (2 + z)).factor().is_positive is not True:
        return expected
    return Finding(
        ruling=Ruling.CORRECTED, said=expected.said, exact=expected.exact,
        witness=f"n = T = 1, q = 1/4: S is 0 or 1, the right-hand side {mean.subs({n: 1, m: 1, q: Fraction(1, 4)})}",
    )  # fmt: skip


@ledger.claim(
    "4.1",
    where="(4.1), section 4.1",
    says="The number of ones T is estimated by (S - q n)/(p - q).",
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
        identity(m, expected, at=POINT, shown=("E T_hat = T", "T")),
    )


@ledger.claim("4.3", where="(4.3), section 4.1", says="The estimate's variance is q p n/(p - q)^2.")
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
        identity(symbolic.variance().subs(k, 1), _spread(), at=POINT, shown=shown),
        identity(q * p * n / (p - q) ** 2, _spread(), at=POINT, shown=shown),
    )


@ledger.claim("4.4", where="(4.4), section 4.1", says="The estimate's standard deviation is the root of (4.3).")
def _deviation() -> Finding:
    """The non-negative root of the variance; squares are compared."""
    said, shown = sqrt(q * p * n / (p - q) ** 2), ("sqrt(q p n/(p - q)^2)", "sqrt(p q n)/(p - q)")
    return all_of(
        identity(symbolic.sigma().subs(k, 1) ** 2, _spread(), at=POINT, shown=shown),
        identity(said**2, _spread(), at=POINT, shown=shown),
    )


# --- helpers ------------------------------------------------------------------------------------------------------


def _pools() -> Iterator[tuple[KRandomization, int]]:
    """Every (mechanism, T) with n = 1, 2, 3."""
    return ((KRandomization(n=size, q=lie), ones) for size in (1, 2, 3) for lie in QS for ones in range(size + 1))


def _counted(pool: KRandomization, ones: int) -> Iterator[tuple[int, Fraction]]:
    """Every count with its probability."""
    return enumerate(enumerated(pool, ones))


def _moments() -> tuple[Expr, Expr]:
    """E S and Var S with m ones, k = 1."""
    mean, spread = (moment.subs(k, 1) for moment in moments(m))
    return mean, spread


def _spread() -> Expr:
    """Var T_hat = Var S times the square of the estimate's slope in S, the slope of (4.1) being 1/(p - q)."""
    return (_moments()[1] / (p - q) ** 2).factor()
