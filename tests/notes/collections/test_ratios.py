import json
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcalc.errors import TooLarge
from dpcalc.mechanisms.response import KRandomization
from dpcalc.notes.collections.ratios import compare, privacy_ratios
from dpcalc.notes.collections.records import replaced
from tests.oracles import vectors
from tests.strategies import plain_flips, small_collections


@pytest.mark.soak
@settings(max_examples=20)
@given(small_collections(), plain_flips, st.data())
def test_ratios_and_delta_are_the_ones_of_the_listed_flips(drawn, q, data):
    records, k = drawn
    others = [vector for vector in vectors.vectors(len(records[0])) if vector != records[0]]
    neighbour = [data.draw(st.sampled_from(others)), *records[1:]]
    here, there = vectors.pmf(records, q, k), vectors.pmf(neighbour, q, k)
    pair = compare(records, neighbour, q=q, k=k)
    ratios = privacy_ratios(records, neighbour, q=q, k=k)
    assert ratios == {s: there[s] / here[s] for s in here}
    assert pair.maximum == max(ratios.values())
    assert pair.minimum == min(ratios.values())
    assert all(ratios[s] == pair.maximum for s in pair.attaining(pair.maximum))
    lam = data.draw(st.fractions(min_value=1, max_value=9))
    assert pair.delta(lam=lam).value == vectors.delta(records, neighbour, q, lam, k)


@pytest.mark.parametrize(("bits", "changed"), [("1101", "0101"), ("0101", "1101"), ("0000", "0010"), ("1110", "1111")])
def test_one_bit_either_way_is_what_the_listed_flips_say(bits, changed):
    here, there = (vectors.pmf([(int(bit),) for bit in side], Fraction(1, 5), 2) for side in (bits, changed))
    found = privacy_ratios(list(bits), list(changed), q="1/5", k=2)
    assert found == {s: there[s] / here[s] for s in here}
    assert list(found) == sorted(found)
    assert compare(list(bits), list(changed), q="1/5", k=2).ratios == found


def test_one_bit_of_many_records_is_quick_and_what_does_not_fit_says_where_it_does():
    found = privacy_ratios(["1"] * 1000, ["0"] + ["1"] * 999, q="0.269", k=5)
    assert len(found) == 5_001
    assert found[(5_000, 0)] == KRandomization(n=1, q="0.269", k=5).local_ratio
    half = ["1"] * 500 + ["0"] * 500
    with pytest.raises(
        TooLarge, match=r"needs 6,25.* bytes, .* try dpcalc.ratios\(KRandomization\(n=1000, q='269/1000',"
    ):
        privacy_ratios(half, [*half[:-1], "1"], q="0.269", k=50)


def test_epsilon_covers_both_directions_and_delta_is_zero_from_there_on():
    pair = compare(["11", "10", "10"], ["11", "10", "01"], q="0.3", k=2)
    assert 1 / pair.minimum == pair.maximum == Fraction(7, 3) ** (2 * 2)
    largest = pair.maximum
    with mpmath.workdps(30):
        assert abs(pair.epsilon.mpf() - mpmath.log(mpmath.mpf(largest.numerator) / largest.denominator)) < 1e-25
    assert pair.delta(lam=largest).value == 0
    assert pair.delta(lam=largest - Fraction(1, 1000)) > 0
    assert pair.delta(epsilon="0.1") < pair.delta(epsilon="0.05")


def test_the_report_is_json_and_a_table():
    pair = compare(["110", "111", "101"], replaced(["110", "111", "101"], 1, "000"), q="0.2")
    document = json.loads(json.dumps(pair.to_dict()))
    assert document["neighbour"] == ["000", "111", "101"]
    assert document["maximum"] == {"ratio": "16", "outcomes": [list(s) for s in pair.attaining(Fraction(16))]}
    assert len(document["ratios"]) == 120
    lines = pair.table().splitlines()
    assert lines[0] == "counts of 000 001 010 011 100 101 110 111  ratio"
    assert lines[1] == "0 3 0 0 0 0 0 0  16"
    assert lines[-1] == "epsilon = 2.7725887222397812..."
