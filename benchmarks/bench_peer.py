"""dp-accounting at its best and at its most naive, on one dataset, beside dpcalc on all.

At its best it is given only the outcomes likelier than 1e-26, which somebody has picked by hand; at its most naive all
of them. Both directions, its grid of 1e-4, pessimistic. The time of the two pmfs, of n and q, is counted for the least
q, and in a row of its own: scipy's, of the likely outcomes alone. Ours begin with n and q and empty caches each time.
Flips are frequent or rare, and of rounds there are 30.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, partial
from typing import Any, NamedTuple

from bench_delta import DELTA, Q, cold
from measure import check, medians

import dpcalc as dp

__all__ = ["BEST", "FROM_N", "NAIVE", "NAIVELY", "OURS", "REGIMES", "SIZES", "TASKS", "WAYS", "run"]

OURS, BEST, NAIVE = "dpcalc", "given the likely outcomes", "given every outcome"
FROM_N = "given n and q, likely outcomes"
WAYS = (BEST, FROM_N, NAIVE)
SIZES = (10**2, 10**3, 10**4, 10**5, 10**6)
ROUNDS = 30
RARE = Fraction(1, 2)  # epsilon, at which delta is 1e-6 where about 90 of all reports are flipped
LIGHTEST = math.log(1e-26)
PEERED = 10**5  # the most reports whose outcomes are all given
_SIGMAS = 15.0  # from the mean, beyond which no outcome is likelier
_SLACK = 1 + Fraction(1, 10**6)  # double precision


class Setting(NamedTuple):
    """n users, the probability of a flip, and the epsilon at which delta is 1e-6 or so, of one round and of all."""

    n: int
    q: Fraction
    epsilon: Fraction
    epsilon_of_all: Fraction

    @property
    def mechanism(self) -> dp.KRandomization:
        return dp.KRandomization(n=self.n, q=self.q)

    @property
    def rounds(self) -> dp.Rounds:
        return dp.Rounds([(self.mechanism, ROUNDS)])


def _frequent(n: int) -> Fraction:
    return Q


def _rare(n: int) -> Fraction:
    return Fraction(f"{float(dp.least_q(n=n, epsilon=RARE, delta=DELTA).value):.4g}")


LEAST = "least q"  #: the peer counts the pmfs at each q in any case
#: By q.
REGIMES: dict[str, Callable[[int], Fraction]] = {"q = 1/10": _frequent, "ε = 1/2, rare flips": _rare}
#: Ours, over all datasets but for those of one.
TASKS: dict[str, Callable[[Setting], Any]] = {
    "delta, one dataset": lambda asked: dp.delta(asked.mechanism, epsilon=asked.epsilon, ones=0),
    "delta": lambda asked: dp.delta(asked.mechanism, epsilon=asked.epsilon),
    "epsilon, one dataset": lambda asked: dp.epsilon(asked.mechanism, delta=DELTA, ones=0),
    "epsilon": lambda asked: dp.epsilon(asked.mechanism, delta=DELTA),
    LEAST: lambda asked: dp.least_q(n=asked.n, epsilon=asked.epsilon, delta=DELTA),
    f"delta of {ROUNDS} rounds": lambda asked: dp.delta(asked.rounds, epsilon=asked.epsilon_of_all),
}
#: Those of which the peer is timed with every outcome: of a least q it would take minutes.
NAIVELY = ("delta", "epsilon", f"delta of {ROUNDS} rounds")


@cache
def _setting(n: int, regime: str) -> Setting:
    q = REGIMES[regime](n)
    one = dp.KRandomization(n=n, q=q)
    near = [dp.epsilon(asked, delta=DELTA).upper for asked in (one, dp.Rounds([(one, ROUNDS)]))]
    return Setting(n, q, *(Fraction(f"{float(epsilon):.4g}") for epsilon in near))


def run(*, sizes: Sequence[int] = SIZES, repeats: int = 5) -> dict[str, Any]:
    """Seconds by regime, n and task: ``OURS``, and by ``BEST`` and ``NAIVE`` the peer's."""
    return {regime: {f"{n}": _one(_setting(n, regime), repeats) for n in sizes} for regime in REGIMES}


