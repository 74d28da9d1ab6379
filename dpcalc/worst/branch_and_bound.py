r"""The largest delta of single bits in one direction, by branch and bound over ranges of the number m of ones.

``largest`` finds the maximum to a relative width; ``largest_exact`` as a rational, where that is affordable;
``settled`` and ``decided`` tell whether it is at or below a target. Where one pass of doubles settles it (``at_once``),
no more is needed; otherwise all of them run one search (``numbers.best_first``). Ranges whose ceiling is at most
``best`` may be forgotten: they hold no larger value than the one already found. Proof notes, 5.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from dpcalc.errors import Undecided
from dpcalc.numbers.ball import FAINT
from dpcalc.numbers.best_first import best_first
from dpcalc.numbers.decimal import decimal
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.family import Progress
from dpcalc.worst.datasets import NARROWEST, Dataset, Datasets, Delta

_FEW = 4  # pairs in a range, up to which each is looked at by itself
_MOST_DIVIDED = 500  # ranges: some five seconds; next to the total variation of many records a narrow rtol needs more
_PATIENCE = 100  # pairs looked at, after which any above the target will do
_FINE = Fraction(1, 10**12)  # of the values among which the exact maximum is sought
_LOOSER = 1000  # times wider, what is tried first to settle a target
_LOOSENED = (10, 100, 1000)  # times wider, what is tried where a width is beyond reach
_EXACT_REPORTS = 2_000  # k n up to which a rational lambda gives the rational maximum
_EXACT_BITS = 1 << 31  # size of the pmfs of all that may be the maximum, up to which they are compared exactly
_LONG = 300  # bits of a denominator from which on a pmf takes 8 times as long for its size


def largest(datasets: Datasets, limit: Limit, *, rtol: Fraction, progress: Progress | None = None) -> Delta:
    """The largest delta to relative width ``rtol``.

    Raises:
        Undecided: rtol is beyond reach; its enclosure is the narrowest found, of a looser width too.
    """
    found = datasets.at_once(limit, rtol=rtol)
    if found is not None:
        if progress:
            progress(1.0)
        return found
    search = _Search(datasets, limit, rtol, progress)
    try:
        bound = search.run(lambda best: best * (1 + rtol))
    except Undecided as error:
        raise _loosened(error, datasets, limit, rtol) from None
    return search.found(bound)


def _loosened(error: Undecided, datasets: Datasets, limit: Limit, rtol: Fraction) -> Undecided:
    """The error with what the least of some looser widths proves, if it settles the largest delta at once."""
    for width in (rtol * looser for looser in _LOOSENED):
        found = datasets.at_once(limit, rtol=width)
        if found is not None and isinstance(error.enclosure, Enclosure):
            return Undecided(f"{error}, such as {decimal(width, width, 2)}", Enclosure(found.lower, found.upper))
    return error


def largest_exact(datasets: Datasets, limit: Limit, *, rtol: Fraction, progress: Progress | None = None) -> Delta:
    """The largest delta as a rational, for a rational lambda; to width ``rtol`` where too many may be the largest.

    Raises:
        Undecided, TooLarge: as ``largest``.
    """
    search, size = _Search(datasets, limit, _FINE, progress), datasets.pair(0).exact_bits
    most = _EXACT_BITS // (8 * size if datasets.own[0].denominator.bit_length() > _LONG else size)
    bound = search.run(lambda best: best * (1 + rtol) if len(search.finalists) > most else best)
    if bound > search.upper or len(search.finalists) > most:
        return search.found(bound)
    ones = max(sorted(search.finalists), key=lambda m: datasets.pair(m).exact_parts(limit.given)[0])
    value = datasets.pair(ones).exact(limit.given)
    return Delta(value, value, Dataset(ones, 0))


def exact_is_affordable(datasets: Datasets, limit: Limit) -> bool:
    """Whether ``largest_exact`` is worth its time."""
    return limit.lam is not None and datasets.k * (datasets.others + 1) <= _EXACT_REPORTS


def settled(datasets: Datasets, limit: Limit, target: Fraction, *, rtol: Fraction) -> Delta:
    """The largest delta as far as a target asks: ``upper`` is at most the target exactly if that is proven.

    If delta is above the target, so is that of the dataset named. It is the worst found, not always the worst there is:
    the search stops after a hundred. ``rtol`` is the relative width of the single values looked at.
    """
    narrow = max(rtol, NARROWEST)
    for width in (_LOOSER * narrow, narrow):  # what is not next to the target needs no narrow width
        found = datasets.at_once(limit, rtol=width, target=target)
        if found is not None:
            return found
    search = _Search(datasets, limit, rtol, None)

    def level(best: Fraction) -> Fraction:
        if best > target and len(search.singles) > _PATIENCE:
            return Fraction(1)
        return max(target, best + (best - target) / 8)

    return search.found(search.run(level))


def decided(datasets: Datasets, limit: Limit, target: Fraction, *, rtol: Fraction) -> Delta:
    """As ``settled``; where the target may be attained, the largest delta exactly, if that is affordable."""
    found = settled(datasets, limit, target, rtol=rtol)
    if found.lower <= target < found.upper and exact_is_affordable(datasets, limit):
        return largest_exact(datasets, limit, rtol=rtol)
    return found


#: The least and the largest m.
_Range = tuple[int, int]


class _Search:
    """Branch and bound over ranges of m."""

    def __init__(self, datasets: Datasets, limit: Limit, rtol: Fraction, progress: Progress | None) -> None:
        self._datasets, self._limit, self._rtol, self._progress = datasets, limit, rtol / 16, progress
        self._divided = 0
        self.singles: dict[int, Enclosure] = {}
        self.finalists: list[int] = []  # those that may be the largest
        self.best, self.upper, self.ones = Fraction(-1), Fraction(0), 0

    def found(self, bound: Fraction) -> Delta:
        """The answer, once no m is above ``bound``."""
        return Delta(self.best, max(bound, self.best), Dataset(self.ones, 0))

    def run(self, level: Callable[[Fraction], Fraction]) -> Fraction:
        """Split ranges until none may exceed ``level(best)``; the proven upper bound of all m.

        Raises:
            Undecided: too many ranges; its enclosure is what was proven.
        """
        self._single(0)
        left: list[tuple[Fraction, _Range]] = []
        if not self._datasets.kept_within(self._limit):
            self._single(self._datasets.last(self._limit))
            ends = self._datasets.above(self._limit, max(self.best, FAINT.upper))
            left = best_first(
                [(Fraction(1), ends)], lambda box: self._parts(box, level),
                enough=lambda: self._enough(level), most=_MOST_DIVIDED,
            )  # fmt: skip
        bound = max(self.upper, *(ceiling for ceiling, _ in left[:1]), Fraction(0))
        if left and left[0][0] > self._enough(level):
            raise Undecided(
                f"the worst dataset is not settled after {2 * self._divided:,} ranges; ask for a larger rtol",
                Enclosure(self.best, bound),
            )
        if self._progress:
            self._progress(1.0)
        return bound

    def _parts(self, box: _Range, level: Callable[[Fraction], Fraction]) -> Iterator[tuple[Fraction, _Range]]:
        """The halves that may exceed the best; in short ones every m is looked at instead."""
        low, high = box
        middle = (low + high) // 2
        self._single(middle)
        for part in ((low, middle), (middle + 1, high)):
            if part[1] - part[0] < _FEW:
                for m in range(part[0], part[1] + 1):
                    self._single(m)
                continue
            ceiling = self._datasets.ceiling(*part, self._limit, rtol=self._rtol, level=self._enough(level))
            if ceiling > self.best:
                yield ceiling, part
        self._divided += 1
        if self._progress:
            self._progress(min(self._divided / _MOST_DIVIDED, 1.0))

    def _enough(self, level: Callable[[Fraction], Fraction]) -> Fraction:
        """What a range need not be below; nothing below ``FAINT`` can be told apart."""
        return max(level(self.best), FAINT.upper)

    def _single(self, m: int) -> None:
        """Look at delta_m by itself."""
        if m in self.singles:
            return
        value = self.singles[m] = self._datasets.single(m, self._limit, rtol=self._rtol)
        self.upper = max(self.upper, value.upper)
        if value.lower > self.best:
            self.best, self.ones = value.lower, m
            self.finalists = [other for other in self.finalists if self.singles[other].upper >= self.best]
        if value.upper >= self.best:
            self.finalists.append(m)
