"""LOC, up to the two cases of step 2: the upper bound by randomized response, and how the lower bound is proved.

gamma is the bias: a report is true with probability 1/2 + gamma, so q = 1/2 - gamma.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F
from functools import cache
from itertools import product
from math import comb, prod

from sympy import Rational, Symbol, limit, oo
from sympy import exp as symbolic_exp

from dpcalc import Enclosure, binomial_at_least, binomial_at_most, coverage, estimate, sqrt_barrier
from dpcalc.mechanisms.pooled_count import pmf, pooled
from dpcalc.mechanisms.response import KRandomization, RandomizedResponse
from dpcalc.notes.barrier.lower_bound import Distinction, Randomizer, distinguish
from dpcalc.notes.symbolic import n
from dpcalc.numbers import elementary
from dpcalc.numbers.elementary import exp, sqrt
from tests.notes.barrier.lemmas import after_response, chernoff
from tests.notes.ledger.cases import odds_below, randomizers, response
from tests.notes.ledger.checking import sure
from tests.notes.ledger.ledger import Answer, Finding, Ledger, Range, Ruling

ledger = Ledger("LOC")
claim, erratum = ledger.claim, ledger.erratum
# fmt: off

gamma = Symbol("gamma", positive=True)

def pool(people: int, bias: F) -> KRandomization:
    return KRandomization.from_gamma(n=people, gamma=bias)

@cache
def errors(people: int, bias: F, ones: int) -> list[tuple[F, F]]:
    """Every error of the estimate with its probability."""
    law = enumerate(pmf(pool(people, bias), ones=ones))
    return [(estimate(pool(people, bias), count).value - ones, chance) for count, chance in law]

def values(people: int, bias: F) -> set[F]:
    return {estimate(pool(people, bias), count).value for count in range(people + 1)}

def missed(people: int, bias: F, ones: int, error: F) -> F:  # P[the estimate errs by ``error`` or more]
    return sum((c for miss, c in errors(people, bias, ones) if abs(miss) >= error), F(0))

def within_printed(people: int, bias: F, level: F) -> F:
    """P[error <= sqrt(log(1/delta)/(2 n))], half the bits being 1."""
    square = elementary.log(1 / level) / (2 * people)
    return sum((c for error, c in errors(people, bias, people // 2) if error**2 <= square), F(0))

def within(people: int, reach: F) -> Enclosure:  # P[error <= reach] at gamma = 1/4, all bits being 0
    low, high = (people / F(4) + side * reach / 2 for side in (-1, 1))
    mechanism = KRandomization(n=people, q="1/4")
    return pooled(mechanism, 0).at_most(int(high // 1)) - pooled(mechanism, 0).at_most(int(-(-low // 1)) - 1)

def within_root(people: int, bias: F, ones: int, factor: F) -> F:
    """P[error^2 <= factor times the mean squared error]."""
    found = errors(people, bias, ones)
    square = sum(c * error**2 for error, c in found)
    return sum((c for error, c in found if error**2 <= factor * square), F(0))

TWENTIETHS = tuple(F(i, 20) for i in range(1, 10))
BIASES = (F(1, 4), F(1, 8), F(3, 8))
POOLS = Range.of("n, gamma", "n = 1..5, gamma = 1/20..9/20", range(1, 6), TWENTIETHS)
ERRORS = Range("n, gamma, T, t", "n = 1..4, gamma = 1/8, 1/4, 3/8, every T and t", lambda: (
    (people, bias, ones, miss) for people, bias in product(range(1, 5), BIASES) for ones in range(people + 1)
    for miss in sorted({abs(error) for error, _ in errors(people, bias, ones)})))
HALVES = Range.of("n, gamma, delta", "n = 1, 10, 100, T = n/2, delta = 1/20",
    (100, 10, 1), (F(1, 4), F(2, 5)), [F(1, 20)])
ROOTS = Range.of("n, gamma, T, delta", "n = 1, 2, 10, gamma = 1/8, 1/4, 3/8, every T, delta = 1/20, 1/4, 1/2",
    ((m, b, T, d) for m, b in product((1, 2, 10), BIASES) for T in range(m + 1) for d in (F(1, 20), F(1, 4), F(1, 2))))

# --- randomizer and estimate --------------------------------------------------------------------------------------

# --- the chain that shows the estimate unbiased -------------------------------------------------------------------
@erratum("s-upper-sign")
def _() -> str:
    N, gamma, k = 1, F(1, 4), F(3, 4)
    first_line, second_line = (k - (F(1, 2) - gamma) * N) / (2 * gamma), (k - F(N, 2) - N * gamma) / (2 * gamma)
    assert first_line == 1
    assert second_line == 0
    assert first_line == (k - F(N, 2) + N * gamma) / (2 * gamma)
    return f"N = 1, gamma = 1/4, E k = 3/4: {second_line} against {first_line}"

@erratum("s-upper-two-k")
def _() -> str:
    N, gamma, T = 1, F(1, 4), 1
    mean_k = F(3, 4)  # one person whose bit is 1
    said, true = [(F(1, 2) + gamma) * c + (F(1, 2) - gamma) * (N - c) for c in (mean_k, T)]
    assert said == F(5, 8) != mean_k
    assert true == mean_k
    return f"N = 1, its bit 1, gamma = 1/4: {said} against {true}"

@erratum("s-upper-chain-end")
def _() -> str:
    N, T, gamma = 1, 1, F(1, 4)
    third_line = ((F(1, 2) + gamma) * T + (F(1, 2) - gamma) * (N - T) - F(N, 2) - N * gamma) / (2 * gamma)
    assert third_line == T - N == 0
    return f"N = 1, its bit 1, gamma = 1/4: {third_line} against {T}"

@claim("s-upper-bernoulli", POOLS, failing=Ruling.REFUTED,
    show=lambda n, bias: f"n = {n}, gamma = {bias}: values {', '.join(map(str, sorted(values(n, bias))))}")
def _(people: int, bias: F) -> Answer:
    low, found = -(F(1, 2) - bias) / (2 * bias), values(people, bias)
    right = found == {people * low + count / (2 * bias) for count in range(people + 1)}
    return found <= set(range(people + 1)), True, right

# --- how far it errs ----------------------------------------------------------------------------------------------
@claim("s-upper-hoeffding", ERRORS, failing=Ruling.REFUTED,
    show=lambda n, b, T, t: f"n = {n}, gamma = {b}, T = {T}, t = {t}: probability {missed(n, b, T, t)}")
def _(people: int, bias: F, ones: int, error: F) -> Answer:
    chance = missed(people, bias, ones, error)
    bounds = [2 * exp(-exponent) for exponent in (2 * people * error**2, 8 * bias**2 * error**2 / people)]
    return chance <= bounds[0], True, chance <= bounds[1]

@erratum("s-upper-t")
def _() -> str:
    delta = F(1, 20)
    exp_of_minus_2nt2 = {"printed": delta, "log(2/delta)": delta / 2}  # exp(-log(1/delta)), exp(-log(2/delta))
    assert 2 * exp_of_minus_2nt2["printed"] != delta == 2 * exp_of_minus_2nt2["log(2/delta)"]
    return f"delta = {delta}: with the t that is printed the bound is {2 * exp_of_minus_2nt2['printed']}"

claim("s-upper-confidence", HALVES,
    lambda n, bias, d: (within_printed(n, bias, d) >= 1 - d, True,
        coverage(pool(n, bias), ones=n // 2, confidence=1 - d, method="hoeffding") >= 1 - d), failing=Ruling.REFUTED,
    show=lambda n, bias, d: f"n = {n}, gamma = {bias}, delta = {d}: "
    f"P[error <= t] = {Enclosure.of(within_printed(n, bias, d)):4} < {float(1 - d)}")

@claim("s-upper-order", Range.of("C", "gamma = 1/4, all bits 0, C = 1..10 at n = 100 C^2", range(1, 11)),
    show=lambda c: f"n = {100 * c**2}, gamma = 1/4: P[error <= {c}/sqrt n] = {within(100 * c**2, F(1, 10)):6}")
def _(c: int) -> Answer:
    enough, people, level = F("2.72"), 100 * c**2, F(19, 20)
    sure(sqrt(elementary.log(F(40)).upper / 8) / F(1, 4) < enough, "2.72 is not beyond Hoeffding's constant")
    return within(people, F(1, 10)) >= level, True, within(people, enough * 10 * c) >= level

@claim("s-upper-point", ROOTS, holds=True)
def _(people: int, bias: F, ones: int, level: F) -> Answer:
    one_root = {within_root(*case, F(1)) for case in ((1, F(1, 4), 0), (2, F(1, 4), 0))}
    return len(one_root) > 1 and within_root(people, bias, ones, 1 / level) >= 1 - level

epsilon, alpha = (Symbol(name, positive=True) for name in ("epsilon", "alpha"))
EPSILONS = (F(1, 10), F(1, 2), F(1))
ODDS = F(3)  # p/q = 3, which e^{2 epsilon} allows from epsilon = 0.55 on

@cache
def best_test(people: int, level: F, scale: int = 1) -> Distinction:
    """The best test of zeros against A with alpha = scale/(epsilon sqrt n), likelihood ratios within e^{2 epsilon}."""
    rate = scale / (level * sqrt(F(people)).upper)
    return distinguish(RandomizedResponse(response(odds_below(2 * level)).q), n=people, rate=rate)

def overlap_floor(level: F, scale: int = 1) -> F:
    """e^{-K}/2 rounded down, K = 4 scale^2 sinh^2(epsilon)/epsilon^2."""
    twice = exp(level) - exp(-level)
    return (exp(-(scale**2 * twice * twice / level**2).upper) / 2).lower

def separates(tau: int, kappa: int, error: F, gap: F) -> bool:
    """Whether no estimate is below the error from kappa and from kappa + gap."""
    tried = [F(i, 8) for i in range(-8 * tau, 8 * (kappa + 3 * tau) + 1)]
    return not any(abs(v - kappa) < error and abs(v - kappa - gap) < error for v in tried)

def gap_value(gap: int, total: int) -> int | None:
    return 0 if total <= 0 else 1 if total >= gap else None

def best_error(exponent: F) -> Enclosure:  # of n^exponent ones among n = 10^4, p/q = 3
    return sqrt_barrier(q="1/4", ns=[10**4], exponents=[exponent]).columns[exponent][0].error

def two_gaps(people: int, level: F) -> bool:
    """Whether every protocol errs by 2 tau or more with a positive probability: s-lower-nonvanishing at 4 alpha."""
    found, floor = best_test(people, level, 4), overlap_floor(level, 4) - exp(-sqrt(F(people)).lower / (2 * level))
    return floor > 0 and found.overlap - found.short >= floor and found.failure > 0

def doubled(people: int, level: F, factor: int) -> Enclosure:
    """P[error >= 2 tau] of randomized response, tau = sqrt(n)/(2 epsilon), ratios within e^{factor epsilon}, bits 0."""
    mechanism = KRandomization(n=people, q=response(odds_below(factor * level)).q)
    mean, reach = people * mechanism.q, sqrt(F(people)).value / level * (1 - 2 * mechanism.q)
    kept = pooled(mechanism, 0).at_most(-int(-(mean + reach) // 1) - 1)
    return 1 - kept + (pooled(mechanism, 0).at_most(int((mean - reach) // 1)) if mean >= reach else 0)

def guessing(people: int) -> Enclosure:  # the best error for sqrt(n) ones expected, p/q = 3
    return distinguish(RandomizedResponse("1/4"), n=people, rate=1 / sqrt(F(people)).value).error

def reporting(inputs: tuple[int, ...], view: tuple[int, ...], odds: F) -> F:  # P[view | inputs]
    return prod(((odds if a == b else F(1)) / (1 + odds) for a, b in zip(inputs, view, strict=True)), start=F(1))

@cache
def some_report(people: int, rate: F) -> F:
    """The probability that some report is 1, from the 2^n inputs' probabilities."""
    silent = {inputs: reporting(inputs, (0,) * people, ODDS) for inputs in product((0, 1), repeat=people)}
    return sum((prod(rate if x else 1 - rate for x in inputs) * (1 - none) for inputs, none in silent.items()), F(0))

