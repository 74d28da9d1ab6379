"""The fewest users of a fleet's shares."""

from fractions import Fraction

import pytest

import dpcalc as dp

MIXED = [(1, "1/4", 1), (2, "1/5", 1)]


def fleet(groups, **more):
    return dp.Fleet([dp.Group(n=n, q=q, k=k) for n, q, k in groups], **more)


def test_the_shares_are_rounded_up():
    assert [group.n for group in fleet(MIXED).altered(n=7).groups] == [3, 5]


def test_one_group_is_least_n():
    assert dp.least_users(fleet([(5, "1/10", 1)]), epsilon=1, delta="1e-6") == dp.least_n(
        q="1/10", epsilon=1, delta="1e-6"
    )


def test_dummies_and_a_hidden_n_count():
    plain = dp.least_users(fleet(MIXED), lam=2, delta="1/10")
    assert dp.least_users(fleet(MIXED, dummies=[dp.Dummies(10)]), lam=2, delta="1/10").value < plain.value
    hidden = fleet(MIXED, neighbours="add-remove")
    found = dp.least_users(hidden, lam=2, delta="1/10")
    assert dp.delta(found.mechanism, lam=2).upper <= Fraction(1, 10)
    assert dp.delta(hidden.altered(n=found.lower), lam=2).lower > Fraction(1, 10)


def test_one_user_of_each_group_may_be_enough():
    found = dp.least_users(fleet(MIXED), lam=2, delta="9/10")
    assert (found.lower, found.upper) == (1, 1)


def test_a_large_fleet_is_bracketed_as_narrowly_as_asked():
    found = dp.least_users(fleet([(4, "0.1", 1), (1, "0.3", 1)]), epsilon="0.1", delta="1e-6", rtol="0.05")
    assert found.lower < found.upper <= found.lower * Fraction(106, 100)
    assert found.at_upper.upper <= Fraction(1, 10**6) < found.at_lower.lower


@pytest.mark.soak
def test_no_size_is_enough():
    with pytest.raises(dp.NoSolution, match="delta is above 1e-9 even at"):
        dp.least_users(fleet([(1, "1e-17", 1), (1, "1e-16", 1)]), epsilon="0.001", delta="1e-9")
