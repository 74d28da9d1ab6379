r"""The law of an integer noise X that is added to a count: where it lies, its tails, and its likelihood ratios.

Where the pmf f is log-concave, the likelihood ratio f(s)/f(s - c) falls in s for every shift c > 0. It is infinite
where f(s - c) = 0 < f(s), and 0 where f(s) = 0. ``last_above`` is the last s with a ratio above lambda. The laws are in
``symmetric``, ``shares`` and ``sums``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from flint import arb

from dpcalc.laws.parts import Finite, RandomInteger
from dpcalc.numbers.ball import LEAST_HELD
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit


class TailedLaw(RandomInteger, ABC):
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


#: Any law of a noise.
Law: TypeAlias = Finite | TailedLaw
