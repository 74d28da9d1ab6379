"""K16, section 4.2: Lemma 1, that the coefficients of prod (r_j + x) are log-concave, and the step of its induction.

The step goes from b, the coefficients before the last factor r + x, to a.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from sympy import Expr, Poly, Symbol, expand, symbols

from dpcalc.claims.checking import all_of, exhausted, identity
from dpcalc.claims.claim import Finding, Ledger
from dpcalc.claims.k16.polynomials import ABOVE, B1, B2, QUARTIC, B, read_off
from dpcalc.claims.k16.products import R_VALUES, ROOTS, Roots, elementary, every_roots, nth
from dpcalc.counts.log_concavity import log_concavity
from dpcalc.symbolic import x

__all__ = ["ledger"]

ledger = Ledger("K16")

_R = Symbol("r")
_IN_R: dict[Symbol, Any] = {_R: 1, **QUARTIC}


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

    def holds(roots: Roots) -> bool:
        a = elementary(roots)
        excess = [nth(a, i) ** 2 - nth(a, i + 1) * nth(a, i - 1) for i in range(-1, len(a) + 1)]
        exact = all((value > 0) == (nth(a, i - 1) > 0) and value >= 0 for i, value in enumerate(excess))
        return exact and bool(log_concavity(a))

    return exhausted(
        every_roots(), holds, over=f"{ROOTS}, every i",
        shown=("a_i^2 - a_{i+1} a_{i-1} >= 0", ">= 0, and > 0 exactly where a_i != 0"), proven=True,
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
    assuming="r_1, r_2 > 0, as the line itself says",
)
def _base_case() -> Finding:
    """The identity by multiplying out; a sum of positive terms is > 0.

    The lemma asks for r_j >= 0 only: for r_1 = r_2 = 0 the difference is 0, and the lemma's >= holds
    there too. What this does to the induction is at s4.2-all-positive.
    """
    r1, r2 = symbols("r_1 r_2")
    coefficient = Poly(expand((r1 + x) * (r2 + x)), x).coeff_monomial
    true = expand(coefficient(x) ** 2 - coefficient(1) * coefficient(x**2))
    shown, at = ("r_1^2 + r_2^2 + r_1 r_2 > 0", "a_1^2 - a_0 a_2 > 0"), {r1: 2, r2: 3}
    equal = all_of(
        identity(expand((r1 + r2) ** 2 - r1 * r2), true, at=at, shown=shown),
        identity(r1**2 + r2**2 + r1 * r2, true, at=at, shown=shown),
    )
    positive = exhausted(
        product(filter(None, R_VALUES), repeat=2),
        lambda pair: bool(true.subs(dict(zip((r1, r2), pair, strict=True))) > 0),
        over=f"r_1, r_2 in {', '.join(map(str, filter(None, R_VALUES)))}", shown=shown, proven=True,
    )  # fmt: skip
    return all_of(equal, positive)


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

    def holds(case: tuple[Roots, int]) -> bool:
        roots, last = case
        a, b = elementary((*roots, last)), elementary(roots)
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

    def holds(case: tuple[Roots, int]) -> bool:
        roots, last = case
        a, b = elementary((*roots, last)), elementary(roots)
        said = [nth(b, i) * last + nth(b, i - 1) for i in range(len(roots) + 2)]
        return all(_value(a, at) == _value(said, at) for at in range(len(a)))

    return _induction(holds, "sum of (b_i r + b_{i-1}) x^i", "sum of a_i x^i")


@ledger.claim(
    "4.20", where="(4.20), section 4.2.1", says="a_i = b_i r_(n+1) + b_{i-1}.", assuming="b_{-1} = b_{n+1} = 0"
)
def _recursion() -> Finding:
    """Coefficients of the equal polynomials of (4.19)."""

    def holds(case: tuple[Roots, int]) -> bool:
        roots, last = case
        a, b = elementary((*roots, last)), elementary(roots)
        return all(nth(a, i) == nth(b, i) * last + nth(b, i - 1) for i in range(-1, len(a) + 1))

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
    said = (B * _R + B1) ** 2 - (ABOVE * _R + B) * (B1 * _R + B2)
    return identity(
        expand(said), _step(), at=_IN_R,
        shown=("(b_i r + b_{i-1})^2 - (b_{i+1} r + b_i)(b_{i-1} r + b_{i-2})", "a_i^2 - a_{i+1} a_{i-1}"),
    )  # fmt: skip


@ledger.claim(
    "4.22",
    where="(4.22), section 4.2.1",
    says="a_i^2 - a_{i+1} a_{i-1} = "
    "r^2 (b_i^2 - b_{i+1} b_{i-1}) + r (b_i b_{i-1} - b_{i+1} b_{i-1}) + (b_{i-1}^2 - b_i b_{i-2}).",
    script="""
        from math import comb
        a, b, i = [comb(5, j) for j in range(6)], [comb(4, j) for j in range(5)], 2  # (1 + x)^5, (1 + x)^4, r = 1
        outer = b[i] ** 2 - b[i + 1] * b[i - 1] + b[i - 1] ** 2 - b[i] * b[i - 2]
        said, right = (outer + b[i] * b[i - 1] - b[i + 1] * b[j] for j in (i - 1, i - 2))
        assert a[i] ** 2 - a[i + 1] * a[i - 1] == right != said
    """,
)
def _step_expanded() -> Finding:
    """An index in the middle bracket is one too high.

    The cross terms are 2 r b_i b_{i-1} - r b_{i+1} b_{i-2} - r b_i b_{i-1}: the middle bracket is
    b_i b_{i-1} - b_{i+1} b_{i-2}, with an index one lower than printed.
    """
    outer = _R**2 * (B**2 - ABOVE * B1) + (B1**2 - B * B2)
    said, right = (expand(outer + _R * (B * B1 - ABOVE * low)) for low in (B1, B2))
    return identity(
        said, _step(), repair=right, at=_IN_R,
        shown=("... + r (b_i b_{i-1} - b_{i+1} b_{i-1}) + ...", "... + r (b_i b_{i-1} - b_{i+1} b_{i-2}) + ..."),
    )  # fmt: skip


# --- helpers ------------------------------------------------------------------------------------------------------


def _value(a: Sequence[int], at: int) -> int:
    """The polynomial with the coefficients a, at this point."""
    return sum(c * at**i for i, c in enumerate(a))


def _step() -> Expr:
    """a_i^2 - a_{i+1} a_{i-1} in the coefficients before the factor r + x, read off."""
    below, here, above = (read_off(_R + x, power) for power in (1, 2, 3))
    return expand(here**2 - above * below)


def _induction(holds: Callable[[tuple[Roots, int]], bool], said: str, exact: str) -> Finding:
    """One more factor r + x, for every polynomial of degree up to 4 and every r."""
    return exhausted(
        product(every_roots(), R_VALUES), holds, over=f"{ROOTS}, and as many r", shown=(said, exact), proven=True
    )
