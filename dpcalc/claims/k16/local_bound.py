"""K16, section 4.3: the ratio three standard deviations below the mean, and the local bound on q."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

from sympy import Expr, cancel, sqrt

from dpcalc import symbolic
from dpcalc.choose.local import local_q, local_sigma
from dpcalc.claims.checking import all_of, exhausted, identity
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.k16.forms import (
    ROUNDED_Q,
    in_odds,
    moments,
    p,
    ratio_of_ones,
    rounded,
    variance_at_closed_q,
)
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.privacy.ratio import ratio
from dpcalc.symbolic import k, lam, n, q, s, z

__all__ = ["ledger"]

ledger = Ledger("K16")

_END = p * n - 3 * sqrt(p * q * n)
_VARIANCE = p * q * n / (p - q) ** 2


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
        lambda case: _within_end(*case, ratio_of_ones(*case)),
        over="every whole outcome in the window of 12 pairs n, q",
        shown=("largest at i = pn - 3 sigma", "largest at i = pn - 3 sigma"),
        proven=True,
    )


_PLACES = tuple(product((10, 36, 100, 1000), (ROUNDED_Q, F(1, 10), F(1, 3))))


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
    """The reciprocal of the ratio counts as well, and it is worse at the other end of the window.

    With y = 3 (p - q)/sqrt(pqn) the ratio is 1 + y at the low end and its reciprocal
    1/(1 - y) > 1 + y at the high end: 1 - y^2 < 1. The reciprocal is what the pair (D, D_m) shows
    in the other order, and section 3 asks for both.

    With both, y <= 1 - 1/lambda: (4.45) with 1 - 1/lambda for lambda - 1. Where pn + 3 sigma > n
    the window ends at n, with reciprocal p/q. The check looks at the whole outcomes and compares
    the two least q for lambda = 2, n = 1000.
    """
    n_, ends = 1000, [i for i in range(1001) if _inside(1000, ROUNDED_Q, i)]
    low, high = ratio_of_ones(n_, ROUNDED_Q, ends[0]), 1 / ratio_of_ones(n_, ROUNDED_Q, ends[-1])
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
            ratio_of_ones(case[0], case[1], i) == ratio(KRandomization(n=case[0], q=case[1]), i) <= case[2]
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
            == (ratio_of_ones(case[0] ** 2, F(1, 5), F(4, 5) * case[0] ** 2 - F(6, 5) * case[0]) <= case[1])
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
    """(4.43) divided by n, with p = 1 - q and p - q = 1 - 2q.

    The check decides the equivalence with (4.36), R <= lambda at the end of the window, exactly: for
    q = 1/(1 + r^2) and n = w^2 the end is pn - 3 sqrt(pqn) = (r^2 w^2 - 3 r w)/(1 + r^2).
    """

    def holds(case: tuple[int, int, F]) -> bool:
        r, w, limit = case
        lie, end = F(1, 1 + r**2), F(r**2 * w**2 - 3 * r * w, 1 + r**2)
        said = (1 - lie) * lie / (1 - 2 * lie) ** 2 >= 9 / ((limit - 1) ** 2 * w**2)
        return said == (ratio_of_ones(w**2, lie, end) <= limit)

    return exhausted(
        product((2, 3, 5, 10), range(1, 40), (F(11, 10), F(5, 4), F(2), F(4))), holds,
        over="q = 1/5, 1/10, 1/26, 1/101, n = 1, 4, ..., 39^2, lambda in {1.1, 1.25, 2, 4}",
        shown=("(1 - q) q/(1 - 2q)^2 >= 9/((lambda - 1)^2 n)", "R <= lambda at the end"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "4.45",
    where="(4.45), section 4.3",
    says="With c = 9/((lambda-1)^2 n) the bound is q >= (1 - 1/sqrt(1+4c))/2.",
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


# --- helpers ------------------------------------------------------------------------------------------------------


def _at_end(said: Expr, shown: tuple[str, str]) -> Finding:
    """What is printed against R at i = pn - 3 sqrt(pqn)."""
    return in_odds(said, symbolic.ratio(1).subs(s, _END), shown=shown)


def _encloses(enclosure: Enclosure, value: Expr) -> bool:
    """Whether an irrational closed form lies in the enclosure, up to 30 digits."""
    digits = F(str(value.evalf(40)))
    slack = F(1, 10**30)
    return enclosure.lower - slack < digits < enclosure.upper + slack
