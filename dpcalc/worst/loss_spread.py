"""How far the privacy losses of one round spread, in floating point: it steers, and proves nothing."""

from __future__ import annotations

import math

from dpcalc.worst.datasets import Datasets

__all__ = ["spread"]


def spread(datasets: Datasets) -> float:
    """The standard deviation of the loss of one round, about: that of the Gaussian mechanism, or the largest loss."""
    q = min(max(float(datasets.q), 1e-300), 0.5 - 2**-53)
    gaussian = (1 - 2 * q) * math.sqrt(datasets.k / ((datasets.others + 1) * q * (1 - q)))
    return min(gaussian, datasets.k * math.log((1 - q) / q))
