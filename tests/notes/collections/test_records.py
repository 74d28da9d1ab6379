from itertools import islice, product
from math import comb

import pytest
from hypothesis import given, settings

from dpcalc.errors import DomainError, TooLarge
from dpcalc.notes.collections.occupancy import outcomes
from dpcalc.notes.collections.records import bit_counts, collection, query_pmf, record, replaced
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


def test_fifty_records_of_six_bits_are_refused_at_once_naming_the_number_of_outcomes():
    with pytest.raises(TooLarge) as refusal:
        query_pmf(["010101"] * 50, q="0.2")
    assert refusal.value.size == comb(113, 63)
    assert f"{comb(113, 63):,} outcomes" in str(refusal.value)


def test_many_single_bits_are_refused_too():
    with pytest.raises(TooLarge, match="100,000 reports needs 3,753,237,532 bytes"):
        query_pmf(["1"] * 100_000, q="0.2")


def test_bit_vectors_are_read_as_written():
    assert record("0110") == record([0, 1, 1, 0]) == (0, 1, 1, 0)
    assert replaced(["110", "111", "101"], 1, "000") == ((0, 0, 0), (1, 1, 1), (1, 0, 1))
    assert bit_counts((1, 2, 0, 4)) == (1, 2, 4)


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (lambda: record(110), "record = 110 is not allowed: give a bit vector such as '110' or (1, 1, 0)"),
        (lambda: record(""), "record = '' is not allowed: give a bit vector such as '110' or (1, 1, 0)"),
        (lambda: collection([]), "records = [] is not allowed: give one or more records"),
        (lambda: collection(["11", "1"]), "records = '1' is not allowed: give records of 2 bits, as the first one"),
        (lambda: replaced(["11"], 2, "00"), "place = 2 is not allowed: give a whole number from 1 to 1"),
        (lambda: bit_counts((1, 2, 3)), "outcome = (1, 2, 3) is not allowed: give 2^L counts"),
        (lambda: query_pmf(["1"], q="0.5"), "q = '0.5' is not allowed: give a flip probability with 0 < q < 1/2"),
    ],
)
def test_bad_input_gets_one_clear_line(call, line):
    with pytest.raises(DomainError) as refusal:
        call()
    assert str(refusal.value) == line


def test_vectors_too_long_to_be_listed_are_refused_by_their_bits():
    with pytest.raises(TooLarge, match="the limit is 24 bits"):
        query_pmf(["1" * 10_000], q="0.2")
