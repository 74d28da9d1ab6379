r"""The law of a sum of independent log-concave parts: tails and divergences, by the sums on a circle (``laws.circle``).

Parts of one kind are merged first. Coins of one probability, Poisson numbers of one sign, and negative binomials of one
ratio and sign sum to one part of their kind. The difference of two negative binomials of shape 1 is discrete Laplace. A
sum of log-concave parts is log-concave (proof notes, N9). A negative binomial is log-concave from shape 1 on; of those
with smaller shapes only the difference of two alike has a law here.

With the kernel 1 - lambda z^c the circle tells h_t = F(t) - lambda F(t - c) and the differences d_t = h_t - h_{t-1}.
For log-concave f delta is h_t at the last t with d_t > 0: the signs of d next to t show which t that is. If one of
these signs is open, delta exceeds h_t by |d| of that place at most.

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
from dpcalc.laws.circle import FAINT_NATS, UNIT_KERNEL, Term, at_most
from dpcalc.laws.log_concavity import log_concavity
from dpcalc.laws.parts import Coins, Finite, Law, NegativeBinomialPart, Part, RandomInteger, SumOfParts, TailedLaw
from dpcalc.laws.pmf import Pmf
from dpcalc.laws.shares import SharesLaw
from dpcalc.laws.symmetric import LaplaceLaw, Truncated
from dpcalc.laws.threshold import Threshold
from dpcalc.numbers.ball import LEAST_HELD
from dpcalc.numbers.limit import Limit

_FARTHEST = 1e6  # the largest tilt
_NEAREST = 0.9  # the search for the last ratio above lambda starts at most so far towards a pole of G
_FAR_APART = 16  # standard deviations between the two laws beyond which each has a circle of its own
_NARROW = 0.25  # the least deviation that counts for this
_STEEP = 50.0  # from this epsilon on each has one too
_STEPS = 60  # of a bisection
_SKEW = 1e-4  # the step of a difference quotient, of the way to a pole or of 1
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

    def last_above(self, shift: int, limit: Limit) -> tuple[int, arb]:
        """By the signs of the d next to t."""
        search, _ = self._search(shift, limit)
        _, missed = search.settled()
        return search.t, missed

    def excess(self, shift: int, limit: Limit) -> arb:
        """h at its largest; where that is too small to be held, the bound P[X <= t]."""
        search, faint = self._search(shift, limit)
        if faint and search.at(search.t).here < 0:
            likely = self.at_most(search.t)
            if likely < LEAST_HELD / 4:  # and delta is no larger
                return likely
        return search.divergence()

    def _search(self, shift: int, limit: Limit) -> tuple[Threshold, bool]:
        """For the last t with a ratio above lambda; and whether P[X <= t] seems too small to be held."""
        low = -math.inf if self.low is None else self.low + shift - 1  # up to here every loss is infinite
        high, (t, faint) = math.inf if self.high is None else self.high, self._near(shift, limit)
        kernels = _kernels(self, shift, limit)
        return Threshold(self, kernels, t, low=low, high=high, deviation=self.deviation), faint

    def _near(self, shift: int, limit: Limit) -> tuple[int, bool]:
        """About the last t with a ratio above lambda, and whether P[X <= t] seems too small to be held."""
        theta = max(-limit.steer() / shift, _NEAREST * self.tilt.ends[0], -_FARTHEST)  # nearer the mean is far out
        faint = self._rate(theta) > FAINT_NATS
        if faint:  # a bisection: the rate may grow too fast for secants
            near, far = 0.0, theta
            for _ in range(_STEPS):
                middle = (near + far) / 2
                near, far = (near, middle) if self._rate(middle) > FAINT_NATS else (middle, far)
            theta = far
        _, mean, variance = self.tilt.at(theta)
        step = _SKEW * min(1.0, *(abs(end - theta) for end in self.tilt.ends))
        before, after = (self.tilt.variance(theta + side * step) for side in (-1, 1))
        skew = (after - before) / (2 * step * variance) if variance > 1 else 0.0  # the mode is half of it off the mean
        return math.floor(mean + (shift - skew) / 2), faint

    def _rate(self, theta: float) -> float:
        """About -log P[X <= t], t being the mean under this tilt."""
        growth, mean, _ = self.tilt.at(theta)
        return theta * mean - growth


def _kernels(law: SumLaw, shift: int, limit: Limit) -> list[list[Term]]:
    """1 - lambda z^c; its terms one by one where the two laws lie far apart, or one far outweighs the other."""
    terms = [*UNIT_KERNEL, Term(lambda: -limit.ball(), Coins(0, Fraction(1), shift))]
    apart = shift > _FAR_APART * max(law.deviation, _NARROW) or limit.steer() > _STEEP
    return [[term] for term in terms] if apart else [terms]


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
