"""LOC, the proofs of Lemmas 1 to 3, line by line; beta stands for 2 alpha epsilon."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction as F
from itertools import product
from math import factorial, floor, prod
from typing import NamedTuple

from sympy import Rational, Symbol

from dpcalc import Enclosure, RandomizedResponse, binomial_at_least
from dpcalc.notes.barrier import lemmas
from dpcalc.notes.barrier.lower_bound import Randomizer, crossing
from dpcalc.notes.symbolic import n
from dpcalc.numbers.elementary import exp, log, sqrt
from tests.notes.ledger.cases import odds_below, randomizers, response
from tests.notes.ledger.checking import identity, same, sure
from tests.notes.ledger.ledger import Answer, Finding, Known, Ledger, Range, Ruling

ledger = Ledger("LOC")
claim, script = ledger.claim, ledger.script
# fmt: off

alpha, one, zero, beta, w = (Symbol(name, positive=True) for name in ("alpha", "P_1", "P_0", "beta", "w"))
b = Symbol("b", real=True)
TENTHS = tuple(F(i, 10) for i in range(1, 11))
RATES = (F(1, 100), F(1, 4), F(1))

MIXED = Range.of("S, rate", "eight randomizers, three rates", [*randomizers(F(3, 2)), *randomizers(F(7))], RATES)
PRIVATE = Range.of("epsilon, S", "epsilon = 1/10..1, four randomizers each",
    ((e, one) for e in TENTHS for one in randomizers(RandomizedResponse.from_epsilon(e).odds)))
SCALED = Range.of("epsilon, rate", "ten epsilons, three rates", TENTHS, RATES)
LIMIT = lemmas.lemma_1_limit()
POINTS = Range.of("x", "x = 1/10..1, 1/50..1 and both ends of the root",
    [*TENTHS, *(F(i, 50) for i in range(1, 51)), LIMIT.lower, LIMIT.upper])
FIFTIETHS = Range.of("x", "x = 1/50..2", [F(i, 50) for i in range(1, 101)])
SIGNED = Range.of("x", "x = -19/20..5", [F(i, 20) for i in range(-19, 101)])

# --- Lemma 1 ------------------------------------------------------------------------------------------------------
@claim("L1.1", MIXED, """Lemma 1, proof, the line tagged (1): r_i = (alpha P[S(1) = c_i] + (1 - alpha) P[S(0) =
    c_i])/P[S(0) = c_i]. Assuming: c_i for c in the denominator, where c is the whole view Shown: (alpha P_1 + (1 -
    alpha) P_0)/P_0 vs the same
    Why: X_i is 1 with probability alpha, else 0, and S randomizes it: the numerator is the total probability of c_i.
    The package's ratios are compared with a sum over the joint distribution of bit and message, for every message.""")
def _(randomizer: Randomizer, rate: F) -> Answer:
    sides = ((1 - rate, randomizer.zero), (rate, randomizer.one))
    joint = [sum((chance * side[c] for chance, side in sides), F(0)) for c in range(len(randomizer.zero))]
    return randomizer.ratios(rate) == tuple(map(F.__truediv__, joint, randomizer.zero))

@claim("L1-mixture", """Lemma 1, proof, third line of the display: (alpha P_1 + (1 - alpha) P_0)/P_0 = `1 + alpha
    (P_1/P_0 - 1)`. Exact: the same
    Why: Divide: alpha P_1/P_0 + 1 - alpha.""")
def _() -> Finding:
    true = (alpha * one + (1 - alpha) * zero) / zero
    return identity(1 + alpha * (one / zero - 1), true, at={alpha: "1/3", one: "1/2", zero: "1/4"})

claim("L1-privacy", PRIVATE,
    lambda e, S: all(exp(-2 * e) < exp(-e) <= x <= exp(e) < exp(2 * e) for x in map(F.__truediv__, S.one, S.zero)), """
    Lemma 1, proof, second display: By local privacy, e^{-2 epsilon} <= P[S(1) = c]/P[S(0) = c] <= e^{2 epsilon}.
    Assuming: epsilon-local privacy Shown: e^(-2 epsilon)..e^(2 epsilon) vs e^-epsilon..e^epsilon, by the usual
    definition
    Why: The usual definition compares a person's two bits and gives e^{-epsilon} and e^epsilon, which is more than the
    line says; e^{2 epsilon} is what it gives when neighbours differ by adding or removing a record, as changing one is
    then two steps. The line is true either way. With the 2 gone, Lemma 1 holds for every epsilon <= 1 (see
    L1-r-upper).""")

