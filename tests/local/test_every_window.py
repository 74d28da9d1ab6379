"""The local bound over every dataset, against brute force in rationals: every dataset, every outcome of its window."""

from fractions import Fraction
from random import Random

import mpmath
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

import dpcalc.local.own_windows as search
import dpcalc.local.pooled_ratio as recursion
from dpcalc.accuracy.estimator import variance
from dpcalc.errors import NoSolution, Undecided
from dpcalc.local.bounds import ProductBound, first_within
from dpcalc.local.own_windows import OwnWindows, PairGroup, Windows, bound_from, tied
from dpcalc.local.pooled_ratio import pooled_ratio
from dpcalc.local.solvers import local_q, local_sigma, over_windows
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.ball import ball, union, working_precision
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.privacy.ratio import ratio
from tests.oracles.own_windows import kept, largest, pairs, value, weights, within
from tests.strategies import seeds

HALF = Fraction(1, 2)
RTOL = Fraction(1, 10**6)


def agrees(n, k, sides, lam=2, z=3, rtol=Fraction(1, 10**12)):
    """The lower end fails as is said, the upper end and larger q hold, by listing every dataset and outcome."""
    lam, z = Fraction(lam), Fraction(z)
    try:
        found = local_q(n=n, lam=lam, k=k, sigmas=z, sides=sides, dataset="every", rtol=rtol)
    except NoSolution:
        assert sides == 1
        assert all(largest(n, k, z, 1, Fraction(i, 150)) <= lam for i in (1, 2, 5, 10, 20, 40, 70))
        return None
    assert found.enclosure.relative_width() <= rtol
    for q, at, holds in ((found.lower, found.at_lower, False), (found.upper, found.at_upper, True)):
        most = largest(n, k, z, sides, q)
        assert at.lower <= most <= at.upper
        assert (most <= lam) == holds
    witness = found.witness
    assert within(n, k, z, witness.ones, witness.outcome, found.lower)
    here, there = (weights(n, k, found.lower)[ones][witness.outcome] for ones in (witness.ones, witness.ones - 1))
    exact = Fraction(here, there) if witness.reciprocal else Fraction(there, here)
    assert witness.ratio.lower <= exact <= witness.ratio.upper
    assert witness.ratio == found.at_lower
    for i in (1, 8, 27):
        q = (found.upper + (HALF - found.upper) * Fraction(i, 64)).limit_denominator(1000)
        assert not found.upper < q < HALF or largest(n, k, z, sides, q) <= lam
    return found


