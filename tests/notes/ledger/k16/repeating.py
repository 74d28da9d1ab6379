"""K16, section 5: what randomizing every record k times is said to buy; its ratio, the bound, and the least q."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction as F
from itertools import pairwise, product
from math import comb, factorial, prod

from sympy import Expr, Poly, Rational, Symbol, binomial, limit, log, oo, solve, sqrt, symbols
from sympy import factorial as factorial_of

from dpcalc import Bracket, Enclosure, KRandomization, gaussian_sigma, least_q, symbolic, vector_delta
from dpcalc.accuracy.estimator import estimate, variance
from dpcalc.laws.pool import Pool
from dpcalc.local.bound import local_q, local_sigma
from dpcalc.mechanisms.pooled_count import pmf
from dpcalc.notes.symbolic import k, lam, m, n, q, s, t, x, z
from dpcalc.numbers.elementary import log as natural_log
from dpcalc.numbers.elementary import sqrt as root
from dpcalc.privacy.ratio import ratio, ratio_bound
from tests.notes.ledger.checking import all_of, identity, printed, same, strictly, sure
from tests.notes.ledger.k16.forms import (
    QS,
    ROUNDED_Q,
    bases,
    closed_variance,
    in_odds,
    moments,
    observed,
    one_more,
    pooled,
    quotient,
    rounded,
)  # fmt: skip
from tests.notes.ledger.k16.forms import P as p
from tests.notes.ledger.ledger import Answer, Finding, Known, Ledger, Range, Ruling, row

ledger = Ledger("K16")
claim, family, script = ledger.claim, ledger.family, ledger.script
# fmt: off

MILLIONTH = F(1, 10**6)
COARSE = F(1, 10**4)  # relative width of searched answers
POINT = {q: F(1, 5), k: 2, n: 10, s: 7, t: 3}

def spread(lie: F, repeats: int) -> F:  # the estimate's variance at n = 1000
    return variance(KRandomization(n=1000, q=lie, k=repeats))

def sigma(found: Bracket, repeats: int) -> Enclosure:
    """The estimate's deviation over a bracket of q; it grows with q."""
    low, high = (root(spread(end, repeats)) for end in (found.lower, found.upper))
    return Enclosure(low.lower, high.upper)

#: The least q of two equal bits at delta = 10^-6, for k = 1 and 2, to five decimals; the check decides 2e-5 beside it.
LEAST_Q = {(100, 5): ("0.17857", "0.23848"), (1000, 2): ("0.15599", "0.18611")}

def private_gain(n: int, limit: int, bits: int) -> Enclosure:
    """sigma_1/sigma_2 at the least q for delta = 10^-6, records of one or two equal bits."""
    ends = []
    for repeats in (1, 2):
        if bits == 1:
            found = least_q(n=n, k=repeats, lam=limit, delta=MILLIONTH, rtol=COARSE)
            ends.append((found.lower, found.upper))
        else:
            near = F(LEAST_Q[n, limit][repeats - 1])
            ends.append((near - F(2, 10**5), near + F(2, 10**5)))
            pools = [KRandomization(n=n, q=end, k=repeats, bits=bits) for end in ends[-1]]
            below, above = (vector_delta(pool, lam=limit, rtol=F(1, 1000), exact=False).identical for pool in pools)
            sure(below > MILLIONTH and above <= MILLIONTH, f"{near} is not the least q")
    (low, high), (least, most) = ([root(spread(q, k)) for q in pair] for k, pair in enumerate(ends, start=1))
    return Enclosure((low / most).lower, (high / least).upper)

DATASETS = Range.of("n, k, q, ones", "n, k = 1..3, q in {1/10, 1/4, 2/5}, every T",
    ((n, k, q, ones) for n in (1, 2, 3) for k in (1, 2, 3) for q in QS for ones in range(n + 1)))

# --- what it buys -------------------------------------------------------------------------------------------------
claim("s5-recalled", lambda: printed("0.009", local_q(n=1000, lam=2).enclosure), given=lambda: local_sigma(lam=2) == 3,
    text="""
    section 5, first paragraph:""")

claim("s5-error-9", lambda: printed("9", 3 * local_sigma(lam=2)), """
    section 5, first paragraph:""")

@claim("s5-sqrt-k", r"""
    section 5, second paragraph: Shown: sigma falls like 1/sqrt(k)""")
def _() -> Finding:
    form = symbolic.sigma_at_closed_q()
    sure(same(form**2, closed_variance(), at={lam: 3, k: 2, n: 100, z: 3}), "the closed form of sigma")
    sure(same(limit(form, k, oo), z / log(lam), at={lam: 3, z: 3}), "its limit")
    sure(all(spread(ROUNDED_Q, count) * count == spread(ROUNDED_Q, 1) for count in range(1, 21)), "at the same q")
    sigmas = [local_sigma(lam=2, k=count) for count in range(1, 21)]
    ten, last = rounded(sigmas[9], 2), rounded(3 / natural_log(F(2)), 2)
    exact = sigma(local_q(n=1000, lam=2, k=10, method="real", rtol=COARSE), 10)
    return Finding(Ruling.ONLY_FOR if all(a < b for a, b in pairwise(sigmas)) else Ruling.PROVEN, known=Known.ARGUED,
        exact=f"at (5.24)'s q sigma = z/(k (lambda^(1/k) - 1)) grows, to {last} for lambda = 2",
        over="the same q", tested="lambda = 2, k = 1..20 (20 cases)",
        witness=f"lambda = 2: sigma = 3 at k = 1; {ten} at k = 10 by (5.24), {rounded(exact, 2)} with the exact R_s")
