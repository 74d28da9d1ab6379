"""Counts of one release and days are two questions: each against brute force by the definition."""

import random
from fractions import Fraction
from itertools import product
from math import comb

import mpmath
import pytest

import dpcalc as dp
from dpcalc.errors import DomainError, NoSolution
from dpcalc.mechanisms.noisy_count import NoisyHistogram
from tests.oracles.rounds import divergence

COINS = {
    "mechanism": "binomial", "trials": 30, "probability": "1/5", "sensitivity": 1, "epsilon": "ln(3)",
    "neighbours": "replace", "unit": "user", "model": "central",
}  # fmt: skip
LESS = 1 - Fraction(1, 10**30)


def coins(trials, chance):
    """The law of a sum of coins."""
    return [comb(trials, x) * chance**x * (1 - chance) ** (trials - x) for x in range(trials + 1)]


def counts_delta(law, lam, changes):
    """delta of several counts with noise of this law, each of which changes by so much, up or down."""
    f, seen = dict(enumerate(law)), range(-len(law), 2 * len(law))
    both = [[[(f.get(s, 0), f.get(s - way * c, 0)) for s in seen] for c in changes] for way in (1, -1)]
    return max(divergence([[x for x in one if any(x)] for one in chosen], lam) for chosen in both)


def verdict(row, **changes):
    """Of one row."""
    return dp.audit([{**row, **changes}]).rows[0]


def histogram(law, sensitivity=1):
    """Of listed noise."""
    return NoisyHistogram(dp.NoisyCount(dp.FiniteNoise(law), sensitivity))


@pytest.mark.parametrize(
    ("trials", "chance", "lam", "opposite", "same"),
    [(12, "1/5", 3, 0.1418959, 0.1929268), pytest.param(40, "1/10", 4, 0.0351691, 0.0595665, marks=pytest.mark.soak)],
)
def test_a_histogram_is_judged_with_both_signs_and_days_with_equal_ones(trials, chance, lam, opposite, same):
    row = {**COINS, "trials": trials, "probability": chance, "epsilon": f"ln({lam})"}
    law = coins(trials, Fraction(chance))
    exact, days = (counts_delta(law, lam, changes) for changes in ((1, -1), (1, 1)))
    assert (round(float(exact), 7), round(float(days), 7)) == (opposite, same)
    assert verdict(row, counts=2, delta=exact).word in ("kept", "loose")
    broken = verdict(row, counts=2, delta=exact * LESS)
    assert broken.word == "broken"
    assert "attained by comparing two counts with the same counts +1 and -1" in broken.lines()
    assert verdict(row, rounds=2, delta=days * Fraction(9, 10)).word == "broken"
    assert "rounds are days" in "".join(verdict(row, rounds=2, delta="0.1").lines())


def laws(seed, count):
    """Laws, sensitivities and limits: sums of coins, and any list with sensitivity 1."""
    draw = random.Random(seed)
    for _ in range(count):
        law = [Fraction(1)]
        if draw.random() < 0.5:
            for _ in range(draw.randint(1, 5)):
                chance = Fraction(draw.randint(1, 9), 10)
                law = [x * (1 - chance) + y * chance for x, y in zip([*law, 0], [0, *law], strict=True)]
            yield law, draw.randint(1, 3), Fraction(draw.randint(10, 40), 10)
        else:
            weights = [1, *(draw.randint(0, 3) for _ in range(draw.randint(0, 4))), draw.randint(1, 3)]
            yield [Fraction(x, sum(weights)) for x in weights], 1, Fraction(draw.randint(10, 40), 10)


@pytest.mark.parametrize(
    ("law", "most", "lam"), [*laws(1, 25), *(pytest.param(*one, marks=pytest.mark.soak) for one in laws(2, 300))]
)
def test_the_largest_change_of_both_counts_is_the_worst(law, most, lam):
    changes = [(a, -b) for a, b in product(range(most + 1), repeat=2)]
    exact = max(counts_delta(law, lam, change) for change in changes)
    found = dp.delta(histogram(law, most), lam=lam)
    assert found.lower == found.upper == exact
    assert dp.delta(histogram(law[::-1], most), lam=lam).upper == exact


