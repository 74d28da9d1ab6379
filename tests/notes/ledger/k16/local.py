"""K16, section 4.3: the ratio of an outcome, the local bound on q, and what it is said to buy at n = 1000."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F
from itertools import product
from math import comb
from typing import Any

from sympy import Expr, Rational, Symbol, binomial, cancel, factor, log, sqrt

from dpcalc import KRandomization, classical_q, delta, exceedance, least_q, local_q, local_sigma, pmf, ratio, symbolic
from dpcalc.accuracy.estimator import count_interval, variance
from dpcalc.notes.symbolic import L, k, lam, n, q, s, z
from dpcalc.numbers.elementary import sqrt as root
from tests.notes.ledger.checking import all_of, identity, positive, printed, same, sure
from tests.notes.ledger.k16.forms import (
    QS,
    ROUNDED_Q,
    closed_variance,
    in_odds,
    moments,
    observed,
    one_more,
    pooled,
    quotient,
    ratio_of_ones,
    rounded,
)  # fmt: skip
from tests.notes.ledger.k16.forms import P as p
from tests.notes.ledger.ledger import Answer, Finding, Ledger, Range, Ruling, row

ledger = Ledger("K16")
claim, family, script = ledger.claim, ledger.family, ledger.script
# fmt: off

REACH = 3 * sqrt(p * q * n)
END = p * n - REACH
WINDOWS = tuple(product((10, 36, 100, 1000), (ROUNDED_Q, F(1, 10), F(1, 3))))

def within(n: int, q: F, i: int) -> bool:  # whether i is at most three standard deviations from the mean
    return (i - (1 - q) * n) ** 2 <= 9 * q * (1 - q) * n

def reached(n: int, q: F, limit: F) -> bool:  # whether 1 + 3 (p - q)/sqrt(pqn) <= lambda
    return (limit - 1) ** 2 * q * (1 - q) * n >= 9 * (1 - 2 * q) ** 2

def ratios(n: int, q: F) -> list[F]:  # R_0, ..., R_n from the two pmfs
    mechanism = KRandomization(n=n, q=q)
    return list(map(F.__truediv__, pmf(mechanism, ones=n - 1), pmf(mechanism, ones=n)))

def changed(n: int, q: F, i: int, lies: int) -> F:  # (4.31), with this exponent of q in the first term
    truth = comb(n - 1, i) * (1 - q) ** (i + 1) * q**lies if i < n else F(0)
    return truth + (comb(n - 1, i - 1) * (1 - q) ** (i - 1) * q ** (n - i + 1) if i else 0)

OUTCOMES = Range.of("n, q, i", "n = 1..5, q in {1/10, 1/4, 2/5}, every i",
    ((n, q, i) for n, q in product(range(1, 6), QS) for i in range(n + 1)))
POOLS = Range.of("n, q", "n = 1..7, q in {1/10, 1/4, 2/5}", range(1, 8), QS)
INSIDE = Range.of("n, q, i", "every whole outcome in the window of 12 pairs n, q",
    ((n, q, i) for n, q in WINDOWS for i in range(n + 1) if within(n, q, i)))
BOUNDED = Range.of("n, q, lam", "9 pairs n, q, lambda in {5/4, 2, 4, 16}, every outcome of the window",
    ((n, q, limit) for (n, q), limit in product(WINDOWS[:-3], map(F, ("5/4", "2", "4", "16"))) if reached(n, q, limit)))

# --- the ratio ----------------------------------------------------------------------------------------------------
ONES, Q = Symbol("i", integer=True, nonnegative=True), Symbol("Q", positive=True)  # i; q, p + q being left open

def one_lie_or_truth(said: Expr) -> Finding:  # of a changed record: its report is 0 with p, 1 with q; over (4.30)
    law = pooled(n, ONES, p, Q)
    parts = (chance * quotient(pooled(n - 1, ONES - one, p, Q), law) for one, chance in ((0, p), (1, Q)))
    return identity(quotient(said, law), sum(parts), at={n: 7, ONES: 3, p: "2/3", Q: "1/4"})

def mended() -> Expr:  # (4.31)
    first, second = binomial(n - 1, ONES) * p ** (ONES + 1), binomial(n - 1, ONES - 1) * p ** (ONES - 1)
    return first * Q ** (n - 1 - ONES) + second * Q ** (n - ONES + 1)

claim("4.30", OUTCOMES, lambda n, q, i: (observed(n, 0, q)[i], comb(n, i) * (1 - q) ** i * q ** (n - i)),
    proof=lambda: one_more(n, ONES, p, Q), text="""
    (4.30), section 4.3: With all records 1, P(S = i) = C(n, i) p^i q^(n - i). Shown: C(n, i) p^i q^(n-i) vs P(i | D),
    enumerated
    Why: Each of the n reports is 1 with probability p, independently; C(n, i) patterns of reports have i ones. In
    symbols by induction: with one report more q P(i) + p P(i - 1) is the same form with n + 1 for n.""")

@claim("4.31", OUTCOMES,
    lambda n, q, i: (changed(n, q, i, n - i), observed(n - 1, 1, q)[i], changed(n, q, i, n - 1 - i)),
    proof=lambda: one_lie_or_truth(mended()), text=r"""
    (4.31), section 4.3: With one record changed to 0, P(S = i) = C(n-1, i) p^(i+1) q^(n-i) + C(n-1, i-1) p^(i-1)
    q^(n-i+1). Quote: \binom{N-1}{i} p^{i+1} q^{N-i} Shown: first term p^(i+1) q^(n-i) vs first term p^(i+1) q^(n-1-i)
    Why: The exponent of q in the first term is one too high. Either the changed record tells the truth, 0, and i of the
    n - 1 others report 1, or it lies and i - 1 do.
        P(S = i) = C(n-1, i) p^i q^(n-1-i) p + C(n-1, i-1) p^(i-1) q^(n-i) q
    The first term holds n factors, p^(i+1) q^(n-1-i); the exponent printed, n - i, makes n + 1. (4.32) follows from the
    right one.""")
def _() -> None:
    p, q = F(3, 4), F(1, 4)
    true = sum((p if a else q) * (q if b else p) for a in (0, 1) for b in (0, 1) if a + b == 1)  # n = 2, i = 1
    assert p**2 * q + q**2 != true == p**2 + q**2

@claim("4.32", OUTCOMES, text="""(4.32), section 4.3: R_i = (n - i)/n p/q + i/n q/p. Shown: (n-i)/n p/q + i/n q/p
    Why: (4.31), mended, over (4.30): C(n-1, i)/C(n, i) = (n-i)/n with p/q, C(n-1, i-1)/C(n, i) = i/n with q/p.""",
    proof=lambda: one_lie_or_truth(pooled(n, ONES, p, Q) * ((n - ONES) / n * p / Q + ONES / n * Q / p)))
def _(size: int, lie: F, i: int) -> Answer:
    true = observed(size - 1, 1, lie)[i] / observed(size, 0, lie)[i]
    closed = symbolic.ratio(1).subs({n: size, q: Rational(lie), s: i})
    return bool(true == ratio_of_ones(size, lie, i) and closed == Rational(true))

def end_value(said: Expr, at: Any) -> Finding:  # of the ratio, which falls: it is linear in s
    return all_of(positive((-n * symbolic.ratio(1).diff(s)).factor()), in_odds(said, symbolic.ratio(1).subs(s, at)))

claim("s4.3-largest", POOLS, lambda n, q: max(ratios(n, q)) == ratios(n, q)[0] == (1 - q) / q,
    proof=lambda: end_value(p / q, 0), text="""
    section 4.3, after (4.32): The ratio is largest at i = 0, where it is `p/q`.
    Why: R_i falls in i (s4.3-falls), so it is largest at i = 0, where (4.32) is p/q.""")

claim("s4.3-smallest", POOLS, lambda n, q: min(ratios(n, q)) == ratios(n, q)[-1] == q / (1 - q),
    proof=lambda: end_value(q / p, n), text="""
    section 4.3, after (4.32): The ratio is smallest at i = n, where it is `q/p`.
    Why: R_i falls in i (s4.3-falls), so it is smallest at i = n, where (4.32) is q/p.""")

@claim("s4.3-falls", """section 4.3, after (4.32); again before (4.33): The ratio `falls` as i grows. Assuming: 0 < q <
    1/2 Exact: step -(p - q)/(n p q)
    Why: R_(i+1) - R_i = (q/p - p/q)/n = -(p^2 - q^2)/(n p q) = -(p - q)/(n p q) < 0, for real i too.""")
def _() -> Finding:
    step = factor(symbolic.ratio(1).subs(s, s + 1) - symbolic.ratio(1))
    sure(positive(-step * n).ruling is Ruling.PROVEN, f"the step {step} is not negative")
    return identity(step, -(1 - 2 * q) / (n * q * (1 - q)), at={q: F(1, 5), n: 10})

@claim("s4.3-one-at-the-mean", """section 4.3, third display after (4.32): R = 1 at the expected count i = pn: (n-pn)/n
    p/q + pn/n q/p = (1-p) p/q + p q/p = p + q = 1. Shown: R = 1 at i = pn vs R = 1 at E S = pn
    Why: At i = pn the weights are 1 - p = q and p, so R = q p/q + p q/p = p + q = 1; each member printed is
    checked.""")
def _() -> Finding:
    members = ((n - p * n) / n * p / q + p * n / n * q / p, (1 - p) * p / q + p * q / p, p + q, n / n)
    return in_odds(symbolic.ratio(1).subs(s, moments(n)[0]), *members)

claim("s4.3-5e-53", lambda: printed("5e-53", pmf(KRandomization(n=100, q=F(3, 10)), ones=100)[0]), """
    section 4.3, after the third display: For p = 0.7, q = 0.3 and n = 100 no synthetic ones are seen with probability
    q^100 = 5e^(-53). Assuming: the number as calculators write it, 5e-53 Shown: 5 e^(-53)
    Why: All 100 reports lie: 0.3^100 = 5.15... 10^(-53). It is typeset with -53 as an exponent of e; read as a power of
    Euler's number it would be 4.8 10^(-23).""")

