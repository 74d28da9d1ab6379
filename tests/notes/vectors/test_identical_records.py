import json
from fractions import Fraction
from itertools import product
from math import lgamma, log

import numpy as np
import pytest

from dpcalc.errors import TooLarge
from dpcalc.mechanisms.response import KRandomization
from dpcalc.notes.vectors.blanket import blanket_bound
from dpcalc.notes.vectors.identical_records import identical_exceedance, vector_delta
from dpcalc.privacy.delta import delta
from tests.oracles import vectors

FINE = Fraction(1, 1000)
LAMBDAS = (1, Fraction(11, 10), Fraction(2), Fraction(9), Fraction(10**6))  # 9 is a ratio at q = 1/4


def deltas(outcomes, lam):
    """Both directions of the pairs (R, P[outcome | D])."""
    return (
        sum(max(0, r - lam) * chance for r, chance in outcomes),
        sum(max(0, 1 - lam * r) * chance for r, chance in outcomes),
    )


@pytest.mark.parametrize(
    ("n", "bits", "k"), [(1, 1, 1), (1, 2, 1), (1, 1, 3), (1, 2, 2), (4, 3, 1), (3, 2, 2), (2, 3, 2), (3, 1, 4)]
)
def test_delta_and_exceedance_are_the_enumerated_ones(n, bits, k):
    q = Fraction(1, 4)
    m, outcomes = KRandomization(n=n, q=q, k=k, bits=bits), vectors.ratios(n, bits, k, q).values()
    for lam in LAMBDAS:
        found = vector_delta(m, lam=lam)
        assert (found.forward.value, found.backward.value) == deltas(outcomes, lam)
        assert found.forward.value <= found.bound >= found.backward.value
        outside = identical_exceedance(m, lam=lam)
        assert outside.ratio.value == sum(chance for r, chance in outcomes if r > lam)
        assert outside.ratio_neighbour.value == sum(r * chance for r, chance in outcomes if r > lam)
        assert outside.reciprocal.value == sum(chance for r, chance in outcomes if 1 / r > lam)
        assert outside.reciprocal_neighbour.value == sum(r * chance for r, chance in outcomes if 1 / r > lam)


@pytest.mark.parametrize(("n", "bits", "k"), [(1, 1, 2), (1, 2, 2), (4, 2, 1), (3, 2, 2), (2, 3, 2), (2, 1, 4)])
@pytest.mark.parametrize("q", [Fraction(1, 3), Fraction(1, 100)])
def test_without_listing_histograms_it_is_still_the_enumerated_one(n, bits, k, q):
    m, outcomes = KRandomization(n=n, q=q, k=k, bits=bits), vectors.ratios(n, bits, k, q).values()
    for lam in (1, Fraction(3, 2), 3, 1 / q - 1):
        found = vector_delta(m, lam=lam, exact=False)
        for one, value in zip((found.forward, found.backward), deltas(outcomes, lam), strict=True):
            assert one.lower <= value <= one.upper
            assert value == 0 or one.relative_width() <= Fraction(1, 10**4)


@pytest.mark.parametrize(
    ("n", "bits", "q", "lam"), [(100, 1, "1/4", "3/2"), (60, 2, "1/5", "2"), (40, 3, "1/5", "5"), (30, 4, "2/5", "2")]
)
@pytest.mark.parametrize("rtol", ["1e-3", "1e-7"])
@pytest.mark.soak
def test_the_exact_and_the_certified_way_overlap(n, bits, q, lam, rtol):
    m = KRandomization(n=n, q=q, bits=bits)
    exact, certified = vector_delta(m, lam=lam), vector_delta(m, lam=lam, rtol=rtol, exact=False)
    for one, other in ((exact.forward, certified.forward), (exact.backward, certified.backward)):
        assert other.lower <= one.value <= other.upper
        assert other.relative_width() <= Fraction(rtol)


@pytest.mark.parametrize(
    ("n", "k", "bits", "q", "lam"),
    [(40, 2, 2, "1/4", "6/5"), (30, 3, 2, "1/4", "3/2"), (12, 5, 2, "1/4", 5), (10, 3, 3, "9/20", 1)],
)
def test_repeated_reports_in_doubles_agree_with_the_exact_sum(n, k, bits, q, lam):
    m = KRandomization(n=n, q=q, k=k, bits=bits)
    exact, certified = vector_delta(m, lam=lam), vector_delta(m, lam=lam, rtol="1e-9", exact=False)
    for one, other in ((exact.forward, certified.forward), (exact.backward, certified.backward)):
        assert other.lower <= one.value <= other.upper
        assert other.relative_width() <= Fraction(1, 10**9)
    assert exact.bound == certified.bound


