import re
import shlex
from fractions import Fraction
from html import escape, unescape

import pytest

import dpcalc as dp
from dpcalc.choose.page import page
from dpcalc.cli import main
from dpcalc.privacy.cautions import NOT_PROTECTED
from dpcalc.report import bounded


@pytest.fixture(scope="module")
def plan():
    return dp.plan(n=100, lam=2, delta="1e-3", ks=(1, 2), bounds=["private", "classical"])


def test_the_page_says_question_answer_proofs_and_assumptions(plan):
    text = page(plan)
    assert (
        "100 users report one bit; no one&#x27;s record may show by more than lambda = 2, but for delta = 0.001."
        in text
    )
    assert all(f">{escape(line)}</p>" in text for line in plan.recommendation())
    assert text.count("<h2>") == 6
    assert all(f"<li>{line}" in text for line in NOT_PROTECTED)


def test_each_k_that_is_offered_has_its_proofs():
    plan = dp.plan(n=200, epsilon=1, delta="1e-3", ks=(1, 5, 10), bounds="private")
    assert (plan.recommended_k, plan.best) == (5, 10)
    text = page(plan)
    for row in plan.rows[1:]:
        q = row.choices["private"].q
        holds, fails = bounded(q.at_upper, holds=True), bounded(q.at_lower, holds=False)
        assert f"<li>k = {row.k}, q = {dp.Enclosure.of(q.upper):30}: {holds}; it holds.</li>" in text
        assert f"<li>k = {row.k}, q = {dp.Enclosure.of(q.lower):30}: {fails}; it fails.</li>" in text
    assert "<li>k = 1," not in text


@pytest.mark.soak
def test_the_page_of_a_command_names_users_categories_and_days_and_repeats_itself(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    asked = ["plan", "--n", "50", "--dropouts", "10%", "--colluding", "1", "--epsilon", "2", "--delta", "1e-3"]
    asked += ["--k", "1", "--categories", "3", "--rounds", "2", "--bounds", "private"]
    assert main([*asked, "--report", "a.html"]) == 0
    text = unescape((tmp_path / "a.html").read_text(encoding="utf-8"))
    assert (
        "<p>44 honest users (50 users less 10% dropouts and 1 colluding) report a one-hot histogram of 3 categories "
        "(replace), 2 rounds; no one's record may show by more than epsilon = 2, but for delta = 0.001.</p>" in text
    )
    (command,) = re.findall(r"<pre>(dpcalc .*)</pre>", text)
    assert main([*shlex.split(command)[1:], "--report", "b.html"]) == 0
    drawing = re.compile(r"<svg.*</svg>", re.DOTALL)
    again = unescape((tmp_path / "b.html").read_text(encoding="utf-8"))
    assert drawing.sub("", again) == drawing.sub("", text)
    assert "<li>what the same people report after these 2 rounds</li>" in text
    assert main(["plan", "--n", "50", "--epsilon", "2", "--delta", "1e-3", "--numbers", "--report", "c.html"]) == 0
    text = unescape((tmp_path / "c.html").read_text(encoding="utf-8"))
    assert "report one bit, a number from 0 to 1 rounded at random; no one's" in text
    assert "--delta 1e-3 --numbers</pre>" in text


def test_the_page_loads_nothing_and_runs_nothing(plan):
    text = page(plan)
    assert "<script" not in text
    assert "<link" not in text
    assert not [word for word in ('src="http', 'href="http', "url(http", "@import") if word in text]


def test_without_a_target_there_is_no_recommendation(monkeypatch):
    monkeypatch.setattr("dpcalc.choose.page.find_spec", lambda name: None)
    text = page(dp.plan(n=100, lam=2, ks=1, bounds="closed"))
    assert 'class="answer"' not in text
    assert "Picture" not in text


def test_the_recommendation_respects_the_local_epsilon(plan):
    assert plan.best == 2
    limited = dp.plan(n=100, lam=2, delta="1e-3", ks=(1, 2), bounds=["private"], max_local_epsilon=3)
    assert limited.best == limited.recommended_k == 1
    assert limited.recommended.local_epsilon <= 3 < plan.rows[1].choices["private"].local_epsilon
    assert limited.recommendation()[0].startswith("Recommended with a local epsilon of at most 3: k = 1, q = 0.")
    none = dp.plan(n=100, lam=2, delta="1e-3", ks=(1, 2), bounds=["private"], max_local_epsilon="0.1", budget=50)
    assert none.recommended is None
    assert none.recommendation() == [
        "No k asked for fits within 50 reports with a local epsilon of at most 0.1: allow more, or ask for other k."
    ]


def test_only_the_bounds_asked_for_are_there(plan):
    assert plan.bounds == ("private", "classical")
    assert all(set(row.choices) == {"private", "classical"} for row in plan.rows)
    assert dp.plan(n=9, lam=2, ks=1, bounds="lattice").bounds == ("lattice",)
    with pytest.raises(dp.DomainError, match=r"^bounds = 'best' is not allowed: give one of private, classical"):
        dp.plan(n=9, lam=2, ks=1, bounds=["best"])


def test_a_plan_is_a_frame(plan):
    frame = plan.to_frame()
    assert list(frame.bound) == ["private", "classical"] * 2
    assert [
        Fraction(str(q)) >= c.q.value
        for q, row in zip(frame.q[::2], plan.rows, strict=True)
        for c in [row.choices["private"]]
    ] == [True, True]


def test_a_plan_is_short_in_a_list_and_whole_on_a_page(plan):
    assert repr(plan) == f"<Plan: {plan.recommendation()[0]}>"
    assert str(plan) == plan.table()
    assert plan._repr_html_().startswith("<pre>Recommended: k = ")