@claim("L1-scaled", SCALED, proof=lambda: identity((1 + alpha * (w - 1)).diff(w), alpha, at={alpha: "1/3"}), text="""
    Lemma 1, proof, third display: 1 + alpha (e^{-2 epsilon} - 1) <= r_i <= 1 + alpha (e^{2
    epsilon} - 1). Shown: 1 + alpha (e^(+-2 epsilon) - 1) vs the same
    Why: w -> 1 + alpha (w - 1) rises, as alpha > 0, so it keeps the inequalities; the map is a polynomial of degree 1
    in w with slope alpha.""")
def _(level: F, rate: F) -> Answer:
    low, high = (1 + rate * (exp(side * 2 * level) - 1) for side in (-1, 1))
    return all(low <= r <= high for one in randomizers(odds_below(2 * level)) for r in one.ratios(rate))

@claim("L1-exp", POINTS, lambda x: exp(2 * x) < 1 + 4 * x, given=lambda: f"{LIMIT:12}" == "0.628215604313...",
    only=lambda x: x <= LIMIT.lower, sharp=True,
    show=lambda x: f"x = {x}: e^(2x) = {exp(2 * x):6}, 1 + 4x = {1 + 4 * x}", text=r"""
    Lemma 1, proof, Taylor, first inequality: e^{2x} < 1 + 4x for `0 < x <= 1`. Quote: $e^2x < 1 + 4x$ ... for $0 < x
    \leq 1$ Assuming: e^{2x} for the printed e^2 x Exact: 0 < x < 0.628215604313... Only: 0 < x < 0.628215604313...
    Why: e^{2x} - 1 - 4x is convex, 0 at 0 and falling there, so it is negative exactly up to its one positive root, x =
    0.62821560..., found by bisection with certified signs. At x = 1, e^2 = 7.39 against 5. As printed, with the
    exponent slipped, e^2 x < 1 + 4x would end even earlier, at 0.295.""")
def _() -> None:
    x = F(7, 10)
    below_e_2x = sum((2 * x) ** j / factorial(j) for j in range(8))
    assert below_e_2x > 1 + 4 * x

claim("L1-exp-minus", FIFTIETHS, lambda x: 1 - exp(-2 * x) < 2 * x, """
    Lemma 1, proof, Taylor, second inequality: 1 - e^{-2x} < 2x for `0 < x <= 1`. Exact: every x > 0
    Why: e^y > 1 + y for y != 0, a convex function above its tangent at 0; y = -2x. It holds for every x > 0.""")

claim("L1-log-plus", SIGNED, lambda x: log(1 + x) <= x, """
    Lemma 1, proof, last sentence: `log(1 + x) <= x`. Assuming: x > -1 Exact: with = at 0 only
    Why: The logarithm is concave and lies below its tangent at 1.""")

claim("L1-log-minus", Range.of("x", "x = 1/100..79/100", [F(i, 100) for i in range(1, 80)]),
    lambda x: log(1 - x) >= -2 * x, given=lambda: log(F(2)) < 1, text="""
    Lemma 1, proof, last sentence: log(1 - x) >= -2x for `0 < x <= 1/2`. Exact: up to 0.79
    Why: log(1 - x) + 2x is concave, 0 at x = 0 and 1 - log 2 > 0 at x = 1/2, so it is not negative between. It stays so
    up to x = 0.7968..., the root of 1 - x = e^{-2x}.""")

@claim("L1-half", Range.of("n", "n = 1..100", range(1, 101)), only=lambda people: people >= 7, sharp=True,
    show=lambda people: f"n = {people}: x = {2 / sqrt(F(people)):4}", text=r"""Lemma 1, proof, last sentence: log(1 - x)
    >= -2x gives the second line of the lemma, x = 2 alpha epsilon being in its range. Quote: Using ... $\log(1-x) \geq
    -2x$ for $0 < x \leq 0.5$ we get the second inequality Assuming: alpha = 1/(epsilon sqrt n), so that x = 2/sqrt(n)
    whatever epsilon is Shown: any n vs n >= 16 Only: n >= 16 (x <= 1/2); the inequality from n = 7 on
    Why: x <= 1/2 asks for n >= 16, which the notes do not assume. log(1 - x) >= -2x itself is true for n >= 7 and false
    for n <= 6. The conclusion V_i >= -4 alpha epsilon needs none of this: it holds for every n by concavity
    (L1-V-lower).""")
