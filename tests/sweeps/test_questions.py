from decimal import Decimal
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest

import dpcalc as dp
from dpcalc.errors import DomainError, TooLarge
from dpcalc.sweeps.journal import SWEPT
from dpcalc.sweeps.sweep import name_of, questions


def arguments(*given, **grid):
    return [dict(question.arguments) for question in questions(*given, grid)]


def test_the_last_argument_of_a_grid_changes_fastest():
    grid = {"n": range(1, 4), "q": ["1/10", "1/5"], "epsilon": ("1", "2")}
    expected = [
        {"n": str(n), "q": q, "epsilon": epsilon} for n, q, epsilon in product((1, 2, 3), grid["q"], grid["epsilon"])
    ]
    assert arguments("delta", None, **grid) == expected


def test_every_row_meets_every_combination():
    rows = [{"n": 10, "q": 0.1}, {"n": 20, "q": 0.2, "k": 3}]
    assert arguments("delta", rows, lam=[2, 3]) == [
        {"n": "10", "q": "1/10", "lam": "2"},
        {"n": "10", "q": "1/10", "lam": "3"},
        {"n": "20", "q": "1/5", "k": "3", "lam": "2"},
        {"n": "20", "q": "1/5", "k": "3", "lam": "3"},
    ]


@pytest.mark.parametrize(
    "table",
    [
        [{"n": 10, "q": 0.1}, {"n": 20, "q": 0.3}],
        ({"n": n, "q": q} for n, q in [("1e1", Decimal("0.10")), (20, Fraction(3, 10))]),
        {"n": [10, 20], "q": np.array([0.1, 0.3])},
        {"n": np.array([10, 20]), "q": np.array([0.1, 0.3], dtype=np.float32)},
        pd.DataFrame({"n": [10, 20], "q": [0.1, 0.3]}, index=["a", "b"]),
        pd.DataFrame({"n": [10.0, 20.0], "q": ["0.1", "0.3"]}),
    ],
    ids=["rows", "iterator", "columns", "single precision", "frame", "frame of text"],
)
def test_equal_numbers_are_equal_questions_in_every_kind_of_table(table):
    assert arguments("delta", table, lam=2) == [
        {"n": "10", "q": "1/10", "lam": "2"},
        {"n": "20", "q": "3/10", "lam": "2"},
    ]


def test_the_order_of_arguments_makes_no_other_question():
    one, other = (questions("delta", None, dict(pairs)) for pairs in ([("n", 2), ("q", 0.1)], [("q", 0.1), ("n", 2)]))
    assert one[0].key == other[0].key
    assert one[0].key != questions("delta", None, {"n": 2, "q": 0.2})[0].key
    assert one[0].key != questions("epsilon", None, {"n": 2, "q": 0.1, "delta": 0.1})[0].key


def test_chances_stand_in_for_q():
    (question,) = questions("delta", None, {"n": 12, "a": "1/2", "b": "0.1", "lam": "3/2"})
    assert question.ask().value == Fraction(94143178827, 2 * 10**12)


def test_none_in_a_row_is_an_argument_that_is_not_given():
    assert arguments("delta", [{"n": 2, "q": 0.1, "lam": None, "epsilon": 1}]) == [
        {"n": "2", "q": "1/10", "epsilon": "1"}
    ]


