"""A statement beside the one that is true, over the same cases, and the local randomizers they are tried on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TypeVar

from dpcalc.accuracy.lower_bound import Randomizer
from dpcalc.claims.claim import Finding, Ruling
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.elementary import exp

__all__ = ["judged", "odds_below", "randomizers", "response"]

T = TypeVar("T")


def judged(
    cases: Iterable[T],
    said: Callable[[T], bool],
    true: Callable[[T], bool],
    *,
    failing: Ruling,
    over: str,
    said_text: str,
    exact: str,
    shown: Callable[[T], str] = str,
) -> Finding:
    """``failing`` if ``said`` fails in a case, the first being the witness; else it holds on the cases.

    Args:
        cases: where both are tried.
        said: what the document says, for one case.
        true: what is claimed to be true instead; for ``ONLY_FOR``, that ``said`` holds in this case or is not expected.
        failing: the ruling when ``said`` fails.
        over: the range on which it holds, or the cases in words.
        said_text: what is said, as text.
        exact: what is true, as text.
        shown: a case as text.

    Raises:
        ArithmeticError: ``true`` fails in a case.
        ValueError: no case.
    """
    witness, count = "", 0
    for case in cases:
        if not true(case):
            raise ArithmeticError(f"what is taken for true fails at {shown(case)}")
        if not witness and not said(case):
            witness = shown(case)
        count += 1
    if not count:
        raise ValueError(f"no case at all: {over}")
    ruling = failing if witness else Ruling.HOLDS
    return Finding(ruling=ruling, said=said_text, exact=exact, over=over, witness=witness)


def odds_below(exponent: Fraction) -> Fraction:
    """The greatest multiple of 1e-6 that is at most e^exponent: a likelihood ratio that this much
    privacy allows.
    """
    return Fraction(int(exp(exponent).lower * 10**6), 10**6)


def response(odds: Fraction) -> KRandomization:
    """One bit through randomized response with p/q = odds."""
    return KRandomization(n=1, q=1 / (1 + odds))


def randomizers(odds: Fraction) -> tuple[Randomizer, ...]:
    """Local randomizers with likelihood ratios from 1/odds to odds: symmetric, lopsided both ways,
    and with an erasure.

    Where the rarer message of a lopsided one has probability 1/10 given one bit and 1/(10 odds) given
    the other, its common message has a ratio of at most (1 - 1/(10 odds))/(9/10), which is below
    odds.
    """
    tenth, rest = Fraction(1, 10), Fraction(9, 10)
    rare, common = (tenth, rest), (tenth / odds, 1 - tenth / odds)
    lie, kept = 1 / (1 + odds), Fraction(4, 5)
    return (
        Randomizer.of(response(odds)),
        Randomizer(zero=rare, one=common),
        Randomizer(zero=common, one=rare),
        Randomizer(zero=(kept * (1 - lie), kept * lie, 1 - kept), one=(kept * lie, kept * (1 - lie), 1 - kept)),
    )
