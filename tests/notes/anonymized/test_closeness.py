import json
import random
from fractions import Fraction

import pytest

from dpcalc.errors import DomainError, TooLarge
from dpcalc.notes.anonymized.closeness import closeness, n_closeness
from dpcalc.notes.anonymized.distance import DISTANCES
from tests.notes.anonymized.test_class_counts import QUASI, ROWS, write
from tests.oracles import closeness as oracle

F = Fraction
EVERY = sorted(DISTANCES)


def test_more_values_or_counts_than_the_limits_are_refused():
    rows = ({"age": 1, "ill": i} for i in range(100_001))
    with pytest.raises(TooLarge, match="100,001 distinct values"):
        closeness(rows, quasi="age", sensitive="ill", epsilon=1)
    rows = ({"age": i, "ill": i} for i in range(2_237))
    with pytest.raises(TooLarge, match="5,004,169 counts"):
        closeness(rows, quasi="age", sensitive="ill", epsilon=1)


def test_a_hundred_thousand_rows(tmp_path):
    rng = random.Random(1)
    lines = (f"{rng.randrange(50)},{rng.randrange(40)},{rng.randrange(12)}" for _ in range(100_000))
    path = write(tmp_path / "large.csv", "age,zip,ill\n" + "\n".join(lines))
    result = closeness(path, quasi=QUASI, sensitive="ill", epsilon="1/4", distance="earth-mover")
    assert result.rows == 100_000
    assert len(result.classes) == 2_000


def random_rows(rng, numerical):
    values = [rng.randrange(20) for _ in range(rng.randrange(2, 5))] if numerical else "abcd"
    return [
        {"a": rng.randrange(3), "b": rng.randrange(2), "s": rng.choice(values)} for _ in range(rng.randrange(1, 25))
    ]


@pytest.mark.parametrize("numerical", [True, False])
def test_the_worst_class_gives_the_t_of_t_closeness(numerical):
    rng = random.Random(2)
    distance = "earth-mover" if numerical else "variational"
    for _ in range(200):
        rows = random_rows(rng, numerical)
        t = oracle.t_closeness(rows, ["a", "b"], "s", numerical)
        question = {"quasi": ["a", "b"], "sensitive": "s", "distance": distance}
        result = closeness(rows, epsilon=t, **question)
        assert result.holds
        assert result.worst.distance == t
        assert not t or not closeness(rows, epsilon=t - F(1, 10**9), **question).holds


@pytest.mark.parametrize("distance", EVERY)
def test_classes_come_farthest_first_and_are_judged_one_by_one(distance):
    rng = random.Random(3)
    for _ in range(30):
        rows = random_rows(rng, True)
        result = closeness(rows, quasi="a", sensitive="s", epsilon="0.3", distance=distance)
        ends = [one.ends[1] for one in result.classes]
        assert ends == sorted(ends, reverse=True)
        assert sum(one.size for one in result.classes) == len(rows) == result.rows
        values = sorted({row["s"] for row in rows})
        whole = [sum(row["s"] == value for row in rows) for value in values]
        for one in result.classes:
            part = [sum(row["s"] == value and (row["a"],) == one.key for row in rows) for value in values]
            assert one.holds is oracle.close(part, whole, F(3, 10), distance)
        assert result.holds is all(one.holds for one in result.classes)


def test_order_matters_to_the_earth_mover_alone():
    rows = [{"q": 1, "s": "low"}, {"q": 1, "s": "mid"}, {"q": 2, "s": "high"}, {"q": 2, "s": "mid"}]
    question = {"quasi": "q", "sensitive": "s", "epsilon": 1}
    near = closeness(rows, order=["low", "mid", "high"], distance="earth-mover", **question).worst.distance
    far = closeness(rows, order=["mid", "low", "high"], distance="earth-mover", **question).worst.distance
    wide = closeness(rows, order=["low", "mid", "high", "top"], distance="earth-mover", **question).worst.distance
    assert (near, far, wide) == (F(1, 4), F(1, 8), F(1, 6))
    assert closeness(rows, **question).worst.distance == F(1, 4)
    with pytest.raises(DomainError, match="a column of numbers for the earth-mover distance"):
        closeness(rows, distance="earth-mover", **question)
    for order in (["low", "mid"], ["low", "mid", "high", "high"]):
        with pytest.raises(DomainError, match="every value of 's' exactly once"):
            closeness(rows, order=order, **question)