def test_an_irrational_limit_and_its_inverse():
    law = coins(7, Fraction(1, 5))
    found = dp.delta(histogram(law), epsilon="0.7")
    with mpmath.workdps(80):
        lam = int(mpmath.exp(mpmath.mpf(7) / 10) * 10**60)
    least, most = (counts_delta(law, Fraction(lam + more, 10**60), (1, -1)) for more in (1, 0))
    assert found.lower <= least <= most <= found.upper <= found.lower * (1 + Fraction(1, 10**12))
    back = dp.epsilon(histogram(law), delta=found.upper)
    assert abs(float(back) - 0.7) < 1e-6


def test_from_the_largest_finite_ratio_on_delta_falls_no_further():
    law = coins(3, Fraction(1, 5))
    exact = counts_delta(law, 10**9, (1, -1))
    for epsilon in (30, 10**6):
        assert dp.delta(histogram(law), epsilon=epsilon).exact
        assert dp.delta(histogram(law), epsilon=epsilon).upper == exact
    with pytest.raises(NoSolution, match="no epsilon"):
        _ = histogram(law).local_epsilon
    assert dp.delta(histogram([1, 0], 1), epsilon=3).upper == 1
    with pytest.raises(NoSolution):
        dp.epsilon(histogram(law), delta=exact * LESS)


def test_days_of_a_histogram_are_composed():
    law = coins(4, Fraction(1, 5))
    exact = counts_delta(law, 3, (1, -1, 1, -1))
    found = dp.delta(dp.Rounds([(histogram(law), 2)]), lam=3)
    assert found.lower <= exact <= found.upper <= found.lower * Fraction(105, 100)
    row = {**COINS, "trials": 4, "counts": 2, "rounds": 2}
    assert verdict(row, delta=exact * Fraction(105, 100)).word in ("kept", "loose")
    broken = verdict(row, delta=exact * Fraction(95, 100))
    assert broken.word == "broken"
    assert any(line.startswith("in 2 rounds attained by comparing two counts") for line in broken.lines())


@pytest.mark.parametrize("signs", [(1, 1, 1), (1, -1, 1)])
def test_signs_do_not_matter_for_symmetric_noise(signs):
    exact = counts_delta(coins(4, Fraction(1, 2)), 3, signs)
    row = {**COINS, "trials": 4, "probability": "1/2", "counts": 3}
    assert verdict(row, delta=exact * Fraction(102, 100)).word in ("kept", "loose")
    broken = verdict(row, delta=exact * Fraction(98, 100))
    assert broken.word == "broken"
    assert any(line.startswith("in 3 counts attained by") for line in broken.lines())
    assert broken.rooms == {}  # trials that are enough for one count


@pytest.mark.parametrize("relation", ["add-remove", "delete"])
def test_an_added_record_changes_its_counts_in_one_direction(relation):
    row = {**COINS, "trials": 6, "counts": 2, "neighbours": relation}
    exact = counts_delta(coins(6, Fraction(1, 5)), 3, (1, 1))
    assert verdict(row, delta=exact * Fraction(115, 100)).word in ("kept", "loose")
    broken = verdict(row, delta=exact * Fraction(85, 100))
    assert broken.word == "broken"
    assert broken.delta.lower <= exact <= broken.delta.upper


POISSON = {**{name: COINS[name] for name in COINS if name not in ("trials", "probability")}, "mechanism": "poisson"}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({**COINS, "counts": 3}, "counts = 3 is not allowed: give 1 or 2 where a record is replaced"),
        ({**COINS, "counts": 0}, "counts = 0 is not allowed"),
        ({**POISSON, "mean": 30, "counts": 2}, "is not allowed: give noise that is symmetric, or a list"),
        ({**COINS, "trials": 10**6, "counts": 2}, "is not allowed: give noise that is symmetric, or a list"),
        ({**COINS, "mechanism": "listed noise", "weights": "3 1 2", "trials": "", "probability": "",
          "sensitivity": 2, "counts": 2}, "sensitivity = 2 is not allowed: give 1"),
    ],
)  # fmt: skip
def test_what_is_not_known_is_not_judged(row, said):
    found = verdict(row, delta="0.1")
    assert found.word == "cannot be judged"
    assert said in found.why


def test_only_added_noise_has_counts():
    row = {"mechanism": "bits", "n": 9, "q": "1/4", "counts": 2, "epsilon": 1, "delta": "0.1"}
    assert "counts = 2 is not allowed: leave it out: bits takes" in verdict(row).why
    with pytest.raises(DomainError):
        histogram([Fraction(1, 2), 0, Fraction(1, 2)], 2)
