"""The kit that rules: rows are read field by field, ranges judge, and our own side may not fail."""

import pytest
from sympy import Symbol

from dpcalc.notes.claims.claim import Known, Ruling
from tests.notes.ledger.checking import equal, same, strictly, sure
from tests.notes.ledger.ledger import Ledger, row
from tests.notes.ledger.ranges import Range, alone

X = Symbol("x")
SMALL = Range.of("x", "x < 4", range(4))


def test_a_family_is_one_check_for_several_rows():
    ledger = Ledger("DOC")
    ledger.family(row("a", factor=2), row("b", factor=3), over=SMALL)(lambda factor, x: factor * x % 2 == 0)
    first, second = (claim.check() for claim in ledger.claims)
    assert first.ruling is Ruling.PROVEN
    assert (second.ruling, second.known, second.witness) == (Ruling.REFUTED, Known.COMPUTED, "x = 1")


def test_how_it_is_known_follows_from_the_range():
    assert SMALL.judge(lambda x: x < 4).known is Known.ARGUED
    assert Range.of("x", "all", range(4), whole=True).judge(lambda x: x < 4).known is Known.EXHAUSTED
    assert SMALL.judge(lambda x: x < 4, holds=True).ruling is Ruling.HOLDS
    assert same(X * X, X**2)
    assert not same(X, X**2)


@pytest.mark.parametrize(
    ("check", "options"),
    [
        (lambda x: (x, x + 1, x + 2), {}),  # the repair is wrong, too
        (lambda x: x > 0, {"only": lambda x: x >= 0}),  # the restriction has an exception
        (lambda x: x < 4, {"only": lambda x: x < 3, "sharp": True}),  # it holds elsewhere
        (lambda x: x < 4, {"given": lambda: False}),  # what it rests on is not so
    ],
)
def test_where_our_own_side_fails_there_is_no_finding(check, options):
    with pytest.raises(ArithmeticError):
        SMALL.judge(check, **options)


def test_what_a_check_without_a_range_rests_on_is_asked():
    assert alone(lambda: equal(1, 1), given=lambda: True).ruling is Ruling.HOLDS
    with pytest.raises(ArithmeticError, match="rests on"):
        alone(lambda: equal(1, 1), given=lambda: False)


def test_what_is_compared_strictly_is_not_negative():
    assert (strictly(1), strictly(0)) == (True, False)
    with pytest.raises(ArithmeticError, match="not even"):
        strictly(-1)


def test_an_empty_range_proves_nothing():
    with pytest.raises(ArithmeticError, match="no case"):
        Range.of("x", "none", ()).judge(lambda x: True)


def test_our_own_side_has_to_be_right():
    with pytest.raises(ArithmeticError, match="wrong"):
        sure(False, "wrong")
