"""EC, "Randomised response": the protocol with parameter alpha, and the estimator of p.

In this document p is the probability that a secret bit x_i is 1; the lie probability is q = (1 - alpha)/2.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from math import prod

from sympy import Expr, IndexedBase, Rational, Symbol, cancel, diff, expand, symbols

from dpcalc import symbolic
from dpcalc.accuracy.estimator import estimate, variance
from dpcalc.claims.checking import all_of, equal, exhausted, identity
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.mechanisms.finite import FiniteMechanism
from dpcalc.mechanisms.mixture import two_coins
from dpcalc.mechanisms.response import KRandomization, RandomizedResponse

__all__ = ["ALPHA", "P", "ledger", "mean_report"]

ledger = Ledger("EC")

ALPHA, P = symbols("alpha p", positive=True)
_Y = Symbol("Y")
_LIE = {symbolic.k: 1, symbolic.q: (1 - ALPHA) / 2}
_HALF = Fraction(1, 2)
_ALPHAS = [Fraction(i, 6) for i in range(1, 6)]


# --- the protocol -------------------------------------------------------------------------------------------------


@ledger.claim(
    "s-deniability",
    where="Randomised response, 'Idea'",
    says="Randomization adds deniability.",
    assuming="alpha < 1",
)
def _deniability() -> Finding:
    """Either answer is possible whatever the truth: the less likely one has chance (1 - alpha)/2 > 0.

    So an answer changes the odds on x_i by (1 + alpha)/(1 - alpha) at most. With alpha = 1 an answer
    is proof.
    """
    return exhausted(
        [Fraction(0), *_ALPHAS], lambda alpha: min(map(min, _rows(alpha))) == (1 - alpha) / 2 > 0,
        over="alpha = 0 to 5/6", shown=("deniability", "P[y_i = y] >= (1 - alpha)/2"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-flip",
    where="Randomised response, 'Flip bit'",
    says="A flipped bit decides between the actual answer and a new random bit: an instance of y_i below.",
)
def _flip() -> Finding:
    """Both coins are fair: alpha = 1/2, and the answer is actual with probability 1/2 + 1/2 * 1/2 = 3/4."""
    coins = two_coins().matrix
    return exhausted(
        product((0, 1), repeat=2), lambda c: _tossed(*c) == _rows(_HALF)[c[0]][c[1]] == coins[c[0]][c[1]],
        over="two fair coins, both values, both answers", shown=("0: actual, 1: random", "alpha = 1/2"),
    )  # fmt: skip


@ledger.claim(
    "s-y",
    where="Randomised response, 'Formal'",
    says="y_i is x_i with probability alpha, and a uniform bit r_i otherwise.",
)
def _report() -> Finding:
    """The report lies if r_i is used and is not x_i: with probability q = (1 - alpha)/2, for any x_i."""
    return exhausted(
        product(_ALPHAS, (0, 1)), lambda c: _rows(c[0])[c[1]][1 - c[1]] == RandomizedResponse.from_alpha(c[0]).q,
        over="alpha = 1/6 to 5/6, both values", shown=("x_i or r_i", "q = (1 - alpha)/2"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-alpha-0",
    where="Randomised response, 'alpha = 0'",
    says="alpha = 0 is full privacy.",
)
def _full_privacy() -> Finding:
    """Every report is a fair coin, for both values: (0, 0)-private. Nothing can be estimated, then."""
    mechanism = FiniteMechanism(_rows(Fraction(0)))
    shown = ("full privacy", f"lambda = {mechanism.lam()}, delta = {mechanism.delta(lam=1)}")
    return equal((1, 0), (mechanism.lam(), mechanism.delta(lam=1).value), shown=shown, proven=True)


@ledger.claim(
    "s-alpha-1",
    where="Randomised response, 'alpha = 1'",
    says="alpha = 1 is full utility.",
)
def _full_utility() -> Finding:
    """Every report is the value itself, so p-hat is the fraction of ones among the n persons.

    The variance that the reports add is 0 at q = 0. There is no privacy: delta = 1.
    """
    noise = symbolic.variance().subs(_LIE).subs(ALPHA, 1)
    fraction = (symbolic.estimate().subs(_LIE) / symbolic.n).subs(ALPHA, 1)
    leak = FiniteMechanism(_rows(Fraction(1))).delta(lam=10**9)
    if noise != 0 or leak != 1:
        return equal((0, 1), (noise, leak))
    return identity(symbolic.s / symbolic.n, fraction, at={symbolic.s: 5, symbolic.n: 9},
                    shown=("full utility", "p-hat = share of ones"))  # fmt: skip


@ledger.claim(
    "s-tradeoff",
    where="Randomised response, 'Allows'",
    says="alpha trades privacy for utility.",
)
def _tradeoff() -> Finding:
    """lambda = (1 + alpha)/(1 - alpha), that is epsilon = ln of it, grows with alpha: less privacy.

    Its derivative is 2/(1 - alpha)^2 > 0. The variance of p-hat, 1/(4 alpha^2 n) - (p - 1/2)^2/n, has
    the derivative -1/(2 alpha^3 n) < 0: more utility.
    """
    ratio = (1 + ALPHA) / (1 - ALPHA)
    spread = symbolic.variance().subs(_LIE) / symbolic.n**2 + P * (1 - P) / symbolic.n
    signs = (diff(ratio, ALPHA) - 2 / (1 - ALPHA) ** 2, diff(spread, ALPHA) + 1 / (2 * ALPHA**3 * symbolic.n))
    if any(cancel(sign) != 0 for sign in signs):
        raise ArithmeticError(f"another derivative: {signs}")
    return exhausted(
        pairwise(_ALPHAS), lambda c: _leak(c[0]) < _leak(c[1]) and _spread(c[0]) > _spread(c[1]),
        over="alpha = 1/6 to 5/6, neighbouring values",
        shown=("tradeoff", "lambda = (1 + alpha)/(1 - alpha) grows, Var falls"), proven=True,
    )  # fmt: skip


# --- the estimator ------------------------------------------------------------------------------------------------


@ledger.claim(
    "s-mean-x",
    where="Randomised response, 'E[x_i] = p'",
    says="If x_i is 1 with probability p, then E[x_i] = p.",
)
def _mean_secret() -> Finding:
    """1 * p + 0 * (1 - p). Computed as the mean share of ones over all values of three secrets."""
    vectors = list(product(_bit(P), repeat=3))
    total = sum(prod(chance for _, chance in v) * sum(x for x, _ in v) for v in vectors)
    return identity(P, expand(total / 3), at={P: Rational(1, 3)}, shown=("p", "p"))


@ledger.claim(
    "s-mean-y-step",
    where="Randomised response, the line of E[y_i], middle",
    says="E[y_i] = alpha E[x_i] + (1 - alpha) E[y_i].",
    script="""
        from fractions import Fraction as F
        alpha, p = F(1, 2), F(1)
        Ex, Er, Ey = p, F(1, 2), alpha * p + (1 - alpha) * F(1, 2)
        assert Ey == F(3, 4) == alpha * Ex + (1 - alpha) * Er != alpha * Ex + (1 - alpha) * Ey
    """,
)
def _mean_step() -> Finding:
    """E[r_i] = 1/2 is meant, as on the right of the line. As written, E[y_i] = E[x_i] would follow."""
    mean_bit = sum(r * chance for r, chance in _bit(Rational(1, 2)))
    right = identity(ALPHA * P + (1 - ALPHA) * mean_bit, mean_report(), at={ALPHA: Rational(1, 2), P: 1})
    if right.ruling is not Ruling.PROVEN:
        raise ArithmeticError("the line is not right with E[r_i] either")
    return identity(
        ALPHA * P + (1 - ALPHA) * mean_report(), mean_report(), at={ALPHA: Rational(1, 2), P: 1},
        shown=("alpha E[x_i] + (1 - alpha) E[y_i]", "alpha E[x_i] + (1 - alpha) E[r_i]"),
    )  # fmt: skip


@ledger.claim(
    "s-mean-y",
    where="Randomised response, the line of E[y_i], right",
    says="E[y_i] = alpha p + (1 - alpha)/2.",
)
def _mean_report() -> Finding:
    """The mean over x_i, over the choice, and over r_i: eight cases."""
    return identity(ALPHA * P + (1 - ALPHA) / 2, mean_report(), at={ALPHA: Rational(1, 3), P: Rational(1, 5)},
                    shown=("alpha p + (1 - alpha)/2", "alpha p + (1 - alpha)/2"))  # fmt: skip


@ledger.claim(
    "s-p",
    where="Randomised response, 'p ='",
    says="p = (E[y_i] - (1 - alpha)/2)/alpha.",
    assuming="alpha > 0",
)
def _solved() -> Finding:
    """The line before, solved for p. With alpha = 0 the reports say nothing about p: no solution."""
    return identity(
        (mean_report() - (1 - ALPHA) / 2) / ALPHA, P, at={ALPHA: Rational(1, 3), P: Rational(1, 5)},
        shown=("(E[y_i] - (1 - alpha)/2)/alpha", "p"),
    )  # fmt: skip


@ledger.claim(
    "s-p-hat",
    where="Randomised response, p-hat, first form",
    says="p-hat = (Y/n - (1 - alpha)/2)/alpha estimates p.",
    assuming="alpha > 0",
)
def _estimator() -> Finding:
    """Y/n in the place of E[y_i]: unbiased, as E[Y]/n = E[y_i] and p-hat is linear in Y.

    It is T-hat/n, T-hat = (s - q k n)/(k (p - q)) being K16's estimate with s = Y, k = 1 and the lie
    probability q = (1 - alpha)/2. It may lie outside [0, 1].
    """
    said = (_Y / symbolic.n - (1 - ALPHA) / 2) / ALPHA
    point = {_Y: 7, symbolic.n: 11, ALPHA: Rational(1, 3)}
    mean = identity(said.subs(_Y, symbolic.n * mean_report()), P, at={symbolic.n: 5, ALPHA: Rational(1, 3), P: 1})
    same = identity(said, symbolic.estimate().subs(_LIE).subs(symbolic.s, _Y) / symbolic.n, at=point,
                    shown=("(Y/n - (1 - alpha)/2)/alpha", "T-hat/n, unbiased"))  # fmt: skip
    return all_of(mean, same)


@ledger.claim(
    "s-p-hat-expanded",
    where="Randomised response, p-hat, second and third form",
    says="p-hat = 1/(alpha n) sum y_i - (1 - alpha)/(2 alpha).",
    assuming="alpha > 0",
)
def _expanded() -> Finding:
    """The first form multiplied out, Y being the sum; all three are the same, for bits y_i of any value."""
    y = IndexedBase("y")
    total = sum(y[i] for i in range(1, 5))
    point = {ALPHA: Rational(1, 3), y[1]: 1, y[2]: 0, y[3]: 1, y[4]: 1}
    first = symbolic.estimate().subs(_LIE).subs({symbolic.s: total, symbolic.n: 4}) / 4
    second = identity((total / 4 - (1 - ALPHA) / 2) / ALPHA, first, at=point)
    third = identity(total / (ALPHA * 4) - (1 - ALPHA) / (2 * ALPHA), first, at=point,
                     shown=("1/(alpha n) sum y_i - (1 - alpha)/(2 alpha)", "(Y/n - (1 - alpha)/2)/alpha"))  # fmt: skip
    return all_of(second, third)


@ledger.claim(
    "s-experiment",
    where="Randomised response, 'Experiment'",
    says="With alpha = 1/2, 9 answers 0 and 9 answers 1 (n = 18), p-hat = 1/2.",
)
def _experiment() -> Finding:
    """(9/18 - 1/4)/(1/2) = 1/2."""
    answers = [0] * 9 + [1] * 9
    found = estimate(KRandomization.from_alpha(n=len(answers), alpha=_HALF), sum(answers))
    return equal(_HALF, found.fraction, over="the experiment")


def mean_report() -> Expr:
    """E[y_i], by enumeration of the secret bit, of the choice and of the random bit."""
    cases = product(_bit(P), _bit(ALPHA), _bit(Rational(1, 2)))
    return expand(sum(p_x * p_true * p_r * (x if truthful else r) for (x, p_x), (truthful, p_true), (r, p_r) in cases))


def _bit(chance: Expr) -> tuple[tuple[int, Expr], tuple[int, Expr]]:
    """The values of a bit with their probabilities."""
    return (1, chance), (0, 1 - chance)


def _rows(alpha: Fraction) -> list[list[Fraction]]:
    """P[y_i = y | x_i = x], by enumeration of the choice and of r_i."""
    return [[alpha * (x == y) + sum((1 - alpha) * _HALF for r in (0, 1) if r == y) for y in (0, 1)] for x in (0, 1)]


def _tossed(x: int, y: int) -> Fraction:
    """P[answer y | x], by tossing: a first coin 0 demands the actual answer, else the second one is the answer."""
    tosses = list(product((0, 1), repeat=2))
    return Fraction(sum((second if first else x) == y for first, second in tosses), len(tosses))


def _leak(alpha: Fraction) -> Fraction:
    """The least lambda of one report, (1 + alpha)/(1 - alpha) if that is what the mechanism has."""
    least = FiniteMechanism(_rows(alpha)).lam()
    if least != (1 + alpha) / (1 - alpha) or least != RandomizedResponse.from_alpha(alpha).odds:
        raise ArithmeticError(f"lambda = {least} at alpha = {alpha}")
    return least


def _spread(alpha: Fraction) -> Fraction:
    """The variance of p-hat of 5 persons with p = 1/3."""
    return variance(KRandomization.from_alpha(n=5, alpha=alpha), fraction="1/3") / 25
