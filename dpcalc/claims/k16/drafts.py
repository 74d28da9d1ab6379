r"""K16, sections 7 and 8: drafts below the line "ignore below this point", and "Wild West".

Section 7 takes two records first, then lists the reports of n records one by one; section 8 has one report 0 and n - 1
equal ones. D holds records 1 = 1...1 but for the one that changes to 0 = 0...0 (``outcomes`` has the notation).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import factorial

from dpcalc.claims.checking import exhausted, repaired, restricted
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.flips import Vector, chance, vectors
from dpcalc.claims.k16.outcomes import FLIPS, Outcome, listed, one_zero, pairs
from dpcalc.mechanisms.records import bit_counts
from dpcalc.mechanisms.response import KRandomization
from dpcalc.privacy.ratio import ratio

__all__ = ["ledger"]

ledger = Ledger("K16")

_VECTORS = "L <= 6, every vector, q = 1/4 and 2/5"
_PAIRS = "L <= 2, q = 1/4 and 2/5, every z, x and pair of reports"
_PAIRS_OF_ONES = "L <= 2, q = 1/4 and 2/5, every x and pair of reports"
_LISTS = "n <= 3, L <= 2, q = 1/4 and 2/5, every outcome"
_MIXED = "n <= 4, L <= 3, n L <= 9, q = 1/4 and 2/5, every s"


# --- 7: two vectors -----------------------------------------------------------------------------------------------


@ledger.claim(
    "7.1",
    where="(7.1), section 7",
    says="The ratio of two reports l_1, l_2 of the records z and x, z changed to 0, divided by p(l_1|z) p(l_2|x).",
)
def _two_records() -> Finding:
    """Either l_1 is the changed record's report and l_2 that of x, or the other way round: the sum of the two products
    is the probability of the two reports (twice it, on both sides of the line, where l_1 = l_2). No product is 0, so
    both sums may be divided by p(l_1|z) p(l_2|x).
    """

    def holds(case: Outcome) -> bool:
        (z, x), (a, b) = case.records, case.reports
        either = [case.given(a, y) * case.given(b, x) + case.given(a, x) * case.given(b, y) for y in (case.zero, z)]
        own = case.given(a, z) * case.given(b, x)
        above = case.given(a, case.zero) / case.given(a, z) + case.given(a, x) * case.given(b, case.zero) / own
        below = 1 + case.given(a, x) * case.given(b, z) / own
        return case.ratio == either[0] / either[1] == above / below

    return exhausted(
        pairs(every=True), holds, over=_PAIRS, shown=("both sides", "P({l_1, l_2}|{0, x})/P({l_1, l_2}|{z, x})"),
        proven=True,
    )  # fmt: skip


@ledger.claim("7.2", where="(7.2), section 7", says="(7.1) for z = 1.")
def _two_records_one_of_ones() -> Finding:
    """Put z = 1 into (7.1), which holds for every z."""

    def holds(case: Outcome) -> bool:
        x, (a, b) = case.records[1], case.reports
        own = case.given(a, case.one) * case.given(b, x)
        top = case.likelihood(a) + case.given(a, x) * case.given(b, case.zero) / own
        return case.ratio == top / (1 + case.given(a, x) * case.given(b, case.one) / own)

    return exhausted(
        pairs(), holds, over=_PAIRS_OF_ONES, shown=("(7.1) at z = 1", "P({l_1, l_2}|{0, x})/P({l_1, l_2}|{1, x})"),
        proven=True,
    )  # fmt: skip


@ledger.claim(
    "7.3",
    where="(7.3), section 7",
    says="p(l_1|0) = p^{L-l_1} q^{l_1} for a report with l_1 bits set.",
)
def _report_of_zeros() -> Finding:
    """The l_1 set bits were flipped, the other L - l_1 were not."""

    def holds(case: tuple[int, Fraction]) -> bool:
        bits, q = case
        return all(chance((0,) * bits, v, q) == (1 - q) ** (bits - sum(v)) * q ** sum(v) for v in vectors(bits))

    formula = "p^(L - l_1) q^l_1"
    return exhausted(product(range(1, 7), FLIPS), holds, over=_VECTORS, shown=(formula, formula), proven=True)


@ledger.claim(
    "7.4",
    where="(7.4), section 7",
    says="p(l_1|1) = p^{l_1} q^{L-l_1} for a report with l_1 bits set.",
)
def _report_of_ones() -> Finding:
    """The l_1 set bits were not flipped, the other L - l_1 were."""

    def holds(case: tuple[int, Fraction]) -> bool:
        bits, q = case
        return all(chance((1,) * bits, v, q) == (1 - q) ** sum(v) * q ** (bits - sum(v)) for v in vectors(bits))

    formula = "p^l_1 q^(L - l_1)"
    return exhausted(product(range(1, 7), FLIPS), holds, over=_VECTORS, shown=(formula, formula), proven=True)


@ledger.claim(
    "7.5",
    where="(7.5), section 7",
    says="(7.2) with p(l_1|0)/p(l_1|1) = (p/q)^{L-2l_1} put in.",
)
def _first_likelihood_put_in() -> Finding:
    """By (7.3) and (7.4); the second term above the line is that of (7.2) times and over p(l_2|1)."""

    def holds(case: Outcome) -> bool:
        x, (a, b) = case.records[1], case.reports
        mixed = case.given(a, x) * case.given(b, case.one) / (case.given(a, case.one) * case.given(b, x))
        return case.ratio == (case.power(sum(a)) + case.likelihood(b) * mixed) / (1 + mixed)

    return exhausted(pairs(), holds, over=_PAIRS_OF_ONES, shown=("(7.5)", "the ratio of (7.2)"), proven=True)


@ledger.claim(
    "7.6",
    where="(7.6), section 7",
    says="(7.5) with p(l_2|1)/p(l_1|1) = p^{l_2-l_1} q^{L-(l_2-l_1)}.",
    script="""
        from fractions import Fraction as F
        p, q = F(3, 4), F(1, 4)  # L = 1, records 1 and x = 1, reports 0 and 1: l_1 = 0, l_2 = 1
        true = (p * p + q * q) / (q * p + p * q)
        printed = (p / q + (q / p) * p**1 * q ** (1 - 1) * (q / p)) / (1 + p**1 * q ** (1 - 1) * (q / p))
        assert printed != true == (p / q + (q / p) * p**1 * q**-1 * (q / p)) / (1 + p**1 * q**-1 * (q / p))
    """,
)
def _exponent() -> Finding:
    """p(l_2|1)/p(l_1|1) = p^{l_2} q^{L-l_2}/(p^{l_1} q^{L-l_1}) = p^{l_2-l_1} q^{-(l_2-l_1)}: the L cancels."""
    return repaired(
        pairs(),
        said=lambda case: _two_reports(case, _printed_factor(case)),
        repair=lambda case: _two_reports(case, _factor(case)),
        true=lambda case: case.ratio,
        over=_PAIRS_OF_ONES, shown=("p^(l_2 - l_1) q^(L - (l_2 - l_1))", "p^(l_2 - l_1) q^(-(l_2 - l_1))"),
    )  # fmt: skip


@ledger.claim(
    "7.7",
    where="(7.7), section 7",
    says="(7.6) with (p/q)^{L-2l_1} taken out.",
    script="""
        from fractions import Fraction as F
        p, q = F(3, 4), F(1, 4)  # L = 1, records 1 and x = 1, reports 0 and 1: l_1 = 0, l_2 = 1
        true = (p * p + q * q) / (q * p + p * q)
        right, printed = ((p / q) * (1 + (q / p) ** 2 * f * (q / p)) / (1 + f * (q / p)) for f in (p / q, p * q**0))
        assert printed != true == right
    """,
)
def _factored() -> Finding:
    """(p/q)^{L-2l_2} = (p/q)^{L-2l_1} (p/q)^{2(l_1-l_2)}, so the step is right; it keeps the exponent of (7.6)."""

    def with_factor(case: Outcome, factor: Fraction) -> Fraction:
        first, second = case.set_bits
        rest = factor * _unchanged(case)
        return case.power(first) * (1 + case.odds ** (2 * (first - second)) * rest) / (1 + rest)

    return repaired(
        pairs(),
        said=lambda case: with_factor(case, _printed_factor(case)),
        repair=lambda case: with_factor(case, _factor(case)),
        true=lambda case: case.ratio,
        over=_PAIRS_OF_ONES, shown=("p^(l_2 - l_1) q^(L - (l_2 - l_1))", "p^(l_2 - l_1) q^(-(l_2 - l_1))"),
    )  # fmt: skip


@ledger.claim(
    "7.8",
    where="(7.8), section 7",
    says="(7.7) with the powers collected: q^L (p/q)^{l_1-l_2} above the line and q^L (q/p)^{l_1-l_2} below it.",
    script="""
        from fractions import Fraction as F
        p, q = F(3, 4), F(1, 4)  # L = 1, records 1 and x = 1, reports 0 and 1: l_1 = 0, l_2 = 1
        true = (p * p + q * q) / (q * p + p * q)
        right, printed = ((p / q) * (1 + f * (q / p) * (q / p)) / (1 + f * (p / q) * (q / p)) for f in (F(1), q**1))
        assert printed != true == right
    """,
)
def _collected() -> Finding:
    """(p/q)^{2(l_1-l_2)} (p/q)^{l_2-l_1} = (p/q)^{l_1-l_2}, and below the line (p/q)^{l_2-l_1} = (q/p)^{l_1-l_2}.

    The q^L is what is left of the exponent of (7.6), and has to go.
    """

    def with_factor(case: Outcome, factor: Fraction) -> Fraction:
        first, second = case.set_bits
        above, below = (1 + factor * case.odds**power * _unchanged(case) for power in (first - second, second - first))
        return case.power(first) * above / below

    return repaired(
        pairs(),
        said=lambda case: with_factor(case, case.q**case.bits),
        repair=lambda case: with_factor(case, Fraction(1)),
        true=lambda case: case.ratio,
        over=_PAIRS_OF_ONES,
        shown=("q^L (p/q)^(l_1 - l_2), q^L (q/p)^(l_1 - l_2)", "(p/q)^(l_1 - l_2), (q/p)^(l_1 - l_2)"),
    )  # fmt: skip


@ledger.claim("7.9", where="(7.9), section 7", says="Nothing: a number without an equation.")
def _empty_after_two_records() -> Finding:
    """Only the number is printed."""
    return Finding(ruling=Ruling.VACUOUS)


# --- 7: the reports one by one ------------------------------------------------------------------------------------


@ledger.claim("7.10", where="(7.10), section 7", says="P(S|D), without a statement about it.")
def _only_an_expression() -> Finding:
    """An expression, not an equation. (7.13) says what it is."""
    return Finding(ruling=Ruling.VACUOUS)


@ledger.claim(
    "7.11",
    where="(7.11), section 7",
    says="P(S|D_m) is the sum of p(s_i|0) P(S - s_i|D_{n-1}) over n - 1 reports s_i.",
    script="""
        from fractions import Fraction as F
        p, q = F(3, 4), F(1, 4)  # D_m = {0, 1}, reports 0 and 1; D_1 = {1}
        terms = [p * p, q * q]  # the changed record reports 0 and the other 1; it reports 1 and the other 0
        true, printed = sum(terms), sum(terms[: 2 - 1])
        assert printed != true
    """,
)
def _sum_over_reports() -> Finding:
    """Condition on the changed record's report, as in (6.1): it may be any of the n reports, and (7.12) does sum to n.
    Reports that are equal are one case, not several: the sum is over the different ones among them.
    """

    def term(case: Outcome, v: Vector) -> Fraction:
        return case.given(v, case.zero) * case.without(vectors(case.bits).index(v))

    return repaired(
        listed(),
        said=lambda case: sum((term(case, v) for v in case.reports[:-1]), Fraction(0)),
        repair=lambda case: sum((term(case, v) for v in set(case.reports)), Fraction(0)),
        true=lambda case: case.after,
        over=_LISTS, shown=("sum over i = 1, ..., n - 1", "sum over i = 1, ..., n, equal reports once"),
    )  # fmt: skip


@ledger.claim(
    "7.12",
    where="(7.12), section 7",
    says="The ratio is sum_i p(s_i|0) P(S - s_i|D_{n-1}) / sum_i p(s_i|1) P(S - s_i|D_{n-1}), i from 1 to n.",
    assuming="S lists the reports, equal ones too, in an order that says nothing",
)
def _ratio_over_reports() -> Finding:
    """In a list whose order is random each report is the changed record's with probability 1/n; that factor cancels.
    P(S - s_i|D_{n-1}) is then the product of p(s_j|1) over the others, and the ratio (1/n) sum_i p(s_i|0)/p(s_i|1).

    (If P were to be the probability of the counts, equal reports would have to be summed over once.)
    """

    def total(case: Outcome, y: Vector) -> Fraction:
        return sum((case.given(v, y) * case.product(leaving=i) for i, v in enumerate(case.reports)), Fraction(0))

    return exhausted(
        listed(), lambda case: total(case, case.zero) / total(case, case.one) == case.ratio,
        over=_LISTS, shown=("sums over i = 1, ..., n", "(1/n) sum_i w(s_i)"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "7.13",
    where="(7.13), section 7",
    says="P(S|D) = n! prod_i p^{s_i} q^{L-s_i}, s_i being the number of bits set in the i-th report.",
    script="""
        from fractions import Fraction as F
        from math import factorial
        p, q = F(3, 4), F(1, 4)  # L = 1, D = {1, 1}, both reports 1
        true, printed = p * p, factorial(2) * p * p
        assert printed > 1 > true
    """,
)
def _orders_of_different_reports() -> Finding:
    """The product is the probability of the reports in one order. Of n different reports there are n! orders; where a
    report occurs c times, c! of them are the same order, and n! is too large by all these c!: it even exceeds 1.
    """
    return restricted(
        listed(),
        said=lambda case: factorial(case.n) * case.product(),
        true=lambda case: case.before,
        where=lambda case: case.different,
        over="reports that are all different",
        shown=("n! prod_i p^s_i q^(L - s_i)", "n!/(c_1! c_2! ...) prod_i p^s_i q^(L - s_i)"),
    )  # fmt: skip


@ledger.claim(
    "7.14",
    where="(7.14), section 7",
    says="P(S|D_m) = sum_i p(s_i|0) (n-1)! prod_{j != i} p^{s_j} q^{L-s_j}.",
    script="""
        from fractions import Fraction as F
        from math import factorial
        p, q = F(3, 4), F(1, 4)  # L = 1, D_m = {0, 1}, both reports 1
        true, printed = q * p, sum(q * factorial(2 - 1) * p for i in range(2))
        assert printed != true
    """,
)
def _orders_with_the_changed_record() -> Finding:
    """As in (7.13): each of n different reports may be the changed record's, the others in (n-1)! orders.

    Where a report occurs c times the sum is too large by c!.
    """
    return restricted(
        listed(),
        said=lambda case: _printed_orders(case, case.zero),
        true=lambda case: case.after,
        where=lambda case: case.different,
        over="reports that are all different",
        shown=("sum_i p(s_i|0) (n-1)! prod_{j != i} ...", "the same over c_1! c_2! ..."),
    )  # fmt: skip


@ledger.claim(
    "7.15",
    where="(7.15), section 7",
    says="The ratio is the sum of (7.14), each term over (7.13).",
)
def _ratio_of_orders() -> Finding:
    """(7.13) and (7.14) are too large by the same c_1! c_2! ..., which cancels: the ratio is right for every S."""

    def holds(case: Outcome) -> bool:
        whole = factorial(case.n) * case.product()
        parts = ((v, factorial(case.n - 1) * case.product(leaving=i) / whole) for i, v in enumerate(case.reports))
        return sum(case.given(v, case.zero) * part for v, part in parts) == case.ratio

    return exhausted(listed(), holds, over=_LISTS, shown=("(7.14)/(7.13)", "(7.14)/(7.13)"), proven=True)


@ledger.claim("7.16", where="(7.16), section 7", says="The ratio is the mean of p(s_i|0)/p(s_i|1) over the reports.")
def _mean_over_reports() -> Finding:
    """In (7.15) the products cancel but for p^{s_i} q^{L-s_i} = p(s_i|1), and (n-1)!/n! = 1/n. It is (6.7)."""
    return exhausted(
        listed(), lambda case: sum(map(case.likelihood, case.reports)) / case.n == case.ratio,
        over=_LISTS, shown=("(1/n) sum_i w(s_i)", "(1/n) sum_i w(s_i)"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "7.17",
    where="(7.17), section 7",
    says="With K reports 0 and M reports 1 it is K/n times the sum of K terms p(0|0)/p(0|1), and the same for M.",
    assuming="L = 1, K + M = n",
    script="""
        from fractions import Fraction as F
        p, q = F(3, 4), F(1, 4)  # L = 1, D = {1, 1}, D_m = {0, 1}, both reports 0: K = 2, M = 0
        true = (p * q) / (q * q)
        printed = F(2, 2) * sum(p / q for i in range(2))
        assert printed != true == F(2, 2) * (p / q)
    """,
)
def _zeros_and_ones() -> Finding:
    """In (7.16) K terms are p/q and M are q/p, so R = (K/n) p/q + (M/n) q/p: the sum or the factor K, not both."""

    def weighed(case: Outcome, power: int) -> Fraction:
        zeros, ones = (Fraction(count) ** power for count in case.counts)
        return (zeros * case.odds + ones / case.odds) / case.n

    return repaired(
        (case for case in listed() if case.bits == 1),
        said=lambda case: weighed(case, 2),
        repair=lambda case: weighed(case, 1),
        true=lambda case: case.ratio,
        over="n <= 3, L = 1, q = 1/4 and 2/5, every outcome",
        shown=("(K/n) sum^K p(0|0)/p(0|1) + (M/n) sum^M ...", "(K/n) p/q + (M/n) q/p"),
    )  # fmt: skip


@ledger.claim(
    "7.18",
    where="(7.18), section 7",
    says="(7.14) again.",
    script="""
        from fractions import Fraction as F
        from math import factorial
        p, q = F(3, 4), F(1, 4)  # L = 1, D_m = {0, 1}; reports 0 and 1, and reports 1 and 1
        P, lists = {"00": p, "01": q, "10": q, "11": p}, ("01", "11")  # P[x + v] = p(v|x)
        printed = [sum(P["0" + s[i]] * factorial(1) * P["1" + s[1 - i]] for i in range(2)) for s in lists]
        assert printed[0] == p * p + q * q and printed[1] == 2 * q * p  # right, and twice q p, the probability of 1, 1
    """,
)
def _orders_again() -> Finding:
    """As (7.14): the factor (n-1)! and the sum over all reports count an order once only if no reports are equal."""
    return restricted(
        listed(),
        said=lambda case: _printed_orders(case, case.zero),
        true=lambda case: case.after,
        where=lambda case: case.different,
        over="reports that are all different",
        shown=("sum_i p(s_i|0) (n-1)! prod_{j != i} ...", "the same over c_1! c_2! ..."),
    )  # fmt: skip


@ledger.claim(
    "7.19",
    where="(7.19), section 7",
    says="P(S|D) is the same sum with p(s_i|x), the record that changes being x and the others 1.",
    script="""
        from fractions import Fraction as F
        from math import factorial
        p, q = F(3, 4), F(1, 4)  # L = 1, D = {x, 1} with x = 1, both reports 1
        true, printed = p * p, sum(p * factorial(2 - 1) * p for i in range(2))
        assert printed > 1 > true
    """,
)
def _orders_with_any_record() -> Finding:
    """As (7.14), with x for 0: right for n different reports, and too large by c_1! c_2! ... otherwise."""
    return restricted(
        listed(every=True),
        said=lambda case: _printed_orders(case, case.records[0]),
        true=lambda case: case.before,
        where=lambda case: case.different,
        over="reports that are all different",
        shown=("sum_i p(s_i|x) (n-1)! prod_{j != i} ...", "the same over c_1! c_2! ..."),
    )  # fmt: skip


@ledger.claim(
    "7.20",
    where="(7.20), section 7",
    says="The ratio is (7.18) over (7.19).",
)
def _ratio_from_any_record() -> Finding:
    """Both are too large by the same factor c_1! c_2! ..., which cancels: right for every S and every x."""
    return exhausted(
        listed(every=True),
        lambda case: _printed_orders(case, case.zero) / _printed_orders(case, case.records[0]) == case.ratio,
        over=f"{_LISTS}, every x", shown=("(7.18)/(7.19)", "(7.18)/(7.19)"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "7.21",
    where="(7.21), section 7",
    says="The ratio is p(s_1|0)/p(s_1|1) + ..., over 1.",
    assuming="x is the record that changes, the others are 1",
    script="""
        from fractions import Fraction as F
        p, q = F(3, 4), F(1, 4)  # L = 1, D = {1, 1}, D_m = {0, 1}, both reports 0
        true = (p * q) / (q * q)
        printed = (p / q + p / q) / 1
        assert printed != true == (p / q + p / q) / 2
    """,
)
def _denominator() -> Finding:
    """Divide both sums of (7.20) by (n-1)! prod_j p(s_j|1).

    Above the line is then sum_i p(s_i|0)/p(s_i|1), as printed; below it sum_i p(s_i|x)/p(s_i|1), which is n for x = 1,
    and 1 only by chance.
    """

    def summed(case: Outcome, y: Vector) -> Fraction:
        return sum((case.given(v, y) / case.given(v, case.one) for v in case.reports), Fraction(0))

    return repaired(
        sorted(listed(every=True), key=lambda case: case.records[0] != case.one),
        said=lambda case: summed(case, case.zero),
        repair=lambda case: summed(case, case.zero) / summed(case, case.records[0]),
        true=lambda case: case.ratio,
        over=f"{_LISTS}, every x", shown=("... / 1", "... / sum_i p(s_i|x)/p(s_i|1), n for x = 1"),
    )  # fmt: skip


# --- 8: one report 0 and n - 1 equal ones -------------------------------------------------------------------------


@ledger.claim(
    "8.1",
    where="(8.1), section 8",
    says="P(S|D) = n q^L p(s|1)^{n-1} for one report 0 and n - 1 reports s.",
    assuming="s is not 0",
)
def _one_zero_report() -> Finding:
    """One of the n records reports 0, with probability p(0|1) = q^L, and the other n - 1 report s."""
    return _mixed(
        lambda case, a, b: case.n * case.q**case.bits * b ** (case.n - 1) == case.before, "n q^L p(s|1)^(n-1)"
    )


@ledger.claim(
    "8.2",
    where="(8.2), section 8",
    says="P(S|D_m) = p(0|0) p(s|1)^{n-1} + (n-1) p(0|1) p(s|0) p(s|1)^{n-2}.",
    assuming="s is not 0",
)
def _zero_report_by_either() -> Finding:
    """The report 0 is the changed record's, and the others report s; or one of the n - 1 others reports 0.

    In the second case the changed record reports s, as do the other n - 2.
    """

    def holds(case: Outcome, a: Fraction, b: Fraction) -> bool:
        own, other = case.given(case.zero, case.zero), case.given(case.zero, case.one)
        return own * b ** (case.n - 1) + (case.n - 1) * other * a * b ** (case.n - 2) == case.after

    return _mixed(holds, "p(0|0) p(s|1)^(n-1) + (n-1) p(0|1) p(s|0) p(s|1)^(n-2)")


@ledger.claim(
    "8.3",
    where="(8.3), section 8",
    says="(8.2) with p(0|0) = p^L and p(0|1) = q^L.",
    assuming="s is not 0",
)
def _powers_put_in() -> Finding:
    """No bit of 0 was flipped, and all L bits of 1."""
    return _mixed(
        lambda case, a, b: _numerator(case, a, b) == case.after, "p^L p(s|1)^(n-1) + (n-1) q^L p(s|0) p(s|1)^(n-2)"
    )


@ledger.claim("8.4", where="(8.4), section 8", says="The ratio is (8.3) over (8.1).")
def _ratio_of_one_zero() -> Finding:
    """The definition of the ratio. For s = 0 both are n times too large, so that (8.4) holds there too."""
    return _mixed(
        lambda case, a, b: _numerator(case, a, b) / (case.n * case.q**case.bits * b ** (case.n - 1)) == case.ratio,
        "(8.3)/(8.1)", zeros=True,
    )  # fmt: skip


@ledger.claim("8.5", where="(8.5), section 8", says="(8.4) again, letter for letter.")
def _ratio_of_one_zero_again() -> Finding:
    """Against (6.7) this time: one report has w = (p/q)^L and n - 1 have w = p(s|0)/p(s|1)."""
    return _mixed(
        lambda case, a, b: _numerator(case, a, b) / (case.n * case.q**case.bits * b ** (case.n - 1))
        == sum(map(case.likelihood, case.reports)) / case.n,
        "(8.3)/(8.1)", zeros=True,
    )  # fmt: skip


@ledger.claim("8.6", where="(8.6), section 8", says="The ratio is ((p/q)^L + (n-1) p(s|0)/p(s|1)) / n.")
def _ratio_divided() -> Finding:
    """Divide both sides of the line of (8.5) by q^L p(s|1)^{n-1}."""
    return _mixed(
        lambda case, a, b: (case.odds**case.bits + (case.n - 1) * a / b) / case.n == case.ratio,
        "((p/q)^L + (n-1) p(s|0)/p(s|1)) / n", zeros=True,
    )  # fmt: skip


@ledger.claim(
    "8.7", where="(8.7), section 8", says="The ratio is ((p/q)^L + (n-1) (p/q)^{L-2s}) / n, s bits being set."
)
def _ratio_by_set_bits() -> Finding:
    """(8.6) with p(s|0)/p(s|1) = (p/q)^{L-2s} by (6.9)."""
    return _mixed(
        lambda case, a, b: (case.power(0) + (case.n - 1) * case.power(case.set_bits[-1])) / case.n == case.ratio,
        "((p/q)^L + (n-1) (p/q)^(L - 2s)) / n", zeros=True,
    )  # fmt: skip


@ledger.claim(
    "8.8",
    where="(8.8), section 8",
    says="The ratio is (1/n) (p/q)^L + ((n-1)/n) (p/q)^{L-2s}.",
)
def _ratio_as_mixture() -> Finding:
    """(8.7) in two fractions. It is (6.10) for one report without set bits and n - 1 reports with s of them."""

    def holds(case: Outcome, a: Fraction, b: Fraction) -> bool:
        shares = Fraction(1, case.n), Fraction(case.n - 1, case.n)
        said = shares[0] * case.power(0) + shares[1] * case.power(case.set_bits[-1])
        histogram = bit_counts(case.counts)
        mechanism = KRandomization(n=case.n, q=case.q, bits=case.bits)
        return said == case.ratio == ratio(mechanism, histogram[1] if case.bits == 1 else histogram)

    return _mixed(holds, "(1/n) (p/q)^L + ((n-1)/n) (p/q)^(L - 2s)", zeros=True)


@ledger.claim("8.9", where="(8.9), section 8", says="Nothing: a number without an equation.")
def _empty_at_the_end() -> Finding:
    """Only the number is printed."""
    return Finding(ruling=Ruling.VACUOUS)


# --- parts of the equations ---------------------------------------------------------------------------------------


def _unchanged(case: Outcome) -> Fraction:
    """p(l_1|x)/p(l_2|x) for two reports, x being the record that does not change."""
    first, second = (case.given(v, case.records[1]) for v in case.reports)
    return first / second


def _factor(case: Outcome) -> Fraction:
    """p(l_2|1)/p(l_1|1)."""
    factor: Fraction = case.odds ** (case.set_bits[1] - case.set_bits[0])
    return factor


def _printed_factor(case: Outcome) -> Fraction:
    """What (7.6) and (7.7) have for it."""
    step = case.set_bits[1] - case.set_bits[0]
    factor: Fraction = (1 - case.q) ** step * case.q ** (case.bits - step)
    return factor


def _two_reports(case: Outcome, factor: Fraction) -> Fraction:
    """(7.6)."""
    first, second = map(case.power, case.set_bits)
    mixed = factor * _unchanged(case)
    return (first + second * mixed) / (1 + mixed)


def _printed_orders(case: Outcome, y: Vector) -> Fraction:
    """(7.14) and (7.18) for y = 0, (7.19) for y = x."""
    terms = (case.given(v, y) * case.product(leaving=i) for i, v in enumerate(case.reports))
    return factorial(case.n - 1) * sum(terms, Fraction(0))


def _numerator(case: Outcome, a: Fraction, b: Fraction) -> Fraction:
    """(8.3) with p(s|0) = a and p(s|1) = b."""
    n, zero, one = case.n, (1 - case.q) ** case.bits, case.q**case.bits
    above: Fraction = zero * b ** (n - 1) + (n - 1) * one * a * b ** (n - 2)
    return above


def _mixed(holds: Callable[[Outcome, Fraction, Fraction], bool], formula: str, *, zeros: bool = False) -> Finding:
    """Whether ``holds``, of an outcome of section 8 with p(s|0) and p(s|1), always does; s = 0 only with ``zeros``."""

    def tried(case: Outcome) -> bool:
        s = case.reports[-1]
        return holds(case, case.given(s, case.zero), case.given(s, case.one))

    over = _MIXED if zeros else f"{_MIXED} other than 0"
    return exhausted(one_zero(zeros=zeros), tried, over=over, shown=(formula, formula), proven=True)
