"""K16, section 5: what randomizing every record k times is said to buy; its ratio, the bound, and the least q."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction as F
from itertools import pairwise, product
from math import prod

from sympy import Poly, Rational

from dpcalc import Bracket, Enclosure, KRandomization, gaussian_sigma, least_q, symbolic, vector_delta
from dpcalc.accuracy.estimator import variance
from dpcalc.local.solvers import local_q, local_sigma
from dpcalc.mechanisms.pooled_count import pmf
from dpcalc.notes.symbolic import k, m, n, q, x, z
from dpcalc.numbers.elementary import log as natural_log
from dpcalc.numbers.elementary import sqrt as root
from dpcalc.privacy.ratio import ratio, ratio_bound
from tests.notes.ledger.checking import printed, strictly, sure
from tests.notes.ledger.k16.forms import QS, ROUNDED_Q, observed, rounded  # fmt: skip
from tests.notes.ledger.ledger import Answer, Finding, Known, Ledger, Range, Ruling

ledger = Ledger("K16")
claim, erratum = ledger.claim, ledger.erratum
# fmt: off

MILLIONTH = F(1, 10**6)
COARSE = F(1, 10**4)  # relative width of searched answers

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

# --- what it buys -------------------------------------------------------------------------------------------------
claim("s5-recalled", lambda: printed("0.009", local_q(n=1000, lam=2).enclosure), given=lambda: local_sigma(lam=2) == 3)

claim("s5-error-9", lambda: printed("9", 3 * local_sigma(lam=2)))

@claim("s5-sqrt-k")
def _() -> Finding:
    sure(all(spread(ROUNDED_Q, count) * count == spread(ROUNDED_Q, 1) for count in range(1, 21)), "at the same q")
    sigmas = [local_sigma(lam=2, k=count) for count in range(1, 21)]
    ten, last = rounded(sigmas[9], 2), rounded(3 / natural_log(F(2)), 2)
    exact = sigma(local_q(n=1000, lam=2, k=10, method="real", rtol=COARSE), 10)
    return Finding(Ruling.ONLY_FOR if all(a < b for a, b in pairwise(sigmas)) else Ruling.PROVEN, known=Known.ARGUED,
        exact=f"at (5.24)'s q sigma = z/(k (lambda^(1/k) - 1)) grows, to {last} for lambda = 2",
        over="the same q", tested="lambda = 2, k = 1..20 (20 cases)",
        witness=f"lambda = 2: sigma = 3 at k = 1; {ten} at k = 10 by (5.24), {rounded(exact, 2)} with the exact R_s")

@claim("s5-slight-noise")
def _() -> Finding:
    least = [rounded(local_q(n=1000, lam=2, k=count).enclosure, 5) for count in (1, 2, 10)]
    exact = "q = {} at k = 1, {} at k = 2, {} at k = 10".format(*least)
    return Finding(Ruling.NOT_DECIDED, known=Known.UNCHECKED, exact=exact)

@claim("s5-insignificant")
def _() -> Finding:
    cases = [(limit, count) for limit in (F(11, 10), F(3, 2), F(2), F(10)) for count in (2, 3, 10, 100)]
    gaining = [case for case in cases if local_sigma(lam=case[0], k=case[1]) <= local_sigma(lam=case[0])]
    least = [local_q(n=1000, lam=2, k=count).enclosure for count in (1, 10)]
    noise, precision = rounded(least[1] / least[0], 1), rounded(local_sigma(lam=2) / local_sigma(lam=2, k=10), 2)
    return Finding(Ruling.HOLDS if 2 * len(gaining) > len(cases) else Ruling.REFUTED, known=Known.ARGUED,
        exact=f"precision gained in {len(gaining)} of {len(cases)} cases",
        tested="lambda in {1.1, 1.5, 2, 10}, k in {2, 3, 10, 100} (16 cases)",
        witness=f"n = 1000, lambda = 2, k = 10: q {noise} times, precision {precision} times as large")

@claim("s5-same-privacy")
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

@claim("s5-long-records")
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

# --- 5.1: the estimate --------------------------------------------------------------------------------------------
@claim("s5.1-count")
def _() -> Finding:
    law = observed(1, 0, F(1, 4))
    text = f"n = k = T = 1, q = 1/4: the right side is 3/4, S = 0 and 1 have probabilities {law[0]} and {law[1]}"
    return Finding(Ruling.CORRECTED if max(law) < 1 else Ruling.PROVEN, witness=text)

@erratum("5.3")
def _() -> str:
    p, q, k = F(3, 4), F(1, 4), 2  # n = T = 1; T_hat = (S - qk)/(k (p - q)), S = 0, 1, 2
    law = {(s - q * k) / (k * (p - q)): w for s, w in enumerate((q * q, 2 * p * q, p * p))}
    true = sum(w * v * v for v, w in law.items()) - sum(w * v for v, w in law.items()) ** 2
    assert q * p / (k**2 * (p - q) ** 2) != true == q * p / (k * (p - q) ** 2)
    return f"n = T = 1, k = 2, q = 1/4: {q * p / (k**2 * (p - q) ** 2)} against {true}"

def pool(n: int, k: int, q: F) -> KRandomization:
    return KRandomization(n=n, k=k, q=q)

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

TWICE = Range.of("n, k, m", "n = 1..3, k = 2, every m", [(n, 2, m) for n in (1, 2, 3) for m in range(1, n + 1)])
INDICES = Range.of("n, k, j", "(n, k) = (1, 2), (2, 2) and (2, 3), every j, q = 1/4",
    ((n, k, j) for n, k in ((1, 2), (2, 2), (2, 3)) for j in range(k * n + 1)))
TERMS = Range.of("n, k, s, i", "n, k = 1..4, every s and i",
    ((n, k, s, i) for n, k in product(range(1, 5), repeat=2) for s in range(k * n + 1) for i in range(k + 1)))
BOUNDED = Range.of("n, k, q, s", "n = 1..5, k = 1..4, q in {1/10, 1/4, 2/5}, every s",
    ((n, k, q, s) for n, k, q in product(range(1, 6), range(1, 5), QS) for s in range(k * n + 1)))
WINDOWS = Range("n, k, q, s", "8 pairs n, k, up to 4 values of q, every s in the lower half of the window", windows)

# --- 5.2: the worst collection ------------------------------------------------------------------------------------
@claim("s5.2-window")
def _() -> Finding:
    lie = F("0.0087640676")  # just above (4.45)
    window, values = 9 * lie * (1 - lie) * 1000, {}
    for ones, at in ((1000, 983), (500, 492), (1, 1)):
        mean = ones * (1 - lie) + (1000 - ones) * lie
        sure((at - mean) ** 2 <= window < (at - 1 - mean) ** 2, f"{at} is not the lowest outcome of {ones} ones")
        values[ones] = ratio(pool(1000, 1, lie), at, ones=ones - 1)
    sure(local_q(n=1000, lam=2).upper < lie, "not above (4.45)")
    sure(values[1000] <= 2 < min(values[500], values[1]), "all ones do not keep it alone")
    least, closed = local_q(n=1000, lam=2, dataset="every", rtol=COARSE).enclosure, local_q(n=1000, lam=2).enclosure
    return Finding(Ruling.REFUTED if least.lower > closed.upper else Ruling.PROVEN,
        exact=f"n = 1000, lambda = 2: q = {rounded(least, 4)} for every D, {rounded(least / closed, 1)} times (4.45)'s",
        witness="n = 1000, q = 0.0087640676: R = " + ", ".join(
            f"{rounded(values[ones], 4)} at s = {at} of {ones} ones" for ones, at in ((1000, 983), (500, 492), (1, 1))))

claim("s5.2-Gm-1", TWICE,
    lambda size, reps, ones: (reps * size, Poly(symbolic.generating_function().subs(
        {q: Rational(1, 4), n: size, k: reps, m: ones - 1}), x).degree() // reps, size))

claim("s5.2-products", INDICES,
    lambda n, k, j: pmf(pool(n, k, F(1, 4)), ones=n)[j] in {
        prod(chosen) for chosen in product(pmf(pool(n, 1, F(1, 4)), ones=n), repeat=k)})

@erratum("5.5")
def _() -> str:
    p, q = F(3, 4), F(1, 4)  # n = 2, k = 2, m = 1; j = 0: all four reports are 0
    b = [p**4, p**2 * q**2, q**4]  # for m - 1, m, m + 1 ones
    assert not b[1] / b[2] > b[0] / b[1]
    return f"n = k = 2, m = 1, j = 0, q = 1/4: both sides are {b[1] / b[2]}"

# --- 5.3: the ratio and its bound ---------------------------------------------------------------------------------

@erratum("5.10")
def _() -> str:
    n, k, s, i = 2, 2, 1, 2
    last = F(prod(s - j for j in range(i)), prod(k * n - j for j in range(k)))
    assert last == 0  # as is C(2, -1)/C(4, 1)
    assert s - i < 0  # (s - i)! is no number
    return f"n = k = 2, s = 1, i = 2: a factorial of {s - i}"

@erratum("5.11")
def _() -> str:
    A, B, e = 1, 2, 3
    assert F(A - e, B - e) == 2 > F(A, B)
    return f"A = {A}, B = {B}, e = {e}: {F(A - e, B - e)} > {F(A, B)}"

@claim("5.12")
def _() -> Finding:
    powers = {(n, k, s, i): F(s**i * (k * n - s) ** (k - i), (k * n) ** k) for n, k, s, i in TERMS}  # the right side
    larger = [case for case in TERMS if falling(*case) > powers[case]]
    sure(all((n, 2, s, 1) in larger for n in range(1, 5) for s in range(1, 2 * n)), "the terms with k = 2 are bounded")
    sure(not any(i in (0, k) for _, k, _, i in larger), "a term with i = 0 or i = k is larger")
    first = larger[0]
    return Finding(Ruling.REFUTED,
        exact=f"not for 0 < i < k: {len(larger)} terms with n, k <= 4 are larger",
        witness=f"{TERMS.shown(*first)}: {falling(*first)} > {powers[first]}")

claim("5.13", BOUNDED, lambda n, k, q, s: strictly(ratio_bound(pool(n, k, q), s) - ratio(pool(n, k, q), s)),
    only=lambda n, k, q, s: k >= 2 and 0 < s < k * n, sharp=True)

# --- 5.3: three deviations below the mean -------------------------------------------------------------------------
claim("5.21", WINDOWS, lambda n, k, q, s: strictly(end_bound(n, k, q) - ratio(pool(n, k, q), s)),
    only=lambda n, k, q, s: k >= 2 and s > 0)

@claim("5.22", WINDOWS)
def _(records: int, repeats: int, lie: F, s: int) -> Answer:
    bound = symbolic.window_bound().subs({z: 3, n: records, k: repeats, q: Rational(lie)})
    return bool(Rational(ratio(pool(records, repeats, lie), s)) <= bound)
