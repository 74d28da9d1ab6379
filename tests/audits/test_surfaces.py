"""What ``dpcalc audit`` prints and writes: statuses, certificates that the checker accepts, the page, the entries."""

import json
import re
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml

import dpcalc as dp
from dpcalc import check
from dpcalc.audits.audit import entries, page
from dpcalc.cli import main
from tests.certificates.test_check import number

COINS = {
    "name": "80 <coins>", "mechanism": "binomial", "trials": "80", "probability": "1/2", "sensitivity": "1",
    "epsilon": "1", "delta": "1e-6", "neighbours": "add-remove", "unit": "user",
}  # fmt: skip
BITS = {
    "name": "bits", "mechanism": "bits", "n": "1000", "q": "1/4", "epsilon": "0.2", "delta": "1e-6",
    "neighbours": "replace", "unit": "user", "model": "shuffle",
}  # fmt: skip
BROKEN = {**BITS, "name": "too small", "epsilon": "0.1"}
ABSENT = {**BITS, "name": "one of many", "epsilon": "0.2", "mechanism": "histogram", "categories": "8",
          "neighbours": "delete"}  # fmt: skip
MISSING = {**BITS, "name": "no n", "n": ""}


def asked(tmp_path, capsys, rows, *options):
    """Status, output, and what was complained of."""
    table = tmp_path / "promises.json"
    table.write_text(json.dumps(rows), encoding="utf-8")
    status = main(["audit", str(table), *options])
    return status, *capsys.readouterr()


@pytest.mark.parametrize(
    ("rows", "status"), [([COINS, BITS], 0), ([COINS, BROKEN], 1), ([COINS, MISSING], 5), ([BROKEN, MISSING], 1)]
)
def test_the_status_is_that_of_the_worst_verdict(tmp_path, capsys, rows, status):
    assert asked(tmp_path, capsys, rows)[0] == status


def test_bad_input_is_one_line(tmp_path, capsys):
    assert main(["audit", str(tmp_path / "none.csv")]) == 2
    said = capsys.readouterr().err
    assert re.fullmatch(r"dpcalc audit: table = .* is not allowed: give a file that can be read \(.*\)\n", said)
    assert main(["audit"]) == 2
    assert "table is missing" in capsys.readouterr().err


def test_json_has_every_verdict_with_its_proof(tmp_path, capsys):
    _, out, _ = asked(tmp_path, capsys, [COINS, BROKEN, MISSING], "--json")
    document = json.loads(out)
    assert document["counts"] == {"kept": 1, "loose": 0, "broken": 1, "cannot be judged": 1}
    kept, broken, missing = document["promises"]
    assert float(kept["delta"]["value" if "value" in kept["delta"] else "upper"]) <= 1e-6
    assert float(broken["delta"]["lower"]) > 1e-6
    assert broken["attained"] == dp.audit([BROKEN]).to_dict()["promises"][0]["attained"] != []
    assert "delta" not in missing
    assert missing["why"].startswith("row 3: n is missing")


@pytest.mark.soak
def test_a_verdict_has_a_certificate_of_its_own_side_where_the_checker_knows_one(tmp_path, capsys):
    proofs = tmp_path / "proofs"
    rows = [COINS, BITS, BROKEN, ABSENT, MISSING]
    _, out, _ = asked(tmp_path, capsys, rows, "--certificates", str(proofs))
    files = {int(path.stem.partition("-")[2]): path for path in proofs.iterdir()}
    assert {2, 3, 4} <= set(files) <= {1, 2, 3, 4}  # noise, once the checker knows it
    assert f"certificates: {proofs}\n{len(files)} of " in out
    assert "none for row 5: not judged" in out
    for row, path in files.items():
        accepted, said = check.examined(path.read_bytes())
        assert accepted, said
        answer = json.loads(path.read_text(encoding="utf-8"))["answer"]
        promised = Fraction("1e-6")
        assert number(answer["lower"]) > promised if row == 3 else number(answer["upper"]) <= promised


