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
from typing import Any, NamedTuple

from sympy import Expr, expand

from dpcalc import KRandomization, log_concavity, pmf, ratio, symbolic
from dpcalc.laws.pool import Pool
from dpcalc.notes.symbolic import k, m, n, p, q, x
from tests.notes.ledger.checking import strictly, sure
from tests.notes.ledger.k16.forms import QS, elementary, observed, rounded
from tests.notes.ledger.ledger import Answer, Finding, Ledger, Range, Ruling, row

ledger = Ledger("K16")
claim, family, erratum = ledger.claim, ledger.family, ledger.erratum
# fmt: off

def generating(ones: Expr) -> Expr:  # G of ``ones`` ones, k = 1
    return symbolic.generating_function().subs({k: 1, m: ones})

def pools(least: int, most: int) -> Iterator[KRandomization]:  # every mechanism with these n, at every q
    return (KRandomization(n=size, q=lie) for size in range(least, most + 1) for lie in QS)

GRID = "n = 2, ..., 5, every m and i, q = 1/10, 1/4, 2/5"
OUTCOMES = Range("pool, i", GRID, lambda: ((pool, i) for pool in pools(2, 5) for i in range(pool.n + 1)))
CASES = Range("pool, m, i", GRID, lambda: ((pool, ones, i) for pool, i in OUTCOMES for ones in range(1, pool.n + 1)))
COUNTS = Range.of("n, m", "n = 1, 2, 3 and every m, as polynomials in q and x",
    ((a, b) for a in (1, 2, 3) for b in range(a + 1)))
FACTORS = Range.of("q, i, j", "Q with up to 4 factors of either kind, q = 1/10, 1/4, 2/5", QS, range(5), range(5))

def law(pool: KRandomization, ones: int) -> list[F]:
    """P(s = i) for i = 0, ..., n with ``ones`` ones, by going through every pattern of lies."""
    return observed(ones, pool.n - ones, pool.q)

@erratum("s4.1-S")
def _() -> str:
    q, p, n, T = F(1, 4), F(3, 4), 1, 1
    law = {1: p, 0: q}  # one record that holds 1, reported once
    said = p * T + q * (n - T)
    assert sum(s * chance for s, chance in law.items()) == said
    assert said not in law
    return f"n = T = 1, q = 1/4: S is 0 or 1, the right-hand side {said}"

def either_change(pool: KRandomization, i: int) -> Answer:
    falling = [max(ratio(pool, j, ones=others) for others in range(pool.n)) for j in range(pool.n + 1)]
    rising = max(1 / ratio(pool, i, ones=others) for others in range(pool.n))
    return rising == falling[pool.n - i] and max(falling) == pool.p / pool.q

@claim("s4.2-wlog")
def _() -> Finding:
    found = OUTCOMES.judge(either_change)
    sure(found.ruling is Ruling.PROVEN, "the two changes have another largest ratio")
    pool = KRandomization(n=1000, q=F(9, 1000))
    falling, rising = ratio(pool, 991), 1 / ratio(pool, 991, ones=0)
    return replace(found, ruling=Ruling.PROVEN if rising <= falling else Ruling.ONLY_FOR,
        witness=f"n = 1000, q = 0.009, i = 991: at most {rounded(falling, 2)} for a 1 that becomes 0, "
        f"{rounded(rising, 2)} for a 0 that becomes 1")

claim("s4.2-ratio", CASES,
    lambda pool, ones, i: (law(pool, ones - 1)[i] / law(pool, ones)[i], ratio(pool, i, ones=ones - 1)))

@claim("s4.2-G_m", COUNTS)
def _(size: int, ones: int) -> Answer:
    reports = product((0, 1), repeat=size)
    true = sum(x ** sum(y) * prod(p if bit == (j < ones) else q for j, bit in enumerate(y)) for y in reports)
    return bool(expand(generating(m).subs({n: size, m: ones}) - true) == 0)

claim("s4.2-coefficients", CASES,
    lambda pool, m, i: (pmf(pool, ones=m - 1)[i] == law(pool, m)[i], True, pmf(pool, ones=m)[i] == law(pool, m)[i]),
    show=lambda pool, ones, i: "n = 1, D = {1}, D_m = {0}, m = 0: a_0^0 = p, but P(s = 0 | D) = q")

