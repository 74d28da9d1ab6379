r"""The whole outcomes of a window around identical records of several bits, and the ratios there.

Let n records of L bits be equal, k = 1, and s_l of the reports agree with the record in l bits: n pi_l of them on
average, pi_l = C(L, l) p^l q^{L-l}. One record is changed to its opposite. K16's (6.10) is the ratio

    R = (1/n) sum_l s_l w_l,    w_l = (p/q)^{L - 2l}, which falls in l.

The window is a *box*: every s_l is a whole number at most z standard deviations from its mean,

    (s_l - n pi_l)^2 <= z^2 n pi_l (1 - pi_l),    s_0 + ... + s_L = n.

R is linear: it is largest where the reports that the lower ends leave over are given to l = 0 as far as its upper end
allows, then to l = 1, and so on; and least where they are given to l = L first. So both are exact in L steps. Over a
range of q the ends of a larger box and bounds of the w_l do the same (proof notes, 12.1).

Another window is the ball sum_l (s_l - n pi_l)^2 / (n pi_l) <= z^2, whose bound is the closed form of ``local.solvers``
(proof notes, 12.2).

Source: K16, section 6.1.2, which stops before its bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

from flint import arb

from dpcalc.local.bounds import Bound
from dpcalc.local.windows import first_within
from dpcalc.numbers.ball import ball


class BoxBound(Bound):
    """The largest R and, for two sides, 1/R at the whole outcomes of the box; 0 where it has none."""

    __slots__ = ()

    def over(self, low: Fraction, high: Fraction) -> arb:
        """The larger one, over a larger box."""
        return ball(max(self.ratios(low, high), default=0))

    def outcome(self, low: Fraction, high: Fraction, *, least: bool) -> list[int] | None:
        """s_0, ..., s_L with the largest or the least R in a box that holds those of all q in [low, high].

        None if it holds no outcome.
        """
        ends = [self._ends(agreeing, low, high) for agreeing in range(self.length + 1)]
        rest = self.total - sum(first for first, _ in ends)
        if rest < 0 or any(first > last for first, last in ends):
            return None
        found = [first for first, _ in ends]
        for agreeing in sorted(range(self.length + 1), reverse=least):
            first, last = ends[agreeing]
            found[agreeing] = min(last, first + rest)
            rest -= found[agreeing] - first
        return None if rest else found

    def ratios(self, low: Fraction, high: Fraction) -> list[Fraction]:
        """No less than R and, for two sides, 1/R at any outcome for any q in [low, high]; attained where low = high."""
        found = []
        if most := self.outcome(low, high, least=False):
            found.append(self._ratio(most, low, high))
        if self.sides == 2 and (fewest := self.outcome(low, high, least=True)):
            found.append(1 / self._ratio(fewest, high, low))
        return found

    def _ratio(self, outcome: Sequence[int], few: Fraction, many: Fraction) -> Fraction:
        """The mean of w_l, with q = ``few`` where w_l > 1, and q = ``many`` where w_l < 1."""
        powers = range(self.length, -self.length - 1, -2)
        likelihoods = ((1 / (few if power > 0 else many) - 1) ** power for power in powers)
        return sum((s * w for s, w in zip(outcome, likelihoods, strict=True)), Fraction(0)) / self.total

    def _ends(self, agreeing: int, low: Fraction, high: Fraction) -> tuple[int, int]:
        """The least and the largest whole s_l of any q in [low, high], l = ``agreeing``."""
        apart = self.length - agreeing
        peak = min(max(low, Fraction(apart, self.length)), high)  # pi_l rises up to there, and then falls
        chances = [comb(self.length, agreeing) * (1 - q) ** agreeing * q**apart for q in (low, peak, high)]
        return self._least(min(chances)), self.total - self._least(1 - max(chances))

    def _least(self, chance: Fraction) -> int:
        """The least whole s >= 0 that is not more than z standard deviations below n times the chance."""
        mean, square = self.total * chance, self.sigmas**2 * self.total * chance * (1 - chance)
        scale = mean.denominator * square.denominator
        return max(0, first_within(int(mean * scale), int(square * scale**2), scale))
