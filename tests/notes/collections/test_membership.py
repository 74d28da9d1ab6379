from fractions import Fraction
from itertools import product

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcalc.local.solvers import classical_q
from dpcalc.notes.collections.membership import anonymity, presence, presence_ratio, rappor_epsilon, record_epsilon
from tests.oracles import vectors
from tests.strategies import plain_flips


@st.composite
def lists(draw, least=1):
    bits = draw(st.integers(1, 2))
    return draw(st.lists(st.sampled_from(vectors.vectors(bits)), min_size=least, max_size=4))


@settings(max_examples=30)
@given(lists(), plain_flips)
def test_presence_is_the_sum_over_every_choice_of_reports(records, q):
    for vector in vectors.vectors(len(records[0])):
        assert presence(vector, records, q=q) == vectors.present(vector, records, q)


@settings(max_examples=30)
@given(lists(least=2), plain_flips)
@pytest.mark.soak
def test_anonymity_and_the_ratio_of_presence_by_their_definitions(records, q):
    quotients, ratios = [], []
    for place, vector in product(range(len(records)), vectors.vectors(len(records[0]))):
        without = records[:place] + records[place + 1 :]
        others = vectors.present(vector, without, q)
        quotients.append(others / vectors.chance(records[place], vector, q))
        ratios.append(vectors.present(vector, records, q) / others)
    found = anonymity(records, q=q)
    assert found.value == min(quotients)
    without = list(records)
    without.remove(found.record)
    assert found.value == presence(found.vector, without, q=q) / vectors.chance(found.record, found.vector, q)
    assert presence_ratio(records, q=q) == max(ratios) <= 1 + 1 / found.value


def test_long_records_need_no_list_of_all_vectors():
    records = ["1" * 40, "0" * 40, "1" * 20 + "0" * 20]
    found = anonymity(records, q="1/4")
    assert found.value == presence(records[0], records[1:], q="1/4") * Fraction(4, 3) ** 40
    assert found.record == found.vector


def test_a_record_alone_has_no_anonymity():
    assert anonymity(["01"], q="0.2").value == 0
    assert presence("01", [], q="0.2") == 0


@pytest.mark.parametrize(("x", "changed", "k"), [("110", "000", 1), ("1010", "0101", 3), ("11", "11", 2)])
def test_record_epsilon_is_the_largest_log_ratio_of_the_reports(x, changed, k):
    q = Fraction(1, 5)
    here, there = (tuple(map(int, vector)) for vector in (x, changed))
    largest = max(vectors.chance(here, s, q) / vectors.chance(there, s, q) for s in vectors.vectors(len(x))) ** k
    found = record_epsilon(x, changed, q=q, k=k)
    with mpmath.workdps(30):
        assert abs(found.mpf() - mpmath.log(mpmath.mpf(largest.numerator) / largest.denominator)) < 1e-25


def test_rappor_with_two_hashes_and_its_inverse():
    found = rappor_epsilon(q="0.25", hashes=2)  # f = 1/2: the paper's 2 h ln((1 - f/2)/(f/2)) = 4 ln 3
    with mpmath.workdps(30):
        assert abs(found.mpf() - 4 * mpmath.log(3)) < 1e-25
    assert classical_q(lam=3**4, bits=4).value == Fraction(1, 4)
    assert record_epsilon("1100", "0011", q="0.25").lower == found.lower
