from fractions import Fraction

import pytest

import dpcalc as dp
from dpcalc.choose.page import page
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
    assert plan.recommendation().replace("'", "&#x27;") in text
    q = plan.recommended.q
    holds, fails = bounded(q.at_upper, "holds"), bounded(q.at_lower, "fails")
    assert f"<li>q = {dp.Enclosure.of(q.upper):30}: {holds}; it holds.</li>" in text
    assert f"<li>q = {dp.Enclosure.of(q.lower):30}: {fails}; it fails.</li>" in text
    assert text.count("<h2>") == 5


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
    assert limited.best == 1
    assert limited.recommended.local_epsilon <= 3 < plan.recommended.local_epsilon
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
    assert repr(plan) == "<Plan: n = 100 records, lambda = 2, delta = 0.001>"
    assert str(plan) == plan.table()
    assert plan._repr_html_().startswith("<pre>n = 100 records")
