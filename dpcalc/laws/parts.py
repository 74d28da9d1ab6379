r"""The independent parts of a count, each given by its generating function G(z) = E z^X where that converges.

========================  ======================================  ====================================================
``Coins``                 low + Bin(N, p)                         (q + p z)^N z^low
``PoissonPart``           Poisson(mu), or minus it                e^{mu (z - 1)}
``NegativeBinomialPart``  negative binomial, or minus it          ((1 - a)/(1 - a z))^shape, |z| < 1/a
``Gaussian``              P[X = x] in proportion to e^{-x^2/2 v}  theta(z)/theta(1), theta(z) = sum_x e^{-x^2/2 v} z^x
``Finite``                finitely many masses                    a polynomial, moved
========================  ======================================  ====================================================

A sum of independent parts is a part too. *Fading.* On a circle |z| = r every part has a V >= 0, its fading, with
|G(r e^{iu})| <= G(r) e^{-V (1 - cos u)}. A coin has V = p q r/(q + p r)^2. Poisson(mu) is a limit of sums of coins:
V = mu r. By Jacobi's triple product

    theta(z) = prod_{j >= 1} (1 - h^{2j}) (1 + z h^{2j-1}) (1 + h^{2j-1}/z),    h = e^{-1/2v},

the discrete Gaussian is a sum of coins and of minus coins; V = v - 1/4 serves for every r. For the negative binomial,
with b = a r, log |1 - b e^{iu}|^2 is concave in 1 - cos u: V = (shape/2) log((1 + b)/(1 - b)). A list has V = 0, which
always holds.

Source: proof notes, 3.4 and N9.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, cast

from flint import acb, acb_poly, arb

from dpcalc.laws.pmf import Pmf, pooled
from dpcalc.laws.tilt import Moments, Tilt, moments
from dpcalc.numbers.ball import ball
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit

if TYPE_CHECKING:
    from dpcalc.laws.threshold import Threshold

LARGEST_EXPONENT = 700.0  #: about the largest x for which a float holds e^x
_INSIDE = 1 - 1e-12  # steering stays so far on the way to a pole
_WIDE = 0.3  # from this variance on, the moments of the discrete Gaussian are taken as those of the continuous one
_TERMS = 6  # below it they are summed over so many terms on each side of the mean: more than six deviations
_GUARD = 16  # bits


class RandomInteger:
    """A random integer: its least and its largest value, and its masses where they are short rationals."""

    __slots__ = ()

    @property
    def low(self) -> int | None:
        """The least value; None if there is none."""
        return None

    @property
    def high(self) -> int | None:
        """The largest value; None if there is none."""
        return None

    def table(self, bits: int) -> Pmf | None:
        """The exact pmf from the least value on; None unless it is rational and takes about ``bits`` bits at most."""
        return None

    def first_masses(self, count: int, bits: int) -> list[Fraction] | None:
        """The masses of the ``count`` least values; None unless they are rationals of about ``bits`` bits at most."""
        table = self.table(bits)
        return None if table is None else [table[s] for s in range(count)]


class TailedLaw(RandomInteger, ABC):
    """A law with a log-concave pmf f, known by its tails: where it lies, and its likelihood ratios.

    The ratio f(s)/f(s - c) falls in s for every shift c > 0. It is infinite where f(s - c) = 0 < f(s), and 0 where
    f(s) = 0.
    """

    __slots__ = ()

    @property
    def mirror(self) -> TailedLaw:
        """The law of -X; self where X is symmetric about 0."""
        return self

    @property
    def symmetric(self) -> bool:
        """Whether -X is X, or X moved."""
        return self.mirror == self

    @property
    @abstractmethod
    def deviation(self) -> float:
        """About the standard deviation; it steers."""

    @property
    @abstractmethod
    def guard_bits(self) -> int:
        """Guard bits: how many bits of a tail are lost to rounding."""

    @abstractmethod
    def at_most(self, t: int) -> arb:
        """P[X <= t] to the current relative precision, also where it is small."""

    def all_at_most(self, places: Sequence[int]) -> list[arb]:
        """``at_most`` at each of the places, which are different and in rising order."""
        return [self.at_most(t) for t in places]

    def places(self, shift: int, limit: Limit) -> tuple[float, float]:
        """Two ends between which the last s with f(s) > lambda f(s - shift) is known to be; they may be infinite.

        The shift is at most high - low.
        """
        low = -math.inf if self.low is None else self.low + shift - 1  # up to here every loss is infinite
        return low, math.inf if self.high is None else self.high

    @abstractmethod
    def search(self, shift: int, limit: Limit) -> Threshold:
        """For that s."""

    def last_above(self, shift: int, limit: Limit) -> tuple[int, arb]:
        """The last s with f(s) > lambda f(s - shift), and an enclosure of what delta lacks should it be another one.

        Where f(s) - lambda f(s - shift) is not told from 0 by a sign, s may be that place in its stead. The enclosure
        is not finite where the current precision does not decide. Where P[X <= s] is too small to be held, s may be
        another place where it is.
        """
        search = self.search(shift, limit)
        _, missed = search.settled()
        return search.t, missed

    @property
    def decay(self) -> Limit | None:
        """The supremum of f(s)/f(s - 1), its limit as s falls; None where it is infinite, or X has a least value."""
        return None

    def largest_loss(self, shift: int) -> Enclosure | None:
        """Log of the supremum of f(s)/f(s - shift); None where that is infinite."""
        return None if self.decay is None else self.decay.epsilon * shift

    def bounded(self, shift: int, limit: Limit) -> bool:
        """Whether f(s) <= lambda f(s - shift) for every s."""
        return self.decay is not None and not limit.below_power(self.decay, shift)

    def excess(self, shift: int, limit: Limit) -> arb:
        """delta of X over X + shift at the current precision; some ratio must be above lambda."""
        return self.search(shift, limit).divergence()

    def exactly(self, shift: int, limit: Limit, bits: int) -> Fraction | None:
        """``excess`` as a rational; None unless it is one of about ``bits`` bits at most."""
        return None


class Part(RandomInteger, ABC):
    """An integer random variable, given by its generating function."""

    __slots__ = ()

    @property
    def mirror(self) -> Part:
        """The part -X; self where X is symmetric about 0."""
        return self

    @property
    def unmoved(self) -> Part:
        """The part at one place that all have which differ by a translation."""
        return self

    adds: ClassVar[tuple[str, ...]] = ()  #: the attributes that add up in a sum of parts with all others alike

    def plus(self, other: Part) -> Part | None:
        """The sum of both parts as one part; None where it is not of the same kind."""
        own: Any = self
        if not self.adds or type(other) is not type(self) or replace(own, **other._sizes) != other:
            return None
        return cast(Part, replace(own, **{name: x + other._sizes[name] for name, x in self._sizes.items()}))

    @property
    def _sizes(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.adds}

    @property
    @abstractmethod
    def guard_bits(self) -> int:
        """Guard bits: how many bits of G are lost to rounding."""

    def converges(self, r: arb) -> bool:
        """Whether G is proven to converge at r."""
        return bool(r > 0)

    @abstractmethod
    def transform(self) -> Callable[[acb], acb]:
        """The function G, at the current precision."""

    @abstractmethod
    def fading(self, r: arb) -> arb:
        """V on the circle |z| = r (see the module)."""

    @property
    @abstractmethod
    def tilt(self) -> Tilt:
        """The law under any tilt, for steering."""


class SumOfParts(Part):
    """A sum of independent parts."""

    __slots__ = ()

    @property
    @abstractmethod
    def parts(self) -> Sequence[Part]:
        """The parts."""

    @property
    def low(self) -> int | None:
        """The sum of the least values."""
        return added(part.low for part in self.parts)

    @property
    def high(self) -> int | None:
        """The sum of the largest values."""
        return added(part.high for part in self.parts)

    @property
    def guard_bits(self) -> int:
        """Those of the worst part, and of the product."""
        return max((part.guard_bits for part in self.parts), default=0) + len(self.parts).bit_length()

    def converges(self, r: arb) -> bool:
        """Where all do."""
        return bool(r > 0) and all(part.converges(r) for part in self.parts)

    def transform(self) -> Callable[[acb], acb]:
        """The product."""
        each = [part.transform() for part in self.parts]
        return each[0] if len(each) == 1 else lambda z: math.prod((one(z) for one in each), start=acb(1))

    def fading(self, r: arb) -> arb:
        """The sum of the parts' V."""
        return sum((part.fading(r) for part in self.parts), arb(0))

    @property
    def tilt(self) -> Tilt:
        """That of the sum."""
        return Tilt.sum([part.tilt for part in self.parts])


