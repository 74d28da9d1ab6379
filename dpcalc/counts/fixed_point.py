r"""The divergence of two pooled counts in fixed point: integers in units of 2^-bits, every floor counted.

X is the sum of the *other* reports, independent in kinds (a, c): c reports that are 1 with probability a. What changes
adds a small pool to it, ``zero`` under P_0 and ``one`` under P_1: S = X + J. For lambda >= 1

    forward   max_t P_0(S <= t) - lambda P_1(S <= t),     backward   max_t P_1(S > t) - lambda P_0(S > t).

P_1(S = t) / P_0(S = t) grows with t: each report of ``one`` is 1 at least as often as its partner in ``zero``, and one
such raise is a two-point mixture convolved with a log-concave sequence. So d_t = P_0(S = t) - lambda P_1(S = t)
changes sign once, from + to -, and forward is h_t = d_0 + ... + d_t at the last t with d_t > 0. Backward is forward
with every report flipped (s becomes its mirror image, zero and one change places): one direction is enough below.

**Lower bounds whose missing mass is known.** Everything held is an integer X_i <= T x_i, where x is a pmf and T a real
number with sum_i X_i <= T <= ``total``. Then for every event I, as no term exceeds the truth,

    0 <= T x(I) - X(I) <= T - sum_i X_i <= total - sum_i X_i.                                                        (1)

So no error is followed from term to term, only T is bounded. Write F for ``bits``.

1. *One kind*, Binomial(N, a) with mode M: X_M = 2^F and X_{i+1} = floor(X_i r_i), r_i = x_{i+1} / x_i, upwards from M
   until it is 0; likewise downwards. T = 2^F / x_M, so that X_M = T x_M, and X_i <= T x_i by induction.
   The floor at j takes less than 1 from X_j, and less than x_i / x_j from each X_i beyond: together less than
   sum_{i beyond j} x_i / x_j <= sum_i x_i / x_M = T / 2^F, because x is log-concave. Where it leaves 0, that is the whole
   rest of the tail. With f floors T - sum X <= f T / 2^F, hence T <= 2^F sum X / (2^F - f).
   Odds a / (1 - a) too long to compute with are rounded down to 2^-G, 2^G >= N 2^F: as X_i (N - i) / (i + 1) 2^-G <= 1,
   this takes at most 1 more from X_{i+1}. It counts as a second floor there.
2. *Several kinds*: floor(2^-F sum_j X_j Y_{i-j}) is at most T (x * y)_i for T = 2^-F T_x T_y, and T <= 2^-F total_x
   total_y. The floors need no count: what they take is missing from the sum.
3. *The changed reports*: R_j = floor(2^F X_j / total) <= 2^F r_j, a lower bound with T = 2^F exactly.
4. *A_t = sum_j R_j (X_0 + ... + X_{t-j})* sums lower bounds R_j X_i of U r_j x_i, U = 2^F T, over {i + j <= t}: by (1)

       A_t <= U P_0(S <= t) <= A_t + e_0,    e_0 = 2^F total - (sum R)(sum X),

   and a_t = sum_j R_j X_{t-j} <= U P_0(S = t) <= a_t + e_0. Likewise B_t, b_t and e_1 under P_1. These are exact sums.
5. *Divergence*, for L <= 2^F lambda <= L': every t gives the lower bound 2^F A_t - L' (B_t + e_1) of 2^F U h_t. If
   2^F a_l > L' (b_l + e_1) then d_l > 0; if 2^F (a_r + e_0) < L b_r then d_r < 0; the maximum is then at some t with
   l <= t < r, and at most the largest 2^F (A_t + e_0) - L B_t there. Without such an l (or r) every t below (above) is
   a candidate; they need be tried as far as A_t and B_t change. U lies between 2^F sum X and 2^F total.
6. *Ratio limit*: the least lambda >= 1 with divergence <= delta is the largest (P_0(S <= t) - delta) / P_1(S <= t), or
   1. Every t gives the lower bound (A_t - delta 2^F total) / (B_t + e_1). A lambda is an upper bound if the divergence
   at it is at most delta: if lambda B_t >= A_t + e_0 - delta 2^F sum X for every candidate t of step 5 at this lambda.
   Where it is not, the largest quotient (A_t + e_0 - delta 2^F sum X) / B_t of the candidates is tried next
   (Dinkelbach): it grows at each step, through finitely many values. Should B_t = 0, the largest ratio of all,
   P_0(S = 0) / P_1(S = 0), is an upper bound.

Floats only choose the t looked at first: steps 5 and 6 hold for any choice. A divergence is off by about
(1 + lambda) (terms + changed reports) 2^-F, so that more bits reach any relative width.

Source: K16's generating function G_m; W. Dinkelbach, On nonlinear fractional programming (1967).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, reduce
from itertools import accumulate
from operator import mul
from typing import TypeAlias

from flint import fmpz

from dpcalc.errors import DomainError
from dpcalc.numbers.steering import logarithm

__all__ = ["Direction", "FixedPoint", "Kinds", "Law", "law"]

#: Independent reports: pairs (a, c), c of them 1 with probability a, 0 < a < 1.
Kinds: TypeAlias = Sequence[tuple[Fraction, int]]

_STEERED = 12  # float steps towards a ratio limit


@dataclass(frozen=True, slots=True)
class Law:
    """Lower bounds of T times a pmf, sum(terms) <= T <= total, from the value ``first`` on."""

    first: int
    terms: list[int]
    total: int

    def times(self, other: Law, bits: int) -> Law:
        """The law of the independent sum, in units of 2^-bits (step 2)."""
        terms = [term >> bits for term in _convolved(self.terms, other.terms)]
        return Law(self.first + other.first, terms, -(-self.total * other.total >> bits))

    def flipped(self, count: int) -> Law:
        """The law of ``count`` less the sum."""
        return Law(count + 1 - self.first - len(self.terms), self.terms[::-1], self.total)

    def normalized(self, last: int, bits: int) -> list[int]:
        """Lower bounds of 2^bits times the probabilities of 0, ..., last (step 3)."""
        known = [(term << bits) // self.total for term in self.terms]
        return [0] * self.first + known + [0] * (last + 1 - self.first - len(known))


def law(kinds: Kinds, bits: int) -> Law:
    """The sum of the reports in units of 2^-bits.

    Raises:
        DomainError: so few bits that the floors might lose everything.
    """
    each = [_binomial(count, a, bits) for a, count in kinds if count]
    return reduce(lambda x, y: x.times(y, bits), each) if each else Law(0, [1 << bits], 1 << bits)


def _binomial(count: int, a: Fraction, bits: int) -> Law:
    """Step 1."""
    mode = (count + 1) * a.numerator // a.denominator
    u, v = a.numerator, a.denominator - a.numerator
    above, per_step = _falling(count, mode, u, v, bits)
    below, _ = _falling(count, count - mode, v, u, bits)
    terms = [*reversed(below), 1 << bits, *above]
    floors = per_step * (len(terms) + 1)  # the last one on each side left 0
    if floors >= 1 << bits:
        raise DomainError("bits", bits, f"at least {floors.bit_length()} for {count:,} reports")
    return Law(mode - len(below), terms, -((sum(terms) << bits) // (floors - (1 << bits))))


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
    raw = int(math.prod(packed)).to_bytes(length, "little")
    return [int.from_bytes(raw[i : i + size], "little") for i in range(0, length, size)]


class Direction:
    """One direction, h_t = P_0(S <= t) - lambda P_1(S <= t): steps 4 to 6. Here t counts from the first term on.

    Args:
        known: the law of X.
        others, zero, one: X and J, as for both directions.
        bits: the unit is 2^-bits, for terms, limits and answers.
    """

    def __init__(self, known: Law, others: Kinds, zero: Kinds, one: Kinds, bits: int) -> None:
        count, running = sum(count for _, count in zero), list(accumulate(known.terms))
        self._pmf = [0] * (count + 1) + known.terms + [0] * count  # from t = -1 - count on
        self._cdf = [0] * (count + 1) + running + [running[-1]] * count
        self._likely, self._unlikely = (law(kinds, bits).normalized(count, bits)[::-1] for kinds in (zero, one))
        self._missing = [(known.total << bits) - sum(x) * running[-1] for x in (self._likely, self._unlikely)]
        self._least, self._most = running[-1] << bits, known.total << bits  # of U
        self._first, self._last, self._bits = known.first, len(known.terms) + count - 1, bits
        self._record, self._steering = (zero, one), _Steering(others, zero, one)

    def divergence(self, lower: int, upper: int) -> tuple[int, int]:
        """Bounds of the divergence at every lambda between two bounds (step 5)."""
        bits, (e_0, e_1) = self._bits, self._missing
        low = high = 0
        for t in self._candidates(lower, upper, self._threshold(self._epsilon(lower))):
            a, b = self._sums(self._cdf, t)
            low = max(low, (a << bits) - upper * (b + e_1))
            high = max(high, (a + e_0 << bits) - lower * b)
        return low // self._most, -(-high // self._least)

    def ratio_limit(self, delta: Fraction, at_least: int) -> tuple[int, int]:
        """Bounds of the least lambda, not below ``at_least``, with a divergence of at most delta > 0 (step 6)."""
        bits, (e_0, e_1) = self._bits, self._missing
        spared = delta.numerator * self._least // delta.denominator - e_0
        most_spared = -(-delta.numerator * self._most // delta.denominator)
        t = self._approach(delta, at_least)
        a, b = self._sums(self._cdf, t)
        high = max(at_least, -(-(a - spared << bits) // b)) if b else at_least
        while True:
            low, proven = at_least, high
            for t in self._candidates(high, high, t):
                a, b = self._sums(self._cdf, t)
                low = max(low, (a - most_spared << bits) // (b + e_1))
                if a - spared << bits > high * b:
                    if not b:
                        return low, max(at_least, self._largest())
                    proven = max(proven, -(-(a - spared << bits) // b))
            if proven == high:
                return low, high
            high = proven

    def _candidates(self, lower: int, upper: int, start: int) -> range:
        """All t, -1 standing for every t below 0, at which h may be largest for a lambda between the bounds."""
        bits, (e_0, e_1) = self._bits, self._missing

        @cache
        def sign(t: int) -> int:
            a, b = self._sums(self._pmf, t)
            return ((a << bits) > upper * (b + e_1)) - ((a + e_0 << bits) < lower * b)

        left = _last(lambda t: sign(t) > 0, -1, self._last, start)
        right = _last(lambda t: sign(t) >= 0, left, self._last, left + 1) + 1
        return range(left, right)

    def _sums(self, terms: list[int], t: int) -> tuple[int, int]:
        """A_t and B_t, or a_t and b_t; t >= -1."""
        at = terms[t + 1 : t + 1 + len(self._likely)]
        return sum(map(mul, self._likely, at)), sum(map(mul, self._unlikely, at))

    def _largest(self) -> int:
        """The largest ratio, P_0(S = 0) / P_1(S = 0)."""
        zero, one = (math.prod((1 - a) ** count for a, count in kinds) for kinds in self._record)
        return math.ceil(Fraction(zero / one) * (1 << self._bits))

    def _epsilon(self, lam: int) -> float:
        """Log of lambda, about."""
        one = 1 << self._bits
        return math.log1p((lam - one) / one) if lam.bit_length() < self._bits + 1000 else math.log(lam) - math.log(one)

    def _threshold(self, epsilon: float, start: int | None = None) -> int:
        """A guess of the last t with d_t > 0."""
        place = self._steering.threshold(epsilon)
        if place is None:

            def likelier(t: int) -> bool:
                a, b = self._sums(self._pmf, t)
                return a > 0 and (b == 0 or math.log(a) - math.log(b) > epsilon)

            return _last(likelier, -1, self._last, self._last // 2 if start is None else start)
        return min(max(math.floor(place) - self._first, 0), self._last)

    def _approach(self, delta: Fraction, at_least: int) -> int:
        """A guess of the t at which the divergence is delta: Newton's method on its logarithm, a function of epsilon."""
        goal, unit, steepest = logarithm(delta), math.log(self._most), self._steering.steepest
        epsilon = self._epsilon(at_least) or self._steering.gaussian(goal)
        t = before = None
        for _ in range(_STEERED):
            t, before = self._threshold(min(epsilon, steepest), t), t
            a, b = self._sums(self._cdf, t)
            if t == before or not b:
                break
            log_a = math.log(a)
            share = math.exp(min(epsilon + math.log(b) - log_a, -1e-9))  # lambda B_t / A_t
            epsilon += (log_a - unit + math.log1p(-share) - goal) * (1 - share) / share
            epsilon = max(epsilon, 0.0)
        return t or 0


