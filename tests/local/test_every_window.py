"""The local bound over every dataset, against brute force in rationals."""

from fractions import Fraction
from math import isqrt

import pytest
from flint import ctx
from hypothesis import given, settings
from hypothesis import strategies as st

import dpcalc.local.every_window as every_window
from dpcalc.accuracy.estimator import variance
from dpcalc.errors import DomainError, NoSolution, TooLarge, Undecided
from dpcalc.laws.pool import Pool
from dpcalc.local.bound import local_q, local_sigma
from dpcalc.local.own_windows import OwnWindows
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.limit import Limit
from dpcalc.privacy.ratio import ratio
from tests.oracles.own_windows import kept, law, pairs, value, within, worst

SIZES = [(n, k) for k in (1, 2, 3) for n in range(1, 13)]
FEW = [(1, 1), (2, 1), (3, 1), (5, 1), (9, 1), (12, 1), (1, 2), (3, 2), (5, 2), (1, 3), (2, 3), (4, 3)]
EACH = [size if size in FEW else pytest.param(*size, marks=pytest.mark.soak) for size in SIZES]


def agrees(n, k, sides, lam=2, z=3):
    """The lower end fails as is said, the upper end holds, by listing every dataset and outcome."""
    lam, z = Fraction(lam), Fraction(z)
    found = local_q(n=n, lam=lam, k=k, sigmas=z, sides=sides, dataset="every")
    assert found.enclosure.relative_width() <= Fraction(1, 10**12)
    largest, *_ = worst(n, k, z, sides, found.lower)
    assert found.at_lower.lower <= largest <= found.at_lower.upper
    assert largest > lam
    witness = found.witness
    assert within(n, k, z, witness.ones, witness.outcome, found.lower)
    [(over, under)] = [
        polynomials for m, s, reciprocal, *polynomials in pairs(n, k, sides)
        if (m, s, reciprocal) == (witness.ones, witness.outcome, witness.reciprocal)
    ]  # fmt: skip
    assert witness.ratio.lower <= value(over, found.lower) / value(under, found.lower) <= witness.ratio.upper
    assert witness.ratio == found.at_lower
    largest, *_ = worst(n, k, z, sides, found.upper)
    assert found.at_upper.lower <= largest <= found.at_upper.upper
    assert largest <= lam
    return found


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize(("n", "k"), EACH)
@pytest.mark.soak
def test_its_ends_are_those_of_brute_force(n, k, sides):
    agrees(n, k, sides)


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize(("n", "k"), [(n, k) for n, k in SIZES if n * k <= 18])
@pytest.mark.soak
def test_no_larger_q_fails_by_brute_force(n, k, sides):
    """For all q, not on a grid: Bernstein's coefficients of lambda P - P' in every window."""
    found = local_q(n=n, lam=2, k=k, sides=sides, dataset="every")
    assert kept(n, k, 3, 2, sides, found.upper)
    assert not kept(n, k, 3, 2, sides, found.lower, depth=20)


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize(
    ("n", "k", "lam", "z"),
    [(8, 1, 3, 1), (1, 5, 20, 1), (4, 2, "3/2", 2), (5, 2, 10, "1/2"),
     pytest.param(6, 1, "11/10", "5/2", marks=pytest.mark.soak),
     (3, 3, 4, "1/4"), pytest.param(12, 1, 50, 3, marks=pytest.mark.soak), (8, 1, 2, "3/2")],
)  # fmt: skip
@pytest.mark.soak
def test_other_limits_and_windows_agree_with_brute_force(n, k, lam, z, sides):
    try:
        found = agrees(n, k, sides, lam, z)
    except NoSolution:
        assert sides == 1
        assert kept(n, k, Fraction(z), Fraction(lam), sides, Fraction(1, 1 << 20))
    else:
        assert kept(n, k, Fraction(z), Fraction(lam), sides, found.upper)


def test_small_ones_by_hand():
    """n = 10: a window that holds s = 0 shows p/q, so that 83/250 < 1/3 fails; n = 20: 31/100 fails for two sides."""
    assert local_q(n=10, lam=2, dataset="every").lower > Fraction(83, 250)
    assert local_q(n=10, lam=2, dataset="every", sides=2).upper < Fraction(167, 500)
    assert local_q(n=20, lam=2, dataset="every").lower > Fraction(37, 125)
    assert local_q(n=20, lam=2, dataset="every", sides=2).lower > Fraction(31, 100)


