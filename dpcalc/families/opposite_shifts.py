r"""The family of a histogram with listed noise: of two counts one goes up by c, and the other down by c.

With f the pmf of the noise X, P is the law of (X, X + c) and Q that of (X + c, X). With a_i = f(i) and b_i = f(i - c),

    delta = sum_i sum_j [a_i b_j - lambda b_i a_j]_+ = sum_i a_i B(i) - lambda b_i A(i),

where A(i) and B(i) are the sums of a_j and of b_j over the j with lambda a_j b_i < a_i b_j: running sums in rising
order of a/b. The other direction is the same with the two counts exchanged. If f is log-concave, delta of each count
grows with its change, in both directions, and so does that of both. An irrational lambda lies between two rationals,
whose deltas enclose delta, as it falls.

Source: proof notes, N3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from dpcalc.errors import Undecided
from dpcalc.mechanisms.noisy_histogram import NoisyHistogram
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import Promise, Words
from dpcalc.pairs.directions import Directions, NamedPairs
from dpcalc.pairs.family import Width

_START, _CAP = 136, 1 << 13  # bits of an irrational lambda: first, and at most
_MOVED: Words = {"attained_by": "one change of two counts", "proven_for": "every two neighbouring histograms"}


@dataclass(frozen=True, slots=True)
class Move:
    """A record that leaves one category and enters another; ``by`` is how much it counts in both."""

    by: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MoveDelta(Promise):
    """delta of a noisy histogram, and the move that reaches it."""

    dataset: Move


@dataclass(frozen=True, slots=True)
class OppositeShifts(NamedPairs[MoveDelta]):
    """The largest change of two counts, in opposite directions."""

    mechanism: NoisyHistogram

    delta_width = Width("1e-12", "1e-1000")
    epsilon_width = Width("1e-6", "1e-9")
    words = _MOVED

    def delta(self, limit: Limit, *, rtol: Fraction, **_: Any) -> MoveDelta:
        """delta of the one pair; exact for a rational lambda.

        Raises:
            Undecided: the width is beyond reach.
        """
        ratios = _ratios(self.mechanism)
        if limit.allows(ratios.steepest):
            return self._found(ratios.rest, ratios.rest)
        bits = _START
        while True:
            ends = limit.ends_to(bits)
            found = self._found(*map(ratios.excess, (ends.upper, ends.lower)))
            if found.exact or (found.lower > 0 and found.relative_width() <= rtol):
                return found
            if bits >= _CAP:
                raise Undecided(f"delta of two counts is not known to relative width {float(rtol)}", found)
            bits *= 2

    def _found(self, lower: Fraction, upper: Fraction) -> MoveDelta:
        return MoveDelta(lower, upper, Move(self.mechanism.count.sensitivity), **_MOVED)

    @property
    def spread(self) -> float:
        """As of two counts with normal noise of the same standard deviation."""
        count = self.mechanism.count
        return math.sqrt(2) * count.sensitivity / max(count.noise.law.deviation, 1e-3)

    def rest(self, rtol: Fraction) -> Enclosure:
        """The probability of an infinite loss."""
        return Enclosure.of(_ratios(self.mechanism).rest)

    def named(self, found: Promise) -> Move:
        """The largest change."""
        return Move(self.mechanism.count.sensitivity)

    def directions(self, at: Move, *, rtol: Fraction) -> Directions:
        """Both have the same delta."""
        ratios = _ratios(self.mechanism)

        def found(lam: Fraction) -> Enclosure:
            return Enclosure.of(ratios.excess(lam))

        return Directions(found, found, ratios.rest)


class _Ratios(NamedTuple):
    """One count: the weights of X and of X + c where both occur, in rising order of their ratios.

    Attributes:
        likely, unlikely: the weights.
        whole: the sum of all weights.
    """

    likely: tuple[int, ...]
    unlikely: tuple[int, ...]
    whole: int

    @property
    def rest(self) -> Fraction:
        """What delta tends to: the chance that one count shows what it never shows under Q."""
        return 1 - Fraction(sum(self.likely) * sum(self.unlikely), self.whole**2)

    @property
    def steepest(self) -> Fraction:
        """The largest finite ratio of two counts; 0 where there is none."""
        if not self.likely:
            return Fraction(0)
        return Fraction(self.likely[-1] * self.unlikely[0], self.unlikely[-1] * self.likely[0])

    def excess(self, lam: Fraction) -> Fraction:
        """delta at a rational lambda."""
        u, v = lam.numerator, lam.denominator
        total = sum_a = sum_b = j = 0
        for a, b in zip(self.likely, self.unlikely, strict=True):
            while j < len(self.likely) and v * a * self.unlikely[j] > u * b * self.likely[j]:
                sum_a, sum_b, j = sum_a + self.likely[j], sum_b + self.unlikely[j], j + 1
            total += v * a * sum_b - u * b * sum_a
        return self.rest + Fraction(total, v * self.whole**2)


@lru_cache(maxsize=16)
def _ratios(mechanism: NoisyHistogram) -> _Ratios:
    pmf, change = mechanism.pmf, mechanism.count.sensitivity
    both = [(a, b) for a, b in zip(pmf.weights[change:], pmf.weights, strict=False) if a and b]
    both.sort(key=lambda one: Fraction(*one))
    return _Ratios(tuple(a for a, _ in both), tuple(b for _, b in both), pmf.denominator)
