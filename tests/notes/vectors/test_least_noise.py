"""The least noise for bit vectors: both ends by enumeration, and beside what is known for single bits."""

from fractions import Fraction

import pytest

from dpcalc.choose.least import least_q
from dpcalc.choose.plan import plan
from tests.oracles import vectors

LAM = Fraction(3, 2)


def divergence(records, changed, q):
    return vectors.delta(records, changed, q, LAM)


@pytest.mark.parametrize(("n", "target"), [(1, "1/4"), (2, "1/5"), (3, "1/10")])
def test_identical_records_break_the_target_at_one_end_and_keep_it_at_the_other(n, target):
    found = least_q(n=n, bits=2, lam=LAM, delta=target, dataset="identical", rtol="1e-2")
    before, after = [(1, 1)] * n, [(0, 0)] + [(1, 1)] * (n - 1)
    assert divergence(before, after, found.lower) > Fraction(target) >= divergence(before, after, found.upper)
    assert found.upper - found.lower <= found.upper / 50


@pytest.mark.parametrize("target", ["1/4", "1/10"])
def test_no_dataset_breaks_the_target_at_the_upper_end_and_one_does_at_the_lower(target):
    found = least_q(n=2, bits=2, lam=LAM, delta=target, rtol="1e-2")
    every = vectors.vectors(2)
    worst = [
        max(divergence([x, other], [y, other], q) for x in every for y in every for other in every)
        for q in (found.lower, found.upper)
    ]
    assert worst[0] > Fraction(target) >= worst[1]
    assert found.at_lower > Fraction(target) >= found.at_upper.upper


@pytest.mark.soak
def test_a_plan_of_vectors_has_the_bounds_that_are_known_for_them():
    found = plan(n=30, lam=2, delta="0.01", ks=[1, 2], bits=2)
    assert found.bounds == ("private", "classical", "closed")
    assert found.gaussian is None
    for row in found.rows:
        private = row.choices["private"]
        assert private.delta.upper <= Fraction(1, 100)
        assert row.choices["classical"].delta == 0
        assert row.choices["classical"].q.upper ** -1 - 1 <= Fraction(2)  # (p/q)^(k L) <= 2
        assert row.choices["closed"].q.value < row.choices["classical"].q.value
    assert "2 bits each" in found.table()
    assert found.to_dict()["bits"] == 2


def test_a_large_epsilon_has_a_least_q():
    """One record of two bits, both changed: delta is p^2 - lambda q^2, the four outcomes being its own."""
    lam, target = Fraction(10**50), Fraction(1, 10**6)
    found = least_q(n=1, bits=2, lam=lam, delta=target)
    fails, holds = ((1 - q) ** 2 - lam * q**2 for q in (found.lower, found.upper))
    assert fails > target >= holds
