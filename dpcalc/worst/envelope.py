r"""An upper bound of tilted Fourier coefficients over a whole range of compositions at once.

Let h_t(m) = [z^t] G_m K / (1 - z) with G_m(z) = (q + p z)^{k m} (p + q z)^{k (B - m)}, as in ``inversion``, and let it
be known that for every m the sequence t -> h_t(m) rises and then falls. Wanted: a proven bound of max_t h_t(m) for all
integers m in [a, b]. Take m_0 in the middle, some t_0 and a slope s, and write m = m_0 + x and t = t_0 + s x + u. At
integers m and t, up to aliases and points left out (bounded as in ``inversion``, uniformly in x and u),

    h_t(m) = sum_j A_j e^{w_j},   w_j = x g_j - u l_j,   l_j = log z_j,   g_j = k log((q + p z_j)/(p + q z_j)) - s l_j.

Only |u| <= U need be covered once d_t(m) = h_t(m) - h_{t-1}(m) is proven positive at the low end of that range of u and
negative at its high end, for all x. Some choices of s make g_j small, so that a Taylor polynomial with a bounded
remainder covers many m:

*smooth*   s is the tilted mean by which one more 1 moves the sum: g_j is of third order in the tilt, and one polynomial
           in real (x, u) covers a range of m that grows like the 3/2-th power of n, hence all of it for large n. The
           signs of d are proven on [-U, 1 - U] and [U - 1, U], each of which holds an integer t.
*lattice*  s = k or s = 0, so that u is an integer wherever m is: one polynomial in x for each u. With s = k this serves
           where flips are rare (g_j is of the order of k q) and the pool too narrow for the smooth form; with s = 0
           next to q = 1/2 (g_j is of the order of k (p - q)), where the best t is the same for many or all m, and h
           larger between two integers t, as the smooth form has it, than at either.

Of several groups, m is a vector and t = t_0 + sum_g s_g x_g + u. At the common tilt all groups' g_j are nearly
multiples kappa_g of one, so that sum_g kappa_g x_g takes the place of x; the rest is bounded (smooth form only).

Where reports are asymmetric, (1 - a + a z) and (1 - b + b z) stand for the two factors, a that of a report of 1.

At integers m and t any branches of the logarithms give the same A_j e^{w_j}, and of other places nothing is claimed.
This, the signs at both ends and the remainder: proof notes, 4 and 11.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from heapq import heapify, heappush, heapreplace
from itertools import pairwise

from flint import acb, acb_mat, arb, arb_poly

from dpcalc.laws.inversion import Contour, Factor, Signed, Term, geometric, left_out, truncation
from dpcalc.laws.pool import Pool
from dpcalc.numbers.ball import LEAST_HELD, ball, enclosure_of, union, working_precision
from dpcalc.worst.polynomial_maximum import largest_value

_WHOLE = (Fraction(0), Fraction(1))
_SMOOTH_VARIANCE = 60  # of the pooled count, from which on the smooth form pays
_SEVERAL_VARIANCE = 8  # the same of several groups, which have no other form
_SMOOTH_ORDER = 8  # of the Taylor polynomial in (x, u)
_SMOOTH_REACH = 2  # U
_PIECES = 8  # into which [-U, U] is cut first where the largest value is sought
_HALVINGS = 40  # of them, where their bound is above a level that their middles keep
_LATTICE_ORDER = 14  # of the Taylor polynomials in x
_LATTICE_REACH = 4  # U
_LATTICE_DRIFT = 1.5  # how far the best t may drift from slope k, or 0, over half a range
_LATTICE_WINS = 0.05  # the drift up to which the lattice form is the sharper where both serve


@dataclass(frozen=True, slots=True)
class Centre:
    """A real t at which d_t is 0, and the tilt there, both in floating point: they only steer."""

    t: float
    theta: float


@dataclass(frozen=True, slots=True)
class Range:
    """Compositions of one group: from ``low`` to ``high`` of its records hold 1.

    Attributes:
        own: the chance that a report of 0 is 1, and that a report of 1 is: q and p.
        k: the power of its factors in G_m.
        records: how many.
        low, high: both included.
        pull: how many times one more 1 moves exponents as one of the first group does; see ``aligned``.
    """

    own: tuple[Fraction, Fraction]
    k: int
    records: int
    low: int
    high: int
    pull: Fraction = Fraction(1)

    def at(self, share: Fraction) -> Fraction:
        """The m at this share of the way that the pull grows."""
        return self.low + (self.high - self.low) * (share if self.pull >= 0 else 1 - share)

    def reports(self, m: int) -> list[Factor]:
        """Those of all records where m of them hold 1."""
        return [(self.own[1], self.k * m), (self.own[0], self.k * (self.records - m))]

    def kinds(self, m: Fraction) -> list[tuple[Fraction, float]]:
        """The same for any m, for steering."""
        return [(self.own[1], float(self.k * m)), (self.own[0], float(self.k * (self.records - m)))]

    @property
    def variance(self) -> Fraction:
        """Of its reports in the middle of the range."""
        zero, one = (a * (1 - a) for a in self.own)
        ones = Fraction(self.low + self.high, 2)
        return self.k * (ones * one + (self.records - ones) * zero)

    def tilted(self, theta: float) -> tuple[float, float, float]:
        """By how much one more 1 moves the mean, the variance and the third cumulant, tilted by theta; about."""
        y = math.exp(theta)
        zero, one = (float(a) * y / (float(1 - a) + float(a) * y) for a in self.own)
        spreads = one * (1 - one), zero * (1 - zero)
        third = spreads[0] * (1 - 2 * one) - spreads[1] * (1 - 2 * zero)
        return self.k * (one - zero), self.k * (one - zero) * (1 - one - zero), self.k * third


def aligned(ranges: Sequence[Range], theta: float) -> list[Range]:
    """The same with their pulls, the one that moves exponents most first; they steer.

    On the circle, so far from its tilt as half the deviation of the sum allows, g is c_2 w^2/2 + c_3 w^3/6 about.
    """
    variance = sum(float(one.variance) for one in ranges)
    w = complex(0, min(2 / math.sqrt(max(variance, 1e-300)), math.pi))
    moves = [square * w**2 / 2 + cube * w**3 / 6 for _, square, cube in (one.tilted(theta) for one in ranges)]
    places = sorted(range(len(ranges)), key=lambda i: -abs(moves[i]) * (ranges[i].high - ranges[i].low))
    first = moves[places[0]] or complex(1)
    pulls = [Fraction((moves[i] / first).real) for i in places]
    return [replace(ranges[i], pull=pull) for i, pull in zip(places, [Fraction(1), *pulls[1:]], strict=True)]


def envelope(
    ranges: Sequence[Range], kernel: Sequence[Term], *, fixed: Sequence[Factor] = (), centre: Centre, bits: int,
    share: tuple[Fraction, Fraction] = _WHOLE, level: Fraction | None = None,
) -> Fraction | None:  # fmt: skip
    """A bound of max_t h_t(m) for all m in the ranges, not below 2^-999,999; None where it cannot be proven.

    Args:
        ranges: of one group of records or more; the pull of the first is 1.
        kernel: K.
        fixed: further factors of G_m.
        centre: where d_t is 0 for the m in the middle of ``share``, and the tilt there.
        bits: working precision.
        share: only of those m whose sum of pulls lies between these shares of the way from the least to the largest.
        level: if given, the bound is as sharp as it takes to tell on which side of it the largest h_t(m) lies.
    """
    with working_precision(bits):
        top = _highest(ranges, kernel, fixed, centre, share, None if level is None else ball(level))
        return enclosure_of(top.max(LEAST_HELD)).upper if top is not None and top.is_finite() else None


def _highest(
    ranges: Sequence[Range], kernel: Sequence[Term], fixed: Sequence[Factor], centre: Centre,
    share: tuple[Fraction, Fraction], level: arb | None,
) -> arb | None:  # fmt: skip
    slopes = [one.tilted(centre.theta)[0] for one in ranges]
    first, slope, half = ranges[0], slopes[0], (ranges[0].high - ranges[0].low) / 2
    step = first.k if (first.k - slope) * half <= _LATTICE_DRIFT else 0
    drift, top = abs(step - slope) * half if len(ranges) == 1 else math.inf, None
    variance = sum(one.variance for one in ranges)
    middles, width = [one.at((share[0] + share[1]) / 2) for one in ranges], share[1] - share[0]
    least = _SMOOTH_VARIANCE if len(ranges) == 1 else _SEVERAL_VARIANCE
    if drift > _LATTICE_WINS and variance > least:
        groups = [_Group(*of) for of in zip(ranges, middles, map(arb, slopes), strict=True)]
        top = _smooth(_Box(groups, kernel, fixed, centre.t, _SMOOTH_REACH, width), level)
    if drift <= _LATTICE_DRIFT and (top is None or not (level is None or top <= level)):  # between integers h is larger
        whole = math.floor(middles[0])
        t = math.floor(centre.t - slope * float(middles[0] - whole))
        groups = [_Group(first, Fraction(whole), arb(step))]
        sharper = _lattice(_Box(groups, kernel, fixed, t, _LATTICE_REACH, width), level)
        top = sharper if top is None or (sharper is not None and sharper < top) else top
    return top


@dataclass(frozen=True, slots=True)
class _Node:
    """A point z of the circle: the weight of e^{x per_x - u log_z} in d, and by how much the exponent may be off."""

    weight: acb
    z: acb
    log_z: acb
    per_x: acb
    slack: arb


class _Box:
    """The range of x and |u| <= reach: the nodes, and the errors of h and d over all of it.

    Of several groups x is the sum of their pulls times their own, and g that of the first; what the others move the
    exponents otherwise is the nodes' slack.
    """

    def __init__(
        self, groups: Sequence[_Group], kernel: Sequence[Term], fixed: Sequence[Factor], t: float, reach: int,
        width: Fraction,
    ) -> None:  # fmt: skip
        self._groups, self._t, self.reach = groups, arb(t), reach
        self._fixed = [(ball(a), ball(1 - a), count) for a, count in fixed]
        factors = Pool.of(*fixed, *(kind for one in groups for kind in one.kinds)).kinds
        signed = Signed(kernel)
        circle = Contour.around(factors, kernel, t, truncation(factors, signed), faint=True)
        if len(groups) == 1:
            self.x, self.half = groups[0].x, groups[0].far
        else:
            self.half = sum((abs(one.pull) * one.length for one in groups), Fraction(0)) * width / 2
            self.x = union(-self.half, self.half)
        self.half_ball = ball(self.half)
        start, turn = acb(arb(circle.r).log()), acb(0, 2 * arb.pi() / circle.points)
        self.nodes = [self._node(circle, signed, j, start + j * turn) for j in range(circle.kept)]

        self.r = circle.r
        r, turns = arb(circle.r), arb(circle.r) ** circle.points
        wrapped = geometric(r / arb(circle.right), circle.points) * self._chernoff(circle.right, signed)
        wrapped += geometric(arb(circle.left) / r, circle.points) * self._chernoff(circle.left, signed)
        missing = left_out(circle, self._spread(r)) * self._chernoff(circle.r, signed)
        self.constant = -signed.at(acb(1)).real * turns / (1 - turns) if circle.right >= 1 else arb(0)
        self.value_error, self.step_error = wrapped + missing / (1 - r), wrapped + missing
        if not circle.proper:
            self.value_error = self.step_error = arb.pos_inf()

    def weights(self, *, steps: bool) -> list[acb]:
        """A_j for d, or for h."""
        return [node.weight if steps else node.weight / (1 - node.z) for node in self.nodes]

    def _node(self, circle: Contour, signed: Signed, j: int, log_z: acb) -> _Node:
        z = log_z.exp()
        log_peak, per_x, unlike = self._logs(z, log_z)
        weight = log_peak.exp() * signed.at(z) / circle.points * (2 if j else 1)
        return _Node(weight, z, log_z, per_x, sum((ball(one.far) * abs(move) for one, move in unlike), arb(0)))

    def _logs(self, z: acb, log_z: acb) -> tuple[acb, acb, list[tuple[_Group, acb]]]:
        """Log of G_{m_0}(z) z^{-t_0}, g, and what each other group's g is off its share of that."""
        first, *others = self._groups
        log_peak, per_x = first.logs(z, log_z)
        log_peak -= self._t * log_z
        unlike = []
        for one in others:
            more, move = one.logs(z, log_z)
            log_peak += more
            unlike.append((one, move - ball(one.pull) * per_x))
        for a, rest, count in self._fixed:
            log_peak += count * (rest + a * z).log()
        return log_peak, per_x, unlike

    def _chernoff(self, radius: arb, signed: Signed) -> arb:
        """G_m(R) |K|(R) R^{-t} over the whole box."""
        at = arb(radius)
        log_peak, per_x, unlike = self._logs(acb(at), acb(at.log()))
        moved = sum((one.x * move.real for one, move in unlike), self.x * per_x.real)
        u = union(Fraction(-self.reach), Fraction(self.reach))
        return (log_peak.real + moved - u * at.log()).exp() * signed.bound(at)

    def _spread(self, r: arb) -> arb:
        """V, the least over the box: it is linear in every m."""
        fixed = sum((count * a * rest * r / (rest + a * r) ** 2 for a, rest, count in self._fixed), arb(0))
        return sum((one.spread(r) for one in self._groups), fixed)


