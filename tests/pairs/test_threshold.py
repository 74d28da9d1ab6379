import math
from fractions import Fraction
from itertools import product

import pytest
from flint import arb

from dpcalc.laws.circle import invert
from dpcalc.laws.pool import Pool
from dpcalc.laws.threshold import place
from dpcalc.laws.tilt import Tilt
from dpcalc.numbers.ball import working_precision
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.pair import Pair
from dpcalc.pairs.threshold import log_bound, saddle
from tests.oracles.scan import deltas


def found(q, k, ones, zeros, lam, theta=None):
    limit = Limit.of(lam=lam)
    others = [(1 - q, k * ones), (q, k * zeros)]
    return math.floor(-log_bound(others, (q, 1 - q), k, limit, theta=theta) / math.log(2))


@pytest.mark.parametrize(
    ("n", "q", "k", "lam", "lost"),
    [
        (60, "1/4", 1, "2", 6),
        (60, "1/10", 1, "8", 13),
        (200, "9/20", 1, "6/5", 10),
        (40, "1/4", 3, "12", 8),
        (30, "1/20", 4, "1000", 10),
        (50, "1/100", 1, "50", 13),
        (40, "1/4", 2, "1", 1),
        (400, "1/4", 1, "11/10", 3),
    ],
)
def test_no_delta_of_a_composition_is_larger(n, q, k, lam, lost):
    """And Chernoff loses no more than so many factors of two."""
    q, lam = Fraction(q), Fraction(lam)
    truth = deltas(n, q, k, lam)
    for m, delta in enumerate(truth):
        exponent = found(q, k, m, n - 1 - m, lam)
        assert delta <= Fraction(1, 2**exponent)
        assert math.log2(delta) <= -exponent <= math.log2(delta) + lost


@pytest.mark.parametrize("q", [Fraction(1, 4), Fraction(1, 10)])
def test_one_bound_holds_over_a_range(q):
    """It is hardly larger than at the worse end, where the tilted reports may spread more."""
    limit, own = Limit.of(lam=3), (q, 1 - q)
    exponents = [found(q, 2, m, 300 - m, Fraction(3)) for m in range(301)]
    for low, high in product(range(0, 300, 37), repeat=2):
        if low <= high:
            ends = ([(1 - q, 2 * m), (q, 2 * (300 - m))] for m in (low, high))
            whole = math.floor(-log_bound([], own, 2, limit, ranges=[tuple(ends)]) / math.log(2))
            assert whole <= min(exponents[low : high + 1]) <= whole + 2


def test_any_steering_is_safe():
    q, lam, n = Fraction(1, 4), Fraction(2), 60
    truth = max(deltas(n, q, 1, lam))
    for theta in (-1.7, -1.62, -1.6094, -1.6, -1.0, -0.0, 0.3, -700.0):
        assert truth <= Fraction(1, 2 ** min(found(q, 1, m, n - 1 - m, lam, theta) for m in (0, n - 1)))


def test_a_tilt_below_the_root_is_refused():
    """There the laws change places further up than the tilted mean, so that nothing would be proven."""
    q, lam = Fraction(1, 4), Fraction(2)
    assert found(q, 1, 10**6, 10**6, lam, -1.6) > 0
    assert found(q, 1, 10**6, 10**6, lam, -1.62) == 0  # log(1/5) = -1.6094...


def tilts(q, k):
    return [Pool.of((x, k)).tilt for x in (q, 1 - q)]


@pytest.mark.parametrize(
    ("q", "k", "others", "epsilon", "near"),
    [("1/4", 1, 1000, "0.1", 0.06), ("1/1000", 10, 10**4, "1", 0.03), ("6.799e-8", 462, 10**8, "2.07", 0.01)],
)
@pytest.mark.parametrize("share", [0, Fraction(1, 3), 1])
def test_the_place_where_the_laws_change(q, k, others, epsilon, near, share):
    """In the last case P_0 and P_1 lie 8 standard deviations apart: without their skewness it would be off by 2.8."""
    q, limit, ones = Fraction(q), Limit.of(epsilon=epsilon), int(share * others)
    pool = Pool.of((1 - q, k * ones), (q, k * (others - ones)))
    found = place(pool.tilt, tilts(q, k), saddle((q, 1 - q), k, limit))
    t = math.floor(found)
    with working_precision(300):
        parts = [invert(pool, [term], t) for term in Pair(pool, (q, 1 - q), k).kernel(limit)]
        here, after = (sum((getattr(one, name) for one in parts), arb(0)) for name in ("here", "after"))
        assert abs(float(here / (here - after)) + t - found) < near


def test_the_place_stays_among_the_outcomes_that_are_likely():
    """A flip in 10,000 pools: P_0 is nearly all at m, P_1 at m + 1."""
    q, others, ones = Fraction(1, 10**16), 10**12, 3 * 10**11
    assert ones - 1 <= place(Tilt.of([(1 - q, ones), (q, others - ones)]), tilts(q, 1), -4.6e-8) <= ones + 2
