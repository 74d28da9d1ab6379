import math
from fractions import Fraction
from unittest.mock import Mock, patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcalc.choose.crossing import Sought, solved
from dpcalc.choose.epsilon import epsilon
from dpcalc.errors import DomainError, NoSolution
from dpcalc.families.bits import Bits
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.elementary import exp
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.pair import Pair
from dpcalc.privacy.delta import delta, profile
from tests.oracles.scan import deltas
from tests.strategies import compositions, flips


@pytest.mark.parametrize(
    ("n", "q", "target", "digits"),
    [(1000, "1/4", "1e-6", "0.1420"), (10**6, "1/10", "1e-9", "0.01238"), (10**8, "1/100", "1e-10", "0.00481")],
)
def test_epsilons_of_the_reference_cases(n, q, target, digits):
    """The digits are those of the project's statement of the problem; both ends are proven again with delta()."""
    m = KRandomization(n=n, q=q)
    found = epsilon(m, delta=target)
    assert found.relative_width() <= Fraction(1, 10**6)
    assert (
        Fraction(digits) <= found.lower < found.upper < Fraction(digits) + Fraction(1, 10 ** len(digits.split(".")[1]))
    )
    fine = Fraction(1, 10**8)
    assert delta(m, epsilon=found.lower, rtol=fine).lower > Fraction(target)
    assert delta(m, epsilon=found.upper, rtol=fine).upper <= Fraction(target)


@settings(max_examples=20)
@given(compositions(), st.fractions("1e-9", "0.9", max_denominator=10**9))
def test_delta_at_epsilon_is_the_target_again(drawn, target):
    m, ones = drawn
    for holders in (ones, None):
        found = epsilon(m, delta=target, ones=holders)
        if found.exact and found.value == 0:
            assert delta(m, epsilon=0, ones=holders).upper <= target
        else:
            assert delta(m, epsilon=found.lower, ones=holders).upper > target
            assert delta(m, epsilon=found.upper, ones=holders).lower <= target
            assert found.relative_width() <= Fraction(1, 10**6)


@given(flips, st.integers(1, 5))
def test_epsilon_at_delta_0_is_the_local_epsilon(q, k):
    m = KRandomization(n=3, q=q, k=k)
    assert (epsilon(m, delta=0).lower, epsilon(m, delta=0).upper) == (m.local_epsilon.lower, m.local_epsilon.upper)


def test_epsilon_is_0_from_the_total_variation_on():
    m = KRandomization(n=5, q="2/5")
    total = delta(m, epsilon=0).value
    assert epsilon(m, delta=total).value == 0
    assert epsilon(m, delta=total - Fraction(1, 1000)).lower > 0


def test_a_profile_is_delta_at_every_point_in_shape():
    m = KRandomization(n=20, q="1/4")
    found = profile(m, [[0, "0.5"], [1.5, Fraction(2)]], ones=3)
    assert found.shape == (2, 2)
    for place, e in {(0, 0): 0, (0, 1): "0.5", (1, 0): "1.5", (1, 1): 2}.items():
        single = delta(m, epsilon=e, ones=3)
        assert (found[place].lower, found[place].upper) == (single.lower, single.upper)
    assert profile(m, np.array([0.1]))[0].lower == delta(m, epsilon="0.1").lower
    assert profile(m, 0.1).shape == ()


@pytest.mark.parametrize(("n", "k", "ones"), [(10**6, 1, 0), (10**6, 3, 4 * 10**5), (10**8, 1, 10**8 - 1)])
def test_many_points_of_a_large_pool_are_those_that_inversion_finds(n, k, ones):
    """A profile counts in integers where a single question is inverted."""
    m, near = KRandomization(n=n, q="1/10", k=k), Fraction(3) / math.isqrt(n * k)
    epsilons = [near * (50 + i) / 25 for i in range(100)]
    inverted = Mock(side_effect=Pair.inverted)
    with patch.object(Pair, "inverted", inverted):
        found = profile(m, epsilons, ones=ones)
    assert not inverted.called
    for i in (0, 50, 99):
        single = delta(m, epsilon=epsilons[i], ones=ones, rtol="1e-30")
        assert single.upper <= found[i].upper
        assert found[i].lower <= single.lower
        assert found[i].relative_width() <= Fraction(1, 10**12)
        assert found[i].dataset == single.dataset


def test_few_points_of_a_huge_pool_are_inverted():
    m = KRandomization(n=10**10, q="1/10")
    found = profile(m, ["1e-4", "2e-4"], ones=5)
    single = delta(m, epsilon="2e-4", ones=5)
    assert (found[1].lower, found[1].upper) == (single.lower, single.upper)


