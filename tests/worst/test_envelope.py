import math
from fractions import Fraction
from itertools import pairwise
from types import SimpleNamespace

import pytest
from flint import acb, acb_mat, arb, arb_poly, ctx

from dpcalc.families.bits import Bits
from dpcalc.laws.pool import Pool
from dpcalc.laws.threshold import place
from dpcalc.laws.tilt import Tilt
from dpcalc.mechanisms.fleet import Dummies
from dpcalc.mechanisms.response import Group
from dpcalc.numbers.ball import ball
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.threshold import saddle
from dpcalc.worst import envelope as module
from dpcalc.worst.compositions import Box, Compositions
from tests.oracles.scan import deltas, powers, times
from tests.worst.chances import enveloped


def bound(q, k, others, lam, block, level=Fraction(0)):
    """The envelope's upper end, or None."""
    top = enveloped(Bits.symmetric(q, k, others), *block, Limit.of(lam=lam), level)
    return top if top < 1 else None


#: The only form of the envelope that may serve, the pool, the number of blocks, and how many of these it must prove.
CASES = [
    ("smooth", 160, "1/4", 1, "11/10", 2, 2),
    ("smooth", 160, "1/4", 1, "11/10", 5, 4),
    ("smooth", 160, "1/10", 1, "5/4", 5, 3),
    ("smooth", 60, "1/4", 3, "4/3", 2, 1),
    ("smooth", 60, "1/4", 3, "4/3", 4, 3),
    ("lattice", 160, "1/10", 1, "5/4", 16, 14),
    ("lattice", 60, "1/4", 3, "4/3", 16, 5),
    ("lattice", 150, "1/100", 1, "3/2", 16, 12),
    ("lattice", 100, "1/50", 2, "2", 5, 1),
    ("lattice", 100, "1/50", 2, "2", 16, 12),
]
#: What makes a form the only one, and how far above the largest delta its bound may lie.
FORMS = {
    "smooth": ({"_SMOOTH_VARIANCE": 0, "LATTICE_DRIFT": -1}, Fraction(6, 5)),
    "lattice": ({"_SMOOTH_VARIANCE": 10**9, "LATTICE_DRIFT": 2.5}, Fraction(21, 10)),
}


@pytest.fixture
def form(request, monkeypatch):
    """A form that is the only one, and how loose it may be."""
    settings, loosest = FORMS[request.param]
    for name, value in settings.items():
        monkeypatch.setattr(module, name, value)
    return loosest


@pytest.mark.parametrize("form", ["smooth", "lattice"], indirect=True)
@pytest.mark.parametrize("moved", [-40, -8, -4, 4, 8, 40])
@pytest.mark.soak
def test_a_centre_that_is_off_proves_nothing_or_the_truth(form, moved):
    """Where d_t is 0 is steered: the bound must not rest on it."""
    q, lam, n = Fraction(1, 4), Fraction(11, 10), 160
    truth, block = max(deltas(n, q, 1, lam)[60:71]), (60, 70)
    assert bound(q, 1, n - 1, lam, block) >= truth
    theta, others = saddle((q, 1 - q), 1, Limit.of(lam=lam)), [(1 - q, 65), (q, n - 1 - 65)]
    t = place(Tilt.of(others), [Tilt.of([(x, 1)]) for x in (q, 1 - q)], theta) + moved
    kernel = Bits.symmetric(q, 1, n - 1).pair(0).kernel(Limit.of(lam=lam))
    found = module.envelope(
        [module.Range((q, 1 - q), 1, n - 1, *block)], kernel, t=t, theta=theta, bits=200, level=Fraction(0)
    )
    assert found is None or found >= truth


