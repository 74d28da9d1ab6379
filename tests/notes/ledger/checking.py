"""Rulings without a range: two forms in symbols, a number and the digits printed, a sign; what our side rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from sympy import Expr, Rational, Symbol, cancel, expand, simplify, sympify

from dpcalc.notes.symbolic import q
from dpcalc.numbers.enclosure import Enclosure
from tests.notes.ledger.claim import Finding, Known, Ruling

_WEAKEST_FIRST = (Known.UNCHECKED, Known.ARGUED, Known.COMPUTED, Known.EXHAUSTED, Known.DEFINITION, Known.IDENTITY)


def identity(
    said: Any, *true: Any, at: Mapping[Symbol, Any], repair: Any = None, failing: Ruling = Ruling.CORRECTED
) -> Finding:
    """Proven if ``said - true`` vanishes identically; else ``failing``, the values at ``at`` being the witness.

    The point also guards against a simplifier that is wrong: the two must agree, or differ, there too.

    Args:
        said: what the document writes.
        true: derived independently of it, once or in several ways.
        at: rational values of every symbol.
        repair: what it should write, if that is not ``true`` itself.
        failing: the ruling when they differ.

    Raises:
        ArithmeticError: the repair is not true either, the derivations differ, or the point tells nothing apart.
    """
    sure(repair is None or same(repair, *true, at=at), f"the repair {repair} is not {true}")
    sure(all(_vanishes(form - true[0]) for form in true[1:]), f"{true} were derived for the same and differ")
    point = {symbol: Rational(value) for symbol, value in at.items()}
    for form in true:
        here, there = (sympify(side).subs(point).doit() for side in (said, form))
        same_here = _vanishes(here - there)
        alike = same_here and _vanishes(said - form)
        sure(alike or not same_here, f"sides that agree at {at} were not shown to be identical: choose another point")
        if not alike:
            place = ", ".join(f"{symbol} = {value}" for symbol, value in at.items())
            return Finding(failing, known=Known.IDENTITY, witness=f"at {place}: {here} against {there}")
    return Finding(Ruling.PROVEN, known=Known.IDENTITY)


def _vanishes(form: Expr) -> bool:
    """Whether the form is 0 identically; multiplied out, or over a common denominator, before more is tried."""
    return bool(form == 0 or expand(form) == 0 or cancel(form) == 0 or simplify(form) == 0)


def same(said: Any, *true: Any, at: Mapping[Symbol, Any]) -> bool:
    """Whether the forms are identical."""
    return identity(said, *true, at=at).ruling is Ruling.PROVEN


def positive(*forms: Expr) -> Finding:
    """Proven if every form is positive for 0 < q < 1/2: with q = 1/(2 + t) its factors are, for every t > 0.

    >>> print(positive(1 - 2 * q, q).ruling, positive(1 - 3 * q).ruling)
    proven refuted
    """
    beyond = Symbol("t", positive=True)
    if all(sympify(form).subs(q, 1 / (2 + beyond)).factor().is_positive for form in forms):
        return Finding(Ruling.PROVEN, known=Known.IDENTITY)
    return Finding(Ruling.REFUTED, known=Known.IDENTITY, witness=str(forms))


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


def all_of(*findings: Finding) -> Finding:
    """The first that is an erratum; if none is, the last, known as the one is that is known least.

    >>> all_of(equal(1, 1), equal(1, 2), equal(2, 2)).witness
    '1 against 2'
    """
    found = next((finding for finding in findings if finding.ruling.erratum), findings[-1])
    return replace(found, known=min((finding.known for finding in findings), key=_WEAKEST_FIRST.index))


def strictly(excess: Fraction | int) -> bool:
    """Whether it is positive; it must not be negative."""
    sure(excess >= 0, "not even >= holds")
    return excess > 0


def sure(right: bool, otherwise: str) -> None:
    """Go on only if our own side is right; an ArithmeticError says what is not."""
    if not right:
        raise ArithmeticError(otherwise)
