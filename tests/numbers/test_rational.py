import re
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

import dpcalc
from dpcalc.errors import DomainError
from dpcalc.numbers.rational import at_least, between, integer, positive, probability, rational, reduced

NINE = Fraction(9, 1000)


@pytest.mark.parametrize(
    "written",
    ["0.009", "9/1000", " 9e-3 ", 0.009, Decimal("0.009"), Fraction(9, 1000), sympy.Rational(9, 1000),
     np.float64(0.009), np.float32(0.009)],
)  # fmt: skip
def test_a_number_is_what_is_written(written):
    assert rational(written, "q") == NINE
    assert type(rational(written, "q")) is Fraction


@pytest.mark.parametrize("written", [1000, "1e3", 1000.0, Decimal(1000), sympy.Integer(1000), np.int64(1000), "1000/1"])
def test_a_whole_number_may_be_written_in_any_way(written):
    assert integer(written, "n", minimum=1) == 1000
    assert type(integer(written, "n", minimum=1)) is int


@pytest.mark.parametrize("written", ["1,234,567", " 1,234,567 ", "1234567", "1_234_567"])
def test_a_count_may_be_written_as_it_is_printed(written):
    assert integer(written, "n", minimum=1) == 1_234_567


@pytest.mark.parametrize("written", ["12%", " 12 % ", "1.2e1%", "3/25", "0.12"])
def test_a_share_may_be_written_in_percent(written):
    assert between(written, "q", 0, "1/2") == probability(written, "delta") == Fraction(3, 25)


@pytest.mark.parametrize(("written", "power"), [("10^-6", -6), ("10^3", 3), (" 10^+2", 2)])
def test_a_power_of_ten_may_be_written_as_it_is_printed(written, power):
    assert rational(written, "delta") == Fraction(10) ** power


@pytest.mark.parametrize(
    "written", ["0,009", "1,5", "50,00", "1,0000", "0,123", "50k", "5m", "10^^2", "10^x", "1,00.5"]
)
def test_what_may_mean_two_things_is_refused_with_the_spelling(written):
    with pytest.raises(DomainError, match=r"such as 1000, 1,000 or 1e3$"):
        integer(written, "n", minimum=1)
    with pytest.raises(DomainError, match=r"such as 0\.01, 1/100 or 1e-2$"):
        between(written, "q", 0, 1)


@pytest.mark.parametrize("refused", ["1,000", "12%"])
def test_thousands_are_counted_and_shares_are_below_1(refused):
    with pytest.raises(DomainError):
        rational(refused, "epsilon")


@pytest.mark.parametrize("written", ["\uff11", "\u0663", "1\u00b2", "\u00bd", "1\u00a0000"])
def test_other_digits_than_these_are_refused(written):
    for read in (partial(integer, minimum=1), partial(between, low=0, high=10), rational):
        with pytest.raises(DomainError):
            read(written, "n")


def test_a_date_is_no_count():
    for date in (np.datetime64("2020"), np.timedelta64(5, "D")):
        with pytest.raises(DomainError):
            integer(date, "n", minimum=1)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_the_shortest_decimal_that_prints_it(x):
    assert rational(x, "x") == Fraction(repr(x))
    assert float(rational(x, "x")) == x


@given(st.fractions())
def test_fractions_and_their_text_pass_unchanged(x):
    assert rational(x, "x") is x
    assert rational(str(x), "x") == x


@pytest.mark.parametrize(
    "refused",
    ["a", "", "nan", "inf", "1/0", "1e5000", "1e-5000", "1e1_000_000_00", "1e-1_0_000", "1e1__0", "9" * 4001,
     float("nan"), float("inf"), Decimal("NaN"), True,
     1j, None, b"1", [1], sympy.sqrt(2)],
)  # fmt: skip
def test_what_is_not_a_number_is_refused_by_name(refused):
    with pytest.raises(DomainError) as refusal:
        rational(refused, "q")
    assert refusal.value.argument == "q"
    assert refusal.value.value is refused
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 250


def test_the_longest_numbers_that_are_read():
    assert rational("9" * 4000, "x") == 10**4000 - 1
    assert rational("1e-4000", "x") == Fraction(1, 10**4000)


def meant(text):
    """The number as Python's Fraction reads it, within the limits of length."""
    exponent = re.search(r"[eE]([+-]?\d+)$", text.strip().replace("_", ""))
    if exponent and (len(text.strip()) > 40 or abs(int(exponent[1])) > 4000):
        return None
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None


