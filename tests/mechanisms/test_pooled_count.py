from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcalc.mechanisms.pooled_count import pmf, pooled
from dpcalc.mechanisms.response import KRandomization
from tests.oracles.flips import pmf as by_flips
from tests.strategies import flips, mechanisms

SMALL = [(n, k) for n, k in product(range(1, 8), (1, 2, 3)) if n * k <= 12]


@pytest.mark.parametrize(("n", "k"), SMALL)
@pytest.mark.parametrize("q", ["1/5", "49/100"])
def test_the_pmf_counts_every_flip_pattern(n, k, q):
    m = KRandomization(n=n, q=q, k=k)
    for ones in range(n + 1):
        assert tuple(pmf(m, ones=ones)) == by_flips((1,) * ones + (0,) * (n - ones), m.q, k)


@given(mechanisms, st.data())
def test_moments_are_those_of_k16(m, data):
    """K16 (4.1), (5.1): E S = k (m p + (n - m) q); (4.3), (5.3): Var S = k n p q."""
    ones = data.draw(st.integers(0, m.n))
    pool = pmf(m, ones=ones)
    assert pool.mean == m.k * (ones * m.p + (m.n - ones) * m.q)
    assert pool.variance == m.reports * m.p * m.q


@given(mechanisms, st.data(), st.integers(-2, 60))
def test_tails_are_sums_of_the_pmf(m, data, s):
    ones = data.draw(st.integers(0, m.n))
    pool = list(pmf(m, ones=ones))
    assert pooled(m, ones).at_most(s).value == sum(pool[: max(0, s + 1)])
    assert pooled(m, ones).at_least(s).value == sum(pool[max(0, s) :])


@given(flips, st.integers(201, 400), st.integers(1, 2), st.data())
def test_tails_of_long_pools_hold_the_exact_sum(q, n, k, data):
    m = KRandomization(n=n * 2, q=q, k=k)
    ones, s = data.draw(st.integers(0, m.n)), data.draw(st.integers(0, m.reports))
    pool = pmf(m, ones=ones)
    rtol = Fraction(1, 10**9)
    for found, truth in (
        (pooled(m, ones).at_most(s, rtol=rtol), pool.at_most(s)),
        (pooled(m, ones).at_least(s, rtol=rtol), 1 - pool.at_most(s - 1)),
    ):
        assert found.lower <= truth <= found.upper
        assert found.relative_width() <= rtol
