r"""The normal distribution: its quantiles, and the hockey-stick divergence of Gaussian noise.

Z is standard normal, Phi(x) = P[Z <= x] = erfc(-x / sqrt 2) / 2, which loses no digit of a small tail. The hockey-stick
divergence of P_0 = N(0, sigma^2) beyond P_1 = N(1, sigma^2) at lambda = e^eps is

    delta(sigma) = sup_A (P_0[A] - lambda P_1[A]) = Phi(1/(2 sigma) - eps sigma) - lambda Phi(-1/(2 sigma) - eps sigma),

as P_0 / P_1 falls along the line and is lambda at 1/2 - eps sigma^2. At lambda = 1 it is erf(1/(2 sqrt 2 sigma)),
without a difference. It falls in sigma, from 1 to 0: more noise is post-processing.

Source: Balle and Wang, "Improving the Gaussian Mechanism for Differential Privacy" (2018), Theorem 8.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dpcalc.numbers.ball import ball, refine
from dpcalc.numbers.elementary import FINE
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit


def quantile(p: Fraction, rtol: Fraction = FINE) -> Enclosure:
    """The x with Phi(x) = p, for 0 < p < 1; exact only for p = 1/2.

    >>> print(quantile(Fraction(39, 40)))
    1.9599639845400542...
    """
    if 2 * p > 1:
        return refine(lambda: upper_quantile(ball(1 - p)), rtol=rtol)
    return refine(lambda: -upper_quantile(ball(p)), rtol=rtol) if 2 * p < 1 else Enclosure.of(0)


def hockey_stick(sigma: Fraction, limit: Limit, rtol: Fraction = FINE) -> Enclosure:
    """delta(sigma) for sigma > 0.

    Raises:
        Undecided, TooLarge: delta is too small.

    >>> print(hockey_stick(Fraction(6), Limit.of(lam=2)))
    8.2057193768650175...e-7
    """
    return refine(lambda: divergence(ball(sigma), limit), rtol=rtol)


def divergence(sigma: arb, limit: Limit) -> arb:
    """delta(sigma) at the current precision, for sigma > 0."""
    half = 1 / (2 * sigma)
    if limit.lam == 1:
        return (half / arb(2).sqrt()).erf()
    shift = limit.log_ball() * sigma
    return _phi(half - shift) - limit.ball() * _phi(-half - shift)


def _phi(x: arb) -> arb:
    return (-x / arb(2).sqrt()).erfc() / 2


def upper_quantile(tail: arb) -> arb:
    """The x with P[Z > x] = erfc(x / sqrt 2) / 2 = tail; no digit of a small tail is lost."""
    return arb(2).sqrt() * (2 * tail).erfcinv()
