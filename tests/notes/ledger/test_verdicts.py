"""Every verdict on record is computed again, here or in a notebook, and every erratum confirmed in fractions."""

import ast
import inspect
import re
from fractions import Fraction
from pathlib import Path

import nbformat
import pytest

from dpcalc import claims
from tests.notes.ledger import CLAIMS

pytestmark = pytest.mark.ledger
ROOT = Path(__file__).parents[3]
RECORDED = {claim.id: claim for claim in claims.run()}
CHECKED = [claim for claim in CLAIMS if claim.check]
CONFIRMED = [claim for claim in CLAIMS if claim.confirm]
CELLS = {
    f"notebooks/{path.name}::{cell.id}": cell.source
    for path in (ROOT / "notebooks").glob("*.ipynb")
    for cell in nbformat.read(path, as_version=4).cells
    if cell.cell_type == "code"
}


@pytest.mark.parametrize("claim", CHECKED, ids=lambda claim: claim.id)
def test_verdict(claim):
    """Texts that a check does not compute are the row's."""
    recorded, found = RECORDED[claim.id], claim.check()
    for name in ("ruling", "known", "tested", "witness"):
        assert getattr(recorded, name) == getattr(found, name), name
    for name in ("said", "exact", "over"):
        assert getattr(found, name) in ("", getattr(recorded, name)), name


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
    witness = claim.confirm(*(claim.values[name] for name in names if name in claim.values))
    assert witness == RECORDED[claim.id].witness


def test_every_erratum_has_a_check_or_its_lines():
    errata = {name for name, claim in RECORDED.items() if claim.ruling.erratum}
    assert {claim.id for claim in CONFIRMED} == errata - {claim.id for claim in CHECKED}


def test_a_row_names_the_one_place_that_shows_its_verdict():
    """A test of this file, or a cell that names the claim at its head and asserts; none if nothing could fail."""
    checked = {each.id for each in CHECKED}
    for claim in RECORDED.values():
        name = claim.same_as or claim.id
        here = [f"tests/notes/ledger/test_verdicts.py::test_verdict[{name}]"] * (name in checked)
        if claim.verified in CELLS:
            comment, *_ = re.split(r"^(?!#)", CELLS[claim.verified], maxsplit=1, flags=re.MULTILINE)
            assert name in re.findall(r"[\w.+-]*\w", comment)
            assert any(isinstance(node, ast.Assert) for node in ast.walk(ast.parse(CELLS[claim.verified])))
            assert not here, name
        else:
            assert [claim.verified] == (here or [""]), name
            assert claim.verified or claim.ruling.value in ("vacuous", "not decided"), name
