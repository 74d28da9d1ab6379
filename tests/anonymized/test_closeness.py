"""Closeness: the distances, tables as they come, the verdict on a table, and the search for a subset."""

from __future__ import annotations

import json
import random
import time
from fractions import Fraction
from itertools import cycle, product
from math import inf

import pandas
import pytest
from flint import ctx
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpcalc.anonymized.distance import (
    DISTANCES,
    earth_mover,
    kullback_leibler,
    l1,
    l2,
    variational,
    within,
)
from dpcalc.anonymized.hyperplane import cut
from dpcalc.anonymized.linear import Inequalities
from dpcalc.anonymized.partition import closeness, n_closeness
from dpcalc.anonymized.subset import close_subset
from dpcalc.anonymized.table import class_counts
from dpcalc.errors import DomainError, TooLarge
from tests.oracles import closeness as oracle

F = Fraction
EVERY = sorted(DISTANCES)


def counts(size, least=0, most=6):
    return st.lists(st.integers(least, most), min_size=size, max_size=size).filter(any)


def tuples(number, least=0):
    return st.integers(1, 5).flatmap(lambda size: st.tuples(*[counts(size, least)] * number))


# --- distances --------------------------------------------------------------------------------------------------


def test_the_four_distances_of_the_document_on_one_pair():
    p, q = [1, 1, 0], [1, 1, 2]  # (1/2, 1/2, 0) and (1/4, 1/4, 1/2)
    assert l1(p, q).value == 1
    assert variational(p, q).value == F(1, 2)
    assert l2(p, q).lower ** 2 < F(3, 8) < l2(p, q).upper ** 2  # 1/16 + 1/16 + 1/4
    assert str(kullback_leibler(p, q)).startswith("0.6931471805599453")  # log 2
    assert earth_mover(p, q).value == F(3, 8)  # (1/4 + 1/2) / 2


def test_the_incomes_of_the_t_closeness_paper():
    # Li, Li and Venkatasubramanian, section 4.2: incomes 3k ... 11k; {3k, 4k, 5k} is at 0.375, {6k, 8k, 11k} at 0.167.
    whole = [1] * 9
    assert earth_mover([1, 1, 1, 0, 0, 0, 0, 0, 0], whole).value == F(3, 8)
    assert earth_mover([0, 0, 0, 1, 0, 1, 0, 0, 1], whole).value == F(1, 6)


@given(tuples(2))
def test_distances_are_what_the_definitions_say(pair):
    p, q = pair
    assert variational(p, q).value == oracle.total_variation(p, q)
    assert l1(p, q).value == 2 * oracle.total_variation(p, q)
    assert earth_mover(p, q).value == oracle.ordered_emd(p, q)
    assert l2(p, q).lower ** 2 <= oracle.squared_l2(p, q) <= l2(p, q).upper ** 2
    expected = oracle.kl(p, q)
    if expected == inf:
        assert kullback_leibler(p, q) == inf
    else:
        assert abs(kullback_leibler(p, q).mpf() - expected) < 1e-15


@given(tuples(2), st.sampled_from(EVERY))
def test_a_distance_is_zero_only_between_equals(pair, name):
    p, q = pair
    equal = oracle.shares(p) == oracle.shares(q)
    assert (DISTANCES[name](p, q) == 0) is equal
    assert within(p, q, F(0), distance=name) is equal


@given(tuples(2), st.sampled_from(["l1", "l2", "variational", "earth-mover"]))
def test_symmetry(pair, name):
    p, q = pair
    forth, back = DISTANCES[name](p, q), DISTANCES[name](q, p)
    assert (forth.lower, forth.upper) == (back.lower, back.upper)


def test_the_divergence_is_not_symmetric():
    assert kullback_leibler([1, 3], [1, 1]) < kullback_leibler([1, 1], [1, 3])


@given(tuples(3), st.sampled_from(["l1", "l2", "variational", "earth-mover"]))
def test_triangle(triple, name):
    p, q, r = triple
    d = DISTANCES[name]
    assert d(p, r).lower <= d(p, q).upper + d(q, r).upper


@given(tuples(2, least=1))
def test_pinsker(pair):
    p, q = pair
    divergence = kullback_leibler(p, q)
    assert divergence.upper >= 2 * variational(p, q).value ** 2


