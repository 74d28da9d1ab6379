"""LOC, proof of Lemma 1."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from sympy import Symbol

from dpcalc.accuracy.lemmas import lemma_1_limit
from dpcalc.accuracy.lower_bound import Randomizer
from dpcalc.claims.cases import odds_below, randomizers
from dpcalc.claims.checking import exhausted, identity, restricted
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.mechanisms.response import RandomizedResponse
from dpcalc.numbers.elementary import exp, log, sqrt
from dpcalc.numbers.enclosure import Enclosure

__all__ = ["ledger"]

ledger = Ledger("LOC")

alpha, one, zero, w = (Symbol(name, positive=True) for name in ("alpha", "P_1", "P_0", "w"))
_EPSILONS = tuple(Fraction(i, 10) for i in range(1, 11))
_RATES = (Fraction(1, 100), Fraction(1, 4), Fraction(1))


@ledger.claim(
    "L1.1",
    where="Lemma 1, proof, the line tagged (1)",
    says="r_i = (alpha P[S(1) = c_i] + (1 - alpha) P[S(0) = c_i])/P[S(0) = c_i].",
    assuming="c_i for c in the denominator, where c is the whole view",
)
def _mixture() -> Finding:
    """X_i is 1 with probability alpha, else 0, and S randomizes it: the numerator is the total
    probability of c_i. The package's ratios are compared with a sum over the joint distribution of
    bit and message, for every message.
    """

    def holds(case: tuple[Randomizer, Fraction]) -> bool:
        randomizer, rate = case
        bits = ((1 - rate, randomizer.zero), (rate, randomizer.one))
        joint = {(x, c): chance * side[c] for x, (chance, side) in enumerate(bits) for c in range(len(side))}
        messages = range(len(randomizer.zero))
        return randomizer.ratios(rate) == tuple((joint[0, c] + joint[1, c]) / randomizer.zero[c] for c in messages)

    cases = [(one, rate) for odds in (Fraction(3, 2), Fraction(7)) for one in randomizers(odds) for rate in _RATES]
    return exhausted(
        cases, holds, over="eight randomizers, three rates", shown=("(alpha P_1 + (1 - alpha) P_0)/P_0", "the same"),
        proven=True,
    )  # fmt: skip


@ledger.claim(
    "L1-mixture",
    where="Lemma 1, proof, third line of the display",
    says="(alpha P_1 + (1 - alpha) P_0)/P_0 = 1 + alpha (P_1/P_0 - 1).",
)
def _expanded() -> Finding:
    """Divide: alpha P_1/P_0 + 1 - alpha."""
    said = 1 + alpha * (one / zero - 1)
    return identity(
        said,
        (alpha * one + (1 - alpha) * zero) / zero,
        at={alpha: "1/3", one: "1/2", zero: "1/4"},
        shown=("1 + alpha (P_1/P_0 - 1)", "the same"),
    )


@ledger.claim(
    "L1-privacy",
    where="Lemma 1, proof, second display",
    says="By local privacy, e^{-2 epsilon} <= P[S(1) = c]/P[S(0) = c] <= e^{2 epsilon}.",
    assuming="epsilon-local privacy",
)
def _privacy() -> Finding:
    """The usual definition compares a person's two bits and gives e^{-epsilon} and e^epsilon, which
    is more than the line says; e^{2 epsilon} is what it gives when neighbours differ by adding or
    removing a record, as changing one is then two steps. The line is true either way. With the 2
    gone, Lemma 1 holds for every epsilon <= 1 (see L1-r-upper).
    """

    def holds(case: tuple[Fraction, Randomizer]) -> bool:
        level, randomizer = case
        ratios = [b / a for a, b in zip(randomizer.zero, randomizer.one, strict=True)]
        return all(exp(-2 * level) < exp(-level) <= x <= exp(level) < exp(2 * level) for x in ratios)

    cases = [(level, one) for level in _EPSILONS for one in randomizers(RandomizedResponse.from_epsilon(level).odds)]
    return exhausted(
        cases, holds, over="epsilon = 1/10..1, four randomizers each",
        shown=("e^(-2 epsilon)..e^(2 epsilon)", "e^-epsilon..e^epsilon, by the usual definition"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "L1-scaled",
    where="Lemma 1, proof, third display",
    says="1 + alpha (e^{-2 epsilon} - 1) <= r_i <= 1 + alpha (e^{2 epsilon} - 1).",
)
def _scaled() -> Finding:
    """w -> 1 + alpha (w - 1) rises, as alpha > 0, so it keeps the inequalities; the map is a
    polynomial of degree 1 in w with slope alpha.
    """
    rising = identity((1 + alpha * (w - 1)).diff(w), alpha, at={alpha: "1/3", w: 2}).ruling is Ruling.PROVEN

    def holds(case: tuple[Fraction, Fraction]) -> bool:
        level, rate = case
        low, high = (1 + rate * (exp(side * 2 * level) - 1) for side in (-1, 1))
        return all(low <= r <= high for one in randomizers(odds_below(2 * level)) for r in one.ratios(rate))

    return exhausted(
        product(_EPSILONS, _RATES), lambda case: rising and holds(case), over="ten epsilons, three rates",
        shown=("1 + alpha (e^(+-2 epsilon) - 1)", "the same"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "L1-exp",
    where="Lemma 1, proof, Taylor, first inequality",
    says="e^{2x} < 1 + 4x for 0 < x <= 1.",
    assuming="e^{2x} for the printed e^2 x",
    script="""
        from fractions import Fraction as F
        from math import factorial
        x = F(7, 10)
        below_e_2x = sum((2 * x) ** j / factorial(j) for j in range(8))
        assert below_e_2x > 1 + 4 * x
    """,
)
def _exponential() -> Finding:
    """e^{2x} - 1 - 4x is convex, 0 at 0 and falling there, so it is negative exactly up to its one
    positive root, x = 0.62821560..., found by bisection with certified signs. At x = 1, e^2 = 7.39
    against 5. As printed, with the exponent slipped, e^2 x < 1 + 4x would end even earlier, at 0.295.
    """
    limit = lemma_1_limit()
    points = [*_EPSILONS, *(Fraction(i, 50) for i in range(1, 51)), limit.lower, limit.upper]

    def said(x: Fraction) -> bool:
        return exp(2 * x) < 1 + 4 * x

    return restricted(
        points, said, lambda x: x <= limit.lower, sharp=True, over=f"0 < x < {limit:12}",
        shown=("0 < x <= 1", f"0 < x < {limit:12}"), show=_shown,
    )  # fmt: skip


@ledger.claim(
    "L1-exp-minus",
    where="Lemma 1, proof, Taylor, second inequality",
    says="1 - e^{-2x} < 2x for 0 < x <= 1.",
)
def _exponential_below() -> Finding:
    """e^y > 1 + y for y != 0, a convex function above its tangent at 0; y = -2x. It holds for every x
    > 0.
    """
    return exhausted(
        [Fraction(i, 50) for i in range(1, 101)], lambda x: 1 - exp(-2 * x) < 2 * x, over="x = 1/50..2",
        shown=("0 < x <= 1", "every x > 0"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "L1-log-plus",
    where="Lemma 1, proof, last sentence",
    says="log(1 + x) <= x.",
    assuming="x > -1",
)
def _logarithm() -> Finding:
    """The logarithm is concave and lies below its tangent at 1."""
    return exhausted(
        [Fraction(i, 20) for i in range(-19, 101)], lambda x: log(1 + x) <= x, over="x = -19/20..5",
        shown=("log(1 + x) <= x", "with = at 0 only"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "L1-log-minus",
    where="Lemma 1, proof, last sentence",
    says="log(1 - x) >= -2x for 0 < x <= 1/2.",
)
def _logarithm_below() -> Finding:
    """log(1 - x) + 2x is concave, 0 at x = 0 and 1 - log 2 > 0 at x = 1/2, so it is not negative
    between. It stays so up to x = 0.7968..., the root of 1 - x = e^{-2x}.
    """
    ends = log(Fraction(2)) < 1
    return exhausted(
        [Fraction(i, 100) for i in range(1, 80)], lambda x: ends and log(1 - x) >= -2 * x, over="x = 1/100..79/100",
        shown=("0 < x <= 1/2", "up to 0.79"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "L1-half",
    where="Lemma 1, proof, last sentence",
    says="log(1 - x) >= -2x gives the second line of the lemma, x = 2 alpha epsilon being in its range.",
    assuming="alpha = 1/(epsilon sqrt n), so that x = 2/sqrt(n) whatever epsilon is",
    script="""
        from fractions import Fraction as F
        n, epsilon, alpha = 4, 1, F(1, 2)  # alpha = 1/(epsilon sqrt n)
        x = 2 * alpha * epsilon
        assert x == 1 > F(1, 2) and 1 - x == 0  # log(1 - x) is minus infinity, not at least -2
    """,
)
def _granted() -> Finding:
    """x <= 1/2 asks for n >= 16, which the notes do not assume. log(1 - x) >= -2x itself is true for
    n >= 7 and false for n <= 6. The conclusion V_i >= -4 alpha epsilon needs none of this: it holds
    for every n by concavity (L1-V-lower).
    """

    def said(n: int) -> bool:
        x = 2 / sqrt(Fraction(n))
        rest = 1 - x
        return rest.lower > 0 and _log(rest) >= -2 * x

    granted = min(n for n in range(1, 101) if 2 / sqrt(Fraction(n)) <= Fraction(1, 2))
    return restricted(
        range(1, 101), said, lambda n: n >= 7, sharp=True,
        over=f"n >= {granted} (x <= 1/2); the inequality from n = 7 on",
        shown=("any n", f"n >= {granted}"), show=lambda n: f"n = {n}: x = {2 / sqrt(Fraction(n)):4}",
    )  # fmt: skip


def _log(x: Enclosure) -> Enclosure:
    return Enclosure(log(x.lower).lower, log(x.upper).upper)


def _shown(x: Fraction) -> str:
    return f"x = {x}: e^(2x) = {exp(2 * x):6}, 1 + 4x = {1 + 4 * x}"