@erratum("s4.2-grows", "4.5", "4.6", "s4.2-conclusion")
def _() -> str:
    laws = [[(1 - q) ** 2, q * (1 - q), q * q] for q in (F(1, 10), F(1, 4), F(2, 5))]  # n = 2, 0 to 2 ones: P(s = 0)
    laws += [a[::-1] for a in laws]  # and P(s = 2)
    assert all(a[1] / a[2] == a[0] / a[1] for a in laws)
    fewer, same, more = laws[0]
    assert all(a[1] ** 2 == a[0] * a[2] for a in laws)
    return f"n = 2, m = 1, i = 0, q = 1/10: the difference is {same**2 - fewer * more}"

@erratum(row("4.7", step=1), row("4.8", step=0), row("4.9", step=-1))
def _(step: int) -> str:
    q, p, x = F(1, 4), F(3, 4), 2
    laws = [(q, p)] * (2 + step) + [(p, q)] * (2 - step)  # n = 4, m = 2: each record's P(report = 0), P(report = 1)
    each = product((0, 1), repeat=4)
    true = sum(prod(law[bit] for law, bit in zip(laws, s, strict=True)) * x ** sum(s) for s in each)
    assert (p + q * x) ** 4 != true == (q + p * x) ** (2 + step) * (p + q * x) ** (2 - step)
    return f"n = 4, m = 2, q = 1/4, x = 2: {(p + q * x) ** 4} against {true}"

@erratum("s4.2-Q")
def _() -> str:
    q, p, n, m, x = F(1, 4), F(3, 4), 4, 2, 2
    G = (q + p * x) ** m * (p + q * x) ** (n - m)
    said, right = (p + q * x) ** (n - 2), (q + p * x) ** (m - 1) * (p + q * x) ** (n - m - 1)
    assert said * (q + p * x) * (p + q * x) != G == right * (q + p * x) * (p + q * x)  # (4.11)
    return f"n = 4, m = 2, q = 1/4, x = 2: {said} against {right}"

@erratum("s4.2-difference")
def _() -> str:
    q, p = F(1, 4), F(3, 4)
    b = {-2: 0, -1: 0, 0: 1, 1: 0}  # n = 2, m = 1: Q(x) = 1
    a = [p * p, q * p, q * q]  # P(s = 0) with 0, 1 and 2 ones: i = 0
    said, right = ((p**2 - q**2) ** 2 * (b[j] ** 2 - b[j + 1] * b[j - 1]) for j in (0, -1))
    assert a[1] ** 2 - a[0] * a[2] == right != said
    return f"n = 2, m = 1, i = 0, q = 1/4: {said} against {right}"

claim("s4.2-second-factor", FACTORS,
    lambda lie, ones, zeros: bool(log_concavity(Pool.of((1 - lie, ones), (lie, zeros)).pmf())))

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

@erratum("4.22")
def _() -> str:
    a, b, i = [comb(5, j) for j in range(6)], [comb(4, j) for j in range(5)], 2  # (1 + x)^5, (1 + x)^4, r = 1
    outer = b[i] ** 2 - b[i + 1] * b[i - 1] + b[i - 1] ** 2 - b[i] * b[i - 2]
    said, right = (outer + b[i] * b[i - 1] - b[i + 1] * b[j] for j in (i - 1, i - 2))
    assert a[i] ** 2 - a[i + 1] * a[i - 1] == right != said
    return f"b = (1, 4, 6, 4, 1), i = 2, r = 1: {said} against {right}"

family(
    row("4.23", offset=0),
    row("4.24", offset=-1),
    over=PLACES, check=lambda offset, b: b(offset) ** 2 >= b(offset + 1) * b(offset - 1))

claim("4.26", PLACES, lambda b: (b(0) * b(-1) - b(1) * b(-1) >= 0, True, b(0) * b(-1) - b(1) * b(-2) >= 0))

claim("s4.2-all-positive", ROOTS, lambda roots: min(elementary(roots)) > 0, only=lambda roots: 0 not in roots,
    sharp=True, show=lambda roots: f"r_j: {roots}, coefficients {elementary(roots)}")

claim("4.27", BY_SIZE, lambda b: b(0) ** 2 >= b(1) * b(-1) and strictly(b(-1) ** 2 - b(0) * b(-2)),
    only=lambda b: b(-1) > 0, sharp=True, show=lambda b: f"{b}: both sides are 0")

claim("4.29", PLACES, lambda b: (b(0) * b(-1) >= b(1) * b(-1), True, b(0) * b(-1) >= b(1) * b(-2)))

@claim("s4.2-all-ones", OUTCOMES)
def _(pool: KRandomization, i: int) -> Answer:
    ratios = [F(a, b) for a, b in pairwise(pmf(pool, ones=ones).weights[i] for ones in range(pool.n + 1))]
    return max(ratios) == ratios[-1]
