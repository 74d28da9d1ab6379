"""K16, section 6.1.1: records of several bits, the ratio through the counts of the vectors.

D holds n copies of 1 = 1...1, its "unit vector"; in D_m one of them is changed to 0 = 0...0. The reports are pooled: an
outcome S says how often each vector is reported, and the section finds its ratio R = P(S|D_m)/P(S|D) to be the mean of
w(v) = p(v|0)/p(v|1) over the reports v (``outcomes`` has the notation).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product

from dpcalc.claims.checking import all_of, exhausted, repaired, restricted
from dpcalc.claims.claim import Finding, Ledger
from dpcalc.claims.enumeration import FLIPS, Vector, chance, law, vectors
from dpcalc.claims.k16.outcomes import EVERY_OUTCOME, EVERY_VECTOR, SIZES, SIZES_SHOWN, Outcome, of_ones, orders
from dpcalc.mechanisms.records import query_pmf
from dpcalc.privacy.collections.ratios import label, privacy_ratios

__all__ = ["ledger"]

ledger = Ledger("K16")


@ledger.claim(
    "s6.1.1-distinct",
    where="section 6.1.1, beginning",
    says="A record of L bits has 2^L possible reports.",
)
def _distinct_reports() -> Finding:
    """Each of the L bits is flipped or not, so that there are 2^L patterns of flips; different patterns give different
    reports, and each has a probability p^{L-d} q^d > 0.
    """

    def holds(case: tuple[int, Fraction]) -> bool:
        bits, q = case
        found = {y: chance((1,) * bits, y, q) for y in vectors(bits)}
        return len(found) == 2**bits and min(found.values()) > 0 and sum(found.values()) == 1

    return exhausted(product(range(1, 7), FLIPS), holds, over=EVERY_VECTOR, shown=("2^L", "2^L"), proven=True)


@ledger.claim(
    "s6.1.1-subscript",
    where="section 6.1.1, beginning; also in (6.1) to (6.4)",
    says="The counts of the distinct reports are s_1, ..., s_{2L}.",
    script="""
        from itertools import product
        distinct = set(product((0, 1), repeat=3))  # what the flips can make of a record of L = 3 bits
        assert len(distinct) == 2**3 != 2 * 3
    """,
)
def _last_subscript() -> Finding:
    """There are 2^L counts, not 2 L.

    There is a count for every vector, so the last subscript is 2^L: an exponent that was set on the
    line. For L = 1 and L = 2 the two are the same number.
    """
    return repaired(
        range(1, 7),
        said=lambda bits: Fraction(2 * bits),
        repair=lambda bits: Fraction(2**bits),
        true=lambda bits: Fraction(len(vectors(bits))),
        over="L <= 6", shown=("s_1, ..., s_{2L}", "s_1, ..., s_{2^L}"), show="L = {}".format,
    )  # fmt: skip


@ledger.claim(
    "6.1",
    where="(6.1), section 6.1.1",
    says="P(S|D' + y) is a sum over the vectors that y may have been reported as; the last term takes 1 from s_2.",
    assuming="D' holds n - 1 records 1, y is any record",
    script="""
        from fractions import Fraction as F
        p, q = F(3, 4), F(1, 4)  # D' = {11}, y = 00, one report 01 and one 11: s_2 = s_4 = 1
        P = {"11": {"01": p * q, "11": p * p}, "00": {"01": p * q, "11": q * q}}  # P[x][v] is P(v|x)
        true = P["11"]["11"] * P["00"]["01"] + P["11"]["01"] * P["00"]["11"]
        printed = P["11"]["11"] * P["00"]["01"] + P["11"]["11"] * P["00"]["11"]  # s_2 - 1 beside v_4
        assert printed != true
    """,
)
def _one_record_apart() -> Finding:
    """In the last term it is the last count that is one less, not s_2.

    Condition on the report v_i of y. It is independent of the other reports, which then have the counts
    S less one v_i, so P(S|D' + y) = sum_{i = 1}^{2^L} P(S - v_i|D') P(v_i|y), with P = 0 for a count of
    -1. In the last term it is the last count that is one less. For L = 1 the last one is s_2, and the
    equation is right.
    """

    def true(pair: tuple[Outcome, Vector]) -> Fraction:
        case, y = pair
        return law((*case.records[1:], y), case.q, case.bits)[case.counts]

    return repaired(
        ((case, y) for case in of_ones(flips=FLIPS[:1]) for y in vectors(case.bits)),
        said=lambda pair: _printed_sum(*pair),
        repair=lambda pair: _sum(*pair),
        true=true,
        over=f"{SIZES_SHOWN}, q = 1/4, every outcome and y",
        shown=("last term P(s_1, s_2 - 1, ...|D') P(v_{2L}|y)", "last term P(..., s_{2^L} - 1|D') P(v_{2^L}|y)"),
        show=lambda pair: f"q = {pair[0].q}, n = {pair[0].n}, y = {label(pair[1])}, counts {pair[0].counts}",
    )  # fmt: skip


@ledger.claim(
    "6.2",
    where="(6.2), section 6.1.1",
    says="The ratio is (6.1) for y = 0 over (6.1) for y = 1, with the same last term.",
    assuming="D' holds n - 1 records 1",
    script="""
        from fractions import Fraction as F
        p, q = F(3, 4), F(1, 4)  # D' = {11}, one report 01 and one 11: s_2 = s_4 = 1
        P = {"11": {"01": p * q, "11": p * p}, "00": {"01": p * q, "11": q * q}}  # P[x][v] is P(v|x)
        true = [P["11"]["11"] * P[y]["01"] + P["11"]["01"] * P[y]["11"] for y in P]
        printed = [P["11"]["11"] * P[y]["01"] + P["11"]["11"] * P[y]["11"] for y in P]  # s_2 - 1 beside v_4
        assert printed[1] / printed[0] != true[1] / true[0]
    """,
)
def _ratio_of_sums() -> Finding:
    """It repeats the slip of (6.1) in the last terms.

    The quotient of two sums of (6.1), each with the last count one less in its last term.
    """
    return repaired(
        of_ones(),
        said=lambda case: _quotient_of(_printed_sum, case),
        repair=lambda case: _quotient_of(_sum, case),
        true=lambda case: case.ratio,
        over=EVERY_OUTCOME, shown=("last terms P(s_1, s_2 - 1, ...|D')", "last terms P(..., s_{2^L} - 1|D')"),
    )  # fmt: skip


@ledger.claim(
    "6.3",
    where="(6.3), section 6.1.1",
    says="Both sums may be divided by P(s_1 - 1, s_2, ...|D').",
    assuming="D' holds n - 1 records 1",
    script="""
        from fractions import Fraction as F
        p, q = F(3, 4), F(1, 4)  # L = 1, n = 2, both reports 1: s_1 = 0, s_2 = 2
        law = {(1, 0): q, (0, 1): p}  # of the counts of D' = {1}
        divisor, true = law.get((0 - 1, 2), 0), (p * q) / (p * p)
        assert divisor == 0 and true == q / p
    """,
)
def _divided() -> Finding:
    """For s_1 = 0 the divisor is 0.

    Dividing both sums by the same number leaves the quotient, if the number is not 0. It is the
    probability that the others report s_1 - 1 zero vectors and the rest as in S: positive if s_1 >= 1,
    and 0 if S has no zero vector, which is an outcome like any other. (6.7), to which this leads, holds
    for s_1 = 0 too: divide by the term of a vector that S does have.
    """
    return restricted(
        of_ones(),
        said=_divided_ratio,
        true=lambda case: case.ratio,
        where=lambda case: case.counts[0] > 0,
        over="s_1 >= 1", shown=("divided by P(s_1 - 1, s_2, ...|D')", "that is 0 when s_1 = 0"),
    )  # fmt: skip


@ledger.claim(
    "s6.1.1-multinomial",
    where="section 6.1.1, after (6.3)",
    says="The counts of the reports of D' are multinomial.",
    assuming="D' holds copies of one record",
)
def _multinomial() -> Finding:
    """The reports are independent, and each is v_i with the same probability p(v_i|1). An order of the reports with
    counts s has the probability prod_i p(v_i|1)^{s_i}, and there are (number of reports)!/(s_1! s_2! ...) such orders.
    """

    def holds(case: Outcome) -> bool:
        said = orders(case.counts) * case.powers(case.counts)
        return said == case.before == query_pmf(case.records, q=case.q)[case.counts]

    return exhausted(of_ones(), holds, over=EVERY_OUTCOME, shown=("multinomial", "multinomial"), proven=True)


@ledger.claim(
    "s6.1.1-trials",
    where="section 6.1.1, after (6.3)",
    says="The reports of D' are n trials.",
    assuming="D' holds n - 1 records",
    script="""
        from itertools import product
        n = 3  # D' holds n - 1 records of one bit; the outcomes are the counts of reports 0 and of reports 1
        outcomes = {(reports.count(0), reports.count(1)) for reports in product((0, 1), repeat=n - 1)}
        assert {sum(s) for s in outcomes} == {n - 1}
    """,
)
def _trials() -> Finding:
    """D' has n - 1 records, so there are n - 1 trials.

    D' is D without the record that changes: every one of its n - 1 records is reported once.
    """
    return repaired(
        SIZES,
        said=lambda size: Fraction(size[0]),
        repair=lambda size: Fraction(size[0] - 1),
        true=lambda size: Fraction(*{sum(s) for s in law(((1,) * size[1],) * (size[0] - 1), FLIPS[0], size[1])}),
        over="n <= 4, L <= 3", shown=("n", "n - 1"), show="(n, L) = {}".format,
    )  # fmt: skip


@ledger.claim(
    "6.4",
    where="(6.4), section 6.1.1",
    says="P(..., s_i - 1, ...|D')/P(s_1 - 1, ...|D') by multinomial coefficients (2^L)!/(s_1! ...) and powers.",
    assuming="s_1 >= 1, s_i >= 1",
    script="""
        from fractions import Fraction as F
        from math import factorial
        p, q = F(3, 4), F(1, 4)  # L = 1, n = 2, s_1 = s_2 = 1, i = 2; D' = {1} reports 0 with q, 1 with p
        true, coefficient = q / p, factorial(2 - 1)  # the coefficient of 1 trial
        printed = F(factorial(2**1), 1) / F(factorial(2**1), 1) * q**1 * p**0
        assert printed != true and factorial(2**1) != coefficient
    """,
)
def _multinomial_ratio() -> Finding:
    """D' makes n - 1 trials, so both coefficients are (n - 1)!/(s_1! ... ), not (2^L)!/(s_1! ...): 2^L is the number of
    vectors. They cancel, so the slip does no harm; but the powers p(v_1|1)^{s_1 - 1} ... p(v_i|1)^{s_i} under the line
    do not, and are missing (in the text at hand; (6.5) has them).
    """
    numerator = repaired(
        _with_cell(),
        said=lambda pair: _multinomial_of(*pair, trials=2 ** pair[0].bits),
        repair=lambda pair: _multinomial_of(*pair, trials=pair[0].n - 1),
        true=lambda pair: pair[0].without(pair[1]),
        over=EVERY_OUTCOME,
        shown=("(2^L)!/(s_1! ...), powers above the line only", "(n - 1)!/(s_1! ...), powers in both"),
        show=_cell_shown,
    )  # fmt: skip
    quotient = repaired(
        _with_cell(),
        said=_printed_quotient,
        repair=lambda pair: _multinomial_of(*pair) / _multinomial_of(pair[0], 0),
        true=lambda pair: pair[0].without(pair[1]) / pair[0].without(0),
        over=EVERY_OUTCOME, shown=("powers above the line only", "powers in both"), show=_cell_shown,
    )  # fmt: skip
    if not (numerator.ruling.erratum and quotient.ruling.erratum):
        return all_of(quotient, numerator)
    return replace(numerator, witness=f"P(..., s_i - 1, ...|D') at {numerator.witness}; quotient at {quotient.witness}")


@ledger.claim(
    "6.5",
    where="(6.5), section 6.1.1",
    says="The quotient of (6.4) is (s_i/s_1) p(v_1|1)/p(v_i|1) = (s_i/s_1) q^L/p(v_i|1).",
    assuming="s_1 >= 1, s_i >= 1, v_1 = 0",
)
def _quotient() -> Finding:
    """s_i!/(s_i - 1)! = s_i and s_1!/(s_1 - 1)! = s_1; of the powers one p(v_1|1) stays above and one p(v_i|1) below.
    p(v_1|1) = q^L says that v_1 is the zero vector and 1 the vector of ones: all L bits flipped.
    """

    def holds(pair: tuple[Outcome, int]) -> bool:
        case, i = pair
        own, factor = case.given(vectors(case.bits)[i], case.one), Fraction(case.counts[i], case.counts[0])
        first, last = factor * case.given(case.zero, case.one) / own, factor * case.q**case.bits / own
        return case.without(i) / case.without(0) == first == last

    return exhausted(
        _with_cell(), holds, over=EVERY_OUTCOME, shown=("(s_i/s_1) q^L/p(v_i|1)", "(s_i/s_1) q^L/p(v_i|1)"), proven=True
    )


@ledger.claim(
    "6.6",
    where="(6.6), section 6.1.1",
    says="The ratio is (s_1 (p/q)^L + sum_{i >= 2} s_i w(v_i)) / (s_1 + sum_{i >= 2} s_i), by (6.5) in (6.3).",
    assuming="s_1 >= 1 in its first form, any outcome in its second",
)
def _expanded() -> Finding:
    """Put (6.5) into (6.3): p(v_1|0) = p^L and p(v_1|1) = q^L are the first terms. Multiplying both sums by s_1/q^L
    gives the second form, in which s_1 may be 0 (see 6.7).
    """

    def holds(case: Outcome) -> bool:
        first, *counts = case.counts
        rest = list(zip(counts, vectors(case.bits)[1:], strict=True))
        second = (first * case.odds**case.bits + sum(s * case.likelihood(v) for s, v in rest)) / (first + sum(counts))
        return second == case.ratio and (first == 0 or second == _quotient_of(_expanded_sum, case))

    formula = "(s_1 (p/q)^L + sum s_i w(v_i)) / (s_1 + sum s_i)"
    return exhausted(of_ones(), holds, over=EVERY_OUTCOME, shown=(formula, formula), proven=True)


@ledger.claim(
    "6.7",
    where="(6.7), section 6.1.1",
    says="The ratio is the mean of w = p(v|0)/p(v|1) over the n reports.",
)
def _mean_of_likelihood_ratios() -> Finding:
    """The counts sum to n, and w(v_1) = (p/q)^L, so (6.6) is (1/n) sum_i s_i w(v_i).

    Without a division by s_1: if the reports are shuffled to y_1, ..., y_n, each is the changed
    record's with probability 1/n, and P(y|D_m) = (1/n) sum_j p(y_j|0) prod_{i != j} p(y_i|1) = P(y|D)
    (1/n) sum_j w(y_j). All orders of the reports have this same quotient, and so has the outcome.
    """

    def holds(case: Outcome) -> bool:
        said = sum(s * case.likelihood(v) for s, v in zip(case.counts, vectors(case.bits), strict=True)) / case.n
        return said == case.ratio == privacy_ratios(case.records, case.changed, q=case.q)[case.counts]

    return exhausted(
        of_ones(), holds, over=EVERY_OUTCOME, shown=("(1/n) sum_i s_i w(v_i)", "(1/n) sum_i s_i w(v_i)"), proven=True
    )


# --- helpers ------------------------------------------------------------------------------------------------------


def _with_cell() -> Iterator[tuple[Outcome, int]]:
    """An outcome with s_1 >= 1, and a place i >= 2 with s_i >= 1."""
    for case in of_ones():
        if case.counts[0]:
            yield from ((case, i) for i, s in enumerate(case.counts) if i and s)


def _cell_shown(pair: tuple[Outcome, int]) -> str:
    return f"{pair[0]}, i = {pair[1] + 1}"


def _quotient_of(side: Callable[[Outcome, Vector], Fraction], case: Outcome) -> Fraction:
    return side(case, case.zero) / side(case, case.one)


def _sum(case: Outcome, y: Vector) -> Fraction:
    """(6.1), mended."""
    return sum((case.without(i) * case.given(v, y) for i, v in enumerate(vectors(case.bits))), Fraction(0))


def _printed_sum(case: Outcome, y: Vector) -> Fraction:
    """(6.1): the subscripts end at 2L, and the last term takes 1 from s_2."""
    *first, last = vectors(case.bits)[: 2 * case.bits]
    terms = (case.without(i) * case.given(v, y) for i, v in enumerate(first))
    return sum(terms, case.without(1) * case.given(last, y))


def _divided_ratio(case: Outcome) -> Fraction | None:
    """(6.3) where it is defined."""
    return _quotient_of(_divided_sum, case) if case.without(0) else None


def _divided_sum(case: Outcome, y: Vector) -> Fraction:
    first, *rest = vectors(case.bits)
    terms = (case.without(i) / case.without(0) * case.given(v, y) for i, v in enumerate(rest, start=1))
    return sum(terms, case.given(first, y))


def _multinomial_of(case: Outcome, i: int, *, trials: int | None = None) -> Fraction:
    """The multinomial probability of S less one v_i; the factorial above the line is that of ``trials``."""
    return orders(case.less(i), trials) * case.powers(case.less(i))


def _printed_quotient(pair: tuple[Outcome, int]) -> Fraction:
    """(6.4): coefficients (2^L)!/(s_1! ...), and the powers of the numerator."""
    case, i = pair
    trials = 2**case.bits
    return orders(case.less(i), trials) / orders(case.less(0), trials) * case.powers(case.less(i))


def _expanded_sum(case: Outcome, y: Vector) -> Fraction:
    """One side of (6.6) in its first form."""
    first, *rest = zip(case.counts, vectors(case.bits), strict=True)
    own = (1 - case.q) ** case.bits if y == case.zero else case.q**case.bits
    scaled = (Fraction(s, first[0]) * case.q**case.bits / case.given(v, case.one) * case.given(v, y) for s, v in rest)
    return sum(scaled, own)
