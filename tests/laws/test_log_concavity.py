from fractions import Fraction
from math import comb

import pytest
from flint import fmpz_poly
from hypothesis import given
from hypothesis import strategies as st

from dpcalc.errors import DomainError, TooLarge
from dpcalc.laws.log_concavity import dominates, log_concavity
from dpcalc.laws.pmf import coefficients
from dpcalc.mechanisms.pooled_count import log_concavity_in_ones
from dpcalc.mechanisms.response import KRandomization
from tests.oracles.flips import pmf as by_flips
from tests.strategies import flips

sizes = st.integers(min_value=0, max_value=60)


@given(flips, sizes, sizes)
def test_the_recurrence_agrees_with_polynomial_powering(q, likely, unlikely):
    lie, truth = q.numerator, q.denominator - q.numerator
    powered = fmpz_poly([lie, truth]) ** likely * fmpz_poly([truth, lie]) ** unlikely
    found = coefficients(q, likely, unlikely)
    assert [int(c) for c in powered.coeffs()] == list(found.weights)
    assert found.denominator == q.denominator ** (likely + unlikely)


def test_the_recurrence_agrees_with_polynomial_powering_at_a_thousand_reports():
    q = Fraction(1, 10)
    powered = fmpz_poly([1, 9]) ** 400 * fmpz_poly([9, 1]) ** 600
    assert [int(c) for c in powered.coeffs()] == list(coefficients(q, 400, 600).weights)


@given(flips, st.integers(0, 4), st.integers(0, 4))
def test_the_recurrence_agrees_with_every_flip_pattern(q, likely, unlikely):
    assert tuple(coefficients(q, likely, unlikely)) == by_flips((1,) * likely + (0,) * unlikely, q, 1)


def test_equal_reports_are_binomial():
    q = Fraction(2, 7)
    assert list(coefficients(q, 0, 9)) == [comb(9, i) * q**i * (1 - q) ** (9 - i) for i in range(10)]


@given(flips, sizes, sizes)
def test_exchanging_zeros_and_ones_mirrors_the_weights(q, likely, unlikely):
    assert coefficients(q, likely, unlikely).weights == coefficients(q, unlikely, likely).weights[::-1]


def test_a_list_beyond_2_gb_is_refused_before_any_work():
    with pytest.raises(TooLarge, match="the exact pmf of 200,000 reports") as refusal:
        coefficients(Fraction(1, 10), 100_000, 100_000)
    assert refusal.value.size > refusal.value.limit == 2_000_000_000
    assert len(coefficients(Fraction(1, 3), 500, 500)) == 1001


# --- log-concavity ----------------------------------------------------------------------------------------


def directly(terms, ultra=False, strict=False):
    """The first inner index at which the definition fails, in rationals."""
    last = len(terms) - 1
    for i in range(1, last):
        newton = (1 + Fraction(1, i)) * (1 + Fraction(1, last - i)) if ultra else 1
        left, right = Fraction(terms[i]) ** 2, terms[i - 1] * Fraction(terms[i + 1]) * newton
        gap = terms[i] == 0 and any(terms[:i]) and any(terms[i + 1 :])
        if left < right or (strict and left == right) or gap:
            return i
    return None


@given(
    st.lists(st.one_of(st.integers(0, 5), st.integers(0, 2**400), st.fractions(0, 3)), max_size=8),
    st.booleans(),
    st.booleans(),
)
def test_log_concavity_is_the_definition_with_the_first_witness(terms, ultra, strict):
    found = log_concavity(terms, ultra=ultra, strict=strict)
    assert found.witness == directly(terms, ultra, strict)
    assert found.holds is bool(found) is (found.witness is None)


@given(flips, sizes, sizes)
def test_pooled_counts_are_ultra_log_concave(q, likely, unlikely):
    pool = coefficients(q, likely, unlikely)
    assert log_concavity(pool, ultra=True)
    assert log_concavity(pool, strict=True)


def test_one_report_more_or_less_breaks_it_where_it_is_tight():
    """A binomial attains Newton's inequality everywhere: one less at index 5 breaks it there, one more next to it."""
    weights = list(coefficients(Fraction(1, 3), 0, 400).weights)
    assert log_concavity(weights, ultra=True)
    assert not log_concavity(weights, ultra=True, strict=True)
    weights[5] -= 1
    assert log_concavity(weights, ultra=True).witness == 5
    weights[5] += 2
    assert log_concavity(weights, ultra=True).witness == 4


