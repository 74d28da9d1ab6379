from fractions import Fraction

import pytest

from dpcalc.certificates.certificate import certificate
from dpcalc.choose.least import least_n, least_q, most_k
from dpcalc.errors import DomainError, NoSolution
from dpcalc.families.bits import Bits
from dpcalc.mechanisms.response import KRandomization
from dpcalc.privacy.delta import delta
from dpcalc.worst.compositions import Compositions
from tests.oracles import flips, rounds, unary

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
    ("n", "k", "epsilon", "target"), [(1, 1, 1, "0.1"), (5, 3, "0.5", "1/50"), (300, 2, 0, "0.05")]
)
def test_least_q_of_few_users(n, k, epsilon, target):
    found = least_q(n=n, epsilon=epsilon, delta=target, k=k, rtol="1e-5")
    assert delta(KRandomization(n=n, q=found.lower, k=k), epsilon=epsilon, rtol=FINE).lower > Fraction(target)
    assert delta(KRandomization(n=n, q=found.upper, k=k), epsilon=epsilon, rtol=FINE).upper <= Fraction(target)
    assert found.enclosure.relative_width() <= Fraction(1, 10**5)


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


@pytest.mark.parametrize(("epsilon", "target"), [(0, "1e-2"), (0, "3e-3"), (0, "1e-3"), ("1e-9", "1e-2")])
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


def test_what_cannot_be_reached_has_no_solution():
    with pytest.raises(NoSolution, match=r"1 to 8 reports per record; more were not tried$"):
        most_k(n=10, q="1/10", lam=2, delta="1e-6")
    with pytest.raises(NoSolution, match=r"above 1e-300 even at q = 0\.499999999999"):
        least_q(n=10**12, epsilon="1e-20", delta="1e-300")
    with pytest.raises(NoSolution, match=r"above 1e-6 even at n = 1,0"):
        least_n(q="1e-100", lam=2, delta="1e-6")
    with pytest.raises(NoSolution, match=r"at q = 1e-300, the last value searched$"):
        least_q(n=1, lam=2, delta="0." + 310 * "9")


@pytest.mark.parametrize("lam", [Fraction(10**19), Fraction(10**22), Fraction(10**108)])
@pytest.mark.parametrize(
    ("n", "more", "worst"),
    [
        (1, {}, lambda q, lam: flips.worst(1, q, 1, lam)),
        (4, {"dataset": "identical"}, lambda q, lam: max(max(flips.delta(4, q, 1, lam, ones)) for ones in (0, 3))),
        (4, {}, lambda q, lam: flips.worst(4, q, 1, lam)),
        (2, {"k": 2}, lambda q, lam: flips.worst(2, q, 2, lam)),
        (
            2,
            {"categories": 2},
            lambda q, lam: max(told for *_, told in unary.everything(2, 2, 1, q, 1, lam, "replace")),
        ),
        (2, {"rounds": 2}, lambda q, lam: rounds.fixed([(2, q, 1)] * 2, lam)),
    ],
)
def test_a_large_epsilon_has_a_least_q(n, more, worst, lam):
    """At lambda = 10^19 one report needs q = 1e-19: no q is too small to be found."""
    target = Fraction(1, 100)
    found = least_q(n=n, lam=lam, delta=target, **more)
    assert found.lower > found.upper * Fraction(998, 1000)
    assert worst(found.lower, lam) > target >= worst(found.upper, lam)


@pytest.mark.parametrize(
    "more", [{}, {"k": 3}, {"categories": 4}, {"rounds": 3}, {"bits": 2}, {"dataset": "identical"}]
)
def test_beyond_doubles_the_least_q_is_one_that_no_outcome_tells(more):
    found = least_q(n=1000, lam="1e1000", delta="1e-6", **more)
    assert found.lower == 0 == found.at_upper
    exposed = more.get("k", 1) * more.get("rounds", 1) * more.get("bits", 1) * (2 if "categories" in more else 1)
    assert 1 <= Fraction(10**1000) / (1 / found.upper - 1) ** exposed <= 1 + Fraction(1, 10**9)


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"q": "1e-300", "lam": 2, "delta": "1e-9"}, "even at n = 1,000,000,000,000,000, the last value searched$"),
        ({"q": "0.1", "epsilon": 0, "delta": "1e-9"}, "even at n = 1,000,000,000,000,000, the last value searched$"),
        (
            {"q": "1e-9", "lam": "1.0001", "delta": "1e-9", "k": 2},
            "even at n = 500,000,000,000,000, the last value searched$",
        ),
        ({"q": "0.1", "epsilon": 1, "delta": "1e-9", "k": 10**9}, "even at n = 1,000,000, the last value searched$"),
    ],
)
def test_more_reports_than_can_be_held_are_no_solution(arguments, match):
    with pytest.raises(NoSolution, match=match):
        least_n(**arguments)


