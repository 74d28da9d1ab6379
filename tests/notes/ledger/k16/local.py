"""K16, section 4.3: the ratio of an outcome, the local bound on q, and what it is said to buy at n = 1000."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F
from itertools import product
from math import comb

from sympy import Rational, cancel, log

from dpcalc import KRandomization, classical_q, delta, exceedance, least_q, local_q, local_sigma, pmf, ratio, symbolic
from dpcalc.accuracy.estimator import count_interval, variance
from dpcalc.notes.symbolic import L, k, lam, n, q, z
from dpcalc.numbers.elementary import sqrt as root
from tests.notes.ledger.checking import printed, sure
from tests.notes.ledger.k16.forms import QS, ROUNDED_Q, ratio_of_ones, rounded  # fmt: skip
from tests.notes.ledger.ledger import Answer, Finding, Ledger, Range, Ruling, row

ledger = Ledger("K16")
claim, family, erratum = ledger.claim, ledger.family, ledger.erratum
# fmt: off

WINDOWS = tuple(product((10, 36, 100, 1000), (ROUNDED_Q, F(1, 10), F(1, 3))))

def within(n: int, q: F, i: int) -> bool:  # whether i is at most three standard deviations from the mean
    return (i - (1 - q) * n) ** 2 <= 9 * q * (1 - q) * n

def reached(n: int, q: F, limit: F) -> bool:  # whether 1 + 3 (p - q)/sqrt(pqn) <= lambda
    return (limit - 1) ** 2 * q * (1 - q) * n >= 9 * (1 - 2 * q) ** 2

def changed(n: int, q: F, i: int, lies: int) -> F:  # (4.31), with this exponent of q in the first term
    truth = comb(n - 1, i) * (1 - q) ** (i + 1) * q**lies if i < n else F(0)
    return truth + (comb(n - 1, i - 1) * (1 - q) ** (i - 1) * q ** (n - i + 1) if i else 0)

INSIDE = Range.of("n, q, i", "every whole outcome in the window of 12 pairs n, q",
    ((n, q, i) for n, q in WINDOWS for i in range(n + 1) if within(n, q, i)))
BOUNDED = Range.of("n, q, lam", "9 pairs n, q, lambda in {5/4, 2, 4, 16}, every outcome of the window",
    ((n, q, limit) for (n, q), limit in product(WINDOWS[:-3], map(F, ("5/4", "2", "4", "16"))) if reached(n, q, limit)))

@erratum("4.31")
def _() -> str:
    p, q = F(3, 4), F(1, 4)
    true = sum((p if a else q) * (q if b else p) for a in (0, 1) for b in (0, 1) if a + b == 1)  # n = 2, i = 1
    assert p**2 * q + q**2 != true == p**2 + q**2
    return f"n = 2, i = 1, q = 1/4: {p**2 * q + q**2} against {true}"

claim("s4.3-5e-53", lambda: printed("5e-53", pmf(KRandomization(n=100, q=F(3, 10)), ones=100)[0]))

@claim("s4.3-window-end", INSIDE)
def _(n: int, q: F, i: int) -> Answer:
    value = ratio_of_ones(n, q, i)
    return value <= 1 or (value - 1) ** 2 * q * (1 - q) * n <= 9 * (1 - 2 * q) ** 2

@claim("s4.3-direction")
def _() -> Finding:
    ends = [i for i in range(1001) if within(1000, ROUNDED_Q, i)]
    low, high = ratio_of_ones(1000, ROUNDED_Q, ends[0]), 1 / ratio_of_ones(1000, ROUNDED_Q, ends[-1])
    both, solved = symbolic.two_sided_q().subs({z: 3, lam: 2, n: 1000}), local_q(n=1000, lam=2, sides=2).enclosure
    reach = (symbolic.window_bound() - 1).subs({k: 1, z: 3, n: 1000}).subs(q, both)
    digits, slack = F(str(both.evalf(40))), F(1, 10**30)
    sure(cancel(reach**2 - F(1, 4)) == 0 and solved.lower - slack < digits < solved.upper + slack, "the closed form")
    return Finding(Ruling.ONLY_FOR if high > low else Ruling.PROVEN,
        exact=f"worst at pn + 3 sigma; by the closed form n = 1000, lambda = 2 needs q = {rounded(solved, 4)}, "
        f"{rounded(solved / local_q(n=1000, lam=2).enclosure, 1)} times (4.45)'s",
        over="the ratio P(i | D_m)/P(i | D), not its reciprocal",
        witness=f"n = 1000, q = 0.009: R = {rounded(low, 2)} at {ends[0]}, 1/R = {rounded(high, 2)} at {ends[-1]}")

@claim("4.34", BOUNDED)
def _(n: int, q: F, limit: F) -> Answer:
    inner = [(ratio_of_ones(n, q, i), ratio(KRandomization(n=n, q=q), i)) for i in range(n + 1) if within(n, q, i)]
    return all(form == exact <= limit for form, exact in inner)

@erratum("4.35")
def _() -> str:
    n, p, q, i = 100, F(4, 5), F(1, 5), 80 - 12  # 3 sqrt(pqn) = 12
    changed = comb(99, i) * p**i * q ** (99 - i) * p + comb(99, i - 1) * p ** (i - 1) * q ** (100 - i) * q
    true = changed / (comb(n, i) * p**i * q ** (n - i))
    assert F(20 + 12, n) * p / q + F(80 + 12, n) * q / p != true == F(20 + 12, n) * p / q + F(80 - 12, n) * q / p
    return f"n = 100, q = 1/5: {F(20 + 12, n) * p / q + F(80 + 12, n) * q / p} against {true}"

def pool(lie: F | str, size: int = 1000) -> KRandomization:  # the example's mechanism
    return KRandomization(n=size, q=lie)

def worst(n: int, q: F, limit: F) -> F:  # the worst delta over all datasets
    return delta(pool(q, n), lam=limit).value

DATASETS = Range.of("n, q, ones", "n = 1..5, q in {1/10, 1/4, 2/5}, every number of ones",
    ((n, q, ones) for n, q in product(range(1, 6), QS) for ones in range(n)))
SIZES = Range.of("n, q, lam", "n = 1..9, q in {1/10, 1/4}, lambda in {5/4, 2}: delta falls strictly",
    range(1, 9), (F(1, 10), F(1, 4)), (F(5, 4), F(2)))

claim("s4.3-q-0.009", lambda: printed("0.009", local_q(n=1000, lam=2).enclosure))

@claim("4.46", DATASETS, given=lambda: symbolic.local_epsilon().subs({k: 1, L: 1}) == log((1 - q) / q))
def _(n: int, q: F, ones: int) -> Answer:
    pairs = list(zip(pmf(pool(q, n), ones=ones), pmf(pool(q, n), ones=ones + 1), strict=True))
    return max(max(a / b, b / a) for a, b in pairs), (1 - q) / q

@claim("s4.3-37-times")
def _() -> Finding:
    quotients = [classical_q(lam=2).value / lie for lie in (ROUNDED_Q, local_q(n=1000, lam=2).enclosure)]
    exact = f"{rounded(quotients[0], 2)} times; {rounded(quotients[1], 2)} at the unrounded q"
    return replace(printed("37", quotients[0], unit="times"), exact=exact)

claim("s4.3-sigma-44.7", lambda: printed("44.7", root(variance(pool(classical_q(lam=2).value)))),
    given=lambda: symbolic.sigma().subs({k: 1, n: 1000, q: Rational(1, 3)}) ** 2 == 2000)

@claim("s4.3-10-fold")
def _() -> Finding:
    classical, local = root(variance(pool(classical_q(lam=2).value))), local_sigma(lam=2)
    found = printed("10", classical / local, unit="fold")
    text = f"{rounded(classical, 2)}/{local} = {rounded(classical / local, 1)}"
    return replace(found, witness=found.witness and text)

def interval(said: str, q: str, used: str, ones: int) -> Finding:
    """What is printed against mean -+ 3 sigma at q, and, if that is not it, at the q that was used."""
    ends = {lie: count_interval(pool(lie), ones=ones) for lie in (q, used)}
    exact = "[{}, {}]".format(*(rounded(end, 2) for end in (ends[q].lower, ends[q].upper)))
    there = "[{}, {}]".format(*(rounded(end, 2) for end in (ends[used].lower, ends[used].upper)))
    if said == exact:
        return Finding(Ruling.HOLDS, said=said, exact=exact, over="rounded to the digits printed")
    sure(said == there, "the interval is not that of the other q either")
    return Finding(Ruling.CORRECTED, said=f"{said} for q = {q}", exact=exact, witness=f"{said} is q = {used}, not {q}")

family(
    row("4.52", ones=1000, lies=0, said="[621.98, 711.42]"),
    row("4.53", ones=999, lies=1, said="[621.65, 711.09]"),
    check=lambda ones, said: interval(said, "0.333", "0.3333", ones))

family(
    row("4.54", ones=1000, said="[982.04, 999.96]"), row("4.55", ones=999, said="[981.06, 998.98]"),
    check=lambda ones, said: interval(said, "0.009", "0.009", ones))

@claim("s4.3-nearly-identical")
def _() -> Finding:
    intervals = [[count_interval(pool(lie), ones=ones) for ones in (1000, 999)] for lie in (F(1, 3), ROUNDED_Q)]
    shifts = [(a.lower - b.lower) / (a.upper - a.lower) for a, b in intervals]
    text = " and ".join(f"{rounded(100 * share, 2)} %" for share in shifts)
    near = all(share < F(1, 10) for share in shifts)
    return Finding(Ruling.HOLDS if near else Ruling.REFUTED,
        exact=f"shifted by {text} of the width", over="q = 1/3 and q = 0.009")

@claim("s4.3-full-power")
def _() -> Finding:
    enough = least_q(n=1000, lam=2, delta=F(1, 10**6), rtol=F(1, 10**4))
    left = delta(pool(ROUNDED_Q), lam=2, rtol=F(1, 1000))
    exact = f"q = {rounded(enough.enclosure, 4)} for delta = 10^-6; at q = 0.009 delta = {rounded(left, 4)}"
    return Finding(Ruling.HOLDS if enough.upper < F(1, 3) else Ruling.REFUTED,
        exact=exact, over="n = 1000, lambda = 2, delta = 10^-6")

@claim("s4.3-99.98")
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

claim("s4.3-hiding", SIZES, lambda n, q, limit: worst(n + 1, q, limit) < worst(n, q, limit))
