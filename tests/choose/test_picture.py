import pytest

import dpcalc as dp


@pytest.fixture(scope="module")
def plan():
    asked = {"n": 200, "epsilon": 1, "delta": "1e-3", "bounds": ["private", "classical", "closed"]}
    return dp.plan(ks=(10, 1, 5), **asked)


def test_every_bound_is_a_curve_in_rising_k_and_the_private_one_stands_out(plan):
    rows = sorted(plan.rows, key=lambda row: row.k)
    for panel, value in zip(plan.picture(), ("sigma", "printed", "local_epsilon"), strict=True):
        assert [curve.label for curve in panel.curves] == list(plan.bounds) == ["private", "classical", "closed"]
        assert [curve.prominent for curve in panel.curves] == [True, False, False]
        for curve in panel.curves:
            assert list(curve.x) == [1, 5, 10]
            assert list(curve.y) == [float(getattr(row.choices[curve.label], value)) for row in rows]


def test_the_recommended_k_and_the_best_are_marked_on_the_private_curve(plan):
    assert (plan.recommended_k, plan.best) == (5, 10)
    for panel in plan.picture():
        private = dict(zip(panel.curves[0].x, panel.curves[0].y, strict=True))
        marks = [(mark.x, mark.y, mark.full) for mark in panel.marks]
        assert marks == [(5, private[5], True), (10, private[10], False)]
        assert [mark.label for mark in panel.marks] == [f"k = 5: {private[5]:.3g}", f"or k = 10: {private[10]:.3g}"]


def test_the_level_is_that_of_the_gaussian_mechanism(plan):
    sigma, *others = plan.picture()
    assert sigma.level[0] == float(plan.gaussian)
    assert [panel.level for panel in others] == [None, None]


def test_without_a_target_nothing_is_marked():
    for panel in dp.plan(n=50, lam=2, ks=(1, 2), bounds=["classical", "closed"]).picture():
        assert (panel.level, list(panel.marks)) == (None, [])
        assert not any(curve.prominent for curve in panel.curves)
