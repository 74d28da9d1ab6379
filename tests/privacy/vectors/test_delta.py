import json
import time
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcalc.errors import DomainError, TooLarge
from dpcalc.mechanisms.response import KRandomization
from dpcalc.privacy.vectors.blanket import _growth, blanket_bound
from dpcalc.privacy.vectors.delta import identical_exceedance, vector_delta
from dpcalc.privacy.worst import delta
from tests.oracles import vectors
from tests.strategies import plain_flips

FINE = Fraction(1, 1000)


def test_more_records_than_can_be_summed_over_are_still_bounded():
    """More users are post-processing: the bound falls with n, to the least number that is held."""
    bounds = [blanket_bound(KRandomization(n=10**e, q="1/4", bits=2), lam="1.01") for e in (6, 7, 9, 12)]
    assert bounds == sorted(bounds, reverse=True)
    assert 0 < bounds[-1] < Fraction(1, 10**300_000)
    found = vector_delta(KRandomization(n=10**9, q="1/4", bits=2), lam=2)
    assert found.identical.lower == 0 < found.identical.upper < Fraction(1, 10**300_000)


# --- identical records ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "bits", "k"), [(1, 1, 1), (4, 3, 1), (3, 2, 2), (2, 3, 2), (3, 1, 4)])
def test_delta_and_exceedance_are_the_enumerated_ones(n, bits, k):
    q = Fraction(1, 4)
    m, outcomes = KRandomization(n=n, q=q, k=k, bits=bits), vectors.ratios(n, bits, k, q).values()
    for lam in (Fraction(11, 10), Fraction(2), Fraction(5), Fraction(10**6)):
        found = vector_delta(m, lam=lam)
        assert found.forward.value == sum(max(0, r - lam) * chance for r, chance in outcomes)
        assert found.backward.value == sum(max(0, 1 - lam * r) * chance for r, chance in outcomes)
        outside = identical_exceedance(m, lam=lam)
        assert outside.ratio.value == sum(chance for r, chance in outcomes if r > lam)
        assert outside.ratio_neighbour.value == sum(r * chance for r, chance in outcomes if r > lam)
        assert outside.reciprocal.value == sum(chance for r, chance in outcomes if 1 / r > lam)
        assert outside.reciprocal_neighbour.value == sum(r * chance for r, chance in outcomes if 1 / r > lam)


@pytest.mark.parametrize(
    ("n", "bits", "q", "lam"), [(100, 1, "1/4", "3/2"), (60, 2, "1/5", "2"), (40, 3, "1/5", "5"), (30, 4, "2/5", "2")]
)
def test_the_exact_and_the_certified_way_overlap(n, bits, q, lam):
    m = KRandomization(n=n, q=q, bits=bits)
    exact, certified = vector_delta(m, lam=lam), vector_delta(m, lam=lam, rtol=FINE, exact=False)
    for one, other in ((exact.forward, certified.forward), (exact.backward, certified.backward)):
        assert other.lower <= one.value <= other.upper
        assert other.relative_width() <= FINE


def test_one_bit_is_the_pooled_count_with_all_others_one():
    m = KRandomization(n=50, q="1/4", k=2)
    found = vector_delta(m, epsilon="0.3")
    for direction in (found.forward, found.backward):
        assert direction.relative_width() < Fraction(1, 10**30)
    known = delta(m, epsilon="0.3", ones=49)
    assert found.identical.lower <= known.upper
    assert known.lower <= found.identical.upper


def test_ten_thousand_records_of_four_bits():
    m = KRandomization(n=10_000, q="1/5", bits=4)
    start = time.perf_counter()
    found = vector_delta(m, lam=2, rtol=FINE)
    assert time.perf_counter() - start < 10
    assert found.forward.relative_width() < FINE
    assert found.backward.relative_width() < FINE
    assert found.backward.lower < Fraction("1.18388e-13") < found.backward.upper < found.bound
    assert vector_delta(m, lam=2, rtol="1e-5").backward < found.bound


def test_delta_falls_in_lambda_and_in_q():
    deltas = [vector_delta(KRandomization(n=20, q=q, bits=2), lam=lam).identical.value
              for q, lam in (("0.1", 2), ("0.1", 3), ("0.2", 3))]  # fmt: skip
    assert deltas == sorted(set(deltas), reverse=True)


