"""Every claim of the documents has an ID, a verdict that is pinned, and, for an erratum, a script that confirms it."""

import ast
from pathlib import Path

import pytest

from dpcalc import claims
from dpcalc.notes.claims.claim import Known, Ruling

#: (ID, label in the document, ruling, how it is known): the IDs and labels were written from the documents' text.
LISTED = [
    tuple(cell.strip() for cell in line.split(" | "))
    for line in (Path(__file__).parents[2] / "data" / "claims.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
RULINGS = {claim: ruling for claim, _, ruling, _ in LISTED}


def test_the_ledger_is_the_list_of_the_documents_labels():
    assert [claim.id for claim in claims.claims()] == [claim for claim, *_ in LISTED]


def test_every_numbered_equation_of_k16_has_an_id():
    last = {4: 55, 5: 24, 6: 11, 7: 21, 8: 9}
    numbered = {f"K16-{section}.{i}" for section, count in last.items() for i in range(1, count + 1)}
    assert numbered <= {claim.id for claim in claims.claims(document="K16")}


@pytest.mark.parametrize(("name", "_label", "ruling", "known"), LISTED, ids=[name for name, *_ in LISTED])
def test_the_verdict_and_how_it_is_known_are_the_pinned_ones(name, _label, ruling, known):
    [verdict] = claims.run([name])
    found = verdict.finding
    assert (verdict.ruling.value, verdict.known.value) == (ruling, known)
    assert verdict.claim.where and verdict.claim.statement and verdict.claim.derivation  # noqa: PT018
    if verdict.ruling.erratum:
        assert found.witness
    if verdict.ruling is Ruling.ONLY_FOR:
        assert found.over
    if verdict.known is Known.IDENTITY:  # for all values: not found by going through cases
        assert not found.tested
    if verdict.known in (Known.ARGUED, Known.EXHAUSTED):  # prints the range
        assert found.tested.endswith(("case)", "cases)"))


@pytest.mark.parametrize(("heading", "column"), [("| | proven |", 2), ("| | identity |", 3)])
def test_the_book_counts_them(heading, column):
    page = Path(__file__).parents[3] / "notebooks" / "about" / "documents.md"
    lines = page.read_text(encoding="utf-8").splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(heading))
    words = [cell.strip() for cell in lines[start].strip("|").split("|")][1:-1]
    for line in lines[start + 2 : start + 8]:
        document, *counts = (cell.strip() for cell in line.strip("|").split("|"))
        rows = [row for row in LISTED if document == "all" or row[0].startswith(f"{document}-")]
        assert [int(count) for count in counts] == [
            *(sum(row[column] == word for row in rows) for word in words),
            len(rows),
        ]


ERRATA = [claim for claim in claims.claims() if Ruling(RULINGS[claim.id]).erratum]


@pytest.mark.parametrize("claim", ERRATA, ids=lambda claim: claim.id)
def test_every_erratum_quotes_the_document_and_is_confirmed_by_a_short_script(claim):
    assert claim.quote
    tree = ast.parse(claim.script)
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported <= {"fractions", "math", "itertools"}
    assert not any(isinstance(node, ast.Import) or (isinstance(node, ast.Constant) and isinstance(node.value, float))
                   for node in ast.walk(tree))  # fmt: skip
    code = [line for line in claim.script.splitlines() if line.strip() and not line.startswith("from ")]
    assert code[-1].strip().startswith("assert ")
    assert len(code) <= 9
    exec(compile(tree, claim.id, "exec"), {})


def test_no_script_and_no_quotation_stands_beside_a_claim_that_is_right():
    beside = [claim.id for claim in claims.claims() if (claim.script or claim.quote) and claim not in ERRATA]
    assert not beside


def test_what_the_document_asks_to_ignore_is_said_beside_its_errata():
    after = [claim for claim in claims.claims(document="K16") if claim.id.startswith(("K16-7.", "K16-8."))]
    assert all("IGNORE BELOW THIS POINT" in claim.note for claim in after)
    assert len(after) == 30
