r"""An upper bound of tilted Fourier coefficients over a whole range of compositions at once.

Let h_t(m) = [z^t] G_m K / (1 - z) with G_m(z) = (q + p z)^{k m} (p + q z)^{k (B - m)}, as in ``laws.circle``, and let
it be known that for every m the sequence t -> h_t(m) rises and then falls. Wanted: a proven bound of max_t h_t(m) for
all integers m in [a, b]. Take m_0 in the middle, some t_0 and a slope s, and write m = m_0 + x and t = t_0 + s x + u.
At integers m and t, up to aliases and points left out, bounded uniformly in x and u (4.1, 4.2),

    h_t(m) = sum_j A_j e^{w_j},   w_j = x g_j - u l_j,   l_j = log z_j,   g_j = k log((q + p z_j)/(p + q z_j)) - s l_j.

Some choices of s make g_j small, so that a Taylor polynomial with a bounded remainder (4.3) covers many m. Only
|u| <= U need be covered once the signs of d_t(m) = h_t(m) - h_{t-1}(m) at both ends of that range are proven (4.4):

*smooth*   s is the tilted mean by which one more 1 moves the sum: g_j is of third order in the tilt, and one polynomial
           in real (x, u) covers a range of m that grows like the 3/2-th power of n, hence all of it for large n. The
           signs of d are proven on [-U, 1 - U] and [U - 1, U], each of which holds an integer t.
*lattice*  s = k or s = 0, so that u is an integer wherever m is: one polynomial in x for each u. With s = k this serves
           where flips are rare (g_j is of the order of k q) and the pool too narrow for the smooth form; with s = 0
           next to q = 1/2 (g_j is of the order of k (p - q)), where the best t is the same for many or all m, and h
           larger between two integers t, as the smooth form has it, than at either.

Of several groups, m is a vector and t = t_0 + sum_g s_g x_g + u. At the common tilt all groups' g_j are nearly
multiples kappa_g of one, so that sum_g kappa_g x_g takes the place of x; the rest is bounded (smooth form only).
Beside a corner of a box t is an integer for few u, and only these are covered (4.6). Where reports are asymmetric,
(1 - a + a z) and (1 - b + b z) stand for the two factors, a that of a report of 1.

Source: proof notes, 4 and 11.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import acb, acb_mat, arb, arb_poly

from dpcalc.laws.circle import Contour, Factor, Signed, Term, geometric, left_out, truncation
from dpcalc.laws.pool import Pool
from dpcalc.numbers.ball import LEAST_HELD, ball, enclosure_of, union, working_precision
from dpcalc.numbers.search import best_first

_WHOLE = (Fraction(0), Fraction(1))
_SMOOTH_VARIANCE = 60  # of the pooled count, from which on the smooth form pays
SEVERAL_VARIANCE = 8  #: the same of several groups, which have no other form
_SMOOTH_ORDER = 8  # of the Taylor polynomial in (x, u), where exponents are below 1
_FURTHER = 4  # orders more for each 1 that they may reach
_FARTHEST = 4  # up to which that is done
_SMOOTH_REACH = 2  # U
_HALVINGS = 40  # of pieces of [-U, U], where their bound is above a level that their middles keep
_INWARDS = 6.0  # how far log s may lie from log r: further in, more ones move the alias of t more than they do t
_LATTICE_ORDER = 14  # of the Taylor polynomials in x
_LATTICE_REACH = 4  # U
LATTICE_DRIFT = 1.5  #: how far the best t may drift from slope k, or 0, over half a range


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

    @property
    def weight(self) -> Fraction:
        """How far the sum of pulls can be moved by it."""
        return abs(self.pull) * (self.high - self.low)

    def within(self, up: Fraction, down: Fraction) -> Range:
        """What is left of it where the sum of pulls is at most so far above its least and below its largest."""
        if not self.pull:
            return self
        if self.pull < 0:
            up, down = down, up
        pull, low, high = abs(self.pull), self.low, self.high
        return replace(self, low=max(low, math.ceil(high - down / pull)), high=min(high, math.floor(low + up / pull)))

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

    def tilted(self, theta: float) -> float:
        """By how much one more 1 moves the mean, tilted by theta; about."""
        y = math.exp(theta)
        zero, one = (float(a) * y / (float(1 - a) + float(a) * y) for a in self.own)
        return self.k * (one - zero)

    def move(self, theta: float, turn: float) -> complex:
        """g at the point e^{theta + i turn}, for the slope that ``tilted`` says; about."""
        zero, one = (cmath.log(float(1 - a) + float(a) * cmath.exp(complex(theta, turn))) for a in self.own)
        return self.k * (one - zero) - self.tilted(theta) * complex(theta, turn)


def aligned(ranges: Sequence[Range], theta: float) -> list[Range]:
    """The same with their pulls, the one that moves exponents most first; they steer.

    They are told by g at a point of the circle as far from its tilt as half the deviation of the sum allows.
    """
    if not ranges:  # nobody but the changed user
        return []
    variance = sum(float(one.variance) for one in ranges)
    turn = min(2 / math.sqrt(max(variance, 1e-300)), math.pi)
    moves = [one.move(theta, turn) for one in ranges]
    places = sorted(range(len(ranges)), key=lambda i: -abs(moves[i]) * (ranges[i].high - ranges[i].low))
    first = moves[places[0]] or complex(1)
    pulls = [Fraction((moves[i] / first).real) for i in places]
    return [replace(ranges[i], pull=pull) for i, pull in zip(places, [Fraction(1), *pulls[1:]], strict=True)]


def total(ranges: Sequence[Range]) -> Fraction:
    """How far the sum of pulls can be moved."""
    return sum((one.weight for one in ranges), Fraction(0))


def within(ranges: Sequence[Range], share: tuple[Fraction, Fraction]) -> list[Range]:
    """What each m can be at most and at least where the sum of pulls lies between these shares of its way."""
    up, down = share[1] * total(ranges), (1 - share[0]) * total(ranges)
    return [one.within(up, down) for one in ranges]


def envelope(
    ranges: Sequence[Range], kernel: Sequence[Term], *, fixed: Sequence[Factor] = (), t: float, theta: float, bits: int,
    level: Fraction, share: tuple[Fraction, Fraction] = _WHOLE,
) -> Fraction | None:  # fmt: skip
    """A bound of max_t h_t(m) for all m in the ranges, not below 2^-999,999; None where it cannot be proven.

    Args:
        ranges: of one group of records or more; the pull of the first is 1.
        kernel: K.
        fixed: further factors of G_m.
        t: where d_t is 0 for the m in the middle of ``share``, about; it only steers.
        theta: the tilt there, likewise.
        bits: working precision.
        level: the bound is as sharp as it takes to tell on which side of it the largest h_t(m) lies.
        share: only of those m whose sum of pulls lies between these shares of the way from the least to the largest.
    """
    with working_precision(bits):
        top = _highest(ranges, kernel, fixed, (t, theta), share, ball(level))
        return enclosure_of(top.max(LEAST_HELD)).upper if top is not None and top.is_finite() else None


def _highest(
    ranges: Sequence[Range], kernel: Sequence[Term], fixed: Sequence[Factor], centre: tuple[float, float],
    share: tuple[Fraction, Fraction], level: arb,
) -> arb | None:  # fmt: skip
    centre_t, theta = centre
    slopes = [one.tilted(theta) for one in ranges]
    middles = [one.at((share[0] + share[1]) / 2) for one in ranges]
    half, variance = total(ranges) * (share[1] - share[0]) / 2, sum(one.variance for one in ranges)
    parts = within(ranges, share)
    if any(one.low > one.high for one in parts):
        return LEAST_HELD  # no m is there
    first, top = parts[0], None
    step = first.k if (first.k - slopes[0]) * half <= LATTICE_DRIFT else 0
    drift = abs(step - slopes[0]) * half if len(ranges) == 1 else math.inf
    least = _SMOOTH_VARIANCE if len(ranges) == 1 else SEVERAL_VARIANCE
    if variance > least:
        groups = [_Group(*of) for of in zip(parts, middles, map(arb, slopes), strict=True)]
        low, high = (x - Fraction(centre_t) for x in _places(ranges, middles, slopes, share))
        top = _smooth(_Box(groups, kernel, fixed, centre_t, _SMOOTH_REACH, half), low, high, level)
    if drift <= LATTICE_DRIFT and (top is None or not top <= level):  # between integers h is larger
        whole = math.floor(middles[0])
        t = math.floor(centre_t - slopes[0] * float(middles[0] - whole))
        groups = [_Group(first, Fraction(whole), arb(step))]
        sharper = _lattice(_Box(groups, kernel, fixed, t, _LATTICE_REACH, half))
        top = sharper if top is None or (sharper is not None and sharper < top) else top
    return top


def _places(
    ranges: Sequence[Range], middles: Sequence[Fraction], slopes: Sequence[float], share: tuple[Fraction, Fraction]
) -> tuple[Fraction, Fraction]:
    """Between which two numbers t_0 + u lies for all m in this share, but for a whole number.

    It is t less every s_g x_g, hence but for a whole number k_g m_0 + (k_g - s_g) x_g. From an end of the box each step
    of the sum of pulls adds (k_g - s_g) / pull of one group or another.
    """
    apart = [one.k - Fraction(slope) for one, slope in zip(ranges, slopes, strict=True)]
    varied = [(a, one.pull) for a, one in zip(apart, ranges, strict=True) if one.high > one.low]
    if not all(pull for _, pull in varied):
        return Fraction(0), Fraction(1)
    ways, found = [a / pull for a, pull in varied] or [Fraction(0)], []
    for end in (0, 1):
        from_end = [(x - end) * total(ranges) * way for x in share for way in (min(ways), max(ways))]
        corner = [one.at(Fraction(end)) for one in ranges]
        here = sum(one.k * m + a * (c - m) for one, m, a, c in zip(ranges, middles, apart, corner, strict=True))
        found.append((here + min(from_end), here + max(from_end)))
    return min(found, key=lambda one: one[1] - one[0])


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
        half: Fraction,
    ) -> None:  # fmt: skip
        self._groups, self._t, self.reach = groups, arb(t), reach
        self._fixed = [(ball(a), ball(1 - a), count) for a, count in fixed]
        pool, signed = Pool.of(*fixed, *(kind for one in groups for kind in one.kinds)), Signed(kernel)
        circle = Contour.around(pool, signed, t, truncation(pool))
        circle = replace(circle, left=circle.left.max((circle.r * arb(-_INWARDS).exp()).mid()))
        self.half = half if len(groups) > 1 else groups[0].far
        self.x = union(-half, half) if len(groups) > 1 else groups[0].x
        self.half_ball = ball(self.half)
        start, turn = acb(arb(circle.r).log()), acb(0, 2 * arb.pi() / circle.points)
        self.nodes = [self._node(circle, signed, j, start + j * turn) for j in range(circle.kept)]

        self.r = circle.r
        r, turns = arb(circle.r), arb(circle.r) ** circle.points
        wrapped = geometric(r / arb(circle.right), circle.points) * self._chernoff(circle.right, signed)
        wrapped += geometric(arb(circle.left) / r, circle.points) * self._chernoff(circle.left, signed)
        missing = left_out(circle.points, circle.kept, self._spread(r)) * self._chernoff(circle.r, signed)
        self.constant = -signed.at(acb(1)).real * turns / (1 - turns) if circle.right >= 1 else arb(0)
        self.value_error, self.step_error = wrapped + missing / (1 - r), wrapped + missing
        if not circle.proper(pool, signed):
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


def _smooth(box: _Box, low: Fraction, high: Fraction, level: arb) -> arb | None:
    """The bound, where u lies between these but for a whole number."""
    values, steps = _surfaces(box)
    reach = Fraction(box.reach)
    if not (steps.over(union(-reach, 1 - reach)) > 0 and steps.over(union(reach - 1, reach)) < 0):
        return None

    def over(u: arb) -> arb:
        return _largest_value(values.along(u), box.half)

    def halves(piece: tuple[Fraction, Fraction]) -> Iterator[tuple[arb, tuple[Fraction, Fraction]]]:
        low, middle, high = piece[0], (piece[0] + piece[1]) / 2, piece[1]
        return ((over(union(*half)), half) for half in ((low, middle), (middle, high)))

    left = best_first(
        [(over(union(*ends)), ends) for ends in _spans(reach, low, high)], halves, most=_HALVINGS,
        enough=lambda: level, more=lambda piece: bool(over(ball((piece[0] + piece[1]) / 2)) <= level),
    )  # fmt: skip
    return left[0][0]


def _spans(reach: Fraction, low: Fraction, high: Fraction) -> list[tuple[Fraction, Fraction]]:
    """The parts of [-U, U] that are covered: all of it, or what lies between these but for a whole number."""
    if high - low >= 1:
        return [(-reach, reach)]
    moves = range(math.ceil(-reach - high), math.floor(reach - low) + 1)
    return [(max(low + i, -reach), min(high + i, reach)) for i in moves]


@dataclass(frozen=True, slots=True)
class _Surface:
    """Re sum_j A_j e^{x g_j - u l_j}: the coefficients of x^a u^b for a + b <= order, and the error beside them."""

    box: _Box
    order: int
    sums: dict[tuple[int, int], arb]
    error: arb

    def over(self, u: arb) -> arb:
        """An enclosure over all x and the ball u."""
        return self.along(u)(self.box.x)

    def along(self, u: arb) -> arb_poly:
        """The polynomial in x over the ball u, its error included.

        In the terms in u alone the square is completed, so that their top is not lost.
        """
        rows = [[self.sums[a, b] for b in range(self.order + 1 - a)] for a in range(self.order + 1)]
        constant, linear, square, *higher = rows[0]
        alone = u * u * u * _horner(higher, u)
        if square < 0:
            vertex = linear / (2 * square)
            offset = ((u + vertex) * (u + vertex)).nonnegative_part()
            alone += constant + square * offset - vertex * vertex * square
        else:
            alone += _horner([constant, linear, square], u)
        return arb_poly([alone + arb(0, self.error.upper()), *(_horner(row, u) for row in rows[1:])])


def _surfaces(box: _Box) -> tuple[_Surface, _Surface]:
    """Of h, and of d over e^{x g_0 - u l_0}, which is positive: it has the sign of d, and hardly varies."""
    per_x, log_r = box.nodes[0].per_x.real, box.nodes[0].log_z.real
    scale = (box.half_ball * abs(per_x) + box.reach * abs(log_r)).exp()
    centred = [replace(node, per_x=node.per_x - per_x, log_z=node.log_z - log_r) for node in box.nodes]
    values = _surface(box, box.nodes, box.weights(steps=False), box.value_error)
    values.sums[0, 0] += box.constant
    return values, _surface(box, centred, box.weights(steps=True), scale * box.step_error)


def _surface(box: _Box, nodes: Sequence[_Node], weights: Sequence[acb], error: arb) -> _Surface:
    """Of such weights A_j; the error is that beside the polynomial's own."""
    far = [box.half_ball * abs(node.per_x) + box.reach * abs(node.log_z) for node in nodes]
    order = _SMOOTH_ORDER + _FURTHER * math.floor(min(float(far[0].mid()), _FARTHEST))
    in_x = [_powers(node.per_x, order) for node in nodes]
    rows = [[weight * powers[a] for weight, powers in zip(weights, in_x, strict=True)] for a in range(order + 1)]
    product = acb_mat(rows) * acb_mat([_powers(-node.log_z, order) for node in nodes])
    sums = {(a, b): _over_factorials(product[a, b], a, b) for a in range(order + 1) for b in range(order + 1 - a)}
    missing = [
        _remainder(one, order) + one.exp() * (node.slack.exp() - 1) for one, node in zip(far, nodes, strict=True)
    ]
    return _Surface(box, order, sums, error + _sum_of_products(weights, missing))


