"""Tables from files: the same rows, whatever the format, and what is wrong in a file."""

import json
import time
from itertools import pairwise

import pytest
import yaml

import dpcalc as dp
from dpcalc.audits import reading
from dpcalc.audits.audit import EXAMPLE
from dpcalc.audits.reading import rows_of
from dpcalc.errors import DomainError

ROWS = [
    {"name": "coins", "mechanism": "binomial", "trials": "80", "probability": "0.5", "sensitivity": "1",
     "epsilon": "1", "delta": "1e-6", "neighbours": "replace"},
    {"name": "bits", "mechanism": "bits", "n": "50000", "q": "0.1", "epsilon": "0.1", "delta": "1e-6",
     "neighbours": "replace"},
]  # fmt: skip

#: A task of DAP whose clients flip bits, and how many reports its batches have at least.
TASK = {
    "min_batch_size": 100_000, "vdaf": {"type": "Prio3Histogram", "length": 16},
    "dp": {"bit_epsilon": 5, "epsilon": "0.317", "delta": "1e-9", "neighbours": "replace"},
}  # fmt: skip

#: In the form of the registry's deployments/apple_iconic_scenes_photo_selections_2023.yaml (3e9c812), shortened.
PHOTOS = """\
deployment:
  basic:
    name: Iconic scenes and photo sections for iOS apps
  dp_variant:
    variant_name: Pure DP
  privacy_loss:
    privacy_parameters:
      epsilon: 1.0
      delta: 1.5e-7
  deployment_model:
    model_name: Local
"""


def written(directory, name, text):
    path = directory / name
    path.write_text(text, encoding="utf-8")
    return path


def test_one_table_in_four_formats(tmp_path):
    columns = list({column: None for row in ROWS for column in row})
    lines = [",".join(columns), *(",".join(row.get(column, "") for column in columns) for row in ROWS)]
    tables = "".join(
        "[[promise]]\n" + "".join(f"{column} = {json.dumps(text)}\n" for column, text in row.items()) for row in ROWS
    )
    files = [
        written(tmp_path, "a.csv", "\ufeff" + "\n".join(lines)),
        written(tmp_path, "b.csv", "\n".join([lines[0].title(), *lines[1:]])),
        written(tmp_path, "a.json", json.dumps(ROWS)),
        written(tmp_path, "b.json", json.dumps({"promise": ROWS})),
        written(tmp_path, "a.toml", tables),
        written(tmp_path, "a.yaml", json.dumps(ROWS)),
    ]
    for file in files:
        assert rows_of(str(file)) == ROWS
    assert rows_of(ROWS) == ROWS


def test_numbers_of_a_file_are_read_as_they_are_written(tmp_path):
    for name, text in {
        "a.json": '[{"q": 0.1, "n": 3}]', "a.toml": "[[promise]]\nq = 0.1\nn = 3", "a.yaml": "[{q: 0.1, n: 3}]"
    }.items():  # fmt: skip
        (row,) = rows_of(written(tmp_path, name, text))
        assert (row["q"], str(row["n"])) == ("0.1", "3")


def test_a_data_frame_is_a_table_and_its_empty_cells_are_left_out():
    pandas = pytest.importorskip("pandas")
    assert rows_of(pandas.DataFrame(ROWS)) == ROWS


def test_a_task_of_dap_is_judged_by_its_smallest_batch(tmp_path):
    (row,) = rows_of(written(tmp_path, "task.json", json.dumps(TASK)))
    assert (row["mechanism"], row["n"], row["categories"]) == ("histogram", 100_000, 16)
    counts = {**TASK, "vdaf": {"type": "Prio3Count"}, "dp": {**TASK["dp"], "epsilon": "0.21"}}
    found = dp.audit(written(tmp_path, "small.json", json.dumps({**counts, "min_batch_size": 10_000}))).rows[0]
    assert found.word == "broken"
    fewest = found.rooms["n"].value
    enough = dp.audit(written(tmp_path, "enough.json", json.dumps({**counts, "min_batch_size": int(fewest)}))).rows[0]
    assert enough.word == "kept"


