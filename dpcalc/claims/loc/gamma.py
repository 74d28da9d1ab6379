"""LOC's closed forms in the bias gamma: a report is true with probability 1/2 + gamma, so q = 1/2 - gamma."""

from __future__ import annotations

from sympy import Expr, Rational, Symbol

from dpcalc import symbolic
from dpcalc.symbolic import k, n, q, t, x

__all__ = ["HALF", "POINT", "derivative", "gamma", "in_gamma", "mean_count"]


#: The bias, 0 < gamma < 1/2.
gamma = Symbol("gamma", positive=True)

HALF = Rational(1, 2)

#: Where identities are tried.
POINT = {n: 5, t: 2, gamma: "1/4"}


def in_gamma(expression: Expr) -> Expr:
    """A closed form of the package for one report per record and q = 1/2 - gamma."""
    return expression.subs({k: 1, q: HALF - gamma})


def derivative(order: int) -> Expr:
    """E[S (S - 1) ... ], ``order`` factors: the derivative at 1 of the count's generating function, t
    bits being 1.
    """
    generating = in_gamma(symbolic.generating_function()).subs(symbolic.m, t)
    return generating.diff(x, order).subs(x, 1)


def mean_count() -> Expr:
    """The mean of the pooled count, t bits being 1."""
    return derivative(1)
