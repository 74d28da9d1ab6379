"""LOC, step 2, Case I: protocols that seldom answer 1 on inputs from A."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import comb, prod

from dpcalc.accuracy.lemmas import loc_rate
from dpcalc.accuracy.lower_bound import Randomizer, barrier
from dpcalc.claims.cases import distributions, response
from dpcalc.claims.checking import exhausted, repaired
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.counts.pmf import coefficients
from dpcalc.counts.tails import binomial_at_most
from dpcalc.mechanisms.pooled_count import pmf
from dpcalc.mechanisms.response import KRandomization, RandomizedResponse
from dpcalc.numbers import elementary

__all__ = ["ledger"]

ledger = Ledger("LOC")


@ledger.claim(
    "s-caseI-complement",
    where="Case I, first paragraph",
    says="The complement of 'sum >= tau and answer 0' is 'sum <= tau or answer 1'.",
    assuming="tau for the notes' O(sqrt n), an order: whether tau itself belongs to it is left open",
)
def _complement() -> Finding:
    """Not (sum >= tau and answer 0) is: sum < tau or answer 1. With <= the event is larger by the sum
    tau itself with answer 0, which an order of magnitude does not settle, and the upper bound for its
    probability, all that is used, stands. Tried: what is printed contains the complement, and exceeds
    it by nothing else.
    """

    def holds(case: tuple[int, int, int]) -> bool:
        tau, total, answer = case
        error = total >= tau and answer == 0
        printed = total <= tau or answer == 1
        return (printed or error) and (printed and error) == (total == tau and answer == 0)

    return exhausted(
        product(range(1, 5), range(9), (0, 1)), holds, over="tau = 1..4, sums 0..8, both answers",
        shown=("sum <= tau or answer 1", "sum < tau or answer 1: contained in it"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-caseI-union",
    where="Case I, first line of the display",
    says="P_A[E^c] <= P_A[D] + P_A[sum X_i <= tau].",
)
def _union() -> Finding:
    """E^c is contained in the union of the two events on the right, for every curator. Tried for
    every curator of four people's randomized response that looks at the count only (32 of them),
    P_A[E^c] being summed from its definition.
    """

    def holds(case: tuple[Fraction, int, tuple[int, ...]]) -> bool:
        rate, tau, answers = case
        right = _answering_one(_PEOPLE, rate, answers) + binomial_at_most(_PEOPLE, rate, tau)
        return 1 - _erring(_PEOPLE, rate, tau, answers) <= right

    rates = (Fraction(1, 2), Fraction(1, 5), Fraction(9, 10))
    return exhausted(
        product(rates, (1, 2), product((0, 1), repeat=_PEOPLE + 1)), holds,
        over="n = 4, p/q = 3, alpha = 1/5, 1/2, 9/10, tau = 1, 2, every curator",
        shown=("P[D] + P[sum <= tau]", "an upper bound"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-caseI-zero",
    where="Case I, second line of the display",
    says="P_A[E^c] <= p + 0.",
    assuming="P_A[D] < p",
    script="""
        from fractions import Fraction as F
        n, epsilon, p = 4, 1, F(1, 20)
        alpha, tau = F(1, 2), 1  # 1/(epsilon sqrt n) and n alpha/2; the protocol always answers 0, so P[D] = 0 < p
        E_c = (1 - alpha) ** n  # the sum is below tau
        assert E_c == F(1, 16) > p + 0
    """,
)
def _not_zero() -> Finding:
    """The term dropped is P[sum <= tau] <= exp(-sqrt(n)/(8 epsilon)): positive for every n, so it has
    to be carried along, P_A[E^c] < p + exp(-sqrt(n)/(8 epsilon)). Tried with the protocol that always
    answers 0, for which E^c is 'the sum is below tau'.
    """

    def missed(case: tuple[int, Fraction]) -> Fraction:
        people, rate, tau = _setting(case[0])
        return 1 - _erring(people, rate, tau, (0,) * (people + 1))

    return repaired(
        product((4, 16, 36, 64), (Fraction(1, 20), Fraction(1, 2))), lambda case: missed(case) <= case[1],
        lambda case: missed(case) <= case[1] + elementary.exp(-elementary.sqrt(Fraction(case[0])).value / 8),
        over="epsilon = 1, n = 4..64, p = 1/20, 1/2, always answering 0",
        shown=("p + 0", "p + exp(-sqrt(n)/(8 epsilon))"),
        show=lambda case: f"n = {case[0]}, epsilon = 1, p = {case[1]}: P_A[E^c] = {missed(case)}",
    )  # fmt: skip


@ledger.claim(
    "s-caseI-error",
    where="Case I, after the display",
    says="P_A[E] >= 1 - p.",
    assuming="P_A[D] < p",
    script="""
        from fractions import Fraction as F
        n, p, alpha = 4, F(1, 20), F(1, 2)  # epsilon = 1, tau = 1; the protocol always answers 0, so P[D] = 0 < p
        E = 1 - (1 - alpha) ** n  # the sum is at least tau
        assert E == F(15, 16) < 1 - p
    """,
)
def _error_floor() -> Finding:
    """The Chernoff term is missing, as in the line before: P_A[E] >= 1 - p - exp(-sqrt(n)/(8
    epsilon)). With 1 - p alone, E is a little less likely.
    """

    def erring(case: tuple[int, Fraction]) -> Fraction:
        people, rate, tau = _setting(case[0])
        return _erring(people, rate, tau, (0,) * (people + 1))

    return repaired(
        product((4, 16, 36, 64), (Fraction(1, 20), Fraction(1, 2))), lambda case: erring(case) >= 1 - case[1],
        lambda case: erring(case) >= 1 - case[1] - elementary.exp(-elementary.sqrt(Fraction(case[0])).value / 8),
        over="epsilon = 1, n = 4..64, p = 1/20, 1/2, always answering 0",
        shown=("1 - p", "1 - p - exp(-sqrt(n)/(8 epsilon))"),
        show=lambda case: f"n = {case[0]}, epsilon = 1, p = {case[1]}: P_A[E] = {erring(case)}",
    )  # fmt: skip


@ledger.claim(
    "s-caseI-constant",
    where="Case I, closing remark",
    says="Protocols that answer 0 most of the time err on inputs from A with a constant probability.",
    assuming="P_A[D] < p < 1, n large",
)
def _constant() -> Finding:
    """P_A[E] >= 1 - P_A[D] - exp(-sqrt(n)/(8 epsilon)), which tends to 1 - P_A[D] > 1 - p, rising
    with n, and is positive once sqrt(n) > 8 epsilon log(1/(1 - p)): from n = 31 on for p = 1/2 and
    epsilon = 1. Tried with thresholds of randomized response (p/q = 3) at which it answers 1 with
    P_A[D] < 1/2.
    """

    def holds(case: tuple[int, Sequence[int]]) -> bool:
        people, rate, tau = _setting(case[0])
        slack = elementary.exp(-elementary.sqrt(Fraction(people)).value / 8)
        erring = _erring(people, rate, tau, case[1])
        return erring >= 1 - _answering_one(people, rate, case[1]) - slack and Fraction(1, 2) - slack > 0 < erring

    thresholds = [*((36, first) for first in range(1, 38, 4)), (64, 20), (64, 24), (64, 65)]
    cases = [(people, [int(count >= first) for count in range(people + 1)]) for people, first in thresholds]
    seldom = [case for case in cases if _answering_one(*_setting(case[0])[:2], case[1]) < Fraction(1, 2)]
    return exhausted(
        seldom, holds, over="epsilon = 1, n = 36, 64, thresholds with P_A[D] < 1/2",
        shown=("constant probability", "1 - p - exp(-sqrt(n)/(8 epsilon)), limit 1 - p"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-caseI-kill",
    where="Case I, note after the closing remark",
    says="The order sqrt n is needed to make the Chernoff term vanish; a sharper error rate would not.",
    assuming="sharper: a smaller gap",
    script="""
        from fractions import Fraction as F
        def half_missed(r):  # P[at most r/2 of r expected ones], n = r^3 bits: at most Var/(r/2)^2, by Chebyshev
            variance = r**3 * F(1, r**2) * (1 - F(1, r**2))
            return variance / F(r, 2) ** 2
        assert all(half_missed(10**j) <= F(4, 10**j) for j in range(1, 9))
    """,
)
def _kill() -> Finding:
    """For a gap of the order of n^b with any b > 0 the Chernoff term exp(-n^b/8) vanishes too. A
    smaller gap makes the proof easier, not impossible: with n^(1/3) ones the best protocol fails more
    often than with sqrt(n), and both cases go through. It is a larger gap that the proof cannot have,
    as then n alpha^2 epsilon^2 grows (Lemma 3) and the best test's error vanishes: with n^(2/3) ones
    at n = 10^6 nothing is left.

    Here with p/q = 3 and n = 10^6: the failure probability that no estimate of the sum can beat, for
    three gaps.
    """
    small, middle, large = (
        barrier(RandomizedResponse("1/4"), [10**6], scale=1, exponent=e)[0] for e in ("1/3", "1/2", "2/3")
    )
    killed = small.short < Fraction(1, 10**5) and small.failure > middle.failure > large.error
    return Finding(
        ruling=Ruling.REFUTED if killed else Ruling.HOLDS, said="a smaller gap leaves the Chernoff term",
        exact="it vanishes for n^b ones, every b > 0", over="n = 10^6, p/q = 3",
        witness=f"n^(1/3) = 100 ones: P[fewer than half] = {small.short:4}, failure >= {small.failure:4} "
        f"({middle.failure:4} with sqrt n)" if killed else "",
    )  # fmt: skip


@ledger.claim(
    "s-caseI-no-privacy",
    where="Case I, second note after the closing remark",
    says="So far only Chernoff-Hoeffding bounds have been used, and nothing about privacy.",
)
def _no_privacy() -> Finding:
    """P_A[E^c] <= P_A[D] + P_A[sum <= tau] is a union bound, true of any randomizer and any curator, and
    the last term depends on the inputs only: the Chernoff bound for them (s-step2-chernoff).
    Epsilon occurs in the choice of alpha only, and the bound holds for every alpha.

    Tried with every randomizer of two messages in halves, those included that tell the bit, and every
    curator of two people's messages.
    """
    views = list(product((0, 1), repeat=2))

    def chance(laws: Sequence[Sequence[Fraction]], picks: Sequence[int]) -> Fraction:
        return prod((law[pick] for law, pick in zip(laws, picks, strict=True)), start=Fraction(1))

    def holds(case: tuple[tuple[_Law, ...], Fraction, int, tuple[int, ...]]) -> bool:
        randomizer, rate, tau, answers = case
        runs = [
            (chance([(1 - rate, rate)] * 2, bits) * chance([randomizer[x] for x in bits], view), sum(bits), answer)
            for bits in views for view, answer in zip(views, answers, strict=True)
        ]  # fmt: skip
        complement = sum(w for w, ones, answer in runs if not (ones >= tau and answer == 0))
        return complement <= sum(w for w, _, answer in runs if answer) + binomial_at_most(2, rate, tau)

    return exhausted(
        product(product(distributions(2, 2), repeat=2), (Fraction(1, 5), Fraction(1, 2)), (1, 2),
                product((0, 1), repeat=4)),
        holds, over="n = 2, nine randomizers, alpha = 1/5, 1/2, tau = 1, 2, every curator",
        shown=("nothing about privacy", "any randomizer, any curator"), proven=True,
    )  # fmt: skip


# --- parts ------------------------------------------------------------------------------------------------------------

_Law = tuple[Fraction, ...]
_PEOPLE = 4
_ODDS = Fraction(3)
"""p/q = 3, which e^{2 epsilon} allows from epsilon = 0.55 on."""


def _setting(people: int) -> tuple[int, Fraction, int]:
    """n, alpha and the least sum that counts as tau or more, for epsilon = 1."""
    rate = loc_rate(n=people, epsilon=1)
    return people, rate, -int(-people * rate / 2 // 1)


def _answering_one(people: int, rate: Fraction, answers: Sequence[int]) -> Fraction:
    """P_A[D] when the curator answers answers[s] at s ones among the reports."""
    chance = Randomizer.of(response(_ODDS)).mixed(rate)[1]
    pairs = zip(coefficients(chance, 0, people), answers, strict=True)
    return Fraction(sum(c for c, answer in pairs if answer))


def _erring(people: int, rate: Fraction, tau: int, answers: Sequence[int]) -> Fraction:
    """P_A[E], tau ones or more and the answer 0, from the joint distribution of ones and reports."""
    mechanism = KRandomization(n=people, q=1 / (1 + _ODDS))
    return Fraction(
        sum(weight * _zero(mechanism, ones, answers) for ones, weight in _ones(people, rate) if ones >= tau)
    )


def _ones(people: int, rate: Fraction) -> Iterator[tuple[int, Fraction]]:
    for ones in range(people + 1):
        yield ones, comb(people, ones) * rate**ones * (1 - rate) ** (people - ones)


def _zero(mechanism: KRandomization, ones: int, answers: Sequence[int]) -> Fraction:
    return Fraction(sum(c for c, answer in zip(pmf(mechanism, ones=ones), answers, strict=True) if not answer))