@script
def _() -> None:
    def least(k: int, root: int) -> F:  # Var of the estimate by (5.23), root = lambda^(1/k)
        return F(9, k**2 * (root - 1) ** 2)

    assert least(1, 4) == 1
    assert least(2, 2) == F(9, 4)

    def at(k: int, q: F) -> F:  # at the same q it is 1/k as large
        return 100 * q * (1 - q) / (k * (1 - 2 * q) ** 2)

    assert at(2, F(1, 5)) == at(1, F(1, 5)) / 2

@claim("s5-slight-noise", """
    section 5, second paragraph: `slight`""")
def _() -> Finding:
    least = [rounded(local_q(n=1000, lam=2, k=count).enclosure, 5) for count in (1, 2, 10)]
    exact = "q = {} at k = 1, {} at k = 2, {} at k = 10".format(*least)
    return Finding(Ruling.NOT_DECIDED, known=Known.UNCHECKED, exact=exact)

@claim("s5-insignificant", """
    section 5, second paragraph: Shown: the gain outweighs the noise""")
def _() -> Finding:
    cases = [(limit, count) for limit in (F(11, 10), F(3, 2), F(2), F(10)) for count in (2, 3, 10, 100)]
    gaining = [case for case in cases if local_sigma(lam=case[0], k=case[1]) <= local_sigma(lam=case[0])]
    least = [local_q(n=1000, lam=2, k=count).enclosure for count in (1, 10)]
    noise, precision = rounded(least[1] / least[0], 1), rounded(local_sigma(lam=2) / local_sigma(lam=2, k=10), 2)
    return Finding(Ruling.HOLDS if 2 * len(gaining) > len(cases) else Ruling.REFUTED, known=Known.ARGUED,
        exact=f"precision gained in {len(gaining)} of {len(cases)} cases",
        tested="lambda in {1.1, 1.5, 2, 10}, k in {2, 3, 10, 100} (16 cases)",
        witness=f"n = 1000, lambda = 2, k = 10: q {noise} times, precision {precision} times as large")
@script
def _() -> None:
    def sigma(k: int, root: F | int) -> F:  # (5.23), with lambda = root^k
        return F(3, k * (root - 1))

    assert all(sigma(k, r) > sigma(1, r**k) for k in range(2, 9) for r in (F(11, 10), F(3, 2), 2, 5))

@claim("s5-same-privacy", """
    section 5, second paragraph: Shown: precision grows""")
def _() -> Finding:
    one, ten = (sigma(least_q(n=1000, k=r, lam=2, delta=MILLIONTH, rtol=COARSE), r) for r in (1, 10))
    both = [sigma(local_q(n=1000, k=r, lam=2, method="real", sides=2, rtol=COARSE), r) for r in (1, 10)]
    own, best = [local_sigma(lam=2, k=r) for r in (1, 10)], gaussian_sigma(lam=2, delta=MILLIONTH, rtol=COARSE)
    sure(ten < one and both[1] < both[0], "there is no gain under the other notions")
    windows = [sigma(local_q(n=1000, k=r, lam=2, dataset="every", rtol=COARSE), r) for r in (1, 2, 5, 10)]
    sure(all(a > b for a, b in pairwise(windows)), "there is no gain over every dataset")
    few = [sigma(local_q(n=60, k=r, lam=100, dataset="every", rtol=COARSE), r) for r in (1, 2)]
    sure(few[0] < few[1], "over every dataset there is always a gain")
    sigmas = f"{rounded(one, 2)} at k = 1, {rounded(ten, 2)} at k = 10, Gaussian {rounded(best, 2)}"
    window, every, rising = (" to ".join(rounded(each[i], 2) for i in (0, -1)) for each in (both, windows, few))
    return Finding(Ruling.ONLY_FOR if own[1] > own[0] else Ruling.HOLDS,
        exact=f"sigma at (ln 2, 10^-6): {sigmas}; over every dataset's window: {every}",
        over="(epsilon, delta); every dataset's window at n = 1000, lambda = 2; "
        f"both ratios (sigma {window}); not (5.24)",
        witness=f"(5.24), lambda = 2: sigma = 3 at k = 1, {rounded(own[1], 2)} at k = 10; "
        f"every dataset, n = 60, lambda = 100: {rising} at k = 2")
@script
def _() -> None:
    r = F(1415, 1000)
    assert r**2 > 2  # 2^(1/2) < r
    assert F(3, 2) / (r - 1) > 3  # sigma by (5.23) for lambda = 2: above this at k = 2, 3 at k = 1

@claim("s5-long-records", """
    section 5, second paragraph: `larger for long records`""")