class _Group:
    """One group's part of the exponent, around its m_0."""

    def __init__(self, of: Range, middle: Fraction, slope: arb) -> None:
        ends = of.low - middle, of.high - middle
        self.x, self.far, self._slope, self._range = union(*ends), max(map(abs, ends)), slope, of
        self.pull, self.length = of.pull, of.high - of.low
        self._one, self._zero = ((ball(a), ball(1 - a)) for a in reversed(of.own))
        self._ones, self._zeros = ball(of.k * middle), ball(of.k * (of.records - middle))
        near = math.floor(of.k * middle)
        self.kinds = [(of.own[1], near), (of.own[0], of.k * of.records - near)]

    def logs(self, z: acb, log_z: acb) -> tuple[acb, acb]:
        """Of its factors in G_{m_0}, and g."""
        likely, unlikely = ((rest + a * z).log() for a, rest in (self._one, self._zero))
        move = self._range.k * (likely - unlikely) - self._slope * log_z
        return self._ones * likely + self._zeros * unlikely, move

    def spread(self, r: arb) -> arb:
        """The least over its range."""
        of = self._range
        one, zero = (of.k * a * rest * r / (rest + a * r) ** 2 for a, rest in (self._one, self._zero))
        ends = [m * one + (of.records - m) * zero for m in (of.low, of.high)]
        return ends[0].min(ends[1])


