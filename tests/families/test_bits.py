"""Bounds of one round of single bits at many limits, for parts of all datasets, against delta of single datasets."""

import random
from fractions import Fraction
from itertools import pairwise

import pytest

from dpcalc.families.bits import Bits, of_each
from dpcalc.numbers.limit import Limit


@pytest.mark.parametrize("seed", [*range(8), *(pytest.param(i, marks=pytest.mark.soak) for i in range(8, 100))])
def test_each_part_is_bounded_at_every_limit(seed):
    """Also where no m of a part has a delta that matters, and at epsilon = 0, where both halves have the same."""
    draw = random.Random(seed)
    n, q, k = round(10 ** draw.uniform(0.5, 4)), f"{10 ** draw.uniform(-4, -0.4):.4g}", draw.choice([1, 1, 2, 3])
    bits = Bits.symmetric(Fraction(q), k, n)
    starts = sorted({0, *(draw.randint(1, n) for _ in range(3)), n + 1})
    parts = tuple((m, end - 1) for m, end in pairwise(starts))
    losses = sorted({0.0, *(draw.random() * float(bits.local_epsilon.lower) for _ in range(5))})
    asked = tuple((Fraction(x), Fraction(1, 100)) for x in losses)
    sharp = 0
    for (epsilon, _), row in zip(asked, of_each(bits, parts, asked), strict=True):
        exact = {}
        for (low, high), bound in zip(parts, row, strict=True):
            for m in {low, high, (low + high) // 2, *(draw.randint(low, high) for _ in range(3))}:
                exact[m] = bits.pair(m).enclosed(Limit.exp(epsilon), rtol=Fraction(1, 1000)).lower
                assert exact[m] <= bound
        sharp += max(row) <= 2 * max(exact.values())
    assert sharp > len(asked) // 2


@pytest.mark.parametrize("likely", [(0, 0), (0, 30), (399, 399), (100, 250)])
def test_what_is_thought_unlikely_is_bounded_too(likely, monkeypatch):
    """Whichever m are looked at first, and though delta is larger beside them."""
    bits, limit, rtol = Bits((Fraction(1, 100), Fraction(1, 2)), 1, 399), Limit(Fraction(7, 5)), Fraction(1, 1000)
    truth = max(bits.pair(m).exact(limit.given) for m in range(400))
    monkeypatch.setattr(Bits, "likely", lambda *_: likely)
    found = bits.at_once(limit, rtol=rtol)
    assert found.lower <= truth <= found.upper <= found.lower * (1 + rtol)


@pytest.mark.parametrize(
    ("n", "chances", "epsilon", "most"),
    [(10**5, ("1/2", "1e-6"), "0.3", 1000), (645100142, ("3/4", "0.00173"), "0.004962", 10**7)],
)
def test_unlikely_datasets_are_not_looked_at(n, chances, epsilon, most):
    """Their counts vary far more than those of the worst: circles for all would take many times the work."""
    a, b = map(Fraction, chances)
    for bits in (Bits((b, a), 1, n - 1), Bits((1 - a, 1 - b), 1, n - 1)):
        low, high = bits.likely(Limit.exp(Fraction(epsilon)))
        assert high - low < most
