"""Families of asymmetric reports: both ends against every dataset, and what the solvers assume."""

from fractions import Fraction

import pytest

import dpcalc as dp
from tests.oracles import asymmetric as oracle


def worst(n, a, b, k, lam, categories=None):
    if categories:
        return max(oracle.histogram(n, categories, a, b, k, lam).values())
    return max(oracle.everything(n, a, b, k, lam).values())


@pytest.mark.parametrize(("n", "k", "categories"), [(5, 1, None), (3, 2, None), (3, 1, 3)])
def test_the_least_b(n, k, categories):
    a, lam, target = Fraction(1, 2), Fraction(3, 2), Fraction(1, 10)
    found = dp.least_b(n=n, a=a, lam=lam, delta=target, k=k, categories=categories)
    assert found.holds_above
    assert worst(n, a, found.lower, k, lam, categories) > target >= worst(n, a, found.upper, k, lam, categories)
    assert found.upper <= found.lower * Fraction(1002, 1000)


@pytest.mark.parametrize(
    ("question", "fixed", "chances"),
    [(dp.least_b, {"a": "1/2"}, lambda b: (Fraction(1, 2), b)), (dp.most_a, {"ratio": 9}, lambda a: (a, a / 9))],
)
@pytest.mark.soak
def test_both_ends_hold_for_several_rounds_together(question, fixed, chances):
    lam, target = Fraction(3, 2), Fraction(1, 5)
    found = question(3, **fixed, lam=lam, delta=target, rounds=2, rtol="0.05")
    low, high = (oracle.several(3, (*chances(x), 1), 2, lam) for x in (found.lower, found.upper))
    (held, failed) = (high, low) if found.holds_above else (low, high)
    assert held <= target < failed
    once = question(3, **fixed, lam=lam, delta=target)
    assert found.value > once.value if found.holds_above else found.value < once.value


@pytest.mark.parametrize("arm", ["ones", "zeros"])
@pytest.mark.parametrize("categories", [None, 3])
def test_the_most_a(arm, categories):
    n, lam, target, ratio = 3, Fraction(3, 2), Fraction(1, 5), 9
    found = dp.most_a(n=n, ratio=ratio, lam=lam, delta=target, arm=arm, categories=categories)
    ends = [(x, x / ratio) if arm == "ones" else (1 - x / ratio, 1 - x) for x in (found.lower, found.upper)]
    (held, failed) = (worst(n, a, b, 1, lam, categories) for a, b in ends)
    assert not found.holds_above
    assert held <= target < failed


def test_a_large_epsilon_has_a_least_b():
    a, lam, target = Fraction(1, 2), Fraction(10**30), Fraction(1, 10)
    found = dp.least_b(n=3, a=a, lam=lam, delta=target)
    assert worst(3, a, found.lower, 1, lam) > target >= worst(3, a, found.upper, 1, lam)
    assert found.upper <= found.lower * Fraction(1002, 1000)