def added(ends: Iterable[int | None]) -> int | None:
    """The sum; None where one is missing."""
    known = list(ends)
    return None if None in known else sum(filter(None, known))


class _Signed(Part):
    """A variable from 0 up for sign 1; minus such a variable for sign -1."""

    __slots__ = ()
    sign: int

    @property
    def mirror(self) -> Part:
        """The other sign."""
        own: Any = self
        return cast(Part, replace(own, sign=-self.sign))

    @property
    def low(self) -> int | None:
        """0 for sign 1, else None."""
        return 0 if self.sign > 0 else None

    @property
    def high(self) -> int | None:
        """0 for sign -1, else None."""
        return None if self.sign > 0 else 0


@dataclass(frozen=True, slots=True)
class Coins(Part):
    """low + Bin(trials, chance), 0 <= chance <= 1."""

    adds = ("trials", "low")

    trials: int
    chance: Fraction
    low: int = 0

    @property
    def high(self) -> int:
        """All trials; those that never come are none."""
        return self.low + (self.trials if self.chance else 0)

    @property
    def mirror(self) -> Coins:
        """By the failures."""
        return Coins(self.trials, 1 - self.chance, -self.low - self.trials)

    @property
    def unmoved(self) -> Coins:
        """From 0 up."""
        return Coins(self.trials, self.chance)

    @property
    def guard_bits(self) -> int:
        """Guard bits of the power."""
        return max(self.trials, abs(self.low)).bit_length() + 8

    def transform(self) -> Callable[[acb], acb]:
        """(q + p z)^N z^low."""
        p, q, count, low = ball(self.chance), ball(1 - self.chance), self.trials, self.low
        if not count:
            return lambda z: z**low
        return lambda z: (q + p * z) ** count * z**low if low else (q + p * z) ** count

    def fading(self, r: arb) -> arb:
        """N times the V of one coin."""
        p, q = ball(self.chance), ball(1 - self.chance)
        return self.trials * p * q * r / (q + p * r) ** 2

    @property
    def tilt(self) -> Tilt:
        """Tilted coins are coins."""
        return Tilt.of([(self.chance, self.trials)]).moved(self.low)

    def table(self, bits: int) -> Pmf | None:
        """By the recurrence of binomial weights."""
        n, p = self.trials, self.chance
        if not 0 < p < 1 or n * (n + 1) * p.denominator.bit_length() > bits:
            return None
        return pooled([(p, n)])

    def first_masses(self, count: int, bits: int) -> list[Fraction] | None:
        """By the binomial formula."""
        n, p, q = self.trials, self.chance, 1 - self.chance
        if count * n * p.denominator.bit_length() > bits:
            return None
        return [math.comb(n, s) * p**s * q ** (n - s) for s in range(count)]


