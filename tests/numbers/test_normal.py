"""The normal distribution against mpmath, which computes the error function on its own."""

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcalc.numbers.limit import Limit
from dpcalc.numbers.normal import hockey_stick, quantile

DIGITS = 400  # of mpmath's; the smallest difference below cancels fewer than 200
chances = st.one_of(
    st.fractions(min_value=Fraction(1, 10**6), max_value=1 - Fraction(1, 10**6), max_denominator=10**6),
    st.integers(1, 60).map(lambda e: Fraction(1, 10**e)),
    st.integers(1, 60).map(lambda e: 1 - Fraction(1, 10**e)),
).filter(lambda p: 0 < p < 1)
sigmas = st.builds(lambda m, e: Fraction(m) * Fraction(10) ** e, st.integers(1, 999), st.integers(-4, 2))
limits = st.one_of(
    st.just(Limit.of(lam=1)),
    st.fractions(1, 100, max_denominator=1000).map(lambda lam: Limit.of(lam=lam)),
    st.fractions(0, 5, max_denominator=1000).map(lambda epsilon: Limit.of(epsilon=epsilon)),
)


def mpf(x):
    return mpmath.mpf(x.numerator) / x.denominator


def phi(x):
    return mpmath.erfc(-x / mpmath.sqrt(2)) / 2


def divergence(sigma, limit):
    """By the definition: P_0 and P_1 of the outcomes below the point where their densities have the ratio lambda."""
    given, s = mpf(limit.given), mpf(sigma)
    lam, epsilon = (mpmath.exp(given), given) if limit.logarithmic else (given, mpmath.log(given))
    best = mpmath.mpf(1) / 2 - epsilon * s**2
    return phi(best / s) - lam * phi((best - 1) / s)


def holds(enclosure, value, rtol):
    """Whether it contains mpmath's value, or stands within its last digits of it, and is as narrow as asked."""
    slack = abs(value) * mpmath.mpf(10) ** -150
    low, high = mpf(enclosure.lower), mpf(enclosure.upper)
    return low - slack <= value <= high + slack and enclosure.relative_width() <= rtol


@given(chances, st.integers(1, 60))
def test_the_quantile_is_the_inverse(p, digits):
    rtol = Fraction(1, 10**digits)
    found = quantile(p, rtol)
    with mpmath.workdps(DIGITS):
        if found.exact:
            assert (found.value, p) == (0, Fraction(1, 2))
        else:
            assert phi(mpf(found.lower)) < mpf(p) < phi(mpf(found.upper))
            assert found.relative_width() <= rtol


@given(sigmas, limits, st.integers(1, 40))
def test_the_divergence_of_two_normals(sigma, limit, digits):
    rtol = Fraction(1, 10**digits)
    with mpmath.workdps(DIGITS):
        value = divergence(sigma, limit)
        if value < mpmath.mpf(10) ** -150:  # the difference cancels more than mpmath carries: too far out
            return
        found = hockey_stick(sigma, limit, rtol)
        assert holds(found, value, rtol)


def test_it_is_exact_in_the_middle():
    assert quantile(Fraction(1, 2)).value == 0


@pytest.mark.parametrize("exponent", [50, 1000, 4000])
def test_at_lambda_1_nothing_cancels(exponent):
    """Phi(h) - Phi(-h) is 2 h phi(0) (1 - h^2/6 + ...) for h = 1/(2 sigma)."""
    sigma = Fraction(10) ** exponent
    found = hockey_stick(sigma, Limit.of(lam=1))
    with mpmath.workdps(60):
        assert abs(mpf(found.upper * sigma) * mpmath.sqrt(2 * mpmath.pi) - 1) < mpmath.mpf(10) ** -38
