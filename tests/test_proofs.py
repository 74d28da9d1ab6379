"""The proof notes: every citation leads to a statement, and every statement names the functions that rest on it."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from notebooks import pin_proofs

ROOT = Path(__file__).parents[1]
NOTES = sorted((ROOT / "notebooks").glob("proof*.md"))
CODE = sorted((ROOT / "dpcalc").rglob("*.py"))
CITING = [ROOT / "README.md", *CODE, *(path for kind in ("md", "ipynb", "js", "html") for path in
          sorted((ROOT / "notebooks").rglob(f"*.{kind}")))]  # fmt: skip
BARE = [ROOT / "dpcalc" / "check.py", ROOT / "notebooks" / "certificates.md"]

LABEL = r"(?:[ACLNS]\d{1,2}|\d{1,2}\.\d{1,2})"
MANY = r"{0}(?:(?:, (?:and )?| and | to ){0})*(?!\w|\.\d)"
CITATION = re.compile(r"[Pp]roof notes, (" + MANY.format(rf"(?:{LABEL}|\d+)") + ")")
IN_BRACKETS = re.compile(r"\((" + MANY.format(LABEL) + r")\)")
NAMED = re.compile(r"(?:Theorem|Lemma|Corollar)(?:s|y|ies)? (" + MANY.format(r"[ACLNS]?\d+(?:\.\d+)?") + ")")
PUBLISHED = re.compile(r"(K16|LOC|KTEX|DW|EC\b|\(?\d{4}\)?)[^;]{0,30}$")  # whose lemma it is
WING = ROOT / "dpcalc" / "notes"
ELSEWHERE = (WING / "barrier" / "lemmas.py",)  # about lemmas of documents
STALE = re.compile(
    r"MATH\.md|\bfacts? \d|proofs of (?:composition|noise|shuffling),? (?!hold)|[Pp]roof notes, [\"A-Z](?!\d)"
)


def text_of(path):
    """Its lines joined: comments and docstrings may break a citation."""
    return re.sub(r"\s*\n\s*(?:#|//)?\s*", " ", path.read_text("utf-8"))


def named(text):
    """Numbers of theorems and lemmas, but for published ones."""
    return [
        one[1] for one in NAMED.finditer(text) if not PUBLISHED.search(text[max(one.start() - 60, 0) : one.start()])
    ]


def labels(cited):
    """All labels of "C13, C17 to C21"."""
    found = []
    for first, last in re.findall(r"([\w.]*\d)(?: to ([\w.]*\d))?", cited):
        head, number = re.fullmatch(r"(.*?)(\d+)", first).groups()
        found += [f"{head}{i}" for i in range(int(number), int(last[len(head) :]) + 1)] if last else [first]
    return found


@pytest.fixture(scope="module")
def known():
    """Statements, and sections of the first page."""
    return {
        *pin_proofs.statements(),
        *re.findall(r"^## (\d+)\.", (ROOT / "notebooks" / "proof_notes.md").read_text(), re.M),
    }


def test_every_label_is_one_statement():
    assert [label for label, times in Counter(pin_proofs.statements()).items() if times > 1] == []


def test_every_citation_leads_to_a_statement(known):
    wrong = {}
    for path in CITING:
        text = text_of(path)
        cited = CITATION.findall(text) + (IN_BRACKETS.findall(text) if path in (*BARE, *NOTES) else [])
        cited += named(text) if path in NOTES else []
        wrong[path.name] = [label for one in cited for label in labels(one) if label not in known] + STALE.findall(text)
    assert {name: found for name, found in wrong.items() if found} == {}


def test_a_lemma_without_a_label_is_somebody_elses():
    of_ours = [path for path in CODE if not any(path.is_relative_to(one) for one in ELSEWHERE)]
    assert {path.name: found for path in of_ours if (found := named(text_of(path)))} == {}


def test_citations_are_found():
    """Of the code, of the checker, of the notes: none of the forms above is dead."""
    forms = [(CITATION, CODE, 40), (IN_BRACKETS, BARE[:1], 20), (IN_BRACKETS, BARE[1:], 4), (NAMED, NOTES, 100)]
    for form, paths, least in forms:
        assert sum(len(form.findall(text_of(path))) for path in paths) >= least
    assert labels("C13, C17 to C19 and 9.9 to 9.11") == ["C13", "C17", "C18", "C19", "9.9", "9.10", "9.11"]
    for wrong in ("MATH.md", "fact 9", 'proof notes, "Composition"', "proofs of noise, "):
        assert STALE.search(wrong)


def test_the_modules_named_are_there():
    names = {name for path in NOTES for name in re.findall(r"`((?:\w+/)*\w+\.py)`", path.read_text("utf-8"))}
    assert len(names) > 40
    assert [name for name in names if not [*ROOT.glob(name), *(ROOT / "dpcalc").rglob(name)]] == []


def test_every_statement_names_what_rests_on_it():
    pinned = pin_proofs.pinned(pin_proofs.PINS.read_text("utf-8"))
    assert list(pinned) == sorted(pin_proofs.statements(), key=_place)
    assert [label for label, functions in pinned.items() if not functions] == []


def _place(label):
    head, tail = re.fullmatch(r"([ACFLNST]?)(.*)", label).groups()
    return head, *map(int, tail.split("."))


def test_no_function_has_changed_since_its_proofs_were_read():
    """Read the statements named here again, then name them to notebooks/pin_proofs.py."""
    assert pin_proofs.changed(pin_proofs.pinned(pin_proofs.PINS.read_text("utf-8"))) == {}


SOURCE = '''
def bound(x: int) -> int:
    """At least x."""
    return x + 1  # one more
'''


PINNED = '"worst.on_circle.alias" = "0"\n'


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("At least x", "More than x", True),
        ("# one more", "", True),
        ("    return", "\n    return", True),
        ("x + 1", "(x + 1)", True),
        ("x + 1", "x + 2", False),
        ("x + 1", "x - 1", False),
        ("x + 1", "1 + x", False),
        ("return x", "x = 2 * x; return x", False),
        ("(x: int)", "(x: int = 1)", False),
        ('"""At least x."""', "pass", False),
    ],
)
def test_a_hash_is_of_what_is_done(old, new, same):
    assert old in SOURCE
    hashes = [pin_proofs.hash_of(ast.parse(text)) for text in (SOURCE, SOURCE.replace(old, new))]
    assert (hashes[0] == hashes[1]) == same


def test_functions_methods_and_constants_are_found():
    names = ["worst.on_circle.alias", "laws.fixed_point.LowerMasses.times", "numbers.rounding.UNIT", "check.log"]
    assert len({pin_proofs.fingerprint(name) for name in names} - {None}) == len(names)
    for gone in ("worst.on_circle.nothing", "counts.nothing.alias", "laws.fixed_point.LowerMasses.nothing", "alias"):
        assert pin_proofs.fingerprint(gone) is None


def test_what_changed_is_listed_and_pinned_by_its_statement(tmp_path, capsys):
    page = f'# Pins.\n["1.1"]\n{PINNED}\n["1.2"]\n"counts.gone" = "12"\n{PINNED}'
    now = f'"{pin_proofs.fingerprint("worst.on_circle.alias")}"'
    pins = tmp_path / "proofs.toml"
    pins.write_text(page)
    gone = "counts.gone is gone; name what took its place: read again 1.2"
    for read, listed, written in (
        ([], ["worst.on_circle.alias: read again 1.1, 1.2", gone], page),
        (["1.1"], ["worst.on_circle.alias: read again 1.2", gone], page.replace('"0"', now, 1)),
        (["1.2"], [gone], page.replace('"0"', now)),
    ):
        pin_proofs.main(read, pins)
        assert (sorted(capsys.readouterr().out.splitlines()), pins.read_text()) == (sorted(listed), written)
    with pytest.raises(SystemExit, match=r"^no statement has the label 9\.9$"):
        pin_proofs.main(["9.9"], pins)
