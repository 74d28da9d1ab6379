r"""Integer noise whose likelihood ratios fall strictly: binomial and Poisson.

    binomial   f(s)/f(s - c) = (p/q)^c prod_{i=1}^c (N - s + i)/(s - c + i),
    Poisson    f(s)/f(s - c) = mu^c / prod_{i=1}^c (s - c + i)

are equal to lambda at one s at most, so that certified signs next to the place where floating point has it tell the
last s at which they are above. Tails come from Fourier inversion (``inversion``, ``poisson``), those at places near
each other by adding what lies between: all terms are >= 0. The mirror image of Bin(N, p) is Bin(N, 1 - p), up to a
translation.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from dpcalc.laws.inversion import Term, guard_bits, invert
from dpcalc.laws.pmf import Pmf
from dpcalc.laws.pool import Pool
from dpcalc.noises import poisson
from dpcalc.noises.noise import TailedLaw
from dpcalc.numbers.ball import MAX_EXPONENT, ball
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import logarithm

__all__ = ["BinomialLaw", "PoissonLaw"]

_SHORT = 64  # factors up to which a product is multiplied out
_MOST = 700.0  # the largest exponent of a float
_FAR = 2.0**200  # further than any place
_DEAR = 400  # masses that take as long as an inversion


class _Strict(TailedLaw):
    """A law whose ratios fall strictly."""

    __slots__ = ()

    @abstractmethod
    def _log_ratio(self, s: int, shift: int) -> arb:
        """Log of f(s)/f(s - shift), both > 0."""

    @abstractmethod
    def _near(self, shift: int, epsilon: float) -> float:
        """Where it is epsilon, about."""

    @abstractmethod
    def _mass(self, s: int) -> arb:
        """f(s) > 0."""

    @abstractmethod
    def _rise(self, s: int) -> Fraction:
        """f(s + 1)/f(s), where f(s) > 0."""

    def all_at_most(self, places: Sequence[int]) -> list[arb]:
        """The first by inversion, the others by the masses between, where these are few."""
        if len(places) < 2 or places[-1] - places[0] > _DEAR * len(places):
            return TailedLaw.all_at_most(self, places)
        s, total, found = places[0], self.at_most(places[0]), []
        mass = arb(0)
        for t in places:
            while s < t:
                mass = mass * ball(self._rise(s)) if not mass.is_zero() else self._starting(s + 1)
                s, total = s + 1, total + mass
            found.append(total)
        return found

    def _starting(self, s: int) -> arb:
        """f(s), 0 where there is none."""
        inside = (self.low is None or s >= self.low) and (self.high is None or s <= self.high)
        return self._mass(s) if inside else arb(0)

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
class BinomialLaw(_Strict):
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

    def first(self, count: int, bits: int) -> list[Fraction] | None:
        """See ``TailedLaw``."""
        n, p, q = self.trials, self.chance, 1 - self.chance
        if count * n * p.denominator.bit_length() > bits:
            return None
        return [math.comb(n, s) * p**s * q ** (n - s) for s in range(count)]

    def _log_ratio(self, s: int, shift: int) -> arb:
        odds = (ball(self.chance) / ball(1 - self.chance)).log()
        return shift * odds + _log_rising(self.trials - s + 1, shift) - _log_rising(s - shift + 1, shift)

    def _mass(self, s: int) -> arb:
        n, log_ways = self.trials, arb(self.trials + 1).lgamma() - arb(s + 1).lgamma()
        chances = s * ball(self.chance).log() + (n - s) * ball(1 - self.chance).log()
        return (log_ways - arb(n - s + 1).lgamma() + chances).exp()

    def _rise(self, s: int) -> Fraction:
        return (self.trials - s) * self.chance / ((s + 1) * (1 - self.chance))

    def _near(self, shift: int, epsilon: float) -> float:
        odds = logarithm(1 - self.chance) - logarithm(self.chance)
        return (self.trials + 1) / (1 + math.exp(min(epsilon / shift + odds, _MOST))) + (shift - 1) / 2


@dataclass(frozen=True, slots=True)
class PoissonLaw(_Strict):
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

    def faint(self, shift: int, limit: Limit) -> bool:
        """By Chernoff's bound.

        f(s) > lambda f(s + c) takes (s + 1) ... (s + c) > lambda mu^c, hence s > mu lambda^{1/c} - c, and with s > mu
        Chernoff's bound is P[X >= s] <= e^{-s (log(s/mu) - 1) - mu}.
        """
        mean = ball(self.mean)
        least = mean * (limit.log_ball() / shift).exp() - shift
        return self.sign < 0 and least > mean and least * ((least / mean).log() - 1) + mean > MAX_EXPONENT

    def _log_ratio(self, s: int, shift: int) -> arb:
        first = s - shift if self.sign > 0 else -s
        return self.sign * (shift * ball(self.mean).log() - _log_rising(first + 1, shift))

    def _mass(self, s: int) -> arb:
        x = abs(s)
        return (x * ball(self.mean).log() - ball(self.mean) - arb(x + 1).lgamma()).exp()

    def _rise(self, s: int) -> Fraction:
        return self.mean / (s + 1) if self.sign > 0 else -s / self.mean

    def _near(self, shift: int, epsilon: float) -> float:
        ratio = math.exp(min(epsilon / shift, _MOST))
        if self.sign > 0:
            return float(self.mean) / ratio + (shift - 1) / 2
        return min((shift + 1) / 2 - float(self.mean) * ratio, 0.0)


def _log_rising(x: int, count: int) -> arb:
    """Log of x (x + 1) ... (x + count - 1), x > 0."""
    if count <= _SHORT:
        return arb(math.prod(range(x, x + count))).log()
    return arb(x + count).lgamma() - arb(x).lgamma()
