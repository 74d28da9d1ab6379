r"""Two laws P and Q of few outcomes, summed exactly: sum [P - lambda Q]_+ of one pair, or of two beside each other.

In falling order of P/Q the outcomes with P > lambda Q come first. Of two independent pairs, outcomes of ratios r and r'
count where r r' > lambda: as r falls, fewer and fewer r' do. delta falls in lambda, so that two rationals around an
irrational lambda give two ends of delta. From the largest finite ratio on delta is the P mass where Q is 0. Of many
outcomes masses are bounded from below (proof notes, 10).
"""

from __future__ import annotations

import math
from abc import abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise, product, zip_longest
from typing import Any

from flint import arb, fmpz_poly

from dpcalc.errors import Undecided
from dpcalc.laws.pmf import Pmf
from dpcalc.numbers.ball import ball, dyadic, working_precision
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.two_laws import ACCURATE, Revealed, TwoLaws

_START, _CAP = 136, 1 << 17  # bits of an irrational lambda: first, and at most


class Summed(TwoLaws):
    """A pair of laws whose divergence is a finite sum of rationals at every rational lambda."""

    @property
    @abstractmethod
    def steepest(self) -> Fraction:
        """The largest finite P/Q; 0 where there is none."""

    @abstractmethod
    def divergence(self, lam: Fraction) -> Fraction:
        """sum [P - lambda Q]_+ for lambda >= 0."""

    def enclosed(self, limit: Limit, *, rtol: Fraction) -> Enclosure:
        """delta: exact for a rational lambda."""
        if limit.allows(self.steepest):
            return Enclosure.of(self.infinite)
        return refined(self.divergence, limit, rtol)


def refined(divergence: Callable[[Fraction], Fraction], limit: Limit, rtol: Fraction) -> Enclosure:
    """A divergence that is known at every rational lambda, to a relative width.

    Raises:
        Undecided: it is too small to tell from 0.
    """
    bits = _START
    while True:
        ends = limit.ends_to(bits)
        found = Enclosure(divergence(ends.upper), divergence(ends.lower))
        if found.exact or (found.lower > 0 and found.relative_width() <= rtol):
            return found
        if bits >= _CAP:
            raise Undecided(f"delta is not known to relative width {float(rtol):.3g}", found)
        bits *= 2


