"""What the proof notes call machine-checked is a theorem of notebooks/formal that is looked at for axioms."""

import re
import tomllib
from pathlib import Path

from notebooks import pin_proofs

BOOK = Path(__file__).parents[1] / "notebooks"
FORMAL = BOOK / "formal"
SOURCES = {path.stem: path.read_text("utf-8") for path in FORMAL.glob("*.v")}
AUDITED = re.findall(r"^Print Assumptions (\w+)\.$", SOURCES["audit"], re.M)
MARK = re.compile(r"^\*Machine-checked\* \(\[how\]\(formal/index\.md\)\)(.*)$", re.M)


def marks():
    """The theorems named in the proof notes, as file and name."""
    lines = [line for path in BOOK.glob("proof*.md") for line in MARK.findall(path.read_text("utf-8"))]
    found = [re.findall(r"`(\w+)\.(\w+)`", line) for line in lines]
    assert all(found)
    return [one for names in found for one in names]


def stated(name, file):
    return re.search(rf"^(?:Theorem|Lemma) {name}\b", SOURCES[file], re.M) is not None


def test_every_mark_is_a_theorem():
    assert len(marks()) >= 8
    assert [one for one in marks() if not stated(one[1], one[0]) or one[1] not in AUDITED] == []


def test_what_the_program_calls_machine_checked_is_marked_so():
    """Of the statement above the mark, or of none: then it is no theorem with a label."""
    marked = {}
    for path in BOOK.glob("proof*.md"):
        text = path.read_text("utf-8")
        for mark in MARK.finditer(text):
            above = re.findall(r"^\*\*.*", text[: mark.start()], re.M)[-1]
            if label := pin_proofs._STATEMENT.match(above):
                marked[label[1]] = [f"{file}.{name}" for file, name in re.findall(r"`(\w+)\.(\w+)`", mark[1])]
    known = tomllib.loads(pin_proofs.PINS.read_text("utf-8"))
    assert marked == {label: one["machine_checked"] for label, one in known.items() if "machine_checked" in one}


def test_every_sentence_that_claims_it_has_the_form_of_a_mark():
    for path in BOOK.glob("proof*.md"):
        text = path.read_text("utf-8")
        assert text.count("*Machine-checked*") == len(MARK.findall(text))


def test_everything_audited_is_a_theorem():
    imported = re.search(r"From dpcalc Require Import ([\w ]+)\.", SOURCES["audit"])[1].split()
    assert len(set(AUDITED)) == len(AUDITED)
    assert [name for name in AUDITED if not any(stated(name, file) for file in imported)] == []


def test_nothing_is_left_unproven():
    gaps = re.compile(r"\b(Admitted|admit|Axiom|Axioms|Parameter|Conjecture|Abort|Unset Guard Checking|bypass_check)\b")
    assert {name: gaps.findall(text) for name, text in SOURCES.items() if gaps.search(text)} == {}


def test_the_makefile_compiles_all_of_them():
    theory = re.search(r"^THEORY = (.*)$", (FORMAL / "Makefile").read_text("utf-8"), re.M)[1].split()
    assert sorted([*theory, "audit", "extract"]) == sorted(SOURCES)
