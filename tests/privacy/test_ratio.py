from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcalc.mechanisms.response import KRandomization
from dpcalc.notes.vectors.blanket import blanket_bound
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.pairs.pair import Pair
from dpcalc.privacy import ratio as module
from dpcalc.privacy.ratio import exceedance, ratio, ratio_bound
from tests.oracles.scan import pmfs
from tests.strategies import flips, limits, mechanisms


@given(mechanisms)
def test_the_bound_holds_and_is_met_for_one_repeat(m):
    for s in range(m.reports + 1):
        assert ratio(m, s) <= ratio_bound(m, s)
        mean = (1 - Fraction(s, m.reports)) * m.odds + Fraction(s, m.reports) / m.odds
        assert ratio_bound(m, s) == mean**m.k
        assert m.k > 1 or ratio(m, s) == ratio_bound(m, s)


@settings(max_examples=15)
@given(mechanisms, limits, st.data())
def test_exceedance_adds_up_the_outcomes_outside(m, lam, data):
    ones = data.draw(st.none() | st.integers(0, m.n - 1), "ones")
    outside, total = exceedance(m, lam=lam, ones=ones), m.q.denominator**m.reports
    others = m.n - 1 if ones is None else ones
    fewer, full = ([Fraction(w, total) for w in pool] for pool in pmfs(m.n, m.q, m.k)[others : others + 2])
    ratios = [a / b for a, b in zip(fewer, full, strict=True)]
    over = [s for s, r in enumerate(ratios) if r > lam]
    under = [s for s, r in enumerate(ratios) if r * lam < 1]
    assert outside.low == max(over, default=-1)
    assert outside.high == min(under, default=m.reports + 1)
    assert outside.ratio.value == sum(full[s] for s in over)
    assert outside.ratio_neighbour.value == sum(fewer[s] for s in over)
    assert outside.reciprocal.value == sum(full[s] for s in under)
    assert outside.reciprocal_neighbour.value == sum(fewer[s] for s in under)


@settings(max_examples=15)
@given(flips, st.integers(30, 90), st.integers(1, 2), limits, st.sampled_from([None, 0, 7, 29]))
def test_the_certified_exceedance_holds_the_exact_one(q, n, k, lam, ones):
    m = KRandomization(n=n, q=q, k=k)
    exact = exceedance(m, lam=lam, ones=ones)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Pair, "exact_fits", False)
        certified = exceedance(m, lam=lam, ones=ones)
    assert (certified.low, certified.high) == (exact.low, exact.high)
    for name in ("ratio", "ratio_neighbour", "reciprocal", "reciprocal_neighbour"):
        found, truth = getattr(certified, name), getattr(exact, name).value
        assert found.lower <= truth <= found.upper
        assert found.relative_width() <= Fraction(1, 10**15)


def test_exceedance_with_epsilon_is_that_with_its_exponential():
    m = KRandomization(n=30, q="1/4")
    assert exceedance(m, epsilon="0.69314").low == exceedance(m, lam=2).low
    assert exceedance(m, epsilon="0.69315").high == exceedance(m, lam=2).high


@pytest.fixture
def no_exact_ratio(never):
    """It would be a mistake: a rational of some 100,000 bits."""
    never(module, "ratio")


def test_exceedance_of_many_repeats_and_records_compares_no_ratio_exactly(no_exact_ratio):
    outside = exceedance(KRandomization(n=10**9, q="0.49", k=2_000), lam="1.0001")
    assert 0 < outside.ratio.lower < outside.ratio.upper < outside.ratio_neighbour.lower < Fraction(1, 10)


@given(mechanisms, st.integers(1, 60))
def test_a_ratio_equal_to_the_limit_is_within_it(m, s):
    lam = ratio(m, min(s, m.reports))
    if lam > 1:
        assert exceedance(m, lam=lam).low == min(s, m.reports) - 1
    if lam < 1:
        assert exceedance(m, lam=1 / lam).high == min(s, m.reports) + 1


