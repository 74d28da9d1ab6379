"""LOC, up to the two cases of step 2: the upper bound by randomized response, and how the lower bound is proved.

gamma is the bias: a report is true with probability 1/2 + gamma, so q = 1/2 - gamma.
"""

from __future__ import annotations

from fractions import Fraction as F
from functools import cache
from itertools import product
from math import comb, prod

from sympy import Expr, Rational, Symbol, cancel, expand, limit, log, oo, solve
from sympy import exp as symbolic_exp

from dpcalc import Enclosure, binomial_at_most, coverage, estimate, sqrt_barrier, symbolic
from dpcalc.mechanisms.pooled_count import lower_tail, pmf, pooled
from dpcalc.mechanisms.response import KRandomization, RandomizedResponse
from dpcalc.notes.barrier.lemmas import chernoff, loc_rate
from dpcalc.notes.barrier.lower_bound import Distinction, Randomizer, distinguish
from dpcalc.notes.symbolic import k, n, q, s, t, x
from dpcalc.numbers import elementary
from dpcalc.numbers.elementary import exp, sqrt
from tests.notes.ledger.cases import odds_below, randomizers, response
from tests.notes.ledger.checking import all_of, identity, sure
from tests.notes.ledger.ledger import Answer, Finding, Known, Ledger, Range, Ruling

ledger = Ledger("LOC")
claim, family, script = ledger.claim, ledger.family, ledger.script
# fmt: off

gamma = Symbol("gamma", positive=True)
HALF = Rational(1, 2)
POINT = {n: 5, t: 2, s: 3, gamma: "1/4"}

def in_gamma(expression: Expr) -> Expr:
    """A closed form of the package for one report per record and q = 1/2 - gamma."""
    return expression.subs({k: 1, q: HALF - gamma})

