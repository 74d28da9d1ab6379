r"""The privacy profile of one dataset: delta(eps), the hockey-stick divergence of the pooled count.

The other n - 1 records hold ``ones`` ones; the changed record is 0 under P_0 and 1 under P_1. With lambda = e^eps,

    delta = sum_i [P_0(S = i) - lambda P_1(S = i)]_+ = max_t h_t,    h_t = P_0(S <= t) - lambda P_1(S <= t).

The likelihood ratio P_1(S = i) / P_0(S = i) grows with i (a two-point mixture convolved with a log-concave sequence),
so d_i = P_0(i) - lambda P_1(i) changes sign once, from + to -, and the maximum is h_t at the last t with d_t > 0. The
other direction, P_1 over P_0, equals this one with n - 1 - ones ones (flip every bit).

Exact for a rational lambda where the pmf is small; otherwise h_t comes from tilted Fourier inversion, together with
proofs that d_t > 0 and d_{t+1} < 0.

Source: K16, section 4.2, for the pmf.
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from flint import arb

from dpcalc.counts.envelope import Centre
from dpcalc.counts.inversion import Coefficients, Factor, Term, chernoff, guard_bits, invert
from dpcalc.counts.pmf import coefficients
from dpcalc.counts.tilt import Tilt
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.ball import ball, bits_for, enclosure_of, refine, working_precision
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import logarithm

__all__ = ["Composition", "centre", "divergence", "exact_divergence", "exact_fits", "exact_size", "kernel"]

_EXACT_BITS = 1 << 27  # size of a pmf up to which a rational lambda gives a rational delta
_FAR_APART = 8  # standard deviations between two pools from which on each is inverted by itself


@dataclass(frozen=True, slots=True)
class Composition:
    """The records beside the changed one: ``ones`` hold 1, ``zeros`` hold 0, all randomized k times with q."""

    q: Fraction
    k: int
    ones: int
    zeros: int

    @classmethod
    def of(cls, mechanism: KRandomization, ones: int) -> Composition:
        """The composition of the other n - 1 records of a mechanism."""
        return cls(mechanism.q, mechanism.k, ones, mechanism.n - 1 - ones)

    @property
    def factors(self) -> list[Factor]:
        """The generating function of their reports."""
        return [(1 - self.q, self.k * self.ones), (self.q, self.k * self.zeros)]

    @property
    def reports(self) -> int:
        """Pooled reports, those of the changed record included."""
        return self.k * (self.ones + self.zeros + 1)


def exact_fits(pool: Composition | KRandomization) -> bool:
    """Whether the exact pmf of the pooled count is small enough to be worth having."""
    return exact_size(pool) <= _EXACT_BITS


def exact_size(pool: Composition | KRandomization) -> int:
    """Bits of the exact pmf of the pooled count."""
    return (pool.reports + 1) * pool.reports * pool.q.denominator.bit_length()


def divergence(others: Composition, limit: Limit, *, rtol: Fraction, exact: bool = True) -> Enclosure:
    """max_t P_0(S <= t) - lambda P_1(S <= t): exact if it may and fits, else to relative width ``rtol``.

    Raises:
        Undecided: rtol is beyond reach.
        TooLarge: delta is below 2^-1,000,000, about 1e-301,030.
    """
    if limit.allows_power((1 - others.q) / others.q, others.k):
        return Enclosure.of(0)
    if exact and limit.lam is not None and exact_fits(others):
        return Enclosure.of(exact_divergence(others, limit.lam))
    search = _Threshold(others, limit)
    cancelled = bits_for(1 - 2 * others.q)  # the two terms of the kernel are equal at q = 1/2
    start = bits_for(rtol) + guard_bits(search.factors) + others.reports.bit_length() // 2 + cancelled + 20
    with working_precision(start):  # pools so far apart that any t between them will do
        near = 1 - search.beyond()
    if near >= 1 - ball(rtol) / 2:
        return Enclosure(enclosure_of(near).lower, Fraction(1))
    found = refine(search.divergence, rtol=rtol, start=start)
    return Enclosure(found.lower, min(found.upper, Fraction(1)))


def exact_divergence(others: Composition, lam: Fraction) -> Fraction:
    """Delta for a rational lambda as a rational, summed over every outcome."""
    without, with_one = (
        coefficients(others.q, others.k * (others.ones + bit), others.k * (others.zeros + 1 - bit)) for bit in (0, 1)
    )
    a, b = lam.numerator, lam.denominator
    pairs = zip(without.weights, with_one.weights, strict=True)
    positive = sum(max(0, b * likely - a * unlikely) for likely, unlikely in pairs)
    return Fraction(positive, b * without.denominator)


def kernel(q: Fraction, k: int, limit: Limit) -> list[Term]:
    """(p + q z)^k - lambda (q + p z)^k, the changed record under P_0 and, weighed, under P_1."""
    return [Term(lambda: arb(1), q, k), Term(lambda: -limit.ball(), 1 - q, k)]


def centre(q: Fraction, k: int, *, ones: float, zeros: float, limit: Limit) -> Centre:
    """Where the tilted pools with the record 0 and 1 differ by lambda: the saddle point, for steering only.

    The counts of the other records may be fractional: the middle of a range of compositions.
    """
    theta = _root(q, k, limit)
    return Centre(_pool(q, k, ones, zeros).mean(theta), theta)


def _root(q: Fraction, k: int, limit: Limit) -> float:
    """Log of the root y of the kernel, with all its digits near y = 0 and near y = 1."""
    gap = math.exp(min(logarithm(1 - 2 * q) - _log_excess(limit, k), 700.0))  # (p - q) / (lambda^{1/k} - 1)
    below, above = gap - float(q), gap + float(1 - q)
    if gap > 1:
        return math.log1p(-1 / above)
    return math.log(below / above) if below > 0 else -700.0


def _log_excess(limit: Limit, k: int) -> float:
    """Log of lambda^{1/k} - 1, for lambda of any size: where it is too near 1 for a float, e^x - 1 is x."""
    epsilon = limit.steer() / k
    if epsilon > 1e-300:
        return math.log(math.expm1(min(epsilon, 700.0)))
    return logarithm(limit.excess) - math.log(k)


def _far_apart(others: Composition, theta: float) -> bool:
    """Whether the two tilted pools lie so far apart that no one circle passes near both saddle points.

    On a circle between them all that the integrals exceed their values by is lost to cancellation; on one circle each,
    little is, as P_0 and lambda P_1 then have unlike tails.
    """
    pool = _pool(others.q, others.k, ones=others.ones, zeros=others.zeros)
    record = [Tilt([(a, others.k)]).mean(theta) for a in (others.q, 1 - others.q)]
    return (record[1] - record[0]) ** 2 > _FAR_APART**2 * pool.variance(theta)


def _pool(q: Fraction, k: int, ones: float, zeros: float) -> Tilt:
    """The pooled count, the changed record half way between its two values."""
    return Tilt([(1 - q, k * (ones + 0.5)), (q, k * (zeros + 0.5))])


class _Threshold:
    """The search for the last t with d_t > 0; remembers t while the precision rises."""

    def __init__(self, others: Composition, limit: Limit) -> None:
        self.factors = others.factors
        self._own, self._limit = (others.q, others.k), limit
        self._last = others.reports
        start = centre(others.q, others.k, ones=others.ones, zeros=others.zeros, limit=limit)
        terms = kernel(others.q, others.k, limit)
        self._kernels = [[term] for term in terms] if _far_apart(others, start.theta) else [terms]
        self._t = min(max(0, math.floor(start.t)), self._last - 1)

    def divergence(self) -> arb:
        """An enclosure of delta at the current precision; not finite if it is not settled there."""
        low, high = 0, self._last  # d_low > 0 > d_high: the limit lies below the largest ratio (p/q)^k, at s = 0
        stepped, stride = False, 1
        while True:
            here = self._at(self._t)
            if here.here < 0:
                high = self._t
            elif here.after > 0:
                low = self._t + 1
            elif here.here > 0 or self._t == 0 or stepped:
                return self._settled(here, high)
            else:
                self._t, stepped = self._t - 1, True  # d_t may be 0: look from one below
                continue
            self._t, stride = self._toward(low, high, here, stride), 2 * stride

    def _at(self, t: int) -> Coefficients:
        return reduce(operator.add, (invert(self.factors, terms, t) for terms in self._kernels))

    def _settled(self, here: Coefficients, high: int) -> arb:
        """Delta from h_t where neither d_t < 0 nor d_{t+1} > 0 is proven."""
        if here.here > 0 or self._t == 0:
            if here.after < 0 or self._t + 1 == high:
                return here.cumulative
            beyond = self._at(self._t + 1)
            if beyond.after < 0:  # d_{t+1} may be 0 or have either sign: the maximum is at t or at t + 1
                return here.cumulative + here.after.nonnegative_part()
        return here.cumulative + arb(0, self.beyond().upper()).nonnegative_part()

    def beyond(self) -> arb:
        """A bound of P_0(S > t) + lambda P_1(S <= t), so of 1 - h_t and of delta - h_t.

        Another t' gains at most P_0(t < S <= t') upwards and lambda P_1(t' < S <= t) downwards: where the two pools lie
        far apart, the place of t between them does not matter.
        """
        q, k = self._own
        above = chernoff([*self.factors, (q, k)], self._t + 1, upper=True)
        below = chernoff([*self.factors, (1 - q, k)], self._t, upper=False)
        return above + self._limit.ball() * below

    def _toward(self, low: int, high: int, here: Coefficients, stride: int) -> int:
        """The next t to try, low <= t < high: d crosses 0 almost linearly; doubled strides where it does not.

        Where d falls geometrically, a secant moves by one again and again: after some steps it must keep up.
        """
        drop = here.here - here.after
        steps = float(here.here / drop) if drop > 0 else math.nan  # a quotient of balls: either may overflow a float
        guess = self._t + math.floor(steps) if math.isfinite(steps) else -1
        if not (low <= guess < high and stride <= 16 * abs(guess - self._t) <= 64 * stride):
            guess = self._t - stride if high <= self._t else self._t + stride
        return guess if low <= guess < high else (low + high) // 2
