"""K16, section 4.3: what the local bound is said to buy for n = 1000, lambda = 2."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F
from itertools import product

from sympy import Integer as Z
from sympy import log

from dpcalc import symbolic
from dpcalc.accuracy.estimator import variance
from dpcalc.choose.classical import classical_q
from dpcalc.choose.local import local_q, local_sigma
from dpcalc.claims.checking import all_of, exhausted, identity, printed
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.k16.forms import (
    QS,
    ROUNDED_Q,
    rounded,
)
from dpcalc.mechanisms.pooled_count import pmf
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers import elementary
from dpcalc.symbolic import k, lam, n, q, z

__all__ = ["ledger"]

ledger = Ledger("K16")


@ledger.claim(
    "s4.3-q-0.009",
    where="section 4.3, after (4.45)",
    says="For lambda = 2 and n = 1000 the noise required is q = 0.009.",
)
def _noise() -> Finding:
    """The closed form, to the digits printed; the exact value is 0.00876..., so the printed q is on
    the safe side.
    """
    return printed("0.009", local_q(n=1000, lam=2).enclosure)


@ledger.claim(
    "4.46",
    where="(4.46), section 4.3",
    says="The absolute bound for epsilon = ln 2 demands p/q <= 2.",
)
def _absolute() -> Finding:
    """P(S = s) is a sum over the changed record's report y of its probability, p or q, times that
    of the others; when the record changes, the first factor changes by at most p/q either way, so
    the ratio does too. At s = 0 only y = 0 occurs and the ratio is p/q. So p/q <= lambda is
    necessary and sufficient, for every number of ones.

    The check takes the largest ratio over all outcomes, both orders and every number of ones; the
    closed form log(p/q) must be its logarithm.
    """
    same = identity(
        log((1 - q) / q), symbolic.local_epsilon().subs({k: 1, symbolic.L: 1}), at={q: F(1, 5)}, shown=("p/q", "p/q")
    )
    largest = exhausted(
        ((n, q, ones) for n, q in product(range(1, 6), QS) for ones in range(n)),
        lambda case: _largest_either_way(*case) == (1 - case[1]) / case[1],
        over="n = 1..5, q in {1/10, 1/4, 2/5}, every number of ones",
        shown=("p/q <= 2", "largest ratio p/q"),
        proven=True,
    )
    return all_of(same, largest)


def _largest_either_way(n: int, q: F, ones: int) -> F:
    mechanism = KRandomization(n=n, q=q)
    pairs = list(zip(pmf(mechanism, ones=ones), pmf(mechanism, ones=ones + 1), strict=True))
    return max(max(a / b, b / a) for a, b in pairs)


@ledger.claim(
    "4.47",
    where="(4.47), section 4.3",
    says="So q >= 1/3 = 0.333.",
)
def _third() -> Finding:
    """(1 - q)/q <= 2 is 1 <= 3q; in general q >= 1/(1 + lambda). 0.333 is 1/3 rounded, and just
    below it.
    """
    closed = symbolic.classical_q().subs({k: 1, symbolic.L: 1})
    shown = ("1/3 = 0.333", "1/3")
    found = all_of(
        identity((1 - closed) / closed, lam, at={lam: 2}, shown=shown),
        identity(Z(1) / 3, closed.subs(lam, 2), at={}, shown=shown),
    )
    rounded = printed("0.333", classical_q(lam=2).value)
    return found if rounded.ruling is Ruling.HOLDS else rounded


@ledger.claim(
    "s4.3-37-times",
    where="section 4.3, after (4.47)",
    says="Local privacy reduced the noise 37 times.",
    assuming="n = 1000, lambda = 2, q = 0.009 as printed",
)
def _reduction() -> Finding:
    """(1/3)/0.009 = 37.04. Over the unrounded q of (4.45), 0.0087640..., it is 38.03."""
    found = printed("37", classical_q(lam=2).value / ROUNDED_Q, unit="times")
    unrounded = rounded(classical_q(lam=2).value / local_q(n=1000, lam=2).enclosure, 2)
    return replace(
        found, exact=f"{rounded(classical_q(lam=2).value / ROUNDED_Q, 2)} times; {unrounded} at the unrounded q"
    )


@ledger.claim(
    "s4.3-sigma-44.7",
    where="section 4.3, after (4.47)",
    says="In the classical case the estimate's deviation is 44.7.",
    assuming="n = 1000, q = 1/3",
)
def _classical_sigma() -> Finding:
    """sqrt(pqn)/(p - q) = sqrt(2000) at q = 1/3."""
    exact = elementary.sqrt(variance(KRandomization(n=1000, q=classical_q(lam=2).value)))
    form = symbolic.sigma().subs({k: 1, n: 1000, q: Z(1) / 3})
    return printed("44.7", exact) if form**2 == 2000 else Finding(ruling=Ruling.REFUTED, witness=str(form))


@ledger.claim(
    "s4.3-sigma-3",
    where="section 4.3, after (4.47)",
    says="For local privacy the estimate's deviation is 3.",
    assuming="lambda = 2, q at (4.45)",
)
def _local_sigma() -> Finding:
    """(4.42) with lambda = 2 is 3/(2 - 1), exactly; at the rounded q = 0.009 it is 3.04."""
    form = symbolic.sigma_at_closed_q().subs({k: 1, z: 3, lam: 2})
    found = identity(Z(3), form, at={}, shown=("3", "3"))
    rounded = printed("3", elementary.sqrt(variance(KRandomization(n=1000, q=ROUNDED_Q))))
    return found if rounded.ruling is Ruling.HOLDS and local_sigma(lam=2) == 3 else rounded


@ledger.claim(
    "s4.3-10-fold",
    where="section 4.3, after (4.47)",
    says="The precision of the estimate has grown 10 fold.",
    assuming="n = 1000, lambda = 2",
    script="""
        from fractions import Fraction as F
        variance = lambda q: 1000 * q * (1 - q) / (1 - 2 * q) ** 2
        assert 14**2 < variance(F(1, 3)) / 9 < 15**2  # 9 = 9/(lambda - 1)^2 is the variance at the local bound
    """,
)
def _gain() -> Finding:
    """The quotient of the two deviations just quoted is sqrt(2000)/3 = 14.9: 15 fold, not 10 fold."""
    classical = elementary.sqrt(variance(KRandomization(n=1000, q=classical_q(lam=2).value)))
    found = printed("10", classical / local_sigma(lam=2), unit="fold")
    quotient = f"{rounded(classical, 2)}/{local_sigma(lam=2)}"
    return replace(found, witness=found.witness and f"{quotient} = {rounded(classical / local_sigma(lam=2), 1)}")
