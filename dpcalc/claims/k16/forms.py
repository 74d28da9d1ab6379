"""K16's printed forms against what they stand for: roots made rational, probabilities enumerated, digits rounded.

The document writes p and q side by side. ``p`` is a symbol of its own here, so that what it prints can be copied as it
stands; p + q = 1 comes in only when two forms are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, prod
from typing import Any

from sympy import Expr, Pow, Symbol, cancel, expand, expand_log, factor, log, sympify, together

from dpcalc import symbolic
from dpcalc.claims.checking import all_of, identity
from dpcalc.claims.claim import Finding, Ruling
from dpcalc.errors import Undecided
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.symbolic import k, n, q, x

__all__ = [
    "AT_END",
    "QS",
    "ROUNDED_Q",
    "choose",
    "for_repeats",
    "in_odds",
    "moments",
    "observed",
    "p",
    "ratio_of_ones",
    "rounded",
    "triples",
    "variance_at_closed_q",
]

p = Symbol("p", positive=True)

#: The lie probabilities at which formulas are tried.
QS = (Fraction(1, 10), Fraction(1, 4), Fraction(2, 5))

#: The q for n = 1000 and lambda = 2, rounded, that section 4.3 goes on with.
ROUNDED_Q = Fraction(9, 1000)

#: What (5.14) to (5.20) are to be equal to.
AT_END = "bound (5.13) at pkn - 3 sqrt(pqkn)"

_r, _w = Symbol("r", positive=True), Symbol("w", positive=True)


def in_odds(
    said: Expr,
    true: Expr,
    *,
    reports: Any = 1,
    shown: tuple[str, str] | None = None,
    failing: Ruling = Ruling.CORRECTED,
) -> Finding:
    """``identity`` where roots of p, q and N = k n occur: with r^2 = p/q and w^2 = N both sides are rational in r, w.

    Args:
        said: what the document writes.
        true: derived independently of it.
        reports: k, a number or the symbol.
        shown: how the two are to be printed.
        failing: the ruling when they differ.
    """
    point = {_r: 2, _w: 10}
    sides = [_rational(side, reports) for side in (said, true)]
    found = identity(*sides, at=point, failing=failing, shown=shown or (str(said), str(true)))
    where = f"at q = 1/5, k = {reports}, k n = 100" if reports != 1 else "at q = 1/5, n = 100"
    return replace(found, witness=found.witness and where + found.witness[found.witness.index(":") :])


def for_repeats(said: Callable[[int], Expr], true: Expr, text: str) -> Finding:
    """``in_odds`` for k = 1, 2, 3, where the general step is in the docstring of the check."""
    return all_of(
        *(in_odds(said(count).subs(k, count), true, reports=count, shown=(text, AT_END)) for count in (1, 2, 3))
    )


def _rational(form: Expr, reports: Any) -> Expr:
    values = {p: _r**2 / (1 + _r**2), q: 1 / (1 + _r**2), n: _w**2 / reports}
    inserted = sympify(form).subs(k, reports).subs(values)
    rational = inserted.replace(
        lambda part: part.is_Pow and part.exp.is_Rational and not part.exp.is_integer,
        lambda part: Pow(factor(together(part.base)), part.exp),
    )
    return cancel(together(rational))


def triples(users: int, repeats: int) -> Iterator[tuple[int, int, Fraction]]:
    """(n, k, q) for n up to ``users`` and k up to ``repeats``."""
    return product(range(1, users + 1), range(1, repeats + 1), QS)


def ratio_of_ones(n: int, q: Fraction, i: Fraction | int) -> Fraction:
    """(4.32): the ratio of i ones among n reports, i a real number.

    >>> ratio_of_ones(1, Fraction(1, 4), 0), ratio_of_ones(1, Fraction(1, 4), 1)
    (Fraction(3, 1), Fraction(1, 3))
    """
    return Fraction(n - i) / n * (1 - q) / q + Fraction(i) / n * q / (1 - q)


@cache
def observed(ones: int, zeros: int, q: Fraction, k: int = 1) -> list[Fraction]:
    """P[S = s] for s = 0, ..., k n with ``ones`` records 1 and ``zeros`` 0, by going through every pattern of lies.

    >>> observed(1, 1, Fraction(1, 4))
    [Fraction(3, 16), Fraction(5, 8), Fraction(3, 16)]
    """
    bits = [1] * (k * ones) + [0] * (k * zeros)
    law = [Fraction(0)] * (len(bits) + 1)
    for lies in product((0, 1), repeat=len(bits)):
        law[sum(map(int.__xor__, bits, lies))] += prod((q if lie else 1 - q for lie in lies), start=Fraction(1))
    return law


def moments(ones: Any) -> tuple[Expr, Expr]:
    """Mean and variance of S with ``ones`` of the n records 1, from log G: its derivatives at x = 1.

    Raises:
        ArithmeticError: G is not 1 at x = 1, as the probabilities sum to 1.
    """
    generating = symbolic.generating_function()
    if generating.subs(x, 1) != 1:
        raise ArithmeticError(f"the probabilities of {generating} do not sum to 1")
    cumulants = expand_log(log(generating), force=True)
    first, second = (cumulants.diff(x, order).subs({symbolic.m: ones, x: 1}) for order in (1, 2))
    return first, expand(first + second)


def choose(total: int, part: int) -> int:
    """The binomial coefficient, 0 when ``part`` is negative."""
    return comb(total, part) if part >= 0 else 0


def rounded(value: Enclosure | Fraction, places: int) -> str:
    """The value to so many decimal places, correctly rounded.

    Raises:
        Undecided: the ends of the enclosure round differently.

    >>> rounded(Fraction(2, 3), 2), rounded(Fraction(6), 1)
    ('0.67', '6.0')
    """
    ends = (value.lower, value.upper) if isinstance(value, Enclosure) else (value, value)
    low, high = (round(end * 10**places) for end in ends)
    if low != high:
        raise Undecided(f"{value} to {places} places cannot be decided", Enclosure(*ends))
    digits = str(abs(low)).rjust(places + 1, "0")
    return f"{'-' if low < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def variance_at_closed_q() -> Expr:
    """The estimate's variance n v/k with v = pq/(p - q)^2 = (1/(1 - 2q)^2 - 1)/4, at the closed form of the least q.

    Raises:
        ArithmeticError: the closed form of the variance is not n v/k.
    """
    known = identity(symbolic.variance(), n / k * (1 / (1 - 2 * q) ** 2 - 1) / 4, at={q: "1/5", n: 100, k: 2})
    if known.ruling is not Ruling.PROVEN:
        raise ArithmeticError(f"the variance {symbolic.variance()} is not pqn/(k (p - q)^2)")
    gap = 1 - 2 * symbolic.closed_q()
    return cancel(n / k * (1 / gap**2 - 1) / 4)
