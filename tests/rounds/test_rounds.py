"""Several rounds: against every choice of datasets and every strategy, closed forms, figures from elsewhere, laws."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, pairwise

import mpmath
import pytest

import dpcalc as dp
from dpcalc.errors import Undecided
from dpcalc.families import bits
from dpcalc.families.bits import Bits
from dpcalc.families.boxes import Boxes
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import logarithm
from dpcalc.rounds import few_rounds, joint, tilted_rounds
from dpcalc.rounds.composed import Composed
from dpcalc.rounds.round import Round
from dpcalc.rounds.tilted_rounds import tilted
from tests.oracles import participation
from tests.oracles.rounds import adaptive, divergence, fixed, fixed_alike, pairs

TEN_THOUSAND = dp.KRandomization(n=10**4, q="1/10")


def mechanism(n, q, k=1):
    return dp.KRandomization(n=n, q=q, k=k)


@pytest.mark.parametrize(
    "released",
    [
        mechanism(50, "1/5"),
        dp.UnaryEncoding(n=50, q="1/5", categories=4),
        dp.AsymmetricBits(n=50, chances=("3/5", "1/5")),
        dp.Fleet([dp.Group(n=20, q="1/4"), dp.Group(n=10, q="1/8")]),
        dp.NoisyCount(dp.DiscreteLaplace("1/2")),
        dp.Sampled(mechanism(50, "1/5"), "1/10"),
        dp.Shuffle(dp.k_ary_response(3, lam=3), n=50),
        dp.Thresholded(5, sampled="1/10"),
    ],
)
def test_one_round_is_what_is_released(released):
    for rtol in ("1e-2", "1e-6"):
        assert dp.delta(dp.Rounds([released]), epsilon="1/5", rtol=rtol) == dp.delta(released, epsilon="1/5", rtol=rtol)


# --- exact -----------------------------------------------------------------------------------------------------

SMALL = [
    ([(2, "1/4", 1), (3, "1/10", 1)], "3/2"),
    ([(1, "1/5", 1), (4, "2/5", 1)], "1"),
    ([(2, "1/4", 2), (2, "1/3", 1)], "2"),
    ([(6, "1/4", 1), (1, "1/3", 2)], "5/4"),
    ([(2, "1/4", 1), (2, "1/5", 1), (1, "1/6", 1)], "3"),
]


@pytest.mark.parametrize(("rounds", "lam"), SMALL)
def test_every_choice_of_datasets(rounds, lam):
    each = [(n, Fraction(q), k) for n, q, k in rounds]
    best = fixed(each, Fraction(lam))
    found = dp.delta(dp.Rounds([mechanism(*one) for one in rounds], adaptive=False), lam=lam)
    assert found.value == best
    named = [pairs(m.n, m.q, m.k)[dataset.ones] for m, dataset, times in found.datasets for _ in range(times)]
    assert divergence(named, Fraction(lam)) == best
    both = dp.delta(dp.Rounds([mechanism(*one) for one in rounds]), lam=lam)
    assert both.upper >= best
    assert lattice(each, Limit.of(lam=lam)).upper >= best


@pytest.mark.parametrize(
    ("n", "q", "k", "times", "lam"), [(6, "1/4", 1, 2, "3/2"), (3, "1/7", 1, 3, "2"), (4, "1/3", 2, 2, "1")]
)
def test_equal_rounds(n, q, k, times, lam):
    best = fixed_alike((n, Fraction(q), k), times, Fraction(lam))
    found = dp.delta(dp.Rounds([(mechanism(n, q, k), times)], adaptive=False), lam=lam)
    assert found.value == best
    sides = lattice([(n, Fraction(q), k)] * times, Limit.of(lam=lam))
    assert sides.lower <= best <= sides.upper


def composed(kinds, near, width=0.01):
    """Both ends near an epsilon, about so far apart."""
    return Composed(tilted(tuple((Round(datasets, 0), times) for datasets, times in kinds), near), width)


def lattice(each, limit):
    """Both ends on a lattice of losses, which small cases would not need."""
    counts = {}
    for n, q, k in each:
        counts[Bits.symmetric(q, k, n - 1)] = counts.get(Bits.symmetric(q, k, n - 1), 0) + 1
    sides = composed(tuple(counts.items()), max(limit.steer(), 0.1))
    return dp.Enclosure(sides.lower(limit), sides.upper(limit))


@pytest.mark.parametrize(
    ("first", "second", "lam"),
    [
        ((3, "1/4", 1), (2, "1/10", 1), "3/2"),
        ((2, "1/10", 1), (3, "1/4", 1), "3/2"),
        ((2, "1/3", 1), (2, "1/4", 2), "2"),
        ((1, "1/5", 1), (3, "1/4", 1), "1"),
    ],
)
def test_every_strategy(first, second, lam):
    each = [(n, Fraction(q), k) for n, q, k in (first, second)]
    best = adaptive([[one] for one in each], Fraction(lam))
    found = dp.delta(dp.Rounds([mechanism(*first), mechanism(*second)]), lam=lam)
    assert found.value == best
    assert best >= fixed(each, Fraction(lam))
    assert lattice(each, Limit.of(lam=lam)).upper >= best


def test_rounds_of_rounds_promise_for_the_order_in_which_they_are_run():
    """a, b, a, b shows more than a, a, b, b: the same mechanisms, as many times."""
    a, b, lam = (2, "1/5"), (1, "1/3"), Fraction(5)
    truth = adaptive([[(n, Fraction(q), 1)] for n, q in (a, b, a, b)], lam)
    nested = dp.Rounds([(dp.Rounds([mechanism(*a), mechanism(*b)]), 2)])
    listed = dp.Rounds([(mechanism(*a), 2), (mechanism(*b), 2)])
    assert (nested.ordered, listed.ordered, nested.kinds == listed.kinds) == (False, True, True)
    assert dp.delta(listed, lam=lam).upper < truth <= dp.delta(nested, lam=lam).upper
    assert dp.Rounds([(dp.Rounds([(mechanism(*b), 3)]), 2), dp.Rounds([mechanism(*a), mechanism(*b)])]).ordered


def test_rounds_in_any_order_are_bounded_for_every_order():
    a, b = mechanism(1000, "1/10"), mechanism(2000, "1/5")
    daily, weeks = dp.Rounds([(dp.Rounds([a, b]), 3)]), [dp.Rounds([(x, 3), (y, 3)]) for x, y in ((a, b), (b, a))]
    found, *both = (dp.delta(one, epsilon="0.7") for one in (daily, *weeks))
    assert {one.lower for one in both} == {found.lower}
    assert max(one.upper for one in both) <= found.upper <= found.lower * Fraction(11, 10)


def closed_form(times, local, epsilon):
    """Kairouz, Oh, Viswanath (2015): many rounds of local randomized response."""
    with mpmath.workdps(50):
        likely = 1 / (1 + mpmath.exp(-mpmath.mpf(local)))
        terms = (
            mpmath.binomial(times, j) * likely ** (times - j) * (1 - likely) ** j
            * max(0, 1 - mpmath.exp(mpmath.mpf(str(float(epsilon))) - (times - 2 * j) * mpmath.mpf(local)))
            for j in range(times + 1)
        )  # fmt: skip
        return float(sum(terms))


#: The last one is no longer in rationals: on a lattice whose steps are those of the losses.
FARTHER = [(130, 0.5, 12), (1000, 0.05, 10)]


@pytest.mark.parametrize(
    ("times", "local", "digits"), [(30, 0.5, 12), *(pytest.param(*x, marks=pytest.mark.soak) for x in FARTHER)]
)
def test_local_randomized_response(times, local, digits):
    q = 1 / (1 + Fraction(math.exp(local)))
    found = dp.delta(dp.Rounds([(dp.KRandomization(n=1, q=q), times)]), epsilon=2)
    assert float(found.upper) == pytest.approx(closed_form(times, local, 2), rel=10**-digits)
    assert found.lower > found.upper * (1 - Fraction(1, 10**digits))
    if times == 30:
        assert float(found.lower) == pytest.approx(0.59305704649, abs=1e-11)


# --- large -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("times", "low", "high"),
    [(10, "0.33476", "0.33478"), pytest.param(100, "1.14208", "1.14219", marks=pytest.mark.soak)],
)
@pytest.mark.soak
def test_ten_thousand_people(times, low, high):
    """The figures were found in floating point, on a lattice of 100 points to a standard deviation."""
    found = dp.epsilon(dp.Rounds([(TEN_THOUSAND, times)]), delta="1e-6", ones=0, rtol="1e-4")
    assert found.lower <= Fraction(high)
    assert found.upper >= Fraction(low)
    assert found.upper <= found.lower * (1 + Fraction(11, 10**5))
    whole = dp.epsilon(dp.Rounds([(TEN_THOUSAND, times)]), delta="1e-6")
    assert whole.upper >= found.lower
    assert whole.lower <= found.upper
    assert whole.upper <= whole.lower * Fraction(1006, 1000)


@pytest.mark.parametrize("n", [10**6, 10**12])
@pytest.mark.soak
def test_many_people(n):
    """The Gaussian limit: epsilon of ten rounds at delta = 1e-9 is that of one Gaussian of their joint spread."""
    spread = 0.8 / math.sqrt(n * 0.09) * math.sqrt(10)
    found = dp.epsilon(dp.Rounds([(dp.KRandomization(n=n, q="1/10"), 10)]), delta="1e-9")

    def gaussian(epsilon):
        return 0.5 * math.erfc((epsilon / spread - spread / 2) / math.sqrt(2)) - math.exp(epsilon) * 0.5 * math.erfc(
            (epsilon / spread + spread / 2) / math.sqrt(2)
        )

    low, high = 0.0, 10 * spread
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if gaussian(middle) > 1e-9 else (low, middle)
    assert float(found.lower) == pytest.approx(low, rel=5e-3)
    assert float(found.upper) == pytest.approx(low, rel=5e-3)
    assert found.lower < found.upper


# --- laws ------------------------------------------------------------------------------------------------------


def test_the_order_of_rounds_does_not_matter_but_to_a_strategy():
    a, b, c = mechanism(300, "1/5"), mechanism(500, "1/4", 2), (mechanism(300, "1/5"), 4)
    forward, backward = (dp.delta(dp.Rounds(x), epsilon="0.7") for x in ([a, b, c], [c, b, a]))
    assert forward.lower == backward.lower
    assert max(forward.upper, backward.upper) <= forward.lower * Fraction(103, 100)
    assert sum(times for *_, times in forward.datasets) == 6


@pytest.mark.parametrize("epsilon", [pytest.param("0.05", marks=pytest.mark.soak), "0.6"])
def test_two_lattices_overlap(epsilon):
    rounds, limit = (
        ((Bits.symmetric(Fraction(1, 5), 1, 999), 5), (Bits.symmetric(Fraction(1, 4), 2, 99), 1)),
        Limit.of(epsilon=epsilon),
    )
    ends = [
        (x.lower(limit), x.upper(limit)) for x in (composed(rounds, float(epsilon), d) for d in (0.05, 0.02, 0.003))
    ]
    assert max(low for low, _ in ends) <= min(high for _, high in ends)
    assert ends[2][1] - ends[2][0] < ends[0][1] - ends[0][0]


@pytest.mark.soak
def test_beyond_the_largest_loss_nothing_is_left():
    for rounds in ([(mechanism(3, "1/4"), 2)], [(mechanism(1000, "1/4"), 2)]):
        assert dp.delta(dp.Rounds(rounds), lam=9).value == 0
        assert dp.delta(dp.Rounds(rounds), lam="8.999").upper > 0
    assert dp.delta(dp.Rounds([mechanism(50, "1/4"), mechanism(50, "1/5")]), lam=12).value == 0
    long = dp.Rounds([(mechanism(50, "1/4"), 600), (mechanism(50, "1/5"), 500)])
    assert dp.delta(long, epsilon=long.local_epsilon.upper).value == 0
    assert dp.delta(long, lam=2000).lower > Fraction(9, 10)


def of_one(kinds, ones, limit):
    """delta of the datasets with so many ones in all rounds: the larger of the two directions."""
    each = [(pairs(n, Fraction(q), k), n - 1, times) for (n, q, k), times in kinds]
    ways = [[one[ones] for one, _, times in each for _ in range(times)],
            [one[last - ones] for one, last, times in each for _ in range(times)]]  # fmt: skip
    return [max(divergence(way, lam) for way in ways) for lam in (limit.ends.upper, limit.ends.lower)]


#: Rounds, ones and epsilon: losses on and beside the points of a lattice, tiny beside large ones, hardly ever seen.
OF_ONE = [
    ([((1, "17/50", 1), 2)], 0, "0"),
    ([((1, "3/50", 2), 2)], 0, "0"),
    ([((3, "1/4", 1), 2)], 1, "0.7"),
    ([((3, "295/1024", 1), 1), ((3, "49999/100000", 2), 1)], 0, "0.13842"),
    ([((3, "19/1024", 1), 1), ((3, "49999/100000", 1), 1)], 1, "3.50026"),
    ([((4, "1/380", 1), 2)], 1, "7.57437"),
    ([((2, "1/8", 1), 4)], 1, "4.29161"),
    ([((1, "1e-7", 1), 3)], 0, "1e-3"),
]


@pytest.mark.parametrize(("kinds", "ones", "epsilon"), OF_ONE)
@pytest.mark.parametrize("adaptive", [True, False])
def test_one_composition_of_few_records(kinds, ones, epsilon, adaptive):
    low, high = of_one(kinds, ones, Limit.of(epsilon=epsilon))
    rounds = dp.Rounds([(mechanism(*one), times) for one, times in kinds], adaptive=adaptive)
    found = dp.delta(rounds, epsilon=epsilon, ones=ones)
    assert (found.lower, found.upper) == (low, high)
    assert found.upper <= found.lower * (1 + Fraction(1, 10**9))
    each = [(pairs(m.n, m.q, m.k), m.n, dataset, times) for m, dataset, times in found.datasets]
    way = [both[at.ones + n * at.value] for both, n, at, times in each for _ in range(times)]
    assert {dataset.ones for _, _, dataset, _ in each} == {ones}
    assert divergence(way, Limit.of(epsilon=epsilon).ends.upper) == low


def test_the_epsilon_of_one_composition_of_few_records():
    found = dp.epsilon(dp.Rounds([(mechanism(3, "1/4"), 2)]), delta="1/10", ones=1)
    each = pairs(3, Fraction(1, 4), 1)
    above, below = (divergence([each[1]] * 2, Fraction(math.exp(x))) for x in (found.lower, found.upper))
    assert above >= Fraction(1, 10) >= below > Fraction(999, 10_000)


@pytest.mark.parametrize(
    ("kinds", "ones", "epsilon", "within"),
    [
        ([((1, "17/50", 1), 30)], 0, "1/2", "1e-9"),  # losses are multiples of one: nothing is lost
        ([((1, "3/50", 2), 40)], 0, "0", "1e-9"),
        ([((2, "0.4999", 1), 30)], 1, "0.006", "1e-2"),
        ([((2, "0.499999999", 1), 10)], 0, "0", "1e-2"),
        ([((2, "2/5", 1), 30)], 1, "5", "1e-2"),
    ],
)
def test_the_ends_of_one_composition_nearly_meet(kinds, ones, epsilon, within):
    rounds = dp.Rounds([(mechanism(*one), times) for one, times in kinds])
    found, every = dp.delta(rounds, epsilon=epsilon, ones=ones), dp.delta(rounds, epsilon=epsilon)
    assert 0 < found.lower <= found.upper <= found.lower * (1 + Fraction(within))
    assert found.lower <= every.upper


@pytest.mark.parametrize(
    ("kinds", "epsilon", "ones"),
    [
        pytest.param([((10, "49999/100000"), 3), ((10, "499/1000", 3), 30)], "0.2271", 0, marks=pytest.mark.soak),
        ([((300, "667/2000"), 10)], "2.9", 299),
    ],
)
def test_a_faint_delta_of_one_composition_has_an_upper_end(kinds, epsilon, ones):
    """However many outcomes are fainter than those that are listed at first."""
    found = dp.delta(dp.Rounds([(mechanism(*one), times) for one, times in kinds]), epsilon=epsilon, ones=ones)
    assert 0 < found.lower <= found.upper < found.lower * Fraction(105, 100) < Fraction(1, 10**88)


FAR = [
    (dp.UnaryEncoding(n=10**5, categories=8, q="0.1"), ("0.5", "2")),
    (dp.UnaryEncoding(n=50_000, categories=8, q="1/4"), ("1", "2")),
    (dp.UnaryEncoding(n=10**6, categories=8, q="0.01"), ("0.5", "3")),
    (dp.Rounds([(mechanism(10**6, "0.01"), 2)]), ("1", "4")),
]


@pytest.mark.parametrize(("rounds", "epsilons"), FAR)
@pytest.mark.soak
def test_a_delta_far_out_has_both_ends(rounds, epsilons):
    """Where a normal law of the losses would have them is no outcome; it was an error."""
    near, far = (dp.delta(rounds, epsilon=epsilon) for epsilon in epsilons)
    assert 0 < far.lower <= far.upper < near.lower**2
    assert logarithm(far.upper) < Fraction(3, 4) * logarithm(far.lower)


@pytest.mark.parametrize(
    "rounds",
    [
        dp.Rounds([(mechanism(10**9, "0.1"), 30)]),
        dp.Rounds([(dp.Fleet([dp.Group(n=10**12, q="0.1"), dp.Group(n=10**6, q="0.01", k=3)]), 3)]),
    ],
)
def test_a_delta_too_faint_for_a_lattice_is_bounded_round_by_round(rounds):
    found = dp.delta(rounds, epsilon=1)
    assert found.lower == 0 < found.upper < Fraction(1, 10**30_000)


def test_each_round_at_its_share_of_epsilon_bounds_all_of_them():
    """Far above where losses add up, and never below."""
    for n, q, times, epsilon in ((5, "1/4", 2, "0.5"), (3, "1/10", 3, "2"), (2, "2/5", 3, "0.6")):
        truth = adaptive([[(n, Fraction(q), 1)]] * times, Limit.of(epsilon=epsilon).ends.upper)
        one = Round(Bits.symmetric(Fraction(q), 1, n - 1), 0)
        found = Composed(tilted(((one, times),), float(epsilon)), 0.01)._one_by_one(Fraction(epsilon))
        product = 1 - (1 - one.upper(Fraction(epsilon) / times)) ** times
        assert max(truth, product) <= found <= product * (1 + Fraction(1, 10**12)) < 200 * truth


def test_the_work_of_ranges_is_limited_where_transforms_are_longer_than_foreseen():
    (side,) = joint.Joint(((mechanism(33078, "0.062"), 4024),), False).profile(4.89, 0.09).sides
    found = side._by_range
    assert found is None or found.points * math.log2(found.points) * 8 * 4024 <= 3e9


def test_a_width_that_takes_too_many_points_leaves_a_coarser_answer():
    found = dp.delta(dp.Rounds([(mechanism(2, "0.499"), 991_800)]), epsilon="0.0156", rtol="0.00109")
    assert 0 < found.lower <= found.upper <= found.lower * Fraction(101, 100)


def test_no_loss_is_looked_at_that_is_too_rare_to_matter():
    """Chernoff's bound of these rare flips is 5 x 10^-5 or more up to a loss of 20, where delta is 10^-11."""
    (side,) = joint.Joint(((mechanism(13502, "0.0006116", 3), 2),), False).profile(6.1, 0.01).sides
    assert side.knots[0][-1][0] * side.step < 13
    assert dp.delta(dp.KRandomization(n=13502, q="0.0006116", k=3), epsilon=13).upper < Fraction(1, 10**9)


