"""K16, section 4.3: the ratio of an outcome, the local bound and what it is said to buy."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction as F
from itertools import product
from math import comb

from sympy import Expr, Symbol, cancel, factor, log, sqrt
from sympy import Integer as Z

from dpcalc import symbolic
from dpcalc.accuracy.estimator import count_interval, variance
from dpcalc.claims.checking import all_of, exhausted, identity, named, printed, repaired, unpacked
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.k16.forms import choose, in_odds, moments, observed, p, rounded, variance_at_closed_q
from dpcalc.mechanisms.pooled import pmf
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers import elementary
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.privacy.datasets import delta
from dpcalc.privacy.ratio import exceedance, ratio
from dpcalc.solvers.classical import classical_q
from dpcalc.solvers.least import least_q
from dpcalc.solvers.local import local_q, local_sigma
from dpcalc.symbolic import k, lam, n, q, s, z

__all__ = ["ledger"]

ledger = Ledger("K16")

_QS = (F(1, 10), F(1, 4), F(2, 5))
_ROUNDED = F(9, 1000)  # the q that the document goes on with
_i = s  # the document's i
_END = p * n - 3 * sqrt(p * q * n)
_VARIANCE = p * q * n / (p - q) ** 2


# --- the ratio of an outcome --------------------------------------------------------------------------------------


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
    """Either the changed record tells the truth, 0, and i of the n - 1 others report 1, or it lies
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
        lambda case: _enumerated_ratio(*case) == _r_of(*case),
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


def _r_of(n: int, q: F, i: F | int) -> F:
    """(4.32)."""
    return F(n - i) / n * (1 - q) / q + F(i) / n * q / (1 - q)


