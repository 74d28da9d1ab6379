import json
import math
import re
from fractions import Fraction

import pytest

import dpcalc as dp
from dpcalc.choose.choices import as_printed
from dpcalc.choose.page import page
from dpcalc.choose.plan import COLUMNS
from dpcalc.errors import Undecided
from dpcalc.laws.pool import Pool
from dpcalc.numbers.limit import Limit
from dpcalc.privacy.ratio import outside


@pytest.fixture(scope="module")
def notes():
    """The notes' example: n = 1000, lambda = 2."""
    return dp.plan(n=1000, lam=2, delta="1e-6", ks=(1, 10))


def test_what_breaks_the_limit_is_enclosed_and_no_pmf_is_made(never):
    exact = dp.exceedance(dp.KRandomization(n=300, q="0.1", k=2), lam=2)
    assert exact.ratio.exact
    never(Pool, "pmf")
    found = outside(dp.KRandomization(n=300, q="0.1", k=2), Limit.of(lam=2), 299, exact=False)
    assert (found.low, found.high) == (exact.low, exact.high)
    for name in ("ratio", "ratio_neighbour", "reciprocal", "reciprocal_neighbour"):
        near, value = getattr(found, name), getattr(exact, name).value
        assert near.lower <= value <= near.upper <= near.lower * (1 + Fraction(1, 10**14))
    row = dp.plan(n=1200, lam=2, delta="1e-6", ks=2).rows[0]
    assert not row.missing
    assert row.choices["private"].outside.ratio.lower > 0


def test_the_notes_example(notes):
    # sigma = 3 and sigma^2 = 2000 at the least q, a little more at the printed one
    closed, classical = (notes.rows[0].choices[name] for name in ("closed", "classical"))
    assert 3 < closed.sigma.lower <= closed.sigma.upper < Fraction("3.00001")
    assert classical.q.value == Fraction(1, 3) < Fraction(classical.printed) == Fraction("0.333334")
    assert 2000 < classical.sigma.lower**2 <= classical.sigma.upper**2 < Fraction("2000.1")
    assert format(closed.q, "14") == "0.0087640675675879..."
    outside = dp.exceedance(dp.KRandomization(n=1000, q=closed.q.value), lam=2)
    assert format(outside.ratio, "8") == "0.0039235976..."
    assert format(outside.reciprocal, "9") == "0.0626623581..."


def test_repeating_loses_precision_at_the_notes_bound_and_gains_under_privacy(notes):
    once, often = notes.rows
    assert format(often.choices["closed"].q, "8") == "0.11638604..."
    assert 0 < often.choices["closed"].sigma - Fraction("4.1798178") < Fraction(1, 10**4)
    assert once.choices["closed"].sigma < often.choices["closed"].sigma
    assert once.choices["private"].sigma > often.choices["private"].sigma > notes.gaussian
    assert notes.best == 10


def test_private_choices_meet_the_target_the_notes_do_not_and_classical_ones_leak_nothing(notes):
    for row in notes.rows:
        assert row.choices["private"].delta <= Fraction(1, 10**6)
        for name in ("closed", "real", "lattice", "two-sided"):
            assert row.choices[name].delta > Fraction(1, 10**6)
        assert row.choices["classical"].delta.value == row.choices["classical"].outside.ratio.value == 0


def test_every_bound_stands_in_the_table(notes):
    text = notes.table()
    assert all(name in text for name in COLUMNS)
    assert "99.98 %" in text
    assert "0.9960" in text
    assert "0.9373" in text


@pytest.fixture(scope="module")
def alone():
    """A single record."""
    return dp.plan(n=1, lam=2, delta="0.1", ks=(1, 2, 5, 20, 100))


def test_private_sigma_need_not_fall_towards_its_limit_and_the_plan_does_not_say_so(alone):
    one, two, five, twenty, hundred = (row.choices["private"].sigma for row in alone.rows)
    assert one < twenty < alone.gaussian < hundred < five < two
    (remark,) = (line for line in alone.table().splitlines() if "Gaussian" in line)
    assert remark == (
        "As k grows the least private sigma tends to the Gaussian mechanism's 1.32084...; "
        "some k may lie above the one before, or below that limit."
    )


