r"""The family of a histogram with listed noise: of two counts one goes up by c, and the other down by c.

With f the pmf of the noise X, P is the law of (X, X + c) and Q that of (X + c, X). With a_i = f(i) and b_i = f(i - c),

    delta = sum_i sum_j [a_i b_j - lambda b_i a_j]_+,

two listed pairs beside each other. The other direction is the same with the two counts exchanged. If f is log-concave,
delta of each count grows with its change, in both directions, and so does that of both.

Source: proof notes, N3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from dpcalc.mechanisms.noisy_count import NoisyHistogram
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import Promise, Words
from dpcalc.pairs.family import OfMechanism, Width
from dpcalc.pairs.listed import Beside, ListedPair
from dpcalc.pairs.named import NamedPairs

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
class OppositeShifts(OfMechanism[MoveDelta], NamedPairs[MoveDelta]):
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
        found = _counts(self.mechanism).enclosed(limit, rtol=rtol)
        return MoveDelta(found.lower, found.upper, Move(self.mechanism.count.sensitivity), **_MOVED)

    @property
    def spread(self) -> float:
        """As of two counts with normal noise of the same standard deviation."""
        count = self.mechanism.count
        return math.sqrt(2) * count.sensitivity / max(count.noise.law.deviation, 1e-3)

    def rest(self, rtol: Fraction) -> Enclosure:
        """The probability of an infinite loss."""
        return Enclosure.of(_counts(self.mechanism).infinite)

    def named(self, found: Promise) -> Move:
        """The largest change."""
        return Move(self.mechanism.count.sensitivity)

    def pair(self, at: Move, *, rtol: Fraction) -> Beside:
        """The one pair."""
        return _counts(self.mechanism)


@lru_cache(maxsize=16)
def _counts(mechanism: NoisyHistogram) -> Beside:
    """X over X + c, beside X + c over X."""
    one = ListedPair.between(mechanism.pmf, mechanism.pmf, mechanism.count.sensitivity)
    return Beside(one, one.mirror)
