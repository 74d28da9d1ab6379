r"""The exponential and the logarithm of a rational, enclosed: the way between eps and lambda = e^eps.

By Lindemann's theorem e^x is irrational for every rational x but 0, and log x for every positive rational x but 1.
"""

from __future__ import annotations

from fractions import Fraction

from dpcalc.errors import DomainError
from dpcalc.numbers.ball import ball, refine
from dpcalc.numbers.enclosure import Enclosure

__all__ = ["exp", "log"]

_RTOL = Fraction(1, 10**20)
_HALF = Fraction(1, 2)


def exp(x: Fraction, *, rtol: Fraction = _RTOL) -> Enclosure:
    """e^x to relative width ``rtol``; exact at x = 0.

    Raises:
        TooLarge, Undecided: x beyond about 690,000 in absolute value.

    >>> print(exp(Fraction(1)), exp(Fraction(0)))
    2.7182818284590452... 1
    """
    return refine(lambda: ball(x).exp(), rtol=rtol)


def log(x: Fraction, *, rtol: Fraction = _RTOL) -> Enclosure:
    """log x to relative width ``rtol``; exact at x = 1.

    Raises:
        DomainError: x <= 0.

    >>> print(log(Fraction(3)), log(Fraction(1)))
    1.0986122886681096... 0
    """
    if x <= 0:
        raise DomainError("x", x, "a positive number")
    # log1p keeps the relative accuracy that log loses next to 1, where log x is next to 0.
    return refine(lambda: ball(x - 1).log1p() if x > _HALF else ball(x).log(), rtol=rtol)
