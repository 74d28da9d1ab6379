r"""The least integer noise on a count for a target (epsilon, delta).

Why delta falls as the noise grows, so that each question has one threshold, bracketed by a proof on both sides:

*trials*   Bin(N + 1, p) is Bin(N, p) and one more independent coin: post-processing.
*mean*     Poisson(mu + nu) is Poisson(mu) and an independent Poisson(nu): post-processing.
*bound*    a truncated geometric law is no post-processing of one with a smaller bound, but its delta falls as the bound
           grows, for every ratio, sensitivity and lambda >= 1 (proof notes, N5). It falls to 0 only if
           lambda >= ratio^-sensitivity.
*mu*       Skellam(mu + nu, mu + nu) is Skellam(mu, mu) and one more: post-processing.
*scale*    discrete Laplace noise of a larger scale, or its shares, is that of a smaller one and independent noise
           (proof notes, N12).
*sigma*    the exception: of the discrete Gaussian delta need not fall. At epsilon = 5 it is 0.0067 at sigma = 0.3163
           and 0.018 at 0.3535.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from dpcalc.choose.crossing import NEIGHBOURS, Problem, Sought, least_whole, shown, solved, tolerance
from dpcalc.errors import DomainError, NoSolution
from dpcalc.families.table import family
from dpcalc.laws.shares import SharesLaw
from dpcalc.mechanisms.noise import (
    LARGEST,
    Binomial,
    DiscreteGaussian,
    Geometric,
    NegativeBinomial,
    Noise,
    Poisson,
    Skellam,
)
from dpcalc.mechanisms.noisy_count import NoisyCount
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.decimal import usable
from dpcalc.numbers.limit import Limit, target_delta
from dpcalc.numbers.rational import Number, between, integer, positive

_RTOL = Fraction(1, 10**6)
_LEAST_MEAN = Fraction(1, 10**15)
_LEAST_SCALE, _LEAST_SIGMA = Fraction(1, 1000), Fraction(1, 20)
_MOST_SCALE = 5_000  # of shares, whose masses are listed


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
        A bracket of neighbouring whole numbers: ``lower`` trials are too few; from ``upper`` on the target is proven.
        If one trial is enough, both ends are 1.

    Raises:
        DomainError: an argument out of range.
        NoSolution: more than 10^15 trials would be needed.
        Undecided: a delta equals the target to 300 digits.

    >>> least_trials(epsilon=1, delta="1e-6").value
    Fraction(80, 1)
    """
    chance = between(probability, "probability", 0, 1, "a probability")
    return _whole(lambda n: Binomial(n, chance), sensitivity, Limit.of(lam=lam, epsilon=epsilon), delta, least=1)


def least_bound(
    *, delta: Number, lam: Number | None = None, epsilon: Number | None = None, ratio: Number | None = None,
    sensitivity: Number = 1,
) -> Bracket:  # fmt: skip
    """The least bound of truncated geometric noise that makes a count (epsilon, delta)-differentially private.

    Args:
        delta: the target, 0 < delta < 1.
        lam: lambda = e^epsilon > 1; give it or
        epsilon: > 0.
        ratio: of neighbouring probabilities; default e^(-epsilon/sensitivity): without a bound this noise would be
            epsilon-DP.
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
        return _whole(lambda bound: Geometric(chance, bound), most, limit, delta, least=0)
    limit = Limit.above_one(lam=lam, epsilon=epsilon)
    if limit.logarithmic:
        share = limit.given / most
        return _whole(lambda bound: Geometric.from_epsilon(share, bound), most, limit, delta, least=0)
    if most > 1:
        raise DomainError("ratio", ..., "a ratio, or epsilon in place of lam")
    return _whole(lambda bound: Geometric(1 / limit.given, bound), most, limit, delta, least=0)


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
        A bracket: at ``lower`` delta is above the target, from ``upper`` on it is not.

    Raises:
        DomainError: an argument out of range.
        NoSolution: the least mean is below 1e-15 or above 10^15.
        Undecided: no bracket of this width was found.

    >>> print(least_mean(epsilon=1, delta="1e-6"))
    34.067...
    """
    return _sized(Poisson, sensitivity, Limit.of(lam=lam, epsilon=epsilon), delta, rtol, least=_LEAST_MEAN)


def least_mu(
    *, delta: Number, lam: Number | None = None, epsilon: Number | None = None, sensitivity: Number = 1,
    rtol: Number = _RTOL,
) -> Bracket:  # fmt: skip
    """The least mu of Skellam noise, ``Skellam(mu, mu)``, that makes a count (epsilon, delta)-differentially private.

    Arguments, answer and errors as of ``least_mean``.

    >>> print(least_mu(epsilon=1, delta="1e-6"))
    7.1204...
    """
    limit = Limit.of(lam=lam, epsilon=epsilon)
    return _sized(lambda mu: Skellam(mu, mu), sensitivity, limit, delta, rtol, least=_LEAST_MEAN)


