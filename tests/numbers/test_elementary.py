from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcalc.errors import DomainError, TooLarge, Undecided
from dpcalc.numbers import elementary
from dpcalc.numbers.elementary import compound, exp, log, root


def contains(enclosure, evaluate, x):
    """Whether the enclosure holds a 400-digit value of mpmath's."""
    with mpmath.workdps(400):
        value = evaluate(mpmath.mpf(x.numerator) / x.denominator)
        low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (enclosure.lower, enclosure.upper))
        return low <= value <= high


@given(st.fractions(min_value=-500, max_value=500), st.integers(min_value=1, max_value=60))
def test_exp_holds_the_value_and_is_as_narrow_as_asked(x, digits):
    found = exp(x, rtol=Fraction(1, 10**digits))
    assert contains(found, mpmath.exp, x)
    assert found.relative_width() <= Fraction(1, 10**digits)


@given(st.fractions(min_value=Fraction(1, 10**9), max_value=10**9), st.integers(min_value=1, max_value=60))
def test_log_holds_the_value_and_is_as_narrow_as_asked(x, digits):
    found = log(x, rtol=Fraction(1, 10**digits))
    assert contains(found, mpmath.log, x)
    assert found.relative_width() <= Fraction(1, 10**digits)


@pytest.mark.parametrize("x", [1 + Fraction(1, 10**6000), 1 - Fraction(1, 10**6000), Fraction(1, 10**6000)])
def test_log_keeps_its_digits_next_to_1_and_next_to_0(x):  # nearer to 1 than the highest precision tried
    assert log(x).relative_width() <= Fraction(1, 10**20)


def test_rational_values_are_exact():
    assert exp(Fraction(0)).value == 1
    assert log(Fraction(1)).value == 0


def test_log_refuses_zero():
    with pytest.raises(DomainError, match="x = Fraction\\(0, 1\\) is not allowed: give a positive number"):
        log(Fraction(0))


@pytest.mark.parametrize("x", [10**7, 10**40])
def test_exp_refuses_what_does_not_fit(x):
    with pytest.raises((TooLarge, Undecided)):
        exp(Fraction(x))


@given(st.fractions("-0.5", 3, max_denominator=1000), st.integers(1, 300), st.integers(1, 40))
def test_a_power_less_one_is_held_however_long_it_is(x, k, digits):
    exact = compound(x, k).value
    assert exact == (1 + x) ** k - 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(elementary, "_EXACT_BITS", -1)
        found = compound(x, k, Fraction(1, 10**digits))
    assert found.lower <= exact <= found.upper
    assert found.relative_width() <= Fraction(1, 10**digits)


def test_roots_beyond_machine_words():
    """2^(1/k) - 1 is ln 2 / k to a relative 1/k."""
    found = root(Fraction(2), 10**20, rtol=Fraction(1, 10**40))
    assert (
        Fraction("0.6931471805599453094e-20")
        < found.lower - 1
        < found.upper - 1
        < Fraction("0.69314718055994530943e-20")
    )
