"""Listed tails: against fractions, at any tilt, and what is missing or rounded counted."""

import random
from fractions import Fraction

import pytest

from dpcalc.numbers.ball import enclosure_of, working_precision
from dpcalc.rounds.tilted_tail import Tail, Tilt
from tests.oracles.rounds import law

CASES = [
    ("1/4", 1, 0, 5, 0.0), ("1/4", 1, 3, 2, -0.3), ("1/10", 3, 2, 4, -1.0), ("1/1000", 2, 1, 30, -2.0),
    ("2/5", 1, 0, 0, 0.0), ("3/20", 7, 3, 10, -0.7), ("1/10", 1, 20, 100, -0.5), ("1/50", 1, 0, 150, -1.5),
]  # fmt: skip


def masses(q, k, ones, zeros):
    return list(zip(law(ones, zeros + 1, q, k), law(ones + 1, zeros, q, k), strict=True))


def truth(pair, lam):
    return sum(max(Fraction(0), p - lam * q) for p, q in pair)


def above(tail, tilt, ones, zeros, lam):
    found = tail.upper((lam, lam))
    if found is None:
        return None
    with working_precision(100):
        return enclosure_of(tilt.front(ones, zeros, found[0]) * found[1]).upper


@pytest.mark.parametrize(("q", "k", "ones", "zeros", "theta"), CASES)
def test_at_or_above_the_truth_and_next_to_it(q, k, ones, zeros, theta):
    tilt, pair = Tilt.near(Fraction(q), k, theta), masses(Fraction(q), k, ones, zeros)
    tail, near = Tail(tilt, ones, zeros), 0
    ratios = [float(p / r) for p, r in pair if p > r][:40]  # and next to where another t has the largest
    for lam in [1.0, 1.25, 1.5, 2.75, 4.0, 9.0, 33.0, 300.0, *ratios]:
        exact, found = truth(pair, Fraction(lam)), above(tail, tilt, ones, zeros, lam)
        if found is not None:
            assert exact <= found
            near += found <= exact * (1 + Fraction(1, 10**9)) + Fraction(1, 10**30)
    assert near >= 7


def test_random_pairs():
    draw, served = random.Random(1), 0
    for _ in range(60):
        q, k = Fraction(draw.randint(1, 499), 1000), draw.choice([1, 1, 2, 5])
        ones, zeros, theta = draw.randint(0, 6), draw.randint(0, 12), -draw.random() * 3
        tilt, lam = Tilt.near(q, k, theta), 1 + draw.random() * draw.choice([0.1, 1, 10])
        exact, found = truth(masses(q, k, ones, zeros), Fraction(lam)), None
        found = above(Tail(tilt, ones, zeros), tilt, ones, zeros, lam)
        if found is not None:
            served += 1
            assert exact <= found <= exact * (1 + Fraction(1, 10**8)) + Fraction(1, 10**28)
    assert served > 45


def test_every_lambda_between_two():
    tilt = Tilt.near(Fraction(1, 10), 1, -0.5)
    tail, pair = Tail(tilt, 3, 40), masses(Fraction(1, 10), 1, 3, 40)
    t, value = tail.upper((1.4, 1.6))
    with working_precision(100):
        assert enclosure_of(tilt.front(3, 40, t) * value).upper >= truth(pair, Fraction(1.4))


def test_far_out_nothing_is_lost():
    """Where masses that are not tilted would all be missing."""
    q, lam = Fraction(1, 3), 1.9
    tilt, pair = Tilt.near(q, 1, -3.3), masses(q, 1, 0, 250)
    exact, found = truth(pair, Fraction(lam)), above(Tail(tilt, 0, 250), tilt, 0, 250, lam)
    assert 0 < exact < Fraction(1, 10**35)
    assert exact <= found <= exact * (1 + Fraction(1, 10**9))


def test_what_is_missing_counts():
    tilt, pair = Tilt.near(Fraction(1, 10), 1, -0.4), masses(Fraction(1, 10), 1, 2, 100)
    lams, low = [1 + i / 50 for i in range(1, 60)], 0
    tail = Tail(tilt, 2, 100, bits=16)
    for missing in (tail._missing, 0.0):
        tail._missing = missing
        found = [(truth(pair, Fraction(lam)), above(tail, tilt, 2, 100, lam)) for lam in lams]
        assert sum(x is not None for _, x in found) > 30
        low = sum(exact > x for exact, x in found if x is not None)
        assert (low > 0) == (missing == 0)


def test_running_sums_err_by_what_is_counted():
    q, ones, zeros = Fraction(1, 7), 6, 50
    tilt = Tilt.near(q, 2, -0.8)
    tail, worst, scale = Tail(tilt, ones, zeros), 0.0, Fraction(1)
    for a, count in ((1 - q, 2 * ones), (q, 2 * zeros)):
        scale *= (1 - a + a * tilt.r) ** count
    for which, running in ((0, tail._a), (1, tail._b)):
        total = Fraction(0)
        pair = masses(q, 2, ones, zeros)
        for s, both in enumerate(pair):
            total = total * tilt.r + both[which] * tilt.r**s / scale
            if 0 <= s - tail._first < len(tail):
                off = Fraction(running[s - tail._first]) - total
                assert -total * Fraction(tail._error) - Fraction(tail._missing) <= off <= total * Fraction(tail._error)
                worst = max(worst, float(off / total))
    assert worst > tail._error / 10_000


def test_what_lies_beyond_the_outcomes_listed_is_not_served():
    tilt = Tilt.near(Fraction(1, 10), 1, 0.0)
    assert Tail(tilt, 0, 10**6).upper((1.5, 1.5)) is None
    assert Tail(tilt, 0, 10**6).upper((1.001, 1.001)) is not None


@pytest.mark.parametrize("shift", [-1, 1])
def test_a_place_next_to_the_right_one_will_do(shift):
    tilt, pair = Tilt.near(Fraction(1, 10), 1, -0.3), masses(Fraction(1, 10), 1, 2, 60)
    tail = Tail(tilt, 2, 60)
    ratios = tail._quotients
    tail._quotients = [*ratios[1:], 1e9] if shift < 0 else [0.0, *ratios[:-1]]
    for lam in (1.1, 1.3, 1.6, 2.0):
        exact, found = truth(pair, Fraction(lam)), above(tail, tilt, 2, 60, lam)
        assert exact <= found <= exact * (1 + Fraction(1, 10**9))
    tail._quotients = [0.0, 0.0, *ratios[:-2]]  # and one farther off is found out
    assert tail.upper((1.3, 1.3)) is None


def test_at_the_ends_of_what_is_listed_nothing_may_lie_beyond():
    tail = Tail(Tilt.near(Fraction(1, 4), 1, 0.0), 0, 5)
    assert tail.upper((2.9, 2.9)) is not None
    tail._first += 1
    assert tail.upper((2.9, 2.9)) is None
    tail = Tail(Tilt.near(Fraction(1, 4), 1, 0.0), 0, 0)
    assert tail.upper((1.0, 1.0)) is not None
    tail._last += 1
    assert tail.upper((1.0, 1.0)) is None