def _(people: int) -> Answer:
    x = 2 / sqrt(F(people))
    sure((x <= F(1, 2)) == (people >= 16), "x <= 1/2 is not n >= 16")
    return (1 - x).lower > 0 and log((1 - x).lower) >= -2 * x
@script
def _() -> None:
    epsilon, alpha = 1, F(1, 2)  # n = 4: alpha = 1/(epsilon sqrt n)
    x = 2 * alpha * epsilon
    assert x == 1 > F(1, 2)
    assert 1 - x == 0

# --- Lemma 2 ------------------------------------------------------------------------------------------------------
class Case(NamedTuple):
    """A randomizer with likelihood ratios within e^{2 epsilon}, and the rate."""

    epsilon: F
    rate: F
    randomizer: Randomizer

    def __str__(self) -> str:
        sides = ", ".join(map(str, self.randomizer.zero)), ", ".join(map(str, self.randomizer.one))
        return f"epsilon = {self.epsilon}, alpha = {self.rate}, given 0: ({sides[0]}), given 1: ({sides[1]})"

    @property
    def classes(self) -> list[tuple[F, F, F]]:  # (b, P[S(X_i) in B_b], P[S(0) in B_b]) for every b that occurs
        ratios, sides = self.randomizer.ratios(self.rate), (self.randomizer.mixed(self.rate), self.randomizer.zero)
        masses = {r: [sum(w for w, s in zip(side, ratios, strict=True) if s == r) for side in sides] for r in ratios}
        return [(r - 1, F(under_a), F(under_0)) for r, (under_a, under_0) in masses.items()]

    def sum(self, term: Callable[[F], F]) -> F:  # sum over b of P[S(X_i) in B_b] term(b)
        return sum((under_a * term(value) for value, under_a, _ in self.classes), F(0))

    @property
    def mean(self) -> Enclosure:  # E V_i, by the package
        return lemmas.lemma_2(self.randomizer, rate=self.rate, epsilon=self.epsilon).left

def cases() -> Iterator[Case]:
    """alpha = 1/(epsilon root) with root^2 people. At epsilon = 1 the odds are 7, so that a witness is short."""
    for level, root in product((F(1), F(1, 10), F(1, 2), F(3, 5)), (1, 2, 4, 10)):
        odds = F(7) if level == 1 else odds_below(2 * level)
        yield from (Case(level, 1 / (level * root), one) for one in randomizers(odds) if level * root >= 1)

def outside(level: F, factor: int) -> list[F]:
    """The values of r_i - 1 beyond the range of Lemma 1, ratios within e^{factor epsilon}, alpha = 1/100."""
    rate = F(1, 100)
    found = [r - 1 for one in randomizers(odds_below(factor * level)) for r in one.ratios(rate)]
    return [value for value in found if not -2 * rate * level <= value <= 4 * rate * level]

def laplace(x: F) -> Enclosure:  # the distribution function of Laplace noise of scale 1
    return exp(x) / 2 if x <= 0 else 1 - exp(-x) / 2

CASES = Range("case", "epsilon = 1/10..1, n = 1, 4, 16, 100 where alpha <= 1, four randomizers each", cases)
LEVELS = Range.of("epsilon", "epsilon = 1/20..1, four randomizers each", [F(i, 20) for i in range(1, 21)])
VALUES = Range.of("b", "b = -17/20..4", [F(i, 20) for i in range(-17, 81)])
BETAS = Range.of("beta, share", "beta = 1/40..1, b = -beta..2 beta",
    [F(j, 40) for j in range(1, 41)], [F(i, 10) for i in range(-10, 21)])

