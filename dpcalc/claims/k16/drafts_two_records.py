"""K16, section 7, below the line "ignore below this point": two records.

D holds records 1 = 1...1 but for the one that changes to 0 = 0...0 (``outcomes`` has the notation).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from dpcalc.claims.checking import exhausted, repaired
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.enumeration import FLIPS, chance, vectors
from dpcalc.claims.k16.outcomes import EVERY_VECTOR, Outcome, pairs

__all__ = ["ledger"]

ledger = Ledger("K16")

_PAIRS = "L <= 2, q = 1/4 and 2/5, every z, x and pair of reports"
_PAIRS_OF_ONES = "L <= 2, q = 1/4 and 2/5, every x and pair of reports"


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
    return exhausted(product(range(1, 7), FLIPS), holds, over=EVERY_VECTOR, shown=(formula, formula), proven=True)


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
    return exhausted(product(range(1, 7), FLIPS), holds, over=EVERY_VECTOR, shown=(formula, formula), proven=True)


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
    """The exponent of q keeps an L that cancels.

    p(l_2|1)/p(l_1|1) = p^{l_2} q^{L-l_2}/(p^{l_1} q^{L-l_1}) = p^{l_2-l_1} q^{-(l_2-l_1)}: the L
    cancels.
    """
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
    """It repeats the exponent of (7.6).

    (p/q)^{L-2l_2} = (p/q)^{L-2l_1} (p/q)^{2(l_1-l_2)}, so the step is right; it keeps the exponent of
    (7.6).
    """

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
    """The factor q^L, from the exponent of (7.6), does not belong there.

    (p/q)^{2(l_1-l_2)} (p/q)^{l_2-l_1} = (p/q)^{l_1-l_2}, and below the line (p/q)^{l_2-l_1} =
    (q/p)^{l_1-l_2}.

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


# --- helpers ------------------------------------------------------------------------------------------------------


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
