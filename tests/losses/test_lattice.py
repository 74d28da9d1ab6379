"""Losses on a lattice: many rounds against sums over all losses, without each error bound; pairs above and below."""

import math
import random
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from flint import arb

from dpcalc.losses import lattice
from dpcalc.losses.dominance import LatticePair, chords, lifted, merged, split
from dpcalc.losses.lattice import OnLattice
from dpcalc.numbers.ball import ball, enclosure_of, working_precision
from dpcalc.numbers.limit import Limit
from tests.oracles.rounds import divergence, pairs, profile
from tests.oracles.scan import powers
from tests.oracles.scan import times as product


def truth(step, rounds, epsilon):
    """delta summed over every loss, to 60 digits."""
    first, whole = 0, [Fraction(1)]
    for start, masses, times in rounds:
        first += start * times
        whole = product(whole, powers(masses, times))
    with mpmath.workdps(60):
        total = mpmath.mpf(0)
        for i, mass in enumerate(whole):
            gap = epsilon - (first + i) * step
            if gap < 0:
                total += (
                    mpmath.mpf(mass.numerator)
                    / mass.denominator
                    * -mpmath.expm1(mpmath.mpf(gap.numerator) / gap.denominator)
                )
        return Fraction(str(total))


def question(seed):
    """A step, kinds of rounds and an epsilon: dense, sparse and even lattices."""
    draw = random.Random(seed)
    rounds = []
    for _ in range(draw.choice([1, 1, 2])):
        length, sparse = draw.choice([2, 3, 8, 20]), draw.choice([1, 1, 2, 5])
        masses = [Fraction(draw.randint(0, 5) if i % sparse == 0 else 0, 7) for i in range(length)]
        masses[0] += Fraction(1, 10)
        masses[-1] += Fraction(1, 20)
        whole = sum(masses)
        rounds.append((draw.randint(2 - length, 0), [mass / whole for mass in masses], draw.choice([1, 2, 5, 17])))
    step = Fraction(draw.randint(1, 30), 100)
    top = step * sum((start + len(masses) - 1) * times for start, masses, times in rounds)
    return step, rounds, max(top, Fraction(0)) * Fraction(draw.choice([0, 10, 50, 95]), 100)


def composition(step, rounds, epsilon, nats, density=64):
    kinds = [(LatticePair(start, tuple(map(ball, masses)), arb(0)), times) for start, masses, times in rounds]
    return OnLattice(step, kinds, near=float(epsilon), nats=nats, density=density)


def limit(epsilon):
    return Limit.of(epsilon=epsilon)


@pytest.mark.parametrize(
    "seed", [*range(0, 12, 1), *(pytest.param(i, marks=pytest.mark.soak) for i in range(12, 60, 1))]
)
@pytest.mark.parametrize("density", [64, 8, 1])
@pytest.mark.soak
def test_many_rounds_are_the_sum_over_their_losses(seed, density):
    step, rounds, epsilon = question(seed)
    with working_precision(160):
        found = enclosure_of(composition(step, rounds, epsilon, 40, density).delta(limit(epsilon)))
    exact = truth(step, rounds, epsilon)
    slack = exact / 10**50
    assert found.lower <= exact + slack
    assert found.upper >= exact - slack
    assert found.upper - found.lower <= exact / 10**8


def test_points_of_a_circle_are_the_same_by_a_transform_and_one_by_one(monkeypatch):
    step, rounds, epsilon = Fraction(1, 50), [(-40, [Fraction(i % 5 + 1, 300) for i in range(100)], 30)], Fraction(6)
    found = []
    for terms in (0, 10**9):
        monkeypatch.setattr(lattice, "_TERMS", terms)
        with working_precision(128):
            found.append(composition(step, rounds, epsilon, 40).delta(limit(epsilon)))
    assert found[0].overlaps(found[1])
    assert all(one.rel_accuracy_bits() > 40 for one in found)


