import copy
import dataclasses
import pickle

import pytest

import dpcalc as dp
from dpcalc.errors import DomainError


def test_what_is_given_is_read_and_a_default_too():
    m = dp.KRandomization(n="1e3", q="10%")
    assert (m.n, m.q, m.k) == (1000, dp.KRandomization(n=1000, q="1/10").q, 1)
    assert type(dp.Dummies(10).probability) is type(m.q)


def test_an_error_shows_what_was_given_also_where_parameters_do_not_go_together():
    with pytest.raises(DomainError, match=r"k = '1e15' is not allowed: give at most 1,000,000,000,000,000 reports n k"):
        dp.UnaryEncoding(n=2, categories=3, q="1/4", k="1e15")
    with pytest.raises(DomainError, match=r"high = '1' is not allowed: give a number > low"):
        dp.RoundedNumbers(n=2, q="1/4", low=2, high="1")
    with pytest.raises(DomainError, match=r"mu_2 = '0' is not allowed: give a number with 1e-100 <= mu_2"):
        dp.Skellam(0, "0")


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
