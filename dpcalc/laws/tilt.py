r"""The exponential tilt of a law, in floating point: it steers, it proves nothing.

Under the tilt theta every report's probability a becomes a e^theta / (1 - a + a e^theta). The tilt that gives the sum
the mean t is the saddle point of [z^t] G(z), at z = e^theta. In a list of masses, P(x) becomes P(x) e^(theta x).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from dpcalc.numbers.search import logarithm

_FAR = 2e4  # the largest |theta|; p/q of 4,000 digits is e^9,210


class Moments(NamedTuple):
    """Log of the total weight under a tilt, and mean and variance of the tilted law."""

    growth: float
    mean: float
    variance: float


def moments(law: Sequence[tuple[float, float]], theta: float) -> Moments:
    """Of a law that is listed, pairs of a value and the logarithm of its weight.

    >>> moments([(0.0, 0.0), (2.0, 0.0)], 0.0)
    Moments(growth=0.6931471805599453, mean=1.0, variance=1.0)
    """
    logs = [log + theta * x for x, log in law]
    most = max(logs)
    weights = [(x, math.exp(log - most)) for (x, _), log in zip(law, logs, strict=True)]
    total = sum(weight for _, weight in weights)
    mean = sum(x * weight for x, weight in weights) / total
    variance = sum((x - mean) ** 2 * weight for x, weight in weights) / total
    return Moments(most + math.log(total), mean, variance)


class Tilt:
    """The tilted law of a sum of ``count`` Bernoulli(a) reports of each kind (a, count), 0 < a < 1."""

    def __init__(self, kinds: Sequence[tuple[Fraction, float]]) -> None:
        self._kinds = [(logarithm(a), logarithm(1 - a), count) for a, count in kinds if count]

    def mean(self, theta: float) -> float:
        """The tilted mean of the sum."""
        return sum(count * _logistic(one - zero + theta) for one, zero, count in self._kinds)

    def variance(self, theta: float) -> float:
        """The tilted variance of the sum."""
        return sum(
            count * _logistic(one - zero + theta) * _logistic(zero - one - theta) for one, zero, count in self._kinds
        )

    def exponent(self, theta: float, t: float) -> float:
        """Chernoff exponent log G(e^theta) - theta t."""
        return sum(count * log_add(zero, one + theta) for one, zero, count in self._kinds) - theta * t

    def toward(self, t: float) -> float:
        """The theta whose tilted mean is ``t``, kept within +-20,000."""
        low, high, theta = -_FAR, _FAR, 0.0
        if not 0 < t < sum(count for *_, count in self._kinds):
            return high if t > 0 else low
        for _ in range(100):
            gap = self.mean(theta) - t
            if gap > 0:
                high = theta
            else:
                low = theta
            slope = self.variance(theta)
            step = gap / slope if slope > 0 else math.inf
            if abs(step) < 1e-9 * (1 + abs(theta)) or abs(gap) < 1e-4:
                break
            theta = theta - step if low < theta - step < high else (low + high) / 2
        return theta


def _logistic(x: float) -> float:
    if x >= 0:
        return 1 / (1 + math.exp(-x))
    return math.exp(x) / (1 + math.exp(x))


def log_add(x: float, y: float) -> float:
    """Log of e^x + e^y."""
    return max(x, y) + math.log1p(math.exp(-abs(x - y)))
