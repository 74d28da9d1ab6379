from fractions import Fraction

import pytest

from dpcalc.certificates.certificate import certificate
from dpcalc.choose.least import least_n, least_q, most_k
from dpcalc.families.bits import Bits
from dpcalc.mechanisms.response import KRandomization, RoundedNumbers
from dpcalc.mechanisms.rounds import Rounds
from dpcalc.mechanisms.unary import UnaryEncoding
from dpcalc.privacy.delta import delta
from dpcalc.worst.compositions import Compositions
from tests.oracles.rounds import adaptive

FINE = Fraction(1, 10**9)


@pytest.mark.parametrize(("k", "digits"), [(1, "0.047557"), (10, "0.1823")])
def test_least_q_of_the_reference_cases(k, digits):
    """n = 1000, lambda = 2, delta = 1e-6: digits of the project's statement; both proofs are checked again."""
    found, target = least_q(n=1000, lam=2, delta="1e-6", k=k), Fraction(1, 10**6)
    assert Fraction(digits) <= found.lower < found.upper < Fraction(digits) + Fraction(1, 10 ** (len(digits) - 2))
    assert found.enclosure.relative_width() <= Fraction(1, 10**6)
    assert found.value == found.upper
    fails = delta(KRandomization(n=1000, q=found.lower, k=k), lam=2, rtol=FINE)
    holds = delta(KRandomization(n=1000, q=found.upper, k=k), lam=2, rtol=FINE)
    assert fails.lower > target >= holds.upper
    assert target < found.at_lower.lower <= fails.upper
    assert holds.lower <= found.at_upper.upper <= target


@pytest.mark.parametrize(
    ("mechanism", "rounds"),
    [
        (KRandomization(n=5, q="1/3", k=2), [[(5, 2)]]),
        (RoundedNumbers(n=3, q="1/3", high=9), [[(3, 1)]]),
        (Rounds([KRandomization(n=2, q="1/3"), KRandomization(n=1, q="1/4", k=2)]), [[(2, 1)], [(1, 2)]]),
    ],
)
def test_least_q_of_a_mechanism_is_that_of_its_definition(mechanism, rounds):
    """Its own q is ignored; all datasets and strategies of few people are listed, at both ends and at the answer."""
    target, lam = Fraction(1, 50), Fraction(2)

    def truth(q):
        return adaptive([[(n, q, k) for n, k in counts] for counts in rounds], lam)

    found = least_q(mechanism, lam=lam, delta=target)
    assert truth(found.lower) > target >= truth(found.upper)
    assert {one.q for one, _ in found.mechanism.kinds} == {found.value}
    assert found.mechanism == mechanism.altered(q=found.value) or isinstance(mechanism, RoundedNumbers)
    assert least_q(mechanism.altered(q="1/7"), lam=lam, delta=target) == found


@pytest.mark.parametrize(
    ("mechanism", "words"),
    [
        (KRandomization(n=9, q="1/4", k=2), {"k": 2}),
        (UnaryEncoding(n=9, q="1/4", categories=4), {"categories": 4}),
        (Rounds([(KRandomization(n=9, q="1/4"), 3)]), {"rounds": 3}),
    ],
)
def test_a_mechanism_and_its_words_are_one_question(mechanism, words):
    asked = {"epsilon": 1, "delta": "0.1"}
    assert least_q(mechanism, **asked) == least_q(9, **asked, **words)
    assert least_n(mechanism, **asked) == least_n("1/4", **asked, **words)
    proven = certificate(least_q, mechanism, **asked, rtol="1e-2").document["question"]
    assert proven == certificate(least_q, 9, **asked, **words, rtol="1e-2").document["question"]
    words.pop("k", None)
    assert most_k(mechanism, **asked | {"delta": "1/2"}) == most_k(9, q="1/4", **asked | {"delta": "1/2"}, **words)


@pytest.mark.parametrize("ordered", [True, False])
def test_the_order_of_rounds_is_kept(ordered):
    two = [KRandomization(n=2, q="1/3"), KRandomization(n=1, q="1/4")]
    asked = Rounds(two if ordered else [(Rounds(two, adaptive=False), 3)], adaptive=ordered)
    altered = asked.altered(q="1/5")
    assert (altered.ordered, altered.adaptive) == (asked.ordered, asked.adaptive) == (ordered, ordered)
    assert [(one.n, one.q, times) for one, times in altered.kinds] == [
        (one.n, Fraction(1, 5), times) for one, times in asked.kinds
    ]


def test_least_n_is_bracketed_by_neighbours():
    found = least_n(q="1/10", epsilon=1, delta="1e-6")
    assert found.upper - found.lower == 1
    for n, holds in ((found.lower, False), (found.upper, True)):
        assert (delta(KRandomization(n=n, q="1/10"), epsilon=1, rtol=FINE).upper <= Fraction(1, 10**6)) is holds


