r"""The notes' local bound for every dataset: the least q from which on each keeps the limit in its own window.

K16's dataset of ones has the largest ratio at each fixed outcome, but the window mean +- z sigma moves with the
dataset, and the lowest outcome of another window may show a larger ratio. With one side R, with two sides R and 1/R, is
to be at most lambda at every whole outcome of the window of every D.

The boxes m0 <= m <= m1, low <= q <= high are looked at from q = 1/2 down. One that is proven to keep the limit
(``local.own_windows``) is done; of the others a corner that fails raises the largest q known to fail, and what is
left above it is halved: in m where the window's lower end, counted from k m, is halfway, or in q. The answer is
between the largest q known to fail and the first box that is not proven.

With two sides R in the window of D is implied by R in that of D', which reaches lower, where the latter holds an
outcome. Both are looked at.

Source: K16, sections 4.3, 5.2 and 5.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count

from dpcalc.errors import NoSolution, Undecided
from dpcalc.local.own_windows import OwnWindows
from dpcalc.numbers.bracket import Bracket, Witness
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.search import last_where

_HALF = Fraction(1, 2)
_LEAST = Fraction(1, 1 << 200)  # flip probabilities below this are not searched
_NARROWEST = Fraction(1, 1 << 20)  # of the answer's width: a narrower box that is neither proven nor fails is a tie
_MOST = 50_000  # boxes: two minutes or so
_STEPS = 40  # halvings for a first q that fails
_ROUGH = 40  # bits of ratios, of which the largest alone are wanted in full
_FEW = 100  # of so many ones, and of one, the first that are tried


@dataclass(frozen=True, slots=True)
class _Datasets:
    """Datasets with first <= m <= last, and low <= q <= high."""

    windows: OwnWindows
    first: int
    last: int
    low: Fraction
    high: Fraction

    @property
    def kept(self) -> bool:
        return self.windows.kept(self.first, self.last, self.low, self.high)

    @property
    def aligned(self) -> bool:
        """Whether all windows end at the same s - k m, so that the first dataset's ratio is the largest."""
        return self.offset(self.first) == self.offset(self.last)

    def offset(self, ones: int) -> int:
        return self.windows.offset(ones, self.low, self.high)

    def by_ones(self) -> tuple[_Datasets, _Datasets]:
        """Two parts, the windows of which end above and below the middle."""
        middle = self._first_at_most((self.offset(self.first) + self.offset(self.last)) // 2)
        return replace(self, last=middle - 1), replace(self, first=middle)

    def halves(self) -> tuple[_Datasets, _Datasets]:
        """In m if the window's end moves more with m than with q, else in q."""
        top, end = self.offset(self.first), self.offset(self.last)
        windows = self.windows
        moved = abs(end - windows.offset(self.last, self.high, self.high))
        if top > end and top - end + 1 >= moved + windows.k * windows.n * (self.high - self.low):
            return self.by_ones()
        half = (self.low + self.high) / 2
        return replace(self, high=half), replace(self, low=half)

    def _first_at_most(self, offset: int) -> int:
        """The least m whose window ends so low; the last's does, the first's does not."""
        return 1 + last_where(lambda ones: self.offset(ones) > offset, self.first + 1, self.last - 1)


def over_datasets(sides: Sequence[OwnWindows], rtol: Fraction) -> Bracket:
    """The bracket, with what fails at its lower end.

    Args:
        sides: the windows of D, and for two sides those of D' too.
        rtol: relative width.

    Raises:
        NoSolution: the limit holds down to q = 2^-200.
        Undecided: too many boxes would be needed, or a ratio is lambda where no smaller q fails, as where its outcome
            enters a window.
    """
    lower, upper = _ends(sides, rtol)
    witness, kept = _largest(sides, lower), _largest(sides, upper)
    none = Enclosure.of(0)  # no window holds an outcome
    return Bracket(
        lower=lower,
        upper=upper,
        at_lower=witness.ratio if witness else none,
        at_upper=kept.ratio if kept else none,
        witness=witness,
    )


def _ends(sides: Sequence[OwnWindows], rtol: Fraction, most: int = _MOST) -> tuple[Fraction, Fraction]:
    """A q at which a dataset fails, and one from which on none does."""
    order, boxes = count(), list[tuple[Fraction, int, _Datasets]]()
    failing, bottom = max(_failing(windows) for windows in sides), _HALF
    for _ in range(most):
        if not boxes or -boxes[0][0] <= bottom:
            if bottom <= _LEAST:
                raise NoSolution("the bound holds for every q in the searched range, down to 2^-200")
            for windows in sides:
                heappush(boxes, (-bottom, next(order), _Datasets(windows, 1, windows.n, bottom / 2, bottom)))
            bottom /= 2
        top = -boxes[0][0]
        if top < _HALF and top - failing <= rtol * top:
            return failing, top
        box = heappop(boxes)[2]
        box = replace(box, low=max(box.low, failing))
        if box.kept:
            continue
        if box.low > failing and box.aligned and box.windows.broken(box.first, box.low):
            failing = box.low
        elif box.high - box.low <= rtol * _NARROWEST * top and box.aligned:
            below = box.low - rtol * top / 2  # R = lambda here, it may be, and falls
            if not box.windows.broken(box.first, below):
                raise Undecided(f"no proof near q = {float(top):.17g}", Enclosure(failing, top))
            return below, top
        for half in box.halves():
            heappush(boxes, (-half.high, next(order), half))
    raise Undecided(
        f"{most:,} boxes of datasets and q leave q between {float(failing):.6g} and {float(top):.6g}",
        Enclosure(failing, top),
    )


def _failing(windows: OwnWindows) -> Fraction:
    """A q at which some dataset fails, not far from the answer; 0 if none is met."""
    found = Fraction(0)
    for ones in {1, 1 + windows.n // _FEW}:
        low, high = found, _HALF
        for _ in range(_STEPS):
            middle = (low + high) / 2
            low, high = (middle, high) if windows.broken(ones, middle) else (low, middle)
        found = low
    return found


def _largest(sides: Sequence[OwnWindows], q: Fraction) -> Witness | None:
    """The largest ratio in a window at q; None if no window holds an outcome."""
    order, boxes = count(), list[tuple[Fraction, int, _Datasets]]()
    near, most = list[tuple[Fraction, OwnWindows, int]](), Fraction(0)

    def look(box: _Datasets) -> None:
        nonlocal most
        ones, rough = box.first, replace(box.windows, bits=_ROUGH)
        if rough.holds(ones, q):
            here = rough.value(ones, rough.lowest(ones, q, q), q)
            near.append((here.upper, box.windows, ones))
            most = max(most, here.lower)
        if not box.aligned:
            bound = rough.value(ones, max(0, rough.k * ones + box.offset(box.last)), q)
            heappush(boxes, (-bound.upper, next(order), box))

    for windows in sides:
        look(_Datasets(windows, 1, windows.n, q, q))
    while boxes and -boxes[0][0] > most:
        for half in heappop(boxes)[2].by_ones():
            look(half)
    found = [_witness(windows, ones, q) for upper, windows, ones in near if upper >= most]
    return max(found, key=lambda one: one.ratio.lower, default=None)


def _witness(windows: OwnWindows, ones: int, q: Fraction) -> Witness:
    """The least outcome of a window, in the dataset's own terms."""
    outcome = windows.lowest(ones, q, q)
    ratio = windows.value(ones, outcome, q)
    if not windows.neighbour:
        return Witness(ones=ones, outcome=outcome, reciprocal=False, ratio=ratio)
    return Witness(
        ones=windows.n + 1 - ones, outcome=windows.k * windows.n - outcome, reciprocal=True, ratio=ratio
    )  # fmt: skip