def test_a_vdaf_that_is_not_known_is_named(tmp_path):
    task = {**TASK, "vdaf": {"type": "Prio3Sum", "bits": 8}}
    found = dp.audit(written(tmp_path, "task.json", json.dumps(task))).rows[0]
    assert found.why.startswith("row 1: mechanism = 'Prio3Sum' is not allowed: give one of bits, ")


def test_an_entry_of_the_registry_that_contradicts_itself(tmp_path):
    (row,) = rows_of(written(tmp_path, "photos.yaml", PHOTOS))
    assert row == {
        "name": "Iconic scenes and photo sections for iOS apps", "epsilon": "1.0", "delta": "1.5e-7",
        "model": "local", "variant": "pure",
    }  # fmt: skip
    found = dp.audit(tmp_path / "photos.yaml").rows[0]
    assert found.why == (
        "row 1: delta = '1.5e-7' is not allowed: give 0, or variant = approximate: "
        "pure differential privacy has no delta"
    )


def test_an_entry_says_in_a_table_of_its_own_what_noise_was_added(tmp_path):
    described = PHOTOS.replace("Pure DP", "Approximate DP").replace("Local", "Central")
    bare = dp.audit(written(tmp_path, "bare.yaml", described)).rows[0]
    assert bare.why.startswith("row 1: mechanism is missing: give one of bits, ")
    more = described + "dpcalc: {mechanism: bits, n: 150000, q: 2.68e-4, neighbours: replace, unit: user}\n"
    assert dp.audit(written(tmp_path, "more.yaml", more)).rows[0].word == "kept"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.csv", "n,n\n1,2", "each column once"),
        ("a.csv", "n,q\n1", "2 cells, as the heading has"),
        ("a.csv", 'n,q\n"1', "a CSV file"),
        ("a.csv", "n;q\n1;0,1", "commas between them"),
        ("a.csv", "n,q\n", "a row at least"),
        ("a.json", "{", "a JSON file"),
        ("a.json", "[" * 100_000, "a JSON file"),
        ("a.json", "3", "a list of rows"),
        ("a.json", '{"rows": []}', 'an object with "promise"'),
        ("a.json", '{"vdaf": 3}', "an object"),
        ("a.json", "{}", "an empty object"),
        ("a.json", '[{"n": 1, "q": 1, "n": 2}]', "n stands twice"),
        ("a.json", '[{"n": 1}, 3]', "table, row 2 = 3"),
        ("a.yaml", "- n: 1\n  n: 2", "n stands twice"),
        ("a.toml", "n =", "a TOML file"),
        ("a.yaml", "a: [", "a YAML file"),
        ("a.yaml", "[" * 100_000, "a YAML file"),
        ("a.yaml", "- a: " + "[" * 30 + "]" * 30, "20 inside one another"),
        ("a.yaml", "- n: 1\n---\n- n: 2", "2 documents; one is read"),
        ("a.yaml", "- [a]: 1", "a key that is no text"),
        ("a.yaml", "- &a n: 1\n- *a", "an alias"),
        ("a.yaml", "", "a table with a row at least"),
        ("a.txt", "n", "ending in"),
    ],
)
def test_a_file_that_is_no_table_is_refused_in_one_line(tmp_path, name, text, said):
    with pytest.raises(DomainError) as refusal:
        dp.audit(written(tmp_path, name, text))
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_the_example_has_every_verdict(tmp_path):
    found = dp.audit(written(tmp_path, "example.csv", EXAMPLE))
    assert all(found.counts.values())


