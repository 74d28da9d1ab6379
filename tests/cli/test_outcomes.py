"""``dpcalc ratio`` of many outcomes, ``pmf``, ``log-concavity`` and ``count-interval``."""

import csv
import json
from fractions import Fraction

import pytest

import dpcalc as dp
from dpcalc.cli import main
from tests.cli.test_cli import run

POOL = ["--n", "10", "--q", "1/4"]


def test_all_ratios_as_a_table_a_document_and_a_file(capsys, tmp_path):
    m = dp.KRandomization(n=10, q="1/4")
    status, out, _ = run(capsys, "ratio", *POOL, "--s", "all", "--lam", "2")
    assert status == 0
    assert out.startswith(dp.ratios(m).table())
    assert "within 3 sigma: s = 4 to 10, probability 261225/262144" in out
    target = tmp_path / "ratios.csv"
    _, out, _ = run(capsys, "ratio", *POOL, "--s", "2-9", "--ones", "4", "--lam", "3/2", "--csv", str(target), "--json")
    document, found = json.loads(out), dp.ratios(m, ones=4)[2:10]
    assert [row["s"] for row in document["ratios"]] == list(range(2, 10))
    assert [Fraction(row["ratio"]["value"]) for row in document["ratios"]] == list(found)
    assert document["ratio_exceeds"]["s"] == [found.above(lam="3/2").outcomes[0], found.above(lam="3/2").outcomes[-1]]
    assert Fraction(document["window"]["probability"]["value"]) == found.window().probability.value
    with target.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["s"]) for row in rows] == list(range(2, 10))
    for row, exact in zip(rows, found, strict=True):
        assert 0 <= exact - Fraction(row["ratio"]) < exact / 10**15


def test_ratios_are_drawn(capsys, tmp_path):
    status, _, _ = run(capsys, "ratio", *POOL, "--s", "all", "--plot", str(tmp_path / "a.svg"), "--sigmas", "1")
    assert status == 0
    assert (tmp_path / "a.svg").read_text(encoding="utf-8").lstrip().startswith("<?xml")


def test_ten_million_outcomes_are_a_short_table_and_too_long_a_document(capsys):
    wide = ["ratio", "--n", "1e6", "--k", "10", "--q", "0.1", "--s", "all"]
    status, out, _ = run(capsys, *wide)
    assert status == 0
    assert out.startswith("10,000,001 outcomes")
    status, _, err = run(capsys, *wide, "--json")
    assert (status, err.count("\n")) == (4, 1)
    assert "a list of all outcomes needs 10,000,001 outcomes" in err


def test_one_outcome_is_said_to_be_one(capsys):
    _, out, _ = run(capsys, "ratio", *POOL, "--s", "9-9")
    assert out.startswith("1 outcome, s = 9; ")
    assert "within 3 sigma: s = 9, probability" in out


def test_the_ratio_of_a_histogram(capsys):
    m = dp.KRandomization(n=2, q="1/4", bits=2)
    _, out, _ = run(capsys, "ratio", "--n", "2", "--q", "1/4", "--bits", "2", "--s", "1,0,1", "--json")
    assert Fraction(json.loads(out)["ratio"]["value"]) == dp.ratio(m, (1, 0, 1))


def test_probabilities_of_counts(capsys, tmp_path):
    target = tmp_path / "pmf.csv"
    exact = list(dp.pmf(dp.KRandomization(n=10, q="1/4"), ones=3))
    status, out, _ = run(capsys, "pmf", *POOL, "--ones", "3", "--json", "--csv", str(target))
    assert status == 0
    assert [Fraction(row["probability"]["value"]) for row in json.loads(out)["probabilities"]] == exact
    assert len(target.read_text(encoding="utf-8").splitlines()) == 12
    status, out, _ = run(
        capsys, "pmf", "--n", "1000", "--k", "50", "--q", "0.269", "--ones", "500", "--s", "24990-25010"
    )
    assert status == 0
    assert "enclosed, as exact ones need 3,126" in out


def test_log_concavity(capsys, tmp_path):
    exactly, theorem = "compared exactly, at every index", "by theorem 1.10, nothing computed"
    assert run(capsys, "log-concavity", *POOL)[:2] == (
        0,
        f"it holds: {exactly}\ntightest at s = 5: the margin there is 11/25\n",
    )
    assert run(capsys, "log-concavity", *POOL, "--along", "ones")[:2] == (0, f"it holds: {theorem}\n")
    assert run(capsys, "log-concavity", *POOL, "--along", "ones", "--strict")[:2] == (
        1,
        f"it fails, first at s = 0, ones = 1: {theorem}\n",
    )
    assert run(capsys, "log-concavity", *POOL, "--along", "ones", "--compute")[:2] == (
        0,
        f"it holds: {exactly}\ntightest at s = 0, ones = 1: the margin there is 0\n",
    )
    assert run(capsys, "log-concavity", *POOL, "--ones", "0", "--newton", "--strict")[:2] == (
        1,
        f"it fails, first at s = 1: {exactly}\n",
    )
    arguments = ["--ones", "5", "--newton", "--strict", "--json", "--plot", str(tmp_path / "margin.png")]
    document = json.loads(run(capsys, "log-concavity", *POOL, *arguments)[1])
    assert (document["holds"], document["proof"], document["tightest_at"]) == (True, exactly, {"s": 1})
    assert (
        document["margin"]
        == dp.generating_function(dp.KRandomization(n=10, q="1/4"), ones=5).log_concavity(ultra=True).margin.to_dict()
    )
    assert (tmp_path / "margin.png").stat().st_size > 5_000
    document = json.loads(run(capsys, "log-concavity", *POOL, "--along", "ones", "--strict", "--json")[1])
    assert (document["holds"], document["fails_first_at"]) == (False, {"s": 0, "ones": 1})


def test_the_interval_of_the_count(capsys):
    """K16, (4.55)."""
    _, out, _ = run(capsys, "count-interval", "--n", "1000", "--q", "0.009", "--ones", "999")
    assert out == "from 981.05859153738373... to 998.97740846261626...\n"


@pytest.mark.parametrize("words", ["ratio --n 9 --q 1/4 --s all", "pmf --n 9 --q 1/4 --ones 3"])
def test_a_table_that_cannot_be_written_costs_no_answer_and_one_that_is_is_named(words, tmp_path, capsys):
    assert main([*words.split(), "--csv", str(tmp_path / "none" / "x.csv")]) == 74
    assert capsys.readouterr().err.count("\n") == 1
    path = tmp_path / "x.csv"
    assert main([*words.split(), "--csv", str(path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"csv: {path}"
    assert len(path.read_text("utf-8").splitlines()) == 11


def test_faint_probabilities_are_said_to_be_below_what_is_held(capsys):
    status, out, _ = run(capsys, "ratio", "--n", "1e12", "--q", "0.1", "--s", "480-490", "--lam", "1.5")
    assert status == 0
    assert "ratio > lambda: s = 480 to 490, probability below 2^-999,999\n" in out
    status, out, _ = run(capsys, "ratio", "--n", "1e12", "--q", "0.1", "--s", "900000000000", "--lam", "1.5")
    assert status == 0
    assert "P[1/ratio > lambda] below 2^-999,999\n" in out
