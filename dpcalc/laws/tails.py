r"""Certified binomial tails, for n up to 10^15: of a pool of one kind of reports (``laws.pool``).

Each tail is summed on the side where nothing cancels, so that its relative width is as asked however small it is.
"""

from __future__ import annotations

from fractions import Fraction

from dpcalc.errors import DomainError
from dpcalc.laws.pool import Pool
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.rational import Number, between, integer, rational, within

_MAX_N = 10**15  # as many as reports are pooled


def binomial_at_most(n: Number, p: Number, s: Number, *, rtol: Number = "1e-12") -> Enclosure:
    """P[Bin(n, p) <= s] to relative width ``rtol``; exact when it is 0 or 1.

    Raises:
        DomainError: n outside 0..10^15, p outside [0, 1], s not whole, rtol outside (0, 1).

    >>> print(binomial_at_most(10**12, "1/10", 10**11 - 1_800_000))
    9.8650326059877368...e-10
    """
    size, chance, outcome = _checked(n, p, s)
    width = between(rtol, "rtol", 0, 1, "a relative width")
    if outcome < 0 or (chance == 1 and outcome < size):
        return Enclosure.of(0)
    if outcome >= size or chance == 0:
        return Enclosure.of(1)
    return Pool.of((chance, size)).at_most(outcome, rtol=width)


def binomial_at_least(n: Number, p: Number, s: Number, *, rtol: Number = "1e-12") -> Enclosure:
    """P[Bin(n, p) >= s] to relative width ``rtol``; exact when it is 0 or 1.

    Raises:
        DomainError: n outside 0..10^15, p outside [0, 1], s not whole, rtol outside (0, 1).
    """
    size, chance, outcome = _checked(n, p, s)
    return binomial_at_most(size, 1 - chance, size - outcome, rtol=rtol)


def _checked(n: Number, p: Number, s: Number) -> tuple[int, Fraction, int]:
    size, outcome = integer(n, "n", minimum=0, maximum=_MAX_N), rational(s, "s", "a whole number")
    chance = within(p, "p", 0, 1, "a probability")
    if outcome.denominator != 1:
        raise DomainError("s", s, "a whole number")
    return size, chance, int(outcome)
