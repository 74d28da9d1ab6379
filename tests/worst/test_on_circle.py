"""Pools one by one on a circle: against exact rationals, and each term of the bound where it is the largest."""

import math
import random
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from dpcalc.numbers.elementary import exp
from dpcalc.numbers.rounding import UNIT
from dpcalc.worst import in_arrays, on_circle, one_by_one
from dpcalc.worst.circle import Circle, CommonTilt, TooMany
from dpcalc.worst.on_circle import MOVES, Shared
from dpcalc.worst.one_by_one import flat
from tests.oracles.pools import pool, truth
from tests.worst import in_lists
from tests.worst.chances import flipping, worst

Q, LAM = Fraction(1, 4), Fraction(5, 4)
ROWS = [(0, 40, 8), (10, 30, 12), (3, 20, 5)]
WHOLE = Circle(64, 33, (0.01,), (2.0,))
COARSE = 1e-9  # an error that stands for a rounding error: it outweighs all the others


def shared(saddle, circle, rows, **more):
    spread = min(a * saddle.spread_mu + b * saddle.spread_nu for a, b, _ in rows)
    most, farthest = max(max(a, b) for a, b, _ in rows), max(t for _, _, t in rows) + 2 * MOVES
    return Shared.of(saddle, circle, most, farthest, spread, **more)


def tables(saddle, circle, rows):
    return flat(saddle, shared(saddle, circle, rows))


def excesses(circle=WHOLE, rows=ROWS, *, q=Q, k=1, lam=LAM, saddle=None, on=None):
    """(error, bound) of F and of every sum, relative to F."""
    saddle = saddle or CommonTilt.of(flipping(q), k, 100, (lam, lam))
    on, r, p, pairs = on or tables(saddle, circle, rows), Fraction(saddle.r), 1 - q, []
    for a, b, t in rows:
        values, errors, least, most = in_lists.sums_of(in_lists.Tables(on), a, b, t)
        front = (q + p * r) ** a * (p + q * r) ** (b + k) / r**t
        pairs += [(abs(end / front - 1), Fraction(on[-1][6])) for end in map(Fraction, (least, most)) if end]
        for value, error, exact in zip(values, errors, truth(q, k, a, b, lam, t), strict=True):
            if math.isfinite(error):
                pairs.append((abs(Fraction(value) - exact / front), Fraction(error)))
    return pairs


def held(*args, **kwargs):
    return all(error <= bound for error, bound in excesses(*args, **kwargs))


def outweighs(size, *args, **kwargs):
    """Whether all is held, and some error is so large that only its own term of the bound can hold it."""
    return held(*args, **kwargs) and max(error for error, _ in excesses(*args, **kwargs)) > size


def delta_of(q, k, a, b, lam):
    return sum(max(0, d) for d in pool(q, k, a, b, lam))


@pytest.mark.parametrize(
    ("n", "q", "k", "epsilon"),
    [(10**5, "0.0067", 1, "0.15"), (10**4, "0.1", 3, "0.17"), (10**6, "0.01", 1, "0.0485"), (3, "0.49", 1, "0.01")],
)
def test_arrays_agree(n, q, k, epsilon):
    lam, rtol = exp(Fraction(epsilon)), 1e-7
    ours, theirs = (
        worst(flipping(Fraction(q)), k, n - 1, (lam.lower, lam.upper), rtol=rtol, pools=pools)
        for pools in (one_by_one, in_arrays)
    )
    assert ours
    assert ours.lower <= theirs.upper
    assert theirs.lower <= ours.upper <= ours.lower * (1 + Fraction(rtol) * 2)