@claim("L2-countable", """Lemma 2, proof, note: The possible outputs of a sanitizer are `countable` because its inputs
    are only 0 and 1 and its messages bounded in number. Quote: As the inputs are only 1 or 0, the set of possible
    outputs has to be countable Exact: countable for messages of bits Only: messages of finitely many bits, which
    "restricted communication" may mean
    Why: That the inputs are only 0 and 1 does not do it: one message can be any real number: x plus Laplace noise of
    scale 1/epsilon is epsilon-locally private and has a density of at most epsilon/2. Were its outputs countable, they
    could be covered by intervals of total length 1/epsilon and have a probability of at most 1/2, not 1. Countability
    needs messages of finitely many bits. The lemma does not need it: with integrals in place of sums the proof reads
    the same. Computed: the probability of an interval, given either bit, is less than its length times epsilon/2, so no
    output has a positive one; and the two are within e^epsilon between the bits (outside, their ratio is just
    that).""")
def _() -> Finding:
    starts, lengths = [F(i, 3) for i in range(-8, 12)], (F(1, 10), F(1, 10**6))
    for level, start, length in product((F(1, 2), F(1)), starts, lengths):
        given = [laplace(level * (start + length - bit)) - laplace(level * (start - bit)) for bit in (0, 1)]
        sure(all(0 < mass < length * level / 2 for mass in given), "an interval has more than its length")
        if start >= 0 and start + length <= 1:
            sure(given[0] < exp(level) * given[1] and given[1] < exp(level) * given[0], "Laplace noise is not private")
    witness = "x + Laplace noise of scale 1/epsilon: every output has probability 0"
    return Finding(Ruling.ONLY_FOR, known=Known.ARGUED, tested="epsilon = 1/2, 1, intervals around the bits (80 cases)",
        witness=witness)
@script
def _() -> None:
    q = F(1, 4)  # S(x): the sum of a randomized response to x and a uniform number in [0, 1); p/q = 3
    density = {(x, c): 1 - q if x == c else q for x in (0, 1) for c in (0, 1)}  # on [c, c + 1)
    lengths = [F(1, 2 ** (i + 2)) for i in range(60)]  # any countable set fits into intervals of these lengths
    assert max(density.values()) * sum(lengths) < F(1, 2) < sum(density[0, c] for c in (0, 1)) == 1

@claim("L2-values", LEVELS, lambda level: not outside(level, 2),
    given=lambda: not any(outside(level, 1) for level in LEVELS), only=lambda level: level <= LIMIT.upper, sharp=True,
    show=lambda level: f"epsilon = {level}, alpha = 1/100: b = {outside(level, 2)[0]} > {level / 25}", text="""
    Lemma 2, proof, definition of B_b: r_i - 1 has no values b outside `-2 alpha epsilon..4 alpha epsilon`. Quote: Lemma
    1 implies there are no other possible values for b Assuming: 0 < epsilon <= 1, likelihood ratios within e^{2
    epsilon} Exact: alpha (e^(-2 epsilon) - 1)..alpha (e^(2 epsilon) - 1) Only: epsilon <= 0.628215...; epsilon <= 1 for
    ratios within e^epsilon
    Why: It is the first line of Lemma 1, which holds for epsilon up to 0.6282... only; with the usual ratio e^epsilon
    it holds for all epsilon <= 1. The true range is alpha (e^{-2 epsilon} - 1)..alpha (e^{2 epsilon} - 1).""")
def _() -> None:
    epsilon, alpha, w = 1, F(1, 100), 7  # w = P[S(1) = c]/P[S(0) = c], randomized response with q = 1/8
    assert w < sum(F(2 * epsilon) ** j / factorial(j) for j in range(9))  # so w < e^(2 epsilon)
    assert alpha * (w - 1) > 4 * alpha * epsilon

claim("L2-mass", CASES, lambda case: all(under_0 == under_a / (1 + value) for value, under_a, under_0 in case.classes),
    """Lemma 2, proof, first display, third line: P[S(0) in B_b] = P[S(X_i) in B_b]/(1 + b). Shown: P_A[B_b]/(1 + b) vs
    the same
    Why: Each message c in B_b has P[S(X_i) = c] = (1 + b) P[S(0) = c]; add these up over B_b. 1 + b > 0, as the
    likelihood ratios are positive.""")