def floating(total, q, lam):
    """Two changed reports of two bits, in floating point: e_2 = (p_1^2 - p_2)/2 of the likelihood ratios."""
    log_factorial = np.array([lgamma(i + 1) for i in range(total + 1)])
    odds, chances = (1 - q) / q, np.array([q * q, 2 * q * (1 - q), (1 - q) ** 2])
    sums = np.zeros(2)
    for none in range(total + 1):
        one = np.arange(total - none + 1)
        counts = [none, one, total - none - one]
        logs = sum(count * log(chance) - log_factorial[count] for count, chance in zip(counts, chances, strict=True))
        weights = np.exp(log_factorial[total] + logs)
        first, second = (counts[0] * w + counts[1] + counts[2] / w for w in (odds**2, odds**4))
        ratios = (first**2 - second) / (total * (total - 1))
        sums += (weights * np.maximum(ratios - lam, 0)).sum(), (weights * np.maximum(1 - lam * ratios, 0)).sum()
    return sums


def test_two_million_histograms():
    """n = 1000 with two reports of two bits each; the one-bit projection leaks less, the bound more."""
    m = KRandomization(n=1_000, q="1/4", k=2, bits=2)
    found = vector_delta(m, lam="1.2", rtol="1e-9")
    assert found.forward.relative_width() < Fraction(1, 10**9) > found.backward.relative_width()
    for one, value in zip((found.forward, found.backward), floating(2_000, 0.25, 1.2), strict=True):
        assert float(one) == pytest.approx(value, rel=1e-9)
    wide = vector_delta(m, lam="1.2", rtol="0.5")
    assert wide.forward.lower <= found.forward.lower <= found.forward.upper <= wide.forward.upper
    assert wide.backward.lower <= found.backward.lower <= found.backward.upper <= wide.backward.upper
    assert delta(KRandomization(n=1_000, q="1/4", k=2), lam="1.2", ones=999).upper < found.identical.lower
    assert found.identical.upper < found.bound


@pytest.mark.parametrize("n", [10**7, 10**12])
def test_repeated_reports_of_many_records_lie_between_close_bounds(n):
    m = KRandomization(n=n, q="1/4", k=100, bits=4)
    deviation = Fraction((100 * 28.6 / n) ** 0.5)
    for epsilon in (0, 2 * deviation, 5 * deviation):
        found = vector_delta(m, epsilon=epsilon)
        assert found.forward.relative_width() < FINE * 2
        assert found.backward.relative_width() < FINE * 2
        assert found.identical.upper < found.bound


@pytest.mark.parametrize(("n", "k", "width"), [(50, 2, Fraction(1, 10**30)), (10**9, 3, FINE)])
def test_one_bit_is_the_pooled_count_with_all_others_one(n, k, width):
    m = KRandomization(n=n, q="1/4", k=k)
    found = vector_delta(m, epsilon="0.0003")
    for direction in (found.forward, found.backward):
        assert direction.relative_width() < width
    known = delta(m, epsilon="0.0003", ones=n - 1)
    assert found.identical.lower <= known.upper
    assert known.lower <= found.identical.upper


def test_ten_thousand_records_of_four_bits():
    m = KRandomization(n=10_000, q="1/5", bits=4)
    found = vector_delta(m, lam=2, rtol=FINE)
    assert found.forward.relative_width() < FINE
    assert found.backward.relative_width() < FINE
    assert found.backward.lower < Fraction("1.18388e-13") < found.backward.upper < found.bound
    assert vector_delta(m, lam=2, rtol="1e-5").backward < found.bound


@pytest.mark.parametrize(("n", "bits", "lam"), [(10_000, 2, "2.7"), (10_000, 100, 2), (1_000_000, 16, 2)])
def test_plain_questions_are_answered(n, bits, lam):
    found = vector_delta(KRandomization(n=n, q="1/4", bits=bits), lam=lam)
    assert found.forward.relative_width() < FINE > found.backward.relative_width()


def test_more_records_than_can_be_summed_over_are_still_bounded():
    """delta is below 2^-1,000,000: from 0 to the least number that is held."""
    found = vector_delta(KRandomization(n=10**9, q="1/4", bits=2), lam=2)
    assert found.identical.lower == 0 < found.identical.upper < Fraction(1, 10**300_000)
    assert found.every_dataset.lower == 0


def test_a_limit_known_by_its_logarithm_lies_between_its_neighbours():
    m = KRandomization(n=20, q="0.2", bits=2, k=2)
    for exact in (True, False):
        found = vector_delta(m, epsilon="0.7", exact=exact)
        above, below = (vector_delta(m, lam=lam) for lam in ("2.0137527074704765", "2.0137527074704766"))
        for name in ("forward", "backward"):
            one, low, high = (getattr(value, name) for value in (found, below, above))
            assert one.lower <= high.value
            assert low.value <= one.upper
            assert one.relative_width() < Fraction(1, 10**4)