def test_a_directory_that_cannot_be_made_is_named(tmp_path, capsys):
    (tmp_path / "file").write_text("", encoding="utf-8")
    status, _, said = asked(tmp_path, capsys, [COINS], "--certificates", str(tmp_path / "file" / "proofs"))
    assert status == 2
    assert "certificates = " in said


class Text(HTMLParser):
    """The text, the identifiers and the links of a page."""

    def __init__(self, content):
        super().__init__()
        self.text, self.ids, self.links = [], [], []
        self.feed(content)

    def handle_starttag(self, tag, attributes):
        self.ids += [value for name, value in attributes if name == "id"]
        self.links += [value for name, value in attributes if name in ("href", "src")]

    def handle_data(self, data):
        self.text.append(data)


def test_the_page_has_all_that_the_text_has_and_loads_nothing(tmp_path, capsys):
    target = tmp_path / "review.html"
    _, out, _ = asked(tmp_path, capsys, [COINS, BROKEN, MISSING], "--html", str(target))
    found = dp.audit([COINS, BROKEN, MISSING])
    content = target.read_text(encoding="utf-8")
    assert content == page(found)
    read = Text(content)
    assert found.summary in read.text
    for row in found.rows:
        assert {row.name, row.title} <= set(read.text)
        assert set(row.lines()) <= set(read.text)
    assert read.links == ["#row-1", "#row-2", "#row-3"]
    assert {link[1:] for link in read.links} <= set(read.ids)
    assert f"html: {target}" in out


def test_an_entry_promises_what_is_proven(tmp_path, capsys):
    _, out, _ = asked(tmp_path, capsys, [COINS, BROKEN, MISSING], "--entry")
    kept, broken, missing = yaml.safe_load_all(out)
    assert kept["deployment"]["basic"]["name"] == "80 <coins>"
    assert kept["deployment"]["privacy_loss"]["privacy_parameters"] == {"epsilon": 1, "delta": "1e-6"}
    assert broken["deployment"]["deployment_model"]["model_name"] == "Shuffle"
    stated = broken["deployment"]["privacy_loss"]["privacy_parameters"]
    assert dp.audit([{**BROKEN, **stated}]).rows[0].word == "kept"
    assert missing is None
    assert "# no n: row 3: n is missing" in out


def test_an_entry_is_read_again(tmp_path):
    """The registry's form, with the mechanism in a table of its own, gives the verdict of the row."""
    again = tmp_path / "entry.yaml"
    described = {name: BITS[name] for name in ("mechanism", "n", "q", "neighbours")}
    again.write_text(entries(dp.audit([BITS])) + f"\ndpcalc: {json.dumps(described)}\n", encoding="utf-8")
    assert dp.audit(again).rows[0].to_dict() == dp.audit([BITS]).rows[0].to_dict()


def test_the_template_is_a_table(tmp_path, capsys):
    assert main(["audit", "--template"]) == 0
    Path(tmp_path / "promises.csv").write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["audit", str(tmp_path / "promises.csv")]) == 1


@pytest.mark.parametrize(("row", "other"), [(BITS, "1e-12"), (BROKEN, "1/2")])
@pytest.mark.soak
def test_a_certificate_that_does_not_show_the_verdict_is_none(row, other):
    """As where its ends had to be moved outward, beyond the promised delta."""
    found = dp.audit([row]).rows[0]
    assert not isinstance(found.certificate(), str)
    less = replace(found, promised=replace(found.promised, delta=Fraction(other))).certificate()
    assert less.endswith(" can be certified, which is not enough")