@pytest.mark.parametrize(("n", "k"), [(1, 1), (1, 3), (4, 1), (5, 2)])
def test_a_target_that_is_attained_exactly_holds(n, k):
    """delta of few users is a rational, and may be the target itself; a hair less fails."""
    asked = {"q": "1/5", "lam": "3/2"}
    attained = delta(KRandomization(n=n, q="1/5", k=k), lam="3/2").lower
    assert least_n(**asked, k=k, delta=attained).value == n
    assert least_n(**asked, k=k, delta=attained - Fraction(1, 10**30)).value > n
    assert most_k(**asked, n=n, delta=attained).value >= k
    assert delta(KRandomization(n=n, q="1/5", k=k + 1), lam="3/2").lower > attained
    assert most_k(**asked, n=n, delta=attained).value == k


@pytest.mark.parametrize(("epsilon", "target"), [(0, "1e-3"), ("1e-9", "1e-2")])
def test_least_n_settles_a_flat_maximum_with_few_ranges(calls_of, epsilon, target):
    """At epsilon = 0 every dataset comes within 1/n of the worst one: thousands of ranges when each was resolved."""
    calls = calls_of(Compositions, "envelope")
    found = least_n(q="1/10", epsilon=epsilon, delta=target)
    assert found.at_lower.lower > Fraction(target) >= found.at_upper.upper
    assert found.upper - found.lower <= max(1, found.upper / 10**6)
    assert len(calls) < 400


def test_most_k_is_bracketed_by_neighbours():
    found = most_k(n=1000, q="1/4", lam=2, delta="1e-6")
    assert (found.lower, found.upper, found.value, found.holds_above) == (20, 21, 20, False)
    assert delta(KRandomization(n=1000, q="1/4", k=20), lam=2, rtol=FINE).upper <= Fraction(1, 10**6)
    assert delta(KRandomization(n=1000, q="1/4", k=21), lam=2, rtol=FINE).lower > Fraction(1, 10**6)


@pytest.mark.parametrize(
    "more", [{}, {"k": 3}, {"categories": 4}, {"rounds": 3}, {"bits": 2}, {"dataset": "identical"}]
)
def test_beyond_doubles_the_least_q_is_one_that_no_outcome_tells(more):
    found = least_q(n=1000, lam="1e1000", delta="1e-6", **more)
    assert found.lower == 0 == found.at_upper
    exposed = more.get("k", 1) * more.get("rounds", 1) * more.get("bits", 1) * (2 if "categories" in more else 1)
    assert 1 <= Fraction(10**1000) / (1 / found.upper - 1) ** exposed <= 1 + Fraction(1, 10**9)


def test_a_million_repeats_at_a_common_target():
    """(p/q)^(10^6) is never written out."""
    found = least_q(n=10**6, epsilon=1, delta="1e-9", k=10**6)
    assert found.at_lower.lower > Fraction(1, 10**9) >= found.at_upper.upper


@pytest.mark.parametrize("target", ["0.999", "0.99999999999999", "1 - 1e-40"])
def test_targets_next_to_1(target):
    target = 1 - Fraction(1, 10**40) if target == "1 - 1e-40" else Fraction(target)
    found = least_q(n=10, lam=2, delta=target, k=50)
    assert found.at_lower.lower > target >= found.at_upper.upper
    assert found.enclosure.relative_width() <= Fraction(1, 10**6)


@pytest.mark.parametrize("above", [Fraction(1, 10**9), Fraction(1, 10**15)])
def test_the_last_n_searched_holds_though_its_delta_is_next_to_the_target(above):
    """At most 3 users fit, and delta(3) is just below the target."""
    q, k = Fraction(1, 2) - Fraction(1, 10**8), 10**15 // 3
    target = delta(KRandomization(n=3, q=q, k=k), lam=2, rtol="1e-30").upper * (1 + above)
    found = least_n(q=q, delta=target, lam=2, k=k)
    assert found.value == 3
    assert found.at_upper.upper <= target < found.at_lower.lower


def test_most_k_for_a_huge_limit():
    """Up to k = 40 a record's reports show no ratio above 3^40, and for some repeats more the target holds too."""
    found = most_k(n=20, q="1/4", delta="0.5", lam=Fraction(3) ** 40)
    assert found.value >= 40
    assert found.at_lower.upper <= Fraction(1, 2) < found.at_upper.lower


def test_most_k_is_sought_by_one_dataset(calls_of):
    """Every k that one dataset rules out took a search of all; some twenty of them."""
    calls = calls_of(Bits, "delta")
    found = most_k(n=10**8, q="1e-4", epsilon=1, delta="1e-6")
    assert (found.lower, found.upper) == (559, 560)
    assert len(calls) <= 4
