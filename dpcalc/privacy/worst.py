r"""delta(eps) of the pooled count, maximized over every dataset and both directions.

With m ones among the other n - 1 records, delta_m is the divergence of ``profile``; by mirror symmetry looking at every
m in one direction covers both. The maximum is found by branch and bound over ranges of m, each bounded from above by

* the envelope of ``counts.envelope``, one analytic bound for the whole range (wide ranges), or
* delta_{m0} of the pool without the m1 - m0 records whose bit differs within the range: dropping reports is
  post-processing, so delta_m(n) <= delta_{m0}(n - (m1 - m0)) for m0 <= m <= m1 (narrow ranges).

The lower end of the answer is attained by the dataset named; the upper end is proven for all the others. All records
equal is not always the worst dataset: n = 7, q = 1/5, lambda = 3/2 has it at m = 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush

from dpcalc.counts.envelope import envelope
from dpcalc.errors import TooLarge, Undecided
from dpcalc.mechanisms.response import KRandomization, expect
from dpcalc.numbers.ball import MAX_EXPONENT, bits_for, enclosure_of, working_precision
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.rational import Number, between, integer
from dpcalc.privacy.pair import Composition, centre, divergence, exact_divergence, exact_size, kernel

__all__ = ["Dataset", "Delta", "Progress", "delta", "one_composition", "worst_delta"]

#: Called with the share of compositions settled so far, from 0 to 1.
Progress = Callable[[float], None]

_RTOL_ONE = Fraction(1, 10**12)
_RTOL_ALL = Fraction(1, 10**4)
_FEW = 4  # compositions in a range, up to which each is looked at by itself
_FAINT = Enclosure(Fraction(0), Fraction(1, 1 << MAX_EXPONENT - 1))  # holds every delta refused as too small
_MAX_RANGES = 4_000  # about half a minute; a delta far below 1e-300 may need more, at a narrow rtol
_PATIENCE = 100  # datasets looked at, after which any above the target will do
_EXACT_REPORTS = 2_000  # k n up to which a rational lambda gives the rational maximum
_EXACT_BITS = 1 << 31  # size of the pmfs of all that may be the maximum, up to which they are compared exactly


@dataclass(frozen=True, slots=True)
class Dataset:
    """A pair of neighbouring datasets and a direction.

    Attributes:
        ones: records holding 1 among the n - 1 that are the same in both.
        value: the changed record's bit (0 or 1) in the dataset under which the event is likelier.
    """

    ones: int
    value: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Delta(Enclosure):
    """An enclosure of delta, and the pair of datasets that attains its lower end."""

    dataset: Dataset


def delta(
    mechanism: KRandomization,
    *,
    lam: Number | None = None,
    epsilon: Number | None = None,
    ones: Number | None = None,
    rtol: Number | None = None,
    progress: Progress | None = None,
) -> Delta:
    r"""The least delta for which the pooled count is (epsilon, delta)-differentially private.

    Args:
        mechanism: single-bit records.
        lam: the ratio limit lambda = e^epsilon > 1; give it or
        epsilon: >= 0; at 0 delta is the total variation distance.
        ones: look at one composition of the other n - 1 records only (both directions); default: at all of them.
        rtol: relative width, above 1e-1000 for one composition (default 1e-12) and 1e-100 for all (default 1e-4).
        progress: called now and then with the share of compositions settled.

    Returns:
        An enclosure, exact for a rational lambda where the pmf is small (for all compositions: k n up to 2,000, unless
        q is long and many agree to 12 digits), with the dataset that attains it. Exactly 0 if epsilon is at least the
        local epsilon.

    Raises:
        DomainError: none or both of lam and epsilon; an argument out of range; records of several bits.
        Undecided: rtol is beyond reach; its ``enclosure`` is what was proven.
        TooLarge: delta is below 2^-1,000,000, about 1e-301,030.

    Source: the hockey-stick divergence.

    >>> worst = delta(KRandomization(n=7, q="1/5"), lam="3/2")
    >>> worst.value, worst.dataset
    (Fraction(2176, 15625), Dataset(ones=1, value=0))
    """
    expect(mechanism, KRandomization)
    mechanism.single_bit("delta")
    limit = Limit.of(lam=lam, epsilon=epsilon)
    least = "1e-100" if ones is None else "1e-1000"  # what takes seconds
    width = None if rtol is None else between(rtol, "rtol", least, 1, "a relative width")
    if ones is None:
        return worst_delta(mechanism, limit, rtol=width or _RTOL_ALL, progress=progress)
    holders = integer(ones, "ones", minimum=0, maximum=mechanism.n - 1)
    return one_composition(mechanism, limit, holders, width or _RTOL_ONE)


def one_composition(mechanism: KRandomization, limit: Limit, ones: int, rtol: Fraction) -> Delta:
    """Both directions for one composition; the larger."""
    values, refused = [], None
    for m in (ones, mechanism.n - 1 - ones):
        try:
            values.append(divergence(Composition.of(mechanism, m), limit, rtol=rtol))
        except TooLarge as error:  # it may be the smaller of the two
            values, refused = [*values, _FAINT], error
    zero, one = values
    if refused and not max(zero.lower, one.lower):
        raise refused
    value = 0 if zero.lower >= one.lower else 1
    return Delta(max(zero.lower, one.lower), max(zero.upper, one.upper), Dataset(ones, value))


def worst_delta(
    mechanism: KRandomization,
    limit: Limit,
    *,
    rtol: Fraction,
    target: Fraction | None = None,
    exact: bool = True,
    progress: Progress | None = None,
) -> Delta:
    """The largest delta over all compositions.

    Args:
        mechanism: single-bit records.
        limit: the ratio limit.
        rtol: relative width.
        target: decide only whether delta is at or below it: then ``upper`` is at most the target exactly if that is
            proven, and ``rtol`` is the relative width of the single values looked at. If delta is above it, the dataset
            named exceeds it by about as much as the worst one does, or is the worst of a hundred.
        exact: whether a rational lambda with k n <= 2,000 is to give the exact maximum instead, if that is affordable.
        progress: called with the share of compositions settled.
    """
    if limit.allows_power(mechanism.odds, mechanism.k):
        if progress:
            progress(1.0)
        return Delta(Fraction(0), Fraction(0), Dataset(0, 0))
    exact = exact and target is None and limit.lam is not None and mechanism.reports <= _EXACT_REPORTS
    search = _Search(mechanism, limit, rtol=_RTOL_ONE if exact else rtol, progress=progress)
    if limit.lam is not None and exact:
        most = _EXACT_BITS // exact_size(mechanism)
        bound = search.run(lambda best: best * (1 + rtol) if len(search.finalists) > most else best)
        if len(search.finalists) > most:
            return Delta(search.best, max(bound, search.best), Dataset(search.ones, 0))
        value, ones = max((exact_divergence(Composition.of(mechanism, m), limit.lam), -m) for m in search.finalists)
        return Delta(value, value, Dataset(-ones, 0))

    def level(best: Fraction) -> Fraction:
        if target is None:
            return best * (1 + rtol)
        if best > target and len(search.singles) > _PATIENCE:
            return Fraction(1)
        return max(target, best + (best - target) / 8)

    bound = search.run(level)
    return Delta(search.best, max(bound, search.best), Dataset(search.ones, 0))


class _Search:
    """Branch and bound over ranges of m, the number of ones among the other n - 1 records."""

    def __init__(
        self, mechanism: KRandomization, limit: Limit, *, rtol: Fraction, progress: Progress | None = None
    ) -> None:
        self._mechanism, self._limit, self._rtol = mechanism, limit, rtol / 16
        self._others = mechanism.n - 1
        # P_0 beyond P_1 for m ones is P_1 beyond P_0 for n - 1 - m, and at lambda = 1 the two are equal
        self._last = self._others // 2 if limit.lam == 1 else self._others
        self._kernel = kernel(mechanism.q, mechanism.k, limit)
        cancelled = bits_for(1 - 2 * mechanism.q)  # the two terms of the kernel are equal at q = 1/2
        self._bits = bits_for(self._rtol) + 2 * mechanism.reports.bit_length() + cancelled + 40
        self._progress = progress
        self.singles: dict[int, Enclosure] = {}
        self.finalists: list[int] = []  # the compositions that may be the worst
        self.best, self.ones = Fraction(-1), 0
        self.refused: TooLarge | None = None

    def run(self, level: Callable[[Fraction], Fraction]) -> Fraction:
        """Split ranges until none may exceed ``level(best)``; the proven upper bound of all of them."""
        for m in (0, self._last):
            self._single(m)
        if not level(self.best):  # too small to be held at both ends: elsewhere too?
            for eighth in range(1, 8):
                self._single(self._last * eighth // 8)
            if self.refused and not level(self.best):
                raise self.refused
        settled, seen, ranges = 0, 0, [(Fraction(-1), 0, self._last)]
        ceiling = Fraction(0)
        while ranges:
            bound, low, high = heappop(ranges)
            if -bound <= level(self.best):
                ceiling = max(ceiling, -bound)
                break
            if seen > _MAX_RANGES:
                raise Undecided(
                    f"the worst dataset is not settled after {seen:,} ranges; ask for a larger rtol",
                    Enclosure(self.best, max(ceiling, -bound)),
                )
            seen += 2
            middle = (low + high) // 2
            self._single(middle)
            for part in ((low, middle), (middle + 1, high)) if low < high else ((low, high),):
                top = self._bound(*part, level(self.best))
                if top > level(self.best) and part[1] - part[0] >= _FEW:
                    heappush(ranges, (-top, *part))
                else:
                    ceiling = max(ceiling, top)
                    settled += part[1] - part[0] + 1
                    self._report(settled)
        self._report(self._last + 1)
        return ceiling

    def _report(self, settled: int) -> None:
        if self._progress:
            self._progress(settled / (self._last + 1))

    def _single(self, m: int) -> Fraction:
        if m not in self.singles:
            value = self.singles[m] = self._value(Composition.of(self._mechanism, m))
            if value.lower > self.best:
                self.best, self.ones = value.lower, m
                self.finalists = [other for other in self.finalists if self.singles[other].upper >= self.best]
            if value.upper >= self.best:
                self.finalists.append(m)
        return self.singles[m].upper

    def _value(self, others: Composition) -> Enclosure:
        try:
            return divergence(others, self._limit, rtol=self._rtol, exact=False)
        except TooLarge as error:  # too small to be held, and so no candidate
            self.refused = error
            return _FAINT

    def _bound(self, low: int, high: int, level: Fraction) -> Fraction:
        """An upper bound of delta_m for low <= m <= high; the second way only where the first does not settle it."""
        if high - low < _FEW:
            return max(self._single(m) for m in range(low, high + 1))
        top = self._envelope(low, high)
        if top > level and (high - low) * 8 <= self._others:
            fewer = Composition(self._mechanism.q, self._mechanism.k, low, self._others - high)
            top = min(top, self._value(fewer).upper)
        return top

    def _envelope(self, low: int, high: int) -> Fraction:
        m = self._mechanism
        middle = (low + high) / 2
        around = centre(m.q, m.k, ones=middle, zeros=self._others - middle, limit=self._limit)
        with working_precision(self._bits):
            top = envelope(m.q, m.k, self._others, self._kernel, block=(low, high), centre=around)
            return enclosure_of(top).upper if top is not None and top.is_finite() else Fraction(1)