@pytest.mark.soak
def test_truncation_is_counted():
    """Of e^-1 of what is summed: aliases and points left out are far larger than all roundings."""
    off = 0
    for seed in range(16):
        step, rounds, epsilon = question(seed)
        exact = truth(step, rounds, epsilon)
        with working_precision(160):
            found = composition(step, rounds, epsilon, 1, 4).delta(limit(epsilon))
        assert enclosure_of(found).lower <= exact + Fraction(1, 10**50)
        assert enclosure_of(found).upper >= exact - Fraction(1, 10**50)
        off += abs(float(found.mid()) - float(exact)) > 1e-6
    assert off > 5


def test_a_rational_limit_between_two_losses():
    step, rounds, _ = question(3)
    lam = Fraction(7, 5)
    with working_precision(160):
        composed = composition(step, rounds, Fraction(1, 3), 40)
        found = enclosure_of(composed.delta(Limit.of(lam=lam)))
        near = [enclosure_of(composed.delta(limit(x))) for x in ("0.33647", "0.33648")]
    assert near[1].lower <= found.lower
    assert found.upper <= near[0].upper


def test_infinite_losses():
    with working_precision(128):
        once = LatticePair(0, (arb(3) / 4,), arb(1) / 4)
        found = enclosure_of(OnLattice(Fraction(1), [(once, 3)], near=1.0, nats=30).delta(limit(1)))
    assert abs(found.lower - Fraction(37, 64)) < Fraction(1, 10**9)


@pytest.mark.parametrize("times", [10**4, 10**6])
def test_a_million_rounds_agree_at_two_lattices_and_two_precisions(times):
    """Two-point losses on a lattice and on one of half the step, where every other mass is 0."""
    held = []
    for bits, finer in ((160, 1), (220, 2)):
        masses = [Fraction(1, 4)] + [Fraction(0)] * (2 * finer - 1) + [Fraction(3, 4)]
        step = Fraction(1, 1000) / finer
        with working_precision(bits):
            whole = composition(step, [(-finer, masses, times)], Fraction(times, 2000), 30)
            held.append(enclosure_of(whole.delta(limit(Fraction(times, 2000) + Fraction(1, 100)))))
    assert held[0].lower <= held[1].upper
    assert held[1].lower <= held[0].upper
    assert held[0].upper <= held[0].lower * (1 + Fraction(1, 10**6))


# --- pairs above and below ------------------------------------------------------------------------------------


def of(losses, step, lam):
    """The profile of a pair on the lattice, as a ball."""
    total = losses.beyond
    for i, mass in enumerate(losses.masses):
        total += (mass * (1 - ball(lam) * ball(-(losses.first + i) * step).exp())).nonnegative_part()
    return total


LAMS = [Fraction(x, 12) for x in range(1, 60, 3)]
CASES = [(1, Fraction(1, 5), 1), (3, Fraction(1, 4), 1), (5, Fraction(1, 7), 1), (4, Fraction(2, 5), 2)]


@pytest.mark.parametrize(("n", "q", "k"), CASES)
@pytest.mark.parametrize("step", [Fraction(1, 3), Fraction(1, 20)])
@pytest.mark.soak
def test_chords_split_and_merged_stand_above_and_below(n, q, k, step):
    family = pairs(n, q, k)
    last = 1 + int(k * mpmath.log((1 - q) / q) / step)
    with working_precision(128):
        bounds = [(0, max(profile(one, Fraction(1)) for one in family))]
        for j in range(1, last + 2):
            point = enclosure_of(ball(j * step).exp()).lower
            bounds.append((j, max(profile(one, point) for one in family)))
        above = chords(step, bounds)
        for one in family:
            balls = sorted(((ball(p), ball(r)) for p, r in one), key=lambda x: float(x[0] / x[1]))
            over, under = split(step, balls, arb(0)), merged(step, balls)
            for lam in LAMS:
                exact = ball(profile(one, lam))
                assert not of(above, step, lam) < exact
                assert not of(over, step, lam) < exact
                assert not of(under, step, lam) > exact
                assert of(over, step, lam) - of(under, step, lam) < 2 * ball(step)
                assert not of(above, step, lam) < of(over, step, lam) - ball(step) ** 3 - ball(Fraction(1, 10**20))


