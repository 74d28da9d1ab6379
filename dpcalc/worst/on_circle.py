r"""delta of pools on one circle, one by one: doubles with counted errors, and no arrays.

The sums and their bounds are those of ``inversion_in_doubles``, see there. What differs is how the tables are made:

*Powers.* The squares (1 + mu g_j)^(2^i) come from balls of absolute radius below ``_ABSOLUTE`` (|1 + mu g_j| <= 1, so
that squaring at most doubles it) and are rounded once. A product of f of them and of a root of unity errs by at most
1.001 ((f + 1) (1.02 u + ``PRODUCT``) + 2 u) relatively, as no square needs a correction.

*Weights* C_j come from balls that hold them for every lambda between its ends, and are rounded once; their radii count.

``Tables`` are numbers only, so that another implementation of ``evaluate`` that uses nothing but +, -, *, / of doubles
may stand in its place: the calculator's page has one in JavaScript.

Source: proof notes, 9.1 to 9.7 and 9.12 to 9.14.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import mul
from typing import TypeAlias

from flint import acb, arb, fmpq

from dpcalc.numbers.ball import working_precision
from dpcalc.numbers.rounding import PRODUCT, UNIT
from dpcalc.worst.circle import Circle, CommonTilt, at_least
from dpcalc.worst.truncation import FAR, LEAST, SPARE, Form, exponent_errors, first_left_out, left_out, logs_of

MOVES = 6  #: times that t may move
_PRECISION = 160  # bits of the balls: those of squares lose up to 40, one each
_ABSOLUTE = 2.0**-100  # of a square, of a product of all; and of a sum, which outweighs what underflows
_ROUNDED = 1.02 * UNIT  # error of a complex number rounded from a ball

#: a, b, t.
_Place: TypeAlias = tuple[int, int, int]
#: h_t, d_{t-1}, ..., d_{t+2} relative to F, their errors, and F from below and from above.
_Sums: TypeAlias = tuple[list[float], list[float], float, float]


@dataclass(frozen=True, slots=True)
class Tables:
    """What all pools on a circle have in common.

    Attributes:
        k, points, rights: reports of the record, M, how many of the radii are for the aliases to the right.
        squares: (1 + mu g_j)^(2^i), then (1 + nu g_j)^(2^i), of the points kept; for each i.
        roots: e^{-2 pi i j / M}, 0 <= j < M.
        weights: C_j / M, or twice that for a pair of conjugate points; a row for each of h_t, d_{t-1}, ..., d_{t+2}.
        errors: of each row, the same for all pools.
        forms: logs that a, b, t and 1 are multiplied with: of F, and of the aliases on each radius.
        constant, rest: the log of the constant alias times F, and its factor; rest_error: the relative error of both.
        front_error, alias_error: relative errors of F, and of the aliases.
        covered: whether the aliases to the right count for every pool.
    """

    k: int
    points: int
    rights: int
    squares: Sequence[Sequence[complex]]
    roots: Sequence[complex]
    weights: Sequence[Sequence[complex]]
    errors: Sequence[float]
    forms: Sequence[Form]
    constant: float
    rest: float
    rest_error: float
    front_error: float
    alias_error: float
    covered: bool

    @classmethod
    def of(cls, saddle: CommonTilt, circle: Circle, most: int, farthest: int, spread: float) -> Tables:
        """For pools with a, b up to ``most``, t up to ``farthest``, and V from ``spread`` on."""
        bits = most.bit_length()
        weights, widths = _weights(saddle, circle)
        forms, constant, rest = logs_of(saddle, circle)
        sizes = exponent_errors((most, most, farthest), forms, constant)
        return cls(
            saddle.k, circle.points, len(circle.rights), _squares(saddle, circle, bits), _roots(circle.points), weights,
            _errors(saddle, circle, weights, widths, 2 * bits, spread * (1 - 1e-12)), forms, constant, rest,
            sizes[0] + saddle.excess_error, sizes[0], max(sizes), circle.covered,
        )  # fmt: skip

    def flat(self) -> list[array[float]]:
        """All tables as doubles, real and imaginary parts in turn; the last has the numbers that stand alone."""
        alone = [self.k, self.points, self.rights, self.constant, self.rest, self.rest_error, self.front_error]
        forms = array("d", [x for form in self.forms for x in form])
        tables = [_flat(self.squares), _flat_roots(self.points), _flat(self.weights)]
        return [*tables, array("d", self.errors), forms, array("d", [*alone, self.alias_error, self.covered])]


def deltas(tables: Tables, places: Sequence[_Place]) -> list[tuple[float, float]]:
    """Lower and upper end of delta of each pool; t is where to look first, and the upper end 1 if it is not settled."""
    found = []
    for a, b, start in places:
        t, last = start, a + b + tables.k - 1
        for _ in range(MOVES + 1):
            lower, upper, move = _delta(tables, a, b, t)
            t = min(max(t + 2 * move, 0), last)
            if not move:
                break
        found.append((lower, upper))
    return found


#: ``deltas``, or what stands in its place.
evaluate: Callable[[Tables, Sequence[_Place]], list[tuple[float, float]]] = deltas


def _delta(tables: Tables, a: int, b: int, t: int) -> tuple[float, float, int]:
    """Lower and upper end of delta, and in which direction t should move if it should."""
    return _ends(_sums(tables, a, b, t), tables.front_error, t, a + b + tables.k - 1)


def _ends(sums: _Sums, off: float, t: int, last: int) -> tuple[float, float, int]:
    """The same from the sums at t, of ``last`` at most, and the relative error of F."""
    values, errors, least, most = sums
    high = [value + error for value, error in zip(values, errors, strict=True)]
    low = [value - error for value, error in zip(values, errors, strict=True)]
    rise = max(high[3], -low[2], 0.0)
    slack = 8 * UNIT * (abs(high[0]) + rise + 2 * errors[0])
    upper = max(high[0] + rise + slack, 0.0) * (most * (1 + off))
    rise = max(low[3], -high[2], 0.0)
    lower = max((low[0] + rise - slack) * (least * (1 - off)), 0.0)
    start, end = t <= 1, t >= last - 1
    settled = (low[1] > 0 or start) and (high[4] < 0 or end)
    move = 0 if settled else (low[4] > 0 and not end) - (high[1] < 0 and not start)
    upper = max(upper, LEAST) if settled and upper < 1.0 else 1.0  # not a number neither
    return (lower if LEAST <= lower < 1.0 else 0.0), upper, move


def _sums(tables: Tables, a: int, b: int, t: int) -> _Sums:
    points, kept = tables.points, len(tables.weights[0])
    terms = [tables.roots[t * j % points] for j in range(kept)]
    for i, squares in enumerate(tables.squares):
        if a >> i & 1:
            terms = list(map(mul, terms, squares))
        if b >> i & 1:
            terms = list(map(mul, terms, squares[kept:]))
    values = [sum(map(mul, terms, row)).real for row in tables.weights]
    logs = [one * a + zero * b + theta * t + own for one, zero, theta, own in tables.forms]
    front, first_left = _exp(logs[0]), 1 + tables.rights
    errors = [error * SPARE for error in tables.errors]
    for wraps, bounds in (
        (tables.covered or t <= a + b + tables.k + 1 - points, logs[1:first_left]),
        (t >= points - 2, logs[first_left:]),
    ):
        if wraps:
            bound = _exp(min(bounds, default=math.inf)) * (1 + tables.alias_error)
            errors = [error + bound for error in errors]
    constant = _exp(tables.constant - logs[0]) * tables.rest if tables.rest else 0.0
    values[0] += constant
    errors[0] += constant * tables.rest_error
    return values, errors, 0.0 if logs[0] < -FAR else front, front


def _exp(x: float) -> float:
    """e^x; infinity, or e^-690, where that leaves the range of doubles."""
    return math.inf if x > FAR else float(arb(max(x, -FAR)).exp())


def _squares(saddle: CommonTilt, circle: Circle, bits: int) -> list[list[complex]]:
    r = arb(saddle.r)
    found: list[list[complex]] = [[] for _ in range(bits)]
    with working_precision(_PRECISION):
        one_all, zero_all = saddle.factors(r)
        pairs = [saddle.factors(r * acb(fmpq(2 * j, circle.points)).exp_pi_i()) for j in range(circle.kept)]
        for power in [one / one_all for one, _ in pairs] + [zero / zero_all for _, zero in pairs]:
            for i in range(bits):
                found[i].append(_double(power))
                power = power * power
    return found


def _weights(saddle: CommonTilt, circle: Circle) -> tuple[list[list[complex]], list[list[float]]]:
    """The weights, and how far each may be off besides its rounding."""
    r, k = arb(saddle.r), saddle.k
    rows: list[list[complex]] = [[] for _ in range(5)]
    widths: list[list[float]] = [[] for _ in range(5)]
    with working_precision(_PRECISION):
        one_all, zero_all = saddle.factors(r)
        kappa = saddle.limit * (one_all / zero_all) ** k
        for j in range(circle.kept):
            z = r * acb(fmpq(2 * j, circle.points)).exp_pi_i()
            share = fmpq(1 if 2 * j in (0, circle.points) else 2, circle.points)
            one, zero = saddle.factors(z)
            kernel = ((zero / zero_all) ** k - kappa * (one / one_all) ** k) * share
            back = z.conjugate() / (r * r)  # 1/z
            for e, value in enumerate((kernel / (1 - z), kernel * z, kernel, kernel * back, kernel * back * back)):
                rows[e].append(_double(value))
                widths[e].append(at_least(value.real.rad() + value.imag.rad()))
    return rows, widths


def _errors(
    saddle: CommonTilt,
    circle: Circle,
    weights: list[list[complex]],
    widths: list[list[float]],
    factors: int,
    spread: float,
    rounded: float = _ROUNDED,
) -> list[float]:
    """Of rounding, each number of the tables to a relative ``rounded``, and of the points left out, by the least V."""
    kept, r, record = circle.kept, saddle.r, saddle.spread_record * (1 - 1e-12)
    rises = _rises(circle.points, min(kept + 2, circle.points // 2 + 1))
    step, least = first_left_out(rises, circle.points, kept)
    fade = [_exp(-spread * rise) for rise in rises[:kept]]
    last = _exp(-spread * rises[min(kept, len(rises) - 1)] - record * least) * SPARE
    rest = left_out(last, (spread + record) * step, circle) * (1 + saddle.kappa + saddle.kappa_error)
    power = 1.001 * ((factors + 1) * (rounded + PRODUCT) + 2 * UNIT)
    relative = power + (2 * kept + 6) * UNIT + rounded  # of powers, of the sum, of the weights
    found = []
    for row, width, largest in zip(weights, widths, (1 / (1 - r), r, 1.0, 1 / r, 1 / r / r), strict=True):
        sizes = [abs(weight.real) + abs(weight.imag) for weight in row]
        rounding = sum(far * (size * relative + off) for far, size, off in zip(fade, sizes, width, strict=True))
        found.append(rounding + _ABSOLUTE * (1 + sum(sizes)) + rest * largest)
    return found


def _double(z: acb) -> complex:
    """A ball's midpoint, each part rounded."""
    return complex(z)


def _flat(rows: Sequence[Sequence[complex]]) -> array[float]:
    found = array("d")
    for row in rows:
        for z in row:
            found.append(z.real)
            found.append(z.imag)
    return found


@lru_cache(maxsize=64)
def _roots(points: int) -> list[complex]:
    with working_precision(_PRECISION):
        half = [_double(acb(fmpq(-2 * j, points)).exp_pi_i()) for j in range(points // 2 + 1)]
    return half + [root.conjugate() for root in half[points - points // 2 - 1 : 0 : -1]]


@lru_cache(maxsize=64)
def _flat_roots(points: int) -> array[float]:
    return _flat([_roots(points)])


@lru_cache(maxsize=256)
def _rises(points: int, count: int) -> list[float]:
    """1 - cos u_j, rounded."""
    with working_precision(_PRECISION):
        return [float(2 * arb.sin_pi_fmpq(fmpq(j, points)) ** 2) for j in range(count)]
