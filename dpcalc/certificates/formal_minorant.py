"""The lower bound of one dataset in all rounds, as a witness for Coq (below.v).

The outcomes of its count are cut into parts, and the parts are merged to outcomes whose losses are multiples of log g
(proof notes, C8). The merging starts with the largest likelihood ratio, and adds parts of the next outcomes until the
ratio of all is at a point of the grid. The choice of the dataset and of the grid only steers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from dpcalc.certificates import whole_numbers
from dpcalc.certificates.coq import next_to
from dpcalc.certificates.whole_numbers import EXACTLY, NOTHING, Minorant, Precision, Setting, Share
from dpcalc.errors import Undecided
from dpcalc.families.bits import Bits
from dpcalc.numbers.decimal import rounded
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.search import logarithm
from dpcalc.rounds.round import Round
from dpcalc.rounds.tilted_rounds import TiltedRounds, tilted

_SCALE, _CUT = 64, 40  # bits of 1/g, and of the share of an outcome
_GUARD = 64  # bits of masses, besides those of delta
_FEW = 100  # up to so many reports the law is exact
_WORK, _FEWEST, _MOST = 2400, 80, 400  # points of the grid, divided by the number of rounds; the fewest and the most
_NARROWEST = 1e-9  # range of losses
_FINER = 8  # the grid may be so many times finer, to have lambda on it
_RARE = 1e-6  # the grid ends at losses that are so rare
_DIGITS = 6  # decimal digits of the end
_WIDER = Fraction(1, 10**9)  # the share by which the end is moved outward: more than the errors of floats
_SHARE = 10_000  # rows go on twice as far while that makes delta larger by more than one part in so many


@dataclass(frozen=True)
class Below:
    """One dataset, the same in all rounds: nearly the worst such dataset.

    Attributes:
        asked: n, k, q, and an upper bound of lambda.
        counts: how many rounds.
        goal: delta is about that.
    """

    asked: Setting
    counts: int
    goal: Fraction

    @cached_property
    def _tilted(self) -> TiltedRounds:
        x = self.asked
        return tilted(((Round(Bits.symmetric(x.q, x.k, x.n - 1)), self.counts),), logarithm(x.lam))

    @cached_property
    def _outcomes(self) -> tuple[list[int], list[int], int, int]:
        """Lower bounds of the P masses, upper bounds of the Q masses, and the units of both."""
        x, unit = self.asked, self.asked.q.denominator**self.asked.k
        law = whole_numbers.law_of(x, self._at, self._named, x.n - 1 - self._named)
        return *whole_numbers.masses(x, law), unit * law.most, unit * law.least

    @property
    def _named(self) -> int:
        return int(self._tilted.chosen[0])

    @property
    def _fine(self) -> int:
        return _GUARD + math.ceil(-logarithm(self.goal) / math.log(2)) + self.counts.bit_length()

    @property
    def _at(self) -> Precision:
        reports = self.asked.k * self.asked.n
        return EXACTLY if reports <= _FEW else Precision(self._fine + 16 + 2 * reports.bit_length(), 1 << 16)

    @cached_property
    def _losses(self) -> tuple[list[float], list[float]]:
        """The loss of each outcome, and its probability under P."""
        P, Q, most, least = self._outcomes
        losses = [logarithm(Fraction(p * least, q * most)) if p else -math.inf for p, q in zip(P, Q, strict=True)]
        return losses, [p / most for p in P]

    @cached_property
    def minorant(self) -> Minorant:
        """The witness; lambda is close to a point of the grid."""
        losses, chances = self._losses
        seen = [x for x, chance in zip(losses, chances, strict=True) if chance > _RARE / self.counts]
        h = max(max(seen) - min(seen), _NARROWEST) / min(max(_WORK // self.counts, _FEWEST), _MOST)
        epsilon = logarithm(self.asked.lam)
        level = 0 if self.asked.lam == 1 else max(1, math.ceil(epsilon / h))
        if level == 1:
            h = max(epsilon, h / _FINER)
        elif level:
            h = epsilon / level
        coarse = math.floor(math.exp(-h) * (1 << _SCALE))
        coarse -= coarse >> 44  # more than the floats' own errors
        empty = Minorant(coarse, _SCALE, self._fine, self._named, self._at, _CUT, [], [], 0, level, 0, 0)
        rare = min(_RARE, float(self.goal) * _RARE) / self.counts
        top = max(x for x, chance in zip(losses, chances, strict=True) if chance > rare)
        deepest, ahead = max(1, math.ceil(-min(seen) / h)), max(1, math.ceil(top / h))
        return self._long_enough(self._made(replace(empty, deepest=deepest), deepest + ahead + 1))

    def _made(self, w: Minorant, points: int) -> Minorant:
        """The witness with the parts of outcomes, and the masses that they add up to."""
        P, Q, most, least = self._outcomes
        grid = whole_numbers.ratios(w, points)
        shares = _shares([p * w.one * least for p in P], [q * most for q in Q], grid, most * least)
        sums = [0] * points
        for p, (first, part) in zip(P, shares, strict=False):
            for i, share in enumerate(part, first):
                sums[i] += share * p
        return replace(w, shares=shares, made=[x * w.one // (most << _CUT) for x in sums])

    def _long_enough(self, w: Minorant) -> Minorant:
        """The witness with rows that reach so far beyond lambda, and below 1, that longer ones would hardly help."""
        room, before, found = len(w.made) * math.isqrt(self.counts), -1, 0
        while found - before > found // _SHARE:
            w, before = replace(w, before=room, after=room), found
            found, room = whole_numbers.rows_down(w, self.counts)[room], 2 * room
        return w

    def above(self, delta: Fraction) -> Minorant:
        """The witness at the highest point of the grid where delta is larger than this; level 0 if there is none."""
        w = self.minorant
        row = whole_numbers.rows_down(w, self.counts)
        at = next((i for i, x in enumerate(row[: w.level + w.before]) if x > delta * w.one), w.level + w.before)
        return replace(w, level=w.level + w.before - at, before=at)

    def needed(self) -> Fraction:
        """A lower bound of delta."""
        w = self.minorant
        return Fraction(whole_numbers.rows_down(w, self.counts)[w.before], w.one)


def _shares(P: Sequence[int], Q: Sequence[int], grid: Sequence[int], unit: int) -> list[Share]:
    """For each outcome, which share of it goes to which point of the grid.

    Args:
        P: the masses, in units such that the ratio is at least a point z of the grid if P >= z Q.
        Q: see there.
        grid: the points, rising.
        unit: P must exceed z Q by at least that, as shares are rounded.
    """
    full, parts = 1 << _CUT, [dict[int, int]() for _ in P]
    order = sorted((i for i, q in enumerate(Q) if q), key=lambda i: Fraction(P[i], Q[i]), reverse=True)
    left, start = [full] * len(P), 0
    for point in reversed(range(len(grid))):
        surplus, taken = 0, dict[int, int]()
        for i in order[start:]:
            apart = P[i] - grid[point] * Q[i]
            taken[i] = left[i] if apart >= 0 else min(left[i], max(0, surplus - unit * full) // -apart)
            surplus += taken[i] * apart
            if taken[i] < left[i]:
                break
        if surplus >= unit * full:  # else the outcomes wait for a lower point
            for i, share in taken.items():
                left[i], parts[i][point] = left[i] - share, share
        while start < len(order) and not left[order[start]]:
            start += 1
    return [_listed(part) for part in parts]


def _listed(part: dict[int, int]) -> Share:
    kept = {i: share for i, share in part.items() if share}
    first, last = min(kept, default=0), max(kept, default=-1)
    return first, [kept.get(i, 0) for i in range(first, last + 1)]


#: A lower end, an upper bound of lambda there, the terms that show this bound, and the witness.
_End = tuple[Fraction, Fraction, int, Minorant]
NO_END: _End = (Fraction(0), Fraction(1), 0, NOTHING)


def lower_end(
    asked: Setting, counts: int, delta: Fraction | None, limit: tuple[str, Fraction], upper: Fraction
) -> _End:
    """The lower end that one dataset shows, rounded down to a short decimal.

    Args:
        asked: n, k, q.
        counts: how many counts change.
        delta: the target, if epsilon is asked for; else None.
        limit: the name and the value of lam or epsilon, at the upper end of the answer.
        upper: that end.
    """
    high, terms = next_to(*limit, above=True)
    if asked.q == 0 or not upper:
        return NO_END
    below = Below(replace(asked, lam=max(high, Fraction(1))), counts, delta or upper)
    if delta is None:
        lower = _downward(min(below.needed(), upper))
        return (lower, high, terms, below.minorant) if lower else NO_END
    found = below.above(delta)
    if not found.level:
        return NO_END
    lower = _downward(Fraction(found.level * math.log((1 << found.scale) / found.coarse)) * (1 - _WIDER))
    high, terms = next_to("epsilon", lower, above=True)
    if high * found.coarse**found.level > 1 << found.scale * found.level:
        raise Undecided("the lower end was not found to hold", Enclosure(lower, upper))
    return lower, high, terms, found


def _downward(x: Fraction) -> Fraction:
    """The next short decimal downward; 0 if x is not above 0."""
    return Fraction(rounded(x, _DIGITS, -1)) if x > 0 else Fraction(0)