def _() -> Finding:
    lengths = (1, 2, 3, 5, 10, 20)
    ends = [[spread(local_q(n=1000, lam=2, k=k, bits=bits).upper, k) for k in (1, 10)] for bits in lengths]
    gains = [one / ten for one, ten in ends]  # squared, at the section's bound, known to 40 digits
    sure(all(a < b < 10 for a, b in pairwise(gains)), "under the section's bound the gain does not grow with L")
    shown = ", ".join(f"{rounded(root(gains[i]), 2)} for L = {lengths[i]}" for i in (0, 1, -1))
    few, many = [[private_gain(*size, bits) for bits in (1, 2)] for size in ((100, 5), (1000, 2))]
    sure(few[1] < few[0] and many[1] > many[0], "the gains are not as derived")
    few_text, many_text = (" against ".join(rounded(gain, 2) for gain in both) for both in (few, many))
    return Finding(
        ruling=Ruling.ONLY_FOR, known=Known.ARGUED, exact=f"by the section's bound sigma_1/sigma_10: {shown}",
        over=f"the section's bound; (epsilon, 10^-6) at n = 1000, lambda = 2, k = 2: {many_text}",
        tested="n = 1000, lambda = 2, k = 10, L in {1, 2, 3, 5, 10, 20}; two sizes under (epsilon, 10^-6) (8 cases)",
        witness=f"(epsilon, 10^-6), n = 100, lambda = 5, k = 2: sigma_1/sigma_2 = {few_text} for one and two bits")
@script
def _() -> None:
    def delta(m: int, q: F) -> F:  # n = 1, lambda = 3/2: k reports of L bits are m = k L reports of one bit
        each = [((1 - q) ** (m - j) * q**j, (1 - q) ** j * q ** (m - j)) for j in range(m + 1)]
        return sum((comb(m, j) * max(a - F(3, 2) * b, F(0)) for j, (a, b) in enumerate(each)), F(0))

    v1, v2, v4 = (q * (1 - q) / (1 - 2 * q) ** 2 for q in (F(266, 1000), F(31, 100), F(362, 1000)))
    assert delta(1, F(266, 1000)) > F(1, 3) > delta(2, F(31, 100))  # delta = 1/3: too little, enough noise
    assert delta(4, F(362, 1000)) > F(1, 3)
    assert 2 * v1 / v2 > 1 > 2 * v2 / v4

# --- 5.1: the estimate --------------------------------------------------------------------------------------------
@claim("s5.1-count", r"""
    section 5.1, first display: `S = p kT + q (kn - kT)` Exact: E S = p kT + q (kn - kT)""")
def _() -> Finding:
    said, law = (p * k * t + q * (k * n - k * t)).subs(p, 1 - q), observed(1, 0, F(1, 4))
    sure(same(said, moments(t)[0], at=POINT), "the right side is not the mean")
    text = f"n = k = T = 1, q = 1/4: the right side is 3/4, S = 0 and 1 have probabilities {law[0]} and {law[1]}"
    return Finding(Ruling.CORRECTED if max(law) < 1 else Ruling.PROVEN, witness=text)
@script
def _() -> None:
    p, q = F(3, 4), F(1, 4)  # n = k = T = 1: S is 1 with probability p, 0 with q
    assert p * 1 + q * 0 not in (0, 1)  # the right side is no value of S
    assert 1 * p + 0 * q == p * 1 + q * 0  # but its mean

@claim("5.1", """
    (5.1), section 5.1: `(S - qkn)/(k (p - q))` Exact: E S = S solved for T""")
def _() -> Finding:
    [solved] = solve(moments(t)[0] - s, t)
    said = ((s - q * k * n) / (k * (p - q))).subs(p, 1 - q)
    return identity(said, solved, symbolic.estimate(), at=POINT)

claim("s5.1-divides",
    lambda: identity(symbolic.estimate().subs(k, 1).subs(n, k * n) / k, symbolic.estimate(), at=POINT), """
    section 5.1, after (5.1): Shown: 1/k of the estimate from kn records vs (S - qkn)/(k (p - q))""")

@claim("5.2", """
    (5.2), section 5.1: `E T_hat = T`""")
def _() -> Finding:
    for records, repeats, lie, ones in DATASETS:
        own = KRandomization(n=records, q=lie, k=repeats)
        mean = sum(weight * estimate(own, i).value for i, weight in enumerate(pmf(own, ones=ones)))
        sure(mean == ones, f"on average the estimate of {ones} is {mean}")
    return identity(symbolic.estimate().subs(s, moments(t)[0]), t, at=POINT)

@claim("5.3", r"""
    (5.3), section 5.1: `qpn/(k^2 (p - q)^2) = qpn/(k (p - q)^2)` Exact: qpkn/(k^2 (p - q)^2) = qpn/(k (p - q)^2)""")
def _() -> Finding:
    derived = moments(t)[1] / (k * (1 - 2 * q)) ** 2
    first, second = q * p * n / (k**2 * (p - q) ** 2), q * p * n / (k * (p - q) ** 2)
    sure(in_odds(second, derived, reports=k).ruling is Ruling.PROVEN, "the second fraction is wrong, too")
    return in_odds(first, derived, reports=2)
@script
def _() -> None:
    p, q, k = F(3, 4), F(1, 4), 2  # n = T = 1; T_hat = (S - qk)/(k (p - q)), S = 0, 1, 2
    law = {(s - q * k) / (k * (p - q)): w for s, w in enumerate((q * q, 2 * p * q, p * p))}
    true = sum(w * v * v for v, w in law.items()) - sum(w * v for v, w in law.items()) ** 2
    assert q * p / (k**2 * (p - q) ** 2) != true == q * p / (k * (p - q) ** 2)

@claim("5.4", """
    (5.4), section 5.1: `sqrt(qpn/(k (p - q)^2))`""")
def _() -> Finding:
    for records, repeats, lie, ones in DATASETS:
        pool = KRandomization(n=records, q=lie, k=repeats)
        sure(pmf(pool, ones=ones).variance / (repeats * (1 - 2 * lie)) ** 2 == variance(pool), "not the exact variance")
    derived = moments(t)[1] / (k * (1 - 2 * q)) ** 2
    return in_odds(q * p * n / (k * (p - q) ** 2), derived, symbolic.sigma() ** 2, reports=k)

