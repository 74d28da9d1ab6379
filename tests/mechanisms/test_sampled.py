"""Sampled clients: every dataset in fractions, client by client; and the two releases told apart."""

from fractions import Fraction

import dpcalc as dp


def test_large_n_where_only_the_ones_are_released():
    mechanism = dp.Sampled(dp.KRandomization(n=10**6, q="1/10"), "1/100")
    thinned = dp.AsymmetricBits(n=10**6, chances=("9/1000", "1/1000"))
    assert dp.delta(mechanism, epsilon="0.2").lower == dp.delta(thinned, epsilon="0.2").lower


def test_a_fleet_of_sampled_clients():
    fleet = dp.Fleet([dp.Group(n=3, q="1/4"), dp.Group(n=2, q="1/3")])
    thinned = dp.Fleet([dp.Group(n=3, chances=("3/8", "1/8")), dp.Group(n=2, chances=("1/3", "1/6"))])
    assert dp.delta(dp.Sampled(fleet, "1/2"), lam=2).value == dp.delta(thinned, lam=2).value


def test_a_width_that_lambda_must_be_known_for_is_reached():
    found = dp.delta(dp.Sampled(dp.KRandomization(n=5, q="1/10"), "3/10", "ones and reports"), epsilon=1, rtol="1e-60")
    assert 0 < found.upper - found.lower <= found.lower / 10**60
    bits = dp.AsymmetricBits(n=1, chances=("7/20", "3/20"))
    next_to_the_largest = "0.847297860387203613710504507465522453591797789575751768712724696"  # ln(7/3), about
    assert dp.delta(dp.Sampled(bits, "3/20", "ones and reports"), epsilon=next_to_the_largest).upper < Fraction(
        1, 10**60
    )
