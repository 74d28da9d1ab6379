r"""The law of an integer noise X that is added to a count: where it lies, its tails, and its likelihood ratios.

Where the pmf f is log-concave, the likelihood ratio f(s)/f(s - c) falls in s for every shift c > 0. It is infinite
where f(s - c) = 0 < f(s), and 0 where f(s) = 0. ``last_above`` is the last s with a ratio above lambda. The truncated
geometric law has

    f(s)/f(s - c) = rho^(|s - c| - |s|),    rho = 1/ratio.

As this has plateaus, it is compared with lambda exactly. The tails are sums of geometric series. Without a bound this
is the discrete Laplace law. All others but shares and rounded noise are in ``sums``.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from flint import arb

from dpcalc.laws.parts import LARGEST_EXPONENT, Finite, Listed, Values
from dpcalc.laws.pmf import Pmf
from dpcalc.laws.tilt import moments
from dpcalc.numbers.ball import LEAST_HELD
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import last_where


class TailedLaw(Values, ABC):
    """A law with a log-concave pmf f, known by its tails."""

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

    @abstractmethod
    def last_above(self, shift: int, limit: Limit) -> tuple[int, arb]:
        """The last s with f(s) > lambda f(s - shift), and an enclosure of what delta lacks should it be the next one.

        The latter is not finite where the current precision does not decide. The shift is at most high - low.
        """

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
        t, missed = self.last_above(shift, limit)
        likely = self.at_most(t)
        if likely < LEAST_HELD / 4:  # too small to be held, and delta is no larger
            return likely
        return likely - limit.ball() * self.at_most(t - shift) + missed

    def exactly(self, shift: int, limit: Limit, bits: int) -> Fraction | None:
        """``excess`` as a rational; None unless it is one of about ``bits`` bits at most."""
        return None


@dataclass(frozen=True, slots=True)
class Truncated(Listed, TailedLaw):
    """The truncated geometric law: P[X = x] in proportion to rho^-|x| for |x| <= bound; a part of sums, too.

    Attributes:
        rho: > 1, exactly as it was given: rational, or e to a rational power.
        bound: >= 0.
    """

    rho: Limit
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
    def deviation(self) -> float:
        """The smaller one of those of the discrete Laplace law and of the uniform law within the bound."""
        return min(laplace_deviation(self.rho), (self.bound + 1) / math.sqrt(3))

    def at_most(self, t: int) -> arb:
        """A quotient of geometric sums, none of them a difference of nearly equal numbers."""
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
        """See ``Values``; only for rational rho."""
        if self.rho.lam is None:
            return None
        a, b = self.rho.lam.as_integer_ratio()
        if (2 * self.bound + 1) * (self.bound + 1) * a.bit_length() > bits:
            return None
        weights = tuple(b ** abs(x) * a ** (self.bound - abs(x)) for x in range(-self.bound, self.bound + 1))
        return Pmf(weights=weights, denominator=sum(weights))

    def last_above(self, shift: int, limit: Limit) -> tuple[int, arb]:
        """By exact comparisons of powers."""
        everywhere = min(shift - self.bound - 1, self.bound)  # f(s - c) = 0 up to here
        turn = _turn(self.rho, shift, limit)
        return (everywhere if turn is None else min(max(everywhere, turn), self.bound)), arb(0)

    def _masses(self) -> list[arb]:
        decay = self.rho.log_ball()
        return [(-abs(x) * decay).exp() for x in range(-self.bound, self.bound + 1)]

    def _logs(self) -> list[tuple[int, float]]:
        decay = self.rho.steer()
        logs = [(x, -abs(x) * decay) for x in range(-self.bound, self.bound + 1)]
        whole = moments(logs, 0.0).growth
        return [(x, log - whole) for x, log in logs]


@dataclass(frozen=True, slots=True)
class LaplaceLaw(TailedLaw):
    """P[X = x] in proportion to rho^-|x| on all integers.

    Attributes:
        rho: > 1, exactly as it was given: rational, or e to a rational power.
    """

    rho: Limit

    @property
    def decay(self) -> Limit:
        """Rho."""
        return self.rho

    @property
    def deviation(self) -> float:
        """See ``laplace_deviation``."""
        return laplace_deviation(self.rho)

    @property
    def guard_bits(self) -> int:
        """Guard bits of 1 - 1/rho where rho is next to 1."""
        return 16 + math.ceil(self.deviation).bit_length()

    def at_most(self, t: int) -> arb:
        """A geometric series."""
        if t >= 0:
            return 1 - self.at_most(-t - 1)
        decay = self.rho.log_ball()
        return (t * decay).exp() / (1 + (-decay).exp())

    def last_above(self, shift: int, limit: Limit) -> tuple[int, arb]:
        """By exact comparisons of powers; some ratio must be above lambda."""
        turn = _turn(self.rho, shift, limit)
        return (0 if turn is None else turn), arb(0)

    def exactly(self, shift: int, limit: Limit, bits: int) -> Fraction | None:
        """See ``TailedLaw``; only for rational rho and lambda."""
        if self.rho.lam is None or limit.lam is None:
            return None
        t, a = self.last_above(shift, limit)[0], 1 / self.rho.lam
        if (abs(t) + shift) * a.denominator.bit_length() > bits:
            return None

        def at_most(place: int) -> Fraction:
            return 1 - at_most(-place - 1) if place >= 0 else a**-place / (1 + a)

        return at_most(t) - limit.lam * at_most(t - shift)


def laplace_deviation(rho: Limit) -> float:
    """The standard deviation of discrete Laplace noise, sqrt(2 a)/(1 - a) with a = 1/rho."""
    return math.sqrt(2) / (2 * math.sinh(min(max(rho.steer(), 1e-300), LARGEST_EXPONENT) / 2))


def _turn(rho: Limit, shift: int, limit: Limit) -> int | None:
    """The last s with rho^(|s - c| - |s|) > lambda; the exponent is c for s <= 0, c - 2s up to s = c, and -c beyond."""
    if not limit.below_power(rho, shift):
        return None
    # rho^high > lambda >= rho^(high - 1), so that the last s is the largest with c - 2s >= high
    high = last_where(lambda power: not limit.below_power(rho, power), 1, shift - 1) + 1
    return (shift - high) // 2


#: Any law of a noise.
Law: TypeAlias = Finite | TailedLaw
