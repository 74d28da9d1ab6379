import json
from fractions import Fraction
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcalc as dp
from dpcalc.numbers.bracket import Bracket
from dpcalc.report import aligned, bracket, bracket_lines, digits, document, exactly, plain, shown

CELLS = st.text("ab1 .", max_size=5)
ROWS = st.integers(1, 4).flatmap(lambda size: st.lists(st.tuples(*[CELLS] * size), min_size=1, max_size=5))
THIRD = Fraction(1, 3)


@given(ROWS, st.booleans())
def test_cells_stand_in_columns_two_spaces_apart(rows, right):
    lines = aligned(rows, right=right)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row, line in zip(rows, lines, strict=True):
        assert line == line.rstrip()
        rest = line.ljust(sum(widths) + 2 * len(widths))
        for cell, width in zip(row, widths, strict=True):
            assert rest[:width] == (cell.rjust(width) if right else cell.ljust(width))
            assert rest[width : width + 2] == "  "
            rest = rest[width + 2 :]


def test_a_ragged_table_is_refused():
    assert aligned([]) == []
    with pytest.raises(ValueError, match="argument 2 is longer"):
        aligned([["a"], ["a", "b"]])


def test_digits_are_truncated_and_an_exact_number_is_not():
    assert digits(dp.Enclosure.of("2/3"), 4) == "0.6666"
    assert digits(dp.Enclosure.of("1/8"), 4) == "0.125"
    assert digits(dp.Enclosure("0.12345", "0.12399"), 17) == "0.123"


@given(st.fractions())
def test_an_exact_number_can_be_typed_again(x):
    assert Fraction(exactly(x)) == Fraction(plain(x)) == x


def test_a_decimal_is_written_out_up_to_200_digits():
    assert exactly(Fraction(1, 10**250)) == "1e-250"
    assert exactly(Fraction(1, 2**200)).startswith("6.223")
    assert exactly(Fraction(1, 2**300)) == f"1/{2**300}"


@pytest.mark.parametrize(("value", "text"), [("a", "a"), ("", "''"), (" a", "' a'"), ("a b", "a b"), (3, "3")])
def test_text_that_would_not_be_seen_is_quoted(value, text):
    assert shown(value) == text


def test_every_value_has_one_shape():
    narrow = dp.Enclosure(Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**60))
    value = {"n": 3, "q": Fraction(1, 4), "yes": True, "none": None, "far": inf, "rows": [(1, THIRD)], "sigma": narrow}
    found = json.loads(json.dumps(plain({**value, Fraction(1, 2): "half"})))
    ends = found.pop("sigma")
    assert found == {
        "n": 3, "q": "1/4", "yes": True, "none": None, "far": "inf", "rows": [[1, "1/3"]], "1/2": "half",
    }  # fmt: skip
    assert Fraction(ends["lower"]) <= narrow.lower < narrow.upper <= Fraction(ends["upper"])
    assert ends["digits"] == "0." + 40 * "3" + "..."


def answer(*, holds_above=True, lower=THIRD, upper=Fraction(1, 2)):
    at_lower, at_upper = dp.Enclosure.of(7), dp.Enclosure.of(8)
    return Bracket(lower=lower, upper=upper, at_lower=at_lower, at_upper=at_upper, holds_above=holds_above)


def test_a_bracket_names_the_end_to_use():
    assert bracket("q", answer(lower=Fraction(1, 2))) == {
        "q": {"value": "1/2"}, "value": "0.5", "safe": "upper", "at_lower": {"value": "7"}, "at_upper": {"value": "8"},
        "meaning": "both ends: the condition itself",
    }  # fmt: skip
    below = bracket("k", answer(holds_above=False))
    assert (below["value"], below["safe"]) == ("1/3", "lower")
    assert Fraction(below["k"]["lower"]) <= THIRD
    assert Fraction(below["k"]["upper"]) == Fraction(1, 2)


def test_a_bracket_has_a_proof_at_each_end():
    holds, fails = (f"proven: {word} at q = " for word in ("holds", "fails"))
    quantity = ", where the bounded quantity is "
    assert bracket_lines("q", answer())[1:] == [f"{holds}0.5{quantity}8", f"{fails}1/3{quantity}7"]
    assert bracket_lines("q", answer(holds_above=False))[1:] == [f"{holds}1/3{quantity}7", f"{fails}0.5{quantity}8"]
    assert bracket_lines("q", answer(upper=THIRD)) == ["q = 1/3", f"{holds}1/3{quantity}8"]


def test_a_document_says_what_was_asked_and_of_which_version():
    found = document({"delta": dp.Enclosure.of("1/8")}, inputs={"n": 2, "q": Fraction(1, 4)})
    assert found == {"version": dp.__version__, "inputs": {"n": 2, "q": "1/4"}, "delta": {"value": "1/8"}}


def test_a_cell_is_one_line_whatever_it_says():
    assert aligned([["name", "holds"], ["a\nno\u202e", "yes"]]) == ["name         holds", r"a\nno\u202e  yes"]
    assert (shown("a\nb"), shown("a\u2028b"), shown(" a")) == (r"a\nb", r"a\u2028b", "' a'")