def test_most_k_tries_up_to_the_most_reports():
    with pytest.raises(NoSolution, match="even at k = 100,000, the last value searched"):
        most_k(n=10**10, q="0.1", lam=2, delta="1e-6")
    with pytest.raises(NoSolution, match="even at k = 1,000,000, the last value searched"):
        most_k(n=10**6, q="0.1", epsilon=1, delta="0.99999")
    with pytest.raises(NoSolution, match="even at k = 1, the last value searched"):
        most_k(n=10**15, q="0.49", lam=2, delta="0.9")


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


@pytest.mark.parametrize("solve", [lambda **x: least_q(n=5, **x), lambda **x: least_n(q="1/4", **x)])
@pytest.mark.parametrize(
    ("arguments", "argument"),
    [({"delta": 0, "lam": 2}, "delta"), ({"delta": 1, "lam": 2}, "delta"), ({"delta": "0.1"}, "lam, epsilon"),
     ({"delta": "0.1", "lam": 2, "k": 0}, "k"), ({"delta": "0.1", "lam": 2, "rtol": "1e-12"}, "rtol")],
)  # fmt: skip
def test_refusals(solve, arguments, argument):
    with pytest.raises(DomainError) as refusal:
        solve(**arguments)
    assert refusal.value.argument == argument


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
    calls = calls_of(Bits, "settled")
    found = most_k(n=10**8, q="1e-4", epsilon=1, delta="1e-6")
    assert (found.lower, found.upper) == (559, 560)
    assert len(calls) <= 4


def test_most_k_of_rounds_holds_for_every_strategy_and_fails_for_one():
    found = most_k(3, q="1/3", lam=2, delta="1/5", rounds=2)
    k = int(found.value)
    assert (found.upper, found.whole, found.holds_above) == (k + 1, True, False)
    held, broken = (rounds.adaptive([[(3, Fraction(1, 3), x)]] * 2, Fraction(2)) for x in (k, k + 1))
    assert held <= Fraction(1, 5) < broken


@pytest.mark.parametrize("neighbours", ["replace", "delete"])
def test_most_k_of_a_histogram_is_that_of_the_definition(neighbours):
    asked = {"n": 2, "categories": 2}
    given = {**asked, "ones": 1, "q": Fraction(2, 5), "lam": Fraction(2), "relation": neighbours}
    worst = [max(x for *_, x in unary.everything(**given, k=k)) for k in (1, 2, 3)]
    assert worst[0] < worst[1] < worst[2]
    for k, target in ((1, worst[1] - Fraction(1, 10**6)), (2, worst[1] + Fraction(1, 10**6))):
        assert most_k(**asked, q="2/5", lam=2, delta=target, neighbours=neighbours).value == k


@pytest.mark.parametrize("neighbours", ["replace", "delete"])
@pytest.mark.soak
def test_of_records_with_at_most_so_many_categories_by_definition(neighbours):
    """Every dataset of records that hold none, one or two categories of three."""
    shape = {"categories": 3, "at_most": 2, "neighbours": neighbours}

    def worst(n, q, k=1):
        return max(x for *_, x in unary.everything(n, 3, range(3), q, k, Fraction(2), neighbours))

    found = least_q(2, lam=2, delta="1/5", **shape)
    assert worst(2, found.upper) <= Fraction(1, 5) < worst(2, found.lower)
    target = (worst(2, Fraction(3, 8)) + worst(1, Fraction(3, 8))) / 2
    assert least_n("3/8", lam=2, delta=target, **shape).upper == 2
    assert most_k(1, q="3/8", lam=2, delta=worst(1, Fraction(3, 8)), **shape).value == 1
    assert worst(1, Fraction(3, 8), 2) > worst(1, Fraction(3, 8))


def test_one_report_is_too_many_or_there_is_no_certificate():
    with pytest.raises(NoSolution, match=r"with one report per record; more were not tried$"):
        most_k(10, q="1/10", lam=2, delta="1e-6", rounds=2)
    with pytest.raises(DomainError, match=r"^rounds = 2 is not allowed: leave it out"):
        certificate(most_k, 3, q="1/3", lam=2, delta="1/5", rounds=2)