def _one(asked: Setting, repeats: int) -> dict[str, Any]:
    ours: dict[str, Callable[[], Any]] = {name: cold(partial(task, asked)) for name, task in TASKS.items()}
    best, whole = _theirs(asked, LIGHTEST), _theirs(asked, LIGHTEST, counted=True)
    _check(asked, best)
    _check(asked, whole)
    shares = {}
    for name, task in ours.items():
        ways = {OURS: task, BEST: best[name]} | ({} if name == LEAST else {FROM_N: whole[name]})
        shares[name] = medians(ways, repeats=repeats)
    if asked.n <= PEERED:
        naive = _theirs(asked, -math.inf)
        for name in NAIVELY:
            shares[name] |= medians({NAIVE: naive[name]}, repeats=1)
    more = {"q": f"{asked.q}", "epsilon": float(asked.epsilon), "epsilon of all": float(asked.epsilon_of_all)}
    return {**more, "seconds": shares}


def _theirs(asked: Setting, lightest: float, *, counted: bool = False) -> dict[str, Callable[[], Any]]:
    """dp-accounting's answers of the dataset of zeros, from the outcomes whose log is above ``lightest``; their chances
    are given, or counted each time.
    """
    import accounting

    q, epsilon = float(asked.q), float(asked.epsilon)
    sigmas = None if lightest == -math.inf else _SIGMAS
    count = partial(accounting.pmfs, asked.n, q, sigmas=sigmas, lightest=lightest)
    given = count()

    def distribution() -> Any:
        return accounting.distribution(count() if counted else given, lightest=lightest)

    def delta() -> float:
        return float(distribution().get_delta_for_epsilon(epsilon))

    def budget() -> float:
        return float(distribution().get_epsilon_for_delta(float(DELTA)))

    def composed() -> float:
        one = distribution()
        return float(one.self_compose(ROUNDS).get_delta_for_epsilon(float(asked.epsilon_of_all)))

    def least() -> float:
        return accounting.least_q(asked.n, epsilon, float(DELTA), near=q, sigmas=sigmas, lightest=lightest)

    asks = (delta, delta, budget, budget, least, composed)
    return dict(zip(TASKS, asks, strict=True))


def _check(asked: Setting, theirs: dict[str, Callable[[], float]]) -> None:
    """Its answers are pessimistic for one dataset, and not far above ours for it."""
    import accounting

    grid, what = Fraction(accounting.GRID), f"n = {asked.n}, q = {asked.q}"
    exact, delta = TASKS["delta, one dataset"](asked), Fraction(theirs["delta"]())
    looser = dp.delta(asked.mechanism, epsilon=max(asked.epsilon - grid, Fraction(0)), ones=0)
    check(exact.lower <= delta * _SLACK and delta <= looser.upper * _SLACK, f"dp-accounting's delta, {what}")
    epsilon, budget = TASKS["epsilon, one dataset"](asked), Fraction(theirs["epsilon"]())
    check(epsilon.lower <= budget * _SLACK and budget <= (epsilon.upper + grid) * _SLACK, f"its epsilon, {what}")
    for name in ("delta", "epsilon"):
        check(
            TASKS[f"{name}, one dataset"](asked).lower <= TASKS[name](asked).upper, f"{name} over all datasets, {what}"
        )
    one = dp.delta(asked.rounds, epsilon=asked.epsilon_of_all, ones=0)
    together = Fraction(theirs[f"delta of {ROUNDS} rounds"]())
    check(one.lower <= together * _SLACK, f"its rounds, {what}")
    check(one.lower <= TASKS[f"delta of {ROUNDS} rounds"](asked).upper, f"rounds over all datasets, {what}")
