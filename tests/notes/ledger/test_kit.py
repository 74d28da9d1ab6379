"""The kit that rules: rows are read field by field, ranges judge, and our own side may not fail."""

from pathlib import Path

import pytest
from sympy import Symbol

from dpcalc.notes.claims.claim import Known, Ruling
from dpcalc.notes.symbolic import q
from tests.notes.ledger.checking import all_of, equal, identity, positive, strictly, sure
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


def test_a_row_with_its_check_takes_its_script_as_a_decorator():
    ledger = Ledger("DOC")

    @ledger.claim("1", lambda: equal(max(0, 1), 2))
    def confirmed() -> None:
        assert max(0, 1) == 1

    [claim] = ledger.claims
    assert claim.check().ruling is Ruling.CORRECTED
    assert claim.confirm.__name__ == "confirmed"


def test_how_it_is_known_follows_from_the_range():
    assert SMALL.judge(lambda x: x < 4).known is Known.ARGUED
    assert Range.of("x", "all", range(4), whole=True).judge(lambda x: x < 4).known is Known.EXHAUSTED
    assert SMALL.judge(lambda x: x < 4, holds=True).ruling is Ruling.HOLDS
    assert identity(X * X, X**2, at={X: 2}).known is Known.IDENTITY
    assert all_of(equal(1, 1), identity(X, X, at={X: 2})).known is Known.COMPUTED


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


def test_what_is_proven_in_symbols_is_known_so_and_the_cases_must_agree():
    def square(form):
        return lambda: identity(form, X * X, at={X: 2})

    found = SMALL.judge(lambda x: (x, x * x, x**2), proof=square(X**2))
    assert (found.ruling, found.known, found.tested) == (Ruling.CORRECTED, Known.IDENTITY, "")
    with pytest.raises(ArithmeticError, match="not shown for all values"):
        SMALL.judge(lambda x: x < 4, proof=square(X**3))


def test_a_row_s_values_are_its_proof_s_too():
    ledger = Ledger("DOC")
    ledger.family(
        row("a", power=2), row("b", power=3), over=SMALL,
        check=lambda power, x: x**power >= 0, proof=lambda power: identity(X**power, X * X, at={X: 2}),
    )  # fmt: skip
    assert ledger.claims[0].check().known is Known.IDENTITY
    with pytest.raises(ArithmeticError):
        ledger.claims[1].check()


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


def test_identities_are_not_taken_for_more_than_they_are():
    with pytest.raises(ArithmeticError, match="choose another point"):
        identity(X, X**2, at={X: 1})
    with pytest.raises(ArithmeticError, match="the repair"):
        identity(X, X**2, at={X: 2}, repair=X**3)
    with pytest.raises(ArithmeticError, match="derived"):
        identity(X, X, X**2, at={X: 2})
    assert identity(X, X**2, at={X: 2}, repair=X * X).ruling is Ruling.CORRECTED
    assert positive(q - q**2 - q).ruling is Ruling.REFUTED
    with pytest.raises(ArithmeticError, match="wrong"):
        sure(False, "wrong")


def test_only_two_forms_in_symbols_make_an_identity():
    sources = Path(__file__).parent.rglob("*.py")
    named = {
        source.name
        for source in sources
        if not source.name.startswith("test_") and "IDENTITY" in source.read_text(encoding="utf-8")
    }
    assert named == {"checking.py"}  # ``identity`` and ``positive``, which go through no cases
