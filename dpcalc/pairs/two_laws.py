r"""Two laws of one count whose likelihood ratio grows, and their divergence by tilted inversion, at any size.

Beside the pool of the others, k reports are 1 with probability x_0 under P_0 and x_1 > x_0 under P_1 (either may be 0
or 1: no report at all, or one that is sure). For lambda >= 1,

    delta = sum_t [d_t]_+ = max_t h_t,    d_t = P_0(t) - lambda P_1(t),    h_t = d_0 + ... + d_t,

as d_t changes sign once, from + to - (proof notes, 1.3 and 11.3). h_t comes from tilted Fourier inversion, together
with proofs that d_t > 0 and d_{t+1} < 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from typing import ClassVar

from flint import arb

from dpcalc.laws.circle import Term
from dpcalc.laws.pool import Pool
from dpcalc.laws.threshold import Threshold
from dpcalc.laws.tilt import Tilt
from dpcalc.numbers.ball import FAINT, MAX_EXPONENT, ball, bits_for, enclosure_of, refine, working_precision
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import logarithm, steer
from dpcalc.pairs.threshold import halvings

_FAR_APART = 8  # standard deviations between the two laws beyond which each is inverted by itself
_ALIKE = 1e-2  # nats: the place where both laws are as likely is sought to this


@dataclass(frozen=True, slots=True)
class Laws:
    """P_0 and P_1.

    Attributes:
        others: the reports of the others.
        own: x_0 < x_1.
        k: how many reports have them.
    """

    others: Pool
    own: tuple[Fraction, Fraction]
    k: int

    most_exact_bits: ClassVar[int] = 1 << 24  #: size of a pmf up to which a rational lambda gives a rational delta

    @property
    def zero(self) -> Pool:
        """What is added under P_0."""
        return Pool.of((self.own[0], self.k))

    @property
    def one(self) -> Pool:
        """What is added under P_1."""
        return Pool.of((self.own[1], self.k))

    @property
    def reports(self) -> int:
        """All pooled reports."""
        return self.others.size + self.k

    @classmethod
    def added(cls, others: Pool, a: Fraction, k: int, present: bool) -> Laws:
        """The count with one record and without it, as where n is hidden.

        S counts the others' reports and R the record's. P(S + R = i) / P(S = i) grows with i, as S is log-concave and
        R >= 0. It grows without bound: S + R may exceed all that S can be, so that delta of S + R over S never falls to
        0. Adding a report to both pools is post-processing: boxes of datasets are bounded as for a changed record.

        Args:
            others: the reports of the others.
            a: a report of the record is 1 with this probability.
            k: how many reports it adds.
            present: whether the event is likelier with the record: P_0 and P_1 count the zeros of S + R, and of S and
                k zeros more; else the ones of S and of S + R.
        """
        return cls(others.flipped, (1 - a, Fraction(1)), k) if present else cls(others, (Fraction(0), a), k)

    def kept_within(self, limit: Limit) -> bool:
        """Whether no outcome shows a ratio above lambda: the largest is P_0/P_1 at S = 0, where the others cancel."""
        low, high = self.own
        return high < 1 and limit.allows_power((1 - low) / (1 - high), self.k)

    def tilt(self, limit: Limit) -> float:
        """Under which tilt the two laws differ by lambda, whatever the others are; for steering only."""
        return saddle(self.own, self.k, limit)

    def apart(self, limit: Limit) -> float:
        """How many standard deviations lie between the two laws under that tilt; for steering only."""
        theta = self.tilt(limit)
        zero, one = (own.tilt for own in (self.zero, self.one))
        spread = self.others.tilt.variance(theta) + (zero.variance(theta) + one.variance(theta)) / 2
        return (one.mean(theta) - zero.mean(theta)) / math.sqrt(max(spread, 1e-300))

    def kernel(self, limit: Limit) -> list[Term]:
        """What is added under P_0 and, weighed by -lambda, under P_1."""
        return [Term(lambda: arb(1), self.zero), Term(lambda: -limit.ball(), self.one)]

    @property
    def cancelled(self) -> int:
        """Bits lost between the two terms of the kernel, which are equal where x_0 = x_1."""
        return bits_for(self.own[1] - self.own[0])

    @property
    def exact_bits(self) -> int:
        """Bits of the exact pmf of either law, about."""
        return max((self.others + own).pmf_bits for own in (self.zero, self.one))

    @property
    def exact_fits(self) -> bool:
        """Whether the exact pmf is small enough to be worth having."""
        return self.exact_bits <= self.most_exact_bits

    def divergence(self, limit: Limit, *, rtol: Fraction) -> Enclosure:
        """delta: exact for a rational lambda if the pmf is small, else to relative width ``rtol``.

        Raises:
            Undecided: rtol is beyond reach.
            TooLarge: delta is below 2^-1,000,000, about 1e-301,030.
        """
        if limit.lam is not None and self.exact_fits:
            return Enclosure.of(Fraction(0) if self.kept_within(limit) else self.exact(limit.lam))
        return self.enclosed(limit, rtol=rtol)

    def enclosed(self, limit: Limit, *, rtol: Fraction) -> Enclosure:
        """delta to relative width ``rtol``, for any size; raises as ``divergence``."""
        return self.inverted(limit, rtol=rtol)

    def exact(self, lam: Fraction) -> Fraction:
        """delta for a rational lambda as a rational, summed over every outcome."""
        return Fraction(*self.exact_parts(lam))

    def exact_parts(self, lam: Fraction) -> tuple[int, int]:
        """Numerator and denominator of ``exact``, not reduced: the denominator is the same for every dataset."""
        without, with_one = ((self.others + own).pmf() for own in (self.zero, self.one))
        whole = math.lcm(without.denominator, with_one.denominator)
        a, b = lam.numerator * (whole // with_one.denominator), lam.denominator * (whole // without.denominator)
        pairs = zip_longest(without.weights, with_one.weights, fillvalue=0)
        positive = sum(max(0, b * likely - a * unlikely) for likely, unlikely in pairs)
        return positive, lam.denominator * whole

    def inverted(self, limit: Limit, *, rtol: Fraction) -> Enclosure:
        """delta to relative width ``rtol``; ``FAINT`` where it is below 2^-1,000,000, about 1e-301,030.

        Raises:
            Undecided: rtol is beyond reach.
        """
        if self.kept_within(limit):
            return Enclosure.of(0)
        if halvings(self.others.kinds, self.own, self.k, limit, self.tilt(limit)) > MAX_EXPONENT:
            return FAINT
        search = self.search(limit)
        start = bits_for(rtol) + self.others.guard_bits + self.reports.bit_length() // 2 + self.cancelled + 20
        with working_precision(start):  # laws so far apart that any t between them will do
            near = 1 - search.beyond()
            if near >= 1 - ball(rtol) / 2:
                return Enclosure(enclosure_of(near).lower, Fraction(1))
        found = refine(search.divergence, rtol=rtol, start=start)
        return Enclosure(max(found.lower, Fraction(0)), min(found.upper, Fraction(1)))

    def search(self, limit: Limit) -> Threshold:
        """For the last t with d_t > 0."""
        theta, terms = self.tilt(limit), self.kernel(limit)
        steps = [own.tilt.mean(theta) for own in (self.zero, self.one)]
        # One circle for two laws that lie far apart loses many digits: the integrands are far larger than
        # their integrals. A circle for each law loses few, as P_0 and lambda P_1 then have unlike tails.
        far = self.apart(limit) > _FAR_APART
        middle = self.others.tilt.mean(theta) + sum(steps) / 2
        if far:
            middle = self._between(limit, middle, steps[1] - steps[0])
        kernels, deviation = [[term] for term in terms] if far else [terms], math.sqrt(self.others.tilt.variance(theta))
        return Threshold(self.others, kernels, math.floor(middle), low=0, high=self.reports - 1, deviation=deviation)

    def _between(self, limit: Limit, middle: float, apart: float) -> float:
        """Where P_0 and lambda P_1 are about as likely, each by its own saddle point, near ``middle``; it steers."""
        zero, one = ((self.others + own).tilt for own in (self.zero, self.one))
        epsilon = limit.steer()

        def gap(x: float) -> float:
            t = middle + x * apart
            return _log_density(zero, t) - _log_density(one, t) - epsilon

        return middle + apart * steer(gap, -1.0, 1.0, start=0.0, tolerance=_ALIKE)


def saddle(own: tuple[Fraction, Fraction], k: int, limit: Limit) -> float:
    """The tilt under which the two laws differ by lambda, whatever the others are; for steering only.

    It is the log of the root y < 1 of the kernel (1 - x_0 + x_0 y)^k = lambda (1 - x_1 + x_1 y)^k, with all its digits
    near y = 0 and near y = 1.
    """
    gap = math.exp(min(logarithm(own[1] - own[0]) - _log_excess(limit, k), 700.0))  # (x_1 - x_0) / (lambda^{1/k} - 1)
    below, above = gap - float(1 - own[1]), gap + float(own[1])
    if gap > 1:
        return math.log1p(-1 / above)
    return math.log(below / above) if below > 0 else -700.0


def _log_excess(limit: Limit, k: int) -> float:
    """Log of lambda^{1/k} - 1, for lambda of any size: where it is too near 1 for a float, e^x - 1 is x."""
    epsilon = limit.steer() / k
    if epsilon > 1e-300:
        return math.log(math.expm1(min(epsilon, 700.0)))
    return logarithm(limit.excess) - math.log(k)


def _log_density(law: Tilt, t: float) -> float:
    """Log of P(S = t), about."""
    theta = law.toward(t)
    return law.exponent(theta, t) - math.log(law.variance(theta) + 1) / 2
