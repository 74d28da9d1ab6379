"""Rounds handed to Coq: a pair on a lattice above every dataset, composed in whole numbers that err upward."""

import json
import math
import random
from fractions import Fraction

import pytest

import dpcalc as dp
from dpcalc import check
from dpcalc.certificates.coq import (
    Lattice,
    between_powers,
    of_rounds,
)
from dpcalc.certificates.formal import formal
from dpcalc.cli import main as command
from tests.certificates.test_check import number
from tests.oracles import certificates
from tests.oracles.rounds import adaptive, divergence
from tests.oracles.scan import deltas

SMALL = dp.KRandomization(n=3, q="1/4")
QUESTIONS = {
    "rounds": (dp.Rounds([(SMALL, 2)]), {"lam": 2}),
    "rounds, epsilon": (dp.Rounds([(dp.KRandomization(n=4, q="1/5"), 2)]), {"epsilon": "0.3"}),
    "one record, whose losses are a lattice": (dp.Rounds([(dp.KRandomization(n=1, q="1/4"), 3)]), {"epsilon": 1}),
    "several reports": (dp.Rounds([(dp.KRandomization(n=2, q="1/3", k=2), 2)]), {"lam": "3/2"}),
    "lambda 1": (dp.Rounds([(SMALL, 2)]), {"lam": 1}),
    "a histogram": (dp.UnaryEncoding(n=3, categories=4, q="1/4"), {"lam": 2}),
    "deleted records": (
        dp.Rounds([(dp.UnaryEncoding(n=2, categories=3, q="1/4", neighbours="delete"), 2)]),
        {"lam": 2},
    ),
}


def made(name):
    rounds, limit = QUESTIONS[name]
    return dp.certificate(dp.delta, rounds, **limit).document


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_certificate_becomes_a_claim_that_is_so(name):
    document = made(name)
    found, upper = formal(document), number(document["answer"]["upper"])
    assert upper <= found.upper <= upper * (1 + Fraction(1, 10**9))
    low, high = certificates.limits(document["question"])
    assert adaptive(certificates.releases(document["question"]["rounds"]), high) <= found.upper
    assert found.lower == 0
    assert low * (1 - Fraction(1, 10**20)) <= found.witness.number_below <= high
    g = Fraction(1 << found.witness.over_all.scale, found.witness.over_all.coarse)
    for j, knot in enumerate(found.witness.over_all.knots):
        truth = max(deltas(int(found.given["n"]), found.given["q"], int(found.given["k"]), g**j))
        assert truth * found.witness.over_all.one <= knot.bound
        assert not knot.blocks or knot.near <= g**j


def test_epsilon_is_enough():
    found = dp.certificate(dp.epsilon, dp.Rounds([(SMALL, 2)]), delta="1/10")
    best = number(found.document["answer"]["upper"])
    theorem, rounds = formal(found.document), [[(3, Fraction(1, 4), 1)]] * 2
    assert (theorem.given["delta"], theorem.upper) == (Fraction(1, 10), best)
    assert adaptive(rounds, certificates.limits({"epsilon": str(best)})[1]) <= Fraction(1, 10)
    document = json.loads(found.text)
    document["answer"]["upper"] = check.written(best * Fraction(3, 4))
    with pytest.raises(dp.Undecided, match="not found to hold"):
        formal(document)


def test_of_several_categories_a_record_several_counts_change():
    held = dp.UnaryEncoding(n=2, categories=4, ones=2, q="1/4")
    assert formal(dp.certificate(dp.delta, held, lam=2).document).opening == "Rounds_delta (Histograms 1 4 4)"


@pytest.mark.parametrize(("end", "allowed"), [(1 - Fraction(1, 10**4), False), (1 + Fraction(1, 10**4), True)])
def test_a_claim_that_is_too_narrow_is_refused(end, allowed):
    document = json.loads(json.dumps(made("rounds")))
    best = number(document["answer"]["upper"])
    document["answer"]["upper"] = check.written(best * end)
    if allowed:
        assert formal(document).upper == best * end
        return
    with pytest.raises(dp.Undecided, match="not found to hold"):
        formal(document)


def test_bounds_that_are_not_convex_are_left_out():
    """Many of them are on one chord, but for what is rounded: no outcome has such a loss, and none is looked at."""
    document = json.loads(json.dumps(made("rounds")))
    document["grid"], document["rounds"][0]["knots"] = "41/40", [{"step": j} for j in range(45)]
    document["answer"]["upper"] = "27/100"
    assert sum(x > 0 for x in formal(document).witness.over_all.of_loss) < 20
    dominates_its_knots(formal(document).witness.over_all)


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_pair_dominates_its_knots(name):
    dominates_its_knots(formal(made(name)).witness.over_all)


