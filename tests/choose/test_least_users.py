"""The fewest users of a fleet's shares: both ends by the definition."""

from fractions import Fraction

import pytest

import dpcalc as dp
from dpcalc.choose.least import of_size
from tests.oracles import fleet as oracle

MIXED = [(1, "1/4", 1), (2, "1/5", 1)]


def fleet(groups, **more):
    return dp.Fleet([dp.Group(n=n, q=q, k=k) for n, q, k in groups], **more)


def sizes(shares, users):
    return [-(-users * share // sum(shares)) for share in shares]


def worst(groups, users, lam):
    each = sizes([n for n, *_ in groups], users)
    return max(
        oracle.everything([(n, Fraction(q), k) for n, (_, q, k) in zip(each, groups, strict=True)], [], lam).values()
    )


@pytest.mark.parametrize(
    ("groups", "target"), [(MIXED, "1/5"), (MIXED, "3/20"), ([(2, "1/3", 2), (1, "1/5", 1)], "1/6")]
)
def test_the_target_fails_with_one_user_fewer(groups, target):
    found = dp.least_users(fleet(groups), lam=2, delta=target)
    assert found.upper - found.lower == 1
    assert worst(groups, int(found.lower), 2) > Fraction(target) >= worst(groups, int(found.value), 2)
    assert [group.n for group in of_size(fleet(groups), 7).groups] == sizes([n for n, *_ in groups], 7)


def test_one_group_is_least_n():
    assert dp.least_users(fleet([(5, "1/10", 1)]), epsilon=1, delta="1e-6") == dp.least_n(
        q="1/10", epsilon=1, delta="1e-6"
    )


def test_dummies_and_a_hidden_n_count():
    plain = dp.least_users(fleet(MIXED), lam=2, delta="1/10")
    assert dp.least_users(fleet(MIXED, dummies=[dp.Dummies(10)]), lam=2, delta="1/10").value < plain.value
    hidden = fleet(MIXED, neighbours="add-remove")
    found = dp.least_users(hidden, lam=2, delta="1/10")
    assert dp.delta(of_size(hidden, int(found.value)), lam=2).upper <= Fraction(1, 10)
    assert dp.delta(of_size(hidden, int(found.lower)), lam=2).lower > Fraction(1, 10)


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
