from fractions import Fraction
from itertools import pairwise

import pytest
from flint import acb, ctx
from oracles.scan import deltas

from dpcalc.counts import envelope as module
from dpcalc.counts.envelope import envelope
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
    (150, Fraction(1, 100), 1, Fraction(3, 2)),
    (100, Fraction(1, 50), 2, Fraction(2)),
]


@pytest.fixture(params=["smooth", "lattice"])
def form(request, monkeypatch):
    """One form of the envelope alone, wherever it might serve."""
    monkeypatch.setattr(module, "_SMOOTH_VARIANCE", 0 if request.param == "smooth" else 10**9)
    for drift in ("_LATTICE_DRIFT", "_LATTICE_WINS"):
        monkeypatch.setattr(module, drift, -1 if request.param == "smooth" else 2.5)
    return request.param


@pytest.mark.parametrize(("n", "q", "k", "lam"), CASES)
@pytest.mark.parametrize("parts", [1, 2, 5, 16])
def test_every_delta_in_the_block_is_below(n, q, k, lam, parts, form):
    truth = deltas(n, q, k, lam)
    cuts = [(n - 1) * i // parts for i in range(parts + 1)]
    proven = 0
    for low, high in pairwise(cuts):
        top = bound(q, k, n - 1, lam, (low, high))
        if top is not None:
            proven += 1
            assert top >= max(truth[low : high + 1])
            if form == "smooth" and high - low <= n // 10:
                assert top <= max(truth[low : high + 1]) * Fraction(11, 10)
    if form == "smooth" and parts >= 5 and lam - 1 < Fraction(1, 2) and q == Fraction(1, 4):
        assert proven == parts
    if form == "lattice" and parts == 16 and q < Fraction(1, 40):
        assert proven >= parts // 2


@pytest.mark.parametrize("n", [10**5, 10**9])
def test_rare_flips_are_bounded_tightly_along_the_lattice(n):
    """The regime of least_q: n q near 135, where the pool is too narrow for the smooth form."""
    q, lam, width = Fraction(135, n), Fraction(3, 2), n // 20_000
    limit = RatioLimit.of(lam=lam)
    low = n // 3
    top = bound(q, 1, n - 1, lam, (low, low + width))
    ends = [
        divergence(Composition(q, 1, m, n - 1 - m), limit, rtol=Fraction(1, 10**12), exact=False).upper
        for m in (low, low + width // 2, low + width)
    ]
    assert max(ends) * (1 - Fraction(1, 10**9)) <= top <= max(ends) * (1 + Fraction(1, 1000))


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


@pytest.mark.parametrize("order", [1, 6, 14])
@pytest.mark.parametrize("parts", [("0.3", "0.2"), ("-1.5", "0.7"), ("0.01", "-2.9"), ("0.1", "0")])
def test_the_remainder_of_the_taylor_polynomial_is_bounded_and_tight(parts, order):
    with ctx.workprec(600):
        w = acb(*parts)
        polynomial = sum(module._exponential(acb(1), w, order), acb(0))
        missing = abs(w.exp() - polynomial)
        bounded = module._remainder(abs(w), order)
        assert missing <= bounded
        assert bounded <= missing * 200


@pytest.mark.parametrize(("width", "slack"), [(8, 10), (10_000, 12), (100_000, 30)])
def test_a_flat_maximum_is_bounded_far_below_the_step_from_one_n_to_the_next(width, slack):
    """epsilon = 0, q = 1/10: from n to n + 1 delta falls by 1/(2n); wanted are slack/(100 n) over the range."""
    n, q, lam = 10**6, Fraction(1, 10), Fraction(1)
    low = (n - width) // 2
    best = max(
        divergence(Composition(q, 1, m, n - 1 - m), RatioLimit(lam, None), rtol=Fraction(1, 10**12), exact=False).lower
        for m in range(n // 2, n // 2 + 5)
    )
    with ctx.workprec(120):
        limit = RatioLimit(lam, None)
        around = centre(q, 1, ones=low + width / 2, zeros=n - 1 - low - width / 2, limit=limit)
        top = envelope(q, 1, n - 1, kernel(q, 1, limit), block=(low, low + width), centre=around)
        assert best <= enclosure_of(top).upper <= best * (1 + Fraction(slack, 100 * n))


def test_a_block_in_the_faint_tail_takes_few_points(monkeypatch):
    """1e-151: at R >= 1 the circle would need millions of points to outweigh aliases near K(1)."""
    n, q, limit, block = 10**5, Fraction(1, 4), RatioLimit(Fraction(11, 10), None), (33_333, 33_833)
    circles, around = [], module.Circle.around
    monkeypatch.setattr(module.Circle, "around", lambda *a, **b: circles.append(around(*a, **b)) or circles[-1])
    middle = sum(block) / 2
    with ctx.workprec(120):
        start = centre(q, 1, ones=middle, zeros=n - 1 - middle, limit=limit)
        top = enclosure_of(envelope(q, 1, n - 1, kernel(q, 1, limit), block=block, centre=start)).upper
    assert circles[0].right < 1
    assert circles[0].kept < 100
    single = [divergence(Composition(q, 1, m, n - 1 - m), limit, rtol=Fraction(1, 10**9)).lower for m in block]
    assert max(single) <= top <= max(single) * Fraction(101, 100)
