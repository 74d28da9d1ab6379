"""Estimates and intervals from several rounds' counts and from histograms."""

from fractions import Fraction

import pytest

import dpcalc as dp

METHODS = ("exact", "chebyshev", "hoeffding")


def test_more_rounds_narrow_the_interval_and_one_is_as_before():
    m = dp.KRandomization(n=1000, q="1/10")
    for method in METHODS:
        once, often = (dp.confidence_interval(m, s, confidence="0.95", method=method) for s in ([180], [180] * 16))
        assert once == dp.confidence_interval(m, 180, confidence="0.95", method=method)
        assert 3 * (often.upper - often.lower) < once.upper - once.lower < 5 * (often.upper - often.lower)


@pytest.mark.parametrize("method", METHODS)
def test_a_category_is_a_single_bit_and_together_each_errs_a_share_as_often(method):
    histogram, single = dp.UnaryEncoding(n=50, categories=4, q="1/8"), dp.KRandomization(n=50, q="1/8")
    counts = [31, 6, 9, 12]
    assert dp.estimate(histogram, counts) == tuple(dp.estimate(single, s) for s in counts)
    for simultaneous, confidence in ((False, Fraction(4, 5)), (True, Fraction(19, 20))):
        found = dp.confidence_interval(histogram, counts, confidence="4/5", method=method, simultaneous=simultaneous)
        assert found == tuple(dp.confidence_interval(single, s, confidence=confidence, method=method) for s in counts)


def test_a_histogram_of_several_rounds():
    histogram, single = dp.UnaryEncoding(n=50, categories=2, q="1/8", k=2), dp.KRandomization(n=50, q="1/8", k=2)
    assert dp.estimate(histogram, [[60, 58], [40, 42]]) == (
        dp.estimate(single, [60, 58]),
        dp.estimate(single, [40, 42]),
    )
