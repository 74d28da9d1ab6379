"""delta at an epsilon, epsilon at a delta and the least q: one dataset, all datasets, and dp-accounting on one.

The dataset is all records 0 but the changed one; k = 1, q = 1/10, delta near 1e-9. A question to dp-accounting counts
the building of its distribution and the asking; the pmfs it is given are counted only where q changes, for the least q.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any
from unittest.mock import patch

from measure import check, medians, peak_of

import dpcalc as dp
from dpcalc.choose import crossing
from dpcalc.choose.bracket import Bracket
from dpcalc.numbers.elementary import exp
from dpcalc.numbers.enclosure import Enclosure

__all__ = ["TASKS", "by_tails", "growth", "run"]

Q, DELTA = Fraction(1, 10), Fraction(1, 10**9)
EPSILONS = {
    10**3: Fraction("0.5363"),
    10**4: Fraction("0.1422"),
    10**6: Fraction("0.01239"),
    10**9: Fraction("0.0003276"),
    10**12: Fraction("0.000008014"),
}
PEERED = 10**6  # the largest n that dp-accounting is asked for
WINDOW = 15.0  # standard deviations, where dp-accounting is given a part of the outcomes
EXACT = Fraction(1, 10**50)


def _mechanism(n: int, q: Fraction = Q) -> dp.KRandomization:
    return dp.KRandomization(n=n, q=q)


def delta_one(n: int) -> Enclosure:
    return dp.delta(_mechanism(n), epsilon=EPSILONS[n], ones=0)


def delta_all(n: int) -> Enclosure:
    return dp.delta(_mechanism(n), epsilon=EPSILONS[n], rtol="1e-2")


def epsilon_one(n: int) -> Enclosure:
    return dp.epsilon(_mechanism(n), delta=DELTA, ones=0)


def epsilon_all(n: int) -> Enclosure:
    return dp.epsilon(_mechanism(n), delta=DELTA)


def least_q(n: int, k: int = 1) -> Bracket:
    return dp.least_q(n=n, epsilon=EPSILONS[n], delta=DELTA, k=k)


TASKS: dict[str, Callable[[int], Any]] = {
    "delta, one dataset": delta_one,
    "delta, all datasets": delta_all,
    "epsilon, one dataset": epsilon_one,
    "epsilon, all datasets": epsilon_all,
    "least q, all datasets": least_q,
}


def run(
    *, sizes: Sequence[int] = tuple(EPSILONS), peer: bool = True, memory: bool = True, repeats: int = 5
) -> dict[str, Any]:
    """For each n: seconds and peak memory of every task, and the number of certified maxima in a least q."""
    results = {}
    for n in sizes:
        _check(n)
        with_peer = peer and n <= PEERED
        cases = {name: partial(task, n) for name, task in TASKS.items()}
        one: dict[str, Any] = {}
        if with_peer:
            cases |= _peer_cases(n)
            one["dp-accounting delta / exact"] = _check_peer(n)
        one["seconds"] = medians(cases, repeats=repeats)
        if with_peer:
            one["seconds"] |= medians(_slow_peer_cases(n), repeats=3 if n < PEERED else 1)
        one["certified maxima in a least q"] = {f"k = {k}": _maxima(n, k) for k in (1, 10)}
        if memory:
            one["peak MB"] = _peaks(n, with_peer)
        results[f"{n}"] = one
    return results


def growth(*, sizes: Sequence[int] = tuple(EPSILONS), repeats: int = 15) -> dict[str, dict[str, float]]:
    """Seconds of delta at each n, for one dataset and for all, the sizes taking turns; ``run`` checks the answers."""
    chosen = ("delta, one dataset", "delta, all datasets")
    return {name: medians({f"{n}": partial(TASKS[name], n) for n in sizes}, repeats=repeats) for name in chosen}


def by_tails(n: int, epsilon: Fraction, q: Fraction = Q) -> Enclosure:
    """delta of the dataset by binomial tails, for k = 1; shares nothing with the inversion.

    The likelihood ratio is linear: with p = 1 - q, P_1(S = i) / P_0(S = i) = q/p + (p/q - q/p) i/n.
    """
    p, lam = 1 - q, exp(epsilon, EXACT)
    slope = (p / q - q / p) / n
    at_most, at_least = (partial(tail, rtol=EXACT) for tail in (dp.binomial_at_most, dp.binomial_at_least))
    low = math.ceil((1 / lam - q / p) / slope) - 1
    high = math.floor((lam - q / p) / slope) + 1
    falling = at_most(n, q, low) - lam * (at_most(n - 1, q, low) * q + at_most(n - 1, q, low - 1) * p)
    rising = at_least(n - 1, q, high) * q + at_least(n - 1, q, high - 1) * p - lam * at_least(n, q, high)
    return Enclosure(max(falling.lower, rising.lower, Fraction(0)), max(falling.upper, rising.upper, Fraction(0)))


def _check(n: int) -> None:
    """Our answers: two routes for one dataset; no dataset above the maximum; targets met on the right side."""
    one, second, worst = delta_one(n), by_tails(n, EPSILONS[n]), delta_all(n)
    check(max(one.lower, second.lower) <= min(one.upper, second.upper), f"delta, n = {n}")
    check(one.lower <= worst.upper <= worst.lower * Fraction(102, 100), f"delta over all datasets, n = {n}")
    found = epsilon_one(n)
    check(by_tails(n, found.upper).upper <= DELTA < by_tails(n, found.lower).lower, f"epsilon, n = {n}")
    check(found.lower <= epsilon_all(n).upper, f"epsilon over all datasets, n = {n}")
    least = least_q(n)
    check(least.at_upper.upper <= DELTA < least.at_lower.lower, f"least q, n = {n}")
    check(by_tails(n, EPSILONS[n], least.upper).lower <= DELTA, f"one dataset at the least q, n = {n}")


def _peer_cases(n: int) -> dict[str, Callable[[], Any]]:
    import accounting

    epsilon = float(EPSILONS[n])
    pair, window = accounting.pmfs(n, float(Q)), accounting.pmfs(n, float(Q), sigmas=WINDOW)
    built = accounting.distribution(pair)
    return {
        "dp-accounting, delta": lambda: accounting.distribution(pair).get_delta_for_epsilon(epsilon),
        "dp-accounting, delta, window": lambda: accounting.distribution(window).get_delta_for_epsilon(epsilon),
        "dp-accounting, delta, once built": lambda: built.get_delta_for_epsilon(epsilon),
        "dp-accounting, epsilon": lambda: accounting.distribution(pair).get_epsilon_for_delta(float(DELTA)),
    }


def _slow_peer_cases(n: int) -> dict[str, Callable[[], Any]]:
    import accounting

    pair, near = accounting.pmfs(n, float(Q)), float(Q)
    return {
        "dp-accounting, pmfs": lambda: accounting.pmfs(n, float(Q)),
        "dp-accounting, delta, no truncation": lambda: accounting.distribution(
            pair, lightest=-math.inf
        ).get_delta_for_epsilon(float(EPSILONS[n])),
        "dp-accounting, least q": lambda: accounting.least_q(n, float(EPSILONS[n]), float(DELTA), near=near),
    }


def _check_peer(n: int) -> float:
    """dp-accounting's answers lie between ours and ours at epsilon - grid; its delta relative to ours is returned."""
    import accounting

    q, epsilon, grid = float(Q), EPSILONS[n], Fraction(accounting.GRID)
    slack = 1 + Fraction(1, 10**6)  # double precision
    exact, bound = delta_one(n), by_tails(n, epsilon - grid)
    for pair in (accounting.pmfs(n, q), accounting.pmfs(n, q, sigmas=WINDOW)):
        built = accounting.distribution(pair)
        theirs = built.get_delta_for_epsilon(float(epsilon))
        check(exact.upper <= theirs <= bound.upper * slack, f"dp-accounting's delta, n = {n}")
        budget = built.get_epsilon_for_delta(float(DELTA))
        check(
            epsilon_one(n).lower <= budget <= (epsilon_one(n).upper + grid) * slack, f"dp-accounting's epsilon, n = {n}"
        )
    noise = Fraction(accounting.least_q(n, float(epsilon), float(DELTA), near=q))
    tolerance = Fraction(2, 10**6)
    check(by_tails(n, epsilon, noise * (1 + tolerance)).upper <= DELTA, f"dp-accounting's least q, n = {n}")
    check(by_tails(n, epsilon - grid, noise * (1 - tolerance)).upper >= DELTA, f"dp-accounting's least q, n = {n}")
    return float(theirs / exact.lower)


def _maxima(n: int, k: int) -> int:
    """How many certified maxima over all datasets a least q takes."""
    with patch.object(crossing, "settled", wraps=crossing.settled) as counted:
        least_q(n, k)
    return counted.call_count


def _peaks(n: int, with_peer: bool) -> dict[str, float]:
    peaks = {name: peak_of(f"import bench_delta\nbench_delta.TASKS[{name!r}]({n})") for name in TASKS}
    if with_peer:
        peaks["dp-accounting, delta"] = peak_of(
            f"import accounting\naccounting.distribution(accounting.pmfs({n}, 0.1)).get_delta_for_epsilon(0.1)"
        )
    return peaks
