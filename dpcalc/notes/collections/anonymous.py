r"""The least flip probability at which a collection gives each of its records a wanted anonymity.

A_p grows with q (``membership`` has the proof), from its limit at q -> 0, which is 1 if every record occurs
twice or more and else 0, up to 2^L (1 - (1 - 2^-L)^(n - 1)) at q -> 1/2, which is not attained. A bisection in floating
point finds the place; both ends of the bracket are exact.

Source: K16, section 3, "Anonymity".
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from dpcalc.choose.crossing import tolerance
from dpcalc.errors import DomainError, NoSolution, Undecided
from dpcalc.notes.collections.membership import Crowd, crowds, hidden, least_hidden
from dpcalc.notes.collections.records import collection
from dpcalc.numbers.bracket import Bracket, short
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.rational import Number, rational
from dpcalc.numbers.search import logarithm

_ALLOWED = "a number > 0"
_RTOL = Fraction(1, 10**6)
_LEAST = 1e-300
_STEPS = 100
_WIDER = 40  # doublings of a bracket that misses, at most


def anonymous_q(records: Iterable[Any], *, anonymity: Number, rtol: Number = _RTOL) -> Bracket:
    """The least q at which A_p, the anonymity of the collection, is at least ``anonymity``.

    Args:
        records: bit vectors, each reported once.
        anonymity: the A_p wanted, > 0: every record's own report is to be at least so many times as likely to come
            from one of the others.
        rtol: relative width of the bracket.

    Raises:
        DomainError: no records, records of different lengths, or an argument out of range.
        NoSolution: that much is never reached, or it is at every q.
        TooLarge: too many different records, or too long a product; see ``anonymity``.

    Source: K16, section 3.

    >>> print(anonymous_q(["11", "00"], anonymity="1/8"))
    0.261203...
    """
    vectors = collection(records)
    wanted = rational(anonymity, "anonymity", _ALLOWED)
    if wanted <= 0:
        raise DomainError("anonymity", anonymity, _ALLOWED)
    width, bits, around = tolerance(rtol), len(vectors[0]), crowds(vectors)
    most = 2**bits * (1 - (1 - Fraction(1, 2**bits)) ** (len(vectors) - 1))
    alike = all(crowd.get(0) for crowd in around.values())
    if wanted >= most and not (alike and wanted <= 1):
        raise NoSolution(f"the anonymity of this collection stays below {Enclosure.of(most):.6g} for every q < 1/2")
    if alike and wanted <= 1:
        raise NoSolution("every record occurs twice or more: its anonymity is at least 1 at every q")
    place = _crossing(list(around.values()), bits, logarithm(wanted))
    share = width / 4
    for _ in range(_WIDER):
        lower = short(place * (1 - share), width)
        upper = min(short(place * (1 + share), width), (Fraction(1, 2) + short(place, width)) / 2)
        values = [least_hidden(vectors, q).value for q in (lower, upper)]
        if values[0] < wanted <= values[1]:
            ends = [Enclosure.of(value) for value in values]
            return Bracket(lower=lower, upper=upper, at_lower=ends[0], at_upper=ends[1])
        share *= 2
    raise Undecided(f"no bracket was found near q = {float(place):.6g}")


def _crossing(around: list[Crowd], bits: int, goal: float) -> Fraction:
    """Where the least of log A crosses the goal, in floating point; A grows with q."""
    low, high = math.log(_LEAST), math.log(0.5)
    if min(hidden(crowd, bits, _LEAST) for crowd in around) >= goal:
        raise NoSolution(f"it has that anonymity already at q = {_LEAST}, the least value searched")
    for _ in range(_STEPS):
        middle = (low + high) / 2
        reached = min(hidden(crowd, bits, math.exp(middle)) for crowd in around) >= goal
        low, high = (low, middle) if reached else (middle, high)
    return Fraction(math.exp(high))
