r"""Two laws of the histogram of N reports in c classes, and exact sums over every histogram.

Under P every report falls into class l with chance m_l; under P' k of them are changed, and fall there with chance
m'_l = w_l m_l. With integer masses a_l = A m_l,

    A^N P(s) = N! prod_l a_l^{s_l} / s_l!,      P'(s)/P(s) = R(s) = [z^k] prod_l (1 + w_l z)^{s_l} / C(N, k),

the mean of the product of the w over k of the reports, drawn without replacement. There are C(N + c - 1, c - 1)
histograms s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, lcm
from operator import mul
from typing import TypeAlias

from dpcalc.numbers.enclosure import Enclosure
from dpcalc.pairs.crowd import outcome_count
from dpcalc.privacy.ratio import powers

#: The sums of (P' - lambda P)_+ and of (P - lambda P')_+.
Excesses: TypeAlias = tuple[Enclosure, Enclosure]

#: P[P' > lambda P], P'[P' > lambda P], P[P > lambda P'], P'[P > lambda P'].
Exceedances: TypeAlias = tuple[Enclosure, Enclosure, Enclosure, Enclosure]

_MAX_BITS = 1 << 30  # size of all weights and ratios up to which the sums are exact
_MAX_COUNT = 200_000  # histograms: seconds


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Two laws of a histogram.

    Attributes:
        total: N.
        changed: k, 1 <= k <= N.
        chances: the m_l > 0, of sum 1; two classes or more.
        others: the m'_l, likewise; only ratios of P' and P are taken, so that any measure will do, of either sign.
    """

    total: int
    changed: int
    chances: Sequence[Fraction]
    others: Sequence[Fraction]

    @property
    def size(self) -> int:
        """The number of histograms.

        >>> half = Fraction(1, 2)
        >>> Neighbours(3, 1, [half, half], [half, half]).size
        4
        """
        return outcome_count(self.total, len(self.chances))

    @property
    def limit(self) -> int:
        """How many histograms of this length are summed over exactly, at most."""
        return min(_MAX_COUNT, _MAX_BITS // (self.total * self.changed * self._scale.bit_length()))

    def excesses(self, lam: Enclosure) -> Excesses:
        """The sums of (P' - lambda P)_+ and of (P - lambda P')_+: exact for a single lambda, as they fall in it.

        >>> q = [Fraction(1, 4), Fraction(3, 4)]
        >>> forward, backward = Neighbours(1, 1, q, q[::-1]).excesses(Enclosure.of(2))
        >>> forward.value, backward.value
        (Fraction(1, 4), Fraction(1, 4))
        """
        ends = [end.as_integer_ratio() for end in (lam.lower, lam.upper)[: 1 if lam.exact else 2]]
        sums = [[0, 0] for _ in ends]
        whole, scale = self._whole()
        for weight, top in self._weighted_ratios():
            for found, (a, b) in zip(sums, ends, strict=True):
                found[0] += weight * max(0, b * top - a * scale)
                found[1] += weight * max(0, b * scale - a * top)
        values = [[Fraction(x, whole * scale * b) for x in found] for found, (_, b) in zip(sums, ends, strict=True)]
        return Enclosure(values[-1][0], values[0][0]), Enclosure(values[-1][1], values[0][1])

    def exceedances(self, lam: Enclosure) -> Exceedances:
        """The chances of P' > lambda P and of P > lambda P', under P and P': exact unless a ratio hides in lambda."""
        sums = [[0] * 4, [0] * 4]
        whole, scale = self._whole()
        for weight, top in self._weighted_ratios():
            for found, (a, b) in zip(sums, map(Fraction.as_integer_ratio, (lam.lower, lam.upper)), strict=True):
                if b * top > a * scale:
                    found[0] += weight * scale
                    found[1] += weight * top
                if b * scale > a * top:
                    found[2] += weight * scale
                    found[3] += weight * top
        ends = ([Fraction(x, whole * scale) for x in found] for found in sums)
        first, second, third, fourth = (Enclosure(low, high) for high, low in zip(*ends, strict=True))
        return first, second, third, fourth

    @property
    def _scale(self) -> int:
        """A."""
        return lcm(*(chance.denominator for chance in self.chances))

    @property
    def _ratios(self) -> list[Fraction]:
        """The w_l."""
        return [other / chance for chance, other in zip(self.chances, self.others, strict=True)]

    def _whole(self) -> tuple[int, int]:
        """What the numbers of ``_weighted_ratios`` are over: A^N, and C(N, k) times the denominators of k ratios."""
        shared = lcm(*(ratio.denominator for ratio in self._ratios))
        return self._scale**self.total, comb(self.total, self.changed) * shared**self.changed

    def _weighted_ratios(self) -> Iterator[tuple[int, int]]:
        """For every histogram P(s) and R(s) as integers."""
        masses = [int(chance * self._scale) for chance in self.chances]
        shared = lcm(*(ratio.denominator for ratio in self._ratios))
        rows = [
            [powers(int(ratio * shared), count, self.changed) for count in range(self.total + 1)]
            for ratio in self._ratios
        ]
        last = len(masses) - 1
        ends = [1]
        for _ in range(self.total):
            ends.append(ends[-1] * masses[last])

        def spread(level: int, left: int, weight: int, terms: list[int]) -> Iterator[tuple[int, int]]:
            """``weight`` and ``terms`` are the products over the classes before ``level``."""
            if level == last:
                yield weight * ends[left], _coefficient(terms, rows[last][left], self.changed)
                return
            for count in range(left + 1):
                more = [_coefficient(terms, rows[level][count], i) for i in range(self.changed + 1)]
                yield from spread(level + 1, left - count, weight, more)
                weight = weight * (left - count) * masses[level] // (count + 1)

        return spread(0, self.total, 1, [1])


def _coefficient(a: list[int], b: list[int], i: int) -> int:
    """[z^i] of the product of two polynomials."""
    first = max(0, i - len(b) + 1)
    return sum(map(mul, a[first : i + 1], reversed(b[max(0, i - len(a) + 1) : i - first + 1])))
