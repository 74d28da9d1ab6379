r"""The law of an integer noise X that is added to a count, up to a translation: its tails, and its likelihood ratios.

Where the pmf f is log-concave, f(s)/f(s - c) falls in s for every shift c > 0: where f(s - c) = 0 < f(s) the ratio is
infinite, where f(s) = 0 it is 0. ``last`` is the last s at which it is above lambda. Of the truncated geometric law

    f(s)/f(s - c) = rho^(|s - c| - |s|),    rho = 1/ratio,

which has plateaus, so that it is compared exactly; its tails are sums of geometric series. Binomial and Poisson laws
are in ``strict_noise``. Translations do not matter.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from flint import arb

from dpcalc.laws.pmf import Pmf
from dpcalc.numbers.ball import ball, decide
from dpcalc.numbers.limit import Limit

__all__ = ["FiniteLaw", "GeometricLaw", "Law", "TailedLaw"]

_MOST = 700.0  # the largest exponent of a float


@dataclass(frozen=True, slots=True)
class FiniteLaw:
    """Any law on finitely many integers, 0 and up."""

    pmf: Pmf

    @property
    def low(self) -> int:
        """0."""
        return 0

    @property
    def high(self) -> int:
        """The last of the list."""
        return len(self.pmf) - 1

    @property
    def mirror(self) -> FiniteLaw:
        """The list backwards."""
        return FiniteLaw(Pmf(weights=self.pmf.weights[::-1], denominator=self.pmf.denominator))

    @property
    def deviation(self) -> float:
        """Sqrt(Var X)."""
        return math.sqrt(self.pmf.variance)

    def at_most(self, t: int) -> arb:
        """The exact sum, as a ball."""
        return ball(self.pmf.at_most(t))


class TailedLaw(ABC):
    """A law with a log-concave pmf f, asked for its tails."""

    __slots__ = ()

    @property
    @abstractmethod
    def low(self) -> int | None:
        """The least value; None if there is none."""

    @property
    @abstractmethod
    def high(self) -> int | None:
        """The largest value; None if there is none."""

    @property
    @abstractmethod
    def mirror(self) -> TailedLaw:
        """The law of -X, up to a translation."""

    @property
    @abstractmethod
    def deviation(self) -> float:
        """The standard deviation, about; it steers."""

    @property
    @abstractmethod
    def lost(self) -> int:
        """Bits that a tail loses to rounding."""

    @abstractmethod
    def at_most(self, t: int) -> arb:
        """P[X <= t] at the current precision, with its digits where it is small."""

    @abstractmethod
    def last(self, shift: int, limit: Limit) -> tuple[int, arb]:
        """The last s with f(s) > lambda f(s - shift), and a bound of what is missed if it is the next one.

        Not finite where the current precision does not tell. The shift is at most high - low.
        """

    def faint(self, shift: int, limit: Limit) -> bool:
        """Whether P[X <= last] is proven to be below e^-1,000,000 without a sum or an integral."""
        return False

    def table(self, bits: int) -> Pmf | None:
        """The exact pmf from the least value on, where it is rational and takes at most about so many bits."""
        return None

    def first(self, count: int, bits: int) -> list[Fraction] | None:
        """The exact masses of so many least values, where they are rational and take at most about so many bits."""
        table = self.table(bits)
        return None if table is None else [table[s] for s in range(count)]


@dataclass(frozen=True, slots=True)
class GeometricLaw(TailedLaw):
    """P[X = x] in proportion to rho^-|x| for |x| <= bound.

    Attributes:
        rho: > 1, exactly as it was given: rational, or e to a rational power.
        bound: >= 0.
    """

    rho: Limit
    bound: int

    @property
    def low(self) -> int:
        """-bound."""
        return -self.bound

    @property
    def high(self) -> int:
        """The bound."""
        return self.bound

    @property
    def mirror(self) -> GeometricLaw:
        """Itself."""
        return self

    @property
    def deviation(self) -> float:
        """That of the distribution without bound, or of an even one within it."""
        decay = max(self.rho.steer(), 1e-300)
        wide = math.sqrt(2) / (2 * math.sinh(min(decay, _MOST) / 2))
        return min(wide, (self.bound + 1) / math.sqrt(3))

    @property
    def lost(self) -> int:
        """Those of the power, and of a ratio next to 1."""
        return (self.bound + 1).bit_length() + 16

    def at_most(self, t: int) -> arb:
        """Sums of geometric series, without a difference of near numbers."""
        if not -self.bound <= t < self.bound:
            return arb(int(t >= 0))
        if t >= 0:
            return 1 - self.at_most(-t - 1)
        decay = self.rho.log_ball()

        def series(terms: int) -> arb:  # 1 + 1/rho + ... times 1 - 1/rho
            return -(-terms * decay).expm1()

        whole = 2 * series(self.bound + 1) - series(1)
        return (t * decay).exp() * series(self.bound + t + 1) / whole

    def table(self, bits: int) -> Pmf | None:
        """See ``TailedLaw``; only for rational rho."""
        if self.rho.lam is None:
            return None
        a, b = self.rho.lam.as_integer_ratio()
        if (2 * self.bound + 1) * (self.bound + 1) * a.bit_length() > bits:
            return None
        weights = tuple(b ** abs(x) * a ** (self.bound - abs(x)) for x in range(-self.bound, self.bound + 1))
        return Pmf(weights=weights, denominator=sum(weights))

    def last(self, shift: int, limit: Limit) -> tuple[int, arb]:
        """By exact comparisons of powers: |s - c| - |s| falls from c at s = 0 by twos to -c at s = c."""
        everywhere = min(shift - self.bound - 1, self.bound)  # f(s - c) = 0 up to here
        if not self._above(shift, limit):
            return everywhere, arb(0)
        high, low = shift, 0  # rho^high > lambda >= rho^low; only s with |s - c| - |s| = c - 2s matter
        while high - low > 1:
            middle = (high + low) // 2
            high, low = (middle, low) if self._above(middle, limit) else (high, middle)
        return min(max(everywhere, (shift - high) // 2), self.bound), arb(0)

    def _above(self, power: int, limit: Limit) -> bool:
        """Whether rho^power > lambda, power > 0."""
        if not self.rho.logarithmic:
            return not limit.allows_power(self.rho.given, power)
        if limit.logarithmic:
            return power * self.rho.given > limit.given
        return limit.lam == 1 or decide(lambda: power * self.rho.log_ball() - limit.log_ball())


#: Any of them.
Law: TypeAlias = FiniteLaw | TailedLaw
