"""dp-accounting on one dataset: all records beside the changed one hold 0, each reports once.

Its privacy-loss distribution is built from the pmfs of the two pools, in both directions (``symmetric=False``: the
default keeps one, and is then below the truth) and pessimistically. Outcomes lighter than e^-60 are declared lost,
which makes it several times faster and changes delta by less than n e^-60.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from dp_accounting.pld import privacy_loss_distribution
from scipy.optimize import brentq
from scipy.stats import binom

__all__ = ["GRID", "LIGHTEST", "distribution", "least_q", "pmfs"]

GRID = 1e-4  # its default spacing of privacy losses
LIGHTEST = -60.0

Pmfs = tuple[dict[int, float], dict[int, float]]


def pmfs(n: int, q: float, *, sigmas: float | None = None) -> Pmfs:
    """Logarithms of the pmfs of the pool with the changed record 0 and 1; only so far from the mean, if asked."""
    low, high = 0, n
    if sigmas is not None:
        reach = sigmas * math.sqrt(n * q * (1 - q))
        low, high = max(0, math.floor(n * q - reach)), min(n, math.ceil(n * q + reach))
    s = np.arange(low, high + 1)
    others, shifted = binom.logpmf(s, n - 1, q), binom.logpmf(s - 1, n - 1, q)
    stay, flip = math.log1p(-q), math.log(q)
    pair = np.logaddexp(stay + others, flip + shifted), np.logaddexp(flip + others, stay + shifted)
    without, with_one = (dict(zip(s.tolist(), pmf.tolist(), strict=True)) for pmf in pair)
    return without, with_one


def distribution(pair: Pmfs, *, lightest: float = LIGHTEST) -> Any:
    """The privacy-loss distribution, both directions."""
    return privacy_loss_distribution.from_two_probability_mass_functions(
        *pair,
        pessimistic_estimate=True,
        value_discretization_interval=GRID,
        log_mass_truncation_bound=lightest,
        symmetric=False,
    )


def least_q(n: int, epsilon: float, delta: float, *, near: float) -> float:
    """The q at which its delta(epsilon) meets delta, to a relative 1e-6, by Brent's method from [0.8, 1.25] near."""

    def excess(q: float) -> float:
        return math.log(distribution(pmfs(n, q)).get_delta_for_epsilon(epsilon) / delta)

    return float(brentq(excess, 0.8 * near, 1.25 * near, xtol=1e-6 * near))
