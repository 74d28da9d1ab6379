"""Estimates from asymmetric reports: of histograms, rounds and fleets."""

from fractions import Fraction

import pytest

import dpcalc as dp

A, B = Fraction(1, 2), Fraction(1, 10)


def test_a_histogram_has_one_of_each_category():
    mechanism = dp.AsymmetricBits(n=20, chances=(A, B), categories=3)
    found = dp.estimate(mechanism, [2, 6, 10])
    assert [one.value for one in found] == [0, 10, 20]
    together = dp.confidence_interval(mechanism, [2, 6, 10], confidence="9/10", simultaneous=True)
    alone = dp.confidence_interval(mechanism, [2, 6, 10], confidence=1 - Fraction(1, 30))
    assert [str(one) for one in together] == [str(one) for one in alone]
    with pytest.raises(dp.DomainError, match=r"^s = .* 3 counts"):
        dp.estimate(mechanism, [2, 6])
    assert [one.value for one in dp.estimate(mechanism, [[2, 4], [6, 4], [10, 8]])] == [
        Fraction(5, 2),
        Fraction(15, 2),
        Fraction(35, 2),
    ]


def test_several_rounds_are_one_of_so_many_more_records():
    each, all_of_them = (dp.AsymmetricBits(n=n, chances=(A, B)) for n in (8, 16))
    for method in ("exact", "chebyshev", "hoeffding"):
        mean = dp.confidence_interval(each, [3, 4], confidence="9/10", method=method)
        total = dp.confidence_interval(all_of_them, 7, confidence="9/10", method=method)
        assert (2 * mean.lower.upper, 2 * mean.upper.lower) == (total.lower.upper, total.upper.lower)


def test_a_fleet_of_them_has_no_one_lie_probability():
    fleet = dp.Fleet([dp.Group(n=3, chances=(A, B)), dp.Group(n=3, q="1/4")])
    with pytest.raises(dp.DomainError, match=r"a \+ b = 1"):
        dp.estimate(fleet, [1, 1])
