"""The least noise: both ends proven, huge and tiny answers, and arguments of another kind."""

from fractions import Fraction

import pytest

import dpcalc as dp
from dpcalc.mechanisms.noise import NOISES

TINY = Fraction(1, 10**6)


@pytest.mark.parametrize("target", [{"epsilon": 1, "delta": TINY}, {"lam": 2, "delta": "1e-20", "sensitivity": 5}])
@pytest.mark.parametrize("rtol", ["1e-2", "1e-9"])
def test_the_least_mean(target, rtol):
    found = dp.least_mean(**target, rtol=rtol)
    assert (found.upper - found.lower) <= Fraction(rtol) * found.upper
    assert found.at_lower.lower > Fraction(target["delta"]) >= found.at_upper.upper


def test_huge_and_tiny_answers():
    assert dp.least_trials(epsilon="1e-5", delta="1e-9").value > 10**11
    assert dp.least_trials(epsilon=10, delta="1/2").lower == dp.least_trials(epsilon=10, delta="1/2").upper == 1
    assert dp.least_bound(epsilon=1, delta="0.99").value == 1
    found = dp.least_bound(epsilon="1e-9", delta="1e-20")
    assert found.upper - found.lower == 1
    assert found.value > 10**10


@pytest.mark.parametrize(("epsilon", "delta"), [("1e-6", "1e-9"), ("1e-5", "1e-9"), (1, "1e-6")])
def test_both_ends_say_on_which_side_of_the_target_they_are(epsilon, delta):
    found = dp.least_trials(epsilon=epsilon, delta=delta)
    assert found.at_upper.upper <= Fraction(delta) < found.at_lower.lower


@pytest.mark.parametrize(("kind", "name"), [("gaussian", "shape"), ("gaussian", "sigma"), ("binomial", "ratio")])
def test_an_argument_of_another_kind_is_named(kind, name):
    with pytest.raises(TypeError, match=rf"least_noise\('{kind}', ...\) takes no argument {name}"):
        dp.least_noise(kind, epsilon=1, delta="1e-6", **{name: 1})


def test_a_ratio_and_a_scale_are_not_both_taken():
    with pytest.raises(dp.DomainError, match="ratio, scale"):
        dp.least_bound(epsilon=1, delta="1e-3", ratio="1/2", scale=2)
    assert dp.least_bound(epsilon=1, delta="1e-3", scale=None) == dp.least_bound(epsilon=1, delta="1e-3", scale=1)


@pytest.mark.parametrize("kind", NOISES.values(), ids=list(NOISES))
def test_a_kind_of_noise_is_made_from_the_parameters_that_it_names(kind):
    given = {
        "trials": 9, "probability": "1/3", "mean": 3, "bound": 4, "ratio": "1/2", "scale": 2, "masses": ["1/2", "1/2"],
        "sigma": 3, "shape": 2, "mu": 4,
    }  # fmt: skip
    size, *others = kind.words
    for several in ([], others[:1], others[1:]):
        if kind is not dp.Geometric or several:  # which has no default ratio
            assert kind.made(**{name: given[name] for name in (size, *several)}).law.deviation > 0
    assert set(kind.stated) <= set(others)
