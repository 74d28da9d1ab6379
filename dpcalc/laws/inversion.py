r"""Coefficients of huge products by tilted Fourier inversion, with every error bounded.

Let G(z) = prod_g (1 - a_g + a_g z)^{c_g} be the generating function of a sum of independent Bernoulli(a_g) reports, c_g
of each kind, and K(z) = sum_w w K_w(z) a short signed combination of such products K_w. For d_i = [z^i] G K and
h_t = d_0 + ... + d_t = [z^t] G K / (1 - z), and any circle |z| = r < 1 with M equally spaced points z_j,

    (1/M) sum_j G(z_j) K(z_j) z_j^{-t} / (1 - z_j) = h_t + sum_{l != 0} h_{t + l M} r^{l M},

and without the division by 1 - z the same with d in place of h. Three things are then bounded, each in ball arithmetic.

*Aliases to the right.* Put |K|(R) = sum_w |w| K_w(R), or any other sum of coefficients that are no smaller than the
moduli of those of K. h_i = K(1) - sum_{j > i} d_j, and for any R >= 1 (Chernoff) |sum_{j > i} d_j| <= G(R) |K|(R)
R^{-i}. So the aliases l >= 1 are K(1) r^M / (1 - r^M), which is subtracted exactly, and a rest of at most
G(R) |K|(R) R^{-t} x / (1 - x) with x = (r/R)^M. The rest is 0 once t + M >= deg G K for h_t and d_{t+1}, but only once
t + M > deg G K for d_t, which has the alias d_{t+M} r^M. In a faint tail h_{t+M} is still far from K(1): there the next
bound, with any r < R < 1 for s, covers these aliases whole, nothing is subtracted, and far fewer points are needed.

*Aliases to the left.* For 0 < s < r, |h_i| <= G(s) |K|(s) s^{-i}: at most G(s) |K|(s) s^{-t} y / (1 - y) with
y = (s/r)^M; they are 0 once M > t. The bounds hold for the d_i too, and cover d_{t+1} after one more division by s (or
by R < 1): its aliases to the left are 0 once M > t + 1.

*Points left out.* With v_g = a (1 - a) r / (1 - a + a r)^2,
|1 - a + a r e^{i u}|^2 = (1 - a + a r)^2 (1 - 2 v_g (1 - cos u)) <= (1 - a + a r)^2 e^{-2 v_g (1 - cos u)}, so that
|G(r e^{iu})| <= G(r) e^{-V (1 - cos u)}, V = sum_g c_g v_g; the terms of K add the least of their own such sums to V.
On [u_J, pi] the function 1 - cos is first convex, then concave, hence at least 1 - cos u_J + (j - J) s at u_j, with s
the smaller of its first step and its mean step there: the points from u_J on contribute at most a geometric series,
e^{-V (1 - cos u_J)} / (1 - e^{-V s}), times the largest |K| and |1/(1 - z)| on the circle.

The tilt r is the one under which the sum has mean t (kept below 1 by about one standard deviation), so that little
cancels; the number of points that matter does not grow with the number of reports. r, R, s, M and J are chosen in
floating point, which may only steer: the bounds hold for any choice with r < 1, and no other choice is answered. Full
proofs: proof notes, 3.

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

from dpcalc.laws.tilt import Tilt
from dpcalc.numbers.ball import ball, working_precision

_WIDE = 700.0  # how far log s and log R may lie from log r: further out a whole range of t is no longer covered

#: (1 - a + a z)^c as the pair (a, c).
Factor: TypeAlias = tuple[Fraction, int]


@dataclass(frozen=True, slots=True)
class Term:
    """weight() times the product of the factors; the weight is evaluated at the working precision."""

    weight: Callable[[], arb]
    factors: tuple[Factor, ...]

    @property
    def degree(self) -> int:
        """Of the polynomial."""
        return sum(count for _, count in self.factors)


UNIT_KERNEL = [Term(lambda: arb(1), ())]  #: K = 1


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


def invert(factors: Sequence[Factor], kernel: Sequence[Term], t: int, circle: Contour | None = None) -> Coefficients:
    """h_t, d_t and d_{t+1} at the current precision; truncation errors are of the order of the rounding errors.

    Args:
        factors: G, as pairs (a_g, c_g) with 0 < a_g < 1.
        kernel: K.
        t: 0 <= t <= deg(G K).
        circle: any circle gives a correct answer; default: a good one.
    """
    product, signed = Product(factors), Signed(kernel)
    circle = circle or Contour.around(factors, kernel, t, truncation(factors, signed), faint=True)
    r, points = arb(circle.r), circle.points
    if not circle.proper:
        return Coefficients(arb.nan(), arb.nan(), arb.nan())

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
        widened(cumulative.real / points - constant, missing / (1 - r) + wrapped),
        widened(here.real / points, missing + wrapped),
        widened(after.real / points, missing / r + wrapped),
    )


def truncation(factors: Sequence[Factor], signed: Signed) -> float:
    """Nats below the integrand's peak at which truncation errors are of the order of the rounding errors."""
    return math.log(2) * max(8, ctx.prec - guard_bits(factors) - signed.cancelled)


def _aliases(circle: Contour, product: Product, signed: Signed, t: int) -> arb:
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


def left_out(circle: Contour, spread: arb) -> arb:
    """Bound, relative to G(r) |K|(r) r^{-t}, of 1/M times the sum over the points left out."""
    first, pairs = circle.kept, (circle.points - 1) // 2
    if first > pairs:
        return arb(0)
    here, after = ((arb(2 * j) / circle.points).cos_pi() for j in (first, first + 1))
    step = (here - after).min((1 + here) / (arb(circle.points) / 2 - first))
    return arb(2) / circle.points * (-spread * (1 - here)).exp() / (1 - (-spread * step).exp())