claim("s5.1-sqrt-k",
    lambda: identity(symbolic.sigma().subs(k, 1) ** 2 / k, moments(t)[1] / (k * (1 - 2 * q)) ** 2, at=POINT), """
    section 5.1, after (5.4): Shown: sigma_1/sqrt(k)""")

FIRST, REST = Symbol("i", integer=True), Symbol("j", integer=True)  # the document's i and k - i
PART, WHOLE, LESS = symbols("A B e", positive=True)
SIDE, ODDS = 3 * sqrt(p * q / (k * n)), p ** (REST - FIRST) / q ** (REST - FIRST)
BELOW, ABOVE = 3 * q * sqrt(q / (p * k * n)), 3 * p * sqrt(p / (q * k * n))
END = p * k * n - 3 * sqrt(p * q * k * n)

def pool(n: int, k: int, q: F) -> KRandomization:
    return KRandomization(n=n, k=k, q=q)

def choose(total: int, part: int) -> int:  # the binomial coefficient, 0 when ``part`` is negative
    return comb(total, part) if part >= 0 else 0

def odds_sum(n: int, k: int, q: F, s: int) -> F:  # (5.9)
    odds = (1 - q) / q
    terms = (choose(k * (n - 1), s - i) * comb(k, i) * odds ** (k - 2 * i) for i in range(k + 1))
    return sum(terms, F(0)) / comb(k * n, s)

def closed_ratio() -> bool:  # whether the closed form is (5.9) at every outcome that is tried
    forms = {k: symbolic.ratio(k) for k in range(1, 7)}
    each = {(n, k, q): Poly(forms[k].subs({symbolic.n: n, symbolic.q: Rational(q)}), s) for n, k in SIZES for q in QS}
    return all(each[case[:3]].eval(case[3]) == Rational(odds_sum(*case)) for case in OUTCOMES)

def summed_up() -> bool:
    """Whether the sum of (5.13) is the closed form of that bound, for every k: by its terms' bases."""
    share, (base, exponent) = s / (k * n), symbolic.ratio_bound().as_base_exp()
    a, b = bases(share**FIRST * (1 - share) ** REST * ODDS, FIRST, REST)
    return in_odds(a + b, base, reports=k).ruling is Ruling.PROVEN and exponent == k

def falling(n: int, k: int, s: int, i: int) -> F:  # the last member of (5.10)
    above = prod(s - j for j in range(i)) * prod(k * n - s - j for j in range(k - i))
    return F(above, prod(k * n - j for j in range(k)))

def end_bound(n: int, k: int, q: F) -> F:  # (5.20), where its root is rational
    return (1 + 3 * (1 - 2 * q) / root(q * (1 - q) * k * n).value) ** k

def windows() -> Iterator[tuple[int, int, F, int]]:
    """(n, k, q, s), s >= 0 in the lower half of the window, sqrt(pqkn) being rational."""
    for size, repeats in ((100, 1), (2, 2), (50, 2), (3, 3), (12, 3), (25, 4), (5, 5), (6, 6)):
        total = size * repeats
        for lie in (F(1, 10), F(1, 5), F(1, 17), F(total, total + 9)):
            if lie < F(1, 2):
                mean, reach = (1 - lie) * total, 3 * root(lie * (1 - lie) * total).value
                yield from ((size, repeats, lie, seen) for seen in range(total) if mean - reach <= seen <= mean)

SIZES = [(n, k) for n, k in product(range(1, 7), repeat=2) if n * k <= 6]
OUTCOMES = Range.of("n, k, q, s", "n, k = 1..6 with kn <= 6, q in {1/10, 1/4, 2/5}, every s",
    ((n, k, q, s) for n, k in SIZES for q in QS for s in range(k * n + 1)))
SMALL = Range.of("n, k, q, s", "n = 1..4, k = 1..3, q in {1/10, 1/4, 2/5}, every s",
    ((n, k, q, s) for n, k, q in product(range(1, 5), range(1, 4), QS) for s in range(k * n + 1)))
STEPS = Range.of("n, k, q, m, j", "n = 1..4, k = 1..3, q in {1/10, 1/4, 2/5}, every m and j",
    ((n, k, q, m, j) for n, k, q, j in SMALL for m in range(1, n)))
COLLECTIONS = Range.of("n, k, m", "n = 1..3, k = 1..2, every m, q = 1/4",
    ((n, k, m) for n, k in product((1, 2, 3), (1, 2)) for m in range(n + 1)))
TWICE = Range.of("n, k, m", "n = 1..3, k = 2, every m", [(n, 2, m) for n in (1, 2, 3) for m in range(1, n + 1)])
INDICES = Range.of("n, k, j", "(n, k) = (1, 2), (2, 2) and (2, 3), every j, q = 1/4",
    ((n, k, j) for n, k in ((1, 2), (2, 2), (2, 3)) for j in range(k * n + 1)))
TERMS = Range.of("n, k, s, i", "n, k = 1..4, every s and i",
    ((n, k, s, i) for n, k in product(range(1, 5), repeat=2) for s in range(k * n + 1) for i in range(k + 1)))
BOUNDED = Range.of("n, k, q, s", "n = 1..5, k = 1..4, q in {1/10, 1/4, 2/5}, every s",
    ((n, k, q, s) for n, k, q in product(range(1, 6), range(1, 5), QS) for s in range(k * n + 1)))
