from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import inf, nan

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcalc.errors import Undecided
from dpcalc.laws.excess import Line, Steering, chernoff, smoothed
from dpcalc.numbers.ball import enclosure_of, working_precision
from dpcalc.numbers.enclosure import Enclosure

COIN = [(Fraction(2), Fraction(1, 3)), (Fraction(-1), Fraction(2, 3))]
DIE = [(Fraction(3), Fraction(1, 6)), (Fraction(1, 2), Fraction(1, 3)), (Fraction(-5, 2), Fraction(1, 2))]
KINDS = {"equal reports": [(COIN, 7)], "two kinds": [(COIN, 4), (DIE, 2)]}


def law(kinds):
    """P[S = x], one report after the other."""
    found = {Fraction(0): Fraction(1)}
    for atoms in (atoms for atoms, count in kinds for _ in range(count)):
        grown = {}
        for (total, weight), (value, chance) in product(found.items(), atoms):
            grown[total + value] = grown.get(total + value, 0) + weight * chance
        found = grown
    return found


def expected(kinds, order, noise):
    """E[(S + U)_+^{order-1}] for Gaussian U: Phi(x/s), and x Phi(x/s) + s phi(x/s), over the law of S."""
    total = mpmath.mpf(0)
    for x, weight in law(kinds).items():
        value, chance = (mpmath.mpf(a.numerator) / a.denominator for a in (x, weight))
        below = mpmath.ncdf(value / noise)
        total += chance * (below if order == 1 else value * below + noise * mpmath.npdf(value / noise))
    return total


def inside(ball, truth):
    found = enclosure_of(ball)
    low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (found.lower, found.upper))
    return low <= truth <= high


@pytest.mark.parametrize("kinds", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("order", [1, 2])
def test_it_is_the_smoothed_sum_over_all_outcomes(kinds, order):
    rtol = Fraction(1, 10**6)
    line = Steering(kinds, order).line(0.3, rtol)
    with mpmath.workdps(40), working_precision(120):
        for ball, scale in zip(smoothed(kinds, order, line), (1, 2), strict=True):
            truth = expected(kinds, order, scale * mpmath.mpf(line.noise))
            assert inside(ball, truth)
            assert enclosure_of(ball).relative_width() < rtol


@settings(max_examples=25)
@given(
    st.sampled_from(list(KINDS.values())), st.sampled_from([1, 2]), st.floats(0.05, 3), st.floats(0.01, 0.99),
    st.floats(1.01, 4), st.floats(1, 60), st.integers(1, 200), st.floats(0.05, 2), st.floats(0, 1.5),
)  # fmt: skip
def test_no_choice_of_the_line_breaks_the_bounds(kinds, order, sigma, left, right, period, points, noise, least):
    line = Line(noise, sigma, period, sigma * left, sigma * right, points, least)
    with mpmath.workdps(40), working_precision(120):
        for ball, scale in zip(smoothed(kinds, order, line), (1, 2), strict=True):
            assert inside(ball, expected(kinds, order, scale * mpmath.mpf(noise)))


@pytest.mark.parametrize(("value", "line"), [
    (Fraction(23, 5), Line(1.0, 2.3, 10.9, 0.4, 6.3, 5, 0.0)),  # one point on either side of the last
    (Fraction(1, 2), Line(1.0, 0.54, 11.1, 0.44, 1.7, 1, 0.0)),  # and all beyond it
])  # fmt: skip
def test_few_points_are_made_up_for(value, line):
    """Sums of one value, where the points left out are nearly all that their bound says."""
    with mpmath.workdps(40), working_precision(120):
        found = smoothed([([(value, Fraction(1))], 1)], 1, line)[0]
        assert inside(found, expected([([(value, Fraction(1))], 1)], 1, mpmath.mpf(1)))


@pytest.mark.parametrize("forged", [
    {"left": 0.6}, {"right": 0.4}, {"left": 0.5}, {"right": 0.5}, {"left": 0.0}, {"left": -0.1}, {"sigma": -0.5},
    {"sigma": nan}, {"right": inf}, {"right": nan}, {"period": -9.0}, {"period": 0.0}, {"period": inf}, {"noise": 0.0},
    {"noise": -0.3}, {"noise": nan}, {"points": 0}, {"points": -3},
])  # fmt: skip
def test_a_line_that_is_none_is_refused(forged):
    good = Line(0.3, 0.5, 9.0, 0.2, 0.9, 60, 1e-9)
    smoothed([(COIN, 7)], 2, good)
    with pytest.raises(Undecided, match="no line"):
        smoothed([(COIN, 7)], 2, replace(good, **forged))


def test_an_enclosed_value_covers_both_ends():
    """As lambda = e^epsilon does: the answers at the ends lie in the one for the enclosure."""
    width = Fraction(1, 10**6)
    wide = [(Enclosure(value, value + width), chance) for value, chance in DIE]
    line = Steering([(DIE, 9)], 2).line(0.3, Fraction(1, 1000))
    with working_precision(100):
        found = enclosure_of(smoothed([(wide, 9)], 2, line)[0])
        for shift in (0, width / 3, width):
            one = enclosure_of(smoothed([([(value + shift, chance) for value, chance in DIE], 9)], 2, line)[0])
            assert found.lower < one.lower
            assert one.upper < found.upper


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("tau", [0.01, 0.3, 2.0])
def test_chernoff_bounds_the_sum_without_noise(order, tau):
    sums = law([(COIN, 5), (DIE, 2)])
    truth = sum(weight * x ** (order - 1) for x, weight in sums.items() if x > 0)
    with working_precision(64):
        assert enclosure_of(chernoff([(COIN, 5), (DIE, 2)], order, tau)).lower > truth


def test_chernoff_without_a_tilt_bounds_nothing():
    for tau in (0.0, -1.0, inf, nan):
        assert not chernoff([(COIN, 5)], 2, tau).is_finite()