claim("s4.3-ratio-again", lambda: in_odds((n - s) / n * p / q + s / n * q / p, symbolic.ratio_bound().subs(k, 1)), """
    section 4.3, display before (4.33): Again R_i = (n - i)/n p/q + i/n q/p. Shown: (n-i)/n p/q + i/n q/p
    Why: As (4.32). Another road: R_i is the mean over the n reports of their odds, p/q for a 0 and q/p for a 1. For k =
    1 the mean of the odds is the bound of (5.13), so that closed form is the true side here.""")

# --- the window ---------------------------------------------------------------------------------------------------
claim("s4.3-moments", lambda: all_of(in_odds(p * n, moments(n)[0]), in_odds(sqrt(p * q * n), sqrt(moments(n)[1]))), """
    section 4.3, before (4.33): The expected count of synthetic ones is pn, its standard deviation sqrt(pqn). Assuming:
    all records 1 Shown: pn, sqrt(pqn)
    Why: A sum of n independent reports, each with mean p and variance pq; the check takes both from log G at x = 1.""")

@claim("s4.3-window-end", INSIDE, """section 4.3, before (4.33): In the window pn -+ 3 sigma the ratio is `largest at i
    = pn - 3 sigma`. Assuming: i is read as a real number
    Why: R_i falls in real i (s4.3-falls), so on an interval it is largest at the left end. Only whole i are seen: there
    the largest ratio is that of the least whole number in the window, which is smaller unless pn - 3 sigma is whole
    itself. So the bound is on the safe side.""")
