import math
import random
from fractions import Fraction
from functools import cache
from itertools import accumulate

import pytest
from flint import acb, arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcalc.laws.circle import UNIT_KERNEL, Contour, Signed, Term, at_most, chernoff, invert, read, sums
from dpcalc.laws.parts import Coins, NegativeBinomialPart
from dpcalc.laws.pool import Pool
from dpcalc.laws.tilt import Tilt
from dpcalc.numbers.ball import ball, enclosure_of, working_precision
from dpcalc.numbers.limit import Limit
from tests.oracles.scan import powers, times
from tests.strategies import seeds


def product(factors):
    """The coefficients of a product of (1 - a + a z)^c, by multiplying it out."""
    found = [Fraction(1)]
    for a, count in factors:
        found = times(found, powers([1 - a, a], count))
    return found


def coefficients(factors, kernel, t):
    """h_t, d_t, d_{t+1}: the kernel as (weight, b, e) with rational weights."""
    grown = product(factors)
    signed = [Fraction(0)] * (len(grown) + max(e for _, _, e in kernel))
    for weight, b, e in kernel:
        for i, term in enumerate(times(grown, powers([1 - b, b], e))):
            signed[i] += weight * term
    d = [*signed, Fraction(0), Fraction(0)]
    return sum(d[: t + 1]), d[t], d[t + 1]


def term(weight, b, e):
    return Term(lambda: ball(weight), Coins(e, b))


def case(seed):
    """Factors with several flip probabilities, a signed kernel and a place."""
    draw = random.Random(seed)
    chance = lambda: draw.choice(  # noqa: E731
        [Fraction(draw.randint(1, 99), 100), Fraction(1, draw.randint(3, 10**4)), 1 - Fraction(1, draw.randint(3, 500))]
    )
    factors = [(chance(), draw.choice([0, 1, 2, 5, 17, 40])) for _ in range(draw.randint(1, 4))]
    kernel = [
        (Fraction(draw.randint(-300, 300) or 1, 100), chance(), draw.randint(0, 3)) for _ in range(draw.randint(1, 3))
    ]
    degree = sum(count for _, count in factors) + max(e for *_, e in kernel)
    return factors, kernel, draw.randint(0, degree)


def balls(found):
    return [enclosure_of(x) for x in (found.cumulative, found.here, found.after)]


@pytest.mark.parametrize("first", seeds(100, 300, 50))
def test_random_products_hold_the_exact_rational(first):
    for seed in range(first, first + 50):
        factors, kernel, t = case(seed)
        truth = coefficients(factors, kernel, t)
        for bits in (64, 150):
            with ctx.workprec(bits):
                found = balls(invert(Pool.of(*factors), [term(*part) for part in kernel], t))
            for enclosure, value in zip(found, truth, strict=True):
                assert enclosure.lower <= value <= enclosure.upper, seed


@settings(max_examples=15)
@given(
    st.lists(st.tuples(st.fractions("0.01", "0.99", max_denominator=100), st.integers(1, 25)), min_size=1, max_size=4),
    st.integers(-1, 101),
)  # fmt: skip
def test_chernoff_bounds_its_tail(factors, s):
    grown = product(factors)
    above, below = sum(grown[max(0, s) :]), sum(grown[: max(0, s + 1)])
    assert enclosure_of(chernoff([Pool.of(*factors)], s, upper=True)).upper >= above
    assert enclosure_of(chernoff([Pool.of(*factors)], s, upper=False)).upper >= below
    # and it is the right tail that is small
    mean = sum(a * count for a, count in factors)
    if mean + 5 < s <= len(grown):
        assert chernoff([Pool.of(*factors)], s, upper=True) < 1
        assert chernoff([Pool.of(*factors)], s, upper=False) == 1


# --- the bounds of what is left out --------------------------------------------------------------

COINS = ((Fraction(1, 2), 60),)
UNIT = ((Fraction(1), Fraction(1, 2), 0),)
ONE = [term(*part) for part in UNIT]


