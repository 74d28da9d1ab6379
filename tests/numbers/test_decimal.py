"""Digits against the decimal module of the standard library, which divides and rounds on its own."""

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcalc.numbers.decimal import decimal, rounded

numbers = st.one_of(
    st.fractions(min_value=-(10**6), max_value=10**6),
    st.builds(lambda m, e: Fraction(m) * Fraction(10) ** e, st.integers(-(10**6), 10**6), st.integers(-40, 40)),
).filter(bool)
counts = st.integers(min_value=1, max_value=30)


def divided(x, digits, rounding):
    with localcontext() as context:
        context.prec, context.rounding = digits, rounding
        return Decimal(x.numerator) / Decimal(x.denominator)


@given(numbers, counts)
def test_a_decimal_of_one_number_is_itself_or_truncated(x, count):
    text = decimal(x, x, count)
    if "..." in text:
        assert Decimal(text.replace("...", "")) == divided(x, count, "ROUND_DOWN")
    else:
        assert Fraction(text) == x


@given(numbers, counts)
def test_an_end_is_rounded_the_way_it_is_told(x, count):
    assert Decimal(rounded(x, count, 1)) == divided(x, count, "ROUND_CEILING")
    assert Decimal(rounded(x, count, -1)) == divided(x, count, "ROUND_FLOOR")


@pytest.mark.parametrize(
    ("x", "text"),
    [
        ("0.00001", "0.00001"),
        ("0.000001", "1e-6"),
        ("1e20", "100000000000000000000"),
        ("1e21", "1e+21"),
        ("-12.5", "-12.5"),
        ("0", "0"),
    ],
)
def test_short_numbers_are_laid_out_as_people_write_them(x, text):
    assert decimal(Fraction(x), Fraction(x), 17) == rounded(Fraction(x), 17, 1) == text
