"""LOC, step 2: Case I, the likelihood ratio of a view with Lemmas 1 to 3 as stated, Case II; and step 1.

Where a part needs what privacy grants, it is taken as the notes take it: likelihood ratios within e^{2 epsilon}.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction as F
from functools import cache
from itertools import islice, product
from math import comb, prod
from typing import NamedTuple

from dpcalc import Enclosure, KRandomization, RandomizedResponse, binomial_at_most, estimate, pmf
from dpcalc.laws.pool import Pool
from dpcalc.notes.barrier.lower_bound import Randomizer, barrier, distinguish
from dpcalc.numbers.elementary import exp, log, sqrt
from tests.notes.barrier import lemmas
from tests.notes.ledger.cases import distributions, odds_below, randomizers, response
from tests.notes.ledger.checking import sure
from tests.notes.ledger.ledger import Answer, Finding, Known, Ledger, Range, Ruling

ledger = Ledger("LOC")
claim, erratum = ledger.claim, ledger.erratum
# fmt: off

ODDS = F(3)  # p/q = 3, which e^{2 epsilon} allows from epsilon = 0.55 on
ANSWERS = tuple[int, ...]

# --- Case I -------------------------------------------------------------------------------------------------------
def setting(people: int) -> tuple[int, F, int]:
    """n, alpha and the least sum that counts as tau or more, for epsilon = 1."""
    rate = lemmas.loc_rate(n=people, epsilon=F(1))
    return people, rate, -int(-people * rate / 2 // 1)

def answering_one(people: int, rate: F, answers: ANSWERS) -> F:
    """P_A[D] when the curator answers answers[s] at s ones among the reports."""
    chance = Randomizer.of(response(ODDS)).mixed(rate)[1]
    return sum((c for c, answer in zip(Pool.of((chance, people)).pmf(), answers, strict=True) if answer), F(0))

def erring(people: int, rate: F, tau: int, answers: ANSWERS) -> F:
    """P_A[E], tau ones or more and the answer 0, from the joint distribution of ones and reports."""
    pool, total = KRandomization(n=people, q=1 / (1 + ODDS)), F(0)
    for ones in range(tau, people + 1):
        zero = sum(c for c, answer in zip(pmf(pool, ones=ones), answers, strict=True) if not answer)
        total += comb(people, ones) * rate**ones * (1 - rate) ** (people - ones) * zero
    return total

@cache
def never(people: int) -> F:  # P_A[E] of the protocol that always answers 0, epsilon = 1
    return erring(*setting(people), (0,) * (people + 1))

@cache
def slack(people: int) -> Enclosure:  # exp(-sqrt(n)/8)
    return exp(-sqrt(F(people)).value / 8)

def seldom() -> Iterator[tuple[int, ANSWERS]]:  # thresholds at which the answer is 1 with P_A[D] < 1/2
    for people, first in [*((36, first) for first in range(1, 38, 4)), (64, 20), (64, 24), (64, 65)]:
        answers = tuple(int(count >= first) for count in range(people + 1))
        if answering_one(*setting(people)[:2], answers) < F(1, 2):
            yield people, answers

SUMS = Range.of("tau, total, answer", "tau = 1..4, sums 0..8, both answers", range(1, 5), range(9), (0, 1))
CURATORS = Range.of("rate, tau, answers", "n = 4, p/q = 3, alpha = 1/5, 1/2, 9/10, tau = 1, 2, every curator",
    (F(1, 2), F(1, 5), F(9, 10)), (1, 2), product((0, 1), repeat=5))
ZEROS = Range.of("n, p", "epsilon = 1, n = 4..64, p = 1/20, 1/2, always answering 0",
    (4, 16, 36, 64), (F(1, 20), F(1, 2)))
ANY = Range.of("S, rate, tau, answers", "n = 2, nine randomizers, alpha = 1/5, 1/2, tau = 1, 2, every curator",
    product(distributions(2, 2), repeat=2), (F(1, 5), F(1, 2)), (1, 2), product((0, 1), repeat=4))

@claim("s-caseI-complement", SUMS)
def _(tau: int, total: int, answer: int) -> Answer:
    error = total >= tau and answer == 0
    return (total <= tau or answer == 1) == (not error), True, (total < tau or answer == 1) == (not error)

claim("s-caseI-union", CURATORS,
    lambda rate, t, a: 1 - erring(4, rate, t, a) <= answering_one(4, rate, a) + binomial_at_most(4, rate, t))

claim("s-caseI-zero", ZEROS, lambda people, p: (1 - never(people) <= p, True, 1 - never(people) <= p + slack(people)),
    show=lambda n, p: f"n = {n}, epsilon = 1, p = {p}: P_A[E^c] = {1 - never(n)}")

claim("s-caseI-error", ZEROS, lambda people, p: (never(people) >= 1 - p, True, never(people) >= 1 - p - slack(people)),
    show=lambda n, p: f"n = {n}, epsilon = 1, p = {p}: P_A[E] = {never(n)}")

@claim("s-caseI-constant", Range("n, answers", "epsilon = 1, n = 36, 64, thresholds with P_A[D] < 1/2", seldom))
def _(people: int, answers: ANSWERS) -> Answer:
    chance = erring(*setting(people), answers)
    floor = 1 - answering_one(*setting(people)[:2], answers) - slack(people)
    return chance >= floor and F(1, 2) - slack(people) > 0 < chance

@claim("s-caseI-kill")
def _() -> Finding:
    coins, exponents = RandomizedResponse("1/4"), ("1/3", "1/2", "2/3")
    small, middle, large = (barrier(coins, 10**6, scale=1, exponent=e)[0] for e in exponents)
    killed = small.short < F(1, 10**5) and small.failure > middle.failure > large.error
    text = f"P[fewer than half] = {small.short:4}, failure >= {small.failure:4} ({middle.failure:4} with sqrt n)"
    return Finding(Ruling.REFUTED if killed else Ruling.HOLDS, tested="n = 10^6, p/q = 3",
        witness=f"n^(1/3) = 100 ones: {text}")

@claim("s-caseI-no-privacy", ANY)
def _(laws: tuple[tuple[F, ...], ...], rate: F, tau: int, answers: ANSWERS) -> Answer:
    pairs = list(product((0, 1), repeat=2))
    drawn = {bits: prod((rate if x else 1 - rate for x in bits), start=F(1)) for bits in pairs}
    runs = [(chance * laws[bits[0]][view[0]] * laws[bits[1]][view[1]], sum(bits), answer)
            for bits, chance in drawn.items() for view, answer in zip(pairs, answers, strict=True)]
    complement = sum(w for w, ones, answer in runs if not (ones >= tau and answer == 0))
    return complement <= sum(w for w, _, answer in runs if answer) + binomial_at_most(2, rate, tau)

# --- the likelihood ratio and the lemmas --------------------------------------------------------------------------
class Case(NamedTuple):
    """A randomizer with likelihood ratios within e^{factor epsilon}, and the epsilon and rate a lemma is tried at."""

    factor: int
    epsilon: F
    rate: F
    randomizer: Randomizer

    def __str__(self) -> str:
        return f"epsilon = {self.epsilon}, alpha = {self.rate}, p/q just below e^({self.factor * self.epsilon})"

EPSILONS = tuple(map(F, ("1/10", "1/2", "0.62", "0.65", "4/5", "1")))
RATIOS = (F(1, 100), F(1, 10), F(1, 2), F(1))

def sampled(*, factor: int = 2, epsilons: tuple[F, ...] = EPSILONS) -> Iterator[Case]:
    """Cases with likelihood ratios within e^{factor epsilon}; randomized response, the extreme one, comes first."""
    for level, rate in product(epsilons, RATIOS):
        yield from (Case(factor, level, rate, one) for one in randomizers(odds_below(factor * level)))

def line(number: int, case: Case) -> bool:
    """Whether one of the four inequalities of Lemma 1, with its minus sign, holds."""
    return lemmas.lemma_1(case.randomizer, rate=case.rate, epsilon=case.epsilon)[number].holds

@cache
def broken(number: int, level: F) -> list[Case]:  # a case at which the inequality fails, if there is one
    return list(islice((case for case in sampled(epsilons=(level,)) if not line(number, case)), 1))

def usual(number: int) -> bool:  # whether it holds for all ratios within e^epsilon
    return all(line(number, case) for case in sampled(factor=1))

def summed(randomizer: Randomizer, rate: F, view: tuple[int, ...]) -> F:  # P_A[view], summed over all inputs
    sides = [(1 - rate, randomizer.zero), (rate, randomizer.one)]
    inputs = product(sides, repeat=len(view))
    return sum((prod((w * side[c] for (w, side), c in zip(xs, view, strict=True)), start=F(1)) for xs in inputs), F(0))

def up_to_limit(level: F) -> bool:
    return level <= lemmas.lemma_1_limit().upper

def largest(case: Case) -> F:
    return max(case.randomizer.ratios(case.rate))

def narrow() -> bool:  # whether V_i spans less than 7.26 alpha epsilon, everywhere
    for level, rate in product(EPSILONS, RATIOS):
        odds = odds_below(2 * level)
        width = log(1 + rate * (odds - 1)) - log(1 - rate * (1 - 1 / odds))
        if not (width <= rate * (odds - 1 / odds) < F("7.26") * rate * level):
            return False
    return True

def four(case: Case) -> float:
    return float(4 * case.rate * case.epsilon)

FOUR = Range.of("S, rate", "n = 3, four randomizers, three rates, every view", randomizers(F(3)), RATIOS[1:])
VIEWS = Range.of("rate, view", "n = 3, every view, three rates", RATIOS[1:], product(range(3), repeat=3))
SAMPLED = Range("case", "six epsilons, four rates, four randomizers", sampled)
LEVELS = Range.of("epsilon", SAMPLED.words, EPSILONS)
TAILS = Range.of("n, epsilon, v", "n = 400, 10^4, 10^6, three epsilons, v = 33, 36, 40",
    (400, 10**4, 10**6), (F(1, 10), F(1, 2), F(1)), map(F, (33, 36, 40)))

@claim("s-ratio-product", FOUR)
def _(randomizer: Randomizer, rate: F) -> Answer:
    ratios, zero = randomizer.ratios(rate), randomizer.zero
    views = {view: prod((zero[c] for c in view), start=F(1)) for view in product(range(len(ratios)), repeat=3)}
    return all(summed(randomizer, rate, view) / p == prod(ratios[c] for c in view) for view, p in views.items())

@claim("s-ratio-log", VIEWS)
def _(rate: F, view: tuple[int, ...]) -> Answer:
    erasing = randomizers(F(3))[3]
    left = log(summed(erasing, rate, view) / prod(erasing.zero[c] for c in view))
    gap = left - sum((log(erasing.ratios(rate)[c]) for c in view), Enclosure.of(0))
    return gap.lower <= 0 <= gap.upper and gap.upper - gap.lower < F(1, 10**35)

def lower_end(unit: F) -> F:  # of r_i, as printed; unit = alpha epsilon
    return 1 - 2 * unit

@claim("L1-r-lower", SAMPLED)
def _(case: Case) -> Answer:
    said, least = lower_end(case.rate * case.epsilon), min(case.randomizer.ratios(case.rate))
    extreme = case.epsilon / 10  # a small epsilon, at which the bound is sharp to the first order
    sharp = 1 - case.rate * (1 - exp(-2 * extreme)) <= lower_end(case.rate * extreme) + 2 * case.rate * extreme**2
    return sharp and said <= least and line(1, case)

claim("L1-r-upper", LEVELS, lambda level: not broken(0, level), given=lambda: usual(0), only=up_to_limit, sharp=True,
    show=lambda e: "".join(f"{c}: r_i = {Enclosure.of(largest(c)):6} > {1 + four(c)}" for c in broken(0, e)))

@claim("L1-V-lower", SAMPLED,
    show=lambda case: f"{case}: V_i = {log(min(case.randomizer.ratios(case.rate))):2} < {four(case)}")
def _(case: Case) -> Answer:
    value, unit = log(min(case.randomizer.ratios(case.rate))), case.rate * case.epsilon
    return value >= 4 * unit, True, line(3, case) and value >= -2 * unit

claim("L1-V-upper", LEVELS, lambda level: not broken(2, level), given=lambda: usual(2), only=up_to_limit, sharp=True,
    show=lambda e: "".join(f"{c}: V_i = {log(largest(c)):4} > {four(c)}" for c in broken(2, e)))

def lemma_2(unit: F) -> F:  # as printed
    return 32 * unit**2

def lemma_3(v: F) -> F:  # the exponent as printed, but for its sign
    return (v - 32) ** 2 / 32

def hoeffding(beyond: F, people: int, width: F) -> F:  # the exponent, for so many terms from intervals of this width
    return 2 * beyond**2 / (people * width**2)

@claim("L2", SAMPLED)
def _(case: Case) -> Answer:
    unit = case.rate * case.epsilon
    found, derived = lemmas.lemma_2(case.randomizer, rate=case.rate, epsilon=case.epsilon), 8 * (2 * unit) ** 2  # L2-32
    twice = exp(case.epsilon) - exp(-case.epsilon)
    small = found.left <= (case.rate * twice) * (case.rate * twice) and twice * twice < F("5.53") * case.epsilon**2
    return small and found.left <= lemma_2(unit) == derived

@claim("L3", TAILS, given=narrow)
def _(people: int, level: F, v: F) -> Answer:
    unit, coins = 1 / sqrt(F(people)).value, RandomizedResponse(response(odds_below(2 * level)).q)
    found = lemmas.lemma_3(coins, n=people, rate=unit / level, epsilon=level, v=v)
    derived = hoeffding(v - people * 8 * (2 * unit) ** 2, people, 4 * unit - -4 * unit)
    return found.left <= exp(-lemma_3(v)) and lemma_3(v) == derived

# --- Case II ------------------------------------------------------------------------------------------------------

def threshold(d: F) -> Enclosure:  # the v beyond which Case II grants something, for p = 1/2
    return 32 / d**2 + sqrt((32 * log(F(2))).lower) / d

def granted(v: F, d: F) -> Enclosure:  # what Case II grants for p = 1/2 and alpha = 1/(d epsilon sqrt n)
    return exp(-v) * (F(1, 2) - exp(-((v - 32 / d**2) ** 2) * d**2 / 32))

def least(p_a: tuple[F, F], p_0: tuple[F, F], level: F) -> F:  # the best delta of the inequality
    return sum((max(a - level * b, F(0)) for a, b in zip(p_a, p_0, strict=True)), F(0))

def beyond(p_a: tuple[F, F], p_0: tuple[F, F], level: F) -> F:  # P_A[r > e^v]
    return sum((a for a, b in zip(p_a, p_0, strict=True) if a > level * b), F(0))

@cache
def three_views() -> list[tuple[F, F]]:
    """P_0 and the ratio of every view of three reports, p/q = 3, alpha = 1/3."""
    randomizer = randomizers(F(3))[0]
    ratios, zero = randomizer.ratios(F(1, 3)), randomizer.zero
    views = product((0, 1), repeat=3)
    return [(F(prod(zero[c] for c in view)), F(prod(ratios[c] for c in view))) for view in views]

EIGHTHS = [(F(i, 8), F(8 - i, 8)) for i in range(9)]
WAYS = Range.of("way, pair", "two views in eighths, e^v = 3/2 and 3, both directions",
    (True, False), product(EIGHTHS, EIGHTHS, (F(3, 2), F(3))))
SETS = Range.of("level, D", "n = 3, p/q = 3, alpha = 1/3, every D",
    sorted({r for _, r in three_views()} | {F(1), F(3, 2)}), product((0, 1), repeat=8))
CHOSEN = Range.of("p, beyond", "p = 1/100 to 99/100, v beyond the threshold by 1/100, 1, 10",
    map(F, ("1/100", "1/10", "1/2", "9/10", "99/100")), map(F, ("1/100", "1", "10")))

@claim("s-note-rounds")
def _() -> Finding:
    scales = (F(1, 4), F(1, 2), F(1), F(2), F(4), F(8))
    granting = [granted(F(int(threshold(d).upper) + 5), d) > 0 for d in scales]
    return Finding(Ruling.HOLDS if all(granting) else Ruling.REFUTED,
        over="the existence of a constant, d = 1/4 to 8, p = 1/2")

@claim("s-note-d")
def _() -> Finding:
    scales = (F(1, 2), F(1), F(2), F(4))
    starts = {d: F(int(threshold(d).upper * 100) + 1, 100) for d in scales}
    grants = {d: max((granted(starts[d] + F(j, 20), d) for j in range(1, 60)), key=lambda x: x.lower) for d in scales}
    rising = all(grants[d] > 0 and grants[d] > exp(-threshold(d / 2).lower) / 2 for d in scales[1:])
    return Finding(Ruling.PROVEN if rising else Ruling.REFUTED, known=Known.ARGUED,
        exact="; ".join(f"d = {d}: {grants[d]:3}" for d in scales), tested="d = 1/2, 1, 2, 4, p = 1/2 (4 cases)")

@claim("s-caseII-constant")
def _() -> Finding:
    floors = [lemmas.proof_floor(n=people, epsilon=F(1, 2)) for people in (10**4, 10**6, 10**8)]
    best = distinguish(RandomizedResponse(response(odds_below(F(1))).q), n=10**6, rate=F(1, 500)).error
    found = granted(F(40), F(1))
    same_each = all(value > 0 and value.lower <= found.upper and found.lower <= value.upper for value in floors)
    return Finding(Ruling.PROVEN if same_each and best > F(1, 10) else Ruling.REFUTED, known=Known.ARGUED,
        exact=f"{found:4} at p = 1/2, v = 40; best error {best:4}",
        tested="epsilon = 1/2, n = 10^4, 10^6, 10^8 (3 cases)")

@claim("s-caseII-cites", Range.of("j", "j = 40, 45, ..., 90", range(40, 91, 5)),
    show=lambda j: f"P_A = (1/2, 1/2), P_0 = (2^-{j}, 1 - 2^-{j}): mean <= 32, P_A[V > 50] = 1/2")
def _(j: int) -> Answer:
    low, v = F(1, 2**j), F(50)
    values = log(1 / (2 * low)), log(1 / (2 * (1 - low)))
    said = (values[0] + values[1]) / 2 > 32 or values[0] <= v or exp(-((v - 32) ** 2) / 32) >= F(1, 2)
    coins = RandomizedResponse(response(odds_below(F(1))).q)
    return said, True, lemmas.lemma_3(coins, n=10**4, rate=F(1, 50), epsilon=F(1, 2), v=32 + F(j, 5)).holds

claim("s-caseII-equivalence", WAYS,
    lambda way, pair: least(*pair) <= beyond(*pair) if way else beyond(*pair) <= least(*pair),
    only=lambda way, pair: way,
    show=lambda way, pair: "P_A = ({}), P_0 = ({}), e^v = {}: delta = {}, P_A[r > e^v] = {}".format(
        *(", ".join(map(str, side)) for side in pair[:2]), pair[2], least(*pair), beyond(*pair)))

@claim("s-caseII-G-in-D", Range.of("case", "every curator of two reports", product((0, 1), repeat=4), whole=True),
    show=lambda answers: f"answers {answers} to {list(product((0, 1), repeat=2))}, how many of the answers are in D")
def _(answers: ANSWERS) -> Answer:
    curator: dict[object, int] = dict(zip(product((0, 1), repeat=2), answers, strict=True))
    chosen: set[object] = {c for c, answer in curator.items() if answer == 1}
    said, right = sum(answer in chosen for answer in curator.values()), sum(c in chosen for c in curator)
    return said, sum(answers), right

@claim("s-caseII-bound", SETS)
def _(level: F, inside: tuple[int, ...]) -> Answer:
    views = [(*view, chosen) for view, chosen in zip(three_views(), inside, strict=True)]
    zeros, under_a = sum(p for p, _, chosen in views if chosen), sum(p * r for p, r, chosen in views if chosen)
    return level * zeros + sum(p * r for p, r, _ in views if r > level) >= under_a

@erratum("s-caseII-equals")
def _() -> str:
    e_v, delta, p_A = 4, F(1, 8), F(1, 2)
    p_0 = (p_A - delta) / e_v
    assert e_v * p_0 + delta == p_A
    assert p_0 != p_A / e_v - delta != p_A
    return f"e^v = {e_v}, delta = {delta}, p_A = {p_A}: {p_A / e_v - delta} against {p_0}"

@claim("s-caseII-positive", CHOSEN)
def _(chance: F, further: F) -> Answer:
    sure(sqrt((32 * log(F(2))).upper) + 32 < F("36.71"), "36.71 is not beyond the threshold for p = 1/2")
    v = 32 + sqrt((32 * log(1 / chance)).upper).upper + further
    return exp(-v) * (chance - exp(-((v - 32) ** 2) / 32)) > 0

# --- step 1 -------------------------------------------------------------------------------------------------------
def defined(kappa: int, tau: int, total: int) -> int | None:  # GAP-TR's value, None where it has none
    return 0 if total <= kappa else 1 if total >= kappa + tau else None

def answer(kappa: int, tau: int, value: F) -> int:  # the threshold's answer
    return int(value > kappa + F(tau, 2))

def estimates(reach: int) -> list[tuple[int, int, int, F]]:
    """(kappa, tau, sum, estimate): estimates in quarters, up to tau/2 + reach/2 off."""
    sizes = product((0, 1), range(1, 5), range(8))
    return [(kappa, tau, total, total + F(step, 4)) for kappa, tau, total in sizes
            for step in range(-2 * (tau + reach), 2 * (tau + reach) + 1)]

def wrong(kappa: int, tau: int, total: int, value: F) -> bool:
    return defined(kappa, tau, total) not in (None, answer(kappa, tau, value))

def answered(kappa: int, tau: int, total: int, gap: F, error: F) -> bool:
    """Whether the answer is right for this gap, whatever the error."""
    tried = [answer(kappa, tau, value) for value in (total - error, F(total), total + error)]
    return kappa < total < kappa + gap or all(one == int(total > kappa) for one in tried)

def thresholds_hold() -> bool:
    """Whether each of the two mistakes of randomized response is at most as likely as an error of tau/2 or more."""
    pools = [KRandomization(n=7, q=q, k=k) for q in ("1/4", "2/5") for k in (1, 2)]
    gaps = product(pools, ((0, 2), (1, 3), (2, 5)))
    return all(one.holds for m, (kappa, tau) in gaps for one in lemmas.gap_threshold(m, kappa=kappa, tau=tau))

NAMES = "kappa, tau, sum, estimate"
BELOW = Range.of(NAMES, "kappa = 0, 1, tau = 1..4, sums 0..7, estimates in quarters with an error below tau/2",
    [case for case in estimates(0) if 2 * abs(case[3] - case[2]) < case[1]])
WRONG = Range.of(NAMES, "kappa = 0, 1, tau = 1..4, sums 0..7, estimates in quarters, wrong answers",
    [case for case in estimates(4) if wrong(*case)])
APART = Range.of(NAMES, "kappa = 0, 1, tau = 1..4, quarters",
    [c for c in estimates(4) if c[2] >= c[0] + c[1] and 2 * c[3] <= 2 * c[0] + c[1]])
FAILING = Range.of("n, alpha, q", "n = 60, 90, alpha = 1/5, 1/4, q = 1/4, 2/5",
    (60, 90), (F(1, 5), F(1, 4)), (F(1, 4), F(2, 5)))

claim("T1", BELOW, lambda kappa, tau, total, value: not wrong(kappa, tau, total, value), given=thresholds_hold)

@claim("T1-given", BELOW, known=Known.DEFINITION)
def _(kappa: int, tau: int, total: int, value: F) -> Answer:
    tie = F(tau, 2)
    sure(answer(kappa, tau, kappa + tie) == 0 == defined(kappa, tau, kappa), "the tie decides something")
    return abs(value - total) < tie and (not wrong(kappa, tau, total, value))

claim("T1-gap", Range.of("kappa, tau, sum", "kappa = 0..2, tau = 2, 4, 6, sums 0..12", range(3), (2, 4, 6), range(13)),
    lambda k, t, s: (answered(k, t, s, F(t, 2), F(0)), True, answered(k, t, s, F(t), F(t, 2) - F(1, 100))),
    show=lambda kappa, tau, total: f"kappa = {kappa}, tau = {tau}, sum {total}, known exactly: answer 0 for 1")

claim("T1-direction", WRONG, lambda kappa, tau, s, v: defined(kappa, tau, s) == 1,
    given=lambda: all(2 * abs(v - s) >= tau for _, tau, s, v in WRONG),
    only=lambda kappa, tau, total, value: total >= kappa + tau,
    show=lambda kappa, tau, s, v: f"kappa = {kappa}, tau = {tau}, sum {s}, estimate {v}: answer 1 for 0")

claim("T1-distance", APART, lambda kappa, tau, total, value: 2 * abs(total - value) >= tau)

@claim("s-step1-sum", FAILING)
def _(people: int, rate: F, q: F) -> Answer:
    pool, half = KRandomization(n=people, q=q), people * rate / 4
    values = [estimate(pool, s).value for s in range(people + 1)]
    laws = {ones: zip(values, pmf(pool, ones=ones), strict=True) for ones in range(0, people + 1, 6)}
    worst = max(sum(c for value, c in law if abs(value - ones) >= half) for ones, law in laws.items())
    return 0 < distinguish(RandomizedResponse(q), n=people, rate=rate).failure < worst
