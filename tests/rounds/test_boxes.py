"""Boxes of datasets: against every choice of datasets, against the lattice, and their bounds one by one."""

import random
from fractions import Fraction

import pytest

import dpcalc as dp
from dpcalc.families.bits import Bits
from dpcalc.families.boxes import Boxes, Found, doubles
from dpcalc.numbers.limit import Limit
from dpcalc.rounds import release
from dpcalc.rounds.joint import Joint
from tests import registry
from tests.oracles import summed
from tests.oracles.rounds import divergence, fixed, fixed_alike, pairs


def boxes(*counts):
    return release.boxes([(dp.KRandomization(n=n, q=q, k=k), 1) for n, q, k in counts])


def settled(found, limit, rtol=1e-9, **more):
    return found.bounded(limit, found.attained(limit), level=None, rtol=rtol, **more)


@pytest.mark.parametrize(
    ("counts", "lam"),
    [
        ([(5, "1/4", 1), (7, "1/10", 1)], "3/2"),
        ([(3, "1/3", 2), (4, "1/5", 1)], "2"),
        ([(1, "1/5", 1), (6, "2/5", 1)], "1"),
        ([(3, "1/4", 1), (2, "1/5", 1), (2, "1/6", 1)], "3"),
    ],
)
def test_every_choice(counts, lam):
    best = fixed([(n, Fraction(q), k) for n, q, k in counts], Fraction(lam))
    found = settled(boxes(*counts), Limit.of(lam=lam))
    assert found.lower <= best <= found.upper <= found.lower * (1 + 1e-8)
    named = [pairs(n, Fraction(q), k)[m] for (n, q, k), m in zip(counts, found.ones, strict=True)]
    assert divergence(named, Fraction(lam)) >= found.lower


@pytest.mark.parametrize(("one", "times", "lam"), [((9, "1/5", 1), 2, "5/4"), ((5, "1/7", 1), 3, "2")])
@pytest.mark.soak
def test_equal_counts(one, times, lam):
    best = fixed_alike((one[0], Fraction(one[1]), one[2]), times, Fraction(lam))
    found = settled(boxes(*[one] * times), Limit.of(lam=lam))
    assert found.lower <= best <= found.upper <= found.lower * (1 + 1e-8)


def test_equal_counts_with_equal_ones_are_in_some_box():
    """From no dataset at all; the best one has the same ones twice."""
    limit, found = Limit.of(epsilon="1.2"), boxes((30, "1/5", 1), (30, "1/5", 1))
    start = found.attained(limit)
    assert len(set(start.ones)) == 1
    alone = found.bounded(limit, Found(0.0, 0.0, ()), level=None, rtol=1e-9)
    assert alone.upper >= start.lower
    assert alone.ones == start.ones


@pytest.mark.parametrize(("n", "q", "lam"), [(4, "1/4", "2"), (5, "1/5", "3/2"), (6, "2/5", "1")])
def test_counts_that_share_their_ones(n, q, lam):
    mechanism, listed = registry.histogram(n, 2, q)
    best, kinds = summed.delta(listed().values(), Fraction(lam)), [(mechanism, 1)]
    assert release.tied(kinds[0][0])
    found = settled(release.boxes(kinds), Limit.of(lam=lam))
    assert found.lower <= best <= found.upper <= found.lower * (1 + 1e-8)


def test_a_bound_holds_for_all_that_is_in_the_box():
    draw, found, limit = random.Random(1), boxes((40, "1/8", 1), (25, "1/5", 2)), Limit.of(epsilon="0.7")
    found.attained(limit)
    lam = doubles(limit)
    for _ in range(60):
        box = tuple(tuple(sorted((draw.randint(0, n - 1), draw.randint(0, n - 1)))) for n in (40, 25))
        inside = [[draw.randint(*side) for side in box] for _ in range(6)]
        assert found._product(box, lam)[1] >= max(found._point(ones, lam).lower for ones in inside)


