r"""The Gaussian mechanism: what k-randomization tends to as k grows and q tends to 1/2.

Adding N(0, sigma^2) to a count of sensitivity 1 has the privacy profile

    delta(eps) = Phi(1/(2 sigma) - eps sigma) - e^eps Phi(-1/(2 sigma) - eps sigma).

With phi the density, e^eps phi(-1/(2 sigma) - eps sigma) = phi(1/(2 sigma) - eps sigma), so its derivative in sigma is
-phi(1/(2 sigma) - eps sigma) / sigma^2 < 0: it falls, from 1 to 0.

Why it is the limit. For fixed n, sigma_k is the least sigma at which the estimate from k reports each is private. Fix a
sigma instead, and for every k take the q that gives it: pq/(p - q)^2 = k sigma^2/n, so that q tends to 1/2. With m ones
the estimate is m and a sum of kn independent terms of mean 0, with variance sigma^2 in all, none larger than
1/(k (p - q)) = sqrt((n + 4 k sigma^2)/n) / k. These tend to 0, so its law tends to N(m, sigma^2) (Lindeberg), and its
distribution function F_m converges uniformly, the limit being continuous (Polya). As the likelihood ratio of m and
m + 1 ones is monotone in the count, their delta in one direction is sup_t F_m(t) - lambda F_{m+1}(t), and
sup_t (1 - F_{m+1}(t)) - lambda (1 - F_m(t)) in the other. Both tend to their value for normal laws, the delta above;
so does the largest of the n pairs. That delta falls as sigma grows (more noise is post-processing), hence any sigma
below the Gaussian mechanism's is too small from some k on, and any above it is enough: sigma_k tends to it.

It need not fall on the way: for n = 1, lambda = 2 and delta = 1/10, sigma_k is 1.1456, 1.4101, 1.3621, 1.2990 and
1.3226 at k = 1, 2, 5, 20 and 100, and its limit is 1.3208.

Source: Balle and Wang, "Improving the Gaussian Mechanism for Differential Privacy" (2018), Theorem 8.
"""

from __future__ import annotations

import math
from fractions import Fraction

from dpcalc.numbers.limit import Limit, target_delta
from dpcalc.numbers.normal import hockey_stick_at_most
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import Number, between
from dpcalc.numbers.search import last_where

_NORMAL = "the Gaussian mechanism"
_LEAST_RTOL = "1e-300"  # a thousand decisions: half a second


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
    exponent = _exponent(limit, target)
    low, high = Fraction(2) ** (exponent - 1), Fraction(2) ** exponent
    while high - low > width * low:
        middle = (low + high) / 2
        low, high = (low, middle) if hockey_stick_at_most(target, middle, limit) else (middle, high)
    return Promise(low, high, attained_by=_NORMAL, proven_for=_NORMAL)


def _exponent(limit: Limit, target: Fraction) -> int:
    """The e for which sigma = 2^e is private and 2^(e - 1) is not."""

    def fails(exponent: int) -> bool:
        return not hockey_stick_at_most(target, Fraction(2) ** exponent, limit)

    return 1 + last_where(fails, -math.inf, math.inf, near=0)