WINDOWS = Range("n, k, q, s", "8 pairs n, k, up to 4 values of q, every s in the lower half of the window", windows)
HALVES = [F(j, 2) for j in range(1, 9)]
QUOTIENTS = Range.of("A, B, e", "A, B, e = 1/2, 1, ..., 4, A < B, e != B",
    ((a, b, e) for a, b, e in product(HALVES, repeat=3) if a < b and e != b))

# --- 5.2: the worst collection ------------------------------------------------------------------------------------
@claim("s5.2-all-ones", SMALL, """
    section 5.2, first sentence: Shown: R_s largest for m = n vs R_s grows with m""")
def _(n: int, k: int, q: F, s: int) -> Answer:
    laws = [Pool.of((1 - q, likely), (q, k * n - likely)).pmf()[s] for likely in range(k * n + 1)]
    steps = [before / after for before, after in pairwise(laws)]
    ratios = [ratio(pool(n, k, q), s, ones=m) for m in range(n)]
    products = [prod(steps[k * m : k * (m + 1)]) for m in range(n)]
    return products == ratios == sorted(ratios) and steps == sorted(steps)

@claim("s5.2-window", """
    section 5.2, first sentence, as (4.45) and (5.24) use it: Shown: R <= lambda for every D""")
def _() -> Finding:
    lie = F("0.0087640676")  # just above (4.45)
    window, values = 9 * lie * (1 - lie) * 1000, {}
    for ones, at in ((1000, 983), (500, 492), (1, 1)):
        mean = ones * (1 - lie) + (1000 - ones) * lie
        sure((at - mean) ** 2 <= window < (at - 1 - mean) ** 2, f"{at} is not the lowest outcome of {ones} ones")
        values[ones] = ratio(pool(1000, 1, lie), at, ones=ones - 1)
    sure(local_q(n=1000, lam=2).upper < lie, "not above (4.45)")
    sure(values[1000] <= 2 < min(values[500], values[1]), "all ones do not keep it alone")
    least = local_q(n=50, lam=2, dataset="every", rtol=COARSE)
    sure(least.lower > 2 * local_q(n=50, lam=2, method="lattice", rtol=COARSE).upper, "twice the q for n = 50")
    return Finding(Ruling.ONLY_FOR, exact=f"n = 50, lambda = 2: q = {rounded(least.enclosure, 3)} for every D",
        over="D of ones",
        witness="n = 1000, q = 0.0087640676: R = " + ", ".join(
            f"{rounded(values[ones], 4)} at s = {at} of {ones} ones" for ones, at in ((1000, 983), (500, 492), (1, 1))))
@script
def _() -> None:
    n, q = 1000, F("0.0087640676")  # D: one record 1, and changed to 0; s = 1
    p = 1 - q
    assert (1 - (p + (n - 1) * q)) ** 2 <= 9 * n * p * q  # within three standard deviations
    one = p * p ** (n - 1) + q * (n - 1) * q * p ** (n - 2)  # the 1 is told and no 0 lies, or it lies and one 0 does
    assert n * q * p ** (n - 1) > 8 * one

def as_power() -> Finding:  # the inner product to the power k, base by base, for all m and n
    inner = (q + (1 - q) * x) ** m * (1 - q + q * x) ** (n - m)
    said, true = ([base**k for base in bases(inner, m, n)], bases(symbolic.generating_function(), m, n))
    return all_of(*(identity(a, b, at={q: "1/4", k: 3, x: 2}) for a, b in zip(said, true, strict=True)))

@claim("s5.2-Gm", COLLECTIONS, proof=as_power, text="""
    section 5.2, first display: Shown: (q + px)^(km) (p + qx)^(k(n-m)) = [..]^k vs P(s), enumerated""")
def _(records: int, repeats: int, ones: int) -> Answer:
    values = {q: Rational(1, 4), n: records, k: repeats, m: ones}
    said = ((q + (1 - q) * x) ** m * (1 - q + q * x) ** (n - m)) ** k
    found = [Poly(form.subs(values), x).all_coeffs()[::-1] for form in (symbolic.generating_function(), said)]
    law = observed(ones, records - ones, F(1, 4), repeats)
    return bool(found[0] == found[1] == [Rational(chance) for chance in law])

