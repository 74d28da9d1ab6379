r"""Integer noise that is added to a count before it is released.

IPA's aggregators add binomial noise, and pad with geometric noise, shifted by the bound. Cobalt's devices send a
Poisson number of dummies. DAP and the 2020 US census use discrete Gaussian noise; OpenDP, Tumult and Google discrete
Laplace noise, whose shares are negative binomial; federated learning Skellam noise.

Independent noises add up: ``a + b``, and ``sum([a] * 3)``. A known shift of the noise changes nothing: subtract it.

Commands, ``least_noise`` and audited tables know kinds of noise by name. What they know of one stands in its class: its
parameters there, and where the search for the least size begins, if delta falls as the size grows.

Source: Dwork, Kenthapadi, McSherry, Mironov, Naor, "Our Data, Ourselves" (2006), for binomial noise; Ghosh,
Roughgarden, Sundararajan, "Universally Utility-maximizing Privacy Mechanisms" (2009), for the geometric mechanism;
Canonne, Kamath, Steinke, "The Discrete Gaussian for Differential Privacy" (2020); Agarwal, Kairouz, Liu, "The Skellam
Mechanism for Differentially Private Federated Learning" (2021).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Any, ClassVar

from dpcalc.errors import DomainError, must_fit
from dpcalc.laws.log_concavity import log_concavity
from dpcalc.laws.parts import Coins, Finite, Gaussian, Law, NegativeBinomialPart, Part, PoissonPart
from dpcalc.laws.pmf import Pmf
from dpcalc.laws.sums import together
from dpcalc.laws.symmetric import RoundedGaussianLaw, RoundedLaplaceLaw, Truncated
from dpcalc.mechanisms.mechanism import CHANCE, Parameter, Real, Whole, declared, parameter, unread
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.lists import as_list
from dpcalc.numbers.rational import LARGEST, Number, between, integer, positive, rational, within

_LEAST_MEAN = "1e-100"
_SIGMA = partial(within, low="0.05", high=LARGEST)
_LONGEST = 1_000_000  # probabilities of a list
_LONGEST_IN_SUM = 10_001  # probabilities of a list in a sum


def _mean(value: Number, name: str, *, zero: bool = False) -> Fraction:
    """A mean or a shape within the limits; 0 too where ``zero`` allows it."""
    what = "0, or a number" if zero else "a number"
    if zero and rational(value, name, what) == 0:
        return Fraction(0)
    return within(value, name, _LEAST_MEAN, LARGEST, what)


class Noise:
    """Integer noise that can be added to a count.

    ``a + b`` is the sum of two independent noises, ``sum([a] * 3)`` that of three alike. Where several parties add
    noise, leave out those who may fail to.
    """

    __slots__: tuple[str, ...] = ()

    name: ClassVar[str]  #: in commands and tables
    words: ClassVar[dict[str, str]]  #: its parameters there, first the size, which is solved for or must be given
    least: ClassVar[int | Fraction | None] = None  #: where the search for the size begins; a whole size is an int
    stated: ClassVar[tuple[str, ...]] = ()  #: of the others those of which a table must state one
    part: ClassVar[Callable[..., Part] | None] = None  #: what makes the one part of its law
    part_of: ClassVar[tuple[str, ...]] = ()  #: the attributes that it makes it of; by default all parameters

    @classmethod
    def made(cls, *given: Any, **named: Any) -> Noise:
        """From the parameters of ``words``."""
        return cls(*given, **named)

    @classmethod
    def completed(cls, given: dict[str, Any], limit: Limit, sensitivity: int) -> dict[str, Any]:
        """The parameters that are given, and those whose default depends on the promise."""
        return given

    @property
    def parts(self) -> tuple[Part, ...]:
        """Independent parts, whose sum it is; rounded noise has a law, but no parts, and is refused in a sum."""
        if (part := type(self).part) is None:
            raise DomainError("noise", self, "in a sum any noise but a rounded one")
        names = self.part_of or [one.name for one in fields(self) if one.compare]  # type: ignore[arg-type]
        return (part(*(getattr(self, name) for name in names)),)

    @property
    def law(self) -> Law:
        """The law: tails and likelihood ratios; a sum that is not known to be log-concave is refused."""
        return together(self.parts)

    def __add__(self, other: Noise) -> Noise:
        """The sum of both, independent."""
        if not isinstance(other, Noise):
            return NotImplemented
        return Sum((*_terms(self), *_terms(other)))

    def __radd__(self, other: object) -> Noise:
        """Lets ``sum`` start with 0."""
        return self if type(other) is int and other == 0 else NotImplemented


@dataclass(frozen=True, slots=True, repr=False)
class Sum(Noise):
    """The sum of independent noises, made by ``+``.

    Attributes:
        terms: the noises.

    Raises:
        DomainError: a term is rounded noise.
        TooLarge: a term is a list of more than 10,001 masses.
    """

    terms: tuple[Noise, ...]

    def __repr__(self) -> str:
        return " + ".join(map(repr, self.terms))

    def __post_init__(self) -> None:
        lists = (part for part in self.parts if isinstance(part, Finite | Truncated))
        longest = max((part.high - part.low + 1 for part in lists), default=0)
        must_fit(
            "a list of masses in a sum", longest, _LONGEST_IN_SUM, "masses",
            instead="discrete Laplace noise, without a bound",
        )  # fmt: skip

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts of all terms."""
        return tuple(part for term in self.terms for part in term.parts)


