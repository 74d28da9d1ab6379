"""Roots, powers, logarithms, exponentials of rationals: exact where that fits, else enclosures."""

from __future__ import annotations

from fractions import Fraction

from flint import fmpz

from dpcalc.errors import DomainError
from dpcalc.numbers.ball import ball, refine
from dpcalc.numbers.enclosure import Enclosure

#: Default relative width of elementary values: far below what is printed, and as fast as a wider one.
FINE = Fraction(1, 10**40)

_MOST_ROOT = (1 << 63) - 1  # FLINT's largest k; for a larger one the whole part of the k-th root is the same
_EXACT_BITS = 1 << 21  # length of a power up to which it is exact: a tenth of a second


def root(x: Fraction, k: int, rtol: Fraction = FINE) -> Enclosure:
    """The k-th root of x >= 0; exact when it is rational.

    >>> print(root(Fraction(8, 27), 3)), print(root(Fraction(2), 2))
    2/3
    1.4142135623730950...
    (None, None)
    """
    exact = [int(fmpz(part).root(min(k, _MOST_ROOT))) for part in (x.numerator, x.denominator)]
    if exact[0] ** k == x.numerator and exact[1] ** k == x.denominator:
        return Enclosure.of(Fraction(exact[0], exact[1]))
    return refine(lambda: ball(x).root(k) if k <= _MOST_ROOT else (ball(x).log() / k).exp(), rtol=rtol)


def sqrt(x: Fraction, rtol: Fraction = FINE) -> Enclosure:
    """The square root of x >= 0; exact when it is rational."""
    return root(x, 2, rtol)


def compound(x: Fraction, k: int, rtol: Fraction = FINE) -> Enclosure:
    """(1 + x)^k - 1 for x > -1: exact where that is short, else to relative width ``rtol``.

    Raises:
        TooLarge: it is long and beyond 2^1,000,000.

    >>> print(compound(Fraction(1, 2), 2), compound(Fraction(1, 10**12), 10**12))
    5/4 1.7182818284576860...
    """
    one = 1 + x
    if k * max(map(int.bit_length, one.as_integer_ratio())) <= _EXACT_BITS:
        return Enclosure.of(one**k - 1)
    return refine(lambda: (k * ball(x).log1p()).expm1(), rtol=rtol)


def log(x: Fraction, rtol: Fraction = FINE) -> Enclosure:
    """The natural logarithm of x > 0; exact only for x = 1.

    Raises:
        DomainError: x <= 0.

    >>> print(log(Fraction(3)))
    1.0986122886681096...
    """
    if x <= 0:
        raise DomainError("x", x, "a positive number")
    # log1p keeps the relative accuracy that log loses next to 1, where log x is next to 0
    return refine(lambda: ball(x - 1).log1p() if 2 * x > 1 else ball(x).log(), rtol=rtol)


def exp(x: Fraction, rtol: Fraction = FINE) -> Enclosure:
    """The exponential e^x; exact only for x = 0.

    Raises:
        TooLarge, Undecided: x beyond about 690,000 in absolute value.

    >>> print(exp(Fraction(1)))
    2.7182818284590452...
    """
    return Enclosure.of(1) if x == 0 else refine(lambda: ball(x).exp(), rtol=rtol)