@pytest.mark.parametrize("wrong", ["many", "0.1.2", float("nan"), np.float64("inf")])
def test_what_is_no_number_is_left_for_the_function_to_refuse(wrong):
    (question,) = questions("delta", None, {"n": wrong, "q": 0.1, "lam": 2})
    with pytest.raises(DomainError, match=rf"^n = '{wrong}'"):
        question.ask()


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (lambda: name_of("plan"), "function = 'plan' is not allowed: give one of delta, epsilon, least_q"),
        (lambda: name_of(dp.plan), "function = <function plan"),
        (lambda: questions("delta", None, {"n": 2}), "q is missing: give it: delta asks for n, q"),
        (lambda: questions("delta", [{"n": 2, "q": 0.1}, {"n": 3}], {}), "q is missing"),
        (lambda: questions("least_q", None, {"n": 2, "delta": 0.1, "q": 0.1}), "argument = 'q' is not allowed"),
        (lambda: questions("delta", None, {"mechanism": dp.KRandomization(n=2, q=0.1)}), "argument = 'mechanism' is"),
        (lambda: questions("delta", [{"n": 2}], {"q": 0.1, "n": 3}), "argument = 'n' is not allowed: give it in the"),
        (lambda: questions("delta", {"n": [2, 3], "q": [0.1]}, {}), "table = {'n': 2, 'q': 1} is not allowed"),
        (lambda: questions("delta", [[2, 0.1]], {}), r"table, row 1 = \[2, 0.1\] is not allowed: give the"),
        (lambda: questions("delta", "n", {}), "table = 'n' is not allowed: give a table"),
        (lambda: questions("delta", None, {"n": [[2]], "q": 0.1}), r"n = \[2\] is not allowed"),
        (lambda: questions("delta", None, {"n": 10**5000, "q": 0.1}), "n = int of more than 4,300 digits"),
    ],
)
def test_a_sweep_that_cannot_be_meant_is_refused_in_one_line(call, line):
    with pytest.raises(DomainError, match=f"^{line}") as refusal:
        call()
    assert "\n" not in str(refusal.value)


def test_too_many_questions_are_counted_not_made():
    with pytest.raises(TooLarge, match=r"^a sweep needs 1,000,000,000 questions, the limit is 1,000,000 questions"):
        questions("delta", None, {"n": range(1, 1001), "q": range(1000), "lam": range(1000)})


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("delta", {"n": 5, "q": "1/4", "k": 2, "lam": "3/2", "ones": 1, "rtol": "1e-3"}),
        ("delta", {"n": 3, "q": "1/4", "epsilon": "1/2", "categories": 3, "ones": 2, "neighbours": "delete"}),
        ("delta", {"n": 3, "q": "1/4", "epsilon": "1/2", "rounds": 2}),
        ("epsilon", {"n": 2, "q": "2/5", "delta": "0.1", "categories": 2, "rounds": 2}),
        ("least_q", {"n": 3, "delta": "0.1", "lam": 2, "categories": 3, "rounds": 2, "rtol": "0.1"}),
        ("least_q", {"n": 5, "delta": "0.1", "lam": 2, "bits": 2, "dataset": "identical"}),
        ("most_rounds", {"n": 3, "q": "0.4", "lam": 4, "delta": "0.1", "categories": 3, "ones": 2}),
        ("gaussian_sigma", {"lam": 4, "delta": "0.1"}),
        ("epsilon", {"n": 5, "q": "1/4", "delta": "0.1", "k": 2, "ones": 1, "rtol": "1e-3"}),
        ("least_q", {"n": 5, "delta": "0.1", "lam": "3/2", "k": 2, "rtol": "1e-3"}),
        ("least_n", {"q": "1/4", "delta": "0.1", "lam": "3/2", "k": 2, "rtol": "1e-3"}),
        ("most_k", {"n": 1000, "q": "1/4", "delta": "0.1", "lam": "3/2"}),
    ],
)
def test_a_question_asks_the_public_function(name, given):
    (question,) = questions(name, None, given)
    rest = dict(given)
    if name in ("delta", "epsilon", "most_rounds"):
        rounds, held = rest.pop("rounds", 1), ["categories", "ones", "neighbours"] if "categories" in rest else []
        kind = dp.UnaryEncoding if held else dp.KRandomization
        once = kind(**{x: rest.pop(x) for x in ("n", "q", "k", *held) if x in rest})
        rest["mechanism"] = once if rounds == 1 else dp.Rounds([(once, rounds)])
    assert question.ask() == getattr(dp, name)(**rest)
    assert set(given) <= set(SWEPT[name].own)
