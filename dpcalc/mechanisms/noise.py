r"""Integer noise that is added to a count before it is released.

=========================  ==========================================================  ==============================
``Binomial(N, p)``         a sum of N coins                                            IPA's aggregators
``Poisson(mu)``            a Poisson number of dummy reports                           Cobalt's devices
``Geometric(ratio, B)``    P[X = x] in proportion to ratio^|x| for -B <= x <= B        IPA's padding, shifted by B
``FiniteNoise(masses)``    any finite list of rational probabilities
=========================  ==========================================================  ==============================

A known shift of the noise changes nothing: subtract it.

Source: Dwork, Kenthapadi, McSherry, Mironov, Naor, "Our Data, Ourselves" (2006), for binomial noise; Ghosh,
Roughgarden, Sundararajan, "Universally Utility-maximizing Privacy Mechanisms" (2009), for the geometric mechanism.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TypeAlias

from dpcalc.errors import DomainError
from dpcalc.laws.log_concavity import log_concavity
from dpcalc.laws.noise import FiniteLaw, GeometricLaw
from dpcalc.laws.pmf import Pmf
from dpcalc.laws.strict_noise import BinomialLaw, PoissonLaw
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.lists import as_list
from dpcalc.numbers.rational import Number, between, integer, positive, rational

__all__ = ["LARGEST", "Binomial", "FiniteNoise", "Geometric", "Noise", "Poisson"]

LARGEST = 10**15  #: trials, mean, bound
_LEAST_MEAN = "1e-100"
_LONGEST = 1_000_000  # outcomes of a list


@dataclass(frozen=True, slots=True, init=False)
class Binomial:
    """The sum of independent coins.

    Attributes:
        trials: how many, from 1 to 10^15.
        probability: of a 1, 0 < probability < 1.

    Raises:
        DomainError: an argument out of range.

    >>> Binomial("1e6", 0.5)
    Binomial(trials=1000000, probability=Fraction(1, 2))
    """

    trials: int
    probability: Fraction

    def __init__(self, trials: Number, probability: Number) -> None:
        object.__setattr__(self, "trials", integer(trials, "trials", minimum=1, maximum=LARGEST))
        object.__setattr__(self, "probability", between(probability, "probability", 0, 1, "a probability"))

    @property
    def law(self) -> BinomialLaw:
        """Its tails and ratios."""
        return BinomialLaw(self.trials, self.probability)


@dataclass(frozen=True, slots=True, init=False)
class Poisson:
    """A Poisson number.

    Attributes:
        mean: from 1e-100 to 10^15.

    Raises:
        DomainError: the mean is out of range.
    """

    mean: Fraction

    def __init__(self, mean: Number) -> None:
        value = positive(mean, "mean", maximum=LARGEST)
        if value < Fraction(_LEAST_MEAN):
            raise DomainError("mean", mean, f"a number with {_LEAST_MEAN} <= mean <= {LARGEST}")
        object.__setattr__(self, "mean", value)

    @property
    def law(self) -> PoissonLaw:
        """Its tails and ratios."""
        return PoissonLaw(self.mean)


@dataclass(frozen=True, slots=True, init=False)
class Geometric:
    """The truncated two-sided geometric distribution, P[X = x] in proportion to ``ratio^|x|`` for ``|x| <= bound``.

    Args:
        ratio: of neighbouring probabilities, 0 < ratio < 1; ``from_epsilon`` takes e^-epsilon.
        bound: the largest ``|x|``, from 0 to 10^15.

    Attributes:
        rho: 1/ratio, rational or e to a rational power.
        bound: as above.

    Raises:
        DomainError: an argument out of range.

    >>> Geometric.from_epsilon("1/2", 25) == Geometric("1/2", 25)
    False
    """

    rho: Limit
    bound: int

    def __init__(self, ratio: Number, bound: Number) -> None:
        object.__setattr__(self, "rho", Limit(1 / between(ratio, "ratio", 0, 1)))
        object.__setattr__(self, "bound", integer(bound, "bound", minimum=0, maximum=LARGEST))

    @classmethod
    def from_epsilon(cls, epsilon: Number, bound: Number) -> Geometric:
        """With ratio e^-epsilon, epsilon > 0: without a bound a count of sensitivity 1 is epsilon-private."""
        made = cls(Fraction(1, 2), bound)
        object.__setattr__(made, "rho", Limit.above_one(epsilon=epsilon))
        return made

    @property
    def law(self) -> GeometricLaw:
        """Its tails and ratios."""
        return GeometricLaw(self.rho, self.bound)


@dataclass(frozen=True, slots=True, init=False)
class FiniteNoise:
    """Noise on finitely many neighbouring integers.

    Args:
        masses: their probabilities in order, zeros included.

    Attributes:
        pmf: the probabilities over one denominator, from the first that is not 0 to the last.
        log_concave: whether f(x)^2 >= f(x - 1) f(x + 1) with no zero between, decided exactly.

    Raises:
        DomainError: a negative probability or no number; a sum other than 1; more than a million of them.

    >>> FiniteNoise(["1/4", 0, "1/2", 0, "1/4"]).log_concave
    False
    """

    pmf: Pmf
    log_concave: bool

    def __init__(self, masses: Pmf | Iterable[Number]) -> None:
        allowed = "a list of probabilities with the sum 1"
        if isinstance(masses, Pmf):
            weights, whole = list(masses.weights), masses.denominator
        else:
            listed = as_list(masses, "masses", allowed)
            if len(listed) > _LONGEST:
                raise DomainError("masses", f"{len(listed):,} numbers", f"at most {_LONGEST:,}")
            values = [rational(x, "masses", allowed) for x in listed]
            if sum(values) != 1 or min(values) < 0:
                raise DomainError("masses", masses, allowed)
            whole = lcm(*(x.denominator for x in values))
            weights = [x.numerator * (whole // x.denominator) for x in values]
        places = [x for x, weight in enumerate(weights) if weight]
        pmf = Pmf(weights=tuple(weights[places[0] : places[-1] + 1]), denominator=whole)
        object.__setattr__(self, "pmf", pmf)
        object.__setattr__(self, "log_concave", bool(log_concavity(pmf)))

    @property
    def law(self) -> FiniteLaw:
        """All its outcomes."""
        return FiniteLaw(self.pmf)


#: What can be added to a count.
Noise: TypeAlias = Binomial | Poisson | Geometric | FiniteNoise
