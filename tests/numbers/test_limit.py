import pytest

from dpcalc.errors import DomainError
from dpcalc.numbers.limit import Limit


@pytest.mark.parametrize("written", ["ln(2)", " ln ( 2.0 ) ", "ln(4/2)"])
def test_the_logarithm_of_a_ratio_is_that_ratio(written):
    assert Limit.of(epsilon=written) == Limit.of(lam=2)


@pytest.mark.parametrize("written", ["ln(0.5)", "ln(x)", "ln()", "ln2", "log(2)", "ln(-1)", "ln(1e9999)"])
def test_other_logarithms_are_refused_with_the_spelling(written):
    with pytest.raises(DomainError, match=r"such as 0.5 or ln\(2\)") as refused:
        Limit.of(epsilon=written)
    assert refused.value.argument == "epsilon"


@pytest.mark.parametrize(
    ("given", "text"),
    [("1/3", "1/3"), ("0.25", "0.25"), ("1000000000000000000000/7000000000000000001", "142.85714285714285712...")],
)
def test_a_limit_is_shown_as_it_was_given_or_as_a_decimal_where_that_is_long(given, text):
    assert str(Limit.of(epsilon=given)) == f"epsilon = {text}"
