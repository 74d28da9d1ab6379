"""Estimates from asymmetric reports: by listing every outcome of every number of ones."""

from fractions import Fraction
from math import comb

import pytest

import dpcalc as dp
from tests.oracles.asymmetric import count

A, B = Fraction(1, 2), Fraction(1, 10)
CASES = [(6, 1, A, B), (4, 2, Fraction(3, 4), Fraction(1, 3)), (5, 1, Fraction(9, 10), Fraction(1, 10))]


def laws(n, k, a, b):
    """The law of the count for every number of ones."""
    return [count((1,) * ones + (0,) * (n - ones), a, b, k) for ones in range(n + 1)]


@pytest.mark.parametrize(("n", "k", "a", "b"), CASES)
def test_it_is_unbiased_and_its_variance_is_that_of_the_worst_dataset(n, k, a, b):
    mechanism = dp.AsymmetricBits(n=n, chances=(a, b), k=k)
    spreads = []
    for ones, law in enumerate(laws(n, k, a, b)):
        values = {s: dp.estimate(mechanism, s).value for s in law}
        assert sum(p * values[s] for s, p in law.items()) == ones
        spreads.append(sum(p * (values[s] - ones) ** 2 for s, p in law.items()))
    assert dp.variance(mechanism) == dp.estimate(mechanism, 0).variance == max(spreads)
    x = Fraction(1, 3)
    drawn = [(1 - x) ** (n - t) * x**t * comb(n, t) for t in range(n + 1)]
    inside = sum(p * spread for p, spread in zip(drawn, spreads, strict=True))
    assert dp.variance(mechanism, fraction=x) == inside + n * x * (1 - x)


@pytest.mark.parametrize(("n", "k", "a", "b"), CASES)
@pytest.mark.parametrize("method", ["exact", "chebyshev", "hoeffding"])
@pytest.mark.parametrize("confidence", ["1/2", "9/10"])
def test_an_interval_holds_as_often_as_it_says(n, k, a, b, method, confidence):
    mechanism = dp.AsymmetricBits(n=n, chances=(a, b), k=k)
    held = [dp.confidence_interval(mechanism, s, confidence=confidence, method=method) for s in range(n * k + 1)]
    for ones, law in enumerate(laws(n, k, a, b)):
        assert sum(p for s, p in law.items() if ones in held[s]) >= Fraction(confidence)
    if method == "exact":
        assert not all(0 in one and n in one for one in held)


def test_a_histogram_has_one_of_each_category():
    mechanism = dp.AsymmetricBits(n=20, chances=(A, B), categories=3)
    found = dp.estimate(mechanism, [2, 6, 10])
    assert [one.value for one in found] == [0, 10, 20]
    together = dp.confidence_interval(mechanism, [2, 6, 10], confidence="9/10", simultaneous=True)
    alone = dp.confidence_interval(mechanism, [2, 6, 10], confidence=1 - Fraction(1, 30))
    assert [str(one) for one in together] == [str(one) for one in alone]
    with pytest.raises(dp.DomainError, match=r"^s = .* 3 counts"):
        dp.estimate(mechanism, [2, 6])
    assert [one.value for one in dp.estimate(mechanism, [[2, 4], [6, 4], [10, 8]])] == [
        Fraction(5, 2),
        Fraction(15, 2),
        Fraction(35, 2),
    ]


def test_several_rounds_are_one_of_so_many_more_records():
    each, all_of_them = (dp.AsymmetricBits(n=n, chances=(A, B)) for n in (8, 16))
    for method in ("exact", "chebyshev", "hoeffding"):
        mean = dp.confidence_interval(each, [3, 4], confidence="9/10", method=method)
        total = dp.confidence_interval(all_of_them, 7, confidence="9/10", method=method)
        assert (2 * mean.lower.upper, 2 * mean.upper.lower) == (total.lower.upper, total.upper.lower)


def test_a_fleet_of_them_has_no_one_lie_probability():
    fleet = dp.Fleet([dp.Group(n=3, chances=(A, B)), dp.Group(n=3, q="1/4")])
    with pytest.raises(dp.DomainError, match=r"a \+ b = 1"):
        dp.estimate(fleet, [1, 1])
