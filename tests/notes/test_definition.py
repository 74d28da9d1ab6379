from itertools import combinations, product

from tests.notes.definition import distance, histogram, histogram_neighbours, norm, record_neighbours

UNIVERSE = "abc"
COLLECTIONS = ["".join(records) for records in product(UNIVERSE, repeat=3)]


def test_the_histogram_and_the_distance_that_dw_prints():
    x = histogram("aabcbacbaa", UNIVERSE)
    assert x == (5, 3, 2)
    assert norm(x) == 10
    assert distance((10, 8), (11, 11)) == 4


def test_a_changed_answer_is_a_neighbour_for_ktex_and_not_for_dw():
    answers = ["yes", "no"]
    datasets = [histogram([answer], answers) for answer in answers]
    assert distance(*datasets) == 2
    assert histogram_neighbours(datasets) == ()
    assert record_neighbours([["yes"], ["no"]]) == ((0, 1),)


def test_distance_is_a_metric_and_the_norm_is_the_distance_from_nobody():
    histograms = list(product(range(3), repeat=2))
    for x, y, z in product(histograms, repeat=3):
        assert (distance(x, y) == 0) == (x == y)
        assert distance(x, y) == distance(y, x)
        assert distance(x, z) <= distance(x, y) + distance(y, z)
    assert all(norm(x) == distance(x, (0, 0)) for x in histograms)


def test_histogram_neighbours_are_one_record_more_or_less():
    datasets = list(product(range(4), repeat=3))
    grown = {
        tuple(sorted((datasets.index(x), datasets.index(y))))
        for x in datasets
        for j in range(3)
        if (y := (*x[:j], x[j] + 1, *x[j + 1 :])) in datasets
    }
    assert set(histogram_neighbours(datasets)) == grown


def test_equal_histograms_are_neighbours():
    assert histogram_neighbours([(1, 2), (1, 2), (3, 0)]) == ((0, 1),)


def test_record_neighbours_are_one_replaced_record():
    changed = {
        tuple(sorted((i, COLLECTIONS.index(x[:place] + record + x[place + 1 :]))))
        for i, x in enumerate(COLLECTIONS)
        for place in range(3)
        for record in UNIVERSE
        if record != x[place]
    }
    assert set(record_neighbours(COLLECTIONS)) == changed


def test_a_replaced_record_is_a_histogram_distance_of_2():
    histograms = [histogram(records, UNIVERSE) for records in COLLECTIONS]
    pairs = set(record_neighbours(COLLECTIONS))
    distances = {pair: distance(histograms[pair[0]], histograms[pair[1]]) for pair in combinations(range(27), 2)}
    assert {distances[pair] for pair in pairs} == {2}
