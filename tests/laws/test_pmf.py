from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from dpcalc.laws.pmf import Pmf

pmfs = st.lists(st.integers(0, 10**6), min_size=1, max_size=12).filter(any).map(
    lambda weights: Pmf(weights=tuple(weights), denominator=sum(weights))
)  # fmt: skip


@given(pmfs)
def test_probabilities_sum_to_1_and_vanish_outside(pool):
    assert sum(pool) == 1
    assert list(pool) == [pool[i] for i in range(len(pool))]
    assert pool[-1] == pool[len(pool)] == 0
    assert [pool[i] * pool.denominator for i in range(len(pool))] == list(pool.weights)


@given(pmfs, st.integers(-3, 15))
def test_the_cumulative_probability_is_the_sum(pool, s):
    assert pool.at_most(s) == sum(p for i, p in enumerate(pool) if i <= s)
    assert list(pool.cumulative()) == [pool.at_most(i) for i in range(len(pool))]


@given(pmfs)
def test_mean_and_variance_are_the_moments(pool):
    mean = sum(i * p for i, p in enumerate(pool))
    assert pool.mean == mean
    assert pool.variance == sum((i - mean) ** 2 * p for i, p in enumerate(pool))


def test_values_are_exact():
    assert Pmf(weights=(1, 3), denominator=4)[1] == Fraction(3, 4)


def test_a_long_pmf_is_shown_in_short():
    assert repr(Pmf(weights=(1, 2, 1), denominator=4)) == "Pmf(weights=(1, 2, 1), denominator=4)"
    assert (
        repr(Pmf(weights=(1,) * 10_000, denominator=10_000)) == "<Pmf of a count from 0 to 9,999, a 14-bit denominator>"
    )
    assert len(repr(Pmf(weights=(10**5000, 1), denominator=10**5000 + 1))) < 80
