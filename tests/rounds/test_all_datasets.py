"""Bounds over all datasets at many limits: against every dataset in fractions, and another search."""

from fractions import Fraction

import pytest

from dpcalc.numbers.limit import Limit
from dpcalc.rounds import all_datasets as module
from dpcalc.rounds.all_datasets import bounds
from dpcalc.worst.branch_and_bound import largest
from dpcalc.worst.circle import TooMany
from dpcalc.worst.datasets import Datasets

SMALL = [("1/4", 1, 7), ("1/10", 2, 5), ("1/100", 1, 12), ("2/5", 3, 4), ("3/20", 1, 0)]
EPSILONS = [Fraction(x) for x in ("1/10", "1/5", "1/2", "7/10", "1", "3/2")]


def worst(datasets, limit):
    return max(datasets.pair(m).enclosed(limit, rtol=Fraction(1, 10**15)).lower for m in range(datasets.others + 1))


@pytest.mark.parametrize(("q", "k", "others"), SMALL)
@pytest.mark.parametrize(("most", "left"), [(10**6, True), (0, True), (0, False)])
def test_every_dataset(q, k, others, most, left):
    datasets = Datasets(Fraction(q), k, others)
    asked = [(x, Fraction(1, 100)) for x in EPSILONS if x < datasets.largest_loss]
    found = bounds(datasets, asked, Fraction(1, 2), most=most, left=left)
    served = [(x, value) for (x, _), value in zip(asked, found, strict=True) if value is not None]
    assert len(served) >= 2 or (left and not most)
    for x, value in served:
        limit = Limit.exp(x)
        assert value >= worst(datasets, limit)
        assert (not most and not left) or value <= worst(datasets, limit) * Fraction(102, 100) + Fraction(1, 10**25)


@pytest.mark.parametrize(("q", "k", "others", "x"), [
    ("7/125", 3, 23, "1/100"), ("51/500", 1, 23, "1/100"), ("11/125", 1, 14, "1/20"), ("139/1000", 3, 24, "1/100"),
])  # fmt: skip
def test_the_worst_in_the_middle_is_not_missed(monkeypatch, q, k, others, x):
    def refuse(*_):
        raise TooMany

    monkeypatch.setattr(module, "ranges", refuse)  # and ever wider ones are halved
    datasets, limit = Datasets(Fraction(q), k, others), Limit.exp(Fraction(x))
    (found,) = bounds(datasets, [(Fraction(x), Fraction(1, 10**6))], Fraction(1), most=10**6, left=True)
    assert worst(datasets, limit) <= found <= worst(datasets, limit) * (1 + Fraction(1, 10**5))
    assert found > datasets.single(0, limit, rtol=Fraction(1, 10**6)).upper * Fraction(101, 100)


@pytest.mark.parametrize(("q", "k", "others", "centre"), [
    ("1/10", 1, 999, "1/3"), ("4e-9", 1, 10**10, "1/2"), ("1/500", 2, 3000, "1"), ("3/20", 7, 300, "1/2"),
])  # fmt: skip
def test_as_another_search_finds(q, k, others, centre):
    datasets, width = Datasets(Fraction(q), k, others), Fraction(1, 200)
    asked = [(Fraction(centre) * i / 4, width) for i in (3, 4, 5, 6)]
    for (x, _), value in zip(asked, bounds(datasets, asked, Fraction(centre), most=10**6, left=False), strict=True):
        other = largest(datasets, Limit.exp(x), rtol=Fraction(1, 10**6))
        assert other.lower <= value <= other.upper * (1 + 2 * width)


def test_deltas_below_the_range_of_doubles():
    datasets, x = Datasets(Fraction(3, 20), 1, 12_000), Fraction(33, 20)
    ((value,),) = (bounds(datasets, [(x, Fraction(1, 10))], x, most=10**6, left=False),)
    assert 0 < datasets.single(0, Limit.exp(x), rtol=Fraction(1, 10**6)).lower <= value < Fraction(1, 10**300)


def test_far_limits_are_left_to_others():
    datasets, asked = Datasets(Fraction(1, 10), 1, 10**5), [(Fraction(1), Fraction(1, 10))]
    assert bounds(datasets, asked, Fraction(1, 10), most=10**6, left=False) == [None]


def test_pairs_that_spread_too_far_are_not_listed():
    """Tilted, the reports of a trillion ones spread over millions of outcomes, those of zeros over none: Chernoff's
    bound cuts them off. Near a limit of 0 it does not, and they are left to others.
    """
    datasets, width = Datasets(Fraction(1, 10**9), 1, 10**12 - 1), Fraction(1, 10)
    asked = [(Fraction(x), width) for x in ("0.08", "15")]
    near, far = bounds(datasets, asked, Fraction(15), most=10**6, left=False)
    assert near is None
    assert datasets.single(0, Limit.exp(Fraction(15)), rtol=width).lower < far < Fraction(12, 10) / 10**434


def test_what_is_cut_off_is_not_above_the_bound():
    datasets, x = Datasets(Fraction(1, 10), 1, 60), Fraction(1)
    (found,) = bounds(datasets, [(x, Fraction(1, 10**6))], x, most=10**6, left=False)
    limit = Limit.exp(x)
    low, high = datasets.above(limit, found)
    assert high - low < 60
    assert worst(datasets, limit) <= found <= worst(datasets, limit) * (1 + Fraction(1, 10**5))