def _(n: int, q: F, i: int) -> Answer:
    value = ratio_of_ones(n, q, i)
    return value <= 1 or (value - 1) ** 2 * q * (1 - q) * n <= 9 * (1 - 2 * q) ** 2

@claim("s4.3-direction", r"""
    section 4.3, before (4.33): Inside the window the local privacy ratio is at its worst at i = pn - 3 sigma. Quote:
    the local differential privacy reaches maximum at i = pN - 3\sigma Assuming: the probabilities of any two databases
    that differ in one record are compared, as section 3 defines it Shown: worst at pn - 3 sigma
    Why: The reciprocal of the ratio counts as well, and it is worse at the other end of the window. With y = 3 (p -
    q)/sqrt(pqn) the ratio is 1 + y at the low end and its reciprocal 1/(1 - y) > 1 + y at the high end: 1 - y^2 < 1.
    The reciprocal is what the pair (D, D_m) shows in the other order, and section 3 asks for both. With both, y <= 1 -
    1/lambda: the closed form is (4.45) with 1 - 1/lambda for lambda - 1. Where pn + 3 sigma > n the window ends at n,
    with reciprocal p/q.""")
def _() -> Finding:
    ends = [i for i in range(1001) if within(1000, ROUNDED_Q, i)]
    low, high = ratio_of_ones(1000, ROUNDED_Q, ends[0]), 1 / ratio_of_ones(1000, ROUNDED_Q, ends[-1])
    both, solved = symbolic.two_sided_q().subs({z: 3, lam: 2, n: 1000}), local_q(n=1000, lam=2, sides=2).enclosure
    reach = (symbolic.window_bound() - 1).subs({k: 1, z: 3, n: 1000}).subs(q, both)
    digits, slack = F(str(both.evalf(40))), F(1, 10**30)
    sure(cancel(reach**2 - F(1, 4)) == 0 and solved.lower - slack < digits < solved.upper + slack, "the closed form")
    return Finding(Ruling.ONLY_FOR if high > low else Ruling.PROVEN,
        exact=f"worst at pn + 3 sigma; by the closed form n = 1000, lambda = 2 needs q = {rounded(solved, 4)}",
        over="the ratio P(i | D_m)/P(i | D), not its reciprocal",
        witness=f"n = 1000, q = 0.009: R = {rounded(low, 2)} at {ends[0]}, 1/R = {rounded(high, 2)} at {ends[-1]}")
@script
def _() -> None:
    n, q = 1000, F(9, 1000)  # mean 991; 9 sigma^2 = 80.27: the window holds 983, ..., 999
    def ratio(i: int) -> F:
        return F(n - i, n) * (1 - q) / q + F(i, n) * q / (1 - q)

    assert 9**2 > 9 * n * q * (1 - q) > 8**2  # 991 - 9 = 982 is outside, 991 + 8 inside
    assert ratio(983) < 2
    assert 1 / ratio(999) > 8

