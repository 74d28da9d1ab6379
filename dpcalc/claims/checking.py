"""Rulings: what becomes of a statement, found by comparing what the document says with what is true.

==============  =====================================================================================================
``identity``    two forms in symbols, for all values
``printed``     a number, to the digits the document prints
``equal``       a value beside the exact one
``exhausted``   a statement or formula, in every case of a range
``repaired``    one that fails, beside its repair, which must not
``restricted``  one that fails outside a range, and must not within
``all_of``      several findings on one claim
==============  =====================================================================================================

A ruling may only blame the document: where our own side fails, that is, the repair is wrong too, the range has an
exception, or there was nothing to try, there is no finding but an ``ArithmeticError``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from sympy import Expr, Rational, Symbol, simplify, sympify

from dpcalc.claims.claim import Finding, Ruling
from dpcalc.numbers.enclosure import Enclosure

__all__ = ["all_of", "equal", "exhausted", "identity", "named", "printed", "repaired", "restricted", "unpacked"]

S = TypeVar("S")
T = TypeVar("T")


# --- one form, one number -----------------------------------------------------------------------------------------


def identity(
    said: Expr,
    true: Expr,
    *,
    at: Mapping[Symbol, Any],
    repair: Expr | None = None,
    failing: Ruling = Ruling.CORRECTED,
    shown: tuple[str, str] | None = None,
) -> Finding:
    """Proven if ``said - true`` vanishes identically; else ``failing``, the values at ``at`` being the witness.

    The point also guards against a simplifier that is wrong: the two must agree, or differ, there too.

    Args:
        said: what the document writes.
        true: derived independently of it.
        at: rational values of every symbol.
        repair: what it should write, if that is not ``true`` itself.
        failing: the ruling when they differ.
        shown: how the two are to be printed, by default as sympy prints them.

    Raises:
        ArithmeticError: the repair is not true either, or the point does not tell apart what differs.
    """
    if repair is not None and identity(repair, true, at=at).ruling is not Ruling.PROVEN:
        raise ArithmeticError(f"the repair {repair} is not {true}")
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
    return Finding(
        ruling=Ruling.HOLDS if right else failing, said=f"{said}{ending}", exact=f"{ball}{ending}",
        over="rounded to the digits printed" if right else "", witness="" if right else f"{ball}{ending}",
    )  # fmt: skip


def equal(
    said: object, exact: object, *, over: str = "", shown: tuple[str, str] | None = None, proven: bool = False
) -> Finding:
    """Whether the document's value is the exact one: holds (or is proven), else corrected.

    >>> found = equal(5, sum(range(4)))
    >>> print(found.ruling, "|", found.witness)
    corrected | 5 against 6
    """
    text = shown or (str(said), str(exact))
    if said != exact:
        return Finding(ruling=Ruling.CORRECTED, said=text[0], exact=text[1], witness=f"{said} against {exact}")
    ruling = Ruling.PROVEN if proven else Ruling.HOLDS
    return Finding(ruling=ruling, said=text[0], exact=text[1], over=over)


# --- case by case -------------------------------------------------------------------------------------------------


def exhausted(
    cases: Iterable[T],
    holds: Callable[[T], bool],
    *,
    over: str,
    shown: tuple[str, str] = ("", ""),
    failing: Ruling = Ruling.REFUTED,
    proven: bool = False,
    show: Callable[[T], str] = str,
) -> Finding:
    """Holds if it does in every case of the range ``over``; else ``failing``, the first such case being the witness.

    Args:
        cases: every case of the range.
        holds: the statement, for one case.
        over: the range in words.
        shown: the document's value or formula and the true one, in words.
        failing: the ruling when a case fails.
        proven: the docstring of the check has an argument for every value, of which the range is a test.
        show: a case in words.

    Raises:
        ArithmeticError: there is no case.

    >>> found = exhausted(range(4), lambda x: 2**x > x, over="x < 4", proven=True)
    >>> print(found.ruling, "|", found.over)
    proven | x < 4 (4 cases)
    """
    count = 0
    for case in cases:
        if not holds(case):
            return Finding(ruling=failing, said=shown[0], exact=shown[1], over=over, witness=show(case))
        count += 1
    _need(count, over)
    ruling = Ruling.PROVEN if proven else Ruling.HOLDS
    return Finding(ruling=ruling, said=shown[0], exact=shown[1], over=_counted(over, count))


def repaired(
    cases: Iterable[T],
    said: Callable[[T], object],
    repair: Callable[[T], object],
    *,
    over: str,
    shown: tuple[str, str],
    true: Callable[[T], object] | None = None,
    failing: Ruling = Ruling.CORRECTED,
    show: Callable[[T], str] = str,
) -> Finding:
    """``failing`` where what is said fails and its repair never does; the first failure is the witness.

    Args:
        cases: every case of the range.
        said: the document's statement, for one case; or its formula, if ``true`` is given.
        repair: what replaces it.
        over: the range in words.
        shown: the two in words.
        true: the value both formulas are to have, computed independently of them.
        failing: the ruling when what is said fails.
        show: a case in words.

    Raises:
        ArithmeticError: the repair fails too, or there is no case.

    >>> found = repaired(range(4), lambda x: x < 3, lambda x: x <= 3, over="x < 4", shown=("x < 3", "x <= 3"))
    >>> print(found.ruling, "|", found.witness)
    corrected | 3
    >>> found = repaired(range(4), lambda x: 2 * x, lambda x: x * x, true=lambda x: sum([x] * x),
    ...                  over="x < 4", shown=("2 x", "x^2"), show="x = {}".format)
    >>> print(found.ruling, "|", found.witness)
    corrected | x = 1: 2 against 1
    """
    witness, count = "", 0
    for case in cases:
        count += 1
        exact = true(case) if true else True
        if repair(case) != exact:
            raise ArithmeticError(f"the repair fails at {show(case)}")
        if not witness and (value := said(case)) != exact:
            witness = show(case) + (_against(value, exact) if true else "")
    _need(count, over)
    ruling = failing if witness else Ruling.HOLDS
    return Finding(ruling=ruling, said=shown[0], exact=shown[1], over=_counted(over, count), witness=witness)


def restricted(
    cases: Iterable[T],
    said: Callable[[T], object],
    where: Callable[[T], bool],
    *,
    over: str,
    shown: tuple[str, str],
    true: Callable[[T], object] | None = None,
    sharp: bool = False,
    show: Callable[[T], str] = str,
) -> Finding:
    """Holds only for the cases ``where`` (``over`` in words), if it does for all of them, and fails for another.

    Args:
        cases: cases of both kinds; the first one outside the range that fails is the witness.
        said: the document's statement, for one case; or its formula, None where undefined, if ``true`` is given.
        where: whether a case lies in the range.
        over: the range in words.
        shown: what is said and what is true, in words.
        true: the value the formula is to have, computed independently of it.
        sharp: the range is all there is: every case outside must fail.
        show: a case in words.

    Raises:
        ArithmeticError: it fails within the range, the range is empty, or ``sharp`` and it holds outside.

    >>> found = restricted(range(-2, 3), lambda x: x**3 >= 0, lambda x: x >= 0, over="x >= 0", shown=("", ""))
    >>> print(found.ruling, found.over, "|", found.witness)
    holds only for x >= 0 | -2
    >>> found = restricted(range(-2, 3), lambda x: x, lambda x: x >= 0, true=abs, sharp=True,
    ...                    over="x >= 0", shown=("x", "|x|"), show="x = {}".format)
    >>> print(found.ruling, found.over, "|", found.witness)
    holds only for x >= 0 | x = -2: -2 against 2
    """
    witness, inside = "", 0
    for case in cases:
        exact, value, within = true(case) if true else True, said(case), where(case)
        inside += within
        if within and value != exact:
            raise ArithmeticError(f"it fails within the range {over}, at {show(case)}")
        if sharp and not within and value == exact:
            raise ArithmeticError(f"it holds outside the range {over}, at {show(case)}")
        if not witness and value != exact:
            witness = show(case) + (_against(value, exact) if true else "")
    _need(inside, over)
    ruling = Ruling.ONLY_FOR if witness else Ruling.HOLDS
    return Finding(ruling=ruling, said=shown[0], exact=shown[1], over=over, witness=witness)


def _need(count: int, over: str) -> None:
    if not count:
        raise ArithmeticError(f"no case at all: {over}")


def _counted(over: str, count: int) -> str:
    return f"{over} ({count:,} cases)"


def _against(value: object, exact: object) -> str:
    return f": {'undefined' if value is None else value} against {exact}"


# --- several findings, cases of several entries -------------------------------------------------------------------


def all_of(*findings: Finding) -> Finding:
    """The first that is an erratum; if none is, the last.

    >>> all_of(equal(1, 1), equal(1, 2), equal(2, 2)).witness
    '1 against 2'
    """
    return next((found for found in findings if found.ruling.erratum), findings[-1])


def unpacked(function: Callable[..., S]) -> Callable[[Sequence[Any]], S]:
    """The function of several arguments as one of a case, the tuple of them.

    >>> unpacked(lambda n, k: n * k)((2, 3))
    6
    """
    return lambda case: function(*case)


def named(names: str) -> Callable[[Sequence[Any]], str]:
    """Cases of several entries in words.

    >>> named("n, q")((2, Fraction(1, 4)))
    '(n, q) = (2, 1/4)'
    """
    return lambda case: f"({names}) = ({', '.join(map(str, case))})"