def test_the_columns_of_every_panel_stand_under_each_other(alone):
    panels = [panel.splitlines()[1:] for panel in alone.table().split("\n\n")[2:-1]]
    assert len(panels) == 6
    for head, *rows in panels:
        assert head.split() == ["k", "reports", *COLUMNS]
        assert {len(row) for row in rows} == {len(head)}
    assert len({head.index("two-sided") for head, *_ in panels}) == 1


def test_a_choice_as_json_holds_what_the_choice_holds(notes):
    document = json.loads(json.dumps(notes.to_dict()))
    assert (document["n"], document["limit"], document["delta"]) == (1000, "lambda = 2", "1/1000000")
    for row, shown in zip(notes.rows, document["rows"], strict=True):
        assert shown["reports"] == row.reports
        for name, choice in row.choices.items():
            values = {
                "q": choice.q.enclosure, "sigma": choice.sigma, "local_epsilon": choice.local_epsilon,
                "ratio_exceeds": choice.outside.ratio,
                "ratio_exceeds_under_neighbour": choice.outside.ratio_neighbour,
                "reciprocal_exceeds": choice.outside.reciprocal,
                "reciprocal_exceeds_under_neighbour": choice.outside.reciprocal_neighbour,
                "delta_at_lambda": choice.delta,
            }  # fmt: skip
            found = shown["bounds"][name]
            assert found.pop("worst_dataset_ones") == choice.delta.dataset.ones
            assert found.pop("printed_q") == choice.printed
            assert found == {key: value.to_dict() for key, value in values.items()}


def test_the_best_k_stays_within_the_budget():
    some = dp.plan(n=50, lam=2, delta="1e-2", ks=(1, 2, 3), budget=100)
    assert some.best == 2
    assert some.table().startswith("Recommended within 100 reports: k = 2, q = 0.")
    none = dp.plan(n=50, lam=2, delta="1e-2", ks=(3,), budget=100)
    assert none.best is None
    assert none.table().startswith("No k asked for fits within 100 reports: allow more, or ask for other k.\n")


@pytest.mark.parametrize(("epsilon", "k"), [(42, 1), (1000, 2)])
def test_the_plan_of_a_large_epsilon_has_a_private_choice(epsilon, k):
    """One report more needs a far larger q: its local epsilon is the sum of two."""
    found = dp.plan(n=50_000, epsilon=epsilon, delta="1e-8", ks=(k, k + 1))
    assert found.recommended_k == found.best == k
    private, classical = (found.rows[0].choices[name] for name in ("private", "classical"))
    assert private.q.value <= classical.q.value * (1 + Fraction(1, 10**6))
    assert private.local_epsilon >= epsilon * Fraction(999, 1000)


def test_the_page_writes_both_proven_q_out():
    found = dp.plan(n=50_000, epsilon=50, delta="1e-8", ks=1)
    reported = re.findall(r"k = 1, q = (\S+): delta", page(found))
    assert list(map(Fraction, reported)) == [found.recommended.q.upper, found.recommended.q.lower]


def test_without_a_private_q_the_plan_gives_the_reasons_and_no_advice(monkeypatch):
    def undecided(*_, **__):
        raise dp.Undecided("delta is too near the target")

    monkeypatch.setattr("dpcalc.choose.plan.least_q", undecided)
    lines = dp.plan(n=9, epsilon=1, delta="1e-3", ks=1).table().splitlines()
    assert lines[0] == "No private q was found for any k asked for; the reasons stand below the tables."
    assert lines[-1] == "k = 1, private: delta is too near the target"


