"""LOC, proof of Lemma 2: E V_i <= 32 alpha^2 epsilon^2, beta standing for 2 alpha epsilon."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from sympy import Rational, Symbol

from dpcalc.accuracy import lemmas
from dpcalc.accuracy.lower_bound import Randomizer
from dpcalc.claims.cases import odds_below, randomizers
from dpcalc.claims.checking import exhausted, identity, restricted
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.numbers.elementary import exp, log
from dpcalc.numbers.enclosure import Enclosure

__all__ = ["ledger"]

ledger = Ledger("LOC")

b, beta, chance = Symbol("b", real=True), Symbol("beta", positive=True), Symbol("P", positive=True)


@ledger.claim(
    "L2-countable",
    where="Lemma 2, proof, note",
    says="The possible outputs of a sanitizer are countable because its inputs are only 0 and 1 and its messages "
    "bounded in number.",
    script="""
        from fractions import Fraction as F
        q = F(1, 4)  # S(x): the sum of a randomized response to x and a uniform number in [0, 1); p/q = 3
        density = {(x, c): 1 - q if x == c else q for x in (0, 1) for c in (0, 1)}  # on [c, c + 1)
        lengths = [F(1, 2 ** (i + 2)) for i in range(60)]  # any countable set fits into intervals of these lengths
        assert max(density.values()) * sum(lengths) < F(1, 2) < sum(density[0, c] for c in (0, 1)) == 1
    """,
)
def _countable() -> Finding:
    """One message can be any real number: x plus Laplace noise of scale 1/epsilon is epsilon-locally
    private and has a density of at most epsilon/2. Were its outputs countable, they could be covered
    by intervals of total length 1/epsilon and have a probability of at most 1/2, not 1. Countability
    needs messages of finitely many bits. The lemma does not need it: with integrals in place of sums
    the proof reads the same.

    Computed: the probability of an interval, given either bit, is less than its length times
    epsilon/2, so no output has a positive one; and the two are within e^epsilon between the bits
    (outside, their ratio is just that).
    """

    def mass(level: Fraction, start: Fraction, length: Fraction, bit: int) -> Enclosure:
        return _laplace(level * (start + length - bit)) - _laplace(level * (start - bit))

    def uncountable(case: tuple[Fraction, Fraction, Fraction]) -> bool:
        level, start, length = case
        given = [mass(level, start, length, bit) for bit in (0, 1)]
        between = start >= 0 and start + length <= 1
        private = given[0] < exp(level) * given[1] and given[1] < exp(level) * given[0] if between else True
        return private and all(0 < m < length * level / 2 for m in given)

    starts = [Fraction(i, 3) for i in range(-8, 12)]
    cases = product((Fraction(1, 2), Fraction(1)), starts, (Fraction(1, 10), Fraction(1, 10**6)))
    found = exhausted(cases, uncountable, over="epsilon = 1/2, 1, intervals around the bits")
    refuted = found.ruling is Ruling.HOLDS
    return Finding(
        ruling=Ruling.REFUTED if refuted else Ruling.HOLDS, said="countable", exact="countable for messages of bits",
        over=found.over,
        witness="x + Laplace noise of scale 1/epsilon: every output has probability 0" if refuted else "",
    )  # fmt: skip


@ledger.claim(
    "L2-values",
    where="Lemma 2, proof, definition of B_b",
    says="r_i - 1 has no values b outside -2 alpha epsilon..4 alpha epsilon.",
    assuming="0 < epsilon <= 1, likelihood ratios within e^{2 epsilon}",
    script="""
        from fractions import Fraction as F
        from math import factorial
        epsilon, alpha, w = 1, F(1, 100), 7  # w = P[S(1) = c]/P[S(0) = c], randomized response with q = 1/8
        assert w < sum(F(2 * epsilon) ** j / factorial(j) for j in range(9))  # so w < e^(2 epsilon)
        assert alpha * (w - 1) > 4 * alpha * epsilon
    """,
)
def _values() -> Finding:
    """It is the first line of Lemma 1, which holds for epsilon up to 0.6282... only; with the usual
    ratio e^epsilon it holds for all epsilon <= 1. The true range is alpha (e^{-2 epsilon} - 1)..alpha
    (e^{2 epsilon} - 1).
    """
    limit = lemmas.lemma_1_limit()

    def outside(level: Fraction, factor: int) -> list[Fraction]:
        rate = Fraction(1, 100)
        found = [r - 1 for one in randomizers(odds_below(factor * level)) for r in one.ratios(rate)]
        return [value for value in found if not -2 * rate * level <= value <= 4 * rate * level]

    levels = [Fraction(i, 20) for i in range(1, 21)]
    if any(outside(level, 1) for level in levels):
        raise ArithmeticError("the range fails for ratios within e^epsilon")
    return restricted(
        levels, lambda level: not outside(level, 2), lambda level: level <= limit.upper, sharp=True,
        over=f"epsilon <= {limit:6}; epsilon <= 1 for ratios within e^epsilon",
        shown=("-2 alpha epsilon..4 alpha epsilon", "alpha (e^(-2 epsilon) - 1)..alpha (e^(2 epsilon) - 1)"),
        show=lambda level: f"epsilon = {level}, alpha = 1/100: b = {outside(level, 2)[0]} > {level / 25}",
    )  # fmt: skip


@ledger.claim(
    "L2-mass",
    where="Lemma 2, proof, first display, third line",
    says="P[S(0) in B_b] = P[S(X_i) in B_b]/(1 + b).",
)
def _mass() -> Finding:
    """Each message c in B_b has P[S(X_i) = c] = (1 + b) P[S(0) = c]; add these up over B_b. 1 + b
    > 0, as the likelihood ratios are positive.
    """

    def holds(case: _Case) -> bool:
        return all(under_0 == under_a / (1 + value) for value, under_a, under_0 in _classes(case))

    return exhausted(
        _cases(), holds, over=_OVER, shown=("P_A[B_b]/(1 + b)", "the same"), proven=True
    )  # fmt: skip


@ledger.claim(
    "L2.1",
    where="Lemma 2, proof, the line tagged (1)",
    says="1/(1 + b) <= 1 - b + 2 b^2, so P[S(0) in B_b] <= (1 - b + 2 b^2) P[S(X_i) in B_b].",
    assuming="alpha = 1/(epsilon sqrt n)",
    script="""
        from fractions import Fraction as F
        n, epsilon, alpha, w = 1, 1, 1, F(1, 7)  # randomized response with q = 1/8; e^-2 < 1/7
        b = alpha * (w - 1)
        assert 1 / (1 + b) == 7 > 1 - b + 2 * b**2
    """,
)
def _geometric() -> Finding:
    """(1 + b)(1 - b + 2 b^2) - 1 = b^2 (1 + 2b), so it holds exactly for b >= -1/2, where b > -1. As
    b >= -2 alpha epsilon = -2/sqrt(n), n >= 16 grants that; for fewer people b can be below -1/2. The
    series alone, 1 - b + b^2 - ..., does not show it, as its cubic term has the wrong sign for b < 0.
    """
    factored = identity((1 + b) * (1 - b + 2 * b**2) - 1, b**2 * (1 + 2 * b), at={b: "1/3"})

    def said(value: Fraction) -> bool:
        return 1 / (1 + value) <= 1 - value + 2 * value**2

    points = [Fraction(i, 20) for i in range(-17, 81)]
    if factored.ruling is not Ruling.PROVEN:
        raise ArithmeticError("the difference of the two sides has other factors")
    return restricted(
        points, said, lambda v: v >= Fraction(-1, 2), sharp=True, over="b >= -1/2, which n >= 16 grants",
        shown=("1 - b + 2 b^2, any n", "b >= -1/2"), show=lambda v: f"b = {v}: {1 / (1 + v)} > {1 - v + 2 * v**2}",
    )  # fmt: skip


@ledger.claim(
    "L2-mean",
    where="Lemma 2, proof, second display, first two lines",
    says="E[V_i] is the sum over b of P[S(X_i) in B_b] log(1 + b).",
)
def _mean() -> Finding:
    """V_i = log r_i takes the value log(1 + b) on B_b, and the B_b are disjoint and hold every
    message. Compared with the package's sum over messages: the enclosures overlap.
    """

    def holds(case: _Case) -> bool:
        line = lemmas.lemma_2(case.randomizer, rate=case.rate, epsilon=case.epsilon)
        terms = (under_a * log(1 + value) for value, under_a, _ in _classes(case))
        gap = line.left - sum(terms, Enclosure.of(0))
        return gap.lower <= 0 <= gap.upper < Fraction(1, 10**30)

    return exhausted(
        _cases(), holds, over=_OVER, shown=("sum P_A[B_b] log(1 + b)", "the same"), proven=True
    )  # fmt: skip


@ledger.claim(
    "L2.2",
    where="Lemma 2, proof, the line tagged (2)",
    says="sum P[S(X_i) in B_b] log(1 + b) <= sum P[S(X_i) in B_b] b.",
)
def _below_tangent() -> Finding:
    """log(1 + b) <= b term by term, the probabilities being positive."""

    def holds(case: _Case) -> bool:
        left = lemmas.lemma_2(case.randomizer, rate=case.rate, epsilon=case.epsilon).left
        return left <= _sum(case, lambda value: value)

    return exhausted(
        _cases(), holds, over=_OVER, shown=("sum P_A[B_b] b", "an upper bound"), proven=True
    )  # fmt: skip


@ledger.claim(
    "L2-split",
    where="Lemma 2, proof, second display, fourth line",
    says="sum P[S(X_i) in B_b] b = sum P[S(X_i) in B_b] (1 + 2 b^2) - sum P[S(X_i) in B_b] (1 - b + 2 b^2).",
)
def _split() -> Finding:
    """b = (1 + 2 b^2) - (1 - b + 2 b^2), and the sums are linear. The left side is E_A r_i - 1, which is
    summed over the messages, the right side over the classes B_b.
    """

    def holds(case: _Case) -> bool:
        randomizer = case.randomizer
        pairs = zip(randomizer.mixed(case.rate), randomizer.ratios(case.rate), strict=True)
        left = sum(under_a * ratio for under_a, ratio in pairs) - 1
        return left == _sum(case, lambda v: 1 + 2 * v**2) - _sum(case, lambda v: 1 - v + 2 * v**2)

    return exhausted(
        _cases(), holds, over=_OVER, shown=("the difference of two sums", "sum P_A[B_b] b = E_A r_i - 1"), proven=True
    )  # fmt: skip


@ledger.claim(
    "L2-largest",
    where="Lemma 2, proof, second display, fifth line",
    says="1 + 2 b^2 <= 1 + 2 (2 beta)^2 under the sum.",
    assuming="-beta <= b <= 2 beta, beta = 2 alpha epsilon",
)
def _largest() -> Finding:
    """|b| <= max(beta, 2 beta) = 2 beta. That b can be larger from epsilon = 0.6282... on is
    L2-values.
    """
    cases = [(Fraction(j, 40), Fraction(i, 10)) for j in range(1, 41) for i in range(-10, 21)]
    return exhausted(
        cases, lambda case: 1 + 2 * (case[0] * case[1]) ** 2 <= 1 + 2 * (2 * case[0]) ** 2,
        over="beta = 1/40..1, b = -beta..2 beta", shown=("1 + 2 (2 beta)^2", "the same"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "L2.3",
    where="Lemma 2, proof, the line tagged (3)",
    says="-sum P[S(X_i) in B_b] (1 - b + 2 b^2) <= -sum P[S(0) in B_b].",
    assuming="alpha = 1/(epsilon sqrt n)",
    script="""
        from fractions import Fraction as F
        zero, one, alpha = (F(1, 10), F(9, 10)), (F(1, 70), F(69, 70)), 1  # n = 1, epsilon = 1; ratios 1/7 and 23/21
        mixed = [alpha * w + (1 - alpha) * a for a, w in zip(zero, one)]
        b = [m / a - 1 for m, a in zip(mixed, zero)]
        assert -sum(m * (1 - x + 2 * x**2) for m, x in zip(mixed, b)) > -sum(zero)
    """,
)
def _replaced() -> Finding:
    """It rests on the line tagged (1), which holds for b >= -1/2 only; n >= 16 suffices. In full,
    the difference of the sides is E_0 [b^2 (1 + 2b)], which a lopsided randomizer makes negative
    for few people: a message with probability 1/10 given a 0 and 1/70 given a 1. Lemma 2 itself is
    true there too (L2).
    """

    def said(case: _Case) -> bool:
        holds = -_sum(case, lambda value: 1 - value + 2 * value**2) <= -sum(case.randomizer.zero)
        if holds != (sum(under_0 * v**2 * (1 + 2 * v) for v, _, under_0 in _classes(case)) >= 0):
            raise ArithmeticError(f"the difference of the sides is not E_0 [b^2 (1 + 2 b)] at {case}")
        return holds

    return restricted(
        _cases(), said, lambda case: 2 * case.rate * case.epsilon <= Fraction(1, 2),
        over="n >= 16, that is 2 alpha epsilon <= 1/2", shown=("any n", "n >= 16"),
    )  # fmt: skip


@ledger.claim(
    "L2-union",
    where="Lemma 2, proof, second display, seventh line",
    says="The sums are (1 + 8 beta^2) P[S(X_i) in the union of the B_b] and P[S(0) in the union].",
)
def _union() -> Finding:
    """The B_b are disjoint, a message having one ratio, so the probabilities add up; and 2 (2 beta)^2
    = 8 beta^2.
    """

    def holds(case: _Case) -> bool:
        classes = _classes(case)
        totals = sum(under_a for _, under_a, _ in classes), sum(under_0 for *_, under_0 in classes)
        return totals == (sum(case.randomizer.mixed(case.rate)), sum(case.randomizer.zero))

    same = identity(1 + 2 * (2 * beta) ** 2, 1 + 8 * beta**2, at={beta: "1/3"}).ruling is Ruling.PROVEN
    return exhausted(
        _cases(), lambda case: same and holds(case), over=_OVER, shown=("(1 + 8 beta^2) P_A - P_0", "the same"),
        proven=True,
    )  # fmt: skip


@ledger.claim(
    "L2-one",
    where="Lemma 2, proof, second display, eighth line",
    says="(1 + 8 beta^2) P[S(X_i) in the union] - P[S(0) in the union] <= (1 + 8 beta^2) 1 - 1.",
)
def _one() -> Finding:
    """Every message has a ratio, so both probabilities are 1 and it is an equality. That P[S(0) in
    the union] is 1 and not less is needed, as it is subtracted: a message that a 0 never sends would
    have no ratio, but then, by privacy, a 1 never sends it either.
    """

    def holds(case: _Case) -> bool:
        classes = _classes(case)
        return sum(under_a for _, under_a, _ in classes) == sum(under_0 for *_, under_0 in classes) == 1

    return exhausted(_cases(), holds, over=_OVER, shown=("8 beta^2", "=, both probabilities being 1"), proven=True)


@ledger.claim(
    "L2-32",
    where="Lemma 2, proof, last line",
    says="(1 + 8 beta^2) - 1 = 32 (alpha epsilon)^2.",
    assuming="beta = 2 alpha epsilon",
)
def _result() -> Finding:
    """8 (2 alpha epsilon)^2 = 32 (alpha epsilon)^2."""
    unit = Symbol("u", positive=True)
    said = 32 * unit**2
    return identity(
        said, ((1 + 8 * beta**2) * 1 - 1).subs(beta, Rational(2) * unit), at={unit: "1/3"},
        shown=("32 (alpha epsilon)^2", "the same"),
    )  # fmt: skip


# --- parts ------------------------------------------------------------------------------------------------------------

_OVER = "epsilon = 1/10..1, n = 1, 4, 16, 100 where alpha <= 1, four randomizers each"


class _Case(NamedTuple):
    """A randomizer with likelihood ratios within e^{2 epsilon}, and the rate."""

    epsilon: Fraction
    rate: Fraction
    randomizer: Randomizer

    def __str__(self) -> str:
        side = ", ".join(map(str, self.randomizer.zero)), ", ".join(map(str, self.randomizer.one))
        return f"epsilon = {self.epsilon}, alpha = {self.rate}, given 0: ({side[0]}), given 1: ({side[1]})"


def _cases() -> Iterator[_Case]:
    """alpha = 1/(epsilon root) with root^2 people. At epsilon = 1 the odds are 7, so that a witness
    is short.
    """
    for level, root in product((Fraction(1), Fraction(1, 10), Fraction(1, 2), Fraction(3, 5)), (1, 2, 4, 10)):
        if level * root >= 1:
            odds = Fraction(7) if level == 1 else odds_below(2 * level)
            for randomizer in randomizers(odds):
                yield _Case(level, 1 / (level * root), randomizer)


def _classes(case: _Case) -> list[tuple[Fraction, Fraction, Fraction]]:
    """(b, P[S(X_i) in B_b], P[S(0) in B_b]) for every b that occurs."""
    found: dict[Fraction, tuple[Fraction, Fraction]] = {}
    mixed, zero = case.randomizer.mixed(case.rate), case.randomizer.zero
    for under_a, under_0 in zip(mixed, zero, strict=True):
        value = under_a / under_0 - 1
        before = found.get(value, (Fraction(0), Fraction(0)))
        found[value] = (before[0] + under_a, before[1] + under_0)
    return [(value, *chances) for value, chances in found.items()]


def _sum(case: _Case, term: Callable[[Fraction], Fraction]) -> Fraction:
    """sum over b of P[S(X_i) in B_b] term(b)."""
    return Fraction(sum(under_a * term(value) for value, under_a, _ in _classes(case)))


def _laplace(x: Fraction) -> Enclosure:
    """The distribution function of Laplace noise of scale 1."""
    return exp(x) / 2 if x <= 0 else 1 - exp(-x) / 2
