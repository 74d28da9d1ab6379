"""The contract of an audit: a row of each kind is judged by the delta of the mechanism that it means."""

import pytest

import dpcalc as dp
from dpcalc.audits.promised import KINDS
from tests.registry import AUDITED


def test_every_kind_has_a_line():
    assert set(AUDITED) == set(KINDS)


@pytest.mark.parametrize("kind", AUDITED)
def test_a_row_is_judged_by_its_mechanism(kind):
    cells, mechanism = AUDITED[kind]
    assert_judged({"mechanism": kind, **cells}, mechanism)


QUICK = {"asymmetric bits", "binomial", "threshold", "gaussian"}


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.soak] * (kind not in QUICK)) for kind in AUDITED]
)
def test_rounds_of_a_row_are_those_of_its_mechanism(kind):
    cells, mechanism = AUDITED[kind]
    assert_judged({"mechanism": kind, **cells, "rounds": 2, "unit": "user"}, dp.Rounds([(mechanism, 2)]))


def assert_judged(row, mechanism):
    truth = dp.delta(mechanism, epsilon="1/2")
    for promised, words in (((1 + truth.upper) / 2, {"kept", "loose"}), (truth.lower / 2, {"broken"})):
        (judged,) = dp.audit([{**row, "epsilon": "1/2", "delta": promised}]).rows
        assert judged.word in words
        assert judged.delta.lower <= truth.upper
        assert judged.delta.upper >= truth.lower
