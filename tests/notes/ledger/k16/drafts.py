"""K16, sections 7 and 8, below the line "IGNORE BELOW THIS POINT": two records, lists of reports, one report 0.

D holds records 1 = 1...1 but for the one that changes to 0 = 0...0 (``outcomes`` has the notation).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction as F
from math import factorial

from sympy import Expr

from tests.notes.ledger.checking import sure
from tests.notes.ledger.enumeration import Vector, chance, vectors
from tests.notes.ledger.k16 import derived as d
from tests.notes.ledger.k16.vectors import VECTORS, Outcome, library_ratio, listed, one_zero, pairs
from tests.notes.ledger.ledger import Answer, Ledger, Range, row

ledger = Ledger("K16")
claim, family, script = ledger.claim, ledger.family, ledger.script
# fmt: off

PAIRS = Range("case", "L <= 2, q = 1/4 and 2/5, every z, x and pair of reports", lambda: pairs(every=True))
OF_ONES = Range("case", "L <= 2, q = 1/4 and 2/5, every x and pair of reports", pairs)
LISTS = Range("case", "n <= 3, L <= 2, q = 1/4 and 2/5, every outcome", listed)
ANY_X = Range("case", f"{LISTS.words}, every x", lambda: listed(every=True))
SINGLE = Range("case", "n <= 3, L = 1, q = 1/4 and 2/5, every outcome", lambda: (c for c in LISTS if c.bits == 1))
MIXED = Range("case", "n <= 4, L <= 3, n L <= 9, q = 1/4 and 2/5, every s", lambda: one_zero(zeros=True))
NOT_ZERO = Range("case", f"{MIXED.words} other than 0", lambda: one_zero(zeros=False))

def unchanged(case: Outcome) -> F:  # p(l_1|x)/p(l_2|x) for two reports, x being the record that does not change
    first, second = (case.given(v, case.records[1]) for v in case.reports)
    return first / second

def step(case: Outcome) -> int:  # l_2 - l_1
    return case.set_bits[1] - case.set_bits[0]

def two_reports(case: Outcome, slip: F) -> F:
    """(7.6), with p(l_2|1)/p(l_1|1) = (p/q)^{l_2 - l_1}, times the slip."""
    (first, second), mixed = map(case.power, case.set_bits), slip * case.odds ** step(case) * unchanged(case)
    return (first + second * mixed) / (1 + mixed)

def taken_out(case: Outcome, slip: F) -> F:  # (7.7)
    rest = slip * case.odds ** step(case) * unchanged(case)
    return case.power(case.set_bits[0]) * (1 + case.odds ** (-2 * step(case)) * rest) / (1 + rest)

def collected(case: Outcome, slip: F) -> F:  # (7.8)
    above, below = (1 + slip * case.odds**power * unchanged(case) for power in (-step(case), step(case)))
    return case.power(case.set_bits[0]) * above / below

def slipped(form: Callable[[Outcome, F], F], case: Outcome) -> Answer:
    """The form with q^L, left over in p^{l_2 - l_1} q^{L - (l_2 - l_1)}; the ratio; the form without."""
    return form(case, case.q**case.bits), case.ratio, form(case, F(1))

def different(case: Outcome) -> bool:  # whether no two reports are equal
    return max(case.counts) == 1

def over_reports(case: Outcome, y: Vector, reports: Iterable[Vector]) -> F:
    """The sum of (7.11), the changed record being y."""
    place = vectors(case.bits).index
    return sum((case.given(v, y) * case.without(place(v)) for v in reports), F(0))

def in_order(case: Outcome, y: Vector) -> F:  # the sum over the reports as a list, the changed record being y
    return sum((case.given(v, y) * case.product(leaving=i) for i, v in enumerate(case.reports)), F(0))

def orders(case: Outcome, y: Vector) -> F:  # (7.14) and (7.18) for y = 0, (7.19) for y = x
    return factorial(case.n - 1) * in_order(case, y)

def likelihoods(case: Outcome, y: Vector) -> F:  # the sum of p(s_i|y)/p(s_i|1)
    return sum((case.given(v, y) / case.given(v, case.one) for v in case.reports), F(0))

def given(case: Outcome) -> tuple[F, F]:  # p(s|0) and p(s|1)
    s = case.reports[-1]
    return case.given(s, case.zero), case.given(s, case.one)

def above(case: Outcome) -> F:  # (8.3)
    n, (a, b) = case.n, given(case)
    return F((1 - case.q) ** case.bits * b ** (n - 1) + (n - 1) * case.q**case.bits * a * b ** (n - 2))

def below(case: Outcome) -> F:  # (8.1)
    return F(case.n * case.q**case.bits * given(case)[1] ** (case.n - 1))

# --- 7: two records -----------------------------------------------------------------------------------------------
MIXED_TERM = d.AX * d.BZ / (d.AZ * d.BX)  # p(l_1|x) p(l_2|1)/(p(l_1|1) p(l_2|x)), in symbols
STEP = d.p ** (d.L2 - d.L1) * d.q ** (d.L1 - d.L2) * d.Y  # the same by powers, without the L
FIRST, SECOND = (d.rho ** (d.L - 2 * ones) for ones in (d.L1, d.L2))

def parted() -> Expr:  # (7.1), right
    return (d.A0 / d.AZ + d.AX * d.B0 / (d.AZ * d.BX)) / (1 + MIXED_TERM)

@claim("7.1", PAIRS, proof=lambda: d.either_order(parted()))
def _(case: Outcome) -> Answer:
    (z, x), (a, b) = case.records, case.reports
    either = [case.given(a, y) * case.given(b, x) + case.given(a, x) * case.given(b, y) for y in (case.zero, z)]
    own = case.given(a, z) * case.given(b, x)
    top = case.given(a, case.zero) / case.given(a, z) + case.given(a, x) * case.given(b, case.zero) / own
    return case.ratio == either[0] / either[1] == top / (1 + case.given(a, x) * case.given(b, z) / own)

@claim("7.2", OF_ONES, proof=lambda: d.of_two(parted()))
def _(case: Outcome) -> Answer:
    x, (a, b) = case.records[1], case.reports
    own = case.given(a, case.one) * case.given(b, x)
    top = case.likelihood(a) + case.given(a, x) * case.given(b, case.zero) / own
    return case.ratio == top / (1 + case.given(a, x) * case.given(b, case.one) / own)

@family(
    row("7.3", bit=0),
    row("7.4", bit=1),
    over=VECTORS, proof=lambda bit: d.powers(bit))
def _(bit: int, bits: int, q: F) -> Answer:
    kept = {v: sum(v) if bit else bits - sum(v) for v in vectors(bits)}
    return all(chance((bit,) * bits, v, q) == (1 - q) ** k * q ** (bits - k) for v, k in kept.items())

@claim("7.5", OF_ONES,
    proof=lambda: d.of_two((FIRST + d.B0 / d.BZ * MIXED_TERM) / (1 + MIXED_TERM)))
def _(case: Outcome) -> Answer:
    x, (a, b) = case.records[1], case.reports
    mixed = case.given(a, x) * case.given(b, case.one) / (case.given(a, case.one) * case.given(b, x))
    return case.ratio == (case.power(sum(a)) + case.likelihood(b) * mixed) / (1 + mixed)

@claim("7.6", OF_ONES, lambda case: slipped(two_reports, case),
    proof=lambda: d.of_two((FIRST + SECOND * STEP) / (1 + STEP)))
def _() -> None:
    p, q = F(3, 4), F(1, 4)  # L = 1, records 1 and x = 1, reports 0 and 1: l_1 = 0, l_2 = 1
    true = (p * p + q * q) / (q * p + p * q)
    printed = (p / q + (q / p) * p**1 * q ** (1 - 1) * (q / p)) / (1 + p**1 * q ** (1 - 1) * (q / p))
    assert printed != true == (p / q + (q / p) * p**1 * q**-1 * (q / p)) / (1 + p**1 * q**-1 * (q / p))

@claim("7.7", OF_ONES, lambda case: slipped(taken_out, case),
    proof=lambda: d.of_two(FIRST * (1 + d.rho ** (2 * (d.L1 - d.L2)) * STEP) / (1 + STEP)))
def _() -> None:
    p, q = F(3, 4), F(1, 4)  # L = 1, records 1 and x = 1, reports 0 and 1: l_1 = 0, l_2 = 1
    true = (p * p + q * q) / (q * p + p * q)
    right, printed = ((p / q) * (1 + (q / p) ** 2 * f * (q / p)) / (1 + f * (q / p)) for f in (p / q, p * q**0))
    assert printed != true == right

@claim("7.8", OF_ONES, lambda case: slipped(collected, case),
    proof=lambda: d.of_two(FIRST * (1 + d.rho ** (d.L1 - d.L2) * d.Y) / (1 + d.rho ** (d.L2 - d.L1) * d.Y)))
def _() -> None:
    p, q = F(3, 4), F(1, 4)  # L = 1, records 1 and x = 1, reports 0 and 1: l_1 = 0, l_2 = 1
    true = (p * p + q * q) / (q * p + p * q)
    right, printed = ((p / q) * (1 + f * (q / p) * (q / p)) / (1 + f * (p / q) * (q / p)) for f in (F(1), q**1))
    assert printed != true == right

# --- 7: lists of reports ------------------------------------------------------------------------------------------
@claim("7.11", LISTS,
    lambda c: (over_reports(c, c.zero, c.reports[:-1]), c.after, over_reports(c, c.zero, set(c.reports))))
def _() -> None:
    p, q = F(3, 4), F(1, 4)  # D_m = {0, 1}, reports 0 and 1; D_1 = {1}
    terms = [p * p, q * q]  # the changed record reports 0 and the other 1; it reports 1 and the other 0
    true, printed = sum(terms), sum(terms[: 2 - 1])
    assert printed != true

@claim("7.12", LISTS, only=lambda case: len(set(case.counts) - {0}) == 1)
def _(case: Outcome) -> Answer:
    sums = [[over_reports(case, y, r) for y in (case.zero, case.one)] for r in (case.reports, set(case.reports))]
    said, right = (over / under for over, under in sums)
    sure(right == case.ratio == in_order(case, case.zero) / in_order(case, case.one), "over a list")
    return said, case.ratio
@script
def _() -> None:
    p, q = F(3, 4), F(1, 4)  # L = 1, n = 3, D_2 = {1, 1}, reports 0, 0, 1; the changed record reports 0 or 1:
    terms = {0: 2 * p * q, 1: q * q}  # P(S - s_i|D_2): one 0 and one 1 are left, or two 0
    change, same = ({s: own[s] * terms[s] for s in (0, 1)} for own in ((p, q), (q, p)))
    printed, each_once = ([sum(side[s] for s in seen) for side in (change, same)] for seen in ((0, 0, 1), (0, 1)))
    assert printed[0] / printed[1] == F(37, 15) != F(19, 9) == each_once[0] / each_once[1]

@claim("7.13", LISTS, lambda case: (factorial(case.n) * case.product(), case.before), only=different)
def _() -> None:
    p = F(3, 4)  # L = 1, D = {1, 1}, both reports 1
    true, printed = p * p, factorial(2) * p * p
    assert printed > 1 > true

@claim("7.14", LISTS, lambda case: (orders(case, case.zero), case.after), only=different)
def _() -> None:
    p, q = F(3, 4), F(1, 4)  # L = 1, D_m = {0, 1}, both reports 1
    true, printed = q * p, sum(q * factorial(2 - 1) * p for i in range(2))
    assert printed != true

claim("7.15", LISTS, lambda case: (orders(case, case.zero) / (factorial(case.n) * case.product()), case.ratio),
    proof=d.mean_over_list)

claim("7.16", LISTS, lambda case: (sum(map(case.likelihood, case.reports)) / case.n, case.ratio),
    proof=d.mean_over_list)

@claim("7.17", SINGLE,
    lambda c: ((c.counts[0] ** 2 * c.odds + c.counts[1] ** 2 / c.odds) / c.n, c.ratio,
        (c.counts[0] * c.odds + c.counts[1] / c.odds) / c.n),
    proof=lambda: d.zeros_and_ones((d.KINDS[0] * d.rho + d.KINDS[1] / d.rho) / sum(d.KINDS)))
def _() -> None:
    p, q = F(3, 4), F(1, 4)  # L = 1, D = {1, 1}, D_m = {0, 1}, both reports 0: K = 2, M = 0
    true = (p * q) / (q * q)
    printed = F(2, 2) * sum(p / q for i in range(2))
    assert printed != true == F(2, 2) * (p / q)

@claim("7.18", LISTS, lambda case: (orders(case, case.zero), case.after), only=different)
def _() -> None:
    p, q = F(3, 4), F(1, 4)  # L = 1, D_m = {0, 1}; reports 0 and 1, and reports 1 and 1
    P, lists = {"00": p, "01": q, "10": q, "11": p}, ("01", "11")  # P[x + v] = p(v|x)
    printed = [sum(P["0" + s[i]] * factorial(1) * P["1" + s[1 - i]] for i in range(2)) for s in lists]
    assert printed[0] == p * p + q * q
    assert printed[1] == 2 * q * p  # right, and twice q p, the probability of 1, 1

@claim("7.19", ANY_X, lambda case: (orders(case, case.records[0]), case.before), only=different)
def _() -> None:
    p = F(3, 4)  # L = 1, D = {x, 1} with x = 1, both reports 1
    true, printed = p * p, sum(p * factorial(2 - 1) * p for i in range(2))
    assert printed > 1 > true

claim("7.20", ANY_X, lambda case: (orders(case, case.zero) / orders(case, case.records[0]), case.ratio),
    proof=d.two_lists)

@claim("7.21", Range("case", ANY_X.words, lambda: sorted(ANY_X, key=lambda case: case.records[0] != case.one)),
    lambda c: (likelihoods(c, c.zero), c.ratio, likelihoods(c, c.zero) / likelihoods(c, c.records[0])),
    proof=d.two_lists)
def _() -> None:
    p, q = F(3, 4), F(1, 4)  # L = 1, D = {1, 1}, D_m = {0, 1}, both reports 0
    true = (p * q) / (q * q)
    printed = (p / q + p / q) / 1
    assert printed != true == (p / q + p / q) / 2

# --- 8: one report 0 and n - 1 equal ones -------------------------------------------------------------------------
BELOW = d.n * d.q**d.L * d.S1 ** (d.n - 1)  # (8.1) and (8.3), in symbols
ABOVE = d.p**d.L * d.S1 ** (d.n - 1) + (d.n - 1) * d.q**d.L * d.S0 * d.S1 ** (d.n - 2)

claim("8.1", NOT_ZERO, lambda case: (below(case), case.before),
    proof=lambda: d.one_report_zero(BELOW))

@claim("8.2", NOT_ZERO)
def _(case: Outcome) -> Answer:
    n, (a, b), own, other = case.n, given(case), case.given(case.zero, case.zero), case.given(case.zero, case.one)
    return own * b ** (n - 1) + (n - 1) * other * a * b ** (n - 2), case.after

claim("8.3", NOT_ZERO, lambda case: (above(case), case.after), proof=lambda: d.none_or_all_flipped(ABOVE))

claim("8.4", MIXED, lambda case: (above(case) / below(case), case.ratio),
    proof=lambda: d.reduced(ABOVE / BELOW))

claim("8.5", MIXED, lambda case: (above(case) / below(case), sum(map(case.likelihood, case.reports)) / case.n),
    proof=lambda: d.reduced(ABOVE / BELOW))

claim("8.6", MIXED,
    lambda case: ((case.odds**case.bits + (case.n - 1) * given(case)[0] / given(case)[1]) / case.n, case.ratio),
    proof=lambda: d.reduced((d.rho**d.L + (d.n - 1) * d.S0 / d.S1) / d.n))

claim("8.7", MIXED, lambda case: ((case.power(0) + (case.n - 1) * case.power(case.set_bits[-1])) / case.n, case.ratio),
    proof=lambda: d.reduced((d.rho**d.L + (d.n - 1) * d.rho ** (d.L - 2 * d.ones)) / d.n))

claim("8.8", MIXED,
    lambda c: F(1, c.n) * c.power(0) + F(c.n - 1, c.n) * c.power(c.set_bits[-1]) == c.ratio == library_ratio(c),
    proof=lambda: d.reduced(d.rho**d.L / d.n + (d.n - 1) / d.n * d.rho ** (d.L - 2 * d.ones)))
