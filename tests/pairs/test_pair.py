import random
from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcalc.choose.epsilon import epsilon
from dpcalc.errors import Undecided
from dpcalc.families.bits import Bits
from dpcalc.laws.circle import Coefficients
from dpcalc.laws.pool import binomial_at_most
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.ball import FAINT, working_precision
from dpcalc.numbers.limit import Limit
from dpcalc.privacy.delta import delta
from tests.oracles.scan import deltas
from tests.strategies import compositions, flips, limits

RTOL = Fraction(1, 10**12)


def test_how_many_limits_are_expected_is_no_part_of_a_pair():
    pair = Bits.of(KRandomization(n=9, q="1/5")).pair(3)
    assert replace(pair, questions=200) == pair
    assert hash(replace(pair, questions=200)) == hash(pair)
    assert pair != replace(pair, k=2)


def random_case(seed):
    draw = random.Random(seed)
    n, k = draw.choice([1, 2, 3, draw.randint(4, 40)]), draw.choice([1, 1, 2, 3])
    q = draw.choice([Fraction(draw.randint(1, 49), 100), Fraction(1, draw.randint(3, 10**6)), Fraction(499, 1000)])
    most = ((1 - q) / q) ** k
    lam = 1 + (min(most, draw.choice([most, Fraction(2), Fraction(3)])) - 1) * Fraction(draw.randint(1, 999), 1000)
    return Bits.symmetric(q, k, n - 1), draw.randint(0, n - 1), lam


@pytest.mark.parametrize("first", range(0, 500, 100))
def test_500_random_certified_values_hold_the_exact_one(first):
    for seed in range(first, first + 100):
        datasets, ones, lam = random_case(seed)
        truth = deltas(datasets.others + 1, datasets.own[0], datasets.k, lam)[ones]
        pair = datasets.pair(ones)
        found = pair.enclosed(Limit.of(lam=lam), rtol=RTOL)
        assert found.lower <= truth <= found.upper, seed
        assert found.relative_width() <= RTOL
        assert pair.exact(lam) == truth