def on_circle(factors=COINS, kernel=UNIT, t=20, **fields):
    """(h_t, its truth), and the same of d_t and d_{t+1}, on a circle that steering would not choose."""
    chosen = {"r": 0.5, "left": 0.25, "right": 1.0, "points": 61, "kept": 31} | fields
    with ctx.workprec(200):
        found = read(Pool.of(*factors), Signed([term(*part) for part in kernel]), Contour(**chosen), t)
    return list(zip((found.cumulative, found.here, found.after), cached(factors, kernel, t), strict=True))


def held(*given, **fields):
    with ctx.workprec(400):  # more bits than x has
        return all(not x.is_finite() or x.contains(ball(value)) for x, value in on_circle(*given, **fields))


def outweighs(size, **fields):
    """Whether all is held, though each of the three is off by so much that only its own bound can hold it."""
    return held(**fields) and all(abs(float(x.mid()) / float(value) - 1) > size for x, value in on_circle(**fields))


cached = cache(coefficients)


@pytest.mark.parametrize("radius", [0.2, 0.5, 0.9])
@pytest.mark.parametrize("points", [3, 9, 21, 41, 63])
@pytest.mark.parametrize("share", [0.1, 0.3, 0.6, 1])
def test_any_circle_with_any_points_holds_the_truth(radius, points, share):
    kept = max(1, round(share * (points + 1) / 2))
    for left, right in ((radius / 2, 1.0), (radius / 1.1, 1.5), (radius / 2, 1 - (1 - radius) / 3)):
        assert held(r=radius, left=left, right=right, points=points, kept=kept)


