"""A document's formula beside what it should be: rulings by their values, case by case.

Where the document is wrong, what is put in its place must be right in every case, and where it is right in part, that
part must have no exception: otherwise there is no ruling at all, but an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar

from dpcalc.claims.claim import Finding, Ruling

__all__ = ["amended", "limited", "restricted"]

T = TypeVar("T")


def amended(
    cases: Iterable[T],
    *,
    printed: Callable[[T], object],
    mended: Callable[[T], object],
    true: Callable[[T], object],
    over: str,
    said: str,
    exact: str,
    shown: Callable[[T], str] = str,
) -> Finding:
    """Corrected, the first case in which ``printed`` is not the true value being the witness; proven if there is none.

    Args:
        cases: every case of the range.
        printed: the document's formula.
        mended: what replaces it.
        true: the value, computed independently of both.
        over: the range in words.
        said: the document's formula in words.
        exact: what replaces it, in words.
        shown: a case in words.

    Raises:
        ArithmeticError: the mended formula is wrong too.

    >>> found = amended(range(4), printed=lambda x: 2 * x, mended=lambda x: x * x, true=lambda x: sum([x] * x),
    ...                 over="x < 4", said="2 x", exact="x^2", shown="x = {}".format)
    >>> print(found.ruling, "|", found.witness)
    corrected | x = 1: 2 against 1
    """
    witness, count = "", 0
    for case in cases:
        count += 1
        value = true(case)
        if mended(case) != value:
            raise ArithmeticError(f"the correction fails at {shown(case)}")
        if not witness and printed(case) != value:
            witness = f"{shown(case)}: {printed(case)} against {value}"
    ruling = Ruling.CORRECTED if witness else Ruling.PROVEN
    return Finding(ruling=ruling, said=said, exact=exact, over=f"{over} ({count:,} cases)", witness=witness)


def limited(
    cases: Iterable[T],
    *,
    printed: Callable[[T], object],
    true: Callable[[T], object],
    within: Callable[[T], bool],
    over: str,
    said: str,
    exact: str,
    shown: Callable[[T], str] = str,
) -> Finding:
    """Holds only for the cases ``within``; the first other one that fails is the witness. Proven if none fails.

    Args:
        cases: cases of both kinds.
        printed: the document's formula, None where it is not defined.
        true: the value, computed independently.
        within: whether a case lies in the range where the formula is right, ``over`` in words.
        over: that range.
        said: the formula in words.
        exact: what is true, in words.
        shown: a case in words.

    Raises:
        ArithmeticError: the formula fails within the range, or no case lies in it.

    >>> found = limited(range(-2, 3), printed=lambda x: x, true=abs, within=lambda x: x >= 0, over="x >= 0",
    ...                 said="x", exact="|x|", shown="x = {}".format)
    >>> print(found.ruling, found.over, "|", found.witness)
    holds only for x >= 0 | x = -2: -2 against 2
    """
    witness, inside = "", 0
    for case in cases:
        value, right = printed(case), true(case)
        if within(case):
            inside += 1
            if value != right:
                raise ArithmeticError(f"the range is too large: {shown(case)}")
        elif not witness and value != right:
            witness = f"{shown(case)}: {'undefined' if value is None else value} against {right}"
    if not inside:
        raise ArithmeticError(f"no case at all: {over}")
    ruling = Ruling.ONLY_FOR if witness else Ruling.PROVEN
    return Finding(ruling=ruling, said=said, exact=exact, over=over, witness=witness)


def restricted(
    cases: Iterable[T],
    holds: Callable[[T], bool],
    within: Callable[[T], bool],
    *,
    over: str,
    said: str,
    exact: str,
    shown: Callable[[T], str] = str,
) -> Finding:
    """``limited`` for a statement: holds only for the cases ``within``, the first other one that fails is the witness.

    >>> found = restricted(range(-2, 3), lambda x: x**3 >= 0, lambda x: x >= 0, over="x >= 0", said="", exact="")
    >>> print(found.ruling, found.over, "|", found.witness)
    holds only for x >= 0 | -2
    """
    found = limited(
        cases, printed=holds, true=lambda _: True, within=within, over=over, said=said, exact=exact, shown=shown
    )
    return replace(found, witness=found.witness.removesuffix(": False against True"))