def dominates_its_knots(pair):
    """By what Coq computes: from above at the mirror images, from below of the pair."""
    one, bounds = Fraction(1), [Fraction(knot.bound, pair.one) for knot in pair.knots]
    for bound in [Fraction(knot.bound, pair.one) for knot in pair.knots[1:]]:
        one = Fraction(math.floor(one / pair.power(1) * pair.one), pair.one)
        bounds.insert(0, 1 - Fraction(math.floor(one * (1 - bound) * pair.one), pair.one))
    _, seen = outcomes(pair)
    assert sum(p for p, _ in seen) >= 1
    slack, last = Fraction(2 * len(pair.of_loss), pair.one), len(pair.of_loss) // 2
    assert len(bounds) == len(pair.of_loss)
    for i, (bound, mass) in enumerate(zip(bounds, pair.of_loss, strict=True)):
        if mass or i == 2 * last:
            assert divergence([seen], pair.power(i - last)) >= bound + slack


def test_what_is_asked():
    found = formal(made("rounds"))
    up, down = found.upper.as_integer_ratio()
    asked = f"Rounds_delta (Bits 2) 3 1 (1, 4) (Lambda (2, 1)) (0, 1) ({up}, {down})."
    assert f"Definition asked : rounds_question := {asked}" in found.coq
    assert '"rounds": [{"n": 3, "q": "1/4", "k": 1, "times": 2}], "lam": "2"}: from 0 to ' in found.coq
    assert "Rounds_delta (Histograms 2 3 1) 2 1 (1, 4) (Lambda (2, 1))" in formal(made("deleted records")).coq


def test_rounds_that_would_take_days_are_refused():
    """Each knot for itself would be allowed."""
    kind = {"n": 10**5, "q": "1/100", "k": 1, "times": 2}
    document = {
        "question": {"what": "delta", "rounds": [kind], "epsilon": "1/10"},
        "answer": {"upper": "1/1000"},
        "grid": "1001/1000",
        "rounds": [{"knots": [{"step": j} for j in range(2000)]}],
    }
    with pytest.raises(dp.Undecided, match="too many reports"):
        formal(document)


def test_the_command_says_what_is_proven(tmp_path, capsys):
    """A bound that is wider than the answer, which looks at every strategy."""
    theorem = tmp_path / "q.v"
    asked = ["delta", "--n", "3", "--q", "0.25", "--lam", "2", "--rounds", "2", "--formal", str(theorem)]
    assert command(asked) == 0
    assert capsys.readouterr().out.endswith(
        f"formal: {theorem}\nthe theorem proves: delta is at most 0.261475, 13 % above the answer's 0.2329102; "
        "it is no proof of a smaller delta\n"
    )
    assert theorem.read_text("utf-8") == formal(made("rounds")).coq


# --- in whole numbers ------------------------------------------------------------------------------------------


def drawn(seed, fine=40):
    """A pair on a lattice, whose masses add up to 1 and a little more."""
    draw = random.Random(seed)
    last = draw.randint(1, 3)
    parts = [draw.randint(0, 9) for _ in range(2 * last + 2)]
    *masses, infinite = [(x << fine) // max(1, sum(parts)) + 1 for x in parts]
    return Lattice(draw.randint(3, 15), 4, fine, [], masses, infinite, draw.randint(0, 4), draw.randint(1, 9), 12)


def outcomes(pair):
    """Its P and Q masses."""
    g, last = Fraction(1 << pair.scale, pair.coarse), len(pair.of_loss) // 2
    finite = [(Fraction(x, pair.one), Fraction(x, pair.one) / g ** (i - last)) for i, x in enumerate(pair.of_loss)]
    return g, [*finite, (Fraction(pair.infinite, pair.one), Fraction(0))]


@pytest.mark.parametrize("seed", range(20))
def test_rounds_err_upward(seed):
    """Wherever the rows end; next to the truth if they do not end too early."""
    pair, times = drawn(seed), seed % 4
    g, one = outcomes(pair)
    low, high = of_rounds(pair, times)
    at_low, at_high = (divergence([one] * times, g**j) for j in (pair.reach, pair.reach + 1))
    assert at_low * pair.one <= low
    assert at_high * pair.one <= high
    lam = g**pair.reach * (1 + (g - 1) / 3)
    assert divergence([one] * times, lam) <= between_powers(pair, lam, (low, high))
    if min(pair.ahead, pair.behind) >= times * (len(pair.of_loss) // 2):
        assert low <= at_low * pair.one * (1 + Fraction(1, 10**6)) + 20
