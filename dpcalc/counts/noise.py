r"""The law of an integer noise X that is added to a count, up to a translation: its tails, and its likelihood ratios.

The pmf f of each is log-concave, so that f(s)/f(s - c) falls in s for every shift c > 0: where f(s - c) = 0 < f(s) the
ratio is infinite, where f(s) = 0 it is 0. ``last`` is the last s at which it is above lambda:

    binomial   f(s)/f(s-c) = (p/q)^c prod_{i=1}^c (N - s + i)/(s - c + i),    equal to lambda at one s at most,
    Poisson    f(s)/f(s-c) = mu^c / prod_{i=1}^c (s - c + i),                 likewise,
    geometric  f(s)/f(s-c) = rho^(|s-c| - |s|) with rho = 1/ratio,            with plateaus; compared exactly.

Tails come from Fourier inversion (``inversion``, ``poisson``) or in closed form. Translations do not matter: the mirror
image of Bin(N, p) is Bin(N, 1 - p).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from flint import arb

from dpcalc.counts import poisson
from dpcalc.counts.inversion import Term, guard_bits, invert
from dpcalc.counts.pmf import Pmf
from dpcalc.counts.pool import Pool
from dpcalc.numbers.ball import ball, decide
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import logarithm

__all__ = ["BinomialLaw", "FiniteLaw", "GeometricLaw", "Law", "PoissonLaw", "TailedLaw"]

_SHORT = 64  # factors up to which a product is multiplied out
_MOST = 700.0  # the largest exponent of a float
_FAR = 2.0**200  # further than any place


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

    def table(self, bits: int) -> Pmf | None:
        """The exact pmf from the least value on, where it is rational and takes at most about so many bits."""
        return None


class _Smooth(TailedLaw):
    """A law whose ratios fall strictly."""

    __slots__ = ()

    @abstractmethod
    def _log_ratio(self, s: int, shift: int) -> arb:
        """Log of f(s)/f(s - shift), both > 0."""

    @abstractmethod
    def _near(self, shift: int, epsilon: float) -> float:
        """Where it is epsilon, about."""

    def last(self, shift: int, limit: Limit) -> tuple[int, arb]:
        """By certified signs next to the place where floating point has it; one equality is allowed for."""
        epsilon = limit.log_ball()

        def excess(s: int) -> arb:
            if self.low is not None and s < self.low + shift:
                return arb(1)
            return arb(-1) if self.high is not None and s > self.high else self._log_ratio(s, shift) - epsilon

        s = self._last_where(lambda s: bool(excess(s) > 0), self._near(shift, limit.steer()))
        after = excess(s + 1)
        if after < 0:
            return s, arb(0)
        if excess(s + 2) < 0:  # at s + 1 the ratio is lambda, or too near to tell
            return s, (after.expm1() * self.at_most(s + 1)).nonnegative_part()
        return s, arb.nan()

    def _last_where(self, holds: Callable[[int], bool], near: float) -> int:
        """The last place where a condition holds that holds up to there: doubled strides, then a bisection."""
        place = math.floor(min(max(near, -_FAR), _FAR))
        place = max(place, self.low) if self.low is not None else place
        place = min(place, self.high) if self.high is not None else place
        found, stride = holds(place), 1
        other = place + (stride if found else -stride)
        while holds(other) is found:
            stride *= 2
            place, other = other, other + (stride if found else -stride)
        good, bad = sorted((place, other))
        while bad - good > 1:
            middle = (good + bad) // 2
            good, bad = (middle, bad) if holds(middle) else (good, middle)
        return good


@dataclass(frozen=True, slots=True)
class BinomialLaw(_Smooth):
    """Bin(trials, chance), 0 < chance < 1."""

    trials: int
    chance: Fraction

    @property
    def low(self) -> int:
        """0."""
        return 0

    @property
    def high(self) -> int:
        """All trials."""
        return self.trials

    @property
    def mirror(self) -> BinomialLaw:
        """The failures."""
        return BinomialLaw(self.trials, 1 - self.chance)

    @property
    def deviation(self) -> float:
        """Sqrt(N p q)."""
        return math.sqrt(self.trials * self.chance * (1 - self.chance))

    @property
    def lost(self) -> int:
        """Those of the powers."""
        return guard_bits(Pool.of((self.chance, self.trials)).kinds)

    def at_most(self, t: int) -> arb:
        """By inversion, of the smaller tail."""
        if not 0 <= t < self.trials:
            return arb(int(t >= 0))
        if t > self.trials * self.chance:
            return 1 - self.mirror.at_most(self.trials - t - 1)
        return invert([(self.chance, self.trials)], [Term(lambda: arb(1), ())], t).cumulative

    def table(self, bits: int) -> Pmf | None:
        """See ``TailedLaw``."""
        pool = Pool.of((self.chance, self.trials))
        return pool.pmf() if pool.pmf_bits <= bits else None

    def _log_ratio(self, s: int, shift: int) -> arb:
        odds = (ball(self.chance) / ball(1 - self.chance)).log()
        return shift * odds + _log_rising(self.trials - s + 1, shift) - _log_rising(s - shift + 1, shift)

    def _near(self, shift: int, epsilon: float) -> float:
        odds = logarithm(1 - self.chance) - logarithm(self.chance)
        return (self.trials + 1) / (1 + math.exp(min(epsilon / shift + odds, _MOST))) + (shift - 1) / 2


@dataclass(frozen=True, slots=True)
class PoissonLaw(_Smooth):
    """Poisson(mean) for sign 1; minus such a variable for sign -1."""

    mean: Fraction
    sign: int = 1

    @property
    def low(self) -> int | None:
        """0, or none."""
        return 0 if self.sign > 0 else None

    @property
    def high(self) -> int | None:
        """None, or 0."""
        return None if self.sign > 0 else 0

    @property
    def mirror(self) -> PoissonLaw:
        """The other sign."""
        return PoissonLaw(self.mean, -self.sign)

    @property
    def deviation(self) -> float:
        """Sqrt(mean)."""
        return math.sqrt(self.mean)

    @property
    def lost(self) -> int:
        """Those of the exponential and the power."""
        return poisson.guard_bits(self.mean)

    def at_most(self, t: int) -> arb:
        """By inversion, of the smaller tail."""
        return poisson.at_most(self.mean, t) if self.sign > 0 else poisson.at_least(self.mean, -t)

    def _log_ratio(self, s: int, shift: int) -> arb:
        first = s - shift if self.sign > 0 else -s
        return self.sign * (shift * ball(self.mean).log() - _log_rising(first + 1, shift))

    def _near(self, shift: int, epsilon: float) -> float:
        ratio = math.exp(min(epsilon / shift, _MOST))
        if self.sign > 0:
            return float(self.mean) / ratio + (shift - 1) / 2
        return min((shift + 1) / 2 - float(self.mean) * ratio, 0.0)


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


def _log_rising(x: int, count: int) -> arb:
    """Log of x (x + 1) ... (x + count - 1), x > 0."""
    if count <= _SHORT:
        return arb(math.prod(range(x, x + count))).log()
    return arb(x + count).lgamma() - arb(x).lgamma()
