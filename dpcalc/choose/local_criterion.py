r"""The notes' local criterion: every outcome within z standard deviations of the mean has a ratio within lambda.

With N = k n reports, all records 1, the window at q is [L(q), U(q)] = p N -+ z sqrt(p q N), clipped to [0, N]. R_s
falls with s, so the worst ratio of the window is R at its low end and the worst reciprocal is 1/R at its high end:

    W(q) = R_{L(q)}                        one side, as in the notes
    W(q) = max(R_{L(q)}, 1 / R_{U(q)})     two sides

with the ends as they are ("real": R_s is a polynomial in s) or at the outermost integers inside ("lattice").

A criterion answers for whole ranges of q at once. On the lattice, L falls as q grows (its derivative is
-N - z sqrt(N) (p - q) / (2 sqrt(p q)) < 0), so over [a, b] the low end is at least the one at b, and R grows as s
falls. For real ends, W over [a, b] is within W(b) - (b - a) W'([a, b]), the derivative enclosed by ball arithmetic. For
k - 1 <= s <= N - k + 1 all weights of R_s are positive and it falls in real s too: the real bound serves the lattice.

Source: K16, sections 4.3 and 5.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor, isqrt

from flint import arb, arb_series

from dpcalc.counts.likelihood import T, ratio_along, ratio_at
from dpcalc.numbers.ball import ball, enclosure_of, union, working_precision
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit

__all__ = ["LocalCriterion"]

_BITS = 192


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalCriterion:
    """W(q) <= lambda.

    Attributes:
        n: records.
        k: reports per record.
        sigmas: z, the half-width of the window in standard deviations.
        limit: lambda.
        lattice: whether only integer outcomes count.
        sides: 1, ratio only; 2, reciprocal too.
    """

    n: int
    k: int
    sigmas: Fraction
    limit: Limit
    lattice: bool
    sides: int

    @property
    def reports(self) -> int:
        """N."""
        return self.n * self.k

    # --- at one q -------------------------------------------------------------------------------------------

    def lowest(self, q: Fraction) -> int:
        """The least integer in the window, exactly."""
        mean, square = (1 - q) * self.reports, self._square(q)
        s = int(mean - isqrt(int(square))) - 2
        while s < mean and (mean - s) ** 2 > square:
            s += 1
        return max(0, s)

    def highest(self, q: Fraction) -> int:
        """The largest integer in the window, exactly."""
        mean, square = (1 - q) * self.reports, self._square(q)
        s = int(mean + isqrt(int(square))) + 2
        while s > mean and (s - mean) ** 2 > square:
            s -= 1
        return min(self.reports, s)

    def _square(self, q: Fraction) -> Fraction:
        return self.sigmas**2 * q * (1 - q) * self.reports

    def value(self, q: Fraction) -> Enclosure:
        """W(q); 0 if no integer lies in the window."""
        with working_precision(_BITS):
            ends = [self._low_ratio(q, q)]
            if self.sides == 2:
                ends.append(1 / self._high_ratio(q, q))
            if self.lattice and self.lowest(q) > self.highest(q):
                return Enclosure.of(0)
            found = [enclosure_of(end) for end in ends]
        return Enclosure(max(end.lower for end in found), max(end.upper for end in found))

    # --- over a range of q ----------------------------------------------------------------------------------

    def holds(self, low: Fraction, high: Fraction) -> bool:
        """Whether W(q) <= lambda is proven for all q in [low, high]."""
        with working_precision(_BITS):
            lam = self.limit.ball()
            if not self._low_ratio(low, high) <= lam:
                return False
            return self.sides == 1 or bool(self._high_ratio(low, high) >= 1 / lam)

    def fails(self, low: Fraction, high: Fraction) -> bool:
        """Whether W(q) > lambda is proven for all q in [low, high]."""
        with working_precision(_BITS):
            lam = self.limit.ball()
            if self.lattice:
                # an outcome in the window at every q of the range, its ratio or reciprocal too large
                inner, outer = self.lowest(low), min(self.highest(low), self.highest(high))
                if inner > outer:
                    return False
                if ratio_at(self.reports, self.k, arb(inner), union(low, high)) > lam:
                    return True
                return self.sides == 2 and bool(ratio_at(self.reports, self.k, arb(outer), union(low, high)) < 1 / lam)
            if self._low_ratio(low, high) > lam:
                return True
            return self.sides == 2 and bool(self._high_ratio(low, high) < 1 / lam)

    def _low_ratio(self, low: Fraction, high: Fraction) -> arb:
        """R at the low end of the window: on the lattice an upper bound over the range, else an enclosure."""
        if self.lattice:
            corner = ratio_at(self.reports, self.k, arb(self.lowest(high)), union(low, high))
            if low == high or not self._weights_positive(low, high, -1):
                return corner
            return corner.min(self._real_end(low, high, -1))
        return self._real_end(low, high, -1)

    def _high_ratio(self, low: Fraction, high: Fraction) -> arb:
        """R at the high end of the window: on the lattice a lower bound over the range, else an enclosure."""
        if self.lattice:
            top = self._end(union(low, high), 1)
            farthest = self.highest(low) if low == high else min(self.reports, floor(enclosure_of(top).upper))
            corner = ratio_at(self.reports, self.k, arb(farthest), union(low, high))
            if low == high or not self._weights_positive(low, high, 1):
                return corner
            return corner.max(self._real_end(low, high, 1))
        return self._real_end(low, high, 1)

    def _end(self, q: arb, sign: int) -> arb:
        return (1 - q) * self.reports + sign * ball(self.sigmas) * ((1 - q) * q * self.reports).sqrt()

    def _weights_positive(self, low: Fraction, high: Fraction, sign: int) -> bool:
        s = self._end(union(low, high), sign)
        return bool(s >= self.k - 1) and bool(s <= self.reports - self.k + 1)

    def _real_end(self, low: Fraction, high: Fraction, sign: int) -> arb:
        """R at the real end of the window over the range; the end is clipped to [0, N]."""
        q = union(low, high)
        s = self._end(q, sign)
        if not (s > 0 and s < self.reports):
            return ratio_at(self.reports, self.k, s.max(arb(0)).min(arb(self.reports)), q)
        at_high = self._along(ball(high), sign)
        if low == high:
            return at_high
        slope = self._along(arb_series([q, 1], prec=2), sign)[1]
        return at_high - slope * union(Fraction(0), high - low)

    def _along(self, q: T, sign: int) -> T:
        """R along the end of the window, in the form of (5.17), which hardly suffers from q occurring many times."""
        odds = (1 - q) / q
        reach = sign * ball(self.sigmas)
        zeros = (1 - q) * (1 - reach * (odds / self.reports).sqrt())
        ones = q * (1 + reach / (odds * self.reports).sqrt())
        return ratio_along(self.reports, self.k, ones, zeros, odds)
