from itertools import islice, product

import pytest
from hypothesis import given, settings

from dpcalc.notes.collections.occupancy import outcomes
from dpcalc.notes.collections.records import bit_counts, query_pmf, record, replaced
from dpcalc.pairs.crowd import outcome_count
from tests.oracles import vectors
from tests.strategies import plain_flips, small_collections


@settings(max_examples=30)
@given(small_collections(), plain_flips)
def test_the_pmf_is_the_one_summed_over_every_pattern_of_flips(drawn, q):
    records, k = drawn
    found = query_pmf(records, q=q, k=k)
    assert found == vectors.pmf(records, q, k)
    assert sum(found.values()) == 1


@pytest.mark.parametrize(("n", "bits", "k"), [(1, 1, 1), (3, 2, 1), (2, 3, 1), (2, 2, 2)])
def test_the_outcome_space_lists_every_outcome_once_in_order(n, bits, k):
    found = list(outcomes(n * k, 2**bits))
    everything = product(range(n * k + 1), repeat=2**bits)
    assert found == [counts for counts in everything if sum(counts) == n * k]
    assert len(found) == outcome_count(n * k, 2**bits)
    assert list(query_pmf(["0" * bits] * n, q="0.3", k=k)) == found


def test_outcomes_are_listed_lazily():
    first = list(islice(outcomes(50, 2**6), 2))
    assert [sum(outcome) for outcome in first] == [50, 50]
    assert list(outcomes(0, 3)) == [(0, 0, 0)]


def test_bit_vectors_are_read_as_written():
    assert record("0110") == record([0, 1, 1, 0]) == (0, 1, 1, 0)
    assert replaced(["110", "111", "101"], 1, "000") == ((0, 0, 0), (1, 1, 1), (1, 0, 1))
    assert bit_counts((1, 2, 0, 4)) == (1, 2, 4)