def least_scale(
    *, delta: Number, lam: Number | None = None, epsilon: Number | None = None, shape: Number = 1,
    sensitivity: Number = 1, rtol: Number = _RTOL,
) -> Bracket:  # fmt: skip
    """The least scale of discrete Laplace noise that makes a count (epsilon, delta)-differentially private.

    The noise is ``DiscreteLaplace(1/scale)``; of another shape ``NegativeBinomial(shape, shape, epsilon=1/scale)``.

    Args:
        delta: the target, 0 < delta < 1.
        lam: lambda = e^epsilon >= 1; give it or
        epsilon: >= 0.
        shape: r for the sum of r discrete Laplace noises; at 0.9, 90 % of the parties add their share of one.
        sensitivity: by how much one person changes the count at most.
        rtol: relative width of the bracket, at least 1e-9.

    Returns:
        A bracket: at ``lower`` delta is above the target, from ``upper`` on it is not.

    Raises:
        DomainError: an argument out of range.
        NoSolution: the least scale is below 0.001, or above 10^15 (above 5,000 for another shape than 1).
        Undecided: no bracket of this width was found.

    >>> print(least_scale(epsilon=1, delta="1e-6"))
    0.999998...
    >>> print(least_scale(epsilon=1, delta="1e-6", shape="9/10"))  # a tenth of the shares is missing
    1.107986...
    """
    size = positive(shape, "shape", maximum=LARGEST)
    limit, most = Limit.of(lam=lam, epsilon=epsilon), LARGEST if size == 1 else _MOST_SCALE
    changed, target = integer(sensitivity, "sensitivity", minimum=1, maximum=LARGEST), target_delta(delta)
    widest = Limit.exp(Fraction(1, most))
    if size < 1 and SharesLaw(size, widest).shown_by_zero(changed, limit, target):  # else a search of minutes
        raise NoSolution(f"delta is above {shown(target)} even at scale = {most:,}, the last value searched")
    return _sized(
        lambda scale: NegativeBinomial(size, size, epsilon=1 / scale), changed, limit, target, rtol,
        least=_LEAST_SCALE, most=most,
    )  # fmt: skip


def least_sigma(
    *, delta: Number, lam: Number | None = None, epsilon: Number | None = None, sensitivity: Number = 1,
    rtol: Number = _RTOL,
) -> Bracket:  # fmt: skip
    """A sigma of discrete Gaussian noise that makes a count (epsilon, delta)-differentially private.

    Arguments as of ``least_mean``.

    Returns:
        A bracket: at ``lower`` delta is above the target, at ``upper``, a number of six digits, it is not. Of larger
        sigma nothing is proven: for large epsilon delta may rise again. Ask for delta at the sigma you use.

    Raises:
        DomainError: an argument out of range.
        NoSolution: the sigma found is below 0.05 or above 10^15.
        Undecided: no bracket of this width was found.

    >>> print(least_sigma(epsilon=1, delta="1e-6"))
    4.2307...
    """
    limit = Limit.of(lam=lam, epsilon=epsilon)
    found = _sized(DiscreteGaussian, sensitivity, limit, delta, rtol, least=_LEAST_SIGMA)
    sigma, target = Fraction(usable(found.upper, 6, 1)), target_delta(delta)
    proven = family(NoisyCount(DiscreteGaussian(sigma), sensitivity)).delta(limit, rtol=_RTOL, target=target)
    return replace(found, upper=sigma, at_upper=proven, rtol=None) if proven.upper <= target else found


def _sized(
    noise: Callable[[Fraction], Noise], sensitivity: Number, limit: Limit, delta: Number, rtol: Number, *,
    least: Fraction, most: int = LARGEST,
) -> Bracket:  # fmt: skip
    """The bracket of a parameter that is a real number."""
    sought = Sought(least, Fraction(most), tolerance(rtol))
    return solved(_problem(noise, sensitivity, limit), target_delta(delta), sought)


def _whole(
    noise: Callable[[Fraction], Noise], sensitivity: Number, limit: Limit, delta: Number, *, least: int
) -> Bracket:
    """The bracket of a whole parameter: two neighbours, or ``least`` twice if that is enough."""
    problem = _problem(noise, sensitivity, limit)
    return least_whole(problem, target_delta(delta), least=least, most=LARGEST, rtol=NEIGHBOURS)


def _problem(noise: Callable[[Fraction], Noise], sensitivity: Number, limit: Limit) -> Problem:
    """The family of a noisy count as a function of a parameter of the noise, and the limit."""
    return lambda x: (family(NoisyCount(noise(x), sensitivity)), limit)
