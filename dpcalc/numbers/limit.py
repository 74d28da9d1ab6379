r"""The ratio limit lambda = e^epsilon >= 1, exactly as it was given: a rational lambda, or a rational epsilon.

A rational lambda keeps every answer rational. e^epsilon is transcendental for rational epsilon != 0, so that comparing
it with a rational always ends. epsilon = 0 is lambda = 1.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from flint import arb, fmpq

from dpcalc.errors import DomainError
from dpcalc.numbers.ball import ball, decide, dyadic, working_precision
from dpcalc.numbers.decimal import decimal
from dpcalc.numbers.elementary import FINE, exp, log, root
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.rational import Number, at_least, between, ranged, rational

#: The largest epsilon taken or searched.
MAX_EPSILON = 10**6
_ENDS_BITS = 136
_SHOWN, _LONGEST = 20, 40  # digits up to which a limit is shown as a decimal, and characters as a fraction
_LOGARITHM = re.compile(r"\s*ln\s*\(([^()]+)\)\s*")
_EPSILONS = f"a number with 0 <= epsilon <= {MAX_EPSILON:,}, such as 0.5 or ln(2)"


def target_delta(delta: Number) -> Fraction:
    """A target for delta, strictly between 0 and 1."""
    return between(delta, "delta", 0, 1, "a probability")


def allowed_delta(delta: Number) -> Fraction:
    """A budget for delta, from 0 on and below 1."""
    return ranged(delta, "delta", "a probability", 0, 1, "[)")


@dataclass(frozen=True, slots=True)
class Limit:
    """The limit on a privacy ratio: one value, and whether it is lambda or its logarithm.

    Attributes:
        given: lambda >= 1, or epsilon > 0.
        logarithmic: whether ``given`` is epsilon.
    """

    given: Fraction
    logarithmic: bool = False

    @classmethod
    def of(cls, *, lam: Number | None = None, epsilon: Number | None = None) -> Limit:
        """The limit a caller gave.

        Raises:
            DomainError: none or both are given; lam < 1; epsilon < 0 or above a million (``"ln(2)"`` is lam = 2).

        >>> Limit.of(epsilon="ln(2)") == Limit.of(lam=2)
        True
        >>> Limit.of(lam=2), Limit.of(epsilon=0)
        (Limit(given=Fraction(2, 1), logarithmic=False), Limit(given=Fraction(1, 1), logarithmic=False))
        """
        if (lam is None) == (epsilon is None):
            given = ... if lam is None else (lam, epsilon)
            raise DomainError("lam, epsilon", given, "exactly one of lam = e^epsilon and epsilon")
        if lam is not None:
            return cls(at_least(lam, "lam", 1, "a ratio limit"))
        if isinstance(epsilon, str) and (logarithm := _LOGARITHM.fullmatch(epsilon)):
            ratio = rational(logarithm[1], "epsilon", _EPSILONS)
            if ratio < 1:
                raise DomainError("epsilon", epsilon, _EPSILONS)
            return cls(ratio)
        exponent = rational(epsilon, "epsilon", _EPSILONS)
        if exponent.numerator < 0 or exponent > MAX_EPSILON:
            raise DomainError("epsilon", epsilon, _EPSILONS)
        return cls.exp(exponent)

    @classmethod
    def above_one(cls, *, lam: Number | None = None, epsilon: Number | None = None) -> Limit:
        """The limit of a bound on every ratio, which must be above 1: no noise brings every ratio to 1.

        Raises:
            DomainError: as ``of``; and lam = 1 or epsilon = 0.
        """
        limit = cls.of(lam=lam, epsilon=epsilon)
        if limit.lam == 1:
            name, value, least = ("epsilon", epsilon, 0) if lam is None else ("lam", lam, 1)
            raise DomainError(name, value, f"a number > {least} for a bound on ratios")
        return limit

    @classmethod
    def exp(cls, epsilon: Fraction) -> Limit:
        """e^epsilon for a rational epsilon >= 0, which is not checked."""
        return cls(epsilon, logarithmic=True) if epsilon else cls(Fraction(1))

    @property
    def lam(self) -> Fraction | None:
        """Lambda where it is rational."""
        return None if self.logarithmic else self.given

    @property
    def argument(self) -> dict[str, Fraction]:
        """The keyword argument that gives this limit again.

        >>> Limit.of(epsilon="0.5").argument
        {'epsilon': Fraction(1, 2)}
        """
        return {"epsilon" if self.logarithmic else "lam": self.given}

    @property
    def epsilon(self) -> Enclosure:
        """Epsilon: itself where it was given."""
        return Enclosure.of(self.given) if self.logarithmic else log(self.given)

    @property
    def excess(self) -> Fraction:
        """Lambda - 1, or epsilon, which is less: an enclosure of lambda that is narrower stays above 1."""
        return self.given if self.logarithmic else self.given - 1

    @property
    def ends(self) -> Enclosure:
        """Lambda between rationals >= 1 that are 2^-136 apart, about 1e-41; exact where it is rational."""
        return self.ends_to(_ENDS_BITS)

    def ends_to(self, bits: int) -> Enclosure:
        """Lambda between neighbouring multiples of 2^-bits; exact where it is rational."""
        return _power(*self.given.as_integer_ratio(), bits) if self.logarithmic else Enclosure.of(self.given)

    def ball(self) -> arb:
        """Lambda at the current precision."""
        return ball(self.given).exp() if self.logarithmic else ball(self.given)

    def log_ball(self) -> arb:
        """Epsilon at the current precision, with all its digits next to 0."""
        return ball(self.given) if self.logarithmic else ball(self.given - 1).log1p()

    def root(self, power: int, rtol: Fraction = FINE) -> Enclosure:
        """lambda^(1/power), by far narrower than its distance from 1."""
        width = rtol * min(Fraction(1), self.excess / power)
        return exp(self.given / power, rtol=width) if self.logarithmic else root(self.given, power, rtol=width)

    def allows(self, ratio: Fraction) -> bool:
        """Whether ratio <= lambda, exactly."""
        return decide(lambda: self.ball() - ball(ratio)) if self.logarithmic else ratio <= self.given

    def allows_power(self, base: Fraction, power: int) -> bool:
        """Whether base^power <= lambda; by logarithms where base^power is too long to equal lambda."""
        if self.lam == 1:
            return base <= 1
        longest = 0 if self.logarithmic else self.given.numerator.bit_length()
        if power * (base.numerator.bit_length() - 1) <= longest:
            return self.allows(base**power)
        return decide(lambda: self.log_ball() - power * ball(base).log())

    def below_power(self, rho: Limit, power: int) -> bool:
        """Whether rho^power > lambda, exactly, for rho > 1 and power > 0."""
        if not rho.logarithmic:
            return not self.allows_power(rho.given, power)
        if self.logarithmic:
            return power * rho.given > self.given
        return self.lam == 1 or decide(lambda: power * rho.log_ball() - self.log_ball())

    def steer(self) -> float:
        """Epsilon as a float, for steering only."""
        if self.logarithmic:
            return self.given.numerator / self.given.denominator
        if self.excess < 1:
            return math.log1p(float(self.excess))
        return math.log(self.given.numerator) - math.log(self.given.denominator)

    def __str__(self) -> str:
        text = decimal(self.given, self.given, _SHOWN)
        exact = str(self.given)
        written = exact if "..." in text and len(exact) <= _LONGEST else text
        return f"{'epsilon' if self.logarithmic else 'lambda'} = {written}"


@lru_cache(maxsize=64)
def _power(numerator: int, denominator: int, bits: int) -> Enclosure:
    """``ends_to`` for lambda = e^epsilon; the cache is keyed by integers, which hash faster than fractions."""
    with working_precision(bits + 3 * (numerator // denominator + 1) // 2 + 40):
        whole = arb(fmpq(numerator, denominator)).exp() * (1 << bits)
        ends = [tuple(map(int, end.man_exp())) for end in (whole.lower().floor(), whole.upper().ceil())]
    low, high = (dyadic(mantissa, exponent - bits) for mantissa, exponent in ends)
    return Enclosure.trusted(max(low, Fraction(1)), high)  # lambda > 1
