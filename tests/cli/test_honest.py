"""--dropouts and --colluding: as many users fewer, or as many more where n is asked for."""

import json
import re

import pytest

from tests.cli.test_cli import run

Q, TARGET = ["--q", "0.2"], ["--lam", "2", "--delta", "1e-3"]


@pytest.mark.parametrize(
    "command",
    [
        ["epsilon", *Q, "--delta", "1e-3"],
        ["tradeoff", *Q, "--false-positive", "1/8", "--ones", "0"],
        ["vector-delta", *Q, "--lam", "2", "--bits", "2"],
        ["least-q", *TARGET, "--rtol", "0.1"],
        ["most-k", *Q, "--lam", "2", "--delta", "0.1"],
        ["most-rounds", *Q, "--lam", "9", "--delta", "0.1", "--rtol", "0.5"],
        ["plan", "--lam", "2", "--k", "1"],
    ],
    ids=lambda command: command[0],
)
def test_who_hides_nobody_is_left_out(command, capsys):
    answer = run(capsys, *command, "--n", "24", "--colluding", "11")
    assert answer == run(capsys, *command, "--n", "13")
    assert answer[0] == 0


@pytest.mark.parametrize(
    ("lost", "left"),
    [
        (["--dropouts", "11"], "60"),
        (["--colluding", "11"], "60"),
        (["--dropouts", "4%", "--colluding", "10%"], "61"),  # of 71 together 9.94
        (["--dropouts", "4%", "--colluding", "10"], "58"),
    ],
)
def test_numbers_and_shares_of_users(lost, left, capsys):
    command = ["delta", *Q, "--lam", "2"]
    assert run(capsys, *command, "--n", "71", *lost) == run(capsys, *command, "--n", left)
    document = json.loads(run(capsys, *command, "--n", "71", *lost, "--json")[1])
    assert document["inputs"]["n"] == "71"
    assert document["inputs"][lost[0][2:]] == lost[1]


@pytest.mark.parametrize(
    "lost", [["--dropouts", "7"], ["--colluding", "1/3%"], ["--dropouts", "3", "--colluding", "98%"]]
)
def test_a_batch_is_the_smallest_with_so_many_honest_users(lost, capsys):
    _, out, _ = run(capsys, "least-n", *Q, *TARGET, *lost)
    fewest = int(re.search(r"holds at n = (\d+)", out)[1])
    batch = int(re.search(r"a batch of ([\d,]+) users has so many honest ones", out)[1].replace(",", ""))
    assert json.loads(run(capsys, "least-n", *Q, *TARGET, *lost, "--json")[1])["batch"] == batch
    enough, fewer = (run(capsys, "delta", *Q, "--lam", "2", "--n", str(n), *lost)[1] for n in (batch, batch - 1))
    assert enough == run(capsys, "delta", *Q, "--lam", "2", "--n", str(fewest))[1]
    assert fewer == run(capsys, "delta", *Q, "--lam", "2", "--n", str(fewest - 1))[1]
    assert "batch" not in run(capsys, "least-n", *Q, *TARGET)[1]
