"""K16, section 5.1: the estimate from k randomizations of every record."""

from __future__ import annotations

from fractions import Fraction as F

from sympy import solve, sqrt

from dpcalc import symbolic
from dpcalc.accuracy.estimator import estimate, variance
from dpcalc.claims.checking import all_of, exhausted, identity
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.k16.forms import (
    in_odds,
    moments,
    observed,
    p,
    triples,
)
from dpcalc.mechanisms.pooled_count import pmf
from dpcalc.mechanisms.response import KRandomization
from dpcalc.symbolic import k, n, q, s, t

__all__ = ["ledger"]

ledger = Ledger("K16")


@ledger.claim(
    "s5.1-count",
    where="section 5.1, first display",
    says="With T ones S = p kT + q (kn - kT).",
    script="""
        from fractions import Fraction as F
        p, q = F(3, 4), F(1, 4)  # n = k = T = 1: S is 1 with probability p, 0 with q
        assert p * 1 + q * 0 not in (0, 1)  # the right side is no value of S
        assert 1 * p + 0 * q == p * 1 + q * 0  # but its mean
    """,
)
def _count() -> Finding:
    """S is random, and the right side is its expectation.

    kT reports are 1 with probability p, the others with q. The right side is E S; S itself
    varies about it.
    """
    said = p * k * t + q * (k * n - k * t)
    shown = ("S = p kT + q (kn - kT)", "E S = p kT + q (kn - kT)")
    at = {q: F(1, 5), k: 2, n: 10, t: 3}
    mean = identity(said.subs(p, 1 - q), moments(t)[0], at=at, shown=shown, failing=Ruling.REFUTED)
    law = observed(1, 0, F(1, 4))
    if mean.ruling is not Ruling.PROVEN or max(law) == 1:
        return mean
    return Finding(
        ruling=Ruling.CORRECTED, said=shown[0], exact=shown[1],
        witness=f"n = k = T = 1, q = 1/4: the right side is 3/4, S = 0 and 1 have probabilities {law[0]} and {law[1]}",
    )  # fmt: skip


@ledger.claim("5.1", where="(5.1), section 5.1", says="T is estimated by (S - qkn)/(k (p - q)).")
def _estimate() -> Finding:
    """E S = p kT + q (kn - kT) solved for T. The check solves the mean of the generating function."""
    [solved] = solve(moments(t)[0] - s, t)
    said = ((s - q * k * n) / (k * (p - q))).subs(p, 1 - q)
    shown = ("(S - qkn)/(k (p - q))", "E S = S solved for T")
    at = {q: F(1, 5), k: 2, n: 10, s: 7}
    found = identity(said, solved, at=at, shown=shown)
    return all_of(found, identity(said, symbolic.estimate(), at=at, shown=shown))


@ledger.claim(
    "s5.1-divides",
    where="section 5.1, after (5.1)",
    says="The aggregator divides the estimate computed from kn records by k.",
)
def _divides() -> Finding:
    """(4.1) for kn records is (S - q kn)/(p - q) and estimates kT."""
    from_all = symbolic.estimate().subs(k, 1).subs(n, k * n)
    shown = ("1/k of the estimate from kn records", "(S - qkn)/(k (p - q))")
    return identity(from_all / k, symbolic.estimate(), at={q: F(1, 5), k: 2, n: 10, s: 7}, shown=shown)


@ledger.claim("5.2", where="(5.2), section 5.1", says="The estimate is unbiased, E T_hat = T.")
def _unbiased() -> Finding:
    """The estimate is linear in S, and E S solves to T. The check also averages it over the exact
    pmf.
    """
    mean = symbolic.estimate().subs(s, moments(t)[0])
    found = identity(mean, t, at={q: F(1, 5), k: 2, n: 10, t: 3}, shown=("E T_hat = T", "E T_hat = T"))
    averaged = exhausted(
        ((n, k, q, ones) for n, k, q in triples(3, 3) for ones in range(n + 1)),
        lambda case: _averaged(*case) == case[3],
        over="n, k = 1..3, q in {1/10, 1/4, 2/5}, every T", shown=("E T_hat = T", "E T_hat = T"), proven=True,
    )  # fmt: skip
    return all_of(found, averaged)