def test_numbers_in_a_file_are_ordered_as_numbers(tmp_path):
    path = write(tmp_path / "t.csv", "q,s\n1,9\n1,10\n2,100\n2,100\n")
    result = closeness(path, quasi="q", sensitive="s", epsilon=1, distance="earth-mover")
    assert [one.distance for one in result.classes] == [F(3, 8), F(3, 8)]  # ordered as strings: 1/4
    path = write(tmp_path / "twice.csv", "q,s\n1,1.0\n1,1\n")
    with pytest.raises(DomainError, match="no number is written in two ways"):
        closeness(path, quasi="q", sensitive="s", epsilon=1, distance="earth-mover")


def test_the_columns_may_be_an_iterator():
    found = closeness(ROWS, quasi=iter(QUASI), sensitive="ill", epsilon=1)
    assert found == closeness(ROWS, quasi=QUASI, sensitive="ill", epsilon=1)
    assert found.quasi == ("age", "zip")


def test_reports():
    result = closeness(ROWS, quasi=QUASI, sensitive="ill", epsilon="0.25", distance="l2")
    assert result.table(limit=1).splitlines() == [
        "ill is not 1/4-close (l2 distance): 2 of 2 classes of 4 rows fail",
        "age  zip    size  distance                close",
        "2*   476**  2     0.35355339059327376...  no",
        "... and 1 more classes",
    ]
    data = json.loads(json.dumps(result.to_dict()))
    assert (data["holds"], data["epsilon"], data["rows"], data["quasi"]) == (False, "1/4", 4, QUASI)
    ends = data["classes"][0]["distance"]
    assert F(ends["lower"]) ** 2 < F(1, 8) < F(ends["upper"]) ** 2


def test_reports_on_subsets():
    question = {"quasi": QUASI, "sensitive": "ill", "epsilon": "1/3"}
    found = n_closeness(ROWS, n=3, **question)
    assert found.holds
    assert found.table().startswith("ill is (3, 1/3)-close (variational distance): a subset of")
    data = json.loads(json.dumps(found.to_dict()))
    assert data["subset"] == [{"value": value, "count": count} for value, count in found.subset.items()]
    assert len(data["classes"]) == 2
    none = n_closeness(ROWS, n=3, **question | {"epsilon": "1/5"})
    assert not none.holds
    assert none.table() == (
        "ill is not (3, 1/5)-close (variational distance): no subset of at least 3 of 4 rows will do"
    )
    assert json.loads(json.dumps(none.to_dict()))["subset"] is None


def test_a_cell_or_a_heading_of_a_file_forges_no_line(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text('age,"ill\nis (0, 0)-close"\n"1\n2",no\n3,"yes\n\u202e"\n', encoding="utf-8")
    asked = {"quasi": "age", "sensitive": "ill\nis (0, 0)-close"}
    found = [closeness(path, **asked, epsilon=1), n_closeness(path, **asked, epsilon=1, n=1)]
    for line in (line for one in found for line in one.table().split("\n")):
        assert line.isprintable()
        assert not line.startswith("is (0, 0)")


def test_text_that_would_not_be_seen_is_shown_in_quotes(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("age,ill\n130,no\n130 ,\n130 ,no\n")
    text = closeness(path, quasi="age", sensitive="ill", epsilon=0).table()
    assert "\n130     1 " in text
    assert "\n'130 '  2 " in text
    subset = n_closeness(path, quasi="age", sensitive="ill", epsilon=1, n=3)
    assert subset.subset == {"no": 2, "": 1}  # an empty cell is a value
    assert "subset  no: 2, '': 1" in subset.table()