@pytest.mark.parametrize("times", [2, 5])
def test_flips_that_are_hardly_ever_seen(times):
    found = dp.delta(dp.Rounds([(mechanism(1000, "1e-30"), times)]), epsilon=1)
    assert 1 - Fraction(1, 10**9) < found.upper <= 1
    assert found.lower <= found.upper
    assert times > 2 or found.lower > Fraction(99, 100)


@pytest.mark.soak
def test_a_gap_that_fixed_datasets_do_not_close():
    rounds = dp.Rounds([(mechanism(100, "1/5"), 4)], adaptive=False)
    with pytest.raises(dp.Undecided, match="fixed in advance") as error:
        dp.delta(rounds, epsilon="0.5", rtol="1e-4")
    assert error.value.enclosure.lower > 0
    assert "later data" in dp.delta(dp.Rounds([(mechanism(100, "1/5"), 4)]), epsilon="0.5").meaning


@pytest.mark.parametrize(
    ("n", "q", "times", "target", "fixed", "width"),
    [
        (10**5, "0.00033535", 30, "1e-9", "6.340", "0.011"),
        (10**5, "0.00033535", 365, "1e-9", "25.635", "0.036"),
        (1000, "1/10", 365, "1e-9", "10.686", "0.018"),
        (10**5, "0.00033535", 10**4, "1e-9", "258.6", "0.07"),
    ],
)
@pytest.mark.soak
def test_few_flips_seen_in_many_rounds(n, q, times, target, fixed, width):
    """The figures are of all others zero, in floating point; the upper end is that of the envelopes, which is wider."""
    found = dp.epsilon(dp.Rounds([(mechanism(n, q), times)]), delta=target)
    assert Fraction(fixed) * Fraction(998, 1000) < found.lower < Fraction(fixed) * Fraction(1001, 1000)
    assert Fraction(fixed) < found.upper <= found.lower * (1 + Fraction(width))


