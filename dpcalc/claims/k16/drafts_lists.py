"""K16, section 7, below the line "ignore below this point": the reports of n records, one by one.

D holds records 1 = 1...1 but for the one that changes to 0 = 0...0 (``outcomes`` has the notation).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import factorial

from dpcalc.claims.checking import exhausted, repaired, restricted
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.enumeration import Vector, vectors
from dpcalc.claims.k16.outcomes import Outcome, listed

__all__ = ["ledger"]

ledger = Ledger("K16")

_LISTS = "n <= 3, L <= 2, q = 1/4 and 2/5, every outcome"


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
    """The sum leaves out a report, and counts equal reports more than once.

    Condition on the changed record's report, as in (6.1): it may be any of the n reports, and (7.12)
    does sum to n. Reports that are equal are one case, not several: the sum is over the different ones
    among them.
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
    assuming="P is the probability of the counts of the reports, as in (7.11), (7.13) and (7.14)",
    script="""
        from fractions import Fraction as F
        p, q = F(3, 4), F(1, 4)  # L = 1, n = 3, D_2 = {1, 1}, reports 0, 0, 1; the changed record reports 0 or 1:
        terms = {0: 2 * p * q, 1: q * q}  # P(S - s_i|D_2): one 0 and one 1 are left, or two 0
        change = lambda reports: sum((q if s else p) * terms[s] for s in reports)
        same = lambda reports: sum((p if s else q) * terms[s] for s in reports)
        assert change([0, 0, 1]) / same([0, 0, 1]) == F(37, 15) != F(19, 9) == change([0, 1]) / same([0, 1])
    """,
)
def _ratio_over_reports() -> Finding:
    """Equal reports are one case and not several: a report that occurs c times is counted c times in both sums, and
    these factors c cancel only if they are all the same. The repair is to sum over each different report once, which
    gives (1/n) sum_i p(s_i|0)/p(s_i|1), over all n reports.

    Read as the probability of the reports in a list whose order is random, P(S - s_i|D_{n-1}) is the
    product of p(s_j|1) over the others, each report is the changed record's with probability 1/n, and
    the ratio is right for every S; but (7.13) and (7.14), with their n! and (n-1)!, are about the
    counts.
    """

    def ratio(case: Outcome, reports: Iterable[Vector]) -> Fraction:
        cells = vectors(case.bits)
        left = [(v, case.without(cells.index(v))) for v in reports]
        above, below = (sum((case.given(v, y) * rest for v, rest in left), Fraction(0)) for y in (case.zero, case.one))
        return above / below

    def in_order(case: Outcome, y: Vector) -> Fraction:
        return sum((case.given(v, y) * case.product(leaving=i) for i, v in enumerate(case.reports)), Fraction(0))

    for case in listed():
        if not ratio(case, set(case.reports)) == in_order(case, case.zero) / in_order(case, case.one) == case.ratio:
            raise ArithmeticError(f"a sum over different reports, or over a list, is not the ratio at {case}")
    return restricted(
        listed(),
        said=lambda case: ratio(case, case.reports),
        true=lambda case: case.ratio,
        where=lambda case: len(set(case.counts) - {0}) == 1,
        over="reports that are all different, or occur equally often",
        shown=("sums over i = 1, ..., n", "sums over each different report once"),
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
    """Where reports are equal, n! counts the same order more than once.

    The product is the probability of the reports in one order. Of n different reports there are n!
    orders; where a report occurs c times, c! of them are the same order, and n! is too large by all
    these c!: it even exceeds 1.
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
    """Where reports are equal, orders are counted more than once.

    As in (7.13): each of n different reports may be the changed record's, the others in (n-1)! orders.

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
    says="With K reports 0 and M reports 1 the ratio is K/n times the sum of K terms p(0|0)/p(0|1), and so for M.",
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
    """The zeros are counted twice, by the factor K and by the sum of K terms; likewise the ones.

    In (7.16) K terms are p/q and M are q/p, so R = (K/n) p/q + (M/n) q/p: the sum or the factor K, not
    both.
    """

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
    """The denominator is n for x = 1, not 1.

    Divide both sums of (7.20) by (n-1)! prod_j p(s_j|1).

    Above the line is then sum_i p(s_i|0)/p(s_i|1), as printed; below it sum_i p(s_i|x)/p(s_i|1), which
    is n for x = 1, and 1 only by chance.
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


# --- helpers ------------------------------------------------------------------------------------------------------


def _printed_orders(case: Outcome, y: Vector) -> Fraction:
    """(7.14) and (7.18) for y = 0, (7.19) for y = x."""
    terms = (case.given(v, y) * case.product(leaving=i) for i, v in enumerate(case.reports))
    return factorial(case.n - 1) * sum(terms, Fraction(0))
