"""K16, sections 4.1 and 4.2: the estimate, and Theorem 4.1, that the collection of ones maximizes every ratio.

a_i^m is the probability of i ones among the reports of n bits, m of which are 1: the coefficient of x^i in
G_m(x) = (q + p x)^m (p + q x)^(n - m). R_i = a_i^(m-1)/a_i^m. b_i are the coefficients of
Q(x) = G_m(x) / ((q + p x)(p + q x)), 0 < m < n.

Lemma 1 says that the coefficients of prod (r_j + x) are log-concave. The step of its induction goes from b, the
coefficients before the last factor r + x, to a. A coefficient that a polynomial does not have is 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction as F
from itertools import combinations_with_replacement, pairwise, product
from math import comb, prod
from typing import Any, NamedTuple, TypeAlias

from sympy import Expr, IndexedBase, Poly, Product, Symbol, expand, solve, sqrt, symbols
from sympy.simplify.simplify import product_simplify

from dpcalc import KRandomization, estimate, log_concavity, log_concavity_in_ones, pmf, ratio, symbolic, variance
from dpcalc.laws.pool import Pool
from dpcalc.notes.symbolic import k, m, n, p, q, s, x
from tests.notes.ledger.checking import all_of, identity, positive, same, strictly, sure
from tests.notes.ledger.k16.forms import ABOVE, B1, B2, QS, QUARTIC, B, bases, elementary, moments, observed, read_off
from tests.notes.ledger.ledger import Answer, Finding, Known, Ledger, Range, Ruling, row

ledger = Ledger("K16")
claim, family, script = ledger.claim, ledger.family, ledger.script
# fmt: off

POINT: dict[Symbol, Any] = {n: 4, m: 2, q: "1/4", x: 2}
AT: dict[Symbol, Any] = {q: "1/4", **QUARTIC}
ONE, ZERO = q + p * x, p + q * x  # of a report of a 1, of a 0
MIXED = ZERO ** (m - 1) * ZERO ** (n - m - 1)  # Q as printed
COMMON = ONE ** (m - 1) * ZERO ** (n - m - 1)  # Q, repaired

def generating(ones: Expr) -> Expr:  # G of ``ones`` ones, k = 1
    return symbolic.generating_function().subs({k: 1, m: ones})

def pools(least: int, most: int) -> Iterator[KRandomization]:  # every mechanism with these n, at every q
    return (KRandomization(n=size, q=lie) for size in range(least, most + 1) for lie in QS)

GRID = "n = 2, ..., 5, every m and i, q = 1/10, 1/4, 2/5"
POOLS = Range.of("case", GRID, pools(2, 5))
OUTCOMES = Range("pool, i", GRID, lambda: ((pool, i) for pool in pools(2, 5) for i in range(pool.n + 1)))
CASES = Range("pool, m, i", GRID, lambda: ((pool, ones, i) for pool, i in OUTCOMES for ones in range(1, pool.n + 1)))
INNER = Range("pool, m, i", GRID, lambda: (case for case in CASES if case[1] < case[0].n))
SMALL = Range("pool, T", "n = 1, 2, 3, every T, q = 1/10, 1/4, 2/5",
    lambda: ((pool, ones) for pool in pools(1, 3) for ones in range(pool.n + 1)))
COUNTS = Range.of("n, m", "n = 1, 2, 3 and every m, as polynomials in q and x",
    ((a, b) for a in (1, 2, 3) for b in range(a + 1)))
FACTORS = Range.of("q, i, j", "Q with up to 4 factors of either kind, q = 1/10, 1/4, 2/5", QS, range(5), range(5))

def law(pool: KRandomization, ones: int) -> list[F]:
    """P(s = i) for i = 0, ..., n with ``ones`` ones, by going through every pattern of lies."""
    return observed(ones, pool.n - ones, pool.q)

# --- 4.1: the estimate --------------------------------------------------------------------------------------------
@claim("s4.1-S", r"""
    section 4.1, before (4.1): Shown: S = p T + q (n - T) vs E S = p T + q (n - T)""")
def _() -> Finding:
    mean, spread = (moment.subs(k, 1) for moment in moments(m))
    sure(same(p * m + q * (n - m), mean, at=POINT), "the right-hand side is not the expectation")
    found = positive((spread / n).factor())
    witness = f"n = T = 1, q = 1/4: S is 0 or 1, the right-hand side {mean.subs({n: 1, m: 1, q: F(1, 4)})}"
    return replace(found, ruling=Ruling.CORRECTED, witness=witness) if found.ruling is Ruling.PROVEN else found
@script
def _() -> None:
    q, p, n, T = F(1, 4), F(3, 4), 1, 1
    law = {1: p, 0: q}  # one record that holds 1, reported once
    said = p * T + q * (n - T)
    assert sum(s * chance for s, chance in law.items()) == said
    assert said not in law

@claim("4.1", """
    (4.1), section 4.1: `(S - q n)/(p - q)`""")
def _() -> Finding:
    a, b = symbols("a b")
    [solution] = solve(Poly(expand(a + b * moments(m)[0].subs(k, 1) - m), m).coeffs(), [a, b], dict=True)
    unbiased, ours = solution[a] + solution[b] * s, symbolic.estimate().subs(k, 1)
    return identity((s - q * n) / (p - q), unbiased, ours, at={n: 4, q: "1/4", s: 2})

@claim("4.2", """
    (4.2), section 4.1: Shown: E T_hat = T vs T""")
def _() -> Finding:
    for pool, ones in SMALL:
        mean = sum(chance * estimate(pool, i).value for i, chance in enumerate(law(pool, ones)))
        sure(mean == ones, f"the estimate of {ones} is {mean} on average")
    return identity(m, symbolic.estimate().subs({k: 1, s: moments(m)[0].subs(k, 1)}), at=POINT)

@claim("4.3", """
    (4.3), section 4.1: `q p n/(p - q)^2` Exact: q p n/(p - q)^2, for every T""")
def _() -> Finding:
    for pool, ones in SMALL:
        errors = [(chance, estimate(pool, i).value - ones) for i, chance in enumerate(law(pool, ones))]
        sure(sum(chance * error**2 for chance, error in errors) == variance(pool), "not the package's variance")
    spread = moments(m)[1].subs(k, 1) / (p - q) ** 2
    return identity(q * p * n / (p - q) ** 2, spread, symbolic.variance().subs(k, 1), at=POINT)

@claim("4.4", """
    (4.4), section 4.1: Shown: sqrt(q p n/(p - q)^2) vs sqrt(p q n)/(p - q)""")
def _() -> Finding:
    spread = moments(m)[1].subs(k, 1) / (p - q) ** 2
    return identity(sqrt(q * p * n / (p - q) ** 2) ** 2, spread, symbolic.sigma().subs(k, 1) ** 2, at=POINT)

# --- 4.2: the theorem ---------------------------------------------------------------------------------------------
def equality() -> None:
    laws = [[(1 - q) ** 2, q * (1 - q), q * q] for q in (F(1, 10), F(1, 4), F(2, 5))]  # n = 2, 0 to 2 ones: P(s = 0)
    laws += [a[::-1] for a in laws]  # and P(s = 2)
    assert all(a[1] / a[2] == a[0] / a[1] for a in laws)
    assert all(a[1] ** 2 == a[0] * a[2] for a in laws)

STRICT: dict[str, Any] = {"only": lambda pool, ones, i: 0 < i < pool.n, "sharp": True,
    "show": lambda pool, ones, i: f"n = {pool.n}, m = {ones}, i = {i}, q = {pool.q}: the difference is 0"}

@claim("s4.2-wlog", OUTCOMES, """
    section 4.2.1, first paragraph: Shown: a 1 becomes 0 vs the same largest ratio, p/q, for both changes""")
def _(pool: KRandomization, i: int) -> Answer:
    falling = [max(ratio(pool, j, ones=others) for others in range(pool.n)) for j in range(pool.n + 1)]
    rising = max(1 / ratio(pool, i, ones=others) for others in range(pool.n))
    return rising == falling[pool.n - i] and max(falling) == pool.p / pool.q

claim("s4.2-ratio", CASES,
    lambda pool, ones, i: (law(pool, ones - 1)[i] / law(pool, ones)[i], ratio(pool, i, ones=ones - 1)), """
    section 4.2.1, definition of R_i: `P(s = i | D_m) / P(s = i | D)` Exact: a_i^(m-1) / a_i^m, m ones in D""")

@claim("T4.1", OUTCOMES, """
    Theorem 4.1, section 4.2.1: Shown: largest when m = n vs largest when m = n; alone so for 0 < i < n""")
def _(pool: KRandomization, i: int) -> Answer:
    ratios = [ratio(pool, i, ones=ones) for ones in range(pool.n)]
    largest = [ones for ones, value in enumerate(ratios) if value == max(ratios)]
    return largest == (list(range(pool.n)) if i in (0, pool.n) else [pool.n - 1])

@claim("s4.2-G_m", COUNTS, """
    section 4.2.1, the generating function: `(q + p x)^m (p + q x)^(n-m)` Exact: sum over all reports""")
def _(size: int, ones: int) -> Answer:
    reports = product((0, 1), repeat=size)
    true = sum(x ** sum(y) * prod(p if bit == (j < ones) else q for j, bit in enumerate(y)) for y in reports)
    return bool(expand(generating(m).subs({n: size, m: ones}) - true) == 0)

@claim("s4.2-coefficients", CASES,
    lambda pool, m, i: (pmf(pool, ones=m - 1)[i] == law(pool, m)[i], True, pmf(pool, ones=m)[i] == law(pool, m)[i]),
    show=lambda pool, ones, i: "n = 1, D = {1}, D_m = {0}, m = 0: a_0^0 = p, but P(s = 0 | D) = q", text="""
    section 4.2.1, before and after the generating function: `m ones in D_m` Exact: m ones in D""")
def _() -> None:
    q, p = F(1, 4), F(3, 4)
    a = {0: (p, q), 1: (q, p)}  # one record: the law of its report, with m = 0 or m = 1 ones
    m = 0  # D_m = {0}, that is D = {1}
    assert a[m] != a[m + 1]
    assert sum(a[m]) == sum(a[m + 1]) == 1

claim("s4.2-grows", INNER, lambda pool, ones, i: strictly(ratio(pool, i, ones=ones) - ratio(pool, i, ones=ones - 1)),
    script=equality, **STRICT, text=r"""
    section 4.2.1, before (4.5): `a_i^m / a_i^(m+1) > a_i^(m-1) / a_i^m` Exact: a_i^m / a_i^(m+1) >= a_i^(m-1) /
    a_i^m Only: 0 < i < n, for every 0 < m < n; = at i = 0 and i = n""")

@claim("4.5", INNER, script=equality,
    given=lambda: all(log_concavity_in_ones(pool, strict=strict, compute=True).holds is not strict
                      for pool in POOLS for strict in (False, True)),
    **STRICT, text="""
    (4.5), section 4.2.1: `(a_i^m)^2 > a_i^(m-1) a_i^(m+1)` Exact: (a_i^m)^2 >= a_i^(m-1) a_i^(m+1) Only: 0 < i < n,
    for every 0 < m < n; = at i = 0 and i = n""")
def _(pool: KRandomization, ones: int, i: int) -> Answer:
    fewer, same, more = (pmf(pool, ones=ones + step).weights[i] for step in (-1, 0, 1))
    return strictly(same**2 - fewer * more)

@claim("4.6", INNER, script=equality, **STRICT, text="""
    (4.6), section 4.2.1: `(a_i^m)^2 - a_i^(m-1) a_i^(m+1) > 0` Exact: (a_i^m)^2 - a_i^(m-1) a_i^(m+1) >= 0 Only: 0
    < i < n, for every 0 < m < n; = at i = 0 and i = n""")
def _(pool: KRandomization, ones: int, i: int) -> Answer:
    b = Pool.of((pool.p, ones - 1), (pool.q, pool.n - ones - 1)).pmf()
    return strictly((pool.p**2 - pool.q**2) ** 2 * (b[i - 1] ** 2 - b[i] * b[i - 2]))

@family(
    row("4.7", step=1, ones="(m+1)", zeros="(n-m-1)", quote=r"G_{m+1}(x) = (p + qx)^{m+1}(p + qx)^{N-m-1}"),
    row("4.8", step=0, ones="m", zeros="(n-m)", quote=r"G_m(x) = (p + qx)^m(p + qx)^{N-m}"),
    row("4.9", step=-1, ones="(m-1)", zeros="(n-m+1)", quote=r"G_{m-1}(x) = (p + qx)^{m-1}(p + qx)^{N-m+1}"),
    text="""
    (<label>), section 4.2.1: `(p + q x)^<ones> (p + q x)^<zeros>` Exact: (q + p x)^<ones> (p + q x)^<zeros>""")
def _(step: int) -> Finding:
    said, right = (first ** (m + step) * ZERO ** (n - m - step) for first in (ZERO, ONE))
    return identity(said, generating(m + step), repair=right, at=POINT)
@script
def _(step: int) -> None:
    q, p, x = F(1, 4), F(3, 4), 2
    laws = [(q, p)] * (2 + step) + [(p, q)] * (2 - step)  # n = 4, m = 2: each record's P(report = 0), P(report = 1)
    each = product((0, 1), repeat=4)
    true = sum(prod(law[bit] for law, bit in zip(laws, s, strict=True)) * x ** sum(s) for s in each)
    assert (p + q * x) ** 4 != true == (q + p * x) ** (2 + step) * (p + q * x) ** (2 - step)

@claim("s4.2-Q", lambda: identity(MIXED, generating(m) / (ONE * ZERO), repair=COMMON, at=POINT), """
    section 4.2.1, definition of Q(x): `(p + q x)^(m-1) (p + q x)^(n-m-1)` Exact: (q + p x)^(m-1) (p + q x)^(n-m-1)""")
def _() -> None:
    q, p, n, m, x = F(1, 4), F(3, 4), 4, 2, 2
    G = (q + p * x) ** m * (p + q * x) ** (n - m)
    said, right = (p + q * x) ** (n - 2), (q + p * x) ** (m - 1) * (p + q * x) ** (n - m - 1)
    assert said * (q + p * x) * (p + q * x) != G == right * (q + p * x) * (p + q * x)  # (4.11)

QUADRATIC = {1: ONE**2, 0: ONE * ZERO, -1: ZERO**2}  # G_(m+1), G_m and G_(m-1) over Q

def printed_form(step: int, b: Sequence[Any], p: Any, q: Any) -> Any:  # (4.10) to (4.15), b being b_i, b_{i-1}, b_{i-2}
    weights = {1: (q**2, 2 * q * p, p**2), 0: (q * p, q**2 + p**2, q * p), -1: (p**2, 2 * q * p, q**2)}[step]
    return sum(weight * each for weight, each in zip(weights, b, strict=True))

@family(
    row("4.10", step=1, shown="G_(m+1) = Q (q + p x)^2", coefficients="b_i q^2 + 2 q p b_{i-1} + b_{i-2} p^2"),
    row("4.11", step=0, shown="G_m = Q (q + p x)(p + q x)", coefficients="b_i q p + (q^2 + p^2) b_{i-1} + b_{i-2} q p"),
    row("4.12", step=-1, shown="G_(m-1) = Q (p + q x)^2", coefficients="b_i p^2 + 2 q p b_{i-1} + b_{i-2} q^2"),
    text="""
    (<label>), section 4.2.1: `<shown>` Exact: the same, coefficient by coefficient""")
def _(step: int) -> Finding:
    whole = identity(COMMON * QUADRATIC[step], generating(m + step), at=POINT)
    return all_of(whole, identity(printed_form(step, (B, B1, B2), p, q), read_off(QUADRATIC[step]), at=AT))

@family(
    row("4.13", step=1, a="a_i^(m+1)", shown="b_i q^2 + 2 q p b_{i-1} + b_{i-2} p^2", at="(4.10)"),
    row("4.14", step=0, a="a_i^m", shown="b_i q p + (q^2 + p^2) b_{i-1} + b_{i-2} q p", at="(4.11)"),
    row("4.15", step=-1, a="a_i^(m-1)", shown="b_i p^2 + 2 q p b_{i-1} + b_{i-2} q^2", at="(4.12)"),
    over=INNER, failing=Ruling.CORRECTED,
    proof=lambda step: identity(printed_form(step, (B, B1, B2), p, q), read_off(QUADRATIC[step]), at=AT), text="""
    (<label>), section 4.2.1: `<shown>` Exact: the law of the count""")
def _(step: int, pool: KRandomization, ones: int, i: int) -> Answer:
    b = Pool.of((pool.p, ones - 1), (pool.q, pool.n - ones - 1)).pmf()
    return bool(pmf(pool, ones=ones + step)[i] == printed_form(step, (b[i], b[i - 1], b[i - 2]), pool.p, pool.q))

def difference() -> Expr:  # (a_i^m)^2 - a_i^(m-1) a_i^(m+1) in the coefficients of Q, read off
    return expand(read_off(QUADRATIC[0]) ** 2 - read_off(QUADRATIC[-1]) * read_off(QUADRATIC[1]))

@claim("s4.2-substituted", """
    section 4.2.1, after (4.15), first display: Shown: (4.14)^2 - (4.13) (4.15) vs (a_i^m)^2 - a_i^(m-1) a_i^(m+1)""")
def _() -> Finding:
    fewer, same, more = (printed_form(step, (B, B1, B2), p, q) for step in (-1, 0, 1))
    return identity(same**2 - more * fewer, difference(), at=AT)

@claim("s4.2-difference", r"""
    section 4.2.1, after (4.15), second display: `(p^2 - q^2)^2 (b_i^2 - b_{i+1} b_{i-1})` Exact: (p^2 - q^2)^2
    (b_{i-1}^2 - b_i b_{i-2})""")
def _() -> Finding:
    said, right = ((p**2 - q**2) ** 2 * pair for pair in (B**2 - ABOVE * B1, B1**2 - B * B2))
    return identity(said, difference(), repair=right, at=AT)
@script
def _() -> None:
    q, p = F(1, 4), F(3, 4)
    b = {-2: 0, -1: 0, 0: 1, 1: 0}  # n = 2, m = 1: Q(x) = 1
    a = [p * p, q * p, q * q]  # P(s = 0) with 0, 1 and 2 ones: i = 0
    said, right = ((p**2 - q**2) ** 2 * (b[j] ** 2 - b[j + 1] * b[j - 1]) for j in (0, -1))
    assert a[1] ** 2 - a[0] * a[2] == right != said

claim("s4.2-first-factor", lambda: positive((p**2 - q**2) ** 2), """
    section 4.2.1, before Lemma 1: Shown: (p^2 - q^2)^2 > 0 vs (1 - 2 q)^2""")

claim("s4.2-second-factor", FACTORS,
      lambda lie, ones, zeros: bool(log_concavity(Pool.of((1 - lie, ones), (lie, zeros)).pmf())), """
    section 4.2.1, before Lemma 1: Shown: b_i^2 - b_{i+1} b_{i-1} >= 0 vs >= 0 for every i""")

Roots: TypeAlias = tuple[int, ...]
r, (r1, r2) = Symbol("r"), symbols("r_1 r_2", positive=True)
STEP: dict[Symbol, Any] = {r: 1, **QUARTIC}

def nth(a: Sequence[Any], i: int) -> Any:  # a_i, 0 where there is none
    return a[i] if 0 <= i < len(a) else 0

class Place(NamedTuple):
    """The coefficients b of a polynomial of degree n, and an index i."""

    b: tuple[int, ...]
    i: int

    def __call__(self, offset: int) -> int:
        return int(nth(self.b, self.i + offset))

    def __str__(self) -> str:
        return f"b = {self.b}, i = {self.i}"

ROOTS = Range.of("case", "up to 4 factors with r_j in {0, 1, 2, 3, 7}, every i",
    [c for size in range(1, 5) for c in combinations_with_replacement((0, 1, 2, 3, 7), size)])
PLACES = Range("case", "up to 4 factors with r_j in {0, 1, 2, 3, 7}, 0 <= i <= n + 1",
    lambda: (Place(tuple(b), i) for b in map(elementary, ROOTS) for i in range(len(b) + 1)))
BY_SIZE = Range("case", PLACES.words, lambda: sorted(PLACES, key=lambda place: place.i <= 1))

# --- the lemma and its step ---------------------------------------------------------------------------------------
@claim("L1", ROOTS, """
    Lemma 1, section 4.2.1: `a_i^2 - a_{i+1} a_{i-1} >= 0` Exact: >= 0, and > 0 exactly where a_i != 0""")
def _(roots: Roots) -> Answer:
    a = elementary(roots)
    excess = [nth(a, i) ** 2 - nth(a, i + 1) * nth(a, i - 1) for i in range(-1, len(a) + 1)]
    exact = all((value > 0) == (nth(a, i - 1) > 0) and value >= 0 for i, value in enumerate(excess))
    return exact and bool(log_concavity(a))

claim("4.16", lambda: identity(r1 * r2 + (r1 + r2) * x + x**2, expand((r1 + x) * (r2 + x)), at={r1: 2, r2: 3, x: 5}),
    """
    (4.16), section 4.2.1: `r_1 r_2 + (r_1 + r_2) x + x^2` Exact: (r_1 + x)(r_2 + x)""")

@claim("4.17", """
    (4.17), section 4.2.1: `r_1^2 + r_2^2 + r_1 r_2 > 0` Exact: a_1^2 - a_0 a_2 > 0""")
def _() -> Finding:
    coefficient = Poly(expand((r1 + x) * (r2 + x)), x).coeff_monomial
    true = expand(coefficient(x) ** 2 - coefficient(1) * coefficient(x**2))
    sure(bool(true.is_positive), "the difference is not positive")
    return identity(true, expand((r1 + r2) ** 2 - r1 * r2), r1**2 + r2**2 + r1 * r2, at={r1: 2, r2: 3})

@claim("4.18", """
    (4.18), section 4.2.1: Shown: Q^(n+1)(x) = Q^n(x) (r + x) vs product over all factors""")
def _() -> Finding:
    j, roots = Symbol("j", integer=True), IndexedBase("r")
    whole, first, last = (Product(roots[j] + x, (j, *ends)) for ends in ((1, n + 1), (1, n), (n + 1, n + 1)))
    sure(last.doit() == roots[n + 1] + x, "a product of one factor is not that factor")
    return identity(product_simplify(first * last), whole, at={n: 3})

claim("4.19", lambda: identity(B * r + B1, read_off(r + x), at=STEP), """
    (4.19), section 4.2.1: Shown: sum of (b_i r + b_{i-1}) x^i vs sum of a_i x^i""")

claim("4.20", lambda: identity(B * r + B1, read_off(r + x), at=STEP), """
    (4.20), section 4.2.1: Shown: b_i r + b_{i-1} vs a_i""")

def step() -> Expr:  # a_i^2 - a_{i+1} a_{i-1} in the coefficients before the factor r + x, read off
    below, here, above = (read_off(r + x, power) for power in (1, 2, 3))
    return expand(here**2 - above * below)

claim("4.21", lambda: identity(expand((B * r + B1) ** 2 - (ABOVE * r + B) * (B1 * r + B2)), step(), at=STEP), """
    (4.21), section 4.2.1: `(b_i r + b_{i-1})^2 - (b_{i+1} r + b_i)(b_{i-1} r + b_{i-2})` Exact: a_i^2 - a_{i+1}
    a_{i-1}""")

@claim("4.22", """
    (4.22), section 4.2.1: Shown: ... + r (b_i b_{i-1} - b_{i+1} b_{i-1}) + ... vs ... + r (b_i b_{i-1} - b_{i+1}
    b_{i-2}) + ...""")
def _() -> Finding:
    outer = r**2 * (B**2 - ABOVE * B1) + (B1**2 - B * B2)
    said, right = (expand(outer + r * (B * B1 - ABOVE * low)) for low in (B1, B2))
    return identity(said, step(), repair=right, at=STEP)
@script
def _() -> None:
    a, b, i = [comb(5, j) for j in range(6)], [comb(4, j) for j in range(5)], 2  # (1 + x)^5, (1 + x)^4, r = 1
    outer = b[i] ** 2 - b[i + 1] * b[i - 1] + b[i - 1] ** 2 - b[i] * b[i - 2]
    said, right = (outer + b[i] * b[i - 1] - b[i + 1] * b[j] for j in (i - 1, i - 2))
    assert a[i] ** 2 - a[i + 1] * a[i - 1] == right != said

# --- the inequalities that the step puts together -----------------------------------------------------------------
family(
    row("4.23", offset=0, shown="b_i^2 - b_{i+1} b_{i-1} >= 0",
        why="i; at i = n + 1, where a_i still has to be looked at,"),
    row("4.24", offset=-1, shown="b_{i-1}^2 - b_i b_{i-2} >= 0", why="i - 1; at i = 0"),
    over=PLACES, check=lambda offset, b: b(offset) ** 2 >= b(offset + 1) * b(offset - 1), text="""
    (<label>), section 4.2.1: `<shown>` Exact: >= 0 by Lemma 1 for degree n""")

ledger.empty("4.25", Known.UNCHECKED, """
    (4.25), section 4.2.1:""")

@claim("4.26", PLACES, lambda b: (b(0) * b(-1) - b(1) * b(-1) >= 0, True, b(0) * b(-1) - b(1) * b(-2) >= 0), r"""
    (4.26), section 4.2.1: `b_i b_{i-1} - b_{i+1} b_{i-1} >= 0` Exact: b_i b_{i-1} - b_{i+1} b_{i-2} >= 0""")
def _() -> None:
    b, i = [comb(4, j) for j in range(5)], 1  # (1 + x)^4: 1, 4, 6, 4, 1
    assert b[i] * b[i - 1] - b[i + 1] * b[i - 1] < 0

@claim("s4.2-all-positive", ROOTS, lambda roots: min(elementary(roots)) > 0, only=lambda roots: 0 not in roots,
    sharp=True, show=lambda roots: f"r_j: {roots}, coefficients {elementary(roots)}", text="""
    (4.26), section 4.2.1, its reason: Shown: b_i > 0 for 0 <= i <= n vs b_i > 0 for z <= i <= n, z of the r_j being
    0 Only: all r_j > 0""")
def _() -> None:
    r1, r2 = 0, 1  # Lemma 1 allows it: the polynomial x (1 + x)
    b = [r1 * r2, r1 + r2, 1]
    assert not all(c > 0 for c in b)
    assert all(c >= 0 for c in b)

@claim("4.27", BY_SIZE, lambda b: b(0) ** 2 >= b(1) * b(-1) and strictly(b(-1) ** 2 - b(0) * b(-2)),
    only=lambda b: b(-1) > 0, sharp=True, show=lambda b: f"{b}: both sides are 0", text=r"""
    (4.27), section 4.2.1: `b_{i-1}^2 > b_i b_{i-2}` Exact: b_{i-1}^2 >= b_i b_{i-2} Only: > where b_{i-1} > 0, so
    for 1 <= i <= n + 1 if all r_j > 0""")
def _() -> None:
    r1, r2, i = 0, 0, 2  # Lemma 1 allows it: the polynomial x^2
    b = [r1 * r2, r1 + r2, 1]
    assert b[i - 1] ** 2 == b[i] * b[i - 2]

def multiplied() -> Finding:
    """b_i^2 b_{i-1}^2 - b_{i+1} b_{i-1} b_i b_{i-2} is made of what (4.23) and (4.24) say is not negative."""
    parts = B**2 * (B1**2 - B * B2) + B * B2 * (B**2 - ABOVE * B1)
    return identity(B**2 * B1**2 - ABOVE * B1 * B * B2, expand(parts), at=QUARTIC)

claim("4.28", PLACES, lambda b: (b(0) * b(-1)) ** 2 >= b(1) * b(-1) * b(0) * b(-2), proof=multiplied, text="""
    (4.28), section 4.2.1: `b_i^2 b_{i-1}^2 >= b_{i+1} b_{i-1} b_i b_{i-2}` Exact: >= 0 by Lemma 1 for degree n""")

@claim("4.29", PLACES, lambda b: (b(0) * b(-1) >= b(1) * b(-1), True, b(0) * b(-1) >= b(1) * b(-2)), r"""
    (4.29), section 4.2.1: `b_i b_{i-1} >= b_{i+1} b_{i-1}` Exact: b_i b_{i-1} >= b_{i+1} b_{i-2}""")
def _() -> None:
    b, i = [comb(4, j) for j in range(5)], 1  # (1 + x)^4: 1, 4, 6, 4, 1
    assert not b[i] * b[i - 1] >= b[i + 1] * b[i - 1]

@claim("s4.2-scaling", """
    section 4.2.1, after (4.29): Shown: c^2 (a_i^2 - a_{i+1} a_{i-1}) vs (c a_i)^2 - (c a_{i+1})(c a_{i-1})""")
def _() -> Finding:
    c, above, here, below = symbols("c a_{i+1} a_i a_{i-1}", real=True)
    high, middle, low = Poly(c * (below + here * x + above * x**2), x).all_coeffs()
    at = {c: -2, above: 3, here: 5, below: 7}
    return identity(expand(c**2 * (here**2 - above * below)), expand(middle**2 - high * low), at=at)

# --- 4.2: the end of the proof, after Lemma 1 ---------------------------------------------------------------------
@claim("s4.2-factored", """
    section 4.2.1, after Lemma 1: `p^m q^(n-m) (q/p + x)^m (p/q + x)^(n-m)` Exact: (q + p x)^m (p + q x)^(n-m)""")
def _() -> Finding:
    form = p**m * q ** (n - m) * (q / p + x) ** m * (p / q + x) ** (n - m)
    said, true = bases(form, m, n), bases(generating(m), m, n)
    return all_of(*(identity(a, b, at={q: "1/4", x: 2}) for a, b in zip(said, true, strict=True)))

claim("s4.2-roots", lambda: positive(q / p, p / q), """
    section 4.2.1, after Lemma 1: Shown: q/p >= 0 and p/q >= 0 vs q/p > 0 and p/q > 0""")

@claim("s4.2-conclusion", INNER, script=equality, **STRICT, text=r"""
    section 4.2.1, end of the proof: `a_i^m / a_i^(m+1) > a_i^(m-1) / a_i^m` Exact: a_i^m / a_i^(m+1) >= a_i^(m-1) /
    a_i^m Only: 0 < i < n, for every 0 < m < n; = at i = 0 and i = n""")
def _(pool: KRandomization, ones: int, i: int) -> Answer:
    fewer, same, more = (factored(pool, ones + step)[i] for step in (-1, 0, 1))
    return strictly(same / more - fewer / same)

def factored(pool: KRandomization, ones: int) -> list[F]:
    """The coefficients of p^m q^(n-m) (q/p + x)^m (p/q + x)^(n-m), m = ``ones``."""
    zeros = pool.n - ones
    roots = (pool.q / pool.p,) * ones + (pool.p / pool.q,) * zeros
    return [pool.p**ones * pool.q**zeros * c for c in elementary(roots)]

@claim("s4.2-all-ones", OUTCOMES, """
    section 4.2.1, last sentence: Shown: largest at m = n vs largest at m = n, with >= for >""")
def _(pool: KRandomization, i: int) -> Answer:
    ratios = [F(a, b) for a, b in pairwise(pmf(pool, ones=ones).weights[i] for ones in range(pool.n + 1))]
    return max(ratios) == ratios[-1]
