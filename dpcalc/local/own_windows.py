r"""The largest q at which a dataset breaks the limit in its own window, and the q from which on none does.

The window of the notes holds the outcomes within z standard deviations of the mean, both ends included, of a dataset
*as it is*, for R and for 1/R. The n records have k reports each, N = k n. With c ones their sum S has the mean
k c p + k (n - c) q and the variance N p q, and a whole outcome s is in the window if

    (s - mean)^2 <= z^2 N p q.

One record's 1 becomes 0:  R = P[S = s; the 1 made 0] / P[S = s; as it is].  One side asks for R <= lambda at every
outcome of the window; two sides ask for 1/R <= lambda too.

With all bits exchanged 1/R becomes R, at N - s, of the pair whose first dataset has n + 1 - c ones, and the window
becomes that of the second one of the pair (7.11). So everything is asked of R alone, in the window of the pair's first
dataset or, with ``neighbour``, of its second. R falls as s grows (7.9): the least outcome decides.

The window's lower end is k c + h(q) with h(q) = k (n - 2c) q - z sqrt(N p q), which is convex in q.

*Ties.* A ratio may be the limit exactly where its outcome enters or leaves a window. In t = q/p, R <= lambda is
F(t) >= 0, and s lies in the window where W(t) <= 0, with rational polynomials F and W. A common factor settles the tie,
as does a W that is a square (L10).

*The search.* From some q on a bound for all datasets keeps the limit (``local.bounds``). Below, the range down to a q
at which a dataset is known to fail is settled from the top down: ``bound_from`` leaves the datasets with few ones, and
each is looked at, in a ball of q, with the least outcome that its window has there. What is not proven is cut in parts,
and the q at which a dataset fails is raised. All that is told is proven in balls, or exactly where a ratio is the limit
just where its outcome enters a window; where a ball does not tell, nothing is (L9). For q <= min(1/(4 N), 9/(16 z^2 N))
one side keeps every limit (L7).

Source: proof notes, 7.9, 7.11, L7, L9 and L10.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import comb, isqrt

from flint import arb, arb_poly, fmpq, fmpq_poly

from dpcalc.errors import NoSolution, Undecided
from dpcalc.local.bounds import BITS, HALF, NARROWEST, first_within, gamma
from dpcalc.local.pooled_ratio import pooled_ratio, root
from dpcalc.numbers.ball import ball, bits_for, enclosure_of, union, working_precision
from dpcalc.numbers.bracket import Bracket, Witness, short
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import best_first, last_where

_FINEST = 1024  # bits of a ratio at one q, after which it is not known to be above the limit
MOST = 10_000_000  #: steps of ratios: a quarter of a minute
_BESIDE = 50  # steps that take as long as what is done about a ratio, or as a step of a bisection for a window
_FIRST = Fraction(1, 1 << 12)  # the relative width of the first range below the top
_MOST = 4_000  # reports: the polynomials of a tie have as many coefficients, of as many bits


@dataclass(frozen=True, slots=True, kw_only=True)
class Windows:
    """The windows of pairs of datasets: m ones in the first, 1 <= m <= n, and m - 1 in the second.

    Attributes:
        n, k: records, and reports of each.
        sigmas: z.
        neighbour: whether the windows are those of the second datasets.
    """

    n: int
    k: int
    sigmas: Fraction
    neighbour: bool = False

    @property
    def total(self) -> int:
        """N."""
        return self.n * self.k

    def least(self, ones: int, low: Fraction, high: Fraction) -> int:
        """The least outcome in the window for a q in [low, high), or at low = high; it may be above the upper end."""
        return max(0, self.k * ones + self.offset(ones, low, high))

    def offset(self, ones: int, low: Fraction, high: Fraction) -> int:
        """The same less k m, before it is cut off at 0: it does not grow with m."""
        return self._lower_end(self._drift(ones), low, high) - self.k * self.neighbour

    def largest(self, ones: int, low: Fraction, high: Fraction) -> int:
        """The largest outcome in the window for a q in [low, high), or at low = high."""
        return min(self.total, self.k * self._held(ones) - self._lower_end(-self._drift(ones), low, high))

    def _held(self, ones: int) -> int:
        return ones - self.neighbour

    def _drift(self, ones: int) -> int:
        """How fast the window's middle moves with q."""
        return self.k * (self.n - 2 * self._held(ones))

    def _lower_end(self, drift: int, low: Fraction, high: Fraction) -> int:
        """The least whole number that is at least h(q) = drift q - z sqrt(N p q) for a q in [low, high)."""
        if low == high or not self._falls(drift, low):
            return self._end(drift, low, -1)
        if self._falls(drift, high):  # h is larger before high
            return 1 - self._end(-drift, high, 1)
        z, n = self.sigmas.denominator, self.sigmas.numerator  # over all q it is (drift - sqrt(drift^2 + z^2 N))/2
        return first_within(drift * z, (drift * z) ** 2 + n**2 * self.total, 2 * z)

    def _end(self, drift: int, q: Fraction, side: int) -> int:
        """The least whole number that is at least drift q + side z sqrt(N p q)."""
        u, whole, z = q.numerator, q.denominator, self.sigmas
        square = z.numerator**2 * self.total * u * (whole - u)
        return first_within(drift * u * z.denominator, square, whole * z.denominator, side)

    def _falls(self, drift: int, q: Fraction) -> bool:
        """Whether the slope of h is negative at q."""
        return drift <= 0 or 4 * drift**2 * q * (1 - q) < self.sigmas**2 * self.total * (1 - 2 * q) ** 2