# --- smooth: real x and u ---------------------------------------------------------------------------------------


def _smooth(box: _Box, level: arb | None) -> arb | None:
    values, steps = _surfaces(box)
    reach = Fraction(box.reach)
    if not (steps.over(union(-reach, 1 - reach)) > 0 and steps.over(union(reach - 1, reach)) < 0):
        return None

    def over(u: arb) -> arb:
        return largest_value([values.along(u)], box.half, level=level)

    cuts = [2 * reach * i / _PIECES - reach for i in range(_PIECES + 1)]
    pieces = [(-over(union(*ends)), *ends) for ends in pairwise(cuts)]
    heapify(pieces)
    for _ in range(_HALVINGS):
        below, low, high = pieces[0]
        middle = (low + high) / 2
        if level is None or -below <= level or not over(ball(middle)) <= level:
            break
        heapreplace(pieces, (-over(union(low, middle)), low, middle))
        heappush(pieces, (-over(union(middle, high)), middle, high))
    return -pieces[0][0]


@dataclass(frozen=True, slots=True)
class _Surface:
    """Re sum_j A_j e^{x g_j - u l_j}: the coefficients of x^a u^b for a + b <= 8, and the error beside them."""

    box: _Box
    sums: dict[tuple[int, int], arb]
    error: arb

    def over(self, u: arb) -> arb:
        """An enclosure over all x and the ball u."""
        return self.along(u)(self.box.x)

    def along(self, u: arb) -> arb_poly:
        """The polynomial in x over the ball u, its error included.

        In the terms in u alone the square is completed, so that their top is not lost.
        """
        rows = [[self.sums[a, b] for b in range(_SMOOTH_ORDER + 1 - a)] for a in range(_SMOOTH_ORDER + 1)]
        constant, linear, square, *higher = rows[0]
        alone = u**3 * _horner(higher, u)
        if square < 0:
            vertex = linear / (2 * square)
            offset = ((u + vertex) * (u + vertex)).nonnegative_part()
            alone += constant + square * offset - vertex * vertex * square
        else:
            alone += _horner([constant, linear, square], u)
        return arb_poly([alone + arb(0, self.error.upper()), *(_horner(row, u) for row in rows[1:])])