@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.soak
def test_beyond_the_local_ratio_nothing_leaks(k):
    m = KRandomization(n=50, q="1/4", k=k, bits=2)
    for limit in ({"lam": m.local_ratio}, {"epsilon": 10**6}):
        found = vector_delta(m, **limit)
        assert found.identical.value == found.bound == blanket_bound(m, **limit) == 0
    almost = vector_delta(m, lam=m.local_ratio - Fraction(1, 10**6), exact=False)
    assert 0 < almost.identical.upper <= almost.bound < Fraction(1, 10**6)


def test_no_outcome_exceeds_the_largest_ratio_and_none_is_summed_over():
    m = KRandomization(n=50_000, q="0.4691", bits=2, k=10)
    assert m.odds ** (m.k * m.bits) < 12
    found = identical_exceedance(m, lam=12)
    assert found.ratio.value == found.ratio_neighbour.value == found.reciprocal.value == 0
    assert found.reciprocal_neighbour.value == 0


def test_exceedance_beyond_the_list_is_enclosed():
    """Two reports of two bits from 1000 records; and one of one bit from a billion."""
    m = KRandomization(n=1_000, q="1/4", k=2, bits=2)
    found = identical_exceedance(m, lam="1.2")
    for one in (found.ratio, found.ratio_neighbour, found.reciprocal, found.reciprocal_neighbour):
        assert one.relative_width() < Fraction(1, 10**9)
    assert found.ratio * Fraction(6, 5) < found.ratio_neighbour
    assert found.reciprocal_neighbour * Fraction(6, 5) < found.reciprocal
    # delta = P'[E] - lambda P[E]
    leak = vector_delta(m, lam="1.2", rtol="1e-9")
    for direct, apart in (
        (leak.forward, found.ratio_neighbour - found.ratio * Fraction(6, 5)),
        (leak.backward, found.reciprocal - found.reciprocal_neighbour * Fraction(6, 5)),
    ):
        assert direct.lower <= apart.upper
        assert apart.lower <= direct.upper
    assert identical_exceedance(KRandomization(n=10**9, q="1/4"), lam="1.0002").ratio.relative_width() < FINE


def test_the_report_is_json_and_a_table():
    found = vector_delta(KRandomization(n=3, q="1/5", bits=2), lam="3/2")
    document = json.loads(json.dumps(found.to_dict()))
    assert document["identical"] == {"value": "15479/31250"}
    assert Fraction(document["bound"]["value"]) == found.bound == found.every_dataset.upper
    assert len(found.table().splitlines()) == 3
    wide = vector_delta(KRandomization(n=20, q="1/3", bits=16, k=10), lam=900)
    assert wide.forward.lower < wide.forward.upper
    assert wide.table().splitlines()[0].startswith("identical records, one changed:        delta = [0.")


def test_more_repeats_than_can_be_written_out_are_bounded():
    found = vector_delta(KRandomization(n=10, q="1/5", bits=2, k=10**12), lam=2)
    assert 0 <= found.identical.lower <= found.identical.upper <= found.bound <= 1
    with pytest.raises(TooLarge, match="histograms"):
        identical_exceedance(KRandomization(n=10, q="1/5", bits=2, k=10**12), lam=2)


@pytest.mark.parametrize(("n", "bits"), [(3, 2), (2, 3)])
def test_the_worst_of_all_datasets_is_between_the_identical_ones_and_the_bound(n, bits):
    q, lam = Fraction(2, 5), Fraction(5, 4)
    found = vector_delta(KRandomization(n=n, q=q, bits=bits), lam=lam).every_dataset
    pmfs = {x: vectors.pmf(x, q) for x in product(vectors.vectors(bits), repeat=n)}
    worst = max(
        sum(max(0, there[s] - lam * here[s]) for s in here)
        for (x, here), (y, there) in product(pmfs.items(), repeat=2) if x[1:] == y[1:]
    )  # fmt: skip
    assert found.lower <= worst <= found.upper


@pytest.mark.soak
def test_a_lambda_beyond_doubles_leaves_the_bounds_that_balls_prove():
    m = KRandomization(n=34_350_746, q="3.367e-12", k=10, bits=9)
    found = vector_delta(m, epsilon="1003.19")
    assert 0 <= found.identical.lower <= found.identical.upper <= found.bound <= 1
    with pytest.raises(TooLarge, match="histograms"):
        identical_exceedance(m, epsilon="1003.19")


def test_hardly_any_noise_is_no_overflow():
    outside = identical_exceedance(KRandomization(n=1000, q=Fraction(1, 10**320), bits=2), lam=2)
    assert outside.ratio_neighbour.lower > Fraction(999, 1000)  # one report tells
    assert outside.reciprocal_neighbour.upper < Fraction(1, 10**40)
    assert max(outside.ratio.upper, outside.reciprocal.upper) <= 1
