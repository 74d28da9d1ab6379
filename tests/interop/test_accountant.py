"""The accountant beside dp-accounting's own tests, and beside sums that share no code with it."""

import math
from itertools import product

import pytest
from dp_accounting import (
    ComposedDpEvent,
    DpEvent,
    GaussianDpEvent,
    LaplaceDpEvent,
    NeighboringRelation,
    NonPrivateDpEvent,
    NoOpDpEvent,
    PoissonSampledDpEvent,
    RandomizedResponseDpEvent,
    SelfComposedDpEvent,
    UnsupportedEventError,
)
from dp_accounting import privacy_accountant_test as theirs
from dp_accounting.dp_event import DiscreteLaplaceDpEvent, MixtureOfGaussiansDpEvent, TruncatedSubsampledGaussianDpEvent

import dpcalc as dp
from dpcalc.interop import MechanismDpEvent, PrivacyAccountant

REPLACE, SPECIAL, ADDED = (
    NeighboringRelation.REPLACE_ONE,
    NeighboringRelation.REPLACE_SPECIAL,
    NeighboringRelation.ADD_OR_REMOVE_ONE,
)


class TestByTheLibrarysOwnTests(theirs.PrivacyAccountantTest):
    def _make_test_accountants(self):
        return [PrivacyAccountant(), PrivacyAccountant(SPECIAL), PrivacyAccountant(ADDED, 1e-2)]


def _gaussian(mu, epsilon):
    """delta of a normal law shifted by mu standard deviations."""

    def at_least(x):
        return math.erfc(x / math.sqrt(2)) / 2

    return at_least(epsilon / mu - mu / 2) - math.exp(epsilon) * at_least(epsilon / mu + mu / 2)


def _flipped_and_a_gaussian(n, q, times, mu, epsilon):
    """delta of so many counts of n flipped bits, each of the worst other bits, and of Gaussian noise."""

    def law(bits):
        found = [0.0] * (n + 1)
        for seen in product((0, 1), repeat=n):
            found[sum(seen)] += math.prod((1 - q) if a == b else q for a, b in zip(seen, bits, strict=True))
        return found

    worst = 0.0
    for others, bit in product(product((0, 1), repeat=n - 1), (0, 1)):
        pairs = zip(law((bit, *others)), law((1 - bit, *others)), strict=True)
        terms = (tuple(map(math.prod, zip(*some, strict=True))) for some in product(list(pairs), repeat=times))
        worst = max(worst, sum(a * _gaussian(mu, epsilon - math.log(a / b)) for a, b in terms))
    return worst


@pytest.mark.parametrize(("n", "above"), [(1, 1.001), (2, 1.4)])  # several datasets share one bound
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_days_and_a_gaussian_lie_above_the_truth_and_near_it(n, above, epsilon):
    accountant = PrivacyAccountant(value_discretization_interval=1e-3)
    day = MechanismDpEvent(dp.KRandomization(n=n, q="1/4"))
    accountant.compose(day).compose(GaussianDpEvent(8.0)).compose(day, 2)
    truth = _flipped_and_a_gaussian(n, 0.25, 3, 2 / 8.0, epsilon)  # a replaced record moves the sum by twice its norm
    assert truth * (1 - 1e-9) <= accountant.get_delta(epsilon) <= truth * above
    assert accountant.get_epsilon(truth) >= epsilon * (1 - 1e-9)


@pytest.mark.soak
def test_many_days_of_a_histogram_are_what_rounds_prove():
    histogram = dp.UnaryEncoding(n=200, categories=4, q="1/5")
    accountant = PrivacyAccountant(value_discretization_interval=1e-3).compose(MechanismDpEvent(histogram), 30)
    proven = dp.epsilon(dp.Rounds([(histogram, 30)]), delta="1e-6")
    assert float(proven.lower) <= accountant.get_epsilon(1e-6) <= float(proven.upper) * 1.02  # one pair above all


@pytest.mark.parametrize(
    ("mechanism", "relations"),
    [
        (dp.KRandomization(n=9, q="1/4"), [REPLACE]),
        (dp.UnaryEncoding(n=9, categories=3, q="1/4", neighbours="delete"), [SPECIAL]),
        (dp.Sampled(dp.KRandomization(n=9, q="1/4"), "1/2"), [REPLACE]),
        (dp.Thresholded(3, sampled="1/2"), [ADDED]),
        (dp.Thresholded(3, sampled="1/2", neighbours="replace"), [REPLACE]),
        (dp.Fleet([dp.Group(n=3, q="1/4")], neighbours="add-remove"), [ADDED]),
        (dp.NoisyCount(dp.Binomial(40, "1/2")), [REPLACE, SPECIAL, ADDED]),
        (dp.Rounds([dp.KRandomization(n=9, q="1/4"), dp.UnaryEncoding(n=9, categories=3, q="1/4")]), [REPLACE]),
        (
            dp.Rounds(
                [dp.KRandomization(n=9, q="1/4"), dp.UnaryEncoding(n=9, categories=3, q="1/4", neighbours="delete")]
            ),
            [],
        ),
    ],
    ids=repr,
)
def test_neighbours_are_those_of_the_mechanism(mechanism, relations):
    for asked in (REPLACE, SPECIAL, ADDED):
        accountant, event = PrivacyAccountant(asked), ComposedDpEvent([MechanismDpEvent(mechanism)])
        assert accountant.supports(event) == (asked in relations)
        if asked not in relations:
            with pytest.raises(UnsupportedEventError, match="neighboring_relation must be"):
                accountant.compose(event)


