"""LOC, "Upper Bound": how far the estimate errs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from sympy import Symbol, cancel, exp, log, solve, sqrt

from dpcalc import symbolic
from dpcalc.accuracy.estimator import estimate
from dpcalc.accuracy.intervals import coverage
from dpcalc.claims.checking import exhausted, identity, repaired
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.loc.gamma import HALF, POINT, derivative, gamma, in_gamma, mean_count
from dpcalc.mechanisms.pooled_count import at_most, pmf
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers import elementary
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.symbolic import n, s, t

__all__ = ["ledger"]

ledger = Ledger("LOC")

_BIASES = (Fraction(1, 4), Fraction(1, 8), Fraction(3, 8))


@ledger.claim(
    "s-upper-hoeffding",
    where="Upper Bound, first display after the chain",
    says="The estimate of the sum errs by t or more with probability at most 2 exp(-2 n t^2).",
    assuming="n is the number N of people",
    script="""
        from fractions import Fraction as F
        estimates = {F(-1, 2): F(3, 4), F(3, 2): F(1, 4)}  # N = 1, gamma = 1/4, the bit is 0
        t = F(3, 2)
        chance = sum(P for estimate, P in estimates.items() if abs(estimate - 0) >= t)
        assert chance == F(1, 4) > 2 / F(2) ** 4 > 0 and 2 * t**2 > 4  # e > 2, so 2 exp(-2 t^2) < 2 / 2^4
    """,
)
def _hoeffding() -> Finding:
    """The bound printed is Hoeffding's for the mean k/n of n reports in [0, 1], not for the estimate.

    The estimate of the sum is n k/n stretched by 1/(2 gamma) and shifted, so its error is t when that
    of k/n is 2 gamma t/n:

        P[|estimate - T| >= t] <= 2 exp(-2 n (2 gamma t/n)^2) = 2 exp(-8 gamma^2 t^2/n).

    For the fraction, the estimate over n, it is 2 exp(-8 gamma^2 n t^2): only the notes' factor 2 n
    is then off, by (2 gamma)^2. Both are tried at every error that can occur, the probabilities being
    exact.
    """

    def bound(exponent: Fraction) -> Enclosure:
        return 2 * elementary.exp(-exponent)

    return repaired(
        _errors(),
        lambda case: case.chance <= bound(2 * case.people * case.error**2),
        lambda case: case.chance <= bound(8 * case.bias**2 * case.error**2 / case.people),
        failing=Ruling.REFUTED, over="n = 1..4, gamma = 1/8, 1/4, 3/8, every T and t",
        shown=("2 exp(-2 n t^2)", "2 exp(-8 gamma^2 t^2/n)"),
    )  # fmt: skip


@ledger.claim(
    "s-upper-t",
    where="Upper Bound, before the last display",
    says="delta = 2 exp(-2 n t^2) is solved by t = sqrt(log(1/delta)/(2 n)).",
    script="""
        from fractions import Fraction as F
        delta = F(1, 20)
        exp_of_minus_2nt2 = {"printed": delta, "log(2/delta)": delta / 2}  # exp(-log(1/delta)), exp(-log(2/delta))
        assert 2 * exp_of_minus_2nt2["printed"] != delta == 2 * exp_of_minus_2nt2["log(2/delta)"]
    """,
)
def _solved() -> Finding:
    """The factor 2 is lost: delta/2 = exp(-2 n t^2) gives t^2 = log(2/delta)/(2 n). With the t
    printed, 2 exp(-2 n t^2) is 2 delta.
    """
    delta = Symbol("delta", positive=True)
    said = sqrt(log(1 / delta) / (2 * n))
    square = Symbol("T", positive=True)
    [true] = solve(2 * exp(-2 * n * square) - delta, square)
    shown = ("t^2 = log(1/delta)/(2n)", "t^2 = log(2/delta)/(2n)")
    return identity(said**2, true, at={delta: "1/20", n: 1}, shown=shown)


@ledger.claim(
    "s-upper-confidence",
    where="Upper Bound, before the last display",
    says="With probability 1 - delta the estimate errs by at most t = sqrt(log(1/delta)/(2 n)).",
    script="""
        from fractions import Fraction as F
        delta, errors = F(1, 10), {F(1, 2): F(3, 4), F(3, 2): F(1, 4)}  # N = 1, gamma = 1/4: errors of the estimate
        log_bound = 4  # log(1/delta) < 4, as 2^4 = 16 > 10 and e > 2
        within = sum(P for error, P in errors.items() if error**2 <= F(log_bound, 2))
        assert 2**log_bound > 1 / delta and within == F(3, 4) < 1 - delta
    """,
)
def _confidence() -> Finding:
    """The interval printed is too short, by a factor of about n/(2 gamma).

    With the scale and the factor 2 put right, t = sqrt(n log(2/delta)/8)/gamma: this is the
    package's Hoeffding interval, whose exact coverage is checked to be at least 1 - delta in the same
    cases. For n = 100 the one printed holds a single outcome.
    """

    def said(case: tuple[int, Fraction, Fraction]) -> bool:
        return _within_printed(case) >= 1 - case[2]

    def true(case: tuple[int, Fraction, Fraction]) -> bool:
        people, bias, level = case
        mechanism = KRandomization.from_gamma(n=people, gamma=bias)
        return coverage(mechanism, ones=people // 2, confidence=1 - level, method="hoeffding") >= 1 - level

    cases = [(people, bias, Fraction(1, 20)) for people in (100, 10, 1) for bias in (Fraction(1, 4), Fraction(2, 5))]
    return repaired(
        cases, said, true, failing=Ruling.REFUTED, over="n = 1, 10, 100, T = n/2, delta = 1/20",
        shown=("error <= t with probability 1 - delta", "t = sqrt(n log(2/delta)/8)/gamma"),
        show=lambda case: f"n = {case[0]}, gamma = {case[1]}, delta = {case[2]}: "
        f"P[error <= t] = {Enclosure.of(_within_printed(case)):4} < {float(1 - case[2])}",
    )  # fmt: skip


@ledger.claim(
    "s-upper-order",
    where="Upper Bound, last display",
    says="With probability 1 - delta the estimate of the sum errs by O(1/sqrt N).",
    assuming="fixed delta < 1 and gamma < 1/2",
    script="""
        from fractions import Fraction as F
        from math import comb
        N, q, C = 100, F(1, 4), 1  # all bits 0: the estimate errs by 2 (k - 25)
        close = [k for k in range(N + 1) if abs(2 * (k - N * q)) <= F(C, 10)]
        assert sum(comb(N, k) * q**k * (1 - q) ** (N - k) for k in close) < F(19, 20)
    """,
)
def _order() -> Finding:
    """It is the estimate of the fraction, over n, that errs by O(1/sqrt n), and that of the sum by
    O(sqrt n).

    The estimate of the sum moves in steps of 1/(2 gamma) > 1, so once C/sqrt(n) < 1/2 at most one
    outcome lies within that of the truth; and with all bits 0 the count is binomial, no outcome of
    which has a probability above some constant over sqrt(n). So P[error <= C/sqrt(n)] tends to 0,
    whatever C is. The Hoeffding bound with the right scale gives sqrt(n) times
    sqrt(log(2/delta)/8)/gamma, here 2.7161... for delta = 1/20 and gamma = 1/4. Tried with C = 1..10
    at n = 100 C^2, all bits 0, and the fraction with 2.72.
    """

    def within(people: int, reach: Fraction) -> Enclosure:
        mechanism = KRandomization(n=people, q="1/4")
        low, high = (people / Fraction(4) + side * reach / 2 for side in (-1, 1))
        return at_most(mechanism, int(high // 1), ones=0) - at_most(mechanism, int(-(-low // 1)) - 1, ones=0)

    needed = elementary.sqrt(elementary.log(Fraction(40)).upper / 8) / Fraction(1, 4)
    enough = Fraction("2.72")
    return repaired(
        range(1, 11),
        lambda constant: within(100 * constant**2, Fraction(1, 10)) >= Fraction(19, 20),
        lambda constant: needed < enough and within(100 * constant**2, enough * 10 * constant) >= Fraction(19, 20),
        over="gamma = 1/4, all bits 0", shown=("O(1/sqrt N) for the sum", "O(sqrt N); O(1/sqrt N) for the fraction"),
        show=lambda constant: f"n = {100 * constant**2}, gamma = 1/4: P[error <= {constant}/sqrt n] = "
        f"{within(100 * constant**2, Fraction(1, 10)):6}",
    )  # fmt: skip


@ledger.claim(
    "s-upper-mse",
    where="Upper Bound, after the proof",
    says="As the estimate is unbiased, its variance is its mean squared error.",
)
def _squared_error() -> Finding:
    """E (X - T)^2 = Var X + (E X - T)^2, and the last term is 0. Here both are computed: the mean
    squared error from the first two derivatives of the generating function at 1, E S (S - 1)
    = G''(1), and the variance as the closed form p q n/(p - q)^2, that is (1 - 4 gamma^2)
    n/(16 gamma^2).
    """
    first, second = mean_count(), derivative(2)
    error = (second + first - 2 * s * first + s**2) / (2 * gamma) ** 2  # E (S - s)^2, s the count that T stands for
    said = error.subs(s, (HALF - gamma) * n + 2 * gamma * t)
    return identity(
        cancel(said), cancel(in_gamma(symbolic.variance())), at=POINT,
        shown=("variance = mean squared error", "(1 - 4 gamma^2) n/(16 gamma^2)"),
    )  # fmt: skip


@ledger.claim(
    "s-upper-point",
    where="Upper Bound, after the proof",
    says="The mean squared error is a point estimate of the error, not a confidence interval.",
)
def _point() -> Finding:
    """It is one number, from which the probability of an error does not follow: that of an error of at
    most its root differs from case to case. But Chebyshev's inequality turns it into a confidence
    interval, estimate +- sqrt(MSE/delta), which has at least the confidence 1 - delta.
    """

    def within(case: tuple[int, Fraction, int], factor: Fraction) -> Fraction:
        people, bias, ones = case
        mechanism = KRandomization.from_gamma(n=people, gamma=bias)
        errors = [(estimate(mechanism, i).value - ones, c) for i, c in enumerate(pmf(mechanism, ones=ones))]
        square = sum(Fraction(c) * error**2 for error, c in errors)
        return Fraction(sum(c for error, c in errors if error**2 <= factor * square))

    cases = [(people, bias, ones) for people in (1, 2, 10) for bias in _BIASES for ones in range(people + 1)]
    one_root = {within(case, Fraction(1)) for case in cases}
    levels = (Fraction(1, 20), Fraction(1, 4), Fraction(1, 2))
    return exhausted(
        product(cases, levels), lambda c: len(one_root) > 1 and within(c[0], 1 / c[1]) >= 1 - c[1],
        over="n = 1, 2, 10, gamma = 1/8, 1/4, 3/8, every T, delta = 1/20, 1/4, 1/2",
        shown=("no confidence interval", "one by Chebyshev: +- sqrt(MSE/delta)"),
    )  # fmt: skip


# --- helpers ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Error:
    """The exact probability that the estimate errs by ``error`` or more."""

    people: int
    bias: Fraction
    ones: int
    error: Fraction
    chance: Fraction

    def __str__(self) -> str:
        return f"n = {self.people}, gamma = {self.bias}, T = {self.ones}, t = {self.error}: probability {self.chance}"


def _errors() -> Iterator[_Error]:
    """Every error that can occur, for a few people."""
    for people, bias in product(range(1, 5), _BIASES):
        mechanism = KRandomization.from_gamma(n=people, gamma=bias)
        for ones in range(people + 1):
            chances = list(pmf(mechanism, ones=ones))
            missed = [abs(estimate(mechanism, count).value - ones) for count in range(people + 1)]
            for error in sorted(set(missed)):
                chance = sum(c for c, miss in zip(chances, missed, strict=True) if miss >= error)
                yield _Error(people, bias, ones, error, Fraction(chance))


def _within_printed(case: tuple[int, Fraction, Fraction]) -> Fraction:
    """The exact probability that the estimate errs by at most sqrt(log(1/delta)/(2 n)), half the bits
    being 1.
    """
    people, bias, level = case
    mechanism = KRandomization.from_gamma(n=people, gamma=bias)
    square = elementary.log(1 / level) / (2 * people)
    chances = enumerate(pmf(mechanism, ones=people // 2))
    return Fraction(sum(c for i, c in chances if (estimate(mechanism, i).value - people // 2) ** 2 <= square))
