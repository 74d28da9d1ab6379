r"""The Gaussian trade-off curve G_mu and the least mu for which it is nowhere above that of a mechanism.

G_mu(alpha) = Phi(Phi^-1(1 - alpha) - mu) is the least false-negative rate at telling apart N(0, 1) and N(mu, 1). From
upper bounds V of delta at 1 = lambda_0 < ... < lambda_J the lines 1 - V_j - lambda_j alpha are at or below the
mechanism's curve f, and so are their mirror images (both datasets exchanged). G_mu is convex: where it is at or below
the points in which neighbouring lines cross, it is so on the lines between them (proof notes, N7). V_J = 0, and the
last line starts where every G_mu does. A mu is refuted by a lower bound of delta that exceeds the Gaussian delta.

Source: Dong, Roth, Su, "Gaussian Differential Privacy" (2022), Corollary 2.13 for the profile of G_mu.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

from dpcalc.errors import NoSolution
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.normal import quantile
from dpcalc.privacy.gaussian import gaussian_sigma

_MOST_POINTS = 60  # values of delta for one answer
_BITS = 40  # of a rounded lambda
_INFINITE = Fraction(10**9)  # stands for an infinite mu


def least_mu(profile: Callable[[Fraction], Enclosure], last: Fraction, rtol: Fraction) -> Enclosure:
    """The least mu over the whole curve, to relative width ``rtol`` if sixty values of delta are enough for that.

    Args:
        profile: delta over all datasets in both directions, for lambda >= 1.
        last: a lambda at which it is 0.
        rtol: relative width aimed at.

    Raises:
        NoSolution: no mu is proven to be enough.
    """
    deltas = {Fraction(1): profile(Fraction(1)), last: Enclosure.of(0)}
    low = _refuted(Fraction(1), deltas)
    for _ in range(_MOST_POINTS):
        high, x, y = _highest(deltas)
        middle = rounded(Fraction(math.isqrt(math.floor(x * y * 4**_BITS)), 2**_BITS))
        if high <= low * (1 + rtol) or not x < middle < y:
            break
        deltas[middle] = profile(middle)
        low = max(low, _refuted(middle, deltas))
    high, *_ = _highest(deltas)
    if high >= _INFINITE:
        raise NoSolution("no mu is proven to be enough: some test may miss nothing")
    return Enclosure(low, max(low, high))


def mu_at(alpha: Fraction, beta: Fraction) -> Enclosure:
    """Phi^-1(1 - alpha) - Phi^-1(beta), or 0 where beta >= 1 - alpha; for 0 < alpha, beta."""
    return -(quantile(alpha) + quantile(beta)) if beta < 1 - alpha else Enclosure.of(0)


def rounded(x: Fraction | float) -> Fraction:
    """x > 0, rounded to 40 bits."""
    value = Fraction(x)
    shift = _BITS - value.numerator.bit_length() + value.denominator.bit_length()
    return Fraction(round(value * Fraction(2) ** shift)) / Fraction(2) ** shift


def _highest(deltas: dict[Fraction, Enclosure]) -> tuple[Fraction, Fraction, Fraction]:
    """The largest mu of a Gaussian curve through a corner, where neighbouring lines cross; and their two lambdas."""
    return max(_corner(x, y, deltas) for x, y in pairwise(sorted(deltas)))


def _corner(x: Fraction, y: Fraction, deltas: dict[Fraction, Enclosure]) -> tuple[Fraction, Fraction, Fraction]:
    alpha = (deltas[x].upper - deltas[y].upper) / (y - x)
    beta = 1 - deltas[x].upper - x * alpha
    if alpha <= 0:  # the line of y is below that of x everywhere
        return Fraction(0), x, y
    return (mu_at(alpha, beta).upper if beta > 0 else _INFINITE), x, y


def _refuted(lam: Fraction, deltas: dict[Fraction, Enclosure]) -> Fraction:
    """A mu that is too small, as are all below it: the Gaussian delta at lambda is below the lower bound of delta."""
    lower = deltas[lam].lower
    return 1 / gaussian_sigma(delta=lower, lam=lam).upper if 0 < lower < 1 else Fraction(0)