@claim("L2.1", VALUES, lambda v: 1 / (1 + v) <= 1 - v + 2 * v**2,
    proof=lambda: identity(1 - b + 2 * b**2 - 1 / (1 + b), b**2 * (1 + 2 * b) / (1 + b), at={b: "1/3"}),
    only=lambda v: v >= F(-1, 2), sharp=True, show=lambda v: f"b = {v}: {1 / (1 + v)} > {1 - v + 2 * v**2}", text=r"""
     Lemma 2, proof, the line tagged (1): 1/(1 + b) <= 1 - b + 2 b^2, so P[S(0) in B_b] <= (1 - b + 2 b^2) P[S(X_i) in
    B_b]. Quote: &\leq (1 - b +2b^2)\mathbb{P}[S(X_i) \in B_b] Assuming: alpha = 1/(epsilon sqrt n) Shown: 1 - b + 2
    b^2, any n vs b >= -1/2 Only: b >= -1/2, which n >= 16 grants
    Why: The right side less the left one is b^2 (1 + 2b)/(1 + b): it holds exactly for b >= -1/2, where b > -1. As b >=
    -2 alpha epsilon = -2/sqrt(n), n >= 16 grants that; for fewer people b can be below -1/2. The series alone, 1 - b +
    b^2 - ..., does not show it, as its cubic term has the wrong sign for b < 0.""")
def _() -> None:
    alpha, w = 1, F(1, 7)  # n = 1, epsilon = 1, randomized response with q = 1/8; e^-2 < 1/7
    b = alpha * (w - 1)
    assert 1 / (1 + b) == 7 > 1 - b + 2 * b**2

@claim("L2-mean", CASES, """Lemma 2, proof, second display, first two lines: E[V_i] is the sum over b of P[S(X_i) in
    B_b] log(1 + b). Shown: sum P_A[B_b] log(1 + b) vs the same
    Why: V_i = log r_i takes the value log(1 + b) on B_b, and the B_b are disjoint and hold every message.""")
def _(case: Case) -> Answer:
    gap = case.mean - sum((under_a * log(1 + value) for value, under_a, _ in case.classes), Enclosure.of(0))
    return gap.lower <= 0 <= gap.upper < F(1, 10**30)

claim("L2.2", CASES, lambda case: case.mean <= case.sum(lambda value: value), """
    Lemma 2, proof, the line tagged (2): sum P[S(X_i) in B_b] log(1 + b) <= sum P[S(X_i) in B_b] b. Shown: sum P_A[B_b]
    b vs an upper bound
    Why: log(1 + b) <= b term by term, the probabilities being positive.""")

@claim("L2-split", CASES, proof=lambda: identity(b, (1 + 2 * b**2) - (1 - b + 2 * b**2), at={b: "1/3"}), text="""
    Lemma 2, proof, second display, fourth line: sum P[S(X_i) in B_b] b = sum P[S(X_i) in B_b] (1 + 2 b^2) - sum
    P[S(X_i) in B_b] (1 - b + 2 b^2). Shown: the difference of two sums vs sum P_A[B_b] b = E_A r_i - 1
    Why: b = (1 + 2 b^2) - (1 - b + 2 b^2), and the sums are linear. The left side is E_A r_i - 1, which is summed over
    the messages, the right side over the classes B_b.""")
def _(case: Case) -> Answer:
    pairs = zip(case.randomizer.mixed(case.rate), case.randomizer.ratios(case.rate), strict=True)
    left = sum(under_a * ratio for under_a, ratio in pairs) - 1
    return left == case.sum(lambda v: 1 + 2 * v**2) - case.sum(lambda v: 1 - v + 2 * v**2)

def left_over() -> Finding:  # with b = -beta + 3 beta v/(1 + v), which for v >= 0 is -beta..2 beta
    inside = -beta + 3 * beta * w / (1 + w)
    room = 1 + 2 * (2 * beta) ** 2 - (1 + 2 * b**2)
    sure(bool(room.subs(b, inside).factor().is_nonnegative), "the room is not a sum of positive terms")
    return identity(room, 2 * (2 * beta - b) * (2 * beta + b), at={beta: "1/3", b: "1/4"})

claim("L2-largest", BETAS, lambda size, share: 1 + 2 * (size * share) ** 2 <= 1 + 2 * (2 * size) ** 2, proof=left_over,
    text="""
    Lemma 2, proof, second display, fifth line: 1 + 2 b^2 <= `1 + 2 (2 beta)^2` under the sum. Assuming: -beta <= b <= 2
    beta, beta = 2 alpha epsilon Exact: the same
    Why: |b| <= max(beta, 2 beta) = 2 beta. That b can be larger from epsilon = 0.6282... on is L2-values.""")

