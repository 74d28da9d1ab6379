import random
from fractions import Fraction

import pytest

from dpcalc.errors import TooLarge
from dpcalc.notes.anonymized.closeness import n_closeness
from dpcalc.notes.anonymized.distance import DISTANCES
from dpcalc.notes.anonymized.inequalities import Inequalities
from dpcalc.notes.anonymized.subset import Search, close_subset
from tests.oracles import closeness as oracle

F = Fraction
EVERY = sorted(DISTANCES)


def random_classes(rng):
    size = rng.randrange(2, 4)
    classes = [[rng.randrange(4) for _ in range(size)] for _ in range(rng.randrange(1, 4))]
    return [p for p in classes if any(p)] or [[1] * size]


def rows_of(classes):
    return [{"class": i, "value": v} for i, p in enumerate(classes) for v, count in enumerate(p) for _ in range(count)]


@pytest.mark.parametrize("distance", EVERY)
@pytest.mark.soak
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
@pytest.mark.soak
def test_the_largest_n_is_that_of_trying_every_subset(distance):
    rng = random.Random(f"largest {distance}")
    inner = 0
    for _ in range(60):
        classes = random_classes(rng)
        rows, epsilon = rows_of(classes), F(rng.randrange(0, 40), rng.choice([30, 60, 97]))
        question = {"quasi": "class", "sensitive": "value", "distance": distance, "order": range(len(classes[0]))}
        result = n_closeness(rows, n="largest", epsilon=epsilon, **question)
        sizes = [n for n in range(1, len(rows) + 1) if oracle.subset_exists(classes, n, epsilon, distance)]
        assert result.holds is bool(sizes)
        assert result.n == max(sizes, default=1)
        if result.holds:
            counts = list(result.subset.values())
            assert sum(counts) == result.n
            assert all(oracle.close(p, counts, epsilon, distance) for p in classes)
            inner += result.n < len(rows)
    assert inner > 1  # not only none and all


@pytest.mark.parametrize("distance", EVERY)
def test_branches_alone_agree_with_trying_every_subset(distance):
    # The whole table and the rounded guess settle most questions: without them the boxes must settle all.
    rng = random.Random(f"branches {distance}")
    for _ in range(60):
        classes = random_classes(rng)
        totals = [sum(column) for column in zip(*classes, strict=True)]
        n, edge = rng.randrange(1, sum(totals) + 1), DISTANCES[distance](classes[0], totals)
        epsilon = edge.lower * F(rng.randrange(4, 10), 10)
        search = Search(tuple(classes), tuple(totals), n, epsilon, distance)
        result = search.branches(search.inequalities())
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
@pytest.mark.soak
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


def test_a_search_without_end_is_refused():
    search = Search(((1, 1), (1, 2)), (9, 17), 13, F(1, 6), "l1")
    with pytest.raises(TooLarge, match="2 boxes, the limit is 1"):
        search.branches(search.inequalities(), most_boxes=1)
    with pytest.raises(TooLarge, match="exact multiplications"):
        search.branches(Inequalities(2, least=13, most_work=3))


def test_no_float_is_used():
    class Tripwire(Fraction):
        def __float__(self):
            raise AssertionError("a float was asked for")

    assert close_subset([(1, 2), (2, 3)], (6, 7), n=3, epsilon=Tripwire(1, 9), distance="l1")