def _surfaces(box: _Box) -> tuple[_Surface, _Surface]:
    """Of h and of d."""
    in_x = [_powers(node.per_x, _SMOOTH_ORDER) for node in box.nodes]
    in_u = acb_mat([_powers(-node.log_z, _SMOOTH_ORDER) for node in box.nodes])
    far = [box.half_ball * abs(node.per_x) + box.reach * abs(node.log_z) for node in box.nodes]
    missing = [
        _remainder(one, _SMOOTH_ORDER) + one.exp() * (node.slack.exp() - 1)
        for one, node in zip(far, box.nodes, strict=True)
    ]
    found = []
    for steps, constant, error in ((False, box.constant, box.value_error), (True, arb(0), box.step_error)):
        weights = box.weights(steps=steps)
        rows = [[weight * powers[a] for weight, powers in zip(weights, in_x, strict=True)] for a in range(len(in_x[0]))]
        product = acb_mat(rows) * in_u
        sums = {(a, b): _over_factorials(product[a, b], a, b) for a in range(len(rows)) for b in range(len(rows) - a)}
        sums[0, 0] += constant
        found.append(_Surface(box, sums, error + _sum_of_products(weights, missing)))
    return found[0], found[1]


# --- lattice: real x, integer u ---------------------------------------------------------------------------------


