from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcalc.mechanisms.response import KRandomization, RandomizedResponse
from tests.strategies import flips, mechanisms


@given(flips)
def test_every_parameter_leads_back_to_q(q):
    one = RandomizedResponse(q)
    assert one.p + one.q == 1
    assert (one.f, one.gamma, one.alpha) == (2 * q, Fraction(1, 2) - q, 1 - 2 * q)
    assert RandomizedResponse.from_f(one.f) == one
    assert RandomizedResponse.from_gamma(one.gamma) == one
    assert RandomizedResponse.from_alpha(one.alpha) == one


@given(flips, st.integers(1, 9), st.integers(1, 9))
def test_the_pool_takes_the_same_parameters(q, n, k):
    pool = KRandomization(n=n, q=q, k=k)
    assert KRandomization.from_f(n=n, f=2 * q, k=k) == pool
    assert KRandomization.from_gamma(n=n, gamma=Fraction(1, 2) - q, k=k) == pool
    assert KRandomization.from_alpha(n=n, alpha=1 - 2 * q, k=k) == pool
    assert (pool.reports, pool.odds, pool.p) == (k * n, (1 - q) / q, 1 - q)


@given(
    st.fractions(min_value=Fraction(1, 1000), max_value=50, max_denominator=1000), st.integers(1, 5), st.integers(1, 3)
)
def test_a_local_epsilon_is_kept_and_hardly_more_noise_is_added(epsilon, k, bits):
    pool = KRandomization.from_epsilon(n=1, epsilon=epsilon, k=k, bits=bits)
    assert pool.local_epsilon <= epsilon + Fraction(1, 10**37)
    with mpmath.workdps(60):
        share = mpmath.mpf(epsilon.numerator) / epsilon.denominator / (k * bits)
        least = 1 / (1 + mpmath.exp(share))
        given_q = mpmath.mpf(pool.q.numerator) / pool.q.denominator
        assert least * (1 - mpmath.mpf(10) ** -55) <= given_q <= least * (1 + mpmath.mpf(10) ** -38)


@given(mechanisms)
def test_the_local_ratio_is_that_of_all_reports(m):
    assert m.local_ratio == m.odds**m.k
    with mpmath.workdps(60):
        truth = m.k * mpmath.log(
            mpmath.mpf(m.p.numerator) / m.p.denominator / (mpmath.mpf(m.q.numerator) / m.q.denominator)
        )
        low, high = (mpmath.mpf(e.numerator) / e.denominator for e in (m.local_epsilon.lower, m.local_epsilon.upper))
        slack = truth * mpmath.mpf(10) ** -48  # mpmath's own, next to q = 1/2
        assert low - slack <= truth <= high + slack
    assert KRandomization(n=m.n, q=m.q, k=m.k, bits=3).local_ratio == m.local_ratio**3


@pytest.mark.parametrize("digits", [1, 39, 80, 3000])
def test_a_tiny_epsilon_has_a_q_below_one_half(digits):
    """q = 1/2 - epsilon/4 + O(epsilon^3)."""
    epsilon = Fraction(1, 10**digits)
    q = RandomizedResponse.from_epsilon(epsilon).q
    assert abs((Fraction(1, 2) - q) * 4 / epsilon - 1) < epsilon**2 + Fraction(1, 10**19)
