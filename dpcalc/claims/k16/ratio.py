"""K16, section 4.3: the ratio of an outcome, its largest and smallest value."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction as F
from itertools import product
from math import comb

from sympy import Expr, Symbol, factor
from sympy import Integer as Z

from dpcalc import symbolic
from dpcalc.claims.checking import all_of, exhausted, identity, named, printed, repaired, unpacked
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.k16.forms import (
    QS,
    choose,
    in_odds,
    moments,
    observed,
    p,
    ratio_of_ones,
)
from dpcalc.mechanisms.pooled_count import pmf
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers import elementary
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.symbolic import k, n, q, s

__all__ = ["ledger"]

ledger = Ledger("K16")

_i = s  # the document's i


@ledger.claim(
    "4.30",
    where="(4.30), section 4.3",
    says="With all records 1, P(S = i) = C(n, i) p^i q^(n - i).",
)
def _binomial() -> Finding:
    """Each of the n reports is 1 with probability p, independently; C(n, i) patterns of reports
    have i ones.

    The check adds up the probabilities of all 2^n patterns of lies.
    """
    return exhausted(
        _outcomes(5),
        lambda case: (
            observed(case[0], 0, case[1])[case[2]]
            == comb(case[0], case[2]) * (1 - case[1]) ** case[2] * case[1] ** (case[0] - case[2])
        ),
        over="n = 1..5, q in {1/10, 1/4, 2/5}, every i",
        shown=("C(n, i) p^i q^(n-i)", "P(i | D), enumerated"),
        proven=True,
    )


@ledger.claim(
    "4.31",
    where="(4.31), section 4.3",
    says="With one record changed to 0, P(S = i) = C(n-1, i) p^(i+1) q^(n-i) + C(n-1, i-1) p^(i-1) q^(n-i+1).",
    script="""
        from fractions import Fraction as F
        p, q = F(3, 4), F(1, 4)
        true = sum((p if a else q) * (q if b else p) for a in (0, 1) for b in (0, 1) if a + b == 1)  # n = 2, i = 1
        assert p**2 * q + q**2 != true == p**2 + q**2
    """,
)
def _changed() -> Finding:
    """The exponent of q in the first term is one too high.

    Either the changed record tells the truth, 0, and i of the n - 1 others report 1, or it lies
    and i - 1 do.

        P(S = i) = C(n-1, i) p^i q^(n-1-i) p + C(n-1, i-1) p^(i-1) q^(n-i) q

    The first term holds n factors, p^(i+1) q^(n-1-i); the exponent printed, n - i, makes n + 1.
    (4.32) follows from the right one. The check adds up all 2^n patterns of lies.
    """
    return repaired(
        _outcomes(5),
        said=unpacked(lambda n, q, i: _term(n, q, i, n - i) + _lying(n, q, i)),
        repair=unpacked(lambda n, q, i: (_term(n, q, i, n - 1 - i) if i < n else 0) + _lying(n, q, i)),
        true=unpacked(lambda n, q, i: observed(n - 1, 1, q)[i]),
        over="n = 1..5, q in {1/10, 1/4, 2/5}, every i",
        shown=("first term p^(i+1) q^(n-i)", "first term p^(i+1) q^(n-1-i)"),
        show=named("n, q, i"),
    )


def _term(n: int, q: F, i: int, lies: int) -> F:
    return comb(n - 1, i) * (1 - q) ** (i + 1) * q**lies


def _lying(n: int, q: F, i: int) -> F:
    return choose(n - 1, i - 1) * (1 - q) ** (i - 1) * q ** (n - i + 1)


@ledger.claim(
    "4.32",
    where="(4.32), section 4.3",
    says="R_i = (n - i)/n p/q + i/n q/p.",
)
def _ratio_of_outcome() -> Finding:
    """(4.31), mended, over (4.30): C(n-1, i)/C(n, i) = (n-i)/n with p/q, C(n-1, i-1)/C(n, i) = i/n
    with q/p.

    The check divides the enumerated probabilities, and compares with the general closed form at
    k = 1.
    """
    form = symbolic.ratio(1)
    closed = identity(_ratio_said(), form.subs(q, 1 - p), at={p: F(4, 5), n: 10, _i: 3}, shown=_RATIO)
    enumerated = exhausted(
        _outcomes(5),
        lambda case: _enumerated_ratio(*case) == ratio_of_ones(*case),
        over="n = 1..5, q in {1/10, 1/4, 2/5}, every i",
        shown=_RATIO,
        proven=True,
    )
    return all_of(closed, enumerated)


_RATIO = ("(n-i)/n p/q + i/n q/p", "(n-i)/n p/q + i/n q/p")


def _ratio_said() -> Expr:
    return ((n - _i) / n * p / q + _i / n * q / p).subs(q, 1 - p)


def _enumerated_ratio(n: int, q: F, i: int) -> F:
    return observed(n - 1, 1, q)[i] / observed(n, 0, q)[i]


@ledger.claim(
    "s4.3-largest",
    where="section 4.3, after (4.32)",
    says="The ratio is largest at i = 0, where it is p/q.",
)
def _largest() -> Finding:
    """R_i falls in i (s4.3-falls), so it is largest at i = 0, where (4.32) is p/q."""
    return exhausted(
        product(range(1, 8), QS),
        lambda case: max(_ratios(*case)) == _ratios(*case)[0] == (1 - case[1]) / case[1],
        over="n = 1..7, q in {1/10, 1/4, 2/5}",
        shown=("p/q", "p/q"),
        proven=True,
    )


@ledger.claim(
    "s4.3-smallest",
    where="section 4.3, after (4.32)",
    says="The ratio is smallest at i = n, where it is q/p.",
)
def _smallest() -> Finding:
    """R_i falls in i (s4.3-falls), so it is smallest at i = n, where (4.32) is q/p."""
    return exhausted(
        product(range(1, 8), QS),
        lambda case: min(_ratios(*case)) == _ratios(*case)[-1] == case[1] / (1 - case[1]),
        over="n = 1..7, q in {1/10, 1/4, 2/5}",
        shown=("q/p", "q/p"),
        proven=True,
    )


def _ratios(n: int, q: F) -> list[F]:
    """R_0, ..., R_n from the two pmfs."""
    mechanism = KRandomization(n=n, q=q)
    before, after = pmf(mechanism, ones=n), pmf(mechanism, ones=n - 1)
    return [after[i] / before[i] for i in range(n + 1)]


@ledger.claim(
    "s4.3-falls",
    where="section 4.3, after (4.32); again before (4.33)",
    says="The ratio falls as i grows.",
    assuming="0 < q < 1/2",
)
def _falls() -> Finding:
    """R_(i+1) - R_i = (q/p - p/q)/n = -(p^2 - q^2)/(n p q) = -(p - q)/(n p q) < 0, for real i too.

    The check writes q = 1/(2 + u) with u > 0, which makes the sign of the step readable.
    """
    form, u = symbolic.ratio(1), Symbol("u", positive=True)
    step = factor((form.subs(s, s + 1) - form).subs(q, 1 / (2 + u)))
    said = -(1 - 2 * q) / (n * q * (1 - q))
    found = identity(step, said.subs(q, 1 / (2 + u)), at={u: 3, n: 10}, shown=("falls", "step -(p - q)/(n p q)"))
    if found.ruling is Ruling.PROVEN and not step.is_negative:
        return Finding(ruling=Ruling.REFUTED, said="falls", exact=f"step {step}", witness="q = 1/5, n = 10")
    return found


@ledger.claim(
    "s4.3-one-at-the-mean",
    where="section 4.3, third display after (4.32)",
    says="R = 1 at the expected count i = pn: (n-pn)/n p/q + pn/n q/p = (1-p) p/q + p q/p = p + q = 1.",
)
def _one_at_mean() -> Finding:
    """At i = pn the weights are 1 - p = q and p, so R = q p/q + p q/p = p + q = 1; each member
    printed is checked.
    """
    members = [
        (n - p * n) / n * p / q + p * n / n * q / p,
        (1 - p) * p / q + p * q / p,
        p + q,
        symbolic.ratio(1).subs(s, moments(n)[0]),
    ]
    return _all_equal(members, Z(1), shown=("R = 1 at i = pn", "R = 1 at E S = pn"))


@ledger.claim(
    "s4.3-5e-53",
    where="section 4.3, after the third display",
    says="For p = 0.7, q = 0.3 and n = 100 no synthetic ones are seen with probability q^100 = 5e^(-53).",
    script="""
        from fractions import Fraction as F
        none = F(3, 10) ** 100
        assert F(45, 10**54) < none < F(55, 10**54)  # 5 10^(-53), to the digit printed
        assert 5 * F(1, 3) ** 53 > 10**20 * none  # e < 3: as typeset, 5 e^(-53) is larger still
    """,
)
def _no_ones() -> Finding:
    """It is a power of 10, not of e.

    All 100 reports lie: 0.3^100 = 5.15... 10^(-53).

    The number is right as calculators write it, 5e-53. It is typeset with -53 as an exponent of e,
    and (4.42) uses e for Euler's number: read so it would be 4.8 10^(-23).
    """
    exact = pmf(KRandomization(n=100, q=F(3, 10)), ones=100)[0]
    meant = printed("5e-53", exact, failing=Ruling.REFUTED)
    typeset = 5 * elementary.exp(F(-53))
    if meant.ruling is Ruling.REFUTED or typeset < 2 * exact:
        return meant
    return Finding(
        ruling=Ruling.CORRECTED,
        said="5 e^(-53)",
        exact=f"5 10^(-53): {Enclosure.of(exact):6}",
        witness=f"5 e^(-53) = {typeset:6}",
    )


@ledger.claim(
    "s4.3-ratio-again",
    where="section 4.3, display before (4.33)",
    says="Again R_i = (n - i)/n p/q + i/n q/p.",
)
def _ratio_again() -> Finding:
    """As (4.32). Another road: R_i is the mean over the n reports of their odds, p/q for a 0 and
    q/p for a 1.

    For k = 1 the mean of the odds is the bound of (5.13), so that closed form is the true side
    here.
    """
    mean = symbolic.ratio_bound().subs(k, 1)
    return identity(_ratio_said(), mean.subs(q, 1 - p), at={p: F(4, 5), n: 10, _i: 3}, shown=_RATIO)


# --- helpers ------------------------------------------------------------------------------------------------------


def _outcomes(most: int) -> Iterator[tuple[int, F, int]]:
    """(n, q, i) for n up to ``most``."""
    return ((n, q, i) for n, q in product(range(1, most + 1), QS) for i in range(n + 1))


def _all_equal(members: list[Expr], value: Expr, *, shown: tuple[str, str]) -> Finding:
    return all_of(*(in_odds(member, value, shown=shown) for member in members))
