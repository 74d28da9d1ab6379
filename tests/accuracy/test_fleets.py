"""The ones of a fleet: estimates and intervals against every outcome of every split."""

from fractions import Fraction
from itertools import product

import mpmath
import pytest

import dpcalc as dp
from dpcalc.accuracy.counted import Counted
from dpcalc.accuracy.methods import _highest
from tests.oracles import fleet as oracle

PROVEN = ("exact", "chebyshev", "hoeffding")
FLEETS = [
    [(2, "1/5", 1), (2, "1/3", 1)],
    [(2, "1/10", 1), (1, "1/3", 2)],
    [(2, "1/100", 1), (2, "1/4", 2)],  # the second weighs more, but each of its users can say less: in no order
    [(1, "1/4", 1), (2, "1/5", 2), (1, "1/3", 1)],
    [(2, "1/4", 1), (1, "1/4", 1)],
]
DUMMIES = [(2, "1/3"), (1, "9/10")]


def fleet(groups, dummies=()):
    return dp.Fleet([dp.Group(n=n, q=q, k=k) for n, q, k in groups], dummies=[dp.Dummies(*one) for one in dummies])


def splits(groups):
    return product(*(range(n + 1) for n, _, _ in groups))


def users(group, ones):
    n, q, k = group
    return [(int(i < ones), Fraction(q), k) for i in range(n)]


def law_of_the_pool(groups, split, dummies):
    everybody = [user for group, ones in zip(groups, split, strict=True) for user in users(group, ones)]
    return oracle.count(everybody, [Fraction(a) for count, a in dummies for _ in range(count)])


@pytest.mark.parametrize("dummies", [[], DUMMIES])
@pytest.mark.parametrize("groups", FLEETS)
@pytest.mark.soak
def test_the_pooled_count_covers_every_split(groups, dummies):
    asked = fleet(groups, dummies)
    laws = {split: law_of_the_pool(groups, split, dummies) for split in splits(groups)}
    for confidence in ("0.6", "0.95"):
        level = 1 - Fraction(confidence)
        ends = {
            (method, s): dp.confidence_interval(asked, s, confidence=confidence, method=method)
            for method in PROVEN
            for s in laws[(0,) * len(groups)]
        }
        for split, law in laws.items():
            for method in PROVEN:
                covered = sum(chance for s, chance in law.items() if sum(split) in ends[method, s])
                assert covered >= 1 - level
        for s in laws[(0,) * len(groups)]:
            kept = {
                sum(split)
                for split, law in laws.items()
                if sum(law[i] for i in law if i <= s) > level / 2 and sum(law[i] for i in law if i >= s) > level / 2
            }
            found = ends["exact", s]
            assert all(total in found for total in kept)
            if groups != FLEETS[2] and kept:
                assert (found.lower.value, found.upper.value) == (min(kept), max(kept))


def test_a_pooled_count_is_estimated_where_all_weigh_alike():
    groups, dummies = [(2, "1/4", 2), (1, "1/8", 1), (1, "1/4", 2)], [(2, "1/3")]
    with pytest.raises(
        dp.DomainError, match=r"^s = 3 is not allowed: give a count for each group, as k \(1 - 2 q\) diff"
    ):
        dp.estimate(fleet(groups), 3)
    alike = [(2, "1/4", 2), (1, "1/4", 2)], [(2, "3/8", 4), (1, "1/4", 2)]
    for same in alike:
        for split in splits(same):
            law = law_of_the_pool(same, split, dummies)
            guesses = {s: dp.estimate(fleet(same, dummies), s) for s in law}
            assert sum(chance * guesses[s].value for s, chance in law.items()) == sum(split)
            spread = sum(chance * (guesses[s].value - sum(split)) ** 2 for s, chance in law.items())
            assert spread == dp.variance(fleet(same, dummies)) == guesses[0].variance
    with pytest.raises(dp.DomainError, match=r"^mechanism = "):
        dp.variance(fleet(groups, dummies))


@pytest.mark.parametrize("method", [*PROVEN, "normal"])
def test_one_group_is_a_pool_and_groups_alike_are_one(method):
    pool, counts = dp.KRandomization(n=300, q="1/8"), [70, 40]
    whole = dp.confidence_interval(pool, 110, confidence="0.9", method=method)
    halves = fleet([(200, "1/8", 1), (100, "1/8", 1)])
    assert dp.confidence_interval(fleet([(300, "1/8", 1)]), 110, confidence="0.9", method=method) == whole
    assert dp.confidence_interval(halves, 110, confidence="0.9", method=method) == whole
    by_group = dp.confidence_interval(halves, counts, confidence="0.9", method=method)
    assert by_group == dp.estimate(halves, counts).interval("0.9", method=method)
    if method == "exact":
        assert by_group == whole
    assert dp.estimate(halves, counts).value == dp.estimate(halves, 110).value == dp.estimate(pool, 110).value
    assert dp.estimate(halves, counts).fraction == dp.estimate(pool, 110).fraction
    assert dp.variance(halves, fraction="1/4") == dp.variance(pool, fraction="1/4")


def test_the_levels_of_groups_are_combined_at_hardly_any_cost():
    asked = fleet([(40_000, "0.01", 1), (10_000, "0.05", 2)])
    exact, normal = (
        dp.confidence_interval(asked, [12_000, 6_000], confidence="0.95", method=m) for m in ("exact", "normal")
    )
    assert exact.lower <= normal.lower
    assert normal.upper <= exact.upper
    assert exact.upper - exact.lower < (normal.upper - normal.lower) * Fraction(105, 100)


@pytest.mark.parametrize("stride", [1, 4, 11])
@pytest.mark.soak
def test_the_sum_of_t_and_its_level_is_bounded_between_the_rungs(stride):
    n, q, sigma, eta, c = 25, Fraction(1, 4), Fraction(4), Fraction(1, 1000), Fraction("3.090233")  # Phi(-c) is eta
    for s in (1, 8, 13, 25):
        sums = []
        for ones in range(n + 1):
            law = law_of_the_pool([(n, q, 1)], [ones], [])
            level = sum(law[i] for i in range(s + 1))
            if level > eta:
                x = 2 * mpmath.mpf(level.numerator) / level.denominator - 1
                sums.append(ones + 4 * min(mpmath.sqrt(2) * mpmath.erfinv(x), float(c)))
        bound = float(_highest(Counted((dp.Group(n=n, q=q),)), s, sigma, c, eta, rungs=Fraction(4, stride)))
        assert max(sums) - 1e-4 <= bound <= max(sums) + stride


def test_large_fleets_have_intervals():
    asked = fleet([(10**9, "0.1", 1), (10**9, "0.2", 1)])
    found = dp.confidence_interval(asked, 10**9, confidence="0.95")
    rough = dp.confidence_interval(asked, 10**9, confidence="0.95", method="normal")
    assert -2 < found.upper - rough.upper < 2
    assert -2 < found.lower - rough.lower < 2
    unordered = fleet([(40_000, "0.01", 1), (10_000, "0.25", 2)])
    wide, narrow = (dp.confidence_interval(unordered, 18_000, confidence="0.95", method=m) for m in ("exact", "normal"))
    assert wide.lower < narrow.lower < narrow.upper < wide.upper
    assert wide.upper - wide.lower < (narrow.upper - narrow.lower) * Fraction(3, 2)
