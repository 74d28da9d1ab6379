"""LOC, step 2: the distribution A of the inputs, and what the curator answers."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, prod

from sympy import Rational, Symbol, exp, limit, oo, sqrt

from dpcalc.accuracy.lemmas import chernoff, loc_rate
from dpcalc.accuracy.lower_bound import Randomizer
from dpcalc.claims.cases import response
from dpcalc.claims.checking import all_of, exhausted, identity, repaired, restricted
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.counts.tails import binomial_at_most
from dpcalc.numbers import elementary
from dpcalc.symbolic import n

__all__ = ["ledger"]

ledger = Ledger("LOC")

epsilon = Symbol("epsilon", positive=True)
alpha = Symbol("alpha", positive=True)
gamma = Symbol("gamma", positive=True)


# --- the inputs and the Chernoff bound --------------------------------------------------------------------------------


@ledger.claim(
    "s-step2-alpha",
    where="Step 2, definition of A",
    says="Every bit is 1 with probability alpha = 1/(epsilon sqrt n).",
    script="""
        from fractions import Fraction as F
        n, epsilon = 1, F(1, 2)
        alpha_squared = 1 / (epsilon**2 * n)
        assert alpha_squared == 4 > 1
    """,
)
def _rate() -> Finding:
    """alpha <= 1 is n >= 1/epsilon^2, which has to be assumed: with fewer people alpha is no
    probability.
    """

    def said(case: tuple[int, Fraction]) -> bool:
        people, level = case
        return 1 / (level * elementary.sqrt(Fraction(people))) <= 1

    return restricted(
        product(range(1, 41), (Fraction(1, 5), Fraction(1, 2), Fraction(1))), said,
        lambda case: case[0] >= 1 / case[1] ** 2, sharp=True, over="n >= 1/epsilon^2",
        shown=("a probability for every n", "a probability if n >= 1/epsilon^2"),
        show=lambda case: f"n = {case[0]}, epsilon = {case[1]}: alpha = "
        f"{1 / (case[1] * elementary.sqrt(Fraction(case[0]))):6}",
    )  # fmt: skip


@ledger.claim(
    "s-step2-chernoff",
    where="Step 2, Chernoff bound",
    says="P[sum X_i <= (1 - gamma) n alpha] <= exp(-alpha n gamma^2/2), n alpha being the mean of the sum.",
    assuming="0 < gamma <= 1, X_i independent, each 1 with probability alpha",
)
def _chernoff() -> Finding:
    """For u >= 0, P[X <= x] <= e^{u x} E e^{-u X} and E e^{-u X} = (1 - alpha (1 - e^{-u}))^n
    <= exp(-n alpha (1 - e^{-u})). With x = (1 - gamma) n alpha and e^{-u} = 1 - gamma this is
    exp(-n alpha h), h = (1 - gamma) log(1 - gamma) + gamma. h - gamma^2/2 is 0 at 0 and has the
    derivative -log(1 - gamma) - gamma >= 0, so h >= gamma^2/2. (gamma = 1 as the limit.) Tried with
    exact binomial sums.
    """

    def holds(case: tuple[int, Fraction, Fraction]) -> bool:
        people, rate, share = case
        count = (1 - share) * people * rate
        mean = sum(j * comb(people, j) * rate**j * (1 - rate) ** (people - j) for j in range(people + 1))
        return mean == people * rate and binomial_at_most(people, rate, int(count)) <= elementary.exp(
            -rate * people * share**2 / 2
        )

    tenths = [Fraction(i, 10) for i in (1, 3, 5, 8, 10)]
    return exhausted(
        product((1, 2, 5, 20), tenths, tenths), holds, over="n = 1, 2, 5, 20, five alphas, five gammas",
        shown=("exp(-alpha n gamma^2/2)", "the same"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-step2-plugged",
    where="Step 2, display after the Chernoff bound",
    says="With gamma = 1/2 and alpha = 1/(epsilon sqrt n): P[sum X_i <= sqrt(n)/(2 epsilon)] <= "
    "exp(-sqrt(n)/(8 epsilon)).",
    assuming="n >= 1/epsilon^2",
)
def _plugged() -> Finding:
    """n alpha = sqrt(n)/epsilon, so that (1 - gamma) n alpha = sqrt(n)/(2 epsilon) and
    n alpha gamma^2/2 = sqrt(n)/(8 epsilon). The two are compared as symbols, and the inequality at
    exact binomial sums.
    """
    half, rate = Rational(1, 2), 1 / (epsilon * sqrt(n))
    threshold, exponent = ((1 - gamma) * n * alpha, alpha * n * gamma**2 / 2)
    at = {n: 16, epsilon: "1/2"}
    where = identity(sqrt(n) / (2 * epsilon), threshold.subs({gamma: half, alpha: rate}), at=at)
    found = identity(
        sqrt(n) / (8 * epsilon), exponent.subs({gamma: half, alpha: rate}), at=at,
        shown=("exp(-sqrt(n)/(8 epsilon))", "the same"),
    )  # fmt: skip
    cases = product((1, 4, 49, 400), (Fraction(1, 2), Fraction(1)))
    kept = all(chernoff(n=m, rate=loc_rate(n=m, epsilon=e)).holds for m, e in cases if m * e**2 >= 1)
    if not kept:
        return Finding(ruling=Ruling.REFUTED, said=found.said, witness="a binomial sum above the bound")
    return all_of(where, found)


@ledger.claim(
    "s-step2-rare",
    where="Step 2, after the display",
    says="Fewer than about sqrt n ones are very unlikely under A.",
    assuming="n large",
)
def _rare() -> Finding:
    """The bound exp(-sqrt(n)/(8 epsilon)) tends to 0 as n grows. It is not small for few people
    (0.61 at n = 16 and epsilon = 1), and below 10^-5 for epsilon <= 1 from n = 10^4 on.
    """
    tends = limit(exp(-sqrt(n) / (8 * epsilon)), n, oo)
    small = elementary.exp(-Fraction(100, 8)) < Fraction(1, 10**5)
    ruling = Ruling.PROVEN if tends == 0 and small else Ruling.REFUTED
    return Finding(ruling=ruling, said="extremely low", exact=f"e^(-sqrt(n)/(8 epsilon)), limit {tends}")


@ledger.claim(
    "s-step2-window",
    where="Step 2, remark in brackets after the display",
    says="The number of ones has to be of the order of sqrt n: for anything that grows more slowly the concentration "
    "inequality is of no use.",
    script="""
        from math import comb
        tails = []
        for r in (4, 8, 16):  # n = r^3 bits, each 1 with probability 1/r^2: n^(1/3) = r ones expected
            ways = sum(comb(r**3, i) * (r**2 - 1) ** (r**3 - i) for i in range(r // 2 + 1))
            tails.append(ways * 10**6 // r ** (2 * r**3))  # P[at most half of them], in millionths
        assert tails[0] > 2 * tails[1] > 8 * tails[2] and tails[2] < 30_000
    """,
)
def _slower() -> Finding:
    """The Chernoff bound vanishes for n^b ones with every b > 0, also for fewer than sqrt n.

    With alpha = n^(-a) there are n^(1 - a) ones expected, and the bound exp(-n^(1 - a)/8) tends to
    0 for every a < 1: also for n^(1/3) ones, a = 2/3. What singles out sqrt n is privacy: Lemma 3
    needs n alpha^2 epsilon^2 bounded, so alpha must not be larger than the order of 1/sqrt n, and a
    lower bound wants the largest such alpha.
    """
    limits = {a: limit(exp(-(n ** (1 - a)) / 8), n, oo) for a in (Rational(1, 2), Rational(2, 3), Rational(9, 10))}
    lines = [chernoff(n=r**3, rate=Fraction(1, r**2)) for r in (4, 16, 64)]
    falling = all(line.holds for line in lines) and lines[0].left > lines[1].left > lines[2].left
    useless = not falling or any(limits[a] != 0 for a in limits if a > Rational(1, 2))
    return Finding(
        ruling=Ruling.HOLDS if useless else Ruling.REFUTED, said="only from the order sqrt n on",
        exact="for n^b ones, every b > 0", over="alpha = n^-1/2, n^-2/3, n^-9/10",
        witness="" if useless else f"n = 64^3, 64 ones expected: P[at most 32] = {lines[2].left:4}",
    )  # fmt: skip


@ledger.claim(
    "s-step2-tau",
    where="Step 2, definition of tau",
    says="tau = n alpha/2, the gap, is the threshold of the Chernoff bound.",
    assuming="n >= 1/epsilon^2",
)
def _tau() -> Finding:
    """n alpha/2 = sqrt(n)/(2 epsilon), at most n/2 as alpha <= 1, so that the gap fits into 0..n."""
    found = identity(
        (Rational(1, 2) * n * alpha).subs(alpha, 1 / (epsilon * sqrt(n))), sqrt(n) / (2 * epsilon),
        at={n: 16, epsilon: "1/2"}, shown=("0.5 n alpha", "sqrt(n)/(2 epsilon), at most n/2"),
    )  # fmt: skip
    cases = product((1, 4, 25, 100), (Fraction(1, 5), Fraction(1, 2), Fraction(1)))
    rates = [(m, e, loc_rate(n=m, epsilon=e)) for m, e in cases if m * e**2 >= 1]
    fits = all((e * rate) ** 2 * m == 1 and rate * m / 2 <= Fraction(m, 2) for m, e, rate in rates)
    return found if fits else Finding(ruling=Ruling.REFUTED, said="tau <= n", witness="tau beyond n/2")


# --- the curator's answers --------------------------------------------------------------------------------------------


@ledger.claim(
    "s-step2-D",
    where="Step 2, definition of D",
    says="D is the set of input vectors for which the curator answers 1.",
    script="""
        from fractions import Fraction as F
        q, D = F(1, 4), {1}  # one person, randomized response, the curator repeats the report
        chance = {(x, c): 1 - q if x == c else q for x in (0, 1) for c in (0, 1)}
        answers = {x: {int(c in D) for c in (0, 1) if chance[x, c] > 0} for x in (0, 1)}
        assert answers == {0: {0, 1}, 1: {0, 1}}
    """,
)
def _views() -> Finding:
    """D is a set of views, not of inputs. The display that follows is right: it holds c = (S(X_1),
    ..., S(X_n)), what the curator sees, with G(c) = 1. An input vector has no answer of its own:
    for randomized response every view can arise from every input.
    """
    views = list(product((0, 1), repeat=2))

    def answers(case: tuple[Fraction, tuple[int, ...]]) -> set[bool]:
        odds, inputs = case
        lie = 1 / (1 + odds)
        chances = {c: prod(1 - lie if x == b else lie for x, b in zip(inputs, c, strict=True)) for c in views}
        return {sum(c) >= 1 for c, chance in chances.items() if chance > 0}

    def true(case: tuple[Fraction, tuple[int, ...]]) -> bool:
        return len(answers(case)) == 2 and all(len({sum(c) >= 1}) == 1 for c in views)

    return repaired(
        product((Fraction(3), Fraction(7)), views), lambda case: len(answers(case)) == 1, true,
        over="two people, curator answers 1 if a report is 1",
        shown=("input vectors", "views: vectors of sanitised messages"),
        show=lambda case: f"inputs {case[1]}, p/q = {case[0]}: both answers occur",
    )  # fmt: skip


@ledger.claim(
    "s-step2-inputs",
    where="Step 2, after the definition of D",
    says="There are 2^n possible inputs.",
)
def _inputs() -> Finding:
    """Each of n bits has two values, chosen freely."""
    return exhausted(
        range(1, 13), lambda people: len(set(product((0, 1), repeat=people))) == 2**people, over="n = 1..12",
        shown=("2^n", "2^n"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-step2-fraction",
    where="Step 2, after the definition of D",
    says="P[D] is the fraction of the 2^n inputs, or of the times, on which the protocol answers 1.",
    script="""
        from fractions import Fraction as F
        q, alpha = F(1, 4), 1  # n = 1, epsilon = 1: p/q = 3 < e^2; the curator repeats the report, D = {1}
        uniform = ((1 - q) + q) / 2
        under_A = alpha * (1 - q) + (1 - alpha) * q
        assert uniform == F(1, 2) != under_A
    """,
)
def _fraction() -> Finding:
    """Case I needs P_A[D], the probability of a view in D when the inputs are drawn from A, and the
    two cases compare this number with p. The average over all 2^n inputs is another number: it
    belongs to alpha = 1/2. P_A[D] is computed twice, from the inputs' probabilities and from the
    product of the messages' mixed distributions.
    """

    def uniform(case: tuple[int, Fraction]) -> Fraction:
        return _weighted(case[0], Fraction(1, 2))

    def true(case: tuple[int, Fraction]) -> bool:
        people, rate = case
        chance = Randomizer.of(response(_ODDS)).mixed(rate)
        views = product((0, 1), repeat=people)
        return _weighted(people, rate) == sum(prod(chance[c] for c in view) for view in views if sum(view) >= 1)

    cases = [(1, Fraction(1)), (4, Fraction(1, 2)), (4, Fraction(1)), (9, Fraction(1, 3))]
    return repaired(
        cases, lambda case: uniform(case) == _weighted(*case), true,
        over="curator answers 1 if a report is 1, p/q = 3",
        shown=("share of the 2^n inputs", "P_A[c in D], inputs drawn from A"),
        show=lambda case: f"n = {case[0]}, alpha = {case[1]}: {uniform(case)} against {_weighted(*case)}",
    )  # fmt: skip


@ledger.claim(
    "s-step2-groups",
    where="Step 2, before Case I",
    says="All protocols fall into two groups, P[D] < p and P[D] >= p, because the curator is deterministic.",
)
def _groups() -> Finding:
    """Any number is below p or not, so this cannot fail; and it needs no deterministic curator: for
    one that tosses coins take the probability of the answer 1 over these coins too. Both cases go
    through unchanged.
    """
    return Finding(ruling=Ruling.VACUOUS, said="P[D] < p or P[D] >= p", exact="true of any number")


# --- parts ------------------------------------------------------------------------------------------------------------

_ODDS = Fraction(3)
"""p/q = 3, which e^{2 epsilon} allows from epsilon = 0.55 on."""


def _weighted(people: int, rate: Fraction) -> Fraction:
    """The probability that some report is 1, from the 2^n inputs' probabilities."""
    total = Fraction(0)
    for inputs in product((0, 1), repeat=people):
        weight = prod(rate if x else 1 - rate for x in inputs)
        total += weight * (1 - prod(_report(x, 0) for x in inputs))
    return total


def _report(bit: int, report: int) -> Fraction:
    return (_ODDS if bit == report else Fraction(1)) / (1 + _ODDS)