@dataclass(frozen=True, slots=True)
class PoissonPart(_Signed):
    """Poisson(mean) for sign 1; minus such a variable for sign -1."""

    adds = ("mean",)

    mean: Fraction
    sign: int = 1

    @property
    def guard_bits(self) -> int:
        """Guard bits of the exponential."""
        return math.ceil(self.mean).bit_length() + 12

    def transform(self) -> Callable[[acb], acb]:
        """e^{mu (z - 1)}, or with 1/z in place of z."""
        mu = ball(self.mean)
        return lambda z: (mu * (z**self.sign - 1)).exp()

    def fading(self, r: arb) -> arb:
        """mu r, or mu/r: the mean of the tilted Poisson number."""
        return ball(self.mean) * r**self.sign

    @property
    def tilt(self) -> Tilt:
        """The tilted number is Poisson with the mean mu e^theta, or mu e^-theta for sign -1."""
        mean, sign = float(self.mean), self.sign
        most = LARGEST_EXPONENT - math.log(max(mean, 1.0))

        def at(theta: float) -> Moments:
            grown = min(sign * theta, most)
            tilted = mean * math.exp(grown)
            return Moments(mean * math.expm1(grown), sign * tilted, tilted)

        return Tilt(at, support=(0.0, math.inf) if sign > 0 else (-math.inf, 0.0))


@dataclass(frozen=True, slots=True)
class NegativeBinomialPart(_Signed):
    """Negative binomial, P[X = x] in proportion to Gamma(x + shape)/x! rho^-x, x >= 0; or minus such a variable.

    Attributes:
        shape: > 0; 1 is the geometric distribution.
        rho: > 1.
        sign: 1 or -1.
    """

    adds = ("shape",)

    shape: Fraction
    rho: Limit
    sign: int = 1

    @property
    def guard_bits(self) -> int:
        """Guard bits of the power, and of 1 - 1/rho where rho is next to 1."""
        narrow = math.ceil(max(0.0, -math.log2(max(self.rho.steer(), 1e-300))))
        return math.ceil(self.shape).bit_length() + narrow + _GUARD

    def converges(self, r: arb) -> bool:
        """Whether r^sign < rho."""
        return bool(r > 0) and bool(self.sign * r.log() < self.rho.log_ball())

    def transform(self) -> Callable[[acb], acb]:
        """((1 - a)/(1 - a z))^shape, or with 1/z in place of z."""
        a, shape, whole = 1 / self.rho.ball(), ball(self.shape), -(-self.rho.log_ball()).expm1()
        if self.shape.denominator == 1:
            power = int(self.shape)
            return lambda z: (whole / (1 - a * z**self.sign)) ** power
        return lambda z: (whole / (1 - a * z**self.sign)) ** acb(shape)

    def fading(self, r: arb) -> arb:
        """By the chord of a concave logarithm (see the module); 0 where G is not proven to converge."""
        b = r**self.sign / self.rho.ball()
        return ball(self.shape) / 2 * ((1 + b) / (1 - b)).log() if b < 1 else arb(0)

    @property
    def tilt(self) -> Tilt:
        """The tilted variable is negative binomial with the ratio b = e^theta/rho, or e^-theta/rho for sign -1."""
        edge, shape, sign = self.rho.steer(), float(self.shape), self.sign
        whole, ends = math.log(-math.expm1(-edge)), (-math.inf, edge * _INSIDE)

        def at(theta: float) -> Moments:
            gap = -math.expm1(min(sign * theta - edge, -1e-300))  # 1 - b
            return Moments(shape * (whole - math.log(gap)), sign * shape * (1 - gap) / gap, shape * (1 - gap) / gap**2)

        if sign > 0:
            return Tilt(at, ends=ends, support=(0.0, math.inf))
        return Tilt(at, ends=(-ends[1], math.inf), support=(-math.inf, 0.0))