@pytest.mark.parametrize(("n", "q", "times", "epsilon"), [(10**4, "0.0002", 30, "17.57"), (10**6, "1e-8", 30, "100")])
@pytest.mark.soak
def test_the_dataset_below_is_no_worse_than_zeros(n, q, times, epsilon):
    rounds = dp.Rounds([(mechanism(n, q), times)])
    every, zeros = (dp.delta(rounds, epsilon=epsilon, **given) for given in ({}, {"ones": 0}))
    assert every.lower >= zeros.lower * Fraction(99, 100)
    assert zeros.lower >= zeros.upper * Fraction(99, 100)
    assert every.lower > every.upper * Fraction(9, 10)


@pytest.mark.parametrize(("q", "times", "epsilon"), [("1/5", 300, 980.386), ("2/25", 2000, 12899.0)])
@pytest.mark.soak
def test_losses_of_one_record_are_multiples_of_that_of_a_report(q, times, epsilon):
    """So are those of as many reports, one a round: the number of ones is all that counts."""
    q = Fraction(q)
    found = dp.delta(dp.Rounds([(mechanism(1, q, 3), times)]), epsilon=Fraction(str(epsilon)))
    truth = closed_form(3 * times, mpmath.log((1 - q) / q), Fraction(str(epsilon)))
    assert float(found.lower) == pytest.approx(truth, rel=1e-9)
    assert float(found.upper) == pytest.approx(truth, rel=1e-9)


