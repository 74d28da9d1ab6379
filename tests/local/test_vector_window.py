"""The box of whole outcomes of records of several bits, against all outcomes listed."""

import random
from fractions import Fraction
from itertools import product
from math import isqrt

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcalc.errors import NoSolution
from dpcalc.local.bounds import BoxBound
from dpcalc.local.solvers import local_q
from dpcalc.numbers.limit import Limit
from tests.oracles.boxes import extremes, in_ball, in_box, outcomes, ratio

HALF = Fraction(1, 2)
SIGMAS = [Fraction(1, 2), Fraction(1), Fraction(2), Fraction(3)]


def window(n, bits, z, sides=2, lam=2):
    return BoxBound(total=n, k=1, length=bits, sigmas=z, sides=sides, limit=Limit.of(lam=lam), rtol=Fraction(1, 10**6))


def settings(count, most, draw):
    for _ in range(count):
        bits = draw.randint(1, 3)
        n = draw.randint(1, most if bits < 3 else most - 2)
        d = draw.randint(3, 40)
        yield n, bits, Fraction(draw.randint(1, (d - 1) // 2), d), draw.choice([*SIGMAS, Fraction(9, 7)])


def checked(n, bits, q, z):
    true = extremes(n, bits, q, z)
    found = [window(n, bits, z).outcome(q, q, least=least) for least in (True, False)]
    if true is None:
        assert found == [None, None]
        assert window(n, bits, z).value(q) == 0
        return
    assert all(in_box(s, q, z) for s in found)
    assert tuple(ratio(s, q) for s in found) == true
    assert max(window(n, bits, z, sides=1).ratios(q, q)) == true[1]
    assert max(window(n, bits, z, sides=2).ratios(q, q)) == max(true[1], 1 / true[0])


def test_the_extremes_are_those_of_all_outcomes():
    for setting in settings(150, 6, random.Random(612)):
        checked(*setting)


@pytest.mark.soak
def test_the_extremes_are_those_of_all_outcomes_up_to_eight_records():
    for n, bits, q, z in product(range(1, 9), (1, 2, 3), (Fraction(i, 24) for i in range(1, 12)), SIGMAS):
        checked(n, bits, q, z)


def test_an_outcome_at_the_very_end_of_the_window_is_inside():
    """n = 4, q = 1/2, L = 1: s_0 and s_1 are 2 on average, with a standard deviation of 1."""
    at, before = (window(4, 1, z).outcome(HALF, HALF, least=False) for z in (Fraction(1), Fraction(999, 1000)))
    assert (at, before) == ([3, 1], [2, 2])


@hypothesis.settings(max_examples=12)
@given(st.integers(1, 5), st.integers(1, 3), st.sampled_from(SIGMAS), st.data())
def test_what_is_proven_over_a_range_holds_at_every_q_of_it(n, bits, z, data):
    low, high = sorted(data.draw(st.fractions(Fraction(1, 50), HALF)) for _ in range(2))
    lam = data.draw(st.sampled_from(["11/10", 2, 10]))
    for sides in (1, 2):
        box = window(n, bits, z, sides, lam)
        bound = max(box.ratios(low, high), default=0)
        for i in range(4):
            q = low + (high - low) * Fraction(i, 3)
            true = extremes(n, bits, q, z)
            if true is not None:
                worst = true[1] if sides == 1 else max(true[1], 1 / true[0])
                assert worst <= bound
                assert box.fails(q) is (worst > Fraction(lam))
            assert not (box.holds(low, high) and true is not None and worst > Fraction(lam))


@pytest.mark.parametrize(("low", "high"), [("0.1", "0.5"), ("0.2", "0.4"), ("0.34", "0.35"), ("0.05", "0.3")])
def test_the_ends_over_a_range_contain_those_of_every_q_and_are_attained(low, high):
    """With 3 bits pi_2 is largest at q = 1/3, with 5 pi_3 and pi_4 at 2/5 and 1/5."""
    low, high = Fraction(low), Fraction(high)
    for bits, agreeing in [(3, 2), (5, 3), (5, 4), (2, 1), (3, 0), (3, 3)]:
        box = window(1000, bits, Fraction(3))
        grid = {low + (high - low) * Fraction(i, 40) for i in range(41)} | {
            Fraction(1, 3),
            Fraction(2, 5),
            Fraction(1, 5),
        }
        each = [box._ends(agreeing, q, q) for q in grid if low <= q <= high]
        assert box._ends(agreeing, low, high) == (min(a for a, _ in each), max(b for _, b in each))


def test_a_ratio_equal_to_the_limit_keeps_it():
    q, true = Fraction(1, 4), extremes(4, 2, Fraction(1, 4), Fraction(3))
    box = window(4, 2, Fraction(3), sides=1, lam=true[1])
    assert box.ratios(q, q) == [true[1]]
    assert not box.fails(q)


def test_the_box_at_a_thousand_records():
    """Worked out elsewhere on a grid of 1/2000 of q: the last of them that fails."""
    for bits, sides, last in [(2, 1, "0.0805"), (2, 2, "0.1425"), (5, 1, "0.2545"), (5, 2, "0.284")]:
        found = local_q(n=1000, lam=2, bits=bits, sides=sides, method="box")
        assert Fraction(last) <= found.lower < found.upper < Fraction(last) + Fraction(1, 2000)
        assert found.upper - found.lower <= found.upper / 10**12
        assert found.at_upper <= 2 < found.at_lower


@pytest.mark.parametrize(("n", "bits", "lam", "sides"), [(4, 2, 2, 1), (4, 2, 2, 2), (3, 3, 2, 1), (5, 2, "3/2", 2)])
def test_it_fails_at_the_lower_end_and_holds_from_the_upper_end_on(n, bits, lam, sides):
    found = local_q(n=n, bits=bits, lam=lam, sides=sides, method="box", rtol="1e-9")

    def worst(q):
        true = extremes(n, bits, q, Fraction(3))
        return true[1] if sides == 1 else max(true[1], 1 / true[0])

    assert found.at_lower.lower <= worst(found.lower) <= found.at_lower.upper
    assert found.at_lower > Fraction(lam)
    for q in [found.upper + (HALF - found.upper) * Fraction(i, 60) for i in range(60)]:
        assert worst(q) <= Fraction(lam)


def test_of_one_bit_it_is_the_lattice_window_of_all_ones():
    for n, lam, sides in [(1000, 2, 1), (1000, 2, 2), (17, "1.5", 1), (40, 3, 2)]:
        found = window(n, 1, Fraction(3), sides, lam).bracket()
        assert abs(found.value - local_q(n=n, lam=lam, sides=sides, method="lattice").value) < Fraction(1, 10**6)


def test_where_the_window_has_no_outcome_nothing_is_asked_for():
    assert window(1, 2, Fraction(1, 100)).value(Fraction(1, 4)) == 0
    with pytest.raises(NoSolution):
        local_q(n=1, lam=2, bits=2, sigmas="0.01", method="box")


def test_a_limit_given_as_epsilon():
    found = local_q(n=100, epsilon="0.7", bits=3, method="box")
    assert local_q(n=100, lam="2.0137", bits=3, method="box").value >= found.lower
    assert found.upper >= local_q(n=100, lam="2.0138", bits=3, method="box").value


def least_ratio_limit(n, bits, q, z, scale=10**30):
    """1 + z sqrt((E w^2 - 1)/n), rounded up, and 1 - the same, rounded down."""
    spread = ((1 / (q * (1 - q)) - 3) ** bits - 1) * z * z / n
    reach = Fraction(isqrt(int(spread * scale**2)) + 1, scale)
    return 1 + reach, 1 - reach


def test_no_outcome_of_the_ball_is_beyond_its_bound():
    for n, bits, q, z in settings(60, 5, random.Random(5)):
        most, least = least_ratio_limit(n, bits, q, z)
        for outcome in outcomes(n, bits):
            if in_ball(outcome, q, z):
                assert least <= ratio(outcome, q) <= most
