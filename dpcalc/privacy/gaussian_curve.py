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
from typing import NamedTuple, TypeAlias

from flint import arb

from dpcalc.errors import NoSolution, Undecided
from dpcalc.numbers.ball import FAINT, MAX_EXPONENT, ball, decide, refine, working_precision
from dpcalc.numbers.elementary import FINE
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.normal import quantile, upper_quantile
from dpcalc.numbers.search import logarithm
from dpcalc.privacy.gaussian import gaussian_sigma

_MOST, _MOST_OF_BITS = 60, 200  # values of delta for one answer; of single bits they are quick
_BITS = 40  # of a rounded lambda
_MARGIN, _STEERING = 3, 64  # a new lambda stays in the middle third; bits of what steers
_INFINITE = Fraction(10**9)  # stands for an infinite mu

#: An upper bound of delta; a power of two where it is too faint for a rational.
_Upper: TypeAlias = Fraction | arb


def least_gaussian_mu(
    profile: Callable[[Fraction], Enclosure], last: Fraction, rtol: Fraction,
    *, refuted: Fraction = Fraction(0), halvings: Callable[[Fraction], int] | None = None,
) -> Enclosure:  # fmt: skip
    """The least mu over the whole curve, to relative width ``rtol`` if so many values of delta are enough for that.

    Args:
        profile: delta over all datasets in both directions, for lambda >= 1.
        last: a lambda at which it is 0.
        rtol: relative width aimed at.
        refuted: a mu that is too small.
        halvings: an e with delta <= 2^-e, where delta is too faint to be stored.

    Raises:
        NoSolution: no mu is proven to be enough.
    """
    if last <= 1:
        return Enclosure.of(0)
    uppers, corners = dict[Fraction, _Upper]({last: Fraction(0)}), dict[tuple[Fraction, Fraction], _Corner]()

    faint = last  # from here on delta cannot be stored

    def ask(lam: Fraction) -> Fraction:
        """Ask for delta, and tell a mu that it refutes."""
        nonlocal faint
        found = profile(lam) if lam < faint else FAINT
        uppers[lam] = found.upper
        if halvings and found.upper <= FAINT.upper:
            faint = min(faint, lam)
            uppers[lam] = min(arb(2) ** -halvings(lam), arb(2) ** -MAX_EXPONENT)
        return _refuted(lam, found.lower)

    def highest() -> _Corner:
        """The one with the largest mu; each such mu is enough."""
        for x, y in pairwise(sorted(uppers)):
            if (x, y) not in corners:
                corners[x, y] = _Corner.of(x, y, uppers[x], uppers[y])
        return max((corners[two] for two in pairwise(sorted(uppers))), key=lambda corner: corner.mu)

    low, high = max(refuted, ask(Fraction(1))), _INFINITE
    for _ in range(_MOST if halvings is None else _MOST_OF_BITS):
        corner = highest()
        high, middle = min(high, corner.mu), corner.between
        if high <= low * (1 + rtol) or not corner.x < middle < corner.y:
            break
        low = max(low, ask(middle))
    high = min(high, highest().mu)
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


class _Corner(NamedTuple):
    """Where the lines of two lambdas cross.

    Attributes:
        mu: of the Gaussian curve through the corner.
        x, y: the lambdas, x < y.
        slope: log of the lambda at which that curve has its slope there, about; None if it has none.
    """

    mu: Fraction
    x: Fraction
    y: Fraction
    slope: float | None = None

    @classmethod
    def of(cls, x: Fraction, y: Fraction, over: _Upper, under: _Upper) -> _Corner:
        """Of lines with these upper bounds of delta.

        alpha = (over - under) / (y - x), and 1 - beta = over + x alpha; however faint both are, their digits stay.
        """

        def test() -> tuple[arb, arb]:
            alpha = (_ball(over) - _ball(under)) / ball(y - x)
            return alpha, _ball(over) + ball(x) * alpha

        try:
            if over == under or not decide(lambda: _ball(over) - _ball(under)):
                return cls(Fraction(0), x, y)  # the line of y is below that of x everywhere
            if not decide(lambda: 1 - test()[1]):  # beta <= 0
                return cls(_INFINITE, x, y)
            mu = through(test).upper
        except Undecided:  # nothing is proven of it
            return cls(_INFINITE, x, y)
        with working_precision(_STEERING):
            return cls(mu, x, y, float(mu) * float(upper_quantile(test()[0]).mid()) - float(mu) ** 2 / 2)

    @property
    def between(self) -> Fraction:
        """A lambda between the two: next to the slope, or else in the middle."""
        low, high = logarithm(self.x), logarithm(self.y)
        margin = (high - low) / _MARGIN
        wanted = (low + high) / 2 if self.slope is None else self.slope
        return rounded(math.exp(min(max(wanted, low + margin), high - margin)))


def _ball(upper: _Upper) -> arb:
    return ball(upper) if isinstance(upper, Fraction) else upper


def _refuted(lam: Fraction, lower: Fraction) -> Fraction:
    """A mu that is too small, as are all below it: the Gaussian delta at lambda is below the lower bound of delta."""
    return 1 / gaussian_sigma(delta=lower, lam=lam).upper if 0 < lower < 1 else Fraction(0)
