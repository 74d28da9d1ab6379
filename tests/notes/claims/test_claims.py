"""Every claim of the documents has an ID, a verdict that is pinned; a claim is found by what a reader knows of it."""

import random
import re
from pathlib import Path

import nbformat
import pytest

from dpcalc import claims
from dpcalc.notes.claims.claim import Known, Ruling
from dpcalc.notes.claims.report import details

#: (ID, ruling, how it is known): the IDs were written from the documents' text.
LISTED = [
    tuple(cell.strip() for cell in line.split(" | "))
    for line in (Path(__file__).parents[2] / "data" / "claims.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def test_the_ledger_is_the_list_of_the_documents_labels_with_their_verdicts():
    assert [(claim.id, claim.ruling.value, claim.known.value) for claim in claims.run()] == LISTED


def test_a_verdict_is_said_with_what_it_needs():
    for claim in claims.run():
        assert all((claim.where, claim.statement, claim.why)), claim.id
        assert bool(claim.quote) == bool(claim.weight) == claim.ruling.erratum, claim.id
        assert claim.witness or not claim.ruling.erratum, claim.id
        assert claim.over or claim.ruling is not Ruling.ONLY_FOR, claim.id
        if claim.known is Known.IDENTITY:  # for all values: not found by going through cases
            assert not claim.tested, claim.id
        if claim.known in (Known.ARGUED, Known.EXHAUSTED):  # prints the range
            assert claim.tested.endswith(("case)", "cases)")), claim.id


@pytest.mark.parametrize(("heading", "column"), [("| | proven |", 1), ("| | identity |", 2)])
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


ERRATA = [claim for claim in claims.run() if claim.ruling.erratum]


def test_repetitions_refer_to_a_row_that_is_none():
    repeated = [claim for claim in claims.run() if claim.same_as]
    assert len(repeated) > 9
    for claim in repeated:
        [earlier] = claims.run(claim.same_as)
        assert not earlier.same_as
        assert (claim.ruling, claim.known, claim.verified) == (earlier.ruling, earlier.known, earlier.verified)


@pytest.mark.parametrize(
    ("words", "first", "count"),
    [("(5.9)", "K16-5.9", 1), ("5.9", "K16-5.9", 1), ("k16-5.9", "K16-5.9", 1), ("eq:adist", "KTEX-Adist", 1),
     ("K16-5", "K16-s5.2-window", 40), ("window", "K16-s5.2-window", None), ("lemma 1", "LOC-L1-r-upper", None)],
)  # fmt: skip
def test_a_claim_is_found_by_equation_section_lemma_or_word(words, first, count):
    found = claims.find(words)
    assert found[0].id == first
    assert len(found) == (count or len(found))
    assert [claim.weight for claim in found] == sorted((claim.weight for claim in found), reverse=True)


@pytest.mark.parametrize("drawn", random.Random(52).sample(claims.run(), 40), ids=lambda claim: claim.id)
def test_a_line_of_a_document_is_found_in_a_step_or_two(drawn):
    """By its own words, and by its equation's number or its place; then by its ID, with what shows the verdict."""
    number = re.match(r"\([\w:.]+\)", drawn.where)
    place = number[0] if number else re.split(r"[,;]", drawn.where)[0]
    for words in (drawn.words.replace('"', " "), place):
        found = claims.find(words, document=drawn.document)
        assert drawn in found
    [claim] = claims.find(drawn.id)
    told = details([claim])
    assert f": {claim.ruling.value} ({claim.known.value})" in told
    assert all(place in told for place in claim.shown)
    assert claim.shown or claim.ruling.value in ("vacuous", "not decided")
    page = (Path(__file__).parents[3] / "notebooks" / "about" / "documents.md").read_text(encoding="utf-8")
    [row] = [line for line in page.splitlines() if line.startswith(f"| `{claim.id}`<br>")]
    assert f"| {claim.ruling.value} ({claim.known.value}) |" in row
    assert claim.verified.rpartition("/")[2] in row


def test_what_matters_comes_first_and_slips_of_the_pen_last():
    chosen = sorted(ERRATA, key=lambda claim: -claim.weight)
    first, second, third = chosen[:3]
    assert [first.id, second.id, third.id] == ["K16-s5.2-window", "K16-s4.3-direction", "K16-s4.2-wlog"]
    assert "3.3 times" in first.exact
    assert "3.7 times" in second.exact
    strict = ("K16-4.5", "K16-4.6", "K16-5.5", "K16-5.13", "K16-5.21")
    assert {claim.weight for claim in claims.run(strict)} == {1}


def test_readme_and_the_notebook_say_it_in_the_same_order():
    folder = Path(__file__).parents[3]
    readme = " ".join((folder / "README.md").read_text(encoding="utf-8").split())
    assert "q is 3.3 times as large at k = 1, and with 1/R, which the definition limits too, 3.7 times" in readme
    summary = nbformat.read(folder / "notebooks" / "03_the_equations_in_symbols.ipynb", as_version=4).cells[0].source
    rows = [line for line in summary.splitlines() if line.startswith("|")][2:]
    named = [claims.run(re.findall(r"(?:K16|LOC)-[\w.-]*\w", row)) for row in rows]
    weights = [{claim.weight for claim in row} for row in named]
    assert [max(row) for row in weights] == sorted((max(row) for row in weights), reverse=True)
    assert all(len(row) == 1 for row in weights)
    assert [claim.id for claim in (named[0][0], named[1][0])] == ["K16-s5.2-window", "K16-s4.3-direction"]
    assert all(figure in row for figure, row in zip(("3.3 times", "3.7 times"), rows, strict=False))


def test_what_the_document_asks_to_ignore_is_said_beside_its_errata():
    after = [claim for claim in claims.run(document="K16") if claim.id.startswith(("K16-7.", "K16-8."))]
    assert all("IGNORE BELOW THIS POINT" in claim.note for claim in after)
    assert len(after) == 30
