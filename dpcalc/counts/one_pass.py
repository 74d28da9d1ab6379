r"""delta(eps) of every dataset in one pass: all compositions through one Fourier inversion, in doubles with counted errors.

Of N = ``others`` records beside the changed one, m hold 1; each is randomized k times. With G_m and K as in
``inversion`` (``envelope`` for all m at once, in balls), p = 1 - q, lambda >= 1,

    delta_m = max_t h_t,  h_t = [z^t] G_m(z) K(z) / (1 - z),  d_t = h_t - h_{t-1},
    G_m(z) = (q + p z)^{k m} (p + q z)^{k (N - m)},   K(z) = (p + q z)^k - lambda (q + p z)^k.

*Ranges.* For m_0 <= m <= m_1, delta_m is at most delta of the pool with m_0 ones and N - m_1 zeros: dropping reports is
post-processing. The tilt at which P_0 and lambda P_1 are equally likely depends on q, k and lambda only, so that all of
these pools share one circle |z| = r; log delta_m is nearly linear in m, so that ranges of geometric widths will do.

*Sum.* On the circle q + p z = (q + p r) (1 + mu g), mu = p r/(q + p r), and p + q z = (p + q r) (1 + nu g),
nu = q r/(p + q r), with g = e^{iu} - 1: for the pool with a and b reports of the two kinds

    h_t = G(r) (p + q r)^k r^{-t} / M sum_j P_j C_j + errors,   P_j = (1 + mu g_j)^a (1 + nu g_j)^b e^{-i t u_j},
    C_j = ((1 + nu g_j)^k - kappa (1 + mu g_j)^k) / (1 - z_j),   kappa = lambda ((q + p r)/(p + q r))^k,

one matrix product for all pools, and d_{t-1}, ..., d_{t+2} with it. d changes sign once, from + to -: where
d_{t-1} > 0 > d_{t+2} is proven, the largest of h_{t-1}, h_t, h_{t+1} is delta.

*Errors*, each relative to the factor in front of the sum, which is the exponential of a log that FLINT gave (``_Errors``):
aliases to the right and to the left and points left out as in ``inversion``; the roundings of P, of C, of the product
P C and of the exponential, each bounded beforehand. |P_j| <= e^{-V (1 - cos u_j)} with V = a mu (1 - mu) + b nu (1 - nu),
so that the errors of C count only where P is large.

r, the radii, M, the number of points kept, t and the ranges are chosen in floating point, which may only steer.
What is too flat, too steep or too faint to be served in about a millisecond is left to ``envelope``: the answer is None.

Source: MATH.md's facts 6 and 9 on post-processing and inversion; the count of all errors is in the proof notes, section
"One pass".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import arb, ctx, fmpq

from dpcalc.numbers.doubles import EXP, UNIT, Chords, Complexes, Integers, Powers, Reals, Split, exp, modulus, powers, roots, split

__all__ = ["Found", "singles", "worst"]

_PRECISION = 90
_LOST = UNIT * 1.001
_SHIFTS = np.array([0, -1, 0, 1, 2])  # h_t, then d_{t-1}, d_t, d_{t+1}, d_{t+2}
_MAX_ROWS = 6_000
_MAX_CELLS = 300_000  # rows times points, about 5 ms
_MAX_POINTS = 1 << 14
_MOVES = 8  # passes in which t moves by 2
_FAR = 690.0  # logs beyond it leave the range of doubles
_DECIDE = 1e-6  # relative width for a decision


@dataclass(frozen=True, slots=True)
class Found:
    """The largest delta over all compositions.

    Attributes:
        lower, upper: lower <= max_m delta_m <= upper.
        ones: an m with delta_m >= lower.
    """

    lower: Fraction
    upper: Fraction
    ones: int


def worst(
    q: Fraction,
    k: int,
    others: int,
    lam: tuple[Fraction, Fraction],
    *,
    rtol: float,
    target: Fraction | None = None,
) -> Found | None:
    """max_m delta_m to relative width ``rtol``; None where it is not served.

    Args:
        q: 0 < q < 1/2.
        k: reports of each record.
        others: N.
        lam: two ends around lambda >= 1, close enough for ``rtol``: a relative 1e-17 always is.
        rtol: relative width, from about 1e-9.
        target: decide only whether the maximum is at or below it: upper <= target, or lower > target.
    """
    saddle = _Saddle.of(q, k, others, lam)
    if saddle is None:
        return None
    try:
        return _search(saddle, rtol, None if target is None else _below(target))
    except _Unserved:
        return None


def singles(
    q: Fraction, k: int, others: int, lam: tuple[Fraction, Fraction], ms: Sequence[int], *, rtol: float = 1e-9
) -> list[tuple[Fraction, Fraction]] | None:
    """Enclosures of delta_m for some m: about ``rtol`` wide, or wider; None where none is served."""
    saddle = _Saddle.of(q, k, others, lam)
    if saddle is None:
        return None
    ones = np.array(ms, dtype=np.int64)
    try:
        lower, upper = saddle.deltas(ones, others - ones, rtol)
    except _Unserved:
        return None
    return [(Fraction(float(low)), Fraction(float(high))) for low, high in zip(lower, upper, strict=True)]


class _Unserved(Exception):
    """Beyond what is served here."""


def above_of(x: arb) -> float:
    """A double at or above a ball."""
    return math.nextafter(float(x.upper()), math.inf)


def _below(x: Fraction) -> float:
    found = float(x)
    return found if found <= x else math.nextafter(found, 0.0)


def _search(saddle: _Saddle, rtol: float, target: float | None) -> Found | None:
    """Bound all ranges, split those that may exceed the best."""
    low, high = saddle.ranges(rtol if target is None else _DECIDE)
    best, ones, ceiling, rows = -1.0, 0, 0.0, 0
    while True:
        rows += len(low)
        if rows > _MAX_ROWS:
            return None
        lower, upper = saddle.deltas(low, saddle.others - high, rtol if target is None else _DECIDE)
        single = low == high
        if single.any():
            i = int(np.where(single, lower, -1.0).argmax())
            if lower[i] > best:
                best, ones = float(lower[i]), int(low[i])
        if target is not None and best > target:
            return Found(Fraction(best), Fraction(1), ones)
        level = target if target is not None else best * (1 + rtol)
        failed = upper > level
        if (failed & single).any():
            return None
        ceiling = max(ceiling, float(upper.max(initial=0.0, where=~failed)))
        if not failed.any():
            return Found(Fraction(max(best, 0.0)), Fraction(max(ceiling, best)), ones)
        low, high = _quarters(low[failed], high[failed])


def _quarters(low: Integers, high: Integers) -> tuple[Integers, Integers]:
    width = np.maximum(1, (high - low + 4) // 4)
    starts = np.concatenate([low + i * width for i in range(4)])
    ends = np.minimum(starts + np.tile(width, 4) - 1, np.tile(high, 4))
    some = starts <= ends
    return starts[some], ends[some]


@dataclass(frozen=True, slots=True)
class _Circle:
    """M, the points kept (j < kept and their conjugates), and the radii s < r and R >= 1 tried for aliases."""

    points: int
    kept: int
    lefts: tuple[float, ...]
    rights: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class _Saddle:
    """What q, k, lambda and r determine.

    Attributes:
        r: the radius, a double below 1.
        mu, nu: the tilted probabilities of a one under a 1 and under a 0; spread_mu = mu (1 - mu), spread_nu likewise.
        logs: log(q + p r), log(p + q r), log r, each to a relative 1.001 u.
        kappa, kappa_error: and how far it may be off, lambda's own width included.
        excess, excess_error: lambda - 1, and how far it may be off, relative to it.
        flips, limit: q, 1 - q and lambda as balls.
    """

    k: int
    others: int
    r: float
    mu: Split
    nu: Split
    spread_mu: float
    spread_nu: float
    logs: tuple[float, float, float]
    kappa: float
    kappa_error: float
    excess: float
    excess_error: float
    flips: tuple[arb, arb]
    limit: arb

    @classmethod
    def of(cls, q: Fraction, k: int, others: int, lam: tuple[Fraction, Fraction]) -> _Saddle | None:
        """The saddle at the root r of K, kept about one standard deviation below 1; None beyond the local epsilon."""
        u, whole = q.numerator, q.denominator
        v = whole - u
        noise, stay = u / whole, v / whole
        gap = float(lam[1] - 1)
        if not 1e-300 < noise or lam[0] < 1 or gap > 1e100 or k * others >= 1 << 40:
            return None
        rise = math.expm1(math.log1p(gap) / k)
        y = 1.0
        if rise > 0:
            ratio = (v - u) / whole / rise
            if ratio - noise <= 0:
                return None
            y = (ratio - noise) / (ratio + stay)
        if y < 1e-60:
            return None
        reports = k * (others + 1)
        mean = max(noise * y / (stay + noise * y), 1e-300)
        variance = reports * max(mean * (1 - mean), noise * stay * y / (noise + stay * y) ** 2)
        r = min(y, math.exp(-1 / math.sqrt(variance + 2)))
        above, below = r.as_integer_ratio()
        one_one, one_zero = v * above, u * below  # q + p r over D 2^s
        zero_one, zero_zero = u * above, v * below
        one, zero = one_one + one_zero, zero_one + zero_zero
        with ctx.workprec(_PRECISION):
            likely, unlikely = arb(fmpq(one, whole * below)), arb(fmpq(zero, whole * below))
            logs = float(likely.log()), float(unlikely.log()), float(arb(r).log())
            power = (likely / unlikely) ** k
            low, high = (arb(fmpq(x.numerator, x.denominator)) for x in lam)
            limit = low.union(high)
            kappa = float(limit.mid() * power.mid())
            off = above_of(abs(limit * power - arb(kappa)))
            flips = arb(fmpq(u, whole)), arb(fmpq(v, whole))
        return cls(
            k, others, r, split(one_one, one), split(zero_one, zero),
            (one_one / one) * (one_zero / one), (zero_one / zero) * (zero_zero / zero),
            logs, kappa, off, gap, float((lam[1] - lam[0]) / (lam[1] - 1 or 1)) + 4 * UNIT, flips, limit,
        )  # fmt: skip

    def deltas(self, ones: Integers, zeros: Integers, rtol: float) -> tuple[Reals, Reals]:
        """Enclosures of delta of the pools with so many ones and zeros; those not settled have the upper end 1."""
        k = self.k
        a, b = k * ones, k * zeros
        last = a + b + k - 1
        record = 0.5 * k * (self.mu.head + self.nu.head)
        t = np.floor(a * self.mu.head + b * self.nu.head + record).astype(np.int64)
        t = np.minimum(np.maximum(t, 0), last)
        circle = self.circle(a, b, t, rtol)
        lower, upper, move = self.evaluate(a, b, t, circle)
        for _ in range(_MOVES):
            moved = np.nonzero(move)[0]
            if not moved.size:
                break
            t[moved] = np.minimum(np.maximum(t[moved] + move[moved], 0), last[moved])
            lower[moved], upper[moved], move[moved] = self.evaluate(a[moved], b[moved], t[moved], circle)
        return lower, upper

    def evaluate(self, a: Integers, b: Integers, t: Integers, circle: _Circle) -> tuple[Reals, Reals, Integers]:
        """Lower and upper ends with this t, and by how much t should move where its place is proven wrong."""
        errors = _Errors.of(self, a, b, t, circle)
        sums, (front, least) = errors.sums, errors.front
        h, d_before, d_here, d_after, d_beyond = sums.T
        e_h, e_before, e_here, e_after, e_beyond = errors.total.T

        gain = np.maximum(np.maximum(d_after + e_after, e_here - d_here), 0.0)
        sure = np.maximum(np.maximum(d_after - e_after, -e_here - d_here), 0.0)
        upper, lower = h + e_h + gain, h - e_h + sure
        slack = 8 * UNIT * (np.abs(h) + e_h + gain)
        upper = np.minimum(np.maximum(upper + slack, 0.0) * front * (1 + errors.exponent), 1.0)
        lower = np.maximum((lower - slack) * least * (1 - errors.exponent), 0.0)
        degree = a + b + self.k
        rises, falls = (d_before > e_before) | (t <= 1), (d_beyond < -e_beyond) | (t + 2 >= degree)
        upper[~(rises & falls) | ~np.isfinite(upper)] = 1.0
        lower[~np.isfinite(lower)] = 0.0
        move = 2 * (d_beyond > e_beyond).astype(np.int64) - 2 * (d_before < -e_before).astype(np.int64)
        move[(t <= 1) & (move < 0)] = 0
        move[(t + 2 >= degree) & (move > 0)] = 0
        return lower, upper, move

    # --- steering ---------------------------------------------------------------------------------------------

    def circle(self, a: Integers, b: Integers, t: Integers, rtol: float) -> _Circle:
        """Truncation errors of about rtol relative to the smallest of the deltas, seen as a Gaussian's."""
        k, mu, nu = self.k, self.mu.head, self.nu.head
        spread = a * self.spread_mu + b * self.spread_nu + k * min(self.spread_mu, self.spread_nu)
        least, most = float(spread.min()), float(spread.max())
        drop = 1 - self.r
        slope = k * abs(self.kappa * mu - nu) + 1e-300
        value = slope / (2.5 * math.sqrt(most + 0.1) * ((most + 0.3) * drop * drop + 1.5))
        nats = max(4.0, math.log(2 * (1 + self.kappa) / (drop * min(value, 1.0) * rtol))) + 2
        points = _grid(math.ceil(1.02 * math.sqrt(2 * nats * most) + nats / 8))
        picks = sorted({int(a.argmax()), int(b.argmax()), int(t.argmax()), int(t.argmin())})
        rows = [(float(a[i]), float(b[i]), float(t[i])) for i in picks]
        degree = int((a + b).max()) + k
        while True:
            lefts, rights, wrapped = [], [], 0.0
            for x, y, s in rows:
                if points <= s + 2:
                    side = min(self._toward(x, y, max(s - points, 0.5)), -1e-3)
                    lefts.append(self.r * math.exp(side))
                    wrapped = max(wrapped, self._exponent(x, y, s, side) + points * side + nats)
                if s - 1 + points <= x + y + k:
                    side = self._toward(x, y, min(s + points, x + y - 0.5))
                    side = max(side, -self.logs[2])
                    rights.append(max(self.r * math.exp(side), 1.0))
                    wrapped = max(wrapped, self._exponent(x, y, s, side) - points * side + nats)
            if wrapped <= 0 or points > degree + 2:
                break
            points = _grid(points + max(1, points // 16))
            if points > _MAX_POINTS:
                raise _Unserved
        kept = points // 2 + 1
        if 2 * least > nats:
            kept = min(kept, math.ceil(points * math.asin(math.sqrt(nats / (2 * least))) / math.pi) + 1)
        if kept * len(a) > _MAX_CELLS:
            raise _Unserved
        return _Circle(points, kept, tuple(sorted(set(lefts))) or (self.r / 2,), tuple(sorted(set(rights))) or (2.0,))

    def _exponent(self, a: float, b: float, t: float, side: float) -> float:
        """Log of G(R) R^-t over its value at r, R = r e^side."""
        rise = math.expm1(side)
        return a * math.log1p(self.mu.head * rise) + b * math.log1p(self.nu.head * rise) - t * side

    def _toward(self, a: float, b: float, t: float) -> float:
        """The side at which the tilted mean is about t."""
        mu, nu, half = self.mu.head, self.nu.head, 0.5 * self.k
        side = 0.0
        for _ in range(12):
            grown = math.exp(side)
            one, zero = mu * grown / (1 - mu + mu * grown), nu * grown / (1 - nu + nu * grown)
            gap = (a + half) * one + (b + half) * zero - t
            slope = (a + half) * one * (1 - one) + (b + half) * zero * (1 - zero)
            step = max(-1.0, min(1.0, gap / max(slope, 1e-300)))
            side -= step
            if abs(step) < 0.03 * abs(side) or abs(side) > 200:
                break
        return side

    def ranges(self, rtol: float) -> tuple[Integers, Integers]:
        """Ranges of m whose bound by the smaller pool should do, by the saddle point's rate for each kind of record."""
        n, k = self.others, self.k
        theta = self.logs[2]
        one = k * (self.logs[0] - theta * self.mu.head)  # log of what one record more does to delta
        zero = k * (self.logs[1] - theta * self.nu.head)
        flip = one > zero
        gain, loss = abs(one - zero), -max(one, zero)
        ripple = min(1.0, theta * theta) / 8
        if loss <= 0:
            raise _Unserved
        ratio = min(0.75 * gain / loss, 1.0)
        start = 0.75 * (rtol - ripple) / loss
        if ratio <= 0:
            raise _Unserved
        single = min(n + 1, max(1, math.ceil((1 - start) / ratio)))
        if single > _MAX_ROWS:
            raise _Unserved
        first = np.arange(single)
        last = first
        if single <= n:
            offset = start / ratio
            count = int(math.log((n + 2 + offset) / (single + offset)) / math.log1p(ratio)) + 3
            if count > _MAX_ROWS:
                raise _Unserved
            edges = np.floor((single + offset) * (1 + ratio) ** np.arange(count) - offset + 1e-9).astype(np.int64)
            edges[0] = single
            edges = np.unique(edges[(edges <= n) & (edges >= single)])
            last = np.concatenate((first, edges[1:] - 1, [n]))
            first = np.concatenate((first, edges))
        return (n - last, n - first) if flip else (first, last)


@dataclass(frozen=True, slots=True)
class _Errors:
    """The sums of all pools and the bounds of their errors, relative to the factor in front.

    Attributes:
        sums: h_t, d_{t-1}, d_t, d_{t+1}, d_{t+2}, one row for each pool.
        total: their errors.
        front: that factor, from above and from below (0 where it is below the range of doubles), and
        exponent: its relative error.
    """

    sums: Reals
    total: Reals
    front: tuple[Reals, Reals]
    exponent: float

    @classmethod
    def of(cls, saddle: _Saddle, a: Integers, b: Integers, t: Integers, circle: _Circle) -> _Errors:
        """All of them for one t in each pool."""
        bits = max(int(a.max()), int(b.max()), saddle.k).bit_length()
        chords = Chords.of(circle.points, circle.kept)
        bases = powers(saddle.mu, saddle.nu, chords, bits)
        columns = _Columns.of(saddle, bases, circle, chords)

        grown = bases.power((a, b))
        turns = roots(circle.points)
        grown *= turns.take((t % circle.points)[:, None] * np.arange(circle.kept) % circle.points)
        values = columns.values
        weights = np.stack((values.real, -values.imag), axis=-1).reshape(len(_SHIFTS), -1)
        sums = grown.view(np.float64) @ weights.T

        spread = float((a * saddle.spread_mu + b * saddle.spread_nu).min()) * (1 - 1e-12)
        fade = exp(np.maximum(spread * (chords.head[0] + chords.rest[0]), -700.0)) * (1 + 1e-9)
        rounding = rounded(bases, columns, fade, 2 * bits, circle.kept)
        missing = left_out(spread + saddle.k * min(saddle.spread_mu, saddle.spread_nu) * (1 - 1e-12), circle)
        every = (rounding + missing * (1 + saddle.kappa + saddle.kappa_error) * columns.largest) * (1 + 1e-9)

        front, exponent, total = _front(saddle, a, b, t, circle, sums, every)
        return cls(sums, total, front, exponent)


@dataclass(frozen=True, slots=True)
class _Columns:
    """The weights C_j of h_t, d_{t-1}, ..., d_{t+2}, one row for each.

    Attributes:
        values: weights, 1/M or 2/M for a pair of conjugate points included.
        errors: bounds of how far they are off.
        largest: the largest |1/(1 - z)| or |z^-i| on the circle.
    """

    values: Complexes
    errors: Reals
    largest: Reals

    @classmethod
    def of(cls, saddle: _Saddle, bases: Powers, circle: _Circle, chords: Chords) -> _Columns:
        """From the squares of the bases."""
        k, r, points, kept = saddle.k, saddle.r, circle.points, circle.kept
        record = np.ones((2, kept), complex)
        for i in range(k.bit_length()):
            if k >> i & 1:
                record *= bases.squares[i]
        kernel = record[1] - saddle.kappa * record[0]
        wide = 1 + saddle.kappa
        off = wide * (bases.count(k.bit_length()) + bases.absolute + 3 * UNIT) + saddle.kappa_error

        share = np.full(kept, 2.0 / points)
        share[0] = 1.0 / points
        if 2 * (kept - 1) == points:
            share[-1] = 1.0 / points
        # 1 - z = (1 - r) - r g
        g = chords.head + chords.rest
        real, imaginary = (1 - r) - r * g[0], r * g[1]
        square = real * real + imaginary * imaginary
        factors = np.empty((len(_SHIFTS), kept), complex)
        factors.real[0], factors.imag[0] = real / square, imaginary / square
        turn = roots(points)[:kept]
        factors[1] = r * turn.conj()
        factors[2] = 1.0
        factors[3] = turn / r
        factors[4] = turn * turn / (r * r)
        factors *= share
        size = modulus(factors)
        values = factors * kernel
        largest = np.array([1 / (1 - r), r, 1.0, 1 / r, 1 / (r * r)])
        return cls(values, 24 * UNIT * modulus(values) + size * off, largest * (1 + 4 * UNIT))


def rounded(bases: Powers, columns: _Columns, fade: Reals, factors: int, kept: int) -> Reals:
    """Rounding errors of the sums: of P, of C, and of the real sum of their 2 kept products."""
    size = modulus(columns.values)
    relative = bases.count(factors) + (2 * kept + 2) * UNIT
    found: Reals = (size * relative + columns.errors) @ fade * (1 + 1e-9) + bases.absolute * size.sum(axis=1)
    return found


def left_out(spread: float, circle: _Circle) -> float:
    """Bound of 1/M times the sum of |P_j| over the points left out, those of the record included."""
    points, first = circle.points, circle.kept
    if 2 * first > points:
        return 0.0
    chords = Chords.of(points, min(first + 2, points // 2 + 1))
    rise = -(chords.head[0] + chords.rest[0])  # 1 - cos u
    here = float(rise[first])
    step = 2.0
    if 2 * first < points:
        step = min(float(rise[first + 1]) - here, (2 - here) / (points / 2 - first)) * (1 - 1e-9)
    if step <= 0:
        return math.inf
    fade = float(exp(np.array(max(-spread * here, -700.0))))
    return 2 / points * fade * (1 + 1 / (spread * step + 1e-300)) * (1 + 1e-9)


def _front(
    saddle: _Saddle, a: Integers, b: Integers, t: Integers, circle: _Circle, sums: Reals, every: Reals
) -> tuple[tuple[Reals, Reals], float, Reals]:
    """The factor in front, and the aliases relative to it; the constant one is subtracted from h."""
    points, degree = circle.points, a + b + saddle.k
    rights = [_radius(saddle, radius, points) for radius in circle.rights]
    lefts = [_radius(saddle, radius, points) for radius in circle.lefts]
    forms = np.array([(*saddle.logs, saddle.k * saddle.logs[1]), *rights, *lefts])
    terms = np.stack((a, b, -t, np.ones_like(t)), axis=-1).astype(float)
    exponents = terms @ forms.T
    size = float((np.abs(terms).max(axis=0) @ np.abs(forms).T).max()) + points * abs(saddle.logs[2])
    exponent = 8 * UNIT * (size + 1) + EXP + 8 * UNIT

    cut = 1 + len(rights)
    stack = np.empty((4, len(a)))
    stack[0] = exponents[:, 0]
    stack[1] = exponents[:, 1:cut].min(axis=1)
    stack[2] = exponents[:, cut:].min(axis=1)
    stack[3] = points * saddle.logs[2] - stack[0]
    grown = exp(np.minimum(np.maximum(stack, -_FAR), _FAR))
    grown[stack > _FAR] = np.inf
    upper, right, left, constant = grown
    lower = np.where(stack[0] < -_FAR, 0.0, upper)

    with ctx.workprec(_PRECISION):
        constant = constant * (saddle.excess / float(1 - arb(saddle.r) ** points))
    sums[:, 0] += constant
    aliases = np.where(t - 1 + points <= degree, right, 0.0) + np.where(t + 2 >= points, left, 0.0)
    total = every + (aliases * (1 + exponent) ** 2)[:, None]
    total[:, 0] += constant * (exponent + saddle.excess_error)
    return (upper, lower), exponent, total


def _radius(saddle: _Saddle, radius: float, points: int) -> tuple[float, float, float, float]:
    """log(A(R)/A(r)), log(B(R)/B(r)) and log(R/r), A = q + p z, B = p + q z, and that of what else bounds aliases.

    That is |K|(R) / B(r)^k x/(1 - x), x = (r/R)^M or (R/r)^M, times R or R^-2 for the farthest of d_{t-1}, ..., d_{t+2}.
    """
    k, r = saddle.k, saddle.r
    with ctx.workprec(_PRECISION):
        q, p = saddle.flips
        at, over = arb(radius), arb(radius) / r
        one, zero, before = q + p * at, p + q * at, p + q * r
        x = (over if radius < r else 1 / over) ** points
        wide = (zero / before) ** k + saddle.limit * (one / before) ** k
        rest = wide * x / (1 - x) * (at if radius > r else 1 / (at * at))
        logs = (one / (q + p * r)).log(), (zero / before).log(), over.log()
        return float(logs[0]), float(logs[1]), float(logs[2]), above_of(rest.log())


def _grid(points: int) -> int:
    """The next c 2^i, c = 8, ..., 15, that is a multiple of 8: few tables of roots serve all questions."""
    step = max(8, 1 << max(0, (points - 1).bit_length() - 4))
    return -(-points // step) * step