claim("4.33", lambda: in_odds(END, moments(n)[0] - 3 * sqrt(moments(n)[1])), """
    (4.33), section 4.3: i = pn - 3 sigma = `pn - 3 sqrt(pqn)`. Exact: E S - 3 sqrt(Var S)
    Why: Three standard deviations below the mean, both taken from the generating function.""")

@claim("4.34", BOUNDED, """(4.34), section 4.3: R_i = (n - i)/n p/q + i/n q/p <= lambda is required at i = pn - 3 sigma.
    Assuming: lambda > 1 Shown: R_i <= lambda at i = pn - 3 sigma vs then R_i <= lambda for i >= pn - 3 sigma
    Why: The ratio is (4.32). As R_i falls in i, the demand at the end gives it for every outcome of the window.""")
def _(n: int, q: F, limit: F) -> Answer:
    inner = [(ratio_of_ones(n, q, i), ratio(KRandomization(n=n, q=q), i)) for i in range(n + 1) if within(n, q, i)]
    return all(form == exact <= limit for form, exact in inner)

def at_end(said: Expr, *true: Expr) -> Finding:  # what is printed against R at i = pn - 3 sqrt(pqn)
    return in_odds(said, symbolic.ratio(1).subs(s, END), *true)

@claim("4.35", lambda: at_end((n - p * n + REACH) / n * p / q + (p * n + REACH) / n * q / p), r"""
    (4.35), section 4.3: The largest ratio is (n - pn + 3 sqrt(pqn))/n p/q `+ (pn + 3 sqrt(pqn))/n q/p`. Quote: \frac{pN
    + 3\sqrt{pqN}}{N} \cdot \frac{q}{p} \leq \lambda Exact: + (pn - 3 sqrt(pqn))/n q/p
    Why: (4.33) put into (4.32): the share of ones is (pn - 3 sqrt(pqn))/n, with a minus; (4.36) has it right.""")
def _() -> None:
    n, p, q, i = 100, F(4, 5), F(1, 5), 80 - 12  # 3 sqrt(pqn) = 12
    changed = comb(99, i) * p**i * q ** (99 - i) * p + comb(99, i - 1) * p ** (i - 1) * q ** (100 - i) * q
    true = changed / (comb(n, i) * p**i * q ** (n - i))
    assert F(20 + 12, n) * p / q + F(80 + 12, n) * q / p != true == F(20 + 12, n) * p / q + F(80 - 12, n) * q / p

family(
    row("4.36", "(4.36), section 4.3: (n - pn + 3 sqrt(pqn))/n p/q + (pn - 3 sqrt(pqn))/n q/p <= lambda.",
        said=(n - p * n + 3 * sqrt(p * q * n)) / n * p / q + (p * n - 3 * sqrt(p * q * n)) / n * q / p,
        shown="... + (pn - 3 sqrt(pqn))/n q/p", why="(4.33) put into (4.32)."),
    row("4.37", "(4.37), section 4.3: p + q + 3 sqrt(pq/n) (p/q - q/p) <= lambda.",
        said=p + q + 3 * sqrt(p * q / n) * (p / q - q / p), shown="p + q + 3 sqrt(pq/n) (p/q - q/p)",
        why="(n - pn)/n p/q = p and pn/n q/p = q; the roots are collected, 3 sqrt(pqn)/n = 3 sqrt(pq/n)."),
    row("4.38", "(4.38), section 4.3: 1 + 3 sqrt(pq/n) (p^2 - q^2)/(pq) <= lambda.",
        said=1 + 3 * sqrt(p * q / n) * (p**2 - q**2) / (p * q), shown="1 + 3 sqrt(pq/n) (p^2 - q^2)/(pq)",
        why="p + q = 1, and p/q - q/p over the common denominator."),
    check=at_end, text="Shown: <shown> vs R at pn - 3 sqrt(pqn) Why: <why>")

claim("4.39", lambda: at_end(1 + 3 * sqrt(1 / n) * (p - q) / sqrt(p * q), symbolic.window_bound().subs({k: 1, z: 3})),
    """(4.39), section 4.3: 1 + 3 sqrt(1/n) (p - q)/sqrt(pq) <= lambda. Shown: 1 + 3 (p - q)/sqrt(pqn)
    Why: p^2 - q^2 = (p - q)(p + q) = p - q, and sqrt(pq)/(pq) = 1/sqrt(pq).""")

# --- the bound ----------------------------------------------------------------------------------------------------
VARIANCE = p * q * n / (p - q) ** 2

