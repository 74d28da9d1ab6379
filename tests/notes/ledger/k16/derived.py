"""K16, sections 6 to 8, derived in symbols: for any number of reports, of vectors and of bits.

p + q is left open, so that a power of q stays a power. Every function is a derivation of the formula that it is given
or names: proven if the two sides are identical.
"""

from __future__ import annotations

from typing import Any

from sympy import Expr, IndexedBase, Integer, Product, Sum, Symbol, binomial, factor_terms, factorial, symbols

from tests.notes.ledger.checking import all_of, identity
from tests.notes.ledger.claim import Finding
from tests.notes.ledger.k16.forms import quotient

L, ones, n = symbols("L l n", integer=True, positive=True)  # L bits, l of them set; n reports
p, q = symbols("p q", positive=True)
rho = p / q
AT: dict[Symbol, Any] = {L: 5, ones: 2, p: "2/3", q: "1/4", n: 4}

# --- one report ---------------------------------------------------------------------------------------------------


def given(record: int, many: Expr | int = ones) -> Expr:
    """p(v|0) or p(v|1), so many bits of v being set, bit by bit: the set ones first."""
    bit, of_set, of_others = Symbol("b", integer=True), *((p, q) if record else (q, p))
    return (Product(of_set, (bit, 1, ones)) * Product(of_others, (bit, ones + 1, L))).doit().subs(ones, many)


def powers(record: int) -> Finding:
    """(7.3) and (7.4)."""
    said = p**ones * q ** (L - ones) if record else p ** (L - ones) * q**ones
    return identity(said, given(record), at=AT)


def alike_weights() -> Finding:
    """(6.8) and (6.9): w(v) depends on the number of set bits only, for every L and l."""
    return identity(rho ** (L - 2 * ones), quotient(given(0), given(1)), at=AT)


# --- the counts of the vectors v_1, ..., v_M, M = 2^L ---------------------------------------------------------------

COUNT, CHANCE = IndexedBase("s"), IndexedBase("c")  # s_i, and p(v_i|1)
W, WX = IndexedBase("w"), IndexedBase("w_x")  # p(v_i|0)/p(v_i|1), and the same for any record x instead of 0
i, M, ONE = Symbol("i", integer=True), Symbol("M", integer=True, positive=True), Integer(1)


def less_one(place: Expr | int) -> Expr:
    """P(S - v_i|D') up to a factor that is the same for all i: as s!/s = (s - 1)!, it is (n-1)! prod c^s/s! s_i/c_i."""
    return COUNT[place] / CHANCE[place]


def less_over_first() -> Finding:
    """(6.5), from the multinomial law, of which all but s_1, s_i and their powers cancels."""
    first, own = symbols("s_1 s_i", integer=True, positive=True)
    c, d = symbols("c_1 c_i", positive=True)

    def law(a: Expr, b: Expr) -> Expr:
        return c**a * d**b / (factorial(a) * factorial(b))

    true = quotient(law(first, own - 1), law(first - 1, own))
    short = (less_one(i) / less_one(1)).subs({COUNT[1]: first, COUNT[i]: own, CHANCE[1]: c, CHANCE[i]: d})
    return identity(own / first * c / d, true, short, at={first: 2, own: 3, c: "1/4", d: "1/2"})


def flipped() -> Finding:
    """(6.5), its last member: p(v_1|1) = q^L, as v_1 has no bit set."""
    return all_of(less_over_first(), identity(q**L, given(1, 0), at=AT))


def over_vectors(weight: Expr) -> Expr:
    """The sum over i of P(S - v_i|D')/P(S - v_1|D') p(v_i|1), times the weight."""
    return Sum(less_one(i) / less_one(1) * CHANCE[i] * weight, (i, 1, M))


def mean_of_w(below: Expr = ONE) -> Finding:
    """(6.6) and (6.7), the reports being counted by the s_i; with w_x below the line, for any record x that changes."""
    said = Sum(COUNT[i] * W[i], (i, 1, M)) / Sum(COUNT[i] * below, (i, 1, M))
    true = factor_terms(over_vectors(W[i]) / over_vectors(below))
    return all_of(less_over_first(), identity(said, true, at={M: 3}))


def by_set_bits() -> Finding:
    """(6.10): the vectors being v_{l,j}, j = 1, ..., C(L, l), those with l bits set have one weight, and s_l counts."""
    j = Symbol("j", integer=True)
    weight, ends = rho ** (L - 2 * ones), (j, 1, binomial(L, ones))
    said = Sum(Sum(COUNT[ones, j], ends) * weight, (ones, 0, L))
    true = Sum(factor_terms(Sum(COUNT[ones, j] * weight, ends)), (ones, 0, L))
    return all_of(mean_of_w(), alike_weights(), identity(said, true, at=AT | {L: 2}))


# --- two reports, of the record z that changes and of x -------------------------------------------------------------

