"""Every named dataset of rounds is said in words."""

import pytest

import dpcalc as dp
from dpcalc.mechanisms.noisy_count import GaussianMechanism
from dpcalc.privacy.attained import attained

NOISE = dp.DiscreteLaplace(1)
BESIDE = "{} others who hold the value; the event is likelier with the record"
KINDS = {
    "sampled": (dp.Thresholded(5, sampled="1/3"), BESIDE.format("5")),
    "noisy": (dp.Thresholded(5, noise=NOISE), BESIDE.format("any number large enough of")),
    "replaced": (dp.Thresholded(3, sampled="1/2", neighbours="replace"), BESIDE.format("2 and 0")),
}


@pytest.mark.parametrize("kind", KINDS)
def test_rounds_of_thresholds_name_their_others(kind):
    mechanism, words = KINDS[kind]
    assert attained(dp.delta(dp.Rounds([(mechanism, 2)]), epsilon=1)) == [f"in 2 rounds attained beside {words}"]


def test_unlike_rounds_each_name_their_change():
    rounds = dp.Rounds([(GaussianMechanism.of(sigma=3, sensitivity=1), 1), (dp.NoisyCount(NOISE), 1)])
    assert sorted(attained(dp.delta(rounds, epsilon=1))) == [
        "in 1 round attained by a change by the sensitivity",
        "in 1 round attained by comparing a count with the same count +1",
    ]