def test_a_threshold_is_composed():
    hidden = dp.Thresholded(8, sampled="1/10")
    accountant = PrivacyAccountant(ADDED, 1e-2).compose(MechanismDpEvent(hidden), 2)
    assert float(dp.delta(hidden, epsilon="0.3").lower) <= accountant.get_delta(0.3) < 1e-3


def test_an_event_is_a_value_and_their_events_keep_their_rules():
    event = MechanismDpEvent(dp.KRandomization(n=9, q="1/4"))
    assert event == MechanismDpEvent(dp.KRandomization(n=9, q="1/4"))
    assert DpEvent.from_named_tuple(event.to_named_tuple()) == event
    assert not PrivacyAccountant().supports(LaplaceDpEvent(1.0))
    assert PrivacyAccountant(ADDED).supports(LaplaceDpEvent(1.0))


FLIPPED = RandomizedResponseDpEvent(0.5, 2)  # with probability 1/2 a uniform bit: the odds are 3, q is 1/4


@pytest.mark.parametrize("times", [2, 10])
@pytest.mark.parametrize(
    "composed",
    [
        lambda times: [(FLIPPED, times)],
        lambda times: [(FLIPPED, 1)] * times,
        lambda times: [(SelfComposedDpEvent(FLIPPED, times), 1)],
        lambda times: [(ComposedDpEvent([FLIPPED, SelfComposedDpEvent(FLIPPED, times // 2 - 1)]), 2)],
        lambda times: [(FLIPPED, times), (ComposedDpEvent([SelfComposedDpEvent(FLIPPED, 0)]), 3)],
    ],
)
def test_a_randomized_response_is_composed_as_often_as_is_said(composed, times):
    """delta by its definition: the sum of [P - e^epsilon Q]_+ over the number of truths among so many reports."""
    accountant, epsilon = PrivacyAccountant(value_discretization_interval=1e-3), times - 1.5
    for event, count in composed(times):
        accountant.compose(event, count)
    terms = ((math.comb(times, t) / 4**times, 3.0**t, 3.0 ** (times - t)) for t in range(times + 1))
    truth = sum(max(0.0, weight * (p - math.exp(epsilon) * r)) for weight, p, r in terms)
    assert truth * (1 - 1e-9) <= accountant.get_delta(epsilon) <= truth * 1.05
    assert accountant.get_epsilon(1e-12) == pytest.approx(times * math.log(3), rel=2e-3)


@pytest.mark.parametrize(
    ("relation", "event"),
    [
        (REPLACE, FLIPPED),
        (REPLACE, RandomizedResponseDpEvent(0.5, 1)),
        (REPLACE, MechanismDpEvent(dp.KRandomization(n=3, q="1/4"))),
        (ADDED, GaussianDpEvent(8.0)),
        (ADDED, LaplaceDpEvent(4.0)),
        (ADDED, DiscreteLaplaceDpEvent(0.3, 1)),
        (ADDED, MixtureOfGaussiansDpEvent(4.0, [0.0, 1.0], [0.5, 0.5])),
        (ADDED, PoissonSampledDpEvent(0.1, GaussianDpEvent(2.0))),
        (ADDED, PoissonSampledDpEvent(0.1, LaplaceDpEvent(2.0))),
        (ADDED, TruncatedSubsampledGaussianDpEvent(100, 0.1, 20, 3.0)),
        (ADDED, NoOpDpEvent()),
        (ADDED, NonPrivateDpEvent()),
    ],
    ids=lambda x: type(x).__name__ if isinstance(x, DpEvent) else "",
)
def test_a_count_is_so_many_single_releases(relation, event):
    found = []
    for composed in ([(event, 3)], [(event, 1)] * 3, [(SelfComposedDpEvent(ComposedDpEvent([event]), 3), 1)]):
        accountant = PrivacyAccountant(relation, 1e-2)
        for one, count in composed:
            accountant.compose(one, count)
        found.append(accountant.get_epsilon(1e-3))
    assert found[0] == found[2] == pytest.approx(found[1], rel=1e-3)
    nothing = ComposedDpEvent([SelfComposedDpEvent(event, 0)])
    assert found[0] == PrivacyAccountant(relation, 1e-2).compose(event, 3).compose(nothing).get_epsilon(1e-3)


@pytest.mark.parametrize("count", [0, -1, 1.5, "many"])
def test_a_count_that_is_none_is_refused(count):
    accountant = PrivacyAccountant()
    for asked in ((FLIPPED, count), (SelfComposedDpEvent(FLIPPED, count), 1)):
        with pytest.raises((dp.DomainError, ValueError)):
            accountant.compose(*asked)
    assert accountant.get_epsilon(1e-6) == 0


@pytest.mark.parametrize("told", ["a mechanism", None, 3, dp.Binomial(3, "1/2"), dp.KRandomization])
def test_an_event_of_what_is_no_mechanism_is_refused_in_one_line(told):
    with pytest.raises(dp.DomainError, match=r"^mechanism = .* is not allowed: give a KRandomization, ") as refusal:
        MechanismDpEvent(told)
    assert "\n" not in str(refusal.value)
