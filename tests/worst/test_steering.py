import math
from fractions import Fraction

import pytest

import dpcalc as dp
from dpcalc.choose.least import least_n
from dpcalc.families import bits
from dpcalc.laws.pool import Pool
from dpcalc.numbers.limit import Limit
from dpcalc.pairs import pair
from dpcalc.worst import in_arrays, one_pass
from dpcalc.worst import steering as module
from dpcalc.worst.datasets import Datasets
from tests.oracles.scan import deltas


@pytest.mark.parametrize(("n", "q", "near"), [(10**7, "1/4", 3e-12), (10**7, "1/100", 3e-10), (10**9, "9/20", 1e-12)])
@pytest.mark.parametrize("z", [0, 0.05, 0.2, 0.4])
def test_tails_next_to_the_mean(n, q, near, z):
    chance, p = float(Fraction(q)), float(1 - Fraction(q))
    t = int(n * chance - z * (n * chance * p) ** 0.5)
    truth = float(Pool.of((Fraction(q), n)).at_most(t, rtol=Fraction(1, 10**16)))
    assert module._edgeworth(n, chance, p, t) == pytest.approx(truth, rel=near)


@pytest.mark.parametrize(
    ("n", "q", "t"), [(1000, "0.1", 60), (1000, "0.1", 75), (1000, "0.1", 95), (10**6, "9e-5", 50), (90, "0.3", 0)]
)
def test_tails_far_from_the_mean_and_near_it(n, q, t):
    """Sums of chances, and a continued fraction."""
    truth = float(Pool.of((Fraction(q), n)).at_most(t, rtol=Fraction(1, 10**16)))
    assert module._lower_tail(n, float(q), float(1 - Fraction(q)), t)[0] == pytest.approx(truth, rel=1e-12)


def test_the_continued_fraction_is_left_where_it_would_be_long(calls_of):
    """Next to the mean of 6 10^11 reports it takes a million terms, 34 times: 15 s."""
    tails = calls_of(module, "_edgeworth")
    found = least_n(q="9/20", delta="1e-6", epsilon=0, k=10)
    assert tails
    assert found.lower <= 64_305_059_665 <= found.upper + 64_306


@pytest.mark.parametrize(("n", "q", "epsilon"), [(60, "0.03", "1"), (200, "0.1", "0.6"), (250, "0.1", "0.4")])
def test_the_dataset_that_shows_most_is_known(n, q, epsilon):
    """Where it is that of zeros and where it is not."""
    limit = Limit.of(epsilon=epsilon)
    every = deltas(n, Fraction(q), 1, limit.ends.lower)
    assert every[module.worst_ones(Datasets.symmetric(Fraction(q), 1, n - 1), limit.steer())] == max(every)


#: b, a, k.
ASYMMETRIC = [("1/50", "1/2", 1), ("1/2", "49/50", 3), ("0.11", "0.9", 1), ("0.3", "0.35", 2), ("1/1000", "1/3", 1)]


@pytest.mark.parametrize(("b", "a", "k"), ASYMMETRIC)
@pytest.mark.parametrize("epsilon", ["0.05", "0.3"])
def test_the_worse_end_of_asymmetric_bits_is_known(b, a, k, epsilon):
    limit = Limit.of(epsilon=epsilon)
    for way in Datasets((Fraction(b), Fraction(a)), k, 2000).ways:
        zeros, ones = (way.pair(m).divergence(limit, rtol=Fraction(1, 10**9)) for m in (0, 2000))
        if zeros.upper and abs(float(ones.lower / zeros.upper) - 1) > 0.1:
            assert module.worse_end(way, limit.steer()) == (2000 if ones.lower > zeros.upper else 0)


@pytest.mark.parametrize(("b", "a", "k"), ASYMMETRIC)
@pytest.mark.parametrize("rare", [0, 3])
def test_where_asymmetric_bits_cross_a_target_is_known(b, a, k, rare):
    """Of few ones, and of few zeros."""
    target = Fraction(1, 10**5)
    for way in Datasets((Fraction(b), Fraction(a)), k, 2000).ways:
        for ones in (rare, 2000 - rare):
            place, steep = module.crossing(
                way, target, ones, min(module.about(way, target), 0.9 * way.largest_loss), 1e-6
            )
            found = way.single(ones, Limit.of(epsilon=place), rtol=Fraction(1, 10**9))
            assert steep > 0
            assert float(found.lower / target) == pytest.approx(1, rel=1e-4 * steep)


def test_where_it_is_not_known_zeros_are_taken():
    for q, k, epsilon in (("0.1", 2, "0.1"), ("0.1", 1, "0"), ("0.1", 1, "3"), ("0.4999999999", 1, "1e-11")):
        assert module.worst_ones(Datasets.symmetric(Fraction(q), k, 1000), Limit.of(epsilon=epsilon).steer()) == 0