@claim("L2.3", CASES, only=lambda case: 2 * case.rate * case.epsilon <= F(1, 2), text=r"""
    Lemma 2, proof, the line tagged (3): -sum P[S(X_i) in B_b] (1 - b + 2 b^2) <= -sum P[S(0) in B_b]. Quote: -
    \sum+_{-\beta \leq b \leq 2\beta} \mathbb{P}[S(0) \in B_b] Assuming: alpha = 1/(epsilon sqrt n) Shown: any n vs n >=
    16 Only: n >= 16, that is 2 alpha epsilon <= 1/2
    Why: It rests on the line tagged (1), which holds for b >= -1/2 only; n >= 16 suffices. In full, the difference of
    the sides is E_0 [b^2 (1 + 2b)], which a lopsided randomizer makes negative for few people: a message with
    probability 1/10 given a 0 and 1/70 given a 1. Lemma 2 itself is true there too (L2).""")
def _(case: Case) -> Answer:
    holds = -case.sum(lambda v: 1 - v + 2 * v**2) <= -sum(case.randomizer.zero)
    difference = sum(under_0 * v**2 * (1 + 2 * v) for v, _, under_0 in case.classes)
    sure(holds == (difference >= 0), "the difference of the sides is not E_0 [b^2 (1 + 2 b)]")
    return holds
@script
def _() -> None:
    zero, one, alpha = (F(1, 10), F(9, 10)), (F(1, 70), F(69, 70)), 1  # n = 1, epsilon = 1; ratios 1/7 and 23/21
    mixed = [alpha * w + (1 - alpha) * a for a, w in zip(zero, one, strict=True)]
    b = [m / a - 1 for m, a in zip(mixed, zero, strict=True)]
    assert -sum(m * (1 - x + 2 * x**2) for m, x in zip(mixed, b, strict=True)) > -sum(zero)

@claim("L2-union", CASES, given=lambda: same(1 + 2 * (2 * beta) ** 2, 1 + 8 * beta**2, at={beta: "1/3"}), text="""
    Lemma 2, proof, second display, seventh line: The sums are (1 + 8 beta^2) P[S(X_i) in the union of the B_b] and
    P[S(0) in the union]. Shown: (1 + 8 beta^2) P_A - P_0 vs the same
    Why: The B_b are disjoint, a message having one ratio, so the probabilities add up; and 2 (2 beta)^2 = 8 beta^2.""")
def _(case: Case) -> Answer:
    totals = [sum(column) for column in list(zip(*case.classes, strict=True))[1:]]
    return totals == [sum(case.randomizer.mixed(case.rate)), sum(case.randomizer.zero)]

claim("L2-one", CASES, lambda case: all(sum(column) == 1 for column in list(zip(*case.classes, strict=True))[1:]), """
    Lemma 2, proof, second display, eighth line: (1 + 8 beta^2) P[S(X_i) in the union] - P[S(0) in the union] <= (1 + `8
    beta^2`) 1 - 1. Exact: =, both probabilities being 1
    Why: Every message has a ratio, so both probabilities are 1 and it is an equality. That P[S(0) in the union] is 1
    and not less is needed, as it is subtracted: a message that a 0 never sends would have no ratio, but then, by
    privacy, a 1 never sends it either.""")

claim("L2-32", lambda: identity(32 * w**2, (1 + 8 * beta**2 - 1).subs(beta, 2 * w), at={w: "1/3"}), """
    Lemma 2, proof, last line: (1 + 8 beta^2) - 1 = `32 (alpha epsilon)^2`. Assuming: beta = 2 alpha epsilon Exact: the
    same
    Why: 8 (2 alpha epsilon)^2 = 32 (alpha epsilon)^2.""")

# --- Lemma 3 ------------------------------------------------------------------------------------------------------
COINS, LEVEL = RandomizedResponse("2/7"), F(1, 2)  # p/q = 5/2 < e: randomized response that epsilon = 1/2 allows

def tail(v: Enclosure) -> Enclosure:
    """P_A[sum V_i > v] at n = 400, alpha = 1/10, a tail of the count of ones, with which the sum rises."""
    first, last = (floor(crossing(COINS, n=400, rate=F(1, 10), v=end)) + 1 for end in (v.lower, v.upper))
    sure(first == last, "the threshold is not certain")
    return binomial_at_least(400, Randomizer.of(response(COINS.odds)).mixed(F(1, 10))[1], first)