#: Names that would forge a line, a verdict, an entry, a tag or a direction.
FORGED = [
    "coins: kept\n\n2. dice: kept", "a\r\n2. b: kept", "a\x0b\x0c\x1c\x1d\x1e\x85b", "a\u2028b\u2029c",
    "\n---\ndeployment:\n  privacy_loss:\n    privacy_parameters:\n      epsilon: 0.001\n", "# a", "a: {b: [",
    '"\nepsilon: 0.001\n"', "'", '"', "\\", "\\n", "\\u0041", "&a [*a]", "!!python/object/apply:os.system [ls]",
    "%YAML 1.1", "---", "...", "- a", "? a", "| a", "> a", "@a", "`a`", "null", "1e3", "<<", "\tx",
    "\u202etpek :a", "\u2066a\u2069", "\u200ea\u061c", "\ufeff\u200b\u2060", "\U000e0041", "\x1b[31mred", "\x00",
    "\x7f\x9b", "\ud800", "\ufffe", "\U0001f642 é", "</li></ul><h3>2. b: kept</h3><script>", "&lt;b&gt; &#10;",
    "x" * 10**6, "\n" * 10**6,
]  # fmt: skip


def shape(document):
    """Its keys and values, without the names."""
    if isinstance(document, dict):
        return {key: shape(value) for key, value in document.items() if key != "name"}
    return document


@pytest.fixture(scope="module")
def plain():
    """Two rows with plain names."""
    return dp.audit([{**COINS, "name": "plain", "source": "s", "note": "n"}, {**MISSING, "name": "plain"}])


class Tags(HTMLParser):
    """The tags of a page."""

    def __init__(self, content):
        super().__init__()
        self.tags = []
        self.feed(content)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, attributes))


@pytest.mark.parametrize("name", FORGED, ids=lambda name: ascii(name)[1:21])
def test_no_name_forges_a_line_a_verdict_an_entry_or_a_tag(name, plain, tmp_path):
    rows = [{**COINS, "name": name, "source": name, "note": name}, {**MISSING, "name": name}]
    table = tmp_path / "promises.json"
    table.write_text(json.dumps(rows), encoding="utf-8")
    found = dp.audit(table)

    text, usual = str(found).split("\n"), str(plain).split("\n")
    assert len(text) == len(usual) or not name.strip()  # an empty name is none
    assert all(line.isprintable() and len(line) < 5000 for line in text)
    assert [line for line in text if line.startswith(("1. ", "2. "))] == [text[2], text[-2]]
    assert (text[2][-6:], text[-2][-18:]) == (": kept", ": cannot be judged")

    written = entries(found)
    kept, missing = yaml.safe_load_all(written)
    assert kept["deployment"]["basic"] == {"name": found.rows[0].name}
    assert shape(kept) == shape(next(yaml.safe_load_all(entries(plain))))
    assert missing is None
    assert len(written.split("\n")) == len(entries(plain).split("\n"))

    content = page(found)
    content.encode("utf-8")
    assert all(line.isprintable() for line in content.split("\n"))
    if name.strip():
        assert Tags(content).tags == Tags(page(plain)).tags
    assert {row["verdict"] for row in json.loads(json.dumps(found.to_dict()))["promises"]} == {
        "kept",
        "cannot be judged",
    }


@pytest.mark.parametrize("weights", ["1 2\n1", "1\u20282 1", ["1", "2", "1"]])
def test_a_parameter_is_one_line_too(weights):
    row = {"mechanism": "listed noise", "weights": weights, "sensitivity": 1, "epsilon": 1, "delta": "1/2"}
    (found,) = dp.audit([row]).rows
    assert found.word != "cannot be judged"
    assert all(line.isprintable() for line in found.lines())


def test_it_says_of_each_row_why_it_has_no_certificate(tmp_path, capsys):
    histogram = {**COINS, "probability": "1/5", "trials": "300", "counts": "2", "neighbours": "replace"}
    proofs, rows = tmp_path / "proofs", [MISSING, histogram]
    _, out, _ = asked(tmp_path, capsys, rows, "--certificates", str(proofs))
    *_, place, first, one, two = out.splitlines()
    assert (place, first) == (f"certificates: {proofs}", "0 of 2 written")
    assert one.startswith("none for row 1: not judged: row 1: n is missing")
    assert two.startswith("none for row 2: there is none of binomial: trials = 300, ")
    assert list(proofs.iterdir()) == []
    _, out, said = asked(tmp_path, capsys, rows, "--json", "--certificates", str(proofs))
    json.loads(out)
    assert said.splitlines() == [f"dpcalc audit: {line}" for line in (place, first, one, two)]
