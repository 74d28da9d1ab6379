r"""An upper bound of delta over a whole range of compositions, at many limits, in doubles with counted errors.

``envelope`` does it in balls, limit by limit; this is its smooth form in arrays, on one circle for all limits. Write
m = m_0 + x and t = t_0 + s x + u, with the slope s by which one more 1 moves the best t. At integers m and t

    h_t(m) = F sum_j A_j e^{x g_j - u l_j} + errors,   A_j = P_j C_j,   l_j = log z_j,
    g_j = k log(A(z_j) / B(z_j)) - s l_j,

F, P_j and C_j those of m_0 and t_0, as in ``on_circle``. The slope makes g_j small, of third order in the
tilt, so that one Taylor polynomial in x / X and u / U serves all |x| <= X and |u| <= U. Its largest value bounds every
h_t(m) once d_t(m) is proven positive for u in [-U, 1 - U] and negative for u in [U - 1, U], each of which holds a whole
t.

What the points z_j have in common for all limits are balls, each rounded once; the rest is done in arrays.

Source: proof notes, 4 and 9.17.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from flint import acb, arb, fmpq
from numpy.typing import NDArray

from dpcalc.numbers import doubles
from dpcalc.numbers.ball import working_precision
from dpcalc.numbers.doubles import Complexes, Integers, Reals, modulus
from dpcalc.numbers.rounding import UNIT
from dpcalc.worst.circle import Circle, CommonTilt, TooMany, at_least
from dpcalc.worst.on_circle import FAR, LEAST, SPARE, Form, exponent_errors, first_left_out, left_out, logs_of, rising

_REACH = 3.0  # U
_ORDER, _FURTHER, _FARTHEST = 8, 4, 4.0  # of the Taylor polynomial; more for each 1 that exponents reach, up to so far
_POINTS, _KEPT = 1 << 27, 512  # points in all and those kept, at most
_PRECISION = 192  # bits
_TERM, _NODE = 1024 * UNIT, 8 * UNIT  # relative error of the terms of a polynomial's sum: of each, and for each point
_EXPONENT, _BESIDE = 8 * UNIT, 2.0**-60  # error of an exponent, relative to its parts and beside that


def envelopes(
    saddles: Sequence[CommonTilt], others: int, parts: Sequence[tuple[int, int]], *, rtol: float
) -> list[tuple[list[float], list[float]]]:
    """Of each part, for each limit, an end below delta of the m in its middle, and one at or above delta of all its m.

    They are ends as of ``in_arrays``: where nothing is proven, 0 and 1.

    Args:
        saddles: of limits in rising order that share a circle.
        others: N.
        parts: the first and the last m of each.
        rtol: relative width, about.

    Raises:
        TooMany: points.
    """
    with np.errstate(all="ignore"):  # what is no number proves nothing
        points = _Points.of(saddles, others, parts, rtol)
        found = [_ends(_Area.of(points, others, *part)) for part in parts]
    return [(lower.tolist(), upper.tolist()) for lower, upper in found]


@dataclass(frozen=True, slots=True)
class _Points:
    """What all parts share.

    Attributes:
        saddle: of all limits, a row for each.
        circle: which serves all of them.
        lag: k - s of each limit, a row for each.
        logs: of A(z) / A(r) and B(z) / B(r), at each point z.
        kernels: phi/M, or twice that for a pair of conjugate points, times two numbers; the first and (1 - kappa) times
            the second make K. For h, and for d.
        own: k log(A(z) / B(z)) - k log z, which is small if flips are rare.
        forms: of F and the aliases, as of ``logs_of``.
    """

    saddle: CommonTilt
    circle: Circle
    lag: Reals
    logs: list[tuple[acb, acb]]
    kernels: list[tuple[acb, acb, acb, acb]]
    own: Complexes
    forms: tuple[list[Form], float, float]

    @classmethod
    def of(cls, saddles: Sequence[CommonTilt], others: int, parts: Sequence[tuple[int, int]], rtol: float) -> _Points:
        """For limits and parts."""
        limit = max((x.limit for x in saddles), key=arb.upper)
        k, saddle = saddles[0].k, saddles[0].at(np.array([x.each for x in saddles]).T[:, :, None], limit)
        ms = np.array([min(low for low, _ in parts), max(high for _, high in parts)])
        ones, zeros = k * ms, k * (others - ms)
        spreads = sorted(saddle.spread(ones, zeros).tolist())
        t, middle = _best(saddle, ones, zeros), saddles[len(saddles) // 2]
        circle = Circle.around(middle, ones, zeros, t, (spreads[0], spreads[1]), rtol, most_points=_POINTS)
        if circle.kept > _KEPT:
            raise TooMany
        logs, kernels, own = [], [], []
        with working_precision(_PRECISION):
            r, points = arb(saddle.r), circle.points
            one_all, zero_all = saddle.factors(r)
            apart = (one_all / (zero_all * r)).log()
            for j in range(circle.kept):
                turn = acb(fmpq(2 * j, points))
                z = r * turn.exp_pi_i()
                one, zero = ((x / x_all).log() for x, x_all in zip(saddle.factors(z), saddle.factors(r), strict=True))
                likely, share = (k * one).exp(), (1 if j == 0 or 2 * j == points else 2) / arb(points)
                steps = share * ((k * zero).exp() - likely), share * likely
                logs.append((one, zero))
                kernels.append((steps[0] / (1 - z), steps[1] / (1 - z), *steps))
                own.append(complex(k * (one - zero + apart - acb(0, 1) * arb.pi() * turn)))
        lag, forms = k * (1 - saddle.likely + saddle.unlikely), logs_of(saddle, circle)
        return cls(saddle, circle, lag, logs, kernels, np.array(own), forms)


def _best(saddle: CommonTilt, ones: Integers, zeros: Integers) -> Integers:
    """Where d of each limit changes its sign, about."""
    record = 0.5 * saddle.k * (saddle.likely + saddle.unlikely)
    found: Integers = np.rint(ones * saddle.likely + zeros * saddle.unlikely + record).astype(np.int64)
    return found


@dataclass(frozen=True, slots=True)
class _Area:
    """All |x| <= X and |u| <= U.

    Attributes:
        points: of the circle.
        a, b: k m_0 and k (N - m_0).
        t: t_0 of each limit, a row for each.
        half: X.
        spread: V, of all m the least.
    """

    points: _Points
    a: int
    b: int
    t: Integers
    half: int
    spread: float

    @classmethod
    def of(cls, points: _Points, others: int, low: int, high: int) -> _Area:
        """For m from ``low`` to ``high``."""
        saddle, middle = points.saddle, (low + high) // 2
        ms = np.array((middle, low, high))
        ones, zeros = saddle.k * ms, saddle.k * (others - ms)
        least, t = float(saddle.spread(ones, zeros).min()), _best(saddle, ones, zeros)[:, :1]
        return cls(points, int(ones[0]), int(zeros[0]), t, max(high - middle, middle - low), least * (1 - 1e-12))

    def turns(self) -> Complexes:
        """e^{-i t u_j}, powers of its value for j = 1."""
        points = self.points.circle.points
        found = np.ones((len(self.t), self.points.circle.kept), complex)
        with working_precision(_PRECISION):
            pairs = [arb.sin_cos_pi_fmpq(fmpq(2 * (t % points), points)) for t in self.t[:, 0].tolist()]
        found[:, 1:] = np.array([complex(float(c), -float(s)) for s, c in pairs])[:, None]
        return np.multiply.accumulate(found, axis=1)

    def terms(self) -> tuple[Complexes, float]:
        """P_j times the kernels, and all that they may be off beside u."""
        with working_precision(_PRECISION):
            chances = [(self.a * one + self.b * zero).exp() for one, zero in self.points.logs]
            balls = [[chance * x for x in each] for chance, each in zip(chances, self.points.kernels, strict=True)]
            off = sum(at_least(x.rad()) for each in balls for x in each)
        return np.array([[complex(x) for x in each] for each in balls]).T, off * SPARE

    def exponents(self) -> tuple[_Exponents, _Exponents]:
        """X g_j and -U l_j, and the same without the real numbers that they are at j = 0."""
        points = self.points
        angles = np.arange(points.circle.kept) * (2 * math.pi / points.circle.points)
        logs: Complexes = (-_REACH * (points.saddle.logs[2] + 1j * angles)).astype(complex)
        moves: Complexes = self.half * (points.own - points.lag * logs / _REACH)
        off: Reals = _BESIDE + _EXPONENT * (modulus(moves) + modulus(logs) * (1 + self.half * points.lag))
        whole, start = _Exponents.of(moves, logs, off), moves[:, :1].real
        return whole, _Exponents.of(moves - start, logs - logs[0].real, off + off[:, :1])


@dataclass(frozen=True, slots=True)
class _Front:
    """Of each limit.

    Attributes:
        upper, lower: F, infinite or 0 where it leaves the range of doubles, and
        exponent: its relative error.
        missing: aliases and points left out of h and d, at any m and t relative to F(m, t).
        constant, error: the alias that all h_t have, relative to F, and how far it may be off.
    """

    upper: Reals
    lower: Reals
    exponent: float
    missing: Reals
    constant: Reals
    error: Reals

    @classmethod
    def of(cls, area: _Area) -> _Front:
        """From logs."""
        points, reports = area.points, area.a + area.b
        saddle, circle, (forms, constant_log, rest) = points.saddle, points.circle, points.forms
        t, slope = area.t[:, 0].astype(float), saddle.k - points.lag[:, 0]
        far = area.half * abs(slope) + _REACH
        sizes = exponent_errors((reports, reports, float((t + far).max())), forms, constant_log)
        logs = np.array([one * area.a + zero * area.b + theta * t + own for one, zero, theta, own in forms])
        for log, (one, zero, theta, _) in zip(logs[1:], forms[1:], strict=True):
            log += area.half * abs(saddle.k * (one - zero) + slope * theta) + _REACH * abs(theta)
        right = (t - far <= reports + (saddle.k + 1 - circle.points)) | circle.covered
        left, first = t + far >= circle.points - 2, 1 + len(circle.rights)
        exponents = np.array((
            logs[0],
            constant_log - logs[0],
            np.where(right, logs[1:first].min(axis=0, initial=doubles.INFINITE), -FAR),
            np.where(left, logs[first:].min(axis=0, initial=doubles.INFINITE), -FAR),
        ))  # fmt: skip
        found = doubles.exp(np.clip(exponents, -FAR, doubles.INFINITE).ravel()).reshape(exponents.shape)
        constant = found[1] * (saddle.excess[:, 0] * rest)
        error = constant * (sizes[0] + saddle.excess_error[:, 0] + 32 * UNIT)
        missing = (found[2] + found[3]) * (1 + 3 * max(sizes)) + _left_out(area)
        return cls(found[0], found[0] * (logs[0] >= -FAR), sizes[0], missing * SPARE, constant, error * SPARE)


def _left_out(area: _Area) -> Reals:
    """Bound of the points left out of h, which is the larger one; relative to F."""
    circle, saddle = area.points.circle, area.points.saddle
    rises = rising(circle.points, circle.kept + 2)
    growth, start = first_left_out(rises, circle.points, circle.kept)
    spread = area.spread + saddle.spread_record * (1 - 1e-12)
    fade = float(doubles.exp(np.array([max(-spread * start, -FAR)]))[0]) * SPARE
    wide: Reals = saddle.wide[:, 0]
    return wide * (left_out(fade, spread * growth, circle) / (1 - saddle.r))


@dataclass(frozen=True, slots=True)
class _Exponents:
    """x g_j - u l_j, a row for each limit.

    Attributes:
        moves, logs: X g_j and -U l_j.
        sizes: the sum of their moduli, or more.
        growth: its exponential, or more.
        off: how far the exponent may be off.
        order: of its polynomials.
    """

    moves: Complexes
    logs: Complexes
    sizes: Reals
    growth: Reals
    off: Reals
    order: int

    @classmethod
    def of(cls, moves: Complexes, logs: Complexes, off: Reals) -> _Exponents:
        """With moduli and growth."""
        sizes = (modulus(moves) + modulus(logs)) * SPARE
        growth = doubles.exp(np.minimum(sizes, doubles.INFINITE).ravel()).reshape(sizes.shape) * SPARE
        order = _ORDER + _FURTHER * int(min(float(sizes[:, 0].max()), _FARTHEST))
        return cls(moves, logs, sizes, growth, off, order)

    def polynomial(self, terms: Complexes) -> Reals:
        """Re sum_j terms_j e^{x g_j - u l_j}: the coefficients of (x/X)^i (u/U)^l, a row of limits in each place."""
        powers = np.cumprod([np.ones_like(self.logs), *[self.logs] * self.order], axis=0).T
        found = np.zeros((self.order + 1, self.order + 1, len(terms)))
        for i in range(self.order + 1):
            for j, sums in enumerate((terms @ powers[:, : self.order + 1 - i]).real.T):
                found[i, j] = sums / (math.factorial(i) * math.factorial(j))
            terms = terms * self.moves
        return found

    def error(self, sizes: Reals) -> Reals:
        """Of the polynomial, for terms of at most such sizes: what it leaves out, and the rounding."""
        missing = np.multiply.reduce([self.sizes] * (self.order + 1)) / math.factorial(self.order + 1)
        rounded = 2 * np.where(self.off < 1, self.off, math.inf) + (_TERM + _NODE * sizes.shape[1])
        found: Reals = (sizes * self.growth * (missing + rounded)).sum(axis=1)
        return found


def _ends(area: _Area) -> tuple[Reals, Reals]:
    """Of each limit: below delta of m_0, and at or above that of all m."""
    points, front, turns, (terms, off) = area.points, _Front.of(area), area.turns(), area.terms()
    whole, centred = area.exponents()
    polynomials, errors, beyond = [], [], whole.growth[:, 0] * (1 + 2 * whole.off[:, 0]) * front.missing
    for at, first, second in ((whole, terms[0], terms[1]), (centred, terms[2], terms[3])):
        polynomials.append(at.polynomial((first + points.saddle.rise * second) * turns))
        rises, size = abs(points.saddle.rise[:, 0]), modulus(second)
        inexact = at.growth.max(axis=1) * (off * (1 + rises) + points.saddle.off[:, 0] * size.sum())
        errors.append((at.error(modulus(first) + rises[:, None] * size) + inexact + beyond) * SPARE)
        beyond = beyond * whole.growth[:, 0]  # d is told without the factor of j = 0
    (values, steps), error = polynomials, errors[0] + front.error
    values[0, 0] += front.constant

    upper = np.fmin(np.maximum((_largest(values) + error) * front.upper * (1 + front.exponent), LEAST), 1.0)
    before = np.cumprod([1.0, *[-1 / _REACH] * whole.order]) @ values[0]  # at t_0 - 1
    lower = (np.maximum(values[0, 0], before) - error) * front.lower * (1 - front.exponent)
    lower = np.where((lower >= LEAST) & (lower < 1.0), lower, 0.0)
    return lower, np.where(_falls(steps, errors[1]), upper, 1.0)


def _falls(steps: Reals, error: Reals) -> NDArray[np.bool_]:
    """Whether d is positive for u in [-U, 1 - U] and negative for u in [U - 1, U]: what its slope in u makes of it so
    far from 0 is more than all else.
    """
    rest = abs(steps).sum(axis=(0, 1)) - abs(steps[0, 1])
    found: NDArray[np.bool_] = -steps[0, 1] * ((_REACH - 1) / _REACH) > rest + error
    return found


def _largest(values: Reals) -> Reals:
    """At or above the polynomial where neither variable leaves [-1, 1]; by 4.5 for the terms in u alone."""
    linear, square, order = abs(values[0, 1]), values[0, 2], len(values) - 1
    inside = linear < -2 * square
    top = np.where(inside, linear * linear / np.where(inside, -4 * square, 1.0), linear + square)
    top = np.where(square < 0, top, linear + square)
    even = np.arange(order + 1) % 2 == 0  # such powers are never negative
    rest = np.where((even[:, None] & even)[..., None], np.maximum(values, 0.0), abs(values))
    rest[0, :3] = 0.0
    found: Reals = values[0, 0] + top + rest.sum(axis=(0, 1))
    return found
