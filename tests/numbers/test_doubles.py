"""Every count of an error in ``doubles`` against mpmath, and what happens without it."""

import math
import random

import mpmath
import numpy as np
import pytest

from dpcalc.numbers.doubles import INFINITE, exp, modulus
from dpcalc.numbers.rounding import EXP, PRODUCT, UNIT


@pytest.fixture(autouse=True)
def digits():
    with mpmath.workprec(300):
        yield


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
