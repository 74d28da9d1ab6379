"""Many rounds above all datasets, range by range: against every strategy in fractions, and one pair above all."""

import random
from fractions import Fraction
from functools import cache

import mpmath
import pytest

import dpcalc as dp
from dpcalc.families.bits import Bits
from dpcalc.losses import range_by_range as module
from dpcalc.losses.dominance import LatticePair, chords
from dpcalc.losses.range_by_range import RangeByRange
from dpcalc.numbers.ball import ball, enclosure_of, working_precision
from dpcalc.numbers.limit import Limit
from tests.oracles import rounds

NEAR = 3  # the lattice point that the recursion is made for


def ranged(n, q, k, step, ranges):
    """Above each range from the exact profile of every dataset, on the lattice up to the largest loss."""
    knots = [(j, Fraction(j) * step) for j in range(int(k * 8 / step))]
    pairs = rounds.pairs(n, q, k)[:n]

    def of(some):
        def largest(chosen):
            return [(j, max(rounds.profile(one, Limit.exp(x).ends.lower) for one in chosen)) for j, x in knots]

        return chords(step, largest([pairs[m] for m in some]), largest([pairs[n - 1 - m] for m in some]))

    return [of(some) for some in ranges]


def above(step, *kinds, near="1", theta=1.0):
    return RangeByRange(step, kinds, round(Fraction(near) / step), theta)


def masses(draw, infinite):
    """A pair on a lattice: its masses from some loss on, and that of an infinite loss; together at most 1."""
    parts = [Fraction(draw.randint(0, 9)) / 10 ** draw.choice([0, 0, 1, 5]) for _ in range(draw.randint(1, 6))]
    beyond = Fraction(draw.randint(0, 9)) / 10 ** draw.choice([0, 2, 8]) if infinite else Fraction(0)
    whole = sum(parts) + beyond + Fraction(1, 10**9)
    return draw.randint(-4, 1), [x / whole for x in parts], beyond / whole


def question(seed):
    """A step, and kinds of rounds: pairs above ranges, and how many times."""
    draw = random.Random(seed)
    kinds = []
    for _ in range(draw.choice([1, 2])):
        infinite = draw.choice([False, True])
        kinds.append(([masses(draw, infinite) for _ in range(draw.choice([1, 3]))], draw.randint(1, 3)))
    return Fraction(draw.randint(1, 20), 20), kinds


def one_by_one(step, kinds, places):
    """U_T at some places by its definition, to 40 digits; nothing is left out."""
    each = [ranges for ranges, times in kinds for _ in range(times)]

    @cache
    def value(t, j):
        if t == len(each):
            return max(-mpmath.expm1(mpmath.mpf(step.numerator) / step.denominator * j), mpmath.mpf(0))
        return max(
            beyond.numerator / mpmath.mpf(beyond.denominator)
            + sum(x.numerator / mpmath.mpf(x.denominator) * value(t + 1, j - i) for i, x in enumerate(some, first))
            for first, some, beyond in each[t]
        )

    with mpmath.workdps(40):
        return [value(0, j) for j in places]


def recursion(seed, near=NEAR):
    """U_T from transforms, and by definition, where the losses of all rounds together are."""
    step, kinds = question(seed)
    places = range(-12, 13)
    pairs = [
        ([LatticePair(first, tuple(map(ball, some)), ball(w)) for first, some, w in ranges], times)
        for ranges, times in kinds
    ]
    with working_precision(128):
        found = RangeByRange(step, pairs, near, 0.3)
        values = [enclosure_of(found._above(j)).upper for j in places]
    return list(zip(values, one_by_one(step, kinds, places), strict=True))


def of(x):
    return mpmath.mpf(x.numerator) / x.denominator


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("near", [-8, NEAR, 20])
def test_the_recursion_by_definition(seed, near):
    with mpmath.workdps(40):
        for found, truth in recursion(seed, near):
            assert truth <= of(found)
        if near == NEAR:
            found, truth = recursion(seed)[NEAR + 12]
            assert of(found) <= truth * (1 + mpmath.mpf("1e-6")) + mpmath.mpf("1e-9")


@pytest.mark.parametrize(("name", "value"), [("_ROUNDINGS", 0.0), ("_AWAY", 0.0)])
def test_what_is_added_is_needed(monkeypatch, name, value):
    """Without the roundings of the transforms some value is too low; a window too narrow gives wider ones, no lower."""
    monkeypatch.setattr(module, name, value)
    with mpmath.workdps(40):
        low = sum(of(found) < truth for seed in range(40) for found, truth in recursion(seed))
    assert (low > 0) == (name == "_ROUNDINGS")