@pytest.mark.parametrize("seed", range(40))
def test_any_circle_any_radius_and_any_t_hold_the_truth(seed):
    draw = random.Random(seed)
    q, k, lam = Fraction(draw.randint(1, 49), 100), draw.choice([1, 1, 2, 4]), Fraction(draw.randint(100, 300), 100)
    saddle = CommonTilt.of(flipping(q), k, draw.choice([10, 100]), (lam, lam))
    if saddle is None:
        return
    counts = [tuple(draw.choice([0, 1, 2, 7, 20, 40]) for _ in range(2)) for _ in range(3)]
    rows = [(a, b, draw.randrange(a + b + k)) for a, b in counts]
    points = draw.choice([8, 16, 24, 40, 64, 128])
    lefts = tuple(saddle.r * draw.choice([0.999999, draw.random(), 1e-9]) for _ in range(draw.randint(1, 2)))
    rights = tuple(draw.choice([1.0, 1 + draw.random(), 1e9]) for _ in range(draw.randint(1, 2)))
    kept = draw.choice([points // 2 + 1, points // 2, draw.randint(1, points // 2 + 1)])
    circle = Circle(points, kept, lefts, rights)
    assert held(circle, rows, q=q, k=k, lam=lam, saddle=saddle)
    for (a, b, _), (low, high) in zip(rows, in_lists.deltas(tables(saddle, circle, rows), rows), strict=True):
        assert low <= delta_of(q, k, a, b, lam) <= high


def test_a_place_that_is_wrong_moves_until_it_is_right():
    saddle = CommonTilt.of(flipping(Q), 1, 100, (LAM, LAM))
    right = max(i for i, d in enumerate(pool(Q, 1, 0, 40, LAM)) if d > 0)
    on, exact = tables(saddle, WHOLE, [(0, 40, 20)]), delta_of(Q, 1, 0, 40, LAM)
    for t in range(right - 9, right + 10):
        ((low, high),) = in_lists.deltas(on, [(0, 40, t)])
        assert low <= exact <= high < float(exact) * (1 + 1e-9)
        low, high, move = in_lists.ends(in_lists.sums_of(in_lists.Tables(on), 0, 40, t), on[-1][6], t, 40)
        assert (move == 0) == (high < 1)
        assert move * (right - t) >= 0


def test_too_many_points_are_refused():
    with pytest.raises(TooMany):
        Circle.serving(CommonTilt.of(flipping(Q), 1, 10**6, (LAM, LAM)), [(0.0, 1e6, 3e5)], (9.0, 2e5), 1e-9, 5)
    assert worst(flipping(Q), 1, 10**6 - 1, (Fraction(1), Fraction(1)), rtol=1e-9, pools=one_by_one) is None


@pytest.mark.soak
def test_the_bound_is_at_most_a_thousand_times_the_largest_error():
    draw, ratios, fine = random.Random(3), [], Circle(128, 65, (0.01,), (2.0,))  # more points than the degree
    for _ in range(10):
        q, lam = Fraction(draw.randint(5, 45), 100), Fraction(draw.randint(101, 200), 100)
        rows = [(x, 90 - x, max(0, round(0.8 * (90 * float(q) + x * float(1 - 2 * q))))) for x in (0, 7, 30)]
        ratios += [error / bound for error, bound in excesses(fine, rows, q=q, lam=lam)] if lam < (1 - q) / q else []
    assert len(ratios) > 100
    assert Fraction(1, 1000) < max(ratios) <= 1


# --- each term of the bound -------------------------------------------------------------------------------------


@pytest.mark.parametrize("t", [20, 8], ids=["left", "right"])
def test_aliases(t):
    assert outweighs(1e-6, Circle(16, 9, (0.4,), (1.0,)), [(10, 30, t)])


def test_the_constant_alias():
    rows, saddle, circle = [(0, 12, 11)], CommonTilt.of(flipping(Q), 1, 100, (LAM, LAM)), Circle(16, 9, (0.01,), (2.0,))
    assert held(circle, rows, saddle=saddle)
    assert not held(circle, rows, saddle=replace(saddle, excess=0.0))
    off = replace(saddle, excess=saddle.excess * (1 + COARSE))
    assert held(circle, rows, saddle=replace(off, excess_error=COARSE))
    assert not held(circle, rows, saddle=off)


@pytest.mark.parametrize("kept", [1, 3, 6, 20, 31, 32])
def test_points_left_out(kept):
    assert outweighs(1e-12, Circle(64, kept, (0.01,), (2.0,)), [(0, 2, 0), (1, 2, 1)] if kept > 6 else ROWS)


def test_points_left_out_beside_1():
    """h_t divides by 1 - z, which is small where r is next to 1: only the points next to z = 1 come near its bound."""
    lam, circle, row = Fraction(50), Circle(16, 1, (0.2,), (4.0,)), (0, 30, 10)
    saddle = CommonTilt.near(0.9, flipping(Q), 1, 10**6, (lam, lam))
    (value, *_), (bound, *_), *_ = in_lists.sums_of(in_lists.Tables(tables(saddle, circle, [row])), *row)
    front = (1 - Q + Q * Fraction(saddle.r)) ** 31 / Fraction(saddle.r) ** 10
    assert bound / 8 < abs(Fraction(value) - truth(Q, 1, 0, 30, lam, 10)[0] / front) <= bound


def errors(saddle, rounded):
    """Those of the rows, of numbers rounded so coarsely."""
    return on_circle._errors(saddle, WHOLE, on_circle._weights(saddle, WHOLE), 12, 0.0, rounded)


@pytest.mark.parametrize("table", ["squares", "roots", "first", "second"])
def test_rounding_of_tables(table):
    saddle, rows, off = CommonTilt.near(0.9, flipping(Q), 1, 100, (LAM, LAM)), [(31, 31, 28)], 1 + 0.9 * COARSE
    one = shared(saddle, WHOLE, rows)
    right = getattr(one, table)
    wrong = replace(
        one, **{table: [z * off for z in right] if table == "roots" else [[z * off for z in row] for row in right]}
    )
    assert held(WHOLE, rows, saddle=saddle, on=flat(saddle, replace(wrong, errors=errors(saddle, COARSE))))
    assert not held(WHOLE, rows, saddle=saddle, on=flat(saddle, wrong))


def test_every_number_of_the_tables_may_be_off():
    """A term of the sum is a product of 12 squares, a root and a weight."""
    saddle = CommonTilt.of(flipping(Q), 1, 100, (LAM, LAM))
    for place, rows in enumerate(on_circle._weights(saddle, WHOLE)[:2]):
        for row, exact, coarse in zip(rows, errors(saddle, 0.0), errors(saddle, COARSE), strict=True):
            assert coarse[place] - exact[place] >= 14 * COARSE * sum(abs(z.real) + abs(z.imag) for z in row)


@pytest.mark.parametrize("sign", [-1, 1])
def test_the_width_of_lambda(sign):
    wide = CommonTilt.of(flipping(Q), 1, 100, (LAM * (1 - Fraction(1, 10**9)), LAM * (1 + Fraction(1, 10**9))))
    assert outweighs(1e-10, saddle=wide, lam=LAM * (1 + sign * Fraction(9, 10**10)))
    middle = replace(wide, rise=wide.rise + 0.9 * sign * wide.off)
    assert held(saddle=middle)
    assert not held(saddle=replace(middle, off=0.0))


def test_aliases_all_covered_by_a_radius_below_1():
    """The constant one among them, also of a pool whose counts end before they wrap."""
    circle = Circle(16, 9, (0.01,), (0.9,))
    assert outweighs(1e-4, circle, [(30, 10, 20)])
    assert outweighs(1e-5, circle, [(0, 6, 2)])


def test_aliases_of_the_farthest_column():
    """d_{t+2} needs s^{-(t+2)}, not s^{-t}."""
    assert outweighs(0.1, Circle(8, 5, (1e-6,), (1.0,)), [(0, 7, 6)])


@pytest.mark.parametrize("seed", range(8))
def test_the_sums_in_arrays_are_those_in_lists(seed):
    """At some limits; also where records that hold 1 mostly send 1, which arrays make use of."""
    draw = random.Random(seed)
    q, k, given = Fraction(draw.randint(1, 49), 100), draw.choice([1, 1, 2, 4]), []
    lams = sorted(Fraction(draw.randint(100, 300), 100) for _ in range(3))
    near = CommonTilt.near(draw.choice([1.0, draw.random()]), flipping(q), k, 100, (lams[0], lams[0]))
    if near is None:
        return
    for _ in range(5):
        a, b = (draw.choice([0, 1, 2, 7, 20, 40]) for _ in range(2))
        given.append((a, b, draw.randrange(a + b + k)))
    points = draw.choice([8, 16, 24, 40, 64, 128])
    rights = (draw.choice([1.0, 1 + draw.random(), near.r + (1 - near.r) * 0.9]),)
    circle = Circle(points, draw.randint(1, points // 2 + 1), (near.r * draw.random(),), rights)
    saddles = [near.under((lam, lam), (0.5, 0.5)) for lam in lams]
    one = shared(saddles[-1], circle, given)
    a, b, t = (np.array(column) for column in zip(*given, strict=True))
    less = shared(saddles[-1], circle, given, less_ones=near.mostly_ones)
    with np.errstate(all="ignore"):
        found = in_arrays.sums(less, saddles, a, b, np.array([t] * 3))
    for i, saddle in enumerate(saddles):
        for j, row in enumerate(given):
            values, errors, least, most = in_lists.sums_of(in_lists.Tables(flat(saddle, one)), *row)
            assert found.upper[i, j] == pytest.approx(most)
            assert found.lower[i, j] == pytest.approx(least)
            for e, (value, error, exact) in enumerate(
                zip(values, errors, truth(q, k, *row[:2], lams[i], row[2]), strict=True)
            ):
                front = (q + (1 - q) * Fraction(near.r)) ** row[0] * (1 - q + q * Fraction(near.r)) ** (row[1] + k)
                ours, off = Fraction(found.values[e, i, j]), found.errors[e, i, j]
                assert off == pytest.approx(error, rel=0.1)
                if math.isfinite(off):
                    assert abs(ours - exact * Fraction(near.r) ** row[2] / front) <= Fraction(off)
                    assert ours == pytest.approx(value, abs=2 * off)


def test_a_factor_beyond_doubles_proves_nothing():
    sums = [0.5, 1.0, 0.1, -0.1, -1.0], [0.0] * 5, math.inf, math.inf
    assert in_lists.ends(sums, 0.0, 5, 10) == (0.0, 1.0, 0)


@pytest.mark.parametrize("q", ["1/3", "0.0000001"])
def test_squares_are_rounded_once(q):
    """The largest power multiplies what the base is off by 2^39."""
    q, lam = Fraction(q), Fraction(101, 100)
    saddle, circle = CommonTilt.of(flipping(q), 1, 1 << 39, (lam, lam)), Circle(1 << 14, 3, (0.5,), (2.0,))
    squares = on_circle._squares(saddle, circle, 40)
    with mpmath.workdps(120):
        for j in range(circle.kept):
            r, turn = mpmath.mpf(saddle.r), mpmath.expjpi(mpmath.mpf(2 * j) / circle.points)
            for a, place in ((1 - q, j), (q, circle.kept + j)):
                a = mpmath.mpf(a.numerator) / a.denominator
                power = (1 - a + a * r * turn) / (1 - a + a * r)
                for row in squares:
                    assert abs(mpmath.mpc(row[place]) - power) <= 1.02 * UNIT * abs(power) + mpmath.mpf(2) ** -110
                    power *= power


@pytest.mark.parametrize("points", [8, 16, 24, 72, 120, 1024])
def test_roots_of_unity(points):
    found = on_circle.roots(points)
    assert len(found) == points
    with mpmath.workdps(40):
        for j, z in enumerate(found):
            true = mpmath.expjpi(mpmath.mpf(-2 * j) / points)
            for ours, part in ((z.real, true.real), (z.imag, true.imag)):
                assert abs(ours - part) <= 1.01 * UNIT * abs(part) + mpmath.mpf(10) ** -38