@dataclass(frozen=True, slots=True)
class PairGroup:
    """Pairs with first <= m <= last, at low <= q < high or at low = high.

    R(m, s) <= R(m - 1, s - k), and R(m, s) <= R(m, 0) (7.9): if all windows end at the same s - k m, then no ratio of
    the group is above that of the first pair at its least outcome.
    """

    windows: Windows
    first: int
    last: int
    low: Fraction
    high: Fraction

    @property
    def outcome(self) -> int:
        """The least outcome of the first window."""
        return self.windows.least(self.first, self.low, self.high)

    @property
    def empty(self) -> bool:
        """Whether no window is known to hold an outcome, if all end at the same s - k m: upper ends, less k m, fall."""
        return self.outcome > self.windows.largest(self.first, self.low, self.high)

    def parts(self, rtol: Fraction) -> list[PairGroup]:
        """Cut around a q where the least outcome of the last window changes, or halved, in ones or in q."""
        low, high = self.low, self.high
        before, after = (self.windows.least(self.last, q, q) for q in (low, high))
        if before == after or high - low <= rtol * high:
            if 2 * high * (self.last - self.first) > self.windows.n * (high - low):  # what moves the windows more
                middle = (self.first + self.last) // 2
                return [replace(self, last=middle), replace(self, first=middle + 1)]
            low = high = _middle(low, high)
        while high - low > rtol * high:
            half = _middle(low, high)
            low, high = (low, half) if self.windows.least(self.last, half, half) == after else (half, high)
        ends = [self.low, low, high, self.high]
        return [replace(self, low=x, high=y) for x, y in pairwise(ends) if x < y]


def _middle(low: Fraction, high: Fraction) -> Fraction:
    """About the middle, with few binary digits."""
    middle = (low + high) / 2
    return short(middle, (high - low) / middle)


