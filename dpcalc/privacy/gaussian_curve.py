r"""The Gaussian trade-off curve G_mu and the least mu for which it is nowhere above that of a mechanism.

G_mu(alpha) = Phi(Phi^-1(1 - alpha) - mu) is the least false-negative rate at telling apart N(0, 1) and N(mu, 1). From
upper bounds V of delta at 1 = lambda_0 < ... < lambda_J the lines 1 - V_j - lambda_j alpha are at or below the
mechanism's curve f, and so are their mirror images (both datasets exchanged). G_mu is convex: where it is at or below
the points in which neighbouring lines cross, it is so on the lines between them (proof notes, N7). V_J = 0, and the
last line starts where every G_mu does. A mu is refuted by a lower bound of delta that exceeds the Gaussian delta, and
by a test that misses less.

Source: Dong, Roth, Su, "Gaussian Differential Privacy" (2022), Corollary 2.13 for the profile of G_mu.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from flint import arb

from dpcalc.errors import NoSolution
from dpcalc.numbers.ball import FAINT, ball, decide, refine
from dpcalc.numbers.elementary import FINE
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.normal import quantile, upper_quantile
from dpcalc.privacy.gaussian import gaussian_sigma

_MOST_POINTS = 60  # values of delta for one answer
_BITS = 40  # of a rounded lambda
_INFINITE = Fraction(10**9)  # stands for an infinite mu

#: An upper bound of delta; a power of two where it is too faint for a rational.
_Upper: TypeAlias = Fraction | arb


def least_mu(
    profile: Callable[[Fraction], Enclosure], last: Fraction, rtol: Fraction,
    *, refuted: Fraction = Fraction(0), halvings: Callable[[Fraction], int] | None = None,
) -> Enclosure:  # fmt: skip
    """The least mu over the whole curve, to relative width ``rtol`` if sixty values of delta are enough for that.

    Args:
        profile: delta over all datasets in both directions, for lambda >= 1.
        last: a lambda at which it is 0.
        rtol: relative width aimed at.
        refuted: a mu that is too small.
        halvings: an e with delta <= 2^-e, where delta is too faint to be stored.

    Raises:
        NoSolution: no mu is proven to be enough.
    """
    uppers, corners = dict[Fraction, _Upper]({last: Fraction(0)}), dict[tuple[Fraction, Fraction], Fraction]()

    def ask(lam: Fraction) -> Fraction:
        """Ask for delta, and tell a mu that it refutes."""
        found = profile(lam)
        faint = halvings is not None and found.upper <= FAINT.upper
        uppers[lam] = arb(2) ** -halvings(lam) if halvings and faint else found.upper
        return _refuted(lam, found.lower)

    def highest() -> tuple[Fraction, Fraction, Fraction]:
        """The largest mu of a Gaussian curve through a corner, where neighbouring lines cross; and their lambdas."""
        for x, y in pairwise(sorted(uppers)):
            if (x, y) not in corners:
                corners[x, y] = _corner(x, y, uppers[x], uppers[y])
        return max((corners[x, y], x, y) for x, y in pairwise(sorted(uppers)))

    low = max(refuted, ask(Fraction(1)))
    for _ in range(_MOST_POINTS):
        high, x, y = highest()
        middle = rounded(Fraction(math.isqrt(math.floor(x * y * 4**_BITS)), 2**_BITS))
        if high <= low * (1 + rtol) or not x < middle < y:
            break
        low = max(low, ask(middle))
    high, *_ = highest()
    if high >= _INFINITE:
        raise NoSolution("no mu is proven to be enough: some test may miss nothing")
    return Enclosure(low, max(low, high))


def mu_at(alpha: Fraction, beta: Fraction) -> Enclosure:
    """Phi^-1(1 - alpha) - Phi^-1(beta), or 0 where beta >= 1 - alpha; for 0 < alpha, beta."""
    return -(quantile(alpha) + quantile(beta)) if beta < 1 - alpha else Enclosure.of(0)


def through(test: Callable[[], tuple[arb, arb]]) -> Enclosure:
    """The mu of the Gaussian curve through a point with 0 < alpha < 1 - beta < 1; the test tells these two."""

    def mu() -> arb:
        alpha, caught = test()
        return upper_quantile(alpha) - upper_quantile(caught)

    return refine(mu, rtol=FINE)


def rounded(x: Fraction | float) -> Fraction:
    """x > 0, rounded to 40 bits."""
    value = Fraction(x)
    shift = _BITS - value.numerator.bit_length() + value.denominator.bit_length()
    return Fraction(round(value * Fraction(2) ** shift)) / Fraction(2) ** shift


def _corner(x: Fraction, y: Fraction, over: _Upper, under: _Upper) -> Fraction:
    """The mu of a Gaussian curve through the corner where the lines of x < y cross, with their upper bounds of delta.

    alpha = (over - under) / (y - x), and 1 - beta = over + x alpha; however faint both are, their digits stay.
    """
    if over == under or not decide(lambda: _ball(over) - _ball(under)):  # the line of y is below that of x everywhere
        return Fraction(0)

    def sizes() -> tuple[arb, arb]:
        alpha = (_ball(over) - _ball(under)) / ball(y - x)
        return alpha, _ball(over) + ball(x) * alpha

    if not decide(lambda: 1 - sizes()[1]):  # beta <= 0
        return _INFINITE

    return through(sizes).upper


def _ball(upper: _Upper) -> arb:
    return ball(upper) if isinstance(upper, Fraction) else upper


def _refuted(lam: Fraction, lower: Fraction) -> Fraction:
    """A mu that is too small, as are all below it: the Gaussian delta at lambda is below the lower bound of delta."""
    return 1 / gaussian_sigma(delta=lower, lam=lam).upper if 0 < lower < 1 else Fraction(0)