claim("4.40", lambda: in_odds(VARIANCE, 9 / (symbolic.window_bound().subs({k: 1, z: 3}) - 1) ** 2), """
    (4.40), section 4.3: So `pqn/(p - q)^2` >= 9/(lambda - 1)^2. Assuming: lambda > 1 Exact: 9/(R - 1)^2 at the end
    Why: (4.39) is y <= lambda - 1 with y = 3 (p - q)/sqrt(pqn) > 0. For lambda > 1 both sides are positive, and
    squaring and inverting gives 1/y^2 >= 1/(lambda - 1)^2, where 9/y^2 = pqn/(p - q)^2: an equivalence. For lambda <= 1
    (4.39) never holds, but (4.40) can.""")

claim("s4.3-variance",
    lambda: in_odds(VARIANCE, moments(symbolic.m)[1].subs(k, 1) / (1 - 2 * q) ** 2, symbolic.variance().subs(k, 1)), """
    section 4.3, after (4.40): The left side of (4.40) is the variance of the estimate. Shown: pqn/(p - q)^2 vs Var S/(p
    - q)^2
    Why: The estimate is (S - qn)/(p - q), so its variance is Var S/(p - q)^2; Var S = pqn for any number of ones.""")

claim("4.41", lambda: identity(9 / (lam - 1) ** 2, closed_variance().subs({k: 1, z: 3}), at={lam: 3, n: 100}), """
    (4.41), section 4.3: The local bound is a lower bound on the variance: pqn/(p - q)^2 >= 9/(lambda - 1)^2. Assuming:
    lambda > 1 Shown: Var >= 9/(lambda - 1)^2 vs Var = 9/(lambda - 1)^2 at (4.45)
    Why: v = pq/(p - q)^2 = pq/(1 - 4pq) grows with q, so the least q that keeps (4.34) has the least variance. At the q
    of (4.45) the variance must be 9/(lambda - 1)^2 exactly, whatever n is.""")

@claim("4.42", """(4.42), section 4.3: sigma >= `3/(lambda - 1)` = 3/(e^epsilon - 1). Assuming: lambda = e^epsilon > 1
    Why: The root of (4.41), with lambda = e^epsilon. n is not in it: the local bound asks for the same error at any
    n.""")
def _() -> Finding:
    sure(local_sigma(lam=F(5, 2)) == 2, "the solver has another sigma at lambda = 5/2")
    said, closed = 3 / (lam - 1), symbolic.sigma_at_closed_q().subs({k: 1, z: 3})
    sure(same(closed**2, closed_variance().subs({k: 1, z: 3}), at={lam: 3, n: 100}), "the closed form of sigma")
    return identity(said, closed, at={lam: 3})

family(
    row("4.43", "(4.43), section 4.3: Again <shown>.",
        form=p * q * n / (p - q) ** 2, scale=1, shown="pqn/(p - q)^2 >= 9/(lambda - 1)^2"),
    row("4.44", "(4.44), section 4.3: <shown>.",
        form=(1 - q) * q / (1 - 2 * q) ** 2, scale=n, shown="(1 - q) q/(1 - 2q)^2 >= 9/((lambda - 1)^2 n)"),
    check=lambda form, scale: in_odds(form, 9 / (scale * (symbolic.ratio(1).subs(s, END) - 1) ** 2)), text="""
    Assuming: lambda > 1 Shown: <shown> vs R <= lambda at the end
    Why: With R the ratio (4.36) at the end of the window, (R - 1)^2 times the left side is 9 (or 9/n): as R > 1 and
    lambda > 1, R <= lambda says that the left side is at least 9/(lambda - 1)^2 (over n). An equivalence, for every q
    and n.""")

@claim("4.45", """(4.45), section 4.3: With c = 9/((lambda-1)^2 n) the bound is q >= (1 - 1/sqrt(1+4c))/2. Assuming: k =
    1, lambda > 1, 0 < q < 1/2 Shown: (1 - 1/sqrt(1 + 4c))/2 vs (1 - 1/sqrt(1 + 4c))/2, c = 9/((lambda - 1)^2 n)
    Why: With v = pq/(p - q)^2 the bound (4.44) is v >= c, c = 9/((lambda - 1)^2 n). As p + q = 1, (p - q)^2 = 1 - 4pq,
    so v = pq/(1 - 4pq) grows with q, and v = c is solved by pq = c/(1 + 4c), that is p - q = 1/sqrt(1 + 4c). Putting
    the printed q into v must give c back.""")
def _() -> Finding:
    c = 9 / ((lam - 1) ** 2 * n)
    said = (1 - 1 / sqrt(1 + 4 * c)) / 2
    met = identity((q * (1 - q) / (1 - 2 * q) ** 2).subs(q, said), c, at={lam: 2, n: 1000})
    return all_of(met, identity(said, symbolic.closed_q().subs({k: 1, z: 3}), at={lam: 2, n: 1000}))

def pool(lie: F | str, size: int = 1000) -> KRandomization:  # the example's mechanism
    return KRandomization(n=size, q=lie)