A0, AZ, AX, B0, BZ, BX = symbols("a_0 a_z a_x b_0 b_z b_x", positive=True)  # p(l_1|0), p(l_1|z), ..., p(l_2|x)
L1, L2, Y = symbols("l_1 l_2 Y", positive=True)  # bits set in both; p(l_1|x)/p(l_2|x)
PLACE: dict[Symbol, Any] = {A0: 1, AZ: 2, AX: 3, B0: 5, BZ: 7, BX: 11, **AT, L1: 1, L2: 3, Y: 5}


def either_order(said: Expr) -> Finding:
    """(7.1): either report is the changed record's."""
    return identity(said, (A0 * BX + AX * B0) / (AZ * BX + AX * BZ), at=PLACE)


def of_two(said: Expr) -> Finding:
    """(7.2) to (7.8): z = 1, the reports having l_1 and l_2 bits set."""
    chances = {A0: given(0, L1), AZ: given(1, L1), B0: given(0, L2), BZ: given(1, L2), AX: Y * BX}
    true = (A0 * BX + AX * B0) / (AZ * BX + AX * BZ)
    return identity(*(quotient(form.subs(chances), 1) for form in (said, true)), at=PLACE)


# --- a list of n reports --------------------------------------------------------------------------------------------

J = Symbol("j", integer=True)
Z, A, X = IndexedBase("z"), IndexedBase("a"), IndexedBase("x")  # p(s_i|0), p(s_i|1), p(s_i|x) of the i-th report
KINDS = symbols("K M", integer=True, positive=True)  # reports 0 and reports 1, for L = 1


def all_orders(own: IndexedBase) -> Expr:
    """(7.14), (7.18), (7.19): the sum over i of p(s_i|y) (n-1)! and the product of p(s_j|1) over all j but i."""
    others = factorial(n - 1) * Product(A[J], (J, 1, n)) / A[i]
    return Sum(own[i] * others, (i, 1, n))


def by_kind() -> Finding:
    """A sum over the reports is one over the vectors: v, reported s times, adds s times its weight."""
    times, weight = Symbol("s", integer=True, positive=True), Symbol("w")
    return identity(times * weight, Sum(weight, (J, 1, times)).doit(), at={times: 3, weight: 2})


def mean_over_list() -> Finding:
    """(7.15) and (7.16): (7.14)/(7.13) is the mean of w over the list, and so (6.7)."""
    true = factor_terms(all_orders(Z) / (factorial(n) * Product(A[J], (J, 1, n))))
    said = Sum(Z[i] / A[i], (i, 1, n)) / n
    return all_of(mean_of_w(), by_kind(), identity(said, true.subs(factorial(n), n * factorial(n - 1)), at={n: 3}))


def two_lists() -> Finding:
    """(7.20), and (7.21) with its denominator: the ratio where any record x changes."""
    said = Sum(Z[i] / A[i], (i, 1, n)) / Sum(X[i] / A[i], (i, 1, n))
    return all_of(mean_of_w(WX[i]), by_kind(), identity(said, factor_terms(all_orders(Z) / all_orders(X)), at={n: 3}))


def zeros_and_ones(said: Expr) -> Finding:
    """(7.17), its repair: (7.16) for L = 1, K reports 0 and M reports 1."""
    zero, one = KINDS
    total = Sum(rho, (J, 1, zero)).doit() + Sum(1 / rho, (J, 1, one)).doit()
    return all_of(mean_over_list(), identity(said, total / (zero + one), at=AT | {zero: 2, one: 3}))


# --- one report 0 and n - 1 reports s -------------------------------------------------------------------------------

S0, S1 = symbols("c d", positive=True)  # p(s|0) and p(s|1)
EIGHT: dict[Symbol, Any] = {**AT, S0: "1/3", S1: "1/7"}


def one_report_zero(said: Expr) -> Finding:
    """(8.1): there are n!/(1! (n-1)!) orders."""
    return identity(said, quotient(factorial(n), factorial(n - 1)) * given(1, 0) * S1 ** (n - 1), at=EIGHT)


def changed_law() -> Expr:  # (8.2): the report 0 is the changed record's, or one of the n - 1 others'
    return given(0, 0) * S1 ** (n - 1) + (n - 1) * given(1, 0) * S0 * S1 ** (n - 2)


def none_or_all_flipped(said: Expr) -> Finding:
    """(8.3): p(0|0) = p^L and p(0|1) = q^L."""
    return identity(said, changed_law(), at=EIGHT)


def reduced(said: Expr) -> Finding:
    """(8.4) to (8.8), s having l bits set: (8.2) over (8.1)."""
    true = changed_law() / (n * given(1, 0) * S1 ** (n - 1))
    by_bits = {S0: given(0), S1: given(1)}
    both = (quotient(form.expand().subs(by_bits), 1) for form in (said, true))
    return all_of(alike_weights(), identity(*both, at=AT))