@ledger.claim(
    "s4.3-largest",
    where="section 4.3, after (4.32)",
    says="The ratio is largest at i = 0, where it is p/q.",
)
def _largest() -> Finding:
    """R_i falls in i (s4.3-falls), so it is largest at i = 0, where (4.32) is p/q."""
    return exhausted(
        product(range(1, 8), _QS),
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
        product(range(1, 8), _QS),
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
    """All 100 reports lie: 0.3^100 = 5.15... 10^(-53).

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


# --- the window ---------------------------------------------------------------------------------------------------


@ledger.claim(
    "s4.3-moments",
    where="section 4.3, before (4.33)",
    says="The expected count of synthetic ones is pn, its standard deviation sqrt(pqn).",
    assuming="all records 1",
)
def _moments_of_count() -> Finding:
    """A sum of n independent reports, each with mean p and variance pq; the check takes both from
    log G at x = 1.
    """
    mean, spread = moments(n)
    found = in_odds(p * n, mean, shown=("pn, sqrt(pqn)", "pn, sqrt(pqn)"))
    return all_of(found, in_odds(sqrt(p * q * n), sqrt(spread), shown=("pn, sqrt(pqn)", "pn, sqrt(pqn)")))


@ledger.claim(
    "s4.3-window-end",
    where="section 4.3, before (4.33)",
    says="In the window pn -+ 3 sigma the ratio is largest at i = pn - 3 sigma.",
    assuming="i is read as a real number",
)
def _window_end() -> Finding:
    """R_i falls in real i (s4.3-falls), so on an interval it is largest at the left end.

    Only whole i are seen: there the largest ratio is that of the least whole number in the window,
    which is smaller unless pn - 3 sigma is whole itself. So the bound is on the safe side. The
    check compares every whole outcome of the window with R at its end, 1 + 3 (p - q)/sqrt(pqn), by
    squares.
    """
    return exhausted(
        ((n, q, i) for n, q in _PLACES for i in range(n + 1) if _inside(n, q, i)),
        lambda case: _within_end(*case, _r_of(*case)),
        over="every whole outcome in the window of 12 pairs n, q",
        shown=("largest at i = pn - 3 sigma", "largest at i = pn - 3 sigma"),
        proven=True,
    )


_PLACES = tuple(product((10, 36, 100, 1000), (_ROUNDED, F(1, 10), F(1, 3))))


def _inside(n: int, q: F, i: int) -> bool:
    return (i - (1 - q) * n) ** 2 <= 9 * q * (1 - q) * n


def _within_end(n: int, q: F, i: int, value: F) -> bool:
    """R_i <= 1 + 3 (p - q)/sqrt(pqn)."""
    return value <= 1 or (value - 1) ** 2 * q * (1 - q) * n <= 9 * (1 - 2 * q) ** 2


@ledger.claim(
    "s4.3-direction",
    where="section 4.3, before (4.33)",
    says="Inside the window the local privacy ratio is at its worst at i = pn - 3 sigma.",
    assuming="the probabilities of any two databases that differ in one record are compared, as section 3 defines it",
    script="""
        from fractions import Fraction as F
        n, q = 1000, F(9, 1000)  # mean 991; 9 sigma^2 = 80.27: the window holds 983, ..., 999
        ratio = lambda i: F(n - i, n) * (1 - q) / q + F(i, n) * q / (1 - q)
        assert 9**2 > 9 * n * q * (1 - q) > 8**2  # 991 - 9 = 982 is outside, 991 + 8 inside
        assert ratio(983) < 2 and 1 / ratio(999) > 8
    """,
)
def _direction() -> Finding:
    """With y = 3 (p - q)/sqrt(pqn) the ratio is 1 + y at the low end and its reciprocal
    1/(1 - y) > 1 + y at the high end: 1 - y^2 < 1. The reciprocal is what the pair (D, D_m) shows
    in the other order, and section 3 asks for both.

    With both, y <= 1 - 1/lambda: (4.45) with 1 - 1/lambda for lambda - 1. Where pn + 3 sigma > n
    the window ends at n, with reciprocal p/q. The check looks at the whole outcomes and compares
    the two least q for lambda = 2, n = 1000.
    """
    n_, ends = 1000, [i for i in range(1001) if _inside(1000, _ROUNDED, i)]
    low, high = _r_of(n_, _ROUNDED, ends[0]), 1 / _r_of(n_, _ROUNDED, ends[-1])
    both = symbolic.two_sided_q().subs({z: 3, lam: 2, n: n_})
    reach = (symbolic.window_bound() - 1).subs({k: 1, z: 3, n: n_}).subs(q, both)
    solved = local_q(n=n_, lam=2, sides=2).enclosure
    if high <= low or cancel(reach**2 - F(1, 4)) != 0 or not _encloses(solved, both):
        return Finding(ruling=Ruling.REFUTED, said="worst at pn - 3 sigma", exact=f"{both}", witness=f"{solved}")
    return Finding(
        ruling=Ruling.ONLY_FOR,
        said="worst at pn - 3 sigma",
        exact=f"worst at pn + 3 sigma; n = 1000, lambda = 2 needs q = {rounded(solved, 4)}",
        over="the ratio P(i | D_m)/P(i | D), not its reciprocal",
        witness=f"n = 1000, q = 0.009: R = {rounded(low, 2)} at {ends[0]}, 1/R = {rounded(high, 2)} at {ends[-1]}",
    )


@ledger.claim(
    "4.33",
    where="(4.33), section 4.3",
    says="i = pn - 3 sigma = pn - 3 sqrt(pqn).",
)
def _end() -> Finding:
    """Three standard deviations below the mean, both taken from the generating function."""
    mean, spread = moments(n)
    return in_odds(_END, mean - 3 * sqrt(spread), shown=("pn - 3 sqrt(pqn)", "E S - 3 sqrt(Var S)"))


@ledger.claim(
    "4.34",
    where="(4.34), section 4.3",
    says="R_i = (n - i)/n p/q + i/n q/p <= lambda is required at i = pn - 3 sigma.",
    assuming="lambda > 1",
)
def _required() -> Finding:
    """The ratio is (4.32). As R_i falls in i, the demand at the end gives it for every outcome of
    the window.

    The check takes rational lambdas on both sides of the ratio at the end, and the exact ratio of
    every outcome.
    """
    return exhausted(
        ((n, q, lam) for n, q in _PLACES[:-3] for lam in (F(5, 4), F(2), F(4), F(16)) if _end_within(n, q, lam)),
        lambda case: all(
            _r_of(case[0], case[1], i) == ratio(KRandomization(n=case[0], q=case[1]), i) <= case[2]
            for i in range(case[0] + 1)
            if _inside(case[0], case[1], i)
        ),
        over="9 pairs n, q, lambda in {5/4, 2, 4, 16}, every outcome of the window",
        shown=("R_i <= lambda at i = pn - 3 sigma", "then R_i <= lambda for i >= pn - 3 sigma"),
        proven=True,
    )


def _end_within(n: int, q: F, lam: F) -> bool:
    """1 + 3 (p - q)/sqrt(pqn) <= lambda."""
    return (lam - 1) ** 2 * q * (1 - q) * n >= 9 * (1 - 2 * q) ** 2


@ledger.claim(
    "4.35",
    where="(4.35), section 4.3",
    says="The largest ratio is (n - pn + 3 sqrt(pqn))/n p/q + (pn + 3 sqrt(pqn))/n q/p.",
    script="""
        from fractions import Fraction as F
        from math import comb
        n, p, q, i = 100, F(4, 5), F(1, 5), 80 - 12  # 3 sqrt(pqn) = 12
        changed = comb(99, i) * p**i * q ** (99 - i) * p + comb(99, i - 1) * p ** (i - 1) * q ** (100 - i) * q
        true = changed / (comb(n, i) * p**i * q ** (n - i))
        assert F(20 + 12, n) * p / q + F(80 + 12, n) * q / p != true == F(20 + 12, n) * p / q + F(80 - 12, n) * q / p
    """,
)
def _end_with_sign() -> Finding:
    """(4.33) put into (4.32): the share of ones is (pn - 3 sqrt(pqn))/n, with a minus; (4.36) has
    it right.
    """
    said = (n - p * n + 3 * sqrt(p * q * n)) / n * p / q + (p * n + 3 * sqrt(p * q * n)) / n * q / p
    return _at_end(said, ("+ (pn + 3 sqrt(pqn))/n q/p", "+ (pn - 3 sqrt(pqn))/n q/p"))


@ledger.claim(
    "4.36",
    where="(4.36), section 4.3",
    says="(n - pn + 3 sqrt(pqn))/n p/q + (pn - 3 sqrt(pqn))/n q/p <= lambda.",
)
def _end_inserted() -> Finding:
    """(4.33) put into (4.32)."""
    said = (n - p * n + 3 * sqrt(p * q * n)) / n * p / q + (p * n - 3 * sqrt(p * q * n)) / n * q / p
    return _at_end(said, ("... + (pn - 3 sqrt(pqn))/n q/p", "R at pn - 3 sqrt(pqn)"))


@ledger.claim(
    "4.37",
    where="(4.37), section 4.3",
    says="p + q + 3 sqrt(pq/n) (p/q - q/p) <= lambda.",
)
def _end_collected() -> Finding:
    """(n - pn)/n p/q = p and pn/n q/p = q; the roots are collected, 3 sqrt(pqn)/n = 3 sqrt(pq/n)."""
    return _at_end(
        p + q + 3 * sqrt(p * q / n) * (p / q - q / p), ("p + q + 3 sqrt(pq/n) (p/q - q/p)", "R at pn - 3 sqrt(pqn)")
    )


@ledger.claim(
    "4.38",
    where="(4.38), section 4.3",
    says="1 + 3 sqrt(pq/n) (p^2 - q^2)/(pq) <= lambda.",
)
def _end_common() -> Finding:
    """p + q = 1, and p/q - q/p over the common denominator."""
    said = 1 + 3 * sqrt(p * q / n) * (p**2 - q**2) / (p * q)
    return _at_end(said, ("1 + 3 sqrt(pq/n) (p^2 - q^2)/(pq)", "R at pn - 3 sqrt(pqn)"))


@ledger.claim(
    "4.39",
    where="(4.39), section 4.3",
    says="1 + 3 sqrt(1/n) (p - q)/sqrt(pq) <= lambda.",
)
def _end_short() -> Finding:
    """p^2 - q^2 = (p - q)(p + q) = p - q, and sqrt(pq)/(pq) = 1/sqrt(pq).

    The check compares with R at the end and with the closed bound of (5.20) at k = 1, z = 3.
    """
    said, shown = 1 + 3 * sqrt(1 / n) * (p - q) / sqrt(p * q), ("1 + 3 (p - q)/sqrt(pqn)", "1 + 3 (p - q)/sqrt(pqn)")
    found = _at_end(said, shown)
    return all_of(found, in_odds(said, symbolic.window_bound().subs({k: 1, z: 3}), shown=shown))


@ledger.claim(
    "4.40",
    where="(4.40), section 4.3",
    says="So pqn/(p - q)^2 >= 9/(lambda - 1)^2.",
    assuming="lambda > 1",
)
def _variance_bound() -> Finding:
    """(4.39) is y <= lambda - 1 with y = 3 (p - q)/sqrt(pqn) > 0. For lambda > 1 both sides are
    positive, and squaring and inverting gives 1/y^2 >= 1/(lambda - 1)^2, where
    9/y^2 = pqn/(p - q)^2: an equivalence.

    For lambda <= 1 (4.39) never holds, but (4.40) can.
    """
    reach = symbolic.window_bound().subs({k: 1, z: 3}) - 1
    return in_odds(_VARIANCE, 9 / reach**2, shown=("pqn/(p - q)^2", "9/(R - 1)^2 at the end"))


@ledger.claim(
    "s4.3-variance",
    where="section 4.3, after (4.40)",
    says="The left side of (4.40) is the variance of the estimate.",
)
def _is_variance() -> Finding:
    """The estimate is (S - qn)/(p - q), so its variance is Var S/(p - q)^2; Var S = pqn for any
    number of ones.
    """
    derived = moments(symbolic.m)[1].subs(k, 1) / (1 - 2 * q) ** 2
    shown = ("pqn/(p - q)^2", "Var S/(p - q)^2")
    found = in_odds(_VARIANCE, derived, shown=shown)
    return all_of(found, in_odds(_VARIANCE, symbolic.variance().subs(k, 1), shown=shown))


@ledger.claim(
    "4.41",
    where="(4.41), section 4.3",
    says="The local bound is a lower bound on the variance: pqn/(p - q)^2 >= 9/(lambda - 1)^2.",
    assuming="lambda > 1",
)
def _variance_at_bound() -> Finding:
    """v = pq/(p - q)^2 = pq/(1 - 4pq) grows with q, so the least q that keeps (4.34) has the least
    variance.

    At the q of (4.45) the variance must be 9/(lambda - 1)^2 exactly, whatever n is.
    """
    return identity(
        9 / (lam - 1) ** 2,
        variance_at_closed_q().subs({k: 1, z: 3}),
        at={lam: 3, n: 100},
        shown=("Var >= 9/(lambda - 1)^2", "Var = 9/(lambda - 1)^2 at (4.45)"),
    )


@ledger.claim(
    "4.42",
    where="(4.42), section 4.3",
    says="sigma >= 3/(lambda - 1) = 3/(e^epsilon - 1).",
    assuming="lambda = e^epsilon > 1",
)
def _least_sigma() -> Finding:
    """The root of (4.41), with lambda = e^epsilon. n is not in it: the local bound asks for the
    same error at any n.

    The check squares the closed form of the least sigma, and takes the exact solver at
    lambda = 5/2, where it is 2.
    """
    said = 3 / (lam - 1)
    found = all_of(
        identity(said, symbolic.sigma_at_closed_q().subs({k: 1, z: 3}), at={lam: 3}, shown=_SIGMA),
        identity(said**2, variance_at_closed_q().subs({k: 1, z: 3}), at={lam: 3, n: 100}, shown=_SIGMA),
    )
    solved = local_sigma(lam=F(5, 2))
    return found if solved == 2 else Finding(ruling=Ruling.REFUTED, said=_SIGMA[0], exact=f"{solved}", witness="5/2")


_SIGMA = ("3/(lambda - 1)", "3/(lambda - 1)")


@ledger.claim(
    "4.43",
    where="(4.43), section 4.3",
    says="Again pqn/(p - q)^2 >= 9/(lambda - 1)^2.",
    assuming="lambda > 1",
)
def _variance_bound_again() -> Finding:
    """As (4.40). Here as an equivalence with (4.36), decided exactly where sqrt(pqn) is rational.

    For q = 1/5 and n = w^2 the root is 2w/5, and the ratio at the end is (1/5 + 6/(5w))
    4 + (4/5 - 6/(5w))/4.
    """
    return exhausted(
        product(range(1, 60), (F(11, 10), F(5, 4), F(2), F(4))),
        lambda case: (
            (F(4, 25) * case[0] ** 2 / F(9, 25) >= 9 / (case[1] - 1) ** 2)
            == (_r_of(case[0] ** 2, F(1, 5), F(4, 5) * case[0] ** 2 - F(6, 5) * case[0]) <= case[1])
        ),
        over="q = 1/5, n = 1, 4, ..., 59^2, lambda in {1.1, 1.25, 2, 4}",
        shown=("pqn/(p - q)^2 >= 9/(lambda - 1)^2", "R <= lambda at the end"),
        proven=True,
    )


@ledger.claim(
    "4.44",
    where="(4.44), section 4.3",
    says="(1 - q) q/(1 - 2q)^2 >= 9/((lambda - 1)^2 n).",
    assuming="lambda > 1",
)
def _in_q() -> Finding:
    """(4.43) divided by n, with p = 1 - q and p - q = 1 - 2q."""
    said = (1 - q) * q / (1 - 2 * q) ** 2
    shown = ("(1 - q) q/(1 - 2q)^2", "Var/n")
    return identity(said, symbolic.variance().subs(k, 1) / n, at={q: F(1, 5), n: 100}, shown=shown)


@ledger.claim(
    "4.45",
    where="(4.45), section 4.3",
    says="The least q with the ratio three standard deviations below the mean at most lambda.",
    assuming="k = 1, lambda > 1, 0 < q < 1/2",
)
def _closed_form() -> Finding:
    """With v = pq/(p - q)^2 the bound (4.44) is v >= c, c = 9/((lambda - 1)^2 n).

    As p + q = 1, (p - q)^2 = 1 - 4pq, so v = pq/(1 - 4pq) grows with q, and v = c is solved by
    pq = c/(1 + 4c), that is p - q = 1/sqrt(1 + 4c). Putting the printed q into v must give c back.
    """
    c = 9 / ((lam - 1) ** 2 * n)
    said = (1 - 1 / sqrt(1 + 4 * c)) / 2
    solved = symbolic.closed_q().subs({k: 1, z: 3})
    back = (q * (1 - q) / (1 - 2 * q) ** 2).subs(q, said)
    shown = ("(1 - 1/sqrt(1 + 4c))/2", "(1 - 1/sqrt(1 + 4c))/2, c = 9/((lambda - 1)^2 n)")
    met = identity(back, c, at={lam: 2, n: 1000}, shown=shown)
    return all_of(met, identity(said, solved, at={lam: 2, n: 1000}, shown=shown))


# --- the example: n = 1000, lambda = 2 ----------------------------------------------------------------------------


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
        ((n, q, ones) for n, q in product(range(1, 6), _QS) for ones in range(n)),
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
    assuming="n = 1000, lambda = 2",
    script="""
        from fractions import Fraction as F
        variance = lambda q: 1000 * q * (1 - q) / (1 - 2 * q) ** 2
        enough = F(8771, 10**6)
        assert variance(enough) >= 9  # (4.43) holds for lambda = 2 already there
        assert F(1, 3) / enough > 38
    """,
)
def _reduction() -> Finding:
    """1/3 over the q of (4.45), 0.0087640...; 37 is 0.333/0.009, the quotient of the two rounded
    numbers.
    """
    return printed("37", classical_q(lam=2).value / local_q(n=1000, lam=2).enclosure, unit="times")


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
    rounded = printed("3", elementary.sqrt(variance(KRandomization(n=1000, q=_ROUNDED))))
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
    """sqrt(2000)/3 = 14.9 by the two deviations just quoted: 15 fold."""
    classical = elementary.sqrt(variance(KRandomization(n=1000, q=classical_q(lam=2).value)))
    return printed("10", classical / local_sigma(lam=2), unit="fold")


# --- the confidence intervals -------------------------------------------------------------------------------------


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
    """1000 p -+ 3 sqrt(1000 pq). The ends printed are those of q = 0.3333, not of the q = 0.333
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
    """999 p + q -+ 3 sqrt(1000 pq). The ends printed are those of q = 0.3333, not of the q = 0.333
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
    shares = [_shift(q) for q in (F(1, 3), _ROUNDED)]
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
    left = delta(KRandomization(n=1000, q=_ROUNDED), lam=2, rtol=F(1, 1000))
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
        q, n = F(9, 1000), 1000  # the document's q, rounded up
        ratio = [F(n - s, n) * (1 - q) / q + F(s, n) * q / (1 - q) for s in range(n + 1)]
        weight = [comb(n, s) * (1 - q) ** s * q ** (n - s) for s in range(n + 1)]
        beyond = [sum(w for w, r in zip(weight, ratio) if r**sign > 2) for sign in (1, -1)]
        assert beyond[0] > F(2, 10**3) and beyond[1] > F(5, 10**2)
    """,
)
def _covered() -> Finding:
    """The exact probability that the ratio, or its reciprocal, is beyond lambda: binomial sums at
    the bound's own q.

    R > 2 exactly for S <= 982 and 1/R > 2 exactly for S >= 996. None of the readings (the ratio,
    its reciprocal, both; under D or under D_m) gives 99.98 %. Three standard deviations of a normal
    law would hold 99.87 % on one side and 99.73 % on both; the binomial at q = 0.009 is skewed,
    with a mean of only 9 lies.
    """
    found = exceedance(KRandomization(n=1000, q=local_q(n=1000, lam=2).upper), lam=2)
    here, there = (found.ratio, found.reciprocal), (found.ratio_neighbour, found.reciprocal_neighbour)
    kept = [100 - 100 * beyond for pair in (here, there) for beyond in (*pair, pair[0] + pair[1])]
    text = "{} % for the ratio, {} % for 1/R, {} % for both".format(*(rounded(value, 2) for value in kept[:3]))
    for value in kept:
        if printed("99.98", value).ruling is Ruling.HOLDS:
            return printed("99.98", value, unit="%")
    return Finding(ruling=Ruling.REFUTED, said="99.98 %", exact=text, witness=text)


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


# --- helpers ------------------------------------------------------------------------------------------------------


def _outcomes(most: int) -> Iterator[tuple[int, F, int]]:
    """(n, q, i) for n up to ``most``."""
    return ((n, q, i) for n, q in product(range(1, most + 1), _QS) for i in range(n + 1))


def _at_end(said: Expr, shown: tuple[str, str]) -> Finding:
    """What is printed against R at i = pn - 3 sqrt(pqn)."""
    return in_odds(said, symbolic.ratio(1).subs(s, _END), shown=shown)


def _all_equal(members: list[Expr], value: Expr, *, shown: tuple[str, str]) -> Finding:
    return all_of(*(in_odds(member, value, shown=shown) for member in members))


def _encloses(enclosure: Enclosure, value: Expr) -> bool:
    """Whether an irrational closed form lies in the enclosure, up to 30 digits."""
    digits = F(str(value.evalf(40)))
    slack = F(1, 10**30)
    return enclosure.lower - slack < digits < enclosure.upper + slack