@pytest.mark.parametrize(
    ("n", "q", "times", "target"), [(15100, "7.684e-5", 301, "1e-4"), (10, "0.01114", 4082, "0.1")]
)
@pytest.mark.soak
def test_delta_next_to_1_below_the_usual_loss(n, q, times, target):
    """The circle of epsilon = 0, or of the local epsilon, would take too many points, or shows nothing elsewhere."""
    rounds = dp.Rounds([(mechanism(n, q), times)])
    found = dp.epsilon(rounds, delta=target)
    assert found.lower < found.upper <= found.lower * Fraction(108, 100)
    assert dp.delta(rounds, epsilon=found.lower / 2, rtol="0.1").lower > Fraction(99, 100)


@pytest.mark.soak
def test_an_epsilon_far_below_the_local_one():
    q, times = Fraction("0.1126"), 9566
    found = dp.epsilon(dp.Rounds([(mechanism(1, q), times)]), delta="1e-4")
    local = mpmath.log((1 - q) / q)
    assert closed_form(times, local, found.upper) <= 1e-4 < closed_form(times, local, found.lower)
    assert found.upper <= found.lower * Fraction(100_001, 100_000)


def test_losses_too_faint_for_the_lattice_leave_both_ends_open():
    rare, lam = Bits.symmetric(Fraction(1, 10**9), 1, 1), Fraction(1)
    found = composed(((rare, 3),), 0.0)
    ((truth, _),) = few_rounds.fixed([(tuple(rare.every(100)), 3)], [lam])
    assert found.lower(Limit(lam)) <= truth <= found.upper(Limit(lam))


