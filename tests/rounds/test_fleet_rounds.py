"""Rounds with fleets among them: against every dataset and strategy in fractions, and against rounds of one group."""

import json
import math
from fractions import Fraction
from itertools import product

import pytest

import dpcalc as dp
from dpcalc.cli import main
from dpcalc.families.bits import Bits
from dpcalc.families.fleets import Fleets
from dpcalc.families.table import family
from dpcalc.mechanisms.unary import ABSENT
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import ADAPTIVE, FIXED
from dpcalc.worst.compositions import Composition
from dpcalc.worst.datasets import HistogramDataset
from tests.oracles import asymmetric, rounds
from tests.oracles import fleet as oracle

SMALL = [
    ([(2, "1/4", 1), (1, "1/5", 2)], []),
    ([(1, "1/3", 1), (2, "2/5", 1)], [(2, "1/2")]),
    ([(2, "1/10", 1), (1, "1/3", 3)], []),
    ([(1, "1/4", 1)], [(3, "1/2")]),
]


def fleet(groups, dummies=(), **more):
    return dp.Fleet(
        [dp.Group(n=n, q=q, k=k) for n, q, k in groups], dummies=[dp.Dummies(*one) for one in dummies], **more
    )


def laws(groups, dummies):
    """For every group and ones of the others, the outcomes with the changed user 0 and 1, by name of the dataset."""
    chances, found = [Fraction(a) for count, a in dummies for _ in range(count)], {}
    for changed, (_, q, k) in enumerate(groups):
        sizes = [n - (g == changed) for g, (n, _, _) in enumerate(groups)]
        for ones in product(*(range(size + 1) for size in sizes)):
            users = [
                (int(i < m), Fraction(own_q), own_k)
                for m, size, (_, own_q, own_k) in zip(ones, sizes, groups, strict=True)
                for i in range(size)
            ]
            zero, one = (oracle.count([*users, (bit, Fraction(q), k)], chances) for bit in (0, 1))
            pair = list(zip(zero.values(), one.values(), strict=True))
            found[changed, ones, 0], found[changed, ones, 1] = pair, [(q, p) for p, q in pair]
    return found


def ways(groups, dummies=()):
    """Every pair, alone in a round."""
    return [(one,) for one in laws(groups, dummies).values()]


@pytest.mark.parametrize(("groups", "dummies"), SMALL)
@pytest.mark.parametrize("lam", [Fraction(1), Fraction(7, 2)])
def test_two_releases_by_definition(groups, dummies, lam):
    """Of all strategies, the changed user in any group; and of datasets fixed in advance, which are named."""
    known = laws(groups, dummies)
    found = dp.delta(dp.Rounds([(fleet(groups, dummies), 2)]), lam=lam)
    each = ways(groups, dummies)
    assert found.lower == found.upper == rounds.adaptive_among([each, each], lam)
    found = dp.delta(dp.Rounds([(fleet(groups, dummies), 2)], adaptive=False), lam=lam)
    best = max(rounds.divergence(chosen, lam) for chosen in product(known.values(), repeat=2))
    named = [known[at.group, at.ones, at.value] for _, at, times in found.datasets for _ in range(times)]
    assert found.lower == found.upper == best == rounds.divergence(named, lam)


def test_two_releases_on_a_lattice():
    """Of too many pairs to list. The upper end holds for strategies, the lower one for the datasets named."""
    groups, dummies, lam = [(3, "1/4", 1), (2, "1/5", 2)], [(1, "1/2")], Fraction(2)
    known = laws(groups, dummies)
    found = dp.delta(dp.Rounds([(fleet(groups, dummies), 2)]), lam=lam)
    best = rounds.adaptive_among([ways(groups, dummies)] * 2, lam)
    assert best <= found.upper <= best * Fraction(13, 10)
    ((_, at, times),) = found.datasets
    assert times == 2
    reached = rounds.divergence([known[at.group, at.ones, at.value]] * 2, lam)
    assert reached * Fraction(7, 10) <= found.lower <= reached


def test_a_fleet_beside_another_mechanism():
    groups, lam = [(2, "1/4", 1), (1, "1/5", 2)], Fraction(2)
    releases = [ways(groups), ways([(2, "1/3", 1)])]
    kinds = [fleet(groups), dp.KRandomization(n=2, q="1/3")]
    found = dp.delta(dp.Rounds(kinds), lam=lam)
    assert found.lower == found.upper == rounds.adaptive_among(releases, lam)
    found = dp.delta(dp.Rounds(kinds, adaptive=False), lam=lam)
    assert found.lower == max(rounds.divergence([x, y], lam) for (x,), (y,) in product(*releases))
    assert [times for _, _, times in found.datasets] == [1, 1]


