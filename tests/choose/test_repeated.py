from fractions import Fraction

import pytest

from dpcalc import KRandomization, UnaryEncoding, least_n, least_q, most_rounds
from dpcalc.errors import DomainError, NoSolution, Undecided
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.promise import Promise
from dpcalc.rounds.joint import Joint
from tests.oracles import rounds as by_hand
from tests.oracles import unary

LAM = Fraction(2)


def worst(n, q, k, times):
    return by_hand.fixed_alike((n, q, k), times, LAM)


def strategies(n, q, k):
    return by_hand.adaptive_two((n, q, k), (n, q, k), LAM)


def test_least_q_of_one_person_fails_and_holds_by_the_definition():
    found = least_q(n=1, lam=LAM, delta="1/5", rounds=3)
    assert worst(1, found.lower, 1, 3) > Fraction(1, 5) >= worst(1, found.value, 1, 3)
    assert found.upper - found.lower <= found.upper / 500


@pytest.mark.parametrize(("n", "k", "target"), [(2, 1, "1/20"), pytest.param(2, 2, "1/10", marks=pytest.mark.soak)])
def test_least_q_fails_and_holds_for_the_best_strategy(n, k, target):
    found = least_q(n=n, lam=LAM, delta=target, k=k, rounds=2)
    assert strategies(n, found.lower, k) > Fraction(target) >= strategies(n, found.value, k)
    assert found.upper - found.lower <= found.upper / 500


def test_least_q_of_a_histogram_by_every_dataset():
    found = least_q(n=3, lam=LAM, delta="1/20", categories=3)
    deltas = [
        max(d for *_, d in unary.everything(3, 3, 1, q, 1, LAM, "replace")) for q in (found.lower, found.value)
    ]  # fmt: skip
    assert deltas[0] > Fraction(1, 20) >= deltas[1]


@pytest.mark.soak
def test_least_n_of_two_rounds():
    found = least_n(q="1/4", lam=LAM, delta="1/4", rounds=2)
    assert (found.lower, found.upper) == (2, 3)
    assert strategies(2, Fraction(1, 4), 1) > Fraction(1, 4) >= strategies(3, Fraction(1, 4), 1)


def test_one_user_is_enough_where_delta_is_0():
    found = least_n(q="0.49", epsilon=1, delta="1e-6", rounds=10)
    assert (found.lower, found.upper) == (1, 1)


@pytest.mark.parametrize("target", ["1/5", "1/3", "1/2"])
def test_most_rounds_by_the_definition(target):
    found = most_rounds(KRandomization(n=2, q="1/4"), lam=LAM, delta=target)
    assert found.value == found.lower
    assert not found.holds_above
    assert found.upper <= 5
    assert (
        worst(2, Fraction(1, 4), 1, int(found.lower))
        <= Fraction(target)
        < worst(2, Fraction(1, 4), 1, int(found.upper))
    )


def test_deleting_one_hot_records_is_the_single_count():
    of = {"n": 1000, "epsilon": 1, "delta": "1e-6"}
    assert least_q(**of, categories=5, neighbours="delete") == least_q(**of)
    of = {"q": "1/10", "epsilon": 1, "delta": "1e-6"}
    assert least_n(**of, categories=5, neighbours="delete") == least_n(**of)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: least_q(n=9, lam=2, delta="0.1", rounds=0), "rounds = 0"),
        (lambda: least_q(n=9, lam=2, delta="0.1", rounds=10**9), "rounds = 1000000000"),
        (lambda: least_q(n=9, lam=2, delta="0.1", categories=1), "categories = 1"),
        (lambda: least_q(n=9, lam=2, delta="0.1", categories=4, ones=5), "ones = 5"),
        (lambda: least_q(n=9, lam=2, delta="0.1", ones=3), "ones = 3 is not allowed: give only 1 without categories"),
        (lambda: least_q(n=9, lam=2, delta="0.1", neighbours="delete"), "neighbours = 'delete' is not allowed"),
        (lambda: least_n(q="1/4", lam=2, delta="0.1", categories=4, neighbours="add"), "neighbours = 'add'"),
        (lambda: least_n(q="1/2", lam=2, delta="0.1", rounds=2), "q = '1/2'"),
        (lambda: most_rounds(KRandomization(n=9, q="1/4"), lam=2, delta=1), "delta = 1"),
        (lambda: most_rounds(3, lam=2, delta="0.1"), "mechanism = 3"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(DomainError, match=message):
        call()


@pytest.mark.soak
def test_no_round_fits_or_all_do():
    with pytest.raises(NoSolution, match="one round breaks the budget"):
        most_rounds(KRandomization(n=5, q="1/10"), epsilon=1, delta="1e-6")
    with pytest.raises(NoSolution, match="even at rounds = 1,000,000, the last value"):
        most_rounds(KRandomization(n=10**8, q="49/100"), epsilon="0.03", delta="1e-6")


@pytest.mark.parametrize(("once", "last"), [({"categories": 9, "ones": 3}, "166,666")])
def test_as_many_rounds_of_histograms_as_are_taken_are_searched(monkeypatch, once, last):
    monkeypatch.setattr(Joint, "delta", lambda *_, **__: Promise(Fraction(0), Fraction(1, 10**9)))
    monkeypatch.setattr(Joint, "one", lambda *_, **__: Enclosure.of(Fraction(1, 10**9)))
    with pytest.raises(NoSolution, match=f"even at rounds = {last}, the last value searched"):
        most_rounds(UnaryEncoding(n=10**9, q="0.4999", **once), epsilon=1, delta="1e-6")


def test_an_enclosure_of_a_step_on_the_way_proves_nothing(monkeypatch):
    def delta(*_, **__):
        raise Undecided("a sign is not settled", Enclosure(Fraction(0), Fraction(0)))

    monkeypatch.setattr(Joint, "delta", delta)
    with pytest.raises(Undecided, match="not settled at 2 values that were tried: a sign is not settled") as refused:
        least_q(n=5, rounds=2, lam=2, delta="1e-3")
    assert refused.value.enclosure is None


def test_the_upper_end_of_thirty_rounds_is_asked_for_once(calls_of):
    """Each value takes a third of a second: the lower end leads to where the upper one crosses, about."""
    calls = calls_of(Joint, "delta")
    found = least_q(n=10_000, epsilon=1, delta="1e-6", rounds=30)
    assert found.at_lower.lower > Fraction(1, 10**6) >= found.at_upper.upper
    assert len(calls) <= 1
