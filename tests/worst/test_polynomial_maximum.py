from fractions import Fraction

import pytest
from flint import arb, arb_poly, ctx

from dpcalc.worst.polynomial_maximum import largest_value

CASES = [
    ([1, 2, -1], 2, 2),  # inside
    ([1, 2, -1], Fraction(1, 2), Fraction(7, 4)),  # at an end
    ([0, 0, 1], 3, 9),  # at both
    ([5], 1, 5),
    ([0, 0, 3, 0, -1], 2, Fraction(9, 4)),  # at x^2 = 3/2, twice
    ([0, -1, 0, 4], 1, 3),
    ([0, 0, 0, 0, -1], 1, 0),
    ([7, 1], 0, 7),
]


@pytest.mark.parametrize(("coefficients", "half", "largest"), CASES)
def test_the_maximum_is_bounded_tightly(coefficients, half, largest):
    with ctx.workprec(100):
        found = largest_value([arb_poly(coefficients)], Fraction(half))
        largest = arb(Fraction(largest).numerator) / Fraction(largest).denominator
        assert largest - arb(2) ** -90 <= found <= largest + arb(2) ** -20


def test_no_value_on_a_fine_grid_is_larger():
    lines = [arb_poly([3, -1, 4, -1, 5, -9]), arb_poly([2, 6, -5, 3, -5, 8]), arb_poly([-9, 7, 9, -3, 2, 3])]
    half = Fraction(3, 2)
    with ctx.workprec(80):
        points = [half.numerator * arb(i) / (half.denominator * 1000) for i in range(-1000, 1001)]
        grid = [float(p(x)) for x in points for p in lines]
        assert max(grid) - 1e-12 <= float(largest_value(lines, half)) <= max(grid) * (1 + 1e-9)


def test_a_level_ends_the_search_where_the_side_is_known():
    """The maximum of x - x^9/9 on [-1, 1] is 8/9; the first bound is 10/9."""
    p, half = arb_poly([0, 1, 0, 0, 0, 0, 0, 0, 0, arb(-1) / 9]), Fraction(1)
    for level in (arb(2), arb(-1)):  # p(0) is above the latter already
        assert abs(largest_value([p], half, level=level) - arb(10) / 9) < 1e-9
    assert arb(8) / 9 <= largest_value([p], half, level=arb("0.9")) < 0.9


def test_wide_coefficients_stay_inside_and_infinite_ones_are_no_bound():
    wide = arb_poly([arb(1, 0.5), arb(0, 0.25), -1])
    assert 1.5 <= float(largest_value([wide], Fraction(1))) < 1.6  # 3/2 + x/4 - x^2 has its top 1.5156 at 1/8
    assert float(largest_value([wide], Fraction(1))) >= 1.515625
    assert not largest_value([arb_poly([1]), arb_poly([arb.nan()])], Fraction(1)).is_finite()