ADAPTIVE = Range.of("alpha, S, choice", "two people, p/q = 3, alpha = 1/10, 1/2, 1, four randomizers each",
    map(F, ("1/10", "1/2", "1")), randomizers(ODDS), product(range(4), repeat=2))
BEST = Range.of("odds, S", "four odds, four randomizers each",
    ((odds, one) for odds in map(F, ("11/10", "3/2", "3", "7")) for one in randomizers(odds)))
LARGE = Range.of("n, epsilon", "n = 2,500, 10^6, epsilon = 1/10, 1/2, 1", (2_500, 10**6), EPSILONS)
LARGER = Range.of("n, epsilon", "n = 2,500, 10^4, 10^6, epsilon = 1/10, 1/2, 1", (2_500, 10**4, 10**6), EPSILONS)
TWICE = Range.of("n, epsilon, factor", "n = 100, 10^4, epsilon = 1/10, 1/2, ratios within e^epsilon and e^(2 epsilon)",
    (10**4, 100), (F(1, 10), F(1, 2)), (1, 2))
EXPONENTS = Range.of("e", "n = 10^4, p/q = 3, n^e ones for e = 1/4, 1/2, 2/3, 3/4",
    map(F, ("1/4", "1/2", "2/3", "3/4")))
RATES = Range.of("n, epsilon", "n = 1..40, epsilon = 1/5, 1/2, 1", range(1, 41), (F(1, 5), F(1, 2), F(1)))
TENTHS = [F(i, 10) for i in (1, 3, 5, 8, 10)]
TAILS = Range.of("n, alpha, gamma", "n = 1, 2, 5, 20, five alphas, five gammas", (1, 2, 5, 20), TENTHS, TENTHS)
VIEWS = list(product((0, 1), repeat=2))
INPUTS = Range.of("odds, inputs", "two people, curator answers 1 if a report is 1", (F(3), F(7)), VIEWS)
SHARES = Range.of("n, alpha", "curator answers 1 if a report is 1, p/q = 3",
    [(1, F(1)), (4, F(1, 2)), (4, F(1)), (9, F(1, 3))])

