r"""The whole outcomes of a window around identical records of several bits, and the ratios there.

Let n records of L bits be equal, k = 1, and s_l of the reports agree with the record in l bits: n pi_l of them on
average, pi_l = C(L, l) p^l q^{L-l}. One record is changed to its opposite. K16's (6.10) is the ratio

    R = (1/n) sum_l s_l w_l,    w_l = (p/q)^{L - 2l}, which falls in l.

The window is a *box*: every s_l is a whole number at most z standard deviations from its mean,

    (s_l - n pi_l)^2 <= z^2 n pi_l (1 - pi_l),    s_0 + ... + s_L = n.

R is linear: it is largest where the reports that the lower ends leave over are given to l = 0 as far as its upper end
allows, then to l = 1, and so on; and least where they are given to l = L first. So both are exact in L steps. Over a
range of q the ends of a larger box and bounds of the w_l do the same (proof notes, 12.1).

Another window is the ball sum_l (s_l - n pi_l)^2 / (n pi_l) <= z^2, whose bound is the closed form of ``local.bound``
(proof notes, 12.2).

Source: K16, section 6.1.2, which stops before its bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, isqrt

from dpcalc.errors import must_fit
from dpcalc.local.sawtooth import last_failure
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit

_HALF = Fraction(1, 2)
_MOST_BITS = 64  # per record: the numbers have as many times the digits of q


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorWindow:
    """R and 1/R at the whole outcomes of the box.

    Attributes:
        n, bits: records, and L.
        sigmas: z.
        sides: 1, R only; 2, its reciprocal too.
        limit: lambda.

    >>> window = VectorWindow(n=4, bits=2, sigmas=Fraction(1), sides=2, limit=Limit.of(lam=2))
    >>> window.outcome(Fraction(1, 4), Fraction(1, 4), least=False), window.value(Fraction(1, 4))
    ([0, 2, 2], Enclosure(3))
    """

    n: int
    bits: int
    sigmas: Fraction
    sides: int
    limit: Limit

    def holds(self, low: Fraction, high: Fraction) -> bool:
        """Whether the limit is proven to be kept at every outcome of the box for all q in [low, high]."""
        return all(self.limit.ends.lower >= ratio for ratio in self._ratios(low, high))

    def fails(self, q: Fraction) -> bool:
        """Whether some outcome breaks the limit at q."""
        return any(self.limit.ends.upper < ratio for ratio in self._ratios(q, q))

    def value(self, q: Fraction) -> Enclosure:
        """The largest ratio at q, exactly; 0 where the box has no outcome."""
        return Enclosure.of(max(self._ratios(q, q), default=Fraction(0)))

    def outcome(self, low: Fraction, high: Fraction, *, least: bool) -> list[int] | None:
        """s_0, ..., s_L with the largest or the least R in a box that holds those of all q in [low, high].

        None if it holds no outcome.
        """
        ends = [self._ends(agreeing, low, high) for agreeing in range(self.bits + 1)]
        rest = self.n - sum(first for first, _ in ends)
        if rest < 0 or any(first > last for first, last in ends):
            return None
        found = [first for first, _ in ends]
        for agreeing in sorted(range(self.bits + 1), reverse=least):
            first, last = ends[agreeing]
            found[agreeing] = min(last, first + rest)
            rest -= found[agreeing] - first
        return None if rest else found

    def _ratios(self, low: Fraction, high: Fraction) -> list[Fraction]:
        """No less than R and, for two sides, 1/R at any outcome for any q in [low, high]; attained where low = high."""
        found = []
        if most := self.outcome(low, high, least=False):
            found.append(self._ratio(most, low, high))
        if self.sides == 2 and (fewest := self.outcome(low, high, least=True)):
            found.append(1 / self._ratio(fewest, high, low))
        return found

    def _ratio(self, outcome: Sequence[int], few: Fraction, many: Fraction) -> Fraction:
        """The mean of w_l, with q = ``few`` where w_l > 1, and q = ``many`` where w_l < 1."""
        powers = range(self.bits, -self.bits - 1, -2)
        likelihoods = ((1 / (few if power > 0 else many) - 1) ** power for power in powers)
        return sum((s * w for s, w in zip(outcome, likelihoods, strict=True)), Fraction(0)) / self.n

    def _ends(self, agreeing: int, low: Fraction, high: Fraction) -> tuple[int, int]:
        """The least and the largest whole s_l of any q in [low, high], l = ``agreeing``."""
        apart = self.bits - agreeing
        peak = min(max(low, Fraction(apart, self.bits)), high)  # pi_l rises up to there, and then falls
        chances = [comb(self.bits, agreeing) * (1 - q) ** agreeing * q**apart for q in (low, peak, high)]
        return self._least(min(chances)), self.n - self._least(1 - max(chances))

    def _least(self, chance: Fraction) -> int:
        """The least whole s >= 0 that is not more than z standard deviations below n times the chance."""
        mean, square = self.n * chance, self.sigmas**2 * self.n * chance * (1 - chance)
        scale = mean.denominator * square.denominator
        reach = isqrt(int(square * scale**2))  # the standard deviations times the scale, rounded down
        return max(0, -((reach - int(mean * scale)) // scale))


def box_q(*, n: int, bits: int, limit: Limit, sigmas: Fraction, sides: int, rtol: Fraction) -> Bracket:
    """The least q from which on no outcome of the box breaks the limit.

    Raises:
        NoSolution: none breaks it down to q = 2^-200.
        TooLarge: more than 64 bits.
        Undecided: rtol is beyond reach.
    """
    must_fit("the box of outcomes", bits, _MOST_BITS, "bits per record", instead='method="closed"')
    window = VectorWindow(n=n, bits=bits, sigmas=sigmas, sides=sides, limit=limit)
    lower, upper = last_failure(window.holds, window.fails, top=_HALF, rtol=rtol)
    return Bracket(lower=lower, upper=upper, at_lower=window.value(lower), at_upper=window.value(upper))
