r"""The divergence of two pooled counts in fixed point: integers in units of 2^-bits, every floor counted.

X is the sum of the *other* reports, independent in kinds (a, c): c reports that are 1 with probability a. The changed
record adds J, k reports that are 1 with probability x_0 under P_0 and x_1 >= x_0 under P_1: S = X + J. For lambda >= 1

    forward   max_t P_0(S <= t) - lambda P_1(S <= t),     backward   max_t P_1(S > t) - lambda P_0(S > t).

P_1(S = t) / P_0(S = t) grows with t: each of the k reports is 1 at least as often under P_1, and one such raise is a
two-point mixture convolved with a log-concave sequence. So d_t = P_0(S = t) - lambda P_1(S = t) changes sign once, from
+ to -, and forward is h_t = d_0 + ... + d_t at the last t with d_t > 0. Backward is forward with every report flipped
(s becomes its mirror image, P_0 and P_1 change places): one direction is enough below.

**Lower bounds with a known total.** Everything held is a list of integers X_i <= T x_i, x a pmf and T a known integer,
``total``. Then for every event I, as no term exceeds the truth and sum_i x_i = 1,

    0 <= T x(I) - X(I) <= T - sum_i X_i.                                                                             (1)

So no error is followed from term to term: what is missing in all bounds what is missing from any event. F is ``bits``.

1. *One kind*, Binomial(N, a) with mode M: X_M = 2^F and X_{i+1} = floor(X_i r_i), r_i = x_{i+1} / x_i <= 1, upwards
   from M until it is 0; likewise downwards. With V = 2^F / x_M, X_M = V x_M, and X_i <= V x_i by induction.
   The floor at j takes less than 1 from X_j, and less than x_i / x_j from each X_i beyond: together less than
   sum_{i beyond j} x_i / x_j <= sum_i x_i / x_M = V / 2^F, because x is log-concave. Where it leaves 0, that
   is the rest of the tail. With f floors V - sum X <= f V / 2^F, hence V <= 2^F sum X / (2^F - f) <= T, rounded up.
   Odds a / (1 - a) too long to compute with are rounded down to 2^-G, 2^G >= N 2^F: as X_i (N - i) / (i + 1) 2^-G <= 1,
   this takes at most 1 more from X_{i+1}. It counts as a second floor there.
2. *Several kinds*: floor(2^-F sum_j X_j Y_{i-j}) <= 2^-F T_x T_y (x * y)_i, and T is 2^-F T_x T_y rounded up. The
   floors need no count: what they take is missing from the sum.
3. *The pair*: with the changed reports as one more kind, of which no floor is taken, X_i <= T p_i under P_0 and
   Y_i <= T' p'_i under P_1. Running sums hold every event {S <= t} by (1), with e_0 = T - sum X and e_1 = T' - sum Y.
4. *Divergence*, for L <= 2^F lambda T/T' <= L': every t gives the lower bound 2^F X(S <= t) - L' (Y(S <= t) + e_1) of
   2^F T h_t. If 2^F X_l > L' (Y_l + e_1) then d_l > 0; if 2^F (X_r + e_0) < L Y_r then d_r < 0; the maximum is then at
   some t with l <= t < r, and at most the largest 2^F (X(S <= t) + e_0) - L Y(S <= t) there. Without such an l (or r)
   every t below (above) is a candidate.

Step 4 holds for any t looked at first. The width of a divergence is about (1 + lambda) terms 2^-F: more bits reach any
relative width. Time and memory grow with the terms, about 4 sqrt(F) standard deviations of X: see ``fits``.

Source: K16's generating function G_m; proof notes, 10.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from itertools import accumulate
from operator import mul

from flint import fmpz_poly

from dpcalc.errors import DomainError
from dpcalc.laws.circle import Factor
from dpcalc.numbers.search import last_where

_BITS_HELD = 3 << 17  # bits of terms that are built about as fast as one inversion
_MOST_BITS = 1 << 26  # however many questions: three lists of them are held for each direction
_MOST_CHANGED = 1000  # changed reports: every sum has one term more


@dataclass(frozen=True, slots=True)
class LowerMasses:
    """Lower bounds of ``total`` times a pmf, from the value ``first`` on; 0 elsewhere."""

    first: int
    terms: list[int]
    total: int

    def times(self, other: LowerMasses, bits: int) -> LowerMasses:
        """The law of the independent sum, in units of 2^-bits (step 2)."""
        terms = [int(term) >> bits for term in (fmpz_poly(self.terms) * fmpz_poly(other.terms)).coeffs()]
        return LowerMasses(self.first + other.first, terms, -(-self.total * other.total >> bits))

    def flipped(self, count: int) -> LowerMasses:
        """The law of ``count`` less the sum."""
        return LowerMasses(count + 1 - self.first - len(self.terms), self.terms[::-1], self.total)

    def over(self, places: range) -> list[int]:
        """The bounds at these places, which hold all of its own."""
        after = places.stop - self.first - len(self.terms)
        return [0] * (self.first - places.start) + self.terms + [0] * after


def fits(others: Sequence[Factor], k: int, bits: int = 128, questions: int = 1) -> bool:
    """Whether a pair of these sizes is built about as fast as so many questions are answered by Fourier inversion.

    The terms of a kind reach as far as Bernstein's bound of its tails exceeds 2^-bits.
    """
    terms = 0.0
    for a, count in others:
        chance = a.numerator / a.denominator
        terms += min(count, 2 * tail_reach(count * chance * (1 - chance), bits * math.log(2)))
    return terms * bits <= min(_BITS_HELD * questions, _MOST_BITS) and k <= _MOST_CHANGED


def tail_reach(variance: float, nats: float) -> float:
    """How far from its mean a count may lie with a chance above e^-nats, by Bernstein's bound of its tails."""
    return nats / 3 + math.sqrt(nats**2 / 9 + 2 * nats * variance)


