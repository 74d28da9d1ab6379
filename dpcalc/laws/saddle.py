"""Where the ratio of two pooled counts is e^epsilon, in floating point: it steers, it proves nothing.

S = X + J, X the other reports and J those that change, k Bernoulli(a) under P_0 and k Bernoulli(b) under P_1. With f
the pmf of X, P_0(S = t) / P_1(S = t) is E_0 f(t - J) / E_1 f(t - J). Near some t - c, f is y^-i times a Gaussian of the
variance V and the mode m of X tilted by y, m half a skewness below its mean plus 1/2 (exact for binomials). With y such
that E_0 y^J / E_1 y^J is e^epsilon, the ratio is e^epsilon to first order in 1/V where E (J - c)^2, J tilted too, is
the same on both sides: c = 1/2 + (k - 1)(alpha + beta)/2, alpha and beta the tilted a and b. Then t = m - 1/2 + c.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

#: Independent reports: pairs (a, c), c of them 1 with probability a, 0 < a < 1.
Kinds: TypeAlias = Sequence[tuple[Fraction, int]]
#: The chances of a report of being 1 and of being 0.
_Chances: TypeAlias = tuple[float, float]

_TINY = 1e-300  # chances stay above it


class Saddle:
    """One direction of a pair, P_0 over P_1.

    Attributes:
        steepest: log of the largest ratio P_0 / P_1.
        leans: whether the lower tail of S is the longer one.
    """

    def __init__(self, others: list[tuple[_Chances, int]], zero: _Chances, one: _Chances, k: int) -> None:
        self._others, self._zero, self._one, self._k = others, zero, one, k
        self.steepest = k * (math.log(zero[1]) - math.log(one[1]))
        self.leans = sum((rest - a) * c for (a, rest), c in (*others, (zero, k), (one, k))) < 0

    @classmethod
    def of(cls, others: Kinds, own: tuple[Fraction, Fraction], k: int) -> Saddle:
        """The direction in which the ratio falls with S."""
        return cls([(_chances(a), count) for a, count in others if count], _chances(own[0]), _chances(own[1]), k)

    def flipped(self) -> Saddle:
        """The other direction: every report flipped."""
        others = [(chances[::-1], count) for chances, count in self._others]
        return Saddle(others, self._one[::-1], self._zero[::-1], self._k)

    def threshold(self, epsilon: float) -> float:
        """Where P_0 / P_1 is about e^epsilon, by the saddle point."""
        (a, not_a), (b, not_b), k = self._zero, self._one, self._k
        root = math.exp(min(epsilon / k, 700.0))  # of ((1 - a + a y) / (1 - b + b y))^k = e^epsilon
        above, below = not_a - root * not_b, root * b - a
        if above <= 0 or below <= 0:
            return 0.0
        y = min(above / below, 1e200)
        mean = 0.5 + (k - 1) * (a * y / (not_a + a * y) + b * y / (not_b + b * y)) / 2
        variance = skewed = 0.0
        for (c, not_c), reports in self._others:
            tilted = c * y / (not_c + c * y)
            spread = reports * tilted * (1 - tilted)
            mean += reports * tilted
            variance += spread
            skewed += spread * (1 - 2 * tilted)
        return mean - skewed / (2 * variance) if variance else mean

    def gaussian(self, log_delta: float) -> float:
        """Epsilon at delta for Gaussian sums of the same spread."""
        gap = (self._one[0] - self._zero[0]) * self._k
        spread = sum(a * rest * c for (a, rest), c in (*self._others, (self._zero, self._k)))
        return gaussian(max(gap, _TINY) / math.sqrt(spread), log_delta)


def gaussian(mu: float, log_delta: float) -> float:
    """Epsilon at delta where two normal laws lie ``mu`` > 0 standard deviations apart.

    delta = mu phi(z) / z^2, about, at epsilon = mu (z + mu/2).
    """
    z = 5.0
    for _ in range(4):
        z = math.sqrt(max(1.0, 2 * (math.log(0.4 * mu / z**2) - log_delta)))
    return mu * (z + mu / 2)


def _chances(a: Fraction) -> _Chances:
    u, d = a.numerator, a.denominator
    return max(u / d, _TINY), max((d - u) / d, _TINY)