def worst(n: int, q: F, limit: F) -> F:  # the worst delta over all datasets
    return delta(pool(q, n), lam=limit).value

DATASETS = Range.of("n, q, ones", "n = 1..5, q in {1/10, 1/4, 2/5}, every number of ones",
    ((n, q, ones) for n, q in product(range(1, 6), QS) for ones in range(n)))
SIZES = Range.of("n, q, lam", "n = 1..9, q in {1/10, 1/4}, lambda in {5/4, 2}: delta falls strictly",
    range(1, 9), (F(1, 10), F(1, 4)), (F(5, 4), F(2)))

# --- the gain -----------------------------------------------------------------------------------------------------
claim("s4.3-q-0.009", lambda: printed("0.009", local_q(n=1000, lam=2).enclosure), """
    section 4.3, after (4.45): For lambda = 2 and n = 1000 the noise required is q = 0.009.
    Why: The closed form, to the digits printed; the exact value is 0.00876..., so the printed q is on the safe
    side.""")

@claim("4.46", DATASETS, given=lambda: symbolic.local_epsilon().subs({k: 1, L: 1}) == log((1 - q) / q), text="""
    (4.46), section 4.3: The absolute bound for epsilon = ln 2 demands `p/q <= 2`. Exact: largest ratio p/q
    Why: P(S = s) is a sum over the changed record's report y of its probability, p or q, times that of the others; when
    the record changes, the first factor changes by at most p/q either way, so the ratio does too. At s = 0 only y = 0
    occurs and the ratio is p/q. So p/q <= lambda is necessary and sufficient, for every number of ones. The closed form
    log(p/q) is its logarithm.""")
def _(n: int, q: F, ones: int) -> Answer:
    pairs = list(zip(pmf(pool(q, n), ones=ones), pmf(pool(q, n), ones=ones + 1), strict=True))
    return max(max(a / b, b / a) for a, b in pairs), (1 - q) / q

@claim("4.47", """(4.47), section 4.3: So q >= `1/3 = 0.333`. Exact: 1/3
    Why: (1 - q)/q <= 2 is 1 <= 3q; in general q >= 1/(1 + lambda). 0.333 is 1/3 rounded, and just below it.""")
def _() -> Finding:
    closed = symbolic.classical_q().subs({k: 1, L: 1})
    sure(printed("0.333", classical_q(lam=2).value).ruling is Ruling.HOLDS, "0.333 is not 1/3 rounded")
    return all_of(identity(1 / closed - 1, lam, at={lam: 2}), identity(Rational(1, 3), closed.subs(lam, 2), at={}))

@claim("s4.3-37-times", """section 4.3, after (4.47): Local privacy reduced the noise 37 times. Assuming: n = 1000,
    lambda = 2, q = 0.009 as printed
    Why: (1/3)/0.009 = 37.04. Over the unrounded q of (4.45), 0.0087640..., it is 38.03.""")
def _() -> Finding:
    quotients = [classical_q(lam=2).value / lie for lie in (ROUNDED_Q, local_q(n=1000, lam=2).enclosure)]
    exact = f"{rounded(quotients[0], 2)} times; {rounded(quotients[1], 2)} at the unrounded q"
    return replace(printed("37", quotients[0], unit="times"), exact=exact)

claim("s4.3-sigma-44.7", lambda: printed("44.7", root(variance(pool(classical_q(lam=2).value)))),
    given=lambda: symbolic.sigma().subs({k: 1, n: 1000, q: Rational(1, 3)}) ** 2 == 2000, text="""
    section 4.3, after (4.47): In the classical case the estimate's deviation is 44.7. Assuming: n = 1000, q = 1/3
    Why: sqrt(pqn)/(p - q) = sqrt(2000) at q = 1/3.""")

@claim("s4.3-sigma-3", """
    section 4.3, after (4.47): For local privacy the estimate's deviation is `3`. Assuming: lambda = 2, q at (4.45)
    Why: (4.42) with lambda = 2 is 3/(2 - 1), exactly; at the rounded q = 0.009 it is 3.04.""")
def _() -> Finding:
    sure(printed("3", root(variance(pool(ROUNDED_Q)))).ruling is Ruling.HOLDS, "at q = 0.009 sigma is not 3")
    sure(local_sigma(lam=2) == 3, "the solver has another sigma")
    return identity(Rational(3), symbolic.sigma_at_closed_q().subs({k: 1, z: 3, lam: 2}), at={})

@claim("s4.3-10-fold", """section 4.3, after (4.47): The precision of the estimate has grown 10 fold. Quote: meaning
    that precision of RRT estimates had grown 10 fold Assuming: n = 1000, lambda = 2
    Why: The quotient of the two deviations just quoted is sqrt(2000)/3 = 14.9: 15 fold, not 10 fold.""")