@pytest.mark.parametrize("more", [{}, {"k": 3}, {"categories": 4, "rounds": 2}])
def test_what_is_printed_of_a_bound_from_above_is_rounded_up(more):
    """delta of rounds is known to two digits, of which the first alone is certain."""
    k = more.pop("k", 1)
    found = dp.plan(n=100, epsilon=2, delta="1e-3", ks=k, bounds="private", **more)
    (choice,) = (row.choices["private"] for row in found.rows)
    panels = found.panels().split("\n\n")[2:]
    values = [Fraction(panel.split()[-1]) for panel in panels]
    known = [choice.sigma, choice.local_epsilon, choice.delta]
    if choice.outside:
        known[2:2] = [choice.outside.ratio, choice.outside.reciprocal]
    for shown, exact in zip(values, known, strict=True):
        assert exact.upper <= shown <= exact.upper * Fraction(1001, 1000)
    pytest.importorskip("pandas")
    assert Fraction(found.to_frame()["delta"][0]) >= choice.delta.upper


def test_the_recommended_k_costs_fewest_reports_of_those_with_hardly_more_sigma():
    asked = {"n": 200, "epsilon": 1, "delta": "1e-3", "ks": (1, 3, 5, 10), "bounds": "private"}
    found = dp.plan(**asked)
    private = {row.k: row.choices["private"] for row in found.rows}
    assert found.best == min(private, key=lambda k: float(private[k].sigma)) == 10
    near = [k for k, choice in private.items() if float(choice.sigma) < 1.05 * float(private[10].sigma)]
    assert found.recommended_k == min(near) == min(near, key=lambda k: float(private[k].local_epsilon)) == 5
    assert found.recommended is private[5]
    document = found.to_dict()
    assert (document["recommended_k"], document["recommended_q"], document["best_k"]) == (5, private[5].printed, 10)
    first, second, *_ = found.table().splitlines()
    assert first == (
        f"Recommended: k = 5, q = {private[5].printed}. It keeps epsilon = 1, delta = 0.001 for every dataset, "
        f"with sigma = {private[5].sigma:.4g} records of the estimated count."
    )
    assert second.startswith(f"Least sigma: k = 10, q = {private[10].printed}, sigma = {private[10].sigma:.4g}. ")
    within = dp.plan(**asked, budget=600)  # k = 1 is 14 % worse than k = 3
    assert (within.best, within.recommended_k) == (3, 3)
    assert "\nLeast sigma: the same k = 3.\n" in within.table()


def test_headings_and_the_recommendation_say_of_what_a_number_is():
    found = dp.plan(n=50, ks=[1, 2], epsilon=2, delta="1e-3", categories=3, rounds=2)
    for row in found.rows:
        q, sigma = Fraction(row.choices["private"].printed), row.choices["private"].sigma
        assert sigma.lower**2 <= 50 * q * (1 - q) / (row.k * (1 - 2 * q) ** 2) <= sigma.upper**2
    together, count = "all 2 rounds together", "a category's estimated count in one round"
    lines = found.table().splitlines()
    assert f" for every dataset, {together}, with sigma = " in lines[0]
    assert lines[0].endswith(f" records of {count}.")
    assert {
        "least flip probability q of every category's bit in every round, by each bound, rounded up",
        f"sigma of {count}, in records",
        f"local epsilon of one record's reports, {together}",
        f"delta at lambda over every dataset, {together}",
    } <= set(lines)


def test_progress_and_rows_reach_the_end():
    shares, rows = [], []
    found = dp.plan(n=20, lam=2, ks=(1, 2), progress=shares.append, on_row=rows.append)
    assert shares == [0.5, 1.0]
    assert tuple(rows) == found.rows


def test_a_bound_without_an_answer_says_why():
    row = dp.plan(n=10, lam=100, ks=(2,)).rows[0]
    assert set(row.missing) == {"real", "lattice"}
    assert "holds for every q" in row.missing["real"]


