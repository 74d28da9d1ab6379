r"""The profile of one pair at many limits from its masses, listed once, however faint they are.

X is the sum of ``ones`` records' reports of 1 and ``zeros`` records' of 0, J that of the changed record: P has
S = X + J with a changed 0, Q with a changed 1. Tilted by r, 0 < r <= 1, with M = E r^X,

    P[S = s] = M r^{-s} p_s,    p_s = sum_j P[J = j] r^j x_{s-j},    x_i = P[X = i] r^i / M,

and q_s likewise: x is the law of other reports, which are 1 with the probabilities a r / (1 - a + a r), and lies where
the outcomes do that r was chosen for. With the running sums a_t = a_{t-1} r + p_t, b_t = b_{t-1} r + q_t,

    h_t = P[S <= t] - lambda Q[S <= t] = M r^{-t} (a_t - lambda b_t),    delta = max_t h_t, or 0.

*Errors.* x comes in integers whose floors are counted (``fixed_point``): listed is at most x_i, and all that is missing
is w. As J's weights and r are at most 1, p_t and a_t miss at most w as well. p_t is a sum of k + 1 products of rounded
numbers, a_t one of terms >= 0 that are rounded twice a step: with u the unit of doubles and n masses listed, they err
by at most g = 1.01 (2 n + k + 8) u relatively.

*Which t.* P[S = s] / Q[S = s] falls in s, so that h_t rises and then falls, once. Where P[S = t-1] > lambda Q[S = t-1]
and P[S = t+2] < lambda Q[S = t+2] are proven, the largest is one of h_{t-1}, h_t, h_{t+1}. Nothing needs to be proven
where no outcomes lie.

Source: proof notes, C23.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate

from flint import arb

from dpcalc.laws.fixed_point import law
from dpcalc.laws.pool import Pool
from dpcalc.numbers.ball import ball, working_precision
from dpcalc.numbers.rounding import UNIT

__all__ = ["Tail", "Tilt"]

_BITS = 110  # of the masses: those 9 standard deviations away still have 50
_RADIUS = 30  # bits of r
_PRECISION = 128  # of logs that are taken as many times as there are reports


@dataclass(frozen=True)
class Tilt:
    """What all pools have in common.

    Attributes:
        q, k: the flip probability and the reports of a record.
        r: the radius, a double.
    """

    q: Fraction
    k: int
    r: Fraction

    @classmethod
    def near(cls, q: Fraction, k: int, theta: float) -> Tilt:
        """With r about e^theta, at most 1."""
        mantissa, exponent = math.frexp(math.exp(min(theta, 0.0)))
        return cls(q, k, Fraction(round(math.ldexp(mantissa, _RADIUS))) * Fraction(2) ** (exponent - _RADIUS))

    @cached_property
    def chances(self) -> tuple[Fraction, Fraction]:
        """Of a tilted report of 1, and of 0."""
        likely, unlikely = ((a * self.r) / (1 - a + a * self.r) for a in (1 - self.q, self.q))
        return likely, unlikely

    @cached_property
    def own(self) -> tuple[list[float], list[float]]:
        """P[J = j] r^j, rounded, for a changed 0 and a changed 1."""
        pools = (Pool.of((a, self.k)).pmf() for a in (self.q, 1 - self.q))
        zero, one = ([float(Fraction(w, x.denominator) * self.r**j) for j, w in enumerate(x.weights)] for x in pools)
        return zero, one

    @cached_property
    def _logs(self) -> tuple[arb, arb, arb]:
        """Log of E r^J for a report of 1 and of 0, and log r."""
        with working_precision(_PRECISION):
            p, q, r = ball(1 - self.q), ball(self.q), ball(self.r)
            return (q + p * r).log(), (p + q * r).log(), r.log()

    @cached_property
    def _steering(self) -> tuple[float, float, float]:
        one, zero, log_r = self._logs
        return float(one.mid()), float(zero.mid()), float(log_r.mid())

    def variance(self, ones: int, zeros: int) -> float:
        """Of the tilted reports of so many records, about."""
        return sum(self.k * n * float(a * (1 - a)) for a, n in zip(self.chances, (ones, zeros), strict=True))

    def front(self, ones: int, zeros: int, t: int) -> arb:
        """M r^{-t}."""
        one, zero, log_r = self._logs
        return (self.k * ones * one + self.k * zeros * zero - t * log_r).exp()

    def log_front(self, ones: int, zeros: int, t: int) -> float:
        """Its logarithm, about; it steers."""
        one, zero, log_r = self._steering
        return self.k * (ones * one + zeros * zero) - t * log_r


class Tail:
    """The outcomes of the pair with so many ones and zeros among the others, as far as they are listed.

    >>> tail = Tail(Tilt(Fraction(1, 4), 1, Fraction(1)), 0, 5)
    >>> t, above = tail.upper((1.5, 1.5))
    >>> t, round(above, 9), float(Fraction(3, 4) ** 5 * (Fraction(3, 4) - Fraction(3, 2) * Fraction(1, 4)))
    (0, 0.088989258, 0.0889892578125)
    """

    def __init__(self, tilt: Tilt, ones: int, zeros: int, bits: int = _BITS) -> None:
        kinds = [(a, tilt.k * count) for a, count in zip(tilt.chances, (ones, zeros), strict=True) if count]
        others, self._last = law(kinds, bits), tilt.k * (ones + zeros + 1)
        start, stop = _nonzero(others.terms)
        self._first, self._r, total = others.first + start, float(tilt.r), others.total
        terms = [term / total for term in others.terms[start:stop]]
        zero, one = tilt.own
        self._p, self._q = _weighted(terms, zero), _weighted(terms, one)
        self._quotients = [q / p for p, q in zip(self._p, self._q, strict=True)]
        self._a, self._b = _running(self._p, self._r), _running(self._q, self._r)
        self._error = 1.01 * (2 * len(self._p) + tilt.k + 8) * UNIT
        self._missing = (total - sum(others.terms)) / total * (1 + 4 * UNIT) + 1e-300

    def __len__(self) -> int:
        return len(self._p)

    def upper(self, lam: tuple[float, float]) -> tuple[int, float] | None:
        """t and v, such that delta is at most M r^{-t} v for every lambda between two doubles; None if not proven."""
        last = len(self._p) - 1
        i = max(bisect_right(self._quotients, 1 / lam[0]) - 1, 0)
        wide, narrow, missing = 1 + self._error, 1 - self._error, self._missing
        if i > 0:
            if not self._p[i - 1] * narrow > lam[1] * (self._q[i - 1] * wide + missing) * wide:
                return None
        elif self._first:
            return None
        if i + 2 <= last:
            if not (self._p[i + 2] * wide + missing) * wide < lam[0] * self._q[i + 2] * narrow:
                return None
        elif self._first + last < self._last:
            return None
        highest = 0.0
        for j, turn in ((i - 1, self._r), (i, 1.0), (i + 1, 1 / self._r)):
            if 0 <= j <= last:
                a, b = self._a[j] * wide + missing, lam[0] * self._b[j] * narrow
                highest = max(highest, (a - b + 8 * UNIT * (a + b)) * turn)
        return self._first + i, highest * (1 + 8 * UNIT)


def _nonzero(terms: Sequence[int]) -> tuple[int, int]:
    """The least range that holds all but zeros."""
    start, stop = 0, len(terms)
    while not terms[start]:
        start += 1
    while not terms[stop - 1]:
        stop -= 1
    return start, stop


def _weighted(terms: Sequence[float], weights: Sequence[float]) -> list[float]:
    """sum_j weights_j terms_{s-j} for all s."""
    k = len(weights) - 1
    padded = [0.0] * k + list(terms) + [0.0] * k
    found = [0.0] * (len(terms) + k)
    for j, weight in enumerate(weights):
        found = [x + weight * y for x, y in zip(found, padded[k - j :], strict=False)]
    return found


def _running(terms: Sequence[float], r: float) -> list[float]:
    return list(accumulate(terms, lambda before, term: before * r + term))
