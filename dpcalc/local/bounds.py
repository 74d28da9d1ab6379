r"""Bounds of the ratios in a window, and the q from which on each keeps a limit: proven over whole ranges of q.

The notes' windows pass whole outcomes as q grows, so that a bound may fail at a larger q than one at which it holds.
The answer is the q *from which on* it holds. N = k n reports are pooled; gamma = (p - q)/sqrt(p q N) is 1/(k sigma).

*Products* (L4). Every R in the window of its dataset is at most

    prod_{0 <= j < k} 1/(1 - z gamma + j gamma^2)       any z                        one side
    prod_{1 <= j <= k} 1/(1 - z gamma + j gamma^2)      z - k gamma >= sqrt 2

and every R and 1/R at most

    prod_{0 <= j < k} 1/(1 - z gamma - j gamma^2)       z >= sqrt 2                  two sides
    prod_{1 <= j <= k} 1/(1 - z gamma - j gamma^2)      any z

where all factors are positive; and always (p/q)^k.

*Closed forms* (L5). Of L bits gamma is sqrt((E w^2 - 1)/(k n)) with E w^2 = (1/(pq) - 3)^L. With h = 1 - lambda^{-1/k}
the limit is kept while gamma is at most

    all records 1    (lambda^{1/k} - 1)/z                R <= (1 + z gamma)^k                               one side
                     h/z                                 1/R <= 1/(1 - z gamma)                   two sides, k = 1
    every dataset    h/z                                 R <= (1 - z gamma)^-k                              one side
                     2 h/(z + sqrt(z^2 + 4 c h))         max(R, 1/R) <= (1 - z gamma - c gamma^2)^-k       two sides

where c = k - 1 if z >= sqrt 2, else k. E w^2 = 1 + x where pq/(p - q)^2 = v = 1/((1 + x)^{1/L} - 1), at
q = (1 - 1/sqrt(1 + 4 v))/2. Of L bits it is the bound of the ball sum_l (s_l - n pi_l)^2 / (n pi_l) <= z^2 (12.2).

*The variance.* Every likelihood ratio w of identical records (``privacy.ratio``) has mean 1 under D, so that E R = 1
and E R^2 = E (E w^2)^J with J the overlap of two samples of k reports. E C(J, j) = C(k, j)^2 / C(N, j), so that with
x = E w^2 - 1

    Var R = sum_{j >= 1} C(k, j)^2 / C(N, j) x^j,

a polynomial without negative coefficients; term j + 1 is x (k - j)^2 / ((j + 1)(N - j)) times term j.

*The real end*, for all records 1: R itself, no outcome. With m = N - s and x^(j) = x (x - 1) ... (x - j + 1),

    R_m(q) = rho^{-k} sum_j C(k, j) m^(j) / N^(j) (rho^2 - 1)^j,    rho = p/q,                             (5.9), 7.1

where at a real m each factor m - i of m^(j) is max(0, m - i): then R at q N + z sqrt(p q N) is at least R at every
whole outcome of the window, and R at q N - z sqrt(p q N) at most (L8). If m = q N + zeta sqrt(p q N) >= k - 1, R is the
product of the steps u_0, ..., u_{k-1} of 7.8, in which what makes R large and what makes it small as q varies have
cancelled: a few ranges of q reach from 1/2 to the answer.

*The box.* Let n records of L bits be equal, k = 1, and s_l of the reports agree with the record in l bits: n pi_l of
them on average. One record is changed to its opposite. K16's (6.10) is R = (1/n) sum_l s_l w_l with
w_l = (p/q)^{L - 2l}. The window holds the s whose every s_l is at most z standard deviations from its mean,

    (s_l - n pi_l)^2 <= z^2 n pi_l (1 - pi_l),    pi_l = C(L, l) p^l q^{L-l},    s_0 + ... + s_L = n.

Both ends of R are exact in L steps, and over a range of q those of a larger box are (12.1).

Source: K16, (4.33)-(4.45), (5.9), (5.14)-(5.24); section 6.1.2 for L bits, which stops before its bound; proof notes,
L4, L5, L8, 7.1, 7.8, 12.1 and 12.2.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from math import comb, isqrt
from typing import TypeVar

from flint import arb

from dpcalc.errors import NoSolution, Undecided
from dpcalc.local.pooled_ratio import downwards
from dpcalc.numbers import elementary
from dpcalc.numbers.ball import ball, bits_for, enclosure_of, union, working_precision
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.decimal import decimal, rounded, usable
from dpcalc.numbers.elementary import FINE, sqrt
from dpcalc.numbers.enclosure import MAX_SHOWN, Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import last_where, logarithm
from dpcalc.privacy.ratio import ratio_at

HALF = Fraction(1, 2)
BITS = 64  #: of balls, beyond what lambda - 1 and the widths of ranges need
NARROWEST = Fraction(1, 1 << 60)  #: what is narrower than this share of the answer's width may be missed
_LEAST = Fraction(1, 1 << 199)  # shares of the largest q below this are not searched
_MOST_STEPS = 1_000
_INFINITE = arb("inf")

_Number = TypeVar("_Number", Fraction, arb)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound(ABC):
    """A bound of the ratios in a window of the N = k n reports, and the limit that it is to keep.

    Attributes:
        total: N.
        k: reports per record.
        sigmas: z, half the width of the window in standard deviations.
        sides: 1 for R, 2 for 1/R too.
        limit: lambda > 1.
        rtol: relative width of the answer.
        length: L, bits per record.
    """

    total: int
    k: int
    sigmas: Fraction
    sides: int
    limit: Limit
    rtol: Fraction
    length: int = 1

    @abstractmethod
    def over(self, low: Fraction, high: Fraction) -> arb:
        """A ball around the bound at low = high; over a wider range the bound is nowhere above the ball."""

    @property
    def top(self) -> Fraction:
        """A q from which on the limit is kept."""
        return HALF

    @property
    def width(self) -> Fraction:
        """The relative width that is searched for."""
        return self.rtol

    @property
    def bits(self) -> int:
        """Precision of the balls: twice what is needed, as terms cancel."""
        return 2 * (BITS + bits_for(self.width) + bits_for(min(HALF, self.limit.excess)))

    def holds(self, low: Fraction, high: Fraction) -> bool:
        """Whether the limit is proven to be kept for all q in [low, high]."""
        with working_precision(self.bits):
            return bool(self.over(low, high) <= self.limit.ball())

    def fails(self, q: Fraction) -> bool:
        """Whether it is proven to be broken at q."""
        with working_precision(self.bits):
            return bool(self.over(q, q) > self.limit.ball())

    def value(self, q: Fraction) -> Enclosure:
        """The bound at q."""
        with working_precision(self.bits):
            return enclosure_of(self.over(q, q))

    def ends(self) -> tuple[Fraction, Fraction]:
        """A q at which the limit is broken, and one from which on it is kept.

        Raises:
            NoSolution, Undecided: as ``edge``.
        """
        upper, lower = edge(self.holds, self.fails, start=self.top, end=Fraction(0), rtol=self.width)
        return lower, upper

    def bracket(self) -> Bracket:
        """The two, and the bound there."""
        lower, upper = self.ends()
        return Bracket(lower=lower, upper=upper, at_lower=self.value(lower), at_upper=self.value(upper))


def edge(
    holds: Callable[[Fraction, Fraction], bool], fails: Callable[[Fraction], bool], *,
    start: Fraction, end: Fraction, rtol: Fraction,
) -> tuple[Fraction, Fraction]:  # fmt: skip
    """(x, y): a condition holds on all between the start and x, and fails at y, a relative width nearer to the end.

    Steps are 1, 2 or 5 times a power of ten, so that x and y are short: the next larger one after two proofs, the next
    smaller one after none.

    Args:
        holds: whether the condition is proven on all of [low, high].
        fails: whether it is proven to fail at one point.
        start: > 0; the condition holds there.
        end: above or below it; 0 is never reached.
        rtol: the relative width.

    Raises:
        NoSolution: it holds all the way down to 2^-199 of the start.
        Undecided: no failing point is found next to a range that cannot be proven.
    """
    x, step, swift, way = start, _step(start / 2), True, 1 if end > start else -1
    for _ in range(_MOST_STEPS + 2 * bits_for(rtol)):
        if x <= _LEAST * start:
            raise NoSolution("the bound holds for every q in the searched range, down to 2^-200: no noise is asked for")
        low, high = sorted((x, x + way * step))
        if high <= max(start, end) and holds(low, high):
            x += way * step
            step, swift = _step(min(step * 5 / 2 if swift else step, x / 2)), True
            continue
        step, swift = _step(step / 2), False
        # the start itself, where it is known to hold, is no answer
        if step * 64 <= rtol * x and (x != start or step < _LEAST * start):
            for y in (x + way * step * 2**j for j in range(1, 7)):
                if fails(y):
                    return x, y
            if step <= rtol * x * NARROWEST:
                break
    near = sorted((x, max(x + way * 64 * step, Fraction(0))))
    raise Undecided(f"no proof near {decimal(x, x, 17)}", Enclosure(*near))


def _step(x: Fraction) -> Fraction:
    """The largest number at most x that is 1, 2 or 5 times a power of ten."""
    power = Fraction(10) ** round(logarithm(x) / math.log(10))  # next to x
    return max(one for one in (power / 5, power / 2, power, 2 * power, 5 * power) if one <= x)


def gamma(total: int, q: Fraction) -> arb:
    """(p - q)/sqrt(p q N), which falls with q."""
    return ball(1 - 2 * q) / ball(q * (1 - q) * total).sqrt()


# --- by a formula -----------------------------------------------------------------------------------------------------


def spread(q: Fraction, bits: int) -> arb:
    """E w^2 - 1."""
    return (bits * ball(1 / (q * (1 - q)) - 4).log1p()).expm1()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedBound(Bound):
    """The closed form; for all records 1 unless ``every`` dataset is asked for. ``rtol`` only sets the balls' bits."""

    every: bool = False

    def over(self, low: Fraction, high: Fraction) -> arb:
        """It at ``low``: it falls as q grows."""
        gamma = (spread(low, self.length) / self.total).sqrt()
        if self._rises:
            return (1 + ball(self.sigmas) * gamma) ** self.k
        factor = 1 - gamma * (ball(self.sigmas) + self._square * gamma)
        return factor**-self.k if factor > 0 else _INFINITE

    @property
    def width(self) -> Fraction:
        """Where the bound is the inverse of 1 - z gamma, that is as small as lambda^{-1/k}, and to stay positive."""
        return FINE if self._rises else FINE / self.limit.root(self.k).upper

    def gamma(self) -> Enclosure:
        """The gamma up to which the limit is kept."""
        one = self.limit.root(self.k, self.width / self.k**2)
        h, z = one - 1 if self._rises else (one - 1) / one, self.sigmas
        whole = 4 * self._square * h + z**2
        ends = sqrt(whole.lower, self.width).lower, sqrt(whole.upper, self.width).upper
        return 2 * h / (Enclosure(*ends) + z)

    def ends(self) -> tuple[Fraction, Fraction]:
        """Around the q of that gamma."""
        gamma, width = self.gamma(), self.width
        least, most = (_q_at(self.total * end**2, self.length, width) for end in (gamma.upper, gamma.lower))
        digits = min(bits_for(width) // 3, MAX_SHOWN)
        return Fraction(rounded(least.lower, digits, -1)), Fraction(usable(most.upper, digits, 1))

    @property
    def _rises(self) -> bool:
        return self.sides == 1 and not self.every

    @property
    def _square(self) -> int:
        """c."""
        if self.sides == 1 or not self.every:
            return 0
        return self.k - 1 if self.sigmas**2 >= 2 else self.k


def _q_at(spread: Fraction, bits: int, rtol: Fraction) -> Enclosure:
    """The q at which E w^2 = 1 + spread."""
    one = elementary.root(1 + spread, bits, rtol=rtol * min(Fraction(1), spread) / (2 * bits))
    ends = []
    for v in (1 / (one.upper - 1), 1 / (one.lower - 1)):
        s = sqrt(1 + 4 * v, rtol=rtol * min(Fraction(1), v))
        ends += [(1 - 1 / s.lower) / 2, (1 - 1 / s.upper) / 2]
    return Enclosure(ends[0], ends[-1])


def variance(n: int, k: int, x: _Number) -> _Number:
    """Var R for E w^2 = 1 + x.

    >>> variance(10, 1, Fraction(40, 9)) == Fraction(40, 9) / 10
    True
    """
    tail = 1 + 0 * x
    for j in range(k - 1, 0, -1):
        tail = 1 + tail * x * (k - j) ** 2 / ((j + 1) * (n * k - j))
    return x * k / n * tail


class VarianceBound(Bound):
    """1 + z sqrt(Var R) or, for two sides, 1/(1 - z sqrt(Var R)): E w^2 and all else falls as q grows."""

    __slots__ = ()

    def over(self, low: Fraction, high: Fraction) -> arb:
        """Its value at ``low``."""
        reach = ball(self.sigmas) * variance(self.total // self.k, self.k, spread(low, self.length)).sqrt()
        if self.sides == 1:
            return 1 + reach
        return _INFINITE if reach >= 1 else 1 / (1 - reach)

    @property
    def width(self) -> Fraction:
        """For two sides 1 - z sqrt(Var R), as small as 1/lambda, is to stay positive at the lower end."""
        if self.sides == 1:
            return self.rtol / 2
        reports = (self.k * self.length) ** 2 * max(Fraction(1), self.sigmas)
        return min(self.rtol / 2, 1 / (16 * self.limit.ends.upper * reports))

    @property
    def top(self) -> Fraction:
        """The least power of two at which the limit is kept, and so from there on."""

        def kept(halvings: int) -> bool:
            q = Fraction(1, 1 << halvings)
            return q == HALF or self.holds(q, q)

        return Fraction(1, 1 << last_where(kept, 1, math.inf, near=1))


class ProductBound(Bound):
    """The smallest of the products that are proven, and (p/q)^k."""

    __slots__ = ()

    def over(self, low: Fraction, high: Fraction) -> arb:
        """It, for all q in [low, high]."""
        return 1 / reduce(arb.max, self._inverses(low, high))

    def _inverses(self, low: Fraction, high: Fraction) -> list[arb]:
        """The products of the factors that bound 1/R for all q in [low, high]."""
        k, z = self.k, ball(self.sigmas)
        most, least = (gamma(self.total, q) for q in (low, high))
        classical = ball(low / (1 - low)) ** k
        if self.sides == 2:
            first = 0 if self.sigmas**2 >= 2 else 1
            return [classical, _product(1 - most * (z + j * most) for j in range(first, first + k))]
        firsts = (0, 1) if z - k * most >= arb(2).sqrt() else (0,)
        return [classical, *(self._one_side(range(i, i + k), least, most) for i in firsts)]

    def _one_side(self, js: range, least: arb, most: arb) -> arb:
        """The product of 1 - z gamma + j gamma^2 over [least, most]: it falls while the mean factor does, and
        the first factor, the least, is above 0 on all of it where it is at ``most``.
        """
        square = most if (js[0] + js[-1]) * most <= ball(self.sigmas) else least
        return _product(1 - ball(self.sigmas) * most + j * square**2 for j in js)


def _product(factors: Iterable[arb]) -> arb:
    """Of factors that are all positive, else 0."""
    found = arb(1)
    for factor in factors:
        if not factor > 0:
            return arb(0)
        found *= factor
    return found


# --- at the real end --------------------------------------------------------------------------------------------------


class RealEnd(Bound):
    """R at the real end of the window with the most zeros and, for two sides, 1/R at the other."""

    __slots__ = ()

    def over(self, low: Fraction, high: Fraction) -> arb:
        """The larger one."""
        found = self._over(low, high, 1)
        return found if self.sides == 1 else found.max(self._over(low, high, -1))

    def fails_inside(self, low: Fraction, high: Fraction) -> bool:
        """Whether 1/R > lambda at the outcome of the window with the fewest zeros, for all q in [low, high].

        It has at most one zero more than the real end: 1/R is at least what it is at an end so many standard deviations
        further in, if that is not clipped (L8).
        """
        variance = self.total * low * (1 - low)  # the least on the range
        sigmas = self.sigmas - elementary.sqrt(1 / variance).upper
        if sigmas <= 0 or low * self.total < self.sigmas**2 * (1 - low):
            return False
        with working_precision(self.bits):
            return bool(self.limit.ball() * replace(self, sigmas=sigmas)._ratio(low, high, -1) < 1)

    def _over(self, low: Fraction, high: Fraction, side: int) -> arb:
        """R at the end with the most zeros (``side`` = 1), or 1/R at that with the fewest (-1).

        Clipped ends and others have balls of their own.
        """
        z2, found = self.sigmas**2, list[arb]()
        turn = (self.total if side > 0 else z2) / (self.total + z2)  # from here on, or up to here, it is
        clipped = (max(low, turn), high) if side > 0 else (low, min(high, turn))
        within = (low, min(high, turn)) if side > 0 else (max(low, turn), high)
        if clipped[0] <= clipped[1]:
            found.append((1 / union(*clipped) - 1) ** self.k)
        if within[0] <= within[1]:
            ratio = self._ratio(*within, side)
            found.append(ratio if side > 0 else 1 / ratio)
        return reduce(arb.union, found)

    def _ratio(self, low: Fraction, high: Fraction, side: int) -> arb:
        """R at the end; m is at ``low`` the least and at ``high`` the most (7.6)."""
        total, k, z = self.total, self.k, ball(self.sigmas)
        zeros = [ball(q) * total + side * z * ball(q * (1 - q) * total).sqrt() for q in (low, high)]
        if zeros[0] >= k - 1:
            across = gamma(total, low).union(gamma(total, high))
            zeta, wanted = side * z, range(total - k + 1, total + 1)
            x = lambda i: total * across * (zeta - (total - i) * across)  # noqa: E731
            found = downwards(total, x, 1 + across * zeta, total, wanted)
            if found.is_finite():
                return found
        return ratio_at(total, k, total - zeros[0].union(zeros[1]), union(low, high))


# --- in a box ---------------------------------------------------------------------------------------------------------


class BoxBound(Bound):
    """The largest R and, for two sides, 1/R at the whole outcomes of the box; 0 where it has none."""

    __slots__ = ()

    def over(self, low: Fraction, high: Fraction) -> arb:
        """The larger one, over a larger box."""
        return ball(max(self.ratios(low, high), default=0))

    def outcome(self, low: Fraction, high: Fraction, *, least: bool) -> list[int] | None:
        """s_0, ..., s_L with the largest or the least R in a box that holds those of all q in [low, high].

        None if it holds no outcome.
        """
        ends = [self._ends(agreeing, low, high) for agreeing in range(self.length + 1)]
        rest = self.total - sum(first for first, _ in ends)
        if rest < 0 or any(first > last for first, last in ends):
            return None
        found = [first for first, _ in ends]
        for agreeing in sorted(range(self.length + 1), reverse=least):
            first, last = ends[agreeing]
            found[agreeing] = min(last, first + rest)
            rest -= found[agreeing] - first
        return None if rest else found

    def ratios(self, low: Fraction, high: Fraction) -> list[Fraction]:
        """No less than R and, for two sides, 1/R at any outcome for any q in [low, high]; attained where low = high."""
        found = []
        if most := self.outcome(low, high, least=False):
            found.append(self._ratio(most, low, high))
        if self.sides == 2 and (fewest := self.outcome(low, high, least=True)):
            found.append(1 / self._ratio(fewest, high, low))
        return found

    def _ratio(self, outcome: Sequence[int], few: Fraction, many: Fraction) -> Fraction:
        """The mean of w_l, with q = ``few`` where w_l > 1, and q = ``many`` where w_l < 1."""
        powers = range(self.length, -self.length - 1, -2)
        likelihoods = ((1 / (few if power > 0 else many) - 1) ** power for power in powers)
        return sum((s * w for s, w in zip(outcome, likelihoods, strict=True)), Fraction(0)) / self.total

    def _ends(self, agreeing: int, low: Fraction, high: Fraction) -> tuple[int, int]:
        """The least and the largest whole s_l of any q in [low, high], l = ``agreeing``."""
        apart = self.length - agreeing
        peak = min(max(low, Fraction(apart, self.length)), high)  # pi_l rises up to there, and then falls
        chances = [comb(self.length, agreeing) * (1 - q) ** agreeing * q**apart for q in (low, peak, high)]
        return self._least(min(chances)), self.total - self._least(1 - max(chances))

    def _least(self, chance: Fraction) -> int:
        """The least whole s >= 0 that is not more than z standard deviations below n times the chance."""
        mean, square = self.total * chance, self.sigmas**2 * self.total * chance * (1 - chance)
        scale = mean.denominator * square.denominator
        return max(0, first_within(int(mean * scale), int(square * scale**2), scale))


def first_within(middle: int, square: int, scale: int, side: int = -1) -> int:
    """The least whole number that is at least (middle + side sqrt(square))/scale."""
    root = isqrt(square)
    return -((-middle - root - (root * root < square)) // scale) if side > 0 else -((root - middle) // scale)
