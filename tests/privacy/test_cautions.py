"""Warnings against their reasons: the mechanism named does keep the promise, and does betray somebody."""

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest

import dpcalc as dp
from dpcalc.choose.page import page
from dpcalc.cli import main
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.privacy.cautions import ONE_ROUND, cautions

FIFTY = "delta = 0.001 with n = 50,000 is kept by publishing 50 people at random"
ASKED = ["--n", "50000", "--epsilon", "1", "--delta", "1e-3"]


def said(epsilon, delta, n=1000, **more):
    return cautions(n=n, limit=Limit.of(epsilon=epsilon), delta=Fraction(delta), **more)


@pytest.mark.parametrize(("n", "m"), [(4, 1), (5, 2), (6, 5)])
def test_publishing_so_many_at_random_keeps_the_delta_and_no_less(n, m):
    drawn = list(combinations(range(n), m))
    seen = [{choice: [(0, *[1] * (n - 1)), (1, *[1] * (n - 1))][bit] for choice in drawn} for bit in (0, 1)]
    outcomes = [[(choice, tuple(records[i] for i in choice)) for choice, records in law.items()] for law in seen]
    apart = sum(outcome not in outcomes[1] for outcome in outcomes[0])
    delta = Fraction(apart, len(drawn))  # of disjoint outcomes of one weight, at every epsilon
    assert delta == Fraction(m, n)
    (line,) = said(1, delta, n=n)
    assert line.endswith(f"is kept by publishing {m} {'person' if m == 1 else 'people'} at random")


def test_each_reason_has_a_line_and_a_sound_promise_has_none():
    assert said(10, "1e-5") == ()
    for epsilon, times in (("10.01", "22,000"), (12, "160,000"), (50, "10^21"), (10**6, "10^434294")):
        line = f"epsilon = {epsilon} lets one person's record make what is seen {times} times likelier"
        assert said(epsilon, "1e-5") == (line,)
    assert said(1, "1.01e-5") == (
        "delta = 0.0000101 with n = 1,000 is kept by publishing one person, drawn at random, with probability 0.01",
    )
    assert said(2, "1e-9", rounds=1) == (ONE_ROUND,)
    assert said(2, "1e-9", rounds=2) == ()
    local = Enclosure(Fraction("1.9"), Fraction("1.99"))
    assert said(2, 0, local_epsilon=local) == (
        "epsilon = 2 is kept without a crowd: one person's reports keep epsilon = 1.99 with the name on them",
    )
    assert said("1.95", 0, local_epsilon=local) == ()
    assert len(cautions(n=9, limit=Limit.of(lam=23_000), delta=Fraction(1, 2), local_epsilon=local, rounds=1)) == 4
    assert cautions(n=9, limit=Limit.of(lam=22_000), delta=Fraction(0)) == ()
    assert cautions(n=9, limit=Limit.of(lam=1), delta=Fraction(0)) == ()


SHUFFLED = ["shuffle", "--randomizer", "k-ary", "--categories", "3", "--local-epsilon", "2"]


@pytest.mark.parametrize(
    ("command", "line"),
    [
        (["plan", *ASKED, "--k", "1"], FIFTY),
        (["least-q", *ASKED], FIFTY),
        (["epsilon", "--n", "50000", "--q", "0.01", "--delta", "1e-3"], FIFTY),
        (["delta", "--n", "1000", "--q", "1/4", "--k", "20", "--epsilon", "11"], "epsilon = 11 lets "),
        (["delta", "--n", "10", "--q", "1/4", "--epsilon", "2"], "keep epsilon = 1.098613 with the name on them"),
        (["delta", "--n", "100", "--q", "1/4", "--lam", "1"], "delta = "),
        (["vector-delta", "--n", "9", "--q", "1/4", "--bits", "2", "--epsilon", "1"], "delta = "),
        (["least-n", "--q", "0.1", "--epsilon", "3", "--delta", "1e-9"], "keep epsilon = 2.197225 with the name"),
        ([*SHUFFLED, "--n", "50000", "--delta", "1e-3"], FIFTY),
        (["fleet", "fleet.toml", "--delta", "1e-3"], FIFTY),
        (["most-k", "--n", "1000", "--q", "1/4", "--lam", "2", "--delta", "1e-4"], "with probability 0.1"),
        (["most-rounds", "--n", "4", "--q", "0.45", "--epsilon", "0.5", "--delta", "0.05"], "with probability 0.2"),
        (["epsilon", "--n", "1000", "--q", "0.1", "--delta", "1e-6", "--rounds", "1"], ONE_ROUND),
        (["plan", "--n", "1000", "--epsilon", "1", "--delta", "1e-6", "--k", "1", "--rounds", "1"], ONE_ROUND),
    ],
)
def test_the_line_stands_in_text_and_in_json(command, line, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("fleet.toml").write_text('[[group]]\nn = 50000\nq = "0.01"\n', encoding="utf-8")
    assert main(command) == 0
    (shown,) = [text for text in capsys.readouterr().out.splitlines() if text.startswith("warning: ")]
    assert line in shown
    assert main([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["warnings"] == [shown.removeprefix("warning: ")]


def test_a_sound_promise_is_not_warned_of(capsys):
    assert main(["least-q", "--n", "1000", "--epsilon", "1", "--delta", "1e-6"]) == 0
    assert "warning" not in capsys.readouterr().out
    assert main(["least-q", "--n", "1000", "--epsilon", "1", "--delta", "1e-6", "--json"]) == 0
    assert "warnings" not in json.loads(capsys.readouterr().out)


def test_the_line_stands_in_a_plan_s_table_and_on_its_page():
    plan = dp.plan(n=50_000, epsilon=1, delta="1e-3", ks=1, bounds="private")
    assert plan.warnings == (FIFTY,)
    assert f"\nwarning: {FIFTY}\n" in plan.table()
    assert f"{FIFTY}</p>" in page(plan)