@pytest.mark.parametrize(("form", "n", "q", "k", "lam", "parts", "least"), CASES, indirect=["form"])
@pytest.mark.soak
def test_every_delta_in_the_block_is_below(form, n, q, k, lam, parts, least):
    q, lam = Fraction(q), Fraction(lam)
    truth = deltas(n, q, k, lam)
    blocks = list(pairwise((n - 1) * i // parts for i in range(parts + 1)))
    each = [max(truth[low : high + 1]) for low, high in blocks]
    tops = [bound(q, k, n - 1, lam, block, largest * form) for block, largest in zip(blocks, each, strict=True)]
    proven = [(top, largest) for top, largest in zip(tops, each, strict=True) if top is not None]
    assert len(proven) >= least
    for top, largest in proven:
        assert largest <= top
        assert top <= largest * form


@pytest.mark.parametrize("n", [10**5, 10**9])
def test_rare_flips_are_bounded_tightly_along_the_lattice(n):
    """The regime of least_q: n q near 135, where the pool is too narrow for the smooth form."""
    q, lam, width = Fraction(135, n), Fraction(3, 2), n // 20_000
    limit = Limit.of(lam=lam)
    low = n // 3
    top = bound(q, 1, n - 1, lam, (low, low + width))
    ends = [
        Bits.symmetric(q, 1, n - 1).pair(m).enclosed(limit, rtol=Fraction(1, 10**12)).upper
        for m in (low, low + width // 2, low + width)
    ]
    assert max(ends) * (1 - Fraction(1, 10**9)) <= top <= max(ends) * (1 + Fraction(1, 1000))


@pytest.mark.parametrize("width", [0, 2, 10, 100, 1000])
@pytest.mark.parametrize("n", [10**4, 10**6])
@pytest.mark.soak
def test_large_pools_are_bounded_tightly(n, width):
    q, lam = Fraction(1, 10), 1 + Fraction(8, 10) / Fraction(int(n**0.5))
    low = n // 3
    top = bound(q, 1, n - 1, lam, (low, low + width))
    limit = Limit.of(lam=lam)
    inside = [
        Bits.symmetric(q, 1, n - 1).pair(m).enclosed(limit, rtol=Fraction(1, 10**12))
        for m in {low, low + width // 2, low + width}
    ]
    assert top >= max(value.lower for value in inside)
    assert top <= max(value.upper for value in inside) * Fraction(101, 100)


@pytest.mark.parametrize(("gap", "width"), [(Fraction(1, 10**9), 500), (Fraction(1, 10**4), 10)])
def test_next_to_q_of_one_half_the_bound_is_that_at_integers(gap, width):
    """Between two integers t, h would be 3e-4 larger; the best t is the same for all compositions."""
    n, q, limit = 10**6, Fraction(1, 2) - gap, Limit.of(epsilon=gap / 10)
    block = (n // 3, n // 3 + width)
    top = enveloped(Bits.symmetric(q, 1, n - 1), *block, limit)
    inside = [Bits.symmetric(q, 1, n - 1).pair(m).enclosed(limit, rtol=Fraction(1, 10**12)) for m in block]
    assert max(value.lower for value in inside) <= top
    assert top <= max(value.upper for value in inside) * (1 + Fraction(1, 10**5))


def test_the_whole_range_of_a_million_records_is_one_block():
    """All compositions at n = 10^6, q = 1/4: what the worst dataset is compared with."""
    n, q, lam = 10**6, Fraction(1, 4), Fraction(10005, 10_000)
    top = bound(q, 1, n - 1, lam, (0, n - 1))
    ends = [
        Bits.symmetric(q, 1, n - 1).pair(m).enclosed(Limit.of(lam=lam), rtol=Fraction(1, 10**9)).lower
        for m in (0, n // 2, n - 1)
    ]
    assert max(ends) <= top <= max(ends) * Fraction(102, 100)


@pytest.mark.parametrize("order", [1, 6, 14])
@pytest.mark.parametrize("parts", [("0.3", "0.2"), ("-1.5", "0.7"), ("0.01", "-2.9"), ("0.1", "0")])
def test_the_remainder_of_the_taylor_polynomial_is_bounded_and_tight(parts, order):
    with ctx.workprec(600):
        w = acb(*parts)
        powers = enumerate(module._powers(w, order))
        polynomial = sum((power / math.factorial(i) for i, power in powers), acb(0))
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
        Bits.symmetric(q, 1, n - 1).pair(m).enclosed(Limit(lam), rtol=Fraction(1, 10**12)).lower
        for m in range(n // 2, n // 2 + 5)
    )
    level = best * (1 + Fraction(slack, 100 * n))
    assert best <= enveloped(Bits.symmetric(q, 1, n - 1), low, low + width, Limit(lam), level) <= level


def test_a_block_in_the_faint_tail_takes_few_points():
    """1e-151: at R >= 1 the circle would need millions of points to outweigh aliases near K(1)."""
    n, q, limit, block = 10**5, Fraction(1, 4), Limit(Fraction(11, 10)), (33_333, 33_833)
    theta, others = saddle((q, 1 - q), 1, limit), Pool.of((1 - q, 33_583), (q, n - 1 - 33_583))
    kernel = module.Signed(Bits.symmetric(q, 1, n - 1).pair(0).kernel(limit))
    circle = module.Contour.around(
        others, kernel, place(others.tilt, [Tilt.of([(x, 1)]) for x in (q, 1 - q)], theta), 60.0
    )
    assert circle.right < 1
    assert circle.kept < 100
    single = [Bits.symmetric(q, 1, n - 1).pair(m).enclosed(limit, rtol=Fraction(1, 10**9)).lower for m in block]
    level = max(single) * Fraction(101, 100)
    assert max(single) <= enveloped(Bits.symmetric(q, 1, n - 1), *block, limit, level) <= level


def test_the_lattice_form_decides_what_the_smooth_form_cannot():
    """Between two integers t, h is 8e-6 larger: more than the level allows, where the lattice form loses nothing."""
    limit = Limit.of(lam="3/2")
    datasets, width = Bits.symmetric(Fraction("5.25614e-10"), 10, 10**12 - 1), 10**12 // 16384
    inside = [datasets.pair(m).enclosed(limit, rtol=Fraction(1, 10**12)).lower for m in range(0, width, width // 40)]
    level = max(inside) * (1 + Fraction(1, 500_000))
    assert max(inside) <= enveloped(datasets, 0, width, limit, level=level) <= level


@pytest.mark.parametrize("form", ["smooth"], indirect=True)
@pytest.mark.parametrize("dummies", [(40, 3), (15, 9)])
@pytest.mark.parametrize("change", [(0, 1), (1, 0)])
def test_fixed_factors_belong_to_every_pool_of_the_block(form, dummies, change):
    """So many reports of nobody, of so many tenths, beside 81 records: the worst pool, by products of all factors."""
    (count, a), zero, one, truth = dummies, [3, 1], [1, 3], Fraction(0)
    noise = powers([10 - a, a], count)
    for m in range(40, 44):
        others = times(noise, times(powers(one, m), powers(zero, 80 - m)))
        first, second = (times(others, zero if bit == 0 else one) for bit in change)
        excess = sum(max(0, 10 * x - 11 * y) for x, y in zip(first, second, strict=True))
        truth = max(truth, Fraction(excess, 10 * 10**count * 4**81))
    fleet = Compositions((Group(n=81, q="1/4"),), (Dummies(count, Fraction(a, 10)),))
    box, limit = Box(0, change, (40,), (43,)), Limit.of(lam="11/10")
    assert (
        truth
        <= fleet.envelope(box, limit, rtol=Fraction(1, 1000), level=Fraction(0), slices=True)[0]
        <= truth * Fraction(11, 10)
    )


@pytest.mark.parametrize(("steps", "error"), [(True, "1/10"), (False, "1/100")])
@pytest.mark.parametrize("rest", [0, 1])
def test_what_truncation_and_the_remainder_leave_open_is_in_every_line(steps, error, rest):
    """One node z = 1 of weight 1 and no slope in x: 1, off by the box's error and by that of Taylor's formula."""
    node, errors = SimpleNamespace(z=acb(1)), {"step_error": arb("0.1"), "value_error": arb("0.01")}
    box = SimpleNamespace(weights=lambda steps: [acb(1)], nodes=[node], r=1.0, constant=arb(0), **errors)
    powers = acb_mat([module._powers(acb(0), module._LATTICE_ORDER)])
    (line,) = module._lines(box, [0], powers, [arb(rest)], steps=steps)
    for side in (-1, 1):
        assert line(0).contains(1 + side * (rest + ball(Fraction(error))))


def test_pieces_of_u_are_halved_until_the_level_is_kept():
    """epsilon = 2e-6: a millionth above the delta of half ones; one fifth of all compositions, in one range."""
    n, limit = 10**12, Limit.of(epsilon="2.34288e-06")
    datasets, (low, high) = Bits.symmetric(Fraction("3.354374e-10"), 5, n - 1), (n // 4, 9 * n // 20)
    inside, half = (
        [datasets.pair(m).enclosed(limit, rtol=Fraction(1, 10**12)).lower for m in ms]
        for ms in ((low, (low + high) // 2, high), (n // 2,))
    )
    level = max(half) * (1 + Fraction(1, 10**6))
    assert max(inside) <= enveloped(datasets, low, high, limit, level=level) <= level


PARABOLAS = [
    ([1, 2, -1], 2, 2),  # inside
    ([1, 2, -1], Fraction(1, 2), Fraction(7, 4)),  # at an end
    ([0, 0, 1], 3, 9),  # at both
    ([5], 1, 5),
    ([7, 1], 0, 7),
]


@pytest.mark.parametrize(("coefficients", "half", "largest"), PARABOLAS)
def test_the_largest_value_of_a_parabola_is_bounded_tightly(coefficients, half, largest):
    with ctx.workprec(100):
        found, largest = module._largest_value(arb_poly(coefficients), Fraction(half)), ball(Fraction(largest))
        assert largest - arb(2) ** -90 <= found <= largest + arb(2) ** -90


@pytest.mark.parametrize(
    "coefficients", [[3, -1, 4, -1, 5, -9], [2, 6, -5, 3, -5, 8], [-9, 7, 9, -3, 2, 3], [0, 0, 3, 0, -1], [0, -1, 0, 4]]
)
def test_no_value_of_a_polynomial_on_a_fine_grid_is_larger(coefficients):
    p = arb_poly(coefficients)
    for half in (Fraction(3, 2), Fraction(1, 4)):
        found = module._largest_value(p, half)
        assert all(p(ball(half * i / 100)) <= found for i in range(-100, 101))


def test_wide_coefficients_stay_inside_and_infinite_ones_are_no_bound():
    wide = arb_poly([arb(1, 0.5), arb(0, 0.25), -1])
    assert 1.515625 <= float(module._largest_value(wide, Fraction(1))) < 1.6  # 3/2 + x/4 - x^2 has its top at 1/8
    assert module._largest_value(arb_poly([1, arb.nan()]), Fraction(1)) == arb.pos_inf()