# --- the outline --------------------------------------------------------------------------------------------------
@claim("s-lower-best", BEST)
def _(odds: F, randomizer: Randomizer) -> Answer:
    coins = RandomizedResponse(1 / (1 + odds))
    lie, steps = coins.q, after_response(randomizer, coins)
    mixed = [tuple((1 - lie) * a + lie * b for a, b in zip(*pair, strict=True)) for pair in (steps, steps[::-1])]
    proper = all(min(step) >= 0 and sum(step) == 1 for step in steps)
    ones, zeros = ([a * b for a, b in product(side, repeat=2)] for side in (randomizer.one, randomizer.zero))
    apart = sum((max(a - b, F(0)) for a, b in zip(ones, zeros, strict=True)), F(0))  # the messages of two people
    best = distinguish(coins, n=2, rate=1).distance.upper
    return mixed == [randomizer.zero, randomizer.one] and proper and best >= apart

claim("s-lower-nonvanishing", LARGE,
    lambda n, e: best_test(n, e).overlap >= overlap_floor(e) and best_test(n, e).failure > 0)

def one_message_each(rate: F, first: Randomizer, choice: tuple[int, ...]) -> Answer:
    kinds, overlap = randomizers(ODDS), F(0)
    mixed, zero = first.mixed(rate), first.zero
    for c, own in enumerate(zero):
        after = kinds[choice[c % len(choice)]]
        overlap += sum((min(mixed[c] * a, own * b) for a, b in zip(after.mixed(rate), after.zero, strict=True)), F(0))
    return overlap >= (exp(-2 * rate**2 * (ODDS - 1) * (1 - 1 / ODDS)) / 2).upper

