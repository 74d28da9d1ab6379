r"""The two laws of one count between which privacy is measured where n is hidden: with and without one record.

S is the pool of the others; the record adds R, k reports that are 1 with probability a (its own q or 1 - q). Then
P(S + R = i) / P(S = i) grows with i (S is log-concave, and R >= 0), without bound: S + R may exceed all that S can be,
so that delta of the larger pool over the smaller one never falls to 0. With the pools put in the order of their counts
(P_0 = S, P_1 = S + R), or counting from above (P_0 = the zeros of S + R less k, P_1 = those of S),

    delta = sum_i [P_0(i) - lambda P_1(i)]_+ = h_t = P_0(<= t) - lambda P_1(<= t)

at the last t with d_t = P_0(t) - lambda P_1(t) > 0. Two tails at any size, and the signs of d_t around t. An i at which
the sign is not told adds [d_i]_+, which is enclosed (proof notes, 11).

Adding a report to both pools is post-processing: the lemma of ``compositions`` on boxes holds for these pairs as well.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from dpcalc.counts.inversion import Term
from dpcalc.counts.pool import Pool
from dpcalc.errors import TooLarge, Undecided
from dpcalc.numbers.ball import ball, bits_for, enclosure_of, working_precision
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.privacy.pair import FAINT

__all__ = ["Added"]

_EXACT_BITS = 1 << 24  # size of the pmf of the larger pool up to which a rational lambda gives a rational delta
_SPARE = 40  # bits of a chance beyond those of the width asked for
_NARROWER = 10**4  # times at first the tails, which cancel
_TRIES = 6


@dataclass(frozen=True)
class Added:
    """A pool and what one more record adds to it.

    Attributes:
        others: the reports of the others.
        a, k: the record adds k reports that are 1 with probability a.
        present: whether the event is likelier with the record.
    """

    others: Pool
    a: Fraction
    k: int
    present: bool

    @property
    def _with(self) -> Pool:
        return self.others + Pool.of((self.a, self.k))

    def divergence(self, limit: Limit, *, rtol: Fraction) -> Enclosure:
        """delta: exact for a rational lambda if the pmf is small, else as ``inverted``."""
        if limit.lam is not None and self._with.pmf_bits <= _EXACT_BITS:
            return Enclosure.of(self.exact(limit.lam))
        return self.inverted(limit, rtol=rtol)

    def exact(self, lam: Fraction) -> Fraction:
        """delta for a rational lambda, summed over every outcome."""
        absent, present = self.others.pmf(), self._with.pmf()
        first, second = (present, absent) if self.present else (absent, present)
        a, b = lam.numerator * first.denominator, lam.denominator * second.denominator
        weights = [*second.weights, *(0,) * len(first.weights)]
        positive = sum(max(0, b * x - a * y) for x, y in zip(first.weights, weights, strict=False))
        return Fraction(positive, b * first.denominator)

    def inverted(self, limit: Limit, *, rtol: Fraction) -> Enclosure:
        """delta to relative width ``rtol``.

        Raises:
            Undecided: rtol is beyond reach.
            TooLarge: it is too small to be held.
        """
        if self.kept_within(limit):
            return Enclosure.of(0)
        fine = rtol / _NARROWER
        for _ in range(_TRIES):
            low, high = self._crossing(limit, bits_for(fine))
            try:
                value = self._up_to(low, limit, fine)
            except TooLarge:
                if self._faint_to(high - 1):
                    raise
                raise Undecided("delta is next to the least that can be held") from None
            for i in range(low + 1, high):
                with working_precision(self._bits(bits_for(fine))):
                    step = self._step(i, limit).nonnegative_part()
                    value += enclosure_of(step) if step.is_finite() else Enclosure(Fraction(0), Fraction(1))
            found = Enclosure(max(value.lower, Fraction(0)), min(value.upper, Fraction(1)))
            if found.upper - found.lower <= rtol * found.lower or found.upper <= FAINT.upper:
                return found
            fine /= _NARROWER**2
        raise Undecided("delta is not settled to this width", found)

    def kept_within(self, limit: Limit) -> bool:
        """Whether no outcome shows a ratio above lambda: without the record the largest is at S = 0."""
        return not self.present and limit.allows_power(1 / (1 - self.a), self.k)

    @property
    def own(self) -> tuple[Fraction, Fraction]:
        """Of the record's k places in the order of the module, the probability of a 1 under P_0 and under P_1."""
        return (1 - self.a, Fraction(1)) if self.present else (Fraction(0), self.a)

    @property
    def cancelled(self) -> int:
        """Bits lost between the two terms of the kernel, which are equal at a = 0."""
        return bits_for(self.a)

    def tilt(self, limit: Limit) -> float:
        """Where (1 - x + x y)^k of both laws' x differ by lambda; for steering only."""
        root = math.exp(min(limit.steer() / self.k, 600.0))
        a = float(self.a)
        y = (a / (root - 1 + a) if root > 1 - a else 1.0) if self.present else (1 / root - 1 + a) / a
        return math.log(min(max(y, 1e-300), 1.0))

    def kernel(self, limit: Limit) -> list[Term]:
        """What the record adds under P_0 and, weighed by -lambda, under P_1, in the order of the module."""
        first, second = self.own
        return [Term(lambda: arb(1), ((first, self.k),)), Term(lambda: -limit.ball(), ((second, self.k),))]

    def _up_to(self, t: int, limit: Limit, rtol: Fraction) -> Enclosure:
        """h_t, t counted as the module does."""
        if t < 0 and not self.present:
            return Enclosure.of(0)
        lam = limit.ends
        if self.present:
            s = self._with.size - t
            first, second = self._with.at_least(s, rtol=rtol), self.others.at_least(s, rtol=rtol)
        else:
            first, second = self.others.at_most(t, rtol=rtol), self._with.at_most(t, rtol=rtol)
        return Enclosure(first.lower - lam.upper * second.upper, first.upper - lam.lower * second.lower)

    def _faint_to(self, t: int) -> bool:
        """Whether P_0(<= t), and with it h up to t, is proven to be too small to be held."""
        if self.present:
            bound = self._with.chernoff(self._with.size - t, upper=True)
        else:
            bound = self.others.chernoff(t, upper=False)
        return bool(bound <= ball(FAINT.upper))

    def _bits(self, wanted: int) -> int:
        return wanted + _SPARE + 2 * self._with.size.bit_length()

    def _step(self, i: int, limit: Limit) -> arb:
        """d_i at the current precision."""
        s = self._with.size - i if self.present else i
        absent = self.others.chance(s) if s <= self.others.size else arb(0)
        first, second = (self._with.chance(s), absent) if self.present else (absent, self._with.chance(s))
        return first - limit.ball() * second

    def _crossing(self, limit: Limit, wanted: int) -> tuple[int, int]:
        """The last place proven to have d > 0 (or -1), and the first proven to have d < 0; few lie between them."""
        low, high = (self.k - 1, self._with.size + 1) if self.present else (-1, self.others.size + 1)
        guess, stride = min(max(self._guess(limit), low + 1), high - 1), 1
        with working_precision(self._bits(wanted)):
            while high - low > 1:
                d = self._step(guess, limit)
                if d > 0:
                    low, guess = guess, guess + stride
                elif d < 0:
                    high, guess = guess, guess - stride
                else:
                    return self._beside(guess, low, high, limit)
                stride *= 2
                if not low < guess < high:
                    guess = (low + high) // 2
        return low, high

    def _beside(self, open_: int, low: int, high: int, limit: Limit) -> tuple[int, int]:
        """The nearest proven places on both sides of one where d may be 0."""
        below, above = open_ - 1, open_ + 1
        while below > low and not self._step(below, limit) > 0:
            below -= 1
        while above < high and not self._step(above, limit) < 0:
            above += 1
        return max(below, low), min(above, high)

    def _guess(self, limit: Limit) -> int:
        """Where the tilted laws differ by lambda, about."""
        pool = self.others.flipped if self.present else self.others
        own = 1 - self.a if self.present else self.a
        return math.floor(pool.tilt.mean(self.tilt(limit)) + self.k * float(own))
