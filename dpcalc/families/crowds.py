r"""The worst of many crowds: the largest delta of one report in a crowd.

Quick bounds rank the crowds first. Those that may have the largest delta are enclosed loosely, and then to the width
asked, best first. The upper end that is returned is also a bound for the crowds that were not enclosed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from dpcalc.mechanisms.finite import FiniteMechanism
from dpcalc.numbers.best_first import best_first
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import Promise
from dpcalc.pairs.crowd import Crowd, wide
from dpcalc.pairs.family import Family, Progress, Width

#: A dataset in which a crowd is found.
_Case = TypeVar("_Case", covariant=True)

_MOST = 200  # crowds that are enclosed, loosely or narrowly
_LOOSE = Fraction(1, 10)  # the relative width of the loose enclosures


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CrowdPromise(Promise, Generic[_Case]):
    """delta or epsilon of the worst crowd, and the dataset in which it is found."""

    dataset: _Case


@dataclass(frozen=True, slots=True, eq=False)
class Crowds(Family[CrowdPromise[_Case]]):
    """Different crowds, and for each a dataset in which it is found.

    Attributes:
        datasets: the crowds, and a dataset for each.
        randomizer: whose reports the crowds are of.
    """

    datasets: dict[Crowd, _Case]
    randomizer: FiniteMechanism

    delta_width = Width("1e-4", "1e-12")
    epsilon_width = Width("1e-3", "1e-6")
    farthest = 1000
    settles = True
    one_is_quick = True

    def delta(
        self, limit: Limit, *, rtol: Fraction, target: Fraction | None = None, progress: Progress | None = None
    ) -> CrowdPromise[_Case]:
        """The largest delta of all; with a target the search ends once its side is known."""
        best, upper, worst, done = Fraction(0), Fraction(0), next(iter(self.datasets)), 0

        def nearer(place: tuple[Crowd, bool]) -> Iterator[tuple[Fraction, tuple[Crowd, bool]]]:
            """A crowd of which a bound is known is enclosed loosely, and one that is enclosed loosely narrowly."""
            nonlocal best, upper, worst, done
            crowd, seen = place
            done += 1
            if progress:
                progress(done / _MOST)
            found = crowd.enclosed(limit, rtol=rtol) if seen else crowd.quick(limit, rtol=_LOOSE)
            if found.lower > best:
                best, worst = found.lower, crowd
            if not seen and wide(found, rtol):
                yield found.upper, (crowd, True)
            else:
                upper = max(upper, found.upper)

        left = best_first(
            [(crowd.bound(limit), (crowd, False)) for crowd in self.datasets],
            nearer,
            enough=lambda: max(best, target or Fraction(0)),
            more=lambda _: target is None or best <= target,
            most=_MOST,
        )
        upper = max([upper, best, *(most for most, _ in left[:1])])
        return CrowdPromise(best, upper, self.datasets[worst])

    @property
    def local_epsilon(self) -> Promise:
        """That of one report."""
        return self.randomizer.epsilon()

    @property
    def spread(self) -> float:
        """About the standard deviation of the privacy loss: as of normal laws, at most the local epsilon."""
        crowd = next(iter(self.datasets))
        return min(max(math.sqrt(crowd.variance), 1e-18), float(self.highest))

    def one(self, limit: Limit, *, rtol: Fraction, near: Fraction) -> CrowdPromise[_Case]:
        """The first crowd."""
        crowd = next(iter(self.datasets))
        found = crowd.enclosed(limit, rtol=rtol)
        return CrowdPromise(found.lower, found.upper, self.datasets[crowd])

    def fineness(self, rtol: Fraction, target: Fraction) -> Fraction:
        """A quarter of the width: delta moves more than epsilon does."""
        return rtol / 4

    def threshold(self, lower: Fraction, upper: Fraction, at_lower: Enclosure, at_upper: Promise) -> Promise:
        """An epsilon, with the dataset that is above the target at its lower end."""
        found = at_lower if isinstance(at_lower, CrowdPromise) else at_upper
        assert isinstance(found, CrowdPromise)
        return CrowdPromise(lower, upper, found.dataset)
