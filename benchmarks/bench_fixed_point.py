"""One dataset in fixed point against dp-accounting: built and asked, and asked again; k = 1 and 10, delta near 1e-6.

All records beside the changed one hold 0. Our time counts e^epsilon in balls; dp-accounting's counts its distribution
and the question, not the pmfs it is given. Both give the larger of the two directions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from measure import check, medians

import dpcalc as dp
from dpcalc.laws.fixed_point import both
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.listed import Lowered

__all__ = ["run"]

Q, DELTA, BITS = Fraction(1, 10), Fraction(1, 10**6), 128


def pair(n: int, k: int, ones: int = 0) -> Lowered:
    others = [(Q, k * (n - 1 - ones)), (1 - Q, k * ones)]
    return Lowered.of(*both(others, (Q, 1 - Q), k, BITS))


def delta(built: Lowered, epsilon: Fraction) -> tuple[Fraction, Fraction]:
    lam = Limit.exp(epsilon).ends_to(BITS)
    found = [side.divergence(lam) for side in (built, built.mirror)]
    return max(one.lower for one in found), max(one.upper for one in found)


def run(
    *, sizes: Sequence[int] = (10**2, 10**3, 10**4), peer: bool = True, repeats: int = 9
) -> dict[str, dict[str, Any]]:
    """For each n and k: seconds, and dp-accounting's time over ours."""
    return {f"n = {n}, k = {k}": _one(n, k, peer, repeats) for n in sizes for k in (1, 10)}


def _one(n: int, k: int, peer: bool, repeats: int) -> dict[str, Any]:
    built, mechanism = pair(n, k), dp.KRandomization(n=n, q=Q, k=k)
    budget = Fraction(f"{float(dp.epsilon(mechanism, delta=DELTA, ones=0)):.4g}")
    low, high = delta(built, budget)
    known = dp.delta(mechanism, epsilon=budget, ones=0)
    check(max(low, known.lower) <= min(high, known.upper), f"delta, n = {n}, k = {k}")
    check((high - low) * 2**80 <= low, f"width, n = {n}, k = {k}")
    cases: dict[str, Callable[[], Any]] = {
        "delta": lambda: delta(pair(n, k), budget),
        "further delta": lambda: delta(built, budget),
        "delta, a third of the records 1": lambda: delta(pair(n, k, n // 3), budget),
    }
    if peer:
        theirs = _peer_cases(n, k, float(budget))
        check(low * 0.999999 <= theirs["delta"]() <= 1.1 * high, f"dp-accounting's delta, n = {n}, k = {k}")
        cases |= {f"dp-accounting, {name}": call for name, call in theirs.items()}
    seconds = medians(cases, repeats=repeats)
    ratios = {
        name: seconds[f"dp-accounting, {name}"] / time
        for name, time in seconds.items()
        if f"dp-accounting, {name}" in seconds
    }
    return {"seconds": seconds, "dp-accounting / fixed point": ratios}


def _peer_cases(n: int, k: int, budget: float) -> dict[str, Callable[[], Any]]:
    import accounting

    given = _pmfs(n, k)
    built = accounting.distribution(given)
    fresh = partial(accounting.distribution, given)
    return {
        "delta": lambda: fresh().get_delta_for_epsilon(budget),
        "further delta": lambda: built.get_delta_for_epsilon(budget),
    }


def _pmfs(n: int, k: int) -> tuple[dict[int, float], dict[int, float]]:
    """Logarithms of the pmfs of both pools: k reports of the changed record, k (n - 1) others."""
    import numpy as np
    from scipy.stats import binom

    q, s = float(Q), np.arange(k * n + 1)
    others = [binom.logpmf(s - j, k * (n - 1), q) for j in range(k + 1)]

    def pooled(a: float) -> dict[int, float]:
        terms = [binom.logpmf(j, k, a) + other for j, other in enumerate(others)]
        return dict(zip(s.tolist(), np.logaddexp.reduce(terms).tolist(), strict=True))

    return pooled(q), pooled(1 - q)


if __name__ == "__main__":
    import json

    print(json.dumps(run(), indent=1))
