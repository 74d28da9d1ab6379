"""Printing, comparing and leaving enclosures; their arithmetic has its own file."""

import copy
import html
import math
import pickle
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcalc.errors import DomainError, Undecided
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.promise import Promise, double_beyond
from dpcalc.worst.datasets import Dataset, Delta

numbers = st.one_of(
    st.fractions(min_value=-(10**6), max_value=10**6),
    st.builds(lambda m, e: Fraction(m) * Fraction(10) ** e, st.integers(-(10**6), 10**6), st.integers(-40, 40)),
)
enclosures = st.tuples(numbers, st.one_of(st.just(Fraction(0)), st.fractions(0, 1), st.fractions(0, 10**-9))).map(
    lambda x: Enclosure(x[0], x[0] + x[1])
)


def passed(x, protocol):
    """To another process and back."""
    return pickle.loads(pickle.dumps(x, protocol))


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
        ("15.99999484", "16", "", "[15.999994, 16]"),
        ("15.9999999999999", "16.00000000000001", "", "[15.9999999999999, 16.0000000000001]"),
        ("-16", "-15.99999484", "", "[-16, -15.999994]"),
        ("0.199", "0.2001", "", "[0.199, 0.2001]"),
        ("1.0001e-8", "1.2e-8", "", "1...e-8"),
        ("9.9e-9", "9.95e-9", "", "9.9...e-9"),
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


# --- equality ---------------------------------------------------------------------------------------------


@given(enclosures, enclosures)
def test_equality_is_three_way_too(x, y):
    if (x.lower, x.upper) == (y.lower, y.upper):
        assert x == y
    elif x.upper < y.lower or y.upper < x.lower:
        assert (x == y) is False
    else:
        with pytest.raises(Undecided):
            assert x == y


@given(enclosures, numbers)
def test_a_number_inside_is_neither_equal_nor_unequal(x, number):
    if x.exact or not x.lower <= number <= x.upper:
        assert (x == number) is (x.lower == x.upper == number)
        assert (number != x) is (x != number) is not (x == number)
    else:
        with pytest.raises(Undecided, match=r"== .* cannot be decided"):
            assert x == number


#: Numbers that are easily equal: the same few, in every type.
few = st.sampled_from(
    [Fraction(0), Fraction(1), Fraction(-3), Fraction(1, 2), Fraction(1, 10), Fraction(1, 3), Fraction(2**70)]
)
written = [
    Fraction, float, lambda x: Decimal(x.numerator) / x.denominator, lambda x: np.float64(float(x)), round,
    lambda x: np.float32(float(x)), lambda x: Fraction(float(x)), lambda x: np.int64(x % 7),
]  # fmt: skip
held = [Enclosure.of, lambda x: Enclosure.of(float(x)), lambda x: Enclosure.of(Fraction(float(x))),
        lambda x: Enclosure(x, x + 1)]  # fmt: skip


def built(forms):
    return st.builds(lambda form, x: form(x), st.sampled_from(forms), few)


@given(built(held), built(held + written))
def test_what_is_equal_hashes_alike(x, y):
    try:
        equal = x == y
    except Undecided:
        return
    assert equal == (y == x)
    assert equal != (x != y)
    if equal:
        assert hash(x) == hash(y)
    assert bool(equal) is (y in {x}) is (x in {y})


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, *(partial(passed, protocol=i) for i in range(6))])
@given(x=enclosures)
def test_a_copy_equals_its_original(again, x):
    for original in (x, Delta(x.lower, x.upper, Dataset(3, 1))):
        copied = again(original)
        assert type(copied) is type(original)
        assert copied == original
        assert {original: 1}[copied] == 1
        assert repr(copied) == repr(original)


def test_a_float_is_the_double_it_is_only_in_an_equality():
    tenth, half = Enclosure.of("0.1"), Enclosure.of("0.5")
    assert half == 0.5 == half
    assert tenth != 0.1
    assert tenth == Decimal("0.1")
    assert tenth == Enclosure.of(0.1)
    assert tenth <= 0.1 <= tenth
    assert Enclosure.of(Fraction(0.1)) == 0.1


@pytest.mark.parametrize(
    "other", ["3", math.inf, -math.inf, math.nan, Decimal("NaN"), Decimal("sNaN"), Decimal("-inf"), None, 3j, "x", (3,)]
)
def test_what_is_no_finite_number_is_unequal(other):
    assert Enclosure.of(3) != other
    assert Enclosure(2, 4) != other


def test_equal_only_in_name():
    assert Enclosure.of(1) != True  # noqa: E712
    assert Enclosure.of(5) != np.timedelta64(5, "D")
    assert Enclosure.of(1) != Decimal("1e999999999")  # not written out to be compared


def test_numbers_of_numpy_do_not_overflow():
    assert Enclosure.of(2**62) != np.int64(5)
    assert Enclosure.of(Fraction(1, 2**62)) < np.int64(5)
    assert Enclosure.of(3) == np.int64(3) == Enclosure.of(3)


@given(enclosures)
def test_a_real_of_mpmath_and_a_float_are_the_midpoint(x):
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


