r"""The two laws of one count between which privacy is measured: a pool, and what the changed record adds to it.

The changed record adds the reports ``zero`` under P_0 and ``one`` under P_1 to those of the others. For lambda >= 1,

    delta = sum_i [P_0(S = i) - lambda P_1(S = i)]_+ = max_t h_t,    h_t = P_0(S <= t) - lambda P_1(S <= t),

the hockey-stick divergence. The likelihood ratio P_1(S = i) / P_0(S = i) must grow with i (proof notes, 1: k reports of
a bit beside any pool of independent reports do so), so that d_i = P_0(i) - lambda P_1(i) changes sign once, from + to
-, and the maximum is h_t at the last t with d_t > 0. For the other direction, P_1 over P_0, take the ``mirror``.

Exact for a rational lambda where the pmf is small; otherwise h_t comes from tilted Fourier inversion, together with
proofs that d_t > 0 and d_{t+1} < 0.

Source: K16, section 4.2, for the pmf.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial, reduce
from itertools import count

from flint import arb

from dpcalc.counts.fixed_point import FixedPoint, fits
from dpcalc.counts.inversion import Coefficients, Term, guard_bits, invert
from dpcalc.counts.pool import Pool
from dpcalc.counts.threshold import halvings
from dpcalc.errors import TooLarge, Undecided
from dpcalc.numbers.ball import MAX_EXPONENT, ball, beyond, bits_for, decide, enclosure_of, refine, working_precision
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import logarithm

__all__ = ["FAINT", "Pair", "saddle"]

#: Holds every delta refused as too small to be held.
FAINT = Enclosure(Fraction(0), Fraction(1, 1 << MAX_EXPONENT - 1))

_EXACT_BITS = 1 << 27  # size of a pmf up to which a rational lambda gives a rational delta
_SPARE_SUM = 10  # bits of integers, beyond the width asked for: sums of thousands of terms
_SPARE_BITS = 50 + _SPARE_SUM  # and a delta of 1e-12, where it is not known
_SHORT_BITS = 160  # where these are worth their time, fewer are quicker than a pass of doubles
_WORD = 32  # bits that precisions are a multiple of: few are kept of one pair
_STEEPEST = 600  # the largest epsilon for which integers are tried
_DECIDED = 8  # times the bits that d_s mostly takes, up to which it is compared with 0
_DOUBLINGS = 4  # precisions tried: a delta of 1e-200, or a target next to the total variation
_TAILS_ONLY = 30  # standard deviations from which on only tails lie between the two, and their middle says nothing
_FAR_APART = 8  # standard deviations between the two laws from which on each is inverted by itself


@dataclass(frozen=True)
class Pair:
    """P_0 and P_1: the pool of the others with the changed record's reports.

    It keeps the integers that it was counted in: a further limit or target costs a look-up only.

    Attributes:
        others: the reports of the others.
        q, k: the changed record adds k reports that are 1 with probability q under P_0 and 1 - q under P_1.
    """

    others: Pool
    q: Fraction
    k: int

    @property
    def zero(self) -> Pool:
        """What the changed record adds under P_0."""
        return Pool.of((self.q, self.k))

    @property
    def one(self) -> Pool:
        """What it adds under P_1."""
        return Pool.of((1 - self.q, self.k))

    @property
    def own(self) -> tuple[Fraction, Fraction]:
        """The probability that one of the changed record's reports is 1, under P_0 and under P_1."""
        return self.q, 1 - self.q

    @property
    def mirror(self) -> Pair:
        """The pair of the counts of zeros: its P_0 is this one's P_1."""
        return Pair(self.others.flipped, self.q, self.k)

    @property
    def reports(self) -> int:
        """Pooled reports, those of the changed record included."""
        return self.others.size + self.k

    @property
    def exact_bits(self) -> int:
        """Bits of the exact pmf of either law, about."""
        return (self.others + self.zero).pmf_bits

    @property
    def exact_fits(self) -> bool:
        """Whether the exact pmf is small enough to be worth having."""
        return self.exact_bits <= _EXACT_BITS

    def kept_within(self, limit: Limit) -> bool:
        """Whether no outcome shows a ratio above lambda: the largest is P_0/P_1 at S = 0, where the others cancel."""
        return limit.allows_power((1 - self.q) / self.q, self.k)

    def divergence(self, limit: Limit, *, rtol: Fraction) -> Enclosure:
        """delta: exact for a rational lambda if the pmf is small, else to relative width ``rtol``.

        Raises:
            Undecided: rtol is beyond reach.
            TooLarge: delta is below 2^-1,000,000, about 1e-301,030.
        """
        if limit.lam is not None and self.exact_fits:
            return Enclosure.of(Fraction(0) if self.kept_within(limit) else self.exact(limit.lam))
        return self.enclosed(limit, rtol=rtol)

    def both(self, limit: Limit, *, rtol: Fraction) -> tuple[Enclosure, Enclosure]:
        """delta of P_0 over P_1 and of P_1 over P_0, the larger one as ``divergence``, the smaller one no wider.

        Too faint a one is only known to be so.

        Raises:
            Undecided: rtol is beyond reach.
            TooLarge: both are below 2^-1,000,000, about 1e-301,030.
        """
        if limit.lam is None or not self.exact_fits:
            counted = self._counted(limit, rtol)
            if counted is not None:
                return counted[0], counted[1]
        found, refused = [], None
        for direction in (self, self.mirror):
            try:
                found.append(direction.divergence(limit, rtol=rtol))
            except TooLarge as error:  # it may be the smaller of the two
                found, refused = [*found, FAINT], error
        if refused and not max(one.lower for one in found):
            raise refused
        return found[0], found[1]

    def exceeds(self, s: int, limit: Limit) -> bool | None:
        """Whether P_0(S = s) > lambda P_1(S = s), by balls; None where they do not tell, as where the two are equal."""
        first, second = self.others + self.zero, self.others + self.one
        start = guard_bits(first.kinds) + self.reports.bit_length() // 2 + self.cancelled + _SPARE_BITS
        with suppress(Undecided):
            return decide(lambda: first.chance(s) - limit.ball() * second.chance(s), start=start, cap=_DECIDED * start)
        return None

    def ratio_limit(self, delta: Fraction, *, rtol: Fraction, backward: bool = True) -> Enclosure | None:
        """The least lambda with both divergences at most ``delta``, in integers; None where they are not worth it.

        Args:
            delta: the target.
            rtol: how wide it may be, as a share of its logarithm; exactly 1 if the total variation is at most delta.
            backward: whether P_1 over P_0 counts too.
        """
        for held in self._integers(rtol, bits_for(delta) + _SPARE_SUM):
            one = 1 << held.bits
            low, high = held.ratio_limit(delta) if backward else held.forward.ratio_limit(delta, one)
            if high == one or (low > one and (high - low) * rtol.denominator * 4 <= (low - one) * rtol.numerator):
                return Enclosure.trusted(Fraction(low, one), Fraction(high, one))
        return None

    @property
    def short(self) -> bool:
        """Whether it is counted in integers faster than in anything else."""
        return bool(self._held) or self._small

    @cached_property
    def _small(self) -> bool:
        return fits(self.others.kinds, [(self.q, self.k)], _SHORT_BITS)

    def _integers(self, rtol: Fraction, spare: int, lost: Callable[[], int] = int) -> Iterator[FixedPoint]:
        """In integers of more and more bits: what is held; then more, if worth it, and the more so the more was asked.

        Args:
            rtol: relative width.
            spare: bits beyond it.
            lost: bits that delta itself takes, where much would be built for nothing.
        """
        bits, tried = bits_for(rtol) + spare, 0
        for tried in sorted(one for one in self._held if one >= bits):
            yield self._held[tried]
        questions, zero, one = next(self._questions), [(self.q, self.k)], [(1 - self.q, self.k)]
        bits = -(-max(bits, 0 if self._small else bits_for(rtol) + lost()) // _WORD) * _WORD
        for size in (bits << doubled for doubled in range(_DOUBLINGS)):
            if size <= tried:
                continue
            if not fits(self.others.kinds, zero, size, questions):
                return
            self._held[size] = FixedPoint(self.others.kinds, zero, one, size)
            yield self._held[size]

    def _lost(self, limit: Limit) -> int:
        """Bits of delta, about, if it is above 0."""
        return 0 if self.kept_within(limit) else _SPARE_BITS + self.halvings(limit)

    @cached_property
    def _held(self) -> dict[int, FixedPoint]:
        return {}

    @cached_property
    def _questions(self) -> Iterator[int]:
        return count(1)

    def exact(self, lam: Fraction) -> Fraction:
        """delta for a rational lambda as a rational, summed over every outcome."""
        return Fraction(*self.exact_parts(lam))

    def exact_parts(self, lam: Fraction) -> tuple[int, int]:
        """Numerator and denominator of ``exact``, not reduced: the denominator is the same for every dataset."""
        without, with_one = ((self.others + own).pmf() for own in (self.zero, self.one))
        a, b = lam.numerator, lam.denominator
        pairs = zip(without.weights, with_one.weights, strict=True)
        positive = sum(max(0, b * likely - a * unlikely) for likely, unlikely in pairs)
        return positive, b * without.denominator

    def enclosed(self, limit: Limit, *, rtol: Fraction) -> Enclosure:
        """delta to relative width ``rtol``, for any size: in integers where they are quicker, else by inversion.

        Raises as ``divergence``.
        """
        found = self.counted(limit, rtol=rtol)
        return self.inverted(limit, rtol=rtol) if found is None else found

    def counted(self, limit: Limit, *, rtol: Fraction, near: Fraction | None = None) -> Enclosure | None:
        """delta in integers; None where they are not worth it, or where it is not proven to be above 0.

        Args:
            limit: lambda or epsilon.
            rtol: relative width.
            near: what delta is about, if that is known: fewer bits may do.
        """
        found = self._counted(limit, rtol, near, backward=False)
        return None if found is None else found[0]

    def _counted(
        self, limit: Limit, rtol: Fraction, near: Fraction | None = None, *, backward: bool = True
    ) -> list[Enclosure] | None:
        """delta of both directions in integers, or of the first one only; to a share ``rtol`` of the larger."""
        epsilon = limit.steer()  # errors grow like lambda
        if epsilon > _STEEPEST:
            return None
        spare = _SPARE_BITS + math.ceil(3 * epsilon / 2) if near is None else bits_for(near) + _SPARE_SUM
        for held in self._integers(rtol, spare, partial(self._lost, limit)):
            ends = limit.scaled(held.bits)
            found = [held.forward.divergence(*ends)]
            if backward:
                found.append(held.backward.divergence(*ends))
            most = max(low for low, _ in found)
            if all((high - low) * rtol.denominator <= most * rtol.numerator for low, high in found) and most:
                one = 1 << held.bits
                return [Enclosure.trusted(Fraction(low, one), Fraction(min(high, one), one)) for low, high in found]
            if not most and self.kept_within(limit):
                return None
        return None

    def halvings(self, limit: Limit) -> int:
        """An e >= 0 with delta <= 2^-e, from Chernoff's bound where the two laws change places."""
        return halvings(self.others.kinds, self.q, self.k, limit, saddle(self.q, self.k, limit))

    def inverted(self, limit: Limit, *, rtol: Fraction) -> Enclosure:
        """delta by inversion in balls; raises as ``divergence``."""
        if self.kept_within(limit):
            return Enclosure.of(0)
        if (faint := self.halvings(limit)) > MAX_EXPONENT:
            raise beyond(faint)
        search = _Threshold(self, limit)
        start = bits_for(rtol) + guard_bits(self.others.kinds) + self.reports.bit_length() // 2 + self.cancelled + 20
        with working_precision(start):  # laws so far apart that any t between them will do
            near = 1 - search.beyond()
            if near >= 1 - ball(rtol) / 2:
                return Enclosure(enclosure_of(near).lower, Fraction(1))
        found = refine(search.divergence, rtol=rtol, start=start)
        return Enclosure(found.lower, min(found.upper, Fraction(1)))

    @property
    def cancelled(self) -> int:
        """Bits lost between the two terms of the kernel, which are equal at q = 1/2."""
        return bits_for(1 - 2 * self.q)

    def tilt(self, limit: Limit) -> float:
        """Under which tilt the two laws differ by lambda, whatever the others are; for steering only."""
        return saddle(self.q, self.k, limit)

    def kernel(self, limit: Limit) -> list[Term]:
        """What the changed record adds under P_0 and, weighed by -lambda, under P_1."""
        return [Term(lambda: arb(1), self.zero.kinds), Term(lambda: -limit.ball(), self.one.kinds)]


def saddle(q: Fraction, k: int, limit: Limit) -> float:
    """The tilt under which the two laws differ by lambda, whatever the others are; for steering only.

    It is the log of the root y < 1 of the kernel (1 - q + q y)^k = lambda (q + (1 - q) y)^k, with all its digits near
    y = 0 and near y = 1.
    """
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


class _Threshold:
    """The search for the last t with d_t > 0; remembers t while the precision rises."""

    def __init__(self, pair: Pair, limit: Limit) -> None:
        self._pair, self._limit, self._last = pair, limit, pair.reports
        theta = saddle(pair.q, pair.k, limit)
        pool, steps = pair.others.tilt, [own.tilt.mean(theta) for own in (pair.zero, pair.one)]
        terms = pair.kernel(limit)
        # On one circle between two laws that lie far apart, all that the integrals exceed their values by is lost to
        # cancellation; on one circle each, little is, as P_0 and lambda P_1 then have unlike tails.
        spread = pool.variance(theta) + sum(own.tilt.variance(theta) for own in (pair.zero, pair.one)) / 2
        far = (steps[1] - steps[0]) ** 2 > _FAR_APART**2 * spread
        self._kernels = [[term] for term in terms] if far else [terms]
        middle = pool.mean(theta) + sum(steps) / 2
        if (steps[1] - steps[0]) ** 2 > _TAILS_ONLY**2 * spread:
            middle = self._between()
        self._t = min(max(0, math.floor(middle)), self._last - 1)

    def divergence(self) -> arb:
        """An enclosure of delta at the current precision; not finite if it is not settled there."""
        low, high = 0, self._last  # d_low > 0 > d_high: the limit lies below the largest ratio, at s = 0
        stepped, stride = False, 1
        while True:
            here = self.at(self._t)
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

    def _between(self) -> float:
        """Where the tail of P_0 upwards is as likely as lambda times that of P_1 downwards, by Chernoff; it steers."""
        laws = [(self._pair.others + own).tilt for own in (self._pair.zero, self._pair.one)]
        low, high = 0.0, float(self._last)
        while high - low > 1:
            t = (low + high) / 2
            above, below = (law.exponent(law.toward(t), t) for law in laws)
            low, high = (t, high) if above > self._limit.steer() + below else (low, t)
        return low

    def at(self, t: int) -> Coefficients:
        """h_t, d_t and d_{t+1}."""
        return reduce(operator.add, (invert(self._pair.others.kinds, terms, t) for terms in self._kernels))

    def _settled(self, here: Coefficients, high: int) -> arb:
        """Delta from h_t where neither d_t < 0 nor d_{t+1} > 0 is proven.

        d changes sign once, so that h rises up to the last t with d_t > 0 and then falls. The cases, in order (proof
        notes, 6): d_t > 0 (or t = 0, before which no other t stands) and d_{t+1} < 0 (or t + 1 proven so before): h_t
        is the maximum. d_{t+1} open but d_{t+2} < 0: the maximum is h_t or h_{t+1} = h_t + d_{t+1}, whichever is
        larger. Else, whatever the signs, no h exceeds h_t by more than ``beyond``.
        """
        if here.here > 0 or self._t == 0:
            if here.after < 0 or self._t + 1 == high:
                return here.cumulative
            beyond = self.at(self._t + 1)
            if beyond.after < 0:
                return here.cumulative + here.after.nonnegative_part()
        return here.cumulative + arb(0, self.beyond().upper()).nonnegative_part()

    def beyond(self) -> arb:
        """A bound of P_0(S > t) + lambda P_1(S <= t), so of 1 - h_t and of delta - h_t.

        Another t' gains at most P_0(t < S <= t') upwards and lambda P_1(t' < S <= t) downwards: where the two laws lie
        far apart, the place of t between them does not matter.
        """
        above = (self._pair.others + self._pair.zero).chernoff(self._t + 1, upper=True)
        below = (self._pair.others + self._pair.one).chernoff(self._t, upper=False)
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