def several(noise: Noise, copies: int) -> Noise:
    """The sum of so many independent copies, made at once."""
    return noise if copies == 1 else Sum(_terms(noise) * copies)


def _terms(noise: Noise) -> tuple[Noise, ...]:
    return noise.terms if isinstance(noise, Sum) else (noise,)


@declared()
class Binomial(Noise):
    """The sum of independent coins.

    >>> Binomial("1e6", 0.5)
    Binomial(trials=1000000, probability='1/2')
    """

    name, part, stated = "binomial", Coins, ("probability",)
    least = 1  # Bin(N + 1, p) is Bin(N, p) and one more coin: post-processing

    trials: Whole = parameter(partial(integer, minimum=1, maximum=LARGEST), "how many coins, from 1 to 10^15")
    probability: Real = parameter(CHANCE, "of a 1, 0 < probability < 1 (default 1/2)", default="1/2")


@declared()
class Poisson(Noise):
    """A Poisson number."""

    name, part = "poisson", PoissonPart
    least = Fraction(1, 10**15)  # Poisson(mu + nu) is Poisson(mu) and Poisson(nu): post-processing

    mean: Real = parameter(_mean, "from 1e-100 to 10^15")


@declared()
class Geometric(Noise):
    """The truncated two-sided geometric distribution, P[X = x] in proportion to ``ratio^|x|`` for ``|x| <= bound``.

    >>> Geometric.from_epsilon("1/2", 25) == Geometric("1/2", 25)
    False
    """

    name, stated, part, part_of = "geometric", ("ratio", "scale"), Truncated, ("rho", "bound")
    least = 0  # no post-processing, but delta falls as the bound grows, to 0 only if lambda >= ratio^-sensitivity (N5)
    words: ClassVar = {
        "bound": "the largest |x|", "ratio": "P[x + 1]/P[x], x >= 0 (default e^(-epsilon/sensitivity))",
        "scale": "in place of the ratio: that is e^(-1/scale)",
    }  # fmt: skip

    ratio: Parameter[Fraction | None, Number | None] = parameter(
        unread, "of neighbouring probabilities, 0 < ratio < 1; None where epsilon is given"
    )
    bound: Whole = parameter(partial(integer, minimum=0, maximum=LARGEST), "the largest ``|x|``, from 0 to 10^15")
    epsilon: Parameter[Fraction | None, Number | None] = parameter(unread, "for the ratio e^-epsilon", default=None)

    def _check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        if given["epsilon"] is None:
            return {"ratio": between(given["ratio"], "ratio", 0, 1)}
        if given["ratio"] is not None:
            raise DomainError("ratio, epsilon", (given["ratio"], given["epsilon"]), "one of them")
        rho = Limit.above_one(epsilon=given["epsilon"])
        return {"ratio": rho.lam and 1 / rho.lam, "epsilon": rho.argument.get("epsilon")}

    @property
    def rho(self) -> Limit:
        """1/ratio, rational or e to a rational power."""
        return Limit(1 / self.ratio) if self.ratio else Limit.of(epsilon=self.epsilon)

    @classmethod
    def made(cls, bound: Number, ratio: Number | None = None, scale: Number | None = None) -> Geometric:
        """With a ratio or a scale."""
        if ratio is not None and scale is None:
            return cls(ratio, bound)
        if ratio is None and scale is not None:
            return cls.from_epsilon(1 / positive(scale, "scale"), bound)
        raise DomainError("ratio, scale", (ratio, scale), "one of them")

    @classmethod
    def completed(cls, given: dict[str, Any], limit: Limit, sensitivity: int) -> dict[str, Any]:
        """By default the ratio with which noise without a bound keeps the limit, a rational or a power of e."""
        if given.get("ratio") is not None or given.get("scale") is not None:
            return given
        if limit.logarithmic:
            return {**given, "scale": sensitivity / limit.given}
        if limit.given == 1 or sensitivity > 1:
            raise DomainError("ratio", ..., "a ratio, or epsilon > 0 in place of lam")
        return {**given, "ratio": 1 / limit.given}

    @classmethod
    def from_epsilon(cls, epsilon: Number, bound: Number) -> Geometric:
        """With ratio e^-epsilon, epsilon > 0; with no bound a count of sensitivity 1 would be epsilon-DP."""
        return cls(None, bound, epsilon)


