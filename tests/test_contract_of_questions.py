"""Every question is asked of every mechanism of the registry: there is an answer, or one clear line why there is none.

A question of ``dpcalc.questions`` takes its arguments from ``VALUES`` by name. Those that are no command have a line in
``QUESTIONS``, and a test finds the public function that has none.
"""

import inspect

import pytest

import dpcalc as dp
from dpcalc.numbers.enclosure import Between
from dpcalc.questions import QUESTIONS as ROWS
from tests.registry import MECHANISMS, QUESTIONS, VALUES

BY_ROW = {row.function: row for row in ROWS}
SLOW = {"most_rounds", "privacy_loss"}
ROUNDS = {"rounds of bits": dp.Rounds([(dp.KRandomization(n=5, q="1/4"), 3)])}
ALL = {name: mechanism for name, (mechanism, _) in MECHANISMS.items()} | ROUNDS


def test_every_public_question_about_a_mechanism_has_a_line():
    public = {name: getattr(dp, name) for name in dp.__all__}
    about = {
        name for name, one in public.items()
        if inspect.isfunction(one) and next(iter(inspect.signature(one).parameters), None) == "mechanism"
    }  # fmt: skip
    assert about == {row.function for row in ROWS if row.mechanism} | set(QUESTIONS)


def arguments(row):
    """Those that must be given, by the row or by its command, and a limit."""
    return {
        name: VALUES[name]
        for name, argument in row.own.items()
        if name in VALUES and (argument.needed or argument.default is not None or name == "epsilon")
    }


def asked(question, mechanism):
    if question in QUESTIONS:
        return QUESTIONS[question](mechanism)
    row = BY_ROW[question]
    about = inspect.signature(row.call).parameters  # the others describe the mechanism
    return row.call(mechanism, **{name: x for name, x in arguments(row).items() if name in about})


@pytest.mark.parametrize("question", [
    pytest.param(name, marks=[pytest.mark.soak] * (name in SLOW))
    for name in [*(row.function for row in ROWS if row.mechanism), *QUESTIONS]
])  # fmt: skip
@pytest.mark.parametrize("mechanism", ALL)
def test_there_is_an_answer_or_one_clear_line(mechanism, question):
    try:
        found = asked(question, ALL[mechanism])
    except dp.DpcalcError as refusal:
        line = str(refusal)
        assert 0 < len(line) < 600
        assert "\n" not in line
    else:
        assert found is not None
        if isinstance(found, Between):
            assert found.lower <= found.upper
            assert "\n" not in str(found)


@pytest.mark.parametrize("row", [row for row in ROWS if not row.mechanism], ids=lambda row: row.function)
def test_a_solver_finds_where_its_condition_holds(row):
    found = row.call(**arguments(row))
    assert (found.lower if isinstance(found, Between) else found) > 0
    assert "\n" not in str(found)
