"""Products of losses on a lattice: against sums over every outcome of all rounds, however faint."""

import random
from fractions import Fraction
from itertools import product

import mpmath
import pytest

from dpcalc.losses.dominance import LatticePair
from dpcalc.losses.lattice import Convolution, OnLattice
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
        (LatticePair(first, tuple(map(ball, masses)), ball(beyond)), times) for first, masses, beyond, times in rounds
    ]


@pytest.mark.parametrize("seed", range(40))
def test_every_outcome_of_all_rounds(seed):
    step, rounds, epsilon = question(seed)
    with working_precision(200), mpmath.workdps(60):
        best = truth(step, rounds, epsilon)
        found = enclosure_of(Convolution(step, losses(rounds)).delta(Limit.exp(epsilon)))
        low, high = (mpmath.mpf(x.numerator) / x.denominator for x in (found.lower, found.upper))
        assert low <= best * (1 + mpmath.mpf(10) ** -55)
        assert best <= high * (1 + mpmath.mpf(10) ** -55)
        assert high - low <= best * mpmath.mpf(10) ** -30


def test_what_a_circle_cannot_tell_from_what_it_leaves_out():
    """Two losses of 20 with 1e-300 each: between them and those of 0 nothing lies, so that the sum has two parts."""
    far = [(LatticePair(0, (ball(1), *[ball(0)] * 19, ball(Fraction(1, 10**300))), ball(0)), 2)]
    limit, step = Limit.exp(Fraction(30)), Fraction(1)
    with working_precision(200):
        found = Convolution(step, far).delta(limit)
        assert abs(found / ball(Fraction(1, 10**600)) - (1 - ball(Fraction(-10)).exp())) < 1e-12
        circle = OnLattice(step, far, near=30.0, nats=22).delta(limit)
        assert circle.overlaps(found)
        assert found.upper() <= circle.upper()
