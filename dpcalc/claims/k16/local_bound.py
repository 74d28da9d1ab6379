"""K16, section 4.3: the ratio of an outcome, the local bound and what it is said to buy."""

from __future__ import annotations

from sympy import sqrt

from dpcalc import symbolic
from dpcalc.claims.checking import identity, printed
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.mechanisms.response import KRandomization
from dpcalc.privacy.ratio import exceedance
from dpcalc.solvers.local import local_q
from dpcalc.symbolic import lam, n, p, q, z

__all__ = ["ledger"]

ledger = Ledger("K16")


@ledger.claim(
    "4.45",
    where="(4.45), section 4.3",
    says="The least q with the ratio three standard deviations below the mean at most lambda.",
    assuming="k = 1, lambda > 1, 0 < q < 1/2",
)
def _closed_form() -> Finding:
    """With v = pq/(p - q)^2 the bound (4.44) is v >= c, c = 9/((lambda - 1)^2 n).

    As p + q = 1, (p - q)^2 = 1 - 4pq, so v = pq/(1 - 4pq) grows with q, and v = c is solved by pq = c/(1 + 4c), that is
    p - q = 1/sqrt(1 + 4c). Putting the printed q into v must give c back.
    """
    c = 9 / ((lam - 1) ** 2 * n)
    said = (1 - 1 / sqrt(1 + 4 * c)) / 2
    solved = symbolic.closed_q().subs({symbolic.k: 1, z: 3})
    back = (p * q / (p - q) ** 2).subs(q, said)
    met = identity(back, c, at={lam: 2, n: 1000})
    return identity(said, solved, at={lam: 2, n: 1000}) if met.ruling is Ruling.PROVEN else met


@ledger.claim(
    "s4.3-q-0.009",
    where="section 4.3, after (4.45)",
    says="For lambda = 2 and n = 1000 the noise required is q = 0.009.",
)
def _noise() -> Finding:
    """The closed form, to the digits printed; the exact value is 0.00876..., so the printed q is on the safe side."""
    return printed("0.009", local_q(n=1000, lam=2).enclosure)


@ledger.claim(
    "s4.3-99.98",
    where="section 4.3, end",
    says="The local bound guarantees the ratio for 99.98 % of outcomes.",
    assuming="n = 1000, lambda = 2, q at the closed bound, all records 1",
    script="""
        from fractions import Fraction as F
        from math import comb
        q, n = F(8764, 10**6), 1000
        ratio = [F(n - s, n) * (1 - q) / q + F(s, n) * q / (1 - q) for s in range(n + 1)]
        outside = sum(comb(n, s) * (1 - q) ** s * q ** (n - s) for s in range(n + 1) if ratio[s] > 2)
        assert outside > F(2, 10**4)
    """,
)
def _covered() -> Finding:
    """The exact probability that the ratio, or its reciprocal, is beyond lambda: binomial sums at the bound's own q."""
    q_bound = local_q(n=1000, lam=2).upper
    found = exceedance(KRandomization(n=1000, q=q_bound), lam=2)
    kept = 100 * (1 - found.ratio)
    return printed("99.98", kept, failing=Ruling.REFUTED, unit="%")