@pytest.mark.filterwarnings("error")
def test_products_below_the_range_of_doubles_are_no_warning():
    found = dp.delta(dp.Rounds([(mechanism(10**5, "1e-9"), 3)]), epsilon="62.1")
    assert 0 <= found.lower <= found.upper <= 1


def test_a_round_that_is_not_settled_is_bounded_all_the_same(monkeypatch):
    """By what few pairs tell; what was proven of one of them is not passed off as delta of all."""
    rounds = dp.Rounds([(mechanism(100, "1/10"), 5)])
    best = dp.delta(rounds, epsilon="0.123")
    monkeypatch.setattr(Bits, "passed", lambda self, limits, *_, **__: [None] * len(limits))
    monkeypatch.setattr(bits, "_WORK", 0)
    bits.upper.cache_clear()
    found = dp.delta(rounds, epsilon="0.123")
    bits.upper.cache_clear()
    assert found.lower <= best.upper
    assert found.upper >= best.upper


@pytest.fixture
def loose(monkeypatch):
    """Boxes whose upper end is far above; mostly both are hardly apart."""
    bounded = Boxes.bounded
    monkeypatch.setattr(Boxes, "bounded", lambda *given, **more: replace(bounded(*given, **more), upper=0.75))


def test_the_ends_that_boxes_prove_are_both_kept(loose):
    rounds = dp.Rounds([(dp.KRandomization(n=300, q="1/10"), 2)], adaptive=False)
    found = joint.Joint(rounds.kinds, True).profile(0.5, 0.01).settled(Limit.of(epsilon="0.5"), Fraction(1, 100))
    assert found.lower < Fraction(1, 10) < found.upper == Fraction(3, 4)