def _() -> Finding:
    classical, local = root(variance(pool(classical_q(lam=2).value))), local_sigma(lam=2)
    found = printed("10", classical / local, unit="fold")
    text = f"{rounded(classical, 2)}/{local} = {rounded(classical / local, 1)}"
    return replace(found, witness=found.witness and text)
@script
def _() -> None:
    def variance(q: F) -> F:
        return 1000 * q * (1 - q) / (1 - 2 * q) ** 2

    assert 14**2 < variance(F(1, 3)) / 9 < 15**2  # 9 = 9/(lambda - 1)^2 is the variance at the local bound

# --- the intervals ------------------------------------------------------------------------------------------------
@family(
    row("4.48", of="E S", which=0, ones=1000, said=1000 * (1 - q), shown="1000 p"),
    row("4.49", of="sigma(S)", which=1, ones=1000, said=1000 * q * (1 - q), shown="sqrt(1000 pq)"),
    row("4.50", of="E S_m", which=0, ones=999, said=999 * (1 - q) + q, shown="999 p + q"),
    row("4.51", of="sigma(S_m)", which=1, ones=999, said=999 * q * (1 - q) + q * (1 - q), shown="sqrt(999 pq + pq)"),
    text="""(<label>), section 4.3: <of> = `<shown>`. Assuming: <ones> ones among 1000 records
    Why: A sum of 1000 independent reports: each with the variance pq, with the mean p for a 1 and q for a 0. For the
    deviations the variances are compared.""")
def _(which: int, ones: int, said: Expr) -> Finding:
    law = pmf(pool(F(1, 4)), ones=ones)
    sure((law.mean, law.variance)[which] == F(str(said.subs(q, Rational(1, 4)))), "not that of the exact pmf")
    return identity(said, moments(ones)[which].subs({k: 1, n: 1000}), at={q: F(1, 5)})

def interval(said: str, q: str, used: str, ones: int) -> Finding:
    """What is printed against mean -+ 3 sigma at q, and, if that is not it, at the q that was used."""
    ends = {lie: count_interval(pool(lie), ones=ones) for lie in (q, used)}
    exact = "[{}, {}]".format(*(rounded(end, 2) for end in (ends[q].lower, ends[q].upper)))
    there = "[{}, {}]".format(*(rounded(end, 2) for end in (ends[used].lower, ends[used].upper)))
    if said == exact:
        return Finding(Ruling.HOLDS, said=said, exact=exact, over="rounded to the digits printed")
    sure(said == there, "the interval is not that of the other q either")
    return Finding(Ruling.CORRECTED, said=f"{said} for q = {q}", exact=exact, witness=f"{said} is q = {used}, not {q}")

@family(
    row("4.52", of="S", ones=1000, lies=0, said="[621.98, 711.42]"),
    row("4.53", of="S_m", ones=999, lies=1, said="[621.65, 711.09]"),
    check=lambda ones, said: interval(said, "0.333", "0.3333", ones), text="""
    (<label>), section 4.3: For q = 0.333 the interval of <of> is <said>. Quote: q = 0.333 ... <of>- > <said>
    Why: The ends printed are those of q = 0.3333, not of the q = 0.333 that is named.""")
def _(ones: int, lies: int, said: str) -> None:
    def fits(q: F) -> bool:  # mean - 3 sigma rounds to the lower end printed
        gap = ones * (1 - q) + lies * q - F(said[1:7])
        return (gap - F(1, 200)) ** 2 < 9000 * q * (1 - q) < (gap + F(1, 200)) ** 2

    assert fits(F(3333, 10**4))
    assert not fits(F(333, 1000))
    assert not fits(F(1, 3))

family(
    row("4.54", of="S", ones=1000, said="[982.04, 999.96]"), row("4.55", of="S_m", ones=999, said="[981.06, 998.98]"),
    check=lambda ones, said: interval(said, "0.009", "0.009", ones), text="""
    (<label>), section 4.3: For q = 0.009 the interval of <of> is <said>.
    Why: The mean -+ 3 sqrt(1000 pq) at the rounded q = 0.009, each end to the digits printed; the mean is 1000 p for S
    and 999 p + q for S_m.""")

@claim("s4.3-nearly-identical", """section 4.3, after (4.55): The intervals of S and S_m are `nearly identical` under
    either bound. Assuming: nearly identical: shifted by less than a tenth of their width
    Why: They have the same width, 6 sqrt(pqn), and are shifted by p - q: by 1/(6 sigma) of the width, sigma the
    estimate's deviation. Intervals that overlap do not keep a ratio within lambda; what they say about privacy is
    s4.3-99.98.""")
def _() -> Finding:
    intervals = [[count_interval(pool(lie), ones=ones) for ones in (1000, 999)] for lie in (F(1, 3), ROUNDED_Q)]
    shifts = [(a.lower - b.lower) / (a.upper - a.lower) for a, b in intervals]
    text = " and ".join(f"{rounded(100 * share, 2)} %" for share in shifts)
    near = all(share < F(1, 10) for share in shifts)
    return Finding(Ruling.HOLDS if near else Ruling.REFUTED,
        exact=f"shifted by {text} of the width", over="q = 1/3 and q = 0.009")