def law(kinds: Sequence[Factor], bits: int) -> LowerMasses:
    """The sum of the reports in units of 2^-bits.

    Raises:
        DomainError: so few bits that the floors might lose everything.
    """
    each = [_binomial(count, a, bits) for a, count in kinds if count]
    return reduce(lambda x, y: x.times(y, bits), each) if each else LowerMasses(0, [1 << bits], 1 << bits)


def _binomial(count: int, a: Fraction, bits: int) -> LowerMasses:
    """Step 1."""
    mode = (count + 1) * a.numerator // a.denominator
    u, v = a.numerator, a.denominator - a.numerator
    above, per_step = _falling(count, mode, u, v, bits)
    below, _ = _falling(count, count - mode, v, u, bits)
    terms = [*reversed(below), 1 << bits, *above]
    floors = per_step * (len(terms) + 1)  # the last one on each side left 0
    if floors >= 1 << bits:
        raise DomainError("bits", bits, f"at least {floors.bit_length()} for {count:,} reports")
    return LowerMasses(mode - len(below), terms, -((sum(terms) << bits) // (floors - (1 << bits))))


def _falling(count: int, mode: int, u: int, v: int, bits: int) -> tuple[list[int], int]:
    """The terms above the mode for odds u/v, that of the mode being 2^bits; and how many floors each took."""
    precision, per_step = bits + count.bit_length(), 1
    if max(u, v).bit_length() > precision:
        u, v, per_step = (u << precision) // v, 1 << precision, 2
    terms, term = [], 1 << bits
    rise, fall = (count - mode) * u, (mode + 1) * v
    while term := term * rise // fall:
        terms.append(term)
        rise -= u
        fall += v
    return terms, per_step


class Direction:
    """One direction, h_t = P_0(S <= t) - lambda P_1(S <= t): step 4. Here t counts from the first term on."""

    def __init__(self, others: LowerMasses, likely: LowerMasses, unlikely: LowerMasses, k: int, bits: int) -> None:
        """X, J under P_0 and under P_1, the largest J, and F."""
        both, running = (likely, unlikely), list(accumulate(others.terms))
        self._pmf = [0] * (k + 1) + others.terms + [0] * k  # from t = -k - 1 on
        self._cdf = [0] * (k + 1) + running + [running[-1]] * k
        self._records = [x.over(range(k + 1))[::-1] for x in both]
        self._totals = [others.total * x.total for x in both]
        self._missing = [total - running[-1] * sum(x.terms) for total, x in zip(self._totals, both, strict=True)]
        self._last, self._bits = len(others.terms) + k - 1, bits
        self._turn: int | None = None  # the last t with d_t > 0 for the limit before: the next is often near

    def divergence(self, lower: int, upper: int) -> tuple[int, int]:
        """Bounds of the divergence at every lambda >= 1 with lower <= 2^bits lambda <= upper, in units of 2^-bits."""
        bits, (whole, other), (e_0, e_1) = self._bits, self._totals, self._missing
        lower, upper = lower * whole // other, -(-upper * whole // other)
        low = high = 0
        for t in self._candidates(lower, upper):
            a, b = self._at(self._cdf, t)
            low = max(low, (a << bits) - upper * (b + e_1))
            high = max(high, (a + e_0 << bits) - lower * b)
        return low // whole, -(-high // whole)

    def _candidates(self, lower: int, upper: int) -> range:
        """All t, -1 standing for every t below 0, at which h may be largest for a lambda between the bounds."""
        bits, (e_0, e_1) = self._bits, self._missing

        def positive(t: int) -> bool:
            a, b = self._at(self._pmf, t)
            return a << bits > lower * b or (a == b == 0 and 2 * t < self._last)

        def rises(t: int) -> bool:
            a, b = self._at(self._pmf, t)
            return a << bits > upper * (b + e_1)

        def falls(t: int) -> bool:
            a, b = self._at(self._pmf, t)
            return a + e_0 << bits < lower * b

        turn = last_where(positive, 0, self._last, near=self._turn)
        left = last_where(rises, 0, turn, near=turn)
        right = last_where(lambda t: not falls(t), turn + 1, self._last, near=turn + 1)
        self._turn = turn
        return range(left, right + 1)

    def _at(self, terms: list[int], t: int) -> list[int]:
        """X and Y at t, or up to it, given the pmf or the running sums of the others."""
        window = terms[t + 1 : t + 1 + len(self._records[0])]
        return [sum(map(mul, record, window)) for record in self._records]


class FixedPoint:
    """Both directions of a pair; limits and answers are integers in units of 2^-bits.

    Args:
        others: X, any number of kinds.
        own: x_0 <= x_1.
        k: the reports of the changed record, one or more.
        bits: F.

    Raises:
        DomainError: too few bits for the number of reports.

    >>> pair = FixedPoint([(Fraction(1, 4), 9)], (Fraction(1, 4), Fraction(3, 4)), 1, bits=64)
    >>> low, high = pair.forward.divergence(2 << 64, 2 << 64)
    >>> print(f"{low / 2**64:.12f}, width {high - low}")
    0.018771171570, width 45
    """

    def __init__(self, others: Sequence[Factor], own: tuple[Fraction, Fraction], k: int, bits: int = 128) -> None:
        self.bits, self._count, self._k = bits, sum(count for _, count in others), k
        self._others, self._zero, self._one = law(others, bits), *(law([(a, k)], bits) for a in own)

    @cached_property
    def forward(self) -> Direction:
        """P_0 over P_1."""
        return Direction(self._others, self._zero, self._one, self._k, self.bits)

    @cached_property
    def backward(self) -> Direction:
        """P_1 over P_0: P_0 over P_1 with every report flipped."""
        zero, one = (x.flipped(self._k) for x in (self._zero, self._one))
        return Direction(self._others.flipped(self._count), one, zero, self._k, self.bits)
