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
