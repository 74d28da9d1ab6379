"""A sampled contribution to a noisy count: every dataset in fractions, record by record; rounds; and bad input."""

from fractions import Fraction

import pytest

import dpcalc as dp
from tests.oracles import noise


@pytest.mark.parametrize("bound", [0, 1, 3])
@pytest.mark.parametrize("share", [Fraction(1, 10), Fraction(9, 10)])
def test_infinite_losses_decide_two_rounds(bound, share):
    """Only a record that is there has them: the lower end looks in that direction, though fewer of its losses vary."""
    pmf = noise.geometric(Fraction(1, 2), bound)
    there = noise.sampled((1,), pmf, share)
    each = [(p, pmf.get(s, 0)) for s, p in there.items()]
    for lam in (20, 10**6):
        truth = sum(max(Fraction(0), p * r - lam * q * t) for p, q in each for r, t in each)
        mechanism = dp.Sampled(dp.NoisyCount(dp.Geometric("1/2", bound)), share)
        found = dp.delta(dp.Rounds([(mechanism, 2)]), lam=lam)
        assert truth * Fraction(99, 100) < found.lower <= truth <= found.upper < truth * Fraction(101, 100)


@pytest.mark.parametrize("one", [dp.DiscreteLaplace("1/2"), dp.Binomial(99, "1/2")])
def test_the_epsilon_of_many_rounds_is_narrow(one):
    found = dp.epsilon(dp.Rounds([(dp.Sampled(dp.NoisyCount(one), "1/10"), 4)]), delta="1e-5")
    assert 0 < found.lower <= found.upper < found.lower * Fraction(102, 100)


def test_the_largest_loss():
    mechanism = dp.Sampled(dp.NoisyCount(dp.DiscreteLaplace("ln(3)")), "1/2")
    assert dp.delta(mechanism, lam=2).value == 0 < dp.delta(mechanism, lam="1.999").value
    assert dp.delta(mechanism, epsilon=mechanism.local_epsilon.upper).value == 0


def test_an_epsilon_may_lie_anywhere_below_the_largest_loss():
    """Of noise that hardly hides anything: ln((1 + e^1000)/2) is the largest."""
    sampled = dp.Sampled(dp.NoisyCount(dp.DiscreteLaplace(1000)), "1/2")
    found = dp.epsilon(sampled, delta="1/3")
    assert 998 < found.lower < found.upper < 1000 - Fraction("0.693")
    assert dp.delta(sampled, epsilon=found.lower).lower > Fraction(1, 3) >= dp.delta(sampled, epsilon=found.upper).upper
