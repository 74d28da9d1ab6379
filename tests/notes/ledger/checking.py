"""Rulings without a range: a number and the digits printed, a sign; what our side rests on."""

from __future__ import annotations

from fractions import Fraction

from sympy import Expr, cancel, expand, simplify

from dpcalc.numbers.enclosure import Enclosure
from tests.notes.ledger.claim import Finding, Ruling


def same(said: Expr, true: Expr) -> bool:
    """Whether the forms are identical; multiplied out, or over a common denominator, before more is tried."""
    form = said - true
    return bool(form == 0 or expand(form) == 0 or cancel(form) == 0 or simplify(form) == 0)


def printed(said: str, exact: Fraction | Enclosure, *, failing: Ruling = Ruling.CORRECTED, unit: str = "") -> Finding:
    """Holds if the exact value rounds to the digits the document prints (``said``, such as "0.009" or "5e-53").

    Half a unit of the last place either way is a correct rounding.

    >>> print(printed("0.67", Fraction(2, 3)).ruling, "|", printed("0.66", Fraction(2, 3)).ruling)
    holds | corrected
    """
    value = Fraction(said)
    mantissa, _, exponent = said.lower().partition("e")
    _, _, decimals = mantissa.partition(".")
    half = Fraction(1, 2) / 10 ** len(decimals) * Fraction(10) ** int(exponent or 0)
    ball = exact if isinstance(exact, Enclosure) else Enclosure.of(exact)
    right = value - half <= ball and ball <= value + half
    ending = f" {unit}" if unit else ""
    text = f"{ball}{ending}"
    if right:
        return Finding(Ruling.HOLDS, said=f"{said}{ending}", exact=text, over="rounded to the digits printed")
    return Finding(failing, said=f"{said}{ending}", exact=text, witness=text)


def equal(said: object, exact: object, *, over: str = "") -> Finding:
    """Whether the document's value is the exact one: holds, else corrected.

    >>> found = equal(5, sum(range(4)))
    >>> print(found.ruling, "|", found.witness)
    corrected | 5 against 6
    """
    if said == exact:
        return Finding(Ruling.HOLDS, said=str(said), exact=str(exact), over=over)
    return Finding(Ruling.CORRECTED, said=str(said), exact=str(exact), witness=f"{said} against {exact}")


def strictly(excess: Fraction | int) -> bool:
    """Whether it is positive; it must not be negative."""
    sure(excess >= 0, "not even >= holds")
    return excess > 0


def sure(right: bool, otherwise: str) -> None:
    """Go on only if our own side is right; an ArithmeticError says what is not."""
    if not right:
        raise ArithmeticError(otherwise)