# --- lattice: real x, integer u ---------------------------------------------------------------------------------


def _lattice(box: _Box) -> arb | None:
    powers = acb_mat([_powers(node.per_x, _LATTICE_ORDER) for node in box.nodes])
    missing = [_remainder(box.half_ball * abs(node.per_x), _LATTICE_ORDER) for node in box.nodes]
    first, last = _lines(box, [-box.reach, box.reach], powers, missing, steps=True)
    if not (first(box.x) > 0 and last(box.x) < 0):
        return None
    lines = _lines(box, range(-box.reach, box.reach), powers, missing, steps=False)
    return max(_largest_value(line, box.half) for line in lines)


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


def _largest_value(p: arb_poly, half: Fraction) -> arb:
    """An exact number at or above p(x) for all |x| <= half; infinite where a coefficient is not finite."""
    c = p(arb_poly([0, ball(half)]))
    linear, square = abs(c[1]), c[2]
    top = linear + square.max(arb(0))
    if square < 0:
        top = top.min(linear + square) if linear >= -2 * square else top.min(linear * linear / (-4 * square))
    bound = arb((c[0] + top + sum((abs(c[i]) for i in range(3, c.length())), arb(0))).upper())
    return bound if bound.is_finite() else arb.pos_inf()


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
    most = arb(far.upper())  # a ball around 0 has no such power
    return most ** (order + 1) * most.exp() / math.factorial(order + 1)


def _sum_of_products(weights: Sequence[acb], factors: Sequence[arb]) -> arb:
    """Of the moduli of the weights."""
    return sum((abs(weight) * factor for weight, factor in zip(weights, factors, strict=True)), arb(0))


def _horner(coefficients: Sequence[arb], x: arb) -> arb:
    value = arb(0)
    for coefficient in reversed(coefficients):
        value = value * x + coefficient
    return value
