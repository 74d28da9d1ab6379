r"""The exponential tilt of a law, in floating point: it steers, it proves nothing.

Under the tilt theta the chance of x is in proportion to P[X = x] e^(theta x). The tilt that gives the sum the mean t is
the saddle point of [z^t] G(z), at z = e^theta. A report that is 1 with probability a becomes one with
a e^theta / (1 - a + a e^theta).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from dpcalc.numbers.search import logarithm

_FAR = 1e12  # the largest |theta|
_STEPS = 60  # towards a mean
_HALVED = 4  # of so many steps one is a bisection
_LOST = 1e-9  # of a mean: a difference below it has few digits left
_LEAST = 1e-300  # what is divided by
_NEAR = 1e-2  # standard deviations to which it is met: a saddle point is flat
_LEVEL = 1e-3  # to which it is met too: between two values of a narrow law the mean hardly grows


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
    """The law under any tilt.

    Attributes:
        at: the moments under a tilt.
        ends: the tilts between which they are finite.
        support: the least and the largest value.
    """

    __slots__ = ("at", "ends", "support")

    def __init__(
        self,
        at: Callable[[float], Moments],
        *,
        ends: tuple[float, float] = (-math.inf, math.inf),
        support: tuple[float, float] = (-math.inf, math.inf),
    ) -> None:
        self.at, self.ends, self.support = at, ends, support

    @classmethod
    def of(cls, kinds: Sequence[tuple[Fraction, float]]) -> Tilt:
        """Of a sum of ``count`` Bernoulli(a) reports of each kind (a, count)."""
        return cls.sum([_coins(a, count) for a, count in kinds if count])

    @classmethod
    def listed(cls, law: Sequence[tuple[float, float]], count: int = 1) -> Tilt:
        """Of a sum of ``count`` variables of one law, see ``moments``."""

        def at(theta: float) -> Moments:
            growth, mean, variance = moments(law, theta)
            return Moments(count * growth, count * mean, count * variance)

        values = [x for x, _ in law]
        return cls(at, support=(count * min(values), count * max(values)))

    @classmethod
    def sum(cls, tilts: Sequence[Tilt]) -> Tilt:
        """Of a sum of independent variables, from the tilts of each."""
        if len(tilts) == 1:
            return tilts[0]
        each = [tilt.at for tilt in tilts]

        def at(theta: float) -> Moments:
            growth = mean = variance = 0.0
            for one in each:
                more, middle, spread = one(theta)
                growth, mean, variance = growth + more, mean + middle, variance + spread
            return Moments(growth, mean, variance)

        ends = max((low for low, _ in (tilt.ends for tilt in tilts)), default=-math.inf)
        return cls(
            at,
            ends=(ends, min((tilt.ends[1] for tilt in tilts), default=math.inf)),
            support=(sum(tilt.support[0] for tilt in tilts), sum(tilt.support[1] for tilt in tilts)),
        )

    def moved(self, by: int) -> Tilt:
        """Of a constant more."""
        if not by:
            return self

        def at(theta: float) -> Moments:
            growth, mean, variance = self.at(theta)
            return Moments(growth + by * theta, mean + by, variance)

        return Tilt(at, ends=self.ends, support=(self.support[0] + by, self.support[1] + by))

    def mean(self, theta: float) -> float:
        """The tilted mean."""
        return self.at(theta).mean

    def variance(self, theta: float) -> float:
        """The tilted variance."""
        return self.at(theta).variance

    def exponent(self, theta: float, t: float) -> float:
        """Chernoff exponent log G(e^theta) - theta t."""
        return self.at(theta).growth - theta * t

    def toward(self, t: float, start: float = 0.0) -> float:
        """About the theta whose tilted mean is t, within +-10^12: by Newton's method from ``start``, or by bisection.

        Every fourth step halves what is between two means on either side, as the mean may grow like e^theta.

        The mean is taken on the scale on which its growth is that of a line, for coins, Poisson numbers and Gaussians:
        log(x - low) - log(high - x) between two ends, log(x - low) above one, x without ends.
        """
        low, high = (min(max(end, -_FAR), _FAR) for end in self.ends)
        first, last = self.support
        if first == last:  # under no tilt is there another mean
            return min(max(start, low), high)
        if not first < t < last:
            return high if t > first else low
        theta, stride, ends = min(max(start, low), high), 1.0, (low, high)
        for tried in range(1, _STEPS):
            _, mean, variance = self.at(theta)
            if abs(t - mean) <= max(_NEAR * math.sqrt(variance), _LEVEL):
                break
            low, high = (theta, high) if t > mean else (low, theta)
            gap, slope = (0.0, 0.0) if first > -math.inf or last < math.inf else (t - mean, 1.0)
            for sign, x, y in ((1, t - first, mean - first), (-1, last - t, last - mean)):
                if x < math.inf:
                    y = max(y if y > _LOST * abs(mean) else variance, _LEAST)  # next to an end it is about the variance
                    gap, slope = gap + sign * math.log(x / y), slope + 1 / y
            step = min(max(gap / max(slope * variance, _LEAST), -stride), stride)
            places = [theta + step, theta + math.copysign(stride, t - mean), (low + high) / 2]
            if tried % _HALVED == 0 and ends[0] < low and high < ends[1]:
                places.reverse()
            after, stride = next((x for x in places if low < x < high), theta), 2 * stride
            if after == theta:
                break
            theta = after
        return theta


def _coins(a: Fraction, count: float) -> Tilt:
    one, zero = logarithm(a), logarithm(1 - a)

    def at(theta: float) -> Moments:
        x = one + theta - zero
        rare = math.exp(-abs(x))  # the odds of what is rarer
        hit = (1 if x >= 0 else rare) / (1 + rare)
        growth = (one + theta if x >= 0 else zero) + math.log1p(rare)
        return Moments(count * growth, count * hit, count * rare / (1 + rare) ** 2)

    return Tilt(at, support=(float(count) if a == 1 else 0.0, 0.0 if a == 0 else float(count)))


def gaussian(mu: float, log_delta: float) -> float:
    """Epsilon at delta where two normal laws lie ``mu`` > 0 standard deviations apart.

    delta = mu phi(z) / z^2, about, at epsilon = mu (z + mu/2).
    """
    z = 5.0
    for _ in range(4):
        z = math.sqrt(max(1.0, 2 * (math.log(0.4 * mu / z**2) - log_delta)))
    return mu * (z + mu / 2)