SIXTY = dp.Rounds([(dp.KRandomization(n=60, q="1/10"), 2)], adaptive=False)


@pytest.fixture
def sharp():
    return dp.delta(SIXTY, epsilon="0.9", rtol="1e-2")


def test_a_refusal_of_a_width_says_what_is_proven(sharp, loose, monkeypatch):
    monkeypatch.setattr(Composed, "upper", lambda *_, **__: Fraction(1, 4))  # in place of the lattice
    with pytest.raises(Undecided, match="not settled to this width") as caught:
        dp.delta(SIXTY, epsilon="0.9", rtol="1e-2")
    assert 0 < caught.value.enclosure.lower <= sharp.upper
    assert caught.value.enclosure.upper == Fraction(1, 4)


def test_small_rounds_hold_a_limit_known_by_its_logarithm_from_both_sides():
    """e^0.1 lies between the number below and the next one of as many digits; delta falls between them."""
    low = Fraction("1.10517091807564762481170782649024666822454719473751871879286328944096")
    rounds = [(3, Fraction(1, 4), 1), (2, Fraction(1, 5), 1)]
    at = joint.Joint(tuple((dp.KRandomization(n=n, q=q), 1) for n, q, _ in rounds), True).profile(0.1, 0.01)
    limit = Limit.of(epsilon="0.1")
    found = at.delta(limit, rtol=Fraction(1, 100))
    assert found.lower < fixed(rounds, low + Fraction(1, 10**68)) < fixed(rounds, low) < found.upper


def test_boxes_prove_delta_at_most_a_target_only_where_it_is():
    rounds, limit = dp.Rounds([(dp.KRandomization(n=60, q="1/10"), 2)], adaptive=False), Limit.of(epsilon="0.9")
    found, at = dp.delta(rounds, epsilon="0.9", rtol="1e-2"), joint.Joint(rounds.kinds, True).profile(0.9, 0.01)
    assert at.within(limit, found.upper * Fraction(101, 100))
    assert not at.within(limit, found.lower * Fraction(99, 100))


def test_boxes_prove_nothing_where_they_find_no_dataset():
    rounds = dp.Rounds([(dp.KRandomization(n=5, q="1e-80"), 2)], adaptive=False)
    at = joint.Joint(rounds.kinds, True).profile(301.0, 0.01)
    assert at.boxes.served
    assert not at.within(Limit.of(epsilon=301), Fraction(1, 2))


