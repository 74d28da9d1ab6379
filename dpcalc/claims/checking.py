"""How claims are checked: identities by sympy, ranges by exhaustion, printed numbers by rounding.

Each function computes both what the document says and what is true, and rules by comparing the two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from sympy import Expr, Rational, Symbol, simplify, sympify

from dpcalc.claims.claim import Finding, Ruling
from dpcalc.numbers.enclosure import Enclosure

__all__ = ["exhausted", "identity", "printed"]

T = TypeVar("T")


def identity(
    said: Expr,
    true: Expr,
    *,
    at: Mapping[Symbol, Any],
    failing: Ruling = Ruling.CORRECTED,
    shown: tuple[str, str] | None = None,
) -> Finding:
    """Proven if ``said - true`` vanishes identically; else ``failing``, the values at ``at`` being the witness.

    The point also guards against a simplifier that is wrong: the two must agree, or differ, there too.

    Args:
        said: what the document writes.
        true: derived independently of it.
        at: rational values of every symbol.
        failing: the ruling when they differ.
        shown: how the two are to be printed, by default as sympy prints them.
    """
    point = {symbol: Rational(value) for symbol, value in at.items()}
    here, there = (sympify(side).subs(point).doit() for side in (said, true))
    same_here = simplify(here - there) == 0
    same = same_here and simplify(said - true) == 0
    if same_here and not same:
        raise ArithmeticError(
            f"sides that agree at {at} were not shown to be identical: choose another point, or prove it"
        )
    text = shown or (str(said), str(true))
    if same:
        return Finding(ruling=Ruling.PROVEN, said=text[0], exact=text[1])
    place = ", ".join(f"{symbol} = {value}" for symbol, value in at.items())
    return Finding(ruling=failing, said=text[0], exact=text[1], witness=f"at {place}: {here} against {there}")


def exhausted(
    cases: Iterable[T],
    holds: Callable[[T], bool],
    *,
    over: str,
    said: str = "",
    exact: str = "",
    failing: Ruling = Ruling.REFUTED,
    proven: bool = False,
) -> Finding:
    """Holds if it does in every case of the range ``over``; else ``failing``, the first such case being the witness.

    Args:
        cases: every case of the range.
        holds: the statement, for one case.
        over: the range in words.
        said: the document's value or formula.
        exact: the true one.
        failing: the ruling when a case fails.
        proven: the docstring of the check has an argument for every value, of which the range is a test.
    """
    count = 0
    for case in cases:
        if not holds(case):
            return Finding(ruling=failing, said=said, exact=exact, over=over, witness=str(case))
        count += 1
    if not count:
        raise ValueError(f"no case at all: {over}")
    ruling = Ruling.PROVEN if proven else Ruling.HOLDS
    return Finding(ruling=ruling, said=said, exact=exact, over=f"{over} ({count:,} cases)")


def printed(said: str, exact: Fraction | Enclosure, *, failing: Ruling = Ruling.CORRECTED, unit: str = "") -> Finding:
    """Holds if the exact value rounds to the digits the document prints (``said``, such as "0.009" or "5e-53").

    Half a unit of the last place either way is a correct rounding.
    """
    value = Fraction(said)
    mantissa, _, exponent = said.lower().partition("e")
    _, _, decimals = mantissa.partition(".")
    half = Fraction(1, 2) / 10 ** len(decimals) * Fraction(10) ** int(exponent or 0)
    ball = exact if isinstance(exact, Enclosure) else Enclosure.of(exact)
    right = value - half <= ball and ball <= value + half
    ending = f" {unit}" if unit else ""
    return Finding(
        ruling=Ruling.HOLDS if right else failing, said=f"{said}{ending}", exact=f"{ball}{ending}",
        over="rounded to the digits printed" if right else "", witness="" if right else f"{ball}{ending}",
    )  # fmt: skip
