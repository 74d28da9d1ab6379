"""Verdicts against definitions that share no code with them, and tables that are wrong on purpose."""

from fractions import Fraction

import mpmath
import pytest

import dpcalc as dp
from dpcalc.errors import DomainError
from tests.oracles import noise

COINS = {
    "mechanism": "binomial", "trials": 80, "probability": "1/2", "sensitivity": 1,
    "epsilon": "ln(3)", "delta": "1e-6", "neighbours": "replace", "unit": "user", "model": "central",
}  # fmt: skip
BITS = {
    "mechanism": "bits", "n": 3, "q": "1/4", "epsilon": "ln(2)", "delta": "9/64",
    "neighbours": "replace", "unit": "user", "model": "central",
}  # fmt: skip
REAL = {
    "mechanism": "gaussian", "epsilon": "0.1", "delta": "1e-6",
    "neighbours": "replace", "unit": "user", "model": "central",
}  # fmt: skip
HISTOGRAM = {
    "mechanism": "histogram", "n": 10_000, "categories": 4, "bit_epsilon": 5, "epsilon": "2", "delta": "1e-6",
    "neighbours": "replace", "unit": "user", "model": "central",
}  # fmt: skip


def coins_delta(trials, lam):
    """Of fair coins."""
    return noise.delta(noise.binomial(trials, Fraction(1, 2)), 1, lam)


def verdict(row, **changes):
    """Of one row; a change to None leaves a column out."""
    return dp.audit([{**row, **changes}]).rows[0]


@pytest.mark.parametrize("trials", [20, 40, 60, 80])
def test_a_promise_of_exactly_delta_is_kept_and_of_less_is_broken(trials):
    exact = coins_delta(trials, 3)
    assert verdict(COINS, trials=trials, delta=exact).word in ("kept", "loose")
    assert verdict(COINS, trials=trials, delta=exact * (1 - Fraction(1, 10**30))).word == "broken"


def test_a_loose_promise_names_an_epsilon_that_is_proven():
    found = verdict(COINS, trials=2000, epsilon="0.6375")
    assert found.word == "loose"
    assert found.epsilon.upper * (1 + found.loose) == Fraction("0.6375")
    assert coins_delta(2000, Fraction("1.18326")) <= Fraction("1e-6") < coins_delta(2000, Fraction("1.18320"))
    assert Fraction("1.18320") < 1 + found.epsilon.upper + found.epsilon.upper**2 / 2 + found.epsilon.upper**3 / 6
    assert found.title == "loose by 278 %"
    assert "trials = 173 would do, all else the same" in found.lines()
    assert list(found.rooms) == ["trials"]
    assert verdict(COINS, trials=2000, epsilon=1, rounds=2).rooms == {}  # trials that are enough for one release


def test_the_least_noise_is_not_loose_though_its_epsilon_has_room():
    """Of 20 coins all may fall alike, with probability 2^-20: fewer will not do, whatever epsilon."""
    tight = verdict(COINS, trials=20, epsilon=5)
    assert tight.word == "kept"
    assert tight.epsilon.upper * Fraction("1.01") < 5
    assert verdict(COINS, trials=21, epsilon=5).word == "loose"
    assert verdict(COINS, trials=19, epsilon=5).word == "broken"


def test_the_least_bound_is_that_of_the_ratio_that_is_given():
    """delta at the next smaller bound is above the promise; another ratio would have another least bound."""
    row = {"mechanism": "geometric", "bound": 100, "scale": 5, "sensitivity": 2, "epsilon": 1, "delta": "1e-6"}
    least = verdict(row).rooms["bound"].value
    for bound, holds in ((least, True), (least - 1, False)):
        noise = dp.Geometric.from_epsilon("1/5", int(bound))
        assert (dp.delta(dp.NoisyCount(noise, 2), epsilon=1).upper <= Fraction("1e-6")) is holds


def test_percent_and_thousands_are_read_as_elsewhere():
    """As everywhere, and by whoever looks for less noise, too."""
    row = {"mechanism": "bits", "epsilon": 1, "delta": "1e-6", "neighbours": "replace", "unit": "user"}
    plain, spelled = verdict(row, n=1000, q="0.1"), verdict(row, n="1,000", q="10%")
    assert plain.word == spelled.word == "loose"
    assert spelled.rooms == plain.rooms