def _averaged(n: int, k: int, q: F, ones: int) -> F:
    mechanism = KRandomization(n=n, q=q, k=k)
    return sum((weight * estimate(mechanism, s).value for s, weight in enumerate(pmf(mechanism, ones=ones))), F(0))


@ledger.claim(
    "5.3",
    where="(5.3), section 5.1",
    says="Var T_hat = qpn/(k^2 (p - q)^2) = qpn/(k (p - q)^2).",
    script="""
        from fractions import Fraction as F
        p, q, k = F(3, 4), F(1, 4), 2  # n = T = 1; T_hat = (S - qk)/(k (p - q)), S = 0, 1, 2
        law = {(s - q * k) / (k * (p - q)): w for s, w in enumerate((q * q, 2 * p * q, p * p))}
        true = sum(w * v * v for v, w in law.items()) - sum(w * v for v, w in law.items()) ** 2
        assert q * p / (k**2 * (p - q) ** 2) != true == q * p / (k * (p - q) ** 2)
    """,
)
def _variance() -> Finding:
    """Var S = pq kn for kn independent reports, divided by (k (p - q))^2: the first numerator lacks
    a k.

    The two fractions printed differ; the second one is right.
    """
    derived = moments(t)[1] / (k * (1 - 2 * q)) ** 2
    first, second = q * p * n / (k**2 * (p - q) ** 2), q * p * n / (k * (p - q) ** 2)
    shown = ("qpn/(k^2 (p - q)^2) = qpn/(k (p - q)^2)", "qpkn/(k^2 (p - q)^2) = qpn/(k (p - q)^2)")
    found = in_odds(second, derived, reports=k, shown=shown, failing=Ruling.REFUTED)
    return all_of(found, in_odds(first, derived, reports=2, shown=shown))


@ledger.claim("5.4", where="(5.4), section 5.1", says="sigma(T_hat) = sqrt(qpn/(k (p - q)^2)).")
def _deviation() -> Finding:
    """The root of Var S/(k (p - q))^2. The check also takes the variance of the exact pmf."""
    said = sqrt(q * p * n / (k * (p - q) ** 2))
    shown = ("sqrt(qpn/(k (p - q)^2))", "sqrt(qpn/(k (p - q)^2))")
    squares = (moments(t)[1] / (k * (1 - 2 * q)) ** 2, symbolic.sigma() ** 2)
    found = all_of(*(in_odds(said**2, true, reports=k, shown=shown) for true in squares))
    spreads = exhausted(
        ((n, k, q, ones) for n, k, q in triples(3, 3) for ones in range(n + 1)),
        lambda case: _spread(*case) == variance(KRandomization(n=case[0], q=case[2], k=case[1])),
        over="n, k = 1..3, q in {1/10, 1/4, 2/5}, every T", shown=shown, proven=True,
    )  # fmt: skip
    return all_of(found, spreads)


def _spread(n: int, k: int, q: F, ones: int) -> F:
    spread: F = pmf(KRandomization(n=n, q=q, k=k), ones=ones).variance / (k * (1 - 2 * q)) ** 2
    return spread


@ledger.claim(
    "s5.1-sqrt-k",
    where="section 5.1, after (5.4)",
    says="The deviation is smaller by sqrt(k) than with a single randomization.",
    assuming="the same q",
)
def _at_the_same_q() -> Finding:
    """Only k differs in (5.4). For the same privacy q has to grow too: see s5-sqrt-k."""
    said = symbolic.sigma().subs(k, 1) / sqrt(k)
    at = {q: F(1, 5), n: 100, k: 4}
    return identity(
        said**2, moments(t)[1] / (k * (1 - 2 * q)) ** 2, at=at, shown=("sigma_1/sqrt(k)", "sigma_1/sqrt(k)")
    )