@pytest.mark.soak
def test_the_window_of_another_dataset_asks_for_twice_the_noise():
    one, two = (local_q(n=50, lam=2, dataset="every", sides=sides) for sides in (1, 2))
    assert str(one).startswith("0.22670886")
    assert str(two).startswith("0.24161013")
    assert (one.witness.ones, two.witness.ones) == (1, 50)
    assert one.lower > 2 * local_q(n=50, lam=2, method="lattice").upper


@pytest.mark.soak
def test_the_lattice_bound_for_ones_does_not_cover_299_ones_of_300():
    q = local_q(n=300, lam=2, method="lattice", sides=2).upper
    mean, square = 299 * (1 - q) + q, 9 * 300 * q * (1 - q)
    assert (288 - mean) ** 2 <= square
    assert 1 / ratio(KRandomization(n=300, q=q), 288, ones=298) > 2
    assert local_q(n=300, lam=2, dataset="every", sides=2).lower > q


@pytest.mark.soak
@pytest.mark.parametrize("sides", [1, 2])
def test_a_million_records(sides):
    found = local_q(n=10**6, lam=2, dataset="every", sides=sides, rtol="1e-3")
    assert 3 < found.lower / local_q(n=10**6, lam=2).upper < 4
    assert found.at_lower.lower > 2 >= found.at_upper.upper


def test_the_estimate_s_deviation_there():
    found, sigma = local_q(n=20, lam=2, dataset="every"), local_sigma(lam=2, dataset="every", n=20)
    assert (
        sigma.lower**2
        <= variance(KRandomization(n=20, q=found.lower))
        < variance(KRandomization(n=20, q=found.upper))
        <= sigma.upper**2
    )


# --- boxes ------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_what_is_proven_of_a_box_holds_in_it(data):
    """Every dataset of a box, every outcome of its window, at some q of it, in rationals."""
    n, k = data.draw(st.integers(1, 7)), data.draw(st.integers(1, 3))
    first = data.draw(st.integers(1, n))
    last = data.draw(st.integers(first, n))
    low, high = sorted(data.draw(st.fractions("1/50", "1/2", max_denominator=60)) for _ in range(2))
    z, lam = data.draw(st.sampled_from([Fraction(1, 4), Fraction(1), Fraction(3)])), data.draw(st.integers(2, 9))
    neighbour = data.draw(st.booleans())
    windows = OwnWindows(n=n, k=k, sigmas=z, limit=Limit.of(lam=lam), neighbour=neighbour, bits=100)
    if low == high or not windows.kept(first, last, low, high):
        return
    for share in (0, Fraction(1, 3), Fraction(4, 5), 1):
        q = low + share * (high - low)
        for m, s, reciprocal, over, under in pairs(n, k, 1):
            assert not reciprocal
            if first <= m <= last and within(n, k, z, m - neighbour, s, q):
                assert value(over, q) <= lam * value(under, q)


@settings(max_examples=150, deadline=None)
@given(st.data())
@pytest.mark.soak
def test_what_is_told_of_all_windows_at_once_holds_in_each(data):
    """From some number of ones on, every dataset and every outcome of its window, at some q of the range."""
    n, k = data.draw(st.integers(1, 7)), data.draw(st.integers(1, 3))
    first, neighbour = data.draw(st.integers(1, n)), data.draw(st.booleans())
    low, high = sorted(data.draw(st.fractions("1/50", "12/25", max_denominator=60)) for _ in range(2))
    z = data.draw(st.sampled_from([Fraction(1, 4), Fraction(1), Fraction(3)]))
    lam = data.draw(st.fractions("6/5", 9, max_denominator=5))
    windows = OwnWindows(n=n, k=k, sigmas=z, limit=Limit.of(lam=lam), neighbour=neighbour, bits=100)
    for end in (low, high):
        if windows.covered(first, low, end):
            for m, s, _, over, under in pairs(n, k, 1):
                if m >= first:
                    assert not within(n, k, z, m - neighbour, s, low) or value(over, low) <= lam * value(under, low)
                    assert not within(n, k, z, m - neighbour, s, end) or value(over, end) <= lam * value(under, end)