@settings(max_examples=20)
@given(flips, st.integers(1, 10**9), st.floats(0.05, 6), st.booleans())
def test_one_repeat_and_equal_records_are_two_binomial_tails(q, n, sigmas, ones):
    """k = 1: delta = max_t (lam p - q) f(t) - (lam - 1) F(t) for the others' count."""
    m = KRandomization(n=n, q=q)
    step = float(1 - 2 * q) / (n * float(q * (1 - q))) ** 0.5
    lam = 1 + min(Fraction(round(sigmas * step, 12) or 1e-9), (m.odds - 1) * Fraction(9, 10))
    others = Bits.symmetric(q, 1, n - 1).pair((n - 1) * ones)
    found = others.enclosed(Limit.of(lam=lam), rtol=RTOL)
    chance = 1 - q if ones else q
    # d_t = (p - lam q) f(t) - (lam p - q) f(t - 1) > 0, with f(t - 1)/f(t) = t (1 - a) / ((n - t) a)
    a, b = 1 - q - lam * q, lam * (1 - q) - q
    t = -int(-a * n * chance // (b * (1 - chance) + a * chance)) - 1 if n > 1 else 0
    t = max(0, min(t, n - 1))
    fine = Fraction(1, 10**40)
    below, upto = (binomial_at_most(n - 1, chance, s, rtol=fine) for s in (t - 1, t))
    low = (lam * (1 - q) - q) * (upto.lower - below.upper) - (lam - 1) * upto.upper
    high = (lam * (1 - q) - q) * (upto.upper - below.lower) - (lam - 1) * upto.lower
    assert low <= found.upper
    assert found.lower <= high


# --- edges ------------------------------------------------------------------------------------------------


@given(compositions(), st.integers(0, 10))
def test_from_the_local_epsilon_on_delta_is_exactly_0(drawn, beyond):
    m, ones = drawn
    assert delta(m, lam=m.local_ratio + beyond, ones=ones).value == 0
    assert delta(m, lam=m.local_ratio + beyond).value == 0
    just_below = m.local_ratio - (m.local_ratio - 1) / 10**9
    assert delta(m, lam=just_below, ones=ones).lower > 0


def test_q_next_to_one_half_is_divided_by_nowhere():
    """1 - 2q = 2e-400 is 0 as a float; delta is linear in it. For one user it is p - lambda q."""
    gap = Fraction(1, 10**400)
    q = Fraction(1, 2) - gap
    assert delta(KRandomization(n=1, q=q), epsilon=0).value == 2 * gap
    small = delta(KRandomization(n=10, q=Fraction(1, 2) - Fraction(1, 10**6)), epsilon=0).value
    assert abs(delta(KRandomization(n=10, q=q), epsilon=0).value / gap - small * 10**6) < Fraction(1, 10**5)
    for limit in ({"lam": 1 + gap}, {"epsilon": gap}, {"epsilon": 0}):
        others = Bits.symmetric(q, 2, 10**4 + 3).pair(3)
        found = others.enclosed(Limit.of(**limit), rtol=RTOL)
        assert 0 < found.lower < found.upper < gap
        assert found.relative_width() <= RTOL
    assert epsilon(KRandomization(n=10, q=q), delta="1e-6").upper == 0


def test_at_an_epsilon_next_to_the_local_one():
    m = KRandomization(n=3, q="1/4")
    local = m.local_epsilon
    assert delta(m, epsilon=local.upper).value == 0
    assert delta(m, epsilon=local.lower).lower > 0


@pytest.mark.parametrize("q", ["0.4999999", "1/1000000000", "0.499"])
@pytest.mark.parametrize(("n", "k"), [(1, 1), (3, 50), (1000, 1), (2, 60), (10**6, 7)])
def test_q_near_its_ends_and_more_repeats_than_users(q, n, k):
    m = KRandomization(n=n, q=q, k=k)
    for ones in {0, n // 2, n - 1}:
        found = Bits.of(m).pair(ones).enclosed(Limit.of(epsilon="1e-9"), rtol=RTOL)
        assert 0 < found.lower <= found.upper <= 1
        assert found.relative_width() <= RTOL


@pytest.mark.parametrize(
    ("n", "q", "epsilon"), [(10**4, "1/4", "0.8"), (10**6, "1/10", "0.11"), (10**9, "1/100", "0.0131")]
)
def test_deltas_far_below_1e_300_keep_their_digits(n, q, epsilon):
    m = KRandomization(n=n, q=q)
    for ones in (0, n // 2):
        coarse, fine = (delta(m, epsilon=epsilon, ones=ones, rtol=Fraction(1, 10**d)) for d in (6, 40))
        assert coarse.lower > 0
        assert fine.upper < Fraction(1, 10**250)
        assert fine.relative_width() <= Fraction(1, 10**40)
        assert coarse.lower <= fine.upper
        assert fine.lower <= coarse.upper


def test_a_faint_delta_agrees_with_the_sum_of_its_terms():
    """mpmath at 60 digits adds up (P_0 - lam P_1) over all outcomes, n = 5,000, no tails: about 1e-320."""
    n, q, lam = 5000, Fraction(1, 4), Fraction(11, 4)
    found = Bits.symmetric(q, 1, n - 1).pair(0).enclosed(Limit.of(lam=lam), rtol=Fraction(1, 10**20))
    with mpmath.workdps(60):
        p_, q_, total = mpmath.mpf(3) / 4, mpmath.mpf(1) / 4, mpmath.mpf(0)
        f = [mpmath.mpf(0), p_ ** (n - 1)]  # f(-1), f(0) of Bin(n - 1, q)
        for t in range(n):
            zero, one = p_ * f[1] + q_ * f[0], q_ * f[1] + p_ * f[0]
            total += max(0, zero - lam.numerator * one / lam.denominator)
            f = [f[1], f[1] * (n - 1 - t) / (t + 1) * q_ / p_]
        low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (found.lower, found.upper))
        slack = total * mpmath.mpf(10) ** -50
        assert low - slack <= total <= high + slack
        assert total < mpmath.mpf(10) ** -100


def test_what_is_too_faint_to_write_is_bounded_at_once():
    """exp(-2.8e8): 36 million points would be summed otherwise."""
    others = Bits.symmetric(Fraction(249_839, 500_000), 1, 402_076_273).pair(402_076_273)
    assert others.divergence(Limit.of(lam=Fraction(50_064_417, 50_000_000)), rtol=RTOL) == FAINT


def test_a_width_beyond_reach_is_undecided():
    others = Bits.symmetric(Fraction(1, 4), 1, 10**6).pair(0)
    with pytest.raises(Undecided):
        others.enclosed(Limit.of(lam=Fraction(1001, 1000)), rtol=Fraction(1, 10**6000))


def test_a_delta_next_to_1_is_at_most_1():
    """q = 1/500,000 and 16 repeats of one user: 1 - delta is about 10^-80, far below the width."""
    found = Bits.symmetric(Fraction(1, 500_000), 16, 0).pair(0).enclosed(Limit.of(lam=2), rtol=RTOL)
    assert 1 - RTOL <= found.lower < 1
    assert found.upper == 1


@given(compositions(), limits)
def test_a_rational_limit_lies_between_its_neighbouring_epsilons(drawn, lam):
    m, ones = drawn
    with mpmath.workdps(40):
        epsilon = Fraction(str(mpmath.log(mpmath.mpf(lam.numerator) / lam.denominator)))
    low, high = (delta(m, epsilon=epsilon * (1 + Fraction(side, 10**12)), ones=ones) for side in (1, -1))
    assert low.lower <= delta(m, lam=lam, ones=ones).value <= high.upper


def search(found=None, t=2):
    """One for a pair of 6 reports; where what is found at a place is known, that is returned."""
    made = Bits.symmetric(Fraction(1, 4), 1, 5).pair(2).search(Limit.of(lam=2))
    made.t = t
    if found:
        made.at = found
    return made


def test_a_next_step_of_unknown_sign_is_added():
    """d_t > 0 is proven, d_{t+1} is only known to be in [-0.1, 0.1]: delta may be h_t or h_{t+1}."""
    known = {
        2: Coefficients(arb("0.5"), arb("0.2"), arb(0, "0.1")),
        3: Coefficients(arb("0.5"), arb(0, "0.1"), arb("-0.2")),
    }
    for t in (2, 3):
        found = search(known.__getitem__, t).divergence()
        assert found.contains(arb("0.5"))
        assert found.contains(arb("0.599"))
        assert not found.contains(arb("0.49"))


def test_without_any_sign_delta_is_what_lies_beyond():
    made = search(lambda t: Coefficients(arb("0.1"), arb(0, 1), arb(0, 1)))
    assert not made.settled()[1].is_finite()
    assert made.divergence().contains(arb("0.1") + made.beyond() * 0.99)


@given(st.fractions("1.001", 50, max_denominator=1000), st.integers(1, 60), st.sampled_from([-1, 0, 1]))
def test_a_power_is_compared_with_lambda_exactly(ratio, power, shift):
    lam = ratio**power + Fraction(shift, 10**200)
    assert Limit.of(lam=lam).allows_power(ratio, power) is (ratio**power <= lam)


def test_a_power_is_compared_with_e_to_the_epsilon():
    assert Limit.of(epsilon=10**6).allows_power(1 + Fraction(1, 10**9), 10**15)
    assert not Limit.of(epsilon="999999").allows_power(1 + Fraction(1, 10**9), 10**15)


@pytest.mark.parametrize("n", [1, 10])
def test_a_billion_reports_of_one_record_tell_it(n):
    """1 - delta <= (1 + lambda) P[a majority of the record's reports lies], far below 1e-300."""
    found = delta(KRandomization(n=n, q="1/4", k=10**9), lam=2)
    assert 1 - Fraction(1, 10**4) <= found.lower < found.upper == 1


def test_pools_far_apart_hold_the_exact_delta():
    m = KRandomization(n=1, q="1/10", k=2_000)
    exact = Bits.of(m).pair(0).exact(Fraction(2))
    found = Bits.of(m).pair(0).enclosed(Limit.of(lam=2), rtol=Fraction(1, 10**12))
    assert found.lower <= exact <= found.upper == 1
    assert found.relative_width() <= Fraction(1, 10**12)


@pytest.mark.parametrize("epsilon", [0, 20])
@pytest.mark.parametrize(
    ("n", "q", "k"), [(10, "0.1", 10**4), (10, "0.1", 10**6), (10**6, "1e-18", 1000), (10**5, "1e-300", 1)]
)
def test_where_the_pools_lie_apart_delta_is_next_to_1_without_a_search(no_inversion, n, q, k, epsilon):
    """Both tails beyond one t are below half the width; no sign of d_t is settled, for one dataset or for all."""
    m = KRandomization(n=n, q=q, k=k)
    for found in (delta(m, epsilon=epsilon, ones=n // 2), delta(m, epsilon=epsilon)):
        assert 1 - RTOL <= found.lower < found.upper == 1


def test_a_bound_next_to_1_holds_the_exact_value():
    """n = 2, k = 40, q = 1/100: 1 - delta = 1e-37, by the exact pmf."""
    m = KRandomization(n=2, q="1/100", k=40)
    for ones in (0, 1):
        truth = deltas(2, m.q, 40, Fraction(3, 2))[ones]
        found = Bits.of(m).pair(ones).enclosed(Limit.of(lam="3/2"), rtol=RTOL)
        assert 1 - RTOL <= found.lower <= truth <= found.upper <= 1


@pytest.mark.parametrize(("base", "power"), [("3", 5), ("10/9", 7), ("1.0000001", 10**6)])
def test_a_limit_allows_powers_up_to_itself(base, power):
    base = Fraction(base)
    with mpmath.workdps(40):
        log = Fraction(str(power * mpmath.log(mpmath.mpf(base.numerator) / base.denominator)))
    assert Limit.of(epsilon=log * (1 + RTOL)).allows_power(base, power)
    assert not Limit.of(epsilon=log * (1 - RTOL)).allows_power(base, power)


def test_a_limit_allows_no_power_far_too_long_to_write():
    assert not Limit.of(lam=2).allows_power(Fraction(10**18 - 1), 10**15)
    assert Limit.of(lam=2).allows_power(1 + Fraction(1, 10**40), 10**15)


@pytest.mark.parametrize("exponent", [1, 40, 110, 200])
@pytest.mark.parametrize("ones", [0, 1, 3])
def test_pools_far_apart_are_inverted_one_by_one(exponent, ones):
    """4 records of 300 reports: on one circle between the two pools hundreds of bits cancel."""
    others, lam = Bits.symmetric(Fraction(1, 10), 300, 3).pair(ones), Fraction(10) ** exponent
    found = others.enclosed(Limit.of(lam=lam), rtol=RTOL)
    assert found.lower <= others.exact(lam) <= found.upper
    assert found.relative_width() <= RTOL


def spied(made):
    """The search, and the places it looks at."""
    seen, at = [], made.at
    made.at = lambda t: seen.append(t) or at(t)
    return made, seen


def test_a_threshold_where_d_falls_geometrically_is_found_in_few_steps():
    """10 records of 100,000 reports: the first t is hundreds away, and secants there move by one."""
    made, seen = spied(Bits.symmetric(Fraction(1, 10), 10**5, 9).pair(0).search(Limit.of(epsilon=100_000)))
    with working_precision(400):
        assert made.divergence().rel_accuracy_bits() > 40
    assert len(seen) < 60


def test_laws_with_only_tails_between_them_need_no_inversion(no_inversion):
    """P_0 lies at 0, P_1 at 8,192, and lambda moves the place of the change to 2,031: halfway nothing is proven."""
    pair = Bits.symmetric(Fraction("3.455e-6"), 8192, 0).pair(0)
    found = pair.enclosed(Limit.of(epsilon="51925.7"), rtol=Fraction(1, 10**10))
    assert found.upper == 1
    assert 1 - Fraction(1, 10**10) < found.lower < 1


def test_laws_far_apart_are_inverted_where_they_change_places():
    """19 standard deviations, and skew: from the middle between them it took seven steps of two inversions each."""
    pair = Bits.symmetric(Fraction("4.0469e-9"), 1000, 687_082_822).pair(0)
    made, seen = spied(pair.search(Limit.of(epsilon="200.67")))
    with working_precision(400):
        assert made.divergence().rel_accuracy_bits() > 40
    assert len(seen) <= 2


def test_no_integers_are_counted_that_a_huge_lambda_leaves_without_a_digit():
    """For a delta near 1/2, 64 bits lose all to lambda = e^200."""
    pair = Bits.symmetric(Fraction("4.0469e-9"), 1000, 687_082_822).pair(0)
    assert pair.counted(Limit.of(epsilon="200.67"), rtol=Fraction(1, 10**9)) is None


def test_rare_flips_need_no_more_bits_than_the_outcome_without_reports():
    """Of 10^12 reports that are hardly ever 1, that of all ones has 3 x 10^13 bits."""
    pair = Bits.symmetric(Fraction("1e-9"), 1, 10**12 - 1).pair(0)
    needed = 1000 / mpmath.log(2) + 9 * mpmath.log(10, 2)
    assert needed < pair.largest_loss_bits < needed + 200


def test_beyond_all_ratios_nothing_is_counted():
    pair = Bits.of(KRandomization(n=1003, q="1/10")).pair(0)
    assert pair.enclosed(Limit.of(lam=10), rtol=RTOL) == 0
    assert not pair._held
