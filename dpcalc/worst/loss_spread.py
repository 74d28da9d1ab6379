"""How far the privacy losses of one round spread, in floating point: it steers, and proves nothing."""

from __future__ import annotations

import math
from fractions import Fraction

from dpcalc.numbers.limit import Limit
from dpcalc.worst.datasets import Datasets

__all__ = ["BROADEST", "breadth", "spread"]

BROADEST = 10  #: how many times as far they may spread under a tilt


def spread(datasets: Datasets) -> float:
    """The standard deviation of the loss of one round, about: that of the Gaussian mechanism, or the largest loss."""
    q = min(max(float(datasets.q), 1e-300), 0.5 - 2**-53)
    gaussian = (1 - 2 * q) * math.sqrt(datasets.k / ((datasets.others + 1) * q * (1 - q)))
    return min(gaussian, datasets.k * math.log((1 - q) / q))


def breadth(datasets: Datasets, epsilon: float) -> float:
    """The standard deviation of the losses of one round that is tilted to a mean loss of epsilon; far out it grows."""
    usual = spread(datasets)
    width = max(epsilon, usual) / 100
    laws = datasets.pair(0).laws
    thetas = [laws.tilt(Limit.exp(Fraction(x))) for x in (epsilon + width, epsilon + 2 * width)]
    rise = (thetas[0] - thetas[1]) * math.sqrt(laws.others.tilt.variance(thetas[0]))
    return min(max(width / rise, usual), BROADEST * usual) if rise > 0 else usual
