"""Inputs stay exact on their way in, and no ambient precision leaks into or out of an answer."""

from fractions import Fraction

import mpmath
import pytest
from flint import ctx

from dpcalc.audits.audit import audit
from dpcalc.choose.epsilon import epsilon
from dpcalc.choose.least import least_n, least_q, most_k
from dpcalc.choose.least_noise import least_mean, least_trials
from dpcalc.laws.pool import binomial_at_most
from dpcalc.local.solvers import classical_q, local_q, local_sigma
from dpcalc.mechanisms.noise import Poisson
from dpcalc.mechanisms.noisy_count import NoisyCount
from dpcalc.mechanisms.pooled_count import pooled
from dpcalc.mechanisms.response import KRandomization, RandomizedResponse
from dpcalc.privacy.delta import delta, profile
from dpcalc.privacy.ratio import exceedance, ratio, ratio_bound
from dpcalc.privacy.tradeoff import tradeoff

BITS = {"mechanism": "bits", "delta": "1/1000"}


class Tripwire(Fraction):
    """A rational that refuses to become a float."""

    def __float__(self):
        raise AssertionError("an input was turned into a float")


def ends(x):
    return (x.lower, x.upper)


#: Public functions with every number passed through ``of``.
CALLS = {
    "classical_q": lambda of: ends(classical_q(lam=of("3/2"), k=of(3))),
    "local_q closed": lambda of: ends(local_q(n=of(1000), lam=of(2), k=of(3), sigmas=of("5/2"))),
    "local_q real": lambda of: ends(local_q(n=of(100), lam=of(2), k=of(2), method="real", rtol=of("1/1000"))),
    "local_q lattice": lambda of: ends(local_q(n=of(50), lam=of(2), method="lattice", sides=of(2), rtol=of("1/1000"))),
    "local_q every": lambda of: ends(local_q(n=of(9), lam=of(2), dataset="every", sigmas=of(2), rtol=of("1/1000"))),
    "local_sigma": lambda of: ends(local_sigma(lam=of(2), k=of(10))),
    "local epsilon": lambda of: ends(KRandomization(n=of(5), q=of("1/4"), k=of(2)).local_epsilon),
    "from_epsilon": lambda of: RandomizedResponse.from_epsilon(of("1/2")).q,
    "ratio": lambda of: ratio(KRandomization(n=of(9), q=of("1/4"), k=of(2)), of(3), ones=of(4)),
    "ratio_bound": lambda of: ratio_bound(KRandomization(n=of(9), q=of("1/4"), k=of(2)), of(3)),
    "exceedance": lambda of: exceedance(KRandomization(n=of(9), q=of("1/4")), lam=of(2)).ratio.value,
    "binomial": lambda of: ends(binomial_at_most(of(1000), of("1/3"), of(300), rtol=of("1/1000000"))),
}

#: These steer in floating point from a copy of their exact input: only precision is tested.
STEERED = {
    "delta one": lambda of: ends(delta(KRandomization(n=of(10**6), q=of("1/4")), epsilon=of("1/100"), ones=of(3))),
    "delta all": lambda of: ends(delta(KRandomization(n=of(3000), q=of("1/4")), epsilon=of("1/10"))),
    "delta exact": lambda of: delta(KRandomization(n=of(7), q=of("1/5")), lam=of("3/2")).value,
    "at_most": lambda of: ends(pooled(KRandomization(n=of(10**4), q=of("1/4")), of(1000)).at_most(3000)),
    "epsilon": lambda of: ends(epsilon(KRandomization(n=of(1000), q=of("1/4")), delta=of("1/1000000"))),
    "profile": lambda of: [ends(x) for x in profile(KRandomization(n=of(30), q=of("1/4")), [of("1/2"), of(1)])],
    "least_q": lambda of: ends(least_q(n=of(1000), lam=of(2), delta=of("1/1000000"))),
    "least_n": lambda of: ends(least_n(q=of("1/10"), epsilon=of(1), delta=of("1/1000000"))),
    "tradeoff": lambda of: ends(tradeoff(KRandomization(n=of(5), q=of("1/4"))).false_negative(of("1/8"))),
    "noise": lambda of: ends(delta(NoisyCount(Poisson(of(1000)), of(2)), epsilon=of("1/10"))),
    "least_trials": lambda of: ends(least_trials(epsilon=of(1), delta=of("1/1000000"), probability=of("1/3"))),
    "least_mean": lambda of: ends(least_mean(epsilon=of(1), delta=of("1/1000000"))),
    "audit": lambda of: ends(audit([{**BITS, "n": of(30), "q": of("1/4"), "epsilon": of("1/10")}]).rows[0].delta),
    "most_k": lambda of: ends(most_k(n=of(1000), q=of("1/4"), lam=of(2), delta=of("1/1000000"))),
}


@pytest.mark.parametrize("name", CALLS)
def test_no_input_becomes_a_float(name):
    assert CALLS[name](Tripwire) == CALLS[name](Fraction)


def test_the_tripwire_trips():
    with pytest.raises(AssertionError, match="turned into a float"):
        float(Tripwire(1, 3))


@pytest.mark.parametrize("name", [*CALLS, *STEERED])
@pytest.mark.parametrize("prec", [17, 500])
def test_the_ambient_precision_changes_nothing_and_is_not_changed(name, prec):
    call = (CALLS | STEERED)[name]
    usual = call(Fraction)
    with ctx.workprec(prec), mpmath.workdps(5):
        assert call(Fraction) == usual
        assert ctx.prec == prec
        assert mpmath.mp.dps == 5


@pytest.mark.parametrize("name", STEERED)
def test_a_float_a_decimal_and_a_fraction_are_one_number(name):
    """0.1 is 1/10 on the way in; steering may then use floats."""
    as_text = STEERED[name](lambda x: str(Fraction(x)))
    assert as_text == STEERED[name](Fraction)
