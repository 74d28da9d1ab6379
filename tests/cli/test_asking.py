"""A command is built from a row, and shows each kind of answer as that kind is shown."""

from argparse import ArgumentParser

import pytest

import dpcalc as dp
from dpcalc.cli.asking import command
from dpcalc.cli.command import add
from dpcalc.questions import DELTA, LIMIT, QUESTIONS, Argument, Question

ROWS = {row.function: row for row in QUESTIONS}


def asked(row, *words):
    made, parser = command(row), ArgumentParser()
    for argument in made.arguments:
        add(parser, argument)
    return made.run(parser.parse_args(words))


def test_a_row_is_a_command():
    """The least trials have no row of their own."""
    probability = Argument("probability", "of one trial (default 1/2)")
    row = Question("least_trials", "trials", "the fewest trials", (*LIMIT, DELTA, probability), "least-trials")
    made = command(row)
    assert (made.name, made.summary, made.example) == ("least-trials", "the fewest trials", "least-trials")
    found = dp.least_trials(lam=2, delta="0.1", probability="1/3")
    said = asked(row, "--lam", "2", "--delta", "0.1", "--probability", "1/3")
    assert said.text.startswith(f"trials = {found.value}\nproven: holds")
    assert said.content["value"] == str(found.value)
    with pytest.raises(SystemExit, match="2"):
        asked(row, "--lam", "2")


def test_an_epsilon_that_is_found_is_warned_of_as_one_that_is_asked_for():
    found = asked(ROWS["epsilon"], "--n", "100", "--q", "1e-7", "--delta", "1e-9")
    assert found.text.splitlines()[-1].startswith("warning: epsilon = 16.1180955")
    assert len(found.content["warnings"]) == 1