@claim("s-lower-interactive")
def _() -> Finding:
    found = ADAPTIVE.judge(one_message_each)
    sure(found.ruling is Ruling.PROVEN, "the bound fails where everybody sends one message")
    overlap = 2 * binomial_at_least(15, F(1, 8), 8)  # n = 1, alpha = 1: the bit is 1 or 0; its messages' majority
    return replace(found, ruling=Ruling.ONLY_FOR if overlap < overlap_floor(F(1)) else Ruling.PROVEN,
        witness=f"n = 1, epsilon = 1, p/q = 7 < e^2, 15 messages: overlap {overlap:4} < "
        f"{Enclosure.of(overlap_floor(F(1))):4}")

claim("s-main-gap", Range.of("tau, kappa", "tau = 1..4, kappa = 0..2", range(1, 5), range(3)),
    lambda tau, kappa: (separates(tau, kappa, F(tau), F(tau, 2)), True,
        separates(tau, kappa, F(tau, 2), F(tau)) and separates(tau, kappa, F(tau), F(2 * tau))),
    show=lambda tau, kappa: f"tau = {tau}, kappa = {kappa}: one estimate is allowed on both sides of the gap")

@claim("s-main-sqrt", LARGER)
def _(people: int, level: F) -> Answer:
    for tau, total in product(range(1, 9), range(12)):
        smaller = [gap_value(gap, total) for gap in range(1, tau + 1)]
        sure(all(gap_value(tau, total) in (None, value) for value in smaller), "a smaller gap does not decide a larger")
    found, floor = best_test(people, level), overlap_floor(level) - exp(-sqrt(F(people)).lower / (8 * level))
    return floor > 0 and found.overlap - found.short >= floor