@pytest.mark.parametrize(
    ("n", "q", "times"), [pytest.param(3, "1/4", 3, marks=pytest.mark.soak), (4, "1/5", 2), (2, "1/10", 3)]
)
def test_every_strategy(n, q, times):
    q, step = Fraction(q), Fraction(1, 20)
    with working_precision(128):
        by_range = above(step, (ranged(n, q, 1, step, [[m] for m in range(n)]), times))
        at_once = above(step, (ranged(n, q, 1, step, [range(n)]), times))
        for lam in ("1", "2", "5"):
            truth = rounds.adaptive([[(n, q, 1)]] * times, Fraction(lam))
            found, wider = (enclosure_of(one.delta(Limit.of(lam=lam))).upper for one in (by_range, at_once))
            assert truth <= found <= wider
            assert found <= truth * Fraction(102, 100)


@pytest.mark.parametrize("kinds", [[(3, "1/4", 1), (2, "1/10", 1)], [(2, "1/10", 1), (3, "1/4", 1)]])
def test_every_strategy_of_rounds_of_two_kinds(kinds):
    """Each with its own ranges, the last one first: the other order has another value, and would be too low."""
    step = Fraction(1, 20)
    with working_precision(128):
        each = [(ranged(n, Fraction(q), k, step, [[m] for m in range(n)]), 1) for n, q, k in kinds]
        hulls = [(ranged(n, Fraction(q), k, step, [range(n)]), 1) for n, q, k in kinds]
        for lam in ("3/2", "2", "5"):
            truth = rounds.adaptive([[(n, Fraction(q), k)] for n, q, k in kinds], Fraction(lam))
            found, wider = (enclosure_of(above(step, *x).delta(Limit.of(lam=lam))).upper for x in (each, hulls))
            assert truth <= found <= wider * Fraction(10**12 + 1, 10**12)
            assert found <= truth * Fraction(1005, 1000)


def test_away_from_the_loss_that_matters_it_is_a_bound_too():
    step, kind = Fraction(1, 10), (ranged(3, Fraction(1, 4), 1, Fraction(1, 10), [[0], [1], [2]]), 2)
    with working_precision(128):
        each = [above(step, kind, near=near) for near in ("-4", "1", "9")]
        for epsilon in ("0", "0.3", "0.55", "1", "2"):
            limit = Limit.of(epsilon=epsilon)
            truth = rounds.adaptive([[(3, Fraction(1, 4), 1)]] * 2, limit.ends.upper)
            assert all(truth <= enclosure_of(one.delta(limit)).upper <= 1 for one in each)


@pytest.mark.parametrize(
    ("n", "q", "k"), [(1, "1/4", 1), (4, "1/5", 2), (7, "1/10", 1), (40, "1/10", 1), (20, "1/50", 2)]
)
@pytest.mark.soak
def test_ranges_hold_all_datasets_and_are_bounded_in_one_direction(n, q, k):
    q, asked = Fraction(q), [(Fraction(x), Fraction(1, 100)) for x in ("0", "1/10", "1/2", "2")]
    whole = Bits.symmetric(q, k, n - 1)
    ends = [(one.low, one.high) for one in whole.ranges]
    assert [m for first, last in ends for m in range(first, last + 1)] == list(range(n))
    pairs = rounds.pairs(n, q, k)
    for one in whole.ranges:
        first, last = one.low, one.high
        for bounds, directions in ((one.uppers(asked), pairs[:n]), (one.mirror.uppers(asked), pairs[n:])):
            for (epsilon, _), bound in zip(asked, bounds, strict=True):
                lam = Limit.exp(epsilon).ends
                truth = [
                    max(rounds.profile(pair, x) for pair in directions[first : last + 1])
                    for x in (lam.lower, lam.upper)
                ]
                assert truth[1] <= bound
                sharp = n > 1  # of one dataset the bound of all is the bound of each
                assert not sharp or bound <= max(truth[0] * Fraction(103, 100), Fraction(1, 10**4))


def test_the_ends_of_rounds_of_several_kinds_nearly_meet():
    """One pair above all datasets of each kind ends at 1.790."""
    counts, histograms = dp.KRandomization(n=1000, q="0.1"), dp.UnaryEncoding(n=2000, categories=4, q="0.2")
    for kinds in ([(counts, 20), (dp.KRandomization(n=2000, q="0.2"), 10)], [(histograms, 5), (counts, 20)]):
        found = dp.epsilon(dp.Rounds(kinds), delta="1e-6")
        assert found.upper <= found.lower * Fraction(1002, 1000)


def test_what_underflows_is_rounded_up():
    """After two rounds both losses are infinite with the chance 1e-400, which is no double."""
    faint = ball(Fraction(1, 10**200))
    kinds = [([LatticePair(0, (faint,), ball(Fraction(0)))], 1), ([LatticePair(0, (ball(Fraction(1, 2)),), faint)], 1)]
    with working_precision(200):
        assert enclosure_of(RangeByRange(Fraction(1), kinds, 1, 1.0)._above(1)).upper >= Fraction(1, 10**400)