#: Nine levels of aliases: 9^9 values in 500 bytes.
BOMB = "a: &a [" + ", ".join(["lol"] * 9) + "]\n" + "".join(
    f"{there}: &{there} [{', '.join([f'*{here}'] * 9)}]\n" for here, there in pairwise("abcdefgh")
) + "promise: [*h]\n"  # fmt: skip


@pytest.fixture(params=["libyaml", "Python"])
def parser(request, monkeypatch):
    """Both parsers that PyYAML may have."""
    if request.param == "Python":
        monkeypatch.delattr(yaml, "CBaseLoader", raising=False)
    elif not hasattr(yaml, "CBaseLoader"):
        pytest.skip("PyYAML has no libyaml here")


@pytest.mark.usefixtures("parser")
def test_aliases_are_refused_before_they_are_followed(tmp_path):
    file = written(tmp_path, "bomb.yaml", BOMB)
    assert file.stat().st_size < 501
    start = time.process_time()
    with pytest.raises(DomainError, match="an alias"):
        dp.audit(file)
    assert time.process_time() - start < 0.5


@pytest.mark.usefixtures("parser")
def test_yaml_has_the_rows_that_json_has(tmp_path):
    texts = ["- {a: 1, b: [x, 2.50, null], c: {d: yes}}\n-\n  e: |\n    two\n    lines\n", "", "# nothing\n", "[]"]
    for text in texts:
        assert reading._yaml(text) == yaml.load(text, Loader=yaml.BaseLoader)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.json", json.dumps([["1"] * 150_000]), "table, row 1 = ['1', '1', "),
        ("a.yaml", "- [" + "1," * 150_000 + "]", "table, row 1 = ['1', '1', "),
        ("a.toml", "promise = [[" + "1," * 150_000 + "]]", "table, row 1 = [1, 1, "),
        ("a.json", "[{" + ", ".join(f'"{i}": 1' for i in [*range(60_000), 59_999]) + "}]", "59999 stands twice"),
        ("a.csv", ",".join(map(str, [*range(60_000), 59_999])), "'59999' is not allowed: give each column once"),
        ("a.json", json.dumps({"promise": [], "x" * 10**6: 1}), "a table with a row at least"),
        ("a.json", json.dumps({"x" * 10**6: 1}), "'xxxxx"),
    ],
    ids=range(7),
)
def test_a_long_file_is_refused_at_once_in_a_short_line(tmp_path, name, text, said):
    file = written(tmp_path, name, text)
    start = time.process_time()
    with pytest.raises(DomainError) as refusal:
        dp.audit(file)
    assert said in str(refusal.value)
    assert len(str(refusal.value)) < 500
    assert time.process_time() - start < 2


def test_a_yaml_file_has_only_so_many_values(tmp_path, monkeypatch):
    file = written(tmp_path, "a.yaml", "- " + "\n- ".join(["{a: 1}"] * 20))
    assert len(rows_of(file)) == 20
    monkeypatch.setattr(reading, "_MOST_EVENTS", 80)
    with pytest.raises(DomainError, match="more than 80 values"):
        rows_of(file)


@pytest.mark.parametrize(
    "cells",
    [{"weights": " ".join(["1"] * 20_000)}, {"mechanism": "binomial", "copies": 3_000}],
    ids=["weights", "copies"],
)
def test_a_row_of_many_weights_or_copies_takes_no_time(cells):
    row = {**ROWS[0], "mechanism": "listed noise", **cells}
    left_out = ("trials", "probability") if "weights" in cells else ()
    start = time.process_time()
    assert dp.audit([{name: row[name] for name in row if name not in left_out}]).rows[0].delta is not None
    assert time.process_time() - start < 6


def test_the_name_of_a_column_is_cut_and_escaped(tmp_path):
    rows = [{**ROWS[0], "a\n2. b: kept" + "x" * 10**6: 1}]
    why = dp.audit(written(tmp_path, "a.json", json.dumps(rows))).rows[0].why
    assert why.startswith(r"row 1: a\n2. b: keptxxx")
    assert len(why) < 500