claim("s-step2-unable", EXPONENTS, lambda e: best_error(e) >= exp(F(-4, 3)).lower / 4, only=lambda e: e <= F(1, 2),
    sharp=True, show=lambda e: f"n = 10^4, n^({e}) ones, q = 1/4: best error {best_error(e):4}")

claim("s-step2-twice", TWICE, lambda n, e, factor: doubled(n, e, factor) > F(1, 2),
    given=lambda: all(two_gaps(n, e) for n, e in product((10**6, 10**8), (F(1, 10), F(1, 2)))),
    show=lambda n, e, factor: f"n = {n}, epsilon = {e}, p/q just below e^({factor * e}), all bits 0: randomized "
    f"response errs by 2 tau or more with probability {doubled(n, e, factor):4}")

claim("s-step2-no-idea", Range.of("n", "n = 100, 10^4, 10^6, p/q = 3, sqrt n ones expected", (100, 10**4, 10**6)),
    lambda people: guessing(people) >= F(1, 2),
    given=lambda: all(exp(F(-4, 3)).lower / 4 <= guessing(people) < F(1, 3) for people in (100, 10**4, 10**6)),
    show=lambda people: f"n = {people}, p/q = 3: the best test errs with probability {guessing(people):4} < 1/2")

# --- the inputs and the Chernoff bound ----------------------------------------------------------------------------
claim("s-step2-alpha", RATES, lambda people, level: 1 / (level * sqrt(F(people))) <= 1,
    only=lambda people, level: people >= 1 / level**2, sharp=True,
    show=lambda people, level: f"n = {people}, epsilon = {level}: alpha = {1 / (level * sqrt(F(people))):6}")

@claim("s-step2-chernoff", TAILS)
def _(people: int, rate: F, share: F) -> Answer:
    mean = sum(j * comb(people, j) * rate**j * (1 - rate) ** (people - j) for j in range(people + 1))
    below = binomial_at_most(people, rate, int((1 - share) * people * rate))
    return mean == people * rate and below <= exp(-rate * people * share**2 / 2)

@claim("s-step2-window")
def _() -> Finding:
    limits = [limit(symbolic_exp(-(n ** (1 - Rational(a))) / 8), n, oo) for a in ("1/2", "2/3", "9/10")]
    lines = [chernoff(n=r**3, rate=F(1, r**2)) for r in (4, 16, 64)]
    sure(all(line.holds for line in lines) and lines[0].left > lines[1].left > lines[2].left, "the tails do not fall")
    return Finding(Ruling.REFUTED if limits == [0, 0, 0] else Ruling.HOLDS,
        tested="alpha = n^-1/2, n^-2/3, n^-9/10",
        witness=f"n = 64^3, 64 ones expected: P[at most 32] = {lines[2].left:4}")

# --- the curator's answers ----------------------------------------------------------------------------------------
@claim("s-step2-D", INPUTS, show=lambda odds, inputs: f"inputs {inputs}, p/q = {odds}: both answers occur")
def _(odds: F, inputs: tuple[int, ...]) -> Answer:
    answers = {sum(view) >= 1 for view in VIEWS if reporting(inputs, view, odds) > 0}
    return len(answers) == 1, True, len(answers) == 2

@claim("s-step2-fraction", SHARES)
def _(people: int, rate: F) -> Answer:
    mixed = Randomizer.of(response(ODDS)).mixed(rate)
    under_a = sum(prod(mixed[c] for c in view) for view in product((0, 1), repeat=people) if sum(view) >= 1)
    return some_report(people, F(1, 2)), some_report(people, rate), under_a
