"""The notes' local bound for records of several bits."""

from fractions import Fraction
from math import comb, isqrt

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcalc.errors import TooLarge
from dpcalc.local.solvers import local_q
from dpcalc.numbers.limit import Limit


def squared_bound(q, n, k, bits):
    """The variance of the mean likelihood ratio of kn reports, from the report's distribution."""
    odds = (1 - q) / q
    moment = sum(
        comb(bits, ones) * (1 - q) ** ones * q ** (bits - ones) * odds ** (2 * (bits - 2 * ones))
        for ones in range(bits + 1)
    )
    return (moment - 1) / (n * k)


@settings(max_examples=20)
@given(
    st.integers(1, 10**9),
    st.integers(1, 50),
    st.integers(1, 8),
    st.fractions(min_value=Fraction(101, 100), max_value=50),
)
def test_the_closed_bound_holds_at_the_upper_end_and_not_at_the_lower(n, k, bits, lam):
    found = local_q(n=n, k=k, lam=lam, bits=bits)
    assert found.upper - found.lower < Fraction(1, 10**30) * found.upper
    for q, holds in ((found.upper, True), (found.lower, False)):
        # (1 + 3 sqrt(x))^k against lambda, by rationals on either side of the root
        x = 9 * squared_bound(q, n, k, bits)
        scale = 10**80
        low = Fraction(isqrt(int(x * scale**2)), scale)
        if holds:
            assert (1 + low) ** k <= lam
        else:
            assert (1 + low + Fraction(2, scale)) ** k >= lam


@pytest.mark.parametrize(("n", "bits", "sides"), [(1000, 1, 1), (1000, 1, 2), (30, 3, 1), (30, 3, 2)])
def test_the_variance_of_one_report_each_is_the_closed_form(n, bits, sides):
    closed = local_q(n=n, lam=2, bits=bits, sides=sides)
    found = local_q(n=n, lam=2, bits=bits, sides=sides, method="variance")
    assert found.lower <= closed.upper
    assert closed.lower <= found.upper
    assert found.upper - found.lower < Fraction(1, 10**12) * found.upper


@pytest.mark.parametrize("lam", [2, 10**6, 10**16])
@pytest.mark.parametrize("rtol", ["0.9", "1e-6"])
def test_the_two_sided_variance_bound_is_finite_at_both_ends(lam, rtol):
    """1/(1 - z sqrt(Var R)), for k = 1 with Var R = (E w^2 - 1)/n."""
    found = local_q(n=1000, lam=lam, method="variance", sides=2, rtol=rtol)
    assert found.at_upper <= lam <= found.at_lower
    for q, bound in ((found.upper, found.at_upper), (found.lower, found.at_lower)):
        reach = 9 * squared_bound(q, 1000, 1, 1)
        assert (1 - 1 / bound.upper) ** 2 >= reach >= (1 - 1 / bound.lower) ** 2
        assert reach < 1


def as_mpf(x):
    return mpmath.mpf(x.numerator) / x.denominator


def lambda_of(limit):
    return mpmath.mpf(limit["lam"]) if "lam" in limit else mpmath.exp(mpmath.mpf(limit["epsilon"]))


def variance_bound(q, n, k, bits, sides):
    """1 + 3 sqrt(Var R) or, for two sides, 1/(1 - 3 sqrt(Var R)), by mpmath from the overlap of two samples."""
    x, total = as_mpf(q), n * k
    moment = (1 / (x * (1 - x)) - 3) ** bits
    samples = mpmath.binomial(total, k)
    overlaps = range(max(0, 2 * k - total), k + 1)
    mean = sum(mpmath.binomial(k, j) * mpmath.binomial(total - k, k - j) * moment**j for j in overlaps) / samples
    reach = 3 * mpmath.sqrt(mean - 1)
    return 1 + reach if sides == 1 else 1 / (1 - reach)


@pytest.mark.parametrize("limit", [{"epsilon": "0.5"}, {"lam": "1.1"}])
@pytest.mark.parametrize(("k", "bits", "sides"), [(1, 1, 1), (2, 1, 1), (5, 3, 1), (1, 2, 2), (2, 1, 2), (5, 1, 2)])
@pytest.mark.parametrize("rtol", ["0.5", "1e-60", "1e-120"])
def test_the_variance_bound_fails_at_the_lower_end_and_holds_at_the_upper(limit, k, bits, sides, rtol):
    found = local_q(n=1000, k=k, bits=bits, sides=sides, method="variance", rtol=rtol, **limit)
    with mpmath.workdps(300):
        lam = lambda_of(limit)
        assert variance_bound(found.lower, 1000, k, bits, sides) > lam
        assert variance_bound(found.upper, 1000, k, bits, sides) <= lam
        assert as_mpf(found.at_upper.upper) <= lam < as_mpf(found.at_lower.lower)
    assert found.upper - found.lower <= Fraction(rtol) * found.lower


@pytest.mark.parametrize("sides", [1, 2])
def test_a_huge_limit_is_answered_or_refused(sides):
    found = local_q(n=1000, epsilon=800, sides=sides, method="variance", rtol="1e-3")
    assert found.at_upper.upper <= Limit.of(epsilon=800).ends.upper <= found.at_lower.upper
    with pytest.raises(TooLarge, match="4,096 bits"):
        local_q(n=1000, epsilon=10**5, sides=sides, method="variance")
