r"""The family of a histogram of asymmetric reports whose records are replaced: two counts, every dataset of both.

The record leaves a category that m of the N = n - 1 others hold, and enters one that e of them hold. Under P its bits
there are 1 and 0, under Q they are 0 and 1. The two counts are independent, and the other counts say nothing. The other
direction is the same with the two categories exchanged. So one direction with all pairs (m, e) is the whole family:

    m + e <= N, with equality if there are but two categories.

The largest delta is found over boxes of (m, e) in doubles (``families.boxes``; proof notes, A3), or in fractions where
there is little to sum.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from dpcalc.errors import Undecided
from dpcalc.families.bits import Bits
from dpcalc.families.boxes import Boxes
from dpcalc.laws.pool import Pool
from dpcalc.mechanisms.unary import AsymmetricBits
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.family import Attained, OfMechanism, Progress, Width
from dpcalc.pairs.listed import Beside, ListedPair
from dpcalc.pairs.named import NamedPairs
from dpcalc.worst.datasets import HistogramDataset

_MOST_EXACT = 300_000  # terms, up to which delta is summed in fractions
_LOW, _HIGH, _COARSE = 0.25, 0.9, Fraction(1, 100)  # shares of the largest loss where datasets are compared; the width
_WORK = 25_000_000  # outcomes visited in the search over boxes

#: m and e.
_Counts = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TwoCounts(OfMechanism[Attained], NamedPairs[Attained]):
    """Every dataset."""

    mechanism: AsymmetricBits

    delta_width = Width("1e-3", "1e-9")
    epsilon_width = Width("1e-3", "1e-6")
    one_is_quick = True

    def delta(self, limit: Limit, *, rtol: Fraction, exact: bool = True, progress: Progress | None = None) -> Attained:
        """The largest delta; exact for a rational lambda where there is little to sum.

        Raises:
            Undecided: lambda or a chance is too extreme for doubles.
        """
        if _within(self.mechanism, limit):
            return Attained(Fraction(0), Fraction(0), _named(next(_all(self.mechanism))))
        if limit.lam is not None and _terms(self.mechanism) <= _MOST_EXACT:
            best, at = max((_both(self.mechanism, at).divergence(limit.lam), at) for at in _all(self.mechanism))
            return Attained(best, best, _named(at))
        boxes = _boxes(self.mechanism)
        start = boxes.attained(limit)
        if not start:
            nothing = Enclosure(Fraction(0), Fraction(1))
            raise Undecided("lambda or a chance is too extreme for doubles", nothing)
        found = boxes.bounded(limit, start, level=None, rtol=float(rtol), work=_WORK, progress=progress)
        at = self.mechanism.n - 1 - found.ones[-1], found.ones[0]
        return Attained(Fraction(found.lower), Fraction(found.upper), _named(at)).aimed(rtol)

    @property
    def spread(self) -> float:
        """About the standard deviation of the loss: as of Gaussian noise on two counts that change."""
        group = self.mechanism.group
        variance = group.n * group.k * min(float(a * (1 - a)) for a in group.chances)
        gap = float(group.own[1] - group.own[0]) * group.k
        return min(gap * math.sqrt(2 / max(variance, 1e-300)), float(self.highest))

    def one(self, limit: Limit, *, rtol: Fraction) -> Enclosure:
        """A dataset with nothing but zeros or ones in the two counts."""
        found = _boxes(self.mechanism).attained(limit)
        return Enclosure(Fraction(found.lower), Fraction(found.upper)) if found else self.delta(limit, rtol=rtol)

    def every(self, most: int) -> Iterable[tuple[HistogramDataset, ListedPair]]:
        """In one direction: the other one is the same with the categories exchanged."""
        for at in _all(self.mechanism) if _terms(self.mechanism) <= most else ():
            left, entered = (_pair(self.mechanism, m) for m in at)
            yield _named(at), left.beside(entered.mirror)

    def counts(self, loss: float) -> Sequence[tuple[NamedPairs[Any], int]]:
        """The count that is left, 1 over 0, and the one that is entered, with ones of the worst dataset at this loss.

        Each is bounded over all its datasets; which of these occur together is not looked at. The product of the two
        families holds the mirror image of each pair, with exchanged categories.
        """
        near = min(max(loss, min(self.spread, _LOW * float(self.highest))), _HIGH * float(self.highest))
        at = self.delta(Limit.exp(Fraction(near)), rtol=_COARSE).dataset
        entered = Bits(self.mechanism.group.own, self.mechanism.k, self.mechanism.n - 1)
        return (entered.flipped, entered.others - at.left[0]), (entered, at.entered[0])

    def pair(self, at: HistogramDataset, *, rtol: Fraction) -> Beside:
        """Both counts of a dataset, listed."""
        return _both(self.mechanism, (at.left[0], at.entered[0]))

    def together(self, chosen: Sequence[int]) -> HistogramDataset:
        """The dataset, given the ones of both counts, of the first one with zeros in their place."""
        return _named((self.mechanism.n - 1 - chosen[0], chosen[1]))


def _boxes(mechanism: AsymmetricBits) -> Boxes:
    """The count entered, with e ones, and the one left, with ones and zeros exchanged: N - m ones. e <= N - m."""
    entered = Bits(mechanism.group.own, mechanism.k, mechanism.n - 1)
    left = entered.flipped
    return Boxes([(entered, left)], []) if mechanism.categories == 2 else Boxes([(entered,), (left,)], [True])


def _within(mechanism: AsymmetricBits, limit: Limit) -> bool:
    """Whether no outcome shows a ratio above lambda: the largest ratio is that of one record's own reports."""
    a, b = mechanism.chances
    return limit.allows_power(a * (1 - b) / (b * (1 - a)), mechanism.k)


def _terms(mechanism: AsymmetricBits) -> int:
    """How many terms the sums over all datasets have."""
    datasets = mechanism.n if mechanism.categories == 2 else mechanism.n * (mechanism.n + 1) // 2
    return datasets * (mechanism.n * mechanism.k + 1) ** 2


def _all(mechanism: AsymmetricBits) -> Iterator[_Counts]:
    others = mechanism.n - 1
    for m in range(others + 1):
        for e in range(others - m if mechanism.categories == 2 else 0, others - m + 1):
            yield m, e


def _both(mechanism: AsymmetricBits, at: _Counts) -> Beside:
    """Every outcome of both counts."""
    left, entered = (_pair(mechanism, m) for m in at)
    return Beside(left, entered.mirror)


@lru_cache(maxsize=256)
def _pair(mechanism: AsymmetricBits, m: int) -> ListedPair:
    """The counts with m ones beside a changed 1, and a changed 0."""
    b, a = mechanism.group.own
    others = Pool.of((a, mechanism.k * m), (b, mechanism.k * (mechanism.n - 1 - m)))
    one, zero = ((others + Pool.of((x, mechanism.k))).pmf() for x in (a, b))
    return ListedPair.between(one, zero)


def _named(at: _Counts) -> HistogramDataset:
    return HistogramDataset((at[0],), (at[1],))