@pytest.mark.parametrize(("lower", "upper", "shown"), [
    (1, -1, "[1, -1]"), (1, 0, "[1, 0]"), (0, -1, "[0, -1]"), (2, 1, "[2, 1]"), (-1, -2, "[-1, -2]"),
    ("3.14159267", "3.14159266", "[3.14159267, 3.14159266]"),
])  # fmt: skip
def test_ends_that_are_refused_can_be_looked_at(lower, upper, shown):
    """A debugger prints what was given, in whatever order it is."""
    ends = Fraction(lower), Fraction(upper)
    with pytest.raises(DomainError, match="lower = "):
        Enclosure(*ends)
    assert repr(Enclosure.trusted(*ends)) == f"Enclosure({shown})"


def test_the_representation_is_readable_at_any_length():
    assert repr(Enclosure.of(Fraction(1, 3))) == "Enclosure(1/3)"
    assert repr(Enclosure.of(Fraction(1, 3**10_000))) == "Enclosure(6.1298917239524145...e-4772)"
    x = Enclosure(Fraction("0.69252099"), Fraction("0.6925301"))
    assert repr(x) == "Enclosure(0.6925..., at most 0.69254)"
    assert repr(Enclosure(Fraction(-1), Fraction(1))) == "Enclosure([-1, 1])"


def test_a_format_of_few_digits_is_rounded_up():
    third = Enclosure(Fraction(1, 3), Fraction(334, 1000))
    assert (f"{third:.2g}", f"{third:.3g}", f"{third:.4g}") == ("0.34", "0.334", "0.334")
    assert f"{Enclosure.of(-third.lower):.2g}" == "-0.33"
    assert (f"{third:.1e}", f"{third:.0e}", f"{third:.2f}", f"{third:.4f}") == ("3.4e-1", "4e-1", "0.34", "0.3340")
    assert (f"{Enclosure.of('9.996'):.2e}", f"{Enclosure.of(0):.1f}") == ("1.00e+1", "0.0")
    for spec in (".0g", ".g", ".3%", "e"):
        with pytest.raises(DomainError, match=f"^format = '{spec}' is not allowed"):
            format(third, spec)


@given(enclosures, st.integers(0, 40))
def test_rounded_it_is_not_below_its_upper_end(x, places):
    found = round(x, places)
    assert x.upper <= Fraction(found) < x.upper + Fraction(1, 10**places)
    assert format(x, f".{places}f") == format(found, "f")
    shown = format(x, f".{places}e")
    assert x.upper <= Fraction(shown)
    assert len(shown.split("e")[0].lstrip("-").replace(".", "")) == places + 1
    assert not x.upper or abs(Fraction(shown) - x.upper) < abs(Fraction(shown)) * Fraction(10) ** -places
    assert round(x) == math.ceil(x.upper)


@given(enclosures)
def test_the_absolute_value_is_that_of_every_number_inside(x):
    inside = [abs(end) for end in (x.lower, x.upper)] + [Fraction(0)] * (x.lower <= 0 <= x.upper)
    assert (abs(x).lower, abs(x).upper) == (min(inside), max(inside))


# --- promises ---------------------------------------------------------------------------------------------


@given(enclosures, st.sampled_from([-1, 1]))
def test_a_double_beyond_a_number_is_the_nearest_that_is_read_and_held_there(x, side):
    near = double_beyond(x.upper, side)
    step = math.nextafter(near, -side * math.inf)
    assert (Fraction(near) - x.upper) * side >= 0
    assert (Fraction(repr(near)) - x.upper) * side >= 0
    assert min((Fraction(step) - x.upper) * side, (Fraction(repr(step)) - x.upper) * side) < 0


@given(enclosures)
def test_a_promise_as_a_float_is_its_safe_end(x):
    assert float(Promise.that(x)) == double_beyond(x.upper, 1)
    assert float(Promise.that(x)) >= x.upper


def test_a_promise_says_for_whom_its_ends_are_proven():
    found = Promise(Fraction(1), Fraction(2), attained_by="some", proven_for="all")
    assert found.meaning == "lower: reached by some; upper: holds for all"
    assert Promise(Fraction(1), Fraction(2), attained_by="all", proven_for="all").meaning == "both ends: all"
    assert repr(found) == "Promise([1, 2], attained_by='some', proven_for='all')"
    assert repr(Promise(Fraction(1), Fraction(2))) == "Promise([1, 2])"
    assert found._repr_html_() == f"<pre>{html.escape(repr(found))}\n{found.meaning}</pre>"
    for again in (copy.copy(found), pickle.loads(pickle.dumps(found))):
        assert (again, again.words) == (found, found.words)


@pytest.mark.parametrize(
    ("lower", "upper", "note"),
    [
        ("1", "1.01", None),
        ("1", "1.011", "wider than aimed at: the relative width is 0.011, not 0.01"),
        ("0", "0.1", "wider than aimed at: no lower end above 0 is proven"),
        ("0", "0", None),
    ],
)
def test_a_promise_says_that_it_is_wider_than_aimed_at(lower, upper, note):
    found = Promise(Fraction(lower), Fraction(upper))
    assert (found.note, found.aimed(Fraction(1, 100)).note) == (None, note)
