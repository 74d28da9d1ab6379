r"""Coefficients of huge products by tilted Fourier inversion, with every error bounded.

Let G(z) = prod_g (1 - a_g + a_g z)^{c_g} be the generating function of a sum of independent Bernoulli(a_g) reports, c_g
of each kind, and K(z) = sum_w w (1 - b_w + b_w z)^{e_w} a short signed combination. For d_i = [z^i] G K and
h_t = d_0 + ... + d_t = [z^t] G K / (1 - z), and any circle |z| = r < 1 with M equally spaced points z_j,

    (1/M) sum_j G(z_j) K(z_j) z_j^{-t} / (1 - z_j) = h_t + sum_{l != 0} h_{t + l M} r^{l M},

and without the division by 1 - z the same with d in place of h. Three things are then bounded, each in ball arithmetic.

*Aliases to the right.* Put |K|(R) = sum_w |w| (1 - b + b R)^e. For i >= 0, h_i = K(1) - sum_{j > i} d_j, and for any
R >= 1 (Chernoff) |sum_{j > i} d_j| <= G(R) |K|(R) R^{-i}. So the aliases l >= 1 are K(1) r^M / (1 - r^M), which is
subtracted exactly, and a rest of at most G(R) |K|(R) R^{-t} x / (1 - x) with x = (r/R)^M. The rest is 0 once
t + M >= deg G K for h_t and d_{t+1}, but only once t + M > deg G K for d_t, which has the alias d_{t+M} r^M. In a faint
tail h_{t+M} is still far from K(1): there the next bound, with any r < R < 1 for s, covers these aliases whole, nothing
is subtracted, and far fewer points are needed.

*Aliases to the left.* For 0 < s < r, |h_i| <= G(s) |K|(s) s^{-i}: at most G(s) |K|(s) s^{-t} y / (1 - y) with
y = (s/r)^M; they are 0 once M > t. The bounds hold for the d_i too, and cover d_{t+1} after one more division by s (or
by R < 1): its aliases to the left are 0 once M > t + 1.

*Points left out.* With v_g = a (1 - a) r / (1 - a + a r)^2,
|1 - a + a r e^{i u}|^2 = (1 - a + a r)^2 (1 - 2 v_g (1 - cos u)) <= (1 - a + a r)^2 e^{-2 v_g (1 - cos u)}, so that
|G(r e^{iu})| <= G(r) e^{-V (1 - cos u)}, V = sum_g c_g v_g; the terms of K add the least e_w v_w to V. On [u_J, pi] the
function 1 - cos is first convex, then concave, hence at least 1 - cos u_J + (j - J) s at u_j, with s the smaller of its
first step and its mean step there: the points from u_J on contribute at most a geometric series,
e^{-V (1 - cos u_J)} / (1 - e^{-V s}), times the largest |K| and |1/(1 - z)| on the circle.

The tilt r is the one under which the sum has mean t (kept below 1 by about one standard deviation), so that little
cancels; the number of points that matter does not grow with the number of reports. r, R, s, M and J are chosen in
floating point, which may only steer: the bounds hold for any choice.

Source: K16's generating function G_m; the saddle point of its coefficients.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import TypeAlias

from flint import acb, arb, ctx

from dpcalc.counts.tilt import Tilt
from dpcalc.numbers.ball import ball, bits_for, refine, working_precision
from dpcalc.numbers.enclosure import Enclosure

__all__ = [
    "Circle",
    "Coefficients",
    "Factor",
    "Signed",
    "Term",
    "chernoff",
    "geometric",
    "guard_bits",
    "invert",
    "left_out",
    "sum_at_least",
    "sum_at_most",
]

_WIDE = 700.0  # how far log s and log R may lie from log r: further out a whole range of t is no longer covered

#: (1 - a + a z)^c as the pair (a, c).
Factor: TypeAlias = tuple[Fraction, int]


@dataclass(frozen=True, slots=True)
class Term:
    """weight() (1 - probability + probability z)^power; the weight is evaluated at the working precision."""

    weight: Callable[[], arb]
    probability: Fraction
    power: int


@dataclass(frozen=True, slots=True)
class Coefficients:
    """Enclosures of h_t = d_0 + ... + d_t, of d_t and of d_{t+1}."""

    cumulative: arb
    here: arb
    after: arb

    def __add__(self, other: Coefficients) -> Coefficients:
        return Coefficients(self.cumulative + other.cumulative, self.here + other.here, self.after + other.after)


def guard_bits(factors: Sequence[Factor]) -> int:
    """Bits that the powers in G lose, to be added to the accuracy wanted."""
    return sum(count for _, count in factors).bit_length() + 8


def invert(factors: Sequence[Factor], kernel: Sequence[Term], t: int) -> Coefficients:
    """h_t, d_t and d_{t+1} at the current precision; truncation errors are of the order of the rounding errors.

    Args:
        factors: G, as pairs (a_g, c_g) with 0 < a_g < 1.
        kernel: K.
        t: 0 <= t <= deg(G K).
    """
    circle = Circle.around(factors, kernel, t, math.log(2) * max(8, ctx.prec - guard_bits(factors)), faint=True)
    product, signed = Product(factors), Signed(kernel)
    r, points = arb(circle.r), circle.points

    cumulative, here, after = acb(0), acb(0), acb(0)
    for j in range(circle.kept):
        z = r * (acb(2 * j) / points).exp_pi_i()
        value = product.at(z) * signed.at(z) / z**t * (2 if j else 1)  # z_j and its conjugate z_{-j}
        cumulative += value / (1 - z)
        here += value
        after += value / z

    turns = r**points
    settled = circle.right >= 1 or t + points >= circle.degree
    constant = signed.at(acb(1)).real * turns / (1 - turns) if settled else arb(0)
    wrapped = _aliases(circle, product, signed, t)
    missing = left_out(circle, product.spread(r) + signed.spread(r)) * product.bound(r) / r**t * signed.bound(r)
    return Coefficients(
        _widen(cumulative.real / points - constant, missing / (1 - r) + wrapped),
        _widen(here.real / points, missing + wrapped),
        _widen(after.real / points, missing / r + wrapped),
    )


def sum_at_most(factors: Sequence[Factor], s: int, *, rtol: Fraction) -> Enclosure:
    """P[S <= s] for a sum S of independent reports, to relative width ``rtol``; exact when it is 0 or 1.

    >>> print(sum_at_most([(Fraction(1, 10), 10**12)], 10**11 - 1_800_000, rtol=Fraction(1, 10**12)))
    9.8650326059877368...e-10
    """
    total = sum(count for _, count in factors)
    if s < 0 or s >= total:
        return Enclosure.of(int(s >= total))
    if s > sum(a * count for a, count in factors):
        rest = sum_at_least(factors, s + 1, rtol=rtol)
        return Enclosure(1 - rest.upper, 1 - rest.lower)
    one = [Term(lambda: arb(1), Fraction(1, 2), 0)]
    start = bits_for(rtol) + guard_bits(factors) + total.bit_length() // 2 + 16
    return refine(lambda: invert(factors, one, s).cumulative, rtol=rtol, start=start)


def sum_at_least(factors: Sequence[Factor], s: int, *, rtol: Fraction) -> Enclosure:
    """P[S >= s]: the lower tail of the number of zeros."""
    total = sum(count for _, count in factors)
    return sum_at_most([(1 - a, count) for a, count in factors], total - s, rtol=rtol)


def chernoff(factors: Sequence[Factor], s: int, *, upper: bool) -> arb:
    """A bound G(R) R^{-s} of P[S >= s] (``upper``, R >= 1) or of P[S <= s] (R <= 1), at most 1; near the best R."""
    if s > sum(count for _, count in factors) if upper else s < 0:
        return arb(0)
    theta = Tilt(factors).toward(s)
    if (theta > 0) != upper:
        return arb(1)
    radius = _radius(theta)
    return (Product(factors).bound(radius) / radius**s).min(arb(1))


def _aliases(circle: Circle, product: Product, signed: Signed, t: int) -> arb:
    """Bound of all aliases but the constant one, for h_t, d_t and d_{t+1}; needs left < r < 1 and right > r."""
    error = arb(0)
    if t + circle.points <= circle.degree:
        power = t + 1 if circle.right < 1 else t  # d_{t+1} has the larger bound where R < 1
        error += geometric(circle.r / arb(circle.right), circle.points) * _chernoff(
            circle.right, product, signed, power
        )
    if circle.points <= t + 1:
        error += geometric(circle.left / arb(circle.r), circle.points) * _chernoff(circle.left, product, signed, t + 1)
    return error


def _chernoff(radius: arb, product: Product, signed: Signed, t: int) -> arb:
    """G(R) |K|(R) R^{-t}."""
    at = arb(radius)
    return product.bound(at) * signed.bound(at) / at**t


def geometric(ratio: arb, points: int) -> arb:
    """x + x^2 + ... for x = ratio^points."""
    x = ratio**points
    return x / (1 - x) if x < 1 else arb.pos_inf()


def left_out(circle: Circle, spread: arb) -> arb:
    """Bound, relative to G(r) |K|(r) r^{-t}, of 1/M times the sum over the points left out."""
    first, pairs = circle.kept, (circle.points - 1) // 2
    if first > pairs:
        return arb(0)
    here, after = ((arb(2 * j) / circle.points).cos_pi() for j in (first, first + 1))
    step = (here - after).min((1 + here) / (arb(circle.points) / 2 - first))
    return arb(2) / circle.points * (-spread * (1 - here)).exp() / (1 - (-spread * step).exp())


def _widen(x: arb, error: arb) -> arb:
    return x + arb(0, error.upper())


def _spread(a: arb, count: int, r: arb) -> arb:
    return count * a * (1 - a) * r / (1 - a + a * r) ** 2


class Product:
    """G at the working precision."""

    def __init__(self, factors: Sequence[Factor]) -> None:
        self._factors = [(ball(a), ball(1 - a), count) for a, count in factors if count]

    def at(self, z: acb) -> acb:
        """G(z)."""
        value = acb(1)
        for a, rest, count in self._factors:
            value *= (rest + a * z) ** count
        return value

    def bound(self, r: arb) -> arb:
        """The largest |G| on the circle of radius r, attained at r."""
        return self.at(acb(r)).real

    def spread(self, r: arb) -> arb:
        """Sum of c_g v_g, the variance of the tilted sum."""
        return sum((_spread(a, count, r) for a, _, count in self._factors), arb(0))


class Signed:
    """K at the working precision."""

    def __init__(self, kernel: Sequence[Term]) -> None:
        self._terms = [(term.weight(), ball(term.probability), term.power) for term in kernel]

    def at(self, z: acb) -> acb:
        """K(z)."""
        return sum((weight * (1 - b + b * z) ** power for weight, b, power in self._terms), acb(0))

    def spread(self, r: arb) -> arb:
        """The least e_w v_w."""
        return reduce(arb.min, (_spread(b, power, r) for _, b, power in self._terms))

    def bound(self, r: arb) -> arb:
        """|K|(r), at least the largest |K| on the circle of radius r."""
        return sum((abs(weight) * (1 - b + b * r) ** power for weight, b, power in self._terms), arb(0))


@dataclass(frozen=True, slots=True)
class Circle:
    """The circle and its points, chosen in floating point and proven afterwards.

    Attributes:
        r, left, right: the radii r, s and R.
        points: M, odd, so that all points but z_0 = r come in conjugate pairs.
        kept: the points z_{-j}, z_j with j < kept are summed.
        degree: deg(G K).
    """

    r: arb
    left: arb
    right: arb
    points: int
    kept: int
    degree: int

    @classmethod
    def around(
        cls, factors: Sequence[Factor], kernel: Sequence[Term], t: float, nats: float, *, faint: bool = False
    ) -> Circle:
        """Truncation errors of about e^-nats relative to the integrand's peak; R may be below 1 only if ``faint``."""
        degree = sum(count for _, count in factors) + max(term.power for term in kernel)
        tilt = Tilt([*factors, *((term.probability, term.power / len(kernel)) for term in kernel)])
        theta = tilt.toward(min(max(t, 0.5), degree - 0.5))
        theta = min(theta, -1 / math.sqrt(tilt.variance(min(theta, 0.0)) + 2))
        spread, peak = tilt.variance(theta), tilt.exponent(theta, t)
        points = math.ceil(1.05 * math.sqrt(2 * nats * spread) + nats / 4) + 6
        left = right = theta
        while points <= degree:
            left, right = min(1.001 * theta, tilt.toward(t - points)), tilt.toward(t + points)
            right = max(right, 0.999 * theta if faint else 0.0)
            left, right = max(left, theta - _WIDE), min(right, max(theta, 0.0) + _WIDE)
            wrapped = (tilt.exponent(side, t) - points * abs(side - theta) for side in (left, right))
            if max(wrapped) <= peak - nats:
                break
            points = points * 5 // 4
        points = min(points, degree + 2) | 1
        sine = math.sqrt(nats / (2 * spread)) if spread > nats / 2 else 1.0
        kept, pairs = math.ceil(points * math.asin(sine) / math.pi) + 1, (points - 1) // 2
        kept = kept if kept < pairs else pairs + 1  # 1 - cos has no step where one pair alone is left out
        return cls(_radius(theta), _radius(left), _radius(right), points, kept, degree)


def _radius(theta: float) -> arb:
    """e^theta, about: a short dyadic number, beyond the range of floats too."""
    with working_precision(53):
        return arb(theta).exp().mid()