@pytest.mark.parametrize("k", [1, 3])
def test_a_profile_over_all_datasets_is_delta_at_every_point(k):
    """Limits near each other share a circle; 0 and those from the local epsilon on are among them, in any order."""
    m = KRandomization(n=12, q="1/5", k=k)
    epsilons = ["0.5", 0, "0.01", "2.5", 1, "0.75", 20, "1.25", "0.5"]
    for given_as, found in zip(epsilons, profile(m, epsilons, rtol="1e-8"), strict=True):
        lam = exp(Fraction(given_as))
        best, least = (max(deltas(12, Fraction(1, 5), k, x)) for x in (lam.lower, lam.upper))
        assert found.lower <= best
        assert least <= found.upper <= found.lower * (1 + Fraction("2e-8"))


def test_of_a_profile_of_one_dataset_every_argument_is_looked_at():
    m = KRandomization(n=20, q="1/4")
    for wrong in ({"ones": 20}, {"ones": 3, "rtol": 0}, {"ones": 3, "epsilons": [1, -1]}):
        with pytest.raises(DomainError):
            profile(m, **{"epsilons": [1], **wrong})
    with pytest.raises(DomainError, match="bits"):
        profile(KRandomization(n=20, q="1/4", bits=2), [1], ones=3)
    assert profile(m, [], ones=3).shape == (0,)


def test_a_target_below_what_the_search_reaches_has_no_solution():
    with pytest.raises(NoSolution, match=r"even at 0\.3, the last value searched"):
        solved(
            lambda q: (Bits.symmetric(q, 1, 99), Limit.of(epsilon="0.01")),
            Fraction(1, 100), Sought(Fraction(1, 10), Fraction(3, 10), Fraction(1, 1000)),
        )  # fmt: skip


def test_hardly_any_noise_is_not_too_far_apart():
    m = KRandomization(n=1000, q="1e-9", k=10)
    assert epsilon(m, delta="1e-6") <= m.local_epsilon.upper


def test_an_epsilon_beyond_a_million_has_no_solution_or_is_found_below():
    pool = KRandomization(n=10, q="0.1", k=10**6)  # the local epsilon is 2.2 million
    found = epsilon(pool, delta="0.5")
    assert 443_836 < found.lower < found.upper < 443_838
    with pytest.raises(NoSolution, match="even at epsilon = 1,000,000"):
        epsilon(KRandomization(n=1, q="0.1", k=10**6), delta="0.5")


def test_an_epsilon_for_a_delta_next_to_1():
    found = epsilon(KRandomization(n=10, q="0.1", k=10**5), delta="0.99999999999999")
    assert found.relative_width() <= Fraction(1, 10**6)


@pytest.mark.parametrize(("n", "short", "target"), [(3, 10**16, "1e-18"), (100, 10**17, "1e-18")])
def test_an_epsilon_next_to_one_half(n, short, target):
    """The local epsilon is about 4 / short: nothing of it is left in the difference of two logarithms."""
    m = KRandomization(n=n, q=Fraction(1, 2) - Fraction(1, short))
    found = epsilon(m, delta=target)
    assert 0 < found.lower < found.upper <= m.local_epsilon.upper
    assert delta(m, epsilon=found.lower).upper > Fraction(target) >= delta(m, epsilon=found.upper).lower


def test_a_huge_epsilon_may_be_asked_for_loosely():
    found = epsilon(KRandomization(n=2, q="1e-300", k=700), delta="1e-9", rtol="0.9")
    assert 10**5 < found.lower < found.upper < 3 * found.lower


@pytest.mark.parametrize(
    ("n", "q", "k", "near", "decimals"),
    [
        (3, "0.37", 10, "0.0025", 5),
        (3, "0.37", 10, "0.0025", 9),
        (2, "0.32", 3, "0.00121", 6),
        (3, "1/17", 2, "1e-4", 6),
    ],
)
def test_epsilon_is_bracketed_where_delta_is_flat(n, q, k, near, decimals):
    """delta changes so little with epsilon that single values do not tell where it crosses: two proven ends do."""
    m = KRandomization(n=n, q=q, k=k)
    target = Fraction(round(delta(m, epsilon=near).lower, decimals))
    found = epsilon(m, delta=target)
    assert (
        delta(m, epsilon=found.lower, rtol="1e-30").lower > target >= delta(m, epsilon=found.upper, rtol="1e-30").upper
    )
    assert found.relative_width() <= Fraction(1, 10**6)
