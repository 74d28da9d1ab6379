"""Whatever the counts, an interval for the number of ones lies in 0..n, its ends in order."""

import random
from fractions import Fraction
from itertools import product
from typing import get_args

import pytest

import dpcalc as dp
from dpcalc.accuracy.one_count import Method

METHODS = get_args(Method)
CONFIDENCES = ("0.01", "0.1", "0.6", "0.95", "0.9999")
FLEETS = [
    [(5, "1/4", 2), (2, "2/5", 1)],
    [(3, "1/100", 1), (2, "1/4", 2)],  # in no order
    [(1, "1/4", 1), (2, "1/5", 2), (1, "1/3", 1)],
    [(2, "1/4", 1), (3, "1/4", 1)],
]
FAR = [(1000, "1/4", 1), (1000, "1/10", 1)]


def fleet(groups, dummies=()):
    return dp.Fleet([dp.Group(n=n, q=q, k=k) for n, q, k in groups], dummies=[dp.Dummies(*one) for one in dummies])


def lies_within(found, n):
    ends = (found.lower.lower, found.lower.upper, found.upper.lower, found.upper.upper)
    return 0 <= ends[0] <= ends[1] <= n and 0 <= ends[2] <= ends[3] <= n and found.lower <= found.upper


def every_interval(guess):
    """By each method at each confidence, and by standard deviations."""
    yield from (guess.interval(confidence, method=method) for confidence, method in product(CONFIDENCES, METHODS))
    yield from (guess.interval(sigmas=sigmas) for sigmas in ("1/10", 3, 100))


@pytest.mark.parametrize(("n", "q", "k"), [(1, "1/4", 1), (5, "1/100", 1), (4, "49/100", 2), (6, "1/4", 2)])
@pytest.mark.soak
def test_of_one_count_and_of_several_rounds(n, q, k):
    mechanism = dp.KRandomization(n=n, q=q, k=k)
    for s in range(k * n + 1):
        for counts in (s, [s, 0], [s, k * n], [s, s, s]):
            assert all(lies_within(found, n) for found in every_interval(dp.estimate(mechanism, counts)))


@pytest.mark.parametrize("simultaneous", [False, True])
def test_of_a_histogram(simultaneous):
    mechanism = dp.UnaryEncoding(n=3, categories=3, q="1/5")
    for counts in [(0, 0, 0), (0, 1, 3), (3, 0, 0), (2, 2, 2), (3, 3, 3)]:
        for confidence, method in product(CONFIDENCES, METHODS):
            found = dp.confidence_interval(
                mechanism, list(counts), confidence=confidence, method=method, simultaneous=simultaneous
            )
            assert all(lies_within(one, 3) for one in found)


@pytest.mark.parametrize("groups", FLEETS)
@pytest.mark.soak
def test_of_a_fleet_from_a_count_for_each_group(groups):
    asked, n = fleet(groups), sum(n for n, _, _ in groups)
    for counts in product(*(range(n * k + 1) for n, _, k in groups)):
        assert all(lies_within(found, n) for found in every_interval(dp.estimate(asked, list(counts))))


@pytest.mark.parametrize("dummies", [[], [(2, "1/3"), (1, "9/10")]])
@pytest.mark.parametrize("groups", FLEETS)
@pytest.mark.soak
def test_of_a_fleet_from_its_pooled_count(groups, dummies):
    asked, n = fleet(groups, dummies), sum(n for n, _, _ in groups)
    most = sum(n * k for n, _, k in groups) + sum(count for count, _ in dummies)
    for s, confidence, method in product(range(most + 1), CONFIDENCES, METHODS):
        assert lies_within(dp.confidence_interval(asked, s, confidence=confidence, method=method), n)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("groups", "counts", "confidence", "end"),
    [
        (FAR, [230, 75], "0.95", 0),
        (FLEETS[0], [10, 2], "0.1", 7),
        ([(10**9, "1/4", 1), (10**9, "1/10", 1)], [10**9, 10**9], "0.95", 2 * 10**9),
        ([(10**9, "1/4", 1), (10**9, "1/10", 2)], 2 * 10**8, "0.95", 0),
        ([(3, "1/10", 10**6), (3, "1/5", 1)], [10**5, 0], "0.95", 0),
        ([(10**9, "1/4", 1)], 10**8, "0.95", 0),
        ([(10**15, "1e-12", 1)], 0, "0.9999999999", 0),
    ],
)
def test_a_count_that_no_number_of_ones_explains_has_the_nearest_end(groups, counts, confidence, end, method):
    found = dp.confidence_interval(fleet(groups), counts, confidence=confidence, method=method)
    assert end in found
    assert lies_within(found, sum(n for n, _, _ in groups))


def test_a_count_in_which_every_number_of_ones_is_rare_keeps_both_sides_of_the_gap():
    found = dp.confidence_interval(dp.KRandomization(n=3, q="1/1000", k=10), 15, confidence="0.95")
    assert (found.lower.value, found.upper.value) == (1, 2)


def test_the_ends_of_a_cut_interval_are_those_of_the_uncut_where_these_lie_within():
    guess = dp.estimate(dp.KRandomization(n=100, q="1/4"), 30)
    assert guess.value == 10
    found = guess.interval(sigmas=1)
    assert found.lower > 0
    assert guess.interval(sigmas=3).lower == 0
    assert abs(float(found.upper) - 10 - 75**0.5) < 1e-12
    assert Fraction(10) in found


@pytest.mark.soak
def test_hundreds_of_fleets_at_extreme_counts():
    draw = random.Random(24)
    for _ in range(700):
        sizes = [draw.choice([1, 2, 30, 10**4, 10**9]) for _ in range(draw.randint(1, 4))]
        groups = [(n, draw.choice(["1e-9", "1/100", "1/4", "0.4", "0.4999999"]), draw.choice([1, 2, 5])) for n in sizes]
        most = [n * k for n, _, k in groups]
        counts = [draw.choice([0, 1, x - 1, x, draw.randint(0, x)]) for x in most]
        asked, confidence = fleet(groups), draw.choice(CONFIDENCES)
        for s in (counts, min(sum(counts), sum(most))):
            for method in METHODS:
                found = dp.confidence_interval(asked, s, confidence=confidence, method=method)
                assert lies_within(found, sum(sizes)), (groups, s, confidence, method)