def shifted(v: F, bounds: int) -> Enclosure:  # P_A[sum V_i > v + sum E V_i - bounds 32 alpha^2 epsilon^2]
    mean = lemmas.lemma_2(Randomizer.of(response(COINS.odds)), rate=F(1, 10), epsilon=LEVEL).left
    return tail(v + 400 * mean - bounds * 32 * F(1, 100) * LEVEL**2)

VIEWS = Range.of("S, v, view", "four randomizers, two v, every view of three",
    randomizers(F(3)), map(F, ("1/5", "1")), product(range(3), repeat=3))
SUMS = Range.of("S, v", "four randomizers, two v, every view of three", randomizers(F(3)), map(F, ("1/5", "1")))
SMALL = Range.of("n, alpha, beyond", "n = 20, 100, 400, three alphas, four v",
    (20, 100, 400), (F(1, 200), F(1, 50), F(1, 10)), (F(1, 1000), F(1, 10), F(1), F(5)))

RARE = Range.of("j", "epsilon = 1, n = 10^4, j = 2..9", range(2, 10))

@claim("L3.1", VIEWS, """Lemma 3, proof, the line tagged (1): P_A[r(C) > e^v] = P_A[sum V_i > v]. Shown: the same event
    Why: The logarithm is strictly increasing and log r = sum V_i, so the events are the same.""")
def _(randomizer: Randomizer, v: F, view: tuple[int, ...]) -> Answer:
    factors = [randomizer.ratios(F(1, 2))[c % len(randomizer.zero)] for c in view]
    return (exp(v) < prod(factors)) == (sum(map(log, factors), Enclosure.of(0)) > v)

@claim("L3-centred", SUMS, """Lemma 3, proof, second line: P_A[sum V_i > v] = P_A[sum V_i - sum E V_i > v - sum E V_i].
    Shown: S > v vs the same event
    Why: The same number is subtracted on both sides, so the events are the same.""")
def _(randomizer: Randomizer, v: F) -> Answer:
    ratios, mixed = randomizer.ratios(F(1, 2)), randomizer.mixed(F(1, 2))
    means = 3 * lemmas.lemma_2(randomizer, rate=F(1, 2), epsilon=1).left
    plain = centred = F(0)
    for view in product(range(len(ratios)), repeat=3):
        weight, logs = prod(mixed[c] for c in view), sum((log(ratios[c]) for c in view), Enclosure.of(0))
        plain += weight * (exp(v) < prod(ratios[c] for c in view))
        centred += weight * (logs - means > v - means)
    return plain == centred

@claim("L3.2", Range.of("v", "n = 400, epsilon = 1/2, p/q = 5/2, v = 33, 36, 40", map(F, (33, 36, 40))),
    lambda v: (tail(Enclosure.of(v)) <= shifted(v, 1), True, tail(Enclosure.of(v)) <= shifted(v, 400)),
    show=lambda v: f"n = 400, epsilon = 1/2, p/q = 5/2, v = {v}: {tail(Enclosure.of(v)):4} > {shifted(v, 1):4}",
    text=r"""Lemma 3, proof, the line tagged (2): P_A[sum V_i - sum E V_i > v - sum E V_i] <= P_A[sum V_i - sum E V_i >
    `v - 32 alpha^2 epsilon^2`]. Quote: > v - 32\alpha^2\epsilon^2\Big] Exact: v - 32 n alpha^2 epsilon^2
    Why: Lemma 2 bounds each of n means, so their sum is at most n 32 alpha^2 epsilon^2; the n is missing here and
    stands in the next line. Without it the inequality goes the wrong way as soon as the sum of the means exceeds one
    bound. The probabilities are exact: sum V_i rises with the count of ones among the reports, which is binomial.""")
def _() -> None:
    n, epsilon, alpha, q = 400, F(1, 2), F(1, 10), F(2, 7)  # p/q = 5/2 < e
    under_A = q + alpha * (1 - 2 * q)
    mean_at_least = n * 2 * (under_A - q) ** 2  # a divergence is at least 2 (difference)^2, by Pinsker
    assert mean_at_least > 32 * alpha**2 * epsilon**2  # so v - sum E V_i < v - 32 alpha^2 epsilon^2

