from fractions import Fraction
from itertools import pairwise

import pytest
from flint import acb, arb, ctx
from oracles.scan import deltas

from dpcalc.counts.envelope import _Taylor, envelope
from dpcalc.numbers.ball import enclosure_of
from dpcalc.privacy.limit import RatioLimit
from dpcalc.privacy.profile import Composition, centre, divergence, kernel


def bound(q, k, others, lam, block, bits=200):
    """The envelope's upper end, or None."""
    limit = RatioLimit.of(lam=lam)
    middle = sum(block) / 2
    around = centre(q, k, ones=middle, zeros=others - middle, limit=limit)
    with ctx.workprec(bits):
        top = envelope(q, k, others, kernel(q, k, limit), block=block, centre=around)
    return None if top is None else enclosure_of(top).upper


CASES = [
    (160, Fraction(1, 4), 1, Fraction(11, 10)),
    (160, Fraction(1, 4), 1, Fraction(3, 2)),
    (160, Fraction(2, 5), 1, Fraction(6, 5)),
    (160, Fraction(1, 10), 1, Fraction(5, 4)),
    (60, Fraction(1, 4), 3, Fraction(4, 3)),
    (60, Fraction(9, 20), 2, 1 + Fraction(1, 1000)),
]


@pytest.mark.parametrize(("n", "q", "k", "lam"), CASES)
@pytest.mark.parametrize("parts", [1, 2, 5, 16])
def test_every_delta_in_the_block_is_below_and_narrow_blocks_are_tight(n, q, k, lam, parts):
    truth = deltas(n, q, k, lam)
    cuts = [(n - 1) * i // parts for i in range(parts + 1)]
    proven = 0
    for low, high in pairwise(cuts):
        top = bound(q, k, n - 1, lam, (low, high))
        if top is not None:
            proven += 1
            assert top >= max(truth[low : high + 1])
            if high - low <= n // 10:
                assert top <= max(truth[low : high + 1]) * Fraction(11, 10)
    if parts >= 5 and lam - 1 < Fraction(1, 2) and n * k * q * (1 - q) > 29 and q == Fraction(1, 4):
        assert proven == parts


@pytest.mark.parametrize("width", [0, 2, 10, 100, 1000])
@pytest.mark.parametrize("n", [10**4, 10**6])
def test_large_pools_are_bounded_tightly(n, width):
    q, lam = Fraction(1, 10), 1 + Fraction(8, 10) / Fraction(int(n**0.5))
    low = n // 3
    top = bound(q, 1, n - 1, lam, (low, low + width))
    limit = RatioLimit.of(lam=lam)
    inside = [
        divergence(Composition(q, 1, m, n - 1 - m), limit, rtol=Fraction(1, 10**12), exact=False)
        for m in {low, low + width // 2, low + width}
    ]
    assert top >= max(value.lower for value in inside)
    assert top <= max(value.upper for value in inside) * Fraction(101, 100)


def test_the_whole_range_of_a_million_records_is_one_block():
    """All compositions at n = 10^6, q = 1/4: what the worst dataset is compared with."""
    n, q, lam = 10**6, Fraction(1, 4), Fraction(10005, 10_000)
    top = bound(q, 1, n - 1, lam, (0, n - 1))
    ends = [
        divergence(Composition(q, 1, m, n - 1 - m), RatioLimit.of(lam=lam), rtol=Fraction(1, 10**9), exact=False).lower
        for m in (0, n // 2, n - 1)
    ]
    assert max(ends) <= top <= max(ends) * Fraction(102, 100)


@pytest.mark.parametrize(("x", "u"), [(5, 2), (-5, 2), (5, -2), (0, 2), (3, -1)])
def test_the_remainder_of_the_taylor_polynomial_is_bounded(x, u):
    """Re e^{x g - u l} itself, where the terms beyond the sixth order still count."""
    weight, per_x, log_z = acb(2, 1), acb("0.3", "0.2"), acb("-0.1", "0.7")
    with ctx.workprec(120):
        sums = _Taylor()
        sums.add(weight, per_x, log_z, Fraction(5))
        truth = (weight * (x * per_x - u * log_z).exp()).real
        found = sums.alone(arb(u)) + sums.mixed(arb(x), arb(u))
        assert found.contains(truth)
        sums.shift(arb(3), arb("0.5"))
        assert (sums.alone(arb(u)) + sums.mixed(arb(x), arb(u))).contains(truth + 3 + arb("0.49"))
