"""K16's polynomials for n single bits: of the count with m ones, and of two records less.

a_i^m is the probability of i ones among the reports of n bits, m of which are 1: the coefficient of x^i in
G_m(x) = (q + p x)^m (p + q x)^(n - m). b_i are the coefficients of Q(x) = G_m(x) / ((q + p x)(p + q x)), 0 < m < n, and
in Lemma 1 (``products``) those of the polynomial before the last factor r + x.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, TypeAlias

from sympy import Expr, Poly, Symbol, expand, symbols

from dpcalc import symbolic
from dpcalc.claims.checking import restricted
from dpcalc.claims.claim import Finding
from dpcalc.claims.k16.forms import QS, observed
from dpcalc.mechanisms.response import KRandomization
from dpcalc.symbolic import k, m, n, q, x

__all__ = [
    "ABOVE",
    "B1",
    "B2",
    "EQUALITY",
    "GRID",
    "GROWS",
    "INSIDE",
    "POINT",
    "QUARTIC",
    "B",
    "Case",
    "enumerated",
    "every_case",
    "generating",
    "mechanisms",
    "read_off",
    "strictly",
]


#: A mechanism, the number m of ones and an outcome i.
Case: TypeAlias = tuple[KRandomization, int, int]

#: The range of a check, and that of a ">", in words.
GRID = "n = 2, ..., 5, every m and i, q = 1/10, 1/4, 2/5"
INSIDE = "0 < i < n, for every 0 < m < n; = at i = 0 and i = n"

#: The coefficients of Q that reach x^i: b_i, b_{i-1}, b_{i-2}, and b_{i+1}, which does not.
ABOVE, B, B1, B2 = symbols("b_{i+1} b_i b_{i-1} b_{i-2}")

#: Where identities are tried: in G_m, and in the b_i, those of (1 + x)^4.
POINT: dict[Symbol, Any] = {n: 4, m: 2, q: "1/4", x: 2}
QUARTIC: dict[Symbol, Any] = {ABOVE: 4, B: 6, B1: 4, B2: 1}

#: What the theorem says of neighbouring m, and the script that shows where it is "=".
GROWS = "a_i^m / a_i^(m+1) > a_i^(m-1) / a_i^m"
EQUALITY = """
    from fractions import Fraction as F
    laws = [[(1 - q) ** 2, q * (1 - q), q * q] for q in (F(1, 10), F(1, 4), F(2, 5))]  # n = 2, 0 to 2 ones: P(s = 0)
    laws += [a[::-1] for a in laws]  # and P(s = 2)
    assert all(a[1] / a[2] == a[0] / a[1] and a[1] ** 2 == a[0] * a[2] for a in laws)
"""


def mechanisms() -> Iterator[KRandomization]:
    """n = 2, ..., 5 at every q."""
    return (KRandomization(n=size, q=lie) for size in range(2, 6) for lie in QS)


def every_case(up_to: int) -> Iterator[Case]:
    """Every (mechanism, m, i) with 0 < m <= n - up_to and 0 <= i <= n."""
    for pool in mechanisms():
        yield from ((pool, ones, i) for ones in range(1, pool.n + 1 - up_to) for i in range(pool.n + 1))


def enumerated(pool: KRandomization, ones: int) -> list[Fraction]:
    """P(s = i) for i = 0, ..., n with ``ones`` ones, by going through every pattern of lies."""
    return observed(ones, pool.n - ones, pool.q)


def generating(ones: Expr) -> Expr:
    """G of ``ones`` ones, k = 1."""
    return symbolic.generating_function().subs({k: 1, m: ones})


def read_off(factor: Expr, power: int = 2) -> Expr:
    """The coefficient of x^i in Q(x) ``factor``, for a factor of degree 2; of x^(i - 2 + power) in general."""
    part = B2 + B1 * x + B * x**2 + ABOVE * x**3
    return Poly(expand(part * factor), x).coeff_monomial(x**power)


def strictly(excess: Callable[[KRandomization, int, int], Fraction | int], said: str) -> Finding:
    """Holds only for 0 < i < n if the excess is positive there and 0 at i = 0 and i = n.

    Raises:
        ArithmeticError: it is not.
    """

    def positive(case: Case) -> bool:
        value = excess(*case)
        if value < 0:
            raise ArithmeticError(f"the difference is {value} at {case}: not even >= holds")
        return value > 0

    return restricted(
        every_case(up_to=1), positive, lambda case: 0 < case[2] < case[0].n, sharp=True,
        over=INSIDE, shown=(said, said.replace(">", ">=")),
        show=lambda case: f"n = {case[0].n}, m = {case[1]}, i = {case[2]}, q = {case[0].q}: "
        f"the difference is {excess(*case)}",
    )  # fmt: skip
