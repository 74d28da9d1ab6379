"""K16, section 4.3: the confidence intervals of the example, and what they are said to show."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

from sympy import Expr
from sympy import Integer as Z

from dpcalc.accuracy.estimator import count_interval
from dpcalc.choose.least import least_q
from dpcalc.choose.local import local_q
from dpcalc.claims.checking import exhausted, identity, printed
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.k16.forms import (
    ROUNDED_Q,
    moments,
    rounded,
)
from dpcalc.mechanisms.pooled_count import pmf
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.privacy.delta import delta
from dpcalc.privacy.ratio import Exceedance, exceedance
from dpcalc.symbolic import k, n, q

__all__ = ["ledger"]

ledger = Ledger("K16")


@ledger.claim("4.48", where="(4.48), section 4.3", says="E S = 1000 p.", assuming="1000 ones among 1000 records")
def _mean() -> Finding:
    """A sum of 1000 reports with mean p each."""
    return _moment(0, ones=1000, said=1000 * (1 - q), text="1000 p")


@ledger.claim(
    "4.49", where="(4.49), section 4.3", says="sigma(S) = sqrt(1000 pq).", assuming="1000 ones among 1000 records"
)
def _deviation() -> Finding:
    """A sum of 1000 independent reports with variance pq each; the check compares the variances."""
    return _moment(1, ones=1000, said=1000 * q * (1 - q), text="sqrt(1000 pq)")


@ledger.claim("4.50", where="(4.50), section 4.3", says="E S_m = 999 p + q.", assuming="999 ones among 1000 records")
def _mean_changed() -> Finding:
    """999 reports with mean p and one with mean q."""
    return _moment(0, ones=999, said=999 * (1 - q) + q, text="999 p + q")


@ledger.claim(
    "4.51",
    where="(4.51), section 4.3",
    says="sigma(S_m) = sqrt(999 pq + pq).",
    assuming="999 ones among 1000 records",
)
def _deviation_changed() -> Finding:
    """A report of 0 has the variance pq too; the check compares the variances."""
    return _moment(1, ones=999, said=999 * q * (1 - q) + q * (1 - q), text="sqrt(999 pq + pq)")


def _moment(which: int, *, ones: int, said: Expr, text: str) -> Finding:
    """Against log G, and against the exact pmf at q = 1/4."""
    true = moments(ones)[which].subs({k: 1, n: 1000})
    found = identity(said, true, at={q: F(1, 5)}, shown=(text, text))
    law = pmf(KRandomization(n=1000, q=F(1, 4)), ones=ones)
    here = said.subs(q, Z(1) / 4)
    exact = (law.mean, law.variance)[which]
    return found if here == exact else Finding(ruling=Ruling.CORRECTED, said=text, exact=str(exact), witness=str(here))


_WITH_THIRDS = """
    from fractions import Fraction as F
    mean = lambda q: {ones} * (1 - q) + {lies} * q
    fits = lambda q, low: (mean(q) - low - F(1, 200)) ** 2 < 9000 * q * (1 - q) < (mean(q) - low + F(1, 200)) ** 2
    assert fits(F(3333, 10**4), F({low}, 100))  # mean - 3 sigma rounds to the lower end printed
    assert not fits(F(333, 1000), F({low}, 100)) and not fits(F(1, 3), F({low}, 100))
