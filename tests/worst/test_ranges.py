"""Where the ripple of delta along m is highest."""

import math

import pytest

from dpcalc.worst.ranges import Ripple


def _ripple(q: float, others: int, epsilon: float, start: int = 0) -> Ripple:
    p, rise = 1 - q, math.expm1(epsilon)
    y = (p - math.exp(epsilon) * q) / (p - q + rise * p)  # the root of p + q y = lambda (q + p y)
    return Ripple(p * y / (q + p * y), q * y / (p + q * y), others, start)


@pytest.mark.parametrize("start", [1, 50, 400])
def test_from_a_start_on_the_ripple_is_the_same_but_for_what_is_lost_before(start):
    whole, after = _ripple(0.0432, 465, 0.42), _ripple(0.0432, 465, 0.42, start)
    apart = [whole.lost(start + m) - after.lost(m) for m in range(65)]
    assert apart == pytest.approx([apart[0]] * 65, abs=1e-9)
    assert apart[0] == pytest.approx(whole.lost(start) - whole.lost(0), abs=0.2)


def test_what_does_not_ripple_is_highest_where_it_starts():
    assert Ripple(0.3, 0.3, 10).highest() == Ripple(0.9, 0.2, 10).highest() == Ripple(1.0, 0.0, 10).highest() == 0
    assert math.isfinite(Ripple(1.0, 1e-20, 10).lost(3))


@pytest.mark.parametrize(
    ("q", "others", "epsilon", "positive"),
    [
        (0.00886764, 188, 0.45693, True), (0.04365056, 465, 0.4245236, True), (2.2868557e-4, 8_919_599, 0.95333, True),
        (2.00825e-6, 53_828_731, 1.97713411, True), (1e-5, 10**7, 0.55, True), (0.0432, 465, 0.42, True),
        (0.3, 1000, 0.1, False), (0.01, 5, 3.0, False), (0.0033, 1013, 0.9, False),
    ],
)  # fmt: skip
def test_the_ripple_is_highest_where_no_m_is_higher(q, others, epsilon, positive):
    ripple = _ripple(q, others, epsilon)
    every = min(map(ripple.lost, range(min(others, 20_000) + 1)))
    found = ripple.highest()
    assert 0 <= found <= others
    assert (found > 0) is positive
    assert ripple.lost(found) <= every + 1e-5
