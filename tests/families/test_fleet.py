"""Fleets: laws that must hold, and large ones."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpcalc as dp
from dpcalc.families import fleets
from dpcalc.laws.pool import Pool
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.pair import Pair
from dpcalc.worst import compositions
from dpcalc.worst.compositions import Compositions
from dpcalc.worst.worst_composition import OverCompositions


def fleet(groups, dummies=(), **more):
    return dp.Fleet(
        [dp.Group(n=n, q=q, k=k) for n, q, k in groups], dummies=[dp.Dummies(*one) for one in dummies], **more
    )


def test_one_group_is_the_pool():
    for n in (1, 7, 5000):
        one, pool = fleet([(n, "1/10", 2)]), dp.KRandomization(n=n, q="1/10", k=2)
        for ask in (
            lambda m: dp.delta(m, lam=2),
            *(lambda m, x=x: dp.delta(m, epsilon="0.1", ones=x) for x in (0, [0])),
        ):
            assert (ask(one).lower, ask(one).upper, ask(one).dataset) == (
                ask(pool).lower, ask(pool).upper, ask(pool).dataset,
            )  # fmt: skip
        assert dp.epsilon(one, delta="0.01") == dp.epsilon(pool, delta="0.01")


@pytest.mark.parametrize("chances", [("9/10", "1/10"), ("1/2", "1/20")])
@pytest.mark.parametrize("n", [10, 700])
def test_groups_alike_are_one(n, chances, never):
    never(fleets, "OverCompositions")
    parts, whole = (dp.Fleet([dp.Group(n=m, chances=chances) for m in each]) for each in ((n, 2 * n, 1), (3 * n + 1,)))
    for ask in (
        lambda m: dp.delta(m, epsilon="0.3"), lambda m: dp.delta(m, lam=2), lambda m: dp.epsilon(m, delta="1e-4"),
        lambda m: dp.profile(m, ["0.1", "0.2"])[1],
    ):  # fmt: skip
        found, known = ask(parts), ask(whole)
        assert (found.lower, found.upper) == (known.lower, known.upper)
    at = dp.delta(parts, epsilon="0.3")
    named = dp.delta(parts, epsilon="0.3", ones=at.dataset.ones)
    assert named.lower <= at.upper
    assert at.lower <= named.upper


def test_a_larger_fleet_of_groups_alike_starts_from_the_same_composition():
    """Users are sought over fleets of many sizes, of which the composition found last leads."""
    found = dp.least_users(fleet([(50, "1/10", 1), (50, "1/10", 1)]), epsilon="0.5", delta="1e-5")
    whole = dp.least_users(fleet([(100, "1/10", 1)]), epsilon="0.5", delta="1e-5")
    assert abs(found.value - whole.value) <= 1


def test_honest_users_only():
    groups = [(40, "1/4", 1), (20, "1/5", 2)]
    few = fleet(groups, honest=[3, "2"])
    assert few == fleet([(3, "1/4", 1), (2, "1/5", 2)])
    assert dp.delta(few, lam=2).value == Fraction(729, 2500)


def test_large_groups():
    large = fleet([(10**6, "0.01", 1), (10**6, "0.05", 1)], [(1000, "1/3")])
    one = dp.delta(large, epsilon="0.02", ones=(0, 0))
    assert one.upper - one.lower < one.lower / 10**11
    for neighbours in ("replace", "add-remove"):
        found = dp.delta(fleet([(10**6, "0.01", 1), (10**6, "0.05", 1)], neighbours=neighbours), epsilon="0.02")
        assert 0 < found.lower <= found.upper <= found.lower * Fraction(101, 100)
    middle = fleet([(4000, "0.01", 1), (1000, "0.05", 2)])
    found = dp.delta(middle, epsilon="0.5")
    assert found.lower <= found.upper <= found.lower * Fraction(101, 100)
    assert dp.delta(middle, epsilon="0.5", ones=found.dataset.ones).upper >= found.lower


def test_a_search_cut_short_is_still_right():
    asked = fleet([(4, "1/10", 1), (4, "1/3", 1)])
    found = OverCompositions(Compositions.of(asked), Limit(Fraction(2)), Fraction(1, 100), pairs=1).run()
    assert found.lower <= dp.delta(asked, lam=2).value <= found.upper
    assert found.upper > found.lower * Fraction(11, 10)
    assert found.lower <= dp.delta(asked, lam=2, ones=found.dataset.ones).value


# --- n hidden -----------------------------------------------------------------------------------------------


@settings(max_examples=20)
@given(
    kinds=st.lists(
        st.tuples(st.sampled_from(["1/3", "1/100", "0.49999", "1e-9", "0.999"]), st.integers(0, 30)), max_size=2
    ),
    a=st.sampled_from(["1/3", "1/100", "0.49999", "1e-9", "0.99", "0.999999999"]),
    k=st.sampled_from([1, 2, 3, 7, 40]),
    present=st.booleans(),
    lam=st.sampled_from([Fraction(1), Fraction(1001, 1000), Fraction(3, 2), Fraction(50), Fraction(10**9)]),
    rtol=st.sampled_from([Fraction(1, 100), Fraction(1, 10**9)]),
)
def test_a_record_added_to_any_pool(kinds, a, k, present, lam, rtol):
    pair = Pair.added(Pool.of(*((Fraction(x), count) for x, count in kinds)), Fraction(a), k)
    pair = pair.mirror if present else pair
    found = pair.inverted(Limit(lam), rtol=rtol)
    assert found.lower <= pair.exact(lam) <= found.upper <= found.lower * (1 + rtol)


def test_what_is_not_settled_has_ends():
    extreme = fleet([(2, "1e-30", 50), (1, "0.4999999", 1)], neighbours="add-remove")
    found = dp.delta(extreme, epsilon="0.3")
    truth = dp.delta(extreme, lam="1.35").value  # a little above e^0.3
    assert truth <= found.upper <= 1


@pytest.mark.parametrize("q", ["1e-40", "1e-300"])
def test_hardly_any_noise(q):
    """Steering has no digits left; a rational lambda is summed."""
    asked = fleet([(2, q, 1), (1, "2/5", 1)], [(3, "11/20")])
    found, exact = dp.delta(asked, epsilon=1), dp.delta(asked, lam="2.718281828459045")
    assert float(found) == pytest.approx(float(exact), rel=1e-2)
    assert found.lower < exact.value * (1 + Fraction(1, 10**9))


def test_an_epsilon_of_a_fleet_sums_no_pmf(never):
    """It starts from single values by inversion: exact pmfs at epsilon = 0 took a hundred times as long as the rest."""
    fleet = dp.Fleet([dp.Group(n=1000 + i, q=f"0.{i}") for i in (1, 2, 3, 4)])
    never(Pool, "pmf")
    found = dp.epsilon(fleet, delta="1e-6")
    assert 0 < found.relative_width() < Fraction(1, 100)
    at = dp.delta(fleet, epsilon=found.lower)
    assert at.dataset.group == 0
    assert at.upper > Fraction(1, 10**6) >= dp.delta(fleet, epsilon=found.upper).lower


@pytest.mark.soak
def test_a_target_next_to_the_total_variation_is_bracketed():
    asked = fleet([(1, "1/5", 1), (4, "1/9", 1)], neighbours="add-remove")
    found = dp.epsilon(asked, delta="0.5464474")  # delta at 0.000358258, about, over every dataset
    assert 0 < found.lower < Fraction("0.00035826") < found.upper < Fraction("0.000362")


@pytest.mark.parametrize(("groups", "total", "k"), [(5, 200, 1), pytest.param(8, 200, 3, marks=pytest.mark.soak)])
def test_every_bound_of_a_box_is_counted(groups, total, k, calls_of):
    made = calls_of(compositions, "envelope")
    asked = dp.Fleet([dp.Group(n=total // groups, q=Fraction(5 + 3 * i, 100), k=1 + i % k) for i in range(groups)])
    found = OverCompositions(Compositions.of(asked), Limit.of(epsilon=1), Fraction(1, 100), pairs=400).run()
    assert 0 < len(made) <= 100 + 2**6
    assert 0 < found.lower < found.upper < 1


def test_where_delta_stays_above_the_target_there_is_no_epsilon():
    """Nine ones show that a record was added, with a chance of up to 0.863^9, whatever epsilon is."""
    with pytest.raises(dp.NoSolution, match="even at epsilon = 1,000"):
        dp.epsilon(fleet([(9, "0.137", 1)], neighbours="add-remove"), delta="0.209")


def test_slices_that_did_not_serve_are_not_tried_again(monkeypatch):
    """Two unlike groups, one of them asymmetric: every box of some hundred took up to 25 envelopes."""
    asked = []

    def in_slices(bound, level, *, most):
        asked.append(most)
        return Fraction(1), 2 if most else 1

    monkeypatch.setattr(compositions, "in_slices", in_slices)
    users = dp.Fleet([dp.Group(n=140, chances=("9/10", "5/8")), dp.Group(n=15, chances=("1/3", "1/30"))])
    dp.delta(users, epsilon="0.3")
    assert asked.count(0) > sum(most > 0 for most in asked) == 1
