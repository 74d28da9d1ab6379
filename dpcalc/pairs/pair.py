r"""The two laws of one count between which privacy is measured: a pool, and what the changed record adds to it.

The changed record adds the reports ``zero`` under P_0 and ``one`` under P_1 to those of the others. For lambda >= 1,

    delta = sum_i [P_0(S = i) - lambda P_1(S = i)]_+ = max_t h_t,    h_t = P_0(S <= t) - lambda P_1(S <= t),

the hockey-stick divergence. The likelihood ratio P_1(S = i) / P_0(S = i) must grow with i (proof notes, 1.2: k reports
of a bit beside any pool of independent reports do so), so that d_i = P_0(i) - lambda P_1(i) changes sign once, from +
to -, and the maximum is h_t at the last t with d_t > 0. For the other direction, P_1 over P_0, take the ``mirror``.

Exact for a rational lambda where the pmf is small; otherwise in integers where they are quicker, else by inversion
(``laws``).

Source: K16, section 4.2, for the pmf.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from dpcalc.errors import Undecided
from dpcalc.laws.fixed_point import FixedPoint, fits
from dpcalc.numbers.ball import bits_for, decide, dyadic
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.threshold import place
from dpcalc.pairs.two_laws import Laws

_SPARE_SUM = 10  # bits of integers, beyond the width asked for: sums of thousands of terms
_SPARE_BITS = 50 + _SPARE_SUM  # and a delta of 1e-12, where it is not known
_SHORT_BITS = 160  # a pair worth integers of so many bits is counted in them faster than by a pass of doubles
_WORD = 32  # precisions are multiples of so many bits, so that one pair keeps few tables
_STEEPEST = 600  # the largest epsilon for which integers are tried
_DECIDED = 8  # d_s is compared with 0 up to so many times the bits that it mostly takes
_DOUBLINGS = 4  # precisions tried: the last serve a delta of 1e-200, or a target next to the total variation


@dataclass(frozen=True)
class Pair(Laws):
    """P_0 and P_1: the pool of the others with the changed record's reports.

    It keeps the integers that it was counted in: a further limit or target costs a look-up only.

    Attributes:
        others: the reports of the others.
        own: x_0 < x_1: a report of the changed record is 1 with probability x_0 under P_0 and x_1 under P_1.
        k: how many reports it adds.
        questions: how many limits are expected. A table of integers pays off if it costs less than so many inversions.
            It steers only, so that pairs that differ in it alone are equal.
    """

    questions: int = field(default=1, compare=False)

    most_exact_bits: ClassVar[int] = 1 << 27

    @property
    def mirror(self) -> Pair:
        """The pair of the counts of zeros: its P_0 is this one's P_1."""
        low, high = self.own
        return replace(self, others=self.others.flipped, own=(1 - high, 1 - low))

    def last_above(self, limit: Limit) -> int:
        """The last outcome whose ratio is above lambda, about: it steers."""
        t = place(self.others.kinds, self.own, self.k, self.tilt(limit))
        return min(max(0, math.floor(t)), self.reports)

    def larger(self, limit: Limit, *, rtol: Fraction) -> tuple[Enclosure, int]:
        """The larger one of delta of P_0 over P_1 and of P_1 over P_0, and whether the second attains its lower end.

        Each is as in ``divergence``; where one is too small to be stored, that is all that is known of it.

        Raises:
            Undecided: rtol is beyond reach.
            TooLarge: both are below 2^-1,000,000, about 1e-301,030.
        """
        if limit.lam is None or not self.exact_fits:
            counted = self._counted(limit, rtol)
            if counted is not None:
                (first, second), bits = counted
                return _between(max(first[0], second[0]), max(first[1], second[1]), bits), int(first[0] < second[0])
        if self.kept_within(limit) and self.mirror.kept_within(limit):
            return Enclosure.of(0), 0
        found = [direction.divergence(limit, rtol=rtol) for direction in (self, self.mirror)]
        low, high = max(one.lower for one in found), max(one.upper for one in found)
        return Enclosure.trusted(low, high), int(found[0].lower < low)

    def exceeds(self, s: int, limit: Limit) -> bool | None:
        """Whether P_0(S = s) > lambda P_1(S = s), by balls; None where they do not tell, as where the two are equal."""
        first, second = self.others + self.zero, self.others + self.one
        start = first.guard_bits + self.reports.bit_length() // 2 + self.cancelled + _SPARE_BITS
        with suppress(Undecided):
            return decide(lambda: first.chance(s) - limit.ball() * second.chance(s), start=start, cap=_DECIDED * start)
        return None

    def ratio_limit(self, delta: Fraction, *, rtol: Fraction) -> Enclosure | None:
        """The least lambda with both divergences at most ``delta``, in integers; None where they are not worth it.

        Args:
            delta: the target.
            rtol: how wide it may be, as a share of its logarithm; exactly 1 if the total variation is at most delta.
        """
        for held in self._integers(rtol, bits_for(delta) + _SPARE_SUM):
            one = 1 << held.bits
            low, high = held.ratio_limit(delta)
            if high == one or (low > one and (high - low) * rtol.denominator * 4 <= (low - one) * rtol.numerator):
                return Enclosure.trusted(dyadic(low, -held.bits), dyadic(high, -held.bits))
        return None

    @property
    def integers_are_fastest(self) -> bool:
        """Whether delta is found in integers faster than in doubles or balls."""
        return bool(self._held) or fits(self.others.kinds, self.k, _SHORT_BITS)

    def _integers(self, rtol: Fraction, spare: int) -> Iterator[FixedPoint]:
        """The pair in integers of more and more bits, as long as they are worth it."""
        bits = -(-(bits_for(rtol) + spare) // _WORD) * _WORD
        for doubled in range(_DOUBLINGS):
            held = self._held.get(bits << doubled) or self._built(bits << doubled)
            if held is None:
                return
            yield held

    def _built(self, bits: int) -> FixedPoint | None:
        """The pair in integers of ``bits`` bits, which is kept; None where they are not worth it."""
        if not fits(self.others.kinds, self.k, bits, self.questions):
            return None
        self._held[bits] = FixedPoint(self.others.kinds, self.own, self.k, bits)
        return self._held[bits]

    @cached_property
    def _held(self) -> dict[int, FixedPoint]:
        return {}

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
            near: about delta, if that is known: fewer bits may do.
        """
        found = self._counted(limit, rtol, near, backward=False)
        return None if found is None else _between(*found[0][0], found[1])

    def _counted(
        self, limit: Limit, rtol: Fraction, near: Fraction | None = None, *, backward: bool = True
    ) -> tuple[list[tuple[int, int]], int] | None:
        """Ends of delta for both directions or the first, to a share ``rtol`` of the larger; and the bits they have."""
        epsilon = limit.steer()  # errors grow like lambda
        if epsilon > _STEEPEST:
            return None
        grown = math.ceil(3 * epsilon / 2)
        spare = _SPARE_BITS + grown if near is None else bits_for(near) + _SPARE_SUM + (grown if grown > _WORD else 0)
        for held in self._integers(rtol, spare):
            ends = limit.scaled(held.bits)
            found = [held.forward.divergence(*ends)]
            if backward:
                found.append(held.backward.divergence(*ends))
            most = max(found)[0]
            if most and max([high - low for low, high in found]) * rtol.denominator <= most * rtol.numerator:
                return found, held.bits
            if not most and self.kept_within(limit) and not (backward and not self.mirror.kept_within(limit)):
                return None
        return None


def _between(low: int, high: int, bits: int) -> Enclosure:
    """A divergence between two numbers of so many bits."""
    return Enclosure.trusted(dyadic(low, -bits), dyadic(min(high, 1 << bits), -bits))
