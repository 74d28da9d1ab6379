"""delta at an epsilon, epsilon at a delta and the least q: one dataset, all datasets, and dp-accounting on one.

The dataset is all records 0 but the changed one; k = 1 and 10, q = 1/10, delta near 1e-6, every width the default one.
A question to dp-accounting counts the building of its distribution and the asking; the pmfs it is given are counted
only where q changes, for the least q. Ours begin with empty caches each time, but for the "further" ones, each with
another epsilon or delta: ours a share of a profile of 200 epsilons, all that it builds counted, and a delta to a
dataset that is known; the peer's, asked one by one of a distribution that is built, the asking only.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import cycle
from typing import Any
from unittest.mock import patch

from measure import check, medians, peak_of

import dpcalc as dp
from dpcalc.families.bits import Bits
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.elementary import exp
from dpcalc.numbers.enclosure import Enclosure

__all__ = ["FURTHER", "KS", "SIZES", "TASKS", "by_tails", "cold", "epsilon_near", "growth", "run"]

Q, DELTA = Fraction(1, 10), Fraction(1, 10**6)
SIZES = (10**2, 10**3, 10**4, 10**5, 10**6, 10**9, 10**12)
KS = (1, 10)
PEERED = 10**6  # the most reports that dp-accounting is asked about, all outcomes
WINDOWED = 10**6  # the largest n that it is asked about, given a part of the outcomes
WINDOW = 15.0  # standard deviations
EXACT = Fraction(1, 10**50)
_FURTHER = 200  # more than any cache holds: different epsilons and deltas asked of a distribution that is known
#: Constants that no question changes: a cache of any other function is emptied before an answer is timed.
_CONSTANTS = {"roots", "_chords", "_points", "_bound", "_binomials", "_layout", "_fraction", "_family", "arrays"}


@cache
def epsilon_near(n: int, k: int) -> Fraction:
    """The epsilon asked about: four digits of the one at which delta of the dataset is 1e-6."""
    return Fraction(f"{float(dp.epsilon(_mechanism(n, k), delta=DELTA, ones=0)):.4g}")


def _mechanism(n: int, k: int) -> dp.KRandomization:
    return dp.KRandomization(n=n, q=Q, k=k)


# --- what is timed ------------------------------------------------------------------------------------------------


def delta_one(n: int, k: int) -> Any:
    return dp.delta(_mechanism(n, k), epsilon=epsilon_near(n, k), ones=0)


def delta_all(n: int, k: int) -> Any:
    return dp.delta(_mechanism(n, k), epsilon=epsilon_near(n, k))


def epsilon_one(n: int, k: int) -> Enclosure:
    return dp.epsilon(_mechanism(n, k), delta=DELTA, ones=0)


def epsilon_all(n: int, k: int) -> Enclosure:
    return dp.epsilon(_mechanism(n, k), delta=DELTA)


def least_q(n: int, k: int) -> Bracket:
    return dp.least_q(n=n, epsilon=epsilon_near(n, k), delta=DELTA, k=k)


TASKS: dict[str, Callable[[int, int], Any]] = {
    "delta, one dataset": delta_one,
    "delta, all datasets": delta_all,
    "epsilon, one dataset": epsilon_one,
    "epsilon, all datasets": epsilon_all,
    "least q, all datasets": least_q,
}


def cold(task: Callable[[], Any]) -> Callable[[], Any]:
    """The task with our caches emptied before each call."""
    task()  # what it imports may bring further caches
    caches = _caches()

    def call() -> Any:
        for clear in caches:
            clear()
        return task()

    return call


def _caches() -> list[Callable[[], None]]:
    """What empties the caches of all functions of dpcalc but for the tables of constants."""
    modules = [module for name, module in sys.modules.items() if name.startswith("dpcalc.") and module is not None]
    found = {id(value): value for module in modules for value in vars(module).values() if hasattr(value, "cache_clear")}
    return [value.cache_clear for value in found.values() if value.__name__ not in _CONSTANTS]


def _further(n: int, k: int) -> dict[str, Callable[[], Any]]:
    """Many epsilons at once, and each call another delta."""
    mechanism, epsilon = _mechanism(n, k), epsilon_near(n, k)
    epsilons = [epsilon * (1 + Fraction(i, 4000)) for i in range(_FURTHER)]
    deltas = cycle([DELTA * (1 + Fraction(i, 4000)) for i in range(_FURTHER)])
    asked: tuple[Callable[[], Any], ...] = (
        lambda: dp.profile(mechanism, epsilons, ones=0),
        lambda: dp.epsilon(mechanism, delta=next(deltas), ones=0),
    )
    return dict(zip(FURTHER, asked, strict=True))


#: Asked of a dataset that was asked about before.
FURTHER = ("delta, one dataset, further", "epsilon, one dataset, further")


def run(
    *, sizes: Sequence[int] = SIZES, ks: Sequence[int] = KS, peer: bool = True, memory: bool = True, repeats: int = 5
) -> dict[str, Any]:
    """For each n and k: seconds and peak memory of every task, and the number of certified maxima in a least q."""
    return {
        f"{n}": {f"k = {k}": _one(n, k, peer=peer, memory=memory, repeats=repeats) for k in ks} for n in sizes
    }  # fmt: skip


def _one(n: int, k: int, *, peer: bool, memory: bool, repeats: int) -> dict[str, Any]:
    _check(n, k)
    cases = {name: cold(partial(task, n, k)) for name, task in TASKS.items()}
    one: dict[str, Any] = {"epsilon": float(epsilon_near(n, k))}
    whole = peer and n * k <= PEERED
    if peer and n <= WINDOWED:
        cases |= _peer_cases(n, k, whole)
        one["dp-accounting delta / exact"] = _check_peer(n, k, whole)
    one["seconds"] = medians(cases, repeats=repeats) | medians(_further(n, k), repeats=repeats)
    one["seconds"][FURTHER[0]] /= _FURTHER
    if whole:
        one["seconds"] |= medians(_slow_peer_cases(n, k), repeats=3 if n * k < PEERED else 1)
    one["certified maxima in a least q"] = _maxima(n, k)
    if memory:
        one["peak MB"] = _peaks(n, k, whole)
    return one


def growth(*, sizes: Sequence[int] = SIZES, repeats: int = 15) -> dict[str, dict[str, float]]:
    """Seconds of delta at each n, for one dataset and for all, the sizes taking turns; ``run`` checks the answers."""
    chosen = ("delta, one dataset", "delta, all datasets")
    return {
        name: medians({f"{n}": cold(partial(TASKS[name], n, 1)) for n in sizes}, repeats=repeats) for name in chosen
    }


# --- are the answers right? ---------------------------------------------------------------------------------------


def by_tails(n: int, epsilon: Fraction, q: Fraction = Q, k: int = 1) -> Enclosure:
    """delta of the dataset by binomial tails; shares nothing with the integers, the inversion and the one pass.

    With p = 1 - q and M = k n, P_0(S = t) is that of Bin(M, q) and

        P_1(S = t) / P_0(S = t) = sum_j C(k, j) (p/q)^(2j - k) t_(j) (M - t)_(k - j) / M_(k),

    x_(j) = x (x - 1) ... (x - j + 1), grows with t.
    """
    p, lam, total = 1 - q, exp(epsilon, EXACT), k * n
    own = [math.comb(k, j) * p**j * q ** (k - j) for j in range(k + 1)]
    weights = [math.comb(k, j) * (p / q) ** (2 * j - k) for j in range(k + 1)]

    def ratio(t: int) -> Fraction:
        terms = (weights[j] * _falling(t, j) * _falling(total - t, k - j) for j in range(k + 1))
        return sum(terms, Fraction(0)) / _falling(total, k)

    def first(above: Callable[[Fraction], bool]) -> int:
        low, high = -1, total + 1  # not above at low, above at high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if above(ratio(middle)) else (middle, high)
        return high

    def tail(side: Callable[..., Enclosure], count: int, s: int) -> Enclosure:
        return side(count, q, s, rtol=EXACT)

    low, high = first(lambda x: lam * x >= 1) - 1, first(lambda x: lam < x)
    most, least = dp.binomial_at_most, dp.binomial_at_least
    falling = tail(most, total, low) - lam * _mixed(own, lambda j: tail(most, total - k, low - j))
    rising = _mixed(own, lambda j: tail(least, total - k, high - j)) - lam * tail(least, total, high)
    return Enclosure(max(falling.lower, rising.lower, Fraction(0)), max(falling.upper, rising.upper, Fraction(0)))


def _falling(x: int, count: int) -> int:
    return math.prod(range(x - count + 1, x + 1))


def _mixed(weights: Sequence[Fraction], part: Callable[[int], Enclosure]) -> Enclosure:
    terms = (weight * part(j) for j, weight in enumerate(weights))
    return sum(terms, Enclosure.of(0))


def _check(n: int, k: int) -> None:
    """Our answers: two routes for one dataset; no dataset above the maximum; targets met on the right side."""
    asked, epsilon = f"n = {n}, k = {k}", epsilon_near(n, k)
    one, second, worst = delta_one(n, k), by_tails(n, epsilon, Q, k), delta_all(n, k)
    check(max(one.lower, second.lower) <= min(one.upper, second.upper), f"delta, {asked}")
    check(one.lower <= worst.upper <= worst.lower * (1 + Fraction(1, 10**4)), f"delta over all datasets, {asked}")
    found = epsilon_one(n, k)
    check(by_tails(n, found.upper, Q, k).upper <= DELTA < by_tails(n, found.lower, Q, k).lower, f"epsilon, {asked}")
    check(found.lower <= epsilon_all(n, k).upper, f"epsilon over all datasets, {asked}")
    least = least_q(n, k)
    check(least.at_upper.upper <= DELTA < least.at_lower.lower, f"least q, {asked}")
    check(by_tails(n, epsilon, least.upper, k).lower <= DELTA, f"one dataset at the least q, {asked}")


# --- dp-accounting ------------------------------------------------------------------------------------------------


def _peer_cases(n: int, k: int, whole: bool) -> dict[str, Callable[[], Any]]:
    import accounting

    epsilon, q = float(epsilon_near(n, k)), float(Q)
    window = accounting.pmfs(n, q, k, sigmas=WINDOW)
    cases: dict[str, Callable[[], Any]] = {
        "dp-accounting, delta, window": lambda: accounting.distribution(window).get_delta_for_epsilon(epsilon)
    }
    if not whole:
        return cases
    pair = accounting.pmfs(n, q, k)
    built = accounting.distribution(pair)
    epsilons = cycle([epsilon * (1 + i / 4000) for i in range(_FURTHER)])
    deltas = cycle([float(DELTA) * (1 + i / 4000) for i in range(_FURTHER)])
    return cases | {
        "dp-accounting, delta": lambda: accounting.distribution(pair).get_delta_for_epsilon(epsilon),
        "dp-accounting, delta, once built": lambda: built.get_delta_for_epsilon(next(epsilons)),
        "dp-accounting, epsilon": lambda: accounting.distribution(pair).get_epsilon_for_delta(float(DELTA)),
        "dp-accounting, epsilon, once built": lambda: built.get_epsilon_for_delta(next(deltas)),
    }


def _slow_peer_cases(n: int, k: int) -> dict[str, Callable[[], Any]]:
    import accounting

    pair, epsilon, near = accounting.pmfs(n, float(Q), k), float(epsilon_near(n, k)), float(Q)
    return {
        "dp-accounting, pmfs": lambda: accounting.pmfs(n, near, k),
        "dp-accounting, delta, no truncation": lambda: accounting.distribution(
            pair, lightest=-math.inf
        ).get_delta_for_epsilon(epsilon),
        "dp-accounting, least q": lambda: accounting.least_q(n, epsilon, float(DELTA), k, near=near),
    }


def _check_peer(n: int, k: int, whole: bool) -> float:
    """dp-accounting's answers lie between ours and ours at epsilon - grid; its delta relative to ours is returned."""
    import accounting

    q, epsilon, grid, asked = float(Q), epsilon_near(n, k), Fraction(accounting.GRID), f"n = {n}, k = {k}"
    slack = 1 + Fraction(1, 10**6)  # double precision
    exact, bound = delta_one(n, k), by_tails(n, epsilon - grid, Q, k)
    for pair in [accounting.pmfs(n, q, k, sigmas=WINDOW), *([accounting.pmfs(n, q, k)] if whole else [])]:
        built = accounting.distribution(pair)
        theirs = built.get_delta_for_epsilon(float(epsilon))
        check(exact.upper <= theirs * slack and theirs <= bound.upper * slack, f"dp-accounting's delta, {asked}")
        budget, ours = built.get_epsilon_for_delta(float(DELTA)), epsilon_one(n, k)
        check(ours.lower <= budget * slack and budget <= (ours.upper + grid) * slack, f"its epsilon, {asked}")
    if whole:
        noise = Fraction(accounting.least_q(n, float(epsilon), float(DELTA), k, near=q))
        tolerance = Fraction(2, 10**6)
        check(by_tails(n, epsilon, noise * (1 + tolerance), k).upper <= DELTA, f"its least q, {asked}")
        check(by_tails(n, epsilon - grid, noise * (1 - tolerance), k).upper >= DELTA, f"its least q, {asked}")
    return float(theirs / exact.lower)


# --- counts -------------------------------------------------------------------------------------------------------


def _maxima(n: int, k: int) -> int:
    """How many certified maxima over all datasets a least q takes."""
    with patch.object(Bits, "delta", autospec=True, side_effect=Bits.delta) as counted:
        least_q(n, k)
    return counted.call_count


def _peaks(n: int, k: int, whole: bool) -> dict[str, float]:
    peaks = {name: peak_of(f"import bench_delta\nbench_delta.TASKS[{name!r}]({n}, {k})") for name in TASKS}
    if whole:
        peaks["dp-accounting, delta"] = peak_of(
            f"import accounting\naccounting.distribution(accounting.pmfs({n}, 0.1, {k})).get_delta_for_epsilon(0.1)"
        )
    return peaks
