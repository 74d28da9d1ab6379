"""The ledger on the command line: a table, an errata list, details, JSON, and bad input."""

import json

import pytest

from dpcalc import claims
from dpcalc.cli import main
from dpcalc.errors import DomainError
from dpcalc.notes.claims.report import details, errata, summary, table


def test_the_table_has_a_line_for_each_and_fits_a_wide_terminal():
    verdicts = claims.run(["K16-4.45", "k16-5.12"])
    lines = table(verdicts).splitlines()
    assert [line.split()[0] for line in lines[1:3]] == ["K16-4.45", "K16-5.12"]
    assert lines[-2:] == summary(verdicts).splitlines()
    assert lines[-2:] == ["2 claims: 1 proven, 1 refuted", "how known: 1 identity, 1 computed"]
    assert max(map(len, lines)) <= 125


def test_the_errata_say_what_stands_there_what_is_true_and_why():
    text = errata(claims.run(["K16-4.45", "K16-5.13"], errata=True))
    assert "K16-4.45" not in text
    for part in ("holds only for", "only for  k >= 2", "quoted    R_s <", "tested", "witness", "why"):
        assert part in text
    assert errata([]) == "no errata"


def test_the_errata_list_refuted_in_part_and_corrected_apart():
    text = errata(claims.run(["K16-5.3", "K16-5.11", "K16-5.12", "K16-7.13"]))
    headings = ["Refuted: false, with a witness (1)", "True in part", "Corrected: misprints and slips (1)"]
    places = [text.index(heading) for heading in headings]
    assert places == sorted(places)
    assert places[0] < text.index("K16-5.12") < places[1] < text.index("K16-5.11") < places[2] < text.index("K16-5.3")
    assert "IGNORE BELOW THIS POINT" in text


def test_the_details_have_the_derivation_and_the_test():
    text = details(claims.run(["K16-5.12"]))
    assert "derivation" in text
    tests = "tests/notes/ledger/test_verdicts.py::test_"
    assert text.splitlines()[-2:] == ["what shows it", f"  {tests}verdict[K16-5.12]"]
    cell, erratum = details(claims.run(["K16-5.3"])).splitlines()[-2:]
    assert cell.startswith("  notebooks/03_the_equations_in_symbols.ipynb::")
    assert erratum == f"  {tests}erratum[K16-5.3]"


def test_the_command_line(capsys):
    assert main(["claims", "--document", "ec", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["inputs"] == {"command": "claims", "id": [], "document": "ec", "refuted": False}
    assert {verdict["document"] for verdict in document["claims"]} == {"EC"}
    keys = {"id", "where", "ruling", "known", "quote", "said", "exact", "witness"}
    assert all(set(verdict) >= keys for verdict in document["claims"])
    assert main(["claims", "K16-4.35", "K16-5.3", "K16-4.45", "--refuted"]) == 0
    assert capsys.readouterr().out.count(": corrected") == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing-such"], "a word of a claim, or an ID such as"),
        (["--document", "K17"], "one of K16, KTEX, DW, LOC, EC"),
        (["K16-4.45", "--document", "LOC"], "a word of a claim, or an ID such as"),
    ],
)
def test_bad_input_is_one_line(arguments, said, capsys):
    assert main(["claims", *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_bad_input_names_the_argument():
    with pytest.raises(DomainError) as refusal:
        claims.run(["nothing"])
    assert refusal.value.argument == "id"
