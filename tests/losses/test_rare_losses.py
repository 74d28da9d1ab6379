"""Rounds that nearly always show one outcome: against sums over every outcome of all rounds, and thresholds."""

import random
from fractions import Fraction
from itertools import pairwise, product
from math import prod

import pytest

import dpcalc as dp
from dpcalc.losses.rare_losses import RareLosses, usual_together
from dpcalc.numbers.ball import ball, enclosure_of, working_precision
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.two_laws import Revealed
from tests.oracles import rounds, thresholds


def question(seed):
    """Kinds of rounds: outcomes (a, b), one of them likely, the mass of an infinite loss, and how many times."""
    draw, kinds = random.Random(seed), []
    for _ in range(draw.choice([1, 2])):
        size = 10 ** draw.choice([1, 2, 6, 60])
        rare = [(Fraction(draw.randint(1, 9), 9 * size), Fraction(draw.randint(1, 9), 9 * size)) for _ in range(3)]
        infinite = Fraction(draw.randint(0, 3), 10 * size)
        usual = 1 - infinite - sum(a for a, _ in rare), 1 - sum(b for _, b in rare)
        kinds.append(([*rare, usual], infinite, draw.randint(1, 3)))
    return kinds


def balls(outcomes, infinite):
    return Revealed([(ball(a), ball(b)) for a, b in outcomes], ball(infinite), None)


@pytest.mark.parametrize("seed", range(20))
def test_every_outcome_of_all_rounds(seed):
    kinds, lam = question(seed), Fraction(random.Random(seed).choice(["1", "11/10", "2", "5"]))
    each = [[*outcomes, (infinite, Fraction(0))] for outcomes, infinite, times in kinds for _ in range(times)]
    truth = sum(max(Fraction(0), prod(a for a, _ in seen) - lam * prod(b for _, b in seen)) for seen in product(*each))
    with working_precision(400):
        found = RareLosses([(balls(*one), times) for *one, times in kinds])
        ends = enclosure_of(found.delta(Limit(lam)))
        rest = sum(t * sum(a for a, _ in outcomes[:-1]) / outcomes[-1][0] for outcomes, _, t in kinds)
    assert ends.lower <= truth <= ends.upper
    if rest < 1:
        assert ends.upper - ends.lower <= rest**2 * Fraction(14, 10) + Fraction(1, 10**100)


def test_outcomes_of_next_to_no_loss_are_put_together():
    """That is post-processing: the masses of all of them, and no other outcome is changed."""
    half, faint, least = Fraction(1, 2), Fraction(1, 10**13), Fraction(1, 10**16)
    outcomes = [(half, half + least), (half - faint, half - faint / 7 - least), (faint, faint / 7)]
    with working_precision(400):
        usual, other = usual_together(balls(outcomes, Fraction(1, 10**20))).outcomes
        assert enclosure_of(usual[0]).lower <= 1 - faint <= enclosure_of(usual[0]).upper
        assert enclosure_of(usual[1]).lower <= 1 - faint / 7 <= enclosure_of(usual[1]).upper
        assert abs(float(other[0] / other[1]) - 7) < 1e-9


@pytest.mark.parametrize("lam", [pytest.param("1", marks=pytest.mark.soak), "3", "20"])
def test_thresholds_that_few_report_together(lam):
    """Every strategy beside up to 8 others, of which the worst number is one."""
    lam, share = Fraction(lam), Fraction(1, 1000)
    laws = [thresholds.law(n, share, {0: Fraction(1)}, 2) for n in range(10)]
    ways = [pair[::sign] for pair in pairwise(laws) for sign in (1, -1)]
    pairs = [[(more.get(s, 0), less.get(s, 0)) for s in {**more, **less}] for less, more in ways]
    truth = rounds.adaptive([[(pairs,)]] * 2, lam)
    found = dp.delta(dp.Rounds([(dp.Thresholded(2, sampled=share), 2)]), lam=lam)
    assert truth <= found.upper
    if lam > 1:  # else it is beside thousands
        assert found.lower <= truth
        assert found.upper <= found.lower * Fraction(101, 100)


@pytest.mark.parametrize(("threshold", "share", "epsilon"), [(3, "0.001", "1"), (20, "0.001", "1"), (3, "1e-6", "0.5")])
def test_the_ends_nearly_meet_where_few_report(threshold, share, epsilon):
    """delta of 30 rounds is then 30 times that of one, but for next to nothing."""
    mechanism = dp.Thresholded(threshold, sampled=share)
    one, found = dp.delta(mechanism, epsilon=epsilon), dp.delta(dp.Rounds([(mechanism, 30)]), epsilon=epsilon)
    assert found.lower <= 30 * one.upper
    assert 30 * one.lower * Fraction(999, 1000) <= found.upper <= found.lower * Fraction(104, 100)
