r"""The ratio R beside any other records, in the window that is each dataset's own: bounds proven for boxes of datasets.

Single bits, n records with k reports each, N = k n. D holds m ones, the changed record among them, which is 0 in D'.
Let X be the reports of the other records, m - 1 of them 1, and S = X + J, with J in Bin(k, p) under D, Bin(k, q) under
D'. Then R(m, s) = P(S = s | D') / P(S = s | D) is the mean of (q/p)^{2j - k}, which falls with j, under weights
proportional to C(k, j) p^j q^{k-j} P(X = s - j). For 0 < q < 1/2:

order      Let X' be larger than X in the likelihood-ratio order: P(X' = i)/P(X = i) grows with i. As s - j falls
           with j, the weights move to smaller j, and R grows. The order stays when an independent log-concave X'' is
           added to both; so a sum of reports, which is log-concave, is larger with a report replaced by a larger one,
           or with 1 added.
outcome    R(m, s) falls as s grows: s + 1 beside X is s beside X - 1.
diagonal   R(m, s) <= R(m - 1, s - k): a report that is 1 with probability p is smaller than 1 + one that is with
           probability q. Where s < k, R(m, s) <= (p/q)^k, which is R at s = 0.
flips      For others that flip zeros with probability a and ones with b, R grows with a and falls as b grows.
own flips  Beside a fixed X that is likelier the larger it is up to s, R falls as the record's own q grows: P(X = s - J)
           falls as J grows. It is so for s <= E X (Darroch). In any case |d log R / d log(p/q)| <= k.

So over m0 <= m <= m1, low <= q <= high and outcomes with s - k m >= d, R is at most R(m0, k m0 + d) for others whose
zeros flip with probability high and whose ones with low, the record's own q being low; where k m0 + d > E X, that times
((1/low - 1)/(1/high - 1))^k.

windows    D' comes from D by changing k reports, one after the other. Let one change beside a reports of ones and b of
           zeros, of mean mu. Its ratio r is at most 1, or (r - 1)(a + b/r) < (p - q)(mu + 1 - s)/(pq) (proof notes,
           7.12). In a window mu + 1 - s is bounded, for every D: this proves R <= lambda for all m >= m0 at once,
           where R is not within a few percent of it.

The window of c ones holds s if (s - mean)^2 <= z^2 k n p q. Its lower end is k c + h(q), where h(q) = k (n - 2c) q -
z sqrt(k n p q) is convex in q and falls as c grows. D has c = m. With all bits exchanged 1/R of D at s becomes R, at
k n - s, of the pair whose D has n + 1 - m ones, and D becomes its D': whoever asks for 1/R in the window of D asks
for R in the window of D', where c = m - 1.

Source: K16, section 5.2; J. N. Darroch, On the distribution of the number of successes in independent trials, Annals of
Mathematical Statistics 35 (1964), Theorem 4, for the mode.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from flint import arb

from dpcalc.laws.inversion import Term, guard_bits, invert
from dpcalc.laws.pool import Pool
from dpcalc.numbers.ball import ball, bits_for, enclosure_of, working_precision
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit

_HALF = Fraction(1, 2)
_SPARE_BITS = 32  # of a sign beyond what lambda - 1 and the width of a range of q need


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnWindows:
    """R and a limit in the own window of every dataset, or of its neighbour. What is True is proven.

    Datasets are named by m, the ones in D: 1 <= m <= n.

    Attributes:
        n, k: records, and reports of each.
        sigmas: z.
        limit: lambda > 1.
        neighbour: whether the windows are those of D', with one 1 less.
        bits: accuracy of values.
    """

    n: int
    k: int
    sigmas: Fraction
    limit: Limit
    neighbour: bool
    bits: int

    # --- the window -----------------------------------------------------------------------------------------

    def lowest(self, ones: int, low: Fraction, high: Fraction) -> int:
        """The least outcome in the window at a q in [low, high], at least 0; it may be above the window's upper end."""
        return max(0, self.k * self._holders(ones) + self._least(self._drift(ones), low, high))

    def highest(self, ones: int, low: Fraction, high: Fraction) -> int:
        """The largest outcome in the window at a q in [low, high], at most k n."""
        return min(self.k * self.n, self.k * self._holders(ones) - self._least(-self._drift(ones), low, high))

    def offset(self, ones: int, low: Fraction, high: Fraction) -> int:
        """The least s - k m of a window at a q in [low, high], before it is cut off at s = 0; it falls with m."""
        return self._least(self._drift(ones), low, high) - self.k * self.neighbour

    def _holders(self, ones: int) -> int:
        return ones - self.neighbour

    def _drift(self, ones: int) -> int:
        """How fast the window's middle moves with q."""
        return self.k * (self.n - 2 * self._holders(ones))

    def _least(self, drift: int, low: Fraction, high: Fraction) -> int:
        """The least of h(q) = drift q - z sqrt(k n p q) in [low, high], rounded up."""
        if self._falls(drift, high):
            return self._at(drift, high)
        if not self._falls(drift, low):
            return self._at(drift, low)
        z = self.sigmas  # over all q it is (drift - sqrt(drift^2 + z^2 k n))/2
        scale = z.denominator
        root = isqrt((drift * scale) ** 2 + z.numerator**2 * self.k * self.n)
        return -((root - drift * scale) // (2 * scale))

    def _falls(self, drift: int, q: Fraction) -> bool:
        """Whether the slope of h is negative at q."""
        return drift <= 0 or 4 * drift**2 * q * (1 - q) < self.sigmas**2 * self.k * self.n * (1 - 2 * q) ** 2

    def _at(self, drift: int, q: Fraction) -> int:
        """h(q) rounded up."""
        u, v, z = q.numerator, q.denominator - q.numerator, self.sigmas
        root = isqrt(z.numerator**2 * self.k * self.n * u * v)
        return -((root - drift * u * z.denominator) // (q.denominator * z.denominator))

    # --- the ratio ------------------------------------------------------------------------------------------

    def kept(self, first: int, last: int, low: Fraction, high: Fraction) -> bool:
        """Whether R <= lambda at every outcome of every window, for first <= m <= last and low <= q <= high."""
        if self.covered(first, low, high):
            return True
        s = max(0, self.k * first + self.offset(last, low, high))
        if first == last and s > self.highest(first, low, high):
            return True  # no window holds an outcome
        if s == 0:
            return self.limit.allows_power(1 / low - 1, self.k)
        others = Pool.of((1 - low, self.k * (first - 1)), (high, self.k * (self.n - first)))
        with working_precision(self._needed(low, high) + guard_bits(others.kinds)):
            if s <= others.mean:
                return bool(self._over(others, s, low) <= 0)
            growth = (ball(1 / low - 1) / ball(1 / high - 1)) ** self.k
            return bool(self._quotient(others, s, low) * growth <= self.limit.ball())

    def covered(self, first: int, low: Fraction, high: Fraction) -> bool:
        """Whether R <= lambda in every window, for all m >= first and low <= q <= high, by the bound for windows.

        The pull (p - q)/(pq) falls with q, the window's half width grows.
        """
        with working_precision(_SPARE_BITS + bits_for(min(_HALF, self.limit.excess)) + self.k.bit_length()):
            pull = ball((1 - 2 * low) / (low * (1 - low)))
            gap = ball(1 - 2 * (low if self.neighbour else high))
            reach = ball(self.sigmas) * ball(self.k * self.n * high * (1 - high)).sqrt() + ball(high)
            product = arb(1)
            for j in range(self.k):  # so many of the record's reports are zeros already
                ones, zeros = self.k * first - 1 - j, self.k * (self.n - first) + j
                most = pull * (reach + (self.k * self.neighbour - j) * gap)
                if most <= 0:
                    continue
                rest = zeros - ones - most
                root = (rest * rest + 4 * ones * zeros).sqrt()
                if rest > 0:
                    product *= 2 * zeros / (root + rest)
                elif ones:
                    product *= (root - rest) / (2 * ones)
                else:
                    return False  # no bound: s may be 0
            return bool(product <= self.limit.ball())

    def broken(self, ones: int, q: Fraction) -> bool:
        """Whether R > lambda at the least outcome of a dataset's window, where R is the largest."""
        s = self.lowest(ones, q, q)
        if not self.holds(ones, q):
            return False
        if s == 0:
            return not self.limit.allows_power(1 / q - 1, self.k)
        others = self._others(ones, q)
        with working_precision(self._needed(q / 2, q) + guard_bits(others.kinds)):  # few bits mostly tell
            rough = self._over(others, s, q)
            if rough > 0 or rough < 0:
                return bool(rough > 0)
        with working_precision(self._precision):
            return bool(self._quotient(others, s, q) > self.limit.ball())

    def holds(self, ones: int, q: Fraction) -> bool:
        """Whether the window holds an outcome."""
        return self.lowest(ones, q, q) <= self.highest(ones, q, q)

    def value(self, ones: int, outcome: int, q: Fraction) -> Enclosure:
        """R at an outcome."""
        with working_precision(self._precision):
            return enclosure_of(self._ratio(ones, outcome, q))

    @property
    def _precision(self) -> int:
        return self.bits + guard_bits([(_HALF, self.k * self.n)])

    def _needed(self, low: Fraction, high: Fraction) -> int:
        width = (high - low) / high
        return _SPARE_BITS + bits_for(min(_HALF, self.limit.excess)) + bits_for(width)

    def _ratio(self, ones: int, outcome: int, q: Fraction) -> arb:
        if outcome == 0:
            return ball(1 / q - 1) ** self.k
        return self._quotient(self._others(ones, q), outcome, q)

    def _others(self, ones: int, q: Fraction) -> Pool:
        """X."""
        return Pool.of((1 - q, self.k * (ones - 1)), (q, self.k * (self.n - ones)))

    def _over(self, others: Pool, s: int, q: Fraction) -> arb:
        """P(S = s | D') - lambda P(S = s | D), or R - lambda beyond the mean of X, where circles count zeros."""
        if s > others.mean:
            return self._quotient(others, s, q) - self.limit.ball()
        kernel = [Term(lambda: arb(1), ((q, self.k),)), Term(lambda: -self.limit.ball(), ((1 - q, self.k),))]
        return invert(others.kinds, kernel, s).here

    def _quotient(self, others: Pool, s: int, q: Fraction) -> arb:
        return (others + Pool.of((q, self.k))).chance(s) / (others + Pool.of((1 - q, self.k))).chance(s)