class OwnWindows:
    """R and a limit in the own windows of pairs of datasets, from some q = ``high`` on known to be kept.

    What is True is proven.
    """

    def __init__(self, pairs: Sequence[PairGroup], limit: Limit, rtol: Fraction, most: int = MOST) -> None:
        self._pairs, self._limit, self._rtol, self._most = pairs, limit, rtol / (1 + rtol), most
        self._bits = BITS + bits_for(min(HALF, limit.excess))
        self._failing = Fraction(0)  # the largest q known to fail
        self._bottom = max(one.high for one in pairs)  # from here on all is known to be kept
        self._spent = 0

    def bracket(self) -> Bracket:
        """The bracket, with what fails at its lower end.

        Raises:
            NoSolution: the limit is kept at every q.
            Undecided: too many ratios would be needed.
        """
        lower, upper = self._ends()
        self._spent = 0
        at_lower, witness = self.largest(lower)
        return Bracket(lower=lower, upper=upper, at_lower=at_lower, at_upper=self.largest(upper)[0], witness=witness)

    def holds(self, low: Fraction, high: Fraction) -> bool:
        """Whether the limit is kept in all windows for all q in [low, high), or at low = high."""
        return all(self._kept(group) for one in self._pairs for group in self._aligned(self._over(one, low, high)))

    def fails(self, low: Fraction, high: Fraction) -> bool:
        """Whether one outcome lies in the window of a first dataset for all q in [low, high], with R > lambda."""
        return any(self._broken(one.windows, one.first, low, high) for one in self._pairs)

    # --- the search -----------------------------------------------------------------------------------------

    def _ends(self) -> tuple[Fraction, Fraction]:
        """A q at which a dataset fails, and one from which on none does."""
        width = _FIRST
        while self._bottom - self._failing > self._rtol * self._bottom:
            if self._bottom <= self._least:
                raise NoSolution("the bound holds for every q: no noise is asked for")
            low = max(self._failing, self._bottom * (1 - width), self._least)
            width = min(2 * width, HALF / 2)
            self._settle(low)
        return self._failing, self._bottom

    def _settle(self, low: Fraction) -> None:
        """Settle all q from ``low`` to the bottom, from above; or stop where a failing one is near."""

        def aligned(groups: Iterable[PairGroup]) -> list[tuple[Fraction, PairGroup]]:
            return [(part.high, part) for group in groups for part in self._aligned(group)]

        def parts(group: PairGroup) -> list[tuple[Fraction, PairGroup]]:
            self._bottom = group.high
            if group.low < self._failing:
                return aligned([replace(group, low=self._failing)])
            return [] if self._kept(group) else aligned(self._cut(group))

        starts = [self._over(one, low, min(self._bottom, one.high)) for one in self._pairs if low < one.high]
        left = best_first(
            aligned(starts), parts, enough=lambda: low,
            more=lambda group: group.high - self._failing > self._rtol * group.high,
        )  # fmt: skip
        self._bottom = left[0][0] if left else low

    def _cut(self, group: PairGroup) -> list[PairGroup]:
        """What is left of a group that is not known to keep the limit; the largest q known to fail may be raised."""
        parts = group.parts(self._rtol / 8)
        failing = any([self._raised(part.windows, part.last, part.low) for part in parts])
        if failing or group.first < group.last or group.high - group.low > self._rtol * NARROWEST * group.high:
            return parts
        if self._tied(group):
            return []
        # one q may fail alone, or R be the limit here, and fall
        width = group.high - group.low  # fractions of such denominators lie farther apart
        alone = ((group.low + group.high) / 2).limit_denominator(isqrt(int(1 / (2 * width))))
        near = alone, group.high * (1 - self._rtol / 2)
        if any(self._raised(group.windows, group.last, q) for q in near if q < group.high):
            return [group]
        raise Undecided(f"no proof near q = {float(group.high):.17g}", Enclosure(self._failing, group.high))

    @property
    def _least(self) -> Fraction:
        """A q up to which nothing fails; 0 where none is known."""
        windows = self._pairs[0].windows
        if any(one.windows.neighbour for one in self._pairs):
            return Fraction(0)
        return min(Fraction(1, 4), Fraction(9, 16) / windows.sigmas**2) / windows.total

    def _over(self, pairs: PairGroup, low: Fraction, high: Fraction) -> PairGroup:
        """The pairs, for another range of q; those that are known to keep the limit on all of it left out."""
        return replace(pairs, last=self._last(pairs, low, high), low=low, high=high)

    def _last(self, pairs: PairGroup, low: Fraction, high: Fraction, most: Fraction | None = None) -> int:
        """All pairs with more ones keep the limit, or R <= ``most``, for all q in [low, high]."""
        if pairs.first == pairs.last:
            return pairs.last
        with working_precision(self._bits):
            limit = self._limit.ball() if most is None else ball(most)
            return last_where(
                lambda ones: not bound_from(pairs.windows, ones, low, high) <= limit, pairs.first, pairs.last
            )

    def _kept(self, group: PairGroup) -> bool:
        """Whether R <= lambda in all windows of a group."""
        return group.empty or self._exceeds(group, group.outcome) is False

    def _tied(self, group: PairGroup) -> bool:
        """Whether R <= lambda in one window, for its least outcome wherever it lies in the window."""
        lam, windows, outcome = self._limit.lam, group.windows, group.outcome
        if lam is None or not tied(windows, group.first, outcome, lam, group.low, group.high):
            return False
        return outcome == windows.total or self._exceeds(group, outcome + 1) is False

    def _raised(self, windows: Windows, ones: int, q: Fraction) -> bool:
        """Whether R > lambda at an outcome of a dataset's window; if so, the largest q that fails is as large."""
        broken = q > 0 and self._broken(windows, ones, q, q)
        if broken:
            self._failing = max(q, self._failing)
        return broken

    def _broken(self, windows: Windows, ones: int, low: Fraction, high: Fraction) -> bool:
        """Whether R > lambda for all q in [low, high] at an outcome that lies in the window of a dataset throughout."""
        # the lower end is convex and the upper one concave
        outcome = max(windows.least(ones, q, q) for q in (low, high))
        inside = outcome <= min(windows.largest(ones, q, q) for q in (low, high))
        return inside and self._exceeds(PairGroup(windows, ones, ones, low, high), outcome) is True

    def _exceeds(self, group: PairGroup, outcome: int) -> bool | None:
        """Whether R > lambda at an outcome of the first dataset, for all q of a group; None if that is open."""
        low, high, k = group.low, group.high, group.windows.k
        if outcome == 0:  # R = (p/q)^k, which falls
            kept, broken = self._limit.allows_power(1 / low - 1, k), not self._limit.allows_power(1 / high - 1, k)
            return None if kept == broken else broken
        bits = self._bits + (bits_for((high - low) / high) if low < high else 0)
        while bits <= _FINEST + self._bits:
            with working_precision(bits):
                spare = self._limit.ball() - self._ratio(group, outcome)
                if spare < 0 or spare >= 0:
                    return bool(spare < 0)
            if low < high:
                break
            bits *= 2
        return None

    def _ratio(self, group: PairGroup, outcome: int) -> arb:
        """R of the first dataset, for all q of a group."""
        self._spend(_BESIDE)
        windows, q = group.windows, union(group.low, group.high)
        return pooled_ratio(windows.total, windows.k, group.first, outcome, q, self._spend)

    def _aligned(self, group: PairGroup) -> Iterator[PairGroup]:
        """Parts in which all windows end at the same s - k m; each is found by a bisection."""

        def end(ones: int) -> int:
            return group.windows.offset(ones, group.low, group.high)

        first = group.first
        while first <= group.last:
            self._spend(_BESIDE * (group.last - first).bit_length())
            last = last_where(lambda ones: end(ones) == end(first), first, group.last, near=first)  # noqa: B023
            yield replace(group, first=first, last=last)
            first = last + 1

    def _spend(self, steps: int) -> None:
        self._spent += steps
        if self._spent > self._most:
            found = Enclosure(self._failing, self._bottom)
            raise Undecided(
                f"{self._most:,} steps leave q between {float(found.lower):.12g} and {float(found.upper):.12g}; "
                'method="product" needs no search',
                found,
            )

    # --- the largest ratio ----------------------------------------------------------------------------------

    def largest(self, q: Fraction) -> tuple[Enclosure, Witness | None]:
        """The largest ratio in a window at q, its dataset and outcome; 0 and None if no window holds an outcome."""
        found, most = list[tuple[Fraction, PairGroup]](), Fraction(0)
        for one in reversed(self._pairs):  # of two sides 1/R is mostly the larger
            first, size, last = one.first, 1, one.last
            while first <= last:
                before, some = most, PairGroup(one.windows, first, min(last, first + size - 1), q, q)
                for group in (part for part in self._aligned(some) if not part.empty):
                    here = self._value(group)
                    found.append((here.upper, group))
                    most = max(most, here.lower)
                first, size = first + size, 2 * size
                if most == before:  # no larger one was seen
                    last = self._last(one, q, q, most)
        best = [group for upper, group in found if upper >= most]
        worst = max(map(self._witness, best), key=lambda one: one.ratio.lower, default=None)
        return worst.ratio if worst else Enclosure.of(0), worst

    def _value(self, group: PairGroup, more: int = 0) -> Enclosure:
        """R of the first dataset at the group's outcome, low = high."""
        with working_precision(self._bits + more):
            return enclosure_of(self._ratio(group, group.outcome))

    def _witness(self, group: PairGroup) -> Witness:
        """The least outcome of a window, in the dataset's own terms."""
        ratio, windows = self._value(group, self._bits + bits_for(self._rtol)), group.windows
        if not windows.neighbour:
            return Witness(ones=group.first, outcome=group.outcome, reciprocal=False, ratio=ratio)
        return Witness(
            ones=windows.n + 1 - group.first, outcome=windows.total - group.outcome, reciprocal=True, ratio=ratio
        )