def test_rounds_of_asymmetric_bits_by_every_direction():
    """The record may change either way in each round; one direction in all gives less."""
    bits = dp.AsymmetricBits(n=3, chances=("1/2", "1/20"))
    beforehand, strategy = (dp.delta(dp.Rounds([(bits, 2)], adaptive=way), lam="3/2") for way in (False, True))
    assert (beforehand.lower, strategy.lower) == (Fraction(27497731, 64000000), Fraction(56325373, 128000000))
    chances = Fraction(1, 2), Fraction(1, 20)
    laws = [[asymmetric.count([*[1] * m, *[0] * (2 - m), bit], *chances, 1) for bit in (0, 1)] for m in range(3)]
    each = [([(pair[i].get(s, 0), pair[1 - i].get(s, 0)) for s in range(4)],) for pair in laws for i in (0, 1)]
    assert strategy.upper == rounds.adaptive_among([each, each], Fraction(3, 2))
    assert beforehand.upper == max(rounds.divergence([x, y], Fraction(3, 2)) for (x,), (y,) in product(each, repeat=2))


@pytest.mark.parametrize(("chances", "k"), [(("3/5", "1/5"), 1), (("1/2", "1/10"), 1), (("9/10", "4/5"), 2)])
def test_bounds_of_one_group_are_next_to_delta(chances, k):
    """In each direction, by passes over many limits; the exact values come from all datasets."""
    group = dp.Group(n=9, chances=[Fraction(x) for x in chances], k=k)
    asked = [(Fraction(x, 10), Fraction(1, 1000)) for x in range(1, 8, 2)]
    for change in ((0, 1), (1, 0)):
        zeros = Bits(group.own, k, 8)
        one = zeros.mirror if change[0] else zeros
        for found, way in ((one.uppers(asked), change), (one.mirror.uppers(asked), change[::-1])):
            for (epsilon, _), bound in zip(asked, found, strict=True):
                ends = Limit.exp(epsilon).ends
                exact = max(
                    delta
                    for lam in (ends.lower, ends.upper)
                    for (_, bit), delta in asymmetric.everything(9, *group.chances, k, lam).items()
                    if bit == way[0]
                )
                assert exact * (1 - Fraction(1, 10**9)) <= bound <= exact * Fraction(1004, 1000)


def test_a_report_that_is_next_to_never_sent_shows_the_record():
    """At the loss of a normal law of the same variance, which is the largest there is, no composition has a delta."""
    mechanism = dp.AsymmetricBits(n=30, chances=("0.9999999", "0.9"))
    found, one = dp.delta(dp.Rounds([(mechanism, 2)]), epsilon="0.3"), dp.delta(mechanism, epsilon="0.3")
    assert one.lower <= found.lower <= found.upper <= found.lower * Fraction(1001, 1000)
    histogram = dp.AsymmetricBits(n=30, chances=("0.9999999", "0.9"), categories=3)
    found, one = dp.delta(dp.Rounds([(histogram, 2)]), epsilon="0.3"), dp.delta(histogram, epsilon="0.3")
    assert one.lower <= found.lower <= found.upper <= found.lower * Fraction(3, 2)


@pytest.mark.parametrize(("n", "chances", "lam"), [(4, ("16/25", "13/100"), 20), (5, ("3/5", "1/10"), 30)])
def test_the_next_release_of_a_histogram_may_depend_on_both_counts(n, chances, lam):
    """Where zeros and ones are reported unlike the count that a record leaves and the one it enters differ."""
    a, b = map(Fraction, chances)
    pairs = []
    for left, entered in product(range(n), repeat=2):
        if left + entered < n:
            laws = [[asymmetric.count([1] * m + [0] * (n - m), a, b, 1) for m in one]
                    for one in ((left + 1, entered), (left, entered + 1))]  # fmt: skip
            likely, unlikely = map(asymmetric.together, laws)
            pairs.append([(x, unlikely[seen]) for seen, x in likely.items()])
    truth = rounds.best_of_two(pairs, Fraction(lam))
    found = dp.delta(dp.Rounds([(dp.AsymmetricBits(n=n, chances=chances, categories=4), 2)]), lam=lam)
    assert found.lower <= truth <= found.upper <= truth * Fraction(103, 100)


def deleted(n, chances, k, absent):
    """The pairs of the only count that changes where a record is deleted, in the dataset that is likelier or not."""
    a, b = map(Fraction, chances)
    found = []
    for m in range(n):
        zero, one = (asymmetric.count([1] * m + [0] * (n - 1 - m) + [bit], a, b, k) for bit in (0, 1))
        likely, unlikely = (zero, one) if absent else (one, zero)
        found.append(([(p, unlikely[seen]) for seen, p in likely.items()],))
    return found