def widened(x: arb, error: arb) -> arb:
    """x with a further error."""
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
        self._terms = [(term.weight(), Product(term.factors)) for term in kernel]
        kinds = [term.factors[0] for term in kernel if len(term.factors) == 1]
        self._alike = kinds if len(kinds) == len(kernel) == 2 and kinds[0][1] == kinds[1][1] else None

    def at(self, z: acb) -> acb:
        """K(z)."""
        return sum((weight * product.at(z) for weight, product in self._terms), acb(0))

    def spread(self, r: arb) -> arb:
        """A V with |K(z)| <= bound(r) e^{-V (1 - cos u)} on the circle: the least sum of e v among the terms.

        Where ``bound`` takes A - B out of A^e - B^e, only e - 1 factors surely fade: z - 1 grows towards z = -r.
        """
        if self._alike is None:
            return reduce(arb.min, (product.spread(r) for _, product in self._terms))
        (a, power), (b, _) = self._alike
        return reduce(arb.min, (_spread(ball(x), max(power - 1, 0), r) for x in (a, b)))

    def bound(self, r: arb) -> arb:
        """|K|(r), at least the largest |K| on the circle of radius r; sharper where two terms nearly cancel.

        For K = w A^e + w' B^e with A - B = (a - b)(z - 1), K = (w + w') B^e + w (A - B) sum_i A^i B^{e-1-i}: term by
        term, the coefficients of |w + w'| B^e + |w| |a - b| (1 + z) sum_i A^i B^{e-1-i} are no smaller than those of K.
        """
        whole = self._whole(r)
        if self._alike is None:
            return whole
        (a, power), (b, _) = self._alike
        (first, _), (second, other) = self._terms
        widest = (1 - ball(a) * (1 - r)).max(1 - ball(b) * (1 - r))
        apart = power * abs(ball(a - b)) * (1 + r) * widest ** (power - 1) if power else arb(0)
        return whole.min(abs(first + second) * other.bound(r) + abs(first) * apart)

    def _whole(self, r: arb) -> arb:
        return sum((abs(weight) * product.bound(r) for weight, product in self._terms), arb(0))

    @property
    def cancelled(self) -> int:
        """Bits that the terms lose to each other at z = 1."""
        ratio = self._whole(arb(1)) / self.bound(arb(1))
        return int(float(ratio.log()) / math.log(2)) if ratio.is_finite() and ratio > 1 else 0


@dataclass(frozen=True, slots=True)
class Contour:
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

    @property
    def proper(self) -> bool:
        """Whether the bounds hold on this circle, decided exactly; unless left < r < right they are infinite anyway."""
        radii = bool(0 < self.r < 1 and self.left > 0 and self.right > 0)
        return radii and self.points % 2 == 1 and 0 < self.kept <= (self.points + 1) // 2

    @classmethod
    def around(
        cls, factors: Sequence[Factor], kernel: Sequence[Term], t: float, nats: float, *, faint: bool = False
    ) -> Contour:
        """Truncation errors of about e^-nats relative to the integrand's peak; R may be below 1 only if ``faint``."""
        degree = sum(count for _, count in factors) + max(term.degree for term in kernel)
        own = [(b, power / len(kernel)) for term in kernel for b, power in term.factors if b < 1]  # no tilt moves z^k
        tilt = Tilt([*factors, *own])
        terms = [Tilt(term.factors) for term in kernel]
        theta = tilt.toward(min(max(t, 0.5), degree - 0.5))
        theta = min(theta, -1 / math.sqrt(tilt.variance(min(theta, 0.0)) + 2))
        spread, peak = tilt.variance(theta), tilt.exponent(theta, t)
        points = math.ceil(1.05 * math.sqrt(2 * nats * spread) + nats / 4) + 6
        left = right = theta
        while points <= degree:
            left = min(1.001 * theta, tilt.toward(t - points or 0.5))  # the alias of t + 1 goes as 1/s where M = t
            right = tilt.toward(t + points)
            right = max(right, 0.999 * theta if faint else 0.0)
            left, right = max(left, theta - _WIDE), min(right, max(theta, 0.0) + _WIDE)
            wrapped = (
                tilt.exponent(side, t) + _apart(terms, theta, side) - points * abs(side - theta)
                for side in (left, right)
            )
            if max(wrapped) <= peak - nats:
                break
            points = points * 5 // 4
        points = min(points, degree + 2) | 1
        return cls(radius(theta), radius(left), radius(right), points, summed(points, spread, nats), degree)


def _apart(terms: Sequence[Tilt], theta: float, side: float) -> float:
    """By how much the log of the largest term of K grows more than their mean, from ``theta``, where they are alike."""
    growths = [term.exponent(side, 0) - term.exponent(theta, 0) for term in terms]
    return max(growths) - sum(growths) / len(growths)


def summed(points: int, spread: float, nats: float) -> int:
    """How many of an odd number of points to sum: those left out, e^{-spread (1 - cos u)}, are about e^-nats."""
    sine = math.sqrt(nats / (2 * spread)) if spread > nats / 2 else 1.0
    kept, pairs = math.ceil(points * math.asin(sine) / math.pi) + 1, (points - 1) // 2
    return kept if kept < pairs else pairs + 1  # 1 - cos has no step where one pair alone is left out


def radius(theta: float) -> arb:
    """e^theta, about: a short dyadic number, beyond the range of floats too."""
    with working_precision(53):
        return arb(theta).exp().mid()