@pytest.mark.parametrize("neighbour", [False, True])
@pytest.mark.parametrize(("n", "k"), [(2, 1), (6, 1), (9, 1), (1, 3), (3, 2), (4, 3)])
def test_no_limit_below_the_largest_ratio_is_told_of_all_windows(n, k, neighbour):
    """Of windows that end at an outcome just so, one dataset after the other."""
    refused = 0
    for q in (Fraction(1, 10), Fraction(9, 20), Fraction(49, 100)):
        spread, found = k * n * q * (1 - q), list(pairs(n, k, 1))
        for m, s, _, over, under in found:
            end = k * ((m - neighbour) * (1 - q) + (n - m + neighbour) * q) - s
            ratio = value(over, q) / value(under, q)
            if end <= 0 or ratio <= 1:
                continue
            z = end / Fraction(isqrt(int(spread * 10**40)), 10**20)
            assert within(n, k, z, m - neighbour, s, q)
            limit = Limit.of(lam=1 + (ratio - 1) * Fraction(999, 1000))
            windows = OwnWindows(n=n, k=k, sigmas=z, limit=limit, neighbour=neighbour, bits=100)
            assert not any(windows.covered(first, q, q) for first in range(1, m + 1))
            refused += 1
    assert refused > 1


@pytest.mark.parametrize("q", [Fraction(1, 50), Fraction(1, 5), Fraction(12, 25)])
def test_one_report_s_ratio_is_at_most_1_or_bounded(q):
    """Proof notes, 7.12: beside a ones and b zeros, for every a + b up to 9 and every outcome."""
    p, sharpest = 1 - q, Fraction(0)
    for size in range(1, 10):
        for a in range(size + 1):
            b = size - a
            mean = a * p + b * q
            here, there = law(b, a + 1), law(b + 1, a)
            for s in range(size + 2):
                r = value(there[s], q) / value(here[s], q)
                if r > 1:
                    share = (r - 1) * (a + b / r) * p * q / ((p - q) * (mean + 1 - s))
                    sharpest = max(sharpest, share)
                    assert share < 1
    assert sharpest > Fraction(3, 4)  # no constant below that would do


@pytest.mark.parametrize("z", [Fraction(1, 2), 1, 2, 3])
@pytest.mark.parametrize("q", [Fraction(1, 20), Fraction(1, 5), Fraction(2, 5)])
def test_a_window_wider_by_an_outcome_covers_every_dataset(q, z):
    """1/R and R are at most 1/(1 - z'(p - q)/sigma), z' = n/(n - 1) (z + p/sigma), for single reports; in squares."""
    seen = 0
    for n in range(2, 11):
        for m, s, _, over, under in pairs(n, 1, 2):
            if within(n, 1, Fraction(z), m, s, q):
                ratio = value(over, q) / value(under, q)
                # (1 - 1/R) npq <= n/(n - 1) (z sigma + p)(p - q), sigma alone being irrational
                rest = (1 - 1 / ratio) * (n - 1) * q * (1 - q) / (1 - 2 * q) - (1 - q)
                assert rest <= 0 or rest**2 <= z**2 * n * q * (1 - q)
                seen += rest > 0
    assert seen or z < 1 or q == Fraction(1, 20)


@pytest.mark.soak
def test_many_repeats_take_few_boxes():
    windows = OwnWindows(n=300, k=10, sigmas=Fraction(3), limit=Limit.of(lam=2), neighbour=False, bits=200)
    failing, holds = every_window._ends([windows], Fraction(1, 10**6), most=3000)
    assert Fraction(0) < failing < holds <= failing * (1 + Fraction(1, 10**5))


@given(st.integers(1, 30), st.integers(1, 3), st.fractions("1/40", "12/25", max_denominator=80), st.data())
def test_the_window_s_ends_are_those_of_the_list(n, k, q, data):
    ones, neighbour = data.draw(st.integers(1, n)), data.draw(st.booleans())
    windows = OwnWindows(n=n, k=k, sigmas=Fraction(3), limit=Limit.of(lam=2), neighbour=neighbour, bits=64)
    inside = [s for s in range(k * n + 1) if within(n, k, 3, ones - neighbour, s, q)]
    assert (windows.lowest(ones, q, q), windows.highest(ones, q, q)) == (inside[0], inside[-1])
    wider = q * Fraction(9, 10), min(q * Fraction(11, 10), Fraction(1, 2))
    ends = [
        s for x in (wider[0], q, wider[1]) for s in range(k * n + 1) if within(n, k, 3, ones - neighbour, s, x)
    ]  # fmt: skip
    assert windows.lowest(ones, *wider) <= min(ends)
    assert windows.highest(ones, *wider) >= max(ends)