def _last(holds: Callable[[int], bool], low: int, high: int, start: int) -> int:
    """Some t, low <= t <= high, that is low or holds, and is high or the next does not hold; near ``start`` first."""
    high, t, step = high + 1, start, 1
    while high - low > 1:
        if not low < t < high:
            t = (low + high) // 2
        if holds(t):
            low, t = t, t + step
        else:
            high, t = t, t - step
        step *= 2
    return low


class _Steering:
    """Where to look, for one direction: pools in floating point."""

    def __init__(self, others: Kinds, zero: Kinds, one: Kinds) -> None:
        self._others, self._zero, self._one = ([(float(a), count) for a, count in x] for x in (others, zero, one))
        logs = [sum(count * logarithm(1 - a) for a, count in record) for record in (zero, one)]
        self.steepest = logs[0] - logs[1]

    def threshold(self, epsilon: float) -> float | None:
        """The sum at which the ratio P_0 / P_1 is e^epsilon: a saddle point, in closed form where each is one kind."""
        if len(self._zero) > 1 or len(self._one) > 1:
            return None
        ((a, count),), ((b, _),) = self._zero, self._one
        root = math.exp(min(epsilon / count, 700.0))
        above, below = 1 - a - root * (1 - b), root * b - a  # ((1 - a + a y) / (1 - b + b y))^count = e^epsilon
        if above <= 0 or below <= 0:
            return 0.0
        y, total = above / below, 0.0
        for c, reports in (*self._others, (a, count / 2), (b, count / 2)):
            total += reports * c * y / (1 - c + c * y)
        return total

    def gaussian(self, log_delta: float) -> float:
        """Epsilon at delta as if the two sums were Gaussian."""
        means = [sum(a * count for a, count in record) for record in (self._zero, self._one)]
        variance = sum(a * (1 - a) * count for a, count in (*self._others, *self._zero))
        mu = (means[1] - means[0]) / math.sqrt(variance)
        return mu * (0.85 * math.sqrt(-2 * min(log_delta, -0.1)) + mu / 2)