@given(tuples(2), st.integers(1, 9), st.fractions(F(1, 9), 9), st.sampled_from(EVERY))
def test_scale_changes_nothing(pair, whole, fraction, name):
    p, q = pair
    here, there = DISTANCES[name](p, q), DISTANCES[name]([x * whole for x in p], [x * fraction for x in q])
    assert here == inf == there or (here.lower, here.upper) == (there.lower, there.upper)


@given(tuples(2), st.fractions(0, 2), st.sampled_from(EVERY))
def test_within_is_the_defining_inequality(pair, epsilon, name):
    p, q = pair
    assert within(p, q, epsilon, distance=name) is oracle.close(p, q, epsilon, name)


def test_within_at_the_edge():
    assert within([1, 0], [0, 1], F(1), distance="variational")
    assert not within([1, 0], [0, 1], 1 - F(1, 10**30), distance="variational")
    assert l2([1, 1, 0, 0], [0, 0, 1, 1]).value == 1
    assert within([1, 1, 0, 0], [0, 0, 1, 1], F(1), distance="l2")
    square_root_of_two = F(14142135623730950488016887242096980785696718753769, 10**49)  # from below
    assert not within([1, 0], [0, 1], square_root_of_two, distance="l2")
    assert within([1, 0], [0, 1], square_root_of_two + F(1, 10**49), distance="l2")
    log_two = F(69314718055994530941723212145817656807550013436025, 10**50)  # from below
    assert not within([1, 0], [1, 1], log_two, distance="kullback-leibler")
    assert within([1, 0], [1, 1], log_two + F(1, 10**50), distance="kullback-leibler")
    assert not within([1, 1], [1, 0], F(10**9), distance="kullback-leibler")
    assert not within([1], [1], F(-1), distance="l1")


@pytest.mark.parametrize("bad", [[], [0, 0], [1, -1], ["one", 2], [1, 2, 3]])
def test_no_distribution(bad):
    with pytest.raises(DomainError):
        l1([1, 1], bad)


def test_numbers_are_what_is_written_and_no_float_is_used():
    class Tripwire(Fraction):
        def __float__(self):
            raise AssertionError("a float was asked for")

    p, q = [Tripwire(1, 3), Tripwire(2, 3)], [Tripwire(1, 7), Tripwire(6, 7)]
    for name in EVERY:
        DISTANCES[name](p, q)
        within(p, q, Tripwire(1, 5), distance=name)
    assert close_subset([(1, 2), (2, 3)], (6, 7), n=3, epsilon=Tripwire(1, 9), distance="l1")
    assert variational([0.1, 0.2], [1, 2]).value == 0


def test_ambient_precision_changes_nothing():
    expected = [str(DISTANCES[name]([1, 2, 4], [3, 2, 1])) for name in EVERY]
    with ctx.workprec(17):
        assert [str(DISTANCES[name]([1, 2, 4], [3, 2, 1])) for name in EVERY] == expected


# --- tables -----------------------------------------------------------------------------------------------------

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
        closeness(path, quasi="age", sensitive="ill", epsilon=1)
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


@pytest.mark.parametrize("quasi", [[], ["ill"], ["age", "age"]])
def test_bad_columns(quasi):
    with pytest.raises(DomainError, match="one or more columns, each once"):
        class_counts([{"age": 1, "ill": 2}], quasi=quasi, sensitive="ill")


def test_a_million_values_are_refused(tmp_path):
    rows = ({"age": 1, "ill": i} for i in range(1_000_000))
    with pytest.raises(TooLarge, match="1,000,000 distinct values"):
        closeness(rows, quasi="age", sensitive="ill", epsilon=1)
    rows = ({"age": i, "ill": i} for i in range(10_000))
    with pytest.raises(TooLarge, match="100,000,000 counts"):
        closeness(rows, quasi="age", sensitive="ill", epsilon=1)


def test_a_hundred_thousand_rows_take_seconds(tmp_path):
    rng = random.Random(1)
    lines = (f"{rng.randrange(50)},{rng.randrange(40)},{rng.randrange(12)}" for _ in range(100_000))
    path = write(tmp_path / "large.csv", "age,zip,ill\n" + "\n".join(lines))
    start = time.perf_counter()
    result = closeness(path, quasi=QUASI, sensitive="ill", epsilon="1/4", distance="earth-mover")
    assert time.perf_counter() - start < 5
    assert result.rows == 100_000
    assert len(result.classes) == 2_000


