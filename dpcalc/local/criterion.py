r"""The notes' local criterion: every outcome within z standard deviations of the mean keeps its ratio within lambda.

All records 1, N = k n reports, m zeros among them: R grows with m, so that the ends of the window decide (facts and
proofs in ``local.ratio_in_window``). The criterion is W(q) <= lambda with

    W(q) = R at the most zeros                                    one side, as in the notes
    W(q) = max(R at the most zeros, 1 / R at the fewest)          two sides

at the ends q N +- z sqrt(p q N) as they are, clipped to [0, N] ("real": R is a polynomial in m), or at the outermost
integers inside ("lattice"; W = 0 if there is none). It is asked for whole ranges of q at once.

real      R at the end over the range; where the end is clipped, R at 0 or N zeros.
lattice   One outcome over the range, by convexity; if a second one takes its turn, each up to, or from, the q where one
          of them enters or leaves the window, even if its ratio is lambda just there. For more of them R at the real
          end speaks: with the most zeros, each enters the window at a q of the range with just that ratio and keeps the
          limit from there on; with the fewest, each has more zeros than the real end, and so the larger ratio where R
          grows with real m, from k - 1 zeros on. If R breaks the limit even one zero further in than the real end, then
          it does at the outermost outcome, which lies between them.

Source: K16, sections 4.3 and 5.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from dpcalc.local.ratio_in_window import Edge, RatioInWindow
from dpcalc.numbers.enclosure import Enclosure

#: Two ends of q, or nothing.
_Range: TypeAlias = tuple[Fraction, Fraction] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalCriterion:
    """W(q) <= lambda.

    Attributes:
        ratio: R and the window; its sides are 1 at the most zeros, -1 at the fewest.
        lattice: whether only integer outcomes count.
        sides: 1, ratio only; 2, reciprocal too.
    """

    ratio: RatioInWindow
    lattice: bool
    sides: int

    def holds(self, low: Fraction, high: Fraction) -> bool:
        """Whether W(q) <= lambda is proven for all q in [low, high]."""
        kept = self._outcomes_kept if self.lattice else self._end_kept
        return all(kept(low, high, side) for side in self._ends)

    def fails(self, low: Fraction, high: Fraction) -> bool:
        """Whether W(q) > lambda is proven for all q in [low, high]."""
        broken = self._outcomes_broken if self.lattice else self._end_broken
        return any(broken(low, high, side) for side in self._ends)

    def value(self, q: Fraction) -> Enclosure:
        """W(q)."""
        if self.lattice and self.ratio.outermost(q, 1) < self.ratio.outermost(q, -1):
            return Enclosure.of(0)
        found = [self._ratio(q, side) if side > 0 else 1 / self._ratio(q, side) for side in self._ends]
        return Enclosure(max(end.lower for end in found), max(end.upper for end in found))

    def tie(self, low: Fraction, high: Fraction) -> Fraction | None:
        """The simplest q in [low, high], if an outcome's ratio is lambda exactly there, above before and within after.

        It is known that the criterion fails at ``low`` and holds at ``high``.
        """
        q = simplest(low, high)
        for side in self._ends if self.lattice else ():
            zeros = self.ratio.outermost(low, side)
            alone = zeros == self.ratio.outermost(high, side) and self._inside(zeros, low)
            if alone and self.ratio.broken(zeros, low, side) and self.ratio.equal(zeros, q, side):
                return q if self.holds(q, high) else None
        return None

    @property
    def _ends(self) -> tuple[int, ...]:
        return (1, -1)[: self.sides]

    # --- lattice --------------------------------------------------------------------------------------------

    def _inside(self, zeros: int, q: Fraction) -> bool:
        return self.ratio.outermost(q, -1) <= zeros <= self.ratio.outermost(q, 1)

    def _outcomes_kept(self, low: Fraction, high: Fraction, side: int) -> bool:
        ratio = self.ratio
        first, last = ratio.outermost(low, side), ratio.outermost(high, side)
        if last - first > 1:
            if ratio.kept_between(last if side > 0 else first, low, high, side):
                return True
            standing = ratio.kept(first, low, side) if side > 0 else first >= ratio.k
            return standing and self._end_kept(low, high, side)

        def kept(zeros: int, begin: Fraction | Edge, end: Fraction | Edge) -> bool:
            if zeros > ratio.outermost(high, 1):
                return True  # still outside
            if zeros > ratio.outermost(low, 1):
                begin = ratio.edge(zeros, 1)
            return ratio.kept_between(zeros, begin, end, side)

        if first == last:
            return kept(first, low, high)
        turn = ratio.edge(last if side > 0 else first, side)
        return kept(first, low, turn) and kept(last, turn, high)

    def _outcomes_broken(self, low: Fraction, high: Fraction, side: int) -> bool:
        ratio = self.ratio
        first, last = ratio.outermost(low, side), ratio.outermost(high, side)
        staying = first if side > 0 else last  # with R > lambda, or in the window at both ends: inside all along
        if self._inside(staying, low) and ratio.broken_between(staying, low, high, side):
            return True
        if last - first <= 1:
            return last > first and self._both_broken(first, last, low, high, side)
        if not ratio.spans_an_outcome(low):
            return False
        if side < 0 and first > 0 and ratio.mean_broken(low, high):
            return True
        grows = first >= ratio.k and (side < 0 or last < ratio.total)
        return grows and ratio.end_broken(low, high, side, inward=1)

    def _both_broken(self, first: int, last: int, low: Fraction, high: Fraction, side: int) -> bool:
        """Whether one outcome breaks the limit up to where the next takes its turn, and that one from there on."""
        ratio, turn = self.ratio, self.ratio.edge(last if side > 0 else first, side)
        if side > 0:
            return self._inside(first, low) and ratio.reached(first, turn, side) and ratio.broken(last, high, side)
        both_inside = self._inside(first, low) and self._inside(last, low)
        taken_over = ratio.reached(last, turn, side) and ratio.broken(last, high, side)
        return both_inside and taken_over and ratio.broken_between(first, low, turn, side)

    # --- real -----------------------------------------------------------------------------------------------

    def _ratio(self, q: Fraction, side: int) -> Enclosure:
        zeros, beyond, _ = self._clipped(q, q, side)
        if self.lattice:
            return self.ratio.value(self.ratio.outermost(q, side), q)
        return self.ratio.value(zeros, q) if beyond else self.ratio.end_value(q, side)

    def _end_kept(self, low: Fraction, high: Fraction, side: int) -> bool:
        zeros, beyond, within = self._clipped(low, high, side)
        return (not beyond or self.ratio.kept_between(zeros, *beyond, side)) and (
            not within or self.ratio.end_kept(*within, side)
        )

    def _end_broken(self, low: Fraction, high: Fraction, side: int) -> bool:
        zeros, beyond, within = self._clipped(low, high, side)
        return (not beyond or self.ratio.broken_between(zeros, *beyond, side)) and (
            not within or self.ratio.end_broken(*within, side)
        )

    def _clipped(self, low: Fraction, high: Fraction, side: int) -> tuple[int, _Range, _Range]:
        """The outcome at which the real end is clipped, and the parts of [low, high] where it is and is not."""
        z2, total = self.ratio.sigmas**2, self.ratio.total
        if side > 0:
            turn = total / (total + z2)
            beyond, within = (max(low, turn), high), (low, min(high, turn))
        else:
            turn = z2 / (total + z2)
            beyond, within = (low, min(high, turn)), (max(low, turn), high)
        clipped, rest = (part if part[0] <= part[1] else None for part in (beyond, within))
        return total if side > 0 else 0, clipped, rest


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """The fraction of the least denominator in [low, high], low > 0.

    >>> simplest(Fraction("0.3332"), Fraction("0.3334"))
    Fraction(1, 3)
    """
    whole = -(-low.numerator // low.denominator)
    if whole <= high:
        return Fraction(whole)
    whole -= 1
    return whole + 1 / simplest(1 / (high - whole), 1 / (low - whole))
