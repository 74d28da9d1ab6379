r"""One report in a crowd: the histogram of n reports, of which one has the law a or the law b, the others the law c.

A report of the crowd has the outcome y with probability c(y). If these sum to less than 1, the other reports are shown
apart, with their owners: they hide nobody. With W_x(y) = x(y)/c(y), a histogram s of outcomes that the
crowd can have is W_a(s)/W_b(s) times as likely under a as under b, W_x(s) the sum of W_x over the n reports. So

    delta(lambda) = sum over y with c(y) = 0 of [a(y) - lambda b(y)]_+  +  (1/n) E[(X_1 + ... + X_n)_+],

where X = W_a(Y) - lambda W_b(Y) with Y of the law c, and X = 0 for a report shown apart. Outcomes of equal W_a and W_b
count as one. delta is at most that of the one report alone. Proof notes, S1 and S2.

Source: Balle, Bell, Gascon, Nissim 2019 (1903.02837), Lemma 5.3, for one law c and without the first sum.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, lcm

from dpcalc.laws.excess import MAX_POINTS, excess_bound, mean_excess
from dpcalc.numbers.ball import ball, refine
from dpcalc.numbers.elementary import FINE
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.two_laws import TwoLaws

_MAX_BITS = 1 << 30  # size of all weights up to which histograms are listed
_MAX_COUNT = 200_000  # histograms that are listed, in seconds
_QUICK = 50_000  # reports in all histograms together, up to which these are listed at once
_QUICK_POINTS = 1 << 13  # of integration: a tenth of a second
_FEW = 100  # reports up to which the chance that all of them exclude b is an exact power
_FAINTEST = Fraction(1, 1 << 4096)  # a smaller such chance is left out


def outcome_count(reports: int, cells: int) -> int:
    """C(N + c - 1, c - 1), the number of ways to spread N reports over c cells.

    >>> outcome_count(3, 4)
    20
    """
    return comb(reports + cells - 1, cells - 1)


@dataclass(frozen=True, slots=True)
class Crowd(TwoLaws):
    """A report of the law a or b, and n - 1 others.

    Attributes:
        n: reports in all, >= 1.
        inside: triples (W_a, W_b, chance): the outcomes that the crowd has, in order; their chances have the sum 1.
        apart: pairs (a, b): the outcomes that only the one report has.
    """

    n: int
    inside: tuple[tuple[Fraction, Fraction, Fraction], ...]
    apart: tuple[tuple[Fraction, Fraction], ...]

    @property
    def variance(self) -> float:
        """Of the loss among the outcomes that the crowd has, about: as of normal laws."""
        return sum(float((a - b) ** 2 * chance) for a, b, chance in self.inside) / self.n

    @classmethod
    def of(cls, likely: Sequence[Fraction], unlikely: Sequence[Fraction], others: Sequence[Fraction], n: int) -> Crowd:
        """The laws a, b and c by outcomes; c may sum to less than 1.

        >>> half = Fraction(1, 2)
        >>> Crowd.of([1, 0], [0, 1], [half, half], 3).inside == ((0, 2, half), (2, 0, half))
        True
        """
        inside: defaultdict[tuple[Fraction, Fraction], Fraction] = defaultdict(Fraction)
        apart: defaultdict[Fraction | None, list[Fraction]] = defaultdict(lambda: [Fraction(0), Fraction(0)])
        inside[Fraction(0), Fraction(0)] = 1 - sum(others, Fraction(0))
        for a, b, c in zip(likely, unlikely, others, strict=True):
            if c:
                inside[a / c, b / c] += c
            elif a or b:
                alike = apart[a / b if b else None]  # one outcome, for every lambda
                alike[0] += a
                alike[1] += b
        listed = sorted((x, y, chance) for (x, y), chance in inside.items() if chance)
        return cls(n, tuple(listed), tuple(sorted((a, b) for a, b in apart.values())))

    @property
    def mirror(self) -> Crowd:
        """b over a."""
        inside = sorted((b, a, chance) for a, b, chance in self.inside)
        return Crowd(self.n, tuple(inside), tuple(sorted((b, a) for a, b in self.apart)))

    @property
    def histograms(self) -> int:
        """How many histograms there are."""
        return outcome_count(self.n, len(self.inside))

    def listed(self, limit: Limit) -> Enclosure | None:
        """delta summed over every histogram, exact for a rational lambda; None where that takes more than seconds.

        >>> coin, other = [Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]
        >>> Crowd.of(coin, other, coin, 2).listed(Limit.of(lam="3/2")).value
        Fraction(9, 32)
        """
        if self.kept_within(limit):
            return Enclosure.of(0)
        lam, whole = limit.ends, lcm(*(chance.denominator for *_, chance in self.inside))
        if max(self.histograms, self.n) > min(_MAX_COUNT, _MAX_BITS // (self.n * whole.bit_length())):
            return None  # of one kind only, n reports have one histogram
        masses, ends = [int(chance * whole) for *_, chance in self.inside], []
        for end in (lam.upper, lam.lower)[: 1 if lam.exact else 2]:  # it falls in lambda
            gains = [a - end * b for a, b, _ in self.inside]
            unit = lcm(*(x.denominator for x in gains))
            hidden = _excess([int(x * unit) for x in gains], masses, self.n)
            ends.append(self._apart(end) + Fraction(hidden, unit * self.n * whole**self.n))
        return Enclosure(ends[0], ends[-1])

    def enclosed(self, limit: Limit, *, rtol: Fraction) -> Enclosure:
        """delta: quickly, by a long list, or by a long integration."""
        found = self.quick(limit, rtol=rtol)
        return (self.listed(limit) or self.integrated(limit, rtol=rtol)) if wide(found, rtol) else found

    def quick(self, limit: Limit, *, rtol: Fraction) -> Enclosure:
        """delta from a short list, or by a short integration that aims at relative width ``rtol``."""
        found = self.listed(limit) if self.histograms * self.n <= _QUICK else None
        return found or self.integrated(limit, rtol=rtol, points=_QUICK_POINTS)

    def integrated(self, limit: Limit, *, rtol: Fraction, points: int = MAX_POINTS) -> Enclosure:
        """delta as near to relative width ``rtol`` as ``points`` allow, as in ``mean_excess``, for any n.

        >>> coin, other = [Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]
        >>> print(Crowd.of(coin, other, coin, 10**4).integrated(Limit.of(lam="1.1"), rtol=Fraction(1, 10**6)))
        9.311369...e-19
        """
        if self.kept_within(limit):
            return Enclosure.of(0)
        lam = limit.ends
        hidden = mean_excess(self._gains(lam), self.n, rtol=rtol, points=points) / self.n
        lower, upper = self._apart(lam.upper) + hidden.lower, self._apart(lam.lower) + hidden.upper
        most = self._alone(lam.lower)
        return Enclosure(min(lower, most), min(upper, most))

    def bound(self, limit: Limit) -> Fraction:
        """A quick upper bound of delta: that of the report alone, or Chernoff's bound."""
        if self.kept_within(limit):
            return Fraction(0)
        lam = limit.ends
        return min(self._alone(lam.lower), self._apart(lam.lower) + excess_bound(self._gains(lam), self.n) / self.n)

    @property
    def infinite(self) -> Fraction:
        """A lower bound of the chance that what is seen excludes the law b.

        Either the one report has an outcome that b does not have, or all n reports have outcomes with W_b = 0.
        """
        alone = sum((a for a, b in self.apart if not b), Fraction(0))
        excluding = sum((chance for _, b, chance in self.inside if not b), Fraction(0))
        own = sum((a * chance for a, b, chance in self.inside if not b), Fraction(0))
        if not own or excluding == 1 or self.n <= _FEW:
            return alone + excluding ** (self.n - 1) * own
        every = refine(lambda: ball(own) * ((self.n - 1) * ball(excluding - 1).log1p()).exp(), rtol=FINE).lower
        return alone + every if every > _FAINTEST else alone

    def kept_within(self, limit: Limit) -> bool:
        """Whether no outcome of the one report is more than lambda times as likely under a as under b."""
        seen = [(a, b) for a, b, _ in self.inside if a] + [(a, b) for a, b in self.apart if a]
        return all(b for _, b in seen) and limit.allows(max(a / b for a, b in seen))

    def _gains(self, lam: Enclosure) -> list[tuple[Fraction | Enclosure, Fraction]]:
        """The values of X and their probabilities."""
        if lam.exact:
            return [(a - lam.lower * b, chance) for a, b, chance in self.inside]
        return [(a - lam * b if b else a, chance) for a, b, chance in self.inside]

    def _apart(self, lam: Fraction) -> Fraction:
        """The first sum; it falls in lambda."""
        return sum((max(a - lam * b, Fraction(0)) for a, b in self.apart), Fraction(0))

    def _alone(self, lam: Fraction) -> Fraction:
        """delta of the one report, which is shown apart."""
        return self._apart(lam) + sum(max(a - lam * b, Fraction(0)) * chance for a, b, chance in self.inside)


def wide(found: Enclosure, rtol: Fraction) -> bool:
    """Whether it is wider than so relative a width."""
    return found.upper - found.lower > rtol * found.lower


def _excess(values: Sequence[int], masses: Sequence[int], n: int) -> int:
    """The sum of (s . values)_+ over all histograms s of n reports, each as often as n!/s! masses^s says."""
    last = len(values) - 1

    def spread(first: int, left: int, ways: int, total: int) -> int:
        """The sum over the ``left`` reports, of kinds from ``first`` on; ``ways`` and ``total`` are of the others."""
        found: int = ways * masses[last] ** left * max(0, total + left * values[last])
        for kind in range(first, last) if left else ():
            with_kind = ways
            for count in range(1, left + 1):
                with_kind = with_kind * (left - count + 1) * masses[kind] // count
                found += spread(kind + 1, left - count, with_kind, total + count * values[kind])
        return found

    return spread(0, n, 1, 0)
