from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcalc.notes.vectors.histograms import Neighbours
from dpcalc.notes.vectors.histograms_in_doubles import Windowed
from dpcalc.numbers.enclosure import Enclosure
from tests.oracles import histograms

LAMBDAS = st.one_of(st.sampled_from([1, Fraction(3, 2), 3, 9, 10**6]), st.fractions(1, 20, max_denominator=50))


@st.composite
def chances(draw, classes):
    weights = draw(st.lists(st.integers(1, 50), min_size=classes, max_size=classes))
    return [Fraction(weight, sum(weights)) for weight in weights]


@st.composite
def neighbours(draw):
    classes = draw(st.integers(2, 4))
    total = draw(st.integers(1, {2: 6, 3: 5, 4: 4}[classes]))
    return Neighbours(total, draw(st.integers(1, total)), draw(chances(classes)), draw(chances(classes)))


def listed(laws):
    return histograms.neighbours(laws.total, laws.changed, laws.chances, laws.others)


@settings(max_examples=25)
@given(neighbours(), LAMBDAS)
def test_every_histogram_is_summed_over(laws, lam):
    pairs = listed(laws)
    assert laws.size == len(pairs)
    assert [one.value for one in laws.excesses(Enclosure.of(lam))] == list(histograms.excesses(pairs, lam))
    assert [one.value for one in laws.exceedances(Enclosure.of(lam))] == list(histograms.exceedances(pairs, lam))


@settings(max_examples=8)
@given(neighbours(), st.data())
def test_a_ratio_that_is_the_limit_does_not_exceed_it(laws, data):
    same, mixed = data.draw(st.sampled_from(listed(laws)))
    lam = max(same / mixed, mixed / same)
    assert [one.value for one in laws.exceedances(Enclosure.of(lam))] == list(histograms.exceedances(listed(laws), lam))
    around = (
        Enclosure(lam - Fraction(1, 10**9), lam + Fraction(1, 10**9))
        if lam > 1
        else Enclosure(1, 1 + Fraction(1, 10**9))
    )
    for found in (laws, windowed(laws)):
        for one, end in product(range(4), (around.lower, lam, around.upper)):
            value = histograms.exceedances(listed(laws), end)[one]
            enclosed = found.exceedances(around)[one]
            assert enclosed.lower <= value <= enclosed.upper


@settings(max_examples=10)
@given(neighbours(), LAMBDAS)
def test_an_enclosed_limit_covers_both_ends(laws, lam):
    wide = Enclosure(lam, lam + Fraction(1, 7))
    for found in (laws.excesses(wide), windowed(laws).excesses(wide)):
        for end in (wide.lower, wide.upper):
            for one, value in zip(found, histograms.excesses(listed(laws), end), strict=True):
                assert one.lower <= value <= one.upper


def windowed(laws, nats=500.0):
    return Windowed(laws, nats)


@settings(max_examples=25)
@given(neighbours(), LAMBDAS)
def test_doubles_enclose_the_sums_narrowly(laws, lam):
    near, pairs = windowed(laws), listed(laws)
    assert near.fits
    assert near.missing() == (0, 0)
    for found, expected in (
        (near.excesses(Enclosure.of(lam)), histograms.excesses(pairs, lam)),
        (near.exceedances(Enclosure.of(lam)), None),
    ):
        for one, value in zip(found, expected or histograms.exceedances(pairs, lam), strict=True):
            assert one.lower <= value <= one.upper
            if expected:
                assert one.upper - one.lower <= Fraction(1, 10**12)


@settings(max_examples=25)
@given(neighbours(), LAMBDAS, st.data())
def test_any_windows_will_do(laws, lam, data):
    near, pairs = windowed(laws), listed(laws)
    places = st.tuples(st.integers(0, laws.total), st.integers(0, laws.total))
    near.windows = [tuple(sorted(data.draw(places))) for _ in laws.chances]
    for found, expected in (
        (near.excesses(Enclosure.of(lam)), histograms.excesses(pairs, lam)),
        (near.exceedances(Enclosure.of(lam)), histograms.exceedances(pairs, lam)),
    ):
        for one, value in zip(found, expected, strict=True):
            assert one.lower <= value <= one.upper


