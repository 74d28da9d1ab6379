r"""The Gaussian mechanism: what k-randomization tends to as k grows and q tends to 1/2.

Adding N(0, sigma^2) to a count of sensitivity 1 has the privacy profile

    delta(eps) = Phi(1/(2 sigma) - eps sigma) - e^eps Phi(-1/(2 sigma) - eps sigma),

which falls in sigma. The pooled estimate loses the binomial's skew and lattice as k grows, so its least sigma falls
towards the sigma that solves this.

Source: Balle and Wang, "Improving the Gaussian Mechanism for Differential Privacy" (2018), Theorem 8.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dpcalc.numbers.ball import ball, decide
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.rational import Number, between

__all__ = ["gaussian_sigma"]

_RTOL = Fraction(1, 10**12)


def gaussian_sigma(
    *, delta: Number, lam: Number | None = None, epsilon: Number | None = None, rtol: Number = _RTOL
) -> Enclosure:
    """The least sigma at which the Gaussian mechanism of sensitivity 1 is (epsilon, delta)-differentially private.

    Args:
        delta: the target, 0 < delta < 1.
        lam: lambda = e^epsilon > 1; give it or
        epsilon: >= 0.
        rtol: relative width, above 1e-300.

    Raises:
        DomainError: none or both of lam and epsilon; an argument out of range.

    >>> print(gaussian_sigma(lam=2, delta="1e-6"))
    5.94055992268...
    """
    limit = Limit.of(lam=lam, epsilon=epsilon)
    target = between(delta, "delta", 0, 1, "a probability")
    width = between(rtol, "rtol", "1e-300", 1, "a relative width")
    low, high = Fraction(1), Fraction(1)
    while _private(limit, target, low):
        low /= 2
    while not _private(limit, target, high):
        low, high = high, 2 * high
    while high - low > width * low:
        middle = (low + high) / 2
        low, high = (low, middle) if _private(limit, target, middle) else (middle, high)
    return Enclosure(low, high)


def _private(limit: Limit, target: Fraction, sigma: Fraction) -> bool:
    return decide(lambda: ball(target) - _delta(limit, ball(sigma)))


def _delta(limit: Limit, sigma: arb) -> arb:
    lam = limit.ball()
    half, shift = 1 / (2 * sigma), lam.log() * sigma
    return _phi(half - shift) - lam * _phi(-half - shift)


def _phi(x: arb) -> arb:
    return (-x / arb(2).sqrt()).erfc() / 2
