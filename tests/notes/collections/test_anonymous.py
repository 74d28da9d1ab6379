"""The least q for a wanted anonymity: by the definition at both ends, and what is never or always so."""

from fractions import Fraction

from hypothesis import assume, given, settings
from hypothesis import strategies as st

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


def test_tiny_probabilities_are_reached():
    found = anonymous_q(["1" * 30, "0" * 30], anonymity=Fraction(1, 10**1000))
    odds = [(1 - q) / q for q in (found.lower, found.upper)]
    assert odds[0] ** 30 > 10**1000 >= odds[1] ** 30
