"""The registry agrees with the functions that it names, and with the checker, which imports nothing of it."""

from inspect import signature

import pytest

from dpcalc import check
from dpcalc.errors import DomainError
from dpcalc.questions import CERTIFICATE, QUESTIONS

DESCRIBED = {"n", "q", "a", "b", "k", "categories", "neighbours", "rounds", "ones"}  # of a mechanism
ROWS = {row.function: row for row in QUESTIONS}


@pytest.mark.parametrize("row", QUESTIONS, ids=list(ROWS))
def test_a_row_has_the_arguments_of_its_function(row):
    taken = dict(signature(row.call).parameters)
    assert row.mechanism == ("mechanism" in taken)
    own = set(row.own)
    assert own - set(taken) <= (DESCRIBED if row.mechanism else set())
    assert set(taken) - own <= {"mechanism", "progress"}
    for name in own & set(taken):
        typed = row.own[name]
        assert (typed.needed or typed.default is not None) >= (taken[name].default is taken[name].empty)
        assert not typed.needed or taken[name].default is taken[name].empty or (row.function, name) == ("most_k", "q")


@pytest.mark.parametrize("row", QUESTIONS, ids=list(ROWS))
def test_an_argument_has_one_name_and_one_place(row):
    assert len({argument.name for argument in row.arguments}) == len(row.arguments)


def test_the_checker_knows_what_has_a_certificate():
    certified = {row.function for row in QUESTIONS if CERTIFICATE in row.arguments}
    assert certified | {"local_q"} == set(check.QUESTIONS)
    summed = {name for names, *_ in check.SUMMED.values() for name in names.split()}  # mechanisms of their own
    for name in certified:
        given, unknown, _ = check.QUESTIONS[name]
        assert set(given.split()) - {"rounds"} - summed <= set(ROWS[name].own)
        assert unknown == {"delta": "", "most_rounds": "times"}.get(name, ROWS[name].answer)


def test_ones_describe_the_histogram_where_there_is_one_and_the_others_elsewhere():
    pool = {"n": "5", "q": "1/4"}
    bits = ROWS["delta"].read({**pool, "lam": "2", "ones": "3"})
    assert (bits["mechanism"].n, bits["ones"]) == (5, "3")
    histogram = ROWS["delta"].read({**pool, "lam": "2", "ones": "3", "categories": "4"})
    assert (histogram["mechanism"].ones, histogram["mechanism"].categories) == (3, 4)
    assert set(histogram) == {"mechanism", "lam"}
    with pytest.raises(DomainError, match=r"^ones = '3' is not allowed: give only 1 without categories"):
        ROWS["most_rounds"].read({**pool, "lam": "2", "delta": "0.1", "ones": "3"})
