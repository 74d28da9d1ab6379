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
3. *The changed reports*: R_j = floor(2^F X_j / T) <= 2^F r_j, with the total 2^F.
4. *A_t = sum_j R_j (X_0 + ... + X_{t-j})* sums lower bounds R_j X_i of U r_j x_i, U = 2^F T, over {i + j <= t}: by (1)

       A_t <= U P_0(S <= t) <= A_t + e_0,    e_0 = U - (sum R)(sum X),

   and a_t = sum_j R_j X_{t-j} <= U P_0(S = t) <= a_t + e_0. Likewise B_t, b_t and e_1 under P_1. These are exact sums.
5. *Divergence*, for L <= 2^F lambda <= L': every t gives the lower bound 2^F A_t - L' (B_t + e_1) of 2^F U h_t. If
   2^F a_l > L' (b_l + e_1) then d_l > 0; if 2^F (a_r + e_0) < L b_r then d_r < 0; the maximum is then at some t with
   l <= t < r, and at most the largest 2^F (A_t + e_0) - L B_t there. Without such an l (or r) every t below (above) is
   a candidate; they need be tried as far as A_t and B_t change.
6. *Ratio limit*: the least lambda >= 1 with divergence <= delta is the largest (P_0(S <= t) - delta) / P_1(S <= t), or
   1. Every t gives the lower bound (A_t - delta U) / (B_t + e_1). A lambda is an upper bound if the divergence at it is
   at most delta: if lambda B_t >= A_t + e_0 - delta U for every candidate t of step 5 at this lambda. Where it is not,
   the largest quotient (A_t + e_0 - delta U) / B_t of the candidates is tried next (Dinkelbach): it grows at each step,
   through finitely many values. Should B_t = 0, the largest ratio of all, P_0(S = 0) / P_1(S = 0), is an upper bound.

Steps 5 and 6 hold for any t looked at first. An answer's width is about
(1 + lambda) (terms + changed reports) 2^-F for a divergence, that over P_1(S <= t) for a ratio limit: more bits reach
any relative width. Time and memory grow with the terms, about 4 sqrt(F) standard deviations of X: see ``fits``.

Source: K16's generating function G_m; W. Dinkelbach, On nonlinear fractional programming (1967).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, partial, reduce
from itertools import accumulate
from operator import mul

from flint import fmpz

