"""K16's printed forms against what they stand for: roots made rational, probabilities enumerated, digits rounded.

The document writes p and q side by side. ``P`` is a symbol of its own here, so that what it prints can be copied as it
stands; p + q = 1 comes in only when two forms are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction as F
from functools import cache
from itertools import combinations, product
from math import prod
from typing import Any

from sympy import (
    Expr,
    Mul,
    Poly,
    Pow,
    Symbol,
    cancel,
    expand,
    expand_log,
    factor,
    log,
    symbols,
    sympify,
    together,
)  # fmt: skip

from dpcalc import symbolic
from dpcalc.errors import Undecided
from dpcalc.notes.symbolic import k, n, q, x
from dpcalc.numbers.enclosure import Enclosure
from tests.notes.ledger.checking import identity, same, sure
from tests.notes.ledger.claim import Finding

P = Symbol("p", positive=True)
QS = (F(1, 10), F(1, 4), F(2, 5))  # the lie probabilities at which formulas are tried
ROUNDED_Q = F(9, 1000)  # the q for n = 1000 and lambda = 2, rounded, that section 4.3 goes on with

#: The coefficients of a polynomial that reach x^i, b_i, b_{i-1}, b_{i-2}, and b_{i+1}; and those of (1 + x)^4.
ABOVE, B, B1, B2 = symbols("b_{i+1} b_i b_{i-1} b_{i-2}")

_R, _W = Symbol("r", positive=True), Symbol("w", positive=True)


def in_odds(said: Expr, *true: Expr, reports: Any = 1) -> Finding:
    """``identity`` where roots of p, q and N = k n occur: with r^2 = p/q and w^2 = N all sides are rational in r, w.

    Args:
        said: what the document writes.
        true: derived independently of it, once or in several ways.
        reports: k, a number or the symbol.
    """
    found = identity(*(_rational(side, reports) for side in (said, *true)), at={_R: 2, _W: 10})
    where = f"at q = 1/5, k = {reports}, k n = 100" if reports != 1 else "at q = 1/5, n = 100"
    return replace(found, witness=found.witness and where + found.witness[found.witness.index(":") :])


def _rational(form: Expr, reports: Any) -> Expr:
    values = {P: _R**2 / (1 + _R**2), q: 1 / (1 + _R**2), n: _W**2 / reports}
    rational = sympify(form).subs(k, reports).subs(values).replace(
        lambda part: part.is_Pow and part.exp.is_Rational and not part.exp.is_integer,
        lambda part: Pow(factor(together(part.base)), part.exp),
    )  # fmt: skip
    return cancel(together(rational))


def bases(form: Expr, *exponents: Symbol) -> list[Expr]:
    """a, b, ... of a product that is a^i b^j ..., whatever the exponents i, j, ... are.

    >>> from sympy.abc import i, j
    >>> bases(x**(i - j) * (1 + x) ** (2 * j), i, j)
    [x, (x + 1)**2/x]

    Raises:
        ArithmeticError: it is no such product.
    """
    powers = [factor.as_base_exp() for factor in Mul.make_args(form)]
    for _, exponent in powers:
        linear = sum(exponent.expand().coeff(i) * i for i in exponents)
        sure(expand(exponent - linear) == 0, f"{form} is no product of powers with linear exponents")
    return [Mul(*(base ** exponent.expand().coeff(i) for base, exponent in powers)) for i in exponents]


def read_off(factor: Expr, power: int = 2) -> Expr:
    """The coefficient of x^i in Q(x) ``factor``, for a factor of degree 2; of x^(i - 2 + power) in general."""
    return Poly(expand((B2 + B1 * x + B * x**2 + ABOVE * x**3) * factor), x).coeff_monomial(x**power)


def moments(ones: Any) -> tuple[Expr, Expr]:
    """Mean and variance of S with ``ones`` of the n records 1: the derivatives of log G at x = 1, where G must be 1."""
    generating = symbolic.generating_function()
    sure(generating.subs(x, 1) == 1, f"the probabilities of {generating} do not sum to 1")
    cumulants = expand_log(log(generating), force=True)
    first, second = (cumulants.diff(x, order).subs({symbolic.m: ones, x: 1}) for order in (1, 2))
    return first, expand(first + second)


def closed_variance() -> Expr:
    """The estimate's variance n v/k with v = pq/(p - q)^2 = (1/(1 - 2q)^2 - 1)/4, at the closed form of the least q."""
    v = (1 / (1 - 2 * q) ** 2 - 1) / 4
    sure(same(symbolic.variance(), n / k * v, at={q: "1/5", n: 100, k: 2}), "the variance is not pqn/(k (p - q)^2)")
    return cancel(n / k * v.subs(q, symbolic.closed_q()))


# --- numbers ------------------------------------------------------------------------------------------------------


def elementary(roots: Sequence[Any]) -> list[Any]:
    """The coefficients of prod (r_j + x): a_i is the sum of all products of n - i of the r_j."""
    return [sum(prod(chosen) for chosen in combinations(roots, len(roots) - i)) for i in range(len(roots) + 1)]


def ratio_of_ones(n: int, q: F, i: F | int) -> F:
    """(4.32): the ratio of i ones among n reports, i a real number.

    >>> ratio_of_ones(1, F(1, 4), 0), ratio_of_ones(1, F(1, 4), 1)
    (Fraction(3, 1), Fraction(1, 3))
    """
    return F(n - i) / n * (1 - q) / q + F(i) / n * q / (1 - q)


@cache
def observed(ones: int, zeros: int, q: F, k: int = 1) -> list[F]:
    """P[S = s] for s = 0, ..., k n with ``ones`` records 1 and ``zeros`` 0, by going through every pattern of lies.

    >>> observed(1, 1, F(1, 4))
    [Fraction(3, 16), Fraction(5, 8), Fraction(3, 16)]
    """
    bits = [1] * (k * ones) + [0] * (k * zeros)
    law = [F(0)] * (len(bits) + 1)
    for lies in product((0, 1), repeat=len(bits)):
        law[sum(map(int.__xor__, bits, lies))] += prod((q if lie else 1 - q for lie in lies), start=F(1))
    return law


def rounded(value: Enclosure | F, places: int) -> str:
    """The value to so many decimal places, correctly rounded.

    Raises:
        Undecided: the ends of the enclosure round differently.

    >>> rounded(F(2, 3), 2), rounded(F(6), 1)
    ('0.67', '6.0')
    """
    ends = (value.lower, value.upper) if isinstance(value, Enclosure) else (value, value)
    low, high = (round(end * 10**places) for end in ends)
    if low != high:
        raise Undecided(f"{value} to {places} places cannot be decided", Enclosure(*ends))
    digits = str(abs(low)).rjust(places + 1, "0")
    return f"{'-' if low < 0 else ''}{digits[:-places]}.{digits[-places:]}"
