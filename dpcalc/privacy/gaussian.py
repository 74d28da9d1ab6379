r"""The Gaussian mechanism, the yardstick: the least sigma for a promise, and the least mu for a trade-off curve.

Adding N(0, sigma^2) to a count of sensitivity 1 has the privacy profile

    delta(eps) = Phi(1/(2 sigma) - eps sigma) - e^eps Phi(-1/(2 sigma) - eps sigma).

With phi the density, e^eps phi(-1/(2 sigma) - eps sigma) = phi(1/(2 sigma) - eps sigma), so its derivative in sigma is
-phi(1/(2 sigma) - eps sigma) / sigma^2 < 0: it falls, from 1 to 0.

It is what k-randomization tends to as k grows and q tends to 1/2. For fixed n, sigma_k is the least sigma at which the
estimate from k reports each is private. Fix a sigma instead, and for every k take the q that gives it: pq/(p - q)^2 = k
sigma^2/n, so that q tends to 1/2. With m ones the estimate is m and a sum of kn independent terms of mean 0, with
variance sigma^2 in all, none larger than 1/(k (p - q)) = sqrt((n + 4 k sigma^2)/n) / k. These tend to 0, so its law
tends to N(m, sigma^2) (Lindeberg), and its distribution function F_m converges uniformly, the limit being continuous
(Polya). As the likelihood ratio of m and m + 1 ones is monotone in the count, their delta in one direction is sup_t
F_m(t) - lambda F_{m+1}(t), and sup_t (1 - F_{m+1}(t)) - lambda (1 - F_m(t)) in the other. Both tend to their value for
normal laws, the delta above; so does the largest of the n pairs. That delta falls as sigma grows (more noise is
post-processing), hence any sigma below the Gaussian mechanism's is too small from some k on, and any above it is
enough: sigma_k tends to it.

It need not fall on the way: for n = 1, lambda = 2 and delta = 1/10, sigma_k is 1.1456, 1.4101, 1.3621, 1.2990 and
1.3226 at k = 1, 2, 5, 20 and 100, and its limit is 1.3208.

*The curve.* G_mu(alpha) = Phi(Phi^-1(1 - alpha) - mu) is the least false-negative rate at telling apart N(0, 1) and
N(mu, 1). From upper bounds V of delta at 1 = lambda_0 < ... < lambda_J the lines 1 - V_j - lambda_j alpha are at or
below the mechanism's curve f, and so are their mirror images (both datasets exchanged). G_mu is convex: where it is at
or below the points in which neighbouring lines cross, it is so on the lines between them (proof notes, N7). V_J = 0,
and the last line starts where every G_mu does. A mu is refuted by a lower bound of delta that exceeds the Gaussian
delta, and by a test that misses less.

Source: Balle and Wang, "Improving the Gaussian Mechanism for Differential Privacy" (2018), Theorem 8, for delta;
Dong, Roth, Su, "Gaussian Differential Privacy" (2022), Corollary 2.13 for the profile of G_mu.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from flint import arb

from dpcalc.errors import NoSolution, Undecided
from dpcalc.families.bits import Bits
from dpcalc.numbers.ball import FAINT, LEAST_HELD, ball, decide, refine, working_precision
from dpcalc.numbers.elementary import FINE
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit, target_delta
from dpcalc.numbers.normal import divergence, quantile, upper_quantile
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import Number, between
from dpcalc.numbers.search import last_where, logarithm

_NORMAL = "the Gaussian mechanism"
_LEAST_RTOL = "1e-300"  # a thousand decisions: half a second
_MOST, _MOST_OF_BITS = 60, 200  # values of delta for one answer; of single bits they are quick
_BITS = 40  # of a rounded lambda
_MARGIN, _STEERING = 3, 64  # a new lambda stays in the middle third; bits of what steers
_INFINITE = Fraction(10**9)  # stands for an infinite mu

#: An upper bound of delta; a power of two where it is too faint for a rational.
_Upper: TypeAlias = Fraction | arb


def gaussian_sigma(
    *, delta: Number, lam: Number | None = None, epsilon: Number | None = None, rtol: Number = "1e-12"
) -> Promise:
    """The least sigma at which the Gaussian mechanism of sensitivity 1 is (epsilon, delta)-differentially private.

    Args:
        delta: the target, 0 < delta < 1.
        lam: lambda = e^epsilon >= 1; give it or
        epsilon: >= 0.
        rtol: relative width, above 1e-300.

    Raises:
        DomainError: none or both of lam and epsilon; an argument out of range.

    >>> print(gaussian_sigma(lam=2, delta="1e-6"))
    5.94055992268...
    """
    limit = Limit.of(lam=lam, epsilon=epsilon)
    target = target_delta(delta)
    width = between(rtol, "rtol", _LEAST_RTOL, 1, "a relative width")

    def enough(sigma: Fraction) -> bool:
        return decide(lambda: ball(target) - divergence(ball(sigma), limit))

    low = Fraction(2) ** last_where(lambda exponent: not enough(Fraction(2) ** exponent), -math.inf, math.inf, near=0)
    high = 2 * low
    while high - low > width * low:
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return Promise(low, high, attained_by=_NORMAL, proven_for=_NORMAL)


def least_gaussian_mu(
    profile: Callable[[Fraction], Enclosure], last: Fraction, rtol: Fraction,
    *, bits: Bits | None = None,
) -> Enclosure:  # fmt: skip
    """The least mu over the whole curve, to relative width ``rtol`` if so many values of delta are enough for that.

    Args:
        profile: delta over all datasets in both directions, for lambda >= 1.
        last: a lambda at which it is 0.
        rtol: relative width aimed at.
        bits: the datasets, if these are all of single bits: what is known of a delta that is too faint to be stored.

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
        if bits and found.upper <= FAINT.upper:
            faint = min(faint, lam)
            uppers[lam] = arb(bits.log_bound(0, bits.others, Limit(lam))).exp().upper().min(LEAST_HELD)
        return _refuted(lam, found.lower)

    def highest() -> _Corner:
        """The one with the largest mu; each such mu is enough."""
        for x, y in pairwise(sorted(uppers)):
            if (x, y) not in corners:
                corners[x, y] = _Corner.of(x, y, uppers[x], uppers[y])
        return max((corners[two] for two in pairwise(sorted(uppers))), key=lambda corner: corner.mu)

    low, high = max(_refuted_by_zeros(bits) if bits else Fraction(0), ask(Fraction(1))), _INFINITE
    for _ in range(_MOST_OF_BITS if bits else _MOST):
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


def _refuted_by_zeros(bits: Bits) -> Fraction:
    """A mu that the count of 0 refutes, beside zeros alone: it is the outcome of the largest loss."""
    (a, b), k, others = bits.own, bits.k, bits.others

    def sizes() -> tuple[arb, arb]:
        rest = ball(1 - a) ** (k * others)
        return rest * ball(1 - b) ** k, rest * ball(1 - a) ** k

    return through(sizes).lower


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