def test_zeros_inside_the_support_are_gaps():
    assert log_concavity([1, 0, 0, 1]).witness == 1
    assert log_concavity([0, 0, 1, 2, 1, 0, 0])
    assert log_concavity([0, 1, 0, 0, 1]).witness == 2
    assert log_concavity([]), log_concavity([0])


def test_a_negative_term_is_refused():
    with pytest.raises(DomainError, match="non-negative terms only"):
        log_concavity([1, -1, 1])


@pytest.mark.parametrize("term", [float("nan"), "x", None])
def test_a_term_that_is_not_a_number_is_refused(term):
    with pytest.raises(DomainError, match=r"^sequence = .* is not allowed"):
        log_concavity([1, term, 1])


def test_a_float_term_is_the_decimal_that_prints_it():
    """0.3^2 = 0.1 * 0.9, which the binary values of the three miss."""
    assert log_concavity([0.1, 0.3, 0.9])
    assert log_concavity(["0.1", "0.3", "0.9"])
    assert not log_concavity([0.1, 0.3, 0.9], strict=True)


big = st.one_of(st.integers(0, 20), st.integers(0, 2**300), st.integers(0, 9).map(lambda j: 2**500 - 4 + j))


@given(big, big, big, st.integers(1, 9), st.integers(1, 9), st.booleans())
def test_leading_bits_never_mislead(x, y, z, middle, sides, strict):
    left, right = middle * x * x, sides * y * z
    assert dominates(x, y, z, middle, sides, strict) is (left > right if strict else left >= right)


@given(st.integers(2**200, 2**400), st.integers(-2, 2))
def test_leading_bits_never_mislead_next_to_equality(x, step):
    assert dominates(x, x, x + step) is (step <= 0)
    assert dominates(x, x, x + step, strict=True) is (step < 0)


@pytest.mark.parametrize("low", [1, 50, 300])
def test_leading_bits_leave_what_they_cannot_settle(low):
    """The leading bits say >, the whole numbers say <; and the other way round."""
    top = 2**127 + 12_345
    x, y, z = top << low, (top << low) - 1, ((top + 2) << low) - 1
    assert x * x < y * z
    assert not dominates(x, y, z)
    x, y, z = ((top + 1) << low) - 1, top << low, (top + 1) << low
    assert x * x > y * z
    assert dominates(x, y, z)


# --- in the number of ones: K16 (4.5) -----------------------------------------------------------------------


@given(flips, st.integers(1, 9), st.integers(1, 3))
def test_outcomes_are_log_concave_in_the_number_of_ones(q, n, k):
    assert log_concavity_in_ones(KRandomization(n=n, q=q, k=k))


@given(flips, st.integers(2, 9), st.integers(1, 3))
def test_strictly_it_fails_at_the_outcome_0(q, n, k):
    """K16 prints > in (4.5); at s = 0 the probability is a geometric sequence in the number of ones, so it is =."""
    assert log_concavity_in_ones(KRandomization(n=n, q=q, k=k), strict=True).witness == (0, 1)


def test_with_one_record_there_is_nothing_to_compare():
    assert log_concavity_in_ones(KRandomization(n=1, q="1/4"), strict=True)


@given(st.integers(1, 6), st.integers(1, 3), st.booleans(), flips)
def test_the_verdict_in_ones_is_that_of_every_flip_pattern(n, k, strict, q):
    """And K16's identity, for one report instead of one record, gives every difference."""
    n = min(n, 9 // k)
    laws = [by_flips((1,) * m + (0,) * (n - m), q, k) for m in range(n + 1)]
    pairs = [
        (i, m)
        for m in range(1, n)
        for i in range(n * k + 1)
        if (gap := laws[m][i] ** 2 - laws[m - 1][i] * laws[m + 1][i]) < 0 or (strict and gap == 0)
    ]
    found = log_concavity_in_ones(KRandomization(n=n, q=q, k=k), strict=strict)
    assert found.witness == (pairs[0] if pairs else None)
    assert not strict or {i for i, _ in pairs} <= {0, n * k}


@given(st.integers(2, 9), flips, st.data())
def test_in_ones_it_is_newtons_inequality_read_across(n, q, data):
    """C(N, j) [x^i] A^j B^(N - j) = C(N, i) [x^j] A^i B^(N - i)."""
    i, j = (data.draw(st.integers(0, n)) for _ in range(2))
    across, down = (by_flips((1,) * ones + (0,) * (n - ones), q, 1) for ones in (j, i))
    assert comb(n, j) * across[i] == comb(n, i) * down[j]


def test_in_ones_nothing_is_too_large():
    assert log_concavity_in_ones(KRandomization(n=1000, q="269/1000", k=50))
    assert log_concavity_in_ones(KRandomization(n=10**9, q="1/4"))
