"""Randomized response of k answers: Chrome's own test values, definitions by hand, and every set of reports listed."""

from fractions import Fraction
from itertools import product

import mpmath
import pytest

import dpcalc as dp
from dpcalc.numbers.limit import Limit


@pytest.mark.parametrize(
    ("categories", "limit", "flip"),
    [
        (2, {"lam": 3}, 0.5),
        (3, {"lam": 3}, 0.6),
        (2925, {"epsilon": 14}, 0.0024263221679834087),
        (3, {"epsilon": 14}, 0.000002494582008677539),
    ],
)
def test_chromes_flip_probabilities(categories, limit, flip):
    """flexible-event/privacy.test.ts, in doubles: its last digits may be off."""
    found = dp.CategoryResponse.private(categories, **limit)
    assert float(found.flip) == pytest.approx(flip, rel=1e-15)
    assert Limit.of(**limit).allows(found.odds)
    assert not Limit.of(**limit).allows(found.odds * (1 + Fraction(1, 10**39)))


@pytest.mark.parametrize(
    ("categories", "limit", "bits"),
    [
        (2, {"lam": 3}, 0.18872187554086717),
        (2925, {"epsilon": 14}, 11.461727965384876),
        (3, {"epsilon": 14}, 1.584926511508231),
    ],
)
def test_chromes_capacities(categories, limit, bits):
    assert float(dp.CategoryResponse.private(categories, **limit).capacity) == pytest.approx(bits, rel=1e-14)


@pytest.mark.parametrize(("k", "flip"), [(2, "1/2"), (5, "1/3"), (1000, "999/1000"), (3, "0.9999999999999999999999")])
def test_capacity_is_the_mutual_information(k, flip):
    response = dp.CategoryResponse(k, flip)
    with mpmath.workdps(120):
        f = mpmath.mpf(Fraction(flip).numerator) / Fraction(flip).denominator
        e = f * (k - 1) / k
        truth = mpmath.log(k, 2) + e * mpmath.log(e / (k - 1), 2) + (1 - e) * mpmath.log(1 - e, 2)
        found = response.capacity
        ends = [mpmath.mpf(end.numerator) / end.denominator for end in (found.lower, found.upper)]
        assert ends[0] - mpmath.mpf(10) ** -110 <= truth <= ends[1] + mpmath.mpf(10) ** -110
    assert found.relative_width() < Fraction(1, 10**30)


def test_the_definition():
    response = dp.CategoryResponse(4, "1/3")
    matrix = [[response.truth if x == y else response.lie for y in range(4)] for x in range(4)]
    assert sum(matrix[0]) == 1
    assert dp.FiniteMechanism(matrix).is_private(lam=response.odds, delta=0)
    assert not dp.FiniteMechanism(matrix).is_private(lam=response.odds - Fraction(1, 10**9), delta=0)
    assert dp.CategoryResponse(2, "1/2").odds == dp.RandomizedResponse("1/4").odds


def test_no_information():
    silent = dp.CategoryResponse(7, 1)
    assert silent.capacity == 0
    assert silent.epsilon == 0
    assert dp.CategoryResponse.private(7, epsilon=0) == silent


@pytest.mark.parametrize(
    ("reports", "data"),
    [(0, [(1, 1)]), (2, []), (3, [(2, 1), (1, 3), (3, 2)]), (2, [(2, 9)] * 3), (4, [(1, 0), (2, 3)])],
)
def test_every_set_of_reports(reports, data):
    """Each value and window has a number of reports; the caps choose which of these are sets."""
    cells = [i for i, (windows, _) in enumerate(data) for _ in range(windows)]
    listed = 0
    for counts in product(range(reports + 1), repeat=len(cells)):
        each = [sum(c for c, cell in zip(counts, cells, strict=True) if cell == i) for i in range(len(data))]
        listed += sum(counts) <= reports and all(x <= cap for x, (_, cap) in zip(each, data, strict=True))
    assert dp.event_states(reports, data) == listed


def test_chromes_states():
    assert dp.event_states(3, [(3, 3)] * 8) == 2925
    assert dp.event_states(1, [(1, 1)] * 2) == 3
