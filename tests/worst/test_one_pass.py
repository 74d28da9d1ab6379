"""The one pass over all compositions: against exact rationals, against balls, and each term of its bound."""

import math
import random
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from flint import arb

import dpcalc as dp
from dpcalc.families.bits import Bits
from dpcalc.numbers.ball import working_precision
from dpcalc.numbers.elementary import exp
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.rounding import UNIT
from dpcalc.worst import in_arrays, on_circle, one_by_one, one_pass
from dpcalc.worst.circle import PRECISION, Circle, CommonTilt, TooMany, log_of, root, tilted
from dpcalc.worst.in_arrays import Sums, sums
from dpcalc.worst.on_circle import LAST, Shared
from dpcalc.worst.one_pass import together
from tests.oracles.pools import pool, truth
from tests.oracles.scan import deltas
from tests.worst import in_lists
from tests.worst.chances import any_chances, asymmetric_deltas, flipping, singles, worst
from tests.worst.test_on_circle import COARSE, LAM, ROWS, WHOLE, Q

ONE = Fraction(1)


def question(seed, most):
    """q, k, n, lambda: easy ones, and those next to every end."""
    draw = random.Random(seed)
    while True:
        k = draw.choice([1, 1, 2, 3, 5])
        n = draw.randint(1, max(1, most // k))
        q = draw.choice(
            [
                Fraction(draw.randint(1, 49), 100), Fraction(1, draw.randint(3, 1000)),
                Fraction(1, 2) - Fraction(1, draw.randint(3, 100)), Fraction(draw.randint(1, 10**6), 10**8),
            ]
        )  # fmt: skip
        local = k * math.log((1 - q) / q)
        near = draw.uniform(0, 6) * math.sqrt(k / (n * q * (1 - q))) * float(1 - 2 * q)
        epsilon = min(near, 0.99 * local) if draw.random() < 0.8 else draw.choice([0, draw.random(), 0.9999]) * local
        lam = max(ONE, Fraction(math.exp(min(epsilon, 300))).limit_denominator(draw.choice([10, 1000, 10**6])))
        if lam < ((1 - q) / q) ** k:
            return q, k, n, lam


# --- the answers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "pools"),
    [(0, in_arrays), (40, in_arrays), (80, one_by_one),
     *(pytest.param(i, in_arrays, marks=pytest.mark.soak) for i in range(120, 240, 40))],
)  # fmt: skip
def test_the_exact_maximum_is_held(first, pools):
    served = 0
    for seed in range(first, first + 40):
        q, k, n, lam = question(seed, 28)
        truth = deltas(n, q, k, lam)
        best, draw = max(truth), random.Random(-seed)
        rtol = 10 ** draw.uniform(-12, -2)
        found = worst(flipping(q), k, n - 1, (lam, lam), rtol=rtol, pools=pools)
        if found:
            served += 1
            assert found.lower <= best <= found.upper <= found.lower * (1 + Fraction(rtol) * 2), seed
            assert truth[found.ones] >= found.lower, seed
        ms = [draw.randrange(n) for _ in range(3)]
        for m, (low, high) in zip(ms, singles(flipping(q), k, n - 1, (lam, lam), ms, pools=pools) or [], strict=False):
            assert low <= truth[m] <= high, seed
    assert served >= 30


@pytest.mark.parametrize(
    ("first", "pools"), [(0, in_arrays), (20, one_by_one), pytest.param(40, in_arrays, marks=pytest.mark.soak)]
)
def test_the_exact_maximum_of_asymmetric_reports_is_held(first, pools):
    served = 0
    for seed in range(first, first + 20):
        draw = random.Random(seed)
        own, k, others = any_chances(draw), draw.choice([1, 1, 2, 3]), draw.randint(1, 16)
        lam, rtol = 1 + Fraction(draw.randint(0, 150), 100), 10 ** draw.uniform(-12, -2)
        truth = asymmetric_deltas(own, k, others, lam)
        if found := worst(own, k, others, (lam, lam), rtol=rtol, pools=pools):
            served += 1
            assert found.lower <= max(truth) <= found.upper <= found.lower * (1 + Fraction(rtol) * 2), seed
            assert truth[found.ones] >= found.lower, seed
        each = singles(own, k, others, (lam, lam), range(others + 1), pools=pools) or []
        assert all(low <= exact <= high for exact, (low, high) in zip(truth, each, strict=False)), seed
    assert served >= 12


@pytest.mark.parametrize("first", [0, 20])
def test_the_exact_maximum_is_held_at_many_limits_together(first):
    served = 0
    for seed in range(first, first + 20):
        q, k, n, lam = question(seed, 28)
        draw = random.Random(-seed)
        lams = sorted({ONE, *(ONE + (lam - 1) * draw.randint(0, 60) / 40 for _ in range(6))})
        rtols = [10 ** draw.uniform(-12, -2) for _ in lams]
        for one, rtol, told in zip(
            lams, rtols, together(flipping(q), k, n - 1, [(x, x) for x in lams], rtols, [(0, n - 1)]), strict=True
        ):
            for found in told or []:
                served += 1
                truth = deltas(n, q, k, one)
                assert found.lower <= max(truth) <= found.upper <= found.lower * (1 + Fraction(rtol) * 2), seed
                assert truth[found.ones] >= found.lower, seed
    assert served > 60


def test_limits_far_apart_are_served_together():
    """Chords of a composition: losses up to eight standard deviations, and delta down to 1e-15."""
    q, n = Fraction(1, 10), 10**4
    limits = [exp(Fraction(j, 250)) for j in range(80)]
    found = together(flipping(q), 1, n - 1, [(x.lower, x.upper) for x in limits], [1e-4] * 80, [(0, n - 1)])
    assert None not in found[1:]
    for j in (1, 40, 79):
        alone = worst(flipping(q), 1, n - 1, (limits[j].lower, limits[j].upper), rtol=1e-6)
        assert found[j][0].lower <= alone.upper
        assert alone.lower <= found[j][0].upper <= found[j][0].lower * Fraction("1.0001")


def test_aliases_of_several_limits_are_bounded_by_the_largest():
    """With the bounds of the least of them the sums of the others are missed."""
    circle, lams = Circle(16, 9, (0.4,), (1.0,)), (Fraction(101, 100), Fraction(50))
    near = CommonTilt.of(flipping(Q), 1, 100, (LAM, LAM))
    saddles = [near.under((lam, lam), tilted(flipping(Q), 0.5)) for lam in lams]
    (a, b), t, r = np.array([[10], [30]]), np.array([0]), Fraction(near.r)
    front = (Q + (1 - Q) * r) ** 10 * (1 - Q + Q * r) ** 31
    for largest, holds in ((saddles[1], True), (saddles[0], False)):
        found = sums(shared(largest, circle, a, b, t), saddles, a, b, np.array([t, t]))
        for row, lam in enumerate(lams):
            errors = [
                abs(Fraction(found.values[j, row, 0]) - x / front) for j, x in enumerate(truth(Q, 1, 10, 30, lam, 0))
            ]
            assert all(e <= found.errors[j, row, 0] for j, e in enumerate(errors)) is (holds or row == 0)


def whole(others, pools):
    """All compositions are asked for, in one part."""
    return one_pass._Asked(others, [(0, others)], False, pools)


@pytest.mark.parametrize("seed", range(20))
def test_any_ranges_will_do(seed):
    q, k, n, lam = question(seed, 28) if seed else (Fraction(1, 5), 1, 7, Fraction(3, 2))
    draw = random.Random(seed)
    edges = sorted({0, n, *(draw.randint(0, n) for _ in range(draw.randint(0, 3)))})
    low, high = [0, *edges[:-1]], [0, *(edge - 1 for edge in edges[1:])]
    lams = [1 + (lam - 1) * Fraction(7, 10), lam]  # on one circle
    saddle = CommonTilt.of(flipping(q), k, k * n, (lam, lam))
    saddles = [saddle.under((x, x), tilted(flipping(q), root(flipping(q), k, (x, x)))) for x in lams] if saddle else []
    rtols = [1e-3] * len(saddles)
    first, asked = [(0, *ends) for ends in zip(low, high, strict=True)], whole(n - 1, in_arrays)
    found = one_pass._search(saddles, rtols, asked, first)
    for x, told in zip(lams, found, strict=False):
        truth = deltas(n, q, k, x)
        for one in told or []:
            assert one.lower <= max(truth) <= one.upper <= one.lower * Fraction("1.002")
            assert truth[one.ones] >= one.lower


@pytest.mark.parametrize("seed", range(16))
def test_balls_agree(seed):
    draw = random.Random(seed)
    k = draw.choice([1, 1, 2, 10])
    n = round(10 ** draw.uniform(2.5, 6)) // k
    q = Fraction(draw.choice(["0.25", "0.1", "0.01", "0.4"]))
    epsilon = Fraction(draw.uniform(2, 6) * math.sqrt(k / (n * q * (1 - q))) * float(1 - 2 * q)).limit_denominator(
        10**6
    )
    mechanism, lam = dp.KRandomization(n=n, q=q, k=k), exp(epsilon)
    ms = [0, n // 3, n - 1]
    ours = singles(flipping(q), k, n - 1, (lam.lower, lam.upper), [*ms, *(n - 1 - m for m in ms)])
    assert ours
    for i, m in enumerate(ms):
        both = ours[i], ours[i + 3]
        theirs = dp.delta(mechanism, epsilon=epsilon, ones=m, rtol="1e-20")
        assert max(low for low, _ in both) <= theirs.upper
        assert theirs.lower <= max(high for _, high in both)
        assert max(high for _, high in both) <= theirs.upper * Fraction("1.00000001")
    if seed % 4 == 0:
        found = worst(flipping(q), k, n - 1, (lam.lower, lam.upper), rtol=1e-6)
        theirs = dp.delta(mechanism, epsilon=epsilon, rtol="1e-3")
        assert found
        assert found.lower <= theirs.upper
        assert theirs.lower <= found.upper <= found.lower * Fraction("1.000001")


@pytest.mark.parametrize(("n", "epsilon"), [(10**4, "0.9"), (10**6, "0.25"), (10**6, "0.9"), (10**7, "0.5")])
@pytest.mark.parametrize("pools", [in_arrays, one_by_one])
def test_what_is_below_the_range_of_doubles_is_found_times_a_power_of_two(n, epsilon, pools):
    """From 1e-200 to 1e-145,000: each end against balls."""
    q, lam = Fraction(1, 10), exp(Fraction(epsilon))
    given = flipping(q), 1, n - 1, (lam.lower, lam.upper)
    found = worst(*given, rtol=1e-6, pools=pools)
    assert found
    assert found.lower <= found.upper <= found.lower * Fraction("1.000001")
    pairs, limit = Bits.symmetric(q, 1, n - 1), Limit.of(epsilon=epsilon)
    assert found.lower <= pairs.pair(found.ones).enclosed(limit, rtol=Fraction(1, 10**20)).upper
    for m in {0, 1, 7, n // 10**4}:
        theirs = pairs.pair(m).enclosed(limit, rtol=Fraction(1, 10**20))
        assert theirs.lower <= found.upper
        ((low, high),) = singles(*given, [m], pools=pools)
        assert low <= theirs.upper
        assert theirs.lower <= high <= low * (1 + Fraction(1, 10**6))


class InArrays:
    """Deltas of many pools at once, and of how many each time."""

    MOST, ENVELOPES = in_arrays.MOST, False

    def __init__(self):
        self.asked = []

    def deltas(self, saddles, ones, *rest):
        self.asked.append(len(ones))
        return in_arrays.deltas(saddles, ones, *rest)


@pytest.mark.parametrize("pools", [in_arrays, one_by_one])
def test_lifted_ends_of_one_or_more_tell_nothing(pools):
    """Of any delta they may be: 2^s delta is no less than 1."""
    q, k, lam = Fraction(1, 10), 500, Fraction(10) ** 60
    saddle = CommonTilt.of(flipping(q), k, 200 * k, (lam, lam)).lifted([(0, 199)])
    ((low,),), ((high,),) = pools.deltas([saddle], [0], [199], 1e-9)
    assert 0 < low <= high < 1
    too_far = replace(saddle, halvings=saddle.halvings + 700)
    assert pools.deltas([too_far], [0], [199], 1e-9) == ([[0.0]], [[1.0]])


@pytest.mark.parametrize(
    ("n", "q", "k", "faint"),
    [(200, Fraction(1, 10), 500, 150), (200, Fraction(1, 10), 500, 240), (1000, Fraction(1, 50), 500, 206),
     (20_000, Fraction(1, 100), 100, 4000)],
)  # fmt: skip
def test_epsilon_of_many_reports_is_where_delta_crosses_far_below_doubles(n, q, k, faint):
    mechanism, target = dp.KRandomization(n=n, q=q, k=k), Fraction(1, 10**faint)
    found = dp.epsilon(mechanism, delta=target)
    assert found.upper <= found.lower * (1 + Fraction(1, 10**6))
    fails, holds = (Bits.of(mechanism).pair(0).enclosed(Limit.exp(x), rtol=Fraction(1, 1000)) for x in
                    (found.lower * (1 - Fraction(1, 10**6)), found.upper * (1 + Fraction(1, 10**6))))  # fmt: skip
    assert fails.lower >= target >= holds.upper


def test_ranges_are_no_more_than_are_asked_for_however_they_ripple():
    """Of 10^11 records of which next to none flip, steps of one record would never end."""
    found = dp.delta(dp.KRandomization(n=10**11, q=Fraction(1, 10**14)), lam=2)
    assert Fraction(99, 100) < found.lower <= found.upper <= found.lower * (1 + Fraction(1, 10**4))


@pytest.mark.parametrize("part", [(0, 1), (0, 0), (0.2, 0.7), (0.9, 1)])
@pytest.mark.parametrize("seed", range(16))
def test_ranges_cover_every_composition_of_a_part_once_and_start_with_a_single_one(seed, part):
    q, k, n, lam = question(seed, 10**5)
    saddle = CommonTilt.of(flipping(q), k, k * n, (lam, lam))
    first, last = part = tuple(int(x * (n - 1)) for x in part)
    if saddle is None:
        return
    asked = one_pass._Asked(n - 1, [part], bool(seed % 2), in_arrays)
    try:
        spans = one_pass._first(saddle, part, 10.0 ** -(seed % 9), asked)
    except TooMany:
        return
    low, high = np.array(spans).T
    if low[0] > low[-1]:
        low, high = first + last - high, first + last - low
    assert low[0] == first
    assert high[-1] == last
    assert (low[1:] == high[:-1] + 1).all()
    assert low[0] == high[0]


def test_ranges_of_a_part_start_where_all_hold_1_if_that_is_worse():
    own = Fraction(3, 10), Fraction(99, 100)
    asked = one_pass._Asked(999, [(200, 700)], False, in_arrays)
    spans = one_pass._first(CommonTilt.of(own, 1, 1000, (LAM, LAM)), (200, 700), 1e-3, asked)
    assert spans[0] == (700, 700)
    assert sorted(m for low, high in spans for m in range(low, high + 1)) == [*range(200, 701)]


@pytest.mark.parametrize("seed", range(10))
def test_every_limit_has_the_largest_of_all_that_its_ranges_hold(seed):
    """Told of any deltas, of wide ranges twice the largest: no range that one of the limits must cut is lost."""
    draw, others = random.Random(seed), 40
    near = CommonTilt.of(flipping(Q), 1, others + 1, (LAM, LAM))
    saddles = [near.under((lam, lam), tilted(flipping(Q), 0.5)) for lam in (Fraction(11, 10), LAM, Fraction(3, 2))]
    told = {one.rise: [draw.random() ** 4 / 3 for _ in range(others + 1)] for one in saddles}

    class Told:
        MOST = 1000

        def deltas(self, asked, ones, zeros, _):
            parts = [(m, others - rest + 1) for m, rest in zip(ones, zeros, strict=True)]
            lower = [[max(told[one.rise][m:n]) if n == m + 1 else 0.0 for m, n in parts] for one in asked]
            upper = [[max(told[one.rise][m:n]) * (1 if n == m + 1 else 2) for m, n in parts] for one in asked]
            return lower, upper

    first = [(0, 0, 0), (0, 1, 14), (0, 15, others)]
    found = one_pass._search(saddles, [1e-9] * 3, whole(others, Told()), first)
    for (one,), largest in zip(found, (max(told[one.rise]) for one in saddles), strict=True):
        assert float(one.lower) == largest <= float(one.upper) <= largest * (1 + 1e-9)


def test_a_range_from_the_worst_end_on_is_served():
    """Wide from the first record on: nearly all datasets are alike."""
    lam = exp(Fraction("0.01044"))
    assert worst(flipping(Fraction("0.162")), 1, 20211, (lam.lower, lam.upper), rtol=1e-4)


@pytest.mark.parametrize("n", [10**6, 10**7, 10**9])
def test_rare_flips_take_few_ranges(n):
    """About 90 of n reports are flipped: t is whole, and log delta_m ripples by more than the width."""
    lam, pools = exp(Fraction(1, 2)), InArrays()
    found = worst(flipping(Fraction(90, n)), 1, n - 1, (lam.lower, lam.upper), rtol=1e-4, pools=pools)
    assert found.upper <= found.lower * Fraction("1.0001")
    assert sum(pools.asked) < 300


@pytest.mark.parametrize(
    ("q", "n", "lam"),
    [
        (Fraction(1, 4), 10**6, ONE),  # delta is nearly the same everywhere
        (Fraction(1, 4), 1000, Fraction(3)),  # the local epsilon
        (Fraction(1, 4), 1000, Fraction(4)),
        (Fraction(1, 4), 10**8, Fraction(2)),  # delta is below 2^-1,000,000
        (Fraction(1, 4), 1000, Fraction(10**400)),
        (Fraction(1, 10**400), 1000, Fraction(2)),
        (Fraction(1, 4), 10**15, Fraction(2)),
    ],
)
def test_what_is_refused(q, n, lam):
    assert worst(flipping(q), 1, n - 1, (lam, lam), rtol=1e-9) is None


# --- each term of the bound: those that ``on_circle`` has in common are looked at there --------------------------


def shared(saddle, circle, a, b, t, spread=0.0):
    """The tables for some pools."""
    farthest = int(abs(t - a if saddle.mostly_ones else t).max())
    return Shared.of(saddle, circle, int(max(*a, *b)), farthest, spread, less_ones=saddle.mostly_ones)


@pytest.mark.parametrize("radius", [0.7, 0.9, 1.0, 1.5])
def test_the_bound_on_a_radius_to_the_right(radius):
    """d_{t+2} has R^{-(t+2)} below 1, d_{t-1} has R^{-(t-1)} from 1 on."""
    saddle, at = CommonTilt.of(flipping(Q), 1, 100, (LAM, LAM)), Fraction(radius)
    x, ones, zeros = (Fraction(saddle.r) / at) ** 16, Q + (1 - Q) * at, 1 - Q + Q * at
    wide = (zeros + LAM * ones) / (1 - Q + Q * Fraction(saddle.r)) * x / (1 - x)
    bound = wide * (at if at >= 1 else 1 / at**2)
    with working_precision(PRECISION):
        own = on_circle.alias(saddle, radius, 16)[3]
    assert math.exp(own) == pytest.approx(float(bound), rel=1e-12)


@pytest.mark.parametrize("rise", ["1e-9", "1e-3", "2"])
@pytest.mark.parametrize("width", ["0", "1e-12", "1e-1"])
def test_the_rise_of_lambda_holds_both_of_its_ends(rise, width):
    """lambda - 1 is far less certain than lambda where it is small."""
    ends = 1 + Fraction(rise), 1 + Fraction(rise) * (1 + Fraction(width))
    saddle = CommonTilt.of(flipping(Fraction(1, 10)), 1, 100, ends)
    middle, off = Fraction(saddle.excess), Fraction(saddle.excess_error)
    assert middle * (1 - off) <= ends[0] - 1 <= ends[1] - 1 <= middle * (1 + off)
    assert off <= Fraction(width) + Fraction(1, 10**14)


@pytest.mark.parametrize("exponent", [1, 10, 20, 30, 89])
def test_logs_are_right_to_what_they_are_multiplied_with(exponent):
    """Those of balls next to 1 have no relative error; 2^39 reports multiply what is off."""
    q, reports, u = Fraction(1, 10**exponent) / 3, (1 << 39) + 12345, Fraction(UNIT)
    saddle = CommonTilt.of(flipping(q), 1, 1 << 39, (Fraction(2), Fraction(2)))
    circle = Circle(64, 33, (saddle.r / 3, saddle.r * 1e-9), (1.0, 1e9))
    forms, constant, _ = on_circle.logs_of(saddle, circle)
    with mpmath.workdps(400):
        r = mpmath.mpf(saddle.r)
        above, below = (lambda z: mpq(q) + mpq(1 - q) * z), (lambda z: mpq(1 - q) + mpq(q) * z)
        exact = [[mpmath.log(above(r)), mpmath.log(below(r)), -mpmath.log(r)]]
        for radius in map(mpmath.mpf, (*circle.rights, *circle.lefts)):
            exact.append([mpmath.log(side(radius) / side(r)) for side in (above, below, lambda z: 1 / z)])
        less, *rest = on_circle.logs_of(saddle, circle, less_ones=True)
        assert rest == [constant, _]
        for form, of_less, logs in zip(forms, less, exact, strict=True):
            assert form[1:] == of_less[1:]
            for stored, log in [*zip(form, logs, strict=False), (of_less[0], logs[0] + logs[2])]:
                assert abs(mpmath.mpf(stored) - log) <= abs(log) * 1.001 * UNIT + mpmath.mpf(2) ** -112
        (one, zero, theta), (own,) = forms[0][:3], forms[0][3:]
        assert (one, zero, own) == (saddle.logs[0], saddle.logs[1], saddle.logs[1])
        size = sum(abs(x) * reports for x in forms[0][:3]) + abs(own)
        stored = sum(Fraction(x) * reports for x in (one, zero, theta)) + Fraction(own)
        true = reports * mpmath.fsum(exact[0]) + exact[0][1]
        assert abs(mpq(stored) - true) <= mpq(2 * u * Fraction(size) + u / 1000)
    assert abs(Fraction(constant) - 64 * Fraction(saddle.logs[2])) <= u * abs(Fraction(constant))


def mpq(x):
    return mpmath.mpf(x.numerator) / x.denominator


def test_a_log_of_a_wide_ball_is_refused():
    assert log_of(arb(1)) == 0
    with pytest.raises(dp.Undecided, match="a logarithm"):
        log_of(arb(1, 1e-33))


def test_the_exponent_of_the_factor_in_front(monkeypatch):
    """A sum of products with logs: rounded to a relative u, and summed in doubles; then its exponential."""
    draw, worst = random.Random(4), 0
    for _ in range(300):
        most = [draw.randint(0, 10**6) for _ in range(3)]
        logs = [Fraction(10 ** draw.uniform(-9, 2)) * draw.choice([1, -1]) / 3 for _ in range(4)]
        form, exact = tuple(map(float, logs)), sum(x * y for x, y in zip([*most, 1], logs, strict=True))
        found = float(np.array(form[:3]) @ np.array(most, float)) + form[3]
        monkeypatch.setattr(on_circle, "EXP", COARSE)
        (off,) = on_circle.exponent_errors(most, [form], 0.0)
        assert abs(Fraction(found) - exact) <= Fraction(off - COARSE)
        worst = max(worst, abs(Fraction(found) - exact) / Fraction(off - COARSE))
        monkeypatch.setattr(on_circle, "EXP", 2 * COARSE)
        assert on_circle.exponent_errors(most, [form], 0.0)[0] - off >= 0.999 * COARSE
    assert worst > Fraction(1, 20)


def test_the_factor_in_front_is_within_its_error():
    saddle = CommonTilt.of(flipping(Q), 1, 100, (LAM, LAM))
    a, b, t = (np.array(column) for column in zip(*ROWS, strict=True))
    found, r = sums(shared(saddle, WHOLE, a, b, t), [saddle], a, b, t[None]), Fraction(saddle.r)
    for (ones, zeros, place), low, high in zip(ROWS, found.lower[0], found.upper[0], strict=True):
        front = (Q + (1 - Q) * r) ** ones * (1 - Q + Q * r) ** (zeros + 1) / r**place
        assert abs(Fraction(low) / front - 1) <= Fraction(found.exponent)
        assert abs(Fraction(high) / front - 1) <= Fraction(found.exponent)
    higher = replace(saddle, halvings=400)
    lifted = sums(shared(higher, WHOLE, a, b, t), [higher], a, b, t[None])
    assert (lifted.errors >= found.errors).all()
    for low, high, once in zip(lifted.lower[0], lifted.upper[0], found.upper[0], strict=True):
        assert abs(Fraction(low) / 2**400 / Fraction(once) - 1) <= Fraction(lifted.exponent)
        assert abs(Fraction(high) / 2**400 / Fraction(once) - 1) <= Fraction(lifted.exponent)
    assert np.allclose(lifted.values, found.values, rtol=1e-9, atol=1e-12)
    forms, constant, _ = on_circle.logs_of(saddle, WHOLE, less_ones=True)
    most = [40, 40, max(abs(t - a))]
    assert saddle.mostly_ones
    assert found.exponent == on_circle.exponent_errors(most, forms, constant)[0]


@pytest.mark.parametrize("reports", [10**10, 10**11, 10**12])
def test_rare_flips_of_many_records_are_served(reports):
    """Records that hold 1 nearly always send 1: t is a few hundred beside as many ones, and so are the exponents.

    For every number of ones delta is about that of zeros alone, of Poisson counts of 90 others and one flip.
    """
    own = flipping(Fraction(90, reports))
    found = worst(own, 1, reports - 1, (Fraction(11, 10), Fraction(11, 10)), rtol=1e-3)
    with mpmath.workdps(30):
        pmf = [mpmath.exp(-90) * mpmath.mpf(90) ** t / mpmath.factorial(t) for t in range(200)]
        poisson = sum(max(x - mpmath.mpf(11) / 10 * y, 0) for x, y in zip(pmf, [0, *pmf], strict=False))
    assert found.lower <= found.upper <= found.lower * Fraction(1001, 1000)
    assert float(found.lower) == pytest.approx(float(poisson), rel=0.003)


def ends(seed, size=1.0, front=0.5):
    """The last roundings: ends of delta from random sums, of all pools and of one, and the same from exact arithmetic.

    The errors that arrays are given hold 8u of all.
    """
    draw = np.random.default_rng(seed)
    values, errors = size * draw.uniform(0, 1, (5, 1)), size * draw.uniform(0, 1e-14, (5, 1))
    values[1:, 0] = 1.0, size * draw.uniform(-0.1, 0.1), size * draw.uniform(-0.1, 0), -1.0
    front, exponent = draw.uniform(0, front, 1), float(draw.uniform(0, 1e-14))
    h, _, here, after, _ = map(Fraction, values[:, 0])
    h_off, _, here_off, after_off, _ = map(Fraction, errors[:, 0])
    top = h + h_off + max(0, after + after_off, here_off - here)
    bottom = h - h_off + max(0, after - after_off, -here_off - here)
    factor, off = Fraction(front[0]), Fraction(exponent)
    told = errors + LAST * np.abs(values)
    low, high, _ = in_arrays._ends(Sums(values, told, front, front, exponent), np.array([5]), np.array([10]))
    alone = *(x[:, 0].tolist() for x in (values, errors)), front[0], front[0]
    least, most, _ = in_lists.ends(alone, exponent, 5, 10)
    return max(low[0], least), bottom * factor * (1 - off), top * factor * (1 + off), min(high[0], most)


@pytest.mark.parametrize(("size", "front"), [(1.0, 0.5), *((size, 1e-299) for size in (1e-7, 1e-10, 1e-15, 1e-25))])
def test_the_last_roundings(size, front):
    """And ends below the range of doubles are not told: a product that small is not rounded to a relative u."""
    for seed in range(300 if front == 0.5 else 100):
        low, bottom, top, high = ends(seed, size, front)
        assert low <= bottom
        assert top <= high


@pytest.mark.parametrize(
    ("a", "b", "q", "off"), [(0, 40, Q, -4), (0, 40, Q, -3), (0, 40, Q, 3), (0, 40, Q, 4), (9, 0, Fraction(1, 99), -3)]
)
def test_a_threshold_that_is_not_proven_gives_no_bound(a, b, q, off):
    """Where d_{t-1} > 0 > d_{t+2} fails, h near t is less than delta."""
    saddle, d = CommonTilt.of(flipping(q), 1, 100, (LAM, LAM)), pool(q, 1, a, b, LAM)
    t = max(i for i, x in enumerate(d) if x > 0) + off
    one = np.array([a]), np.array([b]), np.array([t])
    low, high, move = in_arrays._evaluate(shared(saddle, WHOLE, *one), [saddle], *one[:2], one[2][None])
    assert low[0, 0] < sum(max(0, x) for x in d) <= high[0, 0] == 1.0
    assert move[0, 0] == -np.sign(off)


def test_limits_of_which_one_chance_rounds_to_the_same_have_thresholds_of_their_own():
    own, others = (Fraction(1, 100), 1 - Fraction(1, 10**20)), 3000
    lams = [Fraction(105 + 10 * i, 100) for i in range(12)]
    near = CommonTilt.of(own, 1, others + 1, (lams[6], lams[6]))
    saddles = [near.under((x, x), tilted(own, root(own, 1, (x, x)))) for x in lams]
    assert {x.likely for x in saddles} == {1.0}
    _, upper = in_arrays.deltas(saddles, [0], [others], 1e-6)
    assert max(x for (x,) in upper) < 1


@pytest.mark.parametrize("off", [-4, 0, 3])
def test_a_threshold_that_limits_share_moves_for_each(off):
    """Both start at t of the first, which is wrong by so many."""
    (a, b), lams = (9, 40), (LAM, LAM * Fraction(51, 50))
    near = CommonTilt.of(flipping(Q), 1, 100, (LAM, LAM))
    t = max(i for i, x in enumerate(pool(Q, 1, a, b, LAM)) if x > 0) + off
    tilt = t / (a + b), t / (a + b)
    saddles = [near.under((lam, lam), tilt) for lam in lams]
    lower, upper = in_arrays.deltas(saddles, [a], [b], 1e-9)
    for lam, (low,), (high,) in zip(lams, lower, upper, strict=True):
        truth = sum(max(0, x) for x in pool(Q, 1, a, b, lam))
        assert low <= truth <= high <= low * (1 + 1e-6)


@pytest.mark.parametrize("seed", range(20))
def test_the_radii_are_on_their_side(seed):
    """R >= 1 and s < r, whatever is steered to; r < R < 1 of what is lifted."""
    q, k, n, lam = question(seed, 2000)
    saddle = CommonTilt.of(flipping(q), k, k * n, (lam, lam))
    draw = np.random.default_rng(seed)
    a, b = (k * draw.integers(0, n, 4) for _ in range(2))
    t = draw.integers(0, a + b + k)[None]
    circle = Circle.around(saddle, a, b, t, (1.0, 9.0), 1e-6) if saddle else WHOLE
    assert min(circle.rights, default=1) >= 1
    rights = Circle.around(replace(saddle, halvings=9), a, b, t, (1.0, 9.0), 1e-6).rights if saddle else ()
    assert all(saddle.r < right < 1 for right in rights)
    assert not saddle or max(circle.lefts, default=0) < saddle.r
    assert circle.points % 8 == 0
    assert 1 <= circle.kept <= circle.points // 2 + 1


def test_a_lambda_next_to_1_has_a_radius():
    """(p - q) / (lambda - 1) is beyond doubles."""
    lam = 1 + Fraction(1, 10**310)
    assert 0 < CommonTilt.of(flipping(Q), 1, 100, (lam, lam)).r < 1


@pytest.mark.parametrize("exponent", [100, 280, 310, 323, 400])
def test_a_rise_of_lambda_below_the_range_of_doubles_is_held(exponent):
    rise = Fraction(4, 3 * 10**exponent)
    saddle = CommonTilt.of(flipping(Q), 1, 100, (1 + rise, 1 + rise))
    assert abs(Fraction(saddle.excess) - rise) <= Fraction(saddle.excess) * Fraction(saddle.excess_error)