@pytest.mark.parametrize(
    "example",
    ["1e4001", "1e-4001", "0e5000", "1e999999999", "0.001e1001", "1e1000", "-1e-1000", "1" * 40 + ".5e3",
     "1" * 39 + "e1", "nan1", "-Infinity", "1__0", "_1", "1_0/3",
     "+1/3", "-1/3", "1/-3", "1/0", "0/5", "1/2/3", "1 2", "1\x002",
     " 1\n", "\x1f1", "1.", ".5", ".", "-0", "0x10", "1e", "e5"],
)  # fmt: skip
def test_a_short_text_is_read_as_python_reads_it(example):
    assert read(example) == meant(example)


@given(st.text(alphabet="0123456789.eE+-/_ ", max_size=12))
def test_any_short_text_is_read_as_python_reads_it(text):
    assert read(text) == meant(text)


@given(st.integers(-(10**50), 10**50), st.integers(-60, 60), st.sampled_from(["{}e{}", "{}E{}", " {}e{:+} "]))
def test_decimals_with_exponents_are_read_as_python_reads_them(digits, exponent, form):
    text = form.format(digits, exponent)
    assert read(text) == meant(text)


def read(text):
    try:
        return rational(text, "x")
    except DomainError:
        return None


@given(st.fractions())
def test_a_fraction_that_is_reduced_already_is_like_any_other(x):
    made = reduced(x.numerator, x.denominator)
    assert type(made) is Fraction
    assert (made, hash(made), repr(made), made + 1) == (x, hash(x), repr(x), x + 1)


def test_reading_leaves_the_callers_decimal_context_alone():
    with localcontext() as context:
        context.prec = 3
        context.clear_flags()
        assert rational("0.12345678", "x") == Fraction(12345678, 10**8)
        with pytest.raises(DomainError):
            rational("1.2.3", "x")
        assert not any(context.flags.values())


@pytest.mark.parametrize("count", [10**4000 + 1, -(10**5000), 10**5000], ids=["longer", "negative", "far longer"])
def test_a_count_is_no_longer_than_a_number_typed(count):
    with pytest.raises(
        DomainError, match=r"^k = .* is not allowed: give a whole number >= 1, of at most 4,000 digits$"
    ):
        integer(count, "k", minimum=1)
    assert integer(10**4000, "k", minimum=1) == 10**4000


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (lambda: integer(2.5, "n", minimum=1), "n = 2.5 | a whole number >= 1"),
        (lambda: integer(0, "n", minimum=1), "n = 0 | a whole number >= 1"),
        (lambda: integer(11, "s", minimum=0, maximum=10), "s = 11 | a whole number from 0 to 10"),
        (lambda: integer("x", "n", minimum=1), "n = 'x' | a whole number >= 1"),
        (lambda: between("1/2", "q", 0, "1/2", "a probability"), "q = '1/2' | a probability with 0 < q < 1/2"),
        (lambda: between(95, "c", 0, 1, "a probability"), "c = 95 | a probability with 0 < c < 1, such as 95%"),
        (lambda: between(60, "q", 0, "1/2"), "q = 60 | a number with 0 < q < 1/2"),
        (lambda: between(0, "q", 0, "1/2"), "q = 0 | a number with 0 < q < 1/2"),
        (lambda: at_least("0.99", "lam", 1), "lam = '0.99' | a number >= 1"),
        (lambda: probability("-0.1", "delta"), "delta = '-0.1' | a number with 0 <= delta <= 1"),
        (lambda: probability("1.1", "delta"), "delta = '1.1' | a number with 0 <= delta <= 1"),
        (lambda: positive(0, "error"), "error = 0 | a number > 0"),
        (lambda: positive(8, "v", maximum=7), "v = 8 | a number with 0 < v <= 7"),
    ],
)
def test_out_of_range_is_refused_with_one_line(call, line):
    with pytest.raises(DomainError) as refusal:
        call()
    assert str(refusal.value) == line.replace(" | ", " is not allowed: give ")


def test_the_ends_that_are_included():
    assert integer(10, "s", minimum=0, maximum=10) == 10
    assert integer(0, "s", minimum=0, maximum=10) == 0
    assert (probability(0, "delta"), probability(1, "delta")) == (0, 1)
    assert (at_least(1, "lam", 1), positive(7, "v", maximum=7)) == (1, 7)


def test_a_long_value_is_shortened_in_the_message():
    with pytest.raises(DomainError, match=r"^q = 'x+\.\.\.x+' is not allowed"):
        rational("x" * 200, "q")


@pytest.mark.parametrize("many", [[1, 2], (1,), range(3), np.array([1.0, 2.0])])
def test_many_numbers_are_for_a_sweep(many):
    for read in (
        partial(rational, many, "x"),
        partial(integer, many, "n", minimum=1),
        partial(between, many, "q", 0, 1),
    ):
        with pytest.raises(DomainError, match=r"; many at once: dpcalc\.sweep\(.*\)$") as refused:
            read()
    assert len(eval(str(refused.value).rpartition("; many at once: ")[2], {"dpcalc": dpcalc})) == 2
