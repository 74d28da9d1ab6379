from itertools import repeat

import numpy as np
import pytest

from dpcalc.errors import DomainError
from dpcalc.numbers.lists import as_list, flag, one_of, one_or_many


@pytest.mark.parametrize(
    "values", [[1, 2], (1, 2), iter([1, 2]), np.array([1, 2]), {1: "a", 2: "b"}.keys(), range(1, 3)]
)
def test_what_can_be_gone_through_is_a_list(values):
    assert as_list(values, "ns", "numbers") == [1, 2]


@pytest.mark.parametrize("values", [repeat(1), range(10**9), range(101), iter(range(101))])
def test_what_never_ends_is_refused(values):
    with pytest.raises(DomainError, match=r"^ns = 'more than 100 values' is not allowed: give numbers$"):
        as_list(values, "ns", "numbers", 100)
    assert len(as_list(range(100), "ns", "numbers", 100)) == 100


@pytest.mark.parametrize(
    "value", ["12", b"12", bytearray(b"12"), memoryview(b"12"), 12, None, np.array(12), np.str_("12"), {1, 2}, {1: 2}]
)
def test_text_and_single_values_are_no_list_but_one_value(value):
    with pytest.raises(DomainError, match=r"^ns = .* is not allowed: give numbers$"):
        as_list(value, "ns", "numbers")
    (only,) = one_or_many(value)
    assert only is value


@pytest.mark.parametrize(
    "value", ["open", "", "clos", None, 0, ["closed"], np.array("closed"), np.array(["closed"] * 2)]
)
def test_nothing_but_a_name_is_a_name(value):
    assert one_of(np.str_("closed"), "method", ("closed", "real")) == "closed"
    with pytest.raises(DomainError, match=r"^method = .* is not allowed: give one of closed, real$"):
        one_of(value, "method", ("closed", "real"))


@pytest.mark.parametrize(("value", "meant"), [(True, True), (0, False), (np.False_, False), (np.array(True), True)])
def test_yes_and_no(value, meant):
    assert flag(value, "strict") is meant


@pytest.mark.parametrize("value", ["no", None, [], np.array([True]), np.array([]), np.float64(1.0), 1.0, 2, -1])
def test_neither_yes_nor_no(value):
    with pytest.raises(DomainError, match=r"^strict = .* is not allowed: give True or False$"):
        flag(value, "strict")
