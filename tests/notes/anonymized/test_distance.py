from fractions import Fraction
from math import inf

import pytest
from flint import ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcalc.errors import DomainError
from dpcalc.notes.anonymized.distance import DISTANCES, earth_mover, kullback_leibler, l1, l2, variational, within
from tests.oracles import closeness as oracle
from tests.strategies import counts

F = Fraction
EVERY = sorted(DISTANCES)


@given(counts(2))
def test_distances_are_what_the_definitions_say(pair):
    p, q = pair
    assert variational(p, q).value == oracle.total_variation(p, q)
    assert l1(p, q).value == 2 * oracle.total_variation(p, q)
    assert earth_mover(p, q).value == oracle.ordered_emd(p, q)
    assert l2(p, q).lower ** 2 <= oracle.squared_l2(p, q) <= l2(p, q).upper ** 2
    expected = oracle.kl(p, q)
    if expected == inf:
        assert kullback_leibler(p, q) == inf
    else:
        assert abs(kullback_leibler(p, q).mpf() - expected) < 1e-15


@settings(max_examples=10)
@given(counts(2), st.integers(1, 9), st.fractions(F(1, 9), 9), st.sampled_from(EVERY))
def test_scale_changes_nothing(pair, whole, fraction, name):
    p, q = pair
    here, there = DISTANCES[name](p, q), DISTANCES[name]([x * whole for x in p], [x * fraction for x in q])
    assert here == inf == there or (here.lower, here.upper) == (there.lower, there.upper)


@given(counts(2), st.fractions(0, 2), st.sampled_from(EVERY))
def test_within_is_the_defining_inequality(pair, epsilon, name):
    p, q = pair
    assert within(p, q, epsilon, distance=name) is oracle.close(p, q, epsilon, name)


def test_within_at_the_edge():
    assert within([1, 0], [0, 1], F(1), distance="variational")
    assert not within([1, 0], [0, 1], 1 - F(1, 10**30), distance="variational")
    assert l2([1, 1, 0, 0], [0, 0, 1, 1]).value == 1
    assert within([1, 1, 0, 0], [0, 0, 1, 1], F(1), distance="l2")
    square_root_of_two = F(14142135623730950488016887242096980785696718753769, 10**49)  # from below
    assert not within([1, 0], [0, 1], square_root_of_two, distance="l2")
    assert within([1, 0], [0, 1], square_root_of_two + F(1, 10**49), distance="l2")
    log_two = F(69314718055994530941723212145817656807550013436025, 10**50)  # from below
    assert not within([1, 0], [1, 1], log_two, distance="kullback-leibler")
    assert within([1, 0], [1, 1], log_two + F(1, 10**50), distance="kullback-leibler")
    assert not within([1, 1], [1, 0], F(10**9), distance="kullback-leibler")
    assert not within([1], [1], F(-1), distance="l1")


@pytest.mark.parametrize("bad", [[], [0, 0], [1, -1], ["one", 2], [1, 2, 3]])
def test_no_distribution(bad):
    with pytest.raises(DomainError):
        l1([1, 1], bad)


def test_numbers_are_what_is_written_and_no_float_is_used():
    class Tripwire(Fraction):
        def __float__(self):
            raise AssertionError("a float was asked for")

    p, q = [Tripwire(1, 3), Tripwire(2, 3)], [Tripwire(1, 7), Tripwire(6, 7)]
    for name in EVERY:
        DISTANCES[name](p, q)
        within(p, q, Tripwire(1, 5), distance=name)
    assert variational([0.1, 0.2], [1, 2]).value == 0


def test_ambient_precision_changes_nothing():
    expected = [str(DISTANCES[name]([1, 2, 4], [3, 2, 1])) for name in EVERY]
    with ctx.workprec(17):
        assert [str(DISTANCES[name]([1, 2, 4], [3, 2, 1])) for name in EVERY] == expected