@pytest.mark.soak
def test_two_rounds_as_faint_as_doubles_cannot_hold():
    """Both ends are within a few percent of what whole numbers give for datasets of zeros."""
    n, lam = 3000, 20
    zero = [math.comb(n - 1, s) * 3**s * 17 ** (n - 1 - s) for s in range(n)]
    p = [17 * a + 3 * b for a, b in zip([*zero, 0], [0, *zero], strict=True)]  # of 20^n, the changed record 0
    q = [3 * a + 17 * b for a, b in zip([*zero, 0], [0, *zero], strict=True)]
    likely, unlikely = list(accumulate(p, initial=0)), list(accumulate(q, initial=0))
    total, t = 0, n + 1
    for a, b in zip(p, q, strict=True):  # the ratio falls, and so does what the other count may be
        while t and a * p[t - 1] <= lam * b * q[t - 1]:
            t -= 1
        total += a * likely[t] - lam * b * unlikely[t]
    exact = Fraction(total, 20 ** (2 * n))
    found = dp.delta(dp.Rounds([(dp.KRandomization(n=n, q="3/20"), 2)]), lam=lam)
    assert exact < Fraction(1, 10**308)
    assert {dataset.ones for _, dataset, _ in found.datasets} == {0}
    assert exact * Fraction(3, 4) < found.lower <= exact <= found.upper < exact * Fraction(101, 100)


def test_chords_are_near_enough_to_each_other_where_delta_is_steep():
    """Chords rise by the gap times the deviations: no more than the losses are rarer there."""
    steep = composed(((Bits.symmetric(Fraction(3, 20), 7, 10**5 - 1), 3),), 2.0, 0.001)
    loss, theta = steep.tilted.losses[0], steep.tilted.theta
    places = [float(j * steep.step) for j, _ in steep.knots[0]]
    for low, high in pairwise(places):
        away = min(abs(low - loss.moments.mean), abs(high - loss.moments.mean)) / loss.deviation
        assert (high - low) * theta < max(2.0, away**2 / 2)


# --- far out ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "q", "lam"), [(3, "1e-6", 10**7), (2, "1e-8", 10**9), (4, "1e-5", 10**6)])
def test_losses_that_lie_far_apart(n, q, lam):
    """All of delta lies in outcomes next to the largest loss, of which a Gaussian mechanism knows nothing."""
    each = (n, Fraction(q), 1)
    best, limit = fixed_alike(each, 2, Fraction(lam)), Limit.of(lam=lam)
    sides = composed(((Bits.symmetric(each[1], 1, n - 1), 2),), limit.steer(), 1e-4)
    assert sides.lower(limit) <= best <= sides.upper(limit) <= sides.lower(limit) * Fraction(3, 2)


class Slow(Bits):
    """Which no pass of doubles serves."""

    def passed(self, limits, *_, **__):
        return [None] * len(limits)


def test_knots_that_would_take_too_long_are_bounded_by_chernoff(monkeypatch):
    """Wider, and never below: by three times a round at most, delta being as large as it is here."""
    datasets, limit = Slow.symmetric(Fraction(1, 4), 1, 5), Limit.of(lam="3/2")
    bits.upper.cache_clear()
    monkeypatch.setattr("dpcalc.rounds.composed._MOST", 0)  # one pair above all datasets
    sharp = composed(((datasets, 2),), 0.4).upper(limit)
    monkeypatch.setattr(bits, "_WORK", 0)
    quick = composed(((datasets, 2),), 0.4).upper(limit)
    assert fixed_alike((6, Fraction(1, 4), 1), 2, Fraction(3, 2)) <= sharp < quick < 9 * sharp


def test_the_quick_bound_is_above_every_dataset():
    for n, q, k, lam in ((60, "1/4", 1, "2"), (200, "9/20", 1, "11/10"), (40, "1/4", 3, "12"), (40, "1/4", 1, "3")):
        datasets, limit = Bits.symmetric(Fraction(q), k, n - 1), Limit.of(lam=lam)
        width = Fraction(1, 100)
        most = max(datasets.pair(m).enclosed(limit, rtol=width).upper for m in range(n))
        assert most * (1 - width) <= datasets.quick(limit) <= 10**4 * most


@pytest.mark.soak
def test_losses_farther_out_than_of_a_gaussian_mechanism():
    """A dozen flips of 4,338 people: nearly all of the bound would lie in losses counted as infinite."""
    kinds, limit = ((Bits.symmetric(Fraction("0.00275"), 1, 4337), 10),), Limit.exp(Fraction(9))
    found = composed(kinds, 9.0, 0.05).upper(limit)
    assert found >= dp.delta(dp.Rounds([(mechanism(4338, "0.00275"), 1)]), epsilon=9).upper
    assert found < 10**4 * composed(kinds, 9.0, 0.05).lower(limit)
    each, lam = (3, Fraction(1, 10), 1), Fraction(30)
    farther = composed(((Bits.symmetric(each[1], 1, 2), 2),), math.log(30))
    assert farther.upper(Limit.of(lam=lam)) >= fixed_alike(each, 2, lam)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("n", "q", "times", "epsilon", "lower", "upper"),
    [
        (10**12, "1e-9", 2, 30, "2e-869", "1e-862"),
        (10**8, "1e-6", 3, 15, "1e-56", "1e-54"),
        (474_805_182, "0.234", 6, "0.0639", "1e-44135", "1e-44130"),
    ],
)
def test_extreme_questions_have_answers(n, q, times, epsilon, lower, upper):
    """They took minutes, or for ever."""
    found = dp.delta(dp.Rounds([(mechanism(n, q), times)]), epsilon=epsilon)
    assert Fraction(lower) <= found.lower <= found.upper <= Fraction(upper)


