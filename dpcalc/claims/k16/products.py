"""Products of factors r_j + x, as in K16's Lemma 1: their coefficients, and the cases it is tried on.

A coefficient that a polynomial does not have is 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement
from math import prod
from typing import Any, TypeAlias

__all__ = ["ROOTS", "R_VALUES", "Roots", "elementary", "every_roots", "nth"]


#: The r_j of Lemma 1.
Roots: TypeAlias = tuple[int, ...]

#: The values that each r_j takes, and the range in words.
R_VALUES = (0, 1, 2, 3, 7)
ROOTS = "up to 4 factors with r_j in {0, 1, 2, 3, 7}"


def elementary(roots: Sequence[Any]) -> list[Any]:
    """The coefficients of prod (r_j + x): a_i is the sum of all products of n - i of the r_j."""
    return [sum(prod(chosen) for chosen in combinations(roots, len(roots) - i)) for i in range(len(roots) + 1)]


def nth(a: Sequence[Any], i: int) -> Any:
    """a_i, 0 where there is none."""
    return a[i] if 0 <= i < len(a) else 0


def every_roots() -> Iterator[Roots]:
    """Every multiset of up to four r_j."""
    for size in range(1, 5):
        yield from combinations_with_replacement(R_VALUES, size)
