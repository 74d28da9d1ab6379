from fractions import Fraction
from math import comb

import mpmath
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from dpcalc.errors import DomainError
from dpcalc.laws.pool import binomial_at_least, binomial_at_most

chances = st.one_of(
    st.fractions(0, 1, max_denominator=100), st.sampled_from([Fraction(1, 10**9), 1 - Fraction(1, 10**9)])
)


def exact(n, p, s):
    return sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(max(0, s + 1)) if i <= n)


@given(st.integers(0, 40), chances, st.integers(-2, 42), st.integers(1, 40))
def test_tails_hold_the_exact_rational_and_are_as_narrow_as_asked(n, p, s, digits):
    rtol = Fraction(1, 10**digits)
    low, high = binomial_at_most(n, p, s, rtol=rtol), binomial_at_least(n, p, s + 1, rtol=rtol)
    assert low.lower <= exact(n, p, s) <= low.upper
    assert high.lower <= 1 - exact(n, p, s) <= high.upper
    for found in (low, high):
        assert found.relative_width() <= rtol


@given(st.integers(0, 40), chances, st.integers(-2, 42))
def test_tails_that_are_0_or_1_are_exactly_so(n, p, s):
    found, truth = binomial_at_most(n, p, s), exact(n, p, s)
    assert found.exact or 0 < truth < 1
    if truth in (0, 1):
        assert found.value == truth


@pytest.mark.parametrize(
    ("n", "p", "s"),
    [(10**4, "1/10", 900), (10**4, "1/10", 1100), (5000, "1/3", 1000), (2000, "0.499", 40), (10**6, "0.001", 700)],
)
def test_every_digit_agrees_with_mpmath(n, p, s):
    """mpmath sums the tail term by term, in 80 digits: no beta function."""
    chance = Fraction(p)
    with mpmath.workdps(80):
        p_, q_ = (
            mpmath.mpf(chance.numerator) / chance.denominator,
            1 - mpmath.mpf(chance.numerator) / chance.denominator,
        )
        term = mpmath.exp(
            mpmath.loggamma(n + 1) - mpmath.loggamma(s + 1) - mpmath.loggamma(n - s + 1)
            + s * mpmath.log(p_) + (n - s) * mpmath.log(q_)
        )  # fmt: skip
        total, i = mpmath.mpf(0), s
        while i >= 0 and term > total * mpmath.mpf(10) ** -60:
            total += term
            term *= i * q_ / ((n - i + 1) * p_)
            i -= 1
        found = binomial_at_most(n, p, s, rtol=Fraction(1, 10**30))
        low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (found.lower, found.upper))
        slack = total * mpmath.mpf(10) ** -50
        assert low - slack <= total <= high + slack


@given(st.integers(1, 10**6), st.integers(1, 999), st.floats(-8, 8, allow_nan=False))
def test_the_tails_are_those_of_the_beta_function(n, thousandths, sigmas):
    """P[Bin(n, p) >= s] = I_p(s, n - s + 1)."""
    p = Fraction(thousandths, 1000)
    s = min(n, max(1, round(n * float(p) + sigmas * (n * float(p * (1 - p))) ** 0.5)))
    at_least, below = binomial_at_least(n, p, s), binomial_at_most(n, p, s - 1)
    before, ctx.prec = ctx.prec, 200
    try:
        truth = arb(fmpq(thousandths, 1000)).beta_lower(arb(s), arb(n - s + 1), 1)
        for found, ball in ((at_least, truth), (below, 1 - truth)):
            low, high = (arb(fmpq(end.numerator, end.denominator)) for end in (found.lower, found.upper))
            assert ball.is_finite()
            assert not low > ball
            assert not high < ball
    finally:
        ctx.prec = before


def test_a_tail_of_a_million_million_reports():
    """9.8650326059877368e-10 as by the incomplete beta function."""
    found = binomial_at_most(10**12, "1/10", 10**11 - 1_800_000)
    assert found.lower < Fraction("9.8650326059877369e-10")
    assert found.upper > Fraction("9.8650326059877367e-10")


def test_the_two_sides_of_a_faint_tail_keep_their_digits():
    tiny = binomial_at_least(1000, "1/100", 900)
    assert tiny.lower > 0
    assert tiny.relative_width() <= Fraction(1, 10**12)
    assert binomial_at_most(1000, "99/100", 100).lower == tiny.lower


def test_a_narrow_width_is_reached():
    found = binomial_at_most(10**6, "1/3", 333_000, rtol=Fraction(1, 10**400))
    assert found.relative_width() <= Fraction(1, 10**400)


def test_more_trials_than_the_series_can_sum_are_refused_at_once():
    assert binomial_at_least(10**15, "1/2", 5 * 10**14) > Fraction(1, 2)
    for tail in (binomial_at_least, binomial_at_most):
        with pytest.raises(DomainError, match=r"^n = 1000000000000001 "):
            tail(10**15 + 1, "1/2", 5 * 10**14)


@pytest.mark.parametrize(("p", "s"), [("6.527e-12", 264_225_251_896), ("1e-12", 10**6), ("1/1000", 9 * 10**11)])
def test_all_but_a_faint_tail_is_found_at_once(p, s):
    """At p = 6.527e-12 the beta function took over 20 s; Markov's inequality alone leaves less than 3e-6 here."""
    found = binomial_at_most(10**12, p, s)
    assert 1 - Fraction(1, 10**12) < found.lower < 1 == found.upper
    assert binomial_at_least(10**12, 1 - Fraction(p), 10**12 - s) == found