@pytest.mark.parametrize(
    ("n", "q", "times", "target"),
    [
        (5000, "0.1", 10, "1e-60"),
        pytest.param(10**5, "0.001", 10, "1e-25", marks=pytest.mark.soak),
        (10**4, "0.1", 100, "1e-300"),
    ],
)
def test_an_epsilon_far_out_is_as_narrow_as_one_nearby(n, q, times, target):
    """What was left out at the estimate is more than the target: the upper ends lay at 7.9, 19.2 and 156.5."""
    found = dp.epsilon(dp.Rounds([(mechanism(n, q), times)]), delta=target)
    assert found.lower < found.upper <= found.lower * Fraction(201, 200)


def test_losses_too_rare_to_matter_do_not_steer():
    """The count of 0 has the largest loss, 13.9 of 10^8 users and 9.3 of 10^6, and a chance of e^-90."""
    few, many = (
        tilted(((Round(Bits.of(mechanism(n, Fraction(90, n))), 0), 30),), 2.743).losses[0] for n in (10**6, 10**8)
    )
    assert many.losses[-1] < 2
    assert many.deviation == pytest.approx(few.deviation, rel=0.01)
    alone = tilted_rounds.TiltedLoss([0.0, 1.0, 2.0, 9.0], [-1.0, -1.0, -40.0, -50.0], 0.5)
    assert [len(alone.likely(least).losses) for least in (-30.0, -39.0, -60.0, 1.0)] == [2, 3, 4, 1]


@pytest.mark.parametrize("times", [10**4, 10**6])
def test_a_bound_far_above_one_is_one(times):
    """Chernoff's bound of losses of 35 each is e^{a million or more}."""
    found = dp.delta(dp.Rounds([(mechanism(1, "1e-15"), times)]), lam=2)
    assert 1 - Fraction(1, 10**9) < found.lower <= found.upper <= 1


def test_losses_next_to_nothing_beside_others_do_not_make_the_lattice():
    """Of 4e-9 beside 27.6: as many points as the small ones ask for would be 10^10."""
    kinds = [mechanism(3, "1e-12"), mechanism(2, "0.499999999")]
    found = dp.delta(dp.Rounds([(dp.Rounds(kinds), 2)]), lam="1.001")
    flat = dp.delta(dp.Rounds([(one, 2) for one in kinds]), lam="1.001")
    assert found.lower <= flat.upper
    assert flat.lower <= found.upper
    assert 1 - Fraction(1, 10**9) < found.lower


def test_rounds_in_rounds_are_their_rounds():
    week = dp.Rounds([(mechanism(50, "1/4"), 7), (mechanism(60, "1/4"), 2)], adaptive=False)
    assert dp.Rounds([(week, 3)]).kinds == ((mechanism(50, "1/4"), 21), (mechanism(60, "1/4"), 6))
    assert not dp.Rounds([week], adaptive=False).adaptive
    assert dp.Rounds([dp.Rounds([mechanism(5, "1/4")])], adaptive=False).adaptive
    many = dp.Rounds([mechanism(n, "1/4") for n in range(1, 61)])
    with pytest.raises(dp.DomainError, match=r"120 kinds in all.* at most 100 kinds"):
        dp.Rounds([many, dp.Rounds([mechanism(n, "1/3") for n in range(1, 61)])])


@pytest.mark.parametrize(("n", "q", "rounds", "most", "lam"), [(2, "1/4", 3, 2, "2"), (1, "1/3", 4, 1, "3/2")])
def test_some_of_many_rounds(n, q, rounds, most, lam):
    asked = dp.Rounds([(dp.KRandomization(n=n, q=q), rounds)], at_most=most)
    assert asked == dp.Rounds([(dp.KRandomization(n=n, q=q), most)])
    assert dp.Rounds([(dp.KRandomization(n=n, q=q), rounds)], at_most=99).total == rounds
    assert dp.delta(asked, lam=lam).value == participation.strategy(n, Fraction(q), rounds, most, Fraction(lam))


@pytest.mark.parametrize("epsilon", ["0", "0.001"])
def test_next_to_no_epsilon_the_ends_nearly_meet(epsilon):
    """Losses are hundredths of 1 there, and the lattice as fine: its steps count beside their deviation."""
    found = dp.delta(dp.Rounds([(mechanism(10**5, "1/4"), 10)]), epsilon=epsilon)
    assert 0 < found.upper <= found.lower * Fraction(101, 100)
