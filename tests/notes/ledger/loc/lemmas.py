"""LOC, the proofs of Lemmas 1 to 3, line by line; beta stands for 2 alpha epsilon."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction as F
from itertools import product
from math import floor, prod
from typing import NamedTuple

from sympy import Symbol

from dpcalc import Enclosure, RandomizedResponse, binomial_at_least
from dpcalc.notes.barrier.lower_bound import Randomizer, crossing
from dpcalc.numbers.elementary import exp, log, sqrt
from dpcalc.numbers.limit import Limit
from tests.notes.barrier import lemmas
from tests.notes.ledger.cases import odds_below, randomizers, response
from tests.notes.ledger.checking import same, sure
from tests.notes.ledger.ledger import Answer, Finding, Known, Ledger, Range, Ruling
from tests.notes.ledger.loc.cases import hoeffding


def within(e: F, x: F) -> bool:
    """Whether exp(-e) <= x <= exp(e), however near they are."""
    return Limit.exp(e).allows(x) and Limit.exp(e).allows(1 / x)


ledger = Ledger("LOC")
claim, erratum = ledger.claim, ledger.erratum
# fmt: off

alpha, one, zero, beta, w = (Symbol(name, positive=True) for name in ("alpha", "P_1", "P_0", "beta", "w"))
b = Symbol("b", real=True)
TENTHS = tuple(F(i, 10) for i in range(1, 11))
RATES = (F(1, 100), F(1, 4), F(1))

MIXED = Range.of("S, rate", "eight randomizers, three rates", [*randomizers(F(3, 2)), *randomizers(F(7))], RATES)
PRIVATE = Range.of("epsilon, S", "epsilon = 1/10..1, four randomizers each",
    ((e, one) for e in TENTHS for one in randomizers(RandomizedResponse.from_epsilon(e).odds)))
LIMIT = lemmas.lemma_1_limit()
POINTS = Range.of("x", "x = 1/10..1, 1/50..1 and both ends of the root",
    [*TENTHS, *(F(i, 50) for i in range(1, 51)), LIMIT.lower, LIMIT.upper])

@claim("L1.1", MIXED)
def _(randomizer: Randomizer, rate: F) -> Answer:
    sides = ((1 - rate, randomizer.zero), (rate, randomizer.one))
    joint = [sum((chance * side[c] for chance, side in sides), F(0)) for c in range(len(randomizer.zero))]
    return randomizer.ratios(rate) == tuple(map(F.__truediv__, joint, randomizer.zero))

claim("L1-privacy", PRIVATE,
    lambda e, S: exp(e) < exp(2 * e) and all(within(e, x) for x in map(F.__truediv__, S.one, S.zero)))

claim("L1-exp", POINTS, lambda x: exp(2 * x) < 1 + 4 * x, given=lambda: f"{LIMIT:12}" == "0.628215604313...",
    only=lambda x: x <= LIMIT.lower, sharp=True,
    show=lambda x: f"x = {x}: e^(2x) = {exp(2 * x):6}, 1 + 4x = {1 + 4 * x}")

claim("L1-log-minus", Range.of("x", "x = 1/100..79/100", [F(i, 100) for i in range(1, 80)]),
    lambda x: log(1 - x) >= -2 * x, given=lambda: log(F(2)) < 1)

@claim("L1-half", Range.of("n", "n = 1..100", range(1, 101)), only=lambda people: people >= 7, sharp=True,
    show=lambda people: f"n = {people}: x = {2 / sqrt(F(people)):4}")
def _(people: int) -> Answer:
    x = 2 / sqrt(F(people))
    sure((x <= F(1, 2)) == (people >= 16), "x <= 1/2 is not n >= 16")
    return (1 - x).lower > 0 and log((1 - x).lower) >= -2 * x

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

@claim("L2-countable")
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

claim("L2-values", LEVELS, lambda level: not outside(level, 2),
    given=lambda: not any(outside(level, 1) for level in LEVELS), only=lambda level: level <= LIMIT.upper, sharp=True,
    show=lambda level: f"epsilon = {level}, alpha = 1/100: b = {outside(level, 2)[0]} > {level / 25}")

@erratum("L2.1")
def _() -> str:
    alpha, w = 1, F(1, 7)  # n = 1, epsilon = 1, randomized response with q = 1/8; e^-2 < 1/7
    b = alpha * (w - 1)
    assert 1 / (1 + b) == 7 > 1 - b + 2 * b**2
    return f"n = 1, epsilon = 1, q = 1/8, b = {b}: {1 / (1 + b)} > {1 - b + 2 * b**2}"

@claim("L2.3", CASES, only=lambda case: 2 * case.rate * case.epsilon <= F(1, 2))
def _(case: Case) -> Answer:
    holds = -case.sum(lambda v: 1 - v + 2 * v**2) <= -sum(case.randomizer.zero)
    difference = sum(under_0 * v**2 * (1 + 2 * v) for v, _, under_0 in case.classes)
    sure(holds == (difference >= 0), "the difference of the sides is not E_0 [b^2 (1 + 2 b)]")
    return holds

@claim("L2-union", CASES, given=lambda: same(1 + 2 * (2 * beta) ** 2, 1 + 8 * beta**2))
def _(case: Case) -> Answer:
    totals = [sum(column) for column in list(zip(*case.classes, strict=True))[1:]]
    return totals == [sum(case.randomizer.mixed(case.rate)), sum(case.randomizer.zero)]

claim("L2-one", CASES, lambda case: all(sum(column) == 1 for column in list(zip(*case.classes, strict=True))[1:]))

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

@claim("L3.1", VIEWS)
def _(randomizer: Randomizer, v: F, view: tuple[int, ...]) -> Answer:
    factors = [randomizer.ratios(F(1, 2))[c % len(randomizer.zero)] for c in view]
    return (exp(v) < prod(factors)) == (sum(map(log, factors), Enclosure.of(0)) > v)

@claim("L3-centred", SUMS)
def _(randomizer: Randomizer, v: F) -> Answer:
    ratios, mixed = randomizer.ratios(F(1, 2)), randomizer.mixed(F(1, 2))
    means = 3 * lemmas.lemma_2(randomizer, rate=F(1, 2), epsilon=1).left
    plain = centred = F(0)
    for view in product(range(len(ratios)), repeat=3):
        weight, logs = prod(mixed[c] for c in view), sum((log(ratios[c]) for c in view), Enclosure.of(0))
        plain += weight * (exp(v) < prod(ratios[c] for c in view))
        centred += weight * (logs - means > v - means)
    return plain == centred

claim("L3.2", Range.of("v", "n = 400, epsilon = 1/2, p/q = 5/2, v = 33, 36, 40", map(F, (33, 36, 40))),
    lambda v: (tail(Enclosure.of(v)) <= shifted(v, 1), True, tail(Enclosure.of(v)) <= shifted(v, 400)),
    show=lambda v: f"n = 400, epsilon = 1/2, p/q = 5/2, v = {v}: {tail(Enclosure.of(v)):4} > {shifted(v, 1):4}")

def third_line(beyond: F, scale: F) -> F:  # its exponent, but for the sign; scale = n alpha^2 epsilon^2
    return 2 * beyond**2 / (64 * scale)

@claim("L3.3", SMALL)
def _(people: int, rate: F, beyond: F) -> Answer:
    scale = people * (rate * LEVEL) ** 2
    found = lemmas.lemma_3(COINS, n=people, rate=rate, epsilon=LEVEL, v=32 * scale + beyond)
    said = third_line(beyond, scale)
    return found.left <= exp(-said) and said == hoeffding(beyond, people, 8 * rate * LEVEL)

@claim("L3-cites", RARE, show=lambda j: f"P_A = 10^-{j}, P_0 = 10^-{j + 3} on one message: V = log 1000 > 4/100")
def _(j: int) -> Answer:
    rate, under_a, under_0 = F(1, 100), F(1, 10**j), F(1, 1000 * 10**j)
    values = log(under_a / under_0), log((1 - under_a) / (1 - under_0))
    bounded = all(-4 * rate <= v and v <= 4 * rate for v in values)
    said = under_a * values[0] + (1 - under_a) * values[1] > 32 * rate**2 or bounded
    lines = lemmas.lemma_1(randomizers(F(3))[j % 4], rate=rate, epsilon=F(3, 5))
    return said, True, lines[2].holds and lines[3].holds
