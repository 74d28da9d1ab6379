import copy
import dataclasses
import pickle

import pytest

import dpcalc as dp


def test_what_is_given_is_read_and_a_default_too():
    m = dp.KRandomization(n="1e3", q="10%")
    assert (m.n, m.q, m.k) == (1000, dp.KRandomization(n=1000, q="1/10").q, 1)
    assert type(dp.Dummies(10).probability) is type(m.q)


@pytest.mark.parametrize(
    "made",
    [
        dp.KRandomization(n=7, q="1/5", k=2),
        dp.AsymmetricBits(n=7, chances=("1/2", "1/5"), categories=3, neighbours="delete"),
        dp.UnaryEncoding(n=7, categories=4, q="1/5", at_most=2),
        dp.Thresholded(5, noise=dp.Poisson(3)),
        dp.Sampled(dp.KRandomization(n=7, q="1/5"), "1/3", "ones and reports"),
    ],
)
def test_values_are_frozen_and_copied_and_typed_back(made):
    with pytest.raises(AttributeError):
        setattr(made, dataclasses.fields(made)[0].name, 3)
    assert pickle.loads(pickle.dumps(made)) == copy.deepcopy(made) == made
    assert hash(copy.deepcopy(made)) == hash(made)
    names = ("KRandomization", "AsymmetricBits", "UnaryEncoding", "Thresholded", "Poisson", "Sampled")
    assert eval(repr(made), {name: getattr(dp, name) for name in names}) == made
