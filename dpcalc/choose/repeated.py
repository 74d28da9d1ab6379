r"""The least q, the fewest users and the most rounds where everybody reports a histogram, or many times.

The worst delta, for fixed and for adaptive datasets, falls in q and in n and rises with the rounds: reports flipped
with q' > q are reports flipped with q and then once more; the reports of one more user, whatever they hold in whichever
round, can be added by anybody; and leaving out a round is post-processing (proof notes, C14). So each
question has one threshold; where the ends of delta do not meet, it is bracketed as narrowly as they allow.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache

from dpcalc.choose.bracket import Bracket
from dpcalc.choose.crossing import target_delta, tolerance
from dpcalc.choose.deployment import Deployment
from dpcalc.choose.edges import edges, shown
from dpcalc.errors import NoSolution, TooFaint, TooLarge, Undecided
from dpcalc.mechanisms.response import MOST_REPORTS, KRandomization, expect
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import Number
from dpcalc.numbers.search import logarithm, logit, steer
from dpcalc.privacy.delta import delta as privacy_delta
from dpcalc.privacy.gaussian import gaussian_sigma
from dpcalc.privacy.pair import FAINT
from dpcalc.privacy.rounds import MOST_ROUNDS, Rounds
from dpcalc.privacy.unary import UnaryEncoding

__all__ = ["fewest_users", "least_noise", "most_rounds"]

_RTOL = Fraction(1, 1000)
_LEAST_Q = Fraction(1, 10**18)
_NEXT_TO_HALF = Fraction(1, 2) - Fraction(1, 10**12)
_COARSER = 5  # delta's relative width to that of the parameter, at least: it moves so much more
_ROUGH = Fraction(1, 2)
_ABOUT = Fraction(1, 1000)
_NEXT = 0.01  # so near to the target, in log-odds, the search for a start ends
_DIGITS = 12  # of a first guess
_APART = 0.01  # of log x: the two values that tell a slope
_UNKNOWN = Promise(Fraction(0), Fraction(1))


def least_noise(asked: Deployment, n: int, limit: Limit, target: Fraction, rtol: Number | None) -> Bracket:
    """See ``least.least_q``."""
    silent = 1 / (1 + limit.root(asked.exposed).lower)  # delta is 0 there
    if silent <= _LEAST_Q:
        raise NoSolution(f"delta is 0 already at {_LEAST_Q}, the least value searched")
    return _bracket(
        lambda q: asked.all_rounds(n, q), limit, target, rtol,
        failing=_LEAST_Q, holding=min(silent, _NEXT_TO_HALF),
    )  # fmt: skip


def fewest_users(asked: Deployment, q: Fraction, limit: Limit, target: Fraction, rtol: Number | None) -> Bracket:
    """See ``least.least_n``."""
    one, most = Fraction(1), Fraction(MOST_REPORTS // asked.k)
    single = Rounds([KRandomization(n=most, q=q, k=asked.k)])
    if _delta(single, limit).lower > target:  # one count alone
        raise NoSolution(f"delta is above {shown(target)} even at n = {int(most):,}, the last value searched")
    alone = _delta(asked.all_rounds(1, q), limit)
    if alone.upper <= target:
        return Bracket(lower=one, upper=one, at_lower=alone, at_upper=alone)
    return _bracket(
        lambda n: asked.all_rounds(int(n), q), limit, target, rtol, failing=one, holding=most, whole=True
    )  # fmt: skip


def most_rounds(
    mechanism: KRandomization | UnaryEncoding,
    *,
    delta: Number,
    lam: Number | None = None,
    epsilon: Number | None = None,
    rtol: Number | None = None,
) -> Bracket:
    """How many times a mechanism may be run on the same people within a budget (epsilon, delta).

    Args:
        mechanism: what is run in every round.
        delta: the budget, 0 < delta < 1.
        lam: lambda = e^epsilon >= 1; give it or
        epsilon: >= 0.
        rtol: relative width to which each end is found, at least 1e-9 (default 1e-3); at least one round.

    Returns:
        A bracket of whole numbers: the budget holds for ``lower`` rounds (its ``value``), also where later datasets
        depend on earlier counts; with ``upper`` rounds it is broken, by datasets fixed beforehand or, where there are
        few rounds of few records, by a strategy that looks at earlier counts: its ``meaning`` says which.

    Raises:
        DomainError: an argument out of range.
        NoSolution: one round breaks the budget, or as many as ``Rounds`` takes (a million counts) keep it.
        Undecided: the ends of delta leave open which.

    >>> most = most_rounds(KRandomization(n=10**4, q="1/10"), epsilon=1, delta="1e-6")
    >>> print(f"{most}; {most.upper} are too many")
    77; 79 are too many
    """
    if not isinstance(mechanism, UnaryEncoding):
        expect(mechanism, KRandomization)
    limit, target = Limit.of(lam=lam, epsilon=epsilon), target_delta(delta)
    try:
        return _bracket(
            lambda times: Rounds([(mechanism, int(times))]), limit, target, rtol,
            failing=Fraction(MOST_ROUNDS // Rounds([mechanism]).counts), holding=Fraction(1), whole=True,
        )  # fmt: skip
    except (NoSolution, Undecided):
        once = _delta(Rounds([mechanism]), limit)
        if once.lower > target:
            raise NoSolution(f"one round breaks the budget: delta = {once}") from None
        raise


def _bracket(
    rounds: Callable[[Fraction], Rounds],
    limit: Limit,
    target: Fraction,
    rtol: Number | None,
    *,
    failing: Fraction,
    holding: Fraction,
    whole: bool = False,
) -> Bracket:
    """Where delta of rounds that depend on a parameter crosses the target."""
    width = tolerance(_RTOL if rtol is None else rtol)
    sharp = min(width * max(_COARSER, round(-logarithm(target) / 2)), Fraction(1, 2))
    low, high = sorted((failing, holding))
    start, slope = _steered(rounds, limit, target, low, high, rising=failing > holding, whole=whole, rtol=width)
    if slope is None and _delta(rounds(failing), limit, _ROUGH).upper <= target:  # seen in a fraction of the time
        raise NoSolution(f"delta is at most {shown(target)} even at {shown(failing)}, the last value searched")
    found = edges(
        lambda x: _delta(rounds(x), limit, sharp), target,
        failing=failing, holding=holding, start=start, rtol=width, whole=whole, slope=slope,
    )  # fmt: skip
    bad, good = (found.failing, found.at_failing), (found.holding, found.at_holding)
    (lower, at_lower), (upper, at_upper) = (bad, good) if failing < holding else (good, bad)
    return Bracket(
        lower=lower, upper=upper, at_lower=at_lower, at_upper=at_upper, holds_above=failing < holding, rtol=width
    )


def _delta(rounds: Rounds, limit: Limit, rtol: Fraction | None = None) -> Promise:
    """delta, also where it is too faint to be held; of an answer that is not settled nothing is known: the error's
    enclosure may be of a step on the way.
    """
    given = limit.argument
    try:
        return privacy_delta(rounds, lam=given.get("lam"), epsilon=given.get("epsilon"), rtol=rtol)
    except TooFaint:
        return Promise.that(FAINT)
    except Undecided:
        return _UNKNOWN


def _steered(
    rounds: Callable[[Fraction], Rounds], limit: Limit, target: Fraction, low: Fraction, high: Fraction,
    *, rising: bool, whole: bool, rtol: Fraction,
) -> tuple[float, float | None]:  # fmt: skip
    """log x where delta of one choice of datasets crosses, and the slope of its log-odds there, if it is known."""
    digits = None if whole else math.ceil(-math.log10(rtol)) + 1
    near, sign = _gaussian(rounds, limit, target, low, high, rising=rising, whole=whole), -1 if rising else 1

    @cache  # a search among so few numbers comes back to them
    def at(x: Fraction) -> float:
        try:
            return sign * (logit(rounds(x).below(limit)) - logit(target))
        except (TooLarge, Undecided):
            return -math.inf * sign

    def gap(u: float) -> float:
        return at(_parameter(u, low, high, digits))

    if not math.isfinite(gap(near)):
        return near, None
    place = steer(gap, logarithm(low), logarithm(high), start=near, tolerance=_NEXT)
    there = gap(place)
    if abs(there) > 1:  # it does not cross
        return near, None
    away = max(_APART, 2 * math.exp(-place)) if whole else _APART
    slope = sign * (gap(place + away) - there) / away
    return place, slope if math.isfinite(slope) else None


def _parameter(u: float, low: Fraction, high: Fraction, digits: int | None) -> Fraction:
    """e^u between two ends, to so many digits or as a whole number."""
    x = Fraction(round(math.exp(u)) if digits is None else f"{math.exp(u):.{digits}e}")
    return min(max(x, low), high)


def _gaussian(
    rounds: Callable[[Fraction], Rounds], limit: Limit, target: Fraction, low: Fraction, high: Fraction,
    *, rising: bool, whole: bool,
) -> float:  # fmt: skip
    """log x at which the loss spreads as that of the Gaussian mechanism that just holds; it steers."""
    goal = -logarithm(gaussian_sigma(delta=target, rtol=_ABOUT, **limit.argument).upper)

    def gap(u: float) -> float:
        return (math.log(rounds(_parameter(u, low, high, None if whole else _DIGITS)).deviation) - goal) * (
            -1 if rising else 1
        )

    return steer(gap, logarithm(low), logarithm(high), tolerance=1e-3)
