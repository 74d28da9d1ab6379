"""The examples that any checker of the format has to accept, and those that it has to refuse."""

import json
from pathlib import Path

import pytest

from dpcalc import check
from tests.certificates.test_check import REFUSED, claim, truth

ACCEPTED = sorted((Path(__file__).parents[1] / "data" / "certificates" / "accepted").glob("*.json"))


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.stem)
def test_an_example_is_accepted_and_so(path):
    accepted, words = check.examined(path.read_bytes())
    assert accepted, words
    assert truth(claim(json.loads(path.read_text(encoding="utf-8"))))


@pytest.mark.parametrize("path", REFUSED, ids=lambda path: path.stem)
def test_an_example_is_refused(path):
    accepted, words = check.examined(path.read_bytes())
    assert not accepted
    assert words.startswith("Not proven: ")


def test_the_examples_are_of_every_kind():
    accepted = [json.loads(path.read_text(encoding="utf-8")) for path in ACCEPTED]
    knots = [knot for file in accepted for kind in file.get("rounds", []) for knot in kind["knots"]]
    assert {file["question"]["what"] for file in accepted} == set(check.QUESTIONS)
    used = {block["by"] for file in [*accepted, *knots] for block in file.get("blocks", [])}
    assert used == {"ratio", "sum", "circle", "envelope"}
    assert {file["dataset"]["by"] for file in accepted if "dataset" in file} == {"sum", "circle"}
    assert len(REFUSED) > 200
