"""Distribution functions at many places: against sums of the pmf, and each place by an inversion of its own."""

import math
import random
from fractions import Fraction
from itertools import accumulate

import pytest
from flint import arb

from dpcalc.laws.inversion import Term, invert
from dpcalc.laws.many_places import at_most
from dpcalc.laws.pool import Pool
from dpcalc.laws.tilt import Tilt
from dpcalc.numbers.ball import enclosure_of, working_precision


@pytest.mark.parametrize("seed", range(20))
def test_every_place_of_a_small_pool(seed):
    draw = random.Random(seed)
    one, other = (Fraction(draw.randint(1, 19), 20) for _ in range(2))
    kinds, count = ((one, draw.randint(1, 400)), (other, draw.randint(1, 30))), draw.randint(1, 3)
    added = [((Fraction(draw.randint(1, 19), 20), count),) for _ in range(2)]
    whole = sum(c for _, c in kinds) + count
    middle, reach = draw.randint(1, whole - 1), draw.choice([1.0, 6.0])
    tilt = Tilt((*kinds, *added[0]))
    away = math.ceil(reach * tilt.variance(tilt.toward(middle)) ** 0.5)
    places = range(max(0, middle - away), min(whole, middle + away))
    with working_precision(60):
        found = at_most(kinds, added, places, middle, reach)
    for i, own in enumerate(added):
        pmf = Pool((*kinds, *own)).pmf()
        exact = list(accumulate(pmf.weights))
        for t, value in zip(places, found, strict=True):
            ends = enclosure_of(value[i])
            assert ends.lower <= Fraction(exact[t], pmf.denominator) <= ends.upper
        assert found[middle - places[0]][i].rel_accuracy_bits() > 36


@pytest.mark.parametrize(("n", "a"), [(10**5, "1/10"), (10**9, "2/5"), (10**9, "1/1000000")])
@pytest.mark.parametrize("away", [-8, 0, 3])
def test_one_circle_tells_what_each_place_would(n, a, away):
    a, own = Fraction(a), ((Fraction(1, 3), 2),)
    deviation = float(n * a * (1 - a)) ** 0.5
    middle = round(float(n * a) + away * deviation)
    places = [round(middle + i * deviation / 2) for i in range(-12, 13)]
    with working_precision(50):
        found = at_most([(a, n)], [own], places, middle, 6.0)
    with working_precision(200):
        for place, (value,) in zip(places, found, strict=True):
            exact = invert([(a, n)], [Term(lambda: arb(1), own)], place).cumulative
            assert value.overlaps(exact)
            assert value.rel_accuracy_bits() > 36


def test_far_from_the_middle_it_is_wide_and_right():
    """Aliases and points left out are most of what is found there."""
    kinds, own = ((Fraction(1, 4), 200),), ((Fraction(1, 3), 1),)
    pmf = Pool((*kinds, *own)).pmf()
    exact = list(accumulate(pmf.weights))
    with working_precision(20):
        found = at_most(kinds, [own], range(30, 80), 50, 0.1)
    wide = 0
    for t, (value,) in enumerate(found, 30):
        ends = enclosure_of(value)
        assert ends.lower <= Fraction(exact[t], pmf.denominator) <= ends.upper
        wide += value.rel_accuracy_bits() < 10
    assert 5 < wide < 45