@pytest.mark.parametrize(
    ("n", "chances", "k", "times", "lam"),
    [(2, ("4/5", "11/20"), 1, 2, 2), (3, ("19/20", "9/20"), 1, 2, 3), (1, ("17/20", "2/5"), 1, 3, "11/10"),
     (2, ("3/5", "1/10"), 2, 2, "3/2"), (2, ("7/10", "3/10"), 1, 2, "3/2")],
)  # fmt: skip
def test_a_deleted_record_is_absent_in_the_same_dataset_in_all_rounds(n, chances, k, times, lam):
    lam, each = Fraction(lam), [deleted(n, chances, k, absent) for absent in (True, False)]
    histogram = dp.AsymmetricBits(n=n, chances=chances, k=k, categories=2, neighbours="delete")
    found = dp.delta(dp.Rounds([(histogram, times)]), lam=lam)
    assert found.value == max(rounds.adaptive_among([one] * times, lam) for one in each)
    ways = [way for one in each for way in product(*[[pair for (pair,) in one]] * times)]
    fixed = dp.delta(dp.Rounds([(histogram, times)], adaptive=False), lam=lam)
    assert fixed.value == max(rounds.divergence(way, lam) for way in ways)
    sides = family(dp.Rounds([(histogram, times)])).profile(0.5, 0.01).sides
    assert len(sides) == 1 + (sum(map(Fraction, chances)) != 1)
    for absent, side, one in zip(ABSENT, sides, each, strict=False):
        limit, best = Limit(lam), max(rounds.divergence(way, lam) for way in product(*[[p for (p,) in one]] * times))
        assert side.lower(limit) <= best <= rounds.adaptive_among([one] * times, lam) <= side.upper(limit), absent


def test_the_datasets_of_deleted_records_are_of_one_direction():
    each = [dp.AsymmetricBits(n=200, chances=one, categories=3, neighbours="delete")
            for one in (("1/2", "1/50"), ("49/50", "1/2"))]  # fmt: skip
    found = dp.delta(dp.Rounds(each), epsilon="0.6")
    assert len({at.value for _, at, _ in found.datasets}) == 1


@pytest.mark.parametrize("chances", [("9/10", "1/2"), ("9/10", "1/10")])
def test_a_record_that_is_removed_from_a_count_is_deleted_in_the_same_dataset(chances):
    a, b = map(Fraction, chances)
    histogram = dp.AsymmetricBits(n=6, chances=chances, categories=3, neighbours="delete")
    found = dp.delta(dp.Rounds([dp.Thresholded(3, sampled="1/2"), histogram]), epsilon=1)
    (_, holders, _), (_, at, _) = found.datasets
    assert holders.present
    assert not at.entered if isinstance(at, HistogramDataset) else at.value == 1
    lam, half = Limit.of(epsilon=1).ends.upper, Fraction(1, 2)

    def thresholded(n):
        masses = [math.comb(n, s) * half**n for s in range(n + 1)]
        return {"none": sum(masses[:3]), **dict(enumerate(masses[3:], 3))}

    def divergence(n, m):
        counts, bits = (thresholded(n + 1), thresholded(n)), [asymmetric.count([1] * m + [0] * (5 - m) + [bit], a, b, 1)
                                                              for bit in (1, 0)]  # fmt: skip
        likely, unlikely = (asymmetric.together(both) for both in zip(counts, bits, strict=True))
        return asymmetric.excess(likely, unlikely, lam)

    truth = max(divergence(n, m) for n in range(9) for m in range(6))
    assert found.lower <= truth


def test_an_upper_end_is_of_strategies_only_in_an_order_that_is_run():
    bits, other = dp.KRandomization(n=400, q="1/5"), dp.KRandomization(n=300, q="1/4")
    days = dp.Rounds([(dp.Rounds([bits, other], adaptive=False), 3)], adaptive=False)
    in_order = dp.Rounds([(bits, 3), (other, 3)], adaptive=False)
    words = [dp.delta(one, epsilon=1, rtol="0.5").proven_for for one in (days, in_order)]
    assert words == [FIXED, ADAPTIVE]


@pytest.mark.parametrize("n", [2, 100])
def test_the_largest_loss_of_deleted_records_is_of_one_direction(n):
    each = [dp.AsymmetricBits(n=n, chances=one, categories=3, neighbours="delete")
            for one in (("9/10", "1/2"), ("1/2", "1/10"))]  # fmt: skip
    for rounds_of in (dp.Rounds(each), dp.Rounds(each, adaptive=False)):
        told = dp.epsilon(rounds_of, delta=0)
        assert told.lower <= Fraction(math.log(9)) * (1 + Fraction(1, 10**12))
        assert Fraction(math.log(9)) * (1 - Fraction(1, 10**12)) <= told.upper < told.lower * (1 + Fraction(1, 10**12))
        assert dp.delta(rounds_of, lam=9).upper == 0 < dp.delta(rounds_of, lam="8.9").upper


