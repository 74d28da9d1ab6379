r"""The ratio limit lambda = e^epsilon, as it was given: a rational lambda, or the exponential of a rational epsilon.

A rational lambda keeps every answer rational. e^epsilon is transcendental for rational epsilon != 0, so that comparing
it with a rational always ends.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from dpcalc.errors import DomainError
from dpcalc.numbers.ball import ball, decide
from dpcalc.numbers.enclosure import decimal
from dpcalc.numbers.rational import Number, ratio_limit, rational

__all__ = ["MAX_EPSILON", "RatioLimit"]

MAX_EPSILON = 10**6  #: the largest epsilon taken or searched


@dataclass(frozen=True, slots=True)
class RatioLimit:
    """The limit on a privacy ratio; exactly one of the two is set.

    Attributes:
        lam: lambda, a rational >= 1 (1 stands for epsilon = 0).
        epsilon: its logarithm, a rational > 0.
    """

    lam: Fraction | None
    epsilon: Fraction | None

    @classmethod
    def of(cls, *, lam: Number | None = None, epsilon: Number | None = None) -> RatioLimit:
        """The limit a caller gave.

        Raises:
            DomainError: none or both are given; lam <= 1; epsilon < 0 or above a million.

        >>> RatioLimit.of(lam=2)
        RatioLimit(lam=Fraction(2, 1), epsilon=None)
        """
        if (lam is None) == (epsilon is None):
            raise DomainError("lam, epsilon", (lam, epsilon), "exactly one of lam = e^epsilon and epsilon")
        if lam is not None:
            return cls(ratio_limit(lam), None)
        allowed = f"a number with 0 <= epsilon <= {MAX_EPSILON:,}"
        exponent = rational(epsilon, "epsilon", allowed)
        if not 0 <= exponent <= MAX_EPSILON:
            raise DomainError("epsilon", epsilon, allowed)
        return cls(Fraction(1), None) if exponent == 0 else cls(None, exponent)

    @property
    def excess(self) -> Fraction:
        """Lambda - 1, or epsilon, which is below it: how narrow an enclosure of lambda has to be to stay above 1."""
        return self.epsilon if self.lam is None and self.epsilon is not None else (self.lam or Fraction(1)) - 1

    def ball(self) -> arb:
        """Lambda at the current precision."""
        return ball(self.lam) if self.lam is not None else ball(self.epsilon or Fraction(0)).exp()

    def allows(self, ratio: Fraction) -> bool:
        """Whether ratio <= lambda, exactly."""
        if self.lam is not None:
            return ratio <= self.lam
        return decide(lambda: self.ball() - ball(ratio))

    def allows_power(self, base: Fraction, power: int) -> bool:
        """Whether base^power <= lambda, from logarithms where the power is longer than any lambda that may equal it."""
        if self.lam == 1:
            return base <= 1
        longest = self.lam.numerator.bit_length() if self.lam is not None else 0
        if power * (base.numerator.bit_length() - 1) <= longest:
            return self.allows(base**power)
        return decide(lambda: self.ball().log() - power * ball(base).log())

    def steer(self) -> float:
        """Epsilon as a float, for steering only."""
        if self.epsilon is not None:
            return float(self.epsilon)
        excess = self.lam - 1 if self.lam is not None else Fraction(0)
        if excess < 1:
            return math.log1p(float(excess))
        return math.log(excess.numerator + excess.denominator) - math.log(excess.denominator)

    def __str__(self) -> str:
        if self.lam is not None:
            return f"lambda = {_written(self.lam)}"
        return f"epsilon = {_written(self.epsilon or Fraction(0))}"


def _written(x: Fraction) -> str:
    text = decimal(x, x, 20)
    return str(x) if "..." in text else text
