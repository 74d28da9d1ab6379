"""Printing, comparing and leaving enclosures; their arithmetic has its own file."""

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcalc.errors import DomainError, Undecided
from dpcalc.numbers.enclosure import Enclosure

numbers = st.one_of(
    st.fractions(min_value=-(10**6), max_value=10**6),
    st.builds(lambda m, e: Fraction(m) * Fraction(10) ** e, st.integers(-(10**6), 10**6), st.integers(-40, 40)),
)
enclosures = st.tuples(numbers, st.one_of(st.just(Fraction(0)), st.fractions(0, 1), st.fractions(0, 10**-9))).map(
    lambda x: Enclosure(x[0], x[0] + x[1])
)


def truncated(x, digits):
    """The first ``digits`` significant digits of x, towards zero, by the decimal module."""
    with localcontext() as context:
        context.prec, context.rounding = digits, "ROUND_DOWN"
        return Decimal(x.numerator) / Decimal(x.denominator)


@given(enclosures, st.integers(min_value=1, max_value=50))
def test_printed_digits_are_those_of_every_number_inside(x, count):
    text = format(x, str(count))
    if text.startswith("["):
        low, high = (Fraction(end) for end in text.strip("[]").split(", "))
        assert low <= x.lower <= x.upper <= high
    elif "..." in text:
        shown = text.replace("...", "", 1)
        digits = len(shown.partition("e")[0].replace(".", "").lstrip("-0"))
        assert 1 <= digits <= count
        for end in (x.lower, (x.lower + x.upper) / 2, x.upper):
            assert truncated(end, digits) == Decimal(shown)
    else:
        assert x.lower == x.upper == Fraction(text)


@given(enclosures)
def test_as_many_digits_are_certain_as_are_printed(x):
    if x.exact:
        assert x.digits is None
    elif x.lower * x.upper > 0:
        assert x.digits < 4000
        agree = truncated(x.lower, x.digits + 1) == truncated(x.upper, x.digits + 1)
        assert not agree, "one more digit was certain"
        if x.digits:
            assert truncated(x.lower, x.digits) == truncated(x.upper, x.digits)


@pytest.mark.parametrize(
    ("low", "high", "spec", "text"),
    [
        ("1/3", "1/3", "", "1/3"),
        ("1/3", "1/3", "5", "0.33333..."),
        ("3.14159", "3.14160", "", "3.141..."),
        ("3.14159", "3.141591", "3", "3.14..."),
        ("1.25e-9", "1.26e-9", "", "1.2...e-9"),
        ("-3.15", "-3.14", "", "-3.1..."),
        ("0.25", "0.25", "10", "0.25"),
        ("-1", "1", "", "[-1, 1]"),
        ("9.99", "10.01", "", "[9.99, 10.01]"),
        ("0", "0", "5", "0"),
        ("1e-7", "1e-7", "3", "1e-7"),
        ("-1/3", "2/3", "", "[-0.33333334, 0.66666667]"),
    ],
)
def test_layout(low, high, spec, text):
    assert format(Enclosure(Fraction(low), Fraction(high)), spec) == text


def test_a_fraction_with_more_digits_than_python_prints_is_shown_as_a_decimal():
    long = Enclosure.of(Fraction(1, 3**20_000))
    assert str(long) == f"{long:17}"
    assert str(long).endswith("...e-9543")
    with pytest.raises(Undecided, match="cannot be decided"):
        assert Enclosure(Fraction(0), Fraction(1)) < long.value


@given(enclosures, enclosures)
def test_comparison_answers_only_what_the_ends_prove(x, y):
    pairs = [(a, b) for a in (x.lower, x.upper) for b in (y.lower, y.upper)]
    for operation in ("__lt__", "__le__", "__gt__", "__ge__"):
        answers = {getattr(a, operation)(b) for a, b in pairs}
        if len(answers) == 1:
            assert getattr(x, operation)(y) is answers.pop()
        else:
            with pytest.raises(Undecided, match="cannot be decided"):
                getattr(x, operation)(y)


@given(enclosures, enclosures)
def test_equality_is_three_way_too(x, y):
    if x.exact and y.exact:
        assert (x == y) is (x.lower == y.lower)
    elif x.upper < y.lower or y.upper < x.lower:
        assert (x == y) is False
    else:
        with pytest.raises(Undecided):
            assert x == y
    assert x == x
    assert hash(x) == hash(Enclosure(x.lower, x.upper))


def test_an_exact_enclosure_equals_and_hashes_like_its_number():
    assert Enclosure.of(Fraction(1, 3)) == Fraction(1, 3)
    assert hash(Enclosure.of(3)) == hash(3)
    assert Enclosure.of(3) != "3"
    assert Enclosure.of(3).value == 3


@given(enclosures)
def test_leaving_exact_arithmetic_rounds_outward(x):
    low, high = (Fraction(m) * Fraction(2) ** e for m, e in map(_man_exp, x.mpi()._mpi_))
    assert low <= x.lower <= x.upper <= high
    mantissa, exponent = _man_exp(x.mpf()._mpf_)
    middle = Fraction(mantissa) * Fraction(2) ** exponent
    assert abs(middle - (x.lower + x.upper) / 2) <= max(x.upper - x.lower, abs(x.upper) / 2**100)
    assert float(x) == float((x.lower + x.upper) / 2)


def _man_exp(x):
    sign, mantissa, exponent, _ = x
    return (-1) ** sign * int(mantissa), int(exponent)


def test_the_midpoint_holds_every_certain_digit():
    third = Fraction(10**60, 3)
    x = Enclosure(third, third + Fraction(1, 10**20))
    mantissa, exponent = _man_exp(x.mpf()._mpf_)
    assert x.lower <= Fraction(mantissa) * Fraction(2) ** exponent <= x.upper


def test_relative_width():
    assert Enclosure(Fraction(4), Fraction(5)).relative_width() == Fraction(1, 4)
    assert Enclosure(Fraction(-5), Fraction(-4)).relative_width() == Fraction(1, 4)
    assert Enclosure.of(0).relative_width() == 0
    with pytest.raises(Undecided, match="may be 0"):
        Enclosure(Fraction(0), Fraction(1)).relative_width()


def test_refusals():
    with pytest.raises(DomainError, match="an end not above upper = 1"):
        Enclosure(Fraction(2), Fraction(1))
    with pytest.raises(Undecided, match=r"take \.lower or \.upper"):
        _ = Enclosure(Fraction(1), Fraction(2)).value
    for spec in ("x", "0", "4001", "3.5"):
        with pytest.raises(DomainError, match="a number of significant digits from 1 to 4000"):
            format(Enclosure.of(1), spec)


def test_the_representation_is_readable_at_any_length():
    assert repr(Enclosure.of(Fraction(1, 3))) == "Enclosure(lower=Fraction(1, 3), upper=Fraction(1, 3))"
    assert (
        repr(Enclosure.of(Fraction(1, 3**10_000)))
        == "Enclosure(lower=6.1298917239524145...e-4772, upper=6.1298917239524145...e-4772)"
    )
