import pandas
import pytest

from dpcalc.errors import DomainError
from dpcalc.notes.anonymized.class_counts import class_counts

ROWS = [
    {"age": "2*", "zip": "476**", "ill": "flu"},
    {"age": "2*", "zip": "476**", "ill": "ulcer"},
    {"age": ">40", "zip": "479**", "ill": "flu"},
    {"age": ">40", "zip": "479**", "ill": "flu"},
]
QUASI = ["age", "zip"]


def write(path, text):
    path.write_text(text, encoding="utf-8", newline="")
    return path


def as_csv(rows):
    lines = [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]
    return "\n".join(lines) + "\n"


def test_one_table_in_every_form(tmp_path):
    expected = {("2*", "476**"): {"flu": 1, "ulcer": 1}, (">40", "479**"): {"flu": 2}}
    path = write(tmp_path / "t.csv", as_csv(ROWS))
    with_mark = write(tmp_path / "bom.csv", "\ufeff" + as_csv(ROWS).replace("\n", "\r\n\r\n"))
    for table in (ROWS, iter(ROWS), pandas.DataFrame(ROWS), path, str(path), with_mark):
        assert class_counts(table, quasi=QUASI, sensitive="ill") == expected
    assert list(class_counts(ROWS, quasi="age", sensitive="ill")) == [("2*",), (">40",)]


def test_quoted_fields(tmp_path):
    path = write(tmp_path / "t.csv", 'age,ill\n"20, or so","a ""bad"" flu"\n')
    assert class_counts(path, quasi="age", sensitive="ill") == {("20, or so",): {'a "bad" flu': 1}}


BAD_FILES = {
    "empty file": (b"", "header line; this file is empty"),
    "only a header": (b"age,ill\n", "at least one row"),
    "ragged": (b"age,ill\n20,flu\n30\n", "rows of 2 fields; row 2 (line 3) has 1"),
    "too long a row": (b"age,ill\n20,flu,x\n", "rows of 2 fields; row 1 (line 2) has 3"),
    "no such column": (b"age;ill\n20;flu\n", "quasi = 'age' is not allowed: give a column of the table"),
    "no sensitive column": (b"age,pay\n20,9\n", "sensitive = 'ill' is not allowed: give a column of the table"),
    "column twice": (b"age,age,ill\n20,20,flu\n", "has it more than once"),
    "latin-1": (b"age,ill\n20,flu\n30,gr\xfcn\n", "line 3 has the byte 0xfc at place 6"),
    "cut character": (b"age,ill\n20,gr\xc3", "line 2 has the byte 0xc3"),
    "open quote": (b'age,ill\n20,"flu\n', "a CSV file; after row 0"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_files_name_what_is_wrong(tmp_path, name):
    content, message = BAD_FILES[name]
    path = tmp_path / "bad.csv"
    path.write_bytes(content)
    with pytest.raises(DomainError) as caught:
        class_counts(path, quasi="age", sensitive="ill")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    if not str(caught.value).startswith(("quasi", "sensitive")):
        assert "bad.csv" in str(caught.value)


def test_files_that_cannot_be_read(tmp_path):
    for path in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(DomainError, match="a file that can be read"):
            class_counts(path, quasi="age", sensitive="ill")


BAD_TABLES = [
    ([], "at least one row"),
    (7, "a DataFrame, an iterable of mappings"),
    ([{"age": 1, "ill": 2}, {"age": 1}], "row 2 has only age"),
    ([[1, 2]], "row 1 is none"),
    ([{"age": [1], "ill": 2}], "hashable value; row 1"),
    ([{"age": 1, "ill": 2}, {"age": float("nan"), "ill": 2}], "'age' is not allowed: give a column without missing"),
    ([{"age": 1, "ill": None}], "without missing values; row 1 has one"),
    (
        pandas.DataFrame({"age": [1, 1], "ill": pandas.array([2, None], dtype="Int64")}),
        "without missing values; row 2 has one",
    ),
    (pandas.DataFrame([{"age": 1, "pay": 2}]), "the frame has only age, pay"),
    (pandas.DataFrame([[1, 1, 2]], columns=["age", "age", "ill"]), "the frame has it more than once"),
    (pandas.DataFrame({"age": [], "ill": []}), "at least one row"),
]


@pytest.mark.parametrize(("table", "message"), BAD_TABLES)
def test_bad_tables_name_what_is_wrong(table, message):
    with pytest.raises(DomainError) as caught:
        class_counts(table, quasi=["age"], sensitive="ill")
    assert message in str(caught.value)