from dpcalc.errors import DomainError
from dpcalc.laws.circle import Factor
from dpcalc.numbers.ball import ball, enclosure_of, working_precision
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
        terms = [term >> bits for term in _convolved(self.terms, other.terms)]
        return LowerMasses(self.first + other.first, terms, -(-self.total * other.total >> bits))

    def flipped(self, count: int) -> LowerMasses:
        """The law of ``count`` less the sum."""
        return LowerMasses(count + 1 - self.first - len(self.terms), self.terms[::-1], self.total)

    def normalized(self, last: int, bits: int) -> list[int]:
        """Lower bounds of 2^bits times the probabilities of 0, ..., last (step 3)."""
        known = [(term << bits) // self.total for term in self.terms]
        return [0] * self.first + known + [0] * (last + 1 - self.first - len(known))


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


def _convolved(x: list[int], y: list[int]) -> list[int]:
    """All sums x_j y_{i-j}: one product of integers that hold a term in every so many bytes."""
    size = (sum(x).bit_length() + sum(y).bit_length() + 7) // 8
    packed = (fmpz(int.from_bytes(b"".join([t.to_bytes(size, "little") for t in z]), "little")) for z in (x, y))
    length = size * (len(x) + len(y) - 1)
    raw = int(reduce(mul, packed)).to_bytes(length, "little")
    return [int.from_bytes(raw[i : i + size], "little") for i in range(0, length, size)]


class Direction:
    """One direction, h_t = P_0(S <= t) - lambda P_1(S <= t): steps 4 to 6. Here t counts from the first term on.

    Args:
        others: the law of X.
        likely, unlikely: lower bounds of 2^bits times the pmf of J under P_0 and P_1, of the same length.
        bits: the unit is 2^-bits, for terms, limits and answers.
        largest: by how much a changed report is at most likelier under P_0, (1 - x_0) / (1 - x_1).
    """

    def __init__(
        self, others: LowerMasses, likely: list[int], unlikely: list[int], bits: int, largest: Fraction
    ) -> None:
        running, width = list(accumulate(others.terms)), len(likely)
        pmf = [0] * width + others.terms + [0] * (width - 1)  # from t = -width on
        cdf = [0] * width + running + [running[-1]] * (width - 1)
        summed = partial(_summed, likely[::-1], unlikely[::-1])
        self._at = cache(partial(summed, pmf))  # a_t and b_t, t >= -1; a search comes back to them
        self._at_most = cache(partial(summed, cdf))  # A_t and B_t
        self._unit = others.total << bits  # U
        self._missing = [self._unit - sum(record) * running[-1] for record in (likely, unlikely)]
        self._last, self._bits = len(others.terms) + width - 2, bits
        self._k, self._largest = width - 1, largest
        self._turn: int | None = None  # the last t with d_t > 0 for the limit before: the next is often near

    def divergence(self, lower: int, upper: int) -> tuple[int, int]:
        """Bounds of the divergence at every lambda between two bounds of it (step 5)."""
        bits, (e_0, e_1) = self._bits, self._missing
        low = high = 0
        for t in self._candidates(lower, upper):
            a, b = self._at_most(t)
            low = max(low, (a << bits) - upper * (b + e_1))
            high = max(high, (a + e_0 << bits) - lower * b)
        return low // self._unit, -(-high // self._unit)

    def ratio_limit(self, delta: Fraction, at_least: int) -> tuple[int, int]:
        """Bounds of the least lambda, not below ``at_least``, at which the divergence is at most delta (step 6)."""
        bits, (e_0, e_1) = self._bits, self._missing
        above = e_0 - delta.numerator * self._unit // delta.denominator  # A_t + above >= U (P_0(S <= t) - delta)
        below = -delta.numerator * self._unit // delta.denominator
        self._turn = max(0, last_where(partial(self._small, -below), 0, self._last))
        a, b = self._at_most(self._turn)
        if above > 0:  # less is spared than is missing: more bits are needed, so do not search long
            return max(at_least, (a + below << bits) // max(1, b + e_1)), max(at_least, self._ceiling())
        high = max(at_least, -(-(a + above << bits) // b)) if b else at_least
        while True:
            low, needed = at_least, high
            for t in self._candidates(high, high):
                a, b = self._at_most(t)
                low = max(low, (a + below << bits) // max(1, b + e_1))
                if a + above << bits > high * b:
                    if not b:
                        return low, max(at_least, self._ceiling())
                    needed = max(needed, -(-(a + above << bits) // b))
            if needed == high:
                return low, high
            high = needed

    def _ceiling(self) -> int:
        """The largest ratio, P_0(S = 0) / P_1(S = 0), rounded up."""
        with working_precision(2 * self._bits + 64):
            return math.ceil(enclosure_of(ball(self._largest) ** self._k * (1 << self._bits)).upper)

    def _candidates(self, lower: int, upper: int) -> range:
        """All t, -1 standing for every t below 0, at which h may be largest for a lambda between the bounds."""
        sign = cache(partial(self._sign, lower, upper))
        turn = last_where(lambda t: sign(t) > 0, 0, self._last, near=self._turn)
        left = last_where(lambda t: sign(t) > 1, 0, turn, near=turn)
        right = last_where(lambda t: sign(t) > -2, turn + 1, self._last, near=turn + 1) + 1
        self._turn = turn
        return range(left, right)

    def _sign(self, lower: int, upper: int, t: int) -> int:
        """Of d_t for every lambda between the bounds: 2 and -2 are proven."""
        bits, (e_0, e_1) = self._bits, self._missing
        a, b = self._at(t)
        if a << bits > upper * (b + e_1):
            return 2
        if a + e_0 << bits < lower * b:
            return -2
        return 1 if a << bits > lower * b or (a == b == 0 and 2 * t < self._last) else -1

    def _small(self, delta: int, t: int) -> bool:
        """Whether h_t is at most delta/U, about, for the lambda of which t is the place."""
        (a, b), (likely, unlikely) = self._at(t), self._at_most(t)
        return likely * b - unlikely * a <= delta * b if b else 2 * t < self._last


def _summed(likely: list[int], unlikely: list[int], terms: list[int], t: int) -> tuple[int, int]:
    """A_t and B_t of the running sums, a_t and b_t of the terms; R in reversed order."""
    at = terms[t + 1 : t + 1 + len(likely)]
    return sum(map(mul, likely, at)), sum(map(mul, unlikely, at))


class FixedPoint:
    """Both directions of a pair; all numbers but delta are integers in units of 2^-bits.

    Args:
        others: X, any number of kinds.
        own: x_0 <= x_1.
        k: the reports of the changed record, one or more.
        bits: F.

    Raises:
        DomainError: too few bits for the number of reports.

    >>> pair = FixedPoint([(Fraction(1, 4), 9)], (Fraction(1, 4), Fraction(3, 4)), 1, bits=64)
    >>> low, high = pair.divergence(2 << 64, 2 << 64)
    >>> print(f"{low / 2**64:.12f}, width {high - low}")
    0.018771171570, width 49
    """

    def __init__(self, others: Sequence[Factor], own: tuple[Fraction, Fraction], k: int, bits: int = 128) -> None:
        self.bits, self._own = bits, own
        self._others, self._count = law(others, bits), sum(count for _, count in others)
        self._without = law([(own[0], k)], bits).normalized(k, bits)
        symmetric = own[0] + own[1] == 1  # a report of 1 errs as often as a report of 0
        self._with = self._without[::-1] if symmetric else law([(own[1], k)], bits).normalized(k, bits)

    @cached_property
    def forward(self) -> Direction:
        """P_0 over P_1."""
        largest = (1 - self._own[0]) / (1 - self._own[1])
        return Direction(self._others, self._without, self._with, self.bits, largest)

    @cached_property
    def backward(self) -> Direction:
        """P_1 over P_0: P_0 over P_1 with every report flipped."""
        others, likely, unlikely = self._others.flipped(self._count), self._with[::-1], self._without[::-1]
        largest = self._own[1] / self._own[0]
        return Direction(others, likely, unlikely, self.bits, largest)

    def divergence(self, lower: int, upper: int) -> tuple[int, int]:
        """Bounds of the larger divergence at every lambda >= 1 with lower <= 2^bits lambda <= upper."""
        one, other = (side.divergence(lower, upper) for side in (self.forward, self.backward))
        return max(one[0], other[0]), max(one[1], other[1])

    def ratio_limit(self, delta: Fraction) -> tuple[int, int]:
        """Bounds of the least lambda >= 1 at which neither divergence exceeds delta >= 0."""
        low, high = self.forward.ratio_limit(delta, 1 << self.bits)
        _, beyond = self.backward.divergence(low, low)
        if beyond * delta.denominator <= delta.numerator << self.bits:  # it needs no more, as usual
            return low, high
        other = self.backward.ratio_limit(delta, low)
        return other[0], max(high, other[1])
