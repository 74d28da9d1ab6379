"""LOC, proof of Lemma 3: the tail of the log-likelihood ratio."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import floor, prod

from sympy import Symbol, sqrt

from dpcalc.accuracy import lemmas
from dpcalc.accuracy.lower_bound import Randomizer, crossing
from dpcalc.claims.cases import randomizers, response
from dpcalc.claims.checking import exhausted, identity, repaired
from dpcalc.claims.claim import Finding, Ledger
from dpcalc.counts.tails import binomial_at_least
from dpcalc.mechanisms.response import RandomizedResponse
from dpcalc.numbers.elementary import exp, log
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.symbolic import n

__all__ = ["ledger"]

ledger = Ledger("LOC")

_COINS = RandomizedResponse("2/7")
"""p/q = 5/2 < e: randomized response that epsilon = 1/2 allows, with likelihood ratios within e^{2 epsilon}."""
_EPSILON = Fraction(1, 2)
_LEVELS = tuple(map(Fraction, (33, 36, 40)))


@ledger.claim(
    "L3.1",
    where="Lemma 3, proof, the line tagged (1)",
    says="P_A[r(C) > e^v] = P_A[sum V_i > v].",
)
def _logarithms() -> Finding:
    """The logarithm is strictly increasing and log r = sum V_i, so the events are the same. Tried on
    every view of three messages, comparing r with e^v and its logarithm with v.
    """

    def holds(case: tuple[Randomizer, Fraction, tuple[int, ...]]) -> bool:
        randomizer, v, view = case
        factors = [randomizer.ratios(Fraction(1, 2))[c % len(randomizer.zero)] for c in view]
        whole = Fraction(1)
        for factor in factors:
            whole *= factor
        return (exp(v) < whole) == (sum(map(log, factors), Enclosure.of(0)) > v)

    cases = product(randomizers(Fraction(3)), map(Fraction, ("1/5", "1")), product(range(3), repeat=3))
    return exhausted(
        cases, holds, over="four randomizers, two v, every view of three", shown=("the same event", "the same event"),
        proven=True,
    )  # fmt: skip


@ledger.claim(
    "L3-centred",
    where="Lemma 3, proof, second line",
    says="P_A[sum V_i > v] = P_A[sum V_i - sum E V_i > v - sum E V_i].",
)
def _centred() -> Finding:
    """The same number is subtracted on both sides, so the events are the same. Tried on every view of
    three messages: the first event by r > e^v, the second by the logarithms and the means of Lemma 2.
    """
    rate = Fraction(1, 2)

    def holds(case: tuple[Randomizer, Fraction]) -> bool:
        randomizer, v = case
        ratios, mixed = randomizer.ratios(rate), randomizer.mixed(rate)
        means = 3 * lemmas.lemma_2(randomizer, rate=rate, epsilon=1).left
        plain = centred = Fraction(0)
        for view in product(range(len(ratios)), repeat=3):
            weight = prod(mixed[c] for c in view)
            plain += weight * (exp(v) < prod(ratios[c] for c in view))
            centred += weight * (sum((log(ratios[c]) for c in view), Enclosure.of(0)) - means > v - means)
        return plain == centred

    return exhausted(
        product(randomizers(Fraction(3)), map(Fraction, ("1/5", "1"))), holds,
        over="four randomizers, two v, every view of three", shown=("S > v", "the same event"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "L3.2",
    where="Lemma 3, proof, the line tagged (2)",
    says="P_A[sum V_i - sum E V_i > v - sum E V_i] <= P_A[sum V_i - sum E V_i > v - 32 alpha^2 epsilon^2].",
    script="""
        from fractions import Fraction as F
        n, epsilon, alpha, q = 400, F(1, 2), F(1, 10), F(2, 7)  # p/q = 5/2 < e
        under_A = q + alpha * (1 - 2 * q)
        mean_at_least = n * 2 * (under_A - q) ** 2  # a divergence is at least 2 (difference)^2, by Pinsker
        assert mean_at_least > 32 * alpha**2 * epsilon**2  # so v - sum E V_i < v - 32 alpha^2 epsilon^2
    """,
)
def _missing_n() -> Finding:
    """Lemma 2 bounds each of n means, so their sum is at most n 32 alpha^2 epsilon^2; the n is
    missing here and stands in the next line. Without it the inequality goes the wrong way as soon as
    the sum of the means exceeds one bound.

    The probabilities are exact: sum V_i rises with the count of ones among the reports, which is
    binomial.
    """
    people = 400
    rate = Fraction(1, 10)
    mean = lemmas.lemma_2(Randomizer.of(response(_COINS.odds)), rate=rate, epsilon=_EPSILON).left
    unit = 32 * rate**2 * _EPSILON**2

    def above(v: Fraction, shift: Fraction) -> Enclosure:
        """P_A[sum V_i > v + sum E V_i - shift]; log r is a sum of irrational logarithms, so no count
        meets it.
        """
        first = floor(crossing(_COINS, n=people, rate=rate, v=v + people * mean.lower - shift)) + 1
        last = floor(crossing(_COINS, n=people, rate=rate, v=v + people * mean.upper - shift)) + 1
        if first != last:
            raise ArithmeticError("the threshold is not certain")
        return binomial_at_least(people, Randomizer.of(response(_COINS.odds)).mixed(rate)[1], first)

    def below(v: Fraction) -> Enclosure:
        first = floor(crossing(_COINS, n=people, rate=rate, v=v)) + 1
        return binomial_at_least(people, Randomizer.of(response(_COINS.odds)).mixed(rate)[1], first)

    return repaired(
        _LEVELS, lambda v: below(v) <= above(v, unit), lambda v: below(v) <= above(v, people * unit),
        over="n = 400, epsilon = 1/2, p/q = 5/2, v = 33, 36, 40",
        shown=("v - 32 alpha^2 epsilon^2", "v - 32 n alpha^2 epsilon^2"),
        show=lambda v: f"n = 400, epsilon = 1/2, p/q = 5/2, v = {v}: {below(v):4} > {above(v, unit):4}",
    )  # fmt: skip


@ledger.claim(
    "L3.3",
    where="Lemma 3, proof, the line tagged (3)",
    says="P_A[sum V_i - sum E V_i > v - 32 n alpha^2 epsilon^2] <= exp(-2 (v - 32 n alpha^2 epsilon^2)^2/(64 n alpha^2 "
    "epsilon^2)).",
    assuming="0 < epsilon <= 1, v > 32 n alpha^2 epsilon^2",
)
def _hoeffding() -> Finding:
    """Hoeffding: independent terms in intervals of lengths w_i exceed their mean by u with
    probability at most exp(-2 u^2/sum w_i^2), and with w_i <= 8 alpha epsilon the denominator is
    64 n alpha^2 epsilon^2. The range is even less than 7.26 alpha epsilon, for all epsilon <= 1
    (see L3), so this holds although Lemma 1 is cited beyond its range; with the lower end
    -2 alpha epsilon, 8 can be 6 up to epsilon = 0.6282..., and 64 becomes 36.

    Tried on exact binomial tails for alphas that make n alpha^2 epsilon^2 small, where the
    probabilities are not.
    """

    def holds(case: tuple[int, Fraction, Fraction]) -> bool:
        people, rate, beyond = case
        scale = people * (rate * _EPSILON) ** 2
        line = lemmas.lemma_3(_COINS, n=people, rate=rate, epsilon=_EPSILON, v=32 * scale + beyond)
        wanted = exp(-2 * beyond**2 / (64 * scale))
        return line.left <= wanted

    rates = (Fraction(1, 200), Fraction(1, 50), Fraction(1, 10))
    beyond = (Fraction(1, 1000), Fraction(1, 10), Fraction(1), Fraction(5))
    return exhausted(
        product((20, 100, 400), rates, beyond), holds, over="n = 20, 100, 400, three alphas, four v",
        shown=("range 8 alpha epsilon", "range below 7.26 alpha epsilon"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "L3-cites",
    where="Lemma 3, proof, reason given for the line tagged (3)",
    says="It is Lemma 2 that bounds V_i from above and below.",
    script="""
        from fractions import Fraction as F
        n, epsilon, alpha = 10**4, 1, F(1, 100)  # 4 alpha epsilon = 1/25; two messages, one of them rare
        P_A, P_0 = (F(1, 10**6), 1 - F(1, 10**6)), (F(1, 10**9), 1 - F(1, 10**9))
        log_ratio_at_most = (P_A[0] / P_0[0] - 1, P_A[1] / P_0[1] - 1)  # log x <= x - 1
        mean_at_most = sum(a * x for a, x in zip(P_A, log_ratio_at_most))
        assert mean_at_most < 32 * alpha**2 * epsilon**2 and P_A[0] / P_0[0] == 1000 > 2  # V > log 2 > 1/25
    """,
)
def _wrong_lemma() -> Finding:
    """Lemma 2 bounds the mean, Lemma 1 the values. A message that is very rare leaves the mean small
    however large its log ratio is: for P_A = 10^-j and P_0 = 10^-j/1000 it is log 1000 = 6.9, far
    beyond 4 alpha epsilon.
    """
    rate = Fraction(1, 100)

    def said(j: int) -> bool:
        under_a, under_0 = Fraction(1, 10**j), Fraction(1, 1000 * 10**j)
        values = log(under_a / under_0), log((1 - under_a) / (1 - under_0))
        mean = under_a * values[0] + (1 - under_a) * values[1]
        return mean > 32 * rate**2 or all(-4 * rate <= v and v <= 4 * rate for v in values)

    def true(j: int) -> bool:
        lines = lemmas.lemma_1(randomizers(Fraction(3))[j % 4], rate=rate, epsilon="3/5")
        return lines[2].holds and lines[3].holds

    return repaired(
        range(2, 10), said, true, over="epsilon = 1, n = 10^4, j = 2..9", shown=("Lemma 2", "Lemma 1"),
        show=lambda j: f"P_A = 10^-{j}, P_0 = 10^-{j + 3} on one message: V = log 1000 > 4/100",
    )  # fmt: skip


@ledger.claim(
    "L3-last",
    where="Lemma 3, proof, last line",
    says="exp(-2 (v - 32 n alpha^2 epsilon^2)^2/(64 n alpha^2 epsilon^2)) = exp(-(v - 32)^2/32).",
    assuming="alpha = 1/(epsilon sqrt n)",
)
def _last() -> Finding:
    """n alpha^2 epsilon^2 = 1, and 2/64 = 1/32."""
    v, level, rate = (Symbol(name, positive=True) for name in ("v", "epsilon", "alpha"))
    scale = n * rate**2 * level**2
    exponent = (2 * (v - 32 * scale) ** 2 / (64 * scale)).subs(rate, 1 / (level * sqrt(n)))
    return identity(
        (v - 32) ** 2 / 32, exponent, at={v: 40, level: "1/2", n: 100}, shown=("exp(-(v - 32)^2/32)", "the same")
    )