@pytest.mark.parametrize("given", [{"sigma": 6, "sensitivity": 2}, {"mu": "1/3"}, {"rho": "1/18"}])
def test_a_gaussian_mechanism_is_judged_by_its_formula(given):
    """Three ways to say that sigma is three times the sensitivity."""
    row = {**REAL, **given, "epsilon": "0.7"}
    with mpmath.workdps(40):
        low, high = (mpmath.ncdf(x - mpmath.mpf("2.1")) for x in (mpmath.mpf(-1) / 6, mpmath.mpf(1) / 6))
        exact = Fraction(int((high - mpmath.exp(mpmath.mpf("0.7")) * low) * 10**30), 10**30)
    kept, broken = (verdict(row, delta=exact * (1 + Fraction(way, 10**12))) for way in (1, -1))
    assert (kept.word, broken.word) == ("kept", "broken")
    assert broken.certificate().startswith("there is none of gaussian: ")
    assert "attained by a change by the sensitivity" in broken.lines()


def test_a_note_of_the_table_is_told(tmp_path):
    found = dp.audit([{**COINS, "note": "fair coins"}])
    assert "   said: fair coins\n" in str(found)


#: What is wrong on purpose, and what is said: (row, changes, verdict, words of it).
WRONG = {
    "epsilon and delta swapped": (COINS, {"epsilon": "1e-6", "delta": 1}, "cannot be judged", "delta = 1 is not"),
    "epsilons of two rows swapped: the smaller": (COINS, {"epsilon": "0.1"}, "broken", "proven: delta is at least"),
    "epsilons of two rows swapped: the larger": (COINS, {"epsilon": 3}, "loose", "epsilon = 0.99857"),
    "per cent for a share": (BITS, {"q": 25}, "cannot be judged", "q = 25 is not allowed: give"),
    "a delta in per cent": (BITS, {"delta": 14}, "cannot be judged", "delta = 14 is not allowed: give"),
    "the local epsilon for the central one": (HISTOGRAM, {"epsilon": 5}, "loose", "is the promised epsilon a local"),
    "the central epsilon for the local one": (HISTOGRAM, {"model": "local"}, "broken", "proven: delta is at least"),
    "a local promise of a server's noise": (COINS, {"model": "local"}, "cannot be judged", "model = 'local'"),
    "pure with a delta": (HISTOGRAM, {"variant": "pure"}, "cannot be judged", "has no delta"),
    "copies without a unit": (BITS, {"k": 2, "unit": None}, "cannot be judged", "unit is missing"),
    "per report where a user sends two": (BITS, {"k": 2, "unit": "report"}, "cannot be judged", "unit = 'report'"),
    "days without a unit": (HISTOGRAM, {"rounds": 30, "unit": None}, "cannot be judged", "unit is missing"),
    "n and k swapped": (BITS, {"n": 2, "k": 3, "delta": "1e-3"}, "broken", "proven: delta is at least"),
    "a minus before the e": (COINS, {"delta": "1-e6"}, "cannot be judged", "delta = '1-e6' is not allowed"),
    "no minus after the e": (COINS, {"delta": "1e6"}, "cannot be judged", "delta = '1e6' is not allowed"),
    "an epsilon in per cent": (COINS, {"epsilon": "100%"}, "cannot be judged", "epsilon = '100%' is not allowed"),
    "a point for thousands": (BITS, {"n": "50.000", "q": "0.01"}, "cannot be judged", "n = '50.000'"),
    "a share of truths for one of lies": (BITS, {"q": "3/4"}, "cannot be judged", "q = '3/4' is not allowed"),
    "no batch size": (HISTOGRAM, {"n": None}, "cannot be judged", "n is missing"),
    "no sensitivity": (COINS, {"sensitivity": None}, "cannot be judged", "sensitivity is missing"),
    "no epsilon": (COINS, {"epsilon": None}, "cannot be judged", "epsilon is missing"),
    "no delta": (COINS, {"delta": None}, "cannot be judged", "delta is missing"),
    "no mechanism": (COINS, {"mechanism": None}, "cannot be judged", "mechanism is missing"),
    "another mechanism's parameter": (COINS, {"sigma": 4}, "cannot be judged", "sigma = 4 is not allowed: leave"),
    "a misspelt column": (COINS, {"epsilom": 2}, "cannot be judged", "epsilom = 2 is not allowed: leave it out"),
    "a column in capitals": (
        COINS, {"epsilon": None, "Epsilon": 1}, "cannot be judged", "Epsilon = 1 is not allowed: give it as epsilon,"
    ),
    "two forms of one parameter": (BITS, {"bit_epsilon": 1}, "cannot be judged", "bit_epsilon = 1 is not allowed"),
    "neighbours that the mechanism has not": (BITS, {"neighbours": "add"}, "cannot be judged", "neighbours = 'add'"),
    "a delta of 1/n": (BITS, {"n": 100, "delta": "0.01"}, "loose", "is kept by publishing 1 person at random"),
    "a sensitivity beside mu": (
        REAL, {"mu": 1, "sensitivity": 2}, "cannot be judged", "sensitivity = 2 is not allowed: leave it out"
    ),
    "sigma alone": (REAL, {"sigma": 4}, "cannot be judged", "sensitivity is missing: give its value"),
    "sigma in per cent": (REAL, {"sigma": "400%", "sensitivity": 1}, "cannot be judged", "sigma = '400%' is not"),
    "days of real noise": (REAL, {"mu": 1, "rounds": 2}, "broken", "for a change by the sensitivity"),
    "weights with commas": (
        COINS, {"mechanism": "listed noise", "trials": None, "probability": None, "weights": "1,2,1"},
        "cannot be judged", "weights = '1,2,1' is not allowed: give numbers >= 0",
    ),
    "a weight below 0": (
        COINS, {"mechanism": "listed noise", "trials": None, "probability": None, "weights": "1 -2 3"},
        "cannot be judged", "weights = '1 -2 3' is not allowed: give numbers >= 0",
    ),
    "a sensitivity that was forgotten": (COINS, {"sensitivity": 8, "epsilon": 1}, "broken", "count +8"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_on_purpose_is_never_silently_kept(name):
    row, changes, word, said = WRONG[name]
    found = verdict(row, **changes)
    lines = list(found.lines())
    assert found.word == word
    assert any(said in line for line in lines), lines
    if word == "cannot be judged":
        assert lines[-1].startswith("row 1: ")
        assert "\n" not in found.why
    assert found.word != "kept"


def test_a_default_is_named_in_the_verdict():
    found = verdict(BITS, neighbours=None, unit=None, model=None)
    assumed = [line for line in found.lines() if line.startswith("assumed: ")]
    assert [line.split()[1] for line in assumed] == ["model:", "neighbours:", "unit:"]
    assert not [line for line in verdict(BITS).lines() if line.startswith("assumed: ")]


def test_a_local_promise_is_about_what_one_user_sends():
    """Whoever sees both reports of a user: pairs of flips, 9/16 against 1/16."""
    twice = {**BITS, "k": 2, "model": "local", "delta": 0}
    assert verdict(twice, epsilon="ln(9)").word == "kept"
    assert verdict(twice, epsilon="ln(8.99)").word == "broken"
    assert verdict(twice, epsilon="ln(3)", unit="user").word == "broken"


def test_a_promise_of_one_day_is_not_one_of_a_month():
    row = {**COINS, "rounds": 30, "epsilon": 1}
    assert verdict(row, unit="user-round").word == "kept"
    assert verdict(row, unit="user").word == "broken"


def test_what_no_end_decides_is_not_judged():
    """Of a shuffle the two ends answer different questions: a promise between them is neither kept nor broken."""
    row = {
        "mechanism": "k-ary response", "n": 20, "categories": 4, "report_epsilon": 2, "epsilon": "0.5",
        "neighbours": "replace", "unit": "user", "model": "central",
    }  # fmt: skip
    delta = dp.delta(dp.Shuffle(dp.k_ary_response(4, epsilon=2), n=20), epsilon="0.5")
    assert delta.lower < delta.upper
    between = verdict(row, delta=(delta.lower + delta.upper) / 2)
    assert between.word == "cannot be judged"
    assert "both sides of the promise" in between.why


@pytest.mark.parametrize("table", [[], {"a": 1}, [[None]], "promises.txt", "no such.csv", 3])
def test_what_is_no_table_is_refused(table):
    with pytest.raises(DomainError, match=r"^table(, row 1)? = "):
        dp.audit(table)
