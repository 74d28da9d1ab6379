"""Every verdict on record is computed again, and every erratum confirmed by a few lines in fractions."""

import inspect
from fractions import Fraction

import pytest

from dpcalc import claims
from tests.notes.ledger import CLAIMS

pytestmark = pytest.mark.ledger
RECORDED = {claim.id: claim for claim in claims.run()}
CONFIRMED = [claim for claim in CLAIMS if claim.confirm]


def test_every_row_is_verified_or_says_why_not():
    assert [claim.id for claim in CLAIMS] == list(RECORDED)
    for claim in RECORDED.values():
        if claim.verified:
            name = claim.same_as or claim.id
            assert claim.verified == f"tests/notes/ledger/test_verdicts.py::test_verdict[{name}]"
            assert name in RECORDED
        else:
            assert claim.ruling.value in ("vacuous", "not decided")


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_verdict(claim):
    recorded, verdict = RECORDED[claim.id], claim.verdict()
    for name in ("ruling", "known", "said", "exact", "over", "tested", "witness"):
        assert getattr(recorded, name) == getattr(verdict.finding, name), name


@pytest.mark.parametrize("claim", CONFIRMED, ids=lambda claim: claim.id)
def test_erratum(claim):
    """By nothing but fractions and whole numbers: no part of the package, and no rounding."""
    space, codes = claim.confirm.__globals__, [claim.confirm.__code__]
    for code in codes:
        codes += [constant for constant in code.co_consts if inspect.iscode(constant)]
        assert not any(isinstance(constant, float) for constant in code.co_consts)
        taken = [space[name] for name in code.co_names if name in space]
        assert all(value is Fraction or value.__module__ in ("math", "itertools") for value in taken)
    names = inspect.signature(claim.confirm).parameters
    claim.confirm(*(claim.values[name] for name in names if name in claim.values))


def test_every_erratum_has_its_lines():
    assert [claim.id for claim in CONFIRMED] == [name for name, claim in RECORDED.items() if claim.ruling.erratum]