# --- the verdict on a table -------------------------------------------------------------------------------------


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


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"epsilon": -1}, "epsilon = -1 is not allowed: give a number >= 0"),
        ({"epsilon": "x"}, "epsilon = 'x'"),
        ({"distance": "cosine"}, "give one of variational, l1, l2, kullback-leibler, earth-mover"),
    ],
)
def test_bad_questions(bad, message):
    with pytest.raises(DomainError) as caught:
        closeness(ROWS, **({"quasi": QUASI, "sensitive": "ill", "epsilon": 1} | bad))
    assert message in str(caught.value)
    with pytest.raises(DomainError):
        n_closeness(ROWS, **({"quasi": QUASI, "sensitive": "ill", "epsilon": 1, "n": 1} | bad))


@pytest.mark.parametrize("n", [0, 5, "1/2"])
def test_no_such_size(n):
    with pytest.raises(DomainError, match="a whole number from 1 to 4"):
        n_closeness(ROWS, quasi=QUASI, sensitive="ill", epsilon=1, n=n)


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


# --- one subset for all classes ---------------------------------------------------------------------------------


def random_classes(rng):
    size = rng.randrange(2, 4)
    classes = [[rng.randrange(4) for _ in range(size)] for _ in range(rng.randrange(1, 4))]
    return [p for p in classes if any(p)] or [[1] * size]


def rows_of(classes):
    return [{"class": i, "value": v} for i, p in enumerate(classes) for v, count in enumerate(p) for _ in range(count)]


@pytest.mark.parametrize("distance", EVERY)
def test_the_search_agrees_with_trying_every_subset(distance):
    rng = random.Random(f"subsets {distance}")
    found = 0
    for _ in range(160):
        classes = random_classes(rng)
        rows = rows_of(classes)
        n, epsilon = rng.randrange(1, len(rows) + 1), F(rng.randrange(0, 30), rng.choice([30, 60, 97]))
        question = {"quasi": "class", "sensitive": "value", "distance": distance, "order": range(len(classes[0]))}
        result = n_closeness(rows, n=n, epsilon=epsilon, **question)
        assert result.holds is oracle.subset_exists(classes, n, epsilon, distance)
        if result.holds:
            found += 1
            counts = list(result.subset.values())
            totals = [sum(column) for column in zip(*classes, strict=True)]
            assert n <= sum(counts)
            assert all(count <= total for count, total in zip(counts, totals, strict=True))
            assert all(oracle.close(p, counts, epsilon, distance) for p in classes)
            assert all(one.holds for one in result.classes)
    assert 30 < found < 130  # both answers were tried often


@pytest.mark.parametrize("distance", EVERY)
def test_branches_alone_agree_with_trying_every_subset(distance, monkeypatch):
    # The whole table and the rounded guess settle most questions: without them the boxes must settle all.
    monkeypatch.setattr("dpcalc.anonymized.subset._Search.guess", lambda self: None)
    rng = random.Random(f"branches {distance}")
    for _ in range(60):
        classes = random_classes(rng)
        totals = [sum(column) for column in zip(*classes, strict=True)]
        n, edge = rng.randrange(1, sum(totals) + 1), DISTANCES[distance](classes[0], totals)
        epsilon = edge.lower * F(rng.randrange(4, 10), 10)
        result = close_subset(classes, totals, n=n, epsilon=epsilon, distance=distance)
        assert (result is not None) is oracle.subset_exists(classes, n, epsilon, distance)


def test_an_epsilon_that_is_just_attained():
    # The midpoint (5/12, 7/12) of (1/2, 1/2) and (1/3, 2/3) alone is within 1/12 of both; it takes 12 rows, or 24.
    for distance, epsilon in (("variational", F(1, 12)), ("l1", F(1, 6)), ("earth-mover", F(1, 12))):
        question = {"epsilon": epsilon, "distance": distance}
        assert close_subset([(1, 1), (1, 2)], (11, 17), n=13, **question) == (10, 14)
        assert close_subset([(1, 1), (1, 2)], (4, 17), n=2, **question) is None
        assert close_subset([(1, 1), (1, 2)], (9, 17), n=13, **question) is None
        assert close_subset([(1, 1), (1, 2)], (11, 17), n=2, **question | {"epsilon": epsilon - F(1, 999)}) is None