@claim("s5.2-Gm-1", TWICE,
    lambda size, reps, ones: (reps * size, Poly(symbolic.generating_function().subs(
        {q: Rational(1, 4), n: size, k: reps, m: ones - 1}), x).degree() // reps, size), r"""
    section 5.2, second display: Shown: i = 0, ..., kn in the inner sum vs i = 0, ..., n""")
def _() -> None:
    n, k, p, q = 1, 2, 3, 1  # m = 1: the collection changed has no ones; weights of p = 3/4, q = 1/4
    inner = [p, q]  # p + qx
    outer = [p * p, 2 * p * q, q * q]  # its square
    assert len(inner) - 1 == n != k * n == len(outer) - 1

@claim("s5.2-products", INDICES,
    lambda n, k, j: pmf(pool(n, k, F(1, 4)), ones=n)[j] in {
        prod(chosen) for chosen in product(pmf(pool(n, 1, F(1, 4)), ones=n), repeat=k)}, """
    section 5.2, before (5.5): Shown: b_j = product of a_i vs b_j = sum of products of a_i""")
def _() -> None:
    a = (F(1, 4), F(3, 4))  # n = m = 1, q = 1/4: a_0, a_1
    b_1 = sum(a[i] * a[1 - i] for i in (0, 1))  # k = 2
    assert b_1 == F(3, 8)
    assert b_1 not in [u * v for u in a for v in a]

@claim("5.5", STEPS, only=lambda n, k, q, m, j: 0 < j < k * n, sharp=True,
    show=lambda *at: f"{STEPS.shown(*at)}: both sides are {ratio(pool(*at[:3]), at[4], ones=at[3] - 1)}", text=r"""
    (5.5), section 5.2: `b_j^m/b_j^(m+1) > b_j^(m-1)/b_j^m` Exact: > for 0 < j < kn, = at both ends Only: 0 < j <
    kn; equal at j = 0 and j = kn""")
def _(n: int, k: int, q: F, m: int, j: int) -> Answer:
    fewer, same, more = (pmf(pool(n, k, q), ones=ones).weights[j] for ones in (m - 1, m, m + 1))
    return strictly(same * same - fewer * more)
@script
def _() -> None:
    p, q = F(3, 4), F(1, 4)  # n = 2, k = 2, m = 1; j = 0: all four reports are 0
    b = [p**4, p**2 * q**2, q**4]  # for m - 1, m, m + 1 ones
    assert not b[1] / b[2] > b[0] / b[1]

# --- 5.3: the ratio and its bound ---------------------------------------------------------------------------------
ONES, REPORTS = Symbol("s", integer=True, nonnegative=True), Symbol("N", integer=True, positive=True)
Q = Symbol("Q", positive=True)  # q, p + q being left open: a power of q stays a power
LIES = {n: 5, k: 3, ONES: 6, FIRST: 1, p: "2/3", Q: "1/4"}

def with_lies() -> Expr:  # the term of (5.7): s - i ones of the others, i lies of the changed record
    others = binomial(k * (n - 1), ONES - FIRST) * p ** (ONES - FIRST) * Q ** (k * (n - 1) - ONES + FIRST)
    return others * binomial(k, FIRST) * p ** (k - FIRST) * Q**FIRST

def collected() -> Expr:  # the term of (5.8)
    ways = binomial(k * (n - 1), ONES - FIRST) * binomial(k, FIRST)
    return ways * p ** (ONES + k - 2 * FIRST) * Q ** (k * n - ONES - (k - 2 * FIRST))

def of_the_ratio() -> Expr:  # the term of (5.9)
    ways = binomial(k * (n - 1), ONES - FIRST) * binomial(k, FIRST) / binomial(k * n, ONES)
    return ways * p ** (k - 2 * FIRST) / Q ** (k - 2 * FIRST)

def convolved() -> Finding:  # two counts: of k (n - 1) reports that are 1 with p, and of k that are 1 with q
    term = pooled(k * (n - 1), ONES - FIRST, p, Q) * pooled(k, FIRST, Q, p)
    steps = one_more(REPORTS, ONES, p, Q), one_more(REPORTS, ONES, Q, p)
    return all_of(*steps, identity(quotient(with_lies(), term), 1, at=LIES))

claim("5.6", OUTCOMES, lambda n, k, q, s: (observed(n, 0, q, k)[s], comb(k * n, s) * (1 - q) ** s * q ** (k * n - s)),
    proof=lambda: one_more(REPORTS, ONES, p, Q), text="""
    (5.6), section 5.3: `C(kn, s) p^s q^(kn-s)` Exact: P(s | D), enumerated""")

@claim("5.7", OUTCOMES, proof=convolved, text="""
    (5.7), section 5.3: Shown: sum over i of others times own vs P(s | D_m), enumerated""")
def _(n: int, k: int, q: F, s: int) -> Answer:
    others = [choose(k * (n - 1), s - i) * (1 - q) ** (s - i) * q ** (k * (n - 1) - s + i) for i in range(k + 1)]
    own = [comb(k, i) * (1 - q) ** (k - i) * q**i for i in range(k + 1)]
    return observed(n - 1, 1, q, k)[s], sum(a * b for a, b in zip(others, own, strict=True))

@claim("5.8", OUTCOMES, proof=lambda: identity(quotient(with_lies(), collected()), 1, at=LIES), text="""
    (5.8), section 5.3: `p^(s+k-2i) q^(kn-s-(k-2i))` Exact: P(s | D_m), enumerated""")
def _(n: int, k: int, q: F, s: int) -> Answer:
    ways = [choose(k * (n - 1), s - i) * comb(k, i) for i in range(k + 1)]
    terms = [way * (1 - q) ** (s + k - 2 * i) * q ** (k * n - s - (k - 2 * i)) for i, way in enumerate(ways)]
    return observed(n - 1, 1, q, k)[s], sum(terms)

def divided() -> Finding:  # the term of (5.8) over (5.6)
    return identity(quotient(of_the_ratio(), collected() / pooled(k * n, ONES, p, Q)), 1, at=LIES)

@claim("5.9", OUTCOMES, given=closed_ratio, proof=divided, text="""
    (5.9), section 5.3: Shown: sum of C(k(n-1), s-i) C(k, i)/C(kn, s) (p/q)^(k-2i) vs P(s | D_m)/P(s | D),
    enumerated""")
def _(n: int, k: int, q: F, s: int) -> Answer:
    true = observed(n - 1, 1, q, k)[s] / observed(n, 0, q, k)[s]
    return true == odds_sum(n, k, q, s) == ratio(pool(n, k, q), s)

def three_members() -> Finding:
    """The members of (5.10): i ones and j = k - i zeros are taken out of s ones and u = kn - s zeros."""
    zeros = Symbol("u", integer=True, nonnegative=True)
    total, taken = ONES + zeros, FIRST + REST
    left = binomial(total - taken, ONES - FIRST) / binomial(total, ONES)
    middle = (factorial_of(total - taken) / factorial_of(total) * factorial_of(ONES) / factorial_of(ONES - FIRST)
        * factorial_of(zeros) / factorial_of(zeros - REST))
    at, i, v = {ONES: 5, zeros: 4, FIRST: 2, REST: 1}, Symbol("i", integer=True, nonnegative=True), Symbol("v")
    def step(power: int) -> Expr:  # v!/(v - i)!, a product of i factors: the next one is v - i
        return factorial_of(v) / factorial_of(v - i - power)

    product_of = identity(quotient(step(1), step(0)), v - i, at={v: 5, i: 2})
    return all_of(product_of, identity(quotient(left, middle), 1, at=at))

@claim("5.10", TERMS, only=lambda n, k, s, i: i <= s <= k * n - k + i, sharp=True, proof=three_members,
    show=lambda n, k, s, i: f"{TERMS.shown(n, k, s, i)}: a factorial of {min(s - i, k * n - s - (k - i))}", text=r"""
    (5.10), section 5.3: Shown: three members are equal vs the first and the last are Only: i <= s <= kn - k + i""")
def _(n: int, k: int, s: int, i: int) -> Answer:
    left = F(choose(k * (n - 1), s - i), comb(k * n, s))
    if s < i or k * n - s < k - i:
        sure(left == falling(n, k, s, i) == 0, "the first and the last member are not 0")
        return False
    middle = F(factorial(s), factorial(s - i)) * F(factorial(k * n - s), factorial(k * n - s - (k - i)))
    return left == falling(n, k, s, i) == F(factorial(k * n - k), factorial(k * n)) * middle
@script
def _() -> None:
    n, k, s, i = 2, 2, 1, 2
    last = F(prod(s - j for j in range(i)), prod(k * n - j for j in range(k)))
    assert last == 0  # as is C(2, -1)/C(4, 1)
    assert s - i < 0  # (s - i)! is no number

@claim("5.11", QUOTIENTS, lambda a, b, e: (a - e) / (b - e) < a / b, only=lambda a, b, e: e < b, sharp=True,
    proof=lambda: identity(PART / WHOLE - (PART - LESS) / (WHOLE - LESS),
        LESS * (WHOLE - PART) / (WHOLE * (WHOLE - LESS)), at={PART: 1, WHOLE: 5, LESS: 2}), text="""
    (5.11), section 5.3: Shown: all positive e vs e < B; > for e > B Only: e < B""")
def _() -> None:
    A, B, e = 1, 2, 3
    assert F(A - e, B - e) == 2 > F(A, B)

@claim("5.12", r"""
    (5.12), section 5.3: Shown: every term is bounded""")
def _() -> Finding:
    powers = {(n, k, s, i): F(s**i * (k * n - s) ** (k - i), (k * n) ** k) for n, k, s, i in TERMS}  # the right side
    larger = [case for case in TERMS if falling(*case) > powers[case]]
    sure(all((n, 2, s, 1) in larger for n in range(1, 5) for s in range(1, 2 * n)), "the terms with k = 2 are bounded")
    sure(not any(i in (0, k) for _, k, _, i in larger), "a term with i = 0 or i = k is larger")
    first = larger[0]
    return Finding(Ruling.REFUTED,
        exact=f"not for 0 < i < k: {len(larger)} terms with n, k <= 4 are larger",
        witness=f"{TERMS.shown(*first)}: {falling(*first)} > {powers[first]}")
@script
def _() -> None:
    n, k, s, i = 1, 2, 1, 1
    assert F(s * (k * n - s), k * n * (k * n - 1)) == F(1, 2)
    assert F(1, 2) > F(s**i * (k * n - s) ** (k - i), (k * n) ** k) == F(1, 4)

@claim("5.13", BOUNDED, lambda n, k, q, s: strictly(ratio_bound(pool(n, k, q), s) - ratio(pool(n, k, q), s)),
    given=summed_up, only=lambda n, k, q, s: k >= 2 and 0 < s < k * n, sharp=True, text=r"""
    (5.13), section 5.3: Shown: R_s < (mean of w)^k vs <=; = for k = 1, s = 0, s = kn Only: k >= 2 and 0 < s < kn;
    <= always""")
def _() -> None:
    for total, each, s_ in [(3, 1, 1), (3, 1, 2), (4, 2, 0), (4, 2, 4)]:  # kn, k and s; p/q = 3
        share, chosen = F(s_, total), [comb(each, i) * F(3) ** (each - 2 * i) for i in range(each + 1)]
        ways = [F(comb(total - each, s_ - i) if s_ >= i else 0, comb(total, s_)) for i in range(each + 1)]  # (5.9)
        mixed = [share**i * (1 - share) ** (each - i) for i in range(each + 1)]
        assert sum(map(F.__mul__, ways, chosen)) == sum(map(F.__mul__, mixed, chosen))

# --- 5.3: three deviations below the mean -------------------------------------------------------------------------
claim("s5.3-window", lambda: in_odds(END, moments(n)[0] - 3 * sqrt(moments(n)[1]), reports=k), """
    section 5.3, display after (5.13): `pkn - 3 sqrt(pqkn)` Exact: E S - 3 sqrt(Var S)""")

@family(
    row("5.14", "(5.14), section 5.3: That s is put into the bound (5.13).",
        term=(END / (k * n)) ** FIRST * (1 - END / (k * n)) ** REST * ODDS, shown="((pkn - 3 sqrt(pqkn))/(kn))^i ..."),
    row("5.15", "(5.15), section 5.3: (5.14) = sum over i of (p - 3 sqrt(pq/(kn)))^i (1 - p + 3 sqrt(pq/(kn)))^(k-i) "
        "C(k, i) (p/q)^(k-2i).",
        term=(p - SIDE) ** FIRST * (1 - p + SIDE) ** REST * ODDS, shown="(p - 3 sqrt(pq/(kn)))^i ..."),
    row("5.16", "(5.16), section 5.3: (5.14) = sum over i of (q/p)^i (p - 3 sqrt(pq/(kn)))^i (p/q)^(k-i) (q + 3 "
        "sqrt(pq/(kn)))^(k-i) C(k, i).",
        term=(q / p) ** FIRST * (p - SIDE) ** FIRST * (p / q) ** REST * (q + SIDE) ** REST,
        shown="(q/p)^i (p - 3 sqrt(pq/(kn)))^i ..."),
    row("5.17", "(5.17), section 5.3: (5.14) = sum over i of C(k, i) (q - 3q sqrt(q/(pkn)))^i (p + 3p "
        "sqrt(p/(qkn)))^(k-i).",
        term=(q - BELOW) ** FIRST * (p + ABOVE) ** REST, shown="(q - 3q sqrt(q/(pkn)))^i ..."),
    text="""
    Shown: <shown> vs bound (5.13) at pkn - 3 sqrt(pqkn)""")
def _(term: Expr) -> Finding:
    own, true = bases(term, FIRST, REST), (END / (k * n) * q / p, (1 - END / (k * n)) * p / q)
    return all_of(*(in_odds(a, b, reports=k) for a, b in zip(own, true, strict=True)))

@family(
    row("5.18", base=q - BELOW + p + ABOVE, form="q - 3q sqrt(q/(pkn)) + p + 3p sqrt(p/(qkn))",
        shown="q - 3q sqrt(q/(pkn)) + p + ..."),
    row("5.19", base=q + p + ABOVE - BELOW, form="q + p + 3p sqrt(p/(qkn)) - 3q sqrt(q/(pkn))",
        shown="q + p + 3p sqrt(p/(qkn)) - ..."),
    row("5.20", base=1 + 3 * (p - q) / sqrt(q * p * k * n), form="1 + 3 (p - q)/sqrt(qpkn)",
        shown="1 + 3 (p - q)/sqrt(qpkn)"),
    text="""
    (<label>), section 5.3: Shown: (<shown>)^k vs bound (5.13) at pkn - 3 sqrt(pqkn)""")
def _(base: Expr) -> Finding:
    powers = [form.as_base_exp() for form in (symbolic.ratio_bound().subs(s, END), symbolic.window_bound().subs(z, 3))]
    sure(all(exponent == k for _, exponent in powers), "a closed form is no k-th power")
    return in_odds(base, *(true for true, _ in powers), reports=k)

@claim("5.21", WINDOWS, lambda n, k, q, s: strictly(end_bound(n, k, q) - ratio(pool(n, k, q), s)),
    only=lambda n, k, q, s: k >= 2 and s > 0, text=r"""
    (5.21), section 5.3: `R_s < (1 + 3 (p - q)/sqrt(qpkn))^k` Exact: <=; = for k = 1 at s = pn - 3 sqrt(pqn) Only: k
    >= 2 and s > 0; <= always""")
def _() -> None:
    n, k, p, q = 100, 1, F(9, 10), F(1, 10)  # sqrt(qpkn) = 3, s = 90 - 9 = 81
    exact = F(n - 81, n) * p / q + F(81, n) * q / p
    assert not exact < (1 + 3 * (p - q) / 3) ** k
    assert exact == F(9, 5)

@claim("5.22", WINDOWS, """
    (5.22), section 5.3: Shown: then R_s <= lambda""")
def _(records: int, repeats: int, lie: F, s: int) -> Answer:
    bound = symbolic.window_bound().subs({z: 3, n: records, k: repeats, q: Rational(lie)})
    return bool(Rational(ratio(pool(records, repeats, lie), s)) <= bound)

@claim("5.23", """
    (5.23), section 5.3: `qpkn/(p - q)^2` Exact: 9/(bound^(1/k) - 1)^2""")
def _() -> Finding:
    base, _ = symbolic.window_bound().subs(z, 3).as_base_exp()
    return in_odds(q * p * k * n / (p - q) ** 2, 9 / (base - 1) ** 2, reports=k)

@claim("5.24", """
    (5.24), section 5.3: `(1 - 1/sqrt(1 + 4c))/2`""")
def _() -> Finding:
    c = 9 / ((lam ** (1 / k) - 1) ** 2 * k * n)
    said, at = (1 - 1 / sqrt(1 + 4 * c)) / 2, {lam: 4, n: 100, k: 2}
    solved = local_q(n=100, k=2, lam=4).enclosure
    squared = 1 / (1 - 2 * solved) * (1 / (1 - 2 * solved))
    sure(squared.lower <= F(59, 50) <= squared.upper, "the solver: 1 + 4 * 9/200 is 59/50")
    met = identity((q * (1 - q) / (1 - 2 * q) ** 2).subs(q, said), c, at=at)
    return all_of(met, identity(said, symbolic.closed_q().subs(z, 3), at=at))
