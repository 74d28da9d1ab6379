"""One envelope over boxes of compositions of several groups, against every one of them."""

import math
import random
from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce
from itertools import product

import numpy as np
import pytest

import dpcalc as dp
from dpcalc.numbers.limit import Limit
from dpcalc.worst import compositions
from dpcalc.worst import envelope as module
from dpcalc.worst.compositions import Box, Composition, Compositions, in_slices
from dpcalc.worst.envelope import Range, aligned
from tests.oracles.fleet_scan import scan


@pytest.fixture
def any_variance(monkeypatch):
    """Envelopes of pools however small."""
    for where in (module, compositions):
        monkeypatch.setattr(where, "SEVERAL_VARIANCE", 0)


FINE, ONE, LOOSE = Fraction(1, 10**4), Fraction(1), Fraction(999, 1000)


def enveloped(over, level):
    """The envelope alone, without Chernoff's bound."""
    return in_slices(partial(over.envelope, level=level), level, cuts=over.cuts)[0]


#: Groups, the changed user's, dummies, lambda, whether n is hidden, and how many of the boxes must be proven.
CASES = [
    ([(120, "1/4", 1), (100, "2/5", 1)], 0, [], "11/10", False, 8),
    pytest.param([(30, "1/4", 3), (100, "2/5", 1)], 0, [], "4/3", False, 8, marks=pytest.mark.soak),
    pytest.param([(100, "1/4", 1), (90, "1/3", 1)], 1, [(50, "3/10")], "11/10", False, 15, marks=pytest.mark.soak),
    pytest.param([(100, "1/4", 1), (90, "2/5", 1)], 1, [], "11/10", True, 28, marks=pytest.mark.soak),
    ([(60, "1/4", 2), (90, "1/3", 1)], 0, [(50, "1/10")], "4/3", True, 17),
    ([(20, "1/4", 3), (20, "2/5", 2), (20, "1/3", 3)], 0, [], "4/3", False, 15),
    ([(60, "1/50", 1), (50, "1/20", 1), (40, "1/10", 1)], 0, [], "3", False, 0),  # too small to be told well
    ([(90, "1/50", 1), (80, "1/20", 2)], 1, [(20, "1/10")], "5", False, 10),
]


def own_laws(q, k, change):
    """What the changed user adds under the likelier and under the other dataset; None is absent."""
    reports = {None: np.ones(1), 0: [1 - float(q), float(q)], 1: [float(q), 1 - float(q)]}
    return [reduce(np.convolve, [reports[bit]] * (k if bit is not None else 1), np.ones(1)) for bit in change]


