from fractions import Fraction

import pytest

from dpcalc import KRandomization, UnaryEncoding, least_n, least_q, most_rounds
from dpcalc.errors import NoSolution, Undecided
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.promise import Promise
from dpcalc.rounds.joint import Joint


def test_one_user_is_enough_where_delta_is_0():
    found = least_n(q="0.49", epsilon=1, delta="1e-6", rounds=10)
    assert (found.lower, found.upper) == (1, 1)


def test_deleting_one_hot_records_is_the_single_count():
    of = {"n": 1000, "epsilon": 1, "delta": "1e-6"}
    assert least_q(**of, categories=5, neighbours="delete") == least_q(**of)
    of = {"q": "1/10", "epsilon": 1, "delta": "1e-6"}
    assert least_n(**of, categories=5, neighbours="delete") == least_n(**of)


@pytest.mark.soak
def test_no_round_fits_or_all_do():
    with pytest.raises(NoSolution, match="even at rounds = 1"):
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
