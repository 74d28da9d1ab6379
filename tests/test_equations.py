"""The book's index of equations: each has a verdict, a section of a notebook, and a call that runs."""

import ast
import re
from pathlib import Path

import pytest

import dpcalc
from dpcalc import claims
from dpcalc.notes.claims.report import details
from notebooks import tables

BOOK = Path(__file__).parents[1] / "notebooks"

LEDGER = {claim.id: claim for claim in claims.run()}
CALLS = {name: claim.call for name, claim in LEDGER.items() if claim.call}
#: As many in each section of K16; KTEX labels five; LOC tags the lines of three proofs.
NUMBERED = [
    *(f"K16-{section}.{i}" for section, last in {4: 55, 5: 24, 6: 11, 7: 21, 8: 9}.items() for i in range(1, last + 1)),
    *(f"KTEX-{label}" for label in ("dpdef", "P1", "dpcnt", "Adist", "prcond")),
    *(f"LOC-{label}" for label in ("L1.1", "L2.1", "L2.2", "L2.3", "L3.1", "L3.2", "L3.3")),
]
EMPTY = {"K16-4.25", "K16-7.9", "K16-8.9"}  # a number beside no equation


def test_every_numbered_equation_can_be_computed_and_is_treated_in_a_notebook():
    """Those of K16 in the symbolic one, save intervals, which are numbers."""
    elsewhere = {f"K16-4.{i}" for i in range(52, 56)}
    for name in NUMBERED:
        claim = LEDGER[name]
        assert bool(claim.call) == (name not in EMPTY), name
        treated = tables.treated(claim)
        assert treated is not None, name
        if name.startswith("K16-"):
            assert treated.notebook[:2] == ("02" if name in elsewhere else "03"), name


def test_every_formula_of_the_documents_can_be_computed():
    """Whoever holds a document reads formulas without a number, too; an empty line has none."""
    formulas = {name for name, claim in LEDGER.items() if re.search("[=<>]", claim.statement)}
    assert {name for name in formulas if not LEDGER[name].call} == set()
    assert len(formulas) > 200


@pytest.mark.parametrize("call", sorted(set(CALLS.values())))
def test_every_call_runs_and_uses_public_names_only(call):
    attributes = (node for node in ast.walk(ast.parse(call)) if isinstance(node, ast.Attribute))
    names = {node.attr for node in attributes if isinstance(node.value, ast.Name) and node.value.id == "dp"}
    assert names <= set(dpcalc.__all__)
    assert eval(call, {"dp": dpcalc}) is not None


def test_a_call_is_told_with_its_claim():
    [verdict] = claims.run("K16-4.45")
    assert verdict.to_dict()["call"] == CALLS["K16-4.45"]
    assert CALLS["K16-4.45"] in details([verdict])


def test_the_anchors_are_those_of_the_book():
    """A formula in a heading would be left out of its anchor there."""
    for claim in LEDGER.values():
        section = tables.treated(claim)
        if section is not None:
            assert "$" not in section.title
            assert (BOOK / f"{section.notebook}.ipynb").exists()


def test_a_range_names_all_that_lie_in_it():
    assert tables.named("(5.14) to (5.17), K16-s4.3-5e-53.") == {"5.14", "5.15", "5.16", "5.17", "K16-s4.3-5e-53"}
    assert tables.named("(eq:Adist) and (1.5)") == {"eq:Adist"}


def test_the_page_has_every_claim():
    page = (BOOK / "about" / "documents.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `((?:K16|KTEX|DW|LOC|EC)-[^`]*)`", page, re.MULTILINE) == list(LEDGER)