"""


@ledger.claim(
    "4.52",
    where="(4.52), section 4.3",
    says="For q = 0.333 the interval of S is [621.98, 711.42].",
    script=_WITH_THIRDS.format(ones=1000, lies=0, low=62198),
)
def _classical_interval() -> Finding:
    """The ends printed are those of q = 0.3333, not of the q = 0.333
    that is named.
    """
    return _interval("[621.98, 711.42]", q="0.333", used="0.3333", ones=1000)


@ledger.claim(
    "4.53",
    where="(4.53), section 4.3",
    says="For q = 0.333 the interval of S_m is [621.65, 711.09].",
    script=_WITH_THIRDS.format(ones=999, lies=1, low=62165),
)
def _classical_interval_changed() -> Finding:
    """The ends printed are those of q = 0.3333, not of the q = 0.333
    that is named.
    """
    return _interval("[621.65, 711.09]", q="0.333", used="0.3333", ones=999)


@ledger.claim("4.54", where="(4.54), section 4.3", says="For q = 0.009 the interval of S is [982.04, 999.96].")
def _local_interval() -> Finding:
    """1000 p -+ 3 sqrt(1000 pq) at the rounded q = 0.009, each end to the digits printed."""
    return _interval("[982.04, 999.96]", q="0.009", used="0.009", ones=1000)


@ledger.claim("4.55", where="(4.55), section 4.3", says="For q = 0.009 the interval of S_m is [981.06, 998.98].")
def _local_interval_changed() -> Finding:
    """999 p + q -+ 3 sqrt(1000 pq) at the rounded q = 0.009, each end to the digits printed."""
    return _interval("[981.06, 998.98]", q="0.009", used="0.009", ones=999)


def _interval(said: str, *, q: str, used: str, ones: int) -> Finding:
    """Whether both ends round as printed for the q named; else for the q ``used``."""
    named, right = _three_sigmas(q, ones), f"{said} is q = {used}" if _prints(said, used, ones) else "neither"
    exact = f"[{rounded(named[0], 2)}, {rounded(named[1], 2)}]"
    if _prints(said, q, ones):
        return Finding(ruling=Ruling.HOLDS, said=said, exact=exact, over="rounded to the digits printed")
    return Finding(ruling=Ruling.CORRECTED, said=f"{said} for q = {q}", exact=exact, witness=f"{right}, not {q}")


def _three_sigmas(q: str, ones: int) -> tuple[Enclosure, Enclosure]:
    interval = count_interval(KRandomization(n=1000, q=q), ones=ones)
    return interval.lower, interval.upper


def _prints(said: str, q: str, ones: int) -> bool:
    ends = zip(said.strip("[]").split(", "), _three_sigmas(q, ones), strict=True)
    return all(printed(text, end).ruling is Ruling.HOLDS for text, end in ends)


@ledger.claim(
    "s4.3-nearly-identical",
    where="section 4.3, after (4.55)",
    says="The intervals of S and S_m are nearly identical under either bound.",
    assuming="nearly identical: shifted by less than a tenth of their width",
)
def _nearly_identical() -> Finding:
    """They have the same width, 6 sqrt(pqn), and are shifted by p - q: by 1/(6 sigma) of the width,
    sigma the estimate's deviation.

    Intervals that overlap do not keep a ratio within lambda; what they say about privacy is
    s4.3-99.98.
    """
    shares = [_shift(q) for q in (F(1, 3), ROUNDED_Q)]
    shown = " and ".join(f"{rounded(100 * share, 2)} %" for share in shares)
    found = exhausted(
        shares, lambda share: share < F(1, 10), over="q = 1/3 and q = 0.009", shown=("nearly identical", "")
    )
    return Finding(
        ruling=found.ruling,
        said=found.said,
        exact=f"shifted by {shown} of the width",
        over=found.over,
        witness=found.witness,
    )


def _shift(q: F) -> Enclosure:
    """How far the interval moves when one record changes, in widths."""
    mechanism = KRandomization(n=1000, q=q)
    before, after = (count_interval(mechanism, ones=ones) for ones in (1000, 999))
    return (before.lower - after.lower) / (before.upper - before.lower)


@ledger.claim(
    "s4.3-full-power",
    where="section 4.3, after (4.55)",
    says="The full strength of the absolute bound is not needed.",
    assuming="n = 1000, lambda = 2, and outcomes of total weight delta > 0 may be given up",
)
def _full_power() -> Finding:
    """(ln 2, delta)-differential privacy over every dataset, both orders, for delta = 10^-6: less
    than 1/3 is enough.

    The q = 0.009 of the local bound is not: its own delta at epsilon = ln 2 is above one percent.
    For delta = 0 nothing is gained: the ratio at s = 0 is p/q for every n.
    """
    enough = least_q(n=1000, lam=2, delta=F(1, 10**6), rtol=F(1, 10**4))
    left = delta(KRandomization(n=1000, q=ROUNDED_Q), lam=2, rtol=F(1, 1000))
    return exhausted(
        [enough],
        lambda bracket: bracket.upper < F(1, 3),
        over="n = 1000, lambda = 2, delta = 10^-6",
        shown=(
            "less than q = 1/3",
            f"q = {rounded(enough.enclosure, 4)} for delta = 10^-6; at q = 0.009 delta = {rounded(left, 4)}",
        ),
    )


@ledger.claim(
    "s4.3-99.98",
    where="section 4.3, end",
    says="The local bound guarantees the ratio for 99.98 % of outcomes.",
    assuming="n = 1000, lambda = 2, q at the closed bound, all records 1",
    script="""
        from fractions import Fraction as F
        from math import comb
        q, n = F(8765, 10**6), 1000  # just above the closed bound: n p q/(p - q)^2 >= 9
        ratio = [F(n - s, n) * (1 - q) / q + F(s, n) * q / (1 - q) for s in range(n + 1)]
        weight = [comb(n, s) * (1 - q) ** s * q ** (n - s) for s in range(n + 1)]
        assert n * q * (1 - q) / (1 - 2 * q) ** 2 >= 9 and ratio[982] > 2 and 1 / ratio[996] > 2  # R falls with s
        assert sum(weight[:983]) > F(38, 10**4) and sum(weight[996:]) > F(62, 10**3)  # so 99.62 % and 93.8 % at most
    """,
)
def _covered() -> Finding:
    """At the closed bound the ratio is kept for 99.61 % of outcomes, its reciprocal for 93.73 %, both for 93.34 %.

    These are binomial sums at the bound's own q: R > 2 exactly for S <= 982 and 1/R > 2 exactly for
    S >= 996. At q = 0.009 they are 99.77, 94.58 and 94.35 %. None of the readings (the ratio, its
    reciprocal, both; under D or under D_m; either q) gives 99.98 %. Three standard deviations of a
    normal law would hold 99.87 % on one side and 99.73 % on both; the binomial is skewed, with a
    mean of only 9 lies.
    """
    closed, printed_q = (
        exceedance(KRandomization(n=1000, q=q), lam=2) for q in (local_q(n=1000, lam=2).upper, ROUNDED_Q)
    )
    for value in (*_kept(closed), *_kept(printed_q)):
        if printed("99.98", value).ruling is Ruling.HOLDS:
            return printed("99.98", value, unit="%")
    text = "{} % for the ratio, {} % for 1/R, {} % for both".format(*(rounded(value, 2) for value in _kept(closed)[:3]))
    there = ", ".join(rounded(value, 2) for value in _kept(printed_q)[:3])
    return Finding(
        ruling=Ruling.REFUTED, said="99.98 %", exact=f"{text}; {there} at q = 0.009",
        witness=f"R > 2 for s <= {closed.low}, 1/R > 2 for s >= {closed.high}: kept {text}",
    )  # fmt: skip


def _kept(found: Exceedance) -> list[Enclosure]:
    """Percent of outcomes with the ratio, its reciprocal, both within lambda; under D, then under D_m."""
    here, there = (found.ratio, found.reciprocal), (found.ratio_neighbour, found.reciprocal_neighbour)
    return [100 - 100 * beyond for pair in (here, there) for beyond in (*pair, pair[0] + pair[1])]


@ledger.claim(
    "s4.3-hiding",
    where="section 4.3, end",
    says="Hiding a record among others needs less noise than obfuscating it alone.",
    assuming="outcomes of total weight delta > 0 may be given up, and there are enough others",
)
def _hiding() -> Finding:
    """Another user's reports are independent noise added to S: post-processing of what fewer users
    show. So the worst delta falls, or stays, with n, and with it the least q; for delta = 0 that
    stays 1/(1 + lambda).

    Write S = X + Y, X the others' count and Y the changed record's report: delta is at most the
    total variation distance, (p - q) max P(X = t) as X is unimodal. X sums n - 1 independent bits
    of variance pq each, so this tends to 0 as n grows: for delta > 0 every q is enough among enough
    others. The check finds the worst delta exactly.
    """
    return exhausted(
        product(range(1, 9), (F(1, 10), F(1, 4)), (F(5, 4), F(2))),
        lambda case: _worst(case[0] + 1, *case[1:]) < _worst(*case),
        over="n = 1..9, q in {1/10, 1/4}, lambda in {5/4, 2}: delta falls strictly",
        shown=("less noise in a larger collection", "delta falls with n"),
        proven=True,
    )


def _worst(n: int, q: F, lam: F) -> F:
    return delta(KRandomization(n=n, q=q), lam=lam).value