@pytest.mark.parametrize("categories", [2, 4])
@pytest.mark.parametrize("chances", [("3/4", "1/5"), ("3/4", "1/4")])
def test_rounds_have_the_neighbours_of_what_is_run(chances, categories):
    for neighbours in ("replace", "delete"):
        one = dp.AsymmetricBits(n=50, chances=chances, categories=categories, neighbours=neighbours)
        for rounds_of in (dp.Rounds([one]), dp.Rounds([(dp.Rounds([one]), 3)])):
            assert rounds_of.relations == one.relations == {neighbours}
        other = dp.Filter(epsilon=1, delta="1e-6", neighbours={"replace": "delete", "delete": "replace"}[neighbours])
        with pytest.raises(dp.DomainError, match="neighbours"):
            other.allows(dp.Rounds([one]))


def test_one_round_may_show_it_all():
    """The worst composition of one round at the whole limit is compared with that of each round at its share."""
    groups = dp.Fleet([dp.Group(n=5, q="1e-5"), dp.Group(n=8, q="0.2")])
    found = dp.delta(dp.Rounds([(groups, 3)]), epsilon=2)
    assert found.lower < found.upper <= found.lower * Fraction(14, 10)


def test_outcomes_take_no_more_bits_than_the_faintest_one():
    """Rare reports lose so much beside their deviation that billions of bits are asked for."""
    one = Fleets.of(dp.Fleet([dp.Group(n=40, chances=("1e-9", "1e-10"))]))
    seen = one.revealed(Composition(0, (3,), 1, 0), centre=0.5, fineness=8, bits=10**10)
    assert len(seen.outcomes) == 41
    assert all(part.rel_accuracy_bits() > 60 for outcome in seen.outcomes for part in outcome)


def test_one_group_is_its_own_mechanism():
    plain, month = dp.KRandomization(n=100, q="1/10"), dp.Rounds([(fleet([(100, "1/10", 1)]), 5)])
    assert month == dp.Rounds([(plain, 5)])


def test_groups_alike_are_one():
    both = dp.Rounds([(fleet([(20, "1/10", 1), (10, "1/10", 1)]), 2)])
    whole = dp.Rounds([(dp.KRandomization(n=30, q="1/10"), 2)])
    found, same = (dp.delta(rounds, epsilon="1.5") for rounds in (both, whole))
    assert (found.lower, found.upper, found.datasets) == (same.lower, same.upper, same.datasets)


@pytest.mark.parametrize(
    ("sizes", "ones"),
    [
        ([(60, "0.2"), (10, "0.2")], lambda one: one["ones"] < 70),  # like groups are single bits
        ([(6, "0.2"), (2, "0.2"), (1, "0.3")], lambda one: len(one["ones"]) == 3 and 1 <= one["group"] <= 3),
    ],
)
def test_the_datasets_of_rounds_of_a_file_are_those_of_its_groups(tmp_path, capsys, sizes, ones):
    path = tmp_path / "fleet.toml"
    path.write_text("".join(f"[[group]]\nn = {n}\nq = {q}\n" for n, q in sizes), encoding="utf-8")
    assert main(["fleet", str(path), "--epsilon", "1", "--rounds", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["datasets"]
    assert sum(one["rounds"] for one in found) == 2
    assert all(map(ones, found))


def test_nothing_is_lost_beyond_all_local_epsilons():
    one = fleet([(2, "1/4", 1), (1, "1/5", 2)])  # ratios up to 3 and 16
    rounds = dp.Rounds([(one, 2)])
    assert dp.delta(rounds, epsilon="5.55").value == 0  # log 256 = 5.545...
    assert dp.delta(rounds, epsilon="5.5").lower > 0
    assert dp.epsilon(rounds, delta="1e-9").upper <= rounds.local_epsilon.upper
    assert dp.delta(dp.Rounds([one]), lam=2).value == dp.delta(one, lam=2).value


def test_a_fleet_with_noise_that_shows_its_end_has_no_local_epsilon():
    noise = dp.NoisyCount(dp.Binomial(8, "1/2"))
    found = dp.delta(dp.Rounds([fleet([(2, "1/4", 1), (1, "1/5", 2)]), noise]), epsilon=40)
    assert found.lower > 0


def test_pairs_are_listed_where_they_are_few():
    """Else each question would wait for a list that no sum over datasets can afford."""
    few, many = (family(dp.AsymmetricBits(n=n, chances=("1/2", "1/20"))) for n in (5, 98))
    assert len(list(few.every(2_000))) == 2 * 5
    assert not list(many.every(2_000))
