"""Products of losses on a lattice: against sums over every outcome of all rounds, however faint."""

import math
import random
from fractions import Fraction
from itertools import product

import mpmath
import pytest
from flint import arb

from dpcalc.losses.convolution import Convolution
from dpcalc.losses.lattice import LatticePair, OnLattice
from dpcalc.numbers.ball import ball, enclosure_of, working_precision
from dpcalc.numbers.limit import Limit


def question(seed):
    """A step, kinds of rounds (first loss, masses, mass of an infinite loss, times), and an epsilon."""
    draw, rounds = random.Random(seed), []
    for _ in range(draw.choice([1, 2])):
        masses = [Fraction(draw.randint(0, 9), 10 ** draw.choice([1, 2, 30, 300])) for _ in range(draw.randint(1, 5))]
        beyond = Fraction(draw.randint(0, 5), 10 ** draw.choice([2, 400]))
        rounds.append((draw.randint(-3, 2), [*masses, Fraction(1, 10**200)], beyond, draw.randint(1, 2)))
    return Fraction(draw.randint(1, 30), 20), rounds, Fraction(draw.randint(0, 80), 20)


def truth(step, rounds, epsilon):
    """One outcome of every round after the other, to 60 digits."""
    each = [
        [*(((first + i) * step, mass) for i, mass in enumerate(masses)), (None, beyond)]
        for first, masses, beyond, times in rounds
        for _ in range(times)
    ]
    total = mpmath.mpf(0)
    for outcome in product(*each):
        mass, losses = Fraction(1), [loss for loss, _ in outcome]
        for _, one in outcome:
            mass *= one
        gap = None if None in losses else epsilon - sum(losses)
        if gap is None or gap < 0:
            share = 1 if gap is None else -mpmath.expm1(mpmath.mpf(gap.numerator) / gap.denominator)
            total += mpmath.mpf(mass.numerator) / mass.denominator * share
    return total


def losses(rounds):
    return [
        (LatticePair(first, tuple(ball(mass).mid() for mass in masses), ball(beyond)), times)
        for first, masses, beyond, times in rounds
    ]


@pytest.mark.parametrize("seed", range(40))
def test_every_outcome_of_all_rounds(seed):
    step, rounds, epsilon = question(seed)
    with working_precision(200), mpmath.workdps(60):
        best, theta = truth(step, rounds, epsilon), random.Random(seed).choice([0.1, 1.0, 10.0])
        found = Convolution(step, losses(rounds), theta=theta, near=Limit.exp(epsilon))
        ends = enclosure_of(found.delta(Limit.exp(epsilon)))
        low, high = (mpmath.mpf(x.numerator) / x.denominator for x in (ends.lower, ends.upper))
        assert low <= best * (1 + mpmath.mpf(10) ** -55)
        assert best <= high * (1 + mpmath.mpf(10) ** -55)
        assert found.settled
        assert high - low <= best / 2**15


@pytest.mark.parametrize("seed", range(20))
def test_what_is_rounded_off_is_counted(monkeypatch, seed):
    """In units so large that they are most of what is wide."""
    step, rounds, epsilon = question(seed)
    monkeypatch.setattr("dpcalc.losses.convolution._FREE", 0)
    monkeypatch.setattr("dpcalc.losses.convolution._BITS", 2)
    monkeypatch.setattr("dpcalc.losses.convolution._MOST", 0)
    with working_precision(200), mpmath.workdps(60):
        limit, best = Limit.exp(epsilon), truth(step, rounds, epsilon)
        ends = enclosure_of(Convolution(step, losses(rounds), theta=0.5, near=limit).delta(limit))
        assert ends.lower <= Fraction(str(best * (1 + mpmath.mpf(10) ** -50)))
        assert ends.upper >= Fraction(str(best * (1 - mpmath.mpf(10) ** -50)))


def test_many_rounds_are_powers():
    """Of losses 1 and -1 with equal masses: binomial coefficients, from the middle on."""
    once = LatticePair(-1, (arb(1) / 2, arb(0), arb(1) / 2), arb(0))
    with working_precision(200):
        for times in (1, 2, 3, 7, 50, 101):
            limit = Limit.exp(Fraction(times, 3))
            found = Convolution(Fraction(1), [(once, times)], theta=1.0, near=limit).delta(limit)
            each = [(2 * i - times, math.comb(times, i)) for i in range(times + 1) if 2 * i - times > times / 3]
            exact = sum(c * (1 - (ball(Fraction(times, 3)) - j).exp()) for j, c in each) / 2**times
            assert found.overlaps(exact)
            assert found.rel_accuracy_bits() > 40


def test_what_a_circle_cannot_tell_from_what_it_leaves_out():
    """Two losses of 20 with 1e-300 each: between them and those of 0 nothing lies, so that the sum has two parts."""
    far = [(LatticePair(0, (ball(1), *[ball(0)] * 19, ball(Fraction(1, 10**300)).mid()), ball(0)), 2)]
    limit, step = Limit.exp(Fraction(30)), Fraction(1)
    with working_precision(200):
        found = Convolution(step, far, theta=34.0, near=limit).delta(limit)
        assert abs(found / ball(Fraction(1, 10**600)) - (1 - ball(Fraction(-10)).exp())) < 2**-16
        circle = OnLattice(step, far, near=30.0, theta=34.0, nats=22).delta(limit)
        assert circle.overlaps(found)
        assert found.upper() <= circle.upper()


def test_beyond_the_largest_loss_only_infinite_ones_are_left():
    once = LatticePair(0, (arb(1) / 2, arb(1) / 4), arb(1) / 4)
    limit = Limit.exp(Fraction(5))
    with working_precision(100):
        found = Convolution(Fraction(1), [(once, 3)], theta=1.0, near=limit).delta(limit)
        assert abs(found - arb(37) / 64) < 1e-20


def test_where_every_loss_is_infinite():
    once, limit = LatticePair(0, (arb(0),), arb(1)), Limit.exp(Fraction(5))
    with working_precision(100):
        assert abs(Convolution(Fraction(1), [(once, 3)], theta=1.0, near=limit).delta(limit) - 1) < 1e-20
