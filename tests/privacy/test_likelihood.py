from fractions import Fraction
from itertools import combinations, product
from math import comb, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcalc.local.bounds import variance
from dpcalc.mechanisms.response import KRandomization
from dpcalc.notes.collections.occupancy import outcomes
from dpcalc.numbers.ball import ball, enclosure_of, working_precision
from dpcalc.privacy.ratio import likelihood_mean, likelihoods, ratio, ratio_bound
from tests.oracles import vectors
from tests.strategies import plain_flips

SHAPES = [(n, bits, k) for n, bits, k in product(range(1, 5), (1, 2, 3), (1, 2)) if n * bits * k <= 12]


@pytest.mark.parametrize(("n", "bits", "k"), SHAPES)
def test_the_ratio_is_the_enumerated_one_at_every_outcome_and_depends_on_the_set_bits_only(n, bits, k):
    q = Fraction(2, 7)
    m = KRandomization(n=n, q=q, k=k, bits=bits)
    for outcome, (found, _) in vectors.ratios(n, bits, k, q).items():
        histogram = vectors.by_bit_count(outcome, bits)
        assert likelihood_mean(q, k, histogram) == found
        assert ratio(m, histogram if bits > 1 else histogram[1]) == found


@given(st.integers(1, 4), st.integers(1, 3), st.integers(1, 4), plain_flips)
@settings(max_examples=30)
@pytest.mark.soak
def test_the_ratio_is_the_mean_product_of_k_likelihood_ratios_and_maclaurin_bounds_it(n, bits, k, q):
    m = KRandomization(n=n, q=q, k=k, bits=bits)
    weights, denominator = likelihoods(q, bits)
    for histogram in list(outcomes(n * k, bits + 1))[:20]:
        drawn = [Fraction(weights[ones], denominator) for ones, count in enumerate(histogram) for _ in range(count)]
        samples = [prod(sample) for sample in combinations(drawn, k)]
        assert likelihood_mean(q, k, histogram) == sum(samples) / Fraction(len(samples))
        s = histogram if bits > 1 else histogram[1]
        assert ratio(m, s) <= ratio_bound(m, s) == (sum(drawn) / len(drawn)) ** k


@pytest.mark.parametrize(("n", "bits", "k"), [(3, 1, 2), (2, 2, 2), (3, 3, 1), (1, 2, 3), (4, 1, 3)])
def test_mean_and_variance_of_the_ratio(n, bits, k):
    q = Fraction(1, 4)
    values = vectors.ratios(n, bits, k, q).values()
    assert sum(r * chance for r, chance in values) == 1
    assert sum((r - 1) ** 2 * chance for r, chance in values) == variance(n, k, (1 / (q * (1 - q)) - 3) ** bits - 1)


def test_many_reports_of_many_bits():
    m = KRandomization(n=10**6, q="0.3", k=100, bits=5)
    mean = [comb(5, ones) * 7**ones * 3 ** (5 - ones) * 1000 for ones in range(6)]  # of 10^8 reports
    assert abs(ratio(m, mean) - 1) < Fraction(1, 100)


@pytest.mark.parametrize(("n", "k"), [(3, 1), (3, 2), (7, 5), (1, 6), (40, 30)])
@pytest.mark.parametrize("moment", ["9/8", "49/9", "1000"])
def test_the_variance_in_balls_is_the_exact_one(n, k, moment):
    moment = Fraction(moment)
    with working_precision(100):
        found = enclosure_of(variance(n, k, ball(moment - 1)))
    assert found.lower <= variance(n, k, moment - 1) <= found.upper <= found.lower * (1 + Fraction(1, 10**20))
