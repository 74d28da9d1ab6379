"""dp-accounting on one dataset: all records beside the changed one hold 0, each reports k times.

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


def pmfs(n: int, q: float, k: int = 1, *, sigmas: float | None = None, lightest: float = -math.inf) -> Pmfs:
    """Logarithms of the pmfs of the pool with the changed record 0 and 1; only so far from the mean, or above
    ``lightest`` in one of them, if asked.
    """
    low, high = 0, k * n
    if sigmas is not None:
        reach = sigmas * math.sqrt(k * n * q * (1 - q))
        low, high = max(0, math.floor(k * n * q - reach)), min(k * n, math.ceil(k * n * q + reach) + k)
    s = np.arange(low, high + 1)
    pair = binom.logpmf(s, k * n, q), np.full(len(s), -np.inf)
    for j in range(k + 1):
        np.logaddexp(pair[1], binom.logpmf(j, k, 1 - q) + binom.logpmf(s - j, k * (n - 1), q), out=pair[1])
    kept = np.maximum(*pair) > lightest
    without, with_one = (dict(zip(s[kept].tolist(), pmf[kept].tolist(), strict=True)) for pmf in pair)
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


def least_q(
    n: int, epsilon: float, delta: float, k: int = 1, *, near: float, sigmas: float | None = None,
    lightest: float = -math.inf,
) -> float:  # fmt: skip
    """The q at which its delta(epsilon) meets delta, to a relative 1e-6, by Brent's method from [0.8, 1.25] near; of
    the outcomes that ``pmfs`` counts.
    """

    def excess(q: float) -> float:
        found = distribution(pmfs(n, q, k, sigmas=sigmas, lightest=lightest))
        return math.log(found.get_delta_for_epsilon(epsilon) / delta)

    return float(brentq(excess, 0.8 * near, 1.25 * near, xtol=1e-6 * near))