@pytest.mark.soak
def test_a_k_too_large_costs_only_what_takes_it():
    found = dp.plan(n=10, lam=2, ks=(1, 6000))
    once, often = found.rows
    assert set(once.choices) == set(COLUMNS) - {"private"}
    assert set(often.choices) == {"classical", "closed"}
    for choice in often.choices.values():
        assert choice.outside is None
        q = Fraction(choice.printed)
        variance = 10 * q * (1 - q) / (6000 * (1 - 2 * q) ** 2)
        assert choice.sigma.lower**2 <= variance <= choice.sigma.upper**2
    remarks = found.table().splitlines()[-2:]
    beside = "P[ratio > lambda] at classical, P[ratio > lambda] at closed"
    assert remarks[0].startswith(f"k = 6000, {beside}: the exact ratio of an outcome needs 6,000 terms")
    assert remarks[1].startswith("k = 6000, real, lattice, two-sided, every: the exact ratio needs 6,000 terms")
    assert found.to_dict()["rows"][1]["missing"] == often.missing


def test_a_delta_that_is_not_found_is_a_dash_in_its_row(monkeypatch):
    def undecided(*_, **__):
        raise Undecided("this one")

    monkeypatch.setattr("dpcalc.choose.plan._delta", undecided)
    found = dp.plan(n=10, lam=2, ks=(1,), bounds=["closed"])
    (row,) = found.rows
    assert row.choices["closed"].delta is None
    assert row.missing == {"delta at closed": "this one"}
    assert row.to_dict()["bounds"]["closed"]["delta_at_lambda"] is None
    assert row.choices["closed"].printed in found.table()
    assert math.isnan(found.to_frame()["delta"][0])


@pytest.mark.parametrize("limit", [{"epsilon": "1e-49"}, {"lam": 1 + Fraction(1, 10**44)}])
def test_a_limit_next_to_1_has_a_plan(limit):
    (row,) = dp.plan(n=10, ks=[1], **limit).rows
    assert list(row.choices) == list(COLUMNS)[1:]
    assert all(choice.q.value < Fraction(1, 2) for choice in row.choices.values())


@pytest.mark.parametrize(
    ("least", "printed"),
    [
        (Fraction(1, 3), "0.333334"),
        (Fraction(1, 10**20), "1e-20"),
        (Fraction(2, 3 * 10**7), "6.66667e-8"),
        (Fraction(4, 9), "0.4444445"),
        (Fraction(1, 2) - Fraction(1, 3 * 10**6), "0.499999666667"),
        (Fraction(1, 2) - Fraction(1, 10**30), "0.499999999999999999999999999999"),
    ],
)
def test_a_printed_q_is_above_the_least_and_as_near_as_six_digits_of_it_and_of_what_is_left_to_one_half(least, printed):
    assert as_printed(least) == printed
    moved = Fraction(printed) - least
    assert 0 <= moved <= min(least, Fraction(1, 2) - least) / 10**5


def test_where_delta_at_the_printed_q_is_left_open_the_bound_at_the_least_q_stands(monkeypatch):
    asked = {"n": 20, "lam": 2, "delta": "1e-2", "ks": [1], "bounds": "private"}
    first = dp.plan(**asked).rows[0].choices["private"]

    def undecided(*args, **given):
        raise dp.Undecided("too near")

    monkeypatch.setattr("dpcalc.choose.plan._delta", undecided)
    found = dp.plan(**asked).rows[0].choices["private"]
    assert (found.delta.lower, found.delta.upper) == (0, found.q.at_upper.upper)
    assert found.delta.upper <= Fraction(1, 100)
    assert found.delta.lower <= first.delta.lower <= first.delta.upper <= found.delta.upper


@pytest.mark.parametrize(("n", "k", "method"), [(10**5, 10, "lattice"), (10**7, 50, "product")])
def test_every_dataset_s_window_is_searched_where_that_is_quick(n, k, method):
    (row,) = dp.plan(n=n, lam=2, ks=k, bounds=["every"]).rows
    least = dp.local_q(n=n, lam=2, k=k, dataset="every", sides=2, method=method)
    assert (row.choices["every"].q.lower, row.choices["every"].q.upper) == (least.lower, least.upper)
