"""One-hot histograms: what records reach, days of every dataset and every vector of counts, laws."""

from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest

import dpcalc as dp
from dpcalc.mechanisms.unary import ABSENT, UnaryEncoding
from dpcalc.rounds import few_rounds
from dpcalc.rounds.release import every
from tests.oracles.unary import neighbours, reported


def test_at_most_so_many_categories_are_held_by_the_others_too():
    for categories, most in ((4, 2), (3, 2), (5, 2), (2, 2), (3, 1)):
        mechanism = UnaryEncoding(n=4, categories=categories, q="1/4", at_most=most)
        for ones in combinations_with_replacement(range(4), mechanism.changed):
            (left, entered), *rest = mechanism.placements(ones, True)
            assert not rest
            assert sum(left) + sum(entered) <= 3 * most
            assert sorted([3 - m for m in left] + list(entered)) == sorted(ones)


def sides(others, x, y):
    """How many of the others hold each category that only x, only y holds."""
    columns = list(zip(*others, strict=True)) or [()] * len(x)
    moved = ((x, y), (y, x))
    return tuple(sorted(sum(columns[j]) for j in range(len(x)) if a[j] > b[j]) for a, b in moved)


@pytest.mark.parametrize("relation", ["replace", "delete"])
@pytest.mark.parametrize(
    ("categories", "ones"), [(2, 1), (2, 2), (3, 1), (3, 2), (3, 3), (4, 1), (4, 2), (4, 3), (4, 4), (5, 2), (5, 4)]
)
def test_what_records_reach(categories, ones, relation):
    """Every m of the counts that change, and no other, over all records of three others."""
    if relation == "replace" and categories == ones:
        return
    n = 4
    mechanism = UnaryEncoding(n=n, categories=categories, ones=ones, q="1/4", neighbours=relation)
    pairs, records = neighbours(categories, ones, relation)
    reached = set()
    for others in combinations_with_replacement(records, n - 1):
        for x, y in pairs:
            left, entered = sides(others, x, y)
            if len(left) + len(entered) == mechanism.changed:
                reached.add(tuple(sorted([*(n - 1 - m for m in left), *entered])))
    choices = list(combinations_with_replacement(range(n), mechanism.changed))
    assert {choice for choice in choices for absent in ABSENT if mechanism.reached(choice, absent)} == reached
    assert mechanism.untied == (reached == set(choices))


@pytest.mark.parametrize("categories", [2, 3])
def test_days(categories):
    """Two days of two people: the best choice of datasets beforehand, the best answer to the first day's counts."""
    h = dp.UnaryEncoding(n=2, categories=categories, q="1/4")
    fixed = dp.delta(dp.Rounds([(h, 2)], adaptive=False), lam=2)
    laws = [law(Fraction(1, 4), *chosen) for chosen in everything_of(2, categories)]
    whole = 4 ** (2 * 2 * categories)
    best = max(sum(max(0, p * a - 2 * r * b) for p, r in one for a, b in other) for one in laws for other in laws)
    assert fixed.value == Fraction(best, whole)
    adaptive = dp.delta(dp.Rounds([(h, 2)]), lam=2)
    assert adaptive.value * whole == max(
        sum(max(sum(max(0, p * a - 2 * r * b) for a, b in other) for other in laws) for p, r in one) for one in laws
    )
    assert adaptive.value >= fixed.value
    assert sum(times for *_, times in fixed.datasets) == 2
    assert dp.delta(dp.Rounds([h]), lam=2).value == dp.delta(h, lam=2).value


@pytest.mark.parametrize(("q", "lam"), [("1/4", "3/2"), ("2/5", "11/10"), ("1/10", "20")])
def test_days_from_which_somebody_is_deleted(q, lam):
    """Of four categories two people hold three: whoever is absent is so on both days, whatever the others hold."""
    q, lam, x, empty = Fraction(q), Fraction(lam), (1, 1, 1, 0), (0,) * 4
    laws = [[_by_ratio(law(q, [other], *pair)) for other in neighbours(4, 3, "delete")[1]] for pair in _both(x, empty)]
    days = [(dp.UnaryEncoding(n=2, categories=4, ones=3, q=q, neighbours="delete"), 2)]
    whole = q.denominator ** (2 * 2 * 4)
    fixed = dp.delta(dp.Rounds(days, adaptive=False), lam=lam)
    assert fixed.value * whole == max(
        sum(max(0, p * a - lam * r * b) for p, r in one for a, b in other)
        for way in laws for one in way for other in way
    )  # fmt: skip
    assert dp.delta(dp.Rounds(days), lam=lam).value * whole == max(
        sum(max(sum(max(0, p * a - lam * r * b) for a, b in other) for other in way) for p, r in one)
        for way in laws for one in way
    )  # fmt: skip


@pytest.mark.parametrize(
    ("n", "categories", "ones"), [(2, 4, 3), (3, 4, 3), pytest.param(3, 5, 4, marks=pytest.mark.soak), (3, 4, 4)]
)
def test_whoever_is_deleted_is_so_every_day(n, categories, ones):
    """Every choice of two days is one of some records in one direction, and no such choice is missed."""
    x, empty = tuple(int(j < ones) for j in range(categories)), (0,) * categories
    everybody = list(combinations_with_replacement(neighbours(categories, ones, "delete")[1], n - 1))
    h = dp.UnaryEncoding(n=n, categories=categories, ones=ones, q="1/4", neighbours="delete")
    for absent, (before, after) in zip((False, True), _both(x, empty), strict=True):
        held = {tuple(sides(others, before, after)[absent]) for others in everybody}
        possible = {tuple(sorted(pair)) for pair in product(held, held)}
        found = set()
        for chosen, _, _ in few_rounds.sequences([every(h, absent, 10**6)] * 2):
            assert not any(at.left if absent else at.entered for at in chosen)
            found.add(tuple(sorted(tuple(sorted(at.left or at.entered)) for at in chosen)))
        assert found == possible


def _both(x, y):
    return (x, y), (y, x)


def _by_ratio(outcomes):
    """Those of equal ratio as one."""
    found = {}
    for p, r in outcomes:
        a, b = found.get(Fraction(p, r), (0, 0))
        found[Fraction(p, r)] = a + p, b + r
    return list(found.values())


def everything_of(n, categories):
    """All choices of the others and of the changed record's two values."""
    pairs, records = neighbours(categories, 1, "replace")
    return [(others, x, y) for others in combinations_with_replacement(records, n - 1) for x, y in pairs]


def law(q, others, x, y):
    """The outcomes (P, Q) of all counts, as weights."""
    counts = {(0,) * len(x): 1}
    for record in others:
        counts = reported(counts, record, q, 1)
    unlikely = reported(counts, y, q, 1)
    return [(p, unlikely[seen]) for seen, p in reported(counts, x, q, 1).items()]


def test_it_is_written_as_it_is_made():
    h = dp.UnaryEncoding(n="1e5", categories=16, q="0.0067", ones=2, neighbours="delete")
    assert repr(h) == "UnaryEncoding(n=100000, categories=16, q='0.0067', ones=2, neighbours='delete')"
    assert eval(repr(h), {"UnaryEncoding": dp.UnaryEncoding}) == h
    local = dp.UnaryEncoding.from_epsilon(n=10, categories=16, epsilon=5)
    assert local.local_epsilon.upper < Fraction(5001, 1000)
    assert local.local_epsilon.lower > Fraction(4999, 1000)
