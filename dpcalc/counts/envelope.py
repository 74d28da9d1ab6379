r"""An upper bound of tilted Fourier coefficients over a whole range of compositions at once.

Let h_t(m) = [z^t] G_m K / (1 - z) with G_m(z) = (q + p z)^{k m} (p + q z)^{k (B - m)}, as in ``inversion``, and let it
be known that for every m the sequence t -> h_t(m) rises and then falls. Wanted: a proven bound of max_t h_t(m) for all
integers m in [a, b]. Centre the range at m_0 = (a + b)/2, take any real t_0 and slope s, and write m = m_0 + x and
t = t_0 + s x + u. At integers m and t, up to aliases and points left out (bounded as in ``inversion``, uniformly in x
and u),

    h_t(m) = sum_j A_j e^{w_j},   w_j = x g_j - u l_j,   l_j = log z_j,   g_j = k log((q + p z_j)/(p + q z_j)) - s l_j,

which is analytic in real x and u. With s the tilted mean by which one more 1 moves the sum, g_j is of third order in
the tilt: a Taylor polynomial in (x, u) with a bounded remainder covers a range of m that grows like the 3/2-th power of
n, hence all of it for large n. Only |u| <= U need be covered once d_t(m) = h_t(m) - h_{t-1}(m) is proven positive for
all u in [-U, 1 - U] and negative for all u in [U - 1, U]: each of these intervals holds an integer t.

Source: MATH, facts 8 and 9, sharpened: the blocks of fact 8 number some thousands at any n, these become fewer with n.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import pairwise

from flint import acb, arb, ctx

from dpcalc.counts.inversion import Circle, Factor, Signed, Term, geometric, guard_bits, left_out
from dpcalc.numbers.ball import ball, union

__all__ = ["Centre", "envelope"]

_ORDER = 6  # of the Taylor polynomial in (x, u)
_REACH = 2  # U
_PIECES = 16  # into which [-U, U] is cut where the largest value is sought


@dataclass(frozen=True, slots=True)
class Centre:
    """A real t at which h_t is largest, and the tilt there, both in floating point: they only steer."""

    t: float
    theta: float


def envelope(
    q: Fraction, k: int, others: int, kernel: Sequence[Term], *, block: tuple[int, int], centre: Centre
) -> arb | None:
    """A bound of max_t h_t(m) for all m in the block, at the current precision; None where it cannot be proven.

    Args:
        q: the flip probability in G_m.
        k: the power of every factor in G_m.
        others: B, the number of factors.
        kernel: K.
        block: (a, b), both included.
        centre: where h_t(m_0) is largest, and the tilt there.
    """
    box = _Box(q, k, others, kernel, block, centre)
    if box.steps_over(-_REACH, 1 - _REACH) > 0 and box.steps_over(_REACH - 1, _REACH) < 0:
        return box.largest()
    return None


class _Box:
    """The Taylor polynomials of h and of its steps d over |x| <= X, |u| <= U, and all errors."""

    def __init__(
        self, q: Fraction, k: int, others: int, kernel: Sequence[Term], block: tuple[int, int], centre: Centre
    ) -> None:
        middle = Fraction(block[0] + block[1], 2)
        self._half = Fraction(block[1] - block[0], 2)
        p, counts = 1 - q, (math.floor(k * middle), k * others - math.floor(k * middle))
        factors: list[Factor] = [(p, counts[0]), (q, counts[1])]
        nats = math.log(2) * max(8, ctx.prec - guard_bits(factors))
        circle = Circle.around(factors, kernel, centre.t, nats)
        signed = Signed(kernel)
        self._p, self._q, self._k = ball(p), ball(q), k
        self._ones, self._zeros, self._t = ball(k * middle), ball(k * (others - middle)), arb(centre.t)
        y = math.exp(centre.theta)
        likely, unlikely = (float(a) * y / (1 - float(a) + float(a) * y) for a in (p, q))
        self._slope = arb(k * (likely - unlikely))

        self._range = union(-self._half, self._half)
        self.values, self.steps = _Taylor(), _Taylor()
        for j in range(circle.kept):
            log_z = arb(circle.r).log() + acb(0, 1) * arb.pi() * (2 * arb(j) / circle.points)
            z = log_z.exp()
            log_peak, per_one = self._logs(z, log_z)
            step = log_peak.exp() * signed.at(z) / circle.points * (2 if j else 1)
            self.values.add(step / (1 - z), per_one, log_z, self._half)
            self.steps.add(step, per_one, log_z, self._half)

        r, turns = arb(circle.r), arb(circle.r) ** circle.points
        wrapped = geometric(r / arb(circle.right), circle.points) * self._chernoff(circle.right, signed)
        wrapped += geometric(arb(circle.left) / r, circle.points) * self._chernoff(circle.left, signed)
        spread = self._spread(r, block, others)
        missing = left_out(circle, spread) * self._chernoff(circle.r, signed)
        self.values.shift(-signed.at(acb(1)).real * turns / (1 - turns), wrapped + missing / (1 - r))
        self.steps.shift(arb(0), wrapped + missing)

    def _logs(self, z: acb, log_z: acb) -> tuple[acb, acb]:
        """Log of G_{m_0}(z) z^{-t_0}, and g: its change per unit of x."""
        likely, unlikely = (self._q + self._p * z).log(), (self._p + self._q * z).log()
        return (
            self._ones * likely + self._zeros * unlikely - self._t * log_z,
            self._k * (likely - unlikely) - self._slope * log_z,
        )

    def _chernoff(self, radius: float, signed: Signed) -> arb:
        """G_m(R) |K|(R) R^{-t} over the whole box."""
        at = arb(radius)
        log_peak, per_one = self._logs(acb(at), acb(at.log()))
        reach = union(Fraction(-_REACH), Fraction(_REACH))
        return (log_peak.real + self._range * per_one.real - reach * at.log()).exp() * signed.bound(at)

    def _spread(self, r: arb, block: tuple[int, int], others: int) -> arb:
        """V, the least over the block."""
        one, zero = (self._k * a * (1 - a) * r / (1 - a + a * r) ** 2 for a in (self._p, self._q))
        ends = [m * one + (others - m) * zero for m in block]
        return ends[0].min(ends[1])

    def steps_over(self, low: int, high: int) -> arb:
        """An enclosure of d over all x and low <= u <= high."""
        u = union(Fraction(low), Fraction(high))
        return self.steps.mixed(self._range, u) + self.steps.alone(u)

    def largest(self) -> arb:
        """The largest h over the box: mixed terms over all of it, those in u alone piece by piece."""
        reach = union(Fraction(-_REACH), Fraction(_REACH))
        cuts = [Fraction(2 * _REACH * i, _PIECES) - _REACH for i in range(_PIECES + 1)]
        tops = [self.values.alone(union(*ends)).upper() for ends in pairwise(cuts)]
        return self.values.mixed(self._range, reach) + reduce(arb.max, tops)


class _Taylor:
    """Re sum_j A_j e^{x g_j - u l_j} as a polynomial in x and u, its remainder and further errors."""

    def __init__(self) -> None:
        self._orders = [(a, b) for a in range(_ORDER + 1) for b in range(_ORDER + 1 - a)]
        self._sums = {order: arb(0) for order in self._orders}
        self._error = arb(0)

    def add(self, weight: acb, per_x: acb, log_z: acb, half: Fraction) -> None:
        """Add the term weight e^{x per_x - u log_z}, |x| <= half."""
        reach = ball(half) * abs(per_x) + _REACH * abs(log_z)
        self._error += abs(weight) * reach ** (_ORDER + 1) * reach.exp() / math.factorial(_ORDER + 1)
        powers_x, powers_u = [weight], [acb(1)]
        for i in range(1, _ORDER + 1):
            powers_x.append(powers_x[-1] * per_x / i)
            powers_u.append(powers_u[-1] * -log_z / i)
        for a, b in self._orders:
            self._sums[a, b] += (powers_x[a] * powers_u[b]).real

    def shift(self, constant: arb, error: arb) -> None:
        """Add a constant and an error."""
        self._sums[0, 0] += constant
        self._error += error

    def alone(self, u: arb) -> arb:
        """An enclosure, over the ball u, of the terms in u alone: the square completed, so that its top is not lost."""
        constant, linear, square, *higher = (self._sums[0, b] for b in range(_ORDER + 1))
        total = u**3 * _horner(higher, u)
        if square < 0:
            vertex = linear / (2 * square)
            return (
                total + constant + square * ((u + vertex) * (u + vertex)).nonnegative_part() - vertex * vertex * square
            )
        return total + _horner([constant, linear, square], u)

    def mixed(self, x: arb, u: arb) -> arb:
        """An enclosure, over the balls x and u, of the terms with x, and of the remainder and the errors."""
        rows = [_horner([self._sums[a, b] for b in range(_ORDER + 1 - a)], u) for a in range(1, _ORDER + 1)]
        return x * _horner(rows, x) + arb(0, self._error.upper())


def _horner(coefficients: Sequence[arb], x: arb) -> arb:
    value = arb(0)
    for coefficient in reversed(coefficients):
        value = value * x + coefficient
    return value