def test_raised_points_stay_above_after_two_rounds():
    """n = 1, q = 1/5 with the bound at lambda = 1 raised: raw second differences would fall below the truth, 3/5."""
    step, exact = Fraction(0), None
    pair = pairs(1, Fraction(1, 5), 1)[0]
    exact = divergence([pair, pair], Fraction(1))
    assert exact == Fraction(3, 5)
    with working_precision(128):
        step = Fraction(693147, 10**6)
        bounds = [(0, profile(pair, Fraction(1)) + Fraction(1, 100))]
        for j in (1, 2, 3):
            bounds.append((j, profile(pair, enclosure_of(ball(j * step).exp()).lower)))
        above = chords(step, bounds)
        assert all(mass >= 0 for mass in above.masses)
        found = enclosure_of(OnLattice(step, [(above, 2)], near=0.0, nats=40).delta(Limit.of(lam=1)))
    assert found.lower >= exact


def test_bounds_that_are_not_convex_are_left_out():
    with working_precision(128):
        losses = chords(
            Fraction(1, 2), [(0, Fraction(1, 2)), (1, Fraction(1)), (2, Fraction(1, 10)), (3, Fraction(1, 5))]
        )
        assert of(losses, Fraction(1, 2), Fraction(1)) >= Fraction(1, 10).numerator / arb(10)
        assert abs(of(losses, Fraction(1, 2), Fraction(100)) - arb(1) / 10) < arb(10) ** -30
        everything = chords(Fraction(1), [(0, Fraction(1))])
        assert everything.beyond == 1


def test_merging_drops_only_what_is_not_known():
    with working_precision(128):
        vague = arb(1) / 4 + arb(0, 0.01)
        pair = [(arb(1) / 4, arb(3) / 4), (vague, arb(1) / 100), (arb(1) / 2, arb(1) / 4)]
        assert sum(merged(Fraction(1, 10), pair).masses, arb(0)) < arb("0.751")
        assert split(Fraction(1, 10), pair, arb(0)).beyond > arb("0.25")


def test_a_loss_that_counts_as_smaller_keeps_its_probability():
    """Of many rounds in which each loses a little of it, nothing would be left."""
    step = Fraction(1, 3)
    with working_precision(128):
        for one in pairs(3, Fraction(1, 4), 1):
            balls = sorted(((ball(p), ball(r)) for p, r in one), key=lambda x: float(x[0] / x[1]))
            under = merged(step, balls)
            assert abs(sum(under.masses, arb(0)) - 1) < arb("1e-15")
            assert of(under, step, Fraction(1, 1000)) < ball(profile(one, Fraction(1, 1000)))