# --- many ones --------------------------------------------------------------------------------------------------------


def bound_from(windows: Windows, first: int, low: Fraction, high: Fraction) -> arb:
    """What R is not above in the windows of all datasets with ``first`` ones or more, for all q in [low, high].

    With i = k c - j for j < k, the window gives X_i <= r and X_{i-1} <= r' (L4). Then u_i is at most the least of: the
    root u of i (u - 1) + (N - i)(1 - 1/u) = r; 1/(1 - r'/N), where r' >= sqrt 2 gamma N; and the root of
    (i - 1)(u - 1) + (N - i + 1)(1 - 1/u) = r' + (i - 1) C, or the larger u with (u - 1)^2/u = C if that is more, with
    C = (1 + U^2) gamma^2 for any bound U of u_i.
    """
    total, k, z = windows.total, windows.k, ball(windows.sigmas)
    most, least = (gamma(total, q) for q in (low, high))
    found = arb(1)
    for j in range(k):
        i, shift = k * first - j, k * windows.neighbour - j
        here, before = (total * most * z + total * x * (most if x > 0 else least) ** 2 for x in (shift, shift - 1))
        bound = root(i, total - i, here).max(arb(1))
        if z + (shift - 1) * (most if shift < 1 else least) >= arb(2).sqrt() and before < total:
            bound = bound.min(1 / (1 - before / total))
        spread = (1 + bound**2) * most**2
        turn = 1 + (spread + (spread * (spread + 4)).sqrt()) / 2
        found *= bound.min(turn.max(root(i - 1, total - i + 1, before + (i - 1) * spread)))
    return found


