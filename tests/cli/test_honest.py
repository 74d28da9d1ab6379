"""--dropouts and --colluding: as many users fewer, or as many more where n is asked for."""

import json
import re

import pytest

from dpcalc.cli import main

Q, TARGET = ["--q", "0.2"], ["--lam", "2", "--delta", "1e-3"]


def run(capsys, *arguments):
    status = main(list(arguments))
    found = capsys.readouterr()
    return status, found.out, found.err


@pytest.mark.parametrize(
    "command",
    [
        ["delta", *Q, "--lam", "2"],
        ["epsilon", *Q, "--delta", "1e-3"],
        ["tradeoff", *Q, "--false-positive", "1/8"],
        ["vector-delta", *Q, "--lam", "2", "--bits", "2"],
        ["least-q", *TARGET],
        ["most-k", *Q, "--lam", "2", "--delta", "0.1"],
        ["most-rounds", *Q, "--lam", "9", "--delta", "0.1"],
        ["plan", "--lam", "2", "--k", "1"],
    ],
    ids=lambda command: command[0],
)
@pytest.mark.parametrize(
    "lost", [["--dropouts", "11"], ["--colluding", "11"], ["--dropouts", "4%", "--colluding", "10%"]]
)
def test_who_hides_nobody_is_left_out(command, lost, capsys):
    """Of 71, 4 % and 10 % are 9.94."""
    answer = run(capsys, *command, "--n", "71", *lost)
    assert answer == run(capsys, *command, "--n", "60" if "11" in lost else "61")
    assert answer[0] == 0
    document = json.loads(run(capsys, *command, "--n", "71", *lost, "--json")[1])
    assert document["inputs"]["n"] == "71"
    assert document["inputs"][lost[0][2:]] == lost[1]


@pytest.mark.parametrize(
    "lost", [["--dropouts", "7"], ["--colluding", "1/3%"], ["--dropouts", "3", "--colluding", "98%"]]
)
def test_a_batch_is_the_smallest_with_so_many_honest_users(lost, capsys):
    _, out, _ = run(capsys, "least-n", *Q, *TARGET, *lost)
    fewest = int(re.search(r"holds at n = (\d+)", out)[1])
    batch = int(re.search(r"a batch of (\d+) users has so many honest ones", out)[1])
    assert json.loads(run(capsys, "least-n", *Q, *TARGET, *lost, "--json")[1])["batch"] == batch
    enough, fewer = (run(capsys, "delta", *Q, "--lam", "2", "--n", str(n), *lost)[1] for n in (batch, batch - 1))
    assert enough == run(capsys, "delta", *Q, "--lam", "2", "--n", str(fewest))[1]
    assert fewer == run(capsys, "delta", *Q, "--lam", "2", "--n", str(fewest - 1))[1]
    assert "batch" not in run(capsys, "least-n", *Q, *TARGET)[1]


@pytest.mark.parametrize(
    ("lost", "complaint"),
    [
        (["--dropouts", "10"], "n = '10' is not allowed: give more users than drop out or collude: 10 of 10"),
        (["--dropouts", "50%", "--colluding", "9"], "n = '10' is not allowed: give more users than drop out"),
        (["--dropouts", "50%", "--colluding", "50%"], "colluding = '50%' is not allowed: give a whole number of users"),
        (["--dropouts", "-1%"], "dropouts = '-1%' is not allowed"),
        (["--dropouts", "-1"], "dropouts = '-1' is not allowed: give a whole number >= 0"),
        (["--colluding", "x%"], "colluding = 'x' is not allowed: give a whole number of users >= 0, or a share"),
        (["--colluding", "0.5"], "colluding = '0.5' is not allowed"),
    ],
)
def test_losses_that_leave_nobody_give_one_line(lost, complaint, capsys):
    status, out, err = run(capsys, "delta", "--n", "10", *Q, "--lam", "2", *(f"{a}" for a in lost))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert complaint in err
