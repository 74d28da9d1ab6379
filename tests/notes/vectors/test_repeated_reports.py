from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcalc.notes.vectors.repeated_reports import by_single_changes, by_threshold, single_change
from dpcalc.numbers.enclosure import Enclosure
from tests.oracles import histograms


@given(st.fractions("1", 3, max_denominator=100), st.integers(1, 30))
def test_the_growth_is_that_of_the_geometric_sum(step, k):
    found, growth = single_change(step**k, k)
    assert found <= step
    assert growth >= sum(step**i for i in range(k))
    assert growth == sum(step**i for i in range(k)) or step**k > k


@settings(max_examples=6)
@given(st.integers(2, 4), st.integers(1, 4), st.data(), st.sampled_from(["1", "3/2", "4", "10"]).map(Fraction))
@pytest.mark.soak
def test_the_truth_lies_between(classes, total, data, lam):
    """Any two laws of a report."""
    k = data.draw(st.integers(1, total))
    chances, others = (
        [Fraction(w, sum(weights)) for w in weights]
        for weights in (data.draw(st.lists(st.integers(1, 20), min_size=classes, max_size=classes)) for _ in range(2))
    )
    ratios = [(b / a, a) for a, b in zip(chances, others, strict=True)]
    truth = histograms.excesses(histograms.neighbours(total, k, chances, others), lam)
    above = by_single_changes(ratios, k, total, lam)
    below = by_threshold(ratios, k, total, Enclosure.of(lam))
    for low, value, high in zip(below, truth, above, strict=True):
        assert low <= value <= high


def test_the_two_bounds_approach_one_another():
    chances = [Fraction(1, 16), Fraction(6, 16), Fraction(9, 16)]
    ratios = [(b / a, a) for a, b in zip(chances, chances[::-1], strict=True)]
    gaps = []
    for n in (100, 10_000, 1_000_000):
        lam = 1 + Fraction(3) / Fraction(n**0.5)
        above, below = by_single_changes(ratios, 3, 3 * n, lam), by_threshold(ratios, 3, 3 * n, Enclosure.of(lam))
        gaps.append(max(high / low - 1 for low, high in zip(below, above, strict=True)))
    assert gaps[0] > gaps[1] > gaps[2]
    assert gaps[2] < Fraction(1, 500)