@claim("s4.3-full-power", """section 4.3, after (4.55): The full strength of the absolute bound is not needed. Assuming:
    n = 1000, lambda = 2, and outcomes of total weight delta > 0 may be given up Shown: less than q = 1/3
    Why: (ln 2, delta)-differential privacy over every dataset, both orders, for delta = 10^-6: less than 1/3 is enough.
    The q = 0.009 of the local bound is not: its own delta at epsilon = ln 2 is above one percent. For delta = 0 nothing
    is gained: the ratio at s = 0 is p/q for every n.""")
def _() -> Finding:
    enough = least_q(n=1000, lam=2, delta=F(1, 10**6), rtol=F(1, 10**4))
    left = delta(pool(ROUNDED_Q), lam=2, rtol=F(1, 1000))
    exact = f"q = {rounded(enough.enclosure, 4)} for delta = 10^-6; at q = 0.009 delta = {rounded(left, 4)}"
    return Finding(Ruling.HOLDS if enough.upper < F(1, 3) else Ruling.REFUTED,
        exact=exact, over="n = 1000, lambda = 2, delta = 10^-6")

@claim("s4.3-99.98", """section 4.3, end: The local bound guarantees the ratio for `99.98 %` of outcomes. Quote: the
    local privacy bound will guarantee privacy ratio for 99.98% of possible synthetic outcomes Assuming: n = 1000,
    lambda = 2, q at the closed bound, all records 1
    Why: At the closed bound the ratio is kept for 99.61 % of outcomes, its reciprocal for 93.73 %, both for 93.34 %.
    These are binomial sums at the bound's own q: R > 2 exactly for S <= 982 and 1/R > 2 exactly for S >= 996. At q =
    0.009 they are 99.77, 94.58 and 94.35 %. None of the readings (the ratio, its reciprocal, both; under D or under
    D_m; either q) gives 99.98 %. Three standard deviations of a normal law would hold 99.87 % on one side and 99.73 %
    on both; the binomial is skewed, with a mean of only 9 lies.""")
def _() -> Finding:
    closed, at_printed = (exceedance(pool(lie), lam=2) for lie in (local_q(n=1000, lam=2).upper, ROUNDED_Q))
    kept = []
    for found in (closed, at_printed):  # the ratio, its reciprocal, both within lambda; under D, then under D_m
        pairs = (found.ratio, found.reciprocal), (found.ratio_neighbour, found.reciprocal_neighbour)
        kept.append([100 - 100 * beyond for pair in pairs for beyond in (*pair, pair[0] + pair[1])])
    text = "{} % for the ratio, {} % for 1/R, {} % for both".format(*(rounded(value, 2) for value in kept[0][:3]))
    there = ", ".join(rounded(value, 2) for value in kept[1][:3])
    right = any(printed("99.98", value).ruling is Ruling.HOLDS for values in kept for value in values)
    return Finding(Ruling.HOLDS if right else Ruling.REFUTED, exact=f"{text}; {there} at q = 0.009",
        witness=f"R > 2 for s <= {closed.low}, 1/R > 2 for s >= {closed.high}: kept {text}")
@script
def _() -> None:
    q, n = F(8765, 10**6), 1000  # just above the closed bound: n p q/(p - q)^2 >= 9
    ratio = [F(n - s, n) * (1 - q) / q + F(s, n) * q / (1 - q) for s in range(n + 1)]
    weight = [comb(n, s) * (1 - q) ** s * q ** (n - s) for s in range(n + 1)]
    assert n * q * (1 - q) / (1 - 2 * q) ** 2 >= 9
    assert ratio[982] > 2  # R falls with s
    assert 1 / ratio[996] > 2
    assert sum(weight[:983]) > F(38, 10**4)  # so 99.62 % at most
    assert sum(weight[996:]) > F(62, 10**3)  # and 93.8 % at most

claim("s4.3-hiding", SIZES, lambda n, q, limit: worst(n + 1, q, limit) < worst(n, q, limit), """
    section 4.3, end: Hiding a record among others needs less noise than obfuscating it alone. Assuming: outcomes of
    total weight delta > 0 may be given up, and there are enough others Shown: less noise in a larger collection vs
    delta falls with n
    Why: Another user's reports are independent noise added to S: post-processing of what fewer users show. So the worst
    delta falls, or stays, with n, and with it the least q; for delta = 0 that stays 1/(1 + lambda). Write S = X + Y, X
    the others' count and Y the changed record's report: delta is at most the total variation distance, (p - q) max P(X
    = t) as X is unimodal. X sums n - 1 independent bits of variance pq each, so this tends to 0 as n grows: for delta >
    0 every q is enough among enough others.""")
