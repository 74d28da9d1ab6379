"""The circle of a lattice in doubles, against balls of many more digits."""

import random
from dataclasses import replace
from fractions import Fraction
from math import isqrt

import numpy as np
import pytest
from flint import acb, arb

from dpcalc.losses import circle_in_doubles, lattice
from dpcalc.losses.circle_in_balls import CircleInBalls
from dpcalc.losses.circle_in_doubles import CircleInDoubles
from dpcalc.losses.lattice import OnLattice
from dpcalc.losses.lattice_circle import LatticeCircle
from dpcalc.losses.lattice_pair import LatticePair
from dpcalc.numbers.ball import ball, working_precision
from dpcalc.numbers.doubles import TRANSFORM, repeated, transform
from dpcalc.numbers.limit import Limit


def circle(r=1.01, points=64, step=Fraction(1, 50), kinds=((-3, (1, 0, 4, 2, 5, 9, 3), 20),)):
    with working_precision(256):
        rounds = tuple(
            (LatticePair(first, tuple(ball(Fraction(x, sum(masses))) for x in masses), arb(0)), times)
            for first, masses, times in kinds
        )
        return LatticeCircle(rounds, ball(step).exp(), arb(r), points)


def drawn(seed):
    draw = random.Random(seed)
    kinds = [
        (draw.randint(-20, 0), [draw.choice([0, 0, 1, 7, 40]) for _ in range(draw.randint(1, 90))] + [3], times)
        for times in draw.choice([[1], [2], [30], [7, 3], [400], [1, 1, 1]])
    ]
    r = 1 + draw.choice([1e-5, 1e-3, 0.02, 0.3])
    return circle(r, 1 << draw.randint(3, 9), Fraction(draw.randint(1, 100), 500), kinds), draw.randint(-30, 60)


@pytest.mark.parametrize("points", [8, 16, 256, 4096])
def test_a_transform_is_the_sum_over_all_places(points):
    numbers = random.Random(points)
    x = np.array([numbers.random() ** 9 - 0.1 for _ in range(points)])
    with working_precision(128):
        exact = acb.dft([arb(value) for value in x.tolist()])
        off = max(abs(acb(complex(one)) - other) for one, other in zip(transform(x), exact, strict=True))
    assert off < TRANSFORM * np.log2(points) * np.abs(x).sum()
    assert off > 0  # unless no double was rounded


def test_a_power_is_that_many_factors():
    x = np.array([1.5, -2.0, 0.25])
    for times in (1, 2, 3, 10, 37):
        assert (repeated(x, times) == x**times).all()


@pytest.mark.parametrize("seed", [*range(40), *(pytest.param(i, marks=pytest.mark.soak) for i in range(40, 400))])
def test_doubles_are_where_balls_are(seed):
    """As many points, masses folded where there are fewer points than masses."""
    around, t = drawn(seed)
    with working_precision(160):
        exact, found = CircleInBalls.every(around, 0.0).sum(t), CircleInDoubles.of(around).sum(t)
        peak = around.whole * around.kernel(acb(around.r)).real / around.r**t
    assert found.overlaps(exact)
    times = sum(times for _, times in around.rounds)
    assert found.rad() < peak * (times + 1 / (float(around.r) - 1)) * 4e-14


def test_what_a_power_loses_is_counted():
    """A loss of the modulus 1 at every point, repeated so often that its own rounding is far above that of the sum."""
    off = 0
    for times in (10**6, 10**6 + 1, 3 * 10**7 + 7):
        around = circle(1.3, 8, Fraction(1), [(0, (0, 1), times)])
        with working_precision(200):
            exact, found = CircleInBalls.every(around, 0.0).sum(times - 3), CircleInDoubles(around).sum(times - 3)
        assert found.overlaps(exact)
        off = max(off, float(abs(found.mid() - exact) / exact))
    assert 1e-13 < off < 1e-6


def test_a_circle_next_to_the_pole_is_counted():
    """The rounding of z - 1 beside r - 1."""
    off = 0
    for seed in range(20):
        around = circle(1 + 1e-7 * (1 + seed / 17), 8, Fraction(seed + 1, 10**7), [(0, (1, 3), 1)])
        with working_precision(200):
            exact, found = CircleInBalls.every(around, 0.0).sum(1), CircleInDoubles.of(around).sum(1)
        assert found.overlaps(exact)
        off = max(off, float(abs(found.mid() - exact) / exact))
    assert off > 1e-12


def test_what_the_masses_leave_open_is_left_open():
    """A mass between 0.2 and 0.4: the sum holds what each of the two gives."""
    wide = (arb("0.6"), arb("0.3") + arb(0, "0.1"))
    found, ends = [], []
    with working_precision(120):
        for masses in (wide, (arb("0.6"), arb("0.2")), (arb("0.6"), arb("0.4"))):
            around = LatticeCircle(((LatticePair(0, masses, arb(0)), 1),), arb("1.1"), arb("1.25"), 16)
            found.append(CircleInDoubles(around).sum(1))
            ends.append(CircleInBalls.every(around, 0.0).sum(1))
    assert found[0].contains(ends[1])
    assert found[0].contains(ends[2])
    assert not found[1].overlaps(found[2])


def test_faint_points_are_bounded(monkeypatch):
    around = circle()
    with working_precision(160):
        exact, sharp = CircleInBalls.every(around, 0.0).sum(40), CircleInDoubles(around).sum(40)
        monkeypatch.setattr(circle_in_doubles, "_FAINT", 0.5)
        found = CircleInDoubles(around).sum(40)
    assert found.overlaps(exact)
    assert abs(found.mid() - exact) > 1e6 * abs(sharp.mid() - exact)


def test_where_doubles_lose_too_much_they_are_not_asked():
    assert CircleInDoubles.of(circle()) is not None
    assert CircleInDoubles.of(circle(r=1 + 1e-10)) is None
    assert CircleInDoubles.of(circle(r=1e61)) is None
    assert CircleInDoubles.of(circle(kinds=[(0, (1, 2), 10**13)])) is None
    vague = replace(circle(), growth=circle().growth + arb(0, 1e-17))
    assert CircleInDoubles.of(vague) is None


@pytest.mark.parametrize("times", [30, 1000, 10**7])
def test_a_lattice_has_the_same_delta_without_arrays(times, monkeypatch):
    step, epsilon = Fraction(1, 100), Fraction(18 * times + 20 * isqrt(times), 1000)
    masses = [ball(Fraction(x, 50)) for x in (7, 0, 3, 9, 1, 11, 0, 4, 15)]
    ends = []
    with working_precision(128):
        for there in (True, False):
            monkeypatch.setattr(lattice, "arrays", lambda here=there: here)
            found = OnLattice(step, [(LatticePair(-3, tuple(masses), arb(0)), times)], near=float(epsilon), nats=22)
            assert isinstance(found._sums, CircleInDoubles) is (there and times < 10**7)
            ends.append(found.delta(Limit.exp(epsilon)))
    assert ends[0].overlaps(ends[1])
    assert all(end.rel_accuracy_bits() > 20 for end in ends)
