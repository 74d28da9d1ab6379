"""Every delta and epsilon is a promise: its float is safe, it says what its ends mean, and that it is too wide."""

from fractions import Fraction

import pytest

import dpcalc as dp
from dpcalc.numbers.promise import Promise

BITS = dp.KRandomization(n=20, q="1/4", k=2)
NEAR_HALF = dp.KRandomization(n=1000, q="0.4999999", k=3)
HISTOGRAM = dp.UnaryEncoding(n=20, categories=4, q="1/5")
FLEET = dp.Fleet([dp.Group(n=9, q="1/4"), dp.Group(n=7, q="1/5")])
NOISE = dp.NoisyCount(dp.Binomial(60, "1/2"))
SHUFFLE = dp.Shuffle(dp.k_ary_response(3, lam=3), n=10)
DAYS = dp.Rounds([(dp.KRandomization(n=30, q="1/4"), 2)])
NOISY_DAYS = dp.Rounds([(dp.NoisyCount(dp.Binomial(20, "1/2")), 2)])
ONE_ROUND = dp.Rounds([dp.Fleet([dp.Group(n=2, q="1/4"), dp.Group(n=1, q="1/5")])])
MECHANISMS = [BITS, NEAR_HALF, HISTOGRAM, FLEET, NOISE, SHUFFLE, DAYS, NOISY_DAYS, ONE_ROUND]

ONE, ALL = "one dataset", "every dataset"
FIXED, ADAPTIVE = "datasets fixed in advance", "every dataset, even if later data depend on earlier counts"
WORDS = {
    BITS: (ONE, ALL), NEAR_HALF: (ONE, ALL), HISTOGRAM: (ONE, ALL), FLEET: (ONE, ALL), ONE_ROUND: (ONE, ALL),
    NOISE: ("one change of the count", "every two neighbouring counts"),
    SHUFFLE: ("one dataset, all others alike", ALL), DAYS: (FIXED, ADAPTIVE), NOISY_DAYS: (FIXED, ADAPTIVE),
}  # fmt: skip


def safe(found):
    """Whether the float is at least all that the number may be, however it is read."""
    return isinstance(found, Promise) and min(Fraction(float(found)), Fraction(repr(float(found)))) >= found.upper


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda x: type(x).__name__)
def test_a_delta_and_its_epsilon_say_what_they_mean(mechanism):
    near = "1e-8" if mechanism is NEAR_HALF else "0.3"
    worst = dp.delta(mechanism, epsilon=near)
    least = dp.epsilon(mechanism, delta=worst.upper * 2)
    for found in (worst, least):
        assert safe(found)
        assert (found.attained_by, found.proven_for) == WORDS[mechanism]
        assert found.meaning == "lower: reached by {}; upper: holds for {}".format(*WORDS[mechanism])


def test_every_public_answer_is_a_promise():
    curve = dp.tradeoff(BITS)
    vectors = dp.vector_delta(dp.KRandomization(n=3, q="1/4", bits=2), lam=2)
    coins = dp.FiniteMechanism([["3/4", "1/4"], ["1/4", "3/4"]])
    pair = dp.compare(["10", "01"], ["11", "01"], q="1/4")
    answers = [
        BITS.local_epsilon, HISTOGRAM.local_epsilon, FLEET.local_epsilon, SHUFFLE.local_epsilon, DAYS.local_epsilon,
        dp.epsilon(BITS, delta=0), dp.epsilon(BITS, delta="0.99"), dp.epsilon(BITS, delta="0.01", ones=3),
        dp.delta(BITS, lam=2, ones=3), dp.delta(BITS, lam=10**6), dp.RandomizedResponse("1/3").epsilon,
        dp.CategoryResponse(3, "1/4").epsilon, coins.epsilon(), coins.delta(lam=2), pair.epsilon, pair.delta(lam=2),
        vectors.forward, vectors.backward, vectors.identical, vectors.every_dataset, curve.advantage,
        curve.gaussian_mu(), curve.gaussian_mu("1/10"), curve.posterior("1/10", "1/10"),
        dp.gaussian_sigma(lam=2, delta="1e-6"), dp.rappor_epsilon(q="1/4", hashes=2),
        dp.record_epsilon("110", "000", q="1/4"), *dp.profile(BITS, [0, 1]),
    ]  # fmt: skip
    assert all(map(safe, answers))


def test_one_composition_is_named_as_such():
    whole = dp.delta(BITS, lam=2), dp.delta(BITS, lam=2, ones=3), dp.epsilon(BITS, delta="0.01", ones=3)
    assert [found.meaning for found in whole[1:]] == ["both ends: the composition given"] * 2
    assert whole[0].proven_for == ALL
    assert dp.delta(DAYS, lam=2, ones=3).meaning == "both ends: the datasets named"
    assert dp.delta(FLEET, lam=2, ones=[3, 3]).meaning == "both ends: the composition given"


def test_datasets_fixed_beforehand_are_all_that_an_answer_about_them_covers():
    twice = dp.delta(dp.Rounds([(dp.KRandomization(n=3, q="1/4"), 2)], adaptive=False), lam=2)
    assert twice.meaning == "both ends: datasets fixed in advance"
    alone = dp.delta(dp.Rounds([(dp.KRandomization(n=1, q="1/4"), 2)]), lam=2)
    assert (alone.attained_by, alone.proven_for) == (FIXED, ADAPTIVE)
    silent = dp.delta(dp.Rounds([(dp.KRandomization(n=9, q="1/4"), 2)]), lam=9)
    assert (silent.value, silent.meaning) == (0, f"both ends: {ADAPTIVE}")


@pytest.mark.parametrize(
    "ask",
    [
        pytest.param(lambda rtol: dp.delta(NOISY_DAYS, epsilon="0.5", rtol=rtol), marks=pytest.mark.soak),
        pytest.param(lambda rtol: dp.epsilon(NOISY_DAYS, delta="1e-3", rtol=rtol), marks=pytest.mark.soak),
        pytest.param(lambda rtol: dp.delta(DAYS, epsilon="0.5", rtol=rtol), marks=pytest.mark.soak),
        pytest.param(lambda rtol: dp.epsilon(DAYS, delta="1e-3", rtol=rtol), marks=pytest.mark.soak),
        lambda rtol: dp.tradeoff(BITS, rtol=rtol).gaussian_mu("1/10"),
        pytest.param(lambda rtol: dp.least_q(n=20, lam=2, delta="0.01", rounds=2, rtol=rtol), marks=pytest.mark.soak),
        lambda rtol: dp.least_q(n=20, lam=2, delta="0.01", bits=2, rtol=rtol),
        lambda rtol: dp.delta(FLEET, epsilon="0.1", rtol=rtol),
        lambda rtol: dp.delta(SHUFFLE, epsilon="0.1", rtol=rtol),
        lambda rtol: dp.vector_delta(dp.KRandomization(n=300, q="1/4", k=2, bits=4), lam=2, rtol=rtol).identical,
    ],
)
def test_an_answer_is_as_narrow_as_asked_or_says_that_it_is_not(ask):
    for rtol in ("0.9", "1e-4"):
        found = ask(rtol)
        parts = [found.identical, found.blanket] if hasattr(found, "blanket") else [found]
        wide = any(one.upper - one.lower > Fraction(rtol) * one.lower for one in parts)
        assert (found.note is not None) == wide
