r"""The worst of many crowds: the largest delta of one report in a crowd, and the epsilon at which it falls to a target.

Many crowds are compared by quick bounds first; those that may be the largest are then enclosed loosely, and as narrowly
as asked where that settles the answer. Whatever is not looked at is below the bound that is returned with the others.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Generic, TypeVar

from dpcalc.counts.crowd import Crowd
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import beside, logarithm, logit, steer
from dpcalc.privacy.accounted import Progress

__all__ = ["Crowds"]

#: In which a crowd is found: a dataset.
Case = TypeVar("Case")

_LOOSE = Fraction(1, 10)  # the width to which crowds are compared at first
_MOST_LOOKED_AT = 100  # crowds that are looked at closely
_FEW = 50_000  # reports in all histograms together, that are listed at once
_FEW_POINTS = 1 << 13  # of integration: a tenth of a second
_LEAST = 1e-18  # epsilons below are not searched
_MOVES = 4  # times the worst crowd is sought anew at the epsilon found


class Crowds(Generic[Case]):
    """Different crowds, and for each a dataset in which it is found."""

    def __init__(self, found: dict[Crowd, Case]) -> None:
        self._datasets = found

    def largest(self, limit: Limit, rtol: Fraction, progress: Progress | None = None) -> tuple[Enclosure, Case]:
        """The largest delta of all, and where its lower end is attained; ``progress`` takes the share looked at."""
        seen, upper = self._compared(limit)
        lower, worst = max(((found.lower, crowd) for found, crowd in seen), key=lambda one: one[0])
        for i, (found, crowd) in enumerate(sorted(seen, key=lambda one: one[0].upper, reverse=True)):
            if progress:
                progress(i / len(seen))
            if found.upper > lower and _wide(found, rtol):
                found = _narrow(crowd, limit, rtol)
            upper = max(upper, found.upper)
            if found.lower > lower:
                lower, worst = found.lower, crowd
        return Enclosure(lower, max(upper, lower)), self._datasets[worst]

    def least_epsilon(self, target: Fraction, rtol: Fraction, highest: Fraction) -> tuple[Enclosure, Case]:
        """Where the largest delta falls to the target: at ``lower`` one is above it, at ``upper`` none."""
        fine, near = rtol / 4, min(1.0, float(highest))
        worst = self._worst(Limit(Fraction(1)))
        if self.within(Limit(Fraction(1)), target, fine):
            return Enclosure.of(0), self._datasets[worst]
        for _ in range(_MOVES):
            near = self._crossing(worst, target, near, highest, None)
            other = self._worst(Limit.exp(Fraction(near)))
            if other == worst:
                break
            worst = other
        near = self._crossing(worst, target, near, highest, fine)
        below, above = (beside(near, float(rtol) / 4, *to) for to in ((-1, Fraction(_LEAST)), (1, highest)))
        low = next((x for x in below if _narrow(worst, Limit.exp(x), fine).lower > target), Fraction(0))
        high = next((x for x in above if self.within(Limit.exp(x), target, fine)), highest)
        return Enclosure(low, high), self._datasets[worst]

    def within(self, limit: Limit, target: Fraction, rtol: Fraction) -> bool:
        """Whether every delta is proven to be at most the target."""
        for crowd in self._datasets:
            if crowd.bound(limit) <= target:
                continue
            found = _loose(crowd, limit)
            if found.lower <= target < found.upper:
                found = _narrow(crowd, limit, rtol)
            if found.upper > target:
                return False
        return True

    def _worst(self, limit: Limit) -> Crowd:
        """One of the largest delta, as far as is seen at first."""
        return max(self._compared(limit)[0], key=lambda one: one[0].lower)[1]

    def _compared(self, limit: Limit) -> tuple[list[tuple[Enclosure, Crowd]], Fraction]:
        """delta of all crowds that may have the largest, loosely; and a bound of all others."""
        ranked = sorted(((crowd.bound(limit), crowd) for crowd in self._datasets), key=lambda one: one[0], reverse=True)
        seen: list[tuple[Enclosure, Crowd]] = []
        lower = Fraction(0)
        for bound, crowd in ranked:
            if seen and (bound <= lower or len(seen) == _MOST_LOOKED_AT):
                return seen, bound
            found = _loose(crowd, limit)
            seen.append((found, crowd))
            lower = max(lower, found.lower)
        return seen, Fraction(0)

    def _crossing(
        self, crowd: Crowd, target: Fraction, start: float, highest: Fraction, rtol: Fraction | None
    ) -> float:
        """Where delta of one crowd is the target, about; loosely without rtol."""
        goal = logit(target)

        def gap(u: float) -> float:
            limit = Limit.exp(Fraction(math.exp(u)))
            found = (_loose(crowd, limit) if rtol is None else _narrow(crowd, limit, rtol)).upper
            return min(logit(found) - goal, 1e9)

        most = logarithm(highest)
        return math.exp(steer(gap, math.log(_LEAST), most, start=math.log(start), tolerance=float(rtol or _LOOSE)))


def _loose(crowd: Crowd, limit: Limit, rtol: Fraction = _LOOSE) -> Enclosure:
    """delta, quickly: from a short list, or near to relative width ``rtol``."""
    found = crowd.listed(limit) if crowd.histograms * crowd.n <= _FEW else None
    return found or crowd.enclosed(limit, rtol=rtol, points=_FEW_POINTS)


def _narrow(crowd: Crowd, limit: Limit, rtol: Fraction) -> Enclosure:
    """delta to relative width ``rtol``: quickly, by a long list, or by a long integration."""
    found = _loose(crowd, limit, rtol)
    return (crowd.listed(limit) or crowd.enclosed(limit, rtol=rtol)) if _wide(found, rtol) else found


def _wide(found: Enclosure, rtol: Fraction) -> bool:
    return found.upper - found.lower > rtol * found.lower