def test_values_too_long_for_python_to_print_are_printed_as_enclosures():
    for value in (
        ratio(KRandomization(n=10, q="0.1234567", k=1000), 7),
        blanket_bound(KRandomization(n=10**6, q="0.1"), lam=2),
    ):
        with pytest.raises(ValueError, match="digits"):
            str(value)
        assert 17 <= len(str(Enclosure.of(value))) <= 30


@pytest.mark.parametrize(
    ("n", "q", "k", "limit", "ones"),
    [
        (250, "1/4", 2, {"lam": "3/2"}, 0),
        (300, "0.003995", 1, {"epsilon": "0.523447"}, 217),
        (100, "1/10", 5, {"lam": "5558"}, 40),
        (40, "1/4", 10, {"epsilon": "1e-6"}, 20),
        (60, "1/4", 1, {"lam": 4}, 30),  # beyond the local ratio: none
    ],
)
def test_outer_outcomes_of_other_compositions_are_those_of_exact_ratios(monkeypatch, n, q, k, limit, ones):
    m = KRandomization(n=n, q=q, k=k)
    found = exceedance(m, **limit, ones=ones)
    monkeypatch.setattr(Pair, "exceeds", lambda *_: None)
    exact = exceedance(m, **limit, ones=ones)
    assert (found.low, found.high) == (exact.low, exact.high)


def test_no_ratio_of_another_composition_is_compared_exactly(no_exact_ratio):
    """Each would take the exact pmf of 40,608 reports, 2 times 30 of them."""
    outside = exceedance(KRandomization(n=20_304, q="1/4", k=2), lam="3/2", ones=0)
    assert (outside.low, outside.high) == (7_357, 13_575)


def test_outcomes_above_one_law_and_below_the_other_are_told_apart(no_exact_ratio):
    """Flips are so rare that P_0 lies near 4,080 and P_1 near 4,182: between them each is the tail of its own side."""
    outside = exceedance(KRandomization(n=81, q="2.69e-9", k=102), lam="273.8", ones=40)
    assert (outside.low, outside.high) == (4_130, 4_132)


def test_no_outcome_exceeds_the_largest_ratio_and_none_is_searched_for():
    """Beyond the local epsilon of 23,797.8 the search went out to the ends of 4 10^14 outcomes."""
    mechanism = KRandomization(n=400459862102, q="4.621e-11", k=1000)
    found = exceedance(mechanism, epsilon="23821.62", ones=151181266765)
    assert (found.low, found.high) == (-1, mechanism.reports + 1)
    assert found.ratio.value == found.reciprocal.value == found.ratio_neighbour.value == 0


def test_outcomes_too_faint_to_be_held_are_found_and_only_their_probabilities_are_not():
    """R_s = (N - s)/N 9 + s/N 1/9 is 1.5 at s = 27/32 N, and 1/1.5 at 15/16 N, 10^5 deviations from the mean."""
    found = exceedance(KRandomization(n=10**12, q="1/10"), lam="1.5")
    assert (found.low, found.high) == (27 * 10**12 // 32 - 1, 15 * 10**12 // 16 + 1)
    for one in (found.ratio, found.ratio_neighbour, found.reciprocal, found.reciprocal_neighbour):
        assert (one.lower, one.upper) == (0, Fraction(1, 2**999_999))


def test_few_outcomes_are_looked_at_however_far_from_the_mean(calls_of):
    """Half the local epsilon away they lie 10^9 outcomes out, and each takes long."""
    looked = calls_of(Pair, "exceeds")
    found = exceedance(KRandomization(n=400459862102, q="4.621e-11", k=1000), epsilon=12_000, ones=151181266765)
    assert (found.low, found.high) == (151_180_129_746_475, 151_183_141_564_616)
    assert len(looked) <= 8
    assert found.ratio.upper == Fraction(1, 2**999_999)
