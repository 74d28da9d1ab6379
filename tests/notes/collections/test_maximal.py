import json
from collections import defaultdict
from fractions import Fraction
from itertools import product

import pytest

from dpcalc.errors import TooLarge
from dpcalc.mechanisms.response import KRandomization
from dpcalc.notes.collections import maximal
from dpcalc.notes.collections.maximal import maximal_collections
from dpcalc.notes.collections.ratios import privacy_ratios
from tests.oracles import vectors
from tests.tables import maximal_table

TABLE = json.loads(maximal_table.PATH.read_text())


def neighbours(n, bits):
    """Every collection and every way to change its first record: pooled reports do not show the order."""
    for records in product(vectors.vectors(bits), repeat=n):
        for changed in vectors.vectors(bits):
            if changed != records[0]:
                yield records, (changed, *records[1:])


@pytest.mark.parametrize(
    ("n", "bits", "k", "q"), [(1, 1, 1, "1/4"), (3, 1, 2, "1/3"), (3, 2, 1, "2/5"), (2, 2, 2, "1/3"), (2, 3, 1, "1/5")]
)
def test_the_maxima_are_those_of_all_pairs_of_collections(n, bits, k, q):
    flip, lam = Fraction(q), Fraction(3, 2)
    pmfs = {records: vectors.pmf(records, flip, k) for records in product(vectors.vectors(bits), repeat=n)}
    best, worst = defaultdict(Fraction), Fraction(0)
    for records, neighbour in neighbours(n, bits):
        here, there = pmfs[records], pmfs[neighbour]
        for outcome, chance in here.items():
            best[outcome] = max(best[outcome], there[outcome] / chance)
        worst = max(worst, sum(max(Fraction(0), there[s] - lam * here[s]) for s in here))
    found = maximal_collections(n=n, bits=bits, q=q, k=k, lam=lam)
    assert found.worst.delta == worst
    assert {one.outcome: one.ratio for one in found.outcomes} == {
        one.outcome: best[one.outcome] for one in found.outcomes
    }
    assert found.ratio == max(best.values()) == (1 / flip - 1) ** (k * bits)
    # every outcome belongs to one that is shown: its maximum is among theirs
    assert {one.ratio for one in found.outcomes} == set(best.values())
    for one in found.outcomes:
        for pair in one.pairs:
            here, there = (pmfs[first, *pair.others] for first in (pair.record, pair.changed))
            assert there[one.outcome] / here[one.outcome] == one.ratio
    for pair in found.worst.pairs:
        here, there = (pmfs[first, *pair.others] for first in (pair.record, pair.changed))
        assert sum(max(Fraction(0), there[s] - lam * here[s]) for s in here) == worst


def test_one_outcome_stands_for_every_class():
    # 2 reports of 2 bits: equal, or different in one bit, or in both
    found = maximal_collections(n=2, bits=2, q="0.2")
    assert [one.outcome for one in found.outcomes] == [(1, 0, 0, 1), (1, 1, 0, 0), (2, 0, 0, 0)]


def test_identical_records_are_not_maximal_at_every_outcome():
    q, outcome = Fraction(2, 5), (1, 0, 0, 1, 0, 1, 0, 0)
    found = maximal_collections(n=3, bits=3, q=q)
    (exception,) = found.exceptions
    assert exception.outcome == outcome
    assert exception.ratio == Fraction(113, 68)
    pair = exception.pairs[0]
    assert str(pair) == "110 -> 000 beside 111 111"
    assert privacy_ratios([pair.record, *pair.others], [pair.changed, *pair.others], q=q)[outcome] == Fraction(113, 68)
    everything = vectors.vectors(3)
    identical = [
        privacy_ratios([x, x, x], [changed, x, x], q=q)[outcome] for x, changed in product(everything, repeat=2)
        if x != changed
    ]  # fmt: skip
    assert max(identical) < Fraction(113, 68)


def test_the_worst_pair_for_delta_need_not_be_homogeneous():
    found = maximal_collections(n=7, bits=1, q="1/5", lam="3/2")
    assert found.homogeneous
    assert not found.worst.homogeneous
    assert found.worst.delta == Fraction(2176, 15625)


def test_the_committed_table_covers_the_reach():
    assert [(row["bits"], row["k"], row["n"], row["q"]) for row in TABLE] == maximal_table.cases()
    assert {(1, 60), (2, 6), (3, 3)} <= {(row["bits"], row["n"]) for row in TABLE if row["k"] == 1}


@pytest.mark.parametrize("row", [row for row in TABLE if row["n"] <= 4 or row["n"] % 20 == 0 or row["not_homogeneous"]])
@pytest.mark.soak
def test_the_committed_table_recomputed_in_part(row):
    again = maximal_table.row(row["bits"], row["k"], row["n"], row["q"])
    assert json.loads(json.dumps(again)) == row


def test_progress_rises_to_one():
    seen = []
    maximal_collections(n=5, bits=2, q="0.2", progress=seen.append)
    assert seen == sorted(set(seen))
    assert seen[-1] == 1
    assert len(seen) > 3


def test_the_report_is_json_and_a_table():
    found = maximal_collections(n=3, bits=2, q="0.2", lam="3/2")
    document = json.loads(json.dumps(found.to_dict()))
    assert document["worst"]["delta"] == "15479/31250"
    assert document["outcomes"][0] == {
        "outcome": [1, 1, 1, 0], "ratio": "6", "homogeneous": True,
        "pairs": [{"record": "11", "changed": "00", "others": ["11", "11"]}],
    }  # fmt: skip
    assert found.table().splitlines()[1] == "1 1 1 0  6  11 -> 00 beside 11 11"
    assert maximal_collections(n=3, bits=2, q="0.2").to_dict()["worst"] is None


def test_classes_of_outcomes_take_a_few_moves_each():
    """All 384 symmetries of every outcome were 312,000 moves; those that generate them are 7."""
    found = maximal_collections(n=3, bits=4, q="1/10", lam="3/2")
    assert found.homogeneous
    assert len(maximal._Orbits(4)._generators) == 7
    assert len(found.outcomes) == 11


def test_one_pair_of_records_is_weighed_for_each_class():
    """Beside two records 0000: a pair is as good as any other with as many bits set, and as many in common."""
    search = maximal._Search(KRandomization(n=3, q="1/10", bits=4), Fraction(3, 2))
    pairs = list(search._unlike((0, 0)))
    kinds = {(c.bit_count(), x.bit_count(), (c & x).bit_count()) for c in range(16) for x in range(16) if c != x}
    assert {(c.bit_count(), x.bit_count(), (c & x).bit_count()) for c, x in pairs} == kinds
    assert len(pairs) == len(kinds)


@pytest.mark.parametrize(("n", "bits", "q"), [(1000, 1, "1/4"), (300, 1, "0.2345678"), (1, 7, "1/4"), (1, 10, "1/4")])
def test_what_is_listed_on_the_way_counts_too(never, n, bits, q):
    """Of 1,000 records of one bit a quarter of a million smaller collections; 2^L L! symmetries of L bits."""
    never(maximal, "_Search")
    with pytest.raises(TooLarge, match="maximal collections"):
        maximal_collections(n=n, bits=bits, q=q)
