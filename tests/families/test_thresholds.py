"""Counts below a threshold: against every report listed, in fractions, and published figures."""

import random
from fractions import Fraction
from itertools import pairwise

import mpmath
import pytest

import dpcalc as dp
from dpcalc.numbers.limit import Limit
from dpcalc.pairs import hidden
from dpcalc.pairs.hidden import largest
from dpcalc.pairs.pair import Pair
from tests.oracles import thresholds as oracle
from tests.oracles.hockey_stick import excess

NONE = {0: Fraction(1)}
TINY = Fraction(1, 10**30)


@pytest.mark.parametrize(
    ("threshold", "about", "others"), [(20, "6.4799e-15", 28), (11, "3.0870e-9", 14), (10, "1.5468e-8", 13)]
)
def test_nebula(threshold, about, others):
    """p = .105 and K = 20 are said to give (1, 1e-8); K = 11 does, K = 10 does not."""
    found = dp.delta(dp.Thresholded(threshold, sampled="0.105"), epsilon=1)
    assert abs(found.upper / Fraction(about) - 1) < Fraction(1, 10**4)
    assert found.others == (others,)


def test_many_people_and_faint_deltas():
    found = dp.delta(dp.Thresholded(10**5, sampled="0.105"), epsilon="0.01")
    assert found.upper <= found.lower * (1 + Fraction(1, 10**12))
    faint = dp.delta(dp.Thresholded(10**6, sampled="0.105"), epsilon=1)
    assert faint.lower == 0 < faint.upper < Fraction(1, 10**300_000)


def test_the_least_delta_there_is():
    """All that are needed hold the value and report: nothing hides that. It is reached at the loss ln((1 - p) K)."""
    asked, share = dp.Thresholded(5, sampled="1/2"), Fraction(1, 32)
    assert dp.delta(asked, lam=10**9).value == dp.delta(asked, epsilon=30).value == share
    assert abs(float(dp.epsilon(asked, delta=share)) - 0.916290731874155) < 1e-6
    assert dp.delta(asked, lam="2.5").value == share < dp.delta(asked, lam="2.49").value
    with pytest.raises(dp.NoSolution, match=r"delta falls to 0\.03125"):
        dp.epsilon(asked, delta="0.03")


def test_a_limit_next_to_1_is_about_as_hard_as_1():
    asked = dp.Thresholded(5, sampled="0.1")
    next_to, at = dp.delta(asked, epsilon="1e-400"), dp.delta(asked, epsilon=0)
    assert next_to.lower <= at.upper <= next_to.upper * (1 + Fraction(1, 10**11))
    assert dp.least_threshold(delta="1e-2", epsilon="1e-100", sampled="0.1").upper > 1


@pytest.mark.soak
def test_a_width_that_is_not_reached_is_said():
    found = dp.delta(dp.Thresholded(20, sampled="0.1", neighbours="replace"), epsilon=0)
    assert found.note
    assert 0 < found.lower < found.upper < 5 * found.lower


def test_without_the_record_by_itself():
    """With the record delta was never the smaller one here, so that the other direction is asked by itself."""
    for threshold, share in ((1, Fraction(1, 2)), (3, Fraction(2, 5)), (6, Fraction(3, 10))):
        limit = Limit.of(epsilon="0.2")
        laws = [oracle.law(n, share, NONE, threshold) for n in range(40)]
        low, high = (max(excess(a, b, lam) for a, b in pairwise(laws)) for lam in (limit.ends.upper, limit.ends.lower))
        found, _ = largest(threshold, share, limit, rtol=Fraction(1, 10**12), present=False)
        assert found.lower <= high
        assert low <= found.upper <= found.lower * (1 + Fraction(1, 10**11))


def test_noise_far_below_a_threshold_is_told():
    """P[Z >= K - 1] = e^(-(K - 1)/2) / (1 + e^(-1/2)) has the digits of a tail, not of what is left of 1."""
    found = dp.delta(dp.Thresholded(10**5, noise=dp.DiscreteLaplace("1/2")), epsilon=4)
    with mpmath.workdps(30):
        told = mpmath.exp(mpmath.mpf(1 - 10**5) / 2) / (1 + mpmath.exp(mpmath.mpf(-1) / 2))
        ends = [mpmath.mpf(end.numerator) / end.denominator for end in (found.lower, found.upper)]
        assert ends[0] * (1 - mpmath.mpf(10) ** -20) <= told <= ends[1] * (1 + mpmath.mpf(10) ** -20)
    assert found.upper <= found.lower * Fraction(10**9 + 1, 10**9)


def questions(count, seed):
    chosen = random.Random(seed)
    for _ in range(count):
        chance = Fraction(chosen.randint(3, 10), 10)
        lam = Fraction(chosen.randint(100, 130), 100) if chosen.random() < 0.4 else Fraction(chosen.randint(10, 60), 10)
        yield chosen.randint(1, 4), chance, lam


@pytest.mark.parametrize("present", [True, False])
def test_one_number_of_others_listed_and_on_the_circle(present, monkeypatch):
    """Against every report listed, whichever way sums; the largest over n is that of the worst n."""
    listed = hidden.seen.__wrapped__
    for threshold, chance, lam in questions(40, 4):
        for n in range(threshold - 1, threshold + 3):
            laws = [oracle.law(n + i, chance, NONE, threshold) for i in ((1, 0) if present else (0, 1))]
            worst, infinite = excess(*laws, lam), sum(p for s, p in laws[0].items() if not laws[1].get(s))
            with monkeypatch.context() as patch:
                patch.setattr(hidden, "_FEW", 0)
                patch.setattr(hidden, "EXACT_BITS", 0)
                summed = hidden.seen.__wrapped__(n, threshold, chance, present=present)
            assert isinstance(summed, Pair)
            for pair in (listed(n, threshold, chance, present=present), summed):
                assert pair.infinite <= infinite <= pair.infinite + TINY
                try:
                    found = pair.enclosed(Limit(lam), rtol=Fraction(1, 10**20))
                except dp.Undecided:
                    assert worst == 0
                    continue
                assert found.lower <= worst <= found.upper <= worst * (1 + Fraction(1, 10**20)), (pair, lam)
