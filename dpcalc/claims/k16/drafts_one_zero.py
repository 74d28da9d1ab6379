"""K16, section 8, "Wild West": one report 0 and n - 1 equal ones.

D holds records 1 = 1...1, one of which changes to 0 = 0...0 (``outcomes`` has the notation).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from dpcalc.claims.checking import exhausted
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.k16.outcomes import Outcome, one_zero
from dpcalc.mechanisms.records import bit_counts
from dpcalc.mechanisms.response import KRandomization
from dpcalc.privacy.ratio import ratio

__all__ = ["ledger"]

ledger = Ledger("K16")

_MIXED = "n <= 4, L <= 3, n L <= 9, q = 1/4 and 2/5, every s"


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


# --- helpers ------------------------------------------------------------------------------------------------------


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