@dataclass(frozen=True, slots=True)
class Gaussian(Part):
    """P[X = x] in proportion to e^(-x^2 / (2 square)), on all integers."""

    square: Fraction

    @property
    def guard_bits(self) -> int:
        """Guard bits of a tilt, or of the sum."""
        return math.ceil(self.square).bit_length() + _GUARD

    def transform(self) -> Callable[[acb], acb]:
        """Jacobi's third theta function, as a function of log z / (2 pi i)."""
        turn, narrow = 2 * arb.pi() * acb(0, 1), acb(0, 1) / (2 * arb.pi() * ball(self.square))
        whole = acb.modular_theta(acb(0), narrow)[2]
        return lambda z: acb.modular_theta(z.log() / turn, narrow)[2] / whole

    def fading(self, r: arb) -> arb:
        """v - 1/4, or 0 where that is negative."""
        return (ball(self.square) - arb(1) / 4).nonnegative_part()

    @property
    def tilt(self) -> Tilt:
        """That of the continuous Gaussian for a large variance, else summed over the terms next to the tilted mean."""
        square = float(self.square)

        def at(theta: float) -> Moments:
            if square >= _WIDE:
                return Moments(theta**2 * square / 2, theta * square, square)
            middle = round(theta * square)
            return moments([(x, -x * x / (2 * square)) for x in range(middle - _TERMS, middle + _TERMS + 1)], theta)

        whole = at(0.0).growth
        return Tilt(lambda theta: (found := at(theta))._replace(growth=found.growth - whole))


class Listed(Part):
    """Finitely many masses."""

    __slots__ = ()

    @property
    @abstractmethod
    def low(self) -> int:
        """The first of the list."""

    @property
    @abstractmethod
    def high(self) -> int:
        """The last of the list."""

    @abstractmethod
    def _masses(self) -> list[arb]:
        """From ``low`` on, in proportion to the probabilities."""

    @property
    def guard_bits(self) -> int:
        """Guard bits of the sum, and of the place."""
        return max(self.high - self.low, abs(self.low)).bit_length() + _GUARD

    def transform(self) -> Callable[[acb], acb]:
        """A polynomial, moved."""
        masses = self._masses()
        whole = sum(masses, arb(0))
        polynomial = acb_poly([acb(mass / whole) for mass in masses])
        return lambda z: polynomial(z) * z**self.low

    def fading(self, r: arb) -> arb:
        """0, which always holds: no better bound is known."""
        return arb(0)

    @property
    def tilt(self) -> Tilt:
        """Summed over all masses."""
        masses = self._masses()
        whole = sum(masses, arb(0))
        return Tilt.listed([(x, float((mass / whole).log())) for x, mass in enumerate(masses, self.low) if mass > 0])


@dataclass(frozen=True, slots=True)
class Finite(Listed):
    """Any list: P[X = low + i] = pmf[i]. It need not be log-concave, and is a law by itself: it is summed."""

    pmf: Pmf
    low: int = 0

    @property
    def high(self) -> int:
        """The last of the list."""
        return self.low + len(self.pmf) - 1

    @property
    def mirror(self) -> Finite:
        """The list backwards."""
        return Finite(self.pmf.backwards, -self.high)

    @property
    def unmoved(self) -> Finite:
        """From 0 up."""
        return Finite(self.pmf)

    @property
    def symmetric(self) -> bool:
        """Whether -X is X, or X moved."""
        return self.pmf.backwards == self.pmf

    @property
    def deviation(self) -> float:
        """Sqrt(Var X)."""
        return math.sqrt(self.pmf.variance)

    def table(self, bits: int) -> Pmf:
        """The list, however long."""
        return self.pmf

    def largest_loss(self, shift: int) -> None:
        """None: outcomes at an end have an infinite loss."""
        return None

    def _masses(self) -> list[arb]:
        return [ball(weight) for weight in self.pmf.weights]


#: Any law of a noise.
Law: TypeAlias = Finite | TailedLaw
