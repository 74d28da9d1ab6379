"""The contract of an audit: a row of each kind is judged by the delta of the mechanism that it means."""

import pytest

import dpcalc as dp
from dpcalc.audits.kinds import KINDS
from tests.registry import AUDITED


def test_every_kind_has_a_line():
    assert set(AUDITED) == set(KINDS)


@pytest.mark.parametrize("kind", AUDITED)
def test_a_row_is_judged_by_its_mechanism(kind):
    cells, mechanism = AUDITED[kind]
    both = KINDS[kind].repeated and KINDS[kind].reports
    for rounds, asked in [
        ({}, mechanism),
        ({"rounds": 2, "unit": "user"}, dp.Rounds([(mechanism, 2)]) if both else None),
    ]:
        if asked is None:
            continue
        truth = dp.delta(asked, epsilon="1/2")
        for promised, words in (((1 + truth.upper) / 2, {"kept", "loose"}), (truth.lower / 2, {"broken"})):
            row = {"mechanism": kind, "epsilon": "1/2", "delta": promised, **cells, **rounds}
            (judged,) = dp.audit([row]).rows
            assert judged.word in words
            assert judged.delta.lower <= truth.upper
            assert judged.delta.upper >= truth.lower
