"""Every claim of the documents has an ID, a verdict that is pinned, and, for an erratum, a script that confirms it."""

import ast
from pathlib import Path

import pytest

from dpcalc import claims
from dpcalc.claims.claim import Ruling

DATA = Path(__file__).parents[1] / "data" / "claims"


def listed(document):
    """(ID, label in the document, ruling) of each line of the document's lists, which were written from its text."""
    files = sorted(DATA.glob(f"{document}.*"))
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [tuple(cell.strip() for cell in line.split(" | ")) for line in lines if line and not line.startswith("#")]


LISTED = {claim: ruling for document in claims.DOCUMENTS for claim, _, ruling in listed(document)}


@pytest.mark.parametrize("document", claims.DOCUMENTS)
def test_the_ledger_is_the_list_of_the_documents_labels(document):
    assert [claim.id for claim in claims.claims(document=document)] == [claim for claim, _, _ in listed(document)]


def test_every_numbered_equation_of_k16_has_an_id():
    last = {4: 55, 5: 24, 6: 11, 7: 21, 8: 9}
    numbered = {f"K16-{section}.{i}" for section, count in last.items() for i in range(1, count + 1)}
    assert numbered <= {claim.id for claim in claims.claims(document="K16")}


@pytest.mark.parametrize("name", LISTED)
def test_the_verdict_is_the_pinned_one(name):
    [verdict] = claims.run([name])
    assert verdict.ruling.value == LISTED[name]
    if verdict.ruling.erratum:
        assert verdict.finding.witness
    if verdict.ruling in (Ruling.HOLDS, Ruling.ONLY_FOR):
        assert verdict.finding.over
    if verdict.ruling is Ruling.PROVEN:
        assert verdict.claim.derivation


ERRATA = [claim for claim in claims.claims() if Ruling(LISTED[claim.id]).erratum]


@pytest.mark.parametrize("claim", ERRATA, ids=lambda claim: claim.id)
def test_every_erratum_is_confirmed_by_a_short_script(claim):
    tree = ast.parse(claim.script)
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported <= {"fractions", "math", "itertools"}
    assert not any(isinstance(node, ast.Import) or (isinstance(node, ast.Constant) and isinstance(node.value, float))
                   for node in ast.walk(tree))  # fmt: skip
    assert isinstance(tree.body[-1], ast.Assert)
    code = [line for line in claim.script.splitlines() if not line.startswith("from ")]
    assert len(code) <= 5
    exec(compile(tree, claim.id, "exec"), {})


def test_no_script_stands_beside_a_claim_that_is_right():
    assert not [claim.id for claim in claims.claims() if claim.script and claim not in ERRATA]
