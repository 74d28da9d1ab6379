"""The symbolic closed forms are the exact functions: same rationals, and lambdify gives the same numbers."""

from fractions import Fraction
from itertools import product

import mpmath
import pytest
from sympy import Rational, lambdify, limit, log, oo, simplify

import dpcalc as dp
from dpcalc import symbolic
from dpcalc.local.bounds import variance
from dpcalc.notes.symbolic import L, k, lam, n, q, s, z

CASES = list(product((2, 5), (1, 2, 3), (Fraction(1, 5), Fraction(3, 8))))


def exact(expression, **values):
    found = expression.subs({getattr(symbolic, name): Rational(value) for name, value in values.items()}).doit()
    assert found.is_Rational
    return Fraction(int(found.p), int(found.q))


@pytest.mark.parametrize(("users", "repeats", "flip"), CASES)
def test_one_outcome(users, repeats, flip):
    mechanism = dp.KRandomization(n=users, q=flip, k=repeats)
    ratio, bound = symbolic.ratio(repeats), symbolic.ratio_bound()
    for count in range(users * repeats + 1):
        assert exact(ratio, n=users, q=flip, s=count) == dp.ratio(mechanism, count)
        assert exact(bound, n=users, q=flip, s=count, k=repeats) == dp.ratio_bound(mechanism, count)


@pytest.mark.parametrize(("users", "repeats", "flip"), CASES)
def test_the_estimate(users, repeats, flip):
    mechanism = dp.KRandomization(n=users, q=flip, k=repeats)
    assert exact(symbolic.variance(), n=users, q=flip, k=repeats) == dp.variance(mechanism)
    for count in range(users * repeats + 1):
        assert exact(symbolic.estimate(), n=users, q=flip, k=repeats, s=count) == dp.estimate(mechanism, count).value


@pytest.mark.parametrize(("users", "repeats", "flip"), CASES)
def test_the_generating_function(users, repeats, flip):
    mechanism = dp.KRandomization(n=users, q=flip, k=repeats)
    for ones in range(users + 1):
        polynomial = symbolic.generating_function().subs({n: users, k: repeats, q: Rational(flip), symbolic.m: ones})
        pmf = dp.pmf(mechanism, ones=ones)
        for count in range(users * repeats + 1):
            coefficient = polynomial.expand().coeff(symbolic.x, count)
            assert Fraction(int(coefficient.p), int(coefficient.q)) == pmf[count]


@pytest.mark.parametrize(("users", "repeats", "flip"), CASES)
@pytest.mark.parametrize("bits", [1, 3])
def test_several_bits(users, repeats, flip, bits):
    moment = exact(symbolic.second_moment(), q=flip, L=bits)
    assert exact(symbolic.ratio_variance(repeats), n=users, q=flip, L=bits) == variance(users, repeats, moment - 1)


def test_several_bits_at_one_outcome():
    mechanism = dp.KRandomization(n=4, q="1/5", bits=2)
    found = symbolic.vector_ratio(2).subs(
        {n: 4, q: Rational(1, 5), **{symbolic.counts[i]: c for i, c in enumerate((1, 2, 1))}}
    )
    assert Fraction(int(found.p), int(found.q)) == dp.ratio(mechanism, (1, 2, 1))


SOLVED = {
    "classical": (symbolic.classical_q(), lambda **v: dp.classical_q(lam=v["lam"], k=v["k"], bits=v["L"])),
    "closed": (symbolic.closed_q(), lambda **v: dp.local_q(n=v["n"], lam=v["lam"], k=v["k"], sigmas=v["z"])),
    "two-sided": (symbolic.two_sided_q(), lambda **v: dp.local_q(n=v["n"], lam=v["lam"], sigmas=v["z"], sides=2)),
    "vector": (symbolic.vector_q(), lambda **v: dp.local_q(n=v["n"], lam=v["lam"], bits=v["L"], sigmas=v["z"])),
}


@pytest.mark.parametrize("name", SOLVED)
def test_lambdify_agrees_with_the_solvers(name):
    form, solver = SOLVED[name]
    compiled = lambdify((n, k, L, lam, z), form, "mpmath")
    with mpmath.workdps(40):
        for values in product((10, 10**6), (1, 3), (1, 2), (Fraction(3, 2), Fraction(4)), (2, 3)):
            given = dict(zip(("n", "k", "L", "lam", "z"), values, strict=True))
            found = solver(**given)
            got = compiled(*(mpmath.mpf(x.numerator) / x.denominator for x in map(Fraction, values)))
            assert abs(got - found.enclosure.mpf()) < mpmath.mpf(10) ** -30


def test_sigma_at_the_closed_bound_is_free_of_n_and_grows_to_its_limit():
    at_bound = symbolic.sigma().subs(q, symbolic.closed_q()).subs({lam: 2, k: 3, z: 3})
    assert simplify(at_bound - symbolic.sigma_at_closed_q().subs({lam: 2, k: 3, z: 3})) == 0
    assert limit(symbolic.sigma_at_closed_q(), k, oo) == z / log(lam)


def test_the_local_epsilon():
    mechanism = dp.KRandomization(n=3, q="1/4", k=2, bits=3)
    value = symbolic.local_epsilon().subs({k: 2, L: 3, q: Rational(1, 4)}).evalf(30)
    assert abs(mpmath.mpf(str(value)) - mechanism.local_epsilon.mpf()) < mpmath.mpf(10) ** -14


def test_the_window_bound_is_the_ratio_bound_there():
    at = symbolic.p * k * n - z * (symbolic.p * q * k * n) ** Rational(1, 2)
    point = {n: 50, k: 2, q: Rational(1, 5), z: 3}
    assert simplify((symbolic.ratio_bound().subs(s, at) - symbolic.window_bound()).subs(point)) == 0
