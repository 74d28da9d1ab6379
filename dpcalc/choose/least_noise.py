r"""The least integer noise on a count for a target (epsilon, delta).

delta falls as the noise grows, so each question has one threshold, bracketed by a proof on both sides:

*trials*   Bin(N + 1, p) is Bin(N, p) and one more independent coin: post-processing.
*mean*     Poisson(mu + nu) is Poisson(mu) and an independent Poisson(nu): post-processing.
*bound*    the truncated geometric distribution is no post-processing of one with a smaller bound, but its delta falls
           with the bound for every ratio, sensitivity and lambda >= 1 (proof notes, N5). It does not fall to 0 unless
           lambda >= ratio^-sensitivity.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from dpcalc.choose.bracket import Bracket
from dpcalc.choose.crossing import target_delta, tolerance
from dpcalc.errors import DomainError, NoSolution, TooFaint, Undecided
from dpcalc.mechanisms.noise import LARGEST, Binomial, Geometric, Noise, Poisson
from dpcalc.numbers.enclosure import decimal
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import Number, between, integer
from dpcalc.numbers.search import logit, steer
from dpcalc.privacy.noisy_count import NoisyCount
from dpcalc.privacy.pair import FAINT

__all__ = ["least_bound", "least_mean", "least_trials"]

_RTOL = Fraction(1, 10**6)
_WIDTHS = tuple(Fraction(1, 10**digits) for digits in (6, 12, 50, 300))  # of delta, until it is settled
_LEAST_MEAN = 1e-15
_TRIES = 6


def least_trials(
    *, delta: Number, lam: Number | None = None, epsilon: Number | None = None, probability: Number = "1/2",
    sensitivity: Number = 1,
) -> Bracket:  # fmt: skip
    """The fewest trials of binomial noise that make a count (epsilon, delta)-differentially private.

    Args:
        delta: the target, 0 < delta < 1.
        lam: lambda = e^epsilon >= 1; give it or
        epsilon: >= 0.
        probability: of each trial.
        sensitivity: by how much one person changes the count at most.

    Returns:
        A bracket of neighbouring whole numbers: ``lower`` trials are too few, with ``upper`` and all larger numbers the
        target is proven. If one trial is enough, both ends are 1.

    Raises:
        DomainError: an argument out of range.
        NoSolution: more than 10^15 trials would be needed.
        Undecided: a delta equals the target to 300 digits.

    >>> least_trials(epsilon=1, delta="1e-6").value
    Fraction(80, 1)
    """
    chance = between(probability, "probability", 0, 1, "a probability")
    problem = _Problem(lambda n: Binomial(n, chance), sensitivity, Limit.of(lam=lam, epsilon=epsilon), delta)
    return problem.whole(1, "trials")


def least_bound(
    *, delta: Number, lam: Number | None = None, epsilon: Number | None = None, ratio: Number | None = None,
    sensitivity: Number = 1,
) -> Bracket:  # fmt: skip
    """The least bound of truncated geometric noise that makes a count (epsilon, delta)-differentially private.

    Args:
        delta: the target, 0 < delta < 1.
        lam: lambda = e^epsilon > 1; give it or
        epsilon: > 0.
        ratio: of neighbouring probabilities; default e^(-epsilon/sensitivity), with which the noise without a bound
            would be epsilon-private.
        sensitivity: by how much one person changes the count at most.

    Returns:
        A bracket of neighbouring whole numbers, as ``least_trials``; if no noise is enough, both ends are 0.

    Raises:
        DomainError: an argument out of range; neither a ratio nor an epsilon with a sensitivity above 1.
        NoSolution: no bound up to 10^15 is enough.
        Undecided: a delta equals the target to 300 digits.

    >>> least_bound(epsilon="1/2", delta="1e-6").value
    Fraction(25, 1)
    """
    limit, most = Limit.of(lam=lam, epsilon=epsilon), integer(sensitivity, "sensitivity", minimum=1, maximum=LARGEST)
    if ratio is not None:
        chance = between(ratio, "ratio", 0, 1)
        return _Problem(lambda bound: Geometric(chance, bound), most, limit, delta).whole(0, "bound")
    limit = Limit.above_one(lam=lam, epsilon=epsilon)
    if limit.logarithmic:
        share = limit.given / most
        return _Problem(lambda bound: Geometric.from_epsilon(share, bound), most, limit, delta).whole(0, "bound")
    if most > 1:
        raise DomainError("ratio", ..., "a ratio, or epsilon in place of lam")
    return _Problem(lambda bound: Geometric(1 / limit.given, bound), most, limit, delta).whole(0, "bound")


def least_mean(
    *, delta: Number, lam: Number | None = None, epsilon: Number | None = None, sensitivity: Number = 1,
    rtol: Number = _RTOL,
) -> Bracket:  # fmt: skip
    """The least mean of Poisson noise that makes a count (epsilon, delta)-differentially private.

    Args:
        delta: the target, 0 < delta < 1.
        lam: lambda = e^epsilon >= 1; give it or
        epsilon: >= 0.
        sensitivity: by how much one person changes the count at most.
        rtol: relative width of the bracket, at least 1e-9.

    Returns:
        A bracket: at ``lower`` delta is above the target, from ``upper`` on it is at or below it.

    Raises:
        DomainError: an argument out of range.
        NoSolution: the least mean is below 1e-15 or above 10^15.
        Undecided: no bracket of this width was found.

    >>> print(least_mean(epsilon=1, delta="1e-6"))
    34.067...
    """
    return _Problem(Poisson, sensitivity, Limit.of(lam=lam, epsilon=epsilon), delta).real(tolerance(rtol))


class _Problem:
    """delta of a noisy count as a function of the parameter of its noise, and the target."""

    def __init__(self, noise: Callable[[Fraction], Noise], sensitivity: Number, limit: Limit, delta: Number) -> None:
        self._noise, self._sensitivity, self._limit = noise, sensitivity, limit
        self._target = target_delta(delta)

    def whole(self, least: int, name: str) -> Bracket:
        """The bracket of a whole parameter: doubled until it holds, then halved."""
        if self._holds(least):
            at = self._decided(least)
            return Bracket(lower=Fraction(least), upper=Fraction(least), at_lower=at, at_upper=at)
        bad, good = least, least + 1
        while not self._holds(good):
            if good == LARGEST:
                raise NoSolution(f"delta is above {self._shown} for every number of {name} up to {LARGEST:,}")
            bad, good = good, min(2 * good, LARGEST)
        while good - bad > 1:
            middle = (good + bad) // 2
            good, bad = (middle, bad) if self._holds(middle) else (good, middle)
        failing, holding = self._decided(bad), self._decided(good)
        return Bracket(lower=Fraction(bad), upper=Fraction(good), at_lower=failing, at_upper=holding)

    def real(self, rtol: Fraction) -> Bracket:
        """The bracket of a real parameter."""
        goal, fine = logit(self._target), rtol * (1 - self._target) / 1000

        def gap(u: float) -> float:
            return logit(self._delta(Fraction(math.exp(u)), fine).lower) - goal

        ends = math.log(_LEAST_MEAN), math.log(LARGEST)
        near, width = math.exp(steer(gap, *ends, start=0.0, tolerance=float(fine))), float(rtol)
        for _ in range(_TRIES):
            digits = max(0, 3 - math.floor(math.log10(width * near)))
            low = Fraction(f"{near * (1 - width / 4):.{digits}f}")
            high = min(Fraction(f"{near * (1 + width / 2):.{digits}f}"), Fraction(LARGEST))
            found = self._bracket(low, high, fine)
            if found.at_lower.lower > self._target >= found.at_upper.upper:
                return found
            if found.at_upper.lower > self._target and high == LARGEST:
                raise NoSolution(f"delta is above {self._shown} for every mean up to {LARGEST:,}")
            if found.at_lower.upper <= self._target and low <= 2 * _LEAST_MEAN:
                raise NoSolution(f"delta is at most {self._shown} with a mean of {_LEAST_MEAN:g} already")
            near *= 1 + width / 2 * (1 if found.at_upper.upper > self._target else -1)
        raise Undecided(f"no bracket was found near {near:.6g}")

    @property
    def _shown(self) -> str:
        return decimal(self._target, self._target, 12)

    def _bracket(self, low: Fraction, high: Fraction, rtol: Fraction) -> Bracket:
        at_lower, at_upper = self._delta(low, rtol), self._delta(high, rtol)
        return Bracket(lower=low, upper=high, at_lower=at_lower, at_upper=at_upper)

    def _holds(self, x: int) -> bool:
        """Whether delta is at most the target."""
        return self._decided(x).upper <= self._target

    def _decided(self, x: int) -> Promise:
        """delta, narrow enough to lie on one side of the target."""
        found = Promise(Fraction(0), Fraction(1))
        for rtol in _WIDTHS:
            found = self._delta(Fraction(x), rtol)
            if found.upper <= self._target or found.lower > self._target:
                return found
        raise Undecided(f"delta at {x:,} is too near {self._shown}", found)

    def _delta(self, x: Fraction, rtol: Fraction) -> Promise:
        try:
            return NoisyCount(self._noise(x), self._sensitivity).delta(self._limit, rtol=rtol)
        except TooFaint:  # too small to be held
            return Promise.that(FAINT)
