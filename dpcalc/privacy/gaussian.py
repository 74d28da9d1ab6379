r"""The Gaussian mechanism: what k-randomization tends to as k grows and q tends to 1/2.

Adding N(0, sigma^2) to a count of sensitivity 1 has the privacy profile

    delta(eps) = Phi(1/(2 sigma) - eps sigma) - e^eps Phi(-1/(2 sigma) - eps sigma),

which falls in sigma, see ``numbers.normal``. The pooled estimate loses the binomial's skew and lattice as k grows, so
that its least sigma tends to the sigma that solves this.

Source: Balle and Wang, "Improving the Gaussian Mechanism for Differential Privacy" (2018), Theorem 8.
"""

from __future__ import annotations

from fractions import Fraction

from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.normal import hockey_stick_at_most
from dpcalc.numbers.rational import Number, between

__all__ = ["gaussian_sigma"]

_RTOL = Fraction(1, 10**12)
_LEAST_RTOL = "1e-300"  # a thousand decisions: half a second


def gaussian_sigma(
    *, delta: Number, lam: Number | None = None, epsilon: Number | None = None, rtol: Number = _RTOL
) -> Enclosure:
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
    target = between(delta, "delta", 0, 1, "a probability")
    width = between(rtol, "rtol", _LEAST_RTOL, 1, "a relative width")
    exponent = _exponent(limit, target)
    low, high = Fraction(2) ** (exponent - 1), Fraction(2) ** exponent
    while high - low > width * low:
        middle = (low + high) / 2
        low, high = (low, middle) if hockey_stick_at_most(target, middle, limit) else (middle, high)
    return Enclosure(low, high)


def _exponent(limit: Limit, target: Fraction) -> int:
    """The e for which sigma = 2^e is private and 2^(e - 1) is not: found by doubling e, then by bisection."""

    def private(exponent: int) -> bool:
        return hockey_stick_at_most(target, Fraction(2) ** exponent, limit)

    falling = private(0)
    near, far = 0, -1 if falling else 1
    while private(far) is falling:
        near, far = far, 2 * far
    failing, holding = (far, near) if falling else (near, far)
    while holding - failing > 1:
        middle = (failing + holding) // 2
        failing, holding = (failing, middle) if private(middle) else (middle, holding)
    return holding
