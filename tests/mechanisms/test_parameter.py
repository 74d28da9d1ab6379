import copy
import dataclasses
import pickle

import pytest

import dpcalc as dp
from dpcalc.mechanisms.noisy_count import GaussianMechanism
from tests.registry import AUDITED, LARGE, MECHANISMS, NOISES

PUBLIC = {"GaussianMechanism": GaussianMechanism, **{name: getattr(dp, name) for name in dp.__all__}}
BITS = dp.KRandomization(n=7, q="1/5", k=2)
MADE = (
    *(made for made, _ in MECHANISMS.values()), *(made for made, _ in NOISES.values()), *LARGE,
    *(made for _, made in AUDITED.values()),
    dp.RandomizedResponse("1/4"), dp.CategoryResponse(3, "1/2"), dp.k_ary_response(3, lam=2),
    dp.FiniteMechanism([["1/2", "1/2"], ["1/3", "2/3"], [0, 1]], [(0, 2)]), dp.Dummies(10), dp.Group(n=3, q="1/4", k=2),
    dp.DiscreteGaussian.from_square(7), dp.DiscreteLaplace("ln(2)"), dp.Geometric.from_epsilon("ln(2)", 3),
    dp.FiniteNoise([0, "1/4", 0, "3/4", 0]), dp.Fleet([dp.Group(n=9, q="1/4")], honest=[5], neighbours="add-remove"),
    dp.Rounds([(BITS, 30)], adaptive=False), dp.Rounds([(dp.Rounds([BITS, dp.NoisyCount(dp.Poisson(3))]), 30)]),
    dp.Rounds([(BITS, 30)], at_most=3),
)  # fmt: skip


def test_what_is_given_is_read_and_a_default_too():
    m = dp.KRandomization(n="1e3", q="10%")
    assert (m.n, m.q, m.k) == (1000, dp.KRandomization(n=1000, q="1/10").q, 1)
    assert type(dp.Dummies(10).probability) is type(m.q)


@pytest.mark.parametrize("made", MADE, ids=repr)
def test_values_are_frozen_and_copied_and_typed_back(made):
    with pytest.raises(AttributeError):
        setattr(made, dataclasses.fields(made)[0].name, 3)
    assert pickle.loads(pickle.dumps(made)) == copy.deepcopy(made) == made
    assert hash(copy.deepcopy(made)) == hash(made)
    assert eval(repr(made), PUBLIC) == made


def test_ways_to_say_the_same_are_equal():
    assert dp.Rounds([dp.Rounds([BITS, BITS])]) == dp.Rounds([BITS, BITS])
    assert dp.DiscreteLaplace("ln(2)") == dp.DiscreteLaplace(lam=2)
    assert dp.Geometric.from_epsilon("ln(2)", 3) == dp.Geometric("1/2", 3)
    assert dp.FiniteNoise(["1/2", "1/2", 0]) == dp.FiniteNoise(["1/2", "1/2"])
