"""Inputs stay exact on their way in, and no ambient precision leaks into or out of an answer."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from flint import ctx

import dpcalc as dp
from tests.test_arguments import ANSWERED, CALLS


class Tripwire(Fraction):
    """A rational that refuses to become a float."""

    def __float__(self):
        raise AssertionError("an input was turned into a float")


#: Arguments that hold no numbers.
WORDS = {"records", "neighbour", "vector", "x", "changed", "quasi", "sensitive", "table", "bits", "reports", "rng"}


def through(of, given):
    """Every number passed through ``of``."""
    if isinstance(given, dict):
        return {name: value if name in WORDS else through(of, value) for name, value in given.items()}
    if isinstance(given, (list, tuple)):
        return type(given)(through(of, value) for value in given)
    try:
        return of(given) if isinstance(given, (int, str)) else given
    except ValueError:
        return given


def public(name):
    return lambda of: getattr(dp, name)(**through(of, CALLS[name]))


EVERY = {name: public(name) for name in CALLS if name != "privacy_loss"}  # whose answers compare by identity
DEEPER = {
    "local_q closed": lambda of: dp.local_q(n=of(1000), lam=of(2), k=of(3), sigmas=of("5/2")),
    "local_q real": lambda of: dp.local_q(n=of(100), lam=of(2), k=of(2), method="real", rtol=of("1/1000")),
    "local_q lattice": lambda of: dp.local_q(n=of(50), lam=of(2), method="lattice", sides=of(2), rtol=of("1/1000")),
    "local epsilon": lambda of: dp.KRandomization(n=of(5), q=of("1/4"), k=of(2)).local_epsilon,
    "from_epsilon": lambda of: dp.RandomizedResponse.from_epsilon(of("1/2")).q,
    "a ratio": lambda of: dp.ratio(dp.KRandomization(n=of(9), q=of("1/4"), k=of(2)), of(3), ones=of(4)),
    "of an exceedance": lambda of: dp.exceedance(dp.KRandomization(n=of(9), q=of("1/4")), lam=of(2)).ratio,
    "binomial": lambda of: dp.binomial_at_most(of(1000), of("1/3"), of(300), rtol=of("1/1000000")),
}

#: These steer in floating point from a copy of their exact input: only precision is tested.
STEERED = {
    "delta one": lambda of: dp.delta(dp.KRandomization(n=of(10**6), q=of("1/4")), epsilon=of("1/100"), ones=of(3)),
    "delta all": lambda of: dp.delta(dp.KRandomization(n=of(3000), q=of("1/4")), epsilon=of("1/10")),
    "epsilon of many": lambda of: dp.epsilon(dp.KRandomization(n=of(1000), q=of("1/4")), delta=of("1/1000000")),
    "least_q of many": lambda of: dp.least_q(n=of(1000), lam=of(2), delta=of("1/1000000")),
    "false negatives": lambda of: dp.tradeoff(dp.KRandomization(n=of(5), q=of("1/4"))).false_negative(of("1/8")),
    "noise": lambda of: dp.delta(dp.NoisyCount(dp.Poisson(of(1000)), of(2)), epsilon=of("1/10")),
}


@pytest.mark.parametrize("name", EVERY | DEEPER)
def test_no_input_becomes_a_float(name):
    call = (EVERY | DEEPER)[name]
    assert np.array_equal(call(Tripwire), call(Fraction))


def test_the_tripwire_trips():
    with pytest.raises(AssertionError, match="turned into a float"):
        float(Tripwire(1, 3))


@pytest.mark.parametrize("name", [*ANSWERED, *DEEPER, *STEERED])
def test_the_ambient_precision_changes_nothing_and_is_not_changed(name):
    call = (EVERY | DEEPER | STEERED)[name]
    usual = call(Fraction)
    with ctx.workprec(17), mpmath.workdps(5):
        assert np.array_equal(call(Fraction), usual)
        assert (ctx.prec, mpmath.mp.dps) == (17, 5)


@pytest.mark.parametrize("name", STEERED)
def test_a_text_and_a_fraction_are_one_number(name):
    """Steering may then use floats."""
    assert STEERED[name](lambda x: str(Fraction(x))) == STEERED[name](Fraction)
