"""K16's randomizer by its definition: every flip X of every bit with its probability, q for X = 1 and p for X = 0.

What is a polynomial in q of degree at most five is compared at the six points 1/14, ..., 6/14, which makes it an
identity in q.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, combinations_with_replacement, product
from math import prod

from dpcalc.mechanisms.records import Record, cells

__all__ = ["HALF", "SIX_QS", "joint_law", "law_of", "meets", "randomized", "small_collections"]


#: The q of a fair coin.
HALF = Fraction(1, 2)

#: Six lie probabilities below it.
SIX_QS = tuple(Fraction(j, 14) for j in range(1, 7))


def randomized(v: Sequence[int], flips: Sequence[int]) -> Record:
    """R(v; X), by the definition's formula."""
    return tuple((1 - b) * x + b * (1 - x) for b, x in zip(v, flips, strict=True))


@cache
def law_of(v: Record, lie: Fraction) -> dict[Record, Fraction]:
    """P[R(v) = s] for every s, added up over all flips."""
    law = dict.fromkeys(cells(len(v)), Fraction(0))
    for flips in product((0, 1), repeat=len(v)):
        law[randomized(v, flips)] += prod(lie if x else 1 - lie for x in flips)
    return law


@cache
def joint_law(records: tuple[Record, ...], lie: Fraction) -> dict[tuple[Record, ...], Fraction]:
    """P[(R(x_1), ..., R(x_n)) = (s_1, ..., s_n)]: all the bits flip independently."""
    if not records:
        return {(): Fraction(1)}
    bits = len(records[0])
    law = law_of(tuple(chain(*records)), lie)
    return {tuple(s[i : i + bits] for i in range(0, len(s), bits)): chance for s, chance in law.items()}


def meets(joint: dict[tuple[Record, ...], Fraction], event: set[Record]) -> Fraction:
    """The probability that some report lies in the event."""
    return sum((chance for reports, chance in joint.items() if not event.isdisjoint(reports)), Fraction(0))


def small_collections(least: int) -> Iterator[tuple[Record, ...]]:
    """All collections of ``least`` to 3 records of 1 bit and of ``least`` to 2 records of 2 bits."""
    for bits, most in ((1, 3), (2, 2)):
        for size in range(least, most + 1):
            yield from combinations_with_replacement(cells(bits), size)
