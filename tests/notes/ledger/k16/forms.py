"""K16's printed forms against what they stand for: probabilities enumerated, digits rounded."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction as F
from functools import cache
from itertools import combinations, product
from math import prod
from typing import Any

from dpcalc.errors import Undecided
from dpcalc.numbers.enclosure import Enclosure

QS = (F(1, 10), F(1, 4), F(2, 5))  # the lie probabilities at which formulas are tried
ROUNDED_Q = F(9, 1000)  # the q for n = 1000 and lambda = 2, rounded, that section 4.3 goes on with


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