@dataclass(frozen=True, eq=False)
class ListedPair(Summed):
    """P and Q as integer weights over one denominator, of outcomes in falling order of P/Q.

    Attributes:
        likely, unlikely: the weights.
        whole: the denominator.
    """

    likely: tuple[int, ...]
    unlikely: tuple[int, ...]
    whole: int

    @classmethod
    def falling(cls, outcomes: Iterable[tuple[int, int]], whole: int) -> ListedPair:
        """Of weights (p, q) in falling order of p/q."""
        seen = list(filter(any, outcomes))
        return cls(tuple(p for p, _ in seen), tuple(q for _, q in seen), whole)

    @classmethod
    def sorted(cls, outcomes: Iterable[tuple[int, int]], whole: int) -> ListedPair:
        """Of weights (p, q) in any order; outcomes of one ratio count as one.

        >>> ListedPair.sorted([(1, 3), (0, 0), (2, 1), (4, 2)], 7)
        ListedPair(likely=(6, 1), unlikely=(3, 3), whole=7)
        """
        seen = list(filter(any, outcomes))
        if all(p * y > x * q for (p, q), (x, y) in pairwise(seen)):
            return cls.falling(seen, whole)
        bits = 2 * whole.bit_length()  # two ratios of weights differ by more than 2^-bits
        found: dict[int, tuple[int, int]] = {}
        for p, q in seen:
            a, b = found.get(ratio := _ratio(p, q, bits), (0, 0))
            found[ratio] = a + p, b + q
        return cls.falling((found[ratio] for ratio in sorted(found, reverse=True)), whole)

    @classmethod
    def of(cls, first: Mapping[Any, Fraction], second: Mapping[Any, Fraction]) -> ListedPair:
        """Of the masses of two laws."""
        whole = math.lcm(*(mass.denominator for law in (first, second) for mass in law.values()))
        laws = ({x: p.numerator * (whole // p.denominator) for x, p in law.items()} for law in (first, second))
        likely, unlikely = laws
        return cls.sorted(((likely.get(x, 0), unlikely.get(x, 0)) for x in {**first, **second}), whole)

    @classmethod
    def between(cls, first: Pmf, second: Pmf, shift: int = 0) -> ListedPair:
        """Of two counts, the second one moved up."""
        whole = math.lcm(first.denominator, second.denominator)
        likely, unlikely = ([x * (whole // pmf.denominator) for x in pmf.weights] for pmf in (first, second))
        moved = [0] * min(shift, len(likely)) + unlikely  # by more than all outcomes is as good as by all
        return cls.sorted(zip_longest(likely, moved, fillvalue=0), whole)

    def beside(self, other: ListedPair) -> ListedPair:
        """With an independent pair, seen together, as one list."""
        each = ([*zip(one.likely, one.unlikely, strict=True)] for one in (self, other))
        outcomes = ((p * x, q * y) for (p, q), (x, y) in product(*each))
        return ListedPair.sorted(outcomes, self.whole * other.whole)

    @cached_property
    def mirror(self) -> ListedPair:
        """Q over P."""
        return ListedPair(self.unlikely[::-1], self.likely[::-1], self.whole)

    def revealed(self, *, centre: float, fineness: int, bits: int) -> Revealed:
        """All outcomes."""
        masses = zip(reversed(self.likely), reversed(self.unlikely), strict=True)
        with working_precision(ACCURATE):
            outcomes = [(ball(Fraction(p, self.whole)), ball(Fraction(q, self.whole))) for p, q in masses if p and q]
            return Revealed(outcomes, ball(self.infinite), arb(0))

    @cached_property
    def _sums(self) -> tuple[list[int], list[int]]:
        """Of the first outcomes: none, one, two, ..."""
        return list(accumulate(self.likely, initial=0)), list(accumulate(self.unlikely, initial=0))

    @cached_property
    def _known(self) -> int:
        """How many outcomes Q does not have: they come first."""
        return self.unlikely.count(0)

    @property
    def infinite(self) -> Fraction:
        """The P mass where Q is 0."""
        return Fraction(self._sums[0][self._known], self.whole)

    @cached_property
    def steepest(self) -> Fraction:
        """The largest finite P/Q; 0 where there is none."""
        first = self._known
        return Fraction(self.likely[first], self.unlikely[first]) if first < len(self.likely) else Fraction(0)

    def divergence(self, lam: Fraction) -> Fraction:
        """sum [P - lambda Q]_+ for lambda >= 0.

        >>> ListedPair((3, 1), (1, 3), 4).divergence(Fraction(2))
        Fraction(1, 4)
        """
        a, b = lam.as_integer_ratio()
        outcomes = range(len(self.likely))
        count = bisect_left(outcomes, True, key=lambda i: b * self.likely[i] <= a * self.unlikely[i])
        likely, unlikely = self._sums
        return Fraction(b * likely[count] - a * unlikely[count], b * self.whole)


@dataclass(frozen=True, slots=True)
class Lowered:
    """P and Q by lower bounds of their masses.

    With p and q the bounds, e and f what is missing of their sums, P(I) - lambda Q(I) is at least p(I) - lambda q(I)
    less lambda f and at most p(I) - lambda q(I) and e more, for every event I: and so is delta beside the largest of
    them. The first outcomes in falling order of P/Q are the events that count. Where p/q rises, neighbours are joined.

    Attributes:
        pair: the bounds.
        missing: e and f.
    """

    pair: ListedPair
    missing: tuple[Fraction, Fraction]

    @classmethod
    def of(cls, likely: Sequence[int], unlikely: Sequence[int], whole: int) -> Lowered:
        """Of bounds of the masses times ``whole``, in falling order of the masses' ratios."""
        falling: list[tuple[int, int]] = []
        for p, q in zip(likely, unlikely, strict=True):
            while falling and p * falling[-1][1] >= falling[-1][0] * q:
                before = falling.pop()
                p, q = p + before[0], q + before[1]
            falling.append((p, q))
        missing, other = (Fraction(whole - sum(terms), whole) for terms in (likely, unlikely))
        return cls(ListedPair.falling(falling, whole), (missing, other))

    @property
    def mirror(self) -> Lowered:
        """Q over P."""
        return Lowered(self.pair.mirror, self.missing[::-1])

    def divergence(self, lam: Enclosure) -> Enclosure:
        """delta, for every lambda in an interval; between short binary fractions, which are soon compared."""
        bits = self.pair.whole.bit_length() // 2  # those of a law; products have twice as many
        low = self.pair.divergence(lam.upper) - lam.upper * self.missing[1]
        high = self.pair.divergence(lam.lower) + self.missing[0]
        least, most = max(math.floor(low * (1 << bits)), 0), min(math.ceil(high * (1 << bits)), 1 << bits)
        return Enclosure.trusted(dyadic(least, -bits), dyadic(most, -bits))


@dataclass(frozen=True, eq=False)
class Beside(Summed):
    """Two independent pairs that are seen together."""

    first: ListedPair
    second: ListedPair

    @property
    def mirror(self) -> Beside:
        """Q over P."""
        return Beside(self.first.mirror, self.second.mirror)

    @property
    def infinite(self) -> Fraction:
        """The P mass where Q is 0 in either."""
        return 1 - (1 - self.first.infinite) * (1 - self.second.infinite)

    @property
    def steepest(self) -> Fraction:
        """The largest finite ratio of both together."""
        return self.first.steepest * self.second.steepest

    def divergence(self, lam: Fraction) -> Fraction:
        """sum [P - lambda Q]_+ for lambda >= 0.

        >>> coin = ListedPair((3, 1), (1, 3), 4)
        >>> Beside(coin, coin).divergence(Fraction(2))
        Fraction(7, 16)
        """
        a, b = lam.as_integer_ratio()
        p, q = self.second.likely, self.second.unlikely
        total, count, likely, unlikely = 0, len(p), sum(p), sum(q)
        for x, y in zip((b * x for x in self.first.likely), (a * y for y in self.first.unlikely), strict=True):
            while count and x * p[count - 1] <= y * q[count - 1]:
                count -= 1
                likely, unlikely = likely - p[count], unlikely - q[count]
            total += x * likely - y * unlikely
        return Fraction(total, b * self.first.whole * self.second.whole)


@lru_cache(maxsize=128)
def sampled(
    own: tuple[Fraction, Fraction], k: int, share: Fraction, numbered: bool, others: int, ones: int
) -> ListedPair:
    """A sampled client that holds 0, over one that holds 1, beside clients that do not change.

    A client reports with probability gamma, k reports that are 1 with probability x each: with u for a client that
    reports and z for a one, it is 1 - gamma + gamma u (1 - x + x z)^k. The coefficients of a product of these are the
    chances of t clients and s ones; with u = 1 those of s ones alone. With u = z^D, D above every s, both are
    coefficients of one polynomial in z.

    Args:
        own: the chance that a report is 1 if the bit is 0, and if it is 1.
        k: the reports of a client that reports.
        share: gamma.
        numbered: whether the number of clients that report is seen.
        others: how many clients do not change.
        ones: how many of them hold 1.
    """
    each = math.lcm(*(x.denominator for x in own))
    whole, gap = share.denominator * each**k, (others + 1) * k + 1
    silent = fmpz_poly([int((1 - share) * whole)])
    reporting = fmpz_poly([0] * (gap if numbered else 0) + [share.numerator])  # gamma u
    zero, one = (silent + reporting * fmpz_poly([int((1 - x) * each), int(x * each)]) ** k for x in own)
    beside = zero ** (others - ones) * one**ones
    laws = (map(int, (beside * changed).coeffs()) for changed in (zero, one))
    return ListedPair.sorted(zip(*laws, strict=True), whole ** (others + 1))


def _ratio(p: int, q: int, bits: int) -> int:
    """2^bits p/q, rounded down; for q = 0 more than all others, as no weight has more than half as many bits."""
    return (p << bits) // q if q else 1 << 2 * bits