def test_an_outcome_a_hair_from_a_lattice_point_is_not_misplaced():
    """So near that floating point takes it to be on the other side."""
    step = Fraction(1, 10)
    with working_precision(160):
        for j in (-4, 0, 3):
            for nudge in (-(10**-12), -(10**-20), 0, 10**-20, 10**-12):
                b = arb(1) / 3
                a = b * ball(j * step).exp() * (1 + arb(nudge))
                over, under = split(step, [(a, b)], arb(0)), merged(step, [(a, b)])
                for lam in (Fraction(1, 10), Fraction(1, 2), Fraction(99, 100), Fraction(13, 10)):
                    exact = (a - ball(lam) * b).nonnegative_part()
                    assert not of(over, step, lam) < exact
                    assert not of(under, step, lam) > exact
                    assert of(over, step, lam) - of(under, step, lam) < arb(1) / 10


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.soak
def test_the_points_left_out_are_bounded(seed):
    draw = random.Random(seed)
    masses = [Fraction(draw.randint(0, 9) ** 2 + 1, 100) for _ in range(draw.choice([2, 5, 30]))]
    rounds = [(-3, masses, draw.choice([1000, 10000])), (0, [Fraction(1, 2)] * 3, draw.choice([0, 7]))]
    with working_precision(160):
        composed = composition(Fraction(1, 10), rounds, Fraction(1), 22, 16)
        ranges, rest = composed._matter(16, draw.choice([5.0, 30.0]))
        kept, points = {j for places in ranges for j in places}, composed._points
        left, r = arb(0), composed._r
        for j in set(range(points // 2 + 1)) - kept:
            z = r * lattice._turn(j, points)
            sizes = (abs(g(z) / g(r)) ** times for g, _, times in composed._polynomials)
            left += (1 if 2 * j in (0, points) else 2) * math.prod(sizes, start=arb(1))
        assert len(kept) == points // 2 + 1 or left < rest


def test_what_is_all_but_1_does_not_take_in_what_is_faint():
    """All the rest in one outcome of hardly any loss, and the losses that matter, of 1e-300."""
    step, faint = Fraction(1, 10), [ball(Fraction(j, 10**300)) for j in (3, 4, 5)]
    with working_precision(100):
        outcomes = [(arb(1), arb(99) / 100), *((a, a / ball(5 + i * step).exp()) for i, a in enumerate(faint))]
        losses = merged(step, outcomes)
        kept = sum(losses.masses[40 - losses.first :], arb(0))
        assert sum(faint, arb(0)) * arb("0.8") < kept
        assert not kept > sum(faint, arb(0))


def test_the_circle_is_where_faint_losses_lie():
    """Nearly all at 0, and a far tail: the variance of the sum as it is says nothing about that at the epsilon."""
    step, low = Fraction(1, 100), 500
    weights = [Fraction(math.exp(-((i - 200) ** 2) / 3200)) for i in range(low, 901)]
    losses = LatticePair(0, (arb(1), *[arb(0)] * (low - 1), *map(ball, weights)), arb(0))
    with working_precision(200):
        found = float(OnLattice(step, [(losses, 2)], near=14.0, nats=22.0).delta(Limit.exp(Fraction(14))))
    together = np.convolve(*[np.array(weights, dtype=float)] * 2)
    above = 2 * low + np.arange(len(together)) - 1400
    exact = float((together * -np.expm1(-above / 100))[above > 0].sum())
    assert abs(found - exact) < 1e-6 * exact


def test_where_no_circle_has_few_enough_points_chernoffs_bound_is_left(monkeypatch):
    monkeypatch.setattr(lattice, "_EVERY", 4)
    monkeypatch.setattr(lattice, "_LARGEST", 4)
    monkeypatch.setattr(lattice, "_MOST", 0)
    step, rounds, epsilon = Fraction(1, 10), [(-3, [Fraction(1, 7)] * 7, 20)], Fraction(2)
    with working_precision(128):
        losses = [(LatticePair(first, tuple(map(ball, masses)), arb(0)), times) for first, masses, times in rounds]
        composed = OnLattice(step, losses, near=float(epsilon), nats=30)
        assert not composed.settled
        found, r = enclosure_of(composed.delta(Limit.exp(epsilon))), float(composed._r)
    assert found.lower == 0
    assert truth(step, rounds, epsilon) < found.upper < 100 * truth(step, rounds, epsilon)
    mean = sum(r**j for j in range(-3, 4)) / 7
    assert math.isclose(float(found.upper), mean**20 / r**21, rel_tol=1e-6)  # losses above 20 steps


def test_losses_too_near_to_be_told_apart_still_steer():
    assert math.isfinite(lifted(0.0, 1e8, 1e8, 1e-3))
    assert math.isfinite(lifted(0.0, 2000.0, 1999.0, 1e-3))