@claim("L3.3", SMALL, """Lemma 3, proof, the line tagged (3): P_A[sum V_i - sum E V_i > v - 32 n alpha^2 epsilon^2] <=
    exp(-2 (v - 32 n alpha^2 epsilon^2)^2/(64 n alpha^2 epsilon^2)). Assuming: 0 < epsilon <= 1, v > 32 n alpha^2
    epsilon^2 Shown: range 8 alpha epsilon vs range below 7.26 alpha epsilon
    Why: Hoeffding: independent terms in intervals of lengths w_i exceed their mean by u with probability at most exp(-2
    u^2/sum w_i^2), and with w_i <= 8 alpha epsilon the denominator is 64 n alpha^2 epsilon^2. The range is even less
    than 7.26 alpha epsilon, for all epsilon <= 1 (see L3), so this holds although Lemma 1 is cited beyond its range;
    with the lower end -2 alpha epsilon, 8 can be 6 up to epsilon = 0.6282..., and 64 becomes 36.""")
def _(people: int, rate: F, beyond: F) -> Answer:
    scale = people * (rate * LEVEL) ** 2
    found = lemmas.lemma_3(COINS, n=people, rate=rate, epsilon=LEVEL, v=32 * scale + beyond)
    return found.left <= exp(-2 * beyond**2 / (64 * scale))

@claim("L3-cites", RARE, show=lambda j: f"P_A = 10^-{j}, P_0 = 10^-{j + 3} on one message: V = log 1000 > 4/100",
    text="""Lemma 3, proof, reason given for the line tagged (3): It is `Lemma 2` that bounds V_i from above and below.
    Quote: Hoeffding on bounded variables, from Lemma 2, we get $V_i$ is upper and lower bounded Exact: Lemma 1
    Why: Lemma 2 bounds the mean, Lemma 1 the values. A message that is very rare leaves the mean small however large
    its log ratio is: for P_A = 10^-j and P_0 = 10^-j/1000 it is log 1000 = 6.9, far beyond 4 alpha epsilon.""")
def _(j: int) -> Answer:
    rate, under_a, under_0 = F(1, 100), F(1, 10**j), F(1, 1000 * 10**j)
    values = log(under_a / under_0), log((1 - under_a) / (1 - under_0))
    bounded = all(-4 * rate <= v and v <= 4 * rate for v in values)
    said = under_a * values[0] + (1 - under_a) * values[1] > 32 * rate**2 or bounded
    lines = lemmas.lemma_1(randomizers(F(3))[j % 4], rate=rate, epsilon="3/5")
    return said, True, lines[2].holds and lines[3].holds
@script
def _() -> None:
    epsilon, alpha = 1, F(1, 100)  # n = 10^4, 4 alpha epsilon = 1/25; two messages, one of them rare
    P_A, P_0 = (F(1, 10**6), 1 - F(1, 10**6)), (F(1, 10**9), 1 - F(1, 10**9))
    log_ratio_at_most = (P_A[0] / P_0[0] - 1, P_A[1] / P_0[1] - 1)  # log x <= x - 1
    mean_at_most = sum(a * x for a, x in zip(P_A, log_ratio_at_most, strict=True))
    assert mean_at_most < 32 * alpha**2 * epsilon**2
    assert P_A[0] / P_0[0] == 1000 > 2  # V > log 2 > 1/25

@claim("L3-last", """Lemma 3, proof, last line: exp(-2 (v - 32 n alpha^2 epsilon^2)^2/(64 n alpha^2 epsilon^2)) =
    `exp(-(v - 32)^2/32)`. Assuming: alpha = 1/(epsilon sqrt n) Exact: the same
    Why: n alpha^2 epsilon^2 = 1, and 2/64 = 1/32.""")
def _() -> Finding:
    v, level, rate = (Symbol(name, positive=True) for name in ("v", "epsilon", "alpha"))
    scale = n * rate**2 * level**2
    exponent = (2 * (v - 32 * scale) ** 2 / (64 * scale)).subs(rate, 1 / (level * n ** Rational(1, 2)))
    return identity((v - 32) ** 2 / 32, exponent, at={v: 40, level: "1/2", n: 100})