def test_a_ratio_falls_along_the_diagonal_and_grows_with_the_ones():
    """The order that boxes rest on, in rationals: R(m, s) <= R(m - 1, s - k), R(m - 1, s) <= R(m, s)."""
    for n, k, q in ((4, 1, Fraction(1, 10)), (3, 2, Fraction(2, 5)), (3, 3, Fraction(1, 4))):
        m = KRandomization(n=n, q=q, k=k)
        for ones in range(1, n):
            for s in range(k * n + 1):
                assert ratio(m, s, ones=ones - 1) <= ratio(m, s, ones=ones)
                if s >= k:
                    assert ratio(m, s, ones=ones) <= ratio(m, s - k, ones=ones - 1)


# --- refusals ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "argument"),
    [
        ({"method": "closed"}, "method"), ({"method": "real"}, "method"), ({"method": "variance"}, "method"),
        ({"bits": 2}, "dataset"), ({"dataset": "any"}, "dataset"), ({"rtol": 0}, "rtol"), ({"sides": 3}, "sides"),
    ],
)  # fmt: skip
def test_refusals(arguments, argument):
    with pytest.raises(DomainError) as refusal:
        local_q(**{"n": 5, "lam": 2, "dataset": "every", **arguments})
    assert refusal.value.argument == argument


@pytest.mark.parametrize(
    ("arguments", "argument"), [({"dataset": "every"}, "n"), ({"n": 5}, "n"), ({"sides": 2}, "sides")]
)
def test_refusals_of_the_deviation(arguments, argument):
    with pytest.raises(DomainError) as refusal:
        local_sigma(lam=2, **arguments)
    assert refusal.value.argument == argument


def test_too_many_repeats_and_boxes_are_refused():
    with pytest.raises(TooLarge, match="the exact ratio"):
        local_q(n=5, lam=2, k=1001, dataset="every")
    windows = OwnWindows(n=50, k=1, sigmas=Fraction(3), limit=Limit.of(lam=2), neighbour=False, bits=100)
    with pytest.raises(Undecided, match="20 boxes") as refusal:
        every_window._ends([windows], Fraction(1, 10**12), most=20)
    assert refusal.value.enclosure.lower < Fraction("0.226709") < refusal.value.enclosure.upper


def test_the_answer_says_for_whom_it_fails_and_holds():
    found = local_q(n=50, lam=2, dataset="every")
    assert found.meaning == f"fails for {found.witness}; holds for every dataset, in its own window"
    assert str(found.witness).startswith("1 one, s = 3: R = 2.08")


def test_above_the_mean_a_record_that_flips_more_may_raise_the_ratio():
    """Three reports of one record, of which s = 2 are 1: R = (q/p), below every limit, but it grows with q."""
    low, high = Fraction(1, 100), Fraction(41, 100)
    windows = OwnWindows(n=1, k=3, sigmas=Fraction(9, 10), limit=Limit(Fraction(1, 2)), neighbour=False, bits=100)
    assert windows.lowest(1, low, high) == windows.lowest(1, high, high) == 2
    assert low / (1 - low) < Fraction(1, 2) < high / (1 - high)
    assert windows.kept(1, 1, Fraction(30, 100), Fraction(31, 100))
    assert not windows.kept(1, 1, low, high)


def test_few_ratios_are_looked_at_in_full(monkeypatch):
    """Most are told from the limit in a fraction of the bits."""
    fully, chance = [], Pool.chance
    monkeypatch.setattr(Pool, "chance", lambda pool, s: fully.append(ctx.prec > 100) or chance(pool, s))
    found = local_q(n=50, lam=2, k=3, dataset="every")
    assert str(found.witness).startswith("1 one, s = 29: R = 2.0024085")
    assert sum(fully) < 40
