r"""The law of continuous noise Z to the nearest whole number: X = round(Z), P[X <= t] = P[Z <= t + 1/2].

With g the density of Z, f(s)/f(s - c) is an average of g(z)/g(z - c) over s - 1/2 < z < s + 1/2. For log-concave g
the latter falls in z, so that f(s)/f(s - c) falls in s. Let g(z)/g(z - c) be above lambda for z < z_0 and at most
lambda beyond. Then f(s)/f(s - c) is above lambda where s + 1/2 <= z_0 and at most lambda where s - 1/2 >= z_0. For the
s in between the sign of f(s) - lambda f(s - c) is computed.

Laplace    P[X <= t] = e^{(t + 1/2)/b}/2 for t < 0         g(z)/g(z - c) = e^{(|z - c| - |z|)/b}
Gaussian   P[X <= t] = erfc(-(t + 1/2)/(sigma sqrt 2))/2   g(z)/g(z - c) = e^{c (c - 2z)/(2 sigma^2)}

Source: proof notes, N15.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from dpcalc.laws.noise import TailedLaw
from dpcalc.numbers.ball import ball
from dpcalc.numbers.limit import Limit

_GUARD = 16  # bits


class _RoundedLaw(TailedLaw):
    """Z is symmetric, and its density log-concave."""

    __slots__ = ()

    @property
    def guard_bits(self) -> int:
        """Guard bits of the masses, and of f(s) - lambda f(s - c) where that is nearly 0."""
        return 3 * math.ceil(self.deviation).bit_length() + _GUARD

    @abstractmethod
    def below(self, z: Fraction) -> arb:
        """P[Z <= z] for z < 0."""

    @abstractmethod
    def crossing(self, shift: int, limit: Limit) -> arb:
        """z_0."""

    def at_most(self, t: int) -> arb:
        """See ``TailedLaw``."""
        return self.below(t + Fraction(1, 2)) if t < 0 else 1 - self.at_most(-t - 1)

    def mass(self, s: int) -> arb:
        """f(s)."""
        return self.at_most(-abs(s)) - self.at_most(-abs(s) - 1)

    def last_above(self, shift: int, limit: Limit) -> tuple[int, arb]:
        """By certified signs next to z_0; some ratio must be above lambda."""

        def gain(s: int) -> arb:
            return self.mass(s) - limit.ball() * self.mass(s - shift)

        near = int((self.crossing(shift, limit) + 0.5).mid().floor().unique_fmpz() or 0)
        if not (gain(near - 1) > 0 and gain(near + 1) < 0):
            return near, arb.nan()
        gained = gain(near)
        return (near, arb(0)) if gained > 0 else (near - 1, gained.nonnegative_part())


@dataclass(frozen=True, slots=True)
class RoundedLaplaceLaw(_RoundedLaw):
    """Z has the density e^(-|z|/scale)/(2 scale)."""

    scale: Fraction

    @property
    def decay(self) -> Limit:
        """e^(1/scale), which the ratio attains."""
        return Limit.exp(1 / self.scale)

    @property
    def deviation(self) -> float:
        """Sqrt(cosh(y)/2)/sinh(y), y = 1/(2 scale)."""
        half = 0.5 / float(self.scale)
        return math.sqrt(math.cosh(half) / 2) / math.sinh(half)

    def below(self, z: Fraction) -> arb:
        """See ``_RoundedLaw``."""
        return ball(z / self.scale).exp() / 2

    def crossing(self, shift: int, limit: Limit) -> arb:
        """See ``_RoundedLaw``, for lambda < e^(shift/scale)."""
        return (shift - ball(self.scale) * limit.log_ball()) / 2


@dataclass(frozen=True, slots=True)
class RoundedGaussianLaw(_RoundedLaw):
    """Z has the density of a normal variable of mean 0 and the deviation sigma."""

    sigma: Fraction

    @property
    def deviation(self) -> float:
        """About sigma."""
        return float(self.sigma)

    def below(self, z: Fraction) -> arb:
        """See ``_RoundedLaw``."""
        return (ball(-z / self.sigma) / arb(2).sqrt()).erfc() / 2

    def crossing(self, shift: int, limit: Limit) -> arb:
        """See ``_RoundedLaw``."""
        return shift / arb(2) - ball(self.sigma**2 / shift) * limit.log_ball()
