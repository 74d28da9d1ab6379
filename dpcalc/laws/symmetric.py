r"""Laws that are symmetric about 0, by their lower tails in closed form.

==========================  ==========================================  ================================================
``LaplaceLaw``              P[X = x] in proportion to rho^-|x|          P[X <= t] = rho^t/(1 + 1/rho) for t < 0
``Truncated``               the same for |x| <= bound                   a quotient of geometric sums
``RoundedLaplaceLaw``       Laplace noise Z to the nearest whole        P[X <= t] = rho^(t + 1/2)/2 for t < 0
``RoundedGaussianLaw``      Gaussian noise Z likewise                   erfc(-(t + 1/2)/(sigma sqrt 2))/2
==========================  ==========================================  ================================================

Each likelihood ratio f(s)/f(s - c) falls in s. It is above lambda where s + 1/2 <= z_0 and at most lambda where
s - 1/2 >= z_0, for

    z_0 = (c - log lambda/log rho)/2    or, of a Gaussian,    z_0 = c/2 - sigma^2 log lambda/c,

where the search by certified signs begins. Of the first two laws the ratio is rho^(|s - c| - |s|). Of rounded noise
with the density g it is an average of g(z)/g(z - c) over s - 1/2 < z < s + 1/2, and z_0 is where the latter is lambda.

Source: proof notes, N4 and N15.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from dpcalc.laws.circle import FAINT_NATS, Coefficients
from dpcalc.laws.parts import LARGEST_EXPONENT, Listed, TailedLaw
from dpcalc.laws.pmf import Pmf
from dpcalc.laws.threshold import Threshold
from dpcalc.numbers.ball import ball, working_precision
from dpcalc.numbers.limit import Limit

_GUARD = 16  # bits


class SymmetricLaw(TailedLaw):
    """A law with f(-s) = f(s), whose ratio f(s)/f(s - c) falls in s between its ``places``."""

    __slots__ = ()

    @property
    def guard_bits(self) -> int:
        """Guard bits of the masses, and of f(s) - lambda f(s - c) where that is nearly 0."""
        return 3 * math.ceil(self.deviation).bit_length() + _GUARD

    @abstractmethod
    def below(self, t: int) -> arb:
        """P[X <= t] for t < 0."""

    @abstractmethod
    def crossing(self, shift: int, limit: Limit) -> float:
        """About z_0, for a lambda that some ratio is above; it steers."""

    def at_most(self, t: int) -> arb:
        """See ``TailedLaw``."""
        return self.below(t) if t < 0 else 1 - self.below(-t - 1)

    def mass(self, s: int) -> arb:
        """f(s)."""
        return self.at_most(-abs(s)) - self.below(-abs(s) - 1)

    def search(self, shift: int, limit: Limit) -> Threshold:
        """By the signs next to z_0."""
        return InTails(self, shift, limit)


class InTails(Threshold):
    """By the masses and tails of a law in closed form."""

    def __init__(self, law: SymmetricLaw, shift: int, limit: Limit) -> None:
        """From z_0."""
        super().__init__(law.crossing(shift, limit) + 0.5, law.places(shift, limit))
        self._law, self._shift, self._limit = law, shift, limit

    def at(self, t: int) -> Coefficients:
        """h_t, d_t and d_{t+1}."""
        law, moved, lam = self._law, t - self._shift, self._limit.ball()
        here, after = (law.mass(t + one) - lam * law.mass(moved + one) for one in (0, 1))
        return Coefficients(law.at_most(t) - lam * law.at_most(moved), here, after)

    def likely(self) -> arb:
        """Exactly."""
        return self._law.at_most(self.t)


@dataclass(frozen=True, slots=True)
class LaplaceLaw(SymmetricLaw):
    """P[X = x] in proportion to rho^-|x| on all integers.

    Attributes:
        rho: > 1, exactly as it was given: rational, or e to a rational power.
    """

    rho: Limit

    @property
    def decay(self) -> Limit | None:
        """Rho."""
        return self.rho

    @property
    def deviation(self) -> float:
        """See ``laplace_deviation``."""
        return laplace_deviation(self.rho)

    def below(self, t: int) -> arb:
        """A geometric series."""
        decay = self.rho.log_ball()
        return (t * decay).exp() / (1 + (-decay).exp())

    def crossing(self, shift: int, limit: Limit) -> float:
        """See ``SymmetricLaw``."""
        return (shift - limit.steer() / self.rho.steer()) / 2

    def exactly(self, shift: int, limit: Limit, bits: int) -> Fraction | None:
        """See ``TailedLaw``; only for rational rho and lambda."""
        if self.rho.lam is None or limit.lam is None:
            return None
        with working_precision(self.guard_bits + 2 * shift.bit_length() + _GUARD):
            (t, missed), a = self.last_above(shift, limit), 1 / self.rho.lam
        if not missed.is_finite() or (abs(t) + shift) * a.denominator.bit_length() > bits:
            return None

        def at_most(place: int) -> Fraction:
            return 1 - at_most(-place - 1) if place >= 0 else a**-place / (1 + a)

        return max(at_most(s) - limit.lam * at_most(s - shift) for s in (t - 1, t, t + 1))


@dataclass(frozen=True, slots=True)
class Truncated(Listed, LaplaceLaw):
    """The truncated geometric law: P[X = x] in proportion to rho^-|x| for |x| <= bound; a part of sums, too.

    Attributes:
        rho: > 1, exactly as it was given: rational, or e to a rational power.
        bound: >= 0.
    """

    bound: int

    @property
    def mirror(self) -> Truncated:
        """The law itself."""
        return self

    @property
    def low(self) -> int:
        """Minus the bound."""
        return -self.bound

    @property
    def high(self) -> int:
        """The bound."""
        return self.bound

    @property
    def decay(self) -> None:
        """None: some losses are infinite."""
        return None

    @property
    def deviation(self) -> float:
        """The smaller one of those of the discrete Laplace law and of the uniform law within the bound."""
        return min(laplace_deviation(self.rho), (self.bound + 1) / math.sqrt(3))

    def below(self, t: int) -> arb:
        """A quotient of geometric sums, none of them a difference of nearly equal numbers."""
        if t < -self.bound:
            return arb(0)
        decay = self.rho.log_ball()

        def series(terms: int) -> arb:  # 1 + 1/rho + ... times 1 - 1/rho
            return -(-terms * decay).expm1()

        whole = 2 * series(self.bound + 1) - series(1)
        return (t * decay).exp() * series(self.bound + t + 1) / whole

    def table(self, bits: int) -> Pmf | None:
        """See ``RandomInteger``; only for rational rho."""
        if self.rho.lam is None:
            return None
        a, b = self.rho.lam.as_integer_ratio()
        if (2 * self.bound + 1) * (self.bound + 1) * a.bit_length() > bits:
            return None
        weights = tuple(b ** abs(x) * a ** (self.bound - abs(x)) for x in range(-self.bound, self.bound + 1))
        return Pmf(weights=weights, denominator=sum(weights))

    def places(self, shift: int, limit: Limit) -> tuple[float, float]:
        """If no finite ratio is above lambda the last one that is infinite."""
        low, high = LaplaceLaw.places(self, shift, limit)
        return low, high if limit.below_power(self.rho, shift) else low

    def exactly(self, shift: int, limit: Limit, bits: int) -> None:
        """None: a short table is summed."""
        return None

    def _masses(self) -> list[arb]:
        decay = self.rho.log_ball()
        return [(-abs(x) * decay).exp() for x in range(-self.bound, self.bound + 1)]


class RoundedLaplaceLaw(LaplaceLaw):
    """Z has a density in proportion to rho^-|z|; the ratio attains rho."""

    __slots__ = ()

    def below(self, t: int) -> arb:
        """See ``SymmetricLaw``."""
        return ((t + arb("0.5")) * self.rho.log_ball()).exp() / 2

    def exactly(self, shift: int, limit: Limit, bits: int) -> None:
        """None: tails have the square root of rho."""
        return None


@dataclass(frozen=True, slots=True)
class RoundedGaussianLaw(SymmetricLaw):
    """Z has the density of a normal variable of mean 0 and the deviation sigma."""

    sigma: Fraction

    @property
    def deviation(self) -> float:
        """About sigma."""
        return float(self.sigma)

    def below(self, t: int) -> arb:
        """See ``SymmetricLaw``."""
        return (ball(-(t + Fraction(1, 2)) / self.sigma) / arb(2).sqrt()).erfc() / 2

    def crossing(self, shift: int, limit: Limit) -> float:
        """See ``SymmetricLaw``."""
        farthest = -float(self.sigma) * math.sqrt(2 * FAINT_NATS)  # from there on no tail can be held
        return max(shift / 2 - float(self.sigma) ** 2 * limit.steer() / shift, farthest)


def laplace_deviation(rho: Limit) -> float:
    """The standard deviation of discrete Laplace noise, sqrt(2 a)/(1 - a) with a = 1/rho."""
    return math.sqrt(2) / (2 * math.sinh(min(max(rho.steer(), 1e-300), LARGEST_EXPONENT) / 2))