def test_a_level_is_met_or_not():
    found, limit = boxes((200, "1/5", 1), (200, "1/5", 1)), Limit.of(epsilon="0.6")
    best = settled(found, limit, 1e-6)
    start = found.attained(limit)
    for factor in (1.002, 1.5):
        assert found.bounded(limit, start, level=best.lower * factor, rtol=0.0).upper <= best.lower * factor
    assert found.bounded(limit, start, level=best.lower * 0.999, rtol=0.0).upper > best.lower * 0.999


def test_no_time_is_no_proof():
    assert settled(boxes((200, "1/5", 1), (200, "1/5", 1)), Limit.of(epsilon="0.6"), work=0).upper == 1.0


@pytest.mark.parametrize(
    "counts", [[(10, "1/4", 1)] * 4, [(10, "1/4", 1001), (10, "1/4", 1)], [(10**13, "1/4", 1)] * 2]
)
def test_what_is_not_served(counts):
    assert boxes(*counts) is None


def test_what_is_too_faint_or_too_steep():
    two = boxes((10**4, "1/10", 1), (10**4, "1/10", 1))
    assert two.attained(Limit.of(epsilon="1.7")).lower < 1e-240
    assert boxes((5, "1e-80", 1), (5, "1e-80", 1)).attained(Limit.of(epsilon=301)) is None
    assert two.attained(Limit.of(epsilon=1)).lower > 1e-115
    assert boxes((10, "1e-280", 1), (10, "1e-280", 1)).attained(Limit.of(epsilon=1)) is None


@pytest.mark.parametrize(
    ("n", "times"),
    [
        (30, 2),
        (30, 3),
        *(pytest.param(n, t, marks=pytest.mark.soak) for n, t in ((3000, 2), (300, 2), (300, 3), (3000, 3))),
    ],
)
def test_rounds_fixed_beforehand(n, times):
    mechanism = dp.KRandomization(n=n, q="1/5")
    epsilon, width = Fraction(4) * Fraction(f"{(times / n) ** 0.5:.6f}"), "1e-3" if times == 2 else "2e-2"
    found = dp.delta(dp.Rounds([(mechanism, times)], adaptive=False), epsilon=epsilon, rtol=width)
    assert found.upper <= found.lower * (1 + Fraction(width))
    both = dp.delta(dp.Rounds([(mechanism, times)]), epsilon=epsilon)
    assert both.upper >= found.lower
    assert found.upper >= both.lower
    sides = Joint(((mechanism, times),), True).profile(float(epsilon), 1e-2).sides[0]
    assert sides.lower(Limit.of(epsilon=epsilon)) <= found.upper


@pytest.mark.soak
def test_epsilon_of_rounds_fixed_beforehand():
    rounds = dp.Rounds([(dp.KRandomization(n=100, q="1/5"), 2)], adaptive=False)
    found = dp.epsilon(rounds, delta="1e-4", rtol="1e-5")
    assert found.upper <= found.lower * (1 + Fraction(1, 10**5))
    assert dp.delta(rounds, epsilon=found.upper, rtol="1e-7").upper <= Fraction(1, 10**4)
    assert dp.delta(rounds, epsilon=found.lower, rtol="1e-7").lower > Fraction(1, 10**4)
    wide = dp.epsilon(dp.Rounds(rounds.kinds), delta="1e-4")
    assert wide.lower <= found.upper < wide.upper


def test_datasets_are_named_in_the_order_of_the_rounds():
    a, b = dp.KRandomization(n=60, q="1/5"), dp.KRandomization(n=40, q="1/10")
    for kinds in ([a, b], [b, a]):
        found = dp.delta(dp.Rounds(kinds, adaptive=False), epsilon="1.5", rtol="1e-6")
        assert [mechanism for mechanism, *_ in found.datasets] == kinds


@pytest.mark.parametrize(("n", "q"), [(2437, "1/10"), (6000, "1/20"), (800, "2/5")])
def test_two_counts_of_some_thousand_users_are_quick(n, q):
    """The lattice takes some hundred times as long where delta is faint: UnaryEncoding at epsilon 1.7."""
    count = Bits.symmetric(Fraction(q), 1, n - 1)
    assert Boxes([(count,), (count.flipped,)], [True]).quick
