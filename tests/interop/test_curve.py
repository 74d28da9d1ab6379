"""OpenDP holds the certified curve: its epsilon for a delta is dpcalc's, from the curve and from a measurement."""

import math
from fractions import Fraction

import opendp.prelude as op
import pytest
from opendp.measures import fixed_smoothed_max_divergence, user_divergence

import dpcalc as dp
from dpcalc.interop import privacy_profile

op.enable_features("contrib", "honest-but-curious")
BIT = dp.KRandomization(n=200, q="1/10")


@pytest.mark.parametrize(
    "mechanism", [BIT, dp.NoisyCount(dp.Binomial(40, "1/2")), dp.Thresholded(20, sampled="0.105")], ids=repr
)
def test_epsilon_is_that_of_dpcalc_and_holds(mechanism):
    epsilon, proven = privacy_profile(mechanism).epsilon(1e-6), dp.epsilon(mechanism, delta="1e-6", rtol="1e-8")
    assert float(proven.lower) * (1 - 1e-9) <= epsilon <= float(proven.upper) * (1 + 1e-6)
    assert dp.delta(mechanism, epsilon=Fraction(epsilon)).upper <= Fraction(1e-6)


def test_delta_is_at_or_above_that_of_the_very_double():
    profile = privacy_profile(dp.KRandomization(n=1, q="1/4"))
    for epsilon in (0.1, 0.3, 0.7):  # delta = 3/4 - e^epsilon / 4
        exact = dp.delta(dp.KRandomization(n=1, q="1/4"), epsilon=Fraction(epsilon), rtol="1e-30").lower
        assert exact <= Fraction(profile.delta(epsilon)) <= exact * (1 + Fraction(1, 10**12))
    assert profile.delta(1e9) == 0.0


def test_next_to_the_largest_loss_a_double_is_not_read_as_it_is_written():
    """delta = 3/4 - e^epsilon / 4 falls to 0 at ln 3 within a few doubles."""
    m = dp.KRandomization(n=1, q="1/4")
    near = [math.log(3) - i * 2.0**-52 for i in range(1, 40)]
    longer = [epsilon for epsilon in near if Fraction(repr(epsilon)) > Fraction(epsilon)]
    assert len(longer) > 5
    for epsilon in longer:
        assert privacy_profile(m).delta(epsilon) >= dp.delta(m, epsilon=Fraction(epsilon)).lower


@pytest.mark.soak
def test_where_delta_is_not_settled_that_of_a_smaller_epsilon_serves():
    count = dp.NoisyCount(dp.DiscreteLaplace("1/3") + dp.DiscreteLaplace("0.3334"))
    with pytest.raises(dp.Undecided):
        dp.delta(count, epsilon="0.33333")
    found = privacy_profile(count).delta(0.33333)
    assert 0 < found <= float(dp.delta(count, epsilon="0.3").upper)


def _measurement(measure, privacy_map):
    return op.m.make_user_measurement(
        op.vector_domain(op.atom_domain(T=bool), size=200),
        op.change_one_distance(),
        measure,
        lambda bits: int(dp.randomize(bits, q="1/10").sum()),
        privacy_map,
    )


def test_a_measurement_maps_one_changed_record_to_the_same_epsilon():
    profile, proven = privacy_profile(BIT), float(dp.epsilon(BIT, delta=Fraction(1e-6)))
    by_curve = _measurement(user_divergence("privacy profile"), lambda changed: profile)
    fixed = _measurement(fixed_smoothed_max_divergence(), lambda changed: (proven, 1e-6))
    assert by_curve.map(1).epsilon(1e-6) == pytest.approx(proven, rel=1e-5)
    assert fixed.map(1) == (proven, 1e-6)
    twice = op.c.make_composition([fixed, fixed])
    assert twice.map(1)[0] == pytest.approx(2 * proven)
    assert 0 <= by_curve([True] * 200) <= 200
