"""The least q for a wanted anonymity: by the definition at both ends, and what is never or always so."""

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpcalc.errors import DomainError, NoSolution
from dpcalc.notes.collections.anonymous import anonymous_q
from tests.oracles import vectors


def by_definition(records, q):
    """The least quotient over every record and every vector."""
    quotients = []
    for place, record in enumerate(records):
        others = records[:place] + records[place + 1 :]
        for s in vectors.vectors(len(record)):
            quotients.append(vectors.present(s, others, q) / vectors.chance(record, s, q))
    return min(quotients)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_the_anonymity_is_too_little_at_the_lower_end_and_enough_at_the_upper(data):
    bits = data.draw(st.integers(1, 2))
    records = data.draw(st.lists(st.sampled_from(vectors.vectors(bits)), min_size=2, max_size=4))
    most = 2**bits * (1 - (1 - Fraction(1, 2**bits)) ** (len(records) - 1))
    wanted = most * data.draw(st.sampled_from([Fraction(1, 1000), Fraction(1, 3), Fraction(4, 5), Fraction(99, 100)]))
    alike = all(records.count(record) > 1 for record in records)
    assume(not alike or wanted > 1)
    found = anonymous_q(records, anonymity=wanted, rtol="1e-3")
    assert by_definition(records, found.lower) < wanted <= by_definition(records, found.upper)
    assert 0 < found.lower < found.upper < Fraction(1, 2)
    assert found.upper - found.lower <= found.upper / 1000
    assert found.value == found.upper


def test_two_records_have_a_closed_form():
    found = anonymous_q(["1111", "0000"], anonymity=Fraction(1, 3**4))  # A_p = (q/p)^4
    assert found.lower < Fraction(1, 4) <= found.upper


@pytest.mark.parametrize(
    ("records", "wanted", "said"),
    [
        (["1", "0"], 1, "stays below 1 "),
        (["1"], "1e-9", "stays below 0 "),
        (["10", "10", "01", "01"], 1, "at every q"),
        (["11"] * 3, "7/4", "stays below 1.75 "),
    ],
)
def test_what_is_never_or_always_so(records, wanted, said):
    with pytest.raises(NoSolution, match=said):
        anonymous_q(records, anonymity=wanted)


def test_tiny_probabilities_are_reached():
    found = anonymous_q(["1" * 30, "0" * 30], anonymity=Fraction(1, 10**1000))
    odds = [(1 - q) / q for q in (found.lower, found.upper)]
    assert odds[0] ** 30 > 10**1000 >= odds[1] ** 30


@pytest.mark.parametrize("wanted", [0, -1, "much"])
def test_bad_input_is_refused(wanted):
    with pytest.raises(DomainError, match="anonymity"):
        anonymous_q(["1", "0"], anonymity=wanted)


def test_what_is_beyond_the_search_is_said():
    with pytest.raises(NoSolution, match="already at q = 1e-300"):
        anonymous_q(["1", "0"], anonymity=Fraction(1, 10**301))
