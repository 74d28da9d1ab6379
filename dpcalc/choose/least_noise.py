"""The least integer noise on a count for a target (epsilon, delta).

Each kind of noise says where the search for its size begins, and why delta falls as the size grows: so each question
has one threshold, bracketed by a proof on both sides (``mechanisms.noise``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpcalc.choose.crossing import NEIGHBOURS, Sought, shown, solved_for, tolerance
from dpcalc.errors import NoSolution
from dpcalc.families.table import family
from dpcalc.laws.shares import SharesLaw
from dpcalc.mechanisms.noise import NOISES
from dpcalc.mechanisms.noisy_count import NoisyCount
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.decimal import usable
from dpcalc.numbers.limit import Limit, target_delta
from dpcalc.numbers.lists import one_of
from dpcalc.numbers.rational import LARGEST, Number, integer, positive

_RTOL = Fraction(1, 10**6)
_MOST_SHARES = 5_000  # the largest scale of shares, whose masses are listed


def least_noise(
    kind: str, *, delta: Number, lam: Number | None = None, epsilon: Number | None = None, sensitivity: Number = 1,
    rtol: Number = _RTOL, **others: Any,
) -> Bracket:  # fmt: skip
    """The least noise of a kind that makes a count (epsilon, delta)-differentially private.

    Args:
        kind: "binomial", "poisson", "geometric", "gaussian", "laplace" or "skellam".
        delta: the target, 0 < delta < 1.
        lam: lambda = e^epsilon >= 1; give it or
        epsilon: >= 0.
        sensitivity: by how much one person changes the count at most.
        rtol: relative width of the bracket, at least 1e-9; whole numbers are always neighbours.
        others: of binomial noise probability (default 1/2); of geometric noise ratio, of neighbouring probabilities, or
            scale, for the ratio e^(-1/scale) (default sensitivity/epsilon: without a bound this noise would be
            epsilon-DP); of Laplace noise shape: r of the sum of r (default 1, ``DiscreteLaplace``; see
            ``NegativeBinomial``).

    Returns:
        A bracket of the number of trials, the mean, the bound, sigma, the scale or mu: at ``lower`` delta is above the
        target, from ``upper`` on it is not. If the least whole number is enough, both ends are it. Of sigma ``upper``
        has six digits, and nothing is proven of a larger one: for large epsilon delta may rise again.

    Raises:
        DomainError: an argument out of range; neither a ratio nor an epsilon with a sensitivity above 1.
        NoSolution: the least size is below 1e-15 (sigma 0.05, scale 0.001), or above 10^15 (5,000 for another shape
            than 1), or no bound is enough.
        Undecided: no bracket of this width was found; of whole numbers, a delta equals the target to 300 digits.

    >>> print(least_noise("gaussian", epsilon=1, delta="1e-6"))
    4.2307...
    >>> least_bound(epsilon="1/2", delta="1e-6").value
    Fraction(25, 1)
    >>> print(least_scale(epsilon=1, delta="1e-6", shape="9/10"))  # a tenth of the shares is missing
    1.10798...
    """
    row = NOISES[one_of(kind, "kind", [name for name, row in NOISES.items() if row.least is not None])]
    size, *more = row.words
    for name in others:
        if name not in more:
            raise TypeError(f"least_noise({kind!r}, ...) takes no argument {name}")
    limit, target, width, most = Limit.of(lam=lam, epsilon=epsilon), target_delta(delta), tolerance(rtol), LARGEST
    changed = integer(sensitivity, "sensitivity", minimum=1, maximum=LARGEST)
    others = row.completed(others, limit, changed)
    if (shape := positive(others.get("shape", 1), "shape", maximum=LARGEST)) != 1:
        most, widest = _MOST_SHARES, Limit.exp(Fraction(1, _MOST_SHARES))
        if shape < 1 and SharesLaw(shape, widest).shown_by_zero(changed, limit, target):  # else a search of minutes
            raise NoSolution(f"delta is above {shown(target)} even at scale = {most:,}, the last value searched")

    def made(x: Fraction) -> NoisyCount:
        return NoisyCount(row.made(**{size: x}, **others), changed)

    whole = isinstance(row.least, int)
    sought = Sought(Fraction(row.least or 0), Fraction(most), NEIGHBOURS if whole else width, whole, enough=whole)
    found = solved_for(made, limit, target, sought)
    if kind != "gaussian":
        return found
    upper = Fraction(usable(found.upper, 6, 1))  # of six digits, where it holds: larger values need not
    proven = family(made(upper)).delta(limit, rtol=_RTOL, exact=False)
    if proven.upper > target:
        return found
    return replace(found, upper=upper, at_upper=proven, rtol=None, mechanism=made(upper))


def _of_kind(name: str, kind: str, words: str) -> Callable[..., Bracket]:
    def least(**asked: Any) -> Bracket:
        return least_noise(kind, **asked)

    least.__name__ = least.__qualname__ = name
    least.__doc__ = f'{words}: ``least_noise("{kind}", ...)``.'
    return least


least_trials = _of_kind("least_trials", "binomial", "The fewest trials of binomial noise")
least_mean = _of_kind("least_mean", "poisson", "The least mean of Poisson noise")
least_bound = _of_kind("least_bound", "geometric", "The least bound of truncated geometric noise")
least_sigma = _of_kind("least_sigma", "gaussian", "A sigma of discrete Gaussian noise")
least_scale = _of_kind("least_scale", "laplace", "The least scale of discrete Laplace noise")
least_mu = _of_kind("least_mu", "skellam", "The least mu of Skellam noise")
