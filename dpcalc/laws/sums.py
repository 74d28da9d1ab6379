r"""The law of a sum of independent log-concave parts: tails and divergences, by the sums on a circle (``laws.circle``).

Parts of one kind are merged first. Coins of one probability, Poisson numbers of one sign, and negative binomials of one
ratio and sign sum to one part of their kind. The difference of two negative binomials of shape 1 is discrete Laplace. A
sum of log-concave parts is log-concave (proof notes, N9). A negative binomial is log-concave from shape 1 on; of those
with smaller shapes only the difference of two alike has a law here.

With the kernel 1 - lambda z^c the circle tells h_t = F(t) - lambda F(t - c) and the differences d_t = h_t - h_{t-1}.
For log-concave f delta is h_t at the last t with d_t > 0 (``laws.threshold``).

Source: proof notes, N10.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, reduce

from flint import arb, fmpz_poly

from dpcalc.errors import DomainError
from dpcalc.laws.circle import UNIT_KERNEL, Term, at_most
from dpcalc.laws.log_concavity import log_concavity
from dpcalc.laws.parts import Coins, Finite, Law, NegativeBinomialPart, Part, RandomInteger, SumOfParts, TailedLaw
from dpcalc.laws.pmf import Pmf
from dpcalc.laws.shares import SharesLaw
from dpcalc.laws.symmetric import LaplaceLaw, Truncated
from dpcalc.laws.threshold import OnCircles
from dpcalc.numbers.limit import Limit

_LOG_CONCAVE = "noise that is log-concave: negative binomial of shapes from 1 on, or the difference of two alike alone"


@dataclass(frozen=True, slots=True)
class SumLaw(SumOfParts, TailedLaw):
    """The sum of independent parts, each of them log-concave."""

    parts: tuple[Part, ...] = field()

    @property
    def mirror(self) -> SumLaw:
        """The sum of the mirrored parts."""
        return SumLaw(tuple(part.mirror for part in self.parts))

    @property
    def symmetric(self) -> bool:
        """Whether the mirrored parts are the same, or moved."""
        own, mirrored = (Counter(part.unmoved for part in parts) for parts in (self.parts, self.mirror.parts))
        return own == mirrored

    @property
    def decay(self) -> Limit | None:
        """The least rho of the negative binomials with sign -1: it governs the left tail."""
        rates = [part.rho for part in self.parts if isinstance(part, NegativeBinomialPart) and part.sign < 0]
        return reduce(lambda least, one: one if one.below_power(least, 1) else least, rates) if rates else None

    @property
    def deviation(self) -> float:
        """From the sum of the parts' variances."""
        return math.sqrt(self.tilt.variance(0.0))

    def table(self, bits: int) -> Pmf | None:
        """The product of the parts' pmfs, where all parts are short lists or coins."""
        weights, whole = fmpz_poly([1]), 1
        size = sum(math.inf if part.high is None or part.low is None else part.high - part.low for part in self.parts)
        if size**2 > bits:
            return None
        for part in self.parts:
            if (one := part.table(bits)) is None:
                return None
            weights, whole = weights * fmpz_poly(list(one.weights)), whole * one.denominator
            if whole.bit_length() * size > bits:
                return None
        return Pmf(weights=tuple(map(int, weights.coeffs())), denominator=whole)

    def first_masses(self, count: int, bits: int) -> list[Fraction] | None:
        """See ``RandomInteger``; of one part by its formula."""
        first, *rest = self.parts
        return RandomInteger.first_masses(self, count, bits) if rest else first.first_masses(count, bits)

    def at_most(self, t: int) -> arb:
        """From the smaller tail."""
        return self.all_at_most([t])[0]

    def all_at_most(self, places: Sequence[int]) -> list[arb]:
        """Those near each other from one circle."""
        inner = [t for t in places if (self.low is None or t >= self.low) and (self.high is None or t < self.high)]
        found = {t: one for t, (one,) in zip(inner, at_most(self, [UNIT_KERNEL[0].law], inner), strict=True)}
        return [found[t] if t in found else arb(int(self.high is not None and t >= self.high)) for t in places]

    def search(self, shift: int, limit: Limit) -> OnCircles:
        """On the circle; lambda z^shift is 1 where z is e^(-epsilon/shift)."""
        kernel = [*UNIT_KERNEL, Term(lambda: -limit.ball(), Coins(0, Fraction(1), shift))]
        return OnCircles(self, kernel, limit, -limit.steer() / shift, self.places(shift, limit))


def together(parts: Iterable[Part]) -> Law:
    """The law of the sum of independent parts, in its simplest form.

    Raises:
        DomainError: it is not known to be log-concave, and has no law of its own.
    """
    merged = _merged(parts)
    match merged:
        case [Truncated() | Finite() as one]:
            return one
        case [NegativeBinomialPart() as one, NegativeBinomialPart() as other] if one.sign == 1 and other == one.mirror:
            return LaplaceLaw(one.rho) if one.shape == 1 else SharesLaw(one.shape, one.rho)
    return _sum(tuple(merged))


@lru_cache(maxsize=16)
def _sum(parts: tuple[Part, ...]) -> SumLaw:
    for part in parts:
        if isinstance(part, NegativeBinomialPart) and part.shape < 1:
            raise DomainError("noise", f"a part of shape {part.shape}", _LOG_CONCAVE)
        if isinstance(part, Finite) and not log_concavity(part.pmf):
            raise DomainError("noise", f"a list of {len(part.pmf)} masses in a sum", "a log-concave list")
    return SumLaw(parts)


def _merged(parts: Iterable[Part]) -> list[Part]:
    merged: list[Part] = []
    for part in parts:
        for i, before in enumerate(merged):
            if (both := before.plus(part)) is not None:
                merged[i] = both
                break
        else:
            merged.append(part)
    return merged
