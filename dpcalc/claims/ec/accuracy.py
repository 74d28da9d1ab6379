"""EC, "Accuracy of this estimator": its variance, Chebyshev's inequality, and what more samples are worth.

In this document p is the probability that a secret bit x_i is 1; the lie probability is q = (1 - alpha)/2.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, prod

from sympy import Expr, Integer, Rational, simplify

from dpcalc import symbolic
from dpcalc.accuracy.estimator import variance
from dpcalc.accuracy.intervals import required_n
from dpcalc.claims.checking import exhausted, identity, repaired, restricted
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.ec.response import ALPHA, P, mean_report
from dpcalc.mechanisms.response import KRandomization

__all__ = ["ledger"]

ledger = Ledger("EC")

_HALF, _THIRD = Fraction(1, 2), Fraction(1, 3)
_SETTINGS = [(n, alpha, p) for n in (1, 2, 5) for alpha in (_THIRD, _HALF) for p in (Fraction(0), _THIRD, _HALF)]
_N = symbolic.n


@ledger.claim(
    "s-var-constant",
    where="Accuracy of this estimator, first line",
    says="Var(p-hat) = Var(1/(alpha n) sum y_i - (1 - alpha)/2 alpha).",
    assuming="0 < alpha < 1",
)
def _constant() -> Finding:
    """A constant adds nothing to a variance, so the line is true whether (1 - alpha)/2 alpha is read as
    (1 - alpha)/(2 alpha), the constant of p-hat, or from left to right as alpha (1 - alpha)/2.

    The brackets are needed for p-hat itself, and the display of p-hat has them. Tried with both.
    """

    def holds(case: tuple[Fraction, tuple[Fraction, ...]]) -> bool:
        values, alpha = _estimates(*case), case[0]
        moved = (1 - alpha) / (2 * alpha) - alpha * (1 - alpha) / 2
        left_to_right = [(value + moved, weight) for value, weight in values]
        return _mean(left_to_right) == _mean(values) + moved and _square_mean(left_to_right) == _variance(values)

    cases = [(alpha, chances) for alpha in (_THIRD, _HALF) for n in (1, 2, 3) for chances in _report_chances(alpha, n)]
    return exhausted(
        cases, holds, over="n = 1 to 3 persons, x_i fixed or drawn, every report, both readings",
        shown=("Var(... - (1 - alpha)/2 alpha)", "Var(p-hat), with any constant"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-var-sum",
    where="Accuracy of this estimator, second line",
    says="Var(p-hat) = 1/(alpha^2 n^2) sum Var(y_i).",
    assuming="the y_i are independent (not said), the x_i fixed or drawn",
)
def _sum_of_variances() -> Finding:
    """A constant adds nothing, a factor is squared, and variances of uncorrelated y_i add up.

    Otherwise covariances come in: were all y_i one and the same bit, it would be n times this.
    """
    cases = [(alpha, chances) for alpha in (_THIRD, _HALF) for n in (1, 2, 3) for chances in _report_chances(alpha, n)]
    return exhausted(
        cases, lambda c: _variance(_estimates(*c)) == sum(w * (1 - w) for w in c[1]) / (c[0] * len(c[1])) ** 2,
        over="n = 1 to 3 persons, x_i fixed or drawn, every report",
        shown=("1/(alpha^2 n^2) sum Var(y_i)", "1/(alpha^2 n^2) sum Var(y_i)"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-var-1",
    where="Accuracy of this estimator, remark in the display",
    says="Var(y_i) is at most 1.",
)
def _report_variance() -> Finding:
    """With w = P[y_i = 1] it is w (1 - w) = 1/4 - (w - 1/2)^2 <= 1/4, a quarter of the bound."""
    w = mean_report()
    left = Rational(3, 4) + (w - Rational(1, 2)) ** 2
    return _at_most(Integer(1), w * (1 - w), left=left, shown=("Var(y_i) <= 1", "Var(y_i) <= 1/4"))


@ledger.claim(
    "s-var-bound",
    where="Accuracy of this estimator, third line",
    says="Var(p-hat) is at most 1/(alpha^2 n).",
    assuming="the y_i are independent, the x_i drawn with probability p",
)
def _bound() -> Finding:
    """Exactly, Var(p-hat) = 1/(4 alpha^2 n) - (p - 1/2)^2/n.

    The reports' noise is (1 - alpha^2)/(4 alpha^2 n), and drawing the x_i adds p (1 - p)/n.

    What is left to the bound is 3/(4 alpha^2 n) + (p - 1/2)^2/n > 0.
    """
    noise = symbolic.variance().subs({symbolic.k: 1, symbolic.q: (1 - ALPHA) / 2}) / _N**2
    found = _at_most(
        1 / (ALPHA**2 * _N), noise + P * (1 - P) / _N,
        left=3 / (4 * ALPHA**2 * _N) + (P - Rational(1, 2)) ** 2 / _N,
        shown=("1/(alpha^2 n)", "1/(4 alpha^2 n) - (p - 1/2)^2/n"),
    )  # fmt: skip
    tried = exhausted(
        _SETTINGS, lambda c: _variance(_counted(*c)) == _spread(*c) <= 1 / (c[1] ** 2 * c[0]),
        over="n = 1, 2, 5, alpha = 1/3, 1/2, p = 0, 1/3, 1/2", shown=("1/(alpha^2 n)", "by enumeration"),
    )  # fmt: skip
    return found if tried.ruling is Ruling.HOLDS else tried


@ledger.claim(
    "s-chebyshev",
    where="Accuracy of this estimator, Chebyshev",
    says="P[|p-hat - p| >= epsilon] is at most Var(p-hat)/epsilon^2.",
    assuming="epsilon > 0",
)
def _chebyshev() -> Finding:
    """(p-hat - p)^2/epsilon^2 is at least 1 where |p-hat - p| >= epsilon, and at least 0 elsewhere.

    So its mean is at least the probability; it is Var(p-hat)/epsilon^2, as E p-hat = p.
    """
    errors = (Fraction(1, 5), _HALF, Fraction(1))
    return exhausted(
        product(_SETTINGS, errors), lambda c: _mean(_counted(*c[0])) == c[0][2]
        and sum(w for e, w in _counted(*c[0]) if abs(e - c[0][2]) >= c[1]) <= _spread(*c[0]) / c[1] ** 2,
        over="n = 1, 2, 5, alpha = 1/3, 1/2, p = 0, 1/3, 1/2, epsilon = 1/5, 1/2, 1",
        shown=("Var(p-hat)/epsilon^2", "Var(p-hat)/epsilon^2"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-linear",
    where="Accuracy of this estimator, 'So linear'",
    says="The bound is linear in the number of samples.",
    script="""
        from fractions import Fraction as F
        bound = lambda n: F(1) / (F(1, 2) ** 2 * n * F(1, 10) ** 2)  # alpha = 1/2, epsilon = 1/10
        assert bound(2000) == bound(1000) / 2 != bound(1000) * 2
    """,
)
def _linear() -> Finding:
    """1/(alpha^2 epsilon^2 n) is inversely proportional to n; what is linear in n is its reciprocal."""
    samples = [(n, factor) for n in (1, 2, 5, 100) for factor in (2, 3, 10)]
    return repaired(
        samples, lambda c: _spread(c[0] * c[1], _HALF, _THIRD) == c[1] * _spread(c[0], _HALF, _THIRD),
        lambda c: c[1] * _spread(c[0] * c[1], _HALF, _THIRD) == _spread(c[0], _HALF, _THIRD),
        over="n = 1 to 100, 2 to 10 times as many samples", shown=("linear in n", "proportional to 1/n"),
        show=lambda c: f"{c[1]} times as many samples as n = {c[0]}: 1/{c[1]} of the bound",
    )  # fmt: skip


@ledger.claim(
    "s-accuracy",
    where="Accuracy of this estimator, last sentence",
    says="With alpha fixed the estimator becomes more accurate in proportion 1/n.",
    assuming="accuracy measured by a power of the standard deviation of p-hat: 2 is the variance, 1 the error",
    script="""
        from fractions import Fraction as F
        var = lambda n: F(1) / (4 * F(1, 2) ** 2 * n)  # Var(p-hat) at alpha = p = 1/2
        assert var(4) == F(1, 4) ** 1 * var(1)  # the variance: four times the samples, a quarter
        assert var(4) / var(1) == F(1, 2) ** 2 != F(1, 4) ** 2  # the error: a half, not a quarter
    """,
)
def _accuracy() -> Finding:
    """The variance, and with it Chebyshev's bound, falls as 1/n; the error, its root, as 1/sqrt(n).

    Half the error takes four times the samples. (The probability of a fixed error falls
    exponentially: Hoeffding.) Tried with the variance by enumeration: of the power u of the standard
    deviation, c n samples leave 1/c if the variance ratio to the power u/2 is 1/c, that is to the
    power u, 1/c^2.
    """
    root = simplify(symbolic.sigma().subs(_N, 4 * _N) / (4 * _N) / (symbolic.sigma() / _N))
    whole, half = (required_n(error=e, confidence="0.95", q="1/4", method="chebyshev") for e in ("0.1", "0.05"))
    if half != 4 * whole or root != Rational(1, 2):
        raise ArithmeticError(f"samples for an error and for half of it: {whole}, {half}; four times as many: {root}")

    def left(case: _Growth) -> Fraction:
        power, factor, (n, alpha, p) = case
        return (_variance(_counted(factor * n, alpha, p)) / _variance(_counted(n, alpha, p))) ** power

    return restricted(
        product((2, 1), (4, 2, 3), _SETTINGS), lambda case: left(case) == Fraction(1, case[1] ** 2),
        lambda case: case[0] == 2, sharp=True,
        over="the variance and Chebyshev's bound", shown=("proportion 1/n", "variance 1/n, error 1/sqrt(n)"),
        show=lambda case: f"{case[1]} n samples, n = {case[2][0]}: the error's square is {left(case)} of that with n",
    )  # fmt: skip


_Growth = tuple[int, int, tuple[int, Fraction, Fraction]]
_Weighted = list[tuple[Fraction, Fraction]]


def _at_most(bound: Expr, value: Expr, *, left: Expr, shown: tuple[str, str]) -> Finding:
    """Proven if ``bound - value`` is ``left``, a sum of positive terms."""
    return identity(bound - value, left, at={ALPHA: Rational(1, 3), P: Rational(1, 5), _N: 7}, shown=shown)


def _report_chances(alpha: Fraction, n: int) -> list[tuple[Fraction, ...]]:
    """P[y_i = 1] of n persons: every fixed vector of bits, and bits drawn with probability 1/3."""
    q = (1 - alpha) / 2
    fixed = [tuple(q + alpha * x for x in bits) for bits in product((0, 1), repeat=n)]
    return [*fixed, (q + alpha * _THIRD,) * n]


def _estimates(alpha: Fraction, chances: tuple[Fraction, ...]) -> _Weighted:
    """Every value of p-hat with its probability, report by report."""
    n = len(chances)
    return [
        ((Fraction(sum(y), n) - (1 - alpha) / 2) / alpha,
         prod((w if bit else 1 - w for w, bit in zip(chances, y, strict=True)), start=Fraction(1)))
        for y in product((0, 1), repeat=n)
    ]  # fmt: skip


def _counted(n: int, alpha: Fraction, p: Fraction) -> _Weighted:
    """Every value of p-hat with its probability, Y being binomial."""
    w = alpha * p + (1 - alpha) / 2
    return [
        ((Fraction(y, n) - (1 - alpha) / 2) / alpha, comb(n, y) * w**y * (1 - w) ** (n - y)) for y in range(n + 1)
    ]  # fmt: skip


def _mean(values: _Weighted) -> Fraction:
    return sum((value * weight for value, weight in values), Fraction(0))


def _variance(values: _Weighted) -> Fraction:
    middle = _mean(values)
    return sum((weight * (value - middle) ** 2 for value, weight in values), Fraction(0))


def _square_mean(values: _Weighted) -> Fraction:
    """The variance as E Z^2 - (E Z)^2."""
    return sum((weight * value**2 for value, weight in values), Fraction(0)) - _mean(values) ** 2


def _spread(n: int, alpha: Fraction, p: Fraction) -> Fraction:
    """Var(p-hat), as dpcalc has it."""
    return variance(KRandomization.from_alpha(n=n, alpha=alpha), fraction=p) / n**2