# --- ties -------------------------------------------------------------------------------------------------------------


def tied(windows: Windows, ones: int, outcome: int, lam: Fraction, low: Fraction, high: Fraction) -> bool:
    """Whether R <= lambda is proven for all q in [low, high] at which the outcome lies in the window of a dataset."""
    total, k = windows.total, windows.k
    if total > _MOST:
        return False
    spare = _poly(lam) * _law(total, k * ones, outcome) - _law(total, k * (ones - 1), outcome)
    held = k * (ones - windows.neighbour)
    apart = fmpq_poly([outcome - held, outcome - (total - held)])
    window = apart * apart - _poly(windows.sigmas**2 * total) * fmpq_poly([0, 1])
    common = window.gcd(spare % window)
    if common.degree() < 1:
        return False
    if window.gcd(window.derivative()).degree() == 1:  # a square
        return True
    with working_precision(2 * BITS + total + bits_for((high - low) / high)):
        t = union(low / (1 - low), high / (1 - high))
        return bool(arb_poly(spare // common)(t) * arb_poly(window // common)(t) < 0)


def _law(total: int, likely: int, outcome: int) -> fmpq_poly:
    """The chance of so many ones over p^N, as a polynomial in t."""
    found = [0] * (total + 1)
    for j in range(max(0, outcome - total + likely), min(likely, outcome) + 1):
        found[likely + outcome - 2 * j] += comb(likely, j) * comb(total - likely, outcome - j)
    return fmpq_poly(found)


def _poly(x: Fraction) -> fmpq_poly:
    return fmpq_poly([fmpq(x.numerator, x.denominator)])
