r"""The two laws of one count between which privacy is measured: a pool, and what the changed record adds to it.

Beside the pool of the others, k reports are 1 with probability x_0 under P_0 and x_1 > x_0 under P_1. Either may be 0
or 1: reports that never come or are sure stand in for a record that is not there. For lambda >= 1,

    delta = sum_t [d_t]_+ = max_t h_t,    d_t = P_0(S = t) - lambda P_1(S = t),    h_t = d_0 + ... + d_t,

the hockey-stick divergence: the likelihood ratio P_1(S = t) / P_0(S = t) grows with t, so that d_t changes sign once,
from + to - (proof notes, 1.3 and 11.3), and the maximum is h_t at the last t with d_t > 0. For the other direction,
P_1 over P_0, take the ``mirror``.

Exact for a rational lambda where the pmf is small. Otherwise in integers where they are quicker; else by inversion, h_t
from a sum on a circle (``laws.circle``), together with proofs that d_t > 0 and d_{t+1} < 0.

Source: K16, section 4.2, for the pmf.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from flint import arb

from dpcalc.errors import Undecided
from dpcalc.laws.circle import Factor, Term, at_most
from dpcalc.laws.fixed_point import both, fits, tail_reach
from dpcalc.laws.pool import Pool
from dpcalc.laws.threshold import OnCircles, Threshold, apart, place
from dpcalc.numbers.ball import (
    FAINT,
    MAX_EXPONENT,
    ball,
    bits_for,
    decide,
    enclosure_of,
    refine,
    working_precision,
)  # fmt: skip
from dpcalc.numbers.elementary import FINE
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import logarithm
from dpcalc.pairs.listed import ListedPair, Lowered
from dpcalc.pairs.threshold import log_bound, saddle
from dpcalc.pairs.two_laws import ACCURATE, Outcome, Revealed, TwoLaws, around

_MOST_EXACT = 1 << 27  # bits of a pmf up to which a rational lambda gives a rational delta
_MOST_EXACT_ABSENT = 1 << 24  # if the record is absent from one dataset
_SPARE_BITS = 60  # beyond the width asked for: a delta of 1e-12, and sums of thousands of terms
_WORD = 32  # precisions are multiples of so many bits, so that one pair keeps few tables
_GROUPED = 64  # bits of the distribution functions whose differences are the masses of groups
_FINER = 2  # groups are so many times finer than asked, which costs next to nothing
_SPARE = 128  # bits beyond those of the faintest outcome
_LISTED = 12_000  # outcomes up to which each is listed
_DENSE = 80  # outcomes to a standard deviation, from which on groups of them are as good
_DECIDED = 8  # d_s is compared with 0 up to so many times the bits that it mostly takes


@dataclass(frozen=True)
class Pair(TwoLaws):
    """P_0 and P_1: the pool of the others with the changed record's reports.

    It keeps the integers that it was counted in: a further limit or target costs a look-up only.

    Attributes:
        others: the reports of the others.
        own: x_0 < x_1: a report of the changed record is 1 with probability x_0 under P_0 and x_1 under P_1.
        k: how many reports it adds.
        joined: how many of the least and of the largest outcomes are seen as one each, as counts below a threshold are.
        questions: how many limits are expected. A table of integers pays off if it costs less than so many inversions.
            It steers only, so that pairs that differ in it alone are equal.
    """

    others: Pool
    own: tuple[Fraction, Fraction]
    k: int
    joined: tuple[int, int] = (0, 0)
    questions: int = field(default=1, compare=False)

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
    def added(cls, others: Pool, a: Fraction, k: int) -> Pair:
        """The count without a record and with it, as where n is hidden.

        S counts the others' reports and R the record's. P(S + R = i) / P(S = i) grows with i, as S is log-concave and
        R >= 0. It grows without bound: S + R may exceed all that S can be, so that in the mirror image, S + R over S,
        delta never falls to 0. Adding a report to both pools is post-processing: boxes of datasets are bounded as for a
        changed record.

        Args:
            others: the reports of the others.
            a: a report of the record is 1 with this probability.
            k: how many reports it adds.
        """
        return cls(others, (Fraction(0), a), k)

    @property
    def absent(self) -> bool:
        """Whether the record is there under one law only."""
        return self.own[0] == 0 or self.own[1] == 1

    @property
    def mirror(self) -> Pair:
        """The pair of the counts of zeros: its P_0 is this one's P_1."""
        low, high = self.own
        return replace(self, others=self.others.flipped, own=(1 - high, 1 - low), joined=self.joined[::-1])

    @property
    def infinite(self) -> Fraction:
        """A lower bound of the P_0 mass where P_1 is 0: of fewer ones than are sure under P_1."""
        sure = sum(count for a, count in (self.others + self.one).kinds if a == 1)
        return (self.others + self.zero).at_most(sure - 1, rtol=FINE).lower

    def kept_within(self, limit: Limit) -> bool:
        """Whether no outcome shows a ratio above lambda: the largest is P_0/P_1 at S = 0, where the others cancel."""
        low, high = self.own
        return high < 1 and limit.allows_power((1 - low) / (1 - high), self.k)

    def tilt(self, limit: Limit) -> float:
        """Under which tilt the two laws differ by lambda, whatever the others are; for steering only."""
        return saddle(self.own, self.k, limit)

    def apart(self, limit: Limit) -> float:
        """How many standard deviations lie between the two laws under that tilt; for steering only."""
        return apart(self.others.tilt, [self.zero.tilt, self.one.tilt], self.tilt(limit))

    def halvings(self, limit: Limit) -> float:
        """-log2 of delta at least, about."""
        return -log_bound(self.others.kinds, self.own, self.k, limit) / math.log(2)

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
        return 8 * max((self.others + own).pmf_bytes for own in (self.zero, self.one))

    @property
    def exact_fits(self) -> bool:
        """Whether the exact pmf is small enough to be worth having."""
        return self.exact_bits <= (_MOST_EXACT_ABSENT if self.absent else _MOST_EXACT)

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
        """delta to relative width ``rtol``, for any size: in integers where they are quicker, else by inversion.

        Raises as ``divergence``.
        """
        found = None if self.kept_within(limit) else self.counted(limit, rtol=rtol)
        return self.inverted(limit, rtol=rtol) if found is None else found

    def exact(self, lam: Fraction) -> Fraction:
        """delta for a rational lambda as a rational, summed over every outcome."""
        return self.listed().divergence(lam)

    def inverted(self, limit: Limit, *, rtol: Fraction) -> Enclosure:
        """delta to relative width ``rtol``; ``FAINT`` where it is below 2^-1,000,000, about 1e-301,030.

        Raises:
            Undecided: rtol is beyond reach.
        """
        if self.kept_within(limit):
            return Enclosure.of(0)
        if self.halvings(limit) > MAX_EXPONENT:
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
        """For the last t with d_t > 0, but for outcomes that are joined."""
        kernel, theta, (low, high) = self.kernel(limit), self.tilt(limit), self.joined
        return OnCircles(self.others, kernel, limit, theta, (max(low - 1, 0), self.reports - max(high, 1)))

    def counted(self, limit: Limit, *, rtol: Fraction) -> Enclosure | None:
        """delta in integers; None where they are not worth it, or where it is not proven to be above 0."""
        found = self._counted(limit, rtol, backward=False)
        return None if found is None else found[0]

    def _counted(self, limit: Limit, rtol: Fraction, *, backward: bool = True) -> list[Enclosure] | None:
        """delta for both directions or the first, to a share ``rtol`` of the larger."""
        if self.absent:
            return None
        ways = (self, self.mirror) if backward else (self,)
        bits = bits_for(rtol) + _SPARE_BITS + math.ceil(3 * limit.steer() / 2)  # errors grow like lambda
        bits = -(-bits // _WORD) * _WORD
        deep = min(one.halvings(limit) for one in ways)
        while bits < bits_for(rtol) + deep:
            bits *= 2
        while bits in self._held or fits((*self.others.kinds, (self.own[0], self.k)), bits, self.questions):
            if bits not in self._held:
                self._held[bits] = Lowered.of(*self.below(bits))
            held, lam = self._held[bits], limit.ends_to(bits)
            found = [side.divergence(lam) for side in ((held, held.mirror) if backward else (held,))]
            most = max(one.lower for one in found)
            if most and max(one.upper - one.lower for one in found) <= rtol * most:
                return found
            if not most and all(one.kept_within(limit) for one in ways):
                return None
            bits *= 2
        return None

    def below(self, bits: int) -> tuple[list[int], list[int], int]:
        """Lower bounds of the masses, see ``laws.fixed_point``."""
        return both(self.others.kinds, self.own, self.k, bits)

    def listed(self) -> ListedPair:
        """All outcomes, in the order of their number of ones: P/Q falls, which need not be looked at (1.3)."""
        laws = [(self.others + own).pmf() for own in (self.zero, self.one)]
        whole, (low, high) = math.lcm(*(pmf.denominator for pmf in laws)), self.joined
        cuts = [0, *range(max(low, 1), self.reports + 2 - max(high, 1)), self.reports + 1]
        likely, unlikely = (
            [whole // pmf.denominator * sum(pmf.weights[a:b]) for a, b in pairwise(cuts)] for pmf in laws
        )
        return ListedPair.falling(zip(likely, unlikely, strict=True), whole)

    def revealed(self, *, centre: float, fineness: int, bits: int) -> Revealed | None:
        """The outcomes, one by one and known to so many bits where they are few; else in groups, narrow ones about a
        loss. None where some are joined.
        """
        if any(self.joined):
            return None
        faintest = _halvings([*self.others.kinds, *((a, self.k) for a in self.own)], lambda a: min(a, 1 - a))
        found = self._listed(min(bits, faintest))
        return found or Revealed(self._grouped(centre, fineness), arb(0), None)

    @property
    def largest_loss_bits(self) -> int:
        """-log2 of the outcome with the largest loss, no report of 1, and some more: those that lose are hardly
        fainter.
        """
        return _halvings([*self.others.kinds, (self.own[1], self.k)], lambda a: 1 - a)

    def _listed(self, bits: int) -> Revealed | None:
        """All outcomes, from integers whose floors are counted: what is missing of their sums is at most missing from
        any outcome. None if there are too many.
        """
        variance = float(self.others.variance)
        count = min(self.others.size, 2 * tail_reach(variance, bits * math.log(2)))
        if count > _LISTED or variance > _DENSE**2:
            return None
        likely, unlikely, total = self.below(bits)
        off, other_off = (total - sum(terms) for terms in (likely, unlikely))
        with working_precision(ACCURATE):  # however faint an outcome is
            half = 1 / arb(2 * total)  # each x is at most so much too low; twice its middle is x + (x + off)
            found = [
                (arb(2 * x + off, off) * half, arb(2 * y + other_off, other_off) * half)
                for x, y in zip(reversed(likely), reversed(unlikely), strict=True)  # the largest loss is at S = 0
            ]
        missing = arb(0) if len(likely) == self.reports + 1 else ball(Fraction(off, total))
        return Revealed(found, arb(0), missing)

    def _grouped(self, loss: float, fineness: int) -> list[Outcome]:
        """Outcomes between cuts, which steer: differences of distribution functions, all from one circle."""
        limit = Limit.exp(max(Fraction(loss), Fraction(0)))
        middle, deviation = self.last_above(limit), math.sqrt(self.others.tilt.variance(self.tilt(limit)))
        stride = max(1, round(deviation / fineness / _FINER))
        places = [t for t in sorted(around(middle, stride, deviation)) if 0 <= t < self.reports]
        with working_precision(_GROUPED + self.others.guard_bits):  # in the tail each is as accurate
            ends = [[arb(0), arb(0)], *at_most(self.others, (self.zero, self.one), places), [arb(1), arb(1)]]
            return [(c - a, d - b) for (a, b), (c, d) in reversed(list(pairwise(ends)))]

    def last_above(self, limit: Limit) -> int:
        """The last outcome whose ratio is above lambda, about: it steers."""
        t = place(self.others.tilt, [self.zero.tilt, self.one.tilt], self.tilt(limit))
        return min(max(0, math.floor(t)), self.reports)

    def larger(self, limit: Limit, *, rtol: Fraction, exact: bool = True) -> tuple[Enclosure, int]:
        """The larger one of delta of P_0 over P_1 and of P_1 over P_0, and whether the second attains its lower end.

        Each is as in ``divergence``; where one is too small to be stored, that is all that is known of it.

        Raises:
            Undecided: rtol is beyond reach.
            TooLarge: both are below 2^-1,000,000, about 1e-301,030.
        """
        exact = exact and limit.lam is not None and self.exact_fits
        if not exact and (counted := self._counted(limit, rtol)) is not None:
            first, second = counted
            found = Enclosure(max(first.lower, second.lower), max(first.upper, second.upper))
            return found, int(first.lower < second.lower)
        if self.kept_within(limit) and self.mirror.kept_within(limit):
            return Enclosure.of(0), 0
        ask = Pair.divergence if exact else Pair.inverted
        both = [ask(direction, limit, rtol=rtol) for direction in (self, self.mirror)]
        low, high = max(one.lower for one in both), max(one.upper for one in both)
        return Enclosure.trusted(low, high), int(both[0].lower < low)

    def exceeds(self, s: int, limit: Limit) -> bool | None:
        """Whether P_0(S = s) > lambda P_1(S = s), by balls; None where they do not tell, as where the two are equal."""
        search = self.search(limit)
        start = self.others.guard_bits + self.reports.bit_length() // 2 + self.cancelled + _SPARE_BITS
        with suppress(Undecided):
            return decide(lambda: search.at(s).here, start=start, cap=_DECIDED * start)
        return None

    @cached_property
    def _held(self) -> dict[int, Lowered]:
        return {}


def _halvings(reports: Sequence[Factor], chance: Callable[[Fraction], Fraction]) -> int:
    """-log2 of the product of these chances, and some more: no outcome needs more bits."""
    halvings = sum(-logarithm(chance(a)) / math.log(2) * count for a, count in reports if 0 < a < 1)
    return math.ceil(min(halvings, 1e9)) + _SPARE