def _masses(masses: Iterable[Number], name: str) -> Pmf:
    """Probabilities up to the last that is not 0."""
    allowed = f"a list of at most {_LONGEST:,} probabilities with the sum 1"
    values = [rational(x, name, allowed) for x in as_list(masses, name, allowed, _LONGEST)]
    whole = lcm(*(x.denominator for x in values))
    weights = [x.numerator * (whole // x.denominator) for x in values]
    if sum(weights) != whole or min(weights) < 0:
        raise DomainError(name, masses, allowed)
    while not weights[-1]:
        weights.pop()
    return Pmf(weights=tuple(weights), denominator=whole)


@declared(refused="a negative probability or no number; a sum other than 1; more than a million of them")
class FiniteNoise(Noise):
    """Noise on finitely many integers, P[X = i] = masses[i].

    Attributes:
        low: the least value.
        pmf: the probabilities of it and all larger ones.
        log_concave: whether f(x)^2 >= f(x - 1) f(x + 1) with no zero between, decided exactly.

    >>> FiniteNoise(["1/4", 0, "1/2", 0, "1/4"]).log_concave
    False
    """

    name, part, part_of = "finite", Finite, ("pmf", "low")

    masses: Parameter[Pmf, Iterable[Number]] = parameter(_masses, "the probabilities of 0, 1, 2, ..., zeros included")
    low: int = field(init=False, compare=False)
    pmf: Pmf = field(init=False, compare=False)
    log_concave: bool = field(init=False, compare=False)

    def _check(self, _given: Mapping[str, Any]) -> dict[str, Any]:
        low = next(x for x, weight in enumerate(self.masses.weights) if weight)
        pmf = Pmf(weights=self.masses.weights[low:], denominator=self.masses.denominator)
        return {"low": low, "pmf": pmf, "log_concave": bool(log_concavity(pmf))}


@declared()
class DiscreteGaussian(Noise):
    """P[X = x] in proportion to ``e^(-x^2 / (2 sigma^2))`` on all integers.

    >>> DiscreteGaussian(5) == DiscreteGaussian.from_square(25)
    True
    """

    name, part, words = "gaussian", Gaussian, {"sigma": "of the weights e^(-x^2 / (2 sigma^2)), from 0.05 to 10^15"}
    least = Fraction(1, 20)  # delta need not fall: at epsilon = 5 it is 0.0067 at sigma = 0.3163 and 0.018 at 0.3535

    sigma: Parameter[Fraction | None, Number | None] = parameter(
        _SIGMA, "from 0.05 to 10^15; give it or", default=None, kept=False
    )
    square: Parameter[Fraction, Number | None] = parameter(
        partial(within, low="0.0025", high=LARGEST**2), "sigma^2; the variance is a little less", default=None
    )

    def _check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        if (given["sigma"] is None) == (given["square"] is None):
            raise DomainError("sigma, square", (given["sigma"], given["square"]), "one of them")
        return {} if self.sigma is None else {"square": self.sigma**2}

    @classmethod
    def from_square(cls, square: Number) -> DiscreteGaussian:
        """With a rational sigma^2."""
        return cls(square=square)


_RATE = unread, "> 0; give it or"


@declared(kw_only=True)
class _Falling(Noise):
    """A negative binomial number of ``shape_1`` less another one of ``shape_2``, which fall as e^(-epsilon x)."""

    epsilon: Parameter[Fraction | None, Number | None] = parameter(*_RATE, default=None)
    lam: Parameter[Fraction | None, Number | None] = parameter(
        unread, "e^epsilon > 1, with which delta is rational at every rational lambda", default=None
    )

    def _check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        return {"lam": None, "epsilon": None, **Limit.above_one(lam=given["lam"], epsilon=given["epsilon"]).argument}

    @property
    def rho(self) -> Limit:
        """e^epsilon, rational or e to a rational power."""
        return Limit.of(lam=self.lam, epsilon=self.epsilon)

    @property
    def parts(self) -> tuple[Part, ...]:
        """Those whose shape is not 0."""
        both = ((self.shape_1, 1), (self.shape_2, -1))  # type: ignore[attr-defined]
        return tuple(NegativeBinomialPart(shape, self.rho, sign) for shape, sign in both if shape)


@declared()
class DiscreteLaplace(_Falling):
    """P[X = x] in proportion to ``e^(-epsilon |x|)`` on all integers: a count of sensitivity 1 is epsilon-DP.

    Its scale is 1/epsilon.

    >>> DiscreteLaplace(lam=2).rho.given
    Fraction(2, 1)
    """

    name = "laplace"
    shape_1: ClassVar = Fraction(1)
    shape_2: ClassVar = Fraction(1)
    least = Fraction(
        1, 1000
    )  # of a larger scale, or its shares, it is that of a smaller one and independent noise (N12)
    words: ClassVar = {
        "scale": "P[x + 1]/P[x] = e^(-1/scale), x >= 0",
        "shape": "r of a sum of r; at 0.9, 90 % of the parties add their share (default 1)",
    }

    epsilon: Parameter[Fraction | None, Number | None] = parameter(*_RATE, default=None)

    @classmethod
    def made(cls, scale: Number, shape: Number = 1) -> Noise:
        """The sum of so many, or a share of one."""
        size, rate = positive(shape, "shape", maximum=LARGEST), 1 / positive(scale, "scale")
        return cls(rate) if size == 1 else NegativeBinomial(size, size, epsilon=rate)


@declared()
class Skellam(Noise):
    """A Poisson number less another one."""

    name, words = "skellam", {"mu": "the mean of both"}
    least = Poisson.least  # Skellam(mu + nu, mu + nu) is Skellam(mu, mu) and one more: post-processing

    mu_1: Real = parameter(partial(_mean, zero=True), "the mean of the first, from 0 to 10^15")
    mu_2: Real = parameter(partial(_mean, zero=True), "that of the second; one of both is 1e-100 or more")

    @classmethod
    def made(cls, mu: Number) -> Skellam:
        """With equal means."""
        mean = _mean(mu, "mu")
        return cls(mean, mean)

    def _check(self, given: Mapping[str, Any]) -> None:
        _mean(given["mu_2"], "mu_2", zero=bool(self.mu_1))

    @property
    def parts(self) -> tuple[Part, ...]:
        """Those whose mean is not 0."""
        return tuple(PoissonPart(mu, sign) for mu, sign in ((self.mu_1, 1), (self.mu_2, -1)) if mu)


@declared()
class NegativeBinomial(_Falling):
    """A negative binomial number less another one; each has P[x] in proportion to Gamma(x + shape)/x! e^(-epsilon x).

    With both shapes 1 it is ``DiscreteLaplace(epsilon)``, and with both 1/n it is the share of one of n parties: if h
    shares arrive, their sum has both shapes h/n. A noisy count takes shapes below 1 only if they are equal.

    >>> share = NegativeBinomial("1/10", "1/10", epsilon=1)
    >>> sum([share] * 10).law == DiscreteLaplace(1).law
    True
    """

    shape_1: Real = parameter(partial(_mean, zero=True), "of the first, from 0 to 10^15")
    shape_2: Real = parameter(partial(_mean, zero=True), "of the second; they are not both 0")

    def _check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        _mean(given["shape_2"], "shape_2", zero=bool(self.shape_1))
        return _Falling._check(self, given)


@declared()
class RoundedLaplace(Noise):
    """Continuous Laplace noise, rounded to the nearest whole number.

    To add the noise to a whole number first and to round the sum is the same. The noise must be drawn and rounded
    exactly, not in doubles.
    A count of sensitivity 1 is (1/scale)-DP, and delta may rise with the scale for smaller epsilon.
    """

    name = "rounded-laplace"

    scale: Real = parameter(
        partial(within, low="0.001", high=LARGEST), "b of the density ``e^(-|z|/b)/(2b)``, from 0.001 to 10^15"
    )

    @property
    def law(self) -> Law:
        """The law: tails and likelihood ratios."""
        return RoundedLaplaceLaw(Limit.exp(1 / self.scale))


@declared()
class RoundedGaussian(Noise):
    """Continuous Gaussian noise, rounded to the nearest whole number.

    As with ``RoundedLaplace`` it may be rounded after it is added, and must be drawn exactly.
    A count gives away no more than under the Gaussian mechanism of this sigma, and delta may rise with sigma.
    """

    name = "rounded-gaussian"

    sigma: Real = parameter(_SIGMA, "the standard deviation before rounding, from 0.05 to 10^15")

    @property
    def law(self) -> Law:
        """The law: tails and likelihood ratios."""
        return RoundedGaussianLaw(self.sigma)


#: By their names, in the order of the command's help.
NOISES: dict[str, type[Noise]] = {
    kind.name: kind
    for kind in (
        Binomial, Poisson, Geometric, FiniteNoise, DiscreteGaussian, DiscreteLaplace, Skellam, RoundedLaplace,
        RoundedGaussian,
    )
}  # fmt: skip