class FixedPoint:
    """Both directions of a pair.

    Args:
        others: X, any number of kinds.
        zero, one: J under P_0 and P_1, one report or more, as many of each. Put in order, the probabilities of ``one``
            must be at least those of ``zero``, one by one: otherwise the ratio need not grow, and no answer holds.
        bits: F.

    >>> pair = FixedPoint([(Fraction(1, 4), 9)], [(Fraction(1, 4), 1)], [(Fraction(3, 4), 1)], bits=64)
    >>> low, high = pair.divergence(2 << 64, 2 << 64)
    >>> print(float(Fraction(low, 1 << 64)), high - low)
    """

    def __init__(self, others: Kinds, zero: Kinds, one: Kinds, bits: int = 128) -> None:
        self._bits, self._kinds = bits, (others, zero, one)
        self._law = law(others, bits)

    @cached_property
    def forward(self) -> Direction:
        """P_0 over P_1."""
        return Direction(self._law, *self._kinds, self._bits)

    @cached_property
    def backward(self) -> Direction:
        """P_1 over P_0: P_0 over P_1 with every report flipped."""
        others, zero, one = ([(1 - a, count) for a, count in kinds] for kinds in self._kinds)
        return Direction(self._law.flipped(sum(count for _, count in others)), others, one, zero, self._bits)

    def divergence(self, lower: int, upper: int) -> tuple[int, int]:
        """Bounds of the larger divergence, in units of 2^-bits, at every lambda >= 1 with lower <= 2^bits lambda <= upper."""
        one, other = (side.divergence(lower, upper) for side in (self.forward, self.backward))
        return max(one[0], other[0]), max(one[1], other[1])

    def ratio_limit(self, delta: Fraction) -> tuple[int, int]:
        """Bounds, in units of 2^-bits, of the least lambda >= 1 at which neither divergence exceeds delta > 0."""
        one = self.forward.ratio_limit(delta, 1 << self._bits)
        other = self.backward.ratio_limit(delta, one[0])
        return other[0], max(one[1], other[1])