def test_a_larger_subset_is_not_a_closer_one():
    question = {"epsilon": F(1, 10), "distance": "variational"}
    totals = (3, 30)
    verdicts = [close_subset([(1, 1)], totals, n=n, **question) is not None for n in range(1, 34)]
    assert verdicts == [True] * 7 + [False] * 26  # 3 of 7 rows is 1/14 from one half, 3 of 8 is 1/8


@pytest.mark.parametrize("distance", EVERY)
def test_a_large_table_is_settled_both_ways(distance):
    rng = random.Random(4)
    classes = []
    for _ in range(60):
        weights = [(v + 1) * (0.5 + rng.random()) for v in range(5)]
        values = rng.choices(range(5), weights, k=150)
        classes.append([values.count(v) for v in range(5)])
    totals = [sum(column) for column in zip(*classes, strict=True)]
    edge = max(DISTANCES[distance](p, totals).upper for p in classes)
    near, far = edge * F(97, 100), edge * F(1, 2)
    counts = close_subset(classes, totals, n=1_000, epsilon=near, distance=distance)
    assert sum(counts) >= 1_000
    assert all(oracle.close(p, counts, near, distance) for p in classes)
    assert close_subset(classes, totals, n=1_000, epsilon=far, distance=distance) is None


def test_a_search_without_end_is_refused(monkeypatch):
    monkeypatch.setattr("dpcalc.anonymized.subset._MAX_BOXES", 1)
    with pytest.raises(TooLarge, match="2 boxes, the limit is 1"):
        close_subset([(1, 1), (1, 2)], (9, 17), n=13, epsilon=F(1, 6), distance="l1")
    monkeypatch.setattr("dpcalc.anonymized.linear._MAX_WORK", 3)
    with pytest.raises(TooLarge, match="exact multiplications"):
        close_subset([(1, 1), (1, 2)], (9, 17), n=13, epsilon=F(1, 6), distance="l1")


@settings(max_examples=400)
@given(tuples(3), st.fractions(0, 1, max_denominator=1000), st.sampled_from(EVERY))
def test_a_cut_keeps_the_close_and_excludes_the_far(triple, epsilon, name):
    p, q, far = triple
    assume(not oracle.close(p, far, epsilon, name))
    row = cut(p, [F(x) for x in far], epsilon, distance=name)
    if oracle.close(p, q, epsilon, name):
        assert sum(w * x for w, x in zip(row, q, strict=True)) <= 0
    if not oracle.close(p, far, epsilon + F(1, 100), name):
        assert sum(w * x for w, x in zip(row, far, strict=True)) > 0


def test_a_tangent_touches_the_boundary():
    row = cut([1, 1], [F(1000), F(1)], F(1, 10), distance="kullback-leibler")
    assert row[0] * 71 + row[1] * 29 <= 0  # D = 0.0976
    assert row[0] * 73 + row[1] * 27 > 0  # D = 0.1192


@given(
    st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), max_size=6),
    st.integers(1, 9),
    st.lists(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=3), min_size=1, max_size=4),
)
def test_real_points_satisfy_every_inequality_and_refutations_hold(rows, least, boxes):
    system = Inequalities(3, least=least)
    added = []
    for row, box in zip(rows, cycle(boxes), strict=False):
        low, high = zip(*map(sorted, box), strict=True)
        added.append(row)
        system.require(row)
        point = system.point(low, high)
        if point is not None:
            assert sum(point) >= least
            assert all(start <= x <= end for start, x, end in zip(low, point, high, strict=True))
            assert all(sum(a * x for a, x in zip(row, point, strict=True)) <= 0 for row in added)
        else:
            for whole in product(*(range(start, end + 1) for start, end in zip(low, high, strict=True))):
                far = any(sum(a * x for a, x in zip(row, whole, strict=True)) > 0 for row in added)
                assert far or sum(whole) < least


def test_text_that_would_not_be_seen_is_shown_in_quotes(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("age,ill\n130,no\n130 ,\n130 ,no\n")
    text = closeness(path, quasi="age", sensitive="ill", epsilon=0).table()
    assert "\n130     1 " in text
    assert "\n'130 '  2 " in text
    subset = n_closeness(path, quasi="age", sensitive="ill", epsilon=1, n=3)
    assert subset.subset == {"no": 2, "": 1}  # an empty cell is a value
    assert "subset  no: 2, '': 1" in subset.table()
