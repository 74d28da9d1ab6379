"""What is printed at the two ends of a bracket is implied by the worst delta, found by its definition."""

import json
import re
from fractions import Fraction
from math import exp

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpcalc as dp
from dpcalc.choose.page import page
from dpcalc.cli import main
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.promise import Promise
from dpcalc.report import bounded, bracket, bracket_lines, least, most
from tests.oracles import scan
from tests.oracles.rounds import adaptive, fixed_alike

SAID = re.compile(r"delta is at (most|least) (\S+) for ([^;]+?)(?=;|$)")


def worst(n, q, lam, k=1):
    """The largest delta, exactly."""
    return scan.largest(int(n), Fraction(q), int(k), lam)[0]


def check(text, truth, target, *, whom):
    """What the line says is true, and decides the target; returns whether the target holds there."""
    way, digits, who = SAID.search(text).groups()
    said = Fraction(digits)
    if way == "most":
        assert truth <= said <= target
        assert who == "every dataset"
    else:
        assert truth >= said > target
        assert who == whom
    return way == "most"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("least-n --q 1/3 --lam 1 --delta 0.1", lambda x: (x, "1/3", 1)),
        ("least-q --n 9 --lam 1 --delta 1e-6 --rtol 0.5", lambda x: (9, x, 1)),
        ("least-q --n 4 --lam 1.0001 --delta 0.01", lambda x: (4, x, Fraction("1.0001"))),
        ("most-k --n 60 --q 1/4 --lam 2 --delta 1e-2", lambda x: (60, "1/4", 2, x)),
    ],
)
def test_the_command_line_says_no_more_than_is_true(arguments, problem, capsys):
    words = arguments.split()
    target = Fraction(words[words.index("--delta") + 1])
    assert main(words) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("proven:")]
    found = [line.partition(", where ") for line in lines]
    for x, _, said in found:
        n, q, lam, *k = problem(Fraction(x.rpartition(" = ")[2]))
        assert check(said, worst(n, q, Fraction(lam), *k), target, whom="one dataset") == ("holds" in x)
    assert len(found) == 2
    assert main([*words, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    holds, fails = ("at_upper", "at_lower") if shown["safe"] == "upper" else ("at_lower", "at_upper")
    assert Fraction(shown[holds]["upper"]) <= target < Fraction(shown[fails]["lower"])
    assert (set(shown[holds]), set(shown[fails])) == ({"upper", "for"}, {"lower", "for"})
    assert shown["meaning"] == "fails for one dataset; holds for every dataset"


LIMITS = st.sampled_from([Fraction(1), Fraction("1.0001"), Fraction(3, 2), Fraction(3)])
WIDTHS = st.sampled_from(["0.5", "0.1", "1e-3", "1e-6"])


def check_both(found, truth, target):
    """Both ends, as text and as JSON; ``truth`` is the worst delta at a parameter."""
    shown = bracket("x", found)
    for end, at in ((found.lower, "at_lower"), (found.upper, "at_upper")):
        holds = end == found.value
        text = bounded(found.at_holding if holds else found.at_failing, found.target, holds=holds)
        assert check(text, truth(end), target, whom="one dataset") == holds
        assert any(text in line for line in bracket_lines("x", found))
        assert shown[at]["for"] in text
        said = Fraction(shown[at]["upper" if holds else "lower"])
        assert (truth(end) <= said <= target) if holds else (truth(end) >= said > target)


MANY = pytest.mark.parametrize("examples", [20, pytest.param(1000, marks=pytest.mark.soak)])


@MANY
def test_both_ends_of_a_least_q_are_implied_by_the_worst_delta(examples):
    targets = st.fractions("1/1000", "9/10", max_denominator=10**3)
    asked = given(st.integers(1, 12), st.integers(1, 3), LIMITS, targets, WIDTHS)
    settings(max_examples=examples, deadline=None)(asked(least_q_says_what_is_true))()


def least_q_says_what_is_true(n, k, lam, target, rtol):
    check_both(dp.least_q(n=n, lam=lam, delta=target, k=k, rtol=rtol), lambda q: worst(n, q, lam, k), target)


def test_an_end_that_is_near_to_the_target_is_written_with_digits_enough():
    """The failing delta is 4e-8 above 46/351, and nothing is known from above: seven digits would lie below it."""
    least_q_says_what_is_true(n=4, k=2, lam=Fraction(1), target=Fraction(46, 351), rtol="1e-6")


@given(*[st.fractions(0, 1, max_denominator=10**12)] * 2)
def test_what_is_written_lies_on_the_side_of_the_target(end, target):
    if end > target:
        assert target < Fraction(least(Promise(end, Fraction(1)), target)) <= end
    else:
        assert end <= Fraction(most(Promise(Fraction(0), end), target)) <= target


def test_a_target_that_is_attained_is_not_exceeded_by_the_end_that_is_written():
    """1/6 is the worst delta of one record; 0.1666...7 would be above it."""
    least_n_says_what_is_true(q=Fraction(1, 3), k=1, lam=Fraction(3, 2), target=Fraction(1, 6), rtol="0.5")


@MANY
def test_both_ends_of_a_least_n_are_implied_by_the_worst_delta(examples):
    flips = st.fractions("1/4", "2/5", max_denominator=60)
    targets = st.fractions("1/8", "9/10", max_denominator=10**3)
    asked = given(flips, st.integers(1, 2), LIMITS, targets, WIDTHS)
    settings(max_examples=examples, deadline=None)(asked(least_n_says_what_is_true))()


def least_n_says_what_is_true(q, k, lam, target, rtol):
    check_both(dp.least_n(q=q, lam=lam, delta=target, k=k, rtol=rtol), lambda n: worst(n, q, lam, k), target)


def test_the_page_says_no_more_than_is_true():
    lam, target = Fraction("1.0001"), Fraction("0.001")
    plan = dp.plan(n=3, lam=lam, delta=target, ks=1, bounds="private")
    items = re.findall(r"<li>k = 1, q = (\S+): (delta is .*?); it (holds|fails)\.</li>", page(plan))
    assert [word for *_, word in items] == ["holds", "fails"]
    for q, text, word in items:
        assert check(text, worst(3, Fraction(q), lam), target, whom="one dataset") == (word == "holds")


@pytest.mark.soak
def test_few_rounds_of_few_records_fail_for_a_strategy_only():
    found = dp.most_rounds(dp.KRandomization(n=2, q=".29"), epsilon="1.2", delta=".24")
    assert found.meaning == (
        "fails for a strategy that looks at earlier counts; "
        "holds for every dataset, even if later data depend on earlier counts"
    )
    one, lam, near = (2, Fraction("0.29"), 1), Fraction(exp(1.2)), Fraction(1, 10**12)
    assert found.upper == 4
    assert fixed_alike(one, 4, lam - near) < Fraction("0.24") < adaptive([[one]] * 4, lam + near)
    assert adaptive([[one]] * 3, lam - near) <= Fraction("0.24")
    assert "for a strategy that looks at earlier counts" in bracket_lines("rounds", found)[2]
    answers = [dp.delta(dp.Rounds([(dp.KRandomization(n=2, q=".29"), 4)]), epsilon="1.2")]
    answers.append(dp.epsilon(dp.Rounds([(dp.KRandomization(n=2, q=".29"), 4)]), delta=".24"))
    assert {x.attained_by for x in answers} == {"a strategy that looks at earlier counts"}


def test_a_condition_that_is_no_delta_is_known_at_both_ends():
    found = dp.classical_q(lam=2)
    assert bounded(found.at_lower, holds=False) == f"the bounded quantity is {found.at_lower}"
    assert found.meaning == "both ends: the condition itself"


@pytest.mark.parametrize(
    ("ends", "whole", "noted"),
    [((1, 2), True, False), ((1, 3), True, True), ((1, "1.02"), False, True), ((1, "1.01"), False, False)],
)
def test_a_bracket_says_that_it_is_wider_than_asked(ends, whole, noted):
    lower, upper = map(Fraction, ends)
    found = dp.Bracket(
        lower=lower, upper=upper, at_lower=Enclosure.of(0), at_upper=Enclosure.of(0), whole=whole, rtol=Fraction(1, 100)
    )
    assert (found.note is not None) == noted
    assert bracket_lines("x", found)[3:] == ([found.note] if noted else [])
    assert bracket("x", found).get("note") == found.note
