from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcalc.mechanisms.pooled_count import pmf, pooled
from dpcalc.mechanisms.response import KRandomization
from tests.oracles.rounds import law
from tests.strategies import mechanisms

SMALL = [(n, k) for n, k in product(range(1, 8), (1, 2, 3)) if n * k <= 12]


@pytest.mark.parametrize(("n", "k"), SMALL)
@pytest.mark.parametrize("q", ["1/5", "49/100"])
def test_the_pmf_counts_every_flip_pattern(n, k, q):
    m = KRandomization(n=n, q=q, k=k)
    for ones in range(n + 1):
        assert list(pmf(m, ones=ones)) == law(ones, n - ones, m.q, k)


@given(mechanisms, st.data(), st.integers(-2, 60))
def test_tails_are_sums_of_the_pmf(m, data, s):
    ones = data.draw(st.integers(0, m.n))
    pool = list(pmf(m, ones=ones))
    assert pooled(m, ones).at_most(s).value == sum(pool[: max(0, s + 1)])
    assert pooled(m, ones).at_least(s).value == sum(pool[max(0, s) :])