@pytest.mark.parametrize(
    ("n", "q", "k", "target"),
    [
        (1000, "0.1", 1, "1e-6"), (1000, "0.07", 1, "1e-12"), (10**4, "0.0089", 1, "1e-6"), (10**6, "9e-5", 1, "1e-12"),
        (10**6, "0.1", 1, "1e-40"), (1000, "0.45", 3, "1e-12"), (10**5, "0.001", 10, "1e-12"),
    ],
)  # fmt: skip
def test_a_normal_law_with_its_skewness_is_near_the_crossing(n, q, k, target):
    datasets, target = Datasets.symmetric(Fraction(q), k, n - 1), Fraction(target)
    near = module.about(datasets, target)
    place, _ = module.crossing(datasets, target, 0, near, 1e-6)
    assert near == pytest.approx(place, rel=0.03)


@pytest.mark.parametrize("q", ["1e-9", "0.1", "0.49999999999999999"])
@pytest.mark.parametrize("n", [1, 2, 100, 10**12])
def test_without_counts_to_fall_back_on_the_normal_law_stands(n, q):
    for target in ("0.4", "1e-3", "1e-300"):
        assert 0 < module.about(Datasets.symmetric(Fraction(q), 1, n - 1), Fraction(target)) < math.inf


@pytest.mark.parametrize(
    ("n", "q", "k", "delta", "found"),
    [
        (10, "0.01", 200, "0.49", 781.880), (10, "0.01", 200, "0.01", 847.95), (1000, "0.01", 200, "1e-12", 43.9143),
        (100, "0.001", 150, "0.49", 898.331), (30, "0.01", 200, "1e-12", 832.60),
    ],
)  # fmt: skip
def test_a_step_beyond_the_range_of_floats_is_left_to_the_search(n, q, k, delta, found):
    answer = dp.epsilon(dp.KRandomization(n=n, q=q, k=k), delta=delta)
    assert float(answer) == pytest.approx(found, rel=1e-5)
    assert answer.note is None


def test_a_target_above_the_total_variation_is_told_at_once(calls_of):
    datasets, stretches = Datasets.symmetric(Fraction(1, 10), 1, 10**6 - 1), calls_of(module, "_stretch")
    assert module.crossing(datasets, Fraction(1, 10), 0, 0.003, 1e-6) == (0.0, 0.0)
    assert len(stretches) < 15


@pytest.mark.parametrize(
    ("n", "q", "k", "ones"),
    [(10**3, "0.1", 1, 0), (10**3, "0.1", 1, 5), (10**6, "0.00009", 1, 200), (500, "0.2", 3, 40), (50, "0.3", 2, 49)],
)
def test_where_a_dataset_crosses_a_target_is_known(n, q, k, ones):
    """By certified deltas of that dataset."""
    datasets, target = Datasets.symmetric(Fraction(q), k, n - 1), Fraction(1, 10**6)
    start = bits.Bits(datasets).about(target)
    place, steep = module.crossing(datasets, target, ones, start, 1e-6)
    here, there = (
        float(datasets.single(ones, Limit.of(epsilon=Fraction(place * share)), rtol=Fraction(1, 10**9)).lower)
        for share in (1, 1 + 1e-4)
    )
    assert here == pytest.approx(1e-6, rel=steep * 1e-7)
    assert (here - there) / (1e-4 * here) == pytest.approx(steep, rel=0.01)


def test_no_crossing_is_told_where_there_is_none():
    """The total variation is below the target."""
    assert module.crossing(Datasets.symmetric(Fraction(49, 100), 1, 1000), Fraction(1, 10), 0, 0.01, 1e-6) == (0.0, 0.0)
    few = Datasets.symmetric(Fraction(2, 5), 1, 4)  # with as few outcomes a line goes on to lambda < 1
    total = few.single(0, Limit.of(lam=1), rtol=Fraction(1, 10**9)).lower
    assert module.crossing(few, total * Fraction(11, 10), 0, 0.1, 1e-6) == (0.0, 0.0)


@pytest.mark.parametrize("n", [300, 10**3, 10**4, 2 * 10**4])
def test_a_least_q_takes_one_pass(n, calls_of):
    """Where few ones are the worst they are suspected first; the failing end is proven by that dataset alone."""
    passes = calls_of(one_pass, "worst")
    found = dp.least_q(n=n, epsilon="0.5", delta="1e-6")
    assert found.at_upper.dataset.ones > 0
    assert len(passes) == 1


