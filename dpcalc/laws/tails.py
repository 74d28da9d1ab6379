r"""Certified binomial tails by the regularized incomplete beta function, for n up to 10^15.

    P[Bin(n, p) <= s] = I_{1-p}(n - s, s + 1),    P[Bin(n, p) >= s] = I_p(s, n - s + 1).

Each tail is evaluated in the orientation that does not cancel, so that its relative width is as asked however small it
is. Where Chernoff's bound of the other tail is below the square of the width asked for, it is the answer. Cost is
nearly flat in n.

Source: the classical identity between binomial sums and the beta integral.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dpcalc.errors import DomainError
from dpcalc.laws.pool import Pool
from dpcalc.numbers.ball import ball, bits_for, refine, working_precision
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.rational import Number, between, integer, rational

__all__ = ["binomial_at_least", "binomial_at_most"]

_MAX_N = 10**15  # as many as reports are pooled; far beyond, near the mean, the series have no end
_SPARE = 16  # bits
_MAX_BITS = 1024  # FLINT's incomplete beta function becomes very slow beyond


def binomial_at_most(n: Number, p: Number, s: Number, *, rtol: Number = "1e-12") -> Enclosure:
    """P[Bin(n, p) <= s] to relative width ``rtol``; exact when it is 0 or 1.

    Raises:
        DomainError: n outside 0..10^15, p outside [0, 1], s not whole, rtol outside (0, 1).
        Undecided: rtol is beyond reach (1,024 bits).

    >>> print(binomial_at_most(10**12, "1/10", 10**11 - 1_800_000))
    9.865032605987736...e-10
    """
    size, chance, outcome = _checked(n, p, s)
    width = between(rtol, "rtol", 0, 1, "a relative width")
    if outcome < 0 or (chance == 1 and outcome < size):
        return Enclosure.of(0)
    if outcome >= size or chance == 0:
        return Enclosure.of(1)
    with working_precision(bits_for(width) + size.bit_length() + _SPARE):
        missing = Pool.of((chance, size)).chernoff(outcome + 1, upper=True)
        if missing < ball(width**2):  # where the series for what is all but 1 would take long
            return Enclosure(1 - width**2, Fraction(1))
    found = _beta(size - outcome, outcome + 1, 1 - chance, width)
    return Enclosure(found.lower, min(found.upper, Fraction(1)))


def binomial_at_least(n: Number, p: Number, s: Number, *, rtol: Number = "1e-12") -> Enclosure:
    """P[Bin(n, p) >= s] to relative width ``rtol``; exact when it is 0 or 1.

    Raises:
        DomainError: n outside 0..10^15, p outside [0, 1], s not whole, rtol outside (0, 1).
        Undecided: rtol is beyond reach (1,024 bits).
    """
    size, chance, outcome = _checked(n, p, s)
    return binomial_at_most(size, 1 - chance, size - outcome, rtol=rtol)


def _checked(n: Number, p: Number, s: Number) -> tuple[int, Fraction, int]:
    size, outcome = integer(n, "n", minimum=0, maximum=_MAX_N), rational(s, "s", "a whole number")
    chance = rational(p, "p", "a probability with 0 <= p <= 1")
    if not 0 <= chance <= 1:
        raise DomainError("p", p, "a probability with 0 <= p <= 1")
    if outcome.denominator != 1:
        raise DomainError("s", s, "a whole number")
    return size, chance, int(outcome)


def _beta(a: int, b: int, x: Fraction, rtol: Fraction) -> Enclosure:
    """I_x(a, b); about log2(a + b) bits are lost to the powers in it."""
    start = bits_for(rtol) + (a + b).bit_length() + _SPARE
    return refine(lambda: ball(x).beta_lower(arb(a), arb(b), 1), rtol=rtol, start=start, cap=_MAX_BITS)