def _lattice(box: _Box, level: arb | None) -> arb | None:
    powers = acb_mat([_powers(node.per_x, _LATTICE_ORDER) for node in box.nodes])
    missing = [_remainder(box.half_ball * abs(node.per_x), _LATTICE_ORDER) for node in box.nodes]
    first, last = _lines(box, [-box.reach, box.reach], powers, missing, steps=True)
    if not (first(box.x) > 0 and last(box.x) < 0):
        return None
    lines = _lines(box, range(-box.reach, box.reach), powers, missing, steps=False)
    return largest_value(lines, box.half, level=level)


def _lines(box: _Box, places: Sequence[int], powers: acb_mat, missing: list[arb], *, steps: bool) -> list[arb_poly]:
    """Polynomials in x for every such u, of h or of d, their errors included."""
    weights = box.weights(steps=steps)
    turned = [[weight * node.z**-u for weight, node in zip(weights, box.nodes, strict=True)] for u in places]
    product, rest, constant = acb_mat(turned) * powers, _sum_of_products(weights, missing), box.constant
    found = []
    for row, u in enumerate(places):
        error = rest / arb(box.r) ** u + (box.step_error if steps else box.value_error)
        line = [_over_factorials(product[row, i], i) for i in range(_LATTICE_ORDER + 1)]
        line[0] += arb(0, error.upper()) + (0 if steps else constant)
        found.append(arb_poly(line))
    return found


# --- Taylor polynomials -----------------------------------------------------------------------------------------


def _powers(y: acb, order: int) -> list[acb]:
    """1, y, ..., y^order."""
    powers = [acb(1)]
    for _ in range(order):
        powers.append(powers[-1] * y)
    return powers


def _over_factorials(sum_of_powers: acb, *orders: int) -> arb:
    """A coefficient of Re sum_j A_j e^{w_j}."""
    return sum_of_powers.real / math.prod(map(math.factorial, orders))


def _remainder(far: arb, order: int) -> arb:
    """A bound of |e^w - its Taylor polynomial| for all |w| <= far."""
    return far ** (order + 1) * far.exp() / math.factorial(order + 1)


def _sum_of_products(weights: Sequence[acb], factors: Sequence[arb]) -> arb:
    """Of the moduli of the weights."""
    return sum((abs(weight) * factor for weight, factor in zip(weights, factors, strict=True)), arb(0))


def _horner(coefficients: Sequence[arb], x: arb) -> arb:
    value = arb(0)
    for coefficient in reversed(coefficients):
        value = value * x + coefficient
    return value
