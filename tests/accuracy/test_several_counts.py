"""Estimates and intervals from several rounds' counts and from histograms, against every outcome."""

from fractions import Fraction
from itertools import product

import pytest

import dpcalc as dp
from tests.oracles.rounds import law

METHODS = ("exact", "chebyshev", "hoeffding")


def outcomes(pmfs):
    """Every tuple of counts with its probability, the counts being independent."""
    for counts in product(*(range(len(pmf)) for pmf in pmfs)):
        chance = Fraction(1)
        for pmf, count in zip(pmfs, counts, strict=True):
            chance *= pmf[count]
        yield list(counts), chance


@pytest.mark.parametrize(("n", "k", "rounds"), [(1, 1, 3), (2, 1, 2), (1, 2, 2)])
def test_the_mean_of_rounds_is_unbiased_and_covered_whatever_the_records_hold_in_each(n, k, rounds):
    q = Fraction(1, 5)
    m = dp.KRandomization(n=n, q=q, k=k)
    for data in product(product((0, 1), repeat=n), repeat=rounds):
        truth = Fraction(sum(map(sum, data)), rounds)
        mean = square = Fraction(0)
        covered = dict.fromkeys(METHODS, Fraction(0))
        for counts, chance in outcomes([law(sum(bits), n - sum(bits), q, k) for bits in data]):
            guess = dp.estimate(m, counts)
            mean += chance * guess.value
            square += chance * (guess.value - truth) ** 2
            assert guess.variance == dp.variance(m) / rounds
            for method in METHODS:
                ends = dp.confidence_interval(m, counts, confidence="0.7", method=method)
                assert guess.interval("0.7", method=method) == ends
                covered[method] += chance if truth in ends else 0
        assert (mean, square) == (truth, dp.variance(m) / rounds)
        assert min(covered.values()) >= Fraction(7, 10)


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