@pytest.mark.parametrize(
    ("a", "count", "t", "points", "right"),
    [
        (Fraction(99, 100), 20, 13, 7, 1.5),  # t + M = deg: d_deg is still an alias of d_t
        (Fraction(999, 1000), 11, 4, 7, 1.5),
        (Fraction(999, 1000), 11, 4, 7, 0.995),
        (Fraction(1, 2), 300, 2, 5, 0.02),  # 1/R = 50: d_{t+1} needs one more division by R than d_t
        (Fraction(1, 2), 300, 2, 15, 0.05),
    ],
)
def test_the_last_aliases_are_bounded_for_each_of_the_three(a, count, t, points, right):
    r = min(right / 3, 0.99) if right < 0.1 else 0.99
    circle = {"r": r, "left": r / 3, "right": right, "points": points, "kept": (points + 1) // 2}
    assert held(((a, count),), t=t, **circle)


@pytest.mark.parametrize("first", range(0, 600, 100))
@pytest.mark.soak
def test_random_circles_hold_the_truth(first):
    """R on either side of 1, down to far below it; M about the places where aliases end."""
    for seed in range(first, first + 100):
        factors, kernel, t = case(seed)
        draw = random.Random(seed)
        degree = sum(count for _, count in factors) + max(e for *_, e in kernel)
        points = draw.choice([t, t + 1, t + 2, degree - t - 1, degree - t, degree - t + 1, draw.randint(1, 60)])
        points = max(1, points - 1 + points % 2)
        r = draw.choice([0.9, 0.5, 0.1, 0.003])
        right = draw.choice([1.0, 1.4, 5.0, r * 1.05, (1 + r) / 2])
        circle = {"r": r, "left": r * draw.uniform(0.1, 0.95), "right": right, "points": points}
        kept = draw.randint(1, (points + 1) // 2)
        for some in (kept, (points + 1) // 2):
            assert held(tuple(factors), tuple(kernel), t, kept=some, **circle), seed


def test_the_bound_of_the_aliases():
    """Nine points alias h_{20 + 9 l}; every point is kept."""
    assert outweighs(1e-4, points=9, kept=5, right=1.5, left=0.3)


def test_the_constant_alias():
    """h_i tends to K(1), so that the aliases to the right include K(1) r^M / (1 - r^M): a third with r = 1/2, M = 2."""
    assert held(points=41, kept=21, r=0.9, left=0.3, right=2.0)


def test_the_bound_of_the_points_left_out():
    assert outweighs(1e-4, kept=6)


@pytest.mark.parametrize("power", [1, 2, 5])
@pytest.mark.parametrize("weight", ["-1", "-1.01", "-3", "2"])
def test_a_kernel_fades_on_the_circle_as_fast_as_is_claimed(power, weight):
    """Where its two terms nearly cancel, at -r above all: z - 1 grows as all other factors fade."""
    for q in (Fraction(1, 10), Fraction(2, 5), Fraction(499, 1000)):
        for r in (arb("0.3"), arb("0.9"), arb("0.999")):
            kernel = Signed([term(1, q, power), term(Fraction(weight), 1 - q, power)])
            for angle in (arb(0), arb(1), arb(2), arb.pi()):
                bound = kernel.bound(r) * (-kernel.fading(r) * (1 - angle.cos())).exp()
                assert abs(kernel.at(r * acb(0, angle).exp())) <= bound * (1 + arb("1e-12"))


@pytest.mark.parametrize("shift", [1, 2, 7])
@pytest.mark.parametrize("weight", ["-1", "-1.5"])
def test_a_kernel_that_moves_is_bounded(shift, weight):
    """1 - lambda z^c, also for lambda = 1, where both terms are coins of no trials."""
    kernel = Signed([term(1, Fraction(1), 0), Term(lambda: arb(weight), Coins(0, Fraction(1), shift))])
    for r in (arb("0.3"), arb("0.999"), arb("1.2")):
        for angle in (arb(0), arb(1), arb.pi()):
            assert abs(kernel.at(r * acb(0, angle).exp())) <= kernel.bound(r) * (1 + arb("1e-12"))


def test_a_circle_that_counts_a_point_twice_is_no_answer():
    assert on_circle(kept=31)[0][0].is_finite()
    assert not on_circle(kept=32)[0][0].is_finite()


def test_about_fifty_points_are_enough_for_any_number_of_reports():
    kept = []
    for n in (10**4, 10**8, 10**12):
        pool = Pool.of((Fraction(1, 10), n))
        kept.append(Contour.around(pool, Signed(ONE), n / 10 - 6 * math.sqrt(0.09 * n), 60.0).kept)
    assert max(kept) < 120
    assert max(kept) < 1.2 * min(kept)


# --- the tilt ----------------------------------------------------------------------------------------------


@given(st.fractions("0.01", "0.99", max_denominator=100), st.integers(2, 10**9), st.floats(0.01, 0.99))
def test_the_tilt_has_the_mean_asked_for(a, count, place):
    tilt, t = Tilt.of([(a, count), (Fraction(1, 2), 3.0)]), place * count
    theta = tilt.toward(t)
    assert abs(tilt.mean(theta) - t) <= 0.02 * math.sqrt(tilt.variance(theta))
    slope = (tilt.exponent(theta + 1e-3, t) - tilt.exponent(theta - 1e-3, t)) / 2e-3
    assert abs(slope) < 1e-3 * count + 1
    assert math.isclose(tilt.variance(theta), (tilt.mean(theta + 1e-4) - tilt.mean(theta - 1e-4)) / 2e-4, rel_tol=1e-2)


def test_the_tilt_goes_to_its_ends():
    tilt = Tilt.of([(Fraction(1, 4), 10)])
    assert (tilt.toward(-1), tilt.toward(11)) == (-1e12, 1e12)
    assert abs(tilt.toward(2.5)) < 1e-3
    assert chernoff([Pool.of((Fraction(1, 4), 10))], 11, upper=True) == 0
    assert chernoff([Pool.of((Fraction(1, 4), 10))], -1, upper=False) == 0


def test_a_tilt_beyond_the_range_of_floats():
    """Two of 10 reports that are 1 with chance 1e-1000: the saddle point is near e^2301."""
    q = Fraction(1, 10**1000)
    found = Pool.of((q, 10)).at_least(2, rtol=Fraction(1, 10**12))
    truth = 1 - (1 - q) ** 10 - 10 * q * (1 - q) ** 9
    assert found.lower <= truth <= found.upper


def test_as_many_points_as_the_place_are_no_worse_than_one_more():
    """The alias of d_{t+1} goes as 1/s where there are t points: s must not be as small as it may be elsewhere."""
    q = Fraction(6955243027489868008900231986746411, 41538374868278621028243970633760768)
    pool = Pool.of((1 - q, 108), (q, 492))
    with working_precision(132):
        assert pool.chance(135).rel_accuracy_bits() > 90


def test_a_tail_too_faint_to_be_held_lies_between_0_and_the_least_number_held():
    pool = Pool.of((Fraction(1, 10), 10**12))
    low, high = pool.at_most(10**10, rtol=Fraction(1, 10)), pool.at_least(10**10 + 1, rtol=Fraction(1, 10))
    assert (low.lower, low.upper) == (0, Fraction(1, 2**999_999))
    assert (high.lower, high.upper) == (1 - low.upper, 1)
    assert pool.between(10**9, 10**10, rtol=Fraction(1, 10)).upper == low.upper


# --- many places at once ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_every_place_of_a_small_pool(seed):
    draw = random.Random(seed)
    one, other = (Fraction(draw.randint(1, 19), 20) for _ in range(2))
    kinds, count = ((one, draw.randint(1, 400)), (other, draw.randint(1, 30))), draw.randint(1, 3)
    added = [Pool.of((Fraction(draw.randint(1, 19), 20), count)) for _ in range(2)]
    whole = sum(c for _, c in kinds) + count
    middle, reach = draw.randint(1, whole - 1), draw.choice([1.0, 6.0, 40.0])
    tilt = Tilt.of((*kinds, *added[0].kinds))
    away = math.ceil(reach * tilt.variance(tilt.toward(middle)) ** 0.5)
    places = range(max(0, middle - away), min(whole, middle + away))
    with working_precision(80):
        found = at_most(Pool.of(*kinds), added, places)
    for i, own in enumerate(added):
        pmf = Pool((*kinds, *own.kinds)).pmf()
        exact = list(accumulate(pmf.weights))
        for t, value in zip(places, found, strict=True):
            ends = enclosure_of(value[i])
            assert ends.lower <= Fraction(exact[t], pmf.denominator) <= ends.upper
            assert value[i].rel_accuracy_bits() > 40


@pytest.mark.parametrize(("n", "a"), [(10**5, "1/10"), (10**9, "2/5"), (10**9, "1/1000000")])
@pytest.mark.parametrize("away", [-8, 0, 3])
def test_one_circle_tells_what_each_place_would(n, a, away):
    a, own = Fraction(a), ((Fraction(1, 3), 2),)
    deviation = float(n * a * (1 - a)) ** 0.5
    middle = round(float(n * a) + away * deviation)
    places = [round(middle + i * deviation / 2) for i in range(-12, 13)]
    with working_precision(50 + 38):
        found = at_most(Pool.of((a, n)), [Pool(own)], places)
    with working_precision(200):
        for place, (value,) in zip(places, found, strict=True):
            exact = invert(Pool.of((a, n)), [Term(lambda: arb(1), Pool(own))], place).cumulative
            assert value.overlaps(exact)
            assert value.rel_accuracy_bits() > 36


def test_far_from_the_middle_it_is_wide_and_right():
    """Aliases and points left out are most of what is found there."""
    kinds, kernel = ((Fraction(1, 4), 200),), Signed([Term(lambda: arb(1), Coins(1, Fraction(1, 3)))])
    exact = list(accumulate((pmf := Pool.of(*kinds, (Fraction(1, 3), 1)).pmf()).weights))
    with working_precision(20):
        circle = Contour.around(Pool.of(*kinds), kernel, 50, 14.0)
        found, _ = sums(Pool.of(*kinds), kernel, circle, range(30, 80), [])
    wide = 0
    for t, value in enumerate(found, 30):
        ends = enclosure_of(value)
        assert ends.lower <= Fraction(exact[t], pmf.denominator) <= ends.upper
        wide += value.rel_accuracy_bits() < 10
    assert 5 < wide < 45


@pytest.mark.parametrize("t", [0, 1, 9, 200])
def test_beyond_the_support_of_a_law_with_a_pole(t):
    law = NegativeBinomialPart(Fraction(1, 2), Limit(Fraction(10**6)), -1)  # on ..., -1, 0
    with working_precision(100):
        found = invert(law, UNIT_KERNEL, t)
    assert abs(found.cumulative - 1) < 1e-6
    assert t == 0 or found.here.contains(0)