def drawn(draw, reports):
    """A setting of at most 40 records, 8 reports of each and so many reports."""
    n = draw.randint(1, 40)
    k = draw.randint(1, max(1, min(8, reports // n)))
    z = draw.choice(["1/2", 1, "5/4", "3/2", 2, "5/2", 3, 4, Fraction(draw.randint(50, 400), 100)])
    lam = draw.choice(["11/10", "3/2", 2, 3, 10, 100, Fraction(draw.randint(105, 500), 100)])
    return {"n": n, "k": k, "sides": draw.randint(1, 2), "lam": lam, "z": z}


@pytest.mark.parametrize("seed", seeds(8, 300))
def test_the_ends_are_those_of_brute_force(seed):
    agrees(**drawn(Random(seed), 40), rtol=RTOL)


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize(("n", "k"), [(n, k) for n in range(1, 13) for k in (1, 2, 3) if n * k <= 18])
@pytest.mark.soak
def test_no_larger_q_fails_by_brute_force(n, k, sides):
    """For all q, not on a grid: Bernstein's coefficients of lambda P - P' in every window."""
    found = local_q(n=n, lam=2, k=k, sides=sides, dataset="every")
    assert kept(n, k, 3, 2, sides, found.upper)
    assert not kept(n, k, 3, 2, sides, found.lower, depth=20)


@pytest.mark.parametrize(
    ("n", "k", "lam", "z", "sides", "q"),
    [
        (12, 1, 3, 3, 1, Fraction(1, 4)),  # the classical bound: s = 0 lies in the window
        (4, 3, 10, 3, 1, Fraction(1, 4)),  # one q fails alone: the window's end touches s = 0
        (4, 1, "3/2", 1, 1, None),  # a ratio is lambda where its outcome enters, at q = (5 - sqrt 5)/10
        (2, 1, 2, "3/2", 1, None),
        (3, 1, "1.035", "1/10", 2, None),  # windows of the second datasets that hold no outcome
        (8, 4, 3, 3, 2, None),  # i near N/2
    ],
)
def test_settings_that_are_hard_to_settle(n, k, lam, z, sides, q):
    found = agrees(n, k, sides, lam, z)
    assert q is None or found.lower <= q <= found.upper


def test_where_the_lattice_keeps_the_answer_far_below_the_bounds():
    found = local_q(n=100, k=2, lam=100, dataset="every")
    assert str(found).startswith("0.02366370845859")
    assert str(found.witness) == "3 ones, s = 4: R = 147.04878..."
    assert found.upper < local_q(n=100, k=2, lam=100, dataset="every", method="product").lower * Fraction(7, 10)


@pytest.mark.parametrize(("n", "k"), [(20, 5), pytest.param(100, 5, marks=pytest.mark.soak)])
def test_a_bound_that_holds_for_every_q_is_known_to(n, k):
    with pytest.raises(NoSolution, match="for every q"):
        local_q(n=n, lam=10, k=k, sigmas=2, dataset="every")


# --- the sizes of the notes -------------------------------------------------------------------------------

#: n = 1000, lambda = 2, z = 3: k, then for one side and for two the least q, the product and the closed bound.
NOTES = [
    (1, ("0.0290486", "0.0291179", "0.0325265"), ("0.0321972", "0.0325265", "0.0325265")),
    (2, ("0.0412535", "0.0414212", "0.0454213"), ("0.0466462", "0.0466928", "0.0479269")),
    (5, ("0.0761068", "0.0761707", "0.0818303"), ("0.0852475", "0.0853548", "0.0887006")),
    (10, ("0.1204462", "0.1204718", "0.1276064"), ("0.1329161", "0.1329565", "0.1379358")),
    (50, ("0.2641836", "0.2641954", "0.2717514"), ("0.2781202", "0.2781278", "0.2838216")),
]


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize(("k", "one", "two"), NOTES)
def test_the_sizes_of_the_notes(k, one, two, sides):
    for method, expected in zip(("lattice", "product", "closed"), (one, two)[sides - 1], strict=True):
        found = local_q(n=1000, lam=2, k=k, sides=sides, dataset="every", method=method)
        assert str(found.lower.limit_denominator(10**15) + 0)  # a number
        assert f"{float(found.lower):.12f}".startswith(expected)
        assert found.enclosure.relative_width() <= Fraction(1, 10**12)
        assert found.at_lower.upper > 2 >= found.at_upper.lower
    least, product = (
        local_q(n=1000, lam=2, k=k, sides=sides, dataset="every", method=x) for x in ("lattice", "product")
    )
    assert least.at_lower.lower > 2 >= least.at_upper.upper
    assert least.upper <= product.upper


@pytest.mark.parametrize("sides", [1, 2])
def test_a_million_records(sides):
    found = local_q(n=10**6, lam=2, dataset="every", sides=sides, rtol="1e-3")
    assert 3 < found.lower / local_q(n=10**6, lam=2).upper < 4
    assert found.at_lower.lower > 2 >= found.at_upper.upper


# --- closed forms and products ----------------------------------------------------------------------------


@pytest.mark.parametrize(("k", "dataset"), [(3, "every"), (1, "every"), (1, "all-ones")])
def test_a_closed_form_of_two_sides_is_proven_at_both_ends_for_a_huge_limit(k, dataset):
    """There the bound is the inverse of a number as small as lambda^(-1/k)."""
    lam = Fraction(10) ** 300
    found = local_q(n=10, lam=lam, k=k, dataset=dataset, method="closed", sides=2)
    assert 0 < found.at_upper.lower <= found.at_upper.upper <= lam <= found.at_lower.lower
    assert found.enclosure.relative_width() < Fraction(1, 10**40)


@pytest.mark.parametrize(("lam", "k", "z"), [(2, 1, 3), (2, 10, 3), ("11/10", 3, "3/2"), (50, 4, "1/2"), (3, 1, 1)])
def test_the_closed_forms_are_the_formulas(lam, k, z):
    n = 500
    for sides in (1, 2):
        found = local_q(n=n, lam=lam, k=k, sigmas=z, sides=sides, dataset="every", method="closed")
        sigma = local_sigma(lam=lam, k=k, sigmas=z, sides=sides, dataset="every", method="closed")
        with mpmath.workdps(60):
            width, limit = (mpmath.mpf(x.numerator) / x.denominator for x in map(Fraction, (z, lam)))
            h = 1 - limit ** (-mpmath.mpf(1) / k)
            many = 0 if sides == 1 else k - 1 if Fraction(z) ** 2 >= 2 else k
            gamma = 2 * h / (width + mpmath.sqrt(width**2 + 4 * many * h))
            y = gamma * mpmath.sqrt(k * n)
            for bracket, exact in ((found, (1 - y / mpmath.sqrt(4 + y * y)) / 2), (sigma, 1 / (k * gamma))):
                low, high = (mpmath.mpf(x.numerator) / x.denominator for x in (bracket.lower, bracket.upper))
                assert low * (1 - mpmath.mpf(10) ** -55) <= exact <= high * (1 + mpmath.mpf(10) ** -55)
        assert found.at_upper.lower <= Fraction(lam) <= found.at_lower.upper


@pytest.mark.parametrize("sides", [1, 2])
def test_no_ratio_is_above_the_products(sides):
    """Every dataset and outcome, n to 7, k to 4, z from 1/2 to 4; the closest is within 5 %."""
    closest = Fraction(0)
    for n, k in ((1, 1), (2, 1), (7, 1), (3, 2), (6, 2), (4, 3), (2, 4)):
        for q in (Fraction(1, 20), Fraction(1, 5), Fraction(2, 5), Fraction(19, 40)):
            for z in (HALF, Fraction(1), Fraction(3, 2), Fraction(2), Fraction(4)):
                bound = ProductBound(total=n * k, k=k, sigmas=z, sides=sides, limit=Limit.of(lam=2), rtol=RTOL)
                most = largest(n, k, z, sides, q)
                assert most <= bound.value(q).upper
                if bound.value(q).upper < (1 / q - 1) ** k:
                    closest = max(closest, most / bound.value(q).upper)
    assert closest > Fraction(95, 100)


def test_the_square_root_of_two_belongs_to_the_condition():
    """gamma up to (z - sqrt 2)/k: at n = 1000, z = 2, lambda = 10 the root of the sharper product lies beyond."""
    found = local_q(n=1000, lam=10, sigmas=2, dataset="every", method="product")
    least = local_q(n=1000, lam=10, sigmas=2, dataset="every")
    assert least.lower <= found.upper
    assert least.lower > Fraction("0.0021252")  # that root
    assert str(least).startswith("0.002144")


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_what_is_told_of_all_datasets_from_one_on_holds_in_each(data):
    n, k = data.draw(st.integers(1, 7)), data.draw(st.integers(1, 3))
    first, neighbour = data.draw(st.integers(1, n)), data.draw(st.booleans())
    low, high = sorted(data.draw(st.fractions("1/50", "12/25", max_denominator=60)) for _ in range(2))
    z = data.draw(st.sampled_from([Fraction(1, 4), Fraction(1), Fraction(3)]))
    windows = Windows(n=n, k=k, sigmas=z, neighbour=neighbour)
    for end in (low, high):
        with working_precision(100):
            most = bound_from(windows, first, low, end)
        for q in (low, end):
            for m, s, _, over, under in pairs(n, k, 1):
                if m >= first and within(n, k, z, m - neighbour, s, q):
                    with working_precision(100):
                        assert not most < ball(value(over, q) / value(under, q))


# --- ratios and windows ------------------------------------------------------------------------------------


@pytest.mark.parametrize("bits", [64, 150])
def test_a_ratio_is_that_of_the_two_laws(bits):
    """At points and on ranges of q, where the recursion meets anywhere between its ends."""
    for n, k in ((1, 1), (1, 4), (3, 2), (8, 1), (6, 3), (20, 2)):
        for q in (Fraction(1, 3000), Fraction(1, 7), Fraction(2, 5), Fraction(499, 1000)):
            law_of = weights(n, k, q)
            for m in {1, 2, (n + 1) // 2, n - 1, n} - {0}:
                if m > n:
                    continue
                for s in range(n * k + 1):
                    exact = Fraction(law_of[m - 1][s], law_of[m][s])
                    with working_precision(bits):
                        found = pooled_ratio(n * k, k, m, s, ball(q))
                        wide = pooled_ratio(n * k, k, m, s, union(q * Fraction(9999, 10000), q))
                        assert found.overlaps(ball(exact))
                        assert bits == 64 or found.rel_accuracy_bits() > 60
                        assert wide.overlaps(ball(exact))
                        assert wide.contains(arb(found.mid()))


def test_far_from_both_ends_few_steps_are_as_good_as_all():
    m = KRandomization(n=4000, q="1/5", k=2)
    for ones, s in ((300, 1900), (2000, 3900), (3700, 6000)):
        with working_precision(120):
            found = pooled_ratio(8000, 2, ones, s, ball(Fraction(1, 5)))
            assert found.rel_accuracy_bits() > 90
            assert found.overlaps(ball(ratio(m, s, ones=ones - 1)))


@pytest.mark.parametrize("steps", [0, 1, 3])
@pytest.mark.parametrize("meet", [0, 1, 4, 9])
def test_any_place_to_start_and_to_meet_is_right(monkeypatch, steps, meet):
    """They are chosen in doubles: a poor choice widens the ball, which still holds the ratio."""
    n, k, q = 12, 3, Fraction(1, 5)
    monkeypatch.setattr(recursion, "_steps", lambda shrinks, most: min(steps, most))
    monkeypatch.setattr(recursion, "_growth", lambda *_: lambda i: i / (meet * k))
    if meet == 0:
        monkeypatch.setattr(recursion, "_growth", lambda *_: lambda i: 2.0)
    law_of = weights(n, k, q)
    for m in (1, 3, 6, 11, 12):
        for s in range(n * k + 1):
            with working_precision(150):
                found = pooled_ratio(n * k, k, m, s, ball(q))
                assert found.overlaps(ball(Fraction(law_of[m - 1][s], law_of[m][s])))


@given(st.integers(1, 30), st.integers(1, 3), st.fractions("1/40", "12/25", max_denominator=80), st.data())
def test_the_window_s_ends_are_those_of_the_list(n, k, q, data):
    ones, neighbour = data.draw(st.integers(1, n)), data.draw(st.booleans())
    windows = Windows(n=n, k=k, sigmas=Fraction(3), neighbour=neighbour)
    inside = [s for s in range(k * n + 1) if within(n, k, 3, ones - neighbour, s, q)]
    assert (windows.least(ones, q, q), windows.largest(ones, q, q)) == (inside[0], inside[-1])
    low, high = q * Fraction(9, 10), min(q * Fraction(11, 10), HALF)
    seen = [
        s for x in (low, q, high - (high - low) / 10**6) for s in range(k * n + 1)
        if within(n, k, 3, ones - neighbour, s, x)
    ]  # fmt: skip
    assert windows.least(ones, low, high) <= min(seen)
    assert windows.largest(ones, low, high) >= max(seen)


def test_the_last_q_of_a_range_does_not_belong_to_it():
    """n = 2, z = 3/2: the window of one 1 holds s = 0 from q = 1/2 - ... on; where it starts to, only beyond."""
    windows = Windows(n=2, k=1, sigmas=Fraction(2))  # 2 ones: s = 0 from q = 1/3 on, as (2 p)^2 = 4 * 2 p q
    third = Fraction(1, 3)
    assert windows.least(2, third, third) == 0
    assert windows.least(2, third - Fraction(1, 100), third) == 1
    assert windows.least(2, third, third + Fraction(1, 100)) == 0


def test_a_tie_is_no_tie_next_to_it():
    """At (5 - sqrt 5)/10 R = 3/2 where s = 2 of 4 enters; a limit 10^-30 less is broken there."""
    windows, low, high = Windows(n=4, k=1, sigmas=Fraction(1)), Fraction("0.27639320225"), Fraction("0.276393202251")
    assert tied(windows, 4, 2, Fraction(3, 2), low, high)
    assert not tied(windows, 4, 2, Fraction(3, 2) - Fraction(1, 10**30), low, high)
    assert not tied(windows, 4, 3, Fraction(3, 2), low, high)


@pytest.mark.parametrize(
    ("n", "k", "z", "lam", "q"), [(9, 1, "4/3", "668/357", "1/5"), (5, 4, 3, "3125/29", "1/6")]
)  # fmt: skip
def test_a_ratio_that_is_the_limit_at_the_one_q_at_which_its_window_touches_the_outcome(n, k, z, lam, q):
    lam, z = Fraction(lam), Fraction(z)
    assert largest(n, k, z, 1, Fraction(q)) == lam
    found = agrees(n, k, 1, lam, z, Fraction(1, 10**8))
    assert found is None or found.upper < Fraction(q)


def test_a_limit_just_below_a_tie_is_not_settled_and_not_missed():
    """It is broken on a range of q of width 10^-40 above that edge, and again from 0.21 down."""
    with pytest.raises(Undecided, match=r"no proof near q = 0\.27639") as refusal:
        local_q(n=4, lam=Fraction(3, 2) - Fraction(1, 10**40), sigmas=1, dataset="every", rtol="1e-6")
    edge = Fraction("0.27639320225002103")
    assert refusal.value.enclosure.lower < edge < refusal.value.enclosure.upper * (1 + Fraction(1, 10**15))


@pytest.mark.parametrize("z", [Fraction(1, 50), Fraction(1, 10), Fraction(1, 3)])
@pytest.mark.parametrize("q", [Fraction(1, 200), Fraction(1, 61), Fraction(1, 7)])
def test_the_largest_ratio_of_windows_of_which_some_hold_no_outcome(z, q):
    for n, sides in ((30, 1), (30, 2), (23, 2)):
        both = [Windows(n=n, k=1, sigmas=z), Windows(n=n, k=1, sigmas=z, neighbour=True)][:sides]
        every = OwnWindows(
            [PairGroup(one, 1, n, Fraction(0), HALF) for one in both], Limit.of(lam=2), Fraction(1, 10**6)
        )
        found, most = every.largest(q)[0], largest(n, 1, z, sides, q)
        assert found.lower <= most <= found.upper
        assert every.holds(q, q) == (most <= 2)


@given(st.integers(-60, 60), st.integers(0, 60), st.integers(1, 9), st.sampled_from((-1, 1)))
def test_the_first_whole_number_from_an_end_on(middle, square, scale, side):
    def reached(whole):
        """Whether whole * scale - middle >= side sqrt(square)."""
        apart = whole * scale - middle
        return apart >= 0 and apart**2 >= square if side > 0 else apart >= 0 or apart**2 <= square

    found = first_within(middle, square, scale, side)
    assert reached(found)
    assert not reached(found - 1)


# --- sigma, and refusals ----------------------------------------------------------------------------------


def test_the_estimate_s_deviation_there():
    found, sigma = local_q(n=20, lam=2, dataset="every"), local_sigma(lam=2, dataset="every", n=20)
    assert (
        sigma.lower**2
        <= variance(KRandomization(n=20, q=found.lower))
        < variance(KRandomization(n=20, q=found.upper))
        <= sigma.upper**2
    )
    assert sigma.upper < local_sigma(lam=2, dataset="every", n=1000, method="product").lower


def test_too_many_ratios_are_refused():
    pair = PairGroup(Windows(n=50, k=1, sigmas=Fraction(3)), 1, 50, Fraction(0), Fraction("0.25"))
    with pytest.raises(Undecided, match="200 steps leave q between") as refusal:
        OwnWindows([pair], Limit.of(lam=2), Fraction(1, 10**12), most=200).bracket()
    found = refusal.value.enclosure
    assert isinstance(found, Enclosure)
    assert found.lower < Fraction("0.2267088693691")
    assert found.upper > Fraction("0.2267088693690")


def test_the_answer_says_for_whom_it_fails_and_holds():
    found = local_q(n=50, lam=2, dataset="every")
    assert found.meaning == f"fails for {found.witness}; holds for every dataset, in its own window"
    assert str(found.witness).startswith("1 one, s = 3: R = 2.08")


def test_short_ratios_spend_their_share_too(monkeypatch):
    """Next to q = 2/11 a ratio is the limit and hardly falls: of three steps each, hundreds of thousands are needed."""
    taken = []

    def counted(*given):
        taken.append(given)
        return pooled_ratio(*given)

    monkeypatch.setattr(search, "pooled_ratio", counted)
    with pytest.raises(Undecided, match="20,000 steps leave q between"):
        over_windows(6, 3, Limit.of(lam="74358/11981"), Fraction(7, 9), 2, Fraction(1, 10**8), most=20_000)
    assert len(taken) < 500


def test_looking_for_like_windows_counts_as_work():
    """Thousands of groups stand among the first windows of so many records, before one ratio is asked for."""
    with pytest.raises(Undecided, match="50,000 steps leave q between"):
        over_windows(10**12, 1000, Limit.of(lam=2), Fraction(3), 1, most=50_000)


def test_the_windows_of_all_ones_are_searched_next_to_the_real_end_only():
    """From farther above 10^9 records k = 3 took thirty times the steps, and 10^12 had no answer."""
    limit = Limit.of(epsilon="1.51537e-05")
    found = over_windows(10**9, 3, limit, Fraction(3), 1, every=False, most=100_000)
    assert found.lower < found.upper < found.lower * (1 + Fraction(1, 10**11))
