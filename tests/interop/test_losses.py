import math
from fractions import Fraction

import pytest
from flint import arb, fmpq

import dpcalc as dp
from dpcalc.interop.losses import _double
from dpcalc.numbers.ball import working_precision

MECHANISMS = [
    dp.KRandomization(n=1, q="1/4"),
    dp.KRandomization(n=40, q="1/10", k=2),
    pytest.param(dp.KRandomization(n=3000, q="1/5"), marks=pytest.mark.soak),
    dp.UnaryEncoding(n=500, categories=4, q="1/10"),
    pytest.param(
        dp.Rounds([(dp.KRandomization(n=500, q="1/10"), 5), (dp.KRandomization(n=800, q="1/5"), 2)]),
        marks=pytest.mark.soak,
    ),
]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=repr)
@pytest.mark.parametrize("delta", ["1e-6"])
@pytest.mark.soak
def test_what_is_exported_is_never_below_the_truth_and_near_it(mechanism, delta):
    ours = dp.epsilon(mechanism, delta=delta)
    loss = dp.privacy_loss(mechanism)
    theirs = loss.get_epsilon_for_delta(float(delta))
    assert float(ours.lower) * (1 - 1e-9) <= theirs <= float(ours.upper) * 1.03
    epsilon = Fraction(theirs) * Fraction(9, 10)
    found = dp.delta(mechanism, epsilon=epsilon)
    assert float(found.lower) * (1 - 1e-9) - 1e-14 <= loss.get_delta_for_epsilon(float(epsilon))
    assert loss.get_delta_for_epsilon(float(epsilon)) <= float(found.upper) * 1.1


def test_both_directions_are_covered_where_they_differ():
    m = dp.KRandomization(n=20, q="1/10")
    loss = dp.privacy_loss(m)
    for ones in (0, 7, 19):
        for epsilon in (0.5, 1.0, 1.5):
            assert loss.get_delta_for_epsilon(epsilon) >= float(dp.delta(m, epsilon=epsilon, ones=ones).lower)


def test_it_composes_with_what_has_the_same_interval():
    from dp_accounting.pld import privacy_loss_distribution

    m = dp.KRandomization(n=1000, q="1/10")
    noise = privacy_loss_distribution.from_gaussian_mechanism(5.0, value_discretization_interval=0.01)
    both = noise.compose(dp.privacy_loss(m, interval=0.01))
    assert both.get_epsilon_for_delta(1e-6) > noise.get_epsilon_for_delta(1e-6)


def test_the_finest_interval_is_told(monkeypatch):
    monkeypatch.setattr("dpcalc.interop.losses._MOST", 40)
    m = dp.KRandomization(n=1000, q="1/10")
    with pytest.raises(dp.DomainError, match="give at least") as refused:
        dp.privacy_loss(m, interval=1e-9)
    least = float(str(refused.value).split("at least ")[1].split()[0])
    with pytest.raises(dp.DomainError, match="give at least"):
        dp.privacy_loss(m, interval=least * 0.99)
    with pytest.raises(dp.DomainError, match="interval = 10 is not allowed"):
        dp.privacy_loss(m, interval=10)
    assert dp.privacy_loss(m, interval=least * 1.01).get_epsilon_for_delta(1e-3) > 0


def test_an_interval_far_finer_than_the_loss_is_served():
    loss = dp.privacy_loss(dp.KRandomization(n=1, q="1/4"), interval="1e-5")
    truth = 0.75 - math.exp(0.5) / 4
    assert truth * (1 - 1e-9) <= loss.get_delta_for_epsilon(0.5) <= truth * 1.001


@pytest.mark.parametrize(
    "mechanism",
    [
        dp.KRandomization(n=60, q="1/4", k=2),
        dp.AsymmetricBits(n=5, chances=("1/2", "1/5"), categories=3),
        dp.Fleet([dp.Group(n=3, q="1/4"), dp.Group(n=2, q="1/3")]),
        dp.NoisyCount(dp.Binomial(40, "1/2")),
        dp.NoisyCount(dp.DiscreteGaussian(3)),
        dp.Shuffle(dp.k_ary_response(3, lam=3), n=20),
        dp.Thresholded(3, sampled="1/2"),
        dp.Sampled(dp.KRandomization(n=6, q="1/4", k=2), "1/2"),
        dp.Rounds([(dp.KRandomization(n=4, q="1/4"), 2)]),
    ],
    ids=repr,
)
def test_below_is_near_and_never_above(mechanism):
    found, below = dp.delta(mechanism, epsilon="0.3"), dp.privacy_loss(mechanism, pessimistic=False)
    assert float(found.lower) * (1 - 1e-12) <= dp.privacy_loss(mechanism).get_delta_for_epsilon(0.3)
    assert float(found.lower) * 0.8 <= below.get_delta_for_epsilon(0.3) <= float(found.upper) * (1 + 1e-12)
    assert below.get_delta_for_epsilon(20.0) <= float(dp.delta(mechanism, epsilon=20).upper) * (1 + 1e-12)


def test_masses_are_rounded_to_the_safe_side():
    with working_precision(200):
        for i in range(1, 97):
            low, high = _double(arb(fmpq(i, 97)), -1), _double(arb(fmpq(i, 97)), 1)
            assert low < Fraction(i, 97) < high == math.nextafter(low, math.inf)
        assert _double(arb("0.5"), -1) == 0.5 == _double(arb("0.5"), 1)
        assert _double(arb("0 +/- 1"), -1) == 0.0


def test_a_fleet_that_hides_n_has_nothing_below_yet():
    hidden = dp.Fleet([dp.Group(n=3, q="1/4")], neighbours="add-remove")
    with pytest.raises(dp.DomainError, match="give what Rounds take, where pessimistic=False"):
        dp.privacy_loss(hidden, pessimistic=False)