# --- every dataset --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "bits", "k"), [(2, 1, 1), (4, 1, 1), (3, 2, 1), (2, 3, 1), (3, 1, 2), (2, 2, 2)])
def test_no_pair_of_datasets_exceeds_the_bound(n, bits, k, monkeypatch):
    monkeypatch.setattr("dpcalc.privacy.vectors.blanket._CROWD", 0)  # look at the blanket however small it is
    for q, lam in ((Fraction(1, 4), Fraction(3, 2)), (Fraction(2, 5), Fraction(11, 10))):
        bound = blanket_bound(KRandomization(n=n, q=q, k=k, bits=bits), lam=lam)
        pmfs = [(x, vectors.pmf(x, q, k)) for x in product(vectors.vectors(bits), repeat=n)]
        for (x, here), (y, there) in product(pmfs, repeat=2):
            if sum(a != b for a, b in zip(x, y, strict=True)) == 1:
                assert sum(max(0, there[s] - lam * here[s]) for s in here) <= bound


@pytest.mark.parametrize(("n", "k"), [(100, 1), (2_000, 1), (200, 3)])
def test_the_bound_covers_the_worst_dataset_of_single_bits(n, k):
    m = KRandomization(n=n, q="1/4", k=k)
    assert delta(m, lam="3/2").upper <= blanket_bound(m, lam="3/2")


@settings(max_examples=10)
@given(st.integers(1, 30), st.integers(1, 3), plain_flips)
def test_the_bound_is_at_most_what_one_report_leaks_alone(n, bits, q):
    lam = Fraction(2)
    m = KRandomization(n=n, q=q, bits=bits)
    alone = sum(
        comb(bits, i) * max(Fraction(0), m.p ** (bits - i) * q**i - lam * m.p**i * q ** (bits - i))
        for i in range(bits + 1)
    )
    assert blanket_bound(m, lam=lam) <= alone


def test_beyond_the_local_ratio_nothing_leaks():
    m = KRandomization(n=50, q="1/4", k=2, bits=2)
    found = vector_delta(m, lam=m.local_ratio)
    assert found.identical.value == found.bound == 0


def test_the_report_is_json_and_a_table():
    found = vector_delta(KRandomization(n=3, q="1/5", bits=2), lam="3/2")
    document = json.loads(json.dumps(found.to_dict()))
    assert document["identical"] == {"value": "15479/31250"}
    assert Fraction(document["bound"]["value"]) == found.bound == found.every_dataset.upper
    assert len(found.table().splitlines()) == 3


def test_what_cannot_be_listed_is_refused_at_once():
    with pytest.raises(TooLarge, match="histograms"):
        vector_delta(KRandomization(n=10_000, q="0.2", k=2, bits=4), lam=2)
    with pytest.raises(TooLarge, match="histograms"):
        identical_exceedance(KRandomization(n=1_000, q="0.2", bits=5), lam=2)
    with pytest.raises(DomainError, match="exactly one"):
        vector_delta(KRandomization(n=3, q="0.2", bits=2))


def test_the_bound_of_very_many_repeats():
    """One record's 20,000 reports tell it at q = 1/4; at q = 0.4 a million others hide them."""
    assert 1 - Fraction(1, 10**9) < blanket_bound(KRandomization(n=10, q="1/4", k=20_000), lam=2) <= 1
    m = KRandomization(n=10**6, q="0.4", k=20_000)
    assert delta(m, lam=2, ones=0).upper <= blanket_bound(m, lam=2) < Fraction(1, 10**20)


@given(st.fractions("1", 3, max_denominator=100), st.integers(1, 30))
def test_the_growth_is_that_of_the_geometric_sum(step, k):
    assert _growth(step**k, step, k) >= sum(step**i for i in range(k))
    assert _growth(step**k, step, k) == sum(step**i for i in range(k)) or step**k > k


@pytest.mark.parametrize("n", [1, 10, 10**15])
@pytest.mark.parametrize("bits", [101, 10**6, 10**15])
@pytest.mark.parametrize("question", [vector_delta, identical_exceedance])
def test_more_bits_than_can_be_summed_over_are_refused_at_once(question, n, bits):
    with pytest.raises(TooLarge, match=r"bits, the limit is 100 bits"):
        question(KRandomization(n=n, q="1/5", bits=bits), lam=2)


def test_more_repeats_than_can_be_written_out_are_refused_at_once():
    with pytest.raises(TooLarge, match="terms"):
        vector_delta(KRandomization(n=10, q="1/5", bits=2, k=10**12), lam=2)