def derivative(order: int) -> Expr:
    """E[S (S - 1) ... ], ``order`` factors: the derivative at 1 of the count's generating function, t bits being 1."""
    return in_gamma(symbolic.generating_function()).subs(symbolic.m, t).diff(x, order).subs(x, 1)

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
    return lower_tail(pooled(mechanism, 0), int(high // 1)) - lower_tail(pooled(mechanism, 0), int(-(-low // 1)) - 1)

def within_root(people: int, bias: F, ones: int, factor: F) -> F:
    """P[error^2 <= factor times the mean squared error]."""
    found = errors(people, bias, ones)
    square = sum(c * error**2 for error, c in found)
    return sum((c for error, c in found if error**2 <= factor * square), F(0))

TWENTIETHS = tuple(F(i, 20) for i in range(1, 10))
BIASES = (F(1, 4), F(1, 8), F(3, 8))
GAMMAS = Range.of("gamma", "gamma = 1/20, ..., 9/20", TWENTIETHS)
POOLS = Range.of("n, gamma", "n = 1..5, gamma = 1/20..9/20", range(1, 6), TWENTIETHS)
ERRORS = Range("n, gamma, T, t", "n = 1..4, gamma = 1/8, 1/4, 3/8, every T and t", lambda: (
    (people, bias, ones, miss) for people, bias in product(range(1, 5), BIASES) for ones in range(people + 1)
    for miss in sorted({abs(error) for error, _ in errors(people, bias, ones)})))
HALVES = Range.of("n, gamma, delta", "n = 1, 10, 100, T = n/2, delta = 1/20",
    (100, 10, 1), (F(1, 4), F(2, 5)), [F(1, 20)])
ROOTS = Range.of("n, gamma, T, delta", "n = 1, 2, 10, gamma = 1/8, 1/4, 3/8, every T, delta = 1/20, 1/4, 1/2",
    ((m, b, T, d) for m, b in product((1, 2, 10), BIASES) for T in range(m + 1) for d in (F(1, 20), F(1, 4), F(1, 2))))

ledger.empty("s-zsum", Known.UNCHECKED, """
    preamble: Shown: R^zsum, A^zsum, P^zsum vs named, never used""")

# --- randomizer and estimate --------------------------------------------------------------------------------------
@claim("s-sums-estimate", """
    Binary sums, Analyser: `(k - (1/2 - gamma) n)/(2 gamma)` Exact: the same: the only unbiased a + b k""")
def _() -> Finding:
    a, b = Symbol("a"), Symbol("b")
    surplus = expand(a + b * ((HALF + gamma) * t + (HALF - gamma) * (n - t)) - t)
    solution = solve([surplus.coeff(t, 0), surplus.coeff(t, 1)], [a, b])
    closed, unbiased = in_gamma(symbolic.estimate()), solution[a] + solution[b] * s
    return identity((s - (HALF - gamma) * n) / (2 * gamma), closed, unbiased, at=POINT)

def odds_of_reports() -> Finding:  # from the generating function of one report: x^1 and x^0, given 1 and given 0
    one = in_gamma(symbolic.generating_function()).subs({n: 1, symbolic.m: 1})
    zero = in_gamma(symbolic.generating_function()).subs({n: 1, symbolic.m: 0})
    ratios = [one.diff(x) / zero.diff(x), zero.subs(x, 0) / one.subs(x, 0)]
    return identity((1 + 2 * gamma) / (1 - 2 * gamma), *ratios, at={gamma: "1/4"})

@claim("s-privacy-trivial", GAMMAS, proof=odds_of_reports, text="""
    Privacy: `private` Exact: epsilon = log((1 + 2 gamma)/(1 - 2 gamma))""")
def _(bias: F) -> Answer:
    closed = cancel(symbolic_exp(in_gamma(symbolic.local_epsilon()).subs(symbolic.L, 1)))
    chance = {(z, bit): F(1, 2) + bias * (1 if z == bit else -1) for z, bit in product((0, 1), repeat=2)}
    largest = max(chance[z, bit] / chance[z, 1 - bit] for z, bit in chance)
    return largest == pool(1, bias).response.odds == F(str(closed.subs(gamma, Rational(bias))))

@claim("s-upper-report", """
    Upper Bound, first sentence: Shown: 1/2 + gamma, 1/2 - gamma vs G'(1) = 1/2 + gamma, 1/2 - gamma""")
def _() -> Finding:
    zero, one = (derivative(1).subs({n: 1, t: bit}) for bit in (0, 1))
    return all_of(identity(HALF - gamma, zero, at={gamma: "1/4"}), identity(HALF + gamma, one, at={gamma: "1/4"}))

# --- the chain that shows the estimate unbiased -------------------------------------------------------------------
@claim("s-upper-sign", r"""
    Upper Bound, second line of the chain: `(E[k] - N/2 - N gamma)/(2 gamma)` Exact: (E[k] - N/2 + N gamma)/(2
    gamma)""")
def _() -> Finding:
    count = Symbol("E_k")
    said, true = (count - n / 2 - n * gamma) / (2 * gamma), expand((count - (HALF - gamma) * n) / (2 * gamma))
    return identity(said, true, at={count: "3/4", n: 1, gamma: "1/4"})
@script
def _() -> None:
    N, gamma, k = 1, F(1, 4), F(3, 4)
    first_line, second_line = (k - (F(1, 2) - gamma) * N) / (2 * gamma), (k - F(N, 2) - N * gamma) / (2 * gamma)
    assert first_line == 1
    assert second_line == 0
    assert first_line == (k - F(N, 2) + N * gamma) / (2 * gamma)

@claim("s-upper-two-k", r"""
    Upper Bound, third line of the chain: `(1/2 + gamma) k + (1/2 - gamma)(N - k)` Exact: the same with the sum of
    inputs for k""")
def _() -> Finding:
    mean = derivative(1)
    said, right = ((HALF + gamma) * ones + (HALF - gamma) * (n - ones) for ones in (mean, t))
    return identity(said, mean, repair=right, at={n: 1, t: 1, gamma: "1/4"})
@script
def _() -> None:
    N, gamma, T = 1, F(1, 4), 1
    mean_k = F(3, 4)  # one person whose bit is 1
    said, true = [(F(1, 2) + gamma) * c + (F(1, 2) - gamma) * (N - c) for c in (mean_k, T)]
    assert said == F(5, 8) != mean_k
    assert true == mean_k

@claim("s-upper-chain-end", r"""
    Upper Bound, third and fourth line of the chain: Shown: third line = T vs third line = T - N; = T with + N gamma""")
def _() -> Finding:
    said, right = ((derivative(1) - n / 2 + sign * n * gamma) / (2 * gamma) for sign in (-1, 1))
    return identity(said, t, repair=right, at=POINT)
@script
def _() -> None:
    N, T, gamma = 1, 1, F(1, 4)
    third_line = ((F(1, 2) + gamma) * T + (F(1, 2) - gamma) * (N - T) - F(N, 2) - N * gamma) / (2 * gamma)
    assert third_line == T - N == 0

claim("s-upper-unbiased", lambda: identity(in_gamma(symbolic.estimate()).subs(s, derivative(1)), t, at=POINT), """
    Upper Bound, after the chain: Shown: E = sum of inputs vs T""")

@claim("s-upper-bernoulli", POOLS, failing=Ruling.REFUTED,
    show=lambda n, bias: f"n = {n}, gamma = {bias}: values {', '.join(map(str, sorted(values(n, bias))))}", text=r"""
    Upper Bound, after the chain: `a sum of Bernoulli variables` Exact: a shifted one, stretched by 1/(2 gamma)""")
def _(people: int, bias: F) -> Answer:
    low, found = -(F(1, 2) - bias) / (2 * bias), values(people, bias)
    right = found == {people * low + count / (2 * bias) for count in range(people + 1)}
    return found <= set(range(people + 1)), True, right
@script
def _() -> None:
    gamma = F(1, 4)
    values = [(k - (F(1, 2) - gamma) * 1) / (2 * gamma) for k in (0, 1)]  # one person
    assert values == [F(-1, 2), F(3, 2)]

# --- how far it errs ----------------------------------------------------------------------------------------------
@claim("s-upper-hoeffding", ERRORS, failing=Ruling.REFUTED,
    show=lambda n, b, T, t: f"n = {n}, gamma = {b}, T = {T}, t = {t}: probability {missed(n, b, T, t)}", text=r"""
    Upper Bound, first display after the chain: `2 exp(-2 n t^2)` Exact: 2 exp(-8 gamma^2 t^2/n)""")
def _(people: int, bias: F, ones: int, error: F) -> Answer:
    chance = missed(people, bias, ones, error)
    bounds = [2 * exp(-exponent) for exponent in (2 * people * error**2, 8 * bias**2 * error**2 / people)]
    return chance <= bounds[0], True, chance <= bounds[1]
@script
def _() -> None:
    estimates = {F(-1, 2): F(3, 4), F(3, 2): F(1, 4)}  # N = 1, gamma = 1/4, the bit is 0
    t = F(3, 2)
    chance = sum(P for estimate, P in estimates.items() if abs(estimate - 0) >= t)
    assert chance == F(1, 4) > 2 / F(2) ** 4 > 0
    assert 2 * t**2 > 4

@claim("s-upper-t", r"""
    Upper Bound, before the last display: Shown: t^2 = log(1/delta)/(2n) vs t^2 = log(2/delta)/(2n)""")
def _() -> Finding:
    delta, square = Symbol("delta", positive=True), Symbol("T", positive=True)
    [true] = solve(2 * symbolic_exp(-2 * n * square) - delta, square)
    return identity(((log(1 / delta) / (2 * n)) ** HALF) ** 2, true, at={delta: "1/20", n: 1})
@script
def _() -> None:
    delta = F(1, 20)
    exp_of_minus_2nt2 = {"printed": delta, "log(2/delta)": delta / 2}  # exp(-log(1/delta)), exp(-log(2/delta))
    assert 2 * exp_of_minus_2nt2["printed"] != delta == 2 * exp_of_minus_2nt2["log(2/delta)"]

@claim("s-upper-confidence", HALVES,
    lambda n, bias, d: (within_printed(n, bias, d) >= 1 - d, True,
        coverage(pool(n, bias), ones=n // 2, confidence=1 - d, method="hoeffding") >= 1 - d), failing=Ruling.REFUTED,
    show=lambda n, bias, d: f"n = {n}, gamma = {bias}, delta = {d}: "
    f"P[error <= t] = {Enclosure.of(within_printed(n, bias, d)):4} < {float(1 - d)}", text=r"""
    Upper Bound, before the last display: Shown: error <= t with probability 1 - delta vs t = sqrt(n
    log(2/delta)/8)/gamma""")
def _() -> None:
    delta, errors = F(1, 10), {F(1, 2): F(3, 4), F(3, 2): F(1, 4)}  # N = 1, gamma = 1/4: errors of the estimate
    log_bound = 4  # log(1/delta) < 4, as 2^4 = 16 > 10 and e > 2
    within = sum(P for error, P in errors.items() if error**2 <= F(log_bound, 2))
    assert 2**log_bound > 1 / delta
    assert within == F(3, 4) < 1 - delta

@claim("s-upper-order", Range.of("C", "gamma = 1/4, all bits 0, C = 1..10 at n = 100 C^2", range(1, 11)),
    show=lambda c: f"n = {100 * c**2}, gamma = 1/4: P[error <= {c}/sqrt n] = {within(100 * c**2, F(1, 10)):6}",
    text=r"""
    Upper Bound, last display: Shown: O(1/sqrt N) for the sum vs O(sqrt N); O(1/sqrt N) for the fraction""")
def _(c: int) -> Answer:
    enough, people, level = F("2.72"), 100 * c**2, F(19, 20)
    sure(sqrt(elementary.log(F(40)).upper / 8) / F(1, 4) < enough, "2.72 is not beyond Hoeffding's constant")
    return within(people, F(1, 10)) >= level, True, within(people, enough * 10 * c) >= level
@script
def _() -> None:
    N, q, C = 100, F(1, 4), 1  # all bits 0: the estimate errs by 2 (k - 25)
    close = [k for k in range(N + 1) if abs(2 * (k - N * q)) <= F(C, 10)]
    assert sum(comb(N, k) * q**k * (1 - q) ** (N - k) for k in close) < F(19, 20)

@claim("s-upper-mse", """
    Upper Bound, after the proof: Shown: variance = mean squared error vs (1 - 4 gamma^2) n/(16 gamma^2)""")
def _() -> Finding:
    first, second = derivative(1), derivative(2)
    error = (second + first - 2 * s * first + s**2) / (2 * gamma) ** 2  # E (S - s)^2, s the count that T stands for
    said = error.subs(s, (HALF - gamma) * n + 2 * gamma * t)
    return identity(cancel(said), cancel(in_gamma(symbolic.variance())), at=POINT)

@claim("s-upper-point", ROOTS, holds=True, text="""
    Upper Bound, after the proof: Shown: no confidence interval vs one by Chebyshev: +- sqrt(MSE/delta)""")
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
    return distinguish(response(odds_below(2 * level)).response, n=people, rate=rate)

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
    kept = lower_tail(pooled(mechanism, 0), -int(-(mean + reach) // 1) - 1)
    return 1 - kept + (lower_tail(pooled(mechanism, 0), int((mean - reach) // 1)) if mean >= reach else 0)

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
ledger.undecided("s-1965", """
    Lower Bound, first sentence: `1965` Exact: not decided by calculation""")

@claim("s-lower-best", BEST, """
    Lower Bound, first sentence: Shown: the best you can do vs every other is randomized response and a step after
    it""")
def _(odds: F, randomizer: Randomizer) -> Answer:
    coins = RandomizedResponse(1 / (1 + odds))
    lie, steps = coins.q, randomizer.after_response(coins)
    mixed = [tuple((1 - lie) * a + lie * b for a, b in zip(*pair, strict=True)) for pair in (steps, steps[::-1])]
    proper = all(min(step) >= 0 and sum(step) == 1 for step in steps)
    ones, zeros = ([a * b for a, b in product(side, repeat=2)] for side in (randomizer.one, randomizer.zero))
    apart = sum((max(a - b, F(0)) for a, b in zip(ones, zeros, strict=True)), F(0))  # the messages of two people
    best = distinguish(coins, n=2, rate=1).distance.upper
    return mixed == [randomizer.zero, randomizer.one] and proper and best >= apart

claim("s-lower-nonvanishing", LARGE,
    lambda n, e: best_test(n, e).overlap >= overlap_floor(e) and best_test(n, e).failure > 0, """
    Lower Bound, last sentence: Shown: error of order 1/sqrt n vs 1/(4 epsilon sqrt n), probability > 0 for n >=
    2,500""")

@claim("s-lower-interactive", ADAPTIVE, """
    Lower Bound, question box: `interactive protocols, too` Exact: the same bound""")
def _(rate: F, first: Randomizer, choice: tuple[int, ...]) -> Answer:
    kinds, overlap = randomizers(ODDS), F(0)
    mixed, zero = first.mixed(rate), first.zero
    for c, own in enumerate(zero):
        after = kinds[choice[c % len(choice)]]
        overlap += sum((min(mixed[c] * a, own * b) for a, b in zip(after.mixed(rate), after.zero, strict=True)), F(0))
    return overlap >= (exp(-2 * rate**2 * (ODDS - 1) * (1 - 1 / ODDS)) / 2).upper

@claim("s-main-gap", Range.of("tau, kappa", "tau = 1..4, kappa = 0..2", range(1, 5), range(3)),
    lambda tau, kappa: (separates(tau, kappa, F(tau), F(tau, 2)), True,
        separates(tau, kappa, F(tau, 2), F(tau)) and separates(tau, kappa, F(tau), F(2 * tau))),
    show=lambda tau, kappa: f"tau = {tau}, kappa = {kappa}: one estimate is allowed on both sides of the gap", text=r"""
    Main Proof, 1: Shown: error tau gives gap tau/2 vs error tau/2 gives gap tau""")
def _() -> None:
    tau, n = 4, 2  # gap tau/2 = 2 at kappa = 0: sums 0 and 2 must get different answers
    estimate = dict.fromkeys(range(n + 1), F(1))  # always 1, as private as can be
    assert all(abs(estimate[T] - T) < tau for T in estimate)
    assert estimate[0] == estimate[tau // 2]

@claim("s-main-sqrt", LARGER, """
    Main Proof, 2: Shown: impossible below order sqrt n vs errors add up to e^-K/2 - e^(-sqrt(n)/(8 epsilon)) or
    more""")
def _(people: int, level: F) -> Answer:
    for tau, total in product(range(1, 9), range(12)):
        smaller = [gap_value(gap, total) for gap in range(1, tau + 1)]
        sure(all(gap_value(tau, total) in (None, value) for value in smaller), "a smaller gap does not decide a larger")
    found, floor = best_test(people, level), overlap_floor(level) - exp(-sqrt(F(people)).lower / (8 * level))
    return floor > 0 and found.overlap - found.short >= floor

ledger.empty("s-step2-definition", Known.DEFINITION, """
    Step 2, definition of GAP-TR: Shown: 0, 1 or undefined vs one of the three, for tau > 0""")

@claim("s-step2-unable", EXPONENTS, lambda e: best_error(e) >= exp(F(-4, 3)).lower / 4, only=lambda e: e <= F(1, 2),
    sharp=True, show=lambda e: f"n = 10^4, n^({e}) ones, q = 1/4: best error {best_error(e):4}", text=r"""
    Step 2, third paragraph: `at least sqrt n ones` Exact: at most about sqrt n ones Only: about sqrt n ones and
    fewer""")
def _() -> None:
    n, q = 100, F(1, 4)  # randomized response with p/q = 3; all ones against all zeros, threshold 50
    false_alarm = sum(comb(n, s) * q**s * (1 - q) ** (n - s) for s in range(50, n + 1))
    missed = sum(comb(n, s) * (1 - q) ** s * q ** (n - s) for s in range(50))
    assert max(false_alarm, missed) < F(1, 10**6)

@claim("s-step2-twice", TWICE, lambda n, e, factor: doubled(n, e, factor) > F(1, 2),
    given=lambda: all(two_gaps(n, e) for n, e in product((10**6, 10**8), (F(1, 10), F(1, 2)))),
    show=lambda n, e, factor: f"n = {n}, epsilon = {e}, p/q just below e^({factor * e}), all bits 0: randomized "
    f"response errs by 2 tau or more with probability {doubled(n, e, factor):4}", text=r"""
    Step 2, third paragraph: `twice that error` Exact: with a probability that does not vanish as n grows""")
def _() -> None:
    n, q = 100, F(2, 7)  # epsilon = 1/2, tau = 10; p/q = 5/2 < e, and all bits are 0
    chance = [comb(n, s) * q**s * (1 - q) ** (n - s) for s in range(n + 1)]
    assert sum(c for s, c in enumerate(chance) if abs(s - n * q) / (1 - 2 * q) >= 20) < F(1, 10)

@claim("s-step2-no-idea", Range.of("n", "n = 100, 10^4, 10^6, p/q = 3, sqrt n ones expected", (100, 10**4, 10**6)),
    lambda people: guessing(people) >= F(1, 2),
    given=lambda: all(exp(F(-4, 3)).lower / 4 <= guessing(people) < F(1, 3) for people in (100, 10**4, 10**6)),
    show=lambda people: f"n = {people}, p/q = 3: the best test errs with probability {guessing(people):4} < 1/2",
    text=r"""
    Step 2, third paragraph, 'Thus the entire game': `no idea` Exact: best error between e^(-4/3)/4 and 1/3""")
def _() -> None:
    n, q = 100, F(1, 4)  # p/q = 3; 10 ones expected: under A a report is 1 with probability 1/4 + 1/10 1/2 = 3/10
    false_alarm = sum(comb(n, s) * q**s * (1 - q) ** (n - s) for s in range(28, n + 1))
    missed = sum(comb(n, s) * F(3, 10) ** s * F(7, 10) ** (n - s) for s in range(28))
    assert max(false_alarm, missed) < F(2, 5) < F(1, 2)

# --- the inputs and the Chernoff bound ----------------------------------------------------------------------------
@claim("s-step2-alpha", RATES, lambda people, level: 1 / (level * sqrt(F(people))) <= 1,
    only=lambda people, level: people >= 1 / level**2, sharp=True,
    show=lambda people, level: f"n = {people}, epsilon = {level}: alpha = {1 / (level * sqrt(F(people))):6}", text=r"""
    Step 2, definition of A: Shown: a probability for every n vs a probability if n >= 1/epsilon^2 Only: n >=
    1/epsilon^2""")
def _() -> None:
    n, epsilon = 1, F(1, 2)
    alpha_squared = 1 / (epsilon**2 * n)
    assert alpha_squared == 4 > 1

@claim("s-step2-chernoff", TAILS, """
    Step 2, Chernoff bound: `exp(-alpha n gamma^2/2)` Exact: the same""")
def _(people: int, rate: F, share: F) -> Answer:
    mean = sum(j * comb(people, j) * rate**j * (1 - rate) ** (people - j) for j in range(people + 1))
    below = binomial_at_most(people, rate, int((1 - share) * people * rate))
    return mean == people * rate and below <= exp(-rate * people * share**2 / 2)

@claim("s-step2-plugged", """
    Step 2, display after the Chernoff bound: `exp(-sqrt(n)/(8 epsilon))` Exact: the same""")
def _() -> Finding:
    cases = [(m, e) for m, e in product((1, 4, 49, 400), (F(1, 2), F(1))) if m * e**2 >= 1]
    sure(all(chernoff(n=m, rate=loc_rate(n=m, epsilon=e)).holds for m, e in cases), "a binomial sum above the bound")
    plugged = {gamma: Rational(1, 2), alpha: 1 / (epsilon * n**HALF)}
    threshold, exponent = (form.subs(plugged) for form in ((1 - gamma) * n * alpha, alpha * n * gamma**2 / 2))
    said, at = n**HALF / epsilon, {n: 16, epsilon: "1/2"}
    return all_of(identity(said / 2, threshold, at=at), identity(said / 8, exponent, at=at))

claim("s-step2-rare",
    lambda: identity(limit(symbolic_exp(-n**HALF / (8 * epsilon)), n, oo), Rational(0), at={}),
    given=lambda: exp(-F(100, 8)) < F(1, 10**5), text="""
    Step 2, after the display: Shown: extremely low vs e^(-sqrt(n)/(8 epsilon)), limit 0""")

@claim("s-step2-window", """
    Step 2, remark in brackets after the display: Shown: only from the order sqrt n on vs for n^b ones, every b > 0""")
def _() -> Finding:
    limits = [limit(symbolic_exp(-(n ** (1 - Rational(a))) / 8), n, oo) for a in ("1/2", "2/3", "9/10")]
    lines = [chernoff(n=r**3, rate=F(1, r**2)) for r in (4, 16, 64)]
    sure(all(line.holds for line in lines) and lines[0].left > lines[1].left > lines[2].left, "the tails do not fall")
    return Finding(Ruling.REFUTED if limits == [0, 0, 0] else Ruling.HOLDS,
        tested="alpha = n^-1/2, n^-2/3, n^-9/10",
        witness=f"n = 64^3, 64 ones expected: P[at most 32] = {lines[2].left:4}")
@script
def _() -> None:
    tails = []
    for r in (4, 8, 16):  # n = r^3 bits, each 1 with probability 1/r^2: n^(1/3) = r ones expected
        ways = sum(comb(r**3, i) * (r**2 - 1) ** (r**3 - i) for i in range(r // 2 + 1))
        tails.append(ways * 10**6 // r ** (2 * r**3))  # P[at most half of them], in millionths
    assert tails[0] > 2 * tails[1] > 8 * tails[2]
    assert tails[2] < 30_000

@claim("s-step2-tau", """
    Step 2, definition of tau: Shown: 0.5 n alpha vs sqrt(n)/(2 epsilon), at most n/2""")
def _() -> Finding:
    for m, e in product((1, 4, 25, 100), (F(1, 5), F(1, 2), F(1))):
        if m * e**2 >= 1:
            rate = loc_rate(n=m, epsilon=e)
            sure((e * rate) ** 2 * m == 1 and rate <= 1, "tau is beyond n/2")
    said = (Rational(1, 2) * n * alpha).subs(alpha, 1 / (epsilon * n**HALF))
    return identity(said, n**HALF / (2 * epsilon), at={n: 16, epsilon: "1/2"})

# --- the curator's answers ----------------------------------------------------------------------------------------
@claim("s-step2-D", INPUTS, show=lambda odds, inputs: f"inputs {inputs}, p/q = {odds}: both answers occur", text="""
    Step 2, definition of D: `input vectors` Exact: views: vectors of sanitised messages""")
def _(odds: F, inputs: tuple[int, ...]) -> Answer:
    answers = {sum(view) >= 1 for view in VIEWS if reporting(inputs, view, odds) > 0}
    return len(answers) == 1, True, len(answers) == 2
@script
def _() -> None:
    q, D = F(1, 4), {1}  # one person, randomized response, the curator repeats the report
    chance = {(x, c): 1 - q if x == c else q for x in (0, 1) for c in (0, 1)}
    answers = {x: {int(c in D) for c in (0, 1) if chance[x, c] > 0} for x in (0, 1)}
    assert answers == {0: {0, 1}, 1: {0, 1}}

ledger.empty("s-step2-inputs", Known.DEFINITION, """
    Step 2, after the definition of D: `2^n`""")

@claim("s-step2-fraction", SHARES, r"""
    Step 2, after the definition of D: Shown: share of the 2^n inputs vs P_A[c in D], inputs drawn from A""")
def _(people: int, rate: F) -> Answer:
    mixed = Randomizer.of(response(ODDS)).mixed(rate)
    under_a = sum(prod(mixed[c] for c in view) for view in product((0, 1), repeat=people) if sum(view) >= 1)
    return some_report(people, F(1, 2)), some_report(people, rate), under_a
@script
def _() -> None:
    q, alpha = F(1, 4), 1  # n = 1, epsilon = 1: p/q = 3 < e^2; the curator repeats the report, D = {1}
    uniform = ((1 - q) + q) / 2
    under_A = alpha * (1 - q) + (1 - alpha) * q
    assert uniform == F(1, 2) != under_A

ledger.empty("s-step2-groups", Known.DEFINITION, """
    Step 2, before Case I: Shown: P[D] < p or P[D] >= p vs true of any number""")
