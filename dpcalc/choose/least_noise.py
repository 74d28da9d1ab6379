r"""The least integer noise on a count for a target (epsilon, delta), and the kinds of noise that are known by name.

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
from inspect import signature
from typing import Any, NamedTuple

from dpcalc.choose.crossing import NEIGHBOURS, Problem, Sought, shown, solved, tolerance
from dpcalc.errors import DomainError, NoSolution
from dpcalc.families.table import family
from dpcalc.laws.shares import SharesLaw
from dpcalc.mechanisms import noise
from dpcalc.mechanisms.noise import Noise
from dpcalc.mechanisms.noisy_count import NoisyCount
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.decimal import usable
from dpcalc.numbers.limit import Limit, target_delta
from dpcalc.numbers.lists import one_of
from dpcalc.numbers.rational import LARGEST, Number, integer, positive

_RTOL = Fraction(1, 10**6)
_MOST_SHARES = 5_000  # the largest scale of shares, whose masses are listed


class NoiseKind(NamedTuple):
    """One kind of noise.

    Attributes:
        make: the noise; it is given ``size`` and ``others`` by name.
        size: the parameter that is solved for, or that must be given.
        others: the other parameters.
        least: where the search for ``size`` begins, if its delta falls; a whole number is one itself.
    """

    make: Callable[..., Noise]
    size: str
    others: tuple[str, ...] = ()
    least: int | Fraction | None = None

    @property
    def whole(self) -> bool:
        """Whether the size is a whole number."""
        return isinstance(self.least, int)

    @property
    def solved_with(self) -> tuple[str, ...]:
        """The parameters that ``least_noise`` takes, besides the promise and the sensitivity."""
        return self.others if self.whole else (*self.others, "rtol")


def _geometric(bound: Number, ratio: Number | None = None, scale: Number | None = None) -> Noise:
    """With the ratio e^(-1/scale), where that is given."""
    if scale is not None:
        return noise.Geometric.from_epsilon(1 / positive(scale, "scale"), bound)
    assert ratio is not None  # one of them is needed
    return noise.Geometric(ratio, bound)


def _laplace(scale: Number, shape: Number = 1) -> Noise:
    size, rate = positive(shape, "shape", maximum=LARGEST), 1 / positive(scale, "scale")
    return noise.DiscreteLaplace(rate) if size == 1 else noise.NegativeBinomial(size, size, epsilon=rate)


#: By the names of the command; a table writes some of them in full.
NOISES = {
    "binomial": NoiseKind(
        lambda trials, probability="1/2": noise.Binomial(trials, probability), "trials", ("probability",), 1
    ),
    "poisson": NoiseKind(noise.Poisson, "mean", (), Fraction(1, 10**15)),
    "geometric": NoiseKind(_geometric, "bound", ("ratio",), 0),
    "finite": NoiseKind(noise.FiniteNoise, "masses"),
    "gaussian": NoiseKind(noise.DiscreteGaussian, "sigma", (), Fraction(1, 20)),
    "laplace": NoiseKind(_laplace, "scale", ("shape",), Fraction(1, 1000)),
    "skellam": NoiseKind(lambda mu: noise.Skellam(mu, mu), "mu", (), Fraction(1, 10**15)),
    "rounded-laplace": NoiseKind(noise.RoundedLaplace, "scale"),
    "rounded-gaussian": NoiseKind(noise.RoundedGaussian, "sigma"),
}


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
    for name in others:
        if name == row.size or name not in signature(row.make).parameters:
            raise TypeError(f"least_noise({kind!r}, ...) takes no argument {name}")
    limit, target, most = Limit.of(lam=lam, epsilon=epsilon), target_delta(delta), LARGEST
    changed = integer(sensitivity, "sensitivity", minimum=1, maximum=LARGEST)
    if kind == "geometric":
        others = {name: value for name, value in others.items() if value is not None}
        if len(others) > 1:
            raise DomainError("ratio, scale", tuple(others.values()), "one of them at most")
        others = others or _ratio(Limit.above_one(lam=lam, epsilon=epsilon), changed)
    if (shape := positive(others.get("shape", 1), "shape", maximum=LARGEST)) != 1:
        most, widest = _MOST_SHARES, Limit.exp(Fraction(1, _MOST_SHARES))
        if shape < 1 and SharesLaw(shape, widest).shown_by_zero(changed, limit, target):  # else a search of minutes
            raise NoSolution(f"delta is above {shown(target)} even at scale = {most:,}, the last value searched")

    def problem(x: Fraction) -> tuple[Any, Limit]:
        return family(NoisyCount(row.make(**{row.size: x}, **others), changed)), limit

    width = NEIGHBOURS if row.whole else tolerance(rtol)
    sought = Sought(Fraction(row.least or 0), Fraction(most), width, row.whole, enough=row.whole)
    found = solved(problem, target, sought)
    return _usable(problem, found, target) if kind == "gaussian" else found


def _ratio(limit: Limit, changed: int) -> dict[str, Fraction]:
    """What makes geometric noise without a bound keep the limit.

    Raises:
        DomainError: it is no rational, and no power of e.
    """
    if limit.logarithmic:
        return {"scale": changed / limit.given}
    if changed > 1:
        raise DomainError("ratio", ..., "a ratio, or epsilon in place of lam")
    return {"ratio": 1 / limit.given}


def _usable(problem: Problem, found: Bracket, target: Fraction) -> Bracket:
    """The bracket with an upper end of six digits, where it holds: larger values need not."""
    upper = Fraction(usable(found.upper, 6, 1))
    asked, limit = problem(upper)
    proven = asked.delta(limit, rtol=_RTOL, target=target)
    return replace(found, upper=upper, at_upper=proven, rtol=None) if proven.upper <= target else found


def least_trials(**asked: Any) -> Bracket:
    """The fewest trials of binomial noise: ``least_noise("binomial", ...)``."""
    return least_noise("binomial", **asked)


def least_mean(**asked: Any) -> Bracket:
    """The least mean of Poisson noise: ``least_noise("poisson", ...)``."""
    return least_noise("poisson", **asked)


def least_bound(**asked: Any) -> Bracket:
    """The least bound of truncated geometric noise: ``least_noise("geometric", ...)``."""
    return least_noise("geometric", **asked)


def least_sigma(**asked: Any) -> Bracket:
    """A sigma of discrete Gaussian noise: ``least_noise("gaussian", ...)``."""
    return least_noise("gaussian", **asked)


def least_scale(**asked: Any) -> Bracket:
    """The least scale of discrete Laplace noise: ``least_noise("laplace", ...)``."""
    return least_noise("laplace", **asked)


def least_mu(**asked: Any) -> Bracket:
    """The least mu of Skellam noise: ``least_noise("skellam", ...)``."""
    return least_noise("skellam", **asked)
