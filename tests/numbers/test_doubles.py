"""Every count of an error in ``doubles`` against mpmath, and what happens without it."""

import math
import random
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from dpcalc.numbers.doubles import INFINITE, Chords, exp, modulus, powers, roots
from dpcalc.numbers.rounding import EXP, PRODUCT, UNIT, Split, split


@pytest.fixture(autouse=True)
def digits():
    with mpmath.workprec(300):
        yield


def chord(j, points):
    return mpmath.expjpi(mpmath.mpf(2 * j) / points) - 1


def rational(x):
    return mpmath.mpf(x.numerator) / x.denominator


def excess(seed, *, bits=None, parts=split, chords=Chords.of, **more):
    """The largest (error - absolute) / (relative |z|) of random powers, and whether there was a base next to 0."""
    draw = random.Random(seed)
    points = draw.choice([16, 24, 40, 64, 128, 512, 2048])
    kept = draw.randint(1, min(points // 2 + 1, 12))
    if draw.random() < 0.3:
        points, kept = 16, 9
    bits = bits or draw.randint(1, 24)
    mus = [
        draw.choice([Fraction(1, 2), Fraction(draw.randint(1, 999), 1000), Fraction(1, 10**9 + 7)]) for _ in range(2)
    ]
    found = powers(*(parts(*mu.as_integer_ratio()) for mu in mus), chords(points, kept), bits, **more)
    top = (1 << bits) - 1
    pairs = [(top, top), (draw.randint(0, top), draw.randint(0, top)), (0, draw.randint(0, 3) & top)]
    got = found.power(tuple(np.array(exponents) for exponents in zip(*pairs, strict=True)))
    worst = 0.0
    for row, exponents in zip(got, pairs, strict=True):
        for j in range(kept):
            true = mpmath.mpc(1)
            for mu, e in zip(mus, exponents, strict=True):
                true *= (1 + rational(mu) * chord(j, points)) ** e
            error = abs(true - mpmath.mpc(complex(row[j]))) - found.absolute
            if error > 0:
                worst = max(worst, float(error / (found.count(2 * bits) * abs(true))) if true else float("inf"))
    return worst


@pytest.mark.parametrize("first", range(0, 60, 30))
def test_powers_are_as_near_as_they_say(first):
    seen = [excess(seed) for seed in range(first, first + 30)]
    assert max(seen) <= 1
    assert max(seen) > 1e-3  # and the count is not a thousand times too large


@pytest.mark.parametrize("within", [1e-12, 1e-9, 1e-6])
def test_powers_that_need_no_correction(within):
    assert max(excess(seed, within=within) for seed in range(15)) <= 1
    for bits in range(1, 25):
        found = powers(split(1, 3), split(2, 3), Chords.of(64, 10), bits, within=within)
        assert found.count(2 * bits) <= 2.1 * within + 1e-13


@pytest.mark.parametrize(("base", "corrected"), [(0.06, False), (2e-3, False), (1e-4, True)])
def test_a_base_near_0_needs_no_correction_but_one_next_to_it_does(base, corrected):
    """1 + mu g is 1 - 2 mu at the last point."""
    mu = Fraction(1 - Fraction(base)) / 2
    found = powers(*[split(*mu.as_integer_ratio())] * 2, Chords.of(16, 9), 5, within=1e-6)
    assert (found.absolute > 1e-17) is corrected
    for e in (1, 2, 3, 17):
        got = found.power((np.array([e]), np.array([0])))[0, 8]
        error = abs(mpmath.mpc(complex(got)) - (1 - 2 * rational(mu)) ** e)
        assert error <= found.count(10) * abs((1 - 2 * rational(mu)) ** e) + found.absolute


@pytest.mark.parametrize("counted", [True, False])
def test_the_error_of_a_base_in_one_part_is_counted(counted):
    coarse = 1e-9  # an error that stands for the roundings of a base

    def off(*given):
        exact = Chords.of(*given)
        return replace(exact, near=exact.near * (1 + 0.5 * coarse))

    plain = {"plain": coarse} if counted else {}
    assert (max(excess(seed, bits=8, within=1e-3, chords=off, **plain) for seed in range(30)) <= 1) == counted


def test_without_the_second_part_of_a_base_its_powers_are_wrong():
    assert max(excess(seed, bits=20, parts=lambda *x: Split(split(*x).head, 0.0)) for seed in range(20)) > 100


def test_exp():
    draw = random.Random(1)
    x = np.array([*np.linspace(-708, 708, 2001), *(draw.uniform(-3, 3) for _ in range(2000)), 0.0, 1e-300, -1e-9])
    errors = [abs(mpmath.mpf(float(y)) / mpmath.exp(mpmath.mpf(float(a))) - 1) for a, y in zip(x, exp(x), strict=True)]
    assert EXP / 1000 < max(errors) <= EXP
    with np.errstate(over="ignore"):
        assert exp(np.array([709.0, 709.78, 709.79, INFINITE])).tolist()[2:] == [math.inf, math.inf]
    assert abs(mpmath.mpf(float(exp(np.array([709.78]))[0])) / mpmath.exp(mpmath.mpf(709.78)) - 1) <= EXP


def test_exp_of_many_is_that_of_each():
    x = np.linspace(-700, 700, 40_001)
    each = np.concatenate([exp(some) for some in np.array_split(x, 41)])
    assert (abs(exp(x) - each) <= 2 * EXP * each).all()


@pytest.mark.parametrize("points", [8, 16, 24, 72, 120, 1024])
def test_roots_and_chords(points):
    for j, root in enumerate(roots(points)):
        assert abs(mpmath.mpc(complex(root)) - mpmath.conj(1 + chord(j, points))) <= 1.01 * UNIT
    chords = Chords.of(points, points // 2 + 1)
    for j in range(points // 2 + 1):
        for axis, true in enumerate((chord(j, points).real, chord(j, points).imag)):
            near = mpmath.mpf(float(chords.head[axis, j])) + mpmath.mpf(float(chords.rest[axis, j]))
            assert abs(near - true) <= mpmath.mpf(2) ** -78 * abs(true)


def test_complex_products_and_moduli():
    draw = np.random.default_rng(1)
    x, y = (draw.standard_normal(6_000) + 1j * draw.standard_normal(6_000) for _ in range(2))
    worst = [0.0, 0.0]
    for a, b, z, size in zip(x, y, x * y, modulus(x), strict=True):
        true = mpmath.mpc(complex(a)) * mpmath.mpc(complex(b))
        worst[0] = max(worst[0], float(abs(mpmath.mpc(complex(z)) - true) / abs(true)))
        worst[1] = max(worst[1], float(abs(size / abs(mpmath.mpc(complex(a))) - 1)))
    assert PRODUCT / 3 < worst[0] <= PRODUCT
    assert worst[1] <= 3 * UNIT


def test_split():
    for x in (Fraction(1, 3), Fraction(10**9, 10**9 + 7), Fraction(1, 10**40 + 1)):
        parts = split(*x.as_integer_ratio())
        assert abs(Fraction(parts.head) + Fraction(parts.rest) - x) <= x / 2**78
        assert math.frexp(parts.head)[0] * 2**26 % 1 == 0