def test_the_law_of_very_many_ones_is_not_listed():
    """An epsilon whose worst dataset holds 10^11 ones took more than a minute."""
    wide = Datasets.symmetric(Fraction("0.499952965989"), 1, 10**12 - 1)
    assert module.crossing(wide, Fraction(1, 10**100), 10**11, 3.7e-9, 1e-6) == (0.0, 0.0)
    found = dp.epsilon(dp.KRandomization(n=10**12, q=wide.own[0]), delta="1e-100")
    assert 0 < found.lower < found.upper < found.lower * (1 + Fraction(1, 10**6))


@pytest.mark.parametrize(("n", "q"), [(10**3, "0.1"), (10**4, "0.1"), (10**4, "0.009"), (10**5, "0.1")])
def test_an_epsilon_takes_one_pass_and_no_table_of_integers(n, q, calls_of):
    """Also where zeros are not the worst."""
    passes, tables = calls_of(one_pass, "sides"), calls_of(pair, "FixedPoint")
    found = dp.epsilon(dp.KRandomization(n=n, q=q), delta="1e-6")
    assert (len(passes), len(tables)) == (1, 0)
    worst = dp.delta(dp.KRandomization(n=n, q=q), epsilon=found.upper)
    assert (worst.dataset.ones > 0) == (n > 10**3)
    assert worst.lower <= Fraction(1, 10**6) < dp.delta(dp.KRandomization(n=n, q=q), epsilon=found.lower).upper


def test_where_another_dataset_is_worse_it_is_asked_next(monkeypatch, calls_of):
    asked = calls_of(bits, "crossing")
    monkeypatch.setattr(bits, "worst_ones", lambda datasets, limit: 0)
    found = dp.epsilon(dp.KRandomization(n=10**4, q="0.009"), delta="1e-6")
    assert asked[0][2] == 0 < asked[1][2]
    assert dp.delta(dp.KRandomization(n=10**4, q="0.009"), epsilon=found.lower, rtol="1e-8").lower > Fraction(1, 10**6)


@pytest.mark.parametrize(("n", "delta"), [(50, "1e-400"), (1000, "1e-3000")])
def test_a_delta_below_all_doubles_is_crossed_too(n, delta):
    mechanism = dp.KRandomization(n=n, q="0.1")
    found = dp.epsilon(mechanism, delta=delta)
    assert dp.delta(mechanism, epsilon=found.upper).upper <= Fraction(delta)
    assert dp.delta(mechanism, epsilon=found.lower).lower > Fraction(delta)
    assert found.upper < found.lower * (1 + Fraction(2, 10**6))


@pytest.mark.parametrize("share", [0.999, 1.001])
def test_a_crossing_that_is_wrong_proves_nothing(share, monkeypatch):
    told, mechanism = bits.crossing, dp.KRandomization(n=300, q="0.1")
    monkeypatch.setattr(bits, "crossing", lambda *a: (told(*a)[0] * share, told(*a)[1]))
    found = dp.epsilon(mechanism, delta="1e-6")
    assert dp.delta(mechanism, epsilon=found.lower, rtol="1e-9").lower > Fraction(1, 10**6)
    assert dp.delta(mechanism, epsilon=found.upper, rtol="1e-9").upper <= Fraction(1, 10**6)


@pytest.mark.parametrize(
    ("n", "q", "delta"), [(22, "0.000382", "1e-10"), (268, "0.0000843", "1e-270"), (2, "0.3", "1e-80")]
)
def test_next_to_the_local_epsilon_that_is_the_upper_end(n, q, delta):
    mechanism = dp.KRandomization(n=n, q=q)
    found = dp.epsilon(mechanism, delta=delta)
    assert found.upper == mechanism.local_epsilon.upper
    assert found.upper - found.lower < found.upper * Fraction(3, 10**7)
    assert dp.delta(mechanism, epsilon=found.lower).lower > Fraction(delta)


@pytest.mark.parametrize(("n", "q", "most"), [(10**5, "0.0009", 50), (10**4, "0.00877", 50)])
def test_rare_flips_take_few_ranges(n, q, most, calls_of):
    passes = calls_of(in_arrays, "deltas")
    dp.epsilon(dp.KRandomization(n=n, q=q), delta="1e-6")
    assert max(len(ones) for _, ones, *_ in passes) <= most


@pytest.mark.parametrize("q", ["0.00009", "0.0000901", "0.00006"])
def test_the_best_of_a_ripple_is_found_in_strides(q):
    """Among hundreds of datasets nearly alike, by their deltas in floating point."""
    datasets, limit = Datasets.symmetric(Fraction(q), 1, 10**6 - 1), Limit.of(epsilon="0.5")
    most = max(module.log_odds(datasets, limit, m) for m in range(400))
    assert module.log_odds(datasets, limit, module.worst_ones(datasets, limit.steer())) == pytest.approx(most, abs=1e-4)
