"""The contract of a mechanism, asked of every mechanism of the registry: brute force over all neighbouring datasets."""

import inspect
from fractions import Fraction
from itertools import pairwise

import mpmath
import pytest

import dpcalc as dp
from dpcalc.mechanisms.mechanism import Mechanism
from tests.oracles import summed
from tests.registry import MECHANISMS, neighbours

LAMS = [Fraction(1), Fraction(11, 10), Fraction(3, 2), Fraction(5, 2), Fraction(8), Fraction(10**6)]
WIDE = Fraction(1, 50)  # relative width of an answer over every dataset that is not said to be wider


def test_every_public_mechanism_has_a_line():
    named = [getattr(dp, name) for name in dp.__all__]
    public = {one for one in named if inspect.isclass(one) and issubclass(one, Mechanism)}
    assert public - {dp.Rounds} == {type(mechanism) for mechanism, _ in MECHANISMS.values()}


def holds(found, truth, width=WIDE):
    """Whether an answer holds the truth, exactly, and is narrow or says that it is not."""
    return found.lower <= truth <= found.upper and (found.note or found.upper - found.lower <= width * found.upper)


def power(epsilon):
    """Rationals next to e^epsilon on either side."""
    with mpmath.workdps(40):
        x = mpmath.exp(mpmath.mpf(epsilon.numerator) / epsilon.denominator)
        whole = Fraction(int(x * 10**30), 10**30)
    return whole - Fraction(1, 10**15), whole + Fraction(1, 10**15)


@pytest.mark.parametrize("name", MECHANISMS)
def test_delta_is_the_largest_over_all_neighbouring_datasets(name):
    mechanism, all_pairs = MECHANISMS[name][0], neighbours(name)
    for lam in LAMS:
        found, truth = dp.delta(mechanism, lam=lam), summed.delta(all_pairs, lam)
        assert holds(found, truth)
    for epsilon in (Fraction(1, 3), Fraction(2)):
        found = dp.delta(mechanism, epsilon=epsilon)
        high, low = (summed.delta(all_pairs, lam) for lam in power(epsilon))
        assert found.lower <= high
        assert found.upper >= low


@pytest.mark.parametrize("name", MECHANISMS)
def test_epsilon_is_the_inverse_of_delta(name):
    mechanism, all_pairs = MECHANISMS[name][0], neighbours(name)
    rest = summed.delta(all_pairs, Fraction(10**30))
    for target in (Fraction(1, 3), Fraction(1, 10), Fraction(1, 1000)):
        if rest > target:
            with pytest.raises(dp.NoSolution):
                dp.epsilon(mechanism, delta=target)
            continue
        found = dp.epsilon(mechanism, delta=target)
        kept, broken = summed.delta(all_pairs, power(found.upper)[1]), summed.delta(all_pairs, power(found.lower)[0])
        assert kept <= target
        assert found.lower == 0 or broken >= target
        assert found.note or found.relative_width() <= Fraction(1, 20)


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_profile_falls_and_is_convex_in_lambda(name):
    """Its lower ends below chords of its upper ends, and each value that of ``delta``."""
    mechanism, all_pairs = MECHANISMS[name][0], neighbours(name)
    epsilons = [Fraction(i, 5) for i in range(8)]
    found = dp.profile(mechanism, epsilons)
    lams = [float(power(epsilon)[0]) for epsilon in epsilons]
    for epsilon, one in zip(epsilons, found, strict=True):
        high, low = (summed.delta(all_pairs, lam) for lam in power(epsilon))
        assert one.lower <= high
        assert one.upper >= low
    assert all(b.lower <= a.upper for a, b in pairwise(found))
    for i in range(1, len(found) - 1):
        share = (lams[i + 1] - lams[i]) / (lams[i + 1] - lams[i - 1])
        chord = share * float(found[i - 1].upper) + (1 - share) * float(found[i + 1].upper)
        assert float(found[i].lower) <= chord + 1e-12


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_trade_off_is_that_of_the_profile(name):
    mechanism, all_pairs = MECHANISMS[name][0], neighbours(name)
    curve = dp.tradeoff(mechanism, rtol="1/100")
    for alpha in (Fraction(1, 50), Fraction(1, 5), Fraction(3, 5)):
        found, truth = curve.false_negative(alpha), summed.false_negative(all_pairs, alpha)
        assert found.lower <= truth <= found.upper <= found.lower + Fraction(1, 20)
    advantage = summed.delta(all_pairs, Fraction(1))
    assert curve.advantage.lower <= advantage <= curve.advantage.upper


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=[pytest.mark.soak] * (name.startswith(("a histogram", "a threshold", "an asym"))))
    for name in MECHANISMS
])  # fmt: skip
def test_two_rounds_hold_the_worst_strategy(name):
    """The datasets of the second round may depend on what the first one showed."""
    mechanism, all_pairs = MECHANISMS[name][0], neighbours(name)
    found = [dp.delta(dp.Rounds([(mechanism, 2)]), lam=lam) for lam in LAMS[1:4]]
    for lam, one in zip(LAMS[1:4], found, strict=True):
        truth = summed.twice(all_pairs, lam)
        assert one.lower - 1e-12 <= truth <= one.upper + 1e-12
        assert one.note or one.upper <= 2 * one.lower + Fraction(1, 10**6)