@settings(max_examples=30)
@given(neighbours(), st.data())
def test_what_is_missing_is_at_least_the_tails(laws, data):
    near = windowed(laws)
    window = sorted(data.draw(st.tuples(st.integers(0, laws.total), st.integers(0, laws.total))))
    near.windows = [tuple(window), *[(0, laws.total)] * (len(laws.chances) - 1)]
    same, mixed = (histograms.law(reports) for reports in (
        [laws.chances] * laws.total, [laws.others] * laws.changed + [laws.chances] * (laws.total - laws.changed)
    ))  # fmt: skip
    for law, missing in zip((same, mixed), near.missing(), strict=True):
        assert sum(weight for s, weight in law.items() if not window[0] <= s[0] <= window[1]) <= missing


@pytest.mark.parametrize("nats", [20.0, 60.0])
def test_the_windows_leave_out_about_what_they_are_asked_to(nats):
    weights = [Fraction(1, 1000), Fraction(99, 1000), Fraction(4, 10), Fraction(5, 10)]
    for laws in (Neighbours(2_000, 40, weights, weights[::-1]), Neighbours(400, 400, weights, weights[::-1])):
        near = Windowed(laws, nats)
        assert np.log(float(max(near.missing()))) < 4 - nats
        tighter = Windowed(laws, nats)
        tighter.windows = [(low + (high - low) // 10, high - (high - low) // 10) for low, high in near.windows]
        assert np.log(float(max(tighter.missing()))) > 4 - nats


def test_more_histograms_than_can_be_listed_exactly():
    """The same sums to 60 and to 300 nats, and the exact ones where they still fit."""
    weights = [Fraction(1, 16), Fraction(6, 16), Fraction(9, 16)]
    laws = Neighbours(160, 4, weights, weights[::-1])
    exact = laws.excesses(Enclosure.of(2))
    for nats in (60.0, 300.0):
        for one, other in zip(Windowed(laws, nats).excesses(Enclosure.of(2)), exact, strict=True):
            assert one.lower <= other.value <= one.upper
            assert one.relative_width() < Fraction(1, 10**9)


def test_what_doubles_cannot_hold_is_not_lost():
    rare = Fraction(1, 10**120)
    laws = Neighbours(3, 2, [rare, 1 - rare], [1 - rare, rare])
    pairs = listed(laws)
    for lam in (2, 10**230):
        for one, value in zip(windowed(laws).excesses(Enclosure.of(lam)), histograms.excesses(pairs, lam), strict=True):
            assert one.lower <= value <= one.upper
    for one, value in zip(windowed(laws).exceedances(Enclosure.of(2)), histograms.exceedances(pairs, 2), strict=True):
        assert one.lower <= value <= one.upper


@pytest.mark.parametrize(("same", "mixed", "power"), [(400, 340, 30), (330, 300, 29)])
def test_all_that_is_there_may_be_too_small_for_a_double(same, mixed, power):
    """P' beyond 10^power P by one histogram only, of which doubles lose P', or lose P."""
    rare, other = Fraction(1, 10**same), Fraction(1, 10**mixed)
    laws, lam = Neighbours(1, 1, [rare, 1 - rare], [other, 1 - other]), Fraction(99, 10) * 10**power
    found = windowed(laws).excesses(Enclosure.of(lam))[0]
    assert found.lower <= other - lam * rare <= found.upper


def test_what_would_take_too_long_does_not_fit():
    weights = [Fraction(1, 16), Fraction(6, 16), Fraction(9, 16)]
    fits = {n: Windowed(Neighbours(n, 1, weights, weights[::-1]), 60).fits for n in (1_000, 10**5, 10**7, 10**12)}
    assert fits == {1_000: True, 10**5: True, 10**7: False, 10**12: False}
    assert not Windowed(Neighbours(10_000, 2_000, weights, weights[::-1]), 60).fits


def test_no_block_is_so_large_that_threads_share_it():
    """Two threads took 50 times as long for one block as one does, where other work kept a core busy."""
    chances = [Fraction(comb(3, i) * 9 ** (3 - i) * 11**i, 8000) for i in range(4)]
    near = Windowed(Neighbours(2000, 13, chances, chances[::-1]), 20)
    shapes = [x.shape for x, _ in near._blocks()]
    assert sum(rows * columns for rows, columns in shapes) > 10**6
    assert all(rows * columns * 14 <= 1 << 18 for rows, columns in shapes)