def sides(n, parts):
    edges = [n * i // parts for i in range(parts)]
    return [(low, high - 1) for low, high in zip(edges, [*edges[1:], n + 1], strict=True)]


@pytest.mark.parametrize(("groups", "changed", "dummies", "lam", "hidden", "least"), CASES)
@pytest.mark.soak
def test_every_delta_in_a_box_is_below_its_envelope(groups, changed, dummies, lam, hidden, least, any_variance):
    fleet = dp.Fleet(
        [dp.Group(n=n, q=q, k=k) for n, q, k in groups],
        dummies=[dp.Dummies(*one) for one in dummies],
        neighbours="add-remove" if hidden else "replace",
    )
    family, limit = Compositions.of(fleet), Limit(Fraction(lam))
    others = [(n, Fraction(q), k) for n, (_, q, k) in zip(family.others(changed), groups, strict=True)]
    proven = 0
    for change in family.changes:
        own = own_laws(*others[changed][1:], change)
        truth = scan(others, own, [(count, Fraction(a)) for count, a in dummies], limit.lam)
        for at in [at for parts in (1, 3) for at in product(*(sides(n, parts) for n, _, _ in others))]:
            box = Box(changed, change, tuple(low for low, _ in at), tuple(high for _, high in at))
            largest = truth[tuple(slice(low, high + 1) for low, high in at)].max()
            over = family.over(box, limit, rtol=FINE)
            bound, sharp = (enveloped(over, level) for level in (LOOSE, Fraction(largest) * Fraction(11, 10)))

            assert largest * (1 - 1e-9) <= min(bound, sharp)
            proven += min(bound, sharp) <= largest * 2
    assert proven >= least


@pytest.mark.parametrize("pull", ["0", "-1/2", "3"])
@pytest.mark.parametrize("q", ["1/10"])
@pytest.mark.soak
def test_any_pulls_give_a_bound(pull, q, any_variance):
    """They steer: what they do not tell of the second group's records is counted."""
    family, limit = Compositions.of(dp.Fleet([dp.Group(n=80, q="1/4"), dp.Group(n=100, q=q)])), Limit(Fraction(9, 8))
    truth = scan([(79, Fraction(1, 4), 1), (100, Fraction(q), 1)], own_laws(Fraction(1, 4), 1, (0, 1)), [], limit.lam)
    proven = []
    for low, high in product(sides(79, 3), [*sides(100, 6), *sides(100, 12)]):
        over = family.over(Box(0, (0, 1), *zip(low, high, strict=True)), limit, rtol=FINE)
        first, second = over.ranges
        bound = enveloped(replace(over, ranges=[first, replace(second, pull=Fraction(pull))]), LOOSE)
        assert truth[low[0] : low[1] + 1, high[0] : high[1] + 1].max() * (1 - 1e-9) <= bound
        proven.append(bound < ONE)
    assert sum(proven) >= 20


def test_slices_tile_the_whole_and_the_largest_counts():
    seen, level = [], Fraction(1, 7)

    def bound(share):
        seen.append(share)
        return level * 2 if share[1] - share[0] > Fraction(1, 4) else level * (1 + share[1]) / 2

    assert in_slices(bound, level, cuts=2) == (level, 7)
    parts = sorted(share for share in seen if share[1] - share[0] <= Fraction(1, 4))
    assert [low for low, _ in parts] == [0, *(high for _, high in parts[:-1])]
    assert parts[-1][1] == 1


@pytest.mark.parametrize(("found", "expected"), [(Fraction(1, 2), Fraction(1, 2)), (None, 1)])
def test_slices_end_where_one_is_above_the_level(found, expected):
    """The first part of a part of a part tells."""
    assert in_slices(lambda share: found, Fraction(1, 10), cuts=3) == (expected, 4)


def test_where_slices_end_early_the_bound_is_that_of_the_whole():
    """The parts that were not looked at may be larger than the one that ended it."""
    assert in_slices(lambda share: share[1], Fraction(1, 10), cuts=3) == (1, 4)


@pytest.mark.parametrize("seed", range(50))
def test_slices_bound_all_of_a_share_whatever_the_level(seed):
    draw = random.Random(seed)
    values = [Fraction(draw.randint(1, 100), 100) for _ in range(16)]
    level = draw.choice(values)

    def bound(share):
        """Wider where there is more to bound, and sometimes nothing."""
        inside = values[math.floor(share[0] * 16) : math.ceil(share[1] * 16)]
        return None if draw.random() < 0.1 else min(max(inside) * (1 + (share[1] - share[0])), Fraction(1))

    found, _ = in_slices(bound, level, cuts=4)
    assert found >= max(values)
    assert found <= level or max(values) * 2 >= level


@pytest.mark.parametrize("rtol", ["1e-2", pytest.param("1e-3", marks=pytest.mark.soak)])
@pytest.mark.parametrize(
    ("groups", "lam", "ones"),
    [
        ([(80, "1/5"), (60, "1/50")], "1.1", (1, 3)),
        ([(80, "1/20"), (80, "1/7")], "1.1", (0, 2)),
        ([(60, "1/7"), (42, "1/10")], "1.01", (28, 2)),
    ],
)
def test_no_composition_of_small_fleets_is_above_the_upper_end(groups, lam, ones, rtol):
    """Those named once were."""
    fleet = dp.Fleet([dp.Group(n=n, q=q) for n, q in groups])
    assert dp.delta(fleet, lam=lam, ones=ones).lower <= dp.delta(fleet, lam=lam, rtol=rtol).upper


def test_groups_that_move_exponents_most_come_first_and_their_pulls_tell_how():
    ranges = [
        Range((Fraction(2, 5), Fraction(3, 5)), 1, 1000, 0, 10),
        Range((Fraction(1, 10), Fraction(9, 10)), 1, 1000, 0, 900),
    ]
    first, second = aligned(ranges, -0.01)
    assert (first.own[0], first.pull) == (Fraction(1, 10), 1)
    assert 0 < second.pull < 1
    assert aligned([ranges[0], ranges[0]], -0.01)[1].pull == pytest.approx(1)


@pytest.mark.parametrize("pulls", [("1", "1/3"), ("1", "-1/2"), ("1", "0")])
@pytest.mark.parametrize(
    "share", [(Fraction(0), Fraction(1, 8)), (Fraction(7, 8), Fraction(1)), (Fraction(3, 8), Fraction(4, 9))]
)
def test_a_slice_leaves_of_each_group_what_its_sum_of_pulls_does_and_u_where_t_is_whole(pulls, share):
    """Against every pair of numbers in the box."""
    own, slopes, t = (Fraction(1, 50), Fraction(49, 50)), (0.9, 1.75), Fraction(1, 3)
    ranges = [Range(own, k, 20, 3, 11, Fraction(pull)) for k, pull in zip((1, 2), pulls, strict=True)]
    middles = [one.at(sum(share) / 2) for one in ranges]
    low, high = module._places(ranges, middles, slopes, share)
    inside = module.within(ranges, share)
    sums = {m: sum(one.pull * a for one, a in zip(ranges, m, strict=True)) for m in product(range(3, 12), repeat=2)}
    way = max(sums.values()) - min(sums.values())
    seen = [m for m, x in sums.items() if share[0] * way <= x - min(sums.values()) <= share[1] * way]
    for m in seen:
        u = -t - sum(Fraction(s) * (a - b) for s, a, b in zip(slopes, m, middles, strict=True))  # where t is 0
        assert any(low <= t + u + i <= high for i in range(-60, 60))
        assert all(one.low <= a <= one.high for one, a in zip(inside, m, strict=True))
        for a, b in module._spans(Fraction(2), low - t, high - t):
            assert -2 <= a <= b <= 2
        pieces = module._spans(Fraction(2), low - t, high - t)
        whole = [u + i for i in range(-60, 60) if -2 <= u + i <= 2]
        assert all(any(a <= x <= b for a, b in pieces) for x in whole)
    if pulls[1] != "0" and Fraction(1, 2) not in share and share != (Fraction(3, 8), Fraction(4, 9)):
        assert min(one.high - one.low for one in inside) < 8


@pytest.mark.soak
def test_eight_groups_are_told_to_a_hundredth():
    """The worst is a corner; a record further delta is less by a hundredth, and between whole t larger by a tenth."""
    groups = [dp.Group(n=1000 * (i + 1), q=Fraction(10 + 3 * i, 1000)) for i in range(8)]
    found = dp.delta(dp.Fleet(groups), epsilon=1)
    assert found.dataset.ones == (0,) * 8
    assert found.lower < found.upper <= found.lower * Fraction(101, 100)


def test_slices_serve_where_the_whole_does_not(any_variance):
    fleet = dp.Fleet([dp.Group(n=10_000, q=q) for q in ("0.01", "0.03", "0.05", "0.07", "0.09")])
    family, limit = Compositions.of(fleet), Limit.of(epsilon="0.1")
    box = Box(0, (0, 1), (0,) * 5, family.others(0))
    corners = (0,) * 5, (28, 0, 0, 0, 0), family.others(0)
    best = max(family.pair_at(Composition(0, ones, 0, 1)).inverted(limit, rtol=FINE).upper for ones in corners)
    level = best * Fraction(101, 100)
    assert best <= enveloped(family.over(box, limit, rtol=FINE), level) <= level


@pytest.mark.parametrize(
    ("q", "dummies", "lam", "hidden"),
    [("1/4", [(30, "3/10")], 2, False), ("1/10", [], 2, True), ("1/10", [], 3, False)],
)
@pytest.mark.soak
def test_chernoff_s_bound_holds_over_a_box(q, dummies, lam, hidden):
    """Where delta at one corner is 1e-10 times that at another, or less."""
    groups = [dp.Group(n=100, q=q), dp.Group(n=60, q=q, k=2)]
    neighbours = "add-remove" if hidden else "replace"
    family = Compositions.of(dp.Fleet(groups, dummies=[dp.Dummies(*one) for one in dummies], neighbours=neighbours))
    for change in family.changes:
        own, chances = own_laws(q=Fraction(q), k=1, change=change), [(count, Fraction(a)) for count, a in dummies]
        truth = scan([(99, Fraction(q), 1), (60, Fraction(q), 2)], own, chances, lam)
        for at in product(*(sides(n, parts) for n, parts in ((99, 3), (60, 1)))):
            box = Box(0, change, tuple(low for low, _ in at), tuple(high for _, high in at))
            over = family.over(box, Limit(Fraction(lam)), rtol=FINE)
            bound = over.chernoff() if over else 0
            largest = truth[tuple(slice(low, high + 1) for low, high in at)].max()
            assert largest * (1 - 1e-9) <= bound <= largest * 10**5
